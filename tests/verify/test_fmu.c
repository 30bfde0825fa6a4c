/* Functional mock-up units for co-simulation, version 2, against runs of the same models in this
 * program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/fmu.h"
#include "support/suite.h"

/* ---- runs to compare with -------------------------------------------------------------------- */

enum { MOST_ROWS = 4000, MOST_VALUES = 60 };

typedef struct rows {
    int n, nvalue;
    double time[MOST_ROWS], value[MOST_ROWS][MOST_VALUES];
} rows;
static rows plain;

static int begin_rows(void *user, const gos_run_info *run) {
    rows *r = user;
    r->n = 0;
    r->nvalue = run->nvalues;
    return run->nvalues <= MOST_VALUES ? 0 : -1;
}

static int take_row(void *user, double time, const double *value, const double *rate) {
    rows *r = user;
    (void)rate;
    if (r->n == MOST_ROWS) {
        return -1;
    }
    r->time[r->n] = time;
    memcpy(r->value[r->n++], value, (size_t)r->nvalue * sizeof *value);
    return 0;
}

static void run_plain(gos_ctx *ctx, gos_model *model, bool reduced, double end) {
    static const gos_sink sink = {.begin = begin_rows, .row = take_row};
    gos_system *full = NULL, *small = NULL;
    gos_options options;
    int n;
    gos_status status = reduced ? gos_model_reduce_bodies(ctx, model, &n) : GOS_OK;
    status = status == GOS_OK ? gos_system_create(ctx, model, &full) : status;
    gos_sizes sizes = {0};
    if (status == GOS_OK) {
        gos_system_sizes(full, &sizes);
    }
    if (status == GOS_OK && reduced && sizes.points > 0) {
        status = gos_reduce_auto(ctx, full, &small);
    }
    if (status == GOS_OK) {
        gos_options_get(full, &options);
        options.end = end;
        status = gos_run_into(ctx, small ? small : full, &options, NULL, &sink, &plain, NULL);
    }
    if (status != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    gos_system_destroy(small);
    gos_system_destroy(full);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int outputs(const fmu *u, unsigned reference[MOST_VALUES]) {
    int n = 0;
    for (const char *s = u->xml; (s = strstr(s, "causality=\"output\"")) && n < MOST_VALUES; s++) {
        const char *begin = s;
        char value[200];
        while (begin > u->xml && *begin != '<') {
            begin--;
        }
        fmu_attribute(begin, "valueReference", value);
        reference[n++] = (unsigned)strtoul(value, NULL, 10);
    }
    return n;
}

/* the largest difference, relative to the range of each value; rows of the run are every `each`
 * steps of the master */
static double compare(const fmu *u, double end, double size, int each, bool *same) {
    unsigned reference[MOST_VALUES];
    double value[MOST_VALUES], worst = 0;
    const int n = outputs(u, reference);
    const fmi2Component c = fmu_make(u, fmi2CoSimulation);
    assert_int_equal(n, plain.nvalue);
    fmu_begin(u, c, end);
    *same = true;
    const int steps = (int)lround(end / size);
    for (int k = 0; k <= steps; k++) {
        if (k > 0) {
            fmu_is_ok(u->fmi2DoStep(c, (k - 1) * size, size, fmi2True));
        }
        const int row = each > 0 ? k * each : k == 0 ? 0 : k == steps ? plain.n - 1 : -1;
        fmu_is_ok(u->fmi2GetReal(c, reference, (size_t)n, value));
        for (int i = 0; i < n && row >= 0; i++) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int j = 0; j < plain.n; j++) {
                low = fmin(low, plain.value[j][i]);
                high = fmax(high, plain.value[j][i]);
            }
            *same = *same && value[i] == plain.value[row][i];
            worst = fmax(worst, fabs(value[i] - plain.value[row][i]) / fmax(high - low, 1e-12));
        }
    }
    fmu_is_ok(u->fmi2Terminate(c));
    u->fmi2FreeInstance(c);
    return worst;
}

/* a unit goes to other machines: its reduced model, where there is one, does not say where it was
 * made */
static void expect_movable(const fmu *u, bool stored) {
    char path[400];
    (void)snprintf(path, sizeof path, "%s/resources/reduced.h5", u->place);
    FILE *in = fopen(path, "rb");
    assert_int_equal(in != NULL, stored);
    if (in) {
        static char bytes[1 << 22];
        const size_t n = fread(bytes, 1, sizeof bytes, in);
        assert_int_equal(fclose(in), 0);
        assert_true(n > 1000 && n < sizeof bytes);
        for (size_t i = 0; i + sizeof GOS_SOURCE_DIR <= n; i++) {
            assert_memory_not_equal(bytes + i, GOS_SOURCE_DIR, sizeof GOS_SOURCE_DIR - 1);
        }
    }
}

/* steps of fixed length, and a communication point after every ten of them: the same steps */
static void expect_bits(const char *example, const char *(*settings)[2], bool reduced, double step,
                        double end) {
    gos_ctx *ctx = gos_ctx_create();
    char path[400];
    fmu u;
    bool same;
    (void)snprintf(path, sizeof path, "%s/examples/%s/model.yaml", GOS_SOURCE_DIR, example);
    gos_model *model = fmu_model(ctx, path);
    for (; (*settings)[0]; settings++) {
        fmu_with(ctx, model, (*settings)[0], (*settings)[1]);
    }
    fmu_of(ctx, model, (gos_fmu_options){.version = 2, .reduced = reduced}, example, &u);
    expect_movable(&u, reduced && strcmp(example, "dumbbell-satellite") == 0);
    run_plain(ctx, model, reduced, end);
    assert_int_equal(plain.n, lround(end / step) + 1);
    const double worst = compare(&u, end, 10 * step, 10, &same);
    if (!same) {
        fail_msg("%s: other digits, by %g of the ranges", example, worst);
    }
    fmu_close(&u);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static void test_pendulum(void **state) {
    (void)state;
    static const char *settings[][2] = {{"n", "6"}, {"analysis.step", "1.0e-3"}, {NULL, NULL}};
    expect_bits("thermal-pendulum", settings, false, 1e-3, 0.3);
}

static void test_hub_beam(void **state) {
    (void)state;
    static const char *settings[][2] = {{"n", "8"}, {NULL, NULL}};
    expect_bits("hub-beam", settings, true, 1e-3, 0.5);
}

static void test_satellite(void **state) {
    (void)state;
    static const char *settings[][2] = {
        {"analysis.step", "0.01"},
        {"reduction", "{method: rotation_closed, fields: modes, number: 12}"},
        {NULL, NULL}};
    expect_bits("dumbbell-satellite", settings, true, 0.01, 1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum),
                                       cmocka_unit_test(test_hub_beam),
                                       cmocka_unit_test(test_satellite)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
