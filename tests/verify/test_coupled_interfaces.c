/* Floating bodies of meshes with `coupling: first` and rigid interfaces, whose nodes move along
   circles: strips with rigid ends that buckle, a rigid part on a leaf that spins, wherever their
   reference points are, and the Newton matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/modes.h"
#include "support/newton_matrix.h"
#include "support/suite.h"
#include "system/derived.h"

/* ---- heated strips with rigid ends ----------------------------------------------------------- */

#define H 0.02
#define ARM 0.2
#define ALPHA 2e-5

static const char strip_model[] =
    "materials: {alloy: {density: 2700, young: 7e10, poisson: 0, expansion: 2e-5,\n"
    "  conductivity: 200, specific_heat: 900}}\n"
    "meshes: {strip: {%s, sets: {\n"
    "  a: {of: nodes, box: {from: [-1, -1, -1], to: [1e-6, 1, 1]}},\n"
    "  b: {of: nodes, box: {from: [0.999999, -1, -1], to: [2, 1, 1]}}}}}\n"
    "bodies: {strip: {type: floating, mesh: strip, material: alloy, %s,\n"
    "  coupling: first, reference: %s, interfaces: {\n"
    "    A: {of: a, type: %s%s}, B: {of: b, type: %s%s}},\n"
    "  reduce: {method: response_modes, order: 1, modes: 12}}}\n"
    "joints:\n"
    "  frame: {type: clamp, between: [ground, strip.frame]}\n"
    "  end: {type: %s, between: [ground, strip.%s]}\n"
    "heat: {T: {type: temperature, value: t, on: strip.node(1)}}\n"
    "redundant: drop\n"
    "floating_bodies: %s\n";

/* Squares of the lowest frequency of the body at rest at n temperatures: T follows the time, and
   one system has all of them. */
static void squares(const char *text, int n, const double *T, double *square) {
    fixture f = read_model(text, NULL, NULL);
    for (int i = 0; i < n; i++) {
        gos_mode mode[1];
        f.state->t = T[i];
        to_equilibrium(&f);
        linearise(&f);
        get_modes(&f, 1, false, mode);
        square[i] = mode[0].omega * mode[0].omega;
        gos_linear_destroy(f.linear);
        f.linear = NULL;
    }
    done(&f);
}

/* x tan x = L / (2 ARM): a column of length L = 1 with rigid ends that are pinned at ARM from it
   buckles under N = E I (2 x)^2, a half sine between straight lines */
static double pinned_arms(void) {
    double low = 0, high = 0.5 * M_PI;
    while (high - low > 1e-14) {
        const double x = 0.5 * (low + high);
        *(2 * ARM * x * tan(x) < 1 ? &low : &high) = x;
    }
    return low;
}

#define LONG "type: rectangle, size: [1.4, 0.02], corner: [-0.2, -0.01, 0], cells: [56, 1]"
#define SHORT "type: rectangle, size: [1, 0.02], corner: [0, -0.01, 0], cells: [40, 1]"
#define PLANE "element: plane_stress_incompatible, thickness: 0.03"
#define CHORD(a, b) "chord, at: " a ", chord_end: " b
#define AT ", at: [-0.2, 0, 0]", ", at: [1.2, 0, 0]"
#define OTHER ", at: [-3, 0.1, 0]", ", at: [0.7, 0.2, 0]"

static const struct strip {
    const char *name, *mesh, *element, *reference, *type, *at[2], *joint, *end, *how;
    double times; // of x^2
} strips[] = {
    // arms of the mesh, held at means of nodes of the interface; the reference points do not matter
    {"arms",
     LONG,
     PLANE,
     CHORD("left", "right"),
     "rigid",
     {"", ""},
     "spherical",
     "right",
     "whole",
     4},
    {"elsewhere",
     LONG,
     PLANE,
     CHORD("left", "right"),
     "rigid",
     {OTHER},
     "spherical",
     "right",
     "whole",
     4},
    {"reduced",
     LONG,
     PLANE,
     CHORD("left", "right"),
     "rigid",
     {OTHER},
     "spherical",
     "right",
     "reduced",
     4},
    // arms to the reference point
    {"points", SHORT, PLANE, CHORD("A", "B"), "rigid", {AT}, "spherical", "B", "whole", 4},
    {"averaging", SHORT, PLANE, CHORD("A", "B"), "averaging", {AT}, "spherical", "B", "whole", 4},
    {"solid",
     "type: box, size: [1, 0.02, 0.03], corner: [0, -0.01, -0.015], cells: [40, 1, 1]",
     "element: solid_incompatible",
     CHORD("A", "B"),
     "rigid",
     {AT},
     "spherical",
     "B",
     "reduced",
     4},
    {"shell",
     "type: rectangle, size: [1, 0.03], corner: [0, -0.015, 0], cells: [40, 1]",
     "element: shell, thickness: 0.02",
     CHORD("A", "B"),
     "rigid",
     {AT},
     "spherical",
     "B",
     "whole",
     4},
};

static void buckling(void **state) {
    GOS_UNUSED(state);
    const double x = pinned_arms(), cr = 4 * x * x * H * H / (12 * ALPHA);
    for (int i = 0; i < GOS_COUNT(strips); i++) {
        const struct strip *s = &strips[i];
        char text[2500];
        if (!suite_long() && (strcmp(s->name, "arms") == 0 || strcmp(s->name, "points") == 0)) {
            continue; // "elsewhere" has other reference points, "averaging" the same arms
        }
        snprintf(text, sizeof text, strip_model, s->mesh, s->element, s->reference, s->type,
                 s->at[0], s->type, s->at[1], s->joint, s->end, s->how);
        double y[2];
        squares(text, 2, (const double[]){0.95 * cr, 0.99 * cr}, y);
        print_message("%s: %.6g rad/s\n", s->name, sqrt(y[1]));
        verify_below("temperature of buckling", fabs(0.99 + 0.04 * y[1] / (y[0] - y[1]) - 1), 2e-4);
    }
}

/* ---- a rigid part on a leaf that spins ------------------------------------------------------- */

#define LEAF 0.2
#define THICK 0.005

/* E I and rho A of the rigid part are 1 */
static const char spinning[] =
    "parameters: {Omega: 0}\n"
    "materials: {leaf: {density: 4, young: 1.92e10, poisson: 0},\n"
    "  rigid: {density: 4e4, young: 1.92e10, poisson: 0}}\n"
    "meshes: {bar: {type: box, size: [1, 0.005, 0.005], corner: [0, -0.0025, -0.0025],\n"
    "  cells: [100, 1, 1], sets: {\n"
    "    leaf: {of: cells, box: {from: [-1, -1, -1], to: [0.2001, 1, 1]}},\n"
    "    rigid: {of: cells, box: {from: [0.1999, -1, -1], to: [2, 1, 1]}},\n"
    "    beyond: {of: nodes, box: {from: [0.1999, -1, -1], to: [2, 1, 1]}}}}}\n"
    "bodies: {bar: {type: floating, mesh: bar, element: solid_incompatible,\n"
    "  parts: [{cells: leaf, material: leaf}, {cells: rigid, material: rigid}],\n"
    "  coupling: first, reference: clamped, at: left, angular_velocity: [0, 0, Omega],\n"
    "  interfaces: {tip: {of: beyond%s}},\n"
    "  reduce: {method: modes, order: 4, static: [centrifugal.zz]}}}\n"
    "joints:\n"
    "  drive: {type: driven_rotation, between: [ground, bar.frame], axis: [0, 0, 1],\n"
    "    angle: 'Omega*t'}\n"
    "  axle: {type: revolute, between: [ground, bar.frame], axis: [0, 0, 1]}\n"
    "floating_bodies: %s\n";

/* The square of the lowest frequency across the plane, or in it: deflection w and angle of the end
   of a leaf without mass under the tension N of all that lies beyond (stiffness of a beam-column),
   and the moment of centrifugal forces about it. The rigid part is `high` across its length; in the
   plane the forces grow with the deflection, by the square of the rate times the mass. */
static double leaf_square(double Omega, double high, bool across) {
    const double m = 1 - LEAF, d = m / 2, J = m * m * m / 12, Jz = m * high * high / 12;
    const double N = Omega * Omega * m * (LEAF + d), x = LEAF * sqrt(N);
    const double phi = 2 - 2 * cosh(x) + x * sinh(x);
    const double k[3] = {pow(x / LEAF, 3) * sinh(x) / phi, -pow(x / LEAF, 2) * (cosh(x) - 1) / phi,
                         x / LEAF * (x * cosh(x) - sinh(x)) / phi +
                             Omega * Omega * (m * (LEAF + d) * d + J + (across ? -Jz : Jz))};
    const double M[3] = {m, m * d, m * d * d + J + Jz};
    const double a = M[0] * M[2] - M[1] * M[1], b = k[0] * M[2] + k[2] * M[0] - 2 * k[1] * M[1],
                 c = k[0] * k[2] - k[1] * k[1];
    return (b - sqrt(b * b - 4 * a * c)) / (2 * a) - (across ? 0 : Omega * Omega);
}

/* the two lowest modes of the model that turns */
static void turning_modes(const char *text, double Omega, gos_mode mode[2]) {
    const double spin[3] = {0, 0, Omega}, pivot[3] = {0};
    fixture f = read_model(text, (const char *const[]){"Omega", NULL}, (double[]){Omega});
    gos_options o;
    gos_options_get(f.sys, &o);
    o.analysis = GOS_STATIC;
    o.end = 0;
    o.spin_z = Omega;
    need(f.ctx, gos_solve_static(f.ctx, f.sys, &o, f.state, NULL));
    need(f.ctx, gos_linearise_rotating(f.ctx, f.sys, f.state, spin, pivot, &f.linear));
    get_modes(&f, 2, false, mode);
    done(&f);
}

static void rotation(void **state) {
    GOS_UNUSED(state);
    static const char *const at[] = {"", ", at: [0.3, 0.1, -0.2]"}, *const how[] = {"whole",
                                                                                    "reduced"};
    for (int i = 0; i < 6; i++) {
        const double Omega = 1 + 2.5 * (i % 3);
        char text[2000];
        gos_mode mode[2];
        snprintf(text, sizeof text, spinning, at[i / 3], how[i / 3]);
        turning_modes(text, Omega, mode);
        const double want = sqrt(leaf_square(Omega, THICK, true)),
                     lag = sqrt(leaf_square(Omega, THICK, false));
        print_message("%g rad/s: %.6g, %.6g\n", Omega, lag, want);
        verify_below("in the plane", fabs(mode[0].omega / lag - 1), i < 3 ? 1e-4 : 1e-3);
        verify_below("across", fabs(mode[1].omega / want - 1), i < 3 ? 1e-4 : 1e-3);
    }
}

/* The rigid part as a thick shell in the plane of rotation's normal: its particles off the middle
 * move along circles, too. */
static const char thick[] =
    "parameters: {Omega: 0}\n"
    "materials: {leaf: {density: 4, young: 1.92e10, poisson: 0},\n"
    "  rigid: {density: 500, young: 1.92e10, poisson: 0}}\n"
    "meshes: {bar: {type: rectangle, size: [1, 0.005], corner: [0, -0.0025, 0],\n"
    "  cells: [100, 1], sets: {\n"
    "    leaf: {of: cells, box: {from: [-1, -1, -1], to: [0.2001, 1, 1]}},\n"
    "    rigid: {of: cells, box: {from: [0.1999, -1, -1], to: [2, 1, 1]}},\n"
    "    beyond: {of: nodes, box: {from: [0.1999, -1, -1], to: [2, 1, 1]}}}}}\n"
    "bodies: {bar: {type: floating, mesh: bar, element: shell, rotation_vector: [pi/2, 0, 0],\n"
    "  parts: [{cells: leaf, material: leaf, thickness: 0.005},\n"
    "    {cells: rigid, material: rigid, thickness: 0.4}], coupling: first,\n"
    "  reference: clamped, at: left, angular_velocity: [0, 0, Omega],\n"
    "  interfaces: {tip: {of: beyond}}, reduce: {method: modes, order: 4}}}\n"
    "floating_bodies: reduced\n"
    "joints:\n"
    "  drive: {type: driven_rotation, between: [ground, bar.frame], axis: [0, 0, 1],\n"
    "    angle: 'Omega*t'}\n"
    "  axle: {type: revolute, between: [ground, bar.frame], axis: [0, 0, 1]}\n";

static void thick_shell(void **state) {
    GOS_UNUSED(state);
    const double Omega = 6, lag = sqrt(leaf_square(Omega, 0.4, false));
    gos_mode mode[2];
    turning_modes(thick, Omega, mode);
    print_message("%.8g %.8g, %.8g\n", mode[0].omega, mode[1].omega, lag);
    verify_below("in the plane", fabs(mode[0].omega / lag - 1), 1e-3);
}

/* ---- displacements of second order ----------------------------------------------------------- */

/* A bar between two rigid faces, bent and twisted by its weight, by a force at a corner and by one
 * at the end of an arm. */
static const char bent[] =
    "parameters: {F: 0}\n"
    "gravity: [-3*F, 2*F, -F]\n"
    "materials: {m: {density: 1000, young: 1e7, poisson: %s}}\n"
    "meshes: {bar: {%s, sets: {root: {of: nodes, box: {from: [-1, -1, -1], to: [1e-6, 1, 1]}},\n"
    "  tip: {of: nodes, box: {from: [0.999999, -1, -1], to: [2, 1, 1]}}}}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: m, %s, temperature: off, coupling: "
    "first,\n"
    "  reference: %s, interfaces: {%sb: {of: tip, at: %s}, c: {of: tip, type: averaging%s}}}}\n"
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
    "loads: {arm: {type: force, on: bar.%s, value: [0.3*F, 2*F, F]}}\n"
    "probes: {\n"
    "  b: {at: bar.b, quantity: displacement}, c: {at: bar.c, quantity: displacement},\n"
    "  tip: {at: bar.tip, quantity: displacement}, mid: {at: bar.corner_2, quantity: "
    "displacement}}\n"
    "redundant: drop\n"
    "analysis: {type: static}\n";

enum { PLACES = 4 };

/* what does not change sign with the loads, of all probes (3 PLACES); returns the largest of what
 * does */
static double even(const char *text, double F, double *u) {
    static const char *const probe[PLACES] = {"b", "c", "tip", "mid"};
    double odd = 0;
    for (int i = 0; i < 3 * PLACES; i++) {
        u[i] = 0;
    }
    for (int i = 0; i < 2; i++) {
        verify v;
        char set[100];
        snprintf(set, sizeof set, "F=%.17g", i ? -F : F);
        verify_text(&v, text, set);
        verify_static(&v);
        for (int k = 0; k < PLACES; k++) {
            double x[3];
            verify_probe(&v, v.state, probe[k], x);
            for (int c = 0; c < 3; c++) {
                u[3 * k + c] += 0.5 * x[c];
                odd = fmax(odd, fabs(x[c]));
            }
        }
        verify_close(&v);
    }
    return odd;
}

#define SOLID                                                                                      \
    "type: box, size: [1, 0.1, 0.02], corner: [0, -0.05, -0.01], cells: [%s, 1], order: quadratic"
#define POINT "[1.3, 0.2, 0.3]"

/* Where the reference point of a rigid face is does not matter, nor what the frame holds on to if
   that does not move; and the averaging interface of its nodes is the point of the rigid one. */
static void second_order(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *reference, *more;
    } held[] = {{"clamped, at: left", ""},
                {"chord, at: left, chord_end: right", "a: {of: root, at: %s}, "}};
    static const char *const point[] = {POINT, "[0.6, -0.3, 0.1]"};
    for (int i = 0; i < 2; i++) {
        double u[2][3 * PLACES], off = 0, largest = 0;
        for (int k = 0; k < 2; k++) {
            char text[2500], mesh[300], more[100];
            snprintf(mesh, sizeof mesh, SOLID, "5, 1");
            snprintf(more, sizeof more, held[i].more, k ? "[0, 0, 0.01]" : "[-0.4, 0.2, 0.1]");
            snprintf(text, sizeof text, bent, "0.3", mesh, "element: solid", held[i].reference,
                     more, point[k], ", at: " POINT, "c");
            even(text, 1e-3, u[k]);
        }
        for (int c = 3; c < 3 * PLACES; c++) { // b is another point
            off = fmax(off, fabs(u[1][c] - u[0][c]));
            largest = fmax(largest, fabs(u[0][c]));
        }
        verify_below(held[i].reference, off / largest, 1e-5);
        off = 0;
        for (int c = 0; c < 3; c++) {
            off = fmax(off, fabs(u[0][c] - u[0][3 + c]));
        }
        verify_below("averaged", off / largest, 1e-6);
    }
}

/* Shells tell what solids do: moments at the edge that turns as one piece do work on circles, too.
   Shear of shells has no stress stiffness, which is what is left. The long form finds the values of
   solids, 20 x 4 cells of second order. */
static void shell_edge(void **state) {
    GOS_UNUSED(state);
    static const double solid[3] = {-6.0254179e-10, 2.3816167e-10, 2.0977437e-09};
    char text[2500], mesh[300];
    double u[3 * PLACES], off = 0, size = 0;
    if (suite_long()) {
        snprintf(mesh, sizeof mesh, SOLID, "20, 4");
        snprintf(text, sizeof text, bent, "0", mesh, "element: solid", "clamped, at: left", "",
                 POINT, "", "b");
        even(text, 1e-4, u);
        for (int c = 0; c < 3; c++) {
            verify_below("of solids", fabs(u[6 + c] / solid[c] - 1), 1e-4);
        }
    }
    snprintf(mesh, sizeof mesh,
             "type: rectangle, size: [1, 0.1], corner: [0, -0.05, 0], cells: [%s]",
             suite_long() ? "50, 10" : "28, 6");
    snprintf(text, sizeof text, bent, "0", mesh, "element: shell, thickness: 0.02",
             "clamped, at: left", "", POINT, "", "b");
    even(text, 1e-4, u);
    for (int c = 0; c < 3; c++) {
        off += pow(u[6 + c] - solid[c], 2);
        size += pow(solid[c], 2);
    }
    verify_below("mean of the edge", sqrt(off / size), 1.2e-2);
}

/* ---- the Newton matrix ----------------------------------------------------------------------- */

static const char sheet[] =
    "gravity: [0.3, -9.81, 1]\n"
    "materials: {soft: {density: 2767, young: 3e3, poisson: 0.3, expansion: 1e-2,\n"
    "  conductivity: 200, specific_heat: 9}}\n"
    "meshes: {sheet: {type: rectangle, size: [0.6, 0.4], cells: [2, 2]}}\n"
    "bodies: {sheet: {type: floating, mesh: sheet, material: soft, %s,\n"
    "  thickness: 0.01, coupling: first, interfaces: {a: {of: left, at: [-0.1, 0.3, 0]},\n"
    "  b: {of: right, type: %s, at: [0.7, 0.1, 0]}}}}\n"
    "joints: {pin: {type: spherical, between: [ground, sheet.a]}}\n"
    "loads: {pull: {type: force, on: sheet.b, value: [3, 1, 2]}}\n"
    "heat: {air: {type: convection, coefficient: 10, on: sheet.%s}}\n"
    "analysis: {end: 1, thermoelastic_heat: true}\n";

static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    static const char *const element[] = {"element: plane_stress", "element: shell"},
                             *const face[] = {"right", "upper"};
    for (int i = 0; i < 3; i++) { // nodes of a shell on a line tell no rotation about it
        char text[1500];
        verify v;
        snprintf(text, sizeof text, sheet, element[i / 2], i % 2 ? "averaging" : "rigid",
                 face[i / 2]);
        verify_text(&v, text, NULL);
        print_message("%d coordinates, %d derived vectors\n", v.sys->nq, v.sys->derived->n);
        check_newton_matrix(v.sys, "sheet", 3, true);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_matrix), cmocka_unit_test(second_order),
        cmocka_unit_test(shell_edge),    cmocka_unit_test(thick_shell),
        cmocka_unit_test(rotation),      cmocka_unit_test(buckling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
