/* Modes without restoring force by name: free bodies (cable, plate, frame, large and small), bodies
   held at a point or along a line, mechanisms; principal axes; effective masses; models that went
   through files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/blas.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "support/modes.h"
#include "support/suite.h"

#define CABLE(from, to)                                                                            \
    "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"                               \
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"                                \
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: " from ", to: " to            \
    ", elements: 8}}\n"

static const char brick[] =
    "bodies: {b: {type: rigid, mass: 3, inertia: [2, 3, 4], position: [0.3, -2, 5]}}\n";

/* n + 1 modes: n without force, called so */
static void check_names(const char *text, int n, const char *const *names) {
    fixture f = linear_model(text, NULL, NULL);
    gos_mode mode[20];
    char name[80];
    int found;
    for (int damped = 0; damped < 2; damped++) {
        need(f.ctx, gos_linear_modes(f.ctx, f.linear, n + 1, damped, mode, &found));
        for (int k = 0; k < found; k++) {
            gos_mode_name(&mode[k], name, sizeof name);
            assert_string_equal(name, k < n ? names[k] : "");
            assert_int_equal(mode[k].rigid, k < n);
        }
        assert_true(found >= n);
    }
    // the first of them have the same names
    for (int some = 1; some < n; some++) {
        need(f.ctx, gos_linear_modes(f.ctx, f.linear, some, false, mode, &found));
        assert_int_equal(found, some);
        for (int k = 0; k < some; k++) {
            gos_mode_name(&mode[k], name, sizeof name);
            assert_string_equal(name, names[k]);
        }
    }
    done(&f);
}

static void test_names(void **unused) {
    GOS_UNUSED(unused);
    check_names(brick, 6,
                NAMES("translation x", "translation y", "translation z", "rotation x", "rotation y",
                      "rotation z"));
    // a straight cable has no coordinate for its own spin
    check_names(
        CABLE("[1, 2, 3]", "[1, 3, 3]"), 5,
        NAMES("translation x", "translation y", "translation z", "rotation x", "rotation z"));
    check_names("bodies: {b: {type: rigid, mass: 3, inertia: [2, 3, 4], position: [0, -1, 0]}}\n"
                "joints: {j: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [0, 0, "
                "1]}}\n",
                1, NAMES("rotation z"));
    check_names("bodies: {b: {type: rigid, mass: 3, inertia: [2, 3, 4], position: [0, -1, 0]}}\n"
                "joints: {j: {type: spherical, between: [ground, b], at: [0, 0, 0]}}\n",
                3, NAMES("rotation x", "rotation y", "rotation z"));
    check_names("bodies: {b: {type: rigid, mass: 3, inertia: [2, 3, 4], position: [0, -1, 0]}}\n"
                "joints: {j: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [3, 0, "
                "4]}}\n",
                1, NAMES("rotation (0.6, 0, 0.8)"));
    // two bodies on a hinge: the whole is free, and the hinge
    check_names("bodies:\n"
                "  a: {type: rigid, mass: 3, inertia: [2, 3, 4], position: [-1, 0, 0]}\n"
                "  b: {type: rigid, mass: 3, inertia: [2, 3, 4], position: [1, 0, 0]}\n"
                "joints: {j: {type: revolute, between: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n",
                7,
                NAMES("translation x", "translation y", "translation z", "rotation x", "rotation y",
                      "rotation z", "mechanism"));
}

/* axes of inertia that are none of the coordinates': (3, 4) / 5 in the plane */
static void test_principal_axes(void **unused) {
    GOS_UNUSED(unused);
    fixture f =
        linear_model("bodies:\n"
                     "  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 4, 0]}\n"
                     "  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [-3, -4, 0]}\n"
                     "joints: {j: {type: clamp, between: [a, b], at: [0, 0, 0]}}\n",
                     NULL, NULL);
    gos_mode mode[6];
    gos_linear_info info;
    get_modes(&f, 6, false, mode);
    const double axis[3][3] = {{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};
    bool seen[3] = {false};
    for (int k = 3; k < 6; k++) {
        assert_int_equal(mode[k].kind, GOS_MODE_ROTATION);
        for (int a = 0; a < 3; a++) {
            const double dot = gos__dense_dot(3, mode[k].axis, axis[a]);
            seen[a] = seen[a] || fabs(fabs(dot) - 1) < 1e-9;
        }
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    // two spheres and two points at distance 5
    gos_linear_info_get(f.linear, &info);
    near_rel_named("mass", info.mass, 2, 1e-12);
    near_rel_named("I_x", info.inertia[0], 2 + 2 * 16, 1e-12);
    near_rel_named("I_y", info.inertia[1], 2 + 2 * 9, 1e-12);
    near_rel_named("I_z", info.inertia[2], 2 + 2 * 25, 1e-12);
    done(&f);
}

/* of a free body rigid modes alone have all mass and inertia, each of its own; of a held one all
 * modes */
static void test_effective(void **unused) {
    GOS_UNUSED(unused);
    const double part[6] = {3, 3, 3, 2, 3, 4};
    fixture f = linear_model(brick, NULL, NULL);
    gos_mode mode[60];
    gos_linear_info info;
    int found;
    get_modes(&f, 6, false, mode);
    for (int k = 0; k < 6; k++) {
        for (int c = 0; c < 6; c++) {
            const double is = c < 3 ? mode[k].mass[c] : mode[k].inertia[c - 3];
            near_abs_named("effective", is, k == c ? part[c] : 0, 1e-10);
        }
    }
    done(&f);
    f = linear_model(
        CABLE("[0, 0, 0]",
              "[1, 0, 0]") "joints: {c: {type: spherical, between: [ground, rod.start]}}\n",
        NULL, NULL);
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, 60, false, mode, &found));
    gos_linear_info_get(f.linear, &info);
    double sum[6] = {0};
    for (int k = 0; k < found; k++) {
        for (int c = 0; c < 3; c++) {
            sum[c] += mode[k].mass[c];
            sum[3 + c] += mode[k].inertia[c];
        }
    }
    // rho A L^3 / 12, but the held node's part, which cannot move, is missing
    near_rel_named("inertia", info.inertia[1], info.mass / 12, 1e-9);
    assert_true(sum[1] < info.mass && sum[1] > 0.85 * info.mass);
    assert_true(sum[4] < info.inertia[1] && sum[4] > 0.6 * info.inertia[1]);
    assert_true(sum[3] < 1e-12);
    done(&f);
}

/* exactly six modes without force, counted, of a plate and of a frame of cables on MUMPS */
static void check_large(const char *text, int least) {
    fixture f = linear_model(text, NULL, NULL);
    gos_mode mode[8];
    gos_mode_proof proof;
    gos_linear_info info;
    int found;
    gos_linear_info_get(f.linear, &info);
    assert_true(info.coordinates >= least);
    need(f.ctx, gos_linear_modes_verified(f.ctx, f.linear, 8, mode, &found, &proof));
    assert_true(found == 8 && proof.found >= 8 && proof.found == proof.counted);
    for (int k = 0; k < 8; k++) {
        assert_int_equal(mode[k].rigid, k < 6);
        if (k < 6) {
            assert_int_equal(mode[k].kind, k < 3 ? GOS_MODE_TRANSLATION : GOS_MODE_ROTATION);
            near_rel_named("axis", mode[k].axis[k % 3], 1, 1e-5);
            near_rel_named("effective", k < 3 ? mode[k].mass[k] : mode[k].inertia[k - 3],
                           k < 3 ? info.mass : info.inertia[k - 3], 1e-5);
        }
    }
    done(&f);
}

static void test_large(void **unused) {
    GOS_UNUSED(unused);
    check_large(
        "materials: {m: {density: 2700, young: 7.0e10}}\n"
        "bodies: {p: {type: ancf_plate, material: m, thickness: 0.01, corner: [1, 2, 3], x: "
        "[1, 0, 0], y: [0, 2, 0], elements: [14, 28], quadrature: reduced}}\n",
        GOS_SYMMETRIC_LARGE);
    char text[8000], *at = text;
    at += sprintf(at, "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
                      "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\nbodies:\n");
    // the edges of a box, on hubs
    static const double side[3] = {1, 2, 3};
    for (int pass = 0; pass < 2; pass++) {
        at += pass ? sprintf(at, "joints:\n") : 0;
        for (int i = 0; i < 8; i++) {
            const double p[3] = {side[0] * (i & 1), side[1] * (i >> 1 & 1), side[2] * (i >> 2)};
            if (pass == 0) {
                at += sprintf(at,
                              "  h%d: {type: rigid, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], "
                              "position: [%g, %g, %g]}\n",
                              i, p[0], p[1], p[2]);
            }
            for (int d = 0; d < 3; d++) {
                const int to = i | 1 << d;
                if (to == i) {
                    continue;
                }
                const double *s = side;
                at += pass == 0
                          ? sprintf(at,
                                    "  b%d_%d: {type: ancf_cable, material: m, section: s, from: "
                                    "[%g, %g, %g], to: [%g, %g, %g], elements: 50}\n",
                                    d, i, p[0], p[1], p[2], s[0] * (to & 1), s[1] * (to >> 1 & 1),
                                    s[2] * (to >> 2))
                          : sprintf(at,
                                    "  s%d_%d: {type: clamp, between: [h%d, b%d_%d.start]}\n"
                                    "  e%d_%d: {type: clamp, between: [b%d_%d.end, h%d]}\n",
                                    d, i, i, d, i, d, i, d, i, to);
            }
        }
    }
    check_large(text, GOS_SYMMETRIC_LARGE);
}

/* a reduced system that is held away from the origin turns about the pin, too */
static void test_reduced(void **unused) {
    GOS_UNUSED(unused);
    fixture f = read_model(
        CABLE("[1, 2, 3]", "[2, 2, 3]") "joints: {j: {type: spherical, between: [ground, "
                                        "rod.start]}}\n"
                                        "reduction: {method: rotation_closed, fields: polynomials, "
                                        "number: 6}\n",
        NULL, NULL);
    gos_system *reduced;
    gos_state *state;
    gos_linear *linear;
    gos_mode mode[3];
    int found;
    need(f.ctx, gos_reduce(f.ctx, f.sys, &reduced));
    need(f.ctx, gos_state_create(f.ctx, reduced, &state));
    need(f.ctx, gos_linearise(f.ctx, reduced, state, &linear));
    need(f.ctx, gos_linear_modes(f.ctx, linear, 3, false, mode, &found));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(mode[k].kind, k < 2 ? GOS_MODE_ROTATION : GOS_MODE_ELASTIC);
        near_abs_named("axis", k < 2 ? mode[k].axis[1 + k] : 1, 1, 1e-9);
    }
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    gos_system_destroy(reduced);
    done(&f);
}

/* the fields have the signs of vectors: about z, what lies ahead in y goes to -x */
static void test_signs(void **unused) {
    GOS_UNUSED(unused);
    fixture f = linear_model(CABLE("[1, 2, 3]", "[1, 3, 3]"), NULL, NULL);
    gos_linear_info info;
    int seen = 0;
    gos_linear_info_get(f.linear, &info);
    const double *const turn = gos_linear_rigid(f.linear) + 5 * info.coordinates;
    for (int i = 0; i < info.coordinates; i++) {
        char name[80];
        gos_linear_coordinate(f.linear, i, name, sizeof name);
        const bool end = strcmp(name, "rod.node(8).position.x") == 0;
        const bool slope = strcmp(name, "rod.node(8).slope.x") == 0;
        if (end || slope) {
            near_rel_named(name, turn[i], end ? -0.5 : -1, 1e-12);
            seen++;
        }
    }
    assert_int_equal(seen, 2);
    done(&f);
}

/* what a copy by blocks keeps */
static void test_kept(void **unused) {
    GOS_UNUSED(unused);
    fixture f = linear_model(CABLE("[1, 2, 3]", "[1, 3, 3]"), NULL, NULL);
    gos_linear_info info, again;
    gos_linear *copy;
    gos_linear_blocks blocks = {0};
    gos_matrix_view view[GOS_NBLOCKS];
    gos_linear_info_get(f.linear, &info);
    blocks.coordinates = info.coordinates;
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        gos_linear_block(f.linear, (gos_block)b, &view[b]);
        blocks.block[b] = b == GOS_BLOCK_M || b == GOS_BLOCK_K ? &view[b] : NULL;
    }
    int start[7], row[6 * 54];
    for (int i = 0; i < 6 * info.coordinates; i++) {
        row[i] = i % info.coordinates;
        start[i / info.coordinates] = i - i % info.coordinates;
    }
    start[6] = 6 * info.coordinates;
    gos_matrix_view rigid = {info.coordinates, 6, start[6], start, row, gos_linear_rigid(f.linear)};
    blocks.rigid = &rigid;
    need(f.ctx, gos_linear_from_blocks(f.ctx, &blocks, &copy));
    gos_linear_info_get(copy, &again);
    near_rel_named("mass", again.mass, info.mass, 1e-15);
    near_rel_named("inertia", again.inertia[2], info.inertia[2], 1e-15);
    gos_linear_destroy(copy);
    rigid.columns = 5;
    rigid.entries = start[5];
    assert_int_equal(gos_linear_from_blocks(f.ctx, &blocks, &copy), GOS_E_INPUT);
    done(&f);
}

/* A hub with two panels of shells in floating frames: the largest eigenvalue is 1e13 times that of
   the first vibration, and K does not show how exact the zeros are. */
#define CRAFT(more)                                                                                \
    "materials: {s: {density: 150, young: 3.8e9, poisson: 0.3}}\n"                                 \
    "meshes:\n"                                                                                    \
    "  r: {type: rectangle, size: [1.2, 6], corner: [-0.6, 0, 0], cells: [4, 10]}\n"               \
    "  l: {type: rectangle, size: [1.2, 4.5], corner: [-0.6, -4.5, 0], cells: [4, 10]}\n"          \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 200, inertia: [40, 30, 40]}\n"                                     \
    "  r: {type: floating, mesh: r, material: s, element: shell, thickness: 0.02,\n"               \
    "      position: [0, 0.5, 0], reference: clamped, at: bottom, temperature: off, zeta: 0.01}\n" \
    "  l: {type: floating, mesh: l, material: s, element: shell, thickness: 0.02,\n"               \
    "      position: [0, -0.5, 0], reference: clamped, at: top, temperature: off, zeta: 0.01}\n"   \
    "joints:\n"                                                                                    \
    "  r: {type: clamp, between: [hub, r.frame]}\n"                                                \
    "  l: {type: clamp, between: [hub, l.frame]}\n" more

static void test_floating(void **unused) {
    GOS_UNUSED(unused);
    check_names(CRAFT(""), 6,
                NAMES("translation x", "translation y", "translation z", "rotation x", "rotation y",
                      "rotation z"));
    // a spring is none of that: omega^2 = k / m
    fixture f = linear_model(
        CRAFT("loads: {s: {type: spring, between: [ground, hub], at: [1, 0, 0], stiffness: 1000,\n"
              "            free_length: 1}}\n"),
        NULL, NULL);
    gos_mode mode[8];
    gos_linear_info info;
    get_modes(&f, 8, false, mode);
    gos_linear_info_get(f.linear, &info);
    int rigid = 0;
    for (int k = 0; k < 8; k++) {
        rigid += mode[k].rigid;
    }
    assert_int_equal(rigid, 5);
    near_rel_named("omega^2 of the weak spring", mode[5].omega * mode[5].omega, 1000 / info.mass,
                   0.2);
    done(&f);
}

static int suite(void) {
    gos_blas_select(suite_command);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),     cmocka_unit_test(test_principal_axes),
        cmocka_unit_test(test_effective), cmocka_unit_test(test_large),
        cmocka_unit_test(test_reduced),   cmocka_unit_test(test_signs),
        cmocka_unit_test(test_kept),      cmocka_unit_test(test_floating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
