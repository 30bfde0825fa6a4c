/* gossamer reduce and run --rom as users meet them. */
#include "program.h"

#include "gossamer/gossamer.h"
#include "support/suite.h"

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
    "analysis: {type: dynamic, end: t_end, error_check: never}\n"
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
    expect(0, "run model.yaml --reduced --accept -o b.h5", "predicted error");
    expect(0, "run model.yaml --set analysis.tolerance=1e-5 -o full.h5", "done");
    expect(0, "compare b.h5 a.h5 --tol 1e-12", "position");
    expect(0, "compare full.h5 a.h5 --tol 1e-3", "position");
    expect(0, "info a.h5", "reduction_predicted");
    expect(1, "reduce model.yaml --set reduction.method=rotation_closed --no-compare -o c.h5",
           "unknown");
}

/* Floating bodies have bases of their own: --reduced takes them, a full run does not, and both are
 * one model. */
static const char arm[] =
    "parameters: {n: 12, E: 2.0e9, order: 4, r0: 0}\n"
    "materials: {m: {density: 1000, young: E, poisson: 0.3}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: n, axial: rigid, zeta: 0.02,\n"
    "        reduce: {method: krylov, order: order, inputs: [euler.z, acceleration.y]}}\n"
    "joints: {pin: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {tip: {at: arm.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 0.3, step: 1e-3}\n"
    "output: {every: 0.05}\n";

static void test_floating(void **state) {
    (void)state;
    write_text("arm.yaml", arm);
    expect(0, "run arm.yaml -o arm-full.h5", "done");
    assert_null(strstr(error_text, "amplitudes"));
    expect(0, "run arm.yaml --reduced -o arm-small.h5", "4 of 60 amplitudes by method krylov");
    expect(0, "compare arm-full.h5 arm-small.h5 --tol 1e-5", "arm, reduced");
    expect(0, "run arm.yaml --set floating_bodies=reduced -o arm-same.h5", "4 of 60");
    expect(0, "compare arm-small.h5 arm-same.h5 --tol 1e-15", "position");
    expect(0, "run arm.yaml --reduced --set bodies.arm.reduce.method=modes -o arm-modes.h5",
           "by method modes");
    expect(0, "sweep arm.yaml --reduced --vary order=3,5 -o sweep", "");
    expect(0, "info sweep/001_order=3.h5", "reduced");
    expect(2, "run arm.yaml --set bodies.arm.reduce.order=-1 -o arm-full.h5", "order");
    // there is nothing else that a reduction of the whole could reduce
    expect(2, "reduce arm.yaml -o arm-rom.h5", "floating_bodies: reduced");
}

/* the same link with a cable, which the reduction of the model reduces */
#define ROD                                                                                        \
    "--set E=2e8 --set \"bodies.rod={type: ancf_cable, material: m, section: bar, from: [1, 0, "   \
    "0], "                                                                                         \
    "to: [1.6, 0, 0], elements: 8}\" --set \"joints.hook={type: spherical, between: [arm.end, "    \
    "rod.start]}\" --set bodies.arm.reference=chord "                                              \
    "--set \"bodies.arm.reduce={method: modes, order: 4, static: [start.rz, end.rz]}\" "

static void test_beside_floating(void **state) {
    (void)state;
    write_text("arm.yaml", arm);
    expect(0, "run arm.yaml " ROD "--full -o rod-full.h5", "done");
    expect(0, "run arm.yaml " ROD "--reduced --accept -o rod-both.h5", "reduced to");
    expect(0, "compare rod-full.h5 rod-both.h5 --tol 2e-3", "reduced");
    expect(0, "info rod-both.h5", "amplitudes by method modes");
    expect(0,
           "run arm.yaml " ROD "--reduced --accept -o rod-few.h5 --set \"reduction={method: "
           "rotation_closed, number: 8}\"",
           "(8 fields)");
    expect(0, "compare rod-full.h5 rod-few.h5 --tol 2e-3", "reduced");
    // a stored model is of bodies as they were: whole here
    expect(0, "reduce arm.yaml " ROD "--accept -o rod-rom.h5", "done");
    expect(0, "run arm.yaml " ROD "--rom rod-rom.h5 -o rod-stored.h5", "done");
    expect(0, "compare rod-full.h5 rod-stored.h5 --tol 2e-3", "reduced");
    expect(2, "run arm.yaml " ROD "--set floating_bodies=reduced --rom rod-rom.h5 -o rod-other.h5",
           "floating_bodies");
    expect(2,
           "run arm.yaml " ROD "--rom rod-rom.h5 --set bodies.arm.coupling=zeroth -o rod-other.h5",
           "different materials, sections or masses");
    expect(2, "run arm.yaml " ROD "--reduced -o rod-cm.h5 --set reduction.method=complex_modes",
           "body 'arm': is a floating body, which `reduction: complex_modes` does not support");
}

/* a run that is what its reduction was made for, or nearly; whether it pays is a matter of the
 * machine */
static void expect_trusted(const char *run) {
    expect(0, run, "done");
    assert_null(strstr(error_text, "strained beyond"));
    assert_null(strstr(error_text, "residual of the full model"));
    assert_null(strstr(error_text, "its error is unknown"));
}

/* the sun on a rod whose loads come and go as it swings: few looks at the residual of heat tell of
 * chance */
static const char warm[] =
    "materials: {m: {density: 2000, young: 1e8, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "    expansion: 1e-4, damping: {normal: 4.5e-3, shear: 4.4e-4}, absorptivity: 1, emissivity: "
    "0.9}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [1.2, 0, 0], "
    "elements: 32}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 2e4, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}}\n"
    "analysis: {type: dynamic, end: 1, tolerance: 1e-4}\n"
    "output: {every: 0.01}\n"
    "reduction: {method: auto, tolerance: 1e-3}\n";

/* A stored model cannot compute shadows that are added later; linear ones keep those of their
 * state. */
static void test_added_shadows(void **state) {
    (void)state;
    write_text(
        "lit.yaml",
        "materials: {m: {density: 2700, young: 7e10, conductivity: 100, specific_heat: 900,\n"
        "    absorptivity: 0.9}}\n"
        "sections: {s: {type: circle, radius: 0.005}}\n"
        "bodies:\n"
        "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "        elements: 16}\n"
        "  box: {type: rigid, mass: 1, shape: {box: [0.5, 0.5, 0.5]}, position: [0.5, 0, 2]}\n"
        "joints:\n"
        "  root: {type: clamp, between: [ground, rod.start]}\n"
        "  hold: {type: clamp, between: [ground, box]}\n"
        "heat: {sun: {type: sun, direction: [0, 0, 1], on: rod, flux: 1400}}\n"
        "analysis: {end: 10}\n");
    expect(0, "reduce lit.yaml -o lit.h5 --accept", "done");
    expect(0, "run lit.yaml --rom lit.h5 --accept -o a.h5", "done");
    expect(2, "run lit.yaml --rom lit.h5 --accept --set heat.sun.shaded_by=box -o a.h5",
           "require the surfaces of the full model");
    expect(0, "modes lit.yaml --set heat.sun.shaded_by=box",
           "keeps shadows and view factors fixed");
}

static void test_other_loads(void **state) {
    (void)state;
    expect_trusted("run model.yaml --rom rom.h5 --set push=0.01 -o a.h5");
    write_text("warm.yaml", warm);
    expect(0, "reduce warm.yaml -o warm.h5 --quiet", "");
    expect_trusted("run warm.yaml --rom warm.h5 -o a.h5");
    expect(0, "run model.yaml --rom rom.h5 --set push=3 -o a.h5", "strained beyond");
    expect(2, "run model.yaml --rom rom.h5 --set E=2e6 -o a.h5 --set n=9", "different bodies");
    expect(2, "run model.yaml --rom rom.h5 --set E=2e6 -o a.h5", "different materials");
}

/* the file of a run says what the terminal said, wherever it is looked at */
static void expect_everywhere(const char *run, const char *text) {
    char line[300];
    (void)snprintf(line, sizeof line, "%s -o said.h5", run);
    expect(0, line, text);
    expect(0, "info said.h5", text);
    expect(0, "info said.h5 --json", text);
    expect(0, "compare full.h5 said.h5", text);
    expect(0, "compare full.h5 said.h5 --json", text);
    (void)snprintf(line, sizeof line,
                   "report full.h5 said.h5 -o said.html >/dev/null; grep -o '%s' said.html", text);
    expect(0, line, text);
}

static void test_promises(void **state) {
    (void)state;
    expect(0, "run model.yaml -o full.h5", "done");
    expect_everywhere("run model.yaml --reduced --accept --no-compare --set "
                      "reduction.method=rotation_closed",
                      "its error is unknown");
    expect_everywhere("run model.yaml --reduced --accept --no-compare --set "
                      "reduction.method=complex_modes",
                      "its error is unknown");
    expect_everywhere("run model.yaml --reduced --accept", "not worth reducing");
    expect_everywhere("run model.yaml --reduced --accept --set reduction.fields=modes --set "
                      "analysis.step=0.05 --set analysis.end=0.1 --set reduction.tolerance=1e-11",
                      "cannot be met");
    expect(0,
           "reduce model.yaml --set reduction.method=rotation_closed --no-compare --accept -o d.h5",
           "unknown");
    expect(0, "info d.h5", "predicted    its error is unknown");
    expect_everywhere("run model.yaml --rom d.h5 --accept", "its error is unknown");
    expect(0, "run model.yaml --rom d.h5 --accept -o d.run.h5", "done");
    expect(0, "compare full.h5 d.run.h5", "total ");
    expect(0, "compare full.h5 d.run.h5 --json", "\"total_time_ratio\"");
}

/* hardly moves, and is heated and cooled faster than its steps follow: only temperatures miss the
 * tolerance */
static const char heated[] =
    "materials: {m: {density: 2000, young: 1e11, poisson: 0.3, conductivity: 1, specific_heat: "
    "200, damping: {normal: 4.5e-3}, absorptivity: 1}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [1.2, 0, 0], "
    "elements: 8}}\n"
    "joints: {wall: {type: clamp, between: [ground, rod.start]}}\n"
    "heat: {sun: {type: flux, value: \"2e4*sin(40*t)\", direction: [0, -1, 0], on: rod}}\n"
    "analysis: {type: dynamic, end: 0.5, step: 0.05}\n";

/* A nonlinear reduction that misses its tolerance is an error unless it is accepted. The model is
   stored in both cases, and its later runs warn. */
static void test_missed(void **state) {
    (void)state;
    static const char coarse[] = "reduce model.yaml --set reduction.fields=modes --set "
                                 "analysis.step=0.05 --set analysis.end=0.1 --tolerance 1e-11";
    char line[300];
    (void)snprintf(line, sizeof line, "%s -o missed.h5", coarse);
    expect(1, line, "it misses the tolerance");
    assert_non_null(strstr(error_text, "cannot be met"));
    expect(0, "info missed.h5", "cannot be met");
    (void)snprintf(line, sizeof line, "%s -o missed.h5 --accept", coarse);
    expect(0, line, "cannot be met");
    assert_null(strstr(error_text, "it misses the tolerance"));
    expect(0, "info missed.h5", "cannot be met");
    expect(1, "run model.yaml --rom missed.h5 -o missed.run.h5", "it misses the tolerance");
    assert_non_null(strstr(error_text, "cannot be met"));
    expect(0, "info missed.run.h5", "cannot be met");
    expect(0, "run model.yaml --rom missed.h5 -o missed.run.h5 --accept", "done");
    write_text("heated.yaml", heated);
    expect(1, "reduce heated.yaml --tolerance 1e-3 -o warm.rom.h5", "it misses the tolerance");
    expect(0, "info warm.rom.h5", "cannot be met");
}

/* Sweeps and units with reduced models end with 1 in the same cases, and are written. */
static void test_others_missed(void **state) {
    (void)state;
    static const char lax[] = "--set n=6 --set t_end=0.1 --set \"reduction={method: "
                              "rotation_closed, fields: modes, number: %s}\"";
    char settings[160], line[400];
    (void)snprintf(settings, sizeof settings, lax, "1, statics: false");
    (void)snprintf(line, sizeof line, "reduce model.yaml %s --accept -o lax.h5", settings);
    expect(0, line, "done");
    (void)snprintf(line, sizeof line, "sweep model.yaml %s --vary push=1,2 --rom lax.h5", settings);
    expect(1, line, "of 2 runs are not accepted (run 1: it misses the tolerance)");
    (void)strcat(line, " --one-file");
    expect(1, line, "of 2 runs are not accepted (run 1: it misses the tolerance)");
    (void)strcat(line, " --accept");
    expect(0, line, "2 of 2 runs complete");
    (void)snprintf(line, sizeof line, "sweep model.yaml %s --vary push=1,2 --reduced", settings);
    expect(1, line, "it was not compared with a full run");
    (void)strcat(line, " --accept");
    expect(0, line, "2 of 2 runs complete");
    expect(2, "sweep model.yaml --vary push=1,2 --accept", "applies to --reduced and --rom only");
    expect(1, "export lax.h5 --to fmu -o lax.fmu", "it misses the tolerance");
    expect(0, "export lax.h5 --to fmu -o lax.fmu --accept", "done");
    (void)snprintf(line, sizeof line, "export model.yaml %s --to fmu --reduced -o lax.fmu",
                   settings);
    expect(1, line, "it misses the tolerance");
    (void)strcat(line, " --no-compare");
    expect(1, line, "it was not compared with a full run");
    expect(2, "export model.yaml --to fmu --version 2 --accept --to h5", "require --to fmu");
}

/* the same model by a given number of fields: compared with its full run, or refused */
static void test_compared(void **state) {
    (void)state;
    static const char given[] =
        "reduce model.yaml --set n=40 --set t_end=0.5 --set "
        "\"reduction={method: rotation_closed, fields: modes, number: %s}\" "
        "-o given.h5%s";
    char line[300];
    (void)snprintf(line, sizeof line, given, "10", "");
    expect(0, line, "predicted error");
    expect(0, "info given.h5", "predicted");
    (void)snprintf(line, sizeof line, given, "1, statics: false", "");
    expect(1, line, "it misses the tolerance");
    (void)snprintf(line, sizeof line, given, "10", " --no-compare");
    expect(1, line, "it was not compared with a full run");
    (void)snprintf(line, sizeof line, given, "10", " --no-compare --accept");
    expect(0, line, "its error is unknown");
}

/* One run returns the full results, because choosing needs a full run; several pay or say so. */
static void test_pays(void **state) {
    (void)state;
    expect(0, "run model.yaml --reduced -o alone.h5", "the results of the full model");
    expect(0, "info alone.h5", "(full model)");
    expect(0, "run model.yaml -o whole.h5", "done");
    expect(0, "compare alone.h5 whole.h5 --tol 1e-15", "position");
    expect(1, "reduce model.yaml --for 2 -o few.h5", "it costs more than the full model");
    expect(2, "reduce model.yaml --for 0 -o few.h5", "--for requires");
    expect(2, "run model.yaml --for 5 -o few.h5", "apply to --reduced only");
    expect(2, "run model.yaml --accept -o few.h5", "applies to --reduced and --rom only");
}

/* Bases of floating bodies cost hundreds of these runs: preparing them ends. */
static void test_floating_pays(void **state) {
    (void)state;
    write_text(
        "row.yaml",
        "materials: {m: {density: 1000, young: 2.0e9, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.02, width: 0.03}}\n"
        "parameters: {n: 60}\n"
        "bodies:\n"
        "  a: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
        "      elements: n}\n"
        "  b: {type: floating_beam, material: m, section: bar, from: [1, 0, 0], to: [2, 0, 0],\n"
        "      elements: n}\n"
        "  c: {type: floating_beam, material: m, section: bar, from: [2, 0, 0], to: [2, 1, 0],\n"
        "      elements: n}\n"
        "joints:\n"
        "  root: {type: clamp, between: [ground, a.start]}\n"
        "  weld: {type: clamp, between: [a.end, b.start]}\n"
        "  knee: {type: clamp, between: [b.end, c.start]}\n"
        "loads: {push: {type: force, on: c.end, value: [0, 0, \"0.1*t\"]}}\n"
        "analysis: {end: 0.01, step: 0.005}\n");
    // by processor time: preparing is stopped for the full run, or the reduced run is refused
    const int code = program("run row.yaml --reduced -o row-full.h5");
    const char *message =
        code == 0 ? "--reduced was not applied" : "costs more than the full model";
    assert_true(code == 0 || code == 1);
    assert_non_null(strstr(error_text, message));
    expect(0, "info row-full.h5", code == 0 ? "(full model)" : "reduced");
    expect(0, "run row.yaml --reduced --accept --set n=4 -o row.h5", "amplitudes by method auto");
    expect(0, "info row.h5", "reduced");
}

/* A hub with booms, yokes and panels, turned by a wheel and a controller with a state. Principal
   fields contain the rotation of the light yokes only in part: without the test of the constraint
   rows the reduced run fails. */
static const char craft[] =
    "parameters: {k: 0.1}\n"
    "reference_temperature: 280\n"
    "materials:\n"
    "  tube: {density: 1600, young: 7e10, poisson: 0.3, damping: {normal: 2e-3, shear: 2e-3},\n"
    "         expansion: 1e-6, conductivity: 5, specific_heat: 900, absorptivity: 0.5}\n"
    "  sheet: {density: 120, young: 1.5e9, poisson: 0.3, damping: {normal: 1e-2, shear: 1e-2},\n"
    "          expansion: 2e-5, conductivity: 1, specific_heat: 900, absorptivity: 0.8}\n"
    "sections: {tube: {type: annulus, outer: 0.02, inner: 0.0185}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 100, inertia: [20, 20, 20]}\n"
    "  boom: {type: ancf_beam, material: tube, section: tube, from: [0, 0.5, 0], to: [0, 1.5, 0],\n"
    "         elements: 2}\n"
    "  yoke: {type: rigid, mass: 0.5, inertia: [0.06, 0.001, 0.06], position: [0, 1.5, 0]}\n"
    "  boom_m: {type: ancf_beam, material: tube, section: tube, from: [0, -0.5, 0],\n"
    "           to: [0, -1.5, 0], elements: 2}\n"
    "  yoke_m: {type: rigid, mass: 0.5, inertia: [0.06, 0.001, 0.06], position: [0, -1.5, 0]}\n"
    "  panel_m: {type: ancf_plate, material: sheet, thickness: 0.02, elements: [2, 3],\n"
    "            corner: [-0.5, -3.5, 0], x: [1, 0, 0], y: [0, 2, 0]}\n"
    "  panel: {type: ancf_plate, material: sheet, thickness: 0.02, elements: [2, 3],\n"
    "          corner: [-0.5, 1.5, 0], x: [1, 0, 0], y: [0, 2, 0]}\n"
    "joints:\n"
    "  root: {type: clamp, between: [hub, boom.start]}\n"
    "  yoke: {type: clamp, between: [boom.end, yoke]}\n"
    "  edge: {type: clamp, between: [yoke, panel.edge.y0]}\n"
    "  root_m: {type: clamp, between: [hub, boom_m.start]}\n"
    "  yoke_m: {type: clamp, between: [boom_m.end, yoke_m]}\n"
    "  edge_m: {type: clamp, between: [yoke_m, panel_m.edge.y1]}\n"
    "loads:\n"
    "  wheel: {type: wheel, on: hub, axis: [0, 0, 1], inertia: 0.1}\n"
    "  stay: {type: spring, between: [hub, \"panel.at(0.5, 1)\"], stiffness: k, damping: k/20}\n"
    "heat:\n"
    "  sun: {type: sun, direction: [0.3, 0, -1], eclipse: [[-100, 2]], penumbra: 1,\n"
    "        on: [panel, boom, panel_m, boom_m]}\n"
    "probes:\n"
    "  angle: {at: hub, quantity: rotation_vector}\n"
    "  rate: {at: hub, quantity: angular_velocity}\n"
    "controllers:\n"
    "  pd: {type: pid, signal: angle.z, rate: rate.z, setpoint: \"0.1*min(t/5, 1)\",\n"
    "       inputs: wheel, kp: -20, kd: -60, ki: -1}\n"
    "analysis: {end: 10, error_check: never}\n";

static long steps_of(const char *run) {
    expect(0, run, "done");
    const char *at = strstr(out_text, "done: ");
    assert_non_null(at);
    return strtol(at + 6, NULL, 10);
}

static void test_yoke(void **state) {
    (void)state;
    write_text("craft.yaml", craft);
    const long full = steps_of("run craft.yaml -o craft.full.h5");
    expect(0, "reduce craft.yaml --accept -o craft.rom.h5", "predicted error");
    const long small = steps_of("run craft.yaml --rom craft.rom.h5 -o craft.small.h5");
    print_message("%ld steps, reduced %ld\n", full, small);
    assert_true((double)small <= 1.5 * (double)full);
    expect(0, "compare craft.full.h5 craft.small.h5 --tol 1e-3", "position");
    // a spring and another controller in place of the first
    (void)steps_of("run craft.yaml --set k=5 -o craft.full.h5");
    (void)steps_of("run craft.yaml --set k=5 --rom craft.rom.h5 -o craft.small.h5");
    expect(0, "compare craft.full.h5 craft.small.h5 --tol 1e-3", "position");
    static const char other[] =
        "--set \"controllers={pi: {type: pid, signal: rate.z, setpoint: 0.01, inputs: wheel, kp: "
        "-50, ki: -5}}\"";
    char line[400];
    (void)snprintf(line, sizeof line, "run craft.yaml %s -o craft.full.h5", other);
    (void)steps_of(line);
    (void)snprintf(line, sizeof line, "run craft.yaml %s --rom craft.rom.h5 -o craft.small.h5",
                   other);
    (void)steps_of(line);
    expect(0, "compare craft.full.h5 craft.small.h5 --tol 1e-3", "position");
}

/* Four nodes of a wide edge on a rigid hub: modes and principal fields that fulfil the linear rows
   of the clamp leave the same direction row at each of them. */
static const char wing[] =
    "materials: {core: {density: 70, young: 2e9, poisson: 0.3, damping: {normal: 1e-3}}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 400, inertia: [80, 60, 90]}\n"
    "  wing: {type: ancf_plate, material: core, thickness: 0.02, elements: [4, 3],\n"
    "         quadrature: reduced, corner: [0.5, -0.6, 0], x: [2.4, 0, 0], y: [0, 1.2, 0]}\n"
    "joints:\n"
    "  root: {type: clamp, between: [hub, wing.edge.x0]}\n"
    "loads:\n"
    "  torque: {type: moment, on: hub, moment: ['3*sin(2*pi*t/8)', 'sin(2*pi*t/5)', 0]}\n"
    "probes:\n"
    "  tip: {at: 'wing.at(2.4, 0.6)', quantity: displacement, frame: hub}\n"
    "analysis: {end: 4, tolerance: 1e-5}\n";

static void test_wide_edge(void **state) {
    (void)state;
    write_text("wing.yaml", wing);
    expect(0, "run wing.yaml -o wing.full.h5", "done");
    expect(0, "reduce wing.yaml --accept -o wing.rom.h5", "predicted error");
    expect(0, "run wing.yaml --rom wing.rom.h5 -o wing.small.h5", "done");
    expect(0, "compare wing.full.h5 wing.small.h5 --tol 1e-3", "position");
    expect(0,
           "run wing.yaml --reduced --no-compare --accept -o wing.modes.h5 --set "
           "\"reduction={method: rotation_closed, fields: modes, number: 12}\"",
           "done");
    expect(0, "compare wing.full.h5 wing.modes.h5 --tol 1e-3", "position");
}

static void test_wrong_use(void **state) {
    (void)state;
    expect(2, "reduce", "gossamer reduce");
    expect(2, "reduce nothing.yaml", "nothing.yaml");
    expect(2, "reduce model.yaml -o model.yaml", "is also an input");
    expect(2, "reduce model.yaml --full", "--full");
    expect(2, "run model.yaml --rom nothing.h5", "nothing.h5");
    expect(2, "run model.yaml --rom model.yaml", "not a reduced model");
    expect(2, "run model.yaml --rom rom.h5 --full", "cannot be combined");
}

/* ---- linear models --------------------------------------------------------------------------- */

static const char beam[] =
    "materials:\n"
    "  steel: {density: 7800, young: 2.0e11, damping: {normal: 1.0e-5}}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 10, temperature: off}\n"
    "joints:\n"
    "  wall: {type: clamp, between: [ground, rod.start]}\n"
    "loads:\n"
    "  side: {type: force, on: rod.end, value: [0, \"sin(t)\", 0]}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: displacement, direction: [0, 1, 0]}\n"
    "analysis: {type: dynamic, end: 1}\n"
    "reduction: {method: modes_static, band: [1, 100], tolerance: 1.0e-4}\n";

/* magnitude at 20 Hz, between the first two resonances (8.2 and 51 Hz) */
static double at_20(const char *what) {
    char line[200];
    double f, magnitude;
    (void)snprintf(line, sizeof line, "response %s --band 20:20 --points 1", what);
    expect(0, line, "frequency,tip.value/side.y.magnitude");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf", &f, &magnitude), 2);
    return magnitude;
}

/* every method of the library, by its name in the table; the error requested, where the response is
   a hundredth of its largest value and more */
static void test_linear_methods(void **state) {
    (void)state;
    write_text("beam.yaml", beam);
    const double full = at_20("beam.yaml");
    assert_true(full > 1e-4 && full < 1e-3);
    expect(0, "export beam.yaml --to h5 -o beam.h5", "done");
    const char *name, *doc;
    for (int i = 0; (name = gos_linear_method(i, &doc)) != NULL; i++) {
        char line[300];
        (void)snprintf(line, sizeof line,
                       "reduce beam.h5 --method %s --band 1:100 --tolerance 1e-4 -o small.h5%s",
                       name, strcmp(name, "static_vectors") == 0 ? " --accept" : "");
        expect(0, line, "reduced from 66 coordinates");
        const double error = at_20("small.h5") / full - 1;
        if (strcmp(name, "static_vectors") != 0 && !(error < 0.05 && error > -0.05)) {
            fail_msg("%s: %g", name, error);
        }
    }
}

static void test_linear(void **state) {
    (void)state;
    write_text("beam.yaml", beam);
    expect(0, "reduce beam.yaml", "predicted error");
    expect(0, "info beam.rom.h5", "reduced by   modes_static");
    expect(0, "reduce beam.yaml --set reduction.correction=3 -o corrected.h5",
           "3 of them are truncated modes");
    expect(0, "info corrected.h5", "corrections     3");
    expect(2, "reduce beam.yaml --set reduction.correction=200 -o corrected.h5",
           "correction by 200 modes: this model has 66 coordinates");
    expect(0, "info beam.rom.h5 --json", "\"method\": \"modes_static\"");
    expect(0, "modes beam.rom.h5", "8.1");
    const double full = at_20("beam.yaml"), small = at_20("beam.rom.h5");
    assert_true(small / full - 1 < 1e-2 && full / small - 1 < 1e-2);
    // 6 vectors of 6 are the model itself
    expect(0, "reduce beam.rom.h5 --method modes --order 2 --accept -o two.h5", "to 2 coordinates");
    // a tolerance that is requested is kept, or the reduction fails and leaves no file
    expect(1, "reduce beam.rom.h5 --method modes --order 2 --band 1:100 --tolerance 1e-6 -o no.h5",
           "above the tolerance of 1e-06");
    expect(2, "info no.h5", "no.h5");
    expect(0,
           "reduce beam.rom.h5 --method modes --order 2 --band 1:100 --tolerance 1e-6 --accept "
           "-o two.h5",
           "the model is accepted nevertheless");
    expect(0, "reduce beam.rom.h5 --method krylov --order 3 --band 1:100 --each -o each.h5",
           "of the largest response of each channel");
    expect(0, "info each.h5", "each            1");
    expect(0, "reduce beam.rom.h5 --method auto --order 2 --band 1:100 -o auto.h5",
           "to 2 coordinates");
    expect(1, "reduce beam.rom.h5 --method auto --order 2 --band 1:100 --tolerance 1e-9 -o no.h5",
           "above the tolerance");
    expect(0, "export two.h5 --to mat -o two.mat", "done");
    expect(0, "info two.mat", "2 coordinates");
    expect(0,
           "reduce two.mat --method krylov --order 1 --set reduction.frequencies=[8] --accept -o "
           "one.h5",
           "to 1 coordinates");
    expect(0, "reduce beam.yaml --equilibrium --order 3 --accept -o three.h5", "to 3 coordinates");
    // the model's own entry is for another method, and has a band
    expect(0, "reduce beam.yaml --method auto -o system.h5", "is for modes_static");
    expect(0, "reduce beam.yaml --method auto --set reduction.fields=modes -o system.h5", "fields");
    expect(0, "reduce beam.yaml --method modes_static -o same.h5", "predicted error");
    expect(0, "compare beam.rom.h5 same.h5 --band 1:100 --tol 1e-14", "largest difference");
}

/* the reduced system, linearised: the beam is straight, so that fields of it hold the lowest modes;
   the static value L^3 / (3 E I) = 1e-3 */
static void test_response_of_rom(void **state) {
    (void)state;
    double f, full, small;
    write_text("beam.yaml", beam);
    expect(0, "reduce beam.yaml --method rotation_closed --set reduction.on_mesh=true -o beam.r.h5",
           "fields");
    const char *const line[] = {"response beam.yaml --band 20:20 --points 1",
                                "response beam.r.h5 --band 20:20 --points 1"};
    expect(0, line[0], "tip.value/side.y");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf", &f, &full), 2);
    expect(0, line[1], "tip.value/side.y");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf", &f, &small), 2);
    assert_true(small / full - 1 < 1e-3 && full / small - 1 < 1e-3);
    expect(0, "modes beam.r.h5 -n 2", "8.1");
    expect(0, "info beam.r.h5", "reduced model");
    expect(0, "export beam.r.h5 --to mtx -o beam.r", "done");
    expect(0, "export beam.r.h5 --to vtu -o beam.vtu", "done");
    // the reduced linear model keeps its tolerance, and an order too low does not
    expect(0, "reduce beam.yaml -o four.h5", "predicted error");
    expect(0, "compare beam.yaml four.h5 --band 1:100 --tol 1e-4", "largest difference");
    expect(0, "reduce beam.yaml --method modes --order 1 --accept -o one.h5", "to 1 coordinates");
    expect(4, "compare beam.yaml one.h5 --band 1:100 --tol 1e-4", "exceeds the tolerance");
    expect(0, "compare beam.r.h5 four.h5 --band 1:100 --tol 1e-2 --json", "worst_relative");
    expect(2, "compare beam.yaml four.h5 --band 5", "--band needs");
    // after a step: undamped, the mean is the static value and all modes ring
    expect(0, "compare beam.yaml four.h5 --over 0.5 --tol 1e-2", "after a unit step of each input");
    expect(4, "compare beam.yaml one.h5 --over 0.5 --points 500 --tol 1e-3",
           "exceeds the tolerance");
    expect(0, "compare beam.yaml four.h5 --over 0.5 --json", "\"max_relative\"");
    expect(2, "compare beam.yaml four.h5 --over 0", "--over needs a time");
    expect(2, "compare beam.yaml four.h5 --over 1 --band 1:2", "combined with --band");
    expect(2, "compare beam.yaml four.h5 --points 10", "--points requires --over");
    expect(0,
           "reduce beam.yaml --method pod --order 4 --accept --band 1:100 --set "
           "reduction.transient=true "
           "-o pod.h5",
           "to 4 coordinates");
    expect(0, "reduce beam.yaml --method pod --order 4 --accept --band 1:100 -o pod0.h5",
           "to 4 coordinates");
    expect(4, "compare pod.h5 pod0.h5 --band 1:100 --tol 1e-9", "exceeds the tolerance");
    expect(2, "response beam.r.h5 --set sections.bar.height=0.02", "other");
}

static void test_linear_wrong_use(void **state) {
    (void)state;
    write_text("beam.yaml", beam);
    expect(2, "run beam.yaml --reduced", "modes_static yields a linear model");
    expect(2, "reduce beam.yaml --method krilov", "did you mean 'krylov'");
    expect(2, "reduce beam.yaml --method auto --at 0.1", "a method for linear models");
    expect(2, "reduce beam.yaml --band 5", "--band needs");
    expect(2, "reduce beam.yaml --set reduction.band=[5,2]", "the lower one first");
    expect(2, "reduce beam.yaml --order 1000 -o x.h5", "order 1000");
    expect(0, "export beam.yaml --to h5 -o beam.h5", "done");
    // parameters of other methods, and of models of the other kind
    expect(2, "reduce beam.yaml --method auto --order 3",
           "auto supports 'order' for linear models only");
    expect(2, "reduce beam.yaml --method auto --band 1:9",
           "auto supports 'band' for linear models only");
    expect(2, "reduce beam.h5 --method auto --set reduction.fields=modes",
           "auto supports 'fields' for nonlinear models only");
    expect(
        2, "reduce beam.h5 --method static_vectors --order 1",
        "'order' is a parameter of auto, complex_modes, krylov, irka, ..., not of static_vectors");
    expect(2, "reduce beam.h5 --method rotation_closed --band 1:9", "not of rotation_closed");
    expect(2, "reduce beam.h5 --method rotation_closed",
           "have no reduction method 'rotation_closed'");
    expect(2, "reduce beam.h5 --set n=2 -o x.h5", "only reduction.NAME");
    expect(2, "reduce beam.h5 --method craig_bampton --set reduction.interface=nose -o x.h5",
           "no coordinate 'nose'");
    expect(2, "run beam.yaml --rom beam.h5", "beam.h5");
}

/* pages of stored models: what is not known is reported, a linear model has no modes to draw */
static void test_report(void **state) {
    (void)state;
    expect(0, "report rom.h5", "rom.html");
    expect(0, "export model.yaml --to h5 -o linear.h5", "");
    expect(0, "report linear.h5 -o linear.html", "linear.html");
    expect(0, "reduce linear.h5 --method modes --order 4 --accept -o small.h5", "");
    expect(0, "report small.h5", "small.html");
    expect(2, "report rom.h5 rom.h5", "one model");
    check_content("rom.html --text 'Reduced model' --text coordinates --text Frequencies --text "
                  "'mode 1: ' --count 'script=2'");
    check_content("linear.html --text 'its modes cannot be drawn' --text Outputs");
    check_content("small.html --text methodmodes");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce),          cmocka_unit_test(test_floating),
        cmocka_unit_test(test_beside_floating), cmocka_unit_test(test_other_loads),
        cmocka_unit_test(test_added_shadows),   cmocka_unit_test(test_promises),
        cmocka_unit_test(test_missed),          cmocka_unit_test(test_others_missed),
        cmocka_unit_test(test_compared),        cmocka_unit_test(test_pays),
        cmocka_unit_test(test_floating_pays),   cmocka_unit_test(test_yoke),
        cmocka_unit_test(test_wide_edge),       cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_linear_methods),  cmocka_unit_test(test_linear),
        cmocka_unit_test(test_response_of_rom), cmocka_unit_test(test_linear_wrong_use),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
