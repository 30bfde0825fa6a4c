/* Direct solvers for the square systems of Newton's method, behind one table. A matrix has a
   pattern that is analysed once; its values are factorised again and again. */
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
    int vectors; // the first 3 * vectors unknowns are components of vectors, which orders keep
                 // together
    const unsigned char *group; // (n) dense: unknowns of group 1 are solved first, without what
                                // group 0 does to them: a block-triangular approximation for
                                // iterations that correct it. NULL: the whole matrix
} gos_pattern;

typedef struct gos_solver gos_solver;

/** Analyse a pattern (borrowed). Sparse: KLU (block triangular form, COLAMD); dense: LAPACK. */
gos_status gos__solver_create(gos_ctx *ctx, const gos_pattern *pattern, gos_solver **solver);
void gos__solver_destroy(gos_solver *s);
/** Factorise values (nnz). GOS_E_SINGULAR without a record when a pivot vanishes (*column tells
 *  which, when not NULL). Re-uses pivots of the last factorisation while they are good. */
gos_status gos__solver_factor(gos_solver *s, const double *values, int *column);
/** True when the last factorisation kept the pivots of an earlier one: it is repeated to the last
 * bit by factorising that earlier matrix anew and then the last one. */
bool gos__solver_kept_pivots(const gos_solver *s);
/** Entries of the factors. */
long gos__solver_entries(const gos_solver *s);
/** How many of the unknowns `of` (n) have a negative pivot in the last factorisation. False when
 * that says nothing: pivots have left the diagonal, or the matrix was not factorised without
 * exchanging rows. True of a symmetric matrix, or a symmetric diagonal block of a block-triangular
 * one: they are its negative eigenvalues (Sylvester). */
bool gos__solver_negative(const gos_solver *s, const bool *of, int *negative);
/** Sign of the determinant of the last factorisation; 0: not known. */
int gos__solver_sign(const gos_solver *s);
/** Choose pivots anew at the next factorisation. */
void gos__solver_repivot(gos_solver *s);
/** Make the last factorisation of a dense matrix one that many solutions are asked of: its inverse,
 * after which gos__solver_sign and gos__solver_negative know nothing. Sparse: nothing changes. */
void gos__solver_invert(gos_solver *s);
/** x := A^-1 x in place. */
void gos__solver_solve(gos_solver *s, double *x);
/** x := A^-1 x for `nrhs` columns of length n. */
void gos__solver_solve_many(gos_solver *s, int nrhs, double *x);

/** x := solution, of the n rows that LAPACK's dgetrf has factorised: lu (n, n) by columns that are
 * `lead` apart, pivot (n) counted from 1 (kernel_lu.c). */
void gos__kernel_lu_solve(int n, const double *lu, int lead, const int *pivot, double *x);
/** How far apart columns of n rows are for gos__kernel_times: whole vectors of eight, and no power
 * of 2, which would meet in the cache. */
int gos__kernel_lead(int n);
/** y (n; room for gos__kernel_lead(n)) = A x, of ncol columns that are lead = gos__kernel_lead(n)
 * apart; all of them is read, what is behind the n rows must be there, and y gets it. A and y
 * aligned to 64 bytes. Sums are over columns in their order. */
void gos__kernel_times(int n, int ncol, const double *A, int lead, const double *x, double *y);

#endif
