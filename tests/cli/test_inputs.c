/* What is given as an input and is no regular file, a pipe above all: refused in words by every
   command, never waited for. */
#include "program.h"
#include "support/suite.h"

#include <sys/stat.h>

static const char model[] =
    "name: swing\n"
    "bodies:\n"
    "  bob: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, bob], at: [0, 0, 0]}\n"
    "loads: {push: {type: force, on: bob, value: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {place: {at: bob, quantity: position}}\n"
    "analysis: {end: 0.02}\n";
static const char table_model[] =
    "name: table\n"
    "materials: {m: {density: 1, young: 1, conductivity: 1, specific_heat: 1, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.1, width: 0.1}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0]}}\n"
    "heat: {sun: {type: flux, value: {table: pipe}, direction: [0, -1, 0], on: rod}}\n";

static int prepare(void **state) {
    char path[128];
    if (make_folder(state) != 0) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/pipe", folder);
    if (mkfifo(path, 0600) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    write_text("table.yaml", table_model);
    return program("run model.yaml -o run.h5 --quiet") == 0 &&
                   program("export model.yaml --to h5 -o linear.h5") == 0
               ? 0
               : -1;
}

/* refused with words; 124 is the exit code of a command that had to be stopped */
static void refused(const char *arguments) {
    const int code = program_with("timeout 20", arguments);
    if (code != 2 || strstr(error_text, "not a regular file") == NULL) {
        fail_msg("gossamer %s: exit code %d (124: it waited)\n%s", arguments, code, error_text);
    }
}

static void test_pipes(void **state) {
    (void)state;
    static const char *const commands[] = {"check pipe",
                                           "run pipe",
                                           "run model.yaml --rom pipe",
                                           "run --resume pipe",
                                           "info pipe",
                                           "info pipe --json",
                                           "modes pipe",
                                           "response pipe --band 1:2",
                                           "response linear.h5 --inputs pipe",
                                           "export pipe --to h5 -o new.h5",
                                           "compare pipe run.h5",
                                           "compare run.h5 pipe",
                                           "compare pipe linear.h5",
                                           "compare linear.h5 pipe",
                                           "reduce pipe -o new.h5",
                                           "probe pipe",
                                           "picture pipe",
                                           "picture run.h5 pipe",
                                           "report pipe",
                                           "sweep pipe --vary gravity=1:2:2",
                                           "check table.yaml"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        refused(commands[i]);
    }
}

/* what has no end */
static void test_devices(void **state) {
    (void)state;
    static const char *const commands[] = {"check /dev/zero", "info /dev/zero", "modes /dev/zero",
                                           "response linear.h5 --inputs /dev/zero",
                                           "compare /dev/zero run.h5"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        refused(commands[i]);
    }
}

/* a file is one under any name */
static void test_standard_input(void **state) {
    (void)state;
    expect(0, "check /dev/stdin <model.yaml", "no errors");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pipes), cmocka_unit_test(test_devices),
                                       cmocka_unit_test(test_standard_input)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
