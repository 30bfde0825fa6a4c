/* The lowest modes of a symmetric pencil on the null space of constraints. */
#ifndef GOS_EIGEN_H
#define GOS_EIGEN_H

#include "linalg/saddle.h"

/* How the answer was found, and what proves it */
typedef struct gos_eigen_info {
    double proof;       // eigenvalues below this were counted; 0: they are all there is
    int below, counted; // found below, counted by inertia
    int cluster;        // further eigenvalues next to the last one, at least (1e-6)
    double shift;       // where K was factorised
    double error;       // of each vector in the norm of M, at most: from random sums of all
    int restarts;       // of Lanczos
    double orthogonal, product, ritz; // processor time [s]
    gos_symmetric_info factors;
} gos_eigen_info;

/** The n lowest eigenvalues of K x = lambda M x on C x = 0, ascending, and vectors X (order, n)
 *  with X^T M X = 1; *found of them, fewer than n only when the pencil has fewer. An eigenvalue
 *  that is zero within the rounding of K is exactly 0 (its direction moves without restoring
 *  force). Up to GOS_EIGEN_DENSE unknowns by LAPACK, else by shifted and inverted block Lanczos
 *  with a proof by inertia that none was missed.
 *  @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT (too many modes of a large pencil). */
gos_status gos__eigen_lowest(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                             int *found);
/** The same with the proof (also for small pencils) and the residual of each vector, its error in
 *  the norm of M at most: |(K - shift M)^-1 (K x - lambda M x)| (n). Lanczos knows it from its
 * recurrence, but for rounding; random sums of all residuals tell how much that is, and it is
 * counted for each. Only when they tell of more than is good, and in small pencils, a solve is
 * spent on each. Both may be NULL; without residuals small pencils are not proved, info tells of
 * their cluster only. */
gos_status gos__eigen_find(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                           int *found, gos_eigen_info *info, double *residual);
/** The same of a pencil without eigenvalues at or below 0, for bases: about 0, where the caller has
 * factorised `saddle`, and not counted. A block of eight directions sees up to eight copies of an
 * eigenvalue, and a basis that lacks one is poorer, not wrong. info->cluster tells of equal ones
 * behind the last. */
gos_status gos__eigen_about(gos_ctx *ctx, const gos_pencil *p, gos_saddle *saddle, int n,
                            double *lambda, double *X, int *found, gos_eigen_info *info);
/** Most modes that can be asked for when nz directions are free. */
int gos__eigen_most(int nz);
/** The same by a chosen way, for tests. */
gos_status gos__eigen_dense(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                            int *found);
gos_status gos__eigen_lanczos(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                              int *found);

#define GOS_EIGEN_CLUSTER 1e-6    // relative distance of eigenvalues that belong together
#define GOS_EIGEN_DENSE 200       // unknowns: above, Lanczos is faster
#define GOS_EIGEN_DENSE_MOST 1500 // unknowns, when a large part of all modes is wanted: seconds

#endif
