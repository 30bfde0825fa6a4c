/* A space may be close to a state and still be too stiff for it: a reduced run does not end in the
   projection. With the forces F of points in the full state q and their tangent K, the run finds
   about the motion of the space with the same generalised forces,
     (M / s^2 + K) d = V^T (F(q) - F(V c)), M-projection c,
   under the remaining joints; s is a part of the run. V c + V d is compared with q. Temperatures
   are those of the full state: their error has its own bound. */
#include "rom/locking_error.h"

#include <cblas.h>
#include <math.h>

#define RESPONSE_TIME 0.05 // s relative to the run, as in monitor.c

struct gos_locking {
    gos_work *w;
    gos_solver *solver;
    double *q, *f[2];  // projected motion and forces of the full model (nq)
    double *r;         // right-hand side, then motion (n)
    gos_trial_runs at; // one sample
};

gos_status gos__locking_create(gos_choice *c, gos_arena *a, gos_locking **locking) {
    const gos_system *s = c->space.sys;
    gos_locking *k = *locking = GOS_NEW(a, gos_locking, 1);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->q = GOS_NEW(a, double, c->full->nq + 1L);
    k->f[0] = GOS_NEW(a, double, c->full->nq + 1L);
    k->f[1] = GOS_NEW(a, double, c->full->nq + 1L);
    k->r = GOS_NEW(a, double, s->n + 1L);
    k->at = (gos_trial_runs){.samples = 1, .n = c->kept_history.n};
    k->at.r = GOS_NEW(a, double, 3L * k->at.n + 1);
    k->at.T = GOS_NEW(a, double, k->at.n + 1L);
    GOS_TRY(k->q && k->f[0] && k->f[1] && k->r && k->at.r && k->at.T ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__work_create(c->quiet, s, &k->w));
    return gos__solver_create(c->quiet, &s->pattern, &k->solver);
}

void gos__locking_destroy(const gos_choice *c, gos_locking *k) {
    if (k) {
        gos__solver_destroy(k->solver);
        gos__work_destroy(c->quiet, k->w);
    }
}

/* k->r := motion d; false: the tangent is singular */
static gos_status respond(const gos_choice *c, gos_locking *k, const gos_state *x, bool *good) {
    const gos_system *s = c->space.sys;
    const double span = RESPONSE_TIME * c->options.end;
    const gos_point_of at = {.t = x->t, .scale = 1, .q = x->q, .th = x->th};
    gos__jacobian(k->w, &at,
                  &(gos_newton_factors){.m = span > 0 ? 1 / (span * span) : 0,
                                        .k = 1,
                                        .cm = span > 0 ? 1 / span : 0,
                                        .ck = 1,
                                        .lam = 1,
                                        .lamT = 1});
    const gos_status status = gos__solver_factor(k->solver, k->w->values, NULL);
    *good = status == GOS_OK;
    if (*good) {
        gos__solver_solve(k->solver, k->r);
        for (int i = 0; i < s->nq; i++) {
            *good = *good && isfinite(k->r[i]);
        }
    }
    return status == GOS_E_SINGULAR || status == GOS_RETRY ? GOS_OK : status;
}

static double distance(const gos_choice *c, const gos_locking *k, int i) {
    const size_t n = 3 * (size_t)k->at.n;
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        const double d = k->at.r[j] - c->kept_history.r[(size_t)i * n + j];
        sum += d * d;
    }
    return k->at.n > 0 ? sqrt(sum / k->at.n) / c->full->extent : 0;
}

gos_status gos__locking_error(gos_choice *c, gos_locking *k, const gos_reconstruction *r, int i,
                              gos_state *x, double *strain) {
    const gos_system *s = c->space.sys;
    const gos_training *from = &c->states;
    const size_t nq = from->nq, nt = from->nt, at = i;
    bool good;
    gos__reconstruct_motion(r, true, x->q, k->q);
    for (int j = 0; j < 2; j++) {
        GOS_TRY(gos__strain_energy(c->quiet, c->full, j == 0 ? from->q + at * nq : k->q, NULL,
                                   from->th + at * nt, strain, k->f[j]));
    }
    cblas_daxpy(from->nq, -1, k->f[1], 1, k->f[0], 1);
    memset(k->r, 0, (size_t)s->n * sizeof *k->r);
    gos__reconstruction_add_forces(r, k->f[0], k->r + s->at.q);
    GOS_TRY(respond(c, k, x, &good));
    if (good) {
        for (int j = 0; j < s->nq; j++) {
            x->q[j] += k->r[s->at.q + j];
        }
        gos__trial_runs_sample(s, x, &k->at, 0);
        c->space.locked = fmax(c->space.locked, distance(c, k, i));
    }
    return GOS_OK;
}
