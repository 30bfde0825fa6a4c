/* Bodies of meshes in a floating frame: thermal strain, the heat of strains, heat on named
   surfaces, against closed forms. Frequencies and single elements are tests of finite elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define STEEL                                                                                      \
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 1.2e-5,\n"         \
    "  conductivity: 43, specific_heat: 465, emissivity: 0.8, absorptivity: 0.6}}\n"

/* a free block, turned, its mean axes held: u = alpha theta (x - centre of mass), in its axes,
 * exactly */
static void uniform_temperature(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {T: 50}\n" STEEL
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], corner: [-0.15, -0.1, -0.05],\n"
        "  cells: [3, 2, 2], order: quadratic}}\n"
        "bodies: {block: {type: floating, mesh: block, material: steel,\n"
        "  rotation_vector: [0, 0, pi/2]}}\n"
        "joints: {hold: {type: clamp, between: [ground, block.frame]}}\n"
        "heat: {T: {type: temperature, value: T, on: block.corner_7}}\n"
        "probes: {u: {at: block.corner_7, quantity: displacement},\n"
        "  T: {at: block.corner_1, quantity: temperature}}\n"
        "analysis: {type: static}\n";
    verify v = {0};
    verify_text(&v, model, "");
    verify_static(&v);
    const gos_state *x = v.state;
    // corner 7 is at right, back and top: (0.15, 0.1, 0.05), turned by 90 degrees about z
    const double a = 1.2e-5 * 50;
    verify_near("temperature", verify_value(&v, x, "T.T"), 50, 1e-9);
    verify_near("u.x", verify_value(&v, x, "u.x"), -a * 0.1, 1e-12);
    verify_near("u.y", verify_value(&v, x, "u.y"), a * 0.15, 1e-12);
    verify_near("u.z", verify_value(&v, x, "u.z"), a * 0.05, 1e-12);
    verify_close(&v);
}

/* A sheet that is pulled without exchange of heat cools by T_ref alpha sigma / (rho c + 2 T_ref E
   alpha^2 / (1 - nu)) (Kelvin, with the heat capacity at constant strain and plane stress). It is
   pulled slowly, over 300 periods, and conducts nothing. */
static void strains_make_heat(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "reference_temperature: 300\n"
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 1.2e-5,\n"
        "  conductivity: 1e-9, specific_heat: 465}}\n"
        "meshes: {bar: {type: rectangle, size: [0.4, 0.1], cells: [4, 1]}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: steel, element: plane_stress,\n"
        "  thickness: 0.01, zeta: 0.5}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
        "loads:\n"
        "  pull: {type: force, on: bar.right, value: [\"1e5*(1-cos(pi*t/0.05))/2\", 0, 0]}\n"
        "  back: {type: force, on: bar.left, value: [\"-1e5*(1-cos(pi*t/0.05))/2\", 0, 0]}\n"
        "probes: {T: {at: bar.node(8), quantity: temperature}}\n"
        "analysis: {end: 0.05, step: 2.5e-5, thermoelastic_heat: true}\n";
    verify v = {0};
    verify_text(&v, model, "");
    verify_run(&v);
    const double sigma = 1e5 / (0.1 * 0.01);
    const double capacity = 7800 * 465.0 + 2 * 300 * 2.1e11 * 1.2e-5 * 1.2e-5 / 0.7;
    const double fall = 300 * 1.2e-5 * sigma / capacity;
    verify_near("fall of temperature", verify_value(&v, v.state, "T.T"), -fall, 1e-5 * fall);
    verify_close(&v);
}

/* heat by a flux through a side and the skin, by a source, by light that falls on a side of a
   turned block: what is stored is power times time */
static void heat_of_surfaces(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {q: 0, s: 0, light: 0, phi: 0}\n" STEEL
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], cells: [3, 2, 1]}}\n"
        "bodies: {block: {type: floating, mesh: block, material: steel,\n"
        "  rotation_vector: [0, 0, phi]}}\n"
        "joints: {hold: {type: clamp, between: [ground, block.frame]}}\n"
        "heat:\n"
        "  flux: {type: flux, value: q, on: [block.right, block]}\n"
        "  source: {type: source, value: s, on: block}\n"
        "  sun: {type: flux, value: light, direction: [-1, 0, 0], on: block.right}\n"
        "analysis: {end: 10, step: 1}\n";
    const struct {
        const char *settings;
        double power;
    } cases[] = {{"q=1000", 1000 * (0.02 + 2 * (0.06 + 0.03 + 0.02))},
                 {"s=2000", 2000 * 0.006},
                 {"light=1000", 600 * 0.02},
                 {"light=1000 phi=pi/3", 300 * 0.02},
                 {"light=1000 phi=2*pi/3", 0}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v = {0};
        gos_heat heat;
        verify_text(&v, model, cases[i].settings);
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &heat);
        verify_near(cases[i].settings, heat.stored, 10 * cases[i].power,
                    1e-12 * (1 + 10 * cases[i].power));
        verify_near("supplied", heat.supplied, heat.stored, 1e-12 * (1 + heat.stored));
        verify_close(&v);
    }
}

/* two halves with parts of their own: the thickness of a side is that of its part */
static void parts(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {h: 0.02}\n" STEEL
        "meshes: {sheet: {type: rectangle, size: [0.4, 0.1], cells: [4, 1], sets: {\n"
        "  a: {of: cells, box: {from: [0, 0, 0], to: [0.2, 0.1, 0]}},\n"
        "  b: {of: cells, box: {from: [0.2, 0, 0], to: [0.4, 0.1, 0]}}}}}\n"
        "bodies: {sheet: {type: floating, mesh: sheet, element: plane_stress, parts: [\n"
        "  {cells: a, material: steel, thickness: 0.02},\n"
        "  {cells: b, material: steel, thickness: h}]}}\n"
        "joints: {hold: {type: clamp, between: [ground, sheet.frame]}}\n"
        "heat: {flux: {type: flux, value: 1000, on: sheet.right}}\n"
        "analysis: {end: 10, step: 1}\n";
    verify v = {0};
    gos_heat heat;
    verify_text(&v, model, "");
    verify_run(&v);
    gos_system_heat(v.sys, v.state, &heat);
    verify_near("heat through a side", heat.stored, 10 * 1000 * 0.1 * 0.02, 1e-9);
    verify_near("mass", heat.stored > 0 ? gos__motion_total(v.sys) : 0, 7800 * 0.04 * 0.02, 1e-12);
    verify_close(&v);
    v = (verify){0};
    verify_text(&v, model, "h=0.03");
    verify_run(&v);
    gos_system_heat(v.sys, v.state, &heat);
    verify_near("heat through a side", heat.stored, 10 * 1000 * 0.1 * 0.03, 1e-9);
    verify_close(&v);
}

/* The end face of a slender bar under a force across it and under a moment, both spread over its
   nodes, along y and along z: F (L^3 / (3 E I) + L / (G A)), F L^2 / (2 E I), M L / (E I). One cell
   across shears evenly, and but for the held end freely; nodes take the moment in parts that grow
   with their distance, which is felt about h deep. The deflection by the moment is the rotation by
   the force (Betti), exactly. */
static void faces_turn(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {Fy: 0, Fz: 0, My: 0, Mz: 0}\n"
        "materials: {m: {density: 1000, young: 1e9, poisson: 0}}\n"
        "meshes: {bar: {type: box, size: [1, 0.05, 0.05], cells: [20, 1, 1], order: quadratic}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: m, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
        "loads:\n"
        "  force: {type: force, on: bar.right, value: [0, Fy, Fz]}\n"
        "  moment: {type: moment, on: bar.right, moment: [0, My, Mz]}\n"
        "probes: {u: {at: bar.right, quantity: displacement},\n"
        "  turn: {at: bar.right, quantity: rotation_vector}}\n"
        "analysis: {type: static}\n";
    static const struct {
        const char *force, *moment, *along, *about;
        double sign; // of the rotation
    } way[] = {{"Fy=1e-3", "Mz=1e-3", "u.y", "turn.z", 1},
               {"Fz=1e-3", "My=-1e-3", "u.z", "turn.y", -1}};
    const double EI = 1e9 * pow(0.05, 4) / 12, F = 1e-3, shear = 0.05 * 0.05 / 6;
    for (int i = 0; i < GOS_COUNT(way); i++) {
        double deflection[2], rotation[2];
        for (int k = 0; k < 2; k++) {
            verify v = {0};
            verify_text(&v, model, k == 0 ? way[i].force : way[i].moment);
            verify_static(&v);
            deflection[k] = verify_value(&v, v.state, way[i].along) * EI / F;
            rotation[k] = way[i].sign * verify_value(&v, v.state, way[i].about) * EI / F;
            verify_close(&v);
        }
        verify_near("deflection by a force", deflection[0], 1.0 / 3 + shear, 2e-5);
        verify_near("rotation by a force", rotation[0], 0.5, 1e-5);
        verify_near("rotation by a moment", rotation[1], 1, 0.01);
        verify_near("what one does to the other", deflection[1], rotation[0], 1e-10);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_temperature), cmocka_unit_test(strains_make_heat),
        cmocka_unit_test(heat_of_surfaces),    cmocka_unit_test(parts),
        cmocka_unit_test(faces_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
