/* Requirements on a system to become a functional mock-up unit. */
#include "fmu/variables.h"

#include "probes/probe.h"

static gos_status refuse(gos_ctx *ctx, const char *why) {
    return gos__fail(ctx, GOS_E_INPUT,
                     "model exchange needs ordinary differential equations, but %s; use "
                     "co-simulation (--kind cs)",
                     why);
}

/* First item with constraints that are not linear with constant coefficients. Integration
   preserves linear invariants, so these only need consistent accelerations. */
static const gos_item *constrained(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (it->nc + it->nh > 0 && !(it->linear && it->nfn == 0)) {
            return it;
        }
    }
    return NULL;
}

static const gos_item *switching(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->type && s->item[i]->type->events) {
            return s->item[i];
        }
    }
    return NULL;
}

static gos_status check_exchange(gos_ctx *ctx, const gos_system *s) {
    char text[400];
    const gos_item *it = switching(s);
    if (s->stepper) {
        gos__format(text, sizeof text, "a model of method %s is integrated in modal coordinates",
                    s->reduction.type->name);
        return refuse(ctx, text);
    }
    const gos_item *rows = constrained(s);
    if (rows) {
        gos__format(text, sizeof text,
                    "%.120s has constraints that are nonlinear in the coordinates, or driven",
                    rows->name ? rows->name : "a rigid body");
        return refuse(ctx, text);
    }
    if (s->steady_heat) {
        return refuse(
            ctx, "its temperatures are always in equilibrium, which is an algebraic condition");
    }
    if (s->options.motion == GOS_MOTION_QUASI_STATIC) {
        return refuse(ctx, "its displacements are always in equilibrium (`motion: quasi_static`), "
                           "which is an algebraic condition");
    }
    for (int i = 0; i < s->nprobe; i++) {
        if (strcmp(gos__probe_quantity(s->probe[i]), "energy") == 0) {
            gos__format(text, sizeof text,
                        "probe '%.64s' shows energies that are accumulated from step to step",
                        s->probe[i]->name);
            return refuse(ctx, text);
        }
    }
    if (s->nmem > 0 || it) {
        gos__format(text, sizeof text,
                    "%.120s has memory or switches (latches, stops, friction, sampled controllers)",
                    it && it->name ? it->name : "an entry of this model");
        return refuse(ctx, text);
    }
    return GOS_OK;
}

gos_status gos__fmu_check(gos_ctx *ctx, const gos_system *sys, gos_fmu_kind kind) {
    if (sys->options.analysis == GOS_STATIC) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "a unit is simulated in time, but the analysis of this model is static; "
                         "give it `analysis: {type: dynamic, end: ...}`");
    }
    return kind == GOS_FMU_MODEL_EXCHANGE ? check_exchange(ctx, sys) : GOS_OK;
}
