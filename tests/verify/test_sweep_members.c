/* Sweeps with the results of all runs in one file, and the factorised matrices that runs of one
   reduced model share there: what runs alone give within their tolerance, fewer factorisations,
   values at common times, the same for any number of processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "gossamer/gossamer.h"
#include "solve/shared_factors.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"

/* A rod that swings about a pin from rest and bends, pulled at its end as well; 1 m long. */
#define TOLERANCE 1e-4
static const char swinging[] =
    "name: swinging\n"
    "parameters: {g: 9.81, pull: 1, E: 2.0e6}\n"
    "materials: {rubber: {density: 1000, young: E, damping: {normal: 4.0e-3}}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 8}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "loads: {pull: {type: force, on: rod.end, value: [0, 0, pull]}}\n"
    "gravity: [0, -g, 0]\n"
    "probes: {end: {at: rod.end, quantity: position}, middle: {at: rod.at(0.5), quantity: "
    "position}}\n"
    "analysis: {type: dynamic, end: 0.5, tolerance: 1.0e-4}\n"
    "output: {every: 0.05}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 5}\n";

enum { RUNS = 16, PART = 4, VALUES = 6, TIMES = 11 }; // PART squared is RUNS

typedef struct sweep {
    gos_ctx *ctx;
    gos_sweep *s;
} sweep;

static sweep begin(const char *model, const char *vary, int samples, const char *folder_name) {
    sweep k = {.ctx = gos_ctx_create()};
    gos_model *m;
    assert_int_equal(gos_model_parse(k.ctx, model, strlen(model), "model", NULL, &m), GOS_OK);
    assert_int_equal(gos_sweep_create(k.ctx, m, &k.s), GOS_OK);
    gos_model_destroy(m);
    for (char text[256]; *vary != '\0'; vary += strcspn(vary, " ")) {
        vary += *vary == ' ';
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(vary, " "), vary);
        if (gos_sweep_vary(k.ctx, k.s, text) != GOS_OK) {
            fail_msg("%s: %s", text, gos_ctx_message(k.ctx));
        }
    }
    const gos_sampling sampling = {.n = samples, .seed = 1};
    assert_int_equal(gos_sweep_sample(k.ctx, k.s, &sampling), GOS_OK);
    assert_int_equal(gos_sweep_prepare(k.ctx, k.s, folder_path(folder_name)), GOS_OK);
    return k;
}

static void end(sweep *k) {
    gos_sweep_destroy(k->s);
    gos_ctx_destroy(k->ctx);
}

static const char *rom_path(void) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/rom.h5", folder);
    return path;
}

/* the reduced model of them all */
static int prepare(void **state) {
    if (folder_make(state) != 0) {
        return -1;
    }
    verify v = {.ctx = gos_ctx_create()};
    gos_system *small;
    verify_good(&v, gos_model_parse(v.ctx, swinging, strlen(swinging), "model", NULL, &v.model));
    verify_compile(&v);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
    verify_good(&v, gos_rom_save(v.ctx, small, rom_path()));
    gos_system_destroy(small);
    verify_close(&v);
    return 0;
}

static const char vary_loads[] = "g=normal:9.81:0.5 pull=uniform:0.5:1.5";

static void run(sweep *k, bool one_file, int jobs) {
    const gos_sweep_options o = {.jobs = jobs, .rom = rom_path(), .one_file = one_file};
    if (gos_sweep_run(k->ctx, k->s, &o) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(k->ctx));
    }
}

static gos_sweep_result result(const sweep *k, int i) {
    gos_sweep_result r;
    gos_sweep_result_get(k->s, i, &r);
    assert_null(r.failure);
    assert_true(r.has_results);
    assert_int_equal(r.nvalues, VALUES);
    return r;
}

/* Each run spends at most the tolerance (of its extent, 1 m), so two of the same one differ by at
   most twice as much; matrices only decide how fast Newton's iteration gets there. The first member
   of a part has only its own matrices. */
static void test_shared(void **state) {
    GOS_UNUSED(state);
    sweep own = begin(swinging, vary_loads, RUNS, "own"),
          all = begin(swinging, vary_loads, RUNS, "all");
    run(&own, false, 2);
    run(&all, true, 2);
    long made[2] = {0}, iterations[2] = {0};
    for (int i = 0; i < RUNS; i++) {
        const gos_sweep_result a = result(&own, i), b = result(&all, i);
        assert_string_equal(b.name, "members.h5");
        for (int k = 0; k < 3 * VALUES; k++) {
            assert_true(fabs(a.probe[k] - b.probe[k]) < 2 * TOLERANCE);
        }
        if (i % PART > 0) {
            made[0] += a.statistics.factorisations;
            made[1] += b.statistics.factorisations;
            iterations[0] += a.statistics.iterations;
            iterations[1] += b.statistics.iterations;
        }
    }
    print_message("factorisations %ld alone, %ld shared; iterations %ld, %ld\n", made[0], made[1],
                  iterations[0], iterations[1]);
    assert_true(1.4 * (double)made[1] < (double)made[0]); // found: 1.7 times
    assert_true((double)iterations[1] < 1.1 * (double)iterations[0]);
    end(&own);
    end(&all);
}

/* Results are those of the runs, by any process: all bits are the same for one, two and three
 * processes. */
static void test_jobs(void **state) {
    GOS_UNUSED(state);
    static double first[RUNS][3 * VALUES];
    gos_spread spread[3];
    sweep k[3];
    for (int j = 0; j < 3; j++) {
        char name[16];
        (void)snprintf(name, sizeof name, "jobs%d", j);
        k[j] = begin(swinging, vary_loads, RUNS, name);
        run(&k[j], true, j + 1);
        for (int i = 0; i < RUNS; i++) {
            const gos_sweep_result r = result(&k[j], i);
            if (j == 0) {
                memcpy(first[i], r.probe, sizeof first[i]);
            }
            assert_memory_equal(first[i], r.probe, sizeof first[i]);
        }
        assert_int_equal(gos_sweep_distribution(k[j].ctx, k[j].s, 0, &spread[j]), GOS_OK);
        assert_int_equal(spread[j].ntimes, TIMES);
        assert_int_equal(spread[j].ncurves, VALUES);
        assert_int_equal(spread[j].nruns, RUNS);
        assert_memory_equal(spread[0].v, spread[j].v,
                            sizeof(double) * TIMES * VALUES * GOS_SPREAD_COLUMNS);
    }
    for (int t = 0; t < TIMES; t++) {
        assert_true(fabs(spread[0].time[t] - 0.05 * t) < 1e-15);
    }
    char parts[160];
    (void)snprintf(parts, sizeof parts, "%s/jobs0/parts", folder);
    assert_int_not_equal(access(parts, F_OK), 0); // nothing is left of them
    for (int j = 0; j < 3; j++) {
        end(&k[j]);
    }
}

/* A free body: x = v t, whose quantiles are those of v at all times; of one and the other way of
   keeping results. Those of a run that fails are missing, and it is named. */
static void test_values(void **state) {
    GOS_UNUSED(state);
    static const char flying[] =
        "name: flying\n"
        "parameters: {v: 1, m: 1}\n"
        "bodies: {a: {type: rigid, mass: m, inertia: [1, 1, 1], velocity: [v, 0, 0]}}\n"
        "probes: {a: {at: a, quantity: position}}\n"
        "analysis: {end: 2}\n"
        "output: {every: 0.3}\n";
    sweep k = begin(flying, "m=1,-1 v=uniform:1:3", 20, "flying");
    const gos_sweep_options o = {.jobs = 2, .one_file = true};
    gos_spread spread;
    assert_int_equal(gos_sweep_run(k.ctx, k.s, &o), GOS_OK);
    for (int i = 0; i < 40; i++) {
        gos_sweep_result r;
        gos_sweep_result_get(k.s, i, &r);
        assert_int_equal(r.failure == NULL, i < 20);
        assert_int_equal(r.has_results, i < 20);
        assert_true(i < 20 || strstr(r.failure, "mass"));
    }
    assert_int_equal(gos_sweep_distribution(k.ctx, k.s, 0, &spread), GOS_OK);
    assert_int_equal(spread.ntimes, 8); // 0, 0.3, ... 1.8, and the end
    const double *end_row = spread.v + (size_t)7 * GOS_SPREAD_COLUMNS;
    assert_true(spread.time[7] == 2 && fabs(end_row[GOS_SPREAD_Q50] - 4) < 2 * 2.0 / 20);
    for (int t = 0; t < 8; t++) {
        for (int c = 0; c < GOS_SPREAD_COLUMNS; c++) { // all are multiples of time
            assert_true(fabs(spread.v[t * GOS_SPREAD_COLUMNS + c] -
                             end_row[c] * spread.time[t] / 2) < 1e-12);
        }
    }
    assert_int_equal(gos_sweep_distribution(k.ctx, k.s, 1, &spread), GOS_OK);
    assert_int_equal(spread.nruns, 0);
    end(&k);
}

/* A sweep continues with the parts that are there, and gives what it gives at once; a sweep of
 * other runs takes none of them. */
static void test_resumed(void **state) {
    GOS_UNUSED(state);
    sweep whole = begin(swinging, vary_loads, RUNS, "whole");
    run(&whole, true, 2);
    const gos_sweep_options o = {.jobs = 2, .rom = rom_path(), .one_file = true, .resume = true};
    const int *part;
    int n;
    sweep k = begin(swinging, vary_loads, RUNS, "resumed");
    assert_int_equal(gos_sweep_run_part(k.ctx, k.s, &o, RUNS / PART), GOS_E_USE); // from 0 on
    assert_int_equal(gos_sweep_run_part(k.ctx, k.s, &o, 2), GOS_OK);
    end(&k);
    for (int other = 1; other >= 0; other--) {
        k = begin(swinging, other ? "g=normal:9:0.5 pull=uniform:0.5:1.5" : vary_loads, RUNS,
                  "resumed");
        if (other) { // looked at alone: what it does not take it removes
            assert_int_equal(gos_sweep_parts(k.ctx, k.s, &o, &part, &n), GOS_OK);
            assert_int_equal(n, RUNS / PART);
            end(&k);
            k = begin(swinging, vary_loads, RUNS, "resumed");
            assert_int_equal(gos_sweep_run_part(k.ctx, k.s, &o, 2), GOS_OK);
            end(&k);
            continue;
        }
        assert_int_equal(gos_sweep_parts(k.ctx, k.s, &o, &part, &n), GOS_OK);
        assert_int_equal(n, RUNS / PART - 1);
        assert_true(part[0] == 0 && part[1] == 1 && part[2] == 3);
        assert_int_equal(gos_sweep_run(k.ctx, k.s, &o), GOS_OK);
        for (int i = 0; i < RUNS; i++) {
            assert_memory_equal(result(&whole, i).probe, result(&k, i).probe,
                                3 * VALUES * sizeof(double));
        }
        end(&k);
    }
    end(&whole);
}

static int stop_at_once(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(user);
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    return text != NULL;
}

/* Interrupted, it says so of every run that did not come to its end, and writes its file. */
static void test_interrupted(void **state) {
    GOS_UNUSED(state);
    sweep k = begin(swinging, vary_loads, RUNS, "stopped");
    const gos_sweep_options o = {
        .jobs = 2, .rom = rom_path(), .one_file = true, .until = 1e3}; // would take for minutes
    gos_ctx_set_progress(k.ctx, stop_at_once, NULL);
    assert_int_equal(gos_sweep_run(k.ctx, k.s, &o), GOS_E_INTERRUPTED);
    gos_sweep_result r;
    for (int i = 0; i < RUNS; i++) {
        gos_sweep_result_get(k.s, i, &r);
        assert_int_equal(r.status, GOS_E_INTERRUPTED);
        assert_non_null(r.failure);
    }
    assert_int_equal(access(r.path, R_OK), 0);
    end(&k);
}

/* Members whose results do not belong to the others' times, or whose bodies are not those of the
 * reduced model, are named. */
static void test_others(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *vary, *words;
    } cases[] = {{"analysis.end=0.01,0.02", "the probes or output times differ"},
                 {"E=2.0e6,1.0e6", "made from a model with different materials"}};
    for (int j = 0; j < 2; j++) {
        sweep k = {.ctx = gos_ctx_create()};
        gos_model *m;
        gos_sweep_result r;
        assert_int_equal(gos_model_parse(k.ctx, swinging, strlen(swinging), "model", NULL, &m),
                         GOS_OK);
        assert_int_equal(gos_sweep_create(k.ctx, m, &k.s), GOS_OK);
        gos_model_destroy(m);
        assert_int_equal(gos_sweep_vary(k.ctx, k.s, cases[j].vary), GOS_OK);
        assert_int_equal(gos_sweep_prepare(k.ctx, k.s, folder_path("others")), GOS_OK);
        const gos_sweep_options o = {.jobs = 1, .rom = rom_path(), .one_file = true};
        assert_int_equal(gos_sweep_run(k.ctx, k.s, &o), GOS_OK);
        gos_sweep_result_get(k.s, 0, &r);
        assert_null(r.failure);
        gos_sweep_result_get(k.s, 1, &r);
        assert_false(r.has_results);
        if (!r.failure || !strstr(r.failure, cases[j].words)) {
            fail_msg("%s: %s", cases[j].vary, r.failure);
        }
        end(&k);
    }
}

/* A run with user-supplied matrices has no history that it could continue from; a run that only
 * gave some has. */
static void test_not_kept(void **state) {
    GOS_UNUSED(state);
    verify v = {.ctx = gos_ctx_create()};
    gos_system *small;
    gos_shared_factors *shared;
    verify_good(&v, gos_model_parse(v.ctx, swinging, strlen(swinging), "model", NULL, &v.model));
    verify_compile(&v);
    verify_good(&v, gos_rom_load(v.ctx, v.sys, rom_path(), &small));
    verify_good(&v, gos__shared_factors_create(v.ctx, &shared));
    small->shared = shared;
    long made = 0;
    for (int run = 0; run < 2; run++) {
        gos_state *x;
        gos_integrator *g;
        gos_statistics stats;
        gos_options o;
        gos_options_get(small, &o);
        verify_good(&v, gos_state_create(v.ctx, small, &x));
        verify_good(&v, gos_integrator_create(v.ctx, small, &o, x, &g));
        while (gos_state_time(x) < 0.1) {
            verify_good(&v, gos_integrator_step(g, 0.1));
        }
        gos_integrator_statistics(g, &stats);
        if (run == 1) { // the very same one: at most one matrix, at the start of the motion
            assert_true(2 * stats.factorisations < made);
            assert_int_equal(gos_integrator_store_history(g), GOS_E_USE);
        }
        made = stats.factorisations;
        gos_integrator_destroy(g);
        gos_state_destroy(x);
    }
    gos_system_destroy(small);
    gos__shared_factors_destroy(shared);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),      cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_values),      cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_others),
        cmocka_unit_test(test_not_kept),
    };
    return cmocka_run_group_tests(tests, prepare, folder_remove);
}
SUITE_INTERNAL(suite)
