/* Generalised-alpha with steps of changing length: modes far above 1/h keep no energy. A model at
   rest stays at rest, the ringing of a pulse decays by rho in each step also while steps grow, and
   steps of alternating length keep the second order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/turn_model.h"
#include "support/verify.h"

#define STILL 1e-8      // [J]; a hub of 250 kg that moves at 9 um/s
#define DAMPED 0.7      // largest energy of all later steps, in APART of them
#define LOWEST 1e-12    // [J] 1e-8 of that at the end of the pulse
#define PULSE_ENDS 2e-3 // [s]
#define UNRESOLVED 1e-2 // [s] steps that resolve no axial mode and hardly the first of bending

static const double turn[3] = {0.3, -0.7, 1.1};

/* axes without zeros, so that strains have rounding */
#define MATERIAL                                                                                   \
    "parameters: {x: 0.3, y: 0.7, z: 0.2, F: 1000}\n"                                              \
    "materials: {m: {density: 1600, young: 7e10, poisson: 0.3}}\n"                                 \
    "sections: {tube: {type: annulus, outer: 0.02, inner: 0.0185}}\n"                              \
    "bodies:\n"
#define BEAM(name, type, from, to)                                                                 \
    "  " name ": {type: " type ", material: m, section: tube, from: [" from "*x, " from            \
    "*y, " from "*z], to: [" to "*x, " to "*y, " to "*z], elements: 4}\n"
#define HUB "  hub: {type: rigid, mass: 250, inertia: [45, 45, 40]}\n"
#define FREE(type)                                                                                 \
    MATERIAL HUB BEAM("boom", type, "0.5",                                                         \
                      "2.5") "joints: {root: {type: clamp, between: [hub, boom.start]}}\n"         \
                             "analysis: {integrator: generalised_alpha, error_check: never}\n"
#define PULSE(c) "'F*" c "*sin(pi*t/2e-3)^2*(t<2e-3)'"
#define CLAMPED(type)                                                                              \
    MATERIAL BEAM("boom", type, "0",                                                               \
                  "2") "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"            \
                       "loads: {p: {type: force, on: boom.end, value: [" PULSE("x") ", " PULSE(    \
                           "y") ", " PULSE("z") "]}}\n"                                            \
                                                "analysis: {end: 10, integrator: "                 \
                                                "generalised_alpha, error_check: never}\n"

static const char *const hubs[] = {
    FREE("ancf_beam"), FREE("floating_beam"),
    MATERIAL HUB BEAM("boom", "ancf_beam", "0.5", "2.5")
        BEAM("back", "ancf_beam", "-0.5",
             "-4") "joints:\n"
                   "  root: {type: clamp, between: [hub, boom.start]}\n"
                   "  rear: {type: clamp, between: [hub, back.start], rigid: true}\n"
                   "analysis: {integrator: generalised_alpha, error_check: never}\n"};

static void begin(verify *v, const char *text, const char *settings, bool turned) {
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
    verify_set(v, settings);
    if (turned) {
        turn_model(v, turn, 1000, 1e-3);
    }
    verify_compile(v);
    verify_start(v);
}

/* kinetic and strain energy [J]; in mm, t and s an energy of 1 is 1 mJ */
static double energy_of(const verify *v, bool turned) {
    gos_energy e;
    gos_system_energy(v->sys, v->state, &e);
    return (turned ? 1e-3 : 1) * (e.kinetic + fabs(e.strain));
}

static void rests(const char *text, const char *settings, bool turned) {
    verify v;
    double most = 0;
    begin(&v, text, settings, turned);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        most = fmax(most, energy_of(&v, turned));
    }
    verify_close(&v);
    verify_below("energy at rest [J]", most, STILL);
}

static void at_rest(void **state) {
    static const char *const settings[] = {
        "analysis.end=1", "analysis.end=10", "analysis.end=1000 analysis.rho_infinity=0.8",
        "analysis.end=1000", "analysis.end=100 materials.m.young=7e11"};
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(hubs); i++) {
        for (int k = 0; k < GOS_COUNT(settings); k++) {
            print_message("    model %d, %s\n", i, settings[k]);
            rests(hubs[i], settings[k], false);
            rests(hubs[i], settings[k], true);
        }
    }
}

/* Energies of the steps after the pulse that resolve nothing: by rho^n f they decay, with a beat of
 * the double eigenvalue, so each is compared with all that follow. */
static void decays(const char *text, bool turned) {
    enum { MOST = 1000, APART = 6 };
    double energy[MOST + APART] = {0}, longest = 0, worst = 0;
    int n = 0, compared = 0;
    verify v;
    begin(&v, text, "", turned);
    while (gos_state_time(v.state) < v.opt.end) {
        const double t = gos_state_time(v.state);
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        const double h = gos_state_time(v.state) - t;
        longest = fmax(longest, h);
        if (t > PULSE_ENDS && h > UNRESOLVED && n < MOST) {
            energy[n++] = energy_of(&v, turned);
        }
    }
    verify_close(&v);
    for (int i = n - 2; i >= 0; i--) { // largest from here on
        energy[i] = fmax(energy[i], energy[i + 1]);
    }
    for (int i = 0; i < n && energy[i] > LOWEST; i++, compared++) {
        worst = fmax(worst, energy[i + APART] / energy[i]);
    }
    verify_below("energy six steps later", worst, DAMPED);
    verify_within("steps", compared, 4, HUGE_VAL);
    verify_within("longest step [s]", longest, 30 * UNRESOLVED, HUGE_VAL);
}

static void after_a_pulse(void **state) {
    static const char *const models[] = {CLAMPED("ancf_beam"), CLAMPED("floating_beam")};
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(models); i++) {
        decays(models[i], false);
        decays(models[i], true);
    }
}

/* A beam that swings in its first modes, by 2 n parts whose lengths alternate by a factor of 1.5;
   each takes one step, or two if steps do not grow at once. */
static void swing(const char *type, int n, double tip[3]) {
    char text[2000];
    verify v;
    (void)snprintf(text, sizeof text,
                   MATERIAL "  boom: {type: %s, material: m, section: tube, from: [0, 0, 0], to: "
                            "[2, 0, 0], elements: 2}\n"
                            "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"
                            "loads: {p: {type: force, on: boom.end, value: [0, "
                            "'0.01*F*sin(50*t)^4', 0]}}\n"
                            "probes: {tip: {at: boom.end}}\n"
                            "analysis: {end: 0.06, max_step: 1, initial_step: 1, tolerance: 0.1, "
                            "newton_tolerance: 1e-9, integrator: generalised_alpha}\n",
                   type);
    begin(&v, text, "", false);
    for (int k = 0; k < 2 * n; k++) {
        const double end = (k / 2 + (k % 2 == 0 ? 0.4 : 1)) * 0.05 / n;
        while (gos_state_time(v.state) < end) {
            verify_good(&v, gos_integrator_step(v.run, end));
        }
    }
    verify_probe(&v, v.state, "tip", tip);
    gos_integrator_statistics(v.run, &v.stats);
    verify_within("steps", (double)v.stats.steps, 2 * n, 4 * n + 20);
    verify_close(&v);
}

static void alternating(void **state) {
    static const char *const types[] = {"ancf_beam", "floating_beam"};
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(types); i++) {
        double coarse[3], fine[3], finest[3];
        swing(types[i], 200, coarse);
        swing(types[i], 400, fine);
        swing(types[i], 3200, finest);
        // the error of the finest is 1/64 of that of the fine one
        verify_within(
            "order",
            verify_order(verify_distance(coarse, finest), verify_distance(fine, finest), 2), 1.9,
            2.2);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_rest), cmocka_unit_test(after_a_pulse),
                                       cmocka_unit_test(alternating)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
