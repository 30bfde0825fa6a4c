/* Interfaces of floating bodies of meshes, rigid and averaging, against closed forms and numbers
   that CalculiX printed for the same mesh with *RIGID BODY (tests/reference/calculix). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"

/* ---- against CalculiX ------------------------------------------------------------------------ */

static const char rigid_end[] =
    "parameters: {load: 0}\n"
    "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3}}\n"
    "meshes: {m: {type: deck, file: rigid-end-push.inp}}\n"
    "bodies: {body: {type: floating, mesh: m, parts: [{cells: EALL, material: steel}],\n"
    "  reference: clamped, at: FIX, deck_ties: false,\n"
    "  interfaces: {tip: {of: TIP, type: rigid, at: [0.45, 0.08, -0.03]}}}}\n"
    "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
    "loads:\n"
    "  force: {type: force, on: body.tip, value: [300*load, 200*load, -100*load]}\n"
    "  moment: {type: moment, on: body.tip, moment: [5*load, -8*load, 6*load]}\n"
    "probes:\n"
    "  u: {at: body.tip, quantity: displacement}\n"
    "  r: {at: body.tip, quantity: rotation_vector}\n"
    "  ua: {at: body.TIP, quantity: displacement}\n"
    "  ra: {at: body.TIP, quantity: rotation_vector}\n"
    "  un: {at: body.node(3), quantity: displacement}\n"
    "  F: {joint: hold, quantity: joint_force}\n"
    "  M: {joint: hold, quantity: joint_moment}\n"
    "analysis: {type: static}\n";

static void open_deck(verify *v, const char *settings) {
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v,
                gos_model_parse(v->ctx, rigid_end, strlen(rigid_end), "test", FOLDER, &v->model));
    verify_set(v, settings);
    verify_compile(v);
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        c[i] = a[p] * b[q] - a[q] * b[p];
    }
}

/* seven digits; the averaged motion of the same nodes is that rigid one; what holds the frame bears
 * force and moment */
static void push(void **state) {
    GOS_UNUSED(state);
    static const double printed[6] = {-1.319865e-7, 3.714688e-6,  2.243699e-7,
                                      5.725446e-6,  -1.558676e-6, 1.041476e-5};
    static const double force[3] = {300, 200, -100}, moment[3] = {5, -8, 6};
    static const double at[3] = {0.45, 0.08, -0.03};
    double u[6], mean[6], F[3], M[3], arm[3], worst = 0;
    verify v;
    open_deck(&v, "load=1e-3"); // turning by 1e-8, which is linear
    verify_static(&v);
    verify_probe(&v, v.state, "u", u);
    verify_probe(&v, v.state, "r", u + 3);
    for (int c = 0; c < 6; c++) {
        worst = fmax(worst, fabs(u[c] / 1e-3 - printed[c]));
    }
    verify_below("motion of the point, of 1e-5", worst / 1e-5, 1e-6);
    const double off[3] = {0.4 - at[0], 0.05 - at[1], 0.05 - at[2]};
    verify_probe(&v, v.state, "ua", mean);
    verify_probe(&v, v.state, "ra", mean + 3);
    cross(u + 3, off, arm);
    for (int c = 0; c < 3; c++) {
        verify_near("mean displacement", mean[c], u[c] + arm[c], 1e-16);
        verify_near("mean rotation", mean[3 + c], u[3 + c], 1e-15);
    }
    verify_probe(&v, v.state, "F", F);
    verify_probe(&v, v.state, "M", M);
    cross(at, force, arm);
    const double sign = F[0] > 0 ? 1 : -1;
    for (int c = 0; c < 3; c++) {
        verify_near("force at the frame", sign * F[c] / 1e-3, force[c], 1e-4);
        verify_near("moment at the frame", sign * M[c] / 1e-3, arm[c] + moment[c], 1e-4);
    }
    verify_close(&v);
}

static void modes(void **state) {
    GOS_UNUSED(state);
    static const double printed[10] = {513.1725, 517.5692, 1944.320, 2612.599, 2659.938,
                                       3279.922, 5851.084, 6106.859, 6207.202, 9783.563};
    gos_mode mode[10];
    gos_linear *l;
    int found;
    double worst = 0;
    verify v;
    open_deck(&v, "analysis.type=dynamic analysis.end=1");
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, 10, false, mode, &found));
    assert_int_equal(found, 10);
    for (int i = 0; i < 10; i++) {
        worst = fmax(worst, fabs(mode[i].frequency / printed[i] - 1));
    }
    verify_below("frequencies", worst, 2e-7);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* One cell between two ends that are pulled apart: rigid ones suppress all contraction, F L (1 +
   nu)(1 - 2 nu) / (E A (1 - nu)), averaging ones none of it, F L / (E A). */
static void contraction(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {nu: 0.3}\n"
        "materials: {m: {density: 1000, young: 1e9, poisson: nu}}\n"
        "meshes: {cube: {type: box, size: [0.2, 0.1, 0.05], cells: [1, 1, 1]}}\n"
        "bodies: {cube: {type: floating, mesh: cube, material: m,\n"
        "  interfaces: {a: {of: left, type: TYPE}, b: {of: right, type: TYPE}}}}\n"
        "joints: {hold: {type: clamp, between: [ground, cube.frame]}}\n"
        "loads: {a: {type: force, on: cube.a, value: [-1e5, 0, 0]},\n"
        "  b: {type: force, on: cube.b, value: [1e5, 0, 0]}}\n"
        "probes: {a: {at: cube.a, quantity: displacement},\n"
        "  b: {at: cube.b, quantity: displacement}}\n"
        "analysis: {type: static}\n";
    for (int rigid = 0; rigid < 2; rigid++) {
        verify v;
        char text[1000];
        const char *type = rigid ? "rigid" : "averaging";
        const char *one = strstr(model, "TYPE"), *two = strstr(one + 1, "TYPE");
        (void)snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)(one - model), model, type,
                       (int)(two - one - 4), one + 4, type, two + 4);
        verify_text(&v, text, "");
        verify_static(&v);
        const double stretch = verify_value(&v, v.state, "b.x") - verify_value(&v, v.state, "a.x");
        const double free = 1e5 * 0.2 / (1e9 * 0.1 * 0.05);
        verify_near(type, stretch, rigid ? free * 1.3 * 0.4 / 0.7 : free, 1e-11 * free);
        verify_close(&v);
    }
}

/* That cell warmed: its ends let it expand along its axis alone, by alpha T (1 + nu) / (1 - nu). */
static void warmth(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 1000, young: 1e9, poisson: 0.3, expansion: 1e-5,\n"
        "  conductivity: 10, specific_heat: 500}}\n"
        "meshes: {cube: {type: box, size: [0.2, 0.1, 0.05], cells: [1, 1, 1]}}\n"
        "bodies: {cube: {type: floating, mesh: cube, material: m, reference: clamped, at: a,\n"
        "  interfaces: {a: {of: left}, b: {of: right}}}}\n"
        "joints: {hold: {type: clamp, between: [ground, cube.frame]}}\n"
        "heat: {T: {type: temperature, value: 50, on: cube.node(1)}}\n"
        "probes: {b: {at: cube.b, quantity: displacement},\n"
        "  T: {at: cube.b, quantity: temperature}}\n"
        "analysis: {type: static}\n";
    verify v = {0};
    const double free = 1e-5 * 50 * 0.2;
    verify_text(&v, model, "");
    verify_static(&v);
    verify_near("temperature", verify_value(&v, v.state, "T.T"), 50, 1e-9);
    verify_near("expansion", verify_value(&v, v.state, "b.x"), free * 1.3 / 0.7, 1e-10 * free);
    verify_close(&v);
}

/* Bars under a moment at their end, nu = 0, whose sections stay plane: rotation M L / (E I)
   exactly, of a sheet by its edge, of a shell by its edge, of a solid; and the deflection where
   they are held beside it, M L / (E I) (L / 2 + d). */
static void bending(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *name, *mesh, *cells, *moment, *turn, *along;
        double I, sign, tol;
    } bar[] = {
        {"sheet", "{type: rectangle, size: [1, 0.1], cells: [4, 1], order: quadratic}",
         "element: plane_stress, thickness: 0.02", "[0, 0, 1e-3]", "r.z", "u.y", 0.02 * 1e-3 / 12,
         1, 2e-9},
        {"shell", "{type: rectangle, size: [1, 0.1], cells: [4, 1]}",
         "element: shell, thickness: 0.02, temperature: off", "[0, 1e-3, 0]", "r.y", "u.z",
         0.1 * 8e-6 / 12, -1, 2e-9},
        {"solid", "{type: box, size: [1, 0.1, 0.02], cells: [4, 1, 1], order: quadratic}",
         "element: solid", "[0, 0, 1e-3]", "r.z", "u.y", 0.02 * 1e-3 / 12, 1, 2e-9},
    };
    for (int i = 0; i < GOS_COUNT(bar); i++) {
        char text[1500];
        verify v = {0};
        (void)snprintf(text, sizeof text,
                       "materials: {m: {density: 1000, young: 1e9, poisson: 0}}\n"
                       "meshes: {bar: %s}\n"
                       "bodies: {bar: {type: floating, mesh: bar, material: m, %s, reference: "
                       "clamped, at: left,\n"
                       "  interfaces: {end: {of: right, at: [1.2, %s]}}}}\n"
                       "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
                       "loads: {moment: {type: moment, on: bar.end, moment: %s}}\n"
                       "probes: {u: {at: bar.end, quantity: displacement},\n"
                       "  r: {at: bar.end, quantity: rotation_vector}}\n"
                       "analysis: {type: static}\n",
                       bar[i].mesh, bar[i].cells, i == 2 ? "0.05, 0.01" : "0.05, 0", bar[i].moment);
        verify_text(&v, text, "");
        verify_static(&v);
        const double turn = 1e-3 / (1e9 * bar[i].I);
        verify_near(bar[i].name, verify_value(&v, v.state, bar[i].turn), turn, bar[i].tol * turn);
        verify_near("deflection beside it", verify_value(&v, v.state, bar[i].along),
                    bar[i].sign * turn * 0.7, bar[i].tol * turn);
        verify_close(&v);
    }
}

/* A free bar with a rigid end vibrates alike whatever its frame follows: rigid motion of the
   interface is free of force and has the mass of the body. */
static void frames(void **state) {
    GOS_UNUSED(state);
    static const char *const reference[] = {"mean_axis", "clamped, at: b", "clamped, at: a",
                                            "chord, at: b, chord_end: a"};
    double first[4] = {0};
    for (int i = 0; i < 4; i++) {
        char text[1000];
        gos_mode mode[10];
        gos_linear *l;
        int found, elastic = 0;
        verify v = {0};
        (void)snprintf(
            text, sizeof text,
            "materials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
            "meshes: {bar: {type: box, size: [0.4, 0.1, 0.05], cells: [4, 1, 1], order: "
            "quadratic}}\n"
            "bodies: {bar: {type: floating, mesh: bar, material: m, reference: %s,\n"
            "  interfaces: {a: {of: left, type: averaging}, b: {of: right, at: [0.5, 0.1, 0]}}}}\n"
            "analysis: {end: 1}\n",
            reference[i]);
        verify_text(&v, text, "");
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
        verify_good(&v, gos_linear_modes(v.ctx, l, 10, false, mode, &found));
        for (int k = 0; k < found; k++) {
            if (mode[k].frequency < 1e-3) {
                continue; // rigid
            }
            if (elastic < 4) {
                print_message("    %s: %.10g Hz\n", reference[i], mode[k].frequency);
                first[elastic] = i == 0 ? mode[k].frequency : first[elastic];
                verify_near(reference[i], mode[k].frequency, first[elastic], 1e-8 * first[elastic]);
            }
            elastic++;
        }
        assert_int_equal(elastic, found - 6);
        gos_linear_destroy(l);
        verify_close(&v);
    }
}

/* ---- joints' statics ------------------------------------------------------------------------- */

/* A bent bar that is held and loaded at interfaces, sets and nodes, and under gravity bends alike
   with all its amplitudes and with two modes: its basis has the deflections under any force and
   moment there, for any frame follows. */
static void statics(void **state) {
    GOS_UNUSED(state);
    static const char *const reference[] = {"mean_axis", "clamped, at: a", "clamped, at: left",
                                            "chord, at: a, chord_end: b"};
    static const char model[] =
        "parameters: {modes: 2}\n"
        "gravity: [1, -2, -9.81]\n"
        "materials: {m: {density: 1000, young: 1e9, poisson: 0.3%s}}\n"
        "meshes: {bar: {type: box, size: [0.4, 0.1, 0.05], cells: [4, 1, 1], order: quadratic}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: m, reference: %s,\n"
        "  rotation_vector: [0.2, -0.5, 0.37],\n"
        "  interfaces: {a: {of: %s, type: %s}, b: {of: right, at: [0.5, 0.1, 0]}},\n"
        "  reduce: {method: modes, order: modes}}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.a]}}\n"
        "loads:\n"
        "  f: {type: force, on: bar.b, value: [0.1, 0.2, -0.3]}\n"
        "  m: {type: moment, on: bar.b, moment: [-0.01, 0.02, 0.02]}\n"
        "  corner: {type: force, on: bar.corner_7, value: [0.3, 0.1, 0.2]}\n"
        "probes:\n"
        "  b: {at: bar.b, quantity: displacement}\n"
        "  r: {at: bar.b, quantity: rotation_vector}\n"
        "  c: {at: bar.corner_7, quantity: displacement}\n"
        "  other: {at: bar.corner_8, quantity: displacement}\n"
        "%sanalysis: {type: static}\n";
    static const char *const cold[] = {
        "", "heat: {cold: {type: temperature, value: 0, on: bar.node(1)}}\n"};
    static const char *const heat[] = {"",
                                       ", expansion: 1e-5, conductivity: 10, specific_heat: 500"};
    for (int i = 0; i < 8; i++) {
        const char *of = strstr(reference[i % 4], "left") ? "back" : "left";
        double y[2][12];
        for (int k = 0; k < 2; k++) {
            verify v = {0};
            char text[1500];
            (void)snprintf(text, sizeof text, model, heat[i / 4], reference[i % 4], of,
                           i % 2 ? "rigid" : "averaging", cold[i / 4]);
            verify_text(&v, text, k == 0 ? "" : "floating_bodies=reduced");
            verify_static(&v);
            verify_probe(&v, v.state, "b", y[k]);
            verify_probe(&v, v.state, "r", y[k] + 3);
            verify_probe(&v, v.state, "c", y[k] + 6);
            verify_probe(&v, v.state, "other", y[k] + 9);
            verify_close(&v);
        }
        double off = 0, largest = 0;
        for (int c = 0; c < 12; c++) {
            off = fmax(off, fabs(y[1][c] - y[0][c]));
            largest = fmax(largest, fabs(y[0][c]));
        }
        verify_below(reference[i % 4], off / largest, 1e-8);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push),    cmocka_unit_test(modes),   cmocka_unit_test(contraction),
        cmocka_unit_test(warmth),  cmocka_unit_test(bending), cmocka_unit_test(frames),
        cmocka_unit_test(statics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
