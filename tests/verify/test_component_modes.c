/* Craig and Bampton on bars with rigid ends: against dense static condensation and dense modes,
   and, where constraints are solved for coordinates (large models), against the saddle-point matrix
   that keeps them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lapacke.h>

#include "gossamer/blas.h"
#include "linalg/dense.h"
#include "support/fe_mesh.h"
#include "support/linear_models.h"
#include "support/near.h"
#include "support/rigid_ends.h"
#include "support/suite.h"

static void bar(const double unit[3], double x[3]) {
    x[0] = unit[0];
    x[1] = 0.05 * unit[1];
    x[2] = 0.08 * unit[2] + 0.01 * unit[0]; // oblong and skew: no two modes are equal
}

static gos_linear *rigid_bar(gos_ctx *ctx, int nx, int ny, int nz) {
    gos_mesh *mesh = fe_grid(ctx, GOS_CELL_HEX8, (const int[]){nx, ny, nz}, bar, true);
    const gos_fe_material steel = fe_isotropic(ctx, 210e9, 0.3, 7850, 0, 0, 0);
    const gos_fe_part part = {.element = gos__fe_element("solid"), .material = &steel};
    gos_fe_body *body;
    gos_linear *l = NULL;
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 1, &part, &body));
    fe_good(ctx, gos__fe_body_mechanics(body));
    fe_good(ctx, rigid_ends(ctx, body, &l));
    gos__fe_body_destroy(body);
    gos__mesh_destroy(mesh);
    return l;
}

static double *room(int m, int n) {
    return test_calloc((size_t)m * (size_t)n + 1, sizeof(double));
}

/* Z (nq, n): columns of free coordinates, then of the ends': x = Z z fulfils C x = 0. The first
   entry of a row of C is that of a node's coordinate (1), the others what it follows. */
static double *free_motions(const gos_linear *l, int *n) {
    const gos_sparse *C = &l->block[GOS_BLOCK_C];
    int *row = test_calloc((size_t)l->nq, sizeof *row), free_ones = 0;
    for (int j = 0; j < l->nq; j++) {
        const bool tied = j < l->nq - 12 && C->p[j + 1] > C->p[j];
        row[j] = tied ? C->i[C->p[j]] : -1;
        free_ones += !tied;
    }
    *n = free_ones;
    double *Z = room(l->nq, free_ones);
    for (int j = 0, at = 0; j < l->nq; j++) {
        if (row[j] < 0) {
            Z[(long)at++ * l->nq + j] = 1;
        }
    }
    for (int j = 0; j < l->nq; j++) {
        for (int e = l->nq - 12; e < l->nq && row[j] >= 0; e++) {
            for (int k = C->p[e]; k < C->p[e + 1]; k++) {
                if (C->i[k] == row[j]) {
                    Z[(long)(free_ones - 12 + e - (l->nq - 12)) * l->nq + j] = -C->x[k];
                }
            }
        }
    }
    test_free(row);
    return Z;
}

/* Z^T A Z, column-major */
static double *condensed(const gos_linear *l, const gos_sparse *A, const double *Z, int n) {
    double *AZ = room(l->nq, n), *S = room(n, n);
    gos__sparse_apply(A, n, Z, AZ);
    gos__dense_product(n, n, l->nq, Z, AZ, S);
    test_free(AZ);
    return S;
}

static double view_entry(const gos_linear *l, gos_block block, int i, int j) {
    const gos_sparse *A = &l->block[block];
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* what remains of K and M at the ends when the inner coordinates (the first ni) follow statically:
 * Psi = [-Kii^-1 Kib; 1] */
static double *static_shapes(int n, int ni, const double *K) {
    double *Kii = room(ni, ni), *Psi = room(n, 12), *b = room(ni, 12);
    for (int j = 0; j < ni; j++) {
        memcpy(Kii + j * ni, K + j * n, (size_t)ni * sizeof *K);
    }
    for (int k = 0; k < 12; k++) {
        memcpy(b + k * ni, K + (ni + k) * n, (size_t)ni * sizeof *K);
    }
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', ni, 12, Kii, ni, b, ni), 0);
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < ni; i++) {
            Psi[k * n + i] = -b[k * ni + i];
        }
        Psi[k * n + ni + k] = 1;
    }
    test_free(Kii);
    test_free(b);
    return Psi;
}

/* S (12, 12) = Psi^T A Psi */
static void at_ends(int n, const double *A, const double *Psi, double *S) {
    double *AP = room(n, 12);
    gos__dense_product(n, 12, n, A, Psi, AP); // A is symmetric
    gos__dense_product(12, 12, n, Psi, AP, S);
    test_free(AP);
}

static void test_dense(void **unused) {
    GOS_UNUSED(unused);
    enum { MODES = 6 };
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = rigid_bar(ctx, 4, 2, 2);
    int n;
    double *Z = free_motions(l, &n), K12[144], M12[144];
    const int ni = n - 12;
    double *K = condensed(l, &l->K, Z, n), *M = condensed(l, &l->M, Z, n);
    double *Psi = static_shapes(n, ni, K);
    at_ends(n, K, Psi, K12);
    at_ends(n, M, Psi, M12);
    double *Kii = room(ni, ni), *Mii = room(ni, ni), *lambda = room(ni, 1);
    for (int j = 0; j < ni; j++) {
        memcpy(Kii + j * ni, K + j * n, (size_t)ni * sizeof *K);
        memcpy(Mii + j * ni, M + j * n, (size_t)ni * sizeof *M);
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'U', ni, Kii, ni, Mii, ni, lambda), 0);
    gos_linear_reduction *r;
    linear_good(ctx, gos_linear_reduce(ctx, l,
                                       &(gos_linear_reduction_options){.method = "craig_bampton",
                                                                       .order = 12 + MODES},
                                       &r));
    const gos_linear *m = gos_linear_reduction_model(r);
    assert_int_equal(m->nq, 12 + MODES);
    for (int j = 0; j < 12; j++) {
        for (int i = 0; i < 12; i++) { // beside the largest of their kinds (force, moment)
            const double k = sqrt(K12[13 * i] * K12[13 * j]), s = sqrt(M12[13 * i] * M12[13 * j]);
            near_abs_named("K at the ends", view_entry(m, GOS_BLOCK_K, i, j), K12[12 * j + i],
                           1e-10 * k);
            near_abs_named("M at the ends", view_entry(m, GOS_BLOCK_M, i, j), M12[12 * j + i],
                           1e-10 * s);
        }
    }
    double *MP = room(n, 12);
    gos__dense_product(n, 12, n, M, Psi, MP);
    for (int k = 0; k < MODES; k++) {
        const int at = 12 + k;
        near_abs_named("mode", view_entry(m, GOS_BLOCK_K, at, at), lambda[k], 1e-10 * lambda[k]);
        near_abs_named("its mass", view_entry(m, GOS_BLOCK_M, at, at), 1, 1e-10 * 1);
        for (int j = 0; j < 12; j++) {
            double participation = 0;
            for (int i = 0; i < ni; i++) {
                participation += Kii[k * ni + i] * MP[j * n + i];
            }
            near_abs_named("no stiffness", view_entry(m, GOS_BLOCK_K, at, j), 0,
                           1e-10 * sqrt(K12[13 * j] * lambda[k]));
            near_abs_named("participation", fabs(view_entry(m, GOS_BLOCK_M, at, j)),
                           fabs(participation), 1e-10 * sqrt(M12[13 * j]));
        }
    }
    gos_linear_reduction_destroy(r);
    double *const rest[] = {Z, K, M, Psi, Kii, Mii, lambda, MP};
    for (int i = 0; i < GOS_COUNT(rest); i++) {
        test_free(rest[i]);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static double difference(int n, const double *x, const double *y) {
    double most = 0, size = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}

/* The same pencil without its constraints and with them, as it is and with one end held: solves,
   imposed motions, projections, counts. Rows of one coordinate, and of four. */
static void test_elimination(void **unused) {
    GOS_UNUSED(unused);
    enum { COLUMNS = 3 };
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = rigid_bar(ctx, 24, 6, 6);
    const int n = l->nq, held = 6, nc = l->nc + held;
    gos_sparse C;
    const gos_sparse *own = &l->block[GOS_BLOCK_C];
    int *row = test_calloc((size_t)own->nnz + held, sizeof *row), at = 0;
    int *column = test_calloc((size_t)own->nnz + held, sizeof *column);
    double *value = room(own->nnz + held, 1);
    for (int j = 0; j < n; j++) {
        for (int k = own->p[j]; k < own->p[j + 1]; k++, at++) {
            row[at] = own->i[k];
            column[at] = j;
            value[at] = own->x[k];
        }
    }
    for (int k = 0; k < held; k++, at++) { // the six motions of one end
        row[at] = l->nc + k;
        column[at] = n - 12 + k;
        value[at] = 2;
    }
    linear_good(ctx, gos__sparse_from_triplets(ctx, nc, n, at, row, column, value, &C));
    const gos_pencil pencil = {.K = &l->K, .M = &l->M, .C = &C, .ncomp = 1};
    gos_saddle *less, *whole;
    linear_good(ctx, gos__saddle_create(ctx, &pencil, &less));
    linear_good(ctx, gos__saddle_create_by(ctx, &pencil, &gos__symmetric_mumps, &whole));
    double *b = room(n, COLUMNS), *x = room(n, COLUMNS), *y = room(n, COLUMNS);
    double *c = room(nc, COLUMNS), *Cx = room(nc, COLUMNS);
    uint64_t seed = 1;
    for (int i = 0; i < COLUMNS * n; i++) {
        b[i] = random_uniform(&seed);
    }
    for (int i = 0; i < COLUMNS * nc; i++) {
        c[i] = random_uniform(&seed);
    }
    int below, other;
    const double shift[] = {0, -1e5, 1e8};
    for (int s = 0; s < GOS_COUNT(shift); s++) {
        linear_good(ctx, gos__saddle_shift(less, shift[s], &below));
        linear_good(ctx, gos__saddle_shift(whole, shift[s], &other));
        assert_int_equal(below, other);
        assert_true((below > 0) == (shift[s] > 0));
        linear_good(ctx, gos__saddle_solve(less, COLUMNS, b, x));
        linear_good(ctx, gos__saddle_solve(whole, COLUMNS, b, y));
        assert_true(difference(COLUMNS * n, x, y) < 1e-9);
        linear_good(ctx, gos__saddle_impose(less, COLUMNS, c, x));
        linear_good(ctx, gos__saddle_impose(whole, COLUMNS, c, y));
        assert_true(difference(COLUMNS * n, x, y) < 1e-9);
        gos__sparse_apply(&C, COLUMNS, x, Cx);
        assert_true(difference(COLUMNS * nc, Cx, c) < 1e-12);
        memcpy(x, b, (size_t)n * sizeof *x);
        memcpy(y, b, (size_t)n * sizeof *y);
        linear_good(ctx, gos__saddle_project(less, x));
        linear_good(ctx, gos__saddle_project(whole, y));
        assert_true(difference(n, x, y) < 1e-8); // P b is full of what is stiff
    }
    linear_good(ctx, gos__saddle_count(less, 1e9, &below));
    linear_good(ctx, gos__saddle_count(whole, 1e9, &other));
    assert_true(below == other && below > 3);
    gos__saddle_destroy(less);
    gos__saddle_destroy(whole);
    gos__sparse_free(ctx, &C);
    test_free(row);
    test_free(column);
    double *const rest[] = {value, b, x, y, c, Cx};
    for (int i = 0; i < GOS_COUNT(rest); i++) {
        test_free(rest[i]);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* An interface that does not hold the model has no static shapes: refused, small and large, with
   and without modes. The same interface holds it with three more coordinates. */
static void test_loose(void **unused) {
    GOS_UNUSED(unused);
    const int cells[][3] = {{4, 2, 2}, {24, 6, 6}};
    for (int i = 0; i < 4; i++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_linear *l = rigid_bar(ctx, cells[i / 2][0], cells[i / 2][1], cells[i / 2][2]);
        char text[6][40];
        const char *names[6];
        for (int k = 0; k < 6; k++) {
            gos_linear_coordinate(l, l->nq - 12 + k, text[k], sizeof text[k]);
            names[k] = text[k];
        }
        gos_linear_reduction_options options = {
            .method = "craig_bampton", .order = i % 2 ? 3 : 7, .ninterface = 3, .interface = names};
        gos_linear_reduction *r;
        assert_int_equal(gos_linear_reduce(ctx, l, &options, &r), GOS_E_SINGULAR);
        options.ninterface = 6;
        options.order = 6 + 4 * (i % 2);
        linear_good(ctx, gos_linear_reduce(ctx, l, &options, &r));
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
        gos_ctx_destroy(ctx);
    }
}

/* A stiffness that is not symmetric: static shapes are its own, so that the reduced one is the
 * Schur complement */
static void test_unsymmetric(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    enum { N = 3 };
    const double M[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double K[N * N] = {4, -2, 0, -1, 5, -1, 0, -3, 3}; // columns
    gos_linear *l;
    linear_good(ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = N}, &l));
    linear_put(ctx, l, GOS_BLOCK_M, M);
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_good(ctx, gos__linear_close(l));
    const char *const ends[] = {"q(0)", "q(2)"};
    gos_linear_reduction *r;
    linear_good(ctx, gos_linear_reduce(ctx, l,
                                       &(gos_linear_reduction_options){.method = "craig_bampton",
                                                                       .order = 2,
                                                                       .ninterface = 2,
                                                                       .interface = ends},
                                       &r));
    int rows, columns;
    const double *V = gos_linear_reduction_basis(r, GOS_DISPLACEMENT, false, &rows,
                                                 &columns); // row 2 of K: -2 q0 + 5 q1 - 3 q2 = 0
    assert_true(rows == N && columns == 2);
    near_abs_named("first", V[1], 2.0 / 5, 1e-10 * 1);
    near_abs_named("last", V[N + 1], 3.0 / 5, 1e-10 * 1);
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    gos_blas_select(suite_command);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_elimination),
        cmocka_unit_test(test_loose),
        cmocka_unit_test(test_unsymmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
