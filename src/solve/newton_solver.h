/* Solver for Newton matrices of a step. Motion is nearly symmetric and heat hardly depends on it
 * within a step, so Newton's iteration may use
 *     [ S  K_qT ]     S: symmetric part of the motion and constraint block,
 *     [ 0  A_T  ]     A_T: heat block, K_qT: coupling of heat to motion.
 * S costs a fraction of the full matrix (linalg/block_ldl.h), which is used if convergence is
 * poor. */
#ifndef GOS_NEWTON_SOLVER_H
#define GOS_NEWTON_SOLVER_H

#include "linalg/solver.h"

typedef struct gos_newton_solver gos_newton_solver;

/** For matrices of a pattern (borrowed). heat (n, borrowed): 1 for heat, 0 for motion and its
 * constraints; NULL: full matrices only, analysed here. Otherwise analysed on demand. */
gos_status gos__newton_solver_create(gos_ctx *ctx, const gos_pattern *pattern,
                                     const unsigned char *heat, gos_newton_solver **solver);
void gos__newton_solver_destroy(gos_newton_solver *s);
/** Factorise values (pattern.nnz), in parts unless `whole` or a part is singular.
 * @return GOS_E_SINGULAR without a message if the full matrix is singular too */
gos_status gos__newton_solver_factor(gos_newton_solver *s, const double *values, bool whole);
/** As gos__newton_solver_factor, only in parts; requires heat. @return GOS_E_SINGULAR without a
 * message if impossible */
gos_status gos__newton_solver_parts(gos_newton_solver *s, const double *values);
bool gos__newton_solver_in_parts(const gos_newton_solver *s);
/** Discard the factors in parts, because continued runs do not have them. */
void gos__newton_solver_forget(gos_newton_solver *s);
bool gos__newton_solver_whole(const gos_newton_solver *s);
/** Do the values (pattern.nnz) last factorised in parts equal the full matrix to rounding, i.e. is
 * motion symmetric and without effect on heat? */
bool gos__newton_solver_complete(gos_newton_solver *s, const double *values);
/** As gos__solver_kept_pivots, if the last two factorisations were both in parts or both full. */
bool gos__newton_solver_kept_pivots(const gos_newton_solver *s);
void gos__newton_solver_repivot(gos_newton_solver *s);
/** Prepare the last factorisation for many solutions, see gos__solver_invert. No effect in
 * parts. */
void gos__newton_solver_invert(gos_newton_solver *s);
void gos__newton_solver_solve(gos_newton_solver *s, double *x);

#endif
