/* Patches as shell layers. */
#include "floating/mesh_material.h"
#include "floating/mesh_piezo.h"

/* layers, one per entry, face and shell thickness */
typedef struct layers {
    gos_builder *b;
    const gos_fe_body *fe;
    const gos_piezo_wiring *all;
    int n, *of; // -1: no mass and stiffness (patches)
    gos_fe_part *layer;
    const gos_piezo **entry; // of each layer
} layers;

static gos_status begin_layer(layers *k, const gos_piezo *p, double offset, bool warm) {
    const gos_material *from = NULL;
    const gos_loc loc = gos__key_loc(p->entry, "material");
    gos_fe_material *m = NULL;
    GOS_TRY(gos__piezo_material(k->b, p, warm, &from));
    GOS_TRY(gos__mesh_material(k->b, from, loc, p->object, &m));
    k->entry[k->n] = p;
    k->layer[k->n++] = (gos_fe_part){.element = gos__fe_element("shell"),
                                     .material = m,
                                     .thickness = p->def.thickness,
                                     .offset = offset,
                                     .follows = true,
                                     .loc = p->entry->loc,
                                     .object = p->object};
    return GOS_OK;
}

static gos_status find_layer(layers *k, int patch, bool warm) {
    const gos_piezo_patch *p = &k->all->patch[patch];
    const gos_piezo *entry = p->entry;
    const double shell = k->fe->part[k->fe->part_of[p->cell]].thickness;
    const double offset = p->face * (shell + entry->def.thickness) / 2;
    int at = 0;
    while (at < k->n && (k->entry[at] != entry || k->layer[at].offset != offset)) {
        at++;
    }
    GOS_TRY(at == k->n ? begin_layer(k, entry, offset, warm) : GOS_OK);
    k->of[patch] = at;
    k->layer[at].n++;
    return GOS_OK;
}

gos_status gos__mesh_layers(gos_builder *b, const gos_piezo_wiring *all, bool warm, gos_fe_body *fe,
                            int *known) {
    const size_t n = (size_t)all->n + 1;
    layers k = {.b = b,
                .fe = fe,
                .all = all,
                .of = GOS_NEW(b->arena, int, n),
                .layer = GOS_NEW(b->arena, gos_fe_part, n),
                .entry = (const gos_piezo **)gos__arena_alloc(b->arena, n, sizeof *k.entry)};
    GOS_TRY(k.of && k.layer && k.entry ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < all->n; i++) {
        k.of[i] = -1;
    }
    for (int modal = 0; modal < 2; modal++) {
        for (int i = 0; i < all->n; i++) {
            const int own = all->patch[i].entry->def.own;
            GOS_TRY(own == (modal ? GOS_PIEZO_MODAL : GOS_PIEZO_ASSEMBLED) ? find_layer(&k, i, warm)
                                                                           : GOS_OK);
        }
        *known = modal ? *known : k.n;
    }
    for (int i = 0; i < k.n; i++) {
        int *cell = GOS_NEW(b->arena, int, k.layer[i].n), count = 0;
        GOS_TRY(cell ? GOS_OK : GOS_E_MEMORY);
        for (int p = 0; p < all->n; p++) {
            if (k.of[p] == i) {
                cell[count++] = all->patch[p].cell;
            }
        }
        k.layer[i].cell = cell;
    }
    gos__fe_body_layers(fe, k.n, k.layer);
    return GOS_OK;
}

void gos__mesh_layers_warn(gos_builder *b, const gos_piezo_wiring *piezo, const double *capacitance,
                           const gos_flex *flex) {
    double added = 0;
    for (int i = 0; i < piezo->n; i++) {
        const gos_piezo_def *d = &piezo->patch[i].entry->def;
        if (d->own != GOS_PIEZO_NONE) {
            const double area = capacitance[i] * d->thickness / d->permittivity;
            added += gos__find_material(b, d->material)->density * d->thickness * area;
        }
    }
    const double bare = flex->gram.x[0] - added; // first entry: int 1 dm
    if (added > 0) {
        gos__piezo_note_mass(b, piezo->entry[0], added, bare);
    }
}
