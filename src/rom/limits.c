#include "rom/limits.h"

#include <math.h>

#include "base/reproducible.h"
#include "rom/pod.h"
#include "rom/rom.h"

#define WARNING_OBJECT "reduction" // object of these warnings
#define ACCURACY 0.25              // relative accuracy of timing
#define MIN_REACHED 0.01           // part of a run from which its cost is extrapolated
static const char unknown_text[] =
    "its error is unknown, because no comparison was made; use method auto, or compare with a full "
    "run";
static const char unable_text[] =
    "its error is unknown: the reduced run stopped after %.3g %% of the training run, because it "
    "failed or exceeded its work limit or 1.5 times the steps of the full model%s; run the full "
    "model";
static const char no_reference_text[] =
    "its error is unknown: the full model does not reach the end of the analysis, so there is "
    "nothing to compare with; correct the full run first (gossamer run)";
static const char slower_text[] = "not worth reducing: a reduced run takes about %.2g s, a full "
                                  "run about %.2g s; run the full model";
static const char alone_text[] =
    "not worth reducing for %s: the reduction took %.2g s and a reduced run takes %.2g s, a full "
    "run about %.2g s; run the full model, or store the reduced model (gossamer reduce) if you "
    "need at least %.0f runs";
static const char missed_text[] =
    "the tolerance %.3g cannot be met: the predicted errors are %.3g of the extent and %.3g of "
    "the range of temperatures with %d coordinates and %d temperature functions; increase the "
    "tolerance or run the model in full";

static const char lost_text[] =
    "its error is larger than the motion of the training run (the extent, or the range of "
    "temperatures), so its value is unknown; run the full model";

static const char section_text[] =
    "the predicted error does not cover '%s': its local heat sources, or displacements caused by "
    "them, were not all included in the reduction, so strains and section forces near them may be "
    "wrong; repeat the reduction with these sources and `fields: modes`, or compare with a full "
    "run";

static const char trained_text[] =
    "its basis was derived from a single full run (%d states of the first %.3g s, with the loads "
    "of this model); the error for other loads, initial values or times is unknown";

/* true if this context already has such a warning */
static bool is_reported(const gos_ctx *ctx, const char *text) {
    const size_t n = strcspn(text, "%");
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        if (d->status == GOS_OK && d->object && strcmp(d->object, WARNING_OBJECT) == 0 &&
            strncmp(d->text, text, n) == 0) {
            return true;
        }
    }
    return false;
}

/* For a stored model the reduction is already paid for. */
static void warn_of_no_saving(gos_ctx *ctx, const gos_reduction *r) {
    const double saved = r->time_full - r->time_run;
    if (gos__reproducible() || !(r->time_full > 0) || !(r->time_run > 0)) {
        return;
    }
    // if so, warn only about a clearly slower model
    if (!(saved > (r->time > 0 ? 0 : -ACCURACY * r->time_full))) {
        if (!is_reported(ctx, slower_text)) {
            gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, slower_text, r->time_run, r->time_full);
        }
    }
}

void gos__rom_warn_single_run(gos_ctx *ctx, const gos_system *sys) {
    gos_reduction r;
    gos_reduction_get(sys, &r);
    const double saved = r.time_full - r.time_run, runs = fmax(r.served, 1);
    if (!gos__reproducible() && sys->full && r.time_run > 0 && saved > 0 && r.time > runs * saved &&
        !is_reported(ctx, alone_text)) {
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, alone_text,
                  runs > 1 ? "so few runs" : "a single run", r.time, r.time_run, r.time_full,
                  ceil(r.time / saved));
    }
}

/* first probe of strains near local sources that the displacements do not represent */
static void warn_of_sections(gos_ctx *ctx, const gos_system *sys) {
    static const char *const local[] = {"strain", "curvature", "section_force", "section_moment"};
    const uint64_t heat = gos__rom_local_heat(sys->full);
    if (heat == GOS_HASH_BEGIN || (sys->rom && sys->rom->sources == heat)) {
        return;
    }
    for (int i = 0; i < gos_system_nprobes(sys); i++) {
        gos_probe_info p;
        gos_system_probe_info(sys, i, &p);
        for (int k = 0; k < GOS_COUNT(local); k++) {
            if (strcmp(p.quantity, local[k]) == 0) {
                if (!is_reported(ctx, section_text)) {
                    gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, section_text, p.name);
                }
                return;
            }
        }
    }
}

static void warn_of_failure(gos_ctx *ctx, const gos_reduction *r) {
    if (!(r->reached > 0) && !is_reported(ctx, no_reference_text)) {
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, no_reference_text);
    } else if (r->reached > 0 && !is_reported(ctx, unable_text)) {
        char cost[80] = "";
        if (r->reached >= MIN_REACHED) {
            gos__format(cost, sizeof cost, "; a complete run would cost about %.2g full runs",
                        r->work_run);
        }
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, unable_text, 100 * r->reached, cost);
    }
}

void gos__rom_limits(gos_ctx *ctx, const gos_system *sys) {
    gos_reduction r;
    gos_reduction_get(sys, &r);
    if (!sys->full) {
        return;
    }
    if (!(r.tolerance > 0) && r.work > 0) {
        warn_of_failure(ctx, &r);
    } else if (!(r.tolerance > 0) && !(r.work > 0) && !is_reported(ctx, unknown_text)) {
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, unknown_text);
    }
    if (sys->pod && !is_reported(ctx, trained_text)) {
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, trained_text, sys->pod->states,
                  sys->pod->to - sys->pod->from);
    }
    const bool met_tolerance = r.predicted <= r.tolerance && r.predicted_temperature <= r.tolerance;
    const bool lost = !(r.predicted <= 1) || !(r.predicted_temperature <= 1);
    if (r.tolerance > 0 && lost && !is_reported(ctx, lost_text)) {
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, lost_text);
    } else if (r.tolerance > 0 && !lost && !met_tolerance && !is_reported(ctx, missed_text)) {
        gos__warn(ctx, (gos_loc){0}, WARNING_OBJECT, missed_text, r.tolerance, r.predicted,
                  r.predicted_temperature, sys->nq, r.thermal_fields);
    }
    warn_of_sections(ctx, sys);
    warn_of_no_saving(ctx, &r);
}
