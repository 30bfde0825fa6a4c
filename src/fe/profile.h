/* Cross-sections of beams in meshes, and the axes of a cell that has one: x along it, y and z
 * principal axes of the section. */
#ifndef GOS_FE_PROFILE_H
#define GOS_FE_PROFILE_H

#include "base/base.h"

typedef struct gos_fe_profile {
    double A;             // area [m^2]
    double Iy, Iz, J;     // int z^2, int y^2, of Saint-Venant's torsion [m^4]
    double shear[2];      // factors of the shear stiffness G A by forces along y and z [-]
    double perimeter;     // of its outline, 0: not known [m]
    double height, width; // of a rectangle, along y and z; 0: it is none [m]
    double radius;        // of a circle or tube, outer; 0: it is none [m]
    double normal[3]; // direction that is turned into z by the shortest way; 0: e3, or e2 where the
                      // beam is within 20 degrees of e3
    double turn;      // of y and z about x from there on [rad]
    double offset[2]; // of its centre from the nodes, along y and z [m]
} gos_fe_profile;

/** Axes of a cell from x0 to x1 in rows, and its length.
 *  @return whether the section has a direction: the normal is not along the cell, which has a
 * length */
bool gos__fe_profile_axes(const gos_fe_profile *p, const double x0[3], const double x1[3],
                          double axis[3][3], double *length);
/** Whether the point y, z is within the outline, as far as that is known. */
bool gos__fe_profile_has(const gos_fe_profile *p, double y, double z);
/** Whether two are the same: their cells may share a stress. */
bool gos__fe_profile_same(const gos_fe_profile *p, const gos_fe_profile *q);

#endif
