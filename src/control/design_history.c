/* Time histories of a design for reports: minimum and maximum per interval, the resolution of a
   plot. */
#include <math.h>

#include "base/base.h"
#include "control/design_plants.h"
#include "control/plant.h"
#include "control/saturated.h"

enum { SPANS = 1200, STEPS_PER_PERIOD = 16, SAMPLES_PER_STEP = 8, MAX_STEPS = 100000 };
#define TOLERANCE 1e-3       // of the saturation
#define EQUAL_TOLERANCE 1e-6 // of equal inputs, relative to the largest value

typedef struct observer {
    int n, nz, nu, last;
    double end, limit;
    double *low, *high;             // of the outputs (nz)(n)
    double *input_low, *input_high; // of saturated inputs (nu)(n)
} observer;

typedef struct histories {
    gos_ctx *ctx; // its messages are discarded
    const gos_linear *linear;
    const gos_design_plants *p;
    const gos_plant *controller;
    const gos_design_options *o;
    gos_design *d;
    const char *output, *disturbance, *unit, *acceleration_unit, *input_unit;
    int ninput, input[GOS_HISTORY_INPUTS]; // plotted
} histories;

/* ---- sampling -------------------------------------------------------------------------------- */

static void record_sample(void *user, double t, const double *z, const double *command) {
    observer *s = user;
    const int k = (int)fmin(s->n - 1, floor(t / s->end * s->n));
    s->last = k > s->last ? k : s->last;
    for (int i = 0; i < s->nz; i++) {
        double *lo = s->low + (size_t)i * s->n + k, *hi = s->high + (size_t)i * s->n + k;
        *lo = fmin(*lo, z[i]);
        *hi = fmax(*hi, z[i]);
    }
    for (int i = 0; i < s->nu; i++) {
        const double v = fmin(s->limit, fmax(-s->limit, command[i]));
        double *lo = s->input_low + (size_t)i * s->n + k,
               *hi = s->input_high + (size_t)i * s->n + k;
        *lo = fmin(*lo, v);
        *hi = fmax(*hi, v);
    }
}

static gos_status observer_create(const histories *c, int nz, double steps, observer *s) {
    const int nu = c->p->own.nu;
    // at least one sample per interval
    const int n = (int)fmin(SPANS, fmax(2, floor(SAMPLES_PER_STEP * steps)));
    const size_t size = (size_t)(nz + nu) * (size_t)n;
    *s = (observer){.n = n,
                    .nz = nz,
                    .nu = nu,
                    .end = c->o->t_end,
                    .limit = c->o->limit > 0 ? c->o->limit : HUGE_VAL,
                    .low = gos__alloc(c->ctx, 2 * size + 1, sizeof *s->low)};
    GOS_TRY(s->low ? GOS_OK : GOS_E_MEMORY);
    s->input_low = s->low + (size_t)nz * (size_t)n;
    s->high = s->low + size;
    s->input_high = s->high + (size_t)nz * (size_t)n;
    for (size_t i = 0; i < size; i++) {
        s->low[i] = HUGE_VAL;
        s->high[i] = -HUGE_VAL;
    }
    return GOS_OK;
}

/* unsampled intervals repeat the previous values */
static void fill(int n, double *low, double *high) {
    for (int k = 0; k < n; k++) {
        if (low[k] > high[k]) {
            low[k] = k > 0 ? low[k - 1] : 0;
            high[k] = k > 0 ? high[k - 1] : 0;
        }
    }
}

/* ---- choice of plotted inputs ---------------------------------------------------------------- */

static double peak_of(const observer *s, int i) {
    double input_high = 0;
    for (int k = 0; k < s->n; k++) {
        const size_t at = (size_t)i * (size_t)s->n + (size_t)k;
        input_high = fmax(input_high, fmax(fabs(s->input_low[at]), fabs(s->input_high[at])));
    }
    return input_high;
}

/* equal up to sign */
static bool alike(const observer *s, int i, int j, double size) {
    double same = 0, turned = 0;
    for (int k = 0; k < s->n; k++) {
        const size_t a = (size_t)i * (size_t)s->n + (size_t)k,
                     b = (size_t)j * (size_t)s->n + (size_t)k;
        same = fmax(same, fmax(fabs(s->input_low[a] - s->input_low[b]),
                               fabs(s->input_high[a] - s->input_high[b])));
        turned = fmax(turned, fmax(fabs(s->input_low[a] + s->input_high[b]),
                                   fabs(s->input_high[a] + s->input_low[b])));
    }
    return fmin(same, turned) <= EQUAL_TOLERANCE * size;
}

/* largest input unlike those plotted; -1: none */
static int next_input(const histories *c, const observer *s, const double *peak, double size) {
    int best = -1;
    for (int i = 0; i < s->nu; i++) {
        bool fresh = peak[i] > 0 && (best < 0 || peak[i] > peak[best] * (1 + EQUAL_TOLERANCE));
        for (int k = 0; k < c->ninput && fresh; k++) {
            fresh = !alike(s, i, c->input[k], size);
        }
        best = fresh ? i : best;
    }
    return best;
}

static gos_status choose_inputs(histories *c, const observer *s) {
    double *peak = gos__alloc(c->ctx, (size_t)s->nu + 1, sizeof *peak), size = 0;
    GOS_TRY(peak ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nu; i++) {
        peak[i] = peak_of(s, i);
        size = fmax(size, peak[i]);
    }
    for (int i = 0; c->ninput < GOS_HISTORY_INPUTS && i >= 0;) {
        i = next_input(c, s, peak, size);
        if (i >= 0) {
            c->input[c->ninput++] = i;
        }
    }
    gos__free(c->ctx, peak);
    return GOS_OK;
}

/* ---- one time history ------------------------------------------------------------------------ */

static const double *copy_samples(const histories *c, int n, const double *from) {
    double *x = GOS_NEW(c->d->arena, double, n + 1);
    return x ? memcpy(x, from, (size_t)n * sizeof *x) : NULL;
}

static gos_status take(histories *c, observer *s, bool accelerated, gos_design_history *to) {
    const int n = s->last + 1, z = s->nz - 1;
    bool good = true;
    double *time = GOS_NEW(c->d->arena, double, n + 1);
    GOS_TRY(time ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < n; k++) {
        time[k] = s->end * (k + 1) / s->n;
    }
    for (int i = 0; i < s->nz + s->nu; i++) { // stored consecutively
        fill(s->n, s->low + (size_t)i * (size_t)s->n, s->high + (size_t)i * (size_t)s->n);
    }
    to->n = n;
    to->time = time;
    to->low = copy_samples(c, n, s->low + (size_t)z * (size_t)s->n);
    to->high = copy_samples(c, n, s->high + (size_t)z * (size_t)s->n);
    to->acceleration_low = accelerated ? copy_samples(c, n, s->low) : NULL;
    to->acceleration_high = accelerated ? copy_samples(c, n, s->high) : NULL;
    good = to->low && to->high && (!accelerated || (to->acceleration_low && to->acceleration_high));
    if (to->closed && c->ninput == 0) {
        GOS_TRY(choose_inputs(c, s));
    }
    to->ninput = to->closed ? c->ninput : 0;
    for (int k = 0; k < to->ninput; k++) {
        const size_t at = (size_t)c->input[k] * (size_t)s->n;
        const gos_port port = gos_linear_input(c->linear, c->p->input_index[c->input[k]]);
        to->input[k] = gos__arena_strdup(c->d->arena, port.name);
        to->input_low[k] = copy_samples(c, n, s->input_low + at);
        to->input_high[k] = copy_samples(c, n, s->input_high + at);
        good = good && to->input[k] && to->input_low[k] && to->input_high[k];
    }
    return good ? GOS_OK : GOS_E_MEMORY;
}

/* with the acceleration of the performance output before it, if defined */
static gos_status measured_plant(const histories *c, const gos_design_plant *from, gos_plant *to,
                                 bool *accelerated) {
    const int ny = from->ny, nu = from->nu + 1;
    int *output = gos__alloc(c->ctx, (size_t)ny + 2, sizeof *output);
    bool direct = false;
    gos_status status = output ? GOS_OK : GOS_E_MEMORY;
    *to = (gos_plant){0};
    for (int whole = 1; whole >= 0 && status == GOS_OK; whole--) {
        for (int i = 0; i < ny + 1 + whole; i++) {
            output[i] = i < ny ? i : ny;
        }
        gos__plant_free(c->ctx, to);
        status = gos__plant_part(c->ctx, &from->plant, nu, NULL, ny + 1 + whole, output, to);
        direct = false;
        for (int k = 0; k < (c->p->output_is_rate ? 1 : 2) && whole && status == GOS_OK && !direct;
             k++) {
            status = gos__plant_rate(c->ctx, to, ny, &direct);
        }
        *accelerated = whole && !direct;
        if (*accelerated) {
            break;
        }
    }
    gos__free(c->ctx, output);
    return status;
}

static gos_status close(const histories *c, const gos_plant *plant, int ny, bool closed,
                        gos_loop *loop) {
    if (closed) {
        return gos__loop_close(c->ctx, plant, ny, c->controller, loop);
    }
    double *none = gos__zalloc(c->ctx, (size_t)plant->n * (size_t)plant->nu + 1, sizeof *none);
    const gos_status status = none ? gos__loop_state(c->ctx, plant, ny, none, loop) : GOS_E_MEMORY;
    gos__free(c->ctx, none);
    return status;
}

static gos_saturated_options options_of(const histories *c, const gos_design_plant *ports) {
    const gos_design_options *o = c->o;
    const gos_modal_form *f = &c->p->form;
    const double highest = f->n > 0 ? f->omega[ports->positions - 1] : 0;
    return (gos_saturated_options){.t_end = o->t_end,
                                   .step = highest > 0 ? 2 * M_PI / highest / STEPS_PER_PERIOD
                                                       : o->t_end / 1000,
                                   .limit = o->limit > 0 ? o->limit : HUGE_VAL,
                                   .tolerance = TOLERANCE,
                                   .w = o->force,
                                   .w_from = o->t_force,
                                   .w_to = o->t_force + o->duration,
                                   .t_start = o->t_force + o->duration,
                                   .sample = record_sample};
}

/* store the error message instead of the time history */
static gos_status skip_history(const histories *c, gos_status status, const char **why) {
    if (status == GOS_OK || status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED) {
        return status;
    }
    *why = gos__arena_strdup(c->d->arena, gos_ctx_message(c->ctx));
    return *why ? GOS_OK : GOS_E_MEMORY;
}

static gos_status add_history(histories *c, bool plant, bool closed) {
    const gos_design_plant *ports = plant ? &c->p->rich : &c->p->own;
    gos_design_history *to = &c->d->history[c->d->nhistory];
    gos_plant has_performance = {0};
    gos_loop loop = {0};
    gos_saturated_response history = {0};
    observer s = {0};
    bool accelerated = false;
    *to = (gos_design_history){.closed = closed,
                               .plant = plant,
                               .output = c->output,
                               .disturbance = c->disturbance,
                               .unit = c->unit,
                               .acceleration_unit = c->acceleration_unit,
                               .input_unit = c->input_unit,
                               .from = c->o->t_force + c->o->duration,
                               .limit = c->o->limit > 0 ? c->o->limit : HUGE_VAL};
    gos_status status = measured_plant(c, ports, &has_performance, &accelerated);
    gos_saturated_options run = options_of(c, ports);
    run.user = &s;
    if (status == GOS_OK) {
        status = observer_create(c, accelerated ? 2 : 1, run.t_end / run.step, &s);
    }
    if (status == GOS_OK) {
        status = close(c, &has_performance, ports->ny, closed, &loop);
        if (status == GOS_OK && run.t_end / run.step > MAX_STEPS) {
            status = gos__fail(c->ctx, GOS_E_LIMIT,
                               "a time history of %.3g steps is too long to plot; use a smaller "
                               "t_end",
                               run.t_end / run.step);
        }
        status = status == GOS_OK ? gos__saturated_run(c->ctx, &loop, &run, &history) : status;
        status = skip_history(c, status, &to->failure);
    }
    status = status == GOS_OK ? take(c, &s, accelerated, to) : status;
    to->rms = history.rms;
    to->peak = history.peak;
    to->command = history.command;
    to->clipped = history.clipped;
    c->d->nhistory += status == GOS_OK;
    gos__free(c->ctx, s.low);
    gos__loop_free(c->ctx, &loop);
    gos__plant_free(c->ctx, &has_performance);
    return status;
}

/* ---- all time histories ---------------------------------------------------------------------- */

static const char *why_none(const histories *c) {
    const gos_design_options *o = c->o;
    if (!c->p->own.disturbed || !c->p->own.has_performance || o->force == 0 || !(o->duration > 0) ||
        !(o->t_end > o->t_force + o->duration)) {
        return "time histories need an output, a disturbance with force and duration, and a later "
               "t_end";
    }
    return o->period > 0 ? "time histories are available only for continuous controllers; simulate "
                           "the model with the sampled controller instead"
                         : NULL;
}

/* from "m" or "m/s" to "m/s^2" */
static const char *acceleration_of(gos_arena *a, const char *unit, bool is_rate) {
    const size_t n = strlen(unit);
    return is_rate ? gos__arena_printf(a, "%s^2", unit)
                   : gos__arena_printf(a, "%s/s^2", n > 0 && strcmp(unit, "-") != 0 ? unit : "1");
}

gos_status gos__design_histories(gos_ctx *ctx, const gos_linear *l, const gos_design_plants *p,
                                 const gos_plant *controller, const gos_design_options *o,
                                 gos_design *d) {
    histories c = {.linear = l, .p = p, .controller = controller, .o = o, .d = d};
    d->no_history = why_none(&c);
    if (d->no_history) {
        return GOS_OK;
    }
    const gos_port from = gos_linear_input(l, p->disturbance);
    const char *unit = gos_linear_output(l, p->output).unit;
    c.output = gos__arena_strdup(d->arena, gos_linear_output(l, p->output).name);
    c.disturbance = gos__arena_printf(d->arena, "%s, %g %s from %g to %g s", from.name, o->force,
                                      from.unit, o->t_force, o->t_force + o->duration);
    c.unit = gos__arena_strdup(d->arena, unit);
    c.acceleration_unit = acceleration_of(d->arena, unit, p->output_is_rate);
    c.input_unit = gos__arena_strdup(d->arena, gos_linear_input(l, p->input_index[0]).unit);
    d->history = GOS_NEW(d->arena, gos_design_history, 4);
    GOS_TRY(c.output && c.disturbance && c.unit && c.acceleration_unit && c.input_unit && d->history
                ? GOS_OK
                : GOS_E_MEMORY);
    c.ctx = gos__ctx_quiet(ctx);
    GOS_TRY(c.ctx ? GOS_OK : GOS_E_MEMORY);
    gos__progress_follow(c.ctx, ctx);
    gos_status status = GOS_OK;
    for (int plant = 0; plant < 2 && status == GOS_OK; plant++) {
        status = add_history(&c, plant, false);
        status = status == GOS_OK ? add_history(&c, plant, true) : status;
    }
    gos_ctx_destroy(c.ctx);
    return status;
}
