/* The dumbbell satellite of examples/ for the tests of it: its runs by name, watching its balances,
   and how its observation points converge. Include after cmocka. */
#ifndef GOS_TEST_SATELLITE_H
#define GOS_TEST_SATELLITE_H

#include "support/verify.h"

#define SATELLITE_S1 "torque_a=-5000 torque_b=-5000 spin=0 "
#define SATELLITE_S2 SATELLITE_S1 "torque_tilt=500 "
#define SATELLITE_S3 "emissivity=0.8 T_datum=293.15 T_sink=3 "
#define SATELLITE_S4 SATELLITE_S1 "alpha=2.3e-5 "
#define SATELLITE_S5 "eclipse_start=4 eclipse_end=6 "
/* S1 beyond 9.3 s: its long rods pass the reference vector along Z that the cube carries, so they
   take one along X; their gradient is T_z then */
#define SATELLITE_UPRIGHT "bodies.L1.normal=[1,0,0] bodies.L2.normal=[1,0,0] "
#define SATELLITE_FIXED "analysis.newton_tolerance=1e-8 analysis.step=" // and a step [s]

/* numbers of the definition: theory of the example, section 9 */
#define SATELLITE_INERTIA 1.70017781e6 // about X through the centre of mass [kg m^2]

static inline void satellite_open(verify *v, const char *settings) {
    verify_example(v, "dumbbell-satellite", settings);
}

/* ---- balances -------------------------------------------------------------------------------- */

/* the largest that was seen in a run, and the scale of each */
typedef struct satellite_balance {
    double angular, across, linear; // of the momentum about X; of its other components; linear
    double momentum;                // largest |momentum about X| [kg m^2/s]
    double energy, exchanged;       // imbalance; largest of kinetic, work, strain [J]
    double heat;                    // imbalance over what was supplied
} satellite_balance;

/* run to the end; the momentum about X is spin I_X + torque t, that of a moment in space (all of it
   about the centre of mass, which rests), and about Z tilt t */
static inline satellite_balance satellite_watch(verify *v, double spin, double torque,
                                                double tilt) {
    satellite_balance b = {0};
    verify_start(v);
    while (gos_state_time(v->state) < v->opt.end) {
        double p[3], l[3];
        gos_energy e;
        gos_heat h;
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
        const double t = gos_state_time(v->state);
        gos_system_momentum(v->sys, v->state, p, l);
        gos_system_energy(v->sys, v->state, &e);
        gos_system_heat(v->sys, v->state, &h);
        b.angular = fmax(b.angular, fabs(l[0] - spin * SATELLITE_INERTIA - torque * t));
        b.across = fmax(b.across, hypot(l[1], l[2] - tilt * t));
        b.linear = fmax(b.linear, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
        b.momentum = fmax(b.momentum, fabs(l[0]));
        b.energy = fmax(b.energy, fabs(e.balance));
        b.exchanged = fmax(b.exchanged, fmax(fabs(e.work), fmax(e.strain, e.kinetic)));
        b.heat = fmax(b.heat, fabs(h.balance) / fmax(fabs(h.supplied), 1));
    }
    gos_integrator_statistics(v->run, &v->stats);
    print_message("    %ld steps: angular momentum %.2e about X, %.2e across, of %.4g kg m^2/s; "
                  "linear %.2e kg m/s; energy %.2e of %.4g J; heat %.1e\n",
                  v->stats.steps, b.angular, b.across, b.momentum, b.linear, b.energy, b.exchanged,
                  b.heat);
    return b;
}

/* ---- convergence ----------------------------------------------------------------------------- */

enum { SATELLITE_TIMES = 30, SATELLITE_POINTS = 5, SATELLITE_LEVELS = 3 };

/* observation points p1 to p5 at equidistant times (SATELLITE_TIMES, SATELLITE_POINTS, 3) */
static inline void satellite_points(const char *settings, double end, double step, double *x) {
    char all[500];
    verify v;
    snprintf(all, sizeof all, "%s t_end=%.17g " SATELLITE_FIXED "%.17g", settings, end, step);
    satellite_open(&v, all);
    verify_start(&v);
    for (int k = 0; k < SATELLITE_TIMES; k++) {
        const gos_state *at = verify_at(&v, end * (k + 1) / SATELLITE_TIMES);
        for (int i = 0; i < SATELLITE_POINTS; i++) {
            const char name[] = {'p', (char)('1' + i), '\0'};
            double y[GOS_PROBE_MAX];
            verify_probe(&v, at, name, y);
            memcpy(x + 3 * (k * SATELLITE_POINTS + i), y, 3 * sizeof *y);
        }
    }
    verify_close(&v);
}

/* Steps h, h/2, h/4: the largest distance between two runs, of any point at any time, falls by
 * four. */
static inline void satellite_converges(const char *name, const char *settings, double end,
                                       double step, double most) {
    enum { N = 3 * SATELLITE_TIMES * SATELLITE_POINTS };
    double x[SATELLITE_LEVELS][N], d[2] = {0};
    char what[100];
    for (int i = 0; i < SATELLITE_LEVELS; i++) {
        satellite_points(settings, end, step / (1 << i), x[i]);
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < N; k += 3) {
            d[i] = fmax(d[i], verify_distance(x[i] + k, x[i + 1] + k));
        }
    }
    snprintf(what, sizeof what, "%s, %g s: points from %g to %g s [m]", name, end, step / 2,
             step / 4);
    verify_below(what, d[1], most);
    snprintf(what, sizeof what, "%s, %g s: order of the points", name, end);
    verify_within(what, verify_order(d[0], d[1], 2), 1.9, 2.1);
}

#endif
