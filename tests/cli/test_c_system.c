/* gossamer export --to c of nonlinear models: the generated source compiles without warnings and
   without libraries; its steps converge with second order to runs of the program, and to a closed
   form; parts whose equations are no polynomials are refused by name. */
#include <math.h>

#include "program.h"

#include "support/suite.h"

#define COMPILE "cc -std=c99 -Wall -Wextra -Werror -pedantic -Wconversion -O1 "

static void shell(const char *line) {
    char command[2048];
    (void)snprintf(command, sizeof command, "cd %s && { %s; } >out.txt 2>error.txt", folder, line);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    if (how != 0) {
        fail_msg("%s\n%s%s", line, out_text, error_text);
    }
}

/* the outputs after n steps of `name`, exported with these options; inputs are assignments */
static void drive(const char *options, const char *name, const char *inputs, int n,
                  const char *print, double *y, int ny) {
    char line[1000], text[2000];
    (void)snprintf(line, sizeof line, "export %s -o %s", options, name);
    expect(0, line, "nonlinear,");
    (void)snprintf(text, sizeof text,
                   "#include <stdio.h>\n#include \"%s.h\"\n"
                   "int main(void) {\n    static %s_state x;\n    static %s_inputs u;\n"
                   "    %s_outputs y;\n    %s_start(&x);\n    %s\n"
                   "    for (int k = 0; k < %d; k++) { %s_step(&x, &u); }\n"
                   "    %s_output(&x, &u, &y);\n    printf(%s);\n    return 0;\n}\n",
                   name, name, name, name, name, inputs, n, name, name, print);
    write_text("main.c", text);
    (void)snprintf(line, sizeof line, COMPILE "-I%s main.c %s/%s.c -o main && ./main", name, name,
                   name);
    shell(line);
    char *at = out_text;
    for (int i = 0; i < ny; i++) {
        y[i] = strtod(at, &at);
    }
}

static void last_row(int n, double *row) {
    out_text[strlen(out_text) - 1] = '\0';
    const char *at = strrchr(out_text, '\n');
    assert_non_null(at);
    for (int i = 0; i < n; i++) {
        row[i] = atof(at + 1);
        at = strchr(at + 1, ',');
        assert_true(at != NULL || i + 1 == n);
    }
}

/* ---- closed form ----------------------------------------------------------------------------- */

/* A plate on a hinge under a moment M about its axis, without gravity: w = M t / J, and the point
   at distance r turns by M t^2 / (2 J). */
static const char disc[] =
    "bodies: {disc: {type: rigid, mass: 2, inertia: [1, 1, 1.5], points: {rim: [0.5, 0, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, disc], axis: [0, 0, 1]}}\n"
    "loads: {motor: {type: moment, on: disc, moment: [0, 0, \"0*t\"]}}\n"
    "probes: {rim: {at: disc.rim, quantity: position}, w: {at: disc, quantity: angular_velocity},\n"
    "  turned: {at: disc, quantity: rotation_vector}}\n"
    "analysis: {end: 1}\n";

static void test_closed_form(void **state) {
    (void)state;
    double y[3], error[3];
    write_text("disc.yaml", disc);
    for (int i = 0; i < 3; i++) {
        char options[100];
        const int n = 40 << i;
        (void)snprintf(options, sizeof options, "disc.yaml --to c --step %.17g", 1.0 / n);
        drive(options, "disc", "u.motor_z = 3.0;", n,
              "\"%.17g %.17g %.17g\\n\", y.rim_x, y.rim_y, y.w_z", y, 3);
        const double angle = 3 / 1.5 / 2;
        error[i] = hypot(y[0] - 0.5 * cos(angle), y[1] - 0.5 * sin(angle));
        assert_true(fabs(y[2] - 3 / 1.5) < 1e-2 / (1 << 2 * i));
    }
    assert_true(error[0] < 1e-3);
    for (int i = 0; i < 2; i++) {
        assert_true(error[i] / error[i + 1] > 3.5 && error[i] / error[i + 1] < 4.5);
    }
    expect(0, "export disc.yaml --to c --step 0.1 -o disc",
           "turned: left out of the exported model: rotation_vector is not a polynomial");
}

/* ---- against runs ---------------------------------------------------------------------------- */

/* a hub on a ball, an arm on a hinge, weights, loads in global and in body axes */
static const char arm[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 5, inertia: [0.5, 0.6, 0.7]}\n"
    "  arm: {type: rigid, mass: 1, inertia: [0.02, 0.3, 0.3], position: [0.5, 0, 0],\n"
    "        points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  base: {type: spherical, between: [ground, hub]}\n"
    "  pin: {type: revolute, between: [hub, arm.a], axis: [0, 0, 1]}\n"
    "loads:\n"
    "  motor: {type: moment, on: hub, moment: [0.3, 0.1, 2]}\n"
    "  push: {type: force, on: arm.b, value: [0, 1, 3], frame: body}\n"
    "gravity: [0, 0, -9.81]\n"
    "probes: {tip: {at: arm.b, quantity: position}}\n"
    "analysis: {end: 0.8, tolerance: 1.0e-8}\n"
    "output: {every: 0.1}\n";

/* a clamped bar of solid elements, reduced, that bends by a tenth of its length */
static const char bar[] =
    "materials: {steel: {density: 7800, young: 2.0e11, poisson: 0.3,\n"
    "            damping: {normal: 1.0e-3, shear: 1.0e-3}}}\n"
    "meshes: {box: {type: box, size: [1, 0.01, 0.02], cells: [8, 1, 1], order: quadratic}}\n"
    "bodies: {bar: {type: solid, material: steel, mesh: box, temperature: off}}\n"
    "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
    "loads: {pull: {type: force, on: bar.right, value: [0, 100, 30]}}\n"
    "probes: {tip: {at: bar.right, quantity: displacement}}\n"
    "analysis: {end: 0.06, tolerance: 1.0e-7}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 6}\n";

/* second order, to the point `tip` of a run */
static void check_order(const char *model, const char *run, const char *name, const char *inputs,
                        double end, int n, double most) {
    double row[4], y[3], error[3];
    char line[300];
    expect(0, run, "done");
    expect(0, "probe run.h5 tip", "time");
    last_row(4, row);
    assert_true(fabs(row[0] - end) < 1e-12);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(line, sizeof line, "%s --to c --step %.17g", model, end / (n << i));
        drive(line, name, inputs, n << i, "\"%.17g %.17g %.17g\\n\", y.tip_x, y.tip_y, y.tip_z", y,
              3);
        error[i] = sqrt(pow(y[0] - row[1], 2) + pow(y[1] - row[2], 2) + pow(y[2] - row[3], 2));
        print_message("%s: step %g s, error %g m\n", name, end / (n << i), error[i]);
    }
    assert_true(error[0] < most);
    assert_true(error[1] / error[2] > 3 && error[1] / error[2] < 5);
}

static void test_rigid(void **state) {
    (void)state;
    write_text("arm.yaml", arm);
    check_order("arm.yaml", "run arm.yaml -o run.h5", "arm",
                "u.motor_x = 0.3; u.motor_y = 0.1; u.motor_z = 2; u.push_y = 1; u.push_z = 3;", 0.8,
                80, 1e-2);
}

static void test_solid(void **state) {
    (void)state;
    char line[200];
    double y[3], undamped[3];
    write_text("bar.yaml", bar);
    expect(0, "reduce bar.yaml -o bar.rom.h5 --accept", "done");
    check_order("bar.rom.h5", "run bar.yaml --rom bar.rom.h5 --accept -o run.h5", "bar",
                "u.pull_y = 100; u.pull_z = 30;", 0.06, 60, 1e-3);
    // the viscous part is seen: 1 % of the motion
    for (int i = 0; i < 2; i++) {
        (void)snprintf(line, sizeof line, "bar%d.rom.h5", i);
        char text[300];
        (void)snprintf(text, sizeof text, "reduce bar.yaml -o %s --accept --no-compare%s", line,
                       i ? " --set materials.steel.damping.normal=0 "
                           "--set materials.steel.damping.shear=0"
                         : "");
        expect(0, text, "done");
        (void)snprintf(text, sizeof text, "%s --to c --step 1e-3", line);
        drive(text, "bar", "u.pull_y = 100; u.pull_z = 30;", 60,
              "\"%.17g %.17g %.17g\\n\", y.tip_x, y.tip_y, y.tip_z", i ? undamped : y, 3);
    }
    assert_true(fabs(undamped[1] - y[1]) > 0.01 * fabs(y[1]));
}

/* the printed error is that of the source, of second order */
static void test_compare(void **state) {
    (void)state;
    double error[2];
    write_text("arm.yaml", arm);
    for (int i = 0; i < 2; i++) {
        expect(0,
               i == 0 ? "export arm.yaml --to c --step 0.02 --compare -o arm"
                      : "export arm.yaml --to c --step 0.01 --compare -o arm",
               "differs by at most");
        error[i] = atof(strstr(error_text, "differs by at most") + strlen("differs by at most"));
    }
    assert_true(error[0] < 0.05 && error[0] / error[1] > 3.5 && error[0] / error[1] < 4.5);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const char *part, const char *text) {
    char model[2000];
    (void)snprintf(model, sizeof model,
                   "bodies:\n  hub: {type: rigid, mass: 5, inertia: [0.5, 0.6, 0.7]}\n%s"
                   "probes: {p: {at: hub, quantity: position}}\nanalysis: {end: 1}\n",
                   part);
    write_text("no.yaml", model);
    expect(2, "export no.yaml --to c --step 1e-3 -o no", text);
    assert_non_null(strstr(error_text, "--equilibrium"));
}

static void test_refusals(void **state) {
    (void)state;
    refuse("loads: {s: {type: spring, between: [ground, hub], at: [1, 0, 0], stiffness: 10, "
           "free_length: 0.2}}\n",
           "its forces or constraints are not polynomials");
    refuse(
        "  link: {type: floating_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "         elements: 2}\n"
        "materials: {m: {density: 8, young: 1.0e6}}\n"
        "sections: {s: {type: circle, radius: 0.1}}\n",
        "link: floating bodies are exported only");
    refuse("  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
           "        elements: 2, temperature: off}\n"
           "materials: {m: {density: 8, young: 1.0e6}}\n"
           "sections: {s: {type: circle, radius: 0.1}}\n",
           "rod: its forces are sums over points");
    refuse("loads: {f: {type: force, on: hub, value: [\"p.x\", 0, 0]}}\n",
           "a function of probes belongs to the program beside it");
    refuse("loads: {w: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 0.1}}\n",
           "wheels and other first-order states are exported only");
    refuse(
        "joints: {d: {type: driven, between: [ground, hub], displacement: [\"sin(t)\", 0, 0]}}\n",
        "a prescribed motion or a direction depends on time");
    write_text("disc.yaml", disc);
    expect(2, "export disc.yaml --to c --step 1e-3 --inputs linear -o disc",
           "holds its inputs during a step");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_solid),       cmocka_unit_test(test_compare),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
