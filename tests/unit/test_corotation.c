/* A factorisation that turns along with the motion: exact where everything turns as one, given up
   where sides of a joint turn apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linalg/solver.h"
#include "math/vec3.h"
#include "solve/corotation.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

#define ARM                                                                                        \
    "materials: {soft: {density: 1000, young: 1e4, poisson: 0.3}}\n"                               \
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"                              \
    "bodies:\n"                                                                                    \
    "  leg: {type: floating_beam, material: soft, section: bar, from: [0, 0, 0],\n"                \
    "        to: [0.2, 0, 0.1], elements: 2, coupling: zeroth, reference: chord}\n"                \
    "  arm: {type: floating_beam, material: soft, section: bar, from: [0.2, 0, 0.1],\n"            \
    "        to: [1, 0.3, 0.2], elements: 2, coupling: %s, reference: %s}\n"

/* held at one point of the ground: everything turns about it. The joints are where the beams
   bend. */
static const char free_turn[] = ARM
    "  tail: {type: floating_beam, material: soft, section: bar, from: [1, 0.3, 0.2],\n"
    "         to: [1, 0.9, 0.2], elements: 1}\n"
    "joints:\n"
    "  foot: {type: spherical, between: [ground, 'leg.at(0.1)']}\n"
    "  root: {type: revolute, between: [leg.end, arm.start], axis: [0, 0, 1]}\n"
    "  tip: {type: spherical, between: [arm.end, tail.start]}\n"
    "loads:\n"
    "  stay: {type: spring, between: [leg.end, 'arm.at(0.4)'], stiffness: 50, free_length: 0.1}\n";

static void times(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = gos__dot3(R + 3 * i, x);
    }
}

static const double axis[3] = {0.48, 0.6, 0.64};

/* coordinates of x about an axis by `angle`, and multipliers of its vector equations, to y */
static void rotate(const gos_system *s, double angle, const random_at *x, const random_at *y) {
    const double *const from[] = {x->q, x->v, x->a};
    double *const to[] = {y->q, y->v, y->a};
    double S[9], S2[9], R[9];
    gos__skew3(axis, S);
    gos__mul33(S, S, S2);
    for (int k = 0; k < 9; k++) {
        R[k] = (k % 4 == 0) + sin(angle) * S[k] + (1 - cos(angle)) * S2[k];
    }
    memcpy(y->lam, x->lam, (size_t)s->nc * sizeof *y->lam);
    for (int i = 0; i < s->nitem; i++) {
        const int c0 = s->item[i]->c0;
        for (int r = 0; r < 3 * s->item[i]->nvec; r += 3) {
            times(R, x->lam + c0 + r, y->lam + c0 + r);
        }
    }
    for (int k = 0; k < 3; k++) {
        memcpy(to[k], from[k], (size_t)s->nq * sizeof *to[k]);
        for (int v = 0; v < s->nv; v++) {
            if (s->turn[2 * v] >= 0) { // amplitudes stay
                times(R, from[k] + 3 * v, to[k] + 3 * v);
            }
        }
    }
}

static void solve_at(gos_work *w, const random_at *x, double *r) {
    static const gos_newton_factors f = {
        .m = 1, .k = 1e-3, .d = 2e-2, .cm = 1, .ck = 1, .lam = 1, .lamT = 1};
    const gos_point_of at = point_of(x);
    gos_solver *solver = NULL;
    gos__jacobian(w, &at, &f);
    assert_int_equal(gos__solver_create(w->sys->ctx, &w->sys->pattern, &solver), GOS_OK);
    assert_int_equal(gos__solver_factor(solver, w->values, NULL), GOS_OK);
    gos__solver_solve(solver, r);
    gos__solver_destroy(solver);
}

/* What the matrix at a place makes of a right-hand side, turned, is what the matrix of the turned
   place makes of it: to the rounding of two solutions. */
static void check_exact(const char *model, const char *coupling, const char *reference) {
    char text[2000], what[100];
    verify v;
    uint64_t seed = 5;
    random_at x, y;
    gos_work *w = NULL;
    gos_corotation *turned = NULL;
    snprintf(text, sizeof text, model, coupling, reference);
    verify_text(&v, text, NULL);
    const gos_system *s = v.sys;
    double *rhs = test_calloc(3 * (size_t)s->n, sizeof *rhs), *have = rhs + s->n,
           *want = have + s->n;
    assert_int_equal(gos__work_create(s->ctx, s, &w), GOS_OK);
    assert_int_equal(gos__corotation_create(s->ctx, s, &turned), GOS_OK);
    random_state(s, &seed, 0, &x);
    random_state(s, &seed, 0, &y);
    random_fill(&seed, s->n, 1, rhs);
    gos__corotation_set(turned, x.q);
    for (int k = 1; k <= 3; k++) { // to 2.5 rad
        double off = 0, most = 0;
        rotate(s, 2.5 * k / 3, &x, &y);
        gos__corotation_update(turned, y.q);
        assert_false(gos__corotation_far(turned));
        memcpy(have, rhs, (size_t)s->n * sizeof *have);
        memcpy(want, rhs, (size_t)s->n * sizeof *want);
        gos__corotation_back(turned, have);
        solve_at(w, &x, have);
        gos__corotation_forth(turned, have);
        solve_at(w, &y, want);
        for (int i = 0; i < s->n; i++) {
            off = fmax(off, fabs(have[i] - want[i]));
            most = fmax(most, fabs(want[i]));
        }
        snprintf(what, sizeof what, "%s order, %s: turned by %.2f rad", coupling, reference,
                 2.5 * k / 3);
        verify_below(what, off / most, 1e-9);
    }
    gos__corotation_destroy(turned);
    gos__work_destroy(s->ctx, w);
    test_free(rhs);
    free(x.block);
    free(y.block);
    verify_close(&v);
}

/* two blocks of bricks in a row, on one point of the ground */
static const char solids[] =
    "materials: {soft: {density: 1000, young: 1e4, poisson: 0.3, damping: {normal: 1e-2}}}\n"
    "meshes:\n"
    "  bar: {type: box, size: [0.5, 0.1, 0.2], cells: [2, 1, 1], order: %s,\n"
    "        sets: {a: {near: [0, 0, 0]}, b: {near: [0.5, 0, 0]}, c: {near: [0.5, 0.1, 0.2]}}}\n"
    "bodies:\n"
    "  leg: {type: solid, mesh: bar, material: soft, position: [0, 0, 0]}\n"
    "  arm: {type: solid, mesh: bar, material: soft, position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  foot: {type: spherical, between: [ground, leg.a]}\n"
    "  root: {type: spherical, between: [leg.b, arm.a]}\n"
    "loads:\n"
    "  stay: {type: spring, between: [leg.c, arm.c], stiffness: 50, free_length: 0.1}\n"
    "%s";

static void test_exact(void **state) {
    (void)state;
    check_exact(solids, "linear", "");
    check_exact(solids, "quadratic", "");
    check_exact(free_turn, "zeroth", "clamped");
    check_exact(free_turn, "first", "clamped");
    check_exact(free_turn, "first", "chord");
    check_exact(free_turn, "first", "mean_axis");
}

/* Turned by more than 0.1 rad from the ground that the rows of a hinge refer to, or from the other
 * side of a hinge. */
static void test_apart(void **state) {
    static const struct {
        const char *joints;
        double angle;
        bool far;
    } cases[] = {
        {"  foot: {type: spherical, between: [ground, leg.start]}\n", 3, false},
        {"  foot: {type: spherical, between: [leg.start, ground]}\n", 3, false},
        {"  foot: {type: revolute, between: [ground, leg.start], axis: [0, 1, 0]}\n", 0.08, false},
        {"  foot: {type: revolute, between: [ground, leg.start], axis: [0, 1, 0]}\n", 0.12, true},
        {"  root: {type: spherical, between: [leg.end, arm.start]}\n", 0.08, false},
        {"  root: {type: spherical, between: [leg.end, arm.start]}\n", 0.12, true}};
    (void)state;
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[2000];
        verify v;
        uint64_t seed = 5;
        random_at x, y;
        gos_corotation *turned = NULL;
        snprintf(text, sizeof text, ARM "joints:\n%s", "zeroth", "clamped", cases[i].joints);
        verify_text(&v, text, NULL);
        const gos_system *s = v.sys;
        const int leg = 3 * s->body[0]->nv;
        assert_int_equal(gos__corotation_create(s->ctx, s, &turned), GOS_OK);
        random_state(s, &seed, 0, &x);
        random_state(s, &seed, 0, &y);
        rotate(s, cases[i].angle, &x, &y);
        memcpy(y.q + leg, x.q + leg, (size_t)(s->nq - leg) * sizeof *y.q); // the leg alone
        gos__corotation_set(turned, x.q);
        gos__corotation_update(turned, y.q);
        assert_int_equal(gos__corotation_far(turned), cases[i].far);
        gos__corotation_set(turned, y.q);
        assert_false(gos__corotation_far(turned));
        gos__corotation_destroy(turned);
        free(x.block);
        free(y.block);
        verify_close(&v);
    }
}

/* A blade that does not bend across its plane: its weight makes a moment of m g L / 2 about an axis
   that turns with it, and m w^2 L / 2 pulls at its root. After 70 turns; nothing but the weight
   acts along the axle, so that the moment is exact. An old factorisation, turned along, holds for
   the position at any angle, and lets multipliers of the axle grow without bound. */
static void test_reactions(void **state) {
    static const char blade[] =
        "gravity: [0, 0, -9.81]\n"
        "materials: {stiff: {density: 1000, young: 7e10, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
        "bodies:\n"
        "  blade: {type: floating_beam, material: stiff, section: bar, from: [0, 0, 0],\n"
        "          to: [1, 0, 0], elements: 4, bending: y, axial: rigid, torsion: rigid,\n"
        "          coupling: zeroth, angular_velocity: [0, 0, 20]}\n"
        "joints: {axle: {type: revolute, between: [ground, blade.start], axis: [0, 0, 1]}}\n"
        "probes:\n"
        "  moment: {joint: axle, quantity: joint_moment}\n"
        "  force: {joint: axle, quantity: joint_force}\n"
        "analysis: {type: dynamic, end: 22, step: 4e-3}\n";
    const double weight = 1000 * 0.02 * 0.03 * 9.81, pull = weight / 9.81 * 400 / 2;
    verify v;
    double m[GOS_PROBE_MAX], f[GOS_PROBE_MAX];
    (void)state;
    verify_text(&v, blade, NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "moment", m);
    verify_probe(&v, NULL, "force", f);
    verify_near("moment about the turning axis [N m]", sqrt(m[0] * m[0] + m[1] * m[1]), weight / 2,
                1e-6);
    verify_near("force towards the axle [N]", sqrt(f[0] * f[0] + f[1] * f[1]), pull,
                pull * 7e-3); // (20 rad/s 4e-3 s)^2
    verify_near("weight [N]", fabs(f[2]), weight, 1e-6);
    verify_below("iterations per step", (double)v.stats.iterations / (double)v.stats.steps, 2.5);
    verify_below("factorisations per turn",
                 (double)v.stats.factorisations / (22 * 20 / 6.283185307179586), 80);
    verify_close(&v);
}

/* A soft blade of bricks on a driven hub, pushed at its tip, through a turn and a half: the matrix
   of a hub and a root that turn alike turns with the blade. Where the tip is, and 608
   factorisations in 193 steps, is what Newton's method finds without turning. */
static void test_solid(void **state) {
    static const char blade[] =
        "materials: {m: {density: 2700, young: 7e10, poisson: 0.33, damping: {normal: 1e-4}}}\n"
        "meshes: {bar: {type: box, size: [0.3, 0.06, 0.01], cells: [4, 1, 1], order: quadratic}}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.02]}\n"
        "  blade: {type: solid, mesh: bar, material: m, position: [0.1, -0.03, -0.005]}\n"
        "joints:\n"
        "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
        "  drive: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1],\n"
        "          angle: 't < 0.5 ? 20*(t^2/2 + (0.5/(2*pi))^2*(cos(4*pi*t) - 1))/0.5 : "
        "20*(t - 0.25)'}\n"
        "  root: {type: clamp, between: [hub, blade.left]}\n"
        "loads: {push: {type: force, on: blade.right, value: [0, 0, 30*t]}}\n"
        "probes: {tip: {at: blade.right, quantity: position, frame: hub}}\n"
        "analysis: {type: dynamic, end: 0.75, step: 4e-3}\n";
    verify v;
    double tip[GOS_PROBE_MAX];
    (void)state;
    verify_text(&v, blade, NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "tip", tip);
    print_message("    %ld steps, %ld iterations\n", v.stats.steps, v.stats.iterations);
    verify_near("tip, outwards [m]", tip[0], 0.399999676498, 1e-9);
    verify_near("tip, against the rotation [m]", tip[1], 5.937e-7, 1e-9);
    verify_near("tip, along the axle [m]", tip[2], 5.23413900543e-4, 1e-9);
    verify_below("factorisations", (double)v.stats.factorisations, 608 / 5.0);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_reactions),
                                       cmocka_unit_test(test_solid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
