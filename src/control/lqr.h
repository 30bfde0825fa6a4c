/* Linear-quadratic regulators, Kalman filters, LQG. */
#ifndef GOS_LQR_H
#define GOS_LQR_H

#include "control/plant.h"
#include "control/riccati.h"

/* cost: integral of x^T Q x + 2 x^T N u + u^T R u */
typedef struct gos_weights {
    const double *Q; // (n, n), symmetric, positive semidefinite
    const double *R; // (nu, nu), symmetric, positive definite
    const double *N; // (n, nu), or NULL: 0
} gos_weights;

/** u = -K x, K (nu, n), of minimal cost x0^T P x0; P (n, n) or NULL.
 *  @return GOS_E_INPUT if R is not positive definite or gos__riccati has no solution */
gos_status gos__lqr(gos_ctx *ctx, const gos_plant *plant, const gos_weights *weights, double *K,
                    double *P, gos_riccati *info);
/** Output weights y^T Y y + u^T R u with y = C x + D u as state weights: Q = C^T Y C, N = C^T Y D,
 *  R := R + D^T Y D. Q (n, n), N (n, nu), R (nu, nu) in and out; Y (ny, ny). */
gos_status gos__output_weights(gos_ctx *ctx, const gos_plant *plant, const double *Y, double *Q,
                               double *N, double *R);
/** L (n, ny) of x^' = A x^ + B u + L (y - C x^ - D u) for noise intensities W (n, n) of the state
 *  rates, V (ny, ny) of the outputs. */
gos_status gos__kalman(gos_ctx *ctx, const gos_plant *plant, const double *W, const double *V,
                       double *L, gos_riccati *info);
/** From y to u = -K x^. */
gos_status gos__lqg(gos_ctx *ctx, const gos_plant *model, const double *K, const double *L,
                    gos_plant *controller);
/** u = controller(y) + r, from r to y; plant states, then controller states. */
gos_status gos__closed_loop(gos_ctx *ctx, const gos_plant *plant, const gos_plant *controller,
                            gos_plant *closed);

#endif
