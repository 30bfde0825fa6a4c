/* Reductions of models that move freely: what is free is kept exactly by every method, the rest is
   reduced as if it were held. References: Newton's law, chains of masses, the projection itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>

#include "support/memory.h"
#include "support/linear_models.h"
#include "support/suite.h"

#define N 24

static gos_linear_reduction *reduce(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *opt) {
    gos_linear_reduction *r = NULL;
    linear_good(ctx, gos_linear_reduce(ctx, l, opt, &r));
    return r;
}

static double complex response(gos_ctx *ctx, const gos_linear *l, double omega) {
    double complex H;
    linear_good(ctx, gos_linear_response(ctx, l, 1, &omega, (double *)&H));
    return H;
}

/* mass of the chain of chain_model */
static double mass(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += 1 + 0.5 * i / N;
    }
    return sum;
}

/* far below the first flexible frequency (4 rad/s) the chain is a lump: the terms left out are
   (omega / 4)^2 = 6e-16 at 1e-7 rad/s; the rigid part of a projected stiffness would be round-off,
   1e-16 of 1000 N/m, ten times what inertia is there */
static void test_methods(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .beta = 1e-3, .nu = 1, .in = {23}, .ny = 1, .out = {7}, .free = true};
    gos_linear *l = chain_model(ctx, &c);
    const double omega = 1e-7;
    for (int i = 0; gos_linear_method(i, NULL); i++) {
        const char *name = gos_linear_method(i, NULL);
        if (strcmp(name, "craig_bampton") == 0) {
            continue; // keeps coordinates as they are
        }
        // an order that is requested may be too low for the tolerance; auto keeps both
        const gos_linear_reduction_options options = {.method = name,
                                                      .order = 14,
                                                      .band = {0.5, 50},
                                                      .tolerance = 1e-3,
                                                      .accept = strcmp(name, "auto") != 0};
        gos_linear_reduction *r = reduce(ctx, l, &options);
        const gos_linear *small = gos_linear_reduction_model(r);
        const double lump = cabs(response(ctx, small, omega) * mass() * omega * omega + 1);
        double worst = 0, largest = 0; // of what is flexible
        for (int k = 0; k < 40; k++) {
            const double w = 0.5 * pow(100, k / 39.0);
            const double complex full = response(ctx, l, w);
            worst = fmax(worst, cabs(full - response(ctx, small, w)));
            largest = fmax(largest, cabs(full + 1 / (mass() * w * w)));
        }
        gos_linear_reduction_report report;
        gos_linear_reduction_get(r, &report);
        print_message("%-20s %2d unknowns, lump to %.1e, error %.1e, predicted %.1e\n", name,
                      report.coordinates + report.temperatures, lump, worst / largest,
                      report.predicted);
        assert_true(lump < 1e-12);
        // an order of 14 is much less than 24 or 48; one static vector is no model of a band
        assert_true(worst < 0.3 * largest || strcmp(name, "static_vectors") == 0);
        // auto cuts bases of the held chain, and keeps the tolerance (40 frequencies miss the peak)
        assert_true(strcmp(name, "auto") != 0 ||
                    (report.coordinates <= 12 && worst < 2e-3 * largest)); // uncut: 22
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* the full model far below its first flexible frequency: a lump again, in positions -1 / (m
   omega^2) and velocities 1 / (i m omega); at rest there is no response */
static void test_response(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const double omega = 1e-7, zero = 0;
    for (int velocity = 0; velocity < 2; velocity++) {
        const chain c = {.n = N,
                         .beta = 1e-3,
                         .nu = 1,
                         .in = {23},
                         .ny = 1,
                         .out = {7},
                         .free = true,
                         .velocity = velocity};
        gos_linear *l = chain_model(ctx, &c);
        const double complex s = (double complex)I * omega;
        const double complex exact = 1 / (mass() * (velocity ? s : s * s));
        assert_true(cabs(response(ctx, l, omega) - exact) < 1e-12 * cabs(exact));
        double complex H;
        gos_ctx_clear(ctx);
        assert_int_equal(gos_linear_response(ctx, l, 1, &zero, (double *)&H), GOS_E_SINGULAR);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* the model is what its basis makes of the full one, and the free motion stands first */
static void test_basis(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .beta = 1e-3, .nu = 1, .in = {3}, .ny = 1, .out = {3}, .free = true};
    gos_linear *l = chain_model(ctx, &c);
    gos_linear_reduction *r =
        reduce(ctx, l, &(gos_linear_reduction_options){.method = "krylov", .order = 6});
    gos_linear_reduction_report report;
    gos_linear_reduction_get(r, &report);
    // 1/s^2 of the free motion, which is exact, and a series of the rest. Of 9 blocks every second
    // one is a multiple of that before it, as D is one of K; collocated: twice as many coefficients
    assert_int_equal(report.coordinates, 6);
    assert_int_equal(report.moments, 18);
    assert_true(report.moment_error < 1e-10);
    const gos_linear *small = gos_linear_reduction_model(r);
    int rows, columns;
    const double *V = gos_linear_reduction_basis(r, GOS_DISPLACEMENT, false, &rows, &columns);
    assert_int_equal(rows, N);
    assert_int_equal(columns, 6);
    const gos_block blocks[] = {GOS_BLOCK_M, GOS_BLOCK_K, GOS_BLOCK_D};
    const double size[] = {1, 4000, 4}; // largest eigenvalues
    for (int b = 0; b < GOS_COUNT(blocks); b++) {
        double S[36] = {0};
        const gos_sparse *A = &l->block[blocks[b]], *Ar = &small->block[blocks[b]];
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                for (int col = 0; col < N; col++) {
                    for (int k = A->p[col]; k < A->p[col + 1]; k++) {
                        S[j * 6 + i] += V[i * N + A->i[k]] * A->x[k] * V[j * N + col];
                    }
                }
            }
        }
        for (int j = 0; j < 6; j++) {
            for (int k = Ar->p[j]; k < Ar->p[j + 1]; k++) {
                assert_true(b == 0 || (j > 0 && Ar->i[k] > 0)); // nothing resists
                S[j * 6 + Ar->i[k]] -= Ar->x[k];
            }
        }
        for (int k = 0; k < 36; k++) {
            assert_true(fabs(S[k]) < 1e-12 * size[b]);
        }
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(fabs(V[i]) * sqrt(mass()) - 1) < 1e-10);
    }
    char name[40];
    gos_linear_coordinate(small, 0, name, sizeof name);
    assert_string_equal(name, "free(1)");
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* a chain that a dashpot holds is not free, though nothing brings it back */
static void test_dashpot(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .dashpot = 20, .nu = 1, .in = {23}, .ny = 1, .out = {7}, .free = true};
    gos_linear *l = chain_model(ctx, &c);
    gos_linear_reduction *r = NULL;
    gos_linear_reduction_options options = {.method = "krylov", .order = 8};
    assert_int_equal(gos_linear_reduce(ctx, l, &options, &r), GOS_E_SINGULAR);
    assert_non_null(strstr(gos_ctx_message(ctx), "pole at the expansion point"));
    static const char *const own[] = {"krylov", "modes_static"};
    for (int i = 0; i < GOS_COUNT(own); i++) { // with a band the point is put amid it
        gos_ctx_clear(ctx);
        options = (gos_linear_reduction_options){.method = own[i], .order = 8, .band = {2, 8}};
        r = reduce(ctx, l, &options);
        gos_linear_reduction_report report;
        gos_linear_reduction_get(r, &report);
        bool said = false;
        for (int k = 0; k < gos_ctx_ndiag(ctx); k++) {
            said = said || strstr(gos_ctx_diag(ctx, k)->text, "about s = 4 1/s");
        }
        assert_true(said);
        assert_int_equal(report.points, 1);
        assert_true(report.moments > 0 && report.moment_error < 1e-10);
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* no order without room for what is flexible */
static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .nu = 1, .in = {23}, .ny = 1, .out = {7}, .free = true};
    gos_linear *l = chain_model(ctx, &c);
    gos_linear_reduction *r = NULL;
    const gos_linear_reduction_options options = {.method = "modes", .order = 1};
    assert_int_equal(gos_linear_reduce(ctx, l, &options, &r), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "order 1 is too low"));
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods), cmocka_unit_test(test_response),
        cmocka_unit_test(test_basis),   cmocka_unit_test(test_dashpot),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
