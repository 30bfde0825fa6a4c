/* A slender bar of solid elements reduced by `auto` without an entry `reduce`: its axial and its
   bending stiffness lie six decades apart, and of torsion its outputs see rounding alone. In metres
   and millimetres, with and without an interface and damping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

enum { MODES = 5, GRID = 60, POINTS = GRID + MODES };

static const char model[] =
    "parameters: {u: 1}\n" // units of length in a metre; forces are in N, and so masses follow
    "materials: {steel: {density: 7850/u^4, young: 2.1e11/u^2, poisson: 0.3}}\n"
    "meshes: {box: {type: box, size: [u, 0.02*u, 0.03*u], cells: [10, 1, 1], order: quadratic}}\n"
    "bodies: {bar: {type: floating, mesh: box, material: steel, temperature: off,\n"
    "  reference: clamped, at: left%s%s}}\n"
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
    "loads: {pull: {type: force, on: bar.%s, value: [1000, 10, 10]}}\n"
    "probes: {u: {at: bar.%s, quantity: displacement}, s: {at: bar.left, quantity: von_mises}}\n"
    "analysis: {type: dynamic, end: 1}\n";

static void open_bar(verify *v, int kind, bool reduced) {
    char text[2000], set[100];
    const bool interface = kind & 1;
    const char *tip = interface ? "tip" : "right";
    (void)snprintf(text, sizeof text, model,
                   interface ? ", interfaces: {tip: {of: right, type: rigid}}" : "",
                   kind & 2 ? ", zeta: 0.01" : "", tip, tip);
    (void)snprintf(set, sizeof set, "u=%s%s", kind & 4 ? "1000" : "1",
                   reduced ? " floating_bodies=reduced" : "");
    verify_text(v, text, set);
}

/* The deflection under forces at a joint or load is in the basis. */
static void check_statics(verify v[2]) {
    double y[2][3], off = 0;
    for (int k = 0; k < 2; k++) {
        verify_static(&v[k]);
        verify_probe(&v[k], v[k].state, "u", y[k]);
    }
    for (int c = 0; c < 3; c++) {
        off = fmax(off, fabs(y[1][c] / y[0][c] - 1));
    }
    verify_below("    each direction at rest, of itself", off, 1e-7);
}

/* Largest difference of each output over the frequencies of modes and between them, relative to its
   own largest response. */
static double worst_response(gos_ctx *ctx, gos_linear *const l[2], const gos_mode mode[MODES]) {
    static double omega[POINTS], H[2][POINTS * 32];
    const double low = mode[0].omega / 2, high = mode[MODES - 1].omega;
    double worst = 0;
    gos_linear_info info;
    gos_linear_info_get(l[0], &info);
    const int size = 2 * info.inputs * info.outputs;
    assert_true(size <= 32);
    for (int k = 0; k < POINTS; k++) {
        omega[k] = k < GRID ? low * pow(high / low, (double)k / GRID) : mode[k - GRID].omega;
    }
    for (int m = 0; m < 2; m++) {
        const gos_status status = gos_linear_response(ctx, l[m], POINTS, omega, H[m]);
        assert_int_equal(status, GOS_OK);
    }
    for (int i = 0; i < 3; i++) { // u.x, u.y, u.z; inputs stand side by side
        double largest = 0, off = 0;
        for (int k = 0; k < POINTS; k++) {
            for (int j = 0; j < 2 * info.inputs; j += 2) {
                const double *a = &H[0][k * size + i * 2 * info.inputs + j],
                             *b = &H[1][k * size + i * 2 * info.inputs + j];
                largest = fmax(largest, hypot(a[0], a[1]));
                off = fmax(off, hypot(a[0] - b[0], a[1] - b[1]));
            }
        }
        worst = fmax(worst, off / largest);
    }
    return worst;
}

static void check_bar(int kind) {
    gos_linear *l[2];
    gos_mode mode[2][MODES];
    gos_linear_info info;
    double off = 0;
    int found;
    verify v[2];
    for (int k = 0; k < 2; k++) {
        open_bar(&v[k], kind, k == 1);
        verify_good(&v[k], gos_linearise(v[k].ctx, v[k].sys, v[k].state, &l[k]));
        verify_good(&v[k], gos_linear_modes(v[k].ctx, l[k], MODES, false, mode[k], &found));
        assert_int_equal(found, MODES);
    }
    gos_linear_info_get(l[1], &info);
    print_message("    %d coordinates\n", info.coordinates);
    assert_true(info.coordinates < 100); // of 354 and 372
    for (int i = 0; i < MODES; i++) {
        off = fmax(off, fabs(mode[1][i].omega / mode[0][i].omega - 1));
    }
    verify_below("    frequencies", off, 1e-5); // twice of it times 50 is the tolerance at a peak
    if (kind & 2) {
        verify_below("    responses of each direction", worst_response(v[0].ctx, l, mode[0]), 1e-3);
    }
    check_statics(v);
    for (int k = 0; k < 2; k++) {
        gos_linear_destroy(l[k]);
        verify_close(&v[k]);
    }
}

static void bar(void **state) {
    GOS_UNUSED(state);
    // the short form has each kind once: metres with an interface, millimetres with damping
    for (int kind = !suite_long(); kind < 8; kind += suite_long() ? 1 : 5) {
        print_message("%s%s%s\n", kind & 4 ? "millimetres" : "metres",
                      kind & 1 ? ", rigid interface" : "", kind & 2 ? ", damped" : "");
        check_bar(kind);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
