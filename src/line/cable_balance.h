/* Axial force of cables from element equilibrium. */
#ifndef GOS_CABLE_BALANCE_H
#define GOS_CABLE_BALANCE_H

#include "parts/builder.h"

/** gos_body_ops.balance, balanced. */
gos_status gos__cable_balance(gos_builder *b, const gos_body *body, const gos_location *p,
                              gos_balance *to);
double gos__cable_balanced(const gos_body *b, const void *data, const gos_balance_state *s,
                           double *strain, double *force);

#endif
