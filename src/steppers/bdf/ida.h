/* Differential-algebraic equations F(t, y, y') = 0 by variable-order, variable-step BDF: IDAS of
   SUNDIALS behind a table of what it asks for. Nothing here knows mechanics, and nobody else knows
   SUNDIALS. */
#ifndef GOS_IDA_H
#define GOS_IDA_H

#include "base/base.h"

#define GOS_IDA_ORDER 5 // highest there is

typedef struct gos_ida gos_ida;

/* What is solved. Functions of an evaluation return 0, 1: not here, try a shorter step, or -1: it
 * is over. */
typedef struct gos_ida_problem {
    int n, nquad; // unknowns; integrals that are carried along
    void *user;
    int (*residual)(void *user, double t, const double *y, const double *yd, double *r);
    /** Make and factorise dF/dy + by_rate dF/dy'. */
    int (*matrix)(void *user, double t, double by_rate, const double *y, const double *yd);
    /** x := solution of it, in place. */
    void (*solve)(void *user, double *x);
    /** Size of an error of y in the step h that is being tried: 1 is what may be. */
    double (*norm)(void *user, const double *x, double h);
    /** Rates (nquad) of the integrals; asked for once a step has its solution. */
    int (*rates)(void *user, double t, const double *y, const double *yd, double *rate);
} gos_ida_problem;

typedef struct gos_ida_options {
    int max_order;      // at most GOS_IDA_ORDER
    int max_iterations; // of Newton in a step
    double newton;      // what they may leave, of the norm
    double max_step;
} gos_ida_options;

/* How a step has ended. */
typedef enum gos_ida_end {
    GOS_IDA_STEPPED,
    GOS_IDA_INACCURATE, // its error stays too large however short it is
    GOS_IDA_UNSOLVED,   // Newton does not converge, or the matrix is singular
    GOS_IDA_STOPPED,    // a function has returned -1, and not for a step that errors have made too
                        // short
    GOS_IDA_BROKEN      // anything else; not to be expected
} gos_ida_end;

/** Problem and options are copied, their user borrowed. */
gos_status gos__ida_create(gos_ctx *ctx, const gos_ida_problem *problem,
                           const gos_ida_options *options, gos_ida **ida);
void gos__ida_destroy(gos_ida *ida); // NULL is allowed
/** Begin, or begin anew, at order 1 from consistent values y, y' (n) with a first step of about h.
 * Integrals are 0 there. */
gos_status gos__ida_start(gos_ida *ida, double t, const double *y, const double *yd, double h);
/** One step, not beyond t_end. *t, y, y': its end. No allocation. */
gos_ida_end gos__ida_step(gos_ida *ida, double t_end, double *t, double *y, double *yd);
/** Values inside the last step, of their k-th derivative (n), and of the integrals (nquad). */
void gos__ida_at(gos_ida *ida, double t, int k, double *y);
void gos__ida_integrals(gos_ida *ida, double t, double *integral);
/** Size of the estimated error of the last step by the norm of the problem: 1 is what might be. */
double gos__ida_error(const gos_ida *ida);
/** Step being tried, or the next one. */
double gos__ida_h(const gos_ida *ida);
/** Allow no order above `most` from the next start on; it was not lower before. */
void gos__ida_limit_order(gos_ida *ida, int most);
/** Iterations and attempts that failed, since it was created. */
void gos__ida_counts(const gos_ida *ida, long *iterations, long *failed);

#endif
