/* Eliminates dependent coordinates, x = T z, such as those of supported or tied nodes. T^T P T is
 * as definite as the remaining motion, has its inertia, and needs diagonal pivots only. */
#include "linalg/eliminate.h"

#include <math.h>

#include "linalg/merge.h"

// relative size of a coefficient below which a row is not solved for it
#define MIN_COEFFICIENT 1e-6
#define MAX_FILL 1.0 // fill of the elimination relative to the entries of P

static int length(const gos_sparse *CT, int r) {
    return CT->p[r + 1] - CT->p[r];
}

/* Coordinate that row r is solved for: that of the largest coefficient which occurs in no other
 * row, fixed ones excluded; -1: none. */
static int choose_one(const gos_sparse *C, const gos_sparse *CT, const int *from, int r) {
    double largest = 0, pivot = 0;
    int best = -1;
    for (int k = CT->p[r]; k < CT->p[r + 1]; k++) {
        const int j = CT->i[k];
        const double size = fabs(CT->x[k]);
        largest = fmax(largest, size);
        if (from[j] < 0 && C->p[j + 1] == C->p[j] + 1 && size > pivot) {
            best = j;
            pivot = size;
        }
    }
    return pivot > MIN_COEFFICIENT * largest ? best : -1;
}

/* from: row that each coordinate is solved from (n), -1: none; solved: coordinate of each row.
 * False if a row has no suitable one. */
static bool choose(const gos_sparse *C, const gos_sparse *CT, int *from, int *solved) {
    memset(from, -1, (size_t)C->n * sizeof *from);
    for (int r = 0; r < C->m; r++) {
        if (length(CT, r) == 1) {
            const int j = CT->i[CT->p[r]];
            if (from[j] >= 0 || CT->x[CT->p[r]] == 0) {
                return false; // fixed twice
            }
            from[j] = r;
            solved[r] = j;
        }
    }
    for (int r = 0; r < C->m; r++) {
        if (length(CT, r) != 1) {
            const int j = choose_one(C, CT, from, r);
            if (j < 0) {
                return false;
            }
            from[j] = r;
            solved[r] = j;
        }
    }
    return true;
}

/* Estimated fill from replacing coordinates by their masters. */
static double fill_in(const gos_pencil *p, const gos_elimination *e) {
    const gos_sparse *A[] = {p->K, p->M, p->D ? p->D : p->M};
    double sum = 0;
    for (int r = 0; r < p->C->m; r++) {
        const int j = e->solved[r];
        const double masters = length(&e->by_row, r) - 1;
        double entries = 0;
        for (int i = 0; i < GOS_COUNT(A); i++) {
            entries = fmax(entries, length(A[i], j));
        }
        sum += entries > 0 ? masters * (entries + masters) : 0;
    }
    return sum;
}

/* Row of T of coordinate j, from row r of C; returns the end. */
static int follow(gos_elimination *e, int j, int r, const int *number, int at) {
    const gos_sparse *CT = &e->by_row;
    double pivot = 1;
    for (int k = CT->p[r]; k < CT->p[r + 1]; k++) {
        pivot = CT->i[k] == j ? CT->x[k] : pivot;
    }
    for (int k = CT->p[r]; k < CT->p[r + 1]; k++) {
        if (number[CT->i[k]] >= 0) {
            e->rows.i[at] = number[CT->i[k]];
            e->rows.x[at++] = -CT->x[k] / pivot;
        }
    }
    return at;
}

/* T by rows: identity for free coordinates, masters for others. */
static gos_status make_rows(gos_elimination *e, int n, const int *from, int *number) {
    size_t nnz = 0;
    int count = 0, at = 0;
    for (int j = 0; j < n; j++) {
        number[j] = from[j] < 0 ? count++ : -1;
        nnz += from[j] < 0 ? 1 : (size_t)length(&e->by_row, from[j]);
    }
    GOS_TRY(gos__sparse_alloc(e->ctx, count, n, nnz, &e->rows));
    for (int j = 0; j < n; j++) {
        if (from[j] < 0) {
            e->rows.i[at] = number[j];
            e->rows.x[at++] = 1;
        } else {
            at = follow(e, j, from[j], number, at);
        }
        e->rows.p[j + 1] = at;
    }
    e->rows.nnz = at;
    return GOS_OK;
}

void gos__elimination_begin(const gos_elimination *e, const double *c, double *x) {
    const gos_sparse *CT = &e->by_row;
    memset(x, 0, (size_t)CT->m * sizeof *x);
    for (int pass = 0; pass < 2; pass++) { // fixed ones first
        for (int r = 0; r < CT->n; r++) {
            if ((length(CT, r) == 1) != (pass == 0)) {
                continue;
            }
            double sum = c[r], pivot = 1;
            for (int k = CT->p[r]; k < CT->p[r + 1]; k++) {
                if (CT->i[k] == e->solved[r]) {
                    pivot = CT->x[k];
                } else {
                    sum -= CT->x[k] * x[CT->i[k]];
                }
            }
            x[e->solved[r]] = sum / pivot;
        }
    }
}

/* Distinct rows of column c of the lower triangle, to `to` unless NULL; place[row] becomes the
 * entry number, from `base`. Returns their number. */
static int column_rows(const gos_elimination *e, const gos_pencil *p, int c, int base, int *to) {
    int n = 0;
    for (int t = e->T.p[c]; t < e->T.p[c + 1]; t++) {
        const int j = e->T.i[t];
        gos_merge m = gos__merge_column(p, j);
        for (int i = gos__merge_next(&m, j); i < INT32_MAX; i = gos__merge_next(&m, j)) {
            for (int k = e->rows.p[i]; k < e->rows.p[i + 1]; k++) {
                const int row = e->rows.i[k];
                if (row >= c && e->place[row] < base) {
                    e->place[row] = base + n;
                    if (to) {
                        to[n] = row;
                    }
                    n++;
                }
            }
        }
    }
    return n;
}

static gos_status make_pattern(gos_elimination *e, const gos_pencil *p) {
    const int n = e->T.n;
    gos_pattern *a = &e->pattern;
    a->n = n;
    a->p = gos__zalloc(e->ctx, n + 1L, sizeof *a->p);
    e->place = gos__alloc(e->ctx, n + 1L, sizeof *e->place);
    GOS_TRY(a->p && e->place ? GOS_OK : GOS_E_MEMORY);
    for (int pass = 0; pass < 2; pass++) {
        size_t at = 0;
        memset(e->place, -1, (size_t)n * sizeof *e->place);
        for (int c = 0; c < n; c++) {
            at += (size_t)column_rows(e, p, c, (int)at, a->i ? a->i + at : NULL);
            if (at > INT32_MAX) {
                return gos__fail(e->ctx, GOS_E_LIMIT,
                                 "the matrix of modes has more than 2^31 entries");
            }
            a->p[c + 1] = (int)at;
        }
        a->nnz = (int)at;
        a->i = pass == 0 ? gos__alloc(e->ctx, at + 1, sizeof *a->i) : a->i;
        GOS_TRY(a->i ? GOS_OK : GOS_E_MEMORY);
    }
    return GOS_OK;
}

void gos__elimination_values(const gos_elimination *e, const gos_pencil *p, double k_scale,
                             double d, double m, double *values) {
    const gos_pattern *a = &e->pattern;
    memset(values, 0, (size_t)a->nnz * sizeof *values);
    for (int c = 0; c < a->n; c++) {
        for (int k = a->p[c]; k < a->p[c + 1]; k++) {
            e->place[a->i[k]] = k;
        }
        for (int t = e->T.p[c]; t < e->T.p[c + 1]; t++) {
            const int j = e->T.i[t];
            gos_merge merge = gos__merge_column(p, j);
            for (int i = gos__merge_next(&merge, j); i < INT32_MAX;
                 i = gos__merge_next(&merge, j)) {
                const double value =
                    k_scale * merge.value[0] + m * merge.value[1] + d * merge.value[2];
                for (int k = e->rows.p[i]; k < e->rows.p[i + 1]; k++) {
                    if (e->rows.i[k] >= c) {
                        values[e->place[e->rows.i[k]]] += e->T.x[t] * e->rows.x[k] * value;
                    }
                }
            }
        }
    }
}

void gos__elimination_free_part(const gos_elimination *e, const double *x, double *z) {
    for (int j = 0; j < e->rows.n; j++) {
        const int k = e->rows.p[j];
        // the coordinate itself, or a copy of it
        if (e->rows.p[j + 1] == k + 1 && e->rows.x[k] == 1) {
            z[e->rows.i[k]] = x[j];
        }
    }
}

void gos__elimination_free(gos_elimination *e) {
    gos__sparse_free(e->ctx, &e->T);
    gos__sparse_free(e->ctx, &e->rows);
    gos__sparse_free(e->ctx, &e->by_row);
    gos__free(e->ctx, e->solved);
    gos__free(e->ctx, e->pattern.p);
    gos__free(e->ctx, e->pattern.i);
    gos__free(e->ctx, e->place);
    *e = (gos_elimination){0};
}

/* Checks both triangles, since only one is factorised. */
static gos_status check_finite(gos_ctx *ctx, const gos_pencil *p) {
    const gos_sparse *A[] = {p->K, p->M, p->D};
    for (int i = 0; i < GOS_COUNT(A); i++) {
        for (int k = 0; A[i] && k < A[i]->nnz; k++) {
            if (!isfinite(A[i]->x[k])) {
                return gos__fail(ctx, GOS_E_NONFINITE,
                                 "the matrix to factorise has entries that are not finite");
            }
        }
    }
    return GOS_OK;
}

static gos_status make(gos_elimination *e, const gos_pencil *p, int *from, int *number,
                       bool *done) {
    GOS_TRY(gos__sparse_transpose(e->ctx, p->C, &e->by_row));
    *done =
        choose(p->C, &e->by_row, from, e->solved) && fill_in(p, e) <= MAX_FILL * (double)p->K->nnz;
    if (!*done) {
        return GOS_OK;
    }
    GOS_TRY(check_finite(e->ctx, p));
    GOS_TRY(make_rows(e, p->K->n, from, number));
    GOS_TRY(gos__sparse_transpose(e->ctx, &e->rows, &e->T));
    return make_pattern(e, p);
}

gos_status gos__eliminate(gos_ctx *ctx, const gos_pencil *p, gos_elimination *e, bool *done) {
    const size_t n = p->K->n;
    *done = false;
    *e = (gos_elimination){.ctx = ctx};
    int *from = gos__alloc(ctx, 2 * n + 1, sizeof *from);
    e->solved = gos__alloc(ctx, p->C->m + 1L, sizeof *e->solved);
    const gos_status status = from && e->solved ? make(e, p, from, from + n, done) : GOS_E_MEMORY;
    gos__free(ctx, from);
    if (status != GOS_OK || !*done) {
        gos__elimination_free(e);
        *done = false;
    }
    return status;
}
