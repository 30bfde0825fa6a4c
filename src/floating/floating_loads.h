/* Named loads of floating bodies, as listed by the entry `reduce`. */
#ifndef GOS_FLOATING_LOADS_H
#define GOS_FLOATING_LOADS_H

#include "flex/flex.h"
#include "parts/parts.h"

#define GOS_FLOATING_ELECTRODES 32 // bodies with more electrodes include only those listed

/* Loads as columns. */
typedef struct gos_floating_loads {
    int n;
    gos_flex_port *port; // (n)
} gos_floating_loads;

typedef struct gos_floating_held gos_floating_held; // floating/clamped_modes.h

/* Names of a body's nodes, and of heat that acts on it. */
typedef struct gos_floating_names {
    int (*node)(const void *par, const char *name); // node index, -1: unknown name
    const void *par;
    const char *known; // for messages: "start, end and node(i)"
    int nend;          // default attachment nodes
    const int *end;    // (nend)
    // the basis contains static deflections under forces there, unless `static` is given
    bool statics;
    bool offered;                // the same, but only where the basis lacks them
    const char *const *end_name; // (nend)
    /* nodes next to a location between nodes; returns their number; NULL: no such locations */
    int (*beside)(const void *par, const char *name, int node[2]);
    int njoint, njoined;            // number of joint nodes, and of these plus load nodes
    const int *joined;              // (njoined)
    const char *const *joined_name; // (njoined)
    bool framed;                    // a joint or load acts on its frame
    bool grounded;                  // a joint fixes its frame to the ground
    bool stressed;                  // stresses or strains are requested
    bool crowded;                   // more locations are referenced than were inspected
    int nseen;                      // nodes with joints, loads and probes, 0: as above
    const int *seen;                // (nseen)
    const char *const *seen_name;   // (nseen)
    gos_floating_loads heat;        // loads of heat entries, by name ...
    const double *amount;           // ... and their magnitudes, NAN: not constant (heat.n)
    int nelectrode;                 // of patches; columns of the flex
    const char *const *electrode;   // "patches(3)", "patches.root" (nelectrode)
    const gos_flex_stress *stress;  // for second-order displacements; NULL: none, or already made
    const gos_sparse *film;         // films as conduction (heat.n, heat.n), NULL: none
    // conduction that fixes prescribed temperatures while load vectors are computed, likewise
    const gos_sparse *held;
    gos_floating_held *unseen; // output: what a reduced body cannot represent; NULL: not requested
} gos_floating_names;

/** Find locations of the body `name` that joints and loads refer to (joined of *names); these
 * become the ends of a body without any. (referenced_places.c) */
gos_status gos__floating_mentions(gos_builder *b, const char *name, gos_floating_names *names);
/** Parse loads: sums "4*end.x + 0.2*end.y" of [factor *] load. A load is a force PLACE.x|y|z or
 * moment PLACE.rx|ry|rz along body axes; an inertia load acceleration.x|y|z, euler.x|y|z,
 * centrifugal.xx|yy|zz|xy|xz|yz; or the name of a heat entry. Allocated in the builder's arena.
 * @return GOS_E_INPUT for other texts, and for loads that do not deform the body */
gos_status gos__floating_loads(gos_builder *b, const gos_flex *flex,
                               const gos_floating_names *names, const gos_texts *texts,
                               const char *object, gos_floating_loads *loads);
/** Add to K (flex->n) the stiffness change by such loads, and to `about` their frame motion.
 * @return GOS_E_INPUT for angular accelerations and moments, which add no stiffness */
gos_status gos__floating_stiffness(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, const gos_texts *texts,
                                   const char *object, gos_sparse *K,
                                   double about[GOS_FLEX_STATES]);
/** Parse motions of the frame (texts->n): sums of accelerations of its origin (0 to 2) and angular
 * accelerations (3 to 5). */
gos_status gos__floating_motions(gos_builder *b, const gos_flex *flex,
                                 const gos_floating_names *names, const gos_texts *texts,
                                 const char *object, double (*motion)[6]);
/** Forces at joints, loads and probes, and heat. */
gos_status gos__floating_seen(gos_builder *b, const gos_flex *flex, const gos_floating_names *names,
                              gos_floating_loads *loads);
/** Forces and moments at joints and loads; accelerations under gravity. */
gos_status gos__floating_joint_loads(gos_builder *b, const gos_flex *flex,
                                     const gos_floating_names *names, gos_floating_loads *loads);
/** Forces and moments at joints. */
gos_status gos__floating_reactions(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads);
/** All inertia loads of the frame, forces and moments at the ends, and heat, except loads that do
 * not deform the body. */
gos_status gos__floating_all_loads(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads);

#endif
