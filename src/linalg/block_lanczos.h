/* Block Lanczos for the eigenvalues of a symmetric pencil that lie nearest above a shift. */
#ifndef GOS_BLOCK_LANCZOS_H
#define GOS_BLOCK_LANCZOS_H

#include "linalg/saddle.h"

typedef struct gos_lanczos_def {
    const gos_pencil *pencil;
    gos_saddle *saddle;
    int free;        // order minus number of constraints
    int max_vectors; // largest number of vectors to converge
    size_t memory;   // size limit of the basis [bytes]; restart when full
} gos_lanczos_def;

typedef struct gos_lanczos {
    gos_ctx *ctx;
    gos_lanczos_def def;
    int n, cap;   // order, capacity without the next block
    double shift; // saddle holds the factors of K - shift M
    int m;        // vectors of V in the basis: T is complete for them
    int local;    // the next products have no component along vectors before this one
    int got;      // number converged: lambda and the first columns of V
    bool shift_too_low;
    double reach;      // upper estimate of the last wanted eigenvalue
    double *lambda;    // (cap)
    double *error;     // |A x - theta x| / theta of each in the M-norm, by the recurrence (cap)
    double *V;         // (n, cap + block), M-orthonormal: basis, then the next block
    double *MV;        // (n, block): M times the next block
    double *Z;         // (n, sums): sums of V[0, m) with random signs
    double *T;         // (cap + block, cap + block) projected operator
    double *H, *Y, *w; // scratch: (cap + block, block), (cap, cap), (cap)
    double *panel;     // scratch: (n, 8)
    uint64_t seed;     // of the random numbers
    int restarts;
    double t_orthogonal, t_product, t_ritz; // processor time [s]
} gos_lanczos;

#define GOS_LANCZOS_BLOCK 8
#define GOS_LANCZOS_SUMS 4

gos_status gos__lanczos_create(gos_ctx *ctx, const gos_lanczos_def *def, gos_lanczos *l);
/** l may be all zero. */
void gos__lanczos_destroy(gos_lanczos *l);
/** Enlarges the capacity to `most` converged vectors and keeps those found. When memory is short, l
 * is unchanged. */
gos_status gos__lanczos_grow(gos_lanczos *l, int max_vectors);
/** Iterates until the `want` eigenvalues nearest above the shift have converged (got >= want;
 * vectors beyond the first `exact` loosely), or the shift proves much too low (got = 0, far,
 * reach; never with `insist`). The saddle must be factorised at the shift, with no eigenvalue
 * below. Vectors of the last call (got, lambda, V) are kept; the search continues orthogonal to
 * them from a random block, which finds GOS_LANCZOS_BLOCK more copies of each multiple eigenvalue.
 * First call gos__lanczos_keep(), since loosely converged vectors degrade others, or set got = 0.
 * @return GOS_E_DIVERGED after too many restarts. */
gos_status gos__lanczos_run(gos_lanczos *l, double shift, int exact, int requested, bool insist);
/** Drops vectors that have not converged to the accuracy of the last one; updates and returns
 * got. */
int gos__lanczos_keep(gos_lanczos *l);

#endif
