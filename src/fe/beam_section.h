/* Beam sections and cell axes: x along the beam, y and z principal. */
#ifndef GOS_FE_BEAM_SECTION_H
#define GOS_FE_BEAM_SECTION_H

#include "base/base.h"

typedef struct gos_fe_profile {
    double A;             // area [m^2]
    double Iy, Iz, J;     // int z^2, int y^2, Saint-Venant torsion [m^4]
    double shear[2];      // shear factors of G A for forces along y and z [-]
    double perimeter;     // 0: unknown [m]
    double height, width; // of a rectangle, along y and z; 0: not a rectangle [m]
    double radius;        // outer, of a circle or tube; 0: neither [m]
    // projected: z; 0: e3, or e2 within 20 degrees of e3
    double normal[3];
    double turn;      // additional rotation of y and z about x [rad]
    double offset[2]; // of its centre from the nodes, along y and z [m]
} gos_fe_profile;

/** Rows: axes of a cell. @return false without length, or with the normal along it */
bool gos__fe_profile_axes(const gos_fe_profile *p, const double x0[3], const double x1[3],
                          double axis[3][3], double *length);
/** Whether y, z is inside the outline, as far as that is known. */
bool gos__fe_profile_has(const gos_fe_profile *p, double y, double z);
bool gos__fe_profile_same(const gos_fe_profile *p, const gos_fe_profile *q);

#endif
