/* Probes of a training run: those that a reduced model loses are named, although its positions and
   temperatures are within the tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

/* The sun bends the beam by 1e-4 m of 2 m. Heat at places takes many temperature functions. */
static const char beam[] =
    "materials: {m: {density: 2700, young: 7e10, poisson: 0.3, damping: {normal: 1e-3, shear: "
    "1e-3}, expansion: 2.3e-5, conductivity: 150, specific_heat: 900, absorptivity: 0.5, "
    "emissivity: 0.5}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.03}}\n"
    "reference_temperature: 250\n"
    "bodies: {b: {type: ancf_beam, material: m, section: bar, from: [0, 0, 0], to: [2, 0, 0], "
    "elements: 6}}\n"
    "joints: {k: {type: clamp, between: [ground, b.start]}}\n"
    "heat:\n"
    "  s: {type: flux, value: 1361, direction: [0, 0.3, -1], on: b}\n"
    "  r: {type: radiation, on: b, sink: 100}\n"
    "%s"
    "probes: {tip: {at: b.end, quantity: displacement, direction: [0, 0, 1]}, E: {quantity: "
    "energy}}\n"
    "analysis: {end: 60, motion: quasi_static}\n";

static const char local[] = "  t0: {type: temperature, on: b.start, value: \"10*sin(t/20)\"}\n"
                            "  q: {type: heat_flow, on: b.at(1.0), value: \"20*(t>30)\"}\n";

static void open_beam(verify *v, const char *heat) {
    char text[2000];
    (void)snprintf(text, sizeof text, beam, heat);
    verify_text(v, text, NULL);
}

/* the note on probes, or NULL */
static const char *noted(const verify *v) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (strstr(d->text, "in the training run probe tip differs")) {
            return d->text;
        }
    }
    return NULL;
}

static double tip_at(verify *v, double t) {
    while (gos_state_time(v->state) < t) {
        verify_good(v, gos_integrator_step(v->run, t));
    }
    return verify_value(v, NULL, "tip.value");
}

/* The difference that is noted is that of two runs. Without local heat the bending is kept. */
static void small_motion(void **state) {
    GOS_UNUSED(state);
    for (int kept = 0; kept < 2; kept++) {
        verify v;
        gos_system *reduced = NULL;
        double error = 0;
        open_beam(&v, kept ? "" : local);
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
        const char *text = noted(&v);
        assert_int_equal(text != NULL, !kept);
        if (text) {
            verify full, run;
            double worst = 0, low = 0, high = 0; // at rest at first
            assert_int_equal(sscanf(strstr(text, "up to ") + 6, "%lf", &error), 1);
            open_beam(&full, local);
            verify_start(&full);
            run = (verify){.ctx = v.ctx, .sys = reduced, .opt = v.opt};
            gos_options_get(reduced, &run.opt);
            verify_good(&v, gos_state_create(v.ctx, reduced, &run.state));
            verify_start(&run);
            for (double t = 3; t < 60; t += 3) {
                const double y = tip_at(&full, t);
                worst = fmax(worst, fabs(tip_at(&run, t) - y));
                low = fmin(low, y);
                high = fmax(high, y);
            }
            verify_within("noted difference over that of two runs", error / (worst / (high - low)),
                          0.8, 1.5);
            verify_close(&full);
            gos_integrator_destroy(run.run);
            gos_state_destroy(run.state);
        }
        gos_system_destroy(reduced);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_motion)};
    return cmocka_run_group_tests_name("probe comparison", tests, NULL, NULL);
}
SUITE(suite)
