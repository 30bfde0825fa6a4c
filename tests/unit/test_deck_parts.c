/* What decks make of materials, orientations, thicknesses and formulations, in closed form; and
 * what they are refused for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "deck/fe_parts.h"
#include "fe/layup.h"
#include "support/context.h"
#include "support/near.h"
#include "support/suite.h"

static gos_deck *deck;

#define CUBE                                                                                       \
    "*NODE\n1,1,0,0\n2,2,0,0\n3,2,1,0\n4,1,1,0\n5,1,0,1\n6,2,0,1\n7,2,1,1\n8,1,1,1\n"              \
    "*ELEMENT, TYPE=C3D8I, ELSET=E\n1, 1,2,3,4,5,6,7,8\n"
#define SHEET                                                                                      \
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,2,0,0\n6,2,1,0\n"                                \
    "*ELEMENT, TYPE=CPS4, ELSET=A\n1, 1,2,3,4\n*ELEMENT, TYPE=S4R, ELSET=B\n2, 2,5,6,3\n"
#define FIBRES                                                                                     \
    "*MATERIAL, NAME=CFRP\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n9.,1.,1.,0.3,0.,0.,1.,1.,\n1.\n"  \
    "*DENSITY\n1.\n"
#define STEEL "*MATERIAL, NAME=STEEL\n*ELASTIC\n210.E9, 0.3\n*DENSITY\n7800.\n"

static gos_status make(const char *text, const gos_deck_given *given, gos_deck_parts *parts) {
    gos_ctx_clear(ctx);
    if (gos__deck_parse(ctx, "test.inp", text, strlen(text), NULL, &deck) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    const gos_deck_given none = {.object = "body"};
    return gos__deck_parts(ctx, deck->mesh->arena, deck, given ? given : &none, parts);
}

static gos_deck_parts good(const char *text) {
    gos_deck_parts parts;
    if (make(text, NULL, &parts) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return parts;
}

static void test_isotropic(void **state) {
    GOS_UNUSED(state);
    const gos_deck_parts p =
        good(CUBE STEEL "*EXPANSION\n12.E-6\n*CONDUCTIVITY\n43.\n*SPECIFIC HEAT\n465.\n"
                        "*DAMPING, ALPHA=2., BETA=3.E-4\n"
                        "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n");
    assert_int_equal(p.n, 1);
    const gos_fe_material *m = p.part[0].material;
    assert_string_equal(p.part[0].element->name, "solid_incompatible");
    const double lambda = 210e9 * 0.3 / (1.3 * 0.4), mu = 210e9 / 2.6;
    near_mixed(m->stiffness[0][0], lambda + 2 * mu, 1e-12, 1e-14);
    near_mixed(m->stiffness[0][1], lambda, 1e-12, 1e-14);
    near_mixed(m->stiffness[4][4], mu, 1e-12, 1e-14);
    near_mixed(m->density, 7800, 1e-12, 1e-14);
    near_mixed(m->expansion[2], 12e-6, 1e-12, 1e-14);
    near_mixed(m->conductivity[1][1], 43, 1e-12, 1e-14);
    near_mixed(m->heat, 465, 1e-12, 1e-14);
    near_mixed(p.damping[0], 2, 1e-12, 1e-14);
    near_mixed(p.damping[1], 3e-4, 1e-12, 1e-14);
    gos__deck_destroy(deck);
}

/* the same crystal by engineering constants, by the nine and by the twenty-one of its stiffness */
static void test_orders(void **state) {
    GOS_UNUSED(state);
    const double E[3] = {100, 50, 20}, nu[3] = {0.2, 0.25, 0.3}, G[3] = {7, 8, 9};
    gos_fe_material m = {0};
    assert_int_equal(gos__fe_orthotropic(ctx, (gos_loc){0}, NULL, E, nu, G, &m), GOS_OK);
    double(*H)[6] = m.stiffness;
    char nine[500], all[900];
    (void)snprintf(nine, sizeof nine,
                   "*ELASTIC, TYPE=ORTHO\n%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,7,8,\n9\n", H[0][0],
                   H[0][1], H[1][1], H[0][2], H[1][2], H[2][2]);
    (void)snprintf(
        all, sizeof all,
        "*ELASTIC, TYPE=ANISO\n%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,0,0,\n0,7,0,0,0,0,8,0,"
        "\n0,0,0,0,9\n",
        H[0][0], H[0][1], H[1][1], H[0][2], H[1][2], H[2][2]);
    const char *laws[] = {"*ELASTIC, TYPE=ENGINEERING CONSTANTS\n100,50,20,0.2,0.25,0.3,7,8,\n9\n",
                          nine, all};
    for (int i = 0; i < GOS_COUNT(laws); i++) {
        char text[3000];
        (void)snprintf(text, sizeof text,
                       CUBE "*MATERIAL, NAME=C\n%s*DENSITY\n1.\n*EXPANSION, TYPE=ORTHO\n1.,2.,3.\n"
                            "*CONDUCTIVITY, TYPE=ANISO\n10.,20.,30.,1.,2.,3.\n"
                            "*SOLID SECTION, ELSET=E, MATERIAL=C\n",
                       laws[i]);
        const gos_deck_parts p = good(text);
        const gos_fe_material *c = p.part[0].material;
        for (int k = 0; k < 36; k++) {
            if (fabs(c->stiffness[k / 6][k % 6] - H[k / 6][k % 6]) > 1e-12 * 100) {
                fail_msg("law %d, entry %d", i, k);
            }
        }
        near_mixed(c->expansion[1], 2, 1e-12, 1e-14);
        near_mixed(c->expansion[3], 0, 1e-12, 1e-14);
        near_mixed(c->conductivity[0][1], 1, 1e-12, 1e-14);
        near_mixed(c->conductivity[2][0], 2, 1e-12, 1e-14);
        near_mixed(c->conductivity[1][2], 3, 1e-12, 1e-14);
        gos__deck_destroy(deck);
    }
}

/* at 30 degrees of rows at 20 and 40; thermal strain a(T) (T - zero): its derivative there */
static void test_tables(void **state) {
    GOS_UNUSED(state);
    const gos_deck_parts p =
        good(CUBE "*MATERIAL, NAME=M\n*ELASTIC\n200., 0.3, 20.\n100., 0.3, 40.\n*DENSITY\n1.\n"
                  "*EXPANSION, ZERO=10.\n1.E-5, 20.\n3.E-5, 40.\n"
                  "*CONDUCTIVITY\n1., 40.\n2., 50.\n*SPECIFIC HEAT\n5., 10.\n7., 20.\n"
                  "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                  "*NSET, NSET=N\n1,2,3,4,5,6,7,8\n"
                  "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nN, 30.\n");
    const gos_fe_material *m = p.part[0].material;
    near_mixed(p.temperature, 30, 1e-12, 1e-14);
    near_mixed(m->stiffness[3][3], 150 / 2.6, 1e-12, 1e-14);
    near_mixed(m->expansion[0], 2e-5 + (3e-5 - 1e-5) / 20 * (30 - 10), 1e-12, 1e-14);
    near_mixed(m->conductivity[0][0], 1, 1e-12, 1e-14); // before its first row
    near_mixed(m->heat, 7, 1e-12, 1e-14);               // behind its last one
    gos__deck_destroy(deck);
}

/* axes turned by 30 degrees about z; those of a cylinder about z at the cell's middle (1.5, 0.5) */
static void test_axes(void **state) {
    GOS_UNUSED(state);
    gos_deck_parts p = good(CUBE STEEL "*ORIENTATION, NAME=O\n1.,0.,0.,0.,1.,0.\n3, 30.\n"
                                       "*SOLID SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n");
    const double *a = p.part[0].axes, c = cos(acos(-1.0) / 6);
    const double turned[9] = {c, 0.5, 0, -0.5, c, 0, 0, 0, 1};
    assert_false(p.part[0].axes_by_cell);
    for (int i = 0; i < 9; i++) {
        near_mixed(a[i], turned[i], 1e-12, 1e-14);
    }
    gos__deck_destroy(deck);
    p = good(CUBE STEEL "*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\n0.,0.,-1.,0.,0.,5.\n"
                        "*SOLID SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n");
    a = p.part[0].axes;
    const double r = hypot(1.5, 0.5),
                 round[9] = {1.5 / r, 0.5 / r, 0, -0.5 / r, 1.5 / r, 0, 0, 0, 1};
    assert_true(p.part[0].axes_by_cell);
    for (int i = 0; i < 9; i++) {
        near_mixed(a[i], round[i], 1e-12, 1e-14);
    }
    gos__deck_destroy(deck);
}

static void test_sheets(void **state) {
    GOS_UNUSED(state);
    const gos_deck_parts p = good(SHEET STEEL "*SOLID SECTION, ELSET=A, MATERIAL=STEEL\n0.01\n"
                                              "*SHELL SECTION, ELSET=B, MATERIAL=STEEL\n0.02\n");
    assert_int_equal(p.n, 2);
    assert_string_equal(p.part[0].element->name, "plane_stress");
    assert_string_equal(p.part[1].element->name, "shell");
    near_mixed(p.part[0].thickness, 0.01, 1e-12, 1e-14);
    near_mixed(p.part[1].thickness, 0.02, 1e-12, 1e-14);
    assert_int_equal(p.part[1].n, 1);
    assert_int_equal(p.part[1].cell[0], 1);
    gos__deck_destroy(deck);
}

static void test_types(void **state) {
    GOS_UNUSED(state);
    static const char *const pairs[][2] = {{"C3D20R", "solid_reduced"},
                                           {"C3D8", "solid"},
                                           {"C3D6", "solid_reduced"},
                                           {"DC3D6", "solid_reduced"},
                                           {"C3D15", "solid"},
                                           {"DC3D10", "solid"},
                                           {"C3D20RT", "solid_reduced"},
                                           {"CPE4I", "plane_strain_incompatible"},
                                           {"CPS8R", "plane_stress_reduced"},
                                           {"CAX4", "axisymmetric"},
                                           {"DS4", "shell"},
                                           {"B31", "beam"},
                                           {"B31R", "beam"},
                                           {"B32R", "beam"},
                                           {"T3D2", "truss"},
                                           {"T2D3", "plane_truss"},
                                           {"C3D8R", "solid_incompatible"},
                                           {"S4R", "shell"}};
    static const char *const none[] = {"C3D8H", "C3D10M", "B33",    "M3D4",
                                       "CAX4I", "MASS",   "SPRINGA"};
    for (int i = 0; i < GOS_COUNT(pairs); i++) {
        const bool shell = strcmp(pairs[i][1], "shell") == 0;
        const gos_fe_element *e =
            gos__deck_element(pairs[i][0], shell ? GOS_CELL_QUAD4 : GOS_CELL_HEX8);
        assert_non_null(e);
        assert_string_equal(e->name, pairs[i][1]);
    }
    for (int i = 0; i < GOS_COUNT(none); i++) {
        assert_null(gos__deck_element(none[i], GOS_CELL_HEX8));
    }
}

/* units: everything of a material, and a length */
static void test_units(void **state) {
    GOS_UNUSED(state);
    const double L = 1e-3, M = 1000; // mm, t, s
    gos_deck_parts parts;
    const gos_deck_given none = {.object = "body"};
    const char text[] = SHEET "*MATERIAL, NAME=S\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.8E-9\n"
                              "*EXPANSION\n12.E-6\n*CONDUCTIVITY\n43.\n*SPECIFIC HEAT\n465.E6\n"
                              "*SOLID SECTION, ELSET=A, MATERIAL=S\n7.\n"
                              "*SHELL SECTION, ELSET=B, COMPOSITE, OFFSET=-0.5\n3.,,S\n5.,,S\n";
    assert_int_equal(gos__deck_parse(ctx, "t", text, strlen(text), NULL, &deck), GOS_OK);
    gos__deck_convert(deck, L, M);
    assert_int_equal(gos__deck_parts(ctx, deck->mesh->arena, deck, &none, &parts), GOS_OK);
    const gos_fe_material *m = parts.part[0].material;
    near_mixed(m->stiffness[3][3], 210e9 / 2.6, 1e-12, 1e-14);
    near_mixed(m->density, 7800, 1e-12, 1e-14);
    near_mixed(m->expansion[0], 12e-6, 1e-12, 1e-14);
    near_mixed(m->conductivity[0][0], 43, 1e-12, 1e-14);
    near_mixed(m->heat, 465, 1e-12, 1e-14);
    near_mixed(parts.part[0].thickness, 7e-3, 1e-12, 1e-14);
    near_mixed(parts.part[1].thickness, 8e-3, 1e-12, 1e-14);
    near_mixed(parts.part[1].offset, 4e-3, 1e-12, 1e-14);
    near_mixed(parts.part[1].layup->ply[1].thickness, 5e-3, 1e-12, 1e-14);
    near_mixed(deck->mesh->x[1][0], 1e-3, 1e-12, 1e-14);
    deck->mass = 0;
    assert_int_equal(gos__deck_parts(ctx, deck->mesh->arena, deck, &none, &parts), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "mass_scale"));
    gos__deck_destroy(deck);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *words;
        int line;
    } cases[] = {
        {CUBE STEEL, "has no section", 11},
        {CUBE "*MATERIAL, NAME=M\n*ELASTIC\n1.,0.3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n",
         "no *DENSITY", 12},
        {CUBE "*MATERIAL, NAME=M\n*DENSITY\n1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n",
         "no *ELASTIC", 12},
        {SHEET STEEL "*SOLID SECTION, ELSET=A, MATERIAL=STEEL\n1.\n"
                     "*SHELL SECTION, ELSET=B, MATERIAL=STEEL, OFFSET=0.5\n1.\n",
         "OFFSET", 19},
        {CUBE "*MATERIAL, NAME=M\n*ELASTIC, TYPE=LAMINA\n9.,1.,0.3,1.,1.,1.\n*DENSITY\n1.\n"
              "*SOLID SECTION, ELSET=E, MATERIAL=M\n",
         "TYPE=LAMINA has no properties across", 13},
        {SHEET STEEL FIBRES "*ORIENTATION, NAME=O\n0.,1.,0.,0.,0.,1.\n"
                            "*SHELL SECTION, ELSET=A, COMPOSITE\n1.,,CFRP\n"
                            "*SHELL SECTION, ELSET=B, MATERIAL=STEEL\n1.\n",
         "must be shells of three or four nodes", 25},
        {SHEET STEEL FIBRES "*ORIENTATION, NAME=O\n0.,1.,0.,0.,0.,1.\n"
                            "*SOLID SECTION, ELSET=A, MATERIAL=STEEL\n1.\n"
                            "*SHELL SECTION, ELSET=B, COMPOSITE, ORIENTATION=O\n1.,,CFRP\n",
         "axis 3 of orientation 'O' is far from the normal of element 2", 23},
        {SHEET FIBRES "*ELEMENT, TYPE=S4, ELSET=C\n3, 1,2,3,4\n"
                      "*ORIENTATION, NAME=C, SYSTEM=CYLINDRICAL\n1.,-3.,0.,1.,-3.,1.\n"
                      "*ORIENTATION, NAME=O\n1.,0.,0.,0.,1.,0.\n*ELSET, ELSET=D\n2,3\n"
                      "*SOLID SECTION, ELSET=A, MATERIAL=CFRP\n1.\n*ELEMENT, TYPE=S4, ELSET=F\n4, "
                      "1,2,3,4\n5, 2,5,6,3\n*SHELL SECTION, ELSET=D, MATERIAL=CFRP\n1.\n"
                      "*SHELL SECTION, ELSET=F, COMPOSITE, ORIENTATION=O\n1.,,CFRP,C\n",
         "differs in element 5 from that in other elements", 34},
        {"*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=B33, ELSET=E\n1,1,2\n" STEEL
         "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=RECT\n1.,1.\n",
         "beams B31 and B32 and trusses are supported", 5},
        {"*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n" STEEL,
         "is a beam without section", 5},
        {"*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n" STEEL
         "*BEAM SECTION, ELSET=E, MATERIAL=STEEL, SECTION=BOX\n1.,1.,.1,.1,.2,.1\n",
         "boxes with different opposite walls are not supported", 11},
        {CUBE
         "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ORTHO\n1.,2.,1.,0.,0.,1.,1.,1.,\n1.\n*DENSITY\n1.\n"
         "*SOLID SECTION, ELSET=E, MATERIAL=M\n",
         "not positive", 13},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        gos_deck_parts parts;
        assert_int_equal(make(cases[i].text, NULL, &parts), GOS_E_INPUT);
        const gos_diag *d = gos_ctx_diag(ctx, 0);
        if (!strstr(d->text, cases[i].words) || d->line != cases[i].line) {
            fail_msg("line %d: %s", d->line, d->text);
        }
        gos__deck_destroy(deck);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isotropic), cmocka_unit_test(test_orders),
        cmocka_unit_test(test_tables),    cmocka_unit_test(test_axes),
        cmocka_unit_test(test_sheets),    cmocka_unit_test(test_types),
        cmocka_unit_test(test_units),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
