#include "floating/mesh_stress.h"

#include <math.h>

#include "floating/mesh_picture.h"

#define MIN_ALIGNED_COSINE 0.999

bool gos__mesh_beam_goes_on(const gos_mesh *m, int cell, int other) {
    double d[2][3], size = 1, dot = 0;
    for (int k = 0; k < 2; k++) {
        int i;
        const gos_cell_block *b = gos__mesh_cell(m, k ? other : cell, &i);
        const int *node = b->node + 2 * (size_t)i;
        for (int c = 0; c < 3; c++) {
            d[k][c] = m->x[node[1]][c] - m->x[node[0]][c];
        }
        size *= hypot(hypot(d[k][0], d[k][1]), d[k][2]);
    }
    for (int c = 0; c < 3; c++) {
        dot += d[0][c] * d[1][c];
    }
    return fabs(dot) >= MIN_ALIGNED_COSINE * size;
}

gos_status gos__mesh_beam_corner(const gos_fe_body *fe, const gos_fe_part *part, int n,
                                 const int *node, int *corner) {
    const gos_mesh *m = fe->mesh;
    // beam at each node, -1: none yet; -2: not requested
    int *first = gos__alloc(fe->ctx, (size_t)m->nnode + 1, sizeof *first);
    GOS_TRY(first ? GOS_OK : GOS_E_MEMORY);
    *corner = -1;
    for (int i = 0; i < m->nnode; i++) {
        first[i] = -2;
    }
    for (int i = 0; i < n; i++) {
        first[node[i]] = -1;
    }
    for (int cell = 0; cell < m->ncell; cell++) {
        int i;
        const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
        const int own = fe->part_of[cell];
        for (int e = 0; e < 2 && own >= 0 && gos__mesh_parts_alike(&fe->part[own], part); e++) {
            int *at = &first[b->node[2 * (size_t)i + (size_t)e]];
            if (*at >= 0 && !gos__mesh_beam_goes_on(m, *at, cell)) {
                *corner = b->node[2 * (size_t)i + (size_t)e];
            }
            *at = *at == -1 ? cell : *at;
        }
    }
    gos__free(fe->ctx, first);
    return GOS_OK;
}
