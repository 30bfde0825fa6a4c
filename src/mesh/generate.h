/* Section `meshes` of a model: mesh types, generated or from a file. Each is one file with its
   table, and one line below. */
#ifndef GOS_MESH_GENERATE_H
#define GOS_MESH_GENERATE_H

#include <math.h>

#include "mesh/grid.h"
#include "mesh/mesh.h"
#include "model/model.h"

/* First member of every type's struct; `cells` and the following are for grids. */
typedef struct gos_mesh_def {
    const gos_node *sets; // additional named sets, NULL: none
    double cells[3], bias[3];
    int order;   // 0: linear, 1: quadratic
    int simplex; // 1: triangles or tetrahedra
} gos_mesh_def;

#define GOS_MESH_SETS                                                                              \
    {                                                                                              \
        .name = "sets", .kind = GOS_K_NODE, .unit = "", .offset = offsetof(gos_mesh_def, sets),    \
        .doc = "additional named sets, {NAME: {of: nodes, plane: {...}}, ...}: see mesh_set"       \
    }

#define GOS_MESH_FULL 6.2831853072 // full turn [rad], with margin for rounding

/* Parameter rows: numbers of cells in n directions, and cell options. */
#define GOS_MESH_CELLS(n, doc_)                                                                    \
    {                                                                                              \
        .name = "cells", .kind = GOS_K_VECTOR, .unit = "", .shape = (n), .lo = 1,                  \
        .hi = GOS_LIMIT_MESH_CELLS, .flags = GOS_P_REQUIRED,                                       \
        .offset = offsetof(gos_mesh_def, cells), .doc = doc_                                       \
    }
#define GOS_MESH_BIAS(n, def_)                                                                     \
    {                                                                                              \
        .name = "bias", .kind = GOS_K_VECTOR, .unit = "-", .shape = (n), .lo = 1e-6, .hi = 1e6,    \
        .def = def_, .offset = offsetof(gos_mesh_def, bias),                                       \
        .doc = "size ratio of the last cell to the first, in each direction; cell sizes "          \
               "form a geometric series"                                                           \
    }
#define GOS_MESH_ORDER                                                                             \
    {                                                                                              \
        .name = "order", .kind = GOS_K_CHOICE, .unit = "", .def = "linear",                        \
        .choices = "linear=1|quadratic=2", .offset = offsetof(gos_mesh_def, order),                \
        .doc = "linear (1): nodes at the corners of cells; quadratic (2): also in the middle of "  \
               "their edges"                                                                       \
    }
#define GOS_MESH_SHAPE(whole, simplex_)                                                            \
    {                                                                                              \
        .name = "shape", .kind = GOS_K_CHOICE, .unit = "", .def = whole,                           \
        .choices = whole "|" simplex_, .offset = offsetof(gos_mesh_def, simplex),                  \
        .doc = "shape of cells"                                                                    \
    }

/* Context of a mesh to be made. */
typedef struct gos_mesh_maker {
    gos_model *model;
    const gos_node *entry;
    const char *object; // "mesh 'disc'"
} gos_mesh_maker;

/* Functions of a type (gos_type.ops). */
typedef struct gos_mesh_ops {
    /* Fill an empty mesh with nodes, cells and their sets, and finish it (gos__mesh_finish); `def`
       is the filled table. */
    gos_status (*make)(const gos_mesh_maker *maker, const void *def, gos_mesh *mesh);
} gos_mesh_ops;

#define GOS_MESH_TYPES(X)                                                                          \
    X(rectangle)                                                                                   \
    X(annulus) X(patch) X(box) X(tube) X(tube_shell) X(frame) X(gmsh) X(deck) X(nastran)

#define X(name) extern const gos_type gos__mesh_##name;
GOS_MESH_TYPES(X)
#undef X

/** Start a grid of cells in n directions from the definition; the type adds positions and names. */
gos_status gos__mesh_grid(const gos_mesh_maker *maker, const gos_mesh_def *def, int n,
                          gos_grid *grid);
/** Make the complete mesh of an entry of `meshes`, with its additional sets. The caller destroys it
 * (gos__mesh_destroy). On failure *mesh is untouched and the error is recorded at its location. */
gos_status gos__mesh_make(gos_model *m, const gos_node *entry, const char *object, gos_mesh **mesh);

#endif
