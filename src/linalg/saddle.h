/* A symmetric pencil (K, M) on the null space of constraints C x = 0, and the saddle-point matrix
 * [K + d D + m M, C^T; C, 0], which avoids forming that null space. */
#ifndef GOS_SADDLE_H
#define GOS_SADDLE_H

#include "linalg/sparse.h"
#include "linalg/symmetric.h"

typedef struct gos_pencil {
    const gos_sparse *K, *M; // symmetric (n, n), M positive definite where C x = 0
    const gos_sparse *D;     // symmetric damping (n, n), or NULL
    const gos_sparse *C;     // (nc, n), nc may be 0
    int ncomp;               // consecutive components of a vector: 3, or 1
} gos_pencil;

typedef struct gos_saddle gos_saddle;
#define GOS_SADDLE_BLOCK 32 // right-hand sides solved together

/** Borrows the matrices of the pencil. */
gos_status gos__saddle_create(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle);
/** The same with a given factorisation, for tests and measurements (NULL: by size). */
gos_status gos__saddle_create_by(gos_ctx *ctx, const gos_pencil *pencil,
                                 const gos_symmetric_way *way, gos_saddle **saddle);
/** The same, always by MUMPS; nearly vanishing pivots count as zero. */
gos_status gos__saddle_create_strict(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle);
void gos__saddle_destroy(gos_saddle *s);
/** Factorises with P = K + d D + m M. @return GOS_E_SINGULAR with a record. */
gos_status gos__saddle_factor(gos_saddle *s, double d, double m);
/** Also counts *negative eigenvalues of P on the constraints. @return GOS_E_SINGULAR without a
 * record. */
gos_status gos__saddle_try(gos_saddle *s, double d, double m, int *negative);
/** Factorises with P = K - shift M; *below: number of eigenvalues below the shift. */
gos_status gos__saddle_shift(gos_saddle *s, double shift, int *below);
/** X (n, ncol) := the x of P x + C^T mu = b, C x = 0, for columns b of B; X may be B. */
gos_status gos__saddle_solve(gos_saddle *s, int ncol, const double *B, double *X);
/** Solves in place for X (n + nc, ncol), with multipliers mu of `scale` C after each x: 0 where
 * constraints were eliminated. Constraint right-hand sides must be 0 or negligible. */
gos_status gos__saddle_solve_augmented(gos_saddle *s, double scale, int ncol, double *X);
/** Solves with C x = c for right-hand sides c (nc, ncol), and b = 0. */
gos_status gos__saddle_impose(gos_saddle *s, int ncol, const double *c, double *X);
/** Projects x (n) on the constraints: the nearest vector with C x = 0 in the norm of P. */
gos_status gos__saddle_project(gos_saddle *s, double *x);
/** *below: number of eigenvalues of the constrained pencil below `shift` (inertia). A shift that
 * makes a pivot vanish is raised by up to a thousandth. Destroys the factors for solving. */
gos_status gos__saddle_count(gos_saddle *s, double shift, int *below);
/** Can the factorisation find modes? Its search as gos__symmetric_find with X (n, known + want),
 * for the undamped pencil at the factorised shift. */
bool gos__saddle_finds(const gos_saddle *s);
gos_status gos__saddle_find(gos_saddle *s, gos_symmetric_search *q);
const gos_symmetric_info *gos__saddle_info(const gos_saddle *s);
/** Largest K_ii / M_ii, which scales with the largest eigenvalue; 0 if K has no positive
 * diagonal. */
double gos__pencil_scale(const gos_pencil *p);
/** Rounding error of x^T K x for independently rounded entries of K, independent of axis
 * directions: vector lengths replace components. Measured errors are 0.01 to 2 times this. squares
 * (n / ncomp): scratch */
double gos__pencil_rounding(const gos_pencil *p, const double *x, double *squares);

#endif
