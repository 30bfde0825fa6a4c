/* The laws of the gradient-deficient ANCF cable (theory 1.2, 1.3, 1.5, 2.3, 2.6). */
#ifndef GOS_CABLE_LAW_H
#define GOS_CABLE_LAW_H

#include "parts/law.h"

typedef struct gos_cable_par {
    double EA;      // [N]; 0 in a bending-only block
    double EIz;     // for k2 [N m^2]
    double EIy;     // for k3 [N m^2]
    double gamma;   // Kelvin-Voigt factor [s]
    double alpha;   // thermal expansion [1/K]
    double T0;      // of thermoelastic heat, absolute [K]; 0: off
    double viscous; // 1: viscous power heats the body
} gos_cable_par;

extern const char *const gos__cable_strains[3], *const gos__cable_forces[3];

/* Additional reference data of points with their own sections, instead of parameters: stress-free
 * k2, k3 [1/m], EA [N], EIz, EIy [N m^2]. */
#define GOS_CABLE_OWN 5

/* z = (r', r''); ref = unit reference vector v; strains eps, k2, k3. */
extern const gos_law gos__cable_framed;
/* Likewise, z = (r', r'', v) with v of any length rotating with a body. */
extern const gos_law gos__cable_carried;
/* Likewise with a transported frame; ref = (t, d2) at the start, memory (t, d2) of the last
 * step. */
extern const gos_law gos__cable_transported;
/* These laws for points with their own sections. */
extern const gos_law gos__cable_framed_own, gos__cable_carried_own, gos__cable_transported_own;
/* Isotropic bending without section frame, damping and temperature. */
extern const gos_law gos__cable_plain;

#endif
