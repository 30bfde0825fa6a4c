/* `integrator: auto`: the integrator of each rule, its digits, and runs that continue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"
#include "system/integrator_choice.h"

static const char pendulum[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {at: {at: b.centre, quantity: position}}\n"
    "analysis: {end: 1, integrator: auto}\n";

static int choice(const char *settings) {
    verify v;
    verify_text(&v, pendulum, settings);
    const int chosen = gos__integrator_of(v.sys, &v.opt, NULL);
    verify_close(&v);
    return chosen;
}

static void rules(void **state) {
    GOS_UNUSED(state);
    verify v;
    const char *why;
    assert_int_equal(choice(NULL), GOS_RADAU);
    assert_int_equal(choice("analysis.tolerance=1e-6"), GOS_RADAU);
    assert_int_equal(choice("analysis.tolerance=1e-3"), GOS_GENERALISED_ALPHA);
    assert_int_equal(choice("analysis.step=0.01"), GOS_GENERALISED_ALPHA);
    assert_int_equal(choice("analysis.rho_infinity=0.5"), GOS_GENERALISED_ALPHA);
    assert_int_equal(choice("analysis.max_order=2"), GOS_BDF);
    assert_int_equal(choice("analysis.integrator=bdf"), GOS_BDF);
    verify_open(&v, "examples/laminated-panel/model.yaml",
                "analysis.integrator=auto analysis.tolerance=1e-5");
    assert_int_equal(gos__integrator_of(v.sys, &v.opt, &why), GOS_GENERALISED_ALPHA);
    assert_non_null(strstr(why, "plates"));
    verify_close(&v);
}

/* options of a program, which no settings have checked */
static void options(void **state) {
    GOS_UNUSED(state);
    verify v;
    const char *why;
    verify_text(&v, pendulum, NULL);
    v.opt.step = 0.01;
    assert_int_equal(gos__integrator_of(v.sys, &v.opt, &why), GOS_GENERALISED_ALPHA);
    assert_non_null(strstr(why, "`step`"));
    v.opt.integrator = GOS_BDF;
    assert_int_equal(gos__integrator_of(v.sys, &v.opt, &why), GOS_BDF);
    assert_null(why);
    verify_close(&v);
}

static void end_of(const char *settings, double p[GOS_PROBE_MAX]) {
    verify v;
    verify_text(&v, pendulum, settings);
    verify_run(&v);
    verify_probe(&v, NULL, "at", p);
    verify_close(&v);
}

static void same_digits(void **state) {
    GOS_UNUSED(state);
    double is[GOS_PROBE_MAX], expected[GOS_PROBE_MAX];
    end_of(NULL, is);
    end_of("analysis.integrator=radau", expected);
    assert_memory_equal(is, expected, 3 * sizeof *is);
    end_of("analysis.tolerance=1e-3", is);
    end_of("analysis.tolerance=1e-3 analysis.integrator=generalised_alpha", expected);
    assert_memory_equal(is, expected, 3 * sizeof *is);
}

static void to_end(const verify *v, gos_integrator *run, const gos_state *x) {
    while (gos_state_time(x) < v->opt.end) {
        verify_good(v, gos_integrator_step(run, v->opt.end));
    }
}

static void continues(void **state) {
    GOS_UNUSED(state);
    static const char *const each[] = {NULL, "analysis.tolerance=1e-3"};
    for (int i = 0; i < GOS_COUNT(each); i++) {
        verify v;
        gos_state *x;
        gos_integrator *run;
        verify_text(&v, pendulum, each[i]);
        verify_start(&v);
        for (int k = 0; k < 5; k++) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        verify_good(&v, gos_integrator_store_history(v.run));
        verify_good(&v, gos_state_create(v.ctx, v.sys, &x));
        verify_good(&v, gos_state_copy(x, v.state));
        verify_good(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, x, &run));
        to_end(&v, v.run, v.state);
        to_end(&v, run, x);
        assert_memory_equal(x->q, v.state->q, v.sys->nq * sizeof *x->q);
        assert_memory_equal(x->v, v.state->v, v.sys->nq * sizeof *x->v);
        gos_integrator_destroy(run);
        gos_state_destroy(x);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules), cmocka_unit_test(options),
                                       cmocka_unit_test(same_digits), cmocka_unit_test(continues)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
