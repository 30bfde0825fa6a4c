/* Stepper interface of generalised-alpha: creation, interpolation in the last step, history. */
#include <math.h>

#include "solve/initial_state.h"
#include "solve/scales.h"
#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "system/constants.h"

/* History of generalised-alpha beyond the state, for restarts. Matrices are not stored but
 * reassembled from their arguments; factorising in the same order, with the same pivots, yields
 * the same bits. */

static void walk_numbers(gos_alpha *g, gos_walk *w) {
    gos__walk(w, &g->factor_h, 1);
    gos__walk_bool(w, &g->stale);
    gos__walk_int(w, &g->whole_left, INT32_MAX);
    gos__walk_int(w, &g->whole_next, INT32_MAX);
}

/* Write the history beyond the state. */
static void history_give(gos_alpha *g, gos_walk *w) {
    const size_t n = gos__location_size(g->sys);
    const double *updated_at = gos__corotation_updated_at(g->turned);
    bool old = g->have_factor && !g->own_pivots, turned = g->have_factor && updated_at;
    bool probe_errors = g->probe_errors != NULL, whole = gos__alpha_whole(g);
    // another run could not recreate it
    w->bad = w->bad || g->took_shared;
    walk_numbers(g, w);
    gos__walk_bool(w, &g->have_factor);
    gos__walk_bool(w, &old);
    gos__walk_bool(w, &turned);
    gos__walk_bool(w, &probe_errors);
    gos__walk_bool(w, &whole);
    if (g->have_factor) {
        gos__walk(w, g->made_at, n);
    }
    if (old) {
        gos__walk(w, g->pivots_at, n);
    }
    if (turned) {
        gos__walk(w, (double *)updated_at, g->sys->nq);
    }
    gos__responses_give(g->answers, w);
    if (g->probe_errors) {
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
                               const double *updated_at, bool whole) {
    const gos_statistics stats = g->stats;
    const bool stale = g->stale;
    const int left = g->whole_left;
    g->whole_left = whole ? 2 : 0;
    if (pivots_at) {
        GOS_TRY(factor_at(g, pivots_at));
    }
    GOS_TRY(factor_at(g, made_at));
    gos__corotation_restore(g->turned, made_at + 2, updated_at);
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

static gos_status history_take(gos_alpha *g, gos_walk *w) {
    const size_t n = gos__location_size(g->sys);
    bool factor = false, old = false, turned = false, probe_errors = false, whole = false;
    walk_numbers(g, w);
    gos__walk_bool(w, &factor);
    gos__walk_bool(w, &old);
    gos__walk_bool(w, &turned);
    gos__walk_bool(w, &probe_errors);
    gos__walk_bool(w, &whole);
    const double *made_at = factor ? gos__walk(w, NULL, n) : NULL;
    const double *pivots_at = old ? gos__walk(w, NULL, n) : NULL;
    const double *updated_at = turned ? gos__walk(w, NULL, g->sys->nq) : NULL;
    int known;
    const double *forces = gos__responses_find(g->answers, w, &known);
    w->bad = w->bad || (!factor && (old || turned || known > 0)) || !makes_sense(g->x);
    if (!w->bad && probe_errors) {
        GOS_TRY(gos__error_propagation_walk(g, w));
    }
    if (w->bad) {
        return GOS_OK; // reported by the integrator
    }
    if (factor) {
        GOS_TRY(factor_again(g, made_at, pivots_at, updated_at, whole));
        GOS_TRY(gos__responses_take(g->answers, g->solver, forces, known));
    }
    g->w->nresidual = g->stats.residuals;
    g->w->time_residual = g->stats.time_residual;
    g->w->time_jacobian = g->stats.time_jacobian;
    return GOS_OK;
}

#define SAVED 0.05 // tolerance available at the start of a run, relative

/* nonlinear joints and rigid bodies */
static bool has_curved_constraints(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0 && !s->item[i]->linear) {
            return true;
        }
    }
    return false;
}

/* States driven by motion, such as voltages of shunts, with a coupling as large as the state. */
bool gos__alpha_drives_states(const gos_system *s) {
    const gos_rows_matrix *H = s->constants ? &s->constants->A[GOS_CONSTANT_H] : NULL;
    for (int i = 0; H && i < H->n; i++) {
        if (H->p[i + 1] > H->p[i] && gos__single_part(s, i) > 0) {
            return true;
        }
    }
    return false;
}

/* Block structure of the Newton matrix. Dense: heat is solved before motion, and the small effect
 * of motion on heat is left to the next iteration, except heat from strain rates. Likewise if the
 * sparse motion part may be replaced by its symmetric part, which is tried for points of reduced
 * bodies. */
static gos_status make_pattern(gos_alpha *g) {
    const gos_system *s = g->sys;
    g->pattern = s->pattern;
    g->whole_next = 1;
    g->tries_parts =
        !s->pattern.dense && g->opt.solver == GOS_SOLVER_AUTO && !gos__alpha_drives_states(s);
    for (int i = 0; i < s->npoints && g->opt.solver == GOS_SOLVER_AUTO; i++) {
        g->halves |= s->points[i]->dense && !s->points[i]->gram;
    }
    const bool driven = s->strain_heat || gos__alpha_drives_states(s);
    if (!g->tries_parts && (!s->pattern.dense || s->nt == 0 || driven)) {
        return GOS_OK;
    }
    g->group = gos__zalloc(g->ctx, s->n, sizeof *g->group);
    if (!g->group) {
        return GOS_E_MEMORY;
    }
    memset(g->group + s->at.th, 1, s->nt);
    memset(g->group + s->at.lamT, 1, s->nh);
    g->pattern.group = s->pattern.dense ? g->group : NULL;
    return GOS_OK;
}

static gos_status make_solver(gos_alpha *g) {
    const gos_pattern *pattern = &g->pattern;
    bool suits = false;
    if (g->sys->shared) {
        GOS_TRY(gos__shared_factors_join(g->sys->shared, g->sys, pattern, &suits));
    }
    if (suits) { // its factors are used by later runs
        g->shared = g->sys->shared;
        pattern = gos__shared_factors_pattern(g->shared);
    }
    GOS_TRY(gos__newton_solver_create(g->ctx, pattern, g->tries_parts ? g->group : NULL, &g->own));
    g->solver = g->own;
    g->w->parts = g->tries_parts ? g->own : NULL;
    return GOS_OK;
}

static gos_status allocate(void *method) {
    gos_alpha *g = method;
    const gos_system *s = g->sys;
    const size_t nplace = gos__location_size(s);
    g->k = gos__scheme_make(g->opt.rho_infinity);
    g->k.steady = s->steady_heat;
    g->breaks.keeps = g->opt.step > 0; // divided steps cost rigid mechanisms accuracy
    g->r = gos__zalloc(g->ctx, (size_t)s->n + 1, sizeof *g->r);
    g->normal = gos__zalloc(g->ctx, 5 * (size_t)s->nc + 1, sizeof *g->normal);
    g->functions = gos__zalloc(g->ctx, 3 * (size_t)s->nfn + 1, sizeof *g->functions);
    g->load = gos__zalloc(g->ctx, (size_t)s->n + 1, sizeof *g->load);
    g->kept = gos__zalloc(g->ctx, 3 * (size_t)s->nq + s->nt + 1, sizeof *g->kept);
    g->made_at = gos__zalloc(g->ctx, nplace, sizeof *g->made_at);
    g->pivots_at = gos__zalloc(g->ctx, nplace, sizeof *g->pivots_at);
    g->steps = gos__zalloc(g->ctx, GOS_ALPHA_STEPS * (size_t)s->n + 1, sizeof *g->steps);
    g->steps_mass = gos__zalloc(g->ctx, GOS_ALPHA_STEPS * (size_t)s->nq + 1, sizeof *g->steps);
    if (!g->r || !g->steps || !g->steps_mass || !g->normal || !g->functions || !g->load ||
        !g->kept || !g->made_at || !g->pivots_at) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(make_pattern(g));
    GOS_TRY(make_solver(g));
    GOS_TRY(gos__responses_create(g->ctx, s->n, &g->answers));
    return gos__corotation_create(g->ctx, s, &g->turned);
}

static gos_status start(void *method) {
    gos_alpha *g = method;
    const gos_system *s = g->sys;
    if (g->opt.rho_infinity > 0.95 && has_curved_constraints(s)) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "rho_infinity %g provides no damping: with nonlinear joints or rigid bodies the "
                  "multipliers may grow without bound; use at most 0.9",
                  g->opt.rho_infinity);
    }
    GOS_TRY(gos__initial_state(g->ctx, g->w, g->x, gos__breaks_first(&g->breaks, g->x->t)));
    GOS_TRY(gos__alpha_start(g, gos__breaks_first(&g->breaks, g->x->t)));
    const gos_point_of begin = gos__state_point(g->x, g->x->t);
    gos__memory_begin(g->w, &begin, g->x->mem);
    g->T_range = gos__heat_range(g->x, g->T_range);
    g->x->h_next = g->opt.step > 0 ? g->opt.step
                   : g->opt.initial_step > 0
                       ? g->opt.initial_step
                       : gos__alpha_rounded(fmin(gos__alpha_first_step(g), g->opt.max_step));
    g->x->saved = SAVED;
    return GOS_OK;
}

static void release(void *method) {
    gos_alpha *g = method;
    gos__newton_solver_destroy(g->own);
    gos__corotation_destroy(g->turned);
    gos__responses_destroy(g->answers);
    gos__free(g->ctx, g->r);
    gos__free(g->ctx, g->load);
    gos__free(g->ctx, g->normal);
    gos__free(g->ctx, g->functions);
    gos__free(g->ctx, g->kept);
    gos__free(g->ctx, g->steps);
    gos__free(g->ctx, g->steps_mass);
    gos__free(g->ctx, g->made_at);
    gos__free(g->ctx, g->pivots_at);
    gos__error_propagation_destroy(g->probe_errors);
    gos__free(g->ctx, g->group);
}

/* Cubic Hermite values and, unless rate is NULL, derivatives. */
static void hermite(int n, double h, double s, const double *y0, const double *d0, const double *y1,
                    const double *d1, double *y, double *rate) {
    const double s2 = s * s, s3 = s2 * s;
    const double a = 1 - 3 * s2 + 2 * s3, b = h * (s - 2 * s2 + s3), c = 3 * s2 - 2 * s3;
    const double d = h * (s3 - s2), da = (6 * s2 - 6 * s) / h, db = 1 - 4 * s + 3 * s2;
    const double dd = 3 * s2 - 2 * s;
    for (int i = 0; i < n; i++) {
        y[i] = a * y0[i] + b * d0[i] + c * y1[i] + d * d1[i];
        if (rate) {
            rate[i] = da * (y0[i] - y1[i]) + db * d0[i] + dd * d1[i];
        }
    }
}

static void linear(int n, double s, const double *y0, const double *y1, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = (1 - s) * y0[i] + s * y1[i];
    }
}

static void interpolate(void *method, double t) {
    const gos_alpha *g = method;
    const gos_state *a = g->x0, *b = g->x;
    const gos_system *s = g->sys;
    gos_state *y = g->at;
    const double h = b->t - a->t, f = (t - a->t) / h;
    y->t = a->t + f * h;
    hermite(s->nq, h, f, a->q, a->v, b->q, b->v, y->q, NULL);
    hermite(s->nq, h, f, a->v, a->a, b->v, b->a, y->v, NULL);
    linear(s->nq, f, a->a, b->a, y->a);
    hermite(s->nt, h, f, a->th, a->thd, b->th, b->thd, y->th, y->thd);
    linear(s->nc, f, a->lam, b->lam, y->lam);
    linear(s->nh, f, a->lamT, b->lamT, y->lamT);
    memcpy(y->mem, a->mem, s->nmem * sizeof *y->mem); // as used by the step
    struct {
        const double *y0, *d0, *y1, *d1;
        double *y;
    } sums[] = {{&a->energy.dissipated, &a->power_diss, &b->energy.dissipated, &b->power_diss,
                 &y->energy.dissipated},
                {&a->energy.work, &a->power_work, &b->energy.work, &b->power_work, &y->energy.work},
                {&a->energy.thermal_work, &a->power_thermal, &b->energy.thermal_work,
                 &b->power_thermal, &y->energy.thermal_work}};
    for (int i = 0; i < GOS_COUNT(sums); i++) {
        hermite(1, h, f, sums[i].y0, sums[i].d0, sums[i].y1, sums[i].d1, sums[i].y, NULL);
    }
    linear(1, f, &a->heat_supplied, &b->heat_supplied, &y->heat_supplied);
    linear(1, f, &a->heat_constrained, &b->heat_constrained, &y->heat_constrained);
    double stored = 0;
    for (int i = 0; i < s->nt; i++) {
        stored += s->hw[i] * (y->th[i] - b->th[i]);
    }
    y->heat_stored = b->heat_stored + stored;
}

/* Strain energy depends on the state only; forces, heat flows and rates are not needed. */
static void energies(void *method) {
    gos_alpha *g = method;
    gos_sums sums;
    gos_point_of x = gos__state_point(g->at, g->at->t);
    x.a = NULL;
    const gos_residual out = {.q = g->r, .stored = true};
    if (gos__residual(g->w, &x, &out, &sums) == GOS_OK) {
        g->at->energy.strain = sums.strain;
    }
}

static gos_status track_errors(void *method) {
    return gos__error_propagation_begin(method);
}

static gos_status save(void *method, gos_walk *w) {
    if (w->takes) {
        return history_take(method, w);
    }
    history_give(method, w);
    return GOS_OK;
}

const gos_stepper gos__integrator_generalised_alpha = {
    .is = {.keys = "step probe_tolerance rho_infinity solver", .order = 2},
    .layout = "generalised-alpha: "
              "factor_h,stale,whole,factor,functions,old,turned,responses,probe_errors,"
              "once",
    .size = sizeof(gos_alpha),
    .least = 1e-14,
    .predicts = true,
    .allocate = allocate,
    .release = release,
    .start = start,
    .begin = gos__alpha_begin,
    .plan = gos__alpha_plan,
    .attempt = gos__alpha_step,
    .error = gos__alpha_step_error,
    .shorten = gos__alpha_shorten,
    .give_up = gos__alpha_give_up,
    .accept = gos__alpha_complete_step,
    .interpolate = interpolate,
    .energies = energies,
    .track_errors = track_errors,
    .save = save};
