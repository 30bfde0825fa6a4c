/* Bodies of matrices in runs: closed forms with their order of convergence, the same matrices by
   other roads, energy balance, linearisation back to the matrices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"
/* uses it */
#include "support/matrix_files.h"

#define COUNT(x) ((int)(sizeof(x) / sizeof(x)[0]))

/* ---- one coordinate -------------------------------------------------------------------------- */

static const double one[] = {1};

/* q'' + 4 q = sin t from q = 0.1: q = 0.1 cos 2t + (sin t - sin 2t / 2) / 3 */
static double error_of_one(const char *settings, double *balance) {
    verify v;
    gos_energy e;
    matrix_model(&v,
                 "bodies:\n"
                 "  mass: {type: matrices, M: one.mtx, K: four.mtx, B: one.mtx, C: one.mtx,\n"
                 "         q0: [0.1]}\n"
                 "loads: {push: {type: input, on: mass.u1, value: 'sin(t)'}}\n"
                 "probes: {x: {quantity: output, at: mass.y1}}\n"
                 "analysis: {end: 3}\n",
                 settings);
    verify_run(&v);
    const double t = 3, want = 0.1 * cos(2 * t) + (sin(t) - 0.5 * sin(2 * t)) / 3;
    const double error = fabs(verify_value(&v, NULL, "x.value") - want);
    gos_system_energy(v.sys, v.state, &e);
    *balance = fabs(e.balance);
    // energies of the closed form: 2 q^2, q'^2 / 2
    const double qd = -0.2 * sin(2 * t) + (cos(t) - cos(2 * t)) / 3;
    assert_true(fabs(e.strain - 2 * want * want) < 4.1 * fabs(want) * error + 1e-12);
    assert_true(fabs(e.kinetic - 0.5 * qd * qd) < 3 * error + 1e-12);
    verify_close(&v);
    return error;
}

static void test_one(void **state) {
    const double four[] = {4};
    double ba, bb;
    (void)state;
    matrix_write("one", 1, 1, one);
    matrix_write("four", 1, 1, four);
    const double a = error_of_one("analysis.step=0.02", &ba);
    const double b = error_of_one("analysis.step=0.01", &bb);
    verify_below("one coordinate, error at 10 ms", b, 1e-4);
    verify_within("order of the error", verify_order(a, b, 2), 1.9, 2.1);
    verify_within("order of the energy balance", verify_order(ba, bb, 2), 1.8, 2.3);
    // the tolerance refers to the extent, 1; an oscillator keeps what every step leaves
    verify_below("error with tolerance 1e-6", error_of_one("analysis.tolerance=1e-6", &ba), 3e-6);
    // coordinates a million times smaller in another unit, and told so: as many digits
    const double tiny = error_of_one("analysis.tolerance=1e-3", &ba);
    const double told = error_of_one("analysis.tolerance=1e-3 bodies.mass.scale=1e-3", &ba);
    verify_within("gain by a scale of 1e-3", tiny / told, 100, 1e5);
}

/* ---- unsymmetric, damped, with constraint ---------------------------------------------------- */

/* 4 coordinates, which do not fit three to a vector; M, D, K without any symmetry */
static const double M4[] = {2, 0.1, 0, 0, 0.3, 1, 0, 0.2, 0, 0, 1.5, 0, 0, 0.1, 0, 1};
static const double D4[] = {0.2, 1, 0, 0, -1, 0.1, 0, 0, 0, 0.1, 0.3, 0, 0, 0, 0, 0.2};
static const double K4[] = {9, -4, 0, 0.2, -3, 8, -4, 0, 0, -4, 7, -1, 0, 0, -2, 5};
static const double B4[] = {1, 0, 0, 0.5, 0, 0, 0.25, -1};
static const double C4[] = {1, 0, 0, 2, 0, 0, -1, 0};
static const double V4[] = {0, 0.5, 0, 0, 1, 0, 0, 0};
static const double F4[] = {0, 0.5, 0, 0};

static const char four_text[] =
    "bodies:\n"
    "  part: {type: matrices, M: M.mtx, D: D.mtx, K: K.mtx, B: B.mtx, C: C.mtx, C_v: V.mtx,\n"
    "         F: F.mtx, inputs: [roll, yaw], outputs: [tip, rest]}\n"
    "loads:\n"
    "  a: {type: input, on: part.roll, value: 'sin(3*t)'}\n"
    "  b: {type: input, on: part.yaw, value: 't'}\n"
    "probes:\n"
    "  tip: {quantity: output, at: part.tip}\n"
    "  rest: {quantity: output, at: part.rest}\n"
    "analysis: {end: 2}\n";

static void write_four(void) {
    matrix_write("M", 4, 4, M4);
    matrix_write("D", 4, 4, D4);
    matrix_write("K", 4, 4, K4);
    matrix_write("B", 4, 2, B4);
    matrix_write("C", 2, 4, C4);
    matrix_write("V", 2, 4, V4);
    matrix_write("F", 2, 2, F4);
}

static double entry(const gos_linear *l, gos_block block, int i, int j) {
    gos_matrix_view A;
    double sum = 0;
    gos_linear_block(l, block, &A);
    assert_true(i < A.rows && j < A.columns);
    for (int k = A.start[j]; k < A.start[j + 1]; k++) {
        sum += A.row[k] == i ? A.value[k] : 0;
    }
    return sum;
}

static double difference(const gos_linear *l, gos_block block, int m, int n, const double *A) {
    double most = 0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            most = fmax(most, fabs(entry(l, block, i, j) - A[i * n + j]));
        }
    }
    return most;
}

/* linearised through residuals and Newton matrix: the very matrices, then the padding */
static void test_linearised(void **state) {
    (void)state;
    verify v;
    gos_linear *l;
    gos_linear_info info;
    write_four();
    matrix_model(&v, four_text, NULL);
    assert_false(gos_system_linear(v.sys));
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    gos_linear_info_get(l, &info);
    assert_int_equal(info.coordinates, 6);
    assert_int_equal(info.constraints, 2);
    const struct {
        gos_block block;
        int m, n;
        const double *A;
    } want[] = {{GOS_BLOCK_M, 4, 4, M4},  {GOS_BLOCK_D, 4, 4, D4},   {GOS_BLOCK_K, 4, 4, K4},
                {GOS_BLOCK_B, 4, 2, B4},  {GOS_BLOCK_Y_q, 2, 4, C4}, {GOS_BLOCK_Y_v, 2, 4, V4},
                {GOS_BLOCK_Y_u, 2, 2, F4}};
    for (int i = 0; i < COUNT(want); i++) {
        verify_below("a block differs by",
                     difference(l, want[i].block, want[i].m, want[i].n, want[i].A), 1e-15);
    }
    assert_string_equal(gos_linear_input(l, 0).name, "a");
    assert_string_equal(gos_linear_output(l, 1).name, "rest.value");
    gos_linear_destroy(l);
    verify_close(&v);
}

/* outputs at n points of time 2 / n apart, by the exponential of the matrices; roll is taken as
   linear between them, which leaves an error of 9 h^2 / 8 of it */
static void exact_outputs(gos_ctx *ctx, int n, double *y) {
    static const char alone[] =
        "bodies: {part: {type: matrices, M: M.mtx, D: D.mtx, K: K.mtx, B: B.mtx, C: C.mtx,\n"
        "                C_v: V.mtx, F: F.mtx}}\n";
    verify v;
    gos_linear *l;
    double *u = test_calloc(2 * (size_t)n + 2, sizeof *u);
    (void)ctx;
    matrix_model(&v, alone, NULL);
    assert_true(gos_system_linear(v.sys));
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    for (int i = 0; i <= n; i++) {
        u[2 * i] = sin(6.0 * i / n);
        u[2 * i + 1] = 2.0 * i / n;
    }
    verify_good(&v, gos_linear_transient(v.ctx, l, GOS_TRANSIENT_AUTO, 2.0 / n, n + 1, u, y));
    gos_linear_destroy(l);
    test_free(u);
    verify_close(&v);
}

static void test_transient(void **state) {
    enum { N = 4000 };
    static double y[2 * N + 2];
    double error[2], balance[2];
    (void)state;
    write_four();
    exact_outputs(NULL, N, y);
    for (int k = 0; k < 2; k++) {
        verify v;
        gos_energy e;
        matrix_model(&v, four_text, k ? "analysis.step=0.005" : "analysis.step=0.01");
        verify_run(&v);
        const double a = verify_value(&v, NULL, "tip.value") - y[2 * N];
        const double b = verify_value(&v, NULL, "rest.value") - y[2 * N + 1];
        error[k] = hypot(a, b);
        gos_system_energy(v.sys, v.state, &e);
        balance[k] = fabs(e.balance) / e.kinetic;
        verify_close(&v);
    }
    verify_below("four coordinates at 5 ms after the exponential", error[1], 1e-4);
    verify_within("order of the error", verify_order(error[0], error[1], 2), 1.9, 2.1);
    verify_below("energy balance without symmetry, over kinetic", balance[1], 1e-3);
    verify_within("its order", verify_order(balance[0], balance[1], 2), 1.8, 2.3);
}

/* the rate that files store of an output, by the difference of its values */
static void test_rate(void **state) {
    (void)state;
    verify v;
    double y[GOS_PROBE_MAX], r[GOS_PROBE_MAX], after[GOS_PROBE_MAX], before[GOS_PROBE_MAX];
    write_four();
    matrix_model(&v, four_text, "analysis.step=1e-3");
    verify_start(&v);
    (void)verify_at(&v, 0.999);
    verify_probe(&v, NULL, "tip", before);
    verify_good(&v, gos_integrator_step(v.run, 2));
    verify_good(&v, gos_system_probe(v.ctx, v.sys, v.state, verify_find(&v, "tip"), y, r));
    verify_good(&v, gos_integrator_step(v.run, 2));
    verify_probe(&v, NULL, "tip", after);
    verify_near("rate of an output", r[0], (after[0] - before[0]) / 2e-3, 1e-4);
    verify_close(&v);
}

/* two masses that a row of G ties: x1 + 2 x2 + x4 = 0, K with x2 and x4 only */
static void test_constraint(void **state) {
    (void)state;
    static const double I[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double K[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3};
    static const double G[] = {1, 2, 0, 1};
    verify v;
    gos_linear *l;
    gos_linear_info info;
    matrix_write("M", 4, 4, I);
    matrix_write("K", 4, 4, K);
    matrix_write("G", 1, 4, G);
    matrix_write("C", 4, 4, I);
    matrix_write("B", 4, 4, I);
    matrix_model(
        &v,
        "bodies: {part: {type: matrices, M: M.mtx, K: K.mtx, G: G.mtx, B: B.mtx, C: C.mtx}}\n"
        "loads: {f: {type: input, on: part.u1, value: 6e6}}\n"
        "probes:\n"
        "  a: {quantity: output, at: part.y1}\n"
        "  b: {quantity: output, at: part.y2}\n"
        "  d: {quantity: output, at: part.y4}\n"
        "analysis: {type: static}\n",
        NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    gos_linear_info_get(l, &info);
    assert_int_equal(info.constraints, 3);
    gos_linear_destroy(l);
    // force 6e6 on x1 is the multiplier, x2 = -2 lam / 1, x4 = -lam / 3, x1 = -2 x2 - x4: far
    // beyond the scale
    verify_static(&v);
    verify_near("x2 at rest", verify_value(&v, NULL, "b.value"), -12e6, 1e-3);
    verify_near("x4 at rest", verify_value(&v, NULL, "d.value"), -2e6, 1e-3);
    verify_near("x1 at rest", verify_value(&v, NULL, "a.value"), 26e6, 1e-3);
    verify_close(&v);
}

/* ---- first order ----------------------------------------------------------------------------- */

/* 2 x1' = -x1 + x2, x2' = -x2 + u: with u = 1, x(0) = (1, 0):
   x2 = 1 - e^-t, x1 = 1 + e^-t - e^(-t/2) */
static double error_of_heat(const char *settings) {
    static const double E[] = {2, 0, 0, 1}, A[] = {-1, 1, 0, -1}, B[] = {0, 1};
    static const double C[] = {1, 0, 1, 0}, F[] = {0, 3};
    verify v;
    gos_linear *l;
    matrix_write("E", 2, 2, E);
    matrix_write("A", 2, 2, A);
    matrix_write("B", 2, 1, B);
    matrix_write("C", 2, 2, C);
    matrix_write("F", 2, 1, F);
    matrix_model(&v,
                 "bodies:\n"
                 "  bar: {type: matrices, E: E.mtx, A: A.mtx, B: B.mtx, C: C.mtx, F: F.mtx,\n"
                 "        inputs: power, q0: [1, 0]}\n"
                 "loads: {p: {type: input, on: bar.power, value: 1}}\n"
                 "probes:\n"
                 "  x: {quantity: output, at: bar.y1}\n"
                 "  z: {quantity: output, at: bar.y2}\n"
                 "analysis: {end: 1.5}\n",
                 settings);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    static const double S[] = {1, -1, 0, 1};
    assert_true(difference(l, GOS_BLOCK_C_T, 2, 2, E) == 0);
    assert_true(difference(l, GOS_BLOCK_K_T, 2, 2, S) == 0);
    assert_true(difference(l, GOS_BLOCK_B_T, 2, 1, B) < 1e-15);
    assert_true(difference(l, GOS_BLOCK_Y_T, 2, 2, C) == 0);
    assert_true(difference(l, GOS_BLOCK_Y_u, 2, 1, F) == 0);
    gos_linear_destroy(l);
    verify_run(&v);
    const double x = verify_value(&v, NULL, "x.value"), want = 1 + exp(-1.5) - exp(-0.75);
    assert_true(fabs(verify_value(&v, NULL, "z.value") - x - 3) < 1e-14);
    verify_close(&v);
    return fabs(x - want);
}

static void test_first_order(void **state) {
    (void)state;
    const double a = error_of_heat("analysis.step=0.05"), b = error_of_heat("analysis.step=0.025");
    verify_below("first order, error at 25 ms", b, 1e-4);
    verify_within("its order", verify_order(a, b, 2), 1.9, 2.1);
    verify_below("first order, tolerance 1e-5", error_of_heat("analysis.tolerance=1e-5"), 1e-5);
    // at rest x = 1
    verify v;
    matrix_model(&v,
                 "bodies: {bar: {type: matrices, E: E.mtx, A: A.mtx, B: B.mtx, C: C.mtx}}\n"
                 "loads: {p: {type: input, on: bar.u1, value: 5}}\n"
                 "probes: {x: {quantity: output, at: bar.y1}}\n"
                 "analysis: {type: static}\n",
                 NULL);
    verify_static(&v);
    verify_near("first order at rest", verify_value(&v, NULL, "x.value"), 5, 1e-12);
    verify_close(&v);
}

/* ---- reduced --------------------------------------------------------------------------------- */

/* rotation_closed keeps matrices as they are: the same run, also of first order */
static void test_reduced(void **state) {
    (void)state;
    static const double E[] = {2, 0, 0, 1}, A[] = {-1, 1, 0, -1}, b[] = {0, 1}, c[] = {1, 0};
    static const char text[] =
        "bodies:\n"
        "  bar: {type: matrices, E: E.mtx, A: A.mtx, B: b.mtx, C: c.mtx, q0: [1, 0]}\n"
        "  part: {type: matrices, M: M.mtx, D: D.mtx, K: K.mtx, B: B.mtx, C: C.mtx, C_v: V.mtx,\n"
        "         F: F.mtx, q0: [0.1, 0, 0, -0.2], v0: [0, 1, 0, 0]}\n"
        "loads:\n"
        "  a: {type: input, on: [part.u1, bar.u1], value: 'sin(3*t)'}\n"
        "probes:\n"
        "  x: {quantity: output, at: bar.y1}\n"
        "  tip: {quantity: output, at: part.y1}\n"
        "analysis: {end: 1, step: 0.01}\n";
    verify v;
    gos_system *small;
    gos_state *x;
    gos_integrator *run;
    gos_energy full, reduced;
    double y[2];
    write_four();
    matrix_write("E", 2, 2, E);
    matrix_write("A", 2, 2, A);
    matrix_write("b", 2, 1, b);
    matrix_write("c", 1, 2, c);
    matrix_model(&v, text, NULL);
    verify_run(&v);
    gos_system_energy(v.sys, v.state, &full);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
    verify_good(&v, gos_state_create(v.ctx, small, &x));
    verify_good(&v, gos_integrator_create(v.ctx, small, &v.opt, x, &run));
    while (gos_state_time(x) < 1) {
        verify_good(&v, gos_integrator_step(run, 1));
    }
    for (int i = 0; i < 2; i++) {
        verify_good(&v, gos_system_probe(v.ctx, small, x, i, &y[i], NULL));
    }
    gos_system_energy(small, x, &reduced);
    verify_near("state of a reduced run", y[0], verify_value(&v, NULL, "x.value"), 1e-12);
    verify_near("output of a reduced run", y[1], verify_value(&v, NULL, "tip.value"), 1e-12);
    verify_near("its strain energy", reduced.strain, full.strain, 1e-12);
    verify_near("its kinetic energy", reduced.kinetic, full.kinetic, 1e-12);
    verify_near("its balance", reduced.balance, full.balance, 1e-12);
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    gos_system_destroy(small);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),        cmocka_unit_test(test_linearised),
        cmocka_unit_test(test_transient),  cmocka_unit_test(test_rate),
        cmocka_unit_test(test_constraint), cmocka_unit_test(test_first_order),
        cmocka_unit_test(test_reduced),
    };
    return cmocka_run_group_tests(tests, matrix_folder_make, matrix_folder_remove);
}
SUITE(suite)
