/* Equations of motion in stabilised index-2 form (Gear, Gupta and Leimkuhler), first order in
 * time, and their Newton matrix. */
#ifndef GOS_BDF_MATRIX_H
#define GOS_BDF_MATRIX_H

#include "system/assemble.h"

/* Unknowns y and equations by blocks:
 *     q:    W (q' - v) + C_q^T mu = 0              kinematics with drift correction
 *     v:    M v' + Q(q, v, th) - F + C_q^T lam = 0 motion
 *     th:   C th' + K th - R + H^T lamT = 0        heat
 *     lam:  C_q v + C_t = 0                        velocity constraints
 *     mu:   C(q, t) = 0                            position constraints
 *     lamT: h(th, t) = 0                           temperature constraints
 * W is a diagonal of masses. mu is 0 in the exact solution and of the size of the error in a
 * step. */
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
    int *first;     // position of each entry of the system's matrix; -1: none
    int *second;    // ... second position, or that of derivatives by rates
    int *turning;   // entries of d(C_q v)/dq in their order
    int *kinematic; // diagonals of W in columns q and v (2 nq)
} gos_bdf_matrix;

/** w: any work of the system. Free with gos__bdf_matrix_free, also after a failure. */
gos_status gos__bdf_matrix_make(gos_ctx *ctx, gos_work *w, gos_bdf_matrix *m);
void gos__bdf_matrix_free(gos_bdf_matrix *m);
/** Evaluation point at y, y' (n), with time functions at t. mem: history variables of items and
 * points. */
gos_point_of gos__bdf_point(const gos_bdf_matrix *m, double t, const double *y, const double *yd,
                            const double *mem);
/** r (n) := residual. @return GOS_RETRY: not finite */
gos_status gos__bdf_residual(const gos_bdf_matrix *m, gos_work *w, const gos_point_of *x,
                             const double *y, const double *yd, double *r);
/** m->values := derivatives by y plus by_rate times those by y'. The derivative of C_q^T mu by q is
 * neglected: mu is of the size of errors. */
void gos__bdf_matrix_fill(gos_bdf_matrix *m, gos_work *w, const gos_point_of *x, double by_rate);

#endif
