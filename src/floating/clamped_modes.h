/* Modes of the full body with all attachment points fixed, in addition to the reduced amplitudes. A
   basis without internal bending modes cannot predict buckling; these add them without moving
   attachment points. */
#ifndef GOS_CLAMPED_MODES_H
#define GOS_CLAMPED_MODES_H

#include "floating/floating_loads.h"

#define GOS_FLOATING_HELD 6 // largest number of modes

struct gos_floating_held {
    int n;                            // 0: none
    double square[GOS_FLOATING_HELD]; // of their frequencies [1/s^2]
    // coupling of the amplitudes with the modes, which have unit mass (r, n)
    double *stiffness, *mass;
    double (*moment)[4][3]; // int f phi_c dm of fields f = 1, X_d at [d][c] (n)
    double *move, *turn;    // displacements and rotations of nodes (3 nnode, n)
};

/** Computes the lowest modes of `flex`, the full body of the basis, in the builder's arena. */
gos_status gos__floating_held_modes(gos_builder *b, const gos_flex *flex,
                                    const gos_floating_names *names, const gos_flex_space *basis,
                                    gos_floating_held *to);

#endif
