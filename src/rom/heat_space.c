#include "rom/heat_space.h"

#include <cblas.h>
#include <math.h>

/* ---- matrices of a body ---------------------------------------------------------------------- */

static int add_row(const gos_heat_space *h, const gos_rows_matrix *M, int i, int n, int *list,
                   double *value, const int *where) {
    const gos_body *b = h->p->body;
    const int row = b->t0 + i * b->nfam;
    for (int e = M->p[row]; e < M->p[row + 1]; e++) {
        const int at = M->j[e] - b->t0;
        if (at < 0 || at >= b->nt || at % b->nfam != 0) {
            continue;
        }
        const int j = at / b->nfam;
        if (value) {
            value[where[j]] += M->v[e];
            continue;
        }
        int k = 0;
        while (k < n && list[k] != j) {
            k++;
        }
        list[k] = j;
        n = k == n ? n + 1 : n;
    }
    return n;
}

static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

gos_status gos__heat_space_make(gos_heat_space *h) {
    gos_arena *a = h->r->arena;
    const gos_rows_matrix *C = &h->r->full->capacity, *L = &h->r->full->conduction;
    const gos_body *b = h->p->body;
    int spare = 0;
    for (int i = 0; i < h->n; i++) {
        const int row = b->t0 + i * b->nfam;
        spare += C->p[row + 1] - C->p[row] + L->p[row + 1] - L->p[row];
    }
    h->pattern.n = h->n;
    h->pattern.p = GOS_NEW(a, int, h->n + 1);
    h->pattern.i = GOS_NEW(a, int, spare + 1);
    h->C = GOS_NEW(a, double, spare + 1);
    h->L = GOS_NEW(a, double, spare + 1);
    h->A = GOS_NEW(a, double, spare + 1);
    int *where = GOS_NEW(a, int, h->n + 1);
    if (!h->pattern.p || !h->pattern.i || !h->C || !h->L || !h->A || !where) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < h->n; i++) { // symmetric: rows are columns
        int *list = h->pattern.i + h->pattern.p[i];
        int n = add_row(h, C, i, 0, list, NULL, NULL);
        n = add_row(h, L, i, n, list, NULL, NULL);
        qsort(list, n, sizeof *list, ascending);
        h->pattern.p[i + 1] = h->pattern.p[i] + n;
        for (int k = 0; k < n; k++) {
            where[list[k]] = h->pattern.p[i] + k;
        }
        (void)add_row(h, C, i, 0, NULL, h->C, where);
        (void)add_row(h, L, i, 0, NULL, h->L, where);
    }
    h->pattern.nnz = h->pattern.p[h->n];
    return GOS_OK;
}

void gos__heat_space_weight(const gos_heat_space *h, const double *x, double *y) {
    for (int i = 0; i < h->n; i++) {
        y[i] = 0;
        for (int k = h->pattern.p[i]; k < h->pattern.p[i + 1]; k++) {
            y[i] += h->C[k] * x[h->pattern.i[k]];
        }
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

static double length_of(const gos_heat_space *h, gos_heat_functions *k) {
    gos__heat_space_weight(h, k->y, k->Cy);
    return sqrt(fmax(0, cblas_ddot(k->n, k->y, 1, k->Cy, 1)));
}

static void remove_functions(const gos_heat_space *h, gos_heat_functions *k, int from, int to) {
    gos__heat_space_weight(h, k->y, k->Cy);
    for (long j = from; j < to; j++) {
        const double *q = k->q + j * k->n;
        cblas_daxpy(k->n, -cblas_ddot(k->n, q, 1, k->Cy, 1), q, 1, k->y, 1);
    }
}

/* Relative length of the orthogonalised k->y, without the mean, which is large at steady state. */
static double remainder_of(const gos_heat_space *h, gos_heat_functions *k) {
    remove_functions(h, k, 0, k->m < 1 ? k->m : 1);
    const double before = length_of(h, k);
    remove_functions(h, k, 0, k->m);
    remove_functions(h, k, 0, k->m);
    const double after = length_of(h, k);
    cblas_dscal(k->n, after > 0 ? 1 / after : 0, k->y, 1);
    return before > 0 ? after / before : 0;
}

void gos__heat_functions_add(const gos_heat_space *h, gos_heat_functions *k, double min_remainder) {
    if (k->m < k->capacity && k->m < k->n && remainder_of(h, k) > min_remainder) {
        memcpy(k->q + (size_t)k->m++ * k->n, k->y, k->n * sizeof *k->y);
    }
}

gos_status gos__heat_functions_store(const gos_heat_space *h, const gos_heat_functions *k,
                                     gos_body_fields *f) {
    gos_arena *a = h->r->arena;
    const size_t n = k->n, m = k->m, nt = k->nt;
    double *value = GOS_NEW(a, double, n *m + 1), *dual = GOS_NEW(a, double, n *m + 1);
    if (!value || !dual) {
        return GOS_E_MEMORY;
    }
    memcpy(dual, f->tdual, n * nt * sizeof *dual);
    for (size_t i = 0; i < n; i++) {
        memcpy(value + i * m, f->tvalue + i * nt, nt * sizeof *value);
        for (size_t j = nt; j < m; j++) {
            value[i * m + j] = k->q[j * n + i];
        }
    }
    for (size_t j = nt; j < m; j++) {
        gos__heat_space_weight(h, k->q + j * n, dual + j * n);
    }
    f->tvalue = value;
    f->tdual = dual;
    f->nt = k->m;
    return GOS_OK;
}

gos_status gos__heat_functions_begin(const gos_heat_space *h, int spare, gos_heat_functions *k) {
    gos_arena *a = h->r->arena;
    const gos_body_fields *f = &h->p->f;
    k->capacity = k->nt + spare;
    k->q = GOS_NEW(a, double, (size_t)k->capacity * k->n + 1);
    k->y = GOS_NEW(a, double, k->n + 1);
    k->Cy = GOS_NEW(a, double, k->n + 1);
    if (!k->q || !k->y || !k->Cy) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < k->nt; j++) {
        cblas_dcopy(k->n, f->tvalue + j, f->nt, k->y, 1);
        gos__heat_functions_add(h, k, 0);
    }
    return GOS_OK;
}
