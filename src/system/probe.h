/* Probes: named quantities observed during a run. */
#ifndef GOS_PROBE_H
#define GOS_PROBE_H

#include "system/system.h"

#define GOS_PROBE_MARKERS 8
#define GOS_PROBE_STRAINS 9 // most strains of a law

typedef struct gos_quantity gos_quantity;

struct gos_probe {
    const char *name;
    const gos_quantity *quantity;
    const char *unit;
    int ncomp;
    const char *const *components;
    int nm, ntm;
    gos_marker m[GOS_PROBE_MARKERS]; // what the quantity reads, see probe.c
    gos_tmarker *tm;                 // temperature families there (ntm)
    double x0[3];                    // position at t = 0
    double axes0[9];                 // rows: body axes at t = 0 (rotation), or frame axes
    double direction[3];             // scalar component along it
    bool scalar;
    bool framed;    // components in the axes of a body: markers 1..4 are its node and axes
    double axis[3]; // angle about it
    bool section;   // markers 1, 2 are section vectors and not the axes of a rigid body
    const gos_body *body;
    int nfeed; // output: functions of time that act on it directly
    const int *feed_fn;
    const double *feed;   // and their factors (nfeed)
    const gos_item *item; // joint; or what remembers for a section, NULL: nothing to remember
};

/** Value of a probe at a state (ncomp), angles not unwrapped. */
void gos__probe_evaluate(const gos_system *sys, const gos_state *state, const gos_probe *probe,
                         double *value);
/** Does it depend on coordinates, rates and temperatures alone? */
bool gos__probe_of_state(const gos_probe *probe);
/** Name of its quantity. */
const char *gos__probe_quantity(const gos_probe *probe);
/** Strains (law->nstrain) and their resultants of the body's law at a section whose markers 1, 2, ... are
 *  the rows of z. */
void gos__section_state(const gos_state *x, const gos_probe *p, double *strain, double *force);
/** Let the section remember what its law remembers at points: p->item, NULL when it remembers nothing. */
gos_status gos__section_memory(gos_builder *b, const gos_body *body, gos_probe *p, gos_loc loc);

/** The value nearest to the previous one where the quantity is an angle: full turns are added. */
void gos__probe_unwrap(const gos_probe *p, const double *previous, double *value);

#endif
