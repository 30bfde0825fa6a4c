/* OUTPUT4 of Nastran: text and binary forms that are read, refusals with line or byte, writing to
   the last bit, and bodies of such files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "linalg/output4.h"
#include "linear/linear.h"
#include "support/folder.h"
#include "support/suite.h"

static gos_ctx *ctx;

static int setup(void **state) {
    ctx = gos_ctx_create();
    return ctx == NULL || folder_make(state) != 0;
}

static int teardown(void **state) {
    gos_ctx_destroy(ctx);
    return folder_remove(state);
}

static gos_sparse parse(const char *data, size_t n, const char *matrix) {
    gos_sparse A;
    gos_ctx_clear(ctx);
    if (gos__output4_parse(ctx, data, n, "a.op4", matrix, &A) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return A;
}

static void refuse(const char *data, size_t n, const char *matrix, const char *message) {
    gos_sparse A;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__output4_parse(ctx, data, n, "a.op4", matrix, &A), GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx), message);
}

/* [1 0 -2.5; 0 3e-5 -4] */
static void check(gos_sparse A) {
    static const double x[] = {1, 3e-5, -2.5, -4};
    static const int i[] = {0, 1, 0, 1}, p[] = {0, 1, 2, 4};
    assert_int_equal(A.m, 2);
    assert_int_equal(A.n, 3);
    assert_int_equal(A.nnz, 4);
    assert_memory_equal(A.p, p, sizeof p);
    assert_memory_equal(A.i, i, sizeof i);
    assert_memory_equal(A.x, x, sizeof x);
    gos__sparse_free(ctx, &A);
}

#define END "       4       1       1\n 1.00000E+00\n"
#define HEAD "       3       2       2       2AB      1P,2E12.5\n"
#define DENSE                                                                                      \
    HEAD "       1       1       1\n 1.00000E+00\n       2       1       2\n"                      \
         " 0.00000E+00 3.00000E-05\n       3       1       2\n-2.50000E+00-4.00000E+00\n"
/* complex values: two numbers each */
#define COMPLEX                                                                                    \
    "       1       2       2       4Z       1P,2E12.5\n       1       1       4\n"                \
    " 1.00000E+00 1.00000E+00\n 1.00000E+00 1.00000E+00\n       2       1       1\n 1.00000E+00\n"

static void test_text(void **state) {
    GOS_UNUSED(state);
    static const char *const same[] = {
        DENSE END,
        // runs of words, in the small form: 65536 (words + 1) + row
        HEAD
        "       1       0       3\n  196609\n 1.00000D+00\n       2       0       3\n  196610\n"
        "   3.00000-5\n       3       0       5\n  327681\n-2.50000E+00-4.00000E+00\n" END "\n",
        "       3      -2       2       2AB      1P,2E12.5\r\n       1       0       4\r\n"
        "       3       1\r\n 1.00000E+00\r\n       2       0       4\r\n       3       2\r\n"
        " 3.00000E-05\r\n       3       0       8\r\n       3       1\r\n-2.50000E+00\r\n"
        "       3       2\r\n-4.00000E+00\r\n       4       1       1\r\n 1.00000E+00\r\n"};
    for (int k = 0; k < GOS_COUNT(same); k++) {
        check(parse(same[k], strlen(same[k]), NULL));
        check(parse(same[k], strlen(same[k]), "ab"));
    }
    check(parse(COMPLEX DENSE END, strlen(COMPLEX DENSE END), "AB"));
}

/* binary of the other byte order, in single precision, dense */
static void test_swapped(void **state) {
    GOS_UNUSED(state);
    static const unsigned char data[] = {
        0, 0, 0, 24,   0,    0,    0,   2,   0,   0,   0,    2,    0, 0, 0,    6, 0,
        0, 0, 1, 'K',  ' ',  ' ',  ' ', ' ', ' ', ' ', ' ',  0,    0, 0, 24, // 2 x 2, symmetric
        0, 0, 0, 20,   0,    0,    0,   1,   0,   0,   0,    1,    0, 0, 0,    2, 0x40,
        0, 0, 0, 0xbf, 0x80, 0,    0,   0,   0,   0,   20,   0,    0, 0, 20,   0, 0,
        0, 2, 0, 0,    0,    1,    0,   0,   0,   2,   0xbf, 0x80, 0, 0, 0x40, 0, 0,
        0, 0, 0, 0,    20,   0,    0,   0,   16,  0,   0,    0,    3, 0, 0,    0, 1,
        0, 0, 0, 1,    0x3f, 0x80, 0,   0,   0,   0,   0,    16};
    gos_sparse A = parse((const char *)data, sizeof data, "K");
    static const double x[] = {2, -1, -1, 2};
    assert_int_equal(A.nnz, 4);
    assert_memory_equal(A.x, x, sizeof x);
    gos__sparse_free(ctx, &A);
    for (size_t n = 33; n < sizeof data; n++) { // truncated anywhere
        gos_ctx_clear(ctx);
        assert_int_equal(gos__output4_parse(ctx, (const char *)data, n, "a", "K", &A), GOS_E_INPUT);
    }
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *matrix, *message;
    } list[] = {
        {"", NULL, "a.op4: the file has no matrix '', but none"},
        {"hello\n", NULL,
         "a.op4:1: a whole number of 8 characters is needed in each field of this line"},
        {DENSE, NULL, "a.op4:7: the file ends inside matrix 'AB'; it is truncated"},
        {DENSE END, "K", "a.op4: the file has no matrix 'K', but AB"},
        {DENSE END DENSE END, NULL,
         "a.op4: the file has the matrices AB, AB; name one: FILE.op4:NAME"},
        {DENSE END DENSE END, "AB", "a.op4:18: the file has two matrices 'AB'; name them apart"},
        {COMPLEX, NULL, "a.op4:1: 'Z' is complex (type 4); write a real matrix"},
        {"       3       2       2       5AB      1P,2E12.5\n", NULL,
         "a.op4:1: 'AB' is of type 5; 1 to 4 are possible"},
        {"       3       2       3       2AB      1P,2E12.5\n", NULL,
         "a.op4:1: 'AB' is of form 3; write it square (1), rectangular (2) or symmetric (6)"},
        {"       3       2       6       2AB      1P,2E12.5\n", NULL,
         "a.op4:1: 'AB' is of form 6, but has 2 rows and 3 columns"},
        {"       0       2       2       2AB      1P,2E12.5\n", NULL,
         "a.op4:1: 'AB' has 2 rows and 0 columns; 1 to 20000000 are possible"},
        {"       3       2       2       2AB      what\n", NULL,
         "a.op4:1: the line ends with the format of the values, such as 1P,5E16.9"},
        {HEAD "       1       2       2\n", NULL,
         "a.op4:2: column 1 has 2 values from row 2 on, but the matrix has 2 rows"},
        {HEAD "       1       1       1\n 1.00000X+00\n", NULL,
         "a.op4:3: ' 1.00000X+00' is not a number; each has 12 characters"},
        {HEAD "       1       1       1\n         INF\n", NULL,
         "a.op4:3: '         INF' is not a number; each has 12 characters"},
        {HEAD "       2       1       1\n 1.00000E+00\n       1       1       1\n", NULL,
         "a.op4:4: column 1 with 1 words follows column 2; columns must ascend"},
        {HEAD "       1       0       4\n  196609\n 1.00000E+00\n", NULL,
         "a.op4:4: the file ends inside matrix 'AB'; it is truncated"},
        {HEAD "       1       0       3\n  393217\n 1.00000E+00\n", NULL,
         "a.op4:3: the lengths of the runs of column 1 do not add up to its length"},
        {HEAD "       1       0       6\n  196609\n 1.00000E+00\n  196609\n 2.00000E+00\n" END,
         NULL, "a.op4:8: entry (1, 1) of 'AB' is given twice"},
        {"       2       2       6       2K       1P,2E12.5\n       1       1       2\n"
         " 1.00000E+00 2.00000E+00\n       3       1       1\n 1.00000E+00\n",
         NULL,
         "a.op4:5: 'K' is symmetric (form 6), but has entries in one triangle only; write both"}};
    for (int k = 0; k < GOS_COUNT(list); k++) {
        refuse(list[k].text, strlen(list[k].text), list[k].matrix, list[k].message);
    }
}

/* random columns with gaps, written and read to the last bit, behind another matrix */
static void test_written(void **state) {
    GOS_UNUSED(state);
    for (int text = 0; text < 2; text++) {
        int n = 0, i[90], j[90];
        double x[90];
        gos_sparse A, B, T;
        char *data = NULL;
        size_t size;
        for (int k = 0; k < 600 && n < 90; k++) {
            if (k * k % 11 < 3) {
                i[n] = k % 30;
                j[n] = k / 30;
                x[n++] = (k % 2 ? 1 : -1) * exp(0.4 * k - 100) / 3;
            }
        }
        assert_int_equal(gos__sparse_from_triplets(ctx, 30, 20, n, i, j, x, &A), GOS_OK);
        assert_int_equal(gos__sparse_transpose(ctx, &A, &T), GOS_OK);
        FILE *out = open_memstream(&data, &size);
        assert_non_null(out);
        assert_true(gos__output4_write(&T, false, "OTHER", text == 1, out));
        assert_true(gos__output4_write(&A, false, "LONGNAME", text == 1, out));
        assert_int_equal(fclose(out), 0);
        B = parse(data, size, "LongName");
        assert_int_equal(B.nnz, A.nnz);
        assert_memory_equal(B.p, A.p, (size_t)(A.n + 1) * sizeof *A.p);
        assert_memory_equal(B.i, A.i, (size_t)A.nnz * sizeof *A.i);
        assert_memory_equal(B.x, A.x, (size_t)A.nnz * sizeof *A.x);
        free(data);
        gos__sparse_free(ctx, &A);
        gos__sparse_free(ctx, &B);
        gos__sparse_free(ctx, &T);
    }
}

/* a body of M and K, whose linear model is written and read again: 1 and sqrt(3) rad/s */
static void test_body(void **state) {
    GOS_UNUSED(state);
    FILE *out = fopen(folder_path("mk0.op4"), "w");
    assert_non_null(out);
    (void)fputs("       2       2       6       1MAA     1P,2E12.5\n       1       1       1\n"
                " 1.00000E+00\n       2       2       1\n 1.00000E+00\n       3       1       1\n"
                " 1.00000E+00\n       2       2       6       1KAA     1P,2E12.5\n"
                "       1       1       2\n 2.00000E+00-1.00000E+00\n       2       1       2\n"
                "-1.00000E+00 2.00000E+00\n       3       1       1\n 1.00000E+00\n",
                out);
    assert_int_equal(fclose(out), 0);
    for (int k = 0; k < 3; k++) {
        char text[200], path[200];
        gos_model *model;
        gos_system *sys;
        gos_state *at;
        gos_linear *l;
        gos_mode mode[2];
        int found;
        (void)snprintf(text, sizeof text,
                       "bodies: {s: {type: matrices, M: 'mk%d.op4:M%s', K: 'mk%d.op4:K%s'}}\n", k,
                       k ? "" : "AA", k, k ? "" : "AA");
        assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", folder, &model), GOS_OK);
        if (gos_system_create(ctx, model, &sys) != GOS_OK) {
            fail_msg("%s", gos_ctx_message(ctx));
        }
        assert_int_equal(gos_state_create(ctx, sys, &at), GOS_OK);
        assert_int_equal(gos_linearise(ctx, sys, at, &l), GOS_OK);
        assert_int_equal(gos_linear_modes(ctx, l, 2, false, mode, &found), GOS_OK);
        assert_int_equal(found, 2);
        assert_true(fabs(mode[0].omega - 1) < 1e-12 && fabs(mode[1].omega - sqrt(3)) < 1e-12);
        (void)snprintf(path, sizeof path, "%s/mk%d.op4", folder, k + 1);
        assert_int_equal(gos_linear_write_output4(ctx, l, k == 1, path), GOS_OK);
        gos_linear_destroy(l);
        gos_state_destroy(at);
        gos_system_destroy(sys);
        gos_model_destroy(model);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),    cmocka_unit_test(test_swapped),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_written),
        cmocka_unit_test(test_body),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

SUITE_INTERNAL(suite)
