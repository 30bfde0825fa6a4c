/* Materials of decks as those of bodies. */
#include "bodies/mesh_deck.h"

void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to) {
    const double shear = from->stiffness[3][3];
    const double poisson = from->stiffness[0][1] / (from->stiffness[0][0] + from->stiffness[0][1]);
    *to = (gos_material){.density = from->density,
                         .young = 2 * (1 + poisson) * shear,
                         .poisson = poisson,
                         .specific_heat = from->heat,
                         .conductivity = from->conductivity[0][0],
                         .expansion = from->expansion[0],
                         .absorptivity = 1};
}

gos_status gos__mesh_deck_materials(gos_builder *b, const gos_deck_parts *parts, gos_body *body) {
    const gos_material **list =
        (const gos_material **)gos__arena_alloc(b->arena, (size_t)parts->n + 1, sizeof *list);
    gos_material *m = GOS_NEW(b->arena, gos_material, parts->n + 1);
    GOS_TRY(list && m ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < parts->n; i++) {
        gos__mesh_deck_material(parts->part[i].material, &m[i]);
        list[i] = &m[i];
    }
    body->material = m;
    body->materials = list;
    body->nmaterial = parts->n;
    return GOS_OK;
}
