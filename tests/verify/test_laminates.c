/* Laminates in models: bimetals, heat through sandwiches, axes of plies, offsets, tables over
 * temperature, reduced bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define SHEET                                                                                      \
    "meshes: {sheet: {type: rectangle, size: [1, 1], corner: [-0.5, -0.5, 0], cells: [4, 4],\n"    \
    "  sets: {mid: {of: nodes, box: {from: [-0.1, -0.1, -1], to: [0.1, 0.1, 1]}},\n"               \
    "    all: {of: nodes, box: {from: [-1, -1, -1], to: [1, 1, 1]}}}}}\n"
#define FIBRES                                                                                     \
    "  cfrp: {type: orthotropic, density: 1600, E1: 140e9, E2: 9e9, nu12: 0.3, G12: 5e9,\n"        \
    "    G13: 5e9, G23: 3.2e9, expansion1: -1e-6, expansion2: 3e-5, conductivity1: 5,\n"           \
    "    conductivity2: 0.6, specific_heat: 900}\n"
#define PANEL                                                                                      \
    "bodies: {p: {type: floating, mesh: sheet, material: panel, reference: mean_axis%s}}\n"        \
    "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
#define STATIC "analysis: {type: static}\n"

static double moved(const verify *v, const char *far, const char *near) {
    return verify_value(v, v->state, far) - verify_value(v, v->state, near);
}

/* two metals, warm: a sphere of Timoshenko's curvature (J. Opt. Soc. Am. 11 (1925), eq. 4; the
   strains of a plate have 1 - nu as a common factor), up towards the one that expands less; turned
   over, the other way */
static void bimetal(void **state) {
    GOS_UNUSED(state);
    static const char model[] = "parameters: {t1: 0.002, t2: 0.003, T: 80}\nmaterials:\n"
                                "  steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: "
                                "1.2e-5, conductivity: 50,\n"
                                "    specific_heat: 480}\n"
                                "  brass: {density: 8500, young: 1.0e11, poisson: 0.3, expansion: "
                                "1.9e-5, conductivity: 110,\n"
                                "    specific_heat: 380}\n"
                                "  panel: {type: laminate, plies: [%s]}\n" SHEET PANEL
                                "heat: {T: {type: temperature, value: T, on: p.all}}\n"
                                "probes: {c: {at: p.corner_3, quantity: displacement},\n"
                                "  m: {at: p.mid, quantity: displacement}}\n" STATIC;
    static const char *const plies[2] = {
        "{material: steel, thickness: t1}, {material: brass, thickness: t2}",
        "{material: brass, thickness: t2}, {material: steel, thickness: t1}"};
    const double m = 2.0 / 3, n = 2.1, h = 0.005;
    const double curvature = 6 * 0.7e-5 * 80 * (1 + m) * (1 + m) /
                             (h * (3 * (1 + m) * (1 + m) + (1 + m * n) * (m * m + 1 / (m * n))));
    for (int i = 0; i < 2; i++) {
        char text[2000];
        verify v = {0};
        (void)snprintf(text, sizeof text, model, plies[i], "");
        verify_text(&v, text, "");
        verify_static(&v);
        verify_near("corner", moved(&v, "c.z", "m.z"), (i ? 1 : -1) * curvature / 4,
                    1e-9 * curvature);
        verify_close(&v);
    }
}

/* films on both faces of a sandwich: resistances in a row, and the curvature of what the faces
 * expand by */
static void films(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials:\n"
        "  face: {density: 2700, young: 7e10, poisson: 0.3, expansion: 2.3e-5, conductivity: 2,\n"
        "    specific_heat: 900}\n"
        "  core: {density: 60, young: 7e7, poisson: 0.3, expansion: 5e-5, conductivity: 0.04,\n"
        "    specific_heat: 1400}\n"
        "  panel: {type: laminate, plies: [{material: face, thickness: 0.001},\n"
        "    {material: core, thickness: 0.01}], symmetric: true}\n" SHEET PANEL "heat:\n"
        "  warm: {type: convection, coefficient: 40, ambient: 80, on: p.upper}\n"
        "  cold: {type: convection, coefficient: 25, ambient: -30, on: p.lower}\n"
        "probes: {u: {at: p.corner_1.upper, quantity: temperature},\n"
        "  l: {at: p.corner_2.lower, quantity: temperature},\n"
        "  c: {at: p.corner_3, quantity: displacement}, m: {at: p.mid, quantity: "
        "displacement}}\n" STATIC;
    const double q = 110 / (1 / 40.0 + 2 * 0.001 / 2 + 0.02 / 0.04 + 1 / 25.0);
    verify v = {0};
    char text[2000];
    (void)snprintf(text, sizeof text, model, "");
    verify_text(&v, text, "");
    verify_static(&v);
    verify_near("upper face", verify_value(&v, v.state, "u.T"), 80 - q / 40, 1e-9);
    verify_near("lower face", verify_value(&v, v.state, "l.T"), -30 + q / 25, 1e-9);
    // moments of E alpha T over E z^2, T linear in each layer
    const double slope[2] = {q / 2, q / 0.04}, border = 0.01 * slope[1];
    const double face = (pow(0.011, 3) - pow(0.01, 3)) / 3, lever = (0.011 * 0.011 - 1e-4) / 2;
    const double moment = 7e10 * 2.3e-5 * (border * lever + slope[0] * (face - 0.01 * lever)) +
                          7e7 * 5e-5 * slope[1] * 1e-6 / 3;
    const double curvature = moment / (7e10 * face + 7e7 * 1e-6 / 3);
    verify_near("corner", moved(&v, "c.z", "m.z"), -curvature / 4, 1e-8 * curvature);
    verify_close(&v);
}

/* a layer whose fibres are turned from e1 by deg(25), by the angle of a ply, by `direction`, by
   both, and by `direction` of a part: expansion along the fibres and across, to one corner */
static void directions(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials:\n" FIBRES
        "  panel: {type: laminate, material: cfrp, thickness: 0.001, plies: [%s]}\n" SHEET PANEL
        "heat: {T: {type: temperature, value: 100, on: p.all}}\n"
        "probes: {c: {at: p.corner_3, quantity: displacement},\n"
        "  m: {at: p.mid, quantity: displacement}}\n" STATIC;
    static const struct {
        const char *ply, *more;
    } cases[] = {
        {"deg(25)", ""},
        {"0", ", direction: [cos(deg(25)), sin(deg(25)), 0.3]"},
        {"deg(-65)", ", direction: [0, 2, 0]"},
        {"deg(90)", ", parts: [{cells: faces, direction: [cos(deg(65)), -sin(deg(65)), 0]}]"}};
    const double c = cos(25 * M_PI / 180), s = sin(25 * M_PI / 180), a1 = -1e-6, a2 = 3e-5;
    const double xx = a1 * c * c + a2 * s * s, yy = a1 * s * s + a2 * c * c;
    const double xy = 2 * (a1 - a2) * s * c;
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[2500];
        verify v = {0};
        (void)snprintf(text, sizeof text, model, cases[i].ply, cases[i].more);
        char *at = strstr(text, "    all:");
        memmove(at + 61, at, strlen(at) + 1);
        memcpy(at, "    faces: {of: cells, box: {from: [-1,-1,-1], to: [1,1,1]}},", 61);
        verify_text(&v, text, "");
        verify_static(&v);
        verify_near("x", moved(&v, "c.x", "m.x"), 50 * (xx + xy / 2), 1e-11);
        verify_near("y", moved(&v, "c.y", "m.y"), 50 * (yy + xy / 2), 1e-11);
        verify_near("z", moved(&v, "c.z", "m.z"), 0, 1e-11);
        verify_close(&v);
    }
}

/* the same layer without plies */
static void one_layer(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials:\n" FIBRES SHEET "bodies:\n"
        "  p: {type: floating, mesh: sheet, material: cfrp, element: shell, thickness: 2e-3,\n"
        "    direction: [1, 1, 0], reference: mean_axis}\n"
        "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
        "heat: {T: {type: temperature, value: 100, on: p.all}}\n"
        "probes: {c: {at: p.corner_3, quantity: displacement},\n"
        "  d: {at: p.corner_2, quantity: displacement},\n"
        "  m: {at: p.mid, quantity: displacement}}\n" STATIC;
    verify v = {0};
    verify_text(&v, model, "");
    verify_static(&v);
    verify_near("along", moved(&v, "c.x", "m.x"), 50 * -1e-6, 1e-11);
    verify_near("across", moved(&v, "d.x", "m.x"), 50 * 3e-5, 1e-11);
    verify_close(&v);
}

/* Forces along x at the ends of a strip whose middle is off the mesh bend it by their arm: F o / (E
 * I) */
static void offset(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {o: 0.02}\nmaterials: {m: {density: 1, young: 1e6, poisson: 0},\n"
        "  panel: {type: laminate, plies: [{material: m, thickness: 0.01}], offset: o}}\n"
        "meshes: {sheet: {type: rectangle, size: [1, 0.1], cells: [10, 1]}}\n"
        "bodies: {p: {type: floating, mesh: sheet, material: panel, reference: clamped, at: "
        "left}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
        "loads: {f: {type: force, on: p.right, value: [0.05, 0, 0]}}\n"
        "probes: {r: {at: p.right, quantity: displacement}}\n" STATIC;
    const double bend = 1e6 * 0.1 * 1e-6 / 12, curvature = -0.05 * 0.02 / bend;
    verify v = {0};
    for (int i = -1; i < 2; i += 2) {
        verify_text(&v, model, i < 0 ? "o=-0.02" : "o=0.02");
        verify_static(&v);
        // the force pulls below the middle (o > 0): moment about y, and the end sinks or rises
        verify_near("end", verify_value(&v, v.state, "r.z"), -i * curvature / 2, 1e-9);
        verify_near("stretch", verify_value(&v, v.state, "r.x"),
                    0.05 / (1e6 * 0.001) - 0.02 * curvature, 1e-9);
        verify_close(&v);
    }
}

/* properties at `material_temperature`, and the warning where the run leaves them */
static void tables(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {warm: 100}\nmaterials:\n"
        "  cfrp: {type: orthotropic, density: 1600, E1: \"140e9*(1-1e-3*T)\", E2: 9e9, nu12: 0.3,\n"
        "    G12: 5e9, G13: 5e9, G23: 3.2e9, expansion1: {points: [[0, 1e-6], [200, 5e-6]]},\n"
        "    conductivity1: 5, specific_heat: 900}\n"
        "  panel: {type: laminate, material: cfrp, thickness: 0.001, plies: [0, 0]}\n" SHEET PANEL
        "heat: {T: {type: temperature, value: warm, on: p.all}}\n"
        "probes: {c: {at: p.corner_3, quantity: displacement},\n"
        "  m: {at: p.mid, quantity: displacement}}\n" STATIC;
    char text[2500];
    (void)snprintf(text, sizeof text, model, ", material_temperature: 100");
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        int n = 0;
        verify_text(&v, text, i ? "warm=160" : "warm=100");
        verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &(gos_sink){0}, NULL, NULL));
        for (int k = 0; k < gos_ctx_ndiag(v.ctx); k++) {
            const char *said = gos_ctx_diag(v.ctx, k)->text;
            n += strstr(said, "expansion1 of material 'cfrp' is 4.2e-06") != NULL;
        }
        assert_int_equal(n, i);
        verify_static(&v);
        verify_near("along", moved(&v, "c.x", "m.x"), 0.5 * 3e-6 * (i ? 160 : 100), 1e-11);
        verify_close(&v);
    }
}

/* stress of plies in their axes: a free plate of crossed plies, warm, has forces and moments 0;
   each ply what its strain makes. And what probes of laminates have to say */
static void plies(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials:\n" FIBRES
        "  panel: {type: laminate, material: cfrp, plies: [{angle: deg(90), thickness: 0.001},\n"
        "    {angle: 0, thickness: 0.002}, {angle: deg(90), thickness: 0.001}]}\n" SHEET PANEL
        "heat: {T: {type: temperature, value: 100, on: p.all}}\n"
        "probes:\n  a: {at: p.mid, quantity: stress, ply: 2}\n"
        "  b: {at: p.mid, quantity: stress, ply: 3, face: upper}\n"
        "  c: {at: p.mid, quantity: stress, face: lower}\n"
        "  d: {at: p.mid, quantity: strain}\n" STATIC;
    char text[2500];
    verify v = {0};
    (void)snprintf(text, sizeof text, model, "");
    verify_text(&v, text, "");
    verify_static(&v);
    // as much of both directions: e_x = e_y = e with (Q11 + Q22 + 2 Q12) e = (Q11 + Q12) a1 + (Q22
    // + Q12) a2
    const double nu21 = 0.3 * 9 / 140, q11 = 140e9 / (1 - 0.3 * nu21), q22 = q11 * 9 / 140,
                 q12 = 0.3 * q22;
    const double a1 = -1e-4, a2 = 3e-3;
    const double e = ((q11 + q12) * a1 + (q22 + q12) * a2) / (q11 + q22 + 2 * q12);
    const double along = q11 * (e - a1) + q12 * (e - a2);
    verify_near("strain", verify_value(&v, v.state, "d.xx"), e, 1e-9 * e);
    verify_near("along fibres", verify_value(&v, v.state, "a.xx"), along, 1e-9 * along);
    verify_near("across them", verify_value(&v, v.state, "a.yy"), -along, 1e-9 * along);
    verify_near("of the upper ply", verify_value(&v, v.state, "b.xx"), along, 1e-9 * along);
    verify_near("in axes of the body", verify_value(&v, v.state, "c.yy"), along, 1e-9 * along);
    verify_close(&v);
}

/* a plate of two plies that is heated from one side: whole and reduced */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {small: 0}\nfloating_bodies: %s\nmaterials:\n" FIBRES
        "  panel: {type: laminate, material: cfrp, thickness: 0.001, plies: [0, deg(90)]}\n"
        "meshes: {sheet: {type: rectangle, size: [0.4, 0.2], cells: [6, 3]}}\n"
        "bodies: {p: {type: floating, mesh: sheet, material: panel, reference: clamped, at: left,\n"
        "  rayleigh: [5, 0], reduce: {method: auto, tolerance: 1e-4}}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
        "heat: {sun: {type: flux, value: 1000, on: p.upper},\n"
        "  air: {type: convection, coefficient: 20, ambient: 0, on: p.lower}}\n"
        "probes: {c: {at: p.corner_3, quantity: displacement},\n"
        "  T: {at: p.corner_2.upper, quantity: temperature}}\n"
        "analysis: {end: 60, tolerance: 1e-6}\n";
    double y[2][2];
    for (int i = 0; i < 2; i++) {
        char text[2500];
        verify v = {0};
        (void)snprintf(text, sizeof text, model, i ? "reduced" : "whole");
        verify_text(&v, text, suite_long() ? "" : "analysis.end=10");
        verify_run(&v);
        y[i][0] = verify_value(&v, v.state, "c.z");
        y[i][1] = verify_value(&v, v.state, "T.T");
        verify_close(&v);
    }
    print_message("    deflection %.4g m, temperature %.4g K\n", y[0][0], y[0][1]);
    assert_true(fabs(y[0][0]) > 1e-4 && y[0][1] > 1);
    verify_near("deflection", y[1][0], y[0][0], 1e-3 * fabs(y[0][0]));
    verify_near("temperature", y[1][1], y[0][1], 1e-3 * y[0][1]);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bimetal),   cmocka_unit_test(films),   cmocka_unit_test(directions),
        cmocka_unit_test(one_layer), cmocka_unit_test(offset),  cmocka_unit_test(tables),
        cmocka_unit_test(plies),     cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
