/* Energy and heat balance of whole runs, the identity of theory 5.4: kinetic + strain + gravity +
   dissipated - work - thermal work stays what it was. A term that is dropped, has the wrong sign or goes
   to the wrong temperature family leaves an imbalance of the size of that term, whatever the step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/verify.h"

/* largest imbalance over the largest energy that was exchanged */
static double imbalance(const char *example, const char *settings) {
    verify v;
    double worst = 0, largest = 0;
    verify_example(&v, example, settings);
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        gos_energy e;
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        gos_system_energy(v.sys, v.state, &e);
        worst = fmax(worst, fabs(e.balance));
        largest = fmax(largest, fmax(e.strain, fmax(fabs(e.thermal_work), e.kinetic)));
    }
    verify_close(&v);
    return worst / largest;
}

/* Thermal work of Legendre temperatures: only the mean and the linear family act on the strain. The
   flux starts with a jump, so the error falls slower than h^2; what is left is the trapezoidal sum of
   the first steps, below 1e-3. (Before the strides of the families were right it was 0.4.) */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legendre_families),
        cmocka_unit_test(test_thermal_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
