/* A kill in the midst of a write: the kernel has written up to the end of a page and looks for the signal there.
   Each write of a run that crosses a page is torn so in turn; what was flushed before must be there, for readers
   of the file as it is and for any program once it is repaired. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/invented.h"
#include "support/sanitized.h"
#include "support/suite.h"

enum { PAGE = 4096, ROWS = 151, SETTLED = 20, EVERY = SANITIZED ? 7 : 1 };

static long tear_at; // writes across a page until one is torn, 0: none

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
    const off_t page = (at / PAGE + 1) * PAGE;
    if (tear_at > 0 && at + (off_t)n > page && --tear_at == 0) {
        (void)syscall(SYS_pwrite64, fd, data, (size_t)(page - at), at);
        _exit(77);
    }
    return syscall(SYS_pwrite64, fd, data, n, at);
}

/* In a process of its own: some rows without harm, then the n-th write across a page is torn. */
static void run_torn(const char *path, long n) {
    gos_ctx *ctx = gos_ctx_create();
    double reference[3 * NODES];
    const gos_writer_layout l = layout(reference);
    gos_writer *w;
    gos_status status = gos__writer_create(ctx, path, &l, &w);
    status = status == GOS_OK ? add_many(w, 0, SETTLED, true) : status;
    tear_at = n;
    status = status == GOS_OK ? add_many(w, SETTLED, ROWS, true) : status;
    _exit(status == GOS_OK ? 0 : 1);
}

static void test_torn(void **state) {
    (void)state;
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/gossamer_tear_%ld.h5", (long)getpid());
    long n = 1;
    for (bool ended = false; !ended; n += EVERY) {
        const pid_t child = fork();
        if (child == 0) {
            run_torn(path, n);
        }
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFEXITED(how) && (WEXITSTATUS(how) == 0 || WEXITSTATUS(how) == 77));
        ended = WEXITSTATUS(how) == 0;
        gos_ctx *ctx = gos_ctx_create();
        for (int pass = 0; pass < 2; pass++) {
            bool repaired;
            check_contents(ctx, path, ended ? ROWS : -1, ended ? (ROWS + 9) / 10 : -1,
                           "interrupted: the program was stopped from outside");
            gos_results *r;
            gos_results_info info;
            assert_int_equal(gos_results_open(ctx, path, &r), GOS_OK);
            gos_results_info_get(r, &info);
            assert_true(info.nrows >= SETTLED && info.nframes >= SETTLED / 10);
            gos_results_close(r);
            assert_int_equal(gos_results_repair(ctx, path, &repaired), GOS_OK);
            assert_true(repaired == (pass == 0));
        }
        gos_ctx_destroy(ctx);
        (void)unlink(path);
    }
    print_message("%ld writes torn\n", n - 1);
    assert_true(n > 100);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_OWN_PROGRAM(suite)
