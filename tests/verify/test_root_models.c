/* The lowest oscillations of whole models, as they stand, turned and in other units: none is missed
   for slow temperatures, below and above the number of unknowns that LAPACK takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "linear/linear.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/turn_model.h"

/* a note that contains the words */
static bool noted(const gos_ctx *ctx, const char *words) {
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        if (d->count == 0 && strstr(d->text, words)) {
            return true;
        }
    }
    return false;
}

/* ---- examples, turned and in other units ----------------------------------------------------- */

/* the lowest oscillations [Hz] behind whatever does not swing: turned and in mm, t and s, and where
 * `turned` by two rotations more */
static void lowest_of(const char *path, const char *settings, int n, int most, const double *right,
                      double tolerance, bool turned) {
    static const struct {
        double r[3], length, mass;
    } cases[] = {{{-0.4, -0.9, 0.5}, 1000, 1e-3},
                 {{1.1 * 2 / 3, -1.1 / 3, 1.1 * 2 / 3}, 1, 1},
                 {{-2.3 / 3, 2.3 * 2 / 3, 2.3 * 2 / 3}, 1, 1}};
    for (int k = 0; k < (turned ? GOS_COUNT(cases) : 1); k++) {
        verify v;
        gos_linear *linear;
        gos_mode mode[40];
        gos_root slow[40];
        int found, nroots, at = 0;
        turn_open(&v, path, settings, cases[k].r, cases[k].length, cases[k].mass);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(
            &v, gos_linear_coupled_modes(v.ctx, linear, most, mode, &found, most, slow, &nroots));
        for (int i = 0; i < found && at < n; i++) {
            if (mode[i].im > 0) {
                near_rel_named(path, mode[i].frequency, right[at++], tolerance);
            }
        }
        assert_int_equal(at, n);
        assert_false(noted(v.ctx, "not found"));
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

static void test_examples(void **unused) {
    (void)unused;
    static const double array[] = {0.07678, 0.07961, 0.2140};
    static const double satellite[] = {0.0083567, 0.016693, 0.044125, 0.055743, 0.10806};
    lowest_of("examples/solar-array/model.yaml", NULL, 3, 14, array, 3e-4, suite_long());
    lowest_of("examples/dumbbell-satellite/model.yaml", "torque_a=0 torque_b=0 spin=0", 5, 11,
              satellite, 1e-4, suite_long());
    // above 1500 unknowns of first order
    lowest_of("examples/dumbbell-satellite/model.yaml",
              "torque_a=0 torque_b=0 spin=0 panel_elements=8", 5, 11, satellite, 1e-4,
              suite_long());
}

/* Corrections of all roots at once give the roots of LAPACK, which takes the whole problem: modes
 * and roots of first order. */
static void same_as_whole(const char *path, const char *settings, int n, const double r[3],
                          double length, double mass) {
    enum { MOST = 40 };
    verify v;
    gos_linear *linear;
    gos_mode mode[2][MOST];
    gos_root slow[2][MOST];
    int found[2], nroots[2];
    turn_open(&v, path, settings, r, length, mass);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    for (int k = 0; k < 2; k++) {
        const gos_damped_def def = {
            .n = n, .nthermal = n, .damped = true, .heat = true, .whole = k ? 0 : 10000};
        verify_good(&v, gos__linear_damped_part(v.ctx, linear, &def, mode[k], &found[k], slow[k],
                                                &nroots[k]));
    }
    assert_int_equal(found[1], found[0]);
    assert_int_equal(nroots[1], nroots[0]);
    for (int i = 0; i < found[0]; i++) {
        // motions that only rounding holds have no digits
        const double size = fmax(hypot(mode[0][i].re, mode[0][i].im), 1e-3);
        near_abs_named("real part", mode[1][i].re, mode[0][i].re, 2e-7 * size);
        near_abs_named("imaginary part", mode[1][i].im, mode[0][i].im, 2e-7 * size);
    }
    for (int i = 0; i < nroots[0]; i++) {
        near_abs_named("thermal eigenvalue", slow[1][i].re, slow[0][i].re,
                       1e-7 * fabs(slow[0][nroots[0] - 1].re));
    }
    gos_linear_destroy(linear);
    verify_close(&v);
}

static void test_block_correction(void **unused) {
    (void)unused;
    static const char satellite[] = "examples/dumbbell-satellite/model.yaml";
    static const char at_rest[] = "torque_a=0 torque_b=0 spin=0";
    const double none[3] = {0}, turned[3] = {-0.4, -0.9, 0.5};
    same_as_whole(satellite, at_rest, 26, none, 1, 1);
    same_as_whole(satellite, at_rest, 26, turned, 1000, 1e-3);
    same_as_whole(satellite, "torque_a=0 torque_b=0 spin=0 panel_elements=2 beam_elements=56", 20,
                  none, 1, 1);
}

/* ---- depth modes of the temperature, a blade that turns -------------------------------------- */

/* A supported rod of steel, 0.5 mm thick, which heats as it bends: damping after Lifshitz and
   Roukes (Phys. Rev. B 61, 2000) to first order in delta = E alpha^2 T/(rho c) = 0.0025.
   Temperatures linear through the depth relax at the one rate 12 D/h^2. */
static void test_zener(void **unused) {
    (void)unused;
    static const char text[] =
        "parameters: {depth: 1}\n"
        "materials: {st: {density: 7850, young: 2.1e11, poisson: 0.3, conductivity: 50, "
        "specific_heat: 460, expansion: 1.2e-5, absorptivity: 0.9, emissivity: 0.8}}\n"
        "sections: {s: {type: rectangle, height: 0.0005, width: 0.001, depth_modes: depth}}\n"
        "bodies: {rod: {type: ancf_beam, material: st, section: s, from: [0, 0, 0], to: [0.05, 0, "
        "0], elements: 10}}\n"
        "joints: {c: {type: spherical, between: [ground, rod.start]}, d: {type: spherical, "
        "between: [ground, rod.end]}, f: {type: point_on_plane, between: [rod.at(0.025), ground], "
        "normal: [0, 0, 1]}}\n"
        "analysis: {type: dynamic, thermoelastic_heat: true}\n";
    const double w = 2 * M_PI * 469.5473, h = 5e-4, D = 50 / (7850 * 460.0);
    const double half = 0.5 * 2.1e11 * 1.2e-5 * 1.2e-5 * 293.15 / (7850 * 460.0);
    const double xi = h * sqrt(w / (2 * D)), lag = w * h * h / (12 * D);
    const double linear_profile = half * lag / (1 + lag * lag);
    const double right =
        half * (6 / (xi * xi) - 6 / (xi * xi * xi) * (sinh(xi) + sin(xi)) / (cosh(xi) + cos(xi)));
    for (int depth = 1; depth <= 9; depth++) {
        verify v;
        gos_linear *linear;
        gos_mode mode[6];
        gos_root slow[6];
        char settings[40];
        int found, nroots, at = 0;
        snprintf(settings, sizeof settings, "depth=%d", depth);
        verify_text(&v, text, settings);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_coupled_modes(v.ctx, linear, 6, mode, &found, 6, slow, &nroots));
        while (at < found && !(mode[at].im > 0)) {
            at++;
        }
        assert_true(at < found);
        near_rel_named("frequency", mode[at].frequency, 469.55, 1e-4);
        near_rel_named("damping", mode[at].damping, depth < 3 ? linear_profile : right,
                       depth == 3 || depth == 4 ? 1.2e-2 : 4e-3);
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* A blade of beams without damping in steady rotation has its modes, and each has no damping. */
static void test_blade(void **unused) {
    (void)unused;
    static const char text[] =
        "parameters: {n: 16}\n"
        "materials: {s: {density: 2700, young: 7e10, poisson: 0.3}}\n"
        "sections: {q: {type: rectangle, height: 0.06, width: 0.006}}\n"
        "bodies:\n"
        "  b: {type: ancf_beam, material: s, section: q, from: [0, 0, 0], to: [1, 0, 0], normal: "
        "[0, 0, 1], elements: n}\n"
        "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  c: {type: clamp, between: [hub, b.start]}\n"
        "  ax: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
        "analysis: {type: static, spin: {axis: [0, 0, 1], rate: 150}}\n";
    static const double right[] = {25.456, 57.567, 67.866};
    for (int n = 16; n <= 96; n += 80) { // 96 elements: above 1500 unknowns of first order
        verify v;
        gos_linear *linear;
        gos_mode mode[4];
        char settings[40];
        int found, at = 0;
        snprintf(settings, sizeof settings, "n=%d", n);
        verify_text(&v, text, settings);
        const double spin[3] = {v.opt.spin_x, v.opt.spin_y, v.opt.spin_z}, pivot[3] = {0};
        verify_static(&v);
        verify_good(&v, gos_linearise_rotating(v.ctx, v.sys, v.state, spin, pivot, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 4, false, mode, &found));
        for (int i = 0; i < found; i++) {
            if (mode[i].omega > 1) {
                near_rel_named("frequency", mode[i].frequency, right[at++], 1e-3);
                near_abs_named("damping", mode[i].damping, 0, 1e-9);
            }
        }
        assert_int_equal(at, 3);
        assert_false(noted(v.ctx, "not found"));
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples),
                                       cmocka_unit_test(test_block_correction),
                                       cmocka_unit_test(test_zener), cmocka_unit_test(test_blade)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
