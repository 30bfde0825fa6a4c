/* See floating_stressed.h. Displacements at rest by a basis are the nearest of its space in the energy: u - u_V is orthogonal to
   u_V there, so that the energy of the difference is f.u - f.u_V for a load f. The energy is the mean square of stress and strain:
   errors of displacements, which converge with its square, say little about them. */
#include "floating/floating_stressed.h"

#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/saddle.h"

#define ROUNDING 1e-12 // of the energy

typedef struct leaving {
    const gos_flex *flex;
    gos_saddle *saddle;
    int r;
    const double *V;
    double *A;     // V^T K V, factorised (r, r)
    double *f, *u; // (n)
    double *a;     // (r)
    double worst;  // part of the energy
    char *of;
    size_t size;
} leaving;

/* the load in k->f */
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
               : gos__fail(ctx, GOS_E_SINGULAR, "shapes of a reduced body depend on each other");
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
