/* Path following over load steps or times. Negative pivots are counted (stability.c), and each step
   is compared with the tangents at its ends, since Newton's method may jump to another branch. Bad
   steps are halved; then static_branch.c continues. */
#include <math.h>

#include "statics/static.h"

/* Arc-length continuation: the load factor s is an unknown; its equation is the plane normal to the
   tangent (E. Riks, J. Appl. Mech. 39 (1972)). Displacements are scaled by the linear response to
   the full load, s by 1. s turns at limit points; a change of negative pivots elsewhere is a branch
   point. */

#define MIN_COSINE 0.9 // minimum cosine between the tangents of a step
#define MIN_STEP 1e-7
#define MAX_STEPS 5000         // of a path
#define MIN_LOAD_FACTOR (-1.0) // load factor at which the path is abandoned
// tangent component of s at a limit point; the load error is quadratic in it
#define TURN_COMPONENT 1e-5
#define TURN_STEPS 12         // iterations to locate one
#define LENGTH_TOLERANCE 1e-8 // tolerance relative to the length

typedef struct arc {
    gos_statics *k;
    // square of the displacement scale (gos__static_size is a maximum)
    double unit2;
    double *tangent;       // d(unknowns)/d(length) (n)
    double ts;             // of s
    double *next, next_ts; // tangent at the end of the step
    double *rate;          // scratch (n)
    gos_state *from;       // start of the step
    double s, s_from;      // load factor, at the end and start of the step
    double length, step;   // path length, next step
    int negative;          // pivots at the start of the step
    double turn;           // load factor at its turn
} arc;

/* unit-independent scalar product of displacements */
static double times(const arc *a, const double *x, const double *y) {
    const gos_system *s = a->k->sys;
    double sum = 0;
    for (int i = 0; i < s->nq; i++) {
        const double unit = s->trans[i / 3] != 0 ? s->extent : 1;
        sum += x[i] * y[i] / (unit * unit);
    }
    return sum / a->unit2;
}

static void move(const gos_system *s, gos_state *x, const double *d, double factor) {
    const struct {
        double *x;
        int n;
    } part[] = {{x->q, s->nq}, {x->th, s->nt}, {x->lam, s->nc}, {x->lamT, s->nh}};
    for (int p = 0; p < GOS_COUNT(part); p++) {
        for (int i = 0; i < part[p].n; i++) {
            part[p].x[i] += factor * *d++;
        }
    }
}

/* unit tangent at k->x, oriented along the last one; matrix is factorised */
static gos_status find_tangent(arc *a) {
    gos_statics *k = a->k;
    const int n = k->sys->n;
    GOS_TRY(gos__static_rate(k, k->x, a->s, a->next));
    gos__solver_solve(k->solver, a->next);
    for (int i = 0; i < n; i++) {
        a->next[i] *= -1;
    }
    if (!(a->unit2 > 0)) {
        a->unit2 = 1;
        a->unit2 = times(a, a->next, a->next);
        a->unit2 = a->unit2 > 0 ? a->unit2 : 1;
    }
    const double length = sqrt(times(a, a->next, a->next) + 1);
    const double side = times(a, a->next, a->tangent) + a->ts >= 0 ? 1 : -1;
    for (int i = 0; i < n; i++) {
        a->next[i] *= side / length;
    }
    a->next_ts = side / length;
    return isfinite(length) ? GOS_OK : GOS_RETRY;
}

/* Newton's method in the normal plane */
static gos_status correct(arc *a, int *count, gos_sums *sums) {
    gos_statics *k = a->k;
    const gos_system *s = k->sys;
    double size = HUGE_VAL, last = HUGE_VAL;
    for (*count = 1; *count <= k->opt->max_iterations; ++*count) {
        GOS_TRY(gos__static_linearise(k, a->s, sums));
        for (int i = 0; i < s->n; i++) {
            k->r[i] = -k->r[i];
        }
        GOS_TRY(gos__static_correct(k, a->s));
        GOS_TRY(gos__static_rate(k, k->x, a->s, a->rate));
        gos__solver_solve(k->solver, a->rate);
        const double ds = -times(a, a->tangent, k->r) / (a->ts - times(a, a->tangent, a->rate));
        for (int i = 0; i < s->n; i++) {
            k->r[i] -= ds * a->rate[i];
        }
        size = sqrt(times(a, k->r, k->r)) + fabs(ds);
        if (!isfinite(size) || size > 10) {
            return GOS_RETRY;
        }
        move(s, k->x, k->r, 1);
        a->s += ds;
        if (size <= 1e-3 * LENGTH_TOLERANCE || (size <= LENGTH_TOLERANCE && size >= 0.1 * last)) {
            return GOS_OK;
        }
        last = size;
    }
    return size <= LENGTH_TOLERANCE ? GOS_OK : GOS_RETRY;
}

/* one step; GOS_RETRY: too long */
static gos_status step(arc *a, int *count, gos_sums *sums) {
    gos_statics *k = a->k;
    (void)gos_state_copy(k->x, a->from);
    move(k->sys, k->x, a->tangent, a->step);
    a->s = a->s_from + a->step * a->ts;
    GOS_TRY(correct(a, count, sums));
    GOS_TRY(find_tangent(a));
    const double cosine = times(a, a->tangent, a->next) + a->ts * a->next_ts;
    return cosine >= MIN_COSINE ? GOS_OK : GOS_RETRY;
}

/* After passing a limit point: locates the zero of the tangent's s component by regula falsi, then
   repeats the step. */
static gos_status find_turn(arc *a, int *count, gos_sums *sums) {
    const double whole = a->step;
    double lo = 0, hi = whole, at_lo = a->ts, at_hi = a->next_ts;
    gos_status status = GOS_OK;
    for (int i = 0; i < TURN_STEPS && status == GOS_OK && fabs(a->next_ts) > TURN_COMPONENT; i++) {
        a->step = lo + (hi - lo) * at_lo / (at_lo - at_hi);
        status = step(a, count, sums);
        if ((a->next_ts < 0) == (at_hi < 0)) {
            hi = a->step;
            at_hi = a->next_ts;
            at_lo *= i > 0 ? 0.5 : 1; // Illinois variant
        } else {
            lo = a->step;
            at_lo = a->next_ts;
            at_hi *= i > 0 ? 0.5 : 1;
        }
    }
    a->turn = a->s;
    a->step = whole;
    GOS_TRY(status);
    return step(a, count, sums);
}

static void report_turn(const arc *a, int negative) {
    gos_ctx *ctx = a->k->ctx;
    char object[64];
    const bool turns = a->ts * a->next_ts < 0;
    (void)snprintf(object, sizeof object, "path at %.4g of its length", a->length);
    if (turns) {
        gos__warn(
            ctx, (gos_loc){0}, object,
            "limit point: the load factor reverses at %.9g; negative pivots of the stiffness: %d "
            "before, %d after",
            a->turn, a->negative, negative);
    }
    if (negative - a->negative != 0 && !(turns && abs(negative - a->negative) == 1)) {
        gos__warn(ctx, (gos_loc){0}, object,
                  "bifurcation: a branch leaves the path between load factors %.7g and %.7g; "
                  "negative pivots of the stiffness: %d before, %d after. The path is continued "
                  "without branching",
                  a->s_from, a->s, a->negative, negative);
    }
}

static gos_status store_arc(const arc *a, gos_state *state) {
    gos_statics *k = a->k;
    if (!k->store) {
        return GOS_OK;
    }
    memcpy(state->v, a->tangent, k->sys->nq * sizeof *state->v);
    memcpy(state->thd, a->tangent + k->sys->at.th, k->sys->nt * sizeof *state->thd);
    return k->store(k->user, state, a->length);
}

static gos_status begin(arc *a, gos_state *state) {
    gos_statics *k = a->k;
    int count;
    gos_sums sums = {0};
    (void)gos_state_copy(k->x, state);
    gos_status status = gos__static_balance(k, 0, &count, &sums);
    status = status == GOS_OK ? gos__static_count(k) : status;
    if (status == GOS_RETRY || (status == GOS_E_SINGULAR && k->unique_heat)) {
        return gos__static_refuse(k, status, 0);
    }
    GOS_TRY(status);
    a->negative = k->signs.negative;
    a->ts = 1;
    GOS_TRY(find_tangent(a));
    memcpy(a->tangent, a->next, k->sys->n * sizeof *a->next);
    a->ts = a->next_ts;
    a->step = 1.0 / k->opt->load_steps / a->ts;
    gos__static_take(k, state, 0, &sums);
    (void)gos_state_copy(a->from, state);
    return store_arc(a, state);
}

static gos_status accept_arc(arc *a, gos_state *state, const gos_sums *sums) {
    gos_statics *k = a->k;
    report_turn(a, k->signs.negative);
    a->negative = k->signs.negative;
    gos__static_take(k, state, a->s, sums);
    (void)gos_state_copy(a->from, state);
    memcpy(a->tangent, a->next, k->sys->n * sizeof *a->next);
    a->ts = a->next_ts;
    a->s_from = a->s;
    a->length += a->step;
    k->stats->steps++;
    GOS_TRY(store_arc(a, state));
    return gos__progress(k->ctx, fmax(0, a->s), "arc length");
}

/* steps back to the full load */
static gos_status finish(arc *a, gos_sums *sums) {
    gos_statics *k = a->k;
    const double part = (1 - a->s_from) / (a->s - a->s_from);
    int count;
    for (int i = 0; i < k->sys->nq; i++) {
        k->x->q[i] = a->from->q[i] + part * (k->x->q[i] - a->from->q[i]);
    }
    GOS_TRY(gos__static_balance(k, 1, &count, sums));
    a->s = 1;
    a->step *= part;
    return find_tangent(a);
}

static gos_status refuse(const arc *a) {
    return gos__fail(a->k->ctx, GOS_E_DIVERGED,
                     "the path does not reach the full load: after %ld steps the current state is "
                     "at %.4g of it; %s",
                     a->k->stats->steps, a->s_from,
                     a->s_from < MIN_LOAD_FACTOR ? "the load factor keeps decreasing"
                                                 : "use more load_steps");
}

static gos_status follow(arc *a, gos_state *state) {
    gos_statics *k = a->k;
    const double longest = 2 * a->step;
    while (a->s_from < 1) {
        int count = 0;
        gos_sums sums = {0};
        gos_status status = step(a, &count, &sums);
        if (status == GOS_OK && a->ts * a->next_ts < 0) {
            status = find_turn(a, &count, &sums);
        }
        if (status == GOS_OK && a->s >= 1) {
            status = finish(a, &sums);
        }
        status = status == GOS_OK ? gos__static_count(k) : status;
        if (status == GOS_RETRY || status == GOS_E_SINGULAR) {
            k->stats->rejected++;
            a->step *= 0.5;
            if (a->step < MIN_STEP) {
                return refuse(a);
            }
            continue;
        }
        GOS_TRY(status);
        GOS_TRY(accept_arc(a, state, &sums));
        a->step = fmin(longest, count <= 5 ? 1.4 * a->step : a->step);
        if (a->s_from < MIN_LOAD_FACTOR || k->stats->steps >= MAX_STEPS) {
            return refuse(a);
        }
    }
    gos__static_report(k, 1);
    return GOS_OK;
}

gos_status gos__static_arc(gos_statics *k, gos_state *state) {
    const size_t n = k->sys->n + 1L;
    arc a = {.k = k, .tangent = gos__zalloc(k->ctx, 3 * n, sizeof *a.tangent)};
    gos_status status = a.tangent ? gos_state_create(k->ctx, k->sys, &a.from) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        a.next = a.tangent + n;
        a.rate = a.next + n;
        status = begin(&a, state);
        status = status == GOS_OK ? follow(&a, state) : status;
    }
    gos_state_destroy(a.from);
    gos__free(k->ctx, a.tangent);
    return status;
}

#define JUMP_RATIO 0.5        // deviation from the tangents that is a jump, relative to the step
#define MIN_CONTRIBUTION 0.1  // minimum contribution of each tangent
#define BESIDE_CRITICAL 0.83  // part of a step that ends at a critical speed
#define MIN_CHECKED_STEP 1e-8 // smaller steps, relative to the extent, are not checked
#define EQUILIBRIUM_RESIDUAL 1e-6 // equilibrium residual, relative to that of the next load

typedef enum outcome { ACCEPTED, FAILED, JUMPED, UNSTABLE } outcome;

/* Progress along the path. */
typedef struct progress {
    double done, step;
    double bad;      // lowest location of a bad step; > 1: none
    outcome why;     // its outcome
    int good;        // good steps since
    int iterations;  // of the last step
    bool balanced;   // state was an equilibrium before the step
    double met;      // lowest unstable equilibrium beside the path; > 1: none
    int negative;    // its negative pivots
    bool reported;   // reported
    gos_status last; // status of a failed step
} progress;

/* unit-independent scalar product of coordinate changes */
static double product(const gos_statics *k, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < k->sys->nq; i++) {
        const double unit = k->sys->trans[i / 3] != 0 ? k->sys->extent : 1;
        sum += a[i] * b[i] / (unit * unit);
    }
    return sum;
}

/* A step from an indefinite matrix may reach either side of a branch by chance. Otherwise, with
   Newton homotopy H(u, l) = R(u) - (1 - l) R(u0), the end tangents are K0^-1 p and K1^-1 p, p =
   -R(u0); a smooth step follows both and is close to their mean. */
static bool jumped(gos_statics *k, const gos_state *state) {
    const int n = k->sys->nq;
    double *back = k->scratch, *change = back + k->sys->n;
    memcpy(back, k->push, k->sys->n * sizeof *back);
    gos__solver_solve(k->solver, back);
    for (int i = 0; i < n; i++) {
        change[i] = k->x->q[i] - state->q[i];
    }
    const double min = MIN_CONTRIBUTION * product(k, change, change);
    const bool turns = !(product(k, k->step, change) >= min && product(k, back, change) >= min);
    for (int i = 0; i < n; i++) {
        back[i] = change[i] - 0.5 * (k->step[i] + back[i]);
    }
    const double move = gos__static_size(k, change);
    return move > MIN_CHECKED_STEP && (turns || !(gos__static_size(k, back) <= JUMP_RATIO * move));
}

/* Balance without load; otherwise the first step is not along a path. */
static gos_status balances(gos_statics *k, const gos_state *state, double next, bool *yes) {
    double *none = k->scratch + k->sys->n, *some = k->scratch;
    const double place[] = {0, next};
    double size[2] = {0, 0};
    double *const r[] = {none, some};
    for (int p = 0; p < 2; p++) {
        const gos_point_of at = gos__static_point(k, state, NULL, place[p]);
        const gos_residual to = gos__residual_of(k->sys, r[p]);
        GOS_TRY(gos__residual(k->w, &at, &to, NULL));
        for (int i = 0; i < k->sys->nq; i++) {
            size[p] = fmax(size[p], fabs(r[p][i]));
        }
    }
    *yes = size[0] <= EQUILIBRIUM_RESIDUAL * size[1];
    return GOS_OK;
}

static void report_jump(const gos_statics *k, double done, double next) {
    char a[48], b[48], object[64];
    (void)snprintf(object, sizeof object, "equilibrium at %s", gos__static_position(k, next, b));
    gos__warn(k->ctx, (gos_loc){0}, object,
              "the path jumps or turns sharply from %s to %s: it may have passed a limit point or "
              "switched branches; `branch: stable` checks this",
              gos__static_position(k, done, a), b);
}

/* An unstable equilibrium was found and passed on another branch. */
static void report_nearby(const gos_statics *k, progress *p) {
    char at[48], object[64];
    if (p->met > p->done || p->reported) {
        return;
    }
    p->reported = true;
    (void)snprintf(object, sizeof object, "equilibrium at %s", gos__static_position(k, p->met, at));
    gos__warn(
        k->ctx, (gos_loc){0}, object,
        "there is an unstable equilibrium (%d negative pivot%s of the stiffness) beside the path: "
        "the model buckles before it; the run continued on the stable branch favoured by the loads",
        p->negative, p->negative == 1 ? "" : "s");
}

static gos_status try_step(gos_statics *k, const gos_state *state, progress *p, double next,
                           outcome *why, gos_sums *sums) {
    (void)gos_state_copy(k->x, state);
    for (int i = 0; k->turning && i < k->sys->nc; i++) { // all loads grow proportionally
        k->x->lam[i] *= p->done > 0 ? next / p->done : next;
    }
    *why = ACCEPTED;
    p->last = gos__static_balance(k, next, &p->iterations, sums);
    if (p->last == GOS_OK && k->st) {
        p->last = gos__static_count(k);
    }
    // on the way to its rate a rotation may meet a critical speed
    const bool passes = k->turning && next < 1;
    if (p->last == GOS_RETRY || (p->last == GOS_E_SINGULAR && (k->unique_heat || passes))) {
        *why = FAILED;
        return GOS_OK;
    }
    GOS_TRY(p->last);
    if (!k->st) {
        return GOS_OK;
    }
    const bool on_path = p->balanced && !(k->mechanism && p->done == 0 && !k->timed);
    const bool jumps = on_path && (k->began_unstable || jumped(k, state));
    if (k->opt->branch == GOS_BRANCH_STABLE) {
        *why = gos__static_unstable(k) ? UNSTABLE : jumps ? JUMPED : ACCEPTED;
    } else if (jumps) {
        report_jump(k, p->done, next);
    }
    return GOS_OK;
}

static gos_status set_rates(gos_statics *k, gos_state *state, double s) {
    const gos_system *sys = k->sys;
    double *rate = k->scratch + sys->n;
    GOS_TRY(gos__static_rate(k, state, s, rate));
    gos__solver_solve(k->solver, rate);
    for (int i = 0; i < sys->nq; i++) {
        state->v[i] = -rate[i] / k->length;
    }
    for (int i = 0; i < sys->nt; i++) {
        state->thd[i] = -rate[sys->at.th + i] / k->length;
    }
    return GOS_OK;
}

static gos_status store(gos_statics *k, gos_state *state, double s) {
    gos__static_report(k, s);
    if (!k->timed || !k->store) {
        return GOS_OK;
    }
    GOS_TRY(set_rates(k, state, s));
    return k->store(k->user, state, state->t);
}

static gos_status accept(gos_statics *k, gos_state *state, progress *p, double next,
                         const gos_sums *sums) {
    gos__static_take(k, state, next, sums);
    p->done = next;
    p->balanced = true;
    k->stats->steps++;
    report_nearby(k, p);
    GOS_TRY(store(k, state, next));
    return gos__progress(k->ctx, p->done, k->timed ? "path" : "load");
}

static void grow(const gos_statics *k, progress *p) {
    if (p->bad > 1) {
        p->step = fmin(k->max_step, p->iterations <= 6 ? 1.6 * p->step : p->step);
    } else if (++p->good > 2) {
        p->bad = 2; // the step may only have been too long
    } else {
        p->step = 0.5 * (p->bad - p->done);
    }
}

static gos_status shrink(gos_statics *k, gos_state *state, progress *p, double next, outcome why) {
    const bool stable = k->st && k->opt->branch == GOS_BRANCH_STABLE;
    const bool lost = why == FAILED && p->done == 0 && !k->timed; // there is no path yet
    const bool was_checked = k->free_checked;
    if (k->turning && p->last == GOS_E_SINGULAR && next < 1 && p->step > 1e-3) {
        k->stats->rejected++;
        p->step *= BESIDE_CRITICAL; // a bisection would meet the same rate again
        return GOS_OK;
    }
    if (stable && p->done == 0 && !k->timed && !k->mechanism) {
        GOS_TRY(gos__static_find_mechanism(k, state));
        if (k->mechanism) {
            return GOS_OK; // the same step again
        }
    }
    GOS_TRY(stable && !lost ? gos__static_free(k, state) : GOS_OK);
    if (k->hold > 0 && !was_checked) {
        return GOS_OK; // the same step again
    }
    k->stats->rejected++;
    p->bad = next;
    p->why = why;
    p->good = 0;
    if (why == UNSTABLE) {
        p->met = next;
        p->negative = k->signs.negative - k->neutral;
    }
    p->step = (stable && !lost ? 0.5 : 0.4) * (next - p->done);
    if (lost && p->last == GOS_E_SINGULAR && p->step < 1e-3) {
        return gos__static_refuse(k, p->last, p->done);
    }
    if (next - p->done > (stable && !lost ? k->shortest : 2.5e-6)) {
        return GOS_OK;
    }
    gos_sums sums = {0};
    if (stable && lost && p->last == GOS_RETRY) {
        bool rests;
        const double first = 1.0 / k->opt->load_steps;
        GOS_TRY(gos__static_sag(k, state, first, &rests, &sums));
        if (rests) {
            p->bad = 2;
            p->step = first;
            return accept(k, state, p, first, &sums);
        }
        p->last = GOS_RETRY;
    }
    if (!stable || lost) {
        return gos__static_refuse(k, p->last, p->done);
    }
    GOS_TRY(gos__static_leave(k, state, p->done, next, &sums));
    p->met = 2;
    GOS_TRY(accept(k, state, p, next, &sums));
    p->bad = 2;
    p->step = k->timed ? k->max_step : 1.0 / k->opt->load_steps;
    return GOS_OK;
}

/* time steps end at multiples of the longest one */
static double next_place(const gos_statics *k, const progress *p) {
    double next = p->done + p->step;
    if (k->timed) {
        next = fmin(next, k->max_step * (floor(p->done / k->max_step + 1e-9) + 1));
    }
    return next >= 1 - 1e-12 ? 1 : next;
}

gos_status gos__static_advance(gos_statics *k, gos_state *state) {
    progress p = {.step = fmin(k->max_step, 1.0 / k->opt->load_steps),
                  .bad = 2,
                  .met = 2,
                  .balanced = k->timed};
    if (k->timed) {
        p.step = k->max_step;
        GOS_TRY(store(k, state, 0));
    } else if (k->st && k->opt->branch == GOS_BRANCH_STABLE) {
        const gos_status status = balances(k, state, p.step, &p.balanced);
        GOS_TRY(status == GOS_RETRY ? GOS_OK : status);
    }
    while (p.done < 1) {
        const double next = next_place(k, &p);
        outcome why;
        gos_sums sums = {0};
        GOS_TRY(try_step(k, state, &p, next, &why, &sums));
        if (why == ACCEPTED) {
            GOS_TRY(accept(k, state, &p, next, &sums));
            grow(k, &p);
        } else {
            GOS_TRY(shrink(k, state, &p, next, why));
        }
    }
    return GOS_OK;
}
