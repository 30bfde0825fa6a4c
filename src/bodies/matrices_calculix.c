/* Reads CalculiX matrices and assigns rows to node displacements. */
#include "bodies/matrices_calculix.h"

#include "deck/calculix.h"
#include "deck/deck.h"

typedef struct reading {
    gos_builder *b;
    const char *job, *object;
    gos_loc loc;
    int n; // rows
    gos_calculix_dof *dof;
    const gos_deck *deck;
    int *row; // (nnode, 6) row, from 1; 0: none, -1: fixed
} reading;

static gos_status path_of(const reading *r, const char *end, const char **path) {
    const char *name = gos__arena_printf(r->b->arena, "%s.%s", r->job, end);
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__path_below(r->b->ctx, r->b->model->folder, name, r->loc, r->object, r->b->arena,
                            path));
    *path = gos__intern(r->b->ctx, *path);
    return *path ? GOS_OK : GOS_E_MEMORY;
}

static gos_status text_of(const reading *r, const char *end, const char **path, char **text,
                          size_t *size) {
    GOS_TRY(path_of(r, end, path));
    GOS_TRY(
        gos__file_read(r->b->ctx, *path, GOS_LIMIT_MATRIX_BYTES, r->loc, r->object, text, size));
    r->b->model->tables = gos__hash(r->b->model->tables, *text, *size);
    return GOS_OK;
}

static gos_status read_dofs(reading *r) {
    const char *path;
    char *text;
    size_t size;
    GOS_TRY(text_of(r, "dof", &path, &text, &size));
    const gos_status status = gos__calculix_dofs_parse(r->b->ctx, text, size, path, &r->n, &r->dof);
    gos__free(r->b->ctx, text);
    return status;
}

static gos_status read_matrix(const reading *r, const char *end, gos_sparse *A) {
    const char *path;
    char *text;
    size_t size;
    GOS_TRY(text_of(r, end, &path, &text, &size));
    const gos_status status = gos__calculix_matrix_parse(r->b->ctx, text, size, path, r->n, A);
    gos__free(r->b->ctx, text);
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static gos_status find_rows(const reading *r) {
    for (int i = 0; i < r->n; i++) {
        const gos_calculix_dof *d = &r->dof[i];
        const int node = gos__mesh_find_node(r->deck->mesh, d->node);
        if (node < 0) {
            return gos__fail_at(
                r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                "row %d belongs to node %lld, which is not in '%s.inp' (CalculiX adds its own "
                "nodes for shells, beams and plane elements); give a table of `nodes`",
                i + 1, (long long)d->node, r->job);
        }
        r->row[6L * node + d->direction - 1] = i + 1;
    }
    return GOS_OK;
}

/* Directions that the deck fixes have no row. */
static void mark_held(const reading *r) {
    for (int i = 0; i < r->deck->nnodal; i++) {
        const gos_deck_nodal *b = &r->deck->nodal[i];
        for (int k = 0; b->kind == GOS_DECK_FIXED && b->value == 0.0 && k < b->n; k++) {
            for (int c = b->dof; c <= b->dof_last && c <= 6; c++) {
                int *row = &r->row[6L * b->node[k] + c - 1];
                *row = *row == 0 ? -1 : *row;
            }
        }
    }
}

static bool has_row(const reading *r, int node) {
    for (int c = 0; c < GOS_NODE_DOFS; c++) {
        if (r->row[6L * node + c] > 0) {
            return true;
        }
    }
    return false;
}

/* Makes an attachment point; directions without a row must be fixed. */
static gos_status make_node(const reading *r, int node, gos_matrices_node *to) {
    const long long tag = (long long)gos__mesh_node_tag(r->deck->mesh, node);
    const int *row = r->row + 6L * node;
    for (int c = 3; c < GOS_NODE_DOFS; c++) {
        to->turns = to->turns || row[c] > 0;
    }
    for (int c = 0; c < GOS_NODE_DOFS; c++) {
        if (row[c] == 0 && (c < 3 || to->turns)) {
            return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                                "node %lld has no row for direction %d, and '%s.inp' does not fix "
                                "it at 0: it depends on other nodes; give a table of `nodes`",
                                tag, c + 1, r->job);
        }
        to->dof[c] = row[c] > 0 ? row[c] - 1 : -1;
    }
    to->name = gos__arena_printf(r->b->arena, "n%lld", tag);
    memcpy(to->x, r->deck->mesh->x[node], sizeof to->x);
    return to->name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status make_nodes(reading *r, int *count, gos_matrices_node **list) {
    const gos_mesh *m = r->deck->mesh;
    int n = 0;
    if (r->deck->ntransform > 0) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                            "'%s.inp' has nodes with local axes (*TRANSFORM), and its matrices are "
                            "in these axes; give a table of `nodes`",
                            r->job);
    }
    r->row = GOS_NEW(m->arena, int, 6L * m->nnode + 1);
    GOS_TRY(r->row ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(find_rows(r));
    mark_held(r);
    for (int i = 0; i < m->nnode; i++) {
        n += has_row(r, i);
    }
    *list = GOS_NEW(r->b->arena, gos_matrices_node, n + 1L);
    GOS_TRY(*list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < m->nnode; i++) {
        if (has_row(r, i)) {
            GOS_TRY(make_node(r, i, &(*list)[(*count)++]));
        }
    }
    return GOS_OK;
}

static gos_status read_nodes(reading *r, int *count, gos_matrices_node **list) {
    const char *path;
    gos_mesh *mesh;
    gos_deck *deck;
    GOS_TRY(path_of(r, "inp", &path));
    GOS_TRY(gos__mesh_create(r->b->ctx, &mesh));
    gos_status status = gos__deck_read(mesh, path, r->loc, r->object, &deck);
    if (status == GOS_OK) {
        r->deck = deck;
        r->b->model->tables = gos__hash(r->b->model->tables, &deck->hash, sizeof deck->hash);
        status = make_nodes(r, count, list);
    }
    gos__mesh_destroy(mesh);
    return status;
}

gos_status gos__matrices_calculix_read(gos_builder *b, const char *job, gos_loc loc,
                                       const char *object, gos_sparse *K, gos_sparse *M, int *count,
                                       gos_matrices_node **node) {
    reading r = {.b = b, .job = job, .object = object, .loc = loc};
    gos_status status = read_dofs(&r);
    status = status == GOS_OK ? read_matrix(&r, "sti", K) : status;
    status = status == GOS_OK ? read_matrix(&r, "mas", M) : status;
    if (status == GOS_OK && count) {
        *count = 0;
        status = read_nodes(&r, count, node);
    }
    gos__free(b->ctx, r.dof);
    return status;
}
