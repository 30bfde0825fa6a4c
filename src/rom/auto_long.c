/* Method auto for long meshes, whose own error is small, by comparing reduced models: 1.
   smallest number of fields m with small |run(m) - run(m + 2)|, also for m + 1; 2. temperature
   functions, likewise; 3. richer reference; 4. Gauss points; 5. run, whose distance from the
   reference is the predicted error, and refinement. The budget is GOS_WORTH_RUNS full runs. */
#include "rom/auto.h"

#include <math.h>

#define FEWEST 4          // smallest number of fields
#define MOST 40           // largest number of fields; beyond, the full model is as fast
#define PLAIN 4           // temperature functions while fields are selected
#define RICH 12           // temperature functions of the comparison model
#define MORE 4            // fields and functions added for the reference
#define SHARE_FIELDS 0.35 // error of fields relative to `tolerance`
#define SHARE_THERMAL 0.1
#define SHARE_HEAT 0.5 // the same for temperatures and gradients
#define SHARE_STEPS 0.3
#define ACCEPT 0.8      // largest accepted predicted error, relative to `tolerance`
#define TRIAL_STEPS 0.1 // analysis.tolerance relative to `tolerance`: trials
#define FINAL_STEPS 0.1 // reduced model, initially
#define FINE_STEPS 0.02 // reference
#define COARSER 3.0     // factor on FINE_STEPS if round-off prevents convergence
#define ATTEMPTS 4
#define REFINEMENTS 8     // largest number of refinements in step 5
#define LONG 2500         // mesh points of a long mesh
#define ASKED 0.1         // tolerance of an adequate full run, relative to `tolerance`
#define DENSER 1.5        // expected iterations relative to the full model
#define UNTIL_FIELDS 1.0  // budget in full runs: selection of fields
#define UNTIL_THERMAL 1.5 // selection of temperature functions
#define UNTIL_REFINED 2.0 // refinements

typedef struct choice {
    gos_ctx *ctx;
    const gos_system *full;
    gos_reduction_def def;
    gos_options options; // of the final run
    double tol;
    double runs; // to be served, 0: unknown
    gos_reduction out;
    gos_trial_runs known[MOST + 3]; // runs by number of fields; samples = 0: none
    gos_trial_runs reference, last; // last: run of the current model
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
        const double asked = fmin(c->full->options.tolerance, ASKED * c->tol);
        c->unit = gos__cost_run(c->full, &track->stats) / DENSER *
                  gos__cost_steps(&c->options, 1, o->tolerance, asked);
    }
    return GOS_OK;
}

static bool has_spent(const choice *c, double runs) {
    const double part = fmin(1, gos__auto_budget(c->runs) / GOS_WORTH_RUNS);
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
    gos_trial_runs *k = &c->known[m];
    if (k->samples > 0) {
        return GOS_OK;
    }
    gos_reduction_def def = c->def;
    def.number = m;
    def.thermal_fields = PLAIN;
    def.points = 2 * m + 4; // more points than necessary
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, k));
    return run_definition(c, &def, TRIAL_STEPS * c->tol, k);
}

static gos_status error_of_fields(choice *c, int m, double *error) {
    GOS_TRY(run_fields(c, m));
    GOS_TRY(run_fields(c, m + 2));
    *error = gos__trial_runs_distance(c->full, &c->known[m], &c->known[m + 2]).position;
    return GOS_OK;
}

static gos_status choose_fields(choice *c) {
    double error = HUGE_VAL, next;
    GOS_TRY(error_of_fields(c, FEWEST, &error));
    int m = FEWEST;
    for (; m + 1 < MOST; m++) {
        GOS_TRY(error_of_fields(c, m + 1, &next));
        if (fmax(error, next) <= SHARE_FIELDS * c->tol || has_spent(c, UNTIL_FIELDS)) {
            break;
        }
        error = next;
    }
    c->def.number = m;
    c->out.error_fields = error;
    return GOS_OK;
}

static gos_status choose_thermal(choice *c) {
    static const int numbers[] = {2, 3, 4, 5, 6, 8, 10, RICH};
    if (c->full->nt == 0) {
        return GOS_OK;
    }
    gos_reduction_def rich = c->def;
    rich.thermal_fields = RICH;
    rich.points = 2 * rich.number + 4;
    GOS_TRY(run_definition(c, &rich, TRIAL_STEPS * c->tol, &c->reference));
    for (int i = 0; i < GOS_COUNT(numbers); i++) {
        gos_reduction_def def = c->def;
        def.thermal_fields = numbers[i];
        def.points = 2 * def.number + 4;
        GOS_TRY(run_definition(c, &def, TRIAL_STEPS * c->tol, &c->scratch));
        const gos_distance d = gos__trial_runs_distance(c->full, &c->scratch, &c->reference);
        c->def.thermal_fields = numbers[i];
        c->out.error_thermal = d.position;
        if (d.position <= SHARE_THERMAL * c->tol &&
            fmax(d.temperature, d.gradient) <= SHARE_HEAT * c->tol) {
            break;
        }
        if (has_spent(c, UNTIL_THERMAL)) {
            break;
        }
    }
    return GOS_OK;
}

/* ---- 3: reference ---------------------------------------------------------------------------- */

static gos_status run_reference(choice *c) {
    gos_reduction_def def = c->def;
    def.number += MORE;
    def.thermal_fields += MORE;
    def.points = 2 * def.number + 4;
    c->fine = FINE_STEPS * c->tol;
    for (int i = 0; i < ATTEMPTS; i++, c->fine *= COARSER) {
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

/* sys: model with selected points */
static gos_status choose_points(choice *c, gos_system **sys, double *error) {
    GOS_TRY(run_fields(c, c->def.number));
    for (double per_field = 1.5; per_field < 2.6; per_field += 0.5) {
        gos_system_destroy(*sys);
        *sys = NULL;
        c->def.points = (int)ceil(per_field * c->def.number);
        GOS_TRY(gos__rom_make(c->ctx, c->full, &c->def, NULL, NULL, sys));
        GOS_TRY(run_model(c, *sys, error));
        c->out.error_points =
            gos__trial_runs_distance(c->full, &c->last, &c->known[c->def.number]).position;
        if (*error <= ACCEPT * c->tol) {
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
    c->out.residual = c->scratch.learnt.residual;
    c->out.residual_temperature = c->scratch.learnt.residual_temperature;
    return GOS_OK;
}

static void refine(choice *c) {
    const double motion = gos__trial_runs_distance(c->full, &c->last, &c->reference).position;
    if (error_of_heat(c, &c->last) > ACCEPT * c->tol) {
        c->def.thermal_fields += MORE;
        if (motion <= ACCEPT * c->tol) {
            return;
        }
    }
    const bool free_steps = c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC;
    if (free_steps && c->out.error_steps > fmax(SHARE_STEPS * c->tol, c->out.error_fields)) {
        c->out.step_tolerance /= 4;
    } else if (c->def.number < MOST) {
        c->def.number++;
    }
    c->def.thermal_fields += c->full->nt && c->out.error_thermal > SHARE_THERMAL * c->tol ? 2 : 0;
}

static gos_status choose(choice *c, gos_system **sys) {
    GOS_TRY(choose_fields(c));
    GOS_TRY(choose_thermal(c));
    GOS_TRY(run_reference(c));
    double error = HUGE_VAL;
    for (int round = 0; round < REFINEMENTS; round++) {
        gos_system_destroy(*sys);
        *sys = NULL;
        GOS_TRY(choose_points(c, sys, &error));
        GOS_TRY(error_of_steps(c, *sys, &c->out.error_steps));
        if (error <= ACCEPT * c->tol || c->reference.failed || has_spent(c, UNTIL_REFINED)) {
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
    for (int i = 0; i < GOS_COUNT(c->known); i++) {
        gos__trial_runs_free(c->ctx, &c->known[i]);
    }
    gos__trial_runs_free(c->ctx, &c->reference);
    gos__trial_runs_free(c->ctx, &c->last);
    gos__trial_runs_free(c->ctx, &c->scratch);
}

static gos_status prepare(choice *c) {
    gos__auto_first_step(&c->options);
    if (c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC) {
        c->out.step_tolerance = FINAL_STEPS * c->tol;
    }
    c->def.cubature = 0;
    c->def.thermal_fields = RICH;
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->reference));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->last));
    return gos__trial_runs_create(c->ctx, c->full, &c->options, &c->scratch);
}

bool gos__auto_is_long(const gos_system *full) {
    return !gos__rom_def(full).on_mesh && !gos__rom_has_sources(full) &&
           gos__count_points(full) > LONG;
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
