/* Running the program from tests: arguments in, exit code and both outputs back. */
#ifndef GOS_TEST_PROGRAM_H
#define GOS_TEST_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 1 << 20 };

static char folder[64];             // a new one for each test program
static char out_text[OUTPUT_MAX];   // standard output of the last run
static char error_text[OUTPUT_MAX]; // standard error

static void read_text(const char *name, char *text) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, OUTPUT_MAX - 1, f)] = '\0';
    (void)fclose(f);
}

/* bytes of a file of the folder; -1: missing */
static inline long size_of(const char *name) {
    char path[128];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &st) == 0 ? (long)st.st_size : -1;
}

/* Run "gossamer ARGUMENTS" in the folder, through the shell; `before` precedes it ("ulimit -f
   8;"). */
static inline int program_with(const char *before, const char *arguments) {
    char command[4096];
    (void)snprintf(command, sizeof command, "cd %s && { %s '%s' %s; } >out.txt 2>error.txt", folder,
                   before, GOS_PROGRAM, arguments);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static int program(const char *arguments) {
    return program_with("", arguments);
}

/* The same, with the exit code and a part of either output that are expected. */
static inline void expect(int code, const char *arguments, const char *text) {
    const int got = program(arguments);
    if (got != code || (strstr(out_text, text) == NULL && strstr(error_text, text) == NULL)) {
        fail_msg("gossamer %s\nexit code %d, expected %d with '%s'\n%s%s", arguments, got, code,
                 text, out_text, error_text);
    }
}

static inline void write_text(const char *name, const char *text) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A script of this folder that looks at pages in a browser: 0 when they are good, 77 when there is
 * no browser. */
static inline void check_page_by(const char *script, const char *arguments) {
    char command[2048];
    (void)snprintf(command, sizeof command,
                   "cd %s && python3 '%s/tests/cli/%s' %s >out.txt 2>error.txt", folder,
                   GOS_SOURCE_DIR, script, arguments);
    const int how = system(command);
    read_text("out.txt", out_text);
    read_text("error.txt", error_text);
    assert_true(WIFEXITED(how));
    if (WEXITSTATUS(how) == 77) {
        print_message("skipped: no chromium is installed%s\n",
                      strstr(out_text, "WebGL") != NULL ? " that has WebGL" : "");
        skip();
    }
    if (WEXITSTATUS(how) != 0) {
        fail_msg("%s\n%s%s", arguments, out_text, error_text);
    }
}

static inline void check_in_browser(const char *arguments) {
    check_page_by("check_page.py", arguments);
}

static inline void check_content(const char *arguments) {
    check_page_by("check_content.py", arguments);
}

static inline void check_view(const char *arguments) {
    check_page_by("check_view.py", arguments);
}

static int make_folder(void **state) {
    (void)state;
    (void)strcpy(folder, "/tmp/gossamer_cli_XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

#endif
