/* Second-order rotation of rigid interfaces: nodes move on circles, u_k = u + theta x r_k + theta x
   (theta x r_k) / 2. Link forces do work on the last term (docs/theory.md). Averaging interfaces
   with an offset point are such arms too. */
#ifndef GOS_MESH_TURNED_H
#define GOS_MESH_TURNED_H

#include "floating/reference_conditions.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_turned gos_mesh_turned;

/** Reference conditions hold to second order; *turned = NULL: no interfaces. In the builder's
 * arena; refers to the arguments. */
gos_status gos__mesh_turned(gos_builder *b, const gos_fe_body *fe, const gos_flex *flex,
                            const gos_mesh_locations *places, const gos_mesh_hold *hold,
                            gos_mesh_turned **turned);
/** Work z^T S z / 2 of link forces by displacements u (freedoms) and temperatures t (NULL: 0). */
gos_status gos__mesh_turned_links(gos_mesh_turned *turned, const double *u, const double *t,
                                  gos_sparse *S);
/** Second-order displacement of a location along c ... */
gos_status gos__mesh_turned_location(gos_mesh_turned *turned, int place, int c, gos_sparse *S);
/** ... rotation of the body about axis c that keeps the chord's end on the chord ... */
gos_status gos__mesh_turned_turn(gos_mesh_turned *turned, int c, gos_sparse *S);
/** ... integral over the mass with field d (1, X_1 ...). */
gos_status gos__mesh_turned_moment(gos_mesh_turned *turned, int c, int d, gos_sparse *S);

#endif
