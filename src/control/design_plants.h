/* The plants of a design: what it is made on, and what it is tried with. */
#ifndef GOS_DESIGN_PLANTS_H
#define GOS_DESIGN_PLANTS_H

#include "control/design.h"
#include "control/modal_form.h"

typedef struct gos_design_plants {
    gos_modal_form form;
    gos_design_plant own, rich;
    int *input_index, *input_pattern;   // of the linear model, and of which pattern (own.nu)
    int *signal_index, *signal_pattern; // (own.ny), none when of_states
    int output, disturbance;            // of the linear model, or -1
    bool output_is_rate;
    bool of_states; // no signals: the states of the design are what is measured
} gos_design_plants;

/** Ports, modes and both plants; index lists lie in the arena. Free with gos__design_plants_free,
 * also after a failure. */
gos_status gos__design_plants_make(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_design_options *options, gos_arena *arena,
                                   gos_design_plants *plants);
/** Which of the inputs that drive are chosen, `chosen` of all (n): by the gain K (n, states) of
 * all, or as options say. k_Q: of that gain. @return GOS_E_INPUT: fewer inputs than symmetry keeps
 * together, or than there are */
gos_status gos__design_choose(gos_ctx *ctx, const gos_design_plants *plants, const double *K,
                              const gos_design_options *options, double k_Q, int n,
                              gos_design_input *input);
/** Courses under the disturbance, into the design: free and controlled, of both plants;
 * `controller` is the continuous one that is told the limited inputs. Where there can be none the
 * design says why. */
gos_status gos__design_courses(gos_ctx *ctx, const gos_linear *linear,
                               const gos_design_plants *plants, const gos_plant *controller,
                               const gos_design_options *options, gos_design *design);
/** Feedback of the rates of collocated signals: D of a controller from signals (own.ny) to inputs
 * (own.nu), or, of charges, with a state for each input. Free with gos__plant_free, also after a
 * failure. (design_rate.c)
 *  @return GOS_E_INPUT: an input without a signal of its own place, a signal that follows voltages
 * at once, charges without a corner */
gos_status gos__design_rate(gos_ctx *ctx, const gos_linear *linear, const gos_design_plants *plants,
                            const gos_design_options *options, gos_plant *controller);
void gos__design_plants_free(gos_ctx *ctx, gos_design_plants *plants);

#endif
