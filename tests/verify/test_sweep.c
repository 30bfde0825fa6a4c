/* Sweeps from C: the values that a text stands for, the order of runs, and that each has the digits
   of a run by itself, whatever their number at a time; where models are linearised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "gossamer/gossamer.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"

/* A rod that falls and hits nothing: y = y0 - g t^2 / 2. */
static const char falling[] =
    "name: falling\n"
    "parameters: {g: 9.81, y0: 1, unused: 2}\n"
    "materials: {rubber: {density: 1000, young: 1.0e7}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, y0, 0], to: [1, y0, 0], "
    "elements: 2}\n"
    "gravity: [0, -g, 0]\n"
    "probes: {end: {at: rod.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 0.1, step: 1.0e-3}\n"
    "output: {every: 0.05}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 3}\n";

typedef struct sweep {
    gos_ctx *ctx;
    gos_sweep *s;
} sweep;

static sweep open_sweep(const char *text) {
    sweep k = {.ctx = gos_ctx_create()};
    gos_model *model;
    assert_int_equal(gos_model_parse(k.ctx, text, strlen(text), "model", NULL, &model), GOS_OK);
    assert_int_equal(gos_model_set(k.ctx, model, "analysis.step", "2.0e-3"), GOS_OK);
    assert_int_equal(gos_sweep_create(k.ctx, model, &k.s), GOS_OK);
    gos_model_destroy(model); // the sweep has its own
    return k;
}

static void close_sweep(sweep *k) {
    gos_sweep_destroy(k->s);
    gos_ctx_destroy(k->ctx);
}

static void vary(const sweep *k, const char *text) {
    if (gos_sweep_vary(k->ctx, k->s, text) != GOS_OK) {
        fail_msg("%s: %s", text, gos_ctx_message(k->ctx));
    }
}

static void test_values(void **state) {
    GOS_UNUSED(state);
    sweep k = open_sweep(falling);
    vary(&k, "g=1:2:3");
    vary(&k, "y0=1:100:3log");
    vary(&k, "gravity=[0, -g, 0],[0, 0, \"-g\"]");
    vary(&k, "unused=0.1:0.4:4");
    assert_int_equal(gos_sweep_prepare(k.ctx, k.s, folder_path("values")), GOS_OK);
    assert_int_equal(gos_sweep_nparameters(k.s), 4);
    assert_string_equal(gos_sweep_parameter(k.s, 2), "gravity");
    assert_int_equal(gos_sweep_nruns(k.s), 3 * 3 * 2 * 4);
    static const char *const g[] = {"1", "1.5", "2"}, *const y0[] = {"1", "1e+01", "1e+02"};
    static const char *const gravity[] = {"[0, -g, 0]", "[0, 0, \"-g\"]"};
    static const char *const unused[] = {"0.1", "0.2", "0.3", "0.4"};
    for (int i = 0; i < 72; i++) {
        gos_sweep_result r;
        gos_sweep_result_get(k.s, i, &r);
        assert_string_equal(r.value[0], g[i / 24]);
        assert_string_equal(r.value[1], y0[i / 8 % 3]);
        assert_string_equal(r.value[2], gravity[i / 4 % 2]);
        assert_string_equal(r.value[3], unused[i % 4]);
    }
    gos_sweep_result last;
    gos_sweep_result_get(k.s, 71, &last);
    assert_string_equal(last.name, "072_g=2_y0=1e+02_gravity=-0--0----g--_unused=0.4.h5");
    close_sweep(&k);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text;
        gos_status status;
        const char *words;
    } cases[] = {
        {"g", GOS_E_USE, "NAME=FROM:TO:NUMBER"},
        {"g=", GOS_E_USE, "NAME=FROM:TO:NUMBER"},
        {"=1,2", GOS_E_USE, "NAME=FROM:TO:NUMBER"},
        {"g=1:2", GOS_E_USE, "NAME=FROM:TO:NUMBER"},
        {"g=1:2:3:4", GOS_E_USE, "NAME=FROM:TO:NUMBER"},
        {"g=1:x:3", GOS_E_USE, "must be numbers"},
        {"g=1:2:log", GOS_E_USE, "must be numbers"},
        {"g=1:2:1", GOS_E_USE, "from 2 to"},
        {"g=1:2:2.5", GOS_E_USE, "from 2 to"},
        {"g=0:2:3log", GOS_E_USE, "greater than 0"},
        {"g=1,,2", GOS_E_USE, "a value is missing"},
        {"y0=1,2", GOS_E_USE, "is given twice"},
        {"nothing=1,2", GOS_E_INPUT, "nothing"},
    };
    sweep k = open_sweep(falling);
    vary(&k, "y0=1,2");
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        gos_ctx_clear(k.ctx);
        assert_int_equal(gos_sweep_vary(k.ctx, k.s, cases[i].text), cases[i].status);
        if (!strstr(gos_ctx_message(k.ctx), cases[i].words)) {
            fail_msg("%s: %s", cases[i].text, gos_ctx_message(k.ctx));
        }
    }
    assert_int_equal(gos_sweep_nparameters(k.s), 1); // what was refused has left nothing
    const gos_sweep_options one = {.jobs = 1};
    assert_int_equal(gos_sweep_run(k.ctx, k.s, &one), GOS_E_USE);
    assert_int_equal(gos_sweep_prepare(k.ctx, k.s, folder_path("no/such/folder")), GOS_E_FILE);
    vary(&k, "g=1:2:60000");
    assert_int_equal(gos_sweep_prepare(k.ctx, k.s, folder_path("many")), GOS_E_LIMIT);
    close_sweep(&k);
}

/* y at the end by itself, with the same settings */
static double alone(const char *g, const char *y0, bool reduced, double until) {
    verify v = {.ctx = gos_ctx_create()};
    double last;
    gos_results *file;
    gos_results_info info;
    const double *y;
    verify_good(&v, gos_model_parse(v.ctx, falling, strlen(falling), "model", NULL, &v.model));
    verify_good(&v, gos_model_set(v.ctx, v.model, "analysis.step", "2.0e-3"));
    verify_good(&v, gos_model_set(v.ctx, v.model, "g", g));
    verify_good(&v, gos_model_set(v.ctx, v.model, "y0", y0));
    verify_compile(&v);
    gos_system *small = NULL;
    if (reduced) {
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &small));
    }
    gos_options_until(&v.opt, until);
    verify_good(&v, gos_run(v.ctx, small ? small : v.sys, &v.opt, folder_path("alone.h5"), NULL));
    verify_good(&v, gos_results_open(v.ctx, folder_path("alone.h5"), &file));
    gos_results_info_get(file, &info);
    verify_good(&v, gos_results_probe(file, 0, &y, NULL));
    last = y[3 * (info.nrows - 1) + 1];
    gos_results_close(file);
    gos_system_destroy(small);
    verify_close(&v);
    return last;
}

static void test_runs(void **state) {
    GOS_UNUSED(state);
    static const char *const g[] = {"4", "6", "8"}, *const y0[] = {"1", "2"};
    for (int k = 0; k < 4; k++) {
        const gos_sweep_options o = {
            .jobs = k < 2 ? 1 + 2 * k : 2, .reduced = k == 2, .until = k == 3 ? 0.15 : 0};
        const double end = k == 3 ? 0.15 : 0.1;
        sweep s = open_sweep(falling);
        vary(&s, "g=4:8:3");
        vary(&s, "y0=1,2");
        char where[16];
        (void)snprintf(where, sizeof where, "runs%d", k);
        assert_int_equal(gos_sweep_prepare(s.ctx, s.s, folder_path(where)), GOS_OK);
        assert_int_equal(gos_sweep_run(s.ctx, s.s, &o), GOS_OK);
        for (int i = 0; i < 6; i++) {
            gos_sweep_result r;
            gos_sweep_result_get(s.s, i, &r);
            assert_null(r.failure);
            assert_true(r.has_results && r.wall > 0);
            assert_int_equal(r.statistics.steps, k == 3 ? 75 : 50);
            assert_int_equal(r.nvalues, 3);
            assert_string_equal(r.key[1], "end.y");
            const double last = r.probe[3], least = r.probe[4], largest = r.probe[5];
            const double start = strtod(y0[i % 2], NULL), pull = strtod(g[i / 2], NULL);
            assert_true(last == alone(g[i / 2], y0[i % 2], k == 2, end)); // to the last bit
            assert_true(last == least && fabs(largest - start) < 1e-15);
            // accelerations are constant: the scheme is exact
            assert_true(fabs(last - (start - pull * end * end / 2)) < 1e-8);
        }
        close_sweep(&s);
    }
}

static int stop_at_once(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(user);
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    return text != NULL;
}

static void test_stopped(void **state) {
    GOS_UNUSED(state);
    sweep k = open_sweep(falling);
    vary(&k, "analysis.end=1e4,2e4,3e4"); // would take for minutes
    assert_int_equal(gos_sweep_prepare(k.ctx, k.s, folder_path("stopped")), GOS_OK);
    gos_ctx_set_progress(k.ctx, stop_at_once, NULL);
    const gos_sweep_options two = {.jobs = 2};
    assert_int_equal(gos_sweep_run(k.ctx, k.s, &two), GOS_E_INTERRUPTED);
    for (int i = 0; i < 3; i++) {
        gos_sweep_result r;
        gos_sweep_result_get(k.s, i, &r);
        assert_int_equal(r.status, GOS_E_INTERRUPTED);
        assert_string_equal(r.failure, i < 2 ? "interrupted" : "not started");
        assert_int_equal(r.has_results, i < 2);
    }
    close_sweep(&k);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
