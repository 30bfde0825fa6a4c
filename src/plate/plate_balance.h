/* Membrane forces of plates from element equilibrium. */
#ifndef GOS_PLATE_BALANCE_H
#define GOS_PLATE_BALANCE_H

#include "plate/plate.h"

/** gos_body_ops.balance, balanced. */
gos_status gos__plate_balance(gos_builder *b, const gos_body *body, const gos_location *p,
                              gos_balance *to);
double gos__plate_balanced(const gos_body *b, const void *data, const gos_balance_state *s,
                           double *strain, double *force);

#endif
