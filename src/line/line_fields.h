/* Smooth fields P_k(2x/l - 1) of line bodies (theory 8). */
#ifndef GOS_LINE_FIELDS_H
#define GOS_LINE_FIELDS_H

#include "parts/parts.h"

#define GOS_LINE_FIELDS 60 // limit of the quadrature

/** @return GOS_E_LIMIT with a message if n is too large. */
gos_status gos__line_check(gos_ctx *ctx, const gos_body *b, int n);
/** P_0 .. P_(n-1) and x-derivatives at x; d and dd may be NULL. */
void gos__line_polynomials(const gos_body *b, int n, double x, double *P, double *d, double *dd);
/** Of f->nt polynomials (theory 2.1): int P_i P_j is diagonal, int P_i' P_j' is not. */
void gos__line_thermal(const gos_body *b, gos_body_fields *f);

#endif
