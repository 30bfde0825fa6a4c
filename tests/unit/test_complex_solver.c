/* Complex factorisations: all three ways give A x = b and A^T x = b back, for symmetric matrices
   with constraints and for others with patterns that are not symmetric; they see singular ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>

#include "linalg/complex_solver.h"
#include "linalg/sparse.h"
#include "support/context.h"
#include "support/suite.h"

#define SIDE 12
#define NODES (SIDE * SIDE) // of a square grid, two unknowns each
#define HELD 5              // constraints, after the unknowns
#define MOST (2 * NODES + HELD)

static const gos_complex_way *const ways[] = {&gos__complex_lapack, &gos__complex_klu,
                                              &gos__complex_mumps};

typedef struct list {
    int n, i[20 * MOST], j[20 * MOST];
    double x[20 * MOST];
} list;

static void put(list *l, int i, int j, double x) {
    l->i[l->n] = i;
    l->j[l->n] = j;
    l->x[l->n++] = x;
}

/* springs between neighbours, stiffer in the second direction; one-way couplings when not
   symmetric; loose: nothing holds the grid */
static void grid(gos_sparse *A, bool symmetric, bool loose) {
    list *l = calloc(1, sizeof *l);
    double *diagonal = calloc(2 * NODES, sizeof *diagonal);
    assert_non_null(l);
    assert_non_null(diagonal);
    for (int v = 0; v < NODES; v++) {
        for (int d = 0; d < 2; d++) {
            const int w = d ? v + SIDE : v + 1;
            if (d ? w >= NODES : w % SIDE == 0) {
                continue;
            }
            for (int c = 0; c < 2; c++) {
                const double k = 1 + 3 * c + d;
                put(l, 2 * v + c, 2 * w + c, -k);
                put(l, 2 * w + c, 2 * v + c, -k);
                diagonal[2 * v + c] += k;
                diagonal[2 * w + c] += k;
            }
        }
        if (!symmetric && v % 3 == 0) {
            put(l, 2 * v, 2 * v + 1, 0.7);
        }
    }
    for (int i = 0; i < 2 * NODES; i++) {
        put(l, i, i, diagonal[i] + (loose ? 0 : 0.01));
    }
    for (int c = 0; c < HELD && !loose; c++) {
        put(l, 2 * NODES + c, 7 * c, 2);
        put(l, 7 * c, 2 * NODES + c, 2);
        put(l, 2 * NODES + c, 7 * c + 3, -1);
        put(l, 7 * c + 3, 2 * NODES + c, -1);
    }
    const int n = loose ? 2 * NODES : MOST;
    assert_int_equal(gos__sparse_from_triplets(ctx, n, n, l->n, l->i, l->j, l->x, A), GOS_OK);
    free(l);
    free(diagonal);
}

/* largest |A x - b| or |A^T x - b| */
static double residual(const gos_sparse *A, const gos_complex *value, bool transposed,
                       const gos_complex *x, const gos_complex *b) {
    gos_complex r[MOST];
    double worst = 0;
    memcpy(r, b, (size_t)A->n * sizeof *r);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            r[transposed ? j : A->i[k]] -= value[k] * x[transposed ? A->i[k] : j];
        }
    }
    for (int i = 0; i < A->n; i++) {
        worst = fmax(worst, cabs(r[i]));
    }
    return worst;
}

static void fill(const gos_sparse *A, double turn, gos_complex *value) {
    for (int k = 0; k < A->nnz; k++) {
        value[k] = A->x[k] * gos__complex(1, turn * fabs(A->x[k]));
    }
}

/* A determinant by pivots of a plain elimination with exchanges of rows */
static gos_complex eliminated(const gos_sparse *A, const gos_complex *value) {
    const int n = A->n;
    gos_complex *F = calloc((size_t)n * n, sizeof *F), sum = 0;
    assert_non_null(F);
    for (int j = 0; j < n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            F[(size_t)j * n + A->i[k]] = value[k];
        }
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++) {
            best = cabs(F[(size_t)k * n + i]) > cabs(F[(size_t)k * n + best]) ? i : best;
        }
        for (int j = k; j < n; j++) {
            gos_complex *column = F + (size_t)j * n, t = column[k];
            column[k] = column[best];
            column[best] = t;
            for (int i = k + 1; i < n && j > k; i++) {
                column[i] -= F[(size_t)k * n + i] / F[(size_t)k * n + k] * column[k];
            }
        }
        sum += clog(F[(size_t)k * n + k]) + gos__complex(0, best != k ? M_PI : 0);
    }
    free(F);
    return sum;
}

/* the logarithm of the determinant is that of an elimination; its phase up to multiples of 2 pi */
static void check_determinant(const char *way, const gos_complex_solver *solver,
                              const gos_sparse *A, const gos_complex *value, bool first,
                              gos_complex *right) {
    const gos_complex is = gos__complex_solver_log_determinant(solver);
    *right = first ? eliminated(A, value) : *right;
    if (!(fabs(creal(is - *right)) < 1e-9) ||
        !(fabs(remainder(cimag(is - *right), 2 * M_PI)) < 1e-9)) {
        fail_msg("%s: log det %.12g + %.12g i instead of %.12g + %.12g i", way, creal(is),
                 cimag(is), creal(*right), cimag(*right));
    }
}

/* two values on one analysis; |x| is below 500 (last pivots of the grid are 0.01), |A| below 40:
   round-off is 1e-16 of their product, times the number of terms */
static void test_ways(void **state) {
    GOS_UNUSED(state);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        gos_sparse A;
        grid(&A, symmetric, false);
        const gos_pattern pattern = {.n = A.n, .nnz = A.nnz, .p = A.p, .i = A.i};
        const gos_complex_def def = {
            .pattern = &pattern, .symmetric = symmetric, .ncomp = 2, .nlast = HELD};
        gos_complex *value = calloc((size_t)A.nnz, sizeof *value), b[2 * MOST], x[2 * MOST];
        assert_non_null(value);
        for (int i = 0; i < 2 * A.n; i++) {
            b[i] = gos__complex(cos(i), sin(3 * i));
        }
        gos_complex determinant[3];
        for (int w = 0; w < GOS_COUNT(ways); w++) {
            gos_complex_solver *solver;
            assert_int_equal(gos__complex_solver_create(ctx, &def, ways[w], &solver), GOS_OK);
            for (int turn = 1; turn < 3; turn++) {
                fill(&A, 0.3 * turn, value);
                assert_int_equal(gos__complex_solver_factor(solver, value), GOS_OK);
                check_determinant(ways[w]->name, solver, &A, value, w == 0, &determinant[turn]);
                for (int transposed = 0; transposed < 2; transposed++) {
                    memcpy(x, b, sizeof b);
                    assert_int_equal(gos__complex_solver_solve(solver, transposed, 2, x), GOS_OK);
                    for (int c = 0; c < 2; c++) {
                        const double r = residual(&A, value, transposed, x + (size_t)c * A.n,
                                                  b + (size_t)c * A.n);
                        if (!(r < 1e-11)) {
                            fail_msg("%s, symmetric %d, transposed %d: residual %g", ways[w]->name,
                                     symmetric, transposed, r);
                        }
                    }
                }
            }
            gos__complex_solver_destroy(solver);
        }
        free(value);
        gos__sparse_free(ctx, &A);
    }
}

/* In the order of saddle points KLU keeps its pivots for the next values, and says so; with new
   ones nothing of values before is in the digits of a solution. */
static void test_pivots(void **state) {
    GOS_UNUSED(state);
    gos_sparse A;
    grid(&A, false, false);
    const gos_pattern pattern = {.n = A.n, .nnz = A.nnz, .p = A.p, .i = A.i};
    const gos_complex_def def = {.pattern = &pattern, .ncomp = 2, .nlast = HELD, .saddle = true};
    gos_complex *value = calloc((size_t)A.nnz, sizeof *value), b[MOST], x[3][MOST];
    gos_complex_solver *solver;
    assert_non_null(value);
    for (int i = 0; i < A.n; i++) {
        b[i] = gos__complex(cos(i), sin(3 * i));
    }
    assert_int_equal(gos__complex_solver_create(ctx, &def, &gos__complex_klu, &solver), GOS_OK);
    assert_true(gos__complex_solver_keeps(solver));
    for (int k = 0; k < 3; k++) {
        fill(&A, k == 1 ? 0.6 : 0.3, value);
        if (k == 2) {
            gos__complex_solver_repivot(solver);
        }
        assert_int_equal(gos__complex_solver_factor(solver, value), GOS_OK);
        assert_int_equal(gos__complex_solver_kept_pivots(solver), k == 1);
        memcpy(x[k], b, (size_t)A.n * sizeof *b);
        assert_int_equal(gos__complex_solver_solve(solver, false, 1, x[k]), GOS_OK);
        assert_true(residual(&A, value, false, x[k], b) < 1e-11);
    }
    assert_memory_equal(x[0], x[2], (size_t)A.n * sizeof *b);
    gos__complex_solver_destroy(solver);
    assert_int_equal(gos__complex_solver_create(ctx, &def, &gos__complex_mumps, &solver), GOS_OK);
    assert_false(gos__complex_solver_keeps(solver));
    gos__complex_solver_destroy(solver);
    free(value);
    gos__sparse_free(ctx, &A);
}

/* A free grid has two rigid motions. KLU leaves a pivot of 1.6e-15 here, above the 1e-15 that it
   calls singular: its pivots come in another order. */
static void test_singular(void **state) {
    GOS_UNUSED(state);
    gos_sparse A;
    grid(&A, true, true);
    const gos_pattern pattern = {.n = A.n, .nnz = A.nnz, .p = A.p, .i = A.i};
    const gos_complex_def def = {.pattern = &pattern, .symmetric = true, .ncomp = 2};
    gos_complex *value = calloc((size_t)A.nnz, sizeof *value);
    assert_non_null(value);
    for (int k = 0; k < A.nnz; k++) {
        value[k] = A.x[k];
    }
    for (int w = 0; w < GOS_COUNT(ways); w += 2) {
        gos_complex_solver *solver;
        assert_int_equal(gos__complex_solver_create(ctx, &def, ways[w], &solver), GOS_OK);
        if (gos__complex_solver_factor(solver, value) != GOS_E_SINGULAR) {
            fail_msg("%s does not see a free grid", ways[w]->name);
        }
        gos__complex_solver_destroy(solver);
    }
    free(value);
    gos__sparse_free(ctx, &A);
}

/* neighbours of a cube of side^3, or of a line of as many */
static void cube(int side, bool line, gos_sparse *A) {
    const int n = side * side * side, step[] = {1, side, side * side};
    int *i = calloc(14 * (size_t)n, sizeof *i), *j = i + 7 * (size_t)n, count = 0;
    double *x = calloc(7 * (size_t)n, sizeof *x);
    assert_non_null(i);
    assert_non_null(x);
    for (int v = 0; v < n; v++) {
        i[count] = j[count] = v;
        x[count++] = 7;
        for (int d = 0; d < (line ? 1 : 3); d++) {
            const bool last = line ? v == n - 1 : v / step[d] % side == side - 1;
            for (int k = 0; k < 2 && !last; k++) {
                i[count] = k ? v : v + step[d];
                j[count] = k ? v + step[d] : v;
                x[count++] = -1;
            }
        }
    }
    assert_int_equal(gos__sparse_from_triplets(ctx, n, n, count, i, j, x, A), GOS_OK);
    free(i);
    free(x);
}

/* Of equally many unknowns those of a line have factors as sparse as the matrix: 3 n
   multiplications. Separators of a cube have side^2, which alone are side^6 / 3: 10^6 at side 12,
   and as much again for what is on either side. */
static void test_choice(void **state) {
    GOS_UNUSED(state);
    for (int line = 0; line < 2; line++) {
        gos_sparse A;
        gos_complex_solver *solver;
        cube(13, line, &A);
        const gos_pattern pattern = {.n = A.n, .nnz = A.nnz, .p = A.p, .i = A.i};
        const gos_complex_def def = {.pattern = &pattern, .symmetric = true, .ncomp = 1};
        assert_int_equal(gos__complex_solver_create(ctx, &def, NULL, &solver), GOS_OK);
        assert_string_equal(gos__complex_solver_way(solver)->name, line ? "KLU" : "MUMPS");
        gos__complex_solver_destroy(solver);
        gos__sparse_free(ctx, &A);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_pivots),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
