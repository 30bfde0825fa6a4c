/* Real roots of damped modes in twos, with vectors as rounding may leave them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "linear/quadratic.h"
#include "support/suite.h"

#define MOST 4

/* roots s of a problem of m directions, ascending frequencies squared lambda; the displacements of
 * root i are y[i] */
static void pair(int m, const double *lambda, const double *s, const double (*y)[MOST],
                 gos_unit *unit) {
    double Y[4 * MOST * MOST] = {0}, w[MOST], re[2 * MOST], im[2 * MOST] = {0}, own[MOST];
    gos_quadratic q = {.ctx = gos_ctx_create(), .m = m, .nroots = 2 * m, .lambda = own, .w = w};
    q.re = re;
    q.im = im;
    q.Y = Y;
    q.unit = unit;
    for (int i = 0; i < m; i++) {
        own[i] = lambda[i];
        w[i] = sqrt(lambda[i]);
    }
    for (int r = 0; r < 2 * m; r++) {
        re[r] = s[r];
        for (int i = 0; i < m; i++) { // stiffest first, scaled, velocity beside
            Y[r * 2 * m + 2 * (m - 1 - i)] = y[r][i] * w[i];
            Y[r * 2 * m + 2 * (m - 1 - i) + 1] = y[r][i] * s[r];
        }
    }
    assert_int_equal(gos__quadratic_pair(&q), GOS_OK);
    assert_int_equal(q.nunit, m);
    gos_ctx_destroy(q.ctx);
}

/* slow and fast root of s^2 + g k s + k = 0 */
static void roots(double k, double g, double *slow, double *fast) {
    *fast = -0.5 * g * k - sqrt(0.25 * g * g * k * k - k);
    *slow = k / *fast;
}

static void check(const gos_unit *unit, int m, const double *k) {
    for (int i = 0; i < m; i++) {
        bool there = false;
        for (int j = 0; j < m; j++) {
            there = there || fabs(unit[j].key / sqrt(k[i]) - 1) < 1e-12;
        }
        assert_true(there);
        assert_true(fabs(unit[i].re[0]) < fabs(unit[i].re[1]));
    }
}

/* Two equal modes: both vectors of the slow root nearly the same, one of the fast root across them,
   and more like its equal than like either. */
static void test_equal_modes(void **unused) {
    GOS_UNUSED(unused);
    const double k[] = {9.7e7, 9.7e7};
    double slow, fast;
    gos_unit unit[2 * MOST] = {0};
    roots(k[0], 4.5e-3, &slow, &fast);
    const double y[][MOST] = {{0, 1}, {0.84, 0.54}, {1, 0}, {0.98, 0.2}};
    pair(2, k, (const double[]){fast, fast, slow, slow}, y, unit);
    check(unit, 2, k);
}

/* The same beside another mode, in every order of the roots. */
static void test_order(void **unused) {
    GOS_UNUSED(unused);
    const double k[] = {4e6, 9.7e7, 9.7e7};
    const double c[][MOST] = {{1, 0, 0}, {0, 1, 0}, {0, 0.98, 0.2},
                              {1, 0, 0}, {0, 0, 1}, {0, 0.84, 0.54}};
    double s[6];
    roots(k[0], 4.5e-3, &s[0], &s[3]);
    roots(k[1], 4.5e-3, &s[1], &s[4]);
    s[2] = s[1] * (1 + 1e-12);
    s[5] = s[4] * (1 - 1e-12);
    for (int step = 1; step < 6; step += 4) { // forwards, backwards
        for (int first = 0; first < 6; first++) {
            double turned[6], y[6][MOST];
            gos_unit unit[2 * MOST] = {0};
            for (int i = 0; i < 6; i++) {
                turned[i] = s[(first + i * step) % 6];
                memcpy(y[i], c[(first + i * step) % 6], sizeof y[i]);
            }
            pair(3, k, turned, (const double(*)[MOST])y, unit);
            check(unit, 3, k);
        }
    }
}

/* Two equal free motions with a dashpot each: of the four roots two are zero, and none of those are
 * one mode. */
static void test_slowed(void **unused) {
    GOS_UNUSED(unused);
    const double k[] = {1e-30, 1e-30};
    const double y[][MOST] = {{1, 0}, {0.6, 0.8}, {0, 1}, {0.8, 0.6}};
    gos_unit unit[2 * MOST] = {0};
    pair(2, k, (const double[]){0, -3, 0, -3}, y, unit);
    for (int i = 0; i < 2; i++) {
        assert_true(unit[i].rigid && unit[i].re[0] == 0 && unit[i].re[1] == -3);
    }
}

/* damped critically: both roots the same */
static void test_critical(void **unused) {
    GOS_UNUSED(unused);
    const double k[] = {4, 100};
    const double y[][MOST] = {{1, 0}, {0, 1}, {1, 0}, {0, 1}};
    gos_unit unit[2 * MOST] = {0};
    pair(2, k, (const double[]){-2, -10, -2, -10}, y, unit);
    for (int i = 0; i < 2; i++) {
        assert_true(unit[i].re[0] == unit[i].re[1]);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_modes),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_slowed),
        cmocka_unit_test(test_critical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
