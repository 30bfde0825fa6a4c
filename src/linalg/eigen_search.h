/* A search for the lowest modes by block Lanczos, and what says how good they are. */
#ifndef GOS_EIGEN_SEARCH_H
#define GOS_EIGEN_SEARCH_H

#include "linalg/block_lanczos.h"
#include "linalg/eigen.h"

/* times the rounding of x^T K x: what counts as zero (8 were measured on plates, whose entries are
   small sums of large ones) */
#define GOS_EIGEN_NOISE 30.0

typedef struct gos_eigen_search {
    gos_ctx *ctx;
    const gos_pencil *p;
    gos_saddle *saddle;
    gos_lanczos lanczos; // lambda and the vectors are there
    int n, nz;           // order, dimension of the null space
    double top;          // about the largest eigenvalue
    double shift;        // negative
    double least;        // the shift must not come nearer to zero than this
    int exact, want;     // eigenvalues looked for, those of them with good vectors
    int most;            // room for them
    int got, kept;       // found; most of them that a search has begun with
    double *lambda, *X;  // (most), (n, most): of lanczos
    double *error;       // of the recurrence (most), or NULL
    double *residual;    // (most)
    double *work;        // (n, 3 GOS_SADDLE_BLOCK)
    double *panel;       // (n, 8)
    double *noise;       // rounding of x^T K x of each vector (room), see gos__pencil_rounding
    int room;
    bool each;  // every vector is to be checked by itself
    bool given; // the saddle is the caller's, factorised at shift 0: it stays there, and nothing is
                // counted
    gos_eigen_info info;
} gos_eigen_search;

/** s->noise of the vectors that are there. */
gos_status gos__eigen_roundings(gos_eigen_search *s);
/** Are the first `count` vectors what they should be? Fills s->residual (count) and s->info.error.
 * One by one only when that is asked for (s->each), or when sums of all are in doubt. */
gos_status gos__eigen_check(gos_eigen_search *s, int count, bool *accurate);

#endif
