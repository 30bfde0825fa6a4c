/* gossamer correlate: output, JSON, placement of sensors, refusals with file, line and remedy. */
#include "program.h"
#include "support/suite.h"

static const char boom[] =
    "materials: {al: {density: 2700, young: 7e10, poisson: 0.33}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {boom: {type: ancf_cable, material: al, section: bar, from: [0, 0, 0], to: [2, 0, 0], "
    "elements: 8}}\n"
    "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"
    "probes: {n1: {at: boom.at(1)}, n2: {at: boom.end}, v: {at: boom.end, quantity: velocity}}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("boom.yaml", boom);
    // first mode in both planes: phi(1/2) / phi(1) = 0.339524
    write_text("modes.csv", "frequency,n1.y,n2.y,n1.z,n2.z\n2.05,0.339524,1,0,0\n"
                            "4.2,0,0,-0.339524,-1\n99,0,1,1,0\n");
    write_text("modes.unv", "    -1\n    55\n\n\n\n\n\n1 2 2 8 2 3\n2 4 1 1\n2.05 1 0.01 0\n"
                            "1\n0 0.339524 0\n2\n0 1 0\n3\n0 0 0\n    -1\n");
    return 0;
}

static void test_pairs(void **state) {
    (void)state;
    expect(0, "correlate boom.yaml --test modes.csv -n 4", "   1            2.05         -     1");
    assert_non_null(strstr(out_text, "-     2"));
    assert_non_null(strstr(out_text, "no counterpart"));
    assert_non_null(strstr(out_text, "cross-orthogonality (SEREP): diagonal at least 1.0000"));
    expect(0, "correlate boom.yaml --test modes.unv -n 4 --json", "\"ignored\": 3");
    assert_non_null(strstr(out_text, "\"test_damping\": 0.01"));
}

static void test_place(void **state) {
    (void)state;
    expect(0, "correlate boom.yaml --place 2 -n 2", "n2.y\nn2.z\n2 of 6 sensors for 2 modes");
    expect(0, "correlate boom.yaml --place 2 -n 2 --json", "\"log10_determinant\": -0.0");
    expect(2, "correlate boom.yaml --place 1 -n 2", "choose at least as many as there are modes");
    expect(2, "correlate boom.yaml --place 5 -n 5", "do not distinguish the 5 modes");
}

static void test_refused(void **state) {
    (void)state;
    expect(2, "correlate boom.yaml", "give either --test FILE or --place COUNT");
    expect(2, "correlate boom.yaml --test none.csv", "cannot open file 'none.csv'");
    write_text("velocity.csv", "frequency,v.y\n2,1\n");
    expect(2, "correlate boom.yaml --test velocity.csv",
           "test sensor 'v.y' is not a displacement output");
    write_text("text.csv", "frequency,n1.y\n2,x\n");
    expect(2, "correlate boom.yaml --test text.csv", "text.csv:2: 'x' is not a finite number");
    write_text("zero.csv", "frequency,n1.y\n2,0\n");
    expect(2, "correlate boom.yaml --test zero.csv", "mode 1 of the test (2 Hz) is zero");
    write_text("bare.yaml", "bodies: {m: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n");
    expect(2, "correlate bare.yaml --test modes.csv", "add probes of position or displacement");
    write_text("other.unv", "    -1\n    55\n\n\n\n\n\n1 2 2 8 2 3\n2 4 1 1\n2.05 1 0.01 0\n"
                            "77\n0 1 0\n    -1\n");
    expect(2, "correlate boom.yaml --test other.unv",
           "no node of the test has a probe in the model");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_place),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
