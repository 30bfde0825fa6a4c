/* Scalar sparse matrices by rows, and sorted lists for them and for the Newton matrix. */
#include "constraints/sparse_rows.h"

#define INSERTION_SORT_MAX 512 // bucket size up to which insertion sort is used

int gos__sorted_find(const int *items, int from, int to, int key) {
    while (from < to) {
        const int mid = from + (to - from) / 2;
        if (items[mid] < key) {
            from = mid + 1;
        } else {
            to = mid;
        }
    }
    return from;
}

static int compare_int(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorted unique items[0..n); most are repeated or in order. @return their number */
static int unique_by_insertion(int n, const int *from, int *items) {
    int count = 0;
    for (int k = 0; k < n; k++) {
        const int item = from[k];
        if (count == 0 || item > items[count - 1]) {
            items[count++] = item;
            continue;
        }
        const int at = gos__sorted_find(items, 0, count, item);
        if (items[at] != item) {
            memmove(items + at + 1, items + at, (size_t)(count - at) * sizeof *items);
            items[at] = item;
            count++;
        }
    }
    return count;
}

static int unique_by_sorting(int n, int *from, int *items) {
    int count = 0;
    qsort(from, (size_t)n, sizeof *from, compare_int);
    for (int k = 0; k < n; k++) {
        if (count == 0 || from[k] != items[count - 1]) {
            items[count++] = from[k];
        }
    }
    return count;
}

int gos__buckets_unique(int n, int *start, int *items) {
    int at = 0;
    for (int i = 0; i < n; i++) {
        const int from = start[i], count = start[i + 1] - from;
        start[i] = at;
        at += count > INSERTION_SORT_MAX ? unique_by_sorting(count, items + from, items + at)
                                         : unique_by_insertion(count, items + from, items + at);
    }
    start[n] = at;
    return at;
}

gos_status gos__rows_from_triplets(gos_ctx *ctx, gos_arena *a, int n, const gos_triplets *t,
                                   gos_rows_matrix *A) {
    GOS_UNUSED(ctx);
    A->n = n;
    A->p = GOS_NEW(a, int, n + 1);
    A->j = GOS_NEW(a, int, t->n + 1);
    A->v = GOS_NEW(a, double, t->n + 1);
    if (!A->p || !A->j || !A->v) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < t->n; k++) {
        A->p[t->i[k] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        A->p[i + 1] += A->p[i];
    }
    for (int k = 0; k < t->n; k++) { // fill backwards from the ends, then restore the starts
        A->j[A->p[t->i[k]]++] = t->j[k];
    }
    for (int i = n; i > 0; i--) {
        A->p[i] = A->p[i - 1];
    }
    A->p[0] = 0;
    A->nnz = gos__buckets_unique(n, A->p, A->j);
    for (int k = 0; k < t->n; k++) {
        A->v[gos__sorted_find(A->j, A->p[t->i[k]], A->p[t->i[k] + 1], t->j[k])] += t->v[k];
    }
    return GOS_OK;
}

static void apply3(const gos_rows_matrix *A, int from, int to, const double *x, double *y) {
    for (int i = from; i < to; i++) {
        double a = 0, b = 0, c = 0;
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            const double *of = x + 3 * (size_t)A->j[k];
            a += A->v[k] * of[0];
            b += A->v[k] * of[1];
            c += A->v[k] * of[2];
        }
        y[3 * i] = a;
        y[3 * i + 1] = b;
        y[3 * i + 2] = c;
    }
}

static void apply1(const gos_rows_matrix *A, int from, int to, const double *x, double *y) {
    for (int i = from; i < to; i++) {
        double sum = 0;
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            sum += A->v[k] * x[A->j[k]];
        }
        y[i] = sum;
    }
}

void gos__rows_apply_part(const gos_rows_matrix *A, int ncol, int from, int to, const double *x,
                          double *y) {
    (ncol == 3 ? apply3 : apply1)(A, from, to, x, y);
}

void gos__rows_apply(const gos_rows_matrix *A, int ncol, const double *x, double *y) {
    gos__rows_apply_part(A, ncol, 0, A->n, x, y);
}
