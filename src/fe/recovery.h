/* Strains and stresses of bodies of meshes. In each cell they are taken at the points where they
   are most accurate (as many as corners), carried on to the nodes by the linear functions through
   these, and averaged over the cells of one material at a node. Components xx, yy, zz, xy, yz, zx
   in the axes of the mesh, shears as angles; of rings xx is radial, zz around the axis. */
#ifndef GOS_FE_RECOVERY_H
#define GOS_FE_RECOVERY_H

#include "fe/mesh_body.h"

typedef enum gos_fe_quantity { GOS_FE_STRESS, GOS_FE_STRAIN } gos_fe_quantity;

/* What is asked for, and where. */
typedef struct gos_fe_recovery {
    gos_fe_quantity quantity;
    const gos_fe_material *material; // cells of parts with this one ...
    double thickness;                // ... and this thickness ...
    const gos_fe_profile *profile;   // ... and, of beams, this section alone; NULL: all
    gos_fe_depth
        depth; // face of shells: 1 on the side of the directors, -1 on the other, 0 the middle
} gos_fe_recovery;

/* Components at places by displacements and temperatures: columns 6 k + component, k counts
   places. */
typedef struct gos_fe_components {
    gos_sparse by_u; // (freedoms, 6 places) [Pa/m] or [1/m]
    gos_sparse by_t; // (temperatures, 6 places) [Pa/K] or [1/K]
} gos_fe_components;

/** At n nodes, as linear functions of displacements and temperatures: for probes of full and
 * reduced bodies. Free both matrices also after a failure. GOS_E_INPUT with a record when no cell
 * of the material has the node. */
gos_status gos__fe_components_at_nodes(const gos_fe_body *body, const gos_fe_recovery *what, int n,
                                       const int *node, gos_fe_components *c);
/** At a point of a cell, natural coordinates, without average. */
gos_status gos__fe_components_at_point(const gos_fe_body *body, const gos_fe_recovery *what,
                                       int cell, const double at[3], gos_fe_components *c);
void gos__fe_components_free(gos_ctx *ctx, gos_fe_components *c);
/** At all nodes, of the displacements u (freedoms) and temperatures t (NULL: 0): value (nodes, 6),
 * and the number of cells of each average (nodes), 0 where the value is 0 for want of cells. */
gos_status gos__fe_field(const gos_fe_body *body, const gos_fe_recovery *what, const double *u,
                         const double *t, double (*value)[6], int *count);

/** Von Mises' stress. */
double gos__fe_mises(const double stress[6]);
/** Principal values, descending; of strains too. Not numbers where `value` is none. */
void gos__fe_principal(gos_fe_quantity quantity, const double value[6], double principal[3]);

#endif
