/* Decks of CalculiX and Abaqus: mesh, sets, materials and sections. What is refused is in
 * badinput/test_decks.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "deck/deck.h"
#include "support/context.h"
#include "support/meshes.h"
#include "support/folder.h" // behind the other, which has parameters of that name
#include "support/suite.h"

static gos_deck *parse(const char *text) {
    gos_deck *deck = NULL;
    gos_ctx_clear(ctx);
    if (gos__deck_parse(ctx, "a.inp", text, strlen(text), NULL, &deck) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return deck;
}

static void expect_set(const gos_mesh_set *set, int n, const int *item) {
    assert_non_null(set);
    assert_int_equal(set->n, n);
    assert_memory_equal(set->item, item, n * sizeof *item);
}

#define CUBE                                                                                       \
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"              \
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n"

/* sparse numbers in any order, small letters, blanks, comments, lines that continue, D exponents */
static void test_mesh(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse("** a comment\r\n"
                        "*heading\r\n text, with = anything\r\n"
                        "*Node , nset = n All\r\n"
                        "2000000000, 1.D0, 0., 0.\r\n"
                        " 30 , 1. , +1E0\r\n"
                        "** between\r\n"
                        "4,,1.0,\r\n"
                        "5,0,0,1d0\r\n"
                        "6,1,0,1\r\n"
                        "7,1,1,1\r\n\r\n"
                        "8,0,1,10.e-1\r\n"
                        "1\r\n"
                        "*ELEMENT, type=c3d8i,\r\n"
                        "  Elset = \"my set\"\r\n"
                        "70, 1, 2000000000, 30, 4,\r\n"
                        "    5, 6, 7, 8\r\n"
                        "*ELEMENT, TYPE=T3D3, ELSET=BEAM\n"
                        "7, 1, 4, 8\n");
    const gos_mesh *m = d->mesh;
    const int all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_int_equal(m->nnode, 8);
    assert_int_equal(m->ncell, 2);
    assert_true(m->tag[0] == 1 && m->tag[1] == 4 && m->tag[6] == 30 && m->tag[7] == 2000000000);
    assert_true(m->x[7][0] == 1 && m->x[7][1] == 0 && m->x[6][1] == 1 && m->x[1][1] == 1 &&
                m->x[5][2] == 1 && m->x[2][2] == 1);
    assert_int_equal(m->nblock, 2);
    assert_int_equal(m->block[0].shape, GOS_CELL_HEX8);
    assert_string_equal(m->block[0].type, "C3D8I");
    assert_int_equal(m->block[0].tag[0], 70);
    assert_int_equal(m->block[0].line[0], 17);
    assert_memory_equal(m->block[0].node, ((int[]){0, 7, 6, 1, 2, 3, 4, 5}), 8 * sizeof(int));
    // the middle node of a truss stands between its ends there, behind them here
    assert_int_equal(m->block[1].shape, GOS_CELL_LINE3);
    assert_memory_equal(m->block[1].node, ((int[]){0, 5, 1}), 3 * sizeof(int));
    expect_set(gos__mesh_node_set(m, "NALL"), 8, all);
    expect_set(gos__mesh_cell_set(m, "my set"), 1, all);
    expect_set(gos__mesh_cell_set(m, "BEAM"), 1, &all[1]);
    assert_int_equal(gos__mesh_surface(m, "skin")->n, 6);
    gos__deck_destroy(d);
}

/* every shape has a type, and its number of nodes */
static void test_types(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *type;
        gos_cell_shape shape;
    } types[] = {{"CPS4", GOS_CELL_QUAD4},   {"CPS8", GOS_CELL_QUAD8},  {"CPE8R", GOS_CELL_QUAD8},
                 {"CAX4", GOS_CELL_QUAD4},   {"CAX6", GOS_CELL_TRI6},   {"S4", GOS_CELL_QUAD4},
                 {"S8R", GOS_CELL_QUAD8},    {"S3", GOS_CELL_TRI3},     {"M3D4", GOS_CELL_QUAD4},
                 {"C3D4", GOS_CELL_TET4},    {"C3D8", GOS_CELL_HEX8},   {"C3D8I", GOS_CELL_HEX8},
                 {"C3D8R", GOS_CELL_HEX8},   {"C3D10", GOS_CELL_TET10}, {"C3D20", GOS_CELL_HEX20},
                 {"C3D20R", GOS_CELL_HEX20}, {"C3D6", GOS_CELL_WEDGE6}, {"C3D15", GOS_CELL_WEDGE15},
                 {"B31", GOS_CELL_LINE2},    {"T3D2", GOS_CELL_LINE2},  {"B32R", GOS_CELL_LINE3},
                 {"MASS", GOS_CELL_POINT},   {"DC3D20", GOS_CELL_HEX20}};
    gos_cell_shape shape;
    bool middle;
    for (int i = 0; i < GOS_COUNT(types); i++) {
        assert_true(gos__deck_shape(types[i].type, &shape, &middle));
        assert_int_equal(shape, types[i].shape);
    }
    assert_false(gos__deck_shape("", &shape, &middle));
    assert_false(gos__deck_shape(" ", &shape, &middle));
    assert_false(gos__deck_shape("C3", &shape, &middle));
    assert_false(gos__deck_shape("C3D8 C3D8R", &shape, &middle));
    assert_false(gos__deck_shape("GAPUNI", &shape, &middle));
}

/* numbers, sets of sets, ranges; a set is what it is at that line */
static void test_sets(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(CUBE "*NSET, NSET=a\n7, 3,\n3, 1\n*NSET,NSET=B\nA, 2\n*NSET,NSET=A\n8\n"
                             "*NSET,NSET=B,GENERATE\n4,8,2\n*NSET,NSET=A\nA\n*ELSET,ELSET=F\nE,1\n"
                             "*NSET,NSET=SPARSE,GENERATE\n7,1000000000,1\n");
    expect_set(gos__mesh_node_set(d->mesh, "A"), 4, (int[]){0, 2, 6, 7});
    expect_set(gos__mesh_node_set(d->mesh, "B"), 7, (int[]){0, 1, 2, 3, 5, 6, 7});
    expect_set(gos__mesh_node_set(d->mesh, "SPARSE"), 2, (int[]){6, 7});
    expect_set(gos__mesh_cell_set(d->mesh, "F"), 1, (int[]){0});
    assert_int_equal(gos_ctx_ndiag(ctx), 1);
    assert_string_equal(gos_ctx_diag(ctx, 0)->text,
                        "999999992 of the numbers 7 to 1000000000 are not nodes");
    gos__deck_destroy(d);
}

/* faces by the numbers of solids, plane elements and shells; the mesh has those that are sides */
static void test_surfaces(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(CUBE "*NODE\n11,0,0,5\n12,1,0,5\n13,1,1,5\n14,0,1,5\n"
                             "*ELEMENT,TYPE=S4\n2,11,12,13,14\n*ELEMENT,TYPE=CPS4\n3,11,12,13,14\n"
                             "*SURFACE,NAME=top\nE,S2\n1,S4\n*SURFACE,NAME=N,TYPE=NODE\n3\n1\n"
                             "*SURFACE,NAME=SHELL\n2,SPOS\n2,S1\n2,S4\n3,S4\n3,SN\n");
    const gos_mesh_surface *top = gos__mesh_surface(d->mesh, "TOP");
    assert_int_equal(top->n, 2);
    assert_true(top->cell[0] == 0 && top->side[0] == 1 && top->cell[1] == 0 && top->side[1] == 3);
    assert_int_equal(d->nsurface, 3);
    const gos_deck_surface *s = d->surface;
    assert_int_equal(s[0].nnode, 6); // 5 6 7 8 and 2 3 7 6
    assert_memory_equal(s[0].node, ((int[]){1, 2, 4, 5, 6, 7}), 6 * sizeof(int));
    assert_true(s[1].of_nodes && s[1].faces.n == 0 && s[1].nnode == 2 && s[1].node[1] == 2);
    assert_int_equal(s[2].faces.n, 5);
    assert_memory_equal(
        s[2].faces.face,
        ((signed char[]){GOS_DECK_FACE_POS, GOS_DECK_FACE_NEG, 1, 3, GOS_DECK_FACE_NEG}), 5);
    assert_null(gos__mesh_surface(d->mesh, "SHELL"));
    assert_int_equal(s[2].nnode, 4);
    gos__deck_destroy(d);
}

static void test_materials(void **state) {
    GOS_UNUSED(state);
    gos_deck *d = parse(
        CUBE "*MATERIAL, NAME=Steel\n*DENSITY\n7800.\n*ELASTIC\n2.1E11, .3\n1.9E11, .31, 500\n"
             "*EXPANSION, ZERO=20.\n12E-6\n*CONDUCTIVITY\n43.\n*SPECIFIC HEAT\n465.\n"
             "*DAMPING, ALPHA=1.5, BETA=1e-4\n"
             "*MATERIAL, NAME=WOOD\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
             "1e10,2e10,3e10,.1,.2,.3,4e9,5e9\n6e9, 100.\n"
             "*EXPANSION, TYPE=ORTHO\n1e-6,2e-6,3e-6\n"
             "*MATERIAL, NAME=ROCK\n*ELASTIC, TYPE=ANISO\n1,2,3,4,5,6,7,8\n"
             "9,10,11,12,13,14,15,16\n17,18,19,20,21,22\n"
             "*MATERIAL, NAME=SOFT\n*ELASTIC\n1,0\n*PLASTIC\n1,0\n2,.1\n");
    const gos_deck_material *m = d->material;
    assert_int_equal(d->nmaterial, 4);
    assert_string_equal(m[0].name, "STEEL");
    assert_true(m[0].elastic.n == 2 && m[0].elastic.width == 2 && m[0].elastic.t[1] == 500);
    assert_true(m[0].elastic.v[0] == 2.1e11 && m[0].elastic.v[3] == .31);
    assert_true(m[0].density.v[0] == 7800 && m[0].conductivity.v[0] == 43);
    assert_true(m[0].specific_heat.v[0] == 465 && m[0].expansion.v[0] == 12e-6 && m[0].zero == 20);
    assert_true(m[0].damping[0] == 1.5 && m[0].damping[1] == 1e-4);
    assert_int_equal(m[1].elastic_law, GOS_DECK_CONSTANTS);
    assert_true(m[1].elastic.v[5] == .3 && m[1].elastic.v[8] == 6e9 && m[1].elastic.t[0] == 100);
    assert_int_equal(m[1].expansion_law, GOS_DECK_ORTHOTROPIC);
    assert_true(m[1].expansion.v[2] == 3e-6);
    assert_int_equal(m[2].elastic_law, GOS_DECK_ANISOTROPIC);
    assert_true(m[2].elastic.v[20] == 21 && m[2].elastic.t[0] == 22);
    assert_string_equal(m[3].inactive, "*PLASTIC");
    assert_int_equal(gos_ctx_ndiag(ctx), 1);
    gos__deck_destroy(d);
}

/* a material may be defined below its section; of two sections of a cell the later one counts */
static void test_sections(void **state) {
    GOS_UNUSED(state);
    gos_deck *d =
        parse(CUBE "*ELEMENT,TYPE=S4,ELSET=SH\n2,1,2,3,4\n*ELEMENT,TYPE=B31,ELSET=B\n3,1,2\n4,2,3\n"
                   "*ELEMENT,TYPE=MASS,ELSET=P\n9,8\n"
                   "*ORIENTATION,NAME=O\n0,1,0, -1,0,0\n3, 30.\n"
                   "*ORIENTATION,NAME=C,SYSTEM=CYLINDRICAL\n0,0,0, 0,0,1\n"
                   "*SOLID SECTION,ELSET=E,MATERIAL=M,ORIENTATION=O\n,\n"
                   "*SHELL SECTION,ELSET=SH,MATERIAL=M,OFFSET=-0.5\n0.01, 5\n"
                   "*BEAM SECTION,ELSET=B,MATERIAL=M,SECTION=RECT,OFFSET1=.5\n.1,.2\n0,1,0\n"
                   "*BEAM SECTION,ELSET=B,MATERIAL=N,SECTION=PIPE\n.1,.02\n"
                   "*MASS,ELSET=P\n2.5\n*NSET,NSET=T\n1,2\n*TRANSFORM,NSET=T,TYPE=C\n0,0,0,0,0,1\n"
                   "*MATERIAL,NAME=M\n*MATERIAL,NAME=N\n");
    const gos_deck_section *s = d->section;
    const gos_deck_orientation *o = d->orientation;
    assert_int_equal(d->nsection, 5);
    assert_true(s[0].kind == GOS_DECK_SOLID && s[0].material == 0 && s[0].orientation == 0);
    assert_string_equal(s[0].set, "E");
    assert_true(s[0].n == 1 && s[0].cell[0] == 0 && s[0].value[0] == 0);
    assert_true(s[1].kind == GOS_DECK_SHELL && s[1].value[0] == .01 && s[1].offset[0] == -.5);
    assert_true(s[1].orientation == -1);
    assert_true(s[2].kind == GOS_DECK_BEAM_RECT && s[2].value[1] == .2 && s[2].offset[0] == .5);
    assert_true(s[2].direction[1] == 1 && s[2].direction[2] == 0 && s[2].n == 2);
    assert_true(s[3].kind == GOS_DECK_BEAM_PIPE && s[3].direction[2] == -1 && s[3].material == 1);
    assert_true(s[4].kind == GOS_DECK_MASS && s[4].material == -1 && s[4].value[0] == 2.5);
    assert_memory_equal(d->cell_section, ((int[]){0, 1, 3, 3, 4}), 5 * sizeof(int));
    assert_true(!o[0].cylindrical && o[0].a[1] == 1 && o[0].b[0] == -1 && o[0].axis == 3);
    assert_true(o[0].angle == 30 && o[1].cylindrical && o[1].b[2] == 1 && o[1].axis == 0);
    assert_true(d->ntransform == 1 && d->transform[0].cylindrical && d->transform[0].n == 2);
    gos__deck_destroy(d);
}

/* as an entry of `meshes`: its labels, and further sets by place */
static void test_entry(void **state) {
    assert_int_equal(folder_make(state), 0);
    FILE *f = fopen(folder_path("cube.inp"), "w");
    assert_true(f && fputs(CUBE "*NSET,NSET=Top\n5,6,7,8\n", f) >= 0 && fclose(f) == 0);
    assert_int_equal(mesh_setup(state), 0);
    gos_mesh *m = NULL;
    assert_int_equal(mesh_try("{type: deck, file: cube.inp, sets: {low: {of: nodes, plane: "
                              "{normal: [0, 0, 1]}}}}",
                              folder, &m),
                     GOS_OK);
    assert_int_equal(gos__mesh_node_set(m, "TOP")->n, 4);
    assert_int_equal(gos__mesh_node_set(m, "low")->n, 4);
    assert_true(m->deck && m->deck->mesh == m);
    gos__mesh_destroy(m);
    assert_int_not_equal(mesh_try("{type: deck, file: none.inp}", folder, &m), GOS_OK);
    assert_string_equal(
        gos_ctx_message(mesh_ctx),
        "a.yaml:2:19: mesh 'm': cannot open file 'none.inp': No such file or directory");
    (void)mesh_teardown(state);
    assert_int_equal(folder_remove(state), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh),      cmocka_unit_test(test_types),
        cmocka_unit_test(test_sets),      cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_materials), cmocka_unit_test(test_sections),
        cmocka_unit_test(test_entry),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
