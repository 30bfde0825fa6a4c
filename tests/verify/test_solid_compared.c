/* The solid against other bodies of this program and another program: CalculiX with NLGEOM, linear
   elements in a floating frame, ANCF beams and plates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/gossamer.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "system/system.h"
#include "support/verify.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"

/* ---- CalculiX -------------------------------------------------------------------------------- */

/* A cantilever of 1 m whose end moves by 0.97 m under 10 E I/L^2: all nodes of
   reference/calculix/large-bending-hex20, seven digits of which are printed */
static void bent_by_its_length(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3}}\n"
        "meshes: {m: {type: deck, file: large-bending-hex20.inp,\n"
        "             sets: {end: {of: sides, plane: {point: [1, 0, 0], normal: [1, 0, 0]}}}}}\n"
        "bodies: {bar: {type: solid, mesh: m, material: steel}}\n"
        "joints: {root: {type: clamp, between: [ground, bar.FIX]}}\n"
        "loads: {tip: {type: force, on: bar.end, value: [0, 0, 10*210e9*0.02^4/12]}}\n"
        "analysis: {type: static, load_steps: 20, newton_tolerance: 1.0e-6}\n";
    verify v = {.ctx = gos_ctx_create()};
    char line[300];
    int n = 0;
    double worst = 0, largest = 0;
    verify_good(&v, gos_model_parse(v.ctx, model, strlen(model), "test", FOLDER, &v.model));
    verify_compile(&v);
    verify_static(&v);
    FILE *f = fopen(FOLDER "/large-bending-hex20.csv", "r");
    assert_non_null(f);
    const double *q = v.state->q;
    while (fgets(line, sizeof line, f)) {
        int node;
        double t, u[3];
        if (sscanf(line, "%lf,%d,%lf,%lf,%lf", &t, &node, &u[0], &u[1], &u[2]) == 5) {
            for (int c = 0; c < 3; c++) {
                const double at = q[3 * n + c] - v.sys->e0[3 * n + c];
                worst = fmax(worst, fabs(at - u[c]));
                largest = fmax(largest, gos__norm3(u));
            }
            n++;
            assert_int_equal(node, n);
        }
    }
    assert_int_equal(fclose(f), 0);
    assert_int_equal(n, v.sys->nv);
    verify_within("largest displacement over the length", largest, 0.95, 1);
    verify_below("all nodes against CalculiX [m]", worst, 1e-6);
    verify_close(&v);
}

/* ---- linear elements in a floating frame ----------------------------------------------------- */

/* An arm on a hub that turns, in the sun on one side and cooled on the other: its displacement in
   the hub's axes. Loads and the square of the rate are `s` times those of 1; both bodies have the
   same mesh and linear stiffness, and only the solid has terms of second order. */
static void arm(const char *type, double s, double u[3], double *T) {
    char text[3000];
    verify v;
    snprintf(text, sizeof text,
             "parameters: {s: %.17g}\n"
             "reference_temperature: 300\n"
             "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 2,\n"
             "                specific_heat: 500, expansion: 1.0e-4}}\n"
             "meshes: {arm: {type: box, size: [1, 0.1, 0.2], cells: [6, 1, 2], order: quadratic}}\n"
             "bodies:\n"
             "  arm: {type: %s, mesh: arm, material: m, position: [0.2, 0, 0]}\n"
             "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
             "joints:\n"
             "  root: {type: clamp, between: [hub, arm.%s]}\n"
             "  turn: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1],\n"
             "         angle: \"sqrt(s)*t\"}\n"
             "  pin: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
             "loads: {push: {type: force, on: arm.node(%d), value: [0, 0, 2*s]}}\n"
             "heat:\n"
             "  sun: {type: flux, value: 100*s, on: arm.top}\n"
             "  air: {type: convection, coefficient: 5, ambient: 0, on: arm.bottom}\n"
             "probes:\n"
             "  u: {quantity: displacement, at: arm.node(%d)}\n"
             "  T: {quantity: temperature, at: arm.node(%d)}\n"
             "analysis: {type: static, newton_tolerance: 1.0e-7, load_steps: 1,\n"
             "           spin: {axis: [0, 0, 1], rate: sqrt(s)}}\n",
             s, type, strcmp(type, "solid") == 0 ? "left" : "frame", 7, 7, 7);
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "u", u);
    *T = verify_value(&v, NULL, "T.T");
    verify_close(&v);
}

static void against_floating(void **state) {
    GOS_UNUSED(state);
    double off[2], size[2], warm[2];
    for (int i = 0; i < 2; i++) {
        const double s = i == 0 ? 1 : 0.25;
        double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX], Ta, Tb;
        arm("solid", s, a, &Ta);
        arm("floating, reference: clamped, at: left", s, b, &Tb);
        off[i] = verify_distance(a, b);
        size[i] = gos__norm3(a);
        warm[i] = fabs(Ta - Tb);
        print_message("s = %g: moves by %.6g m, solid less floating %.3g m, %.6g K\n", s, size[i],
                      off[i], Ta);
        assert_true(Ta > 1 * s);
        assert_true(size[i] > 1e-3 * s);
    }
    verify_below("same temperatures [K]", warm[0], 1e-9);
    verify_within("displacement falls with the load", size[0] / size[1], 3.8, 4.2);
    verify_within("order of the difference in the strain", verify_order(off[0], off[1], 4), 1.95,
                  2.05);
}

/* ---- ANCF beams and plates ------------------------------------------------------------------- */

/* displacement of the end of a bar 1 x h x h, pushed so that it bends by about half of its
   length */
static void bar(const char *body, const char *mesh, const char *root, const char *tip, double h,
                double *u) {
    char text[2000];
    verify v;
    snprintf(text, sizeof text,
             "parameters: {h: %g}\n"
             "materials: {m: {density: 1000, young: 1.0e9, poisson: 0}}\n%s"
             "bodies: {bar: %s}\n"
             "joints: {root: {type: clamp, between: [ground, bar.%s]}}\n"
             "loads: {tip: {type: force, on: bar.%s, value: [0, 0, 3*1e9*h^4/12]}}\n"
             "probes: {u: {quantity: displacement, at: bar.%s}}\n"
             "analysis: {type: static, newton_tolerance: 1.0e-7, load_steps: 10}\n",
             h, mesh, body, root, tip, tip);
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "u", u);
    verify_close(&v);
}

/* With shear the beam has all effects of the solid but warping at the clamp and the strain across:
   differences fall with the square of the height */
static void against_beam(void **state) {
    GOS_UNUSED(state);
    double off[2];
    for (int i = 0; i < 2; i++) {
        const double h = i == 0 ? 0.1 : 0.05;
        double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
        bar("{type: solid, material: m, mesh: bar, position: [0, -h/2, -h/2]}",
            "meshes: {bar: {type: box, size: [1, h, h], cells: [20, 1, 2], order: quadratic}}\n",
            "left", "right", h, a);
        bar("{type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
            "16}",
            "sections: {s: {type: rectangle, height: h, width: h}}\n", "start", "end", h, b);
        off[i] = verify_distance(a, b);
        print_message("h = %g: solid %.6f %.6f, beam %.6f %.6f, off by %.3g\n", h, a[0], a[2], b[0],
                      b[2], off[i]);
        verify_within("bent by half of its length", a[2], 0.5, 0.7);
    }
    verify_below("solid against ANCF beam [m]", off[1], 1.1e-3);
    verify_within("order of the difference in the height", verify_order(off[0], off[1], 2), 1.9,
                  2.3);
}

/* middle of the free edge of a sheet 1 x 0.5 x h, clamped on the opposite edge, that its weight
 * bends by a third of its length */
static void sheet(const char *body, const char *mesh, const char *root, const char *tip, double h,
                  double *u) {
    char text[2000];
    verify v;
    snprintf(text, sizeof text,
             "parameters: {h: %g}\n"
             "gravity: [0, 0, \"-0.4*8*1e9*h^2/12/1000\"]\n"
             "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3}}\n%s"
             "bodies: {sheet: %s}\n"
             "joints: {root: {type: clamp, between: [ground, sheet.%s]}}\n"
             "probes: {u: {quantity: displacement, at: \"sheet.%s\"}}\n"
             "analysis: {type: static, newton_tolerance: 1.0e-7, load_steps: 4}\n",
             h, mesh, body, root, tip);
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "u", u);
    verify_close(&v);
}

/* The thin plate has no shear across it: that is a share of (h/L)^2, 1e-3 here. What the solid's
   mesh leaves near the clamp is more, and falls with it */
static void against_plate(void **state) {
    GOS_UNUSED(state);
    double off[2], b[GOS_PROBE_MAX];
    sheet("{type: ancf_plate, material: m, thickness: h, corner: [0, 0, 0], x: [1, 0, 0],\n"
          "   y: [0, 0.5, 0], elements: [12, 6]}",
          "", "edge.x0", "at(1, 0.25)", 0.05, b);
    for (int i = 0; i < 2; i++) {
        double a[GOS_PROBE_MAX];
        sheet("{type: solid, material: m, mesh: sheet, position: [0, 0, -h/2]}",
              i == 0 ? "meshes: {sheet: {type: box, size: [1, 0.5, h], cells: [12, 6, 1],\n"
                       "                 order: quadratic}}\n"
                     : "meshes: {sheet: {type: box, size: [1, 0.5, h], cells: [24, 12, 1],\n"
                       "                 order: quadratic}}\n",
              "left", "at(1, 0.25, 0)", 0.05, a);
        off[i] = verify_distance(a, b);
        print_message("solid %.6f %.6f, plate %.6f %.6f, off by %.3g\n", a[0], a[2], b[0], b[2],
                      off[i]);
        verify_within("bent by a third of its length", fabs(a[2]), 0.3, 0.4);
    }
    verify_below("solid against ANCF plate [m]", off[1], 1e-3);
    verify_below("... over that of the coarse mesh", off[1] / off[0], 0.25);
}

/* ---- layers of eight nodes ------------------------------------------------------------------- */

/* One layer of hexahedra in bending is as much too stiff as the warning says */
static void layer_of_eight_nodes(void **state) {
    GOS_UNUSED(state);
    static const int cells[2] = {10, 40}; // elements 2 and 0.5 times as long as high
    for (int i = 0; i < 2; i++) {
        char text[2000];
        verify v;
        snprintf(text, sizeof text,
                 "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3}}\n"
                 "meshes: {m: {type: box, size: [2, 0.1, 0.1], cells: [%d, 2, 1]}}\n"
                 "bodies: {bar: {type: solid, material: m, mesh: m}}\n"
                 "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
                 "loads: {tip: {type: moment, on: bar.right, moment: [0, 1.0e-3, 0]}}\n"
                 "probes: {u: {quantity: displacement, at: bar.right}}\n"
                 "analysis: {type: static, newton_tolerance: 1.0e-7}\n",
                 cells[i]);
        verify_text(&v, text, NULL);
        verify_static(&v);
        const double slender = 2.0 / cells[i] / 0.1;
        const double f = (1 / 0.7 + 0.5 * slender * slender) / 1.3;
        const double beam = 1e-3 * 4 / (2 * 1e9 * 1e-4 / 12);
        char want[100];
        snprintf(want, sizeof want, "by a factor of up to %.3g", f);
        print_message("%s\n", want);
        assert_int_equal(gos_ctx_ndiag(v.ctx), 1);
        assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, want));
        verify_within("deflection of a beam over that of the layer, over the reported one",
                      beam / fabs(verify_value(&v, NULL, "u.z")) / f, 0.97, 1.03);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_by_its_length),   cmocka_unit_test(against_floating),
        cmocka_unit_test(against_beam),         cmocka_unit_test(against_plate),
        cmocka_unit_test(layer_of_eight_nodes),
    };
    return cmocka_run_group_tests_name("solid compared", tests, NULL, NULL);
}
SUITE(suite)
