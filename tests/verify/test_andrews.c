/* Andrews' squeezing mechanism: the seven angles at 0.03 s against the published ones (Schiehlen;
   Hairer and Wanner; Mazzia and Magherini, test set for DAE solvers), and how their error falls
   with the tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/sanitized.h"
#include "support/suite.h"
#include "support/verify.h"

enum { ANGLES = 7, RUNS = 4 };

static const char *const name[ANGLES] = {"beta",  "Theta", "gamma",  "phi",
                                         "delta", "Omega", "epsilon"};
static const double published[ANGLES] = {
    15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
    0.5244099658805304, 0.5347301163226948, 1.048080741042263};
static const double beginning[ANGLES] = {-0.0617138900142764496, 0,
                                         0.455279819163070380,   0.222668390165885885,
                                         0.487364979543842550,   -0.222668390165885885,
                                         1.23054744454982119};

/* angles at the end, full turns counted */
static long run(const char *settings, double angle[ANGLES]) {
    verify v;
    verify_example(&v, "andrews-squeezer", settings);
    for (int i = 0; i < ANGLES; i++) {
        verify_probe(&v, NULL, name[i], &angle[i]);
        assert_true(fabs(angle[i] - beginning[i]) < 1e-14);
    }
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        for (int i = 0; i < ANGLES; i++) {
            double y;
            verify_probe(&v, NULL, name[i], &y);
            angle[i] = y + 2 * M_PI * round((angle[i] - y) / (2 * M_PI));
        }
    }
    verify_below("energy balance, of the work [-]",
                 verify_value(&v, NULL, "energy.balance") / verify_value(&v, NULL, "energy.work"),
                 1e-3);
    gos_integrator_statistics(v.run, &v.stats);
    const long steps = v.stats.steps;
    verify_close(&v);
    return steps;
}

static double worst(const double angle[ANGLES], int from, int to) {
    double most = 0;
    for (int i = from; i < to; i++) {
        most = fmax(most, fabs(angle[i] - published[i]));
    }
    return most;
}

/* Second order: the step goes with the root of the tolerance, the error with the tolerance. */
static void published_angles(void **state) {
    (void)state;
    static const double tolerance[RUNS] = {1e-5, 1e-6, 1e-7, 1e-8};
    double beta[RUNS], all[RUNS];
    long steps[RUNS];
    for (int k = 0; k < RUNS; k++) {
        double angle[ANGLES];
        char settings[100];
        (void)snprintf(settings, sizeof settings, "analysis.tolerance=%g", tolerance[k]);
        steps[k] = run(settings, angle);
        beta[k] = worst(angle, 0, 1);
        all[k] = worst(angle, 0, ANGLES);
        print_message("    tolerance %g: %ld steps, beta off by %.3g rad, worst %.3g rad\n",
                      tolerance[k], steps[k], beta[k], all[k]);
        for (int i = 0; i < ANGLES; i++) {
            print_message("      %-8s %.15g off by %.3g\n", name[i], angle[i],
                          angle[i] - published[i]);
        }
    }
    // of the last three; from one to the next what the first turns leave is enlarged by chance
    verify_within("order of beta in the step",
                  log(beta[1] / beta[3]) / log((double)steps[3] / (double)steps[1]), 1.8, 2.2);
    for (int k = 1; k < RUNS; k++) {
        verify_within("beta, errors at ten times the tolerance over these", beta[k - 1] / beta[k],
                      4, HUGE_VAL);
    }
    verify_below("beta at 1e-7, error [rad]", beta[2], 5e-6);
    verify_below("its steps", (double)steps[2], 30000);
    verify_below("all angles at 1e-8, error [rad]", all[3], 1e-6);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_angles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
