/* What errors are measured by: the extent, and the range of temperatures. */
#ifndef GOS_SCALES_H
#define GOS_SCALES_H

#include "system/system.h"

/** RMS over the mass of a displacement field (nq), relative to the extent. weighed (nq): := its
 * product with the weights of the norm. */
double gos__motion_rms(const gos_system *s, const double *dq, double *weighed);
/** RMS over the heat capacity of a temperature field (nt) [K]. weighed (nt): as above. */
double gos__heat_rms(const gos_system *s, const double *dT, double *weighed);
/** The range of temperatures, which a state may widen [K]. */
double gos__heat_range(const gos_state *x, double range);

#endif
