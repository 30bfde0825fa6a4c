/* Matrices are column-major, symmetric ones stored in full. */
#ifndef GOS_RICCATI_H
#define GOS_RICCATI_H

#include "base/base.h"

/** A X + X A^T + W = 0 for symmetric W (n, n), or A^T X + X A + W = 0 if `transposed` (Bartels and
 *  Stewart 1972).
 *  @return GOS_E_SINGULAR with a record: two eigenvalues of A sum to 0 */
gos_status gos__lyapunov(gos_ctx *ctx, int n, const double *A, bool transposed, const double *W,
                         double *X);

typedef struct gos_riccati {
    double residual; // |A^T X + X A - X G X + Q| / (|Q| + 2 |A^T X| + |X G X|), Frobenius norms [-]
    double abscissa; // largest real part of the eigenvalues of A - G X, < 0 [1/s]
    double damping;  // their smallest damping ratio [-]
} gos_riccati;

/** Stabilising solution X (n, n) of A^T X + X A - X G X + Q = 0, G and Q symmetric positive
 *  semidefinite, by the ordered Schur form of the Hamiltonian matrix (Laub 1979) with symplectic
 *  balancing and Newton refinement (Kleinman 1968).
 *  @return GOS_E_INPUT with a record if there is none in double precision: an undamped motion that
 *  is uncontrollable, or unobservable in the weight */
gos_status gos__riccati(gos_ctx *ctx, int n, const double *A, const double *G, const double *Q,
                        double *X, gos_riccati *info);

/** re + i im (n) of A, which is unchanged. */
gos_status gos__eigenvalues(gos_ctx *ctx, int n, const double *A, double *re, double *im);

/** A := (A + A^T) / 2. */
void gos__symmetrise(int n, double *A);

#endif
