/* Loss of power at any moment of a run. The calls that change files are recorded, in order. What a
   disk may hold after each of them is made again from that: what was synchronised is there; of what
   was written since, nothing, all, or any part of it in blocks of 512 bytes; names that were given
   or taken since the folder was synchronised have changed or not. In each case what was guaranteed
   must be there, after gossamer info has repaired the file: as many steps as the newest checkpoint
   had, bit by bit, and all of them once the run has come back; a run without guarantee may
   be lost, but never be wrong. */
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

#include "support/random.h"
#include "support/sanitized.h"
#include "support/small_run.h"
#include "support/suite.h"

// writes from one loss of power to the next, besides one at every other call
static long stride(void) {
    return suite_long() && !SANITIZED ? 41 : 149;
}
enum { BLOCK = 512, NAMES = 64, FILES = 64, VARIANTS = 5, LIMIT = 1 << 20 };

/* ---- recording ------------------------------------------------------------------------------- */

typedef enum kind { CREATE, WRITE, CUT, SYNC, SYNC_FOLDER, RENAME, LINK, UNLINK } kind;

typedef struct event {
    kind what;
    ino_t file;
    off_t at; // of a write; length of a cut
    size_t n;
    unsigned char *data;
    char name[64], to[64];
} event;

static char folder[64], other[64]; // where runs write, and where what is left is made
static char boot[96];              // stands for the name of the time since the start
static event *log_of;
static long nlog, log_cap;
static bool recording;
static int die_after; // so many times that the folder was synchronised

static bool inside(const char *path, const char **name) {
    const size_t n = strlen(folder);
    *name = path + n + 1;
    return n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

static event *note(kind what) {
    if (nlog == log_cap) {
        log_cap = 2 * log_cap + 1000;
        log_of = realloc(log_of, (size_t)log_cap * sizeof *log_of);
    }
    log_of[nlog] = (event){.what = what};
    return &log_of[nlog++];
}

static bool in_folder(int fd, struct stat *st) {
    char link[64], path[256];
    const char *name;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return recording && fstat(fd, st) == 0 && (strcmp(path, folder) == 0 || inside(path, &name));
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset) {
    struct stat st;
    if (in_folder(fd, &st)) {
        event *e = note(WRITE);
        e->file = st.st_ino;
        e->at = offset;
        e->n = n;
        e->data = malloc(n + 1);
        memcpy(e->data, data, n);
    }
    return syscall(SYS_pwrite64, fd, data, n, offset);
}

int fsync(int fd) {
    struct stat st;
    if (in_folder(fd, &st)) {
        note(S_ISDIR(st.st_mode) ? SYNC_FOLDER : SYNC)->file = st.st_ino;
        if (S_ISDIR(st.st_mode) && die_after > 0 && --die_after == 0) {
            _exit(77);
        }
    }
    return 0; // nothing is gained by really waiting
}

int ftruncate(int fd, off_t length) {
    struct stat st;
    if (in_folder(fd, &st)) {
        event *e = note(CUT);
        e->file = st.st_ino;
        e->at = length;
    }
    return (int)syscall(SYS_ftruncate, fd, length);
}

static void note_names(kind what, const char *from, const char *to) {
    const char *a, *b;
    if (recording && inside(from, &a) && inside(to, &b) && access(from, F_OK) == 0) {
        event *e = note(what);
        (void)snprintf(e->name, sizeof e->name, "%s", a);
        (void)snprintf(e->to, sizeof e->to, "%s", b);
    }
}

int link(const char *from, const char *to) {
    note_names(LINK, from, to);
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to) {
    note_names(RENAME, from, to);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    const char *name;
    if (recording && inside(path, &name) && access(path, F_OK) == 0) {
        (void)snprintf(note(UNLINK)->name, 64, "%s", name);
    }
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    const char *name;
    if ((flags & O_CREAT) != 0) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    if (strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) {
        path = boot; // a machine of our own
    }
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    struct stat st;
    if (fd >= 0 && (flags & O_CREAT) != 0 && recording && inside(path, &name) &&
        fstat(fd, &st) == 0) {
        event *e = note(CREATE);
        e->file = st.st_ino;
        (void)snprintf(e->name, sizeof e->name, "%s", name);
    }
    return fd;
}

static void start_machine(int number) {
    FILE *f = fopen(boot, "w");
    assert_non_null(f);
    (void)fprintf(f, "boot-%d\n", number);
    (void)fclose(f);
}

/* ---- a disk ---------------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char *v;
    off_t n;
} bytes;

typedef struct names {
    int n;
    struct {
        char name[64];
        int file;
    } v[NAMES];
} names;

/* What is surely there, and what came since, by number of event. */
static struct {
    ino_t ino[FILES];
    bytes content[FILES];
    long synced[FILES]; // events of the file before this one are in the content
    int nfile;
    names names;
    long folder_synced;
} disk;

static int number_of(ino_t ino) {
    for (int i = disk.nfile - 1; i >= 0; i--) {
        if (disk.ino[i] == ino) {
            return i;
        }
    }
    return -1;
}

static int add_file(ino_t ino) {
    assert_true(disk.nfile < FILES);
    disk.ino[disk.nfile] = ino;
    disk.content[disk.nfile] = (bytes){calloc(LIMIT, 1), 0};
    disk.synced[disk.nfile] = 0;
    return disk.nfile++;
}

static int name_at(const names *l, const char *name) {
    for (int i = 0; i < l->n; i++) {
        if (strcmp(l->v[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void drop_name(names *l, const char *name) {
    const int i = name_at(l, name);
    if (i >= 0) {
        l->v[i] = l->v[--l->n];
    }
}

static void set_name(names *l, const char *name, int file) {
    drop_name(l, name);
    assert_true(l->n < NAMES);
    (void)snprintf(l->v[l->n].name, 64, "%s", name);
    l->v[l->n++].file = file;
}

static void apply_name(names *l, const event *e) {
    if (e->what == CREATE) {
        set_name(l, e->name, number_of(e->file));
    } else if (e->what == UNLINK) {
        drop_name(l, e->name);
    } else if (e->what == RENAME || e->what == LINK) {
        const int i = name_at(l, e->name);
        if (i >= 0) {
            const int file = l->v[i].file;
            if (e->what == RENAME) {
                drop_name(l, e->name);
            }
            set_name(l, e->to, file);
        }
    }
}

static bool is_name(const event *e) {
    return e->what == CREATE || e->what == UNLINK || e->what == RENAME || e->what == LINK;
}

static uint64_t chance_state = 1;
static bool chance(void) {
    return random_below(&chance_state, 2);
}

/* one event of a file; `part`: any of its blocks */
static void apply_bytes(bytes *b, const event *e, bool part) {
    if (e->what == CUT) {
        if (!part || chance()) {
            if (e->at < b->n) {
                memset(b->v + e->at, 0, (size_t)(b->n - e->at));
            }
            b->n = e->at;
        }
        return;
    }
    assert_true(e->at + (off_t)e->n <= LIMIT);
    for (off_t at = e->at, end = e->at + (off_t)e->n; at < end;) {
        off_t next = (at / BLOCK + 1) * BLOCK;
        next = next < end ? next : end;
        if (!part || chance()) {
            memcpy(b->v + at, e->data + (at - e->at), (size_t)(next - at));
            b->n = next > b->n ? next : b->n;
        }
        at = next;
    }
}

static bool changes(const event *e, int file) {
    return (e->what == WRITE || e->what == CUT) && number_of(e->file) == file;
}

/* Event k has happened. */
static void advance(long k) {
    const event *e = &log_of[k];
    if (e->what == CREATE) {
        if (number_of(e->file) >= 0) { // a number of an inode that was removed is used again
            disk.ino[number_of(e->file)] = 0;
        }
        add_file(e->file);
        disk.synced[disk.nfile - 1] = k;
    } else if (e->what == SYNC) {
        const int file = number_of(e->file);
        assert_true(file >= 0);
        for (long i = disk.synced[file]; i < k; i++) {
            if (changes(&log_of[i], file)) {
                apply_bytes(&disk.content[file], &log_of[i], false);
            }
        }
        disk.synced[file] = k;
    } else if (e->what == SYNC_FOLDER) {
        for (long i = disk.folder_synced; i < k; i++) {
            apply_name(&disk.names, &log_of[i]);
        }
        disk.folder_synced = k;
    }
}

/* ---- what is left ---------------------------------------------------------------------------- */

static void clear_folder(const char *path) {
    char name[400];
    DIR *d = opendir(path);
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (e->d_name[0] != '.') {
            (void)snprintf(name, sizeof name, "%s/%s", path, e->d_name);
            (void)unlink(name);
        }
    }
    (void)closedir(d);
}

static void put_file(const char *name, const bytes *b) {
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", other, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b->v, 1, (size_t)b->n, f), b->n);
    assert_int_equal(fclose(f), 0);
}

/* After k events, in `other`. Variants: 0 nothing of what was not synchronised is there, 1 all, 2
   all names and no contents, 3 all contents and no names, others any part of both. */
static void make_left(long k, int variant) {
    names l = disk.names;
    static unsigned char space[LIMIT];
    clear_folder(other);
    for (long i = disk.folder_synced; i < k; i++) {
        const bool take = variant == 1 || variant == 2 || (variant > 3 && chance());
        if (is_name(&log_of[i]) && take) {
            apply_name(&l, &log_of[i]);
        }
    }
    for (int i = 0; i < l.n; i++) {
        const int file = l.v[i].file;
        bytes b = {space, disk.content[file].n};
        memset(space, 0, LIMIT);
        memcpy(space, disk.content[file].v, (size_t)b.n);
        for (long j = disk.synced[file]; j < k && variant != 0 && variant != 2; j++) {
            if (changes(&log_of[j], file)) {
                apply_bytes(&b, &log_of[j], variant > 3);
            }
        }
        put_file(l.v[i].name, &b);
    }
}

/* The folder as it is now is on the disk. */
static void begin_recording(void) {
    char path[400];
    for (int i = 0; i < disk.nfile; i++) {
        free(disk.content[i].v);
    }
    memset(&disk, 0, sizeof disk);
    for (long i = 0; i < nlog; i++) {
        free(log_of[i].data);
    }
    nlog = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        struct stat st;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.' || stat(path, &st) != 0) {
            continue;
        }
        const int file = add_file(st.st_ino);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        disk.content[file].n = (off_t)fread(disk.content[file].v, 1, LIMIT, f);
        (void)fclose(f);
        set_name(&disk.names, e->d_name, file);
    }
    (void)closedir(d);
    recording = true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static char path[128], left[128]; // results, and what is left of them

static double ending = 0.04; // [s]
static double every = 1e-9;  // between checkpoints [s]
enum {
    WHOLE = 9,
    EARLIER = 7,
    ROW = 8
}; // steps of a whole run, of the one before it; numbers of a step

static gos_status run(small_run *b) {
    gos_options o;
    gos_options_get(b->sys, &o);
    o.end = ending;
    o.checkpoint_every = every;
    return gos_run(b->ctx, b->sys, &o, path, NULL);
}

static double whole[WHOLE][ROW];  // the probes of a run without faults
static double before[WHOLE][ROW]; // of the earlier one

static long read_rows(gos_ctx *ctx, const char *file, double rows[WHOLE][ROW], bool *complete) {
    gos_results *r;
    gos_results_info info;
    if (gos_results_open(ctx, file, &r) != GOS_OK) {
        return -1;
    }
    gos_results_info_get(r, &info);
    *complete = info.complete;
    assert_true(info.nrows <= WHOLE);
    const long n = info.nrows;
    for (long k = 0; k < n; k++) {
        const double *v[2], *d[2];
        assert_int_equal(gos_results_probe(r, 0, &v[0], &d[0]), GOS_OK);
        assert_int_equal(gos_results_probe(r, 1, &v[1], &d[1]), GOS_OK);
        memcpy(rows[k], v[0] + 3 * k, 3 * sizeof(double));
        memcpy(rows[k] + 3, d[0] + 3 * k, 3 * sizeof(double));
        rows[k][6] = v[1][k];
        rows[k][7] = d[1][k];
    }
    gos_results_close(r);
    return n;
}

/* ---- what must hold -------------------------------------------------------------------------- */

static long states, resumed, repaired;

/* What is left holds `guaranteed` steps at least, or what was there before (`earlier`). */
static void check_left(long k, int variant, long guaranteed, bool done, bool earlier) {
    small_run b;
    bool complete = false, mended = false;
    static double rows[WHOLE][ROW];
    small_run_begin(&b);
    states++;
    const gos_status status = gos_results_repair(b.ctx, left, &mended);
    repaired += mended;
    const long n = status == GOS_OK ? read_rows(b.ctx, left, rows, &complete) : -1;
    const bool old = earlier && complete && n == EARLIER;
    if ((guaranteed > 0 && n < guaranteed) || (done && !complete) || (earlier && !old && n < 2)) {
        fail_msg("power lost after event %ld of %ld, variant %d: %ld steps, guaranteed %ld, %s\n%s",
                 k, nlog, variant, n, guaranteed, complete ? "complete" : "not complete",
                 gos_ctx_message(b.ctx));
    }
    if (n > 0) {
        assert_memory_equal(rows, old ? before : whole, (size_t)n * sizeof rows[0]);
    }
    if (guaranteed > 0 && !complete && states % 7 == 0) {
        if (gos_resume(b.ctx, b.sys, left, NULL) != GOS_OK) {
            fail_msg("event %ld, variant %d: %s", k, variant, gos_ctx_message(b.ctx));
        }
        assert_int_equal(read_rows(b.ctx, left, rows, &complete), WHOLE);
        assert_true(complete);
        assert_memory_equal(rows, whole, sizeof whole);
        resumed++;
    }
    small_run_end(&b);
}

/* After every event but writes, and after some of these. `begun`: steps that were guaranteed
   before. */
static void check_all(long begun, bool earlier) {
    long guaranteed = begun;
    bool checkpoint = false;
    int number[UNLINK + 1] = {0};
    recording = false;
    start_machine(2);
    for (long k = 0; k <= nlog; k++) {
        if (k == nlog || (log_of[k].what != WRITE && log_of[k].what != CUT) || k % stride() == 0) {
            // short: of each kind of event every other one has the even variants, the others the
            // odd ones
            const bool all = suite_long() || k == nlog;
            const int turn = all ? 0 : number[log_of[k].what]++ % 2;
            for (int variant = turn; variant < VARIANTS; variant += all ? 1 : 2) {
                make_left(k, variant);
                check_left(k, variant, k == nlog ? WHOLE : guaranteed, k == nlog, earlier);
            }
        }
        if (k < nlog) {
            advance(k);
            const event *e = &log_of[k];
            if (e->what == RENAME && strstr(e->to, ".checkpoint") != NULL &&
                strstr(e->to, ".old") == NULL) {
                checkpoint = true;
            } else if (e->what == SYNC_FOLDER && checkpoint) {
                // each is one step further; the earlier results count until the new ones are there
                checkpoint = false;
                guaranteed += !earlier || guaranteed > 0 ? 1 : 0;
                guaranteed = guaranteed == 1 ? 2 : guaranteed;
            }
        }
    }
    start_machine(1);
}

static void test_new(void **state) {
    (void)state;
    small_run b;
    states = resumed = repaired = 0;
    small_run_begin(&b);
    begin_recording();
    assert_int_equal(run(&b), GOS_OK);
    check_all(0, false);
    small_run_end(&b);
    print_message("%ld events, %ld states, %ld repaired, %ld resumed\n", nlog, states, repaired,
                  resumed);
    const int share = suite_long() ? 1 : 2; // of the variants
    assert_true(states > 200 / share && repaired > 50 / share && resumed > 10 / share);
}

/* Over complete results, with checkpoints and without. */
static void test_over(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        small_run b;
        bool complete;
        small_run_begin(&b);
        ending = 0.03;
        assert_int_equal(run(&b), GOS_OK);
        assert_int_equal(read_rows(b.ctx, path, before, &complete), EARLIER);
        ending = 0.04;
        every = i == 0 ? 1e-9 : 1e9;
        begin_recording();
        assert_int_equal(run(&b), GOS_OK);
        every = 1e-9;
        check_all(0, true);
        small_run_end(&b);
        clear_folder(folder);
    }
}

/* ---- resuming and repairing ------------------------------------------------------------------ */

/* A run that is killed after its fourth checkpoint. */
static void kill_run(small_run *b) {
    const pid_t child = fork();
    if (child == 0) {
        begin_recording();
        die_after = 5;
        _exit(run(b) == GOS_OK ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 77);
}

static void test_resumed(void **state) {
    (void)state;
    small_run b;
    bool complete;
    static double rows[WHOLE][ROW];
    small_run_begin(&b);
    kill_run(&b);
    const long n = read_rows(b.ctx, path, rows, &complete);
    assert_true(n >= 4 && n < WHOLE && !complete);
    gos_ctx_clear(b.ctx);
    begin_recording();
    assert_int_equal(gos_resume(b.ctx, b.sys, path, NULL), GOS_OK);
    check_all(n, false);
    small_run_end(&b);
    clear_folder(folder);
}

/* Power is lost again while a file is repaired. */
static void test_repaired(void **state) {
    (void)state;
    small_run b;
    small_run_begin(&b);
    begin_recording();
    assert_int_equal(run(&b), GOS_OK);
    recording = false;
    long k = 0, checkpoints = 0;
    for (; checkpoints < 5; k++) { // lost some way behind the fourth checkpoint
        advance(k);
        checkpoints += log_of[k].what == SYNC_FOLDER;
    }
    make_left(k - 1, 4);
    clear_folder(folder);
    char command[256];
    (void)snprintf(command, sizeof command, "cp %s/* %s", other, folder);
    assert_int_equal(system(command), 0);
    bool mended = false;
    start_machine(2);
    begin_recording();
    assert_int_equal(gos_results_repair(b.ctx, path, &mended), GOS_OK);
    recording = false;
    assert_true(mended && nlog > 3);
    for (k = 0; k <= nlog; k++) {
        for (int variant = 0; variant < VARIANTS; variant++) {
            make_left(k, variant);
            check_left(k, variant, 5, false, false);
        }
        if (k < nlog) {
            advance(k);
        }
    }
    start_machine(1);
    small_run_end(&b);
    clear_folder(folder);
}

static int prepare(void **state) {
    (void)state;
    small_run b;
    bool complete;
    (void)strcpy(folder, "/tmp/gossamer_power_XXXXXX");
    (void)strcpy(other, "/tmp/gossamer_left_XXXXXX");
    if (mkdtemp(folder) == NULL || mkdtemp(other) == NULL) {
        return -1;
    }
    (void)snprintf(boot, sizeof boot, "%s.boot", folder);
    (void)snprintf(path, sizeof path, "%s/run.h5", folder);
    (void)snprintf(left, sizeof left, "%s/run.h5", other);
    start_machine(1);
    small_run_begin(&b);
    const bool good =
        run(&b) == GOS_OK && read_rows(b.ctx, path, whole, &complete) == WHOLE && complete;
    small_run_end(&b);
    clear_folder(folder);
    return good ? 0 : -1;
}

static int tidy(void **state) {
    (void)state;
    char command[300];
    (void)snprintf(command, sizeof command, "rm -rf %s %s %s", folder, other, boot);
    return system(command);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_new), cmocka_unit_test(test_over),
                                       cmocka_unit_test(test_resumed),
                                       cmocka_unit_test(test_repaired)};
    return cmocka_run_group_tests(tests, prepare, tidy);
}
SUITE_OWN_PROGRAM(suite)
