#include <math.h>

#include "linear_reduction/reduce.h"

#define STEPS_PER_PERIOD 20
#define MAX_FREQUENCY_RATIO 100 // largest considered ratio of highest to lowest frequency
#define PERIODS_AFTER_PULSE 2
#define PULSE_DELAY 6 // delay of the pulse: it starts at 1e-8 of its height

typedef struct time_grid {
    double h;
    int n, every, count; // time points, stride of snapshots, their number
} time_grid;

static time_grid plan(const gos_linear_reduction_options *opt, int max) {
    const double hi = opt->band[1], lo = fmax(opt->band[0], hi / MAX_FREQUENCY_RATIO),
                 turn = 2 * acos(-1);
    time_grid c = {.h = turn / (STEPS_PER_PERIOD * hi)};
    c.n = 1 + (int)ceil((PULSE_DELAY / hi + PERIODS_AFTER_PULSE * turn / lo) / c.h);
    c.every = (c.n + max - 1) / max;
    c.count = (c.n - 1) / c.every + 1;
    return c;
}

int gos__reduce_transient_count(const gos_linear_reduction_options *opt, int max) {
    return plan(opt, max).count;
}

/* outputs from row `first`: unknowns of one field */
static gos_status observe(gos_linear *l, gos_block block, int first) {
    const gos_sparse *to = &l->block[block];
    gos_sparse Y = {0};
    gos_status status = gos__sparse_alloc(l->ctx, to->m, to->n, to->n, &Y);
    for (int j = 0; j < to->n && status == GOS_OK; j++) {
        Y.p[j + 1] = j + 1;
        Y.i[j] = first + j;
        Y.x[j] = 1;
    }
    status = status == GOS_OK ? gos__linear_put(l, block, &Y) : status;
    gos__sparse_free(l->ctx, &Y);
    return status;
}

static gos_status observed(gos_ctx *ctx, const gos_linear *l, gos_linear **out) {
    const gos_linear_size size = {.nq = l->nq,
                                  .nt = l->nt,
                                  .nphi = l->nphi,
                                  .nc = l->nc,
                                  .nh = l->nh,
                                  .nu = l->nu,
                                  .ny = l->nq + l->nt + l->nphi};
    GOS_TRY(gos__linear_create(ctx, &size, out));
    for (int b = 0; b < (int)GOS_BLOCK_Y_q; b++) {
        GOS_TRY(gos__linear_put(*out, (gos_block)b, &l->block[b]));
    }
    GOS_TRY(observe(*out, GOS_BLOCK_Y_q, 0));
    GOS_TRY(observe(*out, GOS_BLOCK_Y_T, l->nq));
    GOS_TRY(observe(*out, GOS_BLOCK_Y_phi, l->nq + l->nt));
    return gos__linear_close(*out);
}

/* u (n, inputs) */
static void pulse(const time_grid *c, double hi, long nu, int input, double *u) {
    memset(u, 0, c->n * nu * sizeof *u);
    for (int k = 1; k < c->n; k++) { // u(0) = 0, required with a singular mass
        const double x = c->h * k * hi - PULSE_DELAY;
        u[k * nu + input] = exp(-x * x / 2);
    }
}

gos_status gos__reduce_transient_snapshots(gos_reduce_task *t, int max, double *S) {
    const time_grid c = plan(t->opt, max);
    const size_t n = t->pencil->n;
    const int nu = t->full->nu;
    gos_linear *l = NULL;
    gos_status status = observed(t->ctx, t->full, &l);
    double *u = gos__alloc(t->ctx, (size_t)c.n * nu, sizeof *u);
    status = status == GOS_OK && !u ? GOS_E_MEMORY : status;
    for (int j = 0; j < nu && status == GOS_OK; j++) {
        gos_transient used;
        pulse(&c, t->opt->band[1], nu, j, u);
        status = gos__linear_transient(t->ctx, l, GOS_TRANSIENT_AUTO, c.h, c.n, c.every, u,
                                       S + n * c.count * j, &used);
    }
    gos__free(t->ctx, u);
    gos_linear_destroy(l);
    return status;
}
