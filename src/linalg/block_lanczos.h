/* Block Lanczos for the eigenvalues of a symmetric pencil that lie nearest above a shift. */
#ifndef GOS_BLOCK_LANCZOS_H
#define GOS_BLOCK_LANCZOS_H

#include "linalg/saddle.h"

typedef struct gos_lanczos_def {
    const gos_pencil *pencil;
    gos_saddle *saddle;
    int free;      // order of the pencil on its constraints
    int most;      // vectors that must be able to converge
    size_t memory; // of the basis [bytes]: restarts when it is full
} gos_lanczos_def;

typedef struct gos_lanczos {
    gos_ctx *ctx;
    gos_lanczos_def def;
    int n, cap;        // order, room for vectors besides the next block
    double shift;      // (K - shift M) is what the saddle has factorised
    int m;             // vectors in V whose products are known: T is complete up to here
    int local;         // the next products have no part in vectors before this one
    int got;           // converged: lambda and the first columns of V
    bool far;          // the shift is far too low for the wanted eigenvalues
    double reach;      // estimate (from above) of the last wanted eigenvalue
    double *lambda;    // (cap)
    double *error;     // |A x - theta x| / theta of each, in the norm of M, by the recurrence (cap)
    double *V;         // (n, cap + block), M-orthonormal: vectors, then the next block
    double *MV;        // (n, block): M times the next block
    double *Z;         // (n, sums): sums of V[0, m) with random signs
    double *T;         // (cap + block, cap + block) projected operator
    double *H, *Y, *w; // scratch: (cap + block, block), (cap, cap), (cap)
    double *panel;     // scratch: (n, 8)
    uint64_t seed;     // of random numbers
    int restarts;      // so far
    double t_orthogonal, t_product, t_ritz; // processor time [s]
} gos_lanczos;

#define GOS_LANCZOS_BLOCK 8
#define GOS_LANCZOS_SUMS 4

gos_status gos__lanczos_create(gos_ctx *ctx, const gos_lanczos_def *def, gos_lanczos *l);
/** Also of one that is all zero. */
void gos__lanczos_destroy(gos_lanczos *l);
/** Room for vectors of `most` to converge; what was found stays. Leaves l as it was when memory is
 * short. */
gos_status gos__lanczos_grow(gos_lanczos *l, int most);
/** Go on until the `want` eigenvalues nearest above the shift have converged (got >= want; vectors
 *  beyond the first `exact` only as far as their eigenvalues are to be told apart) or the
 *  shift proves far below them (got = 0, far, reach), which an insisting caller does not mind. The
 *  saddle is factorised at the shift, and no eigenvalue lies below it. What the last call found
 * (got, lambda, V) is kept, and what is orthogonal to it is searched from a fresh random block:
 * that sees GOS_LANCZOS_BLOCK more copies of each multiple eigenvalue, whatever rounding does.
 * Rough vectors spoil others: gos__lanczos_keep() before going on, or set got = 0 to forget all.
 *  @return GOS_E_DIVERGED when restarts do not help. */
gos_status gos__lanczos_run(gos_lanczos *l, double shift, int exact, int want, bool insist);
/** Of what was found, forget the vectors that have not converged to the accuracy of the last one:
 *  got, which is returned; lambda, error and V lose the others. */
int gos__lanczos_keep(gos_lanczos *l);

#endif
