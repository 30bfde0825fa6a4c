/* Surfaces in pictures: which faces and edges of a box are drawn, sheets from both sides, depth,
 * and from where bodies are seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pages/picture_surface.h"
#include "support/suite.h"

static char text[1 << 16];

static int count(const char *what) {
    int n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
        n++;
    }
    return n;
}

/* corners of the unit cube, number x + 2 y + 4 z; sides with normals that point out */
static const int cube[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                             2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static void corners(double x[24], double shift) {
    for (int i = 0; i < 8; i++) {
        x[3 * i] = (i & 1) + shift;
        x[3 * i + 1] = i >> 1 & 1;
        x[3 * i + 2] = i >> 2;
    }
}

/* draw n quadrilaterals of one body (or of two, the second from face 6 on) with levels of their
 * nodes */
static void draw(int n, const int *node, int nnodes, const double *x, const double *level,
                 const gos_view *view) {
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *a = gos__arena_create(ctx);
    int offset[20], body[20];
    for (int i = 0; i <= n; i++) {
        offset[i] = 4 * i;
        body[i] = i / 6;
    }
    const gos_mesh_info mesh = {.nnodes = nnodes,
                                .ncells = n,
                                .nbodies = 2,
                                .cell_offset = offset,
                                .cell_nodes = node,
                                .cell_body = body};
    gos_faces s;
    memset(text, 0, sizeof text);
    const gos_plot plot = {.out = fmemopen(text, sizeof text, "w"), .scale = 100, .height = 400};
    assert_int_equal(gos__faces_make(a, &mesh, x, &s), GOS_OK);
    assert_int_equal(gos__faces_draw(a, &s, &plot, view, x, level), GOS_OK);
    assert_int_equal(fclose(plot.out), 0);
    gos__arena_destroy(a);
    gos_ctx_destroy(ctx);
}

static void oblique(gos_view *view) {
    const gos_seen seen = {.hi = {1, 1, 1}, .surfaces = true};
    gos__view_choose(&seen, view);
}

/* three faces of a box are seen, and nine of its edges: not the three at the hidden corner; turned
 * inside out the same */
static void box(void **state) {
    (void)state;
    gos_view view;
    double x[24];
    const double level[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    int turned[24];
    oblique(&view);
    corners(x, 0);
    for (int i = 0; i < 24; i++) {
        turned[i] = cube[i / 4 * 4 + 3 - i % 4];
    }
    for (int k = 0; k < 2; k++) {
        draw(6, k ? turned : cube, 8, x, level, &view);
        assert_int_equal(count("z"), 3);
        assert_int_equal(count("M"), 3 + 9);
        draw(6, k ? turned : cube, 8, x, NULL, &view);
        assert_int_equal(count("class=\"face\""), 0);
        assert_int_equal(count("M"), 9);
    }
}

/* without its lid the box is open: all faces are drawn, those behind first */
static void open_box(void **state) {
    (void)state;
    gos_view view;
    double x[24];
    const double level[8] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    oblique(&view);
    corners(x, 0);
    draw(5, cube, 8, x, level, &view);
    assert_int_equal(count("z"), 5);
}

/* of two boxes behind each other the nearer one is painted last */
static void depth(void **state) {
    (void)state;
    double x[48], level[16];
    int node[48];
    // from +x: that at x = 5 covers that at 0
    const gos_view view = {.right = {0, 1, 0}, .up = {0, 0, 1}, .eye = {1, 0, 0}, .axis = {1, 2}};
    corners(x, 5);
    corners(x + 24, 0);
    for (int i = 0; i < 48; i++) {
        node[i] = cube[i % 24] + 8 * (i / 24);
    }
    for (int i = 0; i < 16; i++) {
        level[i] = i < 8 ? 1 : 0;
    }
    char near[8], far[8];
    gos__svg_colour(1, near);
    gos__svg_colour(0, far);
    draw(12, node, 16, x, level, &view);
    assert_int_equal(count("z"), 2);
    assert_true(strstr(text, near) > strstr(text, far) && strstr(text, far));
    level[0] = (double)NAN; // without a temperature: grey
    level[1] = level[3] = level[5] = level[7] = (double)NAN;
    draw(12, node, 16, x, level, &view);
    assert_non_null(strstr(text, "#c3c9d1"));
}

/* a plane is seen from its front, what has depth obliquely; a plane that moves across itself
 * obliquely; lines never */
static void views(void **state) {
    (void)state;
    static const struct {
        gos_seen seen;
        int axis[2];
    } all[] = {{{.hi = {2, 1, 0.1}, .surfaces = true}, {0, 1}},
               {{.hi = {2, 0, 1}, .surfaces = true}, {0, 2}},
               {{.hi = {0, 2, 1}, .surfaces = true}, {1, 2}},
               {{.hi = {2, 1, 0.7}, .surfaces = true}, {-1, -1}},
               {{.hi = {2, 1, 0.1}, .moved = {0.01, 0, 0.2}, .surfaces = true}, {-1, -1}},
               {{.hi = {2, 1, 0.1}, .moved = {0.3, 0, 0.2}, .surfaces = true}, {0, 1}},
               {{.hi = {2, 1, 0.7}, .surfaces = false}, {0, 1}}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        gos_view v;
        gos__view_choose(&all[i].seen, &v);
        assert_int_equal(v.axis[0], all[i].axis[0]);
        assert_int_equal(v.axis[1], all[i].axis[1]);
        for (int c = 0; c < 3; c++) { // right x up = eye: nothing is seen in a mirror
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            assert_true(fabs(v.right[d] * v.up[e] - v.right[e] * v.up[d] - v.eye[c]) < 1e-12);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(box), cmocka_unit_test(open_box),
                                       cmocka_unit_test(depth), cmocka_unit_test(views)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
