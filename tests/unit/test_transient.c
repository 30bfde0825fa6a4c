/* Transient response of linear models: closed forms, order, constraints, both schemes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "gossamer/reduce_linear.h"
#include "linear/linear.h"
#include "support/context.h"
#include "support/suite.h"

/* rows of a block */
static void set(gos_linear *l, gos_block block, const double *rows) {
    gos_sparse *A = &l->block[block], B;
    double values[16] = {0};
    for (int i = 0; i < A->m; i++) {
        for (int j = 0; j < A->n; j++) {
            values[j * 4 + i] = rows[i * A->n + j];
        }
    }
    const gos_pattern all = {.n = 4, .nnz = 16, .dense = true};
    need(gos__sparse_block(ctx, &all, values, 0, A->m, 0, A->n, &B));
    need(gos__linear_put(l, block, &B));
    gos__sparse_free(ctx, &B);
}

static gos_linear *make(const gos_linear_size *size) {
    gos_linear *l = NULL;
    need(gos__linear_create(ctx, size, &l));
    return l;
}

/* m = 2, d = 0.6, k = 50: y = x, x' and 3 u */
static gos_linear *oscillator(void) {
    gos_linear *l = make(&(gos_linear_size){.nq = 1, .nu = 1, .ny = 3});
    set(l, GOS_BLOCK_M, (double[]){2});
    set(l, GOS_BLOCK_D, (double[]){0.6});
    set(l, GOS_BLOCK_K, (double[]){50});
    set(l, GOS_BLOCK_B, (double[]){1});
    set(l, GOS_BLOCK_Y_q, (double[]){1, 0, 0});
    set(l, GOS_BLOCK_Y_v, (double[]){0, 1, 0});
    set(l, GOS_BLOCK_Y_u, (double[]){0, 0, 3});
    need(gos__linear_close(l));
    return l;
}

/* response to a unit step: (1 - e^(-a t) (cos w t + a/w sin w t)) / k */
static double step_response(double t) {
    const double a = 0.15, w = sqrt(25 - a * a);
    return (1 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t))) / 50;
}

/* ... and to the ramp u = t, its integral: from x'' = (t - d x' - k x) / m */
static double ramp_response(double t) {
    const double a = 0.15, w = sqrt(25 - a * a), c = 2 * a / 25;
    return (t - c + exp(-a * t) * (c * cos(w * t) + (a * c - 1) / w * sin(w * t))) / 50;
}

static double error(const gos_linear *l, gos_transient scheme, int n, bool ramp) {
    double *u = test_malloc((size_t)n * sizeof *u), *y = test_malloc(3 * (size_t)n * sizeof *y);
    const double h = 4.0 / (n - 1);
    double worst = 0;
    for (int k = 0; k < n; k++) {
        u[k] = ramp ? h * k : 1;
    }
    need(gos_linear_transient(ctx, l, scheme, h, n, u, y));
    for (int k = 0; k < n; k++) {
        const double x = ramp ? ramp_response(h * k) : step_response(h * k);
        worst = fmax(worst, fabs(y[3 * k] - x));
        assert_true(y[3 * k + 2] == 3 * u[k]);
    }
    test_free(u);
    test_free(y);
    return worst;
}

/* outputs at every third point are those of all points, by both schemes */
static void test_every(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = oscillator();
    enum { N = 20, EVERY = 3, KEPT = 7 };
    const gos_transient schemes[] = {GOS_TRANSIENT_EXACT, GOS_TRANSIENT_IMPLICIT};
    double u[N], all[3 * N], kept[3 * KEPT + 1];
    for (int k = 0; k < N; k++) {
        u[k] = 1 + 0.1 * k * k;
    }
    for (int s = 0; s < 2; s++) {
        gos_transient used;
        kept[3 * KEPT] = 7; // not to be written
        need(gos_linear_transient(ctx, l, schemes[s], 0.1, N, u, all));
        need(gos__linear_transient(ctx, l, schemes[s], 0.1, N, EVERY, u, kept, &used));
        assert_int_equal(used, schemes[s]);
        for (int k = 0; k < 3 * KEPT; k++) {
            assert_true(kept[k] == all[3 * EVERY * (k / 3) + k % 3]);
        }
        assert_true(kept[3 * KEPT] == 7);
    }
    gos_linear_destroy(l);
}

/* exact with any step; the trapezoidal rule with error of second order */
static void test_oscillator(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = oscillator();
    for (int ramp = 0; ramp < 2; ramp++) {
        assert_true(error(l, GOS_TRANSIENT_EXACT, 9, ramp) < 1e-14);
        assert_true(error(l, GOS_TRANSIENT_AUTO, 500, ramp) < 1e-13);
        const double e1 = error(l, GOS_TRANSIENT_IMPLICIT, 201, ramp);
        const double e2 = error(l, GOS_TRANSIENT_IMPLICIT, 401, ramp);
        print_message("%s: trapezoidal errors %.2e, %.2e: order %.2f\n", ramp ? "ramp" : "step", e1,
                      e2, log2(e1 / e2));
        assert_true(e1 < 2e-3 && fabs(log2(e1 / e2) - 2) < 0.1);
    }
    gos_linear_destroy(l);
}

/* two masses held together by a constraint, q1 = q2, move like the oscillator; the temperature
   follows theta' = -0.5 theta + 0.2 x: with all in one vector, against the same model with one
   mass */
static void test_constraint(void **state) {
    GOS_UNUSED(state);
    gos_linear *two = make(&(gos_linear_size){.nq = 2, .nt = 1, .nc = 1, .nu = 1, .ny = 2});
    set(two, GOS_BLOCK_M, (double[]){1.5, 0, 0, 0.5});
    set(two, GOS_BLOCK_D, (double[]){0.6, 0, 0, 0});
    set(two, GOS_BLOCK_K, (double[]){0, 0, 0, 50});
    set(two, GOS_BLOCK_C, (double[]){1, -1});
    set(two, GOS_BLOCK_C_T, (double[]){1});
    set(two, GOS_BLOCK_K_T, (double[]){0.5});
    set(two, GOS_BLOCK_H_q, (double[]){-0.2, 0});
    set(two, GOS_BLOCK_B, (double[]){1, 0});
    set(two, GOS_BLOCK_Y_q, (double[]){0, 1, 0, 0});
    set(two, GOS_BLOCK_Y_T, (double[]){0, 1});
    need(gos__linear_close(two));
    enum { N = 401 };
    static double u[N], y[2][2 * N];
    for (int k = 0; k < N; k++) {
        u[k] = 1;
    }
    need(gos_linear_transient(ctx, two, GOS_TRANSIENT_EXACT, 0.01, N, u, y[0]));
    need(gos_linear_transient(ctx, two, GOS_TRANSIENT_IMPLICIT, 0.01, N, u, y[1]));
    double worst = 0, apart = 0;
    for (int k = 0; k < N; k++) {
        worst = fmax(worst, fabs(y[0][2 * k] - step_response(0.01 * k)));
        apart = fmax(apart, fabs(y[1][2 * k + 1] - y[0][2 * k + 1]));
    }
    print_message("constraint: exact %.1e, temperatures of the two schemes %.1e apart\n", worst,
                  apart);
    assert_true(worst < 1e-14);
    // theta(4) = int 0.2 e^(-0.5 (4 - t)) x(t) dt, by Simpson's rule
    double theta = 0;
    for (int k = 0; k <= 4000; k++) {
        const double weight = k % 4000 == 0 ? 1 : k % 2 ? 4 : 2;
        theta += weight * 1e-3 / 3 * 0.2 * exp(-0.5 * (4 - 1e-3 * k)) * step_response(1e-3 * k);
    }
    assert_true(fabs(y[0][2 * N - 1] - theta) < 1e-13);
    assert_true(apart < 4e-6); // the error of the motion, 2e-4 at twice the step, filtered
    gos_linear_destroy(two);
}

/* a potential is an algebraic unknown: 4 phi = u - q, q'' + 25 q = phi has 25.25 q at rest */
static void test_algebraic(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = make(&(gos_linear_size){.nq = 1, .nphi = 1, .nu = 1, .ny = 1});
    set(l, GOS_BLOCK_M, (double[]){1});
    set(l, GOS_BLOCK_K, (double[]){25});
    set(l, GOS_BLOCK_G_phi, (double[]){-1});
    set(l, GOS_BLOCK_K_phi, (double[]){4});
    set(l, GOS_BLOCK_H_phi, (double[]){1});
    set(l, GOS_BLOCK_B_phi, (double[]){1});
    set(l, GOS_BLOCK_Y_q, (double[]){1});
    need(gos__linear_close(l));
    enum { N = 2001 };
    static double u[N], y[N];
    for (int k = 0; k < N; k++) {
        u[k] = 1;
    }
    assert_int_equal(gos_linear_transient(ctx, l, GOS_TRANSIENT_EXACT, 1e-3, N, u, y),
                     GOS_E_SINGULAR);
    need(gos_linear_transient(ctx, l, GOS_TRANSIENT_AUTO, 1e-3, N, u, y));
    for (int k = 0; k < N; k++) {
        const double w2 = 25.25;
        assert_true(fabs(y[k] - 0.25 / w2 * (1 - cos(sqrt(w2) * 1e-3 * k))) <
                    3e-7); // w^3 h^2 t / 12
    }
    assert_int_equal(gos_linear_transient(ctx, l, GOS_TRANSIENT_AUTO, 0, N, u, y), GOS_E_USE);
    gos_linear_destroy(l);
}

/* y = q0 + q1, q0', q1 of two oscillators; without the second one, q'' + 400 q = u, its response to
   a step is missing: (1 - cos 20 t) / 400, of which the maximum is 2 / 400, the RMS over periods
   sqrt(1 + 1/2) / 400 */
static void test_time_error(void **state) {
    GOS_UNUSED(state);
    gos_linear *full = make(&(gos_linear_size){.nq = 2, .nu = 1, .ny = 3});
    set(full, GOS_BLOCK_M, (double[]){2, 0, 0, 1});
    set(full, GOS_BLOCK_D, (double[]){0.6, 0, 0, 0});
    set(full, GOS_BLOCK_K, (double[]){50, 0, 0, 400});
    set(full, GOS_BLOCK_B, (double[]){1, 1});
    set(full, GOS_BLOCK_Y_q, (double[]){1, 1, 0, 0, 0, 1});
    set(full, GOS_BLOCK_Y_v, (double[]){0, 0, 1, 0, 0, 0});
    need(gos__linear_close(full));
    gos_linear *part = oscillator(), *wide = NULL;
    set(part, GOS_BLOCK_Y_u, (double[]){0, 0, 0});
    enum { PER = 40, N = 10 * PER };
    const double h = acos(-1) / 10 / PER;
    double u[N], largest = 0, squares = 0;
    for (int k = 0; k < N; k++) {
        const double y = step_response(h * k) + (1 - cos(20 * h * k)) / 400;
        u[k] = 1;
        largest = fmax(largest, fabs(y));
        squares += y * y / N;
    }
    gos_time_error e[3];
    need(gos_linear_time_error(ctx, full, part, GOS_TRANSIENT_AUTO, h, N, u, e));
    print_message("max %.15g, RMS %.15g, at %.15g s\n", e[0].max, e[0].rms, e[0].worst);
    assert_true(fabs(e[0].max - 2.0 / 400) < 1e-14);
    assert_true(fabs(e[0].rms - sqrt(1.5) / 400) < 1e-14);
    assert_true(fabs(cos(20 * e[0].worst) + 1) < 1e-9);
    assert_true(fabs(e[0].largest - largest) < 1e-14);
    assert_true(fabs(e[0].relative - 2.0 / 400 / largest) < 1e-12);
    assert_true(fabs(e[0].relative_rms - sqrt(1.5 / squares) / 400) < 1e-12);
    assert_true(e[1].max < 1e-14 && e[1].largest > 0.05); // the velocity is the same
    assert_true(fabs(e[2].relative - 1) < 1e-12 &&
                fabs(e[2].relative_rms - 1) < 1e-12); // all missing
    // the other way round nothing has been there to compare with
    need(gos_linear_time_error(ctx, part, full, GOS_TRANSIENT_AUTO, h, N, u, e));
    assert_true(e[2].relative == HUGE_VAL && e[2].relative_rms == HUGE_VAL && e[2].largest == 0);
    assert_true(fabs(e[2].max - 2.0 / 400) < 1e-14);
    wide = make(&(gos_linear_size){.nq = 1, .nu = 1, .ny = 1});
    assert_int_equal(gos_linear_time_error(ctx, full, wide, GOS_TRANSIENT_AUTO, h, N, u, e),
                     GOS_E_INPUT);
    assert_int_equal(gos_linear_time_error(ctx, full, part, GOS_TRANSIENT_AUTO, h, 0, u, e),
                     GOS_E_USE);
    u[3] = (double)NAN;
    assert_int_equal(gos_linear_time_error(ctx, full, part, GOS_TRANSIENT_AUTO, h, N, u, e),
                     GOS_E_NONFINITE);
    gos_linear_destroy(full);
    gos_linear_destroy(part);
    gos_linear_destroy(wide);
}

/* 4 phi = u - q, q'' + 25 q = phi and q'' + 25.25 q = u / 4 are the same: only the second one has
   exact steps */
static void make_pair(gos_linear *pair[2]) {
    gos_linear *a = make(&(gos_linear_size){.nq = 1, .nphi = 1, .nu = 1, .ny = 1});
    set(a, GOS_BLOCK_M, (double[]){1});
    set(a, GOS_BLOCK_K, (double[]){25});
    set(a, GOS_BLOCK_G_phi, (double[]){-1});
    set(a, GOS_BLOCK_K_phi, (double[]){4});
    set(a, GOS_BLOCK_H_phi, (double[]){1});
    set(a, GOS_BLOCK_B_phi, (double[]){1});
    set(a, GOS_BLOCK_Y_q, (double[]){1});
    need(gos__linear_close(a));
    gos_linear *b = make(&(gos_linear_size){.nq = 1, .nu = 1, .ny = 1});
    set(b, GOS_BLOCK_M, (double[]){1});
    set(b, GOS_BLOCK_K, (double[]){25.25});
    set(b, GOS_BLOCK_B, (double[]){0.25});
    set(b, GOS_BLOCK_Y_q, (double[]){1});
    need(gos__linear_close(b));
    pair[0] = a;
    pair[1] = b;
}

/* Few output times do not resolve the motion: without steps within steps it is wrong by its size.
 */
static void test_refined(void **state) {
    GOS_UNUSED(state);
    gos_linear *pair[2];
    enum { N = 6 };
    const double u[N] = {1, 1, 1, 1, 1, 1};
    double y[N], want[N], plain[N], off = 0, worse = 0;
    make_pair(pair);
    need(gos_linear_transient(ctx, pair[0], GOS_TRANSIENT_AUTO, 0.5, N, u, y));
    need(gos_linear_transient(ctx, pair[0], GOS_TRANSIENT_IMPLICIT, 0.5, N, u, plain));
    need(gos_linear_transient(ctx, pair[1], GOS_TRANSIENT_EXACT, 0.5, N, u, want));
    for (int k = 0; k < N; k++) {
        const double exactly = (1 - cos(sqrt(25.25) * 0.5 * k)) / 101;
        assert_true(fabs(want[k] - exactly) < 1e-14);
        off = fmax(off, fabs(y[k] - exactly) * 101 / 2);
        worse = fmax(worse, fabs(plain[k] - exactly) * 101 / 2);
    }
    print_message("error over the largest value: %.2e, %.2e with the output times as steps\n", off,
                  worse);
    assert_true(off < 3e-3 && worse > 0.3);
    // 2 10^6 oscillations in 5 32768 steps
    const int before = gos_ctx_ndiag(ctx);
    need(gos_linear_transient(ctx, pair[0], GOS_TRANSIENT_AUTO, 5e5, N, u, y));
    assert_int_equal(gos_ctx_ndiag(ctx), before + 1);
    assert_non_null(strstr(gos_ctx_diag(ctx, before)->text, "steps of 15.3 s change an output"));
    gos_linear_destroy(pair[0]);
    gos_linear_destroy(pair[1]);
}

/* trapezoidal steps of one of the models alone would make a difference of 1e-5 */
static void test_time_error_scheme(void **state) {
    GOS_UNUSED(state);
    gos_linear *pair[2];
    make_pair(pair);
    gos_linear *a = pair[0], *b = pair[1];
    enum { N = 2001 };
    static double u[N];
    for (int k = 0; k < N; k++) {
        u[k] = 1;
    }
    gos_time_error e[2];
    need(gos_linear_time_error(ctx, a, b, GOS_TRANSIENT_AUTO, 1e-3, N, u, &e[0]));
    need(gos_linear_time_error(ctx, b, a, GOS_TRANSIENT_AUTO, 1e-3, N, u, &e[1]));
    print_message("same scheme: %.2e, %.2e\n", e[0].relative, e[1].relative);
    assert_true(e[0].relative < 1e-9 && e[1].relative < 1e-9);
    assert_int_equal(gos_linear_time_error(ctx, b, a, GOS_TRANSIENT_EXACT, 1e-3, N, u, &e[1]),
                     GOS_E_SINGULAR);
    gos_linear_destroy(a);
    gos_linear_destroy(b);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_refined),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_constraint),
        cmocka_unit_test(test_algebraic),
        cmocka_unit_test(test_time_error),
        cmocka_unit_test(test_time_error_scheme),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
