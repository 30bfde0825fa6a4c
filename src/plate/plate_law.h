/* The laws of the thin ANCF plate (theory 2.7, 1.5, 2.6). */
#ifndef GOS_PLATE_LAW_H
#define GOS_PLATE_LAW_H

#include "parts/law.h"

typedef struct gos_plate_par {
    double A;       // E h / (1 - nu^2) [N/m]
    double B;       // E h^3 / (12 (1 - nu^2)) [N m]; of a layer about the midsurface
    double C;       // coupling -zeta A [N] of a layer
    double zeta;    // height of the layer's middle [m]
    double nu;      // Poisson's ratio [-]
    double gamma_n; // Kelvin-Voigt, normal strains and curvatures [s]
    double gamma_s; // ... shear and twist [s]
    double alpha;   // thermal expansion [1/K]
    double T0;      // of thermoelastic heat, absolute [K]; 0: off
    double viscous; // 1: viscous power heats the body
} gos_plate_par;

/* Orthotropic plates and laminates; curvatures of -z. */
typedef struct gos_plate_plies_par {
    double C[6][6];    // per strain [N/m, N, N m]
    double V[6][6];    // viscous, per strain rate
    double H[6][6];    // viscous power into T_z: each ply's times its height
    double free[2][6]; // stress-free strains by T, T_z
    double F[2][6];    // resultants C free
    double T0;         // as above
    double viscous;
    bool damped; // V is not 0
} gos_plate_plies_par;

/* z = (r_1, r_2, r_11, r_22, r_12); families T, T_z; strains E_11, E_22, 2 E_12 [-], b_11, b_22, 2
 * b_12 [1/m]; N_11, N_22, N_12 [N/m], M_11, M_22, M_12 [N] with viscous parts. */
extern const gos_law gos__plate_law;
extern const gos_law gos__plate_plies_law;

/* of both laws */
extern const char *const gos__plate_strain_names[];
extern const char *const gos__plate_force_names[];
void gos__plate_cosines(const void *par, const gos_batch *b, const double *u, double *c,
                        double *dc);

#endif
