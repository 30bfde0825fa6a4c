/* The parts of residual and Newton matrix that grow with the mesh. */
#ifndef GOS_MESH_ASSEMBLY_H
#define GOS_MESH_ASSEMBLY_H

#include "system/thread_shares.h"

/** Inertia, gravity, conduction and points: r->q and r->th are written, not added to; so are
 * energies and heat of sums (NULL: none). w is at the time of x. */
void gos__mesh_residual(gos_work *w, const gos_point_of *x, const gos_residual *r, gos_sums *sums);
/** Mass, capacity, conduction and points: w->values is written. */
void gos__mesh_jacobian(gos_work *w, const gos_point_of *x, const gos_newton_factors *f);

#endif
