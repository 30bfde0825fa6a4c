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

static void force_and_drag(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, ROD "loads:\n  push: {type: template, on: rod.end, force: [1, 2, 3], drag: 0.5}\n");
    assert_int_equal(f.b.nitem, 1);
    const gos_item *it = f.b.item[0];
    const double x[3] = {0.0}, xd[3] = {2.0, 0.0, -2.0}, fn[3] = {1.0, 2.0, 3.0};
    double force[3] = {0.0};
    it->type->eval(it, &(gos_item_io){.scale = 1.0, .fn = fn, .x = x, .xd = xd, .f = force});
    assert_true(force[0] == 0.0 && force[1] == 2.0 && force[2] == 4.0);
    drop(&f);
}

static const char wrong_entry[] =
    ROD "loads:\n  push: {type: template, on: rod.end, force: [1, 2, 3], drag: -1}\n";
static const char wrong_key[] = "drag";

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(force_and_drag), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
