/* Error of a Radau IIA step (Hairer and Wanner IV.8): residual at the start with the rates of the
 * stage polynomial, filtered by the matrix of the real eigenvalue,
 *     (P + s R + s^2 M) e = -F(t_0, y_0, p'(0)).
 * It is of order h^4, the local error of order h^6; see gos__radau_scale. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "steppers/radau/radau.h"
#include "solve/scales.h"
#include "constraints/stabilised.h"

enum { N = GOS_RADAU_STAGES };

#define LEAST 1e-2    // smallest fraction of the tolerance for a step
#define ROUNDED 4e-15 // relative to the coordinates: rounding limit of the iteration
#define TRUE_ERROR 40 // C: for an oscillation, (1 / 7200) / (36 a^3) with a = c1 c2 / (6 gamma)
#define INSIDE 10     // limit of the estimate, in tolerances
#define BETWEEN 0.19  // largest |x (x - c1)(x - c2)(x - 1)| in a unit step, over c1 c2
#define PROJECTIONS 3 // projections of positions onto the constraints

static double span(const gos_radau *g) {
    return g->opt.end - g->t_start;
}

double gos__radau_allowed(const gos_radau *g, double h) {
    const double part = fmax(h / span(g), LEAST);
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
    gos_corotation *turned = g->turned[0]; // of no stage until the next attempt
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
        thd[i] = BETWEEN * h * (thd[i] - g->x0->thd[i]);
    }
    const double heat = gos__heat_rms(g->sys, thd, g->mv) / g->T_range;
    for (int i = 0; i < g->sys->nq && g->quasi; i++) {
        qd[i] = BETWEEN * h * (qd[i] - g->x0->v[i]);
    }
    return g->quasi ? hypot(heat, gos__motion_rms(g->sys, qd, g->mv)) : heat;
}

gos_status gos__radau_scale(gos_radau *g, double h, double *scale, double *made) {
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

gos_status gos__radau_project(gos_radau *g, double h, double t) {
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
