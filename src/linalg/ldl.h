/* Number of negative eigenvalues of a sparse symmetric matrix. */
#ifndef GOS_LDL_H
#define GOS_LDL_H

#include "linalg/solver.h"

typedef struct gos_ldl gos_ldl;

/** Analyses a symmetric sparse pattern (borrowed, both triangles). The last `nlast` unknowns are
 * constraints with zero diagonal, each eliminated after all unknowns it is coupled to. */
gos_status gos__ldl_create(gos_ctx *ctx, const gos_pattern *pattern, int nlast, gos_ldl **ldl);
void gos__ldl_destroy(gos_ldl *ldl);
/** *negative: number of negative pivots, equal to that of negative eigenvalues (Sylvester). @return
 * GOS_E_SINGULAR without a record when a pivot vanishes. */
gos_status gos__ldl_negative(gos_ldl *ldl, const double *values, int *negative);

#endif
