/* The format reference in the manual is what the program itself says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/suite.h"

static void test_up_to_date(void **state) {
    (void)state;
    assert_int_equal(
        system("'" GOS_SOURCE_DIR "/script/format-reference' --check '" GOS_PROGRAM "'"), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_up_to_date)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
