/* examples/c-api compiles as a stranger's program, against the shared library of this build; it
   prints what the pendulum's expected.csv says, and its law stops the satellite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"
#include "support/verify.h"

static void shell(const char *command) {
    if (system(command) != 0) {
        print_error("failed: %s\n", command);
        fail();
    }
}

/* FOLDER/NAME from examples/c-api/SOURCE.c, with the compiler and the sanitizers of the library */
static void compile(const char *folder, const char *name, const char *source) {
    char build[1000], command[4000];
    snprintf(build, sizeof build, "%s", GOS_PROGRAM);
    *strrchr(build, '/') = '\0';
    snprintf(command, sizeof command,
             GOS_COMPILER
             " -std=c17 -Wall -Wextra -Werror -pedantic"
             " -I%s/include -o %s/%s %s/examples/c-api/%s.c -L%s -Wl,-rpath,%s -lgossamer",
             GOS_SOURCE_DIR, folder, name, GOS_SOURCE_DIR, source, build, build);
    shell(command);
}

static void example(void **state) {
    GOS_UNUSED(state);
    char folder[] = "/tmp/gossamer-c-api-XXXXXX", command[4000], line[200];
    assert_non_null(mkdtemp(folder));
    compile(folder, "pendulum", "main");
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

/* A rigid body of the satellite's moment of inertia about X would turn by I phi'' + 5e5 phi' + 8e4
   phi = 0 with I = 1.70e6 kg m^2: 0.01850 rad and -0.00182 rad/s after 8 s. Samples, the truss that
   bends, and the tolerance of 1 mm change that by some 2 % and 10 %. */
static void closed_loop(void **state) {
    GOS_UNUSED(state);
    char folder[] = "/tmp/gossamer-c-api-XXXXXX", command[4000], line[200];
    assert_non_null(mkdtemp(folder));
    compile(folder, "control", "control");
    snprintf(command, sizeof command, "%s/control %s/examples/dumbbell-satellite/model.yaml 8.5",
             folder, GOS_SOURCE_DIR);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    int lines = 0;
    while (fgets(line, sizeof line, out)) {
        double t, angle, rate;
        print_message("    %s", line);
        if (sscanf(line, "t %lf s: angle %lf rad, rate %lf", &t, &angle, &rate) == 3) {
            lines++;
            if (t > 7.9) {
                verify_near("angle [rad]", angle, 0.01850, 5e-4);
                verify_near("rate [rad/s]", rate, -0.00182, 4e-4);
            }
        }
    }
    assert_int_equal(pclose(out), 0);
    assert_int_equal(lines, 3);
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

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(example), cmocka_unit_test(closed_loop),
                                       cmocka_unit_test(length)};
    return cmocka_run_group_tests_name("c-api", tests, NULL, NULL);
}
SUITE(suite)
