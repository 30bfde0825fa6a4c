/* One right side by LAPACK's factors, of all sizes around the columns that are taken together,
   against LAPACK's own routine and the matrix itself; a matrix times a vector against the sums
   written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/solver.h"
#include "support/random.h"
#include "support/suite.h"

static void check(int n, uint64_t *seed) {
    const size_t all = (size_t)n * (size_t)n;
    double *A = malloc((all + 1) * sizeof *A), *lu = malloc((all + 1) * sizeof *lu);
    double *x = malloc(((size_t)n + 1) * sizeof *x), *y = malloc(((size_t)n + 1) * sizeof *y);
    double *b = malloc(((size_t)n + 1) * sizeof *b);
    int *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
    for (size_t i = 0; i < all; i++) {
        A[i] = lu[i] = random_uniform(seed);
    }
    for (int i = 0; i < n; i++) {
        b[i] = x[i] = y[i] = random_uniform(seed);
    }
    x[n] = 7; // nothing behind the end is touched
    assert_int_equal(LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, lu, n > 0 ? n : 1, pivot), 0);
    assert_int_equal(
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, lu, n > 0 ? n : 1, pivot, y, n > 0 ? n : 1), 0);
    gos__kernel_lu_solve(n, lu, n, pivot, x);
    double size = 0, growth = 1;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(y[i]));
        growth = fmax(growth, fabs(lu[(size_t)i * (size_t)n + (size_t)i]));
    }
    for (int i = 0; i < n; i++) { // both are backward stable: n eps growth |A| |x|
        double r = -b[i];
        for (int j = 0; j < n; j++) {
            r += A[(size_t)j * (size_t)n + (size_t)i] * x[j];
        }
        assert_true(fabs(r) <= 1e-15 * n * n * growth * size);
        assert_true(fabs(x[i] - y[i]) <= 1e-9 * size);
    }
    assert_true(x[n] == 7);
    free(A);
    free(lu);
    free(x);
    free(y);
    free(b);
    free(pivot);
}

static void test_sizes(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n <= 40; n++) {
        check(n, &seed);
    }
    check(147, &seed);
    check(301, &seed);
}

/* columns further apart than they are long give the same solution to the bit */
static void test_apart(void **state) {
    (void)state;
    enum { N = 13, LEAD = 16 };
    uint64_t seed = 3;
    double lu[N * N], wide[LEAD * N], x[N], y[N];
    int pivot[N];
    for (int i = 0; i < N * N; i++) {
        lu[i] = random_uniform(&seed);
    }
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = random_uniform(&seed);
    }
    assert_int_equal(LAPACKE_dgetrf(LAPACK_COL_MAJOR, N, N, lu, N, pivot), 0);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < LEAD; i++) {
            wide[j * LEAD + i] = i < N ? lu[j * N + i] : (double)NAN;
        }
    }
    gos__kernel_lu_solve(N, lu, N, pivot, x);
    gos__kernel_lu_solve(N, wide, LEAD, pivot, y);
    assert_memory_equal(x, y, sizeof x);
}

/* every count of rows around whole vectors; what is behind the rows may be anything and spoils none
 * of them */
static void check_times(int n, int ncol, uint64_t *seed) {
    const int lead = gos__kernel_lead(n);
    assert_true(lead >= n && lead % 8 == 0 && lead < n + 16);
    const size_t all = (size_t)lead * (size_t)ncol + 8;
    double *A = aligned_alloc(64, all * sizeof *A), *x = malloc(((size_t)ncol + 1) * sizeof *x);
    double *y = aligned_alloc(64, ((size_t)lead + 8) * sizeof *y);
    for (int j = 0; j < ncol; j++) {
        x[j] = random_uniform(seed);
        for (int i = 0; i < lead; i++) {
            A[(size_t)j * (size_t)lead + (size_t)i] = i < n ? random_uniform(seed) : (double)NAN;
        }
    }
    y[lead] = 7;
    gos__kernel_times(n, ncol, A, lead, x, y);
    for (int i = 0; i < n; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < ncol; j++) {
            const double term = A[(size_t)j * (size_t)lead + (size_t)i] * x[j];
            sum += term;
            size += fabs(term);
        }
        assert_true(fabs(y[i] - sum) <= 2.3e-16 * (ncol + 1) * size); // rounding of ncol sums
    }
    assert_true(y[lead] == 7);
    free(A);
    free(x);
    free(y);
}

static void test_times(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int n = 0; n <= 75; n++) {
        check_times(n, n % 7, &seed);
        check_times(n, 31, &seed);
    }
    check_times(128, 128, &seed);
    check_times(148, 60, &seed);
    assert_int_equal(gos__kernel_lead(64), 64);
    assert_int_equal(gos__kernel_lead(121), 136); // 128 would meet in the cache
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
