/* Subnormal numbers are flushed to zero inside steps, and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>

#include "gossamer/binding.h"
#include "support/suite.h"
#include "support/verify.h"

/* half of the smallest normal number: 0 where subnormal numbers are flushed */
static double half(void) {
    const volatile double least = DBL_MIN;
    return least / 2;
}

#if defined(__SSE2__)
#define FLUSHES 1
#else
#define FLUSHES 0
#endif

/* a body that cools to nothing, past every subnormal number */
static const char model[] =
    "bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], shape: {sphere: 0.1},\n"
    "  specific_heat: 1}}\n"
    "joints: {hold: {type: clamp, between: [ground, ball]}}\n"
    "initial: {ball: {temperature: 100}}\n"
    "heat: {film: {type: convection, coefficient: 1/(4*pi*0.01), ambient: 0, on: ball}}\n"
    "loads: {push: {type: force, on: ball, value: [%s, 0, 0]}}\n"
    "probes: {T: {at: ball, quantity: temperature}}\n"
    "analysis: {end: 1000, step: 0.5}\n";

static void decays_to_zero(void **state) {
    GOS_UNUSED(state);
    char text[1000];
    verify v = {0};
    int normal = 0, subnormal = 0;
    snprintf(text, sizeof text, model, "0");
    verify_text(&v, text, NULL);
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        assert_true(half() > 0); // restored
        const double T = fabs(verify_value(&v, v.state, "T.T"));
        normal += T >= DBL_MIN;
        subnormal += T > 0 && T < DBL_MIN;
    }
    print_message("%d normal, %d subnormal temperatures of %g steps\n", normal, subnormal,
                  v.opt.end / 0.5);
    assert_true(normal > 100);
    assert_true(!FLUSHES || subnormal == 0);
    verify_close(&v);
}

/* a function of the program: counts calls with flushed numbers, and fails from a time on */
typedef struct counted {
    int calls, flushed;
    double fails;
} counted;

static double counts(void *user, double t, const double *y) {
    counted *c = user;
    GOS_UNUSED(y);
    c->calls++;
    c->flushed += half() == 0;
    return t > c->fails ? (double)NAN : 0;
}

static void own_functions(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 2; i++) {
        char text[1000];
        counted c = {.fails = i ? 3 : HUGE_VAL};
        const gos_callback own = {.value = counts, .user = &c};
        verify v = {.ctx = gos_ctx_create()};
        snprintf(text, sizeof text, model, "{call: own, of: [T]}");
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        verify_good(&v, gos_model_callback(v.ctx, v.model, "own", &own));
        verify_compile(&v);
        verify_start(&v);
        gos_status status = GOS_OK;
        while (gos_state_time(v.state) < 10 && status == GOS_OK) {
            status = gos_integrator_step(v.run, 10);
            assert_true(half() > 0);
        }
        assert_int_equal(status != GOS_OK, i); // also after a failed step
        assert_true(c.calls > 0);
        assert_int_equal(c.flushed, 0);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(decays_to_zero),
                                       cmocka_unit_test(own_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
