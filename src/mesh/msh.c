/* Gmsh files by sections. Unrelated sections are skipped with a warning; other versions or byte
   orders are refused with a remedy. */
#include "mesh/msh_reader.h"

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

static gos_status skip_told(gos_msh_reader *r, const word *title, const char *at, int line) {
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
                    {"Nodes", gos__msh_nodes, false},
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
        GOS_TRY(read ? read(r) : skip_told(r, &title, at, line));
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
