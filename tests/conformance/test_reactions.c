/* Reactions of every type of joint against the balance of a free body. What the joint does to the
   one body of a model is what its inertia needs beyond gravity and loads: with r = M a - Q the
   force is the sum of r over positions, the moment about a point the sum of (q - p) x r, of vectors
   q x r; forces inside the body drop out of both. Each model as it is, with the sides exchanged,
   turned by three rotations, and in mm-t-s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "joints/joints.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

/* U: a metre in the model's length; masses by m; turned by R0 .. R8 with gravity g */
static const char world[] =
    "parameters: {U: %g, m: %g, E: %g, rho: %g, g: %g}\n"
    "materials:\n"
    "  soft: {density: rho, young: E, poisson: 0.3}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.05*U, width: 0.05*U, shear_factors: [0.8, 0.8]}\n"
    "gravity: [%s]\n"
    "bodies:\n"
    "  %s\n"
    "joints:\n"
    "  j: {type: %s}\n"
    "probes:\n"
    "  F: {joint: j, quantity: joint_force}\n"
    "  M: {joint: j, quantity: joint_moment, frame: joint}\n"
    "  Mg: {joint: j, quantity: joint_moment%s}\n"
    "analysis: {type: dynamic, end: 0.01}\n";

/* "v(x, y, z)" in the text becomes the turned vector times `scale`, "d(x, y, z)" the turned
 * direction */
typedef struct setting {
    double R[9], length, mass;
} setting;

static void turned(const setting *k, const char *from, char *to, size_t size) {
    size_t n = 0;
    for (const char *c = from; *c && n + 1 < size;) {
        double x[3];
        int used = 0;
        if ((c[0] == 'v' || c[0] == 'd') &&
            sscanf(c + 1, "(%lf, %lf, %lf)%n", &x[0], &x[1], &x[2], &used) == 3 && used > 0) {
            const double f = c[0] == 'v' ? k->length : 1;
            double y[3];
            for (int i = 0; i < 3; i++) {
                y[i] = f * gos__dot3(k->R + 3 * i, x);
            }
            n += (size_t)snprintf(to + n, size - n, "[%.17g, %.17g, %.17g]", y[0], y[1], y[2]);
            c += 1 + used;
        } else {
            to[n++] = *c++;
        }
    }
    to[n] = '\0';
}

/* resultants of what acts on the model's bodies from joints, about p */
static void needed(const verify *v, const gos_state *x, const double p[3], double F[3],
                   double M[3]) {
    const gos_system *s = v->sys;
    double *r = calloc((size_t)s->nq, sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < s->nv; i++) {
        for (int e = s->mass.p[i]; e < s->mass.p[i + 1]; e++) {
            for (int c = 0; c < 3; c++) {
                r[3 * i + c] += s->mass.v[e] * x->a[3 * s->mass.j[e] + c];
            }
        }
        for (int c = 0; c < 3; c++) {
            r[3 * i + c] -= s->gw[i] * s->gravity[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        F[c] = M[c] = 0;
    }
    for (int i = 0; i < s->nv; i++) {
        double arm[3], t[3];
        for (int c = 0; c < 3; c++) {
            arm[c] = x->q[3 * i + c] - s->trans[i] * p[c];
            F[c] += s->trans[i] * r[3 * i + c];
        }
        gos__cross3(arm, r + 3 * i, t);
        for (int c = 0; c < 3; c++) {
            M[c] += t[c];
        }
    }
    free(r);
}

typedef struct joint_case {
    const char *body, *joint;
    double point[3]; // of the joint at t = 0
    bool couple;     // a drive of an angle: its moment has one component
} joint_case;

#define HUB                                                                                        \
    "hub: {type: rigid, mass: 2*m, inertia: [0.4*m*U^2, 0.5*m*U^2, 0.6*m*U^2], position: v(0, 0, " \
    "0), "                                                                                         \
    "centre_of_mass: [0.1*U, 0.2*U, 0.3*U], velocity: v(0, 0, 0), points: {tip: [0.4*U, 0.2*U, "   \
    "0]}}"
#define ROD                                                                                        \
    "rod: {type: ancf_cable, material: soft, section: bar, from: v(0, 0, 0), to: v(1, 0, 0), "     \
    "elements: 4, normal: d(0, 0.6, 0.8)}"
#define BEAM                                                                                       \
    "rod: {type: ancf_beam, material: soft, section: bar, from: v(0, 0, 0), to: v(1, 0, 0), "      \
    "elements: 3, normal: d(0, 0.6, 0.8)}"
#define SLAB                                                                                       \
    "slab: {type: ancf_plate, material: soft, thickness: 0.05*U, corner: v(0, 0, 0), x: v(1, 0, "  \
    "0), "                                                                                         \
    "y: v(0, 0.5, 0), elements: [3, 2]}"

static const joint_case cases[] = {
    {HUB, "spherical, between: [ground, hub.node]", {0}, false},
    {HUB, "clamp, between: [ground, hub.node]", {0}, false},
    {HUB, "revolute, between: [ground, hub.node], axis: d(1, 2, 2)", {0}, false},
    {HUB,
     "universal, between: [ground, hub.node], axis: d(1, 2, 2), second_axis: d(2, 1, -2)",
     {0},
     false},
    {HUB, "cylindrical, between: [ground, hub.node], axis: d(1, 2, 2)", {0}, false},
    {HUB, "prismatic, between: [ground, hub.node], axis: d(1, 2, 2)", {0}, false},
    {HUB, "planar, between: [ground, hub.node], normal: d(1, 2, 2)", {0}, false},
    {HUB, "screw, between: [ground, hub.node], axis: d(1, 2, 2), pitch: U", {0}, false},
    {HUB, "bushing, between: [ground, hub.node], stiffness: [1, 1, 1, 1, 1, 1]", {0}, false},
    {HUB, "motor, between: [ground, hub.node], axis: d(1, 2, 2), force: 3*m*U", {0}, false},
    {HUB, "motor, between: [ground, hub], axis: d(1, 2, 2), moment: 3*m*U^2", {0}, false},
    {BEAM, "revolute, between: [ground, rod.start], axis: d(0, 0.6, 0.8)", {0}, false},
    {BEAM, "revolute, between: [ground, rod.start], axis: d(1, 0, 0)", {0}, false},
    {SLAB, "revolute, between: [ground, slab.corner(1)], axis: d(1, 0, 0)", {0}, false},
    {SLAB, "revolute, between: [ground, slab.corner(1)], axis: d(0, 0, 1)", {0}, false},
    {HUB, "point_on_line, between: [ground, hub.node], direction: d(1, 2, 2)", {0}, false},
    {HUB, "point_on_plane, between: [ground, hub.node], normal: d(1, 2, 2)", {0}, false},
    {HUB, "roller, between: [ground, hub.node], normal: d(1, 0, 0)", {0}, false},
    {HUB, "driven, between: [ground, hub.node], displacement: v(0, 0, 0)", {0}, false},
    {HUB,
     "driven, between: [ground, hub.node], components: xz, displacement: [\"U*t^2\", 0, 0]",
     {0},
     false},
    {HUB, "driven_rotation, between: [ground, hub], axis: d(1, 2, 2), angle: \"3*t^2\"", {0}, true},
    {ROD, "spherical, between: [ground, rod.start]", {0}, false},
    {ROD, "clamp, between: [ground, rod.start]", {0}, false},
    {ROD, "clamp, between: [ground, rod.start], rigid: true", {0}, false},
    {ROD, "clamp, between: [ground, rod.start], rigid: false", {0}, false},
    {ROD, "revolute, between: [ground, rod.start], axis: d(0, 0.6, 0.8)", {0}, false},
    {ROD,
     "driven_rotation, between: [ground, rod.start], axis: d(0, 0.6, 0.8), angle: \"t^2\"",
     {0},
     true},
    {BEAM, "clamp, between: [ground, rod.start]", {0}, false},
    {BEAM, "clamp, between: [ground, rod.start], rigid: false", {0}, false},
    {BEAM, "clamp, between: [ground, \"rod.at(0.4*U)\"]", {0.4, 0, 0}, false},
    {SLAB, "clamp, between: [ground, slab.edge.x0]", {0, 0.25, 0}, false},
    {SLAB, "spherical, between: [ground, slab.edge.x0]", {0, 0.25, 0}, false},
    {SLAB, "clamp, between: [ground, \"slab.at(0.3*U,0.2*U)\"]", {0.3, 0.2, 0}, false},
    {SLAB, "clamp, between: [ground, slab.corner(3)]", {1, 0.5, 0}, false},
};

static const setting settings[] = {
    {{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1},
    {{0, 0, 1, 1, 0, 0, 0, 1, 0}, 1, 1},
    {{0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}, 1, 1},
    {{1.0 / 3, 2.0 / 3, -2.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3, -2.0 / 3, -1.0 / 3}, 1, 1},
    {{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1000, 1e-3}, // mm, t, s
    {{1, 0, 0, 0, 1, 0, 0, 0, 1}, 2, 8},       // twice the size
};

static void near3(const char *what, const char *joint, const double *a, const double *b,
                  double size) {
    double off = 0;
    for (int c = 0; c < 3; c++) {
        off = fmax(off, fabs(a[c] - b[c]));
    }
    if (!(off <= 1e-7 * size)) {
        print_error("%s of {%s}: (%g, %g, %g), the balance says (%g, %g, %g)\n", what, joint, a[0],
                    a[1], a[2], b[0], b[1], b[2]);
        fail();
    }
}

static void check(const joint_case *k, const setting *set, bool exchanged) {
    char text[6000], body[1200], joint[600], gravity[100], places[200];
    const double L = set->length, m = set->mass, g[3] = {3 * L, -7 * L, 5 * L};
    double turned_g[3], p[3], F[3], M[3], y[GOS_PROBE_MAX];
    verify v;
    turned(set, k->body, body, sizeof body);
    turned(set, k->joint, joint, sizeof joint);
    char *comma = strstr(joint, "[ground, ");
    assert_non_null(comma);
    if (exchanged) { // [ground, X] becomes [X, ground]
        char *end = strchr(comma, ']');
        snprintf(places, sizeof places, "[%.*s, ground]", (int)(end - comma - 9), comma + 9);
        memcpy(comma, places, strlen(places));
    }
    for (int i = 0; i < 3; i++) {
        turned_g[i] = gos__dot3(set->R + 3 * i, g);
        p[i] = L * gos__dot3(set->R + 3 * i, k->point);
    }
    snprintf(gravity, sizeof gravity, "%.17g, %.17g, %.17g", turned_g[0], turned_g[1], turned_g[2]);
    snprintf(text, sizeof text, world, L, m, 1e6 * m / L, 1000 * m / (L * L * L), 1.0, gravity,
             body, joint, k->couple ? "" : "");
    verify_text(&v, text, NULL);
    verify_start(&v);
    needed(&v, v.state, p, F, M);
    const double sign = exchanged ? 1 : -1; // the first side is the body, or the ground
    const double weight = v.sys->mass_total * gos__norm3(g);
    for (int c = 0; c < 3; c++) {
        F[c] *= sign;
        M[c] *= sign;
    }
    verify_probe(&v, NULL, "F", y);
    near3("force", joint, y, F, weight);
    verify_probe(&v, NULL, "Mg", y);
    if (k->couple) { // about the axis (0, 0.6, 0.8) or (1, 2, 2)/3
        assert_true(fabs(fabs(y[0]) - gos__norm3(M)) <= 1e-7 * weight * L);
    } else {
        near3("moment", joint, y, M, weight * L);
    }
    verify_close(&v);
}

static void reactions(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        for (int s = 0; s < GOS_COUNT(settings); s++) {
            check(&cases[i], &settings[s], false);
            check(&cases[i], &settings[s], true);
        }
    }
}

/* no registered joint is left out; a tie joins two flexible bodies, a gear
   two that turn */
static void complete(void **state) {
    GOS_UNUSED(state);
    static const char *const names[] = {
#define X(name) #name,
        GOS_JOINT_TYPES(X)
#undef X
    };
    for (int i = 0; i < GOS_COUNT(names); i++) {
        bool found = strcmp(names[i], "tie") == 0 || strcmp(names[i], "gear") == 0;
        for (int k = 0; k < GOS_COUNT(cases); k++) {
            const size_t n = strlen(names[i]);
            found =
                found || (strncmp(cases[k].joint, names[i], n) == 0 && cases[k].joint[n] == ',');
        }
        if (!found) {
            fail_msg("no case of %s", names[i]);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reactions), cmocka_unit_test(complete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
