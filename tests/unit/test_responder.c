/* Responses of heated models from modes against those of factorisations, which know nothing of modes; what is remembered of the
   latter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>

#include "linear_reduction/responder.h"
#include "support/linear_models.h"

#define N 12 // masses
#define T 7  // temperatures

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

/* a chain of masses and one of temperatures, whose expansion pushes the masses; heat of strains where asked */
static gos_linear *heated_chain(bool two_way) {
    gos_linear *l;
    double M[N * N] = {0}, K[N * N] = {0}, D[N * N] = {0}, C[T * T] = {0}, A[T * T] = {0};
    double G[N * T], H[T * N], B[2 * N] = {0}, B_T[2 * T] = {0}, Y_q[2 * N] = {0}, Y_T[2 * T] = {0};
    double Y_v[2 * N] = {0};
    uint64_t seed = 5;
    linear_good(
        ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = N, .nt = T, .nu = 2, .ny = 2}, &l));
    for (int i = 0; i < N; i++) {
        M[i * N + i] = 1 + 0.5 * i / N;
        K[i * N + i] = 2000;
        if (i > 0) {
            K[i * N + i - 1] = K[(i - 1) * N + i] = -1000;
        }
    }
    for (int i = 0; i < N * N; i++) {
        D[i] = 1e-3 * K[i];
    }
    for (int i = 0; i < T; i++) {
        C[i * T + i] = 3 + i;
        A[i * T + i] = 21;
        if (i > 0) {
            A[i * T + i - 1] = A[(i - 1) * T + i] = -10;
        }
    }
    for (int i = 0; i < N * T; i++) {
        G[i] = 100 * linear_random(&seed);
        H[i] = two_way ? 0.01 * linear_random(&seed) : 0;
    }
    B[2] = 1;
    B_T[T + 1] = 5; // the second input heats
    Y_q[2 * 3] = Y_v[2 * 8] = 1;
    Y_T[2 * 4 + 1] = 1;
    Y_q[2 * 5 + 1] = 2;
    linear_put(ctx, l, GOS_BLOCK_M, M);
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_put(ctx, l, GOS_BLOCK_D, D);
    linear_put(ctx, l, GOS_BLOCK_C_T, C);
    linear_put(ctx, l, GOS_BLOCK_K_T, A);
    linear_put(ctx, l, GOS_BLOCK_G, G);
    linear_put(ctx, l, GOS_BLOCK_B, B);
    linear_put(ctx, l, GOS_BLOCK_B_T, B_T);
    linear_put(ctx, l, GOS_BLOCK_Y_q, Y_q);
    linear_put(ctx, l, GOS_BLOCK_Y_v, Y_v);
    linear_put(ctx, l, GOS_BLOCK_Y_T, Y_T);
    if (two_way) {
        linear_put(ctx, l, GOS_BLOCK_H_q, H);
    }
    linear_good(ctx, gos__linear_close(l));
    return l;
}

/* largest difference of r from factorisations on decades around the resonances, over the largest response */
static double difference(const gos_linear *l, gos_responder *r) {
    gos_reduce_pencil *p;
    double worst = 0, largest = 0;
    linear_good(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
    for (double w = 0.01; w < 1000; w *= 1.7) {
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

/* forces by temperature, heat that is stored and conducted, inputs and outputs of both fields: to rounding */
static void test_heat_acts_on_modes(void **state) {
    (void)state;
    gos_responder r;
    gos_linear *l = heated_chain(false);
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    assert_non_null(r.modes);
    assert_true(difference(l, &r) < 1e-12);
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
}

/* where motion heats, modes are coupled */
static void test_two_ways_are_no_modes(void **state) {
    (void)state;
    gos_responder r;
    gos_linear *l = heated_chain(true);
    linear_good(ctx, gos__responder_begin(ctx, l, &r));
    assert_null(r.modes);
    assert_true(difference(l, &r) < 1e-11);
    gos__responder_end(ctx, &r);
    gos_linear_destroy(l);
}

/* the same frequency again: the same numbers, and no factorisation */
static void test_remembers(void **state) {
    (void)state;
    gos_responder r;
    gos_complex H[2][4];
    gos_linear *l = heated_chain(true);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heat_acts_on_modes),
        cmocka_unit_test(test_two_ways_are_no_modes),
        cmocka_unit_test(test_remembers),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
