/* Materials of finite elements: linear, thermoelastic, in axes of their own. Strains and stresses
   in the order xx, yy, zz, xy, yz, zx, shears as angles. */
#ifndef GOS_FE_MATERIAL_H
#define GOS_FE_MATERIAL_H

#include "base/base.h"

typedef struct gos_fe_material {
    double density;            // [kg/m^3]
    double stiffness[6][6];    // stress by strain [Pa]
    double expansion[6];       // strain by temperature [1/K]
    double conductivity[3][3]; // heat flux by fall of temperature [W/(m K)]
    double heat;               // specific heat [J/(kg K)]
} gos_fe_material;

/** Stiffness of an isotropic material; the rest is left alone.
 *  @return GOS_E_INPUT with a record at loc when its energy is not positive: E > 0, -1 < nu <
 * 1/2 */
gos_status gos__fe_isotropic(gos_ctx *ctx, gos_loc loc, const char *object, double E, double nu,
                             gos_fe_material *m);
/** Stiffness by engineering constants: E1, E2, E3; nu12, nu13, nu23 (strain along the second axis
 * by stress along the first); G12, G13, G23. */
gos_status gos__fe_orthotropic(gos_ctx *ctx, gos_loc loc, const char *object, const double E[3],
                               const double nu[3], const double G[3], gos_fe_material *m);
/** The material in the axes in whose terms the rows of `axes` are its own axes. */
void gos__fe_material_turn(const gos_fe_material *m, double axes[3][3], gos_fe_material *turned);
/** Its stiffness and expansion where the stresses zz, yz, zx vanish: these rows and columns become
 * 0. */
void gos__fe_material_thin(gos_fe_material *m);

#endif
