/* Construction of markers: 3-vectors that are weighted sums of vector coordinates. */
#ifndef GOS_MARKER_H
#define GOS_MARKER_H

#include "parts/parts.h"

/** A marker fixed in space at x. */
gos_marker gos__marker_fixed(const double x[3]);
/** m = off + sum w[j] e[idx[j]]; indices and weights are copied into the arena, equal indices
 * merged, zero weights dropped. off may be NULL (zero). @return GOS_E_MEMORY. */
gos_status gos__marker_make(gos_arena *a, int n, const int *idx, const double *w, const double *off,
                            gos_marker *m);
/** m = sum_k factor[k] part[k], merged; m may alias a part. @return GOS_E_MEMORY. */
gos_status gos__marker_sum(gos_arena *a, int n, const gos_marker *part, const double *factor,
                           gos_marker *m);
/** A temperature marker, merged likewise. @return GOS_E_MEMORY. */
gos_status gos__tmarker_make(gos_arena *a, int n, const int *idx, const double *w, gos_tmarker *m);

/** gos__marker_rate for consecutive vectors (kernel_marker.c). @return false if they are not; x is
 * then unchanged. */
bool gos__kernel_marker(const gos_marker *m, const double *v, double x[3]);

/** Initial value of a marker in the builder's coordinates. */
void gos__marker_initial(const gos_builder *b, const gos_marker *m, double x[3]);

/** Frees the builder's growing arrays (coordinates, triplets, lists; not arena memory) and its time
 * functions, and empties them. To keep the time functions, a system sets nfn to 0 first. */
void gos__builder_release(gos_builder *b);

#endif
