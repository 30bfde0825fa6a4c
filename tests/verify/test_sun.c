/* The sun of an orbit: eclipses with their ramps, a direction that turns, Earth's infrared and
   albedo, against closed forms of a rod that loses no heat (theory guide 2.4). The rod does not
   expand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* along x, so that local y is the global y; the sun stands above, the Earth lies below */
static const char rod[] =
    "parameters: {L: 0.1, b: 0.02, h: 0.01, k: 50, c: 400, rho: 8000, q: 1.0e4, dark: 0, light: "
    "0, E: 1.0e5}\n"
    "reference_temperature: 300\n"
    "materials:\n"
    "  m: {density: rho, young: E, conductivity: k, specific_heat: c, absorptivity: 0.7,\n"
    "      emissivity: 0.6}\n"
    "sections: {bar: {type: rectangle, width: b, height: h}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [L, 0, 0],\n"
    "        elements: 3}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "probes: {mid: {at: rod.at(L/2), quantity: temperature}}\n"
    "analysis: {type: dynamic, end: 3, step: 0.3}\n";

static const double h = 0.01, b = 0.02, k = 50, c = 400, rho = 8000, q = 1e4, L = 0.1;
static const double rise = 0.7 * 1e4 / (8000 * 400 * 0.01); // of T, full light above [K/s]

static void open_rod(verify *v, const char *heat, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%sheat:\n%s", rod, heat);
    verify_text(v, text, settings);
}

/* probe component at the end of the run */
static double reached(const char *heat, const char *settings, const char *what) {
    verify v;
    open_rod(&v, heat, settings);
    verify_run(&v);
    const double y = verify_value(&v, NULL, what);
    verify_close(&v);
    return y;
}

/* round-off of what is summed over a run */
static void exactly(const char *what, double got, double want) {
    verify_near(what, got, want, 1e-9 * fmax(fabs(want), 1e-3));
}

#define ABOVE "  sun: {type: sun, flux: q, direction: [0, -1, 0], on: rod"

/* T = (absorbed flux) * (time in the light) / (rho c h) */
static void exposure(void **state) {
    GOS_UNUSED(state);
    exactly("3 s of full light [K]", reached(ABOVE "}\n", "", "mid.T"), 3 * rise);
    exactly("3 s of 1361 W/m^2 [K]",
            reached("  sun: {type: sun, direction: [0, -1, 0], on: rod}\n", "", "mid.T"),
            3 * rise * 0.1361);
    exactly("absorptivity 0.35 [K]", reached(ABOVE ", absorptivity: 0.35}\n", "", "mid.T"),
            1.5 * rise);
    static const char dark[] = ABOVE ", eclipse: [[dark, light]]}\n";
    exactly("eclipse from 0 to 0: none [K]", reached(dark, "", "mid.T"), 3 * rise);
    exactly("eclipse from 2 s to 1 s: none [K]", reached(dark, "dark=2 light=1", "mid.T"),
            3 * rise);
    exactly("eclipse from 1 s to 2.1 s [K]", reached(dark, "dark=1 light=2.1", "mid.T"),
            1.9 * rise);
    exactly("eclipse at the end of a run [K]", reached(dark, "dark=2.5 light=9", "mid.T"),
            2.5 * rise);
    exactly("eclipse at its beginning [K]", reached(dark, "dark=-1 light=0.7", "mid.T"),
            2.3 * rise);
    exactly("two eclipses, the later named first [K]",
            reached(ABOVE ", eclipse: [[2, 2.5], [0.2, 0.7]]}\n", "", "mid.T"), 2 * rise);
}

/* A ramp of r seconds is centred at each end, 1 - u^2 (3 - 2 u): the whole eclipse takes away its
   length; up to the middle of the first ramp the light sums to start - r/2 + r (u - u^3 + u^4/2) at
   u = 1/2, which is start - r/2 + 13/32 r. The scheme sees the curve in steps: order 2. */
static void penumbra(void **state) {
    GOS_UNUSED(state);
    static const char soft[] = ABOVE ", eclipse: [[1, 2]], penumbra: 0.8}\n";
    double T[2], end[2];
    for (int i = 0; i < 2; i++) {
        char settings[100];
        const double step = i ? 0.01 : 0.02;
        snprintf(settings, sizeof settings, "analysis.step=%g", step);
        end[i] = reached(soft, settings, "mid.T") - 2 * rise;
        snprintf(settings, sizeof settings, "analysis.end=1 analysis.step=%g", step);
        T[i] = reached(soft, settings, "mid.T") - (1 - 0.4 + 0.8 * 13 / 32) * rise;
    }
    verify_near("light of a whole eclipse [s]", end[1] / rise, 0, 1e-5);
    verify_near("light up to the middle of a ramp [s]", T[1] / rise, 0, 5e-5);
    verify_within("its order", verify_order(fabs(T[0]), fabs(T[1]), 2), 1.8, 2.2);
}

/* The ramps are kinks of heat, which ask for nothing. The motion of a rod as stiff as metal, whose
   modes are far too fast for the step, takes of a force that jumps five times what the step
   resolves. Each of 60 steps is accepted. */
static void stiff(void **state) {
    GOS_UNUSED(state);
    static const char soft[] = ABOVE ", eclipse: [[1, 2]], penumbra: 0.8}\n";
    static const char pushed[] = ABOVE
        ", eclipse: [[1, 2]], penumbra: 0.8}\n"
        "loads: {push: {type: force, on: rod.end, value: [0, \"0.1*mod(floor(2*t), 2)\", 0]}}\n";
    for (int i = 0; i < 3; i++) {
        verify v;
        open_rod(&v, i < 2 ? soft : pushed,
                 i ? "E=1e11 analysis.step=0.05" : "E=1e9 analysis.step=0.05");
        verify_run(&v);
        assert_int_equal(v.stats.restarts, i < 2 ? 0 : 5);
        assert_int_equal(v.stats.steps, 60);
        assert_int_equal(v.stats.rejected, 0);
        verify_close(&v);
    }
}

/* A face that turns out of the light: the rate of its heat has a kink, across which the error of a
   step falls with its square only. It is passed with what the steps before have left of the
   tolerance. */
static void kink(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = "  sun: {type: sun, flux: q, on: rod.top,\n"
                               "        direction: [\"sin(t/2)\", \"-cos(t/2)\", 0]}\n";
    const double most = rise * 2; // of T, when the light is gone at t = pi
    verify v;
    open_rod(&v, heat, "analysis.end=100 analysis.step=~ analysis.tolerance=1e-5");
    verify_start(&v);
    double shortest = 1, t = 0;
    while (t < 4) {
        assert_int_equal(gos_integrator_step(v.run, 4), GOS_OK);
        const double step = v.state->t - t;
        t = v.state->t;
        shortest = t > 3 && t < 3.9 ? fmin(shortest, step) : shortest;
    }
    gos_integrator_statistics(v.run, &v.stats);
    print_message("    %ld steps, %ld rejected, the shortest %g s\n", v.stats.steps,
                  v.stats.rejected, shortest);
    verify_near("T [K]", verify_value(&v, NULL, "mid.T"), most, 1e-5 * most);
    // held to its share of the tolerance the step would have to be h < 12e-5/(100 s * 0.11 K/s^2)
    verify_within("shortest step at the kink [s]", shortest, 3e-5, 1e-3);
    verify_close(&v);
}

/* steps as long as the error allows do not jump over a short eclipse */
static void short_eclipse(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = ABOVE ", eclipse: [[50, 50.01]], penumbra: 0.002}\n";
    verify v;
    open_rod(&v, heat, "analysis.end=100 analysis.step=~ analysis.tolerance=1e-2");
    verify_run(&v);
    print_message("    %ld steps\n", v.stats.steps);
    verify_near("light taken away [s]", 100 - verify_value(&v, NULL, "mid.T") / rise, 0.01, 1e-5);
    verify_close(&v);
}

/* The sun goes round: c2 = cos w t. Up to a quarter of a turn T = a q sin(w t)/(w rho c h), and
   T_y' + d T_y = d g cos w t with d = 12 k/(rho c h^2), g = a q/(2 k):
   T_y = g d/(d^2 + w^2) (d cos w t + w sin w t - d exp(-d t)). */
static void turning(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = "  sun: {type: sun, flux: q, on: rod,\n"
                               "        direction: [\"3*sin(t/2)\", \"-3*cos(t/2)\", 0]}\n";
    const double w = 0.5, t = 2.5, d = 12 * k / (rho * c * h * h), g = 0.7 * q / (2 * k);
    const double mean = rise * sin(w * t) / w;
    const double across =
        g * d / (d * d + w * w) * (d * cos(w * t) + w * sin(w * t) - d * exp(-d * t));
    double e[2], ey[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        char settings[100];
        snprintf(settings, sizeof settings, "analysis.end=2.5 analysis.step=%g", i ? 0.025 : 0.05);
        open_rod(&v, heat, settings);
        verify_run(&v);
        e[i] = verify_value(&v, NULL, "mid.T") - mean;
        ey[i] = verify_value(&v, NULL, "mid.T_y") - across;
        verify_close(&v);
    }
    verify_near("T under a turning sun [K]", e[1] + mean, mean, 1e-4 * mean);
    verify_within("its order", verify_order(fabs(e[0]), fabs(e[1]), 2), 1.9, 2.1);
    verify_near("T_y [K/m]", ey[1] + across, across, 2e-4 * across);
    verify_within("its order", verify_order(fabs(ey[0]), fabs(ey[1]), 2), 1.8, 2.2);
    /* in the second quarter the sun is behind: the top gets nothing more, the bottom all of it */
    static const char face[] = "  sun: {type: sun, flux: q, on: rod.%s,\n"
                               "        direction: [\"sin(pi*t/3)\", \"-cos(pi*t/3)\", 0]}\n";
    const double quarter = rise * 3 / M_PI;
    for (int i = 0; i < 2; i++) {
        char text[200];
        snprintf(text, sizeof text, face, i ? "bottom" : "top");
        const double T = reached(text, "analysis.step=0.01", "mid.T");
        verify_near(i ? "bottom, half a turn [K]" : "top, half a turn [K]", T, quarter,
                    1e-4 * quarter);
    }
}

/* The sun along the rod lights none of its sides; the Earth below does, with infrared by emissivity
   (0.6) and with albedo by absorptivity (0.7), which the eclipse of 1 s takes away. */
static void earth(void **state) {
    GOS_UNUSED(state);
    static const char heat[] =
        "  sun: {type: sun, flux: q, direction: [1, 0, 0], on: rod, eclipse: [[1, 2]], %s\n"
        "        earth_direction: [0, 5, 0]}\n";
    static const char *const sources[] = {"earth_infrared: 2.0e3,", "albedo: 0.3,",
                                          "earth_infrared: 2.0e3, albedo: 0.3,",
                                          "earth_infrared: 2.0e3, infrared_absorptivity: 0.2,",
                                          "earth_infrared: 2.0e3, absorptivity: 0.2,"};
    const double ir = 0.6 * 2e3 * 3 / (rho * c * h), albedo = 0.3 * 2 * rise;
    const double want[] = {ir, albedo, ir + albedo, ir / 3, ir};
    for (int i = 0; i < 5; i++) {
        char text[400];
        snprintf(text, sizeof text, heat, sources[i]);
        exactly(sources[i], reached(text, "", "mid.T"), want[i]);
        assert_true(reached(text, "", "mid.T_y") < 0); // from below
    }
    static const char all[] =
        "  sun: {type: sun, flux: q, direction: [0, -1, 0], albedo: \"0.1*t\",\n"
        "        earth_direction: [0, 1, 0], on: rod}\n";
    exactly("sun above and a growing albedo", reached(all, "", "mid.T"), (3 + 0.1 * 4.5) * rise);
}

/* what a satellite of run S5 sees: light off from 4 s to 6 s of 10 s */
static void off_and_on(void **state) {
    GOS_UNUSED(state);
    static const char heat[] = ABOVE ", eclipse: [[dark, light]], penumbra: 0.2}\n";
    static const double at[] = {3.5, 4.5, 5.5, 10}, light[] = {3.5, 4, 4, 8};
    for (int i = 0; i < 4; i++) {
        char settings[100], what[60];
        snprintf(settings, sizeof settings, "dark=4 light=6 analysis.end=%g analysis.step=0.01",
                 at[i]);
        snprintf(what, sizeof what, "light seen after %g s [s]", at[i]);
        verify_near(what, reached(heat, settings, "mid.T") / rise, light[i], 1e-5);
    }
}

/* stored = supplied to round-off, ramps and radiation included, fixed and controlled steps */
static void balance(void **state) {
    GOS_UNUSED(state);
    static const char heat[] =
        "  sun: {type: sun, flux: q, direction: [\"sin(t)\", \"-cos(t)\", 0.3], on: [rod, "
        "rod.end],\n"
        "        eclipse: [[0.7, 1.4], [1.9, 2.6]], penumbra: 0.4, earth_infrared: 240,\n"
        "        albedo: 0.3, earth_direction: [0, 1, 0.2]}\n"
        "  space: {type: radiation, on: [rod, rod.start, rod.end], sink: 3}\n";
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_heat sum;
        open_rod(&v, heat,
                 i ? "analysis.step=~ analysis.tolerance=1e-4 analysis.newton_tolerance=1e-20"
                   : "analysis.step=0.05 analysis.newton_tolerance=1e-13");
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &sum);
        print_message("    stored %g, supplied %g J in %ld steps\n", sum.stored, sum.supplied,
                      v.stats.steps);
        assert_true(fabs(sum.supplied) > 1);
        verify_below("heat balance, of the heat stored", sum.balance / sum.stored, 1e-12);
        verify_close(&v);
    }
    /* full light above, 3 s: a q b L t */
    verify v;
    gos_heat sum;
    open_rod(&v, ABOVE ", eclipse: [[1, 2]]}\n", "");
    verify_run(&v);
    gos_system_heat(v.sys, v.state, &sum);
    exactly("heat supplied by 2 s of light [J]", sum.supplied, 0.7 * q * b * L * 2);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exposure), cmocka_unit_test(penumbra),      cmocka_unit_test(stiff),
        cmocka_unit_test(kink),     cmocka_unit_test(short_eclipse), cmocka_unit_test(turning),
        cmocka_unit_test(earth),    cmocka_unit_test(off_and_on),    cmocka_unit_test(balance),
    };
    return cmocka_run_group_tests_name("sun", tests, NULL, NULL);
}
SUITE(suite)
