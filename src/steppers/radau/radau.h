/* The stepper by Radau IIA of order 5 (radau_tableau.h), on the equations with constraints as those
   of velocities (index 2); what positions drift from theirs in a step is taken back at its end.
   Quasi-static motion (quasi_static.h) has no forces of inertia, and constraints as those of
   positions: an equation of index 1. */
#ifndef GOS_RADAU_H
#define GOS_RADAU_H

#include "events/breaks.h"
#include "steppers/radau/quasi_static.h"
#include "steppers/radau/radau_matrix.h"
#include "solve/conservation.h"

/* Integrals of powers that are carried along with each step. */
typedef enum gos_radau_integral {
    GOS_RADAU_DISSIPATED,
    GOS_RADAU_WORK,
    GOS_RADAU_THERMAL,
    GOS_RADAU_HEAT_IN,
    GOS_RADAU_HEAT_CON,
    GOS_RADAU_NINTEGRAL
} gos_radau_integral;

/* Values at a stage, or what they are more than at the start of the step. */
typedef struct gos_radau_stage {
    double *y; // positions, temperatures, multipliers of both: as unknowns of the system (n)
    double *v, *a, *thd;               // (nq), (nq), (nt)
    double power[GOS_RADAU_NINTEGRAL]; // [W]
} gos_radau_stage;

/* What the next step depends on beyond the state: exactly what is walked through. */
typedef struct gos_radau_past {
    double h;         // of the last step [s]; 0: the motion starts anew
    double scale;     // of it: what its errors would have borne, h / scale
    double *velocity; // v at its stages less that at its start; quasi-static: positions likewise
                      // (stages, nq)
    double *unknowns; // temperatures likewise, and multipliers (stages, nt + nc + nh)
    double *place;    // where P, R and M were assembled (generalised_alpha.h)
    double *pivots; // ... where they were factorised with pivots of their own, for the step that it
                    // tells
    double factor_h;        // step of the last factorisation [s]
    bool has_factor, stale; // they are; they are to be assembled anew
} gos_radau_past;

typedef struct gos_radau {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_options opt;
    gos_state *x;  // the caller's
    gos_state *x0; // start of the last step
    gos_state *at; // interpolated
    gos_work *w;
    gos_radau_tableau k;
    gos_radau_matrix matrix;
    gos_radau_stage stage[GOS_RADAU_STAGES]; // of the step being tried, or of the last one
    double
        *z; // what positions, temperatures and multipliers are more than at its start (stages, n)
    double *r;       // residuals, corrections (stages, n)
    gos_complex *u;  // right-hand side of the pair (n)
    double *none;    // multipliers that are not there (nc)
    double *scratch; // (n + 2 nq + nt)
    double *mv;      // of norms (nstate)
    double *block;   // all of the above in one
    gos_radau_past past;
    double t_start;    // of the run
    gos_breaks breaks; // where steps have to end
    gos_watch watch;   // what the run conserves
    double T_range;    // temperature scale for errors [K]
    double place;      // RMS of the coordinates, relative to the extent: what rounding is a part of
    double made;       // what errors of the steps add up to, as they are estimated [-]
    bool tells;        // that is told at the end
    gos_quasi_static *quasi; // NULL: the motion has inertia
    double contraction;      // of Newton's iteration in this step
    int iterations;          // ... and how many it needed
    bool anew;               // it began where the motion starts anew
    bool refreshed;          // the matrices were assembled for this step
    gos_sums sums;           // at its end
    gos_statistics stats;
} gos_radau;

/** One accepted step, not beyond t_end (radau_step.c). */
gos_status gos__radau_step(gos_radau *g, double t_end);
/** State of g->at at a time inside the last step (radau_dense.c). */
const gos_state *gos__radau_at(gos_radau *g, double t);
/** The same without powers and strain energy. */
const gos_state *gos__radau_place(gos_radau *g, double t);
/** Integrals of powers from the start of the last step to the part x of it. */
void gos__radau_integrals_to(const gos_radau *g, double x, double *integral);
/** Consistent values at g->x, as a start or where the motion starts anew, and a first step
 * (radau_start.c). */
gos_status gos__radau_start(gos_radau *g);
/** Solve the stages of a step h from g->x0, to t1 (radau_newton.c). @return GOS_RETRY: not found */
gos_status gos__radau_solve(gos_radau *g, double h, double t1);
/** Stage i of a step h to t1 as the argument of residuals and Jacobians. */
gos_point_of gos__radau_point(const gos_radau *g, int i, double h, double t1);
/** Assemble the matrices at the place of g->past, and factorise them for the step they had been, as
 * a run that goes on needs them. */
gos_status gos__radau_factor_again(gos_radau *g);
/** Powers at the stages; g->sums: at the end (radau_newton.c). */
gos_status gos__radau_powers(gos_radau *g, double h, double t1);
/** Errors of the solution: by how much h is too long, 1: it is just right (radau_error.c). *made:
 * what it adds to errors. */
gos_status gos__radau_scale(gos_radau *g, double h, double *scale, double *made);
/** Bring positions and velocities of g->x back to the constraints at t (radau_error.c). */
gos_status gos__radau_project(gos_radau *g, double h, double t);
/** What one step h may do to positions, velocities and temperatures, relative to their scales
 * (radau_error.c). */
double gos__radau_allowed(const gos_radau *g, double h);
/** Size of a change of positions, velocities (nq), and temperatures (nt), relative to their
 * scales. */
double gos__radau_norm(const gos_radau *g, const double *dq, const double *dv, const double *dth);
/** Time of functions of time for a time of the step from g->x0 to t1. */
double gos__radau_time(const gos_radau *g, double t, double t1);
/** What watch.c looks at. */
gos_watched gos__radau_watched(const gos_radau *g);

#endif
