/* Inside of an integrator. */
#ifndef GOS_INTEGRATOR_H
#define GOS_INTEGRATOR_H

#include "solve/step_budget.h"
#include "solve/stepper.h"
#include "constraints/dropped_rows.h"

struct gos_integrator {
    gos_options opt;
    gos_state *x;          // the caller's
    double t_start;        // of the run [s]
    gos_pace pace;         // does the run come on
    const gos_stepper *by; // how it is stepped
    void *stepper;         // its object
    gos_run_of run;        // what that was made for
    gos_dropped_told told; // of rows of joints that were dropped
};

/** As gos_integrator_at, for who does not look at energies: those of the state are not those of the
 * time. */
const gos_state *gos__integrator_place(gos_integrator *g, double t);
/** Where the last step began at a switch: its start as the step saw it, with the time behind the
 * switch. @return whether it did; arrays of *start are borrowed of the integrator until the next
 * call */
bool gos__integrator_start(const gos_integrator *g, gos_state *start);
/** State number j inside the last step, from its dense output; NULL: that were all. Borrowed until
 * the next call. */
const gos_state *gos__integrator_inside(gos_integrator *g, int j);
/** Does something switch where the last step ended? *before: the time just before that. */
bool gos__integrator_switches(const gos_integrator *g, double *before);

#endif
