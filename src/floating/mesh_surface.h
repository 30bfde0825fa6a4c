/* Points for heat on surfaces and in volumes. Temperatures are interpolated; outward normals rotate
   with the body. */
#ifndef GOS_MESH_SURFACE_H
#define GOS_MESH_SURFACE_H

#include "fe/beam_section.h"
#include "linalg/sparse.h"
#include "mesh/shapes.h"
#include "parts/builder.h"

/* Surface data, and blocks made so far. */
typedef struct gos_mesh_skin {
    const gos_mesh *mesh;           // in body axes
    int t0;                         // first temperature coordinate
    bool nodal;                     // coordinate t0 + k belongs to a single node
    int *of_node;                   // unreduced temperature index, -1: none (nodes)
    int *of_across;                 // ... of the gradient (nodes)
    const gos_sparse *at, *across;  // not nodal (coordinates, nodes)
    int axes;                       // vector coordinate of the first body axis
    const double (*still)[3];       // axes of a body that keeps its position, else NULL
    double *thickness;              // height of the sides of sheets, else 0 (cells) [m]
    bool *shell;                    // temperature varies through the thickness (cells)
    const gos_fe_profile **profile; // section of beams, else NULL (cells)
    int nmade;
    int (*made)[4]; // index, inside, first block, number of blocks
} gos_mesh_skin;

gos_status gos__mesh_skin_begin(gos_arena *a, gos_mesh_skin *skin);
/** gos_location.surface of a named surface, or (sheets and beams) cell set. Side (1, -1): upper or
 * lower face of shells in a set, or (NULL) of all. 0: none. */
int gos__mesh_skin_find(const gos_mesh_skin *skin, const char *name, int side);
/** Name without ".upper" or ".lower" (may be empty); returns the side, 0: none. */
int gos__mesh_skin_side(const char *text, char *name, size_t size);
/* Incident intensity as a function of the outward normal. */
typedef struct gos_mesh_incidence {
    double (*value)(const void *par, const double n[3]);
    const void *par;
} gos_mesh_incidence;

typedef struct gos_mesh_patch {
    gos_cell_shape shape;
    int cell;   // of a sheet's side: cell of its plane
    int side;   // -1: the cell
    bool beam;  // lateral surface
    bool shell; // through a shell ...
    int face;   // ... face, 0: side
    // both faces of a cell with one temperature
    bool sheet;
    int node[GOS_CELL_NODES];
} gos_mesh_patch;
/** All area: sides of solids, faces of shells, both faces of sheets together, lateral surfaces of
 * beams; not edges of sheets. */
gos_status gos__mesh_skin_each(const gos_mesh_skin *skin, int surface,
                               gos_status (*each)(void *to, const gos_mesh_patch *one), void *to);

/** Over gos_location.surface (0: skin; or inside: volume): add int value N (NULL: 1) to load, pass
 * int N N to `add` (may be NULL); N of unreduced temperatures. */
gos_status gos__mesh_skin_integrate(const gos_mesh_skin *skin, int surface, bool inside,
                                    const gos_mesh_incidence *incidence, double *load,
                                    gos_status (*add)(void *to, int i, int j, double x), void *to);
/** gos_body_ops.surface. */
gos_status gos__mesh_skin_points(gos_builder *b, const gos_body *body, gos_mesh_skin *skin,
                                 const gos_location *p, bool inside, int *first, int *n);
/** gos_body_ops.sees_itself. */
gos_status gos__mesh_skin_sees_itself(gos_ctx *ctx, const gos_mesh_skin *skin,
                                      const gos_location *p, double *part);
/** A point-like section: integrals are sums over points; families T and, for shells, T_z. */
gos_status gos__mesh_skin_section(gos_arena *a, bool shells, const gos_section **section);

#endif
