/* Jumps of forces and heat with time functions. */
#ifndef GOS_DISCONTINUITY_H
#define GOS_DISCONTINUITY_H

#include "system/system.h"

typedef struct gos_jump {
    double *q, *th;          // jumps of forces (nq) and heat (nt); caller-owned
    bool forces, heats;      // nonzero
    double work, dissipated; // jumps of load and damper power [W]
} gos_jump;

/** Jumps between two times at x (with rates), without drives. room: scratch (3 nfn); also uses
 * scratch of w. */
void gos__jump_find(gos_work *w, const gos_point_of *x, double before, double after, double *room,
                    gos_jump *jump);

#endif
