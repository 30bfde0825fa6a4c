/* Factorisations of sparse symmetric matrices, indefinite ones among them, behind one table: a
   small matrix goes to KLU and our own LDL^T, a large one to MUMPS. They solve for blocks of
   right-hand sides, and count the negative eigenvalues (inertia). */
#ifndef GOS_SYMMETRIC_H
#define GOS_SYMMETRIC_H

#include "linalg/solver.h"

typedef struct gos_symmetric_def {
    const gos_pattern *pattern; // both triangles, borrowed
    bool lower;   // MUMPS: the lower triangle alone, rows of a column in any order, and no nlast
    int ncomp;    // both triangles: unknowns that stand side by side and belong together
    int nlast;    // unknowns at the end whose diagonal is zero (constraints)
    bool strict;  // MUMPS: pivots that are next to nothing count as vanished
    bool general; // MUMPS: the values are not symmetric: LU, no inertia
} gos_symmetric_def;

/* what it cost so far */
typedef struct gos_symmetric_info {
    const char *way;                // "KLU", "MUMPS"
    double entries;                 // of the factor, 0 when not known
    double memory;                  // estimate of what the factorisation needs [bytes], 0: unknown
    double analysis, factor, solve; // processor time [s]
    int nfactor, nsolve;            // factorisations, right-hand sides
} gos_symmetric_info;

/* a search for modes of the pencil of the matrix and a mass matrix */
typedef struct gos_symmetric_search {
    double shift;           // the matrix is K - shift M, and none lies below the shift
    int known, want;        // vectors that are known already, and how many others are wanted
    bool look;              // whether the shift is far too low, which ends the search
    double *lambda, *error; // (want): error as |A x - theta x| / theta in the norm of M
    double *X;              // (n, known + want): the known ones first
    int found;
    bool far;     // the shift is far too low: nothing was found, but ...
    double reach; // ... an estimate (from above) of the last wanted eigenvalue
} gos_symmetric_search;

typedef struct gos_symmetric_way {
    const char *name;
    gos_status (*create)(gos_ctx *ctx, const gos_symmetric_def *def, gos_symmetric_info *info,
                         void **content);
    void (*destroy)(void *content);
    gos_status (*factor)(void *content, const double *values, bool solve, int *negative);
    gos_status (*solve)(void *content, int nrhs, double *x);
    /* where modes are found too, else NULL: values of the mass matrix, and the search with what was
     * factorised last */
    gos_status (*mass)(void *content, const double *values);
    gos_status (*find)(void *content, gos_symmetric_search *q);
} gos_symmetric_way;

extern const gos_symmetric_way gos__symmetric_klu, gos__symmetric_mumps;

/** Sign of the determinant of the last factorisation by MUMPS of values that are not symmetric. */
int gos__mumps_sign(const void *content);

#define GOS_SYMMETRIC_LARGE 3000 // unknowns: above, MUMPS is faster

typedef struct gos_symmetric gos_symmetric;

/** Choose a way by the size and what the context asks for, or take the one given (not NULL), and
 * analyse. */
gos_status gos__symmetric_create(gos_ctx *ctx, const gos_symmetric_def *def,
                                 const gos_symmetric_way *way, gos_symmetric **symmetric);
void gos__symmetric_destroy(gos_symmetric *s);
/** Factorise values (pattern.nnz): to solve, to count *negative eigenvalues (NULL: do not), or
 *  both. A factorisation to count may make the last one useless for solving.
 *  @return GOS_E_SINGULAR without a record when a pivot vanishes; GOS_E_NONFINITE, GOS_E_MEMORY. */
gos_status gos__symmetric_factor(gos_symmetric *s, const double *values, bool solve, int *negative);
/** X := A^-1 X in place, nrhs columns. Solves are bound by the memory: columns are cheap when they
 *  come together. */
gos_status gos__symmetric_solve(gos_symmetric *s, int nrhs, double *X);
const gos_symmetric_info *gos__symmetric_info(const gos_symmetric *s);
/** Whether it finds modes; if so: a mass matrix with the same pattern, and a search. */
bool gos__symmetric_finds(const gos_symmetric *s);
gos_status gos__symmetric_mass(gos_symmetric *s, const double *values);
gos_status gos__symmetric_find(gos_symmetric *s, gos_symmetric_search *q);

#endif
