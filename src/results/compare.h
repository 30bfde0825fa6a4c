/* Differences between two runs at each node, for plots. */
#ifndef GOS_IO_COMPARE_H
#define GOS_IO_COMPARE_H

#include "gossamer/io.h"

typedef struct gos_apart gos_apart;

/** Compare the nodes of run `b` with those of `a` at output times of `a`, as gos_compare does. Both
 *  must stay open.
 *  @return GOS_E_USE: the meshes differ, or no common time */
gos_status gos__apart_open(gos_ctx *ctx, gos_results *a, gos_results *b, gos_apart **apart);
/** NULL is allowed. */
void gos__apart_close(gos_apart *apart);
/** The field errors of gos_compare; without probes. */
const gos_comparison *gos__apart_worst(const gos_apart *apart);
/** Differences at output time k of `a` for each node (nnodes): distance [m], or (heat) temperature
 *  [K]; NaN outside the common time range. */
gos_status gos__apart_at(gos_apart *apart, long k, bool heat, double *value);

#endif
