/* The mesh of a deck as an entry of `meshes`. */
#include "mesh/deck.h"
#include "mesh/generate.h"

typedef struct deck {
    gos_mesh_def def;
    const char *file;
} deck;

static const gos_param params[] = {
    {.name = "file",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(deck, file),
     .doc = "deck (.inp), below the model's folder; what it includes is read from its own folder"},
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
    return GOS_OK;
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_deck = {
    .section = "meshes",
    .name = "deck",
    .doc = "A deck of CalculiX or Abaqus: its nodes, elements, sets and surfaces, by their labels "
           "in upper case. What of the "
           "deck is not read and could change the physics is refused or warned of by name.",
    .params = params,
    .size = sizeof(deck),
    .example = "bracket: {type: deck, file: bracket.inp}",
    .ops = &ops,
};
