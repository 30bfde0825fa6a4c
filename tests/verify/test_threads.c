/* An immutable system is one: four threads at a time run one system (in full, reduced) and solve
   with one linear model, each in a context of its own, and find to the last bit what one alone
   does. And the threads of one context, that share a mesh, find what one finds. Built with the
   thread sanitizer, every access that is not in order is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "solve/consistent.h"
#include "support/suite.h"
#include "support/verify.h"
#include "system/thread_shares.h"

enum { THREADS = 4, VALUES = 64 };

/* Functions of time of every kind: smooth, with branches, tables; probes that evaluate them,
   too. */
static const char model[] =
    "parameters: {A: 0.3}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.02, width: 0.02}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 4}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads:\n"
    "  wave: {type: force, on: rod.end, value: ['A*sin(30*t)', 'A*t^2*exp(-t)', 'A*cos(20*t)']}\n"
    "  push: {type: force, on: rod.at(0.5), value: [0, 0, '(t > 0.011) ? A*mod(floor(90*t), 2) : "
    "max(A*t, 0.1)']}\n"
    "heat:\n"
    "  sun: {type: flux, value: '1e4*abs(cos(50*t))', direction: [0, -1, 0], on: rod}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  warm: {at: rod.end, quantity: temperature}\n"
    "  pin_force: {joint: pin, quantity: joint_force}\n"
    "analysis: {type: dynamic, end: 0.05, tolerance: 1.0e-4}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 5}\n";

/* what a thread does, and what it found */
typedef struct work {
    const gos_system *sys;
    const gos_linear *linear;
    gos_status status;
    double value[VALUES];
} work;

static gos_status run_to_end(gos_ctx *ctx, work *w) {
    gos_options o;
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    gos_options_get(w->sys, &o);
    gos_status status = gos_state_create(ctx, w->sys, &x);
    status = status == GOS_OK ? gos_integrator_create(ctx, w->sys, &o, x, &g) : status;
    while (status == GOS_OK && gos_state_time(x) < o.end) {
        status = gos_integrator_step(g, o.end);
        double y[16];
        for (int i = 0; i < gos_system_nprobes(w->sys) && status == GOS_OK; i++) {
            status = gos_system_probe(ctx, w->sys, x, i, y, NULL);
            for (int c = 0; c < 3 && status == GOS_OK; c++) { // of every step
                w->value[3 * i + c] = 0.9 * w->value[3 * i + c] + y[c < 1 || i != 1 ? c : 0];
            }
        }
    }
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    return status;
}

static gos_status solve_linear(gos_ctx *ctx, work *w) {
    gos_mode modes[6] = {{0}};
    int found = 0;
    const double omega[] = {1, 20};
    gos_linear_info info;
    gos_linear_info_get(w->linear, &info);
    const size_t n = 4 * (size_t)info.outputs * (size_t)info.inputs;
    double *H = calloc(n + 1, sizeof *H);
    gos_status status = gos_linear_modes(ctx, w->linear, 6, false, modes, &found);
    for (int i = 0; i < found; i++) {
        w->value[i] = modes[i].omega;
    }
    status = status == GOS_OK ? gos_linear_modes(ctx, w->linear, 6, true, modes, &found) : status;
    for (int i = 0; i < found; i++) {
        w->value[6 + i] = modes[i].omega;
    }
    status = status == GOS_OK ? gos_linear_response(ctx, w->linear, 2, omega, H) : status;
    for (size_t i = 0; i < n && i < VALUES - 12; i++) {
        w->value[12 + i] = H[i];
    }
    free(H);
    return status;
}

static void *solve(void *arg) {
    work *w = arg;
    gos_ctx *ctx = gos_ctx_create();
    w->status = ctx == NULL ? GOS_E_MEMORY : w->linear ? solve_linear(ctx, w) : run_to_end(ctx, w);
    gos_ctx_destroy(ctx);
    return NULL;
}

static void compare(const gos_system *sys, const gos_linear *linear) {
    work alone = {.sys = sys, .linear = linear}, w[THREADS];
    pthread_t thread[THREADS];
    (void)solve(&alone);
    assert_int_equal(alone.status, GOS_OK);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (work){.sys = sys, .linear = linear};
        assert_int_equal(pthread_create(&thread[i], NULL, solve, &w[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
    bool something = false;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(w[i].status, GOS_OK);
        assert_memory_equal(w[i].value, alone.value, sizeof alone.value);
    }
    for (int k = 0; k < VALUES; k++) {
        something |= alone.value[k] != 0;
    }
    assert_true(something);
}

static void test_full(void **state) {
    (void)state;
    verify v;
    verify_text(&v, model, NULL);
    compare(v.sys, NULL);
    verify_close(&v);
}

static void test_reduced(void **state) {
    (void)state;
    verify v;
    gos_system *reduced;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    compare(reduced, NULL);
    gos_system_destroy(reduced);
    verify_close(&v);
}

static void test_linear(void **state) {
    (void)state;
    verify v;
    gos_linear *linear;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    compare(v.sys, linear);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- one mesh, several threads --------------------------------------------------------------- */

/* Every kind of points: cables in space and carried, beams (two blocks), a plate with reduced
   quadrature, with heat, damping, joints between them and a force that follows probes. */
static const char mesh[] =
    "parameters: {n: 100, m: 20}\n"
    "materials:\n"
    "  m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "      expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 0.8, emissivity: 0.7}\n"
    "sections:\n"
    "  s: {type: rectangle, height: 0.02, width: 0.03}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [2, 0, 0], elements: "
    "n}\n"
    "  arm: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0, 2, 0], elements: "
    "n,\n"
    "        carried_by: hub}\n"
    "  boom: {type: ancf_beam, material: m, section: s, from: [2, 0, 0], to: [4, 0, 0], elements: "
    "n}\n"
    "  slab: {type: ancf_plate, material: m, thickness: 0.02, corner: [4, 0, 0], x: [2, 0, 0],\n"
    "         y: [0, 0.4, 0], elements: [m, 8], quadrature: reduced}\n"
    "  short: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0, 0, 1], "
    "elements: 3}\n"
    "joints:\n"
    "  root: {type: clamp, between: [hub, arm.start]}\n"
    "  pin: {type: spherical, between: [hub, rod.start]}\n"
    "  elbow: {type: spherical, between: [rod.end, boom.start]}\n"
    "  hinge: {type: spherical, between: [boom.end, slab.corner(1)]}\n"
    "  tail: {type: spherical, between: [hub, short.start]}\n"
    "gravity: [0, 0, -9.81]\n"
    "loads:\n"
    "  law: {type: force, on: hub, value: ['-20*x.x - 3*v.x', 0, '5*sin(40*t)']}\n"
    "heat:\n"
    "  sun: {type: flux, value: 1361, direction: [0, 0.6, -0.8], on: [rod, arm, boom, slab]}\n"
    "  space: {type: radiation, sink: 3, on: [rod, slab]}\n"
    "reference_temperature: 290\n"
    "probes:\n"
    "  x: {at: rod.end, quantity: position}\n"
    "  v: {at: rod.end, quantity: velocity}\n"
    "analysis: {type: dynamic, end: 2.0e-3, step: 1.0e-3}\n";

/* all that an evaluation and a run give */
typedef struct found {
    double *residual, *values, *end;
    size_t nresidual, nvalues, nend;
    gos_sums sums, end_sums;
    int shares;
    long allocations; // of the last step
} found;

static void release(found *f) {
    free(f->residual);
    free(f->values);
    free(f->end);
}

static double *copy_of(const double *x, size_t n) {
    double *y = malloc((n + 1) * sizeof *y);
    assert_non_null(y);
    memcpy(y, x, n * sizeof *y);
    return y;
}

static void evaluate(verify *v, found *f) {
    const gos_system *s = v->sys;
    const gos_newton_factors factors = {
        .m = 0.9, .k = 0.7, .d = 0.3, .cm = 1.1, .ck = 0.6, .cd = 0.4, .lam = 0.8, .lamT = 1.2};
    gos_work *w = NULL;
    gos_state *x = NULL;
    verify_good(v, gos__work_create(v->ctx, s, &w));
    verify_good(v, gos_state_create(v->ctx, s, &x));
    for (int i = 0; i < s->nq; i++) {
        x->q[i] += 1e-4 * sin(0.3 * i);
        x->v[i] = 0.1 * sin(0.7 * i);
        x->a[i] = sin(0.9 * i);
    }
    for (int i = 0; i < s->nt; i++) {
        x->th[i] = cos(0.2 * i);
        x->thd[i] = cos(0.4 * i);
    }
    for (int i = 0; i < s->nc; i++) {
        x->lam[i] = sin(1.1 * i);
    }
    f->nresidual = (size_t)s->n;
    f->nvalues = (size_t)s->pattern.nnz;
    f->residual = calloc(f->nresidual, sizeof(double));
    assert_non_null(f->residual);
    const gos_point_of at = gos__state_point(x, 0.3);
    const gos_residual r = {.q = f->residual,
                            .th = f->residual + s->nq,
                            .c = f->residual + s->nq + s->nt,
                            .h = f->residual + s->nq + s->nt + s->nc};
    verify_good(v, gos__residual(w, &at, &r, &f->sums));
    gos__jacobian(w, &at, &factors);
    f->values = copy_of(w->values, f->nvalues);
    f->shares = w->shares->n;
    gos_state_destroy(x);
    gos__work_destroy(v->ctx, w);
}

static void run_mesh(verify *v, found *f) {
    verify_start(v);
    while (gos_state_time(v->state) < v->opt.end) {
        const long before = gos_ctx_allocations(v->ctx);
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
        f->allocations = gos_ctx_allocations(v->ctx) - before;
    }
    f->nend = v->state->nblock;
    f->end = copy_of(v->state->block, f->nend);
}

static void with_threads(const char *settings, int threads, bool run, found *f) {
    verify v;
    *f = (found){0};
    verify_text(&v, mesh, settings);
    verify_good(&v, gos_ctx_set_threads(v.ctx, threads));
    evaluate(&v, f);
    if (run) {
        run_mesh(&v, f);
    }
    verify_close(&v);
}

static void same_digits(const char *settings, int threads, int shares, bool run, const found *one) {
    found some;
    with_threads(settings, threads, run, &some);
    assert_int_equal(some.shares, shares);
    assert_int_equal(some.nvalues, one->nvalues);
    assert_memory_equal(some.residual, one->residual, one->nresidual * sizeof(double));
    assert_memory_equal(some.values, one->values, one->nvalues * sizeof(double));
    assert_memory_equal(&some.sums, &one->sums, sizeof one->sums);
    if (run) {
        assert_memory_equal(some.end, one->end, one->nend * sizeof(double));
        assert_int_equal(some.allocations, one->allocations);
    }
    release(&some);
}

static void test_mesh(void **state) {
    (void)state;
    static const int threads[] = {2, 3, 5};
    found one;
    with_threads("n=100", 1, true, &one);
    assert_int_equal(one.shares, 1);
    assert_true(one.sums.strain > 0 && one.sums.dissipated > 0 && one.sums.heat_in != 0 &&
                one.sums.thermal != 0);
    for (int i = 0; i < 3; i++) {
        same_digits("n=100", threads[i], threads[i], threads[i] == 3, &one);
    }
    release(&one);
}

/* batches that are not full, and more threads than there is work for: 1 + 2*3 + 2*3 + 10 + 1 of 8
 * elements */
static void test_small_mesh(void **state) {
    (void)state;
    found one;
    with_threads("n=43 m=5", 1, false, &one);
    same_digits("n=43 m=5", 5, 2, false, &one);
    release(&one);
    with_threads("n=10 m=1", 1, false, &one);
    same_digits("n=10 m=1", 5, 1, false, &one);
    release(&one);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_full), cmocka_unit_test(test_reduced),
                                       cmocka_unit_test(test_linear), cmocka_unit_test(test_mesh),
                                       cmocka_unit_test(test_small_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
