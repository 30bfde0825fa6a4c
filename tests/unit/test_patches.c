/* Patches of electrodes on the cells that are drawn: of two bodies, one of which has cells that
 * carry none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"
#include "system/drawn_patches.h"

static const char model[] = "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3}}\n"
                            "meshes:\n"
                            "  strip: {type: rectangle, size: [3, 1], cells: [3, 1], sets: {outer: "
                            "{box: {from: [1.9, -1, -1], "
                            "to: [9, 9, 1]}}}}\n"
                            "bodies:\n"
                            "  first: {type: floating, mesh: strip, material: m, element: shell, "
                            "thickness: 0.01, reference: "
                            "clamped, at: outer}\n"
                            "  second: {type: floating, mesh: strip, material: m, element: shell, "
                            "thickness: 0.01, reference: "
                            "clamped, at: outer}\n"
                            "joints:\n"
                            "  one: {type: clamp, between: [ground, first.frame]}\n"
                            "  two: {type: clamp, between: [ground, second.frame]}\n"
                            "piezo:\n"
                            "  pairs: {type: patch, on: first, thickness: 1.0e-4, e31: -6, "
                            "permittivity: 1.0e-8, channels: bimorph}\n"
                            "  tips: {type: patch, on: second.cell(3), thickness: 1.0e-4, e31: -6, "
                            "permittivity: 1.0e-8, faces: "
                            "[lower, upper]}\n"
                            "analysis: {end: 1.0e-3, step: 1.0e-3}\n";

static const gos_drawn_patch want[] = {
    {"pairs(1)", 0, 1}, {"pairs(1)", 0, -1}, {"pairs(2)", 1, 1}, {"pairs(2)", 1, -1},
    {"pairs(3)", 2, 1}, {"pairs(3)", 2, -1}, {"tips(1)", 5, -1}, {"tips(2)", 5, 1}};

static void test_found(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_drawn_patch *have;
    gos_mesh_info mesh;
    int n;
    verify_text(&v, model, NULL);
    gos_system_mesh(v.sys, &mesh);
    gos_arena *arena = gos__arena_create(v.ctx);
    verify_good(&v, gos__drawn_patches(v.sys, arena, &have, &n));
    assert_int_equal(n, GOS_COUNT(want));
    for (int i = 0; i < n; i++) {
        print_message("    %s: cell %d, side %d\n", have[i].electrode, have[i].cell, have[i].side);
        assert_string_equal(have[i].electrode, want[i].electrode);
        assert_int_equal(have[i].cell, want[i].cell);
        assert_int_equal(have[i].side, want[i].side);
        assert_string_equal(mesh.body_names[mesh.cell_body[have[i].cell]],
                            strncmp(have[i].electrode, "pairs", 5) == 0 ? "first" : "second");
    }
    gos__arena_destroy(arena);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
