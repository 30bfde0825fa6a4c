/* Limits of signals (`events:` of a model): where an expression of probes passes a value the time
   is recorded, or the run ends. Where that is in a step: solve/crossings.h. */
#ifndef GOS_ZERO_CROSSING_H
#define GOS_ZERO_CROSSING_H

#include "probes/probe.h"

struct gos_crossing {
    const char *name;
    gos_loc loc;
    const gos_timefn *signal; // of the time and n probes
    int n, probe[GOS_LIMIT_VARIABLES], component[GOS_LIMIT_VARIABLES];
    double limit;         // in the unit of the signal
    bool rising, falling; // which ways count
    bool ends;            // the run
    bool smooth;          // rates of its probes are known, so that it is a cubic inside a step
};

extern const gos_type gos__event_type;

/** All entries of the section into s->crossing, once the probes are there. */
gos_status gos__crossings_make(gos_builder *b, gos_system *s);
/** Is an entry right as far as it stands by itself? */
gos_status gos__crossing_check(gos_builder *b, const gos_node *entry, const char *object);
/** Where and with what a signal is looked at. */
typedef struct gos_crossing_point {
    const gos_state *x;
    double t, dt; // of functions of time, and to where on they are smooth (dt < 0: backwards) [s]
    const double
        *near; // the probes as they were (n, GOS_PROBE_MAX), from where angles go on; NULL: from 0
    gos_state *moved; // another state of the system, for scratch
} gos_crossing_point;
/** The signal less its limit, and its rate [1/s]. now: the probes there (n, GOS_PROBE_MAX). */
void gos__crossing_sample(const gos_crossing *c, const gos_crossing_point *at, double *now,
                          double *value, double *rate);

#endif
