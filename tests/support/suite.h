/* A test program holds many suites, one for each file. The last line of a file registers its suite:

       static int suite(void) {
           const struct CMUnitTest tests[] = {...};
           return cmocka_run_group_tests(tests, NULL, NULL);
       }
       SUITE(suite)

   The name is FOLDER/SHORT for tests/FOLDER/test_SHORT.c, as in CTest. */
#ifndef GOS_TEST_SUITE_H
#define GOS_TEST_SUITE_H

/* run returns the number of tests that failed. */
typedef struct test_suite {
    const char *file; // source file, from which the name follows
    int (*run)(void);
    struct test_suite *next;
} test_suite;

/* The suite must live as long as the program. */
void suite_register(test_suite *s);

/* Arguments of the program behind "--", ended by NULL. */
extern char **suite_arguments;
/* True with GOS_TEST_LONG=1, as script/test --all sets it: finer meshes, longer runs, more
   cases. */
int suite_long(void);
/* Seed of random.h: GOS_TEST_SEED, 0 without it. Printed with the suite at first use. */
unsigned long suite_seed(void);
/* All arguments of the program, for gos_blas_select. */
extern char **suite_command;

#define SUITE(function)                                                                            \
    __attribute__((constructor)) static void register_##function(void) {                           \
        static test_suite self = {__BASE_FILE__, function, 0};                                     \
        suite_register(&self);                                                                     \
    }

/* For files that call functions with hidden symbols (gos__...): linked with the archive. */
#define SUITE_INTERNAL(function) SUITE(function)
/* For files that replace system calls: each is linked with the archive into a program of its
   own. */
#define SUITE_OWN_PROGRAM(function) SUITE(function)

#endif
