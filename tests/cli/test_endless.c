/* What would never end: pictures of ranges that are one value but for rounding (a limit on the size
   of files stops the program where it would fill the disk), and runs whose steps collapse. */
#include "program.h"
#include "support/suite.h"

static const char plate[] =
    "materials:\n"
    "  alu: {density: 2700, young: 7.0e10, poisson: 0.0, conductivity: 150, specific_heat: 900, "
    "expansion: 2.3e-5}\n"
    "bodies:\n"
    "  plate: {type: ancf_plate, material: alu, thickness: 0.005, corner: [0, 0, 0], "
    "x: [1, 0, 0], y: [0, 0.5, 0], elements: [4, 3]}\n"
    "joints: {root: {type: clamp, between: [ground, plate.edge.x0]}}\n"
    "loads: {tip: {type: force, on: plate.corner(1), value: [0, 0, 25]}}\n"
    "heat: {warm: {type: temperature, value: 20.1, on: plate.edge.x0}}\n"
    "probes: {tip: {at: plate.corner(1), quantity: displacement}}\n"
    "analysis: {type: static}\n";

static const char far_away[] =
    "materials: {m: {density: 1000, young: 1e8, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [1e16, 0, 0], "
    "to: [1.0000000000000004e16, 0, 0], elements: 4}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "gravity: [0, -9.81, 0]\n"
    "analysis: {end: 1e-4, step: 1e-4}\n";

/* x'' = 1e6 x + 1e-3: accelerations grow without bound, and steps shrink with them. */
static const char unstable[] = "bodies: {a: {type: matrices, M: M.mtx, K: K.mtx, q0: [1, 1]}}\n"
                               "probes: {e: {quantity: energy}}\n"
                               "analysis: {end: 1000}\n";

static const char rod[] =
    "materials: {m: {density: 1000, young: 1e8, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 1}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "analysis: {end: 1}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("plate.yaml", plate);
    write_text("far.yaml", far_away);
    write_text("unstable.yaml", unstable);
    write_text("M.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
    write_text("K.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 -1e6\n2 2 -1\n");
    write_text("rod.yaml", rod);
    return program("run plate.yaml -o plate.h5 --quiet") +
           program("run far.yaml -o far.h5 --quiet");
}

static void draw(const char *name) {
    static char text[OUTPUT_MAX];
    char arguments[64];
    (void)snprintf(arguments, sizeof arguments, "picture %s.h5 -o %s.svg", name, name);
    assert_int_equal(program_with("ulimit -f 2000;", arguments), 0);
    (void)snprintf(arguments, sizeof arguments, "%s.svg", name);
    read_text(arguments, text);
    assert_non_null(strstr(text, "</svg>"));
    assert_null(strstr(text, "nan"));
    (void)snprintf(arguments, sizeof arguments, "report %s.h5 -o %s.html", name, name);
    assert_int_equal(program_with("ulimit -f 20000;", arguments), 0);
}

static void test_uniform_temperature(void **state) {
    (void)state;
    draw("plate");
    static char text[OUTPUT_MAX];
    read_text("plate.svg", text);
    assert_null(strstr(text, "temperature")); // there is none to be shown
}

static void test_far_away(void **state) {
    (void)state;
    draw("far");
}

static int count(const char *text, const char *what) {
    int n = 0;
    for (const char *s = text; (s = strstr(s, what)) != NULL; s++) {
        n++;
    }
    return n;
}

/* Stopped after few steps, said once, with the results up to there in the file. */
static void expect_stopped(const char *arguments, const char *why) {
    char command[256];
    (void)snprintf(command, sizeof command, "run %s -o x.h5 --quiet", arguments);
    expect(1, command, "stopped at t = ");
    assert_int_equal(count(error_text, "(max_steps)"), 1);
    assert_null(strstr(error_text, "times)"));
    assert_non_null(strstr(error_text, why));
    expect(0, "info x.h5", "failed: stopped at t = ");
    expect(0, "probe x.h5 e --at 1e-6", "time,e.");
}

static void test_collapse(void **state) {
    (void)state;
    expect_stopped("unstable.yaml", "after 10000 steps");
    expect_stopped("unstable.yaml --reduced --accept", "after 10000 steps");
    // the same when it is taken up again: nothing has changed
    expect(1, "run unstable.yaml -o y.h5 --quiet", "after 10000 steps");
    expect(1, "run --resume y.h5 --quiet", "after 10000 steps");
    // more steps may be allowed
    expect(0, "run unstable.yaml -o y.h5 --until 1e-4 --quiet --set analysis.max_steps=1e12", "");
}

static void test_tolerance(void **state) {
    (void)state;
    expect(2, "run rod.yaml -o x.h5 --quiet --set analysis.tolerance=1e-16",
           "below the precision of floating-point numbers");
}

/* Fixed steps: refused before, or counted to the last one. */
static void test_fixed_steps(void **state) {
    (void)state;
    expect(2, "run rod.yaml -o x.h5 --quiet --set analysis.step=1e-9",
           "but at most 1e+08 are permitted");
    expect(0,
           "run rod.yaml -o x.h5 --quiet --set analysis.step=1e-3 --set analysis.end=0.1 "
           "--set analysis.max_steps=100",
           "");
    expect(1, "run rod.yaml -o x.h5 --quiet --set analysis.max_steps=10",
           "stopped at t = "); // needs more, by error control
    assert_non_null(strstr(error_text, "after 10 steps"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_temperature), cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_collapse), cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_fixed_steps)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
