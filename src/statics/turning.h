/* Steady rotation about an axis. In rotating axes, e = R(t) e^, positions, slopes and axes are
   constant, and M e^'' + 2 M [w] e^' + M [w][w] e^ + Q(e^, e^' + [w] e^) + C_q^T lam = F, if forces
   and constraints rotate with the coordinates (gos__rotating_check). [w] e^ is w x (position -
   pivot) or w x vector. */
#ifndef GOS_TURNING_H
#define GOS_TURNING_H

#include "linalg/sparse.h"
#include "system/system.h"

// possible free motions: along and about the axis; along an orbit
#define GOS_TURNING_FREE 3

typedef struct gos_rotating {
    gos_ctx *ctx;
    const gos_system *sys;
    double spin[3], pivot[3]; // [rad/s], [m]
    double axis[3];           // unit vector
    // added to q for rotation (nv, 3): -pivot for positions, constant part of reduced systems
    double *offset;
    int nfree; // number of free motions
    bool along[GOS_TURNING_FREE];
    double *motion;      // free motions (nfree, nq)
    double *held;        // M times free motions (nfree, nq)
    gos_sparse A;        // bordered Newton matrix
    gos_pattern pattern; // of A
    double *values;      // matrix of floating bodies (system pattern), NULL without
    gos_solver *solver;
} gos_rotating;

/** @return GOS_E_USE for matrix bodies, which have no axes */
gos_status gos__rotating_create(gos_ctx *ctx, const gos_system *sys, const double spin[3],
                                const double pivot[3], gos_rotating **turning);
void gos__rotating_destroy(gos_rotating *t);

/** Spin and pivot of options; false without spin. */
bool gos__rotating_given(const gos_options *o, double spin[3], double pivot[3]);

/** v (nq) := rate * [w] e. */
void gos__rotating_rates(const gos_rotating *t, double rate, const double *q, double *v);
/** r (nq) += scale * M [w][w] e. */
void gos__rotating_add_force(const gos_rotating *t, gos_work *w, double scale, const double *q,
                             double *r);
/** Find motions along and about the axis that joints and springs leave free at x. */
gos_status gos__rotating_find_free(gos_rotating *t, gos_work *w, const gos_point_of *x);
/** r (n + nfree) := solution with the Newton matrix in w->values at q and scale * M [w][w],
 * bordered by free motions. *column: as in gos__solver_factor. */
gos_status gos__rotating_solve(gos_rotating *t, gos_work *w, double scale, const double *q,
                               double *r, int *column);

/** Number of directions in which the equilibrium of the last gos__rotating_solve does not minimise
 * strain energy plus centrifugal potential, at frozen temperatures (turning.c). @return
 * GOS_E_SINGULAR without a record for a neutral equilibrium */
gos_status gos__rotating_count(const gos_rotating *t, gos_work *w, const double *q, int *unstable);

/** B := A W for A (m, nq) and W of nv equal 3x3 blocks, 0 for coordinates that do not rotate. */
gos_status gos__rotating_times(const gos_rotating *t, const gos_sparse *A, const double W[9],
                               gos_sparse *B);

/** Check that forces, heat and constraints are invariant under the rotation: each part at x and
 * rotated by two angles, drives at matching times (turning_check.c). @return GOS_E_INPUT naming a
 * part that is not */
gos_status gos__rotating_check(const gos_rotating *t, gos_work *w, const gos_state *x);

#endif
