/* Loads of floating bodies, by name. */
#ifndef GOS_FLOATING_LOADS_H
#define GOS_FLOATING_LOADS_H

#include "flex/flex.h"
#include "parts/builder.h"

#define GOS_FLOATING_ELECTRODES 32 // with more, only listed ones are used

/* Loads as columns. */
typedef struct gos_floating_loads {
    int n;
    gos_flex_port *port; // (n)
} gos_floating_loads;

typedef struct gos_floating_fixed gos_floating_fixed; // floating/clamped_modes.h

/* Names of nodes and of heat on a body. */
typedef struct gos_floating_names {
    int (*node)(const void *par, const char *name); // index of a node; -1: unknown name
    const void *par;
    const char *known; // for messages: "start, end and node(i)"
    int nend;          // default attachment nodes
    const int *end;    // (nend)
    // static deflections under forces there, unless `static` is given
    bool statics;
    bool offered;                // the same, where the basis lacks them
    const char *const *end_name; // (nend)
    /* nodes next to a location; returns their number; may be NULL */
    int (*beside)(const void *par, const char *name, int node[2]);
    int ninterface;                    // declared interfaces, rigid or not
    const int *interface;              // (ninterface)
    const char *const *interface_name; // (ninterface)
    int njoint, njoined;               // number of joint nodes; of joint and load nodes
    const int *joined;                 // (njoined)
    const char *const *joined_name;    // (njoined)
    bool framed;                       // a joint or load acts on the frame
    bool grounded;                     // frame fixed to the ground by a joint
    bool stressed;                     // stress or strain requested
    bool crowded;                      // more locations than inspected
    int nseen;                         // nodes with joints, loads and probes, 0: as above
    const int *seen;                   // (nseen)
    const char *const *seen_name;      // (nseen)
    gos_floating_loads heat;           // loads of heat entries, by name ...
    const double *magnitude;           // ... magnitudes, NAN: not constant (heat.n)
    int nelectrode;                    // of patches; columns of the flex
    const char *const *electrode;      // "patches(3)", "patches.root" (nelectrode)
    const gos_flex_stress *stress;     // for second-order displacements; NULL: none, or made
    const gos_sparse *film;            // films as conduction (heat.n, heat.n), NULL: none
    // likewise, conduction around prescribed temperatures, for load vectors
    const gos_sparse *held;
    gos_floating_fixed *unseen; // output: fixed-point modes; NULL: not requested
} gos_floating_names;

/** Find locations of joints and loads (joined of *names); these become the ends of a body without
 * any. (referenced_locations.c) */
gos_status gos__floating_mentions(gos_builder *b, const char *name, gos_floating_names *names);
/** Parse sums "4*end.x + 0.2*end.y" of [factor *] load: force PLACE.x|y|z, moment PLACE.rx|ry|rz
 * (body axes), acceleration.x|y|z, euler.x|y|z, centrifugal.xx|yy|zz|xy|xz|yz of the frame, or a
 * heat entry. In the builder's arena. @return GOS_E_INPUT for other texts, and loads that do not
 * deform the body */
gos_status gos__floating_loads(gos_builder *b, const gos_flex *flex,
                               const gos_floating_names *names, const gos_texts *texts,
                               const char *object, gos_floating_loads *loads);
/** Add their stiffness to K (flex->n), and their frame motion to `about`. @return GOS_E_INPUT for
 * angular accelerations and moments */
gos_status gos__floating_stiffness(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, const gos_texts *texts,
                                   const char *object, gos_sparse *K,
                                   double about[GOS_FLEX_STATES]);
/** Motions of the frame (texts->n): sums of accelerations (0 to 2) and angular accelerations (3 to
 * 5). */
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
/** Inertia loads, forces and moments at the ends, heat; without loads that do not deform the body.
 */
gos_status gos__floating_all_loads(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads);

#endif
