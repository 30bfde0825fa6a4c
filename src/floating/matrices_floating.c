/* Bodies of matrices in a floating frame. Needs matrices of the free body with three displacements
   at all nodes and mass M_s x I_3 plus inertia of single nodes. Inertia of the frame follows from
   sums over M_s, as shape functions sum to 1 and reproduce positions. */
#include "floating/matrices_floating.h"

#include <math.h>

#include "floating/floating_range.h"

#define EQUAL_TOLERANCE 1e-8 // relative to the largest entry

typedef struct floated {
    gos_floating_body f;
    int nnode;
    const gos_matrices_node *node;
} floated;

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const gos_linear *l;
    floated *m;
    int *of; // 6 node + (ux .. rz) (nq)
    int n, cap;
    int *i, *j; // Gram matrix
    double *x;
} making;

static gos_status refuse(const making *k, const char *key, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, key), k->object, "%s", why);
}

/* ---- coordinates ----------------------------------------------------------------------------- */

static gos_status number_coordinates(making *k) {
    k->of = GOS_NEW(k->b->arena, int, k->l->nq + 1);
    GOS_TRY(k->of ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->l->nq; i++) {
        k->of[i] = -1;
    }
    for (int i = 0; i < k->m->nnode; i++) {
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            const int dof = k->m->node[i].dof[c];
            if (dof < 0 && (c < 3 || k->m->node[i].turns)) {
                return refuse(k, "nodes",
                              "a floating body needs ux, uy, uz of every node, and all of rx, ry, "
                              "rz if it has one of them; use the matrices of the free body, which "
                              "`reference` constrains");
            }
            if (dof >= 0) {
                k->of[dof] = GOS_NODE_DOFS * i + c;
            }
        }
    }
    for (int i = 0; i < k->l->nq; i++) {
        if (k->of[i] < 0) {
            return refuse(k, "nodes",
                          "coordinates of the matrices belong to no node; a floating body needs "
                          "all of them in the table");
        }
    }
    return GOS_OK;
}

/* ---- mass
 * ------------------------------------------------------------------------------------------------
 */

static gos_status add(making *k, int i, int j, double x) {
    gos_ctx *ctx = k->b->ctx;
    int cap = k->cap;
    GOS_TRY(gos__grow(ctx, (void **)&k->i, &cap, k->n + 1, sizeof *k->i));
    cap = k->cap;
    GOS_TRY(gos__grow(ctx, (void **)&k->j, &cap, k->n + 1, sizeof *k->j));
    GOS_TRY(gos__grow(ctx, (void **)&k->x, &k->cap, k->n + 1, sizeof *k->x));
    k->i[k->n] = i;
    k->j[k->n] = j;
    k->x[k->n++] = x;
    return GOS_OK;
}

static gos_status add_both(making *k, int i, int j, double x) {
    GOS_TRY(add(k, i, j, x));
    return add(k, j, i, x);
}

/* moments of 1, X and displacements of mass m */
static gos_status add_scalar(making *k, int p, int q, double m) {
    const double *xp = k->m->f.flex->x[p], *xq = k->m->f.flex->x[q];
    const double wp[4] = {1, xp[0], xp[1], xp[2]}, wq[4] = {1, xq[0], xq[1], xq[2]};
    for (int i = 0; i < 16; i++) {
        GOS_TRY(add(k, i / 4, i % 4, m * wp[i / 4] * wq[i % 4]));
    }
    for (int c = 0; c < 3; c++) {
        const int fq = gos__flex_at(k->m->node[q].dof[c], c);
        for (int i = 0; i < 4; i++) {
            GOS_TRY(add_both(k, i, fq, m * wp[i]));
        }
        for (int d = 0; d < 3; d++) {
            GOS_TRY(add(k, gos__flex_at(k->m->node[p].dof[d], d), fq, m));
        }
    }
    return GOS_OK;
}

/* entry J between axes a, b: (tr / 2 - J) of vectors e + theta x e */
static gos_status add_inertia(making *k, int node, int a, int b, double J) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double m = (i == j && a == b ? 0.5 * J : 0) - (i == a && j == b ? J : 0);
            int at[2][3], n[2] = {0, 0};
            double w[2][3];
            for (int side = 0; side < 2 && m != 0; side++) {
                const int e = side ? j : i;
                at[side][n[side]] = 1 + e;
                w[side][n[side]++] = 1;
                for (int c = 0; c < 3; c++) {
                    if (c != e) {
                        at[side][n[side]] = gos__flex_at(k->m->node[node].dof[3 + c], 3 - c - e);
                        w[side][n[side]++] = (c + 1) % 3 == e ? 1 : -1;
                    }
                }
            }
            for (int s = 0; s < n[0] * n[1]; s++) {
                const int p = s / n[1], q = s % n[1];
                GOS_TRY(add(k, at[0][p], at[1][q], m * w[0][p] * w[1][q]));
            }
        }
    }
    return GOS_OK;
}

static double entry_of(const gos_sparse *A, int i, int j) {
    for (int p = A->p[j]; p < A->p[j + 1]; p++) {
        if (A->i[p] == i) {
            return A->x[p];
        }
    }
    return 0;
}

static double largest_of(const gos_sparse *A) {
    double most = 0;
    for (int p = 0; p < A->nnz; p++) {
        most = fmax(most, fabs(A->x[p]));
    }
    return most;
}

static gos_status add_entry(making *k, int row, int column, double x, double small) {
    const int p = k->of[row] / GOS_NODE_DOFS, c = k->of[row] % GOS_NODE_DOFS;
    const int q = k->of[column] / GOS_NODE_DOFS, d = k->of[column] % GOS_NODE_DOFS;
    if (c >= 3 && d >= 3 && p == q) {
        return add_inertia(k, p, c - 3, d - 3, x);
    }
    bool scalar = c < 3 && c == d;
    for (int e = 0; e < 3 && scalar; e++) {
        const double other = entry_of(&k->l->M, k->m->node[p].dof[e], k->m->node[q].dof[e]);
        scalar = fabs(other - x) <= small;
    }
    if (!scalar && fabs(x) > small) {
        return refuse(k, "M",
                      "in a floating frame the mass must be a scalar between displacements, equal "
                      "along x, y and z, plus inertia of single nodes; use a lumped mass, or "
                      "floating_beam or floating_frame for beams");
    }
    return scalar && c == 0 ? add_scalar(k, p, q, x) : GOS_OK;
}

static gos_status make_gram(making *k) {
    const gos_sparse *M = &k->l->M;
    const double small = EQUAL_TOLERANCE * largest_of(M);
    const int order = GOS_FLEX_RIGID + 3 * k->l->nq;
    for (int j = 0; j < M->n; j++) {
        for (int p = M->p[j]; p < M->p[j + 1]; p++) {
            GOS_TRY(add_entry(k, M->i[p], j, M->x[p], small));
        }
    }
    gos_sparse *G = &k->m->f.flex->gram;
    GOS_TRY(gos__sparse_from_triplets(k->b->ctx, order, order, k->n, k->i, k->j, k->x, G));
    gos__sparse_merge(G);
    return GOS_OK;
}

/* ---- stiffness ------------------------------------------------------------------------------- */

static gos_status check_free(const making *k) {
    const gos_sparse *K = &k->l->block[GOS_BLOCK_K];
    const double largest = largest_of(K);
    double extent = 1e-300;
    double *r = GOS_NEW(k->b->arena, double, k->l->nq + 1),
           *f = GOS_NEW(k->b->arena, double, k->l->nq + 1);
    GOS_TRY(r && f ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->m->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            extent = fmax(extent, fabs(k->m->f.flex->x[i][c]));
        }
    }
    for (int motion = 0; motion < 6; motion++) {
        const int a = motion % 3;
        for (int i = 0; i < k->l->nq; i++) {
            const int c = k->of[i] % GOS_NODE_DOFS;
            const double *x = k->m->f.flex->x[k->of[i] / GOS_NODE_DOFS];
            r[i] = motion < 3         ? c == a
                   : c >= 3           ? c - 3 == a
                   : c == (a + 1) % 3 ? -x[(a + 2) % 3]
                   : c == (a + 2) % 3 ? x[(a + 1) % 3]
                                      : 0;
        }
        memset(f, 0, (size_t)k->l->nq * sizeof *f);
        for (int j = 0; j < K->n; j++) {
            for (int p = K->p[j]; p < K->p[j + 1]; p++) {
                f[K->i[p]] += K->x[p] * r[j];
            }
        }
        for (int i = 0; i < k->l->nq; i++) {
            if (fabs(f[i]) > 1e-6 * largest * (motion < 3 ? 1 : fmax(extent, 1))) {
                return refuse(
                    k, "K",
                    "the stiffness resists rigid motion, as if the body were fixed to the ground; "
                    "give that of the free body, which `reference` constrains");
            }
        }
    }
    return GOS_OK;
}

/* D + a M + b K */
static gos_status make_stiffness(making *k, const double rayleigh[2]) {
    gos_flex *flex = k->m->f.flex;
    gos_ctx *ctx = k->b->ctx;
    gos_sparse sum = {0};
    GOS_TRY(check_free(k));
    GOS_TRY(gos__sparse_copy(ctx, &k->l->K, &flex->K));
    GOS_TRY(gos__sparse_sum(ctx, rayleigh[0], &k->l->M, rayleigh[1], &k->l->K, &sum));
    const gos_sparse *D = &k->l->block[GOS_BLOCK_D];
    const gos_status status = D->nnz > 0 ? gos__sparse_sum(ctx, 1, D, 1, &sum, &flex->D)
                                         : gos__sparse_copy(ctx, &sum, &flex->D);
    gos__sparse_free(ctx, &sum);
    return status;
}

/* nodal displacements and rotations are single coordinates */
static gos_status make_nodes(making *k, int at) {
    gos_flex *flex = k->m->f.flex;
    const int columns = 3 * k->m->nnode;
    memcpy(k->m->f.origin, k->m->node[at].x, sizeof k->m->f.origin);
    GOS_TRY(gos__sparse_alloc(k->b->ctx, flex->n, columns, (size_t)columns, &flex->move));
    GOS_TRY(gos__sparse_alloc(k->b->ctx, flex->n, columns, (size_t)columns, &flex->turn));
    int turns = 0;
    for (int j = 0; j < columns; j++) {
        const gos_matrices_node *node = &k->m->node[j / 3];
        flex->x[j / 3][j % 3] = node->x[j % 3] - k->m->f.origin[j % 3];
        flex->move.i[j] = node->dof[j % 3];
        flex->move.x[j] = 1;
        flex->move.p[j + 1] = j + 1;
        if (node->turns) {
            flex->turn.i[turns] = node->dof[3 + j % 3];
            flex->turn.x[turns++] = 1;
        }
        flex->turn.p[j + 1] = turns;
    }
    flex->turn.nnz = turns;
    return GOS_OK;
}

/* ---- the body -------------------------------------------------------------------------------- */

static int node_of(const void *par, const char *name) {
    const floated *m = par;
    for (int i = 0; i < m->nnode; i++) {
        if (strcmp(m->node[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *p) {
    const floated *m = b->par;
    const bool frame = strcmp(ref, "frame") == 0;
    const int i = frame ? m->nnode : node_of(m, ref);
    if (i < 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no node '%s'; use `frame`, or a name of its table",
                            b->name, ref);
    }
    *p = (gos_location){.body = b,
                        .node = i,
                        .face = -1,
                        .turns =
                            frame || m->node[i].turns ? GOS_LOCATION_TURNS : GOS_LOCATION_STAYS};
    memcpy(p->x, frame ? m->f.origin : m->node[i].x, sizeof p->x);
    return GOS_OK;
}

static const gos_body_ops body_ops = {.locate = locate,
                                      .position = gos__floating_node_position,
                                      .direction = gos__floating_node_direction,
                                      .range = gos__floating_range};

static gos_status find_node(const making *k, const char *key, const char *name, int *i) {
    if (name) {
        *i = node_of(k->m, name);
    }
    return *i >= 0 ? GOS_OK
                   : refuse(k, key, "there is no such node in the table; use one of its nodes");
}

static gos_status make_flex(making *k, const gos_matrices_frame *frame) {
    floated *m = k->m;
    int a = 0, z = m->nnode - 1;
    gos_floating_names names = {.node = node_of, .par = m, .known = "its nodes"};
    GOS_TRY(number_coordinates(k));
    GOS_TRY(find_node(k, "at", frame->at, &a));
    GOS_TRY(find_node(k, "chord_end", frame->far, &z));
    if (a == z && frame->def.reference == GOS_FLEX_CHORD) {
        return refuse(k, "chord_end", "the chord starts and ends at the same node; give two nodes");
    }
    GOS_TRY(gos__flex_create(k->b->ctx, k->l->nq, m->nnode, &m->f.flex));
    GOS_TRY(make_nodes(k, a));
    GOS_TRY(make_gram(k));
    GOS_TRY(make_stiffness(k, frame->def.rayleigh));
    GOS_TRY(gos__flex_hold(m->f.flex, (gos_flex_condition)frame->def.reference, a, z));
    bool *none = gos__zalloc(k->b->ctx, (size_t)k->l->nq, sizeof *none);
    const gos_status status = none ? gos__flex_drop(m->f.flex, none) : GOS_E_MEMORY;
    gos__free(k->b->ctx, none);
    GOS_TRY(status);
    GOS_TRY(gos__floating_mentions(k->b, k->entry->key, &names));
    return gos__floating_finish(k->b, k->entry, k->object, &frame->def, &names, &m->f.flex);
}

gos_status gos__matrices_no_frame(gos_builder *b, const gos_node *entry, const char *object) {
    static const char *const keys[] = {"reference", "at",     "chord_end", "zeta",
                                       "rayleigh",  "reduce", "velocity",  "angular_velocity"};
    for (int i = 0; i < GOS_COUNT(keys); i++) {
        if (gos__node_given(entry, keys[i])) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, keys[i]), object,
                                "'%s' applies to bodies in a floating frame only; give `frame: "
                                "floating`, or leave it out",
                                keys[i]);
        }
    }
    return GOS_OK;
}

gos_status gos__matrices_float(gos_builder *b, const gos_node *entry, const char *object,
                               const gos_matrices_frame *frame, const gos_linear *l, int nnode,
                               const gos_matrices_node *node, gos_body *body) {
    floated *m = GOS_NEW(b->arena, floated, 1);
    char *own = gos__arena_strdup(b->arena, object);
    making k = {.b = b, .entry = entry, .object = object, .l = l, .m = m};
    if (!m || !own) {
        return GOS_E_MEMORY;
    }
    if (nnode == 0 || l->nq == 0 || l->nc > 0 || l->nu > 0 || l->ny > 0 || !l->symmetric) {
        return refuse(&k, "frame",
                      "a floating body needs symmetric M, K and D of second order and a table of "
                      "nodes, without G, B, C: forces, joints and probes act at its nodes");
    }
    *m = (floated){.nnode = nnode, .node = node};
    for (int c = 0; c < 3; c++) {
        m->f.axis[c][c] = 1;
    }
    const gos_status status = make_flex(&k, frame);
    gos__free(b->ctx, k.i);
    gos__free(b->ctx, k.j);
    gos__free(b->ctx, k.x);
    if (status != GOS_OK) {
        gos__flex_destroy(m->f.flex);
        return status;
    }
    body->ops = &body_ops;
    body->par = m;
    const gos_floating_picture picture = {.nnode = nnode, .cell_size = 2};
    GOS_TRY(gos__floating_add(b, &frame->def.start, &picture, own, &m->f, body));
    return gos__add_body(b, body, NULL);
}
