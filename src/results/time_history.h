/* Interpolation of probes between stored rows: see gos_time_history. */
#ifndef GOS_IO_TIME_HISTORY_H
#define GOS_IO_TIME_HISTORY_H

#include <stdbool.h>

#include "gossamer/io.h"

#define GOS_HISTORY_ROWS 6 // rows of a polynomial

/** gos_time_history.nearest of a probe. */
int gos__time_history_nearest(const gos_probe_info *probe);

/** Are all rates 0? Older files store unknown rates so. */
bool gos__time_history_flat(const double *rate, long n);

#endif
