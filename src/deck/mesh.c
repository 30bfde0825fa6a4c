/* Nodes and elements, read first. */
#include "deck/reader.h"
#include "mesh/tags.h"

/* nodes and blocks in deck order */
typedef struct raw_node {
    int64_t tag;
    double x[3];
    int line, file;
} raw_node;

typedef struct raw_block {
    gos_cell_shape shape;
    bool middle;
    bool halves; // B32: two cells of two nodes for each element
    const char *type;
    const char *file;
    int first, n; // elements
    size_t node;  // its first entry in `number`
} raw_block;

typedef struct raw_mesh {
    gos_deck_reader *r;
    int nnode, node_cap, ncell, cell_cap, line_cap, nblock, block_cap, nnumber, number_cap;
    raw_node *node;
    int64_t *tag; // (ncell)
    int *line;    // (ncell)
    raw_block *block;
    int64_t *number;                      // nodes of all elements
    bool more_of_nodes, more_of_elements; // warned of further numbers
} raw_mesh;

/* ---- reading --------------------------------------------------------------------------------- */

static gos_status next_tag(gos_deck_reader *r, const char *what, int64_t *tag) {
    gos_deck_field f;
    if (!gos__deck_field(r, &f) || f.n == 0) {
        f = (gos_deck_field){r->end, 0};
    }
    return gos__deck_tag(r, &f, what, tag);
}

/* Further numbers of a node or an element. CalculiX does not read them, Abaqus reads normals of
   nodes. */
static gos_status ignore_rest(raw_mesh *m, bool *warned, const char *what) {
    gos_deck_reader *r = m->r;
    gos_deck_field f;
    while (gos__deck_field(r, &f)) {
        double x;
        if (f.n > 0) {
            GOS_TRY(gos__deck_real(r, &f, "number", &x));
        }
        if (f.n > 0 && !*warned) {
            *warned = true;
            gos__warn(r->ctx, r->loc, r->object, "%s are ignored, also on later lines", what);
        }
    }
    return GOS_OK;
}

static gos_status read_nodes(raw_mesh *m) {
    static const char *const what[] = {"coordinate x of the node", "coordinate y of the node",
                                       "coordinate z of the node"};
    gos_deck_reader *r = m->r;
    for (;;) {
        bool more;
        raw_node n = {0};
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        GOS_TRY(next_tag(r, "number of a node", &n.tag));
        for (int c = 0; c < 3; c++) {
            GOS_TRY(gos__deck_next_real(r, what[c], 0.0, &n.x[c]));
        }
        GOS_TRY(ignore_rest(m, &m->more_of_nodes, "the numbers after the coordinate z"));
        gos__deck_place(r, n.x);
        n.line = r->loc.line;
        n.file = r->open[r->depth - 1].file;
        GOS_TRY(gos__grow(r->ctx, (void **)&m->node, &m->node_cap, m->nnode + 1, sizeof n));
        m->node[m->nnode++] = n;
        if (m->nnode > GOS_LIMIT_MESH_NODES) {
            return gos__mesh_nodes(r->mesh, m->nnode, r->loc, r->object);
        }
    }
}

static gos_status block_for(raw_mesh *m, const char *type) {
    gos_deck_reader *r = m->r;
    raw_block b = {.file = r->loc.file, .first = m->ncell, .node = (size_t)m->nnumber};
    if (!gos__deck_shape(type, &b.shape, &b.middle)) {
        return gos__fail_at(
            r->ctx, GOS_E_INPUT, r->card_loc, r->object,
            "elements of type %s are not supported; solids, shells, membranes, "
            "plane and axisymmetric elements, beams, trusses, springs, dashpots and MASS are",
            type);
    }
    b.halves = strcmp(type, "B32") == 0 || strcmp(type, "B32R") == 0;
    b.shape = b.halves ? GOS_CELL_LINE2 : b.shape;
    b.middle = b.middle && !b.halves;
    if (m->nblock > 0 && strcmp(m->block[m->nblock - 1].type, type) == 0 &&
        m->block[m->nblock - 1].file == b.file) {
        return GOS_OK;
    }
    b.type = gos__arena_strdup(r->arena, type);
    GOS_TRY(b.type ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__grow(r->ctx, (void **)&m->block, &m->block_cap, m->nblock + 1, sizeof b));
    m->block[m->nblock++] = b;
    return GOS_OK;
}

/* of an element of nodes end, middle, end */
static void split(raw_mesh *m) {
    int64_t *node = m->number + m->nnumber;
    node[3] = node[2];
    node[2] = node[1];
    m->tag[m->ncell + 1] = m->tag[m->ncell];
    m->line[m->ncell + 1] = m->line[m->ncell];
    m->nnumber += 2;
    m->ncell++;
    m->block[m->nblock - 1].n++;
}

static gos_status read_element(raw_mesh *m, int nodes) {
    gos_deck_reader *r = m->r;
    const gos_loc loc = r->loc;
    int64_t tag;
    GOS_TRY(next_tag(r, "number of an element", &tag));
    GOS_TRY(gos__grow(r->ctx, (void **)&m->tag, &m->cell_cap, m->ncell + 2, sizeof *m->tag));
    GOS_TRY(gos__grow(r->ctx, (void **)&m->line, &m->line_cap, m->ncell + 2, sizeof *m->line));
    GOS_TRY(gos__grow(r->ctx, (void **)&m->number, &m->number_cap, m->nnumber + nodes + 1,
                      sizeof *m->number));
    m->tag[m->ncell] = tag;
    m->line[m->ncell] = r->loc.line;
    for (int k = 0; k < nodes;) {
        gos_deck_field f;
        bool more = true;
        if (!gos__deck_field(r, &f)) {
            GOS_TRY(gos__deck_data(r, &more));
            if (!more) {
                return gos__fail_at(r->ctx, GOS_E_INPUT, loc, r->object,
                                    "element %lld has %d nodes; an element of this type has %d",
                                    (long long)gos__deck_local(tag), k, nodes);
            }
            continue;
        }
        GOS_TRY(gos__deck_tag(r, &f, "number of a node", &m->number[m->nnumber + k]));
        k++;
    }
    const bool halves = m->block[m->nblock - 1].halves;
    if (halves) {
        split(m);
    }
    m->nnumber += halves ? 2 : nodes;
    m->ncell++;
    m->block[m->nblock - 1].n++;
    return ignore_rest(m, &m->more_of_elements, "nodes beyond those of the element type");
}

static gos_status read_elements(raw_mesh *m) {
    gos_deck_reader *r = m->r;
    const char *type;
    GOS_TRY(gos__deck_need(r, "TYPE", &type));
    GOS_TRY(block_for(m, type));
    const raw_block *b = &m->block[m->nblock - 1];
    const int nodes = b->halves ? 3 : gos__cell_kind[b->shape].nodes;
    const char *file = b->file;
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        if (r->loc.file != file) { // included within a card
            GOS_TRY(block_for(m, type));
            file = r->loc.file;
        }
        GOS_TRY(read_element(m, nodes));
        if (m->ncell > GOS_LIMIT_MESH_CELLS || m->nnumber > INT32_MAX - GOS_CELL_NODES) {
            return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, r->object,
                                "a mesh has at most %d cells", GOS_LIMIT_MESH_CELLS);
        }
    }
}

static gos_status read_all(raw_mesh *m) {
    gos_deck_reader *r = m->r;
    static const gos_deck_field star = {"*", 1};
    GOS_TRY(gos__deck_rewind(r));
    for (bool more = true;;) {
        GOS_TRY(gos__deck_line(r, &more));
        if (!more) {
            return GOS_OK;
        }
        if (!r->is_card) {
            return gos__deck_fail(r, &star,
                                  "the deck does not begin with a card; cards begin with *");
        }
        GOS_TRY(gos__deck_read_card(r));
        r->within = r->scope;
        const gos_deck_field name = {r->object, (int)strlen(r->object)};
        const gos_deck_card *place =
            gos__deck_place_card(&(gos_deck_field){name.s + 1, name.n - 1});
        if (place) {
            GOS_TRY(gos__deck_check_params(r, place));
            GOS_TRY(place->read(r));
        } else if (gos__deck_is_word(&name, "*NODE")) {
            GOS_TRY(read_nodes(m));
        } else if (gos__deck_is_word(&name, "*ELEMENT")) {
            GOS_TRY(gos__grow(r->ctx, (void **)&r->card_cells, &r->ncard_cap, r->ncard + 2,
                              sizeof *r->card_cells));
            r->card_cells[r->ncard++] = m->ncell;
            GOS_TRY(read_elements(m));
            r->card_cells[r->ncard] = m->ncell;
        } else {
            GOS_TRY(gos__deck_skip(r));
        }
    }
}

/* numbers of all instances, distinct */
static gos_status decode(raw_mesh *m) {
    gos_deck_reader *r = m->r;
    static const int64_t none;
    GOS_TRY(gos__deck_instances_finish(r));
    GOS_TRY(gos__deck_offsets(r, m->nnode, m->node ? &m->node->tag : &none, sizeof *m->node,
                              m->ncell, m->tag ? m->tag : &none));
    for (int i = 0; i < m->nnode; i++) {
        m->node[i].tag = gos__deck_decode(r, m->node[i].tag);
    }
    for (int i = 0; i < m->ncell; i++) {
        m->tag[i] = gos__deck_decode(r, m->tag[i]);
    }
    for (int i = 0; i < m->nnumber; i++) {
        m->number[i] = gos__deck_decode(r, m->number[i]);
    }
    return GOS_OK;
}

/* ---- the mesh -------------------------------------------------------------------------------- */

static gos_status make_nodes(raw_mesh *m) {
    gos_deck_reader *r = m->r;
    int64_t *tag = gos__alloc(r->ctx, m->nnode + 1L, sizeof *tag);
    int *order = gos__alloc(r->ctx, m->nnode + 1L, sizeof *order);
    gos_status status =
        tag && order ? gos__mesh_nodes(r->mesh, m->nnode, (gos_loc){0}, NULL) : GOS_E_MEMORY;
    for (int i = 0; status == GOS_OK && i < m->nnode; i++) {
        tag[i] = m->node[i].tag;
    }
    status = status == GOS_OK ? gos__tags_order(r->ctx, m->nnode, tag, order) : status;
    r->mesh->tag = GOS_NEW(r->arena, int64_t, m->nnode + 1L);
    status = status == GOS_OK && !r->mesh->tag ? GOS_E_MEMORY : status;
    for (int i = 0; status == GOS_OK && i < m->nnode; i++) {
        const raw_node *n = &m->node[order[i]], *before = i > 0 ? &m->node[order[i - 1]] : NULL;
        if (before && n->tag == before->tag) {
            status = gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file[n->file].name, n->line, 0},
                                  "*NODE", "node %lld is already defined in line %d of '%.200s'",
                                  (long long)n->tag, before->line, r->file[before->file].name);
        }
        r->mesh->tag[i] = n->tag;
        memcpy(r->mesh->x[i], n->x, sizeof n->x);
    }
    gos__free(r->ctx, tag);
    gos__free(r->ctx, order);
    return status;
}

/* nodes of element i; middle: ordered end, middle, end */
static gos_status make_cell(const raw_mesh *m, const raw_block *b, int i, gos_cell_block *to) {
    static const int order[] = {0, 2, 1};
    gos_deck_reader *r = m->r;
    const int n = gos__cell_kind[b->shape].nodes;
    const int64_t *from = m->number + b->node + (size_t)i * n;
    int *node = to->node + (size_t)i * n;
    const gos_loc loc = {b->file, m->line[b->first + i], 0};
    const long long tag = m->tag[b->first + i];
    for (int k = 0; k < n; k++) {
        const int at = b->middle ? order[k] : k;
        node[at] = gos__mesh_find_node(r->mesh, from[k]);
        if (node[at] < 0) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, loc, "*ELEMENT",
                                "element %lld has node %lld, which does not exist; correct the "
                                "number, or add it by *NODE",
                                tag, (long long)from[k]);
        }
        for (int l = 0; l < k; l++) {
            if (from[l] == from[k]) {
                return gos__fail_at(r->ctx, GOS_E_INPUT, loc, "*ELEMENT",
                                    "element %lld has node %lld twice; list each of its nodes once",
                                    tag, (long long)from[k]);
            }
        }
    }
    return GOS_OK;
}

static gos_status make_cells(raw_mesh *m) {
    gos_deck_reader *r = m->r;
    gos_status status = GOS_OK;
    for (int k = 0; k < m->nblock; k++) {
        const raw_block *b = &m->block[k];
        gos_cell_block *to;
        GOS_TRY(
            gos__mesh_cells(r->mesh, b->shape, b->n, (gos_loc){b->file, 0, 0}, "*ELEMENT", &to));
        to->type = b->type;
        to->tag = GOS_NEW(r->arena, int64_t, b->n);
        to->line = GOS_NEW(r->arena, int, b->n);
        GOS_TRY(to->tag && to->line ? GOS_OK : GOS_E_MEMORY);
        for (int i = 0; i < b->n; i++) {
            to->tag[i] = m->tag[b->first + i];
            to->line[i] = m->line[b->first + i];
            const gos_status now = make_cell(m, b, i, to);
            status = status == GOS_OK ? now : status;
            if (now != GOS_OK && gos__nerrors(r->ctx) > GOS_LIMIT_DIAGS) {
                return status;
            }
        }
    }
    return status;
}

static gos_loc loc_of(const raw_mesh *m, int cell) {
    int k = 0;
    while (k + 1 < m->nblock && m->block[k + 1].first <= cell) {
        k++;
    }
    return (gos_loc){m->block[k].file, m->line[cell], 0};
}

int gos__deck_other_half(const gos_mesh *m, int cell) {
    int at;
    const gos_cell_block *b = gos__mesh_cell(m, cell, &at);
    const bool halves = b->type && strncmp(b->type, "B32", 3) == 0;
    return !halves ? -1 : at % 2 == 0 ? cell + 1 : cell - 1;
}

static gos_status number_cells(raw_mesh *m) {
    gos_deck_reader *r = m->r;
    r->cell_tag = gos__alloc(r->ctx, m->ncell + 1L, sizeof *r->cell_tag);
    r->cell_of = gos__alloc(r->ctx, m->ncell + 1L, sizeof *r->cell_of);
    GOS_TRY(r->cell_tag && r->cell_of ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__tags_order(r->ctx, m->ncell, m->tag, r->cell_of));
    for (int i = 0; i < m->ncell; i++) {
        r->cell_tag[i] = m->tag[r->cell_of[i]];
        if (i > 0 && r->cell_tag[i] == r->cell_tag[i - 1] &&
            gos__deck_other_half(r->mesh, r->cell_of[i - 1]) != r->cell_of[i]) {
            const gos_loc before = loc_of(m, r->cell_of[i - 1]);
            return gos__fail_at(r->ctx, GOS_E_INPUT, loc_of(m, r->cell_of[i]), "*ELEMENT",
                                "element %lld is already defined in line %d of '%.200s'",
                                (long long)r->cell_tag[i], before.line, before.file);
        }
    }
    return GOS_OK;
}

gos_status gos__deck_mesh(gos_deck_reader *r) {
    raw_mesh m = {.r = r};
    gos_status status = read_all(&m);
    status = status == GOS_OK ? decode(&m) : status;
    status = status == GOS_OK ? make_nodes(&m) : status;
    status = status == GOS_OK ? make_cells(&m) : status;
    status = status == GOS_OK ? number_cells(&m) : status;
    gos__free(r->ctx, m.node);
    gos__free(r->ctx, m.tag);
    gos__free(r->ctx, m.line);
    gos__free(r->ctx, m.block);
    gos__free(r->ctx, m.number);
    return status;
}

/* ---- second pass: sets ----------------------------------------------------------------------- */

gos_status gos__deck_card_node(gos_deck_reader *r) {
    const char *set = gos__deck_param(r, "NSET");
    for (bool more = true; set;) {
        gos_deck_field f;
        int node;
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        (void)gos__deck_field(r, &f);
        GOS_TRY(gos__deck_node(r, &f, &node));
        GOS_TRY(gos__deck_set_add(r, false, set, 1, &node));
    }
    return gos__deck_skip(r);
}

gos_status gos__deck_card_element(gos_deck_reader *r) {
    const char *set = gos__deck_param(r, "ELSET");
    if (r->card_at == r->ncard) { // after an error in a card of parts
        return gos__deck_skip(r);
    }
    const int *first = &r->card_cells[r->card_at++];
    for (int cell = first[0]; set && cell < first[1]; cell++) {
        GOS_TRY(gos__deck_set_add(r, true, set, 1, &cell));
    }
    return gos__deck_skip(r);
}
