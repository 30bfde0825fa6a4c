/* Linear models by their blocks: taken as they are, put into first order, refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "gossamer/linear.h"
#include "support/suite.h"

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

/* two masses 1 kg and 3 kg, the first on a spring of 100 N/m with 2 N s/m, tied together by q1 =
   q2, pushed at the second, seen at the first; and a temperature that the motion heats by 5 W
   s/m */
static const int two[] = {0, 1, 2}, both[] = {0, 1}, first[] = {0, 1, 1}, second[] = {0, 0, 1};
static const int none[] = {0, 1}, zero[] = {0}, one[] = {1}, zeros[] = {0, 0};
static const double mass[] = {1, 3}, stiffness[] = {100}, damping[] = {2}, tie[] = {1, -1};
static const double unit[] = {1}, heat[] = {-5}, conduction[] = {0.5};

static const gos_matrix_view M = {2, 2, 2, two, both, mass}, K = {2, 2, 1, first, zero, stiffness},
                             D = {2, 2, 1, first, zero, damping}, C = {1, 2, 2, two, zeros, tie},
                             B = {2, 1, 1, none, one, unit}, Y_q = {2, 2, 1, first, zero, unit},
                             C_T = {1, 1, 1, none, zero, unit},
                             K_T = {1, 1, 1, none, zero, conduction},
                             H_v = {1, 2, 1, second, zero, heat}, Y_T = {2, 1, 1, none, one, unit};

static gos_linear_blocks tied(void) {
    return (gos_linear_blocks){.coordinates = 2,
                               .temperatures = 1,
                               .constraints = 1,
                               .inputs = 1,
                               .outputs = 2,
                               .block = {[GOS_BLOCK_M] = &M,
                                         [GOS_BLOCK_D] = &D,
                                         [GOS_BLOCK_K] = &K,
                                         [GOS_BLOCK_C] = &C,
                                         [GOS_BLOCK_C_T] = &C_T,
                                         [GOS_BLOCK_K_T] = &K_T,
                                         [GOS_BLOCK_H_v] = &H_v,
                                         [GOS_BLOCK_B] = &B,
                                         [GOS_BLOCK_Y_q] = &Y_q,
                                         [GOS_BLOCK_Y_T] = &Y_T}};
}

/* q = 1 / (100 - 4 w^2 + 2 i w), T = 5 i w q / (i w + 0.5) */
static void expect_response(const gos_linear *l) {
    double omega = 4, H[4];
    assert_int_equal(gos_linear_response(ctx, l, 1, &omega, H), GOS_OK);
    const double a = 100 - 4 * omega * omega, b = 2 * omega, n = a * a + b * b;
    const double re = a / n, im = -b / n;
    // 5 i w / (i w + 0.5) = 5 w (w + 0.5 i) / (w^2 + 0.25)
    const double g = 5 * omega / (omega * omega + 0.25), gr = g * omega, gi = 0.5 * g;
    const double expected[] = {re, im, re * gr - im * gi, re * gi + im * gr};
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(H[i] - expected[i]) < 1e-13);
    }
}

static void test_response(void **state) {
    (void)state;
    const gos_linear_blocks blocks = tied();
    gos_linear *l, *f;
    gos_linear_info n;
    assert_int_equal(gos_linear_from_blocks(ctx, &blocks, &l), GOS_OK);
    expect_response(l);
    assert_string_equal(gos_linear_input(l, 0).name, "u1");
    assert_int_equal(gos_linear_first_order(ctx, l, &f), GOS_OK);
    gos_linear_info_get(f, &n);
    // the tie leaves one displacement of two: p, p', T
    assert_int_equal(n.temperatures, 3);
    assert_int_equal(n.coordinates + n.constraints, 0);
    expect_response(f);
    gos_linear_destroy(f);
    gos_linear_destroy(l);
}

static void refuse(const gos_linear_blocks *blocks, const char *text) {
    gos_linear *l = NULL;
    gos_ctx_clear(ctx);
    assert_int_equal(gos_linear_from_blocks(ctx, blocks, &l), GOS_E_INPUT);
    assert_null(l);
    assert_non_null(strstr(gos_ctx_diag(ctx, 0)->text, text));
}

static void test_refused(void **state) {
    (void)state;
    const int turned[] = {1, 0};
    const double infinite[] = {HUGE_VAL};
    const gos_matrix_view wrong_size = {1, 1, 1, none, zero, unit},
                          not_ascending = {2, 2, 2, (const int[]){0, 2, 2}, turned, mass},
                          beyond = {1, 1, 1, none, one, unit},
                          not_finite = {1, 1, 1, none, zero, infinite};
    gos_linear_blocks b = tied();
    b.block[GOS_BLOCK_K] = &wrong_size;
    refuse(&b, "matrix K is 1 x 1, where 2 x 2 is needed");
    b.block[GOS_BLOCK_K] = &not_ascending;
    refuse(&b, "matrix K is not a sparse matrix by columns with ascending rows");
    b = tied();
    b.block[GOS_BLOCK_C_T] = &beyond;
    refuse(&b, "matrix C_T is not a sparse matrix");
    b.block[GOS_BLOCK_C_T] = &not_finite;
    refuse(&b, "not finite");
    b = tied();
    b.outputs = -1;
    refuse(&b, "-1 unknowns, inputs or outputs");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE(suite)
