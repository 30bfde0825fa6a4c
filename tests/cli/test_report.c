/* gossamer report: its size, what it says, wrong use; and in a headless browser, whether the page
   opens without errors, draws its plots, plays its animation and can be used (check_page.py). */
#include "program.h"
#include "support/suite.h"

/* A hot pendulum of few elements with names and texts that are out for trouble. */
static const char model[] =
    "name: small </script><img src=x onerror=\"alert(1)\"> pendulum\n"
    "description: \"a < b & </textarea><script>alert(2)</script>\"\n"
    "parameters: {n: 8, L: 1.0, t_end: 0.6}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 4.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: n}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat:\n"
    "  sun: {type: flux, value: 1.0e4, direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  tip_temperature: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: dynamic, end: t_end}\n"
    "output: {every: 0.01}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    write_text("page.txt", "not a page\n");
    return program("run model.yaml -o full.h5 --quiet") +
           program("run model.yaml -o coarse.h5 --quiet --set analysis.tolerance=1e-2") +
           program("run model.yaml -o other.h5 --quiet --set n=4 --until 0.3");
}

static void test_use(void **state) {
    (void)state;
    expect(2, "report", "a file is missing");
    expect(2, "report full.h5 -o page.txt", "not an HTML page");
    expect(2, "report full.h5 -o /nowhere/at/all.html", "cannot write there");
    expect(2, "report model.yaml", "not a results file");
    expect(2, "report full.h5 nothing.h5", "nothing.h5");
    assert_int_equal(size_of("full.html"), -1); // nothing was left behind
    expect(0, "report full.h5", "full.html");
    expect(0, "report full.h5 coarse.h5 -o two.html", "two.html");
    expect(0, "report full.h5 other.h5 -o differ.html", "only the common part");
    expect(0, "report full.h5 coarse.h5 other.h5 -o three.html", "three.html");
    expect(0, "report full.h5 -o two.html", "two.html"); // a report may be replaced
    expect(0, "report full.h5 coarse.h5 -o two.html", "two.html");
    static const char *const pages[] = {"full.html", "two.html", "differ.html", "three.html"};
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        assert_in_range(size_of(pages[i]), 50000, 1000000);
    }
    assert_int_equal(size_of("two.html.part"), -1);
}

/* A long run of many steps makes no larger page. */
static void test_long_run(void **state) {
    (void)state;
    assert_int_equal(program("run model.yaml -o long.h5 --quiet --set analysis.step=2e-5 "
                             "--set output.every=1e-4 --set n=16"),
                     0);
    expect(0, "report long.h5 full.h5", "long.html");
    assert_in_range(size_of("long.html"), 200000, 3000000);
}

/* The page's ranges: marks end where the numbers are too large for neighbours to differ. */
static void test_ranges(void **state) {
    (void)state;
    static const char *const script =
        "const fs = require('fs');"
        "eval(fs.readFileSync('" GOS_SOURCE_DIR "/viewer/numbers.js', 'utf8') + `"
        "const is = (x, y) => { if (JSON.stringify(x) !== JSON.stringify(y)) "
        "{ throw Error(JSON.stringify(x)); } };"
        "is(multiples(0.1, 0.3, 0.1).length, 3);"
        "is(multiples(-1, 1, 0.5), [-1, -0.5, 0, 0.5, 1]);"
        "is(multiples(1e16, 1e16 + 4, 0.5), []);"
        "is(multiples(1e300, 2e300, 1), []);"
        "is(multiples(0, 1, 0), []);"
        "is(multiples(0, Infinity, 1), []);"
        "is(multiples(NaN, 1, 1), []);"
        "is(ticks(1e16, 1e16 + 4, 6).list, []);"
        "is(ticks(-2.7334350768999567e-17, -2.733435076899956e-17, 6).list, []);"
        "is(ticks(0, 1, 5).list.map(t => t.text), ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);"
        "is([flat(1, 1 + 1e-13), flat(-1e-14, 1e-14), flat(-1e-14, 1e-14, 1), flat(0, 1e-9, 1)], "
        "[true, false, true, false]);`);";
    if (system("node --version >/dev/null 2>&1") != 0) {
        print_message("skipped: node is not installed\n");
        skip();
    }
    write_text("ranges.js", script);
    char command[128];
    (void)snprintf(command, sizeof command, "node %s/ranges.js", folder);
    assert_int_equal(system(command), 0);
}

static void test_browser_one(void **state) {
    (void)state;
    expect(0, "report full.h5 -o one.html", "one.html");
    check_in_browser("one.html --text 'mall </script><img src=x onerror=\"alert(1)\"> pendulum'");
}

static void test_browser_two(void **state) {
    (void)state;
    expect(0, "report full.h5 coarse.h5 -o two.html", "two.html");
    check_in_browser("two.html --text 'a < b & </textarea><script>alert(2)</script>' "
                     "--text 'RMS over the nodes, from full'");
}

static void test_browser_different(void **state) {
    (void)state;
    expect(0, "report full.h5 other.h5 coarse.h5 -o differ.html", "differ.html");
    check_in_browser("differ.html --text 'only probes are compared'");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_use),         cmocka_unit_test(test_long_run),
        cmocka_unit_test(test_ranges),      cmocka_unit_test(test_browser_one),
        cmocka_unit_test(test_browser_two), cmocka_unit_test(test_browser_different),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
