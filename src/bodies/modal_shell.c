/* Body type modal_shell: a clamped shell by modes of another program (modal multifield approach).
 * Nodal positions, normals, displacements and rotations give the coupling of patches. */
#include <math.h>
#include <stdio.h>

#include "bodies/bodies.h"
#include "bodies/modal_body.h"
#include "bodies/piezo_wiring.h"
#include "fe/piezo.h"
#include "control/number_table.h"
#include "math/vec3.h"

typedef enum gos_quad_order {
    GOS_QUAD_AROUND, // counter-clockwise about the normal
    GOS_QUAD_ROWWISE // (-, -), (+, -), (-, +), (+, +) in natural coordinates
} gos_quad_order;

typedef struct gos_modal_files {
    const char *frequencies, *nodes, *quads, *shapes; // below the model's folder
    int order;                                        // gos_quad_order
} gos_modal_files;

typedef struct gos_modal_tables {
    int n, nnode, nquad;
    double *omega;          // (n) [rad/s]
    const char *nodes_file; // interned
    long long *node, *quad; // numbers (nnode), (nquad)
    double (*x)[3];         // (nnode) [m]
    double (*normal)[3];    // (nnode) unit normals
    int (*corner)[4];       // (nquad) nodes, around
    double (*shape)[6];     // (n nnode) of node i in mode m at m nnode + i
} gos_modal_tables;

/* Modes of a shell from another program: nodes with normals, quadrilaterals, displacements and
 * rotations. */

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

/* Index of the node with this number; -1 if unknown. */
static int modal_tables_find(const gos_modal_tables *t, double number) {
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
            t->corner[i][k] = modal_tables_find(t, row[1 + k]);
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
        const int node = modal_tables_find(t, row[1]);
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

/* Arrays live in the builder's arena. @return GOS_E_INPUT with file and line: unknown or repeated
 * nodes, shapes without a node, quadrilaterals that cross themselves or face away from their
 * normals. */
static gos_status modal_tables_read(gos_builder *b, const gos_node *entry, const char *object,
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

typedef struct shell_def {
    gos_modal_files files;
    double thickness, zeta;
    const gos_node *locations;
} shell_def;

#define FILE_ROW(key, doc_)                                                                        \
    {                                                                                              \
        .name = #key, .kind = GOS_K_TEXT, .unit = "", .flags = GOS_P_REQUIRED,                     \
        .offset = offsetof(shell_def, files.key), .doc = doc_                                      \
    }

static const gos_param params[] = {
    FILE_ROW(frequencies, "table (CSV) below the model's folder: frequencies [Hz], ascending"),
    FILE_ROW(nodes, "table (CSV) with one line per node: its number (ascending), x, y, z [m] and "
                    "normal"),
    FILE_ROW(quads, "table (CSV) with one line per quadrilateral: its number and the numbers of "
                    "its four nodes"),
    FILE_ROW(shapes,
             "table (CSV) with one line per mode, from 1, and node: mode, node, displacements "
             "along x, y, z and rotations about these axes, for unit modal mass [1/sqrt(kg)], "
             "[rad/(m sqrt(kg))]"),
    {.name = "order",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .choices = "around=0|rowwise=1",
     .offset = offsetof(shell_def, files.order),
     .doc = "node order of quadrilaterals: around, counter-clockwise about the normals; rowwise, "
            "(-, -), (+, -), (-, +), (+, +), as in the original publication"},
    {.name = "thickness",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(shell_def, thickness),
     .doc = "of the shell; patches lie on its faces"},
    {.name = "zeta",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 10,
     .def = "0",
     .offset = offsetof(shell_def, zeta),
     .doc = "damping ratio of every mode"},
    {.name = "places",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(shell_def, locations),
     .doc = "names of nodes, {NAME: number, ...}; joints, loads and probes refer to them as "
            "BODY.NAME"},
    {0}};

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const shell_def *def;
    gos_modal_tables t;
} making;

/* ---- points ---------------------------------------------------------------------------------- */

static gos_status take_location(const making *k, const gos_node *c, gos_modal_location *location) {
    const gos_modal_tables *t = &k->t;
    double number = 0;
    const bool read = c->kind == GOS_SCALAR && gos__number_parse(c->text, strlen(c->text), &number);
    const int node = read ? modal_tables_find(t, number) : -1;
    if (node < 0 || !gos__name_valid(c->key)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, c->loc, k->object,
                            node < 0
                                ? "places: '%.64s' is not a node; give a number from the table of "
                                  "nodes, %lld to %lld"
                                : "places: '%.64s' is not a valid name; use letters, digits and _",
                            c->key, t->node[0], t->node[t->nnode - 1]);
    }
    double *shape = GOS_NEW(k->b->arena, double, GOS_NODE_DOFS *(size_t)t->n + 1);
    GOS_TRY(shape ? GOS_OK : GOS_E_MEMORY);
    for (int m = 0; m < t->n; m++) {
        for (int d = 0; d < GOS_NODE_DOFS; d++) {
            shape[d * t->n + m] = t->shape[(size_t)m * (size_t)t->nnode + (size_t)node][d];
        }
    }
    *location =
        (gos_modal_location){.name = gos__arena_strdup(k->b->arena, c->key), .shape = shape};
    memcpy(location->x, t->x[node], sizeof location->x);
    return location->name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status take_locations(const making *k, gos_modal_data *d) {
    const gos_node *list = k->def->locations;
    if (list && list->kind != GOS_MAP) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, list->loc, k->object,
                            "places must be a map, {NAME: number of a node, ...}");
    }
    gos_modal_location *location = GOS_NEW(k->b->arena, gos_modal_location, list ? list->n + 1 : 1);
    GOS_TRY(location ? GOS_OK : GOS_E_MEMORY);
    d->location = location;
    for (const gos_node *c = list ? list->child : NULL; c; c = c->next) {
        GOS_TRY(take_location(k, c, &location[d->nlocation++]));
    }
    return GOS_OK;
}

/* ---- patches --------------------------------------------------------------------------------- */

static gos_status choose(gos_builder *b, const void *of, const gos_piezo *p, const char *location,
                         gos_loc loc, bool *chosen) {
    const gos_modal_tables *t = of;
    long long number = 0;
    int end = 0;
    bool any = false;
    const bool one =
        sscanf(location, "cell(%lld)%n", &number, &end) == 1 && end > 0 && !location[end];
    for (int i = 0; i < t->nquad && (one || !*location); i++) {
        chosen[i] = chosen[i] || !one || t->quad[i] == number;
        any = any || chosen[i];
    }
    return any ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                              "'%s' has no '%s'; give the body alone, or cell(NUMBER) of its table "
                              "of quadrilaterals",
                              p->body, location);
}

static long long number_of(const void *of, int cell) {
    const gos_modal_tables *t = of;
    return t->quad[cell];
}

static gos_status check_entry(const making *k, const gos_piezo *p) {
    return p->def.pyroelectric != 0
               ? gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "pyroelectric"),
                              p->object, "body '%s' has no temperatures; remove it", p->body)
               : GOS_OK;
}

/* Adds the modal forces of a patch per volt, and its capacitance. */
static gos_status add_patch(const making *k, const gos_piezo_patch *patch, double *row,
                            double *capacitance) {
    const gos_modal_tables *t = &k->t;
    const gos_piezo_def *d = &patch->entry->def;
    const int *corner = t->corner[patch->cell];
    const gos_fe_patch p = {.face = patch->face,
                            .thickness = d->thickness,
                            .e = {d->e31, d->e32, d->e36},
                            .permittivity = d->permittivity,
                            .along = {d->along[0], d->along[1], d->along[2]}};
    double x[4][3], n[4][3];
    gos_fe_patch_row by;
    for (int c = 0; c < 4; c++) {
        memcpy(x[c], t->x[corner[c]], sizeof x[c]);
        memcpy(n[c], t->normal[corner[c]], sizeof n[c]);
    }
    if (gos__fe_patch_row(x, n, k->def->thickness, &p, &by) != GOS_OK) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, patch->entry->entry->loc, patch->entry->object,
            "quadrilateral %lld is inverted at the patch; order its nodes around it, check that "
            "its normals point to the same side, and use thinner patches where it is curved",
            t->quad[patch->cell]);
    }
    for (int m = 0; m < t->n; m++) {
        for (int c = 0; c < 4; c++) {
            const double *shape = t->shape[(size_t)m * (size_t)t->nnode + (size_t)corner[c]];
            for (int i = 0; i < 6; i++) {
                row[m] += patch->sign * by.force[c][i] * shape[i];
            }
        }
    }
    *capacitance += by.capacitance;
    return GOS_OK;
}

static gos_status take_patches(const making *k, const char *name, gos_modal_data *d) {
    const gos_piezo_cells cells = {
        .of = &k->t, .n = k->t.nquad, .choose = choose, .number = number_of};
    gos_piezo_wiring w;
    GOS_TRY(gos__piezo_wire(k->b, name, &cells, &w));
    double *row = GOS_NEW(k->b->arena, double, (size_t)d->n *(size_t)w.nelectrode + 1);
    double *capacitance = GOS_NEW(k->b->arena, double, w.nelectrode + 1);
    GOS_TRY(row && capacitance ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < w.nentry; i++) {
        GOS_TRY(check_entry(k, w.entry[i]));
    }
    for (int i = 0; i < w.n; i++) {
        const int e = w.patch[i].electrode;
        GOS_TRY(add_patch(k, &w.patch[i], row + (size_t)e * (size_t)d->n, &capacitance[e]));
    }
    d->nentry = w.nentry;
    d->entry = w.entry;
    d->nelectrode = w.nelectrode;
    d->row = row;
    d->capacitance = capacitance;
    return GOS_OK;
}

/* ---- the body -------------------------------------------------------------------------------- */

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    shell_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    making k = {.b = b, .entry = entry, .object = object, .def = &def};
    GOS_TRY(modal_tables_read(b, entry, object, &def.files, &k.t));
    double *zeta = GOS_NEW(b->arena, double, k.t.n + 1);
    GOS_TRY(zeta ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k.t.n; i++) {
        zeta[i] = def.zeta;
    }
    gos_modal_data d = {.n = k.t.n, .omega = k.t.omega, .zeta = zeta};
    GOS_TRY(take_locations(&k, &d));
    GOS_TRY(take_patches(&k, name, &d));
    return gos__modal_add(b, type, entry, name, object, &d);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_modal_shell = {
    .section = "bodies",
    .name = "modal_shell",
    .doc = "A clamped shell given by its vibration modes from any finite element program: nodes "
           "with normals, quadrilaterals, displacements and rotations; patches lie on its faces.",
    .params = params,
    .size = sizeof(shell_def),
    .example =
        "plate: {type: modal_shell, frequencies: freq.csv, nodes: nodes.csv, quads: quads.csv, "
        "shapes: shapes.csv, order: around, thickness: 1.0e-3, places: {tip: 13}}",
    .ops = &ops,
};
