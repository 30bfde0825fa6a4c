/* Continuation at a loss of stability: direction favoured by the loads, then overdamped motion M u'
   = -R(u) to a stable equilibrium by implicit Euler steps. Each step minimises energy + sigma/2 |u
   - u0|^2 in the M norm, so the energy decreases. */
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "solve/consistent.h"
#include "statics/static.h"

#define MIN_PROJECTION 1e-10 // negligible projection of the loads, relative to their norm
#define ROUNDING_UNITS 10    // rounding units of a negligible projection
#define FIRST_MOVE 1e-4      // first move, relative to the larger of extent and displacement so far
#define MAX_STEP 0.1         // largest step, in the same measure
// load projection below which it is a branch point, not a limit point
#define BRANCH_PROJECTION 1e-3
#define UNDAMPED_STEP 1e-2   // step below which undamped Newton is tried
#define MAX_STEPS 1000       // maximum steps of the motion
#define SAG_STEPS 100        // maximum steps at the start of a path, limiting the cost of failure
#define ADDED_STIFFNESS 3e-3 // added stiffness, relative to the lowest stiffness over mass
#define MAX_SAG 0.3 // maximum initial motion before loads are carried, relative to the extent
#define MAX_SWING 4 // likewise of a model that moves freely without load, such as a pendulum

bool gos__static_unstable(const gos_statics *k) {
    return k->signs.symmetric ? k->signs.negative > k->neutral : k->signs.odd;
}

/* Counted negative but possibly zero within rounding: free motions. */
gos_status gos__static_count(gos_statics *k) {
    GOS_TRY(gos__stability_count(k->st, k->w, k->solver, &k->signs));
    if (!gos__static_unstable(k) || !k->signs.symmetric || k->signs.negative <= k->real) {
        return GOS_OK;
    }
    gos_unstable u;
    const gos_point_of at = gos__static_point(k, k->x, NULL, k->place);
    const gos_status status = gos__stability_directions(k->st, k->w, &at, k->signs.negative, &u);
    int n = 0;
    for (int i = 0; i < u.n; i++) {
        n += u.lambda[i] < 0;
    }
    const int checked =
        k->signs.negative < GOS_STABILITY_MODES ? k->signs.negative : GOS_STABILITY_MODES;
    if (status == GOS_OK && n < checked) {
        k->neutral = k->signs.negative - n;
    }
    k->real = k->signs.negative;
    return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

gos_status gos__static_free(gos_statics *k, const gos_state *x) {
    gos_unstable u = {0};
    if (k->free_checked || !k->st) {
        return GOS_OK;
    }
    k->free_checked = true;
    const gos_point_of at = gos__static_point(k, x, NULL, k->place);
    const gos_status status = gos__stability_directions(k->st, k->w, &at, GOS_STABILITY_MODES, &u);
    int n = 0;
    while (n < u.n && u.lambda[n] == 0) { // those that are none but for rounding come as 0
        n++;
    }
    if (n > 0 && n < u.n && u.lambda[n] > 0) {
        k->hold = ADDED_STIFFNESS * u.lambda[n];
        k->neutral = 0;
    }
    return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

void gos__static_report(gos_statics *k, double s) {
    char where[48], object[64];
    const int n = k->signs.negative - k->neutral;
    if (!k->st || n == k->reported) {
        return;
    }
    k->reported = n;
    (void)snprintf(object, sizeof object, "equilibrium at %s", gos__static_position(k, s, where));
    if (gos__static_unstable(k) && k->signs.symmetric) {
        gos__warn(k->ctx, (gos_loc){0}, object,
                  "it is unstable: its stiffness has %d negative pivot%s on the constraints; "
                  "`branch: stable` continues to the stable equilibrium",
                  n, n == 1 ? "" : "s");
    } else if (gos__static_unstable(k)) {
        gos__warn(k->ctx, (gos_loc){0}, object,
                  "it is unstable: the determinant of its unsymmetric stiffness has changed sign; "
                  "the symmetric part has %d negative pivot%s",
                  n, n == 1 ? "" : "s");
    } else if (n > 0) {
        gos__warn(k->ctx, (gos_loc){0}, object,
                  "its stability is unknown: its stiffness is unsymmetric (follower loads), the "
                  "symmetric part has %d negative pivot%s, and the determinant has not changed "
                  "sign; check with gossamer modes --damped",
                  n, n == 1 ? "" : "s");
    }
}

/* motion rows of the Newton matrix times x, without constraint forces */
static void apply(const gos_statics *k, const double *x, bool absolute, double *y) {
    const gos_system *s = k->sys;
    const gos_pattern *a = &s->pattern;
    memset(y, 0, s->nq * sizeof *y);
    for (long j = 0; j < s->nstate; j++) {
        const int from = a->dense ? 0 : a->p[j], to = a->dense ? a->n : a->p[j + 1];
        for (int e = from; e < to; e++) {
            const int i = a->dense ? e : a->i[e];
            const double v = k->w->values[a->dense ? j * (size_t)a->n + e : (size_t)e];
            if (i < s->nq) {
                y[i] += absolute ? fabs(v * x[j]) : v * x[j];
            }
        }
    }
}

static double product(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* |x| |f| as unit-independent work norm: positions over the extent, forces times it */
static double norms(const gos_system *s, const double *x, const double *f) {
    double xx = 0, ff = 0;
    for (int i = 0; i < s->nq; i++) {
        const double unit = s->trans[i / 3] != 0 ? s->extent : 1;
        xx += x[i] * x[i] / (unit * unit);
        ff += f[i] * f[i] * unit * unit;
    }
    return sqrt(xx * ff);
}

gos_status gos__static_find_mechanism(gos_statics *k, const gos_state *x) {
    gos_unstable u = {0};
    double *rate = k->scratch + k->sys->n;
    if (k->mechanism_checked || !k->st) {
        return GOS_OK;
    }
    k->mechanism_checked = true;
    const gos_point_of at = gos__static_point(k, x, NULL, 0);
    gos_status status = gos__stability_directions(k->st, k->w, &at, GOS_STABILITY_MODES, &u);
    k->old.valid = false;
    status = status == GOS_OK ? gos__static_rate(k, x, 0, rate) : status;
    if (status != GOS_OK) { // the step that failed reports the cause
        return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
    }
    for (int m = 0; m < u.n && u.lambda[m] == 0; m++) { // zero but for rounding
        const double *d = u.x + (size_t)m * (size_t)k->sys->nq;
        k->mechanism |=
            fabs(product(k->sys->nq, d, rate)) > MIN_PROJECTION * norms(k->sys, d, rate);
    }
    return GOS_OK;
}

/* Path direction u' at the last stable equilibrium: load K u' without constraint forces, and its
   projections. */
typedef struct push {
    double *rate, *load, *size; // u' (n), K u' (nq), sums of absolute terms (nq)
    double *all;                // total loads (nq)
    double *first_move;         // direction of departure (nq)
    bool is_significant;        // projection above rounding
    double ratio;               // largest relative projection
} push;

/* u' at a state with factorised Newton matrix */
static gos_status find_rate(gos_statics *k, const gos_state *x, double s, push *p) {
    GOS_TRY(gos__static_rate(k, x, s, p->rate));
    memcpy(p->all, p->rate, k->sys->nq * sizeof *p->all);
    for (int i = 0; i < k->sys->n; i++) {
        p->rate[i] = -p->rate[i];
    }
    gos__solver_solve(k->solver, p->rate);
    apply(k, p->rate, false, p->load);
    apply(k, p->rate, true, p->size);
    return GOS_OK;
}

/* kick: projections of u' on the directions, scaled to FIRST_MOVE */
static void find_first_move(const gos_statics *k, const gos_unstable *u, int n, push *p) {
    const gos_system *s = k->sys;
    memset(p->first_move, 0, s->nq * sizeof *p->first_move);
    p->is_significant = false;
    p->ratio = 0;
    for (long m = 0; m < n; m++) {
        const double *x = u->x + m * (size_t)s->nq;
        double noise = 0;
        for (int i = 0; i < s->nq; i++) {
            noise += fabs(x[i]) * p->size[i];
        }
        const double work = product(s->nq, x, p->load),
                     all = fmax(norms(s, x, p->load), norms(s, x, p->all));
        const double part = work / (fabs(u->lambda[m]) > 0 ? fabs(u->lambda[m]) : 1);
        const bool is_significant =
            fabs(work) > MIN_PROJECTION * all && fabs(work) > ROUNDING_UNITS * DBL_EPSILON * noise;
        p->ratio = fmax(p->ratio, all > 0 ? fabs(work) / all : 0);
        p->is_significant |= is_significant;
        for (int i = 0; is_significant && i < s->nq; i++) {
            p->first_move[i] += part * x[i];
        }
    }
    const double size = gos__static_size(k, p->first_move);
    for (int i = 0; size > 0 && i < s->nq; i++) {
        p->first_move[i] *= FIRST_MOVE * k->unit / size;
    }
}

/* evaluated at the last stable equilibrium, or a singular one, for directions of the unstable one
   (k->x at s) */
static gos_status find_projections(gos_statics *k, const gos_state *state, double done, double s,
                                   int n, push *p) {
    const int max = n < GOS_STABILITY_MODES ? n : GOS_STABILITY_MODES;
    gos_unstable u;
    const gos_point_of at = gos__static_point(k, state, NULL, done);
    k->old.valid = false;
    gos_status status = gos__stability_directions(k->st, k->w, &at, max, &u);
    status =
        status == GOS_OK ? gos__solver_factor(k->solver, k->w->values, &k->bad_column) : status;
    if (status != GOS_OK) {
        const gos_point_of there = gos__static_point(k, k->x, NULL, s);
        done = s;
        status = gos__stability_directions(k->st, k->w, &there, max, &u);
        status =
            status == GOS_OK ? gos__solver_factor(k->solver, k->w->values, &k->bad_column) : status;
    }
    if (status == GOS_OK) {
        GOS_TRY(find_rate(k, state, done, p));
        find_first_move(k, &u, max < u.n ? max : u.n, p);
        return GOS_OK;
    }
    p->is_significant = true; // directions unavailable: start without a kick
    memset(p->first_move, 0, k->sys->nq * sizeof *p->first_move);
    return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

/* initial sigma with a step like Newton's: Rayleigh quotient of its correction */
static double first_damping(gos_statics *k) {
    const int n = k->sys->nq;
    double *force = k->scratch;
    gos__inertia_apply(k->w, k->x->q, k->step, force);
    const double energy = fabs(product(n, k->step, k->push)), mass = product(n, k->step, force);
    return energy > 0 && mass > 0 ? energy / mass : 1;
}

/* accepts a nearby stable equilibrium */
static gos_status arrives(gos_statics *k, double s, bool *yes, gos_sums *sums) {
    int count;
    double *change = k->scratch;
    *yes = false;
    (void)gos_state_copy(k->last, k->x);
    gos_status status = gos__static_balance(k, s, &count, sums);
    status = status == GOS_OK ? gos__static_count(k) : status;
    if (status == GOS_OK) {
        for (int i = 0; i < k->sys->nq; i++) {
            change[i] = k->x->q[i] - k->last->q[i];
        }
        *yes =
            !gos__static_unstable(k) && gos__static_size(k, change) <= 10 * UNDAMPED_STEP * k->unit;
    }
    if (!*yes) {
        (void)gos_state_copy(k->x, k->last);
    }
    return status < 0 && status != GOS_E_SINGULAR ? status : GOS_OK;
}

/* *move: its size, negative on failure */
static gos_status move_on(gos_statics *k, double s, double *move, gos_sums *sums) {
    int count;
    *move = -1;
    (void)gos_state_copy(k->last, k->x);
    k->from = k->last->q;
    gos_status status = gos__static_balance(k, s, &count, sums);
    gos_signs signs = {0};
    status = status == GOS_OK ? gos__stability_count(k->st, k->w, k->solver, &signs) : status;
    if (status == GOS_OK) {
        double *change = k->scratch;
        for (int i = 0; i < k->sys->nq; i++) {
            change[i] = k->x->q[i] - k->last->q[i];
        }
        *move = gos__static_size(k, change);
    }
    if (status != GOS_OK || (signs.symmetric && signs.negative > 0) || *move > MAX_STEP * k->unit) {
        (void)gos_state_copy(k->x, k->last);
        *move = -1;
    }
    return status < 0 && status != GOS_E_SINGULAR ? status : GOS_OK;
}

/* GOS_RETRY: rest not reached */
static gos_status settle(gos_statics *k, double s, int max, gos_sums *sums) {
    double sigma = first_damping(k), last = 0;
    int hold = 0; // steps before damping decreases again
    for (int i = 0; i < max; i++) {
        double move;
        k->damping = sigma;
        const gos_status status = move_on(k, s, &move, sums);
        k->damping = 0;
        GOS_TRY(status);
        if (move < 0) {
            sigma *= 2;
            hold = 4;
            continue;
        }
        const bool slows = move <= last; // motion accelerates away from an unstable equilibrium
        last = move;
        if (slows && move < UNDAMPED_STEP * k->unit) {
            bool yes;
            GOS_TRY(arrives(k, s, &yes, sums));
            if (yes) {
                return GOS_OK;
            }
        }
        sigma = --hold > 0 ? sigma : sigma / 1.6;
        GOS_TRY(gos__progress(k->ctx, s, "moving to a stable equilibrium"));
    }
    return GOS_RETRY;
}

/* largest motion, e.g. "body 'rod', node 3 (motion) from (0, 0, 0) to (0, 1, 0)" */
static void format_move(const gos_statics *k, const gos_state *from, char *buf, size_t size) {
    const gos_system *s = k->sys;
    int max = 0;
    double distance = -1;
    for (int i = 0; i < s->nv; i++) {
        double d = 0;
        for (int c = 0; c < 3; c++) {
            d = hypot(d, k->x->q[3 * i + c] - from->q[3 * i + c]);
        }
        if (s->trans[i] != 0 && d > distance) {
            distance = d;
            max = i;
        }
    }
    char name[128];
    const double *a = from->q + 3L * max, *b = k->x->q + 3L * max;
    gos__name_unknown(s, 3 * max, name, sizeof name);
    (void)snprintf(buf, size, "%s from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)", name, a[0], a[1],
                   a[2], b[0], b[1], b[2]);
}

/* e.g. " (2 negative pivots)" */
static const char *pivots(int negative, char buf[40]) {
    buf[0] = '\0';
    if (negative > 0) {
        (void)snprintf(buf, 40, " (%d negative pivot%s)", negative, negative == 1 ? "" : "s");
    }
    return buf;
}

static void report_branch(gos_statics *k, const gos_state *from, double done, double s,
                          int negative, bool limit) {
    char a[48], b[48], object[64], move[400], count[40];
    format_move(k, from, move, sizeof move);
    (void)gos__static_position(k, done, a);
    (void)snprintf(object, sizeof object, "equilibrium at %s", gos__static_position(k, s, b));
    if (limit) {
        gos__warn(k->ctx, (gos_loc){0}, object,
                  "limit point: the path ends between %s and %s%s; continued at the next stable "
                  "equilibrium (snap-through): %s",
                  a, b, pivots(negative, count), move);
    } else {
        gos__warn(k->ctx, (gos_loc){0}, object,
                  "the path branches between %s and %s, and becomes unstable%s; continued on the "
                  "stable branch favoured by the loads: %s",
                  a, b, pivots(negative, count), move);
    }
}

static gos_status reject_branch(gos_statics *k, double done, double s, int negative) {
    char a[48], b[48], count[40];
    return gos__fail(k->ctx, GOS_E_DIVERGED,
                     "the equilibrium becomes unstable between %s and %s%s, and the loads favour "
                     "neither side (their projection on the unstable direction is below 1e-10 of "
                     "their norm, or rounding); add an imperfection, such as a small transverse "
                     "load, or use `branch: any`. The state is the last stable one",
                     gos__static_position(k, done, a), gos__static_position(k, s, b),
                     pivots(negative, count));
}

static gos_status leave(gos_statics *k, const gos_state *state, double done, double s, push *p,
                        gos_sums *sums) {
    int count = 0;
    for (int i = 0; i < k->sys->nq; i++) {
        k->scratch[i] = state->q[i] - k->sys->e0[i];
    }
    k->unit = fmax(1, gos__static_size(k, k->scratch));
    (void)gos_state_copy(k->x, state);
    gos_status status = gos__static_balance(k, s, &count, sums); // for k->step
    status = status == GOS_OK ? gos__static_count(k) : status;
    const bool found = status == GOS_OK && gos__static_unstable(k);
    const int negative = found ? k->signs.negative - k->neutral : 0;
    GOS_TRY(find_projections(k, state, done, s, found ? k->signs.negative : 1, p));
    if (!p->is_significant) {
        return reject_branch(k, done, s, negative);
    }
    (void)gos_state_copy(k->x, state);
    for (int i = 0; i < k->sys->nq; i++) {
        k->x->q[i] += p->first_move[i];
    }
    status = settle(k, s, MAX_STEPS, sums);
    if (status == GOS_RETRY || status == GOS_E_SINGULAR) {
        return gos__static_refuse(k, GOS_E_DIVERGED, done);
    }
    GOS_TRY(status);
    report_branch(k, state, done, s, negative, p->ratio > BRANCH_PROJECTION);
    return GOS_OK;
}

static void note_rest(const gos_statics *k, const gos_state *from, double s) {
    char name[400], text[500], object[64], at[48];
    format_move(k, from, name, sizeof name);
    (void)gos__format(object, sizeof object, "equilibrium at %s", gos__static_position(k, s, at));
    (void)gos__format(text, sizeof text, "%s: %s",
                      k->mechanism ? "without load the model moves freely; the loads move it"
                                   : "the loads are carried only by tension due to sag",
                      name);
    gos__note(k->ctx, object, text);
}

/* Flat nets and slack cables need sag to develop tension, and pendulums swing to their loads: the
   initial matrix is nearly singular and Newton's method fails, but the damped motion succeeds. */
gos_status gos__static_sag(gos_statics *k, gos_state *state, double s, bool *rests,
                           gos_sums *sums) {
    const gos_system *sys = k->sys;
    *rests = false;
    k->unit = 1;
    (void)gos_state_copy(k->x, state);
    const gos_status status = settle(k, s, SAG_STEPS, sums);
    GOS_TRY(status == GOS_RETRY || status == GOS_E_SINGULAR ? GOS_OK : status);
    for (int i = 0; i < sys->nq && status == GOS_OK; i++) {
        k->scratch[i] = k->x->q[i] - state->q[i];
    }
    *rests =
        status == GOS_OK && gos__static_size(k, k->scratch) <= (k->mechanism ? MAX_SWING : MAX_SAG);
    if (*rests) {
        note_rest(k, state, s);
    }
    return GOS_OK;
}

gos_status gos__static_leave(gos_statics *k, const gos_state *state, double done, double s,
                             gos_sums *sums) {
    const size_t n = k->sys->n + 1L;
    push p = {.rate = gos__alloc(k->ctx, 5 * n, sizeof *p.rate)};
    if (!p.rate) {
        return GOS_E_MEMORY;
    }
    p.load = p.rate + n;
    p.size = p.load + n;
    p.first_move = p.size + n;
    p.all = p.first_move + n;
    const gos_status status = leave(k, state, done, s, &p, sums);
    gos__free(k->ctx, p.rate);
    return status;
}
