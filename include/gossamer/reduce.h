/* Gossamer: reduced models of a system. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_REDUCE_H
#define GOSSAMER_REDUCE_H

#include "gossamer/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reduce a system as its model's `reduction:` says (rotation_closed with default fields without one).
 *  The result is again a system: the same solvers, probes, balances and files serve it. `sys` must
 *  outlive it. */
GOS_API gos_status gos_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced);

#ifdef __cplusplus
}
#endif
#endif
