/* Solving with the Newton matrix of a step. Motion is all but symmetric, and heat hardly follows
   from it within a step; so Newton's iteration, which corrects whatever its matrix lacks, may take

       [ S  K_qT ]     S: symmetric part of the rows and columns of motion and its constraints,
       [ 0  A_T  ]     A_T: those of heat, K_qT: what heat does to motion,

   where S costs a fraction of the whole (linalg/block_ldl.h). The whole matrix, as it is, serves
   where that one contracts badly. */
#ifndef GOS_NEWTON_SOLVER_H
#define GOS_NEWTON_SOLVER_H

#include "linalg/solver.h"

typedef struct gos_newton_solver gos_newton_solver;

/** For matrices of a pattern (borrowed). heat (n, borrowed): 1 for the unknowns of heat, 0 for
 * motion and its constraints; NULL: the whole matrix is the only choice, and is analysed here. Else
 * what is needed is analysed when it is. */
gos_status gos__newton_solver_create(gos_ctx *ctx, const gos_pattern *pattern,
                                     const unsigned char *heat, gos_newton_solver **solver);
void gos__newton_solver_destroy(gos_newton_solver *s);
/** Factorise values (pattern.nnz), in parts unless `whole` is asked for or a pivot vanishes in a
 * part.
 *  @return GOS_E_SINGULAR without a record when one vanishes in the whole matrix too */
gos_status gos__newton_solver_factor(gos_newton_solver *s, const double *values, bool whole);
/** The same in parts alone, of a solver with heat. @return GOS_E_SINGULAR without a record where
 * that cannot be done */
gos_status gos__newton_solver_parts(gos_newton_solver *s, const double *values);
/** Is there a factorisation in parts to solve with, which has not been forgotten? */
bool gos__newton_solver_in_parts(const gos_newton_solver *s);
/** Let nothing depend on the last factorisation in parts: what is gone on from later does not have
 * it. */
void gos__newton_solver_forget(gos_newton_solver *s);
/** Is the last factorisation that of the whole matrix? */
bool gos__newton_solver_whole(const gos_newton_solver *s);
/** Was nothing but rounding left out of these values (pattern.nnz), which were factorised last, in
 * parts? So it is where motion is symmetric and does nothing to heat. */
bool gos__newton_solver_complete(gos_newton_solver *s, const double *values);
/** As gos__solver_kept_pivots: then both were factorisations in parts, or both of the whole
 * matrix. */
bool gos__newton_solver_kept_pivots(const gos_newton_solver *s);
/** Choose pivots anew at the next factorisation. */
void gos__newton_solver_repivot(gos_newton_solver *s);
/** Many solutions will be asked of the last factorisation: see gos__solver_invert. Of one in parts
 * nothing changes. */
void gos__newton_solver_invert(gos_newton_solver *s);
/** x := solution of x in place. */
void gos__newton_solver_solve(gos_newton_solver *s, double *x);

#endif
