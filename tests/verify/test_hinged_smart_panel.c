/* The example hinged-smart-panel: a slew of the sheet by its hinge, with and without its patches,
 * whole and reduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define T_SLEW 2.0

/* The short form has 10 x 6 cells, the example 10 x 14: vibrations and energies change by less than
 * 1 %. */
static void open_panel(verify *v, const char *settings) {
    char set[300];
    snprintf(set, sizeof set, "%s%s", suite_long() ? "" : "parameters.n_y=6 ", settings);
    verify_example(v, "hinged-smart-panel", set);
    verify_start(v);
}

static double stored(const verify *v) {
    return verify_value(v, NULL, "energy.kinetic") + verify_value(v, NULL, "energy.strain");
}

/* largest deflection of the tip between two times */
static double swing(verify *v, double from, double to) {
    double most = 0;
    for (double t = from; t < to; t += 0.02) {
        most = fmax(most, fabs(verify_value(v, verify_at(v, t), "tip.value")));
    }
    return most;
}

static void unwarned(const verify *v) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (d->count > 0) {
            fail_msg("warned: %s", d->text);
        }
    }
}

/* The hub turns by - int (m_2 + m_1 d cos(beta)) / (J + m_0 d^2 + m_2 + 2 m_1 d cos(beta)) d beta
   of a rigid sheet of moments m_k = int mu s^k about the hinge, which is d off the axle: nothing
   else has momentum about it */
static double hub_angle(void) {
    const double b = 1.3, shell = 7850 * 9e-4, patch = 2 * 7800 * 4e-4, root = 0.2, d = 0.2;
    const double m0 = b * (shell + patch * root), m1 = b * (shell + patch * root * root) / 2,
                 m2 = b * (shell + patch * root * root * root) / 3;
    double sum = 0;
    for (int i = 0; i <= 100; i++) { // Simpson's rule
        const double c = cos(M_PI / 2 * i / 100);
        const double f = (m2 + m1 * d * c) / (6 + m0 * d * d + m2 + 2 * m1 * d * c);
        sum += (i == 0 || i == 100 ? 1 : i % 2 ? 4 : 2) * f;
    }
    return -sum * M_PI / 2 / 300;
}

/* What the slew leaves rings for long by itself, and is gone after some seconds with the patches;
   where it comes to rest the hub has turned by what momentum asks. */
static void residual_vibration(void **state) {
    GOS_UNUSED(state);
    verify v;
    open_panel(&v, "floating_bodies=reduced parameters.gain=0");
    const double left = swing(&v, T_SLEW, 4);
    verify_within("left by the slew [m]", left, 0.048, 0.05);
    // the first mode keeps exp(-0.002 * 8.07 rad/s * 6 s) = 0.908; the others decay faster
    verify_within("left after 8 s, of that", swing(&v, 8, 10) / left, 0.89, 0.91);
    verify_close(&v);
    open_panel(&v, "floating_bodies=reduced");
    verify_below("with patches [m]", swing(&v, 8, 10), 4e-4);
    verify_near("hub at rest [rad]", verify_value(&v, NULL, "hub.value"), hub_angle(), 2e-3);
    verify_near("hinge [rad]", verify_value(&v, NULL, "hinge.angle"), M_PI / 2, 1e-9);
    unwarned(&v);
    verify_close(&v);
}

/* Once the hinge stands, voltages against the currents take energy at every moment, clipped or not,
   and what they take is their work: int v i dt = - int |v i| dt. */
static void dissipation(void **state) {
    GOS_UNUSED(state);
    for (int clipped = 0; clipped < 2; clipped++) {
        verify v;
        double taken = 0, last = 0, most = 0, rise = 0;
        open_panel(&v, clipped ? "floating_bodies=reduced parameters.v_max=40 analysis.step=0.0025"
                               : "floating_bodies=reduced analysis.step=0.0025");
        verify_at(&v, T_SLEW + 0.01);
        const double begin = verify_value(&v, NULL, "energy.work"), all = stored(&v);
        double before = all, t = gos_state_time(v.state);
        for (int k = 0; t < 6; k++) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            const double now = gos_state_time(v.state),
                         power = verify_value(&v, NULL, "calm.patch_low") *
                                     verify_value(&v, NULL, "i_low.value") +
                                 verify_value(&v, NULL, "calm.patch_high") *
                                     verify_value(&v, NULL, "i_high.value");
            taken -= k > 0 ? (now - t) * (power + last) / 2 : 0;
            rise = fmax(rise, k > 0 ? stored(&v) - before : 0);
            most = fmax(most, fabs(verify_value(&v, NULL, "voltage.value")));
            last = power;
            before = stored(&v);
            t = now;
        }
        const double work = begin - verify_value(&v, NULL, "energy.work");
        print_message("    %g of %g J, at most %g V\n", work, all, most);
        assert_true(work > 0.5 * (all - stored(&v)));
        verify_near("taken by the patches [J]", taken, work, 0.03 * work);
        verify_below("rise of the energy in a step [J]", rise, 1e-5 * all);
        assert_true(clipped ? fabs(most - 40) < 1e-9 : most > 60 && most < 400);
        verify_close(&v);
    }
}

/* Ceramic and all: modes of the sheet and its deflections under voltages follow the whole sheet
 * through slew and control. */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char coarse[] = "parameters.n_x=5 parameters.n_y=6 ";
    verify whole, few;
    char set[200];
    double off = 0, volts = 0, most = 0;
    snprintf(set, sizeof set, "%sfloating_bodies=reduced", coarse);
    open_panel(&whole, coarse);
    open_panel(&few, set);
    assert_true(whole.sys->n > 3 * few.sys->n);
    for (double t = 0.1; t < 4; t += 0.1) {
        const gos_state *a = verify_at(&whole, t), *b = verify_at(&few, t);
        const double tip = verify_value(&whole, a, "tip.value");
        most = fmax(most, fabs(tip));
        off = fmax(off, fabs(verify_value(&few, b, "tip.value") - tip));
        volts = fmax(volts, fabs(verify_value(&few, b, "voltage.value") -
                                 verify_value(&whole, a, "voltage.value")));
    }
    assert_true(most > 0.04);
    verify_below("tip, reduced from whole [m]", off, 2e-6);
    verify_below("voltage, reduced from whole [V]", volts, 0.2);
    verify_close(&whole);
    verify_close(&few);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residual_vibration),
        cmocka_unit_test(dissipation),
        cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests_name("hinged smart panel", tests, NULL, NULL);
}
SUITE(suite)
