/* Systems whose equations are polynomials, as tables for steps of fixed size: rigid bodies and
 * joints between them, reduced bodies of type solid, forces and moments, probes. */
#ifndef GOS_POLYNOMIAL_MODEL_H
#define GOS_POLYNOMIAL_MODEL_H

#include "gossamer/io.h"
#include "models/polynomial_step.h"
#include "signals/ports.h"

#define GOS_POLYNOMIAL_MODEL_MOST 300 // most unknowns of a step: a matrix of 720 kB

typedef struct gos_polynomial_model {
    gos_step_tables tables;
    const gos_input *input; // (tables.nu)
    gos_port *output;       // (tables.ny)
    double *start;          // q, v (3 nv), multipliers (nc) of the state
} gos_polynomial_model;

/** Tables in arena a. @return GOS_E_INPUT, naming the first part whose equations are not
 *  polynomials; GOS_E_LIMIT: more than GOS_POLYNOMIAL_MODEL_MOST unknowns */
gos_status gos__polynomial_model_make(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                                      const gos_state *state, double step,
                                      gos_polynomial_model *model);
/** Compare with a run of the system from a copy of `state` under its own error control, to the end
 *  of the analysis: largest difference of an output, relative to the largest change of any
 *  component of its probe (report->run_error, run_output). */
gos_status gos__polynomial_model_compare(gos_ctx *ctx, const gos_polynomial_model *model,
                                         const gos_system *sys, const gos_state *state,
                                         gos_step_report *report);

#endif
