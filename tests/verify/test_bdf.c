/* The integrator bdf: closed forms, published values, agreement with generalised-alpha, which
   solves the equations in another form, and what holds for any tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "steppers/bdf/bdf.h"
#include "solve/integrator.h"
#include "support/history.h"
#include "support/newton_matrix.h"
#include "support/suite.h"
#include "support/turned.h"

/* ---- a pendulum ------------------------------------------------------------------------------ */

static const char pendulum[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes: {at: {at: b.centre, quantity: position}, F: {joint: h, quantity: joint_force},\n"
    "         open: {quantity: constraint_violation}}\n"
    "analysis: {end: 2, integrator: bdf}\n";

/* arithmetic-geometric mean: the period of a pendulum from rest at the amplitude A is 2 pi / (w
 * M(1, cos(A/2))) */
static double agm(double a, double b) {
    for (int i = 0; i < 20; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* largest |C_q v + C_t| */
static double open_velocity(const verify *v) {
    gos_work *w;
    double cv[100] = {0}, ct[100], unused[100], most = 0;
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    const gos_point_of at = {.t = v->state->t,
                             .scale = 1,
                             .q = v->state->q,
                             .v = v->state->v,
                             .th = v->state->th,
                             .mem = v->state->mem};
    assert_true(v->sys->nc <= 100);
    gos__constraint_apply(w, &at, v->state->v, cv);
    gos__constraint_rates(w, &at, ct, unused);
    for (int i = 0; i < v->sys->nc; i++) {
        most = fmax(most, fabs(cv[i] + ct[i]));
    }
    gos__work_destroy(v->ctx, w);
    return most;
}

/* distance from the start after one period; what is open on the way, relative to m g l and to the
 * extent */
static double swing(double tolerance) {
    const double w = sqrt(2 * 9.81 / 2.1), period = 2 * M_PI / (w * agm(1, cos(M_PI / 4)));
    double energy = 0, places = 0, rates = 0;
    verify v;
    verify_text(&v, pendulum, NULL);
    v.opt.tolerance = tolerance;
    v.opt.end = period;
    verify_start(&v);
    while (v.state->t < period) {
        gos_energy e;
        verify_good(&v, gos_integrator_step(v.run, period));
        gos_system_energy(v.sys, v.state, &e);
        energy = fmax(energy, fabs(e.balance) / (2 * 9.81));
        places = fmax(places, verify_value(&v, NULL, "open.value"));
        rates = fmax(rates, open_velocity(&v));
    }
    gos_integrator_statistics(v.run, &v.stats);
    const double y = verify_value(&v, NULL, "at.y");
    print_message("    tolerance %g: %ld steps, %ld rejected, %ld iterations, off by %.3g\n",
                  tolerance, v.stats.steps, v.stats.rejected, v.stats.iterations, fabs(y));
    /* near rest at the end: the angle is what is left of a period, squared; so energy measures the
     * error */
    verify_below("energy, tolerances", energy / tolerance, 3);
    verify_below("constraints, tolerances", places / tolerance, 0.05);
    verify_below("constraints of velocities, tolerances", rates / tolerance, 0.05);
    verify_close(&v);
    return energy;
}

/* Twice the time at the bottom, where an error of time is one of place: the quarter of the
   period. */
static double error_at_bottom(double tolerance) {
    const double w = sqrt(2 * 9.81 / 2.1), quarter = 0.5 * M_PI / (w * agm(1, cos(M_PI / 4)));
    verify v;
    verify_text(&v, pendulum, NULL);
    v.opt.tolerance = tolerance;
    v.opt.end = 5 * quarter;
    verify_run(&v);
    const double x = verify_value(&v, NULL, "at.x");
    verify_close(&v);
    return fabs(x); // the bottom, for the third time
}

static void errors_follow_the_tolerance(void **state) {
    GOS_UNUSED(state);
    double error[3];
    for (int k = 0; k < 3; k++) {
        const double tolerance = pow(10, -4 - 2 * k);
        (void)swing(tolerance);
        error[k] = error_at_bottom(tolerance);
        verify_below("place at the bottom after 5/4 periods, tolerances", error[k] / tolerance, 3);
    }
    verify_within("error for a hundredth of the tolerance", error[0] / error[2], 1e3, 1e5);
}

/* ---- Andrews' mechanism ---------------------------------------------------------------------- */

/* Angles that were published (theory of mechanisms; test set of Mazzia and Magherini 2008), of the
   bodies: beta, beta + Theta, gamma, phi + delta, delta, Omega + epsilon, epsilon; at the start and
   at 0.03 s. */
static void published_angles(void **state) {
    GOS_UNUSED(state);
    static const char *const name[] = {"beta", "k2", "k3", "k4", "k5", "k6", "k7"};
    const double phi0 = 0.222668390165885884, delta0 = 0.487364979543842550,
                 epsilon0 = 1.230547444549821192, beta0 = -0.061713890014276449;
    const double start[] = {beta0,           beta0,   0.455279819163070380, phi0 + delta0, delta0,
                            epsilon0 - phi0, epsilon0};
    const double phi = -0.5347301163226948, delta = 0.5244099658805304, epsilon = 1.048080741042263,
                 beta = 15.81077119629904;
    const double end[] = {
        beta,   beta - 15.75637105984298, 0.04082224013073101, phi + delta, delta, epsilon - phi,
        epsilon};
    double worst[2] = {0};
    for (int k = 0; k < 2; k++) {
        verify v;
        verify_open(&v, "tests/verify/models/andrews.yaml",
                    k == 0 ? "analysis.integrator=bdf analysis.tolerance=1e-6"
                           : "analysis.integrator=bdf analysis.tolerance=1e-8");
        verify_run(&v);
        for (int i = 0; i < 7; i++) {
            char what[20];
            snprintf(what, sizeof what, "%s.value", name[i]);
            const double off =
                remainder(verify_value(&v, NULL, what) - (end[i] - start[i]), 2 * M_PI);
            worst[k] = fmax(worst[k], fabs(off));
            if (k == 1) {
                verify_below(name[i], off, 1e-8);
            }
        }
        print_message("    tolerance %g: %ld steps, %ld rejected, off by %.3g rad\n",
                      v.opt.tolerance, v.stats.steps, v.stats.rejected, worst[k]);
        verify_close(&v);
    }
    verify_within("error for a hundredth of the tolerance", worst[0] / worst[1], 10, 1e5);
}

/* ---- the other integrator -------------------------------------------------------------------- */

/* BDF within `tolerance`, generalised-alpha within `part` of it; settings: of the model, or NULL */
static double difference_of(const char *path, const char *text, const char *settings,
                            double tolerance, double part) {
    static history c[2];
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        verify v;
        if (path) {
            verify_open(&v, path, settings);
        } else {
            verify_text(&v, text, settings);
        }
        v.opt.integrator = k == 0 ? GOS_GENERALISED_ALPHA : GOS_BDF;
        v.opt.tolerance = k == 0 ? part * tolerance : tolerance;
        history_of_probes(&v, &c[k]);
        worst = k == 1 ? history_difference(&v, &c[0], &c[1]) : 0;
        verify_close(&v);
    }
    return worst;
}

static void agrees_with_generalised_alpha(void **state) {
    GOS_UNUSED(state);
    verify_below("heavy top, tolerances",
                 difference_of("examples/heavy-top/model.yaml", NULL, NULL, 1e-5, 1) / 1e-5, 2);
    /* Against steps of 2e-5 s BDF is off by 0.003 tolerances, generalised-alpha by 0.8 of the
       extent as RMS over the mass, which is its own tolerance, and by 2.1 at the tip, which goes
       farthest. So BDF is held to its own tolerance with that a tenth. */
    static const char pendulum_in_the_sun[] = "examples/thermal-pendulum/model.yaml";
    verify_below("pendulum in the sun, tolerances of BDF",
                 difference_of(pendulum_in_the_sun, NULL, "t_end=0.5", 1e-5, 0.1) / 1e-5, 1);
    verify_below("pendulum in the sun, tolerances of both",
                 difference_of(pendulum_in_the_sun, NULL, "t_end=0.5", 1e-5, 1) / 1e-5, 2.5);
}

/* ---- jumps, events, memory ------------------------------------------------------------------- */

/* a force that jumps twice, a drive whose rate changes, a latch that catches */
static const char switched[] =
    "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], "
    "points: {o: [-1, 0, 0]}}}\n"
    "joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}\n"
    "loads: {turn: {type: moment, on: b, moment: [0, 0, \"t < 0.3 ? 2 : (t < 0.7 ? -1 : 0.5)\"]},\n"
    "  s: {type: torsion_spring, between: [ground, b.o], axis: [0, 0, 1], stiffness: 3, damping: "
    "0.2,"
    " rest_angle: 1, latch: {angle: 0.5, stiffness: 60, damping: 0.5}}}\n"
    "probes: {angle: {joint: h, quantity: joint_coordinates}, rate: {joint: h, quantity: "
    "joint_rates}}\n"
    "analysis: {end: 2}\n";

static void jumps_and_events(void **state) {
    GOS_UNUSED(state);
    verify_below("jumps and a latch, tolerances",
                 difference_of(NULL, switched, NULL, 1e-6, 1) / 1e-6, 4);
}

/* A fast top, 5e4 rad/s, starts, and starts again where a moment is switched on: order 1 bears
   steps of 2e-11 s only, of a run of 1 s. Not to be made so short, it says why it stops. */
static void fast_starts(void **state) {
    GOS_UNUSED(state);
    static const char top[] =
        "bodies: {top: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
        "loads: {push: {type: moment, on: top, moment: [0, 0, \"1e7*(t>1e-3)\"]}}\n"
        "initial: {top: {angular_velocity: [0, 0, 5e4]}}\n"
        "probes: {rate: {at: top, quantity: angular_velocity, direction: [0, 0, 1]}}\n"
        "analysis: {end: 1, integrator: bdf, tolerance: 1e-7}\n";
    verify v;
    verify_text(&v, top, NULL);
    verify_start(&v);
    const gos_state *x = verify_at(&v, 1.5e-3);
    verify_near("angular velocity, 5e4 + 1e7 (t - 1e-3) [rad/s]", verify_value(&v, x, "rate.value"),
                5.5e4, 1e-7 * 5.5e4);
    verify_close(&v);
    verify_text(&v, top, "analysis.min_step=1e-10");
    verify_start(&v);
    assert_int_equal(gos_integrator_step(v.run, 1), GOS_E_DIVERGED);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx),
                           "exceeds its share of tolerance 1e-07 even with steps of 5e-11 s"));
    verify_close(&v);
}

/* Newton's iteration does not stop early by a rate estimated with the matrix of another step:
   nearly no step of Andrews' mechanism is rejected (65 of 1,715 where it did, of 1,650 steps), and
   a run to high speeds continues (it ended at 0.37 s at 1e-8). */
static void few_are_rejected(void **state) {
    GOS_UNUSED(state);
    static const struct {
        double tolerance;
        long steps;
    } runs[] = {{1e-5, 900}, {1e-7, 2200}};
    for (int i = 0; i < GOS_COUNT(runs); i++) {
        verify v;
        verify_example(&v, "andrews-squeezer", "analysis.integrator=bdf");
        v.opt.tolerance = runs[i].tolerance;
        verify_run(&v);
        print_message("    tolerance %g: %ld steps, %ld rejected, %ld iterations\n",
                      v.opt.tolerance, v.stats.steps, v.stats.rejected, v.stats.iterations);
        assert_in_range(v.stats.rejected, 0, 5);
        assert_in_range(v.stats.steps, 1, runs[i].steps);
        verify_close(&v);
    }
}

/* What a run conserves is watched as with generalised-alpha: energy that a large tolerance loses is
   reported at the end, also of a run that continued from a kept state, and angular momentum of a
   free body that order 1 damps. */
static bool warned(const char *text, const char *settings, bool goes_on, const char *words) {
    verify v;
    bool told = false;
    verify_text(&v, text, settings);
    verify_start(&v);
    (void)verify_at(&v, v.opt.end - 1);
    if (goes_on) {
        verify_good(&v, gos_integrator_store_history(v.run));
        gos_integrator_destroy(v.run);
        verify_start(&v);
    }
    (void)verify_at(&v, v.opt.end);
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        told = told || strstr(gos_ctx_diag(v.ctx, i)->text, words);
    }
    verify_close(&v);
    return told;
}

static void losses_are_told(void **state) {
    GOS_UNUSED(state);
    static const char oscillator[] =
        "bodies: {mass: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
        "joints: {slide: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}}\n"
        "loads: {spring: {type: spring, between: [ground, mass], at: [-5, 0, 0],\n"
        "  stiffness: 40, free_length: 5}}\n"
        "analysis: {end: 30, integrator: bdf}\n";
    static const char tumbling[] = "bodies: {b: {type: rigid, mass: 1, inertia: [1, 2, 2.5]}}\n"
                                   "initial: {b: {angular_velocity: [1, 3, 0.1]}}\n"
                                   "analysis: {end: 5, integrator: bdf, max_order: 1}\n";
    static const char *const energy = "the energy balance has an error of";
    for (int k = 0; k < 2; k++) {
        assert_true(warned(oscillator, "analysis.tolerance=0.03", k == 1, energy));
        assert_false(warned(oscillator, "analysis.tolerance=1e-3", k == 1, energy));
    }
    assert_true(warned(tumbling, "analysis.tolerance=0.1", false, "angular momentum by"));
    assert_false(warned(tumbling, "analysis.tolerance=1e-4 analysis.max_order=5", false,
                        "angular momentum by"));
}

/* What the errors of all steps add up to is reported: of an oscillator, x = cos(2 pi t), it is the
   error at the end, where the amplitude has lost them all (1.1, 1.1, 1.0 of it), the same from a
   kept state. */
static double told_error(double tolerance, bool goes_on, double *off) {
    static const char text[] =
        "bodies: {mass: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
        "joints: {slide: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}}\n"
        "loads: {spring: {type: spring, between: [ground, mass], at: [-5, 0, 0],\n"
        "  stiffness: (2*pi)^2, free_length: 5}}\n"
        "probes: {at: {at: mass, quantity: position}}\n"
        "analysis: {end: 5, integrator: bdf}\n";
    static const char words[] = "the estimated step errors add up to about ";
    double told = 0;
    verify v;
    verify_text(&v, text, NULL);
    v.opt.tolerance = tolerance;
    verify_start(&v);
    verify_good(&v, gos_integrator_track_errors(v.run));
    if (goes_on) {
        (void)verify_at(&v, 2);
        verify_good(&v, gos_integrator_store_history(v.run));
        gos_integrator_destroy(v.run);
        verify_start(&v);
    }
    *off = fabs(verify_value(&v, verify_at(&v, 5), "at.x") - 1);
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const char *at = strstr(gos_ctx_diag(v.ctx, i)->text, words);
        told = at ? strtod(at + strlen(words), NULL) : told;
    }
    verify_close(&v);
    return told;
}

static void errors_are_told(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 4; i++) {
        double off;
        const double told = told_error(i == 3 ? 1e-4 : pow(10, -2 - 2 * i), i == 3, &off);
        verify_within("told error, of the true one", told / off, 0.7, 1.5);
    }
}

/* ---- going on -------------------------------------------------------------------------------- */

static void goes_on_with_the_same_digits(void **state) {
    GOS_UNUSED(state);
    double at[3][GOS_PROBE_MAX];
    gos_state *kept = NULL;
    verify v;
    verify_text(&v, switched, NULL);
    v.opt.integrator = GOS_BDF;
    v.opt.tolerance = 1e-6;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &kept));
    verify_start(&v);
    while (v.state->t < 0.9) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    verify_good(&v, gos_integrator_store_history(v.run));
    verify_good(&v, gos_state_copy(kept, v.state));
    for (int k = 0; k < 3; k++) {
        if (k > 0) {
            gos_integrator_destroy(v.run);
            v.run = NULL;
            verify_good(&v, gos_state_copy(v.state, kept));
            verify_start(&v);
        }
        while (v.state->t < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        verify_probe(&v, NULL, "angle", at[k]);
    }
    assert_memory_equal(at[1], at[2], sizeof at[1][0]);
    verify_below("beside the run that was not stopped, tolerances",
                 fabs(at[0][0] - at[1][0]) / 1e-6, 1);
    gos_state_destroy(kept);
    verify_close(&v);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static const char everything[] =
    "materials: {m: {density: 1000, young: 1e6, poisson: 0.3, conductivity: 20, specific_heat: "
    "300, "
    "expansion: 1e-4, damping: {normal: 1e-3, shear: 1e-3}}}\n"
    "sections: {s: {type: rectangle, height: 0.05, width: 0.1}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "3}\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [1.2, 0, 0], points: {p: "
    "[-0.2, "
    "0, 0]}}\n"
    "joints:\n"
    "  a: {type: spherical, between: [ground, rod.start]}\n"
    "  b: {type: spherical, between: [rod.end, hub.p]}\n"
    "loads: {s: {type: spring, between: [ground, hub], at: [1.2, 1, 0], stiffness: 30, damping: "
    "2}}\n"
    "heat: {T: {type: temperature, on: rod.start, value: \"sin(t)\"}}\n"
    "gravity: [0, -9.81, 1]\n"
    "analysis: {thermoelastic_heat: true, viscous_heating: true}\n";

/* at a random place with mu = 0, whose derivative is left out, by differences along random
 * directions */
static void matrix_is_the_derivative(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 5;
    const double by_rate = 3.7, step = 1e-3;
    gos_bdf_matrix m;
    gos_work *w;
    verify v;
    verify_text(&v, everything, NULL);
    verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
    verify_good(&v, gos__bdf_matrix_make(v.ctx, w, &m));
    assert_true(v.sys->nc > 6 && v.sys->nh > 0 && v.sys->nt > 0);
    const gos_bdf_blocks *b = &m.at;
    const int n = b->n;
    double *y = calloc(8 * (size_t)n, sizeof *y), *yd = y + n, *d = yd + n, *r = d + n;
    double *z = r + n, *zd = z + n, *exact = zd + n, *sum = exact + n;
    random_fill(&seed, n, 1, y);
    random_fill(&seed, n, 1, yd);
    for (int i = 0; i < v.sys->nq; i++) {
        y[b->q + i] = v.sys->e0[i] + 0.02 * y[b->q + i];
    }
    memset(y + b->mu, 0, (size_t)v.sys->nc * sizeof *y);
    const gos_point_of x = gos__bdf_point(&m, 0.4, y, yd, v.sys->mem0);
    gos__bdf_matrix_fill(&m, w, &x, by_rate);
    const int from[] = {b->q, b->v, b->th, b->lam, b->mu, b->lamT, n};
    static const char *const name[] = {"by q", "by v", "by th", "by lam", "by mu", "by lamT"};
    for (int k = 0; k < 6; k++) {
        memset(d, 0, (size_t)n * sizeof *d);
        random_fill(&seed, from[k + 1] - from[k], 1, d + from[k]);
        memset(exact, 0, (size_t)n * sizeof *exact);
        memset(sum, 0, (size_t)n * sizeof *sum);
        for (int col = 0; col < n; col++) {
            for (int e = m.pattern.p[col]; e < m.pattern.p[col + 1]; e++) {
                exact[m.pattern.i[e]] += m.values[e] * d[col];
            }
        }
        for (int p = 0; p < 4; p++) {
            static const double weight[4] = {1, -8, 8, -1};
            for (int i = 0; i < n; i++) {
                z[i] = y[i] + shifts[p] * step * d[i];
                zd[i] = yd[i] + shifts[p] * step * by_rate * d[i];
            }
            const gos_point_of at = gos__bdf_point(&m, 0.4, z, zd, v.sys->mem0);
            assert_int_equal(gos__bdf_residual(&m, w, &at, z, zd, r), GOS_OK);
            for (int i = 0; i < n; i++) {
                sum[i] += weight[p] * r[i] / (12 * step);
            }
        }
        for (int rows = 0; rows < 6; rows++) { // each block against its own size
            block one = {.what = name[k]};
            for (int i = from[rows]; i < from[rows + 1]; i++) {
                compare(&one, exact[i], sum[i]);
            }
            if (one.largest > 0) {
                check_block(&one);
            } else { // rounding of residuals
                assert_true(one.error < 1e-9);
            }
        }
    }
    free(y);
    gos__bdf_matrix_free(&m);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused_by(const verify *v, gos_status status, const char *words) {
    assert_int_equal(status, GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v->ctx));
    assert_non_null(strstr(gos_ctx_message(v->ctx), words));
}

/* in a model with its line; of options as words */
static void refusals(void **state) {
    GOS_UNUSED(state);
    static const char *const wrong[] = {"step: 0.01", "probe_tolerance: 0.01", "rho_infinity: 0.5"};
    char text[2000];
    for (int i = 0; i < 3; i++) {
        verify v = {.ctx = gos_ctx_create()};
        snprintf(text, sizeof text,
                 "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\n"
                 "analysis: {integrator: bdf,\n  %s}\n",
                 wrong[i]);
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        refused_by(&v, gos_system_create(v.ctx, v.model, &v.sys), "test:3:");
        verify_close(&v);
    }
    verify v;
    verify_text(&v, pendulum, NULL);
    v.opt.step = 0.01;
    refused_by(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &v.run), "`step`");
    verify_close(&v);
}

/* ---- bodies at rest that warm ---------------------------------------------------------------- */

/* Nothing moves, or as slowly as heat spreads: rounding of stiff, finely meshed bodies must not
 * dictate the steps. */
static void warms_at_rest(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {" TURNED_PARAMETERS ", n: 100, a: 0, W: Pa*mm^3}\n"
        "materials: {m: {density: 7800*rho, young: 2e11*Pa, poisson: 0.3, "
        "conductivity: 15*W/mm, "
        "specific_heat: 500*mm^2, expansion: a}}\n"
        "sections: {s: {type: rectangle, height: 0.01*mm, width: 0.01*mm}}\n"
        "bodies: {r: {type: ancf_cable, material: m, section: s, from: [0, "
        "0, 0], to: " TURNED("0.2*mm", "0", "0") ", normal: " TURNED(
            "0", "0", "1") ", elements: n}}\n"
                           "joints: {c: {type: clamp, between: [ground, r.end]}}\n"
                           "heat: {q: {type: flux, value: 1e5*W/mm^2, on: r.start}}\n"
                           "probes: {T: {at: r.start, quantity: temperature}}\n"
                           "analysis: {end: 100, tolerance: 1e-5, integrator: bdf}\n";
    /* clamped, with and without expansion, by beams, free; turned in mm-tonne-s, where rounding
       shakes the rod across: orders above 2 amplify that on the finest mesh, and are left out from
       there on */
    static const struct {
        const char *more;
        bool turned;
        long most;
    } each[] = {{"", false, 500},
                {"a=1.2e-5", false, 500},
                {"bodies.r.type=ancf_beam n=20", false, 500},
                {"joints={} n=30", false, 500},
                {"n=40", true, 500},
                {"", true, 15000}};
    const double alpha = 15 / (7800.0 * 500), want = 2 * 1e5 / 15 * sqrt(alpha * 100 / M_PI);
    for (int i = 0; i < (suite_long() ? 6 : 5); i++) { // the last one takes 6 s
        const turned t = each[i].turned ? turned_by(0.4, 1.1, -2, true) : turned_by(0, 0, 0, false);
        char settings[3000];
        verify v;
        turned_settings(&t, each[i].more, settings, sizeof settings);
        verify_text(&v, text, settings);
        verify_run(&v);
        print_message("    %s: %ld steps\n", each[i].more, v.stats.steps);
        assert_true(v.stats.steps < each[i].most);
        // a rod without an end; a mesh of 20 is off by less than (h / depth)^2 of it, depth =
        // sqrt(alpha t)
        verify_near_rel("temperature of the heated end [K]", verify_value(&v, NULL, "T.T"), want,
                        0.02);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_follow_the_tolerance),
                                       cmocka_unit_test(published_angles),
                                       cmocka_unit_test(agrees_with_generalised_alpha),
                                       cmocka_unit_test(jumps_and_events),
                                       cmocka_unit_test(fast_starts),
                                       cmocka_unit_test(few_are_rejected),
                                       cmocka_unit_test(losses_are_told),
                                       cmocka_unit_test(errors_are_told),
                                       cmocka_unit_test(goes_on_with_the_same_digits),
                                       cmocka_unit_test(matrix_is_the_derivative),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(warms_at_rest)};
    return cmocka_run_group_tests_name("bdf", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
