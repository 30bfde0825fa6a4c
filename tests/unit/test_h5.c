/* Which HDF5 files, groups and datasets are let in: of the kinds that we write, as large as they
 * say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "gossamer/io.h"
#include "results/h5_file.h"
#include "results/h5_put.h"
#include "support/suite.h"

static const char *path_of(const char *name) {
    static char path[128];
    (void)snprintf(path, sizeof path, "/tmp/gossamer_h5_%ld_%s.h5", (long)getpid(), name);
    return path;
}

static bool put_group(hid_t file, const void *what) {
    return gos__put_attr_text(file, "format", what) && gos__put_group(file, "a") &&
           gos__put_group(file, "a/b");
}

/* is the file let in? */
static bool opens(gos_ctx *ctx, const char *path) {
    gos_disk disk;
    gos_h5_visit visit;
    assert_int_equal(gos__disk_open(ctx, path, false, &disk), GOS_OK);
    gos__h5_enter(&visit);
    const hid_t file = gos__h5_open_file(&disk, path, H5F_ACC_RDONLY);
    if (file >= 0) {
        (void)H5Fclose(file);
    }
    gos__h5_leave(&visit);
    gos__disk_close(&disk);
    return file >= 0;
}

/* an HDF5 file of other programs, between two versions of the format; its superblock is of
 * `version` */
static void make_foreign(const char *path, H5F_libver_t lo, H5F_libver_t hi, int version) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(H5Pset_libver_bounds(access, lo, hi) >= 0);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    assert_true(file >= 0 && put_group(file, "gossamer-results"));
    H5F_info2_t info;
    assert_true(H5Fget_info2(file, &info) >= 0);
    assert_int_equal(info.super.version, version);
    assert_true(H5Fclose(file) >= 0);
    (void)H5Pclose(access);
}

/* Older superblocks are refused before HDF5 sees them, with words. */
static void test_superblocks(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    const char *path = path_of("head");
    assert_int_equal(gos__h5_write_file(ctx, path, GOS_OUTPUT_RESULTS, put_group, "new"), GOS_OK);
    assert_true(opens(ctx, path));
    const struct {
        H5F_libver_t lo, hi;
        int version;
    } old[] = {{H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST, 0}, {H5F_LIBVER_V18, H5F_LIBVER_V18, 2}};
    for (int i = 0; i < GOS_COUNT(old); i++) {
        gos_results *r;
        gos_linear *l;
        make_foreign(path, old[i].lo, old[i].hi, old[i].version);
        assert_false(opens(ctx, path));
        assert_int_equal(gos_results_open(ctx, path, &r), GOS_E_FILE);
        assert_non_null(strstr(gos_ctx_message(ctx), "not a results file of this program"));
        gos_ctx_clear(ctx);
        assert_int_equal(gos_linear_read(ctx, path, &l), GOS_E_FILE);
        assert_non_null(strstr(gos_ctx_message(ctx), "not a linear model of this program"));
        gos_ctx_clear(ctx);
    }
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

/* No byte of the superblock may be another one. */
static void test_damaged_head(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    const char *path = path_of("damaged");
    assert_int_equal(gos__h5_write_file(ctx, path, GOS_OUTPUT_RESULTS, put_group, "new"), GOS_OK);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    for (long at = 0; at < 48; at++) {
        (void)fseek(f, at, SEEK_SET);
        const int c = fgetc(f);
        (void)fseek(f, at, SEEK_SET);
        (void)fputc(c ^ 1, f);
        (void)fflush(f);
        assert_false(opens(ctx, path));
        (void)fseek(f, at, SEEK_SET);
        (void)fputc(c, f);
        (void)fflush(f);
    }
    assert_int_equal(fclose(f), 0);
    assert_true(opens(ctx, path));
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

static hid_t open_for_changes(const char *path, gos_ctx *ctx, gos_disk *disk) {
    assert_int_equal(gos__disk_open(ctx, path, true, disk), GOS_OK);
    const hid_t file = gos__h5_open_file(disk, path, H5F_ACC_RDWR);
    assert_true(file >= 0);
    return file;
}

/* Groups with symbol tables, put into a file of ours by others. */
static void test_old_groups(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    const char *path = path_of("groups");
    assert_int_equal(gos__h5_write_file(ctx, path, GOS_OUTPUT_RESULTS, put_group, "new"), GOS_OK);
    char other[160];
    (void)snprintf(other, sizeof other, "%s.old", path);
    make_foreign(other, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST, 0);
    const hid_t from = H5Fopen(other, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(from >= 0 && file >= 0);
    assert_true(H5Ocopy(from, "a", file, "a/old", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Fclose(file) >= 0 && H5Fclose(from) >= 0);
    (void)unlink(other);
    gos_disk disk;
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    file = open_for_changes(path, ctx, &disk);
    static const struct {
        const char *path;
        bool good;
    } cases[] = {{"a", true}, {"a/b", true}, {"a/old", false}, {"a/old/b", false}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        const hid_t at = gos__h5_open(file, cases[i].path, H5O_TYPE_GROUP);
        assert_int_equal(at >= 0, cases[i].good);
        if (at >= 0) {
            (void)H5Gclose(at);
        }
    }
    (void)H5Fclose(file);
    gos__h5_leave(&visit);
    gos__disk_close(&disk);
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

/* a column of n numbers of which `written` are there; rows of a chunk, 0: contiguous; gzip or
   not */
static hid_t make_column(hid_t file, const char *name, hsize_t n, hsize_t written, hsize_t chunk,
                         bool gzip) {
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
    if (chunk > 0) {
        (void)H5Pset_chunk(plist, 1, &chunk);
    }
    if (gzip) {
        (void)H5Pset_deflate(plist, 9);
    }
    const hid_t set =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    assert_true(set >= 0);
    if (written > 0) {
        const hsize_t zero = 0;
        const hid_t to = H5Scopy(space), from = H5Screate_simple(1, &written, NULL);
        double *x = calloc((size_t)written, sizeof *x);
        assert_non_null(x);
        (void)H5Sselect_hyperslab(to, H5S_SELECT_SET, &zero, NULL, &written, NULL);
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, from, to, H5P_DEFAULT, x) >= 0);
        free(x);
        (void)H5Sclose(to);
        (void)H5Sclose(from);
    }
    (void)H5Sclose(space);
    (void)H5Pclose(plist);
    return set;
}

/* Numbers that are announced, but not stored, are refused: memory is proportional to the stored
 * data. */
static void test_unallocated(void **state) {
    (void)state;
    enum { MILLION = 1000000 };
    static const struct {
        hsize_t n, written, chunk;
        bool gzip, good;
    } cases[] = {{MILLION, MILLION, 0, false, true},
                 {MILLION, MILLION, 1000, false, true},
                 {MILLION, MILLION, 1000, true, true},
                 {MILLION, MILLION - 900, 1000, false, true},
                 {MILLION, MILLION / 2, 1000, false, false},
                 {1000, 0, 100, false, true},
                 {1000 * MILLION, 0, 0, false, false},
                 {1000 * MILLION, 0, 1000, false, false},
                 {1000 * MILLION, MILLION, 1000, false, false},
                 {1000 * MILLION, 1000, 1000, true, false}};
    gos_ctx *ctx = gos_ctx_create();
    const char *path = path_of("columns");
    assert_int_equal(gos__h5_write_file(ctx, path, GOS_OUTPUT_RESULTS, put_group, "new"), GOS_OK);
    gos_disk disk;
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const hid_t file = open_for_changes(path, ctx, &disk);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char name[32];
        hsize_t dims[2], one;
        (void)snprintf(name, sizeof name, "column%d", i);
        const hid_t set =
            make_column(file, name, cases[i].n, cases[i].written, cases[i].chunk, cases[i].gzip);
        if (gos__h5_plain(set, dims) != cases[i].good ||
            gos__h5_plain_rank(set, 1, &one) != cases[i].good) {
            fail_msg("case %d", i);
        }
        (void)H5Dclose(set);
    }
    (void)H5Fclose(file);
    gos__h5_leave(&visit);
    gos__disk_close(&disk);
    (void)unlink(path);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_superblocks), cmocka_unit_test(test_damaged_head),
        cmocka_unit_test(test_old_groups), cmocka_unit_test(test_unallocated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
