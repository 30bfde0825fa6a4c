/* Differences between two runs at nodes. */
#ifndef GOS_IO_COMPARE_H
#define GOS_IO_COMPARE_H

#include "gossamer/io.h"

typedef struct gos_apart gos_apart;

/** Compare run `b` with `a` at output times of `a`, as gos_compare does. Both must stay open.
 *  @return GOS_E_USE: the meshes differ, or no common time */
gos_status gos__apart_open(gos_ctx *ctx, gos_results *a, gos_results *b, gos_apart **apart);
/** NULL is allowed. */
void gos__apart_close(gos_apart *apart);
/** Field errors of gos_compare. */
const gos_comparison *gos__apart_worst(const gos_apart *apart);
/** At output time k of `a`, each node's (nnodes) distance [m], or (heat) temperature difference
 *  [K]; NaN outside the common time range. */
gos_status gos__apart_at(gos_apart *apart, long k, bool heat, double *value);

#endif
