/* Gossamer: control laws given by matrices. SPDX-License-Identifier: Apache-2.0
 *
 * Defines linear controllers, continuous or sampled, that a model connects from probes to inputs.
 * Laws are computed by control.h or supplied by the calling program. */
#ifndef GOSSAMER_CONTROLLER_H
#define GOSSAMER_CONTROLLER_H

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Linear controller from signals y (components of probes) to inputs u of a system, relative to an
 * operating point (y0, u0); v = sat(u) is the saturated input. Continuous:
 *     x' = A x + B (y - y0) + E (v - u0),  u = u0 + C x + D (y - y0),
 * sampled:
 *     x(k+1) = A x(k) + B (y(k) - y0) + E (v(k) - u0),  u(k) = u0 + C x(k) + D (y(k) - y0),
 * with y(k) = y(k T) and u(k) constant from k T + delay to (k + 1) T + delay. x(0) = 0. E includes
 * saturation in an observer: for x^' = A x^ + B v + L (y - C x^ - D v) and u = -K x^ it is B - L
 * D. Matrices are column-major. */
typedef struct gos_control_law {
    int n, ny, nu;         // states, signals, inputs
    const double *A;       // (n, n)
    const double *B;       // (n, ny)
    const double *E;       // (n, nu); NULL: 0
    const double *C;       // (nu, n)
    const double *D;       // (nu, ny); NULL: 0
    const double *y0, *u0; // (ny), (nu); NULL: 0
    const double *limit;   // saturation limit of |u| of each input (nu), HUGE_VAL: none; NULL: none
    const char *const *signal; // names of components of probes, "tip.y" or "angle" (ny)
    const char *const *input;  // names of inputs as in gos_system_input_info (nu)
    double period;             // T [s]; 0: continuous
    double delay;              // sampled law: delay from y(k) to u(k) [s]
} gos_control_law;

/** Set the law of the controller NAME of the model's section `controllers`; the law is copied and
 * replaces an earlier one. Call before gos_system_create. @return GOS_E_USE: no name, negative
 * sizes or times, a missing matrix, a continuous law with a delay; GOS_E_INPUT: values that are
 * not finite; with a message */
GOS_API gos_status gos_model_control_law(gos_ctx *ctx, gos_model *model, const char *name,
                                         const gos_control_law *law);
/** The law set for the controller NAME, borrowed from the model; NULL: none. */
GOS_API const gos_control_law *gos_model_control_law_get(const gos_model *model, const char *name);
/** Omit controllers of type `designed` without a law from systems created from now on, with a note.
 * For analyses that do not need the closed loop, such as undamped modes. */
GOS_API void gos_model_open_loops(gos_model *model);

#ifdef __cplusplus
}
#endif
#endif
