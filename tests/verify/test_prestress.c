/* Frequencies about an equilibrium with steady temperatures: a heated beam between two pins loses
   stiffness and buckles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/modes.h"
#include "support/suite.h"
#include "support/verify.h"

/* the air is `hot` above the temperature without stress: so is the beam, in the end */
static const char beam[] =
    "parameters: {hot: 0, h: 0.01}\n"
    "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3, expansion: 1.2e-5,\n"
    "                conductivity: 50, specific_heat: 500}}\n"
    "sections: {s: {type: rectangle, height: h, width: h}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "               elements: 32}}\n"
    "joints: {a: {type: spherical, between: [ground, rod.start]},\n"
    "         b: {type: spherical, between: [ground, rod.end]}}\n"
    "heat: {air: {type: convection, on: rod, coefficient: 10, ambient: hot}}\n"
    "analysis: {branch: any}\n"; // the straight one, also where it would buckle

/* Held at its ends it carries the thrust E A alpha theta, whatever its length between them:
   omega_k^2 = (k pi)^2 ((k pi)^2 E I - E A alpha theta)/(rho A L^4), which is
   omega_k^2 (1 - theta/(k^2 theta_c)) with theta_c = pi^2 I/(A alpha L^2) = 6.854 K; beyond it
   omega_1^2 is negative, the square of a rate of growth. The mesh adds (k pi/32)^4/1440 of the
   bending part. */
static void test_hot_beam(void **unused) {
    GOS_UNUSED(unused);
    const double critical = M_PI * M_PI * 1e-4 / 12 / 1.2e-5;
    const double part[] = {-1, 0, 0.5, 0.9, 1.5};
    for (int i = 0; i < GOS_COUNT(part); i++) {
        gos_mode mode[4];
        fixture f = read_model(beam, NAMES("hot"), VALUES(part[i] * critical));
        to_equilibrium(&f);
        linearise(&f);
        get_modes(&f, 4, false, mode);
        for (int m = 0; m < 4; m++) {
            const int k = 1 + m / 2;
            const double w = pow(k * M_PI, 2) * sqrt(2e11 * 1e-4 / 12 / 7800);
            const double got = mode[m].re > 0 ? -mode[m].re * mode[m].re : pow(mode[m].omega, 2);
            verify_near("of omega_k^2 unheated", got / (w * w), 1 - part[i] / (k * k),
                        2.2 * pow(k * M_PI / 32, 4) / 1440);
        }
        done(&f);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hot_beam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
