/* A kill in the midst of a write: the kernel has written up to the end of a page and looks for the
   signal there. Writes of a run that cross a page are torn so in turn: the first, the last and some
   between of each place of the file, with its size; all of them in the long form. What was flushed
   before must be there, for readers of the file as it is and for any program once it is
   repaired. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/calls.h"
#include "support/invented.h"
#include "support/suite.h"

enum { PAGE = 4096, ROWS = 151, SETTLED = 20 };

static long tear_at;    // writes across a page until one is torn, 0: none
static calls *recorded; // those writes, in memory shared with children
static bool recording;

static void record(off_t at, size_t n) {
    char place[CALL_NAME];
    (void)snprintf(place, sizeof place, "%zu bytes at %lld", n, (long long)at);
    calls_note(recorded, place);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
    const off_t page = (at / PAGE + 1) * PAGE;
    if (recording && at + (off_t)n > page) {
        record(at, n);
    }
    if (tear_at > 0 && at + (off_t)n > page && --tear_at == 0) {
        (void)syscall(SYS_pwrite64, fd, data, (size_t)(page - at), at);
        _exit(77);
    }
    return syscall(SYS_pwrite64, fd, data, n, at);
}

/* In a process of its own: some rows without harm, then the n-th write across a page is torn; 0:
 * all are recorded. */
static void run_torn(const char *path, long n) {
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    const gos_writer_layout l = layout(reference);
    gos_writer *w;
    gos_status status = gos__writer_create(ctx, path, &l, &w);
    status = status == GOS_OK ? add_many(w, 0, SETTLED, true) : status;
    tear_at = n;
    recording = n == 0;
    status = status == GOS_OK ? add_many(w, SETTLED, ROWS, true) : status;
    _exit(status == GOS_OK ? 0 : 1);
}

/* Its exit code. */
static int run_apart(const char *path, long n) {
    const pid_t child = fork();
    if (child == 0) {
        run_torn(path, n);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void check_torn(gos_ctx *ctx, const char *path, bool ended) {
    for (int pass = 0; pass < 2; pass++) {
        bool repaired;
        check_contents(ctx, path, ended ? ROWS : -1, ended ? (ROWS + 9) / 10 : -1,
                       "interrupted: the program was terminated");
        gos_results *r;
        gos_results_info info;
        assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
        gos_results_info_get(r, &info);
        assert_true(info.nrows >= SETTLED && info.nframes >= SETTLED / 10);
        gos_results_close(r);
        assert_int_equal(gos_results_repair(ctx, path, &repaired), GOS_OK);
        assert_true(repaired == (pass == 0));
    }
}

static void test_torn(void **state) {
    (void)state;
    static long at[CALLS_MAX + 1];
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/gossamer_tear_%ld.h5", (long)getpid());
    recorded =
        mmap(NULL, sizeof *recorded, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(recorded != MAP_FAILED);
    assert_int_equal(run_apart(path, 0), 0);
    (void)unlink(path);
    const long n = calls_choose(recorded, 0, 53, at);
    assert_true(recorded->n > 100 && recorded->nkinds > 30);
    for (long i = 0; i <= n; i++) { // the last one is none
        const int code = run_apart(path, at[i]);
        assert_int_equal(code, i < n ? 77 : 0);
        gos_ctx *ctx = gos_ctx_create();
        check_torn(ctx, path, code == 0);
        gos_ctx_destroy(ctx);
        (void)unlink(path);
    }
    print_message("%ld writes of %ld torn\n", n, recorded->n);
    (void)munmap(recorded, sizeof *recorded);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_OWN_PROGRAM(suite)
