/* Generalised-alpha integrator: its data and internal functions. */
#ifndef GOS_GENERALISED_ALPHA_H
#define GOS_GENERALISED_ALPHA_H

#include "solve/corotation.h"
#include "solve/probe_error.h"
#include "solve/responses.h"
#include "gossamer/sim.h"
#include "solve/newton_solver.h"
#include "solve/shared_factors.h"
#include "system/system.h"
#include "solve/integrator.h"

typedef struct gos_scheme {
    double am, af, gamma, beta; // motion
    double tm, tf, tg;          // temperatures
    bool steady;                // steady temperatures: no capacity in the heat rows
    double error;               // local error of q is error h^3 q''' (gos__scheme_make)
    // of accelerations normal to constraints: error_a h^2 q'''' (step_error.c)
    double error_a, error_bar;
} gos_scheme;

#define GOS_ALPHA_STEPS 6 // steps stored for Broyden's update

typedef struct gos_alpha {
    GOS_INTEGRATOR;
    gos_scheme k;
    gos_pattern pattern; // that of the system; dense: two groups, motion and heat
    unsigned char *group;
    gos_newton_solver *solver; // solver of the last factorisation: own or shared
    gos_newton_solver *own;
    gos_shared_factors *shared; // matrices of similar runs, NULL: none
    bool took_shared;           // a shared one was used, so the run cannot be stored
    bool tries_parts;           // the symmetric part may replace the matrix
    // likewise for points of reduced bodies in dense matrices
    bool halves;
    bool halved;            // ... and did so in the last own factorisation
    int whole_left;         // factorisations until the symmetric part is tried again
    int whole_next;         // ... after its next failure
    double *r;              // residual and Newton correction (n)
    double *load;           // right-hand side of the last correction (n)
    double *kept;           // v, a, abar, tau at the start of the attempt (3 nq + nt)
    double kept_numbers[3]; // h, heat_in_bar, heat_con_bar there
    bool is_kept;
    double *normal;     // scratch: constraint rates (5 nc)
    double *functions;  // scratch: time functions with derivatives (3 nfn)
    double *steps;      // stored steps of the iteration (GOS_ALPHA_STEPS, n)
    double *steps_mass; // mass matrix times steps (GOS_ALPHA_STEPS, nq)
    double steps_norm2[GOS_ALPHA_STEPS];
    gos_corotation *turned; // rotation of bodies since the factorisation
    gos_responses *answers;
    bool have_factor, stale;
    bool whole;      // the step must not be shortened
    long factors;    // factorisations before the step
    double factor_h; // step of the factorised matrix [s]
    double factor_t; // ... and end time of that step [s]
    // arguments of the factorised matrix, and of the one that chose its pivots
    double *made_at, *pivots_at;
    bool own_pivots; // both are the same
    // first step for which unresolved vibration is below the tolerance; 0: none [s]
    double unresolved;
    double noise; // rounding of temperatures and states in the last step, relative
    gos_error_propagation *probe_errors; // errors of probes, NULL: not requested
} gos_alpha;

/* Derivatives of the end values of a step with respect to the unknowns q1, T1. */
typedef struct gos_chain {
    double a, v, bar, rate, tau;
    double heat; // divisor of heat rows
} gos_chain;
gos_chain gos__chain_of(const gos_scheme *k, double h);

gos_scheme gos__scheme_make(double rho);
/** RMS over the mass of a displacement field (nv, 3), relative to the extent. */
double gos__motion_norm(gos_alpha *g, const double *dq);
/** RMS over the heat capacity of a temperature field (nt), relative to the range so far. */
double gos__heat_norm(gos_alpha *g, const double *dT);
/** Consistent accelerations, rates and multipliers of g->x at time t, and their derivatives; drops
 * factors and algorithmic accelerations (alpha_step.c). */
gos_status gos__alpha_start(gos_alpha *g, double t);
/** As gos__alpha_start, but restarts temperatures only. */
gos_status gos__alpha_heat(gos_alpha *g, double t);
/** Apply jumps of accelerations and temperature rates at the time of g->x. h: next step. drives:
 * they switch. allowed: effect of constraint rates on a step, relative to the extent;
 * allowed_rate: error of positions and temperatures per unit time [1/s]. *anew: the motion must
 * restart (alpha_discontinuity.c). */
gos_status gos__alpha_discontinuity(gos_alpha *g, double h, bool drives, double allowed,
                                    double allowed_rate, bool *anew);
bool gos__alpha_whole(const gos_alpha *g);
/** Does the last factorisation, made in parts, represent w->values to rounding? */
bool gos__alpha_complete(gos_alpha *g);
/** Was the symmetric part sufficient for a step with this status? If not, the full matrix is used
 * for a while. made: factorised in this step.
 * @return false: retry with the full matrix */
bool gos__alpha_parts_serve(gos_alpha *g, bool made, gos_status status);
/** Refactorise at x, for a step h (alpha_matrix.c). */
gos_status gos__alpha_refresh(gos_alpha *g, const gos_state *x, double h, double t_eval);
/** Use shared factors if closer to a step h to t than the last ones.
 * @return are the factors suitable now? */
bool gos__alpha_adopt(gos_alpha *g, double h, double t);
/** Ensure factors for steps of about h from g->x; t: for time functions. */
gos_status gos__alpha_ready(gos_alpha *g, double h, double t);
/** Local error of a converged step relative to its allowance (step_error.c). allowed_rate: error of
 * positions and temperatures per unit time, relative to their scales [1/s]. */
double gos__alpha_error(gos_alpha *g, double h, double allowed_rate);
/** Allowed error of velocities normal to constraints, relative to the extent [1/s]; updates the
 * largest speed. */
double gos__alpha_across(gos_alpha *g);
/** Relative error of positions or temperatures below which an estimate is rounding. */
#define GOS_ALPHA_ROUNDING 1e-15
/** Does motion drive first-order states, such as voltages of shunts (alpha_stepper.c)? */
bool gos__alpha_drives_states(const gos_system *s);
/** First step by error control from what gos__alpha_start found [s]. */
double gos__alpha_first_step(gos_alpha *g);
/** Assemble and factorise the Newton matrix of a step h. @return GOS_RETRY: singular */
gos_status gos__alpha_factor(gos_alpha *g, const gos_point_of *at, double h);
/** Solve for g->r with the last factorisation, rotated with the motion. */
void gos__alpha_solve(gos_alpha *g);
/** As gos__alpha_solve for recurring right-hand sides, with stored solutions (responses.h). */
gos_status gos__alpha_respond(gos_alpha *g, double loose);
/** Set the velocities of x normal to the constraints to the values that the scheme settles to with
 * a step h, from x->jerk (step_error.c). */
void gos__normal_settle(gos_alpha *g, gos_state *x, double t, double h);
/** Transfer the impulse of x along the constraints from steps `before` to steps h
 * (step_error.c). */
void gos__alpha_carry(gos_alpha *g, gos_state *x, double t, double before, double h);
/** Store the arguments of the last factorised matrix (alpha_matrix.c). */
void gos__location_note(gos_alpha *g, const gos_point_of *at, double h);
/** Number of doubles of matrix arguments: time, step, gos_point_of, and the time functions, which
 * may have been overridden. */
size_t gos__location_size(const gos_system *s);
/** Arguments of the point at which w was last evaluated. */
void gos__location_write(const gos_work *w, const gos_point_of *at, double h, double *place);
/** The point of these arguments, with arrays in x, aligned as at assembly; sets w to it. */
gos_point_of gos__location_read(const double *place, gos_work *w, gos_state *x);
/** Functions of the integrator (solve/stepper.h), in alpha_step.c. */
gos_status gos__alpha_begin(void *method, gos_stop_kind kind, double t_end);
gos_status gos__alpha_plan(void *method, gos_step *k);
gos_status gos__alpha_step(void *method, gos_step *k);
gos_status gos__alpha_step_error(void *method, gos_step *k);
double gos__alpha_shorten(void *method, const gos_step *k, gos_status status);
gos_status gos__alpha_give_up(void *method, const gos_step *k, double h, gos_status status);
gos_status gos__alpha_complete_step(void *method, gos_step *k);
/** h rounded to 16 bits, so that ends of steps are exact numbers and twice differentiated drives do
 * not amplify rounding of time. */
double gos__alpha_rounded(double h);
/** One attempt at a step h from g->x0 to g->x at t1, with time functions at t_eval. tol: allowed
 * Newton error (norms above); whole: must not be shortened.
 * @return GOS_RETRY if it does not converge */
gos_status gos__alpha_attempt(gos_alpha *g, double h, double t1, double t_eval, double tol,
                              bool whole, gos_sums *sums);
/** Complete an accepted step: energies, heat, predictor data. */
void gos__alpha_accept(gos_alpha *g, double h, const gos_sums *sums);

/** Split the filtered error of a step h, g->r (nq), by modes; g->r := the accumulating part.
 * Returns the ratio of norms (<= 1; an upper bound). Broyden storage except its first row is
 * scratch. enough: stop at this ratio; each refinement costs a solution. */
double gos__vibration_share(gos_alpha *g, double h, double enough);

#endif
