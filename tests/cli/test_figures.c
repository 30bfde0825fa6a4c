/* script/figures: each command, with short runs, draws the curves that belong to its figure, and
   its table has numbers that are known. */
#include <math.h>
#include <sys/stat.h>

#include "program.h"
#include "support/suite.h"

static char file_text[OUTPUT_MAX];

/* all figures, drawn once */
static int draw(void **state) {
    char command[1000];
    if (make_folder(state)) {
        return -1;
    }
    (void)snprintf(command, sizeof command,
                   "GOSSAMER='%s' '%s/script/figures' --short --to %s/figures >%s/out.txt "
                   "2>%s/error.txt",
                   GOS_PROGRAM, GOS_SOURCE_DIR, folder, folder, folder);
    const int how = system(command);
    if (how != 0) {
        read_text("error.txt", error_text);
        print_error("%s\n", error_text);
    }
    return how;
}

static const char *figure(const char *name) {
    char path[64];
    (void)snprintf(path, sizeof path, "figures/%s", name);
    read_text(path, file_text);
    return file_text;
}

static int count(const char *text, const char *what) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

/* a page with so many curves, each of three points at least, and all names */
static void check_page(const char *name, int curves, const char *const *key, int nkey) {
    const char *text = figure(name), *at = text;
    int found = 0;
    assert_int_equal(strncmp(text, "<svg", 4), 0);
    assert_non_null(strstr(text, "</svg>"));
    for (; (at = strstr(at, "<path d=\"M")) != NULL; at++) {
        const char *end = strstr(at, "/>");
        static char path[100000];
        assert_non_null(end);
        assert_true((size_t)(end - at) < sizeof path);
        (void)snprintf(path, sizeof path, "%.*s", (int)(end - at), at);
        if (strstr(path, "fill=\"none\"")) {
            assert_true(count(path, "L") + count(path, "M") >= 3);
            found++;
        }
    }
    assert_int_equal(found, curves);
    for (int i = 0; i < nkey; i++) {
        assert_non_null(strstr(text, key[i]));
    }
}

/* column `column` (from 0) behind the line that begins with `row` */
static double number(const char *row, int column) {
    const char *at = strstr(file_text, row);
    assert_non_null(at);
    at += strlen(row);
    for (; column > 0; column--) {
        at = strchr(at, ',');
        assert_non_null(at);
        at++;
    }
    return strtod(at, NULL);
}

static void test_hub_beam(void **state) {
    static const char *const key[] = {"full, 20 elements", "modal-5",    "modal-25",
                                      "krylov-3+2",        "combined-5", "bending-5"};
    (void)state;
    for (int k = 1; k <= 3; k++) {
        char name[40];
        (void)snprintf(name, sizeof name, "hub-beam-%d.svg", k);
        check_page(name, 6, key, 6);
        (void)snprintf(name, sizeof name, "hub-beam-%d.csv", k);
        assert_int_equal(count(figure(name), "\n0,1,"), 12); // seven of modes and five of vectors
        const double five = number("\n0,1,modal-5,", 0), more = number("\n0,1,modal-25,", 0);
        print_message("    figure %d: 5 modes miss %g, 25 modes %g\n", k, five, more);
        assert_true(more > 0 && more < 0.2 * five);
    }
    // the first modes bend: of the stretch they have nothing
    (void)figure("hub-beam-2.csv");
    assert_true(fabs(number("\n0,1,modal-20,", 0) - 1) < 1e-3);
    assert_true(number("\n0,1,modal-21,", 0) < 0.5);
}

static void test_buckling(void **state) {
    static const char *const key[] = {"force 0.5 + 0.5 sin N, zeta 0.01", "force 1 N, no damping",
                                      "the same of cables", "one half wave, static"};
    static const char *const bars[] = {"floating", "cables"};
    (void)state;
    check_page("buckling-10.svg", 5, key, 4);
    check_page("buckling-11.svg", 5, key, 4);
    for (int i = 0; i < 2; i++) { // E A alpha T of a straight bar; no thrust without heat
        char row[100];
        double T = 0, thrust = 0;
        (void)snprintf(row, sizeof row, "\n\"force 1 N, no damping\",%s,", bars[i]);
        for (const char *at = figure("buckling-11.csv"); (at = strstr(at, row)) && T < 20; at++) {
            T = strtod(at + strlen(row), NULL);
            thrust = strtod(strchr(at + strlen(row), ',') + 1, NULL);
        }
        print_message("    %s: %g N at %g K\n", bars[i], thrust, T);
        assert_true(T >= 20 && T < 25);
        assert_true(fabs(thrust / (2.1e11 * 7.6e-5 * 1.2e-5 * T) - 1) < 1e-3);
    }
}

/* thermal disc: the mesh; modes of temperature, to the constant one the closed form of a disc held
   at its inner edge, alpha (1 + nu) (b - a^2 / b) / (1 + nu + (1 - nu) a^2 / b^2) a kelvin, to the
   second the root 0.6773 / a of J_1' Y_1' of an annulus; and what the two bases miss, as
   published */
static void test_disc(void **state) {
    static const char *const key[] = {"0 degrees", "180 degrees", "full", "7 + 7 response modes",
                                      "7 + 18 plain modes"};
    static const char *const modes[] = {"mode 1: at rest", "mode 6: "};
    static const char *const places[] = {"u0, T0", "u180, T180", "heated by 3000 W/m2"};
    (void)state;
    check_page("disc-7.svg", 2, places, 3);
    assert_int_equal(count(file_text, "<polygon"), 36 * 4);
    (void)figure("disc-7.csv");
    assert_true(number("\nheated,", 0) == 24 && number("\ncooled,", 0) == 24);
    check_page("disc-8.svg", 24, modes, 2); // two circles each, before and after
    assert_int_equal(count(file_text, "<polygon"), 6 * 36 * 4);
    (void)figure("disc-8.csv");
    const double a = 0.075, b = 0.15, k = 43 / (7800 * 465.0);
    const double grown = 12e-6 * 1.3 * (b - a * a / b) / (1.3 + 0.7 * a * a / (b * b));
    print_message("    constant mode: %g m/K, %g in closed form\n", number("\n1,", 3), grown);
    assert_true(fabs(number("\n1,", 1) - 1) < 1e-5 && fabs(number("\n1,", 0)) < 1e-9);
    assert_true(fabs(number("\n1,", 3) / grown - 1) < 5e-3);
    const double rate = k * (0.6773 / a) * (0.6773 / a);
    print_message("    second mode: %g 1/s, %g in closed form\n", number("\n2,", 0), rate);
    assert_true(fabs(number("\n2,", 0) / rate - 1) < 0.01);
    assert_true(fabs(number("\n3,", 0) / number("\n2,", 0) - 1) < 1e-4);
    check_page("disc-9.svg", 18, key, 5);
    (void)figure("disc-9.csv");
    for (int i = 0; i < 3; i++) {
        static const char *const probe[] = {"u0.x", "u90.y", "u180.x"};
        char row[2][60];
        (void)snprintf(row[0], sizeof row[0], "\n7 + 7 response modes,%s,", probe[i]);
        (void)snprintf(row[1], sizeof row[1], "\n7 + 18 plain modes,%s,", probe[i]);
        const double response = number(row[0], 1), plain = number(row[1], 1);
        print_message("    %s: response modes miss %g, plain ones %g\n", probe[i], response, plain);
        assert_true(response < 0.01 && plain > 10 * response);
    }
}

/* the smart sheet: 24 patches of 280 that are chosen, the published figures, and voltages within
   their limit; builds without benchmarks do not draw it */
static void test_sheet(void **state) {
    char path[1000];
    struct stat there;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/figures/sheet-5.svg", folder);
    if (stat(path, &there) != 0) {
        print_message("skipped: this build has no bench_smart_sheet\n");
        skip();
    }
    static const char *const key[] = {"without control", "24 patches and observer", "limit, 400 V"};
    (void)figure("sheet-5.svg");
    assert_int_equal(count(file_text, "fill=\"#d9705a\" stroke=\"#fff\""), 12);
    (void)figure("sheet-3.svg");
    assert_int_equal(count(file_text, "moves the centre"), 5);
    assert_non_null(strstr(file_text, ">14: 21.244 Hz<"));
    (void)figure("sheet-4.csv");
    assert_int_equal(count(file_text, ",1\n"), 24);
    assert_true(fabs(number("\n64,", 3) / number("\n204,", 3) - 1) < 1e-6); // both faces of a place
    (void)figure("sheet-2.svg");
    assert_int_equal(count(file_text, "marker-end"), 7);
    check_page("sheet-6.svg", 3, key, 3);
    (void)snprintf(path, sizeof path, "%s/figures/sheet-6.csv", folder);
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    char line[200], name[40];
    double t, a, v, sum[2] = {0}, most = 0;
    int n[2] = {0};
    while (fgets(line, sizeof line, table)) {
        if (sscanf(line, "%39[^,],%lf,%lf,%lf", name, &t, &a, &v) == 4 && t >= 0.1105) {
            const int published = strcmp(name, "published") == 0;
            if (published || strcmp(name, "free") == 0) {
                sum[published] += a * a;
                n[published]++;
            }
            most = fmax(most, fabs(v));
        }
    }
    (void)fclose(table);
    print_message("    acceleration %.3f, controlled %.3f m/s^2, voltages up to %.1f\n",
                  sqrt(sum[0] / n[0]), sqrt(sum[1] / n[1]), most);
    assert_true(fabs(sqrt(sum[0] / n[0]) / 3.82 - 1) < 0.01); // a line per millisecond
    assert_true(fabs(sqrt(sum[1] / n[1]) / 1.24 - 1) < 0.02);
    assert_true(most <= 400);
}

/* Boley's beam over its closed form: by what steps of an 80th of a period leave, most where the
 * beam is quick (B small) */
static void test_boley(void **state) {
    static const char *const key[] = {"B = 0.526", "B = 1.05", "B = 2.73", "closed form"};
    static const char *const row[] = {"\n0.5261,", "\n1.0524,", "\n2.7338,"};
    static const double amplified[] = {1.964, 1.670, 1.133}; // 1 + 1/sqrt(1 + B^4)
    (void)state;
    check_page("boley.svg", 9, key, 4);
    (void)figure("boley.csv");
    for (int i = 0; i < 3; i++) {
        print_message("    B %s largest %g, closed form %g, apart %g\n", row[i] + 1,
                      number(row[i], 1), number(row[i], 2), number(row[i], 3));
        assert_true(fabs(number(row[i], 2) / amplified[i] - 1) < 0.03);
        assert_true(number(row[i], 3) < 0.1);
    }
    assert_true(number(row[2], 3) < 0.01);
}

/* the pendulum: shapes keep their length, errors of both methods are far below the published one */
static void test_pendulum(void **state) {
    static const char *const tip[] = {"full, 102 coordinates", "complex modes, 25 of 102",
                                      "rotation_closed, 10 fields"};
    static const char *const error[] = {"complex modes, 25 of 102", "published, largest: 0.035 m"};
    (void)state;
    check_page("pendulum-tip.svg", 3, tip, 3);
    check_page("pendulum-shapes.svg", 11, NULL, 0);
    (void)figure("pendulum-shapes.csv");
    double length = 0, x[2] = {0}, y[2] = {0};
    for (int k = 0; k <= 12; k++) {
        char row[20];
        (void)snprintf(row, sizeof row, "\n0.2,%d,", k);
        x[1] = number(row, 0);
        y[1] = number(row, 1);
        length += hypot(x[1] - x[0], y[1] - y[0]);
        x[0] = x[1];
        y[0] = y[1];
    }
    print_message("    chords of the rod at 0.2 s: %g m\n", length);
    assert_true(fabs(length / 1.2 - 1) < 0.01);
    check_page("pendulum-error.svg", 3, error, 2);
    (void)figure("pendulum-error.csv");
    const double modes = number("\n\"complex modes, 25 of 102\",", 0);
    const double fields = number("\n\"rotation_closed, 10 fields\",", 0);
    print_message("    errors: complex modes %g m, fields %g m\n", modes, fields);
    assert_true(modes > 0 && modes < 0.035 / 5 && fields > 0 && fields < 0.035 / 5);
}

/* the satellite: temperatures are the closed form's, reduced runs follow the full one; times are
 * some */
static void test_satellite(void **state) {
    static const char *const points[] = {"point 5", "full, 702 coordinates", "displacement z [m]"};
    static const char *const elements[] = {"full", "making it, once"};
    (void)state;
    check_page("satellite-temperatures.svg", 7, points, 1);
    (void)figure("satellite-temperatures.csv");
    assert_true(fabs(number("\n1,", 0) / number("\n1,", 1) - 1) < 1e-4);
    assert_true(fabs(number("\n5,", 0) / number("\n5,", 1) - 1) < 1e-4);
    check_page("satellite-points.svg", 30, points, 3);
    check_page("satellite-error.svg", 1, NULL, 0);
    (void)figure("satellite-error.csv");
    assert_true(number("\n8,", 0) > 0 && number("\n8,", 0) < 0.02);
    (void)figure("satellite-elements.svg");
    assert_non_null(strstr(file_text, elements[0]));
    assert_non_null(strstr(file_text, elements[1]));
    (void)figure("satellite-elements.csv");
    assert_true(number("\n28,", 0) == 966 && number("\n28,", 1) > 0 && number("\n28,", 3) > 0);
    assert_true(number("\n28,", 4) < 1e-3);
}

/* methods on the arm, floating and of cables: one number of vectors each */
static void test_methods(void **state) {
    static const char *const method[] = {"modes", "Craig-Bampton", "free interface",
                                         "\"Krylov, matched moments\"", "POD of responses"};
    (void)state;
    (void)figure("methods-floating.csv");
    for (int i = 0; i < 5; i++) {
        char row[60];
        (void)snprintf(row, sizeof row, "\n%s,5,", method[i]);
        print_message("    %s: %g\n", method[i], number(row, 0));
        assert_true(number(row, 0) > 1e-6 && number(row, 0) < 0.1);
    }
    static const char *const cables[] = {"\"complex modes, published\"",
                                         "complex modal synthesis",
                                         "free interface",
                                         "Craig-Bampton",
                                         "\"local POD, 8 bases\"",
                                         "\"POD, one basis\"",
                                         "rotation_closed"};
    (void)figure("methods.csv");
    for (int i = 0; i < 7; i++) {
        char row[60];
        (void)snprintf(row, sizeof row, "\n%s,", cables[i]);
        print_message("    %s: %g in %g s\n", cables[i], number(row, 0), number(row, 1));
        assert_true(number(row, 0) > 1e-7 && number(row, 0) < 0.1 && number(row, 1) > 0);
    }
}

/* around the Earth: pitch follows its closed form, pressure moves the craft */
static void test_orbit(void **state) {
    static const char *const key[] = {"without pressure", "with pressure", "closed form, without"};
    static const char *const row[] = {"\n946.2,1,", "\n1892.3,0,"}; // in the light, in the shadow
    (void)state;
    check_page("orbit.svg", 8, key, 3);
    (void)figure("orbit.csv");
    for (int i = 0; i < 2; i++) {
        print_message("    pitch %g, closed form %g, along %g\n", number(row[i], 2),
                      number(row[i], 3), number(row[i], 6));
        assert_true(fabs(number(row[i], 2) - number(row[i], 3)) < 0.07);
        assert_true(number(row[i], 6) > 0.02);
    }
}

/* three curves of real parts, two of the boundary, and two histories with their envelopes; roots
 * within 1 % of the closed form */
static void test_flutter(void **state) {
    static const char *const key[] = {"tau = 25 s", "of the straight boom",
                                      "grows as the root says", "decays as the root says"};
    static const char *const row[] = {"\n1,", "\n3,", "\n25,"};
    (void)state;
    check_page("flutter.svg", 11, key, 4);
    (void)figure("flutter.csv");
    for (int i = 0; i < 3; i++) {
        print_message("    critical incidence %g, closed form %g\n", number(row[i], 0),
                      number(row[i], 1));
        assert_true(fabs(number(row[i], 0) / number(row[i], 1) - 1) < 0.01);
    }
}

/* the page in the manual is what its figures and tables make of it */
static void test_manual(void **state) {
    (void)state;
    assert_int_equal(system("'" GOS_SOURCE_DIR "/script/figures' --check"), 0);
}

/* what it does not know, it names */
static void test_unknown(void **state) {
    char command[1000];
    (void)state;
    (void)snprintf(command, sizeof command,
                   "GOSSAMER='%s' '%s/script/figures' hub-beam-9 --to %s/none 2>%s/error.txt",
                   GOS_PROGRAM, GOS_SOURCE_DIR, folder, folder);
    assert_int_not_equal(system(command), 0);
    read_text("error.txt", error_text);
    assert_non_null(strstr(error_text, "hub-beam-9 is not one of"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hub_beam),  cmocka_unit_test(test_buckling),
        cmocka_unit_test(test_boley),     cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_satellite), cmocka_unit_test(test_methods),
        cmocka_unit_test(test_orbit),     cmocka_unit_test(test_flutter),
        cmocka_unit_test(test_manual),    cmocka_unit_test(test_disc),
        cmocka_unit_test(test_sheet),     cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests_name("figures", tests, draw, remove_folder);
}
SUITE(suite)
