/* Components of probes as an item reads them: the probes' markers are put behind its own, so that
   values and derivatives are known at every evaluation, wherever coordinates lie and whether the
   system is reduced.

   Derivatives by the markers are exact where the quantity is a linear function of them or an angle,
   else by differences of fourth order, which are exact to rounding for the polynomials that
   components in turning axes and angular velocities are. Angles count full turns: the value at the
   end of the last step is remembered. */
#ifndef GOS_PROBE_SOURCE_H
#define GOS_PROBE_SOURCE_H

#include "probes/probe.h"

#define GOS_SOURCE_X (3 * GOS_ITEM_MARKERS)

/* A component of a probe; its markers are those of the item, one each. */
typedef struct gos_source {
    gos_probe probe;
    int component;
    int memory; // where its last value is remembered, -1: nowhere
} gos_source;

/* derivatives of a source by marker values, their rates, and temperatures */
typedef struct gos_source_gradient {
    double x[GOS_SOURCE_X], v[GOS_SOURCE_X], th[GOS_ITEM_TMARKERS];
} gos_source_gradient;

/** Its value at the inputs of its item. */
double gos__source_value(const gos_source *s, const gos_item_io *io);
/** Its derivatives by the nm markers and ntm temperature markers of the item. */
void gos__source_gradient(const gos_source *s, const gos_item_io *io, int nm, int ntm,
                          gos_source_gradient *g);
/** A step is accepted: what it remembers in the memory of its item. */
void gos__source_remember(const gos_source *s, const gos_item_io *io, double *mem);

/* An item that is getting sources. */
typedef struct gos_source_maker {
    gos_builder *b;
    gos_item *item; // has room for GOS_ITEM_TMARKERS temperature markers
    gos_loc loc;    // of what names the probes, for messages
    const char *object;
    gos_probe *const *probe; // of the model
    int nprobe;
    bool direct; // what a probe shows of inputs at once is taken care of elsewhere; the source
                 // leaves it out
} gos_source_maker;

/** *s := the source of a component of a probe, NULL: its only one; the item gets its markers.
 * Probes that cannot serve are refused by name. */
gos_status gos__source_take(gos_source_maker *k, const gos_probe *p, const char *component,
                            gos_source *s);
/** The probe that a name is of, PROBE or PROBE.COMPONENT; NULL: there is none. */
const gos_probe *gos__source_probe(const gos_source_maker *k, const char *name);
/** The same of a name as it stands in an expression, PROBE or PROBE.COMPONENT. */
gos_status gos__source_find(gos_source_maker *k, const char *name, gos_source *s);

#endif
