/* Gravity gradient on all masses near the orbit (math/orbit.h). Mass points are markers x = sum w
   e, so the total forces G x dm are M G e with the M of M e'', exact for every body, also
   reduced. */
#ifndef GOS_GRAVITY_GRADIENT_H
#define GOS_GRAVITY_GRADIENT_H

#include "system/assemble.h"

bool gos__gravity_gradient_acts(const gos_system *s);
/** Field times load factor; NULL: none. */
const double *gos__gravity_gradient_field(const gos_work *w, const gos_point_of *x, double G[9]);
/** Add forces on coordinates, without derived vectors (derived.c); sums include the total power. */
void gos__gravity_gradient_residual(gos_work *w, const gos_point_of *x, const gos_residual *r,
                                    gos_sums *sums);
/** Its Newton matrix part, without derived vectors. */
void gos__gravity_gradient_jacobian(gos_work *w, const gos_point_of *x,
                                    const gos_newton_factors *f);
/** List entries beyond those of the mass, in fixed order. */
void gos__gravity_gradient_entries(const gos_system *s, gos_entry_sink *k);

#endif
