/* Linear conditions solved for some of their unknowns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "linalg/ties.h"
#include "support/suite.h"

typedef struct row {
    int n, follows, unknown[4];
    double factor[4];
} row;

static void solve(int n, int nrow, const row *rows, const double *size, gos_sparse *T, int *given) {
    gos_ctx *ctx = gos_ctx_create();
    gos_conditions c = {.ctx = ctx};
    for (int i = 0; i < nrow; i++) {
        assert_int_equal(gos__conditions_begin(&c, rows[i].follows), GOS_OK);
        for (int k = 0; k < rows[i].n; k++) {
            assert_int_equal(gos__conditions_term(&c, rows[i].unknown[k], rows[i].factor[k]),
                             GOS_OK);
        }
    }
    assert_int_equal(gos__ties_solve(&c, n, size, T, given), GOS_OK);
    // x = T^T y fulfils every condition, for each y
    for (int y = 0; y < T->m; y++) {
        double x[8] = {0};
        for (int j = 0; j < n; j++) {
            for (int q = T->p[j]; q < T->p[j + 1]; q++) {
                x[j] += T->i[q] == y ? T->x[q] : 0;
            }
        }
        for (int i = 0; i < nrow; i++) {
            double sum = 0;
            for (int k = 0; k < rows[i].n; k++) {
                sum += rows[i].factor[k] * x[rows[i].unknown[k]];
            }
            assert_true(fabs(sum) < 1e-14);
        }
    }
    gos__conditions_free(&c);
    gos_ctx_destroy(ctx);
}

static void column(const gos_sparse *T, int j, int n, const int *i, const double *x) {
    assert_int_equal(T->p[j + 1] - T->p[j], n);
    for (int k = 0; k < n; k++) {
        assert_int_equal(T->i[T->p[j] + k], i[k]);
        assert_true(fabs(T->x[T->p[j] + k] - x[k]) < 1e-15);
    }
}

static const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

/* 0 follows 1, which follows 2 and 3, of which 3 stays 0: 0 and 1 are 2 times a factor */
static void test_chain(void **state) {
    GOS_UNUSED(state);
    static const row rows[] = {
        {2, 0, {0, 1}, {1, -2}}, {3, 1, {1, 2, 3}, {1, -3, 5}}, {1, -1, {3}, {1}}};
    gos_sparse T;
    int given;
    solve(5, 3, rows, ones, &T, &given);
    assert_true(T.m == 2 && T.n == 5 && given == 0);
    column(&T, 0, 1, (int[]){0}, (double[]){6});
    column(&T, 1, 1, (int[]){0}, (double[]){3});
    column(&T, 2, 1, (int[]){0}, (double[]){1});
    column(&T, 3, 0, NULL, NULL);
    column(&T, 4, 1, (int[]){1}, (double[]){1});
    gos_ctx *ctx = gos_ctx_create();
    gos__sparse_free(ctx, &T);
    gos_ctx_destroy(ctx);
}

/* What is said twice, in a ring and by a sum that rounds, counts once; an unknown that follows
 * twice leads another one. */
static void test_twice(void **state) {
    GOS_UNUSED(state);
    static const row rows[] = {{2, 0, {0, 1}, {1, -0.1}},     {2, 1, {1, 2}, {1, -0.3}},
                               {2, 2, {2, 0}, {0.03, -1}},    {2, 0, {0, 1}, {3, -0.3}},
                               {3, 0, {0, 1, 3}, {1, 1, -1}}, {4, 3, {0, 1, 2, 3}, {1, 1, 0, -1}}};
    gos_sparse T;
    int given;
    solve(4, 6, rows, ones, &T, &given);
    assert_true(T.m == 1 && given == 3);
    column(&T, 2, 1, (int[]){0}, (double[]){1});
    column(&T, 3, 1, (int[]){0}, (double[]){0.33});
    gos_ctx *ctx = gos_ctx_create();
    gos__sparse_free(ctx, &T);
    gos_ctx_destroy(ctx);
}

/* a factor that is nothing beside the others, by the sizes of their unknowns, is not solved for */
static void test_weak(void **state) {
    GOS_UNUSED(state);
    static const row rows[] = {{2, 0, {0, 1}, {1e-9, 1}}};
    static const double size[] = {1, 1}, large[] = {1e9, 1};
    gos_sparse T;
    gos_ctx *ctx = gos_ctx_create();
    solve(2, 1, rows, size, &T, NULL);
    column(&T, 0, 1, (int[]){0}, (double[]){1});
    column(&T, 1, 1, (int[]){0}, (double[]){-1e-9});
    gos__sparse_free(ctx, &T);
    solve(2, 1, rows, large, &T, NULL);
    column(&T, 1, 1, (int[]){0}, (double[]){1});
    gos__sparse_free(ctx, &T);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_weak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
