/* The method of Radau IIA with three stages (Hairer and Wanner, Solving Ordinary Differential
   Equations II, IV.5 and IV.8): it collocates at (4 - sqrt 6)/10, (4 + sqrt 6)/10 and 1 of a step,
   has order 5, and the end of a step is its last stage. */
#ifndef GOS_RADAU_TABLEAU_H
#define GOS_RADAU_TABLEAU_H

enum { GOS_RADAU_STAGES = 3 };

typedef struct gos_radau_tableau {
    double c[GOS_RADAU_STAGES]; // places of the stages in a step
    double A[GOS_RADAU_STAGES]
            [GOS_RADAU_STAGES]; // y_i - y_0 = h sum A_ij y'_j; weights of quadrature: the last row
    double D[GOS_RADAU_STAGES][GOS_RADAU_STAGES]; // its inverse: h y'_i = sum D_ij (y_j - y_0)
    double
        start[GOS_RADAU_STAGES]; // h y'(0) of the polynomial through y_0 and the stages, likewise
    double cubic[GOS_RADAU_STAGES]; // its coefficient of the third power
    double gamma, alpha, beta;      // eigenvalues of D: gamma, alpha +- i beta
    /* D T = T [gamma 0 0; 0 alpha beta; 0 -beta alpha], and the inverse of T */
    double T[GOS_RADAU_STAGES][GOS_RADAU_STAGES], T_inverse[GOS_RADAU_STAGES][GOS_RADAU_STAGES];
} gos_radau_tableau;

void gos__radau_tableau(gos_radau_tableau *k);
/** Integrals from 0 to x of the polynomials that are 1 at one stage and 0 at the others. */
void gos__radau_integrals(const gos_radau_tableau *k, double x, double integral[GOS_RADAU_STAGES]);
/** Values at x of these polynomials. */
void gos__radau_values(const gos_radau_tableau *k, double x, double value[GOS_RADAU_STAGES]);
/** Values at x of the polynomials that are 1 at one stage and 0 at the others and at the start of
 * the step. */
void gos__radau_cubics(const gos_radau_tableau *k, double x, double value[GOS_RADAU_STAGES]);
/** Derivatives of these at x. */
void gos__radau_slopes(const gos_radau_tableau *k, double x, double slope[GOS_RADAU_STAGES]);

#endif
