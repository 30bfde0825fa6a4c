/* What straight line bodies (cable, beam) share: their axis, places on it, the local z axis. */
#ifndef GOS_LINE_H
#define GOS_LINE_H

#include "bodies/body.h"

/* What the parameter tables of line bodies fill. */
typedef struct gos_line_def {
    const char *material, *section;
    double from[3], to[3], normal[3]; // [m], [m], [-]
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
        GOS_LINE_POINT(st, from, "start of the straight initial axis"),                            \
        GOS_LINE_POINT(st, to, "its end"),                                                         \
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

/* The straight axis at t = 0, with equidistant nodes. */
typedef struct gos_line {
    double from[3], tangent[3]; // start [m], unit direction [-]
    double length;              // [m]
    double spacing;             // of nodes [m]
    int last;                   // index of the last node
} gos_line;

/** The axis between two points; @return GOS_E_INPUT when they are one. */
gos_status gos__line_make(gos_builder *b, const gos_node *entry, const char *object,
                          const double from[3], const double to[3], int last, gos_line *line);
/** gos_body_ops.locate: start, end, node(i), at(s) and the faces of the section. */
gos_status gos__line_locate(gos_ctx *ctx, const gos_body *b, const gos_line *line, const char *ref,
                            gos_loc loc, const char *object, gos_place *p);
/** Local z: `normal` made unit and square to the axis; for zero e3, or e2 where the axis is within
 *  20 degrees of e3. */
gos_status gos__line_normal(gos_builder *b, const gos_line *line, const double normal[3],
                            gos_loc loc, const char *object, double v[3]);

#endif
