/* Meshes in memory: shapes of cells and their sides, sets, numbers of the source, the skin,
 * refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "support/near.h"
#include "support/suite.h"

static gos_ctx *ctx;
static const gos_loc nowhere;

static void refused(gos_status st, gos_status expected, const char *text) {
    assert_int_equal(st, expected);
    assert_string_equal(gos_ctx_diag(ctx, gos_ctx_ndiag(ctx) - 1)->text, text);
}

/* corners of the cells of the unit square, cube and their halves; the middle of edges follows from
   the numbering that the header states */
static const double corner_tri[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const double corner_quad[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const double corner_tet[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double corner_wedge[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
static const double corner_hex[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

typedef struct one_cell {
    gos_cell_shape shape;
    const double (*corner)[3];
    const char *edges; // pairs of corners, from 1, whose middle are the further nodes
    double measure;    // area or volume
} one_cell;

static const one_cell cells[] = {
    {GOS_CELL_TRI3, corner_tri, "", 0.5},
    {GOS_CELL_TRI6, corner_tri, "122331", 0.5},
    {GOS_CELL_QUAD4, corner_quad, "", 1.0},
    {GOS_CELL_QUAD8, corner_quad, "12233441", 1.0},
    {GOS_CELL_TET4, corner_tet, "", 1.0 / 6.0},
    {GOS_CELL_TET10, corner_tet, "122331142434", 1.0 / 6.0},
    {GOS_CELL_WEDGE6, corner_wedge, "", 0.5},
    {GOS_CELL_WEDGE15, corner_wedge, "122331455664142536", 0.5},
    {GOS_CELL_HEX8, corner_hex, "", 1.0},
    {GOS_CELL_HEX20, corner_hex, "122334415667788515263748", 1.0},
};

static void place_cell(const one_cell *c, double (*x)[3]) {
    const gos_cell_kind *kind = &gos__cell_kind[c->shape];
    memcpy(x, c->corner, (size_t)kind->corners * sizeof *x);
    for (int k = kind->corners; k < kind->nodes; k++) {
        const char *e = c->edges + 2 * (k - kind->corners);
        for (int i = 0; i < 3; i++) {
            x[k][i] = 0.5 * (c->corner[e[0] - '1'][i] + c->corner[e[1] - '1'][i]);
        }
    }
}

static gos_mesh *one(const one_cell *c) {
    gos_mesh *m = NULL;
    gos_cell_block *b = NULL;
    const int n = gos__cell_kind[c->shape].nodes;
    assert_int_equal(gos__mesh_create(ctx, &m), GOS_OK);
    assert_int_equal(gos__mesh_nodes(m, n, nowhere, NULL), GOS_OK);
    assert_int_equal(gos__mesh_cells(m, c->shape, 1, nowhere, NULL, &b), GOS_OK);
    place_cell(c, m->x);
    for (int k = 0; k < n; k++) {
        b->node[k] = k;
    }
    assert_int_equal(gos__mesh_finish(m, nowhere, NULL), GOS_OK);
    return m;
}

/* vector area of a side of straight corners, of an edge its normal on the right times the length;
 * and its centre */
static void side_area(const gos_mesh *m, const int *node, int corners, double area[3],
                      double centre[3]) {
    memset(centre, 0, 3 * sizeof *centre);
    for (int k = 0; k < corners; k++) {
        for (int i = 0; i < 3; i++) {
            centre[i] += m->x[node[k]][i] / corners;
        }
    }
    const double *p = m->x[node[0]], *q = m->x[node[1]];
    memset(area, 0, 3 * sizeof *area);
    if (corners == 2) {
        area[0] = q[1] - p[1];
        area[1] = p[0] - q[0];
        return;
    }
    for (int k = 1; k + 1 < corners; k++) {
        const double *r = m->x[node[k]], *s = m->x[node[k + 1]];
        for (int i = 0; i < 3; i++) {
            const int u = (i + 1) % 3, v = (i + 2) % 3;
            area[i] += 0.5 * ((r[u] - p[u]) * (s[v] - p[v]) - (r[v] - p[v]) * (s[u] - p[u]));
        }
    }
}

/* The divergence theorem: sum of centre . area over the sides is dim times the measure when all
   sides look outwards (exactly, as sides are flat and symmetric about their centres, or
   triangles). */
static void sides_look_outwards(void **state) {
    (void)state;
    for (int c = 0; c < GOS_COUNT(cells); c++) {
        gos_mesh *m = one(&cells[c]);
        const gos_cell_kind *kind = &gos__cell_kind[cells[c].shape];
        double sum = 0.0, closed[3] = {0};
        for (int s = 0; s < kind->sides; s++) {
            int node[GOS_CELL_SIDE_NODES];
            double area[3], centre[3];
            const gos_cell_kind *side = &gos__cell_kind[kind->side[s]];
            assert_int_equal(gos__mesh_side(m, 0, s, node), side->nodes);
            side_area(m, node, side->corners, area, centre);
            for (int i = 0; i < 3; i++) {
                sum += area[i] * centre[i];
                closed[i] += area[i];
            }
            // further nodes of the side are the middle of its edges, in order
            for (int k = side->corners; k < side->nodes; k++) {
                const double *a = m->x[node[k - side->corners]];
                const double *b = m->x[node[(k - side->corners + 1) % side->corners]];
                for (int i = 0; i < 3; i++) {
                    near_abs(m->x[node[k]][i], 0.5 * (a[i] + b[i]), 1e-15);
                }
            }
        }
        near_abs(sum, kind->dim * cells[c].measure, 1e-15);
        for (int i = 0; i < 3; i++) {
            near_abs(closed[i], 0.0, 1e-15);
        }
        const gos_mesh_surface *skin = gos__mesh_surface(m, "skin");
        assert_true(skin != NULL);
        assert_int_equal(skin ? skin->n : 0, kind->sides); // of a single cell: all
        gos__mesh_destroy(m);
    }
}

/* two cubes side by side, with sparse numbers */
static gos_mesh *two(void) {
    gos_mesh *m = NULL;
    gos_cell_block *b = NULL;
    assert_int_equal(gos__mesh_create(ctx, &m), GOS_OK);
    assert_int_equal(gos__mesh_nodes(m, 12, nowhere, NULL), GOS_OK);
    m->tag = GOS_NEW(m->arena, int64_t, 12);
    for (int i = 0; i < 12; i++) { // layer x = i / 4, corners of the unit square in y and z
        m->x[i][0] = i / 4;
        m->x[i][1] = i % 4 == 1 || i % 4 == 2;
        m->x[i][2] = i % 4 >= 2;
        m->tag[i] = 1000000007LL * (i + 1);
    }
    assert_int_equal(gos__mesh_cells(m, GOS_CELL_HEX8, 1, nowhere, NULL, &b), GOS_OK);
    for (int k = 0; k < 8; k++) {
        b->node[k] = k;
    }
    assert_int_equal(gos__mesh_cells(m, GOS_CELL_HEX8, 1, nowhere, NULL, &b), GOS_OK);
    for (int k = 0; k < 8; k++) {
        b->node[k] = 4 + k;
    }
    return m;
}

static void skin_leaves_shared_sides_out(void **state) {
    (void)state;
    gos_mesh *m = two();
    assert_int_equal(gos__mesh_finish(m, nowhere, NULL), GOS_OK);
    const gos_mesh_surface *skin = gos__mesh_surface(m, "skin");
    assert_int_equal(skin->n, 10);
    for (int i = 0; i < skin->n; i++) { // S2 of the first and S1 of the second cube touch
        assert_true(!(skin->cell[i] == 0 && skin->side[i] == 1));
        assert_true(!(skin->cell[i] == 1 && skin->side[i] == 0));
    }
    gos__mesh_destroy(m);
}

static void sets_are_sorted_unions(void **state) {
    (void)state;
    gos_mesh *m = two();
    assert_int_equal(gos__mesh_add_nodes(m, "end", 3, (const int[]){9, 8, 9}), GOS_OK);
    assert_int_equal(gos__mesh_add_nodes(m, "start", 1, (const int[]){0}), GOS_OK);
    assert_int_equal(gos__mesh_add_nodes(m, "end", 2, (const int[]){11, 8}), GOS_OK);
    assert_int_equal(gos__mesh_add_cells(m, "end", 1, (const int[]){1}), GOS_OK);
    const gos_mesh_set *s = gos__mesh_node_set(m, "end");
    assert_int_equal(s->n, 3);
    assert_int_equal(s->item[0], 8);
    assert_int_equal(s->item[1], 9);
    assert_int_equal(s->item[2], 11);
    assert_int_equal(gos__mesh_cell_set(m, "end")->item[0], 1);
    assert_true(gos__mesh_cell_set(m, "start") == NULL);
    assert_true(gos__mesh_surface(m, "end") == NULL);
    gos__mesh_destroy(m);
}

static void numbers_of_the_source(void **state) {
    (void)state;
    gos_mesh *m = two();
    for (int i = 0; i < 12; i++) {
        assert_int_equal(gos__mesh_find_node(m, 1000000007LL * (i + 1)), i);
    }
    assert_int_equal(gos__mesh_find_node(m, 1), -1);
    assert_int_equal(gos__mesh_find_node(m, 13000000091LL), -1);
    assert_int_equal((int)gos__mesh_cell_tag(m, 1), 2);
    int i = -1;
    assert_true(gos__mesh_cell(m, 1, &i) == &m->block[1]);
    assert_int_equal(i, 0);
    m->tag = NULL;
    assert_int_equal(gos__mesh_find_node(m, 12), 11);
    assert_int_equal(gos__mesh_find_node(m, 13), -1);
    assert_int_equal(gos__mesh_find_node(m, 0), -1);
    gos__mesh_destroy(m);
}

static void wrong_meshes_are_refused(void **state) {
    (void)state;
    gos_mesh *m = two();
    m->x[3][1] = (double)NAN;
    refused(gos__mesh_finish(m, nowhere, "mesh 'm'"), GOS_E_INPUT,
            "coordinate 2 of node 4000000028 is not a finite number");
    m->x[3][1] = 0.0;
    m->block[1].line = GOS_NEW(m->arena, int, 1);
    m->block[1].line[0] = 17;
    m->block[1].node[5] = 12;
    refused(gos__mesh_finish(m, nowhere, "mesh 'm'"), GOS_E_INPUT,
            "cell 2 has a node that does not exist (its node 6); correct the node number");
    m->block[1].node[5] = 4;
    refused(gos__mesh_finish(m, nowhere, "mesh 'm'"), GOS_E_INPUT,
            "cell 2 has node 5000000035 twice; give different nodes");
    gos__mesh_destroy(m);
    assert_int_equal(gos__mesh_create(ctx, &m), GOS_OK);
    refused(gos__mesh_nodes(m, 1e9, nowhere, "mesh 'm'"), GOS_E_LIMIT,
            "1000000000 nodes are too many; a mesh has at most 20000000");
    refused(gos__mesh_finish(m, nowhere, "mesh 'm'"), GOS_E_INPUT,
            "the mesh has no cells; add some");
    gos__mesh_destroy(m);
}

static int begin(void **state) {
    (void)state;
    ctx = gos_ctx_create();
    return ctx ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    gos_ctx_destroy(ctx);
    return 0;
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_look_outwards),      cmocka_unit_test(skin_leaves_shared_sides_out),
        cmocka_unit_test(sets_are_sorted_unions),   cmocka_unit_test(numbers_of_the_source),
        cmocka_unit_test(wrong_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
SUITE_INTERNAL(suite)
