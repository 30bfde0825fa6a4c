/* Coordinates of matrices. Second order: three per vector coordinate, unused components locked.
 * First order: temperature coordinates without heat capacity. G q = 0 are scalar rows. */
#include <math.h>

#include "bodies/matrices_body.h"
#include "bodies/body.h"
#include "math/vec3.h"

/* Nodes of matrices for small displacements: position x + u, axes a_j = e_j + theta x e_j. Markers
 * cannot hold a cross product, so the axes are coordinates, tied to theta by nine linear rows. */

/* ---- coordinates of a node ------------------------------------------------------------------- */

/* theta, a_1, a_2, a_3: a_j - e_j - theta x e_j = 0 */
static void axes_eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2}, *a = io->x + 3 + 3 * j;
        double turned[3], E[9];
        gos__cross3(io->x, e, turned);
        gos__skew3(e, E);
        for (int k = 0; k < 3; k++) {
            const int row = 3 * j + k;
            if (io->c) {
                io->c[row] += a[k] - e[k] - turned[k];
            }
            for (int l = 0; io->cx && l < 3; l++) { // theta x e = -e x theta
                io->cx[12 * row + l] += E[3 * k + l];
                io->cx[12 * row + 3 + 3 * j + l] += k == l;
            }
        }
    }
}

static const gos_item_type axes_type = {.name = "small rotation", .eval = axes_eval};

static gos_status add_axes(gos_builder *b, const gos_body *body, const char *name, int turn) {
    gos_item item = {
        .type = &axes_type, .name = name, .loc = body->loc, .nm = 4, .nc = 9, .linear = true};
    const double one = 1;
    for (int j = 0; j < 4; j++) {
        const int v = turn + j;
        GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &item.m[j]));
    }
    return gos__add_item(b, &item, NULL);
}

static void set_axes(gos_builder *b, int turn) {
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        gos__cross3(b->e0[turn], e, b->e0[turn + 1 + j]);
        gos__cross3(b->v0[turn], e, b->v0[turn + 1 + j]);
        b->e0[turn + 1 + j][j] += 1;
    }
}

static gos_status matrices_nodes_add(gos_builder *b, gos_body *body, gos_matrices_body *m) {
    int v;
    body->nnode = m->nnode;
    int *node_v = GOS_NEW(b->arena, int, m->nnode + 1);
    if (!node_v) {
        return GOS_E_MEMORY;
    }
    body->node_v = node_v;
    for (int k = 0; k < m->nnode; k++) {
        gos_matrices_node *node = &m->node[k];
        GOS_TRY(gos__add_vectors(b, 1, node->x, 1, &node->v));
        node_v[k] = node->v;
        body->nv++;
        if (node->turns) {
            GOS_TRY(gos__add_vectors(b, 4, NULL, 0, &v));
            node->axis = v + 1;
            body->nv += 4;
        }
    }
    return GOS_OK;
}

/* Position (as in `at`) of coordinate k (0 ux .. 5 rz) of a node. */
static int matrices_node_at(const gos_matrices_node *node, int k) {
    return k < 3 ? 3 * node->v + k : 3 * (node->axis - 1) + k - 3;
}

/* Locks directions without a coordinate; ties the node axes. */
static gos_status matrices_nodes_tie(gos_builder *b, const gos_body *body, gos_matrices_body *m,
                                     const char *name) {
    for (int k = 0; k < m->nnode; k++) {
        const gos_matrices_node *node = &m->node[k];
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            if (node->dof[c] < 0 && (c < 3 || node->turns)) {
                GOS_TRY(gos__hold_component(b, body->loc, name, matrices_node_at(node, c)));
            }
        }
        if (node->turns) {
            set_axes(b, node->axis - 1);
            GOS_TRY(add_axes(b, body, name, node->axis - 1));
        }
    }
    return GOS_OK;
}

/* ---- attachment points ----------------------------------------------------------------------- */

gos_status gos__matrices_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                const char *object, gos_location *location) {
    const gos_matrices_body *m = b->par;
    if (m->nnode == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' is defined by matrices and has no nodes; give it `nodes`, "
                            "or use loads of type input and probes of quantity output",
                            b->name);
    }
    for (int k = 0; k < m->nnode; k++) {
        if (strcmp(m->node[k].name, ref) == 0) {
            *location =
                (gos_location){.body = b,
                               .node = k,
                               .face = -1,
                               .turns = m->node[k].turns ? GOS_LOCATION_TURNS : GOS_LOCATION_STAYS};
            memcpy(location->x, m->node[k].x, sizeof location->x);
            return GOS_OK;
        }
    }
    const char *near = gos__suggest(ref, m->node_name, m->nnode);
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        near
                            ? "body '%s' has no node '%s' (did you mean '%s'?)"
                            : "body '%s' has no node '%s'; use one of its table `nodes`, e.g. '%s'",
                        b->name, ref, near ? near : m->node_name[0]);
}

gos_status gos__matrices_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                  gos_marker *to) {
    const gos_matrices_body *m = b->par;
    const double one = 1;
    return gos__marker_make(a, 1, &m->node[p->node].v, &one, NULL, to);
}

gos_status gos__matrices_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                   const double d[3], gos_marker *to) {
    const gos_matrices_body *m = b->par;
    const gos_matrices_node *node = &m->node[p->node];
    const int v[3] = {node->axis, node->axis + 1, node->axis + 2};
    return node->turns ? gos__marker_make(a, 3, v, d, NULL, to) : GOS_E_INPUT;
}

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
    GOS_TRY(matrices_nodes_add(b, body, m));
    for (int i = 0; i < m->n; i++) {
        at[i] = -1;
    }
    *others = m->n;
    for (int k = 0; k < m->nnode; k++) {
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            if (m->node[k].dof[c] >= 0) {
                at[m->node[k].dof[c]] = matrices_node_at(&m->node[k], c);
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
    GOS_TRY(matrices_nodes_tie(b, body, m, name));
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
