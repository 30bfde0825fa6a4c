/* Signs of a factorisation: negative pivots against eigenvalues, the determinant against
   LAPACK's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "linalg/sparse.h"
#include "linalg/symmetric.h"
#include "support/random.h"
#include "support/suite.h"

enum { N = 12 };

/* a band with `shift` on its diagonal; general: not symmetric, and a row without a diagonal
   entry */
static void make(double shift, bool general, double A[N * N]) {
    uint64_t seed = 7;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i <= j; i++) {
            const double x = j - i > 3 ? 0 : random_uniform(&seed),
                         y = j - i > 3 ? 0 : random_uniform(&seed);
            A[j * N + i] = x + (i == j ? shift : 0);
            A[i * N + j] = i == j ? x + shift : general ? y : x;
        }
    }
    if (general) {
        A[5 * N + 5] = 0;
    }
}

static int negative_eigenvalues(const double *A) {
    double copy[N * N], w[N];
    memcpy(copy, A, sizeof copy);
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', N, copy, N, w), 0);
    int n = 0;
    for (int i = 0; i < N; i++) {
        n += w[i] < 0;
    }
    return n;
}

static int determinant(const double *A) {
    double copy[N * N];
    int pivot[N], sign = 1;
    memcpy(copy, A, sizeof copy);
    assert_int_equal(LAPACKE_dgetrf(LAPACK_COL_MAJOR, N, N, copy, N, pivot), 0);
    for (int i = 0; i < N; i++) {
        sign *= (copy[i * N + i] < 0 ? -1 : 1) * (pivot[i] == i + 1 ? 1 : -1);
    }
    return sign;
}

/* pivots count, when they can be used at all, the eigenvalues, and their signs multiply to the
 * determinant's */
static void pivots(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    bool all[N];
    int counted = 0, signs = 0;
    memset(all, true, sizeof all);
    for (int k = 0; k < 60; k++) {
        double A[N * N];
        gos_sparse S = {0};
        gos_solver *sparse = NULL, *dense = NULL;
        int negative = 0;
        const bool general = k % 3 == 2;
        make(0.1 * (k - 30), general, A);
        assert_int_equal(gos__sparse_from_dense(ctx, N, N, A, &S), GOS_OK);
        const gos_pattern p = {.n = N, .nnz = S.nnz, .p = S.p, .i = S.i};
        const gos_pattern full = {.n = N, .nnz = N * N, .dense = true};
        assert_int_equal(gos__solver_create(ctx, &p, &sparse), GOS_OK);
        assert_int_equal(gos__solver_create(ctx, &full, &dense), GOS_OK);
        assert_int_equal(gos__solver_factor(sparse, S.x, NULL), GOS_OK);
        assert_int_equal(gos__solver_factor(dense, A, NULL), GOS_OK);
        assert_int_equal(gos__solver_sign(sparse), determinant(A));
        assert_int_equal(gos__solver_sign(dense), determinant(A));
        signs += determinant(A) < 0;
        assert_false(gos__solver_negative(dense, all, &negative));
        if (!general && gos__solver_negative(sparse, all, &negative)) {
            assert_int_equal(negative, negative_eigenvalues(A));
            counted++;
        }
        gos__solver_destroy(sparse);
        gos__solver_destroy(dense);
        gos__sparse_free(ctx, &S);
    }
    assert_true(counted > 15 && signs > 10 && signs < 50);
    gos_ctx_destroy(ctx);
}

/* the same by MUMPS: LDL^T of the symmetric, LU of the others */
static void large(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    for (int k = 0; k < 20; k++) {
        double A[N * N];
        gos_sparse S = {0};
        gos_symmetric_info info;
        void *content = NULL;
        int negative = 0;
        const bool general = k % 2 == 1;
        make(0.3 * (k - 10), general, A);
        assert_int_equal(gos__sparse_from_dense(ctx, N, N, A, &S), GOS_OK);
        const gos_pattern p = {.n = N, .nnz = S.nnz, .p = S.p, .i = S.i};
        const gos_symmetric_def def = {.pattern = &p, .ncomp = 1, .general = general};
        assert_int_equal(gos__symmetric_mumps.create(ctx, &def, &info, &content), GOS_OK);
        assert_int_equal(
            gos__symmetric_mumps.factor(content, S.x, true, general ? NULL : &negative), GOS_OK);
        if (general) {
            assert_int_equal(gos__mumps_sign(content), determinant(A));
        } else {
            assert_int_equal(negative, negative_eigenvalues(A));
        }
        gos__symmetric_mumps.destroy(content);
        gos__sparse_free(ctx, &S);
    }
    gos_ctx_destroy(ctx);
}

enum { SIDE = 18, NODES = SIDE * SIDE * SIDE };

/* Laplacian of a cube of nodes minus `shift`, both triangles; `odd` is added to one entry off the
   diagonal */
static void make_cube(gos_ctx *ctx, double shift, double odd, gos_sparse *A) {
    static int i[7 * NODES], j[7 * NODES];
    static double x[7 * NODES];
    static const int step[] = {1, SIDE, SIDE * SIDE};
    int n = 0;
    for (int v = 0; v < NODES; v++) {
        i[n] = j[n] = v;
        x[n++] = 6 - shift;
        for (int d = 0; d < 3; d++) {
            if (v / step[d] % SIDE < SIDE - 1) {
                i[n] = j[n + 1] = v;
                j[n] = i[n + 1] = v + step[d];
                x[n++] = -1;
                x[n++] = -1;
            }
        }
    }
    x[1] += odd;
    assert_int_equal(gos__sparse_from_triplets(ctx, NODES, NODES, n, i, j, x, A), GOS_OK);
}

/* eigenvalues of the cube below the shift */
static int count_cube(double shift) {
    double side[SIDE];
    int n = 0;
    for (int a = 0; a < SIDE; a++) {
        side[a] = 2 - 2 * cos(acos(-1) * (a + 1) / (SIDE + 1));
    }
    for (int v = 0; v < NODES; v++) {
        n += side[v % SIDE] + side[v / SIDE % SIDE] + side[v / SIDE / SIDE] < shift;
    }
    return n;
}

static double residual(const gos_sparse *A, const double *x) {
    static double Ax[NODES];
    double most = 0;
    gos__sparse_apply(A, 1, x, Ax);
    for (int v = 0; v < NODES; v++) {
        most = fmax(most, fabs(Ax[v] - sin(v)));
    }
    return most;
}

/* A solver of a large matrix takes L D L^T while the values are symmetric, LU as soon as they are
   not, and solves with either. */
static void large_solver(void **state) {
    GOS_UNUSED(state);
    static const double odd[] = {0, 1e-6, 0}, shift[] = {0, 0.5, 0.9};
    static double x[NODES];
    gos_ctx *ctx = gos_ctx_create();
    gos_sparse A = {0};
    gos_solver *solver = NULL;
    bool *of = calloc(NODES, sizeof *of);
    assert_non_null(of);
    memset(of, true, NODES);
    make_cube(ctx, 0, 0, &A);
    const gos_pattern p = {.n = NODES, .nnz = A.nnz, .p = A.p, .i = A.i};
    assert_int_equal(gos__solver_create(ctx, &p, &solver), GOS_OK);
    assert_true(gos__solver_is_large(solver));
    for (int k = 0; k < 3; k++) {
        gos_sparse B = {0};
        int negative = -1;
        make_cube(ctx, shift[k], odd[k], &B);
        assert_int_equal(gos__solver_factor(solver, B.x, NULL), GOS_OK);
        assert_int_equal(gos__solver_is_symmetric(solver), odd[k] == 0);
        assert_int_equal(gos__solver_negative(solver, of, &negative), odd[k] == 0);
        if (odd[k] == 0) {
            assert_int_equal(negative, count_cube(shift[k]));
        }
        assert_int_equal(gos__solver_sign(solver), count_cube(shift[k]) % 2 ? -1 : 1);
        for (int v = 0; v < NODES; v++) {
            x[v] = sin(v);
        }
        gos__solver_solve(solver, x);
        assert_true(residual(&B, x) < 1e-9);
        gos__sparse_free(ctx, &B);
    }
    assert_true(count_cube(shift[1]) > 0 && count_cube(shift[2]) > count_cube(shift[1]));
    of[NODES - 1] = false; // the factors count all unknowns only
    int negative;
    assert_false(gos__solver_negative(solver, of, &negative));
    free(of);
    gos__solver_destroy(solver);
    gos__sparse_free(ctx, &A);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pivots), cmocka_unit_test(large),
                                       cmocka_unit_test(large_solver)};
    return cmocka_run_group_tests_name("inertia", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
