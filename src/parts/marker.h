/* Construction of markers. */
#ifndef GOS_MARKER_H
#define GOS_MARKER_H

#include "parts/parts.h"

gos_marker gos__marker_fixed(const double x[3]);
/** m = off + sum w[j] e[idx[j]], copied into the arena; merges equal indices, drops zero weights.
 * off may be NULL. @return GOS_E_MEMORY. */
gos_status gos__marker_make(gos_arena *a, int n, const int *idx, const double *w, const double *off,
                            gos_marker *m);
/** m = sum_k factor[k] part[k], merged; m may alias a part. @return GOS_E_MEMORY. */
gos_status gos__marker_sum(gos_arena *a, int n, const gos_marker *part, const double *factor,
                           gos_marker *m);
/** Makes a temperature marker, merged likewise. @return GOS_E_MEMORY. */
gos_status gos__tmarker_make(gos_arena *a, int n, const int *idx, const double *w, gos_tmarker *m);

/** gos__marker_rate for consecutive vectors (kernel_marker.c). @return false, with x unchanged, if
 * they are not. */
bool gos__kernel_marker(const gos_marker *m, const double *v, double x[3]);

/** Initial value of a marker. */
void gos__marker_initial(const gos_builder *b, const gos_marker *m, double x[3]);

/** Frees and empties the builder's arrays (not arena memory) and time functions. Set nfn = 0 first
 * to keep the functions. */
void gos__builder_release(gos_builder *b);

#endif
