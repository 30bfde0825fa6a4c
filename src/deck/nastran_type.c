#include "deck/nastran.h"
#include "mesh/generate.h"

typedef struct nastran {
    gos_mesh_def def;
    const char *file;
    double scale, mass_scale, subcase;
} nastran;

static const gos_param params[] = {
    {.name = "file",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(nastran, file),
     .doc = "bulk data file (.bdf, .dat, .nas), below the model's folder; its include files are "
            "read from its own folder"},
    {.name = "subcase",
     .kind = GOS_K_NUMBER,
     .unit = "",
     .lo = 0,
     .hi = 99999999,
     .def = "0",
     .offset = offsetof(nastran, subcase),
     .doc = "subcase whose supports, loads and temperatures are used; 0: the first"},
    {.name = "scale",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN | GOS_P_MODEL_UNIT,
     .def = "1",
     .offset = offsetof(nastran, scale),
     .doc = "length unit of the file in m: 1e-3 for millimetres"},
    {.name = "mass_scale",
     .kind = GOS_K_NUMBER,
     .unit = "kg",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN | GOS_P_MODEL_UNIT,
     .offset = offsetof(nastran, mass_scale),
     .doc =
         "mass unit of the file, after WTMASS, in kg: 1000 for tonnes (mm, t, s, N, MPa); needed "
         "with `scale` where bodies use materials or loads of the file"},
    GOS_MESH_SETS,
    {0}};

static gos_status make(const gos_mesh_maker *k, const void *def, gos_mesh *mesh) {
    const nastran *in = def;
    const gos_loc loc = gos__key_loc(k->entry, "file");
    const char *path;
    gos_deck *made;
    if (in->subcase != floor(in->subcase)) {
        return gos__fail_at(k->model->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "subcase"),
                            k->object, "`subcase` must be a whole number");
    }
    GOS_TRY(gos__path_below(k->model->ctx, k->model->folder, in->file, loc, k->object, mesh->arena,
                            &path));
    GOS_TRY(gos__nastran_read(mesh, path, loc, k->object, (int64_t)in->subcase, &made));
    k->model->tables = gos__hash(k->model->tables, &made->hash, sizeof made->hash);
    const bool same = in->scale == 1 && (in->mass_scale == 1 || in->mass_scale == 0);
    if (!same) {
        gos__deck_convert(made, in->scale, in->mass_scale);
    }
    return gos__deck_patches(made);
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_nastran = {
    .section = "meshes",
    .name = "nastran",
    .doc = "Nastran bulk data: grid points and elements, a set of elements for each property "
           "(PSHELL(3)) and a set of the supported nodes (SPC(1)), with the materials, properties, "
           "constraints and loads of a subcase. Unsupported cards and fields that could affect the "
           "physics are rejected or reported in a warning.",
    .params = params,
    .size = sizeof(nastran),
    .example = "panel: {type: nastran, file: panel.bdf, scale: 1.0e-3, mass_scale: 1000}",
    .ops = &ops,
};
