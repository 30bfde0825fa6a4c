/* Common code of joints: the two ends and four kinds of rows
       vector rows  sum_m w_m x_m = 0                                 (three rows each)
       dot rows     x_p . x_i - x_q . x_j - value = 0                 (one row each)
       triple rows  x_i . (x_j x x_k) = 0                             (one row each)
       angle rows   angle from x_f to x_g about x_e - value = 0       (one row each; parts/hinge.h)
   on the joint's markers x_m, in this order. Dot rows are quadratic and triple rows cubic, so both
   derivatives are exact. */
#ifndef GOS_JOINT_H
#define GOS_JOINT_H

#include "parts/location.h"
#include "math/vec3.h"

/* Filled from parameter tables. Types with more keys embed it first. */
typedef struct gos_joint_def {
    gos_texts between;   // two attachment points
    double at[3];        // [m]
    double axis[3];      // axis, unit vector [-]
    double direction[3]; // of a line or normal of a plane, unit vector [-]
    double point[3];     // [m]
    int rigid, smooth;
    int temperature, gradients;
    gos_timefn *position[3];     // [m]
    gos_timefn *displacement[3]; // [m]
    int components;              // index of the option
    double direction2[3];        // of component y
    gos_timefn *angle;           // [rad]
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
        .doc = "location of the joint at t = 0, global axes; default: the listed point of a body " \
               "(a rigid body or the ground listed without a point joins there)"                   \
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
        .doc = "true: equal mean temperatures of both sides at the joint"                          \
    }
#define GOS_JOINT_GRADIENTS                                                                        \
    {                                                                                              \
        .name = "gradients", .kind = GOS_K_BOOL, .unit = "", .def = "false",                       \
        .offset = offsetof(gos_joint_def, gradients),                                              \
        .doc = "true: with `temperature`, equal temperature gradients of the sections too"         \
    }

#define GOS_JOINT_DOTS 6

typedef struct gos_dot_row {
    int p, i, q, j; // j = -1: x_p . x_i
    double value;   // [m], [-] or their product
} gos_dot_row;

#define GOS_JOINT_TRIPLES 2

typedef struct gos_triple_row {
    int m[3];
} gos_triple_row;

#define GOS_JOINT_ANGLES 3

typedef struct gos_angle_row {
    int m[3];
    double value; // angle at t = 0 [rad]
} gos_angle_row;

typedef struct gos_rows {
    int nvec;
    double w[GOS_ITEM_ROWS / 3][GOS_ITEM_MARKERS]; // weights
    int ndot;
    gos_dot_row dot[GOS_JOINT_DOTS];
    int ntriple;
    gos_triple_row triple[GOS_JOINT_TRIPLES];
    int nangle;
    gos_angle_row angle[GOS_JOINT_ANGLES];
} gos_rows;

typedef struct gos_end {
    gos_location location;
    gos_loc loc;
    const char *text; // as written in the model
    double x[3];      // position at t = 0 [m]
    gos_marker m;
    int side; // 1 and 2 in the order of `between`
} gos_end;

typedef struct gos_joint {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_end end[2];
    bool edges; // an end may be a plate edge
    bool sets;  // ... or all nodes of a solid's set; else a set means its average
    // edges or sets whose nodes are the ends; edge = 0 and each = false: none
    gos_location edge[2];
    gos_item item;
    gos_rows rows;
    gos_sides sides;
    gos_joint_coordinate coord[GOS_JOINT_COORDINATES]; // free coordinates, for probes
} gos_joint;

/* Item type made of rows; par is a gos_rows. */
extern const gos_item_type gos__joint_rows;

/** Start a joint and fill its definition (type->size bytes from def on). */
gos_status gos__joint_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                            const char *object, gos_joint *j, gos_joint_def *def);
gos_status gos__joint_locations(gos_joint *j, const gos_joint_def *def);
/** Resolve both ends, which must coincide at t = 0, with position markers. */
gos_status gos__joint_ends(gos_joint *j, const gos_joint_def *def);
/** Adds rows at one pair of coincident points. */
typedef gos_status (*gos_joint_node_fn)(gos_joint *j, const gos_joint_def *def);
/** Build a joint whose ends may be plate edges or (with `sets`) node sets: per node pair one item
 * with coincident points (gos__joint_meet), the rows of `add` and temperature rows. */
gos_status gos__joint_each(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, bool sets, gos_joint_node_fn add);
/** Resolve both ends, which need not coincide: own point, else `at`, else the other end. */
gos_status gos__joint_apart(gos_joint *j, const gos_joint_def *def);
/** Resolve ends that slide along def->axis fixed in the first side. Adds both markers (0: of the
 * second side, or of the first if the second is the ground; reactions refer to it) and rows n .
 * (x_B - x_A) = 0 for two normals n. */
gos_status gos__joint_on_line(gos_joint *j, const gos_joint_def *def);
/** As gos__joint_on_line, in the plane with normal def->axis: one row. */
gos_status gos__joint_on_plane(gos_joint *j, const gos_joint_def *def);
/** Common axis w: 2 rows (joints/axes.c); 1 for a cable normal to it, an error unless `cables`. */
gos_status gos__joint_parallel(gos_joint *j, const double w[3], bool cables);
/** No rotation about the common axis w: 1 row. */
gos_status gos__joint_no_turn(gos_joint *j, const double w[3]);
/** Probe coordinate: distance from the first to the second point along w fixed in the first
 * side. */
gos_status gos__joint_slide(gos_joint *j, const char *name, const double w[3]);
/** Probe coordinate: angle of the second side to the first about w, if both define it. */
gos_status gos__joint_turn(gos_joint *j, const gos_joint_def *def, const char *name,
                           const double w[3]);
/** Probe coordinate: angle from f to g about e. */
void gos__joint_turn_of(gos_joint *j, const char *name, const gos_marker m[3]);
/** Add a marker of j->end[end]; returns its index. */
int gos__joint_marker(gos_joint *j, int end, bool point, const gos_marker *m);
/** Add the marker of direction d (global axes at t = 0) of end `side`. */
gos_status gos__joint_direction(gos_joint *j, int side, const double d[3], int *index);
/** Add the slope marker of end `side`, with its initial value. */
gos_status gos__joint_tangent(gos_joint *j, int side, int *index, double initial[3]);
void gos__joint_vector(gos_joint *j, int ma, double wa, int mb, double wb);
/** Add the dot row x_p . (x_i - x_k) = value (k = -1: x_p . x_i). */
void gos__joint_dot(gos_joint *j, int p, int i, int k, double value);
/** Add the dot row x_p . x_i - x_q . x_k = 0. */
void gos__joint_dots(gos_joint *j, int p, int i, int q, int k);
/** Add the triple row x_i . (x_j x x_k) = 0. */
void gos__joint_triple(gos_joint *j, int mi, int mj, int mk);
/** Fix the angle from f to g about e at its initial value. */
gos_status gos__joint_angle(gos_joint *j, int e, int f, int g);
/** Add both position markers (0 and 1) and x_A - x_B = 0. */
void gos__joint_meet(gos_joint *j);
/** Equal slopes of two cables parallel at t = 0 (also opposite).
 * @return GOS_E_INPUT if they are not parallel or an end has no slope. */
gos_status gos__joint_equal_slopes(gos_joint *j);
/** Add the temperature rows that the definition requires. */
gos_status gos__joint_temperature(gos_joint *j, const gos_joint_def *def);
gos_status gos__joint_add(gos_joint *j);
/** As gos__joint_add, with vector rows in a separate item (same form in x, y and z). */
gos_status gos__joint_add_parts(gos_joint *j);
/** Drop rows r with drop[r] of such an item; vector rows in groups of three. */
gos_status gos__joint_drop(gos_builder *b, gos_item *it, const bool *drop);
/** Add an item with its own evaluation; sets name, location and sides. */
gos_status gos__joint_add_item(gos_joint *j);

#endif
