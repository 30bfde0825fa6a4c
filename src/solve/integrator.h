/* Internals of the integrator. */
#ifndef GOS_INTEGRATOR_H
#define GOS_INTEGRATOR_H

#include "solve/stepper.h"
#include "constraints/dropped_rows.h"
#include "gossamer/sim.h"
#include "system/system.h"

typedef struct gos_step_budget {
    long steps;
    double mark;   // time after the last multiple of GOS_PACE_STEPS [s]
    double passed; // time advanced by those steps; 0: unknown [s]
} gos_step_budget;

struct gos_integrator {
    gos_options opt;
    gos_state *x;   // of the caller
    double t_start; // of the run [s]
    gos_step_budget pace;
    const gos_stepper *by;
    void *stepper;
    gos_run_of run;
    gos_dropped_reported told;
    long more; // numbers of the run behind the stored history
};

/* Passes numbers of a run beyond the history of its stepper. */
typedef gos_status (*gos_run_walk)(void *run, gos_walk *w);

/** As gos_integrator_store_history, followed by numbers of the run. */
gos_status gos__integrator_store_run(gos_integrator *g, gos_run_walk more, void *run);
/** Read these numbers from the state from which the integrator was created, before its first step.
 * *stored: there are some. */
gos_status gos__integrator_read_run(const gos_integrator *g, gos_run_walk more, void *run,
                                    bool *stored);

/** As gos_integrator_at, but without updating energies. */
const gos_state *gos__integrator_position(gos_integrator *g, double t);
/** If the last step began at a switch: its start, with the right limit of time. Arrays of *start
 * are borrowed until the next call. */
bool gos__integrator_start(const gos_integrator *g, gos_state *start);
/** State j inside the last step, from dense output; NULL after the last. Borrowed until the next
 * call. */
const gos_state *gos__integrator_inside(gos_integrator *g, int j);
/** Does something switch at the end of the last step? *before: left limit of that time. */
bool gos__integrator_switches(const gos_integrator *g, double *before);

#endif
