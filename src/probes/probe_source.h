/* Components of probes as inputs of an item, by appending the probe's markers: values and
   derivatives are available in every evaluation, also when reduced.

   Derivatives are exact for linear functions and angles, else fourth-order differences, exact to
   rounding for rotating axes and angular velocities (polynomials). Angles count turns from the last
   step. */
#ifndef GOS_PROBE_SOURCE_H
#define GOS_PROBE_SOURCE_H

#include "probes/probe.h"

#define GOS_SOURCE_X (3 * GOS_ITEM_MARKERS)

/* Component of a probe; its markers are single markers of the item. */
typedef struct gos_source {
    gos_probe probe;
    int component;
    int memory; // memory slot of its last value; -1: none
} gos_source;

/* Derivatives with respect to marker values, rates and temperatures. */
typedef struct gos_source_gradient {
    double x[GOS_SOURCE_X], v[GOS_SOURCE_X], th[GOS_ITEM_TMARKERS];
} gos_source_gradient;

double gos__source_value(const gos_source *s, const gos_item_io *io);
/** Derivatives by the item's markers (nm) and temperature markers (ntm). */
void gos__source_gradient(const gos_source *s, const gos_item_io *io, int nm, int ntm,
                          gos_source_gradient *g);
void gos__source_remember(const gos_source *s, const gos_item_io *io, double *mem);

typedef struct gos_source_maker {
    gos_builder *b;
    gos_item *item; // has room for GOS_ITEM_TMARKERS temperature markers
    gos_loc loc;
    const char *object;
    gos_probe *const *probe; // of the model
    int nprobe;
    // direct feed-through is handled elsewhere and omitted from the source
    bool direct;
} gos_source_maker;

/** Make the source of a probe component (NULL: the only one); adds markers to the item. Unsuitable
 * probes are errors. */
gos_status gos__source_take(gos_source_maker *k, const gos_probe *p, const char *component,
                            gos_source *s);
/** Probe named by PROBE or PROBE.COMPONENT; NULL if there is none. */
const gos_probe *gos__source_probe(const gos_source_maker *k, const char *name);
/** As gos__source_take, from PROBE or PROBE.COMPONENT in an expression. */
gos_status gos__source_find(gos_source_maker *k, const char *name, gos_source *s);

#endif
