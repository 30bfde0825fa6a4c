/* L D L^T of the symmetric part (A + A^T)/2 of a sparse matrix, in blocks of 3 x 3: for the
   matrices of motion, whose unknowns are 3-vectors and the multipliers of constraints. The order is
   found once; values are factorised again and again, always with the same pivots, so that a
   factorisation depends on nothing but its values. */
#ifndef GOS_BLOCK_LDL_H
#define GOS_BLOCK_LDL_H

#include "linalg/solver.h"

#define GOS_LDL_SUPERNODES 3000

typedef struct gos_block_ldl gos_block_ldl;

/** Analyse the part of a sparse pattern (both borrowed) whose unknowns are in group 0 (`group` (n);
 * NULL: all). Unknowns of one vector (pattern.vectors) are a block, and are in one group. Unknowns
 * whose diagonal is not stored are constraints: they are eliminated after all that they touch.
 * supernodes: how many blocks a matrix has at least whose factor is made in dense fronts, by the
 * threads of the context (super_ldl.h); GOS_LDL_SUPERNODES where it is faster. */
gos_status gos__block_ldl_create(gos_ctx *ctx, const gos_pattern *pattern,
                                 const unsigned char *group, int supernodes, gos_block_ldl **ldl);
void gos__block_ldl_destroy(gos_block_ldl *s);
/** Factorise the symmetric part of values (pattern.nnz). @return GOS_E_SINGULAR without a record
 * where a pivot is rounding, or small pivots before have made numbers grow until nothing was left
 * of a diagonal entry; *unknown tells where, when not NULL (-1: nowhere). Constraints that say the
 * same twice are the usual cause. */
gos_status gos__block_ldl_factor(gos_block_ldl *s, const double *values, int *unknown);
/** Negative eigenvalues of the symmetric part, by those of the pivots (Sylvester). */
int gos__block_ldl_negative(const gos_block_ldl *s);
/** x (n of the pattern) := solution in the unknowns of group 0; what else is in x is neither read
 * nor changed. */
void gos__block_ldl_solve(gos_block_ldl *s, double *x);
/** Entries of the factor. */
long gos__block_ldl_entries(const gos_block_ldl *s);

#endif
