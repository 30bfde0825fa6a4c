/* Nets of cables that are flat and without stress: they have no stiffness across at the start, and
   carry their weight by the tension that their sag makes. Two crossing cables hang as each by
   itself; nets of other sizes balance their weight, and sag with the cube root of it; turned, in
   mm-tonne-s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/turn_model.h"

#define RHO 3000.0
#define YOUNG 2e9
#define AREA 7.0686e-6
#define PITCH 0.3
#define TEXT 40000

/* the place where line i along one axis crosses line j along the other, as the ends that meet
   there */
static int segment(int n, bool along_y, int line, int part) {
    return (along_y ? n * (n + 1) : 0) + line * (n + 1) + part;
}

/* n lines each way, n + 1 segments a line, on the ground at their ends */
static void make_net(int n, char *text) {
    int at = snprintf(text, TEXT,
                      "materials: {m: {density: 3000, young: 2.0e9}}\n"
                      "sections: {s: {type: general, area: 7.0686e-6, Iy: 4.0e-15, Iz: 4.0e-15}}\n"
                      "gravity: [0, 0, -9.81]\nanalysis: {type: static}\nbodies:\n");
    for (int y = 0; y < 2; y++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k <= n; k++) {
                const double a = PITCH * (i + 1), b = PITCH * k, c = PITCH * (k + 1);
                at += snprintf(text + at, TEXT - (size_t)at,
                               "  s%d: {type: ancf_cable, material: m, section: s, elements: 4, "
                               "frame: transported, from: [%g, %g, 0], to: [%g, %g, 0]}\n",
                               segment(n, y, i, k), y ? a : b, y ? b : a, y ? a : c, y ? c : a);
            }
        }
    }
    at += snprintf(text + at, TEXT - (size_t)at, "joints:\n");
    for (int y = 0; y < 2; y++) {
        for (int i = 0; i < n; i++) {
            const int first = segment(n, y, i, 0), last = segment(n, y, i, n);
            at += snprintf(text + at, TEXT - (size_t)at,
                           "  a%d: {type: spherical, between: [ground, s%d.start]}\n"
                           "  b%d: {type: spherical, between: [ground, s%d.end]}\n",
                           first, first, last, last);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) { // four ends meet
            const int one = segment(n, false, i, j), other = segment(n, true, j, i);
            at += snprintf(text + at, TEXT - (size_t)at,
                           "  c%d: {type: spherical, between: [s%d.end, s%d.start]}\n"
                           "  d%d: {type: spherical, between: [s%d.end, s%d.end]}\n"
                           "  e%d: {type: spherical, between: [s%d.end, s%d.start]}\n",
                           one, one, one + 1, one, one, other, one, one, other + 1);
        }
    }
    at += snprintf(text + at, TEXT - (size_t)at,
                   "probes:\n  middle: {at: s%d.end, quantity: displacement}\n",
                   segment(n, false, n / 2, (n - 1) / 2));
    for (int y = 0; y < 2; y++) {
        for (int i = 0; i < n; i++) {
            const int first = segment(n, y, i, 0), last = segment(n, y, i, n);
            at += snprintf(text + at, TEXT - (size_t)at,
                           "  F%d: {joint: a%d, quantity: joint_force}\n"
                           "  F%d: {joint: b%d, quantity: joint_force}\n",
                           first, first, last, last);
        }
    }
    assert_true(at < TEXT);
}

/* the sag of a net [m] with gravity times `factor`; its reactions balance its weight */
static double sag_of(int n, double factor, bool turn) {
    static char text[TEXT];
    char g[60];
    const double mm = turn ? 1000 : 1;
    verify v = {.ctx = gos_ctx_create()};
    double sum[3] = {0}, y[GOS_PROBE_MAX];
    make_net(n, text);
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    (void)snprintf(g, sizeof g, "[0, 0, %.17g]", -9.81 * factor);
    verify_good(&v, gos_model_set(v.ctx, v.model, "gravity", g));
    if (turn) { // mm, tonne, s
        turn_model(&v, (const double[3]){0.7, -1.1, 0.4}, 1000, 1e-3);
    }
    verify_compile(&v);
    verify_static(&v);
    for (int i = 1; i < v.sys->nprobe; i++) {
        verify_good(&v, gos_system_probe(v.ctx, v.sys, v.state, i, y, NULL));
        for (int c = 0; c < 3; c++) {
            sum[c] += y[c];
        }
    }
    const double weight = RHO * AREA * 2 * n * (n + 1) * PITCH * 9.81 * factor;
    verify_near_rel("reactions [N]", sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]),
                    weight * (turn ? 1e-3 * 1000 : 1), 1e-6);
    verify_probe(&v, NULL, "middle", y);
    verify_close(&v);
    return sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) / mm;
}

/* shallow: H = w L^2 / 8 f stretches each cable by 8 f^2 / 3 L */
static void test_cross(void **state) {
    GOS_UNUSED(state);
    const double L = 2 * PITCH, w = RHO * AREA * 9.81;
    const double want = cbrt(3 * w * pow(L, 4) / (64 * YOUNG * AREA));
    verify_near_rel("two cables [m]", sag_of(1, 1, false), want, 0.01);
    verify_near_rel("turned, mm-tonne-s [m]", sag_of(1, 1, true), want, 0.01);
}

static void test_nets(void **state) {
    GOS_UNUSED(state);
    for (int n = 2; n <= 4; n++) {
        const double sag = sag_of(n, 1, false);
        verify_near_rel("an eighth of the weight: sag, half [m]", sag_of(n, 0.125, false), sag / 2,
                        0.01);
        verify_near_rel("turned, mm-tonne-s [m]", sag_of(n, 1, true), sag, 1e-6);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cross), cmocka_unit_test(test_nets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
