/* Running an analysis into a results file.
 *
 * Probes are stored at every accepted step, with their rates, so that they can be interpolated as well
 * as the integrator itself knows them. Fields and balances are stored at output times, which the
 * integrator interpolates: they never shorten a step. The end is met exactly. Whatever stops the run,
 * the last accepted state is stored and the file says why it ends there.
 *
 * Now and then, and when a run in time ends too early, a checkpoint is written beside the results. It is
 * always made after a step has been stored and everything up to it has reached the disk, so the results
 * hold at least what it says, and what they hold beyond is dropped when the run is resumed. */
#include <math.h>
#include <stdio.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"
#include "io/checkpoint.h"
#include "io/image.h"
#include "io/results.h"
#include "rom/monitor.h"
#include "rom/promise.h"
#include "rom/watch.h"
#include "solve/frames.h"
#include "system/probe.h"

#define MIN_PERIOD 1e-9   // output times closer than this part of an interval are the same
#define SHOW_SECONDS 0.5  // until results of a run replace earlier ones
#define OPTIONS_TEXT 2048 // bytes of the options as text

typedef struct recorder {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *options;
    const char *path;   // of the results, NULL: no file
    gos_writer *writer; // NULL: no file
    gos_state *state;
    gos_integrator *integrator;
    gos_monitor *monitor; // of a reduced run, NULL: none
    int nnodes, nprobes;
    bool thermal;
    gos_probe_info *probes;
    double *values, *rates; // of all probes, one after the other; values of the last row
    double *next;           // of the row being made
    double *position, *velocity, *temperature, *temperature_rate;
    long frames;       // output times stored or passed
    double row_time;   // of the last row, NAN before the first
    double frame_time; // of the last frame, NAN before the first
    bool stored;       // the state and all output times up to it are in the file
    bool resumed;      // the run goes on from a checkpoint
    bool news;         // more is stored than what the run began with
    char *checkpoint;  // from which it goes on
    double started_at; // clock when storing began
    double settling;   // wall time of reducing, and of finding the equilibrium to start from
    double seconds;    // wall time spent here
    double saved_at;   // clock at the last checkpoint
    int saves;         // checkpoints so far
    gos_statistics stats;
} recorder;

/* ---- storing -------------------------------------------------------------------------------------- */

static gos_status store_row_at(recorder *r, const gos_state *state, double time) {
    if (!r->writer || time == r->row_time) {
        return GOS_OK;
    }
    int at = 0;
    for (int i = 0; i < r->nprobes; i++) {
        GOS_TRY(gos_system_probe(r->ctx, r->sys, state, i, r->next + at, r->rates + at));
        if (!isnan(r->row_time)) {
            gos__probe_follow(r->sys->probe[i], r->values + at, r->next + at, r->rates + at);
        }
        at += r->probes[i].ncomp;
    }
    memcpy(r->values, r->next, (size_t)at * sizeof *r->values);
    r->row_time = time;
    return gos__writer_row(r->writer, time, r->values, r->rates);
}

static gos_status store_row(recorder *r, const gos_state *state) {
    return store_row_at(r, state, gos_state_time(state));
}

/* of the run so far */
static long iterations(const recorder *r) {
    gos_statistics now = r->stats;
    if (r->integrator) {
        gos_integrator_statistics(r->integrator, &now);
    }
    return now.iterations;
}

static gos_status store_frame_at(recorder *r, const gos_state *state, double time) {
    if (time == r->frame_time) {
        return GOS_OK;
    }
    GOS_TRY(gos__watch(r->ctx, r->sys, state));
    if (r->monitor) {
        GOS_TRY(gos__monitor_see(r->monitor, state, iterations(r)));
    }
    if (!r->writer) {
        return GOS_OK;
    }
    gos_system_nodes(r->sys, state, r->position, r->velocity, r->temperature, r->temperature_rate);
    if (r->sys->reduced) {
        gos__frames_watch_nodes(r->ctx, r->sys, time, r->position);
    }
    gos_frame frame = {.time = time,
                       .position = r->position,
                       .velocity = r->velocity,
                       .temperature = r->temperature,
                       .temperature_rate = r->temperature_rate};
    gos_system_energy(r->sys, state, &frame.energy);
    gos_system_heat(r->sys, state, &frame.heat);
    r->frame_time = time;
    return gos__writer_frame(r->writer, &frame);
}

static gos_status store_frame(recorder *r, const gos_state *state) {
    return store_frame_at(r, state, gos_state_time(state));
}

/* Everything at this state, in the file or not. */
static gos_status store_both(recorder *r) {
    double start = gos__now();
    gos_status status = store_row(r, r->state);
    if (status == GOS_OK) {
        status = store_frame(r, r->state);
    }
    r->seconds += gos__now() - start;
    return status;
}

static void take_statistics(recorder *r) {
    gos_integrator_statistics(r->integrator, &r->stats);
    r->stats.time_setup += r->settling;
    r->stats.time_output = r->seconds;
}

static bool is_passed(double due, double every, double time) {
    return due <= time + MIN_PERIOD * every;
}

/* After a step: its probes, and the output times it has passed. */
static gos_status store_step(recorder *r) {
    double start = gos__now(), time = gos_state_time(r->state), every = r->options->output_every;
    r->stored = false;
    gos_status status = store_row(r, r->state);
    if (!(every > 0)) {
        status = status == GOS_OK ? store_frame(r, r->state) : status;
    }
    // k * every instead of a sum: no drift, and the same times in every run of a model
    while (every > 0 && status == GOS_OK && is_passed((double)r->frames * every, every, time)) {
        double due = (double)r->frames * every;
        bool here = fabs(due - time) <= MIN_PERIOD * every;
        const gos_state *at = here ? r->state : gos_integrator_at(r->integrator, due);
        status = store_frame(r, at);
        r->frames++;
    }
    if (status == GOS_OK && r->writer) {
        take_statistics(r);
        status = gos__writer_flush(r->writer, &r->stats, false);
    }
    r->stored = status == GOS_OK;
    r->seconds += gos__now() - start;
    return status;
}

/* How many output times a run that has come to `time` has behind it, the one at its start included. */
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

/* ---- checkpoints ---------------------------------------------------------------------------------------- */

/* A checkpoint that fails is no reason to stop: the one before is still there. When it is on the disk, the
   results take the place of earlier ones: from then on they can be brought back after a loss of power. */
static gos_status save(recorder *r) {
    if (!r->writer || !r->stored) {
        return GOS_OK;
    }
    if (!r->news && !gos__writer_published(r->writer)) {
        return GOS_OK;
    }
    const double start = gos__now();
    take_statistics(r);
    const void *image = NULL;
    size_t nimage = 0;
    gos_status status = gos__writer_sync(r->writer, &r->stats, &image, &nimage);
    if (status == GOS_OK && gos_integrator_keep(r->integrator) == GOS_OK) {
        long rows, frames;
        gos__writer_position(r->writer, &rows, &frames);
        gos_checkpoint c = {.options = *r->options,
                            .rows = (double)rows,
                            .frames = (double)frames,
                            .row_time = r->row_time,
                            .frame_time = r->frame_time,
                            .preparing = r->settling,
                            .output = r->seconds,
                            .image = image,
                            .nimage = nimage};
        const int error = gos__checkpoint_write(r->path, r->sys, r->state, &c);
        if (error != 0) {
            gos__warn(r->ctx, (gos_loc){0}, "checkpoint",
                      "%s" GOS_CHECKPOINT_ENDING
                      " cannot be written: %s; the run goes on, make room",
                      r->path, strerror(error));
        }
    }
    if (status == GOS_OK) {
        status = gos__writer_publish(r->writer);
    }
    r->saved_at = gos__now();
    r->saves++;
    r->seconds += r->saved_at - start;
    return status;
}

static gos_status save_when_due(recorder *r) {
    const double wait = gos__checkpoint_distance(r->options->checkpoint_every, r->saves);
    const bool due = gos__now() - r->saved_at >= wait;
    const bool unseen = r->writer && !gos__writer_published(r->writer) &&
                        gos__now() - r->started_at >= SHOW_SECONDS;
    return due || unseen ? save(r) : GOS_OK;
}

/* ---- the two analyses ---------------------------------------------------------------------------------- */

/* A state on a path: always a row; a frame at output times, or all along an arc, whose place is no time. */
static gos_status store_place(void *user, const gos_state *state, double place) {
    recorder *r = user;
    const double start = gos__now(), every = r->options->arc_length ? 0 : r->options->output_every;
    const bool due = !(every > 0) || is_passed((double)r->frames * every, every, place);
    gos_status status = store_row_at(r, state, place);
    r->news = true;
    if (status == GOS_OK && due) {
        status = store_frame_at(r, state, place);
        r->frames++;
    }
    if (status == GOS_OK && r->writer) {
        status = gos__writer_flush(r->writer, &r->stats, false);
    }
    r->seconds += gos__now() - start;
    return status;
}

static gos_status run_static(recorder *r) {
    const double before = r->seconds;
    gos_status status =
        gos_solve_path(r->ctx, r->sys, r->options, r->state, store_place, r, &r->stats);
    r->stats.time_total -= r->seconds - before;
    // a static run that ends early still has the last state that converged, of one time
    if ((status == GOS_E_DIVERGED || status == GOS_E_INTERRUPTED) && isnan(r->row_time)) {
        r->news = r->stats.steps > 0;
        (void)store_both(r);
    }
    return status;
}

static gos_status one_step(recorder *r, double end) {
    const double before = gos_state_time(r->state);
    const gos_status status = gos_integrator_step(r->integrator, end);
    take_statistics(r);
    GOS_TRY(status);
    r->news = true;
    if (!(gos_state_time(r->state) > before)) {
        return gos__fail(r->ctx, GOS_E_INTERNAL, "a step from t = %.17g s did not advance", before);
    }
    return store_step(r);
}

static gos_status step_to_end(recorder *r) {
    const double end = r->options->end;
    char text[64];
    if (!r->resumed) {
        GOS_TRY(store_both(r));
        r->stored = true;
    }
    take_statistics(r);
    r->frames = frames_passed(gos_state_time(r->state), r->options->output_every);
    r->saved_at = gos__now();
    while (gos_state_time(r->state) < end) {
        GOS_TRY(one_step(r, end));
        GOS_TRY(save_when_due(r));
        const double time = gos_state_time(r->state);
        (void)gos__format(text, sizeof text, "t = %.4g of %.4g s", time, end);
        GOS_TRY(gos__progress(r->ctx, time / end, text));
    }
    return store_both(r);
}

/* Begin at the static equilibrium; the time this takes counts as preparing. */
static gos_status settle(recorder *r) {
    gos_options options = *r->options;
    gos_statistics stats = {0};
    options.analysis = GOS_STATIC;
    const gos_status status = gos_solve_static(r->ctx, r->sys, &options, r->state, &stats);
    r->settling += stats.time_setup + stats.time_total;
    return status;
}

static gos_status run_dynamic(recorder *r) {
    if (!r->integrator) {
        if (r->options->start_equilibrium) {
            GOS_TRY(settle(r));
        }
        GOS_TRY(gos_integrator_create(r->ctx, r->sys, r->options, r->state, &r->integrator));
    }
    GOS_TRY(gos_integrator_tell(r->integrator));
    gos_status status = step_to_end(r);
    if (status != GOS_OK && status != GOS_E_FILE) {
        // to go on from; then the last accepted state, for whoever wants to know what went wrong
        (void)save(r);
        (void)store_both(r);
    }
    take_statistics(r);
    return status;
}

/* ---- before and after ------------------------------------------------------------------------------------ */

static void options_text(const gos_options *o, char *buf, size_t size) {
    (void)gos__format(
        buf, size,
        "analysis: %s\nend: %.17g\nstep: %.17g\ntolerance: %.17g\nprobe_tolerance: %.17g\n"
        "temperature_range: %.17g\ninitial_step: %.17g\nmax_step: %.17g\nmin_step: "
        "%.17g\nrho_infinity: %.17g\n"
        "newton_tolerance: %.17g\nmax_iterations: %d\nload_steps: %d\n"
        "branch: %s\narc_length: %s\n"
        "max_steps: %.17g\nstart_equilibrium: %s\nspin: [%.17g, %.17g, %.17g]\n"
        "pivot: [%.17g, %.17g, %.17g]\noutput_every: %.17g\n",
        o->analysis == GOS_STATIC ? "static" : "dynamic", o->end, o->step, o->tolerance,
        o->probe_tolerance, o->temperature_range, o->initial_step, o->max_step, o->min_step,
        o->rho_infinity, o->newton_tolerance, o->max_iterations, o->load_steps,
        o->branch == GOS_BRANCH_ANY ? "any" : "stable", o->arc_length ? "true" : "false",
        o->max_steps, o->start_equilibrium ? "true" : "false", o->spin_x, o->spin_y, o->spin_z,
        o->pivot_x, o->pivot_y, o->pivot_z, o->output_every);
}

/* and what a reduction chose, without the time it took: the same each time */
static void all_options_text(const gos_system *sys, const gos_options *o, char *buf, size_t size) {
    gos_reduction r;
    gos_reduction_get(sys, &r);
    options_text(o, buf, size);
    r.time = r.time_run = r.time_full = 0;
#define X(type, name, doc)                                                                         \
    if (r.name != 0) {                                                                             \
        const size_t n = strlen(buf);                                                              \
        (void)gos__format(buf + n, size - n, "reduction_" #name ": %.17g\n", (double)r.name);      \
    }
    GOS_REDUCTION_FIELDS(X)
#undef X
}

static gos_status check_options(gos_ctx *ctx, const gos_options *o) {
    if (o->analysis == GOS_STATIC) {
        return GOS_OK;
    }
    if (!(o->end > 0) || !isfinite(o->end)) {
        return gos__fail(ctx, GOS_E_INPUT, "analysis: end must be a time after 0, not %g s",
                         o->end);
    }
    if (!(o->output_every >= 0)) {
        return gos__fail(ctx, GOS_E_INPUT, "output: every must be 0 or more, not %g s",
                         o->output_every);
    }
    if (o->output_every > 0 && o->end / o->output_every > GOS_LIMIT_OUTPUTS) {
        return gos__fail(ctx, GOS_E_LIMIT, "output: more than %d output times; choose every > %g s",
                         GOS_LIMIT_OUTPUTS, o->end / GOS_LIMIT_OUTPUTS);
    }
    return GOS_OK;
}

static gos_status allocate(recorder *r, gos_arena *arena) {
    gos_mesh_info mesh;
    gos_system_mesh(r->sys, &mesh);
    r->nnodes = mesh.nnodes;
    r->nprobes = gos_system_nprobes(r->sys);
    r->thermal = gos_system_thermal(r->sys);
    r->probes = GOS_NEW(arena, gos_probe_info, r->nprobes + 1);
    r->position = GOS_NEW(arena, double, 3 * r->nnodes + 1);
    r->velocity = GOS_NEW(arena, double, 3 * r->nnodes + 1);
    r->temperature = GOS_NEW(arena, double, r->nnodes + 1);
    r->temperature_rate = GOS_NEW(arena, double, r->nnodes + 1);
    if (!r->probes || !r->position || !r->velocity || !r->temperature || !r->temperature_rate) {
        return GOS_E_MEMORY;
    }
    int ncomp = 0;
    for (int i = 0; i < r->nprobes; i++) {
        gos_system_probe_info(r->sys, i, &r->probes[i]);
        ncomp += r->probes[i].ncomp;
    }
    r->values = GOS_NEW(arena, double, ncomp + 1);
    r->rates = GOS_NEW(arena, double, ncomp + 1);
    r->next = GOS_NEW(arena, double, ncomp + 1);
    return r->values && r->rates && r->next ? GOS_OK : GOS_E_MEMORY;
}

/* past: what stays of an interrupted run, NULL for a new file */
static gos_status open_writer(recorder *r, const gos_writer_past *past) {
    char options[OPTIONS_TEXT];
    all_options_text(r->sys, r->options, options, sizeof options);
    gos_writer_layout layout = {.name = gos_system_name(r->sys),
                                .text = gos_system_text(r->sys),
                                .options = options,
                                .probes = r->probes,
                                .nprobes = r->nprobes,
                                .reference = r->position,
                                .thermal = r->thermal};
    gos_system_sizes(r->sys, &layout.sizes);
    gos_system_mesh(r->sys, &layout.mesh);
    if (past) {
        return gos__writer_resume(r->ctx, r->path, &layout, past, &r->writer);
    }
    GOS_TRY(gos__writer_create(r->ctx, r->path, &layout, &r->writer));
    if (gos__writer_published(r->writer)) {
        gos__checkpoint_remove(r->path); // of results that are gone
    }
    return GOS_OK;
}

/* What the file says about how the run ended. */
static void status_text(const gos_ctx *ctx, gos_status status, char *buf, size_t size) {
    const char *message = gos_ctx_message(ctx);
    switch (status) {
    case GOS_OK:
        (void)snprintf(buf, size, "complete");
        break;
    case GOS_E_INTERRUPTED:
        (void)snprintf(buf, size, "interrupted");
        break;
    default:
        (void)snprintf(buf, size, "failed: %s", message[0] ? message : gos_status_text(status));
    }
}

static gos_status record(recorder *r, const gos_writer_past *past) {
    double start = gos__now();
    if (r->path) {
        GOS_TRY(open_writer(r, past));
    }
    r->started_at = gos__now();
    r->seconds += r->started_at - start;
    gos__progress_start(r->ctx);
    bool is_static = r->options->analysis == GOS_STATIC;
    gos_status status = is_static ? run_static(r) : run_dynamic(r);
    if (r->monitor && status == GOS_OK) {
        status = gos__monitor_end(r->monitor, r->state);
        gos__monitor_say(r->monitor);
    }
    r->stats.time_output = r->seconds;
    char text[GOS_STATUS_TEXT];
    status_text(r->ctx, status, text, sizeof text);
    if (r->writer && !r->news && status != GOS_OK && !gos__writer_published(r->writer)) {
        gos__writer_abandon(r->writer); // nothing to replace earlier results by
        gos__warn(r->ctx, (gos_loc){0}, r->path, "the earlier results there are kept");
        return status;
    }
    // the disk has what was closed: now the checkpoints can go
    gos_status closed = gos__writer_close(r->writer, text, &r->stats);
    status = status == GOS_OK ? closed : status;
    if (r->path && status == GOS_OK) {
        gos__checkpoint_remove(r->path);
    }
    return status;
}

static gos_status prepare(recorder *r, gos_arena *arena) {
    r->row_time = r->frame_time = (double)NAN;
    gos__rom_promise(r->ctx, r->sys);
    GOS_TRY(gos__monitor_create(r->ctx, r->sys, &r->monitor));
    GOS_TRY(allocate(r, arena));
    GOS_TRY(gos_state_create(r->ctx, r->sys, &r->state));
    // displacements count from the initial configuration
    gos_system_nodes(r->sys, r->state, r->position, NULL, NULL, NULL);
    return GOS_OK;
}

static void release(recorder *r, gos_arena *arena) {
    gos__monitor_destroy(r->monitor);
    gos_integrator_destroy(r->integrator);
    gos_state_destroy(r->state);
    gos__free(r->ctx, r->checkpoint);
    gos__arena_destroy(arena);
}

gos_status gos_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                   const char *path, gos_statistics *stats) {
    GOS_TRY(check_options(ctx, options));
    gos_arena *arena = gos__arena_create(ctx);
    if (!arena) {
        return GOS_E_MEMORY;
    }
    gos_reduction reduction;
    gos_reduction_get(sys, &reduction);
    recorder r = {
        .ctx = ctx, .sys = sys, .options = options, .path = path, .settling = reduction.time};
    gos_status status = prepare(&r, arena);
    status = status == GOS_OK ? record(&r, NULL) : status;
    release(&r, arena);
    if (stats) {
        *stats = r.stats;
    }
    return status;
}

/* ---- resuming -------------------------------------------------------------------------------------------- */

/* Do results and checkpoint belong together, NULL, or why not. */
static const char *compare_results(const recorder *r, gos_results *results,
                                   const gos_results_info *info, const gos_checkpoint *c) {
    gos_mesh_info mesh;
    gos_results_mesh(results, &mesh);
    bool same =
        info->nprobes == r->nprobes && mesh.nnodes == r->nnodes && info->thermal == r->thermal;
    for (int i = 0; i < r->nprobes && same; i++) {
        gos_probe_info probe;
        gos_results_probe_info(results, i, &probe);
        same = strcmp(probe.name, r->probes[i].name) == 0 && probe.ncomp == r->probes[i].ncomp;
    }
    if (!same) {
        return "it is of another model than the results";
    }
    char options[OPTIONS_TEXT];
    all_options_text(r->sys, &c->options, options, sizeof options);
    if (strcmp(options, info->options) != 0 || c->rows > (double)info->nrows ||
        c->frames > (double)info->nframes ||
        gos_results_time(results)[(long)c->rows - 1] != c->row_time ||
        gos_results_frame_times(results)[(long)c->frames - 1] != c->frame_time) {
        return "the results are of another run";
    }
    gos_image_view image;
    if (c->nimage > 0 && (!gos__image_parse(c->image, c->nimage, &image) ||
                          strncmp(image.key, gos__results_key(results), GOS_KEY_TEXT) != 0)) {
        return "it is of other results";
    }
    return NULL;
}

/* Fill state and checkpoint from the newest checkpoint that is good; *bytes holds its history. */
static gos_status load(recorder *r, gos_results *results, const gos_results_info *info,
                       gos_checkpoint *c, char **bytes) {
    char why[2][GOS_WHY] = {"", ""};
    for (int i = 0; i < 2; i++) {
        gos_checkpoint_view view;
        const gos_status status =
            gos__checkpoint_load(r->ctx, r->path, i == 1, bytes, &view, why[i]);
        if (status == GOS_E_MEMORY) {
            return status;
        }
        const char *wrong = status == GOS_OK ? gos__checkpoint_take(&view, r->state, c) : NULL;
        wrong = status == GOS_OK && !wrong ? compare_results(r, results, info, c) : wrong;
        if (status == GOS_OK && !wrong) {
            if (i == 1) {
                gos__warn(r->ctx, (gos_loc){0}, "checkpoint",
                          "the newest one cannot be used: %s; resumed from the one before it",
                          why[0][0] ? why[0] : "it is missing");
            }
            return GOS_OK;
        }
        if (wrong) {
            gos__free(r->ctx, *bytes);
            *bytes = NULL;
            (void)snprintf(why[i], GOS_WHY, "%s", wrong);
        }
    }
    return gos__resume_refuse(r->ctx, r->path, why);
}

/* The probes of the last row that stays: angles go on from there. */
static gos_status last_row(recorder *r, gos_results *results, long row) {
    int at = 0;
    for (int i = 0; i < r->nprobes; i++) {
        const double *value;
        const size_t n = (size_t)r->probes[i].ncomp;
        GOS_TRY(gos_results_probe(results, i, &value, NULL));
        memcpy(r->values + at, value + (size_t)row * n, n * sizeof *value);
        at += (int)n;
    }
    return GOS_OK;
}

/* Everything that can be refused before the results are touched. */
static gos_status prepare_resume(recorder *r, gos_checkpoint *c, gos_writer_past *past,
                                 gos_arena *arena) {
    gos_results *results = NULL;
    gos_results_info info;
    GOS_TRY(gos__resume_results(r->ctx, r->path, &results, &info));
    gos_status status = prepare(r, arena);
    status = status == GOS_OK ? load(r, results, &info, c, &r->checkpoint) : status;
    status = status == GOS_OK ? check_options(r->ctx, &c->options) : status;
    status = status == GOS_OK ? last_row(r, results, (long)c->rows - 1) : status;
    if (status == GOS_OK) {
        r->options = &c->options;
        r->row_time = c->row_time;
        r->frame_time = c->frame_time;
        r->seconds = c->output;
        r->settling = c->preparing;
        r->resumed = r->stored = true;
        *past = (gos_writer_past){.rows = (long)c->rows,
                                  .frames = (long)c->frames,
                                  .warnings = gos__arena_strdup(arena, info.warnings),
                                  .warning_count = info.warning_count,
                                  .image = c->image,
                                  .nimage = c->nimage};
        status = past->warnings ? GOS_OK : GOS_E_MEMORY;
    }
    gos_results_close(results);
    status = status == GOS_OK
                 ? gos_integrator_create(r->ctx, r->sys, &c->options, r->state, &r->integrator)
                 : status;
    return status;
}

gos_status gos_resume(gos_ctx *ctx, const gos_system *sys, const char *path,
                      gos_statistics *stats) {
    gos_arena *arena = gos__arena_create(ctx);
    if (!arena) {
        return GOS_E_MEMORY;
    }
    gos_checkpoint c;
    gos_writer_past past;
    recorder r = {.ctx = ctx, .sys = sys, .path = path};
    gos_status status = prepare_resume(&r, &c, &past, arena);
    status = status == GOS_OK ? record(&r, &past) : status;
    release(&r, arena);
    if (stats) {
        *stats = r.stats;
    }
    return status;
}
