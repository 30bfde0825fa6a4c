/* Linear models as recursions of fixed step, for code in real time. */
#ifndef GOS_STEP_MODEL_H
#define GOS_STEP_MODEL_H

#include "control/plant.h"
#include "gossamer/io.h"

/* z(k+1) = A z(k) + B u(k), y(k) = C z(k) + D u(k); for held inputs z is the state of the model,
   for linear inputs z = x - G u (first-order hold) */
typedef struct gos_step_model {
    gos_plant at; // A, B, C, D
    double step;  // [s]
    bool linear_inputs;
} gos_step_model;

#define GOS_STEP_MODEL_MOST 500 // most states: 2 MB of constants

/** Discretise exactly, by the matrix exponential, and fill the report. Free with
 *  gos__step_model_free, also after a failure. @return GOS_E_USE: a step that is not positive;
 *  GOS_E_INPUT: no inputs, outputs or states; GOS_E_LIMIT: more than GOS_STEP_MODEL_MOST states;
 *  GOS_E_SINGULAR, GOS_E_NONFINITE */
gos_status gos__step_model_make(gos_ctx *ctx, const gos_linear *linear,
                                const gos_step_options *options, gos_step_model *model,
                                gos_step_report *report);
void gos__step_model_free(gos_ctx *ctx, gos_step_model *model);

#endif
