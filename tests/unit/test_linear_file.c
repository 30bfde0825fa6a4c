/* Linear models in files: HDF5 and folders hold every bit and name; damaged and foreign ones are
   refused or read for what they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "gossamer/io.h"
#include "linear/linear.h"
#include "support/context.h"
#include "support/random.h"
#include "support/suite.h"

static char folder[64];

static int setup(void **state) {
    GOS_UNUSED(state);
    (void)strcpy(folder, "/tmp/gos_linear_XXXXXX");
    ctx = gos_ctx_create();
    return ctx == NULL || mkdtemp(folder) == NULL;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    gos_ctx_destroy(ctx);
    return system(command);
}

static const char *at(const char *name) {
    static char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* a model with entries in every block, none of them a short decimal */
static gos_linear *model(void) {
    gos_linear *l = NULL;
    const gos_linear_size size = {.nq = 6, .nt = 2, .nphi = 1, .nc = 2, .nh = 1, .nu = 2, .ny = 3};
    need(gos__linear_create(ctx, &size, &l));
    uint64_t seed = 5;
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        gos_sparse *A = &l->block[b], B;
        double values[36] = {0};
        for (int k = 0; k < 36; k++) {
            values[k] = random_below(&seed, 4) ? 4 * random_uniform(&seed) : 0;
        }
        for (int i = 0; i < 6 && b == GOS_BLOCK_M; i++) {
            for (int j = 0; j < i; j++) {
                values[6 * i + j] = values[6 * j + i];
            }
        }
        const gos_pattern all = {.n = 6, .nnz = 36, .dense = true};
        need(gos__sparse_block(ctx, &all, values, 0, A->m, 0, A->n, &B));
        need(gos__linear_put(l, (gos_block)b, &B));
        gos__sparse_free(ctx, &B);
    }
    l->ncomp = 3;
    l->coordinate[0] = "rod.node(0).position";
    l->coordinate[1] = "rod.node(1).position";
    l->temperature[1] = "rod.node(1).T";
    for (int i = 0; i < 6; i++) {
        l->rigid[i % 3 * 6 + i] = 1;
        l->rigid[(3 + i % 3) * 6 + i] = -0.3 - i;
    }
    need(gos__linear_name_input(l, 0, "push.y", "N"));
    need(gos__linear_name_input(l, 1, "sun", "W/m^2"));
    need(gos__linear_name_output(l, 0, "tip.y", "m"));
    need(gos__linear_name_output(l, 1, "bend.axial", "1, 1/m"));
    need(gos__linear_name_output(l, 2, "warm.T", "K"));
    need(gos__linear_close(l));
    return l;
}

static void same(const gos_linear *a, const gos_linear *b) {
    for (int k = 0; k < GOS_NBLOCKS; k++) {
        const gos_sparse *A = &a->block[k], *B = &b->block[k];
        assert_int_equal(A->m, B->m);
        assert_int_equal(A->n, B->n);
        assert_int_equal(A->nnz, B->nnz);
        assert_memory_equal(A->p, B->p, ((size_t)A->n + 1) * sizeof *A->p);
        assert_memory_equal(A->i, B->i, (size_t)A->nnz * sizeof *A->i);
        assert_memory_equal(A->x, B->x, (size_t)A->nnz * sizeof *A->x);
    }
    for (int i = 0; i < a->nq; i++) {
        char x[100], y[100];
        gos_linear_coordinate(a, i, x, sizeof x);
        gos_linear_coordinate(b, i, y, sizeof y);
        assert_string_equal(x, y);
    }
    for (int i = 0; i < a->nu; i++) {
        assert_string_equal(gos_linear_input(a, i).name, gos_linear_input(b, i).name);
        assert_string_equal(gos_linear_input(a, i).unit, gos_linear_input(b, i).unit);
    }
    for (int i = 0; i < a->ny; i++) {
        assert_string_equal(gos_linear_output(a, i).name, gos_linear_output(b, i).name);
        assert_string_equal(gos_linear_output(a, i).unit, gos_linear_output(b, i).unit);
    }
}

static void test_hdf5(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = model(), *again = NULL;
    need(gos_linear_save(ctx, l, at("a.h5")));
    need(gos_linear_save(ctx, l, at("a.h5"))); // replaced
    assert_true(gos_linear_exists(at("a.h5")));
    need(gos_linear_read(ctx, at("a.h5"), &again));
    same(l, again);
    assert_memory_equal(l->rigid, again->rigid, 36 * sizeof(double));
    gos_linear_destroy(again);
    gos_linear_destroy(l);
}

static void test_folder(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = model(), *again = NULL;
    need(gos_linear_write_folder(ctx, l, at("f")));
    need(gos_linear_write_folder(ctx, l, at("f")));
    assert_true(gos_linear_exists(at("f")));
    need(gos_linear_read(ctx, at("f"), &again));
    same(l, again);
    gos_linear_destroy(again);
    gos_linear_destroy(l);
}

/* names that are no plain cells of CSV come back too, from files and folders */
static void test_names(void **state) {
    GOS_UNUSED(state);
    static const char *const names[] = {
        "a,b",   "two\nlines", "say \"x\"", "=1+2", "'=1",           "-x", "+y", "@z",
        "end\r", "",           "it's",      "\"",   "\n,\"\r\n\"\"", "'",  "''@"};
    for (int i = 0; i < GOS_COUNT(names); i++) {
        gos_linear *l = model(), *again[2] = {NULL, NULL};
        const int next = (i + 1) % GOS_COUNT(names);
        need(gos__linear_name_input(l, 0, names[i], names[next]));
        need(gos__linear_name_output(l, 2, names[next], names[i]));
        l->coordinate[1] = names[i][0] ? names[i] : "x";
        need(gos_linear_write_folder(ctx, l, at("n")));
        need(gos_linear_save(ctx, l, at("n.h5")));
        need(gos_linear_read(ctx, at("n"), &again[0]));
        need(gos_linear_read(ctx, at("n.h5"), &again[1]));
        same(l, again[0]);
        same(l, again[1]);
        gos_linear_destroy(again[0]);
        gos_linear_destroy(again[1]);
        gos_linear_destroy(l);
    }
}

/* the text of model.csv: a formula is none any more, what has commas stands in quotes */
static void test_cells(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = model();
    need(gos__linear_name_input(l, 0, "=cmd()", "N"));
    need(gos_linear_write_folder(ctx, l, at("cells")));
    gos_linear_destroy(l);
    char text[1000] = "";
    FILE *f = fopen(at("cells/model.csv"), "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    (void)fclose(f);
    assert_non_null(strstr(text, "input,'=cmd(),N\n"));
    assert_non_null(strstr(text, "output,bend.axial,\"1, 1/m\"\n"));
    // as it was written before, without the quotes
    gos_linear *again = NULL;
    const char *const before = "format,gossamer-linear,1\nsizes,6,2,1,2,1,2,3\ncomponents,3\r\n"
                               "input,push.y,N\r\noutput,a,1, 1/m\noutput,b,m\noutput,c,K";
    f = fopen(at("cells/model.csv"), "w");
    assert_true(f && fputs(before, f) >= 0 && fclose(f) == 0);
    need(gos_linear_read(ctx, at("cells"), &again));
    assert_string_equal(gos_linear_input(again, 0).unit, "N");
    assert_string_equal(gos_linear_output(again, 0).unit, "1, 1/m");
    assert_string_equal(gos_linear_output(again, 2).unit, "K");
    gos_linear_destroy(again);
}

static void put(const char *name, const char *text) {
    FILE *f = fopen(at(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* user-supplied matrices: x' = -2 x + 3 u, y = x + 4 u, D beside A is the direct part */
static void test_foreign(void **state) {
    GOS_UNUSED(state);
    assert_int_equal(mkdir(at("x"), 0700), 0);
    put("x/A.mtx", "%%MatrixMarket matrix array real general\n1 1\n-2\n");
    put("x/B.mtx", "%%MatrixMarket matrix array real general\n1 1\n3\n");
    put("x/C.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    put("x/D.mtx", "%%MatrixMarket matrix array real general\n1 1\n4\n");
    gos_linear *l = NULL;
    assert_true(gos_linear_exists(at("x")));
    need(gos_linear_read(ctx, at("x"), &l));
    const double omega = 0;
    double H[2];
    need(gos_linear_response(ctx, l, 1, &omega, H));
    assert_true(H[0] == 5.5 && H[1] == 0);
    gos_linear_destroy(l);
}

static void refuse(const char *name, const char *text) {
    gos_linear *l = NULL;
    gos_ctx_clear(ctx);
    assert_true(gos_linear_read(ctx, at(name), &l) < 0);
    if (!strstr(gos_ctx_message(ctx), text)) {
        fail_msg("'%s' has no '%s'", gos_ctx_message(ctx), text);
    }
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = model();
    need(gos_linear_save(ctx, l, at("b.h5")));
    need(gos_linear_write_folder(ctx, l, at("g")));
    gos_linear_destroy(l);
    refuse("nothing", "nothing");
    assert_false(gos_linear_exists(at("nothing")));
    put("text.h5", "no HDF5");
    refuse("text.h5", "not a linear model");
    put("g/K.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
    refuse("g", "1 x 1 does not match the required 6 x 6");
    put("g/model.csv", "format,gossamer-linear,1\nsizes,99999999999,0,0,0,0,0,0\n");
    refuse("g", "not a linear model table");
    assert_int_equal(mkdir(at("h"), 0700), 0);
    put("h/mine", "");
    l = model();
    assert_int_equal(gos_linear_write_folder(ctx, l, at("h")), GOS_E_USE);
    gos_linear_destroy(l);
    // cut short at every length, the file is refused or, when only padding is lost, read
    struct stat st;
    assert_int_equal(stat(at("b.h5"), &st), 0);
    for (off_t n = st.st_size - 1; n > 0; n = n * 7 / 8) {
        assert_int_equal(truncate(at("b.h5"), n), 0);
        gos_ctx_clear(ctx);
        l = NULL;
        if (gos_linear_read(ctx, at("b.h5"), &l) == GOS_OK) {
            gos_linear_destroy(l);
        } else {
            assert_true(gos_ctx_ndiag(ctx) > 0);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5),    cmocka_unit_test(test_folder),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_cells),
        cmocka_unit_test(test_foreign), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
