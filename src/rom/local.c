/* Time stepping by local linearisation (theory 4.7). Positions and temperatures are the start of
   the interval plus increments, hence continuous. After each step the nonlinear forces provide
   multipliers, powers and the next start. */
#include "rom/local.h"

#include <cblas.h>
#include <math.h>

#include "math/vec3.h"
#include "solve/consistent.h"
#include "system/assemble.h"

#define OVERSHOOT 1.25 // largest overshoot of a threshold accepted in an exact step
#define REPEAT 2.0     // error above which an exact interval is repeated
#define GROWTH 2.0     // largest ratio of successive intervals

/* ---- state after a step ---------------------------------------------------------------------- */

/* e = c + R (origin - c + W eta), e' = R (W eta' + Omega x ...) */
static void compose_motion(gos_local *g) {
    const gos_system *s = g->sys;
    const gos_interval *l = g->lin;
    gos_state *x = g->x;
    const size_t bytes = s->nq * sizeof(double);
    const int m = l->m;
    memcpy(x->q, g->origin->q, bytes);
    if (m > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nq, m, 1, g->W, m, l->g, 1, 1, x->q, 1);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nq, m, 1, g->W, m, l->g + m, 1, 0, x->v, 1);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nq, m, 1, g->W, m, l->gd + m, 1, 0, x->a, 1);
    } else {
        memset(x->v, 0, bytes);
        memset(x->a, 0, bytes);
    }
    if (!g->frame.on) {
        return;
    }
    for (int i = 0; i < s->nv; i++) {
        double y[3], w[3], ww[3], wv[3];
        for (int k = 0; k < 3; k++) {
            y[k] = x->q[3 * i + k] - s->trans[i] * g->frame.centre[k];
        }
        gos__cross3(g->frame.omega, y, w);
        gos__cross3(g->frame.omega, w, ww);
        gos__cross3(g->frame.omega, x->v + 3 * i, wv);
        for (int k = 0; k < 3; k++) {
            x->v[3 * i + k] += w[k];
            x->a[3 * i + k] += 2 * wv[k] + ww[k];
        }
    }
    double *const vectors[] = {x->q, x->v, x->a};
    for (int k = 0; k < 3; k++) {
        gos__local_turn(g, l->t, k == 0, vectors[k], g->sol);
        memcpy(vectors[k], g->sol, bytes);
    }
}

static void compose_heat(gos_local *g) {
    const gos_interval *l = g->lin;
    const int nt = g->sys->nt, mt = l->mt, m = l->m;
    memcpy(g->x->th, g->origin->th, nt * sizeof(double));
    memset(g->x->thd, 0, nt * sizeof(double));
    if (mt > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, nt, mt, 1, g->Psi, mt, l->g + 2 * m, 1, 1,
                    g->x->th, 1);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, nt, mt, 1, g->Psi, mt, l->gd + 2 * m, 1, 0,
                    g->x->thd, 1);
    }
}

/* twice the kinetic energy of velocities v */
static double mass_square(const gos_system *s, const double *v) {
    double sum = 0;
    for (int i = 0; i < s->nv; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            sum += s->mass.v[k] * gos__dot3(v + 3 * i, v + 3 * s->mass.j[k]);
        }
    }
    return sum;
}

/* least change of y (mass norm) such that C y = rhs; NULL: 0 */
static void project(gos_local *g, const gos_point_of *at, const double *rhs, double *y) {
    const gos_system *s = g->sys;
    double *c = g->r1 + s->at.lam;
    memset(g->r1, 0, s->n * sizeof *g->r1);
    gos__constraint_apply(g->w, at, y, c);
    for (int i = 0; i < s->nc; i++) {
        c[i] = (rhs ? rhs[i] : 0) - c[i];
    }
    gos__nullspace_solve(g->space, g->r1);
    cblas_daxpy(s->nq, 1, g->r1, 1, y, 1);
}

/* Project back onto curved constraints (theory eq. 3). Velocities keep their energy;
   accelerations get the centripetal term. */
static gos_status return_to_constraints(gos_local *g, double t) {
    gos_state *x = g->x;
    if (gos__nullspace_constant(g->space)) {
        return GOS_OK;
    }
    const double energy = mass_square(g->sys, x->v);
    x->t = t;
    g->report.violation = fmax(g->report.violation, gos__state_violation(g->sys, x));
    const gos_status status = gos__nullspace_correct(g->space, g->w, t, x->q, NULL);
    if (status != GOS_OK) {
        return status != GOS_RETRY
                   ? status
                   : gos__fail(
                         g->ctx, GOS_E_DIVERGED,
                         "the joint constraints could not be satisfied again at t = %.9g s; use "
                         "smaller thresholds",
                         t);
    }
    const gos_point_of at = {.t = t, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .mem = x->mem};
    GOS_TRY(gos__nullspace_factor(g->space, g->w, &at));
    project(g, &at, NULL, x->v);
    const double left = mass_square(g->sys, x->v);
    if (left > 0) {
        cblas_dscal(g->sys->nq, sqrt(energy / left), x->v, 1);
    }
    double *rhs = g->sol;
    gos__constraint_rates(g->w, &at, NULL, rhs);
    project(g, &at, rhs, x->a);
    return GOS_OK;
}

static void add_balance(gos_local *g, double h, const gos_sums *sums) {
    const gos_state *a = g->x0;
    gos_state *b = g->x;
    b->power_diss = sums->dissipated;
    b->power_work = sums->work;
    b->power_thermal = sums->thermal;
    b->heat_in = sums->heat_in;
    b->heat_con = sums->heat_con;
    b->energy = a->energy;
    b->energy.strain = sums->strain;
    b->energy.dissipated += 0.5 * h * (a->power_diss + b->power_diss);
    b->energy.work += 0.5 * h * (a->power_work + b->power_work);
    b->energy.thermal_work += 0.5 * h * (a->power_thermal + b->power_thermal);
    b->heat_supplied = a->heat_supplied + 0.5 * h * (a->heat_in + b->heat_in);
    b->heat_constrained = a->heat_constrained + 0.5 * h * (a->heat_con + b->heat_con);
    b->heat_stored = a->heat_stored;
    for (int i = 0; i < g->sys->nt; i++) {
        b->heat_stored += g->sys->hw[i] * (b->th[i] - a->th[i]);
        g->T_range = fmax(g->T_range, g->sys->tmean[i] * fabs(b->th[i] - g->sys->th0[i]));
    }
}

/* full state, forces and balances */
static gos_status compose(gos_local *g, double t, double t_eval) {
    const double t0 = gos__now();
    gos_sums sums;
    compose_motion(g);
    compose_heat(g);
    GOS_TRY(return_to_constraints(g, t));
    g->x->t = t;
    GOS_TRY(gos__local_forces(g, t_eval, &sums));
    add_balance(g, t - g->x0->t, &sums);
    g->report.peak_kinetic = fmax(g->report.peak_kinetic, 0.5 * mass_square(g->sys, g->x->v));
    g->report.time_force += gos__now() - t0;
    return GOS_OK;
}

/* ---- length of an interval ------------------------------------------------------------------- */

/* Largest nodal displacement in the frame and mean temperature change, relative to their
   thresholds; eta, p: displacements (2 m + mt) or rates. */
static double reach(gos_local *g, const double *eta, const double *p) {
    const gos_system *s = g->sys;
    const gos_interval *l = g->lin;
    double r2 = 0, T = 0, *d = g->sol;
    if (l->m > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nq, l->m, 1, g->W, l->m, eta, 1, 0, d, 1);
        for (int i = 0; i < s->nnodes; i++) {
            double u[3];
            gos__marker_rate(&s->node_r[i], d, u);
            r2 = fmax(r2, gos__dot3(u, u));
        }
        for (int i = 0; i < g->naxis; i++) {
            const double *u = d + 3 * g->axis[i];
            r2 = fmax(r2, g->axis_w[i] * g->axis_w[i] * gos__dot3(u, u));
        }
    }
    if (l->mt > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nt, l->mt, 1, g->Psi, l->mt, p, 1, 0, d, 1);
        for (int i = 0; i < s->nnodes; i++) {
            T = fmax(T, fabs(gos__tmarker_value(&s->node_T[i], d)));
        }
    }
    return fmax(sqrt(r2) / g->def.thresholds.displacement, T / g->def.thresholds.temperature);
}

static double predicted(gos_local *g) {
    const gos_interval *l = g->lin;
    const double v = reach(g, l->g + l->m, l->gd + 2 * l->m);
    memset(g->jump, 0, (l->mt + 1) * sizeof *g->jump);
    const double a = reach(g, l->gd + l->m, g->jump);
    return v > 0 || a > 0 ? 2 / (v + sqrt(v * v + 2 * a)) : HUGE_VAL;
}

/* ---- intervals ------------------------------------------------------------------------------- */

static bool by_error(const gos_local *g) {
    return g->def.intervals == GOS_INTERVALS_ERROR;
}

static double limited(const gos_local *g, double T) {
    return g->def.max_interval > 0 ? fmin(T, g->def.max_interval) : T;
}

/* velocity represented by the columns; records the energy change */
static void close_energy_balance(gos_local *g, double before) {
    compose_motion(g);
    if (!gos__nullspace_constant(g->space)) { // already in the tangent space: W = U V
        memcpy(g->x->q, g->origin->q, g->sys->nq * sizeof(double));
    }
    const double change = 0.5 * (mass_square(g->sys, g->x->v) - before);
    g->report.energy_jump = fmax(g->report.energy_jump, fabs(change));
    g->report.energy_drift += change;
}

static gos_status open_interval(gos_local *g) {
    const double before = mass_square(g->sys, g->x->v);
    gos_state_copy(g->origin, g->x);
    GOS_TRY(gos__local_linearise(g));
    gos_state_copy(g->origin, g->x);
    close_energy_balance(g, before);
    if (!by_error(g)) {
        const double T = limited(g, fmin(predicted(g), GROWTH * g->interval));
        g->interval = T;
    }
    g->active = true;
    g->report.intervals++;
    return GOS_OK;
}

/* length of the next interval from the force residual */
static double adapted(const gos_local *g, double T, double error) {
    const double factor = 0.9 / cbrt(fmax(error, 1e-6));
    return limited(g, T * fmin(GROWTH, fmax(0.2, factor)));
}

static void close_interval(gos_local *g) {
    const int m = g->lin->m;
    const double T = g->lin->t;
    if (by_error(g)) {
        g->interval = adapted(g, T, gos__local_discontinuity(g));
    } else {
        g->interval = T;
    }
    // the velocity in the parallel basis continues unchanged
    cblas_dgemv(CblasRowMajor, CblasTrans, m, g->n, 1, g->modes->V, g->n, g->lin->g + m, 1, 0, g->v,
                1);
    g->active = false;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static gos_status diverged(gos_local *g, gos_status status) {
    return status != GOS_RETRY ? status
                               : gos__fail(g->ctx, GOS_E_DIVERGED,
                                           "the linear system of an interval could not be "
                                           "integrated at t = %.9g s; use smaller thresholds",
                                           g->x0->t);
}

static gos_status try_alpha(gos_local *g, double t1) {
    const double h0 = g->opt.step, t0 = g->x0->t, t2 = gos__now();
    // differs by rounding only: reuse the factors
    const double h = fabs(t1 - t0 - h0) < 1e-9 * h0 ? h0 : t1 - t0;
    GOS_TRY(diverged(g, gos__interval_alpha(g->lin, h, g->opt.rho_infinity)));
    g->report.time_step += gos__now() - t2;
    return compose(g, t1, gos__breaks_left(&g->breaks, t1));
}

static double grid(const gos_local *g, double stop) {
    const double h0 = g->opt.step, t0 = g->x0->t;
    const double n = floor((t0 - g->t_start) / h0 * (1 + 1e-12) + 1e-9) + 1;
    const double t = g->t_start + n * h0;
    return t >= stop - 1e-6 * h0 ? stop : t;
}

static gos_status restart(gos_local *g) {
    gos_sums sums;
    if (g->active) {
        close_interval(g);
    }
    g->stats.restarts++;
    return gos__local_forces(g, gos__breaks_right(&g->breaks, g->x->t), &sums);
}

gos_status gos__local_begin(void *method, gos_stop_kind kind, double t_end) {
    gos_local *g = method;
    GOS_UNUSED(t_end);
    GOS_TRY(gos_state_copy(g->x0, g->x));
    const gos_status status = kind != GOS_STOP_NONE ? restart(g) : GOS_OK;
    if (status != GOS_OK) {
        (void)gos_state_copy(g->x, g->x0);
        g->failed = true;
    }
    return status;
}

/* fixed steps are found by the attempt */
gos_status gos__local_plan(void *method, gos_step *k) {
    gos_local *g = method;
    const double left = k->stop - g->x0->t;
    GOS_TRY(g->active ? GOS_OK : open_interval(g));
    const double most = gos__breaks_step(&g->breaks, g->x0->t, g->interval);
    k->h = most < left * (1 - 1e-6) ? fmin(most, fmax(0.5001 * left, left - most)) : left;
    return GOS_OK;
}

gos_status gos__local_attempt(void *method, gos_step *k) {
    gos_local *g = method;
    const double began = gos__now();
    if (g->opt.step > 0) {
        k->t = grid(g, k->stop);
        return try_alpha(g, k->t);
    }
    GOS_TRY(diverged(g, gos__interval_exact(g->lin, k->t - g->x0->t)));
    g->report.time_step += gos__now() - began;
    return compose(g, k->t, gos__breaks_left(&g->breaks, k->t));
}

gos_status gos__local_error(void *method, gos_step *k) {
    gos_local *g = method;
    if (g->opt.step > 0) {
        return GOS_OK;
    }
    k->error = by_error(g) ? gos__local_discontinuity(g) : 0;
    g->overshoot = by_error(g) ? 0 : reach(g, g->lin->g, g->lin->g + 2 * g->lin->m);
    k->accurate = (k->error <= REPEAT && g->overshoot <= OVERSHOOT) ||
                  k->h < 1e-9 * (g->opt.end - g->t_start);
    return GOS_OK;
}

gos_status gos__local_cut(void *method, double t) {
    gos_local *g = method;
    if (g->opt.step > 0) {
        gos__interval_undo(g->lin);
        return try_alpha(g, t);
    }
    g->report.rejected++;
    return GOS_RETRY;
}

/* shortened for error or threshold */
double gos__local_shorten(void *method, const gos_step *k, gos_status status) {
    gos_local *g = method;
    GOS_UNUSED(status);
    g->report.rejected++;
    return k->error > REPEAT ? adapted(g, k->h, k->error) : k->h / g->overshoot;
}

gos_status gos__local_accept(void *method, gos_step *k) {
    gos_local *g = method;
    GOS_UNUSED(k);
    const bool over = g->opt.step > 0 ? by_error(g)
                                            ? g->lin->t >= g->interval * (1 - 1e-9)
                                            : reach(g, g->lin->g, g->lin->g + 2 * g->lin->m) > 1 ||
                                                  (g->def.max_interval > 0 &&
                                                   g->lin->t >= g->def.max_interval * (1 - 1e-9))
                                      : true;
    if (over || gos__breaks_landed(&g->breaks)) {
        close_interval(g);
    }
    return GOS_OK;
}

/* The interval ends where forces are discontinuous. */
gos_status gos__local_end(void *method, gos_stop_kind kind, bool last) {
    gos_local *g = method;
    gos_sums sums;
    GOS_UNUSED(last);
    if (kind != GOS_STOP_NONE && g->active) {
        close_interval(g);
    }
    GOS_TRY(kind == GOS_STOP_EVENT ? gos__local_forces(g, g->x->t, &sums) : GOS_OK);
    g->x->h = g->x->t - g->x0->t;
    return GOS_OK;
}

void gos__local_undo(void *method) {
    ((gos_local *)method)->failed = true;
}

/* ---- interpolation in the last step ---------------------------------------------------------- */

static void hermite(int n, double h, double s, const double *y0, const double *d0, const double *y1,
                    const double *d1, double *y) {
    const double s2 = s * s, s3 = s2 * s;
    const double a = 1 - 3 * s2 + 2 * s3, b = h * (s - 2 * s2 + s3), d = h * (s3 - s2);
    for (int i = 0; i < n; i++) {
        y[i] = a * y0[i] + b * d0[i] + (1 - a) * y1[i] + d * d1[i];
    }
}

static double between(double s, double a, double b) {
    return (1 - s) * a + s * b;
}

void gos__local_interpolate(void *method, double t) {
    gos_local *g = method;
    const gos_state *a = g->x0, *b = g->x;
    const gos_system *s = g->sys;
    gos_state *y = g->at;
    const double h = b->t - a->t, f = (t - a->t) / h;
    y->t = a->t + f * h;
    hermite(s->nq, h, f, a->q, a->v, b->q, b->v, y->q);
    hermite(s->nq, h, f, a->v, a->a, b->v, b->a, y->v);
    hermite(s->nt, h, f, a->th, a->thd, b->th, b->thd, y->th);
    for (int i = 0; i < s->nq; i++) {
        y->a[i] = between(f, a->a[i], b->a[i]);
    }
    for (int i = 0; i < s->nt; i++) {
        y->thd[i] = between(f, a->thd[i], b->thd[i]);
        y->heat_stored += s->hw[i] * (y->th[i] - b->th[i]);
    }
    for (int i = 0; i < s->nc; i++) {
        y->lam[i] = between(f, a->lam[i], b->lam[i]);
    }
    for (int i = 0; i < s->nh; i++) {
        y->lamT[i] = between(f, a->lamT[i], b->lamT[i]);
    }
    y->energy.dissipated = between(f, a->energy.dissipated, b->energy.dissipated);
    y->energy.work = between(f, a->energy.work, b->energy.work);
    y->energy.thermal_work = between(f, a->energy.thermal_work, b->energy.thermal_work);
    y->heat_supplied = between(f, a->heat_supplied, b->heat_supplied);
    y->heat_constrained = between(f, a->heat_constrained, b->heat_constrained);
    /* g->r of the last step is kept */
    gos_sums sums;
    const gos_point_of x = gos__state_point(y, y->t);
    const gos_residual out = gos__residual_of(s, g->r1);
    if (gos__residual(g->w, &x, &out, &sums) == GOS_OK) {
        y->energy.strain = sums.strain;
    }
}

void gos__local_statistics(const void *method, gos_statistics *stats) {
    const gos_local *g = method;
    stats->jacobians = 2 * g->report.intervals;
    stats->factorisations = g->lin->factorisations;
    stats->time_factor =
        g->report.time_nullspace + g->report.time_eigen + g->report.time_projection;
    stats->time_solve = g->report.time_step;
}

gos_status gos_local_step(gos_local *g, double t_end) {
    return gos_integrator_step(&g->run, t_end);
}

const gos_state *gos_local_at(gos_local *g, double t) {
    return gos_integrator_at(&g->run, t);
}

void gos_local_statistics(const gos_local *g, gos_statistics *stats) {
    gos_integrator_statistics(&g->run, stats);
}

void gos_local_get_report(const gos_local *g, gos_local_report *report) {
    *report = g->report;
}
