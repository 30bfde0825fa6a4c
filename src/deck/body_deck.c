/* Conversion of deck materials. */
#include "deck/body_deck.h"

void gos__mesh_deck_material(const gos_fe_material *from, gos_material *to) {
    const double shear = from->stiffness[3][3];
    const double sum = from->stiffness[0][0] + from->stiffness[0][1];
    const double poisson = sum > 0 ? from->stiffness[0][1] / sum : 0; // 0: no motion
    *to = (gos_material){.density = from->density,
                         .young = 2 * (1 + poisson) * shear,
                         .poisson = poisson,
                         .specific_heat = from->heat,
                         .conductivity = from->conductivity[0][0],
                         .expansion = from->expansion[0],
                         .absorptivity = 1};
}

/* column of a table over temperature; a single row writes nothing */
static gos_status take_table(gos_builder *b, const gos_deck_table *t, int column, double T0,
                             const char *object, const gos_timefn **to) {
    gos_mesh_deck_text text = {.ctx = b->ctx};
    const gos_scope scope = {.variable = "T"};
    gos_timefn *fn = NULL;
    gos_node *map;
    if (t->n < 2) {
        return GOS_OK;
    }
    gos_status status = gos__mesh_deck_put(&text, "{table: {points: [");
    for (int i = 0; i < t->n && status == GOS_OK; i++) {
        status = gos__mesh_deck_put(&text, "%s[%.17g, %.17g]", i > 0 ? ", " : "", t->t[i] - T0,
                                    t->v[(size_t)i * (size_t)t->width + (size_t)column]);
    }
    status = status == GOS_OK ? gos__mesh_deck_put(&text, "]}}") : status;
    status =
        status == GOS_OK ? gos__node_read(b->model, text.text, t->loc, b->arena, &map) : status;
    status = status == GOS_OK
                 ? gos__timefn_make(b->model, map->child, object, &scope, b->arena, &fn)
                 : status;
    *to = fn;
    gos__free(b->ctx, text.text);
    return status;
}

gos_status gos__mesh_deck_tables(gos_builder *b, const gos_deck_material *from, double T0,
                                 const char *object, gos_material *to) {
    GOS_TRY(take_table(b, &from->elastic, 0, T0, object, &to->over[0]));
    GOS_TRY(take_table(b, &from->elastic, 1, T0, object, &to->over[1]));
    GOS_TRY(take_table(b, &from->conductivity, 0, T0, object, &to->over[2]));
    GOS_TRY(take_table(b, &from->specific_heat, 0, T0, object, &to->over[3]));
    GOS_TRY(take_table(b, &from->expansion, 0, T0, object, &to->over[4]));
    to->expansion_from = from->zero - T0;
    return GOS_OK;
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
