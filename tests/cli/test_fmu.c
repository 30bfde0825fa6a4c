/* gossamer export --to fmu: the file, what is in it, its description by schemas, memory of
 * instances. */
#include "program.h"

#include <stdbool.h>

#include "fmu_cycles.h"
#include "support/suite.h"

static const char model[] =
    "name: \"small & <odd> 'rod' %\"\n"
    "parameters: {E: 1.0e7, half: E/2}\n"
    "materials: {m: {density: 1000, young: half, conductivity: 1, specific_heat: 200, expansion: "
    "1.0e-4}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 2, frame: reference}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, {table: tables/push.csv}, 0]}}\n"
    "heat: {sun: {type: flux, value: 10, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, warm: {at: rod.end, quantity: temperature}}\n"
    "events: {low: {signal: tip.y, limit: -0.3}}\n"
    "analysis: {end: 0.1, step: 0.01}\n";

static int prepare(void **state) {
    char command[200];
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    (void)snprintf(command, sizeof command, "mkdir %s/tables", folder);
    if (system(command) != 0) {
        return -1;
    }
    write_text("tables/push.csv", "t,f\n0,0\n0.05,1\n0.2,0\n");
    return 0;
}

/* run a line of the shell in the folder; its exit code */
static int shell(const char *line) {
    char command[2048];
    (void)snprintf(command, sizeof command, "cd %s && { %s; } >out.txt 2>error.txt", folder, line);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    return WEXITSTATUS(how);
}

static bool installed(const char *name) {
    char line[100];
    (void)snprintf(line, sizeof line, "command -v %s", name);
    if (shell(line) == 0) {
        return true;
    }
    print_message("skipped: %s is not installed (script/setup --tests)\n", name);
    return false;
}

static void expect_shell(const char *line, const char *text) {
    if (shell(line) != 0 || !strstr(out_text, text)) {
        fail_msg("%s\nexpected '%s'\n%s%s", line, text, out_text, error_text);
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

static void test_file(void **state) {
    (void)state;
    expect(0, "export model.yaml --to fmu --set half=6.0e6", "done: model.fmu");
    expect(0, "export model.yaml --to fmu --set half=6.0e6 -o again.fmu", "done: again.fmu");
    assert_int_equal(shell("cmp model.fmu again.fmu"), 0); // the same contents are the same bytes
    expect(0, "export model.yaml --to fmu -o again.fmu --set name=cycles",
           "done: again.fmu"); // which it replaces
    assert_int_equal(shell("cmp model.fmu again.fmu"), 1);
    if (!installed("unzip")) {
        skip();
    }
    expect_shell("unzip -t model.fmu", "No errors detected");
    expect_shell("mkdir unit && cd unit && unzip -q ../model.fmu && cmp resources/model.yaml "
                 "../model.yaml && "
                 "cmp resources/tables/push.csv ../tables/push.csv && cat resources/settings",
                 "# set parameters.half: 6.0e6");
    // with all libraries that it needs beside it, found there
    expect_shell(
        "ldd unit/binaries/linux64/small____odd___rod___.so | grep -vE "
        "'unit/binaries/linux64|linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|[a-z]+san)[.]so' | wc -l",
        "0\n");
    expect_shell("readelf -d unit/binaries/linux64/small____odd___rod___.so", "[$ORIGIN]");
    // and their licences, where packages bring them
    expect_shell("ls unit/documentation/licenses", "license.txt");
    if (shell("test -e /usr/share/doc/libklu1/copyright") == 0) {
        expect_shell(
            "cat unit/documentation/licenses/libklu1.txt unit/documentation/licenses/LGPL-2.1.txt",
            "LESSER GENERAL");
        expect_shell("cat unit/documentation/licenses/libmumps-seq-*.txt", "CeCILL-C");
        expect_shell("cat unit/documentation/licenses/libhdf5-dev.txt", "HDF");
    }
    // the interface and nothing else
    expect_shell("nm -D --defined-only unit/binaries/linux64/*rod___.so | grep -vcE ' T "
                 "fmi[23][A-Z]' || true",
                 "0\n");
}

static void test_described(void **state) {
    (void)state;
    static const char *const kind[][3] = {
        {"2", "cs", "fmi2"}, {"2", "me", "fmi2"}, {"3", "cs", "fmi3"}, {"3", "me", "fmi3"}};
    char line[400];
    if (!installed("unzip") || !installed("xmllint")) {
        skip();
    }
    // version and kind are written independently of each other: short, each of them once
    for (int i = suite_long() ? 0 : 1; i < (suite_long() ? 4 : 3); i++) {
        (void)snprintf(line, sizeof line,
                       "export model.yaml --to fmu --version %s --kind %s -o described.fmu",
                       kind[i][0], kind[i][1]);
        expect(0, line, "done");
        (void)snprintf(line, sizeof line,
                       "unzip -p described.fmu modelDescription.xml >described.xml && "
                       "xmllint --noout --schema %s/tests/reference/%s.xsd described.xml 2>&1",
                       GOS_SOURCE_DIR, kind[i][2]);
        expect_shell(line, "described.xml validates");
        expect_shell("cat described.xml", "modelName=\"small &amp; &lt;odd&gt; 'rod' %\"");
        expect_shell("cat described.xml",
                     "<Unit name=\"W/m^2\"><BaseUnit kg=\"1\" s=\"-3\"/></Unit>");
        expect_shell("cat described.xml", "name=\"parameters.E\"");
        assert_null(strstr(out_text, "parameters.half")); // an expression
    }
    // a word that the interface does not have is found
    expect_shell("sed -i 's/ causality=\"input\"/ causality=\"inward\"/' described.xml", "");
    (void)snprintf(line, sizeof line,
                   "xmllint --noout --schema %s/tests/reference/fmi3.xsd described.xml",
                   GOS_SOURCE_DIR);
    assert_int_not_equal(shell(line), 0);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    expect(2, "export model.yaml --to fmu --version 4", "version must be 2 or 3");
    expect(2, "export model.yaml --to fmu --kind both", "--kind needs cs");
    expect(2, "export model.yaml --to fmu --at 1", "do not apply");
    expect(2, "export model.yaml --to mtx --kind cs", "require --to fmu");
    expect(2, "export model.yaml --to mtx --tunable k", "require --to fmu");
    expect(2, "export nothing.yaml --to fmu", "nothing.yaml");
    expect(2, "export model.yaml --to fmu --set loads.push.on=rod.middle", "push");
    expect(2, "export model.yaml --to fmu --set analysis='{type: static}'", "static");
    write_text("other.fmu", "my own text");
    expect(2, "export model.yaml --to fmu -o other.fmu", "is not an FMU of this program");
    expect(2, "export model.yaml --to fmu -o model.yaml", "is also an input");
    expect(2, "export model.yaml --to fmu -o nowhere/x.fmu", "nowhere");
}

/* ---- memory -------------------------------------------------------------------------------- */

static void test_cycles(void **state) {
    (void)state;
    if (!installed("unzip")) {
        skip();
    }
    expect_shell("mkdir cycles && cd cycles && unzip -q ../again.fmu && cat resources/token", "{");
    run_cycles(out_text, 300);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file), cmocka_unit_test(test_described),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_cycles)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
