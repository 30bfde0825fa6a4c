/* Making markers: 3-vectors that are weighted sums of vector coordinates. */
#ifndef GOS_MARKER_H
#define GOS_MARKER_H

#include "parts/parts.h"

/** A marker fixed in space at x. */
gos_marker gos__marker_fixed(const double x[3]);
/** m = off + sum w[j] e[idx[j]], indices and weights copied into the arena; equal indices are
 * merged and zero weights dropped. off may be NULL (zero). @return GOS_E_MEMORY. */
gos_status gos__marker_make(gos_arena *a, int n, const int *idx, const double *w, const double *off,
                            gos_marker *m);
/** m = sum_k factor[k] part[k], merged; m may be one of the parts. @return GOS_E_MEMORY. */
gos_status gos__marker_sum(gos_arena *a, int n, const gos_marker *part, const double *factor,
                           gos_marker *m);
/** A temperature marker, merged likewise. @return GOS_E_MEMORY. */
gos_status gos__tmarker_make(gos_arena *a, int n, const int *idx, const double *w, gos_tmarker *m);

/** gos__marker_rate of a marker whose vectors lie one after the other (kernel_marker.c). @return
 * false: they do not, x is as it was */
bool gos__kernel_marker(const gos_marker *m, const double *v, double x[3]);

/** Initial value of a marker in the builder's coordinates. */
void gos__marker_initial(const gos_builder *b, const gos_marker *m, double x[3]);

/** Free the builder's growing arrays (coordinates, triplets, lists; not what lies in the arena) and
 *  its time functions; sets them to empty. A system that keeps the time functions takes them over
 *  first by setting nfn to 0. */
void gos__builder_release(gos_builder *b);

#endif
