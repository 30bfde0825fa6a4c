/* Second-order effects of rotating rigid interfaces. Their nodes move on circles, u_k = u + theta x
   r_k + theta x (theta x r_k) / 2, but amplitudes are linear. Link forces between node and
   interface do work on the last term, as loads on it do (docs/theory.md). An averaging interface
   with its reference point off its nodes is such an arm too. */
#ifndef GOS_MESH_TURNED_H
#define GOS_MESH_TURNED_H

#include "floating/reference_conditions.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_turned gos_mesh_turned;

/** For the body `flex` with its mesh locations and reference conditions, which stay fixed to second
 * order; *turned = NULL: no interfaces. In the builder's arena; refers to the arguments. */
gos_status gos__mesh_turned(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                            const gos_mesh_places *places, const gos_mesh_hold *hold,
                            gos_mesh_turned **turned);
/** Form (flex->n, flex->n) of the second-order work of link forces under displacements u (freedoms)
 * and temperatures t (temperatures; NULL: 0), z^T S z / 2. */
gos_status gos__mesh_turned_links(gos_mesh_turned *turned, const double *u, const double *t,
                                  gos_sparse *S);
/** Form of the second-order displacement of a location along c ... */
gos_status gos__mesh_turned_place(gos_mesh_turned *turned, int place, int c, gos_sparse *S);
/** ... of the rotation of the whole body about axis c that keeps the chord's end on the chord ...
 */
gos_status gos__mesh_turned_turn(gos_mesh_turned *turned, int c, gos_sparse *S);
/** ... and of its integral over the mass with rigid-body field d (1, X_1 ...). */
gos_status gos__mesh_turned_moment(gos_mesh_turned *turned, int c, int d, gos_sparse *S);

#endif
