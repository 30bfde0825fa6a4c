/* Refers faces, temperatures and sets of expanded shells (shell_expansion.c) to their solids. */
#include <math.h>

#include "deck/reader.h"

typedef struct applying {
    gos_deck_reader *r;
    gos_deck *deck;
    gos_mesh *mesh;
    const bool *solid; // nodes of other cells (nodes before)
    int *first;        // first fibre of each node, -1: none (nodes before)
} applying;

bool gos__deck_is_layer(const gos_cell_block *b) {
    return b->type && (b->shape == GOS_CELL_HEX20 || b->shape == GOS_CELL_WEDGE15) &&
           (b->type[0] == 'S' || strncmp(b->type, "DS", 2) == 0);
}

static bool of_layer(const applying *k, int cell) {
    int at;
    return gos__deck_is_layer(gos__mesh_cell(k->mesh, cell, &at));
}

/* ---- faces ----------------------------------------------------------------------------------- */

static signed char side_of(signed char face) {
    return face == GOS_DECK_FACE_NEG ? 0 : face == GOS_DECK_FACE_POS ? 1 : (signed char)(face + 2);
}

/* a copy, as surfaces and loads may share the list */
static gos_status turn_faces(const applying *k, gos_deck_faces *f, bool *any) {
    *any = false;
    for (int i = 0; i < f->n && f->face; i++) {
        *any = *any || of_layer(k, f->cell[i]);
    }
    if (!*any) {
        return GOS_OK;
    }
    signed char *face = GOS_NEW(k->r->arena, signed char, f->n);
    GOS_TRY(face ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < f->n; i++) {
        face[i] = of_layer(k, f->cell[i]) ? side_of(f->face[i]) : f->face[i];
    }
    f->face = face;
    return GOS_OK;
}

/* upper and lower faces become surfaces of the mesh, which sides are already */
static gos_status turn_surface(const applying *k, gos_deck_surface *s) {
    bool any, faces = false, all = true;
    for (int i = 0; i < s->faces.n; i++) {
        faces = faces || s->faces.face[i] < 0;
    }
    GOS_TRY(turn_faces(k, &s->faces, &any));
    for (int i = 0; i < s->faces.n; i++) {
        all = all && s->faces.face[i] >= 0;
    }
    return any && faces && all ? gos__mesh_add_surface(k->mesh, s->name, s->faces.n, s->faces.cell,
                                                       (const unsigned char *)s->faces.face)
                               : GOS_OK;
}

static gos_status turn_all_faces(const applying *k) {
    bool any;
    for (int i = 0; i < k->mesh->nsurface; i++) {
        gos_mesh_surface *s = &k->mesh->surface[i];
        for (int j = 0; j < s->n; j++) {
            s->side[j] = (unsigned char)(s->side[j] + (of_layer(k, s->cell[j]) ? 2 : 0));
        }
    }
    for (int i = 0; i < k->deck->nsurface; i++) {
        GOS_TRY(turn_surface(k, &k->deck->surface[i]));
    }
    for (int i = 0; i < k->deck->nload; i++) {
        GOS_TRY(turn_faces(k, &k->deck->load[i].on, &any));
    }
    return GOS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

typedef enum kept {
    WITHOUT_MIDDLE, // faces only
    WHOLE,
    WITH_OWN, // and the node of the shell
    LOWER,    // or one of the three nodes
    MIDDLE,
    UPPER
} kept;

/* nodes on the normals in place of those of shells; those of other cells stay */
static gos_status replace(const applying *k, kept which, int n, const int *node, int *count,
                          int **to) {
    int most = n;
    *count = 0;
    for (int i = 0; i < n; i++) {
        for (int f = k->first[node[i]];
             f >= 0 && f < k->deck->nfibre && k->deck->fibre[f].node == node[i]; f++) {
            most += 3;
        }
    }
    *to = GOS_NEW(k->r->arena, int, most + 1L);
    GOS_TRY(*to ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        const int first = k->first[node[i]];
        if (first < 0 || k->solid[node[i]] || which == WITH_OWN) {
            (*to)[(*count)++] = node[i];
        }
        for (int f = first; f >= 0 && f < k->deck->nfibre && k->deck->fibre[f].node == node[i];
             f++) {
            for (int j = 0; j < 3; j++) {
                const bool take = which == WHOLE || which == WITH_OWN ||
                                  (which == WITHOUT_MIDDLE ? j != 1 : j == (int)which - LOWER);
                if (take && k->deck->fibre[f].at[j] >= 0) {
                    (*to)[(*count)++] = k->deck->fibre[f].at[j];
                }
            }
        }
    }
    qsort(*to, (size_t)*count, sizeof **to, by_number);
    return GOS_OK;
}

static bool has_fibre(const applying *k, int n, const int *node) {
    bool any = false;
    for (int i = 0; i < n; i++) {
        any = any || k->first[node[i]] >= 0;
    }
    return any;
}

static gos_status turn_sets(const applying *k) {
    for (int i = 0; i < k->mesh->nnode_set; i++) {
        gos_mesh_set *s = &k->mesh->node_set[i];
        GOS_TRY(has_fibre(k, s->n, s->item) ? replace(k, WHOLE, s->n, s->item, &s->n, &s->item)
                                            : GOS_OK);
    }
    return GOS_OK;
}

static gos_status put_line(const applying *k, const gos_deck_nodal *line, kept which,
                           double value) {
    gos_deck_nodal *to;
    int *node;
    GOS_TRY(gos__deck_add(k->r, &k->deck->nodal, &k->deck->nnodal, sizeof *to, &to));
    *to = *line;
    to->value = value;
    to->gradient = 0;
    GOS_TRY(replace(k, which, line->n, line->node, &to->n, &node));
    to->node = node;
    return GOS_OK;
}

/* a heat flow enters both faces by halves */
static gos_status split_heat(const applying *k, const gos_deck_nodal *n) {
    gos_deck_nodal one = *n;
    for (int i = 0; i < n->n; i++) {
        const bool shell = k->first[n->node[i]] >= 0 && !k->solid[n->node[i]];
        one.n = 1;
        one.node = &n->node[i];
        GOS_TRY(put_line(k, &one, WITHOUT_MIDDLE, shell ? 0.5 * n->value : n->value));
    }
    return GOS_OK;
}

static double thickness_at(const applying *k, int node) {
    const gos_deck_fibre *f = &k->deck->fibre[k->first[node]];
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double d = k->mesh->x[f->at[2]][c] - k->mesh->x[f->at[0]][c];
        square += d * d;
    }
    return sqrt(square);
}

static gos_status refuse_gradient(gos_deck_reader *r, const gos_deck_nodal *n, int node) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, n->loc, "*TEMPERATURE",
                        "a gradient across the thickness needs shells S6, S8 or S8R with a "
                        "homogeneous section; node %lld belongs to none, or to other cells, too",
                        (long long)gos__mesh_node_tag(r->mesh, node));
}

gos_status gos__deck_no_gradients(gos_deck_reader *r) {
    for (int i = 0; i < r->deck->nnodal; i++) {
        const gos_deck_nodal *n = &r->deck->nodal[i];
        GOS_TRY(n->gradient != 0 && n->n > 0 ? refuse_gradient(r, n, n->node[0]) : GOS_OK);
    }
    return GOS_OK;
}

/* T - g t/2 on the lower face, T + g t/2 on the upper one */
static gos_status split_gradient(const applying *k, const gos_deck_nodal *n) {
    gos_deck_nodal one = *n;
    for (int i = 0; i < n->n; i++) {
        if (k->first[n->node[i]] < 0 || k->solid[n->node[i]]) {
            return refuse_gradient(k->r, n, n->node[i]);
        }
        const double half = 0.5 * n->gradient * thickness_at(k, n->node[i]);
        one.n = 1;
        one.node = &n->node[i];
        GOS_TRY(put_line(k, &one, LOWER, n->value - half));
        GOS_TRY(put_line(k, &one, MIDDLE, n->value));
        GOS_TRY(put_line(k, &one, UPPER, n->value + half));
    }
    return GOS_OK;
}

static bool is_thermal(const gos_deck_nodal *n) {
    return n->kind == GOS_DECK_HEAT || n->kind == GOS_DECK_TEMPERATURE ||
           n->kind == GOS_DECK_INITIAL_TEMPERATURE || (n->kind == GOS_DECK_FIXED && n->dof == 11);
}

static gos_status turn_line(const applying *k, const gos_deck_nodal *n) {
    gos_deck_nodal *to;
    if (n->gradient != 0) {
        return split_gradient(k, n);
    }
    if (is_thermal(n) && has_fibre(k, n->n, n->node)) {
        const bool start = n->kind == GOS_DECK_INITIAL_TEMPERATURE;
        return n->kind == GOS_DECK_HEAT ? split_heat(k, n)
                                        : put_line(k, n, start ? WITH_OWN : WHOLE, n->value);
    }
    GOS_TRY(gos__deck_add(k->r, &k->deck->nodal, &k->deck->nnodal, sizeof *to, &to));
    *to = *n;
    return GOS_OK;
}

/* in a new list, in the order of the lines */
static gos_status turn_lines(const applying *k) {
    gos_deck *d = k->deck;
    const gos_deck_nodal *old = d->nodal;
    const int n = d->nnodal;
    d->nodal = NULL;
    d->nnodal = 0;
    for (int i = 0; i < n; i++) {
        GOS_TRY(turn_line(k, &old[i]));
    }
    return GOS_OK;
}

gos_status gos__deck_fibres_apply(gos_deck_reader *r, int nold, const bool *solid) {
    applying k = {.r = r, .deck = r->deck, .mesh = r->mesh, .solid = solid};
    k.first = gos__alloc(r->ctx, (size_t)nold + 1, sizeof *k.first);
    GOS_TRY(k.first ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < nold; i++) {
        k.first[i] = -1;
    }
    for (int i = r->deck->nfibre - 1; i >= 0; i--) {
        k.first[r->deck->fibre[i].node] = i;
    }
    gos_status status = turn_all_faces(&k);
    status = status == GOS_OK ? turn_sets(&k) : status;
    status = status == GOS_OK ? turn_lines(&k) : status;
    gos__free(r->ctx, k.first);
    return status;
}
