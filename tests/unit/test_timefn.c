/* Functions of time: values, derivatives, switching times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "model/private.h"
#include "support/near.h"
#include "support/suite.h"

static gos_ctx *ctx;
static gos_model *model;
static gos_arena *arena;
static char folder[] = "/tmp/gos_timefn_XXXXXX";
static char csv[64];

static int setup(void **state) {
    GOS_UNUSED(state);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(csv, sizeof(csv), "%s/f.csv", folder);
    FILE *f = fopen(csv, "w");
    fputs("time,value\n0,0\n1,2\n2,2\n4,0\n", f);
    fclose(f);
    static const char text[] = "parameters: {f: 2, A: 3}\n";
    ctx = gos_ctx_create();
    gos_status s = gos_model_parse(ctx, text, strlen(text), "m.yaml", folder, &model);
    s = s == GOS_OK ? gos__model_parameters(model) : s;
    arena = gos__arena_create(ctx);
    return s != GOS_OK || arena == NULL;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__arena_destroy(arena);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    remove(csv);
    return rmdir(folder);
}

static gos_status make(const char *yaml, gos_timefn **fn) {
    gos_node *node;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__yaml_parse(ctx, yaml, strlen(yaml), "f", 0, arena, &node), GOS_OK);
    return gos__timefn_make(model, node, "load 'F'", &(gos_scope){.time = true}, arena, fn);
}

static gos_timefn *function(const char *yaml) {
    gos_timefn *fn = NULL;
    if (make(yaml, &fn) != GOS_OK) {
        fprintf(stderr, "%s\n", gos_ctx_message(ctx));
        fail();
    }
    return fn;
}

static void test_constants(void **state) {
    GOS_UNUSED(state);
    double d1 = 1, d2 = 1;
    gos_timefn *fn = function("2*A");
    assert_true(gos__timefn_constant(fn));
    assert_true(gos__timefn_eval(fn, 5.0, &d1, &d2) == 6.0);
    assert_true(d1 == 0.0 && d2 == 0.0);
    assert_true(gos__timefn_constant(function("-1.5")));
    fn = function("{points: [[0, A], [1, 5]], scale: 2}");
    near_abs(gos__timefn_eval(fn, 0.25, &d1, NULL), 7.0, 1e-15);
    near_abs(d1, 4.0, 1e-15);
    near_abs(gos__timefn_eval(fn, 9.0, NULL, NULL), 10.0, 0.0);
    assert_false(gos__timefn_constant(function("A*sin(2*pi*f*t)")));
}

static void test_derivatives(void **state) {
    GOS_UNUSED(state);
    double d1, d2;
    gos_timefn *fn = function("A*sin(2*pi*f*t)");
    const double w = 4.0 * acos(-1.0);
    for (double t = 0.0; t < 3.0; t += 0.137) {
        near_abs(gos__timefn_eval(fn, t, &d1, &d2), 3.0 * sin(w * t), 1e-14);
        near_abs(d1, 3.0 * w * cos(w * t), 1e-9 * w);
        near_abs(d2, -3.0 * w * w * sin(w * t), 1e-7 * w * w);
    }
    // fast, slow, and polynomial
    fn = function("sin(1e4*t)");
    gos__timefn_eval(fn, 0.3, &d1, &d2);
    near_abs(d1, 1e4 * cos(3e3), 1e-4);
    near_abs(d2, -1e8 * sin(3e3), 1e2);
    fn = function("sin(1e-4*t)");
    gos__timefn_eval(fn, 0.3, &d1, &d2);
    near_abs(d1, 1e-4, 1e-11);
    fn = function("3*t^2 - t");
    gos__timefn_eval(fn, 2.0, &d1, &d2);
    near_abs(d1, 11.0, 1e-10);
    near_abs(d2, 6.0, 1e-8);
    // only one side is there
    fn = function("t^2*sqrt(t)");
    gos__timefn_eval(fn, 0.0, &d1, &d2);
    near_abs(d1, 0.0, 1e-6);
    fn = function("(1 - t)^2*sqrt(1 - t)");
    gos__timefn_eval(fn, 1.0, &d1, &d2);
    near_abs(d1, 0.0, 1e-6);
    // one derivative alone
    gos__timefn_eval(function("t^3"), 1.0, NULL, &d2);
    near_abs(d2, 6.0, 1e-8);
}

static void test_one_sided(void **state) {
    GOS_UNUSED(state);
    double d1, d2;
    // a ramp that ends: at the corner the derivative is that of the side requested
    gos_timefn *fn = function("'t < 1 ? 2*t : 2'");
    near_abs(gos__timefn_eval(fn, 1.0, &d1, &d2), 2.0, 0.0);
    near_abs(d1, 0.0, 1e-12);
    near_abs(gos__timefn_eval(fn, 1.0 - 1e-9, &d1, &d2), 2.0, 1e-8);
    near_abs(d1, 2.0, 1e-9);
    fn = function("'t < 1 ? 0 : 5 + t'");
    near_abs(gos__timefn_eval(fn, 1.0 - 1e-15, NULL, NULL), 0.0, 0.0);
    near_abs(gos__timefn_eval(fn, 1.0, NULL, NULL), 6.0, 0.0);
    fn = function("abs(t - 1)");
    gos__timefn_eval(fn, 1.0 - 1e-10, &d1, NULL);
    near_abs(d1, -1.0, 1e-9);
    gos__timefn_eval(fn, 1.0, &d1, NULL);
    near_abs(d1, 1.0, 1e-9);
    fn = function("min(t, 2 - t) + max(0, t - 1) + mod(t, 1)");
    gos__timefn_eval(fn, 1.0 - 1e-10, &d1, NULL);
    near_abs(d1, 2.0, 1e-9);
    gos__timefn_eval(fn, 1.0 + 1e-10, &d1, NULL);
    near_abs(d1, 1.0, 1e-9);
}

static void breaks(const char *yaml, double t0, double t1, int count, const double *expected) {
    double times[3000] = {-1.0};
    int n = 1;
    gos_timefn *fn = function(yaml);
    const gos_status status = gos__timefn_breaks(ctx, fn, t0, t1, times, &n, GOS_COUNT(times));
    assert_int_equal(status, GOS_OK);
    assert_true(times[0] == -1.0);
    if (n != count + 1) {
        fprintf(stderr, "%s: %d breaks, not %d\n", yaml, n - 1, count);
        fail();
    }
    for (int i = 0; i < count && expected != NULL; i++) {
        near_abs(times[i + 1], expected[i], 1e-14 * fmax(1.0, fabs(expected[i])));
        assert_true(times[i + 1] > times[i]);
    }
}

static void test_breaks(void **state) {
    GOS_UNUSED(state);
    breaks("3", 0, 10, 0, NULL);
    breaks("sin(t)", 0, 10, 0, NULL);
    breaks("'t < 1 ? 1 : 0'", 0, 10, 1, (double[]){1});
    breaks("'t < 1 ? 1 : 0'", 0, 1, 0, NULL);
    breaks("t > 0", 0, 1, 0, NULL);
    breaks("t >= 1 && t <= 1.001", 0, 10, 2, (double[]){1, 1.001});
    breaks("(t < 1) + (t > 1) + (t <= 1)", 0, 10, 1, (double[]){1});
    breaks("'t < 1 ? 0 : t < 1.00001 ? 5 : 0'", 0, 10, 2, (double[]){1, 1.00001});
    const double pi = acos(-1.0);
    breaks("sin(t) > 0", 1, 10, 3, (double[]){pi, 2 * pi, 3 * pi});
    breaks("abs(t - 3)", 0, 10, 1, (double[]){3});
    breaks("floor(t)", 0.5, 3.5, 3, (double[]){1, 2, 3});
    breaks("sign(t - 0.001)", 0, 1, 1, (double[]){0.001});
    breaks("min(t, 1)", 0, 5, 1, (double[]){1});
    breaks("mod(t, 2)", 1, 5, 2, (double[]){2, 4});
    // many, though a coarse scan would see few of them
    breaks("sin(2*pi*100*t) > 0", 0.001, 10.001, 2000, NULL);
    breaks("{expression: t^2, breaks: [0.5, 7, 0.25]}", 0, 1, 2, (double[]){0.25, 0.5});
    breaks("{table: f.csv}", -1, 10, 4, (double[]){0, 1, 2, 4});
    breaks("{points: [[0, 0], [1, 2], [2, 0], [4, 4]]}", -1, 10, 4, (double[]){0, 1, 2, 4});
    breaks("{table: f.csv, interpolation: cubic}", 0.5, 3.5, 0, NULL);
    // degenerate intervals
    breaks("t < 1", 2, 1, 0, NULL);
    breaks("t < 1", 0, HUGE_VAL, 0, NULL);
}

static void test_break_is_first_of_the_new_branch(void **state) {
    GOS_UNUSED(state);
    double time;
    int n = 0;
    gos_timefn *fn = function("t*t > 2");
    assert_int_equal(gos__timefn_breaks(ctx, fn, 0, 3, &time, &n, 1), GOS_OK);
    assert_int_equal(n, 1);
    assert_true(gos__timefn_eval(fn, time, NULL, NULL) == 1.0);
    assert_true(gos__timefn_eval(fn, nextafter(time, 0.0), NULL, NULL) == 0.0);
}

static void test_too_many_breaks(void **state) {
    GOS_UNUSED(state);
    double times[10];
    int n = 0;
    gos_timefn *fn = function("sin(100*t) > 0");
    assert_int_equal(gos__timefn_breaks(ctx, fn, 0, 10, times, &n, 10), GOS_E_LIMIT);
    assert_int_equal(n, 0);
    assert_string_equal(gos_ctx_message(ctx),
                        "f:1:1: load 'F': the function of time switches more than 10 times between "
                        "0 s and 10 s; use a smoother function, or a table");
    // the context of the caller gets the error, not that of the model: trial runs have their own
    gos_ctx *other = gos_ctx_create();
    gos_ctx_clear(ctx);
    assert_int_equal(gos__timefn_breaks(other, fn, 0, 10, times, &n, 10), GOS_E_LIMIT);
    assert_int_equal(gos_ctx_ndiag(ctx), 0);
    assert_int_equal(gos_ctx_ndiag(other), 1);
    gos_ctx_destroy(other);
}

static void refuse(const char *yaml, const char *message) {
    gos_timefn *fn;
    assert_int_equal(make(yaml, &fn), GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx), message);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    refuse("[1, 2]", "f:1:1: load 'F': must be a number, an expression of the time t, or {table: "
                     "FILE.csv}");
    refuse("~", "f:1:1: load 'F': must be a number, an expression of the time t, or {table: "
                "FILE.csv}");
    refuse("sin(x)", "f:1:5: load 'F': unknown name 'x'; declare it under 'parameters:', in "
                     "'sin(x)'");
    refuse("{tabel: f.csv}", "f:1:2: load 'F': unknown key 'tabel'; did you mean 'table'?");
    refuse("{points: [[0, 1]]}",
           "f:1:10: load 'F': points must be a list of at least two pairs, [[0, 0], [1, 20]]");
    refuse("{points: [[0, 1], [0, 2]]}", "f:1:19: load 'F': points must ascend, but 0 follows 0");
    refuse("{points: [[0, 1], [2]]}",
           "f:1:19: load 'F': points are pairs of numbers, [[0, 0], [1, 20]]");
    refuse("{scale: 2}",
           "f:1:1: load 'F': give either 'table: FILE.csv', 'points: [...]' or 'expression: ...'");
    refuse("{table: f.csv, expression: t}",
           "f:1:1: load 'F': give either 'table: FILE.csv', 'points: [...]' or 'expression: ...'");
    refuse("1/0", "f:1:1: load 'F': the value of '1/0' is not a finite number; check for a "
                  "division by zero, a root or logarithm of a negative number, an overflow");
}

/* Windows of shade: smooth ramps centred at their ends, with the sum of the light taken away. */
static void test_shade(void **state) {
    GOS_UNUSED(state);
    // two windows of 3 s and 0.5 s, shorter than the ramp of 1 s, and one that begins where it ends
    static const double window[] = {1, 4, 6, 6.5, 6.5, 9};
    const gos_loc loc = {0};
    gos_timefn *fn;
    double d1, d2, times[20];
    int n = 0;
    assert_int_equal(gos__timefn_shade(loc, "heat 'S'", arena, 3, window, 1.0, &fn), GOS_OK);
    assert_false(gos__timefn_constant(fn));
    near_abs(gos__timefn_eval(fn, 0.5, &d1, &d2), 1, 0);
    near_abs(d1, 0, 0);
    near_abs(d2, -6, 0); // S'' = 6/r^2 at the foot of a ramp, from the right
    near_abs(gos__timefn_eval(fn, 1.0, &d1, &d2), 0.5, 0);
    near_abs(d1, -1.5, 0); // S' = 3/(2 r) in the middle
    near_abs(gos__timefn_eval(fn, 0.75, NULL, NULL), 1 - 0.15625, 1e-15); // u = 1/4: u^2 (3 - 2 u)
    near_abs(gos__timefn_eval(fn, 2.7, &d1, &d2), 0, 0);
    near_abs(gos__timefn_eval(fn, 4.25, &d1, &d2), 0.84375, 1e-15);
    near_abs(d1, 1.125, 1e-15);
    near_abs(gos__timefn_eval(fn, 6.5, &d1, &d2), 0, 1e-15); // its end and the next start cancel
    near_abs(gos__timefn_eval(fn, 20, &d1, &d2), 1, 0);
    // 3 + 0.5 + 2.5 s of 12 s are dark; within [0, 1]; derivatives against differences
    double sum = 0;
    const int m = 12000;
    for (int i = 0; i < m; i++) {
        const double t = 12.0 * (i + 0.5) / m, h = 1e-5;
        const double f = gos__timefn_eval(fn, t, &d1, &d2);
        assert_true(f >= -1e-15 && f <= 1 + 1e-15);
        sum += f * 12.0 / m;
        double lo, hi;
        const double a = gos__timefn_eval(fn, t - h, &lo, NULL);
        const double b = gos__timefn_eval(fn, t + h, &hi, NULL);
        near_abs(d1, (b - a) / (2 * h), 1e-4);
        near_abs(d2, (hi - lo) / (2 * h), 1e-4);
    }
    near_abs(sum, 6, 1e-6);
    assert_int_equal(gos__timefn_breaks(ctx, fn, 0, 12, times, &n, 20), GOS_OK);
    const double ends[] = {0.5, 1.5, 3.5, 4.5, 5.5, 6, 6.5, 7, 8.5, 9.5};
    assert_int_equal(n, GOS_COUNT(ends));
    for (int i = 0; i < n; i++) {
        near_abs(times[i], ends[i], 1e-15);
    }
    // no ramp: a jump
    assert_int_equal(gos__timefn_shade(loc, "heat 'S'", arena, 1, window, 0.0, &fn), GOS_OK);
    near_abs(gos__timefn_eval(fn, 1, &d1, &d2), 0, 0);
    near_abs(gos__timefn_eval(fn, 1 - 1e-15, &d1, &d2), 1, 0);
    near_abs(gos__timefn_eval(fn, 4, &d1, &d2), 1, 0);
    near_abs(gos__timefn_eval(fn, 4 - 1e-15, &d1, &d2), 0, 0);
    near_abs(d1, 0, 0);
    n = 0;
    assert_int_equal(gos__timefn_breaks(ctx, fn, 0, 12, times, &n, 20), GOS_OK);
    assert_true(n == 2 && times[0] == 1 && times[1] == 4);
}

static void test_free_twice(void **state) {
    GOS_UNUSED(state);
    gos_timefn *fn = function("sin(t)");
    gos__timefn_free(fn);
    gos__timefn_free(fn);
    gos__timefn_free(NULL);
    // the arena frees the others
    function("cos(t)");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_constants, setup, teardown),
        cmocka_unit_test_setup_teardown(test_derivatives, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_sided, setup, teardown),
        cmocka_unit_test_setup_teardown(test_breaks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_break_is_first_of_the_new_branch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_many_breaks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shade, setup, teardown),
        cmocka_unit_test_setup_teardown(test_free_twice, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
