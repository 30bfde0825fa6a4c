/* Stress and strain of full and reduced mesh bodies. */
#ifndef GOS_MESH_STRESS_H
#define GOS_MESH_STRESS_H

#include "floating/floating.h"
#include "floating/mesh_locations.h"
#include "fe/mesh_body.h"

typedef struct gos_mesh_stress {
    int npart;
    const gos_fe_part *part;     // (npart); shared per material
    const char *const *material; // (npart)
    gos_fe_body *fe;             // at the first request, in the arena
    int *freedom;                // 6 node + component of each freedom of fe
    int *temperature;            // 2 node of each temperature of fe; of gradients 2 node + 1
    int ndrawn;
    const int *drawn,
        *drawn_part; // drawn nodes and their parts (ndrawn), see mesh_picture.h
} gos_mesh_stress;

/** gos_body_ops.recover at `locations`, surfaces, or the whole body. */
gos_status gos__mesh_stress(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                            const gos_floating_body *f, const gos_mesh_locations *locations,
                            const gos_location *p, const gos_recovery *what, int *n,
                            gos_recovered **r);
/** gos_body_ops.recover_at, interpolated in the cell. */
gos_status gos__mesh_stress_at(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                               const gos_floating_body *f, const gos_mesh *mesh, const double x[3],
                               const gos_recovery *what, gos_recovered **r);
/** gos_body_ops.recover_drawn: drawn nodes follow the body's own (nnode). */
gos_status gos__mesh_stress_drawn(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                                  const gos_floating_body *f, const gos_mesh *mesh,
                                  const gos_recovery *what, gos_recovered **r);

/** Whether two beams are parallel, in either sense: beams are averaged if aligned. */
bool gos__mesh_beam_goes_on(const gos_mesh *m, int cell, int other);
/** *corner: a node where beams like `part` meet in different directions, -1: none. */
gos_status gos__mesh_beam_corner(const gos_fe_body *fe, const gos_fe_part *part, int n,
                                 const int *node, int *corner);

#endif
