/* Things found by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/names.h"
#include "support/suite.h"

enum { N = 3000 };

static void test_find(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *a = gos__arena_create(ctx);
    gos_names names = {0};
    static int thing[N];
    static char name[N][8];
    assert_null(gos__names_find(&names, "b0", 2)); // nothing is there yet
    for (int i = 0; i < N; i++) {
        gos__format(name[i], sizeof name[i], "b%d", i);
        assert_int_equal(gos__names_add(a, &names, name[i], &thing[i]), GOS_OK);
        assert_ptr_equal(gos__names_find(&names, "b0", 2), &thing[0]);
    }
    for (int i = 0; i < N; i++) {
        assert_ptr_equal(gos__names_find(&names, name[i], strlen(name[i])), &thing[i]);
    }
    // a name is a part of a text, and its beginning is another one
    assert_ptr_equal(gos__names_find(&names, "b12.end", 3), &thing[12]);
    assert_ptr_equal(gos__names_find(&names, "b12.end", 2), &thing[1]);
    assert_null(gos__names_find(&names, "b12.end", 4));
    assert_null(gos__names_find(&names, "b", 1));
    assert_null(gos__names_find(&names, "", 0));
    assert_null(gos__names_find(&names, "b3000", 5));
    gos__arena_destroy(a);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_find)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
