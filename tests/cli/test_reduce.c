/* gossamer reduce and run --rom as users meet them. */
#include "program.h"

static const char model[] =
    "name: small pendulum\n"
    "parameters: {n: 8, E: 1.0e6, push: 0, t_end: 0.3}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: E, damping: {normal: 4.0e-3}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: n, temperature: off}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  side: {type: force, on: rod.end, value: [0, 0, push]}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "analysis: {type: dynamic, end: t_end}\n"
    "output: {every: 0.05}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return program("reduce model.yaml -o rom.h5 --quiet") == 0 ? 0 : -1;
}

static void test_reduce(void **state) {
    (void)state;
    expect(0, "reduce model.yaml", "predicted error");
    expect(0, "run model.yaml --rom model.rom.h5 -o a.h5", "predicted error");
    expect(0, "run model.yaml --reduced -o b.h5", "predicted error");
    expect(0, "run model.yaml --set analysis.tolerance=1e-5 -o full.h5", "done");
    expect(0, "compare b.h5 a.h5 --tol 1e-12", "position");
    expect(0, "compare full.h5 a.h5 --tol 1e-3", "position");
    expect(0, "info a.h5", "reduction_predicted");
    expect(0, "reduce model.yaml --set reduction.method=rotation_closed -o c.h5", "not known");
}

static void test_other_loads(void **state) {
    (void)state;
    expect(0, "run model.yaml --rom rom.h5 --set push=0.01 -o a.h5", "0 warnings");
    expect(0, "run model.yaml --rom rom.h5 --set push=3 -o a.h5", "strained beyond");
    expect(2, "run model.yaml --rom rom.h5 --set E=2e6 -o a.h5 --set n=9", "other bodies");
    expect(2, "run model.yaml --rom rom.h5 --set E=2e6 -o a.h5", "other materials");
}

static void test_wrong_use(void **state) {
    (void)state;
    expect(2, "reduce", "gossamer reduce");
    expect(2, "reduce nothing.yaml", "nothing.yaml");
    expect(2, "reduce model.yaml -o model.yaml", "not a reduced model");
    expect(2, "reduce model.yaml --full", "--full");
    expect(2, "run model.yaml --rom nothing.h5", "nothing.h5");
    expect(2, "run model.yaml --rom model.yaml", "not a reduced model");
    expect(2, "run model.yaml --rom rom.h5 --full", "exclude each other");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce),
        cmocka_unit_test(test_other_loads),
        cmocka_unit_test(test_wrong_use),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
