/* Gossamer: laws of controllers by their matrices. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_CONTROLLER_H
#define GOSSAMER_CONTROLLER_H

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A linear controller from signals y (components of probes) to inputs u of a system, with y and u
 * measured from an operating point and v = limited(u) what actuators give: continuous, x' = A x + B
 * (y - y0) + E (v - u0),  u = u0 + C x + D (y - y0), or sampled, x(k+1) = A x(k) + B (y(k) - y0) +
 * E (v(k) - u0),  u(k) = u0 + C x(k) + D (y(k) - y0), with y(k) = y(k T) and u(k) held from k T +
 * delay to (k + 1) T + delay. x(0) = 0. E lets an observer know of limits: for x^' = A x^ + B v + L
 * (y - C x^ - D v) and u = -K x^ it is B - L D. Matrices are column-major. */
typedef struct gos_control_law {
    int n, ny, nu;             // states, signals, inputs
    const double *A;           // (n, n)
    const double *B;           // (n, ny)
    const double *E;           // (n, nu); NULL: 0
    const double *C;           // (nu, n)
    const double *D;           // (nu, ny); NULL: 0
    const double *y0, *u0;     // (ny), (nu); NULL: 0
    const double *limit;       // largest |u| of each input (nu), HUGE_VAL for none; NULL: none
    const char *const *signal; // names of components of probes, "tip.y" or "angle" (ny)
    const char *const *input;  // names of inputs, as gos_system_input_info gives them (nu)
    double period;             // T [s]; 0: continuous
    double delay;              // of a sampled law, from y(k) to u(k) [s]
} gos_control_law;

/** Let the controller NAME of the model's section `controllers` have this law, which is copied; to
 * be called before gos_system_create. A law that was given before is replaced. @return GOS_E_USE:
 * no name, sizes or times below 0, a matrix that is missing, a delay of a continuous law;
 * GOS_E_INPUT: what is not finite; with a record */
GOS_API gos_status gos_model_control_law(gos_ctx *ctx, gos_model *model, const char *name,
                                         const gos_control_law *law);
/** The law that was given to the controller NAME, borrowed from the model; NULL: none was. */
GOS_API const gos_control_law *gos_model_control_law_get(const gos_model *model, const char *name);
/** Leave controllers of type `designed` that have no law out of the systems of the model from now
 * on, with a note: for questions that do not need the loop, such as undamped modes. */
GOS_API void gos_model_open_loops(gos_model *model);

#ifdef __cplusplus
}
#endif
#endif
