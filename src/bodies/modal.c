/* Body type modal: a structure by frequencies, mode shapes at one point and electrode coupling. */
#include "bodies/bodies.h"

#include <math.h>

#include "bodies/modal_body.h"
#include "control/modal_file.h"
#include "math/vec3.h"

typedef struct modal_def {
    const char *folder, *point;
    double zeta, at[3], direction[3];
    int modes;
} modal_def;

static const gos_param params[] = {
    {.name = "folder",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(modal_def, folder),
     .doc = "folder below the model's folder, with four tables (CSV): freq_hz.csv, frequencies "
            "[Hz], ascending; phi_centre.csv, displacement of one point in each mode of unit modal "
            "mass [1/sqrt(kg)]; Kup.csv, a line for each mode and a column for each electrode, "
            "modal force per volt, equal to the charge per unit amplitude [N/(V sqrt(kg))]; "
            "capacitance.csv, clamped capacitance of each electrode [F]"},
    {.name = "modes",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 0,
     .hi = 1000,
     .def = "0",
     .offset = offsetof(modal_def, modes),
     .doc = "number of modes to use, from the lowest; 0: all"},
    {.name = "zeta",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 10,
     .def = "0",
     .offset = offsetof(modal_def, zeta),
     .doc = "damping ratio of every mode"},
    {.name = "point",
     .kind = GOS_K_TEXT,
     .unit = "",
     .def = "centre",
     .offset = offsetof(modal_def, point),
     .doc = "name of the point; joints, loads and probes refer to it as BODY.centre"},
    {.name = "at",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(modal_def, at),
     .doc = "position of the point at rest"},
    {.name = "direction",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .def = "[0, 0, 1]",
     .offset = offsetof(modal_def, direction),
     .doc = "direction in which the point moves; the point is locked perpendicular to it"},
    {0}};

static const double *copy(gos_arena *a, size_t n, const double *from) {
    double *x = GOS_NEW(a, double, n + 1);
    if (x && n > 0) {
        memcpy(x, from, n * sizeof *x);
    }
    return x;
}

/* Copies the first n modes of a table (modes, columns), by columns. */
static const double *take(gos_arena *a, int n, int modes, int columns, const double *from) {
    double *x = GOS_NEW(a, double, (size_t)n *columns + 1);
    for (int k = 0; x && k < columns; k++) {
        memcpy(x + (size_t)k * n, from + (size_t)k * modes, n * sizeof *x);
    }
    return x;
}

static gos_status make_location(gos_builder *b, const gos_node *entry, const char *object,
                                const modal_def *def, int n, const double *phi,
                                gos_modal_location *location) {
    const double size = gos__norm3(def->direction);
    double *shape = GOS_NEW(b->arena, double, GOS_NODE_DOFS *(size_t)n + 1);
    GOS_TRY(shape ? GOS_OK : GOS_E_MEMORY);
    if (!(size > 0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "direction"), object,
                            "direction is 0; give a nonzero vector, e.g. [0, 0, 1]");
    }
    if (!gos__name_valid(def->point)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "point"), object,
                            "'%.80s' is not a valid name; use letters, digits and _, not beginning "
                            "with a digit",
                            def->point);
    }
    for (int c = 0; c < 3; c++) {
        location->x[c] = def->at[c];
        for (int i = 0; i < n; i++) {
            shape[c * n + i] = def->direction[c] / size * phi[i];
        }
    }
    location->name = gos__arena_strdup(b->arena, def->point);
    location->shape = shape;
    return location->name ? GOS_OK : GOS_E_MEMORY;
}

/* All table columns belong to one `given` entry. */
static gos_status name_electrodes(gos_builder *b, const char *name, int channels,
                                  gos_modal_data *d) {
    gos_piezo **patches;
    int n;
    GOS_TRY(gos__modal_entries(b, name, false, &patches, &n));
    if (n > 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, patches[0]->def.on.loc[0], patches[0]->object,
                            "body '%s' (modal) has no shells for patches; its tables have %d "
                            "electrodes: use type: given",
                            name, channels);
    }
    GOS_TRY(gos__modal_entries(b, name, true, &d->entry, &d->nentry));
    if (d->nentry > 1) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, d->entry[1]->def.on.loc[0], d->entry[1]->object,
                            "the electrodes of body '%s' already have an entry (%s); keep only one",
                            name, d->entry[0]->object);
    }
    if (d->nentry == 0) {
        return GOS_OK;
    }
    gos_piezo *p = d->entry[0];
    p->taken = true;
    p->n = d->nelectrode = channels;
    p->electrode =
        (const char **)gos__arena_alloc(b->arena, (size_t)channels + 1, sizeof *p->electrode);
    GOS_TRY(p->electrode ? GOS_OK : GOS_E_MEMORY);
    for (int e = 0; e < channels; e++) {
        p->electrode[e] = gos__arena_printf(b->arena, "%s(%d)", p->name, e + 1);
        GOS_TRY(p->electrode[e] ? GOS_OK : GOS_E_MEMORY);
    }
    return GOS_OK;
}

static gos_status make(gos_builder *b, const gos_type *type, const gos_node *entry,
                       const char *name, const char *object, const modal_def *def,
                       const gos_modal *m) {
    const int n = def->modes > 0 ? def->modes : m->n;
    gos_modal_location *location = GOS_NEW(b->arena, gos_modal_location, 1);
    GOS_TRY(location ? GOS_OK : GOS_E_MEMORY);
    if (n > m->n) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "modes"), object,
                            "the tables have %d modes, not %d; use at most that many", m->n, n);
    }
    GOS_TRY(make_location(b, entry, object, def, n, m->phi, location));
    gos_modal_data d = {.n = n,
                        .omega = copy(b->arena, n, m->omega),
                        .zeta = copy(b->arena, n, m->zeta),
                        .nlocation = 1,
                        .location = location,
                        .row = take(b->arena, n, m->n, m->np, m->Kup),
                        .capacitance = copy(b->arena, m->np, m->capacitance)};
    GOS_TRY(d.omega && d.zeta && d.row && d.capacitance ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(name_electrodes(b, name, m->np, &d));
    return gos__modal_add(b, type, entry, name, object, &d);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    modal_def d = {0};
    gos_modal m = {0};
    const char *path;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &d));
    const gos_loc loc = gos__key_loc(entry, "folder");
    GOS_TRY(gos__path_below(b->ctx, b->model->folder, d.folder, loc, object, b->arena, &path));
    GOS_TRY(gos__modal_read(b->ctx, path, d.zeta, loc, object, &m));
    const gos_status status = make(b, type, entry, name, object, &d, &m);
    gos__modal_free(b->ctx, &m);
    return status;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_modal = {
    .section = "bodies",
    .name = "modal",
    .doc = "A clamped structure given by its vibration modes from any finite element program: "
           "frequencies, displacement of one point, electrode coupling.",
    .params = params,
    .size = sizeof(modal_def),
    .example = "plate: {type: modal, folder: plate_modes, zeta: 0.01}",
    .ops = &ops,
};
