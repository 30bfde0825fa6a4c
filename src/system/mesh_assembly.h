/* Mesh-dependent parts of residual and Newton matrix. */
#ifndef GOS_MESH_ASSEMBLY_H
#define GOS_MESH_ASSEMBLY_H

#include "system/thread_shares.h"

/** Inertia, gravity, conduction and points: overwrites r->q, r->th, and energies and heat of sums
 * (may be NULL). w must be at the time of x. */
void gos__mesh_residual(gos_work *w, const gos_point_of *x, const gos_residual *r, gos_sums *sums);
/** Mass, capacity, conduction and points: overwrites w->values. */
void gos__mesh_jacobian(gos_work *w, const gos_point_of *x, const gos_newton_factors *f);

#endif
