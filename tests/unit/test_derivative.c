/* Derivatives of expressions by their variables: against differences of muParser's values, function
   by function and operator by operator, and the values on the way against muParser's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/private.h"
#include "support/suite.h"

static gos_ctx *ctx;
static gos_model *model;
static gos_arena *arena;

static int setup(void **state) {
    GOS_UNUSED(state);
    static const char text[] = "parameters: {k: 3, tip: 2}\n"
                               "probes: {a: {at: rod.end}, b: {at: rod.end}, tip: {at: rod.end}}\n";
    ctx = gos_ctx_create();
    if (ctx == NULL || gos_model_parse(ctx, text, strlen(text), "m.yaml", NULL, &model) != GOS_OK) {
        return 1;
    }
    arena = gos__arena_create(ctx);
    return arena == NULL || gos__model_parameters(model) != GOS_OK;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__arena_destroy(arena);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return 0;
}

static gos_status make(const char *text, const gos_scope *scope, gos_timefn **fn) {
    gos_node node = {.kind = GOS_SCALAR, .text = text, .loc = {"m.yaml", 3, 10}};
    gos_ctx_clear(ctx);
    return gos__timefn_make(model, &node, "load 'F'", scope, arena, fn);
}

static const gos_scope probes = {.time = true, .probes = true};

#define T 0.7

/* variables a.x, b are y[0], y[1] in the order in which they appear */
static void check(const char *text, const double *y) {
    gos_timefn *fn;
    const char *const *name;
    double dy[GOS_LIMIT_VARIABLES];
    if (make(text, &probes, &fn) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    const int n = gos__timefn_variables(fn, &name);
    assert_true(n > 0);
    (void)gos__timefn_at(fn, T, y, dy);
    for (int i = 0; i < n; i++) {
        const double h = 1e-4;
        double d = 0;
        for (int k = -2; k <= 2; k++) {
            static const double weight[] = {1, -8, 0, 8, -1};
            double at[2] = {y[0], y[1]};
            at[i] += k * h;
            d += weight[k + 2] * gos__timefn_at(fn, T, at, NULL) / (12 * h);
        }
        if (!(fabs(dy[i] - d) <= 1e-9 * (1 + fabs(d)))) {
            fail_msg("%s by %s: %.17g, by differences %.17g", text, name[i], dy[i], d);
        }
    }
}

static void operators(void **state) {
    GOS_UNUSED(state);
    static const char *const text[] = {
        "a.x",
        "-a.x",
        "-20*a.x - 3*b",
        "a.x*b/k",
        "a.x/b",
        "1/(a.x*b)",
        "-a.x^2",
        "2^-a.x*b",
        "2^3^a.x",
        "a.x^b",
        "a.x^3 - b^0",
        "--a.x",
        "(a.x + b)*(a.x - 2*b)",
        "t*a.x + t^2",
        "a.x > 0 ? a.x^2 : -a.x",
        "a.x < 0 ? 1 : b > 0 ? 5*b : 7*b",
        "a.x > 0 ? b < 0 ? 1 : b*a.x : 2",
        "(a.x > 0 && b > 0)*a.x + (a.x < 0 || b >= 0)*b",
        "(1 <= 2)*a.x + (1 == 2)*b + (1 != 2)*b",
        "a.x - 2 - b - 3",
        "a.x/2/b/3",
        "2 < 3 ? a.x : b",
        "sin(a.x*b)*cos(t - b)^2",
        "floor(t)*a.x + sign(-t)*b + mod(5, 3)*a.x + ceil(t)*b + round(t)*b"};
    for (int i = 0; i < GOS_COUNT(text); i++) {
        check(text[i], (double[]){0.6, 0.3});
        check(text[i], (double[]){1.7, 2.4});
    }
}

/* every function of expressions has a derivative or is refused because it jumps */
static void functions(void **state) {
    GOS_UNUSED(state);
    int n;
    const gos_function *f = gos__functions(&n);
    for (int i = 0; i < n; i++) {
        char text[64];
        const bool more = f[i].nmin == 2;
        const bool high = strcmp(f[i].name, "acosh") == 0;
        snprintf(text, sizeof text, more ? "%s(a.x, b)" : "%s(a.x) + b", f[i].name);
        gos_timefn *fn;
        const bool kink = strcmp(f[i].name, "abs") == 0 || strcmp(f[i].name, "min") == 0 ||
                          strcmp(f[i].name, "max") == 0;
        if (f[i].switches && !kink) {
            assert_int_equal(make(text, &probes, &fn), GOS_E_INPUT);
            assert_non_null(strstr(gos_ctx_message(ctx), "is discontinuous in its argument"));
            continue;
        }
        check(text, (double[]){high ? 1.6 : 0.6, 0.3});
        check(text, (double[]){high ? 2.6 : 0.2, 0.9});
    }
    check("min(a.x, b, 2) + max(a.x, 3*b, -1)", (double[]){0.6, 0.3});
    check("min(a.x, b, 2) + max(a.x, 3*b, -1)", (double[]){0.2, 0.9});
}

static void powers(void **state) {
    GOS_UNUSED(state);
    gos_timefn *fn;
    double d[2];
    assert_int_equal(make("a.x^2 + b^0", &probes, &fn), GOS_OK);
    assert_true(gos__timefn_at(fn, 0, (double[]){0, 0}, d) == 1);
    assert_true(d[0] == 0 && d[1] == 0);
    assert_int_equal(make("a.x^k", &probes, &fn), GOS_OK);
    (void)gos__timefn_at(fn, 0, (double[]){-2, 0}, d);
    assert_true(fabs(d[0] - 12) < 1e-14);
}

/* parameters hide probes of the same name; a function without probes is what it was */
static void names(void **state) {
    GOS_UNUSED(state);
    const char *const *name;
    gos_timefn *fn;
    assert_int_equal(make("tip*t", &probes, &fn), GOS_OK);
    assert_int_equal(gos__timefn_variables(fn, &name), 0);
    assert_int_equal(make("a.x*t + a.x + b", &probes, &fn), GOS_OK);
    assert_int_equal(gos__timefn_variables(fn, &name), 2);
    assert_string_equal(name[0], "a.x");
    assert_string_equal(name[1], "b");
    assert_false(gos__timefn_constant(fn));
    assert_true(gos__timefn_eval(fn, 3, NULL, NULL) == 0);
    assert_int_equal(make("2*a", &(gos_scope){.time = true}, &fn), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "probe 'a' cannot be used here"));
    assert_int_equal(make("2*aa", &probes, &fn), GOS_E_INPUT);
}

/* switching times are those of what depends on time alone */
static void breaks(void **state) {
    GOS_UNUSED(state);
    gos_timefn *fn;
    double times[8];
    int n = 0;
    assert_int_equal(make("(t > 0.25 ? -a.x : 0) + (a.x > t ? b : 2*b)", &probes, &fn), GOS_OK);
    assert_int_equal(gos__timefn_breaks(ctx, fn, 0, 1, times, &n, 8), GOS_OK);
    assert_int_equal(n, 1);
    assert_true(fabs(times[0] - 0.25) < 1e-12);
}

/* integrals of functions of one variable */
static void integrals(void **state) {
    GOS_UNUSED(state);
    static const gos_scope stretch = {.variable = "stretch"};
    gos_timefn *fn;
    assert_int_equal(make("100*stretch + k*stretch^3", &stretch, &fn), GOS_OK);
    assert_true(fabs(gos__timefn_integral(fn, 0, -2) - (200 + 12)) < 1e-11);
    assert_int_equal(make("max(0, stretch - 0.3)", &stretch, &fn), GOS_OK);
    assert_true(fabs(gos__timefn_integral(fn, 0, 1) - 0.245) < 1e-11);
    assert_int_equal(make("t*stretch", &stretch, &fn), GOS_E_INPUT);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(operators), cmocka_unit_test(functions),
                                       cmocka_unit_test(powers),    cmocka_unit_test(names),
                                       cmocka_unit_test(breaks),    cmocka_unit_test(integrals)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
