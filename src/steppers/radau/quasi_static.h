/* Quasi-static motion by Radau IIA: forces of inertia are left out, so that the displacements are
   in equilibrium at every time

       Q(q, q', th) - F + C_q^T lam = 0,   C(q, t) = 0,   C th' + K th - R(th, q') + H^T lamT = 0,
   h(th, t) = 0,

   an equation of index 1, in which q' enters by damping and by heat of strain alone. Velocities at
   the ends of steps are found from the derivative of the equilibrium by time, as those of the
   polynomial of a step are of low order.

   What is left out is estimated with each step: the displacements that forces of inertia would
   cause, and the amplitude of the vibration that starts where velocities or positions jump. */
#ifndef GOS_QUASI_STATIC_H
#define GOS_QUASI_STATIC_H

#include "solve/stepper.h"

struct gos_radau;

/* since the start of the run */
#define GOS_QUASI_STATIC_NUMBERS(X)                                                                \
    X(inertia, "largest displacement that forces of inertia would cause, of the extent")           \
    X(inertia_at, "when that was [s]")                                                             \
    X(vibration, "largest amplitude of vibration that is left out, of the extent")                 \
    X(vibration_at, "when that started [s]")

typedef struct gos_quasi_static {
    struct gos_stability *stability; // NULL: nothing moves
    double *before;                  // velocities at the last start: before it, then after it (nq)
    gos_solver *solver;              // of matrices at one place
    bool apart; // stages turn too much within a step for matrices of one place to serve them all
    bool told;  // of an unstable equilibrium
#define X(name, doc) double name; // doc
    GOS_QUASI_STATIC_NUMBERS(X)
#undef X
} gos_quasi_static;

/** g->quasi for a run; the work of g has no inertia from here on. Free with
 * gos__quasi_static_free. */
gos_status gos__quasi_static_make(struct gos_radau *g);
void gos__quasi_static_free(gos_ctx *ctx, gos_quasi_static *k);
/** Before a run begins: refuse initial velocities. */
gos_status gos__quasi_static_begin(struct gos_radau *g);
/** Equilibrium and rates of g->x, whose functions of time are those of t: at the first start, or
 * where something switches. */
gos_status gos__quasi_static_start(struct gos_radau *g, double t, bool first);
/** Newton's method for the positions and multipliers of stage i of a step h to t1, with
 * temperatures and other stages as they are, up to corrections of `enough`. @return GOS_RETRY: not
 * found */
gos_status gos__quasi_static_balance(struct gos_radau *g, int i, double h, double t1,
                                     double enough);
/** Velocities and accelerations of g->x at the end of a step h; what inertia would do there;
 * whether it is stable. */
gos_status gos__quasi_static_end(struct gos_radau *g, double h, double t);
/** After the last step: warn where inertia matters. */
void gos__quasi_static_tell(const struct gos_radau *g);
void gos__quasi_static_walk(const gos_system *s, gos_quasi_static *k, gos_walk *past);

#endif
