/* Models without their electric potentials. */
#ifndef GOS_CONDENSED_H
#define GOS_CONDENSED_H

#include "linear/linear.h"

/** The same inputs and outputs, displacements and temperatures without potentials: phi = K_phi^-1
 * (B_phi u - H_phi q - T_phi theta) is put in everywhere, so that electrodes whose charge is given
 * stiffen (K - G_phi K_phi^-1 H_phi), driven ones are forces, and outputs that see potentials keep
 * what the inputs do to them at once (Y_u). Where inputs warm by rates of potentials, P phi', the
 *  temperatures of the new model are those of the full one plus a multiple of the inputs, so that
 * no rate of an input is needed. Names, constraints and rigid motions stay. Free with
 * gos_linear_destroy.
 *  @return GOS_E_SINGULAR when K_phi does not determine the potentials, GOS_E_LIMIT when the
 * stiffness would have more than 3e7 entries: what potentials touch is coupled, each with each. */
gos_status gos__linear_condensed(gos_ctx *ctx, const gos_linear *l, gos_linear **condensed);
/** *use: l, or where it has potentials the model without them, which is *own (else NULL), to be
 * destroyed. */
gos_status gos__linear_condense(gos_ctx *ctx, const gos_linear *l, gos_linear **own,
                                const gos_linear **use);

#endif
