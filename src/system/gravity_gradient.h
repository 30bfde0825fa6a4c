/* Gravity gradient: what the field of the central body does to all masses near the orbit
   (math/orbit.h).

   Every point of mass is a marker, x = sum w e, so that the forces G x dm of all of them are M G e
   with the same M as in M e'': exact for every body, reduced ones too. */
#ifndef GOS_GRAVITY_GRADIENT_H
#define GOS_GRAVITY_GRADIENT_H

#include "system/assemble.h"

/** Does the system feel it? */
bool gos__tide_acts(const gos_system *s);
/** The field at a point of evaluation, times its load factor; NULL: none acts. */
const double *gos__tide_field(const gos_work *w, const gos_point_of *x, double G[9]);
/** Add the forces on coordinates, without those on made vectors (made.c); with sums the power of
 * all. */
void gos__tide_residual(gos_work *w, const gos_point_of *x, const gos_residual *r, gos_sums *sums);
/** Its part of the Newton matrix, likewise. */
void gos__tide_jacobian(gos_work *w, const gos_point_of *x, const gos_newton_factors *f);
/** List its entries beyond those of the mass, always in the same order. */
void gos__tide_entries(const gos_system *s, gos_entry_sink *k);

#endif
