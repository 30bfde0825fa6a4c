/* Reduction methods on benchmark models: the smallest order of a growing sequence that brings the relative
   H-infinity error on a band below 1e-2, 1e-4 and 1e-6, with the error measured against the full model
   and the time to reduce. Models are read from the folder GOSSAMER_MOR_DATA. Prints a table in Markdown.
       bench_linear_reduction [MODEL [METHOD]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gossamer/gossamer.h"
#include "linalg/matrix_market.h"

typedef struct benchmark {
    const char *name;
    bool second, descriptor, resonant;
    double band[2]; // [rad/s], the time unit of rail is its own
} benchmark;

static const benchmark benchmarks[] = {
    {"iss1R", true, false, true, {0.1, 100}},    {"build", true, false, true, {1, 100}},
    {"iss12A", false, false, true, {0.1, 200}},  {"beam", false, false, true, {0.01, 100}},
    {"CDplayer", false, false, true, {1, 1e5}},  {"heat-cont", false, false, false, {0, 1e3}},
    {"rail_109", false, true, false, {0, 0.1}},  {"rail_371", false, true, false, {0, 0.1}},
    {"rail_1357", false, true, false, {0, 0.1}},
};

typedef struct entry {
    const char *label, *method, *ranking;
    int points; // spread over the band
    bool second, first, two_sided, chooses;
} entry;

static const entry entries[] = {
    {"modes by frequency", "modes", NULL, 0, true, false, false, false},
    {"modes by cost", "modes", "cost", 0, true, false, false, false},
    {"modes, balanced ranking", "modes", "balanced", 0, true, false, false, false},
    {"modes_static by cost", "modes_static", "cost", 0, true, false, false, false},
    {"balanced_second", "balanced_second", NULL, 0, true, false, false, false},
    {"irka_second", "irka_second", NULL, 0, true, false, false, false},
    {"krylov, 6 points", "krylov", NULL, 6, true, true, false, false},
    {"krylov, 6 points, two-sided", "krylov", NULL, 6, false, true, true, false},
    {"irka", "irka", NULL, 0, false, true, false, false},
    {"balanced", "balanced", NULL, 0, false, true, false, false},
    {"balanced, order by bound", "balanced", NULL, 0, false, true, false, true},
    {"auto", "auto", NULL, 0, true, true, false, true},
};

static gos_ctx *ctx;

static void die(void) {
    fprintf(stderr, "%s\n", gos_ctx_message(ctx));
    exit(1);
}

static gos_linear *open_model(const benchmark *b) {
    static const char *const which[] = {"A", "B", "C", "E"};
    gos_sparse S[4] = {{0}};
    gos_matrix_view v[4];
    gos_linear *l = NULL;
    for (int k = 0; k < (b->descriptor ? 4 : 3); k++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s/%s.mtx", getenv("GOSSAMER_MOR_DATA"), b->name, which[k]);
        if (gos__matrix_market_read(ctx, path, (gos_loc){0}, NULL, &S[k])) {
            die();
        }
        v[k] = (gos_matrix_view){S[k].m, S[k].n, S[k].nnz, S[k].p, S[k].i, S[k].x};
    }
    const gos_matrices m = {.A = &v[0],
                            .B = &v[1],
                            .C = &v[2],
                            .E = b->descriptor ? &v[3] : NULL,
                            .second_order = b->second};
    if (gos_linear_from_matrices(ctx, &m, &l)) {
        die();
    }
    for (int k = 0; k < 4; k++) {
        gos__sparse_free(ctx, &S[k]);
    }
    return l;
}

typedef struct outcome {
    int order;
    double error, bound, time; // time < 0: failed
} outcome;

static outcome attempt(const gos_linear *l, const benchmark *b, const entry *e, int order,
                       double tolerance) {
    gos_point points[8];
    outcome o = {.order = order, .time = -1, .error = HUGE_VAL};
    for (int k = 0; k < e->points; k++) { // a little off the imaginary axis
        const double lo = b->band[0] > 0 ? b->band[0] : 1e-4 * b->band[1];
        const double w = lo * pow(b->band[1] / lo, (k + 0.5) / e->points);
        points[k] = (gos_point){b->resonant ? 1e-3 * w : w, b->resonant ? w : 0};
    }
    const gos_linear_reduction_options opt = {.method = e->method,
                                              .order = order,
                                              .npoints = e->points,
                                              .points = points,
                                              .two_sided = e->two_sided,
                                              .ranking = e->ranking,
                                              .candidates = e->ranking ? 10000 : 0,
                                              .tolerance = tolerance,
                                              .band = {b->band[0], order ? 0 : b->band[1]}};
    gos_linear_reduction_options plain = opt;
    plain.band[0] = order ? 0 : b->band[0]; // no prediction: the true error follows
    gos_linear_reduction *r = NULL;
    gos_linear_reduction_report report;
    gos_band_error error;
    if (gos_linear_reduce(ctx, l, &plain, &r)) {
        return o;
    }
    gos_linear_reduction_get(r, &report);
    if (gos_linear_band_error(ctx, l, gos_linear_reduction_model(r), b->band[0], b->band[1],
                              &error) == GOS_OK) {
        o = (outcome){.order = report.coordinates + report.temperatures,
                      .error = error.relative,
                      .bound = report.bound / error.largest,
                      .time = report.time_basis + report.time_project};
    }
    gos_linear_reduction_destroy(r);
    return o;
}

/* orders 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, ...; a method that chooses gets the tolerance */
static void table(const gos_linear *l, const benchmark *b, const entry *e, int n, int most) {
    const double tolerances[] = {1e-2, 1e-4, 1e-6};
    const bool chooses = e->chooses;
    int order = 2;
    for (int t = 0; t < 3; t++) {
        outcome o = {.error = HUGE_VAL, .time = -1};
        if (chooses) {
            o = attempt(l, b, e, 0, tolerances[t]);
        }
        for (; !chooses && order <= most; order += order < 12   ? 2
                                                   : order < 24 ? 4
                                                   : order < 64 ? 8
                                                                : 32) {
            o = attempt(l, b, e, order, 0);
            if (o.error <= tolerances[t]) {
                break;
            }
        }
        if (o.time >= 0 && o.error <= (chooses ? HUGE_VAL : tolerances[t])) {
            printf("| %s | %d | %s | %.0e | %d | %.1e | ", b->name, n, e->label, tolerances[t],
                   o.order, o.error);
            if (o.bound > 0) {
                printf("%.1e", o.bound);
            }
            printf(" | %.3f |\n", o.time);
        } else {
            printf("| %s | %d | %s | %.0e | not up to %d | %.1e | | |\n", b->name, n, e->label,
                   tolerances[t], most, o.error);
        }
        fflush(stdout);
    }
}

int main(int argc, char *argv[]) {
    gos_blas_choose(argv);
    if (!getenv("GOSSAMER_MOR_DATA")) {
        printf("GOSSAMER_MOR_DATA does not name the folder of benchmark models\n");
        return 0;
    }
    ctx = gos_ctx_create();
    printf("| model | unknowns | method | wanted | order | error | bound | time [s] |\n");
    printf("|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof benchmarks / sizeof *benchmarks; k++) {
        const benchmark *b = &benchmarks[k];
        if (argc > 1 && strcmp(argv[1], b->name) != 0) {
            continue;
        }
        gos_linear *l = open_model(b);
        gos_linear_info info;
        gos_linear_info_get(l, &info);
        const int n = info.coordinates + info.temperatures;
        for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
            const entry *e = &entries[i];
            const bool fits = b->second ? e->second : e->first;
            if (fits && (argc < 3 || strcmp(argv[2], e->label) == 0)) {
                table(l, b, e, n, n < 320 ? n : 320);
                gos_ctx_clear(ctx);
            }
        }
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
    return 0;
}
