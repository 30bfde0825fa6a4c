/* Time estimates of dense operations, measured on small matrices. */
#ifndef GOS_DENSE_COST_H
#define GOS_DENSE_COST_H

#include "base/base.h"

/** Time [s] of all eigenvalues and eigenvectors of a general (n, n) matrix; 0 if small. */
double gos__forecast_eigen(gos_ctx *ctx, int n);
/** Time [s] of factorisation and n right-hand sides; 0 if small. */
double gos__forecast_solve(gos_ctx *ctx, int n);

#endif
