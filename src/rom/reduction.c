#include "gossamer/reduce.h"
#include "rom/comparison.h"
#include "rom/limits.h"
#include "rom/rom.h"
#include "system/derived.h"

#define TIME_DECIDES_FROM 1 // shortest full run whose time alone decides [s]
#define SLOWDOWN_MARGIN 1.5 // relative time beyond the accuracy of timing

static bool is_reducible(const gos_body *b) {
    return b->nv > 0 && (b->ops->fields || b->ops->port);
}

/* the first floating body, if no other type of body deforms or has a temperature field */
static const gos_body *only_floats(const gos_system *s) {
    const gos_body *first = NULL;
    for (int i = s->nbody - 1; i >= 0; i--) {
        if (is_reducible(s->body[i])) {
            return NULL;
        }
        first = s->body[i]->derived || s->body[i]->still ? s->body[i] : first;
    }
    return first;
}

gos_status gos__rom_check_shadows(gos_ctx *ctx, const gos_system *sys) {
    return sys->shadows
               ? gos__fail(ctx, GOS_E_USE,
                           "shadows (shaded_by) and view factors (enclosure) require the surfaces "
                           "of the full model, which a reduced model does not have; run the full "
                           "model, or remove them")
               : GOS_OK;
}

static gos_status method_of(gos_ctx *ctx, const gos_system *sys, const gos_system_method **method) {
    if (sys->steady_heat) {
        return gos__fail(
            ctx, GOS_E_USE,
            "analysis: reduced models do not support `heat: steady`; use heat: dynamic");
    }
    GOS_TRY(gos__rom_check_shadows(ctx, sys));
    const gos_body *floats = only_floats(sys);
    if (floats) {
        char object[GOS_LIMIT_NAME + 16];
        gos__format(object, sizeof object, "body '%s'", floats->name);
        return gos__fail_at(ctx, GOS_E_USE, floats->loc, object,
                            "is a floating body, and no other body deforms: the reduction of a "
                            "model leaves floating bodies unchanged; run it with `floating_bodies: "
                            "reduced`, by their entries `reduce`");
    }
    *method = gos__system_method(sys);
    return *method ? GOS_OK
                   : gos__fail(ctx, GOS_E_USE,
                               "reduction: %s yields a linear model, for modes and responses, "
                               "with `gossamer reduce`; for runs use auto, rotation_closed, "
                               "complex_modes, complex_synthesis or local_pod",
                               sys->reduction.type->name);
}

gos_status gos_reduce(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    const gos_system_method *method;
    GOS_TRY(method_of(ctx, sys, &method));
    return method->reduce(ctx, sys, reduced);
}

static gos_status choose(gos_ctx *ctx, const gos_system *sys, double runs, gos_system **reduced) {
    const gos_system_method *method;
    GOS_TRY(method_of(ctx, sys, &method));
    return method->choose && !sys->reduced ? method->choose(ctx, sys, runs, reduced)
                                           : method->reduce(ctx, sys, reduced);
}

gos_status gos_reduce_auto(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    GOS_TRY(choose(ctx, sys, 0, reduced));
    gos__rom_limits(ctx, *reduced);
    return GOS_OK;
}

gos_status gos_reduce_for(gos_ctx *ctx, const gos_system *sys, double runs, bool compare,
                          gos_system **reduced) {
    gos_system *made = NULL;
    GOS_TRY(choose(ctx, sys, runs, &made));
    const gos_status status = compare ? gos__rom_compare(ctx, made) : GOS_OK;
    if (status != GOS_OK) {
        gos_system_destroy(made);
        return status;
    }
    if (made->rom) {
        made->rom->chosen.served = runs;
    }
    *reduced = made;
    gos__rom_limits(ctx, made);
    return GOS_OK;
}

void gos_reduction_get(const gos_system *reduced, gos_reduction *reduction) {
    *reduction = reduced->rom        ? reduced->rom->chosen
                 : reduced->compared ? *reduced->compared
                                     : (gos_reduction){0};
}

gos_acceptance gos_reduction_accept_error(const gos_reduction *r) {
    if (!(r->tolerance > 0)) {
        return r->work > 0 ? GOS_NOT_REPEATED : GOS_NOT_COMPARED;
    }
    return r->predicted <= r->tolerance && r->predicted_temperature <= r->tolerance
               ? GOS_ACCEPTED
               : GOS_NOT_ACCURATE;
}

gos_acceptance gos_reduction_accept(const gos_reduction *r, double runs) {
    const double n = runs > 0 ? runs : 1, made = runs > 0 ? r->work : 0;
    const double seconds = runs > 0 ? r->time : 0;
    const gos_acceptance error = gos_reduction_accept_error(r);
    if (error != GOS_ACCEPTED) { // work_run: extrapolated cost of a run that was stopped
        return error == GOS_NOT_REPEATED && r->work_run > 1 ? GOS_NOT_CHEAPER : error;
    }
    // reject if both the counted work and the measured time exceed those of the full model, or if
    // the time alone does by half
    const bool counted = !(r->work_run > 0) || made + n * r->work_run > n;
    const double time = seconds + n * r->time_run, full = n * r->time_full;
    return (counted && time > full) || (full > TIME_DECIDES_FROM && time > SLOWDOWN_MARGIN * full)
               ? GOS_NOT_CHEAPER
               : GOS_ACCEPTED;
}

const char *gos_acceptance_text(gos_acceptance acceptance) {
    static const char *const text[] = {
        [GOS_ACCEPTED] = "",
        [GOS_NOT_COMPARED] = "its error is unknown, because it was not compared with a full run",
        [GOS_NOT_REPEATED] =
            "its error is unknown, because the reduced run did not complete the training run",
        [GOS_NOT_ACCURATE] = "it misses the tolerance",
        [GOS_NOT_CHEAPER] = "it costs more than the full model"};
    return (unsigned)acceptance < GOS_COUNT(text) ? text[acceptance] : "";
}
