/* Steps of generalised-alpha inside intervals of local linearisation, above all where each interval
 * is one step long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rom/interval.h"
#include "support/suite.h"
#include "support/verify.h"

static gos_interval *make(gos_ctx *ctx, int m, int mt) {
    gos_interval *i = NULL;
    assert_int_equal(gos__interval_create(ctx, m, mt, &i), GOS_OK);
    i->m = m;
    i->mt = mt;
    return i;
}

/* two vibrations that are damped and coupled, a temperature that drives them and feels them, loads
 * that grow */
static gos_interval *coupled(gos_ctx *ctx) {
    static const double K[] = {40, -8, -8, 90}, D[] = {0.5, 0.1, 0.1, 0.8}, G[] = {3, -2},
                        start[] = {0.1, -0.2, 0.5, 1, 0.3};
    gos_interval *i = make(ctx, 2, 1);
    memcpy(i->K, K, sizeof K);
    memcpy(i->D, D, sizeof D);
    memcpy(i->G, G, sizeof G);
    memcpy(i->start, start, sizeof start);
    i->Hq[0] = 0.7;
    i->Hq[1] = -0.4;
    i->Hv[0] = 0.2;
    i->Hv[1] = 0.3;
    i->L[0] = 2;
    i->f0[0] = 4;
    i->f1[0] = -3;
    i->f1[1] = 5;
    i->r0[0] = 1;
    i->r1[0] = 0.5;
    return i;
}

/* the interval ends, the next one begins there */
static void restart(gos_interval *i) {
    for (int k = 0; k < i->m; k++) {
        i->f0[k] += i->t * i->f1[k];
    }
    for (int k = 0; k < i->mt; k++) {
        i->r0[k] += i->t * i->r1[k];
    }
    memcpy(i->start, i->g, (size_t)(2 * i->m + i->mt) * sizeof *i->g);
    gos__interval_begin(i);
}

/* One step of a motion with the constant acceleration a: rates carried from t = 0 gave a h^2/48 too
 * much at rho = 0.6. */
static void test_thrown(void **state) {
    const double a = -9.81, h = 0.1;
    gos_ctx *ctx = gos_ctx_create();
    gos_interval *i = make(ctx, 1, 0);
    (void)state;
    i->f0[0] = a;
    gos__interval_begin(i);
    for (int k = 1; k <= 5; k++) {
        assert_int_equal(gos__interval_alpha(i, h, 0.6), GOS_OK);
        verify_near("place [m]", i->g[0], 0.5 * a * (k * h) * (k * h), 1e-14);
        verify_near("velocity [m/s]", i->g[1], a * k * h, 1e-14);
        restart(i);
    }
    gos__interval_destroy(i);
    gos_ctx_destroy(ctx);
}

/* largest error after 1 s in intervals of `steps` steps of h; every third step is divided in two of
 * 0.3 and 0.7 h */
static double error_of(double h, int steps, double rho, bool divided) {
    gos_ctx *ctx = gos_ctx_create();
    gos_interval *i = coupled(ctx), *exact = coupled(ctx);
    double off = 0;
    gos__interval_begin(i);
    gos__interval_begin(exact);
    assert_int_equal(gos__interval_exact(exact, 1), GOS_OK);
    const int n = (int)(1 / h + 0.5);
    for (int k = 0; k < n; k++) {
        const double part = divided && k % 3 == 1 ? 0.3 : 1;
        assert_int_equal(gos__interval_alpha(i, part * h, rho), GOS_OK);
        if (part < 1) {
            assert_int_equal(gos__interval_alpha(i, (1 - part) * h, rho), GOS_OK);
        }
        if ((k + 1) % steps == 0) {
            restart(i);
        }
    }
    for (int k = 0; k < 5; k++) {
        off = fmax(off, fabs(i->g[k] - exact->g[k]));
    }
    gos__interval_destroy(i);
    gos__interval_destroy(exact);
    gos_ctx_destroy(ctx);
    return off;
}

/* Of second order, for any length of intervals and steps, with errors no larger than those of
   one long interval. Rates that begin again with those of the equations make intervals of one step
   of first order: 7.9e-3 at rho = 0. */
static void test_order(void **state) {
    static const double rho[] = {0, 0.6, 0.9};
    (void)state;
    for (int r = 0; r < GOS_COUNT(rho); r++) {
        const double whole = error_of(1.0 / 1600, 1600, rho[r], false);
        for (int steps = 1; steps <= 5; steps += 2) {
            for (int divided = 0; divided < 2; divided++) {
                const double e[] = {error_of(1.0 / 800, steps, rho[r], divided),
                                    error_of(1.0 / 1600, steps, rho[r], divided)};
                print_message("  rho %g, intervals of %d steps%s: %.3g\n", rho[r], steps,
                              divided ? ", some divided" : "", e[1]);
                verify_within("order", verify_order(e[0], e[1], 2), 1.9, 2.1);
                verify_below("over the error of one interval", e[1] / whole, 1.5);
            }
        }
    }
}

/* A step that is taken back leaves nothing behind. */
static void test_undo(void **state) {
    gos_ctx *ctx = gos_ctx_create();
    gos_interval *i = coupled(ctx), *other = coupled(ctx);
    (void)state;
    gos__interval_begin(i);
    gos__interval_begin(other);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(gos__interval_alpha(i, 0.02, 0.6), GOS_OK);
        gos__interval_undo(i);
        assert_int_equal(gos__interval_alpha(i, 0.01, 0.6), GOS_OK);
        assert_int_equal(gos__interval_alpha(other, 0.01, 0.6), GOS_OK);
        assert_memory_equal(i->g, other->g, 5 * sizeof *i->g);
    }
    gos__interval_destroy(i);
    gos__interval_destroy(other);
    gos_ctx_destroy(ctx);
}

/* Modes that are much faster than the step, and warmth that flows much faster, are not thrown
   beyond where they were, however often an interval begins. */
static void test_stiff(void **state) {
    static const double rho[] = {0, 0.6, 0.9};
    (void)state;
    for (int r = 0; r < GOS_COUNT(rho); r++) {
        for (double w = 1e-2; w < 1e7; w *= 2) {
            gos_ctx *ctx = gos_ctx_create();
            gos_interval *i = make(ctx, 1, 1);
            double energy = 1;
            i->K[0] = w * w;
            i->L[0] = w;
            i->start[0] = 1 / w;
            i->start[2] = 1;
            gos__interval_begin(i);
            for (int k = 0; k < 100; k++) {
                assert_int_equal(gos__interval_alpha(i, 1, rho[r]), GOS_OK);
                assert_true(fabs(i->g[2]) <= 1 + 1e-12);
                restart(i);
            }
            energy = pow(w * i->g[0], 2) + pow(i->g[1], 2);
            assert_true(energy <= 1 + 1e-9);
            gos__interval_destroy(i);
            gos_ctx_destroy(ctx);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thrown), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_undo), cmocka_unit_test(test_stiff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
