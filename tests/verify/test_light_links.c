/* Mechanisms of light floating beams on hinges, whose frames have no inertia but that of the beams:
   their mass stays positive with all products of the shortening (`shortening_inertia`), with any
   reference condition; against ancf_beam. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/turn_model.h"
#include "support/verify.h"

#define LINKS(a, b)                                                                                \
    "materials: {s: {density: 2700, young: 7e10, poisson: 0.3, damping: {normal: 2e-5, shear: "    \
    "2e-5}}}\n"                                                                                    \
    "sections: {bar: {type: rectangle, height: 0.012, width: 0.03}}\n"                             \
    "bodies:\n"                                                                                    \
    "  a: {type: %s, material: s, section: bar, from: [0, 0, 0], to: " a ", elements: 6, normal: " \
    "[0, 0, 1]%s}\n"                                                                               \
    "  b: {type: %s, material: s, section: bar, from: " a ", to: " b ", elements: 6, normal: [0, " \
    "0, 1]%s}\n"

/* two links with motors that turn them against each other, and a mass */
static const char arm[] =
    LINKS("[0.8, 0, 0]", "[1.5, 0, 0]") "  p: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], "
                                        "position: [1.5, 0, 0]}\n"
                                        "joints:\n"
                                        "  i: {type: revolute, between: [ground, a.start], axis: "
                                        "[0, 0, 1]}\n"
                                        "  j: {type: revolute, between: [a.end, b.start], axis: "
                                        "[0, 0, 1]}\n"
                                        "  c: {type: clamp, between: [b.end, p]}\n"
                                        "  m: {type: motor, between: [ground, a.start], axis: [0, "
                                        "0, 1], moment: 20*sin(3*t)}\n"
                                        "  n: {type: motor, between: [a.end, b.start], axis: [0, "
                                        "0, 1], moment: -10*sin(5*t)}\n"
                                        "probes: {tip: {at: p, quantity: position}}\n"
                                        "analysis: {end: 0.42, tolerance: 1e-5}\n";

/* a crank and a rod that drive a slider */
static const char crank[] =
    LINKS("[0.12, 0.16, 0]", "[0.7, 0, 0]") "  p: {type: rigid, mass: 0.3, inertia: [1e-3, 1e-3, "
                                            "1e-3], position: [0.7, 0, 0]}\n"
                                            "joints:\n"
                                            "  i: {type: revolute, between: [ground, a.start], "
                                            "axis: [0, 0, 1]}\n"
                                            "  j: {type: revolute, between: [a.end, b.start], "
                                            "axis: [0, 0, 1]}\n"
                                            "  k: {type: revolute, between: [b.end, p], axis: [0, "
                                            "0, 1]}\n"
                                            "  l: {type: prismatic, between: [ground, p], axis: "
                                            "[1, 0, 0]}\n"
                                            "  m: {type: motor, between: [ground, a.start], axis: "
                                            "[0, 0, 1], moment: 3}\n"
                                            "probes: {tip: {at: p, quantity: position}}\n"
                                            "analysis: {end: 0.3, tolerance: 1e-5}\n";

/* where the mass is at the end, in axes of the model [m] */
static void end_of(const char *text, const char *type, const char *how, bool moved, double x[3]) {
    static const double none[3] = {0, 0, 0}, by[3] = {0.7, -1.1, 0.4};
    const char *const part[] = {"tip.x", "tip.y", "tip.z"};
    char model[3000];
    double R[9], y[3];
    verify v = {.ctx = gos_ctx_create()};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(model, sizeof model, text, type, how, type, how);
#pragma GCC diagnostic pop
    verify_good(&v, gos_model_parse(v.ctx, model, strlen(model), "test.yaml", NULL, &v.model));
    turn_model(&v, moved ? by : none, moved ? 1e3 : 1, moved ? 1e-3 : 1);
    verify_compile(&v);
    verify_run(&v);
    for (int c = 0; c < 3; c++) {
        y[c] = verify_value(&v, NULL, part[c]) / (moved ? 1e3 : 1);
    }
    turn_rotation(moved ? by : none, R);
    for (int c = 0; c < 3; c++) {
        x[c] = 0;
        for (int d = 0; d < 3; d++) {
            double e[3] = {d == 0, d == 1, d == 2}, turned[3];
            turn_times(R, e, turned);
            x[d] = turned[0] * y[0] + turned[1] * y[1] + turned[2] * y[2];
        }
    }
    verify_close(&v);
}

static void check(const char *text, double bound) {
    static const char *const how[] = {", reference: chord", ", reference: clamped",
                                      ", reference: mean_axis", ", reference: chord"};
    double want[3], got[3];
    end_of(text, "ancf_beam", "", false, want);
    for (int i = 0; i < GOS_COUNT(how); i++) {
        print_message("%s%s\n", how[i], i == 3 ? ", turned, in mm" : "");
        end_of(text, "floating_beam", how[i], i == 3, got);
        verify_below("from ancf_beam [m]", verify_distance(got, want), bound);
    }
}

/* With the inertia of first order alone the frame clamped to the start of a link stops at 0.39
   s. */
static void test_arm(void **state) {
    (void)state;
    check(arm, 2e-5);
}

static void test_crank(void **state) {
    (void)state;
    check(crank, 1e-5);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arm), cmocka_unit_test(test_crank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
