/* bench/all: a line for each case that is requested, with times and a ratio; what it does not know
 * is named. bench/decks: results of small decks whose results are known in closed form. */
#include <math.h>

#include "program.h"
#include "support/suite.h"

/* what bench/all ends with; its outputs in out_text, error_text */
static int compare(const char *arguments) {
    char command[1000];
    (void)snprintf(command, sizeof command, "'%s/bench/all' '%s' %s >%s/out.txt 2>%s/error.txt",
                   GOS_SOURCE_DIR, GOS_PROGRAM, arguments, folder, folder);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void test_lines(void **state) {
    (void)state;
    char command[1000];
    (void)snprintf(command, sizeof command, "'%s' --turns 2 --cases start,disc --csv", GOS_PROGRAM);
    assert_int_equal(compare(command), 0);
    static const char *const name[] = {"start,", "disc,"};
    for (int i = 0; i < 2; i++) {
        double before = 0, after = 0, ratio = 0;
        const char *line = strstr(out_text, name[i]);
        assert_non_null(line);
        assert_int_equal(sscanf(strchr(line, ',') + 1, "%lf,%lf,%lf", &before, &after, &ratio), 3);
        assert_true(before > 0 && after > 0 && ratio > 0);
    }
}

static void test_use(void **state) {
    (void)state;
    assert_int_equal(compare("--cases start,nothing"), 2);
    assert_non_null(strstr(error_text, "no case nothing; there are start, "));
    assert_int_equal(compare("no-such-version --cases start"), 1);
    assert_non_null(strstr(error_text, "neither a program nor a version"));
}

/* A bar of two cubes pulled by 4 at its end: u = F x / (E A), E 1000, A 1, no Poisson's ratio. */
#define BAR                                                                                        \
    "*NODE\n1,0,0,0\n2,0,1,0\n3,0,1,1\n4,0,0,1\n5,1,0,0\n6,1,1,0\n7,1,1,1\n8,1,0,1\n"              \
    "9,2,0,0\n10,2,1,0\n11,2,1,1\n12,2,0,1\n*NSET,NSET=FIX\n1,2,3,4\n*NSET,NSET=END\n"             \
    "9,10,11,12\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,5,6,2,4,8,7,3\n2,5,9,10,6,8,12,11,7\n"            \
    "*MATERIAL,NAME=M\n*ELASTIC\n1000,0\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"         \
    "*BOUNDARY\nFIX,1,3\n"
#define PULL "*STEP\n*STATIC\n*CLOAD\nEND,1,1\n*END STEP\n"

static int judge(const char *arguments) {
    char command[1000];
    (void)snprintf(command, sizeof command,
                   "'%s/bench/decks' '%s' --program '%s' %s >%s/out.txt 2>%s/error.txt",
                   GOS_SOURCE_DIR, folder, GOS_PROGRAM, arguments, folder, folder);
    const int how = system(command);
    read_text("out.txt", out_text);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void test_decks(void **state) {
    (void)state;
    write_text("pulled.inp", BAR PULL);
    write_text("pulled.dat", "\n displacements (vx,vy,vz) for set END and time  0.1000000E+01\n\n"
                             "         9  8.000000E-03  0.000000E+00  0.000000E+00\n"
                             "         5  4.000000E-03  0.000000E+00  0.000000E+00\n");
    write_text("card.inp", BAR "*NO SUCH CARD\n" PULL);
    write_text("outside.inp", BAR "*MATERIAL,NAME=P\n*PLASTIC\n1,0\n" PULL);
    assert_int_equal(judge(""), 0);
    assert_non_null(strstr(out_text, "decks: 2, left out: 1\nrun: 1 (50 %)\nright: 1 of 1"));
    assert_non_null(strstr(out_text, "1 refused: *NO SUCH CARD: this card is not supported"));
    assert_non_null(strstr(out_text, "1 left out: *PLASTIC"));
    // one displacement is off by a thousandth of the largest
    write_text("wrong.inp", BAR PULL);
    write_text("wrong.frd.ref",
               "    2C                             2                                     1\n"
               " -1         5 1.00000E+00 0.00000E+00 0.00000E+00\n"
               " -1         9 2.00000E+00 0.00000E+00 0.00000E+00\n -3\n"
               "    1PSTEP                         1           1           1\n"
               "  100CL  101 1.000000000           2                     0    1           1\n"
               " -4  DISP        4    1\n"
               " -1         5 4.00800E-03 0.00000E+00 0.00000E+00\n"
               " -1         9 8.00000E-03 0.00000E+00 0.00000E+00\n -3\n");
    assert_int_equal(judge("--names wrong"), 1);
    assert_non_null(strstr(out_text, "differs       0.001"));
    assert_int_equal(judge("--names wrong --tolerance 2e-3"), 0);
}

/* a deck, and its result in CalculiX: a displacement, or a frequency if `node` is 0 */
static int judge_against(const char *deck, int node, double value) {
    char text[400];
    write_text("cause.inp", deck);
    if (node > 0) {
        (void)snprintf(text, sizeof text,
                       "\n displacements (vx,vy,vz) for set N and time  0.1000000E+01\n\n"
                       "%10d  %.6E  0.000000E+00  0.000000E+00\n",
                       node, value);
    } else {
        (void)snprintf(text, sizeof text,
                       "\n     E I G E N V A L U E   O U T P U T\n\n"
                       "      1   %.7E   %.7E   %.7E   0.0000000E+00\n",
                       pow(2 * M_PI * value, 2), 2 * M_PI * value, value);
    }
    write_text("cause.dat", text);
    return judge("--names cause");
}

/* A difference counts as explained only with a named cause whose size covers it: a property of the
 * deck (iteration, 5e-3), a warning (added mass, 1; rotations r, r^2/2 of the extent). Bar: the
 * first frequency of two cells along x alone, mu = (10 - sqrt(72))/14, omega^2 = 6 mu E/rho. */
static void test_explained(void **state) {
    (void)state;
    const char *const iterated = BAR "*STEP\n*STATIC,SOLVER=ITERATIVESCALING\n*CLOAD\nEND,1,1\n"
                                     "*END STEP\n";
    assert_int_equal(judge_against(iterated, 9, 8.03e-3), 0);
    assert_non_null(strstr(out_text, "right: 0 of 1 compared, explained: 1, differ: 0"));
    assert_non_null(strstr(out_text, "up to 0.005: CalculiX solves this deck by iteration"));
    assert_int_equal(judge_against(iterated, 9, 8.08e-3), 1);
    assert_non_null(strstr(out_text, "more than 0.005: CalculiX solves this deck by iteration"));
    const char *const scaled = BAR "5,2,3\n6,2,3\n7,2,3\n8,2,3\nEND,2,3\n"
                                   "*STEP\n*FREQUENCY\n1,,,1.\n*END STEP\n";
    const double f = sqrt(6000 * (10 - sqrt(72)) / 14) / (2 * M_PI);
    assert_int_equal(judge_against(scaled, 0, f), 0);
    assert_non_null(strstr(out_text, "right: 1 of 1 compared"));
    assert_int_equal(judge_against(scaled, 0, f / 1.5), 0);
    assert_non_null(strstr(out_text, "explained: 1"));
    assert_int_equal(judge_against(scaled, 0, f / 2.5), 1);
    // twist of 0.06: M L / (G J), J = 0.0140577 of a side of 0.1 (0.1405770 a^4); no linear
    // displacement on the axis
    const char *const twisted =
        "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=B31,ELSET=E\n1,1,2\n*MATERIAL,NAME=M\n*ELASTIC\n"
        "2.1E5,0.3\n*BEAM SECTION,ELSET=E,MATERIAL=M,SECTION=RECT\n0.1,0.1\n0,0,1\n"
        "*BOUNDARY\n1,1,6\n*STEP,NLGEOM\n*STATIC\n*CLOAD\n2,4,0.068\n*END STEP\n";
    assert_int_equal(judge_against(twisted, 2, -1e-6), 0);
    assert_non_null(strstr(out_text, "deformation causes rotations of 0.06"));
    assert_int_equal(judge_against(twisted, 2, -1e-2), 1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_use),
                                       cmocka_unit_test(test_decks),
                                       cmocka_unit_test(test_explained)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
