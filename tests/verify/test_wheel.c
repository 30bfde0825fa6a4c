/* Wheels on rigid bodies, whose turns are not followed: against the same rotor as a body with a
   hinge and a motor, against closed forms, by their balance of energy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* ---- the same rotor as a body ---------------------------------------------------------------- */

#define HUB                                                                                        \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 10, inertia: [3, 4, 5], rotation_vector: [0.4, -0.7, 1.1]}\n"
#define REST                                                                                       \
    "analysis: {end: 4, newton_tolerance: 1.0e-5}\n"                                               \
    "initial: {all: {angular_velocity: [0.5, 0.3, -0.4]}}\n"                                       \
    "probes:\n"                                                                                    \
    "  w: {at: hub, quantity: angular_velocity, frame: hub}\n"                                     \
    "  E: {quantity: energy}\n"
#define MOMENT "\"3*sin(2*t)\""

/* a rotor of 0.2 kg m^2 about (0.6, 0.8, 0) and 0.1 across, which is its x axis: free to turn */
static const char followed[] =
    HUB "  rotor: {type: rigid, mass: 1, inertia: [0.2, 0.1, 0.1], rotation_vector: [0, 0, "
        "0.92729521800161223]}\n"
        "joints:\n"
        "  axle: {type: revolute, between: [hub.centre, rotor], axis: [0.6, 0.8, 0]}\n"
        "  motor: {type: motor, between: [hub, rotor], axis: [0.6, 0.8, 0], moment: " MOMENT "}\n"
        "loads:\n"
        "  bearing: {type: torsion_spring, between: [hub, rotor], axis: [0.6, 0.8, 0], damping: "
        "0.1}\n" REST "  r: {at: rotor, quantity: angular_velocity, frame: rotor}\n";

/* ... its mass and inertia across the axis clamped to the hub, and the wheel: 0.54 rad/s is what
 * turns about the axis */
static const char wheel[] = HUB
    "  rest: {type: rigid, mass: 1, inertia: [1e-7, 0.1, 0.1], rotation_vector: [0, 0, "
    "0.92729521800161223]}\n"
    "joints:\n"
    "  axle: {type: clamp, between: [hub.centre, rest]}\n"
    "loads:\n"
    "  roll: {type: wheel, on: hub, axis: [0.6, 0.8, 0], inertia: 0.2, speed: 0.54, moment: " MOMENT
    ", friction: 0.1}\n" REST "  r: {quantity: wheel, load: roll}\n";

static double difference(const char *step) {
    verify a, b;
    double worst = 0, momentum = 0, balance = 0;
    verify_text(&a, followed, step);
    verify_text(&b, wheel, step);
    verify_start(&a);
    verify_start(&b);
    for (double t = 0.5; t < 4; t += 0.5) {
        const gos_state *x = verify_at(&a, t), *w = verify_at(&b, t);
        double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX];
        verify_probe(&a, x, "w", y);
        verify_probe(&b, w, "w", z);
        worst = fmax(worst, verify_distance(y, z));
        verify_probe(&a, x, "r", y);
        verify_probe(&b, w, "r", z);
        momentum = fmax(momentum, fabs(0.2 * y[0] - z[1]));
        verify_probe(&b, w, "E", z);
        balance = fmax(balance, fabs(z[6]));
    }
    verify_below("angular velocity of the hub, from that with a rotor [rad/s]", worst, 1e-5);
    verify_below("momentum of the rotor [N m s]", momentum, 1e-4);
    verify_below("balance of energy [J]", balance, 1e-5);
    verify_close(&a);
    verify_close(&b);
    return worst;
}

/* steps of both are of second order */
static void test_followed(void **state) {
    GOS_UNUSED(state);
    const double coarse = difference("analysis.step=1e-3"), fine = difference("analysis.step=5e-4");
    verify_within("order", verify_order(coarse, fine, 2), 1.9, 2.1);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A body with I = 3 about x, 4 across, and the momentum h along x turns across x at
   lambda = ((3 - 4) w_x + h) / 4: w_y = w0 cos, w_z = w0 sin (Euler's equations). */
static void test_nutation(void **state) {
    GOS_UNUSED(state);
    verify v;
    double worst = 0;
    verify_text(
        &v,
        "bodies: {hub: {type: rigid, mass: 10, inertia: [3, 4, 4],\n"
        "         angular_velocity: [0.6, 0.2, 0]}}\n"
        "loads: {gyro: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 0.02, speed: 500}}\n"
        "probes: {w: {at: hub, quantity: angular_velocity, frame: hub}}\n"
        "analysis: {end: 3, tolerance: 1.0e-7}\n",
        NULL);
    verify_start(&v);
    const double lambda = ((3 - 4) * 0.6 + 10) / 4;
    for (double t = 0.25; t < 3; t += 0.25) {
        const double want[3] = {0.6, 0.2 * cos(lambda * t), 0.2 * sin(lambda * t)};
        double w[GOS_PROBE_MAX];
        verify_probe(&v, verify_at(&v, t), "w", w);
        worst = fmax(worst, verify_distance(w, want));
    }
    verify_below("angular velocity of a body with a momentum wheel [rad/s]", worst, 1e-6);
    verify_close(&v);
}

/* Spun up by a moment that follows the body's own rate, M = 2 + 3 w: hub w' = -M / 4, wheel h' = M,
   nothing outside, so 4 w + h = 0 and w = 2/3 (exp(-3 t / 4) - 1). */
static void test_spun_up(void **state) {
    GOS_UNUSED(state);
    verify v;
    double worst = 0, speed = 0;
    verify_text(&v,
                "bodies: {hub: {type: rigid, mass: 10, inertia: [5, 4, 3]}}\n"
                "loads: {reel: {type: wheel, on: hub, axis: [0, 1, 0], inertia: 0.5,\n"
                "               moment: \"2 + 3*w.y\"}}\n"
                "probes: {w: {at: hub, quantity: angular_velocity},\n"
                "         reel: {quantity: wheel, load: reel}}\n"
                "analysis: {end: 2, tolerance: 1.0e-6}\n",
                NULL);
    verify_start(&v);
    for (double t = 0.25; t < 2; t += 0.25) {
        const double w = 2.0 / 3 * (exp(-0.75 * t) - 1);
        const gos_state *x = verify_at(&v, t);
        double y[GOS_PROBE_MAX];
        worst = fmax(worst, fabs(verify_value(&v, x, "w.y") - w));
        verify_probe(&v, x, "reel", y);
        speed = fmax(speed, fabs(y[0] - (-4 * w / 0.5 - w)));
        verify_near("moment on the rotor [N m]", y[2], 2 + 3 * w, 1e-4);
    }
    verify_below("angular velocity [rad/s]", worst, 1e-5);
    verify_below("speed of the wheel [rad/s]", speed, 1e-4);
    verify_close(&v);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(const char *text, const char *words) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_int_equal(gos_system_create(ctx, model, &sys), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(ctx), words)) {
        print_error("%s\n", gos_ctx_message(ctx));
        fail();
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

#define HUB_ALONE "bodies: {hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"

static void test_refused(void **state) {
    GOS_UNUSED(state);
    refused(HUB_ALONE "loads: {x: {type: wheel, on: ground, axis: [1, 0, 0], inertia: 1}}\n",
            "ground");
    refused(HUB_ALONE "loads: {x: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 0}}\n",
            "inertia");
    refused(HUB_ALONE "loads: {x: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 1}}\n"
                      "probes: {x: {quantity: hinge, load: x}}\n",
            "torsion_spring");
    refused(HUB_ALONE "loads: {x: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 1}}\n"
                      "analysis: {heat: steady}\n",
            "does not support first-order states");
    refused(HUB_ALONE "loads: {x: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 1}}\n"
                      "probes: {x: {at: x, quantity: temperature}}\n",
            "x");
}

/* The rate of the motor's moment is in that of the probe: M'(t) - c speed'. */
static void test_rate_of_moment(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                HUB_ALONE "loads: {x: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 0.5, "
                          "friction: 0.2, moment: \"0.3*sin(2*t)\"}}\n"
                          "probes: {w: {quantity: wheel, load: x}}\n"
                          "analysis: {end: 2, step: 0.01}\n",
                NULL);
    verify_start(&v);
    for (double t = 0.4; t < 2; t += 0.4) {
        const gos_state *x = verify_at(&v, t);
        double y[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
        verify_good(&v, gos_system_probe(v.ctx, v.sys, x, verify_find(&v, "w"), y, rate));
        verify_near("rate of the moment [N m/s]", rate[2],
                    0.6 * cos(2 * gos_state_time(x)) - 0.2 * rate[0], 1e-6);
    }
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_followed), cmocka_unit_test(test_nutation),
        cmocka_unit_test(test_spun_up),  cmocka_unit_test(test_rate_of_moment),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("wheels", tests, NULL, NULL);
}
SUITE(suite)
