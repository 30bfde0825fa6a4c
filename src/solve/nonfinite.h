/* Who made a number that is not finite. */
#ifndef GOS_NONFINITE_H
#define GOS_NONFINITE_H

#include "system/system.h"

/** Evaluate the parts of the system one by one at a place where the residual was not finite, and
 * record which function of time, body and element, joint, load or heat entry is the cause. For use
 * after a failure: it allocates, and costs more than a residual.
 *  @return GOS_E_NONFINITE with a record; GOS_OK when all parts are finite. */
gos_status gos__nonfinite(gos_ctx *ctx, gos_work *w, const gos_point_of *x);
/** A load or motion that runs to infinity stops a run before it gets there. Record a function of
 * time of a joint or load that is at least 1e4 times larger at t than it was between t_start and t
 * (or its second derivative, where it prescribes a motion). what: happened at t, the beginning of
 * the message.
 *  @return GOS_E_DIVERGED with a record; GOS_OK: there is none. */
gos_status gos__growing(gos_ctx *ctx, const gos_system *s, double t_start, double t,
                        const char *what);
/** Are coordinates so much larger than the extent that the motion has exploded? Then say so, as the
 * end of a sentence. */
bool gos__exploded(const gos_system *s, const double *q, char *buf, size_t size);

#endif
