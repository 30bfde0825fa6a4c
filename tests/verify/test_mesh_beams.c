/* Beams as elements of meshes, in floating bodies: closed forms of frames, stresses, heat and
   light, rotation, and the same motion as floating_beam, which is another way through the
   program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/section_shapes.h"
#include "support/modes.h"
#include "support/suite.h"
#include "support/verify.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

#define STEEL                                                                                      \
    "materials: {steel: {density: 7850, young: 2.1e11, poisson: 0.3, expansion: 1.2e-5,\n"         \
    "  conductivity: 50, specific_heat: 460}}\n"
#define BAR                                                                                        \
    "sections: {bar: {type: rectangle, height: 0.06, width: 0.04,\n"                               \
    "  shear_factors: [0.85, 0.8]}}\n"

static const double E = 2.1e11, G = 2.1e11 / 2.6, A = 0.06 * 0.04,
                    Iz = 0.04 * 0.06 * 0.06 * 0.06 / 12, Iy = 0.06 * 0.04 * 0.04 * 0.04 / 12;

/* Displacement of the end of a beam by a force across, along y (0) or z. */
static double bends(double l, int dir) {
    return l * l * l / (3 * E * (dir ? Iy : Iz)) + l / ((dir ? 0.8 : 0.85) * G * A);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static const char corner[] =
    "parameters: {Fx: 0, Fy: 0, Fz: 0}\n" STEEL BAR
    "meshes: {frame: {type: frame, points: [[0, 0, 0], [0, 0, 1.2], [0.7, 0, 1.2]], cells: 3}}\n"
    "bodies: {frame: {type: floating, mesh: frame, material: steel, section: bar,\n"
    "  temperature: off, reference: clamped, at: point_1, reduce: {method: krylov, order: 6}}}\n"
    "joints: {base: {type: clamp, between: [ground, frame.frame]}}\n"
    "loads: {F: {type: force, on: frame.point_3, value: [Fx, Fy, Fz]}}\n"
    "probes:\n"
    "  tip: {at: frame.point_3, quantity: displacement}\n"
    "  s: {at: 'frame.at(0, 0, 0.6)', quantity: stress, fibre: [0.03, 0]}\n"
    "  foot: {at: frame.point_1, quantity: stress, fibre: [0, -0.02]}\n"
    "  largest: {at: frame, quantity: max_von_mises, fibre: [0, -0.02]}\n"
    "analysis: {type: static}\n";

/* A column (local y = e1, z = e2) with a beam on its top (y = e2, z = e3): forces at its end bend
 * both and twist the column. */
static void bent_corner(void **state) {
    GOS_UNUSED(state);
    const double a = 1.2, b = 0.7, F = 100;
    const double J = gos__torsion_rectangle(0.06, 0.04);
    const double top =
        a * a / (2 * E * Iz); // rotation of the column's top by a force; of a moment a / EI
    const double want[3][3] = {{bends(a, 0) + b / (E * A), 0, -top * b},
                               {0, bends(b, 0) + bends(a, 1) + b * b * a / (G * J), 0},
                               {-b * top, 0, bends(b, 1) + b * b * a / (E * Iz) + a / (E * A)}};
    static const char *const name[3] = {"Fx", "Fy", "Fz"};
    for (int reduced = 0; reduced < 2; reduced++) {
        for (int d = 0; d < 3; d++) {
            verify v;
            char set[80];
            double u[GOS_PROBE_MAX], s[GOS_PROBE_MAX];
            snprintf(set, sizeof set, "%s=%g%s", name[d], F,
                     reduced ? " floating_bodies=reduced" : "");
            verify_text(&v, corner, set);
            verify_static(&v);
            verify_probe(&v, NULL, "tip", u);
            for (int c = 0; c < 3; c++) {
                verify_near(name[d], u[c], F * want[d][c], 2e-8 * F * want[d][d]);
            }
            if (d == 2) { // pulled and bent by the moment -b F e2, and y = e1
                verify_probe(&v, NULL, "s", s);
                const double bend = F * b * 0.03 / Iz, sum = F / A + bend;
                for (int c = 0; c < 6; c++) {
                    verify_near("stress of the column", s[c], c == 2 ? sum : 0, 1e-8 * sum);
                }
            }
            if (d == 1) { // v'' of the column's foot: moment a F about -e1, z = e2
                verify_probe(&v, NULL, "foot", s);
                const double foot = F * a * 0.02 / Iy;
                verify_near("stress of its foot", s[2], foot, 1e-8 * foot);
                verify_near("largest", verify_value(&v, NULL, "largest.value"), foot, 1e-8 * foot);
            }
            verify_close(&v);
        }
    }
}

/* a section that is turned by an angle about the beam: principal axes bend by their own
   constants */
static void turned_section(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {phi: 0}\n" STEEL BAR
        "meshes: {line: {type: frame, points: [[0, 0, 0], [1, 0, 0]], cells: 4}}\n"
        "bodies: {bar: {type: floating, mesh: line, material: steel, section: bar,\n"
        "  normal: [0.5, '-sin(phi)', cos(phi)], temperature: off, reference: clamped,\n"
        "  at: point_1}}\n"
        "joints: {base: {type: clamp, between: [ground, bar.frame]}}\n"
        "loads: {F: {type: force, on: bar.point_2, value: [0, 0, 100]}}\n"
        "probes: {tip: {at: bar.point_2, quantity: displacement}}\n"
        "analysis: {type: static}\n";
    for (int i = 0; i < 4; i++) {
        verify v;
        char set[40];
        double u[GOS_PROBE_MAX];
        const double phi = 0.4 * i, y[3] = {0, cos(phi), sin(phi)}, z[3] = {0, -sin(phi), cos(phi)};
        snprintf(set, sizeof set, "phi=%.17g", phi);
        verify_text(&v, model, set);
        verify_static(&v);
        verify_probe(&v, NULL, "tip", u);
        for (int c = 0; c < 3; c++) {
            const double want = 100 * (bends(1, 0) * y[2] * y[c] + bends(1, 1) * z[2] * z[c]);
            verify_near("tip", u[c], want, 1e-9 * 100 * bends(1, 1));
        }
        verify_close(&v);
    }
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* warm between walls: -E alpha T in all of it */
static void held_and_warm(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STEEL BAR "meshes: {line: {type: frame, points: [[0, 0, 0], [0.6, 0, 0.8]], cells: 4}}\n"
                  "bodies: {bar: {type: floating, mesh: line, material: steel, section: bar}}\n"
                  "joints: {one: {type: clamp, between: [ground, bar.point_1]},\n"
                  "  two: {type: clamp, between: [ground, bar.point_2]}}\n"
                  "heat: {T: {type: temperature, value: 50, on: bar.point_1}}\n"
                  "probes: {s: {at: bar.node(3), quantity: stress, fibre: [0.03, 0.02]},\n"
                  "  e: {at: bar.node(3), quantity: strain}}\n"
                  "analysis: {type: static}\n";
    verify v;
    double s[GOS_PROBE_MAX], e[GOS_PROBE_MAX];
    const double want = -E * 1.2e-5 * 50, across = 1.3 * 1.2e-5 * 50;
    verify_text(&v, model, "");
    verify_static(&v);
    verify_probe(&v, NULL, "s", s);
    verify_probe(&v, NULL, "e", e);
    const double d[3] = {0.6, 0, 0.8};
    for (int c = 0; c < 6; c++) {
        const int i = c < 3 ? c : c - 3, j = c < 3 ? c : (c - 2) % 3;
        verify_near("stress", s[c], want * d[i] * d[j], 1e-9 * fabs(want));
        verify_near("strain", e[c], (c < 3 ? 1 : 2) * across * ((i == j) - d[i] * d[j]),
                    1e-9 * across);
    }
    verify_close(&v);
}

/* A fin: T = T0 cosh(m (l - x)) / cosh(m l), m^2 = h P / (k A). */
static double fin_error(int cells) {
    static const char model[] =
        "parameters: {n: 4}\n" STEEL BAR
        "meshes: {line: {type: frame, points: [[0, 0, 0], [0.5, 0, 0]], cells: n}}\n"
        "bodies: {bar: {type: floating, mesh: line, material: steel, section: bar}}\n"
        "joints: {one: {type: clamp, between: [ground, bar.frame]}}\n"
        "heat: {T: {type: temperature, value: 100, on: bar.point_1},\n"
        "  air: {type: convection, coefficient: 30, on: bar.member_1}}\n"
        "probes: {T: {at: bar.point_2, quantity: temperature}}\n"
        "analysis: {type: static}\n";
    verify v;
    char set[40];
    snprintf(set, sizeof set, "n=%d", cells);
    verify_text(&v, model, set);
    verify_static(&v);
    const double m = sqrt(30 * 0.2 / (50 * A)), T = verify_value(&v, NULL, "T.T");
    verify_close(&v);
    return T / (100 / cosh(m * 0.5)) - 1;
}

static void fin(void **state) {
    GOS_UNUSED(state);
    const double coarse = fin_error(16), fine = fin_error(32);
    verify_within("16 cells", fabs(coarse), 0, 1e-2);
    verify_within("order", verify_order(coarse, fine, 2), 1.95, 2.05);
}

/* Sunlight on a long beam that radiates: a s (shadow) = e sigma P (T^4 - Ts^4); of a rectangle
   (height |n_y| + width |n_z|) sin, of a round one its diameter. What does not cast a shadow along
   it is in the dark. */
static void in_the_sun(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {ux: 0, uy: 0.6, uz: 0.8}\n"
        "reference_temperature: 200\n"
        "materials: {steel: {density: 7850, young: 2.1e11, conductivity: 50, specific_heat: 460}}\n"
        "sections: {bar: {type: rectangle, height: 0.06, width: 0.04}, rod: {type: circle,\n"
        "  radius: 0.02}}\n"
        "meshes: {line: {type: frame, points: [[0, 0, 0], [1, 0, 0]], cells: 2}}\n"
        "bodies: {bar: {type: floating, mesh: line, material: steel, parts: [{cells: member_1,\n"
        "    section: bar}]},\n"
        "  rod: {type: floating, mesh: line, material: steel, section: rod}}\n"
        "joints: {one: {type: clamp, between: [ground, bar.point_1]},\n"
        "  two: {type: clamp, between: [ground, rod.point_1]}}\n"
        "heat: {sun: {type: sun, flux: 1400, absorptivity: 0.7, direction: [ux, uy, uz],\n"
        "    on: [bar.member_1, rod]},\n"
        "  sky: {type: radiation, sink: 150, emissivity: 0.5, on: [bar, rod.member_1]}}\n"
        "probes: {T: {at: bar.point_1, quantity: temperature},\n"
        "  R: {at: rod.point_2, quantity: temperature}}\n"
        "analysis: {type: static}\n";
    static const double u[2][3] = {{0, 0.6, 0.8}, {0.6, 0.64, 0.48}};
    for (int i = 0; i < 2; i++) {
        verify v;
        char set[80];
        snprintf(set, sizeof set, "ux=%g uy=%g uz=%g", u[i][0], u[i][1], u[i][2]);
        verify_text(&v, model, set);
        verify_static(&v);
        const double sigma = 5.670374419e-8, flat = 0.04 * u[i][1] + 0.06 * u[i][2];
        const double around = hypot(u[i][1], u[i][2]) * 0.04;
        const double sky = 150.0 * 150 * 150 * 150;
        const double T = pow(sky + 0.7 * 1400 * flat / (0.5 * sigma * 0.2), 0.25);
        const double R = pow(sky + 0.7 * 1400 * around / (0.5 * sigma * 2 * M_PI * 0.02), 0.25);
        verify_near("rectangle", 200 + verify_value(&v, NULL, "T.T"), T, 1e-7 * T);
        verify_near("circle of 24 normals", 200 + verify_value(&v, NULL, "R.T"), R, 2e-3 * R);
        verify_close(&v);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* A beam on a hub that turns, E I and rho A L^4 are 1: across the plane 3.6816, 4.1373, 7.3604
   rad/s at 1, 2, 6 rad/s (Wright and others, J. Appl. Mech. 49, 1982), in the plane their squares
   less that of the rate. */
static void rotation(void **state) {
    GOS_UNUSED(state);
    static const char blade[] =
        "parameters: {Omega: 0}\n"
        "materials: {unit: {density: 1e4, young: 1.2e9, poisson: 0}}\n"
        "sections: {bar: {type: rectangle, height: 0.01, width: 0.01}}\n"
        "meshes: {line: {type: frame, points: [[0, 0, 0], [1, 0, 0]], cells: 40}}\n"
        "bodies: {bar: {type: floating, mesh: line, material: unit, section: bar,\n"
        "  coupling: first, reference: clamped, at: point_1, angular_velocity: [0, 0, Omega]}}\n"
        "joints:\n"
        "  drive: {type: driven_rotation, between: [ground, bar.frame], axis: [0, 0, 1],\n"
        "    angle: 'Omega*t'}\n"
        "  axle: {type: revolute, between: [ground, bar.frame], axis: [0, 0, 1]}\n";
    static const double rate[] = {1, 2, 6}, wright[] = {3.6816, 4.1373, 7.3604};
    for (int i = 0; i < 3; i++) {
        const double Omega = rate[i], spin[3] = {0, 0, Omega}, pivot[3] = {0};
        const char *const names[] = {"Omega", NULL};
        fixture f = read_model(blade, names, &Omega);
        gos_mode mode[2];
        gos_options o;
        gos_options_get(f.sys, &o);
        o.analysis = GOS_STATIC;
        o.end = 0;
        o.spin_z = Omega;
        need(f.ctx, gos_solve_static(f.ctx, f.sys, &o, f.state, NULL));
        need(f.ctx, gos_linearise_rotating(f.ctx, f.sys, f.state, spin, pivot, &f.linear));
        get_modes(&f, 2, true, mode);
        const double lag = sqrt(wright[i] * wright[i] - Omega * Omega);
        verify_near("in the plane", mode[0].omega, lag, 5e-4 * lag);
        verify_near("across", mode[1].omega, wright[i], 5e-4 * wright[i]);
        done(&f);
    }
}

/* A pendulum that falls and vibrates, as a mesh and as floating_beam with sections that turn: the
   same equations by another way. Shear factors make the mesh's beam as stiff in shear as the other
   one is. */
static void falls(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "gravity: [0, 0, -9.81]\n"
        "materials: {soft: {density: 2700, young: 2e8, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.06, width: 0.04, shear_factors: [1e9, 1e9]}}\n"
        "meshes: {line: {type: frame, points: [[0, 0, 0], [1.5, 0, 0]], cells: 4}}\n"
        "bodies:\n"
        "  one: {type: floating, mesh: line, material: soft, section: bar, reference: chord,\n"
        "    at: point_1, chord_end: point_2}\n"
        "  two: {type: floating_beam, from: [0, 0, 0], to: [1.5, 0, 0], elements: 4,\n"
        "    material: soft, section: bar, reference: chord, rotary_inertia: true,\n"
        "    coupling: zeroth}\n"
        "joints: {a: {type: spherical, between: [ground, one.point_1]},\n"
        "  b: {type: spherical, between: [ground, two.start]}}\n"
        "loads: {A: {type: force, on: one.point_2, value: [0, '3*sin(9*t)', 1]},\n"
        "  B: {type: force, on: two.end, value: [0, '3*sin(9*t)', 1]}}\n"
        "probes: {a: {at: one.point_2, quantity: position}, b: {at: two.end, quantity: position}}\n"
        "analysis: {end: 0.7, step: 1e-3}\n";
    verify v;
    double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
    verify_text(&v, model, "");
    verify_run(&v);
    verify_probe(&v, NULL, "a", a);
    verify_probe(&v, NULL, "b", b);
    verify_within("it has fallen", a[2], -2, -0.5);
    verify_below("mesh against floating_beam", verify_distance(a, b), 1e-6);
    verify_close(&v);
}

/* ---- refused --------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    STEEL BAR                                                                                      \
        "meshes: {frame: {type: frame, points: [[0, 0, 0], [0, 0, 1], [1, 0, 1]], cells: 2}}\n"
#define BODY "bodies: {frame: {type: floating, mesh: frame, material: steel, section: bar}}\n"

static void refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {HEAD "bodies: {frame: {type: floating, mesh: frame, material: steel, element: beam}}\n",
         "beams need a `section`"},
        {HEAD "bodies: {frame: {type: floating, mesh: frame, material: steel, section: bar,\n"
              "  normal: [0, 0, 2]}}\n",
         "cell 1 is parallel to the `normal` of its section"},
        {HEAD BODY "probes: {s: {at: frame.point_2, quantity: stress}}\n",
         "beams of different directions meet at node(2)"},
        {HEAD BODY "probes: {s: {at: 'frame.at(0, 0, 1)', quantity: stress}}\n",
         "beams of different directions, meet there"},
        {HEAD BODY "probes: {s: {at: frame.point_1, quantity: stress, fibre: [0.031, 0]}}\n",
         "the fibre y = 0.031, z = 0 is outside the section"},
        {HEAD BODY "probes: {s: {at: frame.point_1, quantity: stress, face: upper}}\n",
         "has no faces there"},
        {STEEL "meshes: {f: {type: rectangle, size: [1, 1], cells: [1, 1]}}\n"
               "bodies: {f: {type: floating, mesh: f, material: steel, element: shell,\n"
               "  thickness: 0.1, offset: [0, 0.1]}}\n",
         "`offset` applies to beams only, but this is shell"},
        {STEEL BAR "meshes: {f: {type: frame, points: [[0, 0, 0], [0, 0, 0]], cells: 1}}\n",
         "member 1 has no length"},
        {STEEL BAR "meshes: {f: {type: frame, points: [[0, 0, 0], [1, 0, 0]], members: [[1, 3]],\n"
                   "  cells: 1}}\n",
         "there is no point 3"},
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_model *m = NULL;
        gos_system *sys = NULL;
        assert_int_equal(gos_model_parse(ctx, bad[i].text, strlen(bad[i].text), "test", NULL, &m),
                         GOS_OK);
        assert_int_equal(gos_system_create(ctx, m, &sys), GOS_E_INPUT);
        if (!strstr(gos_ctx_message(ctx), bad[i].message)) {
            fail_msg("'%s' is not in '%s'", bad[i].message, gos_ctx_message(ctx));
        }
        gos_model_destroy(m);
        gos_ctx_destroy(ctx);
    }
}

/* ---- stress along cells
 * --------------------------------------------------------------------------------------- */

/* A cantilever of five cells: stress at points of cells follows the moment, F (l - x), from the
   clamp on. Of the weight q the functions of a cell leave out q h^2 / 12 of the moment, and are
   right at (1 - 1 / sqrt 3) / 2 of it. */
static void along_cells(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {F: 0, g: 0}\n" STEEL BAR
        "meshes: {bar: {type: frame, points: [[0, 0, 0], [1, 0, 0]], cells: 5}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: steel, section: bar,\n"
        "  temperature: off, reference: clamped, at: point_1, rotation_vector: [%s, 0, 0]}}\n"
        "joints: {base: {type: clamp, between: [ground, bar.frame]}}\n"
        "gravity: [0, %s, %s]\n"
        "loads: {F: {type: force, on: bar.point_2, value: [0, %s, %s]}}\n"
        "probes: {a: {at: 'bar.at(0, 0, 0)', quantity: stress, fibre: [0.03, 0]},\n"
        "  b: {at: 'bar.at(0.03, 0, 0)', quantity: stress, fibre: [0.03, 0]}}\n"
        "analysis: {type: static}\n";
    static const double x[] = {0, 0.03};
    const double q = 7850 * A * 9.81;
    for (int i = 0; i < 4; i++) {
        const bool weight = i % 2, turned = i / 2;
        char text[2000];
        verify v;
        snprintf(text, sizeof text, model, turned ? "pi/2" : "0", turned ? "0" : "-g",
                 turned ? "-g" : "0", turned ? "0" : "-F", turned ? "-F" : "0");
        verify_text(&v, text, weight ? "g=9.81" : "F=100");
        verify_static(&v);
        for (int k = 0; k < 2; k++) {
            const double l = 1 - x[k], h = 0.2;
            const double linear = 0.5 - (1 - h / 2) * x[k] - h * h / 12; // of (1 - x)^2 / 2
            const double M = weight ? q * linear : 100 * l;
            const double got = verify_value(&v, NULL, k == 0 ? "a.xx" : "b.xx");
            verify_near("stress by the moment", got, M * 0.03 / Iz, 1e-6 * M * 0.03 / Iz);
        }
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_corner),   cmocka_unit_test(turned_section),
        cmocka_unit_test(held_and_warm), cmocka_unit_test(fin),
        cmocka_unit_test(in_the_sun),    cmocka_unit_test(rotation),
        cmocka_unit_test(falls),         cmocka_unit_test(along_cells),
        cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
