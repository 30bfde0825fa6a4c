/* Newton matrices solved in parts: against LAPACK for the matrix that the parts stand for, and the
   whole one where they do not serve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "gossamer/base.h"
#include "linalg/sparse.h"
#include "solve/newton_solver.h"
#include "support/random.h"
#include "support/suite.h"

enum { VECTORS = 8, HEAT = 5, ROWS = 3, HELD = 2, N = 3 * VECTORS + HEAT + ROWS + HELD };
#define AT_HEAT (3 * VECTORS)
#define AT_ROWS (AT_HEAT + HEAT)
#define AT_HELD (AT_ROWS + ROWS) // rows of temperatures

static gos_ctx *ctx;
static gos_sparse A;
static gos_pattern pattern;
static unsigned char heat[N];
static uint64_t seed;

/* a full matrix: motion with a skew part, what it does to heat and heat to it, rows of both; skew:
 * without symmetric part */
static void make(bool skew) {
    int n = 0;
    static int i[N * N], j[N * N];
    static double x[N * N];
    seed = 4;
    for (int c = 0; c < N; c++) {
        heat[c] = (c >= AT_HEAT && c < AT_ROWS) || c >= AT_HELD;
        for (int r = 0; r < N; r++) {
            const bool rows = r >= AT_ROWS || c >= AT_ROWS;
            const bool warm = heat[c] != 0,
                       own = warm == ((r >= AT_HEAT && r < AT_ROWS) || r >= AT_HELD);
            if (rows && (!own || (r >= AT_ROWS && c >= AT_ROWS))) {
                continue;
            }
            const double same = rows ? sin(0.7 * (r + 1) * (c + 1)) : 0;
            const double odd =
                rows ? 0
                     : 0.2 * random_uniform(&seed) +
                           (skew && r < AT_HEAT && c < AT_HEAT && r != c ? (r < c ? 1 : -1) : 0);
            i[n] = r, j[n] = c;
            x[n++] = same + odd + (r == c && !(skew && r < AT_HEAT) ? 4 : 0);
        }
    }
    for (int k = 0; k < n && skew; k++) { // exactly without it
        for (int l = 0; l < n; l++) {
            if (i[l] == j[k] && j[l] == i[k] && i[k] < AT_HEAT && j[k] < AT_HEAT && i[k] <= j[k]) {
                x[k] = k == l ? 0 : -x[l];
            }
        }
    }
    assert_int_equal(gos__sparse_from_triplets(ctx, N, N, n, i, j, x, &A), GOS_OK);
    pattern = (gos_pattern){.n = N, .nnz = A.nnz, .p = A.p, .i = A.i, .vectors = VECTORS};
}

/* x := solution with a dense matrix; parts: with the one that parts stand for */
static void reference(bool parts, double *x) {
    static double M[N * N];
    static const gos_pattern dense = {.n = N, .nnz = N * N, .dense = true};
    memset(M, 0, sizeof M);
    for (int c = 0; c < N; c++) {
        for (int k = A.p[c]; k < A.p[c + 1]; k++) {
            const int r = A.i[k];
            if (parts && heat[r] == 0 && heat[c] == 0) {
                M[c * N + r] += 0.5 * A.x[k];
                M[r * N + c] += 0.5 * A.x[k];
            } else if (!parts || heat[c] != 0) {
                M[c * N + r] += A.x[k];
            }
        }
    }
    gos_solver *s = NULL;
    assert_int_equal(gos__solver_create(ctx, &dense, &s), GOS_OK);
    assert_int_equal(gos__solver_factor(s, M, NULL), GOS_OK);
    gos__solver_solve(s, x);
    gos__solver_destroy(s);
}

static double difference(gos_newton_solver *s, bool parts) {
    double x[N], y[N], most = 0;
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = random_uniform(&seed);
    }
    gos__newton_solver_solve(s, x);
    reference(parts, y);
    for (int i = 0; i < N; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

static void parts_are_what_they_stand_for(void **state) {
    (void)state;
    gos_newton_solver *s = NULL;
    make(false);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &s), GOS_OK);
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_false(gos__newton_solver_whole(s));
    assert_true(difference(s, true) < 1e-12);
    assert_true(difference(s, false) > 1e-3); // what is left out is not small here
    assert_int_equal(gos__newton_solver_factor(s, A.x, true), GOS_OK);
    assert_true(gos__newton_solver_whole(s));
    assert_true(difference(s, false) < 1e-12);
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_true(difference(s, true) < 1e-12);
    gos__newton_solver_destroy(s);
    gos__sparse_free(ctx, &A);
}

/* Parts of a matrix whose motion is symmetric and does nothing to heat leave nothing out, also
   where the sums of its entries are rounded; a skew part of 1e-6 in one pair is no rounding, nor is
   anything that motion does to heat. */
static void parts_know_what_they_leave_out(void **state) {
    (void)state;
    gos_newton_solver *s = NULL;
    make(false);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &s), GOS_OK);
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_false(gos__newton_solver_complete(s, A.x));
    int pair = -1, warmed = -1; // an entry of motion above the diagonal, one of heat by motion
    double even[N * N];
    memcpy(even, A.x, (size_t)A.nnz * sizeof *even);
    for (int c = 0; c < N; c++) {
        for (int k = A.p[c]; k < A.p[c + 1]; k++) {
            const int r = A.i[k];
            if (heat[r] != 0 && heat[c] == 0) {
                warmed = k;
                even[k] = 0;
            }
            for (int l = A.p[r]; l < A.p[r + 1] && heat[r] == 0 && heat[c] == 0; l++) {
                if (A.i[l] == c && r < c) {
                    even[l] = even[k] * (1 + 4e-16);
                    pair = k;
                }
            }
        }
    }
    assert_true(pair >= 0 && warmed >= 0);
    assert_int_equal(gos__newton_solver_factor(s, even, false), GOS_OK);
    assert_true(gos__newton_solver_complete(s, even));
    double x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = random_uniform(&seed);
    }
    gos__newton_solver_solve(s, x);
    assert_int_equal(gos__newton_solver_factor(s, even, true), GOS_OK);
    assert_false(gos__newton_solver_complete(s, even)); // not in parts
    gos__newton_solver_solve(s, y);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(x[i] - y[i]) < 1e-12);
    }
    assert_int_equal(gos__newton_solver_factor(s, even, false), GOS_OK);
    even[pair] += 1e-6;
    assert_false(gos__newton_solver_complete(s, even));
    even[pair] -= 1e-6;
    even[warmed] = 1e-6;
    assert_false(gos__newton_solver_complete(s, even));
    gos__newton_solver_destroy(s);
    gos__sparse_free(ctx, &A);
}

/* Heat whose matrix is symmetric is factorised as motion is, without pivots that are remembered;
   where it is not, KLU takes it. The two may take turns. */
static void symmetric_heat_is_solved(void **state) {
    (void)state;
    gos_newton_solver *s = NULL;
    make(false);
    double even[N * N];
    memcpy(even, A.x, (size_t)A.nnz * sizeof *even);
    for (int c = 0; c < N; c++) {
        for (int k = A.p[c]; k < A.p[c + 1]; k++) {
            for (int l = A.p[A.i[k]]; l < A.p[A.i[k] + 1] && heat[c] && heat[A.i[k]]; l++) {
                even[k] = A.i[l] == c ? 0.5 * (A.x[k] + A.x[l]) : even[k];
            }
        }
    }
    double uneven[N * N];
    memcpy(uneven, A.x, (size_t)A.nnz * sizeof *uneven);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &s), GOS_OK);
    for (int turn = 0; turn < 5; turn++) {
        memcpy(A.x, turn % 3 == 0 ? even : uneven, (size_t)A.nnz * sizeof *even);
        assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
        assert_false(gos__newton_solver_whole(s));
        assert_true(gos__newton_solver_kept_pivots(s) == (turn == 2));
        assert_true(difference(s, true) < 1e-12);
    }
    gos__newton_solver_destroy(s);
    gos__sparse_free(ctx, &A);
}

/* Without a group there is nothing but the whole matrix; and without unknowns of heat there is
 * nothing but motion. */
static void one_of_them_may_be_missing(void **state) {
    (void)state;
    gos_newton_solver *s = NULL;
    make(false);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, NULL, &s), GOS_OK);
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_true(gos__newton_solver_whole(s));
    assert_true(difference(s, false) < 1e-12);
    gos__newton_solver_destroy(s);
    memset(heat, 0, sizeof heat);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &s), GOS_OK);
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_true(difference(s, true) < 1e-12);
    assert_false(gos__newton_solver_kept_pivots(s));
    gos__newton_solver_destroy(s);
    gos__sparse_free(ctx, &A);
}

/* Motion that is all skew has no symmetric part: the whole matrix serves by itself. */
static void what_has_no_symmetric_part_is_solved_whole(void **state) {
    (void)state;
    gos_newton_solver *s = NULL;
    make(true);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &s), GOS_OK);
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_true(gos__newton_solver_whole(s));
    assert_true(difference(s, false) < 1e-11);
    gos__newton_solver_destroy(s);
    gos__sparse_free(ctx, &A);
}

/* Pivots of the last factorisation are kept, and those of another kind forgotten: the same digits
   as of a solver that never knew them. */
static void kinds_that_take_turns_forget(void **state) {
    (void)state;
    gos_newton_solver *s = NULL, *fresh = NULL;
    double x[N] = {1}, y[N] = {1};
    make(false);
    double *other = gos__alloc(ctx, (size_t)A.nnz, sizeof *other);
    assert_non_null(other);
    for (int k = 0; k < A.nnz; k++) {
        other[k] = A.x[k] * (1 + 0.3 * random_uniform(&seed));
    }
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &s), GOS_OK);
    assert_int_equal(gos__newton_solver_create(ctx, &pattern, heat, &fresh), GOS_OK);
    assert_int_equal(gos__newton_solver_factor(s, other, true), GOS_OK);
    assert_false(gos__newton_solver_kept_pivots(s));
    assert_int_equal(gos__newton_solver_factor(s, A.x, true), GOS_OK);
    assert_true(gos__newton_solver_kept_pivots(s));
    assert_int_equal(gos__newton_solver_factor(s, other, false), GOS_OK);
    assert_false(gos__newton_solver_kept_pivots(s));
    assert_int_equal(gos__newton_solver_factor(s, A.x, false), GOS_OK);
    assert_true(gos__newton_solver_kept_pivots(s)); // those of heat
    assert_int_equal(gos__newton_solver_factor(s, A.x, true), GOS_OK);
    assert_false(gos__newton_solver_kept_pivots(s));
    assert_int_equal(gos__newton_solver_factor(fresh, A.x, true), GOS_OK);
    gos__newton_solver_solve(s, x);
    gos__newton_solver_solve(fresh, y);
    assert_memory_equal(x, y, sizeof x);
    gos__newton_solver_destroy(s);
    gos__newton_solver_destroy(fresh);
    gos__free(ctx, other);
    gos__sparse_free(ctx, &A);
}

/* The inverse of a dense matrix, whole and in two groups, solves as its factors do; the next
 * factorisation is of its own matrix. */
static void inverses_solve_alike(void **state) {
    (void)state;
    static double M[N * N], other[N * N];
    for (int grouped = 0; grouped < 2; grouped++) {
        const gos_pattern dense = {
            .n = N, .nnz = N * N, .dense = true, .group = grouped ? heat : NULL};
        gos_newton_solver *s;
        for (int i = 0; i < N; i++) {
            heat[i] = i % 3 == 0;
            for (int j = 0; j < N; j++) {
                M[i * N + j] = random_uniform(&seed) + (i == j ? N : 0);
                other[i * N + j] = 2 * M[i * N + j];
            }
        }
        double x[N], y[N], half[N];
        for (int i = 0; i < N; i++) {
            x[i] = y[i] = half[i] = random_uniform(&seed);
        }
        assert_int_equal(gos__newton_solver_create(ctx, &dense, NULL, &s), GOS_OK);
        assert_int_equal(gos__newton_solver_factor(s, M, true), GOS_OK);
        gos__newton_solver_solve(s, x);
        gos__newton_solver_invert(s);
        gos__newton_solver_invert(s); // once is enough
        gos__newton_solver_solve(s, y);
        assert_int_equal(gos__newton_solver_factor(s, other, true), GOS_OK);
        gos__newton_solver_solve(s, half);
        for (int i = 0; i < N; i++) {
            assert_true(fabs(x[i] - y[i]) < 1e-14); // entries of the solution are of size 1 / N
            assert_true(fabs(0.5 * x[i] - half[i]) < 1e-14);
        }
        gos__newton_solver_destroy(s);
    }
}

static int setup(void **state) {
    (void)state;
    ctx = gos_ctx_create();
    return ctx == NULL;
}

static int teardown(void **state) {
    (void)state;
    gos_ctx_destroy(ctx);
    return 0;
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_what_they_stand_for),
        cmocka_unit_test(parts_know_what_they_leave_out),
        cmocka_unit_test(symmetric_heat_is_solved),
        cmocka_unit_test(one_of_them_may_be_missing),
        cmocka_unit_test(what_has_no_symmetric_part_is_solved_whole),
        cmocka_unit_test(kinds_that_take_turns_forget),
        cmocka_unit_test(inverses_solve_alike),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
