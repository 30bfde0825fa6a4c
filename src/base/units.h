/* Units of what has components: one text for all of them, "m", or one each in their order, "K,
 * K/m". */
#ifndef GOS_UNITS_H
#define GOS_UNITS_H

#include "base/base.h"

#define GOS_UNIT_MAX 32   // bytes of the unit of one component (gos_probe_error)
#define GOS_UNITS_MAX 512 // bytes of those of all components of a probe, and of their rates

/** The unit of component c (from 0), into `buf`, which is returned; that of the last one where
 * there are not so many. */
const char *gos__unit_at(const char *units, int c, char buf[GOS_UNIT_MAX]);
/** The units over time, "K/s, K/m/s", of "-" and of none "1/s", into `buf`, which is returned. */
const char *gos__unit_rates(const char *units, char buf[GOS_UNITS_MAX]);
/** As one text: units (n), or one of them where all are alike. */
const char *gos__unit_list(gos_arena *a, const char *const *unit, int n);

#endif
