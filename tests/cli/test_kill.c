/* Killed at random moments, a run leaves a file that is readable up to its last flush. */
#include "program.h"
#include "support/random.h"
#include "support/suite.h"

#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

enum { KILLS = 15, KILLS_LONG = 60 }; // a third each: at any moment, after one write, after two

/* A run without end, in small steps, in a process of its own. */
static pid_t start(void) {
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0 || freopen("/dev/null", "w", stdout) == NULL) {
            _exit(1);
        }
        (void)execl(GOS_PROGRAM, "gossamer", "run",
                    GOS_SOURCE_DIR "/examples/thermal-pendulum/model.yaml", "-o", "killed.h5",
                    "--set", "analysis.step=1e-4", "--set", "output.every=1e-3", "--set",
                    "output.limit=1e15", "--until", "1000", "--quiet", (char *)NULL);
        _exit(1);
    }
    return child;
}

static void wait_milliseconds(long n) {
    const struct timespec t = {n / 1000, n % 1000 * 1000000};
    (void)nanosleep(&t, NULL);
}

/* Until the program has given the file its name, however long that takes, and after that has
   written into it so often. */
static void wait_for_file(const char *path, int writes) {
    struct stat before = {0}, now;
    while (stat(path, &before) != 0) {
        wait_milliseconds(1);
    }
    while (writes > 0) {
        wait_milliseconds(1);
        if (stat(path, &now) == 0 && now.st_size != before.st_size) {
            before = now;
            writes--;
        }
    }
}

/* Rows of a dataset that any program could read. */
static long rows_of(const char *path, const char *name) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    hsize_t dims[2] = {0, 0};
    assert_true(H5Sget_simple_extent_dims(space, dims, NULL) >= 1);
    double *all = calloc((size_t)(dims[0] * (dims[1] > 0 ? dims[1] : 1)) + 1, sizeof *all);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    free(all);
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
    return (long)dims[0];
}

static void test_killed(void **state) {
    (void)state;
    char path[128];
    const int kills = suite_long() ? KILLS_LONG : KILLS;
    int with_file = 0, with_rows = 0;
    uint64_t random = 12345;
    (void)snprintf(path, sizeof path, "%s/killed.h5", folder);
    for (int i = 0; i < kills; i++) {
        (void)unlink(path);
        const pid_t child = start();
        assert_true(child > 0);
        if (i % 3 != 0) { // else at any moment, also while the program starts
            wait_for_file(path, i % 3);
        }
        wait_milliseconds(random_below(&random, i % 3 == 0 ? 400 : 100));
        (void)kill(child, SIGKILL);
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how)); // it did not end by itself
        if (access(path, F_OK) != 0) {
            continue; // too early: the file had no name yet
        }
        with_file++;
        expect(0, "probe killed.h5 tip", "time,tip.x");
        with_rows += strchr(strchr(out_text, '\n') + 1, '\n') != NULL;
        expect(0, "info killed.h5", "interrupted");
        assert_non_null(strstr(error_text, "the file is repaired, other programs can read it now"));
        expect(0, "info killed.h5", "interrupted");
        assert_null(strstr(error_text, "now"));
        const long rows = rows_of(path, "/probes/tip");
        assert_true(rows >= 0 && rows_of(path, "/VTKHDF/Points") >= 0);
    }
    print_message("%d files of %d, %d with rows\n", with_file, kills, with_rows);
    assert_true(with_file >= kills / 2);
    assert_true(with_rows >= kills / 5);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
SUITE(suite)
