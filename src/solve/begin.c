/* See begin.h. */
#include "solve/begin.h"

#include "solve/consistent.h"
#include "system/assemble.h"

#define TOLD_KELVIN 1e-9   // changes of temperatures that are told [K]
#define TOLD_VELOCITY 1e-6 // of velocities, of their size

gos_status gos__begin(gos_ctx *ctx, gos_work *w, gos_state *x) {
    const double off = gos__temperature_fit(w, x->t, x->th);
    if (off > TOLD_KELVIN) {
        gos__warn(ctx, (gos_loc){0}, "initial",
                  "initial temperatures did not fit the prescribed ones and were changed by up to "
                  "%.3g K there",
                  off);
    }
    double change = 0;
    GOS_TRY(gos__consistent_velocity(ctx, w, x, x->t, &change));
    if (change > TOLD_VELOCITY) {
        gos__warn(
            ctx, (gos_loc){0}, "initial",
            "initial velocities did not fit the joints and were changed by %.3g of their size",
            change);
    }
    return GOS_OK;
}

void gos__begin_energy(gos_state *x) {
    gos_energy e;
    x->energy0 = 0;
    gos_system_energy(x->sys, x, &e);
    x->energy0 = e.balance;
}
