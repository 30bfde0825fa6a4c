/* The memory of an integrator. Newton re-uses a factorisation, and with KLU the pivots of a still older
   one, so the next step depends on matrices of the past. They are large, but each is a function of the
   place where it was assembled; assembling and factorising in the same order gives the same bits. */
#include "solve/history.h"

#include "solve/consistent.h"
#include "solve/generalised_alpha.h"

size_t gos__history_point(const gos_system *s) {
    return 2 + 3 * (size_t)s->nq + 2 * (size_t)s->nt + (size_t)s->nc + (size_t)s->nh + s->nmem;
}

/* ---- places ---------------------------------------------------------------------------------- */

static double *put(double *to, const double *from, int n) {
    memcpy(to, from, (size_t)n * sizeof *to);
    return to + n;
}

static void write_place(const gos_system *s, const gos_point_of *at, double h, double *place) {
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
}

static const double *get(double *to, const double *from, int n) {
    memcpy(to, from, (size_t)n * sizeof *to);
    return from + n;
}

/* into a state, so that arrays are aligned as they were when the matrix was assembled */
static gos_point_of read_place(const double *place, gos_state *x) {
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
    return gos__state_point(x, t);
}

void gos__history_note(gos_integrator *g, const gos_point_of *at, double h) {
    if (!gos__solver_kept_pivots(g->solver)) {
        g->own_pivots = true;
    } else if (g->own_pivots) { // the pivots are now those of an older matrix: keep its place
        double *place = g->pivots_at;
        g->pivots_at = g->made_at;
        g->made_at = place;
        g->own_pivots = false;
    }
    write_place(g->sys, at, h, g->made_at);
}

/* ---- saving and restoring -------------------------------------------------------------------- */

void gos__history_get(const gos_integrator *g, gos_history *history) {
    *history = (gos_history){.t_start = g->t_start,
                             .T_range = g->T_range,
                             .at_break = g->at_break,
                             .stale = g->stale,
                             .factor_h = g->factor_h,
                             .pace_mark = g->pace.mark,
                             .pace_passed = g->pace.passed,
                             .watch = g->watch};
    if (g->have_factor) {
        history->made_at = g->made_at;
        history->pivots_at = g->own_pivots ? NULL : g->pivots_at;
        history->seen = gos__corotation_seen(g->turned);
    }
    gos_integrator_statistics(g, &history->stats);
}

static gos_status factor_at(gos_integrator *g, const double *place) {
    const gos_point_of at = read_place(place, g->at);
    const gos_status status = gos__alpha_factor(g, &at, place[1]);
    if (status == GOS_RETRY) {
        return gos__fail(g->ctx, GOS_E_INPUT,
                         "the stored history of the run has a singular matrix at t = %g s", at.t);
    }
    GOS_TRY(status);
    g->have_factor = true;
    gos__history_note(g, &at, place[1]);
    return GOS_OK;
}

gos_status gos__history_restore(gos_integrator *g, const gos_history *history) {
    g->T_range = history->T_range;
    g->at_break = (int)history->at_break;
    g->factor_h = history->factor_h;
    if (history->pivots_at) {
        GOS_TRY(factor_at(g, history->pivots_at));
    }
    if (history->made_at) {
        GOS_TRY(factor_at(g, history->made_at));
        gos__corotation_restore(g->turned, history->made_at + 2, history->seen);
    }
    g->stale = history->stale != 0;
    g->stats = history->stats;
    g->watch = history->watch;
    g->pace = (gos_pace){history->stats.steps, history->pace_mark, history->pace_passed};
    g->w->nresidual = history->stats.residuals;
    g->w->time_residual = history->stats.time_residual;
    g->w->time_jacobian = history->stats.time_jacobian;
    return GOS_OK;
}
