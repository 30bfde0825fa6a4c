/* Internals of floating mesh bodies. */
#ifndef GOS_FLOATING_MESH_MAKE_H
#define GOS_FLOATING_MESH_MAKE_H

#include "floating/floating_def.h"
#include "floating/clamped_modes.h"
#include "floating/mesh_piezo.h"
#include "floating/mesh_locations.h"
#include "floating/mesh_stress.h"
#include "floating/mesh_surface.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_beams {
    const char *section;
    double normal[3], offset[2];
} gos_mesh_beams;

typedef struct gos_mesh_def {
    const char *mesh, *material, *element;
    double thickness, direction[3], direction2[3];
    gos_mesh_beams beams;
    const gos_node *parts, *interfaces;
    double position[3], rotation_vector[3];
    const char *at, *chord_end;
    int temperature, deck_loads, deck_ties, at_rotations, motion;
    double material_temperature;
    gos_floating_def floating;
} gos_mesh_def;

typedef struct gos_floating_mesh {
    gos_floating_body f;
    gos_mesh_locations locations;
    gos_mesh_skin skin;
    gos_mesh_stress stress;
    gos_piezo_wiring piezo;
    gos_floating_fixed held;  // for the stress of reduced bodies
    int nlayer;               // layers besides parts ...
    const gos_fe_part *layer; // ... (nlayer)
} gos_floating_mesh;

/* Parameter rows common to bodies and parts. */
#define GOS_MESH_TEXT(st, key, flags_, doc_)                                                       \
    {                                                                                              \
        .name = #key, .kind = GOS_K_TEXT, .unit = "", .flags = flags_,                             \
        .offset = offsetof(st, key), .doc = doc_                                                   \
    }
#define GOS_MESH_MATERIAL(st, doc_)                                                                \
    {                                                                                              \
        .name = "material", .kind = GOS_K_NAME, .unit = "", .offset = offsetof(st, material),      \
        .choices = "materials", .doc = doc_                                                        \
    }
#define GOS_MESH_THICKNESS(st, doc_)                                                               \
    {                                                                                              \
        .name = "thickness", .kind = GOS_K_NUMBER, .unit = "m", .lo = 0, .hi = HUGE_VAL,           \
        .def = "0", .offset = offsetof(st, thickness), .doc = doc_                                 \
    }
#define GOS_MESH_DIRECTION(st, doc_)                                                               \
    {                                                                                              \
        .name = "direction", .kind = GOS_K_VECTOR, .unit = "-", .shape = 3, .def = "[0, 0, 0]",    \
        .offset = offsetof(st, direction), .doc = doc_                                             \
    }
#define GOS_MESH_DIRECTION2(st, doc_)                                                              \
    {                                                                                              \
        .name = "direction2", .kind = GOS_K_VECTOR, .unit = "-", .shape = 3, .def = "[0, 0, 0]",   \
        .offset = offsetof(st, direction2), .doc = doc_                                            \
    }

#define GOS_MESH_BEAMS(st, doc_)                                                                   \
    {.name = "section",                                                                            \
     .kind = GOS_K_NAME,                                                                           \
     .unit = "",                                                                                   \
     .offset = offsetof(st, beams.section),                                                        \
     .choices = "sections",                                                                        \
     .doc = doc_},                                                                                 \
        {.name = "normal",                                                                         \
         .kind = GOS_K_VECTOR,                                                                     \
         .unit = "-",                                                                              \
         .shape = 3,                                                                               \
         .def = "[0, 0, 0]",                                                                       \
         .offset = offsetof(st, beams.normal),                                                     \
         .doc = "local z of that section (orthogonalised to each beam), mesh axes; zero: e3, or "  \
                "e2 for beams within 20 degrees of e3"},                                           \
    {                                                                                              \
        .name = "offset", .kind = GOS_K_VECTOR, .unit = "m", .shape = 2, .def = "[0, 0]",          \
        .offset = offsetof(st, beams.offset),                                                      \
        .doc = "offset of the section's middle from the nodes, along local y and z: a stiffener "  \
               "on one side of a plate"                                                            \
    }

typedef struct gos_mesh_making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_mesh_def *def;
    gos_floating_mesh *m;
    gos_body *body;
    int npart;
    gos_fe_part *part;
    const gos_material **material; // of each part
    const char **name;             // of these materials
    gos_fe_body *fe;               // finite-element body for the matrices
    bool cold;                     // no conductivity or specific heat in a part
    bool shells;                   // gradients at nodes of a part
    bool rigid;                    // heat alone, without elasticity
} gos_mesh_making;

/** Is the body clamped where its deck holds it? */
static inline bool gos__mesh_held_by_deck(const gos_mesh_making *k) {
    return k->m->skin.mesh->deck && k->def->floating.reference == GOS_FLEX_CLAMPED && !k->def->at;
}

/** Set k->m->f.still by `motion`, and check keys against it. (mesh_motion.c) */
gos_status gos__floating_mesh_motion(gos_mesh_making *k);
/** Do all materials of the deck follow the temperature (below)? (mesh_tables.c) */
bool gos__floating_mesh_current(const gos_mesh_making *k);
/** Heat of a still body by its current temperatures, where materials depend on them; body: the one
 * in the builder. (mesh_tables.c) */
gos_status gos__floating_mesh_tables(const gos_mesh_making *k, gos_body *body);
/** Set k->npart, part, material, name, cold, shells from model or deck. (floating_mesh_parts.c) */
gos_status gos__floating_mesh_parts(gos_mesh_making *k);
/** Make k->fe and k->m->f.flex with mass, stiffness, damping, heat and patches; may need
 * destruction also after a failure. (floating_mesh_matrices.c) */
gos_status gos__floating_mesh_matrices(gos_mesh_making *k);
/** Refuses more displacements than a whole body may have, at its mesh. (floating_mesh_matrices.c)
 */
gos_status gos__floating_mesh_fits(gos_builder *b, const gos_node *entry, const char *object,
                                   double displacements);
/** gos_body_ops.stress_work. (floating_mesh_stress.c) */
gos_status gos__floating_mesh_stress_work(gos_ctx *ctx, const gos_body *b, const double *e, int m,
                                          const double *square, const double *X,
                                          gos_stress_work *work);

#endif
