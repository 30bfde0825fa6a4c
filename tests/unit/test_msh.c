/* Files of Gmsh: both versions in text and bytes, sets from groups, orders of nodes, and files that
 * are broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mesh/msh.h"
#include "mesh/mesh.h"
#include "support/faults.h"
#include "support/meshes.h"
#include "support/msh_files.h"
#include "support/suite.h"

/* two cubes beside each other along x; their nodes in no order, with sparse numbers; a node
   apart */
static const msh_node cube_nodes[] = {
    {2000000011, {0, 0, 0}}, {7, {1, 0, 0}},  {8, {1, 1, 0}},  {900000, {0, 1, 0}},
    {2000000012, {0, 0, 1}}, {10, {1, 0, 1}}, {11, {1, 1, 1}}, {12, {0, 1, 1}},
    {13, {2, 0, 0}},         {14, {2, 1, 0}}, {15, {2, 0, 1}}, {16, {2, 1, 1}},
    {5, {5, 5, 5}},          {6, {-3, 0, 0}}};

static const msh_element cube_elements[] = {
    {1, 15, 0, 1, 4, 1, {6}},
    {2, 15, 0, 2, 0, 1, {5}},
    {3, 1, 1, 1, 9, 2, {7, 8}},
    {4, 3, 2, 1, 2, 4, {2000000011, 2000000012, 12, 900000}},
    {5, 3, 2, 2, 0, 4, {13, 14, 16, 15}},
    {6, 3, 2, 3, 3, 4, {7, 8, 11, 10}},
    {30, 5, 3, 1, 1, 8, {2000000011, 7, 8, 900000, 2000000012, 10, 11, 12}},
    {20, 5, 3, 2, 5, 8, {7, 13, 14, 8, 10, 15, 16, 11}}};

static const msh_name cube_names[] = {
    {2, 2, "left wall"}, {2, 3, "middle"}, {3, 1, "soft"}, {3, 5, "hard"}, {0, 4, "reference"}};

static const msh_model cubes = {GOS_COUNT(cube_nodes), GOS_COUNT(cube_elements),
                                GOS_COUNT(cube_names), cube_nodes,
                                cube_elements,         cube_names};

static gos_status parse(const char *text, size_t n, bool all, gos_mesh **mesh) {
    char *copy = malloc(n + 1); // so that reads behind its end are detected
    assert_non_null(copy);
    memcpy(copy, text, n);
    copy[n] = '\0';
    gos_ctx_clear(mesh_ctx);
    assert_int_equal(gos__mesh_create(mesh_ctx, mesh), GOS_OK);
    const gos_status status = gos__msh_parse(*mesh, "a.msh", copy, n, all);
    if (status != GOS_OK) {
        gos__mesh_destroy(*mesh);
        *mesh = NULL;
    }
    free(copy);
    return status;
}

static gos_mesh *good(const msh_model *model, bool v4, bool binary, bool all) {
    gos_mesh *m;
    msh_file f = msh_write(model, v4, binary);
    if (parse(f.text, f.n, all, &m) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(mesh_ctx));
    }
    free(f.text);
    return m;
}

/* ---- good files ------------------------------------------------------------------------------ */

static void check_nodes(const gos_mesh *m, const char *name, int n, const long long *tag) {
    const gos_mesh_set *s = gos__mesh_node_set(m, name);
    assert_non_null(s);
    assert_int_equal(s->n, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(gos__mesh_node_tag(m, s->item[i]), tag[i]);
    }
}

static void check_cubes(const gos_mesh *m, bool v4, bool binary) {
    double smallest;
    int i;
    assert_int_equal(m->nnode, 13); // without the one at (5, 5, 5)
    assert_int_equal(gos__mesh_find_node(m, 5), -1);
    for (int k = 1; k < m->nnode; k++) {
        assert_true(m->tag[k] > m->tag[k - 1]);
    }
    assert_true(m->x[gos__mesh_find_node(m, 900000)][1] == 1);
    assert_true(m->x[gos__mesh_find_node(m, 2000000012)][2] == 1);
    assert_int_equal(m->ncell, 2);
    assert_true(mesh_measure(m, &smallest) == 2 && smallest == 1);
    mesh_check_skin(m);
    assert_int_equal(gos__mesh_cell_tag(m, 0), 30);
    assert_int_equal(gos__mesh_cell_tag(m, 1), 20);
    const gos_cell_block *b = gos__mesh_cell(m, 1, &i);
    assert_true(binary ? b->line == NULL : b->line[1] == b->line[0] + (v4 ? 2 : 1));
    check_nodes(m, "left wall", 4, (const long long[]){12, 900000, 2000000011, 2000000012});
    check_nodes(m, "reference", 1, (const long long[]){6});
    check_nodes(m, "curve_9", 2, (const long long[]){7, 8}); // a group without a name
    assert_int_equal(gos__mesh_node_set(m, "soft")->n, 8);
    assert_int_equal(gos__mesh_cell_set(m, "soft")->n, 1);
    assert_int_equal(gos__mesh_cell_set(m, "hard")->item[0], 1);
    assert_null(gos__mesh_cell_set(m, "left wall"));
    const gos_mesh_surface *left = gos__mesh_surface(m, "left wall");
    assert_int_equal(left->n, 1);
    assert_int_equal(left->cell[0], 0);
    double n[3];
    mesh_side(m, left->cell[0], left->side[0], n);
    assert_true(n[0] == -1 && n[1] == 0 && n[2] == 0);
    assert_null(gos__mesh_surface(m, "curve_9"));
}

static void test_forms(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 4; k++) {
        gos_mesh *m = good(&cubes, k & 1, k & 2, false);
        check_cubes(m, k & 1, k & 2);
        // the group between the cubes
        assert_int_equal(gos_ctx_ndiag(mesh_ctx), 1);
        assert_string_equal(gos_ctx_diag(mesh_ctx, 0)->text,
                            "1 of its 1 elements are between two cells; the surface contains the "
                            "side of the first one");
        assert_int_equal(gos__mesh_surface(m, "middle")->cell[0], 0);
        gos__mesh_destroy(m);
        m = good(&cubes, k & 1, k & 2, true);
        assert_int_equal(m->ncell, 8);
        assert_int_equal(m->nnode, 14);
        assert_int_equal(gos__mesh_cell_set(m, "left wall")->n, 1);
        assert_int_equal(gos__mesh_cell_set(m, "curve_9")->n, 1);
        assert_int_equal(gos__mesh_surface(m, "left wall")->n, 1);
        mesh_check_skin(m);
        gos__mesh_destroy(m);
    }
}

/* one element of second order of each shape, edges in Gmsh's order; its middles are in the middles
   if, and only if, they are at their places in the mesh's order */
static void test_second_order(void **state) {
    GOS_UNUSED(state);
    static const struct {
        int type, dim, corners, edges;
        int edge[12][2];
        double measure;
    } shapes[] = {
        {9, 2, 3, 3, {{0, 1}, {1, 2}, {2, 0}}, 1},
        {16, 2, 4, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 2.5},
        {11, 3, 4, 6, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}}, 1},
        {17,
         3,
         8,
         12,
         {{0, 1},
          {0, 3},
          {0, 4},
          {1, 2},
          {1, 5},
          {2, 3},
          {2, 6},
          {3, 7},
          {4, 5},
          {4, 7},
          {5, 6},
          {6, 7}},
         7.5},
        {18, 3, 6, 9, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}}, 3},
    };
    static const double triangle[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0},
                                          {0, 0, 3}, {2, 0, 3}, {0, 1, 3}};
    static const double quad[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1.5, 0},
                                      {0, 0, 3}, {2, 0, 3}, {2, 1, 3}, {0, 1.5, 3}};
    for (int s = 0; s < GOS_COUNT(shapes); s++) {
        msh_node node[20];
        msh_element element = {1, shapes[s].type, shapes[s].dim, 1, 0, 0, {0}};
        const double(*x)[3] = shapes[s].corners == 4 && shapes[s].dim == 3 ? triangle
                              : shapes[s].corners % 4 == 0                 ? quad
                                                                           : triangle;
        for (int i = 0; i < shapes[s].corners + shapes[s].edges; i++) {
            const bool middle = i >= shapes[s].corners;
            const int *edge = shapes[s].edge[middle ? i - shapes[s].corners : 0];
            node[i].tag = element.node[i] = i + 1;
            element.n++;
            for (int c = 0; c < 3; c++) {
                node[i].x[c] = middle ? 0.5 * (x[edge[0]][c] + x[edge[1]][c]) : x[i][c];
            }
        }
        const msh_model model = {element.n, 1, 0, node, &element, NULL};
        double least;
        gos_mesh *m = good(&model, true, false, false);
        assert_true(fabs(mesh_integral(m, &least) - shapes[s].measure) < 1e-12);
        const gos_cell_kind *kind = &gos__cell_kind[m->block[0].shape];
        for (int k = 0; k < kind->sides; k++) { // of each side the middles between its corners
            int n[GOS_CELL_SIDE_NODES];
            const int all = gos__mesh_side(m, 0, k, n),
                      corners = gos__cell_kind[kind->side[k]].corners;
            for (int j = corners; j < all; j++) {
                const int a = n[j - corners], b = n[(j - corners + 1) % corners];
                for (int c = 0; c < 3; c++) {
                    assert_true(m->x[n[j]][c] == 0.5 * (m->x[a][c] + m->x[b][c]));
                }
            }
        }
        gos__mesh_destroy(m);
    }
}

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
#define ELEMENTS2 "$Elements\n1\n1 3 0 1 2 3 4\n$EndElements\n"
#define NODES4 "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"
#define ELEMENTS4 "$Elements\n1 1 1 1\n2 1 3 1\n1 1 2 3 4\n$EndElements\n"

static gos_mesh *good_text(const char *text) {
    gos_mesh *m;
    if (parse(text, strlen(text), false, &m) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(mesh_ctx));
    }
    return m;
}

/* sections that are not used are named once each; partitions of both versions */
static void test_told(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m =
        good_text(HEAD2 "$Comments\nanything $EndComments\n$EndComments\n" NODES2
                        "$Elements\n1\n1 3 4 0 7 1 2 1 2 3 4\n$EndElements\n"
                        "$Periodic\n0\n$EndPeriodic\n$NodeData\n1\n\"$Nodes\"\n$EndNodeData\n");
    assert_int_equal(gos_ctx_ndiag(mesh_ctx), 3);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 0)->text, "this section is ignored");
    assert_string_equal(gos_ctx_diag(mesh_ctx, 0)->object, "$Periodic");
    assert_int_equal(gos_ctx_diag(mesh_ctx, 0)->line, 18);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 1)->object, "$NodeData");
    assert_int_equal(gos_ctx_diag(mesh_ctx, 1)->line, 21);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 2)->text,
                        "the mesh is partitioned; its partitions are ignored");
    gos__mesh_destroy(m);
    m = good_text(HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1 3 0\n$EndEntities\n"
                        "$PartitionedEntities\n2\n1\n5 1\n0 0 1 0\n1 2 1 1 1 0 0 0 1 1 0 1 8 0\n"
                        "$EndPartitionedEntities\n" NODES4 ELEMENTS4);
    assert_int_equal(gos_ctx_ndiag(mesh_ctx), 2); // partitions, and a group without elements
    assert_string_equal(gos_ctx_diag(mesh_ctx, 1)->text,
                        "it has no elements; the set is not created");
    assert_string_equal(gos_ctx_diag(mesh_ctx, 1)->object, "group 'surface_3'");
    assert_int_equal(gos__mesh_cell_set(m, "surface_8")->n, 1);
    gos__mesh_destroy(m);
}

/* version 2.2 has an element again for each of its groups: one cell */
static void test_twice(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m =
        good_text(HEAD2 "$PhysicalNames\n2\n2 1 \"a\"\n2 2 \"b\"\n$EndPhysicalNames\n" NODES2
                        "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 2 1 1 2 3 4\n$EndElements\n");
    assert_int_equal(m->ncell, 1);
    assert_int_equal(gos__mesh_cell_set(m, "a")->n, 1);
    assert_int_equal(gos__mesh_cell_set(m, "b")->n, 1);
    gos__mesh_destroy(m);
}

#define BEYOND                                                                                     \
    "1 elements (the first is 2) have a lower dimension than the cells and contain "               \
    "nodes that belong to no cell; they are ignored unless `elements: all` is set"

/* beams that no surface has are reported, and kept when all elements are requested */
static void test_apart(void **state) {
    GOS_UNUSED(state);
    const char *text =
        HEAD2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 7 7 0\n6 8 8 0\n$EndNodes\n"
              "$Elements\n3\n1 3 2 0 1 1 2 3 4\n2 1 2 6 1 5 6\n3 1 2 6 1 1 2\n$EndElements\n";
    gos_mesh *m = good_text(text);
    assert_int_equal(gos_ctx_ndiag(mesh_ctx), 2);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 0)->text, BEYOND);
    assert_int_equal(gos_ctx_diag(mesh_ctx, 0)->line, 16);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 1)->text,
                        "1 of its 2 elements (the first is 2) are not sides of cells and are "
                        "omitted from the surface");
    assert_int_equal(m->ncell, 1);
    assert_int_equal(gos__mesh_surface(m, "curve_6")->n, 1);
    gos__mesh_destroy(m);
    assert_int_equal(parse(text, strlen(text), true, &m), GOS_OK);
    assert_int_equal(m->ncell, 3);
    assert_int_equal(gos__mesh_cell_set(m, "curve_6")->n, 2);
    gos__mesh_destroy(m);
}

/* two elements of a group on one side, one turned round: the side once */
static void test_side_twice(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m =
        good_text(HEAD2 NODES2 "$Elements\n3\n1 3 0 1 2 3 4\n2 1 2 6 1 1 2\n3 1 2 6 1 2 1\n"
                               "$EndElements\n");
    assert_int_equal(gos__mesh_surface(m, "curve_6")->n, 1);
    gos__mesh_destroy(m);
}

/* a line in no group that begins at a cell and ends where none is; the node there is left out */
static void test_half_apart(void **state) {
    GOS_UNUSED(state);
    gos_mesh *m =
        good_text(HEAD2 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 7 7 0\n$EndNodes\n"
                        "$Elements\n2\n1 3 0 1 2 3 4\n2 1 0 1 5\n$EndElements\n");
    assert_int_equal(gos_ctx_ndiag(mesh_ctx), 1);
    assert_string_equal(gos_ctx_diag(mesh_ctx, 0)->text, BEYOND);
    assert_int_equal(m->nnode, 4);
    assert_int_equal(m->ncell, 1);
    mesh_check_skin(m);
    gos__mesh_destroy(m);
}

/* cells turned inside out are found by number and line; of the others the most distorted one */
static void test_quality(void **state) {
    GOS_UNUSED(state);
    gos_mesh_quality q;
    int i;
    gos_mesh *m =
        good_text(HEAD2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 3 0 0\n6 2 1 0\n"
                        "$EndNodes\n$Elements\n2\n10 3 0 1 2 3 4\n20 3 0 2 5 6 3\n"
                        "$EndElements\n");
    gos__mesh_inspect(m, &q);
    assert_true(q.dim == 2 && q.inverted == 0 && fabs(q.size - 2.5) < 1e-12);
    // the trapezium of 2, 1 and 1: determinant 0.375 - 0.125 eta at eta = sqrt(1/3), its mean 0.375
    assert_int_equal(gos__mesh_cell_tag(m, q.worst), 20);
    assert_true(fabs(q.least - (1 - sqrt(1.0 / 3) / 3)) < 1e-12);
    gos__mesh_destroy(m);
    msh_element turned[GOS_COUNT(cube_elements)];
    memcpy(turned, cube_elements, sizeof turned);
    for (int k = 0; k < 4; k++) { // top and bottom of the second cube
        turned[7].node[k] = cube_elements[7].node[k + 4];
        turned[7].node[k + 4] = cube_elements[7].node[k];
    }
    const msh_model model = {cubes.nnode, cubes.nelement, cubes.nname,
                             cube_nodes,  turned,         cube_names};
    m = good(&model, false, false, false);
    gos__mesh_inspect(m, &q);
    assert_true(q.dim == 3 && q.inverted == 1 && q.first == q.worst && q.least <= 0);
    const gos_cell_block *b = gos__mesh_cell(m, q.first, &i);
    assert_int_equal(b->tag[i], 20);
    assert_int_equal(b->line[i], b->line[0] + 1);
    gos__mesh_destroy(m);
}

/* ---- broken files ---------------------------------------------------------------------------- */

static void test_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "a.msh:1:1: not a Gmsh mesh: it does not begin with $MeshFormat"},
        {"solid x\n", "a.msh:1:1: not a Gmsh mesh: it does not begin with $MeshFormat"},
        {"$Nodes\n", "a.msh:1:1: not a Gmsh mesh: it does not begin with $MeshFormat"},
        {"$MeshFormat\n4 0 8\n$EndMeshFormat\n",
         "a.msh:2:1: version 4 is not supported; save as 4.1 or 2.2 (gmsh -format msh41, msh22)"},
        {"$MeshFormat\n4.1 0 4\n$EndMeshFormat\n",
         "a.msh:2:6: its numbers have 4 bytes; only 8 are supported; save it as text"},
        {"$MeshFormat\n4.1 2 8\n", "a.msh:2:5: '2' is not a valid kind of file (0: text, 1: "
                                   "binary): a whole number from 0 to 1 is needed"},
        {HEAD2 HEAD2, "a.msh:4:1: there is a second $MeshFormat; remove it"},
        {HEAD2, "a.msh: the file has no elements; generate the mesh in Gmsh before saving"},
        {HEAD2 NODES2, "a.msh: the file has no elements; generate the mesh in Gmsh before saving"},
        {HEAD2 ELEMENTS2 NODES2, "a.msh:5:1: the elements precede their nodes"},
        {HEAD2 NODES2 NODES2, "a.msh:12:1: there is a second list of nodes; remove it"},
        {HEAD2 NODES2 ELEMENTS2 ELEMENTS2, "a.msh:16:1: there is a second list of elements; remove "
                                           "it"},
        {HEAD2 "hello\n", "a.msh:4:1: a section ($Nodes, $Elements ...) is expected here"},
        {HEAD2 "$Views\n1\n", "a.msh:4:1: $Views has no $EndViews; the file is truncated"},
        // nodes
        {HEAD2 "$Nodes\n1000000000\n1 0 0 0\n$EndNodes\n",
         "a.msh:5:1: 1000000000 nodes are declared, but 18 bytes are left; the file is truncated, "
         "or the number is wrong"},
        {HEAD4 "$Nodes\n1 1000000000 1 4\n2 1 0 1000000000\n1\n",
         "a.msh:5:1: 1000000000 nodes are declared, but 19 bytes are left; the file is truncated, "
         "or the number is wrong"},
        {HEAD4 "$Nodes\n1000000000 1 1 4\n",
         "a.msh:5:1: 1000000000 blocks of nodes are declared, but 0 bytes are left; the file is "
         "truncated, or the number is wrong"},
        {HEAD2 "$Nodes\n-1\n",
         "a.msh:5:1: '-1' is not a valid number of nodes: a whole number of at least 0 is needed"},
        {HEAD2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "a.msh:7:1: node 1 is defined twice"},
        {HEAD2 "$Nodes\n2\n1 0 0 0\n0 1 0 0\n$EndNodes\n",
         "a.msh:7:1: '0' is not a valid number of a node: a whole number of at least 1 is needed"},
        {HEAD2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n",
         "a.msh:6:5: y of a node must be a finite number, got 'nan'"},
        {HEAD2 "$Nodes\n1\n1 0 1e999 0\n$EndNodes\n",
         "a.msh:6:5: y of a node is not a finite number"},
        {HEAD2 "$Nodes\n1\n1 0 0\n$EndNodes\n", "a.msh:6:6: z of a node is missing on this line"},
        {HEAD2 "$Nodes\n1\n1 0 0 0 0\n$EndNodes\n", "a.msh:6:9: unexpected '0' on this line"},
        {HEAD2 "$Nodes\n2\n1 0 0 0\n$EndNodes\n",
         "a.msh:7:1: '$EndNodes' is not a valid number of a node: a whole number of at least 1 is "
         "needed"},
        {HEAD2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "a.msh:7:1: $EndNodes is expected here"},
        {HEAD4 "$Nodes\n1 1 1 1\n2 1 0 2\n1\n2\n0 0 0\n0 0 1\n$EndNodes\n",
         "a.msh:6:1: a block of 2 nodes, but of the 1 declared nodes only 1 are left"},
        {HEAD4 "$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n",
         "a.msh:6:1: 2 nodes are declared, but the blocks have 1"},
        {HEAD4 "$Nodes\n1 2 1 2\n4 1 0 1\n1\n0 0 0\n$EndNodes\n",
         "a.msh:6:1: '4' is not a valid dimension of a block: a whole number from 0 to 3 is "
         "needed"},
        // elements
        {HEAD2 NODES2 "$Elements\n1\n1 3 0 1 2 3 5\n$EndElements\n",
         "a.msh:13:12: element 1 has node 5, which does not exist"},
        {HEAD2 NODES2 "$Elements\n1\n1 3 0 1 2 3 3\n$EndElements\n",
         "a.msh:13: cell 1 has node 3 twice; give different nodes"},
        {HEAD2 NODES2 "$Elements\n1\n1 3 0 1 2 3\n$EndElements\n",
         "a.msh:13:12: node of an element is missing on this line"},
        {HEAD2 NODES2 "$Elements\n1\n1 10 0 1 2 3 4 5 6 7 8 9\n$EndElements\n",
         "a.msh:13:1: elements of type 10 (quadrilateral of 9 nodes) are not supported; let Gmsh "
         "omit "
         "the nodes inside faces (Mesh.SecondOrderIncomplete = 1)"},
        {HEAD2 NODES2 "$Elements\n1\n1 7 0 1 2 3 4 5\n$EndElements\n",
         "a.msh:13:1: elements of type 7 (pyramid of 5 nodes) are not supported; mesh with "
         "hexahedra, "
         "wedges and tetrahedra without pyramids between them"},
        {HEAD2 NODES2 "$Elements\n1\n1 92 0 1 2 3 4 5\n$EndElements\n",
         "a.msh:13:1: elements of type 92 are not supported; mesh with elements of first or second "
         "order (Mesh.ElementOrder)"},
        {HEAD2 NODES2 "$Elements\n1\n1 3 1000000000 1 2 3 4\n$EndElements\n",
         "a.msh:13:23: tag of an element is missing on this line"},
        {HEAD2 NODES2 "$Elements\n1000000000\n1 3 0 1 2 3 4\n$EndElements\n",
         "a.msh:12:1: 1000000000 elements are declared, but 27 bytes are left; the file is "
         "truncated, or the number is wrong"},
        {HEAD2 NODES2 "$Elements\n2\n1 3 0 1 2 3 4\n2 3 0 1 2 3 4\n$EndElements\n",
         "a.msh:14:1: elements 1 and 2 are identical; remove one"},
        {HEAD2 NODES2 "$Elements\n2\n1 3 0 1 2 3 4\n2 3 0 2 3 4 1\n$EndElements\n",
         "a.msh:14: elements 1 and 2 have the same nodes; remove one (Gmsh: Coherence Mesh)"},
        {HEAD4 NODES4 "$Elements\n1 2 1 1\n2 1 3 1\n1 1 2 3 4\n$EndElements\n",
         "a.msh:18:1: 2 elements are declared, but the blocks have 1"},
        {HEAD4 NODES4 "$Elements\n1 1 1 1\n2 1 3 2\n1 1 2 3 4\n$EndElements\n",
         "a.msh:18:1: a block of 2 elements, but only 1 of the declared ones are left"},
        {HEAD4 NODES4 "$Elements\n1 1 1 1\n1 1 3 1\n1 1 2 3 4\n$EndElements\n",
         "a.msh:18:1: elements of type 3 (quadrilateral) in a block of dimension 1"},
        {HEAD4 NODES4 "$Elements\n1 1000000000 1 1\n2 1 3 1000000000\n1 1 2 3 4\n$EndElements\n",
         "a.msh:17:1: 1000000000 elements are declared, but 40 bytes are left; the file is "
         "truncated, or the number is wrong"},
        // groups
        {HEAD2 "$PhysicalNames\n1\n2 1 body\n$EndPhysicalNames\n",
         "a.msh:6:5: the quoted name of a group, of 1 to 127 characters, is expected"},
        {HEAD2 "$PhysicalNames\n1\n4 1 \"body\"\n$EndPhysicalNames\n",
         "a.msh:6:1: '4' is not a valid dimension of a group: a whole number from 0 to 3 is "
         "needed"},
        {HEAD2 "$PhysicalNames\n2\n2 1 \"a\"\n2 1 \"b\"\n$EndPhysicalNames\n",
         "a.msh:7:1: group 1 of dimension 2 has two names, 'a' and 'b'"},
        {HEAD2 "$PhysicalNames\n1000000000\n2 1 \"a\"\n$EndPhysicalNames\n",
         "a.msh:5:1: 1000000000 names are declared, but 27 bytes are left; the file is truncated, "
         "or the number is wrong"},
        {HEAD4 "$Entities\n0 0 1000000000 0\n1 0 0 0 1 1 0 1 3 0\n$EndEntities\n",
         "a.msh:5:1: 1000000000 geometric entities are declared, but 34 bytes are left; the file "
         "is truncated, or the number is wrong"},
        {HEAD4 "$Entities\n0 0 2 0\n1 0 0 0 1 1 0 1 3 0\n1 0 0 0 1 1 0 1 3 0\n$EndEntities\n",
         "a.msh:7:1: geometric entity 1 of dimension 2 is defined twice"},
        {HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1000000000 3 0\n$EndEntities\n",
         "a.msh:6:14: 1000000000 groups are declared, but 18 bytes are left; the file is "
         "truncated, or the number is wrong"},
        {HEAD4 "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1 3 5 1\n$EndEntities\n",
         "a.msh:6:22: border is missing on this line"},
    };
    int wrong = 0;
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        gos_mesh *m;
        assert_int_not_equal(parse(bad[i].text, strlen(bad[i].text), false, &m), GOS_OK);
        if (strcmp(gos_ctx_message(mesh_ctx), bad[i].message) != 0) {
            print_error("%d: %s\n", i, gos_ctx_message(mesh_ctx));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* bytes of a binary file at a place after a text replaced */
static void refuse_bytes(bool v4, const char *after, size_t skip, const void *bytes, size_t n,
                         const char *part) {
    msh_file f = msh_write(&cubes, v4, true);
    gos_mesh *m;
    const size_t length = strlen(after);
    char *at = f.text;
    while (at + length < f.text + f.n && memcmp(at, after, length) != 0) {
        at++;
    }
    assert_true(at + length < f.text + f.n);
    memcpy(at + length + skip, bytes, n);
    assert_int_equal(parse(f.text, f.n, false, &m), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(mesh_ctx), part)) {
        fail_msg("%s", gos_ctx_message(mesh_ctx));
    }
    free(f.text);
}

static void test_refused_bytes(void **state) {
    GOS_UNUSED(state);
    const double nan = (double)NAN;
    const int64_t many = 1000000000;
    const int32_t swapped = 1 << 24, strange = 12345;
    refuse_bytes(false, "2.2 1 8\n", 0, &swapped, 4, "its byte order differs");
    refuse_bytes(false, "$Nodes\n14\n", 4, &nan, 8, "x of a node is not a finite number");
    refuse_bytes(false, "$Nodes\n14\n", 28, "\0\0\0\0", 4, "'0' is not a valid number of a node");
    refuse_bytes(false, "$Elements\n8\n", 0, &strange, 4,
                 "'12345' is not a valid type of "
                 "elements");
    refuse_bytes(false, "$Elements\n8\n", 8, &strange, 4, "1 elements are declared, but");
    refuse_bytes(true, "$Nodes\n", 8, &many, 8, "1000000000 nodes are declared, but");
    refuse_bytes(true, "$Nodes\n", 44, &many, 8, "1000000000 nodes, but of the 14");
    refuse_bytes(true, "$Elements\n", 8, &many, 8, "1000000000 elements are declared, but");
    refuse_bytes(true, "$Entities\n", 0, &many, 8, "geometric entities are declared, but");
}

/* cut anywhere but behind its last word, a file is refused, and nothing is read behind its end */
static void test_cut_off(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 4; k++) {
        msh_file f = msh_write(&cubes, k & 1, k & 2);
        for (size_t n = 0; n + 1 < f.n; n++) {
            gos_mesh *m;
            if (parse(f.text, n, false, &m) == GOS_OK) {
                fail_msg("%zu of %zu bytes are enough", n, f.n);
            }
            assert_true(gos_ctx_ndiag(mesh_ctx) > 0);
        }
        free(f.text);
    }
}

/* memory that runs out at any call: that is reported, and all of it comes back */
static void test_memory(void **state) {
    GOS_UNUSED(state);
    msh_file f = msh_write(&cubes, true, false);
    gos_status status = GOS_E_MEMORY;
    int failed = 0;
    for (int n = 1; status == GOS_E_MEMORY; n++) {
        faults arm;
        gos_mesh *m = NULL;
        gos_ctx *ctx = faults_context(&arm);
        assert_non_null(ctx);
        faults_arm(&arm, n, 1);
        status = gos__mesh_create(ctx, &m);
        if (status == GOS_OK) {
            status = gos__msh_parse(m, "a.msh", f.text, f.n, false);
            gos__mesh_destroy(m);
        }
        failed += status == GOS_E_MEMORY;
        gos_ctx_destroy(ctx);
        assert_int_equal(arm.live, 0);
    }
    assert_int_equal(status, GOS_OK);
    assert_true(failed > 50);
    free(f.text);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),      cmocka_unit_test(test_second_order),
        cmocka_unit_test(test_told),       cmocka_unit_test(test_twice),
        cmocka_unit_test(test_apart),      cmocka_unit_test(test_half_apart),
        cmocka_unit_test(test_side_twice), cmocka_unit_test(test_quality),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_refused_bytes),
        cmocka_unit_test(test_cut_off),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, mesh_setup, mesh_teardown);
}
SUITE_INTERNAL(suite)
