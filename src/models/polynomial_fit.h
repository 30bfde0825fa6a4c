/* Polynomials of at most third degree from values of functions. */
#ifndef GOS_POLYNOMIAL_FIT_H
#define GOS_POLYNOMIAL_FIT_H

#include "base/base.h"

/* y (m) = F(x), x (n) */
typedef struct gos_sampled_function {
    int n, m;
    void (*value)(void *user, const double *x, double *y);
    void *user;
} gos_sampled_function;

/* value x_a x_b x_c in row `row`; variables from 1, 0: the constant 1 */
typedef struct gos_monomial {
    int row, at[3];
    double value;
} gos_monomial;

typedef struct gos_polynomials {
    int n, room;
    gos_monomial *term; // (n)
    bool exact;         // equal to the function at random points, also near x0
} gos_polynomials;

/** Coefficients from values at small integers, which are exact to rounding for polynomials of at
 * most third degree. x0 (n): a point of use. Free with gos__polynomials_free, also after a failure.
 */
gos_status gos__polynomials_fit(gos_ctx *ctx, const gos_sampled_function *f, const double *x0,
                                gos_polynomials *p);
void gos__polynomials_free(gos_ctx *ctx, gos_polynomials *p);

#endif
