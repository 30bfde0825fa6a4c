/* Forces and heat that jump with functions of time. */
#ifndef GOS_DISCONTINUITY_H
#define GOS_DISCONTINUITY_H

#include "system/system.h"

typedef struct gos_jump {
    double *q, *th;          // what forces (nq) and heat (nt) gain; the caller's
    bool forces, heats;      // is there any of it
    double work, dissipated; // what powers of loads and of dampers gain [W]
} gos_jump;

/** What they gain from one time to another at the place x (with rates), for drives nothing. room:
 * scratch (3 nfn); that of w is used, too. */
void gos__jump_find(gos_work *w, const gos_point_of *x, double before, double after, double *room,
                    gos_jump *jump);

#endif
