/* Elements without section that mark faces of others; their sets become surfaces. */
#include "deck/deck.h"

#define CORNERS 4

typedef struct face {
    int corner[CORNERS]; // ascending, padded with -1
    int cell;
    int of, side; // -1: none; of = -2: between two cells
} face;

static int by_corners(const void *a, const void *b) {
    const face *x = a, *y = b;
    for (int c = 0; c < CORNERS; c++) {
        if (x->corner[c] != y->corner[c]) {
            return x->corner[c] < y->corner[c] ? -1 : 1;
        }
    }
    return 0;
}

static void set_corners(face *f, int n, const int *node) {
    for (int c = 0; c < CORNERS; c++) {
        f->corner[c] = -1;
    }
    for (int k = 0; k < n; k++) {
        int at = CORNERS - n + k; // -1 sorts first
        while (at > CORNERS - n && f->corner[at - 1] > node[k]) {
            f->corner[at] = f->corner[at - 1];
            at--;
        }
        f->corner[at] = node[k];
    }
}

bool gos__deck_stands_for_face(const gos_deck *d, const gos_cell_block *b, int i) {
    return d->cell_section[b->first + i] < 0 && gos__cell_kind[b->shape].dim < d->dim;
}

static int collect(const gos_deck *d, int dim, face *to) {
    int n = 0;
    for (int i = 0; i < d->mesh->nblock; i++) {
        const gos_cell_block *b = &d->mesh->block[i];
        const gos_cell_kind *kind = &gos__cell_kind[b->shape];
        for (int j = 0; kind->dim == dim - 1 && kind->dim > 0 && j < b->n; j++) {
            if (d->cell_section[b->first + j] < 0) {
                to[n].cell = b->first + j;
                to[n].of = -1;
                set_corners(&to[n++], kind->corners, b->node + (size_t)j * kind->nodes);
            }
        }
    }
    qsort(to, (size_t)n, sizeof *to, by_corners);
    return n;
}

static void match(const gos_deck *d, int dim, face *f, int n) {
    for (int i = 0; i < d->mesh->nblock; i++) {
        const gos_cell_block *b = &d->mesh->block[i];
        const gos_cell_kind *kind = &gos__cell_kind[b->shape];
        for (int j = 0; kind->dim == dim && j < b->n * kind->sides; j++) {
            int node[GOS_CELL_SIDE_NODES];
            const int cell = b->first + j / kind->sides, side = j % kind->sides;
            face key;
            gos__mesh_side(d->mesh, cell, side, node);
            set_corners(&key, gos__cell_kind[kind->side[side]].corners, node);
            face *found = bsearch(&key, f, (size_t)n, sizeof *f, by_corners);
            if (found) {
                found->side = side;
                found->of = found->of == -1 ? cell : -2;
            }
        }
    }
}

static bool take(const gos_mesh_set *s, const face *const *of, int *cell, unsigned char *side) {
    for (int i = 0; i < s->n; i++) {
        const face *f = of[s->item[i]];
        if (!f || f->of < 0) {
            return false;
        }
        cell[i] = f->of;
        side[i] = (unsigned char)f->side;
    }
    return s->n > 0;
}

static gos_status add_surfaces(gos_deck *d, int dim, face *f, const face **of, int *cell,
                               unsigned char *side) {
    gos_mesh *m = d->mesh;
    const int n = collect(d, dim, f);
    match(d, dim, f, n);
    for (int i = 0; i < n; i++) {
        of[f[i].cell] = &f[i];
    }
    for (int i = 0; i < m->ncell_set && n > 0; i++) {
        const gos_mesh_set *s = &m->cell_set[i];
        if (!gos__mesh_surface(m, s->name) && take(s, of, cell, side)) {
            GOS_TRY(gos__mesh_add_surface(m, s->name, s->n, cell, side));
        }
    }
    return GOS_OK;
}

gos_status gos__deck_faces_named(gos_deck *d) {
    gos_ctx *ctx = d->mesh->ctx;
    const size_t n = (size_t)d->mesh->ncell + 1;
    const int dim = d->dim;
    face *f = gos__alloc(ctx, n, sizeof *f);
    const face **of = (const face **)gos__zalloc(ctx, n, sizeof *of);
    int *cell = gos__alloc(ctx, n, sizeof *cell);
    unsigned char *side = gos__alloc(ctx, n, 1);
    const gos_status status =
        f && of && cell && side ? add_surfaces(d, dim, f, of, cell, side) : GOS_E_MEMORY;
    gos__free(ctx, f);
    gos__free(ctx, (void *)of);
    gos__free(ctx, cell);
    gos__free(ctx, side);
    return status;
}
