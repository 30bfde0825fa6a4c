/* *MPC, *DISTRIBUTING COUPLING, equations with nodes without cells, and bodies that only prescribed
   displacements hold: a column of two cubes against closed forms. Steady conduction by a jump of
   the conductivity, in a deck without *DENSITY. */
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

/* cubes of 1 m upwards, E = 1e9, no contraction; 99 has no cell */
#define COLUMN                                                                                     \
    "*NODE, NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"      \
    "9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n*NODE\n99,0,0,5.\n"                                    \
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n2, 5,6,7,8,9,10,11,12\n"                    \
    "*MATERIAL, NAME=M\n*ELASTIC\n1.E9, 0.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"

#define FIXED "*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n4, 1, 3\n"

static void solve(const char *deck, int node, const char *quantity, double y[3]) {
    char text[700];
    double all[GOS_PROBE_MAX];
    verify v;
    FILE *f = fopen(folder_path("c.inp"), "w");
    assert_non_null(f);
    assert_true(fputs(deck, f) >= 0);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(text, sizeof text,
                   "meshes: {m: {type: deck, file: c.inp}}\n"
                   "bodies: {b: {type: floating, mesh: m, deck_loads: true%s}}\n%s"
                   "probes: {u: {at: b.node(%d), quantity: %s}}\n"
                   "analysis: {type: static}\n",
                   *quantity == 't' ? ", motion: none" : ", reference: clamped",
                   *quantity == 't' ? ""
                                    : "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n",
                   node, quantity);
    calculix_open(&v, text, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "u", all);
    verify_close(&v);
    memcpy(y, all, (*quantity == 't' ? 1 : 3) * sizeof *y);
}

#define DISPLACEMENT "displacement"
#define STATIC(cards) "*STEP\n*STATIC\n" cards "*END STEP\n"

/* F L/(E A) = 2e-6 F */
static void test_mean(void **state) {
    (void)state;
    double u[3];
    // the set is below the card, as in CalculiX; 99 moves as the mean of the top
    solve(COLUMN FIXED
          "*ELEMENT, TYPE=DCOUP3D, ELSET=C\n7, 99\n"
          "*DISTRIBUTING COUPLING, ELSET=C\nTOP, 1.\n*NSET, NSET=TOP\n9,10,11,12\n" STATIC(
              "*CLOAD\n99, 3, 1000.\n"),
          99, DISPLACEMENT, u);
    verify_near_rel("DCOUP3D", u[2], 2e-6, 1e-9);
}

/* a lone node leads the top, and is moved, or follows it */
static void test_lone(void **state) {
    (void)state;
#define EQUAL                                                                                      \
    "*EQUATION\n2\n9,3,1.,99,3,-1.\n*EQUATION\n2\n10,3,1.,99,3,-1.\n"                              \
    "*EQUATION\n2\n11,3,1.,99,3,-1.\n*EQUATION\n2\n12,3,1.,99,3,-1.\n"
    double u[3];
    solve(COLUMN FIXED EQUAL STATIC("*CLOAD\n99, 3, 1000.\n"), 10, DISPLACEMENT, u);
    verify_near_rel("loaded", u[2], 2e-6, 1e-9);
    solve(COLUMN FIXED EQUAL STATIC("*BOUNDARY\n99, 3, 3, 1e-3\n"), 6, DISPLACEMENT, u);
    verify_near_rel("moved", u[2], 0.5e-3, 1e-9);
}

/* stretched by 7e-4 and turned by 2e-3 by prescribed displacements, of which three are 0 */
static void test_moved(void **state) {
    (void)state;
    double u[3];
    char text[2000] = COLUMN "*BOUNDARY\n1, 1, 3\n";
    static const double x[12][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1},
                                    {0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}};
    strcat(text, "*STEP\n*STATIC\n*BOUNDARY\n");
    for (int i = 1; i < 12; i++) {
        if (i < 4 || i > 7) { // the middle is free
            (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                           "%d, 1, 1, %g\n%d, 2, 2, %g\n%d, 3, 3, %g\n", i + 1, 2e-3 * x[i][2],
                           i + 1, 0.0, i + 1, 7e-4 * x[i][2] - 2e-3 * x[i][0]);
        }
    }
    strcat(text, "*END STEP\n");
    solve(text, 7, DISPLACEMENT, u);
    verify_near("x", u[0], 2e-3, 1e-12);
    verify_near("y", u[1], 0, 1e-12);
    verify_near("z", u[2], 7e-4 - 2e-3, 1e-12);
}

/* kinds of *MPC */
static void test_mpc(void **state) {
    (void)state;
    double u[3], w[3];
    // 6 keeps its distance from 5, which is fixed: no motion along x
    solve(COLUMN FIXED "*BOUNDARY\n5, 1, 3\n*MPC\nBEAM, 5, 6\n" STATIC("*CLOAD\n6, 1, 1000.\n"), 6,
          DISPLACEMENT, u);
    verify_near("BEAM", u[0], 0, 1e-15);
    // the top stays plane; corners without the constraint move otherwise
    solve(COLUMN FIXED "*MPC\nPLANE, 9, 10, 11, 12\n" STATIC("*CLOAD\n12, 3, 1000.\n"), 12,
          DISPLACEMENT, u);
    solve(COLUMN FIXED "*MPC\nPLANE, 9, 10, 11, 12\n" STATIC("*CLOAD\n10, 3, 1000.\n"), 12,
          DISPLACEMENT, w);
    assert_true(u[2] > 0 && w[2] < u[2]);
    // an edge stays straight: the middle moves by the mean of the ends
    double a[3], b[3], c[3];
#define EDGE COLUMN FIXED "*MPC\nSTRAIGHT, 1, 5, 9\n" STATIC("*CLOAD\n9, 1, 1000.\n5, 2, 500.\n")
    solve(EDGE, 1, DISPLACEMENT, a);
    solve(EDGE, 5, DISPLACEMENT, b);
    solve(EDGE, 9, DISPLACEMENT, c);
    verify_near_rel("STRAIGHT, x", c[0], 2 * b[0] - a[0], 1e-9);
    verify_near_rel("STRAIGHT, y", c[1], 2 * b[1] - a[1], 1e-9);
    // torsion of the top by a mean angle: opposite corners move by it times their arm
    solve(COLUMN FIXED "*MPC\nMEANROT, 9,9,9,10,10,10,11,11,11,12,12,12, 99\n" STATIC(
              "*BOUNDARY\n99, 1, 1, 1e-3\n"),
          10, DISPLACEMENT, u);
    verify_near_rel("MEANROT, x", u[0], 0.5e-3, 1e-9);
    verify_near_rel("MEANROT, y", u[1], 0.5e-3, 1e-9);
}

/* conductivity 50 below 52, 100 above: flux (32 50 + 48 100)/8, kink at z = 2 of 8 */
static void test_jump(void **state) {
    (void)state;
    char text[3000];
    double T[3];
    strcpy(text, "*NODE, NSET=N\n");
    for (int i = 0; i <= 8; i++) {
        for (int k = 0; k < 4; k++) {
            (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%d, %d, %d, %d\n",
                           1 + 4 * i + k, k == 1 || k == 2, k > 1, i);
        }
    }
    strcat(text, "*ELEMENT, TYPE=C3D8, ELSET=E\n");
    for (int i = 0; i < 8; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", i + 1, 4 * i + 1, 4 * i + 2,
                       4 * i + 3, 4 * i + 4, 4 * i + 5, 4 * i + 6, 4 * i + 7, 4 * i + 8);
    }
    strcat(text, "*MATERIAL, NAME=M\n*CONDUCTIVITY\n50., 0.\n50., 52.\n100., 52.0001\n100., 200.\n"
                 "*SOLID SECTION, ELSET=E, MATERIAL=M\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\n"
                 "N, 0.\n*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=HIGH\n33,34,35,36\n*STEP\n"
                 "*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLOW, 11, 11, 20.\nHIGH, 11, 11, 100.\n"
                 "*END STEP\n");
    solve(text, 5, "temperature", T);
    verify_near_rel("below the kink", T[0], 36, 1e-5);
    solve(text, 17, "temperature", T);
    verify_near_rel("above it", T[0], 68, 1e-5);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean), cmocka_unit_test(test_lone), cmocka_unit_test(test_moved),
        cmocka_unit_test(test_mpc),  cmocka_unit_test(test_jump),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
