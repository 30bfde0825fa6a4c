#ifndef GOS_REDUCE_POLES_H
#define GOS_REDUCE_POLES_H

#include "linear_reduction/pencil.h"

typedef struct gos_poles {
    int n, nu, ny;
    double *re, *im; // poles (n); of a conjugate pair im > 0 comes first
    gos_complex *b;  // input directions, row j (n, nu)
    gos_complex *c;  // output directions (ny, n)
} gos_poles;

/** H(s) = sum c_j b_j^T / (s - p_j) of a dense model, as one first-order system. @return
 *  GOS_E_SINGULAR with a message for singular mass or capacity. */
gos_status gos__poles(gos_ctx *ctx, const gos_linear *small, gos_poles *poles);
void gos__poles_free(gos_ctx *ctx, gos_poles *poles);
/** |c_j| |b_j|. */
double gos__poles_residue(const gos_poles *p, int j);

#endif
