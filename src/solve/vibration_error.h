/* What the error of a step is to the whole run, where modes are followed that ring. */
#ifndef GOS_VIBRATION_ERROR_H
#define GOS_VIBRATION_ERROR_H

#include "steppers/alpha/generalised_alpha.h"

/** Look into the filtered error of a step h, g->r (nq), mode by mode; g->r := what of it adds up
 * over the run, of which its norm is the share that is returned (<= 1; never less than what the
 * vectors that were asked for show). The rows of the iteration's memory but the first are scratch.
 *  enough: a share that asks for nothing more; each closer look is a solution */
double gos__ringing_share(gos_alpha *g, double h, double enough);

#endif
