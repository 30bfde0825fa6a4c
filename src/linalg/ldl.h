/* Counting the negative eigenvalues of a sparse symmetric matrix. */
#ifndef GOS_LDL_H
#define GOS_LDL_H

#include "linalg/solver.h"

typedef struct gos_ldl gos_ldl;

/** Analyse a symmetric sparse pattern (borrowed, both triangles stored). The last `nlast`
 *  unknowns are constraints: each is eliminated after all unknowns that it is coupled to,
 *  because its diagonal is zero before. */
gos_status gos__ldl_create(gos_ctx *ctx, const gos_pattern *pattern, int nlast, gos_ldl **ldl);
void gos__ldl_destroy(gos_ldl *ldl);
/** *negative is the number of negative pivots, by Sylvester's law that of negative eigenvalues.
 *  @return GOS_E_SINGULAR without a record when a pivot vanishes. */
gos_status gos__ldl_negative(gos_ldl *ldl, const double *values, int *negative);

#endif
