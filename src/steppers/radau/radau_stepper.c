/* Stepper interface of Radau IIA: creation, history. */
#include <math.h>

#include "solve/initial_state.h"
#include "steppers/alpha/generalised_alpha.h"
#include "steppers/radau/radau.h"
#include "solve/consistent.h"

/* Dense output of the last step. Positions: quintic with positions and velocities at both ends,
 * and accelerations; after a restart the initial acceleration is that of the stage polynomial,
 * because of fast transients. Velocities and accelerations are its derivatives. Temperatures:
 * stage polynomial; multipliers: likewise without the start. */

enum { N = GOS_RADAU_STAGES };

/* Quintic Hermite basis on a unit step: velocity and acceleration at the start, increment,
 * velocity and acceleration at the end; ascending powers. */
enum { FIVE = 5 };
static const double hermite[FIVE][FIVE + 1] = {{0, 1, 0, -6, 8, -3},
                                               {0, 0, 0.5, -1.5, 1.5, -0.5},
                                               {0, 0, 0, 10, -15, 6},
                                               {0, 0, 0, -4, 7, -3},
                                               {0, 0, 0, 0.5, -1, 0.5}};

/* k-th derivatives of the basis at s */
static void weigh(double s, int k, double w[FIVE]) {
    for (int i = 0; i < FIVE; i++) {
        w[i] = 0;
        for (int power = FIVE; power >= k; power--) {
            double c = hermite[i][power];
            for (int d = 0; d < k; d++) {
                c *= power - d;
            }
            w[i] = w[i] * s + c;
        }
    }
}

static double along(const double w[FIVE], const double p[FIVE]) {
    return w[0] * p[0] + w[1] * p[1] + w[2] * p[2] + w[3] * p[3] + w[4] * p[4];
}

static void set_motion(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_state *x0 = g->x0, *x = g->x;
    const double *start = g->k.start, *end = g->k.D[N - 1];
    double w[3][FIVE];
    for (int d = 0; d < 3; d++) {
        weigh(s, d, w[d]);
    }
    for (int i = 0; i < g->sys->nq; i++) {
        double a0 = 0, a1 = 0;
        for (int j = 0; j < N; j++) {
            const double dv = g->stage[j].v[i] - x0->v[i];
            a0 += g->anew ? start[j] * dv : 0;
            a1 += end[j] * dv;
        }
        a0 = g->anew ? a0 : h * x0->a[i];
        const double p[FIVE] = {h * x0->v[i], h * a0, x->q[i] - x0->q[i], h * x->v[i], h * a1};
        y->q[i] = x0->q[i] + along(w[0], p);
        y->v[i] = along(w[1], p) / h;
        y->a[i] = along(w[2], p) / (h * h);
    }
}

static void set_quasi_static(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_state *x0 = g->x0, *x = g->x;
    const size_t n = (size_t)g->sys->n;
    double cubic[N], slope[N], first[N], last[N];
    gos__radau_cubics(&g->k, s, cubic);
    gos__radau_slopes(&g->k, s, slope);
    gos__radau_slopes(&g->k, 0, first);
    gos__radau_slopes(&g->k, 1, last);
    for (int i = 0; i < g->sys->nq; i++) {
        const double *z = g->z + i, z1 = z[n], z2 = z[2 * n], v0 = x0->v[i], v1 = x->v[i];
        const double open0 = v0 - (first[0] * z[0] + first[1] * z1 + first[2] * z2) / h;
        const double open1 = v1 - (last[0] * z[0] + last[1] * z1 + last[2] * z2) / h;
        y->q[i] = x0->q[i] + cubic[0] * z[0] + cubic[1] * z1 + cubic[2] * z2;
        // the velocity errors of the polynomial at both ends are corrected linearly
        y->v[i] =
            (slope[0] * z[0] + slope[1] * z1 + slope[2] * z2) / h + (1 - s) * open0 + s * open1;
        y->a[i] =
            ((12 * s - 6) * (x0->q[i] - x->q[i]) / h + (6 * s - 4) * v0 + (6 * s - 2) * v1) / h;
    }
}

static void set_rest(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_system *sys = g->sys;
    const size_t n = (size_t)sys->n;
    double cubic[N], slope[N], value[N];
    gos__radau_cubics(&g->k, s, cubic);
    gos__radau_slopes(&g->k, s, slope);
    gos__radau_values(&g->k, s, value);
    for (int i = 0; i < sys->nt; i++) {
        const double *z = g->z + sys->at.th + i;
        y->th[i] = g->x0->th[i] + cubic[0] * z[0] + cubic[1] * z[n] + cubic[2] * z[2 * n];
        y->thd[i] = (slope[0] * z[0] + slope[1] * z[n] + slope[2] * z[2 * n]) / h;
    }
    for (int i = 0; i < sys->nc + sys->nh; i++) {
        const double *z = g->z + sys->at.lam + i;
        const double lam = value[0] * z[0] + value[1] * z[n] + value[2] * z[2 * n];
        if (i < sys->nc) {
            y->lam[i] = lam;
        } else {
            y->lamT[i - sys->nc] = lam;
        }
    }
}

void gos__radau_integrals_to(const gos_radau *g, double x, double *integral) {
    double w[N];
    gos__radau_integrals(&g->k, x, w);
    for (int i = 0; i < GOS_RADAU_NINTEGRAL; i++) {
        integral[i] = 0;
        for (int j = 0; j < N; j++) {
            integral[i] += g->past.h * w[j] * g->stage[j].power[i];
        }
    }
}

static void set_integrals(const gos_radau *g, double s, gos_state *y) {
    const gos_state *x0 = g->x0;
    double now[GOS_RADAU_NINTEGRAL], stored = 0;
    gos__radau_integrals_to(g, s, now);
    y->energy.dissipated = x0->energy.dissipated + now[GOS_RADAU_DISSIPATED];
    y->energy.work = x0->energy.work + now[GOS_RADAU_WORK];
    y->energy.thermal_work = x0->energy.thermal_work + now[GOS_RADAU_THERMAL];
    y->heat_supplied = x0->heat_supplied + now[GOS_RADAU_HEAT_IN];
    y->heat_constrained = x0->heat_constrained + now[GOS_RADAU_HEAT_CON];
    for (int i = 0; i < g->sys->nt; i++) {
        stored += g->sys->hw[i] * (y->th[i] - x0->th[i]);
    }
    y->heat_stored = x0->heat_stored + stored;
}

/* As radau_at without powers and strain energy. */
static const gos_state *radau_position(gos_radau *g, double t) {
    gos_state *y = g->at;
    const double h = g->x->t - g->x0->t;
    (void)gos_state_copy(y, g->x);
    if (t < g->x->t && h > 0) {
        const double s = fmax(0, (t - g->x0->t) / h);
        memcpy(y->mem, g->x0->mem, g->sys->nmem * sizeof *y->mem); // as used by the step
        if (g->quasi) {
            set_quasi_static(g, h, s, y);
        } else {
            set_motion(g, h, s, y);
        }
        set_rest(g, h, s, y);
        y->t = fmax(t, g->x0->t);
        set_integrals(g, s, y);
    }
    return y;
}

static void sum_up(gos_radau *g, gos_state *x) {
    const gos_point_of at = gos__state_point(x, x->t);
    const gos_residual out = gos__residual_of(g->sys, g->r);
    gos_sums sums;
    if (gos__residual(g->w, &at, &out, &sums) == GOS_OK) {
        x->energy.strain = sums.strain;
        x->power_diss = sums.dissipated;
        x->power_work = sums.work;
        x->power_thermal = sums.thermal;
        x->heat_in = sums.heat_in;
        x->heat_con = sums.heat_con;
    }
}

/* State at a time inside the last step, in g->at. */
static const gos_state *radau_at(gos_radau *g, double t) {
    const long n = g->w->nresidual;
    const double time = g->w->time_residual;
    (void)radau_position(g, t);
    if (g->at->t < g->x->t) {
        sum_up(g, g->at);
    }
    g->w->nresidual = n; // exclude output from the statistics of the solver
    g->w->time_residual = time;
    return g->at;
}

#define LEAST 1e-12 // smallest step, relative to the run

static gos_status check_options(gos_ctx *ctx, const gos_options *o, double t) {
    if (!(o->end > t) || !(o->tolerance > 0) || !(o->newton_tolerance > 0) ||
        !(o->max_iterations > 1)) {
        return gos__fail(ctx, GOS_E_USE,
                         "options of the integration are out of range: end %g s, tolerance %g, "
                         "newton_tolerance %g, max_iterations %d (radau: at least 2)",
                         o->end, o->tolerance, o->newton_tolerance, o->max_iterations);
    }
    if (o->step > 0 || o->probe_tolerance > 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "analysis: integrator radau selects its steps automatically and does not "
                         "support `%s`; remove it, or use generalised-alpha",
                         o->step > 0 ? "step" : "probe_tolerance");
    }
    return GOS_OK;
}

static double *part(double **next, size_t n) {
    double *x = *next;
    *next += n + (n & 1); // align complex numbers to even offsets
    return x;
}

static gos_status make_block(gos_radau *g) {
    const gos_system *s = g->sys;
    const size_t n = (size_t)s->n, nq = (size_t)s->nq, nt = (size_t)s->nt, nc = (size_t)s->nc;
    const size_t place = gos__location_size(s);
    const size_t size = N * (n + 2 * nq + nt) + N * n + 4 * n + 2 * n + nc + (n + 2 * nq + nt) +
                        (size_t)s->nstate + N * n + 2 * place + 32;
    double *next = g->block = gos__zalloc(g->ctx, size, sizeof *g->block);
    if (!next) {
        return GOS_E_MEMORY;
    }
    g->u = (gos_complex *)(void *)part(&next, 2 * n);
    for (int i = 0; i < N; i++) {
        g->stage[i].y = part(&next, n);
        g->stage[i].v = part(&next, nq);
        g->stage[i].a = part(&next, nq);
        g->stage[i].thd = part(&next, nt);
    }
    g->z = part(&next, N * n);
    g->r = part(&next, 4 * n);
    g->none = part(&next, nc);
    g->scratch = part(&next, n + 2 * nq + nt);
    g->mv = part(&next, (size_t)s->nstate);
    g->past.velocity = part(&next, N * nq);
    g->past.unknowns = part(&next, N * (n - nq));
    g->past.place = part(&next, place);
    g->past.pivots = part(&next, place);
    return GOS_OK;
}

static gos_status allocate(gos_radau *g, const gos_run_of *run) {
    gos__radau_tableau(&g->k);
    GOS_TRY(gos_state_create(g->ctx, g->sys, &g->x0));
    GOS_TRY(gos_state_create(g->ctx, g->sys, &g->at));
    GOS_TRY(gos__work_create(g->ctx, g->sys, &g->w));
    GOS_TRY(gos__radau_matrix_make(g->ctx, g->w, &g->matrix));
    GOS_TRY(make_block(g));
    for (int i = 0; i < N && g->opt.motion != GOS_MOTION_QUASI_STATIC; i++) {
        GOS_TRY(gos__corotation_create(g->ctx, g->sys, &g->turned[i]));
    }
    GOS_TRY(g->opt.motion == GOS_MOTION_QUASI_STATIC ? gos__quasi_static_make(g) : GOS_OK);
    return gos__breaks_find(run, g->opt.max_step, 0, g->w, &g->breaks);
}

static void destroy(void *stepper) {
    gos_radau *g = stepper;
    if (g) {
        gos__radau_matrix_free(&g->matrix);
        for (int i = 0; i < N; i++) {
            gos__corotation_destroy(g->turned[i]);
        }
        gos_state_destroy(g->x0);
        gos_state_destroy(g->at);
        gos__work_destroy(g->ctx, g->w);
        gos__quasi_static_free(g->ctx, g->quasi);
        gos__free(g->ctx, g->block);
        gos__breaks_free(g->ctx, &g->breaks);
        gos__free(g->ctx, g);
    }
}

static void statistics(const void *stepper, gos_statistics *stats) {
    const gos_radau *g = stepper;
    *stats = g->stats;
    stats->residuals = g->w->nresidual;
    stats->time_residual = g->w->time_residual;
    stats->time_jacobian = g->w->time_jacobian;
}

static gos_status tell(void *stepper) {
    ((gos_radau *)stepper)->tells = true;
    return GOS_OK;
}

static void walk_past(gos_radau *g, gos_walk *w) {
    const gos_system *s = g->sys;
    gos_radau_past *p = &g->past;
    gos__walk(w, &p->h, 1);
    gos__walk(w, &p->scale, 1);
    gos__walk(w, &p->factor_h, 1);
    gos__walk_bool(w, &p->stale);
    gos__walk_bool(w, &p->has_factor);
    gos__walk(w, p->velocity, N * (size_t)s->nq);
    gos__walk(w, p->unknowns, N * (size_t)(s->n - s->nq));
    gos__walk(w, p->place, gos__location_size(s));
    gos__walk(w, p->pivots, gos__location_size(s));
}

static void walk(void *stepper, gos_walk *w) {
    gos_radau *g = stepper;
    gos_statistics stats;
    statistics(g, &stats);
    gos__walk(w, &g->T_range, 1);
    gos__walk(w, &g->place, 1);
    gos__walk(w, &g->opt.tolerance, 1);
    gos__walk(w, &g->made, 1);
    gos__walk_bool(w, &g->tells);
    gos__breaks_walk(&g->breaks, w);
    gos__step_monitor_walk(&g->watch, w);
    gos__walk_statistics(w, &stats);
    walk_past(g, w);
    if (g->quasi) {
        gos__quasi_static_walk(g->sys, g->quasi, w);
    }
    if (w->takes) {
        const gos_radau_past *p = &g->past;
        w->bad = w->bad || !(g->T_range > 0 && isfinite(g->T_range)) || !(g->opt.tolerance > 0) ||
                 !(g->made >= 0) || !(g->place >= 0) || !(g->x->h > 0) || !(g->x->h_next > 0) ||
                 !(p->h >= 0) || !(p->scale >= 0) ||
                 (p->has_factor && !(p->pivots[1] > 0 && p->factor_h > 0));
        g->w->nresidual = stats.residuals;
        g->w->time_residual = stats.time_residual;
        g->w->time_jacobian = stats.time_jacobian;
        g->stats = stats;
    }
}

gos_monitored gos__radau_monitored(const gos_radau *g) {
    return (gos_monitored){.ctx = g->ctx,
                           .opt = &g->opt,
                           .x = g->x,
                           .w = g->w,
                           .u = g->r,
                           .weighed = g->mv,
                           .c = g->r + g->sys->nq};
}

static gos_status begin(gos_radau *g) {
    GOS_TRY(g->quasi ? gos__quasi_static_begin(g) : GOS_OK);
    GOS_TRY(gos__initial_state(g->ctx, g->w, g->x));
    GOS_TRY(gos__radau_start(g));
    gos__initial_energy(g->x);
    const gos_monitored watched = gos__radau_monitored(g);
    gos__step_monitor_begin(&g->watch, &watched);
    g->stats = (gos_statistics){0};
    g->w->time_residual = g->w->time_jacobian = 0;
    g->w->nresidual = g->w->njacobian = 0;
    return GOS_OK;
}

static gos_status go_on(gos_radau *g, gos_walk *past) {
    walk(g, past);
    g->w->massless = g->quasi != NULL;
    if (past->bad || !g->past.has_factor) {
        return GOS_OK; // reported by the integrator
    }
    return gos__radau_factor_again(g);
}

static gos_status create(const gos_run_of *run, void **stepper) {
    const double t0 = gos__now();
    GOS_TRY(check_options(run->ctx, run->options, run->t_start));
    if (run->sys->steady_heat) {
        return gos__fail(run->ctx, GOS_E_USE,
                         "analysis: integrator radau requires temperature rates, which `heat: "
                         "steady` does not have; use generalised-alpha");
    }
    gos_radau *g = gos__zalloc(run->ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    *g = (gos_radau){.ctx = run->ctx,
                     .sys = run->sys,
                     .opt = *run->options,
                     .x = run->x,
                     .matrix = {.ctx = run->ctx},
                     .t_start = run->t_start};
    const double span = g->opt.end - g->t_start;
    g->T_range = g->opt.temperature_range > 0 ? g->opt.temperature_range : 1;
    g->opt.max_step = g->opt.max_step > 0 ? g->opt.max_step : 0.1 * span;
    g->opt.min_step = g->opt.min_step > 0 ? g->opt.min_step : LEAST * span;
    gos_status status = allocate(g, run);
    if (status == GOS_OK) {
        status = run->past ? go_on(g, run->past) : begin(g);
    }
    if (status == GOS_OK) {
        status = gos_state_copy(g->x0, g->x);
    }
    if (status != GOS_OK) {
        destroy(g);
        return status;
    }
    g->x0->npast = 0;
    g->stats.time_setup += gos__now() - t0;
    *stepper = g;
    return GOS_OK;
}

static const gos_state *step_start(const void *stepper) {
    return ((const gos_radau *)stepper)->x0;
}

static const gos_breaks *breaks(const void *stepper) {
    return &((const gos_radau *)stepper)->breaks;
}

static gos_status step(void *stepper, double t_end) {
    return gos__radau_step(stepper, t_end);
}

static const gos_state *at(void *stepper, double t) {
    return radau_at(stepper, t);
}

static const gos_state *place(void *stepper, double t) {
    return radau_position(stepper, t);
}

/* names of the data of `walk`, in order */
static const char layout[] =
#define X(name, doc) #name ","
    "radau: T_range,place,tolerance,made,tells,breaks," GOS_WATCH_NUMBERS(
        X) "statistics,h,scale,factor_h,stale,has_factor,velocity,unknowns,place,"
           "pivots," GOS_QUASI_STATIC_NUMBERS(X) "apart,told,before";
#undef X

const gos_stepper gos__radau = {.layout = layout,
                                .create = create,
                                .step = step,
                                .at = at,
                                .place = place,
                                .ninside = 2,
                                .start = step_start,
                                .tell = tell,
                                .breaks = breaks,
                                .walk = walk,
                                .statistics = statistics,
                                .destroy = destroy};
