/* Time histories of runs and their comparison. Include after cmocka. */
#ifndef GOS_TEST_HISTORY_H
#define GOS_TEST_HISTORY_H

#include "support/verify.h"

/* starts the run; values (see verify_value) at dt, 2 dt, ...: y (times, n) */
static inline void history_record(verify *v, double dt, int times, int n, const char *const *value,
                                  double *y) {
    verify_start(v);
    for (int k = 0; k < times; k++) {
        const gos_state *x = verify_at(v, dt * (k + 1));
        for (int i = 0; i < n; i++) {
            y[k * n + i] = verify_value(v, x, value[i]);
        }
    }
}

/* largest difference of value i, relative to its largest magnitude in `want` */
static inline double history_error(int times, int n, int i, const double *got, const double *want) {
    double most = 0, off = 0;
    for (int k = 0; k < times; k++) {
        most = fmax(most, fabs(want[k * n + i]));
        off = fmax(off, fabs(got[k * n + i] - want[k * n + i]));
    }
    assert_true(most > 0);
    return off / most;
}

/* RMS of the difference, relative to the RMS of `want` */
static inline double history_rms(int times, const double *got, const double *want) {
    double away = 0, all = 0;
    for (int k = 0; k < times; k++) {
        away += (got[k] - want[k]) * (got[k] - want[k]);
        all += want[k] * want[k];
    }
    return sqrt(away / all);
}

/* all components of all probes */
enum { HISTORY_TIMES = 40, HISTORY_VALUES = 60 };

typedef struct history {
    double y[HISTORY_TIMES][HISTORY_VALUES];
} history;

/* starts the run and records it at equal time intervals */
static inline void history_of_probes(verify *v, history *h) {
    verify_start(v);
    for (int k = 0; k < HISTORY_TIMES; k++) {
        const gos_state *x = verify_at(v, v->opt.end * (k + 1) / HISTORY_TIMES);
        for (int i = 0, n = 0; i < gos_system_nprobes(v->sys); i++) {
            gos_probe_info info;
            gos_system_probe_info(v->sys, i, &info);
            assert_true(n + info.ncomp <= HISTORY_VALUES);
            verify_good(v, gos_system_probe(v->ctx, v->sys, x, i, h->y[k] + n, NULL));
            n += info.ncomp;
        }
    }
    gos_integrator_statistics(v->run, &v->stats);
    static const char *const integrator[] = {
        [GOS_GENERALISED_ALPHA] = "generalised-alpha", [GOS_BDF] = "bdf", [GOS_RADAU] = "radau"};
    print_message("    %s, tolerance %g: %ld steps, %ld rejected, %ld restarts\n",
                  integrator[v->opt.integrator], v->opt.tolerance, v->stats.steps,
                  v->stats.rejected, v->stats.restarts);
}

/* Largest difference of any component of a probe, relative to the largest range (max - min) among
 * its components in `a`. */
static inline double history_difference(const verify *v, const history *a, const history *b) {
    double worst = 0;
    int at = 0;
    for (int i = 0; i < gos_system_nprobes(v->sys); i++) {
        gos_probe_info info;
        gos_system_probe_info(v->sys, i, &info);
        double range = 0, most = 0;
        for (int c = at; c < at + info.ncomp; c++) {
            double low = a->y[0][c], high = low;
            for (int k = 0; k < HISTORY_TIMES; k++) {
                low = fmin(low, a->y[k][c]);
                high = fmax(high, a->y[k][c]);
                most = fmax(most, fabs(a->y[k][c] - b->y[k][c]));
            }
            range = fmax(range, high - low);
        }
        print_message("      %-30s difference %.3g of its range (%.3g)\n", info.name, most / range,
                      range);
        worst = fmax(worst, most / range);
        at += info.ncomp;
    }
    return worst;
}

#endif
