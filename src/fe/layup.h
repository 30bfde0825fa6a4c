/* Laminates, from the lower face to the upper. Classical theory (Jones, Mechanics of Composite
   Materials, ch. 4) with transverse shears of equal energy (Rohwer, DLR-FB 88-32): stresses of
   moments M_xx, M_yy growing along x and y without in-plane forces are in equilibrium with the
   shears. Temperatures are linear per ply, with a common heat flux. */
#ifndef GOS_FE_LAYUP_H
#define GOS_FE_LAYUP_H

#include "fe/element.h"

typedef struct gos_fe_ply {
    const gos_fe_material *material; // own axes 1 and 2 in the surface
    double thickness;                // [m]
    double angle;                    // of axis 1 from that of the shell, about the normal [rad]
} gos_fe_ply;

struct gos_fe_layup {
    int n;
    const gos_fe_ply *ply; // (n)
};

/* A ply in shell axes; heights count from the middle. */
typedef struct gos_fe_lamina {
    double z[2];   // lower and upper face [m]
    double angle;  // of its own axis 1 [rad]
    double phi[2]; // temperatures there under unit gradient [m]
    gos_fe_material material;
    double Q[3][3]; // stress by strain, xx yy xy [Pa]
    // shears zx, yz by shear forces, at the lower face, middle and upper face [1/m]
    double tau[3][2][2];
} gos_fe_lamina;

/* (N, M) = (A, B; B, D) (strain, curvature), V = S shear; order xx yy xy and zx yz. */
typedef struct gos_fe_plate {
    double thickness;
    double A[3][3], B[3][3], D[3][3]; // [N/m], [N], [N m]
    double S[2][2];                   // [N/m]
    double strain[2][3];    // stress-free strain under unit mean temperature and unit gradient ...
    double bend[2][3];      // ... and curvature
    double mass[3];         // int rho (1, z, z^2)
    double heat[3];         // int rho c (1, phi, phi^2)
    double lambda[3][2][2]; // in-plane conduction, int lambda (1, phi, phi^2)
    double through;         // heat through all plies per gradient, times the thickness [W/K]
    double slant[2];        // int lambda_13, lambda_23: single ply with tilted axes only
    bool coupled;           // B is not 0
    double shear;           // shear energy over that of tau; of a single ply its correction
    int n;
    const gos_fe_lamina *lamina; // (n)
} gos_fe_plate;

/** Resultants of a homogeneous shell. @return GOS_E_MEMORY */
gos_status gos__fe_plate_single(const gos_fe_material *m, double thickness, gos_arena *arena,
                                gos_fe_plate *p);
/** Resultants of plies with positive energy. @return GOS_E_MEMORY, or GOS_E_INPUT with a record if
 * singular */
gos_status gos__fe_plate_layup(gos_ctx *ctx, gos_loc loc, const char *object,
                               const gos_fe_layup *layup, gos_arena *arena, gos_fe_plate *p);
/** Homogeneous material with equal in-plane stiffness, mass, heat, conduction. */
void gos__fe_plate_smear(const gos_fe_plate *p, gos_fe_material *m);
/** Whether both have equal plies at equal angles. */
bool gos__fe_layup_same(const gos_fe_layup *a, const gos_fe_layup *b);
/** Index of the ply at a height. */
int gos__fe_plate_at(const gos_fe_plate *p, double z);
/** Shears by shear forces at -1 ... 1 from the lower to the upper face of a ply. */
void gos__fe_lamina_shear(const gos_fe_lamina *l, double at, double tau[2][2]);

#endif
