/* Errors of reduced models on a band: a grid even in the logarithm, with the poles of the reduced model
   in it, and halved around peaks of the response and of the error. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "reduce/poles.h"
#include "reduce/reduce.h"

#define GRID 60
#define ROUNDS 24
#define KNOWN 1e-3 // relative change of maxima at the end
#define HIGH 0.5   // peaks above this part of the highest are refined
#define FINE 1e-7  // smallest relative distance of frequencies
#define POLES 600  // most states whose poles go into the grid
#define MOST 4000  // frequencies

typedef struct sample {
    double w, h, d; // frequency, |H|, |H - H_r|; negative: a pole, left out
} sample;

typedef struct sweep {
    gos_ctx *ctx;
    gos_reduce_pencil *p[2];
    gos_complex *H; // (ny, nu, 2)
    double *sigma;
    int n, cap;
    sample *at; // ascending
} sweep;

/* largest singular value; H (ny, nu) is overwritten */
static double norm2(const sweep *s, gos_complex *H) {
    const int m = s->p[0]->ny, n = s->p[0]->nu, k = m < n ? m : n;
    gos_complex dummy;
    if (m == 1 && n == 1) {
        return cabs(H[0]);
    }
    return LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, H, m, s->sigma, &dummy, 1, &dummy, k) == 0
               ? s->sigma[0]
               : (double)NAN;
}

static gos_status evaluate(sweep *s, sample *x) {
    const int size = s->p[0]->nu * s->p[0]->ny;
    for (int k = 0; k < 2; k++) {
        const gos_status status =
            gos__reduce_pencil_quiet(s->p[k], CMPLX(0, x->w), s->H + (size_t)k * (size_t)size);
        if (status == GOS_E_SINGULAR) {
            x->h = x->d = -1;
            return GOS_OK;
        }
        GOS_TRY(status);
    }
    for (int i = 0; i < size; i++) {
        s->H[size + i] -= s->H[i];
    }
    x->h = norm2(s, s->H);
    x->d = norm2(s, s->H + size);
    return isfinite(x->h) && isfinite(x->d)
               ? GOS_OK
               : gos__fail(s->ctx, GOS_E_NONFINITE, "a response is not finite at %g rad/s", x->w);
}

static gos_status add(sweep *s, double w) {
    void *at = s->at;
    GOS_TRY(gos__grow(s->ctx, &at, &s->cap, s->n + 1, sizeof *s->at));
    s->at = at;
    sample *x = &s->at[s->n];
    x->w = w;
    GOS_TRY(evaluate(s, x));
    s->n++;
    return GOS_OK;
}

static int ascending(const void *a, const void *b) {
    const double x = ((const sample *)a)->w, y = ((const sample *)b)->w;
    return (x > y) - (x < y);
}

static void highest(const sweep *s, double *h, double *d) {
    *h = *d = 0;
    for (int k = 0; k < s->n; k++) {
        *h = fmax(*h, s->at[k].h);
        *d = fmax(*d, s->at[k].d);
    }
}

/* is the sample a peak worth refining? */
static bool peak(const sweep *s, int k, double most_h, double most_d) {
    const sample *x = &s->at[k], *l = k > 0 ? x - 1 : x, *r = k + 1 < s->n ? x + 1 : x;
    return (x->h >= HIGH * most_h && x->h >= l->h && x->h >= r->h) ||
           (x->d >= HIGH * most_d && x->d >= l->d && x->d >= r->d);
}

static gos_status refine(sweep *s) {
    double h, d;
    const int n = s->n;
    highest(s, &h, &d);
    for (int k = 0; k < n; k++) {
        for (int side = -1; side <= 1; side += 2) {
            const int other = k + side;
            // a later peak halves its left interval only if its neighbour has not done so
            const bool mine =
                other >= 0 && other < n && peak(s, k, h, d) && !(side < 0 && peak(s, other, h, d));
            if (mine && fabs(s->at[other].w - s->at[k].w) > FINE * s->at[k].w) {
                GOS_TRY(add(s, (s->at[other].w + s->at[k].w) / 2));
            }
        }
    }
    return GOS_OK;
}

/* peaks were found by index before sorting: new samples wait at the end of the list */
static gos_status refine_all(sweep *s) {
    double h, d, last_h = 0, last_d = 0;
    qsort(s->at, (size_t)s->n, sizeof *s->at, ascending);
    for (int round = 0; round < ROUNDS && s->n < MOST; round++) {
        const int before = s->n;
        GOS_TRY(refine(s));
        qsort(s->at, (size_t)s->n, sizeof *s->at, ascending);
        highest(s, &h, &d);
        if (s->n == before || (round > 4 && h - last_h <= KNOWN * h && d - last_d <= KNOWN * d)) {
            break;
        }
        last_h = h;
        last_d = d;
    }
    return GOS_OK;
}

static gos_status first_grid(sweep *s, const gos_linear *reduced, double lo, double hi) {
    const double begin = lo > 0 ? lo : 1e-4 * hi;
    if (lo == 0) {
        GOS_TRY(add(s, 0));
    }
    for (int k = 0; k < GRID; k++) {
        GOS_TRY(add(s, begin * pow(hi / begin, (double)k / (GRID - 1))));
    }
    if (2 * reduced->nq + reduced->nt > POLES || reduced->nphi > 0) {
        return GOS_OK;
    }
    gos_poles poles;
    if (gos__poles(s->ctx, reduced, &poles) != GOS_OK) {
        return GOS_E_SINGULAR;
    }
    gos_status status = GOS_OK;
    for (int j = 0; j < poles.n && status == GOS_OK; j++) {
        if (poles.im[j] > lo && poles.im[j] < hi && fabs(poles.re[j]) < 0.3 * poles.im[j]) {
            status = add(s, poles.im[j]);
        }
    }
    gos__poles_free(s->ctx, &poles);
    return status;
}

static void summarise(const sweep *s, gos_band_error *e) {
    double d;
    highest(s, &e->largest, &d);
    e->evaluations = s->n;
    for (int k = 0; k < s->n; k++) {
        const sample *x = &s->at[k];
        if (x->d == d) {
            e->worst = x->w;
        }
        e->pointwise = x->h > 0 ? fmax(e->pointwise, x->d / x->h) : e->pointwise;
    }
    e->relative = e->largest > 0 ? d / e->largest : d > 0 ? HUGE_VAL : 0;
}

gos_status gos_linear_band_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                 double lo, double hi, gos_band_error *error) {
    if (full->nu != reduced->nu || full->ny != reduced->ny || full->nu == 0 || full->ny == 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "models with %d inputs and %d outputs, and %d and %d, cannot be compared",
                         full->nu, full->ny, reduced->nu, reduced->ny);
    }
    if (!(lo >= 0) || !(hi > lo) || !isfinite(hi)) {
        return gos__fail(ctx, GOS_E_INPUT, "no band from %g to %g rad/s", lo, hi);
    }
    sweep s = {.ctx = ctx};
    const size_t size = (size_t)full->nu * (size_t)full->ny;
    s.H = gos__alloc(ctx, 2 * size, sizeof *s.H);
    s.sigma = gos__alloc(ctx, size, sizeof *s.sigma);
    gos_status status = s.H && s.sigma ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__reduce_pencil_create(ctx, full, NULL, &s.p[0]) : status;
    status = status == GOS_OK ? gos__reduce_pencil_create(ctx, reduced, NULL, &s.p[1]) : status;
    status = status == GOS_OK ? first_grid(&s, reduced, lo, hi) : status;
    status = status == GOS_OK ? refine_all(&s) : status;
    if (status == GOS_OK) {
        *error = (gos_band_error){0};
        summarise(&s, error);
    }
    gos__reduce_pencil_destroy(s.p[0]);
    gos__reduce_pencil_destroy(s.p[1]);
    gos__free(ctx, s.H);
    gos__free(ctx, s.sigma);
    gos__free(ctx, s.at);
    return status;
}

void gos_linear_mac(int n, int nx, const double *X, int ny, const double *Y, double *mac) {
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            const double *x = X + (size_t)i * (size_t)n, *y = Y + (size_t)j * (size_t)n;
            double xx = 0, yy = 0, xy = 0;
            for (int k = 0; k < n; k++) {
                xx += x[k] * x[k];
                yy += y[k] * y[k];
                xy += x[k] * y[k];
            }
            mac[(size_t)j * (size_t)nx + (size_t)i] = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
        }
    }
}
