/* Path following over load steps or times. Negative pivots are counted (stability.c), and each step
   is compared with the tangents at its ends, since Newton's method may jump to another branch. Bad
   steps are halved; then static_branch.c continues. */
#include <math.h>

#include "statics/static.h"

#define JUMP 0.5     // deviation from the tangents that is a jump, relative to the step
#define LEAST 0.1    // minimum contribution of each tangent
#define SMALL 1e-8   // smaller steps, relative to the extent, are not checked
#define AT_REST 1e-6 // equilibrium residual, relative to that of the next load

typedef enum outcome { GOOD, FAILED, JUMPED, UNSTABLE } outcome;

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
    bool told;       // reported
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
    const double least = LEAST * product(k, change, change);
    const bool turns = !(product(k, k->step, change) >= least && product(k, back, change) >= least);
    for (int i = 0; i < n; i++) {
        back[i] = change[i] - 0.5 * (k->step[i] + back[i]);
    }
    const double move = gos__static_size(k, change);
    return move > SMALL && (turns || !(gos__static_size(k, back) <= JUMP * move));
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
    *yes = size[0] <= AT_REST * size[1];
    return GOS_OK;
}

static void tell_jump(const gos_statics *k, double done, double next) {
    char a[48], b[48], object[64];
    (void)snprintf(object, sizeof object, "equilibrium at %s", gos__static_position(k, next, b));
    gos__warn(k->ctx, (gos_loc){0}, object,
              "the path jumps or turns sharply from %s to %s: it may have passed a limit point or "
              "switched branches; `branch: stable` checks this",
              gos__static_position(k, done, a), b);
}

/* An unstable equilibrium was found and passed on another branch. */
static void tell_beside(const gos_statics *k, progress *p) {
    char at[48], object[64];
    if (p->met > p->done || p->told) {
        return;
    }
    p->told = true;
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
    *why = GOOD;
    p->last = gos__static_balance(k, next, &p->iterations, sums);
    if (p->last == GOS_OK && k->st) {
        p->last = gos__static_count(k);
    }
    if (p->last == GOS_RETRY || (p->last == GOS_E_SINGULAR && k->unique_heat)) {
        *why = FAILED;
        return GOS_OK;
    }
    GOS_TRY(p->last);
    if (!k->st) {
        return GOS_OK;
    }
    const bool far = p->balanced && (k->began_unstable || jumped(k, state));
    if (k->opt->branch == GOS_BRANCH_STABLE) {
        *why = gos__static_unstable(k) ? UNSTABLE : far ? JUMPED : GOOD;
    } else if (far) {
        tell_jump(k, p->done, next);
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
    tell_beside(k, p);
    GOS_TRY(store(k, state, next));
    return gos__progress(k->ctx, p->done, k->timed ? "path" : "load");
}

/* step size after a good step */
static void grow(const gos_statics *k, progress *p) {
    if (p->bad > 1) {
        p->step = fmin(k->most, p->iterations <= 6 ? 1.6 * p->step : p->step);
    } else if (++p->good > 2) {
        p->bad = 2; // the step may only have been too long
    } else {
        p->step = 0.5 * (p->bad - p->done);
    }
}

static gos_status shrink(gos_statics *k, gos_state *state, progress *p, double next, outcome why) {
    const bool stable = k->st && k->opt->branch == GOS_BRANCH_STABLE;
    const bool lost = why == FAILED && p->done == 0 && !k->timed; // there is no path yet
    const bool looked = k->looked;
    GOS_TRY(stable && !lost ? gos__static_free(k, state) : GOS_OK);
    if (k->hold > 0 && !looked) {
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
    p->step = k->timed ? k->most : 1.0 / k->opt->load_steps;
    return GOS_OK;
}

/* time steps end at multiples of the longest one */
static double next_place(const gos_statics *k, const progress *p) {
    double next = p->done + p->step;
    if (k->timed) {
        next = fmin(next, k->most * (floor(p->done / k->most + 1e-9) + 1));
    }
    return next >= 1 - 1e-12 ? 1 : next;
}

gos_status gos__static_advance(gos_statics *k, gos_state *state) {
    progress p = {
        .step = fmin(k->most, 1.0 / k->opt->load_steps), .bad = 2, .met = 2, .balanced = k->timed};
    if (k->timed) {
        p.step = k->most;
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
        if (why == GOOD) {
            GOS_TRY(accept(k, state, &p, next, &sums));
            grow(k, &p);
        } else {
            GOS_TRY(shrink(k, state, &p, next, why));
        }
    }
    return GOS_OK;
}
