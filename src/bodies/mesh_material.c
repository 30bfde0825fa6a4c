#include "bodies/mesh_material.h"

gos_status gos__mesh_material(gos_builder *b, const gos_material *from, gos_loc loc,
                              const char *object, gos_fe_material **to) {
    gos_fe_material *m = GOS_NEW(b->arena, gos_fe_material, 1);
    GOS_TRY(m ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__fe_isotropic(b->ctx, loc, object, from->young, from->poisson, m));
    m->density = from->density;
    m->heat = from->specific_heat;
    for (int c = 0; c < 3; c++) {
        m->expansion[c] = from->expansion;
        m->conductivity[c][c] = from->conductivity;
    }
    *to = m;
    return GOS_OK;
}
