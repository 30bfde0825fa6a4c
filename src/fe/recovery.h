/* Stress and strain: values at superconvergent points, extrapolated to nodes and averaged over
   cells of one material. Components xx, yy, zz, xy, yz, zx in mesh axes, engineering shears;
   axisymmetric: xx radial, zz circumferential. */
#ifndef GOS_FE_RECOVERY_H
#define GOS_FE_RECOVERY_H

#include "fe/mesh_body.h"

typedef enum gos_fe_quantity { GOS_FE_STRESS, GOS_FE_STRAIN } gos_fe_quantity;

/* Requested quantity and location. */
typedef struct gos_fe_recovery {
    gos_fe_quantity quantity;
    const gos_fe_material *material; // cells of parts with this material ...
    double thickness;                // ... and this thickness ...
    const gos_fe_profile *profile;   // ... and, for beams, this section; NULL: any
    gos_fe_depth depth;              // face: 1 on the side of the directors, -1 the other, 0 middle
} gos_fe_recovery;

/* Components at locations: column 6 k + component of location k. */
typedef struct gos_fe_components {
    gos_sparse by_u; // (freedoms, 6 locations) [Pa/m] or [1/m]
    gos_sparse by_t; // (temperatures, 6 locations) [Pa/K] or [1/K]
} gos_fe_components;

/** At n nodes, linear in displacements and temperatures. Free both matrices also after a failure.
 * GOS_E_INPUT with a record for a node without such a cell. */
gos_status gos__fe_components_at_nodes(const gos_fe_body *body, const gos_fe_recovery *what, int n,
                                       const int *node, gos_fe_components *c);
/** At a point of a cell (natural coordinates), without averaging. */
gos_status gos__fe_components_at_point(const gos_fe_body *body, const gos_fe_recovery *what,
                                       int cell, const double at[3], gos_fe_components *c);
void gos__fe_components_free(gos_ctx *ctx, gos_fe_components *c);
/** At all nodes for u (freedoms) and t (NULL: 0): value (nodes, 6), number of cells (nodes), 0:
 * value 0. */
gos_status gos__fe_field(const gos_fe_body *body, const gos_fe_recovery *what, const double *u,
                         const double *t, double (*value)[6], int *count);

/** Von Mises stress. */
double gos__fe_mises(const double stress[6]);
/** Principal values, descending. NaN if `value` contains NaN. */
void gos__fe_principal(gos_fe_quantity quantity, const double value[6], double principal[3]);

#endif
