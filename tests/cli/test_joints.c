/* Every joint in one model with flexible bodies: checked, run, run with a reduced model, drawn,
 * compared. */
#include "program.h"
#include "support/suite.h"

static char model[8000];
static const char parts[] =
    "materials:\n"
    "  soft: {density: 1000, young: 1e8, poisson: 0.3, damping: {normal: 1e-3, shear: 1e-3}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.05, width: 0.05}\n"
    "bodies:\n"
    "  mast: {type: ancf_beam, material: soft, section: bar, from: [0, 0, 0], to: [0, 0, 1],\n"
    "         elements: 3}\n"
    "  head: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 1]}\n"
    "  arm: {type: ancf_beam, material: soft, section: bar, from: [0, 0, 1], to: [0.6, 0, 1],\n"
    "        elements: 2}\n"
    "  car: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0.3, 1]}\n"
    "  ring: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 1.4]}\n"
    "  disc: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [-0.3, 0, 1]}\n"
    "  fork: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, -0.3, 1],\n"
    "         points: {cross: [0, 0.1, 0]}}\n"
    "  nut: {type: rigid, mass: 0.2, inertia: [0.001, 0.001, 0.001], position: [0, 0, 1.6]}\n"
    "  wheel: {type: rigid, mass: 0.2, inertia: [0.001, 0.001, 0.001], position: [0, 0, 0.8]}\n"
    "  pinion: {type: rigid, mass: 0.1, inertia: [0.0005, 0.0005, 0.0005], position: [0.1, 0, "
    "0.8]}\n"
    "  lamp: {type: rigid, mass: 0.2, inertia: [0.001, 0.001, 0.001], position: [0.6, 0, 1]}\n"
    "  bob: {type: rigid, mass: 0.2, inertia: [0.001, 0.001, 0.001], position: [0, 0.5, 1]}\n"
    "";
static const char rest[] =
    "joints:\n"
    "  jack: {type: screw, between: [head, nut.node], axis: [0, 0, 1], pitch: 0.1}\n"
    "  axle: {type: revolute, between: [head, wheel.node], axis: [0, 0, 1]}\n"
    "  shaft: {type: revolute, between: [head, pinion.node], axis: [0, 0, 1]}\n"
    "  teeth: {type: gear, between: [wheel, pinion], carrier: head, axis: [0, 0, 1], ratio: -3}\n"
    "  engine: {type: motor, between: [head, wheel], axis: [0, 0, 1], moment: \"0.02*t\"}\n"
    "  bracket: {type: clamp, between: [arm.end, lamp.node]}\n"
    "  mount: {type: bushing, between: [head, fork.node], at: [0, -0.3, 1],\n"
    "          stiffness: [10, 10, 10, 0.2, 0.2, 0.2], damping: [1, 1, 1, 0.01, 0.01, 0.01]}\n"
    "  slot: {type: prismatic, between: [head, bob.node], axis: [0, 1, 0]}\n"
    "  shuttle: {type: driven, between: [head, bob.node], components: y, displacement: [0, "
    "\"0.1*t^2\", 0]}\n"
    "  root: {type: clamp, between: [ground, mast.start]}\n"
    "  top: {type: clamp, between: [mast.end, head.node]}\n"
    "  hinge: {type: revolute, between: [mast.end, arm.start], axis: [0, 1, 0]}\n"
    "  rail: {type: prismatic, between: [head, car.node], axis: [0, 1, 0]}\n"
    "  sleeve: {type: cylindrical, between: [head, ring.node], axis: [0, 0, 1]}\n"
    "  table: {type: planar, between: [head, disc.node], normal: [0, 0, 1]}\n"
    "  cross: {type: universal, between: [head, fork.cross], axis: [1, 0, 0],\n"
    "          second_axis: [0, 0, 1]}\n"
    "loads:\n"
    "  spring: {type: spring, between: [head.node, ring.node], stiffness: 200, damping: 5}\n"
    "  pull: {type: force, on: car.node, value: [0.2, 1, 0]}\n"
    "gravity: [0.5, 0.3, -9.81]\n"
    "probes:\n"
    "  tip: {at: mast.end, quantity: position}\n"
    "  way: {joint: rail, quantity: joint_coordinates}\n"
    "  both: {joint: sleeve, quantity: joint_coordinates}\n"
    "  plane: {joint: table, quantity: joint_coordinates}\n"
    "  turns: {joint: cross, quantity: joint_coordinates}\n"
    "  swing: {joint: hinge, quantity: joint_rates}\n"
    "  F: {joint: rail, quantity: joint_force, frame: joint}\n"
    "  turn: {joint: jack, quantity: joint_coordinates}\n"
    "  spin: {joint: shaft, quantity: joint_coordinates}\n"
    "  soft: {joint: mount, quantity: joint_force, frame: head}\n"
    "  M: {joint: sleeve, quantity: joint_moment, frame: head}\n"
    "analysis: {end: 0.3, tolerance: 1e-4}\n"
    "reduction: {method: rotation_closed, fields: modes}\n";

static void every_joint(void **state) {
    (void)state;
    write_text("model.yaml", model);
    expect(0, "check model.yaml", "");
    expect(0, "run model.yaml -o full.h5", "done");
    expect(0, "run model.yaml --reduced --accept -o small.h5", "done");
    expect(0, "compare full.h5 small.h5 --tol 0.02", "");
    expect(0, "picture full.h5 -o picture.svg", "");
    expect(0, "probe full.h5 plane turns", "plane.x");
    expect(0, "info full.h5", "both");
    expect(0, "modes model.yaml", "");
    expect(0, "export model.yaml --to h5 -o linear.h5", "done");
}

/* what it says when the model is wrong */
static void refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"q: {joint: root, quantity: joint_coordinates}", "with a free angle or displacement"},
        {"q: {joint: rail, quantity: joint_coordinates, frame: head}", "does not support frame"},
        {"q: {joint: rail, quantity: joint_coordinates, direction: [1, 0, 0]}", "has no direction"},
        {"q: {quantity: joint_rates}", "requires 'joint'"}};
    char text[sizeof model + 200];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = strstr(model, "  tip:");
        (void)snprintf(text, sizeof text, "%.*s  %s\n%s", (int)(at - model), model, cases[i][0],
                       at);
        write_text("wrong.yaml", text);
        expect(2, "check wrong.yaml", cases[i][1]);
    }
}

/* a door on two points, with a flexible rod on it: forces along the line of the points are
 * undetermined, in words */
static void dropped(void **state) {
    (void)state;
    static const char door[] =
        "redundant: drop\n"
        "materials: {m: {density: 1000, young: 1e8}}\n"
        "sections: {s: {type: rectangle, height: 0.05, width: 0.05}}\n"
        "bodies:\n"
        "  door: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0.4, 0, 1],\n"
        "    points: {low: [-0.4, 0, -0.7], high: [-0.4, 0, 0.7]}}\n"
        "  rod: {type: ancf_cable, material: m, section: s, from: [0.4, 0, 1], to: [1.4, 0, 1],\n"
        "    elements: 4}\n"
        "joints:\n"
        "  low: {type: spherical, between: [ground, door.low]}\n"
        "  high: {type: spherical, between: [ground, door.high]}\n"
        "  root: {type: clamp, between: [door.node, rod.start]}\n"
        "gravity: [0, 0, -9.81]\n"
        "probes: {F: {joint: low, quantity: joint_force}}\n"
        "analysis: {end: 0.01}\n"
        "reduction: {method: rotation_closed, number: 4}\n";
    static const char note[] = "joint 'high': 1 of its 3 constraints are redundant and dropped: "
                               "they depend on constraints of other joints. "
                               "The distribution of reactions is undetermined among: joint 'low', "
                               "joint 'high'";
    write_text("door.yaml", door);
    expect(0, "check door.yaml", note);
    expect(0, "check door.yaml --json", "is undetermined among: joint 'low', joint 'high'");
    expect(2, "check door.yaml --set redundant=refuse", "1 of its 3 constraints are redundant");
    expect(0, "run door.yaml", note);
    expect(0, "probe door.full.h5 --at 0.01", ",undetermined\n");
    expect(0, "run door.yaml --reduced --accept", "done");
    expect(0, "probe door.reduced.h5 --at 0.01", ",undetermined\n");
    expect(0, "compare door.full.h5 door.reduced.h5", "undetermined components of probe 'F'");
    expect(0, "report door.full.h5 -o door.html && grep -c '\"z (undetermined)\"' door.html", "1");
}

static int suite(void) {
    (void)snprintf(model, sizeof model, "%s%s", parts, rest);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_joint), cmocka_unit_test(refusals),
                                       cmocka_unit_test(dropped)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
