/* The laws of the gradient-deficient ANCF cable (theory 1.2, 1.3, 1.5, 2.3, 2.6). */
#ifndef GOS_CABLE_LAW_H
#define GOS_CABLE_LAW_H

#include "parts/parts.h"

typedef struct gos_cable_par {
    double EA;      // axial stiffness [N]; 0 in a block that carries only bending
    double EIz;     // bending stiffness for k2 [N m^2]
    double EIy;     // bending stiffness for k3 [N m^2]
    double gamma;   // Kelvin-Voigt factor of normal strains [s]
    double alpha;   // thermal expansion [1/K]
    double T0;      // absolute reference temperature of thermoelastic heat [K]; 0: left out
    double viscous; // 1: the viscous power heats the body, 0: left out
} gos_cable_par;

extern const char *const gos__cable_strains[3], *const gos__cable_forces[3]; // names

/* What points with sections of their own have behind the law's other reference data: curvatures k2,
   k3 that are free of stress [1/m], EA [N], EIz, EIy [N m^2]; those of the parameters are then not
   read. */
#define GOS_CABLE_OWN 5

/* z = (r', r''); ref = section reference vector v (unit); strains eps, k2, k3. */
extern const gos_law gos__cable_framed;
/* The same with v as a third row, z = (r', r'', v), for a v that turns with a body; any length. */
extern const gos_law gos__cable_carried;
/* The same with a frame that is carried along, z = (r', r''); ref = (t, d2) at the start, memory
   (t, d2) at the end of the last step. */
extern const gos_law gos__cable_transported;
/* These three where the points have sections of their own. */
extern const gos_law gos__cable_framed_own, gos__cable_carried_own, gos__cable_transported_own;
/* The same without section frame: isotropic bending, no damping, no temperature. */
extern const gos_law gos__cable_plain;

#endif
