/* Errors of reduced models on a band: logarithmic grid with the poles of small models, bisected
   at peaks of response and error. Pole-residue responses are verified by factorisations. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "linear_reduction/estimator.h"
#include "linear_reduction/frequency_response.h"

#define GRID_FREQUENCIES 60  // initial logarithmic grid
#define MAX_ROUNDS 40        // refinements of the grid
#define RESOLVED_RATIO 0.99  // a peak is resolved if its neighbours reach this part: known to 0.2 %
#define HIGH_PEAK 0.5        // refined peaks, relative to the highest
#define LOW_PEAK 0.05        // the same in the first EARLY_ROUNDS rounds
#define EARLY_ROUNDS 8       // rounds that also refine low peaks
#define MIN_SPACING 1e-7     // smallest relative frequency spacing
#define MAX_FREQUENCIES 4000 // largest number of frequencies
#define POLE_OFFSET 1e-6     // relative offset from a pole
// frequencies at which pole-residue responses are verified, besides the two highest
#define CHECKED_FREQUENCIES 12
#define CHECK_TOLERANCE 1e-3        // their allowed error, relative to the largest difference
#define ROUNDING 1e-13              // the same, relative to the largest response
#define NEGLIGIBLE_DIFFERENCE 1e-12 // relative difference below which peaks are not resolved

typedef struct sample {
    double w, h, d; // frequency, |H|, |H - H_r|; negative: at a pole, excluded
    double b, r;    // error bound of H, and its round-off
} sample;

typedef struct sweep {
    gos_ctx *ctx;
    int nu, ny;
    gos_responder *r[2];                  // full and reduced model
    gos_reference_error *reference_error; // NULL: the full model is exact
    double negligible;                    // relative difference below which peaks are not resolved
    gos_complex *H;                       // (ny, nu, 2)
    double *sigma;
    int n, cap; // samples, capacity
    sample *at; // ascending
} sweep;

/* largest singular value; overwrites H (ny, nu) */
static double norm2(const sweep *s, gos_complex *H) {
    const int m = s->ny, n = s->nu, k = m < n ? m : n;
    gos_complex dummy;
    if (m == 1 && n == 1) {
        return cabs(H[0]);
    }
    return LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, H, m, s->sigma, &dummy, 1, &dummy, k) == 0
               ? s->sigma[0]
               : (double)NAN;
}

static gos_status evaluate(sweep *s, sample *x) {
    const long size = s->nu * s->ny;
    x->b = x->r = 0;
    for (int k = 0; k < 2; k++) {
        gos_complex *H = s->H + k * size;
        gos_status status = gos__responder_at(s->r[k], x->w, H);
        if (status == GOS_E_SINGULAR && k == 1) { // evaluate beside the pole
            status = gos__responder_at(s->r[k], x->w * (1 + POLE_OFFSET), H);
        }
        if (status == GOS_E_SINGULAR) { // singular reduced model: infinite error
            x->h = k == 0 ? -1 : norm2(s, s->H);
            x->d = k == 0 ? -1 : HUGE_VAL;
            return GOS_OK;
        }
        GOS_TRY(status);
    }
    for (int i = 0; i < size; i++) {
        s->H[size + i] -= s->H[i];
    }
    x->h = norm2(s, s->H);
    x->d = norm2(s, s->H + size);
    x->b = s->reference_error ? s->reference_error->at(s->reference_error->user, x->w, &x->r) : 0;
    if (x->b < 0) {
        return GOS_E_MEMORY;
    }
    return x->h == x->h && x->d == x->d
               ? GOS_OK
               : gos__fail(s->ctx, GOS_E_NONFINITE, "a response is not finite at %g rad/s", x->w);
}

static gos_status add(sweep *s, double w) {
    void *at = s->at;
    GOS_TRY(gos__grow(s->ctx, &at, &s->cap, s->n + 1, sizeof *s->at));
    s->at = at;
    sample *x = &s->at[s->n];
    x->w = w;
    GOS_TRY(gos__progress(s->ctx, 0, "reduction: errors on the band"));
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

/* true if a peak is not resolved towards the neighbour `other` */
static bool unresolved(double value, double other, double opposite, double floor, bool longer) {
    return value >= floor && value >= other && value >= opposite &&
           (longer || other < RESOLVED_RATIO * value);
}

/* true if much longer than the interval on the other side */
static bool uneven(const sample *x, const sample *other, const sample *opposite) {
    return fabs(other->w - x->w) > 2.5 * fabs(opposite->w - x->w) && opposite != x;
}

static bool needs_refinement(const sweep *s, int n, int k, int side, double floor_h,
                             double floor_d) {
    const int other = k + side, back = k - side;
    if (other < 0 || other >= n) {
        return false;
    }
    const sample *x = &s->at[k], *o = &s->at[other];
    const sample *b = back >= 0 && back < n ? &s->at[back] : x;
    const bool longer = uneven(x, o, b);
    return fabs(o->w - x->w) > MIN_SPACING * x->w &&
           (unresolved(x->h, o->h, b->h, floor_h, longer) ||
            unresolved(x->d, o->d, b->d, floor_d, longer));
}

/* new samples are appended and sorted in after the round */
static gos_status refine(sweep *s, double high) {
    double h, d;
    const int n = s->n;
    highest(s, &h, &d);
    // round-off has peaks everywhere
    const double of_h = high * h, of_d = fmax(high * d, s->negligible * h);
    for (int k = 0; k + 1 < n; k++) {
        if (needs_refinement(s, n, k, 1, of_h, of_d) ||
            needs_refinement(s, n, k + 1, -1, of_h, of_d)) {
            GOS_TRY(add(s, (s->at[k].w + s->at[k + 1].w) / 2));
        }
    }
    return GOS_OK;
}

/* narrow peaks start low, so the first rounds follow lower ones */
static gos_status refine_all(sweep *s) {
    qsort(s->at, s->n, sizeof *s->at, ascending);
    for (int round = 0; round < MAX_ROUNDS && s->n < MAX_FREQUENCIES; round++) {
        const int before = s->n;
        GOS_TRY(refine(s, round < EARLY_ROUNDS ? LOW_PEAK : HIGH_PEAK));
        qsort(s->at, s->n, sizeof *s->at, ascending);
        if (s->n == before && round >= EARLY_ROUNDS) {
            break;
        }
    }
    return GOS_OK;
}

/* resonances that the grid would miss */
static gos_status add_poles(sweep *s, const gos_poles *p, double lo, double hi) {
    for (int j = 0; j < p->n; j++) {
        if (p->im[j] > lo && p->im[j] < hi && fabs(p->re[j]) < 0.3 * p->im[j]) {
            GOS_TRY(add(s, p->im[j]));
        }
    }
    return GOS_OK;
}

static gos_status first_grid(sweep *s, double lo, double hi) {
    const double begin = lo > 0 ? lo : 1e-4 * hi;
    if (lo == 0) {
        GOS_TRY(add(s, 0));
    }
    for (int k = 0; k < GRID_FREQUENCIES; k++) {
        GOS_TRY(add(s, begin * pow(hi / begin, (double)k / (GRID_FREQUENCIES - 1))));
    }
    GOS_TRY(add_poles(s, &s->r[0]->poles, lo, hi));
    return add_poles(s, &s->r[1]->poles, lo, hi);
}

/* ---- pole-residue responses ------------------------------------------------------------------ */

/* *wrong: maximum with the pole-residue error of both models at sample k */
static gos_status compare(sweep *s, int k, double *wrong) {
    const int size = s->nu * s->ny;
    for (int m = 0; m < 2; m++) {
        gos_responder *r = s->r[m];
        if (!r->by_poles) {
            continue;
        }
        GOS_TRY(gos__responder_at(r, s->at[k].w, s->H));
        const gos_status status = gos__responder_factored(r, s->at[k].w, s->H + size);
        if (status == GOS_E_SINGULAR) {
            *wrong = HUGE_VAL;
            return GOS_OK;
        }
        GOS_TRY(status);
        for (int i = 0; i < size; i++) {
            s->H[i] -= s->H[size + i];
        }
        *wrong = fmax(*wrong, norm2(s, s->H));
    }
    return GOS_OK;
}

static gos_status check_poles(sweep *s, bool *good) {
    double h, d, wrong = 0;
    int top[2] = {0, 0};
    highest(s, &h, &d);
    for (int k = 0; k < s->n; k++) {
        top[0] = s->at[k].h >= h ? k : top[0];
        top[1] = s->at[k].d >= d ? k : top[1];
    }
    for (int k = 0; k < CHECKED_FREQUENCIES + 2; k++) {
        const long even = (long)(s->n - 1) * (k - 2) / (CHECKED_FREQUENCIES - 1);
        GOS_TRY(compare(s, k < 2 ? top[k] : (int)even, &wrong));
    }
    *good = wrong <= fmax(CHECK_TOLERANCE * d, ROUNDING * h);
    return GOS_OK;
}

static gos_status measure(sweep *s, double lo, double hi) {
    bool good = true;
    GOS_TRY(first_grid(s, lo, hi));
    GOS_TRY(refine_all(s));
    if (s->r[0]->by_poles || s->r[1]->by_poles) {
        GOS_TRY(check_poles(s, &good));
    }
    if (good) {
        return GOS_OK;
    }
    s->r[0]->by_poles = s->r[1]->by_poles = false;
    s->n = 0;
    GOS_TRY(first_grid(s, lo, hi));
    return refine_all(s);
}

static void summarise(const sweep *s, gos_band_error *e) {
    double d;
    highest(s, &e->largest, &d);
    e->evaluations = s->n;
    for (int k = 0; k < s->n; k++) {
        const sample *x = &s->at[k];
        if (x->d >= d) {
            e->worst = x->w;
        }
        e->pointwise = x->h > 0 ? fmax(e->pointwise, x->d / x->h) : e->pointwise;
    }
    e->relative = e->largest > 0 ? d / e->largest : d > 0 ? HUGE_VAL : 0;
}

static void sum_reference_error(const sweep *s, gos_reference_error *reference_error) {
    reference_error->worst = reference_error->bound = reference_error->least = 0;
    for (int k = 0; k < s->n; k++) {
        const sample *x = &s->at[k];
        if (x->h >= 0) {
            reference_error->worst = fmax(reference_error->worst, x->b);
            reference_error->bound = fmax(reference_error->bound, x->d + x->b + x->r);
            reference_error->least = fmax(reference_error->least, x->h - x->b - x->r);
        }
    }
}

/* frequencies of the largest differences, descending; *n: capacity, then number */
static void find_peaks(const sweep *s, int *n, double *peak) {
    const int max = *n;
    double below = HUGE_VAL;
    for (*n = 0; *n < max;) {
        int best = -1;
        for (int k = 0; k < s->n; k++) {
            const double d = s->at[k].d;
            const bool top =
                (k == 0 || s->at[k - 1].d <= d) && (k == s->n - 1 || s->at[k + 1].d < d);
            best = top && d > 0 && d < below && (best < 0 || d > s->at[best].d) ? k : best;
        }
        if (best < 0) {
            return;
        }
        below = s->at[best].d;
        peak[(*n)++] = s->at[best].w;
    }
}

gos_status gos_linear_band_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                 double lo, double hi, gos_band_error *error) {
    return gos__band_error(ctx, full, reduced, lo, hi, NULL, error);
}

gos_status gos__band_error(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                           double lo, double hi, gos_reference_error *reference_error,
                           gos_band_error *error) {
    if (full->nu != reduced->nu || full->ny != reduced->ny || full->nu == 0 || full->ny == 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "models with %d inputs and %d outputs, and %d and %d, cannot be compared",
                         full->nu, full->ny, reduced->nu, reduced->ny);
    }
    if (!(lo >= 0) || !(hi > lo) || !isfinite(hi)) {
        return gos__fail(ctx, GOS_E_INPUT, "invalid band from %g to %g rad/s", lo, hi);
    }
    gos_responder responder;
    GOS_TRY(gos__responder_begin(ctx, full, &responder));
    int none = 0;
    const gos_status status =
        gos__band_responses(ctx, &responder, reduced, (double[]){lo, hi}, NEGLIGIBLE_DIFFERENCE,
                            reference_error, error, &none, NULL);
    gos__responder_end(ctx, &responder);
    return status;
}

gos_status gos__band_responses(gos_ctx *ctx, gos_responder *full, const gos_linear *reduced,
                               const double band[2], double negligible,
                               gos_reference_error *reference_error, gos_band_error *error, int *n,
                               double *peak) {
    gos_responder other = {0};
    sweep s = {.ctx = ctx,
               .nu = reduced->nu,
               .ny = reduced->ny,
               .r = {full, &other},
               .negligible = negligible,
               .reference_error = reference_error};
    const size_t size = (size_t)s.nu * s.ny;
    full->by_poles = full->off_axis;
    s.H = gos__alloc(ctx, 2 * size, sizeof *s.H);
    s.sigma = gos__alloc(ctx, size, sizeof *s.sigma);
    gos_status status = s.H && s.sigma ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__responder_begin(ctx, reduced, &other) : status;
    status = status == GOS_OK ? measure(&s, band[0], band[1]) : status;
    if (status == GOS_OK) {
        *error = (gos_band_error){0};
        summarise(&s, error);
        find_peaks(&s, n, peak);
        if (reference_error) {
            sum_reference_error(&s, reference_error);
        }
    }
    gos__responder_end(ctx, &other);
    gos__free(ctx, s.H);
    gos__free(ctx, s.sigma);
    gos__free(ctx, s.at);
    return status;
}

void gos_linear_mac(int n, int nx, const double *X, int ny, const double *Y, double *mac) {
    for (long j = 0; j < ny; j++) {
        for (long i = 0; i < nx; i++) {
            const double *x = X + i * n, *y = Y + j * n;
            double xx = 0, yy = 0, xy = 0;
            for (int k = 0; k < n; k++) {
                xx += x[k] * x[k];
                yy += y[k] * y[k];
                xy += x[k] * y[k];
            }
            mac[j * nx + i] = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
        }
    }
}
