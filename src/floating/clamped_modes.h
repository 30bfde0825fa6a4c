/* Modes of a whole body that is held wherever joints and loads are, beside those amplitudes to
   which it is reduced: a smaller basis that has none of its bending cannot tell when it would
   buckle, and with these, which move no place of a joint, it can. */
#ifndef GOS_CLAMPED_MODES_H
#define GOS_CLAMPED_MODES_H

#include "floating/floating_loads.h"

#define GOS_FLOATING_HELD 6 // modes at most

struct gos_floating_held {
    int n;                            // 0: there are none
    double square[GOS_FLOATING_HELD]; // of their frequencies [1/s^2]
    double *stiffness, *mass; // between the amplitudes and them, of mass 1 themselves (r, n)
    double (*moment)[4][3];   // int f phi_c dm of fields f = 1, X_d at [d][c] (n)
    double *move, *turn;      // displacements and rotations of nodes (3 nnode, n)
};

/** The lowest ones of `flex`, which the basis is of, into the builder's arena. */
gos_status gos__floating_held_modes(gos_builder *b, const gos_flex *flex,
                                    const gos_floating_names *names, const gos_flex_space *basis,
                                    gos_floating_held *to);

#endif
