/* Charge by temperature of electrodes that are open, charge-driven or shunted: voltages, what these
   do to the shell, and the heat that goes with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#define L 0.2
#define WIDTH 0.02
#define H 1e-3
#define H_P 2e-4
#define E31 (-6.5)
#define EPS 1.3e-8
#define YOUNG 70e9
#define PYRO 2e-4

#define STRIP                                                                                      \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, expansion: 0, conductivity: "     \
    "100,\n"                                                                                       \
    "  specific_heat: 900}}\n"                                                                     \
    "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [10, 1]}}\n"                      \
    "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"              \
    "  thickness: 1e-3, reference: clamped, at: left, interfaces: {tip: {of: right}},\n"           \
    "  rayleigh: [0, 1e-5], reduce: {method: response_modes, order: 3, modes: 3}}}\n"              \
    "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
#define PATCHES                                                                                    \
    "type: patch, on: beam, faces: upper, thickness: 2e-4, e32: 0, along: [1, 0, 0],\n"            \
    "  permittivity: 1.3e-8, pyroelectric: 2e-4, channels: joined"
#define WARM                                                                                       \
    "heat: {up: {type: convection, coefficient: 1e9, ambient: 10, on: beam.upper},\n"              \
    "  low: {type: convection, coefficient: 1e9, ambient: 10, on: beam.lower}}\n"
#define SEEN                                                                                       \
    "  v: {at: p, quantity: voltage}, q: {at: p, quantity: charge},\n"                             \
    "  T: {at: beam.right, quantity: temperature}"

/* Warmth makes -p A T of an open electrode; its voltage strains the strip by e = -e31 V / (E h), k
   = -e31 V z / D, which takes charge: V = p A T / (C + e31^2 A (1 / (E h) + z^2 / D)). A charge Q
   adds to what warmth has made. */
static void open_electrode(void **state) {
    GOS_UNUSED(state);
    const double z = (H + H_P) / 2, A = L * WIDTH, D = YOUNG * H * H * H / 12,
                 C = EPS * A / H_P + E31 * E31 * A * (1 / (YOUNG * H) + z * z / D);
    for (int i = 0; i < 4; i++) {
        const double Q = i % 2 ? 3e-6 : 0, V = (Q + PYRO * A * 10) / C;
        char text[3000];
        verify v;
        snprintf(text, sizeof text,
                 STRIP WARM "piezo: {p: {" PATCHES ", e31: -6.5, drive: charge, charge: %g}}\n"
                            "probes: {tip: {at: beam.tip, quantity: displacement},\n" SEEN "}\n"
                            "analysis: {type: static}\n",
                 Q);
        verify_text(&v, text, i / 2 ? "floating_bodies=reduced" : NULL);
        verify_static(&v);
        verify_near("temperature", verify_value(&v, NULL, "T.T"), 10, 1e-6);
        verify_near("voltage", verify_value(&v, NULL, "v.value"), V, 1e-6 * V);
        verify_near("charge", verify_value(&v, NULL, "q.value"), Q, 1e-18);
        const double w = E31 * V * z / D * L * L / 2;
        verify_near("tip", verify_value(&v, NULL, "tip.z"), w, 1e-6 * fabs(w));
        verify_close(&v);
    }
}

/* v = -Z dQ/dt under heat that swings, by a resistor alone and with an inductance; Q has what
 * warmth makes, and so has the shunt */
static void shunted(void **state) {
    GOS_UNUSED(state);
    static const char *const shunt[] = {"resistance: 2.0e6", "resistance: 2.0e6, inductance: 1e6"};
    const double omega = 3;
    for (int i = 0; i < 2; i++) {
        char text[3000];
        double y[4][2]; // voltage, charge, temperature and its gradient
        gos_linear *linear;
        verify v;
        snprintf(text, sizeof text,
                 STRIP "heat: {q: {type: flux, on: beam.upper, value: 1}}\n"
                       "piezo: {p: {" PATCHES ", e31: 0, drive: shunt, %s}}\nprobes: {" SEEN "}\n",
                 shunt[i]);
        verify_text(&v, text, NULL);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_response(v.ctx, linear, 1, &omega, y[0]));
        const double rate[2] = {-omega * y[1][1], omega * y[1][0]}, X = i * omega * 1e6;
        const double want[2] = {-(2e6 * rate[0] - X * rate[1]), -(2e6 * rate[1] + X * rate[0])},
                     size = hypot(want[0], want[1]), C = EPS * L * WIDTH / H_P,
                     pyro[2] = {y[1][0] - C * y[0][0], y[1][1] - C * y[0][1]};
        assert_true(size > 1e-3 * hypot(y[2][0], y[2][1]));
        verify_near("voltage, real", y[0][0], want[0], 1e-9 * size);
        verify_near("voltage, imaginary", y[0][1], want[1], 1e-9 * size);
        // without strain the rest of the charge is that of the temperature in the patch's middle:
        // about -p A T
        const double all = PYRO * L * WIDTH * hypot(y[2][0], y[2][1]);
        verify_near("by warmth", hypot(pyro[0], pyro[1]), all, 2e-3 * all);
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
    const double A = L * WIDTH, stored = 2700 * 900 * H * A, C = EPS * A / H_P,
                 less = 300 * PYRO * PYRO * A * A / C;
    assert_true(less > 5e-5 * stored);
    for (int i = 0; i < 3; i++) {
        char text[3000];
        verify v;
        snprintf(text, sizeof text,
                 "reference_temperature: 300\n" STRIP
                 "heat: {up: {type: flux, on: beam.upper, value: 1000},\n"
                 "  low: {type: flux, on: beam.lower, value: 1000}}\n"
                 "piezo: {p: {" PATCHES ", e31: 0, %s}}\nprobes: {" SEEN "}\n"
                 "analysis: {end: 2, step: 0.01, thermoelastic_heat: true}\n",
                 drive[i]);
        verify_text(&v, text, NULL);
        verify_run(&v);
        const double want = 2 * 1000 * A * 2 / (stored - (i == 1 ? 0 : less));
        verify_near("temperature", verify_value(&v, NULL, "T.T"), want, 2e-6 * want);
        verify_near("voltage", verify_value(&v, NULL, "v.value"), i == 1 ? 0 : PYRO * A * want / C,
                    1e-4 * PYRO * A * want / C);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_electrode),
        cmocka_unit_test(shunted),
        cmocka_unit_test(electrocaloric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
