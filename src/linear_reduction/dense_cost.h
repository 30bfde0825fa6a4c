/* How long work with dense matrices will take, measured on small ones. */
#ifndef GOS_DENSE_COST_H
#define GOS_DENSE_COST_H

#include "base/base.h"

/** Time [s] of all eigenvalues and eigenvectors of a general matrix (n, n); 0 when that is not
 * worth a measurement. */
double gos__forecast_eigen(gos_ctx *ctx, int n);
/** Time [s] of solving n right-hand sides with a matrix (n, n) anew; 0 likewise. */
double gos__forecast_solve(gos_ctx *ctx, int n);

#endif
