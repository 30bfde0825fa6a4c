/* An installation writes into its prefix and nowhere else: not into a checkout of another
 * user. */
#include "program.h"
#include "support/suite.h"

#include <stdbool.h>
#include <sys/stat.h>

/* a line of the shell in the folder; GOS_BUILD is where the program was built */
static int shell(const char *line) {
    char command[2048];
    (void)snprintf(command, sizeof command, "cd %s && build=$(dirname '%s') && { %s; }", folder,
                   GOS_PROGRAM, line);
    const int how = system(command);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void test_other_owner(void **state) {
    (void)state;
    const char *const nobody = "as='setpriv --reuid=65534 --regid=65534 --clear-groups'; ";
    char line[1024];
    (void)snprintf(line, sizeof line,
                   "%s $as test -r \"$build\"/cmake_install.cmake -a ! -w \"$build\" "
                   "-a -r \"$build\"/libgossamer.so 2>/dev/null",
                   nobody);
    if (geteuid() != 0 || shell(line) != 0) {
        print_message("needs root, setpriv, and a whole build that others can read\n");
        skip();
    }
    assert_int_equal(shell("chmod 755 . && mkdir prefix && chmod 777 prefix && touch before"), 0);
    (void)snprintf(line, sizeof line,
                   "%s $as cmake --install \"$build\" --prefix \"$PWD\"/prefix >install.txt 2>&1 "
                   "|| { cat install.txt; exit 1; }",
                   nobody);
    assert_int_equal(shell(line), 0);
    assert_int_equal(shell("test -x prefix/bin/gossamer -a -f prefix/include/gossamer/io.h"), 0);
    // man pages and completion for each command, as the installed program writes them; builds with
    // sanitizers have none
    assert_int_equal(shell("test ! -d \"$build\"/manual || python3 " GOS_SOURCE_DIR
                           "/tests/cli/check_manual.py prefix/bin/gossamer prefix/share"),
                     0);
    assert_int_equal(shell("test -z \"$(find \"$build\" -maxdepth 1 -name 'install_manifest*' "
                           "-newer before)\""),
                     0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_owner)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
