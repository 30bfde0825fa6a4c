#include "gossamer/reduce.h"
#include "rom/limits.h"
#include "rom/rom.h"
#include "system/made.h"

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
        first = s->body[i]->made || s->body[i]->still ? s->body[i] : first;
    }
    return first;
}

static gos_status method_of(gos_ctx *ctx, const gos_system *sys, const gos_system_method **method) {
    if (sys->steady_heat) {
        return gos__fail(
            ctx, GOS_E_USE,
            "analysis: reduced models do not support `heat: steady`; use heat: dynamic");
    }
    if (sys->shadows) {
        return gos__fail(
            ctx, GOS_E_USE,
            "shadows (shaded_by) and view factors (enclosure) require the surfaces of the full "
            "model, which a reduced model does not have; run the full model, or remove them");
    }
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

gos_status gos_reduce_auto(gos_ctx *ctx, const gos_system *sys, gos_system **reduced) {
    const gos_system_method *method;
    GOS_TRY(method_of(ctx, sys, &method));
    GOS_TRY((method->choose && !sys->reduced ? method->choose : method->reduce)(ctx, sys, reduced));
    gos__rom_limits(ctx, *reduced);
    return GOS_OK;
}

void gos_reduction_get(const gos_system *reduced, gos_reduction *reduction) {
    *reduction = reduced->rom ? reduced->rom->chosen : (gos_reduction){0};
}
