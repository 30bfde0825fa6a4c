/* Generators of meshes: numbers of nodes and cells, area and volume, orientation, named ends, sets
 * by place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/folder.h"
#include "support/meshes.h"
#include "support/near.h"
#include "support/suite.h"

/* ---- annulus --------------------------------------------------------------------------------- */

#define DISC "type: annulus, inner: 0.075, outer: 0.15, cells: [4, 36]"

/* the disc of the thermal benchmark: 36 x 4 quadrilaterals, 180 nodes */
static void test_disc(void **state) {
    GOS_UNUSED(state);
    double smallest;
    gos_mesh *m = mesh_make("{" DISC "}");
    assert_int_equal(m->nnode, 180);
    assert_int_equal(m->ncell, 144);
    assert_int_equal(m->block[0].shape, GOS_CELL_QUAD4);
    // between polygons of 36 corners
    near_rel(mesh_measure(m, &smallest), 18 * sin(M_PI / 18) * (0.15 * 0.15 - 0.075 * 0.075),
             1e-12);
    // the innermost cells: between chords of radii 0.075 and 0.09375
    near_rel(smallest, 0.5 * sin(M_PI / 18) * (0.09375 * 0.09375 - 0.075 * 0.075), 1e-12);
    const gos_mesh_set *outer = gos__mesh_node_set(m, "outer");
    assert_int_equal(outer->n, 36);
    for (int i = 0; i < outer->n; i++) {
        near_rel(hypot(m->x[outer->item[i]][0], m->x[outer->item[i]][1]), 0.15, 1e-12);
    }
    assert_int_equal(gos__mesh_node_set(m, "inner")->n, 36);
    near_rel(mesh_size(m, "outer"), 72 * 0.15 * sin(M_PI / 36), 1e-12);
    near_rel(mesh_size(m, "inner"), 72 * 0.075 * sin(M_PI / 36), 1e-12);
    assert_int_equal(gos__mesh_surface(m, "skin")->n, 72);
    assert_null(gos__mesh_node_set(m, "start"));
    mesh_check_skin(m);
    gos__mesh_destroy(m);
}

/* a quarter, with triangles of second order: V - E + F = 1 of its corners and edges */
static void test_sector_of_annulus(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m = mesh_make("{type: annulus, inner: 1, outer: 2, start: deg(90), angle: deg(90), "
                            "cells: [3, 5], order: quadratic, shape: triangles}");
    assert_int_equal(m->ncell, 30);
    assert_int_equal(m->nnode, 7 * 11);
    assert_int_equal(m->block[0].shape, GOS_CELL_TRI6);
    assert_int_equal(gos__mesh_node_set(m, "inner")->n, 11);
    assert_int_equal(gos__mesh_node_set(m, "start")->n, 7);
    near_rel(mesh_size(m, "start"), 1, 1e-12);
    near_rel(mesh_size(m, "end"), 1, 1e-12);
    near_rel(mesh_size(m, "outer"), 5 * 2 * 2 * sin(M_PI / 20), 1e-12);
    const gos_mesh_set *end = gos__mesh_node_set(m, "end");
    for (int i = 0; i < end->n; i++) { // at 180 degrees
        assert_true(fabs(m->x[end->item[i]][1]) < 1e-15 && m->x[end->item[i]][0] < -0.99);
    }
    const gos_mesh_set *outer = gos__mesh_node_set(m, "outer");
    for (int i = 0; i < outer->n; i++) { // middles of edges, too
        near_rel(hypot(m->x[outer->item[i]][0], m->x[outer->item[i]][1]), 2, 1e-12);
    }
    mesh_check_skin(m);
    gos__mesh_destroy(m);
    m = mesh_make("{type: annulus, inner: 1, outer: 2, cells: [3, 5], order: 2}");
    assert_int_equal(m->block[0].shape, GOS_CELL_QUAD8);
    assert_int_equal(m->nnode, 4 * 5 + 3 * 5 + 4 * 5);
    mesh_check_skin(m);
    gos__mesh_destroy(m);
}

static void test_annulus_refused(void **state) {
    GOS_UNUSED(state);
    mesh_refuse("{type: annulus, inner: 2, outer: 1, cells: [1, 4]}",
                "a.yaml:2:32: mesh 'm': outer must be above inner (2 m), got 1 m");
    mesh_refuse("{type: annulus, inner: 1, outer: 2, cells: [1, 2]}",
                "a.yaml:2:42: mesh 'm': a full circle must have at least 3 cells around, got 2");
    mesh_refuse("{type: annulus, inner: 1, outer: 2, cells: [1, 2.5]}",
                "a.yaml:2:42: mesh 'm': cells must be whole numbers, got 2.5");
    mesh_refuse("{type: annulus, inner: 1, outer: 2, cells: [1e7, 1e7]}",
                "a.yaml:2:42: mesh 'm': 100000010000000 nodes are too many; a mesh has at most "
                "20000000");
    mesh_refuse(
        "{type: annulus, inner: 1, outer: 2}",
        "a.yaml:2:3: mesh 'm': cells is missing; give numbers of cells, [radially, around]");
}

/* ---- along the axes -------------------------------------------------------------------------- */

static void test_rectangle(void **state) {
    GOS_UNUSED(state);
    double least;
    gos_mesh *m = mesh_make("{type: rectangle, corner: [1, 2, 3], size: [2, 1], cells: [4, 2], "
                            "order: quadratic, bias: [8, 1]}");
    assert_int_equal(m->nnode, 5 * 3 + 4 * 3 + 5 * 2);
    near_rel(mesh_integral(m, &least), 2, 1e-12);
    near_rel(least, 1, 1e-12); // nodes in the middle of edges: no cell is distorted
    mesh_check_skin(m);
    near_rel(mesh_size(m, "left") + mesh_size(m, "right"), 2, 1e-12);
    near_rel(mesh_size(m, "bottom") + mesh_size(m, "top"), 4, 1e-12);
    // 1 + 2 + 4 + 8 parts
    const gos_mesh_set *bottom = gos__mesh_node_set(m, "bottom");
    const double at[9] = {0, 0.5, 1, 2, 3, 5, 7, 11, 15};
    assert_int_equal(bottom->n, 9);
    for (int i = 0; i < 9; i++) {
        const double *x = m->x[bottom->item[i]];
        near_rel(x[0], 1 + 2 * at[i] / 15, 1e-12);
        assert_true(x[1] == 2 && x[2] == 3);
    }
    const double *far = m->x[gos__mesh_node_set(m, "corner_3")->item[0]];
    assert_true(far[0] == 3 && far[1] == 3);
    far = m->x[gos__mesh_node_set(m, "corner_4")->item[0]];
    assert_true(far[0] == 1 && far[1] == 3);
    gos__mesh_destroy(m);
}

#define BOX "type: box, corner: [1, 2, 3], size: [2, 3, 4], cells: [2, 3, 2]"

/* the same box of every shape; nodes by counting corners, edges, and diagonals of tetrahedra */
static void test_boxes(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *entry;
        gos_cell_shape shape;
        int cells, nodes, skin;
    } boxes[] = {
        {"{" BOX "}", GOS_CELL_HEX8, 12, 36, 32},
        {"{" BOX ", order: 2}", GOS_CELL_HEX20, 12, 36 + 2 * 12 + 3 * 9 + 2 * 12, 32},
        {"{" BOX ", shape: tetrahedra}", GOS_CELL_TET4, 72, 36, 64},
        {"{" BOX ", shape: tetrahedra, order: 2}", GOS_CELL_TET10, 72, 5 * 7 * 5, 64},
    };
    for (int i = 0; i < GOS_COUNT(boxes); i++) {
        double least;
        gos_mesh *m = mesh_make(boxes[i].entry);
        assert_int_equal(m->block[0].shape, boxes[i].shape);
        assert_int_equal(m->ncell, boxes[i].cells);
        assert_int_equal(m->nnode, boxes[i].nodes);
        assert_int_equal(gos__mesh_surface(m, "skin")->n, boxes[i].skin);
        near_rel(mesh_integral(m, &least), 24, 1e-12);
        near_rel(least, 1, 1e-12);
        mesh_check_skin(m);
        near_rel(mesh_size(m, "left"), 12, 1e-12);
        near_rel(mesh_size(m, "back"), 8, 1e-12);
        near_rel(mesh_size(m, "top"), 6, 1e-12);
        const double *x = m->x[gos__mesh_node_set(m, "corner_7")->item[0]];
        assert_true(x[0] == 3 && x[1] == 5 && x[2] == 7);
        x = m->x[gos__mesh_node_set(m, "corner_4")->item[0]];
        assert_true(x[0] == 1 && x[1] == 5 && x[2] == 3);
        gos__mesh_destroy(m);
    }
}

/* ---- tubes, patches -------------------------------------------------------------------------- */

static void test_tubes(void **state) {
    GOS_UNUSED(state);
    double least;
    for (int n = 12; n <= 24; n *= 2) { // parabolas through three points of the circles
        char entry[200];
        (void)snprintf(entry, sizeof entry,
                       "{type: tube, inner: 1, outer: 2, length: 3, cells: [2, %d, 2], order: 2}",
                       n);
        gos_mesh *m = mesh_make(entry);
        const double half = M_PI / n;
        const double piece = 0.5 * sin(2 * half) + 4.0 / 3 * sin(half) * (1 - cos(half));
        near_rel(mesh_integral(m, &least), 9 * n * piece, 1e-12);
        mesh_check_skin(m);
        near_rel(mesh_size(m, "top"), mesh_size(m, "bottom"), 1e-12);
        gos__mesh_destroy(m);
    }
    gos_mesh *m = mesh_make("{type: tube, inner: 1, outer: 2, length: 3, cells: [1, 6, 2], "
                            "shape: tetrahedra, angle: deg(90)}");
    near_rel(mesh_integral(m, &least), 3 * 6 * 0.5 * sin(M_PI / 12) * 3, 1e-12);
    near_rel(mesh_size(m, "start"), 3, 1e-12);
    mesh_check_skin(m);
    gos__mesh_destroy(m);
    m = mesh_make("{type: tube_shell, radius: 2, length: 3, cells: [8, 5]}");
    assert_int_equal(m->nnode, 8 * 6);
    assert_int_equal(gos__mesh_node_set(m, "bottom")->n, 8);
    for (int c = 0; c < m->ncell; c++) { // normals point outwards
        const int *node = m->block[0].node + 4 * c;
        double n[3] = {0};
        mesh_triangle(m->x[node[0]], m->x[node[1]], m->x[node[2]], n);
        assert_true(n[0] * m->x[node[0]][0] + n[1] * m->x[node[0]][1] > 0 && fabs(n[2]) < 1e-15);
    }
    gos__mesh_destroy(m);
}

/* the quarter of an elliptic membrane (NAFEMS LE1), whose edges are followed exactly by the
   nodes */
static void test_patch(void **state) {
    GOS_UNUSED(state);
    double least, area[2];
    for (int i = 0; i < 2; i++) {
        char entry[300];
        (void)snprintf(entry, sizeof entry,
                       "{type: patch, corners: [[2, 0, 0], [3.25, 0, 0], [0, 2.75, 0], [0, 1, 0]], "
                       "centres: {right: [0, 0, 0], left: [0, 0, 0]}, cells: [4, %d], order: 2}",
                       6 << i);
        gos_mesh *m = mesh_make(entry);
        area[i] = mesh_integral(m, &least) - M_PI / 4 * (3.25 * 2.75 - 2 * 1);
        assert_true(least > 0.5);
        const gos_mesh_set *right = gos__mesh_node_set(m, "right");
        for (int k = 0; k < right->n; k++) {
            const double *x = m->x[right->item[k]];
            near_rel(hypot(x[0] / 3.25, x[1] / 2.75), 1, 1e-12);
        }
        near_rel(mesh_size(m, "bottom"), 1.25, 1e-12);
        near_rel(mesh_size(m, "top"), 1.75, 1e-12);
        gos__mesh_destroy(m);
    }
    assert_true(fabs(area[0]) < 1e-3 && fabs(area[0] / area[1] - 16) < 1);
    mesh_refuse("{type: patch, corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], cells: [1, 1]}",
                "a.yaml:2:29: mesh 'm': corners must be four points, [[0, 0, 0], [1, 0, 0], [1, 1, "
                "0], [0, 1, 0]]");
    mesh_refuse("{type: patch, corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "
                "centres: {top: [0.5, 1, 0]}, cells: [1, 1]}",
                "a.yaml:2:90: mesh 'm': the ends of the edge top and its centre are collinear; an "
                "arc must be less than 180 degrees, so its centre cannot lie on its chord");
}

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* every type by its own example; they read these files */
static void test_examples(void **state) {
    assert_int_equal(folder_make(state), 0);
    write_file("bracket.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                              "$Nodes\n3\n1 0 0 0\n2 50 0 0\n3 0 50 0\n$EndNodes\n"
                              "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n");
    write_file("bracket.inp", "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*ELEMENT, TYPE=S3\n1, 1, 2, 3\n");
    write_file("panel.bdf", "GRID,1,,0.,0.,0.\nGRID,2,,50.,0.,0.\nGRID,3,,0.,50.,0.\n"
                            "MAT1,1,7.+4,,0.3\nPSHELL,1,1,1.,1,,1\nCTRIA3,1,1,1,2,3\nENDDATA\n");
    const gos_type *const types[] = {
#define X(name) &gos__mesh_##name,
        GOS_MESH_TYPES(X)
#undef X
    };
    for (int i = 0; i < GOS_COUNT(types); i++) {
        for (const gos_param *p = types[i]->params; p->name; p++) {
            assert_true(p->doc && p->doc[0] && p->unit && p->offset < types[i]->size);
        }
        gos_mesh *m = NULL;
        assert_int_equal(mesh_try(strchr(types[i]->example, '{'), folder, &m), GOS_OK);
        assert_int_equal(gos_ctx_ndiag(mesh_ctx), 0);
        assert_true(m->ncell > 0);
        if (strcmp(types[i]->name, "gmsh") == 0) { // in millimetres
            assert_true(m->x[1][0] == 50 * 1e-3);
        }
        gos__mesh_destroy(m);
    }
    assert_int_equal(folder_remove(state), 0);
}

/* ---- sets by place --------------------------------------------------------------------------- */

/* loads of the benchmark: a sector of 60 degrees, of its face and of its rim */
static void test_sectors(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m = mesh_make(
        "{" DISC ", sets: {hot: {of: cells, sector: {at: 0, angle: deg(60)}},"
        "cold: {of: cells, sector: {at: deg(180), angle: deg(60)}},"
        "rim: {of: sides, in: outer, sector: {at: 0, angle: deg(60)}},"
        "u90: {near: [0.001, 0.15, 0]}, nodes: {in: outer, sector: {at: 0, angle: deg(60)}}}}");
    assert_int_equal(gos_ctx_ndiag(mesh_ctx), 0);
    double area[2] = {0};
    const char *names[2] = {"hot", "cold"};
    for (int i = 0; i < 2; i++) {
        const gos_mesh_set *s = gos__mesh_cell_set(m, names[i]);
        assert_int_equal(s->n, 6 * 4);
        for (int k = 0; k < s->n; k++) {
            area[i] += mesh_cell(m, s->item[k]);
        }
        near_rel(area[i], 3 * sin(M_PI / 18) * (0.15 * 0.15 - 0.075 * 0.075), 1e-12);
    }
    near_rel(mesh_size(m, "rim"), 6 * 2 * 0.15 * sin(M_PI / 36), 1e-12);
    assert_int_equal(gos__mesh_node_set(m, "nodes")->n, 7); // ends included
    const gos_mesh_set *top = gos__mesh_node_set(m, "u90");
    assert_int_equal(top->n, 1);
    assert_true(fabs(m->x[top->item[0]][0]) < 1e-15 && m->x[top->item[0]][1] == 0.15);
    gos__mesh_destroy(m);
}

/* a border through cells is reported */
static void test_cut(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m = mesh_make("{type: annulus, inner: 1, outer: 2, cells: [2, 10], "
                            "sets: {hot: {of: cells, sector: {at: 0, angle: deg(60)}}}}");
    assert_int_equal(gos_ctx_ndiag(mesh_ctx), 1);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 0)->text,
                        "4 cells cross the border of the sector of 'hot'; those with their centre "
                        "in the sector are included, so the set is larger or smaller than the "
                        "sector; align cells with the border");
    assert_int_equal(gos__mesh_cell_set(m, "hot")->n, 4);
    gos__mesh_destroy(m);
}

static void test_places(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m =
        mesh_make("{type: annulus, inner: 1, outer: 2, angle: deg(90), cells: [2, 6], sets: {"
                  "axis: {of: sides, plane: {normal: [0, 1, 0]}}, mid: {cylinder: {radius: 1.5}},"
                  "outer_again: {of: sides, cylinder: {radius: 2}}, corner: {in: outer, plane: "
                  "{normal: [0, 5, 0]}},"
                  "low: {of: cells, box: {from: [0, 0, 0], to: [2, 0.8, 0]}},"
                  "one: {of: cells, in: low, near: [2, 0, 0]}, loose: {box: {from: [1.9, 0.1, 0], "
                  "to: [3, 3, 0]}, "
                  "tolerance: 0.11}}}");
    near_rel(mesh_size(m, "axis"), 1, 1e-12);
    assert_int_equal(gos__mesh_node_set(m, "mid")->n, 7);
    near_rel(mesh_size(m, "outer_again"), mesh_size(m, "outer"), 1e-12);
    const gos_mesh_set *corner = gos__mesh_node_set(m, "corner");
    assert_int_equal(corner->n, 1);
    assert_true(m->x[corner->item[0]][0] == 2);
    // up to y = 0.8: at 15 degrees 2 sin = 0.52, at 30 degrees 1.5 sin = 0.75
    assert_int_equal(gos__mesh_cell_set(m, "low")->n, 3);
    assert_int_equal(gos__mesh_cell_set(m, "one")->n, 1);
    assert_int_equal(gos__mesh_cell_set(m, "one")->item[0], 1);
    assert_int_equal(gos__mesh_node_set(m, "loose")->n, 2); // at 0 and 15 degrees
    gos__mesh_destroy(m);
}

#define WITH_SET(set) "{" DISC ", sets: {" set "}}"

static void test_sets_refused(void **state) {
    GOS_UNUSED(state);
    mesh_refuse(WITH_SET("a: {plane: {point: [1, 0, 0], normal: [1, 0, 0]}}"),
                "a.yaml:2:72: mesh 'm': no nodes of the mesh satisfy these conditions; "
                "change the location, or increase the tolerance");
    mesh_refuse(WITH_SET("a: {of: sides, in: rim}"),
                "a.yaml:2:87: mesh 'm': there is no set of sides 'rim' here; give one of the mesh, "
                "or one defined above");
    mesh_refuse(WITH_SET("outer: {}"), "a.yaml:2:72: mesh 'm': the mesh already has a set of nodes "
                                       "'outer'; use another name");
    mesh_refuse(WITH_SET("1a: {}"), "a.yaml:2:72: mesh 'm': '1a' cannot name a set; use letters, "
                                    "digits and _, at most 64, not starting with a digit");
    mesh_refuse(WITH_SET("a: {sector: {at: 0, angle: 1, axis: [1, 0, 0]}}"),
                "a.yaml:2:76: mesh 'm': sector.zero is parallel to sector.axis; give a direction "
                "normal to it");
    mesh_refuse(WITH_SET("a: {off: cells}"), "a.yaml:2:76: mesh 'm': unknown key 'off'; did you "
                                             "mean 'of'?");
    mesh_refuse("{" DISC ", sets: 5}",
                "a.yaml:2:71: mesh 'm': sets must be a map, {NAME: {of: nodes, ...}, ...}");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_sector_of_annulus),
        cmocka_unit_test(test_annulus_refused),
        cmocka_unit_test(test_rectangle),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_tubes),
        cmocka_unit_test(test_patch),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_sets_refused),
    };
    return cmocka_run_group_tests(tests, mesh_setup, mesh_teardown);
}
SUITE_INTERNAL(suite)
