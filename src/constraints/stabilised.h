/* What the stabilised form of index 2 (Gear, Gupta and Leimkuhler 1985) asks of constraints beside
   the residual: they hold as velocities, too, with multipliers mu of their own in the kinematic
   equations. */
#ifndef GOS_STABILISED_H
#define GOS_STABILISED_H

#include "system/assemble.h"

/** cv (nc) := C_q v + C_t; force (nq) += C_q^T mu. */
void gos__stabilised_rows(gos_work *w, const gos_point_of *x, const double *mu, double *cv,
                          double *force);

#endif
