/* One factorisation of large models for static responses, the modes beside them and real frequency
   responses: against modes that were counted, responses by complex factorisations, and the
   saddle-point matrix that keeps its constraints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <complex.h>

#include "gossamer/blas.h"
#include "linalg/saddle.h"
#include "linear_reduction/reduce.h"
#include "support/fe_mesh.h"
#include "support/linear_models.h"
#include "support/rigid_ends.h"
#include "support/suite.h"

enum { PORTS = 2 };

static void bar(const double unit[3], double x[3]) {
    x[0] = unit[0];
    x[1] = 0.05 * unit[1];
    x[2] = 0.08 * unit[2] + 0.01 * unit[0]; // oblong and skew: no two modes are equal
}

/* A bar of 3675 coordinates with rigid ends, one of them held by `rows` rows on its first two
   motions and by one on each other: each of its own motion (0), or sums and differences of the
   first two, which no coordinate can be solved for (1). Forces and displacements of the other
   end. */
static gos_linear *held_bar(gos_ctx *ctx, int rows) {
    gos_mesh *mesh = fe_grid(ctx, GOS_CELL_HEX8, (const int[]){24, 6, 6}, bar, true);
    const gos_fe_material steel = fe_isotropic(ctx, 210e9, 0.3, 7850, 0, 0, 0);
    const gos_fe_part part = {.element = gos__fe_element("solid"), .material = &steel};
    gos_fe_body *body;
    gos_linear *loose = NULL, *l;
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 1, &part, &body));
    fe_good(ctx, gos__fe_body_mechanics(body));
    fe_good(ctx, rigid_ends(ctx, body, &loose));
    const int n = loose->nq, nc = loose->nc, end = n - 12;
    const gos_sparse *own = &loose->block[GOS_BLOCK_C];
    gos_sparse C, B, Y;
    int *row = test_calloc((size_t)own->nnz + 8, sizeof *row), at = 0;
    int *column = test_calloc((size_t)own->nnz + 8, sizeof *column);
    double *value = test_calloc((size_t)own->nnz + 8, sizeof *value);
    for (int j = 0; j < n; j++) {
        for (int k = own->p[j]; k < own->p[j + 1]; k++, at++) {
            row[at] = own->i[k];
            column[at] = j;
            value[at] = own->x[k];
        }
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            const double entry = r == c ? r == 1 && rows ? -1 : 1 : rows && r < 2 && c < 2 ? 1 : 0;
            if (entry != 0) {
                row[at] = nc + r;
                column[at] = end + c;
                value[at++] = entry;
            }
        }
    }
    linear_good(ctx, gos__sparse_from_triplets(ctx, nc + 6, n, at, row, column, value, &C));
    const int port[PORTS] = {0, 1}, place[PORTS] = {n - 5, n - 4};
    const double one[PORTS] = {1, 1};
    linear_good(ctx, gos__sparse_from_triplets(ctx, n, PORTS, PORTS, place, port, one, &B));
    linear_good(ctx, gos__sparse_from_triplets(ctx, PORTS, n, PORTS, port, place, one, &Y));
    linear_good(ctx,
                gos__linear_create(
                    ctx, &(gos_linear_size){.nq = n, .nc = nc + 6, .nu = PORTS, .ny = PORTS}, &l));
    linear_good(ctx, gos__linear_put(l, GOS_BLOCK_M, &loose->block[GOS_BLOCK_M]));
    linear_good(ctx, gos__linear_put(l, GOS_BLOCK_K, &loose->block[GOS_BLOCK_K]));
    linear_good(ctx, gos__linear_put(l, GOS_BLOCK_C, &C));
    linear_good(ctx, gos__linear_put(l, GOS_BLOCK_B, &B));
    linear_good(ctx, gos__linear_put(l, GOS_BLOCK_Y_q, &Y));
    linear_good(ctx, gos__linear_close(l));
    gos__sparse_free(ctx, &C);
    gos__sparse_free(ctx, &B);
    gos__sparse_free(ctx, &Y);
    test_free(row);
    test_free(column);
    test_free(value);
    gos_linear_destroy(loose);
    gos__fe_body_destroy(body);
    gos__mesh_destroy(mesh);
    return l;
}

/* Modes beside static responses are those that were found and counted by themselves (Ritz values:
   to the square of what vectors are off by, at most 1e-6), and the reduced model is exact at
   rest. */
static void test_same_modes(void **unused) {
    GOS_UNUSED(unused);
    enum { MODES = 6 };
    for (int rows = 0; rows < 2; rows++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_linear *l = held_bar(ctx, rows);
        gos_linear_reduction *r;
        gos_mode own[MODES], its[MODES];
        gos_mode_proof proof;
        int found;
        linear_good(ctx, gos_linear_modes_verified(ctx, l, MODES, own, &found, &proof));
        assert_true(found == MODES && proof.found == proof.counted);
        linear_good(ctx, gos_linear_reduce(ctx, l,
                                           &(gos_linear_reduction_options){.method = "modes_static",
                                                                           .order = MODES + PORTS},
                                           &r));
        const gos_linear *small = gos_linear_reduction_model(r);
        gos_linear_reduction_report report;
        gos_linear_reduction_get(r, &report);
        assert_int_equal(report.factorisations, 1);
        assert_true(report.moments_checked > 0 && report.moment_error < 1e-10);
        linear_good(ctx, gos_linear_modes(ctx, small, MODES, false, its, &found));
        assert_int_equal(found, MODES);
        for (int k = 0; k < MODES; k++) {
            assert_true(fabs(its[k].omega / own[k].omega - 1) < 1e-10);
        }
        double H[2][2 * PORTS * PORTS];
        const double at_rest = 0;
        linear_good(ctx, gos_linear_response(ctx, l, 1, &at_rest, H[0]));
        linear_good(ctx, gos_linear_response(ctx, small, 1, &at_rest, H[1]));
        for (int i = 0; i < 2 * PORTS * PORTS; i++) {
            assert_true(fabs(H[1][i] - H[0][i]) < 1e-8 * fabs(H[0][0])); // kappa eps
        }
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
        gos_ctx_destroy(ctx);
    }
}

/* Without damping P(i w) is real, and indefinite above the first mode; with damping it is not. */
static void test_axis(void **unused) {
    GOS_UNUSED(unused);
    const double omega[] = {100, 3000, 30000};
    for (int rows = 0; rows < 2; rows++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_linear *l = held_bar(ctx, rows);
        gos_reduce_pencil *p;
        double H[2 * PORTS * PORTS];
        gos_complex own[PORTS * PORTS];
        linear_good(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
        for (int k = 0; k < GOS_COUNT(omega); k++) {
            linear_good(ctx, gos__reduce_pencil_response(p, gos__complex(0, omega[k]), own));
            assert_true(p->real && (p->negative > 0) == (k > 0));
            linear_good(ctx, gos_linear_response(ctx, l, 1, omega + k, H));
            for (int y = 0; y < PORTS; y++) {
                for (int u = 0; u < PORTS; u++) {
                    const double *entry = H + 2 * (y * PORTS + u);
                    assert_true(cabs(own[u * PORTS + y] - gos__complex(entry[0], entry[1])) <
                                1e-8 * fabs(H[0]));
                }
            }
        }
        gos__reduce_pencil_destroy(p);
        linear_good(ctx, gos__linear_put(l, GOS_BLOCK_D, &l->block[GOS_BLOCK_M]));
        linear_good(ctx, gos__linear_close(l));
        linear_good(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
        linear_good(ctx, gos__reduce_pencil_factor(p, gos__complex(0, 3000)));
        assert_false(p->real);
        linear_good(ctx, gos__reduce_pencil_factor(p, 3000));
        assert_true(p->real);
        gos__reduce_pencil_destroy(p);
        gos_linear_destroy(l);
        gos_ctx_destroy(ctx);
    }
}

static double difference(int n, const double *x, const double *y) {
    double most = 0, size = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}

/* Solutions and imposed motions whether constraints are solved for coordinates or not; multipliers
 * of any scale balance. */
static void test_augmented(void **unused) {
    GOS_UNUSED(unused);
    const double scale = 3e7;
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l[2] = {held_bar(ctx, 0), held_bar(ctx, 1)};
    const size_t n = l[0]->nq, nc = l[0]->nc, N = n + nc;
    double *x[2] = {test_calloc(N, sizeof **x), test_calloc(N, sizeof **x)};
    double *b = test_calloc(n, sizeof *b), *c = test_calloc(nc, sizeof *c);
    double *left = test_calloc(n, sizeof *left);
    gos_complex *z = test_calloc(n, sizeof *z);
    uint64_t seed = 1;
    for (size_t i = 0; i < n; i++) {
        b[i] = random_uniform(&seed);
    }
    c[nc - 6] = 1; // the first motion of the held end: by sum and difference both are 1
    for (int rows = 0; rows < 2; rows++) {
        const gos_sparse *C = &l[rows]->block[GOS_BLOCK_C];
        const gos_pencil pencil = {.K = &l[rows]->K, .M = &l[rows]->M, .C = C, .ncomp = 1};
        gos_saddle *s;
        int negative;
        linear_good(ctx, gos__saddle_create_strict(ctx, &pencil, &s));
        linear_good(ctx, gos__saddle_try(s, 0, 1e4, &negative));
        assert_int_equal(negative, 0);
        memcpy(x[rows], b, n * sizeof *b);
        linear_good(ctx, gos__saddle_solve_augmented(s, scale, 1, x[rows]));
        for (size_t j = 0; j < n; j++) { // b - P x - scale C^T mu
            left[j] = b[j];
            for (int k = C->p[j]; k < C->p[j + 1]; k++) {
                left[j] -= scale * C->x[k] * x[rows][n + (size_t)C->i[k]];
            }
            for (int k = l[rows]->K.p[j]; k < l[rows]->K.p[j + 1]; k++) {
                left[j] -= l[rows]->K.x[k] * x[rows][l[rows]->K.i[k]];
            }
            for (int k = l[rows]->M.p[j]; k < l[rows]->M.p[j + 1]; k++) {
                left[j] -= 1e4 * l[rows]->M.x[k] * x[rows][l[rows]->M.i[k]];
            }
            assert_true(rows == 0 || fabs(left[j]) < 1e-7);
        }
        gos__saddle_destroy(s);
        gos_reduce_pencil *p;
        linear_good(ctx, gos__reduce_pencil_create(ctx, l[rows], NULL, &p));
        linear_good(ctx, gos__reduce_pencil_factor(p, 0));
        memset(z, 0, n * sizeof *z);
        c[nc - 5] = rows; // x0 + x1 = 1, x0 - x1 = 1: x0 = 1, x1 = 0, as without sums
        linear_good(ctx, gos__reduce_pencil_solve_at(p, 1, z, c));
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(creal(z[i])) <= 1 + 1e-9 && cimag(z[i]) == 0);
        }
        assert_true(fabs(creal(z[n - 12]) - 1) < 1e-12 && fabs(creal(z[n - 11])) < 1e-12);
        assert_true(fabs(creal(z[n - 6]) - 1) < 1e-8); // nothing pulls: the other end follows
        gos__reduce_pencil_destroy(p);
    }
    assert_true(difference((int)n, x[0], x[1]) < 1e-9);
    double *const rest[] = {x[0], x[1], b, c, left};
    for (int i = 0; i < GOS_COUNT(rest); i++) {
        test_free(rest[i]);
    }
    test_free(z);
    gos_linear_destroy(l[0]);
    gos_linear_destroy(l[1]);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    gos_blas_select(suite_command);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_modes),
        cmocka_unit_test(test_axis),
        cmocka_unit_test(test_augmented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
