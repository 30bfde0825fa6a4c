/* Responses of heated models from modes against those of factorisations, which know nothing of
   modes; what is remembered of the latter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>

#include "linear_reduction/frequency_response.h"
#include "support/linear_models.h"
#include "support/suite.h"

#define N 12 // masses
#define LARGE                                                                                      \
    801     // masses from which a factorisation of a filled matrix for each frequency is out of the
            // question
#define T 7 // temperatures

static gos_ctx *ctx;

static int setup(void **state) {
    (void)state;
    ctx = gos_ctx_create();
    return ctx == NULL;
}

static int teardown(void **state) {
    (void)state;
    gos_ctx_destroy(ctx);
    return 0;
}

/* a filled matrix of damping which leaves the modes of a chain of n equal masses uncoupled: its
 * stiffness, and the first mode's own */
static void put_damping(gos_linear *l, int n, double *A, const double *K) {
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] =
                1e-3 * K[i * n + j] + sin(pi * (i + 1) / (n + 1)) * sin(pi * (j + 1) / (n + 1)) / n;
        }
    }
    linear_put(ctx, l, GOS_BLOCK_D, A);
}

static void put_motion(gos_linear *l, int n) {
    double *A = test_calloc((size_t)n * (size_t)n, sizeof *A);
    double *K = test_calloc((size_t)n * (size_t)n, sizeof *K);
    for (int i = 0; i < n; i++) {
        A[i * n + i] = 1.3;
        K[i * n + i] = 3000; // each of them held, too
        if (i > 0) {
            K[i * n + i - 1] = K[(i - 1) * n + i] = -1000;
        }
    }
    linear_put(ctx, l, GOS_BLOCK_M, A);
    linear_put(ctx, l, GOS_BLOCK_K, K);
    put_damping(l, n, A, K);
    test_free(K);
    test_free(A);
}

static void put_heat(gos_linear *l) {
    double C[T * T] = {0}, A[T * T] = {0};
    for (int i = 0; i < T; i++) {
        C[i * T + i] = 3 + i;
        A[i * T + i] = 21;
        if (i > 0) {
            A[i * T + i - 1] = A[(i - 1) * T + i] = -10;
        }
    }
    linear_put(ctx, l, GOS_BLOCK_C_T, C);
    linear_put(ctx, l, GOS_BLOCK_K_T, A);
}

static void put_coupling(gos_linear *l, int n, bool two_way) {
    uint64_t seed = 5;
    double *G = test_calloc((size_t)n * T, sizeof *G), *H = test_calloc((size_t)n * T, sizeof *H);
    for (int i = 0; i < n * T; i++) {
        G[i] = 100 * random_uniform(&seed);
        H[i] = 0.01 * random_uniform(&seed);
    }
    linear_put(ctx, l, GOS_BLOCK_G, G);
    if (two_way) {
        linear_put(ctx, l, GOS_BLOCK_H_q, H);
    }
    test_free(H);
    test_free(G);
}

/* a chain of n masses and one of temperatures, whose expansion pushes the masses; heat of strains
 * where asked */
static gos_linear *heated_chain(int n, bool two_way) {
    gos_linear *l;
    double *B = test_calloc(2 * (size_t)n, sizeof *B), *Y = test_calloc(2 * (size_t)n, sizeof *Y);
    double B_T[2 * T] = {0}, Y_T[2 * T] = {0};
    linear_good(
        ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = n, .nt = T, .nu = 2, .ny = 2}, &l));
    put_motion(l, n);
    put_heat(l);
    put_coupling(l, n, two_way);
    B[2] = 1;
    B_T[T + 1] = 5; // the second input heats
    linear_put(ctx, l, GOS_BLOCK_B, B);
    linear_put(ctx, l, GOS_BLOCK_B_T, B_T);
    Y[8] = 1;
    linear_put(ctx, l, GOS_BLOCK_Y_v, Y);
    Y[8] = 0;
    Y[3] = 1;
    Y[n + 5] = 2;
    linear_put(ctx, l, GOS_BLOCK_Y_q, Y);
    Y_T[T + 4] = 1;
    linear_put(ctx, l, GOS_BLOCK_Y_T, Y_T);
    linear_good(ctx, gos__linear_close(l));
    test_free(Y);
    test_free(B);
    return l;
}

/* largest difference of r from factorisations over decades around the resonances, in steps of a
 * factor, over the largest response */
static double difference(const gos_linear *l, gos_responder *r, double factor) {
    gos_reduce_pencil *p;
    double worst = 0, largest = 0;
    linear_good(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
    for (double w = 0.01; w < 1000; w *= factor) {
        gos_complex H[4], exact[4];
        linear_good(ctx, gos__responder_at(r, w, H));
        linear_good(ctx, gos__reduce_pencil_response(p, gos__complex(0, w), exact));
        for (int k = 0; k < 4; k++) {
            worst = fmax(worst, cabs(H[k] - exact[k]));
            largest = fmax(largest, cabs(exact[k]));
        }
    }
    gos__reduce_pencil_destroy(p);
    return worst / largest;
}

/* Forces by temperature, heat that is stored and conducted, inputs and outputs of both fields: to
   rounding. What rounding leaves is another one than that of the solves which make vectors, so that
   modes are taken only where solves cost too much. */
static void test_heat_acts_on_modes(void **state) {
    (void)state;
    gos_responder r;
    gos_linear *l = heated_chain(LARGE, false);
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    assert_non_null(r.modes);
    assert_true(difference(l, &r, 60) < 1e-12);
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
    l = heated_chain(N, false);
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    assert_null(r.modes);
    assert_true(difference(l, &r, 1.7) < 1e-12);
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
}

/* where motion heats, modes are coupled */
static void test_two_ways_are_no_modes(void **state) {
    (void)state;
    gos_responder r;
    gos_linear *l = heated_chain(N, true);
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    assert_null(r.modes);
    assert_true(difference(l, &r, 1.7) < 1e-11);
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
}

/* the same frequency again: the same numbers, and no factorisation */
static void test_remembers(void **state) {
    (void)state;
    gos_responder r;
    gos_complex H[2][4];
    gos_linear *l = heated_chain(N, true);
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    linear_good(ctx, gos__responder_factored(&r, 3, H[0]));
    linear_good(ctx, gos__responder_factored(&r, 4, H[1]));
    const int before = r.pencil->factorisations;
    assert_true(before > 0);
    linear_good(ctx, gos__responder_factored(&r, 3, H[1]));
    assert_int_equal(r.pencil->factorisations, before);
    assert_memory_equal(H[0], H[1], sizeof H[0]);
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
}

/* A point without mass between springs, pushed, beside a mass with a dashpot: there are not as many
   poles as states. P = K + i w D - w^2 M is a 2 x 2 matrix, whose inverse is written down. */
static void test_no_mass(void **state) {
    (void)state;
    static const double M[] = {1, 0, 0, 0}, D[] = {0.5, 0, 0, 0}, K[] = {3, -1, -1, 2},
                        B[] = {0, 1};
    gos_responder r;
    gos_linear *l;
    linear_good(ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = 2, .nu = 1, .ny = 1}, &l));
    linear_put(ctx, l, GOS_BLOCK_M, M);
    linear_put(ctx, l, GOS_BLOCK_D, D);
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_put(ctx, l, GOS_BLOCK_B, B);
    linear_put(ctx, l, GOS_BLOCK_Y_q, B);
    linear_good(ctx, gos__linear_close(l));
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    for (double w = 0.01; w < 1000; w *= 3) {
        gos_complex H;
        const gos_complex p = gos__complex(3 - w * w, 0.5 * w);
        linear_good(ctx, gos__responder_at(&r, w, &H));
        assert_true(cabs(H - p / (2 * p - 1)) < 1e-13 * cabs(H));
    }
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heat_acts_on_modes),
        cmocka_unit_test(test_two_ways_are_no_modes),
        cmocka_unit_test(test_remembers),
        cmocka_unit_test(test_no_mass),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
