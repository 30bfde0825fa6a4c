/* Newton iteration for the stages of Radau IIA. With
 *     h v_i = sum D_ij (q_j - q_0),   h a_i = sum D_ij (v_j - v_0)
 * the unknowns are those of the system, three times, and with D = T L T^-1 a correction needs one
 * real and one complex solution (Hairer and Wanner IV.8). */
#include <math.h>

#include "steppers/alpha/generalised_alpha.h"
#include "steppers/radau/radau.h"
#include "system/assemble.h"

enum { N = GOS_RADAU_STAGES };

#define MIDDLE 1 // stage at which the matrices are assembled
#define AGED 0.1 // contraction above which the next step reassembles the matrices
// contraction at rounding level, if below the allowed error of a step
#define STAGNATION_RATIO 0.5
#define MAX_CONTRACTION 0.9 // contraction above which the iteration is abandoned

double gos__radau_time(const gos_radau *g, double t, double t1) {
    return t >= t1         ? gos__breaks_left(&g->breaks, t1)
           : t <= g->x0->t ? gos__breaks_right(&g->breaks, g->x0->t)
                           : t;
}

gos_point_of gos__radau_point(const gos_radau *g, int i, double h, double t1) {
    const gos_system *s = g->sys;
    const gos_radau_stage *k = &g->stage[i];
    const double t = i == N - 1 ? t1 : g->x0->t + g->k.c[i] * h;
    return (gos_point_of){.t = gos__radau_time(g, t, t1),
                          .scale = 1,
                          .q = k->y,
                          .v = k->v,
                          .a = k->a,
                          .th = k->y + s->at.th,
                          .thd = k->thd,
                          .lam = k->y + s->at.lam,
                          .lamT = k->y + s->at.lamT,
                          .mem = g->x0->mem};
}

/* out (n) := factor times weighted sum of x (stages, stride). */
static void combine(const double weight[N], const double *x, size_t stride, int n, double factor,
                    double *out) {
    const double a = factor * weight[0], b = factor * weight[1], c = factor * weight[2];
    for (int i = 0; i < n; i++) {
        out[i] = a * x[i] + b * x[stride + i] + c * x[2 * stride + i];
    }
}

static void set_stages(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const gos_state *x0 = g->x0;
    const size_t n = (size_t)s->n;
    for (int i = 0; i < N; i++) {
        gos_radau_stage *k = &g->stage[i];
        const double *z = g->z + i * n;
        for (int j = 0; j < s->nq; j++) {
            k->y[j] = x0->q[j] + z[j];
        }
        for (int j = 0; j < s->nt; j++) {
            k->y[s->at.th + j] = x0->th[j] + z[s->at.th + j];
        }
        memcpy(k->y + s->at.lam, z + s->at.lam, (size_t)(s->nc + s->nh) * sizeof *z);
        combine(g->k.D[i], g->z, n, s->nq, 1 / h, k->v);
        combine(g->k.D[i], g->z + s->at.th, n, s->nt, 1 / h, k->thd);
    }
    for (int i = 0; i < N && !g->quasi; i++) {
        const double *D = g->k.D[i];
        double *a = g->stage[i].a;
        for (int j = 0; j < s->nq; j++) {
            const double v0 = x0->v[j];
            a[j] = (D[0] * (g->stage[0].v[j] - v0) + D[1] * (g->stage[1].v[j] - v0) +
                    D[2] * (g->stage[2].v[j] - v0)) /
                   h;
        }
    }
}

/* Extrapolates stage velocities by the last step's polynomial, or with initial accelerations;
 * integrates positions. */
static void predict_motion(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const gos_radau_past *p = &g->past;
    const size_t n = (size_t)s->n;
    double at_end[N], w[N];
    gos__radau_cubics(&g->k, 1, at_end);
    for (int i = 0; i < N; i++) {
        double *dv = g->stage[i].v; // increments from the start
        if (p->h > 0) {
            gos__radau_cubics(&g->k, 1 + g->k.c[i] * h / p->h, w);
            for (int j = 0; j < N; j++) {
                w[j] -= at_end[j];
            }
            combine(w, p->velocity, (size_t)s->nq, s->nq, 1, dv);
        } else {
            for (int j = 0; j < s->nq; j++) {
                dv[j] = g->k.c[i] * h * g->x0->a[j];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        const double *A = g->k.A[i];
        for (int j = 0; j < s->nq; j++) {
            g->z[i * n + j] = h * (g->k.c[i] * g->x0->v[j] + A[0] * g->stage[0].v[j] +
                                   A[1] * g->stage[1].v[j] + A[2] * g->stage[2].v[j]);
        }
    }
}

/* Quasi-static: extrapolates positions likewise, or with initial velocities. */
static void predict_places(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const gos_radau_past *p = &g->past;
    const size_t n = (size_t)s->n;
    double at_end[N], w[N];
    gos__radau_cubics(&g->k, 1, at_end);
    for (int i = 0; i < N; i++) {
        double *z = g->z + i * n;
        for (int j = 0; j < s->nq && !(p->h > 0); j++) {
            z[j] = g->k.c[i] * h * g->x0->v[j];
        }
        if (p->h > 0) {
            gos__radau_cubics(&g->k, 1 + g->k.c[i] * h / p->h, w);
            for (int j = 0; j < N; j++) {
                w[j] -= at_end[j];
            }
            combine(w, p->velocity, (size_t)s->nq, s->nq, 1, z);
        }
    }
}

static void predict_rest(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const gos_radau_past *p = &g->past;
    const size_t n = (size_t)s->n, rest = n - (size_t)s->nq;
    double at_end[N], w[N];
    gos__radau_cubics(&g->k, 1, at_end);
    for (int i = 0; i < N; i++) {
        double *z = g->z + i * n + s->at.th;
        if (!(p->h > 0)) {
            for (int j = 0; j < s->nt; j++) {
                z[j] = g->k.c[i] * h * g->x0->thd[j];
            }
            memcpy(z + s->nt, g->x0->lam, (size_t)s->nc * sizeof *z);
            memcpy(z + s->nt + s->nc, g->x0->lamT, (size_t)s->nh * sizeof *z);
            continue;
        }
        gos__radau_cubics(&g->k, 1 + g->k.c[i] * h / p->h, w);
        for (int j = 0; j < N; j++) {
            w[j] -= at_end[j];
        }
        combine(w, p->unknowns, rest, s->nt, 1, z);
        gos__radau_values(&g->k, 1 + g->k.c[i] * h / p->h, w);
        combine(w, p->unknowns + s->nt, rest, s->nc + s->nh, 1, z + s->nt);
    }
}

static gos_status factor(gos_radau *g, double h, bool anew) {
    const double t0 = gos__now();
    bool kept;
    const gos_status status = gos__radau_matrix_factor(&g->matrix, &g->k, h, anew, &kept);
    g->stats.time_factor += gos__now() - t0;
    g->stats.factorisations += 2;
    g->past.has_factor = status == GOS_OK;
    g->past.factor_h = h;
    if (!kept) {
        memcpy(g->past.pivots, g->past.place, gos__location_size(g->sys) * sizeof *g->past.place);
        g->past.pivots[1] = h;
    }
    return status;
}

static void set_rotation(gos_radau *g, const double *q) {
    for (int i = 0; i < N && !g->quasi; i++) {
        gos__corotation_set(g->turned[i], q);
    }
}

/* Rotates to the predicted stages. Without it, a rotation by p in a step multiplies the error of
 * Newton's iteration by p times the product of step and highest frequency.
 * Returns whether the matrices are still usable. */
static bool rotate_stages(gos_radau *g) {
    bool serves = true;
    for (int i = 0; i < N && !g->quasi; i++) {
        gos__corotation_turn(g->turned[i], g->stage[i].y);
        serves = serves && !gos__corotation_far(g->turned[i]);
    }
    return serves;
}

/* Assembles and factorises at the predicted middle stage. */
static gos_status refresh(gos_radau *g, double h, double t1) {
    const gos_point_of at = gos__radau_point(g, MIDDLE, h, t1);
    gos__radau_matrix_assemble(&g->matrix, g->w, &at);
    gos__location_write(g->w, &at, h, g->past.place);
    set_rotation(g, at.q);
    (void)rotate_stages(g);
    g->stats.jacobians++;
    g->past.stale = false;
    g->refreshed = true;
    return factor(g, h, false);
}

gos_status gos__radau_factor_again(gos_radau *g) {
    const gos_statistics stats = g->stats;
    const double last = g->past.factor_h;
    gos_point_of at = gos__location_read(g->past.pivots, g->w, g->at);
    bool kept;
    gos__radau_matrix_assemble(&g->matrix, g->w, &at);
    gos_status status = gos__radau_matrix_factor(&g->matrix, &g->k, g->past.pivots[1], true, &kept);
    if (status == GOS_OK) {
        at = gos__location_read(g->past.place, g->w, g->at);
        set_rotation(g, at.q);
        gos__radau_matrix_assemble(&g->matrix, g->w, &at);
        status = factor(g, last, false);
    }
    g->w->t = (double)NAN; // time functions in w belong to `place`
    g->stats = stats;
    return status == GOS_RETRY
               ? gos__fail(g->ctx, GOS_E_INPUT,
                           "the stored history of the run has a singular matrix at t = %g s", at.t)
               : status;
}

static gos_status residuals(gos_radau *g, double h, double t1) {
    const gos_system *s = g->sys;
    for (int i = 0; i < N; i++) {
        double *r = g->r + (size_t)i * (size_t)s->n;
        const gos_point_of at = gos__radau_point(g, i, h, t1);
        const gos_residual out = {
            .q = r, .th = r + s->at.th, .c = g->quasi ? r + s->at.lam : NULL, .h = r + s->at.lamT};
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
        if (!g->quasi) {
            gos__stabilised_rows(g->w, &at, g->none, r + s->at.lam, g->scratch);
        }
    }
    return GOS_OK;
}

static double product(const double row[N], double x, double y, double z) {
    return row[0] * x + row[1] * y + row[2] * z;
}

static gos_status correct(gos_radau *g) {
    const size_t n = (size_t)g->sys->n;
    const gos_radau_tableau *k = &g->k;
    double *a = g->r, *b = a + n, *c = b + n;
    const double t0 = gos__now();
    for (int i = 0; i < N && !g->quasi; i++) {
        gos__corotation_back(g->turned[i], g->r + (size_t)i * n);
    }
    for (size_t i = 0; i < n; i++) {
        const double x = -a[i], y = -b[i], z = -c[i];
        a[i] = product(k->T_inverse[0], x, y, z);
        g->u[i] =
            gos__complex(product(k->T_inverse[1], x, y, z), -product(k->T_inverse[2], x, y, z));
    }
    gos__solver_solve(g->matrix.solver, a);
    GOS_TRY(gos__radau_matrix_solve_pair(&g->matrix, g->u));
    const double *u = (const double *)g->u;
    for (size_t i = 0; i < n; i++) {
        const double x = a[i], y = u[2 * i], z = -u[2 * i + 1];
        a[i] = product(k->T[0], x, y, z);
        b[i] = product(k->T[1], x, y, z);
        c[i] = product(k->T[2], x, y, z);
    }
    for (int i = 0; i < N && !g->quasi; i++) {
        gos__corotation_forth(g->turned[i], g->r + (size_t)i * n);
    }
    g->stats.time_solve += gos__now() - t0;
    return GOS_OK;
}

/* Largest norm of the corrections in g->r. */
static double size_of(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const size_t n = (size_t)s->n;
    double most = 0;
    for (int i = 0; i < N; i++) {
        combine(g->k.D[i], g->r, n, s->nq, 1 / h, g->scratch);
        const double size = gos__radau_norm(g, g->r + i * n, g->scratch, g->r + i * n + s->at.th);
        most = !(size <= most) ? size : most;
    }
    return most;
}

/* Equilibrates each quasi-static stage with a matrix of its own. */
static gos_status balance(gos_radau *g, double h, double t1, double enough) {
    for (int i = 0; i < N; i++) {
        GOS_TRY(gos__quasi_static_balance(g, i, h, t1, enough));
    }
    set_stages(g, h);
    return GOS_OK;
}

/* Keeps only the heat part of the corrections. */
static void keep_places(gos_radau *g) {
    const gos_system *s = g->sys;
    for (int i = 0; i < N; i++) {
        double *r = g->r + (size_t)i * (size_t)s->n;
        memset(r, 0, (size_t)s->nq * sizeof *r);
        memset(r + s->at.lam, 0, (size_t)s->nc * sizeof *r);
    }
}

static gos_status iterate(gos_radau *g, double h, double t1) {
    const bool apart = g->quasi && g->quasi->apart;
    const int first = apart ? 1 : 0; // first iteration with all corrections
    const double allowed = g->opt.newton_tolerance * gos__radau_allowed(g, h);
    const size_t all = N * (size_t)g->sys->n;
    double last = 0;
    for (int k = 0; k < g->opt.max_iterations; k++) {
        GOS_TRY(apart && k > 0 ? balance(g, h, t1, allowed) : GOS_OK);
        GOS_TRY(residuals(g, h, t1));
        GOS_TRY(correct(g));
        if (k < first) {
            keep_places(g);
        }
        const double size = size_of(g, h);
        g->stats.iterations++;
        g->iterations = k + 1;
        if (!isfinite(size)) {
            return GOS_RETRY;
        }
        for (size_t i = 0; i < all; i++) {
            g->z[i] += g->r[i];
        }
        set_stages(g, h);
        const double part = k > first ? size / last : 0;
        g->contraction = k > first ? fmax(part, k > first + 1 ? g->contraction * 0.5 : 0) : 0;
        const bool stuck =
            k > first + 1 && part > STAGNATION_RATIO && size <= allowed / g->opt.newton_tolerance;
        if (k >= first && (size <= allowed || stuck ||
                           (k > first && part < 1 && size * part / (1 - part) <= allowed))) {
            return apart ? balance(g, h, t1, allowed) : GOS_OK;
        }
        const int left = g->opt.max_iterations - 1 - k;
        if (k > first &&
            (part > MAX_CONTRACTION || size * pow(part, left) > allowed * (1 - part))) {
            return GOS_RETRY;
        }
        last = size;
    }
    return GOS_RETRY;
}

static gos_status attempt(gos_radau *g, double h, double t1, bool anew) {
    if (g->quasi) {
        predict_places(g, h);
    } else {
        predict_motion(g, h);
    }
    predict_rest(g, h);
    set_stages(g, h);
    if (anew || !rotate_stages(g)) {
        GOS_TRY(refresh(g, h, t1));
    } else if (g->past.factor_h != h) {
        GOS_TRY(factor(g, h, false));
    }
    return iterate(g, h, t1);
}

gos_status gos__radau_solve(gos_radau *g, double h, double t1) {
    const bool anew = g->past.stale || !g->past.has_factor;
    g->refreshed = false;
    gos_status status = attempt(g, h, t1, anew);
    if (status == GOS_RETRY && !anew) {
        status = attempt(g, h, t1, true);
    }
    if (status == GOS_RETRY && g->quasi && !g->quasi->apart) {
        g->quasi->apart = true;
        status = attempt(g, h, t1, false);
    }
    g->past.stale = status == GOS_OK ? g->contraction > AGED : !g->refreshed;
    return status;
}

gos_status gos__radau_powers(gos_radau *g, double h, double t1) {
    for (int i = 0; i < N; i++) {
        const gos_point_of at = gos__radau_point(g, i, h, t1);
        const gos_residual out = gos__residual_of(g->sys, g->r);
        double *power = g->stage[i].power;
        GOS_TRY(gos__residual(g->w, &at, &out, &g->sums));
        power[GOS_RADAU_DISSIPATED] = g->sums.dissipated;
        power[GOS_RADAU_WORK] = g->sums.work;
        power[GOS_RADAU_THERMAL] = g->sums.thermal;
        power[GOS_RADAU_HEAT_IN] = g->sums.heat_in;
        power[GOS_RADAU_HEAT_CON] = g->sums.heat_con;
    }
    return GOS_OK;
}
