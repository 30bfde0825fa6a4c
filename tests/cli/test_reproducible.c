/* With SOURCE_DATE_EPOCH results, reduced models and FMUs of the same input have the same bytes,
   also a tenth of a second later. */
#include "program.h"
#include "support/suite.h"

#include <time.h>

static const char model[] =
    "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 4}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 6}\n"
    "analysis: {end: 0.1, tolerance: 1.0e-5}\n"
    "output: {every: 0.01}\n";

static void same_bytes(const char *command, const char *output) {
    char line[256];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(line, sizeof line, "%s -o %d-%s", command, i, output);
        if (program_with("export SOURCE_DATE_EPOCH=1700000000;", line) != 0) {
            fail_msg("%s: %s", line, error_text);
        }
        (void)nanosleep(&(struct timespec){i == 0, 100000000}, NULL);
    }
    (void)snprintf(line, sizeof line, "cd %s && cmp 0-%s 1-%s", folder, output, output);
    assert_int_equal(system(line), 0);
}

static void test_bytes(void **state) {
    (void)state;
    write_text("model.yaml", model);
    same_bytes("run model.yaml --full --quiet", "run.h5");
    same_bytes("run model.yaml --reduced --quiet", "reduced.h5");
    same_bytes("reduce model.yaml", "rom.h5");
    same_bytes("export model.yaml --to fmu", "unit.fmu");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
