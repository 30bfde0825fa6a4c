/* gossamer view: wrong use, what it prints and leaves behind; its pages in a headless browser
   (check_view.py): lines, surfaces that are cut, stresses, forces of joints, errors between two
   runs, joints, Sun and Earth, magnification, modes, pictures and films. */
#include "program.h"
#include "support/suite.h"

/* A hot pendulum with a name that is out for trouble. */
static const char pendulum[] =
    "name: a </script><img src=x onerror=\"alert(1)\"> pendulum\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 4.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 8}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat:\n"
    "  sun: {type: flux, value: 1.0e4, direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  pull: {joint: pin, quantity: joint_force}\n"
    "analysis: {type: dynamic, end: 0.6}\n"
    "output: {every: 0.01}\n";

/* A block of solid elements that swings on a hinge and is stressed by it. */
static const char block[] =
    "name: block\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: {rubber: {density: 1000, young: 1.0e6, poisson: 0.3}}\n"
    "meshes: {bar: {type: box, size: [1, 0.2, 0.2], cells: [10, 2, 2]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: rubber, rayleigh: [0, 1e-3]}}\n"
    "joints: {axle: {type: revolute, between: [ground, bar.left], axis: [0, 0, 1]}}\n"
    "analysis: {type: dynamic, end: 0.3, step: 2e-3}\n"
    "output: {every: 0.02, stress: true, strain: true}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("pendulum.yaml", pendulum);
    write_text("block.yaml", block);
    write_text("page.txt", "not a page\n");
    return program("run pendulum.yaml -o full.h5 --quiet") +
           program("run pendulum.yaml -o coarse.h5 --quiet --set analysis.tolerance=1e-2") +
           program("run pendulum.yaml -o reduced.h5 --quiet --reduced --accept") +
           program("run pendulum.yaml -o other.h5 --quiet --set bodies.rod.elements=4") +
           program("run block.yaml -o block.h5 --quiet");
}

static void test_use(void **state) {
    (void)state;
    expect(2, "view", "a file is missing");
    expect(2, "view full.h5 coarse.h5", "coarse.h5");
    expect(2, "view full.h5 -o page.txt", "not an HTML page");
    expect(2, "view full.h5 -o /nowhere/at/all.html", "cannot write there");
    expect(2, "view page.txt -o p.html", "not a results file");
    expect(2, "view full.h5 -n 3", "is not a model");
    expect(2, "view pendulum.yaml --against full.h5", "--against compares two runs");
    expect(2, "view pendulum.yaml --set no.such=1", "no");
    expect(2, "view full.h5 --against nothing.h5", "nothing.h5");
    expect(2, "view full.h5 --against other.h5", "meshes of the two runs differ");
    assert_int_equal(size_of("full.view.html"), -1); // nothing was left behind
    expect(0, "view full.h5", "full.view.html");
    assert_in_range(size_of("full.view.html"), 50000, 1000000);
    expect(0, "view full.h5 --against coarse.h5 -o full.view.html", "full.view.html"); // replaced
    assert_int_equal(size_of("full.view.html.part"), -1);
}

/* What opens pages is missing: the page is there all the same. */
static void test_open(void **state) {
    (void)state;
    char command[512];
    (void)snprintf(
        command, sizeof command,
        "cd %s && PATH=/nowhere %s view full.h5 -o opened.html --open >out.txt 2>error.txt", folder,
        GOS_PROGRAM);
    assert_int_not_equal(system(command), 0);
    assert_in_range(size_of("opened.html"), 50000, 1000000);
}

/* One browser looks at all pages: lines with errors between two runs, modes of a reduced run, modes
   of a model (of which nothing else moves), and a solid body that is cut. */
static void test_pages(void **state) {
    (void)state;
    write_text("beam.yaml",
               "name: beam\n"
               "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
               "sections: {bar: {type: rectangle, height: 0.02, width: 0.04}}\n"
               "bodies: {rod: {type: ancf_beam, material: steel, section: bar, from: [0, 0, 0], "
               "to: [1, 0, 0], elements: 8}}\n"
               "joints: {wall: {type: clamp, between: [ground, rod.start]}}\n"
               "analysis: {type: static}\n");
    write_text("craft.yaml",
               "name: craft\n"
               "orbit: {altitude: 400e3, beta: deg(30), noon: 0}\n"
               "materials: {metal: {density: 2700, young: 7.0e10, poisson: 0.3, conductivity: 150, "
               "specific_heat: 900, expansion: 2.3e-5, absorptivity: 0.5, emissivity: 0.5}}\n"
               "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
               "bodies:\n"
               "  hub: {type: rigid, mass: 10, inertia: [1, 1, 1]}\n"
               "  rod: {type: ancf_beam, material: metal, section: bar, from: [0, 0, 0], "
               "to: [1, 0, 0], elements: 4}\n"
               "joints: {root: {type: clamp, between: [hub, rod.start]}}\n"
               "heat: {sun: {type: sun, on: rod}}\n"
               "analysis: {type: dynamic, end: 20}\n"
               "output: {every: 1}\n");
    expect(0, "run craft.yaml -o craft.h5 --quiet", "");
    expect(0, "view craft.h5 -o craft.html", "craft.html");
    expect(0, "view full.h5 --against coarse.h5 -o lines.html", "lines.html");
    expect(0, "view reduced.h5 -o modes.html", "modes.html");
    expect(0, "view beam.yaml -n 3", "beam.view.html");
    expect(0, "modes beam.yaml -n 3", "frequency");
    expect(0, "view block.h5 -o solid.html", "solid.html");
    check_view("lines.html --text ' </script><img src=x onerror=\"alert(1)\"> pendulum' "
               "--colour speed --colour 'temperature rate' --colour 'error of temperature' "
               "--colour 'error of position' --controls --frames --film --phone "
               "--joints 1 --next craft.html --sky 0.8660254,0,0.5 --earth=-1,0,0 --joints 1 "
               "--magnify --next modes.html --mode --next beam.view.html --still --mode "
               "--next solid.html --cut --colour 'von Mises stress' "
               "--colour 'first principal strain' --colour 'rate of first principal strain'");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_use),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_pages),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
