/* One-way correction of the outputs of a reduced floating body: modes outside its basis, as
   oscillators driven by the residual forces of the reduced motion in the full equations. */
#ifndef GOS_RESIDUAL_MODES_H
#define GOS_RESIDUAL_MODES_H

#include "flex/flex.h"
#include "parts/parts.h"

typedef struct gos_floating_body gos_floating_body; // floating/floating.h

/* Specification of the residual modes of a body. */
typedef struct gos_floating_missing {
    int n;                         // number of modes
    int tails;                     // residual deflections ...
    const double *tail;            // ... whose part outside the modes is added (rows, tails)
    int k;                         // free motions of its frame ...
    const double (*motion)[6];     // ... (k)
    const double *inertia;         // ... and the inertia of other bodies against them (k)
    double about[GOS_FLEX_STATES]; // frame motion included in the stiffness
} gos_floating_missing;

/** Modes X (loaded->n, want->n) outside the basis V (loaded->n, r), which is orthogonal in the
 * mass, followed by the remainders of the tails (want->tails), with their oscillators; `mode` of
 * these is to be freed by the caller. missed->n is smaller, without tails, if the body has no more
 * modes. loaded: the body with its stiffness under loads. */
gos_status gos__floating_missed_modes(const gos_flex *loaded, const gos_floating_missing *want,
                                      int r, const double *V, double *X, gos_flex_missed *missed);
/** Add the items that lock the last amplitudes of f->flex and include the oscillators in outputs.
 */
gos_status gos__floating_add_missed(gos_builder *b, gos_floating_body *f, const char *object,
                                    gos_loc loc);

#endif
