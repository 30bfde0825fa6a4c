/* Stepper interface of Radau IIA: creation, history. */
#include <math.h>

#include "solve/initial_state.h"
#include "steppers/alpha/generalised_alpha.h"
#include "steppers/radau/radau.h"
#include "solve/consistent.h"

/* Dense output of the last step. Positions: quintic with positions and velocities at both ends,
 * and accelerations; after a restart the initial acceleration is that of the stage polynomial,
 * because of fast transients. Velocities and accelerations are its derivatives. Temperatures:
 * stage polynomial; multipliers: likewise without the start. */

enum { N = GOS_RADAU_STAGES };

/* Quintic Hermite basis on a unit step: velocity and acceleration at the start, increment,
 * velocity and acceleration at the end; ascending powers. */
enum { FIVE = 5 };
static const double hermite[FIVE][FIVE + 1] = {{0, 1, 0, -6, 8, -3},
                                               {0, 0, 0.5, -1.5, 1.5, -0.5},
                                               {0, 0, 0, 10, -15, 6},
                                               {0, 0, 0, -4, 7, -3},
                                               {0, 0, 0, 0.5, -1, 0.5}};

/* k-th derivatives of the basis at s */
static void weigh(double s, int k, double w[FIVE]) {
    for (int i = 0; i < FIVE; i++) {
        w[i] = 0;
        for (int power = FIVE; power >= k; power--) {
            double c = hermite[i][power];
            for (int d = 0; d < k; d++) {
                c *= power - d;
            }
            w[i] = w[i] * s + c;
        }
    }
}

static double along(const double w[FIVE], const double p[FIVE]) {
    return w[0] * p[0] + w[1] * p[1] + w[2] * p[2] + w[3] * p[3] + w[4] * p[4];
}

static void set_motion(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_state *x0 = g->x0, *x = g->x;
    const double *start = g->k.start, *end = g->k.D[N - 1];
    double w[3][FIVE];
    for (int d = 0; d < 3; d++) {
        weigh(s, d, w[d]);
    }
    for (int i = 0; i < g->sys->nq; i++) {
        double a0 = 0, a1 = 0;
        for (int j = 0; j < N; j++) {
            const double dv = g->stage[j].v[i] - x0->v[i];
            a0 += g->anew ? start[j] * dv : 0;
            a1 += end[j] * dv;
        }
        a0 = g->anew ? a0 : h * x0->a[i];
        const double p[FIVE] = {h * x0->v[i], h * a0, x->q[i] - x0->q[i], h * x->v[i], h * a1};
        y->q[i] = x0->q[i] + along(w[0], p);
        y->v[i] = along(w[1], p) / h;
        y->a[i] = along(w[2], p) / (h * h);
    }
}

static void set_quasi_static(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_state *x0 = g->x0, *x = g->x;
    const size_t n = (size_t)g->sys->n;
    double cubic[N], slope[N], first[N], last[N];
    gos__radau_cubics(&g->k, s, cubic);
    gos__radau_slopes(&g->k, s, slope);
    gos__radau_slopes(&g->k, 0, first);
    gos__radau_slopes(&g->k, 1, last);
    for (int i = 0; i < g->sys->nq; i++) {
        const double *z = g->z + i, z1 = z[n], z2 = z[2 * n], v0 = x0->v[i], v1 = x->v[i];
        const double open0 = v0 - (first[0] * z[0] + first[1] * z1 + first[2] * z2) / h;
        const double open1 = v1 - (last[0] * z[0] + last[1] * z1 + last[2] * z2) / h;
        y->q[i] = x0->q[i] + cubic[0] * z[0] + cubic[1] * z1 + cubic[2] * z2;
        // the velocity errors of the polynomial at both ends are corrected linearly
        y->v[i] =
            (slope[0] * z[0] + slope[1] * z1 + slope[2] * z2) / h + (1 - s) * open0 + s * open1;
        y->a[i] =
            ((12 * s - 6) * (x0->q[i] - x->q[i]) / h + (6 * s - 4) * v0 + (6 * s - 2) * v1) / h;
    }
}

static void set_rest(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_system *sys = g->sys;
    const size_t n = (size_t)sys->n;
    double cubic[N], slope[N], value[N];
    gos__radau_cubics(&g->k, s, cubic);
    gos__radau_slopes(&g->k, s, slope);
    gos__radau_values(&g->k, s, value);
    for (int i = 0; i < sys->nt; i++) {
        const double *z = g->z + sys->at.th + i;
        y->th[i] = g->x0->th[i] + cubic[0] * z[0] + cubic[1] * z[n] + cubic[2] * z[2 * n];
        y->thd[i] = (slope[0] * z[0] + slope[1] * z[n] + slope[2] * z[2 * n]) / h;
    }
    for (int i = 0; i < sys->nc + sys->nh; i++) {
        const double *z = g->z + sys->at.lam + i;
        const double lam = value[0] * z[0] + value[1] * z[n] + value[2] * z[2 * n];
        if (i < sys->nc) {
            y->lam[i] = lam;
        } else {
            y->lamT[i - sys->nc] = lam;
        }
    }
}

void gos__radau_integrals_to(const gos_radau *g, double x, double *integral) {
    double w[N];
    gos__radau_integrals(&g->k, x, w);
    for (int i = 0; i < GOS_RADAU_NINTEGRAL; i++) {
        integral[i] = 0;
        for (int j = 0; j < N; j++) {
            integral[i] += g->past.h * w[j] * g->stage[j].power[i];
        }
    }
}

static void set_integrals(const gos_radau *g, double s, gos_state *y) {
    const gos_state *x0 = g->x0;
    double now[GOS_RADAU_NINTEGRAL];
    gos__radau_integrals_to(g, s, now);
    y->energy.dissipated = x0->energy.dissipated + now[GOS_RADAU_DISSIPATED];
    y->energy.work = x0->energy.work + now[GOS_RADAU_WORK];
    y->energy.thermal_work = x0->energy.thermal_work + now[GOS_RADAU_THERMAL];
    y->heat_supplied = x0->heat_supplied + now[GOS_RADAU_HEAT_IN];
    y->heat_constrained = x0->heat_constrained + now[GOS_RADAU_HEAT_CON];
    gos__integrator_store_heat(&g->run, y);
}

static void interpolate(void *method, double t) {
    gos_radau *g = method;
    gos_state *y = g->at;
    const double h = g->x->t - g->x0->t, s = (t - g->x0->t) / h;
    memcpy(y->mem, g->x0->mem, g->sys->nmem * sizeof *y->mem); // as used by the step
    if (g->quasi) {
        set_quasi_static(g, h, s, y);
    } else {
        set_motion(g, h, s, y);
    }
    set_rest(g, h, s, y);
    y->t = t;
    set_integrals(g, s, y);
}

static void energies(void *method) {
    gos_radau *g = method;
    if (g->at->t < g->x->t) {
        gos__integrator_sum_up(&g->run, g->at->t, g->at, g->r);
    }
}

static gos_status check(void *method) {
    const gos_radau *g = method;
    return g->opt.max_iterations > 1
               ? GOS_OK
               : gos__fail(g->ctx, GOS_E_USE, "radau requires max_iterations of at least 2");
}

static double *part(double **next, size_t n) {
    double *x = *next;
    *next += n + (n & 1); // align complex numbers to even offsets
    return x;
}

static gos_status make_block(gos_radau *g) {
    const gos_system *s = g->sys;
    const size_t n = (size_t)s->n, nq = (size_t)s->nq, nt = (size_t)s->nt, nc = (size_t)s->nc;
    const size_t place = gos__location_size(s);
    const size_t size = N * (n + 2 * nq + nt) + N * n + 4 * n + 2 * n + nc + (n + 2 * nq + nt) +
                        N * n + 2 * place + 32;
    double *next = g->block = gos__zalloc(g->ctx, size, sizeof *g->block);
    if (!next) {
        return GOS_E_MEMORY;
    }
    g->u = (gos_complex *)(void *)part(&next, 2 * n);
    for (int i = 0; i < N; i++) {
        g->stage[i].y = part(&next, n);
        g->stage[i].v = part(&next, nq);
        g->stage[i].a = part(&next, nq);
        g->stage[i].thd = part(&next, nt);
    }
    g->z = part(&next, N * n);
    g->r = part(&next, 4 * n);
    g->none = part(&next, nc);
    g->scratch = part(&next, n + 2 * nq + nt);
    g->past.velocity = part(&next, N * nq);
    g->past.unknowns = part(&next, N * (n - nq));
    g->past.place = part(&next, place);
    g->past.pivots = part(&next, place);
    return GOS_OK;
}

static gos_status allocate(void *method) {
    gos_radau *g = method;
    const bool quasi = g->opt.motion == GOS_MOTION_QUASI_STATIC;
    g->matrix.ctx = g->ctx;
    gos__radau_tableau(&g->k);
    GOS_TRY(gos__radau_matrix_make(g->ctx, g->w, &g->matrix));
    GOS_TRY(make_block(g));
    for (int i = 0; i < N && !quasi; i++) {
        GOS_TRY(gos__corotation_create(g->ctx, g->sys, &g->turned[i]));
    }
    return quasi ? gos__quasi_static_make(g) : GOS_OK;
}

static void release(void *method) {
    gos_radau *g = method;
    gos__radau_matrix_free(&g->matrix);
    for (int i = 0; i < N; i++) {
        gos__corotation_destroy(g->turned[i]);
    }
    gos__quasi_static_free(g->ctx, g->quasi);
    gos__free(g->ctx, g->block);
}

static gos_status track_errors(void *method) {
    ((gos_radau *)method)->reports = true;
    return GOS_OK;
}

static void walk_past(gos_radau *g, gos_walk *w) {
    const gos_system *s = g->sys;
    gos_radau_past *p = &g->past;
    gos__walk(w, &p->h, 1);
    gos__walk(w, &p->scale, 1);
    gos__walk(w, &p->factor_h, 1);
    gos__walk_bool(w, &p->stale);
    gos__walk_bool(w, &p->has_factor);
    gos__walk(w, p->velocity, N * (size_t)s->nq);
    gos__walk(w, p->unknowns, N * (size_t)(s->n - s->nq));
    gos__walk(w, p->place, gos__location_size(s));
    gos__walk(w, p->pivots, gos__location_size(s));
}

static gos_status save(void *method, gos_walk *w) {
    gos_radau *g = method;
    const gos_radau_past *p = &g->past;
    walk_past(g, w);
    if (g->quasi) {
        gos__quasi_static_walk(g->sys, g->quasi, w);
    }
    if (!w->takes) {
        return GOS_OK;
    }
    w->bad = w->bad || !(g->x->h > 0) || !(g->x->h_next > 0) || !(p->h >= 0) || !(p->scale >= 0) ||
             (p->has_factor && !(p->pivots[1] > 0 && p->factor_h > 0));
    g->w->massless = g->quasi != NULL;
    return w->bad || !p->has_factor ? GOS_OK : gos__radau_factor_again(g);
}

static gos_status start(void *method) {
    gos_radau *g = method;
    GOS_TRY(g->quasi ? gos__quasi_static_begin(g) : GOS_OK);
    GOS_TRY(gos__initial_state(g->ctx, g->w, g->x, gos__breaks_first(&g->breaks, g->x->t)));
    return gos__radau_start(g);
}

static gos_status end(void *method, gos_stop_kind kind, bool last) {
    const gos_radau *g = method;
    GOS_UNUSED(kind);
    if (last && g->quasi) {
        gos__quasi_static_report(g);
    }
    return GOS_OK;
}

static const char layout[] =
#define X(name, doc) #name ","
    "radau: h,scale,factor_h,stale,has_factor,velocity,unknowns,place,"
    "pivots," GOS_QUASI_STATIC_NUMBERS(X) "apart,reported,before";
#undef X

const gos_stepper gos__integrator_radau = {
    .is = {.keys = "", .order = 5, .heat_rates = true, .quasi_static = true},
    .layout = layout,
    .size = sizeof(gos_radau),
    .least = 1e-12,
    .ninside = 2,
    .check = check,
    .allocate = allocate,
    .release = release,
    .start = start,
    .sliver = 1e-6,
    .begin = gos__radau_begin,
    .plan = gos__radau_plan,
    .attempt = gos__radau_attempt,
    .error = gos__radau_error,
    .shorten = gos__radau_shorten,
    .give_up = gos__radau_give_up,
    .accept = gos__radau_accept,
    .end = end,
    .undo = gos__radau_undo,
    .interpolate = interpolate,
    .energies = energies,
    .track_errors = track_errors,
    .save = save};
