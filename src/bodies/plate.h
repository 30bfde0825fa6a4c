/* Body type ancf_plate, and what its files share. */
#ifndef GOS_PLATE_H
#define GOS_PLATE_H

#include "bodies/plate_law.h"

extern const gos_type gos__body_plate;

/* A flat rectangle of nx x ny equal elements; node (i, j) has the index (nx + 1) j + i and the vector
   coordinates r, r_x, r_y, 3 index + 0, 1, 2 from the body's first. */
typedef struct gos_plate {
    double corner[3];     // node (0, 0) at t = 0 [m]
    double e[2][3], n[3]; // unit vectors along x and y, normal e_x x e_y, at t = 0 [-]
    double side[2];       // lengths along x and y [m]
    int ne[2];            // elements along x and y
    double h[2];          // sides of an element [m]
    int order;            // Gauss points in each direction
    gos_plate_par par;
} gos_plate;

/** Nodes of element (i, j): (0,0), (a,0), (a,b), (0,b). */
void gos__plate_cell(const gos_plate *p, int i, int j, int node[4]);

/* plate_place.c */
extern const gos_body_ops gos__plate_ops;

/* plate_fields.c */
/** gos_body_ops.fields: products of Legendre polynomials along both sides. */
gos_status gos__plate_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                             int npoints, gos_body_fields *f);

#endif
