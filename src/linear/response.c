/* Frequency response. Sparse models: complex factorisation per frequency after one symbolic
   analysis. Small dense models: Hessenberg form. */
#include <math.h>

#include "linalg/dense.h"
#include "linalg/complex_solver.h"
#include "linear/floating.h"
#include "linear/hessenberg.h"
#include "linear/merged.h"
#include "base/process.h"
#include "linear/linear.h"

/* Frequency response distributed over processes (the direct solver is not thread-safe); results
   in shared memory. */

typedef struct task {
    gos_ctx *ctx;
    const gos_linear *linear;
    int n, parts;
    const double *omega;
    double *H;         // shared
    bool *left;        // parts not started (parts)
    int failed;        // first failed part, or `parts`
    gos_piece_end why; // its result
} task;

typedef struct response {
    gos_ctx *ctx;
    const gos_merged *w;
    int n;             // frequencies
    int first, behind; // current range: first <= k < behind
    const double *omega;
    double *H; // of all frequencies
} response;

static gos_status singular(const response *r, double omega) {
    return gos__fail(r->ctx, GOS_E_SINGULAR,
                     "the response at %g rad/s (%g Hz) is undefined: the model has an undamped "
                     "resonance or rigid-body mode there, or its equations are singular; add "
                     "damping, or exclude this frequency",
                     omega, omega / (2 * M_PI));
}

static double *values_at(const response *r, int k) {
    return r->H + 2L * k * r->w->ny * r->w->nu;
}

static void add_direct(const response *r, double *H) {
    const gos_sparse *Y = r->w->Y_u;
    for (int j = 0; j < Y->n; j++) {
        for (int k = Y->p[j]; k < Y->p[j + 1]; k++) {
            H[2 * ((size_t)Y->i[k] * Y->n + j)] += Y->x[k];
        }
    }
}

/* A0 - omega^2 A2 + i omega A1 */
static void sum_at(const gos_merged *w, double omega, gos_complex *values) {
    for (int k = 0; k < w->pattern.nnz; k++) {
        values[k] = gos__complex(w->A[0][k] - omega * omega * w->A[2][k], omega * w->A[1][k]);
    }
}

static void put_inputs(const gos_merged *w, gos_complex *x) {
    memset(x, 0, (size_t)w->n * w->nu * sizeof *x);
    for (long j = 0; j < w->nu; j++) {
        for (int k = w->B.p[j]; k < w->B.p[j + 1]; k++) {
            x[j * w->n + w->B.i[k]] = w->B.x[k];
        }
    }
}

/* H = (Y0 + i omega Y1) X */
static void take_outputs(const gos_merged *w, double omega, const gos_complex *x, double *H) {
    memset(H, 0, 2L * w->ny * w->nu * sizeof *H);
    for (int p = 0; p < 2; p++) {
        const gos_sparse *Y = &w->Y[p];
        for (int c = 0; c < Y->n; c++) {
            for (int k = Y->p[c]; k < Y->p[c + 1]; k++) {
                for (long j = 0; j < w->nu; j++) {
                    const double *z = (const double *)(x + j * w->n + c);
                    double *h = H + 2 * ((size_t)Y->i[k] * w->nu + j);
                    h[0] += Y->x[k] * (p ? -omega * z[1] : z[0]);
                    h[1] += Y->x[k] * (p ? omega * z[0] : z[1]);
                }
            }
        }
    }
}

static gos_status factor_at(const response *r, int k, gos_complex_solver *solver,
                            const gos_complex *values) {
    const gos_status status = gos__complex_solver_factor(solver, values);
    return status == GOS_E_SINGULAR ? singular(r, r->omega[k]) : status;
}

static gos_status sparse_points(const response *r, gos_complex_solver *solver, gos_complex *values,
                                gos_complex *x) {
    // reproducible: pivots come from the first frequency, except in large models
    if (r->first > 0 && r->w->n <= GOS_COMPLEX_LARGE) {
        sum_at(r->w, r->omega[0], values);
        GOS_TRY(factor_at(r, 0, solver, values));
    }
    for (int k = r->first; k < r->behind; k++) {
        const double omega = r->omega[k];
        sum_at(r->w, omega, values);
        GOS_TRY(factor_at(r, k, solver, values));
        put_inputs(r->w, x);
        GOS_TRY(gos__complex_solver_solve(solver, false, r->w->nu, x));
        take_outputs(r->w, omega, x, values_at(r, k));
        add_direct(r, values_at(r, k));
        GOS_TRY(gos__progress(r->ctx, (k + 1.0 - r->first) / (r->behind - r->first),
                              "frequency response"));
    }
    return GOS_OK;
}

static gos_status sparse(const response *r) {
    gos_complex_solver *solver = NULL;
    const gos_merged *w = r->w;
    gos_complex *values = gos__alloc(r->ctx, w->pattern.nnz + 1L, sizeof *values);
    gos_complex *x = gos__alloc(r->ctx, (size_t)w->n * w->nu + 1, sizeof *x);
    gos_complex_def def = {.pattern = &w->pattern, .ncomp = w->ncomp, .nlast = w->n - w->at[3]};
    gos_status status = values && x ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__merged_symmetric(w, &def.symmetric) : status;
    if (status == GOS_OK) {
        status = gos__complex_solver_create(r->ctx, &def, NULL, &solver);
        status = status == GOS_E_SINGULAR && r->n > 0 ? singular(r, r->omega[0]) : status;
    }
    status = status == GOS_OK ? sparse_points(r, solver, values, x) : status;
    gos__complex_solver_destroy(solver);
    gos__free(r->ctx, values);
    gos__free(r->ctx, x);
    return status;
}

static int order(const gos_merged *w) {
    return w->n + w->at[1]; // with velocities
}

/* Scaling of unknowns: z = w s q, v = s q' with s^2 = M_ii, w^2 >= K_ii / M_ii, and z = s theta
   with s^2 = C_ii. Entries become frequencies, which preserves soft modes beside stiff ones. */
typedef struct measures {
    double *w, *s; // (nq), (nq + nt)
} measures;

static void diagonal(const gos_merged *w, int power, int from, int to, double *d) {
    for (int j = from; j < to; j++) {
        d[j] = 0;
        for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1]; k++) {
            d[j] = w->pattern.i[k] == j ? w->A[power][k] : d[j];
        }
    }
}

static void measure(const response *r, const measures *m) {
    const int nq = r->w->at[1], n = r->w->n;
    double low = 0; // free motions use the requested frequency
    for (int k = 0; k < r->n; k++) {
        low = fmax(low, fabs(r->omega[k]));
    }
    diagonal(r->w, 0, 0, nq, m->w);
    diagonal(r->w, 2, 0, nq, m->s);
    diagonal(r->w, 1, nq, n, m->s);
    for (int j = 0; j < n; j++) {
        m->s[j] = sqrt(m->s[j]);
        if (j < nq) {
            m->w[j] = fmax(sqrt(fabs(m->w[j])) / m->s[j], low > 0 ? low : 1);
        }
    }
}

/* x = (z and other unknowns, v): A0 x + A1 q' + A2 v' + A1r x' = B u; z' = w v */
static void first_order(const gos_merged *w, const measures *m, double *E, double *A, double *B,
                        double *C) {
    const int n = w->n, nq = w->at[1], N = order(w);
    for (int j = 0; j < n; j++) {
        const double v = 1 / m->s[j], z = j < nq ? v / m->w[j] : v;
        for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1]; k++) {
            const int i = w->pattern.i[k];
            const double row = 1 / m->s[i];
            gos__dense_column(A, N, j)[i] = -row * z * w->A[0][k];
            if (j < nq) {
                gos__dense_column(A, N, n + j)[i] = -row * v * w->A[1][k];
                gos__dense_column(E, N, n + j)[i] = row * v * w->A[2][k];
            } else {
                gos__dense_column(E, N, j)[i] = row * z * w->A[1][k];
            }
        }
        for (int k = w->Y[0].p[j]; k < w->Y[0].p[j + 1]; k++) {
            gos__dense_column(C, w->ny, j)[w->Y[0].i[k]] = z * w->Y[0].x[k];
        }
    }
    for (int j = 0; j < nq; j++) {
        gos__dense_column(E, N, j)[n + j] = 1;
        gos__dense_column(A, N, n + j)[n + j] = m->w[j];
        for (int k = w->Y[1].p[j]; k < w->Y[1].p[j + 1]; k++) {
            gos__dense_column(C, w->ny, n + j)[w->Y[1].i[k]] = w->Y[1].x[k] / m->s[j];
        }
    }
    for (int j = 0; j < w->nu; j++) {
        for (int k = w->B.p[j]; k < w->B.p[j + 1]; k++) {
            const int i = w->B.i[k];
            gos__dense_column(B, N, j)[i] = w->B.x[k] / m->s[i];
        }
    }
}

/* Pivots of differently scaled unknowns may look singular: verify sparsely. */
static gos_status dense_points(const response *r, gos_hessenberg *h) {
    for (int k = r->first; k < r->behind; k++) {
        if (gos__hessenberg_response(h, r->omega[k], values_at(r, k)) == GOS_OK) {
            add_direct(r, values_at(r, k));
        } else {
            response one = *r;
            one.first = k;
            one.behind = k + 1;
            GOS_TRY(sparse(&one));
        }
    }
    return GOS_OK;
}

static gos_status dense(const response *r) {
    const gos_merged *w = r->w;
    const size_t N = order(w), nu = w->nu, ny = w->ny;
    gos_hessenberg *h = NULL;
    const size_t nq = w->at[1], n = w->n;
    double *E = gos__zalloc(r->ctx, 2 * N * N + N * (nu + ny) + nq + n + 1, sizeof *E);
    if (!E) {
        return GOS_E_MEMORY;
    }
    double *A = E + N * N, *B = A + N * N, *C = B + N * nu;
    const measures m = {.w = C + N * ny, .s = C + N * ny + nq};
    measure(r, &m);
    first_order(w, &m, E, A, B, C);
    gos_status status =
        gos__hessenberg_create(r->ctx, (int)N, w->nu, w->ny, nq == 0, E, A, B, C, &h);
    status = status == GOS_OK ? dense_points(r, h) : status;
    gos__hessenberg_destroy(h);
    gos__free(r->ctx, E);
    return status;
}

#define HESSENBERG_MOST 500  // largest first-order size: 1 s of preparation
#define HESSENBERG_FULL 0.15 // smallest fill; below, sparse factors are cheaper
#define HESSENBERG_POINTS 10 // frequencies from which the preparation pays off

/* Without a scale (multipliers, potentials), orthogonal transformations mix equations of
   different magnitude and lose slow motions of stiff models. */
static bool all_measured(const gos_merged *w) {
    bool all = true;
    for (int j = 0; j < w->n && all; j++) {
        const double *values = w->A[j < w->at[1] ? 2 : 1];
        all = false;
        for (int k = w->pattern.p[j]; k < w->pattern.p[j + 1]; k++) {
            all = all || (w->pattern.i[k] == j && values[k] > 0);
        }
    }
    return all;
}

static bool is_dense(const response *r) {
    const gos_merged *w = r->w;
    const double filled = w->n > 0 ? w->pattern.nnz / ((double)w->n * w->n) : 0;
    return r->n >= HESSENBERG_POINTS && order(w) <= HESSENBERG_MOST && filled >= HESSENBERG_FULL &&
           all_measured(w);
}

/* H += Y R R^T B over -omega^2 for displacements, i omega for velocities */
static gos_status add_free(const response *r, const gos_linear *l, const gos_floating *f) {
    gos_sparse B = {0}, Y[2] = {{0}, {0}};
    gos_status status = gos__floating_ports(f, &l->block[GOS_BLOCK_B], false, &B);
    for (int p = 0; p < 2 && status == GOS_OK; p++) {
        status = gos__floating_ports(f, &l->block[p ? GOS_BLOCK_Y_v : GOS_BLOCK_Y_q], true, &Y[p]);
    }
    for (int point = r->first; point < r->behind && status == GOS_OK; point++) {
        const double omega = r->omega[point];
        double *H = values_at(r, point);
        if (omega == 0 && B.nnz > 0 && Y[0].nnz + Y[1].nnz > 0) {
            status = singular(r, omega);
        }
        for (int u = 0; u < B.n && status == GOS_OK; u++) {
            for (int b = B.p[u]; b < B.p[u + 1]; b++) {
                for (int p = 0; p < 2; p++) {
                    const int c = B.i[b];
                    for (int y = Y[p].p[c]; y < Y[p].p[c + 1]; y++) {
                        double *h = H + 2 * ((size_t)Y[p].i[y] * B.n + u);
                        h[p] -= Y[p].x[y] * B.x[b] / (p ? omega : omega * omega);
                    }
                }
            }
        }
    }
    gos__sparse_free(r->ctx, &B);
    gos__sparse_free(r->ctx, &Y[0]);
    gos__sparse_free(r->ctx, &Y[1]);
    return status;
}

/* gos_linear_response at frequencies first <= k < behind, identical to all n; H holds all.
 * Free motions are separated, because the round-off of the stiffness would hide their inertia. */
static gos_status linear_response_part(gos_ctx *ctx, const gos_linear *linear, int n,
                                       const double *omega, int first, int behind, double *H) {
    gos_merged *w = NULL;
    for (int k = 0; k < n; k++) {
        if (!isfinite(omega[k])) {
            return gos__fail(ctx, GOS_E_USE, "frequency %d is not finite", k);
        }
    }
    gos_floating f;
    GOS_TRY(gos__floating_split(ctx, linear, &f));
    const bool split = f.n > 0 && !gos__floating_exact(linear, &f);
    gos_status status = gos__merged_create(ctx, split ? f.held : linear, &w);
    if (status == GOS_OK) {
        const response r = {
            .ctx = ctx, .w = w, .n = n, .first = first, .behind = behind, .omega = omega, .H = H};
        gos__progress_start(ctx);
        status = is_dense(&r) ? dense(&r) : sparse(&r);
        status = status == GOS_OK && split ? add_free(&r, linear, &f) : status;
    }
    gos__merged_destroy(w);
    gos__floating_free(&f);
    return status;
}

static gos_status respond(void *user, gos_ctx *ctx, int i) {
    const task *t = user;
    const int first = (int)((long)t->n * i / t->parts);
    const int behind = (int)((long)t->n * (i + 1) / t->parts);
    return linear_response_part(ctx, t->linear, t->n, t->omega, first, behind, t->H);
}

static void end(void *user, int i, const gos_piece_end *how) {
    task *t = user;
    t->left[i] = !how->started;
    if (how->started && how->status != GOS_OK && i < t->failed) {
        t->failed = i;
        t->why = *how;
    }
}

static gos_status divide(task *t) {
    const gos_division d = {.n = t->parts,
                            .jobs = t->parts,
                            .text = "frequency response",
                            .work = respond,
                            .end = end,
                            .user = t};
    GOS_TRY(gos__divide(t->ctx, &d));
    if (t->failed < t->parts) {
        return gos__fail(t->ctx, t->why.status, "%s", t->why.message);
    }
    for (int i = 0; i < t->parts; i++) {
        if (t->left[i]) {
            GOS_TRY(respond(t, t->ctx, i));
        }
    }
    return GOS_OK;
}

gos_status gos_linear_response_divided(gos_ctx *ctx, const gos_linear *linear, int workers, int n,
                                       const double *omega, double *H) {
    const size_t each = 2L * linear->nu * linear->ny * (n > 0 ? n : 0);
    task t = {.ctx = ctx, .linear = linear, .n = n, .omega = omega};
    t.parts = t.failed = workers < n ? workers : n;
    t.H = t.parts > 1 ? gos__shared_alloc(each, sizeof *H) : NULL;
    if (!t.H) {
        return gos_linear_response(ctx, linear, n, omega, H);
    }
    t.left = gos__zalloc(ctx, t.parts, sizeof *t.left);
    const gos_status status = t.left ? divide(&t) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        memcpy(H, t.H, each * sizeof *H);
    }
    gos__free(ctx, t.left);
    gos__shared_free(t.H, each, sizeof *H);
    return status;
}

gos_status gos_linear_response(gos_ctx *ctx, const gos_linear *linear, int n, const double *omega,
                               double *H) {
    return linear_response_part(ctx, linear, n, omega, 0, n, H);
}
