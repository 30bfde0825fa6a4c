/* Transient response. Small models with piecewise linear inputs: exact, by the exponential of [A
   B 0; 0 0 1/h; 0 0 0]. Others: trapezoidal rule with s = 2/h (motions: Newmark's constant
   average acceleration), one factorisation for all steps. */
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/expm.h"
#include "linear/state_space.h"
#include "linear/merged.h"

#define UNCHANGED 3e-3       // change of outputs by halved steps, of which a third is their error
#define REPORTED 0.03        // ... from which on a warning is given
#define MOST_STEPS 200000.0  // with halved steps
#define MAX_EXACT_STATES 300 // states and inputs: 1 s of preparation

typedef struct transient {
    gos_ctx *ctx;
    const gos_linear *l;
    double h;
    int n;     // points of time
    int every; // output stride
    const double *u;
    double *y;
} transient;

/* ---- exact ----------------------------------------------------------------------------------- */

/* x_(k+1) = Phi x_k + G0 u_k + G1 (u_(k+1) - u_k); work (N, N), N = n + 2 nu */
static gos_status exponential(const transient *r, const gos_state_space *s, double *M) {
    const int n = s->n, nu = s->nu, N = n + 2 * nu;
    double *work = gos__alloc(r->ctx, gos__expm_work(N) + 1, sizeof *work);
    int *pivot = gos__alloc(r->ctx, N + 1L, sizeof *pivot);
    gos_status status = work && pivot ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                gos__dense_column(M, N, j)[i] = r->h * gos__dense_column(s->A, n, j)[i];
            }
        }
        for (int j = 0; j < nu; j++) {
            for (int i = 0; i < n; i++) {
                gos__dense_column(M, N, n + j)[i] = r->h * gos__dense_column(s->B, n, j)[i];
            }
            gos__dense_column(M, N, n + nu + j)[n + j] = 1;
        }
        status = gos__expm(N, M, work, pivot);
        status = status == GOS_RETRY
                     ? gos__fail(r->ctx, GOS_E_NONFINITE,
                                 "the response overflows within a step; use a smaller step")
                     : status;
    }
    gos__free(r->ctx, work);
    gos__free(r->ctx, pivot);
    return status;
}

static void exact_outputs(const gos_state_space *s, const double *x, const double *u, double *y) {
    gos__dense_combine(s->ny, 1, s->n, s->C, x, y);
    for (int j = 0; j < s->nu; j++) {
        for (int i = 0; i < s->ny; i++) {
            y[i] += gos__dense_column(s->D, s->ny, j)[i] * u[j];
        }
    }
}

static gos_status exact_steps(const transient *r, const gos_state_space *s, const double *M,
                              double *x) {
    const int n = s->n, nu = s->nu, N = n + 2 * nu;
    gos__progress_start(r->ctx);
    for (int k = 0; k < r->n; k++) {
        const double *u = r->u + (size_t)k * nu;
        double *next = x + N;
        if (k % r->every == 0) {
            exact_outputs(s, x, u, r->y + (size_t)(k / r->every) * s->ny);
        }
        for (int j = 0; j < nu; j++) {
            x[n + j] = u[j];
            x[n + nu + j] = k + 1 < r->n ? u[nu + j] - u[j] : 0;
        }
        gos__dense_combine(N, 1, N, M, x, next);
        memcpy(x, next, n * sizeof *x);
        GOS_TRY(gos__progress(r->ctx, (k + 1.0) / r->n, "transient response"));
    }
    return GOS_OK;
}

/* *done false: E is singular */
static gos_status exact(const transient *r, bool *done) {
    gos_state_space s;
    gos_status status = gos__state_space_make(r->ctx, r->l, &s);
    const size_t N = s.n + 2L * s.nu;
    double *M = gos__zalloc(r->ctx, N * N + 2 * N + 1, sizeof *M);
    int *pivot = gos__alloc(r->ctx, s.n + 1L, sizeof *pivot);
    status = status == GOS_OK && !(M && pivot) ? GOS_E_MEMORY : status;
    *done = true;
    if (status == GOS_OK) {
        // A and B are contiguous
        *done = LAPACKE_dgesv(LAPACK_COL_MAJOR, s.n, s.n + s.nu, s.E, s.n, pivot, s.A, s.n) == 0;
        status = *done ? exponential(r, &s, M) : status;
        if (*done && status == GOS_OK) {
            status = exact_steps(r, &s, M, M + N * N);
        }
    }
    gos__free(r->ctx, M);
    gos__free(r->ctx, pivot);
    gos__state_space_free(r->ctx, &s);
    return status;
}

/* ---- implicit -------------------------------------------------------------------------------- */

typedef struct stepping {
    const transient *r;
    const gos_merged *w;
    gos_solver *solver;
    double *values;
    double *x, *v, *a; // unknowns and first two derivatives (w->n)
    double *b, *z;     // right-hand side, scratch
} stepping;

static void add_product(const gos_merged *w, int power, const double *z, double *y) {
    for (int j = 0; j < w->n; j++) {
        for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1] && z[j] != 0; k++) {
            y[w->pattern.i[k]] += w->A[power][k] * z[j];
        }
    }
}

static void put_inputs(const stepping *s, long k) {
    const gos_merged *w = s->w;
    memset(s->b, 0, w->n * sizeof *s->b);
    for (int j = 0; j < w->nu; j++) {
        const double u = s->r->u[k * w->nu + j];
        for (int e = w->B.p[j]; e < w->B.p[j + 1]; e++) {
            s->b[w->B.i[e]] += w->B.x[e] * u;
        }
    }
}

static void take_outputs(const stepping *s, long k) {
    const gos_merged *w = s->w;
    if (k % s->r->every != 0) {
        return;
    }
    double *y = s->r->y + (size_t)(k / s->r->every) * w->ny;
    memset(y, 0, w->ny * sizeof *y);
    for (int c = 0; c < w->n; c++) {
        for (int p = 0; p < 2; p++) {
            for (int e = w->Y[p].p[c]; e < w->Y[p].p[c + 1]; e++) {
                y[w->Y[p].i[e]] += w->Y[p].x[e] * (p ? s->v[c] : s->x[c]);
            }
        }
    }
    for (int j = 0; j < w->nu; j++) {
        const double u = s->r->u[k * w->nu + j];
        for (int e = w->Y_u->p[j]; e < w->Y_u->p[j + 1]; e++) {
            y[w->Y_u->i[e]] += w->Y_u->x[e] * u;
        }
    }
}

static gos_status factor(const stepping *s, const char *what) {
    const gos_status status = gos__solver_factor(s->solver, s->values, NULL);
    return status == GOS_E_SINGULAR
               ? gos__fail(s->r->ctx, status, "the equations of the model do not determine %s",
                           what)
               : status;
}

/* Initial derivative that a row determines: accelerations by the mass, temperature rates by the
   capacity, others by value. */
static int starting_power(const gos_merged *w, int row, int column) {
    const bool q = column < w->at[1], t = !q && column < w->at[2];
    const bool own = q ? row < w->at[1] : row >= w->at[1] && row < w->at[2];
    if (row >= w->at[3] || (!q && !t)) {
        return 0; // constraints hold for derivatives, too
    }
    return own ? (q ? 2 : 1) : -1;
}

/* at rest, with sudden inputs */
static gos_status start(const stepping *s) {
    const gos_merged *w = s->w;
    double size = 0;
    for (int j = 0; j < w->nu; j++) {
        size = fmax(size, fabs(s->r->u[j]));
    }
    if (size == 0) {
        return GOS_OK;
    }
    for (int j = 0; j < w->n; j++) {
        for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1]; k++) {
            const int power = starting_power(w, w->pattern.i[k], j);
            s->values[k] = power < 0 ? 0 : w->A[power][k];
        }
    }
    GOS_TRY(factor(s, "the initial rates: its mass or heat capacity matrix is singular; start all "
                      "inputs at 0"));
    put_inputs(s, 0);
    gos__solver_solve(s->solver, s->b);
    for (int j = 0; j < w->n; j++) {
        *(j < w->at[1] ? &s->a[j] : j < w->at[2] ? &s->v[j] : &s->x[j]) = s->b[j];
    }
    gos__solver_repivot(s->solver);
    return GOS_OK;
}

/* x' = 2/h (x - x_k) - x'_k, likewise x'' */
static void one_step(const stepping *s, int k) {
    const gos_merged *w = s->w;
    const double f = 2 / s->r->h;
    put_inputs(s, k);
    for (int j = 0; j < w->n; j++) {
        s->z[j] = f * s->x[j] + s->v[j];
    }
    add_product(w, 1, s->z, s->b);
    for (int j = 0; j < w->n; j++) {
        s->z[j] = f * (f * s->x[j] + 2 * s->v[j]) + s->a[j];
    }
    add_product(w, 2, s->z, s->b);
    gos__solver_solve(s->solver, s->b);
    for (int j = 0; j < w->n; j++) {
        const double v = f * (s->b[j] - s->x[j]) - s->v[j];
        s->a[j] = f * (v - s->v[j]) - s->a[j];
        s->v[j] = v;
        s->x[j] = s->b[j];
    }
}

static gos_status implicit_steps(const stepping *s) {
    const gos_merged *w = s->w;
    const double f = 2 / s->r->h;
    GOS_TRY(start(s));
    for (int k = 0; k < w->pattern.nnz; k++) {
        s->values[k] = w->A[0][k] + f * w->A[1][k] + f * f * w->A[2][k];
    }
    GOS_TRY(factor(s, "a step"));
    take_outputs(s, 0);
    gos__progress_start(s->r->ctx);
    for (int k = 1; k < s->r->n; k++) {
        one_step(s, k);
        take_outputs(s, k);
        GOS_TRY(gos__progress(s->r->ctx, (k + 1.0) / s->r->n, "transient response"));
    }
    return GOS_OK;
}

static gos_status implicit(const transient *r) {
    gos_merged *w = NULL;
    GOS_TRY(gos__merged_create(r->ctx, r->l, &w));
    const size_t n = w->n;
    stepping s = {.r = r, .w = w};
    s.values = gos__alloc(r->ctx, w->pattern.nnz + 1L, sizeof *s.values);
    s.x = gos__zalloc(r->ctx, 5 * n + 1, sizeof *s.x);
    gos_status status = s.values && s.x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        s.v = s.x + n;
        s.a = s.v + n;
        s.b = s.a + n;
        s.z = s.b + n;
        status = gos__solver_create(r->ctx, &w->pattern, &s.solver);
        status = status == GOS_E_SINGULAR
                     ? gos__fail(r->ctx, status, "the equations of the model do not determine it")
                     : status;
    }
    status = status == GOS_OK ? implicit_steps(&s) : status;
    gos__solver_destroy(s.solver);
    gos__free(r->ctx, s.values);
    gos__free(r->ctx, s.x);
    gos__merged_destroy(w);
    return status;
}

/* ---- steps within steps ---------------------------------------------------------------------- */

/* inputs at m steps in each one, on straight lines */
static void divide(const transient *r, int m, double *u) {
    const size_t nu = r->l->nu;
    for (long k = 0; k <= (r->n - 1L) * m; k++) {
        const long i = k / m < r->n - 1 ? k / m : r->n - 1, next = i < r->n - 1 ? i + 1 : i;
        const double part = (double)(k - i * m) / m;
        for (size_t j = 0; j < nu; j++) {
            u[k * nu + j] = (1 - part) * r->u[i * nu + j] + part * r->u[next * nu + j];
        }
    }
}

/* largest change of an output, relative to its largest value */
static double change(int rows, int ny, const double *a, const double *b) {
    double worst = 0;
    for (int j = 0; j < ny; j++) {
        double size = 0, off = 0;
        for (long k = 0; k < rows; k++) {
            size = fmax(size, fabs(b[k * ny + j]));
            off = fmax(off, fabs(b[k * ny + j] - a[k * ny + j]));
        }
        worst = size > 0 ? fmax(worst, off / size) : worst;
    }
    return worst;
}

/* Halves the steps of r->y until the outputs do not change: times of output need not resolve the
 * motion. */
static gos_status refine(const transient *r) {
    const int rows = (r->n - 1) / r->every + 1, ny = r->l->ny;
    double changed = HUGE_VAL, shortest = r->h;
    for (int m = 2; changed > UNCHANGED && (r->n - 1.0) * m <= MOST_STEPS; m *= 2) {
        transient fine = *r;
        double *u = gos__alloc(r->ctx, ((r->n - 1L) * m + 1) * r->l->nu + 1, sizeof *u);
        double *y = gos__alloc(r->ctx, (size_t)rows * ny + 1, sizeof *y);
        gos_status status = u && y ? GOS_OK : GOS_E_MEMORY;
        if (status == GOS_OK) {
            divide(r, m, u);
            fine.h = shortest = r->h / m;
            fine.n = (r->n - 1) * m + 1;
            fine.every = r->every * m;
            fine.u = u;
            fine.y = y;
            status = implicit(&fine);
        }
        if (status == GOS_OK) {
            changed = change(rows, ny, r->y, y);
            memcpy(r->y, y, (size_t)rows * ny * sizeof *y);
        }
        gos__free(r->ctx, u);
        gos__free(r->ctx, y);
        GOS_TRY(status);
    }
    if (changed > REPORTED && isfinite(changed)) {
        gos__warn(r->ctx, (gos_loc){0}, "transient response",
                  "steps of %.3g s change an output by up to %.2g of its largest value compared "
                  "with steps twice as long: fast motion is not resolved; use a shorter time, or a "
                  "reduced model",
                  shortest, changed);
    }
    return GOS_OK;
}

/* ---- selection ------------------------------------------------------------------------------- */

gos_status gos__linear_transient(gos_ctx *ctx, const gos_linear *l, gos_transient scheme, double h,
                                 int n, int every, const double *u, double *y,
                                 gos_transient *used) {
    const transient r = {.ctx = ctx, .l = l, .h = h, .n = n, .every = every, .u = u, .y = y};
    if (!(h > 0) || !isfinite(h) || n < 1) {
        return gos__fail(ctx, GOS_E_USE,
                         "a transient response requires a step > 0 and at least one time point");
    }
    const bool small = 2L * l->nq + l->nt + 2L * l->nu <= MAX_EXACT_STATES;
    bool done = false;
    if (scheme == GOS_TRANSIENT_EXACT || (scheme == GOS_TRANSIENT_AUTO && small && l->nphi == 0)) {
        GOS_TRY(exact(&r, &done));
    }
    if (!done && scheme == GOS_TRANSIENT_EXACT) {
        return gos__fail(ctx, GOS_E_SINGULAR,
                         "the model has algebraic unknowns (its mass, heat capacity or E matrix "
                         "is singular), so the exact scheme is not applicable; use scheme "
                         "trapezoidal");
    }
    *used = done ? GOS_TRANSIENT_EXACT : GOS_TRANSIENT_IMPLICIT;
    return done ? GOS_OK : implicit(&r);
}

gos_status gos_linear_transient(gos_ctx *ctx, const gos_linear *l, gos_transient scheme, double h,
                                int n, const double *u, double *y) {
    gos_transient used;
    GOS_TRY(gos__linear_transient(ctx, l, scheme, h, n, 1, u, y, &used));
    const transient r = {.ctx = ctx, .l = l, .h = h, .n = n, .every = 1, .u = u, .y = y};
    return scheme == GOS_TRANSIENT_AUTO && used == GOS_TRANSIENT_IMPLICIT ? refine(&r) : GOS_OK;
}
