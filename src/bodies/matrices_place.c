/* Coordinates of matrices. Second order: three per vector coordinate, unused components locked.
 * First order: temperature coordinates without heat capacity. G q = 0 are scalar rows. */
#include <math.h>

#include "bodies/matrices_body.h"
#include "bodies/component_rows.h"
#include "parts/marker.h"

/* ---- sums of coordinates --------------------------------------------------------------------- */

gos_status gos__matrices_signal(gos_arena *a, const gos_matrices_body *m, int n, const int *k,
                                const double *w, gos_marker to[3], gos_tmarker *heat) {
    const int lists = m->first ? 1 : 3;
    int *idx[3], count[3] = {0, 0, 0};
    double *weight[3];
    for (int j = 0; j < n; j++) {
        count[m->first ? 0 : m->at[k[j]] % 3]++;
    }
    for (int c = 0; c < lists; c++) {
        idx[c] = GOS_NEW(a, int, count[c] + 1);
        weight[c] = GOS_NEW(a, double, count[c] + 1);
        if (!idx[c] || !weight[c]) {
            return GOS_E_MEMORY;
        }
        count[c] = 0;
    }
    double off[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
        const int at = m->at[k[j]], c = m->first ? 0 : at % 3;
        idx[c][count[c]] = m->first ? at : at / 3;
        weight[c][count[c]++] = w[j];
        off[c] -= m->first ? 0 : w[j] * m->rest[k[j]];
    }
    if (m->first) {
        *heat = (gos_tmarker){.n = count[0], .idx = idx[0], .w = weight[0]};
        return GOS_OK;
    }
    for (int c = 0; c < 3; c++) {
        to[c] = (gos_marker){.n = count[c], .idx = idx[c], .w = weight[c]};
        to[c].off[c] = off[c];
    }
    return GOS_OK;
}

/* ---- constraints ----------------------------------------------------------------------------- */

static gos_status add_constraints(gos_builder *b, const gos_body *body, const gos_matrices_body *m,
                                  const char *name) {
    gos_sparse rows;
    GOS_TRY(gos__sparse_transpose(b->ctx, &m->linear->block[GOS_BLOCK_C], &rows));
    gos_status status = GOS_OK;
    for (int r = 0; r < rows.n && status == GOS_OK; r++) {
        gos_marker x[3];
        status = gos__matrices_signal(b->arena, m, rows.p[r + 1] - rows.p[r], rows.i + rows.p[r],
                                      rows.x + rows.p[r], x, NULL);
        status = status == GOS_OK ? gos__add_sum_row(b, x, body->loc, name) : status;
    }
    gos__sparse_free(b->ctx, &rows);
    return status;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static gos_status add_matrix(gos_builder *b, const gos_matrices_body *m, gos_constant which,
                             gos_block block) {
    const gos_sparse *A = &m->linear->block[block];
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            GOS_TRY(gos__add_constant(b, which, m->at[A->i[k]], m->at[j], A->x[k]));
        }
    }
    return GOS_OK;
}

/* w: row sums of |M| or |E|; empty rows get the mean of all rows. */
static void weigh(const gos_sparse *A, double *w) {
    double sum = 0;
    for (int k = 0; k < A->nnz; k++) {
        w[A->i[k]] += fabs(A->x[k]);
        sum += fabs(A->x[k]);
    }
    for (int i = 0; i < A->m; i++) {
        w[i] = w[i] > 0 ? w[i] : sum > 0 ? sum / A->m : 1;
    }
}

static gos_status add_singles(gos_builder *b, const gos_matrices_body *m, double scale) {
    double *w = GOS_NEW(b->arena, double, m->n + 1);
    if (!w) {
        return GOS_E_MEMORY;
    }
    weigh(&m->linear->block[m->first ? GOS_BLOCK_C_T : GOS_BLOCK_M], w);
    for (int i = 0; i < m->n; i++) {
        const gos_constant_coordinate one = {
            .heat = m->first, .i = m->at[i], .rest = m->rest[i], .scale = scale, .weight = w[i]};
        GOS_TRY(gos__add_single(b, &one));
    }
    return GOS_OK;
}

/* ---- coordinates ----------------------------------------------------------------------------- */

static gos_status place_states(gos_builder *b, const gos_matrices_start *start, gos_body *body,
                               gos_matrices_body *m, int *at) {
    body->nt = m->n;
    GOS_TRY(gos__add_temperatures(b, m->n, &body->t0));
    for (int i = 0; i < m->n; i++) {
        at[i] = body->t0 + i;
        b->th0[at[i]] = start->q ? start->q[i] : 0;
    }
    GOS_TRY(add_matrix(b, m, GOS_CONSTANT_E, GOS_BLOCK_C_T));
    return add_matrix(b, m, GOS_CONSTANT_S, GOS_BLOCK_K_T);
}

/* Numbers nodes first, then other coordinates three per vector; *first: first of those. */
static gos_status number_vectors(gos_builder *b, gos_body *body, gos_matrices_body *m, int *at,
                                 int *first, int *others) {
    body->v0 = b->nv;
    GOS_TRY(gos__matrices_nodes_add(b, body, m));
    for (int i = 0; i < m->n; i++) {
        at[i] = -1;
    }
    *others = m->n;
    for (int k = 0; k < m->nnode; k++) {
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            if (m->node[k].dof[c] >= 0) {
                at[m->node[k].dof[c]] = gos__matrices_node_at(&m->node[k], c);
                --*others;
            }
        }
    }
    const int nv = (*others + 2) / 3;
    GOS_TRY(gos__add_vectors(b, nv, NULL, 0, first));
    body->nv += nv;
    for (int i = 0, next = 3 * *first; i < m->n; i++) {
        at[i] = at[i] < 0 ? next++ : at[i];
    }
    return GOS_OK;
}

static gos_status place_vectors(gos_builder *b, const gos_matrices_start *start, gos_body *body,
                                gos_matrices_body *m, int *at) {
    int first, others;
    GOS_TRY(number_vectors(b, body, m, at, &first, &others));
    for (int i = 0; i < m->n; i++) {
        double *x = &b->e0[at[i] / 3][at[i] % 3];
        m->rest[i] = *x; // position for nodes
        *x += start->q ? start->q[i] : 0;
        b->v0[at[i] / 3][at[i] % 3] = start->v ? start->v[i] : 0;
    }
    GOS_TRY(add_matrix(b, m, GOS_CONSTANT_M, GOS_BLOCK_M));
    GOS_TRY(add_matrix(b, m, GOS_CONSTANT_D, GOS_BLOCK_D));
    GOS_TRY(add_matrix(b, m, GOS_CONSTANT_K, GOS_BLOCK_K));
    const char *name = gos__arena_printf(b->arena, "body '%s'", body->name);
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__matrices_nodes_tie(b, body, m, name));
    for (int i = others; i % 3 != 0; i++) {
        GOS_TRY(gos__hold_component(b, body->loc, name, 3 * first + i));
    }
    return add_constraints(b, body, m, name);
}

gos_status gos__matrices_location(gos_builder *b, const gos_matrices_start *start, gos_body *body,
                                  gos_matrices_body *m) {
    m->first = m->linear->nq == 0;
    m->n = m->first ? m->linear->nt : m->linear->nq;
    int *at = GOS_NEW(b->arena, int, m->n + 1);
    m->rest = GOS_NEW(b->arena, double, m->n + 1);
    if (!at || !m->rest) {
        return GOS_E_MEMORY;
    }
    m->at = at;
    GOS_TRY((m->first ? place_states : place_vectors)(b, start, body, m, at));
    return add_singles(b, m, start->scale);
}
