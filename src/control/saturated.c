#include "control/saturated.h"

#include <cblas.h>
#include <math.h>

enum {
    POINTS = 8,               // samples per step
    EIGHTH = 3,               // halvings from step to sample distance
    HALVED = 14,              // most halvings of a step
    LEVELS = HALVED + EIGHTH, // the last one uses a series
    TERMS = 30,               // most terms of the series
    ROUNDS = 40               // iterations for saturated commands
};

/* A step of length h: X(h) = E X(0) + W w + sum_k P_k d_k for an excess (clipped part) d_0 + d_1
   t/h + d_2 (t/h)^2; rows of samples (commands, then z without direct excess) at its eighths */
typedef struct level {
    double h;
    double *E;    // (n, n)
    double *W;    // (n)
    double *P[3]; // (n, nu), NULL until saturation occurs
    double *rows; // (POINTS nr, n)
    double *rows_w;
    double *rows_p[3]; // (POINTS nr, nu), of excess values at beginning, middle and end
} level;

typedef struct runner {
    gos_ctx *ctx;
    const gos_loop *l;
    const gos_saturated_options *o;
    int n, nu, nr;
    gos_arena *arena; // owns the levels
    double *A, *R;    // unsaturated loop (n, n), (nr, n)
    level level[LEVELS + 1];
    double *x, *y; // state, next state
    double *now;   // (nr) at the current state
    double *seen;  // (HALVED + 1, POINTS nr) of pending steps
    double *share; // excess (3 nu) at beginning, middle, end of a step
    double *z;     // (nz)
    double h, t, w;
    gos_saturated_response response;
    double sum, duration, clipped;
} runner;

/* C (m, n) += alpha A (m, k) B (k, n) */
static void add_product(int m, int n, int k, double alpha, const double *A, int lda,
                        const double *B, double *C, int ldc) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, A, lda, B, k, 1, C, ldc);
}

static void add_vector(int m, int n, const double *A, const double *x, double *y) {
    if (m > 0 && n > 0) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, 1, A, m, x, 1, 1, y, 1);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* integral of e^(A (h - s)) (s / h)^k B: sum of A^i B / ((i + 1) .. (i + k + 1)) h^(i + 1) k!, of
   columns B */
static gos_status series(runner *r, int k, double h, int columns, const double *B, double *P) {
    const size_t size = (size_t)r->n * columns;
    double *term = gos__alloc(r->ctx, 2 * size + 1, sizeof *term);
    if (!term) {
        return GOS_E_MEMORY;
    }
    double *next = term + size;
    for (size_t e = 0; e < size; e++) {
        term[e] = P[e] = B[e] * h / (k + 1);
    }
    for (int i = 1; i < TERMS; i++) {
        memset(next, 0, size * sizeof *next);
        add_product(r->n, columns, r->n, h / (i + k + 1), r->A, r->n, term, next, r->n);
        double max = 0;
        for (size_t e = 0; e < size; e++) {
            term[e] = next[e];
            P[e] += next[e];
            max = fmax(max, fabs(next[e]));
        }
        if (max < 1e-300) {
            break;
        }
    }
    gos__free(r->ctx, term);
    return GOS_OK;
}

/* e^(A h) by squaring, from the series of a smaller step */
static gos_status finest(runner *r, level *f) {
    const long n = r->n;
    double norm = 0;
    for (long j = 0; j < n; j++) {
        norm = fmax(norm, cblas_dasum((int)n, r->A + j * n, 1));
    }
    if (!(norm * f->h < 1)) {
        return gos__fail(r->ctx, GOS_E_LIMIT,
                         "the loop is too fast (%.3g 1/s) for time steps of %.3g s", norm, r->h);
    }
    // e^(A h) = 1 + A integral of e^(A s): integrate unit columns
    double *unit = gos__zalloc(r->ctx, 2 * n * n + 1, sizeof *unit);
    if (!unit) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < n; i++) {
        unit[i * (n + 1)] = f->E[i * (n + 1)] = 1;
    }
    const gos_status status = series(r, 0, f->h, (int)n, unit, unit + n * n);
    if (status == GOS_OK) {
        add_product((int)n, (int)n, (int)n, 1, r->A, (int)n, unit + n * n, f->E, (int)n);
    }
    gos__free(r->ctx, unit);
    return status;
}

static bool give(runner *r, double **p, size_t n) {
    *p = gos__arena_alloc(r->arena, n + 1, sizeof **p);
    return *p != NULL;
}

/* by squaring from the finest level, with the effect of a constant disturbance */
static gos_status make_levels(runner *r, double h) {
    const size_t n = r->n;
    gos__arena_destroy(r->arena);
    r->arena = gos__arena_create(r->ctx);
    if (!r->arena) {
        return GOS_E_MEMORY;
    }
    r->h = h;
    for (int k = LEVELS; k >= 0; k--) {
        level *v = &r->level[k];
        *v = (level){.h = ldexp(h, -k)};
        if (!give(r, &v->E, n * n) || !give(r, &v->W, n)) {
            return GOS_E_MEMORY;
        }
        if (k == LEVELS) {
            GOS_TRY(finest(r, v));
            GOS_TRY(series(r, 0, v->h, 1, r->l->E, v->W));
            continue;
        }
        const level *half = v + 1;
        add_product(r->n, r->n, r->n, 1, half->E, r->n, half->E, v->E, r->n);
        memcpy(v->W, half->W, n * sizeof *v->W);
        add_vector(r->n, r->n, half->E, half->W, v->W);
    }
    return GOS_OK;
}

/* sample rows of state and disturbance */
static gos_status make_rows(runner *r, int k) {
    level *v = &r->level[k];
    const level *eighth = v + EIGHTH;
    const int n = r->n, nr = r->nr, all = POINTS * nr;
    if (v->rows) {
        return GOS_OK;
    }
    if (!give(r, &v->rows_w, all) || !give(r, &v->rows, (size_t)all * n)) {
        v->rows = NULL;
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < POINTS; j++) {
        double *mine = v->rows + (size_t)j * nr, *w = v->rows_w + (size_t)j * nr;
        const double *before = j > 0 ? mine - nr : r->R;
        const int ld = j > 0 ? all : nr;
        add_product(nr, n, n, 1, before, ld, eighth->E, mine, all);
        add_product(nr, 1, n, 1, before, ld, eighth->W, w, nr);
        for (int i = 0; i < nr && j > 0; i++) {
            w[i] += w[i - nr];
        }
    }
    return GOS_OK;
}

static const double binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};

/* integrals of powers over a then b: to (m, nu) += ... with EPa, those over a propagated through
   b, and Pb */
static void compose(double a, double b, int k, size_t size, const double *EPa, double *const Pb[3],
                    double *to) {
    const double T = a + b, first = pow(a / T, k);
    double second[3];
    for (int i = 0; i <= k; i++) {
        second[i] = binomial[k][i] * pow(a / T, k - i) * pow(b / T, i);
    }
    for (size_t e = 0; e < size; e++) {
        double sum = first * EPa[e];
        for (int i = 0; i <= k; i++) {
            sum += second[i] * Pb[i][e];
        }
        to[e] = sum;
    }
}

/* once saturation occurs */
static gos_status make_powers(runner *r) {
    const size_t size = (size_t)r->n * r->nu;
    double *EP = gos__alloc(r->ctx, size + 1, sizeof *EP);
    gos_status status = EP ? GOS_OK : GOS_E_MEMORY;
    for (int k = LEVELS; k >= 0 && status == GOS_OK && !r->level[0].P[2]; k--) {
        level *v = &r->level[k];
        for (int i = 0; i < 3 && status == GOS_OK; i++) {
            if (!give(r, &v->P[i], size)) {
                status = GOS_E_MEMORY;
            } else if (k == LEVELS) {
                status = series(r, i, v->h, r->nu, r->l->B, v->P[i]);
            } else {
                const level *half = v + 1;
                memset(EP, 0, size * sizeof *EP);
                add_product(r->n, r->nu, r->n, 1, half->E, r->n, half->P[i], EP, r->n);
                compose(half->h, half->h, i, size, EP, half->P, v->P[i]);
            }
        }
    }
    gos__free(r->ctx, EP);
    return status;
}

/* from powers of time to values at beginning, middle and end */
static void to_nodes(size_t size, double *const P[3]) {
    for (size_t e = 0; e < size; e++) {
        const double p0 = P[0][e], p1 = P[1][e], p2 = P[2][e];
        P[0][e] = p0 - 3 * p1 + 2 * p2;
        P[1][e] = 4 * (p1 - p2);
        P[2][e] = 2 * p2 - p1;
    }
}

/* sample rows of the excess; q: workspace 4 (nr, nu) */
static void fill_shares(runner *r, int k, double *q) {
    level *v = &r->level[k];
    const level *eighth = v + EIGHTH;
    const int n = r->n, nr = r->nr, nu = r->nu, all = POINTS * nr;
    const size_t size = (size_t)nr * nu;
    double *before[3] = {q, q + size, q + 2 * size}, *EP = q + 3 * size;
    double *fresh[3] = {q + 4 * size, q + 5 * size, q + 6 * size};
    memset(q, 0, 3 * size * sizeof *q);
    for (int j = 0; j < POINTS; j++) {
        const double *rows = j > 0 ? v->rows + (size_t)(j - 1) * nr : r->R;
        for (int i = 0; i < 3; i++) {
            memset(EP, 0, size * sizeof *EP);
            add_product(nr, nu, n, 1, rows, j > 0 ? all : nr, eighth->P[i], EP, nr);
            compose(eighth->h, j * eighth->h, i, size, EP, before, fresh[i]);
        }
        for (int i = 0; i < 3; i++) {
            memcpy(before[i], fresh[i], size * sizeof *q);
            const double scale = pow((j + 1.0) / POINTS, i);
            for (long c = 0; c < nu; c++) {
                for (long e = 0; e < nr; e++) {
                    v->rows_p[i][c * all + (long)j * nr + e] = scale * fresh[i][c * nr + e];
                }
            }
        }
    }
}

static gos_status make_shares(runner *r, int k) {
    level *v = &r->level[k];
    const size_t size = (size_t)POINTS * r->nr * r->nu;
    if (v->rows_p[2]) {
        return GOS_OK;
    }
    GOS_TRY(make_powers(r));
    double *q = gos__alloc(r->ctx, 7 * (size_t)r->nr * r->nu + 1, sizeof *q);
    if (!q || !give(r, &v->rows_p[0], size) || !give(r, &v->rows_p[1], size) ||
        !give(r, &v->rows_p[2], size)) {
        gos__free(r->ctx, q);
        v->rows_p[2] = NULL;
        return GOS_E_MEMORY;
    }
    fill_shares(r, k, q);
    to_nodes(size, v->rows_p);
    gos__free(r->ctx, q);
    return GOS_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static double clipped(const runner *r, double command) {
    const double limit = r->o->limit;
    return command > limit ? limit - command : command < -limit ? -limit - command : 0;
}

static void take_sample(runner *r, double t, const double *seen, double weight) {
    const gos_loop *l = r->l;
    double share = 0;
    memcpy(r->z, seen + l->nu, l->nz * sizeof *r->z);
    for (int i = 0; i < l->nz; i++) {
        r->z[i] += l->G[i] * r->w;
    }
    for (long k = 0; k < l->nu; k++) {
        const double mine = clipped(r, seen[k]);
        share = fmax(share, fabs(mine));
        for (long i = 0; i < l->nz && mine != 0; i++) {
            r->z[i] += l->D[k * l->nz + i] * mine;
        }
    }
    if (r->o->sample) {
        r->o->sample(r->o->user, t, r->z, seen);
    }
    if (r->t < r->o->t_start * (1 - 1e-12)) { // before the evaluation window
        return;
    }
    gos_saturated_response *c = &r->response;
    const double z = l->nz > 0 ? r->z[0] : 0;
    r->sum += weight * z * z;
    r->duration += weight;
    r->clipped += share > 0 ? weight : 0;
    c->peak = fmax(c->peak, fabs(z));
    for (int k = 0; k < l->nu; k++) {
        c->command = fmax(c->command, fabs(seen[k]));
    }
    for (int k = 0; k < 2; k++) {
        c->settling[k] = fabs(z) > r->o->settled[k] ? t : c->settling[k];
    }
}

/* Excess at the middle and end of a step by fixed-point iteration. *fits: converged, and quadratic
   to the tolerance */
static void find_shares(runner *r, const level *v, double *seen, bool *fits) {
    const int nu = r->nu, nr = r->nr, all = POINTS * nr;
    double *d = r->share;
    double change = HUGE_VAL;
    double *free_rows = r->seen + (size_t)(HALVED + 1) * all; // without excess
    memcpy(free_rows, seen, all * sizeof *seen);
    for (int k = 0; k < nu; k++) {
        d[k] = d[nu + k] = d[2 * nu + k] = clipped(r, r->now[k]);
    }
    for (int round = 0; round < ROUNDS && change > 1e-10 * r->o->limit; round++) {
        change = 0;
        for (int node = 1; node < 3; node++) {
            const size_t from = (size_t)(node * POINTS / 2 - 1) * nr;
            memcpy(seen + from, free_rows + from, nu * sizeof *seen);
            for (int i = 0; i < 3; i++) {
                cblas_dgemv(CblasColMajor, CblasNoTrans, nu, nu, 1, v->rows_p[i] + from, all,
                            d + (size_t)i * nu, 1, 1, seen + from, 1);
            }
            for (int k = 0; k < nu; k++) {
                const double next = clipped(r, seen[from + k]);
                change = fmax(change, fabs(next - d[node * nu + k]));
                d[node * nu + k] = next;
            }
        }
        if (!(change < 1e100)) {
            break;
        }
    }
    memcpy(seen, free_rows, all * sizeof *seen);
    for (int i = 0; i < 3; i++) {
        add_vector(all, nu, v->rows_p[i], d + (size_t)i * nu, seen);
    }
    double defect = 0;
    for (int j = 0; j < POINTS; j++) {
        const double s = (j + 1.0) / POINTS;
        for (int k = 0; k < nu; k++) {
            const double share = d[k] * (1 - 3 * s + 2 * s * s) + d[nu + k] * 4 * (s - s * s) +
                                 d[2 * nu + k] * (2 * s * s - s);
            defect = fmax(defect, fabs(clipped(r, seen[(size_t)j * nr + k]) - share));
        }
    }
    *fits = change <= 1e-10 * r->o->limit && defect * v->h <= r->o->tolerance * r->o->limit * r->h;
}

static bool is_clipped(const runner *r, const double *seen, int points) {
    for (int j = 0; j < points; j++) {
        for (int k = 0; k < r->nu; k++) {
            if (fabs(seen[(size_t)j * r->nr + k]) > r->o->limit) {
                return true;
            }
        }
    }
    return false;
}

/* end of a step */
static gos_status finish(runner *r, const level *v, const double *seen, bool shares) {
    const int nr = r->nr, n = r->n;
    memset(r->y, 0, n * sizeof *r->y);
    add_vector(n, n, v->E, r->x, r->y);
    for (int i = 0; i < n; i++) {
        r->y[i] += v->W[i] * r->w;
    }
    if (shares) {
        double *d = r->share;
        for (int k = 0; k < r->nu; k++) { // values to powers
            const double a = d[k], b = d[r->nu + k], c = d[2 * r->nu + k];
            d[r->nu + k] = -3 * a + 4 * b - c;
            d[2 * r->nu + k] = 2 * a - 4 * b + 2 * c;
        }
        for (int i = 0; i < 3; i++) {
            add_vector(n, r->nu, v->P[i], d + (size_t)i * r->nu, r->y);
        }
    }
    double *swap = r->x;
    r->x = r->y;
    r->y = swap;
    const double piece = v->h / POINTS;
    take_sample(r, r->t, r->now, piece / 2);
    for (int j = 0; j < POINTS; j++) {
        take_sample(r, r->t + (j + 1) * piece, seen + (size_t)j * nr,
                    j + 1 < POINTS ? piece : piece / 2);
    }
    memcpy(r->now, seen + (size_t)(POINTS - 1) * nr, nr * sizeof *r->now);
    r->t += v->h;
    r->response.steps++;
    r->response.halved += v != r->level;
    for (int k = 0; k < nr; k++) {
        if (!(fabs(r->now[k]) < 1e100)) {
            return gos__fail(r->ctx, GOS_E_NONFINITE,
                             "the time history of a loop diverges: the loop is unstable");
        }
    }
    return GOS_OK;
}

static gos_status step(runner *r, int k) {
    const int all = POINTS * r->nr;
    level *v = &r->level[k];
    double *seen = r->seen + (size_t)k * all;
    GOS_TRY(make_rows(r, k));
    for (int i = 0; i < all; i++) {
        seen[i] = v->rows_w[i] * r->w;
    }
    add_vector(all, r->n, v->rows, r->x, seen);
    if (!is_clipped(r, r->now, 1) && !is_clipped(r, seen, POINTS)) {
        return finish(r, v, seen, false);
    }
    bool fits;
    GOS_TRY(make_shares(r, k));
    find_shares(r, v, seen, &fits);
    if (fits) {
        return finish(r, v, seen, true);
    }
    if (k == HALVED) {
        return gos__fail(r->ctx, GOS_E_DIVERGED,
                         "at %.6g s: the saturated commands did not converge in steps of %.3g s; "
                         "the gain is too high for the step %.3g s",
                         r->t, v->h, r->h);
    }
    GOS_TRY(step(r, k + 1));
    return step(r, k + 1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static gos_status check(gos_ctx *ctx, const gos_loop *l, const gos_saturated_options *o) {
    if (!(o->t_end > 0) || !(o->step > 0) || !(o->limit > 0) || !(o->tolerance > 0) ||
        !(o->t_start < o->t_end) || o->w_to < o->w_from || o->t_end / o->step > GOS_LIMIT_STEPS ||
        l->nu < 1 || l->nz < 1) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "a run of %g s in steps of %g s with limit %g and tolerance %g, evaluated from %g s, "
            "disturbed from %g to %g s: times, limit and tolerance must be positive, in this order",
            o->t_end, o->step, o->limit, o->tolerance, o->t_start, o->w_from, o->w_to);
    }
    return GOS_OK;
}

static gos_status prepare(runner *r) {
    const gos_loop *l = r->l;
    const size_t n = r->n, nr = r->nr;
    r->A = gos__zalloc(r->ctx,
                       n * n + nr * n + 2 * n + nr + (HALVED + 2) * POINTS * nr + 3 * r->nu + l->nz,
                       sizeof *r->A);
    if (!r->A) {
        return GOS_E_MEMORY;
    }
    r->R = r->A + n * n;
    r->x = r->R + nr * n;
    r->y = r->x + n;
    r->now = r->y + n;
    r->seen = r->now + nr;
    r->share = r->seen + (HALVED + 2) * POINTS * nr;
    r->z = r->share + 3 * (size_t)r->nu;
    gos__loop_matrix(l, r->A);
    for (size_t j = 0; j < n; j++) {
        memcpy(r->R + j * nr, l->F + j * l->nu, l->nu * sizeof *r->R);
        memcpy(r->R + j * nr + l->nu, l->C + j * l->nz, l->nz * sizeof *r->R);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, l->nz, l->n, l->nu, 1, l->D, l->nz, l->F,
                l->nu, 1, r->R + l->nu, (int)nr);
    return GOS_OK;
}

/* equal steps up to the next switching time */
static gos_status run_to(runner *r, double to) {
    const double length = to - r->t;
    const int count = (int)ceil(length / r->o->step * (1 - 1e-9));
    if (length <= 1e-12 * r->o->t_end || count < 1) {
        return GOS_OK;
    }
    const double h = length / count;
    if (!r->arena || fabs(h - r->h) > 1e-10 * h) {
        GOS_TRY(make_levels(r, h));
    }
    for (int i = 0; i < count; i++) {
        GOS_TRY(step(r, 0));
        GOS_TRY(gos__progress(r->ctx, r->t / r->o->t_end, "closed loop"));
    }
    r->t = to;
    return GOS_OK;
}

static gos_status run(runner *r) {
    const gos_saturated_options *o = r->o;
    double stop[4] = {o->w_from, o->w_to, o->t_start, o->t_end};
    GOS_TRY(prepare(r));
    for (int i = 0; i < 4; i++) {
        for (int k = i + 1; k < 4; k++) {
            if (stop[k] < stop[i]) {
                const double swap = stop[i];
                stop[i] = stop[k];
                stop[k] = swap;
            }
        }
        const double to = fmin(stop[i], o->t_end), middle = (r->t + to) / 2;
        r->w = middle >= o->w_from && middle < o->w_to ? o->w : 0;
        GOS_TRY(run_to(r, to));
    }
    return GOS_OK;
}

gos_status gos__saturated_run(gos_ctx *ctx, const gos_loop *l, const gos_saturated_options *o,
                              gos_saturated_response *response) {
    runner r = {.ctx = ctx, .l = l, .o = o, .n = l->n, .nu = l->nu, .nr = l->nu + l->nz};
    GOS_TRY(check(ctx, l, o));
    r.response.settling[0] = r.response.settling[1] = o->t_start;
    const gos_status status = run(&r);
    gos__arena_destroy(r.arena);
    gos__free(ctx, r.A);
    if (status == GOS_OK) {
        r.response.rms = sqrt(r.sum / r.duration);
        r.response.clipped = r.clipped / r.duration;
        *response = r.response;
    }
    return status;
}
