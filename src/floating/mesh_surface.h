/* Points by which heat acts on surfaces of bodies of meshes, and in their volume. The temperature
   there is that of the nodes between which they lie; the outward normal, by which a directed flux
   finds the surface, turns with the body. */
#ifndef GOS_MESH_SURFACE_H
#define GOS_MESH_SURFACE_H

#include "fe/profile.h"
#include "linalg/sparse.h"
#include "mesh/shapes.h"
#include "parts/parts.h"

/* What a body tells of itself; blocks that have been made are kept in it. */
typedef struct gos_mesh_skin {
    const gos_mesh *mesh; // places in body axes
    int t0;               // its first temperature coordinate
    bool nodal;           // coordinate t0 + k is a temperature, or gradient, of one node alone
    int *of_node;         // which of each node, before it was reduced, -1: it has none (nodes)
    int *of_across;       // ... and which is its gradient through shells (nodes)
    const gos_sparse *at, *across; // not nodal: both by coordinates (coordinates, nodes)
    int axes;                      // vector coordinate of the first of its three axes
    double *thickness; // of each cell that is a sheet, else 0 (cells): their sides have it [m]
    bool *shell;       // whether the temperature of a cell changes through it (cells)
    const gos_fe_profile **profile; // of each cell that is a beam, else NULL (cells)
    int nmade;                      //
    int (*made)[4];                 // which, inside, first block, number of blocks
} gos_mesh_skin;

/** Make room for blocks and for what cells are. */
gos_status gos__mesh_skin_begin(gos_arena *a, gos_mesh_skin *skin);
/** The number for gos_place.surface of a named surface, or (of sheets and beams) of a set of cells,
 * which means their face or what is around them; with a side (1, -1) of the upper or lower face of
 * the shells in a set of cells, without a name (NULL) of all. 0: there is none. */
int gos__mesh_skin_find(const gos_mesh_skin *skin, const char *name, int side);
/** The name in `text` (size) without an ending ".upper" or ".lower", and the side that this means,
 * 0: it has none. Of "upper" alone the name is empty. */
int gos__mesh_skin_side(const char *text, char *name, size_t size);
/* What comes in by the outward normal n: value(par, n). */
typedef struct gos_mesh_incidence {
    double (*value)(const void *par, const double n[3]);
    const void *par;
} gos_mesh_incidence;

/* A side, or face of a cell. */
typedef struct gos_mesh_patch {
    gos_cell_shape shape;
    int cell;   // on a sheet's side: whose plane it lies in
    int side;   // of that cell, -1: the cell itself
    bool beam;  // a cell that is one: what is around it
    bool shell; // its temperature changes along the normals of a shell ...
    int face;   // ... a face of which it is, 0: a side
    bool sheet; // told by gos__mesh_skin_each: both faces of a cell without temperatures of their
                // own
    int node[GOS_CELL_NODES];
} gos_mesh_patch;
/** Hand to `each` what has an area of that surface: sides of solids, faces of shells, both faces of
 * other sheets at once, and what is around beams; not the edges of sheets. */
gos_status gos__mesh_skin_each(const gos_mesh_skin *skin, int surface,
                               gos_status (*each)(void *to, const gos_mesh_patch *one), void *to);

/** Integrals over what a gos_place.surface names (0: the skin, of shells both faces and of beams
 * all around, or inside: the volume) of the functions N of the temperature coordinates before the
 * body is reduced: add int value N (NULL: value 1) to load, and hand each entry of int N N to `add`
 * (NULL: not). */
gos_status gos__mesh_skin_integrate(const gos_mesh_skin *skin, int surface, bool inside,
                                    const gos_mesh_incidence *incidence, double *load,
                                    gos_status (*add)(void *to, int i, int j, double x), void *to);
/** gos_body_ops.surface of a body with that skin. */
gos_status gos__mesh_skin_points(gos_builder *b, const gos_body *body, gos_mesh_skin *skin,
                                 const gos_place *p, bool inside, int *first, int *n);
/** gos_body_ops.sees_itself of a body with that skin. */
gos_status gos__mesh_skin_sees_itself(gos_ctx *ctx, const gos_mesh_skin *skin, const gos_place *p,
                                      double *part);
/** A section on which heat acts as on one face without extent, so that integrals are those over the
 * points, whose temperature is that of the place; families T, and of bodies with shells T_z, the
 * gradient. */
gos_status gos__mesh_skin_section(gos_arena *a, bool shells, const gos_section **section);

#endif
