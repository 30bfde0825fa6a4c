/* template: tests of this type. tests/conformance tests derivatives, tables and rigid motion of all
   types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/items.h"
#include "support/suite.h"

#define ROD                                                                                        \
    "bodies:\n"                                                                                    \
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0]}\n"

/* the rows hold at t = 0 */
static void rows_hold(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, ROD "joints:\n  pin: {type: template, between: [ground, rod.start]}\n");
    assert_int_equal(f.b.nitem, 1);
    const gos_item *it = f.b.item[0];
    double x[3 * GOS_ITEM_MARKERS] = {0.0}, c[GOS_ITEM_ROWS] = {0.0};
    for (int i = 0; i < it->nm; ++i) {
        gos__marker_initial(&f.b, &it->m[i], x + 3 * i);
    }
    it->type->eval(it, &(gos_item_io){.scale = 1.0, .x = x, .c = c});
    assert_int_equal(it->nc, 3);
    for (int r = 0; r < it->nc; ++r) {
        assert_true(fabs(c[r]) < 1e-15);
    }
    drop(&f);
}

static const char wrong_entry[] =
    ROD "joints:\n  pin: {type: template, between: [ground, rud.end]}\n";
static const char wrong_key[] = "rud";

/* rejected with location and reason */
static void refused(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    assert_int_equal(make(&f, wrong_entry), GOS_E_INPUT);
    const char *message = gos_ctx_message(f.ctx);
    assert_non_null(strstr(message, "test.yaml:"));
    assert_non_null(strstr(message, wrong_key));
    drop(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_hold), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
