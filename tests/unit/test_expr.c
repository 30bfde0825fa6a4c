/* Expressions and parameters: values, messages with columns, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>

#include "model/private.h"
#include "support/random.h"
#include "support/suite.h"

static gos_ctx *ctx;
static gos_model *model;

static int setup(void **state) {
    GOS_UNUSED(state);
    static const char text[] = "parameters: {L: 1.2, length: 2, n: 16, bad_guy: 1/0}\n";
    ctx = gos_ctx_create();
    if (ctx == NULL || gos_model_parse(ctx, text, strlen(text), "m.yaml", NULL, &model) != GOS_OK) {
        return 1;
    }
    if (gos__model_parameters(model) != GOS_E_INPUT) {
        return 1;
    }
    gos_ctx_clear(ctx);
    return 0;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return 0;
}

static void expect(const char *text, double value) {
    double v = -77.0;
    if (gos__expr(model, text, (gos_loc){0}, NULL, &v) != GOS_OK) {
        fprintf(stderr, "%s\n", gos_ctx_message(ctx));
        fail();
    }
    if (!(fabs(v - value) <= 4e-16 * fabs(value))) {
        fprintf(stderr, "%s gives %.17g, not %.17g\n", text, v, value);
        fail();
    }
}

static void refuse(const char *text, const char *message) {
    double v = -77.0;
    gos_ctx_clear(ctx);
    const gos_loc loc = {"m.yaml", 3, 10};
    assert_true(gos__expr(model, text, loc, "body 'rod'", &v) < 0);
    assert_true(v == -77.0);
    if (strncmp(gos_ctx_message(ctx), message, strlen(message)) != 0) {
        assert_string_equal(gos_ctx_message(ctx), message);
    }
}

static void test_values(void **state) {
    GOS_UNUSED(state);
    expect("1.5", 1.5);
    expect("-1e-3", -1e-3);
    expect("L/2", 0.6);
    expect("2*pi*n", 32.0 * acos(-1.0));
    expect("e", exp(1.0));
    expect("deg(30)", acos(-1.0) / 6.0);
    expect("rad(0.5)", 0.5);
    expect("-2^2", -4.0);
    expect("2^-1", 0.5);
    expect("2^3^2", 512.0);
    expect("2-3-4", -5.0);
    expect("--3", 3.0);
    expect("2*-+-3", 6.0);
    expect(" ( 1 + 2 ) * 3 ", 9.0);
    expect("hypot(3, 4)", 5.0);
    expect("atan2(1, -1)", atan2(1.0, -1.0));
    expect("min(3, 1, 2) + max(L)", 2.2);
    expect("mod(-1, 3)", 2.0);
    expect("floor(-1.5) + ceil(-1.5) + round(2.5) + abs(-2) + sign(-7)", -2 - 1 + 3 + 2 - 1);
    expect("sqrt(2) + cbrt(8) + ln(e) + log(e) + log10(100) + log2(8)", sqrt(2.0) + 9.0);
    expect("pow(2, 10)", 1024.0);
    expect("sin(1)+cos(1)+tan(1)+asin(0.5)+acos(0.5)+atan(1)",
           sin(1.0) + cos(1.0) + tan(1.0) + asin(0.5) + acos(0.5) + atan(1.0));
    expect("sinh(1)+cosh(1)+tanh(1)+asinh(1)+acosh(2)+atanh(0.5)+exp(1)",
           sinh(1.0) + cosh(1.0) + tanh(1.0) + asinh(1.0) + acosh(2.0) + atanh(0.5) + exp(1.0));
}

static void test_comparisons(void **state) {
    GOS_UNUSED(state);
    expect("1 < 2", 1.0);
    expect("2<=1", 0.0);
    expect("1+1>=2 && 3 != 4", 1.0);
    expect("1 == 2 || 2 > 1", 1.0);
    expect("0 || 1 && 0", 0.0);
    expect("1 < 2 ? 10 : 20", 10.0);
    expect("1 > 2 ? 10 : 2 > 1 ? 30 : 40", 30.0);
    expect("1 ? 0 ? 1 : 2 : 3", 2.0);
    expect("(1 < 2) + (L > 1 ? max(1 < 0, 5) : 0)", 6.0);
    expect("max(1 > 0 ? 2 : 3, 0)", 2.0);
    expect("-1 < 0 ? -(2 < 1) : 1", 0.0);
    expect("1 < 2 && 3 < 2 ? 1 : 2", 2.0);
    // the branch not taken does no harm
    expect("0 > 1 ? 1/0 : 4", 4.0);
}

static void test_messages(void **state) {
    GOS_UNUSED(state);
    refuse("", "m.yaml:3:10: body 'rod': a number or expression is missing");
    refuse("2*lenght",
           "m.yaml:3:12: body 'rod': unknown name 'lenght'; did you mean 'length'?, in '2*lenght'");
    refuse("q", "m.yaml:3:10: body 'rod': unknown name 'q'; declare it under 'parameters:'");
    refuse("sine(1)", "m.yaml:3:10: body 'rod': unknown function 'sine'; did you mean 'sin'?");
    refuse("L(2)", "m.yaml:3:10: body 'rod': 'L' is not a function; to multiply write L*(...)");
    refuse("sin + 1", "m.yaml:3:10: body 'rod': function 'sin' needs its arguments in");
    refuse("1 + t", "m.yaml:3:14: body 'rod': the time t cannot be used here");
    refuse("2L", "m.yaml:3:11: body 'rod': an operator is missing before 'L'; write * to multiply");
    refuse("2 (3)", "m.yaml:3:12: body 'rod': an operator is missing before '('");
    refuse("1 +", "m.yaml:3:13: body 'rod': the expression ends where a value is missing");
    refuse("1 + * 2", "m.yaml:3:14: body 'rod': a value is missing before '*'");
    refuse("2**3", "m.yaml:3:12: body 'rod': write ^ for a power");
    refuse("L = 3", "m.yaml:3:12: body 'rod': a single '=' is not allowed; write == to compare");
    refuse("1 & 2", "m.yaml:3:12: body 'rod': write && for 'and'");
    refuse("1 | 2", "m.yaml:3:12: body 'rod': write || for 'or'");
    refuse("!1", "m.yaml:3:10: body 'rod': write (...) == 0 for 'not'");
    refuse("5 % 2", "m.yaml:3:12: body 'rod': write mod(a, b)");
    refuse("1 < 2 < 3", "m.yaml:3:16: body 'rod': comparisons cannot be chained");
    refuse("\"abc\"", "m.yaml:3:10: body 'rod': quotes are not allowed");
    refuse("1,5", "m.yaml:3:11: body 'rod': a ',' is not expected here; write numbers with a dec");
    refuse("(1 + 2", "m.yaml:3:10: body 'rod': a '(' is never closed");
    refuse("1 + 2)", "m.yaml:3:15: body 'rod': ')' without '('; remove it, in '1 + 2)'");
    refuse("sin()", "m.yaml:3:14: body 'rod': function 'sin' needs an argument");
    refuse("sin(1, 2)", "m.yaml:3:10: body 'rod': function 'sin' has 1 argument, got 2");
    refuse("atan2(1)", "m.yaml:3:10: body 'rod': function 'atan2' has 2 arguments, got 1");
    refuse("1 ? 2", "m.yaml:3:15: body 'rod': '?' without ':'");
    refuse("1 : 2", "m.yaml:3:12: body 'rod': ':' without '?'");
    refuse("(1 ? 2) : 3", "m.yaml:3:16: body 'rod': '?' without ':'");
    refuse("1e999", "m.yaml:3:10: body 'rod': the value of '1e999' is not a finite number");
    refuse("2*1e999", "m.yaml:3:12: body 'rod': the number is too large");
    refuse("1e61", "m.yaml:3:10: body 'rod': 1e+61 is too large; give at most 1e+60");
    refuse("-1e30*1e31", "m.yaml:3:10: body 'rod': -1e+61 is too large");
    expect("1e60", 1e60);
    refuse("1/0", "m.yaml:3:10: body 'rod': the value of '1/0' is not a finite number");
    refuse("0/0", "m.yaml:3:10: body 'rod': the value of '0/0' is not a finite number");
    refuse("nan", "m.yaml:3:10: body 'rod': unknown name 'nan'");
    refuse("0x10", "m.yaml:3:11: body 'rod': an operator is missing before 'x'");
    refuse("\xc2\xb5", "m.yaml:3:10: body 'rod': a character is not allowed");
    refuse("@lt(0,1,2)", "m.yaml:3:10: body 'rod': '@' is not allowed");
    // what depends on a wrong parameter fails without a second message
    refuse("2*bad_guy", "");
    assert_int_equal(gos__nerrors(ctx), 0);
}

static void test_limits(void **state) {
    GOS_UNUSED(state);
    char text[5000];
    // nesting
    memset(text, '(', 200);
    text[200] = '1';
    memset(text + 201, ')', 200);
    text[401] = '\0';
    expect(text, 1.0);
    memset(text, '(', 201);
    text[201] = '1';
    memset(text + 202, ')', 201);
    text[403] = '\0';
    refuse(text, "m.yaml:3:210: body 'rod': more than 200 nested parentheses");
    // length
    memset(text, '-', 4095);
    strcpy(text + 4095, "1");
    expect(text, -1.0);
    strcpy(text + 4095, "11");
    refuse(text, "m.yaml:3:10: body 'rod': an expression has at most 4096 characters");
    // many switches
    char *p = text;
    for (int i = 0; i < 1023; i++) {
        p += sprintf(p, "1<2+");
    }
    strcpy(p - 1, "");
    refuse(text, "m.yaml:3:15: body 'rod': comparisons cannot be chained");
    p = text;
    for (int i = 0; i < 650; i++) {
        p += sprintf(p, "(1<2)+");
    }
    strcpy(p, "0");
    expect(text, 650.0);
    p = text;
    for (int i = 0; i < 199; i++) {
        p += sprintf(p, "0?1:");
    }
    strcpy(p, "7");
    expect(text, 7.0);
    for (int i = 0; i < 2; i++) {
        p += sprintf(p, "0?1:");
    }
    strcpy(p, "7");
    refuse(text, "m.yaml:3:811: body 'rod': more than 200 nested conditions");
}

static void test_any_locale(void **state) {
    GOS_UNUSED(state);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        print_message("skipped: the locale de_DE.UTF-8 is not installed\n");
        skip();
    }
    expect("1.5", 1.5);
    expect("1.5*2.25", 3.375);
    setlocale(LC_ALL, "C");
}

/* random texts of expression characters: no crash, and every refusal has a message */
static void test_random_texts(void **state) {
    GOS_UNUSED(state);
    static const char *const piece[] = {"1", "2.5", "L", "n",    "pi",   "t",    "(",    ")",  "+",
                                        "-", "*",   "/", "^",    "<",    ">=",   "==",   "&&", "||",
                                        "?", ":",   ",", "sin(", "min(", "abs(", "mod(", " ",  "e"};
    uint64_t seed = 1;
    int good = 0;
    for (int i = 0; i < 20000; i++) {
        char text[128] = "";
        const int n = 1 + random_below(&seed, 12);
        for (int k = 0; k < n; k++) {
            strcat(text, piece[random_below(&seed, GOS_COUNT(piece))]);
        }
        gos_ctx_clear(ctx);
        double v;
        const gos_status status = gos__expr(model, text, (gos_loc){0}, NULL, &v);
        good += status == GOS_OK;
        assert_true(status == GOS_OK || gos__nerrors(ctx) == 1);
        // the syntax check leaves nothing to be refused by the evaluator
        assert_int_not_equal(status, GOS_E_INTERNAL);
    }
    assert_true(good > 200);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static gos_model *with_parameters(const char *text, gos_status expected) {
    gos_model *m;
    gos_ctx_clear(ctx);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "p.yaml", NULL, &m), GOS_OK);
    assert_int_equal(gos__model_parameters(m), expected);
    return m;
}

static void test_parameters(void **state) {
    GOS_UNUSED(state);
    gos_model *m = with_parameters("parameters:\n  area: w*h\n  w: h/2\n  h: 0.01\n", GOS_OK);
    assert_int_equal(m->npar, 3);
    assert_string_equal(m->par[0].name, "area");
    assert_true(m->par[0].value == 0.005 * 0.01);
    assert_int_equal(m->par[1].loc.line, 3);
    // again after a change
    assert_int_equal(gos_model_set(ctx, m, "h", "2"), GOS_OK);
    assert_int_equal(gos__model_parameters(m), GOS_OK);
    assert_true(m->par[0].value == 2.0);
    gos_model_destroy(m);
    gos_model_destroy(with_parameters("name: x\n", GOS_OK));
    gos_model_destroy(with_parameters("parameters: {}\n", GOS_OK));
}

static void refuse_parameters(const char *text, const char *message, int nerrors) {
    gos_model_destroy(with_parameters(text, GOS_E_INPUT));
    assert_string_equal(gos_ctx_message(ctx), message);
    assert_int_equal(gos__nerrors(ctx), nerrors);
}

static void test_parameters_refused(void **state) {
    GOS_UNUSED(state);
    refuse_parameters("parameters: {a: b, b: c+1, c: 2*a, d: a}\n",
                      "p.yaml:1:17: parameter 'a': depends on itself: a -> b -> c -> a", 1);
    refuse_parameters("parameters: {a: a}\n",
                      "p.yaml:1:17: parameter 'a': depends on itself: a -> a", 1);
    refuse_parameters("parameters: {width: 1, b: widht, c: b, d: 2*c}\n",
                      "p.yaml:1:27: parameter 'b': unknown name 'widht'; did you mean 'width'?, "
                      "in 'widht'",
                      1);
    refuse_parameters(
        "parameters: {t: 1, sin: 2, pi: 3, x: [1], y: }\n",
        "p.yaml:1:14: parameter 't': the name is reserved (time t, constants pi and e, "
        "functions); choose another one",
        5);
}

static void test_long_chain(void **state) {
    GOS_UNUSED(state);
    // a walk by recursion would overflow the stack
    const int n = 20000;
    char *text = malloc((size_t)n * 32);
    char *p = text + sprintf(text, "parameters:\n");
    for (int i = 0; i < n; i++) {
        p += sprintf(p, "  p%d: p%d+1\n", i, i + 1);
    }
    sprintf(p, "  p%d: 0\n", n);
    gos_model *m = with_parameters(text, GOS_OK);
    assert_true(m->par[0].value == n);
    gos_model_destroy(m);
    free(text);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_comparisons, setup, teardown),
        cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_any_locale, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parameters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_parameters_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_chain, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
