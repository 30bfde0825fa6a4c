/* Matrix Market text: forms that are read, forms that are refused and where, writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/matrix_market.h"
#include "support/context.h"
#include "support/suite.h"

#define HEAD "%%MatrixMarket matrix "

static gos_sparse parse(const char *text) {
    gos_sparse A;
    gos_ctx_clear(ctx);
    if (gos__matrix_market_parse(ctx, text, strlen(text), "a.mtx", &A) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return A;
}

static void refuse(const char *text, const char *message) {
    gos_sparse A;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__matrix_market_parse(ctx, text, strlen(text), "a.mtx", &A), GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx), message);
}

/* entry (i, j) from 0 */
static double at(const gos_sparse *A, int i, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* [1 0 2; 0 -3 0] in every form */
static void test_forms(void **state) {
    GOS_UNUSED(state);
    const char *same[] = {HEAD "coordinate real general\n2 3 3\n1 1 1\n1 3 2\n2 2 -3\n",
                          HEAD "Coordinate Real General\r\n% x\r\n\r\n2 3 3\r\n2 2 -.3e1\r\n"
                               "% between\r\n\r\n 1\t1  +1.0 \r\n1 3 2E0",
                          HEAD "coordinate integer general\n2 3 4\n1 1 1\n1 3 2\n2 2 -3\n2 1 0\n",
                          HEAD "coordinate double general\n2 3 3\n1 1 1\n1 3 2\n2 2 -3\n\n%\n",
                          HEAD "array real general\n2 3\n1\n0\n0\n-3\n2\n0\n",
                          HEAD "array integer general\n2 3\n1 0 0 -3 2 0"};
    for (int i = 0; i < GOS_COUNT(same); i++) {
        gos_sparse A = parse(same[i]);
        assert_int_equal(A.m, 2);
        assert_int_equal(A.n, 3);
        assert_int_equal(A.nnz, 3);
        assert_true(at(&A, 0, 0) == 1 && at(&A, 0, 2) == 2 && at(&A, 1, 1) == -3);
        gos__sparse_free(ctx, &A);
    }
}

static void test_symmetry(void **state) {
    GOS_UNUSED(state);
    gos_sparse A = parse(HEAD "coordinate unsigned-integer general\n2 2 1\n1 2 7\n");
    assert_true(at(&A, 0, 1) == 7 && A.nnz == 1);
    gos__sparse_free(ctx, &A);
    A = parse(HEAD "coordinate real symmetric\n3 3 3\n1 1 4\n3 1 -2\n2 2 5\n");
    assert_int_equal(A.nnz, 4);
    assert_true(at(&A, 0, 2) == -2 && at(&A, 2, 0) == -2 && at(&A, 1, 1) == 5);
    gos__sparse_free(ctx, &A);
    A = parse(HEAD "coordinate real skew-symmetric\n3 3 1\n3 1 -2\n");
    assert_true(at(&A, 0, 2) == 2 && at(&A, 2, 0) == -2 && A.nnz == 2);
    gos__sparse_free(ctx, &A);
    A = parse(HEAD "array real symmetric\n2 2\n1\n2\n3\n");
    assert_true(at(&A, 0, 0) == 1 && at(&A, 0, 1) == 2 && at(&A, 1, 0) == 2 && at(&A, 1, 1) == 3);
    gos__sparse_free(ctx, &A);
    A = parse(HEAD "array real skew-symmetric\n3 3\n1\n2\n3\n");
    assert_true(at(&A, 1, 0) == 1 && at(&A, 2, 0) == 2 && at(&A, 2, 1) == 3 && at(&A, 1, 2) == -3);
    gos__sparse_free(ctx, &A);
    A = parse(HEAD "coordinate pattern general\n2 2 1\n2 1\n");
    assert_true(at(&A, 1, 0) == 1 && A.nnz == 1);
    gos__sparse_free(ctx, &A);
    A = parse(HEAD "coordinate real general\n0 0 0\n");
    assert_int_equal(A.nnz, 0);
    gos__sparse_free(ctx, &A);
}

/* ---- lists of entries ------------------------------------------------------------------------ */

static gos_status parse_list(const char *text, gos_triangle *triangle, gos_sparse *A) {
    gos_ctx_clear(ctx);
    return gos__matrix_list_parse(ctx, text, strlen(text), strlen(text), "a.mtx", triangle, A);
}

/* without banner and sizes: both triangles, one of them, with commas, or a Matrix Market file */
static void test_lists(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text;
        gos_triangle triangle;
        double upper; // (1, 3)
    } list[] = {
        {"1 1 4.\n3 1 -2\n3 3 5\n1 3 -1.5\n", GOS_TRIANGLE_BOTH, -1.5},
        {"\n 1 1 4.\n3 1 -2\n3 3 5\n", GOS_TRIANGLE_LOWER, -2},
        {"1, 1, 4.\n1, 3, -2\n3, 3, 5", GOS_TRIANGLE_UPPER, -2},
        {"1 1 4\n3 3 5\n", GOS_TRIANGLE_BOTH, 0},
        {HEAD "coordinate real general\n3 3 3\n1 1 4\n1 3 7\n3 3 5\n", GOS_TRIANGLE_NONE, 7},
    };
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos_triangle found;
        gos_sparse A;
        assert_int_equal(parse_list(list[i].text, &found, &A), GOS_OK);
        assert_int_equal(found, list[i].triangle);
        assert_true(A.m == 3 && A.n == 3 && at(&A, 0, 0) == 4 && at(&A, 2, 2) == 5);
        assert_true(at(&A, 0, 2) == list[i].upper);
        gos__sparse_free(ctx, &A);
    }
}

static void test_lists_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"1 1 4\n2 1\n", "a.mtx:2:4: the value is missing here"},
        {"1 1 4\n2 1 3 4\n", "a.mtx:2:7: unexpected '4' on this line; remove it"},
        {"1 1 4\n0 1 3\n", "a.mtx:2:1: '0' is not a valid row: a whole number from 1 to 20000000 "
                           "is needed"},
        {"1 1 4\n1 1 nan\n", "a.mtx:2:5: 'nan' is not a finite number; write a finite number"},
        {"1 1 4\n2 2 1\n1 1 4\n", "a.mtx:3:1: entry (1, 1) is given twice; give each entry once"},
        {"1 1 4\n9999999 1 4\n",
         "a.mtx:1: 9999999 rows or columns are declared, but the matrix files have 18 bytes; the "
         "file is truncated or its sizes are wrong"},
        {"x 1 4\n", "a.mtx:1:1: not a Matrix Market file: it does not begin with %%MatrixMarket"},
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        gos_triangle found;
        gos_sparse A;
        assert_int_equal(parse_list(bad[i].text, &found, &A), GOS_E_INPUT);
        assert_string_equal(gos_ctx_message(ctx), bad[i].message);
    }
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *text, *message;
    } bad[] = {
        {"", "a.mtx:1:1: not a Matrix Market file: it does not begin with %%MatrixMarket"},
        {"%%MatrixMarket vector",
         "a.mtx:1:16: 'vector' is not a supported object; supported: matrix"},
        {HEAD "coordinate complex general\n1 1 1\n1 1 1 0\n",
         "a.mtx:1:34: 'complex' is not a supported kind of values; supported: real, integer, "
         "pattern, double, unsigned-integer"},
        {HEAD "coordinate real hermitian\n",
         "a.mtx:1:39: 'hermitian' is not a supported symmetry; supported: general, symmetric, "
         "skew-symmetric"},
        {HEAD "array pattern general\n1 1\n", "a.mtx:1: an array has values; write 'real' instead "
                                              "of 'pattern'"},
        {HEAD "coordinate real general\n% only\n", "a.mtx:3: the text ends before the line of "
                                                   "sizes"},
        {HEAD "coordinate real general\n2 2\n", "a.mtx:2:4: number of entries is missing here"},
        {HEAD "coordinate real general\n2 -2 1\n",
         "a.mtx:2:3: '-2' is not a valid number of columns: a whole number from 0 to 20000000 is "
         "needed"},
        {HEAD "coordinate real general\n99999999999999999999 1 1\n",
         "a.mtx:2:1: '99999999999999999999' is not a valid number of rows: a whole number from 0 "
         "to "
         "20000000 is needed"},
        {HEAD "coordinate real general\n9 9 500000000\n1 1 1\n",
         "a.mtx:2:1: 500000000 entries are declared, but the text has space for at most 2; the "
         "file is truncated or its sizes are wrong"},
        {HEAD "array real general\n20000000 20000000\n1\n",
         "a.mtx:2:1: 400000000000000 entries are declared, but the text has space for at most 2; "
         "the file is truncated or its sizes are wrong"},
        {HEAD "coordinate real symmetric\n2 3 1\n1 1 1\n",
         "a.mtx:2:1: a symmetric matrix is square, this one has 2 rows and 3 columns"},
        {HEAD "coordinate real general\n2 2 2\n1 1 1.0\n", "a.mtx:4: the text ends after 1 of 2 "
                                                           "entries"},
        {HEAD "coordinate real general\n2 2 1\n1 1 1\n2 2 1\n",
         "a.mtx:4:1: there are more than the declared 1 entries"},
        {HEAD "coordinate real general\n2 2 1\n3 1 1\n",
         "a.mtx:3:1: '3' is not a valid row: a whole number from 1 to 2 is needed"},
        {HEAD "coordinate real general\n2 2 1\n1 0 1\n",
         "a.mtx:3:3: '0' is not a valid column: a whole number from 1 to 2 is needed"},
        {HEAD "coordinate real general\n2 2 1\n1 1 nan\n", "a.mtx:3:5: 'nan' is not a finite "
                                                           "number; write a finite number"},
        {HEAD "coordinate real general\n2 2 1\n1 1 -1e999\n",
         "a.mtx:3:5: '-1e999' is not a "
         "finite number; write a finite number"},
        {HEAD "coordinate real general\n2 2 1\n1 1 1D0\n",
         "a.mtx:3:5: '1D0' is not a finite number; write exponents with E"},
        {HEAD "coordinate integer general\n2 2 1\n1 1 0.5\n",
         "a.mtx:3:5: '0.5' is not a whole number, but the first line declares 'integer'; write "
         "'real' there"},
        {HEAD "coordinate real general\n2 2 1\n1 1\n", "a.mtx:3:4: the value is missing here"},
        {HEAD "coordinate real general\n2 2 1\n1 1 1 0\n",
         "a.mtx:3:7: unexpected '0' on this line; "
         "remove it"},
        {HEAD "coordinate real general\n2 2 3\n2 1 1\n1 1 2\n% c\n2 1 0\n",
         "a.mtx:6:1: entry (2, 1) is given twice; give each entry once"},
        {HEAD "coordinate real symmetric\n2 2 2\n2 1 1\n2 1 1\n",
         "a.mtx:4:1: entry (2, 1) is given twice; give each entry once"},
        {HEAD "coordinate real symmetric\n2 2 1\n1 2 1\n",
         "a.mtx:3:1: (1, 2) lies above the diagonal; a symmetric matrix lists the lower triangle "
         "only"},
        {HEAD "coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
         "a.mtx:3:1: a skew-symmetric matrix has no entries on the diagonal; remove this one"},
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        refuse(bad[i].text, bad[i].message);
    }
}

/* what is written is read back to the last bit */
static void test_writing(void **state) {
    GOS_UNUSED(state);
    gos_sparse A = parse(HEAD "coordinate real symmetric\n3 3 4\n1 1 0.1\n2 1 -1e-300\n3 2 "
                              "123456789.12345678\n3 3 1.7976931348623157e308\n");
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        char *text = NULL;
        size_t n;
        FILE *out = open_memstream(&text, &n);
        assert_true(gos__matrix_market_write(&A, symmetric, "a comment", out));
        assert_int_equal(fclose(out), 0);
        gos_sparse B = parse(text);
        assert_int_equal(B.nnz, 6);
        assert_memory_equal(A.x, B.x, 6 * sizeof *A.x);
        assert_memory_equal(A.i, B.i, 6 * sizeof *A.i);
        assert_true((strstr(text, "symmetric") != NULL) == (symmetric != 0));
        gos__sparse_free(ctx, &B);
        free(text);
    }
    gos__sparse_free(ctx, &A);
}

static void test_files(void **state) {
    GOS_UNUSED(state);
    gos_sparse A;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__matrix_market_read(ctx, "/nowhere/a.mtx", 0, (gos_loc){0}, NULL, &A),
                     GOS_E_FILE);
    assert_int_equal(gos__matrix_market_read(ctx, "/tmp", 0, (gos_loc){0}, NULL, &A), GOS_E_FILE);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),         cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_lists),
        cmocka_unit_test(test_lists_refused), cmocka_unit_test(test_writing),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
