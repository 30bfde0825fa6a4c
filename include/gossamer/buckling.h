/* Gossamer: linearised buckling. SPDX-License-Identifier: Apache-2.0
 *
 * Load factors and shapes of structures given by a deck; those of systems: gos_buckling in
 * linearise.h. */
#ifndef GOSSAMER_BUCKLING_H
#define GOSSAMER_BUCKLING_H

#include "gossamer/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gos_buckling_mode {
    double factor;  // load factor [-]
    char where[96]; // coordinate with the largest component of the shape
} gos_buckling_mode;

/** Linearised buckling of the structure of a CalculiX or Abaqus deck under the forces, pressures,
 * gravity, temperatures and prescribed displacements of its first step, all scaled: the n smallest
 * positive load factors, ascending, and shapes (coordinates of gos_linear_from_mesh, n; by columns;
 * may be NULL). n = 0: as many as the *BUCKLE card of the deck requests (*found of `modes` and
 * `shapes` with room for `most`). *found < n only if there are no more.
 * @return GOS_E_INPUT as gos_linear_from_mesh, and for a step without loads; GOS_E_SINGULAR if the
 * structure is free to move */
GOS_API gos_status gos_mesh_buckling(gos_ctx *ctx, const gos_mesh *mesh, int n, int most,
                                     gos_buckling_mode *modes, double *shapes, int *found);

#ifdef __cplusplus
}
#endif
#endif
