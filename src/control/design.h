/* What a design holds, and what its files share. */
#ifndef GOS_DESIGN_H
#define GOS_DESIGN_H

#include "control/plant.h"
#include "gossamer/control.h"

struct gos_design {
    gos_ctx *ctx;
    gos_arena *arena; // all that follows
    gos_design_report report;
    gos_control_law law;
    bool has_law;
    int npole, nplant_pole;
    gos_root *pole, *plant_pole; // of the closed loop (npole), with more modes (nplant_pole)
    int nopen;
    gos_root *open; // of the plant with more modes alone (nopen)
    int nmode;
    gos_design_mode *mode; // of the plant with more modes (nmode)
    int ncandidate;
    gos_design_input *candidate; // (ncandidate)
    int nerror;
    gos_design_error *error; // (nerror)
    int ncourse;
    gos_design_course *course;    // (ncourse)
    const char *no_course;        // why there is none; NULL: none was asked for, or there are some
    struct gos_design_view *view; // what reports show of the model (io/design_view.h), or NULL
};

/** An empty design. Free with gos_design_destroy. */
gos_status gos__design_create(gos_ctx *ctx, gos_design **design);

/* Plants with those ports that a design speaks of: inputs that drive (nu), then the disturbance;
   outputs that are measured (ny), then the one that weights and norms are of, where there is one */
typedef struct gos_design_plant {
    gos_plant plant;
    int nu, ny;
    bool disturbed, watched;
    int positions; // the first states are positions, as many rates follow, then others
    int rigid;     // so many of them are motions without stiffness
} gos_design_plant;

/** Which pole of the loop `closed` moves each of its first modes most, n of them: of a plant whose
 * first n states are positions and the next n their rates. period: of sampled loops, 0 of
 * continuous ones. (design_modes.c) */
gos_status gos__design_follow(gos_ctx *ctx, const gos_plant *closed, int n, double period,
                              gos_design_mode *mode);

/** What the controller does on its own plant and on one with more modes: poles, norms, margins,
 * errors, into the report and the arrays of the design. `controller` is that of design->law, or of
 * a state feedback, as a plant from ny to nu; sampled ones have the equations of samples. */
gos_status gos__design_try(gos_ctx *ctx, const gos_design_plant *own, const gos_design_plant *rich,
                           const gos_plant *controller, const gos_design_options *options,
                           gos_design *design);

/** Does a pattern mean this name: the same, with * for anything, or a probe, load or entry with its
 * components or channels? */
bool gos__design_names(const char *pattern, const char *name);
/** What is measured of electrodes, "charge" or "motional_current". */
const char *gos__design_sensed(const gos_design_options *options);
/** Outputs that are measured: signals, then electrodes; when inputs have been chosen, of the
 * electrodes those of their places. Otherwise as gos__design_ports.
 *  @return GOS_E_INPUT: an input that was chosen has no electrode to be measured at its place */
gos_status gos__design_signals(gos_ctx *ctx, const gos_linear *linear,
                               const gos_design_options *options, gos_arena *arena, int **index,
                               int **of_pattern, int *n);
/** Ports by names and patterns: index[i] and of which pattern[i] (n); each port once, in the order
 * of the patterns, then of the model. `is_input` says among which. Both are in the arena.
 *  @return GOS_E_INPUT: a pattern that nothing matches, with the names that there are */
gos_status gos__design_ports(gos_ctx *ctx, const gos_linear *linear, bool is_input, int npattern,
                             const char *const *pattern, gos_arena *arena, int **index,
                             int **of_pattern, int *n);

#endif
