/* State of a mode search by block Lanczos, and its accuracy checks. */
#ifndef GOS_EIGEN_SEARCH_H
#define GOS_EIGEN_SEARCH_H

#include "linalg/block_lanczos.h"
#include "linalg/eigen.h"

/* multiple of the rounding of x^T K x that counts as zero (8 measured on plates, whose entries are
 * small sums of large terms) */
#define GOS_EIGEN_NOISE 30.0

typedef struct gos_eigen_search {
    gos_ctx *ctx;
    const gos_pencil *p;
    gos_saddle *saddle;
    gos_lanczos lanczos;  // owns lambda and the vectors
    int n, nz;            // order, dimension of the null space
    double top;           // estimate of the largest eigenvalue
    double shift;         // negative
    double min_shift;     // smallest magnitude of the shift
    int exact, requested; // eigenvalues with accurate vectors, eigenvalues wanted
    int capacity;
    int spare, wanted;  // further equal eigenvalues to hand out at most, number handed out
    int got, kept;      // number found, largest number a search started with
    double *lambda, *X; // (most), (n, most): of lanczos
    double *error;      // of the recurrence (most), or NULL
    double *residual;   // (most)
    double *work;       // (n, 3 GOS_SADDLE_BLOCK)
    double *panel;      // (n, 8)
    double *noise;      // rounding of x^T K x of each vector (room), see gos__pencil_rounding
    int room;
    bool each; // check every vector separately
    // saddle is the caller's, factorised at shift 0: the shift stays, and nothing is counted
    bool given;
    gos_eigen_info info;
} gos_eigen_search;

/** Computes s->noise of the current vectors. */
gos_status gos__eigen_roundings(gos_eigen_search *s);
/** Are the first `count` vectors accurate? Sets s->residual (count) and s->info.error. Checks them
 * one by one only if s->each is set or the sums are too large. */
gos_status gos__eigen_check(gos_eigen_search *s, int count, bool *accurate);

#endif
