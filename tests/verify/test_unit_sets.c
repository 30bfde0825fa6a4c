/* Models whose numbers carry units give the same motion in SI and in mm-t-s: one text each, read in
   both sets. Every component of every probe is compared after conversion by its unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/units.h"
#include "gossamer/gossamer.h"
#include "support/suite.h"
#include "support/verify.h"

/* a heavy hinged cable, warmed by the Sun along an orbit, cooled by radiation and convection */
static const char structure[] =
    "parameters: {L: 1200 mm, P: 20 N}\n"
    "reference_temperature: 20 degC\n"
    "orbit: {altitude: 400 km, inclination: 51.6 deg, date: \"2026-03-20\", gravity_gradient: "
    "true}\n"
    "materials:\n"
    "  m: {density: 1.4 g/cm^3, young: 2 GPa, poisson: 30 %, damping: {normal: 2 ms},\n"
    "      conductivity: 0.2 W/(m K), specific_heat: 1 kJ/(kg K), expansion: 40 ppm/K,\n"
    "      absorptivity: 0.8, emissivity: 0.5}\n"
    "sections: {s: {type: rectangle, height: 5 mm, width: 2 cm}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 12 kg, inertia: [200000 kg mm^2, 0.2 kg m^2, 0.2 kg m^2],\n"
    "        shape: {box: [20 cm, 20 cm, 200 mm]}, heat_capacity: 3 kJ/K}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [100 mm, 0, 0], to: [L, 0, 0],\n"
    "        elements: 4}\n"
    "joints:\n"
    "  clamp: {type: clamp, between: [hub, rod.start]}\n"
    "loads:\n"
    "  push: {type: force, on: rod.end, value: [0, \"20*P*(t<0.01)\", \"P*sin(3*t)\"]}\n"
    "  pull: {type: force, on: rod.end, value: [0, 5 mN, 0]}\n"
    "  light: {type: solar_pressure, on: rod, flux: 1.361 kW/m^2, direction: [0, -1, 0]}\n"
    "heat:\n"
    "  sun: {type: sun, on: rod}\n"
    "  lamp: {type: flux, on: rod.top, value: 300 W/m^2}\n"
    "  space: {type: radiation, on: rod, sink: 2.7 K}\n"
    "  air: {type: convection, on: rod, coefficient: 2 W/(m^2 K), ambient: 30 degC}\n"
    "  joint: {type: contact, between: [hub, rod.start], conductance: 2 W/K}\n"
    "initial:\n"
    "  rod: {temperature: 35 degC}\n"
    "  all: {angular_velocity: [0, 0, 2 rpm]}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  rate: {at: rod.end, quantity: velocity}\n"
    "  heat: {at: rod.end, quantity: temperature}\n"
    "  hub: {at: hub, quantity: temperature}\n"
    "  force: {at: rod.at(300 mm), quantity: section_force}\n"
    "  moment: {at: rod.at(300 mm), quantity: section_moment}\n"
    "  strain: {at: rod.at(300 mm), quantity: strain}\n"
    "  clamp: {joint: clamp, quantity: joint_force}\n"
    "  about: {joint: clamp, quantity: joint_moment}\n"
    "  turn: {at: hub, quantity: angle, axis: [0, 0, 1]}\n"
    "  energy: {quantity: energy}\n"
    "  momentum: {quantity: momentum}\n"
    "  orbit: {quantity: orbit_position}\n"
    "analysis: {end: 200 ms}\n";

/* a hinged sheet with a patch, damped by rate feedback, with a shunted electrode */
static const char piezo[] =
    "parameters: {gain: 100 kOhm}\n"
    "materials:\n"
    "  steel: {density: 7.85 g/cm^3, young: 210 GPa, poisson: 0.3}\n"
    "  ceramic: {density: 7800 kg/m^3, young: 62 GPa, poisson: 0.3}\n"
    "meshes:\n"
    "  sheet:\n"
    "    type: rectangle\n"
    "    size: [1000 mm, 60 cm]\n"
    "    corner: [0, -300 mm, 0]\n"
    "    cells: [5, 3]\n"
    "    sets:\n"
    "      root: {of: cells, box: {from: [-1 m, -1 m, -1 m], to: [201 mm, 1 m, 1 m]}}\n"
    "      tip: {of: nodes, near: [1 m, 0.3 m, 0]}\n"
    "      foot: {of: nodes, near: [0.2 m, 0.1 m, 0]}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 20 kg, inertia: [6 kg m^2, 6 kg m^2, 6 kg m^2]}\n"
    "  sheet: {type: floating, mesh: sheet, material: steel, element: shell, thickness: 0.9 mm,\n"
    "          position: [0.2 m, 0, 0], reference: clamped, at: left, zeta: 1 %,\n"
    "          reduce: {method: modes, order: 6}}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 1, 0]}\n"
    "  root: {type: clamp, between: [hub, sheet.frame]}\n"
    "piezo:\n"
    "  patch: {type: patch, on: sheet.root, thickness: 0.4 mm, e31: -6.5 C/m^2, permittivity: 13 "
    "nF/m, material: ceramic,\n"
    "          channels: {bend: [root.upper, -root.lower]}}\n"
    "controllers:\n"
    "  calm: {type: expression, inputs: [patch.bend], amounts: [\"-gain*i_bend\"], limit: 400}\n"
    "loads:\n"
    "  spin: {type: moment, on: hub, moment: [0, 3 N m, 0]}\n"
    "floating_bodies: reduced\n"
    "probes:\n"
    "  tip: {at: sheet.tip, quantity: displacement, frame: sheet}\n"
    "  hub: {at: hub, quantity: angle, axis: [0, 1, 0]}\n"
    "  volt: {at: patch.bend, quantity: voltage}\n"
    "  charge: {at: patch.bend, quantity: charge}\n"
    "  i_bend: {at: patch.bend, quantity: motional_current}\n"
    "  root: {joint: root, quantity: joint_moment}\n"
    "  stress: {at: sheet.foot, quantity: stress}\n"
    "analysis: {end: 0.1 s}\n";

/* an arm positioned by a controller, with friction of a torsion spring and a stop in its way */
static const char arm[] =
    "parameters: {kp: 40 N m/rad, ki: 20 N m/(rad s), kd: 8 N m s/rad, m: 2500 g}\n"
    "gravity: [0, -1 g0, 0]\n"
    "bodies:\n"
    "  arm: {type: rigid, mass: m, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2],\n"
    "        position: [200 mm, 0, 0], points: {axis: [-20 cm, 0, 0]}}\n"
    "  load: {type: rigid, mass: 1 lb, inertia: [10 lb in^2, 10 lb in^2, 10 lb in^2], position: "
    "[500 mm, -10 in, 0]}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, arm.axis], axis: [0, 0, 1]}\n"
    "loads:\n"
    "  motor: {type: moment, on: arm, moment: [0, 0, 0.1 N m]}\n"
    "  spring: {type: spring, between: [arm, load], stiffness: 3 N/mm, damping: 2 N s/m, "
    "free_length: "
    "300 mm}\n"
    "controllers:\n"
    "  hold: {type: pid, signal: \"angle - 0.4*sin(4*t)\", inputs: motor.z, kp: kp, ki: ki, kd: "
    "kd, "
    "filter: 5 ms}\n"
    "probes:\n"
    "  angle: {at: arm, quantity: angle, axis: [0, 0, 1]}\n"
    "  load: {at: load, quantity: position}\n"
    "  hinge: {joint: axle, quantity: joint_force}\n"
    "  energy: {quantity: energy}\n"
    "analysis: {end: 0.5 s}\n";

enum { MOST = 200 };

/* the components of all probes after a run; those without unit (controllers) are omitted */
typedef struct values {
    int n;
    double y[MOST];
    int probe[MOST];
    char unit[MOST][GOS_UNIT_MAX];
} values;

static void run(const char *text, const char *units, bool fixed, values *k) {
    char all[VERIFY_TEXT];
    verify v;
    *k = (values){0};
    snprintf(all, sizeof all, "units: %s\n%s", units, text);
    verify_text(&v, all, NULL);
    assert_string_equal(gos_system_units(v.sys), units);
    v.opt.step = fixed ? v.opt.end / 100 : v.opt.step;
    verify_run(&v);
    for (int i = 0; i < gos_system_nprobes(v.sys); i++) {
        gos_probe_info info;
        double value[GOS_PROBE_MAX];
        gos_system_probe_info(v.sys, i, &info);
        verify_good(&v, gos_system_probe(v.ctx, v.sys, v.state, i, value, NULL));
        for (int c = 0; c < info.ncomp && info.unit[0] != '\0'; c++) {
            gos__unit_at(info.unit, c, k->unit[k->n]);
            k->probe[k->n] = i;
            k->y[k->n++] = value[c];
        }
    }
    verify_close(&v);
}

static void compare(const char *text, bool fixed, double bound) {
    values si, mm;
    double worst = 0;
    run(text, "SI", fixed, &si);
    run(text, "mm-t-s", fixed, &mm);
    assert_int_equal(mm.n, si.n);
    for (int i = 0; i < si.n; i++) {
        assert_true(gos_unit_convert(mm.unit[i], si.unit[i], &mm.y[i]));
    }
    for (int i = 0; i < si.n; i++) {
        double size = 1e-300;
        for (int k = 0; k < si.n; k++) {
            const bool alike = si.probe[k] == si.probe[i] && strcmp(si.unit[k], si.unit[i]) == 0;
            size = alike ? fmax(size, fabs(si.y[k])) : size;
        }
        const double off = fabs(mm.y[i] - si.y[i]) / size;
        if (!(off <= bound)) {
            print_message("probe %d [%s]: %.17g, not %.17g\n", si.probe[i], si.unit[i], mm.y[i],
                          si.y[i]);
        }
        worst = fmax(worst, off);
    }
    verify_below("mm-t-s against SI, largest relative difference", worst, bound);
}

static void test_structure(void **state) {
    GOS_UNUSED(state);
    compare(structure, true, 1e-9);
    compare(structure, false, 1e-6);
}

static void test_piezo(void **state) {
    GOS_UNUSED(state);
    compare(piezo, true, 1e-8);
}

static void test_arm(void **state) {
    GOS_UNUSED(state);
    compare(arm, true, 1e-8);
    compare(arm, false, 1e-4); // the scale of the integral is 1 in both units, so steps differ
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_piezo),
        cmocka_unit_test(test_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
