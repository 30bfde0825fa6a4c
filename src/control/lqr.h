/* Linear-quadratic regulators and Kalman filters of plants, and the controller that they make
 * together. */
#ifndef GOS_LQR_H
#define GOS_LQR_H

#include "control/plant.h"
#include "control/riccati.h"

/* integral of x^T Q x + 2 x^T N u + u^T R u */
typedef struct gos_weights {
    const double *Q; // (n, n), symmetric, positive semidefinite
    const double *R; // (nu, nu), symmetric, positive definite
    const double *N; // (n, nu), or NULL: 0
} gos_weights;

/** The feedback u = -K x, K (nu, n), that makes the integral least; the least value is x0^T P x0, P
 * (n, n) or NULL.
 *  @return GOS_E_INPUT when R is not positive definite or gos__riccati has no solution */
gos_status gos__lqr(gos_ctx *ctx, const gos_plant *plant, const gos_weights *weights, double *K,
                    double *P, gos_riccati *info);
/** Weights of the plant's outputs, integral of y^T Y y + u^T R u with y = C x + D u: Q = C^T Y C, N
 * = C^T Y D, R := R + D^T Y D. Q (n, n), N (n, nu), R (nu, nu) given and replaced; Y (ny, ny). */
gos_status gos__output_weights(gos_ctx *ctx, const gos_plant *plant, const double *Y, double *Q,
                               double *N, double *R);
/** The gain L (n, ny) of x^' = A x^ + B u + L (y - C x^ - D u) for noise of intensity W (n, n) on
 * the rates of states and V (ny, ny) on the outputs. */
gos_status gos__kalman(gos_ctx *ctx, const gos_plant *plant, const double *W, const double *V,
                       double *L, gos_riccati *info);
/** The controller from y to u: u = -K x^ with the filter's x^, of a model of the plant. */
gos_status gos__lqg(gos_ctx *ctx, const gos_plant *model, const double *K, const double *L,
                    gos_plant *controller);
/** Plant and controller u = controller(y) + r together, from r to y; states are those of the plant,
 * then those of the controller. */
gos_status gos__closed_loop(gos_ctx *ctx, const gos_plant *plant, const gos_plant *controller,
                            gos_plant *closed);

#endif
