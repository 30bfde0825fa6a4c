/* One right side by LAPACK's factors, of all sizes around the columns that are taken together, against LAPACK's own routine and the
   matrix itself. */
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

static double random_number(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 33) / 1073741824.0 - 1;
}

static void check(int n, uint64_t *seed) {
    const size_t all = (size_t)n * (size_t)n;
    double *A = malloc((all + 1) * sizeof *A), *lu = malloc((all + 1) * sizeof *lu);
    double *x = malloc(((size_t)n + 1) * sizeof *x), *y = malloc(((size_t)n + 1) * sizeof *y);
    double *b = malloc(((size_t)n + 1) * sizeof *b);
    int *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
    for (size_t i = 0; i < all; i++) {
        A[i] = lu[i] = random_number(seed);
    }
    for (int i = 0; i < n; i++) {
        b[i] = x[i] = y[i] = random_number(seed);
    }
    x[n] = 7; // nothing behind the end is touched
    assert_int_equal(LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, lu, n > 0 ? n : 1, pivot), 0);
    assert_int_equal(
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, lu, n > 0 ? n : 1, pivot, y, n > 0 ? n : 1), 0);
    gos__kernel_lu_solve(n, lu, pivot, x);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
