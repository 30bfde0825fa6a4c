/* An integrator made at a state that keeps what another one knew continues with the same bits,
 * whatever steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"
#include "steppers/alpha/generalised_alpha.h"
#include "solve/integrator.h"
#include "gossamer/reduce.h"

/* A hot pendulum that a load pushes now and then, so that the run restarts; heavier damping here
   and there keeps Newton busy. */
static const char model[] =
    "name: pushed pendulum\n"
    "parameters: {n: 8, L: 1.0, E: 1.0e7}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: E, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: n}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  push: {type: force, on: rod.end, value: [0, 0, 4*(t > 0.1)*(t < 0.25) + (t > 0.4)]}\n"
    "heat:\n"
    "  sun: {type: flux, value: 2.0e4*(t < 0.3), direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  tip_temperature: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: dynamic, end: 0.6, tolerance: 1.0e-4}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 8}\n";

enum { RESUMES = 20, FEW = 6, STEPS_MAX = 4000 };
#define AUTO "analysis.solver=auto "
#define WHOLE "analysis.solver=unsymmetric "

static gos_state *take(const verify *v, const gos_system *sys, const gos_state *x) {
    gos_state *shot;
    verify_good(v, gos_integrator_store_history(v->run));
    verify_good(v, gos_state_create(v->ctx, sys, &shot));
    verify_good(v, gos_state_copy(shot, x));
    return shot;
}

static void assert_same(const gos_state *a, const gos_state *b) {
#define X(name, doc) assert_memory_equal(&a->name, &b->name, sizeof(double));
    GOS_STATE_NUMBERS(X)
#undef X
    assert_memory_equal(&a->energy, &b->energy, sizeof a->energy);
    assert_memory_equal(a->block, b->block, a->nblock * sizeof(double));
}

/* Set from outside at each multiple of every [s]: forces of all directions, which turn with the
 * motion. */
typedef struct pushes {
    int input[3];
    double every;
} pushes;

static gos_status step(const verify *v, gos_integrator *g, gos_state *x, const pushes *p) {
    if (!p) {
        return gos_integrator_step(g, v->opt.end);
    }
    const double k = floor(x->t / p->every + 1e-9);
    for (int i = 0; i < 3 && fabs(x->t - k * p->every) < 1e-12; i++) {
        verify_good(v, gos_state_set_input(v->ctx, x, p->input[i], 2 * sin((i + 2) * k), x->t));
    }
    return gos_integrator_step(g, fmin((k + 1) * p->every, v->opt.end));
}

/* Run to the end once; then from each of the chosen steps again. */
static void check_pushed(verify *v, const gos_system *sys, int resumes, const pushes *p) {
    static gos_state *shot[RESUMES];
    static int at[RESUMES];
    gos_state *x;
    gos_statistics stats, again;
    const gos_alpha *alpha = NULL; // of local linearisation nothing is looked at
    int with_factor = 0, with_old_pivots = 0, whole = 0, turned = 0, nstep = 0;
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    verify_good(v, gos_integrator_create(v->ctx, sys, &v->opt, x, &v->run));
    verify_good(v, gos_integrator_track_errors(v->run));
    while (x->t < v->opt.end) { // how many steps there are
        verify_good(v, step(v, v->run, x, p));
        nstep++;
    }
    gos_integrator_destroy(v->run);
    gos_state_destroy(x);
    assert_in_range(nstep, 2 * resumes, STEPS_MAX);
    uint64_t random = 4711;
    for (int i = 0; i < resumes; i++) {
        at[i] = i * nstep / resumes + random_below(&random, nstep / resumes);
    }
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    verify_good(v, gos_integrator_create(v->ctx, sys, &v->opt, x, &v->run));
    verify_good(v, gos_integrator_track_errors(v->run));
    for (int k = 0, i = 0; k < nstep; k++) {
        while (i < resumes && at[i] == k) {
            shot[i++] = take(v, sys, x);
            alpha = v->run->by == gos__stepper(GOS_GENERALISED_ALPHA) ? (const gos_alpha *)v->run
                                                                      : NULL;
            with_factor += alpha && alpha->have_factor;
            with_old_pivots += alpha && alpha->have_factor && !alpha->own_pivots;
            whole += alpha && alpha->have_factor && gos__newton_solver_whole(alpha->solver);
            turned += alpha && alpha->have_factor && gos__corotation_updated_at(alpha->turned);
            // what a start has left behind is not in the history: nothing may begin with it
            assert_true(!alpha || alpha->have_factor || !gos__newton_solver_in_parts(alpha->own));
        }
        verify_good(v, step(v, v->run, x, p));
    }
    gos_integrator_statistics(v->run, &stats);
    gos_integrator_destroy(v->run);
    v->run = NULL;
    for (int i = 0; i < resumes; i++) {
        gos_integrator *g;
        verify_good(v, gos_integrator_create(v->ctx, sys, &v->opt, shot[i], &g));
        verify_good(v, gos_integrator_track_errors(g)); // what is reported continues as well
        while (shot[i]->t < v->opt.end) {
            verify_good(v, step(v, g, shot[i], p));
        }
        assert_same(shot[i], x);
        gos_integrator_statistics(g, &again);
        assert_int_equal(again.steps, stats.steps);
        assert_int_equal(again.iterations, stats.iterations);
        assert_int_equal(again.factorisations, stats.factorisations);
        assert_int_equal(again.unsymmetric, stats.unsymmetric);
        assert_int_equal(again.residuals, stats.residuals);
        assert_int_equal(again.restarts, stats.restarts);
        gos_integrator_destroy(g);
        gos_state_destroy(shot[i]);
    }
    gos_state_destroy(x);
    print_message(
        "%d steps, %ld factorisations, %ld restarts; of %d resumed %d with a factorisation, "
        "%d with older pivots, %d of the whole matrix, %d turned\n",
        nstep, stats.factorisations, stats.restarts, resumes, with_factor, with_old_pivots, whole,
        turned);
    if (!alpha) {
        return;
    }
    assert_true(with_factor > resumes / 2);
    const bool in_parts = v->opt.solver == GOS_SOLVER_AUTO && !sys->reduced;
    if (!sys->reduced && !in_parts) { // those of motion and of symmetric heat are always the same
        assert_true(with_old_pivots > 0);
    }
    if (2 * stats.unsymmetric > stats.factorisations) { // both are gone on from
        assert_true(whole > 0);
        assert_true(whole < with_factor);
    }
    assert_true(in_parts || whole == with_factor);
    assert_true(turned > 0);
}

static void check(verify *v, const gos_system *sys, int resumes) {
    check_pushed(v, sys, resumes, NULL);
}

static void test_full(void **state) {
    (void)state;
    verify v;
    verify_text(&v, model, AUTO);
    check(&v, v.sys, RESUMES);
    verify_close(&v);
    verify_text(&v, model, WHOLE);
    check(&v, v.sys, FEW);
    verify_close(&v);
}

/* A tip that is pushed across by what it moves: the symmetric part of the matrix serves at some
 * places, the whole one at others. */
static void test_fallback(void **state) {
    static const char circulating[] =
        "materials: {rubber: {density: 1000, young: 1.0e7, poisson: 0.3, damping: {normal: "
        "2.0e-3}}}\n"
        "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
        "  to: [1, 0, 0], elements: 8, normal: [0, 0, 1]}}\n"
        "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
        "gravity: [0, -9.81, 0]\n"
        "loads:\n"
        "  across: {type: force, on: rod.end, value: [0, 0, '-100*tip.y']}\n"
        "  back: {type: force, on: rod.end, value: [0, '100*tip.z', 0]}\n"
        "probes: {tip: {at: rod.end, quantity: position}}\n"
        "analysis: {type: dynamic, end: 0.2, step: 2.0e-3, solver: auto}\n";
    (void)state;
    verify v;
    verify_text(&v, circulating, NULL);
    check(&v, v.sys, RESUMES);
    verify_run(&v);
    assert_true(v.stats.unsymmetric > 0);
    verify_close(&v);
}

static void test_fixed_step(void **state) {
    (void)state;
    verify v;
    verify_text(&v, model, AUTO "analysis.step=1e-3");
    check(&v, v.sys, RESUMES);
    verify_close(&v);
}

/* What a factorisation has answered to inputs that are set again and again is known on, to the last
 * bit. */
static void test_inputs(void **state) {
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        verify v;
        verify_text(&v, model, fixed ? "n=4 analysis.step=1e-3" : "n=4 analysis.end=0.3");
        pushes p = {.every = fixed ? 1e-3 : 0.01};
        for (int i = 0; i < 3; i++) {
            const char name[] = {'p', 'u', 's', 'h', '.', (char)('x' + i), 0};
            p.input[i] = gos_system_input_find(v.sys, name);
            assert_true(p.input[i] >= 0);
        }
        check_pushed(&v, v.sys, RESUMES, &p);
        verify_close(&v);
    }
}

/* errors of probes choose the steps */
static void test_probes(void **state) {
    (void)state;
    verify v;
    verify_text(&v, model, "n=4 analysis.end=0.3 analysis.probe_tolerance=0.1");
    check(&v, v.sys, FEW);
    verify_close(&v);
}

static void test_reduced(void **state) {
    (void)state;
    verify v;
    gos_system *reduced;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    check(&v, reduced, RESUMES);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* section frames that are carried along are part of the state, those of probes too */
static void test_frames(void **state) {
    (void)state;
    verify v;
    gos_system *reduced;
    verify_text(&v, model,
                "bodies.rod.frame=transported probes.bend.at=rod.at(0.4) "
                "probes.bend.quantity=curvature reduction.on_mesh=true");
    assert_true(v.sys->nmem > 6 * GOS_LANES);
    check(&v, v.sys, RESUMES);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    assert_true(reduced->nmem > 6 * GOS_LANES);
    gos_state_destroy(v.state);
    v.state = NULL;
    check(&v, reduced, RESUMES);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* the model with a law and a load that remember the steps */
static const char unforgetting[] =
    "materials: {rubber: {density: 1000, young: 1.0e7, poisson: 0.3, damping: {normal: 2.0e-3}}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 8, normal: [0, 0, 1]}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 4*(t > 0.1)*(t < 0.25)]}}\n"
    "analysis: {type: dynamic, end: 0.6, tolerance: 1.0e-4}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 8, on_mesh: true}\n";

static void test_memory(void **state) {
    (void)state;
    verify v;
    verify_text(&v, unforgetting, WHOLE);
    verify_good(&v, memory_install(v.sys));
    check(&v, v.sys, RESUMES);
    gos_state_destroy(v.state); // made before the system had a memory
    v.state = NULL;
    verify_close(&v);
}

/* a pendulum whose hinge unfolds, is caught on the way, and swings */
static const char latched[] =
    "materials: {rubber: {density: 1000, young: 1.0e7, poisson: 0.3, damping: {normal: 2.0e-3}}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 8, normal: [0, 0, 1]}}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\n"
    "loads: {hinge: {type: torsion_spring, between: [ground, rod.start], axis: [0, 0, 1],\n"
    "  stiffness: 3, rest_angle: -1, latch: {angle: -0.7, stiffness: 20, damping: 0.1}}}\n"
    "probes: {hinge: {quantity: hinge, load: hinge}}\n"
    "gravity: [0, -9.81, 0]\n"
    "analysis: {type: dynamic, end: 0.6, tolerance: 1.0e-4}\n";

static void test_latch(void **state) {
    (void)state;
    verify v;
    verify_text(&v, latched, WHOLE);
    check(&v, v.sys, RESUMES);
    verify_close(&v);
    verify_text(&v, latched, AUTO);
    check(&v, v.sys, FEW);
    verify_run(&v);
    assert_true(verify_value(&v, NULL, "hinge.latched") == 1);
    verify_close(&v);
}

/* local linearisation of a model: steps inside intervals, exact ones, a turning frame, modes that
 * are kept */
static void check_method(const char *text, const char *method, const char *settings) {
    verify v;
    gos_system *local;
    char all[4000];
    print_message("%s\n", settings);
    snprintf(all, sizeof all, "%.*s\nreduction: {method: %s, thresholds: {displacement: 0.02}}\n",
             (int)strcspn(strstr(text, "analysis:"), "\n") +
                 (int)(strstr(text, "analysis:") - text),
             text, method);
    verify_text(&v, all, settings);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &local));
    check(&v, local, FEW);
    gos_system_destroy(local);
    verify_close(&v);
}

static void check_local(const char *text, const char *settings) {
    check_method(text, "complex_modes, displacement_modes: 12", settings);
}

static void test_local(void **state) {
    (void)state;
    check_local(model, "n=3 analysis.end=0.3 analysis.step=1e-3 reduction.refresh=3");
    check_local(model, "n=3 analysis.end=0.3 analysis.step=1e-3 reduction.corotated=true");
    check_local(model, "n=3 analysis.end=0.3 analysis.tolerance=1e-2 reduction.intervals=error");
    check_local(latched, "analysis.end=0.1 analysis.step=1e-3"); // joints that are not linear
    check_local(latched, "analysis.end=0.3");
    check_method(model, "local_pod, vectors: 4, clusters: 5, snapshots: 50",
                 "n=3 analysis.end=0.3 analysis.step=1e-3");
    check_method(latched, "complex_synthesis, displacement_modes: 4, refresh: 2",
                 "analysis.end=0.1 analysis.step=1e-3");
    check_method(latched, "local_pod, vectors: 4, clusters: 3, snapshots: 50",
                 "analysis.end=0.1 analysis.step=1e-3");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),    cmocka_unit_test(test_fixed_step),
        cmocka_unit_test(test_reduced), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_latch),   cmocka_unit_test(test_frames),
        cmocka_unit_test(test_local),   cmocka_unit_test(test_probes),
        cmocka_unit_test(test_inputs),  cmocka_unit_test(test_fallback)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
