/* What turning rigid interfaces does to second order. Their nodes move along circles, at - r
   theta^2 / 2 and so on, which amplitudes do not know: u_k = u + theta x r_k + theta x (theta x
   r_k) / 2. Forces that link a node to its interface do work on the last term, as loads at it do
   (docs/theory.md). An averaging interface whose reference point lies off its nodes is such an arm,
   too. */
#ifndef GOS_MESH_TURNED_H
#define GOS_MESH_TURNED_H

#include "floating/reference_conditions.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_turned gos_mesh_turned;

/** Of the body `flex`, with the places of its mesh and what its frame holds, which stays there to
 * second order, too; *turned = NULL: there are none. In the builder's arena, valid as long as the
 * others live. */
gos_status gos__mesh_turned(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                            const gos_mesh_places *places, const gos_mesh_hold *hold,
                            gos_mesh_turned **turned);
/** The form (flex->n, flex->n) of the work that link forces of displacements u (freedoms) and
 * temperatures t (temperatures; NULL: 0) do on it, z^T S z / 2. */
gos_status gos__mesh_turned_links(gos_mesh_turned *turned, const double *u, const double *t,
                                  gos_sparse *S);
/** That of the displacement of second order of a place along c ... */
gos_status gos__mesh_turned_place(gos_mesh_turned *turned, int place, int c, gos_sparse *S);
/** ... of the rotation of the whole body about axis c by which a chord's end stays on the chord
 * ... */
gos_status gos__mesh_turned_turn(gos_mesh_turned *turned, int c, gos_sparse *S);
/** ... and of its integral over the mass with field d of the rigid body (1, X_1 ...). */
gos_status gos__mesh_turned_moment(gos_mesh_turned *turned, int c, int d, gos_sparse *S);

#endif
