/* Beams of decks (B31, *BEAM SECTION): closed forms of each section, CalculiX, the same body said
   by the model, loads of the deck, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "math/section_shapes.h"
#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

static const double E = 210e9, G = 210e9 / 2.6, rho = 7800;

static void write_deck(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* A column of 1 m along x, an arm of 0.5 m along y from its end, `n` cells in each; the sets
 * COLUMN, ARM, TIP. */
static void write_corner(int n, const char *section, const char *step) {
    static char text[6000];
    int used = snprintf(text, sizeof text, "*NODE, NSET=NALL\n");
    for (int i = 0; i <= 2 * n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%d, %.12g, %.12g, 0.\n", i + 1,
                         i < n ? (double)i / n : 1, i < n ? 0 : 0.5 * (i - n) / n);
    }
    for (int i = 0; i < 2 * n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%d, %d, %d\n",
                         i == 0   ? "*ELEMENT, TYPE=B31, ELSET=COLUMN\n"
                         : i == n ? "*ELEMENT, TYPE=B31R, ELSET=ARM\n"
                                  : "",
                         i + 1, i + 1, i + 2);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used,
                   "*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n*ELSET, ELSET=E\nCOLUMN, "
                   "ARM\n*NSET, NSET=TIP\n%d\n"
                   "*MATERIAL, NAME=M\n*ELASTIC\n210.E9, 0.3\n*DENSITY\n7800.\n*EXPANSION\n12.E-6\n"
                   "*CONDUCTIVITY\n43.\n*SPECIFIC HEAT\n465.\n"
                   "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=%s\n*BOUNDARY\n1, 1, 6\n"
                   "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 0.\n*STEP\n%s*END STEP\n",
                   2 * n + 1, section, step);
    write_deck("deck.inp", text);
}

static void probe_tip(const char *body, const char *rest, double *y) {
    char model[900];
    verify v;
    (void)snprintf(model, sizeof model,
                   "meshes: {m: {type: deck, file: deck.inp}}\n"
                   "bodies: {body: {type: floating, mesh: m, reference: clamped%s}}\n"
                   "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
                   "probes: {y: {at: body.TIP, quantity: displacement}}\n"
                   "analysis: {type: static}\n%s",
                   body, rest);
    calculix_open(&v, model, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "y", y);
    verify_close(&v);
}

/* ---- sections -------------------------------------------------------------------------------- */

typedef struct section {
    const char *card;
    double A, I[2], J, k[2]; // in the plane z = 0, along z; k[1]: 0: k[0]
} section;

/* Forces at the end of the arm: along x they bend both members in their plane, along y they pull
   the arm and bend the column, along z they bend both and twist the column. */
static void test_sections(void **state) {
    (void)state;
    static const char *const step[3] = {"TIP, 1, 50.", "TIP, 2, 50.", "TIP, 3, 50."};
    const double a = 0.02, b = 0.05, ro = 0.02, ri = 0.016, L = 1, l = 0.5;
    const double box = 0.03 * 0.05 - 0.026 * 0.044;
    const double round = M_PI * pow(0.03, 4) / 64, pipe = M_PI / 4 * (pow(ro, 4) - pow(ri, 4));
    const section cases[] = {
        {"RECT\n0.02, 0.05",
         a * b,
         {a * b * b * b / 12, b * a * a * a / 12},
         gos__torsion_rectangle(a, b),
         {gos__shear_rectangle(0.3)}},
        // direction 1 in the plane, as far as it is across each member
        {"RECT\n0.02, 0.05\n1., 1., 0.",
         a * b,
         {b * a * a * a / 12, a * b * b * b / 12},
         gos__torsion_rectangle(a, b),
         {gos__shear_rectangle(0.3)}},
        {"CIRC\n0.03, 0.03",
         M_PI * 0.03 * 0.03 / 4,
         {round, round},
         2 * round,
         {gos__shear_tube(0.3, 0)}},
        {"PIPE\n0.02, 0.004\n0., 0., 1.",
         M_PI * (ro * ro - ri * ri),
         {pipe, pipe},
         2 * pipe,
         {gos__shear_tube(0.3, ri / ro)}},
        {"RECTANGULAR\n0.03",
         9e-4,
         {6.75e-8, 6.75e-8},
         gos__torsion_rectangle(0.03, 0.03),
         {gos__shear_rectangle(0.3)}},
        {"CIRCULAR\n0.03",
         M_PI * 0.03 * 0.03 / 4,
         {round, round},
         2 * round,
         {gos__shear_tube(0.3, 0)}},
        // walls of 0.002 across z, of 0.003 across the other direction
        {"BOX\n0.03, 0.05, 0.002, 0.003, 0.002, 0.003",
         box,
         {(0.03 * pow(0.05, 3) - 0.026 * pow(0.044, 3)) / 12,
          (0.05 * pow(0.03, 3) - 0.044 * pow(0.026, 3)) / 12},
         4 * pow(0.028 * 0.047, 2) / (2 * 0.028 / 0.003 + 2 * 0.047 / 0.002),
         {2 * 0.002 * 0.05 / box, 2 * 0.003 * 0.03 / box}},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        const section *s = &cases[i];
        for (int d = 0; d < 3; d++) {
            double y[GOS_PROBE_MAX], load = 50;
            char text[100];
            (void)snprintf(text, sizeof text, "*STATIC\n*CLOAD\n%s\n", step[d]);
            write_corner(1 + i % 2, s->card, text);
            probe_tip(", deck_loads: true, temperature: off", "", y);
            const double k = s->k[d == 2 && s->k[1] > 0];
            const double shear = 1 / (k * G * s->A), *I = s->I, pull = 1 / (E * s->A);
            const double want[3] = {l * l * l / (3 * E * I[0]) + l * shear +
                                        l * l * L / (E * I[0]) + L * pull,
                                    L * L * L / (3 * E * I[0]) + L * shear + l * pull,
                                    (L * L * L + l * l * l) / (3 * E * I[1]) + (L + l) * shear +
                                        l * l * L / (G * s->J)};
            verify_near(s->card, y[d], load * want[d], 1e-8 * load * want[d]);
        }
    }
}

/* one number of CIRC is a diameter here and a radius elsewhere: a warning at its line */
static void test_one_number(void **state) {
    (void)state;
    static const char *const cards[] = {"RECT\n0.03", "CIRC\n0.03, 0.03", "CIRC\n0.03",
                                        "CIRCULAR\n0.03"};
    for (int i = 0; i < GOS_COUNT(cards); i++) {
        verify v;
        int n = 0;
        write_corner(1, cards[i], "*STATIC\n");
        calculix_open(&v,
                      "meshes: {m: {type: deck, file: deck.inp}}\n"
                      "bodies: {body: {type: floating, mesh: m, reference: clamped}}\n"
                      "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
                      "analysis: {type: static}\n",
                      folder);
        for (int k = 0; k < gos_ctx_ndiag(v.ctx); k++) {
            const gos_diag *d = gos_ctx_diag(v.ctx, k);
            n += d->count > 0 && d->line == 27 && strstr(d->text, "0.03, is the diameter") != NULL;
        }
        assert_int_equal(n, i > 1);
        verify_close(&v);
    }
}

/* ---- CalculiX -------------------------------------------------------------------------------- */

/* last row of NAME.csv */
static void last_row(const char *name, int width, double *row) {
    static double all[5 * 100];
    const int n = calculix_read(name, width, 100, all);
    memcpy(row, all + (size_t)width * (size_t)(n - 1), (size_t)width * sizeof *row);
}

/* CalculiX makes C3D8I of B31: second order in the length of cells where ours are exact, and the
 * shear factor 1 */
static void test_calculix_push(void **state) {
    (void)state;
    const double A = 0.02 * 0.05, load[3] = {1000, 100, 100};
    const double softer = 1 / gos__shear_rectangle(0.3) - 1;
    double c8[5], c16[5], y[GOS_PROBE_MAX];
    verify v;
    last_row("beams-push-8", 5, c8);
    last_row("beams-push-16", 5, c16);
    calculix_open(&v,
                  "meshes: {m: {type: deck, file: beams-push-8.inp}}\n"
                  "bodies: {body: {type: floating, mesh: m, reference: clamped, "
                  "deck_loads: true, temperature: off}}\n"
                  "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
                  "probes: {y: {at: body.node(9), quantity: displacement}}\n"
                  "analysis: {type: static}\n",
                  CALCULIX);
    verify_static(&v);
    verify_probe(&v, v.state, "y", y);
    verify_close(&v);
    for (int c = 0; c < 3; c++) {
        const double limit = (4 * c16[2 + c] - c8[2 + c]) / 3;
        const double own = y[c] - (c > 0 ? load[c] * softer / (G * A) : 0);
        verify_near("limit of CalculiX", limit, own, 1e-4 * own);
    }
}

/* Bending frequencies by pairs of meshes; torsion, the sixth, by Saint-Venant's constant: one brick
   across warps too little and is 1.15 times too stiff. */
static void test_calculix_modes(void **state) {
    (void)state;
    static double c8[3 * 20], c16[3 * 20];
    gos_linear *l;
    gos_mode mode[6];
    int found;
    verify v;
    assert_int_equal(calculix_read("beams-modes-8", 3, 20, c8), 10);
    assert_int_equal(calculix_read("beams-modes-16", 3, 20, c16), 10);
    calculix_open(&v,
                  "meshes: {m: {type: deck, file: beams-modes-16.inp}}\n"
                  "bodies: {body: {type: floating, mesh: m, reference: clamped, "
                  "temperature: off}}\n"
                  "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
                  "analysis: {type: static}\n",
                  CALCULIX);
    verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, 6, false, mode, &found));
    assert_int_equal(found, 6);
    for (int i = 0; i < 4; i++) {
        const double limit = (4 * c16[3 * i + 2] - c8[3 * i + 2]) / 3;
        verify_near("bending", mode[i].frequency, limit, 1.5e-3 * limit);
    }
    const double a = 0.02, b = 0.05, polar = a * b * (a * a + b * b) / 12;
    const double twist = sqrt(G * gos__torsion_rectangle(a, b) / (rho * polar)) / 4;
    verify_near("torsion", mode[5].frequency, twist, 5e-4 * twist);
    verify_within("of CalculiX", pow((4 * c16[17] - c8[17]) / 3 / twist, 2), 1.14, 1.16);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* ---- the same said by the model -------------------------------------------------------------- */

/* a sheet of shells on four beams, of the deck's sections or of the model's */
static void test_parts(void **state) {
    (void)state;
    double y[2][GOS_PROBE_MAX];
    static char text[4000];
    int used = snprintf(text, sizeof text, "*NODE, NSET=NALL\n");
    for (int i = 0; i < 15; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%d, %g, %g, 0.\n", i + 1,
                         0.1 * (i / 3), 0.1 * (i % 3));
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "*ELEMENT, TYPE=S4, ELSET=S\n");
    for (int i = 0; i < 8; i++) {
        const int o = 3 * (i / 2) + i % 2 + 1;
        used += snprintf(text + used, sizeof text - (size_t)used, "%d, %d, %d, %d, %d\n", i + 1, o,
                         o + 3, o + 4, o + 1);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "*ELEMENT, TYPE=B31, ELSET=B\n");
    for (int i = 0; i < 4; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%d, %d, %d\n", i + 9, 3 * i + 2,
                         3 * i + 5);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used,
                   "*MATERIAL, NAME=M\n*ELASTIC\n210.E9, 0.3\n*DENSITY\n7800.\n"
                   "*SHELL SECTION, ELSET=S, MATERIAL=M\n0.002\n"
                   "*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT\n0.02, 0.01\n"
                   "*NSET, NSET=ROOT\n1, 2, 3\n*NSET, NSET=TIP\n13\n*BOUNDARY\nROOT, 1, 6\n"
                   "*STEP\n*STATIC\n*CLOAD\nTIP, 3, 10.\n*END STEP\n");
    write_deck("deck.inp", text);
    probe_tip(", deck_loads: true, temperature: off", "", y[0]);
    probe_tip(", deck_loads: true, temperature: off, parts: [{cells: S, element: shell, thickness: "
              "0.002, material: m}, {cells: B, section: b, material: m, normal: [0, 0, 1]}]",
              "materials: {m: {density: 7800, young: 210e9, poisson: 0.3}}\n"
              "sections: {b: {type: rectangle, height: 0.01, width: 0.02}}\n",
              y[1]);
    for (int c = 0; c < 3; c++) {
        verify_near("sheet on beams", y[0][c], y[1][c], 1e-10 * fabs(y[1][2]));
    }
    assert_true(y[0][2] > 0);
}

/* ---- loads and heat -------------------------------------------------------------------------- */

/* gravity of a deck acts at the nodes: second order */
static void test_gravity(void **state) {
    (void)state;
    double off[2];
    const double a = 0.02, b = 0.05, q = rho * a * b * 10, L = 1, l = 0.5, I = b * a * a * a / 12;
    const double GJ = G * gos__torsion_rectangle(a, b),
                 shear = 1 / (gos__shear_rectangle(0.3) * G * a * b);
    // the arm's weight on the column's end, and its moment, which twists it; the column's own; the
    // arm's own
    const double want = q * (l * L * L * L / (3 * E * I) + l * L * shear + l * l / 2 * l * L / GJ +
                             L * L * L * L / (8 * E * I) + L * L / 2 * shear +
                             l * l * l * l / (8 * E * I) + l * l / 2 * shear);
    for (int i = 0; i < 2; i++) {
        double y[GOS_PROBE_MAX];
        write_corner(8 << i, "RECT\n0.02, 0.05", "*STATIC\n*DLOAD\nE, GRAV, 10., 0., 0., 1.\n");
        probe_tip(", deck_loads: true, temperature: off", "", y);
        off[i] = fabs(y[2] / want - 1);
    }
    verify_below("gravity", off[1], 1e-3);
    verify_within("its order", log2(off[0] / off[1]), 1.9, 2.1);
}

/* all of it warmer by 50, and more by what a flow through the column leaves: T(x) = 50 + P x / (k
 * A) */
static void test_heat(void **state) {
    (void)state;
    double y[GOS_PROBE_MAX];
    const double A = 0.02 * 0.05, alpha = 12e-6, P = 2, end = 50 + P / (43 * A);
    write_corner(2, "RECT\n0.02, 0.05",
                 "*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\n1, 11, 11, 50.\n*CFLUX\n3, 11, 2.\n");
    probe_tip(", deck_loads: true", "", y);
    verify_near("column", y[0], alpha * (50 + end) / 2, 1e-9 * alpha * end);
    verify_near("arm", y[1], alpha * end * 0.5, 1e-9 * alpha * end);
    verify_near("across", y[2], 0, 1e-9 * alpha * end);
}

/* ---- refused --------------------------------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *section, *step, *words;
    } cases[] = {
        {"RECT, OFFSET1=0.5\n0.02, 0.05", "*STATIC\n", "OFFSET1, OFFSET2) are not supported"},
        {"RECT, OFFSET2=-0.5\n0.02, 0.05", "*STATIC\n", "OFFSET1, OFFSET2) are not supported"},
        {"CIRC\n0.02, 0.03", "*STATIC\n", "ellipses (CIRC with two diameters) are not supported"},
        {"PIPE\n0.02, 0.03", "*STATIC\n", "thicker than its radius"},
        {"BOX\n0.02, 0.03, 0.001, 0.001, 0.002, 0.001", "*STATIC\n",
         "boxes with different opposite walls are not supported"},
        {"BOX\n0.02, 0.03, 0.011, 0.001, 0.011, 0.001", "*STATIC\n", "thicker than half"},
        {"RECT\n0.02, 0.05\n0., 1., 0.", "*STATIC\n", "is parallel to the `normal` of its section"},
        {"RECT\n0.02, 0.05", "*STATIC\n*DLOAD\nE, P1, 3.\n", "has no face '1'"},
        {"RECT\n0.02, 0.05\n*SOLID SECTION, ELSET=ARM, MATERIAL=M\n0.01", "*STATIC\n",
         "beams need a *BEAM SECTION"},
        {"RECT, ORIENTATION=O\n0.02, 0.05", "*STATIC\n", "without ORIENTATION"},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v;
        char text[300];
        bool told = false;
        (void)snprintf(text, sizeof text, "%s", cases[i].section);
        write_corner(2, text, cases[i].step);
        (void)calculix_try(&v,
                           "meshes: {m: {type: deck, file: deck.inp}}\n"
                           "bodies: {body: {type: floating, mesh: m, reference: clamped, "
                           "temperature: off}}\nanalysis: {type: static}\n",
                           folder);
        for (int k = 0; k < gos_ctx_ndiag(v.ctx); k++) {
            told = told || strstr(gos_ctx_diag(v.ctx, k)->text, cases[i].words);
        }
        if (!told) {
            fail_msg("'%s' is not told: %s", cases[i].words, gos_ctx_message(v.ctx));
        }
        assert_null(v.sys);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),       cmocka_unit_test(test_calculix_push),
        cmocka_unit_test(test_calculix_modes), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_gravity),        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_one_number),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE_INTERNAL(suite)
