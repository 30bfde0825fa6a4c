/* Energy and heat balance of whole runs, the identity of theory 5.4: kinetic + strain + gravity +
   dissipated - work - thermal work stays what it was. A term that is dropped, has the wrong sign or
   goes to the wrong temperature family leaves an imbalance of the size of that term, for any
   step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/balance.h"
#include "support/suite.h"

static double imbalance(const char *example, const char *settings) {
    verify v;
    verify_example(&v, example, settings);
    return verify_imbalance(&v, NULL);
}

/* Thermal work of Legendre temperatures: only the mean and the linear family act on the strain. The
   flux starts with a jump, so the error falls slower than h^2; what is left is the trapezoidal sum
   of the first steps, below 1e-3. (Before the strides of the families were right it was 0.4.) */
static void test_legendre_families(void **state) {
    (void)state;
    verify_below("depth_modes 5, energy",
                 imbalance("boley-beam", "depth_modes=5 analysis.step=2e-5"), 1e-3);
    verify_below("depth_modes 1, energy",
                 imbalance("boley-beam", "depth_modes=1 analysis.step=2e-5"), 1e-3);
}

/* All terms at work: gravity, damping, thermal strain, sun. Second order in the step. */
static void test_thermal_pendulum(void **state) {
    (void)state;
    const char *const coarse = "t_end=0.5 analysis.step=2e-3 analysis.newton_tolerance=1e-5";
    const char *const fine = "t_end=0.5 analysis.step=1e-3 analysis.newton_tolerance=1e-5";
    const double a = imbalance("thermal-pendulum", coarse);
    const double b = imbalance("thermal-pendulum", fine);
    verify_below("pendulum, energy at 1 ms", b, 1e-3);
    verify_within("order of the energy balance", verify_order(a, b, 2), 1.7, 2.6);
}

/* A load that jumps while rigid bodies turn: the run starts again at the jump, where what Newton
   had left open in the constraints (1e-8 of the extent) must not turn into an acceleration that
   refuses every step. The momentum is that of the impulses; the bound is far below what the
   tolerance lets through, 1e-4 m in 0.2 s on 0.925 kg. */
static void test_jump(void **state) {
    (void)state;
    static const char text[] =
        "materials: {m: {density: 1500, young: 2e8, damping: {normal: 2e-3}}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.015}}\n"
        "bodies:\n"
        "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "        elements: 24}\n"
        "  a: {type: rigid, mass: 0.4, inertia: [2e-3, 3e-3, 4e-3], position: [0, 0, 0]}\n"
        "  b: {type: rigid, mass: 0.3, inertia: [1e-3, 2e-3, 3e-3], position: [1, 0, 0]}\n"
        "joints:\n"
        "  ca: {type: clamp, between: [a, rod.start]}\n"
        "  cb: {type: clamp, between: [b, rod.end]}\n"
        "loads:\n"
        "  push: {type: force, on: rod.at(0.4), value: ['t < 0.1 ? 6 : 0', 0, 3]}\n"
        "initial: {all: {angular_velocity: [0, 1, 3]}}\n"
        "analysis: {end: 0.2, tolerance: 1e-4}\n";
    verify v;
    double p[3], l[3];
    verify_text(&v, text, NULL);
    verify_run(&v);
    gos_system_momentum(v.sys, v.state, p, l);
    verify_near("momentum from the impulse 6 N 0.1 s", p[0], 0.6, 1e-5);
    verify_near("momentum from the impulse 3 N 0.2 s", p[2], 0.6, 1e-5);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legendre_families),
        cmocka_unit_test(test_thermal_pendulum),
        cmocka_unit_test(test_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
