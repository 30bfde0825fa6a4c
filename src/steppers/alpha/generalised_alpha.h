/* The generalised-alpha step as the integrator uses it. */
#ifndef GOS_GENERALISED_ALPHA_H
#define GOS_GENERALISED_ALPHA_H

#include "events/breaks.h"
#include "solve/corotation.h"
#include "solve/probe_error.h"
#include "solve/responses.h"
#include "gossamer/sim.h"
#include "solve/newton_solver.h"
#include "solve/shared_factors.h"
#include "system/system.h"
#include "solve/conservation.h"

/* Parameters of the scheme. */
typedef struct gos_scheme {
    double am, af, gamma, beta; // motion
    double tm, tf, tg;          // temperatures
    bool steady;                // heat is: no capacity in its rows
    double error;               // local error of q is error h^3 q''' (see below)
    double error_a,
        error_bar; // of accelerations across constraints: error_a h^2 q'''' (constraint_drift.c)
} gos_scheme;

#define GOS_ALPHA_STEPS 6 // steps that Broyden's update remembers

typedef struct gos_alpha {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_options opt;
    gos_scheme k;
    gos_state *x;  // the caller's
    gos_state *x0; // start of the step being tried; after it: start of the last accepted step
    gos_state *at; // interpolated
    gos_work *w;
    gos_pattern pattern; // of the system; dense: in two groups, motion and heat
    unsigned char *group;
    gos_newton_solver *solver; // of the last factorisation: its own, or a shared one
    gos_newton_solver *own;
    gos_shared_factors *shared; // matrices of like runs, NULL: none
    bool took_shared; // one of them has been taken: the history of the run does not have it
    bool tries_parts; // the symmetric part of the matrix may take its place
    bool halves;    // likewise of what the points of reduced bodies do, in dense matrices: half the
                    // work
    bool halved;    // ... and was in the last factorisation, if that was its own
    int whole_left; // factorisations until the symmetric part of the matrix is tried again
    int whole_next; // ... once it has not served
    double *r;      // residual and Newton correction (n)
    double *mv;     // scratch (nq + nt)
    double *kept;   // v, a, abar, tau at the start of the step being tried (3 nq + nt)
    double kept_numbers[3]; // h, heat_in_bar, heat_con_bar with them
    bool is_kept;
    double *normal;     // scratch: rates of constraints (5 nc)
    double *functions;  // scratch: of time, with derivatives (3 nfn)
    double *steps;      // steps of the present iteration (GOS_ALPHA_STEPS, n)
    double *steps_mass; // mass matrix times them (GOS_ALPHA_STEPS, nq)
    double steps_norm2[GOS_ALPHA_STEPS];
    gos_corotation *turned; // how the factorisation turns along with the motion
    gos_responses *answers; // of the factorisation to forces that jump
    bool have_factor, stale;
    double factor_h; // step the factorisation was made for
    double factor_t; // ... and its end
    double *made_at,
        *pivots_at;    // where its matrix, and the one that gave its pivots, were assembled
    bool own_pivots;   // they are the same
    double t_start;    // of the run
    double unresolved; // first step in which vibration that it does not resolve is below the
                       // tolerance; 0: none [s]
    gos_breaks breaks; // where steps have to end
    double noise;      // rounding of temperatures and states in the last step, relative
    double T_range;    // temperature scale for errors [K]
    gos_watch watch;
    gos_told *told; // errors of probes, NULL: not asked for
    gos_statistics stats;
} gos_alpha;

/* Derivatives of the end values of a step with respect to the unknowns q1, T1. */
typedef struct gos_chain {
    double a, v, bar, rate, tau;
    double heat; // heat rows are divided by it
} gos_chain;
gos_chain gos__chain_of(const gos_scheme *k, double h);

/** Parameters for a spectral radius at infinite frequency. */
gos_scheme gos__scheme_make(double rho);
/** RMS over the mass of a displacement field (nv, 3), relative to the extent. */
double gos__motion_norm(gos_alpha *g, const double *dq);
/** RMS over the heat capacity of a temperature field (nt), relative to the range seen so far. */
double gos__heat_norm(gos_alpha *g, const double *dT);
/** Accelerations, rates and multipliers of g->x at time t, and their derivatives; drops the
 *  factorisation and the algorithmic accelerations (alpha_start.c). */
gos_status gos__alpha_start(gos_alpha *g, double t);
/** As gos__alpha_start, but the motion goes on as it was: only temperatures start anew. */
gos_status gos__alpha_heat(gos_alpha *g, double t);
/** Let accelerations and temperature rates of g->x take the jump that forces, heat and drives make
 * at its time. h: step that comes. drives: they switch there. allowed: what rates of constraints
 * may make of a step, relative to the extent; allowed_rate: error of positions and temperatures in
 * a unit of time [1/s]. *anew: the motion has to start anew instead (alpha_discontinuity.c). */
gos_status gos__alpha_jump(gos_alpha *g, double h, bool drives, double allowed, double allowed_rate,
                           bool *anew);
/** Is the last factorisation that of the whole matrix? */
bool gos__alpha_whole(const gos_alpha *g);
/** Is nothing but rounding left out of the last factorisation, made in parts of what w->values
 * holds? */
bool gos__alpha_complete(gos_alpha *g);
/** Has the symmetric part of the matrix served, `made` and iterated with in a step that ended with
 * this status? Where not the whole matrix takes its place for a while. @return false: the step may
 * have a solution with that one */
bool gos__alpha_parts_serve(gos_alpha *g, bool made, gos_status status);
/** Does the last factorisation serve a step h? Make a new one at x (alpha_matrix.c). */
bool gos__alpha_serves(const gos_alpha *g, double h);
gos_status gos__alpha_refresh(gos_alpha *g, const gos_state *x, double h, double t_eval);
/** Take the shared factorisation that suits a step h to t best, when it does better than the last
 * one, which may not serve any more.
 *  @return does the last factorisation serve now? */
bool gos__alpha_adopt(gos_alpha *g, double h, double t);
/** A factorisation that serves steps of about h from g->x; t: time of the functions of time, should
 * it be made. */
gos_status gos__alpha_ready(gos_alpha *g, double h, double t);
/** Local error of an accepted Newton solution, relative to what one step may spend (step_error.c);
 *  allowed_rate: error of positions and temperatures in a unit of time, relative to their scales
 * [1/s]. */
double gos__alpha_error(gos_alpha *g, double h, double allowed_rate);
/** What velocities across constraints may be off, relative to the extent [1/s]; keeps the largest
 * speed. */
double gos__alpha_across(gos_alpha *g);
/** Relative error of positions or temperatures below which an estimate is rounding. */
#define GOS_ALPHA_ROUNDING 1e-15
/** Does motion drive first-order states, such as voltages of shunts (alpha_stepper.c)? */
bool gos__alpha_drives_states(const gos_system *s);
/** First step by error control from what gos__alpha_start found [s]. */
double gos__alpha_first_step(gos_alpha *g);
/** Assemble and factorise the Newton matrix of a step h at a place. @return GOS_RETRY: singular. */
gos_status gos__alpha_factor(gos_alpha *g, const gos_point_of *at, double h);
/** g->r := what the last factorisation, turned along with the motion, makes of it. */
void gos__alpha_solve(gos_alpha *g);
/** The same for right-hand sides that come again: what was solved before is not solved anew
 * (responses.h). */
gos_status gos__alpha_respond(gos_alpha *g, double loose);
/** g->r := what of a motion u (nq) the constraints of x forbid, for the last factorisation
 * (constraint_drift.c). */
void gos__normal_part(gos_alpha *g, const gos_state *x, double t, const double *u);
/** Bring the velocities of x across the constraints to where the scheme settles with a step h, from
 *  x->jerk (constraint_drift.c). */
void gos__normal_settle(gos_alpha *g, gos_state *x, double t, double h);
/** Carry the impulse of x along free motions over from steps `before` to steps h
 * (constraint_drift.c). */
void gos__alpha_carry(gos_alpha *g, gos_state *x, double t, double before, double h);
/** What watch.c looks at; its scratch is free between steps (alpha_stepper.c). */
gos_watched gos__alpha_watched(const gos_alpha *g);
/** Remember where the matrix of the last factorisation was assembled (alpha_arguments.c). */
void gos__place_note(gos_alpha *g, const gos_point_of *at, double h);
/** Doubles of a place where a matrix was assembled: time, step, then all of gos_point_of, and the
 * functions of time, which may since have been set from outside. */
size_t gos__place_size(const gos_system *s);
/** The place of a point that w has been evaluated at. */
void gos__place_write(const gos_work *w, const gos_point_of *at, double h, double *place);
/** The point of a place; its arrays lie in x, aligned as they were when the matrix was assembled. w
 * is at it. */
gos_point_of gos__place_read(const double *place, gos_work *w, gos_state *x);
/** Walk through what is known beyond the state (alpha_history.c). */
void gos__history_give(gos_alpha *g, gos_walk *past);
/** Go on as the one that gave it would. */
gos_status gos__history_take(gos_alpha *g, gos_walk *past);
/** One accepted step, not beyond t_end (alpha_step.c). */
gos_status gos__alpha_step(gos_alpha *g, double t_end);
/** h with 16 bits: the ends of steps are then exact numbers, and drives, whose places are
 * differentiated twice, do not see the rounding of the time. */
double gos__alpha_rounded(double h);
void gos__alpha_statistics(const gos_alpha *g, gos_statistics *stats);
/** One attempt at a step of size h from g->x0 to g->x at t1; functions of time are taken at t_eval.
 *  tol: what Newton may leave (norms above); whole: nothing shorter will be tried instead.
 *  @return GOS_RETRY when it does not converge. */
gos_status gos__alpha_attempt(gos_alpha *g, double h, double t1, double t_eval, double tol,
                              bool whole, gos_sums *sums);
/** What to say of a step h from g->x0 that has no solution, even made as short as this, or as it is
 * a fixed one; g->x becomes its start (step_failure.c). t_eval: time of the functions of time in
 * the last attempt. */
gos_status gos__alpha_give_up(gos_alpha *g, double h, double t_eval);
gos_status gos__alpha_not_kept(gos_alpha *g, double h, double t_eval);
/** Book-keeping of an accepted step: energies, heat, predictor data. */
void gos__alpha_accept(gos_alpha *g, double h, const gos_sums *sums);
/** Widen the range of temperatures that errors are measured by. */
void gos__alpha_range(gos_alpha *g);

#endif
