/* Temperatures in balance at all times (analysis.heat: steady): closed forms, frozen times, and the
   limit of runs whose capacity goes to zero; balances, jumps, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/sanitized.h"
#include "support/suite.h"
#include "support/turn_model.h"

/* a warm body with a heater in a wind, another one that radiates to a sink, a plain pendulum beside
 * them */
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
    // what rings with less than a twentieth of the tolerance is not followed: 1.2e-5 of the work at
    // 1e-5
    verify_text(&v, beam, "heat.lamp.value=5e4*(1-cos(6*t))+2e4*(t>0.7) analysis.tolerance=3e-6");
    verify_run(&v);
    const double work = verify_value(&v, NULL, "energy.thermal_work");
    print_message("    thermal work %.6g J\n", work);
    assert_true(work > 1);
    verify_below("balance of energies over the thermal work",
                 verify_value(&v, NULL, "energy.balance") / work, 1e-5);
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

/* ---- loads and heat that depend on probes ---------------------------------------------------- */

/* A thermostat: 20 - 3 T [W] through 2 W/K from 5 K gives T = 6 K, whose force 0.5 T on 1 kg makes
   x = 1.5 t^2. A heater that follows the velocity, 4 x' [W], makes another body as warm as 2 x' = 6
   t [K]. */
static const char controlled[] =
    "bodies:\n"
    "  box: {type: rigid, mass: 1, inertia: [1, 1, 1], heat_capacity: 500, area: 0.2}\n"
    "  far: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0], heat_capacity: 500,\n"
    "        area: 0.2}\n"
    "heat:\n"
    "  wind: {type: convection, on: box, coefficient: 10, ambient: 5}\n"
    "  still: {type: convection, on: far, coefficient: 10, ambient: 0}\n"
    "  thermostat: {type: heat_flow, on: box, value: \"20 - 3*box\"}\n"
    "  follows: {type: heat_flow, on: far, value: \"4*v.x\"}\n"
    "loads: {push: {type: force, on: box, value: [\"0.5*box\", 0, 0]}}\n"
    "probes:\n"
    "  box: {at: box, quantity: temperature}\n"
    "  far: {at: far, quantity: temperature}\n"
    "  x: {at: box, quantity: position}\n"
    "  v: {at: box, quantity: velocity}\n"
    "analysis: {end: 1, heat: steady}\n";

static void feedback(void **state) {
    (void)state;
    verify v;
    verify_text(&v, controlled, NULL);
    verify_start(&v);
    for (double t = 0.1; t < 1.05; t += 0.1) {
        const double now = fmin(t, 1);
        const gos_state *x = verify_at(&v, now);
        verify_near("T of the thermostat [K]", verify_value(&v, x, "box.T"), 6, 1e-9);
        verify_near("x by its force [m]", verify_value(&v, x, "x.x"), 1.5 * now * now, 1e-9);
        verify_near("T that follows the velocity [K]", verify_value(&v, x, "far.T"), 6 * now, 1e-8);
    }
    verify_close(&v);
}

/* A temperature that follows the place, T = x by 2 x [W] through 2 W/K, and a force -4 T: x = cos(2
 * t), of order 2. */
static double oscillate(const char *settings) {
    static const char text[] =
        "bodies: {box: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0],\n"
        "        heat_capacity: 500, area: 0.2}}\n"
        "joints: {slide: {type: prismatic, between: [ground, box], axis: [1, 0, 0]}}\n"
        "heat:\n"
        "  wind: {type: convection, on: box, coefficient: 10, ambient: 0}\n"
        "  follows: {type: heat_flow, on: box, value: \"2*x.x\"}\n"
        "loads: {pull: {type: force, on: box, value: [\"-4*T\", 0, 0]}}\n"
        "probes: {T: {at: box, quantity: temperature}, x: {at: box, quantity: position}}\n"
        "analysis: {end: 3, heat: steady}\n";
    verify v;
    verify_text(&v, text, settings);
    verify_run(&v);
    const double x = verify_value(&v, NULL, "x.x"), T = verify_value(&v, NULL, "T.T");
    verify_near("T as x at the end [K]", T, x, 1e-9);
    print_message("    %ld steps, %ld iterations\n", v.stats.steps, v.stats.iterations);
    // each iteration sees all: without what temperatures do to forces, and motion to heat, there
    // are many more
    assert_true(v.stats.iterations < 3 * v.stats.steps);
    verify_close(&v);
    return x - cos(6);
}

static void spring_of_heat(void **state) {
    (void)state;
    verify_below("x by error control [m]", oscillate("analysis.tolerance=1e-5"), 1e-5);
    const double coarse = oscillate("analysis.step=0.02"), fine = oscillate("analysis.step=0.01");
    verify_below("x [m]", fine, 1e-3);
    verify_within("its order", verify_order(coarse, fine, 2), 1.9, 2.1);
}

/* ---- going on, turned ------------------------------------------------------------------------ */

/* From a state that was kept a run continues to the last bit, through a jump of heat, by error
 * control and fixed steps. */
static void goes_on(void **state) {
    (void)state;
    static const char *const settings[] = {"heat.lamp.value=500*(1-cos(6*t))+2e4*(t>0.7)",
                                           "analysis.step=5e-3"};
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, beam, settings[i]);
        verify_run(&v);
        const int nq = v.sys->nq, nt = v.sys->nt;
        const int stops[] = {1, 7, (int)v.stats.steps / 2, (int)v.stats.steps - 2};
        for (int k = 0; k < GOS_COUNT(stops); k++) {
            gos_state *x = NULL, *kept = NULL;
            gos_integrator *run = NULL;
            gos_statistics stats;
            verify_good(&v, gos_state_create(v.ctx, v.sys, &x));
            verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
            verify_good(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, x, &run));
            for (int step = 0; step < stops[k]; step++) {
                verify_good(&v, gos_integrator_step(run, v.opt.end));
            }
            verify_good(&v, gos_integrator_store_history(run));
            verify_good(&v, gos_state_copy(kept, x));
            gos_integrator_destroy(run);
            verify_good(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, kept, &run));
            while (gos_state_time(kept) < v.opt.end) {
                verify_good(&v, gos_integrator_step(run, v.opt.end));
            }
            gos_integrator_statistics(run, &stats);
            assert_int_equal(stats.steps, v.stats.steps);
            assert_int_equal(stats.iterations, v.stats.iterations);
            assert_memory_equal(kept->q, v.state->q, (size_t)nq * sizeof *kept->q);
            assert_memory_equal(kept->v, v.state->v, (size_t)nq * sizeof *kept->v);
            assert_memory_equal(kept->th, v.state->th, (size_t)nt * sizeof *kept->th);
            assert_memory_equal(&kept->energy, &v.state->energy, sizeof kept->energy);
            gos_integrator_destroy(run);
            gos_state_destroy(kept);
            gos_state_destroy(x);
        }
        verify_close(&v);
    }
}

/* the tip in the axes and units of the model as it was, and the temperatures there */
static void turned_run(const double r[3], double length, double mass, double y[5]) {
    static const char text[] =
        "materials: {al: {density: 2700, young: 7e10, conductivity: 200, specific_heat: 900,\n"
        "                 expansion: 2.3e-5, damping: {normal: 1e-4}}}\n"
        "sections: {strip: {type: rectangle, height: 2e-3, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_cable, material: al, section: strip, from: [0, 0, 0],\n"
        "               to: [0.5, 0, 0], elements: 4}}\n"
        "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
        "loads: {pull: {type: force, on: rod.end, value: [0, \"0.01*T.T\", \"0.02*T.T\"]}}\n"
        "heat:\n"
        "  lamp: {type: flux, on: rod.top, value: \"2e5*(1-cos(6*t))\"}\n"
        "  wind: {type: convection, on: [rod.top, rod.bottom], coefficient: 50, ambient: 0}\n"
        "probes:\n"
        "  tip: {at: rod.end, quantity: position}\n"
        "  T: {at: rod.end, quantity: temperature}\n"
        "analysis: {end: 1, heat: steady, step: 5e-3}\n";
    verify v = {.ctx = gos_ctx_create()};
    double R[9], tip[GOS_PROBE_MAX], T[GOS_PROBE_MAX];
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    turn_model(&v, r, length, mass);
    verify_compile(&v);
    verify_run(&v);
    verify_probe(&v, NULL, "tip", tip);
    verify_probe(&v, NULL, "T", T);
    const double back[3] = {-r[0], -r[1], -r[2]};
    turn_rotation(back, R);
    turn_times(R, tip, y);
    for (int i = 0; i < 3; i++) {
        y[i] /= length;
    }
    y[3] = T[0];
    y[4] = T[1] * length;
    verify_close(&v);
}

static void turned(void **state) {
    (void)state;
    static const double none[3], about[3] = {1.1 * 2 / 3, -1.1 / 3, 1.1 * 2 / 3};
    double y[3][5];
    turned_run(none, 1, 1, y[0]);
    turned_run(about, 1, 1, y[1]);
    turned_run(about, 1000, 1e-3, y[2]);
    print_message("    tip %.6g %.6g, T %.6g K, T_y %.6g K/m\n", y[0][1], y[0][2], y[0][3],
                  y[0][4]);
    assert_true(fabs(y[0][1]) > 1e-3 && fabs(y[0][2]) > 1e-4 && y[0][3] > 10 && y[0][4] > 1);
    for (int k = 1; k < 3; k++) {
        for (int i = 0; i < 5; i++) {
            verify_near(k == 1 ? "turned" : "turned, in mm, t, s", y[k][i], y[0][i],
                        1e-9 * fmax(1, fabs(y[0][i])));
        }
    }
}

static void refused(void **state) {
    (void)state;
    verify v;
    gos_linear *linear;
    gos_system *small;
    verify_text(&v, beam, NULL);
    assert_int_equal(gos_linearise(v.ctx, v.sys, v.state, &linear), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "linear models require temperature rates"));
    verify_close(&v);
    verify_text(&v, beam, NULL);
    assert_int_equal(gos_reduce(v.ctx, v.sys, &small), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "do not support `heat: steady`"));
    verify_close(&v);
    // nothing says how warm it is
    char text[VERIFY_TEXT];
    const char *cooled = strstr(beam, "  wind:");
    (void)snprintf(text, sizeof text, "%.*s%s", (int)(cooled - beam), beam,
                   strstr(beam, "probes:"));
    verify_text(&v, text, NULL);
    assert_int_equal(gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &v.run), GOS_E_SINGULAR);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "fixes its temperature level"));
    v.run = NULL;
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(capacity_to_zero),
        cmocka_unit_test(jump),         cmocka_unit_test(frozen_times),
        cmocka_unit_test(feedback),     cmocka_unit_test(spring_of_heat),
        cmocka_unit_test(goes_on),      cmocka_unit_test(turned),
        cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
