/* Units of quantities with several components: one text for all, "m", or one each in order, "K,
 * K/m". */
#ifndef GOS_UNITS_H
#define GOS_UNITS_H

#include "base/base.h"

#define GOS_UNIT_MAX 32 // bytes for the unit of one component (gos_probe_error)
// arguments (buffer, size) of a label that lives to the end of the block
#define GOS_UNIT_BUFFER (char[GOS_UNIT_MAX]){0}, GOS_UNIT_MAX
#define GOS_UNITS_MAX 512 // bytes for the units of all components of a probe, and of their rates

/** Unit of component c (from 0), into `buf`, which is returned; the last one if there are fewer. */
const char *gos__unit_at(const char *units, int c, char buf[GOS_UNIT_MAX]);
/** Units of time derivatives, "K/s, K/m/s" ("1/s" for "-" and ""), into `buf`, which is
 * returned. */
const char *gos__unit_rates(const char *units, char buf[GOS_UNITS_MAX]);
/** Combine units (n) into one text; a single unit if all are equal. */
const char *gos__unit_list(gos_arena *a, const char *const *unit, int n);

#endif
