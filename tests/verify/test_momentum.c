/* Probes of momentum and angular momentum: closed forms of a rigid body, a constant force, exchange
   between parts of a free model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define PROBES                                                                                     \
    "probes: {p: {quantity: momentum}, l: {quantity: angular_momentum}}\n"                         \
    "analysis: {end: 1, step: 0.01}\n"

/* m v, r x m v + J w; a force F from t = 0 on adds F t and r x F t at first order */
static void test_rigid(void **state) {
    (void)state;
    static const char text[] =
        "bodies: {b: {type: rigid, mass: 2, inertia: [3, 4, 5], position: [1, 2, 3], velocity: "
        "[0.5, -1, 2], angular_velocity: [0.1, 0, 0]}}\n"
        "loads: {f: {type: force, 'on': b, value: [4, 0, 0]}}\n" PROBES;
    verify v;
    double p[GOS_PROBE_MAX], l[GOS_PROBE_MAX];
    verify_text(&v, text, NULL);
    verify_probe(&v, NULL, "p", p);
    verify_probe(&v, NULL, "l", l);
    const double mv[] = {1, -2, 4};
    const double want[] = {2 * mv[2] - 3 * mv[1] + 0.3, 3 * mv[0] - 1 * mv[2],
                           1 * mv[1] - 2 * mv[0]};
    for (int c = 0; c < 3; c++) {
        verify_near("momentum", p[c], mv[c], 1e-13);
        verify_near("angular momentum", l[c], want[c], 1e-13);
    }
    verify_start(&v);
    verify_probe(&v, verify_at(&v, 1), "p", p);
    verify_near("after 1 s", p[0], mv[0] + 4, 1e-9);
    verify_near("after 1 s", p[1], mv[1], 1e-9);
    verify_close(&v);
}

/* A free spinning hub with a flexible arm: constant to the order of the integrator. */
static void test_spinning(void **state) {
    (void)state;
    static const char text[] =
        "materials: {s: {density: 7800, young: 2e9, poisson: 0.3}}\n"
        "sections: {q: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], "
        "angular_velocity: [0, 0, 2]}\n"
        "  r: {type: floating_beam, material: s, section: q, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 4, angular_velocity: [0, 0, 2]}\n"
        "joints: {c: {type: clamp, between: [hub, r.start]}}\n" PROBES;
    double change[2][2];
    for (int fine = 0; fine < 2; fine++) {
        verify v;
        double p0[GOS_PROBE_MAX], l0[GOS_PROBE_MAX], p[GOS_PROBE_MAX], l[GOS_PROBE_MAX];
        verify_text(&v, text, fine ? "analysis.step=0.001" : "analysis.step=0.002");
        verify_start(&v);
        verify_probe(&v, NULL, "p", p0);
        verify_probe(&v, NULL, "l", l0);
        assert_true(fabs(l0[2]) > 0.1);
        const gos_state *x = verify_at(&v, 1);
        verify_probe(&v, x, "p", p);
        verify_probe(&v, x, "l", l);
        change[fine][0] = hypot(p[0] - p0[0], hypot(p[1] - p0[1], p[2] - p0[2]));
        change[fine][1] = hypot(l[0] - l0[0], hypot(l[1] - l0[1], l[2] - l0[2]));
        verify_close(&v);
    }
    verify_below("momentum, change", change[1][0], 1e-4);
    verify_below("angular momentum, change", change[1][1], 1e-4);
    verify_below("with half of the step", change[1][0] / change[0][0], 0.35);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_spinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
