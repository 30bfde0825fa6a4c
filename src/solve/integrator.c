/* See integrator.h. */
#include "solve/integrator.h"

#include <math.h>

#include "base/subnormal.h"
#include "solve/consistent.h"
#include "solve/step_failure.h"
#include "solve/scales.h"
#include "solve/initial_state.h"
#include "solve/section_frames.h"
#include "system/integrator_choice.h"

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
        const bool heated = s->nheat > 0 && s->nt > 0;
        gos__name_unknown(s, fastest, name, sizeof name);
        (void)gos__format(buf, size,
                          "; the largest acceleration is at %s. %s for unstable motion, or "
                          "increase the tolerance",
                          name,
                          heated ? "If only the slow response to heat matters, use `motion: "
                                   "quasi_static`, or radau with material damping; otherwise check"
                                 : "Check");
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
    char at[160], why[400] = "";
    (void)gos__format(at, sizeof at,
                      "stopped at t = %.9g s after %ld steps: about %.4g steps are needed to "
                      "reach %.6g s, but at most %.6g are allowed (max_steps)",
                      x->t, p->steps, fmax(needed, (double)p->steps + 1), o->end, most);
    GOS_TRY(gos__growing(ctx, x->sys, t_start, x->t, at));
    reason(o, x, why, sizeof why);
    return gos__fail(ctx, GOS_E_LIMIT, "%s%s", at, why);
}

#define DIGITS 1e-13 // smallest tolerance; sums of positions have no more digits

const gos_stepper *gos__stepper_of(const gos_system *sys, const gos_options *options) {
    const bool quasi_static = options->motion == GOS_MOTION_QUASI_STATIC;
    return sys->stepper   ? sys->stepper
           : quasi_static ? gos__stepper(gos__integrator_quasi_static())
                          : gos__stepper(gos__integrator_of(sys, options, NULL));
}

/* Values for outputs and restarts, from sums of powers. */

void gos__state_sums(gos_state *x, const gos_sums *sums) {
    x->energy.strain = sums->strain;
    x->power_diss = sums->dissipated;
    x->power_work = sums->work;
    x->power_thermal = sums->thermal;
    x->heat_in = sums->heat_in;
    x->heat_con = sums->heat_con;
}

void gos__integrator_sum_up(gos_integrator *g, double t, gos_state *x, double *r) {
    const gos_point_of at = gos__state_point(x, t);
    const gos_residual out = gos__residual_of(g->sys, r);
    gos_sums sums;
    if (gos__residual(g->w, &at, &out, &sums) == GOS_OK) {
        gos__state_sums(x, &sums);
    }
}

void gos__integrator_store_heat(const gos_integrator *g, gos_state *y) {
    double stored = 0;
    for (int i = 0; i < g->sys->nt; i++) {
        stored += g->sys->hw[i] * (y->th[i] - g->x0->th[i]);
    }
    y->heat_stored = g->x0->heat_stored + stored;
}

void gos__integrator_scales(gos_integrator *g) {
    gos_state *x = g->x;
    g->T_range = gos__heat_range(x, g->T_range);
    x->speed = fmax(x->speed, gos__motion_rms(g->sys, x->v, g->mv));
    g->place = gos__motion_rms(g->sys, x->q, g->mv);
}

/* History: numbers of the driver, then those of the method. */

static void walk_own(gos_integrator *g, gos_walk *w) {
    gos__walk(w, &g->t_start, 1);
    gos__walk_long(w, &g->budget.steps);
    gos__walk(w, &g->budget.mark, 1);
    gos__walk(w, &g->budget.passed, 1);
    gos__walk_bool(w, &g->dropped.violated);
    gos__walk_bool(w, &g->dropped.rank);
    gos__walk_bool(w, &g->dropped.shared);
    gos__walk_long(w, &g->dropped.steps);
    gos__walk_long(w, &g->more);
    w->bad = w->bad || !isfinite(g->t_start) || !isfinite(g->budget.mark) ||
             !(g->budget.passed >= 0) || !(g->x->t >= g->t_start);
}

const char gos__integrator_layout[] =
#define X(name, doc) #name ","
    "T_range,tolerance,place,made,reports,limit,breaks," GOS_WATCH_NUMBERS(X) "statistics;";
#undef X

static void walk_run(gos_integrator *g, gos_walk *w) {
    gos_statistics stats;
    gos_integrator_statistics(g, &stats);
    gos__walk(w, &g->T_range, 1);
    gos__walk(w, &g->opt.tolerance, 1);
    gos__walk(w, &g->place, 1);
    gos__walk(w, &g->made, 1);
    gos__walk_bool(w, &g->reports);
    gos__step_limit_walk(&g->limit, w);
    gos__breaks_walk(&g->breaks, w);
    gos__conservation_walk(&g->watch, w);
    gos__walk_statistics(w, &stats);
    if (w->takes) {
        w->bad = w->bad || !(g->T_range > 0 && isfinite(g->T_range)) || !(g->opt.tolerance > 0) ||
                 !(g->place >= 0) || !(g->made >= 0);
        g->stats = stats;
        g->w->nresidual = stats.residuals;
        g->w->time_residual = stats.time_residual;
        g->w->time_jacobian = stats.time_jacobian;
    }
}

static gos_status save(gos_integrator *g, gos_walk *w) {
    walk_own(g, w);
    if (g->by->sizes) {
        g->by->sizes(g, w);
    }
    walk_run(g, w);
    return g->by->save(g, w);
}

static gos_status foreign(gos_ctx *ctx) {
    return gos__fail(ctx, GOS_E_INPUT,
                     "the step history stored in the state is not valid for this system");
}

/* Options that no integrator of this system supports. */
static gos_status check_options(gos_ctx *ctx, const gos_system *sys, const gos_options *options) {
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

/* Options that this method does not support, and defaults. */
static gos_status check_method(gos_integrator *g) {
    gos_options *o = &g->opt;
    const double span = o->end - g->t_start;
    if (!(span > 0) || !(o->step >= 0) || !(o->rho_infinity >= 0 && o->rho_infinity <= 1) ||
        !(o->tolerance > 0) || !(o->newton_tolerance > 0) || !(o->max_iterations > 0)) {
        return gos__fail(g->ctx, GOS_E_USE,
                         "options of the integration are out of range: end %g s, step %g s, "
                         "rho_infinity %g, tolerance %g, newton_tolerance %g, max_iterations %d",
                         o->end, o->step, o->rho_infinity, o->tolerance, o->newton_tolerance,
                         o->max_iterations);
    }
    if (!gos__method_has(&g->by->is, "step") && (o->step > 0 || o->probe_tolerance > 0)) {
        return gos__fail(g->ctx, GOS_E_INPUT,
                         "analysis: integrator %s selects its steps automatically and does not "
                         "support `%s`; remove it, or use generalised-alpha",
                         gos__integrator_name(o->integrator),
                         o->step > 0 ? "step" : "probe_tolerance");
    }
    if (g->by->is.heat_rates && g->sys->steady_heat) {
        return gos__fail(g->ctx, GOS_E_USE,
                         "analysis: integrator %s requires temperature rates, which `heat: "
                         "steady` does not have; use generalised-alpha",
                         gos__integrator_name(o->integrator));
    }
    GOS_TRY(g->by->check ? g->by->check(g) : GOS_OK);
    o->max_step = o->max_step > 0 ? o->max_step : 0.1 * span;
    o->min_step = o->min_step > 0 ? o->min_step : g->by->least * span;
    g->T_range = o->temperature_range > 0 ? o->temperature_range : 1;
    return GOS_OK;
}

static gos_status allocate(gos_integrator *g) {
    const gos_system *s = g->sys;
    GOS_TRY(gos_state_create(g->ctx, s, &g->x0));
    GOS_TRY(gos_state_create(g->ctx, s, &g->at));
    GOS_TRY(gos__work_create(g->ctx, s, &g->w));
    g->mv = gos__zalloc(g->ctx, (size_t)s->nstate + s->nq + 2 * (size_t)s->n + 1, sizeof *g->mv);
    GOS_TRY(g->mv ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__breaks_find(g, &g->breaks));
    gos__step_limit_begin(&g->limit, g->sys);
    return g->by->allocate(g);
}

static gos_status start(gos_integrator *g) {
    GOS_TRY(g->by->start(g));
    gos__initial_energy(g->x);
    if (!g->by->unmonitored) {
        gos__conservation_begin(g);
    }
    g->stats = (gos_statistics){0};
    g->w->time_residual = g->w->time_jacobian = 0;
    g->w->nresidual = g->w->njacobian = 0;
    return GOS_OK;
}

static gos_status resume(gos_integrator *g) {
    walk_run(g, g->stored);
    return g->stored->bad ? GOS_OK : g->by->save(g, g->stored);
}

/* Everything that may change a digit, as in the steps. */
static gos_status prepare(gos_integrator *g) {
    gos_walk past = {.at = g->x->past, .most = g->x->npast, .takes = true};
    const bool goes_on = g->x->npast > 0;
    const double began = gos__now();
    if (goes_on) {
        walk_own(g, &past);
        g->stored = &past;
    }
    if (past.bad) {
        return foreign(g->ctx);
    }
    GOS_TRY(check_method(g));
    GOS_TRY(allocate(g));
    GOS_TRY(goes_on ? resume(g) : start(g));
    g->stored = NULL;
    if (goes_on && (past.bad || past.n + (size_t)g->more != past.most)) {
        return foreign(g->ctx);
    }
    GOS_TRY(gos_state_copy(g->x0, g->x));
    g->x0->npast = 0;
    g->stats.time_setup += gos__now() - began;
    return GOS_OK;
}

gos_status gos__integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_stepper *by,
                                  const gos_options *options, gos_state *state,
                                  gos_integrator **integrator) {
    GOS_TRY(check_options(ctx, sys, options));
    gos_integrator *g = gos__zalloc(ctx, 1, by->size);
    if (!g) {
        return GOS_E_MEMORY;
    }
    *g = (gos_integrator){.ctx = ctx,
                          .sys = sys,
                          .by = by,
                          .opt = *options,
                          .x = state,
                          .t_start = state->t,
                          .budget = {.mark = state->t}};
    const unsigned mode = gos__subnormal_mode();
    gos__subnormal_set(GOS_SUBNORMAL_FLUSHED); // as in the steps
    const gos_status status = prepare(g);
    gos__subnormal_set(mode);
    if (status != GOS_OK) {
        gos_integrator_destroy(g);
        return status;
    }
    *integrator = g;
    return GOS_OK;
}

gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                 gos_state *state, gos_integrator **integrator) {
    const gos_options chosen = gos__options_chosen(sys, options);
    return gos__integrator_create(ctx, sys, gos__stepper_of(sys, &chosen), &chosen, state,
                                  integrator);
}

void gos_integrator_destroy(gos_integrator *g) {
    if (g) {
        g->by->release(g);
        gos_state_destroy(g->x0);
        gos_state_destroy(g->at);
        gos__work_destroy(g->ctx, g->w);
        gos__free(g->ctx, g->mv);
        gos__breaks_free(g->ctx, &g->breaks);
        gos__free(g->ctx, g);
    }
}

gos_status gos__integrator_store_run(gos_integrator *g, gos_run_walk more, void *run) {
    gos_walk count = {0};
    GOS_TRY(save(g, &count));
    if (count.bad) {
        return gos__fail(g->ctx, GOS_E_USE, "a run cannot be continued from a failed step");
    }
    const size_t history = count.n;
    GOS_TRY(more ? more(run, &count) : GOS_OK);
    g->more = (long)(count.n - history);
    GOS_TRY(gos__state_past(g->x, count.n));
    gos_walk give = {.at = g->x->past};
    GOS_TRY(save(g, &give));
    return more ? more(run, &give) : GOS_OK;
}

gos_status gos__integrator_read_run(const gos_integrator *g, gos_run_walk more, void *run,
                                    bool *stored) {
    const size_t n = (size_t)g->more;
    gos_walk w = {.at = g->x->past + g->x->npast - n, .most = n, .takes = true};
    *stored = n > 0;
    GOS_TRY(n > 0 ? more(run, &w) : GOS_OK);
    return w.bad || w.n != n ? foreign(g->ctx) : GOS_OK;
}

gos_status gos_integrator_store_history(gos_integrator *g) {
    return gos__integrator_store_run(g, NULL, NULL);
}

/* Ends the step where a law changes or the run ends inside. @return GOS_RETRY: by another attempt
 */
static gos_status land(gos_integrator *g, gos_step *k) {
    double t;
    while ((t = gos__breaks_inside(&g->breaks, g->ctx, g->w, g->x0, g->x)) != k->t) {
        k->h = t - g->x0->t;
        const gos_status status = g->by->cut ? g->by->cut(g, t) : GOS_RETRY;
        if (status != GOS_OK) {
            return status;
        }
        k->t = t;
    }
    return GOS_OK;
}

static gos_status attempt(gos_integrator *g, gos_step *k) {
    const double left = k->stop - g->x0->t;
    k->t = k->h >= left * (1 - g->by->sliver) ? k->stop : g->x0->t + k->h;
    k->t_eval = gos__breaks_left(&g->breaks, k->t);
    k->accurate = true;
    k->error = 0;
    k->sums = (gos_sums){0};
    const gos_status status = g->by->attempt(g, k);
    return status == GOS_OK && g->by->error ? g->by->error(g, k) : status;
}

/* Attempts from g->x0, shortened for accuracy, convergence and events. */
static gos_status try_steps(gos_integrator *g, gos_step *k) {
    GOS_TRY(g->by->plan(g, k));
    for (;;) {
        gos_status status = attempt(g, k);
        const bool good = status == GOS_OK && k->accurate;
        if (good) {
            status = land(g, k);
        }
        if (status < 0 || (good && status == GOS_OK)) {
            return status;
        }
        g->stats.rejected++;
        if (good) {
            continue;
        }
        k->rejected = true;
        k->inaccurate += status == GOS_OK;
        if (status == GOS_RETRY) {
            gos__step_limit_set(&g->limit, k->h);
        }
        const double h = g->by->shorten(g, k, status);
        if (!(h > g->opt.min_step)) {
            return g->by->give_up(g, k, h, status);
        }
        k->h = h;
    }
}

/* Sum over steps, without probes: effects such as that of a fast spin on a slow precession are
 * missing. */
static void report_errors(const gos_integrator *g) {
    char text[400];
    (void)gos__format(
        text, sizeof text,
        "the estimated step errors add up to about %.2g of the extent, the largest speed "
        "and the temperature range; if the motion amplifies errors, the error of the run is larger",
        g->made);
    gos__note(g->ctx, "errors", text);
}

static gos_status complete(gos_integrator *g, gos_step *k) {
    GOS_TRY(g->by->accept(g, k));
    if (!(g->opt.step > 0)) {
        g->x->h_next = gos__step_limit_apply(&g->limit, k->h, g->x->h_next);
    }
    const double t = gos__breaks_left(&g->breaks, g->x->t);
    const gos_stop_kind kind = gos__breaks_end(&g->breaks, g->w, g->x, t);
    const bool last = gos__breaks_last(&g->breaks, g->x);
    g->made += k->made;
    if (!g->by->unmonitored) {
        gos__section_frames_check(g->ctx, g->sys, g->x);
    }
    if (last && g->reports) {
        report_errors(g);
    }
    GOS_TRY(g->by->end ? g->by->end(g, kind, last) : GOS_OK);
    g->stats.steps++;
    if (!g->by->unmonitored) {
        gos__conservation_step(g, last);
    }
    return GOS_OK;
}

static gos_status keep_start(gos_integrator *g) {
    const gos_state x = *g->x;
    if (!g->by->predicts) {
        return gos_state_copy(g->x0, g->x);
    }
    *g->x = *g->x0;
    *g->x0 = x;
    return GOS_OK;
}

static gos_status step(gos_integrator *g, double t_end) {
    gos_step k = {.rejected = false};
    if (!(t_end > g->x->t)) {
        return gos__fail(g->ctx, GOS_E_USE, "the end time %g s is not after the current time %g s",
                         t_end, g->x->t);
    }
    GOS_TRY(gos__breaks_begin(&g->breaks, g->ctx, g->w, g->x, &k.began));
    GOS_TRY(g->by->begin(g, k.began, t_end));
    GOS_TRY(keep_start(g));
    k.stop = gos__breaks_before(&g->breaks, g->x0, t_end);
    gos_status status = try_steps(g, &k);
    status = status == GOS_OK ? complete(g, &k) : status;
    if (status != GOS_OK) {
        (void)gos_state_copy(g->x, g->x0);
        if (g->by->undo) {
            g->by->undo(g);
        }
    }
    return status;
}

gos_status gos_integrator_step(gos_integrator *g, double t_end) {
    GOS_TRY(step_budget_check(&g->budget, g->ctx, &g->opt, g->t_start, g->x));
    g->x->npast = 0; // outdated
    const double began = gos__now();
    const unsigned mode = gos__subnormal_mode();
    gos__subnormal_set(GOS_SUBNORMAL_FLUSHED); // by all threads (base/pool.c)
    const gos_status status = step(g, t_end);
    gos__subnormal_set(mode);
    g->stats.time_total += gos__now() - began;
    GOS_TRY(status);
    step_budget_note(&g->budget, g->x->t);
    return gos__dropped_check(g->ctx, g->sys, g->x, &g->dropped);
}

/* g->at := state at t, with or without its energies. Not part of the statistics of the solver. */
static const gos_state *interpolate(gos_integrator *g, double t, bool energies) {
    const long n = g->w->nresidual;
    const double time = g->w->time_residual;
    (void)gos_state_copy(g->at, g->x);
    if (t < g->x->t && g->x->t > g->x0->t) {
        g->by->interpolate(g, fmax(t, g->x0->t));
    }
    if (energies && g->by->energies) {
        g->by->energies(g);
    }
    g->w->nresidual = n;
    g->w->time_residual = time;
    return g->at;
}

const gos_state *gos_integrator_at(gos_integrator *g, double t) {
    return interpolate(g, t, true);
}

const gos_state *gos__integrator_position(gos_integrator *g, double t) {
    return interpolate(g, t, false);
}

gos_status gos_integrator_track_errors(gos_integrator *g) {
    return g->by->track_errors ? g->by->track_errors(g) : GOS_OK;
}

bool gos__integrator_start(const gos_integrator *g, gos_state *start) {
    const gos_breaks *b = &g->breaks;
    if (b->began == GOS_STOP_NONE) {
        return false;
    }
    *start = *g->x0;
    start->t = gos__breaks_right(b, start->t);
    return true;
}

const gos_state *gos__integrator_inside(gos_integrator *g, int j) {
    const int n = g->by->ninside;
    if (j >= n) {
        return NULL;
    }
    const double begin = g->x0->t;
    return gos_integrator_at(g, begin + (g->x->t - begin) * (j + 1) / (n + 1));
}

bool gos__integrator_switches(const gos_integrator *g, double *before) {
    const gos_breaks *b = &g->breaks;
    *before = gos__breaks_left(b, g->x->t);
    return b->kind != GOS_STOP_NONE;
}

int gos_integrator_events(const gos_integrator *g, const gos_event **event, bool *ends) {
    bool end;
    const int n = gos__breaks_passed(&g->breaks, event, &end);
    if (ends) {
        *ends = end;
    }
    return n;
}

void gos_integrator_statistics(const gos_integrator *g, gos_statistics *stats) {
    *stats = g->stats;
    stats->residuals = g->w->nresidual;
    stats->time_residual = g->w->time_residual;
    stats->time_jacobian = g->w->time_jacobian;
    if (g->by->statistics) {
        g->by->statistics(g, stats);
    }
}
