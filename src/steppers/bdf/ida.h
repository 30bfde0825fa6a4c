/* Differential-algebraic equations F(t, y, y') = 0 by variable-order, variable-step BDF: a wrapper
 * of IDAS (SUNDIALS), independent of mechanics. */
#ifndef GOS_IDA_H
#define GOS_IDA_H

#include "base/base.h"

#define GOS_IDA_ORDER 5

typedef struct gos_ida gos_ida;

/* The problem. Functions return 0: success, 1: retry with a shorter step, -1: stop. */
typedef struct gos_ida_problem {
    int n, nquad; // unknowns; integrals computed with each step
    void *user;
    int (*residual)(void *user, double t, const double *y, const double *yd, double *r);
    /** Assemble and factorise dF/dy + by_rate dF/dy'. */
    int (*matrix)(void *user, double t, double by_rate, const double *y, const double *yd);
    /** Solve with that matrix, in place. */
    void (*solve)(void *user, double *x);
    /** Norm of an error of y in the current step h; 1 is the allowed error. */
    double (*norm)(void *user, const double *x, double h);
    /** Rates (nquad) of the integrals; called after a step is solved. */
    int (*rates)(void *user, double t, const double *y, const double *yd, double *rate);
} gos_ida_problem;

typedef struct gos_ida_options {
    int max_order;      // at most GOS_IDA_ORDER
    int max_iterations; // of Newton in a step
    double newton;      // allowed Newton error, in the norm
    double max_step;
} gos_ida_options;

typedef enum gos_ida_end {
    GOS_IDA_STEPPED,
    GOS_IDA_INACCURATE, // error too large at any step length
    GOS_IDA_UNSOLVED,   // Newton does not converge, or the matrix is singular
    // a function returned -1 for another reason than steps shortened by errors
    GOS_IDA_STOPPED,
    GOS_IDA_BROKEN // unexpected failure
} gos_ida_end;

/** Problem and options are copied, their user data borrowed. */
gos_status gos__ida_create(gos_ctx *ctx, const gos_ida_problem *problem,
                           const gos_ida_options *options, gos_ida **ida);
void gos__ida_destroy(gos_ida *ida); // NULL is allowed
/** Start or restart at order 1 from consistent values y, y' (n) with a first step of about h;
 * integrals are reset. */
gos_status gos__ida_start(gos_ida *ida, double t, const double *y, const double *yd, double h);
/** One step, not beyond t_end. *t, y, y': its end. Does not allocate. */
gos_ida_end gos__ida_step(gos_ida *ida, double t_end, double *t, double *y, double *yd);
/** Inside the last step: k-th derivative of y (n), and the integrals (nquad). */
void gos__ida_at(gos_ida *ida, double t, int k, double *y);
void gos__ida_integrals(gos_ida *ida, double t, double *integral);
/** Norm of the estimated error of the last step; 1 is the allowed error. */
double gos__ida_error(const gos_ida *ida);
/** Current or next step. */
double gos__ida_h(const gos_ida *ida);
/** Limit the order from the next start on; it cannot be raised again. */
void gos__ida_limit_order(gos_ida *ida, int most);
/** Iterations and failed attempts since creation. */
void gos__ida_counts(const gos_ida *ida, long *iterations, long *failed);

#endif
