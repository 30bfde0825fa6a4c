/* The equations of motion in their stabilised form of index 2, first order in time, and their
 * Newton matrix. */
#ifndef GOS_BDF_MATRIX_H
#define GOS_BDF_MATRIX_H

#include "constraints/stabilised.h"

/* Unknowns y and equations, block by block:
     q:    W (q' - v) + C_q^T mu = 0              velocities, but for the drift off the constraints
     v:    M v' + Q(q, v, th) - F + C_q^T lam = 0 motion
     th:   C th' + K th - R + H^T lamT = 0        heat
     lam:  C_q v + C_t = 0                        constraints of velocities
     mu:   C(q, t) = 0                            constraints
     lamT: h(th, t) = 0                           constraints of temperatures
   W is a diagonal of masses. Solutions of the exact equations have mu = 0; of those of a step it is
   what remains. */
typedef struct gos_bdf_blocks {
    int q, v, th, lam, mu, lamT, n;
} gos_bdf_blocks;

typedef struct gos_bdf_matrix {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_bdf_blocks at;
    gos_pattern pattern;
    double *values; // (pattern.nnz)
    double *weight; // W (nq) [kg]
    int *first;     // of each entry of the system's matrix: where it goes; -1: nowhere
    int *second;    // ... and where else, or with the derivatives by rates
    int *turning;   // entries of d(C_q v)/dq in their order
    int *kinematic; // the diagonals of W in columns q and v (2 nq)
} gos_bdf_matrix;

/** w: any of the system. Free with gos__bdf_matrix_free, also after a failure. */
gos_status gos__bdf_matrix_make(gos_ctx *ctx, gos_work *w, gos_bdf_matrix *m);
void gos__bdf_matrix_free(gos_bdf_matrix *m);
/** A point of evaluation at y, y' (n); functions of time at t. mem: of items and points. */
gos_point_of gos__bdf_point(const gos_bdf_matrix *m, double t, const double *y, const double *yd,
                            const double *mem);
/** r (n) := the equations. @return GOS_RETRY: not finite */
gos_status gos__bdf_residual(const gos_bdf_matrix *m, gos_work *w, const gos_point_of *x,
                             const double *y, const double *yd, double *r);
/** m->values := their derivatives by y + by_rate times those by y'. That of C_q^T mu by q is left
 * out: mu is of the size of errors. */
void gos__bdf_matrix_fill(gos_bdf_matrix *m, gos_work *w, const gos_point_of *x, double by_rate);

#endif
