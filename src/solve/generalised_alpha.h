/* The generalised-alpha step as the integrator uses it. */
#ifndef GOS_GENERALISED_ALPHA_H
#define GOS_GENERALISED_ALPHA_H

#include "solve/corotation.h"
#include "solve/history.h"
#include "solve/pace.h"
#include "solve/solve.h"
#include "solve/stepper.h"

/* Parameters of the scheme. */
typedef struct gos_scheme {
    double am, af, gamma, beta; // motion
    double tm, tf, tg;          // temperatures
    double error;               // local error of q is error h^3 q''' (see below)
} gos_scheme;

#define GOS_AT_SWITCH 1 // at a switching time of functions of time
#define GOS_AT_EVENT 2  // where an item has changed for good, as a latch that was caught

#define GOS_ALPHA_STEPS 6 // steps that Broyden's update remembers

struct gos_integrator {
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
    gos_solver *solver;
    double *r;          // residual and Newton correction (n)
    double *mv;         // scratch (nq + nt)
    double *steps;      // steps of the present iteration (GOS_ALPHA_STEPS, n)
    double *steps_mass; // mass matrix times them (GOS_ALPHA_STEPS, nq)
    double steps_norm2[GOS_ALPHA_STEPS];
    gos_corotation *turned; // how the factorisation turns along with the motion
    bool have_factor, stale;
    double factor_h; // step the factorisation was made for
    double *made_at,
        *pivots_at;  // where its matrix, and the one that gave its pivots, were assembled
    bool own_pivots; // they are the same
    double t_start;  // of the run
    double *breaks;  // switching times, ascending
    int nbreaks, ibreak;
    int at_break;   // how the next step starts (GOS_AT_...)
    double T_range; // temperature scale for errors [K]
    gos_pace pace;  // does the run come on
    gos_statistics stats;
    const gos_stepper *stepper; // the system's own way to step, or NULL; of all else above only the
                                // context, the system, options, state, start and pace are used then
    void *other;                // its object
};

/** Parameters for a spectral radius at infinite frequency. */
gos_scheme gos__scheme_make(double rho);
/** RMS over the mass of a displacement field (nv, 3), relative to the extent. */
double gos__motion_norm(gos_integrator *g, const double *dq);
/** RMS over the heat capacity of a temperature field (nt), relative to the range seen so far. */
double gos__heat_norm(gos_integrator *g, const double *dT);
/** Accelerations, rates and multipliers of g->x at time t, and their derivatives; drops the
 *  factorisation and the algorithmic accelerations (start.c). */
gos_status gos__alpha_start(gos_integrator *g, double t);
/** Must the motion start anew, because the rates of driven joints jump between two times, or with error
 *  control the forces: would the last step have become another by more than `allowed` (relative to the
 *  extent)? Compared at one place, so that stiff modes that Newton has left a little off do not count. The
 *  jump of accelerations is kept for gos__alpha_go_on (start.c). */
gos_status gos__alpha_jumps(gos_integrator *g, double before, double after, double allowed,
                            bool *restarts);
/** As gos__alpha_start, but the motion goes on as it was, with the jump of its accelerations filtered by
 *  the step. */
gos_status gos__alpha_go_on(gos_integrator *g, double t);
/** First step by error control from what gos__alpha_start found [s]. */
double gos__alpha_first_step(gos_integrator *g);
/** Assemble and factorise the Newton matrix of a step h at a place. @return GOS_RETRY: singular. */
gos_status gos__alpha_factor(gos_integrator *g, const gos_point_of *at, double h);
/** g->r := what the last factorisation, turned along with the motion, makes of it. */
void gos__alpha_solve(gos_integrator *g);
/** Remember where the matrix of the last factorisation was assembled (history.c). */
void gos__history_note(gos_integrator *g, const gos_point_of *at, double h);
/** Go on as the integrator with this history would (history.c). */
gos_status gos__history_restore(gos_integrator *g, const gos_history *history);
/** One attempt at a step of size h from g->x0 to g->x at t1; functions of time are taken at t_eval.
 *  tol: what Newton may leave (norms above). @return GOS_RETRY when it does not converge. */
gos_status gos__alpha_attempt(gos_integrator *g, double h, double t1, double t_eval, double tol,
                              gos_sums *sums);
/** Book-keeping of an accepted step: energies, heat, predictor data. */
void gos__alpha_accept(gos_integrator *g, double h, const gos_sums *sums);
/** Widen the range of temperatures that errors are measured by. */
void gos__alpha_range(gos_integrator *g);

#endif
