/* Rigid bodies with a shape: mass, inertia, picture; with a temperature: heat entries, contact and
   radiation between places, against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- mass and inertia ------------------------------------------------------------------------ */

/* kinetic energy of a body that turns with w about its node, where its axes are the global ones */
static double energy(const char *body, const char *w) {
    verify v;
    char text[VERIFY_TEXT];
    gos_energy e;
    snprintf(text, sizeof text,
             "bodies: {b: {type: rigid, %s, angular_velocity: %s}}\nanalysis: {end: 1}\n", body, w);
    verify_text(&v, text, NULL);
    gos_system_energy(v.sys, v.state, &e);
    verify_close(&v);
    return e.kinetic;
}

static void inertia(void **state) {
    (void)state;
    const double m = 500 * 0.2 * 0.3 * 0.5, r = 0.2, L = 0.7, mc = 500 * M_PI * r * r * L;
    const double ms = 500 * 4.0 / 3 * M_PI * r * r * r;
    const char *const box = "density: 500, shape: {box: [0.2, 0.3, 0.5]}";
    verify_near("box about x [J]", energy(box, "[2, 0, 0]"), 2 * m * (0.09 + 0.25) / 12, 1e-12);
    verify_near("box about y [J]", energy(box, "[0, 2, 0]"), 2 * m * (0.04 + 0.25) / 12, 1e-12);
    verify_near("box about z [J]", energy(box, "[0, 0, 2]"), 2 * m * (0.04 + 0.09) / 12, 1e-12);
    verify_near(
        "box off its node [J]",
        energy("density: 500, shape: {box: [0.2, 0.3, 0.5], centre: [0.1, 0.4, 0]}", "[0, 0, 2]"),
        2 * m * ((0.04 + 0.09) / 12 + 0.17), 1e-12);
    const char *const rod = "density: 500, shape: {cylinder: [0.2, 0.7], axis: [1, 1, 0]}";
    verify_near("cylinder about its axis [J]", energy(rod, "[2/sqrt(2), 2/sqrt(2), 0]"),
                2 * mc * r * r / 2, 1e-12);
    verify_near("cylinder across it [J]", energy(rod, "[0, 0, 2]"),
                2 * mc * (3 * r * r + L * L) / 12, 1e-12);
    verify_near("sphere [J]", energy("density: 500, shape: {sphere: 0.2}", "[1, 1, sqrt(2)]"),
                2 * 0.4 * ms * r * r, 1e-12);
    verify_near("a mass spread over the shape [J]",
                energy("mass: 3, shape: {sphere: 0.2}", "[0, 0, 2]"), 2 * 0.4 * 3 * r * r, 1e-12);
    verify_near("an inertia beside the shape [J]",
                energy("mass: 3, inertia: [1, 1, 1], shape: {sphere: 0.2}", "[0, 0, 2]"), 2, 1e-12);
}

/* what is drawn moves with the body: all of it lies on the surface of the shape, and the faces
 * close */
static void drawn(const char *shape, int cells, double (*surface)(const double *)) {
    verify v;
    char text[VERIFY_TEXT];
    gos_mesh_info mesh;
    double x[3 * 200], worst = 0;
    snprintf(text, sizeof text,
             "bodies: {b: {type: rigid, density: 500, shape: {%s}, position: [1, 2, 3],\n"
             "             rotation_vector: [0, 0, pi/2]}}\nanalysis: {end: 1}\n",
             shape);
    verify_text(&v, text, NULL);
    gos_system_mesh(v.sys, &mesh);
    assert_int_equal(mesh.ncells, cells);
    assert_true(mesh.nnodes <= 200);
    gos_system_nodes(v.sys, v.state, x, NULL, NULL, NULL);
    for (int i = 1; i < mesh.nnodes; i++) { // a quarter turn: body x is global y
        const double at[3] = {x[3 * i + 1] - 2, 1 - x[3 * i], x[3 * i + 2] - 3};
        worst = fmax(worst, fabs(surface(at)));
    }
    verify_below(shape, worst, 1e-12);
    for (int i = 0; i < mesh.cell_offset[mesh.ncells]; i++) {
        assert_in_range(mesh.cell_nodes[i], 1, mesh.nnodes - 1);
    }
    verify_close(&v);
}

static double on_box(const double *x) {
    return fmax(fabs(x[0]) / 0.1, fmax(fabs(x[1]) / 0.15, fabs(x[2]) / 0.25)) - 1;
}
static double on_cylinder(const double *x) {
    return fmax(hypot(x[0], x[1]) / 0.2, fabs(x[2]) / 0.35) - 1;
}
static double on_sphere(const double *x) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / 0.2 - 1;
}

static void pictures(void **state) {
    (void)state;
    drawn("box: [0.2, 0.3, 0.5]", 6, on_box);
    drawn("cylinder: [0.2, 0.7]", 30, on_cylinder);
    drawn("sphere: 0.2", 96, on_sphere);
    verify v;
    gos_mesh_info mesh;
    verify_text(
        &v,
        "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], shape: {lines: [[[0, 0, 0], "
        "[1, 0, 0], [1, 1, 0]], [[0, 0, 0], [0, 0, 1]]]}}}\n",
        NULL);
    gos_system_mesh(v.sys, &mesh);
    assert_int_equal(mesh.ncells, 3);
    assert_int_equal(mesh.nnodes, 7); // each piece has its own ends
    verify_close(&v);
}

/* without a shape: lines from the node to the points and to both ends of an edge that is clamped to
   it; they turn with it, and the extent is that of the nodes */
static void arms(void **state) {
    (void)state;
    static const double x[6][3] = {{1, 0, 0},   {1, 0.5, 0}, {0.75, 0, 0},
                                   {1, 0, 0.2}, {3, 0, 0},   {3, 1, 0}};
    verify v;
    gos_mesh_info mesh;
    gos_sizes sizes;
    double at[64 * 3];
    verify_text(
        &v,
        "materials: {m: {density: 1, young: 1e6}}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], rotation_vector: "
        "[0, 0, pi/2], centre_of_mass: [0.5, 0, 0], points: {p: [0, 0.25, 0], unused: [0, 0, "
        "0.2], same: [0, 0, 0]}}\n"
        "  sheet: {type: ancf_plate, material: m, thickness: 0.1, corner: [3, 0, 0], x: [1, 0, "
        "0], y: [0, 1, 0], elements: [2, 4]}\n"
        "joints:\n  root: {type: clamp, between: [hub, sheet.edge.x0], rigid: true}\n"
        "loads:\n  push: {type: force, on: hub.p, value: [0, 0, 1]}\n",
        NULL);
    gos_system_mesh(v.sys, &mesh);
    gos_system_sizes(v.sys, &sizes);
    assert_int_equal(mesh.body_first_node[1], 6); // the node, centre, p, unused, two corners
    gos_system_nodes(v.sys, v.state, at, NULL, NULL, NULL);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 3; c++) {
            verify_near("end of a line [m]", at[3 * i + c], x[i][c], 1e-12);
        }
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(mesh.cell_body[i], 0);
        assert_int_equal(mesh.cell_offset[i + 1] - mesh.cell_offset[i], 2);
        assert_int_equal(mesh.cell_nodes[2 * i], 0);
        assert_int_equal(mesh.cell_nodes[2 * i + 1], i + 1);
    }
    verify_near("extent [m]", sizes.extent, sqrt(9 + 1), 1e-12);
    verify_close(&v);
    verify_text(&v,
                "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, "
                "2], points: {p: [1, 0, 0]}}}\nanalysis: {end: 0.5, tolerance: 1e-8}\n",
                NULL);
    verify_run(&v);
    gos_system_nodes(v.sys, v.state, at, NULL, NULL, NULL);
    verify_near("turned by 1 rad, x [m]", at[3], cos(1), 1e-6);
    verify_near("turned by 1 rad, y [m]", at[4], sin(1), 1e-6);
    verify_close(&v);
}

/* ---- temperatures ---------------------------------------------------------------------------- */

#define CUBE(name, x)                                                                              \
    "  " name ": {type: rigid, density: 1000, shape: {box: [0.1, 0.1, 0.1]}, specific_heat: 500, " \
    "emissivity: 0.8, position: [" x ", 0, 0]}\n"
#define C 500.0 // heat capacity of a cube [J/K]
#define A 0.06  // its surface [m^2]
#define SIGMA 5.670374419e-8

static const char cubes[] =
    "reference_temperature: 300\n"
    "bodies:\n" CUBE("a", "0")
        CUBE("b", "1") "probes: {Ta: {at: a, quantity: temperature}, Tb: {at: b, quantity: "
                       "temperature}}\n"
                       "initial: {a: {temperature: 80}}\n"
                       "analysis: {end: 100, tolerance: 1e-7, temperature_range: 80}\n";

static void open_cubes(verify *v, const char *heat) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%sheat:\n%s", cubes, heat);
    verify_text(v, text, NULL);
}

static void contact(void **state) {
    (void)state;
    verify v;
    gos_heat heat;
    open_cubes(&v, "  c: {type: contact, between: [a, b], conductance: 3}\n");
    verify_run(&v);
    const double d = 80 * exp(-3 * 2 / C * 100), Ta = verify_value(&v, NULL, "Ta.T"),
                 Tb = verify_value(&v, NULL, "Tb.T");
    verify_near("difference of two bodies in contact [K]", Ta - Tb, d, 1e-3);
    verify_near("their sum [K]", Ta + Tb, 80, 1e-11);
    gos_system_heat(v.sys, v.state, &heat);
    verify_near("heat stored [J]", heat.stored, 0, 1e-8);
    verify_near("heat supplied [J]", heat.supplied, 0, 1e-8);
    verify_close(&v);
}

/* C T' = -e A s T^4: 1/T^3 = 1/T0^3 + 3 e A s t/C; to a body kept at 0 K the same */
static void radiation(void **state) {
    (void)state;
    static const char *const text[] = {
        "  s: {type: radiation, on: a, sink: 0}\n",
        "  s: {type: exchange, between: [a, b], area: 0.06, emissivity: 0.8}\n"
        "  t: {type: temperature, on: b, value: -300, gradients: free}\n"};
    for (int i = 0; i < 2; i++) {
        verify v;
        open_cubes(&v, text[i]);
        if (i) {
            v.state->th[1] = -300;
        }
        verify_run(&v);
        const double T = pow(1 / pow(380, 3) + 3 * 0.8 * A * SIGMA * 100 / C, -1.0 / 3);
        verify_near("radiating body [K]", 300 + verify_value(&v, NULL, "Ta.T"), T, 1e-3);
        verify_close(&v);
    }
}

/* isolated, they come to one temperature and keep their heat */
static void equilibrium(void **state) {
    (void)state;
    verify v;
    open_cubes(&v, "  s: {type: exchange, between: [a, b], area: 20, emissivity: 1}\n");
    verify_run(&v);
    const double Ta = verify_value(&v, NULL, "Ta.T"), Tb = verify_value(&v, NULL, "Tb.T");
    verify_near("the same temperature [K]", Ta - Tb, 0, 1e-6);
    verify_near("half of the sum [K]", Ta, 40, 1e-6);
    verify_near("sum [K]", Ta + Tb, 80, 1e-10);
    verify_close(&v);
}

/* convection, power, source, and a thermostat: C T' = -(h A + K) T + P */
static void entries(void **state) {
    (void)state;
    verify v;
    open_cubes(&v, "  air: {type: convection, on: a, coefficient: 50, ambient: 0}\n"
                   "  law: {type: heat_flow, on: a, value: \"-4*Ta\"}\n"
                   "  in: {type: heat_flow, on: a.node, value: 12}\n"
                   "  deep: {type: source, on: a, value: 3000}\n"
                   "  lamp: {type: flux, on: a, value: 100}\n"
                   "  other: {type: heat_flow, on: b, value: 5}\n");
    verify_run(&v);
    const double k = 50 * A + 4, P = 12 + 3 + 6;
    verify_near("body in the air with a thermostat [K]", verify_value(&v, NULL, "Ta.T"),
                P / k + (80 - P / k) * exp(-k / C * 100), 1e-3);
    verify_near("body that is heated [K]", verify_value(&v, NULL, "Tb.T"), 5 * 100 / C, 1e-6);
    verify_close(&v);
}

/* a rod between two bodies of given temperature: 1/G1 + L/(k S) + 1/G2 in series */
static const char series[] =
    "reference_temperature: 300\n"
    "materials: {m: {density: 2000, young: 1e9, conductivity: 20, specific_heat: 400}}\n"
    "sections: {s: {type: rectangle, height: 0.1, width: 0.1}}\n"
    "bodies:\n" CUBE("a", "-0.1") CUBE("b", "1") CUBE(
        "c",
        "2") "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0.5, 0, 0], "
             "elements: 4}\n"
             "joints: {j: {type: clamp, between: [ground, a], at: [-0.1, 0, 0]}, k: {type: clamp, "
             "between: [a, rod.start]}, l: {type: clamp, between: [ground, b], at: [1, 0, 0]},\n"
             "  m: {type: clamp, between: [ground, c], at: [2, 0, 0]}}\n"
             "heat:\n"
             "  hot: {type: temperature, on: a, value: 90}\n"
             "  cold: {type: temperature, on: c, value: 10}\n"
             "  g1: {type: contact, between: [a, rod.start], conductance: 0.8}\n"
             "  g2: {type: contact, between: [rod.end, b], conductance: 0.5}\n"
             "  g3: {type: contact, between: [c, b], conductance: 0.25}\n"
             "probes: {T0: {at: rod.start, quantity: temperature}, T1: {at: rod.end, quantity: "
             "temperature}, Tb: {at: b, quantity: temperature}}\n"
             "reduction: {method: rotation_closed, fields: modes, number: 4, thermal_fields: 5}\n"
             "analysis: {type: static, end: 4000, tolerance: 1e-6}\n";

static void resistances(void **state) {
    (void)state;
    verify v;
    const double flow = 80 / (1 / 0.8 + 0.5 / (20 * 0.01) + 1 / 0.5 + 1 / 0.25);
    verify_text(&v, series, NULL);
    verify_static(&v);
    verify_near("start of the rod [K]", verify_value(&v, NULL, "T0.T"), 90 - flow / 0.8, 1e-9);
    verify_near("its end [K]", verify_value(&v, NULL, "T1.T"), 10 + flow / 0.25 + flow / 0.5, 1e-9);
    verify_near("body behind it [K]", verify_value(&v, NULL, "Tb.T"), 10 + flow / 0.25, 1e-9);
    verify_close(&v);
}

static void reduced(void **state) {
    (void)state;
    verify full, rom;
    verify_text(&full, series, "analysis.type=dynamic");
    verify_text(&rom, series, "analysis.type=dynamic");
    gos_system *all = rom.sys;
    gos_state_destroy(rom.state);
    verify_good(&rom, gos_reduce(rom.ctx, all, &rom.sys));
    verify_good(&rom, gos_state_create(rom.ctx, rom.sys, &rom.state));
    verify_run(&full);
    verify_run(&rom);
    verify_near("body behind the rod, reduced [K]", verify_value(&rom, NULL, "Tb.T"),
                verify_value(&full, NULL, "Tb.T"), 1e-2);
    verify_near("end of the rod, reduced [K]", verify_value(&rom, NULL, "T1.T"),
                verify_value(&full, NULL, "T1.T"), 1e-2);
    verify_within("on its way [K]", verify_value(&full, NULL, "Tb.T"), 5, 40);
    gos_integrator_destroy(rom.run);
    gos_state_destroy(rom.state);
    gos_system_destroy(rom.sys);
    rom.run = NULL;
    rom.state = NULL;
    rom.sys = all;
    verify_close(&rom);
    verify_close(&full);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia), cmocka_unit_test(pictures),    cmocka_unit_test(arms),
        cmocka_unit_test(contact), cmocka_unit_test(radiation),   cmocka_unit_test(equilibrium),
        cmocka_unit_test(entries), cmocka_unit_test(resistances), cmocka_unit_test(reduced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
