/* examples/c-api compiles as a stranger's program, against the shared library of this build, and
   prints what the pendulum's expected.csv says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/verify.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZE "-fsanitize=address,undefined"
#else
#define SANITIZE ""
#endif

static void shell(const char *command) {
    if (system(command) != 0) {
        print_error("failed: %s\n", command);
        fail();
    }
}

static void example(void **state) {
    GOS_UNUSED(state);
    char folder[] = "/tmp/gossamer-c-api-XXXXXX", build[1000], command[4000], line[200];
    assert_non_null(mkdtemp(folder));
    snprintf(build, sizeof build, "%s", GOS_PROGRAM);
    *strrchr(build, '/') = '\0';
    snprintf(command, sizeof command,
             "cc -std=c17 -Wall -Wextra -Werror -pedantic " SANITIZE
             " -I%s/include -o %s/pendulum %s/examples/c-api/main.c -L%s -Wl,-rpath,%s -lgossamer",
             GOS_SOURCE_DIR, folder, GOS_SOURCE_DIR, build, build);
    shell(command);
    snprintf(command, sizeof command, "%s/pendulum %s/pendulum.h5", folder, folder);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    int lines = 0;
    while (fgets(line, sizeof line, out)) {
        double t, x, y, T;
        print_message("    %s", line);
        if (sscanf(line, "t %lf s: tip at (%lf, %lf) m, %lf K", &t, &x, &y, &T) == 4) {
            lines++;
            if (t > 1.9) { // ../thermal-pendulum/expected.csv
                verify_near("tip x", x, 1.0959530, 1e-3);
                verify_near("tip y", y, -0.0343089, 1e-3);
                verify_near("tip temperature", T, 6.9124991, 3e-3);
            }
        }
    }
    assert_int_equal(pclose(out), 0);
    assert_int_equal(lines, 5);
    snprintf(command, sizeof command, "rm -r %s", folder);
    shell(command);
}

/* "in under 80 lines" */
static void length(void **state) {
    GOS_UNUSED(state);
    char line[500];
    int lines = 0;
    FILE *file = fopen(GOS_SOURCE_DIR "/examples/c-api/main.c", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        lines++;
    }
    fclose(file);
    assert_true(lines < 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(example), cmocka_unit_test(length)};
    return cmocka_run_group_tests_name("c-api", tests, NULL, NULL);
}
