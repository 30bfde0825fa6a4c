/* Mesh bodies with `motion: none`: temperatures only, against closed forms, a separate integration,
   and the same bodies with motion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/folder.h"
#include "support/suite.h"
#include "support/turned.h"
#include "support/verify.h"

/* A slab with a constant flux q on one side, insulated on the other (Carslaw and Jaeger 3.8): the
   temperature at the distance x from the insulated side. */
static double slab(double q, double k, double diffusivity, double L, double t, double x) {
    const double Fo = diffusivity * t / (L * L);
    double sum = Fo + (3 * x * x - L * L) / (6 * L * L);
    for (int n = 1; n < 200; n++) {
        sum -= 2 / (M_PI * M_PI) * (n % 2 ? -1 : 1) / ((double)n * n) *
               exp(-n * n * M_PI * M_PI * Fo) * cos(n * M_PI * x / L);
    }
    return q * L / k * sum;
}

static double slab_error(int cells, const char *element) {
    char model[1000];
    snprintf(
        model, sizeof model,
        "materials: {m: {density: 7800, young: 2.1e11, conductivity: 50, specific_heat: 500}}\n"
        "meshes: {slab: {type: box, size: [0.1, 0.02, 0.02], cells: [%d, 1, 1]%s}}\n"
        "bodies: {slab: {type: floating, mesh: slab, material: m, motion: none}}\n"
        "heat: {q: {type: flux, value: 20000, on: slab.left}}\n"
        "probes: {near: {at: slab.corner_1, quantity: temperature},\n"
        "  far: {at: slab.corner_7, quantity: temperature}}\n"
        "analysis: {end: 200, tolerance: 1e-7, integrator: radau}\n",
        cells, element);
    verify v = {0};
    verify_text(&v, model, NULL);
    verify_run(&v);
    const double a = 50 / (7800 * 500.0), t = gos_state_time(v.state);
    assert_int_equal(v.sys->nq, 0);
    const double e[2] = {verify_value(&v, v.state, "near.T") - slab(20000, 50, a, 0.1, t, 0.1),
                         verify_value(&v, v.state, "far.T") - slab(20000, 50, a, 0.1, t, 0)};
    verify_close(&v);
    return hypot(e[0], e[1]);
}

/* order 2 with linear cells */
static void conduction(void **state) {
    GOS_UNUSED(state);
    const double coarse = slab_error(5, ""), fine = slab_error(10, "");
    print_message("errors %.3g %.3g K of 70\n", coarse, fine);
    verify_near("order", verify_order(coarse, fine, 2), 2, 0.05);
    verify_below("quadratic cells", slab_error(10, ", order: quadratic"), fine / 20);
}

/* A block of high conductivity that radiates: rho c V T' = -e sigma A (T^4 - S^4), by Runge and
   Kutta's method. Its temperatures differ by the Biot number, e sigma T^3 4 L / k = 2e-8. */
static void radiation(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 2700, young: 7e10, conductivity: 1e9, specific_heat: 900}}\n"
        "meshes: {block: {type: box, size: [0.1, 0.2, 0.3], cells: [2, 2, 2]}}\n"
        "bodies: {block: {type: floating, mesh: block, material: m, motion: none}}\n"
        "initial: {block: {temperature: 500}}\n"
        "heat: {space: {type: radiation, emissivity: 0.7, sink: 100, on: block}}\n"
        "probes: {T: {at: block.corner_1, quantity: temperature}}\n"
        "analysis: {end: 5000, tolerance: 1e-8, integrator: radau}\n";
    verify v = {0};
    gos_heat heat;
    verify_text(&v, model, NULL);
    verify_run(&v);
    const double A = 2 * (0.02 + 0.03 + 0.06),
                 rate = 0.7 * 5.670374419e-8 * A / (2700 * 900 * 0.006);
    double T = 793.15;
    const double h = 5;
    for (int i = 0; i < 1000; i++) {
        double k[4] = {0}, at = T;
        for (int s = 0; s < 4; s++) {
            k[s] = -rate * (pow(at, 4) - 1e8);
            at = T + (s == 2 ? h : h / 2) * k[s];
        }
        T += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
    }
    gos_system_heat(v.sys, v.state, &heat);
    verify_near("temperature", verify_value(&v, v.state, "T.T"), T - 293.15, 2e-5);
    verify_near("stored", heat.stored, 2700 * 900 * 0.006 * (T - 793.15), 2e-5 * 14580);
    verify_below("heat balance", fabs(heat.balance), 1e-7 * fabs(heat.stored));
    verify_close(&v);
}

/* A fin in a film, insulated at its end: cosh(m (L - x)) / cosh(m L), m^2 = h P / (k A). The mean
   of its section obeys it but for the Biot number h d / (2 k) = 6e-4. */
static void fin(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 2700, young: 7e10, conductivity: 200, specific_heat: 900}}\n"
        "meshes: {fin: {type: box, size: [0.2, 0.01, 0.01], cells: [20, 1, 1], order: quadratic}}\n"
        "bodies: {fin: {type: floating, mesh: fin, material: m, motion: none}}\n"
        "heat: {root: {type: temperature, value: 80, on: fin.left},\n"
        "  film: {type: convection, coefficient: 25, ambient: 0,\n"
        "    on: [fin.front, fin.back, fin.top, fin.bottom]}}\n"
        "probes: {T: {at: fin.right, quantity: temperature}}\n"
        "analysis: {type: static}\n";
    verify v = {0};
    verify_text(&v, model, NULL);
    verify_static(&v);
    const double m = sqrt(25 * 0.04 / (200 * 1e-4)), want = 80 / cosh(0.2 * m);
    verify_near("end", verify_value(&v, v.state, "T.T"), want, 6e-4 * want);
    verify_close(&v);
}

static const char both[] =
    "parameters: {" TURNED_PARAMETERS ", W: 1, q: 1e4}\n"
    "stefan_boltzmann: 5.67e-8*W/mm^2\n"
    "materials: {m: {density: 7800*rho, young: 2.1e11*Pa, conductivity: 43*W/mm,\n"
    "  specific_heat: 465*mm^2, emissivity: 0.8, absorptivity: 0.6}}\n"
    "meshes: {block: {type: box, size: [0.3*mm, 0.2*mm, 0.1*mm], cells: [3, 2, 2]}}\n"
    "bodies: {block: {type: floating, mesh: block, material: m, motion: %s, position: [0.1*mm, 0, "
    "0],\n"
    "  rotation_vector: [%s]}}\n"
    "%s"
    "heat: {sun: {type: flux, value: q*W/mm^2, direction: " TURNED(
        "-1", "-0.4", "0.2") ",\n"
                             "    on: block},\n"
                             "  space: {type: radiation, sink: 4, on: block},\n"
                             "  core: {type: source, value: 2e4*W/mm^3, on: block},\n"
                             "  wall: {type: temperature, value: 20*sin(t/50), on: block.left}}\n"
                             "probes: {T: {at: block.corner_7, quantity: temperature}}\n"
                             "analysis: {end: 100, step: 10}\n";

static double run_both(const turned *by, const char *motion, const char *rest, gos_heat *heat) {
    char text[3000], settings[2000], more[100], vector[300];
    verify v = {0};
    // the rotation vector of by->R
    const double(*R)[3] = by->R;
    const double c = (R[0][0] + R[1][1] + R[2][2] - 1) / 2, angle = acos(fmax(-1, fmin(1, c)));
    const double f = angle > 0 ? angle / (2 * sin(angle)) : 0;
    snprintf(vector, sizeof vector, "%.17g, %.17g, %.17g", f * (R[2][1] - R[1][2]),
             f * (R[0][2] - R[2][0]), f * (R[1][0] - R[0][1]));
    snprintf(text, sizeof text, both, motion, vector, rest);
    snprintf(more, sizeof more, "parameters.W=%.17g", by->tonne * by->mm * by->mm);
    turned_settings(by, more, settings, sizeof settings);
    verify_text(&v, text, settings);
    verify_run(&v);
    gos_system_heat(v.sys, v.state, heat);
    const double T = verify_value(&v, v.state, "T.T");
    verify_close(&v);
    return T;
}

/* The same body with motion that is clamped, with the same steps, differs by the tolerance of
   Newton's iteration; copies turned and in mm-tonne-s by rounding. Without the light (a term
   dropped) the temperature differs by kelvins. */
static void same_as_moving(void **state) {
    GOS_UNUSED(state);
    const turned here = turned_by(0, 0, 0, false);
    gos_heat heat, other;
    const double T = run_both(&here, "none", "", &heat);
    const double moving = run_both(
        &here, "free", "joints: {hold: {type: clamp, between: [ground, block.frame]}}\n", &other);
    verify_near("with motion", T, moving, 1e-7 * T);
    verify_near("stored heat", heat.stored, other.stored, 1e-7 * heat.stored);
    verify_near("heat balance", heat.balance, other.balance, 1e-12 * heat.stored);
    const double way[3][3] = {{0.5, 1.1, -0.3}, {1.9, -0.7, 0.4}, {-2.1, 0.2, 1.3}};
    for (int i = 0; i < 6; i++) {
        const turned by = turned_by(way[i / 2][0], way[i / 2][1], way[i / 2][2], i % 2);
        verify_near("turned copy", run_both(&by, "none", "", &other), T, 1e-9 * T);
    }
}

/* more temperatures than the factorisation of blocks takes, against the unsymmetric solver */
static void large(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2.1e11, conductivity: 43, specific_heat: 465}}\n"
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], cells: [20, 14, 10]}}\n"
        "bodies: {block: {type: floating, mesh: block, material: m, motion: none}}\n"
        "heat: {wall: {type: temperature, value: \"50*sin(t/100)\", on: [block.left, "
        "block.corner_7]},\n"
        "  space: {type: radiation, emissivity: 1, sink: 100, on: block.top}}\n"
        "probes: {T: {at: block.corner_3, quantity: temperature}}\n"
        "analysis: {end: 100, step: 20, solver: %s}\n";
    double T[2];
    for (int i = 0; i < 2; i++) {
        char text[2000];
        verify v = {0};
        snprintf(text, sizeof text, model, i ? "unsymmetric" : "auto");
        verify_text(&v, text, NULL);
        assert_true(v.sys->nt > 3000);
        verify_run(&v);
        T[i] = verify_value(&v, v.state, "T.T");
        verify_close(&v);
    }
    verify_near("solvers", T[0], T[1], 1e-10 * fabs(T[1]));
}

/* a pendulum on a body without motion swings as on the ground; the body stays at its place */
static void pendulum(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "gravity: [0, 0, -9.81]\n"
        "materials: {m: {density: 7800, young: 2.1e11, conductivity: 43, specific_heat: 465}}\n"
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], cells: [1, 1, 1]}}\n"
        "bodies:\n"
        "  block: {type: floating, mesh: block, material: m, motion: none,\n"
        "    rotation_vector: [0, 0, pi/2]}\n"
        "  bob: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.2, 0.8, 0.1]}\n"
        "joints: {pin: {type: revolute, between: [%s, bob], at: [-0.2, 0.3, 0.1],\n"
        "  axis: [1, 0, 0]}}\n"
        "probes: {bob: {at: bob, quantity: position},\n"
        "  on: {at: block.corner_7, quantity: position}}\n"
        "analysis: {end: 1, step: 0.01}\n";
    double z[2];
    for (int i = 0; i < 2; i++) {
        char text[2000];
        verify v = {0};
        snprintf(text, sizeof text, model, i ? "ground" : "block.corner_7");
        verify_text(&v, text, NULL);
        verify_run(&v);
        z[i] = verify_value(&v, v.state, "bob.z");
        // (0.3, 0.2, 0.1) turned by 90 degrees
        verify_near("x", verify_value(&v, v.state, "on.x"), -0.2, 1e-15);
        verify_near("y", verify_value(&v, v.state, "on.y"), 0.3, 1e-15);
        verify_close(&v);
    }
    verify_near("height of the bob", z[0], z[1], 1e-14);
}

/* a deck without elastic constants has temperatures only, and stores the heat through its skin */
static void deck(void **state) {
    GOS_UNUSED(state);
    static const char nodes[] = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n"
                                "5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
                                "*ELEMENT, TYPE=C3D8, ELSET=ALL\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
                                "*MATERIAL, NAME=M\n*CONDUCTIVITY\n50.\n*DENSITY\n7800.\n"
                                "*SPECIFIC HEAT\n500.\n%s"
                                "*SOLID SECTION, ELSET=ALL, MATERIAL=M\n";
    static const char model[] = "meshes: {cube: {type: deck, file: cube.inp}}\n"
                                "bodies: {cube: {type: floating, mesh: cube%s}}\n"
                                "heat: {q: {type: flux, value: 1000, on: cube.skin}}\n"
                                "analysis: {end: 10, step: 1}\n";
    static const struct {
        const char *elastic, *body;
        bool still;
    } cases[] = {{"", "", true},
                 {"*ELASTIC\n2.1e11, 0.3\n", "", false},
                 {"*ELASTIC\n2.1e11, 0.3\n", ", motion: none", true}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v = {.ctx = gos_ctx_create()};
        gos_heat heat;
        FILE *f = fopen(folder_path("cube.inp"), "w");
        fprintf(f, nodes, cases[i].elastic);
        fclose(f);
        f = fopen(folder_path("model.yaml"), "w");
        fprintf(f, model, cases[i].body);
        fclose(f);
        verify_good(&v, gos_model_read(v.ctx, folder_path("model.yaml"), &v.model));
        verify_compile(&v);
        assert_int_equal(v.sys->nq == 0, cases[i].still);
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &heat);
        verify_near("stored", heat.stored, 6 * 1000 * 10, 1e-6);
        verify_close(&v);
    }
}

/* Conductivity and specific heat over the temperature as in a solid with motion that is clamped and
   does not expand: to the tolerance of Newton's iteration, at any temperature of the matrices.
   Constant values differ by more than a fifth. */
static void tables(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2.1e9, conductivity: %s, specific_heat: %s}}\n"
        "meshes: {block: {type: box, size: [0.1, 0.02, 0.02], cells: [8, 2, 2]}}\n"
        "bodies: {block: {type: %s, mesh: block, material: m%s}}\n"
        "%s"
        "heat: {q: {type: flux, value: \"2e5*(1-cos(t/20))\", on: block.left},\n"
        "  film: {type: convection, coefficient: 500, ambient: 0, on: block.right}}\n"
        "probes: {T: {at: block.corner_1, quantity: temperature}}\n"
        "analysis: {end: 100, step: 2}\n";
    static const char hold[] = "joints: {hold: {type: clamp, between: [ground, block.left]}}\n";
    static const char k[] = "\"40*(1+T/100)\"", c[] = "\"500*(1+T/200)\"";
    const struct {
        const char *k, *c, *type, *more, *rest;
    } cases[] = {{k, c, "solid", "", hold},
                 {k, c, "floating", ", motion: none", ""},
                 {k, c, "floating", ", motion: none, material_temperature: 60", ""},
                 {"40", "500", "floating", ", motion: none", ""}};
    double T[GOS_COUNT(cases)];
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[2000];
        gos_heat heat;
        verify v = {0};
        snprintf(text, sizeof text, model, cases[i].k, cases[i].c, cases[i].type, cases[i].more,
                 cases[i].rest);
        verify_text(&v, text, NULL);
        verify_run(&v);
        T[i] = verify_value(&v, v.state, "T.T");
        gos_system_heat(v.sys, v.state, &heat);
        verify_below("heat balance", fabs(heat.balance), 1e-6 * heat.stored);
        verify_close(&v);
    }
    verify_near("as in a solid", T[1], T[0], 1e-8 * T[0]);
    verify_near("matrices at another temperature", T[2], T[1], 1e-8 * T[1]);
    assert_true(fabs(T[3] - T[0]) > 0.2 * T[0]);
}

/* ---- reduction ------------------------------------------------------------------------------- */

/* the whole basis gives the full model, a small one the error that it reports */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "floating_bodies: %s\n"
        "materials: {m: {density: 7800, young: 2.1e11, conductivity: 43, specific_heat: 465}}\n"
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], cells: [3, 2, 2]}}\n"
        "bodies: {block: {type: floating, mesh: block, material: m, motion: none,\n"
        "  reduce: {method: %s}}}\n"
        "heat: {q: {type: flux, value: \"2e4*(1-cos(t/900))\", on: block.left},\n"
        "  film: {type: convection, coefficient: 100, ambient: 0, on: block.right}}\n"
        "probes: {T: {at: block.corner_7, quantity: temperature}}\n"
        "analysis: {end: 6000, step: 100}\n";
    static const struct {
        const char *method;
        double error;
    } cases[] = {{"modes, order: 36", 1e-9},
                 {"krylov, order: 4", 1e-3},
                 {"response_modes, order: 6", 1e-2},
                 {"auto, tolerance: 1e-4", 1e-3}};
    double full = 0;
    for (int i = -1; i < GOS_COUNT(cases); i++) {
        char text[2000];
        verify v = {0};
        snprintf(text, sizeof text, model, i < 0 ? "whole" : "reduced",
                 i < 0 ? "auto" : cases[i].method);
        verify_text(&v, text, NULL);
        verify_run(&v);
        const double T = verify_value(&v, v.state, "T.T");
        print_message("%s: %d temperatures, %.9g K\n", i < 0 ? "full" : cases[i].method, v.sys->nt,
                      T);
        if (i < 0) {
            full = T;
        } else {
            verify_near(cases[i].method, T, full, cases[i].error * full);
        }
        verify_close(&v);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refusals(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2.1e11, conductivity: 43, specific_heat: 465}}\n"
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], cells: [1, 1, 1]}}\n"
        "bodies: {block: {type: floating, mesh: block, material: m, motion: none%s}}\n%s";
    static const struct {
        const char *body, *rest, *message;
    } cases[] = {
        {", velocity: [1, 0, 0]", "", "velocity of a body without motion"},
        {", angular_velocity: [1, 0, 0]", "", "angular_velocity of a body without motion"},
        {", temperature: off", "", "a body without motion must have temperatures"},
        {"", "initial: {block: {velocity: [1, 0, 0]}}\n", "body 'block' has no motion"},
        {"", "probes: {s: {at: block.corner_1, quantity: stress}}\n", "stress requires"},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[2000];
        gos_model *m = NULL;
        gos_system *s = NULL;
        gos_ctx *ctx = gos_ctx_create();
        snprintf(text, sizeof text, model, cases[i].body, cases[i].rest);
        assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &m), GOS_OK);
        const gos_status status = gos_system_create(ctx, m, &s);
        print_message("%d %s\n", status, gos_ctx_message(ctx));
        if (status == GOS_OK || !strstr(gos_ctx_message(ctx), cases[i].message)) {
            fail_msg("%s: accepted, or '%s'", cases[i].message, gos_ctx_message(ctx));
        }
        gos_system_destroy(s);
        gos_model_destroy(m);
        gos_ctx_destroy(ctx);
    }
}

/* The advice of `motion: none` for models whose motion is computed without need. */
static void advice(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 7800, young: 2.1e11, conductivity: 43, specific_heat: 465}}\n"
        "meshes: {block: {type: box, size: [0.3, 0.2, 0.1], cells: [2, %d, 18]}}\n"
        "bodies: {block: {type: floating, mesh: block, material: m}}\n"
        "heat: {q: {type: flux, value: 20000, on: block.left}}\n"
        "probes: {T: {at: block.corner_1, quantity: %s}}\n"
        "analysis: {type: dynamic, end: 200}\n%s";
    static const struct {
        int cells;
        const char *quantity, *rest;
        bool warned;
    } cases[] = {
        {18, "temperature", "", true},
        {2, "temperature", "", false},
        {18, "position", "", false},
        {18, "temperature", "gravity: [0, 0, -9.81]\n", false},
        {18, "temperature", "loads: {f: {type: force, on: block.corner_1, value: [1, 0, 0]}}\n",
         false},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[2000];
        gos_model *m = NULL;
        gos_sizes sizes;
        gos_ctx *ctx = gos_ctx_create();
        snprintf(text, sizeof text, model, cases[i].cells, cases[i].quantity, cases[i].rest);
        assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &m), GOS_OK);
        assert_int_equal(gos_system_check(ctx, m, &sizes), GOS_OK);
        bool warned = false;
        for (int k = 0; k < gos_ctx_ndiag(ctx); k++) {
            warned = warned || strstr(gos_ctx_diag(ctx, k)->text, "`motion: none`");
        }
        assert_int_equal(warned, cases[i].warned);
        gos_model_destroy(m);
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conduction),     cmocka_unit_test(radiation), cmocka_unit_test(fin),
        cmocka_unit_test(same_as_moving), cmocka_unit_test(large),     cmocka_unit_test(pendulum),
        cmocka_unit_test(reduced),        cmocka_unit_test(refusals),  cmocka_unit_test(deck),
        cmocka_unit_test(tables),         cmocka_unit_test(advice)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
