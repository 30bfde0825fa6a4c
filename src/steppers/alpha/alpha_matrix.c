/* Generalised-alpha: parameters, norms, Newton matrix and its factorisation. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "solve/scales.h"

/* Arguments of an assembled matrix, stored as an array of doubles so that it can be reassembled
 * exactly. */

size_t gos__location_size(const gos_system *s) {
    return 2 + 3 * (size_t)s->nq + 2L * s->nt + s->nc + s->nh + s->nmem + 3L * s->nfn;
}

static double *put(double *to, const double *from, int n) {
    memcpy(to, from, n * sizeof *to);
    return to + n;
}

void gos__location_write(const gos_work *w, const gos_point_of *at, double h, double *place) {
    const gos_system *s = w->sys;
    *place++ = at->t;
    *place++ = h;
    place = put(place, at->q, s->nq);
    place = put(place, at->v, s->nq);
    place = put(place, at->a, s->nq);
    place = put(place, at->th, s->nt);
    place = put(place, at->thd, s->nt);
    place = put(place, at->lam, s->nc);
    place = put(place, at->lamT, s->nh);
    memcpy(place, gos__memory_of(s, at), s->nmem * sizeof *place);
    place += s->nmem;
    place = put(place, w->fn, s->nfn);
    place = put(place, w->fnd, s->nfn);
    (void)put(place, w->fndd, s->nfn);
}

static const double *get(double *to, const double *from, int n) {
    memcpy(to, from, n * sizeof *to);
    return from + n;
}

gos_point_of gos__location_read(const double *place, gos_work *w, gos_state *x) {
    const gos_system *s = x->sys;
    const double t = place[0];
    place = get(x->q, place + 2, s->nq);
    place = get(x->v, place, s->nq);
    place = get(x->a, place, s->nq);
    place = get(x->th, place, s->nt);
    place = get(x->thd, place, s->nt);
    place = get(x->lam, place, s->nc);
    place = get(x->lamT, place, s->nh);
    memcpy(x->mem, place, s->nmem * sizeof *place);
    place = get(w->fn, place + s->nmem, s->nfn);
    place = get(w->fnd, place, s->nfn);
    (void)get(w->fndd, place, s->nfn);
    w->t = t;
    return gos__state_point(x, t);
}

void gos__location_note(gos_alpha *g, const gos_point_of *at, double h) {
    if (!gos__newton_solver_kept_pivots(g->solver)) {
        g->own_pivots = true;
    } else if (g->own_pivots) { // pivots now stem from an older matrix: keep its arguments
        double *place = g->pivots_at;
        g->pivots_at = g->made_at;
        g->made_at = place;
        g->own_pivots = false;
    }
    gos__location_write(g->w, at, h, g->made_at);
}

#define STEP_REUSE 0.6 // relative change of the step up to which a factorisation is reused
// contraction with the symmetric part above which the full matrix is used
#define MAX_CONTRACTION 0.3
#define MIN_FULL_FACTORS                                                                           \
    4 // factorisations of the full matrix before the symmetric part is tried again
#define MAX_FULL_FACTORS 256 // ... upper limit; doubled after each failure

/* Parameters of Chung and Hulbert for the motion and of Jansen for temperatures (signs of the
 * former). With A0 = a(t0 + (am - af) h), the error is h^3 q''' (beta + 1/12 - gamma/2). */
gos_scheme gos__scheme_make(double rho) {
    gos_scheme k = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1)};
    k.gamma = 0.5 - k.am + k.af;
    k.beta = 0.25 * (1 - k.am + k.af) * (1 - k.am + k.af);
    k.tm = (3 * rho - 1) / (2 * (1 + rho));
    k.tf = k.af;
    k.tg = 0.5 - k.tm + k.tf;
    k.error = fabs(k.beta + 1.0 / 12 - 0.5 * k.gamma);
    k.error_bar = 1.0 / 6 - k.error - k.gamma * (0.5 + k.am - k.af);
    k.error_a = k.error_bar - (k.am - k.af) * (k.am - 0.5);
    return k;
}

double gos__motion_norm(gos_alpha *g, const double *dq) {
    return gos__motion_rms(g->sys, dq, g->mv);
}

double gos__heat_norm(gos_alpha *g, const double *dT) {
    return gos__heat_rms(g->sys, dT, g->mv) / g->T_range;
}

gos_chain gos__chain_of(const gos_scheme *k, double h) {
    gos_chain c = {.bar = 1 / (h * h * k->beta), .tau = 1 / (h * k->tg)};
    c.a = c.bar * (1 - k->am) / (1 - k->af);
    c.v = k->gamma / (h * k->beta);
    c.rate = c.tau * (1 - k->tm) / (1 - k->tf);
    c.heat = k->steady ? 1 : c.rate;
    return c;
}

/* entries then have the size of mass and capacity */
gos_status gos__alpha_factor(gos_alpha *g, const gos_point_of *at, double h) {
    const gos_chain c = gos__chain_of(&g->k, h);
    const gos_newton_factors f = {.m = 1,
                                  .k = 1 / c.a,
                                  .d = c.v / c.a,
                                  .cm = 1,
                                  .ck = 1 / c.heat,
                                  .cd = c.v / c.heat,
                                  .lam = 1,
                                  .lamT = 1,
                                  .triangular = g->pattern.group != NULL,
                                  .symmetric = g->halves && g->whole_left == 0};
    g->solver = g->own; // preserve a shared factorisation
    gos__jacobian(g->w, at, &f);
    gos__responses_forget(g->answers);
    g->stats.jacobians++;
    const double t0 = gos__now();
    const gos_status s = gos__newton_solver_factor(g->solver, g->w->values, g->whole_left > 0);
    g->halved = f.symmetric;
    g->whole_left -= g->whole_left > 0;
    g->stats.time_factor += gos__now() - t0;
    g->stats.factorisations++;
    g->stats.unsymmetric += gos__alpha_whole(g) && (g->tries_parts || g->halves);
    return s == GOS_E_SINGULAR ? GOS_RETRY : s;
}

bool gos__alpha_whole(const gos_alpha *g) {
    return !g->halved && gos__newton_solver_whole(g->solver);
}

bool gos__alpha_complete(gos_alpha *g) {
    return !g->halved && g->solver == g->own && gos__newton_solver_complete(g->own, g->w->values);
}

bool gos__alpha_parts_serve(gos_alpha *g, bool made, gos_status status) {
    if (!made || gos__alpha_whole(g)) {
        return true;
    }
    const gos_state *x = g->x;
    if (status == GOS_OK &&
        !(x->iterations > 1 && fmax(x->contraction, x->contraction_heat) > MAX_CONTRACTION)) {
        g->whole_next = MIN_FULL_FACTORS;
        return true;
    }
    if (gos__alpha_complete(g)) {
        // the motion is too nonlinear for any single matrix
        return true;
    }
    g->whole_left = g->whole_next;
    g->whole_next = g->whole_next < MAX_FULL_FACTORS ? 2 * g->whole_next : MAX_FULL_FACTORS;
    return false;
}

gos_status gos__alpha_refresh(gos_alpha *g, const gos_state *x, double h, double t_eval) {
    const gos_point_of at = gos__state_point(x, t_eval);
    const gos_status status = gos__alpha_factor(g, &at, h);
    g->have_factor = status == GOS_OK;
    GOS_TRY(status);
    gos__location_note(g, &at, h);
    gos__corotation_set(g->turned, x->q);
    g->stale = false;
    g->factor_h = h;
    g->factor_t = t_eval;
    if (g->shared) {
        const gos_shared_factor *kept =
            gos__shared_factors_keep(g->shared, &g->own, t_eval, h, x->q);
        g->solver = kept ? kept->solver : g->solver;
    }
    return GOS_OK;
}

static bool alpha_serves(const gos_alpha *g, double h) {
    return g->have_factor && !g->stale && !gos__corotation_far(g->turned) &&
           fabs(h / g->factor_h - 1) < STEP_REUSE;
}

bool gos__alpha_adopt(gos_alpha *g, double h, double t) {
    const double span = g->opt.end - g->t_start;
    const double now =
        g->have_factor ? gos__shared_factor_distance(t, h, g->factor_t, g->factor_h, span) : 1;
    const gos_shared_factor *f =
        g->shared ? gos__shared_factors_find(g->shared, t, h, span, fmin(now, 1)) : NULL;
    if (f && f->solver != g->solver) {
        g->solver = f->solver;
        g->have_factor = g->took_shared = true;
        g->stale = g->halved = false;
        g->x->excess = 0;
        g->factor_h = f->h;
        g->factor_t = f->t;
        gos__responses_forget(g->answers);
        gos__corotation_set(g->turned, f->q);
        gos__corotation_update(g->turned, g->x->q);
    }
    return alpha_serves(g, h);
}

gos_status gos__alpha_ready(gos_alpha *g, double h, double t) {
    return alpha_serves(g, h) ? GOS_OK : gos__alpha_refresh(g, g->x, h, t);
}

void gos__alpha_solve(gos_alpha *g) {
    const double t0 = gos__now();
    gos__corotation_back(g->turned, g->r);
    gos__newton_solver_solve(g->solver, g->r);
    gos__corotation_forth(g->turned, g->r);
    g->stats.time_solve += gos__now() - t0;
}

gos_status gos__alpha_respond(gos_alpha *g, double loose) {
    const double t0 = gos__now();
    gos__corotation_back(g->turned, g->r);
    GOS_TRY(gos__responses_solve(g->answers, g->solver, loose, g->r));
    gos__corotation_forth(g->turned, g->r);
    g->stats.time_solve += gos__now() - t0;
    return GOS_OK;
}
