/* gossamer response, and linear models given to it and to modes. */
#include "program.h"
#include "support/suite.h"

#include <math.h>

static const char model[] =
    "parameters: {n: 6}\n"
    "materials:\n"
    "  steel: {density: 7800, young: 2.0e11}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: n, temperature: off}\n"
    "joints:\n"
    "  wall: {type: clamp, between: [ground, rod.start]}\n"
    "loads:\n"
    "  side: {type: force, on: rod.end, value: [0, \"sin(t)\", 0]}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: displacement}\n"
    "  other: {at: rod.at(0.5), quantity: velocity, direction: [0, 1, 0]}\n"
    "analysis: {type: dynamic, end: 1}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("model.yaml", model);
    return 0;
}

/* far below the first frequency (8.3 Hz) L^3 / (3 E I) = 0.001, phase 0; header with all pairs */
static void test_static(void **state) {
    (void)state;
    double f, magnitude, phase;
    expect(0, "response model.yaml --to tip.y --band 1e-3:1e-3 --points 1",
           "frequency,tip.y/side.y.magnitude,tip.y/side.y.phase\n");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf,%lf", &f, &magnitude, &phase), 3);
    assert_true(fabs(f - 1e-3) < 1e-12 && fabs(magnitude - 1e-3) < 1e-8 && fabs(phase) < 1e-6);
    expect(0, "response model.yaml --points 3", "tip.z/side.y.magnitude");
    int lines = 0;
    for (const char *c = out_text; *c; c++) {
        lines += *c == '\n';
    }
    assert_int_equal(lines, 4);
    expect(0, "response model.yaml --from side --to tip --to other", "other.value/side.y.");
    expect(0, "response model.yaml --from side --to tip --to other -o r.h5", "r.h5: ");
    char command[400];
    (void)snprintf(command, sizeof command,
                   "cd %s && /usr/bin/python3 -c \"import h5py; f = h5py.File('r.h5'); "
                   "assert f['response'].shape[1:] == (4, 1, 2); "
                   "assert 200 < f['response'].shape[0] <= 400; "
                   "assert f['response'].attrs['inputs'][0] == b'side.y'\"",
                   folder);
    assert_int_equal(system(command), 0);
}

/* a mass on a spring and a damper, 5 Hz, damping ratio z = 1e-3, its load and its probe of one
   name */
static const char oscillator[] =
    "parameters: {w: 31.4159265358979, z: 1.0e-3}\n"
    "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
    "joints: {j: {type: prismatic, between: [ground, b], axis: [1, 0, 0]}}\n"
    "loads:\n"
    "  tip: {type: force, on: b, value: [\"sin(t)\", 0, 0]}\n"
    "  k: {type: spring, between: [ground, b], at: [0, 0, 0], stiffness: w^2, damping: 2*z*w}\n"
    "probes: {tip: {at: b, quantity: position}}\n"
    "analysis: {end: 1}\n";

/* rows of the last output, ascending in frequency, and the largest magnitude of the first pair */
static int rows_of(double *most) {
    int n = 0;
    double f, last = 0, magnitude;
    *most = 0;
    for (const char *c = strchr(out_text, '\n'); c && sscanf(c, "%lf,%lf", &f, &magnitude) == 2;
         c = strchr(c + 1, '\n'), n++) {
        assert_true(f > last);
        last = f;
        *most = magnitude > *most ? magnitude : *most;
    }
    return n;
}

/* 1 / (2 z sqrt(1 - z^2) w^2) at the peak, of which 200 frequencies over two decades see a tenth; a
   peak whose neighbours are at most 5 % lower, one twice as far away as the other, is at most 1.8 %
   higher than what is seen of it */
static void test_peaks(void **state) {
    (void)state;
    const double w = 31.4159265358979, z = 1e-3, peak = 1 / (2 * z * sqrt(1 - z * z) * w * w);
    double most;
    write_text("oscillator.yaml", oscillator);
    expect(0, "response oscillator.yaml --to tip.x --band 1:100 --points 200",
           "frequency,tip.x (output)/tip.x (input).magnitude,tip.x (output)/tip.x (input).phase\n");
    assert_int_equal(rows_of(&most), 200);
    assert_true(most < 0.2 * peak);
    expect(0, "response oscillator.yaml --to tip.x --band 1:100", "frequency,");
    const int n = rows_of(&most);
    assert_in_range(n, 205, 240);
    assert_true(most > 0.982 * peak && most < 1.0001 * peak);
    expect(0, "response oscillator.yaml --over 1 --points 2", "time,tip.x (output)/tip.x (input),");
    // with a file nothing is printed but what it has got
    expect(0, "response oscillator.yaml --to tip.x --band 1:100 -o peak.h5", "peak.h5: ");
    char line[200];
    (void)snprintf(line, sizeof line,
                   "peak.h5: %d frequencies, 1 to 100 Hz, %d of them around peaks; 1 input, 3 "
                   "outputs\n",
                   n, n - 200);
    assert_string_equal(out_text, line);
    expect(0, "report peak.h5", "peak.html");
    check_content(
        "peak.html --text 'tip.x (output) / tip.x (input)' --text 'tip.y / tip.x (input)'");
}

/* processes divide the frequencies: the same numbers in the same order; what fails in one is
 * reported once */
static void test_workers(void **state) {
    (void)state;
    expect(0, "response model.yaml --band 1:20 --points 7", "tip.y/side.y.magnitude");
    char *alone = strdup(out_text);
    assert_non_null(alone);
    expect(0, "response model.yaml --band 1:20 --points 7 --workers 3", "tip.y/side.y.magnitude");
    assert_string_equal(out_text, alone);
    free(alone);
    expect(0, "response model.yaml --band 1:20 --points 2 --workers 5", "tip.y/side.y.magnitude");
    write_text("one.yaml", "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                           "loads: {f: {type: force, on: b, value: [1, 0, 0]}}\n"
                           "probes: {p: {at: b}}\n");
    expect(0, "response one.yaml --band 1:2 --points 4 --workers 2", "p.x/f.x.magnitude");
}

/* a model of matrices in a folder: one mass, 2 Hz */
static void test_folder(void **state) {
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "mkdir %s/one", folder);
    assert_int_equal(system(command), 0);
    write_text("one/M.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    write_text("one/K.mtx", "%%MatrixMarket matrix array real general\n1 1\n157.91367041742973\n");
    write_text("one/B.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    write_text("one/C.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    expect(0, "modes one", "2");
    expect(0, "response one", "frequency,y1/u1.magnitude,y1/u1.phase");
    expect(2, "response one --set n=3", "--set");
    write_text("one/K.mtx", "%%MatrixMarket matrix array real general\n1 1\nnan\n");
    expect(2, "response one", "one/K.mtx:3:1: 'nan' is not a finite number");
}

/* the same mass as a body, by its first order: x1' = x2, x2' = -k x1 + u */
static void test_body(void **state) {
    (void)state;
    double f, magnitude, phase;
    write_text("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n"
                        "2 1 -157.91367041742973\n");
    write_text("B.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n1\n");
    write_text("C.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n0\n");
    write_text("body.yaml", "bodies:\n  mass: {type: matrices, A: A.mtx, B: B.mtx, C: C.mtx,\n"
                            "         order: second, inputs: push, outputs: [x]}\n");
    expect(0, "check body.yaml", "no errors");
    expect(0, "modes body.yaml", "   1               2 ");
    expect(0, "response body.yaml --band 1e-4:1e-4 --points 1", "frequency,x/push.magnitude,");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf,%lf", &f, &magnitude, &phase), 3);
    assert_true(fabs(magnitude - 1 / 157.91367041742973) < 1e-10);
    expect(0, "run body.yaml --set analysis.end=1 -o body.h5", "done: ");
    expect(0, "reduce body.yaml --method modes --order 1 --accept -o one.h5",
           "reduced from 1 coordinates");
    expect(0, "modes one.h5", "   1               2 ");
    expect(2, "reduce body.yaml --method rotation_closed -o two.h5", "rotation_closed");
    expect(0, "modes body.yaml --at 1", "   1               2 ");
    write_text("two.yaml", "bodies:\n  mass: {type: matrices, A: A.mtx, inputs: [a, b]}\n");
    expect(2, "check two.yaml",
           "two.yaml:2:44: body 'mass': there are 2 names of inputs, but the matrices have 0");
    write_text("two.yaml", "bodies:\n  mass: {type: matrices, A: A.mtx}\n"
                           "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n");
    expect(0, "check two.yaml", "no errors");
    write_text("two.yaml", "bodies:\n  mass: {type: matrices, A: A.mtx}\n"
                           "probes:\n  p: {at: mass.end}\n");
    expect(2, "check two.yaml", "two.yaml:4:11: probe 'p': body 'mass' is defined by matrices");
}

/* the page of two responses: curves of both, in whole decades around their magnitudes */
static void test_report(void **state) {
    (void)state;
    expect(0, "response model.yaml --to tip.y --band 1:100 --points 200 -o full.h5", "full.h5: ");
    expect(0, "reduce model.yaml --method modes --order 2 --accept -o two.h5", "to 2 coordinates");
    expect(0, "response two.h5 --band 1:100 --points 200 -o two.r.h5", "two.r.h5: ");
    expect(0, "report full.h5 two.r.h5 -o page.html", "page.html");
    // more frequencies around its peaks: those of both are compared
    expect(0, "response two.h5 --band 1:100 -o more.r.h5", "around peaks");
    expect(0, "report full.h5 more.r.h5 -o more.html", "more.html");
    // what it is, and what takes it, where a model or a reduced model of a system is wanted
    expect(2, "run model.yaml --rom two.h5", "a linear model, valid near one state");
    expect(2, "run two.h5", "use it with gossamer response, modes, reduce or export");
    expect(2, "sweep model.yaml --vary n=4,6 --rom two.h5 -o swept", "a linear model, valid near");
    expect(2, "check full.h5", "is an HDF5 file; a model is a YAML file");
    expect(2, "report full.h5 model.yaml -o page.html", "not a response");
    expect(2, "report full.h5 -o model.yaml", "not an HTML page");
    // of the 4 outputs tip.y and other.value answer: magnitude and phase of 2 files, and the list
    // of files. The first point of tip.y at 1 Hz: at the left edge, 1.01473e-3 m/N (the static
    // 1e-3, of which the first mode has 0.971, times 1 / (1 - (1 Hz / 8.18 Hz)^2) for it) on an
    // axis of 6 decades from 1e-6 at y = 244 to 1 at y = 24
    char arguments[400];
    (void)snprintf(
        arguments, sizeof arguments,
        "page.html --text 'tip.y / side.y' --text 'magnitude [m / N]' --text 'differs by "
        "at most 0.' --text 'There is no response' --count 'path.curve=10' --starts "
        "'figure:nth-of-type(2) path.curve=56,%.3f'",
        244 - (log10(1.01473e-3) + 6) / 6 * 220);
    check_content(arguments);
    check_content("more.html --text '(at 200 common frequencies)'");
}

/* Values of a wheel and of a hinge: closed forms at 0.1 and 0.5 Hz. */
static void test_loads(void **state) {
    (void)state;
    write_text("wheel.yaml", "bodies: {hub: {type: rigid, mass: 5, inertia: [0.5, 0.5, 0.5]}}\n"
                             "loads: {w: {type: wheel, on: hub, axis: [0, 0, 1], inertia: 0.1}}\n"
                             "probes: {w: {quantity: wheel, load: w}}\n"
                             "analysis: {end: 1}\n");
    static const char *const wheel[] = {"19.0985931710", // 1 / (omega J), 1 / (omega J_hub)
                                        ",1.5915494309", ",1,0\n"};
    for (int i = 0; i < 3; i++) {
        expect(0, "response wheel.yaml --from w --band 0.1:1 --points 2", wheel[i]);
    }
    write_text("hinge.yaml",
               "bodies: {arm: {type: rigid, mass: 1, inertia: [1, 1, 2]}}\n"
               "joints: {axle: {type: revolute, between: [ground, arm], axis: [0, 0, 1]}}\n"
               "loads:\n"
               "  s: {type: torsion_spring, between: [ground, arm], axis: [0, 0, 1],\n"
               "      stiffness: 50, damping: 3}\n"
               "  m: {type: moment, on: arm, moment: [0, 0, \"0*t\"]}\n"
               "probes: {h: {quantity: hinge, load: s}}\n"
               "analysis: {end: 1}\n");
    // 1 / (k - J omega^2 + i d omega), times -(k + i d omega)
    expect(0, "response hinge.yaml --from m --band 0.5:2 --points 2", "0.5,0.0315512061");
    expect(0, "response hinge.yaml --from m --band 0.5:2 --points 2", ",1.6053415061");
}

static void test_wrong_use(void **state) {
    (void)state;
    expect(2, "response", "a file is missing");
    expect(2, "response nothing.yaml", "nothing.yaml");
    expect(2, "response model.yaml --from side.z", "did you mean 'side.y'");
    expect(2, "response model.yaml --to elsewhere", "options: tip.x, tip.y");
    expect(2, "response model.yaml --band 5", "--band needs");
    expect(2, "response model.yaml --band 5:2", "--band needs");
    expect(2, "response model.yaml --band 0:2", "--band needs");
    expect(2, "response model.yaml --equilibrium --at 1", "cannot be combined");
    expect(2, "response model.yaml -o model.yaml", "is also an input");
    expect(2,
           "response model.yaml --set loads.side.value=[0,0,0] --set probes.tip.quantity=energy "
           "--to tip",
           "no output 'tip'");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_static),    cmocka_unit_test(test_folder),
        cmocka_unit_test(test_workers),   cmocka_unit_test(test_body),
        cmocka_unit_test(test_peaks),     cmocka_unit_test(test_report),
        cmocka_unit_test(test_wrong_use), cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
