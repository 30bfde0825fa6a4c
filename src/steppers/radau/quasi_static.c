/* See quasi_static.h. */
#include "steppers/radau/quasi_static.h"

#include <math.h>

#include "solve/initial_state.h"
#include "solve/consistent.h"
#include "steppers/radau/radau.h"
#include "solve/scales.h"
#include "statics/stability.h"
#include "statics/static.h"

enum { N = GOS_RADAU_STAGES, LAST = N - 1 };

#define JUMP 1e-9 // step across a jump, relative to the run
// step of the differences for load rates at a start, relative to the run
#define LEAD 1e-6
#define BEHIND 1e-3              // ... at the end of a step, relative to it
#define COUPLED 4                // iterations between coupled velocities and temperature rates
#define STAGNATION_RATIO 0.5     // relative to the last correction: above, only rounding remains
#define ROUNDING_CORRECTION 1e-7 // corrections below this may be rounding, relative to the extent
#define JUMP_TOLERANCE 1e-12     // convergence across a jump, relative to the extent
#define BALANCE 12               // maximum number of iterations of a stage
#define DIVERGED_CORRECTION 1    // divergence, relative to the extent
#define EXCESS 3                 // effect of inertia that causes a warning, in tolerances

gos_status gos__quasi_static_make(gos_radau *g) {
    const gos_system *s = g->sys;
    gos_quasi_static *k = g->quasi = gos__zalloc(g->ctx, 1, sizeof *k);
    GOS_TRY(k ? GOS_OK : GOS_E_MEMORY);
    k->before = gos__zalloc(g->ctx, (size_t)s->nq + 1, sizeof *k->before);
    GOS_TRY(k->before ? GOS_OK : GOS_E_MEMORY);
    g->matrix.massless = true;
    GOS_TRY(s->n > 0 ? gos__solver_create(g->ctx, &s->pattern, &k->solver) : GOS_OK);
    return s->nq > 0 ? gos__stability_create(g->ctx, s, &k->stability) : GOS_OK;
}

void gos__quasi_static_free(gos_ctx *ctx, gos_quasi_static *k) {
    if (k) {
        gos__stability_destroy(k->stability);
        gos__solver_destroy(k->solver);
        gos__free(ctx, k->before);
        gos__free(ctx, k);
    }
}

void gos__quasi_static_walk(const gos_system *s, gos_quasi_static *k, gos_walk *past) {
#define X(name, doc) gos__walk(past, &k->name, 1);
    GOS_QUASI_STATIC_NUMBERS(X)
#undef X
    gos__walk_bool(past, &k->apart);
    gos__walk_bool(past, &k->reported);
    gos__walk(past, k->before, (size_t)s->nq);
}

/* Assembles and factorises P + shift R at x. heat: with full heat rows, otherwise only capacities,
 * which freezes temperatures. Pivots are independent of earlier matrices, for reproducible
 * continued runs.
 * @return GOS_RETRY: singular */
static gos_status factor(gos_radau *g, const gos_point_of *x, double shift, bool heat) {
    const double on = heat ? 1 : 0;
    const gos_newton_factors f = {.k = 1,
                                  .d = shift,
                                  .ck = on,
                                  .cd = on * shift,
                                  .cm = heat ? shift : 1,
                                  .lam = 1,
                                  .lamT = 1};
    int column;
    if (g->sys->n == 0) {
        return GOS_OK;
    }
    const double t0 = gos__now();
    gos__jacobian(g->w, x, &f);
    g->stats.jacobians++;
    g->stats.factorisations++;
    gos__solver_repivot(g->quasi->solver);
    const gos_status status = gos__solver_factor(g->quasi->solver, g->w->values, &column);
    g->stats.time_factor += gos__now() - t0;
    return status == GOS_E_SINGULAR ? GOS_RETRY : status;
}

static void keep_heat(const gos_system *s, double *r) {
    memset(r + s->at.th, 0, (size_t)s->nt * sizeof *r);
    memset(r + s->at.lamT, 0, (size_t)s->nh * sizeof *r);
}

static void solve(const gos_radau *g, double *r) {
    if (g->sys->n > 0) {
        gos__solver_solve(g->quasi->solver, r);
    }
}

gos_status gos__quasi_static_balance(gos_radau *g, int i, double h, double t1, double enough) {
    const gos_system *s = g->sys;
    gos_radau_stage *k = &g->stage[i];
    const double shift = g->k.D[i][i] / h;
    double *z = g->z + (size_t)i * (size_t)s->n, *r = g->r, last = HUGE_VAL;
    for (int n = 0; n < BALANCE; n++) {
        const gos_point_of at = gos__radau_point(g, i, h, t1);
        const gos_residual out = {
            .q = r, .th = r + s->at.th, .c = r + s->at.lam, .h = r + s->at.lamT};
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
        keep_heat(s, r);
        GOS_TRY(factor(g, &at, shift, false));
        solve(g, r);
        for (int j = 0; j < s->nq; j++) {
            z[j] -= r[j];
            k->y[j] -= r[j];
            k->v[j] -= shift * r[j];
        }
        for (int j = s->at.lam; j < s->at.lamT; j++) {
            z[j] -= r[j];
            k->y[j] = z[j];
        }
        const double size = gos__motion_rms(s, r, g->mv);
        if (size <= enough || (size < ROUNDING_CORRECTION && size >= STAGNATION_RATIO * last)) {
            return GOS_OK;
        }
        if (!(size < DIVERGED_CORRECTION)) {
            break;
        }
        last = size;
    }
    return GOS_RETRY;
}

/* r (nq) -= force rows of A x; A: matrix in w, x: columns from..to. */
static void subtract_columns(const gos_work *w, int from, int to, const double *x, double *r) {
    const gos_system *s = w->sys;
    const gos_pattern *a = &s->pattern;
    for (int j = from; j < to; j++) {
        const int begin = a->dense ? 0 : a->p[j], end = a->dense ? s->nq : a->p[j + 1];
        for (int e = begin; e < end; e++) {
            const int i = a->dense ? e : a->i[e];
            if (i < s->nq) {
                r[i] -= w->values[a->dense ? (size_t)j * (size_t)a->n + (size_t)e : (size_t)e] *
                        x[j - from];
            }
        }
    }
}

/* g->r (n) := minus the explicit time derivative of force and constraint rows, by a one-sided
 * second-order difference d; heat rows: 0. */
static gos_status rate_by_time(gos_radau *g, const gos_point_of *x, double d) {
    const gos_system *s = g->sys;
    double *r[] = {g->r, g->r + s->n, g->r + 2 * (size_t)s->n};
    for (int k = 0; k < GOS_COUNT(r); k++) {
        gos_point_of at = *x;
        at.t += k * d;
        const gos_residual out = {
            .q = r[k], .th = r[k] + s->at.th, .c = r[k] + s->at.lam, .h = r[k] + s->at.lamT};
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
    }
    for (int i = 0; i < s->n; i++) {
        r[0][i] = (3 * r[0][i] - 4 * r[1][i] + r[2][i]) / (2 * d);
    }
    keep_heat(s, r[0]);
    return GOS_OK;
}

/* Velocities of g->x at t from the time derivative of equilibrium,
 *     K v + D a + B th' + dQ/dt + C_q^T lam' = 0,   C_q v + C_t = 0,   a = a' + shift (v - v'),
 * with v' (nq) and a' (nq; NULL: 0) of the preceding step. Damped parts continue from v'. The
 * matrix stays in g->w, its factors in the solver. */
static gos_status find_velocity(gos_radau *g, double t, double d, double shift, const double *v,
                                const double *a) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    double *damped = g->scratch;
    const gos_point_of at = gos__state_point(x, t);
    GOS_TRY(rate_by_time(g, &at, d));
    gos__jacobian(g->w, &at, &(gos_newton_factors){.d = 1});
    for (int i = 0; i < s->nq; i++) {
        damped[i] = (a ? a[i] : 0) - shift * v[i];
    }
    subtract_columns(g->w, 0, s->nq, damped, g->r);
    GOS_TRY(factor(g, &at, shift, false));
    subtract_columns(g->w, s->at.th, s->at.th + s->nt, x->thd, g->r);
    solve(g, g->r);
    memcpy(x->v, g->r, (size_t)s->nq * sizeof *x->v);
    return isfinite(gos__motion_rms(s, x->v, g->mv)) ? GOS_OK : GOS_RETRY;
}

/* RMS displacement, relative to the extent, by forces f, the first nq of g->r, which become
 * displacements. */
static double displacement(gos_radau *g) {
    const gos_system *s = g->sys;
    memset(g->r + s->nq, 0, (size_t)(s->n - s->nq) * sizeof *g->r);
    solve(g, g->r);
    return gos__motion_rms(s, g->r, g->mv);
}

/* RMS amplitude of the vibration excited by a velocity jump dv from `before` to g->x: modes have
 * amplitude dv / w, so the mean square is dv . M K^-1 M dv over the mass. */
static double amplitude(gos_radau *g) {
    const gos_system *s = g->sys;
    double *dv = g->r + s->n, *force = dv + s->n, sum = 0;
    const double total = gos__motion_total(s);
    for (int i = 0; i < s->nq; i++) {
        dv[i] = g->x->v[i] - g->quasi->before[i];
    }
    gos__inertia_apply(g->w, g->x->q, dv, force);
    memcpy(g->r, force, (size_t)s->nq * sizeof *force);
    (void)displacement(g);
    for (int i = 0; i < s->nq; i++) {
        sum += force[i] * g->r[i];
    }
    return total > 0 ? sqrt(fmax(0, sum) / total) / s->extent : 0;
}

/* Effect of inertia forces, the dynamic residual of g->x, limited by the amplitude of the
 * vibration that the velocities could excite, since accelerations may be brief. */
static gos_status look_at_inertia(gos_radau *g, double t) {
    const gos_point_of at = gos__state_point(g->x, t);
    const gos_residual out = gos__residual_of(g->sys, g->r);
    gos_quasi_static *k = g->quasi;
    g->w->massless = false;
    const gos_status status = gos__residual(g->w, &at, &out, NULL);
    g->w->massless = true;
    GOS_TRY(status);
    double size = displacement(g);
    size = size > k->inertia ? fmin(size, amplitude(g)) : size;
    if (size > k->inertia) {
        k->inertia = size;
        k->inertia_at = g->x->t;
    }
    return GOS_OK;
}

static void note_vibration(gos_radau *g, double size) {
    if (size > g->quasi->vibration) {
        g->quasi->vibration = size;
        g->quasi->vibration_at = g->x->t;
    }
}

void gos__quasi_static_report(const gos_radau *g) {
    const gos_quasi_static *k = g->quasi;
    const double most = EXCESS * g->opt.tolerance;
    if (k->inertia > most) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "quasi-static motion neglects inertia forces, which would cause displacements "
                  "of about %.2g of the extent at t = %.6g s (tolerance %g); use `motion: "
                  "dynamic` if that matters",
                  k->inertia, k->inertia_at, g->opt.tolerance);
    }
    if (k->vibration > most) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "quasi-static motion neglects the vibration that starts at t = %.6g s, with an "
                  "RMS amplitude of about %.2g of the extent (tolerance %g); use `motion: dynamic` "
                  "if that matters",
                  k->vibration_at, k->vibration, g->opt.tolerance);
    }
}

gos_status gos__quasi_static_begin(gos_radau *g) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    double unused;
    for (int i = 0; i < s->nq; i++) {
        if (x->v[i] != 0) {
            char where[128];
            gos__name_unknown(s, i, where, sizeof where);
            return gos__fail(g->ctx, GOS_E_INPUT,
                             "analysis: `motion: quasi_static` has no inertia, so the initial "
                             "velocities (of %s) have no meaning; remove them from `initial` (and "
                             "`spin`), or use `motion: dynamic`",
                             where);
        }
    }
    // velocities prescribed by drives
    return gos__consistent_velocity(g->ctx, g->w, x, x->t, &unused);
}

static gos_status settle(gos_radau *g) {
    gos_statistics unused;
    const gos_status status = gos__static_hold(g->ctx, g->sys, &g->opt, g->x, &unused);
    if (status < 0 && status != GOS_E_MEMORY && status != GOS_E_INTERRUPTED) {
        return gos__fail(g->ctx, status,
                         "analysis: `motion: quasi_static` starts from an equilibrium, but none "
                         "was found: every body must be supported by joints, springs or "
                         "controllers; constrain the model, or use `motion: dynamic`");
    }
    return status;
}

/* Checks that every motion has stiffness; rounding may hide a missing one from the
 * factorisation. */
static gos_status check_held(gos_radau *g, double t) {
    const gos_system *s = g->sys;
    const gos_point_of all = gos__state_point(g->x, t);
    const gos_point_of at = {
        .t = t, .scale = 1, .q = all.q, .th = all.th, .lam = all.lam, .mem = all.mem};
    gos_unstable u;
    if (!g->quasi->stability || s->nq <= s->nc) {
        return GOS_OK;
    }
    const gos_status status = gos__stability_directions(g->quasi->stability, g->w, &at, 1, &u);
    if (status != GOS_OK || u.n == 0 || u.lambda[0] != 0) {
        return status == GOS_E_MEMORY ? status : GOS_OK;
    }
    int most = 0;
    for (int i = 0; i < s->nq; i++) {
        most = fabs(u.x[i]) > fabs(u.x[most]) ? i : most;
    }
    char where[128];
    gos__name_unknown(s, most, where, sizeof where);
    return gos__fail(
        g->ctx, GOS_E_SINGULAR,
        "analysis: `motion: quasi_static` requires stiffness in every direction, but nothing "
        "supports %s; add joints, springs or controllers, or use `motion: dynamic`",
        where);
}

/* Crosses a jump by a very short implicit Euler step. Dampers lock; strain rates produce heat. */
static gos_status jump(gos_radau *g, double t, double h) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const gos_state *from = g->at;
    double last = HUGE_VAL;
    for (int k = 0; k < 2 * g->opt.max_iterations; k++) {
        for (int i = 0; i < s->nq; i++) {
            x->v[i] = (x->q[i] - from->q[i]) / h;
        }
        for (int i = 0; i < s->nt; i++) {
            x->thd[i] = (x->th[i] - from->th[i]) / h;
        }
        const gos_point_of at = gos__state_point(x, t);
        const gos_residual out = gos__residual_of(s, g->r);
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
        GOS_TRY(factor(g, &at, 1 / h, true));
        solve(g, g->r);
        double *r = g->r;
        for (int i = 0; i < s->nq; i++) {
            x->q[i] -= *r++;
        }
        for (int i = 0; i < s->nt; i++) {
            x->th[i] -= *r++;
        }
        for (int i = 0; i < s->nc; i++) {
            x->lam[i] -= *r++;
        }
        for (int i = 0; i < s->nh; i++) {
            x->lamT[i] -= *r++;
        }
        const double size = gos__radau_norm(g, g->r, NULL, g->r + s->at.th);
        if (size <= JUMP_TOLERANCE ||
            (size < ROUNDING_CORRECTION && size >= STAGNATION_RATIO * last)) {
            return GOS_OK;
        }
        if (!isfinite(size)) {
            break;
        }
        last = size;
    }
    return gos__fail(
        g->ctx, GOS_E_DIVERGED,
        "quasi-static motion: no equilibrium found near the state before t = %.9g s, where loads "
        "or drives switch; change them gradually, or use `motion: dynamic`",
        x->t);
}

/* Balances across a jump: work equals the change of potential energies; heat of strain counts as
 * supplied. */
static void balance_jump(gos_radau *g, const gos_sums *sums) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const gos_state *from = g->at;
    const double heights = gos__gravity_energy(s, x->q) - gos__gravity_energy(s, from->q);
    double heat = 0;
    for (int i = 0; i < s->nt; i++) {
        heat += s->hw[i] * (x->th[i] - from->th[i]);
    }
    x->energy.work += sums->strain - from->energy.strain + heights;
    x->heat_stored += heat;
    x->heat_supplied += heat;
}

/* Temperature rates and multipliers at the velocities of g->x; constraint multipliers are kept. */
static gos_status find_heat_rates(gos_radau *g, double t) {
    const size_t size = (size_t)g->sys->nc * sizeof *g->z;
    memcpy(g->z, g->x->lam, size);
    g->w->massless = false;
    const gos_status status = gos__consistent(g->ctx, g->w, g->x, t);
    g->w->massless = true;
    memcpy(g->x->lam, g->z, size);
    memset(g->x->a, 0, (size_t)g->sys->nq * sizeof *g->x->a);
    return status;
}

/* Rates of g->x at t after a step h with velocities v (nq). */
static gos_status find_rates(gos_radau *g, double t, double h, const double *v) {
    const gos_system *s = g->sys;
    const double d = LEAD * (g->opt.end - g->t_start);
    const int rounds = s->strain_heat ? COUPLED : 1;
    for (int k = 0; k < rounds; k++) {
        GOS_TRY(find_heat_rates(g, t));
        GOS_TRY(find_velocity(g, t, d, 1 / h, v, NULL));
    }
    return GOS_OK;
}

static gos_status start(gos_radau *g, double t, bool first) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    gos_quasi_static *k = g->quasi;
    const double h = JUMP * (g->opt.end - g->t_start);
    double *v = g->stage[2].v;
    for (int i = 0; i < s->nq; i++) {
        k->before[i] = first ? 0 : x->v[i];
    }
    g->w->massless = false;
    GOS_TRY(first ? settle(g) : gos__initial_state_restart(g->ctx, g->w, x, t, g->r));
    GOS_TRY(first ? check_held(g, t) : GOS_OK);
    g->w->massless = true;
    GOS_TRY(gos_state_copy(g->at, x));
    GOS_TRY(first ? GOS_OK : jump(g, t, h));
    for (int i = 0; i < s->nq; i++) {
        g->r[i] = x->q[i] - g->at->q[i];
        v[i] = g->r[i] / h;
        x->v[i] = 0;
    }
    note_vibration(g, gos__motion_rms(s, g->r, g->mv));
    GOS_TRY(find_rates(g, t, h, v));
    gos_sums sums;
    const gos_point_of at = gos__state_point(x, t);
    const gos_residual out = gos__residual_of(s, g->r);
    GOS_TRY(gos__residual(g->w, &at, &out, &sums));
    if (!first) {
        balance_jump(g, &sums);
    }
    gos__state_sums(x, &sums);
    x->massless = 1;
    note_vibration(g, amplitude(g));
    memcpy(k->before, x->v, (size_t)s->nq * sizeof *x->v);
    return GOS_OK;
}

gos_status gos__quasi_static_start(gos_radau *g, double t, bool first) {
    const gos_status status = start(g, t, first);
    return status == GOS_RETRY ? gos__fail(g->ctx, GOS_E_SINGULAR,
                                           "quasi-static motion: the stiffness is singular at t = "
                                           "%.9g s, where the motion starts; constrain the model "
                                           "by joints or springs, or use `motion: dynamic`",
                                           g->x->t)
                               : status;
}

/* Counts negative stiffness eigenvalues on the constraint null space, excluding rounding. */
static gos_status count_unstable(gos_radau *g, double t, int *n) {
    gos_stability *st = g->quasi->stability;
    gos_point_of at = gos__state_point(g->x, t);
    gos_signs signs;
    at.v = at.a = at.thd = NULL;
    *n = 0;
    gos__jacobian(g->w, &at, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    const gos_status status = gos__stability_count(st, g->w, NULL, &signs);
    if (status != GOS_OK || !signs.symmetric || signs.negative <= 0) {
        return status == GOS_E_MEMORY ? status : GOS_OK;
    }
    gos_unstable u;
    g->w->massless = false;
    const gos_status found = gos__stability_directions(st, g->w, &at, signs.negative, &u);
    g->w->massless = true;
    for (int i = 0; i < u.n && found == GOS_OK; i++) {
        *n += u.lambda[i] < 0;
    }
    return found == GOS_E_MEMORY ? found : GOS_OK;
}

static gos_status look_at_stability(gos_radau *g, double t) {
    int n = 0;
    GOS_TRY(g->quasi->stability ? count_unstable(g, t, &n) : GOS_OK);
    if (n == 0 || g->quasi->reported) {
        return GOS_OK;
    }
    const char *const plural = n == 1 ? "" : "s";
    if (g->opt.branch == GOS_BRANCH_STABLE) {
        return gos__fail(
            g->ctx, GOS_E_DIVERGED,
            "quasi-static motion: the equilibrium at t = %.6g s is unstable (%d negative pivot%s "
            "of the stiffness), the one at %.6g s is stable: the model buckles in between. Add an "
            "imperfection (a small load, an initial shape) that makes the path smooth, follow it "
            "with `motion: dynamic`, or accept unstable equilibria with `branch: any`",
            g->x->t, n, plural, g->x0->t);
    }
    gos__warn(g->ctx, (gos_loc){0}, "analysis",
              "quasi-static motion: the equilibrium at t = %.6g s is unstable (%d negative pivot%s "
              "of the stiffness), the one at %.6g s is stable: the model buckles in between",
              g->x->t, n, plural, g->x0->t);
    g->quasi->reported = true;
    return GOS_OK;
}

gos_status gos__quasi_static_end(gos_radau *g, double h, double t) {
    const gos_system *s = g->sys;
    const gos_state *x0 = g->x0;
    gos_state *x = g->x;
    const double *v = g->stage[LAST].v, *D = g->k.D[LAST];
    double *a = g->stage[1].a;
    for (int i = 0; i < s->nq; i++) {
        const double v0 = x0->v[i];
        a[i] =
            (D[0] * (g->stage[0].v[i] - v0) + D[1] * (g->stage[1].v[i] - v0) + D[2] * (v[i] - v0)) /
            h;
    }
    GOS_TRY(find_velocity(g, t, -BEHIND * h, g->k.gamma / h, v, a));
    for (int i = 0; i < s->nq; i++) {
        x->a[i] = (2 * x0->v[i] + 4 * x->v[i] - 6 * (x->q[i] - x0->q[i]) / h) / h;
    }
    GOS_TRY(look_at_inertia(g, t));
    return look_at_stability(g, t);
}
