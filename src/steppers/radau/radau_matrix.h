/* Newton matrices of the stages of Radau IIA for motion with velocity constraints,
 *     M v' + Q(q, v, th) - F + C_q^T lam = 0,   C th' + K th - R + H^T lamT = 0,
 *     C_q v + C_t = 0,   h(th, t) = 0.
 * For an eigenvalue s of D / h (radau_tableau.h; one is real, two are conjugate) the matrix is P +
 * s R + s^2 M, with derivatives P by positions, temperatures and multipliers, and R by velocities
 * and temperature rates. */
#ifndef GOS_RADAU_MATRIX_H
#define GOS_RADAU_MATRIX_H

#include "linalg/complex_solver.h"
#include "steppers/radau/radau_tableau.h"
#include "system/system.h"

typedef struct gos_radau_matrix {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_pattern pattern;
    int *at;      // position of each entry of the system's matrix (nnz); NULL: the same
    int *turning; // of entries of d(C_q v)/dq in their order
    double *places, *rates, *inertia; // P, R, M (pattern.nnz)
    bool has_inertia;                 // M is constant and assembled
    bool massless;                    // no M, position constraints in P
    double *real;                     // the factorised matrices (pattern.nnz)
    gos_complex *pair;
    double unit; // of the multipliers in `pair`
    gos_solver *solver;
    gos_complex_solver *pair_solver; // sparse
    int *pivot;                      // dense: `pair` contains the factors (n)
} gos_radau_matrix;

/** w: any work of the system. Free with gos__radau_matrix_free, also after a failure. */
gos_status gos__radau_matrix_make(gos_ctx *ctx, gos_work *w, gos_radau_matrix *m);
void gos__radau_matrix_free(gos_radau_matrix *m);
/** Assemble P, R and M at a point. */
void gos__radau_matrix_assemble(gos_radau_matrix *m, gos_work *w, const gos_point_of *x);
/** Factorise both matrices for a step h. anew: choose pivots independently of earlier matrices;
 * *kept: both reused earlier pivots. @return GOS_RETRY: singular */
gos_status gos__radau_matrix_factor(gos_radau_matrix *m, const gos_radau_tableau *k, double h,
                                    bool anew, bool *kept);
/** out (n) += (R + s M) dq for dq (nq). */
void gos__radau_matrix_rates(const gos_radau_matrix *m, double s, const double *dq, double *out);
/** Solve x (n) with the pair, for the eigenvalue with positive imaginary part. */
gos_status gos__radau_matrix_solve_pair(gos_radau_matrix *m, gos_complex *x);

#endif
