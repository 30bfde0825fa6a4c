/* Controllers of structures known by their modes, from the design model to the loop with a richer
 * plant. */
#ifndef GOS_MODAL_DESIGN_H
#define GOS_MODAL_DESIGN_H

#include "control/loop.h"
#include "control/modal_plant.h"

typedef enum gos_modal_law {
    GOS_LAW_STATE, // v = -K x of the true state of the design's modes: what no sensor gives, a
                   // bound for the others
    GOS_LAW_LQG,   // v = -K x^ of a filter that is told the limited voltages
    GOS_LAW_RATE   // v = -gain times the current of a collocated channel
} gos_modal_law;

typedef struct gos_modal_design {
    gos_modal_part part; // the model, with its channels
    gos_modal_law law;
    gos_modal_aim aim; // of STATE and LQG
    double k_Q;
    gos_modal_noise noise; // of LQG
    double gain;           // of RATE [V/A]
    const double
        *factor; // (ndrive) of the gain of RATE for each driven channel, not negative; NULL: 1
} gos_modal_design;

/** The controller of a design: inputs are measured channels, for LQG then limited voltages; outputs
 * are commands. RATE: sense[k] is the channel collocated with drive[k], whose row over all modes of
 * `modal` is a multiple of its own (the other face of the same place: its opposite). The gain is
 * that of currents of the driven channel itself, which a measured channel with rows c times as
 * large gives by 1/c: power of the voltage and of the motion are then equal, and the loop takes
 * energy out of every mode, limited or not. Free with gos__plant_free, also after a failure.
 *  @return GOS_E_INPUT when channels are not collocated (to 1e-6), GOS_E_USE for STATE */
gos_status gos__modal_controller(gos_ctx *ctx, const gos_modal *modal,
                                 const gos_modal_design *design, gos_plant *controller);
/** The loop of a design made by `model` with a plant of the first `modes` modes of `truth` (which
 * may have other capacitances): disturbed by the force, z the acceleration of the point. */
gos_status gos__modal_loop(gos_ctx *ctx, const gos_modal *model, const gos_modal_design *design,
                           const gos_modal *truth, int modes, gos_loop *loop);
/** The same structure with all capacitances `factor` times as large. */
gos_status gos__modal_scaled(gos_ctx *ctx, const gos_modal *modal, double factor,
                             gos_modal *scaled);

#endif
