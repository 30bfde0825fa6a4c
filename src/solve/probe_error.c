/* Estimated error of probes, reported at the end and controlled by probe_tolerance. A step has the
 * error E h^3 q''', from the change of accelerations, filtered by the Newton matrix
 * (step_error.c). Over many steps the scheme follows q' = w + eta h^2 q''', w' = q''
 * (step_error.c): the position error is eta/E times that, an accumulating phase error.
 * Amplification by the motion (instability, amplitude-dependent frequency) is excluded. */
#include "solve/probe_error.h"

#include <limits.h>
#include <math.h>

#include "base/base.h"
#include "base/units.h"
#include "steppers/alpha/generalised_alpha.h"
#include "probes/probe.h"

#define BLOCK 4 // steps per block
// unresolved modes: a step changes 0.7 of the amplitude, whose error may be 2
#define UNRESOLVED_ERROR 2
#define MAX_UNEVEN_BLOCKS 4
#define UNRESOLVED_PART 0.1 // error of a probe relative to its range, above which a warning is due
#define FIRST 0.05          // fraction of the run in which rates predict the range
#define ROUNDING 1e-9       // relative to a probe's magnitude: smaller ranges are zero
#define SYMMETRY 1e-6       // relative to the largest range of a probe: smaller ones are zero
#define AVERAGING_TIME 0.02 // averaging time relative to the run
#define ALLOWANCE_SHARE 0.5 // fraction of the allowance used after exceeding it
#define FINER 0.1           // smallest factor on the tolerance at a time
#define FINEST 1e-12
#define BEGINNING 0.03 // initial tolerance relative to probe_tolerance

typedef struct component {
    double value, low, high; // after the last block, and extremes of the run so far
    double rate_low, rate_high;
    double size, rate_size;
    double made;            // error of the last block divided by the sum of h^3
    double turn;            // rate of change of that, as an error of the rate
    double sum, rate_sum;   // accumulated errors
    double once, rate_once; // largest errors that count once
} component;

struct gos_error_propagation {
    gos_ctx *ctx;
    double *f;      // accumulating part of this step's filtered error (nq + nt)
    double *once;   // whole error of the step of this block with the largest unresolved part (nq)
    double *rings;  // whole error of this step (nq)
    double *block;  // accumulated over this block (nq + nt)
    double *before; // of the last block, divided by its sum of h^3 (nq)
    double *rate;   // error of velocities in the last even block (nq)
    double *start;  // positions at the start (nq)
    double h3;
    double since, begun; // start of tracking, and of the block [s]
    double moved;        // largest motion since the start, RMS relative to the extent
    double tolerance;    // of the run, as given
    double spends;       // used fraction of probe_tolerance, moving average
    double h;            // last step [s]
    bool uneven;         // the step has changed in this block or just before
    bool ringing;        // this step does not resolve all modes
    double once_h;       // step of `once`, 0: none in this block [s]
    double most_once;    // RMS of `once`, relative to the extent
    int steps, blocks;
    int uneven_blocks;
    gos_state *less; // the state minus its error
    component *of;
    int ncomp;
};

void gos__error_propagation_destroy(gos_error_propagation *t) {
    if (t) {
        gos__free(t->ctx, t->f);
        gos__free(t->ctx, t->once);
        gos__free(t->ctx, t->rings);
        gos__free(t->ctx, t->block);
        gos__free(t->ctx, t->before);
        gos__free(t->ctx, t->rate);
        gos__free(t->ctx, t->start);
        gos__free(t->ctx, t->of);
        gos_state_destroy(t->less);
        gos__free(t->ctx, t);
    }
}

/* Is the rate reported too? Rates of velocities are accelerations; rates of strains are not
 * used. */
static bool has_rate(const gos_probe *p) {
    static const char *const names[] = {"position", "displacement", "angle", "rotation_vector",
                                        "temperature"};
    for (int i = 0; i < GOS_COUNT(names); i++) {
        if (strcmp(gos__probe_quantity(p), names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Value of probe i; near (NULL: none): angles closest to these. */
static void evaluate(const gos_state *x, const double *near, int stride, int i, double *y) {
    const gos_probe *p = x->sys->probe[i];
    double last[GOS_PROBE_MAX];
    gos__probe_evaluate(x->sys, x, p, y);
    for (int k = 0; k < p->ncomp && near; k++) {
        last[k] = near[k * stride];
    }
    if (near) {
        gos__probe_unwrap(p, last, y);
    }
}

static void begin(gos_error_propagation *t, const gos_state *x) {
    component *c = t->of;
    for (int i = 0; i < x->sys->nprobe; i++) {
        const int n = x->sys->probe[i]->ncomp;
        double y[GOS_PROBE_MAX] = {0};
        if (gos__probe_of_state(x->sys->probe[i])) {
            evaluate(x, NULL, 0, i, y);
        }
        for (int k = 0; k < n; k++, c++) {
            c->value = c->low = c->high = y[k];
            c->size = fabs(y[k]);
        }
    }
    memcpy(t->start, x->q, x->sys->nq * sizeof *t->start);
    t->since = t->begun = x->t;
}

static gos_status allocate(gos_error_propagation *t, const gos_system *s) {
    const size_t nq = s->nq + 1L, n = nq + s->nt;
    for (int i = 0; i < s->nprobe; i++) {
        t->ncomp += s->probe[i]->ncomp;
    }
    t->f = gos__zalloc(t->ctx, n, sizeof *t->f);
    t->once = gos__zalloc(t->ctx, nq, sizeof *t->once);
    t->rings = gos__zalloc(t->ctx, nq, sizeof *t->rings);
    t->block = gos__zalloc(t->ctx, n, sizeof *t->block);
    t->before = gos__zalloc(t->ctx, nq, sizeof *t->before);
    t->rate = gos__zalloc(t->ctx, nq, sizeof *t->rate);
    t->start = gos__zalloc(t->ctx, nq, sizeof *t->start);
    t->of = gos__zalloc(t->ctx, (size_t)t->ncomp + 1, sizeof *t->of);
    return t->f && t->once && t->rings && t->block && t->before && t->rate && t->start && t->of
               ? gos_state_create(t->ctx, s, &t->less)
               : GOS_E_MEMORY;
}

static gos_status attach(gos_alpha *g) {
    gos_error_propagation *t = gos__zalloc(g->ctx, 1, sizeof *t);
    if (!t) {
        return GOS_E_MEMORY;
    }
    t->ctx = g->ctx;
    const gos_status status = allocate(t, g->sys);
    if (status != GOS_OK) {
        gos__error_propagation_destroy(t);
        return status;
    }
    g->probe_errors = t;
    return GOS_OK;
}

gos_status gos__error_propagation_begin(gos_alpha *g) {
    if (g->opt.step > 0 || g->probe_errors) {
        return GOS_OK;
    }
    GOS_TRY(attach(g));
    gos_error_propagation *t = g->probe_errors;
    begin(t, g->x);
    t->tolerance = g->opt.tolerance;
    if (g->opt.probe_tolerance > 0) { // errors at the start cannot be recovered later
        g->opt.tolerance = fmin(t->tolerance, BEGINNING * g->opt.probe_tolerance);
        const double part = g->opt.tolerance / t->tolerance; // steps remain exact numbers
        g->x->h_next = ldexp(g->x->h_next, (int)floor(0.5 * log2(part)));
    }
    return GOS_OK;
}

gos_status gos__error_propagation_walk(gos_alpha *g, gos_walk *w) {
    GOS_TRY(g->probe_errors ? GOS_OK : attach(g));
    gos_error_propagation *t = g->probe_errors;
    const size_t nq = g->sys->nq, nt = g->sys->nt;
    double *const numbers[] = {&t->h3,     &t->since, &t->begun,  &t->moved,    &t->tolerance,
                               &t->spends, &t->h,     &t->once_h, &t->most_once};
    for (int i = 0; i < GOS_COUNT(numbers); i++) {
        gos__walk(w, numbers[i], 1);
    }
    gos__walk_bool(w, &t->uneven);
    gos__walk_int(w, &t->steps, BLOCK);
    gos__walk_int(w, &t->blocks, INT_MAX);
    gos__walk_int(w, &t->uneven_blocks, INT_MAX);
    gos__walk(w, t->f, nq + nt);
    gos__walk(w, t->once, nq);
    gos__walk(w, t->block, nq + nt);
    gos__walk(w, t->before, nq);
    gos__walk(w, t->rate, nq);
    gos__walk(w, t->start, nq);
    gos__walk(w, (double *)t->of, t->ncomp * (sizeof *t->of / sizeof(double)));
    return GOS_OK;
}

void gos__error_propagation_note(gos_alpha *g) {
    memcpy(g->probe_errors->f, g->r, g->sys->nstate * sizeof(double));
    g->probe_errors->ringing = false;
}

void gos__error_propagation_adds(gos_alpha *g) {
    gos_error_propagation *t = g->probe_errors;
    const size_t size = g->sys->nq * sizeof(double);
    memcpy(t->rings, t->f, size);
    memcpy(t->f, g->r, size);
    t->ringing = true;
}

static double whole(const component *c) {
    return c->sum + c->once;
}

static double whole_rate(const component *c) {
    return c->rate_sum + c->rate_once;
}

void gos__error_propagation_value(const gos_error_propagation *t, int i, double *error,
                                  double *rate_error) {
    *error = whole(&t->of[i]);
    *rate_error = whole_rate(&t->of[i]);
}

/* t->less := state minus the error of a block of length T; h2: mean square of its steps. The
 * velocity error is the change of eta h^2 q''' between blocks; an uneven block uses the last even
 * one, since accelerations jump slightly where steps change. */
static void subtract(gos_alpha *g, double T, double h2) {
    const gos_system *s = g->sys;
    gos_error_propagation *t = g->probe_errors;
    const double eta = -g->k.error_a / g->k.error;
    const bool believed = t->blocks > 0 && (!t->uneven || t->uneven_blocks > MAX_UNEVEN_BLOCKS);
    gos_state_copy(t->less, g->x);
    for (int i = 0; i < s->nq; i++) {
        const double now = t->block[i] / t->h3;
        t->rate[i] = believed ? eta * h2 * (now - t->before[i]) / T : t->rate[i];
        t->less->q[i] -= eta * t->block[i];
        t->less->v[i] -= T * t->rate[i];
        t->before[i] = now;
    }
    for (int i = 0; i < s->nt; i++) {
        t->less->th[i] -= t->block[s->at.th + i];
    }
}

/* Updates a component after a block of length T with error `made`. Differences of probe values are
 * summed in absolute value: an undamped mode gets 4/pi of its error, damped ones more. */
static void look(const gos_error_propagation *t, component *c, double value, double made, double T,
                 double h2) {
    const bool believed = t->blocks > 0 && (!t->uneven || t->uneven_blocks > MAX_UNEVEN_BLOCKS);
    const double rate = (value - c->value) / T;
    c->low = fmin(c->low, value);
    c->high = fmax(c->high, value);
    c->rate_low = t->blocks > 0 ? fmin(c->rate_low, rate) : rate;
    c->rate_high = t->blocks > 0 ? fmax(c->rate_high, rate) : rate;
    c->size = fmax(c->size, fabs(value));
    c->rate_size = fmax(c->rate_size, fabs(rate));
    c->sum += fabs(made);
    c->turn = believed ? h2 * fabs(made / t->h3 - c->made) / T : c->turn;
    c->rate_sum += c->turn * T;
    c->made = made / t->h3;
    c->value = value;
}

/* Ranges of a probe's components: one for a vector; zero for components that are zero by
 * symmetry. */
static void ranges(const gos_probe *p, const component *c, int k, double *value, double *rate) {
    double value_most = 0, rate_most = 0;
    *value = *rate = 0;
    for (int i = 0; i < p->ncomp; i++) {
        const double span = c[i].high - c[i].low, rates = c[i].rate_high - c[i].rate_low;
        value_most = fmax(value_most, span > ROUNDING * c[i].size ? span : 0);
        rate_most = fmax(rate_most, rates > ROUNDING * c[i].rate_size ? rates : 0);
        *value = i == k ? span : *value;
        *rate = i == k ? rates : *rate;
    }
    const bool vector = p->quantity->ncomp == 3;
    *value = vector ? value_most : *value > SYMMETRY * value_most ? *value : 0;
    *rate = vector ? rate_most : *rate > SYMMETRY * rate_most ? *rate : 0;
}

/* Error of a block in a component relative to its allowance. */
static double spent(const gos_error_propagation *t, const gos_alpha *g, const gos_probe *p,
                    const component *of, int k, double made, double T) {
    const double span = g->opt.end - g->t_start;
    double range, rate;
    ranges(p, of, k, &range, &rate);
    if (g->x->t - t->since < FIRST * span) {
        range = fmax(range, FIRST * span * of[k].rate_size);
    }
    return range > 0 ? fabs(made) * span / (T * range * g->opt.probe_tolerance) : 0;
}

/* Reduces the tolerance, to which step errors are proportional, if the moving average of used
 * probe_tolerance exceeds 1. */
static void tighten(gos_alpha *g, double most, double T) {
    gos_error_propagation *t = g->probe_errors;
    const double span = g->opt.end - g->t_start;
    t->spends += fmin(1, T / (AVERAGING_TIME * span)) * (most - t->spends);
    if (t->spends > 1) {
        const double part = fmax(FINER, ALLOWANCE_SHARE / t->spends);
        g->opt.tolerance = fmax(FINEST, part * g->opt.tolerance);
        t->spends *= part;
    }
}

/* Updates accumulated errors. @return largest error of the block relative to its allowance */
static double look_at_sums(gos_alpha *g, double T) {
    const gos_system *s = g->sys;
    gos_error_propagation *t = g->probe_errors;
    const double h2 = t->h3 / T;
    double most = 0;
    component *c = t->of;
    subtract(g, T, h2);
    for (int i = 0; i < s->nprobe; c += s->probe[i]->ncomp, i++) {
        const gos_probe *p = s->probe[i];
        double y[GOS_PROBE_MAX] = {0}, z[GOS_PROBE_MAX] = {0};
        if (!gos__probe_of_state(p)) {
            continue;
        }
        evaluate(g->x, &c->value, sizeof *c / sizeof(double), i, y);
        evaluate(t->less, y, 1, i, z);
        for (int k = 0; k < p->ncomp; k++) {
            look(t, &c[k], y[k], y[k] - z[k], T, h2);
        }
        for (int k = 0; k < p->ncomp && g->opt.probe_tolerance > 0; k++) {
            most = fmax(most, spent(t, g, p, c, k, y[k] - z[k], T));
        }
    }
    return most;
}

/* Errors of modes unresolved in this block count once, by their largest value; for the rate with
 * angular frequency 1/h. */
static void look_at_once(gos_alpha *g) {
    const gos_system *s = g->sys;
    gos_error_propagation *t = g->probe_errors;
    component *c = t->of;
    gos_state_copy(t->less, g->x);
    for (int i = 0; i < s->nq; i++) {
        t->less->q[i] -= t->once[i];
    }
    for (int i = 0; i < s->nprobe; c += s->probe[i]->ncomp, i++) {
        const gos_probe *p = s->probe[i];
        double y[GOS_PROBE_MAX] = {0}, z[GOS_PROBE_MAX] = {0};
        if (!gos__probe_of_state(p)) {
            continue;
        }
        for (int k = 0; k < p->ncomp; k++) {
            y[k] = c[k].value;
        }
        evaluate(t->less, y, 1, i, z);
        for (int k = 0; k < p->ncomp; k++) {
            const double made = UNRESOLVED_ERROR * fabs(y[k] - z[k]);
            c[k].once = fmax(c[k].once, made);
            c[k].rate_once = fmax(c[k].rate_once, made / t->once_h);
        }
    }
}

static void end_block(gos_alpha *g) {
    const gos_system *s = g->sys;
    gos_error_propagation *t = g->probe_errors;
    const double T = g->x->t - t->begun;
    const double spends = look_at_sums(g, T);
    if (t->once_h > 0) {
        look_at_once(g);
    }
    if (g->opt.probe_tolerance > 0) {
        tighten(g, spends, T);
    }
    for (int i = 0; i < s->nq; i++) {
        t->block[i] = g->x->q[i] - t->start[i];
    }
    t->moved = fmax(t->moved, gos__motion_norm(g, t->block));
    memset(t->block, 0, s->nstate * sizeof *t->block);
    t->h3 = t->once_h = t->most_once = 0;
    t->steps = 0;
    t->uneven_blocks = t->uneven ? t->uneven_blocks + 1 : 0;
    t->uneven = false;
    t->begun = g->x->t;
    t->blocks++;
}

/* Worst component: number k of probe i, value or rate. */
typedef struct worst {
    int i, k;
    bool rate;
    double part, error;
} worst;

static worst find_worst(const gos_error_propagation *t, const gos_system *s, bool of_rates) {
    worst w = {.i = -1, .part = 0};
    const component *c = t->of;
    for (int i = 0; i < s->nprobe; c += s->probe[i]->ncomp, i++) {
        const gos_probe *p = s->probe[i];
        for (int k = 0; k < p->ncomp && gos__probe_of_state(p); k++) {
            double range, rates;
            ranges(p, c, k, &range, &rates);
            const double error = whole(&c[k]), rate = whole_rate(&c[k]);
            if (range > 0 && error > w.part * range) {
                w = (worst){i, k, false, error / range, error};
            }
            if (of_rates && rates > 0 && has_rate(p) && rate > w.part * rates) {
                w = (worst){i, k, true, rate / rates, rate};
            }
        }
    }
    return w;
}

static void report_worst(gos_alpha *g) {
    const gos_error_propagation *t = g->probe_errors;
    const gos_system *s = g->sys;
    const worst w = find_worst(t, s, true);
    char text[512], name[200], since[60] = "", most[80], unit[GOS_UNIT_MAX];
    if (w.i < 0) {
        return;
    }
    const gos_probe *p = s->probe[w.i];
    (void)gos__format(name, sizeof name, "%s%s%s", p->name, p->ncomp > 1 ? "." : "",
                      p->ncomp > 1 ? p->components[w.k] : "");
    if (t->since > g->t_start) {
        (void)gos__format(since, sizeof since, " since t = %.6g s", t->since);
    }
    if (w.part < 1) {
        (void)gos__format(most, sizeof most, "%.2g %%", 100 * w.part);
    } else {
        (void)gos__format(most, sizeof most, "over 100 percent");
    }
    (void)gos__format(text, sizeof text,
                      "the probe with the largest estimated error is %s%s: %.2g %s%s, %s of its "
                      "range%s; in sensitive (unstable or chaotic) motion the error is larger%s",
                      w.rate ? "the rate of " : "", name, w.error, gos__unit_at(p->unit, w.k, unit),
                      w.rate ? " per s" : "", most, since,
                      s->reduced ? " (of time integration only, without the error of the "
                                   "reduction)"
                                 : "");
    gos__note(g->ctx, "errors", text);
    if (g->opt.probe_tolerance > 0 && w.part > g->opt.probe_tolerance) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "probe_tolerance %g was exceeded by %s: estimated error %.2g of its range; use a "
                  "smaller one",
                  g->opt.probe_tolerance, name, w.part);
    }
}

/* motion below the tolerance */
static void report_motion(gos_alpha *g) {
    const double moved = g->probe_errors->moved, tolerance = g->probe_errors->tolerance;
    const worst w = find_worst(g->probe_errors, g->sys, false);
    char text[512];
    if (moved > 0 && moved < tolerance) {
        (void)gos__format(text, sizeof text,
                          "the motion (%.2g of the extent) is smaller than the tolerance %.2g and "
                          "is not resolved; use a smaller tolerance, or set probe_tolerance",
                          moved, tolerance);
        if (w.part > UNRESOLVED_PART && moved > ROUNDING) {
            gos__warn(g->ctx, (gos_loc){0}, "analysis", "%s", text);
        } else {
            gos__note(g->ctx, "errors", text);
        }
    }
}

void gos__error_propagation_step(gos_alpha *g, double h) {
    gos_error_propagation *t = g->probe_errors;
    for (int i = 0; i < g->sys->nstate; i++) {
        t->block[i] += t->f[i];
    }
    const double at_once = t->ringing ? gos__motion_norm(g, t->rings) : 0;
    if (at_once > t->most_once) {
        t->most_once = at_once;
        memcpy(t->once, t->rings, g->sys->nq * sizeof *t->once);
        t->once_h = h;
    }
    t->uneven |= fabs(h - t->h) > 1e-6 * h;
    t->h = h;
    t->h3 += h * h * h;
    t->steps++;
    const bool last = gos__breaks_last(&g->breaks, g->x);
    if (t->steps == BLOCK || last) {
        end_block(g);
    }
    if (last) {
        report_motion(g);
        report_worst(g);
    }
}
