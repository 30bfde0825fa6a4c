/* Springs, dashpots and point masses of a deck, added to the matrices of a body. Springs of one
   node act against the frame (the ground of the deck), along mesh axes. */
#include "deck/fe_springs.h"

#include <math.h>

#include "deck/fe_ties.h"

typedef struct entries {
    int n, icap, jcap, xcap;
    int *i, *j;
    double *x;
} entries;

typedef struct adding {
    gos_ctx *ctx;
    const gos_fe_body *body;
    const gos_deck *deck;
    const gos_deck_ties *ties; // reference nodes have freedoms; NULL: they do not
    const char *object;
    bool holds;
    unsigned char *fixed; // bits of supported freedoms, along the axes of the node (nodes)
    entries K, D, M;
} adding;

static gos_status add(adding *k, entries *e, int i, int j, double x) {
    GOS_TRY(gos__grow(k->ctx, (void **)&e->i, &e->icap, e->n + 1, sizeof *e->i));
    GOS_TRY(gos__grow(k->ctx, (void **)&e->j, &e->jcap, e->n + 1, sizeof *e->j));
    GOS_TRY(gos__grow(k->ctx, (void **)&e->x, &e->xcap, e->n + 1, sizeof *e->x));
    e->i[e->n] = i;
    e->j[e->n] = j;
    e->x[e->n++] = x;
    return GOS_OK;
}

static int number_of(const adding *k, int node, int dof) {
    return k->ties ? gos__deck_ties_number(k->ties, node, dof)
                   : gos__fe_number(&k->body->freedom, node, dof);
}

static gos_status refuse(const adding *k, const gos_deck_section *s, const gos_cell_block *b,
                         int cell, const char *what) {
    const gos_mesh *m = k->deck->mesh;
    const gos_loc loc = {m->source, b->line ? b->line[cell - b->first] : s->loc.line, 0};
    return gos__fail_at(k->ctx, GOS_E_INPUT, loc, k->object, "element %lld of type %s: %s",
                        (long long)gos__mesh_cell_tag(m, cell), b->type, what);
}

/* supported along mesh axis dof */
static bool is_fixed(const adding *k, int node, int dof) {
    double axis[3];
    const unsigned of = gos__deck_direction(k->deck, node, dof, axis, NULL) ? 7u : 1u << dof;
    return dof < 3 && (k->fixed[node] & of) == of;
}

/* freedom of an end; -1: fixed in the frame */
static gos_status end_of(const adding *k, const gos_deck_section *s, const gos_cell_block *b,
                         int cell, int node, int dof, int *number) {
    *number = number_of(k, node, dof);
    if (*number >= 0 || (is_fixed(k, node, dof) && k->holds)) {
        return GOS_OK;
    }
    return refuse(k, s, b, cell,
                  is_fixed(k, node, dof)
                      ? "its fixed node is the frame only where the supports of the deck hold it; "
                        "give the body `reference: clamped` without `at`"
                      : "a node of it belongs to no cell with this degree of freedom and is not "
                        "fixed; connect it to a cell, or use a load or joint of the model");
}

/* factors c of freedoms: adds value c c^T */
static gos_status add_product(adding *k, entries *e, double value, int n, const int *number,
                              const double *c) {
    for (int i = 0; i < n * n; i++) {
        const int p = number[i / n], q = number[i % n];
        if (p >= 0 && q >= 0 && c[i / n] * c[i % n] != 0) {
            GOS_TRY(add(k, e, p, q, value * c[i / n] * c[i % n]));
        }
    }
    return GOS_OK;
}

/* u_dof[1] of the second node minus u_dof[0] of the first */
static gos_status add_directed(adding *k, const gos_deck_section *s, const gos_cell_block *b,
                               int cell, const int *node, int n) {
    static const double c[2] = {-1, 1};
    int number[2];
    if (n == 1 && !k->holds) {
        return refuse(k, s, b, cell,
                      "it acts against the ground, which is the frame only where the supports of "
                      "the deck hold it; give the body `reference: clamped` without `at`");
    }
    for (int i = 0; i < n; i++) {
        GOS_TRY(end_of(k, s, b, cell, node[i], s->dof[i] - 1, &number[i]));
    }
    return add_product(k, &k->K, s->value[0], n, number, c);
}

/* elongation along the line */
static gos_status add_axial(adding *k, const gos_deck_section *s, const gos_cell_block *b, int cell,
                            const int *node) {
    double c[6], size = 0;
    int number[6];
    for (int i = 0; i < 3; i++) {
        c[3 + i] = k->deck->mesh->x[node[1]][i] - k->deck->mesh->x[node[0]][i];
        size += c[3 + i] * c[3 + i];
    }
    if (!(size > 0)) {
        return refuse(k, s, b, cell,
                      "its nodes coincide, so it has no direction; move one, or use "
                      "SPRING2");
    }
    for (int i = 0; i < 6; i++) {
        number[i] = -1;
        GOS_TRY(c[3 + i % 3] == 0 ? GOS_OK : end_of(k, s, b, cell, node[i / 3], i % 3, &number[i]));
    }
    for (int i = 0; i < 3; i++) {
        c[3 + i] /= sqrt(size);
        c[i] = -c[3 + i];
    }
    return add_product(k, s->kind == GOS_DECK_SPRING ? &k->K : &k->D, s->value[0], 6, number, c);
}

static const char *no_freedom(const adding *k, const gos_deck_section *s, int component) {
    return s->kind == GOS_DECK_SPRING
               ? "a node of it belongs to no cell with the displacements or rotations that it acts "
                 "on, and is not fixed; connect it to a cell, or couple it to one"
           : !k->ties      ? "a mass with inertia, offset or of one direction needs the body's "
                             "constraints; give the model a rigid body with this mass, joined to the "
                             "node by a clamp"
           : component < 3 ? "its node belongs to no cell; couple it to one"
                           : "its node has no rotations, as it belongs to solids only; couple it "
                             "to several nodes, or leave out its inertia";
}

/* of six components at each node; those without freedom must be fixed or without entry */
static gos_status add_matrix(adding *k, const gos_deck_section *s, const gos_cell_block *b,
                             int cell, const int *node, entries *to, const double *matrix) {
    const int n = 6 * gos__cell_kind[b->shape].nodes;
    int number[12];
    for (int c = 0; c < n; c++) {
        const bool mass = s->kind == GOS_DECK_MASS;
        const unsigned three = k->fixed[node[c / 6]] >> (c % 6 < 3 ? 0 : 3);
        const bool held = !mass && k->holds && (three & 7u) == 7u;
        number[c] = k->ties || !mass ? number_of(k, node[c / 6], c % 6) : -1;
        if (number[c] < 0 && !held && matrix[(n + 1) * c] != 0) {
            return refuse(k, s, b, cell, no_freedom(k, s, c % 6));
        }
    }
    for (int i = 0; i < n * n; i++) {
        const int p = number[i / n], q = number[i % n];
        GOS_TRY(p >= 0 && q >= 0 && matrix[i] != 0 ? add(k, to, p, q, matrix[i]) : GOS_OK);
    }
    return GOS_OK;
}

static gos_status add_mass(adding *k, const gos_deck_section *s, const gos_cell_block *b, int cell,
                           int node) {
    const int at = gos__fe_number(&k->body->node, node, 0);
    for (int c = 0; c < 3 && k->ties; c++) {
        const int number = number_of(k, node, c);
        if (number < 0) {
            return refuse(k, s, b, cell, "its node belongs to no cell; couple it to one");
        }
        GOS_TRY(add(k, &k->M, number, number, s->value[0]));
    }
    if (k->ties) {
        return GOS_OK;
    }
    return at >= 0 ? add(k, &k->M, at, at, s->value[0])
                   : refuse(k, s, b, cell,
                            "its node belongs to no cell; give the model a rigid body with this "
                            "mass, joined to the node by a clamp");
}

static gos_status add_cell(adding *k, const gos_cell_block *b, int i) {
    const int section = k->deck->cell_section[b->first + i];
    const int nodes = gos__cell_kind[b->shape].nodes, *node = b->node + (size_t)i * nodes;
    const gos_deck_section *s = section < 0 ? NULL : &k->deck->section[section];
    if (!s && b->type && gos__deck_is_discrete_type(b->type)) {
        return gos__fail_at(
            k->ctx, GOS_E_INPUT, (gos_loc){k->deck->mesh->source, b->line ? b->line[i] : 0, 0},
            k->object, "element %lld of type %s has no value; add *SPRING, *DASHPOT or *MASS",
            (long long)gos__mesh_cell_tag(k->deck->mesh, b->first + i), b->type);
    }
    if (!s || !gos__deck_is_discrete(s)) {
        return GOS_OK;
    }
    if (s->matrix) {
        entries *to = s->kind == GOS_DECK_MASS ? &k->M : &k->K;
        GOS_TRY(add_matrix(k, s, b, b->first + i, node, to, s->matrix));
        return s->damping ? add_matrix(k, s, b, b->first + i, node, &k->D, s->damping) : GOS_OK;
    }
    return s->kind == GOS_DECK_MASS ? add_mass(k, s, b, b->first + i, node[0])
           : s->dof[0] > 0          ? add_directed(k, s, b, b->first + i, node, nodes)
                                    : add_axial(k, s, b, b->first + i, node);
}

static void find_fixed(const adding *k) {
    const gos_deck *d = k->deck;
    unsigned char *seen = k->fixed;
    for (int i = 0; i < d->nnodal; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        for (int j = 0; n->kind == GOS_DECK_FIXED && j < n->n; j++) {
            for (int dof = n->dof; dof <= n->dof_last && dof <= 6; dof++) {
                const unsigned bit = 1u << (dof - 1),
                               old = seen[n->node[j]]; // later lines override
                seen[n->node[j]] = (unsigned char)(n->value == 0 ? old | bit : old & ~bit);
            }
        }
    }
}

static gos_status sum_into(gos_ctx *ctx, entries *e, int n, gos_sparse *A) {
    gos_sparse own = {0}, sum = {0};
    if (e->n == 0) {
        return GOS_OK;
    }
    gos_status status = gos__sparse_from_triplets(ctx, n, n, e->n, e->i, e->j, e->x, &own);
    if (status == GOS_OK) {
        gos__sparse_merge(&own);
        status =
            A->p ? gos__sparse_sum(ctx, 1, A, 1, &own, &sum) : gos__sparse_copy(ctx, &own, &sum);
    }
    if (status == GOS_OK) {
        gos__sparse_free(ctx, A);
        *A = sum;
    }
    gos__sparse_free(ctx, &own);
    return status;
}

static void free_entries(gos_ctx *ctx, entries *e) {
    gos__free(ctx, e->i);
    gos__free(ctx, e->j);
    gos__free(ctx, e->x);
}

gos_status gos__deck_springs(const gos_fe_body *body, const gos_deck_ties *ties, const char *object,
                             bool holds, const gos_deck_discrete *to) {
    gos_ctx *ctx = body->ctx;
    const gos_deck *deck = body->mesh->deck;
    adding k = {.ctx = ctx, .body = body, .deck = deck, .ties = ties, .object = object};
    k.holds = holds;
    k.fixed = gos__zalloc(ctx, (size_t)deck->mesh->nnode + 1, sizeof *k.fixed);
    gos_status status = k.fixed ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        find_fixed(&k);
    }
    for (int i = 0; i < deck->mesh->nblock; i++) {
        const gos_cell_block *b = &deck->mesh->block[i];
        for (int j = 0; j < b->n && status == GOS_OK && gos__cell_kind[b->shape].dim < 2; j++) {
            status = add_cell(&k, b, j);
        }
    }
    const int n = to->n;
    status = status == GOS_OK && to->K ? sum_into(ctx, &k.K, n, to->K) : status;
    status = status == GOS_OK && to->D ? sum_into(ctx, &k.D, n, to->D) : status;
    status = status == GOS_OK && to->M ? sum_into(ctx, &k.M, to->nmass, to->M) : status;
    free_entries(ctx, &k.K);
    free_entries(ctx, &k.D);
    free_entries(ctx, &k.M);
    gos__free(ctx, k.fixed);
    return status;
}
