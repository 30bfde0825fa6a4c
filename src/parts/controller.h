/* Registered controllers: linear laws from signals to inputs, with actuators and converters.
 * signals/loops.h resolves the names. */
#ifndef GOS_PARTS_CONTROLLER_H
#define GOS_PARTS_CONTROLLER_H

#include "parts/builder.h"

/* Name of an input or signal. */
typedef struct gos_control_name {
    const char *text;     // expressions as written
    const gos_node *node; // of a model's signal; NULL: text is a probe component
    gos_loc loc;
} gos_control_name;

/* Continuous: x' = A x + B (y - y0) + E (v - u0), u = u0 + C x + D (y - y0), v = u saturated.
 * Sampled: x(k+1) instead of x'; v is held from k period + delay to (k + 1) period + delay.
 * Matrices are column-major. */
typedef struct gos_controller {
    const char *name, *object;
    gos_loc loc;
    int n, ny, nu;                   // states, signals, inputs
    const gos_control_name *signal;  // (ny)
    const gos_control_name *input;   // (nu)
    const double *A, *B, *C, *D, *E; // (n, n), (n, ny), (nu, n), (nu, ny), (n, nu); NULL: 0
    const double *y0, *u0, *start;   // operating point, x(0); NULL: 0
    const bool *rests;               // (n) states starting in equilibrium; NULL: none
    const double *lower, *upper;     // saturation limits of v (nu); NULL: none
    double period, delay;            // [s]; period 0: continuous
    // converter resolution (ny), (nu); 0, NULL: exact
    const double *signal_step, *input_step;
    double scale; // magnitude of states for tolerances; 0: 1
} gos_controller;

#endif
