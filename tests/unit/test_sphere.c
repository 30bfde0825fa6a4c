/* What a plane element sees of a sphere, against its integral over the part of the sphere that it
 * sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/gauss.h"
#include "math/sphere.h"
#include "support/suite.h"
#include "support/verify.h"

/* (1/pi) int max(0, n . w) dw over the directions w within asin(u) of the centre's: around them in
   closed form, int max(0, a + b cos phi) dphi, from there outwards by Gauss's rule with 64 points
   on either side of where the plane cuts */
static double integral(double c, double u) {
    enum { N = 64 };
    double x[N], w[N], sum = 0;
    const double s = sqrt(1 - c * c), cap = asin(u), cut = fabs(asin(c)); // from there on it cuts
    const double edge[3] = {0, fmin(cut, cap), cap};
    gos__gauss(N, x, w);
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < N; i++) {
            // square roots where the cut begins: points gather there
            const double y = part ? x[i] * x[i] : x[i], dy = part ? 2 * x[i] : 1;
            const double length = edge[part + 1] - edge[part], theta = edge[part] + length * y;
            const double a = c * cos(theta), b = s * sin(theta);
            double around = a > 0 ? 2 * M_PI * a : 0;
            if (fabs(a) < b) {
                const double phi = acos(-a / b);
                around = 2 * (a * phi + b * sin(phi));
            }
            sum += w[i] * dy * length * around * sin(theta);
        }
    }
    return sum / M_PI;
}

static void test_factor(void **unused) {
    GOS_UNUSED(unused);
    double worst = 0, slope = 0, odd = 0;
    for (double u = 0.05; u < 1; u += 0.09) {
        for (double c = -0.999; c < 1; c += 0.037) {
            double d, low, high;
            const double h = 1e-6, F = gos__sphere_factor(c, u, &d);
            low = gos__sphere_factor(c - h, u, NULL);
            high = gos__sphere_factor(c + h, u, NULL);
            worst = fmax(worst, fabs(F - integral(c, u)));
            slope = fmax(slope, fabs(d - (high - low) / (2 * h)));
            odd = fmax(odd, fabs(F - gos__sphere_factor(-c, u, NULL) - u * u * c));
        }
    }
    verify_below("factor against the integral", worst, 1e-9);
    verify_below("derivative against differences", slope, 1e-8);
    verify_below("both sides of a plate, less u^2 c", odd, 1e-14);
    verify_near("overhead", gos__sphere_factor(1, 0.9, NULL), 0.81, 1e-15);
    verify_near("edge-on, near the ground", gos__sphere_factor(0, 1 - 1e-12, NULL), 0.5, 1e-5);
}

static void test_even(void **unused) {
    GOS_UNUSED(unused);
    for (double u = 0.02; u < 1; u += 0.07) {
        for (double c = -1; c < 1.01; c += 0.05) {
            double d, e;
            const double A = gos__sphere_even(c, u, &d);
            assert_true(fabs(A - gos__sphere_even(-c, u, &e)) < 1e-12);
            assert_true(fabs(d + e) < 1e-11 || fabs(c) < 1e-9);
            assert_true(fabs(u * u * (A + c) / 2 - gos__sphere_factor(c, u, NULL)) < 1e-15);
            assert_true(A >= fabs(c) - 1e-12);
        }
    }
}

/* around a circle, against the mean over 20000 places */
static void test_around(void **unused) {
    GOS_UNUSED(unused);
    double worst = 0, slope = 0;
    for (double u = 0.1; u < 1; u += 0.2) {
        for (double p = 0; p <= 1; p += 0.0625) {
            enum { N = 20000 };
            double d, sum = 0;
            const double h = 1e-5, P = gos__sphere_around(p, u, &d);
            for (int i = 0; i < N; i++) {
                sum += gos__sphere_even(p * cos(M_PI / 2 * (i + 0.5) / N), u, NULL);
            }
            worst = fmax(worst, fabs(P - sum * M_PI / 2 / N));
            const double next = gos__sphere_around(p + h, u, NULL);
            const double last = gos__sphere_around(fabs(p - h), u, NULL);
            slope = fmax(slope, fabs(d - (next - last) / (2 * h)));
        }
    }
    verify_below("against the mean", worst, 1e-7);
    verify_below("derivative against differences", slope, 1e-4);
    verify_near("of light of one direction", gos__sphere_around(0.7, 1e-3, NULL), 0.7, 1e-6);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_factor), cmocka_unit_test(test_even),
                                       cmocka_unit_test(test_around)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
