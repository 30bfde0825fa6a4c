/* The error of a step, by which steps are chosen, from the change of accelerations and of temperature
   rates, as displacements and temperatures.

   Filtered by the Newton matrix it has lost what is much faster than the step and what constraints forbid.
   What the filter takes from modes that the step resolves is known to be less than LOST.

   Constraints give positions without error, but velocities across them are off by the error of a step
   over h. They do not add up over the run, so they are measured by the speed of the motion: a mechanism
   that drives move along a given course has no other error. */
#include <math.h>

#include "solve/generalised_alpha.h"

#define LOST 2     // of the error of resolved modes, by filtering
#define ACROSS 2   // tolerances of the largest speed, that velocities across constraints may be off
#define CLEAR 0.15 // of that: a step twice as long would still do
#define LOOK 4     // steps of one length, from one look at the speed to the next

double gos__alpha_across(gos_alpha *g) {
    gos_state *x = g->x;
    x->speed = fmax(x->speed, gos__motion_norm(g, x->v));
    return ACROSS * g->opt.tolerance * x->speed;
}

/* of the change d (nq) of accelerations, as a displacement of size `motion`, relative to what is allowed in
   a step h; what does not exceed `other` is of no matter, and costs no solution. The largest speed changes
   little from one step to the next: it is measured now and then, and where it decides. */
static double across(gos_alpha *g, const double *d, double motion, double h, double allowed_rate,
                     double other) {
    if (g->sys->nc == 0) {
        return 0;
    }
    if (fmod(g->x0->same, LOOK) == 0) {
        (void)gos__alpha_across(g);
    }
    const double known = fmax(allowed_rate, ACROSS * g->opt.tolerance * g->x->speed);
    const double most = motion / (h * known);
    if (most <= fmax(other, CLEAR)) {
        return most <= other ? 0 : most;
    }
    const double allowed = h * fmax(allowed_rate, gos__alpha_across(g));
    gos__normal_part(g, g->x, g->x->t, d);
    return fmin(motion, gos__motion_norm(g, g->r)) / allowed;
}

double gos__alpha_error(gos_alpha *g, double h, double allowed_rate) {
    const gos_system *s = g->sys;
    const gos_state *a = g->x0, *b = g->x;
    double *d = g->steps, *r = g->r; // the iteration's memory is free now
    for (int i = 0; i < s->nq; i++) {
        d[i] = g->k.error * h * h * (b->a[i] - a->a[i]);
    }
    for (int i = 0; i < s->nt; i++) {
        d[s->at.th + i] = h / 12 * (b->thd[i] - a->thd[i] - h * a->thdd[i]);
    }
    const double motion = gos__motion_norm(g, d), heat = gos__heat_norm(g, d + s->at.th);
    gos__inertia_apply(g->w, b->q, d, r);
    gos__storage_apply(s, d + s->at.th, r + s->at.th);
    memset(r + s->at.lam, 0, (s->nc + s->nh) * sizeof *r);
    gos__alpha_solve(g);
    if (g->told) {
        gos__told_note(g);
    }
    const double moves = fmin(motion, LOST * gos__motion_norm(g, r));
    const double heats = fmin(heat, LOST * gos__heat_norm(g, r + s->at.th));
    double error = fmax(moves, heats) / (h * allowed_rate);
    if (s->steady_heat) { // at its ends a step has none that would add up, but inside: by interpolation
        error = fmax(error, heat / g->opt.tolerance);
    }
    return fmax(error, across(g, d, motion, h, allowed_rate, error));
}
