/* Errors of steps. The estimate of Hairer and Wanner (IV.8) is what the equations leave open at the
   start of a step with the rates that the polynomial through the start and the stages has there,
   seen through the matrix of the real eigenvalue:

       (P + s R + s^2 M) e = -F(t_0, y_0, p'(0)),    of order h^4, where the method errs by h^6 in a
   step.

   `tolerance` is the error of the whole run, spent evenly: a step may err by tolerance h / span. Of
   the estimate e and the cubic term d of the polynomial, which is of order h^3, e / d measures how
   long a step is for the motion, and C e (e / d)^2 is of the order and the size of the true error.
   As e itself bounds what is stiff, and what lies between the ends of a step, it may be no larger
   than a few tolerances. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "steppers/radau/radau.h"
#include "solve/scales.h"
#include "constraints/stabilised.h"

enum { N = GOS_RADAU_STAGES };

#define LEAST 1e-2    // of the tolerance, that any step may spend
#define ROUNDED 4e-15 // relative to the size of the coordinates: no iteration comes nearer
#define TRUE_ERROR 40 // C: of an oscillation, (1 / 7200) over 36 a^3 with a = c1 c2 / (6 gamma)
#define INSIDE 10     // tolerances that the estimate may be
#define BETWEEN 0.19  // largest |x (x - c1)(x - c2)(x - 1)| in a step of 1, over c1 c2
#define PROJECTIONS 3 // times that a position is brought back to the constraints

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

/* ---- estimate
 * ------------------------------------------------------------------------------------- */

static double sum_of(const double weight[N], double a, double b, double c) {
    return weight[0] * a + weight[1] * b + weight[2] * c;
}

/* rates of the polynomials at the start, of positions, velocities (nq) and temperatures (nt) */
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

/* g->r (n) := estimate of y, dv (nq): of the velocities; q, v, th: where the equations are looked
   at; qd, a, thd: rates of the polynomial */
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
        dv[i] = x->v[i] - qd[i]; // what the kinematic equations leave open
    }
    gos__radau_matrix_rates(&g->matrix, shift, dv, e);
    gos__solver_solve(g->matrix.solver, e);
    for (int i = 0; i < s->nq; i++) {
        dv[i] = shift * e[i] - dv[i];
    }
    return GOS_OK;
}

/* Places and temperatures alone: what is fast makes large errors of velocities, which are small
 * ones of places soon. */
static double size_of(const gos_radau *g, const double *dq, const double *dth) {
    return hypot(gos__motion_rms(g->sys, dq, g->mv),
                 gos__heat_rms(g->sys, dth, g->mv) / g->T_range);
}

/* ... of the cubic terms of the step's polynomials */
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

/* What the polynomials of temperatures are off between the ends of the step: a fourth power has
   about that of its difference of slopes at the start. In stiff heat it is much more than at the
   ends. Quasi-static positions follow loads likewise. qd, thd: become that difference. */
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

/* ---- constraints
 * ---------------------------------------------------------------------------------- */

/* dq (n) with C_q dq = -c, as small as the matrix of the real eigenvalue makes it; c lies in the
 * rows of dq */
static void step_back(gos_radau *g, double factor, double *dq) {
    const gos_system *s = g->sys;
    memset(dq, 0, (size_t)s->at.lam * sizeof *dq);
    memset(dq + s->at.lamT, 0, (size_t)s->nh * sizeof *dq);
    for (int i = s->at.lam; i < s->at.lamT; i++) {
        dq[i] *= -factor;
    }
    gos__solver_solve(g->matrix.solver, dq);
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
