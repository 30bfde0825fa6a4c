/* Loads of floating bodies by their names, as the entry `reduce` of such a body lists them. */
#ifndef GOS_FLOATING_LOADS_H
#define GOS_FLOATING_LOADS_H

#include "flex/flex.h"
#include "parts/parts.h"

#define GOS_FLOATING_ELECTRODES 32 // more of them are no loads of a body unless they are named

/* Loads as columns. */
typedef struct gos_floating_loads {
    int n;
    gos_flex_port *port; // (n)
} gos_floating_loads;

typedef struct gos_floating_held gos_floating_held; // bodies/floating_held.h

/* The names of a body's nodes, and of heat that acts on it. */
typedef struct gos_floating_names {
    int (*node)(const void *par, const char *name); // number of a node, -1: has none of this name
    const void *par;
    const char *known; // "start, end and node(i)", in messages
    int nend;          // where other bodies are joined, unless the entry says it
    const int *end;    // (nend)
    bool statics;      // the body bends under forces there as the whole one, unless `static` says
                       // otherwise
    bool offered;      // the same where the basis is not found to do so anyway
    const char *const *end_name; // (nend)
    /* the nodes beside a place that is none, how many; NULL: there is no such place */
    int (*beside)(const void *par, const char *name, int node[2]);
    int njoint, njoined;            // where joints are; and behind them where loads are
    const int *joined;              // (njoined)
    const char *const *joined_name; // (njoined)
    bool framed;                    // a joint or load is on its frame
    bool grounded;                // a joint holds its frame to the ground, so that it does not move
    bool stressed;                // stresses or strains of it are asked for
    bool crowded;                 // more places are named than were looked at
    int nseen;                    // where joints, loads and probes are, 0: as above
    const int *seen;              // (nseen)
    const char *const *seen_name; // (nseen)
    gos_floating_loads heat;      // the entries that heat it, by their names ...
    const double *amount;         // ... and their amounts, NAN: not constant (heat.n)
    int nelectrode;               // of patches, columns of the flex
    const char *const *electrode; // "patches(3)", "patches.root" (nelectrode)
    const gos_flex_stress
        *stress; // for displacements of second order; NULL: there are none, or they are there
    const gos_sparse *film; // films as conduction (heat.n, heat.n), NULL: there are none
    const gos_sparse
        *held; // what holds prescribed temperatures while vectors of loads are made, likewise
    gos_floating_held *
        unseen; // to be filled with what a reduced body may not show of itself; NULL: not asked for
} gos_floating_names;

/** Places of the body `name` that joints and loads of the model name (joined of *names); a body
 * without ends gets them there. (referenced_places.c) */
gos_status gos__floating_mentions(gos_builder *b, const char *name, gos_floating_names *names);
/** Loads by their texts: sums "4*end.x + 0.2*end.y" of [factor *] load; a load is a force
 * PLACE.x|y|z or a moment PLACE.rx|ry|rz along the body axes, or what motion of the frame makes:
 * acceleration.x|y|z, euler.x|y|z, centrifugal.xx|yy|zz|xy|xz|yz; or the name of an entry that
 * heats the body. All in the builder's arena. @return GOS_E_INPUT for what is none, or loads
 * nothing. */
gos_status gos__floating_loads(gos_builder *b, const gos_flex *flex,
                               const gos_floating_names *names, const gos_texts *texts,
                               const char *object, gos_floating_loads *loads);
/** Add to K (flex->n) what loads, by such texts, change in the stiffness, and to `about` what of
 * them the motion of the frame makes. @return GOS_E_INPUT for angular accelerations and moments,
 * which change none. */
gos_status gos__floating_stiffness(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, const gos_texts *texts,
                                   const char *object, gos_sparse *K,
                                   double about[GOS_FLEX_STATES]);
/** Motions of the frame (texts->n) by such texts: sums of accelerations of its origin (0 to 2) and
 * angular ones (3 to 5). */
gos_status gos__floating_motions(gos_builder *b, const gos_flex *flex,
                                 const gos_floating_names *names, const gos_texts *texts,
                                 const char *object, double (*motion)[6]);
/** Forces where joints, loads and probes are, and heat. */
gos_status gos__floating_seen(gos_builder *b, const gos_flex *flex, const gos_floating_names *names,
                              gos_floating_loads *loads);
/** Forces and moments where joints and loads are, and under gravity accelerations. */
gos_status gos__floating_joint_loads(gos_builder *b, const gos_flex *flex,
                                     const gos_floating_names *names, gos_floating_loads *loads);
/** Forces and moments where joints are. */
gos_status gos__floating_reactions(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads);
/** All of the frame's motion, forces and moments at the ends, and heat, but what loads nothing. */
gos_status gos__floating_all_loads(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads);

#endif
