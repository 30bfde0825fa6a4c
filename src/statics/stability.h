/* Stability of equilibria: inertia of the stiffness on the constraints. */
#ifndef GOS_STABILITY_H
#define GOS_STABILITY_H

#include "linalg/sparse.h"
#include "system/system.h"

#define GOS_STABILITY_MODES 6 // maximum unstable directions

/* Signs of an equilibrium's tangent. */
typedef struct gos_signs {
    int negative;   // negative pivots beyond those of constraints
    bool symmetric; // false: the symmetric part was counted
    bool odd;       // unsymmetric: determinant of the wrong sign, i.e. divergence
} gos_signs;

/* Lowest directions of an equilibrium. */
typedef struct gos_unstable {
    int n;                              // at most GOS_STABILITY_MODES
    double lambda[GOS_STABILITY_MODES]; // stiffness over mass, ascending [1/s^2]
    double *x;                          // (n, nq), x^T M x = 1
} gos_unstable;

typedef struct gos_stability gos_stability;

gos_status gos__stability_create(gos_ctx *ctx, const gos_system *sys, gos_stability **st);
void gos__stability_destroy(gos_stability *st);
/** Count signs of the static Newton matrix (factors k, lam = 1, perhaps masses) in w->values.
 * `solver` has factorised it and supplies diagonal pivots; NULL: none. */
gos_status gos__stability_count(gos_stability *st, const gos_work *w, const gos_solver *solver,
                                gos_signs *signs);
/** As gos__stability_count for the first matrix of an iteration, if cheap: *unstable for more than
 * `neutral` negative pivots, or a determinant of the wrong sign if unsymmetric. */
gos_status gos__stability_begin(gos_stability *st, const gos_work *w, const gos_solver *solver,
                                int neutral, bool *unstable);
/** The `most` lowest eigenvalues of stiffness over mass at x on the constraints, 0 within rounding.
 * u->x belongs to st until the next call; w->values becomes the static Newton matrix at x. @return
 * as gos__eigen_lowest, without a record */
gos_status gos__stability_directions(gos_stability *st, gos_work *w, const gos_point_of *x,
                                     int most, gos_unstable *u);

#endif
