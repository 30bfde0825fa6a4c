/* Quadrature and interpolation on the unit interval. */
#ifndef GOS_GAUSS_H
#define GOS_GAUSS_H

/** Gauss-Legendre points x and weights w on [0, 1], 1 <= n <= 64; exact to degree 2n - 1. */
void gos__gauss(int n, double *x, double *w);
/** Legendre polynomials P_0 .. P_n at u in [-1, 1] and, where d is not NULL, their derivatives. */
void gos__legendre(int n, double u, double *P, double *d);

/** Cubic Hermite functions of an element of length h at xi in [0, 1] for (r1, r1', r2, r2'): values
 * s, first and second derivatives by x = xi h (any NULL; theory 1.1). */
void gos__hermite_shapes(double h, double xi, double *s, double *ds, double *dds);

/** Quadratic functions N of an element of length h with nodes at xi = 0, 1/2, 1, and their
 * derivatives by x = xi h (theory 2.7). */
void gos__lagrange3(double h, double xi, double N[3], double dN[3]);

#endif
