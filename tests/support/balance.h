/* Imbalance of whole runs. */
#ifndef SUPPORT_BALANCE_H
#define SUPPORT_BALANCE_H

#include "support/verify.h"

/** Runs an open model to its end and closes it: the largest imbalance of energy over the largest
 * energy that was exchanged. *heat (may be NULL): the imbalance of heat at the end over what is
 * stored. */
static inline double verify_imbalance(verify *v, double *heat) {
    double worst = 0, largest = 0;
    verify_start(v);
    while (gos_state_time(v->state) < v->opt.end) {
        gos_energy e;
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
        gos_system_energy(v->sys, v->state, &e);
        worst = fmax(worst, fabs(e.balance));
        largest = fmax(largest, fmax(e.strain, fmax(fabs(e.thermal_work), e.kinetic)));
        assert_true(e.dissipated >= 0);
    }
    if (heat) {
        gos_heat h;
        gos_system_heat(v->sys, v->state, &h);
        *heat = h.balance / h.stored;
    }
    verify_close(v);
    return worst / largest;
}

#endif
