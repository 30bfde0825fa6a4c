/* Rank of sparse rows: against a dense orthogonalisation, along a chain, and when it becomes too
 * much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/context.h"
#include "support/random.h"
#include "support/suite.h"
#include "constraints/row_rank.h"

#define TOLERANCE 1e-10
#define WIDTH 40
#define ROWS 60

/* is the row independent of the orthonormal ones so far; appends it */
static bool dense(double basis[ROWS][WIDTH], int *rank, const double *row) {
    double r[WIDTH], before = 0, after = 0;
    for (int i = 0; i < WIDTH; i++) {
        r[i] = row[i];
        before += r[i] * r[i];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < *rank; b++) {
            double dot = 0;
            for (int i = 0; i < WIDTH; i++) {
                dot += basis[b][i] * r[i];
            }
            for (int i = 0; i < WIDTH; i++) {
                r[i] -= dot * basis[b][i];
            }
        }
    }
    for (int i = 0; i < WIDTH; i++) {
        after += r[i] * r[i];
    }
    if (!(sqrt(after) > TOLERANCE * sqrt(before))) {
        return false;
    }
    for (int i = 0; i < WIDTH; i++) {
        basis[*rank][i] = r[i] / sqrt(after);
    }
    ++*rank;
    return true;
}

/* rows of few small whole numbers, a third of them sums of earlier ones */
static void test_random(void **state) {
    GOS_UNUSED(state);
    uint64_t seed = 7;
    for (int round = 0; round < 200; round++) {
        static double rows[ROWS][WIDTH], basis[ROWS][WIDTH];
        int rank = 0;
        gos_row_rank *k = NULL;
        assert_int_equal(gos__row_rank_create(ctx, WIDTH, &k), GOS_OK);
        for (int r = 0; r < ROWS; r++) {
            memset(rows[r], 0, sizeof rows[r]);
            const bool sum = r > 2 && random_below(&seed, 3) == 0;
            for (int t = 0; t < 3; t++) {
                const double f = random_below(&seed, 5) - 2;
                const int from = random_below(&seed, r > 0 ? r : 1);
                for (int i = 0; sum && i < WIDTH; i++) {
                    rows[r][i] += f * rows[from][i];
                }
                rows[r][random_below(&seed, WIDTH)] += sum ? 0 : f;
            }
            for (int i = 0; i < WIDTH; i++) { // in pieces, as markers give them
                gos__row_rank_put(k, i, 0.25 * rows[r][i]);
                gos__row_rank_put(k, i, 0.75 * rows[r][i]);
            }
            bool independent = false;
            assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
            assert_int_equal(independent, dense(basis, &rank, rows[r]));
        }
        gos__row_rank_destroy(k);
    }
}

/* x_i - x_(i-1) = 0 for many i, both ways along; then the two ends once more */
static void test_chain(void **state) {
    GOS_UNUSED(state);
    enum { N = 100000 };
    for (int backward = 0; backward < 2; backward++) {
        gos_row_rank *k = NULL;
        bool independent = false;
        assert_int_equal(gos__row_rank_create(ctx, N, &k), GOS_OK);
        for (int i = 1; i < (backward ? 3000 : N); i++) {
            gos__row_rank_put(k, backward ? N - i : i, 1);
            gos__row_rank_put(k, backward ? N - 1 - i : i - 1, -1);
            assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
            assert_true(independent);
        }
        gos__row_rank_put(k, backward ? N - 1 : 0, 1);
        gos__row_rank_put(k, backward ? N - 3000 : N - 1, -1);
        assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
        assert_false(independent);
        gos__row_rank_destroy(k);
    }
}

static void test_nothing(void **state) {
    GOS_UNUSED(state);
    gos_row_rank *k = NULL;
    bool independent = true;
    assert_int_equal(gos__row_rank_create(ctx, 3, &k), GOS_OK);
    assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
    assert_false(independent);
    gos__row_rank_put(k, 1, (double)NAN);
    assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
    assert_false(independent);
    gos__row_rank_destroy(k);
    gos__row_rank_destroy(NULL);
}

/* Terms of two markers that cancel leave rounding, which is no row of its own. */
static void test_cancelled(void **state) {
    GOS_UNUSED(state);
    gos_row_rank *k = NULL;
    bool independent = true;
    assert_int_equal(gos__row_rank_create(ctx, 3, &k), GOS_OK);
    for (int i = 0; i < 3; i++) {
        gos__row_rank_put(k, i, 1.0 + i);
        gos__row_rank_put(k, i, -(1.0 + i) * (1 + 1e-12 * i));
    }
    assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
    assert_false(independent);
    gos__row_rank_put(k, 1, 1e-12); // a small row without cancellation
    assert_int_equal(gos__row_rank_add(k, TOLERANCE, &independent), GOS_OK);
    assert_true(independent);
    gos__row_rank_destroy(k);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
