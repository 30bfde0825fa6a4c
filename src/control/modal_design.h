/* Controllers of structures described by modes. */
#ifndef GOS_MODAL_DESIGN_H
#define GOS_MODAL_DESIGN_H

#include "control/plant.h"
#include "control/modal_plant.h"

typedef enum gos_modal_law {
    GOS_LAW_STATE, // v = -K x of the true state: not realisable, a bound
    GOS_LAW_LQG,   // v = -K x^, with feedback of saturated voltages
    GOS_LAW_RATE   // v = -gain times the current of a collocated channel
} gos_modal_law;

typedef struct gos_modal_design {
    gos_modal_part part; // design model with its channels
    gos_modal_law law;
    gos_modal_aim aim; // for STATE and LQG
    double k_Q;
    gos_modal_noise noise; // for LQG
    double gain;           // for RATE [V/A]
    const double *factor;  // RATE: gain factor >= 0 per driven channel (ndrive); NULL: 1
} gos_modal_design;

/** Inputs are measured channels, for LQG then saturated voltages; outputs are commands. RATE:
 *  sense[k] is collocated with drive[k], i.e. their rows over all modes of `modal` are proportional
 *  (opposite face: factor -1). The gain refers to the driven channel's own current; a row c times
 *  as large gets 1/c. Electric and mechanical power are then equal: the loop dissipates energy of
 *  every mode, also when saturated. Free with gos__plant_free, also after a failure.
 *  @return GOS_E_INPUT if not collocated (to 1e-6), GOS_E_USE for STATE */
gos_status gos__modal_controller(gos_ctx *ctx, const gos_modal *modal,
                                 const gos_modal_design *design, gos_plant *controller);
/** Loop of a design by `model` with a plant of the first `modes` modes of `truth`: disturbed by the
 *  force, z the acceleration of the point. */
gos_status gos__modal_loop(gos_ctx *ctx, const gos_modal *model, const gos_modal_design *design,
                           const gos_modal *truth, int modes, gos_loop *loop);
/** Multiplies all capacitances. */
gos_status gos__modal_scaled(gos_ctx *ctx, const gos_modal *modal, double factor,
                             gos_modal *scaled);

#endif
