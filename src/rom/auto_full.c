/* Method auto against one run of the full model: 1. reference run, some states kept; 2. smallest
   space for these states (auto_space.c); 3. Gauss points, or cubature trained by the projected
   states; 4. run, whose distance from the reference is the predicted error; 5. refinement of the
   largest error source. The budget is GOS_WORTH_RUNS full runs of counted, hence reproducible,
   work. */
#include <math.h>

#include "rom/auto_choice.h"

#define STATES 25 // states kept of the reference run (unused here, see GOS_STATES)
// analysis.tolerance of the reference and of an adequate full run, relative to `tolerance`
#define FINE 0.1
#define COARSER 3.0          // factor on FINE if round-off prevents convergence
#define ATTEMPTS 4           // attempts at the reference run
#define FINER_STEP (2.0 / 3) // step of the reference relative to a fixed step of the model
#define STEPS 0.3 // initial analysis.tolerance of the reduced model, relative to `tolerance`
// Origin of SHARE: errors of runs were 20 to 70 times the projection error of their space. No
// origin is recorded for the other constants; they are dimensionless ratios or counts unless
// stated.
#define SHARE 0.015 // initial projection error of the motion, relative to `tolerance`
#define LONGEST 0.8 // largest analysis.tolerance of the reduced model, relative to `tolerance`
#define LONGER 1.2  // factor on the step tolerance if over budget
// initial projection error of temperatures and gradients, relative to `tolerance`
#define SHARE_HEAT 0.55
#define ACCEPT 0.8   // largest accepted predicted error, relative to `tolerance`
#define MORE 0.4     // factor on SHARE or SHARE_HEAT in a refinement
#define ROUNDS 8     // largest number of rounds of steps 2 to 5
#define POINTS 1.5   // Gauss points per polynomial field
#define LOOSEST 0.03 // initial cubature tolerance, relative
// cubature tolerance relative to `tolerance` if heat is local: temperatures need more points
#define CUBATURE 5.0
#define TIGHTER 0.3      // factor on the cubature or step tolerance in a refinement
#define PLANNED 0.9      // usable part of the remaining work: estimates are not exact
#define EACH 4           // expected cubature points per function
#define AFFORDED 0.85    // usable part of the budget while the space still grows
#define LITTLE 2e6       // minimum work limit of the first run [about ns]: 2 ms
#define TRIED 1e-6       // part of a run that failed at its first step
#define NEARLY_ALL 0.99  // part of the budget that a started run may use
#define FEW 0.4          // expected cost of a run with cubature, relative to all points
#define MOST_POINTS 0.6  // largest number of cubature points relative to all; more saves nothing
#define DENSER 1.8       // expected iterations relative to the full model with the same steps
#define STIFFER 1.4      // expected Jacobians relative to the full model, for any steps
#define WORTH_TRYING 0.7 // part of a run's estimated work that must be left to start it
#define MORE_HEAT 4      // temperature functions added if only temperatures miss the tolerance
#define AIM 0.4          // target error of a better space, relative to `tolerance`
#define HELPED 0.8       // a refinement must reduce the error below this ratio to be continued
#define FINEST 2.0       // smallest step tolerance relative to that of the reference
// largest ratio of a run's temperature error to that of its space, if due to it
#define OF_TEMPERATURES 3.0
#define OF_SPACE 100.0 // the same for the motion

/* ---- 1: reference run ------------------------------------------------------------------------ */

static gos_options with_tolerance(const gos_choice *c, double tolerance) {
    gos_options o = c->options;
    if (c->free_steps) {
        o.step = 0;
        o.tolerance = fmin(0.1, tolerance);
    }
    return o;
}

/* Cost of a full run at the model's tolerance, or FINE if tighter, relative to the reference. */
static double steps_of_unit(const gos_choice *c) {
    if (!c->free_steps) {
        return c->options.analysis == GOS_DYNAMIC ? FINER_STEP : 1;
    }
    const double asked = fmin(c->full->options.tolerance, FINE * c->tol);
    const double part = gos__cost_steps(&c->options, 1, c->fine, asked);
    return part > 1 ? sqrt(part) : part; // the power law overestimates few steps
}

static void take_some(gos_choice *c) {
    const gos_trial_runs *k = &c->reference;
    for (int i = 0; i < c->states.n; i++) {
        const size_t n = k->n, from = gos__training_sample(&c->states, i) * n;
        const size_t to = i * n, g = GOS_TRACK_GRADIENTS;
        memcpy(c->some.r + 3 * to, k->r + 3 * from, 3 * n * sizeof *k->r);
        memcpy(c->some.T + to, k->T + from, n * sizeof *k->T);
        memcpy(c->some.G + g * to, k->G + g * from, g * n * sizeof *k->G);
    }
    c->some.samples = c->near.samples = c->states.n;
}

static gos_status run_reference(gos_choice *c) {
    c->fine = FINE * c->tol;
    for (int i = 0; i < ATTEMPTS; i++, c->fine *= COARSER) {
        gos_options o = with_tolerance(c, c->fine);
        o.step *= FINER_STEP;
        gos__training_free(c->ctx, &c->states);
        GOS_TRY(gos__training_create(c->ctx, c->full, GOS_STATES, &c->states));
        c->states.of = c->reference.samples;
        GOS_TRY(gos__trial_runs_run(c->ctx, c->full, &o, &c->reference, &c->states, c->range));
        c->out.runs++;
        c->spent += c->reference.work;
        if (!c->reference.failed) {
            c->unit = c->reference.work * steps_of_unit(c);
            c->last.pace = &c->reference;
            take_some(c);
            return gos__projection_error_prepare(c);
        }
    }
    return GOS_OK;
}

/* ---- 3: points ------------------------------------------------------------------------------- */

/* remaining work */
static double left(const gos_choice *c, double part) {
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
        c->space.sys, &(gos_statistics){.iterations = (long)(DENSER * part * (double)k->iterations),
                                        .jacobians = (long)(STIFFER * (double)k->jacobians)});
}

bool gos__choice_affords(const gos_choice *c, double more) {
    return more * work_of_run(c, LONGEST) <= left(c, AFFORDED);
}

static void take_all_points(gos_choice *c) {
    if (c->cubature) {
        gos__cubature_restore(c->cubature);
    }
    memset(c->space.sys->rom->selection, 0, c->space.sys->npoints * sizeof(gos_selection));
    c->tau = 0;
}

/* Use cubature if few points are expected and training leaves enough for a run with all points
   (local heat), or if only few are affordable. Returns the divisor of training states, 0: none. */
static int wants_few_points(const gos_choice *c) {
    const double run = work_of_run(c, c->steps), rest = left(c, PLANNED);
    const int likely = EACH * (c->space.sys->nv + c->def.thermal_fields);
    for (int part = 1; part <= 2 && likely < MOST_POINTS * gos__count_points(c->space.sys);
         part++) {
        const double work = gos__cubature_work(c->space.sys, part), few = work + FEW * run;
        if (work + run <= rest || (!c->local && few <= rest) ||
            (part == 2 && run > rest && few < run)) {
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
    const int part = c->cubature ? 1 : wants_few_points(c);
    if (part == 0) {
        c->tau = 0;
        return GOS_OK;
    }
    if (!c->cubature) {
        c->spent += gos__cubature_work(c->space.sys, part);
        GOS_TRY(
            gos__cubature_create(c->quiet, c->space.sys, &c->space.nearest, part, &c->cubature));
    }
    GOS_TRY(gos__cubature_apply(c->cubature, c->tau, c->space.sys->rom->selection, &n));
    if (n > MOST_POINTS * all) {
        take_all_points(c);
    }
    return GOS_OK;
}

/* ---- 4: run of the reduced model ------------------------------------------------------------- */

double gos__heat_of(gos_distance d) {
    return fmax(d.temperature, d.gradient);
}

/* With modes the worst node counts, too: the RMS hides small parts, such as a brace that does
   not bend. */
static double error_of_motion(const gos_choice *c) {
    const bool modes = c->def.fields == GOS_FIELDS_MODES;
    return fmax(c->error.position, modes ? ACCEPT * c->error.worst : 0);
}

static double error_of_run(const gos_choice *c) {
    return fmax(error_of_motion(c), gos__heat_of(c->error));
}

static gos_status keep(gos_choice *c, gos_range *range) {
    gos_candidate *b = &c->best;
    const size_t n = c->space.sys->npoints;
    if (b->sys != c->space.sys) {
        gos_system_destroy(b->sys);
    }
    b->sys = c->space.sys;
    b->range = range;
    b->error = error_of_run(c);
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
    b->out.residual = c->last.learnt.residual;
    b->out.residual_temperature = c->last.learnt.residual_temperature;
    b->out.error_fields = c->space.off.position;
    b->out.error_thermal = gos__heat_of(c->space.off);
    b->out.error_points = fmax(0, c->error.position - c->space.off.position);
    b->out.step_tolerance = c->free_steps ? c->steps * c->tol : 0;
    b->out.time_run = c->last.seconds;
    b->out.work_run = c->last.work / c->unit;
    b->out.reached = 1;
    return GOS_OK;
}

/* include the ranges of the full run */
static void widen(const gos_choice *c, gos_range *range) {
    const gos_system *s = c->space.sys;
    for (int i = 0; i < s->npoints && s->npoints == c->full->npoints; i++) {
        const gos_range *met = &c->range[i];
        if (s->points[i]->body == c->full->points[i]->body) {
            range[i].strain = fmax(range[i].strain, met->strain);
            range[i].curvature = fmax(range[i].curvature, met->curvature);
            range[i].temperature = fmax(range[i].temperature, met->temperature);
        }
    }
}

static gos_status run_model(gos_choice *c) {
    const gos_options o = with_tolerance(c, c->steps * c->tol);
    gos_range *range = GOS_NEW(c->space.sys->arena, gos_range, c->space.sys->npoints + 1);
    if (!range) {
        return GOS_E_MEMORY;
    }
    c->last.left = fmax(c->best.sys ? 1 : LITTLE, left(c, NEARLY_ALL)); // checked after whole steps
    c->last.other = c->best.sys ? &c->reference : NULL; // stop if worse than the best
    c->last.far = c->best.error;
    GOS_TRY(gos__trial_runs_run(c->ctx, c->space.sys, &o, &c->last, NULL, range));
    widen(c, range);
    c->out.runs++;
    c->spent += c->last.work;
    c->error = gos__trial_runs_distance(c->full, &c->last, &c->reference);
    return error_of_run(c) < (c->best.sys ? c->best.error : HUGE_VAL) ? keep(c, range) : GOS_OK;
}

/* ---- 5: refinement --------------------------------------------------------------------------- */

/* error sources in the order of tests */
typedef enum cause { STEPS_OF_TIME, FEW_POINTS, SPACE } cause;

/* before: error without the last cause */
static cause next_cause(const gos_choice *c, cause last, double before) {
    const bool helped = error_of_motion(c) < HELPED * before;
    cause now = helped ? last : last + 1;
    if (now == STEPS_OF_TIME && (!c->free_steps || c->steps * c->tol <= FINEST * c->fine)) {
        now++;
    }
    if (now == FEW_POINTS && !(c->tau > 0)) {
        now++;
    }
    return now < SPACE ? now : SPACE;
}

/* *space: needs a new space */
static void refine(gos_choice *c, cause *last, double *before, bool *space) {
    const double motion = error_of_motion(c);
    *space = true;
    if (c->last.failed && c->space.least > 0 && !c->best.sys) {
        c->only_modes = true;
        return;
    }
    const double heat = gos__heat_of(c->error);
    const bool not_space = heat > OF_TEMPERATURES * gos__heat_of(c->space.off);
    if (motion <= ACCEPT * c->tol && not_space && !has_cubature(c)) {
        c->def.on_mesh = true;
    } else if (motion <= ACCEPT * c->tol && not_space && c->tau > 0) {
        take_all_points(c);
        *space = false;
    } else if (motion <= ACCEPT * c->tol) {
        c->share_heat *= MORE;
        c->def.thermal_fields += MORE_HEAT;
    } else if (c->error.position <= OF_SPACE * c->space.off.position) {
        // by the required improvement
        c->share = fmin(MORE * c->share, AIM * c->space.off.position / motion);
    } else if (!has_cubature(c)) { // the mesh error remains
        c->def.on_mesh = true;
    } else {
        *last = next_cause(c, *last, *before);
        *before = motion;
        *space = *last == SPACE;
        c->steps *= *last == STEPS_OF_TIME ? TIGHTER : 1;
        c->tau *= *last == FEW_POINTS ? TIGHTER : 1;
        c->share *= *last == SPACE ? MORE : 1;
    }
}

static void loosen(gos_choice *c) {
    while (c->free_steps && c->steps < LONGEST && work_of_run(c, c->steps) > left(c, PLANNED)) {
        c->steps *= LONGER;
    }
}

static gos_status choose(gos_choice *c) {
    bool space = true;
    double before = HUGE_VAL;
    cause last = STEPS_OF_TIME;
    for (int round = 0; round < ROUNDS; round++) {
        if (space) {
            GOS_TRY(gos__choose_space(c));
        }
        if (!c->space.sys) {
            break;
        }
        loosen(c);
        GOS_TRY(choose_points(c));
        if (c->best.sys && WORTH_TRYING * work_of_run(c, c->steps) > left(c, 1)) {
            break;
        }
        GOS_TRY(run_model(c));
        if (c->best.sys && c->best.error <= ACCEPT * c->tol) {
            break;
        }
        refine(c, &last, &before, &space);
        if (left(c, PLANNED) <= 0) {
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
    c->share = SHARE;
    c->share_heat = SHARE_HEAT;
    c->tau = c->local ? fmin(LOOSEST, CUBATURE * c->tol) : LOOSEST;
    c->points = POINTS;
    c->steps = STEPS;
    c->snapshots.run = &c->states;
    c->quiet = gos__ctx_quiet(c->ctx);
    c->range = gos__zalloc(c->ctx, c->full->npoints + 1L, sizeof *c->range);
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->reference));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->some));
    GOS_TRY(gos__trial_runs_create(c->ctx, c->full, &c->options, &c->near));
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
        k->chosen.reached = fmax(c->last.reached, TRIED);
        k->chosen.work_run = c->last.work / c->unit / k->chosen.reached;
    }
    k->chosen.runs = c->out.runs;
    k->chosen.work = c->spent / c->unit;
    k->chosen.time_full = own_steps(c) * c->reference.seconds;
    GOS_TRY(gos__rom_make(c->ctx, c->full, &k->def, k, NULL, reduced));
    (*reduced)->rom->chosen.time = gos__cpu_time() - start;
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
    gos__training_free(c->ctx, &space->nearest);
    *space = (gos_space){0};
}

static void release(gos_choice *c) {
    gos__choice_drop(c, &c->space);
    gos__choice_drop(c, &c->aside);
    gos_system_destroy(c->best.sys);
    gos__trial_runs_free(c->ctx, &c->reference);
    gos__trial_runs_free(c->ctx, &c->some);
    gos__trial_runs_free(c->ctx, &c->near);
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
