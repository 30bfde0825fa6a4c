/* Runs an analysis into a sink. Probes are delivered at every accepted step with rates, fields and
 * balances at output times by interpolation. A run that stops early delivers its last accepted
 * state before `end`. A checkpoint is offered once its rows and frames are delivered, so the sink
 * has at least its data. */
#include <math.h>

#include "base/base.h"
#include "gossamer/sim.h"
#include "solve/error_check.h"
#include "solve/section_frames.h"
#include "solve/integrator.h"
#include "solve/observer.h"
#include "solve/validity.h"
#include "signals/zero_crossing.h"
#include "system/integrator_choice.h"
#include "probes/probe.h"

#define MIN_PERIOD 1e-9 // output times closer than this part of an interval are equal

typedef struct run {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *options;
    const gos_sink *sink;
    void *user;
    gos_arena *arena;
    gos_state *state;
    gos_probe_sampler *probes;
    gos_integrator *integrator;   // of a run in time
    const gos_observer *observer; // of the system, NULL: none
    void *observing;
    gos_error_check *check; // estimates the error of a run in time, NULL: none
    gos_run_info info;
    double *values, *rates; // of all probes, consecutive (nvalues); values of the last row
    double *next;
    double *begin; // values and rates at the start of a step after a switch (2 nvalues)
    double *position, *velocity, *temperature, *temperature_rate;
    double *field;     // stresses and strains, NULL: not requested
    long frames;       // output times delivered or passed
    double row_time;   // of the last row, NAN before the first
    double frame_time; // of the last frame, NAN before the first
    bool given;        // the sink has received the state and all output times up to it
    bool moved;        // a step was made since the start or continuation
    bool refused;      // the sink stopped the run
    bool over;         // an event ended the run
    // wall time of setup and initial equilibrium [s]
    double preparing;
    double seconds;
    gos_statistics stats;
} run;

/* Status of a sink function's return value. errors: messages before the call. */
static gos_status take_answer(run *r, int answer, const char *function, int errors) {
    if (answer == 0) {
        return GOS_OK;
    }
    r->refused = true;
    const gos_status status = answer < 0 ? (gos_status)answer : GOS_E_INTERRUPTED;
    const double t = r->state->t;
    if (gos__nerrors(r->ctx) > errors) {
        return status; // the sink has recorded a message
    }
    return status == GOS_E_INTERRUPTED
               ? gos__fail(r->ctx, status, "stopped at t = %.6g s by sink function '%s'", t,
                           function)
               : gos__fail(r->ctx, status, "stopped at t = %.6g s: sink function '%s' failed: %s",
                           t, function, gos_status_text(status));
}

static void follow(const run *r, double *value, double *rate) {
    int at = 0;
    for (int i = 0; i < r->info.nprobes && !isnan(r->row_time); i++) {
        gos__probe_follow(r->sys->probe[i], r->values + at, value + at, rate + at);
        at += r->info.probe[i].ncomp;
    }
}

/* After a switch: values and rates at the start of the new step. */
static gos_status give_start(run *r) {
    gos_state start;
    if (!r->sink->start || r->info.nvalues == 0 || !gos__integrator_start(r->integrator, &start)) {
        return GOS_OK;
    }
    double *rate = r->begin + r->info.nvalues;
    gos__sampler_read_side(r->probes, &start, 1, r->begin, rate);
    follow(r, r->begin, rate);
    const int errors = gos__nerrors(r->ctx);
    return take_answer(r, r->sink->start(r->user, r->begin, rate), "start", errors);
}

/* side -1: rates before a switch */
static gos_status give_row(run *r, const gos_state *state, int side, double time) {
    gos__sampler_read_side(r->probes, state, side, r->next, r->rates);
    follow(r, r->next, r->rates);
    double *last = r->values;
    r->values = r->next;
    r->next = last;
    r->row_time = time;
    const int errors = gos__nerrors(r->ctx);
    return take_answer(r, r->sink->row(r->user, time, r->values, r->rates), "row", errors);
}

static gos_status give_row_at(run *r, const gos_state *state, double time) {
    if (!r->sink->row || time == r->row_time) {
        return GOS_OK;
    }
    gos_state before = *state; // left limit of time functions at a switch
    const bool switches = r->integrator && gos__integrator_switches(r->integrator, &before.t);
    return give_row(r, &before, switches ? -1 : 0, time);
}

static gos_status give_inside(run *r) {
    const gos_state *x;
    for (int j = 0; r->sink->row && (x = gos__integrator_inside(r->integrator, j)) != NULL; j++) {
        if (x->t > r->row_time && x->t < r->state->t) { // exclude steps at rounding level
            GOS_TRY(give_row(r, x, 0, x->t));
        }
    }
    return GOS_OK;
}

static long iterations(const run *r) {
    gos_statistics now = r->stats;
    if (r->integrator) {
        gos_integrator_statistics(r->integrator, &now);
    }
    return now.iterations;
}

static gos_status give_frame_at(run *r, const gos_state *state, double time) {
    if (time == r->frame_time) {
        return GOS_OK;
    }
    if (r->observing) {
        GOS_TRY(r->observer->see(r->observing, state, iterations(r)));
    }
    r->frame_time = time;
    if (!r->sink->frame && !r->sys->reduced) {
        return GOS_OK;
    }
    const bool taken = r->sink->frame != NULL;
    gos_system_nodes(r->sys, state, r->position, taken ? r->velocity : NULL,
                     taken ? r->temperature : NULL, taken ? r->temperature_rate : NULL);
    if (r->sys->reduced) { // monitored without a receiver too
        gos__section_frames_check_nodes(r->ctx, r->sys, time, r->position);
    }
    if (!taken) {
        return GOS_OK;
    }
    gos_frame frame = {.time = time,
                       .position = r->position,
                       .velocity = r->velocity,
                       .temperature = r->info.thermal ? r->temperature : NULL,
                       .temperature_rate = r->info.thermal ? r->temperature_rate : NULL,
                       .field = r->field};
    if (r->field) {
        gos_system_fields(r->sys, state, r->field);
    }
    gos_system_energy(r->sys, state, &frame.energy);
    gos_system_heat(r->sys, state, &frame.heat);
    const int errors = gos__nerrors(r->ctx);
    return take_answer(r, r->sink->frame(r->user, &frame), "frame", errors);
}

static gos_status give_both(run *r) {
    const double start = gos__now(), time = gos_state_time(r->state);
    gos_status status = give_row_at(r, r->state, time);
    if (status == GOS_OK) {
        status = give_frame_at(r, r->state, time);
    }
    r->seconds += gos__now() - start;
    return status;
}

static gos_status give_statistics(run *r) {
    const int errors = gos__nerrors(r->ctx);
    return r->sink->step ? take_answer(r, r->sink->step(r->user, &r->stats), "step", errors)
                         : GOS_OK;
}

static void take_statistics(run *r) {
    gos_integrator_statistics(r->integrator, &r->stats);
    r->stats.time_setup += r->preparing;
    r->stats.time_output = r->seconds;
}

/* Signal limits crossed in the last step; the last one may end the run. */
static gos_status give_events(run *r) {
    const gos_event *event;
    char text[200], object[GOS_LIMIT_NAME + 16];
    const int n = gos_integrator_events(r->integrator, &event, &r->over);
    for (int i = 0; i < n && r->sink->event; i++) {
        const int errors = gos__nerrors(r->ctx);
        GOS_TRY(take_answer(r, r->sink->event(r->user, &event[i]), "event", errors));
    }
    if (r->over) {
        (void)gos__format(text, sizeof text, "ends the run at t = %.9g s", event[n - 1].time);
        (void)gos__format(object, sizeof object, "event '%s'",
                          r->sys->crossing[event[n - 1].event].name);
        gos__note(r->ctx, object, text);
    }
    return GOS_OK;
}

static bool is_passed(double due, double every, double time) {
    return due <= time + MIN_PERIOD * every;
}

static gos_status give_step(run *r) {
    const double start = gos__now(), time = gos_state_time(r->state);
    const double every = r->options->output_every;
    r->given = false;
    gos_status status = give_events(r);
    status = status == GOS_OK ? give_start(r) : status;
    status = status == GOS_OK ? give_inside(r) : status;
    status = status == GOS_OK ? give_row_at(r, r->state, time) : status;
    if (!(every > 0)) {
        status = status == GOS_OK ? give_frame_at(r, r->state, time) : status;
    }
    // k * every avoids drift and gives the same times in every run
    while (every > 0 && status == GOS_OK && is_passed((double)r->frames * every, every, time)) {
        const double due = (double)r->frames * every;
        const bool here = fabs(due - time) <= MIN_PERIOD * every;
        const gos_state *at = here             ? r->state
                              : r->sink->frame ? gos_integrator_at(r->integrator, due)
                                               : gos__integrator_position(r->integrator, due);
        status = give_frame_at(r, at, gos_state_time(at));
        r->frames++;
    }
    if (status == GOS_OK) {
        take_statistics(r);
        status = give_statistics(r);
    }
    r->given = status == GOS_OK;
    r->seconds += gos__now() - start;
    return status;
}

/* Number of output times up to `time`, including the start. */
static long frames_passed(double time, double every) {
    if (!(every > 0)) {
        return 1;
    }
    long k = (long)(time / every);
    while (k > 1 && !is_passed((double)(k - 1) * every, every, time)) {
        k--;
    }
    k = k > 1 ? k : 1;
    while (is_passed((double)k * every, every, time)) {
        k++;
    }
    return k;
}

/* Data of the monitors of the run, behind the history of the stepper. */
static gos_status walk_monitors(void *run_, gos_walk *w) {
    run *r = run_;
    gos__error_check_walk(&r->check, w);
    return r->observing ? r->observer->walk(r->observing, w) : GOS_OK;
}

/* Offers a checkpoint if everything up to it was delivered. */
static gos_status give_checkpoint(run *r) {
    if (!r->sink->checkpoint || !r->given || r->refused) {
        return GOS_OK;
    }
    const double start = gos__now();
    take_statistics(r);
    const bool kept = gos__integrator_store_run(r->integrator, walk_monitors, r) == GOS_OK;
    const gos_run_point point = {.state = kept ? r->state : NULL,
                                 .value = isnan(r->row_time) ? NULL : r->values,
                                 .row_time = r->row_time,
                                 .frame_time = r->frame_time,
                                 .preparing = r->preparing,
                                 .output = r->seconds,
                                 .moved = r->moved};
    const int errors = gos__nerrors(r->ctx);
    const int answer = r->sink->checkpoint(r->user, &point, &r->stats);
    r->seconds += gos__now() - start;
    return take_answer(r, answer, "checkpoint", errors);
}

/* A state on a path: always a row; a frame at output times, or each time with arc_length. */
static gos_status store_path_point(void *user, const gos_state *state, double progress) {
    run *r = user;
    const double start = gos__now(), every = r->options->arc_length ? 0 : r->options->output_every;
    const bool due = !(every > 0) || is_passed((double)r->frames * every, every, progress);
    gos_status status = give_row_at(r, state, progress);
    r->moved = true;
    if (status == GOS_OK && due) {
        status = give_frame_at(r, state, progress);
        r->frames++;
    }
    if (status == GOS_OK) {
        status = give_statistics(r);
    }
    r->seconds += gos__now() - start;
    return status;
}

static gos_status run_static(run *r) {
    const double before = r->seconds;
    if (r->sys->ncrossing > 0) {
        gos__warn(r->ctx, (gos_loc){0}, "events", "events are detected only in dynamic analyses");
    }
    const gos_status status =
        gos_solve_path(r->ctx, r->sys, r->options, r->state, store_path_point, r, &r->stats);
    r->stats.time_total -= r->seconds - before;
    // no state of the path was delivered: the last converged one
    if ((status == GOS_E_DIVERGED || status == GOS_E_INTERRUPTED) && isnan(r->row_time) &&
        !r->refused) {
        r->moved = r->stats.steps > 0;
        (void)give_both(r);
    }
    return status;
}

static gos_status one_step(run *r, double end) {
    const double before = gos_state_time(r->state);
    const gos_status status = gos_integrator_step(r->integrator, end);
    take_statistics(r);
    GOS_TRY(status);
    r->moved = true;
    gos__error_check_see(&r->check, r->state, r->stats.steps);
    if (!(gos_state_time(r->state) > before)) {
        return gos__fail(r->ctx, GOS_E_INTERNAL, "a step from t = %.17g s did not advance", before);
    }
    return give_step(r);
}

static gos_status step_to_end(run *r) {
    const double end = r->options->end;
    char text[64];
    if (!r->info.goes_on) {
        GOS_TRY(give_both(r));
        r->given = true;
    }
    take_statistics(r);
    r->frames = frames_passed(gos_state_time(r->state), r->options->output_every);
    while (gos_state_time(r->state) < end && !r->over) {
        GOS_TRY(one_step(r, end));
        if (r->sink->due && r->sink->due(r->user)) {
            GOS_TRY(give_checkpoint(r));
        }
        const double time = gos_state_time(r->state);
        if (gos__progress_due(r->ctx)) {
            (void)gos__format(text, sizeof text, "t = %.4g of %.4g s", time, end);
            GOS_TRY(gos__progress(r->ctx, time / end, text));
        }
    }
    return give_both(r);
}

/* Static equilibrium at the start; its time counts as setup. */
static gos_status settle(run *r) {
    gos_options options = *r->options;
    gos_statistics stats = {0};
    options.analysis = GOS_STATIC;
    options.end = 0;
    const gos_status status = gos_solve_static(r->ctx, r->sys, &options, r->state, &stats);
    r->preparing += stats.time_setup + stats.time_total;
    return status;
}

static void note_integrator(const run *r, const gos_options *given) {
    const char *why;
    const int chosen = gos__integrator_of(r->sys, given, &why);
    char text[200];
    if (why && given->analysis == GOS_DYNAMIC) {
        (void)gos__format(text, sizeof text, "`auto` selects %s: %s", gos__integrator_name(chosen),
                          why);
        gos__note(r->ctx, "integrator", text);
    }
}

static gos_status run_dynamic(run *r) {
    if (!r->integrator) {
        if (r->options->start_equilibrium) {
            GOS_TRY(settle(r));
        }
        GOS_TRY(gos__error_check_create(r->ctx, r->sys, r->options, r->state, &r->check));
        GOS_TRY(gos_integrator_create(r->ctx, r->sys, r->options, r->state, &r->integrator));
        gos__error_check_see(&r->check, r->state, 0);
    }
    GOS_TRY(gos_integrator_track_errors(r->integrator));
    const gos_status status = step_to_end(r);
    if (status != GOS_OK && !r->refused) {
        // for continuation, then the last accepted state for diagnosis
        (void)give_checkpoint(r);
        (void)give_both(r);
    }
    take_statistics(r);
    if (status == GOS_OK) {
        gos__error_check_end(r->check, r->stats.steps);
    }
    return status;
}

static gos_status check_options(gos_ctx *ctx, const gos_options *o, const gos_run_point *from) {
    if (o->analysis == GOS_STATIC) {
        return from ? gos__fail(ctx, GOS_E_USE, "static runs cannot be continued; start a new one")
                    : GOS_OK;
    }
    if (!(o->end > 0) || !isfinite(o->end)) {
        return gos__fail(ctx, GOS_E_INPUT, "analysis: `end` must be > 0, got %g s", o->end);
    }
    if (!(o->output_every >= 0)) {
        return gos__fail(ctx, GOS_E_INPUT, "output: `every` must be at least 0, got %g s",
                         o->output_every);
    }
    if (o->output_every > 0 && o->end / o->output_every > GOS_LIMIT_OUTPUTS) {
        return gos__fail(ctx, GOS_E_LIMIT, "output: more than %d output times; set `every` > %g s",
                         GOS_LIMIT_OUTPUTS, o->end / GOS_LIMIT_OUTPUTS);
    }
    return GOS_OK;
}

void gos_options_until(gos_options *options, double until) {
    if (options->analysis == GOS_STATIC && !(options->end > 0)) {
        options->output_every = until / 100; // as for a model with an end time
    }
    options->end = until;
}

static gos_status allocate_fields(run *r, int nnodes) {
    const int n = gos_system_nfields(r->sys);
    gos_field_info *info = GOS_NEW(r->arena, gos_field_info, n + 1);
    size_t numbers = 0;
    GOS_TRY(info ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        gos_system_field_info(r->sys, i, &info[i]);
        numbers += (size_t)nnodes * (size_t)info[i].ncomp;
    }
    r->info.field = info;
    r->info.nfields = n;
    r->field = n > 0 ? GOS_NEW(r->arena, double, numbers + 1) : NULL;
    return n > 0 && !r->field ? GOS_E_MEMORY : GOS_OK;
}

static gos_status allocate(run *r) {
    gos_mesh_info mesh;
    gos_system_mesh(r->sys, &mesh);
    const int nprobes = gos_system_nprobes(r->sys);
    gos_probe_info *probes = GOS_NEW(r->arena, gos_probe_info, nprobes + 1);
    double *reference = GOS_NEW(r->arena, double, 3 * mesh.nnodes + 1);
    r->position = GOS_NEW(r->arena, double, 3 * mesh.nnodes + 1);
    r->velocity = GOS_NEW(r->arena, double, 3 * mesh.nnodes + 1);
    r->temperature = GOS_NEW(r->arena, double, mesh.nnodes + 1);
    r->temperature_rate = GOS_NEW(r->arena, double, mesh.nnodes + 1);
    if (!probes || !reference || !r->position || !r->velocity || !r->temperature ||
        !r->temperature_rate) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(allocate_fields(r, mesh.nnodes));
    int nvalues = 0;
    for (int i = 0; i < nprobes; i++) {
        gos_system_probe_info(r->sys, i, &probes[i]);
        nvalues += probes[i].ncomp;
    }
    r->values = GOS_NEW(r->arena, double, nvalues + 1);
    r->rates = GOS_NEW(r->arena, double, nvalues + 1);
    r->next = GOS_NEW(r->arena, double, nvalues + 1);
    r->begin = GOS_NEW(r->arena, double, 2L * nvalues + 1);
    GOS_TRY(gos_state_create(r->ctx, r->sys, &r->state));
    GOS_TRY(gos__sampler_create(r->ctx, r->sys, &r->probes));
    gos_system_nodes(r->sys, r->state, reference, NULL, NULL, NULL);
    r->info = (gos_run_info){.system = r->sys,
                             .options = r->options,
                             .probe = probes,
                             .nprobes = nprobes,
                             .nvalues = nvalues,
                             .reference = reference,
                             .thermal = gos_system_thermal(r->sys),
                             .field = r->info.field,
                             .nfields = r->info.nfields};
    return r->values && r->rates && r->next && r->begin ? GOS_OK : GOS_E_MEMORY;
}

/* Everything that may fail before the sink is called. */
static gos_status go_on(run *r, const gos_run_point *from) {
    if (!from->state) {
        return gos__fail(
            r->ctx, GOS_E_USE,
            "a run can only be continued from a stored state (gos_integrator_store_history)");
    }
    GOS_TRY(gos_state_copy(r->state, from->state));
    r->info.goes_on = r->given = true;
    r->row_time = from->value ? from->row_time : (double)NAN;
    r->frame_time = from->frame_time;
    r->seconds = from->output;
    r->preparing = from->preparing;
    if (from->value && r->info.nvalues > 0) {
        memcpy(r->values, from->value, r->info.nvalues * sizeof *r->values);
    }
    bool stored;
    GOS_TRY(gos__error_check_create(r->ctx, r->sys, r->options, r->state, &r->check));
    GOS_TRY(gos_integrator_create(r->ctx, r->sys, r->options, r->state, &r->integrator));
    GOS_TRY(gos__integrator_read_run(r->integrator, walk_monitors, r, &stored));
    if (!stored) { // the start of the run is unknown
        gos__error_check_destroy(r->check);
        r->check = NULL;
    }
    return GOS_OK;
}

static gos_status prepare(run *r, const gos_run_point *from) {
    r->row_time = r->frame_time = (double)NAN;
    r->observer = r->sys->observer ? r->sys->observer : gos__range_observer(r->sys);
    if (r->observer) {
        GOS_TRY(r->observer->create(r->ctx, r->sys, &r->preparing, &r->observing));
    }
    r->preparing += r->sys->basis_time;
    GOS_TRY(allocate(r));
    return from ? go_on(r, from) : GOS_OK;
}

static gos_status perform(run *r) {
    const double start = gos__now();
    if (r->sink->begin) {
        const int errors = gos__nerrors(r->ctx);
        GOS_TRY(take_answer(r, r->sink->begin(r->user, &r->info), "begin", errors));
    }
    r->seconds += gos__now() - start;
    gos__progress_start(r->ctx);
    const bool is_static = r->options->analysis == GOS_STATIC;
    gos_status status = is_static ? run_static(r) : run_dynamic(r);
    if (r->observing && status == GOS_OK) {
        status = r->observer->end(r->observing, r->state);
    }
    r->stats.time_output = r->seconds;
    if (r->sink->end) {
        const int errors = gos__nerrors(r->ctx);
        const int answer = r->sink->end(r->user, status, r->moved, &r->stats);
        status = status == GOS_OK ? take_answer(r, answer, "end", errors) : status;
    }
    return status;
}

static void release(run *r) {
    if (r->observing) {
        r->observer->destroy(r->observing);
    }
    gos_integrator_destroy(r->integrator);
    gos__error_check_destroy(r->check);
    gos_state_destroy(r->state);
    gos__sampler_destroy(r->probes);
    gos__arena_destroy(r->arena);
}

gos_status gos_run_into(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                        const gos_run_point *from, const gos_sink *sink, void *user,
                        gos_statistics *stats) {
    static const gos_sink nobody = {0};
    const gos_options chosen = gos__options_chosen(sys, options);
    run r = {
        .ctx = ctx, .sys = sys, .options = &chosen, .sink = sink ? sink : &nobody, .user = user};
    GOS_TRY(check_options(ctx, options, from));
    note_integrator(&r, options);
    r.arena = gos__arena_create(ctx);
    if (!r.arena) {
        return GOS_E_MEMORY;
    }
    gos_status status = prepare(&r, from);
    status = status == GOS_OK ? perform(&r) : status;
    release(&r);
    if (stats) {
        *stats = r.stats;
    }
    return status;
}
