/* Any bytes as a deck: a mesh whose numbers are in range, and what refers to it, or an error with a
 * message. */
#include "deck/deck.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static void check_items(int n, const int *item, int end) {
    for (int i = 0; i < n; i++) {
        require(item[i] >= 0 && item[i] < end && (i == 0 || item[i] > item[i - 1]));
    }
}

static void check_mesh(const gos_mesh *m) {
    for (int i = 0; i < m->nnode; i++) {
        require(isfinite(m->x[i][0]) && isfinite(m->x[i][1]) && isfinite(m->x[i][2]));
        require(gos__mesh_find_node(m, m->tag[i]) == i);
    }
    for (int k = 0; k < m->nblock; k++) {
        const gos_cell_block *b = &m->block[k];
        for (int i = 0; i < b->n * gos__cell_kind[b->shape].nodes; i++) {
            require(b->node[i] >= 0 && b->node[i] < m->nnode);
        }
    }
    for (int i = 0; i < m->nnode_set; i++) {
        check_items(m->node_set[i].n, m->node_set[i].item, m->nnode);
    }
    for (int i = 0; i < m->ncell_set; i++) {
        check_items(m->cell_set[i].n, m->cell_set[i].item, m->ncell);
    }
}

static void check_faces(const gos_mesh *m, const gos_deck_faces *f) {
    for (int i = 0; i < f->n; i++) {
        int k;
        require(f->cell[i] >= 0 && f->cell[i] < m->ncell);
        const gos_cell_block *b = gos__mesh_cell(m, f->cell[i], &k);
        require(!f->face ||
                (f->face[i] >= GOS_DECK_FACE_POS && f->face[i] < gos__cell_kind[b->shape].sides));
    }
}

static void check_table(const gos_deck_table *t) {
    for (int i = 0; i < t->n * t->width; i++) {
        require(isfinite(t->v[i]));
    }
    for (int i = 0; i < t->n; i++) {
        require(isfinite(t->t[i]) && (i == 0 || t->t[i] > t->t[i - 1]));
    }
}

static void check(const gos_deck *d) {
    check_mesh(d->mesh);
    for (int i = 0; i < d->nsurface; i++) {
        check_faces(d->mesh, &d->surface[i].faces);
        check_items(d->surface[i].nnode, d->surface[i].node, d->mesh->nnode);
    }
    for (int i = 0; i < d->nmaterial; i++) {
        const gos_deck_material *m = &d->material[i];
        const gos_deck_table *all[] = {&m->elastic, &m->expansion, &m->conductivity, &m->density,
                                       &m->specific_heat};
        for (int k = 0; k < GOS_COUNT(all); k++) {
            check_table(all[k]);
        }
    }
    for (int i = 0; i < d->nsection; i++) {
        check_items(d->section[i].n, d->section[i].cell, d->mesh->ncell);
        require(d->section[i].material < d->nmaterial &&
                d->section[i].orientation < d->norientation);
    }
    for (int i = 0; i < d->nnodal; i++) {
        check_items(d->nodal[i].n, d->nodal[i].node, d->mesh->nnode);
        require(isfinite(d->nodal[i].value) && d->nodal[i].dof >= 1 && d->nodal[i].dof_last <= 11);
    }
    for (int i = 0; i < d->nload; i++) {
        check_faces(d->mesh, &d->load[i].on);
    }
    for (int i = 0; i < d->nequation; i++) {
        for (int k = 0; k < d->equation[i].n; k++) {
            require(d->equation[i].node[k] >= 0 && d->equation[i].node[k] < d->mesh->nnode);
        }
    }
    for (int i = 0; i < d->ncoupling; i++) {
        check_items(d->coupling[i].n, d->coupling[i].node, d->mesh->nnode);
        require(d->coupling[i].reference >= 0 && d->coupling[i].reference < d->mesh->nnode);
    }
    for (int i = 0; i < d->mesh->ncell; i++) {
        require(d->cell_section[i] >= -1 && d->cell_section[i] < d->nsection);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    char *text = gos__zalloc(ctx, size + 1, 1);
    gos_deck *deck = NULL;
    if (size > 0) {
        memcpy(text, data, size);
    }
    if (gos__deck_parse(ctx, "fuzz", text, size, NULL, &deck) == GOS_OK) {
        check(deck);
        gos__deck_destroy(deck);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos__free(ctx, text);
    gos_ctx_destroy(ctx);
    return 0;
}
