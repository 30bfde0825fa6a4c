/* Null spaces of joints and the matrix exponential. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linalg/expm.h"
#include "math/vec3.h"
#include "rom/nullspace.h"
#include "solve/consistent.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- models ---------------------------------------------------------------------------------- */

static const char pendulum[] =
    "materials: {m: {density: 2000, young: 1e8}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 4}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n";

/* rows of every kind: linear ones, a rigid body's, dot products */
static const char spinner[] =
    "materials: {m: {density: 1500, young: 2e8}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.03}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.012, 0.012, 0.02], points: {a: [0.1, 0, 0],\n"
    "    b: [-0.1, 0, 0]}}\n"
    "  left: {type: ancf_cable, material: m, section: s, from: [-0.1, 0, 0], to: [-1, 0, 0],\n"
    "    elements: 3}\n"
    "  right: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [1, 0, 0],\n"
    "    elements: 3}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  clamp_a: {type: clamp, between: [hub.a, right.start], rigid: true}\n"
    "  clamp_b: {type: clamp, between: [hub.b, left.start], rigid: false}\n";

/* a point of a rigid body held by the ground, and two components of another: its axes are
   eliminated, so no analytic block */
static const char hinge[] =
    "bodies: {door: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], points: {top: [0, 0, 1]}}}\n"
    "joints:\n"
    "  low: {type: spherical, between: [ground, door.node]}\n"
    "  high: {type: driven, between: [ground, door.top], displacement: [0, 0, 0], components: "
    "xy}\n";

static const char driven[] =
    "bodies: {door: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
    "joints: {motor: {type: driven, between: [ground, door.node], displacement: [\"t\", 0, 0]}}\n";

/* ---- helpers --------------------------------------------------------------------------------- */

typedef struct fixture {
    verify v;
    gos_work *w;
    gos_nullspace *space;
} fixture;

static void open_model(fixture *f, const char *text) {
    verify_text(&f->v, text, NULL);
    verify_good(&f->v, gos__work_create(f->v.ctx, f->v.sys, &f->w));
    verify_good(&f->v, gos__nullspace_create(f->v.ctx, f->v.sys, &f->space));
    const gos_point_of at = gos__state_point(f->v.state, 0);
    verify_good(&f->v, gos__nullspace_update(f->space, f->w, &at));
}

static void close_model(fixture *f) {
    gos__nullspace_destroy(f->space);
    gos__work_destroy(f->v.ctx, f->w);
    verify_close(&f->v);
}

/* x^T M y */
static double mass_product(const gos_system *s, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < s->nv; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            sum += s->mass.v[k] * gos__dot3(x + 3 * i, y + 3 * s->mass.j[k]);
        }
    }
    return sum;
}

/* column j of a row-major basis */
static void take_column(const gos_system *s, const double *U, int n, int j, double *x) {
    for (int i = 0; i < s->nq; i++) {
        x[i] = U[i * n + j];
    }
}

/* U^T M V, largest deviation from the identity, or from its transpose */
static double overlap(const gos_system *s, const double *U, const double *V, int n, bool identity) {
    double worst = 0, *x = calloc(2 * (size_t)s->nq, sizeof *x), *y = x + s->nq;
    double *A = calloc((size_t)n * (size_t)n, sizeof *A);
    assert_true(x && A);
    for (int i = 0; i < n; i++) {
        take_column(s, U, n, i, x);
        for (int j = 0; j < n; j++) {
            take_column(s, V, n, j, y);
            A[i * n + j] = mass_product(s, x, y);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            worst = fmax(worst, fabs(A[i * n + j] - (identity ? i == j : A[j * n + i])));
        }
    }
    free(x);
    free(A);
    return worst;
}

/* ---- sizes and accuracy ---------------------------------------------------------------------- */

static void sizes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int n;
        bool constant;
    } cases[] = {{pendulum, 27, true}, {spinner, 1 + 18 + 19, false}, {hinge, 1, false}};
    for (int i = 0; i < 3; i++) {
        fixture f;
        open_model(&f, cases[i].text);
        const int n = gos__nullspace_size(f.space);
        assert_int_equal(n, cases[i].n);
        assert_int_equal(gos__nullspace_constant(f.space), cases[i].constant);
        verify_below("||C U|| / ||C|| ||U||", gos__nullspace_error(f.space), 1e-12);
        const double *U = gos__nullspace_basis(f.space);
        verify_below("U^T M U - I", overlap(f.v.sys, U, U, n, true), 1e-11);
        close_model(&f);
    }
}

/* ---- transport ------------------------------------------------------------------------------- */

/* move along a velocity, back onto the joints; the new basis is parallel to the old one: U^T M
   U_old is symmetric, and a velocity carried in it keeps its energy and differs by the turn only */
static void parallel(void **state) {
    (void)state;
    static const char *const texts[] = {spinner, hinge};
    for (int i = 0; i < 2; i++) {
        fixture f;
        open_model(&f, texts[i]);
        const gos_system *s = f.v.sys;
        const int n = gos__nullspace_size(f.space);
        const size_t bytes = (size_t)(s->nq * n) * sizeof(double);
        double *old = malloc(bytes);
        assert_non_null(old);
        memcpy(old, gos__nullspace_basis(f.space), bytes);
        int spent = 0;
        for (int k = 0; k < s->nq; k++) { // all free motions a little, in different amounts
            for (int j = 0; j < n; j++) {
                f.v.state->q[k] += 0.02 * old[k * n + j] / (1 + 3 * j);
            }
        }
        verify_good(&f.v, gos__nullspace_correct(f.space, f.w, 0, f.v.state->q, &spent));
        verify_below("violation after correction", gos__state_violation(s, f.v.state), 1e-12);
        verify_within("corrections", spent, 1, 6);
        const gos_point_of at = gos__state_point(f.v.state, 0);
        verify_good(&f.v, gos__nullspace_update(f.space, f.w, &at));
        const double *U = gos__nullspace_basis(f.space);
        verify_below("||C U|| / ||C|| ||U||", gos__nullspace_error(f.space), 1e-12);
        verify_below("U^T M U - I", overlap(s, U, U, n, true), 1e-11);
        verify_below("U^T M U_old - its transpose", overlap(s, U, old, n, false), 1e-11);
        verify_within("U^T M U_old - I", overlap(s, U, old, n, true), 1e-8, 0.2);
        free(old);
        close_model(&f);
    }
}

static void refuses_driven(void **state) {
    (void)state;
    verify v;
    gos_nullspace *space = NULL;
    verify_text(&v, driven, NULL);
    assert_int_equal(gos__nullspace_create(v.ctx, v.sys, &space), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "motor"));
    verify_close(&v);
}

/* ---- exponential ----------------------------------------------------------------------------- */

static void exponential(void **state) {
    (void)state;
    double work[6 * 16 + 1];
    int pivot[4];
    assert_true(gos__expm_work(4) <= sizeof work / sizeof *work);
    /* a rotation, far beyond the radius of the approximant */
    for (double angle = 0.01; angle < 2000; angle *= 7) {
        double A[4] = {0, angle, -angle, 0};
        assert_int_equal(gos__expm(2, A, work, pivot), GOS_OK);
        verify_near("cos", A[0], cos(angle), 2e-14 * (1 + angle));
        verify_near("sin", A[1], sin(angle), 2e-14 * (1 + angle));
    }
    /* phi functions: y' = -a y + b + c t by two unknowns more */
    const double a = 300, b = 2, c = 5, t = 0.3;
    double Z[9] = {-a * t, 0, 0, c * t, 0, 0, b * t, t, 0}; // columns y, t, 1
    assert_int_equal(gos__expm(3, Z, work, pivot), GOS_OK);
    const double e = exp(-a * t);
    const double want = e * 0.7 + b * (1 - e) / a + c * (t / a - (1 - e) / (a * a));
    verify_near("stiff equation with a load that grows", Z[0] * 0.7 + Z[6], want, 1e-14);
    double bad[1] = {HUGE_VAL};
    assert_int_equal(gos__expm(1, bad, work, pivot), GOS_RETRY);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(parallel),
        cmocka_unit_test(refuses_driven),
        cmocka_unit_test(exponential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
