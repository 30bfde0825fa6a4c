/* What would never end: pictures of ranges that are one value but for rounding. A limit on the size of files
   stops the program where it would fill the disk. */
#include "program.h"

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

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("plate.yaml", plate);
    write_text("far.yaml", far_away);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_uniform_temperature),
                                       cmocka_unit_test(test_far_away)};
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
