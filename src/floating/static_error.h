/* Static errors of reduced floating bodies. */
#ifndef GOS_STATIC_ERROR_H
#define GOS_STATIC_ERROR_H

#include "floating/floating_loads.h"

/** Largest relative stress error of V (flex->n, r) over single loads and temperature fields W
 * (heat.n, s): root of energy ratio, a mean over the body. `of` (size): the worst case; *left 0:
 * no loads, or exact. */
gos_status gos__floating_stress_left(const gos_flex *flex, const gos_floating_loads *loads, int s,
                                     const double *W, int r, const double *V, double *left,
                                     char *of, size_t size);

/** *left: largest relative deflection error over combinations of loads. Also bounds that of a body
 * fixed at some locations: compliances differ by at most this fraction as quadratic forms. */
gos_status gos__floating_deflection_left(const gos_flex *flex, const gos_floating_loads *loads,
                                         int r, const double *V, double *left);

#endif
