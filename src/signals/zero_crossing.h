/* Thresholds of signals (`events:` of a model): a crossing is recorded or ends the run. Location
   inside a step: events/crossings.h. */
#ifndef GOS_ZERO_CROSSING_H
#define GOS_ZERO_CROSSING_H

#include "probes/probe.h"

struct gos_crossing {
    const char *name;
    gos_loc loc;
    const gos_timefn *signal; // of time and n probes
    int n, probe[GOS_LIMIT_VARIABLES], component[GOS_LIMIT_VARIABLES];
    double limit;         // in the unit of the signal
    bool rising, falling; // detected directions
    bool ends;            // ends the run
    bool smooth;          // rates of its probes exist, so it is interpolated by cubics
};

extern const gos_type gos__event_type;

/** Make all entries in s->crossing, after the probes. */
gos_status gos__crossings_make(gos_builder *b, gos_system *s);
/** Check an entry alone. */
gos_status gos__crossing_check(gos_builder *b, const gos_node *entry, const char *object);
/** Point at which a signal is evaluated. */
typedef struct gos_crossing_point {
    const gos_state *x;
    // time and interval over which time functions are smooth (dt < 0: backwards) [s]
    double t, dt;
    const double *near; // previous probe values (n, GOS_PROBE_MAX) for unwrapping; NULL: from 0
    gos_state *moved;   // scratch state of the system
} gos_crossing_point;
/** Signal minus limit, and its rate [1/s]. now: probe values (n, GOS_PROBE_MAX). */
void gos__crossing_sample(const gos_crossing *c, const gos_crossing_point *at, double *now,
                          double *value, double *rate);

#endif
