/* Gmsh files by sections. Unrelated sections are skipped with a warning; other versions or byte
   orders are refused with a remedy. */
#include "mesh/msh.h"

#include "mesh/msh_reader.h"
#include "mesh/generate.h"

/* $Nodes. Nodes of the mesh are sorted by number. */

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

static gos_status msh_nodes(gos_msh_reader *r) {
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

/* Meshes from Gmsh files. */

typedef struct def {
    gos_mesh_def mesh;
    const char *file;
    int all;
    double scale;
} def;

static const gos_param params[] = {
    {.name = "file",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(def, file),
     .doc = "Gmsh file .msh, version 2.2 or 4.1, text or binary, in or below the model's folder"},
    {.name = "scale",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN | GOS_P_MODEL_UNIT,
     .def = "1",
     .offset = offsetof(def, scale),
     .doc = "length unit of the file in m: 1e-3 for millimetres"},
    {.name = "elements",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "highest",
     .choices = "highest|all",
     .offset = offsetof(def, all),
     .doc = "highest: elements of the highest dimension become cells, groups of others become sets "
            "of nodes and sides; all: all elements become cells"},
    GOS_MESH_SETS,
    {.name = NULL}};

static gos_status make(const gos_mesh_maker *k, const void *par, gos_mesh *mesh) {
    const def *d = par;
    gos_model *m = k->model;
    const gos_loc loc = gos__key_loc(k->entry, "file");
    const char *path;
    char *text;
    size_t n;
    GOS_TRY(gos__path_below(m->ctx, m->folder, d->file, loc, k->object, mesh->arena, &path));
    GOS_TRY(gos__file_read(m->ctx, path, GOS_LIMIT_MESH_BYTES, loc, k->object, &text, &n));
    m->tables = gos__hash(m->tables, text, n);
    const gos_status status = gos__msh_parse(mesh, path, text, n, d->all == 1);
    gos__free(m->ctx, text);
    for (int i = 0; status == GOS_OK && i < mesh->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            mesh->x[i][c] *= d->scale;
        }
    }
    return status;
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_gmsh = {
    .section = "meshes",
    .name = "gmsh",
    .doc = "Mesh from a Gmsh file. Physical groups become sets by name (unnamed: point_TAG, "
           "curve_TAG, surface_TAG or volume_TAG): of nodes; of cells if they have the dimension "
           "of the mesh; of sides if they have one less.",
    .params = params,
    .size = sizeof(def),
    .example = "bracket: {type: gmsh, file: bracket.msh, scale: 1.0e-3}",
    .ops = &ops,
};

typedef struct word {
    const char *s;
    int n;
} word;

static bool is(const word *w, const char *name) {
    return (size_t)w->n == strlen(name) && memcmp(w->s, name, (size_t)w->n) == 0;
}

/* ---- the head -------------------------------------------------------------------------------- */

static gos_status read_one(gos_msh_reader *r) {
    const char *at = r->s;
    int32_t one;
    if ((size_t)(r->stop - r->s) < sizeof one) {
        return gos__msh_refuse(r, at,
                               "the file ends where its byte order is expected; it is truncated");
    }
    memcpy(&one, r->s, sizeof one);
    r->s += sizeof one;
    return one == 1
               ? GOS_OK
               : gos__msh_refuse(
                     r, at, "its byte order differs from that of this machine; save it as text");
}

static gos_status read_format(gos_msh_reader *r) {
    const char *at = r->s;
    double version;
    int64_t binary, size;
    GOS_TRY(gos__msh_text_double(r, "version", &version));
    if (version != 2.2 && version != 4.1) {
        return gos__msh_refuse(
            r, at, "version %g is not supported; save as 4.1 or 2.2 (gmsh -format msh41, msh22)",
            version);
    }
    GOS_TRY(gos__msh_text_int(r, "kind of file (0: text, 1: binary)", 0, 1, &binary));
    at = r->s;
    GOS_TRY(gos__msh_text_int(r, "size of numbers", 1, 64, &size));
    if (size != 8) {
        return gos__msh_refuse(
            r, at, "its numbers have %d bytes; only 8 are supported; save it as text", (int)size);
    }
    r->v4 = version == 4.1;
    r->binary = binary == 1;
    GOS_TRY(gos__msh_line_end(r));
    return r->binary ? read_one(r) : GOS_OK;
}

/* ---- sections -------------------------------------------------------------------------------- */

/* name after the $, alone on its line */
static gos_status read_title(gos_msh_reader *r, const char *due, word *w) {
    const char *at = r->s;
    if (!gos__msh_find(r)) {
        return gos__msh_refuse(r, r->s, "the file ends where %s is expected; it is truncated", due);
    }
    at = r->s;
    gos__msh_rest(r, &w->s, &w->n);
    if (w->n < 2 || w->s[0] != '$') {
        return gos__msh_refuse(r, at, "%s is expected here", due);
    }
    w->s++;
    w->n--;
    return GOS_OK;
}

static gos_status read_end(gos_msh_reader *r, const word *title) {
    char due[80];
    word w;
    const char *at;
    gos__format(due, sizeof due, "$End%.*s", title->n < 40 ? title->n : 40, title->s);
    (void)gos__msh_find(r);
    at = r->s;
    GOS_TRY(read_title(r, due, &w));
    return is(&w, due + 1) ? GOS_OK
                           : gos__msh_refuse(r, at, "'$%.*s' where %s is expected",
                                             w.n < 40 ? w.n : 40, w.s, due);
}

/* skip to after the line $End... of an ignored section */
static gos_status skip(gos_msh_reader *r, const word *title, const char *at) {
    char end[140];
    const size_t n = (size_t)gos__format(end, sizeof end, "\n$End%.*s",
                                         title->n < 100 ? title->n : 100, title->s);
    const char *s = r->s - 1; // end of the title's line
    while ((size_t)(r->stop - s) >= n && memcmp(s, end, n) != 0) {
        const char *next = memchr(s + 1, '\n', (size_t)(r->stop - s) - 1);
        s = next ? next : r->stop;
        r->line++;
    }
    if ((size_t)(r->stop - s) < n) {
        return gos__msh_refuse(r, at, "$%.*s has no %s; the file is truncated",
                               title->n < 40 ? title->n : 40, title->s, end + 1);
    }
    r->s = r->line_begin = s + 1;
    const char *rest;
    int nrest;
    gos__msh_rest(r, &rest, &nrest);
    return GOS_OK;
}

static gos_status skip_section(gos_msh_reader *r, const word *title, const char *at, int line) {
    char object[60];
    gos__format(object, sizeof object, "$%.*s", title->n < 40 ? title->n : 40, title->s);
    if (!is(title, "Comments")) {
        gos__warn(r->ctx, (gos_loc){r->file, r->binary ? 0 : line, 0}, object,
                  "this section is ignored");
    }
    return skip(r, title, at);
}

typedef gos_status (*section_fn)(gos_msh_reader *r);

static gos_status read_parts(gos_msh_reader *r) {
    return gos__msh_entities(r, false);
}

static gos_status read_parts_of_partitions(gos_msh_reader *r) {
    r->partitions = true;
    return gos__msh_entities(r, true);
}

/* reader of a section; NULL: unrelated to the mesh */
static section_fn reader_of(const gos_msh_reader *r, const word *title) {
    static const struct {
        const char *name;
        section_fn read;
        bool v4; // version 4 only
    } sections[] = {{"PhysicalNames", gos__msh_names, false},
                    {"Entities", read_parts, true},
                    {"PartitionedEntities", read_parts_of_partitions, true},
                    {"Nodes", msh_nodes, false},
                    {"Elements", gos__msh_elements, false}};
    for (int i = 0; i < GOS_COUNT(sections); i++) {
        if (is(title, sections[i].name) && (r->v4 || !sections[i].v4)) {
            return sections[i].read;
        }
    }
    return NULL;
}

static gos_status read_sections(gos_msh_reader *r) {
    word title;
    const size_t n = strlen("$MeshFormat");
    if (!gos__msh_find(r) || (size_t)(r->stop - r->s) < n || memcmp(r->s, "$MeshFormat", n) != 0) {
        return gos__msh_refuse(r, r->s, "not a Gmsh mesh: it does not begin with $MeshFormat");
    }
    GOS_TRY(read_title(r, "$MeshFormat", &title));
    GOS_TRY(read_format(r));
    GOS_TRY(read_end(r, &title));
    while (gos__msh_find(r)) {
        const char *at = r->s;
        const int line = r->line;
        GOS_TRY(read_title(r, "a section ($Nodes, $Elements ...)", &title));
        const section_fn read = reader_of(r, &title);
        if (is(&title, "MeshFormat")) {
            return gos__msh_refuse(r, at, "there is a second $MeshFormat; remove it");
        }
        GOS_TRY(read ? read(r) : skip_section(r, &title, at, line));
        GOS_TRY(read ? read_end(r, &title) : GOS_OK);
    }
    return GOS_OK;
}

/* ---- file ------------------------------------------------------------------------------------ */

static void release(gos_msh_reader *r) {
    gos__free(r->ctx, r->group);
    gos__free(r->ctx, r->entity);
    gos__free(r->ctx, r->entity_group);
    gos__free(r->ctx, r->member);
    gos__tags_free(&r->entities);
    gos__tags_free(&r->groups);
    gos__tags_free(&r->nodes);
    gos__tags_free(&r->same);
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        gos__free(r->ctx, r->list[s].node);
        gos__free(r->ctx, r->list[s].tag);
        gos__free(r->ctx, r->list[s].line);
    }
}

gos_status gos__msh_parse(gos_mesh *mesh, const char *name, const char *data, size_t size,
                          bool all) {
    gos_ctx *ctx = mesh->ctx;
    gos_msh_reader r = {.ctx = ctx,
                        .file = gos__intern(ctx, name),
                        .begin = data,
                        .s = data,
                        .stop = data + size,
                        .line_begin = data,
                        .line = 1,
                        .entities = {.ctx = ctx},
                        .groups = {.ctx = ctx},
                        .mesh = mesh,
                        .nodes = {.ctx = ctx},
                        .same = {.ctx = ctx}};
    GOS_TRY(r.file ? GOS_OK : GOS_E_MEMORY);
    mesh->source = r.file;
    gos_status status = read_sections(&r);
    status = status == GOS_OK ? gos__msh_finish(&r, all) : status;
    release(&r);
    return status;
}
