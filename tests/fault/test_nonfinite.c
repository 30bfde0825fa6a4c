/* Numbers that are not finite are traced to what made them: function of time, load, joint, heat
   entry, body and element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"
#include "solve/step_failure.h"

/* a pendulum; what makes trouble is put in the place of the comment */
static const char frame[] =
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1, emissivity: 0.8}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 4}}\n"
    "gravity: [0, -9.81, 0]\n"
    "%s"
    "analysis: {end: 1}\n";
static const char pin[] = "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n";

/* Run it; it must fail with this status and say all of this. */
static void expect_failure(const char *trouble, const char *settings, gos_status status,
                           const char *const *words) {
    verify v;
    char text[4000];
    (void)snprintf(text, sizeof text, frame, trouble);
    verify_text(&v, text, settings);
    gos_status got = v.opt.analysis == GOS_STATIC
                         ? gos_solve_static(v.ctx, v.sys, &v.opt, v.state, &v.stats)
                         : gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &v.run);
    while (got == GOS_OK && v.opt.analysis == GOS_DYNAMIC && v.state->t < v.opt.end) {
        got = gos_integrator_step(v.run, v.opt.end);
    }
    const char *message = gos_ctx_message(v.ctx);
    print_message("  %s\n", message);
    for (int i = 0; words[i]; i++) {
        if (strstr(message, words[i]) == NULL) {
            fail_msg("'%s' is missing in: %s", words[i], message);
        }
    }
    assert_int_equal(got, status);
    // the state is the last good one
    for (int i = 0; i < v.sys->nq; i++) {
        assert_true(isfinite(v.state->q[i]) && isfinite(v.state->v[i]));
    }
    assert_true(isfinite(v.state->energy.work));
    verify_close(&v);
}

#define EXPECT(trouble, settings, status, ...)                                                     \
    expect_failure(trouble, settings, status, (const char *const[]){__VA_ARGS__, NULL})

static void test_functions(void **state) {
    (void)state;
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "%sloads: {push: {type: force, on: rod.end,\n"
                   "  value: [0, 0, sqrt(0.5 - t)]}}\n",
                   pin);
    EXPECT(text, NULL, GOS_E_NONFINITE, "test:8:17: load 'push'", "not a number", "t = 0.5",
           "it must be finite");
    EXPECT(text, "analysis.step=1e-2", GOS_E_NONFINITE, "load 'push'", "not a number", "t = 0.5");
    (void)snprintf(text, sizeof text,
                   "%sheat: {sun: {type: flux, value: log(0.3 - t), direction: "
                   "[0, -1, 0], on: rod}}\n",
                   pin);
    EXPECT(text, NULL, GOS_E_NONFINITE, "heat 'sun'", "t = 0.3");
    // from the beginning
    (void)snprintf(text, sizeof text,
                   "%sloads: {push: {type: force, on: rod.end,\n"
                   "  value: [0, 0, log(t - 0.5)]}}\n",
                   pin);
    EXPECT(text, NULL, GOS_E_NONFINITE, "load 'push'", "t = 0 s");
}

/* A drive that runs to infinity: whether its rates are still numbers at the last attempt of the
   last step is a matter of rounding, and the message must not depend on it. */
static void test_drive_to_infinity(void **state) {
    (void)state;
    for (int k = 0; k < 12; k++) {
        char text[1000], when[32];
        const double end = 0.65 + 1e-3 * k;
        (void)snprintf(text, sizeof text,
                       "joints: {drive: {type: driven, between: [ground, rod.start],\n"
                       "  displacement: [0, 0.1*log(1 - t/%.17g), 0]}}\n",
                       end);
        (void)snprintf(when, sizeof when, "at t = %.3g", end - 1e-3);
        EXPECT(text, NULL, GOS_E_DIVERGED, "joint 'drive'", when,
               "the second derivative of this function of time reaches");
    }
}

/* A load that runs to infinity: its values are finite wherever one looks. */
static void test_pole(void **state) {
    (void)state;
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "%sloads: {push: {type: force, on: rod.end,\n"
                   "  value: [0, 0, 1/(t - 0.1)]}}\n",
                   pin);
    EXPECT(text, NULL, GOS_E_DIVERGED, "test:8:17: load 'push'", "t = 0.1", "reaches");
    // fixed steps are not made shorter before it
    EXPECT(text, "analysis.step=1e-3 bodies.rod.frame=transported", GOS_E_NONFINITE, "load 'push'",
           "infinite at t = 0.1");
    EXPECT(text, "analysis.step=2e-4", GOS_E_DIVERGED, "fixed step of 0.0002 s", "body 'rod'",
           "Use a smaller `step`");
}

/* Loads that drive the motion beyond all bounds; the state stays the last good one. */
static void test_explosions(void **state) {
    (void)state;
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "%sloads: {push: {type: force, on: rod.end, value: [0, 1.0e50*exp(700*t), 0]}}\n", pin);
    EXPECT(text, NULL, GOS_E_DIVERGED, "no solution");
    EXPECT(text, "analysis.step=0.1", GOS_E_DIVERGED, "no solution", "rod");
}

static void test_static(void **state) {
    (void)state;
    EXPECT("joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
           "loads: {push: {type: force, on: rod.end, value: [0, 0, log(t)]}}\n",
           "analysis.type=static", GOS_E_NONFINITE, "load 'push'", "t = 0 s");
}

/* One part of several is found, whatever its place. */
static void test_parts(void **state) {
    (void)state;
    verify v;
    gos_work *w;
    char text[4000];
    (void)snprintf(text, sizeof text, frame,
                   "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
                   "loads: {pull: {type: spring, between: [ground, rod.end], at: [2, 0, 0], "
                   "stiffness: 1e3}}\n"
                   "heat: {glow: {type: radiation, on: rod, sink: 3}, air: {type: convection, on: "
                   "rod.top, coefficient: 5, ambient: 0}}\n");
    verify_text(&v, text, NULL);
    verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
    gos_state *x = v.state;
    const gos_point_of at = {
        .t = 0, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .lam = x->lam, .lamT = x->lamT};
    const struct {
        double *number, value;
        const char *words[2];
    } part[] = {// node 3 has gone far: the elements on both sides overflow
                {&x->q[3 * 6], 1e200, {"body 'rod': element 2 (of 0..3)", "diverged"}},
                {&x->q[3 * 6], (double)NAN, {"coordinates are not finite", "body 'rod', node 3"}},
                // fourth power of a temperature, at the last node
                {&x->th[v.sys->nt - 3], 1e90, {"heat 'glow'", "element 3 (of 0..3)"}},
                {&x->lam[1], HUGE_VAL, {"joint 'pin'", "force"}}};
    assert_int_equal(gos__nonfinite(v.ctx, w, &at), GOS_OK);
    for (int i = 0; i < GOS_COUNT(part); i++) {
        const double good = *part[i].number;
        *part[i].number = part[i].value;
        assert_int_equal(gos__nonfinite(v.ctx, w, &at), GOS_E_NONFINITE);
        const char *message = gos_ctx_message(v.ctx);
        print_message("  %s\n", message);
        assert_non_null(strstr(message, part[i].words[0]));
        assert_non_null(strstr(message, part[i].words[1]));
        *part[i].number = good;
        gos_ctx_clear(v.ctx);
        assert_int_equal(gos__nonfinite(v.ctx, w, &at), GOS_OK);
    }
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

/* A function that switches just when the run ends is no trouble: what holds before it counts. */
static void test_switch_at_the_end(void **state) {
    (void)state;
    verify v;
    char text[4000], trouble[1000];
    (void)snprintf(
        trouble, sizeof trouble,
        "%sloads: {push: {type: force, on: rod.end, value: [0, 0, '(floor(5*t) == 4)']}}\n", pin);
    (void)snprintf(text, sizeof text, frame, trouble);
    for (int i = 0; i < 3; i++) {
        static const char *const end[] = {"analysis.end=1", "analysis.end=1.0000000000001",
                                          "analysis.end=0.9999999999999"};
        verify_text(&v, text, end[i]);
        verify_run(&v);
        assert_true(v.stats.rejected < 20);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_drive_to_infinity),
                                       cmocka_unit_test(test_pole),
                                       cmocka_unit_test(test_explosions),
                                       cmocka_unit_test(test_static),
                                       cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_switch_at_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
