/* Method auto for long meshes, whose own error is small, by comparing reduced models: 1.
   smallest number of fields m with small |run(m) - run(m + 2)|, also for m + 1; 2. temperature
   functions, likewise; 3. richer reference; 4. Gauss points; 5. run, whose distance from the
   reference is the predicted error, and refinement. The budget is GOS_BUDGET_RUNS full runs. */
#include "rom/auto.h"

#include <math.h>

// No origin is recorded for these values; dimensionless unless stated.
#define MIN_FIELDS 4          // smallest number of fields
#define MAX_FIELDS 40         // largest number of fields; beyond, the full model is as fast
#define SELECTION_THERMAL 4   // temperature functions while fields are selected
#define COMPARISON_THERMAL 12 // temperature functions of the comparison model
#define ADDED_FUNCTIONS 4
#define FIELD_SHARE 0.35    // error of fields relative to `tolerance`
#define THERMAL_SHARE 0.1   // error of temperature functions in positions, relative to `tolerance`
#define HEAT_SHARE 0.5      // the same in temperatures and gradients
#define STEP_SHARE 0.3      // error of time steps relative to `tolerance`
#define ACCEPTED_ERROR 0.8  // largest accepted predicted error, relative to `tolerance`
#define TRIAL_TOLERANCE 0.1 // analysis.tolerance of trials, relative to `tolerance`
#define FINAL_TOLERANCE 0.1 // ... of the reduced model, initially
#define REFERENCE_TOLERANCE 0.02 // ... of the reference
#define RETRY_FACTOR 3.0         // factor on REFERENCE_TOLERANCE if round-off prevents convergence
#define MAX_ATTEMPTS 4
#define MAX_REFINEMENTS 8     // largest number of refinements in step 5
#define LONG_MESH_POINTS 2500 // mesh points of a long mesh
#define FULL_TOLERANCE 0.1    // tolerance of an adequate full run, relative to `tolerance`
#define ITERATION_RATIO 1.5   // expected iterations relative to the full model
#define FIELD_BUDGET 1.0      // work up to the selection of fields [full runs]
#define THERMAL_BUDGET 1.5    // ... of temperature functions
#define REFINEMENT_BUDGET 2.0 // ... and refinements

typedef struct choice {
    gos_ctx *ctx;
    const gos_system *full;
    gos_reduction_def def;
    gos_options options; // of the final run
    double tol;
    double runs; // to be served, 0: unknown
    gos_reduction out;
    gos_trial_runs runs_by_fields[MAX_FIELDS + 3]; // runs by number of fields; samples = 0: none
    gos_trial_runs reference, last;                // last: run of the current model
    gos_trial_runs scratch;
    double fine;        // analysis.tolerance of the reference
    double unit, spent; // work of a full run (0: unknown); work used so far
} choice;

/* ---- runs ------------------------------------------------------------------------------------ */

static gos_options with_tolerance(const choice *c, double tolerance) {
    gos_options o = c->options;
    o.step = 0;
    o.tolerance = fmin(0.1, tolerance);
    return o;
}

static gos_options own_options(const choice *c) {
    gos_options o = c->options;
    o.tolerance = c->out.step_tolerance > 0 ? c->out.step_tolerance : o.tolerance;
    return o;
}

/* Fields that cannot represent configuration or joints are not an error of the model. */
static gos_status reduce_quietly(choice *c, const gos_reduction_def *def, gos_ctx *quiet,
                                 gos_system **sys) {
    const gos_status status = gos__rom_make(quiet, c->full, def, NULL, NULL, sys);
    return status == GOS_E_INPUT || status == GOS_E_LIMIT ? GOS_RETRY : status;
}

/* The first success yields the estimate of a full run. */
static gos_status run(choice *c, const gos_system *sys, const gos_options *o, gos_trial_runs *track,
                      gos_range *range) {
    GOS_TRY(gos__trial_runs_run(c->ctx, sys, o, track, NULL, range));
    c->out.runs++;
    c->spent += track->work;
    if (c->unit == 0 && !track->failed) {
        const double required = fmin(c->full->options.tolerance, FULL_TOLERANCE * c->tol);
        c->unit = gos__cost_run(c->full, &track->stats) / ITERATION_RATIO *
                  gos__cost_steps(&c->options, 1, o->tolerance, required);
    }
    return GOS_OK;
}

static bool has_spent(const choice *c, double runs) {
    const double part = fmin(1, gos__auto_budget(c->runs) / GOS_BUDGET_RUNS);
    return c->unit > 0 && c->spent > part * runs * c->unit;
}

static gos_status run_definition(choice *c, const gos_reduction_def *def, double tolerance,
                                 gos_trial_runs *track) {
    gos_system *sys = NULL;
    const gos_options o = with_tolerance(c, tolerance);
    gos_ctx *quiet = gos__ctx_quiet(c->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_status status = reduce_quietly(c, def, quiet, &sys);
    if (status == GOS_OK) {
        status = run(c, sys, &o, track, NULL);
    } else if (status == GOS_RETRY) {
        track->failed = true;
        status = GOS_OK;
    }
    if (status != GOS_OK && gos__nerrors(c->ctx) == 0) {
        status = gos__fail(c->ctx, status, "%s", gos_ctx_message(quiet));
    }
    gos_system_destroy(sys);
    gos_ctx_destroy(quiet);
    return status;
}

/* ---- 1, 2: fields ---------------------------------------------------------------------------- */

static gos_status run_fields(choice *c, int m) {
    gos_trial_runs *k = &c->runs_by_fields[m];
    if (k->samples > 0) {
        return GOS_OK;
    }
    gos_reduction_def def = c->def;
    def.number = m;
    def.thermal_fields = SELECTION_THERMAL;
    def.points = 2 * m + 4; // more points than necessary
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, k));
    return run_definition(c, &def, TRIAL_TOLERANCE * c->tol, k);
}

static gos_status error_of_fields(choice *c, int m, double *error) {
    GOS_TRY(run_fields(c, m));
    GOS_TRY(run_fields(c, m + 2));
    *error = gos__trial_runs_distance(c->full, &c->runs_by_fields[m], &c->runs_by_fields[m + 2])
                 .position;
    return GOS_OK;
}

static gos_status choose_fields(choice *c) {
    double error = HUGE_VAL, next;
    GOS_TRY(error_of_fields(c, MIN_FIELDS, &error));
    int m = MIN_FIELDS;
    for (; m + 1 < MAX_FIELDS; m++) {
        GOS_TRY(error_of_fields(c, m + 1, &next));
        if (fmax(error, next) <= FIELD_SHARE * c->tol || has_spent(c, FIELD_BUDGET)) {
            break;
        }
        error = next;
    }
    c->def.number = m;
    c->out.error_fields = error;
    return GOS_OK;
}

static gos_status choose_thermal(choice *c) {
    static const int numbers[] = {2, 3, 4, 5, 6, 8, 10, COMPARISON_THERMAL};
    if (c->full->nt == 0) {
        return GOS_OK;
    }
    gos_reduction_def rich = c->def;
    rich.thermal_fields = COMPARISON_THERMAL;
    rich.points = 2 * rich.number + 4;
    GOS_TRY(run_definition(c, &rich, TRIAL_TOLERANCE * c->tol, &c->reference));
    for (int i = 0; i < GOS_COUNT(numbers); i++) {
        gos_reduction_def def = c->def;
        def.thermal_fields = numbers[i];
        def.points = 2 * def.number + 4;
        GOS_TRY(run_definition(c, &def, TRIAL_TOLERANCE * c->tol, &c->scratch));
        const gos_distance d = gos__trial_runs_distance(c->full, &c->scratch, &c->reference);
        c->def.thermal_fields = numbers[i];
        c->out.error_thermal = d.position;
        if (d.position <= THERMAL_SHARE * c->tol &&
            fmax(d.temperature, d.gradient) <= HEAT_SHARE * c->tol) {
            break;
        }
        if (has_spent(c, THERMAL_BUDGET)) {
            break;
        }
    }
    return GOS_OK;
}

/* ---- 3: reference ---------------------------------------------------------------------------- */

static gos_status run_reference(choice *c) {
    gos_reduction_def def = c->def;
    def.number += ADDED_FUNCTIONS;
    def.thermal_fields += ADDED_FUNCTIONS;
    def.points = 2 * def.number + 4;
    c->fine = REFERENCE_TOLERANCE * c->tol;
    for (int i = 0; i < MAX_ATTEMPTS; i++, c->fine *= RETRY_FACTOR) {
        GOS_TRY(run_definition(c, &def, c->fine, &c->reference));
        if (!c->reference.failed) {
            break;
        }
    }
    return GOS_OK;
}

/* ---- 4: points ------------------------------------------------------------------------------- */

static double error_of_heat(const choice *c, const gos_trial_runs *track) {
    const gos_distance d = gos__trial_runs_distance(c->full, track, &c->reference);
    return fmax(d.temperature, d.gradient);
}

static double largest_error(const choice *c, const gos_trial_runs *track) {
    const gos_distance d = gos__trial_runs_distance(c->full, track, &c->reference);
    return fmax(d.position, error_of_heat(c, track));
}

static gos_status run_model(choice *c, const gos_system *sys, double *error) {
    const gos_options o = own_options(c);
    GOS_TRY(run(c, sys, &o, &c->last, NULL));
    *error = largest_error(c, &c->last);
    return GOS_OK;
}

static gos_status choose_points(choice *c, gos_system **sys, double *error) {
    GOS_TRY(run_fields(c, c->def.number));
    for (double per_field = 1.5; per_field < 2.6; per_field += 0.5) {
        gos_system_destroy(*sys);
        *sys = NULL;
        c->def.points = (int)ceil(per_field * c->def.number);
        GOS_TRY(gos__rom_make(c->ctx, c->full, &c->def, NULL, NULL, sys));
        GOS_TRY(run_model(c, *sys, error));
        c->out.error_points =
            gos__trial_runs_distance(c->full, &c->last, &c->runs_by_fields[c->def.number]).position;
        if (*error <= ACCEPTED_ERROR * c->tol) {
            break;
        }
    }
    return GOS_OK;
}

/* ---- 5: refinement --------------------------------------------------------------------------- */

/* Step error of the model (run: c->last); records ranges and residuals. */
static gos_status error_of_steps(choice *c, gos_system *sys, double *error) {
    const gos_options fine = with_tolerance(c, c->fine);
    sys->rom->range = GOS_NEW(sys->arena, gos_range, sys->npoints + 1);
    if (!sys->rom->range) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(run(c, sys, &fine, &c->scratch, sys->rom->range));
    *error = gos__trial_runs_distance(c->full, &c->last, &c->scratch).position;
    c->out.residual = c->scratch.residuals.residual;
    c->out.residual_temperature = c->scratch.residuals.residual_temperature;
    return GOS_OK;
}

static void refine(choice *c) {
    const double motion = gos__trial_runs_distance(c->full, &c->last, &c->reference).position;
    if (error_of_heat(c, &c->last) > ACCEPTED_ERROR * c->tol) {
        c->def.thermal_fields += ADDED_FUNCTIONS;
        if (motion <= ACCEPTED_ERROR * c->tol) {
            return;
        }
    }
    const bool free_steps = c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC;
    if (free_steps && c->out.error_steps > fmax(STEP_SHARE * c->tol, c->out.error_fields)) {
        c->out.step_tolerance /= 4;
    } else if (c->def.number < MAX_FIELDS) {
        c->def.number++;
    }
    c->def.thermal_fields += c->full->nt && c->out.error_thermal > THERMAL_SHARE * c->tol ? 2 : 0;
}

static gos_status choose(choice *c, gos_system **sys) {
    GOS_TRY(choose_fields(c));
    GOS_TRY(choose_thermal(c));
    GOS_TRY(run_reference(c));
    double error = HUGE_VAL;
    for (int round = 0; round < MAX_REFINEMENTS; round++) {
        gos_system_destroy(*sys);
        *sys = NULL;
        GOS_TRY(choose_points(c, sys, &error));
        GOS_TRY(error_of_steps(c, *sys, &c->out.error_steps));
        if (error <= ACCEPTED_ERROR * c->tol || c->reference.failed ||
            has_spent(c, REFINEMENT_BUDGET)) {
            break;
        }
        refine(c);
    }
    const gos_distance d = gos__trial_runs_distance(c->full, &c->last, &c->reference);
    c->out.predicted = d.position;
    c->out.predicted_temperature = fmax(d.temperature, d.gradient);
    return GOS_OK;
}

static void finish(choice *c, gos_system *sys, double start) {
    c->out.number = sys->rom->def.number;
    c->out.thermal_fields = c->full->nt ? sys->rom->def.thermal_fields : 0;
    c->out.expansions = sys->rom->chosen.expansions;
    c->out.points = gos__count_points(sys);
    c->out.tolerance = c->tol;
    c->out.time_run = c->last.seconds;
    if (c->out.step_tolerance > 0) {
        sys->options.tolerance = c->out.step_tolerance;
        sys->options.initial_step = c->options.initial_step;
    }
    c->out.work = c->unit > 0 ? c->spent / c->unit : 0;
    c->out.work_run = c->unit > 0 ? c->last.work / c->unit : 0;
    c->out.reached = 1;
    c->out.time = gos__cpu_time() - start;
    sys->rom->chosen = c->out;
}

static void release(choice *c) {
    for (int i = 0; i < GOS_COUNT(c->runs_by_fields); i++) {
        gos__trial_runs_free(c->ctx, &c->runs_by_fields[i]);
    }
    gos__trial_runs_free(c->ctx, &c->reference);
    gos__trial_runs_free(c->ctx, &c->last);
    gos__trial_runs_free(c->ctx, &c->scratch);
}

static gos_status prepare(choice *c) {
    gos__auto_first_step(&c->options);
    if (c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC) {
        c->out.step_tolerance = FINAL_TOLERANCE * c->tol;
    }
    c->def.cubature = 0;
    c->def.thermal_fields = COMPARISON_THERMAL;
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->reference));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->last));
    return gos__trial_runs_create(c->ctx, c->full, &c->options, &c->scratch);
}

bool gos__auto_is_long(const gos_system *full) {
    return !gos__rom_def(full).on_mesh && !gos__rom_has_sources(full) &&
           gos__count_points(full) > LONG_MESH_POINTS;
}

gos_status gos__auto_long(gos_ctx *ctx, const gos_system *full, double runs, gos_system **reduced) {
    const double start = gos__cpu_time();
    choice *c = gos__zalloc(ctx, 1, sizeof *c);
    gos_system *sys = NULL;
    if (!c) {
        return GOS_E_MEMORY;
    }
    *c = (choice){.ctx = ctx,
                  .full = full,
                  .def = gos__rom_def(full),
                  .options = full->options,
                  .runs = runs,
                  .tol = gos__rom_def(full).tolerance};
    gos_status status = prepare(c);
    status = status == GOS_OK ? choose(c, &sys) : status;
    if (status == GOS_OK) {
        status = gos__cost_full(ctx, full, &full->options, &c->last, c->out.step_tolerance,
                                &c->spent, &c->out.time_full);
    }
    if (status == GOS_OK) {
        finish(c, sys, start);
    }
    release(c);
    gos__free(ctx, c);
    if (status != GOS_OK) {
        gos_system_destroy(sys);
        return status;
    }
    *reduced = sys;
    return GOS_OK;
}
