/* Radau IIA integrator of order 5 (radau_tableau.h). Constraints are imposed on velocities (index
 * 2); the position drift is projected out at the end of each step. Quasi-static motion
 * (quasi_static.h) has no inertia and position constraints (index 1). */
#ifndef GOS_RADAU_H
#define GOS_RADAU_H

#include "steppers/radau/quasi_static.h"
#include "steppers/radau/radau_matrix.h"
#include "solve/integrator.h"
#include "solve/corotation.h"

typedef enum gos_radau_integral {
    GOS_RADAU_DISSIPATED,
    GOS_RADAU_WORK,
    GOS_RADAU_THERMAL,
    GOS_RADAU_HEAT_IN,
    GOS_RADAU_HEAT_CON,
    GOS_RADAU_NINTEGRAL
} gos_radau_integral;

/* Values at a stage, or differences from the start of the step. */
typedef struct gos_radau_stage {
    // positions, temperatures, multipliers of both, in system order (n)
    double *y;
    double *v, *a, *thd;               // (nq), (nq), (nt)
    double power[GOS_RADAU_NINTEGRAL]; // [W]
} gos_radau_stage;

/* History that the next step depends on, stored in checkpoints. */
typedef struct gos_radau_past {
    double h;     // last step [s]; 0: restart
    double scale; // error scale of the last step: optimal length h / scale
    // v at its stages minus v at its start; quasi-static: positions (stages, nq)
    double *velocity;
    // likewise temperatures, and multipliers (stages, nt + nc + nh)
    double *unknowns;
    double *place; // arguments of P, R and M (generalised_alpha.h)
    // ... of the factorisation that chose the pivots, and its step
    double *pivots;
    double factor_h;        // step of the last factorisation [s]
    bool has_factor, stale; // factors exist; matrices need reassembly
} gos_radau_past;

typedef struct gos_radau {
    GOS_INTEGRATOR;
    gos_radau_tableau k;
    gos_radau_matrix matrix;
    // rotations of the stages since its assembly; NULL: quasi-static
    gos_corotation *turned[GOS_RADAU_STAGES];
    gos_radau_stage stage[GOS_RADAU_STAGES]; // of the current attempt or the last step
    // increments of positions, temperatures, and multipliers (stages, n)
    double *z;
    double *r;       // residuals, corrections (stages, n)
    gos_complex *u;  // right-hand side of the complex pair (n)
    double *none;    // zero multipliers (nc)
    double *scratch; // (n + 2 nq + nt)
    double *block;   // allocation of all of the above
    gos_radau_past past;
    gos_quasi_static *quasi; // NULL: with inertia
    double contraction;      // of Newton's iteration in this step
    int iterations;
    bool anew;
    bool refreshed; // the matrices were assembled for this step
    gos_sums sums;
} gos_radau;

/** Functions of the integrator (solve/stepper.h), in radau_step.c. */
gos_status gos__radau_begin(void *method, gos_stop_kind kind, double t_end);
gos_status gos__radau_plan(void *method, gos_step *k);
gos_status gos__radau_attempt(void *method, gos_step *k);
gos_status gos__radau_error(void *method, gos_step *k);
double gos__radau_shorten(void *method, const gos_step *k, gos_status status);
gos_status gos__radau_give_up(void *method, const gos_step *step, double h, gos_status status);
gos_status gos__radau_accept(void *method, gos_step *k);
void gos__radau_undo(void *method);
/** Power integrals over the fraction x of the last step. */
void gos__radau_integrals_to(const gos_radau *g, double x, double *integral);
/** Consistent values of g->x at a start or restart, and a first step (radau_step.c). */
gos_status gos__radau_start(gos_radau *g);
/** Solve the stages of a step h from g->x0 to t1 (radau_newton.c).
 * @return GOS_RETRY: not converged */
gos_status gos__radau_solve(gos_radau *g, double h, double t1);
/** Stage i of a step h to t1 as evaluation point. */
gos_point_of gos__radau_point(const gos_radau *g, int i, double h, double t1);
/** Reassemble the matrices at the arguments of g->past and refactorise, for continued runs. */
gos_status gos__radau_factor_again(gos_radau *g);
/** Powers at the stages; g->sums: at the end (radau_newton.c). */
gos_status gos__radau_powers(gos_radau *g, double h, double t1);
/** Allowed error of a step h in positions, velocities and temperatures, relative to their scales
 * (radau_step.c). */
double gos__radau_allowed(const gos_radau *g, double h);
/** Norm of a change of positions, velocities (nq) and temperatures (nt), relative to their
 * scales. */
double gos__radau_norm(const gos_radau *g, const double *dq, const double *dv, const double *dth);
/** Time for the time functions at time t of the step from g->x0 to t1. */
double gos__radau_time(const gos_radau *g, double t, double t1);

#endif
