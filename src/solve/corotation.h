/* Corotational reuse of factors. Internal forces are objective, so the matrix of a rotated
 * structure is the rotated matrix: J(R q) = R J(q) R^T. Rotating right-hand sides back and
 * corrections forth keeps factors useful over large rotations (theory 4.8). Rotations are
 * node-wise (gos_body.turn); inexact ones only slow down Newton's iteration. */
#ifndef GOS_COROTATION_H
#define GOS_COROTATION_H

#include "system/system.h"

typedef struct gos_corotation gos_corotation;

gos_status gos__corotation_create(gos_ctx *ctx, const gos_system *sys, gos_corotation **c);
void gos__corotation_destroy(gos_corotation *c);
/** Set the configuration q (nv, 3) of the factorisation. */
void gos__corotation_set(gos_corotation *c, const double *q);
/** Compute rotations from there to the configuration q. */
void gos__corotation_turn(gos_corotation *c, const double *q);
/** As gos__corotation_turn if any has changed by more than a tolerance. */
void gos__corotation_update(gos_corotation *c, const double *q);
/** Configuration (nv, 3) of the last update, NULL if nothing has rotated; with that of the
 * factorisation it is the whole history. Borrowed. */
const double *gos__corotation_updated_at(const gos_corotation *c);
/** Restore the configuration of the factorisation and the value of gos__corotation_updated_at. */
void gos__corotation_restore(gos_corotation *c, const double *ref, const double *updated_at);
/** Largest relative rotation of consecutive coordinates since the factorisation [rad],
 * approximately. */
double gos__corotation_bend(gos_corotation *c);
/** Have the sides of a joint rotated too far apart for its rows to rotate? Positions may still
 * converge, but multipliers do not. */
bool gos__corotation_far(const gos_corotation *c);
/** Rotate a right-hand side into the factorised configuration, in place, all unknowns. */
void gos__corotation_back(const gos_corotation *c, double *r);
/** Rotate a correction to the present configuration. */
void gos__corotation_forth(const gos_corotation *c, double *r);
/** As gos__corotation_back and _forth for coordinates alone (nv, 3). */
void gos__corotation_coordinates_back(const gos_corotation *c, double *q);
void gos__corotation_coordinates_forth(const gos_corotation *c, double *q);

#endif
