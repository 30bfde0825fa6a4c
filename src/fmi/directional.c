/* Directional derivatives. For a seed of states (dq, dv, dT) and inputs du, changes of
 * accelerations, temperature rates and multipliers solve
 *   [M C^T; C 0] (da, dlam) = (B du - K dq - D dv - G dT, 0),   C_T dT' = B_T du - K_T dT - H_q
 *   dq - H_v dv
 * with Newton's matrices; outputs are differentiated by central differences along this
 * direction. */
#include "fmi/instance.h"

#include <math.h>

#include "solve/consistent.h"
#include "system/derived.h"
#include "signals/ports.h"

#define DIFFERENCE_STEP 1e-5

typedef struct direction {
    gos_fmi *f;
    gos_work *w;
    gos_state *x, *there; // current state; workspace
    double *d;            // (dq, dv, dT) of the seed
    double *r;            // (n): right-hand side, then (da, dT', dlam, dlam_T)
    double *du;           // of all listed inputs
    double *plus, *minus, *unused;
} direction;

static gos_status allocate(direction *k) {
    const gos_system *s = k->f->sys;
    gos_ctx *ctx = k->f->ctx;
    const int ninput = gos__fmu_count(&k->f->list, GOS_FMU_INPUT);
    k->d = gos__zalloc(ctx, (size_t)(2 * s->nq + s->nt) + 1, sizeof *k->d);
    k->r = gos__zalloc(ctx, (size_t)s->n + 1, sizeof *k->r);
    k->du = gos__zalloc(ctx, ninput + 1L, sizeof *k->du);
    k->plus = gos__zalloc(ctx, k->f->nvalue + 1L, sizeof *k->plus);
    k->minus = gos__zalloc(ctx, k->f->nvalue + 1L, sizeof *k->minus);
    k->unused = gos__zalloc(ctx, k->f->nvalue + 1L, sizeof *k->unused);
    GOS_TRY(k->d && k->r && k->du && k->plus && k->minus && k->unused ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos_state_create(ctx, s, &k->x));
    return gos_state_create(ctx, s, &k->there);
}

static void release(direction *k) {
    gos_ctx *ctx = k->f->ctx;
    gos__free(ctx, k->d);
    gos__free(ctx, k->r);
    gos__free(ctx, k->du);
    gos__free(ctx, k->plus);
    gos__free(ctx, k->minus);
    gos__free(ctx, k->unused);
    gos_state_destroy(k->x);
    gos_state_destroy(k->there);
}

/* ---- the change of accelerations ------------------------------------------------------------- */

/* r -= column * u, rows of forces and heat */
static void subtract_column(direction *k, int column, double u) {
    const gos_system *s = k->f->sys;
    const gos_pattern *p = &s->pattern;
    if (!p->p) { // dense, column by column
        for (int i = 0; i < s->nstate; i++) {
            k->r[i] -= k->w->values[(size_t)column * s->n + i] * u;
        }
        return;
    }
    for (int e = p->p[column]; e < p->p[column + 1]; e++) {
        if (p->i[e] < s->nstate) {
            k->r[p->i[e]] -= k->w->values[e] * u;
        }
    }
}

static void subtract(direction *k, int column0, int n, const double *u) {
    for (int j = 0; j < n; j++) {
        if (u[j] != 0) {
            subtract_column(k, column0 + j, u[j]);
        }
    }
}

static gos_status add_inputs(direction *k, const gos_point_of *at) {
    const gos_system *s = k->f->sys;
    const int first = k->f->list.first[GOS_FMU_INPUT];
    double *force = gos__zalloc(k->f->ctx, 2 * (size_t)s->nq + s->nt + 1, sizeof *force);
    GOS_TRY(force ? GOS_OK : GOS_E_MEMORY);
    double *rest = force + s->nq, *heat = rest + s->nq;
    const gos_point_of entered = gos__derived_enter(k->w, at);
    gos__work_time(k->w, at->t);
    for (int i = 0; i < gos__fmu_count(&k->f->list, GOS_FMU_INPUT); i++) {
        const gos_input *in = &s->input[k->f->list.v[first + i].index];
        const bool acts = in->kind == GOS_INPUT_FORCE || in->kind == GOS_INPUT_HEAT;
        if (k->du[i] == 0 || !acts) { // prescribed motions do not contribute
            continue;
        }
        gos__input_column(k->w, &entered, in->fn, force, heat, rest);
        for (int j = 0; j < s->nq; j++) {
            k->r[s->at.q + j] += k->du[i] * force[j];
        }
        for (int j = 0; j < s->nt; j++) {
            k->r[s->at.th + j] += k->du[i] * heat[j];
        }
    }
    gos__free(k->f->ctx, force);
    return GOS_OK;
}

static gos_status solve(direction *k) {
    const gos_system *s = k->f->sys;
    const gos_state *x = k->x;
    gos_point_of at = gos__state_point(x, x->t);
    at.a = s->derived ? x->a : NULL; // the mass matrix depends on q
    gos__jacobian(k->w, &at, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    subtract(k, s->at.q, s->nq, k->d);
    subtract(k, s->at.th, s->nt, k->d + 2 * (size_t)s->nq);
    gos__jacobian(k->w, &at, &(gos_newton_factors){.d = 1, .cd = 1});
    subtract(k, s->at.q, s->nq, k->d + s->nq);
    GOS_TRY(add_inputs(k, &at));
    return gos__consistent_solve(k->f->ctx, k->w, &at, 1, k->r);
}

/* ---- the change of outputs ------------------------------------------------------------------- */

static double ratio(int n, const double *x, const double *d) {
    double size = 0, change = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
        change = fmax(change, fabs(d[i]));
    }
    return change > 0 ? fmax(size, 1) / change : HUGE_VAL;
}

static void move(const direction *k, double h, double *value) {
    const gos_system *s = k->f->sys;
    gos_state *y = k->there;
    const double *d = k->d, *r = k->r;
    (void)gos_state_copy(y, k->x);
    for (int i = 0; i < s->nq; i++) {
        y->q[i] += h * d[i];
        y->v[i] += h * d[s->nq + i];
        y->a[i] += h * r[s->at.q + i];
    }
    for (int i = 0; i < s->nt; i++) {
        y->th[i] += h * d[2 * s->nq + i];
        y->thd[i] += h * r[s->at.th + i];
    }
    for (int i = 0; i < s->nc; i++) {
        y->lam[i] += h * r[s->at.lam + i];
    }
    for (int i = 0; i < s->nh; i++) {
        y->lamT[i] += h * r[s->at.lamT + i];
    }
    gos__derived_refresh(y);
    gos__sampler_read(k->f->sampler, y, value, k->unused);
}

/* plus := derivatives of all probes along the direction */
static void differentiate(direction *k) {
    const gos_system *s = k->f->sys;
    const double *d = k->d, *r = k->r;
    double h = ratio(s->nq, k->x->q, d);
    h = fmin(h, ratio(s->nq, k->x->v, d + s->nq));
    h = fmin(h, ratio(s->nq, k->x->a, r + s->at.q));
    h = fmin(h, ratio(s->nt, k->x->th, d + 2 * (size_t)s->nq));
    h = fmin(h, ratio(s->nc, k->x->lam, r + s->at.lam));
    h = isfinite(h) ? DIFFERENCE_STEP * h : 1;
    move(k, h, k->plus);
    move(k, -h, k->minus);
    int at = 0;
    for (int i = 0; i < s->nprobe; i++) {
        gos__probe_unwrap(s->probe[i], k->minus + at, k->plus + at);
        at += s->probe[i]->ncomp;
    }
    for (int i = 0; i < k->f->nvalue; i++) {
        k->plus[i] = (k->plus[i] - k->minus[i]) / (2 * h);
    }
}

/* ---- interface ------------------------------------------------------------------------------- */

static gos_status plant(direction *k, const unsigned *known, size_t nk, const double *seed) {
    const gos_fmu_variables *list = &k->f->list;
    for (size_t i = 0; i < nk; i++) {
        const gos_fmu_variable *v = known[i] < (unsigned)list->n ? &list->v[known[i]] : NULL;
        if (!v || (v->role != GOS_FMU_INPUT && v->role != GOS_FMU_STATE) || !isfinite(seed[i])) {
            return gos__fmi_wrong(k->f,
                                  "derivatives are available with respect to inputs and states, "
                                  "not to variable %u%s%s",
                                  known[i], v ? ": " : "", v ? v->name : "");
        }
        double *to = v->role == GOS_FMU_INPUT
                         ? &k->du[known[i] - (unsigned)list->first[GOS_FMU_INPUT]]
                         : &k->d[v->index];
        *to += seed[i];
    }
    return GOS_OK;
}

static gos_status differences(const direction *k, const unsigned *unknown, size_t nu,
                              double *change) {
    const gos_system *s = k->f->sys;
    const gos_fmu_variables *list = &k->f->list;
    for (size_t i = 0; i < nu; i++) {
        const gos_fmu_variable *v = unknown[i] < (unsigned)list->n ? &list->v[unknown[i]] : NULL;
        if (!v || (v->role != GOS_FMU_OUTPUT && v->role != GOS_FMU_DERIVATIVE)) {
            return gos__fmi_wrong(k->f,
                                  "derivatives are available for outputs and state derivatives, "
                                  "not for variable %u%s%s",
                                  unknown[i], v ? ": " : "", v ? v->name : "");
        }
        const int j = v->index, nq = s->nq;
        change[i] = v->role == GOS_FMU_OUTPUT ? k->plus[j]
                    : j < nq                  ? k->d[nq + j]
                    : j < 2 * nq              ? k->r[s->at.q + j - nq]
                                              : k->r[s->at.th + j - 2 * nq];
    }
    return GOS_OK;
}

static gos_status start_point(direction *k) {
    gos_fmi *f = k->f;
    if (f->kind == GOS_FMU_MODEL_EXCHANGE) {
        GOS_TRY(gos__fmi_evaluate(f));
        GOS_TRY(gos_state_copy(k->x, f->x));
    } else {
        GOS_TRY(gos_state_copy(k->x, f->x));
        GOS_TRY(gos__fmi_give_inputs(f, k->x, 0));
    }
    k->w->sets = -1;
    gos__work_hold(k->w, k->x);
    return f->kind == GOS_FMU_MODEL_EXCHANGE ? GOS_OK
                                             : gos__consistent(f->ctx, k->w, k->x, k->x->t);
}

gos_status gos__fmi_directional(gos_fmi *f, const unsigned *unknown, size_t nu,
                                const unsigned *known, size_t nk, const double *seed,
                                double *change) {
    GOS_TRY(gos__fmi_begin(f));
    if (f->sys->stepper) {
        return gos__fmi_wrong(f, "a model of method %s has no directional derivatives",
                              f->sys->reduction.type->name);
    }
    direction k = {.f = f, .w = f->work};
    gos_status status = allocate(&k);
    status = status == GOS_OK ? plant(&k, known, nk, seed) : status;
    status = status == GOS_OK ? start_point(&k) : status;
    status = status == GOS_OK ? solve(&k) : status;
    if (status == GOS_OK) {
        differentiate(&k);
        status = differences(&k, unknown, nu, change);
    }
    release(&k);
    return status;
}
