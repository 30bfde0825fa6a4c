/* Motion far below the tolerance, relative to the extent: an accepted model reproduces it. Probes
   of a training run that a reduced model loses are named. */
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
    "elements: %d}}\n"
    "joints: {k: {type: clamp, between: [ground, b.start]}}\n"
    "heat:\n"
    "  s: {type: flux, value: 1361, direction: [0, 0.3, -1], on: b}\n"
    "  r: {type: radiation, on: b, sink: 100}\n"
    "%s"
    "probes: {tip: {at: b.end, quantity: displacement, direction: [0, 0, 1]}, E: {quantity: "
    "energy}}\n"
    "analysis: {end: 60, motion: quasi_static}\n"
    "reduction: {method: auto, tolerance: %g}\n";

static const char local[] = "  t0: {type: temperature, on: b.start, value: \"10*sin(t/20)\"}\n"
                            "  q: {type: heat_flow, on: b.at(1.0), value: \"20*(t>30)\"}\n";

static const char heater[] = "  q: {type: heat_flow, on: b.at(1.0), value: \"5*sin(t/20)\"}\n";

/* A beam on the end of another, under a force: the rotations of its sections have little mass. */
static const char frame[] =
    "materials: {m: {density: 2700, young: 7e10, poisson: 0.3}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.03}}\n"
    "bodies:\n"
    "  c: {type: ancf_beam, material: m, section: bar, from: [0, 0, 0], to: [0, 0, 2], "
    "elements: 6}\n"
    "  b: {type: ancf_beam, material: m, section: bar, from: [0, 0, 2], to: [1.5, 0, 2], "
    "elements: 6}\n"
    "joints:\n"
    "  k: {type: clamp, between: [ground, c.start]}\n"
    "  j: {type: clamp, between: [c.end, b.start]}\n"
    "loads: {f: {type: force, on: b.end, value: [0, 0, -5]}}\n"
    "probes: {tip: {at: b.end, quantity: displacement, direction: [0, 0, 1]}}\n"
    "analysis: {type: static}\n";

static void open_beam(verify *v, const char *heat, int elements, double tolerance) {
    char text[2000];
    (void)snprintf(text, sizeof text, beam, elements, heat, tolerance);
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

static bool is_accepted(const gos_system *reduced) {
    gos_reduction r;
    gos_reduction_get(reduced, &r);
    return gos_reduction_accept_error(&r) == GOS_ACCEPTED;
}

/* largest difference of the tip over its range */
static double lost_of(verify *v, gos_system *reduced, const char *heat, int elements) {
    verify full, run;
    double worst = 0, low = 0, high = 0; // at rest at first
    open_beam(&full, heat, elements, 1e-3);
    verify_start(&full);
    run = (verify){.ctx = v->ctx, .sys = reduced, .opt = v->opt};
    gos_options_get(reduced, &run.opt);
    verify_good(v, gos_state_create(v->ctx, reduced, &run.state));
    verify_start(&run);
    for (double t = 3; t < 60; t += 3) {
        const double y = tip_at(&full, t);
        worst = fmax(worst, fabs(tip_at(&run, t) - y));
        low = fmin(low, y);
        high = fmax(high, y);
    }
    verify_close(&full);
    gos_integrator_destroy(run.run);
    gos_state_destroy(run.state);
    return worst / (high - low);
}

/* Without heat at places, with it, and with too many functions to pay: right, or refused. */
static void small_motion(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *heat;
        int elements;
        bool accepted;
    } at[] = {{"", 6, true}, {heater, 8, true}, {local, 6, false}};
    for (int i = 0; i < GOS_COUNT(at); i++) {
        verify v;
        gos_system *reduced = NULL;
        open_beam(&v, at[i].heat, at[i].elements, 1e-3);
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
        assert_true(is_accepted(reduced) || !at[i].accepted);
        if (is_accepted(reduced)) {
            assert_null(noted(&v));
            verify_below("thermal bending of the tip, relative to its range",
                         lost_of(&v, reduced, at[i].heat, at[i].elements), 1e-2);
        }
        gos_system_destroy(reduced);
        verify_close(&v);
    }
}

/* The difference that is noted is that of two runs. Its model is not accepted, although the error
   is far below the tolerance. */
static void noted_difference(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_system *reduced = NULL;
    double error = 0;
    open_beam(&v, local, 6, 1e-2);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
    const char *text = noted(&v);
    if (text) {
        assert_int_equal(sscanf(strstr(text, "up to ") + 6, "%lf", &error), 1);
        assert_false(is_accepted(reduced));
        verify_within("noted difference over that of two runs",
                      error / lost_of(&v, reduced, local, 6), 0.8, 1.5);
    } else {
        assert_true(is_accepted(reduced));
    }
    gos_system_destroy(reduced);
    verify_close(&v);
}

static void rotations_of_sections(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_system *reduced = NULL;
    double z[2];
    verify_text(&v, frame, NULL);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
    assert_true(is_accepted(reduced));
    for (int i = 0; i < 2; i++) {
        gos_system *s = i == 0 ? v.sys : reduced;
        gos_state *x;
        gos_options o;
        gos_options_get(s, &o);
        verify_good(&v, gos_state_create(v.ctx, s, &x));
        verify_good(&v, gos_solve_static(v.ctx, s, &o, x, NULL));
        z[i] = verify_value(&(verify){.ctx = v.ctx, .sys = s, .state = x}, NULL, "tip.value");
        gos_state_destroy(x);
    }
    verify_near("deflection of a frame, reduced over full", z[1] / z[0], 1, 1e-3);
    gos_system_destroy(reduced);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_motion),
                                       cmocka_unit_test(noted_difference),
                                       cmocka_unit_test(rotations_of_sections)};
    return cmocka_run_group_tests_name("probe comparison", tests, NULL, NULL);
}
SUITE(suite)
