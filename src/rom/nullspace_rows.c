/* Elimination of linear and temperature constraint rows by substitution (theory 3.2, 4.1). */
#include "rom/nullspace_rows.h"

#include <cblas.h>
#include <math.h>

#define PIVOT 1e-3 // smallest pivot of a row, relative to its largest entry

/* ---- rows ------------------------------------------------------------------------------------ */

void gos__constraint_rows_evaluate(const gos_work *w, const gos_item *it, double t, const double *q,
                                   gos_item_rows *b) {
    memset(b, 0, sizeof *b);
    for (int m = 0; m < it->nm; m++) {
        gos__marker_value(&it->m[m], q, b->x + 3 * m);
    }
    const gos_item_io io = {.t = t,
                            .fn = w->fn + it->fn0,
                            .fnd = w->fnd + it->fn0,
                            .fndd = w->fndd + it->fn0,
                            .scale = 1,
                            .x = b->x,
                            .xd = b->xd,
                            .th = b->th,
                            .mem = it->memory,
                            .c = it->nc ? b->c : NULL,
                            .cx = it->nc ? b->cx : NULL,
                            .h = it->nh ? b->h : NULL,
                            .hth = it->nh ? b->hth : NULL};
    it->type->eval(it, &io);
}

static void spread_row(const gos_item *it, const gos_item_rows *b, int r, double *row) {
    for (int m = 0; m < it->nm; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            for (int c = 0; c < 3; c++) {
                row[3 * it->m[m].idx[j] + c] += it->m[m].w[j] * b->cx[r * 3 * it->nm + 3 * m + c];
            }
        }
    }
}

void gos__constraint_rows_fill(const gos_system *sys, gos_work *w, double t, const double *q,
                               double *C) {
    gos_item_rows b;
    gos__work_time(w, t);
    memset(C, 0, (size_t)sys->nc * sys->nq * sizeof *C);
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        if (it->nc == 0) {
            continue;
        }
        gos__constraint_rows_evaluate(w, it, t, q, &b);
        for (int r = 0; r < it->nc; r++) {
            spread_row(it, &b, r, C + (size_t)(it->c0 + r) * sys->nq);
        }
    }
}

/* ---- elimination ----------------------------------------------------------------------------- */

void gos__constraint_rows_classify(const gos_system *sys, int *kind) {
    for (int i = 0; i < sys->nbody; i++) {
        const gos_body *b = sys->body[i];
        for (int k = 0; k < 3 * b->nv && b->rigid_item >= 0; k++) {
            kind[3 * b->v0 + k] = k < 3 ? 1 : 2;
        }
    }
}

static int choose_pivot(int n, const double *row, const int *kind, double max) {
    int best = -1;
    for (int j = 0; j < n; j++) {
        const bool may = fabs(row[j]) >= PIVOT * max;
        if (may && (best < 0 || kind[j] < kind[best] ||
                    (kind[j] == kind[best] && fabs(row[j]) > 1.001 * fabs(row[best])))) {
            best = j;
        }
    }
    return best;
}

void gos__constraint_rows_reduce(int m, int n, double *A, const int *kind, int *pivot, int *kept) {
    *kept = 0;
    for (long i = 0; i < m; i++) {
        double *row = A + i * n;
        const double before = gos__largest_of(n, row);
        for (long k = 0; k < *kept; k++) {
            const double f = row[pivot[k]];
            if (f != 0) {
                cblas_daxpy(n, -f, A + k * n, 1, row, 1);
                row[pivot[k]] = 0;
            }
        }
        const double max = gos__largest_of(n, row);
        if (!(max > GOS_CONSTRAINT_RANK * before)) {
            continue; // redundant
        }
        const int p = choose_pivot(n, row, kind, max);
        cblas_dscal(n, 1 / row[p], row, 1);
        row[p] = 1;
        for (long k = 0; k < *kept; k++) {
            double *other = A + k * n;
            const double f = other[p];
            if (f != 0) {
                cblas_daxpy(n, -f, row, 1, other, 1);
                other[p] = 0;
            }
        }
        double *to = A + (size_t)*kept * n;
        if (to != row) {
            memcpy(to, row, n * sizeof *row);
        }
        pivot[(*kept)++] = p;
    }
}

/* ---- temperatures ---------------------------------------------------------------------------- */

/* rows hth of all temperature constraints (nh, nt) */
static void fill_thermal(const gos_system *sys, const gos_work *w, double *H) {
    gos_item_rows b;
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        if (it->nh == 0) {
            continue;
        }
        gos__constraint_rows_evaluate(w, it, 0, sys->e0, &b);
        for (int r = 0; r < it->nh; r++) {
            double *row = H + (size_t)(it->h0 + r) * sys->nt;
            for (int m = 0; m < it->ntm; m++) {
                for (int j = 0; j < it->tm[m].n; j++) {
                    row[it->tm[m].idx[j]] += it->tm[m].w[j] * b.hth[r * it->ntm + m];
                }
            }
        }
    }
}

gos_status gos__nullspace_thermal(gos_ctx *ctx, const gos_system *sys, double **U, int *n) {
    const size_t nt = sys->nt, nh = sys->nh;
    double *H = gos__zalloc(ctx, nh * nt + 1, sizeof *H);
    int *pivot = gos__zalloc(ctx, nh + nt + 1, sizeof *pivot), kept = 0;
    gos_work *w = NULL;
    gos_status status = H && pivot ? gos__work_create(ctx, sys, &w) : GOS_E_MEMORY;
    *U = NULL;
    if (status == GOS_OK) {
        gos__work_time(w, 0);
        fill_thermal(sys, w, H);
        gos__constraint_rows_reduce(sys->nh, sys->nt, H, pivot + nh, pivot, &kept);
        *n = sys->nt - kept;
        *U = gos__zalloc(ctx, nt * *n + 1, sizeof **U);
        status = *U ? GOS_OK : GOS_E_MEMORY;
    }
    int at = 0;
    for (long j = 0; status == GOS_OK && j < sys->nt; j++) {
        bool eliminated = false;
        for (int k = 0; k < kept; k++) {
            eliminated = eliminated || pivot[k] == j;
        }
        if (eliminated) {
            continue;
        }
        (*U)[j * *n + at] = 1;
        for (int k = 0; k < kept; k++) {
            (*U)[(size_t)pivot[k] * *n + at] = -H[k * nt + j];
        }
        at++;
    }
    gos__work_destroy(ctx, w);
    gos__free(ctx, H);
    gos__free(ctx, pivot);
    return status;
}
