/* Start and restart of BDF: consistent values and rates, and a first step suitable for order 1. */
#include <float.h>
#include <math.h>

#include "steppers/bdf/bdf.h"
#include "solve/initial_state.h"
#include "solve/consistent.h"
#include "solve/scales.h"

#define MOVES 1e-3   // relative to the extent and the run, in the first step
#define SAFETY 0.5   // of the allowed error, as third derivatives are unknown
#define LONGEST 1e-3 // longest first step, relative to the run

/* Position errors are h^2 a / 2. Changes of velocities and temperatures are limited, since their
 * errors are unknown. IDA shortens a step that is too long. */
static double first_step(const gos_bdf *g) {
    const gos_state *x = g->x;
    const double span = g->opt.end - g->t_start, allowed = gos__bdf_allowed(g, 0);
    const double v = gos__motion_rms(g->sys, x->v, g->mv), a = gos__motion_rms(g->sys, x->a, g->mv);
    const double change = gos__bdf_velocity_rms(g, x->a, allowed);
    const double heats = gos__heat_rms(g->sys, x->thd, g->mv) / g->T_range;
    double h = fmin(LONGEST * span, g->opt.max_step);
    h = v > 0 ? fmin(h, MOVES / v) : h;
    h = a > 0 ? fmin(h, sqrt(2 * SAFETY * allowed / a)) : h;
    h = change > 0 ? fmin(h, sqrt(allowed) / change) : h;
    h = heats > 0 ? fmin(h, sqrt(allowed) / heats) : h;
    return fmax(h, 2 * g->opt.min_step);
}

static void note_base(gos_bdf *g) {
    const gos_state *x = g->x;
    g->base[GOS_BDF_DISSIPATED] = x->energy.dissipated;
    g->base[GOS_BDF_WORK] = x->energy.work;
    g->base[GOS_BDF_THERMAL] = x->energy.thermal_work;
    g->base[GOS_BDF_HEAT_IN] = x->heat_supplied;
    g->base[GOS_BDF_HEAT_CON] = x->heat_constrained;
}

/* Velocities from rounding eps of the coordinates: accelerations change by a = w^2 eps, with w of
 * the fastest modes, and velocities by w eps = sqrt(a eps). For a fine mesh at rest this exceeds
 * the allowed error. */
static gos_status find_rounding(gos_bdf *g) {
    const gos_system *s = g->sys;
    const gos_state *x = g->x;
    gos_state *near = NULL;
    gos_status status = gos_state_create(g->ctx, s, &near);
    status = status == GOS_OK ? gos_state_copy(near, x) : status;
    if (status == GOS_OK) {
        for (int i = 0; i < s->nq; i++) {
            // opposite signs for neighbours
            near->q[i] *= 1 + (i % 3 == 1 ? -DBL_EPSILON : DBL_EPSILON);
        }
        status = gos__consistent(g->ctx, g->w, near, gos__breaks_right(&g->breaks, x->t));
    }
    if (status == GOS_OK) {
        for (int i = 0; i < s->nq; i++) {
            near->a[i] -= x->a[i];
            near->q[i] -= x->q[i];
        }
        g->shakes = sqrt(gos__motion_rms(s, near->a, g->mv) * gos__motion_rms(s, near->q, g->mv));
    }
    gos_state_destroy(near);
    return status;
}

gos_status gos__bdf_start(gos_bdf *g) {
    gos_state *x = g->x;
    const double t = gos__breaks_right(&g->breaks, x->t);
    const bool first = !(x->h > 0);
    if (!first) {
        GOS_TRY(gos__initial_state_restart(g->ctx, g->w, x, t, g->r));
    }
    GOS_TRY(gos__consistent(g->ctx, g->w, x, t));
    const gos_point_of begin = gos__state_point(x, t);
    gos__memory_begin(g->w, &begin, x->mem);
    g->from = x->t;
    g->T_range = gos__heat_range(x, g->T_range);
    x->speed = fmax(x->speed, gos__motion_rms(g->sys, x->v, g->mv));
    g->place = gos__motion_rms(g->sys, x->q, g->mv);
    GOS_TRY(gos__elastic(g->sys) && !(g->shakes > 0) ? find_rounding(g) : GOS_OK);
    note_base(g);
    gos__bdf_pack(g);
    gos__solver_repivot(g->solver); // make the start independent of the history
    const double asked = first ? g->opt.initial_step : 0;
    x->h = asked > 0 ? asked : first_step(g);
    GOS_TRY(gos__ida_start(g->ida, x->t, g->y, g->yd, x->h));
    g->runs = true;
    return GOS_OK;
}
