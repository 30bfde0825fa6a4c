/* The vectors on which a floating body is reduced. */
#ifndef GOS_FLOATING_VECTORS_H
#define GOS_FLOATING_VECTORS_H

#include "floating/floating_loads.h"
#include "floating/residual_modes.h"
#include "linear_reduction/reduce.h"

/* What a table says besides the method's own keys. */
typedef struct gos_floating_own_def {
    gos_texts inputs, outputs, statics, state, motions;
    gos_numbers inertia;
    int film; // 0: without films, 1: with them
} gos_floating_own_def;

/* The entry `reduce` of a body. */
typedef struct gos_floating_reducing {
    gos_builder *b;
    const gos_node *entry; // of `reduce`; an empty map without one
    const char *object;
    const gos_floating_names *names;
    double zeta;          // damping ratio of every mode, if the reduced body is yet to get it
    const gos_type *type; // the method
    gos_floating_own_def own;
    gos_linear_reduction_options options;
    gos_floating_loads inputs, outputs, statics, joints;
    gos_floating_missing missing; // the correction
    bool slaved;                  // deformations under temperatures follow these at once
    bool offered;                 // deflections under forces of joints are added if they are needed
    double
        left; // part of the deflection under forces and moments of joints that the basis leaves out
} gos_floating_reducing;

/** Vectors of the entry's method, of a body as it is loaded in its state, of its static deflections
 * and, where it is insulated, of a uniform temperature, into the space; what is known of the error
 * into the report. */
gos_status gos__floating_vectors(const gos_floating_reducing *r, const gos_flex *loaded,
                                 gos_space *space, gos_linear_reduction_report *report);
/** Vectors of a method and an order that are known, of the body without its damping: that of a body
 * is small and hardly changes its shapes, while moments of a damped body spend every second vector
 * on it. */
gos_status gos__floating_add_vectors(gos_ctx *ctx, const gos_flex *flex,
                                     const gos_floating_loads *loads,
                                     const gos_floating_loads *outputs,
                                     const gos_linear_reduction_options *options, gos_space *space);
/** What a context of its own has to say of the model of the body gets the place of the entry.
 * @return status */
gos_status gos__floating_pass_on(const gos_floating_reducing *r, gos_ctx *quiet, gos_status status);
/** Does one of the loads heat? */
bool gos__floating_heats_any(const gos_floating_loads *loads);

#endif
