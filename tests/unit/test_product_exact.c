/* Products with sums of 24 digits: what cancels leaves its true value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "linalg/sparse.h"
#include "support/random.h"
#include "support/suite.h"

enum { N = 40 };

/* a matrix of full columns, entries from 1e-8 to 1e8 */
static void fill(gos_ctx *ctx, gos_sparse *A) {
    uint64_t state = 7;
    assert_int_equal(gos__sparse_alloc(ctx, N, N, N * N, A), GOS_OK);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            A->i[j * N + i] = i;
            A->x[j * N + i] = random_uniform(&state) * pow(10, (i * 7 + j * 3) % 17 - 8);
        }
        A->p[j + 1] = (j + 1) * N;
    }
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < j; i++) {
            A->x[i * N + j] = A->x[j * N + i];
        }
    }
}

/* what is left of sums that cancel 1e10 times is as good as that of sums that do not */
static void test_cancellation(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_sparse A;
    fill(ctx, &A);
    enum { COLUMNS = 11 }; // more than a panel
    static double X[COLUMNS * N], Y[COLUMNS * N], plain[COLUMNS * N];
    static _Alignas(64) double panel[8 * N];
    uint64_t state = 3;
    for (int k = 0; k < COLUMNS; k++) {
        for (int i = 0; i < N; i++) {
            X[k * N + i] = random_uniform(&state);
        }
        // the last unknown makes the sum of row k vanish, but for round-off of the quotient
        double sum = 0;
        for (int i = 0; i < N - 1; i++) {
            sum += A.x[k * N + i] * X[k * N + i];
        }
        X[k * N + N - 1] = -sum / A.x[k * N + N - 1];
    }
    gos__sparse_apply_exact(&A, COLUMNS, X, Y, panel);
    gos__sparse_apply_symmetric(&A, COLUMNS, X, plain, panel);
    double worst = 0, ordinary = 0;
    for (int k = 0; k < COLUMNS; k++) {
        for (int j = 0; j < N; j++) {
            long double hi = 0, size = 0;
            double s = 0, c = 0; // products and sums with their errors, by fma
            for (int i = 0; i < N; i++) {
                const double a = A.x[j * N + i], x = X[k * N + i], p = a * x, e = fma(a, x, -p);
                const double t = s + p, b = t - s;
                c += ((s - (t - b)) + (p - b)) + e;
                s = t;
                size += fabsl((long double)a * (long double)x);
            }
            hi = (long double)s + (long double)c;
            // one rounding of the result, and 79 bits of sums of N products
            const double scale = (double)(fabsl(hi) + 4 * N * 0x1p-26L * size);
            worst = fmax(worst, fabs((double)((long double)Y[k * N + j] - hi)) / scale);
            ordinary = fmax(ordinary, fabs((double)((long double)plain[k * N + j] - hi)) / scale);
        }
    }
    print_message("relative error %.1e, of an ordinary product %.1e\n", worst, ordinary);
    assert_true(worst < 2.3e-16);  // one rounding
    assert_true(ordinary > 1e-14); // the sums do cancel
    gos__sparse_free(ctx, &A);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cancellation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
