/* Step loop of Radau IIA: step size, stop times, completion of steps. */
#include <math.h>

#include "base/base.h"
#include "solve/consistent.h"
#include "steppers/radau/radau.h"
#include "solve/scales.h"
#include "solve/step_failure.h"
#include "system/assemble.h"
#include "solve/initial_state.h"

/* Error of a Radau IIA step (Hairer and Wanner IV.8): residual at the start with the rates of the
 * stage polynomial, filtered by the matrix of the real eigenvalue,
 *     (P + s R + s^2 M) e = -F(t_0, y_0, p'(0)).
 * It is of order h^4, the local error of order h^6; see radau_scale. */

enum { N = GOS_RADAU_STAGES };

#define MIN_TOLERANCE_SHARE 1e-2 // smallest fraction of the tolerance for a step
#define ROUNDED 4e-15            // relative to the coordinates: rounding limit of the iteration
#define TRUE_ERROR 40 // C: for an oscillation, (1 / 7200) / (36 a^3) with a = c1 c2 / (6 gamma)
#define INSIDE 10     // limit of the estimate, in tolerances
#define INTERPOLATION_ERROR 0.19 // largest |x (x - c1)(x - c2)(x - 1)| in a unit step, over c1 c2
#define PROJECTIONS 3            // projections of positions onto the constraints

static double span(const gos_radau *g) {
    return g->opt.end - g->t_start;
}

double gos__radau_allowed(const gos_radau *g, double h) {
    const double part = fmax(h / span(g), MIN_TOLERANCE_SHARE);
    return fmax(g->opt.tolerance * part, ROUNDED * (1 + g->place) / g->opt.newton_tolerance);
}

double gos__radau_norm(const gos_radau *g, const double *dq, const double *dv, const double *dth) {
    const double places = gos__motion_rms(g->sys, dq, g->mv);
    const double rates =
        g->quasi ? 0 : gos__motion_rms(g->sys, dv, g->mv) / fmax(g->x->speed, 1 / span(g));
    const double heat = gos__heat_rms(g->sys, dth, g->mv) / g->T_range;
    return sqrt(places * places + rates * rates + heat * heat);
}

static double sum_of(const double weight[N], double a, double b, double c) {
    return weight[0] * a + weight[1] * b + weight[2] * c;
}

/* Rates of stage polynomials at the start: positions, velocities (nq), temperatures (nt). */
static void rates_at_start(const gos_radau *g, double h, double *qd, double *a, double *thd) {
    const gos_system *s = g->sys;
    const size_t n = (size_t)s->n;
    const double *z = g->z, *w = g->k.start;
    for (int i = 0; i < s->nq; i++) {
        const double v0 = g->x0->v[i];
        qd[i] = sum_of(w, z[i], z[n + i], z[2 * n + i]) / h;
        a[i] = g->quasi ? 0
                        : sum_of(w, g->stage[0].v[i] - v0, g->stage[1].v[i] - v0,
                                 g->stage[2].v[i] - v0) /
                              h;
    }
    z += s->at.th;
    for (int i = 0; i < s->nt; i++) {
        thd[i] = sum_of(w, z[i], z[n + i], z[2 * n + i]) / h;
    }
}

/* g->r (n) := estimate for y, dv (nq): for velocities; x: point; qd: rate of positions of the
 * polynomial. */
static gos_status estimate(gos_radau *g, double h, const gos_point_of *x, const double *qd,
                           double *dv) {
    const gos_system *s = g->sys;
    const double shift = g->k.gamma / h;
    double *e = g->r;
    const gos_residual out = {
        .q = e, .th = e + s->at.th, .c = g->quasi ? e + s->at.lam : NULL, .h = e + s->at.lamT};
    GOS_TRY(gos__residual(g->w, x, &out, NULL));
    if (!g->quasi) {
        gos__stabilised_rows(g->w, x, g->none, e + s->at.lam, g->scratch);
    }
    for (int i = 0; i < s->n; i++) {
        e[i] = -e[i];
    }
    if (g->quasi) {
        gos__solver_solve(g->matrix.solver, e);
        return GOS_OK;
    }
    for (int i = 0; i < s->nq; i++) {
        dv[i] = x->v[i] - qd[i]; // residual of the kinematic equations
    }
    gos_corotation *turned = g->turned[0]; // reused as scratch; reset by the next attempt
    gos__corotation_turn(turned, x->q);
    gos__corotation_back(turned, e);
    gos__corotation_coordinates_back(turned, dv);
    gos__radau_matrix_rates(&g->matrix, shift, dv, e);
    gos__solver_solve(g->matrix.solver, e);
    for (int i = 0; i < s->nq; i++) {
        dv[i] = shift * e[i] - dv[i];
    }
    gos__corotation_forth(turned, e);
    gos__corotation_coordinates_forth(turned, dv);
    return GOS_OK;
}

/* Without velocities: errors of fast modes soon become small position errors. */
static double size_of(const gos_radau *g, const double *dq, const double *dth) {
    return hypot(gos__motion_rms(g->sys, dq, g->mv),
                 gos__heat_rms(g->sys, dth, g->mv) / g->T_range);
}

static double cubic_size(gos_radau *g) {
    const gos_system *s = g->sys;
    const size_t n = (size_t)s->n;
    const double *w = g->k.cubic, *z = g->z;
    double *d = g->r + n;
    for (int i = 0; i < s->at.lam; i++) {
        d[i] = sum_of(w, z[i], z[n + i], z[2 * n + i]);
    }
    return size_of(g, d, d + s->at.th);
}

/* Error of the polynomials inside the step, from the difference of slopes at the start, which
 * replaces qd, thd. It dominates for stiff heat and quasi-static positions. */
static double between(gos_radau *g, double h, double *qd, double *thd) {
    for (int i = 0; i < g->sys->nt; i++) {
        thd[i] = INTERPOLATION_ERROR * h * (thd[i] - g->x0->thd[i]);
    }
    const double heat = gos__heat_rms(g->sys, thd, g->mv) / g->T_range;
    for (int i = 0; i < g->sys->nq && g->quasi; i++) {
        qd[i] = INTERPOLATION_ERROR * h * (qd[i] - g->x0->v[i]);
    }
    return g->quasi ? hypot(heat, gos__motion_rms(g->sys, qd, g->mv)) : heat;
}

/* Error estimate: optimal step h / scale; scale <= 1 accepts. *made: estimated
 * error of the step. */
static gos_status radau_scale(gos_radau *g, double h, double *scale, double *made) {
    const gos_system *s = g->sys;
    const size_t n = (size_t)s->n, nq = (size_t)s->nq;
    double *qd = g->r + n, *a = qd + nq, *thd = a + nq, *dv = thd + s->nt;
    const double allowed = gos__radau_allowed(g, h);
    rates_at_start(g, h, qd, a, thd);
    gos_point_of at = gos__state_point(g->x0, gos__breaks_right(&g->breaks, g->x0->t));
    at.a = a;
    at.v = g->quasi ? qd : at.v;
    at.thd = thd;
    GOS_TRY(estimate(g, h, &at, qd, dv));
    double e = gos__radau_norm(g, g->r, dv, g->r + s->at.th);
    const double inside = between(g, h, qd, thd);
    const double places = size_of(g, g->r, g->r + s->at.th);
    const double d = cubic_size(g), part = d > places ? places / d : 1;
    *made = fmin(1, TRUE_ERROR * part * part) * places;
    const double most = fmax(e / INSIDE, inside) / g->opt.tolerance;
    *scale = fmax(pow(*made / allowed, 0.2), pow(most, 0.25));
    return isfinite(*scale) ? GOS_OK : GOS_RETRY;
}

/* dq (n) := minimal correction, in the norm of the real matrix, with C_q dq = -c; c is in the
 * constraint rows of dq. */
static void step_back(gos_radau *g, double factor, double *dq) {
    const gos_system *s = g->sys;
    const gos_corotation *turned = g->turned[N - 1];
    memset(dq, 0, (size_t)s->at.lam * sizeof *dq);
    memset(dq + s->at.lamT, 0, (size_t)s->nh * sizeof *dq);
    for (int i = s->at.lam; i < s->at.lamT; i++) {
        dq[i] *= -factor;
    }
    gos__corotation_back(turned, dq);
    gos__solver_solve(g->matrix.solver, dq);
    gos__corotation_forth(turned, dq);
}

/* Project positions and velocities of g->x onto the constraints at t. */
static gos_status radau_project(gos_radau *g, double h, double t) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const double shift = g->k.gamma / h;
    const double allowed = g->opt.newton_tolerance * gos__radau_allowed(g, h);
    const gos_point_of at = gos__state_point(x, t);
    double *dq = g->r, *unused = g->r + s->n, size = HUGE_VAL;
    const gos_residual out = {
        .q = unused, .th = unused + s->at.th, .c = dq + s->at.lam, .h = unused + s->at.lamT};
    for (int k = 0; k < PROJECTIONS && size > allowed && s->nc > 0; k++) {
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
        step_back(g, shift, dq);
        for (int i = 0; i < s->nq; i++) {
            x->q[i] += dq[i];
        }
        size = gos__motion_rms(s, dq, g->mv);
    }
    size = HUGE_VAL;
    for (int k = 0; k < PROJECTIONS && size > allowed && s->nc > 0; k++) {
        gos__stabilised_rows(g->w, &at, g->none, dq + s->at.lam, g->scratch);
        step_back(g, 1, dq);
        for (int i = 0; i < s->nq; i++) {
            dq[i] *= shift;
            x->v[i] += dq[i];
        }
        size = gos__motion_rms(s, dq, g->mv) / fmax(x->speed, 1 / span(g));
    }
    return GOS_OK;
}

/* Start and restart of Radau IIA. As a one-step method it keeps its order and step size after a
 * jump. */

#define FIRST 0.01   // relative change of any quantity in the first step
#define LONGEST 0.01 // longest first step, relative to the run

/* a step that is too long is rejected by error control */
static double first_step(const gos_radau *g) {
    const gos_state *x = g->x;
    const double rate = gos__radau_norm(g, x->v, x->a, x->thd);
    const double h = fmin(LONGEST * (g->opt.end - g->t_start), g->opt.max_step);
    return fmax(rate > 0 ? fmin(h, FIRST / rate) : h, 2 * g->opt.min_step);
}

gos_status gos__radau_start(gos_radau *g) {
    gos_state *x = g->x;
    const double t = gos__breaks_right(&g->breaks, x->t);
    const bool first = !(x->h > 0);
    if (g->quasi) {
        GOS_TRY(gos__quasi_static_start(g, t, first));
    } else {
        GOS_TRY(first ? GOS_OK : gos__initial_state_restart(g->ctx, g->w, x, t, g->r));
        GOS_TRY(gos__consistent(g->ctx, g->w, x, t));
    }
    const gos_point_of begin = gos__state_point(x, t);
    gos__memory_begin(g->w, &begin, x->mem);
    gos__integrator_scales(&g->run);
    if (first) {
        x->h_next = g->opt.initial_step > 0 ? g->opt.initial_step : first_step(g);
        x->h = x->h_next;
    }
    g->past.h = 0;
    g->past.stale = true;
    return GOS_OK;
}

enum { LAST = GOS_RADAU_STAGES - 1 };

#define SAFETY 0.9
#define GROWS_MOST 8
#define SHRINKS_MOST 5
#define MIN_STEP_GROWTH 1.4    // increase below which the step and its factors are kept
#define UNSOLVED_REDUCTION 0.4 // reduction after a step without a solution
// contraction of Newton's iteration with least work; scales with the cube of the step
#define CONTRACTION 0.2
#define SLIVER 1e-6 // relative extension of a step to reach a stop

/* Avoids a tiny step before a stop. */
static double choose_step(gos_radau *g, double stop) {
    const double t = g->x0->t, left = stop - t;
    const double h = gos__breaks_step(&g->breaks, t, fmin(g->x0->h_next, g->opt.max_step));
    return h >= left * (1 - SLIVER) ? left : fmin(h, h > 0.5 * left ? 0.5 * left : h);
}

/* Next step from the errors of this step and the previous one (Gustafsson 1994). */
static void choose_next(gos_radau *g, const gos_step *k) {
    gos_radau_past *p = &g->past;
    const double h = k->h, wanted = g->x0->h_next;
    const double most = 2 * g->opt.max_iterations + 1, done = fmax(k->error, 1e-3);
    double grows = SAFETY * most / (most - 1 + g->iterations) / done;
    if (p->h > 0) {
        grows = fmin(grows, grows * h / p->h * p->scale / done);
    }
    if (g->contraction > 0) {
        const double limit = fmax(cbrt(CONTRACTION / g->contraction), g->refreshed ? 0.5 : 1);
        if (g->quasi && limit < grows) {
            g->quasi->apart = true;
        }
        grows = fmin(grows, limit);
    }
    grows = fmin(fmax(grows, 1.0 / SHRINKS_MOST), k->rejected ? 1 : GROWS_MOST);
    if (!p->stale && h == p->factor_h && grows >= 1 && grows <= MIN_STEP_GROWTH) {
        grows = 1;
    }
    const double next = h < wanted && !k->rejected ? fmax(h * grows, wanted) : h * grows;
    g->x->h_next = fmin(next, g->opt.max_step);
    p->scale = done;
}

static void take_stage(gos_radau *g, double h, double t1) {
    const gos_system *s = g->sys;
    const gos_radau_stage *k = &g->stage[LAST];
    gos_state *x = g->x;
    memcpy(x->q, k->y, (size_t)s->nq * sizeof *x->q);
    memcpy(x->v, k->v, (size_t)s->nq * sizeof *x->q);
    if (!g->quasi) {
        memcpy(x->a, k->a, (size_t)s->nq * sizeof *x->q);
    }
    memcpy(x->th, k->y + s->at.th, (size_t)s->nt * sizeof *x->q);
    memcpy(x->thd, k->thd, (size_t)s->nt * sizeof *x->q);
    memcpy(x->lam, k->y + s->at.lam, (size_t)s->nc * sizeof *x->q);
    memcpy(x->lamT, k->y + s->at.lamT, (size_t)s->nh * sizeof *x->q);
    x->t = t1;
    x->h = h;
}

static void take_sums(gos_radau *g) {
    gos_state *x = g->x;
    const gos_state *x0 = g->x0;
    double sum[GOS_RADAU_NINTEGRAL];
    gos__radau_integrals_to(g, 1, sum);
    x->energy.dissipated = x0->energy.dissipated + sum[GOS_RADAU_DISSIPATED];
    x->energy.work = x0->energy.work + sum[GOS_RADAU_WORK];
    x->energy.thermal_work = x0->energy.thermal_work + sum[GOS_RADAU_THERMAL];
    x->heat_supplied = x0->heat_supplied + sum[GOS_RADAU_HEAT_IN];
    x->heat_constrained = x0->heat_constrained + sum[GOS_RADAU_HEAT_CON];
    gos__integrator_store_heat(&g->run, x);
    gos__state_sums(x, &g->sums);
}

static void keep_past(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const size_t nq = (size_t)s->nq, rest = (size_t)(s->n - s->nq);
    for (int i = 0; i < GOS_RADAU_STAGES; i++) {
        for (size_t j = 0; j < nq; j++) {
            g->past.velocity[i * nq + j] =
                g->quasi ? g->z[i * (size_t)s->n + j] : g->stage[i].v[j] - g->x0->v[j];
        }
        memcpy(g->past.unknowns + i * rest, g->z + i * (size_t)s->n + nq, rest * sizeof *g->z);
    }
    g->past.h = h;
}

gos_status gos__radau_accept(void *method, gos_step *k) {
    gos_radau *g = method;
    gos_state *x = g->x;
    const double t = gos__breaks_left(&g->breaks, x->t);
    choose_next(g, k);
    keep_past(g, k->h); // before the projection
    GOS_TRY(g->quasi ? gos__quasi_static_end(g, k->h, t) : radau_project(g, k->h, t));
    gos_radau_stage *end = &g->stage[LAST];
    memcpy(end->y, x->q, (size_t)g->sys->nq * sizeof *x->q);
    memcpy(end->v, x->v, (size_t)g->sys->nq * sizeof *x->v);
    GOS_TRY(gos__radau_powers(g, k->h, x->t));
    take_sums(g);
    gos__integrator_scales(&g->run);
    return GOS_OK;
}

gos_status gos__radau_give_up(void *method, const gos_step *step, double h, gos_status status) {
    gos_radau *g = method;
    const gos_system *s = g->sys;
    const gos_radau_stage *k = &g->stage[LAST];
    if (status == GOS_OK) {
        return gos__fail(
            g->ctx, GOS_E_DIVERGED,
            "the error of the step at t = %.9g s exceeds its share of tolerance %g even with steps "
            "of %.3g s: the motion or its rates jump there, or the tolerance is near rounding; "
            "smooth the jump, use a larger tolerance, or use generalised_alpha",
            g->x0->t, g->opt.tolerance, h);
    }
    const gos_point_of tried = {.t = gos__radau_time(g, step->t, step->t),
                                .scale = 1,
                                .q = k->y,
                                .v = k->v,
                                .a = k->a,
                                .th = k->y + s->at.th,
                                .thd = k->thd,
                                .lam = k->y + s->at.lam,
                                .lamT = k->y + s->at.lamT,
                                .mem = g->x0->mem};
    const gos_attempt attempt = {g->t_start, g->x0->t, h, false, &tried, g->r};
    const gos_status failed = gos__step_failure(g->ctx, g->w, &attempt);
    return g->quasi ? gos__fail(g->ctx, failed,
                                "quasi-static motion: the path of equilibria ends or turns near t "
                                "= %.9g s (a limit point, as in snap-through), or a mechanism "
                                "becomes free; follow it with `motion: dynamic`",
                                g->x0->t)
                    : failed;
}

gos_status gos__radau_begin(void *method, gos_stop_kind kind, double t_end) {
    gos_radau *g = method;
    GOS_UNUSED(t_end);
    // quasi-static velocities jump at kinks
    if (kind <= (g->quasi ? GOS_STOP_NONE : GOS_STOP_KINK)) {
        return GOS_OK;
    }
    g->stats.restarts++;
    return gos__radau_start(g);
}

gos_status gos__radau_plan(void *method, gos_step *k) {
    gos_radau *g = method;
    g->anew = !(g->past.h > 0);
    k->h = choose_step(g, k->stop);
    return GOS_OK;
}

gos_status gos__radau_attempt(void *method, gos_step *k) {
    return gos__radau_solve(method, k->h, k->t);
}

gos_status gos__radau_error(void *method, gos_step *k) {
    gos_radau *g = method;
    GOS_TRY(radau_scale(g, k->h, &k->error, &k->made));
    k->accurate = k->error <= 1;
    if (k->accurate) {
        take_stage(g, k->h, k->t);
    }
    return GOS_OK;
}

double gos__radau_shorten(void *method, const gos_step *k, gos_status status) {
    GOS_UNUSED(method);
    return k->h *
           (status == GOS_OK ? fmax(1.0 / SHRINKS_MOST, SAFETY / k->error) : UNSOLVED_REDUCTION);
}

void gos__radau_undo(void *method) {
    gos_radau *g = method;
    g->past.h = 0;
    g->past.stale = true;
}
