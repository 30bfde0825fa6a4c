/* *SHELL SECTION, COMPOSITE of decks: the same as laminates of the model, to rounding, and what
 * CalculiX makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

#define FIBRES                                                                                     \
    "*MATERIAL, NAME=CFRP\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"                                 \
    "140.E9, 9.E9, 9.E9, 0.3, 0., 0., 5.E9, 5.E9,\n3.2E9\n"                                        \
    "*EXPANSION, TYPE=ORTHO\n-1.E-6, 3.E-5, 3.E-5\n*DENSITY\n1600.\n"
#define FOAM "*MATERIAL, NAME=FOAM\n*ELASTIC\n70.E6, 0.3\n*EXPANSION\n5.E-5\n*DENSITY\n60.\n"
#define WORDS                                                                                      \
    "materials:\n  cfrp: {type: orthotropic, density: 1600, E1: 140e9, E2: 9e9, nu12: 0.3,\n"      \
    "    G12: 5e9, G13: 5e9, G23: 3.2e9, E3: 9e9, expansion1: -1e-6, expansion2: 3e-5}\n"          \
    "  foam: {density: 60, young: 70e6, poisson: 0.3, expansion: 5e-5}\n"

/* a rectangle L x W of nx x ny cells, bent into a tube about z (L around) where `tube`, and what
 * follows the elements */
static void write_sheet(bool tube, int nx, int ny, double L, double W, const char *rest) {
    FILE *f = fopen(folder_path("sheet.inp"), "w");
    assert_non_null(f);
    fputs("*NODE, NSET=NALL\n", f);
    const int around = tube ? nx : nx + 1;
    for (int k = 0; k < around * (ny + 1); k++) {
        const double x = L * (k % around) / nx, y = W * (k / around) / ny, r = L / (2 * M_PI);
        if (tube) {
            fprintf(f, "%d, %.17g, %.17g, %.17g\n", k + 1, r * cos(x / r), r * sin(x / r), y);
        } else {
            fprintf(f, "%d, %.17g, %.17g, 0.\n", k + 1, x, y);
        }
    }
    fputs("*ELEMENT, TYPE=S4, ELSET=E\n", f);
    for (int k = 0; k < nx * ny; k++) {
        const int i = k % nx, j = k / nx, next = (i + 1) % around;
        fprintf(f, "%d, %d, %d, %d, %d\n", k + 1, j * around + i + 1, j * around + next + 1,
                (j + 1) * around + next + 1, (j + 1) * around + i + 1);
    }
    fputs("*NSET, NSET=ROOT\n", f);
    for (int k = 0; k < around * (ny + 1); k++) {
        if (tube ? k / around == 0 : k % around == 0) {
            fprintf(f, "%d,\n", k + 1);
        }
    }
    fputs(rest, f);
    assert_int_equal(fclose(f), 0);
}

/* displacement of a node under a force, and, of materials of the deck, the first frequencies of the
 * body */
static void solve(const char *head, const char *body, int node, double y[3]) {
    char model[3000];
    verify v;
    const int n = snprintf(
        model, sizeof model,
        "%smeshes: {m: {type: deck, file: sheet.inp}}\n"
        "bodies: {body: {type: floating, mesh: m, reference: clamped, at: ROOT%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
        "loads: {f: {type: force, on: body.node(%d), value: [0.1, 0.2, 1]}}\n"
        "gravity: [0, 0, -1]\n"
        "probes: {y: {at: body.node(%d), quantity: displacement}}\nanalysis: {type: static}\n",
        head, body, node, node);
    assert_true(n < (int)sizeof model);
    calculix_open(&v, model, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "y", y);
    verify_close(&v);
}

static void agree(const char *what, const double a[3], const double b[3]) {
    verify_below(what, verify_distance(a, b) / sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]), 1e-9);
}

/* layers by name of an orientation, by angle, of a material without directions, off the nodes;
   their axes from a turned orientation of the section, from none, and from those of layers alone */
static void as_in_words(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *what, *deck, *words, *direction;
    } cases[] = {
        {"section turned by 20, layers by angle",
         "*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n3, 20.\n"
         "*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=O, OFFSET=0.25\n"
         "5.E-4, 3, CFRP, 0., LOWER\n4.E-3, , FOAM\n5.E-4, 3, CFRP, -45.\n3.E-4, , CFRP, 90.\n",
         "panel: {type: laminate, material: cfrp, offset: -0.25*5.3e-3, plies: [{angle: 0, "
         "thickness: "
         "5e-4},\n    {material: foam, thickness: 4e-3}, {angle: deg(-45), thickness: "
         "5e-4}, {angle: deg(90), thickness: 3e-4}]}\n",
         "[cos(deg(20)), sin(deg(20)), 0]"},
        {"layers by names, foam without",
         "*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n3, 20.\n"
         "*ORIENTATION, NAME=P\n1., 1., 0., -1., 1., 0.\n*SHELL SECTION, ELSET=E, COMPOSITE\n"
         "5.E-4, , CFRP, P\n4.E-3, , FOAM\n5.E-4, , CFRP, O\n",
         "panel: {type: laminate, material: cfrp, plies: [{angle: 0, thickness: 5e-4},\n"
         "    {material: foam, thickness: 4e-3}, {angle: deg(-25), thickness: 5e-4}]}\n",
         "[1, 1, 0]"},
        {"of no orientation, by names and angles, axis 3 down",
         "*ORIENTATION, NAME=P\n1., 1., 0., 1., -1., 0.\n*SHELL SECTION, ELSET=E, COMPOSITE\n"
         "5.E-4, , CFRP\n5.E-4, , CFRP, P\n5.E-4, , CFRP, 10.\n",
         "panel: {type: laminate, material: cfrp, thickness: 5e-4, plies: [0, deg(45), "
         "deg(10)]}\n",
         "[1, 0, 0]"},
        {"TYPE=LAMINA",
         "*MATERIAL, NAME=LAM\n*ELASTIC, TYPE=LAMINA\n140.E9, 9.E9, 0.3, 5.E9, 5.E9, 3.2E9\n"
         "*DENSITY\n1600.\n*SHELL SECTION, ELSET=E, COMPOSITE\n"
         "5.E-4, , LAM, 30.\n5.E-4, , LAM, -30.\n",
         "panel: {type: laminate, material: cfrp, thickness: 5e-4, plies: [deg(30), deg(-30)]}\n",
         "[1, 0, 0]"}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char rest[2000], head[2000], body[200];
        double y[2][GOS_PROBE_MAX];
        (void)snprintf(rest, sizeof rest, FIBRES FOAM "%s", cases[i].deck);
        (void)snprintf(head, sizeof head, WORDS "  %s", cases[i].words);
        write_sheet(false, 8, 4, 0.4, 0.2, rest);
        solve("", "", 9, y[0]);
        (void)snprintf(body, sizeof body, ", parts: [{cells: E, material: panel, direction: %s}]",
                       cases[i].direction);
        solve(head, body, 9, y[1]);
        agree(cases[i].what, y[0], y[1]);
    }
}

/* a tube whose layers count from the axis, by a cylindrical orientation turned so that its third
 * axis is the normal */
static void tube(void **state) {
    GOS_UNUSED(state);
    double y[2][GOS_PROBE_MAX];
    write_sheet(true, 48, 8, 0.6, 0.3,
                FIBRES "*ORIENTATION, NAME=C, SYSTEM=CYLINDRICAL\n0., 0., 0., 0., 0., 1.\n2, 90.\n"
                       "*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=C\n"
                       "5.E-4, , CFRP, 30.\n5.E-4, , CFRP, -60.\n");
    solve("", "", 48 * 8 + 5, y[0]);
    solve(WORDS "  panel: {type: laminate, material: cfrp, thickness: 5e-4, plies: [deg(30), "
                "deg(-60)]}\n",
          ", parts: [{cells: E, material: panel, direction: [0, 0, 1]}]", 48 * 8 + 5, y[1]);
    agree("tube", y[0], y[1]);
}

/* CalculiX 2.20 with 32 x 16 elements S8R of this section (0/35/90, 5e-4 m each), clamped at one
   side: a force of 1 N at a corner, and 0.1 K, moved both corners of the other side by so much */
static void as_calculix(void **state) {
    GOS_UNUSED(state);
    static const double want[2][2] = {{1.551409e-2, 9.706389e-3}, {-1.292335e-4, -1.239130e-4}};
    write_sheet(false, 48, 24, 0.4, 0.2,
                FIBRES "*CONDUCTIVITY\n1.\n*SPECIFIC HEAT\n1.\n"
                       "*ORIENTATION, NAME=O0\n1., 0., 0., 0., 1., 0.\n"
                       "*ORIENTATION, NAME=O35\n0.8191520442889918, 0.573576436351046, 0., "
                       "-0.573576436351046, 0.8191520442889918, 0.\n"
                       "*ORIENTATION, NAME=O90\n0., 1., 0., -1., 0., 0.\n"
                       "*SHELL SECTION, ELSET=E, COMPOSITE\n"
                       "5.E-4, , CFRP, O0\n5.E-4, , CFRP, O35\n5.E-4, , CFRP, O90\n");
    for (int warm = 0; warm < 2; warm++) {
        char model[2000];
        verify v;
        (void)snprintf(model, sizeof model,
                       "meshes: {m: {type: deck, file: sheet.inp}}\n"
                       "bodies: {p: {type: floating, mesh: m, reference: clamped, at: ROOT}}\n"
                       "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
                       "loads: {f: {type: force, on: p.node(49), value: [0, 0, %d]}}\n"
                       "heat: {T: {type: temperature, value: %g, on: p.NALL}}\n"
                       "probes: {a: {at: p.node(49), quantity: displacement},\n"
                       "  b: {at: p.node(1225), quantity: displacement},\n"
                       "  s: {at: p.node(49), quantity: stress, ply: 3}}\n"
                       "analysis: {type: static}\n",
                       !warm, 0.1 * warm);
        calculix_open(&v, model, folder);
        verify_static(&v);
        verify_near(warm ? "warm" : "force", verify_value(&v, NULL, "a.z"), want[warm][0],
                    1.5e-3 * fabs(want[warm][0]));
        verify_near(warm ? "warm" : "force", verify_value(&v, NULL, "b.z"), want[warm][1],
                    1.5e-3 * fabs(want[warm][1]));
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_words),
        cmocka_unit_test(tube),
        cmocka_unit_test(as_calculix),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
