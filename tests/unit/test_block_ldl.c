/* The block L D L^T against LAPACK, on random saddle-point matrices of all that motion has: chains
   and nets of vectors that are held, free or buckled, with constraints between them; and on what it
   has to refuse. All of it row by row and by supernodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gossamer/base.h"
#include "linalg/block_ldl.h"
#include "linalg/sparse.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- matrices -------------------------------------------------------------------------------- */

/* of random ones */
typedef struct recipe {
    int vectors, single; // 3-vectors, unknowns with a pivot that are no vectors
    int rows;            // constraints
    int width;           // vectors that a constraint touches
    double link;         // springs between any two vectors, of their number
    double held;         // stiffness of vectors by themselves, over that between them
    double buckled;      // part of the vectors whose own stiffness is negative
    double skew;         // part without symmetry
    int again;           // constraints that say what others say
    double apart;        // ... but for this
    int units;           // decades that units of unknowns differ by
} recipe;

typedef struct made {
    gos_sparse A;
    gos_pattern pattern;
} made;

static gos_ctx *ctx;
static uint64_t seed;
static gos_ldl_way way;

static int below(int n) {
    return n > 0 ? (int)((random_uniform(&seed) + 1) * 0.5 * n) % n : 0;
}

typedef struct list {
    int n, room, *i, *j;
    double *x;
} list;

static void put(list *l, int i, int j, double x) {
    if (l->n == l->room) {
        l->room = 2 * l->room + 64;
        l->i = realloc(l->i, (size_t)l->room * sizeof *l->i);
        l->j = realloc(l->j, (size_t)l->room * sizeof *l->j);
        l->x = realloc(l->x, (size_t)l->room * sizeof *l->x);
        assert_true(l->i && l->j && l->x);
    }
    l->i[l->n] = i;
    l->j[l->n] = j;
    l->x[l->n++] = x;
}

/* +- S between unknowns of vectors a and b, S = B B^T + 1 */
static void spring(list *l, int a, int b, double scale) {
    double B[3][3];
    for (int i = 0; i < 9; i++) {
        B[i / 3][i % 3] = random_uniform(&seed);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double s = i == j;
            for (int k = 0; k < 3; k++) {
                s += B[i][k] * B[j][k];
            }
            put(l, 3 * a + i, 3 * a + j, scale * s);
            if (b != a) {
                put(l, 3 * b + i, 3 * b + j, scale * s);
                put(l, 3 * a + i, 3 * b + j, -scale * s);
                put(l, 3 * b + i, 3 * a + j, -scale * s);
            }
        }
    }
}

static void constrain(list *l, const recipe *r, int first) {
    int vector[8];
    double c[24];
    for (int k = 0; k < r->rows; k++) {
        const bool again = k >= r->rows - r->again;
        const int width = r->width < r->vectors ? r->width : r->vectors;
        for (int m = 0; m < width && !again; m++) {
            if (k % 3 == 0 || m > 0) { // rows of one joint share their first vector
                vector[m] = below(r->vectors);
            }
        }
        for (int m = 0; m < 3 * width; m++) {
            c[m] = again ? c[m] * (1 + r->apart * random_uniform(&seed)) : random_uniform(&seed);
            put(l, first + k, 3 * vector[m / 3] + m % 3, c[m]);
            put(l, 3 * vector[m / 3] + m % 3, first + k, c[m]);
        }
    }
}

/* masses of 1e-3 and springs of 1, constraints behind them */
static void make(const recipe *r, made *m) {
    list l = {0};
    const int first = 3 * r->vectors + r->single, n = first + r->rows;
    const int links = r->vectors + (int)(r->link * r->vectors);
    for (int v = 0; v < r->vectors; v++) {
        spring(&l, v, v, below(1000) < 1000 * r->buckled ? -2 : 1e-3 + r->held);
    }
    for (int k = 1; k < links && r->vectors > 1; k++) {
        const int a = k < r->vectors ? k - 1 : below(r->vectors),
                  b = k < r->vectors ? k : below(r->vectors);
        if (a != b) {
            spring(&l, a, b, 1);
        }
    }
    for (int k = 0; k < r->single; k++) {
        const int i = 3 * r->vectors + k, j = below(3 * r->vectors);
        put(&l, i, i, 2 + random_uniform(&seed));
        put(&l, i, j, r->vectors > 0 ? 0.1 : 0);
        put(&l, j, i, r->vectors > 0 ? 0.1 : 0);
    }
    constrain(&l, r, first);
    const int plain = l.n;
    for (int k = 0; k < plain && r->skew > 0; k++) {
        if (l.i[k] < l.j[k] && l.j[k] < first) {
            const double s = r->skew * random_uniform(&seed);
            put(&l, l.i[k], l.j[k], s);
            put(&l, l.j[k], l.i[k], -s);
        }
    }
    double *unit = calloc((size_t)n + 1, sizeof *unit);
    assert_non_null(unit);
    for (int i = 0; i < n; i++) {
        unit[i] = r->units > 0 ? pow(10, below(2 * r->units + 1) - r->units) : 1;
    }
    for (int k = 0; k < l.n; k++) {
        l.x[k] *= unit[l.i[k]] * unit[l.j[k]];
    }
    assert_int_equal(gos__sparse_from_triplets(ctx, n, n, l.n, l.i, l.j, l.x, &m->A), GOS_OK);
    gos__sparse_merge(&m->A);
    m->pattern =
        (gos_pattern){.n = n, .nnz = m->A.nnz, .p = m->A.p, .i = m->A.i, .vectors = r->vectors};
    free(unit);
    free(l.i);
    free(l.j);
    free(l.x);
}

/* the symmetric part (n, n) */
static double *dense_of(const made *m) {
    const size_t n = (size_t)m->A.n;
    double *S = calloc(n * n + 1, sizeof *S);
    assert_non_null(S);
    for (size_t j = 0; j < n; j++) {
        for (int k = m->A.p[j]; k < m->A.p[j + 1]; k++) {
            S[j * n + (size_t)m->A.i[k]] += 0.5 * m->A.x[k];
            S[(size_t)m->A.i[k] * n + j] += 0.5 * m->A.x[k];
        }
    }
    return S;
}

/* y := S x, size := |S| |x| */
static void apply(const made *m, const double *x, double *y, double *size) {
    const int n = m->A.n;
    for (int i = 0; i < n; i++) {
        y[i] = size[i] = 0;
    }
    for (int j = 0; j < n; j++) {
        for (int k = m->A.p[j]; k < m->A.p[j + 1]; k++) {
            const int i = m->A.i[k];
            const double half = 0.5 * m->A.x[k];
            y[i] += half * x[j];
            y[j] += half * x[i];
            size[i] += fabs(half * x[j]);
            size[j] += fabs(half * x[i]);
        }
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* largest residual of a solution, over what adds up to it */
static double residual(const made *m, gos_block_ldl *ldl) {
    const size_t n = (size_t)m->A.n;
    double *b = calloc(4 * n + 1, sizeof *b), *x = b + n, *y = x + n, *size = y + n, worst = 0;
    assert_non_null(b);
    for (size_t i = 0; i < n; i++) {
        x[i] = random_uniform(&seed);
    }
    apply(m, x, b, size);
    for (size_t i = 0; i < n; i++) {
        x[i] = b[i];
    }
    gos__block_ldl_solve(ldl, x);
    apply(m, x, y, size);
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(y[i] - b[i]) / (size[i] + fabs(b[i])));
        assert_true(isfinite(x[i]));
    }
    free(b);
    return worst;
}

/* negative eigenvalues by LAPACK, and the smallest of them over the largest */
static int inertia(const made *m, double *small) {
    const size_t n = (size_t)m->A.n;
    double *S = dense_of(m), *w = calloc(n + 1, sizeof *w), least = HUGE_VAL, most = 0;
    int negative = 0;
    assert_non_null(w);
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', (int)n, S, (int)n, w), 0);
    for (size_t i = 0; i < n; i++) {
        negative += w[i] < 0;
        least = fmin(least, fabs(w[i]));
        most = fmax(most, fabs(w[i]));
    }
    *small = n > 0 ? least / most : 1;
    free(S);
    free(w);
    return negative;
}

typedef struct tally {
    int solved, refused, counted, poor; // poor: residuals that are no rounding
    double worst, error;
} tally;

/* largest difference from LAPACK's solution of the same right-hand side, over its largest entry */
static double difference(const made *m, gos_block_ldl *ldl) {
    const size_t n = (size_t)m->A.n;
    double *S = dense_of(m), *x = calloc(2 * n + 1, sizeof *x), *y = x + n, most = 0, worst = 0;
    int *pivot = calloc(n + 1, sizeof *pivot);
    assert_true(x && pivot);
    for (size_t i = 0; i < n; i++) {
        x[i] = y[i] = random_uniform(&seed);
    }
    gos__block_ldl_solve(ldl, x);
    assert_int_equal(LAPACKE_dsysv(LAPACK_COL_MAJOR, 'U', (int)n, 1, S, (int)n, pivot, y, (int)n),
                     0);
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(y[i]));
        worst = fmax(worst, fabs(x[i] - y[i]));
    }
    free(S);
    free(x);
    free(pivot);
    return most > 0 ? worst / most : 0;
}

static void compare(const recipe *r, tally *t) {
    made m = {0};
    gos_block_ldl *ldl = NULL;
    make(r, &m);
    assert_int_equal(gos__block_ldl_create(ctx, &m.pattern, NULL, way, &ldl), GOS_OK);
    int unknown;
    const gos_status status = gos__block_ldl_factor(ldl, m.A.x, &unknown);
    double small = 0;
    const int negative = inertia(&m, &small);
    if (status == GOS_OK) {
        t->solved++;
        assert_int_equal(unknown, -1);
        const double left = residual(&m, ldl);
        t->worst = fmax(t->worst, left);
        t->poor += left > 1e-10;
        if (small > 1e-11 || r->units > 0) {
            t->counted++;
            // LAPACK's own are rounding where units differ; there all is positive but the
            // constraints
            assert_int_equal(gos__block_ldl_negative(ldl), r->units > 0 ? r->rows : negative);
            t->error = fmax(t->error, r->units > 0 ? 0 : difference(&m, ldl) * small);
        }
    } else {
        assert_int_equal(status, GOS_E_SINGULAR);
        assert_in_range(unknown, 0, m.A.n - 1);
        t->refused++;
    }
    gos__block_ldl_destroy(ldl);
    gos__sparse_free(ctx, &m.A);
}

/* Pivots down to 1e-11 of what adds up to them pass, which may cost eps / 1e-11 = 2e-5; few are so
 * small. */
static void check(const tally *t, int n) {
    print_message("%d solved, %d refused, %d counted, %d poor, residual %.1e, error %.1e\n",
                  t->solved, t->refused, t->counted, t->poor, t->worst, t->error);
    assert_true(t->refused < n / 20);
    assert_true(t->counted > n * 9 / 10);
    assert_true(t->poor < n / 10); // 4 to 6 % of those whose units differ, by the order of sums
    assert_true(t->worst < 2e-5);
    assert_true(t->error < 1e-6);
}

/* ---- tests ----------------------------------------------------------------------------------- */

#define MANY 4000 // with the other tests 10,000 matrices

/* What has mass and is held or free: pivots are as good as those of LAPACK. Constraints are as many
 * as negative eigenvalues. */
static void saddle_points_are_solved(void **state) {
    (void)state;
    tally t = {0};
    for (int k = 0; k < MANY; k++) {
        seed = 12345 + (uint64_t)k;
        const int vectors = 1 + below(14);
        const recipe r = {.vectors = vectors,
                          .single = k % 5 == 0 ? below(4) : 0,
                          .rows = below(vectors + 1),
                          .width = 1 + below(3),
                          .link = 0.5 * (random_uniform(&seed) + 1),
                          .held = k % 3 ? 0 : 1,
                          .skew = k % 2 ? 0.3 : 0};
        compare(&r, &t);
    }
    // by chance a row on one vector says what three others say: those are refused
    check(&t, MANY);
}

/* Negative stiffness in any vector: pivots are of both signs, and small ones come by chance. Those
 * that are too small are refused. */
static void buckled_ones_are_solved(void **state) {
    (void)state;
    tally t = {0};
    for (int k = 0; k < MANY; k++) {
        seed = 777 + (uint64_t)k;
        const int vectors = 1 + below(14);
        const recipe r = {.vectors = vectors,
                          .rows = below(vectors / 2 + 1),
                          .width = 1 + below(3),
                          .link = 0.5 * (random_uniform(&seed) + 1),
                          .buckled = 0.3,
                          .skew = k % 2 ? 0.3 : 0};
        compare(&r, &t);
    }
    check(&t, MANY);
}

/* Unknowns in metres beside others in millimetres, multipliers in any unit: what is refused and how
   residuals come out does not depend on it. */
static void units_do_not_matter(void **state) {
    (void)state;
    tally t = {0};
    for (int k = 0; k < MANY / 4; k++) {
        seed = 99 + (uint64_t)k;
        const recipe r = {.vectors = 10, .rows = 8, .width = 2, .link = 0.5, .units = 5};
        compare(&r, &t);
    }
    check(&t, MANY / 4);
}

static void redundant_rows_are_refused(void **state) {
    (void)state;
    for (int k = 0; k < MANY / 4; k++) {
        seed = 31 + (uint64_t)k;
        const int vectors = 4 + below(12);
        const recipe r = {.vectors = vectors,
                          .rows = 4,
                          .width = 2,
                          .link = 0.5,
                          .again = 1 + below(2),
                          .apart = k % 2 ? 1e-15 : 0};
        made m = {0};
        gos_block_ldl *ldl = NULL;
        make(&r, &m);
        assert_int_equal(gos__block_ldl_create(ctx, &m.pattern, NULL, way, &ldl), GOS_OK);
        int unknown;
        assert_int_equal(gos__block_ldl_factor(ldl, m.A.x, &unknown), GOS_E_SINGULAR);
        assert_in_range(unknown, 3 * vectors, m.A.n - 1);
        gos__block_ldl_destroy(ldl);
        gos__sparse_free(ctx, &m.A);
    }
}

/* Two unknowns in blocks of their own, as the second one may also touch a third. */
static gos_status of_two(const double two[4], int *negative) {
    int p[] = {0, 2, 5, 7}, i[] = {0, 1, 0, 1, 2, 1, 2};
    const double x[] = {two[0], two[1], two[2], two[3], 0, 0, 1};
    const gos_pattern a = {.n = 3, .nnz = 7, .p = p, .i = i};
    gos_block_ldl *ldl = NULL;
    int unknown;
    assert_int_equal(gos__block_ldl_create(ctx, &a, NULL, way, &ldl), GOS_OK);
    const gos_status status = gos__block_ldl_factor(ldl, x, &unknown);
    *negative = gos__block_ldl_negative(ldl);
    gos__block_ldl_destroy(ldl);
    return status;
}

/* [e 1; 1 1]: what is left of the second diagonal entry is 1 - 1/e, of which the 1 has been lost. e
 * = 1e-3 keeps it. */
static void growth_is_refused(void **state) {
    (void)state;
    int negative;
    assert_int_equal(of_two((double[]){1e-9, 1, 1, 1}, &negative), GOS_E_SINGULAR);
    assert_int_equal(of_two((double[]){1e-3, 1, 1, 1}, &negative), GOS_OK);
    assert_int_equal(negative, 1);
    assert_int_equal(of_two((double[]){1, 1, 1, 1}, &negative), GOS_E_SINGULAR);
    assert_int_equal(of_two((double[]){0, 0, 0, 0}, &negative), GOS_E_SINGULAR);
    assert_int_equal(of_two((double[]){(double)NAN, 0, 0, 1}, &negative), GOS_E_SINGULAR);
    assert_int_equal(of_two((double[]){1, (double)INFINITY, 0, 1}, &negative), GOS_E_SINGULAR);
}

/* Unknowns that touch the same are one block, as temperatures of a node are: what two pivots lose,
 * one of both does not. */
static void what_touches_the_same_is_one_block(void **state) {
    (void)state;
    int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
    const double x[] = {1e-9, 1, 1, 1};
    double b[] = {1 + 1e-9, 2};
    const gos_pattern a = {.n = 2, .nnz = 4, .p = p, .i = i};
    gos_block_ldl *ldl = NULL;
    assert_int_equal(gos__block_ldl_create(ctx, &a, NULL, way, &ldl), GOS_OK);
    assert_int_equal(gos__block_ldl_factor(ldl, x, NULL), GOS_OK);
    assert_int_equal(gos__block_ldl_negative(ldl), 1);
    gos__block_ldl_solve(ldl, b);
    assert_true(fabs(b[0] - 1) < 1e-14 && fabs(b[1] - 1) < 1e-14);
    gos__block_ldl_destroy(ldl);
}

/* Inside a vector pivots may have any order: symmetric blocks of zeros and ones with every sign
 * pattern, against the eigenvalues. */
static void blocks_choose_pivots(void **state) {
    (void)state;
    int p[] = {0, 3, 6, 9}, i[] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, solved = 0;
    const gos_pattern a = {.n = 3, .nnz = 9, .p = p, .i = i, .vectors = 1};
    gos_block_ldl *ldl = NULL;
    assert_int_equal(gos__block_ldl_create(ctx, &a, NULL, way, &ldl), GOS_OK);
    for (int code = 0; code < 729; code++) {
        double x[9], S[9], w[3], b[3] = {1, -2, 3};
        const int of[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5}, power[6] = {1, 3, 9, 27, 81, 243};
        for (int k = 0; k < 9; k++) {
            x[k] = S[k] = code / power[of[k]] % 3 - 1;
        }
        assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 3, S, 3, w), 0);
        const double least = fmin(fabs(w[0]), fmin(fabs(w[1]), fabs(w[2])));
        const gos_status status = gos__block_ldl_factor(ldl, x, NULL);
        assert_int_equal(status, least > 1e-9 ? GOS_OK : GOS_E_SINGULAR);
        if (status != GOS_OK) {
            continue;
        }
        solved++;
        assert_int_equal(gos__block_ldl_negative(ldl), (w[0] < 0) + (w[1] < 0) + (w[2] < 0));
        gos__block_ldl_solve(ldl, b);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(x[k] * b[0] + x[3 + k] * b[1] + x[6 + k] * b[2] -
                             (k == 0   ? 1
                              : k == 1 ? -2
                                       : 3)) < 1e-13);
        }
    }
    assert_int_equal(solved, 516); // by their determinants; the others are singular
    gos__block_ldl_destroy(ldl);
}

/* Large nets: as many negative eigenvalues as constraints (quasi-definite), small residuals, and
 * the same digits a second time. */
static void large_ones_are_solved(void **state) {
    (void)state;
    const int sizes[] = {300, 1500, 3300, 33000};
    for (int k = 0; k < GOS_COUNT(sizes); k++) {
        seed = 5 + (uint64_t)k;
        const recipe r = {.vectors = sizes[k],
                          .rows = sizes[k] / 50,
                          .width = 2,
                          .link = k < 3 ? 0.02 : 0.002,
                          .skew = 0.2};
        made m = {0};
        gos_block_ldl *ldl = NULL;
        make(&r, &m);
        assert_int_equal(gos__block_ldl_create(ctx, &m.pattern, NULL, way, &ldl), GOS_OK);
        assert_int_equal(gos__block_ldl_factor(ldl, m.A.x, NULL), GOS_OK);
        assert_int_equal(gos__block_ldl_negative(ldl), r.rows);
        assert_true(residual(&m, ldl) < 1e-10);
        double *x = calloc(2 * (size_t)m.A.n, sizeof *x), *y = x + m.A.n;
        assert_non_null(x);
        x[1] = y[1] = 1;
        gos__block_ldl_solve(ldl, x);
        assert_int_equal(gos__block_ldl_factor(ldl, m.A.x, NULL), GOS_OK);
        gos__block_ldl_solve(ldl, y);
        assert_memory_equal(x, y, (size_t)m.A.n * sizeof *x);
        free(x);
        gos__block_ldl_destroy(ldl);
        gos__sparse_free(ctx, &m.A);
    }
}

/* Unknowns of another group are no part of the matrix, and their right-hand sides are left
   alone. */
static void groups_are_left_out(void **state) {
    (void)state;
    seed = 4711;
    const recipe r = {.vectors = 6, .single = 4, .rows = 3, .width = 2, .link = 0.5};
    made m = {0}, only = {0};
    make(&r, &m);
    const int n = m.A.n, first = 3 * r.vectors;
    unsigned char group[64] = {0};
    double x[64], y[64];
    list l = {0};
    memset(group + first, 1, (size_t)r.single);
    for (int j = 0; j < n; j++) {
        for (int k = m.A.p[j]; k < m.A.p[j + 1]; k++) { // the same with a diagonal matrix there
            if (group[j] == group[m.A.i[k]] && (group[j] == 0 || j == m.A.i[k])) {
                put(&l, m.A.i[k], j, group[j] ? 1 : m.A.x[k]);
            }
        }
        x[j] = y[j] = random_uniform(&seed);
    }
    assert_int_equal(gos__sparse_from_triplets(ctx, n, n, l.n, l.i, l.j, l.x, &only.A), GOS_OK);
    only.pattern =
        (gos_pattern){.n = n, .nnz = only.A.nnz, .p = only.A.p, .i = only.A.i, .vectors = 6};
    gos_block_ldl *one = NULL, *two = NULL;
    assert_int_equal(gos__block_ldl_create(ctx, &m.pattern, group, way, &one), GOS_OK);
    assert_int_equal(gos__block_ldl_create(ctx, &only.pattern, NULL, way, &two), GOS_OK);
    assert_int_equal(gos__block_ldl_factor(one, m.A.x, NULL), GOS_OK);
    assert_int_equal(gos__block_ldl_factor(two, only.A.x, NULL), GOS_OK);
    gos__block_ldl_solve(one, x);
    gos__block_ldl_solve(two, y);
    for (int i = 0; i < n; i++) {
        assert_true(fabs(x[i] - y[i]) <= 1e-10 * (1 + fabs(y[i])));
    }
    gos__block_ldl_destroy(one);
    gos__block_ldl_destroy(two);
    gos__sparse_free(ctx, &m.A);
    gos__sparse_free(ctx, &only.A);
    free(l.i);
    free(l.j);
    free(l.x);
}

/* Subtrees are factorised by any number of threads: the digits of one, the same pivot that
 * vanishes. */
static void threads_find_the_same_digits(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 5};
    seed = 17;
    const recipe r = {.vectors = 4000, .rows = 80, .width = 2, .link = 0.05, .buckled = 0.01};
    made m = {0};
    make(&r, &m);
    const size_t n = (size_t)m.A.n;
    double *x = calloc(2 * n, sizeof *x), *y = x + n,
           *broken = malloc((size_t)m.A.nnz * sizeof *broken);
    int where = -1, negative = -1;
    assert_true(x && broken);
    memcpy(broken, m.A.x, (size_t)m.A.nnz * sizeof *broken);
    for (int j = 0; j < 3 * r.vectors; j++) {
        for (int k = m.A.p[j]; k < m.A.p[j + 1]; k++) { // two vectors without anything
            if (j / 3 == 700 || j / 3 == 3000 || m.A.i[k] / 3 == 700 || m.A.i[k] / 3 == 3000) {
                broken[k] = 0;
            }
        }
    }
    for (int t = 0; t < GOS_COUNT(threads); t++) {
        gos_block_ldl *ldl = NULL;
        int unknown;
        assert_int_equal(gos_ctx_set_threads(ctx, threads[t]), GOS_OK);
        assert_int_equal(gos__block_ldl_create(ctx, &m.pattern, NULL, way, &ldl), GOS_OK);
        assert_int_equal(gos__block_ldl_factor(ldl, broken, &unknown), GOS_E_SINGULAR);
        assert_int_equal(unknown, t > 0 ? where : unknown);
        assert_true(unknown / 3 == 700 || unknown / 3 == 3000);
        where = unknown;
        assert_int_equal(gos__block_ldl_factor(ldl, m.A.x, &unknown), GOS_OK);
        assert_int_equal(gos__block_ldl_negative(ldl),
                         t > 0 ? negative : gos__block_ldl_negative(ldl));
        negative = gos__block_ldl_negative(ldl);
        double *z = t > 0 ? y : x;
        for (size_t i = 0; i < n; i++) {
            z[i] = sin((double)i);
        }
        gos__block_ldl_solve(ldl, z);
        assert_memory_equal(x, z, n * sizeof *x);
        gos__block_ldl_destroy(ldl);
    }
    assert_true(negative > r.rows);
    assert_int_equal(gos_ctx_set_threads(ctx, 1), GOS_OK);
    gos__sparse_free(ctx, &m.A);
    free(x);
    free(broken);
}

/* a grid of unknowns, each coupled to its neighbours */
static gos_ldl_way way_of_grid(int nx, int ny, int nz) {
    const int n = nx * ny * nz, step[] = {-nx * ny, -nx, -1, 0, 1, nx, nx * ny};
    int *p = calloc((size_t)n + 1, sizeof *p), *i = calloc(7 * (size_t)n, sizeof *i), at = 0;
    gos_block_ldl *ldl = NULL;
    assert_true(p && i);
    for (int v = 0; v < n; v++) {
        const int x = v % nx, y = v / nx % ny, z = v / nx / ny;
        const bool has[] = {z > 0, y > 0, x > 0, true, x < nx - 1, y < ny - 1, z < nz - 1};
        for (int k = 0; k < 7; k++) {
            if (has[k]) {
                i[at++] = v + step[k];
            }
        }
        p[v + 1] = at;
    }
    const gos_pattern a = {.n = n, .nnz = at, .p = p, .i = i};
    assert_int_equal(gos__block_ldl_create(ctx, &a, NULL, GOS_LDL_FASTER, &ldl), GOS_OK);
    const gos_ldl_way used = gos__block_ldl_way(ldl);
    gos__block_ldl_destroy(ldl);
    free(p);
    free(i);
    return used;
}

/* Supernodes serve large matrices of wide columns, not chains of any length. */
static void narrow_ones_go_by_rows(void **state) {
    (void)state;
    assert_int_equal(way_of_grid(20000, 1, 1), GOS_LDL_ROWS);
    assert_int_equal(way_of_grid(5000, 2, 2), GOS_LDL_ROWS);
    assert_int_equal(way_of_grid(22, 22, 22), GOS_LDL_SUPERNODES);
    assert_int_equal(way_of_grid(13, 13, 13), GOS_LDL_ROWS); // few blocks
}

static int rows(void **state) {
    (void)state;
    way = GOS_LDL_ROWS;
    ctx = gos_ctx_create();
    return ctx == NULL;
}

static int fronts(void **state) {
    (void)state;
    way = GOS_LDL_SUPERNODES;
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
        cmocka_unit_test(saddle_points_are_solved),
        cmocka_unit_test(buckled_ones_are_solved),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(redundant_rows_are_refused),
        cmocka_unit_test(growth_is_refused),
        cmocka_unit_test(what_touches_the_same_is_one_block),
        cmocka_unit_test(blocks_choose_pivots),
        cmocka_unit_test(large_ones_are_solved),
        cmocka_unit_test(groups_are_left_out),
        cmocka_unit_test(threads_find_the_same_digits),
        cmocka_unit_test(narrow_ones_go_by_rows),
    };
    return cmocka_run_group_tests_name("row by row", tests, rows, teardown) +
           cmocka_run_group_tests_name("by supernodes", tests, fronts, teardown);
}
SUITE_INTERNAL(suite)
