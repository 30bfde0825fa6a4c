/* The length that tolerances refer to: the same in any direction and unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

static double extent(const char *text) {
    verify v;
    verify_text(&v, text, NULL);
    const double e = v.sys->extent;
    verify_close(&v);
    return e;
}

#define ROD                                                                                        \
    "materials: {m: {density: 1000, young: 1.0e6}}\n"                                              \
    "sections: {s: {type: circle, radius: 0.01}}\n"

/* a bar has its length, two of unlike meshes at an angle the distance of their ends */
static void nodes(void **state) {
    GOS_UNUSED(state);
    verify_near("bar",
                extent(ROD "bodies: {a: {type: ancf_cable, material: m, section: s, from: [5, 0, "
                           "0], to: [7, 0, 0], elements: 7}}\n"),
                2, 1e-14);
    verify_near("bar, turned",
                extent(ROD "bodies: {a: {type: ancf_cable, material: m, section: s, from: [5, 0, "
                           "0], to: [6.2, 0.96, -1.28], elements: 7}}\n"),
                2, 1e-14);
    verify_near("angle",
                extent(ROD "bodies:\n"
                           "  a: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: "
                           "[3, 0, 0], elements: 40}\n"
                           "  b: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: "
                           "[0, 4, 0], elements: 2}\n"),
                5, 1e-14);
}

/* triangles: two ends that are as far from the mean as each other, and as far from each other as
 * any */
static void corners(void **state) {
    GOS_UNUSED(state);
    char text[2000] = "bodies:\n";
    for (int i = 0; i < 7; i++) { // a heptagon: no two are opposite
        char one[200];
        snprintf(one, sizeof one,
                 "  b%d: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [%.17g, %.17g, "
                 "%.17g]}\n",
                 i, cos(2 * M_PI * i / 7), 0.6 * sin(2 * M_PI * i / 7),
                 0.8 * sin(2 * M_PI * i / 7));
        strcat(text, one);
    }
    verify_near("heptagon", extent(text), 2 * cos(M_PI / 14), 1e-14);
}

/* one rigid body: what holds it, its centre, or its radius of gyration */
static void one_body(void **state) {
    GOS_UNUSED(state);
    verify_near("free body", extent("bodies: {b: {type: rigid, mass: 2, inertia: [4, 8, 12]}}\n"),
                2, 1e-14);
    verify_near("turned, far away",
                extent("bodies: {b: {type: rigid, mass: 2, inertia: [4, 8, 12], position: [1e6, "
                       "0, -3e5], rotation_vector: [0.3, 1, -0.7]}}\n"),
                2, 1e-9);
    verify_near("in mm, t, s",
                extent("bodies: {b: {type: rigid, mass: 2e-3, inertia: [4e3, 8e3, 12e3]}}\n"), 2000,
                1e-11);
    static const char held[] =
        "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 2, 2], "
        "points: {o: [-1, -2, -2]}}}\n"
        "joints: {h: {type: spherical, between: [ground, b.o]}}\n";
    verify_near("held", extent(held), 3, 1e-14);
    verify_near("centre of mass off the node",
                extent("bodies: {b: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], "
                       "centre_of_mass: [0.3, 0, 0.4], rotation_vector: [1, 2, 3]}}\n"),
                0.5, 1e-14);
}

static int warnings(const char *from, const char *to) {
    char text[500];
    verify v;
    snprintf(text, sizeof text,
             ROD "bodies: {a: {type: ancf_cable, material: m, section: s, from: [%s], to: [%s],\n"
                 "  elements: 4}}\n",
             from, to);
    verify_text(&v, text, NULL);
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        n += strstr(gos_ctx_diag(v.ctx, i)->text, "away from the origin") != NULL;
    }
    verify_close(&v);
    return n;
}

/* positions so far from the origin that their rounding strains the body */
static void far(void **state) {
    GOS_UNUSED(state);
    assert_int_equal(warnings("1e16, 0, 0", "1.0000000000000004e16, 0, 0"), 1);
    assert_int_equal(warnings("0, -1e9, 0", "0, -1e9, 2"), 1);
    assert_int_equal(warnings("0, 0, 1e12", "1000, 0, 1e12"), 1); // mm
    assert_int_equal(warnings("1e7, 0, 1e7", "1e7, 2, 1e7"), 0);
    assert_int_equal(warnings("1e10, 0, 0", "1e10, 1000, 0"), 0);
    assert_int_equal(warnings("-1e9, 0, 0", "1e9, 0, 0"), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nodes), cmocka_unit_test(corners),
                                       cmocka_unit_test(one_body), cmocka_unit_test(far)};
    return cmocka_run_group_tests_name("extent", tests, NULL, NULL);
}
SUITE(suite)
