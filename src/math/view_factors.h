/* Radiation between patches of surfaces: view factors by rays, and what grey, diffuse patches
 * exchange. */
#ifndef GOS_MATH_VIEW_FACTORS_H
#define GOS_MATH_VIEW_FACTORS_H

#include "math/rays.h"

/* A triangle of a patch. */
typedef struct gos_view_piece {
    int corner[3]; // nodes, counter-clockwise about the normal of its drawn cell
    int cell;      // as the rays know it
    bool back;     // it looks the other way
    int patch;     // whose it is; pieces are in the order of their patches
} gos_view_piece;

/* Patches among triangles. */
typedef struct gos_view {
    const gos_rays *rays;
    const double (*x)[3];
    int n, npiece;
    const gos_view_piece *piece; // (npiece)
    const int (*patch)[2];       // of the front and the back of each cell, -1: surroundings (cells)
    long each;                   // rays of a patch
} gos_view;

/** Areas of the patches (n) and S (n, n), S_ij = A_i F_ij: from `each` rays of a patch, spread
 * evenly over its area and by the cosine over the half space, those that meet patch j first. What
 * meets nothing, or another surface, sees the surroundings. S is then made symmetric, and scaled
 * (S_ij := d_i S_ij d_j) so that its rows are A_i less what goes to the surroundings: reciprocity
 * and sums are exact.
 *  @return GOS_E_MEMORY */
gos_status gos__view_factors(gos_ctx *ctx, const gos_view *v, double *area, double *S);

/** Net exchange of grey, diffuse patches of emissivity e (n) among each other, B (n, n, symmetric),
 * and with surroundings that are black, outside (n): per difference of sigma T^4, all reflections
 * in it [m^2]. @return GOS_E_MEMORY */
gos_status gos__view_exchange(gos_ctx *ctx, int n, const double *area, const double *S,
                              const double *e, double *B, double *outside);

#endif
