/* Load factors of decks: plates under compression and shear, a flange that twists, a heated bar
   of solids, numbers of factors, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "deck/deck.h"
#include "gossamer/buckling.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/verify.h"

enum { MOST = 8 };

typedef struct writing {
    FILE *f;
    char *text;
    size_t size;
} writing;

static void begin(writing *w) {
    *w = (writing){0};
    w->f = open_memstream(&w->text, &w->size);
    assert_non_null(w->f);
}

/* the factors; status of the library */
static gos_status factors_of(writing *w, gos_ctx *ctx, int n, gos_buckling_mode *mode, int *found) {
    gos_deck *deck = NULL;
    (void)fclose(w->f);
    if (gos__deck_parse(ctx, "test.inp", w->text, w->size, NULL, &deck) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    free(w->text);
    const gos_status status = gos_mesh_buckling(ctx, deck->mesh, n, MOST, mode, NULL, found);
    gos__deck_destroy(deck);
    return status;
}

static double lowest(writing *w) {
    gos_buckling_mode mode[MOST];
    int found = 0;
    gos_ctx *ctx = gos_ctx_create();
    if (factors_of(w, ctx, 1, mode, &found) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    gos_ctx_destroy(ctx);
    assert_int_equal(found, 1);
    return mode[0].factor;
}

/* ---- plates ---------------------------------------------------------------------------------- */

static const double plate_D = 7e10 * 1.25e-7 / 12 / 0.91;

/* square of n by n S4, 1 m, 5 mm, simply supported; turned by 90 degrees about x */
static void write_plate(writing *w, int n, bool shear, bool turned, const char *more) {
    const int m = n + 1;
    const int across = turned ? 3 : 2, normal = turned ? 2 : 3;
    begin(w);
    fputs("*NODE\n", w->f);
    for (int i = 0; i < m * m; i++) {
        const double x = (double)(i % m) / n, y = (double)(i / m) / n;
        fprintf(w->f, "%d, %.12g, %.12g, %.12g\n", i + 1, x, turned ? 0 : y, turned ? y : 0);
    }
    fputs("*ELEMENT, TYPE=S4, ELSET=E\n", w->f);
    for (int i = 0; i < n * n; i++) {
        const int o = i % n + i / n * m + 1;
        fprintf(w->f, "%d, %d, %d, %d, %d\n", i + 1, o, o + 1, o + m + 1, o + m);
    }
    fputs("*MATERIAL, NAME=M\n*ELASTIC\n7e10, 0.3\n*SHELL SECTION, ELSET=E, MATERIAL=M\n0.005\n"
          "*BOUNDARY\n",
          w->f);
    for (int i = 0; i < m * m; i++) {
        if (i % m == 0 || i % m == n || i / m == 0 || i / m == n) {
            fprintf(w->f, "%d, %d, %d\n", i + 1, normal, normal);
        }
    }
    fprintf(w->f, "1, 1\n1, %d\n%d, %d\n*STEP\n*BUCKLE\n3\n%s*CLOAD\n", across, m, across, more);
    for (int i = 0; i < m; i++) {
        const double f = (i == 0 || i == n ? 0.5 : 1) / n;
        const int left = i * m + 1, right = left + n, low = i + 1, high = low + n * m;
        if (shear) {
            fprintf(w->f, "%d, 1, %.12g\n%d, 1, %.12g\n%d, %d, %.12g\n%d, %d, %.12g\n", low, -f,
                    high, f, left, across, -f, right, across, f);
        } else {
            fprintf(w->f, "%d, 1, %.12g\n%d, 1, %.12g\n", left, f, right, -f);
        }
    }
    fputs("*END STEP\n", w->f);
}

/* 4 and 9.325 pi^2 D / b^2 (Timoshenko; Budiansky and Connor), second order, by extrapolation */
static void test_plates(void **state) {
    (void)state;
    for (int shear = 0; shear < 2; shear++) {
        const double want = (shear ? 9.325 : 4) * M_PI * M_PI * plate_D;
        double got[2];
        for (int fine = 0; fine < 2; fine++) {
            writing w;
            write_plate(&w, fine ? 20 : 10, shear, fine, "");
            got[fine] = lowest(&w) / want;
        }
        verify_near(shear ? "shear" : "compression", (4 * got[1] - got[0]) / 3, 1,
                    shear ? 4e-3 : 1e-3);
        assert_true(fabs(got[1] - 1) < 0.35 * fabs(got[0] - 1));
    }
}

/* ---- flange ---------------------------------------------------------------------------------- */

/* Flange of a cruciform column, b by t, length a, hinged along the middle of the cross and at its
   ends: it twists at the stress G (t/b)^2 + pi^2 E t^2 / (12 a^2) if it stays straight across
   (Wagner); nu = 0. */
static void test_flange(void **state) {
    (void)state;
    enum { NA = 24, NB = 4, ROW = NB + 1 };
    const double a = 1, b = 0.1, t = 0.001, E = 7e10;
    writing w;
    begin(&w);
    fputs("*NODE\n", w.f);
    for (int i = 0; i < (NA + 1) * ROW; i++) {
        fprintf(w.f, "%d, %.12g, %.12g, 0.\n", i + 1, a * (i / ROW) / NA, b * (i % ROW) / NB);
    }
    fputs("*ELEMENT, TYPE=S4, ELSET=E\n", w.f);
    for (int i = 0; i < NA * NB; i++) {
        const int o = i / NB * ROW + i % NB + 1;
        fprintf(w.f, "%d, %d, %d, %d, %d\n", i + 1, o, o + ROW, o + ROW + 1, o + 1);
    }
    fprintf(w.f,
            "*MATERIAL, NAME=M\n*ELASTIC\n%g, 0.\n*SHELL SECTION, ELSET=E, MATERIAL=M\n%g\n"
            "*BOUNDARY\n1, 2\n%d, 1, 2\n",
            E, t, NA * ROW + 1);
    for (int i = 0; i < (NA + 1) * ROW; i++) {
        if (i < ROW || i >= NA * ROW || i % ROW == 0) {
            fprintf(w.f, "%d, 3\n", i + 1);
        }
    }
    fputs("*STEP\n*BUCKLE\n1\n*CLOAD\n", w.f);
    for (int k = 0; k < ROW; k++) { // stress of 1
        const double f = (k == 0 || k == NB ? 0.5 : 1) * t * b / NB;
        fprintf(w.f, "%d, 1, %.12g\n%d, 1, %.12g\n", k + 1, f, NA * ROW + k + 1, -f);
    }
    fputs("*END STEP\n", w.f);
    const double G = E / 2, r = t / b;
    const double want = G * r * r + M_PI * M_PI * E * t * t / (12 * a * a);
    verify_near("flange", lowest(&w) / want, 1, 5e-3);
}

/* ---- heat, numbers, refusals ----------------------------------------------------------------- */

/* Bar of C3D20 between clamps, 1 by 0.02 by 0.02 m, constrained expansion: 4 pi^2 I / (A alpha). */
static void test_heated(void **state) {
    (void)state;
    enum { N = 16 };
    writing w;
    begin(&w);
    // nodes of a line of quadratic hexahedra: full sections at even, corners at odd positions
    static const int at[8][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}};
    fputs("*NODE, NSET=ALL\n", w.f);
    for (int i = 0; i <= 2 * N; i++) {
        for (int k = 0; k < (i % 2 ? 4 : 8); k++) {
            fprintf(w.f, "%d, %.12g, %.12g, %.12g\n", 8 * i + k + 1, 0.5 * i / N, 0.01 * at[k][0],
                    0.01 * at[k][1]);
        }
    }
    fputs("*ELEMENT, TYPE=C3D20, ELSET=E\n", w.f);
    for (int i = 0; i < N; i++) {
        const int o = 16 * i + 1, m = o + 8, e = o + 16;
        fprintf(w.f,
                "%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d,\n%d, %d, %d, %d, "
                "%d\n",
                i + 1, o, o + 1, o + 2, o + 3, e, e + 1, e + 2, e + 3, o + 4, o + 5, o + 6, o + 7,
                e + 4, e + 5, e + 6, e + 7, m, m + 1, m + 2, m + 3);
    }
    fputs("*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.\n*EXPANSION\n1e-5\n"
          "*SOLID SECTION, ELSET=E, MATERIAL=M\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n"
          "*BOUNDARY\n",
          w.f);
    for (int k = 1; k <= 8; k++) {
        fprintf(w.f, "%d, 1, 3\n%d, 1, 3\n", k, 16 * N + k);
    }
    fputs("*STEP\n*BUCKLE\n1\n*TEMPERATURE\nALL, 22.\n*END STEP\n", w.f);
    const double want = 4 * M_PI * M_PI * 4e-4 / 12 / 1e-5 / 2;
    verify_near("heated bar", lowest(&w) / want, 1, 3e-3);
}

static void test_numbers(void **state) {
    (void)state;
    gos_buckling_mode mode[MOST];
    int found = 0;
    writing w;
    gos_ctx *ctx = gos_ctx_create();
    write_plate(&w, 6, false, false, "");
    assert_int_equal(factors_of(&w, ctx, 0, mode, &found), GOS_OK);
    assert_int_equal(found, 3); // of the card
    assert_true(mode[0].factor > 0 && mode[0].factor < mode[1].factor);
    assert_non_null(strstr(mode[0].where, ".z"));
    gos_ctx_destroy(ctx);
}

/* a strip of four cells pressed at its end by forces, or by the weight of masses */
static double pressed(const char *model, const char *load) {
    writing w;
    begin(&w);
    for (int i = 0; i <= 4; i++) {
        fprintf(w.f, "*NODE\n%d, %g, 0., 0.\n%d, %g, 0.1, 0.\n", 1 + i, 0.25 * i, 11 + i, 0.25 * i);
    }
    for (int i = 1; i <= 4; i++) {
        fprintf(w.f, "*ELEMENT, TYPE=S4, ELSET=E\n%d, %d, %d, %d, %d\n", i, i, i + 1, i + 11,
                i + 10);
    }
    fprintf(w.f,
            "*MATERIAL, NAME=M\n*ELASTIC\n7e10, 0.3\n*DENSITY\n2700.\n"
            "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.005\n*BOUNDARY\n1, 1, 6\n11, 1, 6\n"
            "%s*STEP\n*BUCKLE\n1\n%s*END STEP\n",
            model, load);
    return lowest(&w);
}

static void test_weight(void **state) {
    (void)state;
    const double forces = pressed("", "*CLOAD\n5, 1, -2.\n15, 1, -2.\n");
    assert_true(forces > 0);
    verify_near_rel("weight of masses",
                    pressed("*ELEMENT, TYPE=MASS, ELSET=P\n21, 5\n22, 15\n*MASS, ELSET=P\n0.5\n",
                            "*DLOAD\nP, GRAV, 4., -1., 0., 0.\n"),
                    forces, 1e-10);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *more, *message;
    } list[] = {
        {"*BOUNDARY\n1, 1, 1, 0.1\n", "prescribed displacements are not supported"},
        {NULL, "no forces, pressures, gravity or temperatures"},
    };
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos_buckling_mode mode[MOST];
        int found;
        writing w;
        gos_ctx *ctx = gos_ctx_create();
        if (list[i].more) {
            write_plate(&w, 2, false, false, list[i].more);
        } else {
            begin(&w);
            fputs("*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n"
                  "*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n*MATERIAL, NAME=M\n*ELASTIC\n7e10, "
                  "0.3\n"
                  "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.005\n*BOUNDARY\n1, 1, 6\n"
                  "*STEP\n*BUCKLE\n1\n*END STEP\n",
                  w.f);
        }
        assert_int_equal(factors_of(&w, ctx, 1, mode, &found), GOS_E_INPUT);
        print_message("%s\n", gos_ctx_message(ctx));
        assert_non_null(strstr(gos_ctx_message(ctx), list[i].message));
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plates), cmocka_unit_test(test_flange),
        cmocka_unit_test(test_heated), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_weight), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
