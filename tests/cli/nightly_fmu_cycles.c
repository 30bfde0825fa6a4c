/* Units in the long run, and in FMPy where that is installed. */
#include "program.h"

#include <stdbool.h>

#include "fmu_cycles.h"
#include "support/suite.h"

static const char model[] =
    "name: cycles\n"
    "materials: {m: {density: 1000, young: 1.0e7}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 2, frame: reference}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 1, 0]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 0.1, tolerance: 1.0e-6}\n"
    "output: {every: 0.01}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return 0;
}

static int shell(const char *line) {
    char command[2048];
    (void)snprintf(command, sizeof command, "cd %s && { %s; } >out.txt 2>error.txt", folder, line);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    return WEXITSTATUS(how);
}

static void test_many(void **state) {
    (void)state;
    expect(0, "export model.yaml --to fmu -o cycles.fmu", "done");
    if (shell("command -v unzip") != 0) {
        print_message("skipped: unzip is not installed (script/setup --tests)\n");
        skip();
    }
    assert_int_equal(
        shell("mkdir cycles && cd cycles && unzip -q ../cycles.fmu && cat resources/token"), 0);
    run_cycles(out_text, 10000);
}

/* both versions and kinds come to where the run of the program comes, by another's master */
static void test_fmpy(void **state) {
    (void)state;
    static const char *const kind[][3] = {{"2", "cs", "CoSimulation"},
                                          {"2", "me", "ModelExchange"},
                                          {"3", "cs", "CoSimulation"},
                                          {"3", "me", "ModelExchange"}};
    if (shell("/usr/bin/python3 -c 'import fmpy'") != 0) {
        print_message("skipped: FMPy is not installed\n");
        skip();
    }
    expect(0, "run model.yaml -o run.h5", "");
    expect(0, "probe run.h5 tip --at 0.1", "tip.y");
    const double want = strtod(strchr(strchr(strchr(out_text, '\n'), ',') + 1, ',') + 1, NULL);
    for (int i = 0; i < 4; i++) {
        char line[1200];
        (void)snprintf(line, sizeof line,
                       "export model.yaml --to fmu --version %s --kind %s -o it.fmu", kind[i][0],
                       kind[i][1]);
        expect(0, line, "done");
        (void)snprintf(
            line, sizeof line,
            "/usr/bin/python3 -c \"import fmpy\n"
            "assert not fmpy.validation.validate_fmu('it.fmu') if hasattr(fmpy, 'validation') else "
            "True\n"
            "r = fmpy.simulate_fmu('it.fmu', fmi_type='%s', stop_time=0.1, output=['tip.y'],\n"
            "                      output_interval=0.01, relative_tolerance=1e-8)\n"
            "print(repr(float(r['tip.y'][-1])))\"",
            kind[i][2]);
        if (shell(line) != 0) {
            fail_msg("%s", error_text);
        }
        const double got = strtod(out_text, NULL);
        assert_true(got - want < 1e-5 && want - got < 1e-5);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_fmpy)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
