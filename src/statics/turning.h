/* Steady rotation of a system about an axis: in axes that turn with it positions, slopes and axes
   stand still, and with e = R(t) e^ the equations of motion become M e^'' + 2 M [w] e^' + M [w][w]
   e^ + Q(e^, e^' + [w] e^) + C_q^T lam = F, provided that R turns forces and constraints as it
   turns the coordinates: that is what gos__turning_check looks at. [w] e^ is w x (position - pivot)
   or w x vector. */
#ifndef GOS_TURNING_H
#define GOS_TURNING_H

#include "linalg/sparse.h"
#include "system/system.h"

#define GOS_TURNING_FREE                                                                           \
    3 // motions that may be free: along the axis, about it; along an orbit, of all that falls along
      // it

typedef struct gos_turning {
    gos_ctx *ctx;
    const gos_system *sys;
    double spin[3], pivot[3]; // [rad/s], [m]
    double axis[3];           // unit vector
    double *offset;           // of what turns from q (nv, 3): -pivot for positions, and the
                              // constant part of reduced systems
    int nfree;                // motions that nothing holds
    bool along[GOS_TURNING_FREE];
    double *motion;      // they themselves (nfree, nq)
    double *held;        // M times them (nfree, nq)
    gos_sparse A;        // Newton matrix bordered by them
    gos_pattern pattern; // of A
    double *values; // matrix of floating bodies alone (pattern of the system), NULL: there are none
    gos_solver *solver;
} gos_turning;

/** @return GOS_E_USE for bodies of matrices, which have no axes */
gos_status gos__turning_create(gos_ctx *ctx, const gos_system *sys, const double spin[3],
                               const double pivot[3], gos_turning **turning);
void gos__turning_destroy(gos_turning *t);

/** Spin and pivot of options; false: there is no spin. */
bool gos__turning_given(const gos_options *o, double spin[3], double pivot[3]);

/** v (nq) := rate * [w] e, the velocities of the rotation. */
void gos__turning_rates(const gos_turning *t, double rate, const double *q, double *v);
/** r (nq) += scale * M [w][w] e. */
void gos__turning_add_force(const gos_turning *t, gos_work *w, double scale, const double *q,
                            double *r);
/** Find the motions along and about the axis that neither joints nor springs hold at x: they have
 * no stiffness, and the position there is as good as any. */
gos_status gos__turning_find_free(gos_turning *t, gos_work *w, const gos_point_of *x);
/** r (n + nfree) := solution of the Newton matrix in w->values at q with scale * M [w][w], bordered
 * by the free motions. *column: as of gos__solver_factor. */
gos_status gos__turning_solve(gos_turning *t, gos_work *w, double scale, const double *q, double *r,
                              int *column);

/** Directions in which the equilibrium of the last gos__turning_solve is no minimum of strain
 * energy and centrifugal potential, temperatures held. (turning_stability.c)
 *  @return GOS_E_SINGULAR without a record where the equilibrium is neutral */
gos_status gos__turning_count(const gos_turning *t, gos_work *w, const double *q, int *unstable);

/** B := A W for any A (m, nq) and W of nv equal 3x3 blocks, which are 0 where coordinates do not
 * turn. */
gos_status gos__turning_times(const gos_turning *t, const gos_sparse *A, const double W[9],
                              gos_sparse *B);

/** Does the rotation leave forces, heat and constraints as they are? Each part of the system is
 * evaluated at x and turned on by two angles; times of drives go on with it. (turning_check.c)
 *  @return GOS_E_INPUT naming the part that does not */
gos_status gos__turning_check(const gos_turning *t, gos_work *w, const gos_state *x);

#endif
