/* Matrices that CalculiX has stored, as a body, against what CalculiX computes of the same mesh
   (tests/reference/calculix.py): frequencies, and the displacements of every node by a force on one
   of them. It prints seven digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"
/* uses it */
#include "support/matrix_files.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"
#define BODY "bodies: {bar: {type: matrices, calculix: small-bar, symmetric: true}}\n"

static gos_status try(verify *v, const char *folder, const char *text) {
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", folder, &v->model));
    return gos_system_create(v->ctx, v->model, &v->sys);
}

static void open_model(verify *v, const char *text) {
    verify_good(v, try(v, FOLDER, text));
    verify_good(v, gos_state_create(v->ctx, v->sys, &v->state));
    gos_options_get(v->sys, &v->opt);
}

/* rows of numbers of NAME.csv, `width` to a row */
static int read_csv(const char *name, int width, int most, double *x) {
    char path[300], line[300];
    int n = 0;
    (void)snprintf(path, sizeof path, FOLDER "/%s.csv", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < most && fgets(line, sizeof line, f)) {
        char *s = line;
        for (int k = 0; (line[0] == '-' || (line[0] >= '0' && line[0] <= '9')) && k < width; k++) {
            x[n * width + k] = strtod(s, &s);
            s += *s == ',';
            n += k + 1 == width;
        }
    }
    assert_int_equal(fclose(f), 0);
    return n;
}

static void test_frequencies(void **state) {
    (void)state;
    double row[10 * 3], worst = 0;
    gos_mode mode[10];
    int found;
    verify v;
    gos_linear *l;
    open_model(&v, BODY);
    assert_int_equal(read_csv("small-bar-modes", 3, 10, row), 10);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, 10, false, mode, &found));
    assert_int_equal(found, 10);
    for (int i = 0; i < 10; i++) {
        worst = fmax(worst, fabs(mode[i].frequency / row[3 * i + 2] - 1));
    }
    verify_below("frequencies", worst, 1e-6);
    gos_linear_destroy(l);
    verify_close(&v);
}

static void test_push(void **state) {
    (void)state;
    enum { NODES = 32, HELD = 8 };
    double row[NODES * 5], worst = 0, most = 0;
    char text[8000] =
        BODY "loads: {push: {type: force, on: bar.n24, value: [1e5, 2e5, -3e5]}}\nprobes:\n";
    verify v;
    int moved = 0;
    assert_int_equal(read_csv("small-bar-push", 5, NODES, row), NODES);
    for (int i = 0; i < NODES; i++) {
        const double *u = row + 5 * i + 2;
        if (u[0] != 0 || u[1] != 0 || u[2] != 0) {
            const size_t n = strlen(text);
            (void)snprintf(text + n, sizeof text - n,
                           "  p%d: {at: bar.n%d, quantity: displacement}\n", (int)row[5 * i + 1],
                           (int)row[5 * i + 1]);
            moved++;
        }
    }
    assert_int_equal(moved, NODES - HELD);
    open_model(&v, text);
    verify_static(&v);
    for (int i = 0; i < NODES; i++) {
        char name[20];
        double u[GOS_PROBE_MAX];
        (void)snprintf(name, sizeof name, "p%d", (int)row[5 * i + 1]);
        for (int c = 0; c < 3 && row[5 * i + 2] != 0; c++) {
            verify_probe(&v, v.state, name, u);
            most = fmax(most, fabs(row[5 * i + 2 + c]));
            worst = fmax(worst, fabs(u[c] - row[5 * i + 2 + c]));
        }
    }
    verify_below("displacements", worst / most, 1e-6);
    verify_close(&v);
}

static void refuse(const char *text, const char *message) {
    verify v;
    char expected[500];
    assert_int_not_equal(try(&v, matrix_folder, text), GOS_OK);
    (void)snprintf(expected, sizeof expected, "%s%s", message[0] == '/' ? matrix_folder : "",
                   message);
    assert_string_equal(gos_ctx_message(v.ctx), expected);
    verify_close(&v);
}

#define ONE "bodies: {a: {type: matrices, calculix: a}}\n"

/* one node that moves along x and y */
static void test_refused(void **state) {
    (void)state;
    static const char deck[] =
        "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n*BOUNDARY\n2,3,3\n";
    refuse(ONE, "test:1:40: body 'a': cannot open file 'a.dof': No such file or directory");
    matrix_text("a.dof", "2.1\n2.7\n");
    refuse(ONE, "/a.dof:2:1: '2.7' is not a row of a matrix; write NODE.DIRECTION, with directions "
                "1 to 6");
    matrix_text("a.dof", "2.1\n2.1\n");
    refuse(ONE, "/a.dof:2: 2.1 is already row 1");
    matrix_text("a.dof", "");
    refuse(ONE, "/a.dof: there are no rows");
    matrix_text("a.dof", "2.1\n2.2\n");
    matrix_text("a.sti", "1 1 2.\n1 3 1.\n2 2 2.\n");
    refuse(ONE, "/a.sti:2:3: '3' is not a valid column: it must be a whole number from 1 to 2");
    matrix_text("a.sti", "1 1 2.\n1 2 nan\n2 2 2.\n");
    refuse(ONE, "/a.sti:2:5: 'nan' is not a finite number");
    matrix_text("a.sti", "1 1 2.\n1 2 1.");
    refuse(ONE, "/a.sti:2: row 2 of 2 has no diagonal entry; the file is truncated or belongs to "
                "another job");
    matrix_text("a.sti", "1 1 2.\n1 2 1.\n2 1 1.\n2 2 2.\n");
    refuse(ONE, "/a.sti: entry (1, 2) is given twice");
    matrix_text("a.sti", "1 1 2.\n2 1 1.\n2 2 2.\n");
    matrix_text("a.mas", "1 1 1.\n2 2 1.\n");
    refuse(ONE, "test:1:40: body 'a': cannot open file 'a.inp': No such file or directory");
    matrix_text("a.inp", "*NODE\n1,0,0,0\n3,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,3\n");
    refuse(ONE,
           "test:1:40: body 'a': row 1 belongs to node 2, which is not in 'a.inp' (CalculiX "
           "adds its own nodes for shells, beams and plane elements); give a table of `nodes`");
    matrix_text("a.inp", "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n");
    refuse(ONE, "test:1:40: body 'a': node 2 has no row for direction 3, and 'a.inp' does not fix "
                "it at 0: it depends on other nodes; give a table of `nodes`");
    matrix_text("a.inp", "*NODE,NSET=N\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n*TRANSFORM,"
                         "NSET=N\n1,0,0,0,1,0\n");
    refuse(ONE, "test:1:40: body 'a': 'a.inp' has nodes with local axes (*TRANSFORM), and its "
                "matrices are in these axes; give a table of `nodes`");
    matrix_text("a.inp", deck);
    refuse("bodies: {a: {type: matrices, calculix: a, M: b.mtx}}\n",
           "test:1:40: body 'a': give either calculix or the single matrices (M, K; E, A)");
    verify v;
    verify_good(&v, try(&v, matrix_folder, ONE));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_push),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, matrix_folder_make, matrix_folder_remove);
}
SUITE(suite)
