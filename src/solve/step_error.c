/* Error estimate of a generalised-alpha step from the change of accelerations and temperature
 * rates, as displacements and temperatures. The Newton matrix filters out modes much faster than
 * the step and motion normal to constraints, but less than LOST of resolved modes. Unresolved
 * elastic modes count by their accumulating part (vibration_error.c); their immediate loss is less
 * than the tolerance. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/vibration_error.h"

#define LOST 2 // largest loss factor of resolved modes by filtering
// allowed error of velocities normal to constraints, in tolerances of the largest speed
#define ACROSS 2
#define CLEAR 0.15 // fraction of that which would allow twice the step
#define LOOK 4     // equal steps between updates of the speed or of modes
#define GROWS 0.46 // error below which the next step grows anyway

double gos__alpha_across(gos_alpha *g) {
    gos_state *x = g->x;
    x->speed = fmax(x->speed, gos__motion_norm(g, x->v));
    return ACROSS * g->opt.tolerance * x->speed;
}

/* Error normal to constraints of the change d (nq) of accelerations, a displacement with norm
 * `motion`, relative to the allowance for a step h. Positions are exact and velocity errors do not
 * accumulate, so speed is the scale. Skipped if it cannot exceed `other`. The largest speed is
 * updated occasionally and when decisive. */
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

/* Relevant part of the filtered error in g->r relative to its share; motion: unfiltered norm. g->r
 * := accumulating part. */
static double followed(gos_alpha *g, double motion, double h, double allowed_rate) {
    const double filtered = LOST * gos__motion_norm(g, g->r), share = h * allowed_rate;
    const double plain = fmin(motion, filtered) / share;
    const bool looks = plain > 1 || (plain > GROWS && fmod(g->x0->same, LOOK) == 0);
    const bool asked = g->opt.probe_tolerance > 0; // probes may require all modes
    if (!looks || asked || !gos__elastic(g->sys)) {
        return plain;
    }
    const double adds = filtered / share * gos__vibration_share(g, h, GROWS * share / filtered);
    if (g->told) {
        gos__error_propagation_adds(g);
    }
    /* Immediate loss of a mode: 0.7 of its amplitude by this step, w h times that inside it;
     * estimated by the geometric mean of the errors before and after the filter. */
    return fmin(plain, fmax(adds, sqrt(LOST * motion * filtered) / g->opt.tolerance));
}

/* heat (nt) += heat rows of rates u (nq) at the end of the step. Both signs cancel the quadratic
 * part from damping. */
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

/* g->r := filtered displacements d (nq), or heat (nt); the other is NULL. @return norm of
 * temperatures */
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

/* Error of temperatures with heat from strain, relative to its allowance. This heat is reversible:
 * unresolved vibration disturbs temperature rates at any step size without affecting the run. The
 * reversible part counts once, by the heat of the filtered displacement error d (nq); the rest has
 * smooth rates, whose change bounds its error. */
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
    double *d = g->steps, *r = g->r; // the Broyden storage is free
    allowed_rate =
        fmax(allowed_rate, GOS_ALPHA_ROUNDING / h); // shorter steps have no smaller error
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
        gos__error_propagation_note(g);
    }
    const double moves = followed(g, motion, h, allowed_rate);
    if (heats > fmax(GROWS, moves) && (s->strain_heat || gos__alpha_drives_states(s))) {
        heats = fmin(heats, strained_heat(g, h, heat_rate, d));
    }
    double error = fmax(moves, heats);
    if (s->steady_heat) { // steady heat has interpolation errors only
        error = fmax(error, heat / g->opt.tolerance);
    }
    return fmax(error, across(g, d, motion, h, allowed_rate, error));
}
