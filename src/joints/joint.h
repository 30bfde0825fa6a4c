/* What the joints share: the two ends, and rows of four kinds that joints are made of,
       vector rows  sum_m w_m x_m = 0                                 (three rows each)
       dot rows     x_p . x_i - x_q . x_j - value = 0                 (one row each)
       triple rows  x_i . (x_j x x_k) = 0                             (one row each)
       angle rows   angle from x_f to x_g about x_e - value = 0       (one row each; parts/hinge.h)
   on the joint's markers x_m, in this order. Dot rows are quadratic and triple rows cubic, so both
   derivatives are exact and short. */
#ifndef GOS_JOINT_H
#define GOS_JOINT_H

#include "parts/marker.h"
#include "parts/place.h"
#include "parts/vec3.h"

/* What the parameter tables of the joints fill; each type uses its own part. A type with more keys
   has a struct of its own that begins with this one. */
typedef struct gos_joint_def {
    gos_texts between;   // two places
    double at[3];        // [m]
    double axis[3];      // revolute, unit vector [-]
    double direction[3]; // of a line or normal of a plane, unit vector [-]
    double point[3];     // of a line or plane [m]
    int rigid, smooth;   // clamp, tie
    int temperature, gradients;
    gos_timefn *position[3];     // driven [m]
    gos_timefn *displacement[3]; // driven [m]
    int components;              // driven: index into its choices
    gos_timefn *angle;           // driven rotation [rad]
} gos_joint_def;

#define GOS_JOINT_BETWEEN(text)                                                                    \
    {                                                                                              \
        .name = "between", .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_REQUIRED,               \
        .offset = offsetof(gos_joint_def, between), .doc = text                                    \
    }
#define GOS_JOINT_AT                                                                               \
    {                                                                                              \
        .name = "at", .kind = GOS_K_VECTOR, .unit = "m", .shape = 3,                               \
        .offset = offsetof(gos_joint_def, at),                                                     \
        .doc = "where the joint is at t = 0, global axes; without it at the named point of a "     \
               "body (a rigid body or the ground named without a point is met there)"              \
    }
#define GOS_JOINT_AXIS(text)                                                                       \
    {                                                                                              \
        .name = "axis", .kind = GOS_K_VECTOR, .unit = "-", .shape = 3,                             \
        .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR, .offset = offsetof(gos_joint_def, axis),      \
        .doc = text                                                                                \
    }
#define GOS_JOINT_TEMPERATURE                                                                      \
    {                                                                                              \
        .name = "temperature", .kind = GOS_K_BOOL, .unit = "", .def = "false",                     \
        .offset = offsetof(gos_joint_def, temperature),                                            \
        .doc = "true: both sides have the same mean temperature there"                             \
    }
#define GOS_JOINT_GRADIENTS                                                                        \
    {                                                                                              \
        .name = "gradients", .kind = GOS_K_BOOL, .unit = "", .def = "false",                       \
        .offset = offsetof(gos_joint_def, gradients),                                              \
        .doc = "true: with `temperature`, the temperature gradients of the sections are equal too" \
    }

#define GOS_JOINT_DOTS 6

typedef struct gos_dot_row {
    int p, i, q, j; // markers; j = -1: x_p . x_i
    double value;   // [m], [-] or a product of them
} gos_dot_row;

#define GOS_JOINT_TRIPLES 2

typedef struct gos_triple_row {
    int m[3]; // markers i, j, k
} gos_triple_row;

#define GOS_JOINT_ANGLES 3

typedef struct gos_angle_row {
    int m[3];     // markers e, f, g
    double value; // angle at t = 0 [rad]
} gos_angle_row;

typedef struct gos_rows {
    int nvec;                                      // vector rows come first
    double w[GOS_ITEM_ROWS / 3][GOS_ITEM_MARKERS]; // their weights
    int ndot;
    gos_dot_row dot[GOS_JOINT_DOTS];
    int ntriple;
    gos_triple_row triple[GOS_JOINT_TRIPLES];
    int nangle;
    gos_angle_row angle[GOS_JOINT_ANGLES];
} gos_rows;

/* One end of a joint. */
typedef struct gos_end {
    gos_place place;
    gos_loc loc;      // where the model names it
    const char *text; // as the model names it
    double x[3];      // where the joint meets it at t = 0 [m]
    gos_marker m;     // the position there
    int side;         // 1 and 2 in the order of `between`
} gos_end;

/* A joint being made. */
typedef struct gos_joint {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_end end[2];
    bool edges;        // an end may be an edge of a plate
    bool sets;         // ... or each node of a set of a solid; else a set is their mean
    gos_place edge[2]; // the edges or sets whose nodes the ends are; edge = 0, each = false: none
    gos_item item;
    gos_rows rows;
    gos_sides sides;
    gos_joint_coordinate coord[GOS_JOINT_COORDINATES]; // what it leaves free, for probes
} gos_joint;

/* The item of rows; its par are gos_rows. */
extern const gos_item_type gos__joint_rows;

/** Start a joint: fill its definition (type->size bytes from def on). */
gos_status gos__joint_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                            const char *object, gos_joint *j, gos_joint_def *def);
/** Resolve both places of `between`, which must be different bodies or places. */
gos_status gos__joint_places(gos_joint *j, const gos_joint_def *def);
/** Resolve both ends, which must be at the same place at t = 0, and make their position markers. */
gos_status gos__joint_ends(gos_joint *j, const gos_joint_def *def);
/** What a joint adds at one pair of points that meet already. */
typedef gos_status (*gos_joint_node_fn)(gos_joint *j, const gos_joint_def *def);
/** A whole joint whose ends may be edges of plates or (sets) sets of nodes: all nodes of the edge
 * or set, an item for each, made of the points that meet (gos__joint_meet), what `add` adds and the
 * temperature rows. */
gos_status gos__joint_each(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, bool sets, gos_joint_node_fn add);
/** Resolve both ends, which need not meet: each at its own place, else at `at`, else where the
 * other is. */
gos_status gos__joint_apart(gos_joint *j, const gos_joint_def *def);
/** The same for joints whose points slide along the axis def->axis, from the first place: both
 * markers (0: of the second place, about which reactions count, or of the first where that is the
 * ground), and rows n . (x_B - x_A) = 0 with two normals n. */
gos_status gos__joint_on_line(gos_joint *j, const gos_joint_def *def);
/** The same in the plane with the normal def->axis: one row. */
gos_status gos__joint_on_plane(gos_joint *j, const gos_joint_def *def);
/** The axis w stays common to both sides: 2 rows from the vectors that they have (joints/axes.c); 1
 *  where an end is a cable across the axis, which is refused without `cables`. */
gos_status gos__joint_parallel(gos_joint *j, const double w[3], bool cables);
/** No turning about the axis w, which both sides have in common: 1 row. */
gos_status gos__joint_no_turn(gos_joint *j, const double w[3]);
/** A coordinate for probes: the way along w (turning with the first place) from the first point to
 * the second. */
gos_status gos__joint_slide(gos_joint *j, const char *name, const double w[3]);
/** A coordinate for probes: the angle of the second place against the first about w. Nothing is
 * added where a side does not tell it. */
gos_status gos__joint_turn(gos_joint *j, const gos_joint_def *def, const char *name,
                           const double w[3]);
/** A coordinate for probes: the angle from f to g about e, m = (e, f, g). */
void gos__joint_turn_of(gos_joint *j, const char *name, const gos_marker m[3]);
/** Add a marker of an end (j->end[end]): a position or a vector; returns its index. */
int gos__joint_marker(gos_joint *j, int end, bool point, const gos_marker *m);
/** Add the marker of direction d (global axes at t = 0) of end `side`. */
gos_status gos__joint_direction(gos_joint *j, int side, const double d[3], int *index);
/** Add the slope marker of end `side`, with its initial value. */
gos_status gos__joint_tangent(gos_joint *j, int side, int *index, double initial[3]);
/** Add the vector row wa x_ma + wb x_mb = 0. */
void gos__joint_vector(gos_joint *j, int ma, double wa, int mb, double wb);
/** Add the dot row x_p . (x_i - x_k) = value (k = -1: x_p . x_i). */
void gos__joint_dot(gos_joint *j, int p, int i, int k, double value);
/** Add the dot row x_p . x_i - x_q . x_k = 0. */
void gos__joint_dots(gos_joint *j, int p, int i, int q, int k);
/** Add the triple row x_i . (x_j x x_k) = 0. */
void gos__joint_triple(gos_joint *j, int mi, int mj, int mk);
/** Add the row that keeps the angle from marker f to marker g about marker e at its value at t =
 * 0. */
gos_status gos__joint_angle(gos_joint *j, int e, int f, int g);
/** Add both position markers (0 and 1) and x_A - x_B = 0. */
void gos__joint_meet(gos_joint *j);
/** Add equal slopes of two cables that are parallel at t = 0 (opposite directions are allowed).
 *  @return GOS_E_INPUT when they are not parallel or an end has no slope. */
gos_status gos__joint_equal_slopes(gos_joint *j);
/** Add the temperature rows that the definition asks for. */
gos_status gos__joint_temperature(gos_joint *j, const gos_joint_def *def);
/** Hand the joint of rows to the builder. */
gos_status gos__joint_add(gos_joint *j);
/** The same, the vector rows in an item of their own: they are alike in x, y and z, what the others
 * are not. */
gos_status gos__joint_add_parts(gos_joint *j);
/** Drop rows of an item made by these (joint.c knows): those r of its nc with drop[r], vector rows
 * by threes. */
gos_status gos__joint_drop(gos_builder *b, gos_item *it, const bool *drop);
/** Hand the item of a joint that evaluates itself to the builder; name, place and sides are filled
 * in. */
gos_status gos__joint_add_item(gos_joint *j);

#endif
