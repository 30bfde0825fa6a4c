/* Correlation of two sets of mode shapes: MAC, pairs, COMAC, cross orthogonality. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "correlation/shapes.h"

#define RANK 1e-8 // smallest singular value of the paired shapes, relative to the largest

typedef struct job {
    gos_ctx *ctx;
    const gos_shapes *analysis, *test;
    gos_correlation *c;
    int *of, *in; // sensor in the analysis and in the test (sensors)
} job;

static int find_sensor(const gos_shapes *s, const char *prefix, const char *name) {
    const size_t n = strlen(prefix);
    for (int i = 0; i < s->sensors; i++) {
        if (strncmp(s->sensor[i], prefix, n) == 0 && strcmp(s->sensor[i] + n, name) == 0) {
            return i;
        }
    }
    return -1;
}

static gos_status match_sensors(job *k) {
    gos_correlation *c = k->c;
    for (int i = 0; i < k->test->sensors; i++) {
        const char *name = k->test->sensor[i];
        int of = find_sensor(k->analysis, "", name);
        of = of < 0 && k->test->by_node ? find_sensor(k->analysis, "n", name) : of;
        if (of < 0 && !k->test->by_node) {
            const char *near = gos__suggest(name, k->analysis->sensor, k->analysis->sensors);
            return gos__fail(
                k->ctx, GOS_E_INPUT,
                "test sensor '%s' is not a displacement output of the model%s%s%s; add "
                "a probe, or remove the column",
                name, near ? " (similar: " : "", near ? near : "", near ? ")" : "");
        }
        c->ignored += of < 0;
        if (of >= 0) {
            k->of[c->sensors] = of;
            k->in[c->sensors] = i;
            ((const char **)c->sensor)[c->sensors++] =
                gos__arena_strdup(c->memory, k->analysis->sensor[of]);
            GOS_TRY(c->sensor[c->sensors - 1] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    return c->sensors > 0 ? GOS_OK
                          : gos__fail(k->ctx, GOS_E_INPUT,
                                      "no node of the test has a probe in the model; for node 12, "
                                      "name the probe 'n12'");
}

static const double *value_at(const gos_shapes *s, int mode, int sensor) {
    return s->shape + 2 * ((size_t)mode * s->sensors + sensor);
}

/* phi_i^T conj(psi_j) over the sensors; either set may be taken twice */
static void product(const job *k, const gos_shapes *a, const int *ia, int i, const gos_shapes *b,
                    const int *ib, int j, double sum[2]) {
    sum[0] = sum[1] = 0;
    for (int s = 0; s < k->c->sensors; s++) {
        const double *x = value_at(a, i, ia[s]), *y = value_at(b, j, ib[s]);
        sum[0] += x[0] * y[0] + x[1] * y[1];
        sum[1] += x[1] * y[0] - x[0] * y[1];
    }
}

static double square(const job *k, const gos_shapes *s, const int *sensor, int mode) {
    double sum[2];
    product(k, s, sensor, mode, s, sensor, mode, sum);
    return sum[0];
}

static gos_status find_macs(const job *k) {
    gos_correlation *c = k->c;
    for (int j = 0; j < c->test; j++) {
        const double own = square(k, k->test, k->in, j);
        if (!(own > 0)) {
            return gos__fail(k->ctx, GOS_E_INPUT,
                             "mode %d of the test (%.6g Hz) is zero at all sensors of the model",
                             j + 1, k->test->frequency[j]);
        }
        for (int i = 0; i < c->analysis; i++) {
            double sum[2];
            const double other = square(k, k->analysis, k->of, i);
            product(k, k->analysis, k->of, i, k->test, k->in, j, sum);
            c->mac[(size_t)j * c->analysis + i] =
                other > 0 ? (sum[0] * sum[0] + sum[1] * sum[1]) / (own * other) : 0;
        }
    }
    return GOS_OK;
}

/* Pairs the two unpaired modes of largest MAC, repeatedly, down to GOS_MAC_PAIRED. */
static gos_status find_pairs(const job *k) {
    gos_correlation *c = k->c;
    bool *used = gos__zalloc(k->ctx, (size_t)c->analysis + 1, sizeof *used);
    GOS_TRY(used ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < c->test; j++) {
        c->pair[j] = (gos_mode_pair){.analysis = -1, .difference = (double)NAN};
        for (int i = 0; i < c->analysis; i++) {
            c->pair[j].mac = fmax(c->pair[j].mac, c->mac[(size_t)j * c->analysis + i]);
        }
    }
    for (;;) {
        double most = 0;
        int test = 0, analysis = 0;
        for (int j = 0; j < c->test; j++) {
            for (int i = 0; i < c->analysis && c->pair[j].analysis < 0; i++) {
                const double mac = c->mac[(size_t)j * c->analysis + i];
                if (!used[i] && mac > most) {
                    most = mac;
                    test = j;
                    analysis = i;
                }
            }
        }
        if (!(most >= GOS_MAC_PAIRED)) {
            break;
        }
        const double f = k->test->frequency[test];
        used[analysis] = true;
        c->pair[test] = (gos_mode_pair){
            analysis, most, f > 0 ? k->analysis->frequency[analysis] / f - 1 : (double)NAN};
    }
    gos__free(k->ctx, used);
    return GOS_OK;
}

static void find_comacs(const job *k) {
    gos_correlation *c = k->c;
    for (int s = 0; s < c->sensors; s++) {
        double both = 0, one = 0, other = 0;
        for (int j = 0; j < c->test; j++) {
            const int i = c->pair[j].analysis;
            if (i >= 0) { // shapes of unit length over the sensors
                const double *x = value_at(k->analysis, i, k->of[s]);
                const double *y = value_at(k->test, j, k->in[s]);
                const double xx = (x[0] * x[0] + x[1] * x[1]) / square(k, k->analysis, k->of, i);
                const double yy = (y[0] * y[0] + y[1] * y[1]) / square(k, k->test, k->in, j);
                both += sqrt(xx * yy);
                one += xx;
                other += yy;
            }
        }
        c->comac[s] = one * other > 0   ? both * both / (one * other)
                      : one + other > 0 ? 0
                                        : (double)NAN;
    }
}

/* Phi+ psi of all test modes by least squares: row p of X: pair p; columns 2 j, 2 j + 1: real and
   imaginary part of test mode j. @return false: the shapes are dependent at the sensors */
static bool solve_pairs(const job *k, const int *mode, int n, double *Phi, double *X,
                        double *singular) {
    const gos_correlation *c = k->c;
    const int m = c->sensors;
    lapack_int rank;
    for (int p = 0; p < n; p++) {
        const double scale = sqrt(square(k, k->analysis, k->of, mode[p]));
        for (int s = 0; s < m; s++) {
            Phi[(size_t)p * m + s] = value_at(k->analysis, mode[p], k->of[s])[0] / scale;
        }
    }
    for (int j = 0; j < c->test; j++) {
        for (int s = 0; s < m; s++) {
            const double *y = value_at(k->test, j, k->in[s]);
            X[(size_t)(2 * j) * m + s] = y[0];
            X[(size_t)(2 * j + 1) * m + s] = y[1];
        }
    }
    if (LAPACKE_dgelss(LAPACK_COL_MAJOR, m, n, 2 * c->test, Phi, m, X, m, singular, RANK, &rank) !=
        0) {
        return false;
    }
    for (int p = 0; p < n; p++) { // back to shapes of generalised mass 1
        const double scale = sqrt(square(k, k->analysis, k->of, mode[p]));
        for (int j = 0; j < 2 * c->test; j++) {
            X[(size_t)j * m + p] /= scale;
        }
    }
    return rank == n;
}

static void take_orthogonality(const job *k, const int *mode, int n, const double *X) {
    gos_correlation *c = k->c;
    for (int j = 0; j < c->test; j++) {
        const double *re = X + (size_t)(2 * j) * c->sensors, *im = re + c->sensors;
        double sum = 0;
        for (int p = 0; p < n; p++) {
            sum += re[p] * re[p] + im[p] * im[p];
        }
        for (int p = 0; p < n; p++) {
            c->orthogonality[(size_t)j * c->analysis + mode[p]] =
                sum > 0 ? hypot(re[p], im[p]) / sqrt(sum) : 0;
        }
    }
}

static gos_status find_orthogonality(const job *k) {
    gos_correlation *c = k->c;
    const size_t m = c->sensors;
    int n = 0;
    int *mode = gos__zalloc(k->ctx, (size_t)c->test + 1, sizeof *mode);
    double *Phi = gos__zalloc(k->ctx, m * c->test + 1, sizeof *Phi);
    double *X = gos__zalloc(k->ctx, 2 * m * c->test + 1, sizeof *X);
    double *singular = gos__zalloc(k->ctx, m + 1, sizeof *singular);
    const gos_status status = mode && Phi && X && singular ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int j = 0; j < c->test; j++) {
            if (c->pair[j].analysis >= 0) {
                mode[n++] = c->pair[j].analysis;
            }
        }
        if (n > 0 && (size_t)n <= m && solve_pairs(k, mode, n, Phi, X, singular)) {
            take_orthogonality(k, mode, n, X);
        } else {
            c->orthogonality = NULL;
        }
    }
    gos__free(k->ctx, mode);
    gos__free(k->ctx, Phi);
    gos__free(k->ctx, X);
    gos__free(k->ctx, singular);
    return status;
}

gos_status gos_correlate(gos_ctx *ctx, const gos_shapes *analysis, const gos_shapes *test,
                         gos_correlation *c) {
    *c = (gos_correlation){.analysis = analysis->modes, .test = test->modes};
    gos_arena *a = gos__arena_create(ctx);
    GOS_TRY(a ? GOS_OK : GOS_E_MEMORY);
    c->memory = a;
    const size_t entries = (size_t)test->modes * analysis->modes;
    job k = {.ctx = ctx, .analysis = analysis, .test = test, .c = c};
    k.of = GOS_NEW(a, int, test->sensors + 1);
    k.in = GOS_NEW(a, int, test->sensors + 1);
    c->sensor = GOS_NEW(a, const char *, test->sensors + 1);
    c->mac = GOS_NEW(a, double, entries + 1);
    c->orthogonality = GOS_NEW(a, double, entries + 1);
    c->pair = GOS_NEW(a, gos_mode_pair, test->modes + 1);
    c->comac = GOS_NEW(a, double, test->sensors + 1);
    gos_status status =
        k.of && k.in && c->sensor && c->mac && c->orthogonality && c->pair && c->comac
            ? match_sensors(&k)
            : GOS_E_MEMORY;
    status = status == GOS_OK ? find_macs(&k) : status;
    status = status == GOS_OK ? find_pairs(&k) : status;
    if (status == GOS_OK) {
        find_comacs(&k);
        status = find_orthogonality(&k);
    }
    if (status != GOS_OK) {
        gos_correlation_free(c);
    }
    return status;
}

void gos_correlation_free(gos_correlation *c) {
    gos__arena_destroy(c->memory);
    *c = (gos_correlation){0};
}
