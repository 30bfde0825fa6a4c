/* Running an analysis into a results file.
 *
 * Probes are stored at every accepted step, with their rates, so that they can be interpolated as well
 * as the integrator itself knows them. Fields and balances are stored at output times, which the
 * integrator interpolates: they never shorten a step. The end is met exactly. Whatever stops the run,
 * the last accepted state is stored and the file says why it ends there. */
#include <math.h>
#include <stdio.h>

#include "gossamer/io.h"
#include "io/results.h"

#define MIN_PERIOD 1e-9 // output times closer than this part of an interval are the same

typedef struct recorder {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *options;
    gos_writer *writer; // NULL: no file
    int nnodes, nprobes;
    bool thermal;
    gos_probe_info *probes;
    double *values, *rates; // of all probes, one after the other
    double *position, *velocity, *temperature, *temperature_rate;
    long frames;       // output times stored or passed
    double row_time;   // of the last row, NAN before the first
    double frame_time; // of the last frame, NAN before the first
    double seconds;    // wall time spent here
    gos_statistics stats;
} recorder;

/* ---- storing -------------------------------------------------------------------------------------- */

static gos_status store_row(recorder *r, const gos_state *state) {
    double time = gos_state_time(state);
    if (!r->writer || time == r->row_time) {
        return GOS_OK;
    }
    int at = 0;
    for (int i = 0; i < r->nprobes; i++) {
        GOS_TRY(gos_system_probe(r->ctx, r->sys, state, i, r->values + at, r->rates + at));
        at += r->probes[i].ncomp;
    }
    r->row_time = time;
    return gos__writer_row(r->writer, time, r->values, r->rates);
}

static gos_status store_frame(recorder *r, const gos_state *state) {
    double time = gos_state_time(state);
    if (!r->writer || time == r->frame_time) {
        return GOS_OK;
    }
    gos_system_nodes(r->sys, state, r->position, r->velocity, r->temperature, r->temperature_rate);
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

/* Everything at this state, in the file or not. */
static gos_status store_both(recorder *r, const gos_state *state) {
    double start = gos__now();
    gos_status status = store_row(r, state);
    if (status == GOS_OK) {
        status = store_frame(r, state);
    }
    r->seconds += gos__now() - start;
    return status;
}

/* After a step: its probes, and the output times it has passed. */
static gos_status store_step(recorder *r, gos_integrator *integrator, const gos_state *state) {
    double start = gos__now(), time = gos_state_time(state), every = r->options->output_every;
    gos_status status = store_row(r, state);
    if (!(every > 0)) {
        status = status == GOS_OK ? store_frame(r, state) : status;
    }
    // k * every instead of a sum: no drift, and the same times in every run of a model
    while (every > 0 && status == GOS_OK &&
           (double)r->frames * every <= time + MIN_PERIOD * every) {
        double due = (double)r->frames * every;
        bool here = fabs(due - time) <= MIN_PERIOD * every;
        const gos_state *at = here ? state : gos_integrator_at(integrator, due);
        status = store_frame(r, at);
        r->frames++;
    }
    if (status == GOS_OK && r->writer) {
        r->stats.time_output = r->seconds + gos__now() - start;
        status = gos__writer_flush(r->writer, &r->stats, false);
    }
    r->seconds += gos__now() - start;
    return status;
}

/* ---- the two analyses ---------------------------------------------------------------------------------- */

static gos_status run_static(recorder *r, gos_state *state) {
    gos_status status = gos_solve_static(r->ctx, r->sys, r->options, state, &r->stats);
    // a static run that ends early still has the last load step that converged
    if (status == GOS_OK || status == GOS_E_DIVERGED || status == GOS_E_INTERRUPTED) {
        gos_status stored = store_both(r, state);
        status = status == GOS_OK ? stored : status;
    }
    return status;
}

static gos_status step_to_end(recorder *r, gos_integrator *integrator, gos_state *state) {
    double end = r->options->end;
    GOS_TRY(store_both(r, state));
    r->frames = 1;
    char text[64];
    for (long k = 0; gos_state_time(state) < end; k++) {
        if (k >= GOS_LIMIT_STEPS) {
            return gos__fail(r->ctx, GOS_E_LIMIT, "more than %ld steps; take larger ones",
                             GOS_LIMIT_STEPS);
        }
        double before = gos_state_time(state);
        GOS_TRY(gos_integrator_step(integrator, end));
        double time = gos_state_time(state);
        if (!(time > before)) {
            return gos__fail(r->ctx, GOS_E_INTERNAL, "a step from t = %.17g s did not advance",
                             before);
        }
        gos_integrator_statistics(integrator, &r->stats);
        GOS_TRY(store_step(r, integrator, state));
        (void)snprintf(text, sizeof text, "t = %.4g of %.4g s", time, end);
        GOS_TRY(gos__progress(r->ctx, time / end, text));
    }
    return store_both(r, state);
}

/* Begin at the static equilibrium; the time this takes counts as preparing. */
static gos_status settle(recorder *r, gos_state *state, double *seconds) {
    gos_options options = *r->options;
    gos_statistics stats = {0};
    options.analysis = GOS_STATIC;
    const gos_status status = gos_solve_static(r->ctx, r->sys, &options, state, &stats);
    *seconds = stats.time_setup + stats.time_total;
    return status;
}

static gos_status run_dynamic(recorder *r, gos_state *state) {
    gos_integrator *integrator = NULL;
    double settling = 0;
    if (r->options->start_equilibrium) {
        GOS_TRY(settle(r, state, &settling));
    }
    GOS_TRY(gos_integrator_create(r->ctx, r->sys, r->options, state, &integrator));
    gos_status status = step_to_end(r, integrator, state);
    gos_integrator_statistics(integrator, &r->stats);
    r->stats.time_setup += settling;
    if (status != GOS_OK && status != GOS_E_FILE) {
        // the last accepted state, for whoever wants to know what went wrong
        (void)store_both(r, state);
    }
    gos_integrator_destroy(integrator);
    return status;
}

/* ---- before and after ------------------------------------------------------------------------------------ */

static void options_text(const gos_options *o, char *buf, size_t size) {
    (void)gos__format(buf, size,
                      "analysis: %s\nend: %.17g\nstep: %.17g\ntolerance: %.17g\n"
                      "initial_step: %.17g\nmax_step: %.17g\nmin_step: %.17g\nrho_infinity: %.17g\n"
                      "newton_tolerance: %.17g\nmax_iterations: %d\nload_steps: %d\n"
                      "start_equilibrium: %s\noutput_every: %.17g\n",
                      o->analysis == GOS_STATIC ? "static" : "dynamic", o->end, o->step,
                      o->tolerance, o->initial_step, o->max_step, o->min_step, o->rho_infinity,
                      o->newton_tolerance, o->max_iterations, o->load_steps,
                      o->start_equilibrium ? "true" : "false", o->output_every);
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
    return r->values && r->rates ? GOS_OK : GOS_E_MEMORY;
}

static gos_status open_writer(recorder *r, const gos_state *state, const char *path) {
    char options[1024];
    options_text(r->options, options, sizeof options);
    gos_writer_layout layout = {.name = gos_system_name(r->sys),
                                .text = gos_system_text(r->sys),
                                .options = options,
                                .probes = r->probes,
                                .nprobes = r->nprobes,
                                .reference = r->position,
                                .thermal = r->thermal};
    gos_system_sizes(r->sys, &layout.sizes);
    gos_system_mesh(r->sys, &layout.mesh);
    gos_system_nodes(r->sys, state, r->position, NULL, NULL, NULL);
    return gos__writer_create(r->ctx, path, &layout, &r->writer);
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

static gos_status record(recorder *r, gos_state *state, const char *path) {
    double start = gos__now();
    if (path) {
        GOS_TRY(open_writer(r, state, path));
    }
    r->seconds += gos__now() - start;
    gos__progress_start(r->ctx);
    bool is_static = r->options->analysis == GOS_STATIC;
    gos_status status = is_static ? run_static(r, state) : run_dynamic(r, state);
    r->stats.time_output = r->seconds;
    char text[GOS_STATUS_TEXT];
    status_text(r->ctx, status, text, sizeof text);
    gos_status closed = gos__writer_close(r->writer, text, &r->stats);
    return status == GOS_OK ? closed : status;
}

gos_status gos_run(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                   const char *path, gos_statistics *stats) {
    GOS_TRY(check_options(ctx, options));
    gos_arena *arena = gos__arena_create(ctx);
    if (!arena) {
        return GOS_E_MEMORY;
    }
    recorder r = {.ctx = ctx,
                  .sys = sys,
                  .options = options,
                  .row_time = (double)NAN,
                  .frame_time = (double)NAN};
    gos_state *state = NULL;
    gos_status status = allocate(&r, arena);
    if (status == GOS_OK) {
        status = gos_state_create(ctx, sys, &state);
    }
    if (status == GOS_OK) {
        status = record(&r, state, path);
    }
    gos_state_destroy(state);
    gos__arena_destroy(arena);
    if (stats) {
        *stats = r.stats;
    }
    return status;
}
