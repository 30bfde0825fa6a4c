/* The lowest modes of a symmetric pencil on the null space of constraints. */
#ifndef GOS_EIGEN_H
#define GOS_EIGEN_H

#include "linalg/saddle.h"

/** The n lowest eigenvalues of K x = lambda M x on C x = 0, ascending, and vectors X (order, n)
 *  with X^T M X = 1; *found of them, fewer than n only when the pencil has fewer. An eigenvalue
 *  that is zero within the rounding of K is exactly 0 (its direction moves without restoring
 *  force). Up to GOS_EIGEN_DENSE unknowns by LAPACK, else by shifted and inverted Lanczos with a
 *  proof by inertia that none was missed.
 *  @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT (too many modes of a large pencil). */
gos_status gos__eigen_lowest(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                             int *found);
/** The same by a chosen way, for tests. */
gos_status gos__eigen_dense(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                            int *found);
gos_status gos__eigen_lanczos(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                              int *found);

#define GOS_EIGEN_DENSE 200       // unknowns: above, Lanczos is faster
#define GOS_EIGEN_DENSE_MOST 1500 // unknowns, when a large part of all modes is wanted: seconds

#endif
