/* What is asked of functions of time beside their values. */
#ifndef GOS_TIMEFN_H
#define GOS_TIMEFN_H

#include "model/model.h"

/** Where a function is to be sampled to see its course: the points of a linear table, ascending in time [s].
 *  @return their number; 0: anywhere; -1: its switching times tell all (constants, expressions of probes alone, eclipses) */
int gos__timefn_points(const gos_timefn *fn, const double **times);

#endif
