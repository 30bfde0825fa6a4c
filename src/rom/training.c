#include "rom/cubature.h"

gos_status gos__training_create(gos_ctx *ctx, const gos_system *sys, int cap, gos_training *k) {
    const size_t n = cap, nq = sys->nq, nt = sys->nt;
    *k = (gos_training){.cap = cap, .nq = sys->nq, .nt = sys->nt};
    k->t = gos__zalloc(ctx, n + 1, sizeof(double));
    k->q = gos__zalloc(ctx, n * nq + 1, sizeof(double));
    k->v = gos__zalloc(ctx, n * nq + 1, sizeof(double));
    k->th = gos__zalloc(ctx, n * nt + 1, sizeof(double));
    if (!k->t || !k->q || !k->v || !k->th) {
        gos__training_free(ctx, k);
        return GOS_E_MEMORY;
    }
    return GOS_OK;
}

void gos__training_free(gos_ctx *ctx, gos_training *k) {
    gos__free(ctx, k->t);
    gos__free(ctx, k->q);
    gos__free(ctx, k->v);
    gos__free(ctx, k->th);
    *k = (gos_training){0};
}

static double *at(double *x, long i, int n) {
    return x + i * n;
}

int gos__training_sample(const gos_training *k, int i) {
    return k->of > k->cap && k->cap > 1 ? (int)((long)i * (k->of - 1) / (k->cap - 1)) : i;
}

void gos__training_add(gos_training *k, const gos_state *state) {
    if (k->n == k->cap || k->visited++ != gos__training_sample(k, k->n)) {
        return;
    }
    const size_t nq = k->nq * sizeof(double), nt = k->nt * sizeof(double);
    k->t[k->n] = state->t;
    memcpy(at(k->q, k->n, k->nq), state->q, nq);
    memcpy(at(k->v, k->n, k->nq), state->v, nq);
    memcpy(at(k->th, k->n, k->nt), state->th, nt);
    k->n++;
}
