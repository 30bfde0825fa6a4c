/* Complex sparse systems: one pattern, analysed once, factorised again and again. */
#ifndef GOS_ZSOLVER_H
#define GOS_ZSOLVER_H

#include "linalg/solver.h"

typedef struct gos_zsolver gos_zsolver;

/** Analyse a sparse pattern (borrowed). */
gos_status gos__zsolver_create(gos_ctx *ctx, const gos_pattern *pattern, gos_zsolver **solver);
void gos__zsolver_destroy(gos_zsolver *s);
/** Factorise values (nnz, 2: real and imaginary part). GOS_E_SINGULAR without a record when a pivot
 *  vanishes, or all but does. Pivots of the last factorisation are kept while they are good. */
gos_status gos__zsolver_factor(gos_zsolver *s, const double *values);
/** x := A^-1 x for nrhs columns (n, 2). */
void gos__zsolver_solve(gos_zsolver *s, int nrhs, double *x);

#endif
