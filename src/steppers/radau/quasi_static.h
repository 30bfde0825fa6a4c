/* Quasi-static motion by Radau IIA: inertia is neglected, so displacements are in equilibrium at
 * every time,
 *     Q(q, q', th) - F + C_q^T lam = 0,   C(q, t) = 0,   C th' + K th - R(th, q') + H^T lamT = 0,
 *     h(th, t) = 0,
 * an index-1 system in which q' enters by damping and heat of strain only. */
#ifndef GOS_QUASI_STATIC_H
#define GOS_QUASI_STATIC_H

#include "solve/walk.h"

struct gos_radau;

/* since the start of the run */
#define GOS_QUASI_STATIC_NUMBERS(X)                                                                \
    X(inertia, "largest displacement that inertia forces would cause, relative to the extent")     \
    X(inertia_at, "time of that displacement [s]")                                                 \
    X(vibration, "largest amplitude of neglected vibration, relative to the extent")               \
    X(vibration_at, "start time of that vibration [s]")

typedef struct gos_quasi_static {
    struct gos_stability *stability; // NULL: no displacements
    double *before;                  // velocities before, then after the last start (nq)
    gos_solver *solver;              // for matrices at one point
    // solve stages separately: a common matrix does not converge
    bool apart;
    bool reported;
#define X(name, doc) double name; // doc
    GOS_QUASI_STATIC_NUMBERS(X)
#undef X
} gos_quasi_static;

/** Create g->quasi for a run; g->w then neglects inertia. Velocities at ends of steps come from the
 * time derivative of equilibrium, since the step polynomial has low order there. Free with
 * gos__quasi_static_free. */
gos_status gos__quasi_static_make(struct gos_radau *g);
void gos__quasi_static_free(gos_ctx *ctx, gos_quasi_static *k);
/** Reject initial velocities before a run starts. */
gos_status gos__quasi_static_begin(struct gos_radau *g);
/** Equilibrium and rates of g->x with time functions at t: at the first start or at a switch. */
gos_status gos__quasi_static_start(struct gos_radau *g, double t, bool first);
/** Newton iteration for positions and multipliers of stage i of a step h to t1, other stages and
 * temperatures fixed, down to corrections of `enough`.
 * @return GOS_RETRY: not converged */
gos_status gos__quasi_static_balance(struct gos_radau *g, int i, double h, double t1,
                                     double enough);
/** Velocities and accelerations of g->x at the end of a step h; estimates neglected inertia
 * (displacement by inertia forces, vibration by jumps) and checks stability. */
gos_status gos__quasi_static_end(struct gos_radau *g, double h, double t);
/** After the last step: warn if inertia matters. */
void gos__quasi_static_report(const struct gos_radau *g);
void gos__quasi_static_walk(const gos_system *s, gos_quasi_static *k, gos_walk *past);

#endif
