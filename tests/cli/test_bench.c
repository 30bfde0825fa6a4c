/* bench/all: a line for each case that is asked for, with times and a ratio; what it does not know
 * is named. */
#include "program.h"
#include "support/suite.h"

/* what bench/all ends with; its outputs in out_text, error_text */
static int compare(const char *arguments) {
    char command[1000];
    (void)snprintf(command, sizeof command, "'%s/bench/all' '%s' %s >%s/out.txt 2>%s/error.txt",
                   GOS_SOURCE_DIR, GOS_PROGRAM, arguments, folder, folder);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void test_lines(void **state) {
    (void)state;
    char command[1000];
    (void)snprintf(command, sizeof command, "'%s' --turns 2 --cases start,disc --csv", GOS_PROGRAM);
    assert_int_equal(compare(command), 0);
    static const char *const name[] = {"start,", "disc,"};
    for (int i = 0; i < 2; i++) {
        double before = 0, after = 0, ratio = 0;
        const char *line = strstr(out_text, name[i]);
        assert_non_null(line);
        assert_int_equal(sscanf(strchr(line, ',') + 1, "%lf,%lf,%lf", &before, &after, &ratio), 3);
        assert_true(before > 0 && after > 0 && ratio > 0);
    }
}

static void test_use(void **state) {
    (void)state;
    assert_int_equal(compare("--cases start,nothing"), 2);
    assert_non_null(strstr(error_text, "no case nothing; there are start, "));
    assert_int_equal(compare("no-such-version --cases start"), 1);
    assert_non_null(strstr(error_text, "neither a program nor a version"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_use)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
