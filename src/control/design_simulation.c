/* Evaluates a controller on its own plant, a larger one, and both with errors. Sampled loops use
   the bilinear transform. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "control/design.h"
#include "control/hinf.h"
#include "control/lqr.h"
#include "control/sampled.h"

/* Assigns each mode of a plant to the closed-loop pole with its largest participation. */

/* energies of n modes in the eigenvector re + i im, relative to the total */
static void parts(int n, const gos_design_mode *mode, const double *re, const double *im,
                  double *part) {
    double all = 0;
    for (int i = 0; i < n; i++) {
        const double w = mode[i].omega;
        part[i] =
            w * w * (re[i] * re[i] + im[i] * im[i]) + re[n + i] * re[n + i] + im[n + i] * im[n + i];
        all += part[i];
    }
    for (int i = 0; i < n && all > 0; i++) {
        part[i] /= all;
    }
}

/* For each of the first n modes, the pole of `closed` with its largest participation. The first n
 *  plant states are positions, the next n their rates. period: of sampled loops, else 0. */
static gos_status design_follow(gos_ctx *ctx, const gos_plant *closed, int n, double period,
                                gos_design_mode *mode) {
    const lapack_int order = closed->n;
    const size_t N = (size_t)order;
    double *A = gos__zalloc(ctx, 2 * N * N + 3 * N + (size_t)n + 1, sizeof *A);
    if (!A) {
        return GOS_E_MEMORY;
    }
    double *V = A + N * N, *re = V + N * N, *im = re + N, *zero = im + N, *part = zero + N;
    memcpy(A, closed->A, N * N * sizeof *A);
    gos_status status = GOS_OK;
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', order, A, order, re, im, NULL, 1, V, order) !=
        0) {
        status = gos__fail(ctx, GOS_E_DIVERGED, "the closed-loop poles could not be computed");
    }
    for (lapack_int k = 0; k < order && status == GOS_OK; k++) {
        if (im[k] < 0) {
            continue; // complex pair
        }
        parts(n, mode, V + (size_t)k * N, im[k] > 0 ? V + (size_t)(k + 1) * N : zero, part);
        gos_root pole = {re[k], im[k]};
        if (period > 0) {
            gos__bilinear_pole(period, &pole.re, &pole.im);
        }
        for (int i = 0; i < n; i++) {
            if (part[i] > mode[i].share) {
                mode[i].share = part[i];
                mode[i].pole = pole;
            }
        }
    }
    gos__free(ctx, A);
    return status;
}

#define NORM 1e-4    // relative tolerance of H-infinity norms
#define STABLE 1e-12 // relative real part of a pole at rounding level

typedef struct trial {
    gos_ctx *ctx;
    const gos_plant *controller; // after the bilinear transform if sampled
    double period;
    bool collocated;
    gos_design *d;
} trial;

/* after zero-order hold and transform, if sampled */
static gos_status meet(const trial *t, const gos_plant *p, gos_plant *met) {
    if (t->period == 0) {
        return gos__plant_part(t->ctx, p, p->nu, NULL, p->ny, NULL, met);
    }
    gos_plant held;
    gos_status status = gos__plant_hold(t->ctx, p, t->period, &held);
    status = status == GOS_OK ? gos__plant_bilinear(t->ctx, &held, met) : status;
    gos__plant_free(t->ctx, &held);
    return status;
}

/* no input from the performance output, no output to the disturbance */
static gos_status widen(const trial *t, const gos_plant *p, gos_plant *wide) {
    const gos_plant *c = t->controller;
    GOS_TRY(gos__plant_create(t->ctx, c->n, p->ny, p->nu, wide));
    memcpy(wide->A, c->A, (size_t)c->n * c->n * sizeof *c->A);
    memcpy(wide->B, c->B, (size_t)c->n * c->nu * sizeof *c->B);
    for (long j = 0; j < c->n + c->nu; j++) {
        const double *from = j < c->n ? c->C + j * c->ny : c->D + (j - c->n) * c->ny;
        double *to = j < c->n ? wide->C + j * p->nu : wide->D + (j - c->n) * p->nu;
        memcpy(to, from, c->ny * sizeof *to);
    }
    return GOS_OK;
}

static gos_status close(const trial *t, const gos_plant *met, gos_plant *closed) {
    gos_plant wide = {0};
    *closed = (gos_plant){0};
    gos_status status = widen(t, met, &wide);
    status = status == GOS_OK ? gos__closed_loop(t->ctx, met, &wide, closed) : status;
    gos__plant_free(t->ctx, &wide);
    return status;
}

/* ---- poles ----------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    const gos_root *p = a, *q = b;
    const double x = hypot(p->re, p->im), y = hypot(q->re, q->im);
    return x < y ? -1 : x > y ? 1 : (p->re > q->re) - (p->re < q->re);
}

/* one per complex pair; *count, and the unstable ones */
static gos_status find_poles(const trial *t, const gos_plant *closed, gos_root *root, int *count,
                             int *unstable) {
    const int n = closed->n;
    double *re = gos__alloc(t->ctx, 2 * (size_t)n + 1, sizeof *re), *im = re + n;
    *count = *unstable = 0;
    gos_status status = re ? gos__eigenvalues(t->ctx, n, closed->A, re, im) : GOS_E_MEMORY;
    for (int i = 0; i < n && status == GOS_OK; i++) {
        *unstable += re[i] >= 0;
        if (t->period > 0) {
            gos__bilinear_pole(t->period, &re[i], &im[i]);
        }
        if (im[i] >= 0) {
            root[(*count)++] = (gos_root){re[i], im[i]};
        }
    }
    if (status == GOS_OK) {
        qsort(root, *count, sizeof *root, by_size);
    }
    gos__free(t->ctx, re);
    return status;
}

/* largest real part, and least damping ratio */
static gos_root worst_of(int n, const gos_root *root, double *damping) {
    gos_root worst = {-HUGE_VAL, 0};
    *damping = 1;
    for (int i = 0; i < n; i++) {
        const double size = hypot(root[i].re, root[i].im);
        worst = root[i].re > worst.re ? root[i] : worst;
        *damping = size > 0 ? fmin(*damping, -root[i].re / size) : 0;
    }
    return worst;
}

/* largest real part of the closed loop */
static gos_status abscissa_of(const trial *t, const gos_plant *p, double *abscissa) {
    gos_plant met = {0}, closed = {0};
    double damping;
    int n = 0, unstable;
    gos_status status = meet(t, p, &met);
    status = status == GOS_OK ? close(t, &met, &closed) : status;
    gos_root *root =
        status == GOS_OK ? gos__alloc(t->ctx, (size_t)closed.n + 1, sizeof *root) : NULL;
    status = status == GOS_OK && !root ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? find_poles(t, &closed, root, &n, &unstable) : status;
    if (status == GOS_OK) {
        *abscissa = worst_of(n, root, &damping).re;
    }
    gos__free(t->ctx, root);
    gos__plant_free(t->ctx, &met);
    gos__plant_free(t->ctx, &closed);
    return status;
}

/* ---- norms and margins ----------------------------------------------------------------------- */

/* from disturbance (or control inputs) to performance output (or signals) */
static gos_status channel(const trial *t, const gos_design_plant *ports, const gos_plant *p,
                          gos_plant *part) {
    const int w = ports->nu, z = ports->ny;
    return gos__plant_part(t->ctx, p, ports->disturbed ? 1 : ports->nu,
                           ports->disturbed ? &w : NULL, ports->has_performance ? 1 : ports->ny,
                           ports->has_performance ? &z : NULL, part);
}

/* HUGE_VAL if unstable */
static gos_status norm_of(const trial *t, const gos_design_plant *ports, const gos_plant *p,
                          double *norm, double *omega) {
    gos_plant part = {0};
    double *re = gos__alloc(t->ctx, 2 * (size_t)p->n + 1, sizeof *re);
    bool stable = true;
    gos_status status = re ? gos__eigenvalues(t->ctx, p->n, p->A, re, re + p->n) : GOS_E_MEMORY;
    for (int i = 0; i < p->n && status == GOS_OK; i++) {
        stable = stable && re[i] < -STABLE * hypot(re[i], re[p->n + i]);
    }
    gos__free(t->ctx, re);
    *norm = HUGE_VAL;
    *omega = 0;
    if (status != GOS_OK || !stable) {
        return status;
    }
    status = channel(t, ports, p, &part);
    status = status == GOS_OK ? gos__hinf_norm(t->ctx, &part, NORM, norm, omega) : status;
    if (t->period > 0) { // z is at angle 2 atan w
        *omega = 2 * atan(*omega) / t->period;
    }
    gos__plant_free(t->ctx, &part);
    return status;
}

/* restrict L to the range of (B^T, C, D); it is 0 elsewhere */
static gos_status compress(const trial *t, gos_plant *loop, bool *smaller) {
    const int n = loop->n, nu = loop->nu, rank = 2 * n;
    *smaller = rank < nu && cblas_dasum(nu * nu, loop->D, 1) == 0;
    if (!*smaller) {
        return GOS_OK;
    }
    gos_plant to = {0};
    double *U = gos__alloc(t->ctx, (size_t)nu * rank + rank + 1, sizeof *U);
    gos_status status = U ? gos__plant_create(t->ctx, n, rank, rank, &to) : GOS_E_MEMORY;
    for (long j = 0; j < n && status == GOS_OK; j++) {
        cblas_dcopy(nu, loop->B + j, n, U + j * nu, 1);
        cblas_dcopy(nu, loop->C + j * nu, 1, U + (n + j) * nu, 1);
    }
    if (status == GOS_OK) {
        double *tau = U + (size_t)nu * rank;
        if (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, nu, rank, U, nu, tau) != 0 ||
            LAPACKE_dorgqr(LAPACK_COL_MAJOR, nu, rank, rank, U, nu, tau) != 0) {
            status = gos__fail(t->ctx, GOS_E_NONFINITE, "a loop is not finite");
        }
    }
    if (status == GOS_OK) {
        memcpy(to.A, loop->A, (size_t)n * n * sizeof *to.A);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, rank, nu, 1, loop->B, n, U, nu, 0,
                    to.B, n);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rank, n, nu, 1, U, nu, loop->C, nu, 0,
                    to.C, rank);
        gos__plant_free(t->ctx, loop);
        *loop = to;
    } else {
        gos__plant_free(t->ctx, &to);
    }
    gos__free(t->ctx, U);
    return status;
}

/* Margins per input are invariant to input scaling. With unit gains, rate feedback is passive. */
static void balance(const gos_plant *controller, gos_plant *loop) {
    const long nu = loop->nu, n = loop->n;
    for (long k = 0; k < nu; k++) {
        const double size = hypot(
            cblas_dnrm2(controller->nu, controller->D + k, controller->ny),
            controller->n > 0 ? cblas_dnrm2(controller->n, controller->C + k, controller->ny) : 0);
        const double scale = size > 0 ? sqrt(size) : 1;
        cblas_dscal((int)n, scale, loop->B + k * n, 1);
        cblas_dscal((int)n, 1 / scale, loop->C + k, (int)nu);
        for (long j = 0; j < nu; j++) {
            loop->D[k * nu + j] *= scale;
            loop->D[j * nu + k] /= scale;
        }
    }
}

static gos_status margins_of(const trial *t, const gos_design_plant *ports, const gos_plant *met,
                             gos_margins *m) {
    gos_plant drive = {0}, loop = {0};
    gos_status status = gos__plant_part(t->ctx, met, ports->nu, NULL, ports->ny, NULL, &drive);
    status = status == GOS_OK ? gos__plant_series(t->ctx, &drive, t->controller, &loop) : status;
    for (long k = 0; k < (long)loop.ny * (loop.n + loop.nu) && status == GOS_OK; k++) {
        double *entry =
            k < (long)loop.ny * loop.n ? loop.C + k : loop.D + k - (long)loop.ny * loop.n;
        *entry = -*entry;
    }
    bool smaller = false;
    if (status == GOS_OK && t->collocated) {
        balance(t->controller, &loop);
    }
    status = status == GOS_OK ? compress(t, &loop, &smaller) : status;
    status = status == GOS_OK ? gos__margins(t->ctx, &loop, m) : status;
    if (smaller) { // no feedback in the other directions
        m->sensitivity = fmax(m->sensitivity, 1);
    }
    gos__plant_free(t->ctx, &drive);
    gos__plant_free(t->ctx, &loop);
    return status;
}

static gos_status try_own(const trial *t, const gos_design_plant *own) {
    gos_design_report *r = &t->d->report;
    gos_plant met = {0}, closed = {0};
    gos_margins m = {0};
    double unused;
    int unstable = 0;
    gos_status status = meet(t, &own->plant, &met);
    status = status == GOS_OK ? close(t, &met, &closed) : status;
    if (status == GOS_OK) {
        t->d->pole = GOS_NEW(t->d->arena, gos_root, closed.n + 1);
        status =
            t->d->pole ? find_poles(t, &closed, t->d->pole, &t->d->npole, &unstable) : GOS_E_MEMORY;
    }
    if (status == GOS_OK && own->rigid == 0) { // otherwise a constant force causes drift
        status = norm_of(t, own, &met, &r->norm_open, &unused);
    }
    status = status == GOS_OK ? norm_of(t, own, &closed, &r->norm, &r->norm_omega) : status;
    if (status == GOS_OK && unstable == 0) {
        status = margins_of(t, own, &met, &m);
    }
    if (status == GOS_OK) {
        r->abscissa = worst_of(t->d->npole, t->d->pole, &r->damping).re;
        r->norm_open = isfinite(r->norm_open) ? r->norm_open : 0;
        r->disk = m.disk;
        r->gain_margin = m.gain;
        r->phase_margin = m.phase;
        r->sensitivity = m.sensitivity;
    }
    gos__plant_free(t->ctx, &met);
    gos__plant_free(t->ctx, &closed);
    return status;
}

/* x'' + D x' + K x = B u in its first states, K and D nearly diagonal */
static gos_status follow_modes(const trial *t, const gos_design_plant *rich,
                               const gos_plant *closed) {
    gos_design *d = t->d;
    const int n = rich->positions;
    const long states = rich->plant.n;
    gos_design_mode *mode = GOS_NEW(d->arena, gos_design_mode, n + 1);
    GOS_TRY(mode ? GOS_OK : GOS_E_MEMORY);
    for (long i = 0; i < n; i++) {
        const double *A = rich->plant.A, k = -A[i * states + n + i],
                     c = -A[(n + i) * states + n + i];
        mode[i].omega = sqrt(fmax(k, 0));
        mode[i].damping = mode[i].omega > 0 ? c / (2 * mode[i].omega) : 0;
    }
    GOS_TRY(design_follow(t->ctx, closed, n, t->period, mode));
    d->mode = mode + rich->rigid;
    d->nmode = n - rich->rigid;
    return GOS_OK;
}

static gos_status try_rich(const trial *t, const gos_design_plant *rich) {
    gos_design_report *r = &t->d->report;
    gos_plant met = {0}, closed = {0};
    int unstable;
    gos_status status = meet(t, &rich->plant, &met);
    status = status == GOS_OK ? close(t, &met, &closed) : status;
    if (status == GOS_OK) {
        t->d->plant_pole = GOS_NEW(t->d->arena, gos_root, closed.n + 1);
        t->d->open = GOS_NEW(t->d->arena, gos_root, met.n + 1);
        status = t->d->plant_pole && t->d->open
                     ? find_poles(t, &closed, t->d->plant_pole, &t->d->nplant_pole, &r->unstable)
                     : GOS_E_MEMORY;
    }
    status = status == GOS_OK ? find_poles(t, &met, t->d->open, &t->d->nopen, &unstable) : status;
    if (status == GOS_OK && rich->positions > rich->rigid) {
        status = follow_modes(t, rich, &closed);
    }
    if (status == GOS_OK) {
        const gos_root worst = worst_of(t->d->nplant_pole, t->d->plant_pole, &r->plant_damping);
        r->plant_abscissa = worst.re;
        r->plant_omega = worst.im;
    }
    gos__plant_free(t->ctx, &met);
    gos__plant_free(t->ctx, &closed);
    return status;
}

/* ---- plant errors ---------------------------------------------------------------------------- */

static bool feeds_through(const gos_design_plant *p) {
    for (long k = 0; k < p->nu; k++) {
        for (long i = 0; i < p->ny; i++) {
            if (p->plant.D[k * p->plant.ny + i] != 0) {
                return true;
            }
        }
    }
    return false;
}

static void add_failure(const gos_design_plant *ports, gos_design_error_kind kind, double error,
                        gos_plant *p) {
    const long n = p->n, m = ports->positions;
    const double by = 1 + error;
    for (long k = 0; k < ports->nu && kind != GOS_ERROR_FREQUENCY; k++) {
        for (long i = 0; i < (kind == GOS_ERROR_GAIN ? p->ny : ports->ny); i++) {
            p->D[k * p->ny + i] *= by;
        }
        for (long i = 0; i < n && kind == GOS_ERROR_GAIN; i++) {
            p->B[k * n + i] *= by;
        }
    }
    for (long j = 0; j < n && kind == GOS_ERROR_FREQUENCY; j++) {
        for (long i = m; i < n; i++) { // stiffness ~ frequency squared
            p->A[j * n + i] *= j < m && i < 2 * m ? by * by : by;
        }
    }
}

static gos_status spoilt(const trial *t, const gos_design_plant *p, const gos_design_error *e,
                         double *abscissa) {
    gos_plant copy = {0};
    gos_status status =
        gos__plant_part(t->ctx, &p->plant, p->plant.nu, NULL, p->plant.ny, NULL, &copy);
    if (status == GOS_OK) {
        add_failure(p, e->kind, e->error, &copy);
        status = abscissa_of(t, &copy, abscissa);
    }
    gos__plant_free(t->ctx, &copy);
    return status;
}

static gos_status try_errors(const trial *t, const gos_design_plant *own,
                             const gos_design_plant *rich, const gos_design_options *o) {
    static const double usual[] = {-0.1, -0.05, -0.02, -0.01, 0.01, 0.02, 0.05, 0.1};
    const int n = o->nerror > 0 ? o->nerror : GOS_COUNT(usual);
    const double *error = o->nerror > 0 ? o->error : usual;
    gos_design *d = t->d;
    d->error = GOS_NEW(d->arena, gos_design_error, 3 * n);
    GOS_TRY(d->error ? GOS_OK : GOS_E_MEMORY);
    for (int kind = GOS_ERROR_FEEDTHROUGH; kind <= GOS_ERROR_FREQUENCY; kind++) {
        if ((kind == GOS_ERROR_FEEDTHROUGH && !feeds_through(own)) ||
            (kind == GOS_ERROR_FREQUENCY && rich->positions == rich->rigid && rich->rigid > 0)) {
            continue; // error kind not applicable
        }
        for (int k = 0; k < n; k++) {
            gos_design_error *e = &d->error[d->nerror];
            *e = (gos_design_error){.kind = (gos_design_error_kind)kind, .error = error[k]};
            GOS_TRY(spoilt(t, own, e, &e->abscissa));
            GOS_TRY(spoilt(t, rich, e, &e->plant_abscissa));
            d->nerror++;
        }
    }
    return GOS_OK;
}

gos_status gos__design_try(gos_ctx *ctx, const gos_design_plant *own, const gos_design_plant *rich,
                           const gos_plant *controller, const gos_design_options *o,
                           gos_design *d) {
    gos_plant transformed = {0};
    trial t = {.ctx = ctx,
               .controller = controller,
               .period = o->period,
               .collocated = o->collocated,
               .d = d};
    gos_status status = GOS_OK;
    if (o->period > 0) {
        status = gos__plant_bilinear(ctx, controller, &transformed);
        t.controller = &transformed;
    }
    status = status == GOS_OK ? try_own(&t, own) : status;
    status = status == GOS_OK ? try_rich(&t, rich) : status;
    status = status == GOS_OK ? try_errors(&t, own, rich, o) : status;
    gos__plant_free(ctx, &transformed);
    return status;
}
