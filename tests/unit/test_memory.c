/* What points and items remember from one step to the next: it begins as the model says, is written
   once for every accepted step and never by a rejected one, and follows into copies and reduced
   models. Resuming is in test_history.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/suite.h"
#include "support/verify.h"
#include "gossamer/reduce.h"
#include "solve/consistent.h"

/* the load switches, and steps begin much too large, so that some are rejected */
static const char model[] =
    "materials: {rubber: {density: 1000, young: 1.0e7, poisson: 0.3, damping: {normal: 2.0e-3}}}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 5, normal: [0, 0, 1]}}\n"
    "joints: {pin: {type: clamp, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 1 + (t > 0.1)]}}\n"
    "analysis: {type: dynamic, end: 0.3, tolerance: 1.0e-4, initial_step: 0.05}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 6, on_mesh: true}\n";

static const gos_item *push_of(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nmem > 0) {
            return s->item[i];
        }
    }
    fail_msg("no item remembers");
    return NULL;
}

/* every point and the load have seen n steps; fill-in lanes of the last batch too */
static void assert_steps(const gos_system *s, const gos_state *x, long n) {
    assert_true(x->mem[push_of(s)->m0] == (double)n);
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        for (int k = 0; k < p->nb * p->ng; k++) {
            const double *mem = x->mem + p->m0 + (size_t)(k * MEMORY_LAW * GOS_LANES);
            for (int l = 0; l < GOS_LANES; l++) {
                assert_true(mem[MEMORY_COUNT * GOS_LANES + l] == (double)n);
                assert_true(fabs(mem[MEMORY_STRETCH * GOS_LANES + l]) < 0.1);
            }
        }
    }
}

static void open_model(verify *v) {
    verify_text(v, model, NULL);
    gos_state_destroy(v->state); // the system has no memory yet
    verify_good(v, memory_install(v->sys));
    verify_good(v, gos_state_create(v->ctx, v->sys, &v->state));
    assert_steps(v->sys, v->state, 0);
}

/* run to the end, counting; inside a step memory is that of its start */
static void run(verify *v, const gos_system *sys, gos_state *x, gos_statistics *stats) {
    gos_integrator *g;
    verify_good(v, gos_integrator_create(v->ctx, sys, &v->opt, x, &g));
    long n = 0;
    while (x->t < v->opt.end) {
        const double t0 = x->t;
        verify_good(v, gos_integrator_step(g, v->opt.end));
        assert_steps(sys, x, ++n);
        assert_steps(sys, gos_integrator_at(g, 0.5 * (t0 + x->t)), n - 1);
        assert_steps(sys, gos_integrator_at(g, x->t), n);
    }
    gos_integrator_statistics(g, stats);
    gos_integrator_destroy(g);
    assert_int_equal(stats->steps, n);
}

static void test_steps(void **state) {
    (void)state;
    verify v;
    gos_state *copy;
    gos_statistics stats;
    open_model(&v);
    run(&v, v.sys, v.state, &stats);
    print_message("%ld steps, %ld rejected, %ld restarts\n", stats.steps, stats.rejected,
                  stats.restarts);
    assert_true(stats.rejected > 0); // or the test would say nothing of them
    assert_int_equal(stats.restarts, 1 + (stats.steps - 1) / MEMORY_JUMP); // none behind the last
    verify_good(&v, gos_state_create(v.ctx, v.sys, &copy));
    verify_good(&v, gos_state_copy(copy, v.state));
    assert_steps(v.sys, copy, stats.steps);
    gos_state_destroy(copy);
    verify_close(&v);
}

static void test_reduced(void **state) {
    (void)state;
    verify v;
    gos_system *reduced;
    gos_state *x;
    gos_statistics stats;
    open_model(&v);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    verify_good(&v, gos_state_create(v.ctx, reduced, &x));
    assert_true(reduced->points[0]->dense && reduced->nmem > 0);
    run(&v, reduced, x, &stats);
    gos_state_destroy(x);
    gos_system_destroy(reduced);
    verify_close(&v);
}

static void test_static(void **state) {
    (void)state;
    verify v;
    open_model(&v);
    v.opt.load_steps = 3;
    verify_good(&v, gos_solve_static(v.ctx, v.sys, &v.opt, v.state, &v.stats));
    assert_true(v.stats.steps >= 2);
    assert_steps(v.sys, v.state, v.stats.steps);
    verify_close(&v);
}

/* residual of the state with its memory; the Newton matrix belongs to the same memory */
static void test_evaluation(void **state) {
    (void)state;
    verify v;
    gos_work *w;
    open_model(&v);
    const gos_system *s = v.sys;
    verify_good(&v, gos__work_create(v.ctx, s, &w));
    double *r = calloc(3 * (size_t)s->n, sizeof *r);
    assert_non_null(r);
    for (size_t i = 0; i < s->nmem; i++) {
        v.state->mem[i] = 0.3;
    }
    const gos_point_of at = gos__state_point(v.state, 0.05);
    gos__jacobian(w, &at, &(gos_newton_factors){.k = 1});
    const int j = 3 * 4 + 1; // a coordinate in the middle
    double worst = 0, most = 0;
    for (int side = 0; side < 2; side++) {
        double *to = r + side * s->n;
        const gos_residual out = {.q = to, .c = to + s->nq};
        v.state->q[j] += side ? 2e-6 : -1e-6;
        verify_good(&v, gos__residual(w, &at, &out, NULL));
    }
    for (int i = 0; i < s->nq; i++) {
        r[2 * s->n + i] = (r[s->n + i] - r[i]) / 2e-6;
    }
    for (int e = s->pattern.p[j]; e < s->pattern.p[j + 1]; e++) {
        if (s->pattern.i[e] < s->nq) {
            worst = fmax(worst, fabs(w->values[e] - r[2 * s->n + s->pattern.i[e]]));
            most = fmax(most, fabs(w->values[e]));
        }
    }
    print_message("tangent with memory: %.2e of %.2e\n", worst, most);
    assert_true(worst < 1e-7 * most);
    // 30 % of MEMORY_STRESS shows in it: without memory it is another matrix
    const gos_point_of fresh = {.t = 0.05, .scale = 1, .q = at.q, .th = at.th};
    const double with = w->values[s->pattern.p[j]];
    gos__jacobian(w, &fresh, &(gos_newton_factors){.k = 1});
    assert_true(fabs(w->values[s->pattern.p[j]] - with) > 0);
    free(r);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_reduced),
                                       cmocka_unit_test(test_static),
                                       cmocka_unit_test(test_evaluation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
