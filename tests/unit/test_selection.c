/* Orbits of patches, their ranking and choice, against counting, quadrature and trying
   everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "control/selection.h"
#include "linalg/expm.h"
#include "support/context.h"
#include "support/near.h"
#include "support/suite.h"

static gos_modal modal;

/* a string of unit mass and length with 12 patches, two in each of its sixths, opposite to each
 * other */
enum { MODES = 5, PATCHES = 12, ORBITS = 3 };

static int setup(void **state) {
    GOS_UNUSED(state);
    ctx = gos_ctx_create();
    if (!ctx || gos__modal_create(ctx, MODES, PATCHES, &modal)) {
        return 1;
    }
    for (int i = 0; i < MODES; i++) {
        modal.omega[i] = M_PI * (i + 1);
        modal.zeta[i] = 0.02;
        modal.phi[i] = i % 2 ? 0 : M_SQRT2 * (i % 4 ? -1 : 1);
        for (int p = 0; p < PATCHES; p++) {
            const double x = (p / 2 + 0.5) / 6;
            modal.Kup[p * MODES + i] =
                (p % 2 ? -0.1 : 0.1) * (i + 1) * sin((i + 1) * M_PI * x) / (1 + i * i);
        }
    }
    for (int p = 0; p < PATCHES; p++) {
        modal.capacitance[p] = 1;
    }
    return 0;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__modal_free(ctx, &modal);
    gos_ctx_destroy(ctx);
    return 0;
}

/* by places, by rows and by labels: patches k, k + 1, 10 - k, 11 - k */
static void test_orbits(void **state) {
    GOS_UNUSED(state);
    double x[PATCHES][3] = {{0}};
    int label[PATCHES];
    for (int p = 0; p < PATCHES; p++) {
        x[p][0] = 5 + p / 2;
        x[p][2] = p % 2 ? -0.01 : 0.01;
        label[p] = 70 - (p / 2 < 3 ? p / 2 : 5 - p / 2);
    }
    for (int kind = 0; kind < 3; kind++) {
        gos_orbits o;
        need(kind == 0   ? gos__orbits_mirrored(ctx, PATCHES, (const double(*)[3])x, 1e-6, &o)
             : kind == 1 ? gos__orbits_equal(ctx, &modal, MODES, 1e-9, &o)
                         : gos__orbits_given(ctx, PATCHES, label, &o));
        assert_int_equal(o.n, ORBITS);
        for (int p = 0; p < PATCHES; p++) {
            assert_int_equal(o.of[p], 70 - label[p]);
        }
        assert_int_equal(o.first[2], 4);
        assert_int_equal(o.count[1], 4);
        int channel[PATCHES], n;
        gos__orbits_channels(&o, 2, (int[]){2, 0}, channel, &n);
        assert_int_equal(n, 8);
        assert_true(channel[2] == 4 && channel[7] == 11);
        gos__orbits_free(ctx, &o);
    }
}

/* equal scores: the smallest channel first, whatever rounding does to them */
static void test_ties(void **state) {
    GOS_UNUSED(state);
    gos_orbits o;
    double score[PATCHES], K[PATCHES * 2];
    int chosen[ORBITS];
    need(gos__orbits_equal(ctx, &modal, MODES, 1e-9, &o));
    for (int p = 0; p < PATCHES; p++) {
        score[p] = 1 + 1e-13 * p * (p % 2 ? 1 : -1);
    }
    need(gos__select_best(ctx, &o, score, 3, chosen));
    assert_true(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 2);
    score[4] += 1e-3;
    need(gos__select_best(ctx, &o, score, 2, chosen));
    assert_true(chosen[0] == 2 && chosen[1] == 0);
    assert_int_equal(gos__select_best(ctx, &o, score, 4, chosen), GOS_E_INPUT);
    for (int p = 0; p < PATCHES; p++) {
        K[p] = 3 * p;
        K[PATCHES + p] = -4 * p;
    }
    gos__rank_by_gain(PATCHES, 2, K, score);
    near_abs(score[7], 35, 1e-13);
    gos__orbits_free(ctx, &o);
}

/* energy of the acceleration after an impulse of voltage, by a sum over a long time */
static void test_gramian(void **state) {
    GOS_UNUSED(state);
    const int mode[3] = {0, 2, 3};
    double score[PATCHES];
    need(gos__rank_by_gramian(ctx, &modal, 3, mode, score));
    const int patch = 3;
    const double h = 1e-3;
    double sum = 0;
    for (int s = 0; s < 200000; s++) {
        const double t = (s + 0.5) * h;
        double a = 0;
        for (int k = 0; k < 3; k++) { // z = b e^(-d t) sin(w t) / w
            const int i = mode[k];
            const double d = modal.zeta[i] * modal.omega[i];
            const double w = sqrt(modal.omega[i] * modal.omega[i] - d * d);
            a += modal.phi[i] * modal.Kup[patch * MODES + i] * exp(-d * t) / w *
                 ((d * d - w * w) * sin(w * t) - 2 * d * w * cos(w * t));
        }
        sum += a * a * h;
    }
    near_abs(score[patch], sqrt(sum), 1e-5 * sqrt(sum));
}

/* x0^T P x0 of a choice is the integral of the weights along the course of its own regulator */
static void test_quadratic_cost(void **state) {
    GOS_UNUSED(state);
    gos_orbits o;
    gos_orbit_cost c;
    const int orbit[2] = {0, 2};
    double cost, sum = 0;
    need(gos__orbits_equal(ctx, &modal, MODES, 1e-9, &o));
    need(gos__orbit_cost_create(ctx, &modal, &o, MODES, GOS_AIM_VELOCITY, 30, &c));
    assert_int_equal(c.nmode, 3);
    need(gos__cost_quadratic(&c, ctx, 2, orbit, &cost));
    // the same with all eight patches by themselves
    int drive[PATCHES], nd;
    gos__orbits_channels(&o, 2, orbit, drive, &nd);
    const gos_modal_part part = {.nmode = 3, .mode = c.mode, .ndrive = nd, .drive = drive};
    gos_plant p;
    double Q[36], N[6 * PATCHES], R[PATCHES * PATCHES], K[6 * PATCHES], E[36];
    need(gos__modal_plant(ctx, &modal, &part, &p));
    need(gos__modal_weights(ctx, &modal, &part, GOS_AIM_VELOCITY, 30, Q, N, R));
    p.nu = nd;
    gos_riccati info;
    need(gos__lqr(ctx, &p, &(gos_weights){.Q = Q, .R = R}, K, NULL, &info));
    const double h = 1e-3;
    double x[6] = {0}, y[6], work[6 * 6 * 20];
    int pivot[6];
    for (int k = 0; k < 36; k++) {
        E[k] = h * p.A[k];
        for (int u = 0; u < nd; u++) {
            E[k] -= h * p.B[u * 6 + k % 6] * K[k / 6 * nd + u];
        }
    }
    assert_true(gos__expm_work(6) <= 6 * 6 * 20);
    assert_int_equal(gos__expm(6, E, work, pivot), GOS_OK);
    for (int i = 0; i < 3; i++) {
        x[3 + i] = modal.phi[c.mode[i]];
    }
    for (int s = 0; s < 60000; s++) {
        double rate = 0;
        for (int i = 0; i < 6; i++) {
            rate += Q[7 * i] * x[i] * x[i];
        }
        for (int u = 0; u < nd; u++) {
            double v = 0;
            for (int i = 0; i < 6; i++) {
                v += K[i * nd + u] * x[i];
            }
            rate += v * v;
        }
        sum += (s == 0 ? h / 2 : h) * rate;
        for (int i = 0; i < 6; i++) {
            y[i] = 0;
            for (int j = 0; j < 6; j++) {
                y[i] += E[6 * j + i] * x[j];
            }
        }
        memcpy(x, y, sizeof x);
    }
    near_abs(cost, sum, 1e-4 * sum);
    gos__plant_free(ctx, &p);
    gos__orbit_cost_free(ctx, &c);
    gos__orbits_free(ctx, &o);
}

/* a cost with pairs that are better together than alone: greed misses them, trying everything does
 * not */
static gos_status tricky(void *user, gos_ctx *mine, int n, const int *orbit, double *cost) {
    GOS_UNUSED(mine);
    int *calls = user, sum = 0;
    bool three = false, four = false, five = false;
    for (int i = 0; i < n; i++) {
        three = three || orbit[i] == 3;
        four = four || orbit[i] == 4;
        five = five || orbit[i] == 5;
        sum += orbit[i];
    }
    ++*calls;
    *cost = 10 - (five ? 2 : 0) - (three && four ? 5 : 0) - 0.001 * (sum % 3);
    return GOS_OK;
}

static void test_choices(void **state) {
    GOS_UNUSED(state);
    gos_orbits o;
    int label[7] = {0, 1, 2, 3, 4, 5, 6}, calls = 0, chosen[4];
    double cost;
    need(gos__orbits_given(ctx, 7, label, &o));
    const gos_criterion c = {.cost = tricky, .user = &calls};
    need(gos__select_greedy(ctx, &o, &c, 2, chosen, &cost));
    assert_int_equal(chosen[0], 5);
    assert_true(cost > 7.9);
    assert_int_equal(calls, 7 + 6);
    for (int jobs = 1; jobs <= 2; jobs++) {
        need(gos__select_exhaustive(ctx, &o, &c, 2, jobs, chosen, &cost));
        assert_true(chosen[0] == 3 && chosen[1] == 4);
        near_abs(cost, 5 - 0.001, 1e-12);
        need(gos__select_exhaustive(ctx, &o, &c, 3, jobs, chosen, &cost));
        assert_true(chosen[0] == 3 && chosen[1] == 4 && chosen[2] == 5);
    }
    assert_int_equal(gos__select_exhaustive(ctx, &o, &c, 5, 1, chosen, &cost), GOS_E_INPUT);
    gos__orbits_free(ctx, &o);
}

static gos_status fails(void *user, gos_ctx *mine, int n, const int *orbit, double *cost) {
    GOS_UNUSED(user);
    GOS_UNUSED(n);
    *cost = 1;
    return orbit[0] == 1 ? gos__fail(mine, GOS_E_INPUT, "no such design") : GOS_OK;
}

static void test_failure(void **state) {
    GOS_UNUSED(state);
    gos_orbits o;
    int label[4] = {0, 1, 2, 3}, chosen[4];
    double cost;
    need(gos__orbits_given(ctx, 4, label, &o));
    const gos_criterion c = {.cost = fails};
    assert_int_equal(gos__select_exhaustive(ctx, &o, &c, 2, 2, chosen, &cost), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "orbit 1: "));
    assert_non_null(strstr(gos_ctx_message(ctx), "no such design"));
    gos__orbits_free(ctx, &o);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_orbits, context_clear),
        cmocka_unit_test_teardown(test_ties, context_clear),
        cmocka_unit_test_teardown(test_gramian, context_clear),
        cmocka_unit_test_teardown(test_quadratic_cost, context_clear),
        cmocka_unit_test_teardown(test_choices, context_clear),
        cmocka_unit_test_teardown(test_failure, context_clear),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
