/* Surfaces in pictures: filled faces, and edges. */
#ifndef GOS_IO_PICTURE_SURFACE_H
#define GOS_IO_PICTURE_SURFACE_H

#include "base/base.h"
#include "gossamer/system.h"
#include "pages/picture_view.h"

typedef struct gos_face_edge {
    int node[2];
    int face[2]; // [1] is -1 at a border
} gos_face_edge;

typedef struct gos_faces {
    int n;
    int *start, *node; // corners of face i: node[start[i]] ... (n + 1)
    bool *outside;     // of a closed surface, normal outwards
    bool *inside;      // of a closed surface, normal inwards
    int nedge;
    gos_face_edge *edge;
} gos_faces;

/** Cells with an area, corners at x (nnodes, 3); merged if too many to draw. */
gos_status gos__faces_make(gos_arena *a, const gos_mesh_info *mesh, const double *x, gos_faces *s);
/** Add the areas projected along the global axes [m^2]. */
void gos__faces_area(const gos_faces *s, const double *x, double area[3]);
/** Corners at x; coloured by `level` in [0, 1] at nodes, with edges; level NULL: only edges. */
gos_status gos__faces_draw(gos_arena *a, const gos_faces *s, const gos_plot *plot,
                           const gos_view *view, const double *x, const double *level);

#endif
