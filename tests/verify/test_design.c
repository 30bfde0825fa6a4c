/* Designs of controllers as models ask for them, against closed forms: a cart (double integrator),
   an oscillator, a free craft with reaction wheels, an arm on a hub; and controller files, whole
   and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "control/design.h"
#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "support/folder.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/verify.h"

static const char cart[] =
    "bodies: {cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, between: [ground, cart], axis: [1, 0, 0]}}\n"
    "loads:\n"
    "  push: {type: force, on: cart, value: [0, 0, 0]}\n"
    "  gust: {type: force, on: cart, value: [0, 0, 0]}\n"
    "probes:\n"
    "  place: {at: cart, quantity: displacement, direction: [1, 0, 0]}\n"
    "  speed: {at: cart, quantity: velocity, direction: [1, 0, 0]}\n"
    "designs:\n"
    "  hold: {type: lqr, inputs: push.x, signals: [place, speed], signal_weights: [1, 0], "
    "disturbance: gust.x,\n"
    "         output: place}\n"
    "  watch: {type: lqg, inputs: push.x, signals: place, noise: 1, disturbance: gust.x}\n";

static const char oscillator[] =
    "parameters: {k: 12, d: 0.2}\n"
    "bodies:\n"
    "  mass: {type: rigid, mass: 3, inertia: [1, 1, 1]}\n"
    "  wall: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [-1, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}\n"
    "  wall: {type: clamp, between: [ground, wall]}\n"
    "loads:\n"
    "  push: {type: force, on: mass, value: [0, 0, 0]}\n"
    "  rod: {type: spring, between: [wall, mass], stiffness: k, damping: d}\n"
    "probes:\n"
    "  place: {at: mass, quantity: displacement, direction: [1, 0, 0]}\n"
    "  speed: {at: mass, quantity: velocity, direction: [1, 0, 0]}\n";

typedef struct designed {
    gos_ctx *ctx;
    gos_model *model;
    gos_design *design;
    gos_design_report report;
} designed;

static gos_status try(designed *d, const char *text, const char *name, const char *settings) {
    *d = (designed){.ctx = gos_ctx_create()};
    assert_int_equal(gos_model_parse(d->ctx, text, strlen(text), "m.yaml", NULL, &d->model),
                     GOS_OK);
    verify v = {.ctx = d->ctx, .model = d->model};
    verify_set(&v, settings);
    const gos_status status = gos_design_model(d->ctx, d->model, name, &d->design);
    if (status == GOS_OK) {
        gos_design_get(d->design, &d->report);
    }
    return status;
}

static void make(designed *d, const char *text, const char *name, const char *settings) {
    if (try(d, text, name, settings) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(d->ctx));
    }
}

static void release(designed *d) {
    gos_design_destroy(d->design);
    gos_model_destroy(d->model);
    gos_ctx_destroy(d->ctx);
}

static void refuse(const char *text, const char *name, const char *settings, const char *words) {
    designed d;
    assert_int_not_equal(try(&d, text, name, settings), GOS_OK);
    bool told = false;
    for (int i = 0; i < gos_ctx_ndiag(d.ctx); i++) {
        told = told || strstr(gos_ctx_diag(d.ctx, i)->text, words);
    }
    if (!told) {
        fail_msg("'%s' does not say '%s'", gos_ctx_message(d.ctx), words);
    }
    release(&d);
}

/* weights of place and force 1: with m = 2 poles at sqrt(1/m) of damping 1/sqrt 2, u = -x - sqrt(2
   m) v; from a force to the place |H| = |1 / (m s^2 + sqrt(2 m) s + 1)|, at most 1; S <= 1 and a
   phase margin of 60 degrees or more */
static void test_cart(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n;
    make(&d, cart, "hold", NULL);
    const gos_control_law *law = gos_design_law(d.design);
    assert_int_equal(law->n, 0);
    assert_int_equal(law->nu, 1);
    assert_string_equal(law->input[0], "push.x");
    assert_string_equal(law->signal[1], "speed.value");
    near_rel(law->D[0], -1, 1e-12);
    near_rel(law->D[1], -2, 1e-12);
    const gos_root *pole = gos_design_poles(d.design, false, &n);
    assert_int_equal(n, 1);
    near_rel(pole[0].re, -0.5, 1e-12);
    near_rel(pole[0].im, 0.5, 1e-12);
    assert_int_equal(d.report.rigid, 1);
    near_rel(d.report.norm, 1, 1e-4);
    assert_true(d.report.norm_open == 0); // a constant force moves it on and on
    assert_true(d.report.phase_margin > M_PI / 3 * (1 - 1e-6));
    near_rel(d.report.sensitivity, 1, 1e-5);
    release(&d);
}

/* of a position measured with noise of intensity 1 and forces of intensity 1: filter and regulator
 * have the same poles */
static void test_filter(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n;
    make(&d, cart, "watch", NULL);
    const gos_root *pole = gos_design_poles(d.design, false, &n);
    assert_int_equal(n, 2);
    for (int i = 0; i < n; i++) {
        near_rel(pole[i].re, -0.5, 1e-6); // double poles: the root of rounding
        near_rel(pole[i].im, 0.5, 1e-6);
    }
    const gos_control_law *law = gos_design_law(d.design);
    assert_int_equal(law->n, 2);
    assert_int_equal(law->ny, 1);
    // x^' = (A - B K - L C) x^ + L y once v = u: its poles are those of 1 / (m s^2 + ...) with both
    // gains
    double trace = 0;
    for (int i = 0; i < 2; i++) {
        trace += law->A[3 * i] + law->E[i] * law->C[i];
    }
    near_rel(trace, -2, 1e-10); // -(sqrt 2 + sqrt 2) sqrt(1/m)
    release(&d);
}

/* x'' = -w^2 x - 2 z w x' + u / m; weight q of x: closed at w_c^4 = w^4 + q / m^2, 2 z_c w_c =
 * sqrt(4 z^2 w^2 + 2 (w_c^2 - w^2)) */
static void test_oscillator(void **state) {
    GOS_UNUSED(state);
    designed d;
    char text[2000];
    const double m = 3, k = 12, damping = 0.2, q = 50;
    snprintf(text, sizeof text,
             "%sdesigns: {calm: {type: lqr, inputs: push.x, signals: [place, speed], "
             "signal_weights: [50, 0]}}\n",
             oscillator);
    make(&d, text, NULL, NULL);
    const double w2 = k / m, c2 = sqrt(w2 * w2 + q / (m * m)), D = damping / m;
    int n;
    const gos_root *pole = gos_design_poles(d.design, false, &n);
    near_rel(pole[0].re, -0.5 * sqrt(D * D + 2 * (c2 - w2)), 1e-10);
    near_rel(hypot(pole[0].re, pole[0].im), sqrt(c2), 1e-10);
    assert_int_equal(d.report.rigid, 0);
    release(&d);
    // weights of modes: |phi| = 1/sqrt(m), times w, of amplitudes z = sqrt(m) x and their rates
    snprintf(text, sizeof text,
             "%sdesigns: {calm: {type: lqr, inputs: push.x, signals: [place, speed], "
             "weight: displacement, output: place, k_Q: 7}}\n",
             oscillator);
    make(&d, text, NULL, NULL);
    const double b2 = 1 / m, qz = 7 * sqrt(w2) / sqrt(m), z2 = sqrt(w2 * w2 + qz * b2);
    pole = gos_design_poles(d.design, false, &n);
    near_rel(hypot(pole[0].re, pole[0].im), sqrt(z2), 1e-10);
    near_rel(pole[0].re, -0.5 * sqrt(D * D + 2 * (z2 - w2)), 1e-10);
    release(&d);
    make(&d, text, NULL, "designs.calm.weight=velocity");
    pole = gos_design_poles(d.design, false, &n);
    near_rel(hypot(pole[0].re, pole[0].im), sqrt(w2), 1e-10); // damping alone
    near_rel(-2 * pole[0].re, sqrt(D * D + qz * b2), 1e-10);
    release(&d);
    // a = x'': q a^2 + u^2 with a = -w2 x - D v + u/m is the problem in w = u + ...: poles of the
    // spectral factor of 1 + q s^4 / (m^2 |s^2 + D s + w2|^2)
    make(&d, text, NULL, "designs.calm.weight=acceleration");
    pole = gos_design_poles(d.design, false, &n);
    const double h = 7 / (m * m); // (1 + h) s^4 + (2 w2 - D^2) s^2 + w2^2
    near_rel(hypot(pole[0].re, pole[0].im), sqrt(w2 / sqrt(1 + h)), 1e-10);
    near_rel(-2 * pole[0].re, sqrt(2 * w2 / sqrt(1 + h) - (2 * w2 - D * D) / (1 + h)), 1e-10);
    release(&d);
}

/* held inputs: z of [1 T; 0 1] - [T^2/2; T]/m (1, 2), solved by hand */
static void test_sampled(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n;
    const double T = 0.25, m = 2;
    make(&d, cart, "hold", "designs.hold.sample=0.25");
    const double trace = 2 - T * T / 2 / m - 2 * T / m,
                 det = (1 - T * T / 2 / m) * (1 - 2 * T / m) - (T - T * T / m) * (-T / m);
    const gos_root *pole = gos_design_poles(d.design, false, &n);
    assert_int_equal(n, 1);
    near_rel(pole[0].re, log(det) / 2 / T, 1e-10);
    near_rel(pole[0].im, atan2(sqrt(det - trace * trace / 4), trace / 2) / T, 1e-10);
    assert_true(gos_design_law(d.design)->period == T);
    release(&d);
    make(&d, cart, "watch", "designs.watch.sample=0.25");
    const gos_control_law *law = gos_design_law(d.design);
    // the filter's equations over a period: A of the law is e^((A - L C) T), whose determinant is
    // e^(trace T), -sqrt 2 / sqrt 2
    near_rel(law->A[0] * law->A[3] - law->A[1] * law->A[2], exp(-T), 1e-10);
    assert_true(d.report.abscissa < 0);
    release(&d);
    // far too slow: told
    make(&d, cart, "hold", "designs.hold.sample=8");
    assert_true(d.report.abscissa > 0 && d.report.disk == 0);
    assert_true(gos_ctx_ndiag(d.ctx) > 0);
    release(&d);
}

static const char craft[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 100, inertia: [20, 30, 40]}\n"
    "  wheel: {type: rigid, mass: 1, inertia: [0.02, 0.01, 0.01]}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [hub.centre, wheel], axis: [1, 0, 0]}\n"
    "  motor: {type: motor, between: [hub, wheel], axis: [1, 0, 0], moment: 0}\n"
    "probes:\n"
    "  angle: {at: hub, quantity: rotation_vector}\n"
    "  rate: {at: hub, quantity: angular_velocity}\n"
    "designs: {point: {type: lqr, inputs: motor, signals: [angle.x, rate.x], signal_weights: [1, "
    "0]}}\n";

/* of seven motions without stiffness the signals see one, the hub's turning, with the hub's inertia
   alone: the wheel's angle is free, and no input changes the momentum of both */
static void test_wheel(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n;
    make(&d, craft, NULL, NULL);
    assert_int_equal(d.report.modes, 1);
    assert_int_equal(d.report.rigid, 1);
    const gos_root *pole = gos_design_poles(d.design, false, &n);
    assert_int_equal(n, 1);
    near_rel(pole[0].re, -sqrt(1 / 20.) / sqrt(2), 1e-10);
    near_rel(pole[0].im, sqrt(1 / 20.) / sqrt(2), 1e-10);
    release(&d);
    // turning about y is seen and not to be held
    refuse(craft, NULL, "designs.point.signals=[angle,rate]", "");
}

static const char arm[] =
    "materials: {aluminium: {density: 2767, young: 6.895e10}}\n"
    "sections: {strip: {type: general, area: 2.5e-4, Iy: 1.302e-10, Iz: 1.302e-10}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.25, 0.25, 0.25], points: {rim: [0.1, 0, 0]}}\n"
    "  arm: {type: floating_beam, material: aluminium, section: strip, from: [0.1, 0, 0], to: "
    "[1.9, 0, 0],\n"
    "        elements: 20, bending: y, torsion: rigid, zeta: 0.002}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "loads:\n"
    "  drive: {type: moment, on: hub, moment: [0, 0, 0]}\n"
    "  gust: {type: force, on: arm.end, frame: hub, value: [0, 0, 0]}\n"
    "probes:\n"
    "  theta: {at: hub, quantity: angle}\n"
    "  tip: {at: arm.end, quantity: displacement}\n"
    "designs:\n"
    "  calm: {type: lqg, inputs: drive.z, signals: theta, noise: 1.0e-4, design_modes: 2, "
    "plant_modes: 12,\n"
    "         signal_weights: 100, disturbance: gust.y, output: tip.y, floor: 1.0e-6}\n";

/* measured at the tip, across the arm from the motor, a fast observer of two modes does not know
   the third one, whose phase has turned round: unstable on twelve, and told; measured at the hub it
   is stable, as is the slow observer */
static void test_spillover(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n;
    make(&d, arm, NULL, NULL);
    assert_int_equal(d.report.modes, 3); // with the turning of both
    assert_int_equal(d.report.rigid, 1);
    assert_int_equal(d.report.plant_modes, 13);
    assert_true(d.report.abscissa < 0 && d.report.plant_abscissa < 0);
    assert_int_equal(gos_ctx_ndiag(d.ctx), 0);
    release(&d);
    make(&d, arm, NULL, "designs.calm.signals=tip.y designs.calm.noise=1e-5 designs.calm.k_Q=100");
    assert_true(d.report.abscissa < 0);
    assert_true(d.report.plant_abscissa > 0 && d.report.unstable >= 2);
    assert_int_equal(gos_ctx_ndiag(d.ctx), 1);
    assert_non_null(strstr(gos_ctx_diag(d.ctx, 0)->text, "unstable with the plant of 13 modes"));
    const gos_root *pole = gos_design_poles(d.design, true, &n);
    double most = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        most = fmax(most, pole[i].re);
    }
    assert_true(most == d.report.plant_abscissa);
    const gos_design_error *error = gos_design_errors(d.design, &n);
    assert_int_equal(n, 16); // gain and frequency, four sizes of both signs; nothing feeds through
    assert_int_equal(error[0].kind, GOS_ERROR_GAIN);
    release(&d);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    refuse(cart, NULL, NULL, "there are 2 designs");
    refuse(cart, "held", NULL, "there is no design 'held'");
    refuse(cart, "hold", "designs.hold.signals=[place] designs.hold.signal_weights=1",
           "the signals determine only 1 of the 2 states");
    refuse(cart, "hold", "designs.hold.inputs=pull", "the linear model has no input 'pull'");
    refuse(cart, "hold", "designs.hold.signals=[plate,speed]",
           "the linear model has no output 'plate'; did you mean 'place'?");
    refuse(cart, "hold", "designs.hold.inputs=pusch.x", "did you mean 'push.x'?");
    refuse(cart, "hold", "designs.hold.k_Q=0", "k_Q: 0 is computed from v_max");
    refuse(cart, "hold", "designs.hold.signal_weights=[1,2,3]", "3 numbers for 2 names");
    refuse(cart, "hold", "designs.hold.weight=velocity designs.hold.output=null",
           "requires `output`");
    refuse(cart, "watch", "designs.watch.noise=null", "noise");
    refuse(cart, "watch", "designs.watch.design_modes=5 designs.watch.plant_modes=2", "is below");
    refuse(cart, "hold", "designs.hold.disturbance=gust", "has several components");
}

/* what is read is what was stored; a file cut anywhere is refused */
static void test_file(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n, m;
    char path[400], other[400];
    make(&d, cart, "watch", "designs.watch.v_max=3 designs.watch.sample=0.1");
    snprintf(path, sizeof path, "%s", folder_path("c.h5"));
    snprintf(other, sizeof other, "%s", folder_path("d.h5"));
    assert_int_equal(gos_controller_save(d.ctx, d.design, path), GOS_OK);
    assert_true(gos_controller_exists(path));
    gos_design *again = NULL;
    assert_int_equal(gos_controller_read(d.ctx, path, &again), GOS_OK);
    const gos_control_law *a = gos_design_law(d.design), *b = gos_design_law(again);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->A, b->A, 4 * sizeof(double));
    assert_memory_equal(a->B, b->B, 2 * sizeof(double));
    assert_memory_equal(a->E, b->E, 2 * sizeof(double));
    assert_memory_equal(a->C, b->C, 2 * sizeof(double));
    assert_true(b->limit[0] == 3 && b->period == 0.1);
    assert_string_equal(a->input[0], b->input[0]);
    assert_string_equal(a->signal[0], b->signal[0]);
    gos_design_report r;
    gos_design_get(again, &r);
#define X(type, name, doc) assert_true(r.name == d.report.name);
    GOS_DESIGN_FIELDS(X)
#undef X
    const gos_design_error *e = gos_design_errors(d.design, &n), *f = gos_design_errors(again, &m);
    assert_int_equal(n, m);
    assert_memory_equal(e, f, n * sizeof *e);
    const gos_root *p = gos_design_poles(d.design, true, &n),
                   *q = gos_design_poles(again, true, &m);
    assert_int_equal(n, m);
    assert_memory_equal(p, q, n * sizeof *p);
    gos_design_destroy(again);
    FILE *in = fopen(path, "rb");
    static char bytes[1 << 17];
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    assert_true(size > 0 && size < sizeof bytes);
    for (size_t cut = 0; cut < size; cut += 997) {
        FILE *out = fopen(other, "wb");
        fwrite(bytes, 1, cut, out);
        fclose(out);
        gos_ctx_clear(d.ctx);
        assert_int_equal(gos_controller_read(d.ctx, other, &again), GOS_E_FILE);
        assert_true(gos_ctx_ndiag(d.ctx) > 0);
    }
    // another file of this program
    gos_linear *linear = NULL;
    const double one = 1;
    const int start[] = {0, 1}, row[] = {0};
    const gos_matrix_view A = {1, 1, 1, start, row, &one};
    assert_int_equal(gos_linear_from_matrices(d.ctx, &(gos_matrices){.A = &A}, &linear), GOS_OK);
    (void)unlink(other);
    assert_int_equal(gos_linear_save(d.ctx, linear, other), GOS_OK);
    assert_false(gos_controller_exists(other));
    assert_int_equal(gos_controller_read(d.ctx, other, &again), GOS_E_FILE);
    assert_int_equal(gos_controller_save(d.ctx, d.design, other), GOS_E_USE); // not replaced
    gos_linear_destroy(linear);
    release(&d);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cart),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_wheel),
        cmocka_unit_test(test_spillover),
        cmocka_unit_test(test_refused),
        cmocka_unit_test_setup_teardown(test_file, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
