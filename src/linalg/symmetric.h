/* Factorisation of sparse symmetric, possibly indefinite matrices: KLU and our own LDL^T for small
 * ones, MUMPS for large ones. Solves blocks of right-hand sides; counts negative eigenvalues
 * (inertia). */
#ifndef GOS_SYMMETRIC_H
#define GOS_SYMMETRIC_H

#include "linalg/solver.h"

typedef struct gos_symmetric_def {
    const gos_pattern *pattern; // both triangles, borrowed
    bool lower;                 // MUMPS: lower triangle only, unsorted columns, no nlast
    int ncomp;                  // both triangles: consecutive unknowns per node
    int nlast;                  // trailing unknowns with zero diagonal (constraints)
    bool strict;                // MUMPS: nearly vanishing pivots count as zero
    bool general;               // MUMPS: unsymmetric values; LU without inertia
} gos_symmetric_def;

typedef struct gos_symmetric_info {
    const char *way;                // "KLU", "MUMPS"
    double entries;                 // of the factor, 0: unknown
    double memory;                  // estimated memory of the factorisation [bytes], 0: unknown
    double analysis, factor, solve; // processor time [s]
    int nfactor, nsolve;            // factorisations, right-hand sides
} gos_symmetric_info;

/* Mode search of the pencil of the matrix and a mass matrix. */
typedef struct gos_symmetric_search {
    double shift;           // the matrix is K - shift M; no eigenvalue lies below the shift
    int known, requested;   // number of known vectors, number of further ones
    bool check_shift;       // stop if the shift is much too low
    double *lambda, *error; // (want): |A x - theta x| / theta in the M-norm
    double *X;              // (n, known + want), known ones first
    int found;
    bool shift_too_low; // the shift is much too low and nothing was found
    double reach;       // upper estimate of the last wanted eigenvalue, if far
} gos_symmetric_search;

typedef struct gos_symmetric_way {
    const char *name;
    gos_status (*create)(gos_ctx *ctx, const gos_symmetric_def *def, gos_symmetric_info *info,
                         void **content);
    void (*destroy)(void *content);
    gos_status (*factor)(void *content, const double *values, bool solve, int *negative);
    gos_status (*solve)(void *content, int nrhs, double *x);
    /* NULL without mode search: sets the values of the mass matrix; searches with the last
     * factors. */
    gos_status (*mass)(void *content, const double *values);
    gos_status (*find)(void *content, gos_symmetric_search *q);
} gos_symmetric_way;

extern const gos_symmetric_way gos__symmetric_klu, gos__symmetric_mumps;

/** Sign of the determinant of the last factorisation of unsymmetric values by MUMPS. */
int gos__mumps_sign(const void *content);

#define GOS_SYMMETRIC_LARGE 3000 // unknowns above which MUMPS is faster

typedef struct gos_symmetric gos_symmetric;

/** Analyses with the given method; NULL: chosen by size and the context. */
gos_status gos__symmetric_create(gos_ctx *ctx, const gos_symmetric_def *def,
                                 const gos_symmetric_way *way, gos_symmetric **symmetric);
void gos__symmetric_destroy(gos_symmetric *s);
/** Factorises values (pattern.nnz) to solve, to count *negative eigenvalues (unless NULL), or both.
 * Counting alone may invalidate the factors for solving. @return GOS_E_SINGULAR without a record
 * when a pivot vanishes; GOS_E_NONFINITE, GOS_E_MEMORY. */
gos_status gos__symmetric_factor(gos_symmetric *s, const double *values, bool solve, int *negative);
/** X := A^-1 X in place, nrhs columns. Solves are memory-bound, so joint columns are cheap. */
gos_status gos__symmetric_solve(gos_symmetric *s, int nrhs, double *X);
const gos_symmetric_info *gos__symmetric_info(const gos_symmetric *s);
/** Can it find modes? If so: sets a mass matrix of the same pattern; searches. */
bool gos__symmetric_finds(const gos_symmetric *s);
gos_status gos__symmetric_mass(gos_symmetric *s, const double *values);
gos_status gos__symmetric_find(gos_symmetric *s, gos_symmetric_search *q);

/* Number of negative eigenvalues of a sparse symmetric matrix. */
typedef struct gos_ldl gos_ldl;

/** Analyses a symmetric sparse pattern (borrowed, both triangles). The last `nlast` unknowns are
 * constraints with zero diagonal, each eliminated after all unknowns it is coupled to. */
gos_status gos__ldl_create(gos_ctx *ctx, const gos_pattern *pattern, int nlast, gos_ldl **ldl);
void gos__ldl_destroy(gos_ldl *ldl);
/** *negative: number of negative pivots, equal to that of negative eigenvalues (Sylvester). @return
 * GOS_E_SINGULAR without a record when a pivot vanishes. */
gos_status gos__ldl_negative(gos_ldl *ldl, const double *values, int *negative);

#endif
