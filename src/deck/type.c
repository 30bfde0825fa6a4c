#include "deck/deck.h"
#include "mesh/generate.h"

typedef struct deck {
    gos_mesh_def def;
    const char *file;
    double scale, mass_scale;
} deck;

static const gos_param params[] = {
    {.name = "file",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(deck, file),
     .doc =
         "deck (.inp), below the model's folder; its include files are read from its own folder"},
    {.name = "scale",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN | GOS_P_MODEL_UNIT,
     .def = "1",
     .offset = offsetof(deck, scale),
     .doc = "length unit of the deck in m: 1e-3 for millimetres"},
    {.name = "mass_scale",
     .kind = GOS_K_NUMBER,
     .unit = "kg",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN | GOS_P_MODEL_UNIT,
     .offset = offsetof(deck, mass_scale),
     .doc = "mass unit of the deck in kg: 1000 for tonnes (mm, t, s, N, MPa); needed with `scale` "
            "where bodies use materials or loads of the deck"},
    GOS_MESH_SETS,
    {0}};

static gos_status make(const gos_mesh_maker *k, const void *def, gos_mesh *mesh) {
    const deck *in = def;
    const gos_loc loc = gos__key_loc(k->entry, "file");
    const char *path;
    gos_deck *made;
    GOS_TRY(gos__path_below(k->model->ctx, k->model->folder, in->file, loc, k->object, mesh->arena,
                            &path));
    GOS_TRY(gos__deck_read(mesh, path, loc, k->object, &made));
    k->model->tables = gos__hash(k->model->tables, &made->hash, sizeof made->hash);
    const bool same = in->scale == 1 && (in->mass_scale == 1 || in->mass_scale == 0);
    if (!same) {
        gos__deck_convert(made, in->scale, in->mass_scale);
    }
    GOS_TRY(gos__deck_faces_named(made));
    return gos__deck_patches(made);
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_deck = {
    .section = "meshes",
    .name = "deck",
    .doc = "A deck of CalculiX or Abaqus: its nodes, elements, sets and surfaces, by their labels "
           "in upper case, with its materials, sections and loads. Sets of elements without "
           "section that lie on faces of other elements become surfaces. Unsupported cards that "
           "could affect the physics are rejected or reported by name in a warning.",
    .params = params,
    .size = sizeof(deck),
    .example = "bracket: {type: deck, file: bracket.inp, scale: 1.0e-3, mass_scale: 1000}",
    .ops = &ops,
};
