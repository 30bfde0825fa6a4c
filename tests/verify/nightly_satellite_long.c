/* Long runs of the dumbbell satellite: order in the step of all its variants, the published load to
   the end, the steady state in sun and radiation, the mesh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/satellite.h"
#include "support/suite.h"

/* S0 turns by one radian in 10 s; the published load and its variants are smooth up to 3 s */
static void second_order(void **state) {
    GOS_UNUSED(state);
    satellite_converges("S0", "", 10, 8e-3, 5e-5);
    satellite_converges("S1", SATELLITE_S1, 3, 4e-3, 1e-5);
    satellite_converges("S2", SATELLITE_S2, 3, 4e-3, 1e-5);
    satellite_converges("S4", SATELLITE_S4, 3, 4e-3, 1e-5);
}

/* Rods buckle, the cone turns by two radians against the cube; still of second order at 10 s. */
static void published_load(void **state) {
    GOS_UNUSED(state);
    satellite_converges("S1", SATELLITE_S1 SATELLITE_UPRIGHT, 10, 4e-3, 1e-3);
}

/* All conserved and balanced to 10 s, tilted and with strong expansion too. What is left of the
   momentum is of second order in the step. */
static void conserved(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *name, *settings;
        double spin, torque, tilt;
    } run[] = {
        {"S1", SATELLITE_S1 SATELLITE_UPRIGHT, 0, -10000, 0},
        {"S2", SATELLITE_S2, 0, -10000, 1000},
        {"S4", SATELLITE_S4 SATELLITE_UPRIGHT, 0, -10000, 0},
    };
    for (int i = 0; i < 3; i++) {
        char settings[500];
        verify v;
        snprintf(settings, sizeof settings, "%s" SATELLITE_FIXED "2e-3", run[i].settings);
        satellite_open(&v, settings);
        print_message("    %s\n", run[i].name);
        const satellite_balance b = satellite_watch(&v, run[i].spin, run[i].torque, run[i].tilt);
        verify_below("angular momentum off, relative", b.angular / b.momentum, 1e-6);
        verify_below("its other components, relative", b.across / b.momentum, 1e-6);
        verify_below("linear momentum, of mass times 1 m/s", b.linear / 12491.5, 1e-8);
        verify_below("energy, of the largest part", b.energy / b.exchanged, 1e-4);
        verify_below("heat, of what was supplied", b.heat, 1e-10);
        verify_close(&v);
    }
}

/* what a side lets go at an increment of temperature [W/m^2] */
static double leaves(double T) {
    return 0.8 * 5.670374419e-8 * (pow(293.15 + T, 4) - pow(3, 4));
}

/* Fifteen times the slowest time of a panel, 2430/(8 0.8 sigma 461^3) = 68 s: what comes in goes
   out on both sides, and 2 k T_z is the difference of what passes them. */
static void steady(void **state) {
    GOS_UNUSED(state);
    verify v;
    satellite_open(&v, SATELLITE_S3 "torque_a=0 torque_b=0 spin=0 t_end=1000");
    verify_run(&v);
    const double flux = 0.82 * 5000, half = 0.015, k = 45;
    double T = 170, z = 45;
    for (int i = 0; i < 100; i++) { // Newton in T with its main part, fixed point in T_z
        const double out = leaves(T + half * z) + leaves(T - half * z);
        T += (flux - out) / (8 * 0.8 * 5.670374419e-8 * pow(293.15 + T, 3));
        z = (flux - leaves(T + half * z) + leaves(T - half * z)) / (2 * k);
    }
    verify_near("panel T [K]", verify_value(&v, NULL, "t5.T"), T, 1e-3);
    verify_near("panel T_z [K/m]", verify_value(&v, NULL, "t5.T_z"), z, 1e-3);
    verify_close(&v);
}

/* S0 in space: elements of 1 m, 0.5 m, 0.25 m */
static void mesh(void **state) {
    GOS_UNUSED(state);
    static const char *const n[] = {"beam_elements=28 panel_elements=4 ",
                                    "beam_elements=56 panel_elements=8 ",
                                    "beam_elements=112 panel_elements=16 "};
    static double x[3][3 * SATELLITE_TIMES * SATELLITE_POINTS];
    double d[2] = {0};
    for (int i = 0; i < 3; i++) {
        satellite_points(n[i], 10, 1e-2, x[i]);
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < (int)(sizeof x[0] / sizeof x[0][0]); k += 3) {
            d[i] = fmax(d[i], verify_distance(x[i] + k, x[i + 1] + k));
        }
    }
    verify_below("points from 1 m to 0.5 m elements [m]", d[0], 3e-3);
    verify_below("points from 0.5 m to 0.25 m elements [m]", d[1], 3e-4);
    verify_within("order in the mesh", verify_order(d[0], d[1], 2), 2.8, 4.2);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_order), cmocka_unit_test(published_load),
        cmocka_unit_test(conserved),    cmocka_unit_test(steady),
        cmocka_unit_test(mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
