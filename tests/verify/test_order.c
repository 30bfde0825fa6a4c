/* The integration in time is of second order in positions, velocities, multipliers and
   temperatures, and so are its energy balances: by halving fixed steps. Error control: a smaller
   tolerance gives a smaller error. Newton is iterated to round-off, so that only the scheme is
   seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define TIGHT "analysis.newton_tolerance=1e-8 "

enum { LEVELS = 4 };

typedef struct norms {
    double q, v, lam, th;
} norms;

static double distance(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static norms differ(const verify *a, const verify *b) {
    const gos_state *x = a->state, *y = b->state;
    return (norms){distance(x->q, y->q, a->sys->nq), distance(x->v, y->v, a->sys->nq),
                   distance(x->lam, y->lam, a->sys->nc), distance(x->th, y->th, a->sys->nt)};
}

static void in_order(const char *what, double coarse, double fine) {
    verify_within(what, verify_order(coarse, fine, 2), 1.9, 2.1);
}

/* the four differences of one level over those of the next, and the energy balances */
static void second_order(const char *example, const char *settings, double end, double step) {
    verify v[LEVELS];
    norms d[LEVELS - 1];
    double balance[LEVELS];
    for (int i = 0; i < LEVELS; i++) {
        char all[300];
        gos_energy e;
        snprintf(all, sizeof all, TIGHT "%s analysis.end=%.17g analysis.step=%.17g", settings, end,
                 step / (1 << i));
        verify_example(&v[i], example, all);
        verify_run(&v[i]);
        assert_int_equal(v[i].stats.steps, (long)round(end / step) << i);
        gos_system_energy(v[i].sys, v[i].state, &e);
        balance[i] = e.balance;
    }
    for (int i = 0; i + 1 < LEVELS; i++) {
        d[i] = differ(&v[i], &v[i + 1]);
        print_message(
            "    step %g: q %.2e, v %.2e, multipliers %.2e, temperatures %.2e, energy %.2e\n",
            step / (1 << i), d[i].q, d[i].v, d[i].lam, d[i].th, balance[i]);
    }
    in_order("order of positions", d[LEVELS - 3].q, d[LEVELS - 2].q);
    in_order("order of velocities", d[LEVELS - 3].v, d[LEVELS - 2].v);
    in_order("order of multipliers", d[LEVELS - 3].lam, d[LEVELS - 2].lam);
    if (v[0].sys->nt) {
        in_order("order of temperatures", d[LEVELS - 3].th, d[LEVELS - 2].th);
    }
    /* third where nothing but the scheme dissipates */
    verify_within("order of the energy balance",
                  verify_order(fabs(balance[LEVELS - 2]), fabs(balance[LEVELS - 1]), 2), 1.9, 3.1);
    for (int i = 0; i < LEVELS; i++) {
        verify_close(&v[i]);
    }
}

/* fully coupled: damping, flux by orientation, thermal strain, gravity */
static void thermal_pendulum(void **state) {
    GOS_UNUSED(state);
    second_order("thermal-pendulum", "n=6", 0.4, 2e-3);
}

/* the two-way coupling too, with a strongly expanding material so that it matters, and higher modes
   of the temperature through the depth */
static void coupled_pendulum(void **state) {
    GOS_UNUSED(state);
    second_order("thermal-pendulum",
                 "n=4 alpha=2e-3 sections.bar.depth_modes=3 analysis.thermoelastic_heat=true "
                 "analysis.viscous_heating=true",
                 0.3, 2e-3);
}

static void heavy_top(void **state) {
    GOS_UNUSED(state);
    second_order("heavy-top", "", 0.4, 1e-3);
}

/* RMS distance of the nodes over the length of the rod, the norm that the tolerance is about */
static double node_distance(const verify *a, const gos_state *x, const verify *b,
                            const gos_state *y) {
    enum { NODES = 17 };
    double p[3 * NODES], q[3 * NODES], sum = 0;
    assert_int_equal(a->sys->nnodes, NODES);
    gos_system_nodes(a->sys, x, p, NULL, NULL, NULL);
    gos_system_nodes(b->sys, y, q, NULL, NULL, NULL);
    for (int i = 0; i < NODES; i++) {
        sum += pow(verify_distance(p + 3 * i, q + 3 * i), 2);
    }
    return sqrt(sum / NODES) / 1.2;
}

/* The tolerance aims for the largest error of the whole run: it is met within a factor of two, and
   half the tolerance gives about half the error. The reference's own error is below 1e-6. */
static void error_control(void **state) {
    GOS_UNUSED(state);
    static const double tolerance[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
    enum { RUNS = 4, TIMES = 50 };
    verify best, v[RUNS];
    double error[RUNS] = {0};
    verify_example(&best, "thermal-pendulum", "analysis.step=1e-4 analysis.newton_tolerance=1e-5");
    verify_start(&best);
    for (int i = 0; i < RUNS; i++) {
        char all[100];
        snprintf(all, sizeof all, "analysis.tolerance=%g", tolerance[i]);
        verify_example(&v[i], "thermal-pendulum", all);
        verify_start(&v[i]);
    }
    for (int k = 1; k <= TIMES; k++) {
        const double t = best.opt.end * k / TIMES;
        const gos_state *want = verify_at(&best, t);
        for (int i = 0; i < RUNS; i++) {
            error[i] = fmax(error[i], node_distance(&best, want, &v[i], verify_at(&v[i], t)));
        }
    }
    for (int i = 0; i < RUNS; i++) {
        gos_integrator_statistics(v[i].run, &v[i].stats);
        print_message("    tolerance %g: error %.3g, %ld steps\n", tolerance[i], error[i],
                      v[i].stats.steps);
        verify_within("true error over the tolerance", error[i] / tolerance[i], 0.3, 2);
        if (i > 0) {
            verify_within("error at twice the tolerance", error[i - 1] / error[i], 1.4, 2.8);
        }
        verify_close(&v[i]);
    }
    verify_close(&best);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thermal_pendulum),
        cmocka_unit_test(coupled_pendulum),
        cmocka_unit_test(heavy_top),
        cmocka_unit_test(error_control),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
SUITE(suite)
