/* See begin.h. */
#include "solve/begin.h"

#include <math.h>

#include "solve/consistent.h"
#include "system/assemble.h"

#define TOLD_KELVIN 1e-9   // changes of temperatures that are told [K]
#define TOLD_VELOCITY 1e-6 // of velocities, of their size

/* the item whose rows of velocities are most open; scratch (3 nc) */
static const gos_item *most_open(gos_work *w, const gos_state *x, double *scratch, double *open) {
    const gos_system *s = w->sys;
    double *cv = scratch, *ct = cv + s->nc, *unused = ct + s->nc;
    const gos_point_of at = gos__state_point(x, x->t);
    const gos_item *of = NULL;
    *open = 0;
    gos__constraint_apply(w, &at, x->v, cv);
    gos__constraint_rates(w, &at, ct, unused);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int r = it->c0; r < it->c0 + it->nc; r++) {
            if (fabs(cv[r] + ct[r]) > *open) {
                *open = fabs(cv[r] + ct[r]);
                of = it;
            }
        }
    }
    return of;
}

/* component that differs most from `before` */
static int most_changed(const gos_state *x, const double *before) {
    int at = 0;
    for (int i = 0; i < x->sys->nq; i++) {
        at = fabs(x->v[i] - before[i]) > fabs(x->v[at] - before[at]) ? i : at;
    }
    return at;
}

gos_status gos__begin_velocity(gos_ctx *ctx, gos_work *w, gos_state *x) {
    const gos_system *s = w->sys;
    double *before = gos__alloc(ctx, (size_t)s->nq + 3L * s->nc + 1, sizeof *before);
    if (!before) {
        return GOS_E_MEMORY;
    }
    double open, change = 0;
    memcpy(before, x->v, s->nq * sizeof *before);
    const gos_item *of = most_open(w, x, before + s->nq, &open);
    const gos_status status = gos__consistent_velocity(ctx, w, x, x->t, &change);
    if (status == GOS_OK && change > TOLD_VELOCITY) {
        char where[128];
        gos__name_unknown(s, most_changed(x, before), where, sizeof where);
        gos__warn(ctx, of ? of->loc : (gos_loc){0}, "initial",
                  "initial velocities did not fit the joints and were changed by %.3g of their "
                  "size, most of all those of %s; %s was off most, by %.3g in its own units",
                  change, where, of ? of->name : "a constraint", open);
    }
    gos__free(ctx, before);
    return status;
}

gos_status gos__begin(gos_ctx *ctx, gos_work *w, gos_state *x) {
    const double off = gos__temperature_fit(w, x->t, x->th);
    if (off > TOLD_KELVIN) {
        gos__warn(ctx, (gos_loc){0}, "initial",
                  "initial temperatures did not fit the prescribed ones and were changed by up to "
                  "%.3g K there",
                  off);
    }
    return gos__begin_velocity(ctx, w, x);
}

void gos__begin_energy(gos_state *x) {
    gos_energy e;
    x->energy0 = 0;
    gos_system_energy(x->sys, x, &e);
    x->energy0 = e.balance;
}
