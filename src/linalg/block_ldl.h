/* L D L^T of the symmetric part (A + A^T)/2 of a sparse matrix in 3 x 3 blocks, for equations of
 * motion (3-vectors and Lagrange multipliers). The order is computed once and pivots never change,
 * so factors depend on the values alone. */
#ifndef GOS_BLOCK_LDL_H
#define GOS_BLOCK_LDL_H

#include "linalg/solver.h"

/* Row by row, or by the multithreaded supernodal method (super_ldl.h), which is faster if the
 * matrix is large and its supernodes are wide. */
typedef enum gos_ldl_way { GOS_LDL_FASTER, GOS_LDL_ROWS, GOS_LDL_SUPERNODES } gos_ldl_way;

typedef struct gos_block_ldl gos_block_ldl;

/** Analyses the unknowns of group 0 (`group` (n); NULL: all) of a sparse pattern; both are
 * borrowed. The unknowns of a vector (pattern.vectors) form a block and belong to one group.
 * Unknowns without a stored diagonal are constraints, eliminated after all unknowns they are
 * coupled to. */
gos_status gos__block_ldl_create(gos_ctx *ctx, const gos_pattern *pattern,
                                 const unsigned char *group, gos_ldl_way way, gos_block_ldl **ldl);
void gos__block_ldl_destroy(gos_block_ldl *s);
/** Factorises the symmetric part of values (pattern.nnz). @return GOS_E_SINGULAR without a record
 * when a pivot vanishes or growth has cancelled a diagonal entry; *unknown: the unknown concerned,
 * when not NULL (-1: none). The usual cause is a redundant constraint. */
gos_status gos__block_ldl_factor(gos_block_ldl *s, const double *values, int *unknown);
/** Number of negative eigenvalues of the symmetric part (Sylvester). */
int gos__block_ldl_negative(const gos_block_ldl *s);
/** x (n of the pattern) := solution for the unknowns of group 0; others are neither read nor
 * changed. */
void gos__block_ldl_solve(gos_block_ldl *s, double *x);
long gos__block_ldl_entries(const gos_block_ldl *s);
/** GOS_LDL_ROWS or GOS_LDL_SUPERNODES, as used. */
gos_ldl_way gos__block_ldl_way(const gos_block_ldl *s);

#endif
