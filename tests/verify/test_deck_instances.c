/* Decks with parts and instances, as Abaqus/CAE writes them, against the same deck written flat:
   equal displacements. Two blocks of an orthotropic material, one moved and turned, tied and loaded
   by names and numbers of instances and of the assembly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

static const char *const corner = "000 100 110 010 001 101 111 011";

/* corner i of a block of 1.5 x 1 x 1, turned about (0, 0, 1) by `angle` through (0.5, 0.5), lifted
 */
static void corner_of(int i, double angle, double lift, double x[3]) {
    const char *s = corner + 4L * i;
    const double p = 1.5 * (s[0] - '0') - 0.5, q = s[1] - '0' - 0.5;
    x[0] = 0.5 + cos(angle) * p - sin(angle) * q;
    x[1] = 0.5 + sin(angle) * p + cos(angle) * q;
    x[2] = s[2] - '0' + lift;
}

static void put_nodes(FILE *f, int first, double angle, double lift) {
    for (int i = 0; i < 8; i++) {
        double x[3];
        corner_of(i, angle, lift, x);
        (void)fprintf(f, "%d, %.17g, %.17g, %.17g\n", first + i, x[0], x[1], x[2]);
    }
}

#define MATERIAL                                                                                   \
    "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"                                    \
    "2.E11, 1.E11, 5.E10, 0.3, 0.2, 0.1, 4.E10, 3.E10,\n2.E10\n*DENSITY\n7850.\n"

static void write_flat(double angle) {
    FILE *f = fopen(folder_path("flat.inp"), "w");
    assert_non_null(f);
    (void)fputs("*NODE\n", f);
    put_nodes(f, 1, 0, 0);
    put_nodes(f, 11, angle, 1);
    (void)fputs("21, 0.5, 0.5, 3\n*ELEMENT, TYPE=C3D8I, ELSET=E1\n1, 1,2,3,4,5,6,7,8\n"
                "*ELEMENT, TYPE=C3D8I, ELSET=E2\n11, 11,12,13,14,15,16,17,18\n"
                "*NSET, NSET=HOLD\n1,2,3,4\n*SURFACE, TYPE=ELEMENT, NAME=LOW\nE1, S2\n"
                "*SURFACE, TYPE=ELEMENT, NAME=HIGH\nE2, S1\n*SURFACE, TYPE=ELEMENT, NAME=UP\n"
                "E2, S2\n*COUPLING, CONSTRAINT NAME=C, REF NODE=21, SURFACE=UP\n*KINEMATIC\n"
                "*TIE, NAME=T, POSITION TOLERANCE=2.\nHIGH, LOW\n" MATERIAL
                "*ORIENTATION, NAME=O1\n1,0.2,0, 0,1,0.1\n",
                f);
    const double c = cos(angle), s = sin(angle);
    (void)fprintf(f, "*ORIENTATION, NAME=O2\n%.17g,%.17g,0, %.17g,%.17g,0.1\n", c - 0.2 * s,
                  s + 0.2 * c, -s, c);
    (void)fputs("*SOLID SECTION, ELSET=E1, MATERIAL=M, ORIENTATION=O1\n"
                "*SOLID SECTION, ELSET=E2, MATERIAL=M, ORIENTATION=O2\n"
                "*BOUNDARY\nHOLD, 1, 3\n*STEP\n*STATIC\n*CLOAD\n21, 1, 1000.\n17, 2, 500.\n"
                "*DSLOAD\nUP, P, 300.\n*END STEP\n",
                f);
    assert_int_equal(fclose(f), 0);
}

static void write_parts(double angle) {
    FILE *f = fopen(folder_path("parts.inp"), "w");
    assert_non_null(f);
    (void)fputs("*HEADING\n** as Abaqus/CAE\n*Part, name=Block\n*Node\n", f);
    put_nodes(f, 1, 0, 0);
    (void)fputs("*Element, type=C3D8I, elset=E\n1, 1,2,3,4,5,6,7,8\n*Nset, nset=Base\n1,2,3,4\n"
                "*Surface, type=ELEMENT, name=Top\nE, S2\n*Surface, type=ELEMENT, name=Bottom\n"
                "E, S1\n*Orientation, name=O\n1,0.2,0, 0,1,0.1\n"
                "*Solid Section, elset=E, material=M, orientation=O\n,\n*End Part\n"
                "*Assembly, name=Assembly\n*Instance, name=Block-1, part=Block\n*End Instance\n"
                "*Instance, name=Block-2, part=Block\n0., 0., 1.\n",
                f);
    (void)fprintf(f, "0.5, 0.5, 1., 0.5, 0.5, 3., %.17g\n", angle * 180 / M_PI);
    (void)fputs(
        "*End Instance\n*Node\n1, 0.5, 0.5, 3.\n*Nset, nset=m_Set-1\n1\n"
        "*Nset, nset=HOLD, internal, instance=Block-1, generate\n1, 4, 1\n"
        "*Elset, elset=_UP_S2, internal, instance=Block-2\n1\n"
        "*Surface, type=ELEMENT, name=UP\n_UP_S2, S2\n"
        "*Coupling, constraint name=C, ref node=m_Set-1, surface=UP\n*Kinematic\n"
        "*Tie, name=T, position tolerance=2.\nBlock-2.Bottom, Block-1.Top\n*End Assembly\n" MATERIAL
        "*Boundary\nHOLD, PINNED\n*Step, name=Step-1, nlgeom=NO\n*Static\n"
        "1., 1., 1e-05, 1.\n*Cload\nm_Set-1, 1, 1000.\nBlock-2.7, 2, 500.\n"
        "*Dsload\nUP, P, 300.\n*Restart, write, frequency=0\n"
        "*Output, field, variable=PRESELECT\n*End Step\n",
        f);
    assert_int_equal(fclose(f), 0);
}

/* displacements of nodes 1 to 18 and 21 */
static void solve(const char *name, double u[22][3]) {
    char text[3000];
    verify v;
    int n =
        snprintf(text, sizeof text,
                 "meshes: {m: {type: deck, file: %s.inp}}\n"
                 "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true}}\n"
                 "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                 "analysis: {type: static}\nprobes:\n",
                 name);
    for (int i = 1; i < 22; i++) {
        if (i != 9 && i != 10 && i != 19 && i != 20) {
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  u%d: {at: b.node(%d), quantity: displacement}\n", i, i);
        }
    }
    calculix_open(&v, text, folder);
    verify_static(&v);
    for (int i = 1; i < 22; i++) {
        char probe[8];
        (void)snprintf(probe, sizeof probe, "u%d", i);
        memset(u[i], 0, sizeof u[i]);
        if (i != 9 && i != 10 && i != 19 && i != 20) {
            verify_probe(&v, v.state, probe, u[i]);
        }
    }
    verify_close(&v);
}

static void test_flat(void **state) {
    (void)state;
    static const double angle[] = {0, M_PI / 2, 0.4};
    for (int k = 0; k < 3; k++) {
        double a[22][3], b[22][3], most = 0, off = 0;
        write_flat(angle[k]);
        write_parts(angle[k]);
        solve("flat", a);
        solve("parts", b);
        for (int i = 3; i < 66; i++) {
            most = fmax(most, fabs(a[i / 3][i % 3]));
            off = fmax(off, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
        }
        assert_true(most > 1e-9);
        verify_below("difference", off / most, 1e-10);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
