/* Any bytes as bulk data: a deck whose numbers are in range, or an error with a message. */
#include "deck/nastran.h"

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
}

static void check_sections(const gos_deck *d) {
    for (int i = 0; i < d->nsection; i++) {
        const gos_deck_section *s = &d->section[i];
        check_items(s->n, s->cell, d->mesh->ncell);
        require(s->material < d->nmaterial && s->orientation < d->norientation);
        for (int k = 0; k < GOS_COUNT(s->value); k++) {
            require(isfinite(s->value[k]));
        }
        const int size = s->kind == GOS_DECK_MASS ? 6 : 6 * s->dof[0];
        for (int k = 0; s->matrix && s->kind != GOS_DECK_MASS && k < size * size; k++) {
            require(isfinite(s->matrix[k]) && (!s->damping || isfinite(s->damping[k])));
        }
        for (int k = 0; k < s->nlayer; k++) {
            require(s->layer[k].material >= 0 && s->layer[k].material < d->nmaterial);
        }
    }
    for (int i = 0; i < d->mesh->ncell; i++) {
        require(d->cell_section[i] >= 0 && d->cell_section[i] < d->nsection);
    }
}

static void check_conditions(const gos_deck *d) {
    for (int i = 0; i < d->nnodal; i++) {
        check_items(d->nodal[i].n, d->nodal[i].node, d->mesh->nnode);
        require(isfinite(d->nodal[i].value) && d->nodal[i].dof >= 1 && d->nodal[i].dof_last <= 11);
    }
    for (int i = 0; i < d->nload; i++) {
        const gos_deck_faces *f = &d->load[i].on;
        check_items(f->n, f->cell, d->mesh->ncell);
        for (int k = 0; f->face && k < f->n; k++) {
            int at;
            const gos_cell_block *b = gos__mesh_cell(d->mesh, f->cell[k], &at);
            require(f->face[k] >= GOS_DECK_FACE_POS && f->face[k] < gos__cell_kind[b->shape].sides);
        }
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
    for (int i = 0; i < d->ntransform; i++) {
        check_items(d->transform[i].n, d->transform[i].node, d->mesh->nnode);
    }
}

static void check_matrix(gos_ctx *ctx, const char *text, size_t size) {
    gos_sparse A;
    gos_ctx_clear(ctx);
    if (gos__nastran_matrix_parse(ctx, "fuzz", text, size, NULL, &A) != GOS_OK) {
        require(gos__nerrors(ctx) > 0);
        return;
    }
    require(A.m == A.n && A.p[A.n] == A.nnz);
    for (int j = 0; j < A.n; j++) {
        for (int k = A.p[j]; k < A.p[j + 1]; k++) {
            require(A.i[k] >= 0 && A.i[k] < A.m && (k == A.p[j] || A.i[k] > A.i[k - 1]));
            require(isfinite(A.x[k]) && A.x[k] != 0);
        }
    }
    gos__sparse_free(ctx, &A);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    char *text = gos__zalloc(ctx, size + 1, 1);
    gos_deck *deck = NULL;
    if (size > 0) {
        memcpy(text, data, size);
    }
    if (gos__nastran_parse(ctx, "fuzz", text, size, NULL, 0, &deck) == GOS_OK) {
        check_mesh(deck->mesh);
        check_sections(deck);
        check_conditions(deck);
        gos__deck_destroy(deck);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    check_matrix(ctx, text, size);
    gos__free(ctx, text);
    gos_ctx_destroy(ctx);
    return 0;
}
