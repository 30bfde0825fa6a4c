/* Direct solution with complex matrices A(s), many values on one pattern: dynamic stiffness at
   frequencies and expansion points. Transposed systems (not conjugated) come with it. A matrix that
   is as good as dense goes to LAPACK, a small one to KLU, a large one to MUMPS. */
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

typedef struct gos_complex_def {
    const gos_pattern *pattern; // borrowed
    bool symmetric;             // values are: A = A^T (not conjugated)
    int ncomp;                  // unknowns that stand side by side and belong together, 0: 1
    int nlast;                  // unknowns at the end whose diagonal is zero (constraints)
    bool saddle; // what has no diagonal entry is eliminated after what it touches, as by solver.h
} gos_complex_def;

typedef struct gos_complex_way {
    const char *name;
    gos_status (*create)(gos_ctx *ctx, const gos_complex_def *def, void **content);
    void (*destroy)(void *content);
    gos_status (*factor)(void *content, const gos_complex *values);
    gos_status (*solve)(void *content, bool transposed, int nrhs, gos_complex *X);
    void (*repivot)(void *content);    // NULL: pivots are always chosen anew
    bool (*kept)(const void *content); // likewise
    gos_complex (*log_determinant)(const void *content);
} gos_complex_way;

extern const gos_complex_way gos__complex_lapack, gos__complex_klu, gos__complex_mumps;

#define GOS_COMPLEX_LARGE 3000 // unknowns: above, MUMPS is faster

typedef struct gos_complex_solver gos_complex_solver;

/** Analyse a sparse pattern by the way given, NULL: by its size and the work of its factors.
 * @return GOS_E_SINGULAR without a record when the pattern alone is singular. */
gos_status gos__complex_solver_create(gos_ctx *ctx, const gos_complex_def *def,
                                      const gos_complex_way *way, gos_complex_solver **solver);
void gos__complex_solver_destroy(gos_complex_solver *s);
/** The way that was chosen. */
const gos_complex_way *gos__complex_solver_way(const gos_complex_solver *s);
/** Factorise values (nnz). @return GOS_E_SINGULAR without a record when the matrix is singular to
 *  working precision. */
gos_status gos__complex_solver_factor(gos_complex_solver *s, const gos_complex *values);
/** As gos__solver_kept_pivots and gos__solver_repivot. */
bool gos__complex_solver_kept_pivots(const gos_complex_solver *s);
/** False: pivots are chosen anew with every factorisation. */
bool gos__complex_solver_keeps(const gos_complex_solver *s);
void gos__complex_solver_repivot(gos_complex_solver *s);
/** Logarithm of the determinant of the matrix that was factorised last; its imaginary part is right
 * up to multiples of 2 pi. */
gos_complex gos__complex_solver_log_determinant(const gos_complex_solver *s);
/** X := A^-1 X for nrhs columns of length n; transposed: A^-T. @return GOS_E_MEMORY. */
gos_status gos__complex_solver_solve(gos_complex_solver *s, bool transposed, int nrhs,
                                     gos_complex *X);

#endif
