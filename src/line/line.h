/* Shared by line bodies (cable, beam): initial axis, attachment points, local z. */
#ifndef GOS_LINE_H
#define GOS_LINE_H

#include "bodies/body.h"
#include "parts/taper.h"
#include "parts/body.h"
#include "parts/builder.h"
#include "parts/spread.h"

typedef struct gos_line_def {
    const char *material, *section;
    double from[3], to[3], arc[3], normal[3]; // [m], [-]
    const gos_node *through;                  // intermediate points [m]
    double slack;                             // of a slack body [m], or 0
    gos_texts taper;                          // further sections
    gos_numbers taper_at;                     // their positions [m]
    int elements;
    int temperature; // 0 auto, 1 on, 2 off
} gos_line_def;

/* Rows of parameter tables; the struct has a gos_line_def `line`. */
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
        GOS_LINE_POINT(st, from,                                                                   \
                       "start of the initial axis, which is straight unless `through`, `arc` "     \
                       "or `length` is given"),                                                    \
        GOS_LINE_POINT(st, to, "end of the initial axis"),                                         \
        {.name = "through",                                                                        \
         .kind = GOS_K_NODE,                                                                       \
         .unit = "m",                                                                              \
         .offset = offsetof(st, line.through),                                                     \
         .doc = "stress-free curved axis: intermediate points between from and to, [[x,"           \
                " y, z], ...], joined by a smooth curve (cubic spline)"},                          \
        {.name = "arc",                                                                            \
         .kind = GOS_K_VECTOR,                                                                     \
         .unit = "m",                                                                              \
         .shape = 3,                                                                               \
         .offset = offsetof(st, line.arc),                                                         \
         .doc = "stress-free curved axis: circular arc from `from` through this point "            \
                "to `to`"},                                                                        \
        {.name = "length",                                                                         \
         .kind = GOS_K_NUMBER,                                                                     \
         .unit = "m",                                                                              \
         .lo = 0.0,                                                                                \
         .hi = HUGE_VAL,                                                                           \
         .flags = GOS_P_LO_OPEN,                                                                   \
         .offset = offsetof(st, line.slack),                                                       \
         .doc = "slack body, stress-free when straight: its length, more than the "                \
                "distance of its ends; initial shape is the catenary under gravity"},              \
        {.name = "taper",                                                                          \
         .kind = GOS_K_NAMES,                                                                      \
         .unit = "",                                                                               \
         .offset = offsetof(st, line.taper),                                                       \
         .doc = "sections further along the axis, after `section` at the start; sizes "            \
                "(sides, radii; for general sections the roots of area and moments) "              \
                "vary linearly between them"},                                                     \
        {.name = "taper_at",                                                                       \
         .kind = GOS_K_NUMBERS,                                                                    \
         .unit = "m",                                                                              \
         .lo = 0.0,                                                                                \
         .hi = HUGE_VAL,                                                                           \
         .flags = GOS_P_LO_OPEN,                                                                   \
         .offset = offsetof(st, line.taper_at),                                                    \
         .doc = "arc lengths from the start of the sections of `taper`; default: "                 \
                "equally spaced, the last at the end"},                                            \
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

typedef enum gos_line_shape {
    GOS_LINE_STRAIGHT,
    GOS_LINE_CURVED, // stress-free curve
    GOS_LINE_HANGING // stress-free when straight
} gos_line_shape;

/* Axis at t = 0, equal arc lengths between nodes. */
typedef struct gos_line {
    gos_line_shape shape;
    double length;  // arc length [m]
    double spacing; // between nodes [m]
    int last;       // index of the last node
    double (*x)[3]; // nodes (last + 1) [m]
    double (*t)[3]; // unit tangents
    double (*v)[3]; // local z, carried along by minimal rotations
} gos_line;

/** Makes the axis with last + 1 nodes, and local z: `normal` made orthonormal to it at the start;
 * zero: normal to the plane of a curve, for a straight axis e3, or e2 within 20 degrees of e3.
 * @return GOS_E_INPUT if it has no length or an undefined shape. */
gos_status gos__line_make(gos_builder *b, const gos_node *entry, const char *object,
                          const gos_line_def *def, int last, gos_line *line);
/** Sections along a line, none (n = 0) if uniform. @return GOS_E_INPUT if unknown or not
 * interpolable. */
gos_status gos__line_taper(gos_builder *b, const gos_node *entry, const char *object,
                           const gos_line_def *def, const gos_line *line, gos_taper *taper);
/** gos_body_ops.locate: start, end, node(i), at(s), faces. Between nodes of a non-straight axis the
 * body must set x. */
gos_status gos__line_locate(gos_ctx *ctx, const gos_body *b, const gos_line *line, const char *ref,
                            gos_loc loc, const char *object, gos_location *p);

/** Integrals over element e of cap_f N_i N_j, cap_f N_i' N_j', cond_fq N_i N_j; i, j: nodes, f, q:
 * families. */
typedef void gos_line_heat_fn(const gos_body *body, int e, const int node[2], const int family[2],
                              double sum[3]);
/** Adds capacity and conduction of ne elements with `nodes` temperature nodes each; neighbours
 * share one. */
gos_status gos__line_add_heat(gos_builder *b, const gos_body *body, int ne, int nodes,
                              gos_line_heat_fn *integrals);

/* Smooth fields P_k(2x/l - 1) of line bodies (theory 8). */
#define GOS_LINE_FIELDS 60 // limit of the quadrature

/** @return GOS_E_LIMIT with a message if n is too large. */
gos_status gos__line_check(gos_ctx *ctx, const gos_body *b, int n);
/** P_0 .. P_(n-1) and x-derivatives at x; d and dd may be NULL. */
void gos__line_polynomials(const gos_body *b, int n, double x, double *P, double *d, double *dd);
/** Of f->nt polynomials (theory 2.1): int P_i P_j is diagonal, int P_i' P_j' is not. */
void gos__line_thermal(const gos_body *b, gos_body_fields *f);

/* Surface of line bodies for distributed loads. */
typedef struct gos_line_station {
    gos_marker x;     // centre of the section
    gos_marker slope; // by its stress-free length
    gos_marker d[2];  // along local y and z
    bool directed;    // false: from slope and reference vector
    double length;    // stress-free over nominal length [-]
} gos_line_station;

typedef gos_status gos_line_station_fn(gos_arena *a, const gos_body *body, const gos_location *p,
                                       gos_line_station *at);

/** gos_body_ops.spread for ne equal elements: outline, face or end. free: neither directors nor a
 * reference vector. */
gos_status gos__line_spread(gos_builder *b, const gos_body *body, const gos_location *p, int ne,
                            bool free, gos_line_station_fn *station, const gos_spread_to *to);

#endif
