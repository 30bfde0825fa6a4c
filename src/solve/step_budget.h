/* Limit on the number of steps. Collapsing steps (unbounded motion or loads, impossible
 * tolerances) never fail, so a run that would exceed the limit at its present rate is stopped with
 * a reason. */
#ifndef GOS_STEP_BUDGET_H
#define GOS_STEP_BUDGET_H

#include "gossamer/sim.h"
#include "system/system.h"

#define GOS_PACE_STEPS 1000  // accepted steps over which progress is measured
#define GOS_PACE_FIRST 10000 // no check before, since starts may be slow

typedef struct gos_step_budget {
    long steps;
    double mark;   // time after the last multiple of GOS_PACE_STEPS [s]
    double passed; // time advanced by those steps; 0: unknown [s]
} gos_step_budget;

void gos__step_budget_note(gos_step_budget *p, double t);
/** Check before a step whether the run would need too many steps. x: the state; t_start: of the
 * run.
 * @return GOS_E_DIVERGED (a growing load or drive), GOS_E_LIMIT; both with a message */
gos_status gos__step_budget_check(const gos_step_budget *p, gos_ctx *ctx, const gos_options *o,
                                  double t_start, const gos_state *x);

#endif
