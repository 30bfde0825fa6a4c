/* Meshes from Gmsh files. */
#include "mesh/generate.h"
#include "mesh/msh.h"

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
     .flags = GOS_P_LO_OPEN,
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
