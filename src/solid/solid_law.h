/* Laws of solids and of heated surfaces. */
#ifndef GOS_SOLID_LAW_H
#define GOS_SOLID_LAW_H

#include "parts/law.h"
#include "parts/section.h"

typedef struct gos_solid_at {
    double la[3], mu[3]; // Lame's constants, derivatives [Pa, Pa/K, Pa/K^2]
    double lv[2], mv[2]; // ... viscous, first derivatives
    double a[3];         // thermal strain, derivatives [-, 1/K, 1/K^2]
} gos_solid_at;

typedef struct gos_solid_par {
    // temperature-dependent material; NULL: constants below
    const gos_material *over;
    double lambda, mu;     // Lame's constants [Pa]
    double lambda_v, mu_v; // ... viscous [Pa s]
    double alpha;          // thermal expansion [1/K]
    double T0;             // of thermoelastic heat, absolute [K]; 0: off
    double viscous;        // 1: viscous power heats the body
} gos_solid_par;

/** Saint Venant-Kirchhoff with thermal strain and Kelvin-Voigt damping. z: columns F_1, F_2, F_3 of
 * the deformation gradient; family T; Green-Lagrange strains E11, E22, E33, 2 E12, 2 E23, 2 E13
 * [-], second Piola-Kirchhoff stresses [Pa] with viscous parts, in the axes of the reference
 * configuration. */
extern const gos_law gos__solid_law;

/** Stress-free surface. z: two tangents, orthonormal in the reference configuration; their product
 * is the outward normal, on which fluxes depend. */
extern const gos_law gos__skin_law;

/** Constants of par->over at T above the reference; tables and expressions count as linear in
 * second derivatives. */
void gos__solid_law_at(const gos_solid_par *par, double T, gos_solid_at *at);

/** Viscous factors make shear dissipate by gamma_s, a bar by gamma_n (theory 1.5). A
 * temperature-dependent material is kept in par->over, with nu below 1/2. @return false if volume
 * changes would gain energy: gamma_n < 2 (1 + nu)/3 gamma_s */
bool gos__solid_law_make(const gos_material *m, gos_solid_par *par);

#endif
