/* For tests that solve whole models: open an example or a text with settings, run it, read probes,
   and compare numbers with a bound that is printed beside them. Include after cmocka. */
#ifndef GOS_TEST_VERIFY_H
#define GOS_TEST_VERIFY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gossamer/sim.h"
#include "system/system.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

#define VERIFY_TEXT 16000 // longest model text made by verify_format

/* A model on its way: context, model, system, state, options, and the integrator once started. */
typedef struct verify {
    gos_ctx *ctx;
    gos_model *model;
    gos_system *sys;
    gos_state *state;
    gos_options opt;
    gos_statistics stats;
    gos_integrator *run;
} verify;

/* SUNDIALS is optional: what is left of a test that comes to the integrator bdf is skipped where it
 * is missing. */
static inline void verify_good(const verify *v, gos_status status) {
    if (status == GOS_E_INPUT &&
        strstr(gos_ctx_message(v->ctx),
               "requires SUNDIALS, but this program was built without it")) {
        print_message("skipped: no integrator bdf in this build (SUNDIALS)\n");
        skip();
    }
    if (status != GOS_OK) {
        print_error("%s: %s\n", gos_status_text(status), gos_ctx_message(v->ctx));
    }
    assert_int_equal(status, GOS_OK);
}

/* apply "NAME=VALUE NAME=VALUE ..." (values without blanks), NULL for none, as --set does */
static inline void verify_set(verify *v, const char *settings) {
    char text[4000];
    snprintf(text, sizeof text, "%s", settings ? settings : "");
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        verify_good(v, gos_model_set(v->ctx, v->model, word, value));
    }
}

static inline void verify_compile(verify *v) {
    verify_good(v, gos_system_create(v->ctx, v->model, &v->sys));
    verify_good(v, gos_state_create(v->ctx, v->sys, &v->state));
    gos_options_get(v->sys, &v->opt);
}

/* model file, its path counted from the source's root, with settings */
static inline void verify_open(verify *v, const char *path, const char *settings) {
    char full[1000];
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    snprintf(full, sizeof full, "%s/%s", GOS_SOURCE_DIR, path);
    verify_good(v, gos_model_read(v->ctx, full, &v->model));
    verify_set(v, settings);
    verify_compile(v);
}

static inline void verify_example(verify *v, const char *name, const char *settings) {
    char path[200];
    snprintf(path, sizeof path, "examples/%s/model.yaml", name);
    verify_open(v, path, settings);
}

/* model text with settings */
static inline void verify_text(verify *v, const char *text, const char *settings) {
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", NULL, &v->model));
    verify_set(v, settings);
    verify_compile(v);
}

static inline void verify_close(verify *v) {
    if (!v->ctx) {
        return;
    }
    gos_integrator_destroy(v->run);
    gos_state_destroy(v->state);
    gos_system_destroy(v->sys);
    gos_model_destroy(v->model);
    gos_ctx_destroy(v->ctx);
    *v = (verify){0};
}

/* ---- solving --------------------------------------------------------------------------------- */

static inline void verify_static(verify *v) {
    verify_good(v, gos_solve_static(v->ctx, v->sys, &v->opt, v->state, &v->stats));
}

static inline void verify_start(verify *v) {
    verify_good(v, gos_integrator_create(v->ctx, v->sys, &v->opt, v->state, &v->run));
}

/* step until the run has passed t (it ends at opt.end); the state at t */
static inline const gos_state *verify_at(verify *v, double t) {
    while (gos_state_time(v->state) < t) {
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
    }
    return gos_integrator_at(v->run, t);
}

/* start and run to the end */
static inline void verify_run(verify *v) {
    verify_start(v);
    while (gos_state_time(v->state) < v->opt.end) {
        verify_good(v, gos_integrator_step(v->run, v->opt.end));
    }
    gos_integrator_statistics(v->run, &v->stats);
}

/* ---- reading --------------------------------------------------------------------------------- */

static inline int verify_find(const verify *v, const char *name) {
    for (int i = 0; i < gos_system_nprobes(v->sys); i++) {
        gos_probe_info info;
        gos_system_probe_info(v->sys, i, &info);
        if (strcmp(info.name, name) == 0) {
            return i;
        }
    }
    print_error("no probe '%s'\n", name);
    fail();
    return -1;
}

/* all components of a probe at a state (NULL: the present one) into y, which has GOS_PROBE_MAX */
static inline void verify_probe(const verify *v, const gos_state *x, const char *name, double *y) {
    verify_good(v,
                gos_system_probe(v->ctx, v->sys, x ? x : v->state, verify_find(v, name), y, NULL));
}

/* one component by "PROBE.COMPONENT" at a state (NULL: the present one) */
static inline double verify_value(const verify *v, const gos_state *x, const char *what) {
    char name[100];
    double y[GOS_PROBE_MAX];
    gos_probe_info info;
    snprintf(name, sizeof name, "%s", what);
    char *dot = strrchr(name, '.');
    assert_non_null(dot);
    *dot++ = '\0';
    verify_probe(v, x, name, y);
    gos_system_probe_info(v->sys, verify_find(v, name), &info);
    for (int c = 0; c < info.ncomp; c++) {
        if (strcmp(info.components[c], dot) == 0) {
            return y[c];
        }
    }
    print_error("no component '%s'\n", what);
    fail();
    return -HUGE_VAL;
}

/* ---- judging: every number is printed, so that the log is the table of results --------------- */

static inline void verify_within(const char *what, double got, double low, double high) {
    print_message("    %-58s %13.6g in [%.4g, %.4g]\n", what, got, low, high);
    if (!(got >= low && got <= high)) {
        print_error("%s: %.17g is not in [%.9g, %.9g]\n", what, got, low, high);
        fail();
    }
}

static inline void verify_near(const char *what, double got, double want, double tol) {
    print_message("    %-58s %13.9g, want %.9g, off by %.2g of %.2g\n", what, got, want,
                  fabs(got - want), tol);
    if (!(fabs(got - want) <= tol)) {
        print_error("%s: %.17g is not %.17g within %.3g\n", what, got, want, tol);
        fail();
    }
}

static inline void verify_near_rel(const char *what, double got, double want, double relative) {
    verify_near(what, got, want, relative * fabs(want));
}

static inline void verify_below(const char *what, double got, double limit) {
    print_message("    %-58s %13.3g < %.3g\n", what, got, limit);
    if (!(fabs(got) < limit)) {
        print_error("%s: %.17g is not below %.9g\n", what, got, limit);
        fail();
    }
}

/* n numbers, relative to the largest that is wanted */
static inline void verify_near_all(const char *what, int n, const double *have, const double *want,
                                   double bound) {
    double most = 0, off = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(want[i]));
        off = fmax(off, fabs(have[i] - want[i]));
    }
    assert_true(most > 0);
    verify_below(what, off / most, bound);
}

/* order of convergence seen when the mesh or step is divided by `ratio` */
static inline double verify_order(double coarse, double fine, double ratio) {
    return log(coarse / fine) / log(ratio);
}

static inline double verify_distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

#endif
