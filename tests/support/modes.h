/* A model from text to its linear model and modes, for the tests of these. Include after cmocka. */
#ifndef GOS_TEST_MODES_H
#define GOS_TEST_MODES_H

#include <math.h>

#include "support/near.h"
#include "gossamer/gossamer.h"
#include "gossamer/linearise.h"
#include "linear/linear.h"
#include "system/system.h"

typedef struct fixture {
    gos_ctx *ctx;
    gos_model *model;
    gos_system *sys;
    gos_state *state;
    gos_linear *linear;
} fixture;

static inline void need(const gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        print_error("%s\n", gos_ctx_message(ctx));
    }
    assert_int_equal(status, GOS_OK);
}

/* read text, with parameters set: pairs of name and value, ended by NULL */
static inline fixture read_model(const char *text, const char *const *names, const double *values) {
    fixture f = {.ctx = gos_ctx_create()};
    assert_non_null(f.ctx);
    need(f.ctx, gos_model_parse(f.ctx, text, strlen(text), "test.yaml", NULL, &f.model));
    for (int i = 0; names && names[i]; i++) {
        need(f.ctx, gos_model_set_number(f.ctx, f.model, names[i], values[i]));
    }
    need(f.ctx, gos_system_create(f.ctx, f.model, &f.sys));
    need(f.ctx, gos_state_create(f.ctx, f.sys, &f.state));
    return f;
}

static inline void to_equilibrium(fixture *f) {
    gos_options options;
    gos_options_get(f->sys, &options);
    need(f->ctx, gos_solve_static(f->ctx, f->sys, &options, f->state, NULL));
}

static inline void linearise(fixture *f) {
    need(f->ctx, gos_linearise(f->ctx, f->sys, f->state, &f->linear));
}

static inline fixture linear_model(const char *text, const char *const *names,
                                   const double *values) {
    fixture f = read_model(text, names, values);
    linearise(&f);
    return f;
}

static inline void done(fixture *f) {
    gos_linear_destroy(f->linear);
    gos_state_destroy(f->state);
    gos_system_destroy(f->sys);
    gos_model_destroy(f->model);
    gos_ctx_destroy(f->ctx);
}

/* n modes, all of which must be found */
static inline void get_modes(const fixture *f, int n, bool damped, gos_mode *modes) {
    int found;
    need(f->ctx, gos_linear_modes(f->ctx, f->linear, n, damped, modes, &found));
    assert_int_equal(found, n);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define VALUES(...) ((const double[]){__VA_ARGS__})

#endif
