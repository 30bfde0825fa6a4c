/* Generalised-alpha in time: index 3 with algorithmic accelerations for the motion (Chung and Hulbert
   1993, Arnold and Bruels 2007) and its first-order companion for the temperatures (Jansen, Whiting,
   Hulbert 2000), in one Newton iteration. All equations hold at the end of the step:

       q1 = q0 + h v0 + h^2 [(1/2 - beta) A0 + beta A1],    v1 = v0 + h [(1 - gamma) A0 + gamma A1],
       (1 - am) A1 + am A0 = (1 - af) a1 + af a0,           M a1 + Q(q1, v1, T1) + C^T lam = F, C(q1) = 0
       T1 = T0 + h [(1 - g) S0 + g S1],                     (1 - am) S1 + am S0 = (1 - af) T1' + af T0'

   A is the acceleration at t + (am - af) h to first order, so it is started there (without that the
   multipliers lose an order) and rescaled when the step changes.

   Newton re-uses a factorisation while it contracts well. The error of a step is estimated from the
   change of accelerations; `tolerance` is spent evenly over the run (error per unit step). */
#include <math.h>

#include "solve/consistent.h"
#include "solve/corotation.h"
#include "solve/solve.h"

#define STEP_GROWS 1.25 // smallest gain in the step that is worth a factorisation
#define STEP_SHRINKS 0.8 // least change when the step has to shrink

typedef struct scheme {
    double am, af, gamma, beta; // motion
    double tm, tf, tg;          // temperatures
    double error;               // local error of q is error h^3 q''' (see below)
} scheme;

struct gos_integrator {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_options opt;
    scheme k;
    gos_state *x;      // the caller's
    gos_state *x0;     // start of the step being tried; after it: start of the last accepted step
    gos_state *at;     // interpolated
    gos_work *w;
    gos_solver *solver;
    double *r;         // residual and Newton correction (n)
    double *mv;        // scratch (nq + nt)
    gos_corotation *turned; // how the factorisation turns along with the motion
    bool have_factor, stale;
    double factor_h;   // step the factorisation was made for
    double t_start;    // of the run
    double *breaks;    // switching times, ascending
    int nbreaks, ibreak;
    bool at_break;     // the next step starts at a switching time
    double T_range;    // temperature scale for errors [K]
    gos_statistics stats;
    double t_create;
};

/* Chung and Hulbert's parameters for the motion and Jansen's for temperatures (signs of the former).
   With A0 = a(t0 + (am - af) h) the displacement error is h^3 q''' (beta + 1/12 - gamma/2). */
static scheme scheme_make(double rho) {
    scheme k = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1)};
    k.gamma = 0.5 - k.am + k.af;
    k.beta = 0.25 * (1 - k.am + k.af) * (1 - k.am + k.af);
    k.tm = (3 * rho - 1) / (2 * (1 + rho));
    k.tf = k.af;
    k.tg = 0.5 - k.tm + k.tf;
    k.error = fabs(k.beta + 1.0 / 12 - 0.5 * k.gamma);
    return k;
}

/* ---- norms ----------------------------------------------------------------------------------------- */

/* RMS over the mass of a displacement field, relative to the extent */
static double motion_norm(gos_integrator *g, const double *dq) {
    const gos_system *s = g->sys;
    if (!(s->mass_total > 0)) {
        return 0;
    }
    double sum = 0;
    gos__rows_apply(&s->mass, 3, dq, g->mv);
    for (int i = 0; i < s->nq; i++) {
        sum += dq[i] * g->mv[i];
    }
    return sqrt(fmax(0, sum) / s->mass_total) / s->extent;
}

/* RMS over the heat capacity of a temperature field, relative to the range seen so far */
static double heat_norm(gos_integrator *g, const double *dT) {
    const gos_system *s = g->sys;
    if (!(s->capacity_total > 0)) {
        return 0;
    }
    double sum = 0;
    gos__rows_apply(&s->capacity, 1, dT, g->mv);
    for (int i = 0; i < s->nt; i++) {
        sum += dT[i] * g->mv[i];
    }
    return sqrt(fmax(0, sum) / s->capacity_total) / g->T_range;
}

static void update_range(gos_integrator *g) {
    for (int i = 0; i < g->sys->nt; i++) {
        g->T_range = fmax(g->T_range, g->sys->tmean[i] * fabs(g->x->th[i] - g->sys->th0[i]));
    }
}

/* ---- starting ---------------------------------------------------------------------------------------- */

static void set_jerk(const gos_state *now, const gos_state *then, double dt, gos_state *x) {
    const gos_system *s = x->sys;
    for (int i = 0; i < s->nq; i++) {
        x->jerk[i] = (then->a[i] - now->a[i]) / dt;
    }
    for (int i = 0; i < s->nt; i++) {
        x->thdd[i] = (then->thd[i] - now->thd[i]) / dt;
    }
}

/* accelerations, rates and multipliers at t, and by a small explicit step their derivatives */
static gos_status start(gos_integrator *g, double t) {
    gos_state *x = g->x, *then = g->at;
    GOS_TRY(gos__consistent(g->ctx, g->w, x, t));
    const double dt = 1e-7 * (g->opt.end - g->t_start);
    gos_state_copy(then, x);
    for (int i = 0; i < x->sys->nq; i++) {
        then->q[i] += dt * (x->v[i] + 0.5 * dt * x->a[i]);
        then->v[i] += dt * x->a[i];
    }
    for (int i = 0; i < x->sys->nt; i++) {
        then->th[i] += dt * x->thd[i];
    }
    GOS_TRY(gos__consistent(g->ctx, g->w, then, t + dt));
    set_jerk(x, then, dt, x);
    x->h = 0; // algorithmic accelerations follow when the step is known
    g->have_factor = false;
    return GOS_OK;
}

/* algorithmic quantities for a step h: rescale what an earlier step left, or start them */
static void set_algorithmic(const gos_integrator *g, gos_state *x, double h) {
    const gos_system *s = x->sys;
    const double d = g->k.am - g->k.af, dT = g->k.tm - g->k.tf;
    if (x->h == h) {
        return;
    }
    const double f = x->h > 0 ? h / x->h : 0;
    for (int i = 0; i < s->nq; i++) {
        x->abar[i] = x->a[i] + (f > 0 ? f * (x->abar[i] - x->a[i]) : d * h * x->jerk[i]);
    }
    for (int i = 0; i < s->nt; i++) {
        x->tau[i] = x->thd[i] + (f > 0 ? f * (x->tau[i] - x->thd[i]) : dT * h * x->thdd[i]);
    }
    x->heat_in_bar = x->heat_in + f * (x->heat_in_bar - x->heat_in);
    x->heat_con_bar = x->heat_con + f * (x->heat_con_bar - x->heat_con);
    if (!(f > 0)) { // the balance must see the same start as the temperatures: sum of C tau
        double sum = 0;
        for (int i = 0; i < s->nt; i++) {
            sum += s->hw[i] * (x->tau[i] - x->thd[i]);
        }
        x->heat_in_bar = x->heat_in + sum;
        x->heat_con_bar = x->heat_con;
    }
    x->h = h;
}

/* first step: the local error of the jerk meets what is allowed */
static double first_step(const gos_integrator *g, double allowed_rate) {
    gos_integrator *m = (gos_integrator *)(uintptr_t)g;
    const double jerk = g->k.error * motion_norm(m, g->x->jerk);
    const double heat = heat_norm(m, g->x->thdd);
    double h = 0.01 * (g->opt.end - g->t_start);
    if (jerk > 0) {
        h = fmin(h, sqrt(allowed_rate / jerk));
    }
    if (heat > 0) {
        h = fmin(h, allowed_rate / heat);
    }
    return h;
}

/* ---- one step ------------------------------------------------------------------------------------------ */

/* prediction of the state at t + h in g->x from g->x0 */
static void predict(gos_integrator *g, double h, double t1) {
    const scheme *k = &g->k;
    const gos_state *a = g->x0;
    gos_state *b = g->x;
    for (int i = 0; i < g->sys->nq; i++) {
        const double a1 = a->a[i] + h * a->jerk[i];
        const double bar = ((1 - k->af) * a1 + k->af * a->a[i] - k->am * a->abar[i]) / (1 - k->am);
        b->a[i] = a1;
        b->abar[i] = bar;
        b->q[i] = a->q[i] + h * a->v[i] + h * h * ((0.5 - k->beta) * a->abar[i] + k->beta * bar);
        b->v[i] = a->v[i] + h * ((1 - k->gamma) * a->abar[i] + k->gamma * bar);
    }
    for (int i = 0; i < g->sys->nt; i++) {
        const double r1 = a->thd[i] + h * a->thdd[i];
        const double bar = ((1 - k->tf) * r1 + k->tf * a->thd[i] - k->tm * a->tau[i]) / (1 - k->tm);
        b->thd[i] = r1;
        b->tau[i] = bar;
        b->th[i] = a->th[i] + h * ((1 - k->tg) * a->tau[i] + k->tg * bar);
    }
    b->t = t1;
}

/* derivatives of the end values with respect to the unknowns q1, T1 */
typedef struct chain {
    double a, v, bar, rate, tau;
} chain;

static chain chain_of(const scheme *k, double h) {
    chain c = {.bar = 1 / (h * h * k->beta), .tau = 1 / (h * k->tg)};
    c.a = c.bar * (1 - k->am) / (1 - k->af);
    c.v = k->gamma / (h * k->beta);
    c.rate = c.tau * (1 - k->tm) / (1 - k->tf);
    return c;
}

static gos_point_of end_point(const gos_state *x, double t) {
    return (gos_point_of){.t = t, .scale = 1, .q = x->q, .v = x->v, .a = x->a, .th = x->th,
                          .thd = x->thd, .lam = x->lam, .lamT = x->lamT};
}

/* scaled so that entries are of the size of mass and capacity whatever the step */
static gos_status refresh(gos_integrator *g, double h, double t_eval) {
    const chain c = chain_of(&g->k, h);
    const gos_newton_factors f = {.m = 1, .k = 1 / c.a, .d = c.v / c.a, .cm = 1, .ck = 1 / c.rate,
                                  .cd = c.v / c.rate, .lam = 1, .lamT = 1};
    const gos_point_of at = end_point(g->x, t_eval);
    gos__jacobian(g->w, &at, &f);
    g->stats.jacobians++;
    const double t0 = gos__now();
    int column;
    const gos_status s = gos__solver_factor(g->solver, g->w->values, &column);
    g->stats.time_factor += gos__now() - t0;
    g->stats.factorisations++;
    g->have_factor = s == GOS_OK;
    gos__corotation_set(g->turned, g->x->q);
    g->stale = false;
    g->factor_h = h;
    return s == GOS_E_SINGULAR ? GOS_RETRY : s;
}

static void correct(gos_integrator *g, const chain *c) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const double *d = g->r;
    for (int i = 0; i < s->nq; i++) {
        x->q[i] += d[i];
        x->v[i] += c->v * d[i];
        x->a[i] += c->a * d[i];
        x->abar[i] += c->bar * d[i];
    }
    const double *dT = d + s->nq;
    for (int i = 0; i < s->nt; i++) {
        x->th[i] += dT[i];
        x->thd[i] += c->rate * dT[i];
        x->tau[i] += c->tau * dT[i];
    }
    const double *dl = dT + s->nt;
    for (int i = 0; i < s->nc; i++) {
        x->lam[i] += c->a * dl[i];
    }
    for (int i = 0; i < s->nh; i++) {
        x->lamT[i] += c->rate * dl[s->nc + i];
    }
}

/* residual at the current iterate into g->r, scaled and with the sign of a right-hand side */
static gos_status right_hand_side(gos_integrator *g, const chain *c, double t_eval,
                                  gos_sums *sums) {
    const gos_system *s = g->sys;
    double *r = g->r;
    const gos_residual out = {.q = r, .th = r + s->nq, .c = r + s->nq + s->nt,
                              .h = r + s->nq + s->nt + s->nc};
    const gos_point_of at = end_point(g->x, t_eval);
    GOS_TRY(gos__residual(g->w, &at, &out, sums));
    for (int i = 0; i < s->nq; i++) {
        r[i] *= -1 / c->a;
    }
    for (int i = s->nq; i < s->nq + s->nt; i++) {
        r[i] *= -1 / c->rate;
    }
    for (int i = s->nq + s->nt; i < s->n; i++) {
        r[i] = -r[i];
    }
    return GOS_OK;
}

/* Newton at the end of a step; GOS_RETRY when it does not converge. tol: allowed error, relative. */
static gos_status newton(gos_integrator *g, double h, double t_eval, double tol, gos_sums *sums) {
    const chain c = chain_of(&g->k, h);
    double last = 0, rate = fmin(0.9, fmax(g->x0->contraction, 1e-4));
    for (int it = 0; it < g->opt.max_iterations; it++) {
        GOS_TRY(right_hand_side(g, &c, t_eval, sums));
        const double t0 = gos__now();
        gos__corotation_back(g->turned, g->r);
        gos__solver_solve(g->solver, g->r);
        gos__corotation_forth(g->turned, g->r);
        g->stats.time_solve += gos__now() - t0;
        g->stats.iterations++;
        const double norm = motion_norm(g, g->r) + heat_norm(g, g->r + g->sys->nq);
        if (!isfinite(norm)) {
            return GOS_RETRY;
        }
        correct(g, &c);
        if (it > 0 && last > 0) {
            rate = norm / last;
            g->x->contraction = fmax(rate, 1e-4);
        }
        if (norm * rate <= tol * (1 - fmin(rate, 0.999)) || norm <= 1e-15) {
            return GOS_OK;
        }
        if (it > 0 && rate > 0.9) {
            return GOS_RETRY;
        }
        last = norm;
    }
    return GOS_RETRY;
}

static void add_balance(gos_integrator *g, double h, const gos_sums *s) {
    const scheme *k = &g->k;
    const gos_state *a = g->x0;
    gos_state *b = g->x;
    b->power_diss = s->dissipated;
    b->power_work = s->work;
    b->power_thermal = s->thermal;
    b->heat_in = s->heat_in;
    b->heat_con = s->heat_con;
    b->energy.strain = s->strain;
    b->energy.dissipated += 0.5 * h * (a->power_diss + b->power_diss);
    b->energy.work += 0.5 * h * (a->power_work + b->power_work);
    b->energy.thermal_work += 0.5 * h * (a->power_thermal + b->power_thermal);
    /* heat with the weights of the scheme itself, so that the balance closes to round-off */
    b->heat_in_bar =
        ((1 - k->tf) * b->heat_in + k->tf * a->heat_in - k->tm * a->heat_in_bar) / (1 - k->tm);
    b->heat_con_bar =
        ((1 - k->tf) * b->heat_con + k->tf * a->heat_con - k->tm * a->heat_con_bar) / (1 - k->tm);
    b->heat_supplied += h * ((1 - k->tg) * a->heat_in_bar + k->tg * b->heat_in_bar);
    b->heat_constrained += h * ((1 - k->tg) * a->heat_con_bar + k->tg * b->heat_con_bar);
    double stored = 0;
    for (int i = 0; i < g->sys->nt; i++) {
        stored += g->sys->hw[i] * (b->th[i] - a->th[i]);
    }
    b->heat_stored += stored;
}

/* local error of an accepted Newton solution, relative to what one step may spend */
static double step_error(gos_integrator *g, double h, double allowed_rate) {
    const gos_system *s = g->sys;
    const gos_state *a = g->x0, *b = g->x;
    double *d = g->r;
    for (int i = 0; i < s->nq; i++) {
        d[i] = b->a[i] - a->a[i];
    }
    for (int i = 0; i < s->nt; i++) {
        d[s->nq + i] = b->thd[i] - a->thd[i] - h * a->thdd[i];
    }
    const double motion = g->k.error * h * h * motion_norm(g, d);
    const double heat = h / 12 * heat_norm(g, d + s->nq);
    return fmax(motion, heat) / (h * allowed_rate);
}

static void finish_step(gos_integrator *g, double h) {
    const gos_system *s = g->sys;
    gos_state *b = g->x;
    for (int i = 0; i < s->nq; i++) {
        b->jerk[i] = (b->a[i] - g->x0->a[i]) / h;
    }
    for (int i = 0; i < s->nt; i++) {
        b->thdd[i] = (b->thd[i] - g->x0->thd[i]) / h;
    }
    update_range(g);
}

/* one attempt at a step of size h to t1 */
static gos_status attempt(gos_integrator *g, double h, double t1, double t_eval, double tol,
                          gos_sums *sums) {
    set_algorithmic(g, g->x0, h);
    gos_state_copy(g->x, g->x0);
    predict(g, h, t1);
    const bool usable = g->have_factor && !g->stale && fabs(h / g->factor_h - 1) < 1e-3;
    if (!usable) {
        GOS_TRY(refresh(g, h, t_eval));
        return newton(g, h, t_eval, tol, sums);
    }
    gos__corotation_update(g->turned, g->x->q);
    gos_status status = newton(g, h, t_eval, tol, sums);
    if (status == GOS_RETRY) { // once more with a fresh factorisation before the step is made smaller
        gos_state_copy(g->x, g->x0);
        predict(g, h, t1);
        GOS_TRY(refresh(g, h, t_eval));
        status = newton(g, h, t_eval, tol, sums);
    }
    return status;
}

static gos_status give_up(gos_integrator *g, double h) {
    gos_state_copy(g->x, g->x0);
    char name[128] = "";
    double worst = 0;
    int at = 0;
    for (int i = 0; i < g->sys->nq; i++) {
        if (!(fabs(g->r[i]) <= worst)) {
            worst = fabs(g->r[i]);
            at = i;
        }
    }
    gos__name_unknown(g->sys, at, name, sizeof name);
    return gos__fail(g->ctx, GOS_E_DIVERGED,
                     "no solution of the step at t = %.9g s even with %.3g s; the largest correction is "
                     "at %s. Refine the mesh there, or soften loads that jump",
                     g->x->t, h, name);
}

/* where the next step may end: the next switching time or t_end */
static double next_stop(gos_integrator *g, double t_end) {
    while (g->ibreak < g->nbreaks && g->breaks[g->ibreak] <= g->x->t * (1 + 1e-14)) {
        g->ibreak++;
    }
    return g->ibreak < g->nbreaks ? fmin(t_end, g->breaks[g->ibreak]) : t_end;
}

/* step to take next, never leaving a sliver before the stop */
static double choose_step(const gos_integrator *g, double stop) {
    const double left = stop - g->x->t;
    double h = g->x->h_next;
    if (g->opt.step > 0) { // to the next point of the fixed grid
        const double n = floor((g->x->t - g->t_start) / g->opt.step * (1 + 1e-12) + 1e-9) + 1;
        h = fmin(h, g->t_start + n * g->opt.step - g->x->t);
    }
    if (h >= left * (1 - 1e-10)) {
        return left;
    }
    return g->opt.step > 0 || h <= 0.5 * left ? h : fmin(h, 0.5001 * left);
}

static void adapt(gos_integrator *g, double h, double error) {
    gos_state *x = g->x;
    if (g->opt.step > 0) {
        x->h_next = g->opt.step;
        return;
    }
    const double best = 0.9 / sqrt(fmax(error, 1e-8));
    /* a changed step costs a factorisation: change it seldom, and then by enough */
    const double factor = best < 1 ? fmin(best, STEP_SHRINKS) : best > STEP_GROWS ? fmin(best, 2) : 1;
    x->h_next = fmin(h * factor, g->opt.max_step);
}

/* What Newton may leave behind in one step: its error enters the velocity as error / h and acts for the
   rest of the run, so it must fall with (h / span)^2 to stay below the tolerance of the run; a fixed
   step has no tolerance of its own and gets 1e-7 of the extent. */
static double newton_allowed(const gos_integrator *g, double h, double span) {
    const double part = h / span;
    return g->opt.newton_tolerance * (g->opt.step > 0 ? 1e-7 * part : 10 * g->opt.tolerance * part * part);
}

gos_status gos_integrator_step(gos_integrator *g, double t_end) {
    if (!(t_end > g->x->t)) {
        return gos__fail(g->ctx, GOS_E_USE, "the end time %g s is not after the present %g s", t_end,
                         g->x->t);
    }
    const double began = gos__now();
    const bool fixed = g->opt.step > 0;
    const double span = g->opt.end - g->t_start;
    const double allowed_rate = g->opt.tolerance / span;
    if (g->at_break) {
        GOS_TRY(start(g, g->x->t + 1e-12 * span));
        g->stats.restarts++;
        g->x->h_next = fixed ? g->opt.step : fmin(first_step(g, allowed_rate), g->x->h_next);
        g->at_break = false;
    }
    gos_state_copy(g->x0, g->x);
    const double stop = next_stop(g, t_end);
    double h = choose_step(g, stop);
    for (;;) {
        const bool last = h >= stop - g->x0->t;
        const double t1 = last ? stop : g->x0->t + h;
        const bool is_break = last && g->ibreak < g->nbreaks && stop == g->breaks[g->ibreak];
        const double t_eval = is_break ? t1 - 1e-12 * span : t1;
        const double tol = newton_allowed(g, h, span);
        gos_sums sums = {0};
        const gos_status status = attempt(g, h, t1, t_eval, tol, &sums);
        if (status < 0) {
            gos_state_copy(g->x, g->x0);
            return status;
        }
        const double error = status == GOS_OK && !fixed ? step_error(g, h, allowed_rate) : 0;
        if (status == GOS_OK && error <= 1) {
            add_balance(g, h, &sums);
            finish_step(g, h);
            adapt(g, h, error);
            g->at_break = is_break;
            g->stale = g->x->contraction > 0.25;
            break;
        }
        g->stats.rejected++;
        h *= status == GOS_OK ? fmax(0.2, 0.9 / sqrt(error)) : 0.25;
        if (!(h > g->opt.min_step)) {
            return give_up(g, h);
        }
    }
    g->stats.steps++;
    g->stats.time_total += gos__now() - began;
    return GOS_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------- */

static int compare_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gos_status collect_breaks(gos_integrator *g) {
    enum { CAP = 100000 };
    g->breaks = gos__alloc(g->ctx, CAP, sizeof *g->breaks);
    if (!g->breaks) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < g->sys->nfn; i++) {
        GOS_TRY(gos__timefn_breaks(g->sys->fn[i], g->x->t, g->opt.end, g->breaks, &g->nbreaks, CAP));
    }
    qsort(g->breaks, (size_t)g->nbreaks, sizeof *g->breaks, compare_double);
    int n = 0;
    for (int i = 0; i < g->nbreaks; i++) { // one of those that coincide
        if (n == 0 || g->breaks[i] - g->breaks[n - 1] > 1e-11 * (g->opt.end - g->x->t)) {
            g->breaks[n++] = g->breaks[i];
        }
    }
    g->nbreaks = n;
    return GOS_OK;
}

static gos_status check_options(gos_ctx *ctx, const gos_options *o, double t) {
    if (!(o->end > t) || !(o->step >= 0) || !(o->rho_infinity >= 0 && o->rho_infinity <= 1) ||
        !(o->tolerance > 0) || !(o->newton_tolerance > 0) || !(o->max_iterations > 0)) {
        return gos__fail(ctx, GOS_E_USE,
                         "options of the integration are out of range: end %g s, step %g s, "
                         "rho_infinity %g, tolerance %g",
                         o->end, o->step, o->rho_infinity, o->tolerance);
    }
    return GOS_OK;
}

static gos_status prepare(gos_integrator *g) {
    const gos_system *s = g->sys;
    GOS_TRY(gos_state_create(g->ctx, s, &g->x0));
    GOS_TRY(gos_state_create(g->ctx, s, &g->at));
    GOS_TRY(gos__work_create(g->ctx, s, &g->w));
    g->r = gos__zalloc(g->ctx, (size_t)s->n + 1, sizeof *g->r);
    g->mv = gos__zalloc(g->ctx, (size_t)(s->nq + s->nt) + 1, sizeof *g->mv);
    if (!g->r || !g->mv) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(collect_breaks(g));
    GOS_TRY(gos__solver_create(g->ctx, &s->pattern, &g->solver));
    GOS_TRY(gos__corotation_create(g->ctx, s, &g->turned));
    const double span = g->opt.end - g->t_start;
    g->opt.max_step = g->opt.max_step > 0 ? g->opt.max_step : 0.1 * span;
    g->opt.min_step = g->opt.min_step > 0 ? g->opt.min_step : 1e-10 * span;
    double change = 0;
    GOS_TRY(gos__consistent_velocity(g->ctx, g->w, g->x, g->x->t, &change));
    if (change > 1e-6) {
        gos__warn(g->ctx, (gos_loc){0}, "initial",
                  "initial velocities did not fit the joints and were changed by %.3g of their size",
                  change);
    }
    GOS_TRY(start(g, g->x->t));
    update_range(g);
    g->x->h_next = g->opt.step > 0 ? g->opt.step
                   : g->opt.initial_step > 0
                       ? g->opt.initial_step
                       : fmin(first_step(g, g->opt.tolerance / span), g->opt.max_step);
    gos_energy e;
    g->x->energy0 = 0;
    gos_system_energy(s, g->x, &e);
    g->x->energy0 = e.balance;
    gos_state_copy(g->x0, g->x);
    return GOS_OK;
}

gos_status gos_integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                                 gos_state *state, gos_integrator **integrator) {
    GOS_TRY(check_options(ctx, options, state->t));
    gos_integrator *g = gos__zalloc(ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    const double t0 = gos__now();
    g->ctx = ctx;
    g->sys = sys;
    g->opt = *options;
    g->k = scheme_make(options->rho_infinity);
    g->x = state;
    g->t_start = state->t;
    g->T_range = 1;
    const gos_status status = prepare(g);
    if (status != GOS_OK) {
        gos_integrator_destroy(g);
        return status;
    }
    g->stats = (gos_statistics){.time_setup = gos__now() - t0};
    g->w->time_residual = g->w->time_jacobian = 0;
    g->w->nresidual = g->w->njacobian = 0;
    *integrator = g;
    return GOS_OK;
}

void gos_integrator_destroy(gos_integrator *g) {
    if (g) {
        gos_state_destroy(g->x0);
        gos_state_destroy(g->at);
        gos__work_destroy(g->ctx, g->w);
        gos__solver_destroy(g->solver);
        gos__corotation_destroy(g->turned);
        gos__free(g->ctx, g->r);
        gos__free(g->ctx, g->mv);
        gos__free(g->ctx, g->breaks);
        gos__free(g->ctx, g);
    }
}

void gos_integrator_statistics(const gos_integrator *g, gos_statistics *stats) {
    *stats = g->stats;
    stats->residuals = g->w->nresidual;
    stats->time_residual = g->w->time_residual;
    stats->time_jacobian = g->w->time_jacobian;
}

/* ---- inside the last step -------------------------------------------------------------------------------------- */

/* cubic Hermite values and, where rate is not NULL, derivatives */
static void hermite(int n, double h, double s, const double *y0, const double *d0,
                    const double *y1, const double *d1, double *y, double *rate) {
    const double s2 = s * s, s3 = s2 * s;
    const double a = 1 - 3 * s2 + 2 * s3, b = h * (s - 2 * s2 + s3), c = 3 * s2 - 2 * s3;
    const double d = h * (s3 - s2), da = (6 * s2 - 6 * s) / h, db = 1 - 4 * s + 3 * s2;
    const double dd = 3 * s2 - 2 * s;
    for (int i = 0; i < n; i++) {
        y[i] = a * y0[i] + b * d0[i] + c * y1[i] + d * d1[i];
        if (rate) {
            rate[i] = da * (y0[i] - y1[i]) + db * d0[i] + dd * d1[i];
        }
    }
}

static void linear(int n, double s, const double *y0, const double *y1, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = (1 - s) * y0[i] + s * y1[i];
    }
}

const gos_state *gos_integrator_at(gos_integrator *g, double t) {
    const gos_state *a = g->x0, *b = g->x;
    const gos_system *s = g->sys;
    const double h = b->t - a->t;
    if (t >= b->t || !(h > 0)) {
        gos_state_copy(g->at, b);
    } else {
        const double f = fmax(0, (t - a->t) / h);
        gos_state *y = g->at;
        gos_state_copy(y, b);
        y->t = a->t + f * h;
        hermite(s->nq, h, f, a->q, a->v, b->q, b->v, y->q, NULL);
        hermite(s->nq, h, f, a->v, a->a, b->v, b->a, y->v, NULL);
        linear(s->nq, f, a->a, b->a, y->a);
        hermite(s->nt, h, f, a->th, a->thd, b->th, b->thd, y->th, y->thd);
        linear(s->nc, f, a->lam, b->lam, y->lam);
        linear(s->nh, f, a->lamT, b->lamT, y->lamT);
        struct {
            const double *y0, *d0, *y1, *d1;
            double *y;
        } sums[] = {
            {&a->energy.dissipated, &a->power_diss, &b->energy.dissipated, &b->power_diss,
             &y->energy.dissipated},
            {&a->energy.work, &a->power_work, &b->energy.work, &b->power_work, &y->energy.work},
            {&a->energy.thermal_work, &a->power_thermal, &b->energy.thermal_work, &b->power_thermal,
             &y->energy.thermal_work}};
        for (int i = 0; i < GOS_COUNT(sums); i++) {
            hermite(1, h, f, sums[i].y0, sums[i].d0, sums[i].y1, sums[i].d1, sums[i].y, NULL);
        }
        linear(1, f, &a->heat_supplied, &b->heat_supplied, &y->heat_supplied);
        linear(1, f, &a->heat_constrained, &b->heat_constrained, &y->heat_constrained);
        double stored = 0;
        for (int i = 0; i < s->nt; i++) {
            stored += s->hw[i] * (y->th[i] - b->th[i]);
        }
        y->heat_stored = b->heat_stored + stored;
    }
    /* the strain energy is a function of the state */
    gos_sums sums;
    const gos_point_of x = end_point(g->at, g->at->t);
    const gos_residual out = {.q = g->r, .th = g->r + s->nq, .c = g->r + s->nq + s->nt,
                              .h = g->r + s->nq + s->nt + s->nc};
    const long n = g->w->nresidual;
    const double time = g->w->time_residual;
    if (gos__residual(g->w, &x, &out, &sums) == GOS_OK) {
        g->at->energy.strain = sums.strain;
    }
    g->w->nresidual = n; // output is not solving
    g->w->time_residual = time;
    return g->at;
}
