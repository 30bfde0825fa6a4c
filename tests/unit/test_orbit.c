/* Kepler's orbit and the shadow on it, against closed forms and published numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/orbit.h"
#include "support/suite.h"
#include "support/verify.h"

#define MU 3.986004418e14
#define EARTH 6378137.0

static gos_orbit orbit_of(double a, double e) {
    gos_orbit o = {.metre = 1,
                   .mu = MU,
                   .radius = EARTH,
                   .a = a,
                   .e = e,
                   .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                   .sun = {1, 0, 0},
                   .has_sun = true,
                   .sun_distance = 1.495978707e11,
                   .sun_radius = 6.957e8,
                   .gradient = true};
    gos__orbit_rates(&o, 0);
    return o;
}

/* E - e sin E = M to rounding of its terms, for every e below 1 and M of any size, and E grows with
 * M */
static void test_kepler(void **unused) {
    GOS_UNUSED(unused);
    const double e[] = {0, 0.01, 0.3, 0.7, 0.95, 0.999, 1 - 1e-9, 1 - 1e-15};
    const double tiny[] = {0, 1e-300, 1e-18, 1e-9, 1e-4};
    double worst = 0;
    for (int i = 0; i < GOS_COUNT(e); i++) {
        double before = -HUGE_VAL;
        for (int k = -4000; k <= 4000; k++) {
            const double M = k / 400.0, E = gos__kepler(M, e[i]);
            const double size = 1e-16 * (fabs(M) + fabs(E) + 1e-300);
            worst = fmax(worst, fabs(E - e[i] * sin(E) - M) / size);
            assert_true(E >= before);
            before = E;
        }
        for (int k = 0; k < GOS_COUNT(tiny); k++) {
            const double E = gos__kepler(tiny[k], e[i]);
            assert_true(fabs(E - e[i] * sin(E) - tiny[k]) <= 4e-16 * (E + tiny[k]));
            assert_true(gos__kepler(-tiny[k], e[i]) == -E);
        }
    }
    verify_below("largest residual, in 1e-16 of its terms", worst, 8);
    verify_near("mean anomaly of a right angle at e = 0.5", gos__mean_anomaly(M_PI / 2, 0.5),
                acos(0.5) - 0.5 * sin(acos(0.5)), 1e-15);
}

/* v is the derivative of r (fourth-order differences), with the drifts of an oblate body; and two
 * bodies' integrals */
static void test_motion(void **unused) {
    GOS_UNUSED(unused);
    const double e[] = {0, 0.2, 0.7};
    for (int i = 0; i < 2 * GOS_COUNT(e); i++) {
        gos_orbit o = orbit_of(3e7, e[i / 2]);
        o.inclination = 0.9, o.node = 0.4, o.perigee = 1.3, o.mean = 0.2;
        gos__orbit_rates(&o, i % 2 ? 0.05 : 0); // far more oblate than the Earth, so that it counts
        for (double t = 0; t < 6e4; t += 7001) {
            gos_orbit_position p, n[4];
            const double h = 10, by[4] = {-2 * h, -h, h, 2 * h};
            gos__orbit_at(&o, t, &p);
            for (int k = 0; k < 4; k++) {
                gos__orbit_at(&o, t + by[k], &n[k]);
            }
            double v2 = 0, r2 = 0, off = 0, normal = 0;
            for (int c = 0; c < 3; c++) {
                const double d = (n[0].r[c] - 8 * n[1].r[c] + 8 * n[2].r[c] - n[3].r[c]) / (12 * h);
                off = fmax(off, fabs(d - p.v[c]));
                v2 += p.v[c] * p.v[c], r2 += p.r[c] * p.r[c];
                normal += p.axes[6 + c] * p.r[c];
            }
            assert_true(off < 1e-5 && fabs(normal) < 1e-7);
            if (i % 2 == 0) {
                assert_true(fabs(v2 - MU * (2 / sqrt(r2) - 1 / o.a)) < 1e-12 * v2);
            }
        }
    }
    gos_orbit o = orbit_of(7e6, 0.1);
    gos_orbit_position a, b;
    gos__orbit_at(&o, 0, &a);
    gos__orbit_at(&o, 2 * M_PI * sqrt(7e6 / MU) * 7e6, &b);
    verify_near("perigee at t = 0 [m]", a.r[0], 6.3e6, 1e-6);
    verify_near("and a period later [m]", b.r[0], 6.3e6, 1e-5);
    verify_near("on the same side [m]", b.r[1], 0, 1e-4);
}

/* Vallado, Fundamentals of Astrodynamics, example 2-6: elements to position and velocity; given to
 * 0.005 degrees, 1.5 km here */
static void test_elements(void **unused) {
    GOS_UNUSED(unused);
    const double degree = M_PI / 180, e = 0.83285;
    gos_orbit o = orbit_of(11067790 / (1 - e * e), e);
    gos_orbit_position p;
    o.inclination = 87.87 * degree, o.node = 227.89 * degree, o.perigee = 53.38 * degree;
    o.mean = gos__mean_anomaly(92.335 * degree, e);
    gos__orbit_at(&o, 0, &p);
    const double r[3] = {6525.344e3, 6861.535e3, 6449.125e3};
    const double v[3] = {4902.276, 5533.124, -1975.709};
    verify_below("position, off [m]", verify_distance(p.r, r), 1500);
    verify_below("velocity, off [m/s]", verify_distance(p.v, v), 1);
}

/* drifts: the sun-synchronous orbit at 800 km has 98.6 degrees; at asin(sqrt(4/5)) the perigee
 * stands */
static void test_oblateness(void **unused) {
    GOS_UNUSED(unused);
    const double degree = M_PI / 180;
    gos_orbit o = orbit_of(EARTH + 800e3, 0);
    o.inclination = 98.6 * degree;
    gos__orbit_rates(&o, 1.08263e-3);
    verify_near("node [degrees a day]", o.node_rate * 86400 / degree, 360 / 365.2422, 2e-3);
    o.inclination = asin(sqrt(0.8));
    gos__orbit_rates(&o, 1.08263e-3);
    verify_near("perigee at the critical inclination [rad/s]", o.perigee_rate, 0, 1e-20);
    verify_near("mean anomaly there, of its rate", o.rate / (sqrt(MU / o.a) / o.a) - 1,
                1.5 * 1.08263e-3 * pow(EARTH / o.a, 2) * (1 - 1.2), 1e-12);
}

/* days of dates (Julian dates by the almanac's rule); the Sun at J2000.0 (Astronomical Almanac:
   longitude 280.38 degrees, 0.98333 au) and at an equinox (2026-03-20 14:46 UTC), whose point has
   moved by precession since J2000.0 */
static void test_sun(void **unused) {
    GOS_UNUSED(unused);
    const double degree = M_PI / 180, au = 1.495978707e11;
    double day, sun[3], distance;
    assert_true(gos__sun_day("2000-01-01T12:00:00", &day) && day == 0);
    gos__sun_at(day, sun, &distance);
    const double tilt = 23.43929111 * degree;
    const double longitude = atan2(sun[1] * cos(tilt) + sun[2] * sin(tilt), sun[0]) / degree;
    verify_near("longitude at J2000.0 [degrees]", longitude + 360, 280.38, 0.02);
    verify_near("distance [au]", distance / au, 0.98333, 2e-4);
    verify_near("in the ecliptic", sun[2] * cos(tilt) - sun[1] * sin(tilt), 0, 1e-15);
    assert_true(gos__sun_day("2026-03-20T14:46:00", &day));
    verify_near("days", day, 2461119.5 - 2451545 + (14 * 60 + 46) / 1440.0, 1e-11);
    gos__sun_at(day, sun, &distance);
    verify_near("at an equinox [degrees]",
                atan2(sun[1] * cos(tilt) + sun[2] * sin(tilt), sun[0]) / degree,
                -1.3972 * day / 36525, 0.02);
    assert_true(gos__sun_day("2024-02-29", &day) && day == 2460370 - 0.5 - 2451545);
    const char *const bad[] = {
        "2023-02-29",          "2026-13-01",       "2026-00-10",  "2026-1-1", "20260320",
        "2026-03-20T25:00:00", "2026-03-20T12:00", "2026-03-20x", "",         "now"};
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        assert_false(gos__sun_day(bad[i], &day));
    }
}

/* ---- shadow --------------------------------------------------------------------------------- */

/* two circles of radius 1; a straight edge, as of a body without end; one within the other */
static void test_discs(void **unused) {
    GOS_UNUSED(unused);
    for (double d = 0.01; d < 2; d += 0.07) {
        const double lens = 2 * acos(d / 2) - d / 2 * sqrt(4 - d * d);
        assert_true(fabs(gos__disc_left(1, 1, d) - (1 - lens / M_PI)) < 1e-14);
        const double x = d - 1; // the edge is there; what is left lies beyond
        const double segment = acos(-x) + x * sqrt(1 - x * x);
        assert_true(fabs(gos__disc_left(1, 1e7, 1e7 + x) - segment / M_PI) < 1e-6);
    }
    verify_near("one within the other", gos__disc_left(2, 1, 0.5), 0.75, 0);
    verify_near("behind", gos__disc_left(1, 2, 0.9), 0, 0);
    verify_near("beside", gos__disc_left(1, 2, 3), 1, 0);
    verify_near("touching from inside", gos__disc_left(4.65e-3, 1.2, 1.2 - 4.65e-3 + 1e-9), 0,
                1e-8);
}

static int edges_of(const gos_orbit *o, double end, int most, double *at) {
    int n = 0;
    for (double t = gos__orbit_next_edge(o, 0, end); t < end && n < most;
         t = gos__orbit_next_edge(o, t, end)) {
        at[n++] = t;
    }
    return n;
}

/* Circular orbit, shadow a cylinder: half of it is acos(sqrt(a^2 - R^2)/(a cos beta)) of the orbit
   (Wertz, Space Mission Analysis and Design, 5.1), and none from sin beta = R/a on */
static void test_cylinder(void **unused) {
    GOS_UNUSED(unused);
    const double a = EARTH + 500e3, limit = asin(EARTH / a);
    const double beta[] = {0, 0.3, 1, limit - 1e-3, limit - 1e-7, limit + 1e-7};
    for (int i = 0; i < GOS_COUNT(beta); i++) {
        gos_orbit o = orbit_of(a, 0);
        double t[8];
        o.shadow = GOS_SHADOW_CYLINDRICAL;
        o.inclination = 0.7, o.node = 2, o.mean = 0.9;
        gos__orbit_beta(&o, beta[i], 1.1);
        const int n = edges_of(&o, 2 * M_PI / o.rate, 8, t);
        if (beta[i] > limit) {
            assert_int_equal(n, 0);
            continue;
        }
        const double half = acos(sqrt(a * a - EARTH * EARTH) / (a * cos(beta[i])));
        assert_int_equal(n, 2);
        // near the limit the angle is a square root of what is left: rounding by the gap's slope
        const double tol = fmax(1e-11, 4e-16 / fmax(half, 1e-9)) / o.rate;
        verify_near("into the shadow [s]", t[0], (1.1 + M_PI - half) / o.rate, tol);
        verify_near("out of it [s]", t[1], (1.1 + M_PI + half) / o.rate, tol);
        gos_orbit_position p;
        gos__orbit_at(&o, 0.5 * (t[0] + t[1]), &p);
        assert_true(p.light == 0);
        gos__orbit_at(&o, t[1] + 1, &p);
        assert_true(p.light == 1);
    }
}

/* Umbra and penumbra are the cones that touch both spheres (Montenbruck and Gill, 3.4.2): seen from
   a point on one of them, the discs touch. Edges lie on the cones, and light fades between them. */
static void test_cones(void **unused) {
    GOS_UNUSED(unused);
    const double e[] = {0, 0.6};
    for (int i = 0; i < GOS_COUNT(e); i++) {
        gos_orbit o = orbit_of(2.6e7, e[i]);
        double t[16];
        o.inclination = 0.3, o.mean = 0.5;
        gos__orbit_beta(&o, 0.05, 0.6);
        const int n = edges_of(&o, 4 * M_PI / o.rate, 16, t);
        assert_int_equal(n, 8);
        for (int k = 0; k < n; k++) {
            const bool outer = k % 4 == 0 || k % 4 == 3;
            const double sum = o.sun_radius + (outer ? EARTH : -EARTH);
            const double f = asin(sum / o.sun_distance);
            gos_orbit_position p, next;
            gos__orbit_at(&o, t[k], &p);
            gos__orbit_at(&o, t[k] + (k % 4 < 2 ? 0.1 : -0.1), &next);
            const double along = -(p.r[0] * p.sun[0] + p.r[1] * p.sun[1] + p.r[2] * p.sun[2]);
            double off[3];
            for (int c = 0; c < 3; c++) {
                off[c] = p.r[c] + along * p.sun[c];
            }
            const double apart = hypot(hypot(off[0], off[1]), off[2]);
            const double cone =
                outer ? EARTH / cos(f) + along * tan(f) : EARTH / cos(f) - along * tan(f);
            verify_near("distance from the axis [m]", apart, cone, 1e-4);
            assert_true(along > 0 && fabs(p.light - (outer ? 1 : 0)) < 1e-9);
            assert_true(outer ? next.light < 1 : next.light == 0);
        }
        gos_orbit_position p;
        gos__orbit_at(&o, 0.5 * (t[0] + t[1]), &p);
        verify_within("half way", p.light, 0.4, 0.6);
    }
}

/* edges by a fine scan of the light, on orbits that graze the shadow */
static void test_scan(void **unused) {
    GOS_UNUSED(unused);
    for (int i = 0; i < 12; i++) {
        gos_orbit o = orbit_of(9e6, 0.25);
        o.inclination = 0.4 + 0.2 * i, o.perigee = 0.5 * i, o.mean = 0.3 * i;
        gos__orbit_beta(&o, 0.75 - 0.01 * i, 0.7 * i);
        const double end = 4 * M_PI / o.rate;
        double t[32];
        const int n = edges_of(&o, end, 32, t);
        int k = 0;
        gos_orbit_position p, before;
        gos__orbit_at(&o, 0, &before);
        for (double s = 0.05; s < end; s += 0.05, before = p) {
            gos__orbit_at(&o, s, &p);
            const int a = before.light == 0 ? 0 : before.light < 1 ? 1 : 2;
            const int b = p.light == 0 ? 0 : p.light < 1 ? 1 : 2;
            if (a != b) {
                assert_true(k < n && fabs(t[k] - s) < 0.06);
                k++;
            }
        }
        assert_int_equal(k, n);
    }
}

/* ---- field ---------------------------------------------------------------------------------- */

/* G is the gradient of -mu r/|r|^3 (differences), in the model's axes */
static void test_gradient(void **unused) {
    GOS_UNUSED(unused);
    gos_orbit o = orbit_of(7e6, 0.1);
    o.inclination = 0.8, o.node = 0.3, o.perigee = 2, o.mean = 1;
    gos__orbit_align(&o);
    double G[9], trace = 0;
    gos_orbit_position p;
    const double t = 1234;
    gos__orbit_at(&o, t, &p);
    gos__orbit_gradient(&o, t, G);
    for (int j = 0; j < 3; j++) {
        double g[2][3];
        for (int k = 0; k < 2; k++) {
            double r[3] = {p.r[0], p.r[1], p.r[2]};
            r[j] += k ? 100 : -100;
            const double size = hypot(hypot(r[0], r[1]), r[2]);
            for (int c = 0; c < 3; c++) {
                g[k][c] = -MU * r[c] / pow(size, 3);
            }
        }
        for (int c = 0; c < 3; c++) {
            assert_true(fabs((g[1][c] - g[0][c]) / 200 - G[3 * c + j]) < 1e-8 * o.rate * o.rate);
        }
        trace += G[4 * j];
    }
    verify_near("trace of the field, in squares of the rate", trace / (o.rate * o.rate), 0, 1e-15);
    gos__orbit_at(&o, 0, &p);
    for (int c = 0; c < 9; c++) {
        assert_true(fabs(p.axes[c] - (c % 4 == 0)) < 1e-15);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kepler),   cmocka_unit_test(test_motion),
        cmocka_unit_test(test_elements), cmocka_unit_test(test_oblateness),
        cmocka_unit_test(test_sun),      cmocka_unit_test(test_discs),
        cmocka_unit_test(test_cylinder), cmocka_unit_test(test_cones),
        cmocka_unit_test(test_scan),     cmocka_unit_test(test_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
