/* The error norms, on files whose differences are known in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gossamer/io.h"
#include "results/results.h"
#include "support/near.h"
#include "support/suite.h"

enum { NODES = 3 };

static const char *const xyz[] = {"x", "y", "z"};
static const char *const tt[] = {"T", "T_y"};
static const gos_probe_info probes[] = {{"tip", "position", "m", 3, xyz, 0, true},
                                        {"heat", "temperature", "K, K/m", 2, tt, 0, true}};

/* What is added to a run: a shift 5e-3 t in the direction (3, 4, 0) / 5, twice that at the last
   node, 0.1 t^2 to temperatures. */
typedef struct variant {
    double shift, heat;
    const double *times; // of frames and rows alike
    int n;
    int nodes;
    int every; // rows at each so many frames; 0: at all
} variant;

static void write_run(gos_ctx *ctx, const char *path, const variant *v) {
    static const int cell_offset[] = {0, 2, 4}, cell_nodes[] = {0, 1, 1, 2}, cell_body[] = {0, 0};
    static const char *const bodies[] = {"rod"};
    const int first_node[] = {0, v->nodes};
    const double reference[3 * NODES] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const gos_writer_layout layout = {
        .name = "known",
        .text = "",
        .options = "",
        .sizes = {.extent = 2},
        .probes = probes,
        .nprobes = 2,
        .mesh = {v->nodes, v->nodes - 1, 1, cell_offset, cell_nodes, cell_body, bodies, first_node},
        .reference = reference,
        .thermal = true};
    const gos_statistics stats = {.time_total = v->shift != 0 ? 0.5 : 2, .time_setup = 0.25};
    gos_writer *w;
    assert_int_equal(gos__writer_create(ctx, path, &layout, &w), GOS_OK);
    for (int k = 0; k < v->n; k++) {
        const double t = v->times[k];
        double x[3 * NODES], d[3 * NODES], temperature[NODES], rate[NODES];
        for (int i = 0; i < NODES; i++) {
            const double shift = v->shift * (i == NODES - 1 ? 2 : 1);
            x[3 * i] = i + t * t * t + 0.6 * shift * t; // Hermite meets cubics exactly
            x[3 * i + 1] = t * t + 0.8 * shift * t;
            x[3 * i + 2] = 0;
            d[3 * i] = 3 * t * t + 0.6 * shift;
            d[3 * i + 1] = 2 * t + 0.8 * shift;
            d[3 * i + 2] = 0;
            temperature[i] = 10 * i * t + v->heat * t * t;
            rate[i] = 10 * i + 2 * v->heat * t;
        }
        const gos_frame frame = {.time = t,
                                 .position = x,
                                 .velocity = d,
                                 .temperature = temperature,
                                 .temperature_rate = rate};
        double values[5], rates[5];
        memcpy(values, x + 3 * (NODES - 1), 3 * sizeof(double));
        memcpy(rates, d + 3 * (NODES - 1), 3 * sizeof(double));
        values[3] = values[4] = temperature[NODES - 1];
        rates[3] = rates[4] = rate[NODES - 1];
        assert_int_equal(gos__writer_frame(w, &frame), GOS_OK);
        if (v->every == 0 || k % v->every == 0) {
            assert_int_equal(gos__writer_row(w, t, values, rates), GOS_OK);
        }
    }
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
}

static gos_results *open_run(gos_ctx *ctx, const char *name, const variant *v) {
    char path[128];
    gos_results *r;
    (void)snprintf(path, sizeof path, "/tmp/gossamer_compare_%ld_%s.h5", (long)getpid(), name);
    write_run(ctx, path, v);
    assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
    (void)unlink(path); // it stays readable while it is open
    return r;
}

static double evenly[101];
static const double few[] = {0, 0.3, 0.55, 1};

static void test_known_errors(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    for (int i = 0; i <= 100; i++) {
        evenly[i] = i / 100.0;
    }
    gos_results *a = open_run(ctx, "a", &(variant){0, 0, evenly, 101, NODES, 0});
    gos_results *b = open_run(ctx, "b", &(variant){5e-3, 0.1, few, 4, NODES, 0});
    gos_comparison c;
    assert_int_equal(gos_compare(ctx, a, b, &c), GOS_OK);
    assert_true(c.same_mesh && c.thermal);
    // e(t) = 5e-3 t sqrt((1 + 1 + 4) / 3); its RMS over time by the trapezoidal rule: 1/3 + h^2/6
    const double e = 5e-3 * sqrt(2), rms = sqrt(1.0 / 3 + 1e-4 / 6);
    near_mixed(c.position.max, e, 1e-12, 1e-12);
    near_mixed(c.position.rms, e * rms, 1e-12, 1e-12);
    near_mixed(c.position.max_time, 1, 1e-12, 1e-12);
    near_mixed(c.position.worst, 1e-2, 1e-12, 1e-12);
    assert_int_equal(c.position.worst_node, NODES - 1);
    near_mixed(c.position.scale, 2, 1e-12, 1e-12);
    near_mixed(c.temperature.max, 0.1, 1e-12, 1e-12);
    near_mixed(c.temperature.scale, 20, 1e-12, 1e-12);
    near_mixed(gos_comparison_worst(&c), 0.1 / 20, 1e-12, 1e-12);
    assert_int_equal(c.nprobes, 3);
    assert_string_equal(c.probe[0].name, "tip");
    assert_null(c.probe[0].component);
    near_mixed(c.probe[0].max, 1e-2, 1e-12, 1e-12);
    near_mixed(c.probe[0].rms, 1e-2 * rms, 1e-12, 1e-12);
    near_mixed(c.probe[0].scale, 2, 1e-12, 1e-12);
    assert_string_equal(c.probe[2].component, "T_y");
    assert_string_equal(c.probe[1].unit, "K");
    assert_string_equal(c.probe[2].unit, "K/m");
    near_mixed(c.probe[2].max, 0.1, 1e-12, 1e-12);
    near_mixed(c.probe[2].scale, 20, 1e-12, 1e-12);
    near_mixed(c.time_a / c.time_b, 4, 1e-12, 1e-12);
    // over time: e(t) of the fields, the distance of the tip, 0.1 t^2
    assert_int_equal(c.ntimes, 101);
    for (int k = 0; k <= 100; k++) {
        const double t = k / 100.0;
        near_mixed(c.times[k], t, 1e-12, 1e-12);
        near_mixed(c.position_history[k], e * t, 1e-12, 1e-12);
        near_mixed(c.temperature_history[k], 0.1 * t * t, 1e-12, 1e-12);
        near_mixed(c.probe[0].history[k], 1e-2 * t, 1e-12, 1e-12);
        near_mixed(c.probe[2].history[k], 0.1 * t * t, 1e-12, 1e-12);
    }
    gos_comparison_free(ctx, &c);

    // nothing differs from itself
    assert_int_equal(gos_compare(ctx, a, a, &c), GOS_OK);
    assert_true(gos_comparison_worst(&c) == 0 && c.position.worst == 0);
    gos_comparison_free(ctx, &c);
    gos_results_close(a);
    gos_results_close(b);
    gos_ctx_destroy(ctx);
}

/* fewer steps than output times: up to each step its difference; and more of them: the largest
   one */
static void test_history_of_probes(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    static const double tenths[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    gos_results *a = open_run(ctx, "a", &(variant){0, 0, evenly, 101, NODES, 10});
    gos_results *b = open_run(ctx, "b", &(variant){5e-3, 0.1, few, 4, NODES, 0});
    gos_results *fine = open_run(ctx, "fine", &(variant){0, 0, evenly, 101, NODES, 0});
    gos_comparison c;
    assert_int_equal(gos_compare(ctx, a, b, &c), GOS_OK);
    assert_int_equal(c.ntimes, 101);
    for (int k = 0; k <= 100; k++) {
        near_mixed(c.probe[0].history[k], 1e-2 * tenths[(k + 9) / 10], 1e-12, 1e-12);
    }
    gos_comparison_free(ctx, &c);
    gos_results *coarse = open_run(ctx, "c", &(variant){0, 0, tenths, 11, NODES, 0});
    assert_int_equal(gos_compare(ctx, coarse, fine, &c), GOS_OK);
    assert_int_equal(c.ntimes, 11);
    assert_true(c.probe[0].max < 1e-12 && c.probe[0].history[10] < 1e-12);
    gos_comparison_free(ctx, &c);
    gos_results_close(a);
    gos_results_close(b);
    gos_results_close(fine);
    gos_results_close(coarse);
    gos_ctx_destroy(ctx);
}

/* the picture of a comparison as a text; what gos_comparison_picture returns */
static gos_status draw(gos_ctx *ctx, const gos_comparison *c, char **text) {
    size_t n;
    FILE *f = open_memstream(text, &n);
    assert_non_null(f);
    const gos_status status = gos_comparison_picture(ctx, c, f);
    assert_int_equal(fclose(f), 0);
    return status;
}

static int count(const char *text, const char *what) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

/* Eight probes at most are drawn, those with the largest differences, beside position and
   temperature; what has no scale or is no number is left out, and nothing at all is an error in
   words. */
static void test_picture(void **state) {
    (void)state;
    enum { PROBES = 11 };
    gos_ctx *ctx = gos_ctx_create();
    double times[] = {0, 1, 2}, history[] = {0, 1e-3, 2e-3};
    char names[PROBES][16];
    gos_probe_error probe[PROBES];
    for (int i = 0; i < PROBES; i++) {
        (void)snprintf(names[i], sizeof names[i], "p%d", i);
        probe[i] = (gos_probe_error){
            .name = names[i], .unit = "m", .max = 2e-3, .scale = 1.0 / (1 + i), .history = history};
    }
    probe[1].scale = 0;
    probe[2].max = (double)NAN;
    gos_comparison c = {.same_mesh = true,
                        .position = {.max = 2e-3, .scale = 3},
                        .nprobes = PROBES,
                        .probe = probe,
                        .to = 2,
                        .ntimes = 3,
                        .times = times,
                        .position_history = history};
    char *text;
    assert_int_equal(draw(ctx, &c, &text), GOS_OK);
    assert_int_equal(count(text, "fill=\"none\" stroke="), 9);
    assert_non_null(strstr(text, ">position<"));
    assert_null(strstr(text, ">temperature<"));
    assert_null(strstr(text, ">p0<")); // the least of nine
    assert_null(strstr(text, ">p1<"));
    assert_null(strstr(text, ">p2<"));
    assert_non_null(strstr(text, ">p3<"));
    assert_non_null(strstr(text, ">p10<"));
    assert_null(strstr(text, "nan"));
    free(text);
    c.position.scale = 0;
    c.nprobes = 0;
    assert_int_equal(draw(ctx, &c, &text), GOS_E_USE);
    free(text);
    assert_non_null(strstr(gos_ctx_message(ctx), "no difference has a scale"));
    gos_ctx_destroy(ctx);
}

static void test_other_mesh_and_end(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    static const double half[] = {0, 0.25, 0.5};
    gos_results *a = open_run(ctx, "a", &(variant){0, 0, evenly, 101, NODES, 0});
    gos_results *b = open_run(ctx, "b", &(variant){5e-3, 0, half, 3, NODES - 1, 0});
    gos_comparison c;
    assert_int_equal(gos_compare(ctx, a, b, &c), GOS_OK);
    assert_false(c.same_mesh);
    near_mixed(c.to, 0.5, 1e-12, 1e-12);
    near_mixed(c.probe[0].max, 0.5e-2, 1e-12, 1e-12);
    assert_null(c.position_history);
    assert_int_equal(c.ntimes, 51);
    near_mixed(c.probe[0].history[50], 0.5e-2, 1e-12, 1e-12);
    near_mixed(c.probe[0].history[25], 0.25e-2, 1e-12, 1e-12);
    near_mixed(gos_comparison_worst(&c), 0.5e-2 / 2, 1e-12, 1e-12);
    assert_int_equal(gos_ctx_ndiag(ctx), 1); // a warning about the shorter run
    gos_comparison_free(ctx, &c);
    gos_results_close(a);
    gos_results_close(b);
    gos_ctx_destroy(ctx);
}

static void test_not_a_number(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_results *a = open_run(ctx, "a", &(variant){0, 0, few, 4, NODES, 0});
    gos_results *b = open_run(ctx, "b", &(variant){(double)NAN, 0, few, 4, NODES, 0});
    gos_comparison c;
    assert_int_equal(gos_compare(ctx, a, b, &c), GOS_OK);
    assert_true(isinf(gos_comparison_worst(&c)));
    gos_comparison_free(ctx, &c);
    gos_results_close(a);
    gos_results_close(b);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_errors), cmocka_unit_test(test_history_of_probes),
        cmocka_unit_test(test_picture), cmocka_unit_test(test_other_mesh_and_end),
        cmocka_unit_test(test_not_a_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
