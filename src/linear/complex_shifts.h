/* Inverse iteration at complex shifts. */
#ifndef GOS_COMPLEX_SHIFTS_H
#define GOS_COMPLEX_SHIFTS_H

#include "linalg/complex_solver.h"
#include "linear/merged.h"
#include "linear/quadratic.h"

typedef struct gos_complex_shifts {
    gos_linear *own; // model without heat, or NULL
    gos_merged *all; // T(s) = A0 + s A1 + s^2 A2 of displacements, temperatures and multipliers
    gos_complex_solver *solver;
    gos_complex *value; // T(shift) (pattern.nnz)
    gos_complex *z, *r; // (all->n)
} gos_complex_shifts;

/** Analyse T(s). */
gos_status gos__complex_shifts_begin(gos_quadratic *q);
void gos__complex_shifts_free(gos_quadratic *q);
/** Factorise T at a shift; perturbed if it is a root. */
gos_status gos__complex_shifts_factor(gos_quadratic *q, double re, double im);
/** Logarithm of det T(s), imaginary part modulo 2 pi. @return GOS_E_SINGULAR without a message
 *  at a root. */
gos_status gos__complex_shifts_determinant(gos_quadratic *q, double re, double im,
                                           gos_complex *determinant);
/** Two steps of inverse iteration at the factorised shift from a random vector. */
gos_status gos__complex_shifts_seek(gos_quadratic *q, double re, double im, double *dx[2],
                                    double *dtheta[2]);
/** Correction T(shift)^-1 T(s) (x, theta) of an approximate eigenvector (x, theta) of root s;
 *  real and imaginary parts dx[2] (n), dtheta[2] (heat->n; NULL without heat). */
gos_status gos__complex_shifts_correct(gos_quadratic *q, double re, double im, double *const x[2],
                                       double *const theta[2], double *dx[2], double *dtheta[2]);

#endif
