/* Controller design for a model, from its linearised system without controllers. */
#include "statics/control_design.h"

#include "control/design.h"
#include "gossamer/linearise.h"
#include "gossamer/sim.h"
#include "signals/settings_design.h"
#include "system/system.h"

/* system of the model without controllers */
static gos_status open_system(gos_ctx *ctx, gos_model *model, const gos_design_options *o,
                              gos_system **sys) {
    gos_node *section = gos__node_get(model->root, "controllers");
    const int n = section ? section->n : 0;
    gos_node *child = section ? section->child : NULL;
    if (section) {
        section->n = 0;
        section->child = NULL;
    }
    model->nominal = true;
    model->nsense = o->nsense;
    model->sense = o->sense;
    model->sense_quantity = gos__design_sensed(o);
    const gos_status status = gos_system_create(ctx, model, sys);
    model->nominal = false;
    model->nsense = 0;
    if (section) {
        section->n = n;
        section->child = child;
    }
    return status;
}

static gos_status linearise(gos_ctx *ctx, const gos_system *sys, const gos_design_point *about,
                            gos_state *state, gos_linear **linear) {
    static const gos_operating_kind kind[] = {[GOS_DESIGN_INITIAL] = GOS_OPERATING_INITIAL,
                                              [GOS_DESIGN_EQUILIBRIUM] = GOS_OPERATING_EQUILIBRIUM,
                                              [GOS_DESIGN_TIME] = GOS_OPERATING_TIME};
    const gos_operating_point point = {.kind = kind[about->about], .time = about->time};
    gos_options options;
    gos_options_get(sys, &options);
    GOS_TRY(gos_state_find_operating_point(ctx, sys, &options, &point, state));
    return gos_linearise_at(ctx, sys, &options, &point, state, linear);
}

static gos_status value_of(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                           const char *signal, double *value) {
    char name[GOS_LIMIT_NAME + 1];
    const char *dot = strrchr(signal, '.'); // electrode names contain dots, too
    const size_t n = dot ? (size_t)(dot - signal) : strlen(signal);
    gos__format(name, sizeof name, "%.*s", (int)n, signal);
    const int at = gos_system_probe_find(sys, name);
    double all[GOS_PROBE_MAX];
    gos_probe_info info;
    if (at < 0) { // a pure matrix output, which is 0 at its only state
        *value = 0;
        return GOS_OK;
    }
    gos_system_probe_info(sys, at, &info);
    GOS_TRY(gos_system_probe(ctx, sys, state, at, all, NULL));
    *value = all[0];
    for (int c = 0; c < info.ncomp && signal[n]; c++) {
        *value = strcmp(info.components[c], signal + n + 1) == 0 ? all[c] : *value;
    }
    return GOS_OK;
}

/* signals are relative to the linearisation state */
static gos_status set_origin(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                             gos_design *d) {
    if (!d->has_law) {
        return GOS_OK;
    }
    double *y0 = GOS_NEW(d->arena, double, d->law.ny + 1);
    if (!y0) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < d->law.ny; i++) {
        GOS_TRY(value_of(ctx, sys, state, d->law.signal[i], &y0[i]));
    }
    d->law.y0 = y0;
    return GOS_OK;
}

gos_status gos_design_model(gos_ctx *ctx, gos_model *model, const char *name, gos_design **design) {
    return gos__design_model(ctx, model, name, NULL, design);
}

gos_status gos__design_model(gos_ctx *ctx, gos_model *model, const char *name,
                             gos_design_visitor visit, gos_design **design) {
    gos_design_options options;
    gos_design_point about;
    const gos_node *entry;
    gos_system *sys = NULL;
    gos_state *state = NULL;
    gos_linear *linear = NULL;
    gos_design *made = NULL;
    GOS_TRY(gos__design_settings(ctx, model, name, &options, &about, &entry));
    gos_status status = open_system(ctx, model, &options, &sys);
    status = status == GOS_OK ? gos_state_create(ctx, sys, &state) : status;
    status = status == GOS_OK ? linearise(ctx, sys, &about, state, &linear) : status;
    options.histories = visit != NULL;
    if (status == GOS_OK) {
        status = gos_design_create(ctx, linear, &options, &made);
        if (status == GOS_E_INPUT || status == GOS_E_USE) {
            (void)gos__fail_at(ctx, status, entry->key_loc, NULL, "while designing '%s'",
                               entry->key);
        }
    }
    if (status == GOS_OK &&
        about.about == GOS_DESIGN_INITIAL) { // the initial configuration is at rest
        memset(state->v, 0, (size_t)sys->nq * sizeof *state->v);
    }
    status = status == GOS_OK ? set_origin(ctx, sys, state, made) : status;
    if (status == GOS_OK && visit) {
        status = visit(ctx, &(gos_design_scene){sys, state, linear, entry->key}, made);
    }
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    if (status != GOS_OK) {
        gos_design_destroy(made);
        return status;
    }
    *design = made;
    return GOS_OK;
}
