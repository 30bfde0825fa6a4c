/* Faces and surfaces, with the labels of CalculiX and Abaqus. */
#include "deck/reader.h"

/* edges count from 1, of shells and membranes from 3 */
static bool is_plane(const char *type) {
    static const char *const begin[] = {"CP", "CAX", "DC2D", "DCAX"};
    for (int i = 0; i < GOS_COUNT(begin); i++) {
        if (strncmp(type, begin[i], strlen(begin[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool face_of(const gos_cell_block *b, const char *label, signed char *face) {
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    const bool plane = is_plane(b->type), layered = kind->dim == 2 && (!plane || b->type[2] == 'S');
    if (strcmp(label, "NEG") == 0 || strcmp(label, "N") == 0) {
        *face = GOS_DECK_FACE_NEG;
        return layered;
    }
    if (strcmp(label, "POS") == 0 || strcmp(label, "P") == 0) {
        *face = GOS_DECK_FACE_POS;
        return layered;
    }
    if (label[0] < '1' || label[0] > '6' || label[1] != '\0' || kind->dim < 2) {
        return false;
    }
    int k = label[0] - '1';
    if (kind->dim == 2 && !plane) {
        if (k < 2) {
            *face = k == 0 ? GOS_DECK_FACE_NEG : GOS_DECK_FACE_POS;
            return true;
        }
        k -= 2;
    }
    *face = (signed char)k;
    return k < kind->sides;
}

gos_status gos__deck_faces(gos_deck_reader *r, const gos_deck_field *f, const char *label, int n,
                           const int *cell, gos_deck_faces *faces) {
    GOS_TRY(gos__deck_count(r, n));
    *faces = (gos_deck_faces){.n = n, .cell = cell, .face = GOS_NEW(r->arena, signed char, n + 1L)};
    GOS_TRY(faces->face ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        int k;
        const gos_cell_block *b = gos__mesh_cell(r->mesh, cell[i], &k);
        if (!face_of(b, label, &faces->face[i])) {
            return gos__deck_fail(r, f, "element %lld of type %s has no face '%s'",
                                  (long long)b->tag[k], b->type, label);
        }
    }
    return GOS_OK;
}

/* ---- *SURFACE -------------------------------------------------------------------------------- */

typedef struct growing {
    int n, cap, face_cap, nnode, node_cap;
    int *cell, *node;
    signed char *face;
} growing;

static gos_status add_faces(gos_deck_reader *r, growing *g, const gos_deck_faces *faces) {
    GOS_TRY(gos__grow(r->ctx, (void **)&g->cell, &g->cap, g->n + faces->n, sizeof *g->cell));
    GOS_TRY(gos__grow(r->ctx, (void **)&g->face, &g->face_cap, g->n + faces->n, 1));
    for (int i = 0; i < faces->n; i++) {
        g->cell[g->n] = faces->cell[i];
        g->face[g->n++] = faces->face[i];
    }
    return GOS_OK;
}

static gos_status add_nodes(gos_deck_reader *r, growing *g, int n, const int *node) {
    if (n == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&g->node, &g->node_cap, g->nnode + n, sizeof *g->node));
    memcpy(g->node + g->nnode, node, n * sizeof *node);
    g->nnode += n;
    return GOS_OK;
}

static gos_status nodes_of_faces(gos_deck_reader *r, growing *g) {
    for (int i = 0; i < g->n; i++) {
        int node[GOS_CELL_SIDE_NODES], k;
        const gos_cell_block *b = gos__mesh_cell(r->mesh, g->cell[i], &k);
        const int nodes = gos__cell_kind[b->shape].nodes;
        if (g->face[i] < 0) {
            GOS_TRY(add_nodes(r, g, nodes, b->node + (size_t)k * nodes));
        } else {
            const int n = gos__mesh_side(r->mesh, g->cell[i], g->face[i], node);
            GOS_TRY(add_nodes(r, g, n, node));
        }
    }
    return GOS_OK;
}

/* element or set, face: S1 .. S6, SNEG, SPOS ... */
static gos_status read_faces(gos_deck_reader *r, growing *g) {
    gos_deck_field f;
    gos_deck_faces faces;
    char label[GOS_DECK_LABEL + 1];
    int n;
    const int *cell;
    (void)gos__deck_field(r, &f);
    GOS_TRY(gos__deck_cells(r, &f, &n, &cell));
    f = (gos_deck_field){r->end, 0};
    if (!gos__deck_field(r, &f) || f.n == 0) {
        return gos__deck_fail(r, &f, "the face is missing here; give S1 to S6, SNEG or SPOS");
    }
    GOS_TRY(gos__deck_label(r, &f, label));
    if (label[0] != 'S') {
        return gos__deck_fail(r, &f, "'%s' is not a face; give S1 to S6, SNEG or SPOS", label);
    }
    GOS_TRY(gos__deck_faces(r, &f, label + 1, n, cell, &faces));
    GOS_TRY(gos__deck_end(r));
    return add_faces(r, g, &faces);
}

static gos_status read_nodes(gos_deck_reader *r, growing *g) {
    gos_deck_field f;
    int n;
    const int *node;
    (void)gos__deck_field(r, &f);
    GOS_TRY(gos__deck_nodes(r, &f, &n, &node));
    GOS_TRY(gos__deck_end(r));
    return add_nodes(r, g, n, node);
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* mesh surfaces have sides only */
static gos_status add_to_mesh(gos_deck_reader *r, const gos_deck_surface *s) {
    unsigned char *side = gos__alloc(r->ctx, s->faces.n + 1L, 1);
    GOS_TRY(side ? GOS_OK : GOS_E_MEMORY);
    bool sides = s->faces.n > 0;
    for (int i = 0; i < s->faces.n; i++) {
        sides = sides && s->faces.face[i] >= 0;
        side[i] = (unsigned char)s->faces.face[i];
    }
    const gos_status status =
        sides ? gos__mesh_add_surface(r->mesh, s->name, s->faces.n, s->faces.cell, side) : GOS_OK;
    gos__free(r->ctx, side);
    return status;
}

static gos_status make(gos_deck_reader *r, growing *g, const char *label) {
    gos_deck_surface s = {.of_nodes = gos__deck_param(r, "TYPE") != NULL && g->n == 0,
                          .loc = r->card_loc};
    gos_deck_surface *to;
    gos_deck *d = r->deck;
    if (d->nsurface == GOS_LIMIT_DECK_SETS) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->card_loc, r->object,
                            "there are more than %d surfaces", GOS_LIMIT_DECK_SETS);
    }
    GOS_TRY(nodes_of_faces(r, g));
    if (g->nnode > 1) {
        qsort(g->node, g->nnode, sizeof *g->node, by_number);
    }
    for (int i = 0; i < g->nnode; i++) {
        if (s.nnode == 0 || g->node[i] != g->node[s.nnode - 1]) {
            g->node[s.nnode++] = g->node[i];
        }
    }
    GOS_TRY(gos__deck_count(r, s.nnode + g->n));
    int *cell = GOS_NEW(r->arena, int, g->n + 1L), *node = GOS_NEW(r->arena, int, s.nnode + 1L);
    s.faces.face = GOS_NEW(r->arena, signed char, g->n + 1L);
    GOS_TRY(cell && node && s.faces.face ? GOS_OK : GOS_E_MEMORY);
    if (g->n > 0) {
        memcpy(cell, g->cell, g->n * sizeof *cell);
        memcpy(s.faces.face, g->face, g->n);
    }
    if (s.nnode > 0) {
        memcpy(node, g->node, s.nnode * sizeof *node);
    }
    s.faces.n = g->n;
    s.faces.cell = cell;
    s.node = node;
    GOS_TRY(gos__deck_name(r, &r->surfaces, "surface", label, d->nsurface, &s.name));
    GOS_TRY(gos__deck_add(r, &d->surface, &d->nsurface, sizeof s, &to));
    *to = s;
    return add_to_mesh(r, to);
}

static gos_status read_lines(gos_deck_reader *r, bool nodes, growing *g) {
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        GOS_TRY(nodes ? read_nodes(r, g) : read_faces(r, g));
    }
}

gos_status gos__deck_card_surface(gos_deck_reader *r) {
    growing g = {0};
    const char *label;
    int type;
    GOS_TRY(gos__deck_need(r, "NAME", &label));
    GOS_TRY(gos__deck_param_choice(r, "TYPE", "ELEMENT NODE", &type));
    gos_status status = read_lines(r, type == 1, &g);
    status = status == GOS_OK ? make(r, &g, label) : status;
    gos__free(r->ctx, g.cell);
    gos__free(r->ctx, g.face);
    gos__free(r->ctx, g.node);
    return status;
}
