/* What forces and moments share: places that they act on, time functions, the axes of their
 * components. */
#ifndef GOS_LOAD_H
#define GOS_LOAD_H

#include "parts/marker.h"
#include "parts/place.h"
#include "parts/vec3.h"

typedef struct gos_load_def {
    gos_texts on;         // places
    gos_timefn *value[3]; // [N] or [N m]
    const char *frame;    // "global", "body" or the name of a body
} gos_load_def;

/* Axes of the components. */
typedef enum gos_load_frame {
    GOS_LOAD_GLOBAL,
    GOS_LOAD_BODY, // those of the place that the load acts on
    GOS_LOAD_NAMED // those of a body that `frame` names
} gos_load_frame;

typedef struct gos_load_axes {
    gos_load_frame frame;
    gos_marker axis[3]; // GOS_LOAD_NAMED
} gos_load_axes;

#define GOS_LOAD_ON(text)                                                                          \
    {                                                                                              \
        .name = "on", .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_REQUIRED,                    \
        .offset = offsetof(gos_load_def, on), .doc = text                                          \
    }
#define GOS_LOAD_VALUE(key, u, text)                                                               \
    {                                                                                              \
        .name = key, .kind = GOS_K_TIMEFNS, .unit = u, .shape = 3, .lo = -HUGE_VAL,                \
        .hi = HUGE_VAL, .flags = GOS_P_REQUIRED | GOS_P_PROBES,                                    \
        .offset = offsetof(gos_load_def, value), .doc = text                                       \
    }
#define GOS_LOAD_FRAME                                                                             \
    {                                                                                              \
        .name = "frame", .kind = GOS_K_NAME, .unit = "", .def = "global",                          \
        .choices = "bodies|global|body", .offset = offsetof(gos_load_def, frame),                  \
        .doc = "axes of the components: global (dead load), body (they turn with it: the axes "    \
               "of a rigid body; tangent, local y and local z of a cable; section normal, local "  \
               "y and z of a beam), or the name of a rigid body whose axes they are, wherever "    \
               "the load acts; that body feels nothing of it"                                      \
    }

/* the amounts of a load that is a vector */
#define GOS_LOAD_AMOUNTS(u)                                                                        \
    {                                                                                              \
        {.fn = 0, .component = "x", .unit = u, .kind = GOS_AMOUNT_FORCE},                          \
            {.fn = 1, .component = "y", .unit = u, .kind = GOS_AMOUNT_FORCE}, {                    \
            .fn = 2, .component = "z", .unit = u, .kind = GOS_AMOUNT_FORCE                         \
        }                                                                                          \
    }

/* How a load acts on a place. */
typedef enum gos_load_kind {
    GOS_LOAD_SPACE,   // components in global axes
    GOS_LOAD_AXES,    // in the axes of a rigid body, this one or another
    GOS_LOAD_SECTION, // in the section frame of a cable
    GOS_LOAD_VECTORS  // in the axes n, d2, d3 of section vectors
} gos_load_kind;

/** One place of a load: its markers go into the item, `kind` says how to evaluate it. */
typedef gos_status (*gos_load_place_fn)(gos_builder *b, const gos_place *p, gos_loc loc,
                                        const char *object, const gos_load_axes *axes,
                                        gos_item *item);
/** Build a load: fill, register the functions, then an item for each place by `add`, with three
 * amounts in the unit of their components. */
gos_status gos__load_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, const gos_amount amount[3], gos_load_place_fn add);

/** Slope marker and reference vector of a cable's place, whose section frame must be regular at t =
 * 0 (the reference vector not along the cable). */
gos_status gos__load_section(gos_builder *b, const gos_place *p, gos_loc loc, const char *object,
                             gos_marker *slope, double v[3]);
/** Section frame d[0] = t, d[1] = d2, d[2] = d3 of the slope p and the reference vector v, and the
 *  derivatives D[i] = d d_i / d p (3x3). @return false where p is zero or along v; d, D are zero
 * then. Theory guide 2.2 (A). */
bool gos__section_frame(const double p[3], const double v[3], double d[3][3], double D[3][9]);
/* A section given by two vectors a, b (theory guide 2.7). */
typedef struct gos_vectors {
    double n[3], A[3], B[3], inverse; // normal, vectors dual to a and b, 1/|a x b|
    double d[3][3];                   // n, a/|a|, b/|b|
    double D[3][2][9];                // their derivatives by a and b
} gos_vectors;

/** All of it from a and b. @return false where they are parallel or zero; the rest is zero then. */
bool gos__vectors_frame(const double a[3], const double b[3], gos_vectors *f);
/** Markers of a and b at a place of a body with section vectors. */
gos_status gos__load_vectors(gos_builder *b, const gos_place *p, gos_marker m[2]);

#endif
