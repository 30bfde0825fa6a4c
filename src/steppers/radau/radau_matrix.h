/* Newton matrices of the stages of Radau IIA: the equations of motion with constraints as those of
   velocities,

       M v' + Q(q, v, th) - F + C_q^T lam = 0,   C th' + K th - R + H^T lamT = 0,   C_q v + C_t = 0,
   h(th, t) = 0,

   in which rates of the stages are linear in their positions: with an eigenvalue s of D / h
   (radau_tableau.h)

       P + s R + s^2 M,   P: derivatives by positions, temperatures and multipliers, R: by
   velocities and temperature rates

   of the size and with the unknowns of the system. One is real, two are a conjugate pair. */
#ifndef GOS_RADAU_MATRIX_H
#define GOS_RADAU_MATRIX_H

#include "linalg/complex_solver.h"
#include "steppers/radau/radau_tableau.h"
#include "system/system.h"

typedef struct gos_radau_matrix {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_pattern pattern;
    int *at;      // of each entry of the system's matrix (nnz); NULL: it is the same
    int *turning; // of entries of d(C_q v)/dq in their order
    double *places, *rates, *inertia; // P, R, M (pattern.nnz)
    bool has_inertia;                 // M does not change, and is there
    bool massless;                    // it is none, and constraints are those of positions, in P
    double *real;                     // the matrices (pattern.nnz)
    gos_complex *pair;
    gos_solver *solver;
    gos_complex_solver *pair_solver; // sparse
    int *pivot;                      // dense: `pair` are its factors (n)
} gos_radau_matrix;

/** w: any of the system. Free with gos__radau_matrix_free, also after a failure. */
gos_status gos__radau_matrix_make(gos_ctx *ctx, gos_work *w, gos_radau_matrix *m);
void gos__radau_matrix_free(gos_radau_matrix *m);
/** P, R and M at a place. */
void gos__radau_matrix_assemble(gos_radau_matrix *m, gos_work *w, const gos_point_of *x);
/** Factorise both for a step h. anew: with pivots that nothing before has to do with; *kept: the
 * pivots of both are those of an earlier factorisation. @return GOS_RETRY: singular */
gos_status gos__radau_matrix_factor(gos_radau_matrix *m, const gos_radau_tableau *k, double h,
                                    bool anew, bool *kept);
/** out (n) += (R + s M) dq for dq (nq). */
void gos__radau_matrix_rates(const gos_radau_matrix *m, double s, const double *dq, double *out);
/** x (n) := solution by the pair, for the eigenvalue with the positive imaginary part. */
gos_status gos__radau_matrix_solve_pair(gos_radau_matrix *m, gos_complex *x);

#endif
