/* What decks tie together, *COUPLING, *RIGID BODY, *TIE, *EQUATION: bodies and linear models
   against what CalculiX prints of the same decks (tests/reference/calculix.py, seven digits), the
   two against each other, closed forms, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

#define LOADS ", deck_loads: true, temperature: off"

/* displacements under forces and moments, at the reference node, too; of the rotation node CalculiX
 * prints the rotation */
static void test_displacements(void **state) {
    (void)state;
    verify_below("*RIGID BODY", calculix_compare("rigid-end-push", 5, 1, LOADS, "", false, 90002),
                 1e-6);
    verify_below("*KINEMATIC", calculix_compare("kinematic-push", 5, 1, LOADS, "", false, 0), 1e-6);
    verify_below("*DISTRIBUTING", calculix_compare("distributing-push", 5, 1, LOADS, "", false, 0),
                 1e-6);
    verify_below("*DISTRIBUTING, rotations alone",
                 calculix_compare("distributing-turn", 5, 1, LOADS, "", false, 90001), 1e-6);
    verify_below("*TIE", calculix_compare("tied-push", 5, 1, LOADS, "", false, 0), 1e-6);
    verify_below("*EQUATION", calculix_compare("equations-push", 5, 1, LOADS, "", false, 0), 1e-6);
}

/* *TRANSFORM: supports across an inclined direction, forces along and around an axis, rectangular
 * and cylindrical */
static void test_axes(void **state) {
    (void)state;
    verify_below("*TRANSFORM", calculix_compare("transformed-push", 5, 1, LOADS, "", false, 0),
                 1e-6);
}

/* The same forces by the model, on the name of the coupling; reduced to static deflections under
 * them. */
static void test_named(void **state) {
    (void)state;
    const char *loads = "loads: {f: {type: force, on: body.END, value: [300, 200, -100]},\n"
                        "        m: {type: moment, on: body.END, moment: [5, -8, 6]}}\n";
    verify_below("by its name",
                 calculix_compare("kinematic-push", 5, 1, ", temperature: off", loads, false, 0),
                 1e-6);
}

/* largest difference of ten frequencies: of the body, or of the deck's linear model */
static double compare_modes(const char *name, bool body) {
    char text[600];
    double row[10 * 3], worst = 0;
    gos_mode mode[10];
    gos_linear *l;
    gos_mesh *mesh = NULL;
    verify v;
    int found;
    assert_int_equal(calculix_read(name, 3, 10, row), 10);
    (void)snprintf(text, sizeof text,
                   "meshes: {m: {type: deck, file: %s.inp}}\n"
                   "bodies: {body: {type: floating, mesh: m, reference: clamped,\n"
                   "                temperature: off}}\n"
                   "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n",
                   name);
    calculix_open(&v, text, CALCULIX);
    if (body) {
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    } else {
        verify_good(&v, gos_mesh_create(v.ctx, v.model, "m", &mesh));
        verify_good(&v, gos_linear_from_mesh(v.ctx, mesh, &l));
    }
    verify_good(&v, gos_linear_modes(v.ctx, l, 10, false, mode, &found));
    assert_int_equal(found, 10);
    for (int i = 0; i < 10; i++) {
        worst = fmax(worst, fabs(mode[i].frequency / row[3 * i + 2] - 1));
    }
    gos_linear_destroy(l);
    if (mesh) {
        gos_mesh_destroy(mesh);
    }
    verify_close(&v);
    return worst;
}

static void test_modes(void **state) {
    (void)state;
    static const char *const name[] = {"rigid-end-modes", "kinematic-modes", "tied-modes",
                                       "equations-modes"};
    for (int i = 0; i < GOS_COUNT(name); i++) {
        verify_below(name[i], compare_modes(name[i], true), 2e-7);
        verify_below("its linear model", compare_modes(name[i], false), 2e-7);
    }
}

/* ---- a column of two cubes of 1 m, nodes 1 to 12 upwards ------------------------------------- */

#define COLUMN                                                                                     \
    "*NODE, NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"      \
    "9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n*NODE\n99,0.5,0.5,3.\n"                                \
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n2, 5,6,7,8,9,10,11,12\n"                    \
    "*MATERIAL, NAME=M\n*ELASTIC\n1.E9, 0.\n*DENSITY\n1000.\n*SOLID SECTION, ELSET=E, "            \
    "MATERIAL=M\n"                                                                                 \
    "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=HIGH\n9,10,11,12\n*BOUNDARY\nLOW, 1, 3\n"               \
    "*SURFACE, NAME=TOP\n2, S2\n"

static const char column_model[] =
    "meshes: {m: {type: deck, file: column.inp}}\n"
    "bodies: {body: {type: floating, mesh: m, reference: clamped%s}}\n"
    "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n%s";

static gos_status try_column(verify *v, const char *deck, const char *body, const char *rest) {
    char text[1500];
    FILE *f = fopen(folder_path("column.inp"), "w");
    assert_non_null(f);
    assert_true(fputs(COLUMN, f) >= 0 && fputs(deck, f) >= 0);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(text, sizeof text, column_model, body, rest);
    return calculix_try(v, text, folder);
}

/* displacement of a place under forces */
static void push(const char *deck, const char *body, const char *rest, double y[3]) {
    char text[1000];
    verify v;
    (void)snprintf(text, sizeof text,
                   "%sprobes: {u: {at: body.node(9), quantity: displacement}}\n"
                   "analysis: {type: static}\n",
                   rest);
    verify_good(&v, try_column(&v, deck, body, text));
    verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    gos_options_get(v.sys, &v.opt);
    verify_static(&v);
    verify_probe(&v, v.state, "u", y);
    verify_close(&v);
}

#define PULL "loads: {f: {type: force, on: [body.node(9)], value: [0, 0, 1000]}}\n"

/* Equations that say twice what they say, in a ring and as a sum, hold the top level as one does: F
   L / (E A), without contraction. */
static void test_redundant(void **state) {
    (void)state;
    double y[GOS_PROBE_MAX];
    push("*EQUATION\n2\n9,3,1.,10,3,-1.\n*EQUATION\n2\n10,3,1.,11,3,-1.\n"
         "*EQUATION\n2\n11,3,2.,12,3,-2.\n*EQUATION\n2\n12,3,1.,9,3,-1.\n"
         "*EQUATION\n4\n9,3,1.,10,3,1.,\n11,3,-1.,12,3,-1.\n"
         "*EQUATION\n2\n9,3,1.,10,3,-1.\n",
         "", PULL, y);
    verify_below("ring of equations", fabs(y[2] / (1000 * 2 / 1e9) - 1), 1e-9);
    verify_below("aside", fmax(fabs(y[0]), fabs(y[1])), 1e-15);
}

/* A kinematic coupling of direction 3 alone keeps four nodes in a plane, which is one equation, and
 * leaves them free in it. */
static void test_some_directions(void **state) {
    (void)state;
    double one[GOS_PROBE_MAX], coupled[GOS_PROBE_MAX], free[GOS_PROBE_MAX];
    const char *pull = "loads: {f: {type: force, on: [body.node(9)], value: [300, 200, 1000]}}\n";
    push("*COUPLING, REF NODE=99, SURFACE=TOP, CONSTRAINT NAME=C\n*KINEMATIC\n3,3\n", "", pull,
         coupled);
    push("*EQUATION\n4\n9,3,1.,10,3,-1.,11,3,1.,12,3,-1.\n", "", pull, one);
    push("", "", pull, free);
    for (int c = 0; c < 3; c++) {
        verify_below("plane", fabs(coupled[c] - one[c]), 1e-9 * fabs(one[2]));
    }
    assert_true(fabs(free[2] - one[2]) > 0.1 * fabs(one[2]));
}

/* An interface on what the deck ties is refused, an averaging one is not; without the deck's ties a
   rigid one is what they were. */
static void test_interfaces(void **state) {
    (void)state;
    verify v;
    double tied[GOS_PROBE_MAX], own[GOS_PROBE_MAX];
    const char *deck = "*RIGID BODY, NSET=HIGH, REF NODE=99\n";
    const char *aside = "loads: {f: {type: force, on: %s, value: [100, 0, 1000]}}\n";
    char rest[200];
    assert_int_equal(try_column(&v, deck, ", interfaces: {tip: {of: HIGH}}", ""), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "`deck_ties: false`"));
    verify_close(&v);
    verify_good(&v, try_column(&v, deck, ", interfaces: {tip: {of: HIGH, type: averaging}}", ""));
    assert_int_equal(gos_ctx_ndiag(v.ctx), 1); // of hexahedra alone in their layers, no more
    assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, "layer"));
    verify_close(&v);
    (void)snprintf(rest, sizeof rest, aside, "body.node(99)");
    push(deck, "", rest, tied);
    (void)snprintf(rest, sizeof rest, aside, "body.tip");
    push(deck, ", deck_ties: false, interfaces: {tip: {of: HIGH, at: [0.5, 0.5, 3]}}", rest, own);
    for (int c = 0; c < 3; c++) {
        verify_below("rigid body and interface", fabs(tied[c] - own[c]), 1e-12 * fabs(own[2]));
    }
}

/* what a tie leaves is reported: nodes away from the second surface, and those whose face belongs
 * to another body */
static void test_left(void **state) {
    (void)state;
    static const struct {
        const char *tolerance, *body, *words;
    } cases[] = {{"", "", "4 nodes (e.g. 12) are farther from"},
                 {", POSITION TOLERANCE=3.", ", parts: [{cells: UPPER, material: M}], at: HIGH",
                  "4 nodes (e.g. 12) lie on faces outside this body"}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char deck[300];
        verify v;
        int told = 0;
        (void)snprintf(deck, sizeof deck,
                       "*ELSET, ELSET=UPPER\n2\n*SURFACE, NAME=BOTTOM\n1, S1\n"
                       "*TIE, NAME=T%s\nTOP, BOTTOM\n",
                       cases[i].tolerance);
        verify_good(&v, try_column(&v, deck, cases[i].body,
                                   "materials: {M: {density: 1000, young: 1e9}}\n"));
        for (int k = 0; k < gos_ctx_ndiag(v.ctx); k++) {
            const gos_diag *d = gos_ctx_diag(v.ctx, k);
            told += strstr(d->text, cases[i].words) && d->line == 37;
        }
        if (told != 1) {
            fail_msg("%d: %s", gos_ctx_ndiag(v.ctx), gos_ctx_message(v.ctx));
        }
        verify_close(&v);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *deck, *body, *words;
        int line;
    } cases[] = {
        {"*EQUATION\n2\n9,4,1.,10,3,-1.\n", "", "no degree of freedom 4", 34},
        {"*EQUATION\n2\n9,1,1.,10,11,-1.\n", "", "mixes", 34},
        {"*NSET, NSET=EDGE\n9,10\n*RIGID BODY, NSET=EDGE, REF NODE=99\n", "",
         "rotation about every axis", 35},
        {"*RIGID BODY, NSET=HIGH, REF NODE=99, ROT NODE=1\n", "", "belongs to a cell", 33},
        {"*COUPLING, REF NODE=99, SURFACE=TOP, CONSTRAINT NAME=C\n*DISTRIBUTING\n1,2\n", "", "list",
         33},
        {"*RIGID BODY, NSET=HIGH, REF NODE=99\n", ", coupling: first", "second-order", 33},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v;
        assert_int_equal(try_column(&v, cases[i].deck, cases[i].body, ""), GOS_E_INPUT);
        const gos_diag *d = gos_ctx_diag(v.ctx, 0);
        if (!strstr(d->text, cases[i].words) || d->line != cases[i].line) {
            fail_msg("line %d: %s", d->line, d->text);
        }
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_displacements),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_some_directions),
        cmocka_unit_test(test_interfaces),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
