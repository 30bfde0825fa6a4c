/* What the pictures of pages show, in a headless browser (check_scene.py, check_labels.py): a first
   view in which the motion is seen, colours between the corners of cells, one value as grey, paths,
   nothing to play where nothing moves, labels that do not overlap. */
#include "program.h"
#include "support/suite.h"

/* a sheet of 4 x 2 cells that is bent out of its plane by a corner, far enough to be seen only when
 * magnified */
#define SHEET                                                                                      \
    "materials: {al: {density: 2700, young: 7.0e10, poisson: 0.3, damping: {normal: 1e-3}}}\n"     \
    "bodies:\n"                                                                                    \
    "  sheet: {type: ancf_plate, material: al, thickness: 0.002, corner: [0, 0, 0], x: [1, 0, "    \
    "0], y: [0, 0.6, 0], elements: [4, 2]}\n"                                                      \
    "joints:\n  hold: {type: clamp, between: [ground, sheet.edge.x0], rigid: true}\n"              \
    "loads:\n  push: {type: force, on: \"sheet.node(4,2)\", value: [0, 0, 1]}\n"                   \
    "probes:\n  tip: {at: \"sheet.node(4,2)\", quantity: position}\n"

/* an arm on a hub that turns about z, as hot as at first everywhere */
static const char arm[] =
    "materials: {m: {density: 1000, young: 1e8, conductivity: 1, specific_heat: 200}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 3], points: {rim: "
    "[0.2, 0, 0]}}\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0.2, 0, 0], to: [1, 0, 0], "
    "elements: 4}\n"
    "joints:\n"
    "  axis: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, rod.start]}\n"
    "initial: {rod: {angular_velocity: [0, 0, 3], about: [0, 0, 0]}}\n"
    "probes: {mid: {at: rod.node(2), quantity: displacement}, between: {at: rod.at(0.1), quantity: "
    "displacement}, tip: {at: rod.end, quantity: position}}\n"
    "analysis: {end: 0.5}\n"
    "output: {every: 0.02}\n";

/* a hub without temperature, and a panel in the plane of y and z that turns about z and is warmed
 */
static const char panel[] =
    "materials: {m: {density: 100, young: 1e9, poisson: 0.3, conductivity: 1, specific_heat: "
    "900}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 300, inertia: [50, 50, 50], angular_velocity: [0, 0, 0.4]}\n"
    "  panel: {type: ancf_plate, material: m, thickness: 0.02, elements: [4, 1], corner: [0, 0.5, "
    "-0.5], x: [0, 4, 0], y: [0, 0, 1]}\n"
    "joints: {root: {type: clamp, between: [hub, panel.edge.x0]}}\n"
    "initial: {panel: {angular_velocity: [0, 0, 0.4], about: [0, 0, 0]}}\n"
    "heat: {sun: {type: flux, value: 1000, direction: [-1, 0, 0], on: panel}}\n"
    "analysis: {end: 1, step: 0.02}\n"
    "output: {every: 0.1}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("sheet.yaml", SHEET "analysis: {end: 0.5}\noutput: {every: 0.02}\n");
    write_text("static.yaml", SHEET "analysis: {type: static}\n");
    write_text("arm.yaml", arm);
    write_text("panel.yaml", panel);
    return program("run sheet.yaml -o sheet.h5 --quiet") +
           program("run static.yaml -o static.h5 --quiet") +
           program("run arm.yaml -o arm.h5 --quiet") +
           program("run panel.yaml -o panel.h5 --quiet") + program("report panel.h5") +
           program("report sheet.h5") + program("report static.h5") + program("report arm.h5");
}

/* Obliquely, 0.75 rad from above: of a motion along z the part cos 0.75 = 0.73 is seen, of a sheet
   in x and y the part sin 0.75 = 0.68. Its front shows all of the motion, but nothing of the sheet;
   from above nothing moves. Eight cells of one colour each have eight colours. */
static void test_bending(void **state) {
    (void)state;
    check_page_by("check_scene.py", "sheet.html --view above --seen 0.7 --area 0.6 --colours 40");
}

/* all of a motion in a plane from its front; paths of positions, and of the displacement of a node;
   one value is reported and not coloured */
static void test_turning(void **state) {
    (void)state;
    check_page_by("check_scene.py",
                  "arm.html --view front --seen 0.999 --area 0.999 --path 'tip, mid' "
                  "--constant 'temperature increment: 0\xe2\x80\x89K'");
}

/* All of the motion is in the plane of x and y, in which the panel of 4 m^2 is edge-on. Seen along
   e = (sin 0.6 cos 0.42, ...) its area is at least 0.4 of the true one at any angle of the turn; at
   100 px/m 1.6 m^2 are 16 000 of 450 000 pixels. The hub has no temperature. */
static void test_edge_on(void **state) {
    (void)state;
    check_page_by("check_scene.py", "panel.html --seen 0.5 --coloured 0.03 --grey 200");
    assert_int_equal(program("picture panel.h5 -o panel.svg"), 0);
    read_text("panel.svg", out_text);
    assert_non_null(strstr(out_text, "stroke=\"#c3c9d1\"")); // the lines of the hub
    assert_non_null(strstr(out_text, "temperature increment [K]"));
    assert_null(strstr(out_text, "x [m]")); // oblique
}

/* surfaces of examples in the first view: at least a hundredth of the picture; slow examples in
   long tests */
static void test_examples(void **state) {
    (void)state;
    static const char *const names[] = {
        "hexagonal-reflector", "shaded-panel", "solar-array",   "turning-craft", "laminated-panel",
        "dumbbell-satellite",  "thermal-disc", "turbine-blade", "smart-sheet",   "bracket",
        "satellite-attitude"};
    enum { NAMES = sizeof names / sizeof names[0] };
    const char *const all = getenv("GOS_TEST_LONG");
    for (int i = 0; i < (all && strcmp(all, "1") == 0 ? NAMES : 4); i++) {
        char command[500];
        (void)snprintf(command, sizeof command,
                       "run " GOS_SOURCE_DIR "/examples/%s/model.yaml --full -o example.h5 --quiet",
                       names[i]);
        print_message("    %s\n", names[i]);
        assert_int_equal(program(command), 0);
        assert_int_equal(program("report example.h5"), 0);
        check_page_by("check_scene.py", "example.html --coloured 0.01");
    }
}

static void test_still(void **state) {
    (void)state;
    check_page_by("check_scene.py", "static.html --view above --seen 0.7 --area 0.6 --still");
    assert_null(strstr(out_text, "play"));
}

static void test_labels(void **state) {
    (void)state;
    check_page_by("check_labels.py", "sheet.html arm.html");
}

static void test_labels_of_sweeps(void **state) {
    (void)state;
    expect(0,
           "sweep arm.yaml --vary bodies.hub.mass=1,2 --vary materials.m.young=normal:1e8:1e7 "
           "--samples 2 -o swept",
           "4 of 4");
    check_page_by("check_labels.py", "swept/report.html");
}

static void test_labels_of_responses(void **state) {
    (void)state;
    expect(0, "response static.yaml --band 0.5:2000 -o wide.h5", "wide.h5: ");
    expect(0, "report wide.h5", "wide.html");
    expect(0, "response static.yaml --band 1:3 -o narrow.h5", "narrow.h5: ");
    expect(0, "report narrow.h5", "narrow.html");
    check_page_by("check_labels.py", "wide.html narrow.html");
}

static int film(const char *arguments) {
    char command[500];
    (void)snprintf(command, sizeof command,
                   "cd %s && /usr/bin/python3 '%s/script/film' %s >out.txt 2>error.txt", folder,
                   GOS_SOURCE_DIR, arguments);
    const int how = system(command);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static int count_of(const char *word) {
    int n = 0;
    for (const char *at = out_text; (at = strstr(at, word)) != NULL; at++) {
        n++;
    }
    return n;
}

/* script/film: pictures for pages, still and moving, as plain SVG */
static void test_film(void **state) {
    (void)state;
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) {
        print_message("skipped: h5py is not installed\n");
        skip();
    }
    assert_int_equal(film("arm.h5 -o still.svg --at 0,0.25,0.5"), 0);
    read_text("still.svg", out_text);
    assert_int_equal(count_of("<g "), 3);
    assert_int_equal(count_of("t = 0.25 s"), 1);
    assert_int_equal(film("arm.h5 -o moving.svg --frames 7"), 0);
    read_text("moving.svg", out_text);
    assert_int_equal(count_of("class=\"f\""), 7);
    assert_int_equal(count_of("@keyframes"), 1);
    assert_null(strstr(out_text, "nan"));
    assert_null(strstr(out_text, "<script"));
    assert_int_equal(film("arm.h5"), 2);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bending),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_edge_on),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_still),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_of_sweeps),
        cmocka_unit_test(test_labels_of_responses),
        cmocka_unit_test(test_film),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
