/* Points for heat on the surface and in the volume of mesh bodies. Temperatures are interpolated
   from the nodes; outward normals, for directed fluxes, rotate with the body. */
#ifndef GOS_MESH_SURFACE_H
#define GOS_MESH_SURFACE_H

#include "fe/profile.h"
#include "linalg/sparse.h"
#include "mesh/shapes.h"
#include "parts/parts.h"

/* Surface data of a body; also stores the blocks made so far. */
typedef struct gos_mesh_skin {
    const gos_mesh *mesh; // positions in body axes
    int t0;               // first temperature coordinate of the body
    bool nodal;           // coordinate t0 + k is the temperature, or gradient, of a single node
    int *of_node;         // index of each node's temperature before reduction, -1: none (nodes)
    int *of_across;       // ... and of its gradient through shells (nodes)
    const gos_sparse *at, *across; // not nodal: both in terms of coordinates (coordinates, nodes)
    int axes;                      // vector coordinate of the first body axis
    double *thickness;             // of each sheet cell, else 0 (cells): height of its sides [m]
    bool *shell; // whether the temperature of a cell varies through the thickness (cells)
    const gos_fe_profile **profile; // of each beam cell, else NULL (cells)
    int nmade;
    int (*made)[4]; // index, inside, first block, number of blocks
} gos_mesh_skin;

/** Allocate blocks and cell properties. */
gos_status gos__mesh_skin_begin(gos_arena *a, gos_mesh_skin *skin);
/** Index for gos_place.surface of a named surface, or (sheets and beams) of a set of cells, meaning
 * their faces or lateral surface. With side (1, -1): upper or lower face of the shells in a set of
 * cells, or of all shells (name NULL). 0: none. */
int gos__mesh_skin_find(const gos_mesh_skin *skin, const char *name, int side);
/** Copy the name in `text` (size) without an ending ".upper" or ".lower", and return its side, 0:
 * none. For "upper" alone the name is empty. */
int gos__mesh_skin_side(const char *text, char *name, size_t size);
/* Incident intensity as a function of the outward normal n: value(par, n). */
typedef struct gos_mesh_incidence {
    double (*value)(const void *par, const double n[3]);
    const void *par;
} gos_mesh_incidence;

/* A side or face of a cell. */
typedef struct gos_mesh_patch {
    gos_cell_shape shape;
    int cell;   // on a sheet's side: the cell of its plane
    int side;   // side of that cell, -1: the cell itself
    bool beam;  // lateral surface of a beam cell
    bool shell; // temperature varies along the normals of a shell ...
    int face;   // ... whose face this is, 0: a side
    // from gos__mesh_skin_each: both faces of a cell with one temperature through its thickness
    bool sheet;
    int node[GOS_CELL_NODES];
} gos_mesh_patch;
/** Call `each` for all area of that surface: sides of solids, faces of shells, both faces of other
 * sheets together, and lateral surfaces of beams; not edges of sheets. */
gos_status gos__mesh_skin_each(const gos_mesh_skin *skin, int surface,
                               gos_status (*each)(void *to, const gos_mesh_patch *one), void *to);

/** Integrals of the shape functions N of unreduced temperature coordinates over gos_place.surface
 * (0: the skin, with both faces of shells and lateral surfaces of beams; or inside: the volume).
 * Adds int value N (NULL: value 1) to load, and passes each entry of int N N to `add` (NULL: not).
 */
gos_status gos__mesh_skin_integrate(const gos_mesh_skin *skin, int surface, bool inside,
                                    const gos_mesh_incidence *incidence, double *load,
                                    gos_status (*add)(void *to, int i, int j, double x), void *to);
/** gos_body_ops.surface for a body with that skin. */
gos_status gos__mesh_skin_points(gos_builder *b, const gos_body *body, gos_mesh_skin *skin,
                                 const gos_place *p, bool inside, int *first, int *n);
/** gos_body_ops.sees_itself for a body with that skin. */
gos_status gos__mesh_skin_sees_itself(gos_ctx *ctx, const gos_mesh_skin *skin, const gos_place *p,
                                      double *part);
/** A section with a single face of no extent, so integrals are sums over the points, at the
 * location's temperature; families T and, for bodies with shells, T_z, the gradient. */
gos_status gos__mesh_skin_section(gos_arena *a, bool shells, const gos_section **section);

#endif
