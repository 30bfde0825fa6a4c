/* Supports of decks (*BOUNDARY) as joints of `solid` bodies: against what CalculiX prints of a bar
   on inclined planes whose other end is moved (tests/reference/calculix.py), a cube that is moved
   in time, and what is reported of those that are not taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

/* largest difference of displacements over the largest of them, all nodes; `turned`: the mesh by a
 * quarter about x */
static double moved_supports(bool turned) {
    enum { MOST = 100, WIDTH = 5 };
    static double row[MOST * WIDTH];
    static char text[12000];
    const int n = calculix_read("moved-supports", WIDTH, MOST, row);
    double worst = 0, most = 0;
    verify v;
    int used =
        snprintf(text, sizeof text,
                 "meshes: {m: {type: deck, file: moved-supports.inp}}\n"
                 "bodies: {body: {type: solid, mesh: m, temperature: off, deck_supports: "
                 "true%s}}\n"
                 "analysis: {type: static, load_steps: 4, newton_tolerance: 1.0e-8}\nprobes:\n",
                 turned ? ", rotation_vector: [pi/2, 0, 0]" : "");
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  P%d: {at: body.node(%d), quantity: displacement}\n", i,
                         (int)row[WIDTH * i + 1]);
    }
    calculix_open(&v, text, CALCULIX);
    verify_static(&v);
    for (int i = 0; i < n; i++) {
        char probe[20];
        double y[GOS_PROBE_MAX];
        (void)snprintf(probe, sizeof probe, "P%d", i);
        verify_probe(&v, v.state, probe, y);
        const double own[3] = {y[0], turned ? y[2] : y[1], turned ? -y[1] : y[2]};
        for (int c = 0; c < 3; c++) {
            worst = fmax(worst, fabs(own[c] - row[WIDTH * i + 2 + c]));
            most = fmax(most, fabs(row[WIDTH * i + 2 + c]));
        }
    }
    verify_close(&v);
    return worst / most;
}

static void test_calculix(void **state) {
    GOS_UNUSED(state);
    verify_below("bar", moved_supports(false), 1e-6); // seven digits are printed
    verify_below("bar that stands", moved_supports(true), 1e-6);
}

/* ---- a cube of 1 m --------------------------------------------------------------------------- */

#define CUBE                                                                                       \
    "*NODE, NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"      \
    "9,2,0,0\n10,2,1,0\n"                                                                          \
    "*NSET, NSET=LOW\n1,2,3,4,9\n*NSET, NSET=HIGH\n5,6,7,8\n*NSET, NSET=X\n1,4,5,8\n"              \
    "*NSET, NSET=Y\n1,2,5,6\n"                                                                     \
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n"                                           \
    "*MATERIAL, NAME=M\n*ELASTIC\n1.E9, 0.25\n*DENSITY\n1.E-3\n"                                   \
    "*SOLID SECTION, ELSET=E, MATERIAL=M\n"

static void write_deck(const char *rest) {
    FILE *f = fopen(folder_path("cube.inp"), "w");
    assert_non_null(f);
    assert_true(fputs(CUBE, f) >= 0 && fputs(rest, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

#define MODEL(body, rest)                                                                          \
    "meshes: {m: {type: deck, file: cube.inp}}\n"                                                  \
    "bodies: {body: {type: solid, mesh: m" body "}}\n" rest

/* Pulled to 1.2 times its height and back by a table of time, free to contract: E_x = -nu E_z, E_z
   = (1.2^2 - 1)/2. The later line counts: node 7 has the height of the others. What LOW says of
   node 9, which no cell has, is nothing. */
static void test_in_time(void **state) {
    GOS_UNUSED(state);
    const double Ez = (1.2 * 1.2 - 1) / 2, x = sqrt(1 - 2 * 0.25 * Ez);
    double y[GOS_PROBE_MAX];
    verify v;
    write_deck("*AMPLITUDE, NAME=A\n0., 0., 1., 1., 2., 1., 3., 0.5\n"
               "*BOUNDARY\nX, 1, 1\nY, 2, 2\nLOW, 3, 3\n7, 3, 3, 0.5\n"
               "*STEP\n*STATIC\n*BOUNDARY, AMPLITUDE=A\nHIGH, 3, 3, 0.2\n*END STEP\n");
    calculix_open(&v,
                  MODEL(", deck_supports: true",
                        "probes: {p: {at: body.node(7), quantity: displacement}}\n"
                        "analysis: {end: 2, step: 0.05, rho_infinity: 0}\n"),
                  folder);
    verify_run(&v);
    verify_probe(&v, v.state, "p", y);
    verify_near("height", y[2], 0.2, 1e-9);
    verify_near("width", y[0], x - 1, 1e-6);
    verify_near("depth", y[1], x - 1, 1e-6);
    verify_close(&v);
}

/* the text of the only note or warning that has `part` in it */
static bool told(const char *model, const char *part, bool warning) {
    verify v;
    int n = 0;
    verify_good(&v, calculix_try(&v, model, folder));
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v.ctx, i);
        n += strstr(d->text, part) && (d->count > 0) == warning;
    }
    gos_system_destroy(v.sys);
    gos_model_destroy(v.model);
    gos_ctx_destroy(v.ctx);
    return n == 1;
}

static void test_left(void **state) {
    GOS_UNUSED(state);
    const char *floating = "meshes: {m: {type: deck, file: cube.inp}}\n"
                           "bodies: {body: {type: floating, mesh: m, deck_loads: true}}\n";
    write_deck("*BOUNDARY\nX, 1, 1\nY, 2, 2\n*STEP\n*STATIC\n*CLOAD\n7, 3, 5.\n"
               "*BOUNDARY\nLOW, 3, 3\n*END STEP\n");
    const char *lines = "supports of the deck are ignored: *BOUNDARY (line 29, 30, 36)";
    assert_true(told(MODEL("", ""), lines, false));
    assert_true(told(MODEL(", deck_loads: true", ""), lines, false));
    assert_true(told(floating, lines, false));
    assert_false(told(MODEL(", deck_supports: true", ""), lines, false));
    assert_true(told(MODEL(", deck_supports: true", ""),
                     "of the deck are ignored: "
                     "*CLOAD (line 34)",
                     false));
    write_deck("*INITIAL CONDITIONS, TYPE=TEMPERATURE\nLOW, 20.\nHIGH, 30.\n");
    assert_true(told(MODEL("", ""), "*INITIAL CONDITIONS (line 29)", false));
    write_deck("*ELEMENT, TYPE=S4, ELSET=S\n2, 2,9,10,3\n"
               "*SHELL SECTION, ELSET=S, MATERIAL=M\n0.1\n");
    assert_true(told(MODEL("", ""), "the 1 cells of this section are not solids", true));
}

static void expect_refused(const char *model, const char *part) {
    verify v;
    assert_int_equal(calculix_try(&v, model, folder), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(v.ctx), part)) {
        fail_msg("%s", gos_ctx_message(v.ctx));
    }
    gos_model_destroy(v.model);
    gos_ctx_destroy(v.ctx);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    write_deck("*TRANSFORM, NSET=HIGH\n0.8, 0., 0.6, 0., 1., 0.\n*BOUNDARY\nLOW, 1, 3\n"
               "*STEP\n*STATIC\n*BOUNDARY\nHIGH, 3, 3, 0.2\n*END STEP\n");
    expect_refused(MODEL(", deck_supports: true", ""), "cube.inp:35:");
    expect_refused("meshes: {m: {type: box, size: [1, 1, 1], cells: [1, 1, 1]}}\n"
                   "materials: {s: {density: 1, young: 1}}\n"
                   "bodies: {body: {type: solid, mesh: m, material: s, deck_supports: true}}\n",
                   "its mesh is not a deck");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calculix),
        cmocka_unit_test(test_in_time),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
