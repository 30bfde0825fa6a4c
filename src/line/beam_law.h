/* The two laws of the section-vector beam (theory 2.7, 1.5, 2.6). */
#ifndef GOS_BEAM_LAW_H
#define GOS_BEAM_LAW_H

#include "parts/law.h"

/* Strains of the axis: Gamma_1 (stretch), Gamma_2, Gamma_3 (shear) [-], kappa_1 (twist), k2, k3
   (curvatures) [1/m]. */
#define GOS_BEAM_AXIS 6
/* Strains of the section: E22, E33, 2 E23 [-]. */
#define GOS_BEAM_SECTION 3

typedef struct gos_beam_par {
    double axis[GOS_BEAM_AXIS];       // EA, k_s2 GA, k_s3 GA [N], GJ, EIz, EIy [N m^2]
    double section[GOS_BEAM_SECTION]; // f EA, f EA, f GA, penalty against distortion [N]
    double gamma_n, gamma_s;          // Kelvin-Voigt factors [s]
    double alpha;                     // thermal expansion [1/K]
    double T0;                        // of thermoelastic heat, absolute [K]; 0: off
    double viscous;                   // 1: viscous power heats the body
} gos_beam_par;

/* Law of the axis: z = (p = r', a, b, a', b'). */
extern const gos_law gos__beam_axis;
/* Law of the section: z = (a, b); keeps it rigid except for thermal expansion. */
extern const gos_law gos__beam_section;

/* For points with their own sections; reference data instead of parameters. Axis: six strains at t
 * = 0, six stiffnesses; section: three stiffnesses. */
#define GOS_BEAM_AXIS_OWN 12
extern const gos_law gos__beam_axis_own, gos__beam_section_own;

#endif
