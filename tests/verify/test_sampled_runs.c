/* Sampled controllers in runs that are not plain: beside drives, in cascade, checkpoints, over several bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/verify.h"

/* ---- beside a drive -------------------------------------------------------------------------- */

/* What a sample does to a moment, the drive that holds the body gives back: the works of both are those of one power, so
   that the jump of one without the other's would open the balance by h/2 times that at each sample, an error of first order
   (0.13 J at 0.01 s). */
static const char driven[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 10, inertia: [3, 4, 5], angular_velocity: [0, 0, 0.7]}\n"
    "joints:\n"
    "  drive: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: \"0.7*t + "
    "0.1*t^2\"}\n"
    "  pin: {type: spherical, between: [ground, hub]}\n"
    "loads: {pull: {type: moment, on: hub, moment: [0, 0, 0]}}\n"
    "probes: {E: {quantity: energy}}\n"
    "controllers: {law: {type: expression, sample: {period: 0.25}, inputs: pull.z, amounts: "
    "20*sin(7*t)}}\n"
    "analysis: {end: 4}\n";

static double open_balance(const char *step) {
    verify v;
    verify_text(&v, driven, step);
    verify_run(&v);
    const double balance = fabs(verify_value(&v, NULL, "E.balance"));
    verify_close(&v);
    return balance;
}

static void test_beside_a_drive(void **state) {
    GOS_UNUSED(state);
    const double coarse = open_balance("analysis.step=0.01"),
                 fine = open_balance("analysis.step=0.005");
    verify_below("balance of energy [J]", fine, 1e-3);
    verify_within("order", verify_order(coarse, fine, 2), 1.8, 2.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_a_drive),
    };
    return cmocka_run_group_tests_name("sampled runs", tests, NULL, NULL);
}
