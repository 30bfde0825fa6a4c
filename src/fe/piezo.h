/* Piezoelectric patches on the faces of shells: force and charge by voltage, capacitance, charge by
   temperature. Heckmann, Arnold, Vaculin, A modal multifield approach, Multibody Syst. Dyn. 13
   (2005), 3.1.1; theory of multifield elements, section 2. */
#ifndef GOS_FE_PIEZO_H
#define GOS_FE_PIEZO_H

#include "fe/mesh_body.h"

/* A thin sheet of ceramic on one face of a cell. Its axis 3 points away from the shell on both
   faces; the bonded face is at 0 V, the other one at the patch's voltage. Values are those of plane
   stress (reduced): e31 - e33 c13 / c33, eps33 + e33^2 / c33. */
typedef struct gos_fe_patch {
    int cell;            // of four nodes, of a shell
    int face;            // 1: on the side of the shell's normal, -1: on the other
    double thickness;    // [m]
    double e[3];         // e31, e32, e36 [C/m^2]
    double permittivity; // at constant strain [F/m]
    double pyro;         // charge by temperature [C/(m^2 K)]
    double
        along[3]; // direction of the patch's axis 1, in the surface as far as it lies there; 0: any
} gos_fe_patch;

/* What a patch is to the nodes at the corners of its cell, in the order of the cell. */
typedef struct gos_fe_patch_row {
    double force[4][6]; // on displacements and rotations, by voltage, on the right-hand side [N/V],
                        // [N m/V]
    double heat[4][2];  // charge by temperature, mean and gradient [C/K], [C m/K]
    double capacitance; // of the clamped patch [F]
    double area;        // in the middle of the patch [m^2]
} gos_fe_patch_row;

/** Of corners x and their directors n, counter-clockwise around the normal, of a shell of this
 * thickness. Charges by displacements are the same numbers as forces by voltages. GOS_E_INPUT
 * without a record: the cell is turned inside out at the patch. */
gos_status gos__fe_patch_row(double (*x)[3], double (*n)[3], double shell, const gos_fe_patch *p,
                             gos_fe_patch_row *row);
/** Of all patches of a body: forces (freedoms, n) by voltages, charges (n, temperatures) by
 * temperatures and capacitances (n). charge and capacitance may be NULL. Free the matrices, also
 * after a failure.
 *  @return GOS_E_INPUT with a record that names the cell: none of a shell, or turned inside out */
gos_status gos__fe_patches(const gos_fe_body *body, int n, const gos_fe_patch *patch,
                           gos_sparse *force, gos_sparse *charge, double *capacitance);

#endif
