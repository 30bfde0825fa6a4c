/* Anderson acceleration: x + f - sum c_j (dx_j + df_j), where c minimises |f - sum c_j df_j|. */
#include "linalg/anderson.h"

#include <lapacke.h>

struct gos_anderson {
    gos_ctx *ctx;
    int n, depth;
    const double *weight; // (n)
    int count;            // steps since the reset
    double *last, *step;  // f and step of the last call (n)
    double *df, *dx;      // changes of f and x, columns in cyclic order (n, depth)
    double *A, *b;        // least-squares problem (n, depth), (n)
    double *work;         // (depth * 65)
};

gos_status gos__anderson_create(gos_ctx *ctx, int n, int depth, const double *weight,
                                gos_anderson **anderson) {
    gos_anderson *a = gos__zalloc(ctx, 1, sizeof *a);
    if (!a) {
        return GOS_E_MEMORY;
    }
    *a = (gos_anderson){.ctx = ctx, .n = n, .depth = depth < n ? depth : n, .weight = weight};
    const size_t column = n + 1L, columns = (size_t)a->depth * n + 1;
    a->last = gos__alloc(ctx, column, sizeof *a->last);
    a->step = gos__alloc(ctx, column, sizeof *a->step);
    a->df = gos__alloc(ctx, columns, sizeof *a->df);
    a->dx = gos__alloc(ctx, columns, sizeof *a->dx);
    a->A = gos__alloc(ctx, columns, sizeof *a->A);
    a->b = gos__alloc(ctx, column, sizeof *a->b);
    a->work = gos__alloc(ctx, 65L * depth + 1, sizeof *a->work);
    if (!a->last || !a->step || !a->df || !a->dx || !a->A || !a->b || !a->work) {
        gos__anderson_destroy(a);
        return GOS_E_MEMORY;
    }
    *anderson = a;
    return GOS_OK;
}

void gos__anderson_destroy(gos_anderson *a) {
    if (a) {
        double *const lists[] = {a->last, a->step, a->df, a->dx, a->A, a->b, a->work};
        for (int i = 0; i < GOS_COUNT(lists); i++) {
            gos__free(a->ctx, lists[i]);
        }
        gos__free(a->ctx, a);
    }
}

void gos__anderson_reset(gos_anderson *a) {
    a->count = 0;
}

/* a->b begins with the coefficients; false: the changes are linearly dependent. */
static bool find_coefficients(gos_anderson *a, int columns, const double *f) {
    const int n = a->n;
    for (long j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++) {
            a->A[j * n + i] = a->weight[i] * a->df[j * n + i];
        }
    }
    for (int i = 0; i < n; i++) {
        a->b[i] = a->weight[i] * f[i];
    }
    return LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', n, columns, 1, a->A, n, a->b, n, a->work,
                              65 * a->depth) == 0;
}

void gos__anderson_step(gos_anderson *a, double *f) {
    const long n = a->n;
    if (a->count > 0) {
        const long at = (a->count - 1) % a->depth;
        for (long i = 0; i < n; i++) {
            a->df[at * n + i] = f[i] - a->last[i];
            a->dx[at * n + i] = a->step[i];
        }
    }
    memcpy(a->last, f, a->n * sizeof *f);
    const int columns = a->count < a->depth ? a->count : a->depth;
    a->count++;
    if (columns > 0 && find_coefficients(a, columns, f)) {
        for (long j = 0; j < columns; j++) {
            for (long i = 0; i < n; i++) {
                f[i] -= a->b[j] * (a->dx[j * n + i] + a->df[j * n + i]);
            }
        }
    }
    memcpy(a->step, f, a->n * sizeof *f);
}
