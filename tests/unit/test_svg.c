/* Axes, ticks and colour bars of pictures: ranges that are one value but for rounding, and numbers
   so large that neighbouring multiples of a step do not differ, end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pages/svg.h"
#include "support/suite.h"

static void test_flat(void **state) {
    (void)state;
    assert_true(gos__range_flat(0, 0, 0));
    assert_true(gos__range_flat(293.15, nextafter(293.15, 300), 0));
    assert_true(gos__range_flat(1e16, 1e16 + 4, 0));
    assert_true(gos__range_flat(-2.7334350768999567e-17, -2.733435076899956e-17, 0));
    assert_true(gos__range_flat(-1e-14, 1e-14, 1));
    assert_true(gos__range_flat(1, 0, 0));
    assert_true(gos__range_flat((double)NAN, 1, 0));
    assert_false(gos__range_flat(-1e-14, 1e-14, 0)); // about zero nothing else is known
    assert_false(gos__range_flat(0, 1e-300, 0));
    assert_false(gos__range_flat(293.15, 293.15 + 1e-9, 1));
}

static void test_ticks(void **state) {
    (void)state;
    gos_ticks t = gos__ticks(-0.25, 1.0, 0.25);
    assert_int_equal(t.count, 6);
    assert_true(t.first * t.step == -0.25);
    t = gos__ticks(0.1, 0.3, 0.1); // 0.3 / 0.1 is a little less than 3
    assert_int_equal(t.count, 3);
    assert_int_equal(gos__ticks(0.11, 0.19, 0.1).count, 0);
    static const struct {
        double lo, hi, step;
    } none[] = {{1e16, 1e16 + 4, 0.5},
                {-2.7334350768999567e-17, -2.733435076899956e-17, 1e-33},
                {1e300, 2e300, 1},
                {0, 1, 0},
                {0, 1, (double)NAN},
                {0, HUGE_VAL, 1},
                {-HUGE_VAL, HUGE_VAL, 1},
                {(double)NAN, 1, 1},
                {2, 1, 0.1}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(gos__ticks(none[i].lo, none[i].hi, none[i].step).count, 0);
    }
    assert_in_range(gos__ticks(0, 1e9, 1).count, 1, 64);
}

static char text[1 << 16];

static FILE *start(void) {
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    return out;
}

static void draw_axes(double lo, double hi) {
    const double from[2] = {lo, 0}, to[2] = {hi, 0};
    gos_plot p = {.out = start(), .left = 90, .top = 70};
    gos__plot_fit(&p, from, to, 780, 620);
    gos__plot_axes(&p, "x [m]", "y [m]");
    assert_true(ftell(p.out) < (long)sizeof text - 1);
    (void)fclose(p.out);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

static int count_of(const char *what) {
    int n = 0;
    for (const char *s = text; (s = strstr(s, what)) != NULL; s++) {
        n++;
    }
    return n;
}

/* Axes about one place, near and far, and about a true range: always a few ticks that differ. */
static void test_axes(void **state) {
    (void)state;
    static const double range[][2] = {{0, 0},        {0, 1},         {1e16, 1e16 + 4},
                                      {-1e16, 1e16}, {1e6, 1e6 + 1}, {1e7, 1e7 + 1e-7},
                                      {3, 3},        {0, 1e-12},     {1e59, 1e59}};
    for (size_t i = 0; i < sizeof range / sizeof range[0]; i++) {
        draw_axes(range[i][0], range[i][1]);
        assert_in_range(count_of("class=\"tick\""), 4, 40);
    }
    draw_axes(1e16, 1e16 + 4);
    assert_int_equal(count_of(">1e+16</text>"), 1);
}

static void test_bar(void **state) {
    (void)state;
    static const struct {
        double lo, hi;
        int least, most;
    } bar[] = {{0, 1, 4, 8},
               {293.15, 293.16, 3, 8},
               {1e16, 1e16 + 4, 0, 0},
               {-2.7334350768999567e-17, -2.733435076899956e-17, 0, 0},
               {5, 5, 0, 0}};
    for (size_t i = 0; i < sizeof bar / sizeof bar[0]; i++) {
        FILE *out = start();
        gos__svg_bar(out, 0, 0, 18, 300, bar[i].lo, bar[i].hi, "time [s]");
        (void)fclose(out);
        assert_in_range(count_of("class=\"tick\""), bar[i].least, bar[i].most);
        assert_null(strstr(text, "nan"));
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flat), cmocka_unit_test(test_ticks),
                                       cmocka_unit_test(test_axes), cmocka_unit_test(test_bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
