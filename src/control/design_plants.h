/* Plants of a design: design model, and a larger plant for evaluation. */
#ifndef GOS_DESIGN_PLANTS_H
#define GOS_DESIGN_PLANTS_H

#include "control/design.h"
#include "control/plant.h"

/* z'' + D z' + K z = B u, y = Yq z + Yv z' + Yu u; rigid modes first */
typedef struct gos_modal_form {
    int n, nrigid, nu, ny;
    double *omega;   // (n) [rad/s], 0 for rigid modes
    double *K, *D;   // (n, n)
    double *B;       // (n, nu)
    double *Yq, *Yv; // (ny, n)
    double *Yu;      // (ny, nu)
} gos_modal_form;

typedef struct gos_design_plants {
    gos_modal_form form;
    gos_design_plant own, rich;
    int *input_index, *input_pattern;   // in the linear model, and its pattern (own.nu)
    int *signal_index, *signal_pattern; // (own.ny), none if of_states
    int output, disturbance;            // in the linear model, or -1
    bool output_is_rate;
    bool of_states; // no signals: states are measured
} gos_design_plants;

/** Index lists lie in the arena. Free with gos__design_plants_free, also after a failure. */
gos_status gos__design_plants_make(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_design_options *options, gos_arena *arena,
                                   gos_design_plants *plants);
/** Sets `chosen` of all control inputs (n), by the gain K (n, states) of all for k_Q, or as in
 *  options. @return GOS_E_INPUT: fewer inputs than a symmetry group, or more than available */
gos_status gos__design_choose(gos_ctx *ctx, const gos_design_plants *plants, const double *K,
                              const gos_design_options *options, double k_Q, int n,
                              gos_design_input *input);
/** Time histories under the disturbance, uncontrolled and controlled, for both plants;
 *  `controller` is continuous with feedback of saturated inputs. The design stores the reason if
 *  there are none. */
gos_status gos__design_histories(gos_ctx *ctx, const gos_linear *linear,
                                 const gos_design_plants *plants, const gos_plant *controller,
                                 const gos_design_options *options, gos_design *design);
/** Collocated rate feedback: D of a controller from signals (own.ny) to inputs (own.nu), or for
 *  charges, one state per input. Free with gos__plant_free, also after a failure. (design_rate.c)
 *  @return GOS_E_INPUT: no collocated signal, a signal with feedthrough, charges without corner */
gos_status gos__design_rate(gos_ctx *ctx, const gos_linear *linear, const gos_design_plants *plants,
                            const gos_design_options *options, gos_plant *controller);
void gos__design_plants_free(gos_ctx *ctx, gos_design_plants *plants);

#endif
