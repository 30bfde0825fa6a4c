/* The laws of the gradient-deficient ANCF cable (theory 1.2, 1.3, 1.5, 2.3, 2.6). */
#ifndef GOS_CABLE_LAW_H
#define GOS_CABLE_LAW_H

#include "parts/parts.h"

typedef struct gos_cable_par {
    double EA;      // axial stiffness [N]; 0 in a bending-only block
    double EIz;     // bending stiffness for k2 [N m^2]
    double EIy;     // bending stiffness for k3 [N m^2]
    double gamma;   // Kelvin-Voigt factor of normal strains [s]
    double alpha;   // thermal expansion [1/K]
    double T0;      // absolute reference temperature of thermoelastic heat [K]; 0: off
    double viscous; // 1: the viscous power heats the body, 0: off
} gos_cable_par;

extern const char *const gos__cable_strains[3], *const gos__cable_forces[3];

/* Reference data of points with their own sections, after those of the law and instead of the
 * parameters: stress-free curvatures k2, k3 [1/m], EA [N], EIz, EIy [N m^2]. */
#define GOS_CABLE_OWN 5

/* z = (r', r''); ref = section reference vector v (unit); strains eps, k2, k3. */
extern const gos_law gos__cable_framed;
/* As framed, with v as a third row of any length, z = (r', r'', v), for a v that rotates with a
 * body. */
extern const gos_law gos__cable_carried;
/* As framed, with a transported frame, z = (r', r''); ref = (t, d2) at the start, memory (t, d2) at
 * the end of the last step. */
extern const gos_law gos__cable_transported;
/* The three laws for points with their own sections. */
extern const gos_law gos__cable_framed_own, gos__cable_carried_own, gos__cable_transported_own;
/* Without section frame: isotropic bending, no damping, no temperature. */
extern const gos_law gos__cable_plain;

#endif
