/* Accumulated error of vibration modes that steps do not resolve. */
#ifndef GOS_VIBRATION_ERROR_H
#define GOS_VIBRATION_ERROR_H

#include "steppers/alpha/generalised_alpha.h"

/** Split the filtered error of a step h, g->r (nq), by modes; g->r := the accumulating part.
 * Returns the ratio of norms (<= 1; an upper bound). Broyden storage except its first row is
 * scratch. enough: stop at this ratio; each refinement costs a solution. */
double gos__vibration_share(gos_alpha *g, double h, double enough);

#endif
