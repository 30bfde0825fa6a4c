/* Benchmark models of model reduction, read from Matrix Market files beside the checkout
   (environment variable GOSSAMER_MOR_DATA; skipped without it), and the time that frequency
   responses take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>

#include "linalg/matrix_market.h"
#include "linear/linear.h"
#include "support/context.h"
#include "support/suite.h"

typedef struct model {
    gos_sparse E, A, B, C;
    gos_matrix_view view[4];
    gos_matrices m;
} model;

static void read_one(const char *name, const char *which, gos_sparse *A) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s/%s.mtx", getenv("GOSSAMER_MOR_DATA"), name, which);
    if (gos__matrix_market_read(ctx, path, 0, (gos_loc){0}, NULL, A) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
}

static const gos_matrix_view *look(model *m, int k, const gos_sparse *A) {
    m->view[k] = (gos_matrix_view){A->m, A->n, A->nnz, A->p, A->i, A->x};
    return &m->view[k];
}

static gos_linear *open_model(model *m, const char *name, bool descriptor) {
    *m = (model){0};
    if (!getenv("GOSSAMER_MOR_DATA")) {
        print_message("skipped: GOSSAMER_MOR_DATA does not name the folder of benchmark models\n");
        skip();
    }
    gos_linear *l = NULL;
    read_one(name, "A", &m->A);
    read_one(name, "B", &m->B);
    read_one(name, "C", &m->C);
    m->m = (gos_matrices){.A = look(m, 0, &m->A), .B = look(m, 1, &m->B), .C = look(m, 2, &m->C)};
    if (descriptor) {
        read_one(name, "E", &m->E);
        m->m.E = look(m, 3, &m->E);
    }
    assert_int_equal(gos_linear_from_matrices(ctx, &m->m, &l), GOS_OK);
    return l;
}

static void close_model(model *m) {
    gos__sparse_free(ctx, &m->E);
    gos__sparse_free(ctx, &m->A);
    gos__sparse_free(ctx, &m->B);
    gos__sparse_free(ctx, &m->C);
}

static void sizes(const gos_linear *l, int nt, int nu, int ny) {
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    assert_int_equal(info.coordinates + info.temperatures, nt);
    assert_int_equal(info.inputs, nu);
    assert_int_equal(info.outputs, ny);
}

static void geometric(int n, double from, double to, double *omega) {
    for (int k = 0; k < n; k++) {
        omega[k] = from * pow(to / from, (double)k / (n - 1));
    }
}

/* Modal sum of the space station: K and D are diagonal, so that H_ij = sum_k c_ik b_kj s / (s^2 +
   d_k s + k_k), from the entries of the files. As first order (sparse) and as the second order
   hidden in it. */
static void test_space_station(void **state) {
    enum { N = 135, POINTS = 60 };
    GOS_UNUSED(state);
    model m;
    gos_linear *first = open_model(&m, "iss1R", false), *second = NULL;
    sizes(first, 2 * N, 3, 3);
    m.m.second_order = true;
    assert_int_equal(gos_linear_from_matrices(ctx, &m.m, &second), GOS_OK);
    sizes(second, N, 3, 3);
    static double b[N][3], c[3][N], d[N], k[N], omega[POINTS];
    static double complex H[2][POINTS][3][3];
    memset(b, 0, sizeof b), memset(c, 0, sizeof c), memset(d, 0, sizeof d), memset(k, 0, sizeof k);
    for (int j = 0; j < 3; j++) {
        for (int e = m.B.p[j]; e < m.B.p[j + 1]; e++) {
            assert_true(m.B.i[e] >= N);
            b[m.B.i[e] - N][j] = m.B.x[e];
        }
    }
    for (int j = 0; j < 2 * N; j++) {
        for (int e = m.C.p[j]; e < m.C.p[j + 1]; e++) {
            assert_true(j >= N);
            c[m.C.i[e]][j - N] = m.C.x[e];
        }
        for (int e = m.A.p[j]; e < m.A.p[j + 1]; e++) {
            if (m.A.i[e] >= N) {
                assert_int_equal(m.A.i[e] - N, j % N);
                *(j < N ? &k[j] : &d[j - N]) = -m.A.x[e];
            }
        }
    }
    geometric(POINTS, 0.1, 1e3, omega);
    assert_int_equal(gos_linear_response(ctx, first, POINTS, omega, (double *)H[0]), GOS_OK);
    assert_int_equal(gos_linear_response(ctx, second, POINTS, omega, (double *)H[1]), GOS_OK);
    double worst[2] = {0};
    for (int p = 0; p < POINTS; p++) {
        const double complex s = (double complex)I * omega[p];
        double scale = 0;
        for (int f = 0; f < 2; f++) {
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    double complex sum = 0;
                    for (int q = 0; q < N; q++) {
                        sum += c[i][q] * b[q][j] * s / (s * s + d[q] * s + k[q]);
                    }
                    scale = fmax(scale, cabs(sum));
                    worst[f] = fmax(worst[f], cabs(H[f][p][i][j] - sum) / scale);
                }
            }
        }
    }
    print_message("iss1R: response against the modal sum %.1e (first order), %.1e (second)\n",
                  worst[0], worst[1]);
    assert_true(worst[0] < 1e-12 && worst[1] < 1e-12);
    gos_linear_destroy(first);
    gos_linear_destroy(second);
    close_model(&m);
}

/* steel profile: at rest H = -C A^-1 B; E and A are symmetric, as declared; time of 100 points */
static void test_steel_profile(void **state) {
    GOS_UNUSED(state);
    model m;
    gos_linear *l = open_model(&m, "rail_1357", true), *checked = NULL;
    sizes(l, 1357, 7, 6);
    m.m.symmetric = true;
    assert_int_equal(gos_linear_from_matrices(ctx, &m.m, &checked), GOS_OK);
    gos_linear_destroy(checked);
    static double omega[100];
    static double complex H[100][6][7];
    geometric(100, 1e-8, 1e2, omega);
    const double begin = gos__now();
    assert_int_equal(gos_linear_response(ctx, l, 100, omega, (double *)H), GOS_OK);
    print_message("rail_1357: 100 points of 6 x 7 in %.3f s\n", gos__now() - begin);
    // A x = -B u and y = C x are solved by the real solver
    double *x = gos__alloc(ctx, 1357, sizeof *x), y[6];
    gos_solver *solver = NULL;
    gos_pattern pattern = {.n = 1357, .nnz = m.A.nnz, .p = m.A.p, .i = m.A.i};
    assert_int_equal(gos__solver_create(ctx, &pattern, &solver), GOS_OK);
    assert_int_equal(gos__solver_factor(solver, m.A.x, NULL), GOS_OK);
    for (int j = 0; j < 7; j++) {
        memset(x, 0, 1357 * sizeof *x);
        for (int e = m.B.p[j]; e < m.B.p[j + 1]; e++) {
            x[m.B.i[e]] = -m.B.x[e];
        }
        gos__solver_solve(solver, x);
        gos__sparse_apply(&m.C, 1, x, y);
        for (int i = 0; i < 6; i++) {
            // the slowest rate is 1.8e-5 1/s, so 1e-8 rad/s is at rest to 1e-3
            assert_true(cabs(H[0][i][j] - y[i]) <= 2e-3 * (fabs(y[i]) + fabs(y[0])));
        }
    }
    gos__solver_destroy(solver);
    gos__free(ctx, x);
    gos_linear_destroy(l);
    close_model(&m);
}

/* dense: the clamped beam, whose A = [0 X; Y Z] is no model of second order unmodified, and the
   hospital, 48 states in Hessenberg form: time of 1000 points, and against sparse factors at 9 of
   them */
static void test_dense(void **state) {
    GOS_UNUSED(state);
    model m;
    gos_linear *l = open_model(&m, "beam", false), *second = NULL;
    sizes(l, 348, 1, 1);
    m.m.second_order = true;
    gos_ctx_clear(ctx);
    assert_int_equal(gos_linear_from_matrices(ctx, &m.m, &second), GOS_E_INPUT);
    gos_ctx_clear(ctx);
    gos_linear_destroy(l);
    close_model(&m);
    l = open_model(&m, "build", false);
    sizes(l, 48, 1, 1);
    static double omega[1000];
    static double complex H[1000];
    geometric(1000, 1, 100, omega);
    const double begin = gos__now();
    assert_int_equal(gos_linear_response(ctx, l, 1000, omega, (double *)H), GOS_OK);
    const double time = gos__now() - begin;
    double worst = 0, largest = 0;
    for (int k = 0; k < 1000; k++) {
        largest = fmax(largest, cabs(H[k]));
    }
    for (int k = 0; k < 1000; k += 111) {
        double complex one;
        assert_int_equal(gos_linear_response(ctx, l, 1, &omega[k], (double *)&one), GOS_OK);
        worst = fmax(worst, cabs(one - H[k]) / largest);
    }
    print_message("build: 1000 points of 48 states in %.4f s, against sparse factors %.1e\n", time,
                  worst);
    assert_true(worst < 1e-12);
    gos_linear_destroy(l);
    close_model(&m);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space_station),
        cmocka_unit_test(test_steel_profile),
        cmocka_unit_test(test_dense),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
