/* Temperatures under heat loads that a reduced floating body cannot represent. */
#ifndef GOS_OMITTED_TEMPERATURES_H
#define GOS_OMITTED_TEMPERATURES_H

#include "floating/floating_loads.h"

typedef struct gos_omitted_temperatures {
    double part;      // largest part of the temperature at a load over the mean; 0: none
    const char *load; // that load, NULL: none
    int fields;       // number of slowest temperature fields that keep `part` small; 0: unknown
} gos_omitted_temperatures;

/** Omission of fields W (heat.n, s) under each heat load of `names` alone: its mean temperature
 * over the loaded surface, over the mean of an insulated body, at about the end of a run of
 * `duration` [s] (0: long) with a constant load. */
gos_status gos__omitted_temperatures(const gos_flex *flex, const gos_floating_names *names,
                                     double duration, int s, const double *W,
                                     gos_omitted_temperatures *omitted);
/** Fewest slowest fields (at most `most`) that omit at most `part` under every load. */
gos_status gos__sufficient_temperatures(const gos_flex *flex, const gos_floating_names *names,
                                        double duration, double part, int most,
                                        gos_omitted_temperatures *omitted);

#endif
