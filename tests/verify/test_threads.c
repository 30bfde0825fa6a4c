/* An immutable system is one: four threads at a time run one system (in full, reduced) and solve with one
   linear model, each in a context of its own, and find to the last bit what one alone does. Built with the
   thread sanitizer, every access that is not in order is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/verify.h"

enum { THREADS = 4, VALUES = 64 };

/* Functions of time of every kind: smooth, with branches, tables; probes that evaluate them, too. */
static const char model[] =
    "parameters: {A: 0.3}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 4}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  wave: {type: force, on: rod.end, value: ['A*sin(30*t)', 'A*t^2*exp(-t)', 'A*cos(20*t)']}\n"
    "  push: {type: force, on: rod.at(0.5), value: [0, 0, '(t > 0.011) ? A*mod(floor(90*t), 2) : "
    "max(A*t, 0.1)']}\n"
    "heat:\n"
    "  sun: {type: flux, value: '1e4*abs(cos(50*t))', direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  warm: {at: rod.end, quantity: temperature}\n"
    "  pin_force: {joint: pin, quantity: joint_force}\n"
    "analysis: {type: dynamic, end: 0.05, tolerance: 1.0e-4}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 5}\n";

/* what a thread does, and what it found */
typedef struct work {
    const gos_system *sys;
    const gos_linear *linear;
    gos_status status;
    double value[VALUES];
} work;

static gos_status run_to_end(gos_ctx *ctx, work *w) {
    gos_options o;
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    gos_options_get(w->sys, &o);
    gos_status status = gos_state_create(ctx, w->sys, &x);
    status = status == GOS_OK ? gos_integrator_create(ctx, w->sys, &o, x, &g) : status;
    while (status == GOS_OK && gos_state_time(x) < o.end) {
        status = gos_integrator_step(g, o.end);
        double y[16];
        for (int i = 0; i < gos_system_nprobes(w->sys) && status == GOS_OK; i++) {
            status = gos_system_probe(ctx, w->sys, x, i, y, NULL);
            for (int c = 0; c < 3 && status == GOS_OK; c++) { // of every step
                w->value[3 * i + c] = 0.9 * w->value[3 * i + c] + y[c < 1 || i != 1 ? c : 0];
            }
        }
    }
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    return status;
}

static gos_status solve_linear(gos_ctx *ctx, work *w) {
    gos_mode modes[6] = {{0}};
    int found = 0;
    const double omega[] = {1, 20};
    gos_linear_info info;
    gos_linear_info_get(w->linear, &info);
    const size_t n = 4 * (size_t)info.outputs * (size_t)info.inputs;
    double *H = calloc(n + 1, sizeof *H);
    gos_status status = gos_linear_modes(ctx, w->linear, 6, false, modes, &found);
    for (int i = 0; i < found; i++) {
        w->value[i] = modes[i].omega;
    }
    status = status == GOS_OK ? gos_linear_modes(ctx, w->linear, 6, true, modes, &found) : status;
    for (int i = 0; i < found; i++) {
        w->value[6 + i] = modes[i].omega;
    }
    status = status == GOS_OK ? gos_linear_response(ctx, w->linear, 2, omega, H) : status;
    for (size_t i = 0; i < n && i < VALUES - 12; i++) {
        w->value[12 + i] = H[i];
    }
    free(H);
    return status;
}

static void *solve(void *arg) {
    work *w = arg;
    gos_ctx *ctx = gos_ctx_create();
    w->status = ctx == NULL ? GOS_E_MEMORY : w->linear ? solve_linear(ctx, w) : run_to_end(ctx, w);
    gos_ctx_destroy(ctx);
    return NULL;
}

static void compare(const gos_system *sys, const gos_linear *linear) {
    work alone = {.sys = sys, .linear = linear}, w[THREADS];
    pthread_t thread[THREADS];
    (void)solve(&alone);
    assert_int_equal(alone.status, GOS_OK);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (work){.sys = sys, .linear = linear};
        assert_int_equal(pthread_create(&thread[i], NULL, solve, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
    bool something = false;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(w[i].status, GOS_OK);
        assert_memory_equal(w[i].value, alone.value, sizeof alone.value);
    }
    for (int k = 0; k < VALUES; k++) {
        something |= alone.value[k] != 0;
    }
    assert_true(something);
}

static void test_full(void **state) {
    (void)state;
    verify v;
    verify_text(&v, model, NULL);
    compare(v.sys, NULL);
    verify_close(&v);
}

static void test_reduced(void **state) {
    (void)state;
    verify v;
    gos_system *reduced;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    compare(reduced, NULL);
    gos_system_destroy(reduced);
    verify_close(&v);
}

static void test_linear(void **state) {
    (void)state;
    verify v;
    gos_linear *linear;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    compare(v.sys, linear);
    gos_linear_destroy(linear);
    verify_close(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_full), cmocka_unit_test(test_reduced),
                                       cmocka_unit_test(test_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
