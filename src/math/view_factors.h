/* Radiation between surface patches: view factors by ray casting, and exchange between grey,
 * diffuse patches. */
#ifndef GOS_MATH_VIEW_FACTORS_H
#define GOS_MATH_VIEW_FACTORS_H

#include "math/rays.h"

typedef struct gos_view_piece {
    int corner[3]; // nodes, counter-clockwise about the normal of its drawn cell
    int cell;      // cell number in the rays
    bool back;     // reversed orientation
    int patch;     // its patch; pieces are ordered by patch
} gos_view_piece;

typedef struct gos_view {
    const gos_rays *rays;
    const double (*x)[3];
    int n, npiece;
    const gos_view_piece *piece; // (npiece)
    const int (*patch)[2];       // patches of front and back of each cell, -1: surroundings (cells)
    long each;                   // rays per patch
} gos_view;

/** Areas of the patches (n) and S (n, n), S_ij = A_i F_ij: the fraction of `each` rays from patch
 * i, uniform over its area and cosine-distributed, that hits patch j first. The others reach the
 * surroundings. S is symmetrised and scaled (S_ij := d_i S_ij d_j) so that row sums are A_i minus
 * the part to the surroundings: reciprocity and sums are exact.
 * @return GOS_E_MEMORY */
gos_status gos__view_factors(gos_ctx *ctx, const gos_view *v, double *area, double *S);

/** Net exchange of grey, diffuse patches of emissivity e (n): B (n, n, symmetric) among each other,
 * outside (n) with black surroundings, per difference of sigma T^4, with all reflections [m^2].
 * @return GOS_E_MEMORY */
gos_status gos__view_exchange(gos_ctx *ctx, int n, const double *area, const double *S,
                              const double *e, double *B, double *outside);

#endif
