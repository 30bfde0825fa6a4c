/* Values between rows: polynomials come back exactly, as far as rows and rates determine them;
   nothing is taken from behind a row at which a step begins with values of its own; what is
   constant stays constant; jumps that nothing has announced do not spread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "results/time_history.h"
#include "support/suite.h"
#include "support/verify.h"

static const double rows[] = {0, 0.1, 0.3, 0.35, 0.6, 1, 1.1, 1.5, 1.6, 2};
enum { ROWS = 10 };

static double power(double t, int order) {
    return order < 0 ? 0 : pow(t - 0.7, order) - 0.3 * t;
}

static double slope(double t, int order) {
    return order * pow(t - 0.7, order - 1) - 0.3;
}

/* worst error of t^order between n of these rows, relative */
static double error_of(int order, int n, bool known) {
    double v[ROWS], d[ROWS], worst = 0, y;
    for (int i = 0; i < n; i++) {
        v[i] = power(rows[i], order);
        d[i] = slope(rows[i], order);
    }
    const gos_time_history h = {
        .n = n, .time = rows, .width = 1, .stride = 1, .value = v, .rate = d, .known = known};
    for (double t = rows[0]; t < rows[n - 1]; t += 0.007) {
        gos_time_history_at(&h, t, &y);
        worst = fmax(worst, fabs(y - power(t, order)));
    }
    return worst;
}

static void polynomials(void **unused) {
    GOS_UNUSED(unused);
    for (int n = 2; n <= ROWS; n++) {
        const int by_values = n < 6 ? n - 1 : 5, by_rates = n < 3 ? 3 : 5;
        assert_true(error_of(by_values, n, false) < 1e-12);
        assert_true(error_of(by_values + 1, n, false) > 1e-6);
        assert_true(error_of(by_rates, n, true) < 1e-12);
    }
}

/* outside of rows, at rows, and with one row alone */
static void ends(void **unused) {
    GOS_UNUSED(unused);
    const double v[] = {3, 4, 7};
    gos_time_history h = {.n = 3, .time = rows, .width = 1, .stride = 1, .value = v};
    double y;
    static const double at[] = {-1, 0, 0.1, 0.3, 5}, want[] = {3, 3, 4, 7, 7};
    for (int i = 0; i < GOS_COUNT(at); i++) {
        gos_time_history_at(&h, at[i], &y);
        assert_true(y == want[i]);
    }
    h.n = 1;
    gos_time_history_at(&h, 0.05, &y);
    assert_true(y == 3);
}

/* values of a component: held at 2, from row 4 on at 5, from row 6 on along a line */
static void starts(void **unused) {
    GOS_UNUSED(unused);
    static const long start[] = {4, 6};
    double v[2 * ROWS], d[2 * ROWS] = {0}, y[2];
    for (int i = 0; i < ROWS; i++) {
        v[2 * i] = i <= 4 ? 2 : i <= 6 ? 5 : 1 + rows[i];
        v[2 * i + 1] = 7;
    }
    const double value[] = {5, 7, 1 + rows[6], 7}, rate[] = {0, 0, 1, 0};
    for (int known = 0; known < 2; known++) {
        for (int i = 7; i < ROWS; i++) {
            d[2 * i] = 1;
        }
        const gos_time_history h = {.n = ROWS,
                                    .time = rows,
                                    .width = 2,
                                    .stride = 2,
                                    .value = v,
                                    .rate = d,
                                    .known = known > 0,
                                    .nstart = 2,
                                    .start = start,
                                    .start_stride = 2,
                                    .start_value = value,
                                    .start_rate = rate};
        for (double t = 0.0031; t < 2; t += 0.0077) {
            gos_time_history_at(&h, t, y);
            assert_true(fabs(y[0] - (t < rows[4] ? 2 : t < rows[6] ? 5 : 1 + t)) < 1e-14);
            assert_true(y[1] == 7);
        }
        gos_time_history_at(&h, rows[4], y);
        assert_true(y[0] == 2); // what is stored there
    }
}

/* the second component is a location: that of the nearest row */
static void nearest(void **unused) {
    GOS_UNUSED(unused);
    double v[2 * ROWS], y[2];
    for (int i = 0; i < ROWS; i++) {
        v[2 * i] = 1 + rows[i];
        v[2 * i + 1] = i % 3;
    }
    const gos_time_history h = {
        .n = ROWS, .time = rows, .width = 2, .stride = 2, .value = v, .nearest = 1};
    for (int i = 0; i + 1 < ROWS; i++) {
        for (int part = 1; part < 10; part++) {
            gos_time_history_at(&h, rows[i] + 0.1 * part * (rows[i + 1] - rows[i]), y);
            assert_true(part == 5 || y[1] == (part < 5 ? i : i + 1) % 3);
        }
        assert_true(fabs(y[0] - 1 - rows[i] - 0.9 * (rows[i + 1] - rows[i])) < 1e-12);
    }
}

/* a jump between rows 4 and 5 that nothing has announced: the other steps stay as they are */
static void jump(void **unused) {
    GOS_UNUSED(unused);
    double v[ROWS], y;
    for (int i = 0; i < ROWS; i++) {
        v[i] = i < 5 ? 0 : 1;
    }
    const gos_time_history h = {.n = ROWS, .time = rows, .width = 1, .stride = 1, .value = v};
    double worst = 0;
    for (double t = 0; t < 2; t += 0.003) {
        gos_time_history_at(&h, t, &y);
        worst = t > rows[3] && t < rows[6] ? worst : fmax(worst, fabs(y - (t > 0.8 ? 1 : 0)));
    }
    verify_below("a jump in the steps beside it", worst, 0.1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(polynomials), cmocka_unit_test(ends),
                                       cmocka_unit_test(starts), cmocka_unit_test(jump),
                                       cmocka_unit_test(nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
