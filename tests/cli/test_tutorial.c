/* docs/tutorial.md and docs/howto: all commands print what the pages have; errors in a page are
 * found. */
#include "program.h"
#include "support/suite.h"

static char page_text[OUTPUT_MAX];

/* script/check-tutorial with options; its exit code */
static int check_page_by_option(const char *options) {
    char command[1000];
    (void)snprintf(command, sizeof command,
                   "cd %s && '%s/script/check-tutorial' '%s' %s >out.txt 2>error.txt", folder,
                   GOS_SOURCE_DIR, GOS_PROGRAM, options);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

/* a page in the folder, or the tutorial */
static int check_page(const char *page) {
    char options[200] = "";
    if (page) {
        (void)snprintf(options, sizeof options, "--page %s", page);
    }
    return check_page_by_option(options);
}

static void test_page(void **state) {
    (void)state;
    if (check_page(NULL) != 0) {
        fail_msg("%s%s", out_text, error_text);
    }
    assert_non_null(strstr(out_text, "14 commands, 0 of them differ from the page"));
}

/* docs/howto: ten pages, with commands of gossamer and python3 */
static void test_howto(void **state) {
    (void)state;
    if (check_page_by_option("--howto") != 0) {
        fail_msg("%s%s", out_text, error_text);
    }
    assert_non_null(strstr(out_text, "26 commands, 0 of them differ from the pages"));
}

static const char model[] = "```yaml\n# rod.yaml\nparameters: {m: 2}\n```\n"
                            "```yaml\n# rod.yaml, continued\nbodies:\n"
                            "  rod: {type: rigid, mass: m, inertia: [1, 1, 1]}\n```\n";

/* a page of that model and one command, and what is said to be printed */
static int check_command(const char *command, const char *said) {
    (void)snprintf(page_text, sizeof page_text, "%s```console\n$ gossamer %s\n%s```\n", model,
                   command, said);
    write_text("page.md", page_text);
    return check_page("page.md");
}

static void test_differences(void **state) {
    static const char *const good = "rod.yaml: no errors\n";
    static const char command[] = "check rod.yaml";
    (void)state;
    // what it prints, whatever that is, by --write
    assert_int_equal(check_command(command, good), 1);
    char line[1000];
    (void)snprintf(line, sizeof line, "'%s/script/check-tutorial' '%s' --write --page %s/page.md",
                   GOS_SOURCE_DIR, GOS_PROGRAM, folder);
    assert_int_equal(system(line), 0);
    read_text("page.md", page_text);
    assert_int_equal(check_page("page.md"), 0);
    char *mass = strstr(page_text, "mass         2 kg");
    assert_non_null(mass);
    mass[13] = '3'; // a number
    write_text("page.md", page_text);
    assert_int_equal(check_page("page.md"), 1);
    assert_non_null(strstr(out_text, "the page says  mass         3 kg"));
    mass[13] = '2';
    mass[0] = 'M'; // a word
    write_text("page.md", page_text);
    assert_int_equal(check_page("page.md"), 1);
    mass[0] = 'm';
    strstr(page_text, "rigid")[0] = 'f'; // a model that is not valid
    write_text("page.md", page_text);
    assert_int_equal(check_page("page.md"), 1);
    assert_non_null(strstr(out_text, "exit code 2"));
    // lines left out, and one too few
    assert_int_equal(check_command(command, "...\n"), 0);
    assert_int_equal(check_command(command, "\n"), 1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page), cmocka_unit_test(test_howto),
                                       cmocka_unit_test(test_differences)};
    return cmocka_run_group_tests_name("tutorial", tests, make_folder, remove_folder);
}
SUITE(suite)
