/* Choosing a reduction for a tolerance, by looking: reduced runs are cheap, so complete runs are made
   and compared.

     1. fields m: the smallest m with |run(m) - run(m + 2)| small, and the same for m + 1 (a symmetric
        problem does not see every second field);
     2. temperature functions, in the same way against many;
     3. a reference: more fields and functions, all points, small steps;
     4. points: Gauss points of the polynomials, when that is near enough to the reference; else the
        polynomials are interpolated on the mesh, whose own error then belongs to both, with few
        of its points (cubature), or with all;
     5. the chosen model at its own steps against the reference is the predicted error. If it is too
        large, the part that is largest is refined.

   Nothing depends on wall time, so the same model gives the same reduction again. */
#include "rom/auto.h"

#include <math.h>

#include "rom/promise.h"

#define FEWEST 4          // fields
#define MOST 40           // ... of polynomials; beyond that the full model is as fast
#define PLAIN 4           // temperature functions while fields are chosen
#define RICH 12           // ... that are more than enough
#define MOST_HEAT 400     // temperatures of a full model that may be kept for comparison
#define MORE 4            // fields and functions that the reference has more
#define SHARE_FIELDS 0.35 // parts of the tolerance
#define SHARE_THERMAL 0.1
#define SHARE_HEAT 0.5 // ... of temperatures and their gradients themselves
#define SHARE_POINTS 0.15
#define SHARE_STEPS 0.3
#define ACCEPT 0.8      // of the tolerance: what is predicted is not exact
#define TRIAL_STEPS 0.1 // analysis.tolerance of trial runs, of ours
#define FINAL_STEPS 0.1 // ... of the model that is chosen, to begin with
#define FINE_STEPS 0.02 // ... of the reference
#define FIRST_STEP 1e-5 // of the run, where the model says nothing
#define COARSER 3.0     // ... when round-off does not let it converge
#define ATTEMPTS 4      // ... this often
#define REFINEMENTS 8   // rounds of step 5
#define HUGE_MESH 2500  // points: its own error is small and its points are many
#define LOOSEST 1e-2    // cubature, to begin with
#define TIGHTEST 1e-7

typedef struct choice {
    gos_ctx *ctx;
    const gos_system *full;
    gos_reduction_def def; // as it is now
    gos_options options;   // of the final run
    double tol;
    gos_reduction out;
    gos_track known[MOST + 3]; // runs of step 1 by number of fields; samples = 0: none
    gos_track reference, last; // last: the model as it is now
    gos_track scratch;
    int points; // of the whole mesh
    bool all_points;
    bool local;      // heat comes in at places
    double cubature; // tolerance it was given last
    double fine;     // analysis.tolerance of the reference
} choice;

/* ---- runs ------------------------------------------------------------------------------------ */

static gos_options with_tolerance(const choice *c, double tolerance) {
    gos_options o = c->options;
    o.step = 0;
    o.tolerance = fmin(0.1, tolerance);
    return o;
}

/* of the model that is chosen */
static gos_options own_options(const choice *c) {
    gos_options o = c->options;
    o.tolerance = c->out.step_tolerance > 0 ? c->out.step_tolerance : o.tolerance;
    return o;
}

/* fields that cannot hold the configuration or the joints: a reduction that does not work, not an
   error of the model. Its messages must not stay. */
static gos_status reduce_quietly(choice *c, const gos_reduction_def *def, gos_ctx *quiet,
                                 gos_system **sys) {
    const gos_status status = gos__rom_make(quiet, c->full, def, NULL, NULL, sys);
    return status == GOS_E_INPUT || status == GOS_E_LIMIT ? GOS_RETRY : status;
}

/* run a definition without cubature; training may be NULL */
static gos_status run_definition(choice *c, const gos_reduction_def *def, double tolerance,
                                 gos_track *track) {
    gos_system *sys = NULL;
    const gos_options o = with_tolerance(c, tolerance);
    gos_ctx *quiet = gos__ctx_quiet(c->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_status status = reduce_quietly(c, def, quiet, &sys);
    if (status == GOS_OK) {
        status = gos__track_run(c->ctx, sys, &o, track, NULL, NULL);
        c->out.runs++;
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
    gos_track *k = &c->known[m];
    if (k->samples > 0) {
        return GOS_OK;
    }
    gos_reduction_def def = c->def;
    def.number = m;
    def.thermal_fields = PLAIN;
    def.points = 2 * m + 4; // more than enough, so that only fields differ
    GOS_TRY(gos__track_create(c->ctx, c->full, &c->options, k));
    return run_definition(c, &def, TRIAL_STEPS * c->tol, k);
}

static gos_status error_of_fields(choice *c, int m, double *error) {
    GOS_TRY(run_fields(c, m));
    GOS_TRY(run_fields(c, m + 2));
    *error = gos__track_distance(c->full, &c->known[m], &c->known[m + 2]).position;
    return GOS_OK;
}

static gos_status choose_fields(choice *c) {
    double error = HUGE_VAL, next;
    GOS_TRY(error_of_fields(c, FEWEST, &error));
    int m = FEWEST;
    for (; m + 1 < MOST; m++) {
        GOS_TRY(error_of_fields(c, m + 1, &next));
        if (fmax(error, next) <= SHARE_FIELDS * c->tol) {
            break;
        }
        error = next;
    }
    c->def.number = m;
    c->out.error_fields = error;
    return GOS_OK;
}

/* functions that are more than enough: all that small meshes have, where peaks are to be held */
static int rich_functions(const choice *c) {
    return c->local && c->full->nt <= MOST_HEAT ? c->full->nt : RICH;
}

static gos_status choose_thermal(choice *c) {
    static const int numbers[] = {2, 3, 4, 5, 6, 8, 10, RICH};
    if (c->full->nt == 0) {
        return GOS_OK;
    }
    gos_reduction_def rich = c->def;
    rich.thermal_fields = rich_functions(c);
    rich.points = 2 * rich.number + 4;
    GOS_TRY(run_definition(c, &rich, TRIAL_STEPS * c->tol, &c->reference));
    for (int i = 0; i < GOS_COUNT(numbers); i++) {
        gos_reduction_def def = c->def;
        def.thermal_fields = numbers[i];
        def.points = 2 * def.number + 4;
        GOS_TRY(run_definition(c, &def, TRIAL_STEPS * c->tol, &c->scratch));
        const gos_distance d = gos__track_distance(c->full, &c->scratch, &c->reference);
        c->def.thermal_fields = numbers[i];
        c->out.error_thermal = d.position;
        if (d.position <= SHARE_THERMAL * c->tol &&
            fmax(d.temperature, d.gradient) <= SHARE_HEAT * c->tol) {
            break;
        }
    }
    return GOS_OK;
}

/* ---- 3: reference ---------------------------------------------------------------------------- */

static gos_status run_reference(choice *c) {
    gos_reduction_def def = c->def;
    def.number += MORE;
    def.on_mesh = c->points <= HUGE_MESH;
    def.thermal_fields =
        def.on_mesh && c->full->nt <= MOST_HEAT ? c->full->nt : def.thermal_fields + MORE;
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

static double error_of_heat(const choice *c, const gos_track *track) {
    const gos_distance d = gos__track_distance(c->full, track, &c->reference);
    return fmax(d.temperature, d.gradient);
}

/* against the reference: of the motion, or of temperatures in their ranges */
static double largest_error(const choice *c, const gos_track *track) {
    const gos_distance d = gos__track_distance(c->full, track, &c->reference);
    return fmax(d.position, error_of_heat(c, track));
}

/* the model as it is now: made, run at its own steps, compared with the reference */
static gos_status run_model(choice *c, const gos_system *sys, double *error) {
    const gos_options o = own_options(c);
    GOS_TRY(gos__track_run(c->ctx, sys, &o, &c->last, NULL, NULL));
    c->out.runs++;
    *error = largest_error(c, &c->last);
    return GOS_OK;
}

int gos__count_points(const gos_system *s) {
    int n = 0;
    for (int i = 0; i < s->npoints; i++) {
        n += s->points[i]->ne * s->points[i]->ng;
    }
    return n;
}

/* few points that follow all of them (c->scratch) to a share of the tolerance, or all points */
static gos_status tighten(choice *c, gos_system *sys, gos_cubature *cubature, double *error) {
    const int all = c->out.all_points;
    for (double tau = LOOSEST; tau >= TIGHTEST; tau /= 10) {
        int n;
        GOS_TRY(gos__cubature_apply(cubature, tau, sys->rom->selection, &n));
        if (2 * n > all) {
            break; // not worth it
        }
        GOS_TRY(run_model(c, sys, error));
        const gos_distance d = gos__track_distance(c->full, &c->last, &c->scratch);
        const bool warm = !c->local || d.temperature <= SHARE_POINTS * c->tol;
        if (d.position <= SHARE_POINTS * c->tol && *error <= ACCEPT * c->tol && warm) {
            c->out.error_points = d.position;
            c->cubature = tau;
            return GOS_OK;
        }
    }
    c->all_points = true;
    c->out.error_points = 0;
    for (int i = 0; i < sys->npoints; i++) { // as it was
        sys->rom->selection[i] = (gos_selection){0};
    }
    gos__cubature_restore(cubature);
    return GOS_OK;
}

static gos_status choose_cubature(choice *c, gos_system *sys, double *error) {
    gos_training training = {0};
    gos_cubature *cubature = NULL;
    const gos_options o = own_options(c);
    c->out.all_points = gos__count_points(sys);
    GOS_TRY(gos__training_create(c->ctx, sys, c->scratch.samples, &training));
    gos_status status = gos__track_run(c->ctx, sys, &o, &c->scratch, &training, NULL);
    c->out.runs++;
    *error = largest_error(c, &c->scratch);
    if (status == GOS_OK && *error <= ACCEPT * c->tol) {
        const double with_all = *error;
        status = gos__cubature_create(c->ctx, sys, &training, &cubature);
        status = status == GOS_OK ? tighten(c, sys, cubature, error) : status;
        *error = c->all_points ? with_all : *error;
        gos__cubature_destroy(cubature);
    } else {
        c->all_points = true;
    }
    if (c->all_points) { // that was the model's run
        const gos_track run = c->scratch;
        c->scratch = c->last;
        c->last = run;
    }
    gos__training_free(c->ctx, &training);
    return status;
}

/* with polynomials of about as many degrees as the mesh has, what it interpolates of them says no
   more; then its modes are the better fields */
static gos_status make_on_mesh(choice *c, gos_system **sys) {
    gos_system *trial = NULL;
    gos_ctx *quiet = gos__ctx_quiet(c->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    const gos_status status = reduce_quietly(c, &c->def, quiet, &trial);
    if (status == GOS_RETRY && c->def.fields == GOS_FIELDS_POLYNOMIALS) {
        c->def.fields = GOS_FIELDS_MODES;
    }
    gos_system_destroy(trial);
    gos_ctx_destroy(quiet);
    return gos__rom_make(c->ctx, c->full, &c->def, NULL, NULL, sys);
}

/* sys: the model with the points that were chosen */
static gos_status choose_points(choice *c, gos_system **sys, double *error) {
    c->out.all_points = 0;
    if (c->def.fields == GOS_FIELDS_POLYNOMIALS && !c->def.on_mesh) {
        GOS_TRY(run_fields(c, c->def.number));
        for (double per_field = 1.5; per_field < 2.6; per_field += 0.5) {
            gos_system_destroy(*sys);
            *sys = NULL;
            c->def.points = (int)ceil(per_field * c->def.number);
            GOS_TRY(gos__rom_make(c->ctx, c->full, &c->def, NULL, NULL, sys));
            GOS_TRY(run_model(c, *sys, error));
            c->out.error_points =
                gos__track_distance(c->full, &c->last, &c->known[c->def.number]).position;
            if (*error <= ACCEPT * c->tol) {
                return GOS_OK;
            }
        }
        if (c->points > HUGE_MESH) {
            return GOS_OK;
        }
        gos_system_destroy(*sys);
        *sys = NULL;
        c->def.on_mesh = true;
    }
    c->all_points = false;
    GOS_TRY(make_on_mesh(c, sys));
    return choose_cubature(c, *sys, error);
}

/* ---- 5: all of it ---------------------------------------------------------------------------- */

/* of the model, whose own run is c->last; also what is met in such a run */
static gos_status error_of_steps(choice *c, gos_system *sys, double *error) {
    const gos_options fine = with_tolerance(c, c->fine);
    sys->rom->range = GOS_NEW(sys->arena, gos_range, sys->npoints + 1);
    if (!sys->rom->range) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__track_run(c->ctx, sys, &fine, &c->scratch, NULL, sys->rom->range));
    c->out.runs++;
    *error = gos__track_distance(c->full, &c->last, &c->scratch).position;
    c->out.residual = c->scratch.learnt.residual;
    c->out.residual_temperature = c->scratch.learnt.residual_temperature;
    return GOS_OK;
}

/* make the largest part smaller */
static void refine(choice *c) {
    const double motion = gos__track_distance(c->full, &c->last, &c->reference).position;
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
        if (error <= ACCEPT * c->tol || c->reference.failed) {
            break;
        }
        refine(c);
    }
    const gos_distance d = gos__track_distance(c->full, &c->last, &c->reference);
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
    c->out.time = gos__now() - start;
    sys->rom->chosen = c->out;
}

static void release(choice *c) {
    for (int i = 0; i < GOS_COUNT(c->known); i++) {
        gos__track_free(c->ctx, &c->known[i]);
    }
    gos__track_free(c->ctx, &c->reference);
    gos__track_free(c->ctx, &c->last);
    gos__track_free(c->ctx, &c->scratch);
}

void gos__auto_first_step(gos_options *options) {
    if (!(options->initial_step > 0)) {
        options->initial_step = FIRST_STEP * options->end;
    }
}

static gos_status prepare(choice *c) {
    gos__auto_first_step(&c->options);
    c->points = gos__count_points(c->full);
    if (c->options.step <= 0 && c->options.analysis == GOS_DYNAMIC) {
        c->out.step_tolerance = FINAL_STEPS * c->tol;
    }
    c->def.cubature = 0;
    c->def.thermal_fields = RICH;
    c->local = gos__rom_has_sources(c->full);
    c->def.on_mesh |= c->local; // their functions are those of the mesh
    GOS_TRY(gos__track_create(c->ctx, c->full, &c->options, &c->reference));
    GOS_TRY(gos__track_create(c->ctx, c->full, &c->options, &c->last));
    return gos__track_create(c->ctx, c->full, &c->options, &c->scratch);
}

/* with fields from polynomials */
static gos_status choose_all(gos_ctx *ctx, const gos_system *full, gos_system **reduced) {
    const double start = gos__now();
    choice *c = gos__zalloc(ctx, 1, sizeof *c);
    gos_system *sys = NULL;
    if (!c) {
        return GOS_E_MEMORY;
    }
    *c = (choice){.ctx = ctx,
                  .full = full,
                  .def = gos__rom_def(full),
                  .options = full->options,
                  .tol = gos__rom_def(full).tolerance};
    gos_status status = prepare(c);
    status = status == GOS_OK ? choose(c, &sys) : status;
    if (status == GOS_OK) {
        status = gos__worth_full(ctx, full, &full->options, &c->last, c->out.step_tolerance,
                                 &c->out.time_full);
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

gos_status gos__rom_train(gos_ctx *ctx, gos_system *sys) {
    const double start = gos__now();
    gos_training training = {0};
    gos_cubature *cubature = NULL;
    gos_track track = {0};
    gos_rom_info *k = sys->rom;
    k->range = GOS_NEW(sys->arena, gos_range, sys->npoints + 1);
    gos_status status = k->range ? GOS_OK : GOS_E_MEMORY;
    k->chosen.all_points = gos__count_points(sys);
    status = status == GOS_OK ? gos__track_create(ctx, sys, &sys->options, &track) : status;
    status = status == GOS_OK ? gos__training_create(ctx, sys, track.samples, &training) : status;
    status = status == GOS_OK ? gos__track_run(ctx, sys, &sys->options, &track, &training, k->range)
                              : status;
    if (status == GOS_OK && track.failed) {
        status = gos__fail(ctx, GOS_E_DIVERGED,
                           "reduction: the run that trains its points does not "
                           "come to its end; give it more fields");
    }
    status = status == GOS_OK ? gos__cubature_create(ctx, sys, &training, &cubature) : status;
    status = status == GOS_OK
                 ? gos__cubature_apply(cubature, k->def.cubature, k->selection, &k->chosen.points)
                 : status;
    gos__cubature_destroy(cubature);
    gos__training_free(ctx, &training);
    gos__track_free(ctx, &track);
    k->chosen.runs = 1;
    k->chosen.number = k->def.number;
    k->chosen.thermal_fields = sys->nt ? k->def.thermal_fields : 0;
    k->chosen.time = gos__now() - start;
    return status;
}

gos_status gos__auto_choose(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    bool modes;
    GOS_TRY(gos__auto_wants_modes(ctx, sys, &modes));
    return modes ? gos__auto_modes(ctx, sys, reduced) : choose_all(ctx, sys, reduced);
}

static gos_status copy_selection(gos_system *sys, const gos_selection *from, gos_selection *to) {
    const size_t n = (size_t)from->n;
    *to = *from;
    to->index = GOS_NEW(sys->arena, int, n + 1);
    to->weight = GOS_NEW(sys->arena, double, n + 1);
    if (!to->index || !to->weight) {
        return GOS_E_MEMORY;
    }
    memcpy(to->index, from->index, n * sizeof *to->index);
    memcpy(to->weight, from->weight, n * sizeof *to->weight);
    return GOS_OK;
}

gos_status gos__rom_take_points(gos_ctx *ctx, gos_system *sys, const gos_rom_info *stored) {
    gos_rom_info *k = sys->rom;
    if (stored->nblock != sys->npoints) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "reduction: the stored points are of another model; reduce it anew");
    }
    for (int i = 0; i < sys->npoints; i++) {
        const gos_selection *s = &stored->selection[i];
        if (s->n > 0 && s->all != sys->points[i]->ne) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "reduction: the stored points are of another model; reduce it anew");
        }
        if (s->n > 0) {
            GOS_TRY(gos__cubature_select(sys, i, sys->points[i], s));
            GOS_TRY(copy_selection(sys, s, &k->selection[i]));
        }
    }
    if (stored->range) {
        k->range = GOS_NEW(sys->arena, gos_range, sys->npoints + 1);
        if (!k->range) {
            return GOS_E_MEMORY;
        }
        memcpy(k->range, stored->range, (size_t)stored->nblock * sizeof *k->range);
    }
    k->chosen = stored->chosen;
    k->chosen.time = 0;
    if (k->chosen.step_tolerance > 0) {
        sys->options.tolerance = k->chosen.step_tolerance;
        gos__auto_first_step(&sys->options);
    }
    return GOS_OK;
}
