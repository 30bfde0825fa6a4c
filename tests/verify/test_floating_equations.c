/* Equations of floating bodies: the Newton matrix against differences of the residual, rates of
   constraints against differences of their rows, at random states far from any equilibrium. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "support/newton_matrix.h"
#include "support/suite.h"
#include "system/derived.h"

#define PARTS                                                                                      \
    "gravity: [0.3, -9.81, 1]\n"                                                                   \
    "materials: {alu: {density: 2767, young: 3e3, poisson: 0.3}}\n"                                \
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"

#define HUB                                                                                        \
    "  hub: {type: rigid, mass: 1, inertia: [0.25, 0.3, 0.35], points: {rim: [0.1, 0, 0]}}\n"

/* clamped to a hub that turns, with a force and a moment that turn along, a spring to ground and a
 * point mass */
static const char arm[] = PARTS
    "bodies:\n" HUB "  arm: {type: floating_beam, material: alu, section: bar, from: [0.1, 0, 0],\n"
    "        to: [1.5, 0.4, 0.3], elements: 2, coupling: %s, zeta: 0.01}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "loads:\n"
    "  tip: {type: force, on: arm.end, value: [4, 0.2, '1 + t'], frame: hub}\n"
    "  turn: {type: moment, on: 'arm.at(0.7)', moment: [0.3, 0.2, 0.1], frame: hub}\n"
    "  hold: {type: spring, between: [ground, arm.end], stiffness: 30, damping: 2,\n"
    "         free_length: 0.5, at: [0, 0, 1]}\n";

/* two beams in space, hinged to each other at places that bend, with a slider on the ground */
static const char chain[] =
    PARTS "bodies:\n"
          "  one: {type: floating_beam, material: alu, section: bar, from: [0, 0, 0],\n"
          "        to: [1, 0, 0], elements: 2, coupling: %s, reference: mean_axis}\n"
          "  two: {type: floating_beam, material: alu, section: bar, from: [1, 0, 0],\n"
          "        to: [1, 0.7, 0.7], elements: 2, coupling: %s, reference: chord}\n"
          "joints:\n"
          "  hinge: {type: revolute, between: [one.end, two.start], axis: [0, 0.6, 0.8]}\n"
          "  ball: {type: spherical, between: [ground, one.start]}\n"
          "  rail: {type: point_on_line, between: [ground, two.end], direction: [0, 1, 0]}\n";

#define WHOLE "first, shortening_inertia: whole"

static gos_system *open(verify *v, const char *text, const char *coupling) {
    char model[4000];
    snprintf(model, sizeof model, text, coupling, coupling);
    verify_text(v, model, NULL);
    return v->sys;
}

static void test_newton_matrix(void **state) {
    static const char *const coupling[] = {"zeroth", "first, shortening_inertia: first", WHOLE};
    static const char *const text[] = {arm, chain};
    (void)state;
    for (int i = 0; i < 6; i++) {
        verify v;
        const gos_system *s = open(&v, text[i / 3], coupling[i % 3]);
        print_message("%s, %s: %d coordinates, %d made vectors\n", i / 3 ? "chain" : "arm",
                      coupling[i % 3], s->nq, s->derived->n);
        check_newton_matrix(s, coupling[i % 3], 0, false);
        verify_close(&v);
    }
}

/* ---- along a motion -------------------------------------------------------------------------- */

/* q + v t + a t^2 / 2 and its rate, as a state */
static void go(const gos_system *s, const random_at *x, double t, gos_state *to) {
    for (int i = 0; i < s->nq; i++) {
        to->q[i] = x->q[i] + t * (x->v[i] + 0.5 * t * x->a[i]);
        to->v[i] = x->v[i] + t * x->a[i];
        to->a[i] = x->a[i];
    }
}

static gos_state *state_of(const gos_system *s, const random_at *x) {
    gos_state *state = NULL;
    assert_int_equal(gos_state_create(s->ctx, s, &state), GOS_OK);
    go(s, x, 0, state);
    return state;
}

/* the matrix of which `f` asks, dense by rows (n, n) */
static double *matrix_at(gos_work *w, const gos_point_of *at, const gos_newton_factors *f) {
    const int n = w->sys->n;
    double *A = test_calloc((size_t)n * (size_t)n, sizeof *A);
    gos__jacobian(w, at, f);
    for (int i = 0; i < n * n; i++) {
        A[i] = entry(w, i / n, i % n);
    }
    return A;
}

/* M u, C_q u, C_q^T mu, -(C_q' v) and (d/dt C_q)^T mu, against the Newton matrix and what it is
 * along the motion */
static void check_products(const gos_system *s) {
    const double h = 1e-3;
    const int n = s->n, nq = s->nq, nc = s->nc;
    uint64_t seed = 3;
    random_at x;
    gos_work *w = NULL;
    double *u = test_calloc((size_t)(2 * nq + nc), sizeof *u), *mu = u + 2 * nq;
    double *have = test_calloc((size_t)(2 * n), sizeof *have), *want = have + n;
    assert_int_equal(gos__work_create(s->ctx, s, &w), GOS_OK);
    random_state(s, &seed, 0, &x);
    random_fill(&seed, nq, 1, u);
    random_fill(&seed, nc, 1, mu);
    gos_state *moved = state_of(s, &x);
    const gos_point_of at = point_of(&x);

    double *M = matrix_at(w, &at, &(gos_newton_factors){.m = 1});
    gos__inertia_apply(w, x.q, u, have);
    for (int i = 0; i < nq; i++) {
        want[i] = 0;
        for (int j = 0; j < nq; j++) {
            want[i] += M[i * n + j] * u[j];
        }
    }
    verify_near_all("M u", nq, have, want, 1e-12);

    double *C[5]; // of rows at -2, -1, 0, 1, 2 steps
    double c[5][200];
    for (int k = 0; k < 5; k++) {
        double r[400] = {0};
        go(s, &x, (k - 2) * h, moved);
        gos_point_of there = at;
        there.q = moved->q;
        C[k] = matrix_at(w, &there, &(gos_newton_factors){.lam = 1});
        assert_int_equal(gos__residual(w, &there, &(gos_residual){.q = r, .c = c[k]}, NULL),
                         GOS_OK);
    }
    gos__constraint_apply(w, &at, u, have);
    for (int i = 0; i < nc; i++) {
        want[i] = 0;
        for (int j = 0; j < nq; j++) {
            want[i] += C[2][(s->at.lam + i) * n + j] * u[j];
        }
    }
    verify_near_all("C_q u", nc, have, want, 1e-12);

    memset(have, 0, (size_t)nq * sizeof *have);
    gos__constraint_force(w, &at, mu, have);
    for (int j = 0; j < nq; j++) {
        want[j] = 0;
        for (int i = 0; i < nc; i++) {
            want[j] += C[2][(s->at.lam + i) * n + j] * mu[i];
        }
    }
    verify_near_all("C_q^T mu", nq, have, want, 1e-12);

    memset(have, 0, (size_t)nq * sizeof *have);
    gos__constraint_turn(w, &at, mu, have);
    for (int j = 0; j < nq; j++) {
        want[j] = 0;
        for (int i = 0; i < nc; i++) {
            const int e = (s->at.lam + i) * n + j;
            want[j] += (C[0][e] - 8 * C[1][e] + 8 * C[3][e] - C[4][e]) / (12 * h) * mu[i];
        }
    }
    verify_near_all("(d/dt C_q)^T mu", nq, have, want, 1e-8);

    gos__constraint_rates(w, &at, NULL, have); // C_q a - rhs is the second derivative of c
    gos__constraint_apply(w, &at, x.a, u);
    for (int i = 0; i < nc; i++) {
        want[i] = (-c[0][i] + 16 * c[1][i] - 30 * c[2][i] + 16 * c[3][i] - c[4][i]) / (12 * h * h);
        have[i] = u[i] - have[i];
    }
    verify_near_all("d2/dt2 c", nc, have, want, 1e-7);

    gos_sparse rates = {0};
    assert_int_equal(gos__constraint_row_rates(s->ctx, w, &at, &rates), GOS_OK);
    double *R = test_calloc((size_t)nc * (size_t)nq, sizeof *R),
           *D = test_calloc((size_t)nc * (size_t)nq, sizeof *D);
    for (int j = 0; j < nq; j++) {
        for (int k = rates.p[j]; k < rates.p[j + 1]; k++) {
            R[rates.i[k] * nq + j] += rates.x[k];
        }
        for (int i = 0; i < nc; i++) {
            const int e = (s->at.lam + i) * n + j;
            D[i * nq + j] = (C[0][e] - 8 * C[1][e] + 8 * C[3][e] - C[4][e]) / (12 * h);
        }
    }
    verify_near_all("d/dt C_q", nc * nq, R, D, 1e-8);
    gos__sparse_free(s->ctx, &rates);
    for (int k = 0; k < 5; k++) {
        test_free(C[k]);
    }
    test_free(R);
    test_free(D);
    test_free(M);
    test_free(u);
    test_free(have);
    free(x.block);
    gos_state_destroy(moved);
    gos__work_destroy(s->ctx, w);
}

static void test_products(void **state) {
    static const char *const coupling[] = {"zeroth", "first"};
    static const char *const text[] = {arm, chain};
    (void)state;
    for (int i = 0; i < 4; i++) {
        verify v;
        check_products(open(&v, text[i / 2], coupling[i % 2]));
        verify_close(&v);
    }
}

/* ---- balances -------------------------------------------------------------------------------- */

/* a beam alone in space */
static const char alone[] =
    PARTS "bodies:\n"
          "  one: {type: floating_beam, material: alu, section: bar, from: [0.3, -0.2, 0],\n"
          "        to: [1, 0, 0.5], elements: 2, coupling: %s, zeta: 0.02, rayleigh: [0.3, 0.01],\n"
          "        rotary_inertia: true}\n"
          "analysis: {end: 1, step: 0.01}\n";

/* Forces times rates are the change of all energies and what damping takes; their sum over r is the
   change of momentum less the weight, and with their arms that of the moment of momentum: of any
   motion, so that no term of the inertia can be wrong alone. */
static void check_balance(const gos_system *s) {
    const double h = 1e-3;
    uint64_t seed = 5;
    random_at x;
    gos_work *w = NULL;
    assert_int_equal(gos__work_create(s->ctx, s, &w), GOS_OK);
    random_state(s, &seed, 0, &x);
    x.scale = 1;
    gos_state *moved = state_of(s, &x);
    double power = 0, energy[4], p[4][3], l[4][3], force[3] = {0}, moment[3] = {0}, side[3];
    double *r = test_calloc((size_t)s->n, sizeof *r);
    gos_sums sums;
    gos_point_of at = point_of(&x);
    double *lam = test_calloc((size_t)s->nc + 1, sizeof *lam);
    at.lam = lam; // forces of constraints are those of none
    assert_int_equal(gos__residual(w, &at, &(gos_residual){.q = r, .c = r + s->nq}, &sums), GOS_OK);
    for (int i = 0; i < s->nq; i++) {
        power += r[i] * x.v[i];
    }
    const gos_derived *b = s->body[0]->derived;
    const int vectors[] = {b->r, b->axis, b->axis + 1, b->axis + 2};
    for (int i = 0; i < 4; i++) {
        const double *f = r + 3 * vectors[i];
        gos__cross3(x.q + 3 * vectors[i], f, side);
        for (int c = 0; c < 3; c++) {
            force[c] += i == 0 ? f[c] : 0;
            moment[c] += side[c];
        }
    }
    for (int k = 0; k < 4; k++) {
        gos_energy e;
        gos_sums there;
        go(s, &x, shifts[k] * h, moved);
        gos_point_of place = at;
        place.q = moved->q;
        assert_int_equal(gos__residual(w, &place, &(gos_residual){.q = r, .c = r + s->nq}, &there),
                         GOS_OK);
        gos_system_energy(s, moved, &e);
        gos_system_momentum(s, moved, p[k], l[k]);
        energy[k] = e.kinetic + e.gravity + there.strain;
    }
    verify_near("power [W]", power, difference(energy, h) + sums.dissipated, 1e-8 * fabs(power));
    assert_true(sums.dissipated > 0);
    for (int c = 0; c < 3; c++) {
        double centre = 0;
        const double pc[] = {p[0][c], p[1][c], p[2][c], p[3][c]};
        const double lc[] = {l[0][c], l[1][c], l[2][c], l[3][c]};
        verify_near("force [N]", force[c], difference(pc, h) - s->mass_total * s->gravity[c], 1e-8);
        gos__derived_refresh(moved);
        go(s, &x, 0, moved);
        gos__derived_refresh(moved);
        const int d = (c + 1) % 3, e = (c + 2) % 3; // moment of the weight: mass centre x g
        for (int i = -s->derived->n; i < s->nv; i++) {
            centre += s->gw[i] *
                      (moved->q[3 * i + d] * s->gravity[e] - moved->q[3 * i + e] * s->gravity[d]);
        }
        verify_near("moment [N m]", moment[c], difference(lc, h) - centre, 1e-8);
    }
    test_free(lam);
    test_free(r);
    free(x.block);
    gos_state_destroy(moved);
    gos__work_destroy(s->ctx, w);
}

static void test_balance(void **state) {
    (void)state;
    static const char *const coupling[] = {"zeroth", "first", WHOLE};
    for (int i = 0; i < 3; i++) {
        verify v;
        check_balance(open(&v, alone, coupling[i]));
        verify_close(&v);
    }
}

/* ---- a frame without inertia ----------------------------------------------------------------- */

/* A link that hangs on a hinge and sags: a frame clamped to its start has no inertia to speak of,
   unless the shortening has all of its own. */
static void test_indefinite(void **state) {
    static const char *const how[][2] = {
        {"clamped", "first"}, {"chord", "first"}, {"clamped", "whole"}, {"chord", "whole"}};
    (void)state;
    for (int i = 0; i < GOS_COUNT(how); i++) {
        char set[200];
        verify v;
        gos_work *w = NULL;
        (void)snprintf(set, sizeof set,
                       "bodies.upper.reference=%s bodies.upper.reduce.static=[end.x] "
                       "bodies.upper.shortening_inertia=%s",
                       how[i][0], how[i][1]);
        verify_example(&v, "robot-arm", set);
        verify_static(&v);
        assert_int_equal(gos__work_create(v.ctx, v.sys, &w), GOS_OK);
        const gos_floating *b = gos__derived_indefinite(v.ctx, w, v.state->q);
        if (i == 0) {
            assert_non_null(b);
            assert_string_equal(b->name, "body 'upper'");
        } else {
            assert_null(b);
        }
        gos__work_destroy(v.ctx, w);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_matrix), cmocka_unit_test(test_products),
        cmocka_unit_test(test_balance), cmocka_unit_test(test_indefinite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
