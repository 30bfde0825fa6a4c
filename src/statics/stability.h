/* Is an equilibrium stable: the signs of its stiffness on what constraints allow. */
#ifndef GOS_STABILITY_H
#define GOS_STABILITY_H

#include "linalg/sparse.h"
#include "system/system.h"

#define GOS_STABILITY_MODES 6 // unstable directions that are looked at

/* What the tangent of an equilibrium says. */
typedef struct gos_signs {
    int negative;   // negative pivots beyond those of the constraints: directions that lower the
                    // energy
    bool symmetric; // the tangent is; else it is its symmetric part that was counted
    bool odd;       // not symmetric: its determinant has the wrong sign, so that it diverges
} gos_signs;

/* The lowest directions of an equilibrium. */
typedef struct gos_unstable {
    int n;                              // at most GOS_STABILITY_MODES
    double lambda[GOS_STABILITY_MODES]; // their stiffness over mass, ascending [1/s^2]
    double *x;                          // (n, nq), x^T M x = 1
} gos_unstable;

typedef struct gos_stability gos_stability;

gos_status gos__stability_create(gos_ctx *ctx, const gos_system *sys, gos_stability **st);
void gos__stability_destroy(gos_stability *st);
/** Signs of the Newton matrix of statics (factors k, lam = 1, perhaps with masses) in w->values.
 * `solver` has just factorised it, and its pivots are used where they have kept to the diagonal;
 * NULL: not. */
gos_status gos__stability_count(gos_stability *st, const gos_work *w, const gos_solver *solver,
                                gos_signs *signs);
/** The same of the first matrix of an iteration, where it is cheap: *unstable when more than
 * `neutral` pivots are negative, or the determinant of an unsymmetric one has the wrong sign. */
gos_status gos__stability_begin(gos_stability *st, const gos_work *w, const gos_solver *solver,
                                int neutral, bool *unstable);
/** The `most` lowest eigenvalues of the stiffness at x over the mass, on the constraints; those
 * that are zero within the rounding of the stiffness are 0. u->x belongs to st and lives until the
 * next call; w->values becomes the Newton matrix of statics at x.
 *  @return as gos__eigen_lowest, but without a record */
gos_status gos__stability_directions(gos_stability *st, gos_work *w, const gos_point_of *x,
                                     int most, gos_unstable *u);

#endif
