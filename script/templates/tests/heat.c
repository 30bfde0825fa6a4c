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

/* all of the power arrives in the mean temperature */
static void power_arrives(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, ROD "heat:\n  heater: {type: template, on: rod.end, power: 12}\n");
    assert_int_equal(f.b.nitem, 1);
    const gos_item *it = f.b.item[0];
    const double fn[1] = {12.0}, th[GOS_ITEM_TMARKERS] = {0.0};
    double heat[GOS_ITEM_TMARKERS] = {0.0};
    it->type->eval(it, &(gos_item_io){.scale = 1.0, .fn = fn, .th = th, .heat = heat});
    assert_true(heat[0] == 12.0);
    for (int k = 1; k < it->ntm; ++k) {
        assert_true(heat[k] == 0.0);
    }
    drop(&f);
}

static const char wrong_entry[] =
    ROD "heat:\n  heater: {type: template, on: rod.middle, power: 12}\n";
static const char wrong_key[] = "middle";

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(power_arrives), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
