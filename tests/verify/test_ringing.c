/* Modes that ring with amplitudes below the tolerance do not dictate the step of error control:
   what counts of an error that is made of known modes, against its closed form; a bar with one mode
   along its axis, which is lost or followed as is asked; the arm on a hub, which has twenty of
   them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/integrator.h"
#include "steppers/alpha/generalised_alpha.h"
#include "support/suite.h"
#include "support/verify.h"
#include "support/matrix_files.h"

/* ---- shares in closed form ------------------------------------------------------------------- */

#define MODES 9
static const double end = 10,
                    amplitudes = 20; // of a run [s]; errors that a lost mode may add up to

/* masses of 2 kg on springs, of frequencies w; a step of h has been factorised */
static gos_alpha *oscillators(verify *v, const double *w, double h) {
    double M[MODES * MODES] = {0}, K[MODES * MODES] = {0};
    for (int i = 0; i < MODES; i++) {
        M[i * (MODES + 1)] = 2;
        K[i * (MODES + 1)] = 2 * w[i] * w[i];
    }
    matrix_write("M", MODES, MODES, M);
    matrix_write("K", MODES, MODES, K);
    matrix_model(v,
                 "bodies: {part: {type: matrices, M: M.mtx, K: K.mtx}}\n"
                 "analysis: {end: 10}\n",
                 NULL);
    verify_start(v);
    gos_alpha *g = (gos_alpha *)v->run;
    verify_good(v, gos__alpha_refresh(g, v->state, h, 0));
    return g;
}

/* with the error h^3 w^3 E A of a mode and T/h steps the sum LOST A is reached at w_s */
static double counts(const gos_alpha *g, double h, double w) {
    const double ws = cbrt(amplitudes / (g->k.error * end * h * h));
    return pow(1 + w * w / (ws * ws), -1.5);
}

/* g->r := error e in each mode. @return size of what counts, over that of all */
static double put(gos_alpha *g, double h, const double *w, const double *e) {
    double sum = 0, all = 0;
    memset(g->r, 0, g->sys->n * sizeof *g->r);
    for (int i = 0; i < MODES; i++) {
        g->r[i] = e[i];
        sum += pow(e[i] * counts(g, h, w[i]), 2);
        all += e[i] * e[i];
    }
    return sqrt(sum / all);
}

/* as many modes as vectors: exact, each mode by itself and all together */
static void few(void **state) {
    (void)state;
    verify v;
    const double h = 1e-3, w[MODES] = {0, 10, 150, 600, 4000, 1, 1, 1, 1};
    gos_alpha *g = oscillators(&v, w, h);
    for (int i = 0; i < 6; i++) {
        double e[MODES] = {0};
        for (int j = 0; j < 5; j++) {
            e[j] = (i == j || i == 5) ? 1e-7 * (j + 1) : 0;
        }
        const double want = put(g, h, w, e), got = gos__vibration_share(g, h, 0);
        verify_near("what counts", got, want, i < 5 ? 1e-9 : 0.3 * want);
        assert_true(got >= (1 - 1e-9) * want);
        for (int j = 0; j < 5 && i < 5; j++) {
            verify_near("of the mode", g->r[j], e[j] * counts(g, h, w[j]), 1e-9 * 5e-7);
        }
    }
    verify_close(&v);
}

/* more modes than vectors: never too small, wherever most of the error is */
static void many(void **state) {
    (void)state;
    verify v;
    const double h = 2e-4, w[MODES] = {0.3, 3.9, 24.5, 68.6, 134, 222, 4357, 13000, 22000};
    gos_alpha *g = oscillators(&v, w, h);
    for (int i = -6; i <= 6; i++) {
        double e[MODES];
        for (int j = 0; j < MODES; j++) {
            e[j] = 1e-9 * pow(10, 0.25 * i * j);
        }
        const double want = put(g, h, w, e), got = gos__vibration_share(g, h, 0);
        verify_within("what counts, of what does", got / want, 1 - 1e-5, 1.3);
    }
    verify_close(&v);
}

/* ---- a bar with one mode along its axis ------------------------------------------------------ */

/* One element: along the axis u = F/k (1 - cos w t), k = EA/L, w^2 = 3 E/(rho L^2), 4375.9 rad/s,
 * whatever bends beside it. */
static const char bar[] =
    "parameters: {end: 1, Fy: 0.2}\n"
    "materials: {light: {density: 2767, young: 6.895e10}}\n"
    "sections: {strip: {type: general, area: 2.5e-4, Iy: 1.302e-10, Iz: 1.302e-10}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: light, section: strip, from: [0, 0, 0],\n"
    "        to: [1.8, 0, 0], elements: 1, bending: y, torsion: rigid, coupling: 0}\n"
    "joints: {root: {type: clamp, between: [ground, arm.start]}}\n"
    "loads: {push: {type: force, on: arm.end, value: [4, Fy, 0]}}\n"
    "probes: {tip: {at: arm.end, quantity: displacement}}\n"
    "analysis: {end: end, tolerance: 1e-5}\n";

/* largest error of the tip along the axis over F/k, what the run has told of it, and steps */
static double along(const char *settings, double *told, double *across, long *steps) {
    const double k = 6.895e10 * 2.5e-4 / 1.8, w = sqrt(3 * 6.895e10 / 2767) / 1.8;
    double worst = 0, rate, y[GOS_PROBE_MAX];
    verify v;
    verify_text(&v, bar, settings);
    verify_start(&v);
    verify_good(&v, gos_integrator_track_errors(v.run));
    for (int i = 1; i <= 997; i++) {
        const double t = v.opt.end * i / 997.0;
        verify_probe(&v, verify_at(&v, t), "tip", y);
        worst = fmax(worst, fabs(y[0] - 4 / k * (1 - cos(w * t))));
    }
    *across = y[1];
    gos__error_propagation_value(((gos_alpha *)v.run)->probe_errors, 0, told, &rate);
    gos_integrator_statistics(v.run, &v.stats);
    *steps = v.stats.steps;
    verify_close(&v);
    *told *= k / 4;
    return worst * k / 4;
}

static void lost_or_followed(void **state) {
    (void)state;
    double told, exact, across;
    long steps, many_steps;
    (void)along("analysis.tolerance=1e-6", &told, &exact, &many_steps);
    double error = along(NULL, &told, &across, &steps);
    print_message("    %ld and %ld steps\n", steps, many_steps);
    verify_below("tip across, over the length", fabs(across - exact) / 1.8,
                 2.2e-5 + 2.2e-6); // eta/E, both runs
    assert_true(steps < 2000);     // 700 periods
    // at first cubics between ends of steps still have its velocities: of tolerance * 1.8 m / (F/k)
    // = 43 less
    verify_within("ringing that is lost, over what it is", error, 0.5, 5);
    verify_within("reported part, over the error", told / error, 0.3, 10);
    /* With nothing else that moves steps would grow until cubics between their ends leave the
       tolerance, 43 F/k, by 31 of them. The error that is not looked into, as it is small, lets
       four be. */
    error = along("Fy=0", &told, &across, &steps);
    print_message("    %ld steps\n", steps);
    verify_below("ringing that is lost, nothing else, over what it is", error, 5 * 43);
    // with amplitudes above the tolerance: RMS of 2e-8 of the length are sqrt(3) * 0.086 F/k at the
    // tip, and eta/E of that
    error = along("analysis.tolerance=2e-8 end=0.25", &told, &across, &steps);
    print_message("    %ld steps\n", steps);
    verify_below("ringing that is followed, over what it is", error, 2.2 * sqrt(3) * 0.086);
    verify_within("reported part, over the error", told / error, 0.3, 10);
}

/* ---- the arm on a hub ------------------------------------------------------------------------ */

typedef struct course {
    long steps;
    double theta[40], tip[40][2], balance;
} course;

static void follow(const char *settings, course *c) {
    double y[GOS_PROBE_MAX];
    verify v;
    verify_example(&v, "hub-beam", settings);
    verify_start(&v);
    for (int i = 0; i < 40; i++) {
        const gos_state *x = verify_at(&v, v.opt.end * (i + 1) / 40);
        verify_probe(&v, x, "theta", y);
        c->theta[i] = y[0];
        verify_probe(&v, x, "tip", y);
        memcpy(c->tip[i], y, sizeof c->tip[i]);
    }
    gos_energy e;
    gos_system_energy(v.sys, v.state, &e);
    c->balance = e.balance;
    gos_integrator_statistics(v.run, &v.stats);
    c->steps = v.stats.steps;
    verify_close(&v);
}

/* forces that grow and a rate that is there at once: undamped, the arm rings along its axis by 1e-8
 * to 1e-7 of its length */
static void hub_beam(void **state) {
    (void)state;
    static course exact, c;
    long before = 0;
    follow("t_end=4 ramp=0.5 analysis.step=1e-4", &exact);
    for (int i = 4; i <= 6; i++) {
        char settings[200];
        const double tolerance = pow(10, -i);
        (void)snprintf(settings, sizeof settings,
                       "t_end=4 ramp=0.5 analysis.step=0 analysis.max_steps=20000 "
                       "analysis.tolerance=%g",
                       tolerance);
        follow(settings, &c);
        print_message("    tolerance %g: %ld steps\n", tolerance, c.steps);
        double theta = 0, tip = 0;
        for (int k = 0; k < 40; k++) {
            theta = fmax(theta, fabs(c.theta[k] - exact.theta[k]));
            tip = fmax(tip, fmax(fabs(c.tip[k][0] - exact.tip[k][0]),
                                 fabs(c.tip[k][1] - exact.tip[k][1])));
        }
        verify_below("angle, tolerances", theta / tolerance, 5);
        verify_below("tip over the length, tolerances", tip / 1.8 / tolerance, 2);
        if (before > 0) { // of second order: sqrt(10)
            verify_within("steps over those before", (double)c.steps / (double)before, 2.5, 4);
        }
        before = c.steps;
    }
}

/* Changes of the step must not feed what rings: carried over from step to step as the motion of
   rigid bodies is, velocities gained 4e-5 J in this half second. */
static void no_energy(void **state) {
    (void)state;
    static course c;
    follow("t_end=0.5 analysis.step=0 analysis.max_steps=40000 analysis.tolerance=1e-6", &c);
    print_message("    %ld steps\n", c.steps);
    verify_within("energy [J] beside the strain energy of 1.4e-4 J", c.balance, -2e-5, 1e-7);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few), cmocka_unit_test(many),
                                       cmocka_unit_test(lost_or_followed),
                                       cmocka_unit_test(hub_beam), cmocka_unit_test(no_energy)};
    return cmocka_run_group_tests(tests, matrix_folder_make, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
