/* Correlation of modes: a cantilever against its closed-form shapes, a chain of masses with known
   cross orthogonality, COMAC of faulty sensors, effective independence against determinants, test
   files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/correlation.h"
#include "gossamer/linearise.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    (void)fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* ---- cantilever ------------------------------------------------------------------------------ */

#define SENSORS 5
static const double wave_number[3] = {1.87510406871196, 4.69409113297418, 7.85475743823761};

/* closed-form shape of a cantilever at the part x of its length */
static double bending(int mode, double x) {
    const double k = wave_number[mode], z = k * x;
    const double s = (cosh(k) + cos(k)) / (sinh(k) + sin(k));
    return cosh(z) - cos(z) - s * (sinh(z) - sin(z));
}

/* side: axis along which the beam bends, with its thickness along it [m] */
static void write_survey(const char *name, int side, double thickness) {
    static const char axis[] = "xyz";
    FILE *f = fopen(folder_path(name), "w");
    (void)fprintf(f, "# by hand\nfrequency,damping");
    for (int i = 1; i <= SENSORS; i++) {
        (void)fprintf(f, ",s%d.%c", i, axis[side]);
    }
    for (int k = 0; k < 3; k++) {
        const double w = wave_number[k] * wave_number[k] / 4 * thickness * sqrt(7e10 / 12 / 2700);
        (void)fprintf(f, "\n%.12g,0.01", w / (2 * M_PI) / 0.98);
        for (int i = 1; i <= SENSORS; i++) {
            (void)fprintf(f, ",%.12g", (k == 1 ? -7 : 0.3) * bending(k, i / (double)SENSORS));
        }
    }
    (void)fprintf(f, "\n");
    assert_int_equal(fclose(f), 0);
}

/* along each axis of space */
static void test_cantilever(void **state) {
    (void)state;
    static const char *const tip[] = {"2, 0, 0", "0, 2, 0", "0, 0, 2"};
    static const char *const normal[] = {"0, 1, 0", "0, 0, 1", "1, 0, 0"};
    for (int axis = 0; axis < 3; axis++) {
        char model[1500];
        gos_linear *l = NULL;
        gos_shapes analysis, test;
        gos_correlation c;
        verify v;
        int n = snprintf(
            model, sizeof model,
            "materials: {al: {density: 2700, young: 7e10, poisson: 0.33}}\n"
            "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
            "bodies: {boom: {type: ancf_cable, material: al, section: bar, from: [0, 0, 0], "
            "to: [%s], normal: [%s], elements: 20}}\n"
            "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"
            "probes:\n",
            tip[axis], normal[axis]);
        for (int i = 1; i <= SENSORS; i++) {
            n += snprintf(model + n, sizeof model - (size_t)n, "  s%d: {at: boom.at(%g)}\n", i,
                          0.4 * i);
        }
        write_survey("survey.csv", (axis + 1) % 3, 0.02);
        verify_text(&v, model, NULL);
        verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &l));
        verify_good(&v, gos_shapes_read(v.ctx, folder_path("survey.csv"), &test));
        verify_good(&v, gos_shapes_of_linear(v.ctx, l, 8, &analysis));
        verify_good(&v, gos_correlate(v.ctx, &analysis, &test, &c));
        assert_int_equal(c.sensors, SENSORS);
        for (int j = 0; j < 3; j++) {
            assert_true(c.pair[j].analysis >= 0);
            verify_near("MAC", c.pair[j].mac, 1, 1e-6);
            verify_near("difference of frequencies", c.pair[j].difference, -0.02, 2e-4);
            for (int i = 0; i < 3; i++) { // MAC of two closed-form shapes
                double ij = 0, ii = 0, jj = 0;
                for (int s = 1; s <= SENSORS; s++) {
                    const double a = bending(i, s / (double)SENSORS),
                                 b = bending(j, s / (double)SENSORS);
                    ij += a * b;
                    ii += a * a;
                    jj += b * b;
                }
                verify_near("MAC of a pair", c.mac[j * c.analysis + c.pair[i].analysis],
                            ij * ij / (ii * jj), 1e-3);
                verify_near("cross orthogonality",
                            c.orthogonality[j * c.analysis + c.pair[i].analysis], i == j, 1e-3);
            }
        }
        for (int s = 0; s < SENSORS; s++) {
            verify_near("COMAC", c.comac[s], 1, 1e-5);
        }
        gos_correlation_free(&c);
        gos_shapes_free(&analysis);
        gos_shapes_free(&test);
        gos_linear_destroy(l);
        verify_close(&v);
    }
}

/* ---- chain of masses ------------------------------------------------------------------------- */

#define N 8

/* masses 1 to N kg between equal springs, outputs y1 to yN */
static gos_linear *chain(gos_ctx *ctx) {
    double m[N], k[3 * N], one[N];
    int start[N + 1], row[N], kstart[N + 1], krow[3 * N], entries = 0;
    for (int j = 0; j < N; j++) {
        m[j] = 1 + j;
        one[j] = 1;
        start[j] = row[j] = j;
        kstart[j] = entries;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < N; i++, entries++) {
            krow[entries] = i;
            k[entries] = i == j ? 2e4 : -1e4;
        }
    }
    start[N] = N;
    kstart[N] = entries;
    const gos_matrix_view M = {N, N, N, start, row, m}, K = {N, N, entries, kstart, krow, k},
                          C = {N, N, N, start, row, one};
    gos_linear *l = NULL;
    assert_int_equal(gos_linear_from_matrices(ctx, &(gos_matrices){.M = &M, .K = &K, .C = &C}, &l),
                     GOS_OK);
    return l;
}

/* Test shapes that are known combinations of three modes, complex and of any scale, at five of the
   masses: cross orthogonality is the normalised coefficient. */
static void test_combinations(void **state) {
    (void)state;
    static const int at[5] = {0, 2, 3, 5, 7};
    static const double part[3][3] = {{1, 0.1, -0.05}, {-0.2, 1, 0.1}, {0, 0.15, 1}};
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = chain(ctx);
    gos_shapes a;
    gos_correlation c;
    const char *name[5];
    double shape[3][5][2] = {{{0}}}, frequency[3], damping[3] = {0};
    assert_int_equal(gos_shapes_of_linear(ctx, l, N, &a), GOS_OK);
    assert_int_equal(a.modes, N);
    for (int j = 0; j < 3; j++) {
        frequency[j] = a.frequency[j];
        for (int s = 0; s < 5; s++) {
            name[s] = a.sensor[at[s]];
            for (int i = 0; i < 3; i++) {
                const double x = part[j][i] * a.shape[2 * (i * N + at[s])];
                shape[j][s][0] += -3.0 * (j + 1) * x;
                shape[j][s][1] += 4.0 * (j + 1) * x;
            }
        }
    }
    const gos_shapes test = {3, 5, name, frequency, damping, &shape[0][0][0], false, NULL};
    assert_int_equal(gos_correlate(ctx, &a, &test, &c), GOS_OK);
    assert_non_null(c.orthogonality);
    for (int j = 0; j < 3; j++) {
        const double *p = part[j], norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        assert_int_equal(c.pair[j].analysis, j);
        for (int i = 0; i < 3; i++) {
            verify_near("cross orthogonality", c.orthogonality[j * N + i], fabs(p[i]) / norm,
                        1e-10);
        }
    }
    gos_correlation_free(&c);
    gos_shapes_free(&a);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* exact shapes but for one sensor: silent (COMAC 0), or swapped gain g in one of two modes */
static void test_comac(void **state) {
    (void)state;
    const char *const name[2] = {"a", "b"};
    double f[2] = {1, 2}, damping[2] = {0}, x[2][2][2] = {{{1}, {1}}, {{1}, {-1}}};
    double silent[2][2][2] = {{{1}, {0}}, {{1}, {0}}}, gain[2][2][2] = {{{1}, {2}}, {{1}, {-1}}};
    const gos_shapes analysis = {2, 2, name, f, damping, &x[0][0][0], false, NULL};
    gos_ctx *ctx = gos_ctx_create();
    gos_shapes test = analysis;
    gos_correlation c;
    test.shape = &silent[0][0][0];
    assert_int_equal(gos_correlate(ctx, &analysis, &test, &c), GOS_OK);
    verify_near("COMAC of a silent sensor", c.comac[1], 0, 0);
    gos_correlation_free(&c);
    // unit shapes (1, 1)/sqrt 2 and (1, 2)/sqrt 5, then equal ones
    test.shape = &gain[0][0][0];
    assert_int_equal(gos_correlate(ctx, &analysis, &test, &c), GOS_OK);
    const double both = sqrt(0.5 * 0.8) + 0.5;
    verify_near("MAC", c.pair[0].mac, 0.9, 1e-15);
    verify_near("COMAC", c.comac[1], both * both / (1 * (0.8 + 0.5)), 1e-14);
    gos_correlation_free(&c);
    gos_ctx_destroy(ctx);
}

/* ---- sensor placement ------------------------------------------------------------------------ */

#define CANDIDATES 14
#define MODES 4

/* determinant of Phi^T Phi over the kept sensors, by elimination */
static double determinant(double shape[MODES][CANDIDATES][2], const bool *kept) {
    double A[MODES][MODES] = {{0}}, product = 1;
    for (int i = 0; i < MODES; i++) {
        for (int j = 0; j < MODES; j++) {
            for (int s = 0; s < CANDIDATES; s++) {
                A[i][j] += kept[s] ? shape[i][s][0] * shape[j][s][0] : 0;
            }
        }
    }
    for (int p = 0; p < MODES; p++) {
        product *= A[p][p];
        for (int i = p + 1; i < MODES; i++) {
            const double f = A[i][p] / A[p][p];
            for (int j = p; j < MODES; j++) {
                A[i][j] -= f * A[p][j];
            }
        }
    }
    return product;
}

/* each removal costs the determinant least, recomputed from scratch */
static void test_placement(void **state) {
    (void)state;
    static double shape[MODES][CANDIDATES][2];
    const char *name[CANDIDATES];
    double f[MODES] = {1, 2, 3, 4}, damping[MODES] = {0}, log_determinant;
    bool kept[CANDIDATES];
    int chosen[CANDIDATES];
    uint64_t random = 7;
    gos_ctx *ctx = gos_ctx_create();
    for (int s = 0; s < CANDIDATES; s++) {
        name[s] = "s";
        kept[s] = true;
        for (int j = 0; j < MODES; j++) {
            shape[j][s][0] = (s == 3 ? 0 : 1) * (j == 2 ? 1e3 : 1) * random_uniform(&random);
        }
    }
    const gos_shapes all = {MODES, CANDIDATES, name, f, damping, &shape[0][0][0], false, NULL};
    const double first = determinant(shape, kept);
    for (int left = CANDIDATES; left >= MODES; left--) {
        assert_int_equal(gos_sensors_place(ctx, &all, left, chosen, &log_determinant), GOS_OK);
        for (int s = 0, i = 0; s < CANDIDATES; s++) {
            if (kept[s]) {
                assert_int_equal(chosen[i++], s);
            }
        }
        verify_near("logarithm of the determinant", log_determinant,
                    log10(determinant(shape, kept) / first), 1e-8);
        int best = -1;
        double most = -1;
        for (int s = 0; s < CANDIDATES; s++) {
            if (kept[s]) {
                kept[s] = false;
                const double d = determinant(shape, kept);
                kept[s] = true;
                if (d > most) {
                    most = d;
                    best = s;
                }
            }
        }
        kept[best] = false;
    }
    assert_int_equal(gos_sensors_place(ctx, &all, MODES - 1, chosen, &log_determinant), GOS_E_USE);
    for (int s = 0; s < CANDIDATES; s++) { // equal modes
        shape[1][s][0] = 2 * shape[0][s][0];
    }
    assert_int_equal(gos_sensors_place(ctx, &all, 8, chosen, &log_determinant), GOS_E_INPUT);
    gos_ctx_destroy(ctx);
}

/* ---- files ----------------------------------------------------------------------------------- */

#define HEAD "    -1\n    55\nmode\nNONE\nNONE\nNONE\nNONE\n"

/* normal and complex modes, numbers without blanks between them, other datasets */
static void test_universal(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_shapes s;
    write_file("a.unv",
               "    -1\n   151\nany text\n    -1\n" HEAD
               "         1         2         2         8         2         3\n"
               "         2         4         1         1\n"
               "  1.25000E+01  1.00000E+00  2.00000E-02  0.00000E+00\n"
               "        12\n-1.00000E+00-2.00000E+00 3.00000E+00\n"
               "         7\n  4.00000E+00  5.00000E+00  6.00000E+00\n    -1\n" HEAD
               "         1         7         3         8         5         6\n"
               "         2         6         1         2\n"
               " -3.00000E+00  4.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00\n"
               "         7\n 1 2 3 4 5 6\n 7 8 9 10 11 12\n    -1\n");
    assert_int_equal(gos_shapes_read(ctx, folder_path("a.unv"), &s), GOS_OK);
    assert_true(s.by_node);
    assert_int_equal(s.modes, 2);
    assert_int_equal(s.sensors, 9);
    assert_string_equal(s.sensor[0], "7.x");
    assert_string_equal(s.sensor[5], "7.rz");
    assert_string_equal(s.sensor[8], "12.z");
    verify_near("frequency", s.frequency[0], 12.5, 0);
    verify_near("damping", s.damping[0], 0.02, 0);
    verify_near("frequency of an eigenvalue", s.frequency[1], 5 / (2 * M_PI), 1e-15);
    verify_near("damping of an eigenvalue", s.damping[1], 0.6, 1e-15);
    verify_near("real", s.shape[2 * 7], -2, 0);
    verify_near("complex", s.shape[2 * (9 + 1) + 1], 4, 0);
    verify_near("rotation", s.shape[2 * (9 + 5)], 11, 0);
    gos_shapes_free(&s);
    gos_ctx_destroy(ctx);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"f,tip.x\n1,2\n", "a:1: no column 'frequency'"},
        {"frequency,tip.x,tip.x\n", "a:1: column 'tip.x' is given twice"},
        {"frequency,tip.x.imag\n",
         "a:1: column 'tip.x.imag' has no matching column of its real part"},
        {"frequency,damping\n", "no sensor columns"},
        {"frequency,tip.x\n", "no modes"},
        {"frequency,tip.x\n1,2\n3\n", "a:3: fewer values"},
        {"frequency,tip.x\n1,2,3\n", "a:2: more values"},
        {"frequency,tip.x\n1,nan\n", "a:2: 'nan' is not a finite number"},
        {"frequency,tip.x\n-1,2\n", "a:2: frequency -1 is negative"},
        {"", "no modes"},
        {"    -1\n   151\n    -1\n", "dataset 55: none found"},
        {HEAD "1 2 2 8 2\n", "a:8: dataset 55: too few numbers"},
        {HEAD "1 5 2 8 2 3\n2 4\n1\n", "a:10: dataset 55: analysis type is not 2"},
        {HEAD "1 9e99 2 8 2 3\n2 4\n1\n", "a:10: dataset 55: analysis type is not 2"},
        {HEAD "1 2 1 8 2 1\n2 4\n1\n", "values must be translations"},
        {HEAD "1 2 2 8 4 3\n2 4\n1\n", "values must be real"},
        {HEAD "1 2 2 8 2 3\n2 4\n1 1 0 0\n1\n1 2 3\n", "not closed by a line -1"},
        {HEAD "1 2 2 8 2 3\n2 4\n1 1 0 0\n0\n1 2 3\n    -1\n", "node number"},
        {HEAD "1 2 2 8 2 3\n2 4\n1 1 0 0\n1\n1 x\n    -1\n", "a:12: dataset 55: expected numbers"},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_shapes s;
        write_file("a", cases[i].text);
        assert_true(gos_shapes_read(ctx, folder_path("a"), &s) != GOS_OK);
        if (!strstr(gos_ctx_message(ctx), cases[i].message)) {
            fail_msg("%s: '%s'", cases[i].message, gos_ctx_message(ctx));
        }
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever), cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_comac),      cmocka_unit_test(test_placement),
        cmocka_unit_test(test_universal),  cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
