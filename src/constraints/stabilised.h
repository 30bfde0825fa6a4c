/* Additional terms of the stabilised index-2 form (Gear, Gupta and Leimkuhler 1985): velocity
 * constraints, with multipliers mu in the kinematic equations. */
#ifndef GOS_STABILISED_H
#define GOS_STABILISED_H

#include "system/assemble.h"

/** cv (nc) := C_q v + C_t; force (nq) += C_q^T mu. */
void gos__stabilised_rows(gos_work *w, const gos_point_of *x, const double *mu, double *cv,
                          double *force);

#endif
