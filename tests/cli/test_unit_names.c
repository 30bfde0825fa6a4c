/* Units of a model in what commands print and store: sizes, probes, balances, modes, differences,
   pages, pictures; other units are refused. */
#include "program.h"
#include "support/suite.h"

static const char model[] =
    "name: swing\n"
    "units: mm-t-s\n"
    "parameters: {L: 1.2 m}\n"
    "materials: {rubber: {density: 2 g/cm^3, young: 100 MPa}}\n"
    "sections: {bar: {type: rectangle, height: 1 cm, width: 20}}\n"
    "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, "
    "0], elements: 4}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -1 g0, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, \"2*sin(t)\"]}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, energy: {quantity: energy}}\n"
    "analysis: {end: 0.05, step: 0.005}\n";

static int setup(void **state) {
    const int code = make_folder(state);
    write_text("model.yaml", model);
    return code;
}

static void test_text(void **state) {
    (void)state;
    expect(0, "check model.yaml", "mass         0.00048 t\nextent       1200 mm\n");
    expect(0, "run model.yaml -o run.h5", "");
    expect(0, "info run.h5", "mass         0.00048 t\nextent       1200 mm\n");
    expect(0, "info run.h5", "tip             position [mm]: x y z\n");
    expect(0, "info run.h5", "energy at 0.05 s [mJ]\n");
    expect(0, "info run.h5 --json", "\"units\": \"mm-t-s\"");
    expect(0, "check model.yaml --json", "\"units\": \"mm-t-s\"");
    expect(0, "modes model.yaml", "of 0.00048 t\n");
    expect(0, "modes model.yaml", " t mm^2\n");
    expect(0, "compare run.h5 run.h5", "position [mm] ");
    expect(0, "compare run.h5 run.h5 -o course.csv", "");
    static char text[OUTPUT_MAX];
    read_text("course.csv", text);
    assert_non_null(strstr(text, "time [s],position [mm],"));
}

static void test_pages(void **state) {
    (void)state;
    static char text[OUTPUT_MAX];
    expect(0, "run model.yaml -o run.h5", "");
    expect(0, "report run.h5 -o page.html", "");
    read_text("page.html", text);
    assert_non_null(
        strstr(text, "\"units\":{\"m\":\"mm\",\"m/s\":\"mm/s\",\"kg\":\"t\",\"J\":\"mJ\"}"));
    expect(0, "picture run.h5 -o run.svg", "");
    read_text("run.svg", text);
    assert_non_null(strstr(text, "x [mm]"));
}

static void test_others(void **state) {
    (void)state;
    expect(0, "run model.yaml -o run.h5", "");
    expect(0, "run model.yaml --set units=SI --set \"sections.bar.width=20 mm\" -o si.h5", "");
    expect(0, "info si.h5", "mass         0.48 kg\nextent       1.2 m\n");
    expect(2, "compare run.h5 si.h5", "the runs have different units, mm-t-s and SI;");
    expect(0, "reduce model.yaml -o rod.rom.h5 --accept", "");
    expect(2, "run model.yaml --set units=SI --set \"sections.bar.width=20 mm\" --rom rod.rom.h5",
           "was made from a model with units mm-t-s, but this one has SI;");
    expect(0, "check model.yaml --set \"L=50 cm\"", "extent       500 mm\n");
    expect(2, "check model.yaml --set \"gravity=[0, 1 kg, 0]\"",
           "'1 kg' cannot be converted to mm/s^2; give a value in mm/s^2");
    expect(0, "help units", "MPa, t/mm^3, mJ, mW, V\n");
}

static void test_designs(void **state) {
    (void)state;
    write_text("design.yaml",
               "units: mm-t-s\n"
               "materials: {m: {density: 7850 kg/m^3, young: 210 GPa, damping: {normal: 1 ms}}}\n"
               "sections: {s: {type: rectangle, height: 1 cm, width: 20 mm}}\n"
               "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1 "
               "m, 0, 0], elements: 4}}\n"
               "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
               "loads: {push: {type: force, on: rod.end, value: [0, 1 N, 0]}}\n"
               "probes: {tip: {at: rod.end, quantity: displacement}}\n"
               "designs: {law: {type: lqg, inputs: push.y, signals: tip.y, output: tip.y, "
               "disturbance: push.y, noise: 1.0e-3}}\n"
               "controllers: {law: {type: designed, file: law.h5}}\n"
               "analysis: {end: 0.05, step: 0.005}\n");
    expect(0, "design design.yaml law -o law.h5", "stable");
    expect(0, "check design.yaml", "extent       1000 mm");
    expect(2, "check design.yaml --set units=SI",
           "was designed for a model with units mm-t-s, but this one has SI; design it again");
    expect(0, "export design.yaml --to h5 -o mm.h5 --set controllers={}", "");
    expect(0, "export design.yaml --to h5 -o linear_si.h5 --set units=SI --set controllers={}", "");
    expect(2, "compare mm.h5 linear_si.h5", "the models have different units, mm-t-s and SI");
}

/* a base acceleration given in g^2/Hz has the same effect in both units */
static void test_base_drive(void **state) {
    (void)state;
    write_text("beam.yaml",
               "materials: {m: {density: 7850 kg/m^3, young: 210 GPa, damping: {normal: 0.1 ms}}}\n"
               "sections: {s: {type: rectangle, height: 1 cm, width: 20 mm}}\n"
               "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1 "
               "m, 0, 0], elements: 4}}\n"
               "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
               "probes: {tip: {at: rod.end, quantity: position}, f: {at: rod.at(10 cm), quantity: "
               "section_moment}}\n"
               "analysis: {end: 0.05, step: 0.005}\n");
    write_text("psd.csv", "1,0.01\n100,0.01\n");
    char first[200];
    expect(0, "response beam.yaml --base ground:y --psd psd.csv", "0.994987 g RMS");
    const char *row = strstr(out_text, "tip.y");
    assert_non_null(row);
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(row, "\n"), row);
    assert_non_null(strstr(first, " g "));
    expect(0, "response beam.yaml --base ground:y --psd psd.csv --set units=mm-t-s",
           "0.994987 g RMS");
    assert_non_null(strstr(out_text, first));
    assert_non_null(strstr(out_text, "N mm"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),    cmocka_unit_test(test_pages),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_base_drive),
        cmocka_unit_test(test_designs),
    };
    return cmocka_run_group_tests(tests, setup, remove_folder);
}
SUITE(suite)
