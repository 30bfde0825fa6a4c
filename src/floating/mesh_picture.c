/* Pictures of mesh bodies. */
#include "floating/mesh_picture.h"

typedef struct drawing {
    const gos_fe_body *fe;
    const gos_mesh *mesh;
    bool split;
    int *number;      // per node and drawn part, -1: not yet (parts, nodes)
    int *node;        // drawn mesh nodes ...
    int *part;        // ... and their parts
    int nnode, ncell; // current numbers
    int (*cell)[4];
} drawing;

bool gos__mesh_parts_alike(const gos_fe_part *a, const gos_fe_part *b) {
    return a->material == b->material && a->thickness == b->thickness && a->profile == b->profile;
}

static int kind_of(const drawing *d, int part) {
    int first = 0;
    while (part >= 0 && !gos__mesh_parts_alike(&d->fe->part[first], &d->fe->part[part])) {
        first++;
    }
    return part < 0 ? -1 : first;
}

/* triangles repeat the last corner, beams twice */
static void add_cell(drawing *d, int cell, gos_cell_shape shape, const int *node) {
    const int corners = gos__cell_kind[shape].corners, kind = kind_of(d, d->fe->part_of[cell]);
    int *number = d->number + (d->split && kind > 0 ? (size_t)kind * (size_t)d->mesh->nnode : 0);
    for (int c = 0; c < 4; c++) {
        const int at = node[c < corners ? c : corners - 1];
        if (number[at] < 0) {
            number[at] = d->nnode;
            d->node[d->nnode] = at;
            d->part[d->nnode++] = kind;
        }
        d->cell[d->ncell][c] = number[at];
    }
    d->ncell++;
}

static void draw_skin(drawing *d, const gos_mesh_surface *skin) {
    for (int i = 0; i < skin->n; i++) {
        int at, node[GOS_CELL_SIDE_NODES];
        const gos_cell_block *b = gos__mesh_cell(d->mesh, skin->cell[i], &at);
        gos__mesh_side(d->mesh, skin->cell[i], skin->side[i], node);
        add_cell(d, skin->cell[i], gos__cell_kind[b->shape].side[skin->side[i]], node);
    }
}

static void draw_surfaces(drawing *d) {
    for (int cell = 0; cell < d->mesh->ncell; cell++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(d->mesh, cell, &at);
        if (gos__cell_kind[b->shape].dim == 2) {
            add_cell(d, cell, b->shape, b->node + (size_t)at * gos__cell_kind[b->shape].nodes);
        }
    }
}

static void draw_beams(drawing *d) {
    for (int cell = 0; cell < d->mesh->ncell; cell++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(d->mesh, cell, &at);
        const int part = d->fe->part_of[cell];
        if (part >= 0 && d->fe->part[part].profile) {
            add_cell(d, cell, b->shape, b->node + 2 * (size_t)at);
        }
    }
}

bool gos__mesh_has_solids(const gos_mesh *m) {
    for (int i = 0; i < m->nblock; i++) {
        if (m->block[i].n > 0 && gos__cell_kind[m->block[i].shape].dim == 3) {
            return true;
        }
    }
    return false;
}

gos_status gos__mesh_picture(gos_builder *b, const gos_fe_body *fe, bool split,
                             gos_floating_picture *picture, int **part) {
    const gos_mesh *m = fe->mesh;
    const gos_mesh_surface *skin = gos__mesh_has_solids(m) ? gos__mesh_surface(m, "skin") : NULL;
    const size_t kinds = split && fe->npart > 0 ? (size_t)fe->npart : 1;
    const size_t numbers = kinds * (size_t)m->nnode;
    const size_t cells = (size_t)m->ncell + (skin ? (size_t)skin->n : 0);
    // at most four new corners
    const size_t nodes = numbers < 4 * cells ? numbers : 4 * cells;
    drawing d = {.fe = fe,
                 .mesh = m,
                 .split = split,
                 .number = gos__alloc(b->ctx, numbers + 1, sizeof(int)),
                 .node = GOS_NEW(b->arena, int, nodes + 1),
                 .part = GOS_NEW(b->arena, int, nodes + 1),
                 .cell = gos__arena_alloc(b->arena, cells + 1, sizeof *d.cell)};
    const bool good = d.number && d.node && d.part && d.cell;
    if (good) {
        memset(d.number, -1, numbers * sizeof *d.number);
    }
    if (good && skin) {
        draw_skin(&d, skin);
    } else if (good) {
        draw_surfaces(&d);
    }
    if (good) {
        draw_beams(&d);
    }
    gos__free(b->ctx, d.number);
    *picture = (gos_floating_picture){.nnode = d.nnode,
                                      .node = d.node,
                                      .cell_size = 4,
                                      .ncell = d.ncell,
                                      .cell = good ? d.cell[0] : NULL};
    *part = d.part;
    return good ? GOS_OK : GOS_E_MEMORY;
}
