/* One-way output correction: modes outside the basis, driven by residual forces. */
#ifndef GOS_RESIDUAL_MODES_H
#define GOS_RESIDUAL_MODES_H

#include "flex/flex.h"
#include "parts/builder.h"

typedef struct gos_floating_body gos_floating_body; // floating/floating.h

typedef struct gos_floating_missing {
    int n;
    int tails;                     // residual deflections ...
    const double *tail;            // ... (rows, tails)
    int k;                         // free frame motions ...
    const double (*motion)[6];     // ... (k)
    const double *inertia;         // ... other inertia against them (k)
    double about[GOS_FLEX_STATES]; // frame motion in the stiffness
} gos_floating_missing;

/** Modes X (loaded->n, want->n) outside V (loaded->n, r), orthogonal in the mass, then remainders
 * of tails (want->tails), with oscillators whose `mode` the caller frees. If there are fewer:
 * missed->n, no tails. loaded: with stiffness under loads. */
gos_status gos__floating_missed_modes(const gos_flex *loaded, const gos_floating_missing *want,
                                      int r, const double *V, double *X, gos_flex_missed *missed);
/** Add items that lock the last amplitudes of f->flex and correct outputs. */
gos_status gos__floating_add_missed(gos_builder *b, gos_floating_body *f, const char *object,
                                    gos_loc loc);

#endif
