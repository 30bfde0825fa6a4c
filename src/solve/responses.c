/* See responses.h. Right-hand sides are stored orthonormalised with their solutions. Entries have
 * different units, so each is tested relative to its summands. */
#include "solve/responses.h"

#include <math.h>

#define MAX_RESPONSES                                                                              \
    12 // stored right-hand sides; a force at a point with rotating direction needs three
#define NEGLIGIBLE_ENTRY 1e-11 // negligible part of an entry, relative to its summands

struct gos_responses {
    gos_ctx *ctx;
    int n, count;
    double *force, *answer; // right-hand sides and their solutions (MAX_RESPONSES, n)
    int from[MAX_RESPONSES],
        to[MAX_RESPONSES]; // nonzero range of each right-hand side: from .. to - 1
    double *sum;           // scratch: sum of solutions (n)
    double *size;          // scratch: sum of absolute summands of each entry (n)
};

gos_status gos__responses_create(gos_ctx *ctx, int n, gos_responses **r) {
    gos_responses *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->ctx = ctx;
    k->n = n;
    *r = k;
    return GOS_OK;
}

void gos__responses_destroy(gos_responses *r) {
    if (r) {
        gos__free(r->ctx, r->force);
        gos__free(r->ctx, r);
    }
}

void gos__responses_forget(gos_responses *r) {
    r->count = 0;
}

static gos_status make_room(gos_responses *r) {
    const size_t n = r->n;
    if (!r->force) {
        r->force = gos__zalloc(r->ctx, (2 * MAX_RESPONSES + 2) * n + 1, sizeof *r->force);
        if (!r->force) {
            return GOS_E_MEMORY;
        }
        r->answer = r->force + MAX_RESPONSES * n;
        r->sum = r->answer + MAX_RESPONSES * n;
        r->size = r->sum + n;
    }
    return GOS_OK;
}

/* four partial sums for vectorisation */
static double dot(int n, const double *x, const double *y) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) {
            sum[k] += x[i + k] * y[i + k];
        }
    }
    for (; i < n; i++) {
        sum[0] += x[i] * y[i];
    }
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

static void bound(gos_responses *r, int k) {
    const double *f = r->force + (size_t)k * r->n;
    int from = 0, to = r->n;
    while (from < to && f[from] == 0) {
        from++;
    }
    while (to > from && f[to - 1] == 0) {
        to--;
    }
    r->from[k] = from;
    r->to[k] = to;
}

/* Solves for x and stores it as a new direction; starts over if full. */
static void learn(gos_responses *r, gos_newton_solver *solver, const double *x) {
    const double norm = sqrt(dot(r->n, x, x));
    if (norm == 0) { // underflow of squares
        return;
    }
    r->count = r->count == MAX_RESPONSES ? 0 : r->count;
    const int k = r->count++;
    double *f = r->force + (size_t)k * r->n;
    double *y = r->answer + (size_t)k * r->n;
    for (int i = 0; i < r->n; i++) {
        f[i] = y[i] = x[i] / norm;
    }
    gos__newton_solver_solve(solver, y);
    for (int i = 0; i < r->n; i++) {
        r->sum[i] += norm * y[i];
    }
    bound(r, k);
}

/* x := component outside the span; r->sum := solution of the rest.
 * @return is an entry of x larger than `small` times its summands? */
static bool split(gos_responses *r, double small, double *x) {
    const int n = r->n;
    bool outside = false;
    for (int i = 0; i < n; i++) {
        r->sum[i] = 0;
        r->size[i] = fabs(x[i]);
    }
    for (int k = 0; k < r->count; k++) {
        const double *f = r->force + (size_t)k * n, *y = r->answer + (size_t)k * n;
        const int from = r->from[k], to = r->to[k];
        const double part = dot(to - from, f + from, x + from);
        for (int i = from; i < to; i++) {
            const double taken = part * f[i];
            x[i] -= taken;
            r->size[i] += fabs(taken);
        }
        for (int i = 0; i < n; i++) {
            r->sum[i] += part * y[i];
        }
    }
    for (int i = 0; i < n; i++) {
        outside |= !(fabs(x[i]) <= small * r->size[i]); // NaN is outside
    }
    return outside;
}

gos_status gos__responses_solve(gos_responses *r, gos_newton_solver *solver, double loose,
                                double *x) {
    GOS_TRY(make_room(r));
    if (split(r, fmax(loose, NEGLIGIBLE_ENTRY), x)) {
        learn(r, solver, x);
    }
    memcpy(x, r->sum, r->n * sizeof *x);
    return GOS_OK;
}

void gos__responses_give(gos_responses *r, gos_walk *past) {
    gos__walk_int(past, &r->count, MAX_RESPONSES);
    gos__walk(past, r->force, (size_t)r->count * r->n);
}

const double *gos__responses_find(const gos_responses *r, gos_walk *past, int *count) {
    *count = 0;
    gos__walk_int(past, count, MAX_RESPONSES);
    return gos__walk(past, NULL, (size_t)*count * r->n);
}

gos_status gos__responses_take(gos_responses *r, gos_newton_solver *solver, const double *force,
                               int count) {
    const size_t size = (size_t)count * r->n;
    if (count == 0) {
        return GOS_OK;
    }
    GOS_TRY(make_room(r));
    memcpy(r->force, force, size * sizeof *force);
    memcpy(r->answer, force, size * sizeof *force);
    for (int k = 0; k < count; k++) {
        bound(r, k);
        gos__newton_solver_solve(solver, r->answer + (size_t)k * r->n);
    }
    r->count = count;
    return GOS_OK;
}
