/* Steps that Newton's iteration limits: thin plates clamped to a hub on which moments start and
   stop. The prediction strains their membranes; a matrix with these stresses diverges. A larger
   tolerance must not cost more than a smaller one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/integrator.h"
#include "support/suite.h"
#include "support/turn_model.h"
#include "support/verify.h"

#define FACTOR 8 // work of a factorisation in iterations, as the integrator assumes
#define PANEL(name, root, end, elements)                                                           \
    name ": {type: ancf_plate, material: m, thickness: th, corner: [" root ", -0.5, 0], x: [" end  \
         ", 0, 0], y: [0, 1, 0], elements: " elements "}\n"

static const char craft[] =
    "parameters: {rho: 1600, E: 7e10, th: 5e-3, eta: 1e-4, I: 20, torque: 5}\n"
    "reference_temperature: 293.15\n"
    "materials: {m: {density: rho, young: E, poisson: 0.3, damping: {normal: eta, shear: eta}}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 100, inertia: [I, I, I]}\n"
    "  " PANEL("right", "0.5", "3", "[6, 3]") //
    "  " PANEL(
        "left", "-0.5", "-3",
        "[6, 3]") "joints:\n"
                  "  r: {type: clamp, between: [hub, right.edge.x0]}\n"
                  "  l: {type: clamp, between: [hub, left.edge.x0]}\n"
                  "loads: {m: {type: moment, on: hub, frame: body, moment: ['0.4*torque*(t<3)', "
                  "'torque*(t<2) - torque*(t>=2)*(t<4)', '0.6*torque*(t<1)']}}\n"
                  "probes: {tip: {at: 'right.node(6,1)', quantity: position}}\n"
                  "analysis: {end: 10, error_check: never}\n";

/* ... with one more panel */
static const char three[] =
    "parameters: {rho: 1600, E: 7e10, th: 5e-3, eta: 1e-4, I: 20, torque: 5}\n"
    "reference_temperature: 293.15\n"
    "materials: {m: {density: rho, young: E, poisson: 0.3, damping: {normal: eta, shear: eta}}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 100, inertia: [I, I, I]}\n"
    "  " PANEL("right", "0.5", "3", "[6, 3]") //
    "  " PANEL(
        "left", "-0.5", "-2",
        "[4, 2]") "  top: {type: ancf_plate, material: m, thickness: th, corner: [-0.5, 0.5, 0], "
                  "x: [1, 0, 0], "
                  "y: [0, 2, 0], elements: [2, 4]}\n"
                  "joints:\n"
                  "  r: {type: clamp, between: [hub, right.edge.x0]}\n"
                  "  l: {type: clamp, between: [hub, left.edge.x0]}\n"
                  "  t: {type: clamp, between: [hub, top.edge.y0]}\n"
                  "loads: {m: {type: moment, on: hub, frame: body, moment: ['0.4*torque*(t<3)', "
                  "'torque*(t<2) - torque*(t>=2)*(t<4)', '0.6*torque*(t<1)']}}\n"
                  "probes: {tip: {at: 'right.node(6,1)', quantity: position}}\n"
                  "analysis: {end: 10, error_check: never}\n";

typedef struct outcome {
    double work, rejected;
    double tip[GOS_PROBE_MAX];
} outcome;

static outcome run(const char *text, const char *settings, double tolerance, bool moved) {
    static const double by[3] = {0.7, -1.1, 0.4};
    outcome o;
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test.yaml", NULL, &v.model));
    verify_set(&v, settings);
    if (moved) {
        turn_model(&v, by, 1e3, 1e-3);
    }
    verify_compile(&v);
    v.opt.tolerance = tolerance;
    verify_run(&v);
    verify_probe(&v, NULL, "tip", o.tip);
    o.work = (double)(v.stats.iterations + FACTOR * v.stats.factorisations);
    o.rejected = (double)v.stats.rejected / (double)v.stats.steps;
    print_message("  tolerance %g: %ld steps, %ld rejected, %ld iterations, %ld factorisations\n",
                  tolerance, v.stats.steps, v.stats.rejected, v.stats.iterations,
                  v.stats.factorisations);
    verify_close(&v);
    return o;
}

static void check(const char *text, const char *settings, bool moved) {
    print_message("%s%s\n", settings, moved ? " turned, in mm" : "");
    const outcome coarse = run(text, settings, 1e-3, moved),
                  loose = run(text, settings, 3e-4, moved);
    const outcome tight = run(text, settings, 1e-4, moved);
    verify_below("work at 1e-3 over that at 3e-4", coarse.work / loose.work, 1.1);
    verify_below("work at 3e-4 over that at 1e-4", loose.work / tight.work, 1.1);
    verify_below("rejected at 3e-4", loose.rejected, 0.2);
    // of an extent of 7 m; runs warn above three tolerances
    verify_below("tip at 3e-4 from that at 1e-4 [m]",
                 verify_distance(loose.tip, tight.tip) / (moved ? 1e3 : 1), 3 * 7 * 3e-4);
}

static void test_crafts(void **state) {
    (void)state;
    static const char *const settings[] = {"torque=5", "rho=90 E=2e9 th=0.018 eta=2e-2",
                                           "th=2e-3 eta=1e-3 I=50", "torque=15 th=0.01 eta=2e-3",
                                           "torque=20 rho=300 E=1e10 th=0.01 eta=1e-2"};
    for (int i = 0; i < GOS_COUNT(settings); i++) {
        check(craft, settings[i], false);
    }
}

static void test_turned(void **state) {
    (void)state;
    check(craft, "torque=5", true);
}

static void test_three_panels(void **state) {
    (void)state;
    check(three, "torque=10 th=3e-3 eta=1e-3", false);
}

/* The limit on steps after a failure is part of the history. */
static void test_continued(void **state) {
    (void)state;
    verify v;
    gos_integrator *other;
    gos_state *copy;
    verify_text(&v, craft, "th=2e-3 analysis.tolerance=1e-3");
    verify_start(&v);
    while (((const gos_integrator *)v.run)->limit.left == 0) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    verify_good(&v, gos_integrator_store_history(v.run));
    verify_good(&v, gos_state_create(v.ctx, v.sys, &copy));
    verify_good(&v, gos_state_copy(copy, v.state));
    verify_good(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, copy, &other));
    for (int i = 0; i < 60; i++) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        verify_good(&v, gos_integrator_step(other, v.opt.end));
    }
    assert_true(v.state->t == copy->t);
    assert_memory_equal(v.state->q, copy->q, v.sys->nq * sizeof *copy->q);
    gos_integrator_destroy(other);
    gos_state_destroy(copy);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crafts), cmocka_unit_test(test_turned),
                                       cmocka_unit_test(test_three_panels),
                                       cmocka_unit_test(test_continued)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
