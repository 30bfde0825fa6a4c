/* Linear thermoelastic materials in their own axes, order xx, yy, zz, xy, yz, zx, engineering
   shears. */
#ifndef GOS_FE_MATERIAL_H
#define GOS_FE_MATERIAL_H

#include "base/base.h"

typedef struct gos_fe_material {
    double density;            // [kg/m^3]
    double stiffness[6][6];    // stress by strain [Pa]
    double expansion[6];       // strain per temperature [1/K]
    double conductivity[3][3]; // heat flux per negative temperature gradient [W/(m K)]
    double heat;               // specific heat [J/(kg K)]
} gos_fe_material;

/** Set the stiffness only. @return GOS_E_INPUT with a record unless E > 0, -1 < nu < 1/2 */
gos_status gos__fe_isotropic(gos_ctx *ctx, gos_loc loc, const char *object, double E, double nu,
                             gos_fe_material *m);
/** Set the stiffness from E1, E2, E3; nu12, nu13, nu23 (strain along the second axis by stress
 * along the first); G12, G13, G23. */
gos_status gos__fe_orthotropic(gos_ctx *ctx, gos_loc loc, const char *object, const double E[3],
                               const double nu[3], const double G[3], gos_fe_material *m);
/** Rotate a material; rows of `axes` are its own axes in the new ones. */
void gos__fe_material_turn(const gos_fe_material *m, double axes[3][3], gos_fe_material *turned);
/** Reduce to zero stresses zz, yz, zx: these rows and columns become 0. */
void gos__fe_material_thin(gos_fe_material *m);

#endif
