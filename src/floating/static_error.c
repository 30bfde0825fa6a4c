/* Static displacements of a basis are the energy projection, u - u_V orthogonal to u_V: the energy
   of the difference is f.u - f.u_V for load f. It is the mean square of stress; displacement errors
   converge with its square. */
#include "floating/static_error.h"

#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/saddle.h"

#define ROUNDING 1e-12 // of the energy
// relative eigenvalue below which loads are dependent
#define DEPENDENT 1e-8

typedef struct leaving {
    const gos_flex *flex;
    gos_saddle *saddle;
    int r;
    const double *V;
    double *A;     // V^T K V, factorised (r, r)
    double *f, *u; // (n)
    double *a;     // (r)
    double worst;  // of the energy
    char *of;
    size_t size;
} leaving;

/* error under the load k->f */
static gos_status look(leaving *k, const char *name, int number) {
    const int n = k->flex->n;
    GOS_TRY(gos__saddle_solve(k->saddle, 1, k->f, k->u));
    const double all = gos__dense_dot(n, k->f, k->u);
    gos__dense_product(k->r, 1, n, k->V, k->f, k->a);
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', k->r, 1, k->A, k->r, k->a, k->r);
    const double left = all > 0 ? 1 - gos__dense_dot(k->r, k->a, k->a) / all : 0;
    if (left > fmax(k->worst, ROUNDING)) {
        k->worst = left;
        gos__format(k->of, k->size, number > 0 ? "%s %d" : "%s", name, number);
    }
    return GOS_OK;
}

static gos_status look_at_all(leaving *k, const gos_floating_loads *loads, int s, const double *W) {
    const int n = k->flex->n;
    for (int i = 0; i < loads->n; i++) {
        if (loads->port[i].load) {
            memcpy(k->f, loads->port[i].load, (size_t)n * sizeof *k->f);
            GOS_TRY(look(k, loads->port[i].name, 0));
        }
    }
    for (int j = 0; j < s; j++) {
        gos__sparse_apply(&k->flex->heat.G, 1, W + (size_t)j * (size_t)k->flex->heat.n, k->f);
        GOS_TRY(look(k, "temperature field", j + 1));
    }
    return GOS_OK;
}

static gos_status begin(leaving *k, gos_linear **l) {
    const size_t n = (size_t)k->flex->n, r = (size_t)k->r;
    gos_ctx *ctx = k->flex->ctx;
    GOS_TRY(gos__flex_linear(k->flex, 0, NULL, 0, NULL, l));
    const gos_pencil pencil = {
        .K = &(*l)->K, .M = &(*l)->M, .C = &(*l)->block[GOS_BLOCK_C], .ncomp = 1};
    GOS_TRY(gos__saddle_create(ctx, &pencil, &k->saddle));
    GOS_TRY(gos__saddle_factor(k->saddle, 0, 0));
    k->A = gos__alloc(ctx, r * r + 2 * n + r + 1, sizeof *k->A);
    double *KV = gos__alloc(ctx, n * r + 1, sizeof *KV);
    const bool room = k->A && KV;
    if (room) {
        k->f = k->A + r * r;
        k->u = k->f + n;
        k->a = k->u + n;
        gos__sparse_apply(&(*l)->K, k->r, k->V, KV);
        gos__dense_product(k->r, k->r, k->flex->n, k->V, KV, k->A);
    }
    gos__free(ctx, KV);
    GOS_TRY(room ? GOS_OK : GOS_E_MEMORY);
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', k->r, k->A, k->r) == 0
               ? GOS_OK
               : gos__fail(ctx, GOS_E_SINGULAR, "shapes of a reduced body are linearly dependent");
}

gos_status gos__floating_stress_left(const gos_flex *flex, const gos_floating_loads *loads, int s,
                                     const double *W, int r, const double *V, double *left,
                                     char *of, size_t size) {
    leaving k = {.flex = flex, .r = r, .V = V, .of = of, .size = size};
    gos_linear *l = NULL;
    *left = 0;
    gos_status status = begin(&k, &l);
    status = status == GOS_OK ? look_at_all(&k, loads, s, W) : status;
    gos__saddle_destroy(k.saddle);
    gos_linear_destroy(l);
    gos__free(flex->ctx, k.A);
    *left = sqrt(k.worst);
    return status;
}

/* ---- combined loads -------------------------------------------------------------------------- */

/* displacements along each load by each: full body, reduced body */
static gos_status find_compliances(leaving *k, const gos_floating_loads *loads, double *all,
                                   double *kept) {
    const int n = loads->n, r = k->r, rows = k->flex->n;
    double *a = gos__alloc(k->flex->ctx, (size_t)n * (size_t)r + 1, sizeof *a);
    gos_status status = a ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < n && status == GOS_OK; j++) {
        double *own = a + (size_t)j * (size_t)r;
        memcpy(k->f, loads->port[j].load, (size_t)rows * sizeof *k->f);
        status = gos__saddle_solve(k->saddle, 1, k->f, k->u);
        gos__dense_product(r, 1, rows, k->V, k->f, own);
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', r, 1, k->A, r, own, r);
        for (int i = 0; i <= j; i++) {
            all[i + n * j] = all[j + n * i] = gos__dense_dot(rows, loads->port[i].load, k->u);
            kept[i + n * j] = kept[j + n * i] = gos__dense_dot(r, a + (size_t)i * (size_t)r, own);
        }
    }
    gos__free(k->flex->ctx, a);
    return status;
}

/* of (all - kept) x = left all x; `all`, `kept` are overwritten; w (n), T (n, n): scratch */
static gos_status largest_part(gos_ctx *ctx, int n, double *all, double *kept, double *w, double *T,
                               double *left) {
    int m = 0;
    for (int j = 0; j < n; j++) { // moments scale like forces
        w[j] = all[j + n * j] > 0 ? 1 / sqrt(all[j + n * j]) : 0;
    }
    for (int k = 0; k < n * n; k++) {
        all[k] *= w[k / n] * w[k % n];
        kept[k] = all[k] - w[k / n] * w[k % n] * kept[k];
    }
    GOS_TRY(gos__dense_symmetric(ctx, n, all, w));
    for (int j = n - 1; j >= 0 && w[j] > DEPENDENT * w[n - 1]; j--) {
        for (int i = 0; i < n; i++) {
            T[i + n * m] = all[i + n * j] / sqrt(w[j]);
        }
        m++;
    }
    gos__dense_product(n, m, n, kept, T, all);
    gos__dense_product(m, m, n, T, all, kept);
    GOS_TRY(gos__dense_symmetric(ctx, m, kept, w));
    *left = m > 0 && w[m - 1] > sqrt(ROUNDING) ? fmin(w[m - 1], 1) : 0;
    return GOS_OK;
}

gos_status gos__floating_deflection_left(const gos_flex *flex, const gos_floating_loads *loads,
                                         int r, const double *V, double *left) {
    const int n = loads->n;
    const size_t nn = (size_t)n * (size_t)n;
    leaving k = {.flex = flex, .r = r, .V = V};
    gos_linear *l = NULL;
    double *all = gos__alloc(flex->ctx, 3 * nn + (size_t)n + 1, sizeof *all);
    *left = 0;
    gos_status status = all ? begin(&k, &l) : GOS_E_MEMORY;
    if (status == GOS_OK && n > 0) {
        double *kept = all + nn, *T = kept + nn;
        status = find_compliances(&k, loads, all, kept);
        status = status == GOS_OK ? largest_part(flex->ctx, n, all, kept, T + nn, T, left) : status;
    }
    gos__saddle_destroy(k.saddle);
    gos_linear_destroy(l);
    gos__free(flex->ctx, k.A);
    gos__free(flex->ctx, all);
    return status;
}
