/* Charges of electrodes that a controller drives as its own signals, electrodes that are measured
   and not driven, and capacitances that are other ones than those of the design: poles of runs
   against those that designs print, courses and responses against laws in which the charge by
   voltage is written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/control.h"
#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#define HEAD                                                                                       \
    "parameters: {off: 0, noise: 1.0e-9, rich: 6}\n"                                               \
    "materials: {steel: {density: 7850, young: 2.1e11, poisson: 0.3}}\n"                           \
    "meshes:\n"                                                                                    \
    "  strip: {type: rectangle, size: [0.4, 0.1], cells: [4, 2], sets: {tip: {near: [0.4, 0.1, "   \
    "0]}}}\n"                                                                                      \
    "bodies:\n"                                                                                    \
    "  strip: {type: floating, mesh: strip, material: steel, element: shell, thickness: 1.0e-3,\n" \
    "          zeta: 0.01, reference: clamped, at: left,\n"                                        \
    "          reduce: {method: modes, order: 6, static: []}}\n"                                   \
    "floating_bodies: reduced\n"                                                                   \
    "joints: {hold: {type: clamp, between: [ground, strip.frame]}}\n"                              \
    "piezo:\n"                                                                                     \
    "  upper: {type: patch, on: strip, faces: upper, thickness: 4.0e-4, e31: -6.5,\n"              \
    "          permittivity: 1.3e-8, capacitance_error: off}\n"                                    \
    "  lower: {type: patch, on: strip, faces: lower, thickness: 4.0e-4, e31: -6.5,\n"              \
    "          permittivity: 1.3e-8, capacitance_error: off}\n"                                    \
    "loads: {push: {type: force, on: strip.tip, value: [0, 0, \"0.2*(t < 0.01)\"]}}\n"             \
    "probes:\n"                                                                                    \
    "  tip: {at: strip.tip, quantity: displacement, direction: [0, 0, 1]}\n"                       \
    "  v1: {at: upper(1), quantity: voltage}\n"                                                    \
    "  q1: {at: upper(1), quantity: charge}\n"                                                     \
    "  m1: {at: upper(1), quantity: motional_charge}\n"

#define DESIGN(name, measured)                                                                     \
    "  " name ": {type: lqg, inputs: upper, sense: " measured ", weight: velocity, output: tip,\n" \
    "         k_Q: 1.0e4, v_max: 400, disturbance: push.z, intensity: 1.0e-4, floor: 1.0e-6,\n"    \
    "         noise: noise, design_modes: 3, plant_modes: rich}\n"

static const char designed[] =
    HEAD "designs:\n" DESIGN("calm", "upper") DESIGN("apart", "lower") "controllers: {law: {type: "
                                                                       "designed, design: calm}}\n"
                                                                       "analysis: {end: 0.1}\n";

enum { MOST = 200 };

/* poles of the linearised run, one of each pair */
static int run_poles(const verify *v, gos_root root[MOST]) {
    gos_linear *linear;
    gos_mode mode[MOST];
    int n, more;
    verify_good(v, gos_linearise(v->ctx, v->sys, v->state, &linear));
    verify_good(v, gos_linear_coupled_modes(v->ctx, linear, MOST / 2, mode, &n, MOST, root, &more));
    for (int i = 0; i < n && more < MOST; i++) {
        root[more++] = (gos_root){mode[i].re, fabs(mode[i].im)};
    }
    gos_linear_destroy(linear);
    return more;
}

/* the model of this text or file with its laws, system and state */
static void open_run(verify *v, const char *text, const char *settings) {
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, strncmp(text, "examples/", 9) == 0
                       ? gos_model_read(v->ctx, text, &v->model)
                       : gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
    verify_set(v, settings);
    verify_good(v, gos_model_read_controllers(v->ctx, v->model));
    verify_compile(v);
}

static double largest(int n, const gos_root *root) {
    double most = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        most = fmax(most, root[i].re);
    }
    return most;
}

/* each pole of the design is one of the run, and the largest real part with an error of the
   capacitance in the run's plant is that of the design's sweep, whose plant is a modal one */
static void compare(const char *text, const char *name, const char *settings) {
    static const double error[] = {-0.05, -0.02, 0.05, 0.1};
    verify v, w;
    gos_design *d = NULL;
    gos_root root[MOST];
    int n, swept;
    open_run(&v, text, settings);
    verify_good(&v, gos_design_model(v.ctx, v.model, name, &d));
    const gos_root *pole = gos_design_poles(d, true, &n);
    const int found = run_poles(&v, root);
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double near = HUGE_VAL;
        for (int k = 0; k < found; k++) {
            near = fmin(near, hypot(root[k].re - pole[i].re, root[k].im - pole[i].im));
        }
        worst = fmax(worst, near / hypot(pole[i].re, pole[i].im));
    }
    verify_below("poles of the run against the design's, relative", worst, 1e-8);
    const gos_design_error *e = gos_design_errors(d, &swept);
    for (int k = 0; k < GOS_COUNT(error); k++) {
        double wanted = HUGE_VAL;
        char all[200], what[80];
        for (int i = 0; i < swept; i++) {
            if (e[i].kind == GOS_ERROR_FEEDTHROUGH && e[i].error == error[k]) {
                wanted = e[i].plant_abscissa;
            }
        }
        (void)snprintf(all, sizeof all, "%s off=%g", settings, error[k]);
        (void)snprintf(what, sizeof what, "capacitance %+g %%: largest real part", 100 * error[k]);
        open_run(&w, text, all);
        verify_near(what, largest(run_poles(&w, root), root), wanted, 1e-8 * fabs(wanted));
        verify_close(&w);
    }
    gos_design_destroy(d);
    verify_close(&v);
}

static void poles(void **state) {
    GOS_UNUSED(state);
    compare(designed, "calm", "floating_bodies=reduced");
    compare(designed, "calm", "floating_bodies=whole rich=72"); // all of them
}

/* the other face at 0 V: no capacitance enters */
static void apart(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_design *d = NULL;
    gos_root root[MOST];
    int n;
    open_run(&v, designed, "controllers.law.design=apart");
    verify_good(&v, gos_design_model(v.ctx, v.model, "apart", &d));
    const gos_control_law *law = gos_design_law(d);
    assert_int_equal(law->ny, 8);
    assert_string_equal(law->signal[2], "lower(3).charge");
    const gos_design_error *e = gos_design_errors(d, &n);
    for (int i = 0; i < n; i++) {
        assert_true(e[i].kind != GOS_ERROR_FEEDTHROUGH);
    }
    gos_design_destroy(d);
    const double wanted = largest(run_poles(&v, root), root);
    verify_close(&v);
    open_run(&v, designed, "controllers.law.design=apart off=0.05");
    verify_near("capacitance +5 %: the same largest real part", largest(run_poles(&v, root), root),
                wanted, 1e-9 * fabs(wanted));
    verify_close(&v);
}

/* ---- other formulation ----------------------------------------------------------------------- */

#define AREA (0.1 * 0.05)
#define CAPACITANCE (1.3e-8 * AREA / 4e-4)

/* x' = -40 x + 1e7 (q - 1.1e-6) - 0.5 (v - 7), v = 7 + 20 x within 9 V; q = motional charge + C (1
   + off) (3 sin 50 t + v). Sampled each ms alike. */
static const char law[] =
    HEAD "controllers: {law: {type: state_space, signals: [%s], inputs: [upper(1)], A: %g,\n"
         "  B: %.17g, C: 20, E: %.17g, u0: 7, y0: %.17g, limit: 9 %s}}\n"
         "analysis: {end: 0.1, tolerance: 1.0e-6}\n";

static void law_text(bool sampled, bool charges, double off, char text[VERIFY_TEXT]) {
    const double C = CAPACITANCE * (1 + off), T = sampled ? 1e-3 : 1, B = 1e7 * T;
    char signal[120] = "upper(1).charge";
    if (!charges) {
        (void)snprintf(signal, sizeof signal, "\"m1 + %.17g*3*sin(50*t)\"", C);
    }
    (void)snprintf(text, VERIFY_TEXT, law, signal, sampled ? 1 - 40 * T : -40, B,
                   -0.5 * T + (charges ? 0 : B * C), 1.1e-6 - (charges ? 0 : 7 * C),
                   sampled ? ", sample: {period: 1.0e-3}" : "");
}

static void course(bool sampled, bool charges, double off, const char *settings, double v1[]) {
    verify v;
    char text[VERIFY_TEXT];
    law_text(sampled, charges, off, text);
    verify_text(&v, text, settings);
    verify_start(&v);
    for (int k = 0; k < 5; k++) {
        v1[k] = verify_value(&v, verify_at(&v, 0.02 * (k + 1)), "v1.value");
    }
    verify_close(&v);
}

static void written_out(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < 4; k++) {
        double v[5], wanted[5], wrong[5], most = 0, size = 0, other = 0;
        const bool sampled = k % 2 == 1;
        const double off = k < 2 ? 0 : 0.2;
        const char *settings =
            k < 2 ? "piezo.upper.voltage=3*sin(50*t)" : "piezo.upper.voltage=3*sin(50*t) off=0.2";
        course(sampled, true, off, settings, v);
        course(sampled, false, off, settings, wanted);
        course(sampled, false, off + 0.05, settings, wrong);
        for (int i = 0; i < 5; i++) {
            most = fmax(most, fabs(v[i] - wanted[i]));
            other = fmax(other, fabs(v[i] - wrong[i]));
            size = fmax(size, fabs(v[i]));
        }
        verify_below("charges against the law with them written out [V]", most, 1e-10 * size);
        verify_within("what 5 % of the capacitance would change [V]", other, 1e-2 * size, size);
    }
}

/* what a law adds to a voltage is a part of outputs of linear models: V = 20 x of its state x, Q =
 * motional + C V */
static void outputs(void **state) {
    GOS_UNUSED(state);
    verify v;
    char text[VERIFY_TEXT];
    gos_linear *linear;
    law_text(false, true, 0, text);
    verify_text(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_info size;
    gos_linear_info_get(linear, &size);
    int out[4] = {-1, -1, -1, -1}, in = -1;
    static const char *const name[] = {"v1.value", "q1.value", "m1.value", "law_state.x1"};
    for (int i = 0; i < size.outputs; i++) {
        for (int k = 0; k < 4; k++) {
            out[k] = strcmp(gos_linear_output(linear, i).name, name[k]) == 0 ? i : out[k];
        }
    }
    for (int i = 0; i < size.inputs; i++) {
        in = strcmp(gos_linear_input(linear, i).name, "push.z") == 0 ? i : in;
    }
    const double omega = 30;
    double *H = calloc((size_t)(2 * size.inputs * size.outputs), sizeof *H);
    assert_non_null(H);
    assert_true(in >= 0 && out[0] >= 0 && out[1] >= 0 && out[2] >= 0 && out[3] >= 0);
    verify_good(&v, gos_linear_response(v.ctx, linear, 1, &omega, H));
    for (int part = 0; part < 2; part++) {
        double h[4];
        for (int k = 0; k < 4; k++) {
            h[k] = H[2 * ((long)out[k] * size.inputs + in) + part];
        }
        verify_near("voltage over force", h[0], 20 * h[3], 1e-9 * fabs(h[0]));
        verify_near("charge over force", h[1], h[2] + CAPACITANCE * h[0], 1e-9 * fabs(h[1]));
        assert_true(fabs(h[0]) > 1e-6);
    }
    free(H);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const char *section, const char *words) {
    char text[VERIFY_TEXT];
    verify v = {.ctx = gos_ctx_create()};
    (void)snprintf(text, sizeof text, HEAD "%s\nanalysis: {end: 1}\n", section);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    gos_status status = gos_model_read_controllers(v.ctx, v.model);
    status = status == GOS_OK ? gos_system_create(v.ctx, v.model, &v.sys) : status;
    print_message("%s\n", gos_ctx_message(v.ctx));
    assert_int_equal(status, GOS_E_INPUT);
    bool told = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        told = told || strstr(gos_ctx_diag(v.ctx, i)->text, words);
    }
    assert_true(told);
    verify_close(&v);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    refuse(
        "controllers: {c: {type: state_space, signals: [upper(1).charge], inputs: [upper(1)], D: "
        "-1}}",
        "an algebraic loop");
    refuse(
        "controllers: {c: {type: state_space, signals: [q1], inputs: [upper(1)], A: -1, B: 1, C: "
        "1, sample: {period: 1.0e-3, delay: 1.0e-4}}}",
        "its samples are delayed");
    refuse(
        "controllers: {c: {type: state_space, signals: [q1], inputs: [upper(1)], A: -1, B: 1, C: "
        "1, sample: {period: 1.0e-3, quantisation: {signals: 1.0e-9}}}}",
        "a converter rounds");
    refuse(
        "controllers: {c: {type: state_space, signals: [q1], inputs: [upper(2)], A: -1, B: 1, C: "
        "1}, d: {type: state_space, signals: [tip], inputs: [upper(1)], A: -1, B: 1, C: 1}}",
        "has direct feedthrough from controller 'd'");
    refuse(
        "controllers: {c: {type: state_space, signals: [upper(9).charge], inputs: [upper(1)], A: "
        "-1, B: 1, C: 1}}",
        "there is no electrode 'upper(9)'");
    refuse("controllers: {c: {type: designed, design: d}}\n"
           "designs: {d: {type: lqg, inputs: upper, sense: middle, noise: 1}}",
           "there is no electrode 'middle'");
    refuse("controllers: {c: {type: designed, design: d}}\n"
           "designs: {d: {type: lqg, inputs: upper, noise: 1}}",
           "no signals are given");
    refuse("controllers: {c: {type: designed, design: d}}\n"
           "designs: {d: {type: lqg, inputs: upper, choose: 2, choose_k_Q: 1, sense: lower(8),\n"
           "  weight: velocity, output: tip, disturbance: push.z, noise: 1, design_modes: 3}}",
           "has no electrode at the location of the chosen input 'upper(");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(poles), cmocka_unit_test(apart),
                                       cmocka_unit_test(written_out), cmocka_unit_test(outputs),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
