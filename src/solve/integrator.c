/* Integrator interface; the method is in stepper.h. */
#include "solve/integrator.h"

#include <math.h>

#include "base/subnormal.h"
#include "events/breaks.h"
#include "system/settings.h"
#include "solve/consistent.h"
#include "solve/step_failure.h"
#include "solve/stepper.h"

/* Limit on the number of steps. Collapsing steps (unbounded motion or loads, impossible
 * tolerances) never fail, so a run that would exceed the limit at its present rate is stopped with
 * a reason. */
#define GOS_PACE_STEPS 1000  // accepted steps over which progress is measured
#define GOS_PACE_FIRST 10000 // no check before, since starts may be slow

static void step_budget_note(gos_step_budget *p, double t) {
    if (++p->steps % GOS_PACE_STEPS == 0) {
        p->passed = t - p->mark;
        p->mark = t;
    }
}

static void reason(const gos_options *o, const gos_state *x, char *buf, size_t size) {
    const gos_system *s = x->sys;
    char name[128];
    if (gos__exploded(s, x->q, buf, size)) {
        return;
    }
    if (o->step > 0) {
        (void)gos__format(buf, size, "; use a larger step");
        return;
    }
    int fastest = -1;
    for (int i = 0; i < s->nq; i++) {
        fastest = fastest < 0 || fabs(x->a[i]) > fabs(x->a[fastest]) ? i : fastest;
    }
    if (fastest >= 0) {
        gos__name_unknown(s, fastest, name, sizeof name);
        (void)gos__format(buf, size,
                          "; the largest acceleration is at %s. Check for unstable motion, or "
                          "increase the tolerance",
                          name);
    } else {
        (void)gos__format(buf, size, "; increase the tolerance");
    }
}

/* Check before a step whether the run would need too many steps. x: the state; t_start: of the
 * run.
 * @return GOS_E_DIVERGED (a growing load or drive), GOS_E_LIMIT; both with a message */
static gos_status step_budget_check(const gos_step_budget *p, gos_ctx *ctx, const gos_options *o,
                                    double t_start, const gos_state *x) {
    const double most = o->max_steps > 0 ? o->max_steps : GOS_LIMIT_STEPS;
    const double left = o->end - x->t;
    const bool known = p->steps >= GOS_PACE_FIRST && p->steps % GOS_PACE_STEPS == 0;
    const double needed =
        (double)p->steps + (known ? fmax(GOS_PACE_STEPS * left / p->passed, 0) : 0);
    // margin for rounding of the rate with fixed steps
    if ((double)p->steps < most && needed <= most * (1 + 1e-6)) {
        return GOS_OK;
    }
    char at[160], why[256] = "";
    (void)gos__format(at, sizeof at,
                      "stopped at t = %.9g s after %ld steps: about %.4g steps are needed to "
                      "reach %.6g s, but at most %.6g are allowed (max_steps)",
                      x->t, p->steps, fmax(needed, (double)p->steps + 1), o->end, most);
    GOS_TRY(gos__growing(ctx, x->sys, t_start, x->t, at));
    reason(o, x, why, sizeof why);
    return gos__fail(ctx, GOS_E_LIMIT, "%s%s", at, why);
}

/* Traversal of the history of steppers (stepper.h). */

#define MOST_COUNT 1e15 // counts that doubles represent exactly

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

void gos__walk_state(gos_walk *w, gos_state *x) {
#define X(name, doc) gos__walk(w, &x->name, 1);
    GOS_STATE_NUMBERS(X)
#undef X
#define X(name, doc) gos__walk(w, &x->energy.name, 1);
    GOS_ENERGY_FIELDS(X)
#undef X
    gos__walk(w, x->block, x->nblock);
    x->npast = 0;
}

#define WALK_long(x) gos__walk_long(w, x)
#define WALK_double(x) gos__walk(w, x, 1)

void gos__walk_statistics(gos_walk *w, gos_statistics *stats) {
#define X(type, name, doc) WALK_##type(&stats->name);
    GOS_STATISTICS_FIELDS(X)
#undef X
}

#define DIGITS 1e-13 // smallest tolerance; sums of positions have no more digits

const gos_stepper *gos__stepper_of(const gos_system *sys, const gos_options *options) {
    const bool quasi_static = options->motion == GOS_MOTION_QUASI_STATIC;
    return sys->stepper                                       ? sys->stepper
           : options->integrator == GOS_RADAU || quasi_static ? &gos__radau
           : options->integrator == GOS_BDF                   ? &gos__bdf
                                                              : &gos__generalised_alpha;
}

static void walk_own(gos_integrator *g, gos_walk *w) {
    gos__walk(w, &g->t_start, 1);
    gos__walk_long(w, &g->pace.steps);
    gos__walk(w, &g->pace.mark, 1);
    gos__walk(w, &g->pace.passed, 1);
    gos__walk_bool(w, &g->told.violated);
    gos__walk_bool(w, &g->told.rank);
    gos__walk_bool(w, &g->told.shared);
    gos__walk_long(w, &g->told.steps);
    gos__walk_long(w, &g->more);
    w->bad = w->bad || !isfinite(g->t_start) || !isfinite(g->pace.mark) || !(g->pace.passed >= 0) ||
             !(g->x->t >= g->t_start);
}

static gos_status foreign(gos_ctx *ctx) {
    return gos__fail(ctx, GOS_E_INPUT,
                     "the step history stored in the state is not valid for this system");
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
    const bool whole = !past.bad && past.n + (size_t)g->more == past.most;
    return status == GOS_OK && goes_on && !whole ? foreign(ctx) : status;
}

/* Options that no integrator of this system supports. */
static gos_status check(gos_ctx *ctx, const gos_system *sys, const gos_options *options) {
    GOS_TRY(gos__check_missing(ctx, sys, "runs in time"));
    if (sys->stepper && options->motion == GOS_MOTION_QUASI_STATIC) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "analysis: this reduced model does not support `motion: quasi_static`; "
                         "remove it, or run the full model");
    }
    if (sys->stepper && options->integrator != GOS_GENERALISED_ALPHA) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "analysis: this reduced model has its own integrator and does not support "
                         "integrator %s; remove it, or run the full model",
                         gos__integrator_name(options->integrator));
    }
    if (!(options->step > 0) && options->tolerance < DIGITS) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "analysis: a tolerance of %.3g is below the precision of floating-point "
                         "numbers; use at least %.0e",
                         options->tolerance, DIGITS);
    }
    return GOS_OK;
}

gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                 gos_state *state, gos_integrator **integrator) {
    GOS_TRY(check(ctx, sys, options));
    gos_integrator *g = gos__zalloc(ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    *g = (gos_integrator){.opt = *options,
                          .x = state,
                          .t_start = state->t,
                          .pace = {.mark = state->t},
                          .by = gos__stepper_of(sys, options)};
    g->run.ctx = ctx;
    const unsigned mode = gos__subnormal_mode();
    gos__subnormal_set(GOS_SUBNORMAL_FLUSHED); // as in the steps
    const gos_status status = create(g, ctx, sys);
    gos__subnormal_set(mode);
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

gos_status gos__integrator_store_run(gos_integrator *g, gos_run_walk more, void *run) {
    gos_walk count = {0};
    walk_own(g, &count);
    g->by->walk(g->stepper, &count);
    if (count.bad) {
        return gos__fail(g->run.ctx, GOS_E_USE, "a run cannot be continued from a failed step");
    }
    const size_t history = count.n;
    GOS_TRY(more ? more(run, &count) : GOS_OK);
    g->more = (long)(count.n - history);
    GOS_TRY(gos__state_past(g->x, count.n));
    gos_walk give = {.at = g->x->past};
    walk_own(g, &give);
    g->by->walk(g->stepper, &give);
    return more ? more(run, &give) : GOS_OK;
}

gos_status gos__integrator_read_run(const gos_integrator *g, gos_run_walk more, void *run,
                                    bool *stored) {
    const size_t n = (size_t)g->more;
    gos_walk w = {.at = g->x->past + g->x->npast - n, .most = n, .takes = true};
    *stored = n > 0;
    GOS_TRY(n > 0 ? more(run, &w) : GOS_OK);
    return w.bad || w.n != n ? foreign(g->run.ctx) : GOS_OK;
}

gos_status gos_integrator_store_history(gos_integrator *g) {
    return gos__integrator_store_run(g, NULL, NULL);
}

/* One step. Subnormal numbers are flushed to zero, by all threads (base/pool.c). */
static gos_status advance(gos_integrator *g, double t_end) {
    const unsigned mode = gos__subnormal_mode();
    gos__subnormal_set(GOS_SUBNORMAL_FLUSHED);
    const gos_status status = g->by->step(g->stepper, t_end);
    gos__subnormal_set(mode);
    return status;
}

gos_status gos_integrator_step(gos_integrator *g, double t_end) {
    GOS_TRY(step_budget_check(&g->pace, g->run.ctx, &g->opt, g->t_start, g->x));
    g->x->npast = 0; // outdated
    GOS_TRY(advance(g, t_end));
    step_budget_note(&g->pace, g->x->t);
    return gos__dropped_check(g->run.ctx, g->run.sys, g->x, &g->told);
}

const gos_state *gos_integrator_at(gos_integrator *g, double t) {
    return g->by->at(g->stepper, t);
}

gos_status gos_integrator_track_errors(gos_integrator *g) {
    return g->by->tell ? g->by->tell(g->stepper) : GOS_OK;
}

const gos_state *gos__integrator_position(gos_integrator *g, double t) {
    return g->by->place ? g->by->place(g->stepper, t) : g->by->at(g->stepper, t);
}

bool gos__integrator_start(const gos_integrator *g, gos_state *start) {
    const gos_breaks *b = g->by->breaks(g->stepper);
    if (b->began == GOS_STOP_NONE) {
        return false;
    }
    *start = *g->by->start(g->stepper);
    start->t = gos__breaks_right(b, start->t);
    return true;
}

const gos_state *gos__integrator_inside(gos_integrator *g, int j) {
    const int n = g->by->ninside;
    if (j >= n) {
        return NULL;
    }
    const double begin = g->by->start(g->stepper)->t;
    return gos_integrator_at(g, begin + (g->x->t - begin) * (j + 1) / (n + 1));
}

bool gos__integrator_switches(const gos_integrator *g, double *before) {
    const gos_breaks *b = g->by->breaks(g->stepper);
    *before = gos__breaks_left(b, g->x->t);
    return b->kind != GOS_STOP_NONE;
}

int gos_integrator_events(const gos_integrator *g, const gos_event **event, bool *ends) {
    bool end;
    const int n = gos__breaks_passed(g->by->breaks(g->stepper), event, &end);
    if (ends) {
        *ends = end;
    }
    return n;
}

void gos_integrator_statistics(const gos_integrator *g, gos_statistics *stats) {
    g->by->statistics(g->stepper, stats);
}
