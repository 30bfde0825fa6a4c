/* Method auto on the satellite's runs S0, S1, S2 and S4 in full length. S0: worst node below 3 mm at a
   tolerance of 3e-5; the torques of S1, S2 and S4 bend the chords a lot: below 30 mm at 1e-4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/satellite_rom.h"

#define S1 "torque_a=-5000 torque_b=-5000 spin=0 t_end=3"

static void s0(void **state) {
    (void)state;
    satellite_check("t_end=10", 1e-4, 4.5e-3, 1e-3, 300);
    satellite_check("t_end=10", 3e-5, 3e-3, 1e-3, 400);
}

static void s1(void **state) {
    (void)state;
    satellite_check(S1, 1e-4, 30e-3, 1e-3, 400);
}

static void s2(void **state) {
    (void)state;
    satellite_check(S1 " torque_tilt=500", 1e-4, 30e-3, 20e-3, 710);
}

static void s4(void **state) {
    (void)state;
    satellite_check(S1 " alpha=2.3e-5", 1e-4, 30e-3, 1e-3, 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s0),
        cmocka_unit_test(s1),
        cmocka_unit_test(s2),
        cmocka_unit_test(s4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
