/* The error of a step, by which steps are chosen, from the change of accelerations and of
   temperature rates, as displacements and temperatures.

   Filtered by the Newton matrix it has lost what is much faster than the step and what constraints
   forbid. What the filter takes from modes that the step resolves is known to be less than LOST.
   Where elastic bodies would have to take a shorter step, or could take a longer one, of their
   modes only what adds up counts (vibration_error.c); what the step loses at once is less than the
   whole tolerance in any case. What probes ask for is followed.

   Constraints give positions without error, but velocities across them are off by the error of a
   step over h. They do not add up over the run, so they are measured by the speed of the motion: a
   mechanism that drives move along a given course has no other error. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/vibration_error.h"

#define LOST 2     // of the error of resolved modes, by filtering
#define ACROSS 2   // tolerances of the largest speed, that velocities across constraints may be off
#define CLEAR 0.15 // of that: a step twice as long would still do
#define LOOK 4     // steps of one length, from one look at speed or modes to the next
#define GROWS 0.46 // error below which the next step is longer anyway

double gos__alpha_across(gos_alpha *g) {
    gos_state *x = g->x;
    x->speed = fmax(x->speed, gos__motion_norm(g, x->v));
    return ACROSS * g->opt.tolerance * x->speed;
}

/* of the change d (nq) of accelerations, as a displacement of size `motion`, relative to what is
   allowed in a step h; what does not exceed `other` is of no matter, and costs no solution. The
   largest speed changes little from one step to the next: it is measured now and then, and where it
   decides. */
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

/* Of the filtered error in g->r, of size `motion` less what the filter has not to answer for,
   relative to its share: what counts. g->r := what adds up over the run. */
static double followed(gos_alpha *g, double motion, double h, double allowed_rate) {
    const double filtered = LOST * gos__motion_norm(g, g->r), share = h * allowed_rate;
    const double plain = fmin(motion, filtered) / share;
    const bool looks = plain > 1 || (plain > GROWS && fmod(g->x0->same, LOOK) == 0);
    const bool asked = g->opt.probe_tolerance > 0; // of what is seen all may be asked for
    if (!looks || asked || !gos__elastic(g->sys)) {
        return plain;
    }
    const double adds = filtered / share * gos__ringing_share(g, h, GROWS * share / filtered);
    if (g->told) {
        gos__told_adds(g);
    }
    /* Once, it may be lost whole: by 0.7 of its amplitude by this step, inside it by that of
       velocities that it still has, which are w h times as large. The mean of the error before and
       after the filter is that. */
    return fmin(plain, fmax(adds, sqrt(LOST * motion * filtered) / g->opt.tolerance));
}

/* heat (nt) += heat rows of rates u (nq) at the end of the step. Both signs, so that what damping
 * makes (quadratic) is left out. */
static gos_status add_strain_heat(gos_alpha *g, double *u, double *scratch, double *heat) {
    const gos_system *s = g->sys;
    const gos_residual out = gos__residual_of(s, scratch);
    gos_point_of at = gos__state_point(g->x, g->x->t);
    at.v = u;
    for (int side = 1; side >= -1; side -= 2) {
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
        for (int i = 0; i < s->nt; i++) {
            heat[i] += 0.5 * side * scratch[s->at.th + i];
        }
        for (int i = 0; i < s->nq; i++) {
            u[i] = -u[i];
        }
    }
    return GOS_OK;
}

/* g->r := what the factorisation makes of displacements d (nq), or of heat (nt); the other is NULL.
 * @return its size as temperatures. */
static double filtered_heat(gos_alpha *g, const double *d, const double *heat) {
    const gos_system *s = g->sys;
    memset(g->r, 0, s->n * sizeof *g->r);
    if (d) {
        gos__inertia_apply(g->w, g->x->q, d, g->r);
    } else if (heat) {
        memcpy(g->r + s->at.th, heat, s->nt * sizeof *heat);
    }
    gos__alpha_solve(g);
    return LOST * gos__heat_norm(g, g->r + s->at.th);
}

/* Error of temperatures where strain makes heat, relative to what is allowed. What strain makes it
   takes back: vibration that a step does not resolve spoils the rates of temperatures however short
   the step, and is not lost to the run. So that part is wrong by the heat of the filtered error d
   of displacements (nq), which does not add up; the rest has smooth rates, and their change over
   the step bounds its error. */
static double strained_heat(gos_alpha *g, double h, double allowed_rate, const double *d) {
    const gos_system *s = g->sys;
    const gos_state *a = g->x0, *b = g->x;
    double *u = g->steps + s->n, *heat = u + s->n, *scratch = heat + s->n;
    (void)filtered_heat(g, d, NULL);
    memcpy(u, g->r, s->nq * sizeof *u);
    memset(heat, 0, s->nt * sizeof *heat);
    if (add_strain_heat(g, u, scratch, heat) != GOS_OK) {
        return HUGE_VAL;
    }
    const double returns = filtered_heat(g, NULL, heat);
    for (int i = 0; i < s->nq; i++) {
        u[i] = h / 12 * (b->v[i] - a->v[i]);
    }
    for (int i = 0; i < s->nt; i++) {
        scratch[i] = h / 12 * (b->thd[i] - a->thd[i]);
    }
    gos__storage_apply(s, scratch, heat);
    if (add_strain_heat(g, u, scratch, heat) != GOS_OK) {
        return HUGE_VAL;
    }
    return fmax(filtered_heat(g, NULL, heat) / (h * allowed_rate), returns / g->opt.tolerance);
}

double gos__alpha_error(gos_alpha *g, double h, double allowed_rate) {
    const gos_system *s = g->sys;
    const gos_state *a = g->x0, *b = g->x;
    double *d = g->steps, *r = g->r;                           // the iteration's memory is free now
    allowed_rate = fmax(allowed_rate, GOS_ALPHA_ROUNDING / h); // shorter steps have no less
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
    const double heat_rate = fmax(allowed_rate, g->noise / h);
    double heats = fmin(heat, LOST * gos__heat_norm(g, r + s->at.th)) / (h * heat_rate);
    if (g->told) {
        gos__told_note(g);
    }
    const double moves = followed(g, motion, h, allowed_rate);
    if (heats > fmax(GROWS, moves) && (s->strain_heat || gos__alpha_drives_states(s))) {
        heats = fmin(heats, strained_heat(g, h, heat_rate, d));
    }
    double error = fmax(moves, heats);
    if (s->steady_heat) { // at its ends a step has none that would add up, but inside: by
                          // interpolation
        error = fmax(error, heat / g->opt.tolerance);
    }
    return fmax(error, across(g, d, motion, h, allowed_rate, error));
}
