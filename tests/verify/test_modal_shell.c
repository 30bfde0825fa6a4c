/* Bodies of type modal_shell: our own finite elements' modes of the smart sheet, written as tables
   of nodes, quadrilaterals and shapes, give the rows that the elements themselves give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "gossamer/linearise.h"
#include "support/smart_sheet.h"
#include "support/suite.h"
#include "support/verify.h"

#include "support/matrix_files.h"

enum { MODES = 14 };

static gos_modal modal;
static int centre;
static double (*shape)[6]; // of node i in mode m at m nnode + i
static int nnode;

static void close_file(FILE *f) {
    assert_int_equal(fclose(f), 0);
}

/* lines of cell e with its nodes in this sequence */
static void write_quads(const char *name, const gos_mesh *mesh, const int sequence[4]) {
    FILE *f = matrix_file(name);
    for (int e = 0; e < SHEET_CELLS; e++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(mesh, e, &at);
        const int *node = b->node + (size_t)at * 4;
        (void)fprintf(f, "%d", e + 1);
        for (int k = 0; k < 4; k++) {
            (void)fprintf(f, ",%d", 100 + node[sequence[k]]);
        }
        (void)fputc('\n', f);
    }
    close_file(f);
}

static int setup(void **state) {
    static const int around[] = {0, 1, 2, 3}, rowwise[] = {0, 1, 3, 2}, back[] = {0, 3, 2, 1};
    sheet s = {0};
    assert_int_equal(matrix_folder_make(state), 0);
    bool *held = sheet_make(&s, SHEET_NX, SHEET_NY);
    const int n = s.body->freedom.n;
    double omega[MODES];
    double *X = calloc((size_t)n * MODES, sizeof *X);
    fe_lowest(s.ctx, &s.body->K, &s.M, held, MODES, omega, X);
    modal = sheet_modal(s.ctx, MODES);
    nnode = s.mesh->nnode;
    shape = calloc((size_t)nnode * MODES, sizeof *shape);
    FILE *f = matrix_file("freq.csv");
    for (int m = 0; m < MODES; m++) {
        (void)fprintf(f, "%.17g\n", sqrt(omega[m]) / (2 * M_PI));
    }
    close_file(f);
    f = matrix_file("nodes.csv");
    (void)fputs("number,x,y,z,nx,ny,nz\n", f);
    for (int i = 0; i < nnode; i++) {
        const double *x = s.mesh->x[i];
        (void)fprintf(f, "%d,%.17g,%.17g,%.17g,0,0,2\n", 100 + i, x[0], x[1], x[2]);
        centre = hypot(x[0] - 0.5, x[1] - 0.65) < 1e-9 ? i : centre;
    }
    close_file(f);
    f = matrix_file("shapes.csv");
    for (int m = 0; m < MODES; m++) {
        for (int i = 0; i < nnode; i++) {
            (void)fprintf(f, "%d,%d", m + 1, 100 + i);
            for (int c = 0; c < 6; c++) {
                const double u = X[(size_t)m * n + 6 * i + c];
                shape[(size_t)m * nnode + i][c] = u;
                (void)fprintf(f, ",%.17g", u);
            }
            (void)fputc('\n', f);
        }
    }
    close_file(f);
    write_quads("around.csv", s.mesh, around);
    write_quads("rowwise.csv", s.mesh, rowwise);
    write_quads("back.csv", s.mesh, back);
    free(X);
    free(held);
    sheet_release(&s);
    return 0;
}

static int teardown(void **state) {
    free(shape);
    gos_ctx *ctx = gos_ctx_create();
    gos__modal_free(ctx, &modal);
    gos_ctx_destroy(ctx);
    return matrix_folder_remove(state);
}

static void text_of(char *text, const char *quads, const char *order) {
    (void)snprintf(
        text, VERIFY_TEXT,
        "bodies:\n"
        "  sheet: {type: modal_shell, frequencies: freq.csv, nodes: nodes.csv, quads: %s,\n"
        "          shapes: shapes.csv, order: %s, thickness: 9.0e-4, zeta: 0.01,\n"
        "          places: {centre: %d}}\n"
        "piezo: {patch: {type: patch, on: sheet, thickness: 4.0e-4, e31: -6.5,\n"
        "                permittivity: 1.3e-8, voltages: {3: 200}}}\n"
        "probes: {Q: {at: patch(3), quantity: charge}, u: {at: sheet.centre, quantity: "
        "displacement}}\n"
        "analysis: {type: static}\n",
        quads, order, 100 + centre);
}

/* static charges of all patches and places by a volt at one of them: sums over modes of products of
   rows; and the rows themselves, which are columns of the linear model's inputs */
static void check_rows(const char *quads, const char *order) {
    static char text[VERIFY_TEXT];
    verify v;
    gos_linear *l = NULL;
    gos_matrix_view B;
    text_of(text, quads, order);
    matrix_model(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    gos_linear_block(l, GOS_BLOCK_B, &B);
    assert_int_equal(B.columns, SHEET_PATCHES);
    double most = 0, off = 0;
    for (int p = 0; p < SHEET_PATCHES; p++) { // amplitudes are the last coordinates, in order
        int entries = B.start[p + 1] - B.start[p], first = B.start[p];
        assert_int_equal(entries, MODES);
        for (int m = 0; m < MODES; m++) {
            const double want = modal.Kup[p * MODES + m];
            most = fmax(most, fabs(want));
            // the sign of a shape is the same: both come from the same eigenvectors
            off = fmax(off, fabs(B.value[first + m] - want));
        }
    }
    print_message("%s: rows off by %.2e of the largest\n", order, off / most);
    assert_true(off < 1e-10 * most);
    gos_linear_destroy(l);
    verify_static(&v);
    double charge = modal.capacitance[2] * 200, u[3] = {0};
    for (int m = 0; m < MODES; m++) {
        const double k = modal.Kup[2 * MODES + m], z = k * 200 / (modal.omega[m] * modal.omega[m]);
        charge += k * z;
        for (int c = 0; c < 3; c++) {
            u[c] += shape[(size_t)m * nnode + centre][c] * z;
        }
    }
    verify_near("charge", verify_value(&v, v.state, "Q.value"), charge, 1e-9 * charge);
    verify_near("place", verify_value(&v, v.state, "u.z"), u[2], 1e-9 * fabs(u[2]));
    verify_close(&v);
}

static void test_rows(void **state) {
    GOS_UNUSED(state);
    check_rows("around.csv", "around");
    check_rows("rowwise.csv", "rowwise");
}

static void refused(const char *quads, const char *order, const char *why) {
    static char text[VERIFY_TEXT];
    char path[200];
    verify v = {.ctx = gos_ctx_create()};
    text_of(text, quads, order);
    matrix_text("model.yaml", text);
    (void)snprintf(path, sizeof path, "%s/model.yaml", matrix_folder);
    verify_good(&v, gos_model_read(v.ctx, path, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(v.ctx), why)) {
        fail_msg("told: %s", gos_ctx_message(v.ctx));
    }
    verify_close(&v);
}

/* twisted elements and backs, with the line and the remedy; tables that do not fit */
static void test_refused(void **state) {
    GOS_UNUSED(state);
    refused("around.csv", "rowwise", "around.csv:1:1: ");
    refused("around.csv", "rowwise",
            "quadrilateral 1 is self-intersecting with its nodes taken row by row: they appear "
            "to be listed around it; use order: around");
    refused("rowwise.csv", "around", "use order: rowwise");
    refused("back.csv", "around", "quadrilateral 1 faces away from its normals");
    matrix_text("strange.csv", "1,100,101,102,7\n");
    refused("strange.csv", "around", "there is no node 7");
    matrix_text("strange.csv", "1,100,101,102\n");
    refused("strange.csv", "around", "4 columns; give 5: number and four nodes");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
