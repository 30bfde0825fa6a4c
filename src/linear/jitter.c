/* Jitter by the harmonics of a rotor over its speed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "gossamer/vibration.h"

#define MODES 200       // whose resonant speeds are added
#define NUMBERS 4000000 // most numbers of responses in memory at a time
#define SPEEDS 1000000  // most intervals of the grid

typedef struct job {
    gos_ctx *ctx;
    const gos_linear *linear;
    const gos_jitter_options *o;
    gos_jitter *to;
    int outputs, inputs, room;
} job;

static gos_status check(const job *k) {
    const gos_jitter_options *o = k->o;
    bool good = o->harmonics >= 1 && o->from > 0 && o->to >= o->from && isfinite(o->to) &&
                o->points >= 1 && o->points <= SPEEDS && o->window >= 0 && isfinite(o->window) &&
                (!o->sight || o->sights >= 1);
    for (int i = 0; i < o->harmonics && good; i++) {
        const gos_harmonic *h = &o->harmonic[i];
        good = h->input >= 0 && h->input < k->inputs && h->order > 0 && isfinite(h->order) &&
               isfinite(h->coefficient);
    }
    return good && k->outputs > 0
               ? GOS_OK
               : gos__fail(
                     k->ctx, GOS_E_USE,
                     "jitter requires outputs, harmonics with valid inputs and positive "
                     "orders, speeds 0 < from <= to, 1 to %d points, and a window that is not "
                     "negative",
                     SPEEDS);
}

/* ---- speeds ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gos_status add_speed(job *k, double speed) {
    if (!(speed >= k->o->from) || !(speed <= k->o->to)) {
        return GOS_OK;
    }
    GOS_TRY(gos__grow(k->ctx, (void **)&k->to->speed, &k->room, k->to->n + 1, sizeof(double)));
    k->to->speed[k->to->n++] = speed;
    return GOS_OK;
}

/* speeds at which a harmonic has the frequency of a mode, and the ends of its half-power band */
static gos_status add_resonances(job *k) {
    gos_linear_info info;
    int found = 0, roots = 0;
    gos_linear_info_get(k->linear, &info);
    gos_mode *mode = gos__zalloc(k->ctx, MODES, sizeof *mode);
    GOS_TRY(mode ? GOS_OK : GOS_E_MEMORY);
    const int most = info.coordinates < MODES ? info.coordinates : MODES;
    gos_status status = GOS_OK;
    if (most > 0) {
        status = gos_linear_coupled_modes(k->ctx, k->linear, most, mode, &found, 0, NULL, &roots);
    }
    for (int i = 0; i < found && status == GOS_OK; i++) {
        for (int h = 0; h < k->o->harmonics && status == GOS_OK; h++) {
            for (int side = -1; side <= 1 && status == GOS_OK && mode[i].im > 0; side++) {
                const double w = mode[i].im + side * fabs(mode[i].re);
                status = add_speed(k, w / k->o->harmonic[h].order);
            }
        }
    }
    gos__free(k->ctx, mode);
    return status;
}

static gos_status find_speeds(job *k) {
    const gos_jitter_options *o = k->o;
    for (int i = 0; i <= o->points; i++) {
        const double part = (double)i / o->points;
        GOS_TRY(add_speed(k, i == o->points ? o->to : o->from + part * (o->to - o->from)));
    }
    GOS_TRY(add_resonances(k));
    qsort(k->to->speed, (size_t)k->to->n, sizeof(double), ascending);
    int n = 1;
    for (int i = 1; i < k->to->n; i++) {
        if (k->to->speed[i] > k->to->speed[n - 1] * (1 + 1e-12)) {
            k->to->speed[n++] = k->to->speed[i];
        }
    }
    k->to->n = n;
    return GOS_OK;
}

/* ---- responses ------------------------------------------------------------------------------- */

/* share of the mean square in window means; series for small arguments */
static double mean_share(double w, double window) {
    const double x = w * window, half = 0.5 * x;
    return window == 0 ? 0 : half < 1e-4 ? 1 - half * half / 3 : pow(sin(half) / half, 2);
}

/* adds harmonic h at speed i with its response H (outputs, inputs, 2) */
static void add_harmonic(const job *k, int i, int h, const double *H, double *largest) {
    const gos_jitter_options *o = k->o;
    const gos_harmonic *of = &o->harmonic[h];
    const double speed = k->to->speed[i], amplitude = of->coefficient * speed * speed;
    const double mean = mean_share(of->order * speed, o->window);
    for (int s = 0; s < k->to->sights; s++) {
        double re = 0, im = 0;
        for (int y = 0; y < k->outputs; y++) {
            const double c = o->sight ? o->sight[(size_t)s * k->outputs + y] : y == s;
            const double *value = H + 2 * ((size_t)y * k->inputs + of->input);
            re += c * value[0];
            im += c * value[1];
        }
        const double square = 0.5 * amplitude * amplitude * (re * re + im * im);
        double *rms = k->to->rms + 3 * ((size_t)i * k->to->sights + s);
        rms[0] += square;
        rms[1] += mean * square;
        rms[2] += (1 - mean) * square;
        if (square > largest[s]) {
            largest[s] = square;
            k->to->dominant[(size_t)i * k->to->sights + s] = h;
        }
    }
}

/* n speeds from the first one on */
static gos_status respond(const job *k, int first, int n, double *omega, double *H,
                          double *largest) {
    const int nh = k->o->harmonics;
    const size_t size = 2 * (size_t)k->outputs * k->inputs;
    for (int i = 0; i < n * nh; i++) {
        omega[i] = k->o->harmonic[i % nh].order * k->to->speed[first + i / nh];
    }
    GOS_TRY(gos_linear_response(k->ctx, k->linear, n * nh, omega, H));
    for (int i = 0; i < n; i++) {
        memset(largest, 0, (size_t)k->to->sights * sizeof *largest);
        for (int h = 0; h < nh; h++) {
            add_harmonic(k, first + i, h, H + ((size_t)i * nh + h) * size, largest);
        }
    }
    return GOS_OK;
}

static gos_status respond_to_all(const job *k) {
    const double one = 2.0 * k->outputs * k->inputs * k->o->harmonics; // numbers of a speed
    const int most = one < NUMBERS ? (int)(NUMBERS / one) : 1;
    const int n = most < k->to->n ? most : k->to->n;
    const size_t points = (size_t)n * k->o->harmonics;
    double *omega = gos__alloc(k->ctx, points, sizeof *omega);
    double *H = gos__alloc(k->ctx, points * 2 * k->outputs * k->inputs + 1, sizeof *H);
    double *largest = gos__alloc(k->ctx, (size_t)k->to->sights, sizeof *largest);
    gos_status status = omega && H && largest ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < k->to->n && status == GOS_OK; i += n) {
        status = respond(k, i, i + n < k->to->n ? n : k->to->n - i, omega, H, largest);
    }
    const size_t all = 3 * (size_t)k->to->n * k->to->sights;
    for (size_t i = 0; i < all && status == GOS_OK; i++) {
        k->to->rms[i] = sqrt(k->to->rms[i]);
    }
    gos__free(k->ctx, omega);
    gos__free(k->ctx, H);
    gos__free(k->ctx, largest);
    return status;
}

gos_status gos_jitter_response(gos_ctx *ctx, const gos_linear *linear, const gos_jitter_options *o,
                               gos_jitter *jitter) {
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    job k = {.ctx = ctx,
             .linear = linear,
             .o = o,
             .to = jitter,
             .outputs = info.outputs,
             .inputs = info.inputs};
    *jitter = (gos_jitter){.ctx = ctx, .sights = o->sight ? o->sights : info.outputs};
    gos_status status = check(&k);
    status = status == GOS_OK ? find_speeds(&k) : status;
    if (status == GOS_OK) {
        const size_t n = (size_t)jitter->n * jitter->sights;
        jitter->rms = gos__zalloc(ctx, 3 * n, sizeof *jitter->rms);
        jitter->dominant = gos__zalloc(ctx, n, sizeof *jitter->dominant);
        status = jitter->rms && jitter->dominant ? respond_to_all(&k) : GOS_E_MEMORY;
    }
    if (status != GOS_OK) {
        gos_jitter_free(jitter);
    }
    return status;
}

void gos_jitter_free(gos_jitter *jitter) {
    if (jitter->ctx) {
        gos__free(jitter->ctx, jitter->speed);
        gos__free(jitter->ctx, jitter->rms);
        gos__free(jitter->ctx, jitter->dominant);
    }
    *jitter = (gos_jitter){0};
}
