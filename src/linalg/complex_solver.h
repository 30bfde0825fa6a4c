/* Direct solution with complex matrices A(s) on one pattern, and their transposes (not
 * conjugated): dynamic stiffness at many frequencies. LAPACK for nearly dense matrices, KLU for
 * small ones, MUMPS for large ones. */
#ifndef GOS_COMPLEX_SOLVER_H
#define GOS_COMPLEX_SOLVER_H

#include "linalg/solver.h"

typedef double _Complex gos_complex;

/** re + i im, also for compilers without CMPLX. */
static inline gos_complex gos__complex(double re, double im) {
    gos_complex z;
    ((double *)&z)[0] = re;
    ((double *)&z)[1] = im;
    return z;
}

typedef struct gos_complex_def {
    const gos_pattern *pattern; // borrowed
    bool symmetric;             // A = A^T (not conjugated)
    int ncomp;                  // consecutive unknowns per node, 0: 1
    int nlast;                  // trailing unknowns with zero diagonal (constraints)
    // unknowns without diagonal entry are eliminated after those they are coupled to (solver.h)
    bool saddle;
} gos_complex_def;

typedef struct gos_complex_way {
    const char *name;
    gos_status (*create)(gos_ctx *ctx, const gos_complex_def *def, void **content);
    void (*destroy)(void *content);
    gos_status (*factor)(void *content, const gos_complex *values);
    gos_status (*solve)(void *content, bool transposed, int nrhs, gos_complex *X);
    void (*repivot)(void *content);    // NULL: pivots are chosen every time
    bool (*kept)(const void *content); // likewise
    gos_complex (*log_determinant)(const void *content);
} gos_complex_way;

extern const gos_complex_way gos__complex_lapack, gos__complex_klu, gos__complex_mumps;

#define GOS_COMPLEX_LARGE 3000 // unknowns above which MUMPS is faster

typedef struct gos_complex_solver gos_complex_solver;

/** Analyses a sparse pattern by the given method (NULL: chosen by size and fill). @return
 * GOS_E_SINGULAR without a record when the pattern is structurally singular. */
gos_status gos__complex_solver_create(gos_ctx *ctx, const gos_complex_def *def,
                                      const gos_complex_way *way, gos_complex_solver **solver);
void gos__complex_solver_destroy(gos_complex_solver *s);
const gos_complex_way *gos__complex_solver_way(const gos_complex_solver *s);
/** Factorises values (nnz). @return GOS_E_SINGULAR without a record when the matrix is singular to
 * working precision. */
gos_status gos__complex_solver_factor(gos_complex_solver *s, const gos_complex *values);
/** Same as gos__solver_kept_pivots and gos__solver_repivot. */
bool gos__complex_solver_kept_pivots(const gos_complex_solver *s);
/** Can the method reuse pivots? */
bool gos__complex_solver_keeps(const gos_complex_solver *s);
void gos__complex_solver_repivot(gos_complex_solver *s);
/** Logarithm of the determinant of the last factorised matrix; imaginary part modulo 2 pi. */
gos_complex gos__complex_solver_log_determinant(const gos_complex_solver *s);
/** X := A^-1 X, or A^-T X if transposed, for nrhs columns of length n. @return GOS_E_MEMORY. */
gos_status gos__complex_solver_solve(gos_complex_solver *s, bool transposed, int nrhs,
                                     gos_complex *X);

#endif
