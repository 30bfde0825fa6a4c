/* Conductivity and specific heat of bodies without motion by their current temperatures. Bodies
   with shells, sheets or beams, orthotropic materials, laminates and densities that vary keep the
   values at `material_temperature`, and runs report the difference. */
#include "deck/body_deck.h"
#include "floating/floating_mesh_make.h"
#include "solid/cell_heat.h"

bool gos__floating_mesh_current(const gos_mesh_making *k) {
    const gos_mesh *m = k->m->skin.mesh;
    bool all = k->m->f.still && !k->b->reduce_floating;
    for (int i = 0; i < m->nblock && all; i++) {
        all = m->block[i].n == 0 || gos__cell_kind[m->block[i].shape].dim == 3;
    }
    for (int i = 0; i < m->deck->nmaterial && all; i++) {
        all = gos__deck_isotropic(&m->deck->material[i]) && m->deck->material[i].density.n <= 1;
    }
    return all;
}

static const gos_deck_material *deck_material(const gos_mesh_making *k, int part) {
    const gos_deck *deck = k->m->skin.mesh->deck;
    if (!deck || k->def->material || k->def->parts) {
        return NULL;
    }
    return &deck->material[deck->section[deck->cell_section[k->part[part].cell[0]]].material];
}

static const gos_material *material_of(const gos_mesh_making *k, int part) {
    const gos_body *b = k->body;
    return b->materials ? b->materials[part < b->nmaterial ? part : 0] : b->material;
}

static bool is_plain(const gos_mesh_making *k, int part) {
    const gos_deck_material *deck = deck_material(k, part);
    if (k->part[part].element->dim != 3 || k->part[part].layup) {
        return false;
    }
    return deck ? gos__deck_isotropic(deck) && deck->density.n <= 1
                : material_of(k, part)->kind == GOS_MATERIAL_ISOTROPIC;
}

/* *to: its properties over the temperature above the reference */
static gos_status take_tables(const gos_mesh_making *k, int part, gos_material *to) {
    const gos_deck_material *deck = deck_material(k, part);
    const double T0 = k->m->f.tables.T0;
    *to = *material_of(k, part);
    return deck ? gos__mesh_deck_tables(k->b, deck, T0, k->object, to) : GOS_OK;
}

static gos_status add_part(const gos_mesh_making *k, const gos_body *body, int part,
                           const gos_material *material) {
    const gos_mesh *mesh = k->m->skin.mesh;
    const gos_fe_part *of = &k->part[part];
    gos_cell_heat heat = {
        .material = material, .T0 = body->stated_T, .object = body->name, .loc = body->loc};
    for (int i = 0; i < (of->cell ? of->n : mesh->ncell); i++) {
        int at, temperature[GOS_CELL_NODES];
        double x[GOS_CELL_NODES][3];
        const gos_cell_block *b = gos__mesh_cell(mesh, of->cell ? of->cell[i] : i, &at);
        const gos_cell_kind *kind = &gos__cell_kind[b->shape];
        if (kind->dim != 3) {
            continue;
        }
        for (int n = 0; n < kind->nodes; n++) {
            const int node = b->node[(size_t)at * (size_t)kind->nodes + (size_t)n];
            memcpy(x[n], mesh->x[node], sizeof x[n]);
            temperature[n] = body->t0 + k->m->skin.of_node[node];
        }
        GOS_TRY(gos__cell_heat_add(k->b, &heat, b->shape, x, temperature));
    }
    return GOS_OK;
}

gos_status gos__floating_mesh_tables(const gos_mesh_making *k, gos_body *body) {
    bool plain = k->m->f.still && !k->b->reduce_floating;
    for (int i = 0; i < k->npart && plain; i++) {
        plain = is_plain(k, i);
    }
    for (int i = 0; i < k->npart && plain; i++) {
        gos_material *m = GOS_NEW(k->b->arena, gos_material, 1);
        GOS_TRY(m ? take_tables(k, i, m) : GOS_E_MEMORY);
        GOS_TRY(gos__cell_heat_varies(m) ? add_part(k, body, i, m) : GOS_OK);
    }
    body->stated = body->stated && !plain; // no values are stated
    return GOS_OK;
}
