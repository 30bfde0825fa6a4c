/* What the basis of a reduced floating body leaves out of its stresses. */
#ifndef GOS_FLOATING_STRESSED_H
#define GOS_FLOATING_STRESSED_H

#include "floating/floating_loads.h"

/** Of the body at rest under each load alone, and under each of the temperature fields W (heat.n, s), the largest part that shapes V
 *  (flex->n, r) leave of the stress: the root of the energy of the difference over that of all, a mean over the body. `of` (size) names it;
 *  *left 0: there are no loads, or all is there but for rounding. */
gos_status gos__floating_stress_left(const gos_flex *flex, const gos_floating_loads *loads, int s,
                                     const double *W, int r, const double *V, double *left,
                                     char *of, size_t size);

#endif
