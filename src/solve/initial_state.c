/* See initial_state.h. */
#include "solve/initial_state.h"
#include "base/units.h"

#include <math.h>

#include "solve/consistent.h"
#include "solve/scales.h"
#include "system/assemble.h"
#include "signals/loops.h"

#define REPORTED_KELVIN 1e-9   // smallest reported change of temperatures [K]
#define REPORTED_VELOCITY 1e-6 // ... of velocities, relative
#define REPORTED_POSITION 1e-8 // ... of positions, relative to the extent
#define FITS 1e-12             // constraint violation at rounding level, relative to the extent

/* Item with the largest velocity violation; scratch (3 nc). */
static const gos_item *most_open(gos_work *w, const gos_state *x, double t, double *scratch,
                                 double *open) {
    const gos_system *s = w->sys;
    double *cv = scratch, *ct = cv + s->nc, *unused = ct + s->nc;
    const gos_point_of at = gos__state_point(x, t);
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

static int most_changed(const gos_state *x, const double *before) {
    int at = 0;
    for (int i = 0; i < x->sys->nq; i++) {
        at = fabs(x->v[i] - before[i]) > fabs(x->v[at] - before[at]) ? i : at;
    }
    return at;
}

/* Item with the largest position violation; r: scratch (n). */
static const gos_item *most_violated(gos_work *w, const gos_state *x, double *r, double *open) {
    const gos_system *s = w->sys;
    const gos_point_of at = gos__state_point(x, x->t);
    const gos_residual out = gos__residual_of(s, r);
    const gos_item *of = NULL;
    *open = 0;
    if (gos__residual(w, &at, &out, NULL) != GOS_OK) {
        return NULL; // nonfinite forces are reported with the accelerations
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int row = it->c0; row < it->c0 + it->nc; row++) {
            if (fabs(out.c[row]) > *open) {
                *open = fabs(out.c[row]);
                of = it;
            }
        }
    }
    return of;
}

/* Reports the change. moved (2 nq): the change, and scratch for its norm. */
static void report_positions(gos_ctx *ctx, const gos_state *x, const gos_item *of, double open,
                             double *moved) {
    const gos_system *s = x->sys;
    const double change = gos__motion_rms(s, moved, moved + s->nq);
    char where[128];
    int most = 0;
    if (!(change > REPORTED_POSITION)) {
        return;
    }
    for (int i = 0; i < s->nq; i++) {
        most = fabs(moved[i]) > fabs(moved[most]) ? i : most;
    }
    gos__name_unknown(s, most, where, sizeof where);
    gos__warn(
        ctx, of->loc, "initial",
        "initial positions violate the joints and were corrected by %.3g %s (RMS over the mass), "
        "mostly at %s, by %.3g; the largest violation is that of %s, %.3g in units of the "
        "constraint",
        change * s->extent, gos__unit_label(s->units, "m", GOS_UNIT_BUFFER), where,
        fabs(moved[most]), of->name, open);
}

gos_status gos__initial_position(gos_ctx *ctx, gos_work *w, gos_state *x) {
    enum { ROUNDS = 4 }; // of four Newton iterations each
    const gos_system *s = w->sys;
    const size_t nq = s->nq;
    double *before = gos__alloc(ctx, 3 * nq + (size_t)s->n + 1, sizeof *before);
    double *moved = before + nq, *r = moved + 2 * nq, open, left;
    if (!before) {
        return GOS_E_MEMORY;
    }
    memcpy(before, x->q, nq * sizeof *before);
    const gos_item *of = most_violated(w, x, r, &open), *last = of;
    gos_status status = GOS_OK;
    left = open;
    for (int i = 0; i < ROUNDS && status == GOS_OK && left > FITS * s->extent; i++) {
        status = gos__consistent_position(ctx, w, x, x->t);
        last = most_violated(w, x, r, &left);
    }
    if (status == GOS_OK && left > 1e3 * FITS * s->extent) {
        status = gos__fail_at(ctx, GOS_E_INPUT, last ? last->loc : (gos_loc){0},
                              last ? last->name : NULL,
                              "no initial positions satisfy all joints: a violation of %.3g (in "
                              "units of the constraint) remains here; move the bodies so that "
                              "attachment points coincide at t = 0",
                              left);
    } else if (status == GOS_OK && of && open > FITS * s->extent) {
        for (size_t i = 0; i < nq; i++) {
            moved[i] = x->q[i] - before[i];
        }
        report_positions(ctx, x, of, open, moved);
    }
    gos__free(ctx, before);
    return status;
}

static bool is_zero(size_t n, const double *x) {
    bool zero = true;
    for (size_t i = 0; i < n; i++) {
        zero = zero && x[i] == 0;
    }
    return zero;
}

gos_status gos__initial_velocity(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    const gos_system *s = w->sys;
    double *before = gos__alloc(ctx, (size_t)s->nq + 3L * s->nc + 1, sizeof *before);
    if (!before) {
        return GOS_E_MEMORY;
    }
    double open, change = 0;
    memcpy(before, x->v, s->nq * sizeof *before);
    const gos_item *of = most_open(w, x, t, before + s->nq, &open);
    const gos_status status = gos__consistent_velocity(ctx, w, x, t, &change);
    if (status == GOS_OK && change > REPORTED_VELOCITY) {
        char where[128], size[64];
        gos__name_unknown(s, most_changed(x, before), where, sizeof where);
        const bool rest = is_zero(s->nq, before);
        gos__format(size, sizeof size, " by %.3g of their magnitude", change);
        gos__warn(ctx, of ? of->loc : (gos_loc){0}, "initial",
                  "initial velocities violate the joints and were changed%s, mostly at %s; the "
                  "largest violation is that of %s",
                  rest ? " from rest" : size, where, of ? of->name : "a constraint");
    }
    gos__free(ctx, before);
    return status;
}

gos_status gos__initial_state(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    const double off = gos__temperature_fit(w, x->t, x->th);
    if (off > REPORTED_KELVIN) {
        gos__warn(ctx, (gos_loc){0}, "initial",
                  "initial temperatures differ from the prescribed ones and were changed by up to "
                  "%.3g K there",
                  off);
    }
    GOS_TRY(gos__initial_position(ctx, w, x));
    GOS_TRY(gos__initial_velocity(ctx, w, x, t));
    gos__loops_begin(w, x);
    return GOS_OK;
}

/* prescribed temperatures that jump exchange their heat instantly */
static void jump_heat(gos_work *w, gos_state *x, double t, double *before) {
    const gos_system *s = w->sys;
    double heat = 0;
    memcpy(before, x->th, (size_t)s->nt * sizeof *before);
    (void)gos__temperature_fit(w, t, x->th);
    for (int i = 0; i < s->nt; i++) {
        heat += s->hw[i] * (x->th[i] - before[i]);
    }
    x->heat_stored += heat;
    x->heat_constrained += heat;
}

gos_status gos__initial_state_restart(gos_ctx *ctx, gos_work *w, gos_state *x, double t,
                                      double *scratch) {
    double unused;
    if (w->sys->nh > 0) {
        jump_heat(w, x, t, scratch);
    }
    GOS_TRY(gos__consistent_position(ctx, w, x, t));
    return gos__consistent_velocity(ctx, w, x, t, &unused);
}

void gos__initial_energy(gos_state *x) {
    gos_energy e;
    x->energy0 = 0;
    gos_system_energy(x->sys, x, &e);
    x->energy0 = e.balance;
}
