/* Sparse matrices, inertia, null spaces and eigensolvers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linalg/symmetric.h"
#include "support/modes.h"
#include "support/sparse.h"
#include "support/suite.h"

/* a symmetric matrix with about `per` entries a column beside the diagonal */
static gos_sparse symmetric_matrix(gos_ctx *ctx, int n, int per, double diagonal, uint64_t seed) {
    double *A = test_calloc((size_t)n * (size_t)n, sizeof *A);
    for (int j = 0; j < n; j++) {
        A[j * n + j] = diagonal * (1 + 0.5 * random_uniform(&seed));
        for (int k = 0; k < per; k++) {
            const int i = (int)((random_uniform(&seed) + 1) / 2 * n);
            A[i * n + j] = A[j * n + i] = i == j ? A[i * n + j] : random_uniform(&seed);
        }
    }
    const gos_pattern all = {.n = n, .nnz = n * n, .dense = true};
    gos_sparse S;
    need(ctx, gos__sparse_block(ctx, &all, A, 0, n, 0, n, &S));
    test_free(A);
    return S;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static void test_sparse(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const double values[] = {1, 0, 2, 0, 3, 4, 5, 0, 0}; // columns (1 0 2), (0 3 4), (5 0 0)
    const gos_pattern all = {.n = 3, .nnz = 9, .dense = true};
    gos_sparse A, T, S, B;
    need(ctx, gos__sparse_block(ctx, &all, values, 0, 3, 0, 3, &A));
    assert_int_equal(A.nnz, 5);
    need(ctx, gos__sparse_transpose(ctx, &A, &T));
    need(ctx, gos__sparse_sum(ctx, 2, &A, -1, &T, &S));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            assert_true(at(&A, i, j) == values[3 * j + i] && at(&T, j, i) == at(&A, i, j));
            assert_true(at(&S, i, j) == 2 * at(&A, i, j) - at(&A, j, i));
        }
    }
    // a block across, rows 1-2, columns 0-1; also out of a sparse pattern
    const int p[] = {0, 2, 4, 5}, row[] = {0, 2, 1, 2, 0};
    const gos_pattern sparse = {
        .n = 3, .nnz = 5, .p = (int *)(uintptr_t)p, .i = (int *)(uintptr_t)row};
    need(ctx, gos__sparse_block(ctx, &sparse, VALUES(1, 2, 3, 4, 5), 1, 2, 0, 2, &B));
    assert_true(B.m == 2 && B.n == 2 && B.nnz == 3);
    assert_true(at(&B, 1, 0) == 2 && at(&B, 0, 1) == 3 && at(&B, 1, 1) == 4);
    double y[6];
    gos__sparse_apply(&A, 2, VALUES(1, 1, 1, 0, 1, 2), y);
    assert_true(y[0] == 6 && y[1] == 3 && y[2] == 6 && y[3] == 10 && y[4] == 3 && y[5] == 4);
    gos__sparse_apply_transposed(&A, VALUES(1, 2, 3), y);
    assert_true(y[0] == 7 && y[1] == 18 && y[2] == 5);
    double asymmetry;
    gos__sparse_free(ctx, &S);
    need(ctx, gos__sparse_symmetric_part(ctx, &A, &S, &asymmetry));
    assert_true(asymmetry == 4.0 / 5 && at(&S, 1, 2) == 2 && at(&S, 0, 2) == 3.5);
    gos_sparse *const used[] = {&A, &T, &S, &B};
    for (int i = 0; i < GOS_COUNT(used); i++) {
        gos__sparse_free(ctx, used[i]);
    }
    assert_int_equal(gos__sparse_alloc(ctx, 1, 1, (size_t)1 << 40, &A), GOS_E_LIMIT);
    gos_ctx_destroy(ctx);
}

/* signs of D against LAPACK's eigenvalues, with and without constraints at the end */
static void test_inertia(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    int solvable = 0;
    for (int run = 0; run < 20; run++) {
        enum { N = 60 };
        const int nlast = run % 2 ? 12 : 0;
        uint64_t seed = 7 + (uint64_t)run;
        gos_sparse A = symmetric_matrix(ctx, N, 2, 2, seed);
        double *dense = test_calloc(N * N, sizeof *dense), w[N];
        for (int j = 0; j < N; j++) {
            for (int k = A.p[j]; k < A.p[j + 1]; k++) {
                // no entries among the constraints
                A.x[k] = A.i[k] >= N - nlast && j >= N - nlast ? 0 : A.x[k];
                dense[j * N + A.i[k]] = A.x[k];
            }
        }
        need(ctx, gos__dense_symmetric(ctx, N, dense, w));
        int expected = 0, negative = -1;
        double nearest = HUGE_VAL;
        for (int i = 0; i < N; i++) {
            expected += w[i] < 0;
            nearest = fmin(nearest, fabs(w[i]));
        }
        const gos_pattern pattern = {.n = N, .nnz = A.nnz, .p = A.p, .i = A.i};
        gos_ldl *ldl;
        need(ctx, gos__ldl_create(ctx, &pattern, nlast, &ldl));
        if (nearest < 1e-13) { // constraints without entries, or that depend on each other
            assert_int_equal(gos__ldl_negative(ldl, A.x, &negative), GOS_E_SINGULAR);
        } else {
            need(ctx, gos__ldl_negative(ldl, A.x, &negative));
            assert_int_equal(negative, expected);
            solvable++;
        }
        gos__ldl_destroy(ldl);
        gos__sparse_free(ctx, &A);
        test_free(dense);
    }
    assert_true(solvable > 10);
    gos_ctx_destroy(ctx);
}

static void test_null_space(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    // three rows, the third the sum of the others
    const double rows[25] = {1, 0, 1, 0, 0, 2, 0, 2, 0, 0, 0, 1, 1,
                             0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0};
    const gos_pattern all = {.n = 5, .nnz = 25, .dense = true};
    gos_sparse C;
    need(ctx, gos__sparse_block(ctx, &all, rows, 0, 3, 0, 5, &C));
    double *Z, y[3];
    int nz;
    need(ctx, gos__null_space(ctx, &C, &Z, &nz));
    assert_int_equal(nz, 3);
    for (int a = 0; a < nz; a++) {
        gos__sparse_apply(&C, 1, Z + 5 * a, y);
        for (int r = 0; r < 3; r++) {
            near_abs_named("C z", y[r], 0, 1e-14);
        }
        for (int b = 0; b < nz; b++) {
            double dot = 0;
            for (int i = 0; i < 5; i++) {
                dot += Z[5 * a + i] * Z[5 * b + i];
            }
            near_abs_named("z . z", dot, a == b, 1e-14);
        }
    }
    gos__free(ctx, Z);
    gos__sparse_free(ctx, &C);
    gos_ctx_destroy(ctx);
}

/* ---- eigensolvers ---------------------------------------------------------------------------- */

/* chain of n masses 1 and springs k, ends free: 4 k sin^2(pi i / 2n), held at one end by a
   constraint */
static void make_chain(gos_ctx *ctx, int n, double k, bool held, gos_sparse *K, gos_sparse *M,
                       gos_sparse *C) {
    double *A = test_calloc((size_t)n * (size_t)n, sizeof *A);
    const gos_pattern all = {.n = n, .nnz = n * n, .dense = true};
    for (int i = 0; i < n; i++) {
        A[i * n + i] = 1;
    }
    need(ctx, gos__sparse_block(ctx, &all, A, 0, n, 0, n, M));
    need(ctx, gos__sparse_block(ctx, &all, A, 0, held, 0, n, C));
    for (int i = 0; i < n; i++) {
        A[i * n + i] = (i == 0 || i == n - 1 ? 1 : 2) * k;
        if (i > 0) {
            A[i * n + i - 1] = A[(i - 1) * n + i] = -k;
        }
    }
    need(ctx, gos__sparse_block(ctx, &all, A, 0, n, 0, n, K));
    test_free(A);
}

static void test_eigen(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_status (*const way[])(gos_ctx *, const gos_pencil *, int, double *, double *,
                              int *) = {gos__eigen_dense, gos__eigen_lanczos, gos__eigen_lowest};
    enum { N = 90 };
    for (int run = 0; run < 6; run++) {
        const bool held = run % 2;
        gos_sparse K, M, C;
        double lambda[N], *X = test_malloc((size_t)N * N * sizeof *X);
        int found;
        make_chain(ctx, N, 7, held, &K, &M, &C);
        const gos_pencil p = {.K = &K, .M = &M, .C = &C, .ncomp = 1};
        need(ctx, way[run / 2](ctx, &p, 9, lambda, X, &found));
        assert_int_equal(found, 9);
        for (int i = 0; i < 9; i++) {
            // held: half the modes of the chain of 2 n - 1 masses without its middle
            const double angle = held ? (i + 0.5) * M_PI / (2 * N - 1) : i * M_PI / (2 * N);
            near_rel_named("lambda", lambda[i], 28 * pow(sin(angle), 2), 1e-11);
            assert_true(held || (lambda[i] == 0) == (i == 0)); // zero is zero
            assert_true(fabs(X[i * N]) < 1e-12 || !held);
        }
        // all of them, and no more
        if (run / 2 != 1) {
            need(ctx, way[run / 2](ctx, &p, N, lambda, X, &found));
            assert_int_equal(found, N - held);
        } else {
            assert_int_equal(way[1](ctx, &p, N, lambda, X, &found), GOS_E_USE);
        }
        gos__sparse_free(ctx, &K);
        gos__sparse_free(ctx, &M);
        gos__sparse_free(ctx, &C);
        test_free(X);
    }
    gos_ctx_destroy(ctx);
}

/* Two factorisations serve: one at the shift, with which all solutions are made, and one for the
   count that proves the lowest complete. */
static void test_factorisations(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    enum { N = 600, MODES = 20 };
    for (int held = 0; held < 2; held++) {
        gos_sparse K, M, C;
        double lambda[MODES], residual[MODES], *X = test_malloc((size_t)N * MODES * sizeof *X);
        int found;
        gos_eigen_info info;
        make_chain(ctx, N, 7, held, &K, &M, &C);
        const gos_pencil p = {.K = &K, .M = &M, .C = &C, .ncomp = 1};
        need(ctx, gos__eigen_find(ctx, &p, MODES, lambda, X, &found, &info, residual));
        assert_int_equal(found, MODES);
        assert_true(info.proof > lambda[MODES - 1] && info.counted == info.below);
        assert_int_equal(info.factors.nfactor, 2);
        gos__sparse_free(ctx, &K);
        gos__sparse_free(ctx, &M);
        gos__sparse_free(ctx, &C);
        test_free(X);
    }
    gos_ctx_destroy(ctx);
}

/* Two equal chains between walls: each eigenvalue is double. The search for one hands out both
   copies, with the factorisations of one search. */
static void test_sets(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    enum { N = 600, HALF = N / 2, SPARE = 6 };
    double *A = test_calloc((size_t)N * N, sizeof *A);
    double lambda[1 + SPARE], *X = test_malloc((size_t)N * (1 + SPARE) * sizeof *X);
    const gos_pattern all = {.n = N, .nnz = N * N, .dense = true};
    gos_sparse K, M, C;
    for (int i = 0; i < N; i++) {
        A[i * N + i] = 1;
    }
    need(ctx, gos__sparse_block(ctx, &all, A, 0, N, 0, N, &M));
    need(ctx, gos__sparse_block(ctx, &all, A, 0, 0, 0, N, &C));
    for (int i = 0; i < N; i++) {
        A[i * N + i] = 2;
        if (i % HALF > 0) {
            A[i * N + i - 1] = A[(i - 1) * N + i] = -1;
        }
    }
    need(ctx, gos__sparse_block(ctx, &all, A, 0, N, 0, N, &K));
    const gos_pencil p = {.K = &K, .M = &M, .C = &C, .ncomp = 1};
    for (int spare = 0; spare <= SPARE; spare += SPARE) {
        gos_eigen_info info;
        int found;
        need(ctx, gos__eigen_sets(ctx, &p, 1, spare, lambda, X, &found, &info, NULL));
        assert_int_equal(found, spare > 0 ? 2 : 1);
        assert_int_equal(info.cluster, spare > 0 ? 0 : 1);
        assert_int_equal(info.factors.nfactor, 2);
        assert_true(info.counted == info.below && info.below >= 2);
        const double sine = sin(0.5 * M_PI / (HALF + 1));
        for (int k = 0; k < found; k++) {
            assert_true(fabs(lambda[k] - 4 * sine * sine) < 1e-9 * lambda[k]);
            for (int i = 0; i < N; i++) { // K x = lambda x
                double r = -lambda[k] * X[k * N + i];
                for (int q = K.p[i]; q < K.p[i + 1]; q++) {
                    r += K.x[q] * X[k * N + K.i[q]];
                }
                assert_true(fabs(r) < 1e-9);
            }
        }
    }
    gos__sparse_free(ctx, &K);
    gos__sparse_free(ctx, &M);
    gos__sparse_free(ctx, &C);
    test_free(X);
    test_free(A);
    gos_ctx_destroy(ctx);
}

/* what LAPACK cannot do is reported */
static void test_refusals(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_sparse K, M, C;
    double lambda[4], X[16];
    int found;
    make_chain(ctx, 4, 1, false, &K, &M, &C);
    const gos_pencil p = {.K = &K, .M = &M, .C = &C, .ncomp = 1};
    M.x[2] = 0;
    assert_int_equal(gos__eigen_dense(ctx, &p, 2, lambda, X, &found), GOS_E_SINGULAR);
    M.x[2] = 1;
    K.x[1] = nan("");
    assert_int_equal(gos__eigen_dense(ctx, &p, 2, lambda, X, &found), GOS_E_NONFINITE);
    gos__sparse_free(ctx, &K);
    gos__sparse_free(ctx, &M);
    gos__sparse_free(ctx, &C);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),     cmocka_unit_test(test_inertia),
        cmocka_unit_test(test_null_space), cmocka_unit_test(test_eigen),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_factorisations),
        cmocka_unit_test(test_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
