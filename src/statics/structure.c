/* Linear model of a structure in its initial configuration. Unbalanced loads would accelerate it,
   and joint and follower forces add false stiffness: it is then linearised at rest without
   loads. */
#include <math.h>

#include "gossamer/sim.h"
#include "linear/linear.h"
#include "solve/consistent.h"
#include "statics/linearise.h"
#include "system/assemble.h"
#include "signals/feedback.h"
#include "signals/loops.h"
#include "system/gravity_gradient.h"

#define MAX_NAMES 6 // maximum loads listed

static double largest(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

/* true for active loads; laws of probes may act at any motion */
static bool acts(const gos_work *w, const gos_item *it) {
    return gos__item_loads(it) &&
           (gos__item_feeds_back(it) || largest(it->nfn, w->fn + it->fn0) > 0);
}

/* writes e.g. "gravity, loads 'a', 'b'" */
static void name_loads(gos_work *w, double t, char *buf, size_t size) {
    const gos_system *s = w->sys;
    size_t at = 0;
    int named = 0;
    const char *last = NULL;
    buf[0] = '\0';
    gos__work_time(w, t);
    if (largest(3, s->gravity) > 0) {
        at += snprintf(buf, size, "gravity");
    } else if (gos__gravity_gradient_acts(s)) {
        at += snprintf(buf, size, "gravity gradient");
    }
    for (int i = 0; i < s->nitem && at < size; i++) {
        const gos_item *it = s->item[i];
        if (!acts(w, it) || (last && strcmp(last, it->entry) == 0)) {
            continue;
        }
        last = it->entry;
        if (named < MAX_NAMES) {
            const char *join = named > 0 ? ", " : at > 0 ? ", load " : "load ";
            at += snprintf(buf + at, size - at, "%s'%s'", join, it->entry);
        } else if (named == MAX_NAMES) {
            at += snprintf(buf + at, size - at, ", ...");
        }
        named++;
    }
    if (gos__loops_first(s, false) && at < size) {
        (void)snprintf(buf + at, size - at, "%scontroller outputs", at > 0 ? ", " : "");
    }
}

/* coordinates without constraints, where only inertia resists forces */
static void find_free_motions(const gos_system *s, bool *free_motions) {
    memset(free_motions, true, (size_t)s->nv * sizeof *free_motions);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int m = 0; m < it->nm && it->nc > 0; m++) {
            for (int j = 0; j < it->m[m].n; j++) {
                free_motions[it->m[m].idx[j]] = false;
            }
        }
    }
}

/* A force without any constraint certainly moves the state, without computing accelerations. Not
   used for floating bodies, whose matrices depend on accelerations. */
static gos_status moves_unconstrained(gos_ctx *ctx, const gos_system *s, const double *force,
                                      bool *moves) {
    *moves = false;
    if (s->derived) {
        return GOS_OK;
    }
    bool *free_motions = gos__alloc(ctx, (size_t)s->nv + 1, sizeof *free_motions);
    GOS_TRY(free_motions ? GOS_OK : GOS_E_MEMORY);
    find_free_motions(s, free_motions);
    const double limit = GOS_BALANCED * largest(s->nq, force);
    for (int i = 0; i < s->nq && !*moves; i++) {
        *moves = free_motions[i / 3] && fabs(force[i]) > limit;
    }
    gos__free(ctx, free_motions);
    return GOS_OK;
}

/* computes consistent accelerations in x if needed */
static gos_status balances(gos_ctx *ctx, gos_work *w, gos_state *x, bool *balanced) {
    const gos_system *s = w->sys;
    const size_t nq = s->nq;
    double *r = gos__zalloc(ctx, 2 * nq + (s->nt + s->nc + s->nh) + 1, sizeof *r);
    *balanced = false;
    if (!r) {
        return GOS_E_MEMORY;
    }
    double *inertia = r + nq, *th = inertia + nq, *c = th + s->nt, *h = c + s->nc;
    const gos_point_of at = {.t = x->t, .scale = 1, .q = x->q, .th = x->th, .mem = x->mem};
    const gos_residual forces = {.q = r, .th = th, .c = c, .h = h};
    bool moves = false;
    gos_status status = gos__residual(w, &at, &forces, NULL);
    if (status == GOS_RETRY) {
        status =
            gos__fail(ctx, GOS_E_NONFINITE,
                      "forces are not finite at t = %g s; check loads and time functions", x->t);
    }
    status = status == GOS_OK ? moves_unconstrained(ctx, s, r, &moves) : status;
    if (status == GOS_OK && !moves) {
        status = gos__consistent(ctx, w, x, x->t);
        gos__inertia_apply(w, x->q, x->a, inertia);
        *balanced = status == GOS_OK && largest(s->nq, inertia) <= GOS_BALANCED * largest(s->nq, r);
    }
    gos__free(ctx, r);
    return status;
}

static void report_structure(gos_ctx *ctx, const char *loads, bool moves) {
    if (loads[0] != '\0') {
        gos__warn(
            ctx, (gos_loc){0}, NULL,
            "linearised without %s%s, because the state is not in equilibrium under its loads; to "
            "include their stiffness, linearise about the equilibrium or the state at a time",
            loads, moves ? " and at rest" : "");
    } else if (moves) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "linearised at rest: the velocities of the state are omitted; linearise about a "
                  "steady rotation (spin), or about the state at a time, to include them");
    }
}

gos_status gos_linearise_structure(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                   gos_linear **linear) {
    if (sys->linear || state->sys != sys) {
        return gos_linearise(ctx, sys, state, linear);
    }
    char loads[600];
    gos_work *w;
    gos_state *x = NULL;
    const bool moves = largest(sys->nq, state->v) > 0;
    bool balanced = false;
    gos_status status = gos__work_create(ctx, sys, &w);
    if (status == GOS_OK) {
        gos__work_hold(w, state);
        name_loads(w, state->t, loads, sizeof loads);
        balanced = loads[0] == '\0'; // no loads: certainly balanced
    }
    status = status == GOS_OK ? gos_state_create(ctx, sys, &x) : status;
    status = status == GOS_OK ? gos_state_copy(x, state) : status;
    status = status == GOS_OK ? gos__consistent_position(ctx, w, x, x->t) : status;
    if (status == GOS_OK) {
        memset(x->v, 0, sys->nq * sizeof *x->v);
        status = balanced ? GOS_OK : balances(ctx, w, x, &balanced);
    }
    if (status == GOS_OK) {
        report_structure(ctx, balanced ? "" : loads, moves);
        status = balanced ? gos_linearise(ctx, sys, x, linear)
                          : gos__linearise_unloaded(ctx, sys, x, linear);
    }
    gos_state_destroy(x);
    gos__work_destroy(ctx, w);
    return status;
}
