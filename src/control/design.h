/* Contents of a controller design. */
#ifndef GOS_DESIGN_H
#define GOS_DESIGN_H

#include "control/plant.h"
#include "gossamer/control.h"

struct gos_design {
    gos_ctx *ctx;
    gos_arena *arena; // owns the following members
    gos_design_report report;
    gos_control_law law;
    bool has_law;
    int npole, nplant_pole;
    gos_root *pole, *plant_pole; // of the closed loop (npole), with the larger plant (nplant_pole)
    int nopen;
    gos_root *open; // of the larger plant alone (nopen)
    int nmode;
    gos_design_mode *mode; // of the larger plant (nmode)
    int ncandidate;
    gos_design_input *candidate; // (ncandidate)
    int nerror;
    gos_design_error *error; // (nerror)
    int nhistory;
    gos_design_history *history; // (nhistory)
    // reason if time histories are missing; NULL: not requested, or available
    const char *no_history;
    struct gos_design_view *view; // model data for reports (design_view.h), or NULL
    const char *units;            // of the linear model, as gos_model_units
};

/** An empty design. Free with gos_design_destroy. */
gos_status gos__design_create(gos_ctx *ctx, gos_design **design);

/* Ports: nu control inputs, then the disturbance; ny measured outputs, then the performance
   output, if any */
typedef struct gos_design_plant {
    gos_plant plant;
    int nu, ny;
    bool disturbed, has_performance;
    int positions; // states: positions, as many rates, then others
    int rigid;     // number of rigid modes
} gos_design_plant;

/** Evaluate the controller on its own plant and the larger one: poles, norms, margins, errors,
 *  stored in the design. `controller` has ny inputs and nu outputs (design->law, or state
 *  feedback); sampled ones are discrete. */
gos_status gos__design_try(gos_ctx *ctx, const gos_design_plant *own, const gos_design_plant *rich,
                           const gos_plant *controller, const gos_design_options *options,
                           gos_design *design);

/** Equal, with * for anything, or a probe, load or entry with its components or channels. */
bool gos__design_names(const char *pattern, const char *name);
/** "charge" or "motional_current". */
const char *gos__design_sensed(const gos_design_options *options);
/** Measured outputs: signals, then electrodes; after a choice of inputs, only those at their
 *  locations. Otherwise as gos__design_ports.
 *  @return GOS_E_INPUT: a chosen input has no electrode to measure */
gos_status gos__design_signals(gos_ctx *ctx, const gos_linear *linear,
                               const gos_design_options *options, gos_arena *arena, int **index,
                               int **of_pattern, int *n);
/** Ports by names and patterns: index[i] matches pattern of_pattern[i] (n), each port once, in
 *  order of patterns, then of the model; arrays in the arena.
 *  @return GOS_E_INPUT: a pattern without match */
gos_status gos__design_ports(gos_ctx *ctx, const gos_linear *linear, bool is_input, int npattern,
                             const char *const *pattern, gos_arena *arena, int **index,
                             int **of_pattern, int *n);

#endif
