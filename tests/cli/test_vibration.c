/* gossamer response --base, --psd, --srs, jitter, modes --buckling and --spin over speeds: output,
   JSON, refusals with line and remedy. */
#include "program.h"
#include "support/suite.h"

#include <math.h>

static const char oscillator[] =
    "bodies: {m: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
    "joints: {p: {type: prismatic, between: [ground, m], axis: [0, 0, 1]}}\n"
    "loads: {k: {type: spring, between: [ground, m], at: [0, 0, -1], free_length: 1, stiffness: "
    "'2*(2*pi*50)^2', damping: '2*2*0.05*2*pi*50'}}\n"
    "probes: {z: {at: m, quantity: displacement}}\nanalysis: {end: 1}\n";

static const char pushed[] =
    "bodies: {m: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
    "joints: {p: {type: prismatic, between: [ground, m], axis: [0, 0, 1]}}\n"
    "loads: {push: {type: force, 'on': m, value: [0, 0, 1]}, k: {type: spring, between: [ground, "
    "m], at: [0, 0, -1], free_length: 1, stiffness: '2*(2*pi*50)^2', damping: "
    "'2*2*0.05*2*pi*50'}}\n"
    "probes: {z: {at: m, quantity: displacement}}\nanalysis: {end: 1}\n";

static const char column[] =
    "materials: {s: {density: 7800, young: 2e11, poisson: 0.3}}\n"
    "sections: {q: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {r: {type: ancf_cable, material: s, section: q, from: [0, 0, 0], to: [1, 0, 0], "
    "normal: [0, 0, 1], elements: 8}}\n"
    "joints: {c: {type: clamp, between: [ground, r.start]}}\n"
    "loads: {P: {type: force, 'on': r.end, value: [-1, 0, 0]}, Q: {type: force, 'on': r.end, "
    "value: [-100, 0, 0]}}\nanalysis: {type: static}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("o.yaml", oscillator);
    write_text("c.yaml", column);
    write_text("white.csv", "frequency,density\n0.05,1e-2 # g^2/Hz\n5e4,1e-2\n");
    return 0;
}

static void test_base(void **state) {
    (void)state;
    double f, magnitude, phase;
    expect(0, "response o.yaml --base ground:z --to z.z --band 50:50 --points 1",
           "frequency,z.z/base.z.magnitude,z.z/base.z.phase\n");
    assert_int_equal(sscanf(strchr(out_text, '\n'), "%lf,%lf,%lf", &f, &magnitude, &phase), 3);
    assert_true(fabs(magnitude - sqrt(1 + 0.01) / 0.1) < 1e-6);
    // peaks between equal ratios of frequencies: 1/(2 zeta) of a sharp one
    write_text("sharp.yaml",
               "bodies: {m: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
               "joints: {p: {type: prismatic, between: [ground, m], axis: [0, 0, 1]}}\n"
               "loads: {k: {type: spring, between: [ground, m], at: [0, 0, -1], free_length: 1, "
               "stiffness: '2*(2*pi*50)^2', damping: '2*2*0.001*2*pi*50'}}\n"
               "probes: {z: {at: m, quantity: displacement}}\nanalysis: {end: 1}\n");
    expect(0, "response sharp.yaml --base ground:z --to z.z --band 7:1000", "frequency,");
    double most = 0;
    for (const char *line = strchr(out_text, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        most = sscanf(line, "%lf,%lf", &f, &magnitude) == 2 ? fmax(most, magnitude) : most;
    }
    assert_true(fabs(most / 500 - 1) < 0.01);
    expect(2, "response o.yaml --base ground", "--base needs BODY:AXIS or ground:AXIS");
    expect(2, "response o.yaml --base ground:w", "for example ground:z, not 'ground:w'");
    expect(2, "response o.yaml --base n:z", "no rigid or floating body 'n'");
    expect(2, "response o.yaml --base ground:z --to zz", "did you mean");
    expect(2, "response o.yaml --base ground:z --over 1", "--base cannot be combined");
    expect(2, "response o.yaml --psd white.csv", "needs --base");
}

static void test_psd(void **state) {
    (void)state;
    expect(0, "response o.yaml --base ground:z --psd white.csv --to z.z", "2.8163");
    expect(0, "response o.yaml --base ground:z --psd white.csv --json -o curves.csv",
           "\"three_sigma\": 8.449");
    expect(2, "response o.yaml --base ground:z --psd none.csv", "check the path");
    write_text("neg.csv", "10,1\n20,-1\n");
    expect(2, "response o.yaml --base ground:z --psd neg.csv",
           "neg.csv:2: the density -1 g^2/Hz is not positive");
    write_text("back.csv", "20,1\n10,1\n");
    expect(2, "response o.yaml --base ground:z --psd back.csv",
           "back.csv:2: the first column must ascend, but 10 follows 20; sort the rows");
    write_text("wide.csv", "20,1\n30,1,2\n");
    expect(2, "response o.yaml --base ground:z --psd wide.csv", "wide.csv:2: this line has 3");
    write_text("word.csv", "20,1\n30,one\n");
    expect(2, "response o.yaml --base ground:z --psd word.csv", "'one' is not a finite number");
    write_text("short.csv", "20,1\n");
    expect(2, "response o.yaml --base ground:z --psd short.csv", "at least two rows; it has 1");
}

static void test_srs(void **state) {
    (void)state;
    write_text("a.csv", "time,pulse\n0,0\n0.01,1\n0.02,0\n0.03,0\n");
    expect(0, "response a.csv --srs --band 10:1000 --points 3", "frequency,pulse.srs\n10,");
    write_text("b.csv", "0,0\n0.01,1\n0.03,0\n");
    expect(2, "response b.csv --srs", "b.csv:2: the time step is 0.01 s, but 0.015 s on average");
    expect(2, "response a.csv --srs --q 0.5", "quality factor above 0.5");
    expect(2, "response a.csv --srs --base ground:z", "--srs takes a CSV file");
}

static void test_buckling(void **state) {
    (void)state;
    expect(0, "modes c.yaml --buckling -n 2 --scale P",
           "scaled by the load factor: P.x\nconstant: Q.x");
    expect(0, "modes c.yaml --buckling -n 1 --json", "\"factor\": 8.143");
    expect(2, "modes c.yaml --scale P", "--scale needs --buckling");
    expect(2, "modes c.yaml --buckling --damped", "cannot be combined");
    expect(2, "modes c.yaml --buckling --scale X", "no load, joint or heat entry 'X'");
}

/* Jeffcott's rotor: the disc whirls with 40 rad/s at any speed; its tilt, 12 EI / L = k = 2000 N m,
   has the critical speed sqrt(k / (It - Ip)) = 400 rad/s */
static void test_campbell(void **state) {
    (void)state;
    static const char rotor[] =
        "materials: {m: {density: 0.1, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
        "bodies:\n"
        "  disc: {type: rigid, mass: 5, inertia: [0.0225, 0.0225, 0.01], position: [0, 0, 0.5]}\n"
        "  low: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0, 0, 0.5], "
        "elements: 1}\n"
        "  high: {type: ancf_cable, material: m, section: s, from: [0, 0, 0.5], to: [0, 0, 1], "
        "elements: 1}\n"
        "joints:\n"
        "  a: {type: spherical, between: [ground, low.start]}\n"
        "  b: {type: clamp, between: [disc.node, low.end], rigid: false}\n"
        "  c: {type: clamp, between: [disc.node, high.start], rigid: false}\n"
        "  d: {type: point_on_line, between: [ground, high.end], direction: [0, 0, 1]}\n"
        "analysis: {end: 1}\n";
    write_text("r.yaml", rotor);
    expect(0, "modes r.yaml --spin z:10:500 -n 8", "frequency [Hz]  whirl\n");
    double critical[3] = {0};
    int n = 0;
    for (const char *at = strstr(out_text, "critical speed "); at && n < 3;
         at = strstr(at + 1, "critical speed ")) {
        critical[n++] = strtod(at + 15, NULL);
    }
    assert_int_equal(n, 2);
    assert_true(fabs(critical[0] - 40) < 1e-3 && fabs(critical[1] - 400) < 0.02);
    // 40 rad/s forward and backward at every speed
    assert_non_null(strstr(out_text, "           10        6.366"));
    assert_non_null(strstr(out_text, "  backward"));
    expect(0, "modes r.yaml --spin z:10:300 -n 8 --json", "\"critical_speeds\": [");
    // the table meets the critical speed itself
    write_text("d.yaml", "bodies: {d: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.03]}}\n"
                         "joints: {b: {type: bushing, between: [ground, d],\n"
                         "             stiffness: [20000, 20000, 1.0e6, 500, 500, 0]}}\n");
    expect(0, "modes d.yaml --spin z:90:110", "critical speed 100 rad/s");
    expect(1, "modes d.yaml --spin z:100", "the rate is a critical speed");
    expect(2, "modes r.yaml --spin z:10:5", "AXIS:FROM:TO with 0 < FROM < TO");
    expect(2, "modes r.yaml --spin q:1:5", "--spin needs AXIS:RATE");
    expect(2, "modes r.yaml --spin z:1:5 --damped", "cannot be combined with --damped");
}

static void test_jitter(void **state) {
    (void)state;
    write_text("wheel.csv", "order,k.z\n1,1e-4\n");
    write_text("pushed.yaml", pushed);
    expect(2, "jitter o.yaml --speed 50:400", "--harmonics FILE.csv and --speed FROM:TO");
    expect(2, "jitter o.yaml --harmonics wheel.csv --speed 50", "needs FROM:TO in rad/s");
    expect(2, "jitter o.yaml --harmonics wheel.csv --speed 50:400", "the model has no inputs");
    expect(2, "jitter pushed.yaml --harmonics wheel.csv --speed 50:400", "there is no input 'k.z'");
    write_text("wheel.csv", "order,push.z\n1,1e-4\n2,1e-5 # second\n");
    // 1e-4 (w / w0)^2 / m / sqrt((1 - r^2)^2 + (2 zeta r)^2) / sqrt 2 at w0: 1e-3 / 2 / sqrt 2
    expect(0, "jitter pushed.yaml --harmonics wheel.csv --speed 50:400 --to z.z --points 2",
           "z.z                                   31");
    assert_non_null(strstr(out_text, "0.000353"));
    write_text("sight.csv", "sight,z.z\n1,2\n");
    expect(0,
           "jitter pushed.yaml --harmonics wheel.csv --speed 50:400 --sight sight.csv --window "
           "0.01 --json -o jitter.csv",
           "\"name\": \"sight1\"");
    read_text("jitter.csv", out_text);
    assert_non_null(strstr(out_text, "speed,sight1.rms,sight1.mean,sight1.jitter\n50,"));
    write_text("sight.csv", "sight,zz.z\n1,2\n");
    expect(2, "jitter pushed.yaml --harmonics wheel.csv --speed 50:400 --sight sight.csv",
           "did you mean 'z.z'");
    write_text("wheel.csv", "order,push.z\n-1,1e-4\n");
    expect(2, "jitter pushed.yaml --harmonics wheel.csv --speed 50:400",
           "wheel.csv:2: order -1 is not positive");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jitter),   cmocka_unit_test(test_base),
        cmocka_unit_test(test_psd),      cmocka_unit_test(test_srs),
        cmocka_unit_test(test_buckling), cmocka_unit_test(test_campbell),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
