/* Quadrilateral shells with shears tied at mid-sides (MITC4; Dvorkin, Bathe, A continuum mechanics
   based four-node shell element, Eng. Comput. 1 (1984)), and drilling rotations tied to the
   membrane's (Hughes, Brezzi, On drilling degrees of freedom, CMAME 72 (1989)). */
#ifndef GOS_FE_SHELL_H
#define GOS_FE_SHELL_H

#include "fe/layup.h"

#define GOS_SHELL_NODES 4
#define GOS_SHELL_FREEDOMS 24
#define GOS_SHELL_ROWS 9 // strains xx, yy, xy; curvatures alike; shears zx, yz; drilling

/* Data of a part; axes 1, 2 in the surface, 3 normal. */
typedef struct gos_shell {
    gos_fe_plate plate;
    double drilling; // drilling stiffness [N/m]
    bool isotropic;  // axis 1 is arbitrary
    int nodes;       // 4, or 3: shell_triangle.h
    gos_cell_shape shape;
} gos_shell;

/* A point of the mid-surface, in lanes. */
typedef struct gos_shell_point {
    double N[GOS_SHELL_NODES];
    _Alignas(64) double B[8 * GOS_SHELL_ROWS * GOS_SHELL_FREEDOMS]; // rows by nodal freedoms
    _Alignas(64) double frame[8 * 9];                   // axes 1, 2 and the normal in rows
    _Alignas(64) double slope[8 * GOS_SHELL_NODES * 2]; // of the shape functions along axes 1 and 2
    _Alignas(64) double curve[8 * 5]; // change of initial curvatures and shears by unit stretch
    _Alignas(64) double area[8];      // per natural coordinates
} gos_shell_point;

/** Rows at natural coordinates. @param axis axis 1, lanes (3); NULL: arbitrary */
void gos__kernel_shell_point(const double *x, const double *director, const double *axis,
                             const double at[2], gos_shell_point *p);
/** Matrices of eight cells. (kernel_shell.c) */
void gos__kernel_shell(const gos_shell *s, const double *x, const double *director,
                       const double *axis, gos_fe_local *local);

#endif
