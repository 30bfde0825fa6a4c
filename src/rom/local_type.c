#include "rom/local_rows.h"
#include "signals/feedback.h"
#include "signals/loops.h"
#include "system/derived.h"

const gos_param gos__local_threshold_params[] = {
    {.name = "displacement",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.002",
     .offset =
         offsetof(gos_local_def, thresholds.displacement) - offsetof(gos_local_def, thresholds),
     .doc = "an interval ends when any node has moved further than this since its start (or an "
            "axis of a rigid body, scaled to its radius of gyration)"},
    {.name = "temperature",
     .kind = GOS_K_NUMBER,
     .unit = "K",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.02",
     .offset =
         offsetof(gos_local_def, thresholds.temperature) - offsetof(gos_local_def, thresholds),
     .doc = "an interval ends when any mean temperature has changed by more than this"},
    {0},
};

gos_status gos__local_refuse(gos_ctx *ctx, const gos_system *sys) {
    const char *name = sys->reduction.type->name;
    const gos_item *feedback = gos__feedback_item(sys);
    if (sys->derived) {
        return gos__fail_at(ctx, GOS_E_USE, sys->derived->body[0].loc, sys->derived->body[0].name,
                            "is a floating body, which `reduction: %s` does not support; use "
                            "rotation_closed, which reduces the other bodies, or run the full "
                            "model, if needed with `floating_bodies: reduced`",
                            name);
    }
    if (sys->loops) {
        const gos_controller *c = sys->loops->loop[0].law;
        return gos__fail_at(ctx, GOS_E_USE, c->loc, c->object,
                            "reduction: %s does not support controllers; use rotation_closed, or "
                            "run the full model",
                            name);
    }
    for (int i = 0; i < sys->nbody; i++) {
        if (sys->body[i]->ops->port) {
            return gos__fail_at(ctx, GOS_E_USE, sys->body[i]->loc, sys->body[i]->name,
                                "`reduction: %s` does not support bodies given by matrices or "
                                "patches on plates; use rotation_closed, or run the full model",
                                name);
        }
    }
    for (int i = 0; i < sys->nitem; i++) {
        if (sys->item[i]->stores_heat) {
            return gos__fail_at(ctx, GOS_E_USE, sys->item[i]->loc, sys->item[i]->name,
                                "reduction: %s does not support specific heats that depend on the "
                                "temperature; use rotation_closed, or run the full model",
                                name);
        }
    }
    return feedback ? gos__fail_at(ctx, GOS_E_USE, feedback->loc, feedback->name,
                                   "reduction: %s does not support inputs that depend on probes; "
                                   "use rotation_closed",
                                   name)
                    : GOS_OK;
}

gos_status gos__local_def(gos_ctx *ctx, const gos_system *sys, gos_local_def *def) {
    const gos_type *type = sys->reduction.type;
    const gos_reduction_ops *ops = type->ops;
    if (!ops->nonlinear || !ops->nonlinear->local) {
        return gos__fail(ctx, GOS_E_USE,
                         "local linearisation requires a method such as `reduction: {method: "
                         "complex_modes, ...}`; the model specifies %s",
                         type->name);
    }
    GOS_TRY(gos__local_refuse(ctx, sys));
    ops->nonlinear->local(sys->reduction.def, def);
    return GOS_OK;
}
