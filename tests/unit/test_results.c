/* Results files written from invented numbers: what is written comes back, at every moment, after a
   full disk, a limit, a kill. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stored_messages.h"
#include "support/invented.h"
#include "support/suite.h"

static const char *path_of(const char *name) {
    static char path[256];
    (void)snprintf(path, sizeof path, "/tmp/gossamer_test_%ld_%s.h5", (long)getpid(), name);
    return path;
}

/* Any program may open it: no mark, nothing missing. */
static void check_plain_open(const char *path) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t set = H5Dopen2(file, "/probes/tip", H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    hsize_t dims[2];
    assert_int_equal(H5Sget_simple_extent_dims(space, dims, NULL), 2);
    double *all = malloc(dims[0] * 3 * sizeof *all + 1);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    free(all);
    H5Sclose(space);
    H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
}

static void test_round_trip(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    gos_writer *w;
    const char *path = path_of("round");
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    check_contents(ctx, path, 0, 0, "running");
    assert_int_equal(add_many(w, 0, 101, true), GOS_OK);
    check_contents(ctx, path, 101, 11, "running"); // while it is being written
    gos_statistics stats = {.steps = 101, .time_total = 0.25};
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
    check_contents(ctx, path, 101, 11, "complete");
    check_plain_open(path);

    gos_results *r;
    double v[3];
    assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
    for (double t = 0; t <= 1; t += 0.0137) {
        assert_int_equal(gos_results_probe_at(r, 0, t, v), GOS_OK);
        assert_true(fabs(v[2] - cubic(t, 2)) < 1e-14);
    }
    assert_int_equal(gos_results_probe_at(r, 0, 1.0001, v), GOS_E_USE);
    assert_int_equal(gos_results_probe_at(r, 0, (double)NAN, v), GOS_E_USE);
    assert_int_equal(gos_results_probe_find(r, "tip_temperature"), 1);
    assert_int_equal(gos_results_probe_find(r, "tap"), -1);
    gos_results_info info;
    gos_results_info_get(r, &info);
    assert_true(info.complete && !info.marked && info.statistics.steps == 101);
    assert_true(info.statistics.time_total == 0.25);
    gos_results_close(r);

    // a new run replaces the file; a reader of the old one keeps it
    assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    const double *value;
    assert_int_equal(gos_results_probe(r, 0, &value, NULL), GOS_OK);
    assert_true(value[3 * 100] == cubic(1, 0));
    gos_results_close(r);
    assert_int_equal(gos__writer_close(w, "interrupted", &stats), GOS_OK);
    check_contents(ctx, path, 0, 0, "interrupted");
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

/* Bytes of a file of `rows` steps whose layout expects `expected` of them. */
static long size_of(gos_ctx *ctx, double expected, int rows) {
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    l.rows = expected;
    l.frames = expected / 10;
    gos_writer *w;
    const char *path = path_of("sized");
    gos_statistics stats = {0};
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    assert_int_equal(add_many(w, 0, rows, true), GOS_OK);
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
    check_contents(ctx, path, rows, (rows + 9) / 10, "complete");
    check_plain_open(path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    (void)unlink(path);
    return (long)about.st_size;
}

/* Chunks fit the expected length: short runs give small files, longer ones stay complete. */
static void test_expected_rows(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    const long unknown = size_of(ctx, 0, 101), known = size_of(ctx, 101, 101);
    assert_true(unknown - known > 20 * 7000); // 20 columns and more, each of a chunk of 8 kB
    (void)size_of(ctx, 10, 2000);
    gos_ctx_destroy(ctx);
}

static void test_many_rows(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    gos_writer *w;
    const char *path = path_of("many");
    gos_statistics stats = {0};
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    assert_int_equal(add_many(w, 0, 200000, false), GOS_OK);
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
    check_contents(ctx, path, 200000, 20000, "complete");
    check_plain_open(path);
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

/* Fail the n-th write, for every n until the run passes: rows 19 and 20, the latter with a frame,
 * and the end of the file. */
static void test_failing_writes(void **state) {
    (void)state;
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    const char *path = path_of("fail");
    gos_statistics stats = {.steps = 1};
    bool passed = false;
    for (long n = 1; !passed; n++) {
        assert_true(n < 10000);
        gos_ctx *ctx = gos_ctx_create();
        gos_writer *w;
        assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
        assert_int_equal(add_many(w, 0, 19, true), GOS_OK);
        gos__writer_fail_at(w, n);
        gos_status status = add_many(w, 19, 21, true);
        if (status != GOS_OK) {
            assert_int_equal(status, GOS_E_FILE);
            assert_non_null(strstr(gos_ctx_message(ctx), "No space left on device"));
        }
        gos_status closed = gos__writer_close(w, "complete", &stats);
        passed = status == GOS_OK && closed == GOS_OK;
        check_contents(ctx, path, -1, -1,
                       passed ? "complete"
                              : "failed: cannot write results: No space left on device");
        check_plain_open(path);
        gos_results *r;
        gos_results_info info;
        assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
        gos_results_info_get(r, &info);
        assert_true(info.nrows >= 19 && info.nframes >= 2); // earlier results are intact
        gos_results_close(r);
        gos_ctx_destroy(ctx);
    }
    (void)unlink(path);
}

static void test_file_size_limit(void **state) {
    (void)state;
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    const char *path = path_of("limit");
    gos_statistics stats = {0};
    struct rlimit before, limit;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int kilobytes = 4; kilobytes < 1000; kilobytes += suite_long() ? 73 : 146) {
        gos_ctx *ctx = gos_ctx_create();
        gos_writer *w;
        limit = before;
        limit.rlim_cur = (rlim_t)kilobytes * 1024;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        gos_status status = gos__writer_create(ctx, path, &l, &w);
        if (status == GOS_OK) {
            status = add_many(w, 0, 100000, true);
            assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
        }
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, GOS_E_FILE);
        assert_non_null(strstr(gos_ctx_message(ctx), "File too large"));
        if (access(path, F_OK) == 0) {
            check_contents(ctx, path, -1, -1, "failed: cannot write results: File too large");
            check_plain_open(path);
        }
        (void)unlink(path);
        gos_ctx_destroy(ctx);
    }
}

static void test_killed(void **state) {
    (void)state;
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    const char *path = path_of("killed");
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            gos_ctx *ctx = gos_ctx_create();
            gos_writer *w;
            if (gos__writer_create(ctx, path, &l, &w) == GOS_OK) {
                (void)add_many(w, 0, 100000000, i % 2 == 0);
            }
            _exit(1);
        }
        (void)usleep(20000u + 13000u * (unsigned)i);
        assert_int_equal(kill(child, SIGKILL), 0);
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how));
        gos_ctx *ctx = gos_ctx_create();
        if (access(path, F_OK) == 0) {
            check_contents(ctx, path, -1, -1, "interrupted: the program was terminated");
            bool repaired;
            if (gos_results_repair(ctx, path, &repaired) != GOS_OK) {
                fail_msg("%s", gos_ctx_message(ctx));
            }
            assert_true(repaired);
            check_contents(ctx, path, -1, -1, "interrupted: the program was terminated");
            check_plain_open(path);
            assert_int_equal(gos_results_repair(ctx, path, &repaired), GOS_OK);
            assert_false(repaired);
        }
        gos_ctx_destroy(ctx);
        (void)unlink(path);
    }
}

static void test_not_results(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_results *r;
    bool repaired;
    assert_int_equal(gos_results_open(ctx, "/nonexistent/x.h5", &r), GOS_E_FILE);
    assert_int_equal(gos_results_open(ctx, "/tmp", &r), GOS_E_FILE);
    assert_int_equal(gos_results_open(ctx, "/dev/zero", &r), GOS_E_FILE);
    const char *path = path_of("other");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("name: not HDF5\n", f);
    (void)fclose(f);
    assert_int_equal(gos_results_open(ctx, path, &r), GOS_E_FILE);
    assert_int_equal(gos_results_repair(ctx, path, &repaired), GOS_E_FILE);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && H5Fclose(file) >= 0);
    assert_int_equal(gos_results_open(ctx, path, &r), GOS_E_FILE);
    assert_null(r);
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

/* Open the file with every step-th byte changed in turn. */
static void open_damaged(const char *path, long parts) {
    gos_ctx *ctx = gos_ctx_create();
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const long size = ftell(f);
    for (long at = 0; at < size; at += size / parts) {
        (void)fseek(f, at, SEEK_SET);
        const int c = fgetc(f);
        (void)fseek(f, at, SEEK_SET);
        (void)fputc(c ^ 0x41, f);
        (void)fflush(f);
        gos_results *r;
        const double *value;
        if (gos_results_open(ctx, path, &r) == GOS_OK) {
            for (int i = 0; i < 2; i++) {
                (void)gos_results_probe(r, i, &value, NULL);
            }
            gos_results_close(r);
        }
        gos_ctx_clear(ctx);
        (void)fseek(f, at, SEEK_SET);
        (void)fputc(c, f);
        (void)fflush(f);
    }
    (void)fclose(f);
    gos_ctx_destroy(ctx);
}

/* A damaged file gives an error or numbers, never a crash. In a process of its own, which leaves
   without cleaning up: HDF5 itself loses memory over some damages. */
static void test_damaged(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    gos_writer *w;
    const char *path = path_of("damaged");
    gos_statistics stats = {0};
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    assert_int_equal(add_many(w, 0, 11, true), GOS_OK);
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
    const pid_t child = fork();
    if (child == 0) {
        open_damaged(path, 300);
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    check_contents(ctx, path, 11, 2, "complete");
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

/* Going on behind what stays: the result is as if nothing had happened; what does not fit is
   refused and changes nothing. */
static void test_resumed(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    gos_writer *w;
    gos_statistics stats = {.steps = 101};
    const char *path = path_of("resumed");
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    assert_int_equal(add_many(w, 0, 78, true), GOS_OK);
    assert_int_equal(add_frame(w, 0.777), GOS_OK); // where it was interrupted
    assert_int_equal(gos__writer_close(w, "interrupted", &stats), GOS_OK);
    check_plain_open(path);
    const struct { long rows, frames; } wrong[] = {{79, 8}, {78, 10}};
    for (int i = 0; i < 2; i++) {
        const gos_writer_past past = {wrong[i].rows, wrong[i].frames, 0, NULL, 0};
        assert_int_equal(gos__writer_resume(ctx, path, &l, &past, &w), GOS_E_FILE);
        assert_null(w);
    }
    gos_probe_info other[2] = {probes[0], probes[1]};
    other[1].name = "top_temperature";
    gos_writer_layout renamed = l;
    renamed.probes = other;
    const gos_writer_past past = {51, 6, 0, NULL, 0};
    assert_int_equal(gos__writer_resume(ctx, path, &renamed, &past, &w), GOS_E_FILE);
    for (int i = 0; i < 2; i++) { // again after having been resumed
        long rows, frames, events;
        assert_int_equal(gos__writer_resume(ctx, path, &l, &past, &w), GOS_OK);
        gos__writer_position(w, &rows, &frames, &events);
        assert_true(rows == 51 && frames == 6 && events == 0);
        check_contents(ctx, path, 51, 6, "running");
        // while one continues, no other one does
        gos_writer *second;
        assert_int_equal(gos__writer_resume(ctx, path, &l, &past, &second), GOS_E_USE);
        assert_int_equal(add_many(w, 51, 101, i == 0), GOS_OK);
        check_contents(ctx, path, i == 0 ? 101 : -1, i == 0 ? 11 : -1, "running");
        assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
        check_contents(ctx, path, 101, 11, "complete");
        check_plain_open(path);
    }
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

static void expect_warnings(gos_ctx *ctx, const char *path, long count, const char *text) {
    gos_results *r;
    gos_results_info info;
    assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
    gos_results_info_get(r, &info);
    assert_int_equal(info.warning_count, count);
    assert_string_equal(info.warnings, text);
    gos_results_close(r);
}

static void warn(gos_ctx *ctx, double value) {
    gos__warn(ctx, (gos_loc){0}, "body 'rod'", "strain is %g", value);
}

/* Warnings are counted by kind, and in the file while the run continues; those of the time before
   an interruption stay. */
static void test_warnings(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    gos_writer_layout l = layout(reference);
    gos_writer *w;
    gos_statistics stats = {0};
    const char *path = path_of("warnings");
    assert_int_equal(gos__writer_create(ctx, path, &l, &w), GOS_OK);
    warn(ctx, 0.5);
    assert_int_equal(add_many(w, 0, 5, true), GOS_OK);
    expect_warnings(ctx, path, 1, "warning: body 'rod': strain is 0.5\n");
    warn(ctx, 0.7);
    gos__warn(ctx, (gos_loc){0}, NULL, "something else");
    assert_int_equal(gos__writer_close(w, "interrupted", &stats), GOS_OK);
    static const char before[] =
        "warning: body 'rod': strain is 0.5 (2 times)\nwarning: something else\n";
    expect_warnings(ctx, path, 3, before);
    // another process: one comes again, one is new
    const size_t n = gos__messages_put(ctx, NULL, 0);
    char *stored = malloc(n);
    assert_non_null(stored);
    assert_int_equal(gos__messages_put(ctx, stored, n), n);
    gos_ctx_clear(ctx);
    gos__warn(ctx, (gos_loc){0}, NULL, "something else");
    assert_true(gos__messages_take(ctx, stored, n));
    assert_false(gos__messages_take(ctx, stored, 3));
    free(stored);
    gos__warn_once(ctx, (gos_loc){0}, NULL, "something else");
    gos__warn(ctx, (gos_loc){0}, NULL, "something new");
    const gos_writer_past past = {5, 1, 0, NULL, 0};
    assert_int_equal(gos__writer_resume(ctx, path, &l, &past, &w), GOS_OK);
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
    char all[256];
    (void)snprintf(all, sizeof all, "warning: something else\n%.*swarning: something new\n",
                   (int)(strchr(before, '\n') + 1 - before), before);
    expect_warnings(ctx, path, 4, all);
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_not_results),     cmocka_unit_test(test_failing_writes),
        cmocka_unit_test(test_file_size_limit), cmocka_unit_test(test_killed),
        cmocka_unit_test(test_damaged),         cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_warnings),        cmocka_unit_test(test_expected_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
