#include "linalg/align.h"

#include <math.h>

#include "linalg/dense.h"

// relative to the sum of absolute terms: a smaller value counts as 0 (accuracy of the vectors)
#define ROW_ROUNDING 1e-6

static bool equal(const double *lambda, int k) {
    const double size = fmax(fabs(lambda[k]), fabs(lambda[k - 1]));
    return lambda[k] - lambda[k - 1] <= GOS_ALIGN_EQUAL * size;
}

bool gos__align_needed(int count, const double *lambda) {
    bool any = false;
    for (int k = 1; k < count; k++) {
        any = any || equal(lambda, k);
    }
    return any;
}

gos_status gos__align_begin(gos_ctx *ctx, int n, int count, double *X, int rows, gos_align *a) {
    const size_t all = (size_t)count * rows, some = count;
    *a = (gos_align){.ctx = ctx, .n = n, .count = count, .X = X, .room = rows};
    a->see = gos__zalloc(ctx, 2 * all + 1, sizeof *a->see);
    a->size = a->see ? a->see + all : NULL;
    a->scratch = gos__alloc(ctx, some * (some + 2) + 1, sizeof *a->scratch);
    return a->see && a->scratch ? GOS_OK : GOS_E_MEMORY;
}

void gos__align_end(gos_align *a) {
    gos__free(a->ctx, a->see);
    gos__free(a->ctx, a->scratch);
    *a = (gos_align){0};
}

static void add(gos_align *a, long row, int vector, double term) {
    const size_t at = row * a->count + vector;
    a->see[at] += term;
    a->size[at] += fabs(term);
}

void gos__align_rows(gos_align *a, const gos_sparse *A) {
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            for (int v = 0; v < a->count; v++) {
                add(a, a->nr + A->i[k], v, A->x[k] * a->X[(size_t)v * a->n + j]);
            }
        }
    }
    a->nr += A->m;
}

void gos__align_columns(gos_align *a, const gos_sparse *A) {
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            for (int v = 0; v < a->count; v++) {
                add(a, a->nr + j, v, A->x[k] * a->X[(size_t)v * a->n + A->i[k]]);
            }
        }
    }
    a->nr += A->n;
}

void gos__align_row(gos_align *a, const double *row) {
    for (int v = 0; v < a->count; v++) {
        for (int i = 0; i < a->n; i++) {
            add(a, a->nr, v, row[i] * a->X[(size_t)v * a->n + i]);
        }
    }
    a->nr++;
}

/* Orthogonalises q (c) twice against the first `have` rows of Q; returns its remaining norm. */
static double reduce(int c, int have, const double *Q, double *q) {
    for (int pass = 0; pass < 2; pass++) {
        for (long r = 0; r < have; r++) {
            const double *other = Q + r * c, along = gos__dense_dot(c, q, other);
            for (int k = 0; k < c; k++) {
                q[k] -= along * other[k];
            }
        }
    }
    return sqrt(gos__dense_dot(c, q, q));
}

static void take(int c, double *Q, int *have, double length) {
    double *q = Q + (size_t)*have * c;
    for (int k = 0; k < c; k++) {
        q[k] /= length;
    }
    ++*have;
}

/* Orthonormal rows Q (c, c): values of the rows on vectors [from, from + c), in order, completed
 * by unit vectors with the largest orthogonal part. */
static void directions(const gos_align *a, int from, int c, double *Q) {
    int have = 0;
    for (long r = 0; r < a->nr && have < c; r++) {
        const size_t at = r * a->count + from;
        double *q = Q + (size_t)have * c, size = 0;
        for (int k = 0; k < c; k++) {
            q[k] = a->see[at + k];
            size = fmax(size, a->size[at + k]);
        }
        const double length = reduce(c, have, Q, q);
        if (length > ROW_ROUNDING * size) {
            take(c, Q, &have, length);
        }
    }
    while (have < c) {
        double *q = Q + (size_t)have * c, max = -1;
        int best = 0;
        for (int pass = 0; pass < c + 1; pass++) { // the last pass repeats the best one
            const int k = pass < c ? pass : best;
            memset(q, 0, c * sizeof *q);
            q[k] = 1;
            const double left = reduce(c, have, Q, q);
            if (pass < c && left > max) {
                max = left;
                best = k;
            }
        }
        take(c, Q, &have, max);
    }
}

static void turn_set(gos_align *a, int from, int c) {
    double *Q = a->scratch, *x = Q + (size_t)a->count * (a->count + 1);
    double *X = a->X + (size_t)from * a->n;
    directions(a, from, c, Q);
    for (int i = 0; i < a->n; i++) {
        for (long k = 0; k < c; k++) {
            x[k] = X[k * a->n + i];
        }
        for (long k = 0; k < c; k++) {
            X[k * a->n + i] = gos__dense_dot(c, Q + k * c, x);
        }
    }
}

void gos__align_turn(gos_align *a, const double *lambda) {
    for (int from = 0, to; from < a->count; from = to) {
        for (to = from + 1; to < a->count && equal(lambda, to);) {
            to++;
        }
        if (to - from > 1) {
            turn_set(a, from, to - from);
        }
    }
}
