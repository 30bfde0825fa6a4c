/* Models of matrices and their frequency response: closed forms, sparse against dense, all blocks,
   what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>

#include "linear/linear.h"
#include "support/context.h"
#include "support/near_complex.h"
#include "support/suite.h"

#define MOST 400
typedef struct matrix {
    gos_matrix_view view;
    int start[MOST + 1], row[3 * MOST];
    double value[3 * MOST];
} matrix;

/* from rows of numbers */
static matrix *dense(int m, int n, const double *a) {
    matrix *A = calloc(1, sizeof *A);
    assert_non_null(A);
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            if (a[i * n + j] != 0) {
                A->row[count] = i;
                A->value[count++] = a[i * n + j];
            }
        }
        A->start[j + 1] = count;
    }
    A->view = (gos_matrix_view){m, n, count, A->start, A->row, A->value};
    return A;
}

/* tridiagonal, the last diagonal entry apart */
static matrix *chain(int n, double lower, double diagonal, double upper, double last) {
    matrix *A = calloc(1, sizeof *A);
    assert_non_null(A);
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
            A->row[count] = i;
            A->value[count++] = i < j ? upper : i > j ? lower : i == n - 1 ? last : diagonal;
        }
        A->start[j + 1] = count;
    }
    A->view = (gos_matrix_view){n, n, count, A->start, A->row, A->value};
    return A;
}

static gos_linear *make(const gos_matrices *m) {
    gos_linear *l = NULL;
    if (gos_linear_from_matrices(ctx, m, &l) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return l;
}

static void response(const gos_linear *l, int n, const double *omega, double complex *H) {
    if (gos_linear_response(ctx, l, n, omega, (double *)H) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
}

/* Two masses, wall - k1,d1 - m1 - k2,d2 - m2, force on m1; y: x2, x1' and x1 + 5 u. Determinant by
 * hand. */
static void test_two_masses(void **state) {
    GOS_UNUSED(state);
    const double m1 = 2, m2 = 3, k1 = 500, k2 = 70, d1 = 0.4, d2 = 0.9;
    matrix *M = dense(2, 2, (double[]){m1, 0, 0, m2});
    matrix *D = dense(2, 2, (double[]){d1 + d2, -d2, -d2, d2});
    matrix *K = dense(2, 2, (double[]){k1 + k2, -k2, -k2, k2});
    matrix *B = dense(2, 1, (double[]){1, 0});
    matrix *C = dense(3, 2, (double[]){0, 1, 0, 0, 1, 0}),
           *V = dense(3, 2, (double[]){0, 0, 1, 0, 0, 0});
    matrix *F = dense(3, 1, (double[]){0, 0, 5});
    const gos_port in = {"push", "N"}, out[] = {{"x2", "m"}, {"v1", "m/s"}, {"", ""}};
    gos_linear *l = make(&(gos_matrices){.M = &M->view,
                                         .D = &D->view,
                                         .K = &K->view,
                                         .B = &B->view,
                                         .C = &C->view,
                                         .C_v = &V->view,
                                         .F = &F->view,
                                         .inputs = &in,
                                         .outputs = out,
                                         .symmetric = true});
    assert_string_equal(gos_linear_input(l, 0).name, "push");
    assert_string_equal(gos_linear_output(l, 1).unit, "m/s");
    assert_string_equal(gos_linear_output(l, 2).name, "y3");
    // few frequencies: sparse factors; many: Hessenberg form
    for (int n = 5; n <= 50; n += 45) {
        double omega[50];
        double complex H[150];
        for (int k = 0; k < n; k++) {
            omega[k] = k == 0 ? 0 : 0.5 * pow(1.1, k);
        }
        response(l, n, omega, H);
        for (int k = 0; k < n; k++) {
            const double complex s = (double complex)I * omega[k];
            const double complex a = m1 * s * s + (d1 + d2) * s + k1 + k2, c = d2 * s + k2;
            const double complex b = m2 * s * s + d2 * s + k2, det = a * b - c * c;
            near_complex_rel(H[3 * k], c / det, 1e-12);
            if (k > 0) {
                near_complex_rel(H[3 * k + 1], s * b / det, 1e-12);
            } else { // at rest: round-off of 1 / k1
                assert_true(cabs(H[1]) < 1e-16 / k1);
            }
            near_complex_rel(H[3 * k + 2], b / det + 5, 1e-12);
        }
    }
    gos_linear_destroy(l);
    free(M), free(D), free(K), free(B), free(C), free(V), free(F);
}

/* n equal masses between springs, first end held, last end free, force there: for s^2 m / k = 2 - 2
   cosh p, x_n / f = sinh(n p) / (k (sinh((n + 1) p) - sinh(n p))) (standing wave on the chain) */
static double complex chain_response(int n, double m, double d, double k, double omega) {
    const double complex s = (double complex)I * omega, stiff = k + d * s;
    const double complex p = cacosh(1 + s * s * m / (2 * stiff));
    return csinh(n * p) / (stiff * (csinh((n + 1) * p) - csinh(n * p)));
}

static void test_chain(void **state) {
    GOS_UNUSED(state);
    const int n = 200;
    const double m = 0.5, d = 0.02, k = 3e4;
    matrix *M = chain(n, 0, m, 0, m), *D = chain(n, -d, 2 * d, -d, d),
           *K = chain(n, -k, 2 * k, -k, k);
    double last[200] = {0};
    last[n - 1] = 1;
    matrix *B = dense(n, 1, last), *C = dense(1, n, last);
    gos_linear *l = make(&(gos_matrices){.M = &M->view,
                                         .D = &D->view,
                                         .K = &K->view,
                                         .B = &B->view,
                                         .C = &C->view,
                                         .symmetric = true});
    double omega[40];
    double complex H[40];
    for (int i = 0; i < 40; i++) {
        omega[i] = 1 + 10.0 * i;
    }
    response(l, 40, omega, H);
    for (int i = 0; i < 40; i++) {
        near_complex_rel(H[i], chain_response(n, m, d, k, omega[i]), 1e-9);
    }
    gos_linear_destroy(l);
    free(M), free(D), free(K), free(B), free(C);
}

/* Processes that divide the frequencies give the same digits, by sparse factors and in Hessenberg
   form, though each has fewer frequencies than would make it choose that form. */
static void test_divided(void **state) {
    GOS_UNUSED(state);
    const double m = 0.5, d = 0.02, k = 3e4;
    const int sizes[] = {200, 4};
    for (int i = 0; i < 2; i++) {
        const int n = sizes[i];
        matrix *M = chain(n, 0, m, 0, m), *D = chain(n, -d, 2 * d, -d, d);
        matrix *K = chain(n, -k, 2 * k, -k, k);
        double last[200] = {0};
        last[n - 1] = 1;
        matrix *B = dense(n, 1, last), *C = dense(1, n, last);
        gos_linear *l = make(&(gos_matrices){.M = &M->view,
                                             .D = &D->view,
                                             .K = &K->view,
                                             .B = &B->view,
                                             .C = &C->view,
                                             .symmetric = true});
        double omega[14];
        double complex alone[14], divided[14];
        for (int f = 0; f < 14; f++) {
            omega[f] = 1 + 31.0 * f;
        }
        response(l, 14, omega, alone);
        for (int workers = 0; workers <= 16; workers += workers < 5 ? 1 : 11) {
            memset(divided, 0, sizeof divided);
            assert_int_equal(
                gos_linear_response_divided(ctx, l, workers, 14, omega, (double *)divided), GOS_OK);
            assert_memory_equal(divided, alone, sizeof alone);
        }
        omega[9] = (double)NAN; // what fails in a process is reported here, and nothing is written
        assert_int_equal(gos_linear_response_divided(ctx, l, 3, 14, omega, (double *)divided),
                         GOS_E_USE);
        assert_non_null(strstr(gos_ctx_message(ctx), "frequency 9 is not finite"));
        assert_memory_equal(divided, alone, sizeof alone);
        gos_ctx_clear(ctx);
        gos_linear_destroy(l);
        free(M), free(D), free(K), free(B), free(C);
    }
}

/* From a tenth of the lowest frequency to twice the tenth one: of a chain held at one end and free
   at the other, omega_i = 2 sqrt(k / m) sin((2 i - 1) pi / (4 n + 2)), and of heat alone rates K /
   C. */
static void test_band(void **state) {
    GOS_UNUSED(state);
    const int n = 30;
    const double m = 0.5, k = 3e4, turn = 2 * acos(-1);
    matrix *M = chain(n, 0, m, 0, m), *K = chain(n, -k, 2 * k, -k, k);
    gos_linear *l = make(&(gos_matrices){.M = &M->view, .K = &K->view, .symmetric = true});
    double band[2];
    assert_int_equal(gos_linear_band(ctx, l, band), GOS_OK);
    const double omega[2] = {2 * sqrt(k / m) * sin(turn / 2 / (4 * n + 2)),
                             2 * sqrt(k / m) * sin(19 * turn / 2 / (4 * n + 2))};
    near_complex_rel(band[0], omega[0] / turn / 10, 1e-9);
    near_complex_rel(band[1], 2 * omega[1] / turn, 1e-9);
    gos_linear_destroy(l);
    matrix *E = dense(2, 2, (double[]){2, 0, 0, 5}), *A = dense(2, 2, (double[]){-6, 0, 0, -40});
    l = make(&(gos_matrices){.E = &E->view, .A = &A->view});
    assert_int_equal(gos_linear_band(ctx, l, band), GOS_OK);
    near_complex_rel(band[0], 3 / turn / 10, 1e-9);
    near_complex_rel(band[1], 2 * 8 / turn, 1e-9);
    gos_linear_destroy(l);
    // a free body has no frequency
    matrix *one = dense(1, 1, (double[]){1}), *none = dense(1, 1, (double[]){0});
    l = make(&(gos_matrices){.M = &one->view, .K = &none->view, .symmetric = true});
    band[0] = -1;
    assert_int_equal(gos_linear_band(ctx, l, band), GOS_E_USE);
    assert_true(band[0] == -1);
    gos_ctx_clear(ctx);
    gos_linear_destroy(l);
    free(M), free(K), free(E), free(A), free(one), free(none);
}

/* first order with a singular E (the middle unknown is a sum): x1' = -2 x1 + u, x2 = x1 + x3,
   x3' = -5 x3 + u; y = x2 */
static void test_descriptor(void **state) {
    GOS_UNUSED(state);
    matrix *E = dense(3, 3, (double[]){1, 0, 0, 0, 0, 0, 0, 0, 1});
    matrix *A = dense(3, 3, (double[]){-2, 0, 0, -1, 1, -1, 0, 0, -5});
    matrix *B = dense(3, 1, (double[]){1, 0, 1}), *C = dense(1, 3, (double[]){0, 1, 0});
    gos_linear *l =
        make(&(gos_matrices){.E = &E->view, .A = &A->view, .B = &B->view, .C = &C->view});
    for (int n = 2; n <= 20; n += 18) {
        double omega[20];
        double complex H[20];
        for (int k = 0; k < n; k++) {
            omega[k] = 0.7 * k;
        }
        response(l, n, omega, H);
        for (int k = 0; k < n; k++) {
            const double complex s = (double complex)I * omega[k];
            near_complex_rel(H[k], 1 / (s + 2) + 1 / (s + 5), 1e-13);
        }
    }
    gos_linear_destroy(l);
    free(E), free(A), free(B), free(C);
}

/* one unknown of each kind with every block present, against elimination by hand: constraint q1 =
   q2 through C, temperature tie theta2 = 0 through H */
static void set(gos_linear *l, gos_block block, const double *rows) {
    gos_sparse *A = &l->block[block], B;
    double values[16] = {0};
    for (int i = 0; i < A->m; i++) {
        for (int j = 0; j < A->n; j++) {
            values[j * 4 + i] = rows[i * A->n + j];
        }
    }
    const gos_pattern all = {.n = 4, .nnz = 16, .dense = true};
    assert_int_equal(gos__sparse_block(ctx, &all, values, 0, A->m, 0, A->n, &B), GOS_OK);
    assert_int_equal(gos__linear_put(l, block, &B), GOS_OK);
    gos__sparse_free(ctx, &B);
}

/* A mass and two temperatures of capacities other than 1, coupled both ways, by elimination of the
   temperatures: many frequencies of a small dense model go by its Hessenberg form, whose
   temperatures are measured by their capacities. */
static void test_capacities(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = NULL;
    const gos_linear_size size = {.nq = 1, .nt = 2, .nu = 2, .ny = 2};
    assert_int_equal(gos__linear_create(ctx, &size, &l), GOS_OK);
    set(l, GOS_BLOCK_M, (double[]){3});
    set(l, GOS_BLOCK_D, (double[]){0.4});
    set(l, GOS_BLOCK_K, (double[]){12});
    set(l, GOS_BLOCK_G, (double[]){-2, 0.7});
    set(l, GOS_BLOCK_H_v, (double[]){0.9, -0.2});
    set(l, GOS_BLOCK_C_T, (double[]){5, 1.5, 1.5, 0.3 + 4});
    set(l, GOS_BLOCK_K_T, (double[]){2, -0.6, -0.6, 7});
    set(l, GOS_BLOCK_B, (double[]){1, 0});
    set(l, GOS_BLOCK_B_T, (double[]){0, 0.8, 0, 0});
    set(l, GOS_BLOCK_Y_q, (double[]){1, 0});
    set(l, GOS_BLOCK_Y_T, (double[]){0, 0, 1, -3});
    assert_int_equal(gos__linear_close(l), GOS_OK);
    double omega[30];
    double complex H[4 * 30];
    for (int k = 0; k < 30; k++) {
        omega[k] = 0.1 * (k + 1);
    }
    response(l, 30, omega, H);
    for (int k = 0; k < 30; k++) {
        const double complex s = (double complex)I * omega[k];
        const double complex a = 5 * s + 2, b = 1.5 * s - 0.6, d = 4.3 * s + 7, det = a * d - b * b;
        // temperatures by q, and by the heat
        const double complex q1 = -s * (0.9 * d + 0.2 * b) / det,
                             q2 = s * (0.9 * b + 0.2 * a) / det;
        const double complex h1 = 0.8 * d / det, h2 = -0.8 * b / det;
        const double complex stiff = 3 * s * s + 0.4 * s + 12 - 2 * q1 + 0.7 * q2;
        const double complex by_force = 1 / stiff, by_heat = (2 * h1 - 0.7 * h2) / stiff;
        near_complex_rel(H[4 * k], by_force, 1e-12);
        near_complex_rel(H[4 * k + 1], by_heat, 1e-12);
        near_complex_rel(H[4 * k + 2], (q1 - 3 * q2) * by_force, 1e-12);
        near_complex_rel(H[4 * k + 3], (q1 - 3 * q2) * by_heat + h1 - 3 * h2, 1e-12);
    }
    gos_linear_destroy(l);
}

static void test_all_blocks(void **state) {
    GOS_UNUSED(state);
    gos_linear *l = NULL, *twin = NULL;
    const gos_linear_size size = {.nq = 2, .nt = 2, .nphi = 1, .nc = 1, .nh = 1, .nu = 1, .ny = 1};
    assert_int_equal(gos__linear_create(ctx, &size, &l), GOS_OK);
    set(l, GOS_BLOCK_M, (double[]){2, 0, 0, 1});
    set(l, GOS_BLOCK_D, (double[]){0.5, 0, 0, 0.25});
    set(l, GOS_BLOCK_K, (double[]){30, 0, 0, 10});
    set(l, GOS_BLOCK_G, (double[]){1.5, 0, 0, 0});
    set(l, GOS_BLOCK_C_T, (double[]){4, 0, 0, 4});
    set(l, GOS_BLOCK_K_T, (double[]){0.8, 0, 0, 0.8});
    set(l, GOS_BLOCK_H_q, (double[]){0.3, 0, 0, 0});
    set(l, GOS_BLOCK_H_v, (double[]){0.7, 0, 0, 0});
    set(l, GOS_BLOCK_C, (double[]){1, -1});
    set(l, GOS_BLOCK_H, (double[]){0, 1});
    set(l, GOS_BLOCK_K_phi, (double[]){6});
    set(l, GOS_BLOCK_G_phi, (double[]){0, 2});
    set(l, GOS_BLOCK_H_phi, (double[]){-1.1, 0});
    set(l, GOS_BLOCK_T_phi, (double[]){0.35, 0});
    set(l, GOS_BLOCK_P, (double[]){0.9, 0});
    set(l, GOS_BLOCK_B, (double[]){1, 0});
    set(l, GOS_BLOCK_B_T, (double[]){0.4, 0});
    set(l, GOS_BLOCK_B_phi, (double[]){0.2});
    set(l, GOS_BLOCK_Y_q, (double[]){1, 0});
    set(l, GOS_BLOCK_Y_v, (double[]){0, 0.6});
    set(l, GOS_BLOCK_Y_T, (double[]){1.2, 0});
    set(l, GOS_BLOCK_Y_phi, (double[]){-0.5});
    set(l, GOS_BLOCK_Y_u, (double[]){0.05});
    assert_int_equal(gos__linear_name_input(l, 0, "u", ""), GOS_OK);
    assert_int_equal(gos__linear_name_output(l, 0, "y", ""), GOS_OK);
    assert_int_equal(gos__linear_close(l), GOS_OK);
    assert_int_equal(gos__linear_copy(ctx, l, &twin), GOS_OK);
    for (int n = 3; n <= 12; n += 9) {
        double omega[12];
        double complex H[12];
        for (int k = 0; k < n; k++) {
            omega[k] = 0.4 * k;
        }
        response(n == 3 ? l : twin, n, omega, H);
        for (int k = 0; k < n; k++) {
            // q1 = q2 = q, theta2 = 0: three equations in q, theta, phi, solved by Cramer's rule
            const double complex s = (double complex)I * omega[k];
            const double complex a[3][3] = {{3 * s * s + 0.75 * s + 40, 1.5, 2},
                                            {0.3 + 0.7 * s, 4 * s + 0.8, 0.9 * s},
                                            {-1.1, 0.35, 6}};
            const double b[3] = {1, 0.4, 0.2};
            double complex det[4];
            for (int c = 0; c < 4; c++) {
                double complex m[3][3];
                for (int i = 0; i < 9; i++) {
                    m[i / 3][i % 3] = i % 3 == c - 1 ? b[i / 3] : a[i / 3][i % 3];
                }
                det[c] = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
            }
            const double complex q = det[1] / det[0], th = det[2] / det[0], phi = det[3] / det[0];
            near_complex_rel(H[k], q + 0.6 * s * q + 1.2 * th - 0.5 * phi + 0.05, 1e-12);
        }
    }
    gos_linear_destroy(l);
    gos_linear_destroy(twin);
}

/* E = [1 0; 0 2], A = [0 1; -8 -1]: the same response from the model of second order made of it */
static void test_hidden_order(void **state) {
    GOS_UNUSED(state);
    matrix *E = dense(2, 2, (double[]){1, 0, 0, 2}), *A = dense(2, 2, (double[]){0, 1, -8, -1});
    matrix *B = dense(2, 1, (double[]){0, 3}), *C = dense(1, 2, (double[]){1, 0.5});
    gos_matrices m = {.E = &E->view, .A = &A->view, .B = &B->view, .C = &C->view};
    const double omega[] = {0, 1, 5};
    double complex first[3], second[3];
    gos_linear *l = make(&m);
    response(l, 3, omega, first);
    gos_linear_destroy(l);
    m.second_order = true;
    l = make(&m);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    assert_int_equal(info.coordinates, 1);
    assert_int_equal(info.temperatures, 0);
    response(l, 3, omega, second);
    for (int k = 0; k < 3; k++) {
        const double complex s = (double complex)I * omega[k];
        near_complex_rel(first[k], 3 * (1 + 0.5 * s) / (2 * s * s + s + 8), 1e-14);
        near_complex_rel(second[k], first[k], 1e-14);
    }
    gos_linear_destroy(l);
    free(E), free(A), free(B), free(C);
}

/* Frequencies over 9 decades and a free motion, all coupled by one dashpot d d^T: the inverse of
   S + s d d^T with S = diag(lambda + s^2) is S^-1 - s S^-1 d d^T S^-1 / (1 + s d^T S^-1 d)
   (Sherman and Morrison). Round-off of the stiffest mode must not drown the soft ones: squares of
   frequencies differ by more than the digits that a number has. */
static void test_stiff(void **state) {
    GOS_UNUSED(state);
    enum { N = 20, POINTS = 30 };
    double mass[N * N] = {0}, damping[N * N], stiffness[N * N] = {0}, in[N], out[N], d[N];
    for (int i = 0; i < N; i++) {
        const double lambda = i == 0 ? 0 : pow(10, i - 1);
        d[i] = 0.05 * sqrt(sqrt(lambda));
        mass[i * N + i] = 1;
        stiffness[i * N + i] = lambda;
        in[i] = 1 + 0.1 * i;
        out[i] = i % 2 ? -1 : 1;
    }
    for (int i = 0; i < N * N; i++) {
        damping[i] = d[i / N] * d[i % N];
    }
    matrix *M = dense(N, N, mass), *D = dense(N, N, damping), *K = dense(N, N, stiffness);
    matrix *B = dense(N, 1, in), *C = dense(1, N, out);
    gos_linear *l = make(
        &(gos_matrices){.M = &M->view, .D = &D->view, .K = &K->view, .B = &B->view, .C = &C->view});
    double omega[POINTS];
    double complex H[POINTS];
    for (int k = 0; k < POINTS; k++) {
        omega[k] = 0.5 * pow(1.23, k);
    }
    response(l, POINTS, omega, H);
    for (int k = 0; k < POINTS; k++) {
        const double complex s = (double complex)I * omega[k];
        double complex cb = 0, cd = 0, db = 0, dd = 0;
        for (int i = 0; i < N; i++) {
            const double complex p = 1 / (stiffness[i * N + i] + s * s);
            cb += out[i] * p * in[i];
            cd += out[i] * p * d[i];
            db += d[i] * p * in[i];
            dd += d[i] * p * d[i];
        }
        near_complex_rel(H[k], cb - s * cd * db / (1 + s * dd),
                         1e-7); // 1e-16 of 3e8 rad/s, over 0.5 rad/s
    }
    gos_linear_destroy(l);
    free(M), free(D), free(K), free(B), free(C);
}

/* A free hub of 300 kg, held by a constraint to a stiff chain of 6 masses of 1 kg: dynamic
   stiffnesses one after another, z := -omega^2 m + k z / (k + z). At 1 rad/s the rigid motion is
   300 N/m among stiffnesses of 1e10. */
static void test_held_hub(void **state) {
    GOS_UNUSED(state);
    enum { N = 7, POINTS = 40 };
    const double k = 1e10, hub = 300;
    double mass[N * N] = {0}, stiffness[N * N] = {0}, constraint[N] = {1, -1};
    mass[0] = hub;
    for (int i = 1; i < N; i++) {
        mass[i * N + i] = 1;
        stiffness[i * N + i] = i == 1 || i == N - 1 ? k : 2 * k;
        if (i > 1) {
            stiffness[i * N + i - 1] = stiffness[(i - 1) * N + i] = -k;
        }
    }
    matrix *M = dense(N, N, mass), *K = dense(N, N, stiffness), *G = dense(1, N, constraint);
    matrix *B = dense(N, 1, (double[]){0, 0, 0, 0, 0, 0, 1}), *C = dense(1, N, (double[N]){1});
    gos_linear *l = make(
        &(gos_matrices){.M = &M->view, .K = &K->view, .G = &G->view, .B = &B->view, .C = &C->view});
    double omega[POINTS];
    double complex H[POINTS];
    for (int i = 0; i < POINTS; i++) {
        omega[i] = pow(10, 0.1 * i); // to 8000 rad/s; the first mode is at 5e4
    }
    response(l, POINTS, omega, H);
    for (int i = 0; i < POINTS; i++) {
        const double inertia = -omega[i] * omega[i];
        double z = inertia, ratio = 1; // of the last mass; hub over last mass
        for (int j = 1; j < N - 1; j++) {
            ratio *= k / (k + z); // the next mass, when this one moves by one over the ratio
            z = k * z / (k + z) + inertia;
        }
        z += hub * inertia;
        // reciprocity: the hub's motion by the last mass's force is the last one's by the hub's
        // force
        printf("%g %g\n", omega[i], cabs(H[i] * z / ratio - 1));
        near_complex_rel(H[i], ratio / z, 1); // 1e-16 of 1e10 N/m, over 300
    }
    gos_linear_destroy(l);
    free(M), free(K), free(G), free(B), free(C);
}

static void refuse(const gos_matrices *m, const char *text) {
    gos_linear *l = NULL;
    gos_ctx_clear(ctx);
    assert_int_equal(gos_linear_from_matrices(ctx, m, &l), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(ctx), text)) {
        fail_msg("'%s' has no '%s'", gos_ctx_message(ctx), text);
    }
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    matrix *one = dense(2, 2, (double[]){1, 0, 0, 1}), *skew = dense(2, 2, (double[]){1, 2, 0, 4});
    matrix *row = dense(1, 2, (double[]){1, 1}),
           *nan = dense(2, 2, (double[]){1, 0, 0, (double)NAN});
    refuse(&(gos_matrices){0}, "neither M nor A");
    refuse(&(gos_matrices){.M = &one->view}, "without K");
    refuse(&(gos_matrices){.M = &one->view, .K = &one->view, .A = &one->view},
           "specify only one pair");
    refuse(&(gos_matrices){.A = &one->view, .K = &one->view}, "specify only one kind");
    refuse(&(gos_matrices){.M = &one->view, .K = &row->view}, "K is 1 x 2, where 2 x 2 is needed");
    refuse(&(gos_matrices){.A = &one->view, .B = &row->view},
           "B is 1 x 2, where 2 x any is needed");
    refuse(&(gos_matrices){.A = &nan->view}, "not finite");
    refuse(&(gos_matrices){.M = &one->view, .K = &skew->view, .symmetric = true},
           "0.5 of its largest");
    refuse(&(gos_matrices){.A = &one->view, .second_order = true},
           "A is not a second-order model in first-order form");
    gos_linear *l = make(&(gos_matrices){.M = &one->view, .K = &skew->view});
    gos_linear_destroy(l);
    // a free mass has no response at rest
    matrix *none = dense(2, 2, (double[]){0, 0, 0, 0}), *B = dense(2, 1, (double[]){1, 0});
    matrix *C = dense(1, 2, (double[]){1, 0});
    l = make(&(gos_matrices){.M = &one->view, .K = &none->view, .B = &B->view, .C = &C->view});
    const double omega[12] = {0};
    double H[24];
    assert_int_equal(gos_linear_response(ctx, l, 1, omega, H), GOS_E_SINGULAR);
    assert_int_equal(gos_linear_response(ctx, l, 12, omega, H), GOS_E_SINGULAR);
    gos_linear_destroy(l);
    free(one), free(skew), free(row), free(nan), free(none), free(B), free(C);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divided),    cmocka_unit_test(test_band),
        cmocka_unit_test(test_two_masses), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_descriptor), cmocka_unit_test(test_capacities),
        cmocka_unit_test(test_all_blocks), cmocka_unit_test(test_hidden_order),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_held_hub),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
