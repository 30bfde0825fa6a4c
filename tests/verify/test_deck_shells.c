/* Loads of decks on faces of shells (`deck_loads: true`), in closed form: which face is meant, and
 * which way it pushes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

enum { N = 20 };              // cells along the strip
static const double t = 0.01; // thickness; 1 m long, 0.1 m wide, E 1e9, nu 0, k 2, normals along z

static void write_strip(const char *step) {
    FILE *f = fopen(folder_path("strip.inp"), "w");
    assert_non_null(f);
    fputs("*NODE, NSET=NALL\n", f);
    for (int i = 0; i < 2 * (N + 1); i++) {
        fprintf(f, "%d, %.12g, %g, 0.\n", i + 1, (double)(i / 2) / N, i % 2 ? 0.1 : 0.0);
    }
    fputs("*ELEMENT, TYPE=S4, ELSET=E\n", f);
    for (int i = 0; i < N; i++) {
        fprintf(f, "%d, %d, %d, %d, %d\n", i + 1, 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
    }
    fprintf(f,
            "*MATERIAL, NAME=M\n*ELASTIC\n1.E9, 0.\n*DENSITY\n1000.\n*CONDUCTIVITY\n2.\n"
            "*SPECIFIC HEAT\n10.\n*SHELL SECTION, ELSET=E, MATERIAL=M\n%g\n"
            "*NSET, NSET=ROOT\n1,2\n*NSET, NSET=TIP\n%d,%d\n*BOUNDARY\nROOT, 1, 6\n"
            "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 0.\n%s",
            t, 2 * N + 1, 2 * N + 2, step);
    assert_int_equal(fclose(f), 0);
}

static void probe(const char *step, const char *body, const char *quantity, double *y) {
    char model[700];
    verify v;
    write_strip(step);
    (void)snprintf(
        model, sizeof model,
        "meshes: {m: {type: deck, file: strip.inp}}\n"
        "bodies: {body: {type: floating, mesh: m, reference: clamped, deck_loads: true%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
        "probes: {y: {at: body.node(41), quantity: %s}}\nanalysis: {type: static}\n",
        body, quantity);
    calculix_open(&v, model, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "y", y);
    verify_close(&v);
}

/* Of a strip: q L^4 / (8 E I) at its tip, with I by width. P and a pressure on the face behind push
   along the normal, on the face before against it. Linear shape functions on 20 cells are 1/1600
   too soft or stiff. */
static void test_pressure(void **state) {
    (void)state;
    static const struct {
        const char *load;
        double sign;
    } cases[] = {{"E, P, 0.5", 1},    {"E, P1, 0.5", 1},    {"E, P2, 0.5", -1},
                 {"E, PNEG, 0.5", 1}, {"E, PPOS, 0.5", -1}, {"E, GRAV, 0.05, 0., 0., 1.", 1}};
    const double w = 0.5 / (8 * 1e9 * t * t * t / 12);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        double y[GOS_PROBE_MAX];
        char step[200];
        (void)snprintf(step, sizeof step, "*STEP\n*STATIC\n*DLOAD\n%s\n*END STEP\n", cases[i].load);
        probe(step, ", temperature: off", "displacement", y);
        verify_below(cases[i].load, fabs(y[2] / (cases[i].sign * w) - 1), 2e-3);
    }
}

/* a moment on nodes of the tip bends it to M L^2 / (2 E I) */
static void test_moment(void **state) {
    (void)state;
    double y[GOS_PROBE_MAX];
    probe("*STEP\n*STATIC\n*CLOAD\nTIP, 5, 0.01\n*END STEP\n", ", temperature: off", "displacement",
          y);
    const double w = -0.02 / (2 * 1e9 * 0.1 * t * t * t / 12); // about y: down
    verify_below("moments on nodes", fabs(y[2] / w - 1), 2e-3);
}

/* Heat into one face that leaves by a film on the other one: the sink's temperature, q / h over it
   on the cool face, and q t / k across. Without expansion nothing bends. */
static void test_heat(void **state) {
    (void)state;
    for (int up = 0; up < 2; up++) {
        double T[GOS_PROBE_MAX];
        char step[300];
        (void)snprintf(step, sizeof step,
                       "*STEP\n*HEAT TRANSFER, STEADY STATE\n*DFLUX\nE, %s, 300.\n"
                       "*FILM\nE, %s, 20., 50.\n*END STEP\n",
                       up ? "SPOS" : "S1", up ? "F1" : "FPOS");
        probe(step, "", "temperature", T);
        verify_near("in the middle", T[0], 20 + 300.0 / 50 + 300 * t / 2 / 2, 1e-8);
        verify_near("along the normal", T[1], (up ? 1 : -1) * 300.0 / 2, 1e-6);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_moment),
        cmocka_unit_test(test_heat),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
