/* Designs of structures known by their modes: poles, power, margins and norms against closed
   forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "control/robust.h"
#include "control/saturated.h"
#include "support/context.h"
#include "support/near.h"
#include "support/random.h"
#include "support/suite.h"

static gos_modal modal;

/* channel p and p + 3 are the two faces of a place */
enum { MODES = 30, PLACES = 3, CHANNELS = 2 * PLACES };
static const int top[PLACES] = {0, 1, 2}, bottom[PLACES] = {3, 4, 5};

static uint64_t seed = 1;

static int setup(void **state) {
    GOS_UNUSED(state);
    ctx = gos_ctx_create();
    if (!ctx || gos__modal_create(ctx, MODES, CHANNELS, &modal)) {
        return 1;
    }
    for (int i = 0; i < MODES; i++) {
        modal.omega[i] = 10 * (i + 1.3);
        modal.zeta[i] = 0.01;
        modal.phi[i] = random_uniform(&seed);
        for (int p = 0; p < PLACES; p++) {
            modal.Kup[p * MODES + i] = 0.1 * random_uniform(&seed);
            modal.Kup[(p + PLACES) * MODES + i] = -modal.Kup[p * MODES + i];
        }
    }
    for (int p = 0; p < CHANNELS; p++) {
        modal.capacitance[p] = 1e-3;
    }
    return 0;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__modal_free(ctx, &modal);
    gos_ctx_destroy(ctx);
    return 0;
}

static gos_modal_design rate_design(double gain) {
    return (gos_modal_design){.part = {.nmode = 4,
                                       .ndrive = PLACES,
                                       .drive = top,
                                       .nsense = PLACES,
                                       .sense = bottom,
                                       .current = true},
                              .law = GOS_LAW_RATE,
                              .gain = gain};
}

static gos_modal_design lqg_design(const int *sense) {
    return (gos_modal_design){
        .part = {.nmode = 4, .ndrive = PLACES, .drive = top, .nsense = PLACES, .sense = sense},
        .law = GOS_LAW_LQG,
        .aim = GOS_AIM_VELOCITY,
        .k_Q = 10,
        .noise = {.force = 1, .floor = 1e-3, .charge = 1e-3}};
}

/* one mode: s^2 + (2 zeta omega + g |K|^2) s + omega^2, whichever face is measured, however large
 * its electrode */
static void test_rate_of_one_mode(void **state) {
    GOS_UNUSED(state);
    static const double factor[PLACES] = {1, 3, 0.5};
    for (int k = 0; k < 2; k++) {
        gos_modal one = modal;
        gos_loop l;
        gos_stability s;
        double reach[1], sum = 0;
        for (int p = 0; p < PLACES; p++) {
            sum += factor[p] * modal.Kup[p * MODES] * modal.Kup[p * MODES];
        }
        if (k == 1) { // electrodes that collect half as much
            for (int i = 0; i < MODES; i++) {
                modal.Kup[3 * MODES + i] *= 0.5;
            }
        }
        gos_modal_design d = rate_design(40);
        d.factor = factor;
        need(gos__modal_loop(ctx, &one, &d, &one, 1, &l));
        need(gos__loop_stability(ctx, &l, &s, reach));
        const double w = modal.omega[0], sigma = 0.01 * w + 20 * sum;
        near_abs(s.abscissa, -sigma, 1e-12 * w);
        near_abs(s.frequency, sqrt(w * w - sigma * sigma), 1e-11 * w);
        near_abs(s.damping, sigma / w, 1e-12);
        near_abs(reach[0], s.abscissa, 0);
        assert_int_equal(s.mode, 0);
        gos__loop_free(ctx, &l);
    }
    for (int i = 0; i < MODES; i++) {
        modal.Kup[3 * MODES + i] *= 2;
    }
}

typedef struct watch {
    double energy, rise, from;
} watch;

static void look(void *user, double t, const double *z, const double *command) {
    GOS_UNUSED(command);
    watch *w = user;
    double energy = 0;
    for (int i = 0; i < MODES; i++) {
        const double stretch = modal.omega[i] * z[i];
        energy += (stretch * stretch + z[MODES + i] * z[MODES + i]) / 2;
    }
    if (t > w->from) {
        w->rise = fmax(w->rise, energy - w->energy);
    }
    w->energy = energy;
}

/* rates take energy out of every mode that the design does not contain, and the energy never rises
 * when voltages are limited */
static void test_rate_is_passive(void **state) {
    GOS_UNUSED(state);
    for (double gain = 1; gain < 1e5; gain *= 30) {
        const gos_modal_design d = rate_design(gain);
        gos_loop l, states;
        double reach[MODES];
        gos_stability s;
        need(gos__modal_loop(ctx, &modal, &d, &modal, MODES, &l));
        need(gos__loop_stability(ctx, &l, &s, reach));
        assert_true(s.abscissa < 0);
        for (int i = 0; i < MODES; i++) {
            assert_true(reach[i] < 0);
        }
        static double unit[4 * MODES * MODES], none[2 * MODES * PLACES];
        states = l; // the same, seen by its states
        states.nz = l.n;
        states.C = unit;
        states.D = none;
        states.G = none;
        for (int i = 0; i < l.n; i++) {
            unit[i * (l.n + 1)] = 1;
        }
        watch w = {.from = 0.11 + 1e-6};
        const gos_saturated_options o = {.t_end = 0.5,
                                         .step = 1e-3,
                                         .limit = fmin(0.05, 0.005 * gain),
                                         .tolerance = 1e-4,
                                         .w = 20,
                                         .w_from = 0.1,
                                         .w_to = 0.11,
                                         .t_start = 0.11,
                                         .sample = look,
                                         .user = &w};
        gos_saturated_response c;
        need(gos__saturated_run(ctx, &states, &o, &c));
        assert_true(c.clipped > 0.02);
        assert_true(w.rise < 1e-9);
        gos__loop_free(ctx, &l);
    }
}

/* the loop of the true state has the poles of its regulator, whose loop gain keeps away from -1 by
 * 1 (Kalman 1964) */
static void test_state(void **state) {
    GOS_UNUSED(state);
    gos_modal_design d = lqg_design(bottom);
    d.law = GOS_LAW_STATE;
    d.part.ndrive = 1;
    d.part.nsense = 0;
    gos_plant p, driven, gain, controller;
    double Q[64], N[8], R[1], K[8];
    gos_riccati info;
    need(gos__modal_plant(ctx, &modal, &d.part, &p));
    need(gos__plant_part(ctx, &p, 1, NULL, 0, NULL, &driven));
    need(gos__modal_weights(ctx, &modal, &d.part, d.aim, d.k_Q, Q, N, R));
    need(gos__lqr(ctx, &driven, &(gos_weights){.Q = Q, .R = R}, K, NULL, &info));
    gos_loop l;
    gos_stability s;
    need(gos__modal_loop(ctx, &modal, &d, &modal, 4, &l));
    need(gos__loop_stability(ctx, &l, &s, NULL));
    near_abs(s.abscissa, info.abscissa, 1e-10);
    near_abs(s.damping, info.damping, 1e-10);
    gos_margins margins;
    need(gos__loop_gain(ctx, &l, &gain));
    need(gos__margins(ctx, &gain, &margins));
    near_abs(margins.sensitivity, 1, 1e-5);
    assert_true(margins.gain >= 2.9); // a disk of 2 / 3 at least, when the sensitivity is 1
    gos__loop_free(ctx, &l);
    // on the richer plant the other modes are there too
    need(gos__modal_loop(ctx, &modal, &d, &modal, MODES, &l));
    assert_int_equal(l.n, 2 * MODES);
    gos__loop_free(ctx, &l);
    assert_int_equal(gos__modal_loop(ctx, &modal, &d, &modal, 3, &l), GOS_E_INPUT);
    assert_int_equal(gos__modal_controller(ctx, &modal, &d, &controller), GOS_E_USE);
    gos__plant_free(ctx, &p);
    gos__plant_free(ctx, &driven);
    gos__plant_free(ctx, &gain);
}

/* errors of capacitance reach a loop that measures with the electrodes that it drives, and no
   other; none is the loop itself. The filter subtracts C v of its estimate: too much of it in
   the observer or too little in the plant is the same to first order */
static void test_capacitance(void **state) {
    GOS_UNUSED(state);
    const double error[3] = {-1e-5, 0, 1e-5};
    double of_plant[3], of_observer[3];
    gos_modal_design d = lqg_design(top);
    gos_loop l;
    gos_stability s;
    need(gos__modal_loop(ctx, &modal, &d, &modal, MODES, &l));
    need(gos__loop_stability(ctx, &l, &s, NULL));
    need(gos__capacitance_sweep(ctx, &modal, &d, MODES, false, 3, error, of_plant));
    need(gos__capacitance_sweep(ctx, &modal, &d, MODES, true, 3, error, of_observer));
    near_abs(of_plant[1], s.abscissa, 1e-10);
    near_abs(of_observer[1], s.abscissa, 1e-10);
    const double slope = of_plant[2] - of_plant[0];
    assert_true(fabs(slope) > 1e-9);
    near_abs(of_observer[0] - of_observer[2], slope, 1e-2 * fabs(slope));
    gos__loop_free(ctx, &l);
    d = lqg_design(bottom);
    need(gos__capacitance_sweep(ctx, &modal, &d, MODES, false, 3, error, of_plant));
    near_abs(of_plant[0], of_plant[2], 0);
}

/* the force's share of one mode: s^2 phi^2 / (s^2 + 2 zeta omega s + omega^2) */
static void test_norm(void **state) {
    GOS_UNUSED(state);
    const gos_modal_design d = rate_design(0);
    gos_loop l;
    double norm, omega;
    need(gos__modal_loop(ctx, &modal, &d, &modal, 1, &l));
    need(gos__loop_norm(ctx, &l, &norm, &omega));
    const double zeta = 0.01;
    near_abs(norm / (modal.phi[0] * modal.phi[0]), 1 / (2 * zeta * sqrt(1 - zeta * zeta)), 1e-4);
    near_abs(omega, modal.omega[0] / sqrt(1 - 2 * zeta * zeta), 1e-2 * modal.omega[0]);
    gos__loop_free(ctx, &l);
}

static void test_refusals(void **state) {
    GOS_UNUSED(state);
    static const int other[PLACES] = {4, 3, 5};
    gos_modal_design d = rate_design(1);
    gos_plant c;
    d.part.sense = other;
    assert_int_equal(gos__modal_controller(ctx, &modal, &d, &c), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "channel 4 is not collocated with channel 0"));
    gos__plant_free(ctx, &c);
    gos_ctx_clear(ctx);
    d = rate_design(1);
    d.part.current = false;
    assert_int_equal(gos__modal_controller(ctx, &modal, &d, &c), GOS_E_INPUT);
    gos_ctx_clear(ctx);
    d = rate_design(1);
    d.factor = (const double[]){1, 1, -1};
    assert_int_equal(gos__modal_controller(ctx, &modal, &d, &c), GOS_E_INPUT);
    gos__plant_free(ctx, &c);
    gos_ctx_clear(ctx);
    d = rate_design(1);
    d.part.sense = top;
    gos_loop l;
    assert_int_equal(gos__modal_loop(ctx, &modal, &d, &modal, MODES, &l), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "rate of its own voltage"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_rate_of_one_mode, context_clear),
        cmocka_unit_test_teardown(test_rate_is_passive, context_clear),
        cmocka_unit_test_teardown(test_state, context_clear),
        cmocka_unit_test_teardown(test_capacitance, context_clear),
        cmocka_unit_test_teardown(test_norm, context_clear),
        cmocka_unit_test_teardown(test_refusals, context_clear),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
