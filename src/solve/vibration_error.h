/* Contribution of a step's error to the error of the run for vibration modes that steps do not
 * resolve. */
#ifndef GOS_VIBRATION_ERROR_H
#define GOS_VIBRATION_ERROR_H

#include "steppers/alpha/generalised_alpha.h"

/** Analyse the filtered error of a step h, g->r (nq), by modes; g->r := the part that accumulates
 * over the run. Returns the ratio of norms (<= 1; an upper bound). Rows of the Broyden storage
 * except the first are scratch. enough: stop at this ratio; each refinement costs a solution. */
double gos__ringing_share(gos_alpha *g, double h, double enough);

#endif
