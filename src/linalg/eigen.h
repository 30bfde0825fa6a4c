/* The lowest modes of a symmetric pencil on the null space of constraints. */
#ifndef GOS_EIGEN_H
#define GOS_EIGEN_H

#include "linalg/saddle.h"

typedef struct gos_eigen_info {
    double proof;       // eigenvalues below this were counted; 0: all were found
    int below, counted; // number found below, number counted by inertia
    int cluster;        // further eigenvalues within 1e-6 of the last one, at least
    double shift;       // shift of the factorisation
    double error;       // upper bound of every vector's error in the M-norm, from random sums
    int restarts;       // of Lanczos
    double orthogonal, product, ritz; // processor time [s]
    gos_symmetric_info factors;
} gos_eigen_info;

/** The n lowest eigenvalues (ascending) of K x = lambda M x on C x = 0, with vectors X (order, n),
 * X^T M X = 1; *found < n only if the pencil has fewer. An eigenvalue within the rounding of K is
 * exactly 0 (no restoring force). Up to GOS_EIGEN_DENSE unknowns by LAPACK, otherwise by block
 * Lanczos with proof by inertia.
 * @return GOS_E_SINGULAR, GOS_E_DIVERGED, GOS_E_LIMIT (too many modes of a large pencil). */
gos_status gos__eigen_lowest(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                             int *found);
/** Also returns the proof (for small pencils too) and the residual of each vector (n), an upper
 * bound of its error in the M-norm: |(K - shift M)^-1 (K x - lambda M x)|, from the Lanczos
 * recurrence plus rounding by random sums of all residuals; if these are too large, and in small
 * pencils, by one solve per vector. Both may be NULL; without residuals small pencils are not
 * proved, and info has only their cluster. */
gos_status gos__eigen_find(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                           int *found, gos_eigen_info *info, double *residual);
/** The same with up to `spare` further eigenvalues that equal the last one, in one search, so that
 * the last set is complete; lambda, X and residual have room for them. Small pencils: without. */
gos_status gos__eigen_sets(gos_ctx *ctx, const gos_pencil *p, int n, int spare, double *lambda,
                           double *X, int *found, gos_eigen_info *info, double *residual);
/** For bases: modes of a pencil without eigenvalues <= 0, about shift 0, at which `saddle` must be
 * factorised; nothing is counted. Up to eight copies of an eigenvalue are found; a missing copy
 * makes a basis poorer, not wrong. info->cluster: eigenvalues equal to the last. */
gos_status gos__eigen_about(gos_ctx *ctx, const gos_pencil *p, gos_saddle *saddle, int n,
                            double *lambda, double *X, int *found, gos_eigen_info *info);
/** Largest number of modes for nz free directions. */
int gos__eigen_max_modes(int nz);
/** By a given method, for tests. */
gos_status gos__eigen_dense(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                            int *found);
gos_status gos__eigen_lanczos(gos_ctx *ctx, const gos_pencil *p, int n, double *lambda, double *X,
                              int *found);

#define GOS_EIGEN_CLUSTER 1e-6   // relative distance of eigenvalues counted as equal
#define GOS_EIGEN_DENSE 200      // unknowns above which Lanczos is faster
#define GOS_EIGEN_DENSE_MAX 1500 // limit when many of the modes are wanted; takes seconds

#endif
