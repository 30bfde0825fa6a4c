/* 50 modes of a deck of 41,000 coordinates, whole process against whole process: at least ten times
   faster than CalculiX, where that is installed, in CPU seconds of one thread measured one after
   the other. */
#include "program.h"
#include "support/suite.h"

static void test_ratio(void **state) {
    (void)state;
    if (system("command -v ccx >/dev/null && command -v python3 >/dev/null") != 0) {
        print_message("skipped: ccx or python3 is not installed\n");
        skip();
    }
    double best = 0;
    for (int i = 0; i < 3 && best < 10; i++) { // other programs disturb either of them
        char line[200] = "";
        double ours, theirs, ratio;
        FILE *f = popen(GOS_SOURCE_DIR "/bench/calculix.sh " GOS_PROGRAM " bar41k | tail -1", "r");
        assert_non_null(f);
        assert_non_null(fgets(line, sizeof line, f));
        pclose(f);
        print_message("%s", line);
        assert_int_equal(sscanf(line, "bar41k,%lf,%lf,%lf", &ours, &theirs, &ratio), 3);
        best = ratio > best ? ratio : best;
    }
    assert_true(best >= 10);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ratio)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
