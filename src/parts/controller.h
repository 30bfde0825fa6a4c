/* Controllers as registered by their types: a linear law from signals to inputs, with actuators and
 * converters. Signals and inputs are names here; signals/loops.h resolves them. */
#ifndef GOS_PARTS_CONTROLLER_H
#define GOS_PARTS_CONTROLLER_H

#include "parts/parts.h"

/* Name of an input or a signal (probe component, or expression of these and t). */
typedef struct gos_control_name {
    const char *text;     // as written, for expressions
    const gos_node *node; // signals in a model; NULL: text is a probe component
    gos_loc loc;
} gos_control_name;

/* Continuous: x' = A x + B (y - y0) + E (v - u0), u = u0 + C x + D (y - y0), v = u saturated.
 * Sampled: x(k+1) instead of x'; v is held from k period + delay to (k + 1) period + delay.
 * Matrices are column-major. Time is that of the run. */
typedef struct gos_controller {
    const char *name, *object;
    gos_loc loc;
    int n, ny, nu;                   // states, signals, inputs
    const gos_control_name *signal;  // (ny)
    const gos_control_name *input;   // (nu)
    const double *A, *B, *C, *D, *E; // (n, n), (n, ny), (nu, n), (nu, ny), (n, nu); NULL: 0
    const double *y0, *u0, *start;   // operating point, x(0); NULL: 0
    const bool *rests; // (n) states that start in equilibrium with the initial signals; NULL: none
    const double *lower, *upper; // saturation limits of v (nu); NULL: none
    double period, delay;        // [s]; period 0: continuous
    // resolution of converters (ny), (nu), 0: exact; NULL: all exact
    const double *signal_step, *input_step;
    double scale; // magnitude of the states, for tolerances; 0: 1
} gos_controller;

/** Registers a copy; its arrays must live in the builder's arena. */
gos_status gos__add_controller(gos_builder *b, const gos_controller *c);

#endif
