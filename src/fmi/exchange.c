/* Model exchange: first-order equations q' = v, v' = a(q, v, T, t), T' = T'(q, v, T, t) of a
 * system without constraints; accelerations and temperature rates solve M a + Q = F and C T' + K T
 * = R. */
#include "fmi/instance.h"

#include <math.h>

#include "solve/consistent.h"
#include "signals/zero_crossing.h"
#include "system/made.h"

enum { MOST_BREAKS = 4096 };

struct gos_fmi_exchange {
    bool evaluated; // accelerations are current
    double *near,
        *now; // limit probes at the last step and now (ncrossing, variables, GOS_PROBE_MAX)
    bool *above,
        *passed;    // side of each limit; limits passed since the last step (ncrossing)
    double *breaks; // switching times of functions of time, ascending (nbreak)
    int nbreak;
};

static size_t crossing_room(const gos_fmi *f) {
    return (size_t)f->sys->ncrossing * GOS_LIMIT_VARIABLES * GOS_PROBE_MAX;
}

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
                                       &n, MOST_BREAKS - before));
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
    k->near = gos__zalloc(f->ctx, crossing_room(f) + 1, sizeof *k->near);
    k->now = gos__zalloc(f->ctx, crossing_room(f) + 1, sizeof *k->now);
    k->above = gos__zalloc(f->ctx, f->sys->ncrossing + 1L, sizeof *k->above);
    k->passed = gos__zalloc(f->ctx, f->sys->ncrossing + 1L, sizeof *k->passed);
    k->breaks = gos__zalloc(f->ctx, MOST_BREAKS + 1, sizeof *k->breaks);
    GOS_TRY(k->near && k->now && k->above && k->passed && k->breaks ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(find_breaks(f));
    return GOS_OK;
}

void gos__fmi_exchange_destroy(gos_fmi *f) {
    struct gos_fmi_exchange *k = f->exchange;
    if (k) {
        gos__free(f->ctx, k->near);
        gos__free(f->ctx, k->now);
        gos__free(f->ctx, k->above);
        gos__free(f->ctx, k->passed);
        gos__free(f->ctx, k->breaks);
        gos__free(f->ctx, k);
        f->exchange = NULL;
    }
}

/* ---- states ---------------------------------------------------------------------------------- */

int gos__fmi_states(const gos_fmi *f) {
    return 2 * f->sys->nq + f->sys->nt;
}

static void changed(gos_fmi *f) {
    f->exchange->evaluated = false;
    f->seen = false;
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
    gos__made_refresh(f->x);
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

gos_status gos__fmi_indicators(gos_fmi *f, double *z) {
    struct gos_fmi_exchange *k = f->exchange;
    const gos_system *s = f->sys;
    const size_t room = (size_t)GOS_LIMIT_VARIABLES * GOS_PROBE_MAX;
    GOS_TRY(gos__fmi_evaluate(f));
    for (int i = 0; i < s->ncrossing; i++) {
        double rate;
        const gos_crossing_point at = {f->x, f->x->t, 0, k->near + (size_t)i * room, f->moved};
        GOS_TRY(gos_state_copy(f->moved, f->x));
        gos__crossing_sample(&s->crossing[i], &at, k->now + (size_t)i * room, &z[i], &rate);
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

/* angles continue from here */
gos_status gos__fmi_completed(gos_fmi *f, bool *events) {
    struct gos_fmi_exchange *k = f->exchange;
    *events = false;
    GOS_TRY(gos__fmi_evaluate(f));
    gos__fmi_sample(f, false);
    double *z = gos__zalloc(f->ctx, f->sys->ncrossing + 1L, sizeof *z);
    gos_status status = z ? gos__fmi_indicators(f, z) : GOS_E_MEMORY;
    for (int i = 0; i < f->sys->ncrossing && status == GOS_OK; i++) {
        const gos_crossing *c = &f->sys->crossing[i];
        const bool above = z[i] > 0;
        if (above != k->above[i] && (above ? c->rising : c->falling)) {
            k->passed[i] = *events = true;
        }
        k->above[i] = above;
    }
    if (status == GOS_OK && crossing_room(f) > 0) {
        memcpy(k->near, k->now, crossing_room(f) * sizeof *k->near);
    }
    gos__free(f->ctx, z);
    f->iterations++;
    return status == GOS_OK && f->observing ? f->observer->see(f->observing, f->x, f->iterations)
                                            : status;
}

gos_status gos__fmi_new_states(gos_fmi *f) {
    struct gos_fmi_exchange *k = f->exchange;
    bool unused;
    GOS_TRY(gos__fmi_completed(f, &unused));
    for (int i = 0; i < f->sys->ncrossing; i++) {
        f->over = f->over || (k->passed[i] && f->sys->crossing[i].ends);
        k->passed[i] = false;
    }
    return GOS_OK;
}
