/* Tags: found after the table has grown, kept when given twice, in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/base.h"
#include "mesh/tags.h"
#include "support/suite.h"

static int64_t tag_of(int i) { // sparse, of both signs, some huge
    return i % 3 == 0   ? INT64_MAX - 1000003 * (int64_t)i
           : i % 3 == 1 ? -7 * (int64_t)i
                        : (int64_t)i << 32;
}

static void test_find(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_tags t = {.ctx = ctx};
    int before;
    assert_int_equal(gos__tags_find(&t, 1), -1);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(gos__tags_add(&t, tag_of(i), i, &before), GOS_OK);
        assert_int_equal(before, -1);
    }
    assert_int_equal(t.n, 100000);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(gos__tags_find(&t, tag_of(i)), i);
    }
    assert_int_equal(gos__tags_find(&t, 12345678901), -1);
    assert_int_equal(gos__tags_add(&t, tag_of(5), 77, &before), GOS_OK);
    assert_int_equal(before, 5);
    assert_int_equal(gos__tags_find(&t, tag_of(5)), 5);
    gos__tags_free(&t);
    assert_int_equal(gos__tags_find(&t, tag_of(5)), -1);
    gos_ctx_destroy(ctx);
}

static void test_order(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    const int64_t tag[] = {30, -5, INT64_MAX, 30, INT64_MIN, 0};
    const int expected[] = {4, 1, 5, 0, 3, 2};
    int order[6];
    assert_int_equal(gos__tags_order(ctx, 6, tag, order), GOS_OK);
    assert_memory_equal(order, expected, sizeof order);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_find), cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
