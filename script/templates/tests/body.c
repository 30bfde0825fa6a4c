/* template: tests of this type. tests/conformance tests derivatives, tables and rigid motion of all
   types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/items.h"
#include "support/suite.h"

static void mass_and_place(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, "bodies:\n  ball: {type: template, mass: 2, position: [1, 2, 3]}\n");
    assert_int_equal(f.b.nv, 1);
    assert_int_equal(f.b.mass.n, 1);
    assert_true(f.b.mass.v[0] == 2.0);

    gos_location p;
    gos_marker m;
    double x[3];
    assert_int_equal(gos__locate(&f.b, "ball.node", (gos_loc){0}, "test", &p), GOS_OK);
    assert_int_equal(gos__position(&f.b, &p, &m), GOS_OK);
    gos__marker_initial(&f.b, &m, x);
    assert_true(x[0] == 1.0 && x[1] == 2.0 && x[2] == 3.0);
    drop(&f);
}

static const char wrong_entry[] = "bodies:\n  ball: {type: template, mass: 0}\n";
static const char wrong_key[] = "mass";

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(mass_and_place), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
