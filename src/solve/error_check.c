/* See error_check.h. Second-order integrators repeat the run with a quarter of the tolerance, at
 * twice the cost; errors are proportional to the tolerance, so 4/3 of the difference is the error.
 * A run with four times the tolerance omits the same fast motion as the first, and so reports too
 * small an error. It is used only if the finer run fails. High-order integrators use FINER times
 * the tolerance. Errors are RMS norms at SAMPLES times, relative to the extent and the temperature
 * range. */
#include "solve/error_check.h"

#include <math.h>

#include "base/base.h"
#include "base/units.h"
#include "parts/first_order_states.h"
#include "solve/integrator.h"
#include "solve/scales.h"
#include "probes/probe.h"

#define SAMPLES 64
#define COARSER 4.0     // times the tolerance, if the finer run fails
#define QUARTER 0.25    // times the tolerance, for integrators of second order
#define FINER 0.1       // times the tolerance, for high-order integrators
#define WORK 4e6        // steps times unknowns up to which `auto` repeats a run (about a second)
#define MEMORY 10000000 // numbers stored at most
#define REFINED                                                                                    \
    1.4               // times the steps; fewer with a quarter of the tolerance (expected: 2)
                      // show that steps are not limited by errors, and FINER is used
#define MORE_STEPS 4  // limit on the steps of a second run, relative to the first
#define FEW_STEPS 100 // ... plus this
#define EXCESS 3      // in tolerances
#define ROUNDING 1e-9 // relative to a probe's magnitude: smaller ranges are zero
#define SYMMETRY 1e-6 // relative to the largest range of a probe: smaller ones are zero
#define CHAOTIC 0.3   // relative error at which the two runs are unrelated

struct gos_error_check {
    gos_ctx *ctx;
    gos_ctx *quiet; // for the second runs
    const gos_system *sys;
    gos_options options;
    gos_state *start;
    int n, nvalues;  // samples so far, number of probe values
    long most_steps; // of a second run
    double every;    // smallest time between samples [s]
    double *block;   // samples: q, th, probes
    double time[SAMPLES + 2];
    double *change; // scratch (2 (nq + nt) + nvalues)
    double *range;  // of probes in the samples (nvalues)
    double T_range; // temperature range so far [K]
};

typedef struct error {
    double most;     // relative to the extent or the temperature range
    bool heat;       // relative to the latter
    double time;     // [s]
    int probe, part; // component of the worst probe, -1: none
    double value;
    double relative; // the same relative to its range
} error;

static size_t width(const gos_error_check *c) {
    return c->sys->nq + c->sys->nt + (size_t)c->nvalues;
}

void gos__error_check_destroy(gos_error_check *c) {
    if (c) {
        gos__free(c->ctx, c->block);
        gos__free(c->ctx, c->change);
        gos__free(c->ctx, c->range);
        gos_state_destroy(c->start);
        gos_ctx_destroy(c->quiet);
        gos__free(c->ctx, c);
    }
}

static gos_status allocate(gos_error_check *c, const gos_state *state) {
    c->block = gos__zalloc(c->ctx, (SAMPLES + 2) * width(c) + 1, sizeof *c->block);
    c->change = gos__zalloc(c->ctx, 2 * width(c) + 1, sizeof *c->change);
    c->quiet = gos__ctx_quiet(c->ctx);
    c->range = gos__zalloc(c->ctx, c->nvalues + 1L, sizeof *c->range);
    if (!c->block || !c->change || !c->range || !c->quiet) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos_state_create(c->ctx, c->sys, &c->start));
    return gos_state_copy(c->start, state);
}

gos_status gos__error_check_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                   const gos_state *state, gos_error_check **check) {
    int nvalues = 0;
    for (int i = 0; i < sys->nprobe; i++) {
        nvalues += sys->probe[i]->ncomp;
    }
    const size_t numbers = (SAMPLES + 2) * (size_t)(sys->nq + sys->nt + nvalues);
    *check = NULL;
    // user-supplied functions may have internal state; integrators of systems have no tolerance
    if (options->error_check == GOS_ERROR_CHECK_NEVER || options->step > 0 || sys->foreign ||
        sys->stepper || numbers > MEMORY) {
        return GOS_OK;
    }
    gos_error_check *c = gos__zalloc(ctx, 1, sizeof *c);
    if (!c) {
        return GOS_E_MEMORY;
    }
    *c = (gos_error_check){.ctx = ctx,
                           .sys = sys,
                           .options = *options,
                           .nvalues = nvalues,
                           .every = (options->end - state->t) / SAMPLES,
                           .T_range =
                               options->temperature_range > 0 ? options->temperature_range : 1};
    const gos_status status = allocate(c, state);
    if (status != GOS_OK) {
        gos__error_check_destroy(c);
        return status;
    }
    *check = c;
    return GOS_OK;
}

/* Values of all probes that depend on the state only; near (NULL: none): angles closest to
 * these. */
static void read_probes(const gos_error_check *c, const gos_state *x, const double *near,
                        double *value) {
    int at = 0;
    for (int i = 0; i < c->sys->nprobe; at += c->sys->probe[i]->ncomp, i++) {
        const gos_probe *p = c->sys->probe[i];
        if (gos__probe_of_state(p)) {
            gos__probe_evaluate(c->sys, x, p, value + at);
            if (near) {
                gos__probe_unwrap(p, near + at, value + at);
            }
        }
    }
}

static bool is_expensive(const gos_error_check *c, long steps) {
    return c->options.error_check == GOS_ERROR_CHECK_AUTO &&
           (double)steps * (double)c->sys->n > WORK;
}

static void drop(gos_error_check **check) {
    gos__error_check_destroy(*check);
    *check = NULL;
}

void gos__error_check_see(gos_error_check **check, const gos_state *x, long steps) {
    gos_error_check *c = *check;
    if (c && is_expensive(c, steps)) {
        gos__note(c->ctx, "errors",
                  "the error of the whole run is not estimated: a second run would take long; "
                  "`error_check: always` estimates it");
        drop(check);
        return;
    }
    if (!c) {
        return;
    }
    const gos_system *s = c->sys;
    const double *last = c->n > 0 ? c->block + (size_t)(c->n - 1) * width(c) : NULL;
    const bool due = !last || x->t - c->time[c->n - 1] >= c->every || x->t >= c->options.end;
    if (!due || c->n == SAMPLES + 2 || (last && !(x->t > c->time[c->n - 1]))) {
        return;
    }
    double *to = c->block + (size_t)c->n * width(c);
    c->time[c->n++] = x->t;
    memcpy(to, x->q, s->nq * sizeof *to);
    memcpy(to + s->nq, x->th, s->nt * sizeof *to);
    read_probes(c, x, last ? last + s->nq + s->nt : NULL, to + s->nq + s->nt);
    c->T_range = gos__heat_range(x, c->T_range);
}

static bool in_order(const gos_error_check *c) {
    bool good = c->n > 0 && c->start->t <= c->time[0] && c->time[c->n - 1] <= c->options.end;
    for (int i = 1; i < c->n; i++) {
        good = good && c->time[i] > c->time[i - 1];
    }
    return good;
}

void gos__error_check_walk(gos_error_check **check, gos_walk *w) {
    gos_error_check *c = *check;
    bool there = c != NULL;
    gos__walk_bool(w, &there);
    w->bad = w->bad || (there && !c);
    if (!there || !c) {
        drop(check);
        return;
    }
    gos__walk_int(w, &c->n, SAMPLES + 2);
    gos__walk(w, &c->T_range, 1);
    gos__walk(w, c->time, (size_t)c->n);
    gos__walk(w, c->block, (size_t)c->n * width(c));
    gos__walk_state(w, c->start);
    c->every = (c->options.end - c->start->t) / SAMPLES;
    w->bad = w->bad || (w->takes && !(in_order(c) && c->T_range > 0));
}

static double range_of(const gos_error_check *c, int i) {
    const double *value = c->block + c->sys->nq + c->sys->nt + i;
    double low = value[0], high = value[0];
    for (int n = 1; n < c->n; n++) {
        low = fmin(low, value[(size_t)n * width(c)]);
        high = fmax(high, value[(size_t)n * width(c)]);
    }
    return high - low > ROUNDING * fmax(fabs(low), fabs(high)) ? high - low : 0;
}

/* Scales of probe errors: one range for a vector; none for components that are zero by symmetry. */
static void find_ranges(const gos_error_check *c, const gos_probe *p, int first, double *range) {
    double most = 0;
    for (int k = 0; k < p->ncomp; k++) {
        range[k] = range_of(c, first + k);
        most = fmax(most, range[k]);
    }
    for (int k = 0; k < p->ncomp; k++) {
        range[k] = p->quantity->ncomp == 3 ? most : range[k] > SYMMETRY * most ? range[k] : 0;
    }
}

static void compare_probes(const gos_error_check *c, const double *of, const gos_state *x,
                           double share, error *e) {
    double *value = c->change;
    int first = 0;
    read_probes(c, x, of, value);
    for (int i = 0; i < c->sys->nprobe; first += c->sys->probe[i]->ncomp, i++) {
        const gos_probe *p = c->sys->probe[i];
        const double *range = c->range + first;
        for (int k = 0; k < p->ncomp && gos__probe_of_state(p); k++) {
            const double off = share * fabs(value[first + k] - of[first + k]);
            if (off > e->relative * range[k] && range[k] > 0) {
                e->probe = i;
                e->part = k;
                e->value = off;
                e->relative = off / range[k];
            }
        }
    }
}

/* Compares sample k with the second run; share: fraction of the difference that is the error. */
static void compare(const gos_error_check *c, int k, const gos_state *x, double share, error *e) {
    const gos_system *s = c->sys;
    const double *q = c->block + (size_t)k * width(c), *th = q + s->nq;
    double *d = c->change, *weighed = d + width(c);
    for (int i = 0; i < s->nq; i++) {
        d[i] = x->q[i] - q[i];
    }
    const double motion = share * gos__motion_rms(s, d, weighed);
    for (int i = 0; i < s->nt; i++) {
        d[i] = x->th[i] - th[i];
    }
    const double heat = share * gos__heat_rms(s, d, weighed) / c->T_range;
    if (fmax(motion, heat) > e->most) {
        e->most = fmax(motion, heat);
        e->heat = heat > motion;
        e->time = c->time[k];
    }
    compare_probes(c, th + s->nt, x, share, e);
}

static gos_status step_through(const gos_error_check *c, gos_integrator *g, const gos_state *x,
                               double share, error *e) {
    long left = c->most_steps;
    for (int k = 1; k < c->n; k++) {
        while (x->t < c->time[k]) {
            GOS_TRY(left-- > 0 ? GOS_OK : GOS_E_LIMIT);
            GOS_TRY(gos_integrator_step(g, c->options.end));
            GOS_TRY(gos__progress(c->quiet, x->t / c->options.end,
                                  "second run, to estimate the error of the first"));
        }
        compare(c, k, x->t > c->time[k] ? gos__integrator_position(g, c->time[k]) : x, share, e);
    }
    return GOS_OK;
}

static gos_status repeat(gos_error_check *c, double times, error *e, long *steps) {
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    gos_options options = c->options;
    // fraction of the difference due to the first run, for errors proportional to the tolerance
    const double share = 1 / fabs(times - 1);
    *e = (error){.probe = -1};
    options.tolerance *= times;
    options.probe_tolerance *= times;
    gos__progress_start(c->quiet);
    gos_status status = gos_state_create(c->quiet, c->sys, &x);
    status = status == GOS_OK ? gos_state_copy(x, c->start) : status;
    status = status == GOS_OK ? gos_integrator_create(c->quiet, c->sys, &options, x, &g) : status;
    status = status == GOS_OK ? step_through(c, g, x, share, e) : status;
    if (status == GOS_OK) {
        gos_statistics stats;
        gos_integrator_statistics(g, &stats);
        *steps = stats.steps;
    }
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    return status;
}

/* of coordinates of first order */
static const char *first_order_kind(const gos_system *sys) {
    const gos_system *s = sys->full ? sys->full : sys;
    bool heat = false, states = false;
    for (int i = 0; i < s->nbody; i++) {
        const bool own = gos__body_is_states(s->body[i]);
        states = states || (own && s->body[i]->nt > 0);
        heat = heat || (!own && s->body[i]->nt > 0);
    }
    return !states ? "range of temperatures"
           : heat  ? "range of temperatures and controller states"
                   : "range of controller states";
}

static void report(const gos_error_check *c, const error *e, double times) {
    char text[600], probe[300] = "", name[200], unit[GOS_UNIT_MAX];
    const double tolerance = c->options.tolerance;
    if (e->probe >= 0) {
        const gos_probe *p = c->sys->probe[e->probe];
        (void)gos__format(name, sizeof name, "%s%s%s", p->name, p->ncomp > 1 ? "." : "",
                          p->ncomp > 1 ? p->components[e->part] : "");
        (void)gos__format(probe, sizeof probe,
                          "; worst probe: %s, +-%.2g %s (%.2g %% of its range)", name, e->value,
                          gos__unit_at(p->unit, e->part, unit), 100 * e->relative);
    }
    (void)gos__format(text, sizeof text,
                      "estimated error of the whole run: %.2g of the %s (%.2g tolerances) at t = "
                      "%.6g s, from a second run with %s the tolerance%s",
                      e->most, e->heat ? first_order_kind(c->sys) : "extent", e->most / tolerance,
                      e->time,
                      times > 1        ? "four times"
                      : times == FINER ? "a tenth of"
                                       : "a quarter of",
                      probe);
    gos__note(c->ctx, "errors", text);
    if (e->most > CHAOTIC) {
        gos__warn(c->ctx, (gos_loc){0}, "analysis",
                  "the motion is sensitive (chaotic or unstable): at t = %.6g s errors are as "
                  "large as the motion, and runs with tolerances %.2g and %.2g differ completely; "
                  "shorten the run, or use a much smaller tolerance",
                  e->time, tolerance, times * tolerance);
    } else if (e->most > EXCESS * tolerance) {
        gos__warn(c->ctx, (gos_loc){0}, "analysis",
                  "tolerance %.2g is exceeded by a factor of %.2g at t = %.6g s, because the "
                  "motion amplifies the errors of steps; use tolerance %.1g",
                  tolerance, e->most / tolerance, e->time, tolerance * tolerance / e->most);
    }
}

void gos__error_check_end(gos_error_check *c, long steps) {
    error e;
    long made = 0;
    // at high order steps hardly depend on the tolerance
    double times = c && gos__method(c->options.integrator)->order <= 2 ? QUARTER : FINER;
    if (!c || c->n < 2 || is_expensive(c, steps)) {
        return;
    }
    for (int i = 0, first = 0; i < c->sys->nprobe; first += c->sys->probe[i]->ncomp, i++) {
        find_ranges(c, c->sys->probe[i], first, c->range + first);
    }
    c->most_steps = MORE_STEPS * steps + FEW_STEPS;
    gos__progress_follow(c->quiet, c->ctx);
    gos_status status = repeat(c, times, &e, &made);
    if (status == GOS_OK && times == QUARTER && (double)made < REFINED * (double)steps) {
        times = FINER;
        status = repeat(c, times, &e, &made);
    }
    if (status != GOS_E_INTERRUPTED && status != GOS_OK) {
        times = COARSER;
        status = repeat(c, times, &e, &made);
    }
    // with a larger tolerance the second run may have lost the motion
    const bool lost = times == COARSER && e.most > EXCESS * c->options.tolerance;
    if (status == GOS_OK && !lost) {
        report(c, &e, times);
    } else {
        gos__note(c->ctx, "errors",
                  status == GOS_E_INTERRUPTED
                      ? "the error of the whole run is unknown: the second run was interrupted"
                      : "the error of the whole run is unknown: the second run, with another "
                        "tolerance, was not completed");
    }
}
