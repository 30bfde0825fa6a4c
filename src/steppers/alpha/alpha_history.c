/* History of generalised-alpha beyond the state, for restarts. Matrices are not stored but
 * reassembled from their arguments; factorising in the same order, with the same pivots, yields
 * the same bits. */
#include <math.h>

#include "steppers/alpha/generalised_alpha.h"

static void walk_numbers(gos_alpha *g, gos_walk *w) {
    gos__walk(w, &g->T_range, 1);
    gos__walk(w, &g->factor_h, 1);
    gos__walk(w, &g->opt.tolerance, 1);
    gos__step_monitor_walk(&g->watch, w);
    gos__breaks_walk(&g->breaks, w);
    gos__walk_bool(w, &g->stale);
    gos__walk_int(w, &g->whole_left, INT32_MAX);
    gos__walk_int(w, &g->whole_next, INT32_MAX);
    gos__walk_statistics(w, &g->stats);
}

void gos__history_give(gos_alpha *g, gos_walk *w) {
    const size_t n = gos__location_size(g->sys);
    const double *seen = gos__corotation_seen(g->turned);
    bool old = g->have_factor && !g->own_pivots, turned = g->have_factor && seen;
    bool told = g->told != NULL, whole = gos__alpha_whole(g);
    // another run could not recreate it
    w->bad = w->bad || g->took_shared;
    gos__alpha_statistics(g, &g->stats);
    walk_numbers(g, w);
    gos__walk_bool(w, &g->have_factor);
    gos__walk_bool(w, &old);
    gos__walk_bool(w, &turned);
    gos__walk_bool(w, &told);
    gos__walk_bool(w, &whole);
    if (g->have_factor) {
        gos__walk(w, g->made_at, n);
    }
    if (old) {
        gos__walk(w, g->pivots_at, n);
    }
    if (turned) {
        gos__walk(w, (double *)seen, g->sys->nq);
    }
    gos__responses_give(g->answers, w);
    if (g->told) {
        (void)gos__error_propagation_walk(g, w); // writes only
    }
}

static gos_status factor_at(gos_alpha *g, const double *place) {
    const gos_point_of at = gos__location_read(place, g->w, g->at);
    const gos_status status = gos__alpha_factor(g, &at, place[1]);
    if (status == GOS_RETRY) {
        return gos__fail(g->ctx, GOS_E_INPUT,
                         "the stored step history of the run has a singular matrix at t = %g s",
                         at.t);
    }
    GOS_TRY(status);
    g->have_factor = true;
    gos__location_note(g, &at, place[1]);
    g->w->t = (double)NAN; // time functions in w belong to `place`
    return GOS_OK;
}

static gos_status factor_again(gos_alpha *g, const double *made_at, const double *pivots_at,
                               const double *seen, bool whole) {
    const gos_statistics stats = g->stats;
    const bool stale = g->stale;
    const int left = g->whole_left;
    g->whole_left = whole ? 2 : 0;
    if (pivots_at) {
        GOS_TRY(factor_at(g, pivots_at));
    }
    GOS_TRY(factor_at(g, made_at));
    gos__corotation_restore(g->turned, made_at + 2, seen);
    g->stale = stale;
    g->stats = stats;
    g->whole_left = left;
    return GOS_OK;
}

/* Checks numbers of the state used by this integrator only. */
static bool makes_sense(const gos_state *x) {
    return x->h >= 0 && isfinite(x->h) && x->h_next > 0 && x->contraction >= 0 &&
           x->contraction_heat >= 0 && x->iterations >= 0 && x->fresh >= 0 && x->excess >= 0 &&
           isfinite(x->saved);
}

gos_status gos__history_take(gos_alpha *g, gos_walk *w) {
    const size_t n = gos__location_size(g->sys);
    bool factor = false, old = false, turned = false, told = false, whole = false;
    walk_numbers(g, w);
    gos__walk_bool(w, &factor);
    gos__walk_bool(w, &old);
    gos__walk_bool(w, &turned);
    gos__walk_bool(w, &told);
    gos__walk_bool(w, &whole);
    const double *made_at = factor ? gos__walk(w, NULL, n) : NULL;
    const double *pivots_at = old ? gos__walk(w, NULL, n) : NULL;
    const double *seen = turned ? gos__walk(w, NULL, g->sys->nq) : NULL;
    int known;
    const double *forces = gos__responses_find(g->answers, w, &known);
    w->bad = w->bad || (!factor && (old || turned || known > 0)) ||
             !(g->T_range > 0 && isfinite(g->T_range)) || !makes_sense(g->x);
    if (!w->bad && told) {
        GOS_TRY(gos__error_propagation_walk(g, w));
    }
    if (w->bad) {
        return GOS_OK; // reported by the integrator
    }
    if (factor) {
        GOS_TRY(factor_again(g, made_at, pivots_at, seen, whole));
        GOS_TRY(gos__responses_take(g->answers, g->solver, forces, known));
    }
    g->w->nresidual = g->stats.residuals;
    g->w->time_residual = g->stats.time_residual;
    g->w->time_jacobian = g->stats.time_jacobian;
    return GOS_OK;
}
