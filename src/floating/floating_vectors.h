/* Vectors of reduced floating bodies. */
#ifndef GOS_FLOATING_VECTORS_H
#define GOS_FLOATING_VECTORS_H

#include "floating/floating_loads.h"
#include "floating/residual_modes.h"
#include "linear_reduction/reduce.h"

typedef struct gos_floating_own_def {
    gos_texts inputs, outputs, statics, state, motions;
    gos_numbers inertia;
    int film; // 0: exclude films, 1: include them
} gos_floating_own_def;

typedef struct gos_floating_reducing {
    gos_builder *b;
    const gos_node *entry; // entry `reduce`, or an empty map
    const char *object;
    const gos_floating_names *names;
    double zeta;          // damping ratio applied later to every mode
    const gos_type *type; // method
    gos_floating_own_def own;
    gos_linear_reduction_options options;
    gos_floating_loads inputs, outputs, statics, joints;
    gos_floating_missing missing; // correction
    bool dependent;               // quasi-static thermal deformations
    bool offered;                 // add joint deflections if needed
    double left;                  // fraction of joint deflections outside the basis
} gos_floating_reducing;

/** Vectors of the method, static deflections and, if insulated, a uniform temperature, for the body
 * under state loads; error estimates in the report. */
gos_status gos__floating_vectors(const gos_floating_reducing *r, const gos_flex *loaded,
                                 gos_space *space, gos_linear_reduction_report *report);
/** Given method and order, undamped body: moments of a damped body would spend every second vector
 * on damping. */
gos_status gos__floating_add_vectors(gos_ctx *ctx, const gos_flex *flex,
                                     const gos_floating_loads *loads,
                                     const gos_floating_loads *outputs,
                                     const gos_linear_reduction_options *options, gos_space *space);
/** Move messages of a separate context to the entry. @return status */
gos_status gos__floating_pass_on(const gos_floating_reducing *r, gos_ctx *quiet, gos_status status);
/** Duration of the model's analysis [s]. */
gos_status gos__floating_end(const gos_floating_reducing *r, double otherwise, double *end);
bool gos__floating_heats_any(const gos_floating_loads *loads);

#endif
