/* Norms and scales of errors: extent and temperature range. */
#ifndef GOS_SCALES_H
#define GOS_SCALES_H

#include "system/system.h"

/** RMS over the mass of a displacement field (nq), relative to the extent. weighed (nq): := its
 * product with the weights of the norm. */
double gos__motion_rms(const gos_system *s, const double *dq, double *weighed);
/** RMS over the heat capacity of a temperature field (nt) [K]. weighed (nt): as above. */
double gos__heat_rms(const gos_system *s, const double *dT, double *weighed);
/** Temperature range [K], extended by a state. */
double gos__heat_range(const gos_state *x, double range);

#endif
