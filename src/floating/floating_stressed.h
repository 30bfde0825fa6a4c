/* Static stress and deflection error of a reduced floating body. */
#ifndef GOS_FLOATING_STRESSED_H
#define GOS_FLOATING_STRESSED_H

#include "floating/floating_loads.h"

/** Largest relative stress error of the shapes V (flex->n, r), over each load alone and each of the
 * temperature fields W (heat.n, s), in statics: square root of the energy of the difference over
 * the total, a mean over the body. `of` (size) names the worst case; *left 0: no loads, or exact
 * up to rounding. */
gos_status gos__floating_stress_left(const gos_flex *flex, const gos_floating_loads *loads, int s,
                                     const double *W, int r, const double *V, double *left,
                                     char *of, size_t size);

/** *left: largest relative deflection error along the loads, over all their linear combinations, in
 * statics. It also bounds the error of a body fixed at these locations: the compliances of full
 * and reduced body differ by at most this fraction as quadratic forms of the loads, and so do
 * those with some locations fixed. */
gos_status gos__floating_deflection_left(const gos_flex *flex, const gos_floating_loads *loads,
                                         int r, const double *V, double *left);

#endif
