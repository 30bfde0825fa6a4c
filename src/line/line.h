/* What line bodies (cable, beam) share: their initial axis, places on it, the local z axis along
 * it. */
#ifndef GOS_LINE_H
#define GOS_LINE_H

#include "bodies/body.h"
#include "parts/taper.h"

/* What the parameter tables of line bodies fill. */
typedef struct gos_line_def {
    const char *material, *section;
    double from[3], to[3], arc[3], normal[3]; // [m], [-]
    const gos_node *through;                  // points [m]
    double slack;                             // length of a hanging one [m], 0: not given
    gos_texts taper;                          // sections further along the axis
    gos_numbers taper_at;                     // where they are [m]
    int elements;
    int temperature; // 0 auto, 1 on, 2 off
} gos_line_def;

/* Their common entries; the struct that the table fills has a gos_line_def `line`. */
#define GOS_LINE_POINT(st, member, text)                                                           \
    {                                                                                              \
        .name = #member, .kind = GOS_K_VECTOR, .unit = "m", .shape = 3, .flags = GOS_P_REQUIRED,   \
        .offset = offsetof(st, line.member), .doc = text                                           \
    }
#define GOS_LINE_PARAMS(st, number, elements_text, normal_text)                                    \
    GOS_BODY_MATERIAL(st, line.material),                                                          \
        {.name = "section",                                                                        \
         .kind = GOS_K_NAME,                                                                       \
         .unit = "",                                                                               \
         .flags = GOS_P_REQUIRED,                                                                  \
         .offset = offsetof(st, line.section),                                                     \
         .choices = "sections",                                                                    \
         .doc = "cross-section"},                                                                  \
        GOS_LINE_POINT(                                                                            \
            st, from,                                                                              \
            "start of the initial axis, which is straight without `through`, `arc` or `length`"),  \
        GOS_LINE_POINT(st, to, "its end"),                                                         \
        {.name = "through",                                                                        \
         .kind = GOS_K_NODE,                                                                       \
         .unit = "m",                                                                              \
         .offset = offsetof(st, line.through),                                                     \
         .doc = "curved axis, free of stress as it is: the points between from and to, [[x, y, "   \
                "z], ...], that a smooth curve (a cubic spline) runs through"},                    \
        {.name = "arc",                                                                            \
         .kind = GOS_K_VECTOR,                                                                     \
         .unit = "m",                                                                              \
         .shape = 3,                                                                               \
         .offset = offsetof(st, line.arc),                                                         \
         .doc = "curved axis, free of stress as it is: the arc of the circle from `from` through " \
                "this point to `to`"},                                                             \
        {.name = "length",                                                                         \
         .kind = GOS_K_NUMBER,                                                                     \
         .unit = "m",                                                                              \
         .lo = 0.0,                                                                                \
         .hi = HUGE_VAL,                                                                           \
         .flags = GOS_P_LO_OPEN,                                                                   \
         .offset = offsetof(st, line.slack),                                                       \
         .doc = "slack body, free of stress when straight: its length, more than the distance of " \
                "its ends; it begins as the catenary that hangs between them under gravity"},      \
        {.name = "taper",                                                                          \
         .kind = GOS_K_NAMES,                                                                      \
         .unit = "",                                                                               \
         .offset = offsetof(st, line.taper),                                                       \
         .doc = "sections further along the axis, which begins with `section`: sizes (sides, "     \
                "radii; of a general section roots of area and moments) are linear between them"}, \
        {.name = "taper_at",                                                                       \
         .kind = GOS_K_NUMBERS,                                                                    \
         .unit = "m",                                                                              \
         .lo = 0.0,                                                                                \
         .hi = HUGE_VAL,                                                                           \
         .flags = GOS_P_LO_OPEN,                                                                   \
         .offset = offsetof(st, line.taper_at),                                                    \
         .doc = "arc lengths from the start where the sections of `taper` are; without it they "   \
                "are equally far apart, the last at the end"},                                     \
        {.name = "elements",                                                                       \
         .kind = GOS_K_INT,                                                                        \
         .unit = "",                                                                               \
         .lo = 1,                                                                                  \
         .hi = GOS_LIMIT_ELEMENTS,                                                                 \
         .def = number,                                                                            \
         .offset = offsetof(st, line.elements),                                                    \
         .doc = elements_text},                                                                    \
    {                                                                                              \
        .name = "normal", .kind = GOS_K_VECTOR, .unit = "-", .shape = 3, .def = "[0, 0, 0]",       \
        .offset = offsetof(st, line.normal), .doc = normal_text                                    \
    }

/* What the axis is at t = 0. */
typedef enum gos_line_shape {
    GOS_LINE_STRAIGHT,
    GOS_LINE_CURVED, // a curve that is free of stress
    GOS_LINE_HANGING // a catenary; free of stress when straight
} gos_line_shape;

/* The axis at t = 0, with nodes at equal arc lengths. */
typedef struct gos_line {
    gos_line_shape shape;
    double length;  // arc length [m]
    double spacing; // of nodes [m]
    int last;       // index of the last node
    double (*x)[3]; // nodes (last + 1) [m]
    double (*t)[3]; // unit tangents there
    double (*v)[3]; // local z there: the start's, turned along by the smallest rotations
} gos_line;

/** The axis of a definition with last + 1 nodes, and local z along it: `normal` made unit and
 * square to the axis at the start; for zero the normal of the plane of a curve, for a straight axis
 * e3, or e2 where it is within 20 degrees of e3. @return GOS_E_INPUT when it has no length, or its
 * shape is not defined. */
gos_status gos__line_make(gos_builder *b, const gos_node *entry, const char *object,
                          const gos_line_def *def, int last, gos_line *line);
/** The sections of a definition along a line: none (n = 0) where it is the same everywhere.
 *  @return GOS_E_INPUT when one is unknown, or nothing stands between two of them. */
gos_status gos__line_taper(gos_builder *b, const gos_node *entry, const char *object,
                           const gos_line_def *def, const gos_line *line, gos_taper *taper);
/** gos_body_ops.locate: start, end, node(i), at(s) and the faces of the section. Between the nodes
 * of an axis that is not straight x is left to the body, which interpolates there. */
gos_status gos__line_locate(gos_ctx *ctx, const gos_body *b, const gos_line *line, const char *ref,
                            gos_loc loc, const char *object, gos_place *p);

/** sum[3]: integrals over element e of cap_f N_i N_j, cap_f N_i' N_j' and cond_fq N_i N_j, with i,
 * j its nodes and f, q their temperature families. */
typedef void gos_line_heat_fn(const gos_body *body, int e, const int node[2], const int family[2],
                              double sum[3]);
/** Capacity and conduction of ne elements with `nodes` temperature nodes each, of which neighbours
 * share one. */
gos_status gos__line_add_heat(gos_builder *b, const gos_body *body, int ne, int nodes,
                              gos_line_heat_fn *integrals);

#endif
