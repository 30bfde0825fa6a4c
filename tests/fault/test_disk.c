/* A disk that fails at the n-th call, for every n until all goes well: writing, synchronising,
   renaming, making and cutting files. The system calls are replaced by ones of this program.
   Whatever fails, there is a clear error or warning, older results are kept until new ones can be
   read, what was flushed is readable, and a run that has a checkpoint ends with the same bits when
   it is resumed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitized.h"
#include "support/small_run.h"
#include "support/suite.h"

#ifndef STRIDE
#define STRIDE                                                                                     \
    (SANITIZED ? 61                                                                                \
               : 23) // from one call that fails to the next; nightly_every_call.c leaves out none
#endif

/* ---- system calls ---------------------------------------------------------------------------- */

static struct {
    long calls, fail_at; // 0: never
    bool forever;        // as a full disk; else once
    bool partly;         // write half of it instead of failing
    bool die;            // end the process instead
    bool names;          // of the calls only those that give names
    bool no_copy;        // there is room for the existing file, but not for a second one
    int part;            // descriptor of that
} disk;

static bool fails(int error) {
    if (disk.names) {
        return false;
    }
    disk.calls++;
    const bool now = disk.fail_at > 0 &&
                     (disk.forever ? disk.calls >= disk.fail_at : disk.calls == disk.fail_at);
    if (now && disk.die) {
        _exit(77);
    }
    errno = now ? error : errno;
    return now;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset) {
    if (disk.no_copy && fd == disk.part) {
        errno = ENOSPC;
        return -1;
    }
    if (fails(ENOSPC)) {
        if (!disk.partly || n < 2) {
            return -1;
        }
        n /= 2;
    }
    return syscall(SYS_pwrite64, fd, data, n, offset);
}

int fsync(int fd) {
    (void)fd; // nothing is gained by really waiting
    return fails(EIO) ? -1 : 0;
}

int ftruncate(int fd, off_t length) {
    return fails(EIO) ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

static bool naming_fails(int error) {
    const bool all = !disk.names;
    disk.names = false;
    const bool now = fails(error);
    disk.names = !all;
    return now;
}

int rename(const char *from, const char *to) {
    return naming_fails(EACCES) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char *from, const char *to) {
    return naming_fails(EPERM) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
        if (fails(EDQUOT)) {
            return -1;
        }
    }
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    const size_t length = strlen(path);
    if (length > 14 && strcmp(path + length - 14, ".gossamer.part") == 0) {
        disk.part = fd;
    } else if (fd == disk.part) {
        disk.part = -1;
    }
    return fd;
}

static void arm(long n, bool forever, bool partly) {
    disk.calls = 0;
    disk.fail_at = n;
    disk.forever = forever;
    disk.partly = partly;
}

/* ---- a small model --------------------------------------------------------------------------- */

static char folder[64], path[128];

static gos_status run(small_run *b, const char *to) {
    gos_options o;
    gos_options_get(b->sys, &o);
    o.checkpoint_every = 1e-9; // one each step
    return gos_run(b->ctx, b->sys, &o, to, NULL);
}

/* ---- what must hold -------------------------------------------------------------------------- */

/* All numbers of probes, one after the other. */
static double *probes_of(gos_ctx *ctx, const char *file, long *nrows, bool *complete) {
    gos_results *r;
    gos_results_info info;
    if (gos_results_open(ctx, file, &r) != GOS_OK) {
        fail_msg("call %ld failed: %s", disk.fail_at,
                 gos_ctx_diag(ctx, gos_ctx_ndiag(ctx) - 1)->text);
    }
    gos_results_info_get(r, &info);
    *nrows = info.nrows;
    *complete = info.complete;
    double *all = calloc((size_t)info.nrows + 1, 16 * sizeof *all);
    for (long k = 0; k < info.nrows; k++) {
        double *row = all + 16 * k;
        const double *v, *d;
        *row++ = gos_results_time(r)[k];
        for (int i = 0; i < info.nprobes; i++) {
            gos_probe_info p;
            gos_results_probe_info(r, i, &p);
            assert_int_equal(gos_results_probe(r, i, &v, &d), GOS_OK);
            memcpy(row, v + k * p.ncomp, (size_t)p.ncomp * sizeof *v);
            memcpy(row + p.ncomp, d + k * p.ncomp, (size_t)p.ncomp * sizeof *v);
            row += 2 * p.ncomp;
        }
    }
    gos_results_close(r);
    return all;
}

static double *whole; // the probes of a run without faults
static long nwhole;

/* The results hold the beginning of the whole run, bit by bit; how much of it. */
static long check_results(gos_ctx *ctx, bool *complete) {
    long n;
    double *v = probes_of(ctx, path, &n, complete);
    assert_true(n <= nwhole);
    assert_memory_equal(v, whole, (size_t)n * 16 * sizeof *v);
    free(v);
    return n;
}

static int count_files(const char *ending) {
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        const size_t length = strlen(e->d_name), k = strlen(ending);
        n += length >= k && strcmp(e->d_name + length - k, ending) == 0;
    }
    (void)closedir(d);
    return n;
}

static bool is_there(const char *ending) {
    char name[160];
    (void)snprintf(name, sizeof name, "%s%s", path, ending);
    return access(name, F_OK) == 0;
}

static void clean(void) {
    static const char *const endings[] = {"", ".checkpoint", ".checkpoint.old", ".checkpoint.part"};
    for (int i = 0; i < 4; i++) {
        char name[160];
        (void)snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)unlink(name);
    }
}

static bool says(const gos_ctx *ctx, const char *words) {
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        if (strstr(gos_ctx_diag(ctx, i)->text, words) != NULL) {
            return true;
        }
    }
    return false;
}

static bool says_why(const gos_ctx *ctx) {
    return says(ctx, strerror(ENOSPC)) || says(ctx, strerror(EIO)) || says(ctx, strerror(EACCES)) ||
           says(ctx, strerror(EDQUOT));
}

/* Without faults: continue until the run is complete, and compare. */
static void finish(small_run *b) {
    bool complete;
    arm(0, false, false);
    gos_ctx_clear(b->ctx);
    const gos_status status = gos_resume(b->ctx, b->sys, path, NULL);
    if (status != GOS_OK) {
        fail_msg("resuming: %s", gos_ctx_message(b->ctx));
    }
    assert_int_equal(check_results(b->ctx, &complete), nwhole);
    assert_true(complete);
}

/* One run whose n-th call fails; false when there was no such call. */
static bool fail_run(long n, bool forever, bool partly) {
    small_run b;
    bool complete = false;
    small_run_begin(&b);
    arm(n, forever, partly);
    const gos_status status = run(&b, path);
    const bool failed = disk.calls >= n;
    disk.forever = disk.partly = false;
    arm(0, false, false);
    if (status == GOS_OK) {
        assert_int_equal(check_results(b.ctx, &complete), nwhole);
        assert_true(complete);
        // what failed was a checkpoint, or went unnoticed because nothing was lost by it
        assert_true(!failed || partly || gos_ctx_ndiag(b.ctx) == 0 ||
                    says(b.ctx, "cannot be written"));
    } else {
        assert_int_equal(status, GOS_E_FILE);
        if (!says_why(b.ctx)) {
            fail_msg("call %ld: %s", n, gos_ctx_message(b.ctx));
        }
        if (is_there("")) {
            const long rows = check_results(b.ctx, &complete);
            assert_false(complete && rows < nwhole);
            if (is_there(".checkpoint") || is_there(".checkpoint.old")) {
                assert_true(rows >= 2);
                if (!complete) {
                    finish(&b);
                }
            }
        }
    }
    assert_int_equal(count_files(".part"), 0);
    clean();
    small_run_end(&b);
    return failed;
}

static void test_run(void **state) {
    (void)state;
    long n[3] = {1, 2, 3};
    while (fail_run(n[0], false, false)) {
        n[0] += n[0] < 10 ? 1 : STRIDE;
    }
    while (fail_run(n[1], true, false)) {
        n[1] += n[1] < 10 ? 1 : STRIDE;
    }
    while (fail_run(n[2], false, true)) {
        n[2] += n[2] < 10 ? 1 : STRIDE;
    }
    assert_true(n[0] > 200 && n[1] > 200 && n[2] > 200);
}

/* A new run that cannot begin leaves the results of the old one, and their checkpoint. */
static void test_kept(void **state) {
    (void)state;
    for (long n = 1;; n += STRIDE) {
        small_run b;
        bool complete;
        small_run_begin(&b);
        gos_options o;
        gos_options_get(b.sys, &o);
        o.end = 0.03; // another run: shorter
        o.checkpoint_every = 1e-9;
        arm(0, false, false);
        assert_int_equal(gos_run(b.ctx, b.sys, &o, path, NULL), GOS_OK);
        gos_ctx_clear(b.ctx);
        arm(n, true, false);
        const gos_status status = run(&b, path);
        const bool begun = strstr(gos_ctx_message(b.ctx), "flushed results") != NULL;
        arm(0, false, false);
        long rows;
        free(probes_of(b.ctx, path, &rows, &complete));
        if (status == GOS_OK || begun) {
            small_run_end(&b);
            clean();
            assert_true(n > 10);
            return;
        }
        assert_int_equal(status, GOS_E_FILE);
        assert_true(complete && rows == 7);
        assert_int_equal(count_files(".part"), 0);
        small_run_end(&b);
    }
}

/* ---- resuming -------------------------------------------------------------------------------- */

/* Results, checkpoint and the one before it; what is not there is removed. */
static void copy(const char *from, const char *to) {
    char source[160], target[160], block[8192];
    (void)snprintf(source, sizeof source, "%s%s", path, from);
    (void)snprintf(target, sizeof target, "%s%s", path, to);
    FILE *f = fopen(source, "rb");
    if (!f) {
        (void)unlink(target);
        return;
    }
    FILE *g = fopen(target, "wb");
    assert_non_null(g);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) {
        assert_int_equal(fwrite(block, 1, n, g), n);
    }
    assert_int_equal(fclose(g), 0);
    (void)fclose(f);
}

static const char *const endings[][2] = {{"", ".kept"},
                                         {".checkpoint", ".kept.checkpoint"},
                                         {".checkpoint.old", ".kept.checkpoint.old"}};

static void keep(void) {
    for (int i = 0; i < 3; i++) {
        copy(endings[i][0], endings[i][1]);
    }
}

static void put_back(void) {
    for (int i = 0; i < 3; i++) {
        copy(endings[i][1], endings[i][0]);
    }
}

static void drop_kept(void) {
    for (int i = 0; i < 3; i++) {
        copy(".nothing", endings[i][0]);
        copy(".nothing", endings[i][1]);
    }
}

/* A run that stops in the middle, because then the disk is full. */
static void make_interrupted(void) {
    for (long n = 40;; n += 5) {
        small_run b;
        small_run_begin(&b);
        arm(n, true, false);
        const gos_status status = run(&b, path);
        arm(0, false, false);
        small_run_end(&b);
        assert_int_equal(status, GOS_E_FILE);
        if (is_there(".checkpoint") && is_there(".checkpoint.old")) {
            return;
        }
    }
}

static void test_resume(void **state) {
    (void)state;
    long n = 1;
    make_interrupted();
    keep();
    for (bool failed = true; failed; n += STRIDE) {
        small_run b;
        bool complete;
        small_run_begin(&b);
        arm(n, n % 2 == 0, n % 5 == 0 && n % 2 != 0);
        const gos_status status = gos_resume(b.ctx, b.sys, path, NULL);
        failed = disk.calls >= n;
        arm(0, false, false);
        if (status == GOS_OK) {
            assert_int_equal(check_results(b.ctx, &complete), nwhole);
            assert_true(complete);
        } else {
            assert_int_equal(status, GOS_E_FILE);
            assert_true(says_why(b.ctx));
            assert_true(check_results(b.ctx, &complete) >= 2);
            if (!complete) {
                finish(&b);
            }
        }
        assert_int_equal(count_files(".part"), 0);
        small_run_end(&b);
        put_back();
    }
    assert_true(n > 200);
    drop_kept();
}

/* A disk with room for what comes, but not for a copy of the existing file: the file itself
   continues, and is still good for the next time when that fails too, at any call. */
static void test_no_room(void **state) {
    (void)state;
    long resumed = 0;
    make_interrupted();
    keep();
    for (long n = 1;; n += STRIDE) {
        small_run b;
        bool complete;
        put_back();
        small_run_begin(&b);
        disk.no_copy = true;
        arm(n, true, false);
        const gos_status status = gos_resume(b.ctx, b.sys, path, NULL);
        disk.no_copy = false;
        const bool failed = disk.calls >= n;
        arm(0, false, false);
        const bool in_place = says(b.ctx, "continued in place");
        assert_int_equal(count_files(".part"), 0);
        if (status != GOS_OK) {
            assert_int_equal(status, GOS_E_FILE);
            assert_true(says_why(b.ctx) && failed);
            // complete: what failed came after the last step, as closing the file or removing its
            // checkpoint
            const long rows = check_results(b.ctx, &complete);
            assert_true(rows == nwhole || !complete);
            if (!complete) {
                finish(&b);
            }
            resumed += in_place;
        } else {
            assert_true(in_place);
            assert_int_equal(check_results(b.ctx, &complete), nwhole);
            assert_true(complete);
        }
        small_run_end(&b);
        clean();
        if (!failed) {
            assert_true(n > 50 && resumed > 2);
            drop_kept();
            return;
        }
    }
}

/* The process ends at the n-th call, as by force: what was flushed is readable, and a run that has
   a checkpoint continues from the newest one. `names`: at calls that give names only.
   @return false if there was no such call */
static bool die_at(long n, bool names, int *resumed) {
    small_run b;
    bool complete;
    small_run_begin(&b);
    const pid_t child = fork();
    if (child == 0) {
        disk.die = true;
        disk.names = names;
        arm(n, false, false);
        _exit(run(&b, path) == GOS_OK ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) != 1);
    if (is_there("") && WEXITSTATUS(how) != 0) {
        (void)check_results(b.ctx, &complete);
        if (!complete && (is_there(".checkpoint") || is_there(".checkpoint.old"))) {
            finish(&b);
            assert_false(says(b.ctx, "the newest checkpoint cannot be used"));
            (*resumed)++;
        }
    }
    small_run_end(&b);
    clean();
    return WEXITSTATUS(how) != 0;
}

static void test_die(void **state) {
    (void)state;
    int resumed = 0;
    for (long n = 1; die_at(n, false, &resumed);) {
        n += STRIDE;
    }
    print_message("%d times resumed\n", resumed);
    assert_true(resumed > 200 / STRIDE);
    resumed = 0;
    for (long n = 1; die_at(n, true, &resumed);) {
        n++;
    }
    assert_true(resumed > 8); // before and after the previous checkpoint gets its name
}

static int prepare(void **state) {
    (void)state;
    small_run b;
    bool complete;
    (void)strcpy(folder, "/tmp/gossamer_disk_XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/run.h5", folder);
    small_run_begin(&b);
    const gos_status status = run(&b, path);
    if (status == GOS_OK) {
        whole = probes_of(b.ctx, path, &nwhole, &complete);
    }
    small_run_end(&b);
    clean();
    return status == GOS_OK && nwhole == 9 && count_files("") == 2 ? 0 : -1;
}

static int tidy(void **state) {
    (void)state;
    char command[128];
    free(whole);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_run), cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_resume),
                                       cmocka_unit_test(test_no_room), cmocka_unit_test(test_die)};
    return cmocka_run_group_tests(tests, prepare, tidy);
}
SUITE_OWN_PROGRAM(suite)
