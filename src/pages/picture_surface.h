/* Surfaces in pictures: filled faces from back to front, and the edges that make a shape
   legible. */
#ifndef GOS_IO_PICTURE_SURFACE_H
#define GOS_IO_PICTURE_SURFACE_H

#include "base/base.h"
#include "gossamer/system.h"
#include "pages/picture_view.h"

/* An edge between two faces, or at a border. */
typedef struct gos_face_edge {
    int node[2];
    int face[2]; // [1] is -1 at a border
} gos_face_edge;

typedef struct gos_faces {
    int n;             // faces
    int *start, *node; // corners of face i: node[start[i]] ... (n + 1)
    bool *outside;     // it is of a closed surface and its normal points out, or ...
    bool *inside;      // ... in: seen from one side alone
    int nedge;
    gos_face_edge *edge;
} gos_faces;

/** The cells of a mesh that have an area, with corners at x (nnodes, 3). More of them than a
 * picture can show are joined. */
gos_status gos__faces_make(gos_arena *a, const gos_mesh_info *mesh, const double *x, gos_faces *s);
/** Draw it with corners at x: coloured by `level` in [0, 1] of each node and with its edges, or
 * (level NULL) edges alone. */
gos_status gos__faces_draw(gos_arena *a, const gos_faces *s, const gos_plot *plot,
                           const gos_view *view, const double *x, const double *level);

#endif
