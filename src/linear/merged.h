/* All unknowns of a linear model: (A0 + s A1 + s^2 A2) x = B u, y = (Y0 + s Y1) x + Y_u u, x =
   (q, theta, phi, multipliers of C, multipliers of H). */
#ifndef GOS_MERGED_H
#define GOS_MERGED_H

#include "linear/linear.h"

typedef struct gos_merged {
    gos_ctx *ctx;
    int n, nu, ny;
    int at[6];           // first unknown of each kind, and n
    int ncomp;           // adjacent components: 3 (x, y, z) or 1
    gos_pattern pattern; // union of the patterns
    double *A[3];        // values (pattern.nnz)
    gos_sparse B;        // (n, nu)
    gos_sparse Y[2];     // (ny, n)
    const gos_sparse *Y_u;
} gos_merged;

/** The model is borrowed. Constraint rows and multipliers are scaled to the stiffness, thermal
 *  ones to the conduction. */
gos_status gos__merged_create(gos_ctx *ctx, const gos_linear *linear, gos_merged **merged);
void gos__merged_destroy(gos_merged *w);
/** *symmetric: all three matrices are symmetric to 1e-10 of their largest entries. */
gos_status gos__merged_symmetric(const gos_merged *w, bool *symmetric);

#endif
