/* One-way correction of what is seen of a reduced floating body: modes that its basis does not
   contain, as oscillators that follow what the reduced motion leaves unbalanced in the equations of
   the whole body. */
#ifndef GOS_RESIDUAL_MODES_H
#define GOS_RESIDUAL_MODES_H

#include "flex/flex.h"
#include "parts/parts.h"

typedef struct gos_floating_body gos_floating_body; // bodies/floating.h

/* How the missed vibrations of a body are made. */
typedef struct gos_floating_missing {
    int n;                     // modes
    int tails;                 // deflections by what the basis leaves of the loads ...
    const double *tail;        // ... whose parts beyond the modes follow them, too (rows, tails)
    int k;                     // motions along which its frame is free to accelerate ...
    const double (*motion)[6]; // ... (k)
    const double *inertia;     // ... and what resists them beside the body (k)
    double about[GOS_FLEX_STATES]; // of the frame's motion, what the stiffness contains
} gos_floating_missing;

/** Modes X (loaded->n, want->n) that the basis V (loaded->n, r), orthogonal in the mass, does not
 * contain, and behind them what the tails have beyond (want->tails), with their oscillators, whose
 * `mode` is the caller's to free. Fewer modes, missed->n, and no tails when the body has no more.
 * loaded: the body with its stiffness under loads. */
gos_status gos__floating_missed_modes(const gos_flex *loaded, const gos_floating_missing *want,
                                      int r, const double *V, double *X, gos_flex_missed *missed);
/** The items that hold the last amplitudes of f->flex and let them follow where they are seen. */
gos_status gos__floating_add_missed(gos_builder *b, gos_floating_body *f, const char *object,
                                    gos_loc loc);

#endif
