/* The line about linear algebra. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "gossamer/blas.h"
#include "support/suite.h"

static void test_line(void **state) {
    (void)state;
    char whole[256], part[12], none[1] = "x";
    gos_blas_describe(whole, sizeof whole);
    assert_int_equal(strncmp(whole, "OpenBLAS ", 9), 0);
    const char *name = strstr(whole, ", kernels ");
    assert_non_null(name);
    assert_int_equal(strncmp(name + 10, gos_blas_kernels(), strlen(gos_blas_kernels())), 0);
    assert_null(strchr(whole, '\n'));
    gos_blas_describe(part, sizeof part);
    assert_int_equal(strlen(part), sizeof part - 1);
    assert_int_equal(strncmp(part, whole, sizeof part - 1), 0);
    gos_blas_describe(none, sizeof none);
    assert_int_equal(none[0], 0);
    // or the tests would not have come here
    assert_true(gos_blas_supported());
    const char *better = gos_blas_recommended();
    assert_true(!better || strcmp(better, gos_blas_kernels()) != 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
