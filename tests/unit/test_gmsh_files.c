/* Files that Gmsh 4.8.4 itself wrote of one mesh (tests/reference/gmsh: gmsh -3 block.geo -format
   msh22 | msh41, with and without -bin): all four are the same, and what they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "mesh/msh.h"
#include "mesh/mesh.h"
#include "support/suite.h"

static gos_mesh *read_mesh(gos_ctx *ctx, const char *name) {
    char path[300], *text;
    size_t n;
    gos_mesh *mesh;
    (void)snprintf(path, sizeof path, GOS_SOURCE_DIR "/tests/reference/gmsh/%s.msh", name);
    assert_int_equal(gos__file_read(ctx, path, 1 << 20, (gos_loc){0}, NULL, &text, &n), GOS_OK);
    assert_int_equal(gos__mesh_create(ctx, &mesh), GOS_OK);
    if (gos__msh_parse(mesh, path, text, n, false) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    assert_int_equal(gos_ctx_ndiag(ctx), 0);
    gos__free(ctx, text);
    return mesh;
}

static void test_files(void **state) {
    GOS_UNUSED(state);
    static const char *const names[] = {"text-2.2", "binary-2.2", "text-4.1", "binary-4.1"};
    gos_ctx *ctx = gos_ctx_create();
    gos_mesh *first = NULL;
    for (int i = 0; i < GOS_COUNT(names); i++) {
        gos_mesh *m = read_mesh(ctx, names[i]);
        gos_mesh_quality q;
        gos__mesh_inspect(m, &q);
        assert_int_equal(m->nnode, 472); // as Gmsh says
        assert_int_equal(m->ncell, 214);
        assert_int_equal(m->block[0].shape, GOS_CELL_TET10);
        assert_int_equal(q.inverted, 0);
        assert_true(fabs(q.size - (2 - acos(-1.0) / 16)) < 1e-3); // curved edges
        assert_int_equal(gos__mesh_node_set(m, "left")->n, 37);
        assert_int_equal(gos__mesh_cell_set(m, "body")->n, 214);
        assert_int_equal(gos__mesh_surface(m, "left")->n, 14);
        assert_int_equal(gos__mesh_surface(m, "hole")->n, 54);
        for (int k = 0; first && k < m->nnode; k++) {
            assert_true(gos__mesh_node_tag(m, k) == gos__mesh_node_tag(first, k));
            for (int c = 0; c < 3; c++) {
                assert_true(fabs(m->x[k][c] - first->x[k][c]) <= 1e-15);
            }
        }
        for (int k = 0; first && k < 10 * m->ncell; k++) {
            assert_int_equal(m->block[0].node[k], first->block[0].node[k]);
        }
        if (first) {
            gos__mesh_destroy(m);
        } else {
            first = m;
        }
    }
    gos__mesh_destroy(first);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
