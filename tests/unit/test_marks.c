/* Where joints and loads act, of a model whose locations are plain to see, and nodes without
 * temperature; stored, drawn, and refused when damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hdf5.h>

#include "gossamer/io.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"
#include "system/marks.h"

static const char model[] =
    "materials: {m: {density: 1000, young: 1.0e7}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [2, 0, 0], elements: "
    "2}\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0], points: {a: [-1, 0, "
    "0]}}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "  weld: {type: clamp, between: [hub.a, rod.end], rigid: true}\n"
    "loads:\n"
    "  push: {type: force, on: rod.at(0.5), value: [1, -3*(t < 5), 0]}\n"
    "  follow: {type: force, on: hub, value: ['2 - tip.x', 0, 0]}\n"
    "  turn: {type: moment, on: hub, moment: [0, 0, 7]}\n"
    "  coil: {type: spring, between: [rod.node(1), hub], stiffness: 10, free_length: 1}\n"
    "gravity: [0, -1, 0]\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 1.0e-2, step: 5.0e-3}\n";

/* name, ground, locations, force; axial stretch of the spring is 2 - 1 */
static const gos_mark want[] = {
    {"joint 'pin'", true, true, {-1, -1}, 1, {{0, 0, 0}}, {0, 0, 0}},
    {"joint 'weld'", true, false, {3, -1}, 1, {{2, 0, 0}}, {0, 0, 0}},
    {"load 'push'", false, false, {-1, -1}, 1, {{0.5, 0, 0}}, {1, -3, 0}},
    {"load 'follow'", false, false, {-1, -1}, 1, {{3, 0, 0}}, {0, 0, 0}},
    {"load 'turn'", false, false, {-1, -1}, 1, {{3, 0, 0}}, {0, 0, 0}},
    {"load 'coil'", false, false, {-1, -1}, 2, {{1, 0, 0}, {3, 0, 0}}, {10, 0, 0}},
};

static void test_found(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_mark *have;
    int n;
    verify_text(&v, model, NULL);
    gos_arena *arena = gos__arena_create(v.ctx);
    verify_good(&v, gos__marks_find(v.ctx, v.sys, arena, &have, &n));
    assert_int_equal(n, GOS_COUNT(want));
    for (int i = 0; i < n; i++) {
        print_message("    %s\n", have[i].name);
        assert_string_equal(have[i].name, want[i].name);
        assert_int_equal(have[i].joint, want[i].joint);
        assert_int_equal(have[i].ground, want[i].ground);
        assert_int_equal(have[i].nlocation, want[i].nlocation);
        assert_int_equal(have[i].node[0], want[i].node[0]);
        assert_int_equal(have[i].node[1], want[i].node[1]);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < have[i].nlocation; k++) {
                assert_true(fabs(have[i].location[k][c] - want[i].location[k][c]) < 1e-14);
            }
            assert_true(fabs(have[i].force[c] - want[i].force[c]) < 1e-13);
        }
    }
    gos__arena_destroy(arena);
    verify_close(&v);
}

/* ---- in results ------------------------------------------------------------------------------ */

static const char *path;

static void run_it(verify *v) {
    path = folder_path("run.h5");
    verify_text(v, model, NULL);
    verify_good(v, gos_run(v->ctx, v->sys, &v->opt, path, NULL));
}

static int count_of(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text++) {
        n++;
    }
    return n;
}

static void test_drawn(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_results *r = NULL;
    char *text = NULL;
    size_t size = 0;
    run_it(&v);
    verify_good(&v, gos_results_open(v.ctx, path, &r));
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    assert_int_equal(gos_picture(v.ctx, r, NULL, f), GOS_OK);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(count_of(text, "class=\"joint\""), 2 + 1); // and the legend's
    assert_int_equal(count_of(text, "class=\"load\""), 4 + 1);
    assert_int_equal(count_of(text, "<title>joint 'pin'</title>"), 1);
    assert_int_equal(count_of(text, "<title>load 'follow'</title>"), 1);
    assert_int_equal(count_of(text, "l-8 12h16Z"), 1);         // one support
    assert_int_equal(count_of(text, "stroke=\"#9ca3af\""), 0); // the hub has a line of its own
    assert_int_equal(count_of(text, "stroke-dasharray=\"4 3\""), 1);
    free(text);
    gos_results_close(r);
    verify_close(&v);
}

/* numbers that make no sense are refused, and files of before are read */
static void test_damaged(void **state) {
    GOS_UNUSED(state);
    static const struct {
        int column;
        double x;
    } bad[] = {{2, 0}, {2, 3}, {2, -1}, {4, (double)NAN}, {9, HUGE_VAL}, {12, -2}, {13, 5}};
    verify v;
    gos_results *r = NULL;
    run_it(&v);
    for (int i = 0; i < GOS_COUNT(bad) + 1; i++) {
        double row[GOS_COUNT(want)][14];
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, "/model/marks", H5P_DEFAULT);
        assert_true(set >= 0);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row) >= 0);
        if (i < GOS_COUNT(bad)) {
            const double before = row[1][bad[i].column];
            row[1][bad[i].column] = bad[i].x;
            assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row) >= 0);
            row[1][bad[i].column] = before;
        } else {
            assert_true(H5Ldelete(file, "/model/marks", H5P_DEFAULT) >= 0);
        }
        assert_true(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        assert_true(H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
        const gos_status status = gos_results_open(v.ctx, path, &r);
        if (i == GOS_COUNT(bad)) {
            verify_good(&v, status);
            gos_results_close(r);
            break;
        }
        assert_int_equal(status, GOS_E_FILE);
        assert_non_null(strstr(gos_ctx_message(v.ctx), "joints and loads"));
        const hid_t again = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t whole = H5Dopen2(again, "/model/marks", H5P_DEFAULT);
        assert_true(H5Dwrite(whole, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row) >= 0);
        assert_true(H5Dclose(whole) >= 0 && H5Fclose(again) >= 0);
    }
    verify_close(&v);
}

/* rod with temperature (nodes 0 to 2), hub without (3): listed, and refused when damaged */
static void test_athermal(void **state) {
    GOS_UNUSED(state);
    static const char hot[] =
        "materials: {m: {density: 1000, young: 1.0e7, conductivity: 1, specific_heat: 100}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies:\n"
        "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [2, 0, 0], "
        "elements: 2}\n"
        "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}\n"
        "heat: {sun: {type: flux, value: 1000, direction: [0, 0, -1], on: rod}}\n"
        "analysis: {end: 1.0e-2, step: 5.0e-3}\n";
    verify v;
    gos_results *r = NULL;
    path = folder_path("hot.h5");
    verify_text(&v, hot, NULL);
    verify_good(&v, gos_run(v.ctx, v.sys, &v.opt, path, NULL));
    int node[2] = {-1, -1};
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/model/nodes_without_temperature", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), 1);
    assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, node) >= 0);
    assert_int_equal(node[0], 3);
    node[0] = 4;
    assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, node) >= 0);
    assert_true(H5Sclose(space) >= 0 && H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
    assert_int_equal(gos_results_open(v.ctx, path, &r), GOS_E_FILE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "nodes without temperature"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found), cmocka_unit_test(test_drawn),
                                       cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_athermal)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE_INTERNAL(suite)
