/* Parameters and functions shared by floating bodies. */
#ifndef GOS_FLOATING_DEF_H
#define GOS_FLOATING_DEF_H

#include "floating/floating.h"
#include "floating/floating_reduce.h"
#include "fe/beam_frame.h"

typedef struct gos_floating_def {
    int coupling;  // 0: zeroth, 1: first order
    int reference; // gos_flex_condition
    int rotary;    // 0: no, 1: yes, 2: automatic
    // 0: first order, 1: whole, 2: whole where the frame's mass needs it
    int shortening;
    double zeta, rayleigh[2];
    const gos_node *masses, *reduce;
    gos_floating_start start;
} gos_floating_def;

/* Rows; the struct has a gos_floating_def at `at`. */
#define GOS_FLOATING_VECTOR(at_, key, unit_, doc_)                                                 \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = unit_, .shape = 3, .def = "[0, 0, 0]",         \
        .offset = (at_) + offsetof(gos_floating_def, start.key), .doc = doc_                       \
    }
#define GOS_FLOATING_COUPLING(at_)                                                                 \
    {                                                                                              \
        .name = "coupling", .kind = GOS_K_CHOICE, .unit = "", .def = "first",                      \
        .choices = "zeroth=0|first=1", .offset = (at_) + offsetof(gos_floating_def, coupling),     \
        .doc = "first: axial forces of any origin, and moments, shear forces and torques of "      \
               "joints and loads stiffen or soften its beams, by second-order displacements and "  \
               "rotations; zeroth: no such stiffening; valid for rates and forces far below the "  \
               "first frequency and the buckling load"                                             \
    }
#define GOS_FLOATING_MASSES(at_)                                                                   \
    {                                                                                              \
        .name = "masses", .kind = GOS_K_NODE, .unit = "",                                          \
        .offset = (at_) + offsetof(gos_floating_def, masses),                                      \
        .doc = "rigid masses at nodes, [{at: PLACE, mass: [kg], inertia: [Ixx, Iyy, Izz]}, ...], " \
               "PLACE without the body's name, inertia about the body axes (default 0)"            \
    }
#define GOS_FLOATING_REFERENCE(at_, def_, doc_)                                                    \
    {                                                                                              \
        .name = "reference", .kind = GOS_K_CHOICE, .unit = "", .def = def_,                        \
        .choices = "clamped|chord|mean_axis",                                                      \
        .offset = (at_) + offsetof(gos_floating_def, reference), .doc = doc_                       \
    }
#define GOS_FLOATING_ROTARY(at_)                                                                   \
    {                                                                                              \
        .name = "rotary_inertia", .kind = GOS_K_CHOICE, .unit = "", .def = "auto",                 \
        .choices = "false=0|true=1|auto=2", .offset = (at_) + offsetof(gos_floating_def, rotary),  \
        .doc = "rotary inertia of the sections in bending; that about the beam axis is always "    \
               "included. auto: where it lowers the first pinned-pinned frequency by more than "   \
               "0.05 %, with a largest radius of gyration above 1/99 of the body's extent"         \
    }
#define GOS_FLOATING_SHORTENING(at_)                                                               \
    {                                                                                              \
        .name = "shortening_inertia", .kind = GOS_K_CHOICE, .unit = "", .def = "auto",             \
        .choices = "first=0|whole=1|auto=2",                                                       \
        .offset = (at_) + offsetof(gos_floating_def, shortening),                                  \
        .doc = "inertia of the shortening by bending, with `coupling: first`. first: only its "    \
               "coupling with the motion of the frame; whole: all of it, which keeps the mass "    \
               "positive for light links on hinges, at a higher cost for beams of many elements. " \
               "auto: whole where a joint other than a clamp is on the body, up to 40 elements. "  \
               "Reduced bodies use first"                                                          \
    }
#define GOS_FLOATING_DAMPING(at_)                                                                  \
    {.name = "zeta",                                                                               \
     .kind = GOS_K_NUMBER,                                                                         \
     .unit = "-",                                                                                  \
     .lo = 0,                                                                                      \
     .hi = 10,                                                                                     \
     .def = "0",                                                                                   \
     .offset = (at_) + offsetof(gos_floating_def, zeta),                                           \
     .doc = "damping ratio of every mode of the body with fixed frame, in addition to `rayleigh` " \
            "and other damping; for large bodies, of every mode of the reduced body"},             \
    {                                                                                              \
        .name = "rayleigh", .kind = GOS_K_VECTOR, .unit = "1/s, s", .shape = 2, .lo = 0,           \
        .hi = HUGE_VAL, .def = "[0, 0]", .offset = (at_) + offsetof(gos_floating_def, rayleigh),   \
        .doc = "[a, b]: damping a M + b K of the deformation, not of the motion of the frame"      \
    }
#define GOS_FLOATING_REDUCE(at_)                                                                   \
    {                                                                                              \
        .name = "reduce", .kind = GOS_K_NODE, .unit = "",                                          \
        .offset = (at_) + offsetof(gos_floating_def, reduce),                                      \
        .doc = "reduction in runs with --reduced, {method: NAME, ...}, with the keys of a linear " \
               "reduction method, which computes the basis of the amplitudes. Also `inputs`, "     \
               "`outputs`, `static` and `state`, loads of the body (docs/reduction.md). Default: " \
               "method auto, to 1e-3"                                                              \
    }

/** Along axis[0]; local y, z of its section are axis[1], axis[2]. */
gos_fe_beam gos__floating_element(const gos_material *mat, const gos_section *sec, int a, int b,
                                  const double axis[3][3]);
/** Read `masses` into frame->mass. */
gos_status gos__floating_masses(gos_builder *b, const gos_floating_def *def,
                                const gos_floating_names *names, const char *object,
                                gos_fe_frame *frame);
/** Whether a location, or one of a list, is on "body 'NAME'". */
bool gos__floating_is_on(const char *object, const gos_node *location);
/** Assemble the body in its frame, with the reference condition at nodes a and b. *flex may need
 * destruction also after a failure. */
gos_status gos__floating_make(gos_builder *b, const gos_floating_def *def, const char *object,
                              gos_fe_frame *frame, int node_a, int node_b, gos_flex **flex);
/** After amplitudes have been removed: checks, damping, reduction. */
gos_status gos__floating_finish(gos_builder *b, const gos_node *entry, const char *object,
                                const gos_floating_def *def, const gos_floating_names *names,
                                gos_flex **flex);

/* For bodies whose data begin with their gos_floating_body: a location is a node or, after them,
   the frame. */
gos_status gos__floating_node_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                       gos_marker *m);
gos_status gos__floating_node_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                        const double d[3], gos_marker *m);
/** Body of a location, during construction. */
gos_floating_body *gos__floating_of(const gos_body *b);

#endif
