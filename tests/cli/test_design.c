/* gossamer design, its files, and what info says of them. */
#include "program.h"
#include "support/suite.h"

#include <math.h>

static const char model[] =
    "name: cart\n"
    "bodies: {cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, between: [ground, cart], axis: [1, 0, 0]}}\n"
    "loads: {push: {type: force, on: cart, value: [0, 0, 0]}}\n"
    "probes:\n"
    "  place: {at: cart, quantity: displacement, direction: [1, 0, 0]}\n"
    "  speed: {at: cart, quantity: velocity, direction: [1, 0, 0]}\n"
    "designs:\n"
    "  hold: {type: lqr, inputs: push.x, signals: [place, speed], signal_weights: [1, 0]}\n"
    "  watch: {type: lqg, inputs: push.x, signals: place, noise: 1}\n";

static int prepare(void **state) {
    if (make_folder(state) != 0) {
        return -1;
    }
    write_text("cart.yaml", model);
    return 0;
}

/* the number behind a key of JSON */
static double number(const char *key) {
    char word[80];
    (void)snprintf(word, sizeof word, "\"%s\": ", key);
    const char *at = strstr(out_text, word);
    assert_non_null(at);
    return strtod(at + strlen(word), NULL);
}

/* poles of m s^2 + sqrt(2 m) s + 1, m = 2 */
static void test_design(void **state) {
    (void)state;
    expect(0, "design cart.yaml hold -o hold.h5", "closed loop, design plant");
    assert_non_null(strstr(out_text, "0.70711"));
    expect(0, "design cart.yaml hold --json", "\"kind\": \"controller\"");
    assert_true(fabs(number("abscissa") + 0.5) < 1e-10);
    assert_true(fabs(number("plant_abscissa") + 0.5) < 1e-10);
    expect(0, "info --json hold.h5", "\"stable\": true");
    assert_true(fabs(number("abscissa") + 0.5) < 1e-10);
    expect(0, "info hold.h5", "0 states, 2 signals, 1 inputs, continuous");
    expect(0, "design cart.yaml hold -o hold.h5 --set designs.hold.sample=0.1", "sampled");
    expect(0, "design cart.yaml hold --set designs.hold.sample=8",
           "unstable even with the design plant");
}

/* the closed loop m x'' = -x - 2 x' with m = 2 from x' = 1: x = 2 exp(-t/2) sin(t/2); the law from
   the model's design, from a file that the model names, from one that the command names; what does
   not fit is refused */
static void test_run(void **state) {
    (void)state;
    static const char more[] = "initial: {cart: {velocity: [1, 0, 0]}}\n"
                               "analysis: {end: 2, tolerance: 1.0e-7}\n";
    static const struct {
        const char *controllers, *arguments;
    } ways[] = {{"controllers: {hold: {type: designed}}\n", ""},
                {"controllers: {loop: {type: designed, design: hold}}\n", ""},
                {"controllers: {loop: {type: designed, file: kept.h5}}\n", ""},
                {"controllers: {loop: {type: designed}}\n", "--controller kept.h5"}};
    expect(0, "design cart.yaml hold -o kept.h5", "stable");
    const double wanted = 2 * exp(-1) * sin(1);
    for (int i = 0; i < (int)(sizeof ways / sizeof *ways); i++) {
        char text[4000], arguments[200];
        (void)snprintf(text, sizeof text, "%s%s%s", model, ways[i].controllers, more);
        write_text("run.yaml", text);
        (void)snprintf(arguments, sizeof arguments, "run run.yaml -o run.h5 %s", ways[i].arguments);
        expect(0, arguments, "done");
        expect(0, "probe run.h5 place --at 2", "time,place.value");
        const double got = strtod(strchr(strchr(out_text, '\n'), ',') + 1, NULL);
        if (!(fabs(got - wanted) < 1e-5 * wanted)) {
            fail_msg("way %d: %.9g is not %.9g", i, got, wanted);
        }
    }
    expect(2, "run run.yaml --controller linear.h5", "linear.h5");
    expect(2, "run cart.yaml --controller kept.h5", "but this model has none");
    write_text("other.yaml",
               "bodies: {cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
               "loads: {push: {type: force, on: cart, value: [0, 0, 0]}}\n"
               "probes: {place: {at: cart, quantity: displacement, direction: [1, 0, 0]}}\n"
               "controllers: {loop: {type: designed, file: kept.h5}}\n");
    expect(2, "run other.yaml", "speed"); // a signal that this model does not have
}

static void test_refused(void **state) {
    (void)state;
    expect(2, "design cart.yaml", "there are 2 designs; specify one, e.g. 'hold'");
    expect(2, "design cart.yaml hold -o cart.yaml", "is also an input");
    expect(2,
           "design cart.yaml hold --set designs.hold.signals=[place] --set "
           "designs.hold.signal_weights=1",
           "cart.yaml:9:3: while designing 'hold'");
    assert_non_null(strstr(error_text, "the signals determine only 1 of the 2 states"));
    expect(2, "check cart.yaml --set designs.hold.kQ=1", "k_Q");
    expect(0, "export cart.yaml --to h5 -o linear.h5", "");
    expect(2, "design cart.yaml hold -o linear.h5", "is not a controller of this program");
    expect(2, "design", "a file is missing");
}

/* a page of a design, with what its model is called; one at a time, and not over something else */
static void test_report(void **state) {
    (void)state;
    static const char trouble[] = "name: \"</title><script>alert(1)</script>\"\n";
    char text[4000];
    (void)snprintf(text, sizeof text, "%s%s", trouble, strchr(model, '\n') + 1);
    write_text("trouble.yaml", text);
    expect(0, "design trouble.yaml watch -o watch.h5 --set designs.watch.sample=0.1", "stable");
    expect(0, "report watch.h5", "watch.html");
    expect(0, "report watch.h5", "watch.html"); // over itself
    expect(2, "report watch.h5 watch.h5", "one design");
    expect(2, "report watch.h5 -o trouble.yaml", "not an HTML page");
    expect(2, "report trouble.yaml", "not a results file");
    expect(2, "picture watch.h5", "use `gossamer report`");
    expect(2, "picture watch.h5 watch.h5", "one design");
    check_content(
        "watch.html --count 'script=2' --text 'Design for </title><script>alert(1)' --text "
        "'stable with the design plant and with the plant with more modes' --text '1 "
        "signals, 1 inputs, sampled' --text 'time histories need an output, a disturbance' "
        "--text push.x");
}

/* a strip with six patches on each side, four of which drive; four modes in the design, eight in
 * the plant */
static void test_patches(void **state) {
    (void)state;
    static const char strip[] =
        "materials: {m: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"
        "meshes: {strip: {type: rectangle, size: [0.6, 0.1], cells: [6, 1], sets: {root: {box: "
        "{from: [-1, -1, -1], to: [1.0e-6, 1, 1]}}, tip: {near: [0.6, 0, 0]}}}}\n"
        "bodies: {strip: {type: floating, mesh: strip, material: m, element: shell, thickness: "
        "1.0e-3, reference: clamped, at: root, zeta: 0.01}}\n"
        "joints: {hold: {type: clamp, between: [ground, strip.frame]}}\n"
        "piezo: {p: {type: patch, on: strip, thickness: 2.0e-4, e31: -6, permittivity: 1.0e-8}}\n"
        "loads: {gust: {type: force, on: strip.tip, value: [0, 0, 0]}}\n"
        "probes: {tip: {at: strip.tip, quantity: displacement, direction: [0, 0, 1]}}\n"
        "designs:\n"
        "  pick: {type: lqr, inputs: p, weight: velocity, k_Q: 1.0e6, v_max: 100, output: tip,\n"
        "         disturbance: gust.z, force: 1, duration: 0.01, t_end: 1, design_modes: 4,\n"
        "         plant_modes: 8, choose: 4}\n";
    write_text("strip.yaml", strip);
    expect(0, "design strip.yaml pick -o pick.h5", "stable");
    expect(0, "report pick.h5", "pick.html");
    // two plants, each with the acceleration, the output and the inputs; poles; two kinds of errors
    check_content(
        "pick.html --count 'path.patch.chosen=4' --count 'path.patch=12' --count '.modes "
        "figure=4' --count '.scroll td:nth-child(6):last-child=8' --count "
        "'section > svg rect.frame=9' --text 'acceleration of tip.value [m/s^2]' --text "
        "'k_Q = 1e+06' --text '4 of 12 inputs' --text 'Of 4 modes outside the design model'");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_design),  cmocka_unit_test(test_run),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_report),
        cmocka_unit_test(test_patches),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
SUITE(suite)
