/* Error of a reduced model of given order: the distance of its run from the run of the full model,
   both with the model's own steps. */
#include "rom/comparison.h"

#include <math.h>

#include "rom/auto.h"
#include "rom/types.h"

#define MAX_COST 10       // limit of a reduced run, in full-model runs
#define FAILED_REACH 1e-6 // part of a run that failed at its first step

typedef struct comparison {
    gos_ctx *ctx;
    gos_system *reduced;
    gos_trial_runs of_full, of_reduced;
    gos_reduction *to;
} comparison;

static gos_status result_slot(comparison *k) {
    gos_system *s = k->reduced;
    if (s->rom) {
        k->to = &s->rom->chosen;
        s->rom->range =
            s->rom->range ? s->rom->range : GOS_NEW(s->arena, gos_range, s->npoints + 1);
        return s->rom->range ? GOS_OK : GOS_E_MEMORY;
    }
    k->to = s->compared = GOS_NEW(s->arena, gos_reduction, 1);
    return k->to ? GOS_OK : GOS_E_MEMORY;
}

static void store_result(comparison *k, double tolerance) {
    const gos_trial_runs *full = &k->of_full, *run = &k->of_reduced;
    gos_reduction *r = k->to;
    r->runs += 2;
    r->time_full = full->seconds;
    r->time_run = run->seconds;
    r->reached = fmax(run->reached, FAILED_REACH);
    // work of local linearisation is not counted
    const double work = k->reduced->rom && full->work > 0 ? run->work / full->work : 0;
    r->work_run = work / r->reached;
    r->work += 1 + work;
    if (run->failed) {
        return;
    }
    const gos_distance d = gos__trial_runs_distance(k->reduced->full, run, full);
    r->tolerance = tolerance;
    r->predicted = d.position;
    r->predicted_temperature = k->reduced->rom ? gos__heat_of(d) : d.temperature;
    const gos_probe_difference probes = gos__trial_runs_probes(k->reduced->full, run, full);
    gos__probe_difference_note(k->ctx, k->reduced->full, &probes);
    r->residual = run->residuals.residual;
    r->residual_temperature = run->residuals.residual_temperature;
}

static gos_status run_both(comparison *k) {
    const gos_system *full = k->reduced->full;
    gos_options of_full = full->options, of_reduced = k->reduced->options;
    gos__auto_first_step(&of_full);
    gos__auto_first_step(&of_reduced);
    GOS_TRY(gos__trial_runs_create(k->ctx, full, &of_full, &k->of_full));
    GOS_TRY(gos__trial_runs_create(k->ctx, full, &of_reduced, &k->of_reduced));
    GOS_TRY(gos__trial_runs_run(k->ctx, full, &of_full, &k->of_full, NULL, NULL));
    if (k->of_full.failed) {
        return GOS_OK;
    }
    GOS_TRY(result_slot(k));
    gos_rom_info *rom = k->reduced->rom;
    k->of_reduced.work_limit = rom ? MAX_COST * k->of_full.work : 0;
    GOS_TRY(gos__trial_runs_run(k->ctx, k->reduced, &of_reduced, &k->of_reduced, NULL,
                                rom ? rom->range : NULL));
    store_result(k, gos__rom_def(full).tolerance);
    return GOS_OK;
}

gos_status gos__rom_compare(gos_ctx *ctx, gos_system *reduced) {
    gos_reduction report;
    gos_reduction_get(reduced, &report);
    if (report.tolerance > 0 || report.work > 0 || !reduced->full) {
        return GOS_OK;
    }
    const double start = gos__cpu_time();
    comparison k = {.ctx = ctx, .reduced = reduced};
    const gos_status status = run_both(&k);
    gos__trial_runs_free(ctx, &k.of_full);
    gos__trial_runs_free(ctx, &k.of_reduced);
    if (k.to) {
        k.to->time += gos__cpu_time() - start;
    }
    return status;
}
