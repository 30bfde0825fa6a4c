/* Stress and strain at locations of mesh bodies from amplitudes and temperatures, full or reduced.
 */
#ifndef GOS_MESH_STRESS_H
#define GOS_MESH_STRESS_H

#include "floating/floating.h"
#include "floating/mesh_places.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_stress {
    int npart;
    const gos_fe_part *part;     // (npart); those of one material share it
    const char *const *material; // names, of each part (npart)
    gos_fe_body *fe;             // made at the first request, in the arena
    int *freedom;                // 6 node + component of each freedom of fe
    int *temperature;            // 2 node of each temperature of fe, 2 node + 1 of its gradient
    int ndrawn;
    const int *drawn,
        *drawn_part; // drawn nodes and their parts (ndrawn), see mesh_picture.h
} gos_mesh_stress;

/** gos_body_ops.recover; locations are those of `places`, surfaces, and the whole body. */
gos_status gos__mesh_stress(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                            const gos_floating_body *f, const gos_mesh_places *places,
                            const gos_place *p, const gos_recovery *what, int *n,
                            gos_recovered **r);
/** gos_body_ops.recover_at: interpolates nodal values by the shape functions of the cell that
 * contains the point. */
gos_status gos__mesh_stress_at(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                               const gos_floating_body *f, const gos_mesh *mesh, const double x[3],
                               const gos_recovery *what, gos_recovered **r);
/** gos_body_ops.recover_drawn: at the drawn nodes, which follow the body's own (nnode). */
gos_status gos__mesh_stress_drawn(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                                  const gos_floating_body *f, const gos_mesh *mesh,
                                  const gos_recovery *what, gos_recovered **r);

#endif
