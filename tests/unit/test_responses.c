/* Right-hand sides that come again are not solved again. Which of them were solved is seen by
   another factorisation that takes the solver's place without a word: what is known stays with the
   first one, A; what is not is solved by B. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "solve/responses.h"
#include "support/random.h"
#include "support/suite.h"

enum { N = 24, KEPT = 12 };
#define ROUNDING 1e-12 // of solutions: condition below 1e2, 1e-16 each

static gos_ctx *ctx;
static gos_newton_solver *solver;
static gos_responses *known;
static double A[N * N], B[N * N]; // columns
static uint64_t seed;

static int setup(void **state) {
    GOS_UNUSED(state);
    static const gos_pattern pattern = {.n = N, .nnz = N * N, .dense = true};
    seed = 11;
    for (int i = 0; i < N * N; i++) {
        A[i] = random_uniform(&seed) + (i % (N + 1) ? 0 : 10);
        B[i] = random_uniform(&seed) + (i % (N + 1) ? 0 : 20);
    }
    ctx = gos_ctx_create();
    return gos__newton_solver_create(ctx, &pattern, NULL, &solver) ||
           gos__responses_create(ctx, N, &known) || gos__newton_solver_factor(solver, A, true);
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__responses_destroy(known);
    gos__newton_solver_destroy(solver);
    gos_ctx_destroy(ctx);
    return 0;
}

static void use(const double *matrix) {
    assert_int_equal(gos__newton_solver_factor(solver, matrix, true), GOS_OK);
}

static void respond(const double *b, double *x) {
    memcpy(x, b, N * sizeof *x);
    assert_int_equal(gos__responses_solve(known, solver, 0, x), GOS_OK);
}

static double size_of(const double *x) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* |matrix x - b| / |b|: a solution of b from any solver */
static double miss(const double *matrix, const double *x, const double *b) {
    double r[N];
    for (int i = 0; i < N; i++) {
        r[i] = -b[i];
        for (int j = 0; j < N; j++) {
            r[i] += matrix[j * N + i] * x[j];
        }
    }
    return size_of(r) / size_of(b);
}

static int how_many(void) {
    gos_walk only_counted = {0};
    gos__responses_give(known, &only_counted);
    return (int)(only_counted.n - 1) / N;
}

static void any(double *b) {
    for (int i = 0; i < N; i++) {
        b[i] = random_uniform(&seed);
    }
}

static void sum_of(int n, const double b[][N], double *x) {
    memset(x, 0, N * sizeof *x);
    for (int k = 0; k < n; k++) {
        const double part = 1e3 * random_uniform(&seed);
        for (int i = 0; i < N; i++) {
            x[i] += part * b[k][i];
        }
    }
}

/* ---- inside and outside ---------------------------------------------------------------------- */

static void test_inside(void **state) {
    GOS_UNUSED(state);
    double b[3][N], x[N], c[N];
    for (int k = 0; k < 3; k++) {
        any(b[k]);
        respond(b[k], x);
        assert_true(miss(A, x, b[k]) < ROUNDING);
    }
    use(B);
    for (int k = 0; k < 10; k++) {
        sum_of(3, (const double(*)[N])b, c);
        respond(c, x);
        assert_true(miss(A, x, c) < ROUNDING);
    }
    for (int i = 0; i < N; i++) { // entries that cancel leave rounding of what they are made of
        c[i] = b[0][i] - b[1][i] * b[0][4] / b[1][4];
    }
    c[4] = 0;
    respond(c, x);
    assert_int_equal(how_many(), 3);
    gos__responses_forget(known);
    respond(c, x);
    assert_true(miss(B, x, c) < ROUNDING);
}

/* A part that is not known is solved, and it alone: with c = s f + g, f known and g at right angles
   to it, the answer is s A^-1 f + B^-1 g. */
static void test_outside(void **state) {
    GOS_UNUSED(state);
    double f[N], g[N], c[N], x[N], of_f[N], of_g[N], dot = 0;
    any(f);
    any(g);
    respond(f, of_f);
    for (int i = 0; i < N; i++) {
        dot += f[i] * g[i] / (size_of(f) * size_of(f));
    }
    for (int i = 0; i < N; i++) {
        g[i] -= dot * f[i];
        c[i] = 3 * f[i] + 1e-6 * g[i];
        of_g[i] = g[i];
    }
    use(B);
    gos__newton_solver_solve(solver, of_g);
    respond(c, x);
    for (int i = 0; i < N; i++) {
        x[i] = (x[i] - 3 * of_f[i]) / 1e-6 - of_g[i];
    }
    assert_true(size_of(x) < 1e-8 * size_of(of_g)); // 1e-6 leaves ten of sixteen digits
    use(A);
    respond(g, x); // it is known since, by B
    assert_true(miss(B, x, g) < 1e-9);
}

/* A small entry may be all that a light part feels (a moment of 1e-6 N m beside forces of 1e6 N):
   it is not rounding of the large ones, although the norm suggests it. */
static void test_sizes(void **state) {
    GOS_UNUSED(state);
    double light[N * N] = {0}, b[N] = {0}, x[N];
    for (int i = 0; i < N; i++) {
        light[i * (N + 1)] = i == 5 ? 1e-6 : 1;
    }
    use(light);
    b[0] = b[1] = 1e6;
    b[5] = 1e-6;
    respond(b, x);
    assert_true(fabs(x[5] - 1) < 1e-12);
    b[5] = -2e-6;
    respond(b, x);
    assert_true(fabs(x[5] + 2) < 1e-9);
    assert_true(fabs(x[0] - 1e6) < 1e-6);
    b[1] = 0.5e6;
    b[5] = 3e-6;
    respond(b, x);
    assert_true(fabs(x[5] - 3) < 1e-9);
    assert_true(fabs(x[1] - 0.5e6) < 1e-6);
}

/* A guess leaves out what is small in each entry, and is the answer to the rest; what is more is
 * learned. */
static void test_loose(void **state) {
    GOS_UNUSED(state);
    double f[N], c[N], x[N];
    any(f);
    respond(f, x);
    for (int i = 0; i < N; i++) {
        c[i] = f[i] * (1 + (i % 2 ? 1e-3 : -1e-3));
    }
    memcpy(x, c, sizeof x);
    assert_int_equal(gos__responses_solve(known, solver, 3e-3, x), GOS_OK);
    assert_int_equal(how_many(), 1);
    double dot = 0;
    for (int i = 0; i < N; i++) {
        dot += f[i] * c[i] / (size_of(f) * size_of(f));
    }
    for (int i = 0; i < N; i++) {
        f[i] *= dot;
    }
    assert_true(miss(A, x, f) < ROUNDING); // the part along f
    assert_true(miss(A, x, c) > 1e-4);
    memcpy(x, c, sizeof x);
    assert_int_equal(gos__responses_solve(known, solver, 1e-4, x), GOS_OK);
    assert_int_equal(how_many(), 2);
    assert_true(miss(A, x, c) < ROUNDING);
}

/* ---- how many -------------------------------------------------------------------------------- */

static void test_many(void **state) {
    GOS_UNUSED(state);
    double b[3 * KEPT][N], x[N];
    for (int k = 0; k < 3 * KEPT; k++) { // more than the space has dimensions
        any(b[k]);
        respond(b[k], x);
        assert_true(miss(A, x, b[k]) < ROUNDING);
    }
    gos__responses_forget(known);
    for (int k = 0; k < KEPT; k++) {
        respond(b[k], x);
    }
    use(B);
    for (int k = 0; k < KEPT; k++) { // all twelve are known
        respond(b[k], x);
        assert_true(miss(A, x, b[k]) < ROUNDING);
    }
    respond(b[KEPT], x); // the next one takes the place of all
    respond(b[0], x);
    assert_true(miss(B, x, b[0]) < ROUNDING);
}

/* nothing requires nothing; what is not a number does not pass for nothing */
static void test_odd(void **state) {
    GOS_UNUSED(state);
    double b[N] = {0}, x[N];
    respond(b, x);
    assert_true(size_of(x) == 0);
    b[3] = 1e-300; // its square is nothing
    respond(b, x);
    assert_true(size_of(x) < 1e-299);
    b[3] = (double)NAN;
    respond(b, x);
    assert_true(isnan(size_of(x)));
}

/* ---- from one to the next -------------------------------------------------------------------- */

static void test_taken(void **state) {
    GOS_UNUSED(state);
    enum { ROOM = KEPT * N + 1 };
    double b[3][N], c[N], x[N], y[N], kept[ROOM];
    gos_walk give = {.at = kept}, take = {.at = kept, .most = ROOM, .takes = true};
    for (int k = 0; k < 3; k++) {
        any(b[k]);
        respond(b[k], x);
    }
    sum_of(3, (const double(*)[N])b, c);
    respond(c, x);
    gos__responses_give(known, &give);
    assert_int_equal(give.n, 1 + 3 * N);

    gos_responses *next;
    int count;
    assert_int_equal(gos__responses_create(ctx, N, &next), GOS_OK);
    const double *force = gos__responses_find(next, &take, &count);
    assert_int_equal(count, 3);
    assert_int_equal(gos__responses_take(next, solver, force, count), GOS_OK);
    use(B); // nothing of what follows is solved
    memcpy(y, c, sizeof y);
    assert_int_equal(gos__responses_solve(next, solver, 0, y), GOS_OK);
    assert_memory_equal(x, y, sizeof x);
    gos__responses_destroy(next);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_inside, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_loose, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_odd, setup, teardown),
        cmocka_unit_test_setup_teardown(test_taken, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
