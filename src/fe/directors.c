/* Directors: mean normals at nodes; at a fold cells use their own. */
#include "fe/mesh_body.h"

#include <math.h>

#include "math/vec3.h"

#define FOLD 0.966    // cosine of 15 degrees: half the smallest fold angle between two cells
#define OPPOSITE 0.02 // cosine below which a cell appears reversed

/* corner normal, of length equal to the area */
static void normal_at(const gos_mesh *m, int corners, const int *node, int k, double n[3]) {
    const double *o = m->x[node[k]], *a = m->x[node[(k + 1) % corners]],
                 *b = m->x[node[(k + corners - 1) % corners]];
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        n[c] = (a[p] - o[p]) * (b[q] - o[q]) - (a[q] - o[q]) * (b[p] - o[p]);
    }
}

static double unit(double n[3]) {
    const double size = hypot(hypot(n[0], n[1]), n[2]);
    for (int c = 0; c < 3 && size > 0; c++) {
        n[c] /= size;
    }
    return size;
}

static bool of_shell(const gos_fe_body *b, int cell) {
    return b->part_of[cell] >= 0 && b->part[b->part_of[cell]].element->directors;
}

/* *n: 3 or 4 */
static const int *nodes_of(const gos_fe_body *b, int cell, int *n) {
    int i;
    const gos_cell_block *block = gos__mesh_cell(b->mesh, cell, &i);
    *n = gos__cell_kind[block->shape].nodes;
    return block->node + (size_t)i * *n;
}

void gos__fe_cell_directors(const gos_fe_body *b, int corners, const int *node,
                            double (*director)[3]) {
    for (int k = 0; k < corners; k++) {
        double n[3];
        normal_at(b->mesh, corners, node, k, n);
        unit(n);
        memcpy(director[k], gos__dot3(n, b->director[node[k]]) > FOLD ? b->director[node[k]] : n,
               sizeof n);
    }
}

static gos_status check(const gos_fe_body *b, int cell) {
    int corners;
    const int *node = nodes_of(b, cell, &corners);
    for (int k = 0; k < corners; k++) {
        double n[3];
        normal_at(b->mesh, corners, node, k, n);
        if (unit(n) > 0 && !(gos__dot3(n, b->director[node[k]]) > OPPOSITE)) {
            const gos_fe_part *part = &b->part[b->part_of[cell]];
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__fe_cell_loc(b, part, cell), part->object,
                                "cell %lld has the opposite orientation to a neighbour at node "
                                "%lld; all cells of a shell must have the same corner orientation",
                                (long long)gos__mesh_cell_tag(b->mesh, cell),
                                (long long)gos__mesh_node_tag(b->mesh, node[k]));
        }
    }
    return GOS_OK;
}

gos_status gos__fe_directors(gos_fe_body *b) {
    bool any = false;
    for (int p = 0; p < b->npart; p++) {
        any = any || b->part[p].element->directors;
    }
    if (!any) {
        return GOS_OK;
    }
    b->director = gos__zalloc(b->ctx, (size_t)b->mesh->nnode + 1, sizeof *b->director);
    GOS_TRY(b->director ? GOS_OK : GOS_E_MEMORY);
    for (int cell = 0; cell < b->mesh->ncell; cell++) {
        int corners = 0;
        const int *node = of_shell(b, cell) ? nodes_of(b, cell, &corners) : NULL;
        for (int k = 0; k < corners; k++) {
            double n[3];
            normal_at(b->mesh, corners, node, k, n);
            unit(n);
            for (int c = 0; c < 3; c++) {
                b->director[node[k]][c] += n[c];
            }
        }
    }
    for (int i = 0; i < b->mesh->nnode; i++) {
        unit(b->director[i]);
    }
    for (int cell = 0; cell < b->mesh->ncell; cell++) {
        if (of_shell(b, cell)) {
            GOS_TRY(check(b, cell));
        }
    }
    return GOS_OK;
}
