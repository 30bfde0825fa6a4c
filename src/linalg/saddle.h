/* A symmetric pencil (K, M) on the null space of constraints C x = 0, and the saddle-point matrix
   [K + d D + m M, C^T; C, 0] that stands for it without forming the null space. */
#ifndef GOS_SADDLE_H
#define GOS_SADDLE_H

#include "linalg/sparse.h"
#include "linalg/symmetric.h"

typedef struct gos_pencil {
    const gos_sparse *K, *M; // symmetric (n, n), M positive definite where C x = 0
    const gos_sparse *D;     // symmetric damping (n, n), or NULL
    const gos_sparse *C;     // (nc, n), nc may be 0
    int ncomp;               // components of a vector that stand side by side: 3, or 1
} gos_pencil;

typedef struct gos_saddle gos_saddle;
#define GOS_SADDLE_BLOCK 32 // right-hand sides solved together

/** The matrices of the pencil are borrowed. */
gos_status gos__saddle_create(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle);
/** The same with a chosen factorisation, for tests and measurements (NULL: by size). */
gos_status gos__saddle_create_by(gos_ctx *ctx, const gos_pencil *pencil,
                                 const gos_symmetric_way *way, gos_saddle **saddle);
/** The same by MUMPS whatever the size, and pivots that are next to nothing count as vanished. */
gos_status gos__saddle_create_strict(gos_ctx *ctx, const gos_pencil *pencil, gos_saddle **saddle);
void gos__saddle_destroy(gos_saddle *s);
/** Factorise with P = K + d D + m M. @return GOS_E_SINGULAR with a record. */
gos_status gos__saddle_factor(gos_saddle *s, double d, double m);
/** The same, and count *negative eigenvalues of P on the constraints. @return GOS_E_SINGULAR
 * without a record. */
gos_status gos__saddle_try(gos_saddle *s, double d, double m, int *negative);
/** The same with P = K - shift M, and count eigenvalues below the shift. */
gos_status gos__saddle_shift(gos_saddle *s, double shift, int *below);
/** X (n, ncol) := the x of P x + C^T mu = b, C x = 0, for columns b of B; X may be B. */
gos_status gos__saddle_solve(gos_saddle *s, int ncol, const double *B, double *X);
/** The same of X (n + nc, ncol) in place, with multipliers mu of `scale` C behind each x: 0 where
 * constraints were solved for coordinates, which need none. What stands there before must be 0 or
 * next to nothing. */
gos_status gos__saddle_solve_augmented(gos_saddle *s, double scale, int ncol, double *X);
/** The same with C x = c, right-hand sides c (nc, ncol), and b = 0. */
gos_status gos__saddle_impose(gos_saddle *s, int ncol, const double *c, double *X);
/** Put x (n) on the constraints: the nearest vector with C x = 0 in the norm of P. */
gos_status gos__saddle_project(gos_saddle *s, double *x);
/** below is the number of eigenvalues of the constrained pencil below `shift` (inertia). A shift
 *  that happens to make a pivot vanish is moved up by up to a thousandth. What was factorised
 *  before cannot be solved with any more. */
gos_status gos__saddle_count(gos_saddle *s, double shift, int *below);
/** Whether what factorises finds modes too, and its search, as gos__symmetric_find with X (n, known
 * + want): that of the pencil without damping, at the shift that was factorised. */
bool gos__saddle_finds(const gos_saddle *s);
gos_status gos__saddle_find(gos_saddle *s, gos_symmetric_search *q);
/** What the factorisations have cost. */
const gos_symmetric_info *gos__saddle_info(const gos_saddle *s);
/** Largest K_ii / M_ii, the scale of the largest eigenvalue; 0 when K has no positive diagonal. */
double gos__pencil_scale(const gos_pencil *p);
/** Rounding of x^T K x when entries of K are rounded independently, whatever the directions of
 *  the axes (they may be kind to a straight beam along one of them): lengths of vectors stand
 *  for their components. Measured errors are 0.01 to 2 times this. squares (n / ncomp) is
 *  scratch. */
double gos__pencil_rounding(const gos_pencil *p, const double *x, double *squares);

#endif
