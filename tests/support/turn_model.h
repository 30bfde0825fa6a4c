/* A model file turned about the origin and written in other units of length and mass, by program:
   every vector in space and every number with such a unit is replaced by an expression of what was
   there. */
#ifndef GOS_TEST_TURN_MODEL_H
#define GOS_TEST_TURN_MODEL_H

#include "model/model.h"
#include "support/verify.h"

enum { TURN_TEXT = 2000, TURN_CHANGES = 400 };

typedef enum turn_kind {
    TURN_NUMBER, // or numbers that stay in the axes of a body
    TURN_VECTOR, // in space
    TURN_POINTS, // a list of them
    TURN_PLACES  // texts with lengths in parentheses
} turn_kind;

/* what a key of a section holds: powers of length and mass in its unit */
typedef struct turn_key {
    const char *section, *key;
    turn_kind kind;
    int length, mass;
} turn_key;

static const turn_key turn_keys[] = {
    {"materials", "density", TURN_NUMBER, -3, 1},
    {"materials", "young", TURN_NUMBER, -1, 1},
    {"materials", "conductivity", TURN_NUMBER, 1, 1},
    {"materials", "specific_heat", TURN_NUMBER, 2, 0},
    {"meshes", "size", TURN_NUMBER, 1, 0},
    {"sections", "height", TURN_NUMBER, 1, 0},
    {"sections", "width", TURN_NUMBER, 1, 0},
    {"sections", "diameter", TURN_NUMBER, 1, 0},
    {"sections", "outer_diameter", TURN_NUMBER, 1, 0},
    {"sections", "inner_diameter", TURN_NUMBER, 1, 0},
    {"sections", "outer", TURN_NUMBER, 1, 0},
    {"sections", "inner", TURN_NUMBER, 1, 0},
    {"sections", "area", TURN_NUMBER, 2, 0},
    {"sections", "Iy", TURN_NUMBER, 4, 0},
    {"sections", "Iz", TURN_NUMBER, 4, 0},
    {"sections", "J", TURN_NUMBER, 4, 0},
    {"bodies", "from", TURN_VECTOR, 1, 0},
    {"bodies", "to", TURN_VECTOR, 1, 0},
    {"bodies", "normal", TURN_VECTOR, 0, 0},
    {"bodies", "arc", TURN_VECTOR, 1, 0},
    {"bodies", "length", TURN_NUMBER, 1, 0},
    {"bodies", "offset", TURN_NUMBER, 1, 0},
    {"bodies", "corner", TURN_VECTOR, 1, 0},
    {"bodies", "x", TURN_VECTOR, 1, 0},
    {"bodies", "y", TURN_VECTOR, 1, 0},
    {"bodies", "corners", TURN_POINTS, 1, 0},
    {"bodies", "nodes", TURN_POINTS, 1, 0},
    {"bodies", "thickness", TURN_NUMBER, 1, 0},
    {"bodies", "mass", TURN_NUMBER, 0, 1},
    {"bodies", "position", TURN_VECTOR, 1, 0},
    {"bodies", "inertia", TURN_NUMBER, 2, 1},
    {"bodies", "centre_of_mass", TURN_NUMBER, 1, 0},
    {"bodies", "angular_velocity", TURN_VECTOR, 0, 0},
    {"joints", "between", TURN_PLACES, 0, 0},
    {"joints", "axis", TURN_VECTOR, 0, 0},
    {"joints", "second_axis", TURN_VECTOR, 0, 0},
    {"joints", "direction", TURN_VECTOR, 0, 0},
    {"joints", "moment", TURN_NUMBER, 2, 1}, // of a motor
    {"joints", "normal", TURN_VECTOR, 0, 0},
    {"loads", "between", TURN_PLACES, 0, 0},
    {"loads", "on", TURN_PLACES, 0, 0},
    {"loads", "value", TURN_VECTOR, 1, 1},
    {"loads", "moment", TURN_VECTOR, 2, 1},
    {"loads", "axis", TURN_VECTOR, 0, 0},
    {"loads", "stiffness", TURN_NUMBER, 2, 1}, // of a torsion_spring
    {"loads", "latch.stiffness", TURN_NUMBER, 2, 1},
    {"loads", "latch.damping", TURN_NUMBER, 2, 1},
    {"heat", "value", TURN_NUMBER, 0, 1}, // of a flux
    {"heat", "flux", TURN_NUMBER, 0, 1},
    {"heat", "coefficient", TURN_NUMBER, 0, 1},
    {"heat", "direction", TURN_VECTOR, 0, 0},
    {"initial", "angular_velocity", TURN_VECTOR, 0, 0},
    {"initial", "velocity", TURN_VECTOR, 1, 0},
    {"probes", "at", TURN_PLACES, 0, 0}};

typedef struct turn_change {
    char path[300], text[TURN_TEXT];
} turn_change;

/* rotation (row-major) and how many new units make an old one */
typedef struct turning_model {
    double R[9], length, mass;
    turn_change change[TURN_CHANGES];
    int n;
} turning_model;

static inline void turn_add(turning_model *t, const char *path, const char *text) {
    assert_true(t->n < TURN_CHANGES && strlen(path) < sizeof t->change[0].path);
    assert_true(strlen(text) < TURN_TEXT);
    (void)strcpy(t->change[t->n].path, path);
    (void)strcpy(t->change[t->n++].text, text);
}

static inline double turn_factor(const turning_model *t, const turn_key *k) {
    return pow(t->length, k->length) * pow(t->mass, k->mass);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* "[...]" with rows of R times the three texts, times a factor; body axes: times the factor
   alone */
static inline void turn_list(turning_model *t, const char *path, const gos_node *n, double factor,
                             bool rotate) {
    const gos_node *c[3] = {n->child, n->child->next, n->child->next->next};
    char text[TURN_TEXT] = "[";
    for (int i = 0; i < 3; i++) {
        const size_t have = strlen(text);
        const double *R = t->R + 3 * i;
        if (rotate) {
            (void)snprintf(text + have, sizeof text - have,
                           "%s\"(%.17g)*(%s) + (%.17g)*(%s) + (%.17g)*(%s)\"", i ? ", " : "",
                           factor * R[0], c[0]->text, factor * R[1], c[1]->text, factor * R[2],
                           c[2]->text);
        } else {
            (void)snprintf(text + have, sizeof text - have, "%s\"(%.17g)*(%s)\"", i ? ", " : "",
                           factor, c[i]->text);
        }
    }
    assert_true(strlen(text) + 2 < sizeof text);
    turn_add(t, path, strcat(text, "]"));
}

/* "rod.at(L/2)" with the lengths of the other units; "corner(2)" and "node(3)" count */
static inline void turn_place(const turning_model *t, const char *place, char *text, size_t size) {
    const char *at = strstr(place, ".at(");
    if (!at) {
        (void)snprintf(text, size, "\"%s\"", place);
        return;
    }
    const int head = (int)(at - place) + 4;
    const size_t n = strlen(place);
    assert_true(place[n - 1] == ')');
    // an expression may not stand there with a factor around a list, so each number has its own
    char inside[200];
    (void)snprintf(inside, sizeof inside, "%.*s", (int)n - head - 1, place + head);
    char *comma = strchr(inside, ',');
    if (comma) {
        *comma = '\0';
        (void)snprintf(text, size, "\"%.*s(%.17g)*(%s), (%.17g)*(%s))\"", head, place, t->length,
                       inside, t->length, comma + 1);
    } else {
        (void)snprintf(text, size, "\"%.*s(%.17g)*(%s))\"", head, place, t->length, inside);
    }
}

static inline void turn_places(turning_model *t, const char *path, const gos_node *n) {
    char text[TURN_TEXT] = "", one[300];
    if (n->kind == GOS_SCALAR) {
        turn_place(t, n->text, text, sizeof text);
    } else {
        (void)strcpy(text, "[");
        for (const gos_node *c = n->child; c; c = c->next) {
            turn_place(t, c->text, one, sizeof one);
            (void)strcat(strcat(text, one), c->next ? ", " : "]");
        }
    }
    turn_add(t, path, text);
}

static inline void turn_numbers(gos_model *m, const gos_node *n, double v[3]) {
    int i = 0;
    for (const gos_node *c = n->child; c && i < 3; c = c->next, i++) {
        assert_int_equal(gos__expr(m, c->text, c->loc, "test", &v[i]), GOS_OK);
    }
}

static inline void turn_times(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    }
}

/* "[[...], ...]", by their values */
static inline void turn_points(turning_model *t, gos_model *m, const char *path, const gos_node *n,
                               double factor) {
    char text[TURN_TEXT] = "";
    size_t have = 0;
    for (const gos_node *c = n->child; c; c = c->next) {
        double x[3], y[3];
        turn_numbers(m, c, x);
        turn_times(t->R, x, y);
        have += (size_t)snprintf(text + have, sizeof text - have, "%s[%.17g, %.17g, %.17g]",
                                 have ? ", " : "[", factor * y[0], factor * y[1], factor * y[2]);
        assert_true(have + 2 < sizeof text);
    }
    turn_add(t, path, strcat(text, "]"));
}

static inline void turn_value(turning_model *t, gos_model *m, const char *path, const gos_node *n,
                              const turn_key *k) {
    const double factor = turn_factor(t, k);
    char text[TURN_TEXT];
    if (k->kind == TURN_PLACES) {
        turn_places(t, path, n);
    } else if (k->kind == TURN_POINTS && n->kind == GOS_LIST) { // bodies of matrices have a map
        turn_points(t, m, path, n, factor);
    } else if (n->kind == GOS_LIST && n->n == 2) { // along axes of the section
        (void)snprintf(text, sizeof text, "[\"(%.17g)*(%s)\", \"(%.17g)*(%s)\"]", factor,
                       n->child->text, factor, n->child->next->text);
        turn_add(t, path, text);
    } else if (n->kind == GOS_LIST) {
        assert_int_equal(n->n, 3);
        turn_list(t, path, n, factor, k->kind == TURN_VECTOR);
    } else if (k->kind == TURN_NUMBER) {
        (void)snprintf(text, sizeof text, "(%.17g)*(%s)", factor, n->text);
        turn_add(t, path, text);
    }
}

/* ---- what is not reported in the file
 * ------------------------------------------------------------ */

static inline void turn_put_vector(turning_model *t, const char *path, const double v[3]) {
    char text[100];
    (void)snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v[0], v[1], v[2]);
    turn_add(t, path, text);
}

/* exp of a rotation vector */
static inline void turn_rotation(const double v[3], double R[9]) {
    const double a = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double s = a > 0 ? sin(a) / a : 1, c = a > 0 ? (1 - cos(a)) / (a * a) : 0.5;
    const double S[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    for (int i = 0; i < 9; i++) {
        double S2 = 0;
        for (int k = 0; k < 3; k++) {
            S2 += S[3 * (i / 3) + k] * S[3 * k + i % 3];
        }
        R[i] = (i % 4 == 0) + s * S[i] + c * S2;
    }
}

/* and back, by the unit quaternion with the largest entry first */
static inline void turn_logarithm(const double R[9], double v[3]) {
    const double tr = R[0] + R[4] + R[8];
    double q[4]; // vector, scalar
    int i = R[0] > R[4] ? (R[0] > R[8] ? 0 : 2) : (R[4] > R[8] ? 1 : 2);
    if (tr > R[4 * i]) {
        q[0] = R[7] - R[5], q[1] = R[2] - R[6], q[2] = R[3] - R[1], q[3] = 1 + tr;
    } else {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1 + R[4 * i] - R[4 * j] - R[4 * k];
        q[j] = R[3 * i + j] + R[3 * j + i];
        q[k] = R[3 * i + k] + R[3 * k + i];
        q[3] = R[3 * k + j] - R[3 * j + k];
    }
    const double s = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), angle = 2 * atan2(s, q[3]);
    for (i = 0; i < 3; i++) {
        v[i] = s > 0 ? q[i] * angle / s : 0;
    }
}

/* own axes of a rigid body turn along */
static inline void turn_orientation(turning_model *t, gos_model *m, const char *path,
                                    const gos_node *body) {
    char full[300];
    double v[3] = {0}, Q[9], P[9];
    const gos_node *given = gos__node_get(body, "rotation_vector");
    if (given) {
        turn_numbers(m, given, v);
    }
    turn_rotation(v, Q);
    for (int i = 0; i < 9; i++) {
        P[i] = 0;
        for (int k = 0; k < 3; k++) {
            P[i] += t->R[3 * (i / 3) + k] * Q[3 * k + i % 3];
        }
    }
    turn_logarithm(P, v);
    (void)gos__format(full, sizeof full, "%s.rotation_vector", path);
    turn_put_vector(t, full, v);
}

/* the default reference vector of a line body, and the frame that it has by default, turn along */
static inline void turn_default_normal(turning_model *t, gos_model *m, const char *path,
                                       const gos_node *body, bool cable) {
    char full[300];
    double from[3], to[3], v[3] = {0}, g[3] = {0}, n[3];
    turn_numbers(m, gos__node_get(body, "from"), from);
    turn_numbers(m, gos__node_get(body, "to"), to);
    const double length = verify_distance(from, to);
    v[fabs(to[2] - from[2]) > cos(20 * M_PI / 180) * length ? 1 : 2] = 1;
    turn_times(t->R, v, n);
    (void)gos__format(full, sizeof full, "%s.normal", path);
    turn_put_vector(t, full, n);
    const gos_node *gravity = gos__node_get(m->root, "gravity");
    if (gravity) {
        turn_numbers(m, gravity, g);
    }
    const double along = fabs(g[0] * v[0] + g[1] * v[1] + g[2] * v[2]);
    if (cable && along > 0 && !gos__node_get(body, "frame")) {
        (void)gos__format(full, sizeof full, "%s.frame", path);
        turn_add(t, full, "transported");
    }
}

static inline void turn_entry(turning_model *t, gos_model *m, const char *section,
                              const gos_node *entry) {
    char path[200], full[300];
    (void)gos__format(path, sizeof path, "%s.%s", section, entry->key);
    for (size_t i = 0; i < sizeof turn_keys / sizeof turn_keys[0]; i++) {
        const turn_key *k = &turn_keys[i];
        const gos_node *n =
            strcmp(k->section, section) == 0 ? gos__node_find((gos_node *)entry, k->key) : NULL;
        const gos_node *frame = gos__node_get(entry, "frame");
        turn_key own = *k; // components in axes of a body turn with them
        if (strcmp(section, "loads") == 0 && frame && strcmp(frame->text, "global") != 0) {
            own.kind = k->kind == TURN_VECTOR ? TURN_NUMBER : k->kind;
        }
        if (n) {
            (void)gos__format(full, sizeof full, "%s.%s", path, k->key);
            turn_value(t, m, full, n, &own);
        }
    }
    const gos_node *type = gos__node_get(entry, "type");
    const char *name = type ? type->text : "";
    const bool body = strcmp(section, "bodies") == 0;
    if (body && strcmp(name, "rigid") == 0) {
        const gos_node *points = gos__node_get(entry, "points");
        for (const gos_node *p = points ? points->child : NULL; p; p = p->next) {
            (void)gos__format(full, sizeof full, "%s.points.%s", path, p->key);
            turn_list(t, full, p, t->length, false);
        }
        turn_orientation(t, m, path, entry);
    } else if (body && gos__node_get(entry, "from") && !gos__node_get(entry, "normal") &&
               !gos__node_get(entry, "arc") && !gos__node_get(entry, "length")) {
        turn_default_normal(t, m, path, entry, strcmp(name, "ancf_cable") == 0);
    } else if (strcmp(section, "heat") == 0 && strcmp(name, "sun") == 0 &&
               !gos__node_get(entry, "flux")) {
        (void)gos__format(full, sizeof full, "%s.flux", path);
        char text[60];
        (void)snprintf(text, sizeof text, "%.17g", 1361 * t->mass);
        turn_add(t, full, text);
    }
}

/* Turn a model that has been read. */
static inline void turn_model(verify *v, const double rotation[3], double length, double mass) {
    static const char *const sections[] = {"materials", "meshes", "sections", "bodies", "joints",
                                           "loads",     "heat",   "initial",  "probes"};
    turning_model *t = calloc(1, sizeof *t);
    char text[60];
    assert_non_null(t);
    turn_rotation(rotation, t->R);
    t->length = length;
    t->mass = mass;
    verify_good(v, gos__model_parameters(v->model));
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
        const gos_node *section = gos__node_get(v->model->root, sections[s]);
        for (const gos_node *e = section ? section->child : NULL; e; e = e->next) {
            turn_entry(t, v->model, sections[s], e);
        }
    }
    const gos_node *gravity = gos__node_get(v->model->root, "gravity");
    if (gravity) {
        turn_list(t, "gravity", gravity, length, true);
    }
    (void)snprintf(text, sizeof text, "%.17g", 5.670374419e-8 * mass);
    turn_add(t, "stefan_boltzmann", text);
    for (int i = 0; i < t->n; i++) {
        verify_good(v, gos_model_set(v->ctx, v->model, t->change[i].path, t->change[i].text));
    }
    free(t);
}

/* a model file with settings, turned */
static inline void turn_open(verify *v, const char *path, const char *settings, const double r[3],
                             double length, double mass) {
    char full[1000];
    *v = (verify){.ctx = gos_ctx_create()};
    (void)snprintf(full, sizeof full, "%s/%s", GOS_SOURCE_DIR, path);
    verify_good(v, gos_model_read(v->ctx, full, &v->model));
    verify_set(v, settings);
    turn_model(v, r, length, mass);
    verify_compile(v);
}

#endif
