/* Statics in axes that turn (turning.h): the start of Newton's method, and what must hold at its
 * end. */
#include <math.h>

#include "parts/vec3.h"
#include "solve/consistent.h"
#include "statics/static.h"

#define PUSHED 1e-6   // acceleration of a free motion that counts as none, of that of the rotation
#define ROUNDED 1e-14 // part of the terms of a force that is rounding

gos_status gos__static_begin_rotation(gos_statics *k, gos_state *state) {
    double spin[3], pivot[3];
    if (!gos__turning_given(k->opt, spin, pivot)) {
        return GOS_OK;
    }
    GOS_TRY(gos__turning_create(k->ctx, k->sys, spin, pivot, &k->turning));
    GOS_TRY(gos__turning_check(k->turning, k->w, state));
    const gos_point_of at = gos__static_point(k, state, NULL, 1);
    GOS_TRY(gos__turning_find_free(k->turning, k->w, &at));
    k->v = gos__zalloc(k->ctx, (size_t)k->sys->nq + 1, sizeof *k->v);
    GOS_TRY(k->v ? GOS_OK : GOS_E_MEMORY);
    // rigid bodies are stiff by the forces of their joints alone: Newton needs them from the start
    GOS_TRY(gos_state_copy(k->x, state));
    gos__turning_rates(k->turning, 1, state->q, k->x->v);
    GOS_TRY(gos__consistent(k->ctx, k->w, k->x, state->t));
    memcpy(state->lam, k->x->lam, k->sys->nc * sizeof *state->lam);
    return GOS_OK;
}

/* force in the motion u that may be rounding of the forces at q */
static double rounding(const gos_turning *t, const double *u, const double *q) {
    double sum = 0;
    for (int j = 0; j < t->sys->nq; j++) {
        for (int e = t->A.p[j]; e < t->A.p[j + 1]; e++) {
            const int i = t->A.i[e];
            sum += i < t->sys->nq ? fabs(u[i] * t->A.x[e] * q[j]) : 0;
        }
    }
    return ROUNDED * sum;
}

/* What pushes along a motion that nothing holds would speed it up: the multipliers of the border,
   which are the last unknowns, are that acceleration. */
static gos_status check_pushes(const gos_statics *k) {
    const gos_turning *t = k->turning;
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
            return gos__fail(
                k->ctx, GOS_E_INPUT,
                "no steady rotation: nothing holds the system %s the axis, and %.4g %s "
                "push it there; remove them or add a joint",
                t->along[f] ? "along" : "about", push, t->along[f] ? "N" : "N m");
        }
    }
    return GOS_OK;
}

static gos_status tell_stability(const gos_statics *k) {
    int n = 0;
    const gos_status status = gos__turning_count(k->turning, k->w, k->x->q, &n);
    if (status == GOS_OK && n > 0) {
        gos__warn(k->ctx, (gos_loc){0}, "steady rotation",
                  "its energy in turning axes falls in %d direction%s: it is unstable, unless "
                  "gyroscopic forces hold it, and they do not where anything is damped; "
                  "gossamer modes --damped with this spin has the roots",
                  n, n == 1 ? "" : "s");
    }
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

/* the equilibrium in turning axes as a motion; it must be one for all time */
gos_status gos__static_end_rotation(gos_statics *k, gos_state *state) {
    const gos_turning *t = k->turning;
    GOS_TRY(check_pushes(k));
    GOS_TRY(gos__turning_check(t, k->w, state));
    GOS_TRY(tell_stability(k));
    gos__turning_rates(t, 1, state->q, state->v);
    for (int i = 0; i < k->sys->nv; i++) {
        gos__cross3(t->spin, state->v + 3 * i, state->a + 3 * i);
    }
    return GOS_OK;
}
