/* Checkpoints come back as they were written; changed ones are refused, or at least do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/checkpoint.h"
#include "support/suite.h"

static int prepare(void **state) {
    static checkpoint_bench bench;
    *state = &bench;
    return checkpoint_bench_make(&bench) ? 0 : -1;
}

static int tidy(void **state) {
    checkpoint_bench_free(*state);
    return 0;
}

/* a copy with the alignment that bytes of a file get */
static char *copy_of(const checkpoint_bench *b) {
    char *copy = gos__alloc(b->ctx, b->n, 1);
    assert_non_null(copy);
    memcpy(copy, b->bytes, b->n);
    return copy;
}

static void test_good(void **state) {
    checkpoint_bench *b = *state;
    gos_checkpoint_view view;
    gos_checkpoint c;
    gos_state *x;
    assert_null(checkpoint_bench_try(b, b->bytes, b->n));
    assert_null(gos__checkpoint_parse(b->bytes, b->n, &view));
    assert_int_equal(view.given, strlen(checkpoint_model));
    assert_false(view.reduced);
    assert_null(view.folder);
    assert_int_equal(gos_state_create(b->ctx, b->sys, &x), GOS_OK);
    assert_null(gos__checkpoint_take(&view, x, &c));
    assert_true(x->t > 0 && x->t == c.row_time && x->h_next > 0);
    assert_true(c.options.end == 1 && x->npast > 40 && c.rows == 6);
    gos_state_destroy(x);
}

/* Any byte changed is noticed, any length but the right one too. */
static void test_damaged(void **state) {
    checkpoint_bench *b = *state;
    char *copy = copy_of(b);
    gos_checkpoint_view view;
    for (size_t i = 0; i < b->n; i += i < 512 ? 1 : 7) {
        copy[i] ^= 0x10;
        assert_non_null(gos__checkpoint_parse(copy, b->n, &view));
        copy[i] ^= 0x10;
        assert_non_null(gos__checkpoint_parse(copy, i, &view));
    }
    assert_null(gos__checkpoint_parse(copy, b->n, &view));
    gos__free(b->ctx, copy);
}

/* Every number becomes every nasty one, with checksums that fit. */
static void test_hostile(void **state) {
    checkpoint_bench *b = *state;
    static const double nasty[] = {(double)NAN, 0, -1, 0.5, 1e300, -1e300, 4e9, 1e-300, 1e16};
    char *copy = copy_of(b);
    int refused = 0, failed = 0, went_on = 0;
    for (size_t at = 64; at + sizeof(double) <= b->n; at += sizeof(double)) {
        // all of the scalars, some of the coordinates
        for (int k = 0; k < GOS_COUNT(nasty) && (at < 1200 || at % 5 == 0 || k == 0); k++) {
            memcpy(copy + at, &nasty[k], sizeof(double));
            gos__checkpoint_seal(copy, b->n);
            const char *why = checkpoint_bench_try(b, copy, b->n);
            refused += why != NULL;
            failed += why && strstr(why, "step") != NULL;
            went_on += why == NULL;
            memcpy(copy, b->bytes, b->n);
            gos_ctx_clear(b->ctx);
        }
    }
    print_message("%d refused, %d of them by a step; %d went on\n", refused, failed, went_on);
    gos__free(b->ctx, copy);
    assert_null(checkpoint_bench_try(b, b->bytes, b->n));
}

/* What is refused leaves the state as it was. */
static void test_unchanged(void **state) {
    checkpoint_bench *b = *state;
    gos_checkpoint_view view;
    gos_checkpoint c = {.rows = 77};
    gos_state *x, *y;
    char *copy = copy_of(b);
    assert_null(gos__checkpoint_parse(copy, b->n, &view));
    // the position is checked last
    const double wrong = -1;
    memcpy(copy + ((const char *)view.section[4].v - copy), &wrong, sizeof wrong);
    gos__checkpoint_seal(copy, b->n);
    assert_null(gos__checkpoint_parse(copy, b->n, &view));
    assert_int_equal(gos_state_create(b->ctx, b->sys, &x), GOS_OK);
    assert_int_equal(gos_state_create(b->ctx, b->sys, &y), GOS_OK);
    assert_non_null(gos__checkpoint_take(&view, x, &c));
    assert_memory_equal(x->block, y->block, x->nblock * sizeof(double));
    assert_true(x->t == 0 && c.rows == 77);
    gos_state_destroy(x);
    gos_state_destroy(y);
    gos__free(b->ctx, copy);
}

/* The first one soon, for runs of seconds; then no more than every 10 s; as told when that is
   said. */
static void test_distance(void **state) {
    GOS_UNUSED(state);
    assert_true(gos__checkpoint_distance(0, 0) == 1);
    for (int i = 0; i < 100; i++) {
        const double now = gos__checkpoint_distance(0, i),
                     next = gos__checkpoint_distance(0, i + 1);
        assert_true(next >= now && next <= 2 * now && next <= 10);
        assert_true(gos__checkpoint_distance(3, i) == 3);
    }
    assert_true(gos__checkpoint_distance(0, 100) == 10);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_distance),
                                       cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_unchanged)};
    return cmocka_run_group_tests(tests, prepare, tidy);
}
SUITE_INTERNAL(suite)
