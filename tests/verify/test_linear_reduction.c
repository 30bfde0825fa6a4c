/* Reduced linear models: moments as many as the theorem says and no more, every method right at
   full order, bad input refused. The origin of each count is theory 3.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linear_models.h"
#include "support/suite.h"

static gos_linear_reduction *reduce(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *opt) {
    gos_linear_reduction *r = NULL;
    linear_good(ctx, gos_linear_reduce(ctx, l, opt, &r));
    return r;
}

static gos_linear_reduction_report report_of(const gos_linear_reduction *r) {
    gos_linear_reduction_report report;
    gos_linear_reduction_get(r, &report);
    return report;
}

/* relative difference of moment number k (from 0), computed here from both models */
static double moment_difference(gos_ctx *ctx, const gos_linear *full, const gos_linear *reduced,
                                gos_point at, int k) {
    gos_reduce_pencil *p[2];
    gos_complex m[2][40], s0;
    ((double *)&s0)[0] = at.re;
    ((double *)&s0)[1] = at.im;
    assert_true(full->nu == 1 && full->ny == 1 && k < 40);
    linear_good(ctx, gos__reduce_pencil_create(ctx, full, NULL, &p[0]));
    linear_good(ctx, gos__reduce_pencil_create(ctx, reduced, NULL, &p[1]));
    for (int i = 0; i < 2; i++) {
        linear_good(ctx, gos__reduce_pencil_moments(p[i], s0, k + 1, m[i]));
        gos__reduce_pencil_destroy(p[i]);
    }
    const double *a = (const double *)&m[0][k], *b = (const double *)&m[1][k];
    return hypot(a[0] - b[0], a[1] - b[1]) / hypot(a[0], a[1]);
}

typedef struct moment_case {
    const char *what;
    chain model;
    gos_point point[2];
    int npoints, order;
    bool two_sided;
    int moments; // that agree, by the theorem
} moment_case;

static const moment_case moment_cases[] = {
    // undamped at 0: r vectors, r coefficients in s^2 with any output, 2 r with the same output
    {"any output", {.n = 30, .nu = 1, .in = {29}, .ny = 1, .out = {12}}, {{0, 0}}, 1, 5, false, 10},
    {"collocated", {.n = 30, .nu = 1, .in = {29}, .ny = 1, .out = {29}}, {{0, 0}}, 1, 3, false, 12},
    {"two-sided", {.n = 30, .nu = 1, .in = {29}, .ny = 1, .out = {12}}, {{0, 0}}, 1, 3, true, 12},
    {"velocity out",
     {.n = 30, .nu = 1, .in = {29}, .ny = 1, .out = {12}, .velocity = true},
     {{0, 0}},
     1,
     3,
     true,
     12},
    // damped: k of them, k + l with left vectors
    {"damped",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}},
     {{0, 0}},
     1,
     6,
     false,
     6},
    {"damped, two-sided",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}},
     {{0, 0}},
     1,
     6,
     true,
     12},
    {"damped, collocated",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {29}},
     {{0, 0}},
     1,
     6,
     false,
     12},
    {"real point",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}},
     {{10, 0}},
     1,
     6,
     true,
     12},
    // a complex point takes two real vectors, and stands for its conjugate
    {"complex point",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}},
     {{2, 15}},
     1,
     6,
     true,
     6},
    {"complex, one-sided",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}},
     {{2, 15}},
     1,
     6,
     false,
     3},
    {"velocity, complex",
     {.n = 30,
      .beta = 1e-3,
      .dashpot = 20,
      .nu = 1,
      .in = {29},
      .ny = 1,
      .out = {12},
      .velocity = true},
     {{2, 15}},
     1,
     6,
     true,
     6},
    {"two points",
     {.n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}},
     {{0, 0}, {0, 20}},
     2,
     8,
     true,
     4},
};

static void test_moments(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    int unstable = 0;
    for (int i = 0; i < GOS_COUNT(moment_cases); i++) {
        const moment_case *c = &moment_cases[i];
        gos_linear *l = chain_model(ctx, &c->model);
        gos_linear_reduction *r =
            linear_reduce_plainly(ctx, l,
                                  &(gos_linear_reduction_options){.method = "krylov",
                                                                  .order = c->order,
                                                                  .npoints = c->npoints,
                                                                  .points = c->point,
                                                                  .two_sided = c->two_sided},
                                  &unstable);
        const gos_linear_reduction_report report = report_of(r);
        print_message("%-20s order %d: %2d moments, error %.1e", c->what, report.coordinates,
                      report.moments, report.moment_error);
        assert_int_equal(report.coordinates, c->order);
        assert_int_equal(report.moments, c->moments);
        assert_true(report.moment_error < 1e-10);
        // and the next one that does not vanish does not agree: the count is the theorem's
        const bool undamped = c->model.beta == 0;
        const int next = c->moments + (undamped && c->model.velocity ? 1 : 0);
        double beyond = 0; // a real point has more than a complex one from as many real vectors
        for (int k = 0; k < c->npoints; k++) {
            beyond = fmax(beyond, moment_difference(ctx, l, gos_linear_reduction_model(r),
                                                    c->point[k], next));
        }
        print_message(", next %.1e\n", beyond);
        assert_true(beyond > 1e-8);
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
    }
    print_message("%d of the two-sided ones are unstable\n", unstable);
    gos_ctx_destroy(ctx);
}

/* blocks: three inputs, of which the third is the sum of the others, deflates */
static void test_block_and_deflation(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = 40, .nu = 3, .in = {39, 20, 3}, .ny = 2, .out = {5, 30}};
    gos_linear *l = chain_model(ctx, &c);
    double dense[3 * 40] = {0};
    dense[39] = dense[40 + 20] = dense[80 + 39] = dense[80 + 20] = 1;
    linear_put(ctx, l, GOS_BLOCK_B, dense);
    gos_linear_reduction *r =
        reduce(ctx, l, &(gos_linear_reduction_options){.method = "krylov", .order = 8});
    gos_linear_reduction_report report = report_of(r);
    // 8 vectors are 4 blocks of the 2 directions that are left, each good for 2 coefficients
    assert_true(report.coordinates == 8 && report.moments == 8 && report.deflated == 1);
    assert_true(report.moment_error < 1e-10);
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static void test_first_order(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = random_first_order(ctx, 60, 2, 2, 1);
    const gos_point points[] = {{0, 0}, {1, 2}};
    for (int two_sided = 0; two_sided < 2; two_sided++) {
        gos_linear_reduction *r = reduce(ctx, l,
                                         &(gos_linear_reduction_options){.method = "krylov",
                                                                         .order = 16,
                                                                         .npoints = 2,
                                                                         .points = points,
                                                                         .two_sided = two_sided});
        const gos_linear_reduction_report report = report_of(r);
        assert_int_equal(report.temperatures, 16);
        // 8 vectors a point: 4 blocks at 0, 2 at the complex point
        assert_int_equal(report.moments, two_sided ? 4 : 2);
        assert_true(report.moment_error < 1e-10);
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* at full order every method is the full model again; some choose their own order */
static void test_full_order(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {
        .n = 24, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {23}, .ny = 1, .out = {7}};
    gos_linear *l = chain_model(ctx, &c);
    for (int i = 0; gos_linear_method(i, NULL); i++) {
        const char *name = gos_linear_method(i, NULL);
        const bool first = strcmp(name, "balanced") == 0 || strcmp(name, "irka") == 0;
        if (strcmp(name, "static_vectors") == 0) {
            continue; // one vector
        }
        gos_linear_reduction *r = reduce(
            ctx, l,
            &(gos_linear_reduction_options){
                .method = name, .order = first ? 48 : 24, .band = {0.5, 50}, .tolerance = 1e-10});
        const double e = response_difference(ctx, l, gos_linear_reduction_model(r), 0.5, 50, 40);
        const gos_linear_reduction_report report = report_of(r);
        print_message("%-20s order %d: error %.1e, predicted %.1e\n", name,
                      report.coordinates + report.temperatures, e, report.predicted);
        assert_true(e < 1e-8);
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static void refused(gos_ctx *ctx, const gos_linear *l, const gos_linear_reduction_options *opt,
                    gos_status expected, const char *words) {
    gos_linear_reduction *r = NULL;
    gos_ctx_clear(ctx);
    assert_int_equal(gos_linear_reduce(ctx, l, opt, &r), expected);
    if (!strstr(gos_ctx_message(ctx), words)) {
        print_error("expected '%s' in: %s\n", words, gos_ctx_message(ctx));
    }
    assert_non_null(strstr(gos_ctx_message(ctx), words));
    assert_null(r);
}

static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    chain c = {.n = 12, .dashpot = 5, .nu = 1, .in = {11}, .ny = 1, .out = {7}, .free = true};
    gos_linear *l = chain_model(ctx, &c);
    // a free chain that a dashpot holds: K is singular, a shift helps
    refused(ctx, l, &(gos_linear_reduction_options){.method = "krylov", .order = 4}, GOS_E_SINGULAR,
            "pole at the expansion point");
    const gos_point shift = {3, 0};
    gos_linear_reduction *r =
        reduce(ctx, l,
               &(gos_linear_reduction_options){
                   .method = "krylov", .order = 4, .npoints = 1, .points = &shift});
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);

    c.free = false;
    c.dashpot = 0;
    l = chain_model(ctx, &c);
    gos_mode mode;
    int found;
    linear_good(ctx, gos_linear_modes(ctx, l, 1, false, &mode, &found));
    const gos_point pole = {0, mode.omega}, nan = {(double)NAN, 0};
    refused(ctx, l,
            &(gos_linear_reduction_options){
                .method = "krylov", .order = 4, .npoints = 1, .points = &pole},
            GOS_E_SINGULAR, "pole at the expansion point");
    refused(ctx, l,
            &(gos_linear_reduction_options){
                .method = "krylov", .order = 4, .npoints = 1, .points = &nan},
            GOS_E_INPUT, "expansion point 1 is not a finite number");
    refused(ctx, l, &(gos_linear_reduction_options){.method = "krylow", .order = 4}, GOS_E_INPUT,
            "did you mean krylov");
    refused(ctx, l, &(gos_linear_reduction_options){.method = "krylov", .order = 13}, GOS_E_INPUT,
            "choose 1 to 12 for this model");
    refused(ctx, l,
            &(gos_linear_reduction_options){.method = "modes", .order = 3, .ranking = "costs"},
            GOS_E_INPUT, "did you mean cost");
    refused(ctx, l, &(gos_linear_reduction_options){.method = "krylov", .order = 3, .band = {2, 1}},
            GOS_E_INPUT, "the lower one first");
    refused(
        ctx, l,
        &(gos_linear_reduction_options){.method = "krylov", .order = 3, .tolerance = (double)NAN},
        GOS_E_INPUT, "between 0 and 1");
    l->block[GOS_BLOCK_K].x[5] = (double)NAN;
    refused(ctx, l, &(gos_linear_reduction_options){.method = "krylov", .order = 4},
            GOS_E_NONFINITE, "of matrix K is not a finite number");
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),     cmocka_unit_test(test_block_and_deflation),
        cmocka_unit_test(test_first_order), cmocka_unit_test(test_full_order),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
