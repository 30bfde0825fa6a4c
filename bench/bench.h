/* What the benchmarks share: running a model of examples/ with settings, and the error norm
   e(t) = RMS over nodes of |r - r_ref| at a fixed list of times. */
#ifndef GOS_BENCH_H
#define GOS_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gossamer/gossamer.h"

typedef struct bench_run {
    gos_statistics stats;
    gos_sizes sizes;
    int nnodes, ntimes;
    double *r;        // (ntimes, nnodes, 3)
    double *T;        // (ntimes, nnodes)
    double cpu;       // processor time of preparing and all steps [s]
    long allocations; // during the steps after the first
} bench_run;

static inline void bench_die(const gos_ctx *ctx) {
    fprintf(stderr, "benchmark failed: %s\n", gos_ctx_message(ctx));
    exit(1);
}

static inline gos_system *bench_system(gos_ctx *ctx, const char *path, const char *const *set) {
    gos_model *m = NULL;
    gos_system *s = NULL;
    if (gos_model_read(ctx, path, &m)) {
        bench_die(ctx);
    }
    for (int i = 0; set && set[i]; i += 2) {
        if (gos_model_set(ctx, m, set[i], set[i + 1])) {
            bench_die(ctx);
        }
    }
    if (gos_system_create(ctx, m, &s)) {
        bench_die(ctx);
    }
    gos_model_destroy(m);
    return s;
}

/* integrate to the end; node fields at ntimes equidistant times (0: none) */
static inline bench_run bench_integrate(gos_ctx *ctx, const gos_system *s, const gos_options *o,
                                        int ntimes) {
    bench_run b = {.ntimes = ntimes};
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    gos_system_sizes(s, &b.sizes);
    b.nnodes = b.sizes.nodes;
    b.r = calloc((size_t)(ntimes * b.nnodes) * 3 + 1, sizeof *b.r);
    b.T = calloc((size_t)(ntimes * b.nnodes) + 1, sizeof *b.T);
    const clock_t begin = clock();
    if (!b.r || !b.T || gos_state_create(ctx, s, &x) || gos_integrator_create(ctx, s, o, x, &g)) {
        bench_die(ctx);
    }
    if (ntimes > 0) {
        gos_system_nodes(s, x, b.r, NULL, b.T, NULL);
    }
    int next = 1;
    long before = -1;
    while (gos_state_time(x) < o->end) {
        if (gos_integrator_step(g, o->end)) {
            bench_die(ctx);
        }
        before = before < 0 ? gos_ctx_allocations(ctx) : before;
        while (next < ntimes && o->end * next / (ntimes - 1) <= gos_state_time(x) * (1 + 1e-13)) {
            const gos_state *at = gos_integrator_at(g, o->end * next / (ntimes - 1));
            gos_system_nodes(s, at, b.r + (size_t)(next * b.nnodes) * 3, NULL,
                             b.T + (size_t)(next * b.nnodes), NULL);
            next++;
        }
    }
    b.cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    b.allocations = gos_ctx_allocations(ctx) - before;
    gos_integrator_statistics(g, &b.stats);
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    return b;
}

static inline void bench_free(bench_run *b) {
    free(b->r);
    free(b->T);
}

/* max over t of e(t), relative to the extent; every `stride`-th node of the reference is
   compared */
static inline double bench_error(const bench_run *ref, const bench_run *b) {
    const int stride = b->nnodes > 1 ? (ref->nnodes - 1) / (b->nnodes - 1) : 1;
    double worst = 0;
    for (int k = 0; k < b->ntimes; k++) {
        double sum = 0;
        for (int i = 0; i < b->nnodes; i++) {
            const double *p = b->r + 3 * (size_t)(k * b->nnodes + i);
            const double *q = ref->r + 3 * (size_t)(k * ref->nnodes + i * stride);
            for (int c = 0; c < 3; c++) {
                sum += (p[c] - q[c]) * (p[c] - q[c]);
            }
        }
        worst = fmax(worst, sqrt(sum / b->nnodes));
    }
    return worst / ref->sizes.extent;
}

static inline double bench_temperature_error(const bench_run *ref, const bench_run *b) {
    const int stride = b->nnodes > 1 ? (ref->nnodes - 1) / (b->nnodes - 1) : 1;
    double worst = 0, lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int k = 0; k < b->ntimes; k++) {
        double sum = 0;
        for (int i = 0; i < b->nnodes; i++) {
            const double q = ref->T[k * ref->nnodes + i * stride];
            const double d = b->T[k * b->nnodes + i] - q;
            sum += d * d;
            lo = fmin(lo, q);
            hi = fmax(hi, q);
        }
        worst = fmax(worst, sqrt(sum / b->nnodes));
    }
    return hi > lo ? worst / (hi - lo) : 0;
}

#endif
