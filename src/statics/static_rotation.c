/* Statics in rotating axes (turning.h): start and final checks. */
#include <math.h>

#include "parts/vec3.h"
#include "solve/consistent.h"
#include "statics/static.h"

#define PUSHED 1e-6   // negligible acceleration of a free motion, relative to that of the rotation
#define ROUNDED 1e-14 // rounding, relative to the terms of a force

gos_status gos__static_begin_rotation(gos_statics *k, gos_state *state) {
    double spin[3], pivot[3];
    if (!gos__rotating_given(k->opt, spin, pivot)) {
        return GOS_OK;
    }
    GOS_TRY(gos__check_lacks(k->ctx, k->sys, "rotating equilibria"));
    GOS_TRY(gos__rotating_create(k->ctx, k->sys, spin, pivot, &k->turning));
    GOS_TRY(gos__rotating_check(k->turning, k->w, state));
    const gos_point_of at = gos__static_point(k, state, NULL, 1);
    GOS_TRY(gos__rotating_find_free(k->turning, k->w, &at));
    k->v = gos__zalloc(k->ctx, (size_t)k->sys->nq + 1, sizeof *k->v);
    GOS_TRY(k->v ? GOS_OK : GOS_E_MEMORY);
    // rigid bodies get stiffness only from joint forces, so Newton needs initial values
    GOS_TRY(gos_state_copy(k->x, state));
    gos__rotating_rates(k->turning, 1, state->q, k->x->v);
    GOS_TRY(gos__consistent(k->ctx, k->w, k->x, state->t));
    memcpy(state->lam, k->x->lam, k->sys->nc * sizeof *state->lam);
    return GOS_OK;
}

/* rounding level of the force along u at q */
static double rounding(const gos_rotating *t, const double *u, const double *q) {
    double sum = 0;
    for (int j = 0; j < t->sys->nq; j++) {
        for (int e = t->A.p[j]; e < t->A.p[j + 1]; e++) {
            const int i = t->A.i[e];
            sum += i < t->sys->nq ? fabs(u[i] * t->A.x[e] * q[j]) : 0;
        }
    }
    return ROUNDED * sum;
}

/* A load along a free motion would accelerate it: the border's multipliers, the last unknowns, are
   this acceleration. */
static gos_status check_pushes(const gos_statics *k) {
    const gos_rotating *t = k->turning;
    const gos_system *s = k->sys;
    const double rate2 = gos__dot3(t->spin, t->spin);
    for (long f = 0; f < t->nfree; f++) {
        const double *u = t->motion + f * (size_t)s->nq;
        const double *Mu = t->held + f * (size_t)s->nq;
        double mass = 0;
        for (int i = 0; i < s->nq; i++) {
            mass += u[i] * Mu[i];
        }
        const double push = fabs(mass * k->r[s->n + f]);
        const double allowed = PUSHED * rate2 * mass * (t->along[f] ? s->extent : 1);
        if (!(push <= allowed + rounding(t, u, k->x->q))) {
            return gos__fail(k->ctx, GOS_E_INPUT,
                             "no steady rotation: the system is free to move %s the axis, but is "
                             "loaded by %.4g %s in that direction; remove this load or add a joint",
                             t->along[f] ? "along" : "about", push, t->along[f] ? "N" : "N m");
        }
    }
    return GOS_OK;
}

static gos_status tell_stability(const gos_statics *k) {
    int n = 0;
    const gos_status status = gos__rotating_count(k->turning, k->w, k->x->q, &n);
    if (status == GOS_OK && n > 0) {
        gos__warn(k->ctx, (gos_loc){0}, "steady rotation",
                  "its potential energy in rotating axes decreases in %d direction%s: it is "
                  "unstable, unless gyroscopic forces stabilise it (damping prevents this); check "
                  "with gossamer modes --damped and this spin",
                  n, n == 1 ? "" : "s");
    }
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

gos_status gos__static_end_rotation(gos_statics *k, gos_state *state) {
    const gos_rotating *t = k->turning;
    GOS_TRY(check_pushes(k));
    GOS_TRY(gos__rotating_check(t, k->w, state));
    GOS_TRY(tell_stability(k));
    gos__rotating_rates(t, 1, state->q, state->v);
    for (int i = 0; i < k->sys->nv; i++) {
        gos__cross3(t->spin, state->v + 3 * i, state->a + 3 * i);
    }
    return GOS_OK;
}
