/* Direct solvers for the square systems of Newton's method. A pattern is analysed once; its values
 * are factorised many times. */
#ifndef GOS_SOLVER_H
#define GOS_SOLVER_H

#include "base/base.h"

/* Storage pattern: compressed sparse columns, or dense column-major (p, i NULL). */
typedef struct gos_pattern {
    int n;
    int nnz; // stored values (dense: n * n)
    int *p;  // column starts (n + 1)
    int *i;  // rows, ascending in a column (nnz)
    bool dense;
    // the first 3 * vectors unknowns are components of vectors, which orderings keep together
    int vectors;
    // (n) dense: group 1 is solved first, neglecting its coupling to group 0, a block-triangular
    // approximation for iterations that correct it. NULL: the whole matrix
    const unsigned char *group;
} gos_pattern;

typedef struct gos_solver gos_solver;

/** Analyses a pattern (borrowed). Sparse: KLU or MUMPS, by L D L^T where the values are symmetric;
 * dense: LAPACK. */
gos_status gos__solver_create(gos_ctx *ctx, const gos_pattern *pattern, gos_solver **solver);
void gos__solver_destroy(gos_solver *s);
/** Factorises values (nnz); reuses the last pivots while they are good. @return GOS_E_SINGULAR
 * without a record when a pivot vanishes (*column: which one, when not NULL). */
gos_status gos__solver_factor(gos_solver *s, const double *values, int *column);
/** Did the last factorisation reuse pivots? To reproduce it exactly, factorise the matrix that
 * chose them, then the last one. */
bool gos__solver_kept_pivots(const gos_solver *s);
long gos__solver_entries(const gos_solver *s);
/** Does a factorisation cost much more than a solution? */
bool gos__solver_is_large(const gos_solver *s);
/** True if the last values were symmetric to rounding and were factorised as L D L^T (large
 * matrices). */
bool gos__solver_is_symmetric(const gos_solver *s);
/** Number of unknowns in `of` (n) with negative pivots in the last factorisation: negative
 * eigenvalues of a symmetric matrix, or of a symmetric diagonal block of a block-triangular one
 * (Sylvester). False if rows were exchanged or no such factors exist; L D L^T requires all
 * unknowns. */
bool gos__solver_negative(const gos_solver *s, const bool *of, int *negative);
/** Sign of the determinant of the last factorisation; 0: unknown. */
int gos__solver_sign(const gos_solver *s);
/** Chooses new pivots at the next factorisation. */
void gos__solver_repivot(gos_solver *s);
/** Replaces the factors of a dense matrix by its inverse, for many solutions; afterwards
 * gos__solver_sign and gos__solver_negative have no result. Sparse: no effect. */
void gos__solver_invert(gos_solver *s);
/** x := A^-1 x in place. */
void gos__solver_solve(gos_solver *s, double *x);
/** x := A^-1 x for `nrhs` columns of length n. */
void gos__solver_solve_columns(gos_solver *s, int nrhs, double *x);

/** x := solution with LAPACK's dgetrf factors of n rows: lu (n, n) with columns `lead` apart, pivot
 * (n) from 1 (kernel_lu.c). */
void gos__kernel_lu_solve(int n, const double *lu, int lead, const int *pivot, double *x);
/** Column distance for gos__kernel_times and n rows: a multiple of eight, but not of a power of 2
 * that causes cache conflicts. */
int gos__kernel_lead(int n);
/** y (gos__kernel_lead(n)) = A x for ncol columns that are lead = gos__kernel_lead(n) apart;
 * padding rows are computed too. A and y are aligned to 64 bytes. Sums are in column order. */
void gos__kernel_times(int n, int ncol, const double *A, int lead, const double *x, double *y);

#endif
