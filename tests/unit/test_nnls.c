/* Non-negative least squares: exact recovery, the conditions of Kuhn and Tucker, early stopping,
   quadrature of polynomials, columns that depend on each other, nothing to do, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "linalg/nnls.h"
#include "support/random.h"
#include "support/suite.h"

#define M 40
#define N 60

static void product(int m, int n, const double *A, const double *w, double *y) {
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            y[i] += A[j * m + i] * w[j];
        }
    }
}

/* w >= 0, A^T r <= 0, and = 0 where w > 0 */
static void optimal(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    for (uint64_t seed = 1; seed < 30; seed++) {
        uint64_t s = seed;
        double A[M * N], b[M], w[N], r[M], left;
        int count;
        for (int i = 0; i < M * N; i++) {
            A[i] = 0.5 * random_uniform(&s) + 0.4;
        }
        for (int i = 0; i < M; i++) {
            b[i] = 3 * 0.5 * random_uniform(&s);
        }
        assert_int_equal(gos__nnls(ctx, M, N, A, b, 0, w, &count, &left), GOS_OK);
        product(M, N, A, w, r);
        double rr = 0, bb = 0;
        for (int i = 0; i < M; i++) {
            r[i] = b[i] - r[i];
            rr += r[i] * r[i];
            bb += b[i] * b[i];
        }
        assert_true(fabs(left - sqrt(rr / bb)) < 1e-10);
        for (int j = 0; j < N; j++) {
            double g = 0;
            for (int i = 0; i < M; i++) {
                g += A[j * M + i] * r[i];
            }
            count -= w[j] > 0;
            assert_true(w[j] >= 0 && g < 1e-9);
            assert_true(!(w[j] > 0) || fabs(g) < 1e-9);
        }
        assert_int_equal(count, 0);
    }
    gos_ctx_destroy(ctx);
}

/* b made of few columns is found again, and tau stops earlier */
static void recovery(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    uint64_t seed = 7;
    double A[M * N], b[M], w[N], given[N] = {0}, left;
    int count, few;
    for (int i = 0; i < M * N; i++) {
        A[i] = 0.5 * random_uniform(&seed);
    }
    for (int j = 0; j < 5; j++) {
        given[11 * j + 3] = j + 1;
    }
    product(M, N, A, given, b);
    assert_int_equal(gos__nnls(ctx, M, N, A, b, 1e-12, w, &count, &left), GOS_OK);
    assert_true(count >= 5 && count < 10); // others that entered first may keep round-off
    for (int j = 0; j < N; j++) {
        assert_true(fabs(w[j] - given[j]) < 1e-10);
    }
    assert_int_equal(gos__nnls(ctx, M, N, A, b, 0.5, w, &few, &left), GOS_OK);
    assert_true(few < count && left <= 0.5 && left > 0);
    gos_ctx_destroy(ctx);
}

/* integrals of polynomials of degree 0 .. 2n - 1 over 200 points: about n points do */
static void quadrature(void **state) {
    (void)state;
    enum { ROWS = 12, POINTS = 200 };
    gos_ctx *ctx = gos_ctx_create();
    static double A[ROWS * POINTS];
    double b[ROWS] = {0}, w[POINTS], left, total = 0;
    int count;
    for (int j = 0; j < POINTS; j++) {
        const double x = 2 * (j + 0.5) / POINTS - 1;
        double p0 = 1, p1 = x;
        for (int i = 0; i < ROWS; i++) { // Legendre
            A[j * ROWS + i] = p0;
            b[i] += p0 * 2 / POINTS;
            const double p2 = ((2 * i + 3) * x * p1 - (i + 1) * p0) / (i + 2);
            p0 = p1;
            p1 = p2;
        }
    }
    assert_int_equal(gos__nnls(ctx, ROWS, POINTS, A, b, 1e-13, w, &count, &left), GOS_OK);
    for (int j = 0; j < POINTS; j++) {
        assert_true(w[j] >= 0);
        total += w[j];
    }
    assert_true(count <= ROWS && left < 1e-12 && fabs(total - 2) < 1e-12);
    gos_ctx_destroy(ctx);
}

static void special(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    /* the same column twice, a column of 0, one that points away */
    const double A[] = {1, 2, 1, 2, 0, 0, -1, -2}, b[] = {2, 4}, none[] = {0, 0};
    const double away[] = {-1, 1};
    double w[4], left;
    int count;
    assert_int_equal(gos__nnls(ctx, 2, 4, A, b, 1e-14, w, &count, &left), GOS_OK);
    assert_int_equal(count, 1);
    assert_true(fabs(w[0] + w[1] - 2) < 1e-14 && w[2] == 0 && w[3] == 0 && left < 1e-14);
    assert_int_equal(gos__nnls(ctx, 2, 4, A, none, 1e-14, w, &count, &left), GOS_OK);
    assert_true(count == 0 && left == 0);
    assert_int_equal(gos__nnls(ctx, 2, 1, A, away, 0, w, &count, NULL), GOS_OK);
    assert_true(count == 1 && fabs(w[0] - 0.2) < 1e-14);
    assert_int_equal(gos__nnls(ctx, 2, 1, A + 6, b, 0, w, &count, &left), GOS_OK);
    assert_true(count == 0 && left == 1);
    gos_ctx_destroy(ctx);
}

/* many equations as few, in two helpings as the cubature does it: the same weights, the same
   residual as |A w - b| of the equations themselves */
static void compressed(void **state) {
    (void)state;
    enum { ROWS = 500, COLS = 23, CAP = 400 };
    gos_ctx *ctx = gos_ctx_create();
    static double A[ROWS * COLS], b[ROWS], Ab[CAP * (COLS + 1)], r[ROWS];
    double w[COLS], few[COLS], left, short_left, rr = 0, bb = 0, packed[(COLS + 1) * (COLS + 1)];
    int count, rows = 0;
    uint64_t seed = 3;
    for (int i = 0; i < ROWS * COLS; i++) {
        A[i] = 0.5 * random_uniform(&seed) + 0.1;
    }
    for (int i = 0; i < ROWS; i++) {
        b[i] = 0.5 * random_uniform(&seed) + 0.2;
    }
    for (int from = 0; from < ROWS; from += ROWS / 2) {
        for (int i = 0; i < ROWS / 2; i++, rows++) {
            for (int j = 0; j < COLS; j++) {
                Ab[j * CAP + rows] = A[j * ROWS + from + i];
            }
            Ab[COLS * CAP + rows] = b[from + i];
        }
        assert_int_equal(gos__nnls_compress(ctx, rows, COLS, Ab, CAP, &rows), GOS_OK);
        assert_int_equal(rows, COLS + 1);
    }
    for (int j = 0; j <= COLS; j++) {
        memcpy(packed + j * rows, Ab + j * CAP, (size_t)rows * sizeof(double));
    }
    assert_int_equal(gos__nnls(ctx, ROWS, COLS, A, b, 0, w, &count, &left), GOS_OK);
    assert_int_equal(
        gos__nnls(ctx, rows, COLS, packed, packed + COLS * rows, 0, few, &count, &short_left),
        GOS_OK);
    product(ROWS, COLS, A, few, r);
    for (int i = 0; i < ROWS; i++) {
        rr += (r[i] - b[i]) * (r[i] - b[i]);
        bb += b[i] * b[i];
    }
    assert_true(left > 0.1 && fabs(left - short_left) < 1e-13);
    assert_true(fabs(short_left - sqrt(rr / bb)) < 1e-13);
    for (int j = 0; j < COLS; j++) {
        assert_true(fabs(w[j] - few[j]) < 1e-12);
    }
    /* no more rows than columns: nothing to do */
    memcpy(packed, A, sizeof packed);
    assert_int_equal(gos__nnls_compress(ctx, 5, COLS, packed, 10, &rows), GOS_OK);
    assert_true(rows == 5 && memcmp(packed, A, sizeof packed) == 0);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal), cmocka_unit_test(recovery),   cmocka_unit_test(quadrature),
        cmocka_unit_test(special), cmocka_unit_test(compressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
