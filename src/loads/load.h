/* Common code of forces and moments. */
#ifndef GOS_LOAD_H
#define GOS_LOAD_H

#include "parts/location.h"
#include "math/vec3.h"

typedef struct gos_load_def {
    gos_texts on;         // attachment points
    gos_timefn *value[3]; // [N] or [N m]
    const char *frame;
} gos_load_def;

typedef enum gos_load_frame {
    GOS_LOAD_GLOBAL,
    GOS_LOAD_BODY, // axes of the loaded point
    GOS_LOAD_NAMED // axes of the body given in `frame`
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
        .doc = "axes of the components: global (dead load); body (follower load: axes of a rigid " \
               "body; tangent, local y and local z of a cable; section normal, local y and z of "  \
               "a beam); or the name of a rigid body that supplies the axes, on which the load "   \
               "does not act"                                                                      \
    }

/* inputs of a vector load */
#define GOS_LOAD_INPUTS(u)                                                                         \
    {                                                                                              \
        {.fn = 0, .component = "x", .unit = u, .kind = GOS_INPUT_FORCE},                           \
            {.fn = 1, .component = "y", .unit = u, .kind = GOS_INPUT_FORCE}, {                     \
            .fn = 2, .component = "z", .unit = u, .kind = GOS_INPUT_FORCE                          \
        }                                                                                          \
    }

typedef enum gos_load_kind {
    GOS_LOAD_SPACE,   // global axes
    GOS_LOAD_AXES,    // axes of this or another rigid body
    GOS_LOAD_SECTION, // section frame of a cable
    GOS_LOAD_VECTORS  // axes n, d2, d3 of section vectors
} gos_load_kind;

/** Adds the markers of one loaded point to the item. */
typedef gos_status (*gos_load_location_fn)(gos_builder *b, const gos_location *p, gos_loc loc,
                                           const char *object, const gos_load_axes *axes,
                                           gos_item *item);
/** Build a load: one item per point with `add`; `input` describes its inputs. */
gos_status gos__load_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, const gos_input_def input[3],
                           gos_load_location_fn add);

/** Slope marker and reference vector of a cable point; the section frame must be regular at t =
 * 0. */
gos_status gos__load_section(gos_builder *b, const gos_location *p, gos_loc loc, const char *object,
                             gos_marker *slope, double v[3]);
/** Section frame d = (t, d2, d3) of slope p and reference vector v, with D[i] = d d_i / dp (3x3).
 * Theory guide 2.2 (A).
 * @return false if p is zero or parallel to v; d and D are then zero. */
bool gos__section_frame(const double p[3], const double v[3], double d[3][3], double D[3][9]);
/* Section frame from two vectors a, b (theory guide 2.7). */
typedef struct gos_vectors {
    double n[3], A[3], B[3], inverse; // normal, dual vectors, 1/|a x b|
    double d[3][3];                   // n, a/|a|, b/|b|
    double D[3][2][9];                // derivatives of d with respect to a and b
} gos_vectors;

/** Fill f from a and b.
 * @return false, with f zero, if they are parallel or zero. */
bool gos__vectors_frame(const double a[3], const double b[3], gos_vectors *f);
gos_status gos__load_vectors(gos_builder *b, const gos_location *p, gos_marker m[2]);

#endif
