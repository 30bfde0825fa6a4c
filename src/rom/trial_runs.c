/* A failure of a trial run, frequent with too few fields, is a valid result; messages go to a
   separate context. */
#include <math.h>

#include "probes/probe.h"
#include "rom/auto.h"
#include "rom/reconstruction.h"
#include "rom/monitor.h"
#include "rom/training_range.h"
#include "system/derived.h"

// No origin is recorded for these values; dimensionless unless stated.
#define MAX_NODES 200     // nodes sampled
#define MAX_INTERVALS 200 // intervals between samples
#define MIN_INTERVALS 50  // ... if the run stores fewer
#define MIN_GRADIENT 1e-3 // smallest gradient range evaluated, relative to the largest
// gradients that are rounding: change of temperature over the extent, relative to the temperature
#define GRADIENT_NOISE 1e-10
#define RESIDUAL_FACTOR 5   // factor on the number of residuals during training
#define MAX_STEPS 200000    // step limit of a trial run
#define MAX_STEP_RATIO 1.5  // largest number of steps relative to `step_reference` ...
#define STIFF_MIN_STEPS 100 // ... after as many steps

/* The output times of a run, or every second, third, ... of them: runs with the training loads must
   stay in the training range. */
static int count_samples(const gos_options *options) {
    const double every = options->output_every;
    const double intervals = every > 0 ? fmax(1, round(options->end / every)) : 1;
    const double fewer = ceil(intervals / MAX_INTERVALS), more = ceil(MIN_INTERVALS / intervals);
    return 1 + (int)(intervals >= MIN_INTERVALS ? ceil(intervals / fewer) : intervals * more);
}

gos_status gos__trial_runs_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                  gos_trial_runs *track) {
    *track = (gos_trial_runs){.samples = options->analysis == GOS_STATIC && !(options->end > 0)
                                             ? 1
                                             : count_samples(options),
                              .n = sys->nnodes < MAX_NODES ? sys->nnodes : MAX_NODES};
    const size_t n = (size_t)track->samples * track->n;
    track->r = gos__zalloc(ctx, 3 * n + 1, sizeof(double));
    track->T = gos__zalloc(ctx, n + 1, sizeof(double));
    track->G = gos__zalloc(ctx, GOS_TRACK_GRADIENTS * n + 1, sizeof(double));
    for (int i = 0; i < sys->nprobe; i++) {
        track->width += sys->probe[i]->ncomp;
    }
    track->P = gos__zalloc(ctx, (size_t)track->samples * track->width + 1, sizeof(double));
    track->until = gos__zalloc(ctx, track->samples + 1L, sizeof *track->until);
    if (!track->r || !track->T || !track->G || !track->P || !track->until) {
        gos__trial_runs_free(ctx, track);
        return GOS_E_MEMORY;
    }
    return GOS_OK;
}

void gos__trial_runs_free(gos_ctx *ctx, gos_trial_runs *track) {
    gos__free(ctx, track->r);
    gos__free(ctx, track->T);
    gos__free(ctx, track->G);
    gos__free(ctx, track->P);
    gos__free(ctx, track->until);
    *track = (gos_trial_runs){0};
}

void gos__trial_runs_sample(const gos_system *sys, const gos_state *x, gos_trial_runs *k,
                            int sample) {
    gos__derived_refresh(x);
    for (int i = 0; i < k->n; i++) {
        const int node = (int)((long)i * (sys->nnodes - 1) / (k->n > 1 ? k->n - 1 : 1));
        const size_t at = (size_t)sample * k->n + i;
        gos__marker_value(&sys->node_r[node], x->q, k->r + 3 * at);
        k->T[at] = sys->node_T[node].n ? gos__tmarker_value(&sys->node_T[node], x->th) : 0;
    }
}

/* Gradients at nodes from full temperatures; a node's mean is its first temperature. */
void gos__trial_runs_sample_gradients(const gos_system *full, const double *th, gos_trial_runs *k,
                                      int sample) {
    for (int i = 0; i < k->n; i++) {
        const int node = (int)((long)i * (full->nnodes - 1) / (k->n > 1 ? k->n - 1 : 1));
        const gos_tmarker *m = &full->node_T[node];
        const size_t at = (size_t)sample * k->n + i;
        for (int b = 0; b < full->nbody && m->n == 1; b++) {
            const gos_body *p = full->body[b];
            const bool here = p->ops->fields && m->idx[0] >= p->t0 && m->idx[0] < p->t0 + p->nt;
            for (int g = 0; here && g < GOS_TRACK_GRADIENTS && g + 1 < p->nfam; g++) {
                k->G[GOS_TRACK_GRADIENTS * at + g] = th[m->idx[0] + g + 1];
            }
        }
    }
}

/* one trial */
typedef struct trial {
    gos_ctx *ctx;   // owned by the caller
    gos_ctx *quiet; // of the trial
    const gos_system *sys;
    const gos_options *options; // of the trial
    gos_state *x;
    gos_integrator *run;
    gos_trial_runs *track;
    gos_training *training;
    gos_range *range;
    gos_statistics equilibria;         // of equilibria
    gos_arena *arena;                  // of the members below
    gos_step_monitor step_monitor;     // only with range
    gos_monitor *monitor;              // only with range; NULL: none
    gos_reconstruction reconstruction; // for a reduced system
    double *th;                        // temperatures of the full model (nt); NULL: unknown
} trial;

static bool is_too_far(const trial *t, int sample) {
    const gos_trial_runs *k = t->track, *other = k->other;
    double sum = 0;
    for (int i = 0; other && i < 3 * k->n; i++) {
        const size_t at = 3L * sample * k->n + i;
        sum += (k->r[at] - other->r[at]) * (k->r[at] - other->r[at]);
    }
    return other && !(sqrt(sum / k->n) <= k->max_distance * t->sys->extent);
}

static gos_status record_sample(trial *t, const gos_state *x, int sample) {
    gos__trial_runs_sample(t->sys, x, t->track, sample);
    gos__trial_runs_sample_probes(t->sys, x, t->track, sample);
    if (t->th) {
        gos__reconstruct_heat(&t->reconstruction, x->th, t->th);
    }
    if (t->th || !t->sys->full) {
        gos__trial_runs_sample_gradients(t->sys->full ? t->sys->full : t->sys,
                                         t->th ? t->th : x->th, t->track, sample);
    }
    if (t->training) {
        gos__training_add(t->training, x);
    }
    if (is_too_far(t, sample)) {
        return GOS_E_DIVERGED;
    }
    if (t->monitor) {
        gos_statistics stats = {0};
        if (t->run) {
            gos_integrator_statistics(t->run, &stats);
        }
        GOS_TRY(gos__monitor_process(t->monitor, x, RESIDUAL_FACTOR * stats.iterations));
    }
    if (t->range) {
        gos__step_monitor_range(&t->step_monitor, x, t->range);
    }
    return GOS_OK;
}

/* GOS_RETRY if another step would exceed the limit */
static gos_status count(trial *t) {
    gos_statistics *stats = &t->track->stats;
    *stats = (gos_statistics){0};
    if (t->run) {
        gos_integrator_statistics(t->run, stats);
    }
    stats->iterations += t->equilibria.iterations;
    stats->jacobians += t->equilibria.jacobians;
    t->track->work = gos__cost_run(t->sys, stats);
    if (t->monitor) {
        const gos_statistics monitor_cost = {.iterations = gos__monitor_samples(t->monitor) + 2,
                                             .jacobians = 1};
        t->track->work += gos__cost_run(t->sys->full, &monitor_cost);
    }
    const double next = t->track->work / (double)(t->track->steps > 0 ? t->track->steps : 1);
    return t->track->work_limit > 0 && t->track->work + next > t->track->work_limit ? GOS_RETRY
                                                                                    : GOS_OK;
}

/* GOS_RETRY if the run up to this sample needs many more steps than
   t->track->step_reference: a basis incompatible with joint motion makes the equations stiff */
static gos_status check_step_count(const trial *t, int sample) {
    const gos_trial_runs *k = t->track, *p = k->step_reference;
    const double max_steps =
        p ? MAX_STEP_RATIO * (double)p->until[sample] + STIFF_MIN_STEPS : HUGE_VAL;
    return (double)(k->steps + k->stats.rejected) > max_steps ? GOS_RETRY : GOS_OK;
}

static gos_status step_to(trial *t, double time, int sample) {
    while (gos_state_time(t->x) < time) {
        t->track->steps++;
        GOS_TRY(gos_integrator_step(t->run, t->options->end));
        GOS_TRY(count(t));
        GOS_TRY(check_step_count(t, sample));
        GOS_TRY(gos__progress(t->ctx, gos_state_time(t->x) / t->options->end,
                              "selecting the reduced model"));
    }
    return GOS_OK;
}

static gos_status integrate(trial *t) {
    const int n = t->track->samples;
    if (t->options->start_equilibrium) {
        gos_options options = *t->options;
        options.analysis = GOS_STATIC;
        GOS_TRY(gos_solve_static(t->quiet, t->sys, &options, t->x, &t->equilibria));
    }
    GOS_TRY(gos_integrator_create(t->quiet, t->sys, t->options, t->x, &t->run));
    GOS_TRY(record_sample(t, t->x, 0));
    for (int i = 1; i < n; i++) {
        const double time = t->options->end * i / (n - 1);
        GOS_TRY(step_to(t, i == n - 1 ? t->options->end : time, i));
        t->track->until[i] = t->track->steps + t->track->stats.rejected;
        GOS_TRY(record_sample(t, gos_integrator_at(t->run, time), i));
    }
    return GOS_OK;
}

/* The steps of a static path include the output times. */
static gos_status record_path_point(void *user, const gos_state *x, double place) {
    trial *t = user;
    const double number = place / t->options->end * (t->track->samples - 1);
    const double near = floor(number + 0.5);
    return fabs(number - near) < 1e-6 ? record_sample(t, x, (int)near) : GOS_OK;
}

static gos_status follow(trial *t) {
    gos_options options = *t->options;
    if (t->track->samples > 1) {
        options.step = options.max_step = 0;
        options.output_every = options.end / (t->track->samples - 1);
        return gos_solve_path(t->quiet, t->sys, &options, t->x, record_path_point, t,
                              &t->equilibria);
    }
    GOS_TRY(gos_solve_static(t->quiet, t->sys, &options, t->x, &t->equilibria));
    return record_sample(t, t->x, 0);
}

static gos_status prepare_heat(trial *t) {
    const gos_system *s = t->sys;
    if (!s->full || !s->rom || s->stepper || s->nt == 0) {
        return GOS_OK;
    }
    t->th = GOS_NEW(t->arena, double, s->full->nt + 1);
    return t->th ? gos__reconstruction_create(t->quiet, t->arena, s, &t->reconstruction)
                 : GOS_E_MEMORY;
}

static gos_status go(trial *t) {
    t->arena = gos__arena_create(t->quiet);
    if (!t->arena) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos_state_create(t->quiet, t->sys, &t->x));
    GOS_TRY(prepare_heat(t));
    if (t->range) {
        GOS_TRY(gos__step_monitor_create(t->arena, t->sys, &t->step_monitor));
        GOS_TRY(gos__monitor_create(t->quiet, t->sys, &t->monitor));
    }
    GOS_TRY(t->options->analysis == GOS_STATIC ? follow(t) : integrate(t));
    if (t->monitor) {
        GOS_TRY(gos__monitor_end(t->monitor, t->x));
        gos__monitor_store_estimate(t->monitor, &t->track->residuals);
    }
    return GOS_OK;
}

/* not lack of memory or user interruption */
static bool is_numerical(gos_status status) {
    return status == GOS_RETRY || status == GOS_E_DIVERGED || status == GOS_E_SINGULAR ||
           status == GOS_E_NONFINITE || status == GOS_E_LIMIT;
}

gos_status gos__trial_runs_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                               gos_trial_runs *track, gos_training *training, gos_range *range) {
    const double max_steps = track->max_steps > 0 ? (double)track->max_steps : MAX_STEPS;
    gos_options own = *options;
    own.max_steps = own.max_steps > 0 ? fmin(own.max_steps, max_steps) : max_steps;
    trial t = {.ctx = ctx,
               .quiet = gos__ctx_quiet(ctx),
               .sys = sys,
               .options = &own,
               .track = track,
               .training = training,
               .range = range};
    if (!t.quiet) {
        return GOS_E_MEMORY;
    }
    const double start = gos__cpu_time();
    track->steps = 0;
    track->work = 0;
    const gos_status status = go(&t);
    (void)count(&t);
    track->seconds = gos__cpu_time() - start;
    track->failed = status != GOS_OK;
    track->reached = status == GOS_OK          ? 1
                     : t.x && options->end > 0 ? gos_state_time(t.x) / options->end
                                               : 0;
    gos_status result = is_numerical(status) ? GOS_OK : status;
    if (result != GOS_OK && gos__nerrors(t.quiet) > 0) {
        result = gos__fail(ctx, status, "%s", gos_ctx_message(t.quiet));
    }
    gos__monitor_destroy(t.monitor);
    gos__arena_destroy(t.arena);
    gos_integrator_destroy(t.run);
    gos_state_destroy(t.x);
    gos_ctx_destroy(t.quiet);
    return result;
}

/* RMS over nodes; *range of the second track */
static double distance_of_gradient(const gos_trial_runs *a, const gos_trial_runs *b, int g,
                                   double *range) {
    double lo = HUGE_VAL, hi = -HUGE_VAL, max_steps = 0;
    for (int i = 0; i < a->samples; i++) {
        double sum = 0;
        for (int j = 0; j < a->n; j++) {
            const size_t at = GOS_TRACK_GRADIENTS * (size_t)(i * a->n + j) + g;
            sum += (a->G[at] - b->G[at]) * (a->G[at] - b->G[at]);
            lo = fmin(lo, b->G[at]);
            hi = fmax(hi, b->G[at]);
        }
        max_steps = fmax(max_steps, sqrt(sum / a->n));
    }
    *range = hi > lo ? hi - lo : 0;
    return max_steps;
}

/* largest temperature [K] */
static double largest_temperature(const gos_trial_runs *k, double reference) {
    double max = fabs(reference);
    for (long i = 0; i < (long)k->samples * k->n; i++) {
        max = fmax(max, fabs(k->T[i]));
    }
    return max;
}

/* each relative to its own range; negligible ranges and rounding of the temperatures are skipped */
static double distance_of_gradients(const gos_system *sys, const gos_trial_runs *a,
                                    const gos_trial_runs *b) {
    double d[GOS_TRACK_GRADIENTS], range[GOS_TRACK_GRADIENTS], largest = 0, worst = 0;
    for (int g = 0; g < GOS_TRACK_GRADIENTS; g++) {
        d[g] = distance_of_gradient(a, b, g, &range[g]);
        largest = fmax(largest, range[g]);
    }
    const double noise = GRADIENT_NOISE * largest_temperature(b, sys->T_ref) / sys->extent;
    for (int g = 0; g < GOS_TRACK_GRADIENTS; g++) {
        worst =
            range[g] > fmax(MIN_GRADIENT * largest, noise) ? fmax(worst, d[g] / range[g]) : worst;
    }
    return worst;
}

gos_distance gos__trial_runs_distance(const gos_system *sys, const gos_trial_runs *a,
                                      const gos_trial_runs *b) {
    gos_distance d = {0};
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    if (a->failed || b->failed) {
        return (gos_distance){HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    }
    d.gradient = distance_of_gradients(sys, a, b);
    for (long i = 0; i < a->samples; i++) {
        double sum = 0, heat = 0;
        for (int j = 0; j < a->n; j++) {
            const size_t at = i * a->n + j;
            double square = 0;
            for (int c = 0; c < 3; c++) {
                const double x = a->r[3 * at + c] - b->r[3 * at + c];
                square += x * x;
            }
            sum += square;
            d.worst = fmax(d.worst, sqrt(square) / sys->extent);
            heat += (a->T[at] - b->T[at]) * (a->T[at] - b->T[at]);
            lo = fmin(lo, b->T[at]);
            hi = fmax(hi, b->T[at]);
        }
        d.position = fmax(d.position, sqrt(sum / a->n) / sys->extent);
        d.temperature = fmax(d.temperature, sqrt(heat / a->n));
    }
    const double range = fmax(hi - lo, sys->options.temperature_range);
    d.temperature = hi >= lo && range > 0 ? d.temperature / range : 0;
    return d;
}
