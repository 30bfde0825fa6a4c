/* $Nodes. Nodes of the mesh are sorted by number. */
#include "mesh/msh_reader.h"

/* nodes in file order */
typedef struct found {
    int n, at;
    int64_t *tag; // (n)
} found;

static gos_status read_tag(gos_msh_reader *r, int bytes, found *f) {
    const char *at = r->s;
    int before;
    GOS_TRY(gos__msh_int(r, "number of a node", bytes, 1, INT64_MAX, &f->tag[f->at]));
    GOS_TRY(gos__tags_add(&r->nodes, f->tag[f->at], f->at, &before));
    return before < 0
               ? GOS_OK
               : gos__msh_refuse(r, at, "node %lld is defined twice", (long long)f->tag[f->at]);
}

static gos_status read_place(gos_msh_reader *r, found *f) {
    static const char *const what[] = {"x of a node", "y of a node", "z of a node"};
    for (int c = 0; c < 3; c++) {
        GOS_TRY(gos__msh_double(r, what[c], &r->mesh->x[f->at][c]));
    }
    f->at++;
    return GOS_OK;
}

/* ---- version 2.2: number and position in one line -------------------------------------------- */

static gos_status read_all(gos_msh_reader *r, found *f) {
    while (f->at < f->n) {
        GOS_TRY(read_tag(r, 4, f));
        GOS_TRY(read_place(r, f));
        GOS_TRY(gos__msh_end(r));
    }
    return GOS_OK;
}

/* ---- version 4.1: blocks, numbers first ------------------------------------------------------ */

static gos_status read_block(gos_msh_reader *r, found *f) {
    int64_t dim, entity, parametric, n;
    double skipped;
    const char *at = r->s;
    GOS_TRY(gos__msh_int(r, "dimension of a block", 4, 0, 3, &dim));
    GOS_TRY(gos__msh_int(r, "number of a geometric entity", 4, INT32_MIN, INT32_MAX, &entity));
    GOS_TRY(gos__msh_int(r, "parametric (0 or 1)", 4, 0, 1, &parametric));
    GOS_TRY(gos__msh_int(r, "number of nodes", 8, 0, INT32_MAX, &n));
    GOS_TRY(gos__msh_end(r));
    if (n > f->n - f->at) {
        return gos__msh_refuse(
            r, at, "a block of %lld nodes, but of the %d declared nodes only %d are left",
            (long long)n, f->n, f->n - f->at);
    }
    const int first = f->at;
    for (f->at = first; f->at < first + n; f->at++) {
        GOS_TRY(read_tag(r, 8, f));
        GOS_TRY(gos__msh_end(r));
    }
    for (f->at = first; f->at < first + n;) {
        GOS_TRY(read_place(r, f));
        for (int64_t c = 0; c < dim && parametric == 1; c++) {
            GOS_TRY(gos__msh_double(r, "parameter of a node", &skipped));
        }
        GOS_TRY(gos__msh_end(r));
    }
    return GOS_OK;
}

static gos_status read_blocks(gos_msh_reader *r, int64_t nblock, found *f) {
    const char *at = r->s;
    for (int64_t i = 0; i < nblock; i++) {
        at = r->s;
        GOS_TRY(read_block(r, f));
    }
    return f->at == f->n ? GOS_OK
                         : gos__msh_refuse(r, at, "%d nodes are declared, but the blocks have %d",
                                           f->n, f->at);
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool is_ascending(const found *f) {
    for (int i = 1; i < f->n; i++) {
        if (f->tag[i] <= f->tag[i - 1]) {
            return false;
        }
    }
    return true;
}

static gos_status sort(gos_mesh *m, const found *f, int *order) {
    GOS_TRY(gos__tags_order(m->ctx, f->n, f->tag, order));
    double(*x)[3] = gos__alloc(m->ctx, (size_t)f->n + 1, sizeof *x);
    int64_t *tag = gos__alloc(m->ctx, (size_t)f->n + 1, sizeof *tag);
    const gos_status status = x && tag ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        memcpy(x, m->x, (size_t)f->n * sizeof *x);
        memcpy(tag, f->tag, (size_t)f->n * sizeof *tag);
        for (int k = 0; k < f->n; k++) {
            memcpy(m->x[k], x[order[k]], sizeof *x);
            f->tag[k] = tag[order[k]];
        }
    }
    gos__free(m->ctx, x);
    gos__free(m->ctx, tag);
    return status;
}

/* rebuild the index after sorting */
static gos_status put_in_order(gos_msh_reader *r, const found *f) {
    int before;
    r->mesh->tag = f->tag;
    if (is_ascending(f)) {
        return GOS_OK;
    }
    int *order = gos__alloc(r->ctx, (size_t)f->n + 1, sizeof *order);
    gos_status status = order ? sort(r->mesh, f, order) : GOS_E_MEMORY;
    gos__free(r->ctx, order);
    gos__tags_free(&r->nodes);
    for (int i = 0; status == GOS_OK && i < f->n; i++) {
        status = gos__tags_add(&r->nodes, f->tag[i], i, &before);
    }
    return status;
}

gos_status gos__msh_nodes(gos_msh_reader *r) {
    const char *at = r->s;
    int64_t nblock = 0, n, skipped;
    found f = {0};
    if (r->has_nodes) {
        return gos__msh_refuse(r, at, "there is a second list of nodes; remove it");
    }
    if (r->v4) {
        GOS_TRY(gos__msh_int(r, "number of blocks", 8, 0, INT32_MAX, &nblock));
        GOS_TRY(gos__msh_int(r, "number of nodes", 8, 0, INT64_MAX, &n));
        GOS_TRY(gos__msh_int(r, "smallest number of a node", 8, 0, INT64_MAX, &skipped));
        GOS_TRY(gos__msh_int(r, "largest number of a node", 8, 0, INT64_MAX, &skipped));
        GOS_TRY(gos__msh_end(r));
        GOS_TRY(gos__msh_room(r, at, "blocks of nodes", (double)nblock, 8, 20));
    } else {
        GOS_TRY(gos__msh_text_int(r, "number of nodes", 0, INT64_MAX, &n));
        GOS_TRY(gos__msh_line_end(r));
    }
    GOS_TRY(gos__msh_room(r, at, "nodes", (double)n, 8, r->v4 ? 32 : 28));
    GOS_TRY(gos__mesh_nodes(r->mesh, (double)n, gos__msh_loc(r), NULL));
    f.n = (int)n;
    f.tag = GOS_NEW(r->mesh->arena, int64_t, (size_t)n + 1);
    GOS_TRY(f.tag ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__tags_reserve(&r->nodes, (size_t)n));
    GOS_TRY(r->v4 ? read_blocks(r, nblock, &f) : read_all(r, &f));
    r->has_nodes = true;
    return put_in_order(r, &f);
}
