/* CSV tables: forms that are read, forms that are refused and where, interpolation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "model/private.h"
#include "support/near.h"
#include "support/suite.h"

static gos_ctx *ctx;
static gos_model *model;
static gos_arena *arena;
static char folder[] = "/tmp/gos_table_XXXXXX";

static int setup(void **state) {
    GOS_UNUSED(state);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    ctx = gos_ctx_create();
    arena = gos__arena_create(ctx);
    return gos_model_parse(ctx, "name: x", 7, "m.yaml", folder, &model) != GOS_OK;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    char path[64];
    snprintf(path, sizeof(path), "%s/a.csv", folder);
    remove(path);
    gos__arena_destroy(arena);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return rmdir(folder);
}

static gos_status read_table(const char *text, size_t n, const char *column, bool cubic,
                             gos_table **table) {
    char path[64];
    snprintf(path, sizeof(path), "%s/a.csv", folder);
    FILE *f = fopen(path, "w");
    fwrite(text, 1, n, f);
    fclose(f);
    gos_ctx_clear(ctx);
    const gos_table_def def = {.file = "a.csv",
                               .column = column,
                               .cubic = cubic,
                               .scale = 2.0,
                               .file_loc = {"m.yaml", 7, 3},
                               .column_loc = {"m.yaml", 7, 3}};
    return gos__table_make(model, &def, "heat 'sun'", arena, table);
}

static gos_table *table(const char *text, const char *column, bool cubic) {
    gos_table *t;
    if (read_table(text, strlen(text), column, cubic, &t) != GOS_OK) {
        fprintf(stderr, "%s\n", gos_ctx_message(ctx));
        fail();
    }
    return t;
}

/* the message begins with the file's path, which changes from run to run */
static void refuse(const char *text, const char *column, const char *message) {
    gos_table *t;
    assert_true(read_table(text, strlen(text), column, false, &t) < 0);
    const char *m = gos_ctx_message(ctx);
    m += strncmp(m, folder, strlen(folder)) == 0 ? strlen(folder) + 1 : 0;
    assert_string_equal(m, message);
}

static void test_forms(void **state) {
    GOS_UNUSED(state);
    const char *same[] = {"0,1\n1,3\n2,2\n",
                          "time,flux\n0,1\n1,3\n2,2\n",
                          "# sun\n\n  0 , 1 # first\n1,3\r\n2,2",
                          "0;1\n1;3\n2;2\n",
                          "0\t1\n1\t3\n2\t2\n",
                          "0 1\n1   3\n 2 2 \n",
                          "\"time\",\"flux\"\n0e0,+1.\n1,.3e1\n2,2\n"};
    for (int i = 0; i < GOS_COUNT(same); i++) {
        gos_table *t = table(same[i], "2", false);
        assert_int_equal(t->n, 3);
        assert_true(t->x[2] == 2.0);
        assert_true(t->y[0] == 2.0 && t->y[1] == 6.0 && t->y[2] == 4.0);
    }
    assert_true(table("t,a,b\n0,1,5\n1,2,6\n", "b", false)->y[1] == 12.0);
    assert_true(table("t,a,b\n0,1,5\n1,2,6\n", "3", false)->y[1] == 12.0);
    assert_true(table("\"t\",\"a b\"\n0,1\n1,2\n", "a b", false)->y[1] == 4.0);
    // columns that are not requested may hold anything
    assert_true(table("0,x,5\n1,,6\n", "3", false)->y[1] == 12.0);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    refuse("", "2", "a.csv: heat 'sun': a table needs at least two lines of numbers, got 0");
    refuse("0,1\n", "2", "a.csv:1: heat 'sun': a table needs at least two lines of numbers, got 1");
    refuse("0,1\n1,x\n", "2", "a.csv:2:3: heat 'sun': 'x' is not a finite number; give one");
    refuse("0,1\n1,nan\n", "2", "a.csv:2:3: heat 'sun': 'nan' is not a finite number; give one");
    refuse("0,1\n1,1e999\n", "2",
           "a.csv:2:3: heat 'sun': '1e999' is not a finite number; give one");
    refuse("0,1\n1,1e300\n", "2", "a.csv:2:3: heat 'sun': 1e+300 is too large; give at most 1e+60");
    refuse("0,1\n1,-0.7e60\n", "2", // twice that, by the table's scale
           "a.csv:2:3: heat 'sun': -1.4e+60 is too large; give at most 1e+60");
    refuse("0,1\n1e300,1\n", "2", "a.csv:2:1: heat 'sun': 1e+300 is too large; give at most 1e+60");
    refuse("0,1\n1,\n", "2", "a.csv:2:3: heat 'sun': '' is not a finite number; give one");
    refuse("0;1,5\n1;2\n", "2",
           "a.csv:1:3: heat 'sun': '1,5' is not a finite number; write a decimal "
           "point");
    refuse("t,a\n0,1\n1,2\n1,3\n", "2",
           "a.csv:4:1: heat 'sun': the first column must increase from line to line, but 1 follows "
           "1");
    refuse("0,1\n1,2,3\n", "2",
           "a.csv:2:1: heat 'sun': this line has 3 columns, but the first line has 2; use the same "
           "number in all lines");
    refuse("0,1\n1,2\n", "3",
           "m.yaml:7:3: heat 'sun': table 'a.csv' has no column '3'; give a number from 1 to 2");
    refuse("t,a\n0,1\n1,2\n", "b",
           "m.yaml:7:3: heat 'sun': table 'a.csv' has no column 'b'; give a number from 1 to 2 or "
           "a name of its header");
    refuse("0,1\n1,2\n", "1.5",
           "m.yaml:7:3: heat 'sun': table 'a.csv' has no column '1.5'; give a number from 1 to 2");
    char wide[3000];
    memset(wide, ',', sizeof(wide));
    wide[2999] = '\0';
    wide[0] = '1';
    refuse(wide, "2", "a.csv:1:1002: heat 'sun': a table has at most 1000 columns");
    gos_table *t;
    const gos_table_def def = {.file = "../a.csv", .column = "2", .file_loc = {"m.yaml", 7, 3}};
    gos_ctx_clear(ctx);
    assert_int_equal(gos__table_make(model, &def, NULL, arena, &t), GOS_E_INPUT);
    assert_string_equal(gos_ctx_message(ctx),
                        "m.yaml:7:3: file name '../a.csv' must be relative and without '..'; put "
                        "the file into the folder of the model");
}

static void test_bytes(void **state) {
    GOS_UNUSED(state);
    // zeros and garbage are no reason to crash
    gos_table *t;
    assert_true(read_table("0,1\n\0,\0\n", 8, "2", false, &t) < 0);
    assert_true(read_table("\xff\xfe\0\n", 4, "2", false, &t) < 0);
    assert_true(read_table(",\n,\n,", 5, "2", false, &t) < 0);
}

static void test_linear(void **state) {
    GOS_UNUSED(state);
    double d1, d2;
    gos_table *t = table("0,0\n1,1\n3,0\n", "2", false);
    near_abs(gos__table_eval(t, 0.5, false, &d1, &d2), 1.0, 0.0);
    near_abs(d1, 2.0, 0.0);
    near_abs(gos__table_eval(t, 1.0, false, &d1, &d2), 2.0, 0.0);
    near_abs(d1, -1.0, 0.0);
    gos__table_eval(t, 1.0, true, &d1, &d2);
    near_abs(d1, 2.0, 0.0);
    near_abs(gos__table_eval(t, -5.0, false, &d1, &d2), 0.0, 0.0);
    near_abs(d1, 0.0, 0.0);
    near_abs(gos__table_eval(t, 7.0, false, NULL, NULL), 0.0, 0.0);
    gos__table_eval(t, 3.0, false, &d1, NULL);
    near_abs(d1, 0.0, 0.0);
    gos__table_eval(t, 3.0, true, &d1, NULL);
    near_abs(d1, -1.0, 0.0);
}

static void test_cubic(void **state) {
    GOS_UNUSED(state);
    // a sine between zeros of its second derivative is what a natural spline does best
    const double pi = acos(-1.0);
    char text[4000] = "";
    char *p = text;
    for (int i = 0; i <= 40; i++) {
        p += sprintf(p, "%.17g %.17g\n", i * pi / 20, sin(i * pi / 20) / 2);
    }
    gos_table *t = table(text, "2", true);
    double d1, d2, last = 0.0;
    for (double x = 0.01; x < 6.27; x += 0.01) {
        near_abs(gos__table_eval(t, x, false, &d1, &d2), sin(x), 2e-6);
        near_abs(d1, cos(x), 1e-4);
        near_abs(d2, -sin(x), 5e-3);
    }
    // twice continuously differentiable
    for (int i = 1; i < 40; i++) {
        gos__table_eval(t, t->x[i], true, NULL, &last);
        gos__table_eval(t, t->x[i], false, NULL, &d2);
        near_abs(d2, last, 1e-12);
    }
    // two points are a line
    t = table("0,0\n2,1\n", "2", true);
    near_abs(gos__table_eval(t, 1.0, false, &d1, &d2), 1.0, 0.0);
    near_abs(d1, 1.0, 0.0);
    near_abs(d2, 0.0, 0.0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_linear, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cubic, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
