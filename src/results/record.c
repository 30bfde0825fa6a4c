/* Sink that writes a results file, with checkpoints beside it: periodically, and when a transient
 * run ends early, after all stored steps have reached the disk. Results after the last checkpoint
 * are dropped on resuming (resume.c). */
#include "results/record.h"

#include <math.h>
#include <stdio.h>

#include "base/reproducible.h"
#include "base/stored_messages.h"
#include "gossamer/reduce.h"
#include "system/integrators.h"

#define REPLACE_SECONDS 0.5 // before results replace earlier ones

/* ---- texts about the run --------------------------------------------------------------------- */

static void options_text(const gos_options *o, char *buf, size_t size) {
    (void)gos__format(
        buf, size,
        "analysis: %s\nintegrator: %s\nmax_order: %d\nend: %.17g\nstep: %.17g\ntolerance: "
        "%.17g\nprobe_tolerance: %.17g\n"
        "temperature_range: %.17g\ninitial_step: %.17g\nmax_step: %.17g\nmin_step: "
        "%.17g\nrho_infinity: %.17g\n"
        "newton_tolerance: %.17g\nmax_iterations: %d\nsolver: %s\nload_steps: %d\n"
        "branch: %s\narc_length: %s\n"
        "max_steps: %.17g\nstart_equilibrium: %s\nspin: [%.17g, %.17g, %.17g]\n"
        "pivot: [%.17g, %.17g, %.17g]\noutput_every: %.17g\n",
        o->analysis == GOS_STATIC ? "static" : "dynamic", gos__integrator_name(o->integrator),
        o->max_order, o->end, o->step, o->tolerance, o->probe_tolerance, o->temperature_range,
        o->initial_step, o->max_step, o->min_step, o->rho_infinity, o->newton_tolerance,
        o->max_iterations, o->solver == GOS_SOLVER_AUTO ? "auto" : "unsymmetric", o->load_steps,
        o->branch == GOS_BRANCH_ANY ? "any" : "stable", o->arc_length ? "true" : "false",
        o->max_steps, o->start_equilibrium ? "true" : "false", o->spin_x, o->spin_y, o->spin_z,
        o->pivot_x, o->pivot_y, o->pivot_z, o->output_every);
}

void gos__options_text(const gos_system *sys, const gos_options *o, char *buf, size_t size) {
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

/* ---- sink ------------------------------------------------------------------------------------ */

static gos_status name_events(const gos_recorder *r, const gos_system *sys, const char ***names) {
    const int n = gos_system_nevents(sys);
    *names = n > 0 ? gos__alloc(r->ctx, n, sizeof **names) : NULL;
    for (int i = 0; i < n && *names; i++) {
        gos_event_info info;
        gos_system_event_info(sys, i, &info);
        (*names)[i] = info.name;
    }
    return n > 0 && !*names ? GOS_E_MEMORY : GOS_OK;
}

/* nodes of bodies without temperature coordinates */
static gos_status find_athermal(const gos_system *sys, gos_arena *arena,
                                gos_writer_layout *layout) {
    int *node = GOS_NEW(arena, int, sys->nnodes + 1);
    GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < sys->nnodes && layout->thermal; i++) {
        if (sys->node_T[i].n == 0) {
            node[layout->nathermal++] = i;
        }
    }
    layout->athermal = node;
    return GOS_OK;
}

/* Joints, loads, nodes without temperature, and modes of reduced models, in a new arena; stored at
 * the start of a run */
static gos_status find_marks(const gos_recorder *r, const gos_system *sys, gos_arena **arena,
                             gos_writer_layout *layout) {
    *arena = gos__arena_create(r->ctx);
    gos_mark *marks = NULL;
    GOS_TRY(*arena ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__marks_find(r->ctx, sys, *arena, &marks, &layout->nmarks));
    layout->marks = marks;
    GOS_TRY(find_athermal(sys, *arena, layout));
    gos_mode_pictures *modes = GOS_NEW(*arena, gos_mode_pictures, 1);
    layout->modes = modes;
    return modes ? gos__mode_pictures(r->ctx, *arena, sys, modes) : GOS_E_MEMORY;
}

/* ---- size of the results --------------------------------------------------------------------- */

static const gos_output_limit *limit_of(const gos_system *sys) {
    return &(sys->full ? sys->full : sys)->output_limit;
}

static double max_bytes(const gos_system *sys) {
    const double given = limit_of(sys)->bytes;
    return given > 0 ? given : GOS_LIMIT_OUTPUT_BYTES;
}

static void size_rows(gos_recorder *r, const gos_run_info *run, int nnodes) {
    int numbers = run->thermal ? 11 : 9; // position, displacement, velocity, temperature, its rate
    for (int i = 0; i < run->nfields; i++) {
        numbers += run->field[i].ncomp;
    }
    r->row_bytes = 8 * (1 + 2.0 * run->nvalues);
    r->frame_bytes = 8 * ((double)numbers * nnodes + 11 + run->nfields) +
                     (double)(sizeof(gos_energy) + sizeof(gos_heat));
}

static double expected_frames(const gos_options *o) {
    return o->output_every > 0 ? o->end / o->output_every + 1 : 0;
}

static double expected_rows(const gos_options *o) {
    return o->step > 0 ? o->end / o->step + 1 : 0;
}

static gos_status check_size(const gos_recorder *r, const gos_options *o) {
    const double frames = expected_frames(o);
    const double rows = expected_rows(o);
    const double bytes = frames * r->frame_bytes + rows * r->row_bytes;
    const double max = max_bytes(r->system);
    return bytes <= max
               ? GOS_OK
               : gos__fail_at(r->ctx, GOS_E_LIMIT, limit_of(r->system)->loc, "output",
                              "%.0f output times and %.0f steps would store %.3g bytes, %.3g are "
                              "allowed; give a larger interval (every), or raise the limit "
                              "(output: limit)",
                              frames, rows, bytes, max);
}

static gos_status store_more(gos_recorder *r, double bytes) {
    const double max = max_bytes(r->system);
    r->stored += bytes;
    return r->stored <= max
               ? GOS_OK
               : gos__fail_at(r->ctx, GOS_E_LIMIT, limit_of(r->system)->loc, "output",
                              "the results have reached %.3g bytes, the largest size allowed; the "
                              "run stops and keeps them. Use larger steps (tolerance) or fewer "
                              "probes, or raise the limit (output: limit)",
                              max);
}

static int begin(void *user, const gos_run_info *run) {
    gos_recorder *r = user;
    char options[GOS_OPTIONS_TEXT];
    gos__options_text(run->system, run->options, options, sizeof options);
    gos_writer_layout layout = {.name = gos_system_name(run->system),
                                .units = gos_system_units(run->system),
                                .text = gos_system_text(run->system),
                                .options = options,
                                .probes = run->probe,
                                .nprobes = run->nprobes,
                                .reference = run->reference,
                                .thermal = run->thermal,
                                .T_ref = run->system->T_ref,
                                .fields = run->field,
                                .nfields = run->nfields,
                                .frames = expected_frames(run->options),
                                .rows = expected_rows(run->options)};
    gos_system_sizes(run->system, &layout.sizes);
    gos_system_mesh(run->system, &layout.mesh);
    r->system = run->system;
    r->options = run->options;
    size_rows(r, run, layout.mesh.nnodes);
    GOS_TRY(check_size(r, run->options));
    r->started_at = r->saved_at = gos__now();
    const char **events;
    GOS_TRY(name_events(r, run->system, &events));
    layout.events = events;
    layout.nevents = gos_system_nevents(run->system);
    gos_arena *arena = NULL;
    gos_status status = r->past ? GOS_OK : find_marks(r, run->system, &arena, &layout);
    if (status == GOS_OK) {
        status = r->past ? gos__writer_resume(r->ctx, r->path, &layout, r->past, &r->writer)
                         : gos__writer_create(r->ctx, r->path, &layout, &r->writer);
    }
    gos__arena_destroy(arena);
    gos__free(r->ctx, events);
    if (r->past) {
        r->stored = (double)r->past->rows * r->row_bytes + (double)r->past->frames * r->frame_bytes;
        (void)gos__messages_take(r->ctx, r->messages, r->nmessages);
    }
    if (status == GOS_OK && !r->past && gos__writer_published(r->writer)) {
        gos__checkpoint_remove(r->path); // of replaced results
    }
    return status;
}

static int row(void *user, double time, const double *value, const double *rate) {
    gos_recorder *r = user;
    if (!r->past && !r->stepping) {
        r->saved_at = gos__now(); // not before the initial equilibrium was found
        r->stepping = true;
    }
    GOS_TRY(store_more(r, r->row_bytes));
    return gos__writer_row(r->writer, time, value, rate);
}

static int start(void *user, const double *value, const double *rate) {
    gos_recorder *r = user;
    return gos__writer_start(r->writer, value, rate);
}

static int frame(void *user, const gos_frame *frame) {
    gos_recorder *r = user;
    GOS_TRY(store_more(r, r->frame_bytes));
    return gos__writer_frame(r->writer, frame);
}

static int event(void *user, const gos_event *event) {
    gos_recorder *r = user;
    return gos__writer_event(r->writer, event);
}

static int step(void *user, const gos_statistics *stats) {
    gos_recorder *r = user;
    return gos__writer_flush(r->writer, stats, false);
}

static bool due(void *user) {
    const gos_recorder *r = user;
    const double now = gos__now();
    if (gos__reproducible()) {
        return false;
    }
    const bool unseen = !gos__writer_published(r->writer) && now - r->started_at >= REPLACE_SECONDS;
    return unseen ||
           now - r->saved_at >= gos__checkpoint_distance(r->options->checkpoint_every, r->saves);
}

/* The previous checkpoint still exists, so the run continues. */
static void write_checkpoint(gos_recorder *r, const gos_run_point *point, const void *image,
                             size_t nimage) {
    long rows, frames, events;
    const size_t n = gos__messages_put(r->ctx, NULL, 0);
    char *messages = gos__alloc(r->ctx, n + 1, 1);
    gos__writer_position(r->writer, &rows, &frames, &events);
    if (messages) {
        (void)gos__messages_put(r->ctx, messages, n);
    }
    const gos_checkpoint c = {.options = *r->options,
                              .rows = (double)rows,
                              .frames = (double)frames,
                              .events = (double)events,
                              .row_time = point->row_time,
                              .frame_time = point->frame_time,
                              .preparing = point->preparing,
                              .output = point->output,
                              .image = image,
                              .nimage = nimage,
                              .messages = messages,
                              .nmessages = messages ? n : 0};
    const int error = gos__checkpoint_write(r->path, r->system, point->state, &c);
    gos__free(r->ctx, messages);
    if (error != 0) {
        gos__warn(r->ctx, (gos_loc){0}, "checkpoint",
                  "%s" GOS_CHECKPOINT_ENDING
                  " cannot be written: %s; the run continues, free some disk space",
                  r->path, strerror(error));
    }
}

/* From the first checkpoint on, results survive a loss of power and may replace earlier ones. */
static int checkpoint(void *user, const gos_run_point *point, const gos_statistics *stats) {
    gos_recorder *r = user;
    if (!point->moved && !gos__writer_published(r->writer)) {
        return 0;
    }
    const void *image = NULL;
    size_t nimage = 0;
    gos_status status = gos__writer_sync(r->writer, stats, &image, &nimage);
    if (status == GOS_OK && point->state) {
        write_checkpoint(r, point, image, nimage);
    }
    status = status == GOS_OK ? gos__writer_publish(r->writer) : status;
    r->saved_at = gos__now();
    r->saves++;
    return status;
}

static int end(void *user, gos_status status, bool moved, const gos_statistics *stats) {
    gos_recorder *r = user;
    char text[GOS_STATUS_TEXT];
    status_text(r->ctx, status, text, sizeof text);
    if (!moved && status != GOS_OK && !gos__writer_published(r->writer)) {
        gos__writer_abandon(r->writer); // too early to replace earlier results
        gos__warn(r->ctx, (gos_loc){0}, r->path, "the earlier results are kept");
        return 0;
    }
    // the results are on disk
    const gos_status closed = gos__writer_close(r->writer, text, stats);
    if (closed == GOS_OK && status == GOS_OK) {
        gos__checkpoint_remove(r->path);
    }
    return closed;
}

const gos_sink gos__results_sink = {begin, row, start, frame, event, step, due, checkpoint, end};

gos_status gos_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                   const char *path, gos_statistics *stats) {
    gos_recorder r = {.ctx = ctx, .path = path};
    return gos_run_into(ctx, sys, options, NULL, path ? &gos__results_sink : NULL, &r, stats);
}
