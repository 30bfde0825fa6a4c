/* method auto (issue 3): against a full run with small steps on the same mesh, the largest error
   over time (RMS over nodes, relative to the extent) is within the tolerance, and what was
   predicted within a factor 5 of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce.h"
#include "rom/auto.h"
#include "support/sanitized.h"
#include "support/suite.h"
#include "support/verify.h"
#include "support/reduced.h"

#define FACTOR 5.0
#define FINE 0.01 // steps of the full run: analysis.tolerance over the reduction's

/* two rigid boxes at the ends of a cable that spins freely and bends */
static const char free_cable[] =
    "parameters: {n: 24}\n"
    "materials: {m: {density: 1500, young: 2e8, damping: {normal: 2e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.015}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "n}\n"
    "  a: {type: rigid, mass: 0.4, inertia: [2e-3, 3e-3, 4e-3], position: [0, 0, 0]}\n"
    "  b: {type: rigid, mass: 0.3, inertia: [1e-3, 2e-3, 3e-3], position: [1, 0, 0]}\n"
    "joints:\n"
    "  ca: {type: clamp, between: [a, rod.start]}\n"
    "  cb: {type: clamp, between: [b, rod.end]}\n"
    "loads:\n"
    "  push: {type: force, on: rod.at(0.4), value: ['t < 0.1 ? 6 : 0', 't < 0.1 ? 4 : 0', 3]}\n"
    "initial: {all: {angular_velocity: [0, 1, 3], velocity: [0.2, 0, 0]}}\n"
    "analysis: {end: 0.5}\n"
    "output: {every: 0.01}\n";

/* held at one end, bent by radiation and convection */
static const char hot_cable[] =
    "parameters: {n: 24}\n"
    "materials: {m: {density: 1200, young: 5e8, conductivity: 20, specific_heat: 150,\n"
    "  expansion: 2e-4, damping: {normal: 2e-3}, absorptivity: 0.9, emissivity: 0.8}}\n"
    "sections: {s: {type: rectangle, height: 0.008, width: 0.01}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0.8, 0, 0], "
    "elements: n}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\n"
    "gravity: [0, -3, 0]\n"
    "heat:\n"
    "  sun: {type: flux, value: 3.0e4, direction: [0.2, -1, 0], on: rod}\n"
    "  sky: {type: radiation, on: rod, sink: 240}\n"
    "initial: {rod: {temperature: 200}}\n"
    "analysis: {end: 1}\n"
    "output: {every: 0.02}\n";

/* a pendulum of two cables and a box, hinged; the force in a joint is requested */
static const char chain[] =
    "materials: {m: {density: 2000, young: 1e8, damping: {normal: 2e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  one: {type: ancf_cable, material: m, section: s, from: [1, 1, 0], to: [1.5, 1, 0],\n"
    "    elements: 10}\n"
    "  two: {type: ancf_cable, material: m, section: s, from: [1.5, 1, 0], to: [1.8, 1.4, 0],\n"
    "    elements: 10}\n"
    "  box: {type: rigid, mass: 0.2, inertia: [1e-3, 2e-3, 2e-3], position: [1.8, 1.4, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, one.start], axis: [0, 0, 1]}\n"
    "  elbow: {type: tie, between: [one.end, two.start]}\n"
    "  hinge: {type: revolute, between: [two.end, box], axis: [0, 0, 1]}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {f: {quantity: joint_force, joint: elbow}}\n"
    "analysis: {end: 0.5}\n";

/* a cable that hangs on a link in a floating frame, which stays as it is */
static const char floating[] =
    "materials:\n"
    "  stiff: {density: 7800, young: 2e9, poisson: 0.3}\n"
    "  soft: {density: 2700, young: 1e7, poisson: 0.3, damping: {normal: 2e-3}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: stiff, section: s, from: [0, 0, 0], to: [0.6, 0, 0],\n"
    "    elements: 4, reference: chord, rayleigh: [0, 1e-3]}\n"
    "  tail: {type: ancf_cable, material: soft, section: s, from: [0.6, 0, 0], to: [1.4, 0, 0],\n"
    "    elements: 24}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]}\n"
    "  elbow: {type: spherical, between: [arm.end, tail.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: tail.end, value: [0, 0, 'sin(3*t)']}}\n"
    "analysis: {end: 0.8}\n"
    "output: {every: 0.02}\n";

typedef struct result {
    double truth, predicted;
    gos_reduction chosen;
} result;

static gos_trial_runs track_of(const verify *v, const gos_system *sys, const gos_options *o,
                               gos_statistics *stats) {
    gos_trial_runs k;
    const double start = gos__now();
    verify_good(v, gos__trial_runs_create(v->ctx, sys, o, &k));
    verify_good(v, gos__trial_runs_run(v->ctx, sys, o, &k, NULL, NULL));
    stats->time_total = gos__now() - start;
    assert_false(k.failed);
    return k;
}

static result check(verify *v, double tol, const gos_trial_runs *full, double time) {
    gos_system *sys;
    gos_options o;
    gos_statistics stats;
    result r;
    gos_reduction_def def = gos__rom_def(v->sys);
    def.tolerance = tol;
    reduce_as(v->sys, def);
    verify_good(v, gos_reduce_auto(v->ctx, v->sys, &sys));
    gos_reduction_get(sys, &r.chosen);
    gos_options_get(sys, &o);
    gos_trial_runs k = track_of(v, sys, &o, &stats);
    r.truth = gos__trial_runs_distance(v->sys, &k, full).position;
    r.predicted = r.chosen.predicted;
    print_message(
        "  tol %.0e: m %d, nt %d, points %d of %d, steps %ld at %.2g: true %.3g, predicted "
        "%.3g (fields %.2g, thermal %.2g, points %.2g, steps %.2g); %d runs in %.2f s; solve "
        "%.1f ms, full %.0f ms\n",
        tol, r.chosen.number, r.chosen.thermal_fields, r.chosen.points, r.chosen.all_points,
        k.steps, o.tolerance, r.truth, r.predicted, r.chosen.error_fields, r.chosen.error_thermal,
        r.chosen.error_points, r.chosen.error_steps, r.chosen.runs, r.chosen.time,
        1e3 * stats.time_total, 1e3 * time);
    gos__trial_runs_free(v->ctx, &k);
    gos_system_destroy(sys);
    return r;
}

static void check_all(verify *v) {
    gos_statistics stats;
    gos_options o = v->opt;
    o.step = 0;
    o.tolerance = 1e-4 * FINE;
    gos_trial_runs full = track_of(v, v->sys, &o, &stats);
    for (double tol = 1e-2; tol > (SANITIZED ? 0.5e-2 : 0.5e-4); tol /= 10) {
        const result r = check(v, tol, &full, stats.time_total);
        verify_below("true over tolerance", r.truth / tol, 1);
        verify_below("true over predicted", r.truth / r.predicted, FACTOR);
        verify_below("predicted over true", r.predicted / r.truth, FACTOR);
    }
    gos__trial_runs_free(v->ctx, &full);
    verify_close(v);
}

static void pendulum(void **state) {
    (void)state;
    verify v;
    verify_example(&v, "thermal-pendulum", "t_end=0.5 reduction=null");
    check_all(&v);
}

static void boley(void **state) {
    (void)state;
    verify v;
    verify_example(&v, "boley-beam", "output.every=t_end/100 analysis.end=t_end/2");
    check_all(&v);
}

static void spinning(void **state) {
    (void)state;
    verify v;
    verify_text(&v, free_cable, NULL);
    check_all(&v);
}

static void radiation(void **state) {
    (void)state;
    verify v;
    verify_text(&v, hot_cable, NULL);
    check_all(&v);
}

static void hinged(void **state) {
    (void)state;
    verify v;
    verify_text(&v, chain, NULL);
    check_all(&v);
}

static void beside_floating(void **state) {
    (void)state;
    verify v;
    verify_text(&v, floating, NULL);
    check_all(&v);
}

/* statics, modes in place of polynomials, meshes too coarse for less than all of their space */
static void special_of(verify *v, double tol, double bound) {
    gos_statistics stats;
    gos_options o = v->opt;
    o.step = 0;
    o.tolerance = 1e-4 * FINE;
    gos_trial_runs full = track_of(v, v->sys, &o, &stats);
    const result r = check(v, tol, &full, stats.time_total);
    verify_below("true over tolerance", r.truth / tol, 1);
    verify_below("true over predicted", r.truth / r.predicted, bound);
    gos__trial_runs_free(v->ctx, &full);
    verify_close(v);
}

static void special(void **state) {
    (void)state;
    verify v;
    verify_example(&v, "elastica", NULL);
    reduce_as(v.sys, (gos_reduction_def){.statics = 1});
    special_of(&v, 1e-4, FACTOR);
    verify_text(&v, free_cable, "analysis.end=0.2 reduction.fields=modes");
    special_of(&v, 1e-3, FACTOR);
    verify_text(&v, hot_cable, "n=3 analysis.end=0.3");
    special_of(&v, 1e-4, FACTOR);
}

/* A beam on a clamp expands without stress in the sun, with a heater at its middle. */
static const char expanding_beam[] =
    "reference_temperature: 280\n"
    "materials: {m: {density: 2700, young: 7e10, poisson: 0.33, conductivity: 160,\n"
    "  specific_heat: 900, expansion: 23e-6, absorptivity: 0.4, emissivity: 0.7}}\n"
    "sections: {s: {type: annulus, outer: 0.02, inner: 0.018}}\n"
    "bodies: {boom: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [2, 0, 0],\n"
    "  elements: 8}}\n"
    "joints: {g: {type: clamp, between: [ground, boom.start]}}\n"
    "heat:\n"
    "  sun: {type: sun, direction: [0, -1, 0], on: boom}\n"
    "  cold: {type: temperature, on: boom.start, value: 0}\n"
    "  heater: {type: heat_flow, on: boom.at(1), value: '3*(t > 100)'}\n"
    "analysis: {end: 2000, motion: quasi_static}\n";

/* An energy that is only rounding is no scale for the stiffness of the space. */
static void expanding(void **state) {
    (void)state;
    verify v;
    gos_statistics stats;
    verify_text(&v, expanding_beam, NULL);
    gos_options o = v.opt;
    o.tolerance = 1e-5;
    gos_trial_runs full = track_of(&v, v.sys, &o, &stats);
    const result r = check(&v, 1e-3, &full, stats.time_total);
    verify_below("true", r.truth, 1e-5);
    assert_true(r.chosen.number + r.chosen.expansions <= 24);
    gos__trial_runs_free(v.ctx, &full);
    verify_close(&v);
}

/* A panel on a free hub: membrane responses at the slopes of its clamped edge are far stiffer than
   bending and need few fields. */
static void stiff_edge(void **state) {
    (void)state;
    static const char text[] =
        "materials: {s: {density: 150, young: 2e9, poisson: 0.3, damping: {normal: 3e-3, shear: "
        "3e-3}}}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 200, inertia: [40, 40, 45]}\n"
        "  p: {type: ancf_plate, material: s, thickness: 0.02, corner: [0.5, -0.5, 0],\n"
        "    x: [2.5, 0, 0], y: [0, 1, 0], elements: [6, 2], quadrature: reduced}\n"
        "joints: {a: {type: clamp, between: [hub, p.edge.x0]}}\n"
        "loads: {t: {type: moment, on: hub, moment: [0, '10*sin(2*pi*t)', 0]}}\n"
        "analysis: {end: 1, step: 0.01}\n"
        "reduction: {method: rotation_closed, fields: modes, number: 12}\n";
    verify v;
    gos_system *made;
    gos_statistics stats;
    verify_text(&v, text, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &made));
    gos_trial_runs full = track_of(&v, v.sys, &v.opt, &stats);
    gos_trial_runs run = track_of(&v, made, &v.opt, &stats);
    print_message("  stiff edge: %d coordinates\n", made->nq);
    assert_true(made->nq <= 72);
    verify_below("true", gos__trial_runs_distance(v.sys, &run, &full).position, 1e-5);
    gos__trial_runs_free(v.ctx, &run);
    gos__trial_runs_free(v.ctx, &full);
    gos_system_destroy(made);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),  cmocka_unit_test(boley),     cmocka_unit_test(spinning),
        cmocka_unit_test(radiation), cmocka_unit_test(hinged),    cmocka_unit_test(beside_floating),
        cmocka_unit_test(special),   cmocka_unit_test(expanding), cmocka_unit_test(stiff_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
