/* Integration in time as it is seen from outside, whatever steps: see stepper.h. */
#include "solve/integrator.h"

#include <math.h>

#define MOST_COUNT 1e15 // steps, iterations ...: doubles hold them exactly

const gos_stepper *gos__stepper_of(const gos_system *sys) {
    return sys->stepper ? sys->stepper : &gos__generalised_alpha;
}

/* ---- walks ----------------------------------------------------------------------------------- */

const double *gos__walk(gos_walk *w, double *x, size_t n) {
    const size_t first = w->n;
    w->n += n;
    if (w->takes && (w->bad || n > w->most - first)) {
        w->bad = true;
        w->n = first;
        return NULL;
    }
    if (!w->at) {
        return NULL;
    }
    double *place = w->at + first;
    if (x && n > 0) {
        memcpy(w->takes ? x : place, w->takes ? place : x, n * sizeof *x);
    }
    return place;
}

/* a whole number from 0 to most */
static double walk_count(gos_walk *w, double v, double most) {
    gos__walk(w, &v, 1);
    const bool good = v >= 0 && v <= most && floor(v) == v;
    w->bad = w->bad || !good;
    return good ? v : 0;
}

void gos__walk_int(gos_walk *w, int *x, int most) {
    *x = (int)walk_count(w, *x, most);
}

void gos__walk_bool(gos_walk *w, bool *x) {
    *x = walk_count(w, *x, 1) != 0;
}

void gos__walk_long(gos_walk *w, long *x) {
    *x = (long)walk_count(w, (double)*x, MOST_COUNT);
}

#define WALK_long(x) gos__walk_long(w, x)
#define WALK_double(x) gos__walk(w, x, 1)
void gos__walk_statistics(gos_walk *w, gos_statistics *stats) {
#define X(type, name, doc) WALK_##type(&stats->name);
    GOS_STATISTICS_FIELDS(X)
#undef X
}

/* what the integrator itself knows of the past */
static void walk_own(gos_integrator *g, gos_walk *w) {
    gos__walk(w, &g->t_start, 1);
    gos__walk_long(w, &g->pace.steps);
    gos__walk(w, &g->pace.mark, 1);
    gos__walk(w, &g->pace.passed, 1);
    w->bad = w->bad || !isfinite(g->t_start) || !isfinite(g->pace.mark) || !(g->pace.passed >= 0) ||
             !(g->x->t >= g->t_start);
}

/* ---- life ------------------------------------------------------------------------------------ */

static gos_status foreign(gos_ctx *ctx) {
    return gos__fail(ctx, GOS_E_INPUT,
                     "what the state keeps of the steps before makes no sense for this system");
}

static gos_status create(gos_integrator *g, gos_ctx *ctx, const gos_system *sys) {
    gos_walk past = {.at = g->x->past, .most = g->x->npast, .takes = true};
    const bool goes_on = g->x->npast > 0;
    if (goes_on) {
        walk_own(g, &past);
    }
    if (past.bad) {
        return foreign(ctx);
    }
    g->run = (gos_run_of){ctx, sys, &g->opt, g->x, g->t_start, goes_on ? &past : NULL};
    const gos_status status = g->by->create(&g->run, &g->stepper);
    g->run.past = NULL;
    return status == GOS_OK && goes_on && (past.bad || past.n != past.most) ? foreign(ctx) : status;
}

gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                 gos_state *state, gos_integrator **integrator) {
    gos_integrator *g = gos__zalloc(ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    *g = (gos_integrator){.opt = *options,
                          .x = state,
                          .t_start = state->t,
                          .pace = {.mark = state->t},
                          .by = gos__stepper_of(sys)};
    g->run.ctx = ctx;
    const gos_status status = create(g, ctx, sys);
    if (status != GOS_OK) {
        gos_integrator_destroy(g);
        return status;
    }
    *integrator = g;
    return GOS_OK;
}

void gos_integrator_destroy(gos_integrator *g) {
    if (g) {
        g->by->destroy(g->stepper);
        gos__free(g->run.ctx, g);
    }
}

gos_status gos_integrator_keep(gos_integrator *g) {
    gos_walk count = {0};
    walk_own(g, &count);
    g->by->walk(g->stepper, &count);
    if (count.bad) {
        return gos__fail(g->run.ctx, GOS_E_USE,
                         "after a failed step there is nothing to go on from");
    }
    GOS_TRY(gos__state_past(g->x, count.n));
    gos_walk give = {.at = g->x->past};
    walk_own(g, &give);
    g->by->walk(g->stepper, &give);
    return GOS_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

gos_status gos_integrator_step(gos_integrator *g, double t_end) {
    GOS_TRY(gos__pace_check(&g->pace, g->run.ctx, &g->opt, g->t_start, g->x));
    g->x->npast = 0; // of another time
    GOS_TRY(g->by->step(g->stepper, t_end));
    gos__pace_note(&g->pace, g->x->t);
    return gos__dropped_check(g->run.ctx, g->run.sys, g->x, &g->told);
}

const gos_state *gos_integrator_at(gos_integrator *g, double t) {
    return g->by->at(g->stepper, t);
}

gos_status gos_integrator_tell(gos_integrator *g) {
    return g->by->tell ? g->by->tell(g->stepper) : GOS_OK;
}

void gos_integrator_statistics(const gos_integrator *g, gos_statistics *stats) {
    g->by->statistics(g->stepper, stats);
}
