/* Projects externally written states onto the constraints. */
#include <math.h>

#include "solve/initial_state.h"
#include "solve/consistent.h"
#include "system/assemble.h"

#define MAX_VIOLATION 1e-12 // negligible constraint violation, relative to the extent

typedef struct settling {
    gos_ctx *ctx;
    gos_ctx *quiet; // for trials
    gos_work *w;
    gos_state *x;
    double *r; // residual (n), then coordinates before (nq + nt)
} settling;

static gos_status violation(const settling *k, double *max, const gos_item **of) {
    const gos_system *s = k->x->sys;
    const gos_point_of at = gos__state_point(k->x, k->x->t);
    const gos_residual out = gos__residual_of(s, k->r);
    *max = 0;
    *of = NULL;
    if (gos__residual(k->w, &at, &out, NULL) != GOS_OK) {
        return gos__fail(k->ctx, GOS_E_INPUT, "forces are not finite at the state that was set");
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int r = it->c0; r < it->c0 + it->nc; r++) {
            if (fabs(out.c[r]) > *max) {
                *max = fabs(out.c[r]);
                *of = it;
            }
        }
    }
    return GOS_OK;
}

static gos_status settle_positions(const settling *k, gos_constraint_correction *done) {
    enum { ROUNDS = 12 }; // of Newton's method, four steps each
    const gos_system *s = k->x->sys;
    const gos_item *of;
    double left;
    GOS_TRY(violation(k, &done->violation, &of));
    done->where = of ? of->name : NULL;
    left = done->violation;
    for (int round = 0; round < ROUNDS && left > MAX_VIOLATION * s->extent; round++) {
        const gos_status status = gos__consistent_position(k->quiet, k->w, k->x, k->x->t);
        if (status == GOS_E_MEMORY) {
            return status;
        }
        if (status != GOS_OK) {
            break; // dependent rows: no Newton direction
        }
        GOS_TRY(violation(k, &left, &of));
    }
    if (!(left <= 1e3 * MAX_VIOLATION * s->extent)) {
        return gos__fail_at(k->ctx, GOS_E_INPUT, of ? of->loc : (gos_loc){0}, of ? of->name : NULL,
                            "cannot be satisfied starting from the coordinates that were set: "
                            "residual %.3g; set coordinates closer to the constraint",
                            left);
    }
    return GOS_OK;
}

static gos_status settle(const settling *k, gos_constraint_correction *done) {
    gos_state *x = k->x;
    const gos_system *s = x->sys;
    double *q = k->r + s->n, *th = q + s->nq;
    *done = (gos_constraint_correction){0};
    memcpy(q, x->q, s->nq * sizeof *q);
    memcpy(th, x->th, s->nt * sizeof *th);
    GOS_TRY(settle_positions(k, done));
    GOS_TRY(gos__consistent_velocity(k->ctx, k->w, x, x->t, &done->velocity));
    done->temperature = gos__temperature_fit(k->w, x->t, x->th);
    for (int i = 0; i < s->nq; i++) {
        done->position = fmax(done->position, fabs(x->q[i] - q[i]));
    }
    GOS_TRY(gos__consistent(k->ctx, k->w, x, x->t));
    gos__initial_energy(x);
    return GOS_OK;
}

gos_status gos_state_satisfy_constraints(gos_ctx *ctx, gos_state *state,
                                         gos_constraint_correction *changed) {
    const gos_system *s = state->sys;
    settling k = {.ctx = ctx, .quiet = gos__ctx_quiet(ctx)};
    gos_constraint_correction done = {0};
    k.r = gos__zalloc(ctx, (size_t)(s->n + s->nq + s->nt) + 1, sizeof *k.r);
    gos_status status = k.r && k.quiet ? gos_state_create(ctx, s, &k.x) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__work_create(ctx, s, &k.w) : status;
    status = status == GOS_OK ? gos_state_copy(k.x, state) : status;
    if (status == GOS_OK) {
        gos__work_hold(k.w, k.x);
        status = settle(&k, &done);
    }
    if (status == GOS_OK) {
        k.x->h = 0;
        k.x->npast = 0;
        k.x->sets++; // notifies running integrators
        status = gos_state_copy(state, k.x);
    }
    if (status == GOS_OK && changed) {
        *changed = done;
    }
    gos_ctx_destroy(k.quiet);
    gos_state_destroy(k.x);
    gos__work_destroy(ctx, k.w);
    gos__free(ctx, k.r);
    return status;
}
