/* Temperatures in balance at all times (analysis.heat: steady): closed forms, frozen times, and the limit of runs whose
   capacity goes to zero; balances, jumps, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/sanitized.h"
#include "support/verify.h"

/* a warm body with a heater in a wind, another one that radiates to a sink, a plain pendulum beside them */
static const char boxes[] =
    "bodies:\n"
    "  box: {type: rigid, mass: 1, inertia: [1, 1, 1], heat_capacity: 500, area: 0.2,\n"
    "        emissivity: 0.8}\n"
    "  far: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0], heat_capacity: 500,\n"
    "        area: 0.2, emissivity: 0.8}\n"
    "heat:\n"
    "  wind: {type: convection, on: box, coefficient: 10, ambient: 5}\n"
    "  heater: {type: heat_flow, on: box, value: \"20*(1+sin(3*t)) + 30*(t>0.5)\"}\n"
    "  space: {type: radiation, on: far, sink: 200}\n"
    "  lamp: {type: heat_flow, on: far, value: \"100+50*t\"}\n"
    "loads: {push: {type: force, on: box, value: [\"cos(t)\", 0, 0]}}\n"
    "probes:\n"
    "  box: {at: box, quantity: temperature}\n"
    "  far: {at: far, quantity: temperature}\n"
    "  x: {at: box, quantity: position}\n"
    "analysis: {end: 1, heat: steady}\n";

static void closed_forms(void **state) {
    (void)state;
    verify v;
    verify_text(&v, boxes, NULL);
    verify_start(&v);
    double worst[2] = {0, 0}, between = 0;
    for (int k = 0; k <= 100; k++) {
        const double t = 0.01 * k;
        if (k > 0) {
            (void)verify_at(&v, t);
        }
        const double now = gos_state_time(v.state), P = 20 * (1 + sin(3 * now));
        const double jump = now > 0.5 ? 30 : 0, Q = 100 + 50 * now;
        const double T = 5 + (P + jump) / (10 * 0.2);
        const double R = pow(Q / (0.8 * 5.670374419e-8 * 0.2) + pow(200, 4), 0.25) - 293.15;
        if (fabs(now - 0.5) > 1e-9) { // there it jumps
            worst[0] = fmax(worst[0], fabs(verify_value(&v, NULL, "box.T") - T));
        }
        worst[1] = fmax(worst[1], fabs(verify_value(&v, NULL, "far.T") - R));
        const gos_state *x = gos_integrator_at(v.run, t);
        const double at = 5 + (20 * (1 + sin(3 * t)) + (t > 0.5 ? 30 : 0)) / 2;
        if (k > 0 && fabs(t - 0.5) > 1e-9) {
            between = fmax(between, fabs(verify_value(&v, x, "box.T") - at));
        }
    }
    verify_below("T of the body in the wind at ends of steps, error [K]", worst[0], 1e-9);
    verify_below("T of the body that radiates, error [K]", worst[1],
                 1e-5); // what Newton leaves of the tolerance

    verify_below("T inside steps, error [K]", between, 1e-4 * 25);
    verify_close(&v);
}

/* ---- a thin cantilever, heated on one face and cooled on both -------------------------------- */

static const char beam[] =
    "parameters: {c: 900, q: 500, freeze: 0}\n"
    "materials: {al: {density: 2700, young: 7e10, conductivity: 200, specific_heat: c,\n"
    "                 expansion: 2.3e-5, damping: {normal: 1e-4}}}\n"
    "sections: {strip: {type: rectangle, height: 2e-3, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: al, section: strip, from: [0, 0, 0],\n"
    "               to: [0.5, 0, 0], elements: 4}}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "heat:\n"
    "  lamp: {type: flux, on: rod.top, value: \"q*(1-cos(6*(freeze > 0 ? freeze : t)))\"}\n"
    "  wind: {type: convection, on: [rod.top, rod.bottom], coefficient: 50, ambient: 0}\n"
    "  root: {type: temperature, on: rod.start, value: \"3*(1-cos(2*(freeze > 0 ? freeze : "
    "t)))\"}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  T: {at: rod.end, quantity: temperature}\n"
    "  mid: {at: \"rod.at(0.25)\", quantity: temperature}\n"
    "  energy: {quantity: energy}\n"
    "analysis: {end: 1, heat: steady, tolerance: 1e-5}\n";

static void capacity_to_zero(void **state) {
    (void)state;
    double limit[3][GOS_PROBE_MAX], tip[3], off[3];
    static const char *const settings[] = {"analysis.step=2e-3",
                                           "analysis.step=2e-3 analysis.heat=dynamic c=0.09",
                                           "analysis.step=2e-3 analysis.heat=dynamic c=0.009"};
    for (int i = 0; i < 3; i++) {
        verify v;
        verify_text(&v, beam, settings[i]);
        verify_run(&v);
        verify_probe(&v, NULL, "T", limit[i]);
        tip[i] = verify_value(&v, NULL, "tip.y");
        verify_below("balance of energies over the thermal work",
                     verify_value(&v, NULL, "energy.balance") /
                         verify_value(&v, NULL, "energy.thermal_work"),
                     1e-2);
        print_message("    %ld steps, T %.9g K, T_y %.9g K/m, tip %.9g m\n", v.stats.steps,
                      limit[i][0], limit[i][1], tip[i]);
        verify_close(&v);
        off[i] = fabs(limit[i][0] - limit[0][0]);
    }
    verify_within("difference of T over that at a tenth of the capacity", off[1] / off[2], 8, 12);
    verify_below("T, difference [K]", off[2], 0.05);
    verify_below("tip, difference [m]", tip[2] - tip[0], 0.02 * fabs(tip[0]));
    assert_true(fabs(tip[0]) > 1e-9);
}

/* heat that jumps bends the beam at once: what that changes of its energy is thermal work */
static void jump(void **state) {
    (void)state;
    verify v;
    verify_text(&v, beam, "heat.lamp.value=5e4*(1-cos(6*t))+2e4*(t>0.7)");
    verify_run(&v);
    const double work = verify_value(&v, NULL, "energy.thermal_work");
    print_message("    thermal work %.6g J\n", work);
    assert_true(work > 1);
    verify_below("balance of energies over the thermal work",
                 verify_value(&v, NULL, "energy.balance") / work, 1e-5); // the tolerance
    verify_close(&v);
}

static void frozen_times(void **state) {
    (void)state;
    verify v, s;
    double T[GOS_PROBE_MAX], want[GOS_PROBE_MAX];
    verify_text(&v, beam, NULL);
    verify_start(&v);
    for (double t = 0.25; t < 1; t += 0.25) {
        char settings[100];
        (void)verify_at(&v, t);
        (void)snprintf(settings, sizeof settings, "analysis.type=static freeze=%.17g",
                       gos_state_time(v.state));
        verify_text(&s, beam, settings);
        s.opt.end = 0;
        verify_static(&s);
        static const char *const probes[] = {"T", "mid"};
        for (int i = 0; i < 2; i++) {
            verify_probe(&v, NULL, probes[i], T);
            verify_probe(&s, NULL, probes[i], want);
            verify_near("T as at rest [K]", T[0], want[0], 1e-7 * fabs(want[0]) + 1e-9);
            verify_near("T_y as at rest [K/m]", T[1], want[1], 1e-6 * fabs(want[1]) + 1e-9);
        }
        verify_close(&s);
    }
    verify_close(&v);
}

static void refused(void **state) {
    (void)state;
    verify v;
    gos_linear *linear;
    gos_system *small;
    verify_text(&v, beam, NULL);
    assert_int_equal(gos_linearise(v.ctx, v.sys, v.state, &linear), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "has no linear model"));
    verify_close(&v);
    verify_text(&v, beam, NULL);
    assert_int_equal(gos_reduce(v.ctx, v.sys, &small), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "of whole models"));
    verify_close(&v);
    // nothing says how warm it is
    char text[VERIFY_TEXT];
    const char *cooled = strstr(beam, "  wind:");
    (void)snprintf(text, sizeof text, "%.*s%s", (int)(cooled - beam), beam,
                   strstr(beam, "probes:"));
    verify_text(&v, text, NULL);
    assert_int_equal(gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &v.run), GOS_E_SINGULAR);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "nothing says how warm it is"));
    v.run = NULL;
    verify_close(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms),
                                       cmocka_unit_test(capacity_to_zero), cmocka_unit_test(jump),
                                       cmocka_unit_test(frozen_times), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
