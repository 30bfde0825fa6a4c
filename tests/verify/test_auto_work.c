/* What method auto costs: preparing is at most the work of three runs of the full model (issue 11,
   E21), counted by what runs do and not by the clock, on short and long models alike. A full run is
   the model's own, or one with steps for a tenth of the tolerance where that requires smaller
   ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce.h"
#include "rom/auto_choice.h"
#include "rom/reconstruction.h"
#include "support/reduced.h"
#include "support/suite.h"
#include "support/verify.h"

#define RUNS 3.0
#define REPEAT 2

/* two steel beams, hinged to each other and to the ground: what bends them without stretching them
   takes many fields */
static const char double_pendulum[] =
    "materials: {steel: {density: 7800, young: 2e11, poisson: 0.3, damping: {normal: 1e-5, shear: "
    "1e-5}}}\n"
    "sections: {bar: {type: rectangle, height: 0.002, width: 0.02}}\n"
    "bodies:\n"
    "  upper: {type: ancf_beam, material: steel, section: bar, from: [0, 0, 0], to: [0.5, 0, 0],\n"
    "    elements: 8}\n"
    "  block: {type: rigid, mass: 0.01, inertia: [1e-6, 1e-6, 1e-6], position: [0.5, 0, 0]}\n"
    "  lower: {type: ancf_beam, material: steel, section: bar, from: [0.5, 0, 0], to: [1, 0, 0],\n"
    "    elements: 8}\n"
    "joints:\n"
    "  shoulder: {type: revolute, between: [ground, upper.start], axis: [0, 0, 1]}\n"
    "  weld: {type: clamp, between: [upper.end, block]}\n"
    "  elbow: {type: revolute, between: [block, lower.start], axis: [0, 0, 1]}\n"
    "gravity: [0, -9.81, 0]\n"
    "analysis: {end: 1}\n";

/* the rod of tests/cli/test_reduce.c, a heater, and a fixed step */
static const char rod[] =
    "parameters: {n: 8, w: 0, h: 0}\n"
    "materials: {m: {density: 2000, young: 1e8, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1e-4, damping: {normal: 4.5e-3, shear: 4.4e-4}, absorptivity: 1}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [1.2, 0, "
    "0],\n"
    "  elements: n}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 2e4, direction: [0, -1, 0], on: rod}%s}\n"
    "analysis: {end: 0.3, step: h}\n";

static gos_options asked_of(const verify *v, double tol) {
    gos_options o = v->opt;
    o.tolerance = fmin(o.tolerance, tol / 10);
    return o;
}

/* processor time of a full run, and its counted work */
static double time_of_run(const verify *v, double tol, double *work) {
    gos_trial_runs k;
    double best = HUGE_VAL;
    const gos_options o = asked_of(v, tol);
    for (int i = 0; i < REPEAT; i++) {
        verify_good(v, gos__trial_runs_create(v->ctx, v->sys, &o, &k));
        verify_good(v, gos__trial_runs_run(v->ctx, v->sys, &o, &k, NULL, NULL));
        best = fmin(best, k.seconds);
        *work = k.work;
        gos__trial_runs_free(v->ctx, &k);
    }
    return best;
}

/* kept: the tolerance is, too */
static void check(verify *v, const char *name, double tol, bool kept) {
    gos_reduction r = {0};
    double work, best = HUGE_VAL, counted[REPEAT];
    reduce_as(v->sys, (gos_reduction_def){.statics = 1, .tolerance = tol});
    const double full = time_of_run(v, tol, &work);
    for (int i = 0; i < REPEAT; i++) {
        gos_system *made;
        const double start = gos__cpu_time();
        verify_good(v, gos_reduce_auto(v->ctx, v->sys, &made));
        best = fmin(best, gos__cpu_time() - start);
        gos_reduction_get(made, &r);
        counted[i] = r.work;
        gos_system_destroy(made);
    }
    print_message("  %s, %.0e: %d runs, counted %.2f, processor time %.2f of %.1f ms; %d points of "
                  "%d, predicted %.2g, %.2g\n",
                  name, tol, r.runs, r.work, best / full, 1e3 * full, r.points, r.all_points,
                  r.predicted, r.predicted_temperature);
    assert_true(work > 0 && r.work > 0);
    verify_below("counted work", r.work, RUNS);
    assert_true(counted[0] == counted[1]); // no clock in it
    assert_true(!kept || (r.tolerance == tol && r.predicted <= tol));
    verify_close(v);
}

static void pendulums(void **state) {
    (void)state;
    static const char *const length[] = {"t_end=0.2", "t_end=0.5", "t_end=2"};
    for (int i = 0; i < GOS_COUNT(length); i++) {
        const double least = i == 2 && !suite_long() ? 1e-3 : 1e-4;
        for (double tol = 1e-2; tol > 0.5 * least; tol /= 10) {
            verify v;
            verify_example(&v, "thermal-pendulum", length[i]);
            check(&v, length[i], tol, true);
        }
    }
}

static void others(void **state) {
    (void)state;
    verify v;
    char text[2000];
    verify_text(&v, double_pendulum, NULL);
    check(&v, "double pendulum", 1e-3, true);
    verify_example(&v, "dumbbell-satellite", "t_end=1");
    check(&v, "satellite", 1e-4, true);
    verify_example(&v, "boley-beam", "output.every=t_end/100 analysis.end=t_end/2");
    check(&v, "Boley's beam", 1e-4, true);
    verify_example(&v, "elastica", NULL);
    check(&v, "elastica, statics", 1e-4, true);
    (void)snprintf(text, sizeof text, rod, "");
    verify_text(&v, text, NULL);
    check(&v, "rod", 1e-3, true);
    verify_text(&v, text, "h=0.005");
    check(&v, "rod, fixed steps", 1e-2, true);
    (void)snprintf(text, sizeof text, rod, ", h: {type: heat_flow, value: 5, on: rod.at(0.6)}");
    verify_text(&v, text, "n=16");
    check(&v, "rod with a heater", 1e-3, true);
    verify_example(&v, "thermal-pendulum", "n=600 t_end=0.1");
    check(&v, "long mesh", 1e-3, true);
}

/* a tolerance that takes more work than there is: the best so far, and a word */
static void missed(void **state) {
    (void)state;
    verify v;
    gos_system *made;
    gos_reduction r;
    char text[2000];
    (void)snprintf(text, sizeof text, rod, "");
    verify_text(&v, text, "h=0.01");
    reduce_as(v.sys, (gos_reduction_def){.statics = 1, .tolerance = 1e-9});
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
    gos_reduction_get(made, &r);
    bool told = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        told |= strstr(gos_ctx_diag(v.ctx, i)->text, "cannot be met") != NULL ||
                strstr(gos_ctx_diag(v.ctx, i)->text, "error is unknown") != NULL;
    }
    print_message("  counted %.2f, predicted %.2g\n", r.work, r.predicted);
    verify_below("counted work", r.work, RUNS);
    assert_true(told && (r.tolerance == 0 || r.predicted > 1e-9));
    gos_system_destroy(made);
    verify_close(&v);
}

/* states of the space are their own nearest ones, to round-off: motion, rates and temperatures */
static void nearest(void **state) {
    (void)state;
    static const char *const fields[] = {"polynomials", "modes"};
    for (int way = 0; way < GOS_COUNT(fields); way++) {
        verify v;
        gos_system *sys;
        gos_state *x;
        gos_reconstruction lift;
        char settings[100];
        (void)snprintf(settings, sizeof settings,
                       "reduction.fields=%s reduction.number=6 reduction.thermal_fields=4",
                       fields[way]);
        verify_example(&v, "thermal-pendulum", settings);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
        verify_good(&v, gos_state_create(v.ctx, sys, &x));
        gos_arena *a = gos__arena_create(v.ctx);
        verify_good(&v, gos__reconstruction_create(v.ctx, a, sys, &lift));
        double *q = GOS_NEW(a, double, 2 * (v.sys->nq + v.sys->nt) + 1), *th = q + v.sys->nq;
        double *back = GOS_NEW(a, double, sys->nq + sys->nt + 1), worst = 0;
        for (int i = 0; i < sys->nq; i++) {
            x->q[i] += 0.1 * sin(1 + 3.0 * i);
        }
        for (int i = 0; i < sys->nt; i++) {
            x->th[i] = 20 * cos(2 + 5.0 * i);
        }
        for (int origin = 0; origin < 2; origin++) {
            gos__reconstruct_motion(&lift, origin, x->q, q);
            gos__project_motion(&lift, origin, q, back);
            for (int i = 0; i < sys->nq; i++) {
                worst = fmax(worst, fabs(back[i] - x->q[i]));
            }
        }
        gos__reconstruct_heat(&lift, x->th, th);
        gos__project_heat(&lift, th, back);
        for (int i = 0; i < sys->nt; i++) {
            worst = fmax(worst, fabs(back[i] - x->th[i]) / 20);
        }
        verify_below("difference", worst, 1e-9); // the Gram matrix gets 1e-12 on its diagonal
        gos__arena_destroy(a);
        gos_state_destroy(x);
        gos_system_destroy(sys);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pendulums), cmocka_unit_test(others),
                                       cmocka_unit_test(missed), cmocka_unit_test(nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
