/* Radau IIA with three stages (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.5
 * and IV.8): collocation at (4 - sqrt 6)/10, (4 + sqrt 6)/10 and 1, order 5; the last stage is the
 * end of the step. */
#ifndef GOS_RADAU_TABLEAU_H
#define GOS_RADAU_TABLEAU_H

enum { GOS_RADAU_STAGES = 3 };

typedef struct gos_radau_tableau {
    double c[GOS_RADAU_STAGES];
    // y_i - y_0 = h sum A_ij y'_j; the last row has the quadrature weights
    double A[GOS_RADAU_STAGES][GOS_RADAU_STAGES];
    double D[GOS_RADAU_STAGES][GOS_RADAU_STAGES]; // inverse of A: h y'_i = sum D_ij (y_j - y_0)
    // likewise h y'(0) of the polynomial through y_0 and the stages
    double start[GOS_RADAU_STAGES];
    double cubic[GOS_RADAU_STAGES]; // coefficient of its third power
    double gamma, alpha, beta;      // eigenvalues of D: gamma, alpha +- i beta
    /* D T = T [gamma 0 0; 0 alpha beta; 0 -beta alpha], and the inverse of T */
    double T[GOS_RADAU_STAGES][GOS_RADAU_STAGES], T_inverse[GOS_RADAU_STAGES][GOS_RADAU_STAGES];
} gos_radau_tableau;

void gos__radau_tableau(gos_radau_tableau *k);
/** Integrals from 0 to x of the Lagrange polynomials on the stages. */
void gos__radau_integrals(const gos_radau_tableau *k, double x, double integral[GOS_RADAU_STAGES]);
/** Values at x of these polynomials. */
void gos__radau_values(const gos_radau_tableau *k, double x, double value[GOS_RADAU_STAGES]);
/** Values at x of the Lagrange polynomials on the start and the stages, without that of the
 * start. */
void gos__radau_cubics(const gos_radau_tableau *k, double x, double value[GOS_RADAU_STAGES]);
/** Derivatives of these at x. */
void gos__radau_slopes(const gos_radau_tableau *k, double x, double slope[GOS_RADAU_STAGES]);

#endif
