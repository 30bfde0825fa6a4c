/* Registry of all entry types. */
#include "floating/floating_mesh.h"
#include "bodies/piezo.h"
#include "plate/plate.h"
#include "bodies/bodies.h"
#include "floating/sid.h"
#include "solid/solid.h"
#include "controllers/controllers.h"
#include "gossamer/system.h"
#include "heat/heat.h"
#include "joints/joints.h"
#include "loads/loads.h"
#include "mesh/generate.h"
#include "mesh/named_sets.h"
#include "model/reference.h"
#include "signals/zero_crossing.h"
#include "system/reduction.h"
#include "system/settings.h"
#include "signals/settings_design.h"
#include "system/system.h"

static const gos_type *const all[] = {
    &gos__settings_model,
    &gos__material,
    &gos__material_orthotropic,
    &gos__material_laminate,
    &gos__section_rectangle,
    &gos__section_circle,
    &gos__section_annulus,
    &gos__section_general,
#define X(name) &gos__mesh_##name,
    GOS_MESH_TYPES(X)
#undef X
        & gos__mesh_set_type,
    &gos__body_cable,
    &gos__body_beam,
    &gos__body_plate,
    &gos__body_rigid,
    &gos__body_solid,
    &gos__body_floating_beam,
    &gos__body_floating_frame,
    &gos__body_floating,
    &gos__body_matrices,
    &gos__body_sid,
    &gos__body_modal,
    &gos__body_modal_shell,
#define X(name) &gos__joint_##name,
    GOS_JOINT_TYPES(X)
#undef X
        & gos__load_force,
    &gos__load_moment,
    &gos__load_edge_moment,
    &gos__load_spring,
    &gos__load_torsion_spring,
    &gos__load_wheel,
    &gos__load_input,
    &gos__load_solar_pressure,
    &gos__heat_flux,
    &gos__heat_sun,
    &gos__heat_convection,
    &gos__heat_radiation,
    &gos__heat_source,
    &gos__heat_temperature,
    &gos__heat_flow,
    &gos__heat_contact,
    &gos__heat_exchange,
    &gos__heat_enclosure,
#define X(name) &gos__controller_##name,
    GOS_CONTROLLER_TYPES(X)
#undef X
        & gos__piezo_patch,
    &gos__piezo_given,
    &gos__probe_type,
    &gos__event_type,
    &gos__design_lqr,
    &gos__design_lqg,
    &gos__design_collocated,
    &gos__settings_initial,
    &gos__settings_analysis,
    &gos__settings_output,
    &gos__settings_orbit,
#define X(name) &gos__reduction_##name,
    GOS_LINEAR_METHODS(X) GOS_SYSTEM_METHODS(X)
#undef X
        NULL,
};

const gos_type *const *gos__registry(void) {
    return all;
}

gos_status gos_schema(gos_ctx *ctx, FILE *out) {
    return gos__schema(ctx, all, out);
}

const char *gos_type_name(int i, const char **section) {
    const bool is_there = i >= 0 && i < GOS_COUNT(all) - 1;
    if (section != NULL) {
        *section = is_there ? all[i]->section : NULL;
    }
    return is_there ? all[i]->name : NULL;
}

gos_status gos_help(gos_ctx *ctx, const char *type, FILE *out) {
    return gos__help(ctx, all, type, false, out);
}

bool gos_type_get(int i, gos_type_info *info) {
    if (i < 0 || i >= GOS_COUNT(all) - 1) {
        return false;
    }
    *info = (gos_type_info){all[i]->section, all[i]->name, all[i]->doc, all[i]->example};
    return true;
}

bool gos_type_value(int i, int k, int j, gos_value_info *info) {
    return i >= 0 && i < GOS_COUNT(all) - 1 && gos__type_value(all[i], k, j, info);
}

bool gos_type_param(int i, int k, gos_param_info *info) {
    return i >= 0 && i < GOS_COUNT(all) - 1 && gos__type_param(all[i], k, info);
}
