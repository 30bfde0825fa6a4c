/* Probe values and rates. Rates without closed form are central differences along the motion. */
#include "probes/probe.h"

#include <math.h>

#include "math/vec3.h"
#include "system/derived.h"

static void into_frame(const gos_state *x, const gos_probe *p, double *y) {
    double own[9] = {0};
    if (p->frame0 == 0) {
        gos__probe_axes(x, p, own);
    }
    const bool position = p->quantity->output == GOS_OUTPUT_POSITION;
    double r[3] = {y[0], y[1], y[2]}, out[3];
    if (position) {
        double o[3];
        gos__marker_value(&p->m[0], x->q, r);
        gos__marker_value(&p->m[p->frame0], x->q, o);
        gos__sub3(r, o, r);
    }
    for (int j = 0; j < 3; j++) {
        double a[3] = {own[3 * j], own[3 * j + 1], own[3 * j + 2]};
        if (p->frame0 > 0) {
            gos__marker_value(&p->m[p->frame0 + 1 + j], x->q, a);
        }
        out[j] = gos__dot3(a, r);
        if (p->quantity->since_start) {
            out[j] -= p->x0[j];
        }
    }
    memcpy(y, out, sizeof out);
}

/* derived vectors must be in output form */
static void evaluate_shown(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    p->quantity->value(s, x, p, y);
    if (p->framed) {
        into_frame(x, p, y);
    }
    if (p->scalar) {
        y[0] = gos__dot3(y, p->direction);
    }
}

void gos__probe_evaluate(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    gos__derived_observe(x);
    evaluate_shown(s, x, p, y);
}

bool gos__probe_of_state(const gos_probe *p) {
    return p->quantity->output != GOS_OUTPUT_NONE;
}

const char *gos__probe_quantity(const gos_probe *p) {
    return p->quantity->name;
}

static void shift(const gos_system *s, const gos_state *x, double dt, gos_state *to) {
    for (int i = 0; i < s->nq; i++) {
        to->q[i] = x->q[i] + dt * (x->v[i] + 0.5 * dt * x->a[i]);
        to->v[i] = x->v[i] + dt * x->a[i];
    }
    for (int i = 0; i < s->nt; i++) {
        to->th[i] = x->th[i] + dt * x->thd[i];
    }
    to->t = x->t + dt; // functions of time: motors of wheels, orbits
}

/* Components along axes a_j of a body with origin o are a_j . u, or a_j . (r - o) for positions.
   Converts the rate from global axes: a_j' . u + a_j . u'. */
static void rate_into_frame(const gos_state *x, const gos_probe *p, double *rate) {
    double u[GOS_PROBE_MAX] = {0}, ud[3] = {rate[0], rate[1], rate[2]}, o[3];
    if (p->quantity->output == GOS_OUTPUT_POSITION) {
        gos__marker_value(&p->m[0], x->q, u);
        gos__marker_value(&p->m[p->frame0], x->q, o);
        gos__sub3(u, o, u);
        gos__marker_rate(&p->m[p->frame0], x->v, o);
        gos__sub3(ud, o, ud);
    } else {
        p->quantity->value(x->sys, x, p, u);
    }
    for (int j = 0; j < 3; j++) {
        double a[3], ad[3];
        gos__marker_value(&p->m[p->frame0 + 1 + j], x->q, a);
        gos__marker_rate(&p->m[p->frame0 + 1 + j], x->v, ad);
        rate[j] = gos__dot3(ad, u) + gos__dot3(a, ud);
    }
}

/* rate is defined as zero */
static bool is_rateless(const gos_probe *p) {
    const unsigned needs = p->quantity->needs;
    return !(needs & GOS_NEEDS_ORBIT) &&
           (needs & (GOS_NEEDS_NOTHING | GOS_NEEDS_JOINT | GOS_NEEDS_HEATER | GOS_NEEDS_NODES));
}

bool gos__probe_has_rates(const gos_probe *p) {
    return !is_rateless(p) && !p->quantity->estimated;
}

/* Closed-form rate, after evaluating derived vectors. @return false: none */
static bool direct_rate(const gos_state *state, const gos_probe *p, double *rate) {
    double known[GOS_PROBE_MAX] = {0};
    const bool own = p->framed && p->frame0 == 0;
    if (is_rateless(p)) {
        memset(rate, 0, (size_t)p->ncomp * sizeof *rate); // sums, multipliers, maxima
        return true;
    }
    if (own || !p->quantity->rate || !p->quantity->rate(state, p, known)) {
        return false;
    }
    if (p->framed) {
        rate_into_frame(state, p, known);
    }
    if (p->scalar) {
        known[0] = gos__dot3(known, p->direction);
    }
    memcpy(rate, known, (size_t)p->ncomp * sizeof *rate);
    return true;
}

/* difference step [s], as a fraction of the time step */
static double difference_step(const gos_state *state) {
    return 1e-3 * (state->h > 0 ? state->h : 1e-3);
}

/* NaN if dropped redundant rows share it */
static void take_value(const gos_probe *p, const double *all, double *value) {
    memcpy(value, all, (size_t)p->ncomp * sizeof *value);
    for (int c = 0; c < p->ncomp && p->undetermined; c++) {
        value[c] = p->undetermined >> c & 1u ? (double)NAN : value[c];
    }
}

/* without the steppers' history, which probes do not use */
static void copy_without_history(gos_state *to, const gos_state *from) {
    gos_state bare = *from;
    bare.npast = 0;
    gos_state_copy(to, &bare);
}

static void difference_rate(const gos_system *sys, const gos_state *state, const gos_probe *p,
                            const double *value, gos_state *moved, double *rate) {
    const double dt = difference_step(state);
    double other[2][GOS_PROBE_MAX] = {{0}};
    copy_without_history(moved, state);
    for (int k = 0; k < 2; k++) {
        shift(sys, state, k ? dt : -dt, moved);
        gos__probe_evaluate(sys, moved, p, other[k]);
        gos__probe_unwrap(p, value, other[k]);
    }
    for (int c = 0; c < p->ncomp; c++) {
        rate[c] = (other[1][c] - other[0][c]) / (2 * dt);
    }
}

void gos__probe_sample(const gos_system *sys, const gos_state *state, const gos_probe *p,
                       gos_state *moved, double *value, double *rate) {
    double all[GOS_PROBE_MAX] = {0}; // a quantity may write more than ncomp
    gos__probe_evaluate(sys, state, p, all);
    take_value(p, all, value);
    if (rate && !direct_rate(state, p, rate)) {
        difference_rate(sys, state, p, all, moved, rate);
    }
}

struct gos_probe_sampler {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_state *moved;
    bool *differs;                // requires differences
    bool observes;                // some of these read derived vectors
    bool *required;               // derived vectors that the probes read; NULL: all
    double *now, *before, *after; // (nprobe, GOS_PROBE_MAX): at and around a state
};

/* Does it read the state at its markers alone? */
static bool is_local(const gos_probe *p) {
    const unsigned needs = p->quantity->needs;
    return needs == GOS_NEEDS_POINT || needs == GOS_NEEDS_RIGID || needs == GOS_NEEDS_HEAT;
}

/* Forms of many amplitudes cost as much as a residual; a probe reads few of them. */
static gos_status find_required(gos_probe_sampler *k) {
    const gos_system *s = k->sys;
    for (int i = 0; i < s->nprobe; i++) {
        if (!s->derived || s->nshowing > 0 || !is_local(s->probe[i])) {
            return GOS_OK;
        }
    }
    k->required = gos__zalloc(k->ctx, s->derived ? s->derived->n + 1L : 1, sizeof *k->required);
    GOS_TRY(k->required ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nprobe; i++) {
        const gos_probe *p = s->probe[i];
        for (int m = 0; m < p->nm; m++) {
            for (int j = 0; j < p->m[m].n; j++) {
                if (p->m[m].idx[j] < 0) {
                    k->required[-1 - p->m[m].idx[j]] = true;
                }
            }
        }
    }
    return GOS_OK;
}

gos_status gos__sampler_create(gos_ctx *ctx, const gos_system *sys, gos_probe_sampler **sampler) {
    gos_probe_sampler *k = gos__zalloc(ctx, 1, sizeof *k);
    const size_t n = (size_t)sys->nprobe * GOS_PROBE_MAX;
    GOS_TRY(k ? GOS_OK : GOS_E_MEMORY);
    *sampler = k;
    k->ctx = ctx;
    k->sys = sys;
    k->differs = gos__zalloc(ctx, (size_t)sys->nprobe + 1, sizeof *k->differs);
    k->now = gos__zalloc(ctx, 3 * n + 1, sizeof *k->now);
    GOS_TRY(k->differs && k->now ? GOS_OK : GOS_E_MEMORY);
    k->before = k->now + n;
    k->after = k->before + n;
    GOS_TRY(find_required(k));
    return gos_state_create(ctx, sys, &k->moved);
}

void gos__sampler_destroy(gos_probe_sampler *k) {
    if (k) {
        gos_state_destroy(k->moved);
        gos__free(k->ctx, k->differs);
        gos__free(k->ctx, k->required);
        gos__free(k->ctx, k->now);
        gos__free(k->ctx, k);
    }
}

/* Values of all probes, or only of differing ones. Derived vectors are evaluated once, unless items
   have output coordinates: quantities may then need those of the equations. */
static void evaluate_all(const gos_probe_sampler *k, const gos_state *x, bool differing,
                         double *y) {
    if (k->required && (!differing || k->observes)) {
        gos__derived_refresh_some(x, k->required);
    } else if (!differing || k->observes || k->sys->nshowing > 0) {
        gos__derived_observe(x);
    }
    for (int i = 0; i < k->sys->nprobe; i++) {
        if (!differing || k->differs[i]) {
            if (i > 0 && k->sys->nshowing > 0) {
                gos__derived_observe(x);
            }
            memset(y + i * GOS_PROBE_MAX, 0, GOS_PROBE_MAX * sizeof *y);
            evaluate_shown(k->sys, x, k->sys->probe[i], y + i * GOS_PROBE_MAX);
        }
    }
}

static bool reads_derived(const gos_probe *p) {
    bool derived = (p->quantity->needs & (GOS_NEEDS_RIGID | GOS_NEEDS_HINGE)) == 0;
    for (int i = 0; i < p->nm; i++) {
        for (int j = 0; j < p->m[i].n; j++) {
            derived |= p->m[i].idx[j] < 0;
        }
    }
    return derived;
}

static bool find_direct_rates(gos_probe_sampler *k, const gos_state *x, double *rate) {
    bool any = false;
    k->observes = false;
    for (int i = 0; i < k->sys->nprobe; rate += k->sys->probe[i]->ncomp, i++) {
        if (k->sys->nshowing > 0) {
            gos__derived_observe(x);
        }
        k->differs[i] = !direct_rate(x, k->sys->probe[i], rate);
        any |= k->differs[i];
        k->observes |= k->differs[i] && reads_derived(k->sys->probe[i]);
    }
    return any;
}

/* central or one-sided */
static void find_differences(gos_probe_sampler *k, const gos_state *x, int side, double *rate) {
    const double dt = difference_step(x);
    const double first = side ? side * dt : -dt, second = side ? 2 * side * dt : dt;
    copy_without_history(k->moved, x);
    shift(k->sys, x, first, k->moved);
    evaluate_all(k, k->moved, true, k->before);
    shift(k->sys, x, second, k->moved);
    evaluate_all(k, k->moved, true, k->after);
    for (int i = 0; i < k->sys->nprobe; rate += k->sys->probe[i]->ncomp, i++) {
        const gos_probe *p = k->sys->probe[i];
        const int at = i * GOS_PROBE_MAX;
        if (k->differs[i]) {
            gos__probe_unwrap(p, k->now + at, k->before + at);
            gos__probe_unwrap(p, k->now + at, k->after + at);
        }
        for (int c = 0; c < p->ncomp && k->differs[i]; c++) {
            const double one = k->before[at + c], two = k->after[at + c];
            rate[c] = side ? side * (4 * one - two - 3 * k->now[at + c]) / (2 * dt)
                           : (two - one) / (2 * dt);
        }
    }
}

void gos__sampler_read(gos_probe_sampler *k, const gos_state *x, double *value, double *rate) {
    gos__sampler_read_side(k, x, 0, value, rate);
}

void gos__sampler_read_side(gos_probe_sampler *k, const gos_state *x, int side, double *value,
                            double *rate) {
    if (k->sys->nprobe == 0) {
        return;
    }
    evaluate_all(k, x, false, k->now);
    for (int i = 0, at = 0; i < k->sys->nprobe; at += k->sys->probe[i]->ncomp, i++) {
        take_value(k->sys->probe[i], k->now + i * GOS_PROBE_MAX, value + at);
    }
    if (find_direct_rates(k, x, rate)) {
        find_differences(k, x, side, rate);
    }
}

gos_status gos_system_probe(gos_ctx *ctx, const gos_system *sys, const gos_state *state, int i,
                            double *value, double *rate) {
    if (i < 0 || i >= sys->nprobe) {
        return gos__fail(ctx, GOS_E_USE, "there is no probe %d", i);
    }
    gos_state *moved = NULL;
    if (rate) {
        GOS_TRY(gos_state_create(ctx, sys, &moved));
    }
    gos__probe_sample(sys, state, sys->probe[i], moved, value, rate);
    gos_state_destroy(moved);
    return GOS_OK;
}

int gos_system_probe_find(const gos_system *sys, const char *name) {
    for (int i = 0; i < sys->nprobe; i++) {
        if (strcmp(sys->probe[i]->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int gos_system_nprobes(const gos_system *sys) {
    return sys->nprobe;
}

void gos_system_probe_info(const gos_system *sys, int i, gos_probe_info *info) {
    const gos_probe *p = sys->probe[i];
    *info = (gos_probe_info){.name = p->name,
                             .quantity = p->quantity->name,
                             .unit = p->unit,
                             .ncomp = p->ncomp,
                             .components = p->components,
                             .undetermined = p->undetermined,
                             .rates = gos__probe_has_rates(p)};
}
