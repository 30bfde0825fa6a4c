/* Jumps of forces and heat with time functions. */
#ifndef GOS_DISCONTINUITY_H
#define GOS_DISCONTINUITY_H

#include "system/system.h"

typedef struct gos_discontinuity {
    double *q, *th;          // jumps of forces (nq) and heat (nt); caller-owned
    bool forces, heats;      // nonzero
    double work, dissipated; // jumps of load and damper power [W]
} gos_discontinuity;

/** Jumps between two times at x (with rates), without drives. room: scratch (3 nfn); also uses
 * scratch of w. */
void gos__discontinuity_find(gos_work *w, const gos_point_of *x, double before, double after,
                             double *room, gos_discontinuity *jump);

#endif
