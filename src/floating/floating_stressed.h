/* What the basis of a reduced floating body leaves out of its stresses. */
#ifndef GOS_FLOATING_STRESSED_H
#define GOS_FLOATING_STRESSED_H

#include "floating/floating_loads.h"

/** Of the body at rest under each load alone, and under each of the temperature fields W (heat.n,
 * s), the largest part that shapes V (flex->n, r) leave of the stress: the root of the energy of
 * the difference over that of all, a mean over the body. `of` (size) names it; *left 0: there are
 * no loads, or all is there but for rounding. */
gos_status gos__floating_stress_left(const gos_flex *flex, const gos_floating_loads *loads, int s,
                                     const double *W, int r, const double *V, double *left,
                                     char *of, size_t size);

/** *left: the largest part of the displacement along the loads, all of any amounts, that shapes V
 * leave of the body at rest. It bounds what they leave of a body that is held at these places, too:
 * compliances of the whole and the reduced body differ by at most this part as forms of the loads,
 * and so do those of what is left when some of the places are held. */
gos_status gos__floating_deflection_left(const gos_flex *flex, const gos_floating_loads *loads,
                                         int r, const double *V, double *left);

#endif
