/* Inputs set from outside: the digits of a table with the same points, held values against closed
   forms, feedback, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

enum { POINTS = 40 };
#define EVERY 0.01 // [s] from one point to the next

static const char pendulum[] =
    "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 4}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 1, %s]}}\n"
    "heat: {sun: {type: flux, value: 2.0e4, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, pull: {joint: pin, quantity: joint_force}}\n"
    "analysis: {end: %.17g, step: 1.0e-3}\n"
    "reduction: {method: %s}\n";

static bool smooth;

/* A corner at each point, or none: a table is no corner where its slope hardly changes. */
static double course(int k) {
    return smooth ? 2 + 0.5 * sin(0.05 * k) : (k % 2 ? 1 : -1) * (2 + 0.5 * sin(1.7 * k));
}

static void open_model(verify *v, const char *push, const char *method) {
    static char text[4000];
    snprintf(text, sizeof text, pendulum, push, POINTS * EVERY, method);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", "/tmp", &v->model));
    verify_compile(v);
}

/* reduced as the model says, unless there is no method */
static const gos_system *reduce(verify *v, bool reduced, gos_system **made) {
    *made = NULL;
    if (reduced) {
        verify_good(v, gos_reduce(v->ctx, v->sys, made));
    }
    return reduced ? *made : v->sys;
}

/* stepping with a table in the model, or with the same points set one after the other; the state at
 * the end */
static void run(verify *v, const gos_system *sys, bool set, gos_state **end,
                gos_statistics *stats) {
    gos_state *x;
    gos_integrator *g;
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    const int i = gos_system_input_find(sys, "push.z");
    assert_true(i >= 0);
    if (set) {
        verify_good(v, gos_state_set_input(v->ctx, x, i, course(0), 0));
        verify_good(v, gos_state_set_input(v->ctx, x, i, course(1), EVERY));
    }
    verify_good(v, gos_integrator_create(v->ctx, sys, &v->opt, x, &g));
    for (int k = 1; k <= POINTS; k++) {
        const double until = k * EVERY;
        while (gos_state_time(x) < until) {
            verify_good(v, gos_integrator_step(g, set ? until : v->opt.end));
        }
        if (set && k < POINTS) {
            verify_good(v, gos_state_set_input(v->ctx, x, i, course(k + 1), (k + 1) * EVERY));
        }
    }
    gos_integrator_statistics(g, stats);
    gos_integrator_destroy(g);
    *end = x;
}

static void as_table(const char *method, bool reduced) {
    char name[64], push[100];
    snprintf(name, sizeof name, "gossamer_signals_%ld.csv", (long)getpid());
    char path[80];
    snprintf(path, sizeof path, "/tmp/%s", name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k <= POINTS; k++) {
        fprintf(f, "%.17g, %.17g\n", k * EVERY, course(k));
    }
    fclose(f);
    snprintf(push, sizeof push, "{table: %s}", name);
    gos_state *end[2];
    verify v[2];
    gos_system *made[2];
    gos_statistics stats[2];
    for (int i = 0; i < 2; i++) {
        open_model(&v[i], i ? "0.5" : push, method);
        run(&v[i], reduce(&v[i], reduced, &made[i]), i == 1, &end[i], &stats[i]);
    }
    unlink(path);
    print_message("%s: %ld steps, %ld restarts; set: %ld, %ld\n", method, stats[0].steps,
                  stats[0].restarts, stats[1].steps, stats[1].restarts);
    assert_int_equal(stats[0].steps, stats[1].steps);
    assert_int_equal(stats[0].restarts, stats[1].restarts);
    const size_t nq = (size_t)end[0]->sys->nq * sizeof(double);
    const size_t nt = (size_t)end[0]->sys->nt * sizeof(double);
    assert_memory_equal(end[0]->q, end[1]->q, nq);
    assert_memory_equal(end[0]->v, end[1]->v, nq);
    assert_memory_equal(end[0]->a, end[1]->a, nq);
    assert_memory_equal(end[0]->th, end[1]->th, nt);
    for (int i = 0; i < 2; i++) {
        gos_state_destroy(end[i]);
        gos_system_destroy(made[i]);
        verify_close(&v[i]);
    }
}

static void test_table(void **state) {
    GOS_UNUSED(state);
    as_table("rotation_closed", false);
    as_table("rotation_closed", true);
    as_table("complex_modes", true);
    smooth = true;
    as_table("rotation_closed", false);
    as_table("rotation_closed", true);
    smooth = false;
}

/* a body that forces hold or push: two masses in one go */
static const char body[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
    "loads: {push: {type: force, on: b, value: [1, 0, 0]}, turn: {type: moment, on: b, moment: [0, "
    "0, 0]}}\n"
    "probes: {place: {at: b, quantity: position}, angle: {at: b, quantity: rotation_vector},\n"
    "  rate: {at: b, quantity: angular_velocity}}\n"
    "analysis: {end: 4, tolerance: 1.0e-6}\n";

static double probe(const verify *v, const char *name, int k) {
    double y[GOS_PROBE_MAX];
    const int i = gos_system_probe_find(v->sys, name);
    assert_true(i >= 0);
    verify_good(v, gos_system_probe(v->ctx, v->sys, v->state, i, y, NULL));
    return y[k];
}

static void step_to(verify *v, double t) {
    while (gos_state_time(v->state) < t) {
        verify_good(v, gos_integrator_step(v->run, t));
    }
}

/* 1 N as the model says for 1 s, then 3 N, then a ramp to 0 N in 1 s, and nothing */
static void test_held(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, body, NULL);
    const int push = gos_system_input_find(v.sys, "push.x");
    gos_input_info info;
    assert_true(push >= 0 && gos_system_ninputs(v.sys) == 6);
    gos_system_input_info(v.sys, push, &info);
    assert_string_equal(info.unit, "N");
    verify_start(&v);
    step_to(&v, 1);
    assert_true(gos_state_input(v.state, push) == 1);
    verify_good(&v, gos_state_set_input(v.ctx, v.state, push, 3, 1));
    step_to(&v, 2);
    verify_near("held", probe(&v, "place", 0), 0.25 + 0.5 + 0.75, 1e-6);
    verify_good(&v, gos_state_set_input(v.ctx, v.state, push, 0, 3));
    assert_true(gos_state_input(v.state, push) == 3);
    step_to(&v, 4);
    assert_true(gos_state_input(v.state, push) == 0);
    // v = 0.5 + 1.5 at 2 s; 1.5 (s^2/2 - s^3/6) and 0.75 s^2 ... after 1 s, then on
    verify_near("ramp", probe(&v, "place", 0), 1.5 + 2 + 0.5 + 2 + 0.75, 1e-5);
    verify_close(&v);
}

/* u = -k angle - d rate, held for each 10 ms: the poles of the loop */
static void test_feedback(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, body, "bodies.b.angular_velocity=[0,0,1] loads.push.value=[0,0,0]");
    const int turn = gos_system_input_find(v.sys, "turn.z");
    assert_true(turn >= 0);
    verify_start(&v);
    const double h = 1e-2, k = 4, d = 2;
    double angle = 0, rate = 1; // exactly, from sample to sample
    for (int i = 0; i < 400; i++) {
        const double u = -k * probe(&v, "angle", 2) - d * probe(&v, "rate", 2);
        const double exact = -k * angle - d * rate;
        verify_good(&v, gos_state_set_input(v.ctx, v.state, turn, u, gos_state_time(v.state)));
        step_to(&v, (i + 1) * h);
        angle += h * rate + 0.5 * h * h * exact;
        rate += h * exact;
        assert_true(fabs(probe(&v, "angle", 2) - angle) < 1e-5);
    }
    assert_true(fabs(angle) < 0.02);
    verify_close(&v);
}

/* steps k0 to k1, each with a new value held; the run continues unchanged */
static void hold_steps(verify *v, int k0, int k1) {
    for (int k = k0; k < k1; k++) {
        verify_good(v,
                    gos_state_set_input(v->ctx, v->state, gos_system_input_find(v->sys, "push.y"),
                                        0.05 * (2 + sin(0.3 * k)), gos_state_time(v->state)));
        step_to(v, (k + 1) * v->opt.step);
    }
}

/* A force that turns with the rod, so that it is in the tangent, is held at each step. A run that
   continues from a copy repeats factorisations that were made when other values were held. */
static void test_kept_tangent(void **state) {
    GOS_UNUSED(state);
    enum { FROM = 60, TO = 80, END = 120 };
    gos_state *kept, *end;
    verify v;
    int old = 0;
    verify_text(
        &v,
        "materials: {m: {density: 1000, young: 1.0e7}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, "
        "0], elements: 4}}\n"
        "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
        "loads: {push: {type: force, on: rod.end, value: [0, 1, 0], frame: body}}\n"
        "analysis: {end: 1, step: 1.0e-3}\n",
        NULL);
    verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
    verify_good(&v, gos_state_create(v.ctx, v.sys, &end));
    for (int k = FROM; k < TO; k++) {
        gos_statistics before, after;
        verify_start(&v);
        hold_steps(&v, 0, k - 1);
        gos_integrator_statistics(v.run, &before);
        hold_steps(&v, k - 1, k);
        gos_integrator_statistics(v.run, &after);
        old += after.factorisations == before.factorisations;
        verify_good(&v, gos_integrator_store_history(v.run));
        verify_good(&v, gos_state_copy(kept, v.state));
        hold_steps(&v, k, END);
        verify_good(&v, gos_state_copy(end, v.state));
        gos_integrator_destroy(v.run);
        verify_good(&v, gos_state_copy(v.state, kept));
        verify_start(&v);
        hold_steps(&v, k, END);
        assert_memory_equal(end->block, v.state->block, end->nblock * sizeof(double));
        gos_integrator_destroy(v.run);
        gos_state_destroy(v.state);
        v.run = NULL;
        verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    }
    print_message("    %d of %d with a factorisation of earlier values\n", old, TO - FROM);
    assert_true(old > 2);
    gos_state_destroy(kept);
    gos_state_destroy(end);
    verify_close(&v);
}

/* what was set is part of the state */
static void test_kept(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_state *kept, *first;
    verify_text(&v, body, NULL);
    const int push = gos_system_input_find(v.sys, "push.y");
    verify_start(&v);
    step_to(&v, 1);
    verify_good(&v, gos_state_set_input(v.ctx, v.state, push, 5, 3));
    step_to(&v, 2);
    verify_good(&v, gos_integrator_store_history(v.run));
    verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
    verify_good(&v, gos_state_create(v.ctx, v.sys, &first));
    verify_good(&v, gos_state_copy(kept, v.state));
    step_to(&v, 4);
    verify_good(&v, gos_state_copy(first, v.state));
    gos_integrator_destroy(v.run);
    verify_good(&v, gos_state_copy(v.state, kept));
    verify_start(&v);
    step_to(&v, 4);
    assert_memory_equal(first->block, v.state->block, first->nblock * sizeof(double));
    gos_state_destroy(kept);
    gos_state_destroy(first);
    verify_close(&v);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, body, NULL);
    assert_int_equal(gos_system_input_find(v.sys, "nothing"), -1);
    assert_int_equal(gos_system_probe_find(v.sys, "nothing"), -1);
    assert_int_equal(gos_state_set_input(v.ctx, v.state, 6, 1, 0), GOS_E_USE);
    assert_int_equal(gos_state_set_input(v.ctx, v.state, -1, 1, 0), GOS_E_USE);
    assert_int_equal(gos_state_set_input(v.ctx, v.state, 0, (double)NAN, 0), GOS_E_USE);
    assert_int_equal(gos_state_set_input(v.ctx, v.state, 0, 1, -1), GOS_E_USE);
    verify_close(&v);
    verify_text(&v, body,
                "loads.push.value=[\"-place_x\",0,0] probes.place_x.at=b "
                "probes.place_x.quantity=position probes.place_x.direction=[1,0,0]");
    const int push = gos_system_input_find(v.sys, "push.x");
    assert_true(push >= 0);
    assert_int_equal(gos_state_set_input(v.ctx, v.state, push, 1, 0), GOS_E_USE);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),        cmocka_unit_test(test_held),
        cmocka_unit_test(test_feedback),     cmocka_unit_test(test_kept),
        cmocka_unit_test(test_kept_tangent), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
