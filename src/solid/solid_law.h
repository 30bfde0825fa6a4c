/* Laws of solids: volume, and surfaces that receive heat. */
#ifndef GOS_SOLID_LAW_H
#define GOS_SOLID_LAW_H

#include "parts/parts.h"

/* Temperature-dependent constants with temperature derivatives. */
typedef struct gos_solid_at {
    double la[3], mu[3]; // Lame's constants, first and second derivatives [Pa, Pa/K, Pa/K^2]
    double lv[2], mv[2]; // ... of the viscous stress, first derivatives
    double a[3];         // thermal strain, first and second derivatives [-, 1/K, 1/K^2]
} gos_solid_at;

typedef struct gos_solid_par {
    // material with temperature-dependent constants; NULL: constants below
    const gos_material *over;
    double lambda, mu;     // Lame's constants [Pa]
    double lambda_v, mu_v; // ... of the viscous stress [Pa s]
    double alpha;          // thermal expansion [1/K]
    double T0;             // absolute reference temperature of thermoelastic heat [K]; 0: off
    double viscous;        // 1: the viscous power heats the body, 0: off
} gos_solid_par;

/** Saint Venant-Kirchhoff with thermal strain and Kelvin-Voigt damping. z: columns F_1, F_2, F_3 of
 * the deformation gradient; family T; Green-Lagrange strains E11, E22, E33, 2 E12, 2 E23, 2 E13 [-]
 * and second Piola-Kirchhoff stresses [Pa], viscous parts included, in the axes of the reference
 * configuration. */
extern const gos_law gos__solid_law;

/** Stress-free surface of a solid. z: two tangent vectors, orthonormal in the reference
 * configuration; their cross product is the outward normal, the only direction that fluxes depend
 * on. */
extern const gos_law gos__skin_law;

/** Constants of par->over at a temperature above the reference. Tables and expressions count as
 * linear in second derivatives. */
void gos__solid_law_at(const gos_solid_par *par, double T, gos_solid_at *at);

/** Lame's constants, and viscous factors such that shear dissipates by gamma_s and a bar by gamma_n
 * (theory 1.5). A temperature-dependent material is stored in par->over, with any nu below 1/2.
 * @return false if volume changes would gain energy: gamma_n < 2 (1 + nu)/3 gamma_s */
bool gos__solid_law_make(const gos_material *m, gos_solid_par *par);

#endif
