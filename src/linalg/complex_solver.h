/* Direct solution with complex matrices A(s), many values on one pattern: dynamic stiffness at
   frequencies and expansion points. Transposed systems (not conjugated) come with it. */
#ifndef GOS_COMPLEX_SOLVER_H
#define GOS_COMPLEX_SOLVER_H

#include "linalg/solver.h"

typedef double _Complex gos_complex;

/** re + i im, also where the compiler has no CMPLX. */
static inline gos_complex gos__complex(double re, double im) {
    gos_complex z;
    ((double *)&z)[0] = re;
    ((double *)&z)[1] = im;
    return z;
}

typedef struct gos_complex_solver gos_complex_solver;

/** Analyse a sparse pattern (borrowed): KLU, or LAPACK when most entries are stored. */
gos_status gos__complex_solver_create(gos_ctx *ctx, const gos_pattern *pattern,
                                      gos_complex_solver **solver);
void gos__complex_solver_destroy(gos_complex_solver *s);
/** Factorise values (nnz). @return GOS_E_SINGULAR without a record when the matrix is singular to
 *  working precision. */
gos_status gos__complex_solver_factor(gos_complex_solver *s, const gos_complex *values);
/** X := A^-1 X for nrhs columns of length n; transposed: A^-T. */
void gos__complex_solver_solve(gos_complex_solver *s, bool transposed, int nrhs, gos_complex *X);

#endif
