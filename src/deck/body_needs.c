/* Properties of deck materials that an analysis does not need: density in statics without gravity
   and rotation, specific heat for steady temperatures, elasticity for heat alone. */
#include "deck/body_deck.h"

static bool has_inertia_loads(const gos_deck *d) {
    bool any = false;
    for (int i = 0; i < d->nload; i++) {
        any = any || d->load[i].kind == GOS_DECK_GRAVITY || d->load[i].kind == GOS_DECK_CENTRIFUGAL;
    }
    return any;
}

bool gos__mesh_deck_rigid(const gos_deck *d) {
    bool elastic = d->nmaterial == 0 || d->step.procedure != GOS_DECK_HEAT_TRANSFER;
    for (int i = 0; i < d->nmaterial; i++) {
        elastic = elastic || d->material[i].elastic.n > 0;
    }
    return !elastic;
}

void gos__mesh_deck_needs(const gos_builder *b, const gos_deck *d, const char *body, bool loads,
                          bool moves, gos_deck_given *given) {
    const gos_deck_procedure p = d->step.procedure;
    const bool conducts =
        loads && (p == GOS_DECK_HEAT_TRANSFER || p == GOS_DECK_COUPLED || p == GOS_DECK_UNCOUPLED);
    given->no_density = b->statics && !moves && !gos__falls(b) && !(loads && has_inertia_loads(d));
    given->no_heat = b->statics && (conducts || gos__mesh_deck_heated(b, body));
    given->no_elastic = gos__mesh_deck_rigid(d);
}

gos_status gos__mesh_deck_lacks(gos_builder *b, const gos_deck_parts *parts, const char *object) {
    gos_lacking *l = GOS_NEW(b->arena, gos_lacking, 1);
    if (!parts->lacks || b->lacks) {
        return GOS_OK;
    }
    GOS_TRY(l ? GOS_OK : GOS_E_MEMORY);
    *l = (gos_lacking){.object = gos__arena_strdup(b->arena, object),
                       .material = parts->lacks->name,
                       .card = parts->lacks_card,
                       .loc = parts->lacks->loc};
    b->lacks = l;
    return l->object ? GOS_OK : GOS_E_MEMORY;
}
