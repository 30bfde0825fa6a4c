/* Start and restart of Radau IIA. As a one-step method it keeps its order and step size after a
 * jump. */
#include <math.h>

#include "solve/initial_state.h"
#include "solve/consistent.h"
#include "steppers/radau/radau.h"
#include "solve/scales.h"

#define FIRST 0.01   // relative change of any quantity in the first step
#define LONGEST 0.01 // longest first step, relative to the run

/* a step that is too long is rejected by error control */
static double first_step(const gos_radau *g) {
    const gos_state *x = g->x;
    const double rate = gos__radau_norm(g, x->v, x->a, x->thd);
    const double h = fmin(LONGEST * (g->opt.end - g->t_start), g->opt.max_step);
    return fmax(rate > 0 ? fmin(h, FIRST / rate) : h, 2 * g->opt.min_step);
}

gos_status gos__radau_start(gos_radau *g) {
    gos_state *x = g->x;
    const double t = gos__breaks_right(&g->breaks, x->t);
    const bool first = !(x->h > 0);
    if (g->quasi) {
        GOS_TRY(gos__quasi_static_start(g, t, first));
    } else {
        GOS_TRY(first ? GOS_OK : gos__initial_state_restart(g->ctx, g->w, x, t, g->r));
        GOS_TRY(gos__consistent(g->ctx, g->w, x, t));
    }
    const gos_point_of begin = gos__state_point(x, t);
    gos__memory_begin(g->w, &begin, x->mem);
    g->T_range = gos__heat_range(x, g->T_range);
    x->speed = fmax(x->speed, gos__motion_rms(g->sys, x->v, g->mv));
    g->place = gos__motion_rms(g->sys, x->q, g->mv);
    if (first) {
        x->h_next = g->opt.initial_step > 0 ? g->opt.initial_step : first_step(g);
        x->h = x->h_next;
    }
    g->past.h = 0;
    g->past.stale = true;
    return GOS_OK;
}
