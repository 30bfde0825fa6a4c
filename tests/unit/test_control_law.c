/* Laws of controllers that are given to a model: what is kept is a copy, the last one counts, what
   cannot be a law is refused with a word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "gossamer/controller.h"
#include "support/suite.h"

static gos_ctx *ctx;
static gos_model *model;

static int setup(void **state) {
    GOS_UNUSED(state);
    ctx = gos_ctx_create();
    return !ctx || gos_model_create(ctx, &model) != GOS_OK;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return 0;
}

static const double A[4] = {0, -4, 1, -0.1}, B[2] = {0.5, 2}, C[2] = {3, -1}, limit[1] = {7};
static const char *const signal[1] = {"tip.y"}, *const input[1] = {"push"};

static gos_control_law law(void) {
    return (gos_control_law){.n = 2,
                             .ny = 1,
                             .nu = 1,
                             .A = A,
                             .B = B,
                             .C = C,
                             .limit = limit,
                             .signal = signal,
                             .input = input};
}

static void refused(const gos_control_law *l, gos_status status, const char *words) {
    gos_ctx_clear(ctx);
    assert_int_equal(gos_model_control_law(ctx, model, "k", l), status);
    assert_int_equal(gos_ctx_ndiag(ctx), 1);
    assert_non_null(strstr(gos_ctx_diag(ctx, 0)->text, words));
}

static void test_copied(void **state) {
    GOS_UNUSED(state);
    double own[4] = {1, 2, 3, 4};
    char name[] = "tip.x";
    const char *const names[1] = {name};
    gos_control_law l = law();
    l.A = own;
    l.signal = names;
    l.E = B;
    l.period = 0.01;
    l.delay = 0.002;
    assert_null(gos_model_control_law_get(model, "copied"));
    assert_int_equal(gos_model_control_law(ctx, model, "copied", &l), GOS_OK);
    own[2] = 9;
    name[4] = 'z';
    const gos_control_law *k = gos_model_control_law_get(model, "copied");
    assert_non_null(k);
    assert_true(k->A[2] == 3 && k->A[1] == 2 && k->E[1] == 2 && k->limit[0] == 7);
    assert_true(!k->D && !k->y0 && !k->u0 && k->period == 0.01 && k->delay == 0.002);
    assert_string_equal(k->signal[0], "tip.x");
    assert_string_equal(k->input[0], "push");
    assert_null(gos_model_control_law_get(model, "copie"));
    l = law();
    assert_int_equal(gos_model_control_law(ctx, model, "copied", &l), GOS_OK);
    assert_true(gos_model_control_law_get(model, "copied")->A[1] == -4);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    const double bad[4] = {0, 1, HUGE_VAL, 3}, none[1] = {0};
    gos_control_law l = law();
    l.nu = 0;
    refused(&l, GOS_E_USE, "at least 1 input");
    l = law();
    l.n = 100000;
    refused(&l, GOS_E_USE, "at most");
    l = law();
    l.C = NULL;
    refused(&l, GOS_E_USE, "lacks a matrix");
    l = law();
    l.signal = NULL;
    refused(&l, GOS_E_USE, "signal or input name");
    l = law();
    l.delay = 0.1;
    refused(&l, GOS_E_USE, "period");
    l = law();
    l.period = -1;
    refused(&l, GOS_E_USE, "period");
    l = law();
    l.A = bad;
    refused(&l, GOS_E_INPUT, "not finite");
    l = law();
    l.limit = none;
    refused(&l, GOS_E_INPUT, "limit of 'push'");
    l = law();
    gos_ctx_clear(ctx);
    assert_int_equal(gos_model_control_law(ctx, model, "not a name", &l), GOS_E_USE);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copied),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("control laws", tests, setup, teardown);
}
SUITE(suite)
