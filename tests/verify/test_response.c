/* Inputs and outputs of linearised systems, and their frequency response: against beam theory, sums
   of modes, a lumped heat balance, differences of static solutions, and probes of moved states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce_linear.h"
#include "linear/linear.h"
#include "support/suite.h"
#include "support/verify.h"

static const char cantilever[] =
    "parameters: {n: 12, push: 0, twist: 0}\n"
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
    "  side: {type: force, on: [rod.end], value: [0, push, 0]}\n"
    "  both: {type: force, on: rod.at(0.5), value: [1e-9, 0, \"sin(t)\"]}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: displacement}\n"
    "  speed: {at: rod.end, quantity: velocity, direction: [0, 1, 0]}\n"
    "  force: {joint: wall, quantity: joint_force}\n"
    "analysis: {type: static}\n";

static gos_linear *linearise(verify *v) {
    gos_linear *l = NULL;
    verify_good(v, gos_linearise(v->ctx, v->sys, v->state, &l));
    return l;
}

static int input(const gos_linear *l, const char *name) {
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    for (int i = 0; i < info.inputs; i++) {
        if (strcmp(gos_linear_input(l, i).name, name) == 0) {
            return i;
        }
    }
    fail_msg("no input '%s'", name);
    return 0;
}

static int output(const gos_linear *l, const char *name) {
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    for (int i = 0; i < info.outputs; i++) {
        if (strcmp(gos_linear_output(l, i).name, name) == 0) {
            return i;
        }
    }
    fail_msg("no output '%s'", name);
    return 0;
}

/* H of one pair at n frequencies */
static void pair(verify *v, const gos_linear *l, const char *to, const char *from, int n,
                 const double *omega, double complex *H) {
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    const size_t size = (size_t)info.inputs * (size_t)info.outputs;
    double complex *all = calloc((size_t)n * size, sizeof *all);
    assert_non_null(all);
    verify_good(v, gos_linear_response(v->ctx, l, n, omega, (double *)all));
    for (int k = 0; k < n; k++) {
        H[k] = all[(size_t)k * size + (size_t)(output(l, to) * info.inputs + input(l, from))];
    }
    free(all);
}

static void near(const char *what, double complex a, double complex b, double tolerance) {
    print_message("%s: %.3e relative to %.6g\n", what, cabs(a - b) / cabs(b), cabs(b));
    assert_true(cabs(a - b) <= tolerance * cabs(b));
}

/* ports: a component given as 0 is no input, unless all are; joint forces are no outputs */
static void test_ports(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, cantilever, NULL);
    gos_linear *l = linearise(&v);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    assert_int_equal(info.inputs, 5); // side: all, both: x and z
    assert_int_equal(info.outputs, 4);
    assert_string_equal(gos_linear_input(l, 1).name, "side.y");
    assert_string_equal(gos_linear_input(l, 1).unit, "N");
    assert_string_equal(gos_linear_input(l, 4).name, "both.z");
    assert_string_equal(gos_linear_output(l, 1).name, "tip.y");
    assert_string_equal(gos_linear_output(l, 3).name, "speed.value");
    assert_string_equal(gos_linear_output(l, 3).unit, "m/s");
    gos_linear_destroy(l);
    verify_close(&v);
}

/* At rest L^3 / (3 E I) [EI = 2e11 * 0.02 * 0.01^3 / 12] and, from the middle, 5 L^3 / (48 E I); at
   frequencies the sum of all modes, H = sum_k x_k(tip) x_k(tip) / (w_k^2 - w^2); speed = i w
   tip. */
static void test_cantilever(void **state) {
    GOS_UNUSED(state);
    enum { POINTS = 20 };
    verify v;
    verify_text(&v, cantilever, NULL);
    gos_linear *l = linearise(&v);
    const double EIy = 2e11 * 0.02 * 1e-6 / 12, EIz = 2e11 * 0.01 * 8e-6 / 12;
    double omega[POINTS] = {0};
    double complex H[POINTS], speed[POINTS];
    pair(&v, l, "tip.y", "side.y", 1, omega, H);
    near("tip force", H[0], 1 / (3 * EIy), 1e-6);
    pair(&v, l, "tip.z", "both.z", 1, omega, H);
    near("middle force", H[0], 5 / (48 * EIz), 1e-6);
    for (int k = 0; k < POINTS; k++) {
        omega[k] = 10 * pow(1.5, k); // first mode at 52 rad/s
    }
    pair(&v, l, "tip.y", "side.y", POINTS, omega, H);
    pair(&v, l, "speed.value", "side.y", POINTS, omega, speed);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    const int nq = info.coordinates;
    gos_mode *mode = calloc((size_t)nq, sizeof *mode);
    double *shape = calloc((size_t)nq * (size_t)nq, sizeof *shape);
    assert_true(mode && shape);
    int found = 0, row = -1;
    verify_good(&v, gos_linear_shapes(v.ctx, l, nq, mode, shape, &found));
    assert_int_equal(found, nq - info.constraints);
    for (int i = 0; i < nq; i++) {
        char name[100];
        gos_linear_coordinate(l, i, name, sizeof name);
        row = strcmp(name, "rod.node(12).position.y") == 0 ? i : row;
    }
    assert_true(row >= 0);
    double worst = 0;
    for (int k = 0; k < POINTS; k++) {
        double complex sum = 0;
        for (int m = 0; m < found; m++) {
            const double x = shape[(size_t)m * (size_t)nq + (size_t)row];
            sum += x * x / (mode[m].omega * mode[m].omega - omega[k] * omega[k]);
        }
        worst = fmax(worst, cabs(sum - H[k]) / cabs(H[0]));
        assert_true(cabs(speed[k] - (double complex)I * omega[k] * H[k]) <= 1e-12 * cabs(speed[k]));
    }
    print_message(
        "response of the cantilever against the sum of %d modes: %.1e of its static one\n", found,
        worst);
    assert_true(worst < 1e-8);
    free(mode);
    free(shape);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* A heated rod that loses heat through its sides: T = V u / (rho c V s + h A), uniform (insulated
   ends). Volume 1 * 0.02 * 0.01, sides 2 * 0.03; the ambient acts through h A, the sink of absolute
   temperature Ts through 4 eps sigma Ts^3 A, what is lost by radiation is 4 eps sigma T0^3 A. */
static void test_heat(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                "reference_temperature: 300\n"
                "materials:\n"
                "  steel: {density: 7800, young: 2.0e11, conductivity: 50, specific_heat: 460,\n"
                "          emissivity: 0.8}\n"
                "sections:\n"
                "  bar: {type: rectangle, height: 0.01, width: 0.02}\n"
                "bodies:\n"
                "  rod: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0],\n"
                "        to: [1, 0, 0], elements: 4}\n"
                "joints:\n"
                "  wall: {type: clamp, between: [ground, rod.start]}\n"
                "heat:\n"
                "  current: {type: source, on: rod, value: 0}\n"
                "  air: {type: convection, on: rod, coefficient: 12, ambient: 0}\n"
                "  space: {type: radiation, on: rod, sink: 250}\n"
                "probes:\n"
                "  warm: {at: rod.end, quantity: temperature}\n",
                NULL);
    gos_linear *l = linearise(&v);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    assert_int_equal(info.inputs, 3);
    assert_string_equal(gos_linear_input(l, input(l, "current")).unit, "W/m^3");
    assert_string_equal(gos_linear_input(l, input(l, "air")).unit, "K");
    const double sigma = 5.670374419e-8, A = 0.06, V = 2e-4, C = 7800 * 460 * V;
    const double lost = 12 * A + 4 * 0.8 * sigma * pow(300, 3) * A;
    const double omega[] = {0, 1e-3, 0.02};
    double complex H[3];
    for (int k = 0; k < 3; k++) {
        const double complex loss = (double complex)I * omega[k] * C + lost;
        pair(&v, l, "warm.T", "current", 3, omega, H);
        near("source", H[k], V / loss, 1e-9);
        pair(&v, l, "warm.T", "air", 3, omega, H);
        near("ambient", H[k], 12 * A / loss, 1e-9);
        pair(&v, l, "warm.T", "space", 3, omega, H);
        near("sink", H[k], 4 * 0.8 * sigma * pow(250, 3) * A / loss, 1e-9);
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

/* many frequencies at once, as a sweep has them, against the same ones one by one */
static void same_one_by_one(verify *v, const char *what, const gos_linear *l, const double *omega,
                            int n) {
    static const char *const to[] = {"tip.x", "tip.z", "warm.T"};
    double complex all[64], one;
    assert_in_range(n, 1, GOS_COUNT(all));
    for (int j = 0; j < GOS_COUNT(to); j++) {
        pair(v, l, to[j], "sun", n, omega, all);
        double worst = 0;
        for (int k = 0; k < n; k++) {
            pair(v, l, to[j], "sun", 1, omega + k, &one);
            worst = fmax(worst, cabs(all[k] - one) / cabs(one));
        }
        print_message("%s, %s/sun in a sweep of %d: %.1e\n", what, to[j], n, worst);
        assert_true(worst < 1e-6);
    }
}

/* A panel of 1 kg on a free hub of 200 kg in the sun, in full and reduced. Multipliers have no
   measure in common with motions and temperatures: orthogonal transformations of them all lost the
   slow motions. */
static void test_sweep(void **state) {
    GOS_UNUSED(state);
    enum { POINTS = 30 };
    verify v;
    verify_text(
        &v,
        "reference_temperature: 300\n"
        "materials:\n"
        "  skin: {density: 100, young: 1.0e9, poisson: 0.3, conductivity: 1, specific_heat: 900,\n"
        "         expansion: 2.0e-5, absorptivity: 0.8, emissivity: 0.8,\n"
        "         damping: {normal: 0.008, shear: 0.008}}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 200, inertia: [30, 40, 40], position: [0, 0, 0]}\n"
        "  panel: {type: ancf_plate, material: skin, thickness: 0.01, corner: [0.5, -0.4, 0],\n"
        "          x: [0, 0, 2], y: [0, 0.8, 0], elements: [2, 1], quadrature: reduced}\n"
        "joints:\n"
        "  root: {type: clamp, between: [hub, panel.edge.x0]}\n"
        "heat:\n"
        "  sun: {type: sun, direction: [-0.6, 0, -0.8], on: panel}\n"
        "  space: {type: radiation, sink: 3, on: panel}\n"
        "probes:\n"
        "  tip: {at: \"panel.at(2, 0.4)\"}\n"
        "  warm: {at: \"panel.at(2, 0.4)\", quantity: temperature}\n",
        NULL);
    gos_linear *l = linearise(&v);
    double omega[POINTS];
    for (int k = 0; k < POINTS; k++) {
        omega[k] = 0.02 * pow(1.3, k); // to 40 rad/s
    }
    same_one_by_one(&v, "full", l, omega, POINTS);
    const gos_linear_reduction_options options = {.method = "modes", .order = 12};
    gos_linear_reduction *r;
    verify_good(&v, gos_linear_reduce(v.ctx, l, &options, &r));
    same_one_by_one(&v, "reduced", gos_linear_reduction_model(r), omega, POINTS);
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* A rigid crank on a pin, at an angle: rows of nonlinear probes against differences of probes along
   the free motion, and the moment about the pin as input: s^2 J angle = u. */
static void test_rigid(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                "bodies:\n"
                "  crank: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0],\n"
                "          points: {end: [0.5, 0, 0]}}\n"
                "joints:\n"
                "  pin: {type: revolute, between: [ground, crank], axis: [0, 0, 1]}\n"
                "loads:\n"
                "  motor: {type: moment, on: crank, moment: [0, 0, 1]}\n"
                "probes:\n"
                "  angle: {at: crank, quantity: angle, axis: [0, 0, 1]}\n"
                "  rate: {at: crank, quantity: angular_velocity}\n"
                "  turn: {at: crank, quantity: rotation_vector}\n"
                "  end: {at: crank.end}\n",
                NULL);
    gos_linear *l = linearise(&v);
    const double omega[] = {0.5, 3};
    double complex H[2];
    for (int k = 0; k < 2; k++) {
        const double complex s = (double complex)I * omega[k], angle = 1 / (0.3 * s * s);
        pair(&v, l, "angle.value", "motor.z", 2, omega, H);
        near("angle", H[k], angle, 1e-11);
        pair(&v, l, "rate.z", "motor.z", 2, omega, H);
        near("angular velocity", H[k], s * angle, 1e-11);
        pair(&v, l, "turn.z", "motor.z", 2, omega, H);
        near("rotation vector", H[k], angle, 1e-11);
        pair(&v, l, "end.y", "motor.z", 2, omega, H);
        near("place of the end", H[k], 0.5 * angle, 1e-11);
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

/* A plate strip (nu = 0) clamped at one end, with a moment spread over the other and a force beside
   it: both are inputs. At rest the tip answers M l^2/(2 B) and l^3/(3 B b) per unit [B = E h^3/12],
   for any axes, units and size of the model; declared heat inputs are inputs by their own
   names. */
static const char strip[] =
    "parameters: {l: 1, b: 0.5, E: 1.0e8, h: 0.02, rho: 2000}\n"
    "materials: {m: {density: rho, young: E, poisson: 0}}\n"
    "bodies:\n"
    "  panel: {type: ancf_plate, material: m, thickness: h, corner: [0, 0, 0], x: [%s], y: [%s],\n"
    "          elements: [8, 4], temperature: off}\n"
    "joints: {root: {type: clamp, between: [ground, panel.edge.x0]}}\n"
    "loads:\n"
    "  bend: {type: edge_moment, on: panel.edge.x1, moment: 1.0e-9}\n"
    "  push: {type: force, on: \"panel.corner(2)\", value: [%s]}\n"
    "  pull: {type: force, on: \"panel.corner(3)\", value: [0, 0, 0]}\n"
    "probes: {tip: {at: \"panel.at(l,b/2)\", quantity: displacement, direction: [%s]}}\n"
    "analysis: {type: dynamic, end: 0.1}\n";

static void strip_case(const char *const axes[3], const char *force, const char *settings, double l,
                       double b, double EI) {
    verify v;
    char text[4000];
    const double zero = 0;
    double complex H;
    snprintf(text, sizeof text, strip, axes[0], axes[1], force, axes[2]);
    verify_text(&v, text, settings);
    gos_linear *lin = linearise(&v);
    gos_linear_info info;
    gos_linear_info_get(lin, &info);
    assert_string_equal(gos_linear_input(lin, 0).name, "bend");
    assert_string_equal(gos_linear_input(lin, 0).unit, "N");
    pair(&v, lin, "tip.value", "bend", 1, &zero, &H); // right-handed about y: down
    near("edge moment", H, -l * l / (2 * EI / b), 5e-4);
    if (info.inputs == 5) { // along one axis: the others are given as 0
        pair(&v, lin, "tip.value", "push.z", 1, &zero, &H);
        near("force at a corner", H, l * l * l / (3 * EI), 5e-3); // it twists too
    } else {
        assert_int_equal(info.inputs, 7);
    }
    gos_linear_destroy(lin);
    verify_close(&v);
}

static void test_strip(void **state) {
    GOS_UNUSED(state);
    static const char *const plain[3] = {"l, 0, 0", "0, b, 0", "0, 0, 1"};
    static const char *const turned[3][3] = {
        {"0, l, 0", "0, 0, b", "1, 0, 0"},
        {"0.6*l, 0.8*l, 0", "-0.8*b, 0.6*b, 0", "0, 0, 1"},
        {"l/3, 2*l/3, 2*l/3", "2*b/3, b/3, -2*b/3", "-2/3, 2/3, -1/3"}};
    const double EI = 1e8 * 0.5 * 8e-6 / 12;
    strip_case(plain, "0, 0, 1", NULL, 1, 0.5, EI);
    strip_case(turned[0], "1, 1, 1", NULL, 1, 0.5, EI);
    strip_case(turned[1], "1, 1, 1", NULL, 1, 0.5, EI);
    strip_case(turned[2], "1, 1, 1", NULL, 1, 0.5, EI);
    // mm, t, s: N, MPa, t/mm^3
    strip_case(plain, "0, 0, 1", "l=1000 b=500 E=100 h=20 rho=2e-9", 1000, 500, EI * 1e6);
    strip_case(plain, "0, 0, 1", "l=2 b=1 h=0.04", 2, 1, 16 * EI);
}

/* every function that says how much heat comes is an input by itself, also two of one entry; the
   light's direction, the film's coefficient and what is prescribed are none */
static void test_inputs_of_heat(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(
        &v,
        "materials:\n"
        "  m: {density: 2000, young: 1.0e8, conductivity: 1, specific_heat: 200,\n"
        "      absorptivity: 1, emissivity: 0.5}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies:\n"
        "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
        "        elements: 4}\n"
        "joints:\n"
        "  pin: {type: driven, between: [ground, rod.start], position: [0, 0, 0]}\n"
        "heat:\n"
        "  sun: {type: sun, direction: [0, -1, 0], earth_infrared: 200, albedo: 0.3,\n"
        "        earth_direction: [0, 1, 0], eclipse: [[1, 2]], on: rod}\n"
        "  air: {type: convection, coefficient: 5, ambient: 3, on: rod}\n"
        "  sky: {type: radiation, sink: 280, on: [rod, rod.start]}\n"
        "  wall: {type: temperature, value: 7, on: rod.end}\n"
        "  core: {type: source, value: 0, on: rod}\n",
        NULL);
    static const char *const names[] = {"sun", "sun.2", "air", "sky", "core"};
    static const char *const units[] = {"W/m^2", "W/m^2", "K", "K", "W/m^3"};
    gos_linear *l = linearise(&v);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    assert_int_equal(info.inputs, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(gos_linear_input(l, i).name, names[i]);
        assert_string_equal(gos_linear_input(l, i).unit, units[i]);
    }
    gos_linear_destroy(l);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ports),          cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_heat),           cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_rigid),          cmocka_unit_test(test_strip),
        cmocka_unit_test(test_inputs_of_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
