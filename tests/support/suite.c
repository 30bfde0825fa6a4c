/* The main function of all test programs:
       PROGRAM                     run all suites
       PROGRAM --list              print their names
       PROGRAM SUITE... [-- ARGS]  run these; ARGS are for the suite
   Each of several suites runs in a child process, so that none sees the state another left
   behind. */
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_MAX_LENGTH = 200 };

static test_suite *suites; // sorted by name
char **suite_arguments, **suite_command;

/* "unit/base" for ".../tests/unit/test_base.c" */
static void name_of(const test_suite *s, char name[NAME_MAX_LENGTH]) {
    const char *folder = s->file;
    const char *base = s->file;
    for (const char *p = s->file; *p; p++) {
        if (*p == '/') {
            folder = base;
            base = p + 1;
        }
    }
    const int folder_length = (int)(base - folder);
    if (strncmp(base, "test_", 5) == 0) {
        base += 5;
    } else if (strncmp(base, "nightly_", 8) == 0) {
        base += 8;
    }
    const char *end = strrchr(base, '.');
    (void)snprintf(name, NAME_MAX_LENGTH, "%.*s%.*s", folder_length, folder, (int)(end - base),
                   base);
}

static int order(const test_suite *a, const test_suite *b) {
    char name_a[NAME_MAX_LENGTH], name_b[NAME_MAX_LENGTH];
    name_of(a, name_a);
    name_of(b, name_b);
    return strcmp(name_a, name_b);
}

void suite_register(test_suite *s) {
    test_suite **at = &suites;
    while (*at && order(*at, s) < 0) {
        at = &(*at)->next;
    }
    s->next = *at;
    *at = s;
}

int suite_long(void) {
    const char *value = getenv("GOS_TEST_LONG");
    return value && strcmp(value, "1") == 0;
}

static const test_suite *running;

unsigned long suite_seed(void) {
    static const test_suite *printed;
    static unsigned long seed;
    if (printed != running) {
        const char *value = getenv("GOS_TEST_SEED");
        char name[NAME_MAX_LENGTH];
        name_of(running, name);
        seed = value ? strtoul(value, NULL, 10) : 0;
        printed = running;
        (void)printf("[  SEED    ] %s: GOS_TEST_SEED=%lu\n", name, seed);
        (void)fflush(stdout);
    }
    return seed;
}

static int run(const test_suite *s) {
    running = s;
    return s->run();
}

static const test_suite *find(const char *wanted) {
    char name[NAME_MAX_LENGTH];
    for (const test_suite *s = suites; s; s = s->next) {
        name_of(s, name);
        if (strcmp(name, wanted) == 0) {
            return s;
        }
    }
    return NULL;
}

/* in a child process; 1 when it failed */
static int run_apart(const test_suite *s) {
    char name[NAME_MAX_LENGTH];
    name_of(s, name);
    (void)printf("[  SUITE   ] %s\n", name);
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        exit(run(s) != 0);
    }
    int how = 0;
    const int good = child > 0 && waitpid(child, &how, 0) == child && how == 0;
    if (!good) {
        (void)fprintf(stderr, "[  SUITE   ] %s failed\n", name);
    }
    return !good;
}

int main(int argc, char **argv) {
    int n = 1;
    while (n < argc && strcmp(argv[n], "--") != 0) {
        n++;
    }
    suite_command = argv;
    suite_arguments = argv + (n < argc ? n + 1 : argc);
    if (n == 2 && strcmp(argv[1], "--list") == 0) {
        char name[NAME_MAX_LENGTH];
        for (const test_suite *s = suites; s; s = s->next) {
            name_of(s, name);
            (void)puts(name);
        }
        return 0;
    }
    for (int i = 1; i < n; i++) {
        if (!find(argv[i])) {
            (void)fprintf(stderr, "%s: no suite '%s'; --list prints the names\n", argv[0], argv[i]);
            return 2;
        }
    }
    if (n == 2) {
        return run(find(argv[1])) != 0;
    }
    int failed = 0;
    for (int i = 1; i < n; i++) {
        failed += run_apart(find(argv[i]));
    }
    for (const test_suite *s = n == 1 ? suites : NULL; s; s = s->next) {
        failed += run_apart(s);
    }
    return failed != 0;
}
