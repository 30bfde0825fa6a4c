/* Basis vectors of a reduced floating body. */
#ifndef GOS_FLOATING_VECTORS_H
#define GOS_FLOATING_VECTORS_H

#include "floating/floating_loads.h"
#include "floating/residual_modes.h"
#include "linear_reduction/reduce.h"

/* Keys besides the method's own. */
typedef struct gos_floating_own_def {
    gos_texts inputs, outputs, statics, state, motions;
    gos_numbers inertia;
    int film; // 0: exclude films, 1: include them
} gos_floating_own_def;

/* The entry `reduce` of a body. */
typedef struct gos_floating_reducing {
    gos_builder *b;
    const gos_node *entry; // entry `reduce`, or an empty map
    const char *object;
    const gos_floating_names *names;
    double zeta;          // damping ratio of every mode that the reduced body gets later
    const gos_type *type; // method
    gos_floating_own_def own;
    gos_linear_reduction_options options;
    gos_floating_loads inputs, outputs, statics, joints;
    gos_floating_missing missing; // correction
    bool slaved;                  // thermal deformations follow temperatures quasi-statically
    bool offered;                 // add deflections under joint forces if needed
    double left; // fraction of the deflection under joint forces and moments outside the basis
} gos_floating_reducing;

/** Vectors of the entry's method for the body under its state loads, static deflections and, if
 * insulated, a uniform temperature, into the space; error estimates into the report. */
gos_status gos__floating_vectors(const gos_floating_reducing *r, const gos_flex *loaded,
                                 gos_space *space, gos_linear_reduction_report *report);
/** Vectors of a given method and order, for the undamped body: body damping is small and hardly
 * changes the shapes, while moments of a damped body would spend every second vector on it. */
gos_status gos__floating_add_vectors(gos_ctx *ctx, const gos_flex *flex,
                                     const gos_floating_loads *loads,
                                     const gos_floating_loads *outputs,
                                     const gos_linear_reduction_options *options, gos_space *space);
/** Relocate the messages of a separate context about the body's linear model to the entry. @return
 * status */
gos_status gos__floating_pass_on(const gos_floating_reducing *r, gos_ctx *quiet, gos_status status);
/** Whether a load is heat. */
bool gos__floating_heats_any(const gos_floating_loads *loads);

#endif
