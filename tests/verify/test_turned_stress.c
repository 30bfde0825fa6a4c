/* Stress and strain have the axes of the body, which `rotation_vector` turns at t = 0: a turned
   block under tension along its own axis has the stress of a bar there, as a solid and as a
   floating body, by probes and by fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define PULL 1e4   // [N] on a section of 0.01 m^2
#define YOUNG 1e9  // [Pa]
#define SMALL 4e-3 // strains of 1e-3, and what the ends disturb in the middle

/* the first and the third of the body axes */
static const double along[3] = {0.8779917826797222, 0.41022704429773754, -0.24666617456316423};
static const double up[3] = {0.324751433648142, -0.13190859175670208, 0.9365557269934556};

static const char text[] =
    "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.25}}\n"
    "meshes: {b: {type: box, size: [1, 0.1, 0.1], cells: [10, 2, 2], order: quadratic}}\n"
    "bodies: {s: {type: %s, material: m, mesh: b, rotation_vector: [0.2, 0.3, 0.4]}}\n"
    "joints:\n"
    "  l: {type: spherical, between: [ground, s.left]}\n"
    "  d: {type: point_on_line, between: [s.right, ground], direction: [0.8779917826797222, "
    "0.41022704429773754, -0.24666617456316423]}\n"
    "  t: {type: point_on_plane, between: [s.corner_3, ground], normal: [0.324751433648142, "
    "-0.13190859175670208, 0.9365557269934556]}\n"
    "loads: {f: {type: force, on: s.right, value: [8779.917826797222, 4102.270442977376, "
    "-2466.661745631642]}}\n"
    "probes:\n"
    "  n: {at: \"s.at(%.15g,%.15g,%.15g)\", quantity: stress}\n"
    "  e: {at: \"s.at(%.15g,%.15g,%.15g)\", quantity: strain}\n"
    "  p: {at: \"s.at(%.15g,%.15g,%.15g)\", quantity: principal_stress}\n"
    "output: {stress: true, strain: true}\n"
    "analysis: {type: static}\n";

static void check(const char *what, const double got[6], double scale, double lateral) {
    const double want[6] = {scale, lateral, lateral, 0, 0, 0};
    for (int c = 0; c < 6; c++) {
        print_message("%s %d: %.6g\n", what, c, got[c]);
        assert_true(fabs(got[c] - want[c]) <= SMALL * scale);
    }
}

/* the first field, the stress at all nodes that are drawn: uniform but where the ends are held and
 * pulled */
static void check_field(const verify *v, double scale) {
    gos_mesh_info info;
    gos_system_mesh(v->sys, &info);
    const int n = info.nnodes;
    double *all = test_calloc(30 * (size_t)n * (size_t)gos_system_nfields(v->sys), sizeof *all);
    int drawn = 0, good = 0;
    gos_system_fields(v->sys, v->state, all);
    for (int i = 0; i < n; i++) {
        const double *s = all + 6 * (size_t)i;
        drawn += !isnan(s[0]);
        good += fabs(s[0] - scale) <= SMALL * scale && fabs(s[3]) + fabs(s[5]) <= SMALL * scale;
    }
    print_message("field: %d of %d nodes\n", good, drawn);
    assert_true(good > 0);
    test_free(all);
}

static void test_axes(void **unused) {
    static const char *const type[] = {"solid", "floating"};
    GOS_UNUSED(unused);
    for (int k = 0; k < 2; k++) {
        verify v;
        char model[2000];
        double stress[GOS_PROBE_MAX], strain[GOS_PROBE_MAX], principal[GOS_PROBE_MAX];
        double x[3];
        for (int c = 0; c < 3; c++) { // the middle
            const int i = (c + 1) % 3, j = (c + 2) % 3;
            const double side = up[i] * along[j] - up[j] * along[i];
            x[c] = 0.5 * along[c] + 0.05 * (side + up[c]);
        }
        snprintf(model, sizeof model, text, type[k], x[0], x[1], x[2], x[0], x[1], x[2], x[0], x[1],
                 x[2]);
        verify_text(&v, model, NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "n", stress);
        verify_probe(&v, NULL, "e", strain);
        verify_probe(&v, NULL, "p", principal);
        check(type[k], stress, PULL / 0.01, 0);
        check(type[k], strain, PULL / 0.01 / YOUNG, -0.25 * PULL / 0.01 / YOUNG);
        verify_near_rel("largest principal stress", principal[0], PULL / 0.01, SMALL);
        check_field(&v, PULL / 0.01);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_axes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
