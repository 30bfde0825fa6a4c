#include "floating/mesh_material.h"

/* orthotropic, in its own axes */
static gos_status orthotropic(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material *m) {
    const double E[3] = {from->young, from->E2, from->E3};
    const double nu[3] = {from->poisson, from->nu13, from->nu23};
    const double G[3] = {from->G12, from->G13, from->G23};
    m->expansion[0] = from->expansion;
    m->expansion[1] = from->expansion2;
    m->expansion[2] = from->expansion3;
    m->conductivity[0][0] = from->conductivity;
    m->conductivity[1][1] = from->conductivity2;
    m->conductivity[2][2] = from->conductivity3;
    return gos__fe_orthotropic(b->ctx, loc, object, E, nu, G, m);
}

gos_status gos__mesh_material(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material **to) {
    gos_fe_material *m = GOS_NEW(b->arena, gos_fe_material, 1);
    GOS_TRY(m ? GOS_OK : GOS_E_MEMORY);
    m->density = from->density;
    m->heat = from->specific_heat;
    *to = m;
    if (from->kind == GOS_MATERIAL_ORTHOTROPIC) {
        return orthotropic(b, from, loc, object, m);
    }
    for (int c = 0; c < 3; c++) {
        m->expansion[c] = from->expansion;
        m->conductivity[c][c] = from->conductivity;
    }
    return gos__fe_isotropic(b->ctx, loc, object, from->young, from->poisson, m);
}

bool gos__mesh_material_warm(const gos_fe_material *m) {
    return m->heat > 0 && m->conductivity[0][0] > 0 && m->conductivity[1][1] > 0 &&
           m->conductivity[2][2] > 0;
}

gos_status gos__mesh_laminate(gos_builder *b, const gos_material *from, double T, gos_loc loc,
                              const char *object, const gos_fe_layup **layup,
                              const gos_fe_material **mean) {
    const gos_laminate *l = from->laminate;
    gos_fe_layup *to = GOS_NEW(b->arena, gos_fe_layup, 1);
    gos_fe_ply *ply = GOS_NEW(b->arena, gos_fe_ply, l->n);
    gos_fe_material *m = GOS_NEW(b->arena, gos_fe_material, 1);
    gos_fe_plate plate;
    GOS_TRY(to && ply && m ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < l->n; k++) {
        if (!l->ply[k].material) {
            return GOS_E_INPUT; // reported when read
        }
        const gos_material at = gos__material_at(l->ply[k].material, T);
        gos_fe_material *own = NULL;
        GOS_TRY(gos__mesh_material(b, &at, loc, object, &own));
        ply[k] = (gos_fe_ply){
            .material = own, .thickness = l->ply[k].thickness, .angle = l->ply[k].angle};
    }
    *to = (gos_fe_layup){.n = l->n, .ply = ply};
    GOS_TRY(gos__fe_plate_layup(b->ctx, loc, object, to, b->arena, &plate));
    gos__fe_plate_smear(&plate, m);
    for (int k = 0; k < l->n; k++) { // all plies, or none
        m->heat = gos__mesh_material_warm(ply[k].material) ? m->heat : 0;
    }
    *layup = to;
    *mean = m;
    return GOS_OK;
}
