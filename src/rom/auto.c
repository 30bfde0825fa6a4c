/* Dispatch of method auto (auto_full.c, auto_long.c); trains points for given fields and
   restores stored ones. */
#include "rom/auto.h"

#include <math.h>

#include "rom/auto_choice.h"

// No origin is recorded for these values; dimensionless unless stated.
#define FIRST_STEP 1e-5     // initial step relative to `end`, if none is given
#define MAX_COST_RATIO 1.3  // largest total cost of few runs, relative to full runs
#define BUDGET_FRACTION 0.3 // part of many full runs that a reduction may cost ...
#define MAX_BUDGET_RUNS 30  // ... up to as many runs

int gos__count_points(const gos_system *s) {
    int n = 0;
    for (int i = 0; i < s->npoints; i++) {
        n += s->points[i]->ne * s->points[i]->ng;
    }
    return n;
}

double gos__auto_budget(double runs) {
    return runs > 0 ? fmin(MAX_COST_RATIO * runs,
                           fmin(MAX_BUDGET_RUNS, fmax(GOS_BUDGET_RUNS, BUDGET_FRACTION * runs)))
                    : GOS_BUDGET_RUNS;
}

void gos__auto_first_step(gos_options *options) {
    if (!(options->initial_step > 0)) {
        options->initial_step = FIRST_STEP * options->end;
    }
}

gos_status gos__rom_train(gos_ctx *ctx, gos_system *sys) {
    const double start = gos__cpu_time();
    gos_training training = {0};
    gos_cubature *cubature = NULL;
    gos_trial_runs track = {0};
    gos_rom_info *k = sys->rom;
    k->range = GOS_NEW(sys->arena, gos_range, sys->npoints + 1);
    gos_status status = k->range ? GOS_OK : GOS_E_MEMORY;
    k->chosen.all_points = gos__count_points(sys);
    status = status == GOS_OK ? gos__trial_runs_create(ctx, sys, &sys->options, &track) : status;
    status = status == GOS_OK ? gos__training_create(ctx, sys, track.samples, &training) : status;
    status = status == GOS_OK
                 ? gos__trial_runs_run(ctx, sys, &sys->options, &track, &training, k->range)
                 : status;
    if (status == GOS_OK && track.failed) {
        status = gos__fail(
            ctx, GOS_E_DIVERGED,
            "reduction: the training run for the integration points failed; increase the number "
            "of fields");
    }
    status = status == GOS_OK ? gos__cubature_create(ctx, sys, &training, 1, &cubature) : status;
    status = status == GOS_OK
                 ? gos__cubature_apply(cubature, k->def.cubature, k->selection, &k->chosen.points)
                 : status;
    gos__cubature_destroy(cubature);
    gos__training_free(ctx, &training);
    gos__trial_runs_free(ctx, &track);
    k->chosen.runs = 1;
    k->chosen.number = k->def.number;
    k->chosen.thermal_fields = sys->nt ? k->def.thermal_fields : 0;
    k->chosen.time = gos__cpu_time() - start;
    return status;
}

gos_status gos__auto_choose(gos_ctx *ctx, const gos_system *sys, double runs,
                            gos_system **reduced) {
    bool modes;
    GOS_TRY(gos__auto_requires_modes(ctx, sys, &modes));
    return !modes && gos__auto_is_long(sys) ? gos__auto_long(ctx, sys, runs, reduced)
                                            : gos__auto_full(ctx, sys, modes, runs, reduced);
}

bool gos_reduce_runs_full(gos_ctx *ctx, const gos_system *sys) {
    bool modes = false;
    const gos_system_method *method = gos__system_method(sys);
    return method && method->choose == gos__auto_choose && !sys->reduced &&
           (gos__auto_requires_modes(ctx, sys, &modes) != GOS_OK || modes ||
            !gos__auto_is_long(sys));
}

static gos_status copy_selection(gos_system *sys, const gos_selection *from, gos_selection *to) {
    const size_t n = from->n;
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

/* The steps of the reduction, for which the error was predicted, unless the model has stated
   another tolerance since. */
static void take_tolerance(gos_ctx *ctx, gos_options *o, const gos_rom_info *k) {
    const double chosen = k->chosen.step_tolerance, stated = o->tolerance;
    const bool changed = k->model_tolerance > 0 && stated != k->model_tolerance;
    const bool used = !(o->step > 0) && o->analysis == GOS_DYNAMIC;
    char text[300];
    if (!(chosen > 0)) {
        return;
    }
    gos__auto_first_step(o);
    o->tolerance = changed ? stated : chosen;
    if (!used || stated == chosen) {
        return;
    }
    if (changed && stated > chosen) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "analysis.tolerance %.3g is used; the predicted error of the reduced model "
                  "belongs to %.3g and does not include the errors of longer steps",
                  stated, chosen);
        return;
    }
    gos__format(text, sizeof text,
                changed ? "analysis.tolerance %.3g is used, not %.3g of the reduction"
                        : "analysis.tolerance %.3g is replaced by %.3g, for which the reduction "
                          "predicted its error; a value changed since the reduction is used",
                stated, chosen);
    gos__note(ctx, "reduction", text);
}

gos_status gos__rom_take_points(gos_ctx *ctx, gos_system *sys, const gos_rom_info *stored) {
    gos_rom_info *k = sys->rom;
    if (stored->nblock != sys->npoints) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "reduction: the stored points belong to another model; repeat the reduction");
    }
    for (int i = 0; i < sys->npoints; i++) {
        const gos_selection *s = &stored->selection[i];
        if (s->n > 0 && s->all != sys->points[i]->ne) {
            return gos__fail(
                ctx, GOS_E_INPUT,
                "reduction: the stored points belong to another model; repeat the reduction");
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
        memcpy(k->range, stored->range, stored->nblock * sizeof *k->range);
    }
    k->chosen = stored->chosen;
    k->chosen.time = 0;
    k->model_tolerance = stored->model_tolerance;
    take_tolerance(ctx, &sys->options, k);
    return GOS_OK;
}
