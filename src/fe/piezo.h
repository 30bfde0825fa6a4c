/* Piezoelectric patches on shells. Heckmann, Arnold, Vaculin, A modal multifield approach,
   Multibody Syst. Dyn. 13 (2005), 3.1.1; theory of multifield elements, section 2. */
#ifndef GOS_FE_PIEZO_H
#define GOS_FE_PIEZO_H

#include "fe/mesh_body.h"

/* Thin sheet on one face. Axis 3 points away from the shell; the bonded face is at 0 V. Constants
   for plane stress: e31 - e33 c13 / c33, eps33 + e33^2 / c33. */
typedef struct gos_fe_patch {
    int cell;            // of four nodes, of a shell
    int face;            // 1: on the side of the shell's normal, -1: the other
    double thickness;    // [m]
    double e[3];         // e31, e32, e36 [C/m^2]
    double permittivity; // at constant strain [F/m]
    double pyro;         // charge per temperature [C/(m^2 K)]
    double along[3];     // axis 1, projected; 0: arbitrary
} gos_fe_patch;

/* For the nodes of its cell, in order. */
typedef struct gos_fe_patch_row {
    // by voltage, on the right-hand side [N/V], [N m/V]
    double force[4][6];
    double heat[4][2];  // charge per temperature, mean and gradient [C/K], [C m/K]
    double capacitance; // of the clamped patch [F]
    double area;        // at mid-thickness of the patch [m^2]
} gos_fe_patch_row;

/** For corners x, directors n, counter-clockwise; `shell`: thickness. Charges per displacement
 * equal forces per voltage. GOS_E_INPUT without a record: inverted. */
gos_status gos__fe_patch_row(double (*x)[3], double (*n)[3], double shell, const gos_fe_patch *p,
                             gos_fe_patch_row *row);
/** Forces (freedoms, n) per voltage, charges (n, temperatures) per temperature (may be NULL),
 * capacitances (n; may be NULL). Free also after a failure. @return GOS_E_INPUT with a record: not
 * a shell, or inverted */
gos_status gos__fe_patches(const gos_fe_body *body, int n, const gos_fe_patch *patch,
                           gos_sparse *force, gos_sparse *charge, double *capacitance);

#endif
