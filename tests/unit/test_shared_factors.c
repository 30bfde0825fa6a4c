/* Matrices that like runs begin with: the first one is factorised once for all that have the same,
   bit for bit; others, also of another pattern, and one without factors, are not shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "gossamer/gossamer.h"
#include "solve/shared_factors.h"
#include "support/suite.h"

enum { N = 3 };

static const gos_pattern dense = {.n = N, .nnz = N * N, .dense = true};

static gos_solver *ask(gos_shared_factors *s, const gos_pattern *pattern, const double *values) {
    gos_solver *solver;
    assert_int_equal(gos__shared_factors_begin(s, pattern, values, &solver), GOS_OK);
    return solver;
}

static void test_first(void **state) {
    (void)state;
    static const unsigned char group[N] = {0, 0, 1};
    gos_ctx *ctx = gos_ctx_create();
    gos_shared_factors *s;
    assert_int_equal(gos__shared_factors_create(ctx, &s), GOS_OK);
    double A[N * N] = {4, 1, 0, 1, 3, 1, 0, 1, 2}, x[N] = {5, 5, 3};
    gos_pattern two = dense;
    two.group = group;
    gos_solver *first = ask(s, &dense, A);
    assert_non_null(first);
    assert_ptr_equal(ask(s, &dense, A), first);
    assert_null(ask(s, &two, A));
    gos__solver_solve(first, x);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(x[i] - 1) < 1e-15 * N * N);
    }
    A[4] = nextafter(A[4], 4);
    assert_null(ask(s, &dense, A));
    gos_pattern sparse = dense;
    sparse.dense = false;
    assert_null(ask(s, &sparse, A));
    gos__shared_factors_destroy(s);
    gos_ctx_destroy(ctx);
}

static void test_singular(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_shared_factors *s;
    assert_int_equal(gos__shared_factors_create(ctx, &s), GOS_OK);
    const double A[N * N] = {1, 2, 0, 2, 4, 0, 0, 0, 1};
    assert_null(ask(s, &dense, A));
    assert_null(ask(s, &dense, A));
    gos__shared_factors_destroy(s);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first),
                                       cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
