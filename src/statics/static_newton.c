/* Newton's method for an equilibrium. Where a factorisation costs much more than a solution, its
   factors also serve later iterations, with Anderson acceleration (modified Newton; H. Matthies and
   G. Strang, Int. J. Numer. Meth. Eng. 14, 1979, accelerate by BFGS). */
#include <math.h>

#include "solve/consistent.h"
#include "statics/static.h"
#include "statics/static_heat.h"
#include "system/constants.h"

#define NOISE_FREE 1e-5        // rounding in directions that move freely
#define STATIC_TOLERANCE 1e-10 // final correction, relative to the extent (temperatures: to 1 K)
#define DAMPED_ITERATIONS 8    // Newton iterations per overdamped step
#define RATE_STEP 1e-6         // part of a time span for differences
/* reused factors; values measured on bent cantilevers of C3D20 */
#define DEPTH 10      // past corrections of the acceleration
#define MAX_USES 20   // corrections with the same factors
#define MAX_GROWTH 3  // of a correction over the last one, above which it is rejected
#define USE_COST 0.25 // iterations that count as one of Newton's for the length of load steps
#define REUSE_DISTANCE                                                                             \
    1e-5 // distance of the factors' state from the equilibrium, as gos__static_size
#define RENEWAL_CORRECTION 1e-6 // correction below which factors from farther away are replaced

static double coordinate_scale(const gos_system *s, int i) {
    const double single = s->constants ? s->constants->scale[i] : 0;
    return single > 0 ? single : s->trans[i / 3] != 0 ? s->extent : 1;
}

double gos__static_size(const gos_statics *k, const double *dq) {
    const gos_system *s = k->sys;
    double size = 0;
    for (int i = 0; i < s->nq; i++) {
        const bool linear = s->constants && s->constants->scale[i] > 0;
        const double part = fabs(dq[i]) / coordinate_scale(s, i);
        // matrix coordinates are linear: one step of any size is exact
        size = fmax(size, linear ? fmin(1, part) : part);
    }
    return size;
}

/* Largest correction: positions over the extent, vectors; temperatures in K, or over the reference
   temperature while far away (a first radiation step may be a thousand kelvin). */
static double correction_size(const gos_statics *k) {
    const gos_system *s = k->sys;
    double size = gos__static_size(k, k->r);
    for (int i = 0; i < s->nt; i++) {
        const double dT = fabs(k->r[s->at.th + i]), T = fmax(1, fabs(k->x->th[i]));
        size = fmax(size, fmin(dT / T, 1 + dT / s->T_ref));
    }
    return size;
}

gos_status gos__static_reuse(gos_statics *k) {
    const gos_system *s = k->sys;
    if (k->turning || !gos__solver_is_large(k->solver)) {
        return GOS_OK;
    }
    double *weight = gos__zalloc(k->ctx, s->n + 1L, sizeof *weight);
    k->old.weight = weight;
    GOS_TRY(weight ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nq; i++) {
        weight[i] = 1 / coordinate_scale(s, i);
    }
    for (int i = 0; i < s->nt; i++) {
        weight[s->at.th + i] = 1 / s->T_ref;
    }
    return gos__anderson_create(k->ctx, s->n, DEPTH, weight, &k->old.mix);
}

/* k->r := solution with the factors of the solver */
static void solve(gos_statics *k) {
    const double t0 = gos__now();
    gos__solver_solve(k->solver, k->r);
    k->stats->time_solve += gos__now() - t0;
}

/* factors of a matrix that is the start of a sequence of corrections */
static void begin_uses(gos_statics *k) {
    k->old.at_start = false;
    k->old.uses = 0;
    k->old.moved = 0;
    if (k->old.mix) {
        gos__anderson_reset(k->old.mix);
    }
}

gos_status gos__static_correct(gos_statics *k, double s) {
    const double t0 = gos__now();
    k->stats->factorisations++;
    k->stats->iterations++;
    k->old.valid = false;
    if (k->turning) {
        const gos_status status =
            gos__rotating_solve(k->turning, k->w, s, k->x->q, k->r, &k->bad_column);
        k->stats->time_factor += gos__now() - t0;
        return status;
    }
    const gos_status status = gos__solver_factor(k->solver, k->w->values, &k->bad_column);
    k->stats->time_factor += gos__now() - t0;
    GOS_TRY(status);
    k->old.valid = true;
    k->old.added = k->damping + k->hold;
    begin_uses(k);
    solve(k);
    return GOS_OK;
}

gos_point_of gos__static_point(const gos_statics *k, const gos_state *x, const double *v,
                               double s) {
    return (gos_point_of){.t = k->timed ? k->begin + s * k->length : x->t,
                          .scale = k->timed ? 1 : s,
                          .q = x->q,
                          .v = v,
                          .th = x->th,
                          .lam = x->lam,
                          .lamT = x->lamT,
                          .mem = x->mem};
}

const char *gos__static_position(const gos_statics *k, double s, char buf[48]) {
    if (k->timed) {
        (void)snprintf(buf, 48, "t = %.7g s", k->begin + s * k->length);
    } else {
        (void)snprintf(buf, 48, "%.7g of the load", s);
    }
    return buf;
}

/* force of the overdamped motion from k->from, implicit Euler */
static void add_damping(gos_statics *k) {
    const int n = k->sys->nq;
    double *dq = k->scratch, *force = dq + n;
    for (int i = 0; i < n; i++) {
        dq[i] = k->x->q[i] - k->from[i];
    }
    gos__inertia_apply(k->w, k->x->q, dq, force);
    for (int i = 0; i < n; i++) {
        k->r[i] += k->damping * force[i];
    }
}

/* Frozen temperatures: zero residual, capacity as matrix. */
static void hold_heat(const gos_statics *k, double *r) {
    const gos_system *s = k->sys;
    if (k->held_heat) {
        memset(r + s->at.th, 0, (size_t)s->nt * sizeof *r);
        memset(r + s->at.lamT, 0, (size_t)s->nh * sizeof *r);
    }
}

static gos_status find_residual(gos_statics *k, double s, gos_sums *sums) {
    const gos_point_of at = gos__static_point(k, k->x, k->v, s);
    const gos_residual r = gos__residual_of(k->sys, k->r);
    k->place = s;
    if (k->turning) {
        gos__rotating_rates(k->turning, sqrt(s), k->x->q, k->v);
    }
    GOS_TRY(gos__residual(k->w, &at, &r, sums));
    hold_heat(k, k->r);
    if (k->turning) {
        gos__rotating_add_force(k->turning, k->w, s, k->x->q, k->r);
        memset(k->r + k->sys->n, 0, GOS_TURNING_FREE * sizeof *k->r);
    }
    if (k->damping > 0) {
        add_damping(k);
    }
    return GOS_OK;
}

gos_status gos__static_linearise(gos_statics *k, double s, gos_sums *sums) {
    const gos_point_of at = gos__static_point(k, k->x, NULL, s);
    const double heat = k->held_heat ? 0 : 1;
    const gos_newton_factors f = {
        .m = k->damping + k->hold, .k = 1, .cm = 1 - heat, .ck = heat, .lam = 1, .lamT = 1};
    GOS_TRY(find_residual(k, s, sums));
    gos__jacobian(k->w, &at, &f); // dQ/dq + dQ/dv [w] equals dQ/dq at rest
    if (!k->unique_heat) {
        GOS_TRY(gos__static_heat(k->ctx, k->w));
        k->unique_heat = true;
    }
    return GOS_OK;
}

/* Do the factors suit an iteration after a correction `last`? */
static bool serves(const gos_statics *k, double last) {
    const gos_static_factors *o = &k->old;
    return o->mix && o->valid && k->damping == 0 && o->added == k->hold && o->uses < MAX_USES &&
           !(last <= RENEWAL_CORRECTION && o->moved > REUSE_DISTANCE);
}

/* k->r := correction; `old`: with the factors of an earlier iteration */
static gos_status find_correction(gos_statics *k, double place, bool first, bool old,
                                  gos_sums *sums) {
    GOS_TRY(old ? find_residual(k, place, sums) : gos__static_linearise(k, place, sums));
    for (int i = 0; i < k->sys->n; i++) {
        k->r[i] = -k->r[i];
    }
    if (first && k->push) {
        memcpy(k->push, k->r, k->sys->n * sizeof *k->push);
    }
    if (!old) {
        return gos__static_correct(k, place);
    }
    k->stats->iterations++;
    k->old.uses++;
    solve(k);
    return GOS_OK;
}

/* Rigid bodies have stiffness by joint forces only (a pendulum), which are 0 at first: those that
 * hold the bodies at rest, with the load's full accelerations. */
static gos_status find_reactions(gos_statics *k, double place) {
    gos_state *x = k->x, *at_rest = NULL;
    if (k->turning || k->sys->nc == 0) {
        return GOS_E_SINGULAR;
    }
    GOS_TRY(gos_state_create(k->ctx, k->sys, &at_rest));
    const gos_point_of p = gos__static_point(k, x, NULL, place);
    gos_status status = gos_state_copy(at_rest, x);
    memset(at_rest->v, 0, k->sys->nq * sizeof *at_rest->v);
    at_rest->load = p.scale;
    status = status == GOS_OK ? gos__consistent(k->ctx, k->w, at_rest, p.t) : status;
    if (status == GOS_OK) {
        memcpy(x->lam, at_rest->lam, k->sys->nc * sizeof *x->lam);
    }
    gos_state_destroy(at_rest);
    return status;
}

static gos_status find_first(gos_statics *k, double place, bool old, gos_sums *sums) {
    const int before = gos__nerrors(k->ctx);
    gos_status status = find_correction(k, place, true, old, sums);
    if (status == GOS_E_SINGULAR && gos__nerrors(k->ctx) == before &&
        find_reactions(k, place) == GOS_OK) {
        const int column = k->bad_column; // unsupported without reactions
        status = find_correction(k, place, true, false, sums);
        k->mechanism = true;
        k->bad_column = status == GOS_E_SINGULAR ? column : k->bad_column;
    }
    return status;
}

static void add_correction(gos_statics *k) {
    const gos_system *s = k->sys;
    gos_state *x = k->x;
    if (k->old.mix) {
        gos__anderson_step(k->old.mix, k->r);
        k->old.moved += correction_size(k);
    }
    const struct {
        double *x;
        int n;
    } part[] = {{x->q, s->nq}, {x->th, s->nt}, {x->lam, s->nc}, {x->lamT, s->nh}};
    const double *r = k->r;
    for (int p = 0; p < GOS_COUNT(part); p++) {
        for (int i = 0; i < part[p].n; i++) {
            part[p].x[i] += *r++;
        }
    }
}

/* *size: of the last correction, then of this one; HUGE_VAL: the first */
static gos_status iterate(gos_statics *k, double place, double *size, gos_sums *sums) {
    const double last = *size;
    const bool first = !(last < HUGE_VAL);
    const bool old = serves(k, last);
    GOS_TRY(first ? find_first(k, place, old, sums) : find_correction(k, place, false, old, sums));
    *size = correction_size(k);
    if (old && !(*size <= MAX_GROWTH * last)) {
        GOS_TRY(find_correction(k, place, first, false, sums));
        *size = correction_size(k);
    }
    if (first && k->push) {
        memcpy(k->step, k->r, k->sys->n * sizeof *k->step);
        GOS_TRY(gos__stability_begin(k->st, k->w, k->solver, k->neutral, &k->began_unstable));
    }
    if (!isfinite(*size)) {
        return GOS_RETRY;
    }
    add_correction(k);
    return GOS_OK;
}

gos_status gos__static_balance(gos_statics *k, double s, int *count, gos_sums *sums) {
    double size = HUGE_VAL, last = HUGE_VAL, effort = 0;
    const bool moving = k->damping > 0; // its steps can always be reduced
    const int max = moving ? DAMPED_ITERATIONS : 2 * k->opt->max_iterations;
    k->old.valid = k->old.valid && k->old.at_start;
    begin_uses(k);
    while (effort < max) {
        const bool first = effort == 0;
        GOS_TRY(iterate(k, s, &size, sums));
        effort += k->old.uses > 0 ? USE_COST : 1;
        *count = (int)ceil(effort);
        if (first && k->curved) {
            last = size; // the stiffness used previous constraint forces
            continue;
        }
        const double noise = k->hold > 0 ? NOISE_FREE : 1e-7;
        const bool rounded = k->old.uses == 0 && size < noise && size >= 0.5 * last;
        if ((size <= STATIC_TOLERANCE || rounded) && !(k->old.moved > REUSE_DISTANCE)) {
            return GOS_OK; // converged, or limited by round-off of thin sections
        }
        if (size > (moving ? k->unit : 1e3)) {
            return GOS_RETRY;
        }
        last = size;
    }
    return GOS_RETRY;
}

/* loads are linear in their factor, not in time */
gos_status gos__static_rate(gos_statics *k, const gos_state *x, double s, double *rate) {
    const double d = k->timed ? RATE_STEP : 1, from = k->timed && s > 0.5 ? s - d : s;
    const gos_point_of a = gos__static_point(k, x, NULL, from),
                       b = gos__static_point(k, x, NULL, from + d);
    double *other = k->scratch;
    const gos_residual first = gos__residual_of(k->sys, other),
                       second = gos__residual_of(k->sys, rate);
    GOS_TRY(gos__residual(k->w, &a, &first, NULL));
    GOS_TRY(gos__residual(k->w, &b, &second, NULL));
    for (int i = 0; i < k->sys->n; i++) {
        rate[i] = (rate[i] - other[i]) / d;
    }
    hold_heat(k, rate);
    return GOS_OK;
}
