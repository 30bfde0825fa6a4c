/* Charge by temperature of electrodes on plates that are open, charge-driven or shunted: voltages,
   how far these bend the plate, the heat that goes with them; floating shells with the same
   patches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

#define L 0.2
#define WIDTH 0.02
#define H 1e-3
#define H_P 2e-4
#define E31 (-6.5)
#define EPS 1.3e-8
#define YOUNG 7e9
#define PYRO 2e-4

#define HEAD                                                                                       \
    "parameters: {nx: 10, ny: 1, Q: 0, T: 10}\n"                                                   \
    "materials: {alloy: {density: 2700, young: 7e9, poisson: 0, conductivity: 100,\n"              \
    "  specific_heat: 900, damping: {normal: 1e-5, shear: 1e-5}}}\n"
#define STRIP                                                                                      \
    HEAD                                                                                           \
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n" \
        "  x: [0.2, 0, 0], y: [0, 0.02, 0], elements: [nx, ny]}}\n"                                \
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
#define PATCHES                                                                                    \
    "type: patch, on: beam, thickness: 2e-4, e32: 0, along: [1, 0, 0],\n"                          \
    "  permittivity: 1.3e-8, pyroelectric: 2e-4"
#define SEEN                                                                                       \
    "  v: {at: p, quantity: voltage}, q: {at: p, quantity: charge},\n"                             \
    "  tip: {at: \"beam.at(0.2,0.01)\", quantity: displacement},\n"                                \
    "  T: {at: beam.corner(3), quantity: temperature}"

/* V = (Q + p A t) / (C + e31^2 A (1 / (E h) + z^2 / D)), t = T + z T_z in the patch's middle, bends
   the strip into the arc of E = -e31 V / (E h), b = e31 V z / D, however far. */
static void open_electrode(void **state) {
    GOS_UNUSED(state);
    static const struct {
        double up, low, Q;
    } cases[] = {{10, 10, 0}, {13, 7, 0}, {5, 5, 3e-5}, {200, 200, 0}, {160, 200, -3e-4}};
    const double z = (H + H_P) / 2, A = L * WIDTH, D = YOUNG * H * H * H / 12,
                 C = EPS * A / H_P + E31 * E31 * A * (1 / (YOUNG * H) + z * z / D);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[3000];
        double T[GOS_PROBE_MAX];
        verify v;
        snprintf(text, sizeof text,
                 STRIP
                 "heat: {up: {type: convection, coefficient: 1e9, ambient: %g, on: beam.top},\n"
                 "  low: {type: convection, coefficient: 1e9, ambient: %g, on: beam.bottom}}\n"
                 "piezo: {p: {" PATCHES
                 ", faces: upper, channels: joined, e31: -6.5, drive: charge, charge: %g}}\n"
                 "probes: {" SEEN "}\nanalysis: {type: static, newton_tolerance: 1e-6}\n",
                 cases[i].up, cases[i].low, cases[i].Q);
        verify_text(&v, text, "nx=32");
        verify_static(&v);
        verify_probe(&v, NULL, "T", T);
        const double V = (cases[i].Q + PYRO * A * (T[0] + z * T[1])) / C,
                     E = -E31 * V / (YOUNG * H), b = E31 * V * z / D, s = sqrt(1 + 2 * E),
                     k = b / (s * s), x = sin(k * s * L) / k - L, w = (1 - cos(k * s * L)) / k;
        verify_near("gradient", T[1], (cases[i].up - cases[i].low) / H, 40);
        verify_near("voltage", verify_value(&v, NULL, "v.value"), V, 2e-6 * fabs(V));
        verify_near("charge", verify_value(&v, NULL, "q.value"), cases[i].Q, 1e-12);
        verify_near("x", verify_value(&v, NULL, "tip.x"), x, 1e-5 * fabs(w));
        verify_near("z", verify_value(&v, NULL, "tip.z"), w, 1e-5 * fabs(w));
        assert_true(i < 3 || fabs(k * L) > 0.4);
        verify_close(&v);
    }
}

/* v = -Z dQ/dt under heat that swings, by a resistor alone and with an inductance; the charge is C
 * v - p A T of what does not strain */
static void shunted(void **state) {
    GOS_UNUSED(state);
    static const char *const shunt[] = {"resistance: 2.0e6", "resistance: 2.0e6, inductance: 1e6"};
    const double omega = 3;
    for (int i = 0; i < 2; i++) {
        char text[3000];
        double y[7][2]; // voltage, charge, displacement, temperature and its gradient
        gos_linear *linear;
        verify v;
        snprintf(text, sizeof text,
                 STRIP "heat: {q: {type: flux, on: beam.top, value: 1}}\n"
                       "piezo: {p: {" PATCHES
                       ", faces: upper, channels: joined, e31: 0, drive: shunt, %s}}\n"
                       "probes: {" SEEN "}\n",
                 shunt[i]);
        verify_text(&v, text, NULL);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_response(v.ctx, linear, 1, &omega, y[0]));
        const double rate[2] = {-omega * y[1][1], omega * y[1][0]}, X = i * omega * 1e6;
        const double want[2] = {-(2e6 * rate[0] - X * rate[1]), -(2e6 * rate[1] + X * rate[0])},
                     size = hypot(want[0], want[1]), C = EPS * L * WIDTH / H_P, z = (H + H_P) / 2;
        verify_near("voltage, real", y[0][0], want[0], 1e-9 * size);
        verify_near("voltage, imaginary", y[0][1], want[1], 1e-9 * size);
        for (int c = 0; c < 2; c++) {
            const double pyro = -PYRO * L * WIDTH * (y[5][c] + z * y[6][c]);
            verify_near("charge", y[1][c], C * y[0][c] + pyro, 1e-9 * hypot(y[1][0], y[1][1]));
        }
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* With the heat of strains a charge that warmth moves takes heat: of an open electrode that strains
   nothing (e31 = 0) the strip stores T_ref (p A)^2 / C less, of one whose resistance is small (0 V)
   nothing less, of one whose resistance is large the same as if open. */
static void electrocaloric(void **state) {
    GOS_UNUSED(state);
    static const char *const drive[] = {"drive: charge", "drive: shunt, resistance: 1e-3",
                                        "drive: shunt, resistance: 1e16"};
    const double A = L * WIDTH, stored = 2700 * 900 * H * A, C = 2 * EPS * A / H_P,
                 less = 300 * PYRO * PYRO * 4 * A * A / C;
    assert_true(less > 5e-5 * stored);
    for (int i = 0; i < 3; i++) {
        char text[3000];
        verify v;
        snprintf(text, sizeof text,
                 "reference_temperature: 300\n" STRIP
                 "heat: {up: {type: flux, on: beam.top, value: 1000},\n"
                 "  low: {type: flux, on: beam.bottom, value: 1000}}\n"
                 "piezo: {p: {" PATCHES ", channels: joined, e31: 0, %s}}\nprobes: {" SEEN "}\n"
                 "analysis: {end: 2, step: 0.01, thermoelastic_heat: true}\n",
                 drive[i]);
        verify_text(&v, text, NULL);
        verify_run(&v);
        const double want = 2 * 1000 * A * 2 / (stored - (i == 1 ? 0 : less));
        verify_near("temperature", verify_value(&v, NULL, "T.T"), want, 2e-6 * want);
        verify_near("voltage", verify_value(&v, NULL, "v.value"),
                    i == 1 ? 0 : 2 * PYRO * A * want / C, 1e-4 * 2 * PYRO * A * want / C);
        verify_close(&v);
    }
}

/* A force on the tip strains the patches, whose voltage takes heat: voltage, temperature at the tip
   and deflection of the floating shell with the same patches, open and shunted, as responses to the
   force and to heat. */
static void as_floating_shells(void **state) {
    GOS_UNUSED(state);
    static const char *const body[] = {
        STRIP,
        HEAD "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [nx, ny]}}\n"
             "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"
             "  thickness: 1e-3, reference: clamped, at: left, interfaces: {tip: {of: "
             "right}}}}\n"
             "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"};
    static const char *const tip[] = {"\"beam.at(0.2,0.01)\"", "beam.tip"};
    static const char *const end[] = {"beam.corner(3)", "beam.right"};
    static const char *const face[] = {"beam.top", "beam.upper"};
    static const char *const drive[] = {"drive: charge", "drive: shunt, resistance: 1e4"};
    const double omega = 30;
    for (int d = 0; d < 2; d++) {
        double y[2][6][2][2]; // voltage, displacement, temperature and gradient by force and heat
        for (int k = 0; k < 2; k++) {
            char text[3000];
            gos_linear *linear;
            verify v;
            snprintf(text, sizeof text,
                     "reference_temperature: 300\n%s"
                     "loads: {f: {type: force, on: %s, value: [0, 0, 1]}}\n"
                     "heat: {q: {type: flux, on: %s, value: 1}}\n"
                     "piezo: {p: {" PATCHES ", faces: upper, channels: joined, e31: -6.5, %s}}\n"
                     "probes: {v: {at: p, quantity: voltage},\n"
                     "  tip: {at: %s, quantity: displacement},\n"
                     "  T: {at: %s, quantity: temperature}}\n"
                     "analysis: {end: 1, thermoelastic_heat: true}\n",
                     body[k], tip[k], face[k], drive[d], tip[k], end[k]);
            verify_text(&v, text, k ? "nx=40 ny=4" : "nx=20 ny=2");
            verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
            gos_linear_info info;
            gos_linear_info_get(linear, &info);
            assert_int_equal(info.outputs, 6);
            const int nu = info.inputs;
            double *all = calloc((size_t)(6 * nu * 2), sizeof *all);
            assert_non_null(all);
            verify_good(&v, gos_linear_response(v.ctx, linear, 1, &omega, all));
            for (int o = 0; o < 6; o++) {
                int at = 0;
                for (int u = 0; u < nu; u++) {
                    const char *name = gos_linear_input(linear, u).name;
                    const int which = strcmp(name, "f.z") == 0 ? 0
                                      : strcmp(name, "q") == 0 ? 1
                                                               : -1;
                    for (int c = 0; c < 2 && which >= 0; c++) {
                        y[k][o][which][c] = all[2 * (o * nu + u) + c];
                    }
                    at += which >= 0;
                }
                assert_int_equal(at, 2);
            }
            free(all);
            gos_linear_destroy(linear);
            verify_close(&v);
        }
        static const int seen[] = {0, 3, 4, 5};
        for (int i = 0; i < 4; i++) {
            for (int u = 0; u < 2; u++) {
                const double *a = y[0][seen[i]][u], *b = y[1][seen[i]][u], size = hypot(b[0], b[1]);
                print_message("    %d by %d: %g %g, shell %g %g\n", seen[i], u, a[0], a[1], b[0],
                              b[1]);
                assert_true(size > 0);
                verify_below("as the shell", hypot(a[0] - b[0], a[1] - b[1]) / size, 1e-2);
            }
        }
    }
}

static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "reference_temperature: 300\n"
        "materials: {alloy: {density: 2700, young: 7e3, poisson: 0.3, expansion: 2e-3,\n"
        "  conductivity: 100, specific_heat: 900, damping: {normal: 0.1, shear: 0.2}}}\n"
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 0.05, corner: [0, 0, 0],\n"
        "  x: [1, 0, 0], y: [0, 0.6, 0], elements: [2, 1]}}\n"
        "piezo: {p: {type: patch, on: beam, thickness: 0.1, e31: -6.5, permittivity: 1.3,\n"
        "    faces: upper, pyroelectric: 3, channels: joined, drive: charge},\n"
        "  b: {type: patch, on: beam.cell(1), thickness: 0.02, e31: -6.5, permittivity: 1.3,\n"
        "    faces: lower, pyroelectric: 2, drive: shunt, resistance: 2, inductance: 3}}\n"
        "analysis: {thermoelastic_heat: true, viscous_heating: true, end: 1}\n";
    verify v;
    verify_text(&v, model, NULL);
    check_newton_matrix(v.sys, "pyroelectric", 3, true);
    verify_close(&v);
}

/* fields of temperatures know nothing of what these charges do */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char *const drive[] = {"drive: charge", "drive: shunt, resistance: 1e4"};
    for (int d = 0; d < 2; d++) {
        char text[3000];
        gos_system *sys = NULL;
        verify v;
        snprintf(text, sizeof text,
                 STRIP "piezo: {p: {" PATCHES ", faces: upper, channels: joined, e31: 0, %s}}\n"
                       "probes: {" SEEN "}\nanalysis: {end: 1}\n"
                       "reduction: {method: rotation_closed, fields: modes, number: 9}\n",
                 drive[d]);
        verify_text(&v, text, NULL);
        assert_int_not_equal(gos_reduce(v.ctx, v.sys, &sys), GOS_OK);
        assert_non_null(strstr(gos_ctx_message(v.ctx), "run the full model"));
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_electrode), cmocka_unit_test(shunted),
        cmocka_unit_test(electrocaloric), cmocka_unit_test(as_floating_shells),
        cmocka_unit_test(newton_matrix),  cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
