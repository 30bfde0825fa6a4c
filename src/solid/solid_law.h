/* The laws of solids: of the volume, and of the surfaces through which heat comes in. */
#ifndef GOS_SOLID_LAW_H
#define GOS_SOLID_LAW_H

#include "parts/parts.h"

/* Constants that depend on the temperature, with derivatives by it. */
typedef struct gos_solid_at {
    double la[3], mu[3]; // Lame's constants, first and second derivatives [Pa, Pa/K, Pa/K^2]
    double lv[2], mv[2]; // ... of the viscous stress, and first derivatives
    double a[3];         // thermal strain, first and second derivatives [-, 1/K, 1/K^2]
} gos_solid_at;

typedef struct gos_solid_par {
    const gos_material *over; // whose constants depend on the temperature; NULL: those below hold
    double lambda, mu;        // Lame's constants [Pa]
    double lambda_v, mu_v;    // ... of the viscous stress [Pa s]
    double alpha;             // thermal expansion [1/K]
    double T0;      // absolute reference temperature of thermoelastic heat [K]; 0: left out
    double viscous; // 1: the viscous power heats the body, 0: left out
} gos_solid_par;

/** Saint Venant-Kirchhoff with thermal strain and Kelvin-Voigt damping. z: the columns F_1, F_2,
 * F_3 of the deformation gradient; family T; strains E11, E22, E33, 2 E12, 2 E23, 2 E13 of Green
 * and Lagrange [-] and the second Piola-Kirchhoff stresses [Pa] that belong to them, viscous parts
 * included, in the axes in which the reference configuration is given. */
extern const gos_law gos__solid_law;

/** The surface of a solid, which has no stress. z: two vectors along it, in the reference
 * configuration orthogonal and of length 1; their product is the outward normal, the one direction
 * that a flux sees. */
extern const gos_law gos__skin_law;

/** What holds at a temperature over the reference, of par->over. Tables and expressions count as
 * straight where a second derivative is asked for. */
void gos__solid_law_at(const gos_solid_par *par, double T, gos_solid_at *at);

/** Lame's constants, and factors for the viscous stress so that shear dissipates by gamma_s and a
 * bar by gamma_n (theory 1.5). Where the material varies, par->over is it, and nu may be any below
 * 1/2.
 *  @return false where that asks for volume changes that gain energy: gamma_n is below 2 (1 + nu)/3
 * gamma_s */
bool gos__solid_law_make(const gos_material *m, gos_solid_par *par);

#endif
