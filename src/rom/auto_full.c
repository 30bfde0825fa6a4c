/* Method auto against one run of the full model: 1. reference run, some states kept; 2. smallest
   space for these states (auto_space.c); 3. Gauss points, or cubature trained by the projected
   states; 4. run, whose distance from the reference is the predicted error; 5. refinement of the
   largest error source. The budget is GOS_BUDGET_RUNS full runs of counted, hence reproducible,
   work. */
#include <math.h>

#include "rom/auto_choice.h"

// analysis.tolerance of the reference and of an adequate full run, relative to `tolerance`
#define REFERENCE_TOLERANCE 0.1
#define RETRY_FACTOR 3.0         // factor on REFERENCE_TOLERANCE if round-off prevents convergence
#define MAX_ATTEMPTS 4           // attempts at the reference run
#define REFERENCE_STEP (2.0 / 3) // step of the reference relative to a fixed step of the model
// initial analysis.tolerance of the reduced model, relative to `tolerance`
#define STEP_TOLERANCE 0.3
// Origin of MOTION_SHARE: errors of runs were 20 to 70 times the projection error of their space.
// No origin is recorded for the other constants; they are dimensionless ratios or counts unless
// stated.
#define MOTION_SHARE 0.015 // initial projection error of the motion, relative to `tolerance`
// largest analysis.tolerance of the reduced model, relative to `tolerance`
#define MAX_STEP_TOLERANCE 0.8
#define STEP_TOLERANCE_GROWTH 1.2 // factor on the step tolerance if over budget
// initial projection error of temperatures and gradients, relative to `tolerance`
#define HEAT_SHARE 0.55
#define ACCEPTED_ERROR 0.8  // largest accepted predicted error, relative to `tolerance`
#define SHARE_REDUCTION 0.4 // factor on MOTION_SHARE or HEAT_SHARE in a refinement
#define MAX_ROUNDS 8        // largest number of rounds of steps 2 to 5
#define POINTS_PER_FIELD 1.5
#define CUBATURE_TOLERANCE 0.03 // initial cubature tolerance, relative
// cubature tolerance relative to `tolerance` if heat is local: temperatures need more points
#define LOCAL_CUBATURE_TOLERANCE 5.0
#define TOLERANCE_REDUCTION 0.3 // factor on the cubature or step tolerance in a refinement
#define PLANNED_FRACTION 0.9    // usable part of the remaining work: estimates are not exact
#define POINTS_PER_FUNCTION 4   // expected cubature points per function
#define GROWTH_FRACTION 0.85    // usable part of the budget while the space still grows
#define MIN_WORK 2e6            // minimum work limit of the first run [about ns]: 2 ms
#define FAILED_REACH 1e-6       // part of a run that failed at its first step
#define RUN_FRACTION 0.99       // part of the budget that a started run may use
#define CUBATURE_COST 0.4       // expected cost of a run with cubature, relative to all points
// largest number of cubature points relative to all; more saves nothing
#define MAX_POINT_FRACTION 0.6
#define ITERATION_RATIO 1.8 // expected iterations relative to the full model with the same steps
#define JACOBIAN_RATIO 1.4  // expected Jacobians relative to the full model, for any steps
#define START_FRACTION 0.7  // part of a run's estimated work that must be left to start it
#define ADDED_THERMAL 4     // temperature functions added if only temperatures miss the tolerance
#define TARGET_ERROR 0.4    // target error of a better space, relative to `tolerance`
#define MAX_ERROR_RATIO 0.8 // a refinement must reduce the error below this ratio to be continued
#define MIN_STEP_TOLERANCE 2.0 // smallest step tolerance relative to that of the reference
// largest ratio of a run's temperature error to that of its space, if due to it
#define MAX_HEAT_RATIO 3.0
#define MAX_MOTION_RATIO 100.0 // the same for the motion
#define MOTION_PART 0.02 // target error of equilibria relative to the largest displacement ...
#define LOST_PART 0.05   // ... and error above which a warning is issued
#define NO_MOTION 1e-10  // largest displacement that is rounding, relative to the extent

static const char lost_text[] =
    "the position error is %.2g of the largest displacement in the training run, which is %.2g of "
    "the extent: the motion is not reproduced; run the full model, or use a smaller `tolerance` "
    "and "
    "`--for N`";

/* ---- 1: reference run ------------------------------------------------------------------------ */

static gos_options with_tolerance(const gos_choice *c, double tolerance) {
    gos_options o = c->options;
    if (c->free_steps) {
        o.step = 0;
        o.tolerance = fmin(0.1, tolerance);
    }
    return o;
}

/* Cost of a full run at the model's tolerance, or REFERENCE_TOLERANCE if tighter, relative to the
   reference. */
static double steps_of_unit(const gos_choice *c) {
    if (!c->free_steps) {
        return c->options.analysis == GOS_DYNAMIC ? REFERENCE_STEP : 1;
    }
    const double required = fmin(c->full->options.tolerance, REFERENCE_TOLERANCE * c->tol);
    const double part = gos__cost_steps(&c->options, 1, c->fine, required);
    return part > 1 ? sqrt(part) : part; // the power law overestimates few steps
}

static void copy_kept_states(gos_choice *c) {
    const gos_trial_runs *k = &c->reference;
    for (int i = 0; i < c->states.n; i++) {
        const size_t n = k->n, from = gos__training_sample(&c->states, i) * n;
        const size_t to = i * n, g = GOS_TRACK_GRADIENTS;
        memcpy(c->kept_history.r + 3 * to, k->r + 3 * from, 3 * n * sizeof *k->r);
        memcpy(c->kept_history.T + to, k->T + from, n * sizeof *k->T);
        memcpy(c->kept_history.G + g * to, k->G + g * from, g * n * sizeof *k->G);
    }
    c->kept_history.samples = c->projected_history.samples = c->states.n;
}

static gos_status run_reference(gos_choice *c) {
    c->fine = REFERENCE_TOLERANCE * c->tol;
    for (int i = 0; i < MAX_ATTEMPTS; i++, c->fine *= RETRY_FACTOR) {
        gos_options o = with_tolerance(c, c->fine);
        o.step *= REFERENCE_STEP;
        gos__training_free(c->ctx, &c->states);
        GOS_TRY(gos__training_create(c->ctx, c->full, GOS_STATES, &c->states));
        c->states.of = c->reference.samples;
        GOS_TRY(gos__trial_runs_run(c->ctx, c->full, &o, &c->reference, &c->states, c->range));
        c->out.runs++;
        c->spent += c->reference.work;
        if (!c->reference.failed) {
            c->unit = c->reference.work * steps_of_unit(c);
            c->last.step_reference = &c->reference;
            copy_kept_states(c);
            return gos__projection_error_prepare(c);
        }
    }
    return GOS_OK;
}

/* ---- 3: points ------------------------------------------------------------------------------- */

static double remaining_work(const gos_choice *c, double part) {
    return part * gos__auto_budget(c->runs) * c->unit - c->spent;
}

/* Solids keep all points: training does not generalise to their stiff stresses. */
static bool has_cubature(const gos_choice *c) {
    for (int i = 0; i < c->space.sys->npoints; i++) {
        const gos_points *p = c->space.sys->points[i];
        if (p->law->nstrain > 0 && !p->law->moment_unit && !p->gram) {
            return false;
        }
    }
    return c->def.fields == GOS_FIELDS_MODES || c->def.on_mesh;
}

static double work_of_run(const gos_choice *c, double steps) {
    const double part = !c->free_steps ? steps_of_unit(c)
                                       : gos__cost_steps(&c->options, 1, c->fine, steps * c->tol);
    const gos_statistics *k = &c->reference.stats;
    return gos__cost_run(
        c->space.sys,
        &(gos_statistics){.iterations = (long)(ITERATION_RATIO * part * (double)k->iterations),
                          .jacobians = (long)(JACOBIAN_RATIO * (double)k->jacobians)});
}

bool gos__choice_is_affordable(const gos_choice *c, double more) {
    return more * work_of_run(c, MAX_STEP_TOLERANCE) <= remaining_work(c, GROWTH_FRACTION);
}

static void restore_all_points(gos_choice *c) {
    if (c->cubature) {
        gos__cubature_restore(c->cubature);
    }
    memset(c->space.sys->rom->selection, 0, c->space.sys->npoints * sizeof(gos_selection));
    c->tau = 0;
}

/* Use cubature if few points are expected and training leaves enough for a run with all points
   (local heat), or if only few are affordable. Returns the divisor of training states, 0: none. */
static int training_divisor(const gos_choice *c) {
    const double run = work_of_run(c, c->steps), rest = remaining_work(c, PLANNED_FRACTION);
    const int expected_points = POINTS_PER_FUNCTION * (c->space.sys->nv + c->def.thermal_fields);
    for (int part = 1;
         part <= 2 && expected_points < MAX_POINT_FRACTION * gos__count_points(c->space.sys);
         part++) {
        const double work = gos__cubature_work(c->space.sys, part),
                     work_few = work + CUBATURE_COST * run;
        if (work + run <= rest || (!c->local && work_few <= rest) ||
            (part == 2 && run > rest && work_few < run)) {
            return part;
        }
    }
    return 0;
}

static gos_status choose_points(gos_choice *c) {
    const int all = c->cubature ? c->out.all_points : gos__count_points(c->space.sys);
    int n = all;
    c->out.all_points = has_cubature(c) ? all : 0;
    if (!has_cubature(c) || !(c->tau > 0)) {
        return GOS_OK;
    }
    const int part = c->cubature ? 1 : training_divisor(c);
    if (part == 0) {
        c->tau = 0;
        return GOS_OK;
    }
    if (!c->cubature) {
        c->spent += gos__cubature_work(c->space.sys, part);
        GOS_TRY(
            gos__cubature_create(c->quiet, c->space.sys, &c->space.projected, part, &c->cubature));
    }
    GOS_TRY(gos__cubature_apply(c->cubature, c->tau, c->space.sys->rom->selection, &n));
    if (n > MAX_POINT_FRACTION * all) {
        restore_all_points(c);
    }
    return GOS_OK;
}

/* ---- 4: run of the reduced model ------------------------------------------------------------- */

double gos__heat_of(gos_distance d) {
    return fmax(d.temperature, d.gradient);
}

/* With modes the worst node counts, too: the RMS hides small parts, such as a brace that does
   not bend. */
static double error_by_extent(const gos_choice *c) {
    const bool modes = c->def.fields == GOS_FIELDS_MODES;
    return fmax(c->error.position, modes ? ACCEPTED_ERROR * c->error.worst : 0);
}

/* Equilibria are exact whatever their size: motion below the tolerance is kept, too. */
static bool is_lost(const gos_choice *c, double position, double part) {
    const bool equilibria =
        c->options.analysis == GOS_STATIC || c->options.motion == GOS_MOTION_QUASI_STATIC;
    return equilibria && c->travel > NO_MOTION && position > part * c->travel;
}

static double error_of_motion(const gos_choice *c) {
    const double error = error_by_extent(c);
    const bool lost = is_lost(c, c->error.position, MOTION_PART);
    return lost ? fmax(error, c->tol * c->error.position / (MOTION_PART * c->travel)) : error;
}

static double error_of_run(const gos_choice *c) {
    return fmax(error_of_motion(c), gos__heat_of(c->error));
}

static gos_status store_best(gos_choice *c, gos_range *range) {
    gos_candidate *b = &c->best;
    const size_t n = c->space.sys->npoints;
    if (b->sys != c->space.sys) {
        gos_system_destroy(b->sys);
    }
    b->sys = c->space.sys;
    b->range = range;
    b->error = error_of_run(c);
    b->distance = fmax(error_by_extent(c), gos__heat_of(c->error));
    b->probes = gos__trial_runs_probes(c->full, &c->last, &c->reference);
    b->selection = GOS_NEW(c->space.sys->arena, gos_selection, n + 1);
    if (!b->selection) {
        return GOS_E_MEMORY;
    }
    memcpy(b->selection, c->space.sys->rom->selection, n * sizeof *b->selection);
    b->out = c->out;
    b->out.expansions = c->space.sys->rom->chosen.expansions;
    b->out.number =
        c->space.least > 0 ? c->space.sys->nv - b->out.expansions : c->space.sys->rom->def.number;
    b->out.thermal_fields = gos__rom_heat_functions(c->space.sys);
    b->out.points = gos__count_points(c->space.sys);
    b->out.predicted = c->error.position;
    b->out.predicted_temperature = gos__heat_of(c->error);
    b->out.residual = c->last.residuals.residual;
    b->out.residual_temperature = c->last.residuals.residual_temperature;
    b->out.error_fields = c->space.off.position;
    b->out.error_thermal = gos__heat_of(c->space.off);
    b->out.error_points = fmax(0, c->error.position - c->space.off.position);
    b->out.step_tolerance = c->free_steps ? c->steps * c->tol : 0;
    b->out.time_run = c->last.seconds;
    b->out.work_run = c->last.work / c->unit;
    b->out.reached = 1;
    return GOS_OK;
}

static void widen(const gos_choice *c, gos_range *range) {
    const gos_system *s = c->space.sys;
    for (int i = 0; i < s->npoints && s->npoints == c->full->npoints; i++) {
        const gos_range *visited = &c->range[i];
        if (s->points[i]->body == c->full->points[i]->body) {
            range[i].strain = fmax(range[i].strain, visited->strain);
            range[i].curvature = fmax(range[i].curvature, visited->curvature);
            range[i].temperature = fmax(range[i].temperature, visited->temperature);
        }
    }
}

static gos_status run_model(gos_choice *c) {
    const gos_options o = with_tolerance(c, c->steps * c->tol);
    gos_range *range = GOS_NEW(c->space.sys->arena, gos_range, c->space.sys->npoints + 1);
    if (!range) {
        return GOS_E_MEMORY;
    }
    c->last.work_limit = fmax(c->best.sys ? 1 : MIN_WORK,
                              remaining_work(c, RUN_FRACTION)); // checked after whole steps
    c->last.other = c->best.sys ? &c->reference : NULL;         // stop if worse than the best
    c->last.max_distance = c->best.distance;
    GOS_TRY(gos__trial_runs_run(c->ctx, c->space.sys, &o, &c->last, NULL, range));
    widen(c, range);
    c->out.runs++;
    c->spent += c->last.work;
    c->error = gos__trial_runs_distance(c->full, &c->last, &c->reference);
    return error_of_run(c) < (c->best.sys ? c->best.error : HUGE_VAL) ? store_best(c, range)
                                                                      : GOS_OK;
}

/* ---- 5: refinement --------------------------------------------------------------------------- */

/* error sources in the order of tests */
typedef enum cause { TIME_STEPS, CUBATURE_POINTS, SPACE } cause;

/* before: error without the last cause */
static cause next_cause(const gos_choice *c, cause last, double last_error) {
    const bool improved = error_of_motion(c) < MAX_ERROR_RATIO * last_error;
    cause now = improved ? last : last + 1;
    if (now == TIME_STEPS &&
        (!c->free_steps || c->steps * c->tol <= MIN_STEP_TOLERANCE * c->fine)) {
        now++;
    }
    if (now == CUBATURE_POINTS && !(c->tau > 0)) {
        now++;
    }
    return now < SPACE ? now : SPACE;
}

/* *space: needs a new space */
static void refine(gos_choice *c, cause *last, double *last_error, bool *space) {
    const double motion = error_of_motion(c);
    *space = true;
    if (c->last.failed && c->space.least > 0 && !c->best.sys) {
        c->only_modes = true;
        return;
    }
    const double heat = gos__heat_of(c->error);
    const bool not_space = heat > MAX_HEAT_RATIO * gos__heat_of(c->space.off);
    if (motion <= ACCEPTED_ERROR * c->tol && not_space && !has_cubature(c)) {
        c->def.on_mesh = true;
    } else if (motion <= ACCEPTED_ERROR * c->tol && not_space && c->tau > 0) {
        restore_all_points(c);
        *space = false;
    } else if (motion <= ACCEPTED_ERROR * c->tol) {
        c->share_heat *= SHARE_REDUCTION;
        c->def.thermal_fields += ADDED_THERMAL;
    } else if (c->error.position <= MAX_MOTION_RATIO * c->space.off.position) {
        // by the required improvement
        c->share = fmin(SHARE_REDUCTION * c->share, TARGET_ERROR * c->space.off.position / motion);
    } else if (!has_cubature(c)) { // the mesh error remains
        c->def.on_mesh = true;
    } else {
        *last = next_cause(c, *last, *last_error);
        *last_error = motion;
        *space = *last == SPACE;
        c->steps *= *last == TIME_STEPS ? TOLERANCE_REDUCTION : 1;
        c->tau *= *last == CUBATURE_POINTS ? TOLERANCE_REDUCTION : 1;
        c->share *= *last == SPACE ? SHARE_REDUCTION : 1;
    }
}

static void loosen(gos_choice *c) {
    while (c->free_steps && c->steps < MAX_STEP_TOLERANCE &&
           work_of_run(c, c->steps) > remaining_work(c, PLANNED_FRACTION)) {
        c->steps *= STEP_TOLERANCE_GROWTH;
    }
}

static gos_status choose(gos_choice *c) {
    bool space = true;
    double last_error = HUGE_VAL;
    cause last = TIME_STEPS;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (space) {
            GOS_TRY(gos__choose_space(c));
        }
        if (!c->space.sys) {
            break;
        }
        loosen(c);
        GOS_TRY(choose_points(c));
        if (c->best.sys && START_FRACTION * work_of_run(c, c->steps) > remaining_work(c, 1)) {
            break;
        }
        GOS_TRY(run_model(c));
        if (c->best.sys && c->best.error <= ACCEPTED_ERROR * c->tol) {
            break;
        }
        refine(c, &last, &last_error, &space);
        if (remaining_work(c, PLANNED_FRACTION) <= 0) {
            break;
        }
    }
    if (!c->space.sys && !c->best.sys) {
        return gos__fail(
            c->ctx, GOS_E_INPUT, "reduction: no fields give a valid model; run the full model (%s)",
            gos__nerrors(c->quiet) > 0 ? gos_ctx_message(c->quiet) : "none is smaller");
    }
    return GOS_OK;
}

/* ---- method auto ----------------------------------------------------------------------------- */

static gos_status prepare(gos_choice *c, bool modes) {
    gos__auto_first_step(&c->options);
    c->free_steps = c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC;
    c->def.fields = modes ? GOS_FIELDS_MODES : c->def.fields;
    c->local = gos__rom_has_sources(c->full);
    c->def.on_mesh |= c->local; // defined on the mesh
    c->def.cubature = 0;
    c->share = MOTION_SHARE;
    c->share_heat = HEAT_SHARE;
    c->tau =
        c->local ? fmin(CUBATURE_TOLERANCE, LOCAL_CUBATURE_TOLERANCE * c->tol) : CUBATURE_TOLERANCE;
    c->points = POINTS_PER_FIELD;
    c->steps = STEP_TOLERANCE;
    c->snapshots.run = &c->states;
    c->quiet = gos__ctx_quiet(c->ctx);
    c->range = gos__zalloc(c->ctx, c->full->npoints + 1L, sizeof *c->range);
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->reference));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->kept_history));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->projected_history));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->last));
    return c->quiet && c->range ? GOS_OK : GOS_E_MEMORY;
}

static double own_steps(const gos_choice *c) {
    return c->free_steps ? gos__cost_steps(&c->options, 1, c->fine, c->full->options.tolerance)
                         : steps_of_unit(c);
}

/* rebuilt as if loaded; without one, the uncompared model */
static gos_status finish(gos_choice *c, double start, gos_system **reduced) {
    const gos_candidate *b = &c->best;
    gos_rom_info *k = b->sys ? b->sys->rom : c->space.sys->rom;
    if (b->sys) {
        k->selection = b->selection;
        k->range = b->range;
        k->chosen = b->out;
        k->chosen.tolerance = c->tol;
    }
    if (!b->sys) { // extrapolated
        k->chosen.reached = fmax(c->last.reached, FAILED_REACH);
        k->chosen.work_run = c->last.work / c->unit / k->chosen.reached;
    }
    k->chosen.runs = c->out.runs;
    k->chosen.work = c->spent / c->unit;
    k->chosen.time_full = own_steps(c) * c->reference.seconds;
    GOS_TRY(gos__rom_make(c->ctx, c->full, &k->def, k, NULL, reduced));
    (*reduced)->rom->chosen.time = gos__cpu_time() - start;
    gos__probe_difference_note(c->ctx, c->full, &b->probes);
    if (b->sys && is_lost(c, b->out.predicted, LOST_PART)) {
        (*reduced)->rom->chosen.tolerance = LOST_PART * c->travel;
        gos__warn(c->ctx, (gos_loc){0}, "reduction", lost_text, b->out.predicted / c->travel,
                  c->travel);
    }
    return GOS_OK;
}

void gos__choice_drop(gos_choice *c, gos_space *space) {
    if (space == &c->space) {
        gos__cubature_destroy(c->cubature);
        c->cubature = NULL;
    }
    if (space->sys != c->best.sys) {
        gos_system_destroy(space->sys);
    }
    gos__training_free(c->ctx, &space->projected);
    *space = (gos_space){0};
}

static void release(gos_choice *c) {
    gos__choice_drop(c, &c->space);
    gos__choice_drop(c, &c->alternative);
    gos_system_destroy(c->best.sys);
    gos__trial_runs_free(c->ctx, &c->reference);
    gos__trial_runs_free(c->ctx, &c->kept_history);
    gos__trial_runs_free(c->ctx, &c->projected_history);
    gos__trial_runs_free(c->ctx, &c->last);
    gos__training_free(c->ctx, &c->states);
    gos__free(c->ctx, c->range);
    gos_ctx_destroy(c->quiet);
}

gos_status gos__auto_full(gos_ctx *ctx, const gos_system *full, bool modes, double runs,
                          gos_system **reduced) {
    const double start = gos__cpu_time();
    gos_choice *c = gos__zalloc(ctx, 1, sizeof *c);
    if (!c) {
        return GOS_E_MEMORY;
    }
    *c = (gos_choice){.ctx = ctx,
                      .full = full,
                      .def = gos__rom_def(full),
                      .options = full->options,
                      .runs = runs,
                      .tol = gos__rom_def(full).tolerance};
    gos_status status = prepare(c, modes);
    status = status == GOS_OK ? run_reference(c) : status;
    if (status == GOS_OK && c->reference.failed) { // no reference
        status = gos__rom_make(ctx, full, &c->def, NULL, NULL, reduced);
        if (status == GOS_OK) { // tried without success
            (*reduced)->rom->chosen.work = 1;
        }
    } else {
        status = status == GOS_OK ? choose(c) : status;
        status = status == GOS_OK ? finish(c, start, reduced) : status;
    }
    if (status != GOS_OK && gos__nerrors(ctx) == 0 && c->quiet && gos__nerrors(c->quiet) > 0) {
        status = gos__fail(ctx, status, "%s", gos_ctx_message(c->quiet));
    }
    release(c);
    gos__free(ctx, c);
    return status;
}
