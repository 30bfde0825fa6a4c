/* Model exchange: first-order equations q' = v, v' = a(q, v, T, t), T' = T'(q, v, T, t) of a
 * system without constraints; accelerations and temperature rates solve M a + Q = F and C T' + K T
 * = R. */
#include "fmi/instance.h"

#include <math.h>

#include "solve/consistent.h"
#include "signals/zero_crossing.h"
#include "system/derived.h"

enum { MAX_BREAKS = 4096 };

struct gos_fmi_exchange {
    bool evaluated; // accelerations belong to the state, its time and inputs
    double *near;   // probes of one limit after the last step (GOS_LIMIT_VARIABLES, GOS_PROBE_MAX)
    double *now;    // the same at present
    double *z;      // indicators (ncrossing)
    signed char *side; // of each limit after the last step: -1, 1, or 0 exactly on it (ncrossing)
    bool *passed;      // since the last event mode (ncrossing)
    double *breaks;    // times at which functions of time switch, ascending (nbreak)
    int nbreak;
};

enum { PROBE_CAPACITY = GOS_LIMIT_VARIABLES * GOS_PROBE_MAX };

/* ---- create and destroy ---------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static gos_status find_breaks(gos_fmi *f) {
    struct gos_fmi_exchange *k = f->exchange;
    for (int i = 0; i < f->sys->nfn; i++) {
        const int before = k->nbreak;
        int n = 0;
        if (!gos__timefn_constant(f->sys->fn[i])) {
            GOS_TRY(gos__timefn_breaks(f->ctx, f->sys->fn[i], 0, f->options.end, k->breaks + before,
                                       &n, MAX_BREAKS - before));
        }
        k->nbreak = before + n;
    }
    qsort(k->breaks, k->nbreak, sizeof *k->breaks, ascending);
    return GOS_OK;
}

gos_status gos__fmi_exchange_create(gos_fmi *f) {
    struct gos_fmi_exchange *k = gos__zalloc(f->ctx, 1, sizeof *k);
    GOS_TRY(k ? GOS_OK : GOS_E_MEMORY);
    f->exchange = k;
    const long n = f->sys->ncrossing + 1L;
    k->near = gos__zalloc(f->ctx, PROBE_CAPACITY, sizeof *k->near);
    k->now = gos__zalloc(f->ctx, PROBE_CAPACITY, sizeof *k->now);
    k->z = gos__zalloc(f->ctx, n, sizeof *k->z);
    k->side = gos__zalloc(f->ctx, n, sizeof *k->side);
    k->passed = gos__zalloc(f->ctx, n, sizeof *k->passed);
    k->breaks = gos__zalloc(f->ctx, MAX_BREAKS + 1, sizeof *k->breaks);
    GOS_TRY(k->near && k->now && k->z && k->side && k->passed && k->breaks ? GOS_OK : GOS_E_MEMORY);
    return find_breaks(f);
}

static void release(gos_ctx *ctx, struct gos_fmi_exchange *k) {
    gos__free(ctx, k->near);
    gos__free(ctx, k->now);
    gos__free(ctx, k->z);
    gos__free(ctx, k->side);
    gos__free(ctx, k->passed);
    gos__free(ctx, k->breaks);
    gos__free(ctx, k);
}

void gos__fmi_exchange_destroy(gos_fmi *f) {
    if (f->exchange) {
        release(f->ctx, f->exchange);
        f->exchange = NULL;
    }
}

struct gos_fmi_exchange *gos__fmi_exchange_detach(gos_fmi *f) {
    struct gos_fmi_exchange *k = f->exchange;
    f->exchange = NULL;
    return k;
}

void gos__fmi_exchange_adopt(gos_fmi *f, struct gos_fmi_exchange *old) {
    if (old && f->exchange) { // a tuned system has the same limits
        memcpy(f->exchange->side, old->side, f->sys->ncrossing * sizeof *old->side);
        memcpy(f->exchange->passed, old->passed, f->sys->ncrossing * sizeof *old->passed);
    }
    if (old) {
        release(f->ctx, old);
    }
}

/* ---- states ---------------------------------------------------------------------------------- */

int gos__fmi_states(const gos_fmi *f) {
    return 2 * f->sys->nq + f->sys->nt;
}

static void changed(gos_fmi *f) {
    f->exchange->evaluated = false;
    f->up_to_date = false;
    f->x->h = 0; // accelerations do not continue previous steps
}

gos_status gos__fmi_set_time(gos_fmi *f, double t) {
    if (!isfinite(t)) {
        return gos__fmi_wrong(f, "%g is not a valid time", t);
    }
    if (t != f->x->t) {
        f->x->t = t;
        changed(f);
    }
    return GOS_OK;
}

void gos__fmi_get_states(const gos_fmi *f, double *y) {
    const size_t nq = f->sys->nq, nt = f->sys->nt;
    memcpy(y, f->x->q, nq * sizeof *y);
    memcpy(y + nq, f->x->v, nq * sizeof *y);
    memcpy(y + 2 * nq, f->x->th, nt * sizeof *y);
}

gos_status gos__fmi_set_states(gos_fmi *f, const double *y) {
    const size_t nq = f->sys->nq, nt = f->sys->nt;
    double nought = 0;
    for (int i = 0; i < gos__fmi_states(f); i++) {
        nought += 0 * y[i];
    }
    if (nought != 0) { // true for NaN
        return gos__fmi_wrong(f, "states must be finite");
    }
    memcpy(f->x->q, y, nq * sizeof *y);
    memcpy(f->x->v, y + nq, nq * sizeof *y);
    memcpy(f->x->th, y + 2 * nq, nt * sizeof *y);
    gos__derived_refresh(f->x);
    changed(f);
    return GOS_OK;
}

gos_status gos__fmi_evaluate(gos_fmi *f) {
    GOS_TRY(gos__fmi_begin(f));
    const double sets = f->x->sets;
    GOS_TRY(gos__fmi_give_inputs(f, f->x, 0));
    if (f->exchange->evaluated && f->x->sets == sets) {
        return GOS_OK;
    }
    f->work->sets = -1; // equal counts of input changes do not imply equal values
    gos__work_hold(f->work, f->x);
    GOS_TRY(gos__consistent(f->ctx, f->work, f->x, f->x->t));
    f->exchange->evaluated = true;
    return GOS_OK;
}

gos_status gos__fmi_derivatives(gos_fmi *f, double *dy) {
    const size_t nq = f->sys->nq, nt = f->sys->nt;
    GOS_TRY(gos__fmi_evaluate(f));
    memcpy(dy, f->x->v, nq * sizeof *dy);
    memcpy(dy + nq, f->x->a, nq * sizeof *dy);
    memcpy(dy + 2 * nq, f->x->thd, nt * sizeof *dy);
    return GOS_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* near := the probes of a limit after the last step, from which angles are continued */
static void gather_probes(const gos_fmi *f, const gos_crossing *c, double *near) {
    for (int j = 0; j < c->n; j++) {
        int at = 0;
        for (int i = 0; i < c->probe[j]; i++) {
            at += f->sys->probe[i]->ncomp;
        }
        const gos_probe *p = f->sys->probe[c->probe[j]];
        memcpy(near + (size_t)j * GOS_PROBE_MAX, f->value + at, p->ncomp * sizeof *near);
    }
}

gos_status gos__fmi_indicators(gos_fmi *f, double *z) {
    GOS_TRY(gos__fmi_evaluate(f)); // which replaces the exchange where parameters were tuned
    struct gos_fmi_exchange *k = f->exchange;
    const gos_system *s = f->sys;
    for (int i = 0; i < s->ncrossing; i++) {
        double rate;
        const gos_crossing_point at = {f->x, f->x->t, 0, k->near, f->moved};
        gather_probes(f, &s->crossing[i], k->near);
        GOS_TRY(gos_state_copy(f->moved, f->x));
        gos__crossing_sample(&s->crossing[i], &at, k->now, &z[i], &rate);
    }
    return GOS_OK;
}

static signed char side_of(double z) {
    return (signed char)((z > 0) - (z < 0));
}

gos_status gos__fmi_set_sides(gos_fmi *f) {
    struct gos_fmi_exchange *k = f->exchange;
    changed(f);
    GOS_TRY(gos__fmi_indicators(f, k->z));
    for (int i = 0; i < f->sys->ncrossing; i++) {
        k->side[i] = side_of(k->z[i]);
        k->passed[i] = false;
    }
    return GOS_OK;
}

double gos__fmi_next_time(const gos_fmi *f) {
    const struct gos_fmi_exchange *k = f->exchange;
    for (int i = 0; i < k->nbreak; i++) {
        if (k->breaks[i] > f->x->t) {
            return k->breaks[i];
        }
    }
    return HUGE_VAL;
}

gos_status gos__fmi_completed(gos_fmi *f, bool *events) {
    *events = false;
    GOS_TRY(gos__fmi_evaluate(f)); // which replaces the exchange where parameters were tuned
    struct gos_fmi_exchange *k = f->exchange;
    GOS_TRY(gos__fmi_indicators(f, k->z));
    gos__fmi_sample(f, false);
    for (int i = 0; i < f->sys->ncrossing; i++) {
        const gos_crossing *c = &f->sys->crossing[i];
        const signed char side = side_of(k->z[i]);
        if (side * k->side[i] < 0 && (side > 0 ? c->rising : c->falling)) {
            k->passed[i] = *events = true;
        }
        k->side[i] = side != 0 ? side : k->side[i];
    }
    f->iterations++;
    return f->observing ? f->observer->see(f->observing, f->x, f->iterations) : GOS_OK;
}

gos_status gos__fmi_new_states(gos_fmi *f) {
    bool unused;
    GOS_TRY(gos__fmi_completed(f, &unused));
    struct gos_fmi_exchange *k = f->exchange;
    for (int i = 0; i < f->sys->ncrossing; i++) {
        f->over = f->over || (k->passed[i] && f->sys->crossing[i].ends);
        k->passed[i] = false;
    }
    return GOS_OK;
}
