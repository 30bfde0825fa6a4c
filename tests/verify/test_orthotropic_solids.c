/* Orthotropic materials of solid meshes: strains by stresses, expansion and conduction along axes
   that are given, and the same of a deck with an orientation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

#define WOOD                                                                                       \
    "materials:\n  wood: {type: orthotropic, density: 500, E1: 12e9, E2: 0.8e9, E3: 0.5e9,\n"      \
    "    nu12: 0.4, nu13: 0.3, nu23: 0.45, G12: 0.7e9, G13: 0.6e9, G23: 0.05e9,\n"                 \
    "    expansion1: 3e-6, expansion2: 3e-5, expansion3: 5e-5, conductivity1: 0.4,\n"              \
    "    conductivity2: 0.2, conductivity3: 0.1, specific_heat: 1600}\n"
/* axes 1 and 2 in those of the mesh, oblique */
#define D1 "[0.6, 0.48, 0.64]"
#define D2 "[-0.8, 0.5, 0.2]"
static const double d1[3] = {0.6, 0.48, 0.64}, d2[3] = {-0.8, 0.5, 0.2};

static void axes_of(double R[3][3]) {
    double along = 0, size = 0;
    for (int c = 0; c < 3; c++) {
        along += d1[c] * d2[c];
    }
    for (int c = 0; c < 3; c++) {
        R[0][c] = d1[c];
        R[1][c] = d2[c] - along * d1[c];
        size += R[1][c] * R[1][c];
    }
    for (int c = 0; c < 3; c++) {
        R[1][c] /= sqrt(size);
    }
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        R[2][c] = R[0][p] * R[1][q] - R[0][q] * R[1][p];
    }
}

/* a free cube, evenly warm: the far corner from the near one by the tensor of expansion, of
 * hexahedra of 8 and of 20 nodes */
static void expansion(void **state) {
    GOS_UNUSED(state);
    static const char *const orders[2] = {"linear", "quadratic"};
    double R[3][3], want[3] = {0, 0, 0};
    const double a[3] = {3e-6, 3e-5, 5e-5}, x[3] = {0.2, 0.2, 0.2};
    axes_of(R);
    for (int k = 0; k < 27; k++) {
        want[k / 9] += 40 * R[k % 3][k / 9] * a[k % 3] * R[k % 3][k / 3 % 3] * x[k / 3 % 3];
    }
    for (int i = 0; i < 2; i++) {
        char model[3000];
        double y[2][GOS_PROBE_MAX];
        verify v;
        (void)snprintf(
            model, sizeof model,
            WOOD "meshes: {m: {type: box, size: [0.2, 0.2, 0.2], cells: [2, 2, 2], order: %s,\n"
                 "  sets: {all: {of: nodes, box: {from: [-1, -1, -1], to: [1, 1, 1]}}}}}\n"
                 "bodies: {b: {type: floating, mesh: m, material: wood, reference: mean_axis,\n"
                 "  direction: " D1 ", direction2: " D2 "}}\n"
                 "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                 "heat: {T: {type: temperature, value: 40, on: b.all}}\n"
                 "probes: {near: {at: b.corner_1, quantity: displacement},\n"
                 "  far: {at: b.corner_7, quantity: displacement}}\nanalysis: {type: static}\n",
            orders[i]);
        verify_text(&v, model, NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "near", y[0]);
        verify_probe(&v, NULL, "far", y[1]);
        // mean axes of a cube: no mean rotation, as the tensor is symmetric
        for (int c = 0; c < 3; c++) {
            verify_near(orders[i], y[1][c] - y[0][c], want[c], 1e-11);
        }
        verify_close(&v);
    }
}

/* the same block, as a deck by its orientation and in words: displacements by a force and by uneven
 * warmth, temperatures */
static void as_a_deck(void **state) {
    GOS_UNUSED(state);
    double R[3][3], y[2][2][GOS_PROBE_MAX];
    axes_of(R);
    FILE *f = fopen(folder_path("block.inp"), "w");
    assert_non_null(f);
    fputs("*NODE, NSET=NALL\n", f);
    for (int k = 0; k < 4 * 3 * 3; k++) {
        fprintf(f, "%d, %.17g, %.17g, %.17g\n", k + 1, 0.1 * (k % 4), 0.1 * (k / 4 % 3),
                0.05 * (k / 12));
    }
    fputs("*ELEMENT, TYPE=C3D8I, ELSET=E\n", f);
    for (int k = 0; k < 12; k++) {
        const int n = k % 3 + 4 * (k / 3 % 2) + 12 * (k / 6) + 1;
        fprintf(f, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", k + 1, n, n + 1, n + 5, n + 4, n + 12,
                n + 13, n + 17, n + 16);
    }
    fprintf(
        f,
        "*NSET, NSET=ROOT\n1, 5, 9, 13, 17, 21, 25, 29, 33\n*NSET, NSET=TIP\n4, 8\n"
        "*MATERIAL, NAME=WOOD\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
        "12.E9, 0.8E9, 0.5E9, 0.4, 0.3, 0.45, 0.7E9, 0.6E9,\n0.05E9\n"
        "*EXPANSION, TYPE=ORTHO\n3.E-6, 3.E-5, 5.E-5\n*CONDUCTIVITY, TYPE=ORTHO\n0.4, 0.2, 0.1\n"
        "*SPECIFIC HEAT\n1600.\n*DENSITY\n500.\n*ORIENTATION, NAME=O\n"
        "%.17g, %.17g, %.17g, %.17g, %.17g, %.17g\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=WOOD, ORIENTATION=O\n",
        R[0][0], R[0][1], R[0][2], d2[0], d2[1], d2[2]);
    assert_int_equal(fclose(f), 0);
    for (int i = 0; i < 2; i++) {
        char model[3000];
        verify v;
        (void)snprintf(
            model, sizeof model,
            "%smeshes: {m: {type: deck, file: block.inp}}\n"
            "bodies: {b: {type: floating, mesh: m, reference: clamped, at: ROOT%s}}\n"
            "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
            "loads: {f: {type: force, on: b.node(36), value: [10, 20, 30]}}\n"
            "heat: {a: {type: temperature, value: 0, on: b.ROOT},\n"
            "  b: {type: temperature, value: 30, on: b.TIP}}\n"
            "probes: {y: {at: b.node(36), quantity: displacement},\n"
            "  T: {at: b.node(35), quantity: temperature}}\nanalysis: {type: static}\n",
            i ? WOOD : "",
            i ? ", parts: [{cells: E, material: wood, element: solid_incompatible, direction: " D1
                ", direction2: " D2 "}]"
              : "");
        calculix_open(&v, model, folder);
        verify_static(&v);
        verify_probe(&v, NULL, "y", y[i][0]);
        verify_probe(&v, NULL, "T", y[i][1]);
        verify_close(&v);
    }
    verify_below("displacement", verify_distance(y[0][0], y[1][0]) / fabs(y[0][0][2]), 1e-9);
    verify_near("temperature", y[1][1][0], y[0][1][0], 1e-10);
    assert_true(fabs(y[0][1][0]) > 0.1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expansion),
        cmocka_unit_test(as_a_deck),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
