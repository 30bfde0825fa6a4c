/* Body type modal_shell: a clamped shell by modes of another program (modal multifield approach).
 * Nodal positions, normals, displacements and rotations give the coupling of patches. */
#include <math.h>
#include <stdio.h>

#include "bodies/modal.h"
#include "bodies/modal_body.h"
#include "bodies/modal_tables.h"
#include "bodies/piezo_wiring.h"
#include "fe/piezo.h"

typedef struct shell_def {
    gos_modal_files files;
    double thickness, zeta;
    const gos_node *places;
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
     .offset = offsetof(shell_def, places),
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

static gos_status take_place(const making *k, const gos_node *c, gos_modal_location *place) {
    const gos_modal_tables *t = &k->t;
    double number = 0;
    const bool read = c->kind == GOS_SCALAR && gos__number_parse(c->text, strlen(c->text), &number);
    const int node = read ? gos__modal_tables_find(t, number) : -1;
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
    *place = (gos_modal_location){.name = gos__arena_strdup(k->b->arena, c->key), .shape = shape};
    memcpy(place->x, t->x[node], sizeof place->x);
    return place->name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status take_places(const making *k, gos_modal_data *d) {
    const gos_node *list = k->def->places;
    if (list && list->kind != GOS_MAP) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, list->loc, k->object,
                            "places must be a map, {NAME: number of a node, ...}");
    }
    gos_modal_location *place = GOS_NEW(k->b->arena, gos_modal_location, list ? list->n + 1 : 1);
    GOS_TRY(place ? GOS_OK : GOS_E_MEMORY);
    d->place = place;
    for (const gos_node *c = list ? list->child : NULL; c; c = c->next) {
        GOS_TRY(take_place(k, c, &place[d->nplace++]));
    }
    return GOS_OK;
}

/* ---- patches --------------------------------------------------------------------------------- */

static gos_status choose(gos_builder *b, const void *of, const gos_piezo *p, const char *place,
                         gos_loc loc, bool *chosen) {
    const gos_modal_tables *t = of;
    long long number = 0;
    int end = 0;
    bool any = false;
    const bool one = sscanf(place, "cell(%lld)%n", &number, &end) == 1 && end > 0 && !place[end];
    for (int i = 0; i < t->nquad && (one || !*place); i++) {
        chosen[i] = chosen[i] || !one || t->quad[i] == number;
        any = any || chosen[i];
    }
    return any ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                              "'%s' has no '%s'; give the body alone, or cell(NUMBER) of its table "
                              "of quadrilaterals",
                              p->body, place);
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
    GOS_TRY(gos__modal_tables_read(b, entry, object, &def.files, &k.t));
    double *zeta = GOS_NEW(b->arena, double, k.t.n + 1);
    GOS_TRY(zeta ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k.t.n; i++) {
        zeta[i] = def.zeta;
    }
    gos_modal_data d = {.n = k.t.n, .omega = k.t.omega, .zeta = zeta};
    GOS_TRY(take_places(&k, &d));
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
