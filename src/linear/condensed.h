#ifndef GOS_CONDENSED_H
#define GOS_CONDENSED_H

#include "linear/linear.h"

/** Model with phi = K_phi^-1 (B_phi u - H_phi q - T_phi theta) substituted: charge-controlled
 *  electrodes stiffen (K - G_phi K_phi^-1 H_phi), driven ones become forces, outputs of
 *  potentials get feedthrough (Y_u). If inputs heat through P phi', the new temperatures include
 *  a multiple of the inputs, which avoids input rates. Free with gos_linear_destroy. @return
 *  GOS_E_SINGULAR if K_phi is singular, GOS_E_LIMIT above 3e7 stiffness entries (potentials
 *  couple all coordinates they touch). */
gos_status gos__linear_condensed(gos_ctx *ctx, const gos_linear *l, gos_linear **condensed);
/** *use: l, or its condensed model *own if it has potentials (else NULL); the caller destroys
 *  *own. */
gos_status gos__linear_condense(gos_ctx *ctx, const gos_linear *l, gos_linear **own,
                                const gos_linear **use);

#endif
