/* A damping ratio for every mode of floating bodies of meshes: small ones, whole and reduced, and
   large ones, which have too many modes to know them all and are damped in those of their basis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/modes.h"
#include "support/suite.h"

#define ZETA 0.02
#define MOST 8

/* a sheet held at one side; n cells along it, so many for each across */
#define SHEET(bodies, method)                                                                      \
    "parameters: {n: 10}\n"                                                                        \
    "materials: {al: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"                              \
    "meshes: {sheet: {type: rectangle, size: [1, 0.4], cells: [n, 0.4*n],\n"                       \
    "         sets: {tip: {near: [1, 0, 0]}}}}\n"                                                  \
    "bodies: {sheet: {type: floating, mesh: sheet, material: al, element: shell,\n"                \
    "         thickness: 0.004, reference: clamped, at: left, zeta: 0.02, reduce: " method "}}\n"  \
    "floating_bodies: " bodies "\n"                                                                \
    "joints: {hold: {type: clamp, between: [ground, sheet.frame]}}\n"                              \
    "loads: {push: {type: force, on: sheet.tip, value: [0, 0, 1]}}\n"                              \
    "probes: {tip: {at: sheet.tip, quantity: displacement}}\n"

/* largest error of a ratio, of n modes at most; *low: the lowest frequency */
static double worst_ratio(const char *text, double cells, int n, double *low) {
    const char *const names[] = {"n", NULL};
    fixture f = linear_model(text, names, &cells);
    gos_mode mode[MOST];
    int found;
    double worst = 0;
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, n, true, mode, &found));
    assert_true(found > 0);
    for (int k = 0; k < found; k++) {
        worst = fmax(worst, fabs(mode[k].damping / ZETA - 1));
    }
    *low = mode[0].frequency;
    done(&f);
    return worst;
}

/* 10 by 4 cells have 330 displacements, 40 by 16 have 4182 (too many: 1500); a basis of Krylov
 * vectors is damped mode by mode, too */
static void test_ratio_of_every_mode(void **unused) {
    GOS_UNUSED(unused);
    double whole, reduced, alone, large, krylov;
    assert_true(worst_ratio(SHEET("whole", "{method: modes, order: 8}"), 10, MOST, &whole) < 1e-9);
    assert_true(worst_ratio(SHEET("reduced", "{method: modes, order: 8}"), 10, MOST, &reduced) <
                1e-9);
    // without static deflections: damped after the reduction
    assert_true(worst_ratio(SHEET("reduced", "{method: modes, order: 8, static: []}"), 10, MOST,
                            &alone) < 1e-9);
    assert_true(worst_ratio(SHEET("reduced", "{method: modes, order: 8}"), 40, MOST, &large) <
                1e-9);
    assert_true(worst_ratio(SHEET("reduced", "{method: krylov, order: 5}"), 40, 5, &krylov) < 1e-9);
    // the lowest mode of all five: 3.3713, 3.3713, 3.3713, 3.3632, 3.3632 Hz
    assert_true(fabs(reduced / whole - 1) < 1e-9);
    assert_true(fabs(alone / whole - 1) < 1e-9);
    assert_true(fabs(large / whole - 1) < 4e-3);
    assert_true(fabs(krylov / large - 1) < 1e-3);
}

/* a basis whose size the program chooses: 31 by 13 nodes, 2418 displacements */
static void test_auto(void **unused) {
    GOS_UNUSED(unused);
    double low;
    assert_true(worst_ratio(SHEET("reduced", "{method: auto, tolerance: 1e-3}"), 30, 4, &low) <
                1e-9);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratio_of_every_mode),
        cmocka_unit_test(test_auto),
    };
    return cmocka_run_group_tests_name("modal_damping", tests, NULL, NULL);
}
SUITE(suite)
