/* The example curling-strip: half a turn by its films, back again, and hanging against its
   weight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* of the example */
#define L 0.06
#define WIDTH 0.01
#define H 12e-6
#define H_P 9e-6
static const double a = 0.07 * (H + H_P),
                    D = 4e9 * H * H * H / 12 +
                        2 * 3e9 * (H_P * H_P * H_P / 12 + H_P * (H + H_P) * (H + H_P) / 4),
                    mass = 1390 * H + 2 * 1780 * H_P; // per area

/* Rolled up and held: in equilibrium under the full voltage, in the long form after a run with much
 * damping. */
static void hold(const char *settings, verify *v) {
    char set[300];
    snprintf(set, sizeof set, "%s %s",
             suite_long() ? "damp=0.05 t_hold=9 t_end=4"
                          : "analysis.type=static piezo.film.voltage=V",
             settings);
    verify_example(v, "curling-strip", set);
    if (suite_long()) {
        verify_run(v);
    } else {
        verify_static(v);
    }
}

/* The arc of half a turn ends 2 L / pi above the clamp; the electrode has the charge C V + a^2 b L
 * V / D. */
static void half_a_turn(void **state) {
    GOS_UNUSED(state);
    const double V = M_PI / L * D / a, C = 2 * 1e-10 * L * WIDTH / H_P,
                 Q = C * V + a * a * WIDTH * L / D * V, want[3] = {0, WIDTH / 2, 2 * L / M_PI};
    double tip[3];
    verify v;
    hold("", &v);
    verify_probe(&v, NULL, "tip", tip);
    verify_below("tip", verify_distance(tip, want) / L, 2e-4);
    verify_near("voltage", verify_value(&v, NULL, "voltage.value"), V, 1e-9 * V);
    verify_near("charge", verify_value(&v, NULL, "charge.value"), Q, 1e-5 * Q);
    verify_close(&v);
}

/* end of D theta'' = m g (L - s) sin theta, theta(0) = 0, theta'(0) = k: where it is, and how much
 * theta'(L) is above K */
static double shoot(double k, double K, double g, double tip[3]) {
    const int n = 4000;
    const double h = L / n;
    double y[4] = {0, k, 0, 0}; // theta, theta', x, z
    for (int i = 0; i < n; i++) {
        double d[4][4], at[4];
        for (int r = 0; r < 4; r++) {
            const double part = r == 0 ? 0 : r < 3 ? 0.5 * h : h;
            for (int c = 0; c < 4; c++) {
                at[c] = y[c] + (r > 0 ? part * d[r - 1][c] : 0);
            }
            d[r][0] = at[1];
            d[r][1] = mass * g * (L - i * h - part) * sin(at[0]) / D;
            d[r][2] = cos(at[0]);
            d[r][3] = sin(at[0]);
        }
        for (int c = 0; c < 4; c++) {
            y[c] += h / 6 * (d[0][c] + 2 * d[1][c] + 2 * d[2][c] + d[3][c]);
        }
    }
    tip[0] = y[2];
    tip[1] = WIDTH / 2;
    tip[2] = y[3];
    return y[1] - K;
}

/* Hanging, the strip lifts a part of itself: the heavy elastica of three layers, whose end has the
 * curvature a V / D. */
static void hanging(void **state) {
    GOS_UNUSED(state);
    const double K = M_PI / L;
    double low = 0, high = K, want[3], tip[3];
    for (int i = 0; i < 60; i++) {
        const double k = (low + high) / 2;
        *(shoot(k, K, 9.81, want) > 0 ? &high : &low) = k;
    }
    verify v;
    hold("g=9.81", &v);
    verify_probe(&v, NULL, "tip", tip);
    print_message("    end at %g, %g, elastica %g, %g\n", tip[0], tip[2], want[0], want[2]);
    assert_true(want[2] > 0.4 * L && want[2] < 0.6 * L);
    verify_below("tip", verify_distance(tip, want) / L, 5e-4);
    verify_close(&v);
}

/* The run itself: up by more than half a turn, as it swings, back to nearly flat, and energy is
 * balanced. */
static void there_and_back(void **state) {
    GOS_UNUSED(state);
    verify v;
    double highest = 0, left = 0;
    verify_example(&v, "curling-strip", suite_long() ? NULL : "n=8 analysis.tolerance=3e-4");
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        highest = fmax(highest, verify_value(&v, NULL, "tip.z"));
        left = fmin(left, verify_value(&v, NULL, "tip.x"));
    }
    const double z = verify_value(&v, NULL, "tip.z"), x = verify_value(&v, NULL, "tip.x");
    print_message("    up to %g m, back behind the clamp to %g m, at the end %g, %g m\n", highest,
                  left, x, z);
    assert_true(highest > 0.6 * L && left < -0.001);
    verify_near("flat again: x", x, L, 0.01 * L);
    verify_near("flat again: z", z, 0, 0.05 * L);
    verify_near("balance", verify_value(&v, NULL, "energy.balance"), 0, 2e-8);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_turn),
        cmocka_unit_test(hanging),
        cmocka_unit_test(there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
