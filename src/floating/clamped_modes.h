/* Modes with all attachment points fixed, in addition to the reduced amplitudes: needed to predict
   buckling by internal bending. */
#ifndef GOS_CLAMPED_MODES_H
#define GOS_CLAMPED_MODES_H

#include "floating/floating_loads.h"

#define GOS_FLOATING_HELD 6 // largest number of modes

struct gos_floating_fixed {
    int n;                            // 0: none
    double square[GOS_FLOATING_HELD]; // of their frequencies [1/s^2]
    // coupling with the amplitudes, for modes of unit mass (r, n)
    double *stiffness, *mass;
    double (*moment)[4][3]; // int f phi_c dm of fields f = 1, X_d at [d][c] (n)
    double *move, *turn;    // of nodes (3 nnode, n)
};

/** Lowest modes of the full body `flex`, in the builder's arena. */
gos_status gos__floating_fixed_modes(gos_builder *b, const gos_flex *flex,
                                     const gos_floating_names *names, const gos_flex_space *basis,
                                     gos_floating_fixed *to);

#endif
