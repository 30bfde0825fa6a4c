/* How far two runs are apart at each node, for pictures of it. */
#ifndef GOS_IO_COMPARE_H
#define GOS_IO_COMPARE_H

#include "gossamer/io.h"

typedef struct gos_apart gos_apart;

/** Compare the nodes of run `b` with those of `a`, at output times of `a`, as gos_compare does.
 * Both stay open as long.
 *  @return GOS_E_USE: the meshes differ, or no time is in both */
gos_status gos__apart_open(gos_ctx *ctx, gos_results *a, gos_results *b, gos_apart **apart);
/** NULL is allowed. */
void gos__apart_close(gos_apart *apart);
/** What gos_compare says of the fields; without probes. */
const gos_comparison *gos__apart_worst(const gos_apart *apart);
/** At output time k of `a`, of each node (nnodes): its distance in the two runs [m], or (heat) by
 * how much temperatures differ [K]; not a number at times that the runs have not in common. */
gos_status gos__apart_at(gos_apart *apart, long k, bool heat, double *value);

#endif
