/* Accessors of a design. */
#include "control/design.h"

gos_status gos__design_create(gos_ctx *ctx, gos_design **design) {
    gos_arena *arena = gos__arena_create(ctx);
    gos_design *d = arena ? GOS_NEW(arena, gos_design, 1) : NULL;
    if (!d) {
        gos__arena_destroy(arena);
        return GOS_E_MEMORY;
    }
    d->ctx = ctx;
    d->arena = arena;
    *design = d;
    return GOS_OK;
}

void gos_design_destroy(gos_design *design) {
    if (design) {
        gos__arena_destroy(design->arena);
    }
}

void gos_design_get(const gos_design *design, gos_design_report *report) {
    *report = design->report;
}

const gos_control_law *gos_design_law(const gos_design *design) {
    return design->has_law ? &design->law : NULL;
}

const gos_root *gos_design_poles(const gos_design *design, bool plant, int *n) {
    *n = plant ? design->nplant_pole : design->npole;
    return plant ? design->plant_pole : design->pole;
}

const gos_root *gos_design_open_poles(const gos_design *design, int *n) {
    *n = design->nopen;
    return design->open;
}

const gos_design_history *gos_design_histories(const gos_design *design, int *n,
                                               const char **none) {
    *n = design->ncourse;
    *none = design->no_course;
    return design->course;
}

const gos_design_mode *gos_design_modes(const gos_design *design, int *n) {
    *n = design->nmode;
    return design->mode;
}

const gos_design_input *gos_design_inputs(const gos_design *design, int *n) {
    *n = design->ncandidate;
    return design->candidate;
}

const gos_design_error *gos_design_errors(const gos_design *design, int *n) {
    *n = design->nerror;
    return design->error;
}

const char *gos_design_error_name(gos_design_error_kind kind) {
    static const char *const name[] = {"feed-through", "gain", "frequency"};
    return kind >= GOS_ERROR_FEEDTHROUGH && kind <= GOS_ERROR_FREQUENCY ? name[kind] : "";
}
