/* A controller as its type gives it to the builder: a linear law from signals to inputs, with what
   actuators and converters do to it. Signals and inputs are still names here; system/loops.h binds
   them. */
#ifndef GOS_PARTS_CONTROLLER_H
#define GOS_PARTS_CONTROLLER_H

#include "parts/parts.h"

/* A signal (component of a probe, or an expression of such and t) or an input, as it was named. */
typedef struct gos_control_name {
    const char *text;     // of an expression: as written
    const gos_node *node; // of a signal that a model gives; NULL: text is a component of a probe
    gos_loc loc;
} gos_control_name;

/* Continuous:  x' = A x + B (y - y0) + E (v - u0),  u = u0 + C x + D (y - y0),  v = u within its
   limits; sampled: x(k+1) in the place of x', v held from k period + delay to (k + 1) period +
   delay. Matrices are column-major. Times are of the run. */
typedef struct gos_controller {
    const char *name, *object;
    gos_loc loc;
    int n, ny, nu;                   // states, signals, inputs
    const gos_control_name *signal;  // (ny)
    const gos_control_name *input;   // (nu)
    const double *A, *B, *C, *D, *E; // (n, n), (n, ny), (nu, n), (nu, ny), (n, nu); NULL: 0
    const double *y0, *u0, *start;   // operating point, x(0); NULL: 0
    const bool
        *rests; // states that begin where they rest at the signals of the start (n); NULL: none
    const double *lower, *upper;            // limits of v (nu); NULL: none
    double period, delay;                   // [s]; period 0: continuous
    const double *signal_step, *input_step; // of converters (ny), (nu), 0: none; NULL: none
    double scale;                           // size of the states, for tolerances; 0: 1
} gos_controller;

/** Add one; it is copied, its arrays live in the builder's arena. */
gos_status gos__add_controller(gos_builder *b, const gos_controller *c);

#endif
