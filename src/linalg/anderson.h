/* Anderson acceleration of a fixed-point iteration x := x + f(x), such as Newton's method with an
 * old factorisation (D. G. Anderson, J. ACM 12, 1965; H. F. Walker and P. Ni, SIAM J. Numer. Anal.
 * 49, 2011). On a linear problem it minimises as GMRES does. */
#ifndef GOS_ANDERSON_H
#define GOS_ANDERSON_H

#include "base/base.h"

typedef struct gos_anderson gos_anderson;

/** For n unknowns and up to `depth` past steps; weight (n, borrowed): of each unknown in the norm
 * that is minimised. */
gos_status gos__anderson_create(gos_ctx *ctx, int n, int depth, const double *weight,
                                gos_anderson **anderson);
void gos__anderson_destroy(gos_anderson *a);
/** Discards past steps: f is another function from now on. */
void gos__anderson_reset(gos_anderson *a);
/** Replaces f(x) (n) by the accelerated step from x, which the caller takes. */
void gos__anderson_step(gos_anderson *a, double *f);

#endif
