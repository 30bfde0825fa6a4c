/* Memory that runs out at the n-th allocation, for every n until all goes well: a clear error,
   nothing leaks, arguments stay as they were, and the same call works afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gossamer/gossamer.h"
#include "support/faults.h"
#include "support/suite.h"
#include "system/system.h"

#ifndef STRIDE
#define STRIDE 13 // of stages that write files; nightly_every_allocation.c leaves out none
#endif

/* one of everything */
static const char model_text[] =
    "name: small\n"
    "parameters: {n: 2, L: 1.0}\n"
    "materials:\n"
    "  m: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "      expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1, emissivity: 0.5}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [L, 0, 0], elements: "
    "n}\n"
    "  bob: {type: rigid, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], position: [L, 0, 0]}\n"
    "joints:\n"
    "  hold: {type: clamp, between: [ground, rod.start]}\n"
    "  grip: {type: clamp, between: [rod.end, bob]}\n"
    "loads:\n"
    "  push: {type: force, on: rod.end, value: [0, 0, 'sin(20*t)*(t < 0.01)']}\n"
    "  stay: {type: spring, between: [ground, rod.end], at: [1, 1, 0], stiffness: 10}\n"
    "  swing: {type: moment, on: bob, moment: [0, 0, 1.0e-3]}\n"
    "heat:\n"
    "  sun: {type: flux, value: '1.0e3*(t < 0.02)', direction: [0, -1, 0], on: rod}\n"
    "  cold: {type: convection, on: rod.top, coefficient: 5, ambient: 0}\n"
    "  foot: {type: temperature, on: rod.start, value: 0}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  warm: {at: rod.end, quantity: temperature}\n"
    "  grip: {joint: hold, quantity: joint_force}\n"
    "initial: {bob: {angular_velocity: [0, 1, 0]}}\n"
    "analysis: {end: 0.03, step: 5.0e-3, branch: any}\n"
    "output: {every: 0.01}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

typedef struct bench {
    faults faults;
    gos_ctx *ctx;
    gos_model *model;
    gos_system *sys, *reduced;
    gos_state *state;
    char path[64];
} bench;

typedef gos_status (*stage)(bench *b);

/* ---- stages ---------------------------------------------------------------------------------- */

static gos_status parse(bench *b) {
    b->model = NULL;
    return gos_model_parse(b->ctx, model_text, strlen(model_text), "test", NULL, &b->model);
}

static gos_status set(bench *b) {
    return gos_model_set(b->ctx, b->model, "materials.m.young", "1.1e6");
}

/* two runs side by side, which have what memory there is, and say so where it is not enough */
static gos_status sweep(bench *b) {
    gos_sweep *s = NULL;
    const gos_sweep_options o = {.jobs = 2};
    char folder[72];
    (void)snprintf(folder, sizeof folder, "%s.sweep", b->path);
    gos_status status = gos_sweep_create(b->ctx, b->model, &s);
    status = status == GOS_OK ? gos_sweep_vary(b->ctx, s, "n=1,2") : status;
    status = status == GOS_OK ? gos_sweep_prepare(b->ctx, s, folder) : status;
    status = status == GOS_OK ? gos_sweep_run(b->ctx, s, &o) : status;
    for (int i = 0; i < 2 && status == GOS_OK; i++) {
        gos_sweep_result r;
        gos_sweep_result_get(s, i, &r);
        assert_true(r.failure ? strstr(r.failure, "out of memory") != NULL : r.has_results);
    }
    gos_sweep_destroy(s);
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    return status;
}

static gos_status compile(bench *b) {
    return gos_system_create(b->ctx, b->model, &b->sys);
}

static gos_status make_state(bench *b) {
    return gos_state_create(b->ctx, b->sys, &b->state);
}

static gos_status find_equilibrium(bench *b) {
    gos_options o;
    gos_options_get(b->sys, &o);
    o.analysis = GOS_STATIC;
    return gos_solve_static(b->ctx, b->sys, &o, b->state, NULL);
}

static gos_status integrate(bench *b) {
    gos_integrator *g = NULL;
    gos_options o;
    gos_options_get(b->sys, &o);
    gos_status status = gos_integrator_create(b->ctx, b->sys, &o, b->state, &g);
    while (status == GOS_OK && gos_state_time(b->state) < o.end) {
        status = gos_integrator_step(g, o.end);
    }
    gos_integrator_destroy(g);
    return status;
}

static gos_status reduce(bench *b) {
    return gos_reduce(b->ctx, b->sys, &b->reduced);
}

static gos_status run_system(bench *b, const gos_system *sys) {
    gos_options o;
    gos_options_get(sys, &o);
    return gos_run(b->ctx, sys, &o, b->path, NULL);
}

static gos_status run(bench *b) {
    return run_system(b, b->sys);
}

static gos_status run_reduced(bench *b) {
    return run_system(b, b->reduced);
}

static gos_status read_results(bench *b) {
    gos_results *r = NULL;
    const double *v;
    gos_energy energy;
    gos_heat heat;
    double position[9 * 3], unused[3];
    const gos_node_fields fields = {.position = position};
    gos_status status = gos_results_open(b->ctx, b->path, &r);
    status = status == GOS_OK ? gos_results_probe(r, 0, &v, NULL) : status;
    status = status == GOS_OK ? gos_results_probe_at(r, 0, 0.011, unused) : status;
    status = status == GOS_OK ? gos_results_frame(r, 0, &fields) : status;
    status = status == GOS_OK ? gos_results_balance(r, 0, &energy, &heat) : status;
    gos_results_close(r);
    return status;
}

/* ---- failing --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    stage run;
} stages[] = {{"parse", parse},
              {"set", set},
              {"sweep", sweep},
              {"compile", compile},
              {"state", make_state},
              {"static", find_equilibrium},
              {"integrate", integrate},
              {"run", run},
              {"read", read_results},
              {"reduce", reduce},
              {"run reduced", run_reduced}};
enum { NSTAGES = sizeof stages / sizeof stages[0] };

static void begin(bench *b) {
    *b = (bench){0};
    b->ctx = faults_context(&b->faults);
    assert_non_null(b->ctx);
    (void)snprintf(b->path, sizeof b->path, "/tmp/gossamer_memory_%ld.h5", (long)getpid());
}

static void end(bench *b) {
    gos_state_destroy(b->state);
    gos_system_destroy(b->reduced);
    gos_system_destroy(b->sys);
    gos_model_destroy(b->model);
    gos_ctx_destroy(b->ctx);
    assert_int_equal(b->faults.live, 0);
}

/* Everything before a stage, without faults. The run that others read is made once. */
static void go_to(bench *b, int stage_number) {
    begin(b);
    for (int i = 0; i < stage_number; i++) {
        if (stages[i].run == run || stages[i].run == read_results || stages[i].run == integrate ||
            stages[i].run == sweep) {
            continue;
        }
        assert_int_equal(stages[i].run(b), GOS_OK);
    }
    if (b->state) { // as new, for what begins with it
        gos_state_destroy(b->state);
        b->state = NULL;
        assert_int_equal(make_state(b), GOS_OK);
    }
}

static void check_failure(const bench *b, const char *name, long n, gos_status status) {
    if (status != GOS_E_MEMORY || strstr(gos_ctx_message(b->ctx), "out of memory") == NULL) {
        fail_msg("%s, allocation %ld: status %d, '%s'", name, n, status, gos_ctx_message(b->ctx));
    }
}

/* Fail at each allocation of a stage in turn; how many it makes without faults. */
static long fail_all(int number, int forever) {
    const stage run_stage = stages[number].run;
    const bool slow = run_stage == run || run_stage == run_reduced || run_stage == sweep;
    // each first failure is met by the pass with one failure; a third of them for memory that stays
    // exhausted
    const long step = slow ? STRIDE : forever && STRIDE > 1 ? 3 : 1;
    for (long n = 1;; n += step) {
        bench b;
        assert_true(n < 100000);
        go_to(&b, number);
        double before[512];
        const size_t nbefore = b.state ? b.state->nblock : 0;
        assert_true(nbefore <= 512);
        if (b.state) {
            memcpy(before, b.state->block, nbefore * sizeof *before);
        }
        const gos_system *sys = b.sys, *reduced = b.reduced;
        char *text = b.model ? strdup(gos_model_text(b.model)) : NULL;
        faults_arm(&b.faults, n, forever);
        const gos_status status = run_stage(&b);
        const bool failed = b.faults.calls >= n;
        const long calls = b.faults.calls;
        faults_arm(&b.faults, 0, 0);
        if (status != GOS_OK) {
            check_failure(&b, stages[number].name, n, status);
            // what was given is as it was, what was requested is not there
            assert_true(run_stage == integrate || !b.state || nbefore == 0 ||
                        memcmp(before, b.state->block, nbefore * sizeof *before) == 0);
            assert_true(b.sys == sys && b.reduced == reduced);
            assert_true(!text || strcmp(text, gos_model_text(b.model)) == 0);
            gos_ctx_clear(b.ctx);
            if (run_stage != integrate) {
                const gos_status again = run_stage(&b);
                if (again != GOS_OK) {
                    fail_msg("%s after allocation %ld failed: %s", stages[number].name, n,
                             gos_ctx_message(b.ctx));
                }
            }
        }
        free(text);
        end(&b);
        if (!failed) {
            assert_int_equal(status, GOS_OK);
            return calls;
        }
    }
}

static void test_context(void **state) {
    (void)state;
    faults f = {.fail_at = 1};
    const gos_allocator a = {faults_alloc, faults_realloc, faults_free, &f};
    assert_null(gos_ctx_create_with(&a));
    assert_int_equal(f.live, 0);
}

static void test_once(void **state) {
    (void)state;
    for (int i = 0; i < NSTAGES; i++) {
        print_message("%s: %ld allocations\n", stages[i].name, fail_all(i, 0));
    }
}

static void test_forever(void **state) {
    (void)state;
    for (int i = 0; i < NSTAGES; i++) {
        (void)fail_all(i, 1);
    }
}

/* ---- resuming -------------------------------------------------------------------------------- */

/* A run that fails half way, with checkpoints. */
static void make_interrupted(bench *b) {
    gos_options o;
    begin(b);
    assert_int_equal(parse(b), GOS_OK);
    assert_int_equal(
        gos_model_set(b->ctx, b->model, "loads.push.value", "[0, 0, 'sqrt(0.0201 - t)']"), GOS_OK);
    assert_int_equal(compile(b), GOS_OK);
    gos_options_get(b->sys, &o);
    o.checkpoint_every = 1e-9;
    o.min_step = 1e-3;
    assert_int_equal(gos_run(b->ctx, b->sys, &o, b->path, NULL), GOS_E_NONFINITE);
    end(b);
}

/* the model of the interrupted run, and going on with it */
static gos_status resume(bench *b) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    bool reduced;
    gos_status status = gos_resume_model(b->ctx, b->path, &model, &reduced);
    status = status == GOS_OK ? gos_system_create(b->ctx, model, &sys) : status;
    status = status == GOS_OK ? gos_resume(b->ctx, sys, b->path, NULL) : status;
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return status;
}

static void copy_files(const bench *b, const char *from, const char *to) {
    static const char *const endings[] = {"", ".checkpoint", ".checkpoint.old"};
    char command[512];
    for (int i = 0; i < 3; i++) {
        (void)snprintf(command, sizeof command, "cp %s%s%s %s%s%s", b->path, from, endings[i],
                       b->path, to, endings[i]);
        assert_int_equal(system(command), 0);
    }
}

/* Whatever is missing, the files are as they were or the run has gone on; it can be resumed
   again. */
static void test_resume(void **state) {
    (void)state;
    bench b;
    make_interrupted(&b);
    copy_files(&b, "", ".kept");
    for (long n = 1;; n += STRIDE) {
        begin(&b);
        faults_arm(&b.faults, n, n % 2 == 0);
        const gos_status status = resume(&b);
        const long calls = b.faults.calls;
        const bool failed = calls >= n;
        faults_arm(&b.faults, 0, 0);
        if (!failed) {
            assert_int_equal(status, GOS_E_NONFINITE); // where the first run ended
            end(&b);
            print_message("resume: %ld allocations\n", calls);
            break;
        }
        // without memory for its text or its place, the failure that was there anyway is still told
        const char *text = gos_ctx_message(b.ctx);
        const bool told = strstr(text, "out of memory") || strstr(text, "is not a number");
        if (status != GOS_E_NONFINITE || !told) {
            check_failure(&b, "resume", n, status);
        }
        gos_ctx_clear(b.ctx);
        assert_int_equal(resume(&b), GOS_E_NONFINITE);
        end(&b);
        copy_files(&b, ".kept", "");
    }
}

static int tidy(void **state) {
    (void)state;
    char command[96];
    (void)snprintf(command, sizeof command, "rm -f /tmp/gossamer_memory_%ld.h5*", (long)getpid());
    return system(command);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_context), cmocka_unit_test(test_once),
                                       cmocka_unit_test(test_forever),
                                       cmocka_unit_test(test_resume)};
    return cmocka_run_group_tests(tests, NULL, tidy);
}
SUITE(suite)
