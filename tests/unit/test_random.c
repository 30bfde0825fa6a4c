/* Random numbers: the same everywhere, even over their range, without memory of each other;
 * quantiles of the normal distribution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "math/random.h"
#include "support/suite.h"

enum { N = 100000 };

/* A counter mixed by the published finaliser: its first numbers by another program (integers of any
 * length). */
static void test_published(void **state) {
    (void)state;
    assert_int_equal(gos__random_bits(1, 0, 0), UINT64_C(0xb18a02f46d8d86c3));
    assert_int_equal(gos__random_bits(1, 3, 7), UINT64_C(0xc45dcea362711fe2));
    assert_int_equal(gos__random_bits(UINT64_MAX, 1, 1), UINT64_C(0x10cc2a3dce92bece));
}

/* Mean, variance, fourth moment and neighbours of N numbers, in (0, 1): 5 standard errors each. */
static void test_moments(void **state) {
    (void)state;
    for (uint64_t stream = 0; stream < 4; stream++) {
        double mean = 0, square = 0, fourth = 0, next = 0, other = 0;
        for (uint64_t i = 0; i < N; i++) {
            const double x = gos__random_unit(7, stream, i);
            assert_true(x > 0 && x < 1);
            const double c = x - 0.5;
            mean += c / N;
            square += c * c / N;
            fourth += c * c * c * c / N;
            next += c * (gos__random_unit(7, stream, i + 1) - 0.5) / N;
            other += c * (gos__random_unit(7, stream + 1, i) - 0.5) / N;
        }
        const double part = 5 / sqrt(N);
        assert_true(fabs(mean) < part * sqrt(1 / 12.0));
        assert_true(fabs(square - 1 / 12.0) < part * sqrt(1 / 180.0));
        assert_true(fabs(fourth - 1 / 80.0) < part * sqrt(1 / 2304.0 - 1 / 6400.0));
        assert_true(fabs(next) < part / 12);
        assert_true(fabs(other) < part / 12);
    }
}

/* the share below its quantile is the one requested, in both tails down to 1e-15; printed values */
static void test_quantiles(void **state) {
    (void)state;
    for (double p = 1e-15; p < 0.5; p *= 1.3) {
        const double x = gos__normal_quantile(p);
        assert_true(fabs(0.5 * erfc(-x / sqrt(2)) / p - 1) < 1e-13);
    }
    for (double p = 0.5; p < 0.999; p += 0.01) {
        assert_true(fabs(gos__normal_quantile(p) + gos__normal_quantile(1 - p)) < 1e-13);
    }
    assert_true(fabs(gos__normal_quantile(0.5)) < 1e-15);
    assert_true(fabs(gos__normal_quantile(0.975) - 1.959963984540054) < 1e-14); // any table
    assert_true(isfinite(gos__normal_quantile(0x1p-53)) &&
                isfinite(gos__normal_quantile(1 - 0x1p-53)));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
