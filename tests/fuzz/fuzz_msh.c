/* Any bytes as a mesh of Gmsh: a mesh whose cells and sets refer to existing nodes, or an error
 * with a message. */
#include "mesh/msh.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static void check_sets(const gos_mesh_set *set, int nset, int n) {
    for (int s = 0; s < nset; s++) {
        require(set[s].n > 0);
        for (int i = 0; i < set[s].n; i++) {
            require(set[s].item[i] >= 0 && set[s].item[i] < n);
            require(i == 0 || set[s].item[i] > set[s].item[i - 1]);
        }
    }
}

static void check(const gos_mesh *m) {
    require(m->ncell > 0);
    for (int i = 0; i < m->nnode; i++) {
        require(isfinite(m->x[i][0]) && isfinite(m->x[i][1]) && isfinite(m->x[i][2]));
        require(i == 0 || m->tag[i] > m->tag[i - 1]);
        require(gos__mesh_find_node(m, m->tag[i]) == i);
    }
    for (int b = 0; b < m->nblock; b++) {
        const int n = gos__cell_kind[m->block[b].shape].nodes;
        for (int i = 0; i < m->block[b].n * n; i++) {
            require(m->block[b].node[i] >= 0 && m->block[b].node[i] < m->nnode);
        }
    }
    check_sets(m->node_set, m->nnode_set, m->nnode);
    check_sets(m->cell_set, m->ncell_set, m->ncell);
    for (int s = 0; s < m->nsurface; s++) {
        for (int i = 0; i < m->surface[s].n; i++) {
            int at;
            require(m->surface[s].cell[i] >= 0 && m->surface[s].cell[i] < m->ncell);
            const gos_cell_block *b = gos__mesh_cell(m, m->surface[s].cell[i], &at);
            require(m->surface[s].side[i] < gos__cell_kind[b->shape].sides);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int all = 0; all < 2; all++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_mesh *m;
        char *text = gos__zalloc(ctx, size + 1, 1);
        memcpy(text, data, size);
        require(gos__mesh_create(ctx, &m) == GOS_OK);
        if (gos__msh_parse(m, "fuzz", text, size, all == 1) == GOS_OK) {
            check(m);
        } else {
            require(gos__nerrors(ctx) > 0);
        }
        gos__mesh_destroy(m);
        gos__free(ctx, text);
        gos_ctx_destroy(ctx);
    }
    return 0;
}
