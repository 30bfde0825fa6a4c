/* Quadratic shells (S6, S8, S8R) as one layer of solids, as in CalculiX: on the normal of each node
   lie a node of the lower face, one of the upper face and, at corners, one in the middle. */
#include <math.h>

#include "deck/reader.h"
#include "mesh/shapes.h"

#define SMOOTH 0.939693 // cosine of 20 degrees: normals that differ by less are averaged ...
#define EQUAL 1e-10     // ... where thickness and offset are equal

/* a node of a shell cell */
typedef struct end {
    int node, slot; // slot: counts the nodes of all cells
    int64_t tag;    // of the cell
    int cell;
    bool corner;
    double normal[3], thickness, offset;
} end;

typedef struct expanding {
    gos_deck_reader *r;
    gos_deck *deck;
    gos_mesh *mesh;
    int nend;
    end *end;  // by node, then by tag (nend)
    int *slot; // fibre of each slot, -1: none yet (nend)
    double (*x)[3];
    int nnode;   // with the new ones
    bool *solid; // nodes of other cells (old nodes)
} expanding;

/* ---- which cells ----------------------------------------------------------------------------- */

/* homogeneous sections; the others are refused later */
static bool is_expanded(const gos_deck *d, const gos_cell_block *b, int i) {
    const int s = d->cell_section[b->first + i];
    const bool shell = b->type && (b->type[0] == 'S' || strncmp(b->type, "DS", 2) == 0);
    return shell && (b->shape == GOS_CELL_QUAD8 || b->shape == GOS_CELL_TRI6) && s >= 0 &&
           d->section[s].kind == GOS_DECK_SHELL && d->section[s].nlayer == 0;
}

/* all or none of the cells of a block; counts their nodes */
static gos_status check_block(expanding *k, const gos_cell_block *b) {
    const bool first = b->n > 0 && is_expanded(k->deck, b, 0);
    for (int i = 0; i < b->n; i++) {
        if (is_expanded(k->deck, b, i) != first) {
            return gos__fail_at(k->r->ctx, GOS_E_INPUT, (gos_loc){k->mesh->source, b->line[i], 0},
                                "*ELEMENT",
                                "elements %lld and %lld of type %s: only one has a homogeneous "
                                "*SHELL SECTION; give both one, or write a card *ELEMENT of "
                                "another type between them",
                                (long long)b->tag[0], (long long)b->tag[i], b->type);
        }
    }
    k->nend += first ? b->n * gos__cell_kind[b->shape].nodes : 0;
    return GOS_OK;
}

/* ---- normals --------------------------------------------------------------------------------- */

static gos_status normal_at(const expanding *k, const gos_cell_block *b, int i, int at,
                            double n[3]) {
    const int nodes = gos__cell_kind[b->shape].nodes, *node = b->node + (size_t)i * nodes;
    double x[GOS_CELL_NODES][3], place[GOS_CELL_NODES][3], N[GOS_CELL_NODES];
    double dN[GOS_CELL_NODES][3];
    for (int j = 0; j < nodes; j++) {
        memcpy(x[j], k->mesh->x[node[j]], sizeof x[j]);
    }
    gos__shape_nodes(b->shape, place);
    gos__shape(b->shape, place[at], N, dN);
    return gos__shape_normal(2, nodes, x, dN, n) > 0
               ? GOS_OK
               : gos__fail_at(k->r->ctx, GOS_E_INPUT, (gos_loc){k->mesh->source, b->line[i], 0},
                              "*ELEMENT", "element %lld has no normal at node %lld; move its nodes",
                              (long long)b->tag[i],
                              (long long)gos__mesh_node_tag(k->mesh, node[at]));
}

static gos_status add_ends(expanding *k, const gos_cell_block *b) {
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    for (int i = 0; i < b->n * kind->nodes; i++) {
        const int cell = i / kind->nodes, at = i % kind->nodes;
        const gos_deck_section *s = &k->deck->section[k->deck->cell_section[b->first + cell]];
        end *e = &k->end[k->nend];
        *e = (end){.node = b->node[i],
                   .slot = k->nend,
                   .tag = b->tag[cell],
                   .cell = b->first + cell,
                   .corner = at < kind->corners,
                   .thickness = s->nodal ? k->r->thickness[2 * b->node[i]] : s->value[0],
                   .offset = s->offset[0]};
        k->slot[k->nend++] = -1;
        GOS_TRY(normal_at(k, b, cell, at, e->normal));
    }
    return GOS_OK;
}

static int by_node(const void *a, const void *b) {
    const end *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->tag > y->tag) - (x->tag < y->tag);
}

static bool is_smooth(const end *a, const end *b) {
    const double *n = a->normal, *m = b->normal;
    return n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > SMOOTH &&
           fabs(a->thickness - b->thickness) < EQUAL && fabs(a->offset - b->offset) < EQUAL;
}

static int put_node(expanding *k, int node, double zeta, const double n[3]) {
    for (int c = 0; c < 3; c++) {
        k->x[k->nnode][c] = k->mesh->x[node][c] + zeta * n[c];
    }
    return k->nnode++;
}

/* of the ends from the first on, at one node, whose normals agree with that of the first */
static gos_status add_fibre(expanding *k, int n, const end *e) {
    double normal[3] = {0, 0, 0}, size = 0;
    bool corner = false;
    gos_deck_fibre *f;
    GOS_TRY(gos__deck_add(k->r, &k->deck->fibre, &k->deck->nfibre, sizeof *f, &f));
    for (int i = 0; i < n; i++) {
        if (k->slot[e[i].slot] >= 0 || !is_smooth(e, &e[i])) {
            continue;
        }
        k->slot[e[i].slot] = k->deck->nfibre - 1;
        corner = corner || e[i].corner;
        for (int c = 0; c < 3; c++) {
            normal[c] += e[i].normal[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        size += normal[c] * normal[c];
    }
    for (int c = 0; c < 3; c++) {
        normal[c] /= sqrt(size);
    }
    const double t = e->thickness;
    *f = (gos_deck_fibre){.node = e->node, .cell = e->cell, .at = {-1, -1, -1}};
    f->at[0] = put_node(k, e->node, -t * (0.5 + e->offset), normal);
    f->at[1] = corner ? put_node(k, e->node, -t * e->offset, normal) : -1;
    f->at[2] = put_node(k, e->node, t * (0.5 - e->offset), normal);
    return GOS_OK;
}

static gos_status add_fibres(expanding *k) {
    for (int i = 0; i < k->nend; i++) {
        int last = i;
        while (last < k->nend && k->end[last].node == k->end[i].node) {
            last++;
        }
        GOS_TRY(k->slot[k->end[i].slot] < 0 ? add_fibre(k, last - i, &k->end[i]) : GOS_OK);
    }
    return GOS_OK;
}

/* With an offset the node moves to the middle, as its displacement is that of the middle. */
static gos_status centre(expanding *k) {
    for (int i = 0; i < k->nend; i++) {
        const end *e = &k->end[i];
        const gos_deck_fibre *f = &k->deck->fibre[k->slot[e->slot]];
        if (e->offset == 0) {
            continue;
        }
        const bool fold = i > 0 && k->end[i - 1].node == e->node &&
                          k->slot[k->end[i - 1].slot] != k->slot[e->slot];
        if (k->solid[e->node] || fold) {
            return gos__fail_at(k->r->ctx, GOS_E_INPUT,
                                k->deck->section[k->deck->cell_section[e->cell]].loc,
                                "*SHELL SECTION",
                                "OFFSET at node %lld, where the shell has a fold, or cells of "
                                "another type meet it, is not supported; move the nodes to the "
                                "middle surface",
                                (long long)gos__mesh_node_tag(k->mesh, e->node));
        }
        for (int c = 0; c < 3; c++) {
            k->x[e->node][c] = 0.5 * (k->x[f->at[0]][c] + k->x[f->at[2]][c]);
        }
    }
    return GOS_OK;
}

/* ---- the mesh -------------------------------------------------------------------------------- */

/* slot: that of the first node of the block */
static gos_status rewrite_block(const expanding *k, gos_cell_block *b, int slot) {
    const gos_cell_kind *from = &gos__cell_kind[b->shape];
    const gos_cell_shape shape = b->shape == GOS_CELL_QUAD8 ? GOS_CELL_HEX20 : GOS_CELL_WEDGE15;
    const int nodes = gos__cell_kind[shape].nodes, c = from->corners;
    int *node = GOS_NEW(k->r->arena, int, (size_t)b->n *(size_t)nodes);
    GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < b->n; i++) {
        int *to = node + (size_t)i * nodes;
        for (int j = 0; j < c; j++) {
            const int *at = k->slot + slot + (size_t)i * from->nodes + j;
            const gos_deck_fibre *corner = &k->deck->fibre[at[0]], *edge = &k->deck->fibre[at[c]];
            to[j] = corner->at[0];
            to[c + j] = corner->at[2];
            to[2 * c + j] = edge->at[0];
            to[3 * c + j] = edge->at[2];
            to[4 * c + j] = corner->at[1];
        }
    }
    b->shape = shape;
    b->node = node;
    return GOS_OK;
}

static gos_status rewrite(expanding *k) {
    gos_mesh *m = k->mesh;
    const int old = m->nnode;
    int64_t *tag = GOS_NEW(k->r->arena, int64_t, k->nnode + 1L);
    GOS_TRY(tag ? gos__mesh_nodes(m, k->nnode, (gos_loc){m->source, 0, 0}, NULL) : GOS_E_MEMORY);
    memcpy(m->x, k->x, (size_t)k->nnode * sizeof *m->x);
    for (int i = 0; i < k->nnode; i++) {
        tag[i] = i < old ? m->tag[i] : tag[i - 1] + 1;
    }
    m->tag = tag;
    for (int i = 0, slot = 0; i < m->nblock; i++) {
        gos_cell_block *b = &m->block[i];
        const int n = b->n * gos__cell_kind[b->shape].nodes;
        if (b->n > 0 && is_expanded(k->deck, b, 0)) {
            GOS_TRY(rewrite_block(k, b, slot));
            slot += n;
            k->deck->dim = 3;
        }
    }
    return GOS_OK;
}

static void find_solid(const expanding *k) {
    for (int i = 0; i < k->mesh->nblock; i++) {
        const gos_cell_block *b = &k->mesh->block[i];
        const bool shell = b->n > 0 && is_expanded(k->deck, b, 0);
        for (int j = 0; j < b->n * gos__cell_kind[b->shape].nodes && !shell; j++) {
            k->solid[b->node[j]] = true;
        }
    }
}

static gos_status expand(expanding *k) {
    const gos_mesh *m = k->mesh;
    const int old = m->nnode;
    k->nend = 0;
    find_solid(k);
    for (int i = 0; i < m->nblock; i++) {
        const bool shell = m->block[i].n > 0 && is_expanded(k->deck, &m->block[i], 0);
        GOS_TRY(shell ? add_ends(k, &m->block[i]) : GOS_OK);
    }
    qsort(k->end, (size_t)k->nend, sizeof *k->end, by_node);
    memcpy(k->x, m->x, (size_t)m->nnode * sizeof *m->x);
    k->nnode = m->nnode;
    GOS_TRY(add_fibres(k));
    GOS_TRY(centre(k));
    GOS_TRY(rewrite(k));
    return gos__deck_fibres_apply(k->r, old, k->solid);
}

gos_status gos__deck_expand(gos_deck_reader *r) {
    expanding k = {.r = r, .deck = r->deck, .mesh = r->mesh};
    for (int i = 0; i < r->mesh->nblock; i++) {
        GOS_TRY(check_block(&k, &r->mesh->block[i]));
    }
    if (k.nend == 0) {
        return gos__deck_no_gradients(r);
    }
    const size_t n = (size_t)k.nend, nodes = (size_t)r->mesh->nnode;
    k.end = gos__alloc(r->ctx, n, sizeof *k.end);
    k.slot = gos__alloc(r->ctx, n, sizeof *k.slot);
    k.x = (double(*)[3])gos__alloc(r->ctx, nodes + 3 * n, sizeof *k.x);
    k.solid = gos__zalloc(r->ctx, nodes + 1, sizeof *k.solid);
    const gos_status status = k.end && k.slot && k.x && k.solid ? expand(&k) : GOS_E_MEMORY;
    gos__free(r->ctx, k.end);
    gos__free(r->ctx, k.slot);
    gos__free(r->ctx, k.x);
    gos__free(r->ctx, k.solid);
    return status;
}
