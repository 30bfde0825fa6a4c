/* Anderson acceleration of x := x + b - A x. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "linalg/anderson.h"
#include "support/suite.h"

enum { N = 40 };

/* largest component of b - A x after some steps; A is diagonal with the eigenvalues 1, 0.4, 5 and
   30, b = 1; the first unknowns do not count in the norm */
static double error_after(int depth, int steps, int uncounted) {
    static const double eigenvalue[] = {1, 0.4, 5, 30};
    gos_ctx *ctx = gos_ctx_create();
    gos_anderson *a = NULL;
    double x[N] = {0}, f[N], weight[N], worst = 0;
    for (int i = 0; i < N; i++) {
        weight[i] = i < uncounted ? 0 : 1 + i % 3;
    }
    assert_int_equal(gos__anderson_create(ctx, N, depth, weight, &a), GOS_OK);
    for (int k = 0; k <= steps; k++) {
        worst = 0;
        for (int i = 0; i < N; i++) {
            f[i] = 1 - eigenvalue[i % 4] * x[i];
            worst = fmax(worst, fabs(f[i]));
        }
        gos__anderson_step(a, f);
        for (int i = 0; i < N; i++) {
            x[i] += f[i];
        }
    }
    gos__anderson_destroy(a);
    gos_ctx_destroy(ctx);
    return worst;
}

/* Four eigenvalues: the minimal polynomial has degree 4, so five evaluations find the solution.
   Two columns do not suffice, and without any the iteration diverges. */
static void distinct_eigenvalues(void **state) {
    GOS_UNUSED(state);
    assert_true(error_after(10, 5, 0) < 1e-11);
    assert_true(error_after(10, 3, 0) > 1e-3);
    assert_true(error_after(2, 5, 0) > 1e-3);
    assert_true(error_after(10, 5, 8) < 1e-11); // the others determine the coefficients
}

/* After a reset the steps taken before have no effect. */
static void reset(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_anderson *a = NULL;
    const double weight[2] = {1, 1};
    double f[2] = {1, 2}, g[2] = {3, 1};
    assert_int_equal(gos__anderson_create(ctx, 2, 2, weight, &a), GOS_OK);
    gos__anderson_step(a, f);
    gos__anderson_reset(a);
    gos__anderson_step(a, g);
    assert_true(g[0] == 3 && g[1] == 1);
    double h[2] = {3, 1}; // no change at all: the columns are dependent, the step is plain
    gos__anderson_step(a, h);
    assert_true(h[0] == 3 && h[1] == 1);
    gos__anderson_destroy(a);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distinct_eigenvalues),
                                       cmocka_unit_test(reset)};
    return cmocka_run_group_tests_name("anderson", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
