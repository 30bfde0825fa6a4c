#include "bodies/modal_tables.h"

#include <math.h>
#include <stdio.h>

#include "control/number_table.h"
#include "parts/vec3.h"

typedef struct reading {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_modal_tables *t;
} reading;

static gos_status read_table(const reading *r, const char *key, const char *name, int columns,
                             const char *what, gos_number_table *table) {
    const gos_loc loc = gos__key_loc(r->entry, key);
    const char *path;
    char text[200];
    GOS_TRY(
        gos__path_below(r->b->ctx, r->b->model->folder, name, loc, r->object, r->b->arena, &path));
    GOS_TRY(gos__number_table_read(r->b->ctx, path, loc, r->object, table));
    if (columns > 0 && table->columns != columns) {
        (void)snprintf(text, sizeof text, "%d columns; give %d: %s", table->columns, columns, what);
        return gos__number_table_wrong(table, table->line[0], 1, text);
    }
    r->b->model->tables =
        gos__hash(r->b->model->tables, table->x, (size_t)table->n * sizeof *table->x);
    return GOS_OK;
}

/* ---- frequencies ----------------------------------------------------------------------------- */

static gos_status take_frequencies(const reading *r, const gos_number_table *f) {
    if (f->rows > 1 && f->columns > 1) {
        return gos__number_table_wrong(f, f->line[0], 1,
                                       "frequencies must be one line or one column");
    }
    r->t->n = f->n;
    r->t->omega = GOS_NEW(r->b->arena, double, f->n + 1);
    GOS_TRY(r->t->omega ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < f->n; i++) {
        if (!(f->x[i] > 0) || (i > 0 && f->x[i] < f->x[i - 1])) {
            return gos__number_table_wrong(f, f->line[f->rows > 1 ? i : 0], 1,
                                           "frequencies must be positive and ascending; clamp the "
                                           "structure and sort its modes");
        }
        r->t->omega[i] = 2 * M_PI * f->x[i];
    }
    return GOS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

int gos__modal_tables_find(const gos_modal_tables *t, double number) {
    int low = 0, high = t->nnode - 1;
    while (low <= high) {
        const int at = (low + high) / 2;
        const double here = (double)t->node[at];
        if (here == number) {
            return at;
        }
        low = here < number ? at + 1 : low;
        high = here < number ? high : at - 1;
    }
    return -1;
}

static gos_status take_nodes(const reading *r, const gos_number_table *f) {
    gos_modal_tables *t = r->t;
    t->nodes_file = f->file;
    t->node = GOS_NEW(r->b->arena, long long, f->rows);
    t->x = gos__arena_alloc(r->b->arena, (size_t)f->rows, sizeof *t->x);
    t->normal = gos__arena_alloc(r->b->arena, (size_t)f->rows, sizeof *t->normal);
    GOS_TRY(t->node && t->x && t->normal ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < f->rows; i++) {
        const double *row = f->x + 7L * i, size = gos__norm3(row + 4);
        if (row[0] != floor(row[0]) || fabs(row[0]) > 1e15 ||
            (i > 0 && !(row[0] > (double)t->node[i - 1]))) {
            return gos__number_table_wrong(
                f, f->line[i], 1,
                "node numbers must be integers in ascending order; sort the table");
        }
        if (!(size > 0)) {
            return gos__number_table_wrong(f, f->line[i], 1,
                                           "the normal is 0; give a nonzero vector");
        }
        t->node[i] = (long long)row[0];
        for (int c = 0; c < 3; c++) {
            t->x[i][c] = row[1 + c];
            t->normal[i][c] = row[4 + c] / size;
        }
    }
    t->nnode = f->rows;
    return GOS_OK;
}

/* ---- quadrilaterals -------------------------------------------------------------------------- */

/* Corners at which the surface, with this node sequence, faces along the normals. */
static int shown(const gos_modal_tables *t, const int corner[4], const int sequence[4]) {
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const int o = corner[sequence[k]], a = corner[sequence[(k + 1) % 4]],
                  z = corner[sequence[(k + 3) % 4]];
        double p[3], q[3], up[3];
        for (int c = 0; c < 3; c++) {
            p[c] = t->x[a][c] - t->x[o][c];
            q[c] = t->x[z][c] - t->x[o][c];
        }
        gos__cross3(p, q, up);
        n += gos__dot3(up, t->normal[o]) > 0;
    }
    return n;
}

static const int sequence_of[2][4] = {
    [GOS_QUAD_AROUND] = {0, 1, 2, 3}, [GOS_QUAD_ROWWISE] = {0, 1, 3, 2}};

static gos_status check_quad(const reading *r, const gos_number_table *f, int i, int order) {
    static const char *const name[] = {"around", "rowwise"};
    const int *corner = r->t->corner[i];
    const int good = shown(r->t, corner, sequence_of[order]);
    char text[300];
    if (good == 4) {
        return GOS_OK;
    }
    if (shown(r->t, corner, sequence_of[!order]) == 4) {
        (void)snprintf(text, sizeof text,
                       "quadrilateral %lld is self-intersecting with its nodes taken %s: they "
                       "appear to be listed %s; use order: %s",
                       r->t->quad[i], order == GOS_QUAD_AROUND ? "around it" : "row by row",
                       order == GOS_QUAD_AROUND ? "row by row" : "around it", name[!order]);
    } else if (good == 0) {
        (void)snprintf(text, sizeof text,
                       "quadrilateral %lld faces away from its normals: its nodes are ordered "
                       "clockwise about them; reverse the nodes or the normals",
                       r->t->quad[i]);
    } else {
        (void)snprintf(text, sizeof text,
                       "quadrilateral %lld is inverted at %d of its corners, in either node "
                       "order; order its nodes around it, with normals on the same side",
                       r->t->quad[i], 4 - good);
    }
    return gos__number_table_wrong(f, f->line[i], 1, text);
}

static gos_status take_quads(const reading *r, const gos_number_table *f, int order) {
    gos_modal_tables *t = r->t;
    char text[120];
    t->quad = GOS_NEW(r->b->arena, long long, f->rows);
    t->corner = gos__arena_alloc(r->b->arena, (size_t)f->rows, sizeof *t->corner);
    GOS_TRY(t->quad && t->corner ? GOS_OK : GOS_E_MEMORY);
    t->nquad = f->rows;
    for (int i = 0; i < f->rows; i++) {
        const double *row = f->x + 5L * i;
        t->quad[i] = (long long)fmax(-1e15, fmin(1e15, row[0]));
        for (int k = 0; k < 4; k++) {
            t->corner[i][k] = gos__modal_tables_find(t, row[1 + k]);
            if (t->corner[i][k] < 0) {
                (void)snprintf(text, sizeof text, "there is no node %.15g; add it to the nodes",
                               row[1 + k]);
                return gos__number_table_wrong(f, f->line[i], 1, text);
            }
        }
        GOS_TRY(check_quad(r, f, i, order));
        const int given[4] = {t->corner[i][0], t->corner[i][1], t->corner[i][2], t->corner[i][3]};
        for (int k = 0; k < 4; k++) {
            t->corner[i][k] = given[sequence_of[order][k]];
        }
    }
    return GOS_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static gos_status take_shapes(const reading *r, const gos_number_table *f) {
    gos_modal_tables *t = r->t;
    const size_t all = (size_t)t->n * (size_t)t->nnode;
    char text[160];
    bool *there = GOS_NEW(r->b->arena, bool, all + 1);
    t->shape = gos__arena_alloc(r->b->arena, all + 1, sizeof *t->shape);
    GOS_TRY(there && t->shape ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < f->rows; i++) {
        const double *row = f->x + 8L * i;
        const int node = gos__modal_tables_find(t, row[1]);
        if (node < 0 || row[0] != floor(row[0]) || !(row[0] >= 1 && row[0] <= t->n)) {
            (void)snprintf(text, sizeof text,
                           "mode %.15g or node %.15g does not exist; give modes from 1 to %d, and "
                           "nodes of the table of nodes",
                           row[0], row[1], t->n);
            return gos__number_table_wrong(f, f->line[i], 1, text);
        }
        const size_t at = (size_t)(row[0] - 1) * (size_t)t->nnode + (size_t)node;
        if (there[at]) {
            return gos__number_table_wrong(f, f->line[i], 1,
                                           "the mode already has a line for this node; remove one");
        }
        there[at] = true;
        memcpy(t->shape[at], row + 2, sizeof t->shape[at]);
    }
    for (size_t at = 0; at < all; at++) {
        if (!there[at]) {
            (void)snprintf(text, sizeof text, "mode %d has no line for node %lld; add one",
                           (int)(at / (size_t)t->nnode) + 1, t->node[at % (size_t)t->nnode]);
            return gos__number_table_wrong(f, f->line[f->rows - 1], 1, text);
        }
    }
    return GOS_OK;
}

gos_status gos__modal_tables_read(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_modal_files *files, gos_modal_tables *tables) {
    enum { FREQUENCIES, NODES, QUADS, SHAPES, COUNT };
    *tables = (gos_modal_tables){0};
    const reading r = {.b = b, .entry = entry, .object = object, .t = tables};
    gos_number_table f[COUNT] = {{0}};
    gos_status status = read_table(&r, "frequencies", files->frequencies, 0, "", &f[FREQUENCIES]);
    status = status == GOS_OK ? take_frequencies(&r, &f[FREQUENCIES]) : status;
    status = status == GOS_OK
                 ? read_table(&r, "nodes", files->nodes, 7, "number, x, y, z and normal", &f[NODES])
                 : status;
    status = status == GOS_OK ? take_nodes(&r, &f[NODES]) : status;
    status = status == GOS_OK
                 ? read_table(&r, "quads", files->quads, 5, "number and four nodes", &f[QUADS])
                 : status;
    status = status == GOS_OK ? take_quads(&r, &f[QUADS], files->order) : status;
    status = status == GOS_OK
                 ? read_table(&r, "shapes", files->shapes, 8,
                              "mode, node, three displacements, three rotations", &f[SHAPES])
                 : status;
    status = status == GOS_OK ? take_shapes(&r, &f[SHAPES]) : status;
    for (int k = 0; k < COUNT; k++) {
        gos__number_table_free(&f[k]);
    }
    return status;
}
