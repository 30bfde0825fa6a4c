/* How fast a run comes on. Steps that collapse (a motion or a load that grows without bound, a
   tolerance that no step can keep) never fail, and never end. A run that at its present pace would
   need more steps than it is allowed is stopped, with the reason. */
#ifndef GOS_STEP_BUDGET_H
#define GOS_STEP_BUDGET_H

#include "gossamer/sim.h"
#include "system/system.h"

#define GOS_PACE_STEPS 1000  // the pace is that of so many accepted steps
#define GOS_PACE_FIRST 10000 // no run is judged before: starts may be slow

typedef struct gos_pace {
    long steps;    // accepted so far
    double mark;   // time after the last whole thousand of steps [s]
    double passed; // time that those thousand took the run on; 0: not known yet [s]
} gos_pace;

/** Note an accepted step that has come to time t. */
void gos__pace_note(gos_pace *p, double t);
/** Would the run need more steps than it may? To be asked before a step. x: the state; t_start: of
 * the run.
 *  @return GOS_E_DIVERGED (a load or drive that grows), GOS_E_LIMIT; both with a record */
gos_status gos__pace_check(const gos_pace *p, gos_ctx *ctx, const gos_options *o, double t_start,
                           const gos_state *x);

#endif
