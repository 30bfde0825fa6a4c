/* DMIG cards of Nastran: fields of all forms, rows by grid point and component, exact refusals,
   bodies of such files, and writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "deck/nastran.h"
#include "gossamer/io.h"
#include "gossamer/linearise.h"
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

static gos_status parse(const char *text, const char *matrix, gos_sparse *A) {
    gos_ctx_clear(ctx);
    return gos__nastran_matrix_parse(ctx, "a.pch", text, strlen(text), matrix, A);
}

/* [2 -1 0; -1 3 0.5; 0 0.5 4] of the rows (3, 0), (12, 1), (12, 6); a mass at (12, 1) only */
#define MASS "DMIG,MAA,0,6,2\nDMIG,MAA,12,1,,12,1,5.\n"

static void test_fields(void **state) {
    GOS_UNUSED(state);
    static const char *const same[] = {
        MASS "DMIG,KAA,0,6,2\nDMIG,KAA,3,0,,3,,2.\nDMIG,KAA,12,1,,3,0,-1.,,+\n"
             "+,12,1,3.,,12,6,.5\nDMIG,KAA,12,6,,12,6,4.\n",
        MASS "DMIG    KAA     0       6       2       0\n"
             "DMIG*   KAA                            3               0\n"
             "*                      3               0 2.0D+00\n"
             "*                     12               1-1.0D+00\n"
             "DMIG*   KAA                           12               1\n"
             "*                     12               1 3.0D+00\n"
             "*                     12               6 5.0-1\nDMIG    KAA     12      6       "
             "        12      6       4.\nENDDATA\n",
        // all entries of a square matrix
        MASS "DMIG,KAA,0,1,1\nDMIG,KAA,12,6,,12,6,4.,,+\n+,12,1,.5\nDMIG,KAA,3,,,12,1,-1.,,+\n"
             "+,3,,2.\nDMIG,KAA,12,1,,12,6,.5,,+\n+,12,1,3.,,3,0,-1.\n"};
    static const int p[] = {0, 2, 5, 7}, i[] = {0, 1, 0, 1, 2, 1, 2};
    static const double x[] = {2, -1, -1, 3, 0.5, 0.5, 4};
    for (int k = 0; k < GOS_COUNT(same); k++) {
        gos_sparse A;
        if (parse(same[k], "kaa", &A) != GOS_OK) {
            fail_msg("%s", gos_ctx_message(ctx));
        }
        assert_int_equal(A.m, 3);
        assert_memory_equal(A.p, p, sizeof p);
        assert_memory_equal(A.i, i, sizeof i);
        assert_memory_equal(A.x, x, sizeof x);
        gos__sparse_free(ctx, &A);
        assert_int_equal(parse(same[k], "MAA", &A), GOS_OK);
        assert_true(A.m == 3 && A.nnz == 1 && A.i[0] == 1 && A.x[0] == 5);
        gos__sparse_free(ctx, &A);
    }
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *text, *matrix, *message;
    } list[] = {
        {"GRID,1\n", NULL, "a.pch: DMIG: the file has no such matrix, but none"},
        {MASS, "K", "a.pch: DMIG: the file has no such matrix, but MAA"},
        {MASS "DMIG,K,0,6,2\n", NULL,
         "a.pch: DMIG: the file has the matrices MAA, K; name one: FILE:NAME"},
        {MASS "DMIG,MAA,0,6,2\n", NULL, "a.pch:3:6: DMIG: matrix 'MAA' is begun twice; rename one"},
        {MASS "DMIG,K,2,1,,2,1,1.\n", NULL,
         "a.pch:3:6: DMIG: matrix 'K' has no card with its form, DMIG,NAME,0,FORM"},
        {"DMIG,K,0,6,3\n", NULL,
         "a.pch:1:12: DMIG: complex matrices are not supported; give type 1 or 2"},
        {"DMIG,K,0,2,2\n", NULL,
         "a.pch:1:10: DMIG: form 2 is not supported; give a square (1) or symmetric matrix (6)"},
        {"DMIG,K,0,6,2\n", NULL, "a.pch:1: DMIG: the matrix has no columns"},
        {"DMIG,K,0,6,2\nDMIG,K,1,7,,1,7,2.\n", NULL,
         "a.pch:2:10: DMIG: the component must be 0 to 6"},
        {"DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,2\n", NULL,
         "a.pch:2:17: DMIG: '2' is not a finite number with a decimal point; field 8 is the value "
         "of "
         "the matrix"},
        {"DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,2.,1.\n", NULL,
         "a.pch:2:20: DMIG: field 9 is not supported: an imaginary part; leave it empty"},
        {"DMIG,K,0,6,2\nDMIG,K,1,1,,1,2,2.\nDMIG,K,1,2,,1,1,2.\n", NULL,
         "a.pch:1: DMIG: entry (1, 2), (1, 1) is given twice; a symmetric matrix lists one "
         "triangle"}};
    for (int k = 0; k < GOS_COUNT(list); k++) {
        gos_sparse A;
        assert_int_equal(parse(list[k].text, list[k].matrix, &A), GOS_E_INPUT);
        assert_string_equal(gos_ctx_message(ctx), list[k].message);
    }
}

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static gos_status body(const char *M, const char *K, gos_system **sys) {
    char text[200];
    gos_model *model;
    gos_ctx_clear(ctx);
    (void)snprintf(text, sizeof text, "bodies: {s: {type: matrices, M: '%s', K: '%s'}}\n", M, K);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", folder, &model), GOS_OK);
    const gos_status status = gos_system_create(ctx, model, sys);
    gos_model_destroy(model);
    return status;
}

/* masses 3 and 1/3 between springs; then as written, with 11 digits */
static void test_body(void **state) {
    GOS_UNUSED(state);
    double first[2] = {0, 0};
    gos_system *sys;
    write_file("a.pch",
               "DMIG,MAA,0,6,2\nDMIG,MAA,7,1,,7,1,3.\nDMIG,MAA,7,2,,7,2,0.33333333333333333\n"
               "DMIG,KAA,0,6,2\nDMIG,KAA,7,2,,7,1,-1.,,+\n+,7,2,2.\nDMIG,KAA,7,1,,7,1,2.\n");
    write_file("b.pch", MASS);
    for (int k = 0; k < 2; k++) {
        gos_state *at;
        gos_linear *l;
        gos_mode mode[2];
        int found;
        if (body(k ? "w.pch:M" : "a.pch:MAA", k ? "w.pch:K" : "a.pch:KAA", &sys) != GOS_OK) {
            fail_msg("%s", gos_ctx_message(ctx));
        }
        assert_int_equal(gos_state_create(ctx, sys, &at), GOS_OK);
        assert_int_equal(gos_linearise(ctx, sys, at, &l), GOS_OK);
        assert_int_equal(gos_linear_modes(ctx, l, 2, false, mode, &found), GOS_OK);
        for (int i = 0; i < 2; i++) { // w^4 - (2/3 + 6) w^2 + 3 = 0
            const double square = (20.0 / 3 + (i ? 1 : -1) * sqrt(400.0 / 9 - 12)) / 2;
            assert_true(fabs(mode[i].omega - sqrt(square)) < (k ? 1e-10 : 1e-13) * 10);
            first[i] = mode[i].omega;
        }
        assert_int_equal(gos_linear_write_dmig(ctx, l, folder_path("w.pch")), GOS_OK);
        gos_linear_destroy(l);
        gos_state_destroy(at);
        gos_system_destroy(sys);
    }
    assert_true(first[0] < first[1]);
    assert_int_equal(body("a.pch:MAA", "b.pch", &sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "all must be in one: 'a.pch' and 'b.pch'"));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_body),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

SUITE_INTERNAL(suite)
