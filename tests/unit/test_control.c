/* Equations of Riccati and Lyapunov, regulators, filters, norms and margins against closed forms,
   and against their own equations for random systems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "control/hinf.h"
#include "control/lqr.h"
#include "support/context.h"
#include "support/near.h"
#include "support/random.h"
#include "support/suite.h"

/* the same numbers everywhere: xorshift, from -1 to 1 */
static uint64_t seed = 1;

static gos_plant plant(int n, int nu, int ny) {
    gos_plant p;
    need(gos__plant_create(ctx, n, nu, ny, &p));
    return p;
}

/* m x'' + d x' + k x = b u, y = x */
static gos_plant oscillator(double omega, double zeta, double b) {
    gos_plant p = plant(2, 1, 1);
    p.A[2] = 1;
    p.A[1] = -omega * omega;
    p.A[3] = -2 * zeta * omega;
    p.B[1] = b;
    p.C[0] = 1;
    return p;
}

/* P = [sqrt 2, 1; 1, sqrt 2], K = [1, sqrt 2] for unit weights of position and force */
static void test_double_integrator(void **state) {
    GOS_UNUSED(state);
    gos_plant p = oscillator(0, 0, 1);
    double K[2], P[4];
    gos_riccati info;
    need(gos__lqr(ctx, &p, &(gos_weights){.Q = (double[]){1, 0, 0, 0}, .R = (double[]){1}}, K, P,
                  &info));
    near_abs(K[0], 1, 1e-14);
    near_abs(K[1], M_SQRT2, 1e-14);
    near_abs(P[0], M_SQRT2, 1e-14);
    near_abs(P[1], 1, 1e-14);
    near_abs(P[3], M_SQRT2, 1e-14);
    near_abs(info.abscissa, -M_SQRT1_2, 1e-13); // s^2 + sqrt 2 s + 1
    near_abs(info.damping, M_SQRT1_2, 1e-13);
    gos__plant_free(ctx, &p);
}

/* p12 and p22 of an undamped oscillator from their two quadratic equations, at frequencies and
 * weights far from 1 */
static void test_oscillator(void **state) {
    GOS_UNUSED(state);
    const double omegas[] = {1e-3, 1, 20, 1e4}, weights[] = {1e-6, 1, 1e8};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 9; k++) {
            // g q1 / w^4 is what the feedback makes of the stiffness
            const double w = omegas[i], r = weights[k / 3], b = 2e-3, g = b * b / r;
            const double q1 = weights[k % 3] * pow(w, 4) / g, q2 = 0.3 * q1 / (w * w);
            gos_plant p = oscillator(w, 0, b);
            double K[2];
            gos_riccati info;
            need(gos__lqr(ctx, &p,
                          &(gos_weights){.Q = (double[]){q1, 0, 0, q2}, .R = (double[]){r}}, K,
                          NULL, &info));
            // -2 w^2 p12 - b^2 p12^2 / r + q1 = 0, 2 p12 - b^2 p22^2 / r + q2 = 0
            const double p12 = q1 / (w * w + sqrt(pow(w, 4) + g * q1));
            const double p22 = sqrt((2 * p12 + q2) / g);
            // next to the imaginary axis rounding moves poles by its size over their distance
            const double bound = 1e-11 + 1e-16 / info.damping;
            near_abs(K[0] / (b / r * p12), 1, bound + 1e-16 * w * w / (g * p12));
            near_abs(K[1] / (b / r * p22), 1, bound);
            gos__plant_free(ctx, &p);
        }
    }
}

/* acceleration as the output, y = -w^2 x + u: the cross term makes u = w^2 x - ... ; a scalar with
   feed-through is solved by hand */
static void test_cross_term(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(1, 1, 1); // x' = a x + b u, y = c x + d u
    const double a = -0.4, b = 1.7, c = 0.9, d = 0.6, r = 0.25;
    p.A[0] = a, p.B[0] = b, p.C[0] = c, p.D[0] = d;
    double Q, N, R = r, K, P;
    gos_riccati info;
    need(gos__output_weights(ctx, &p, (double[]){2}, &Q, &N, &R));
    near_abs(Q, 2 * c * c, 1e-15);
    near_abs(N, 2 * c * d, 1e-15);
    near_abs(R, r + 2 * d * d, 1e-15);
    need(gos__lqr(ctx, &p, &(gos_weights){.Q = &Q, .R = &R, .N = &N}, &K, &P, &info));
    // 2 a P + Q - (P b + N)^2 / R = 0
    near_abs(2 * a * P + Q - (P * b + N) * (P * b + N) / R, 0, 1e-14);
    near_abs(K, (b * P + N) / R, 1e-14);
    assert_true(P > 0 && a - b * K < 0);
    gos__plant_free(ctx, &p);
}

/* a random walk that is measured: P = sqrt(W V), L = sqrt(W / V); the filter of an oscillator is
   the regulator of its transpose */
static void test_filter(void **state) {
    GOS_UNUSED(state);
    gos_plant walk = plant(1, 0, 1), p = oscillator(3, 0.01, 1), q = plant(2, 1, 1);
    double L[2], K[2];
    gos_riccati info;
    walk.C[0] = 2;
    need(gos__kalman(ctx, &walk, (double[]){9}, (double[]){4}, L, &info));
    near_abs(L[0], sqrt(9.0 / 4), 1e-14);
    p.D[0] = 0.7; // feed-through does not change a filter
    const double W[] = {0.1, 0.05, 0.05, 2}, V[] = {0.03};
    need(gos__kalman(ctx, &p, W, V, L, &info));
    memcpy(q.A, (double[]){p.A[0], p.A[2], p.A[1], p.A[3]}, 4 * sizeof(double));
    q.B[0] = 1;
    need(gos__lqr(ctx, &q, &(gos_weights){.Q = W, .R = V}, K, NULL, &info));
    near_abs(L[0], K[0], 1e-12);
    near_abs(L[1], K[1], 1e-12);
    gos__plant_free(ctx, &walk);
    gos__plant_free(ctx, &p);
    gos__plant_free(ctx, &q);
}

static double frobenius(int n, const double *A) {
    double sum = 0;
    for (int k = 0; k < n * n; k++) {
        sum += A[k] * A[k];
    }
    return sqrt(sum);
}

/* residual of A^T X + X A - X G X + Q by plain sums */
static double residual(int n, const double *A, const double *G, const double *Q, const double *X) {
    double most = 0;
    double *GX = calloc((size_t)n * n, sizeof *GX);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                GX[j * n + i] += G[k * n + i] * X[j * n + k];
            }
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double sum = Q[j * n + i];
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * X[j * n + k] + X[k * n + i] * (A[j * n + k] - GX[j * n + k]);
            }
            most = fmax(most, fabs(sum));
        }
    }
    free(GX);
    return most;
}

/* unstable systems of 2 to 400 states, sizes of states spread over eight decades: residual, and the
   same feedback in other states */
static void test_random(void **state) {
    GOS_UNUSED(state);
    const int sizes[] = {2, 3, 7, 20, 60, 400};
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s], nu = 1 + n / 10;
        gos_plant p = plant(n, nu, 0), t = plant(n, nu, 0);
        double *Q = calloc((size_t)n * n, sizeof *Q), *R = calloc((size_t)nu * nu, sizeof *R);
        double *QT = calloc((size_t)n * n, sizeof *QT), *G = calloc((size_t)n * n, sizeof *G);
        double *K = calloc((size_t)n * nu, sizeof *K), *KT = calloc((size_t)n * nu, sizeof *KT);
        double *X = calloc((size_t)n * n, sizeof *X), *scale = calloc((size_t)n, sizeof *scale);
        for (int k = 0; k < n * n; k++) {
            p.A[k] = random_uniform(&seed);
        }
        for (int k = 0; k < n * nu; k++) {
            p.B[k] = random_uniform(&seed);
        }
        for (int i = 0; i < n; i++) {
            Q[i * n + i] = 1 + random_uniform(&seed) / 2;
            scale[i] = pow(10, 4 * random_uniform(&seed));
        }
        for (int i = 0; i < nu; i++) {
            R[i * nu + i] = 1;
        }
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                t.A[j * n + i] = p.A[j * n + i] * scale[j] / scale[i];
                QT[j * n + i] = Q[j * n + i] * scale[i] * scale[j];
                for (int k = 0; k < nu; k++) {
                    G[j * n + i] += p.B[k * n + i] * p.B[k * n + j];
                }
            }
            for (int k = 0; k < nu; k++) {
                t.B[k * n + j] = p.B[k * n + j] / scale[j];
            }
        }
        gos_riccati info, scaled;
        need(gos__lqr(ctx, &p, &(gos_weights){.Q = Q, .R = R}, K, X, &info));
        assert_true(info.abscissa < 0);
        near_abs(residual(n, p.A, G, Q, X) / frobenius(n, X), 0, 1e-12 * n);
        need(gos__lqr(ctx, &t, &(gos_weights){.Q = QT, .R = R}, KT, NULL, &scaled));
        double most = 0, difference = 0;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < nu; i++) {
                const double k = K[j * nu + i];
                most = fmax(most, fabs(k));
                difference = fmax(difference, fabs(KT[j * nu + i] / scale[j] - k));
            }
        }
        near_abs(difference / most, 0, 1e-9);
        gos__plant_free(ctx, &p);
        gos__plant_free(ctx, &t);
        double *all[] = {Q, R, QT, G, K, KT, X, scale};
        for (int k = 0; k < 8; k++) {
            free(all[k]);
        }
    }
}

/* variances of an oscillator driven by white noise, W / (4 zeta omega^3) and W / (4 zeta omega) */
static void test_lyapunov(void **state) {
    GOS_UNUSED(state);
    const double w = 7, z = 0.03;
    gos_plant p = oscillator(w, z, 1);
    double X[4];
    need(gos__lyapunov(ctx, 2, p.A, false, (double[]){0, 0, 0, 5}, X));
    near_abs(X[0], 5 / (4 * z * w * w * w), 1e-13);
    near_abs(X[3], 5 / (4 * z * w), 1e-12);
    near_abs(X[1], 0, 1e-14);
    // the integral of x^2 from x = 1: (1 + 4 zeta^2) / (4 zeta omega)
    need(gos__lyapunov(ctx, 2, p.A, true, (double[]){1, 0, 0, 0}, X));
    near_abs(X[0], (1 + 4 * z * z) / (4 * z * w), 1e-12);
    p.A[3] = 0;
    assert_int_equal(gos__lyapunov(ctx, 2, p.A, false, (double[]){0, 0, 0, 5}, X), GOS_E_SINGULAR);
    assert_non_null(strstr(gos_ctx_message(ctx), "opposite"));
    gos__plant_free(ctx, &p);
}

static void refused(const gos_plant *p, const double *Q, double r) {
    double K[4];
    gos_riccati info;
    gos_ctx_clear(ctx);
    assert_int_equal(gos__lqr(ctx, p, &(gos_weights){.Q = Q, .R = (double[]){r}}, K, NULL, &info),
                     GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), r > 0 ? "Riccati" : "not positive definite"));
}

/* what no input reaches, what the weight does not see, and next to that */
static void test_refused(void **state) {
    GOS_UNUSED(state);
    const double one[] = {1, 0, 0, 1};
    gos_plant p = plant(2, 1, 0);
    p.A[0] = 0.5; // grows, not reached
    p.A[3] = -1;
    p.B[1] = 1;
    refused(&p, one, 1);
    p.B[0] = 1e-13; // hardly reached
    refused(&p, one, 1);
    p.B[0] = 1;
    refused(&p, one, 0);
    refused(&p, one, -2);
    gos__plant_free(ctx, &p);
    p = oscillator(2, 0, 1); // swings for ever and costs nothing
    refused(&p, (double[]){0, 0, 0, 0}, 1);
    gos__plant_free(ctx, &p);
    p = oscillator(0, 0, 1); // a drift that the weight of rates does not see
    refused(&p, (double[]){0, 0, 0, 1}, 1);
    gos__plant_free(ctx, &p);
}

/* peak of an oscillator 1 / (2 zeta sqrt(1 - zeta^2)) at omega sqrt(1 - 2 zeta^2); an all-pass is 1
   everywhere; a high pass reaches its feed-through at infinity */
static void test_norm(void **state) {
    GOS_UNUSED(state);
    double norm, omega;
    const double zetas[] = {1e-4, 0.01, 0.3, 0.65};
    for (int i = 0; i < 4; i++) {
        const double z = zetas[i];
        gos_plant p = oscillator(50, z, 2500);
        need(gos__hinf_norm(ctx, &p, 1e-9, &norm, &omega));
        near_abs(norm * 2 * z * sqrt(1 - z * z), 1, 2e-9);
        near_abs(omega, 50 * sqrt(1 - 2 * z * z), 50 * 2e-4);
        gos__plant_free(ctx, &p);
    }
    gos_plant pass = plant(1, 1, 1); // (s - 3) / (s + 3)
    pass.A[0] = -3, pass.B[0] = 1, pass.C[0] = -6, pass.D[0] = 1;
    need(gos__hinf_norm(ctx, &pass, 1e-6, &norm, &omega));
    near_abs(norm, 1, 1e-12);
    pass.C[0] = -3; // s / (s + 3)
    need(gos__hinf_norm(ctx, &pass, 1e-6, &norm, &omega));
    near_abs(norm, 1, 1e-12);
    assert_true(isinf(omega));
    pass.A[0] = 1e-3;
    assert_int_equal(gos__hinf_norm(ctx, &pass, 1e-6, &norm, &omega), GOS_E_INPUT);
    gos__plant_free(ctx, &pass);
    // two modes, two channels: the norm is that of the larger one, 1/(2 zeta omega b) of each
    gos_plant two = plant(4, 2, 2);
    for (int m = 0; m < 2; m++) {
        const double w = m ? 40 : 4, z = 0.02;
        two.A[(2 * m + 1) * 4 + 2 * m] = 1;
        two.A[2 * m * 4 + 2 * m + 1] = -w * w;
        two.A[(2 * m + 1) * 4 + 2 * m + 1] = -2 * z * w;
        two.B[m * 4 + 2 * m + 1] = 1;
        two.C[2 * m * 2 + m] = m ? 200 : 1;
    }
    need(gos__hinf_norm(ctx, &two, 1e-9, &norm, &omega));
    near_abs(norm, 200 / (1600 * 2 * 0.02 * sqrt(1 - 0.0004)), 1e-8 * norm);
    near_abs(omega, 40, 0.05);
    gos__plant_free(ctx, &two);
}

/* the least distance of a loop's gain to the disk, by looking at many frequencies */
static double disk_by_sampling(double k, double a) {
    double most = 0;
    for (int i = 0; i <= 200000; i++) { // L = k / (s (s + a)): |(1 - L) / (1 + L)| / 2
        const double w = pow(10, -3 + 6 * i / 200000.0);
        // s (s + a) = -w^2 + i a w
        const double re = -w * w, im = a * w;
        most = fmax(most, hypot(re - k, im) / hypot(re + k, im) / 2);
    }
    return 1 / most;
}

static void test_margins(void **state) {
    GOS_UNUSED(state);
    gos_margins m;
    gos_plant loop = plant(2, 1, 1); // k / (s (s + a))
    const double k = 30, a = 2;
    loop.A[2] = 1;
    loop.A[3] = -a;
    loop.B[1] = k;
    loop.C[0] = 1;
    need(gos__margins(ctx, &loop, &m));
    const double disk = disk_by_sampling(k, a);
    near_abs(m.disk, disk, 1e-5 * disk);
    near_abs(m.gain, (1 + disk / 2) / (1 - disk / 2), 1e-4);
    near_abs(m.phase, 2 * atan(disk / 2), 1e-5);
    // the lag that makes the loop swing is larger than the guaranteed one, by not more than a third
    // here
    const double w2 = (-a * a + sqrt(pow(a, 4) + 4 * k * k)) / 2, lag = atan(a / sqrt(w2));
    assert_true(m.phase <= lag && m.phase > lag / 1.5);
    loop.B[1] = -k;
    assert_int_equal(gos__margins(ctx, &loop, &m), GOS_E_INPUT);
    gos__plant_free(ctx, &loop);
    // a regulator at unit weight of the input never makes disturbances larger: |1 + L| >= 1 (Kalman
    // 1964)
    gos_plant p = oscillator(5, 0.01, 1), first = plant(2, 1, 1);
    double K[2];
    gos_riccati info;
    need(gos__lqr(ctx, &p, &(gos_weights){.Q = (double[]){1e4, 0, 0, 30}, .R = (double[]){1}}, K,
                  NULL, &info));
    memcpy(first.A, p.A, 4 * sizeof *p.A);
    memcpy(first.B, p.B, 2 * sizeof *p.A);
    memcpy(first.C, K, sizeof K);
    need(gos__margins(ctx, &first, &m));
    near_abs(m.sensitivity, 1, 1e-5);
    assert_true(m.phase >= M_PI / 3 * (1 - 1e-6) || m.disk > 0.6);
    gos__plant_free(ctx, &p);
    gos__plant_free(ctx, &first);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* poles of a loop with an observer are those of the regulator and those of the filter (separation),
   with feed-through; and none of that with the sign of the controller turned */
static void test_separation(void **state) {
    GOS_UNUSED(state);
    gos_plant p = plant(4, 2, 2), controller, closed;
    for (int m = 0; m < 2; m++) {
        const double w = m ? 11 : 3;
        p.A[(2 * m + 1) * 4 + 2 * m] = 1;
        p.A[2 * m * 4 + 2 * m + 1] = -w * w;
        p.A[(2 * m + 1) * 4 + 2 * m + 1] = -0.02 * w;
        for (int u = 0; u < 2; u++) {
            p.B[u * 4 + 2 * m + 1] = random_uniform(&seed);
            p.C[2 * m * 2 + u] = random_uniform(&seed);
        }
    }
    for (int k = 0; k < 4; k++) {
        p.D[k] = random_uniform(&seed) / 4;
    }
    double Q[16] = {0}, R[4] = {1, 0, 0, 2}, K[8], L[8], re[8], im[8], want[8];
    for (int i = 0; i < 4; i++) {
        Q[5 * i] = 100;
    }
    gos_riccati info;
    need(gos__lqr(ctx, &p, &(gos_weights){.Q = Q, .R = R}, K, NULL, &info));
    need(gos__kalman(ctx, &p, Q, R, L, &info));
    need(gos__lqg(ctx, &p, K, L, &controller));
    need(gos__closed_loop(ctx, &p, &controller, &closed));
    assert_int_equal(closed.n, 8);
    need(gos__eigenvalues(ctx, 8, closed.A, re, im));
    double A[16], B[16], ignored[4];
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++) {
            A[j * 4 + i] = p.A[j * 4 + i] - p.B[i] * K[j * 2] - p.B[4 + i] * K[j * 2 + 1];
            B[j * 4 + i] = p.A[j * 4 + i] - L[i] * p.C[j * 2] - L[4 + i] * p.C[j * 2 + 1];
        }
    }
    need(gos__eigenvalues(ctx, 4, A, want, ignored));
    need(gos__eigenvalues(ctx, 4, B, want + 4, ignored));
    qsort(re, 8, sizeof *re, ascending);
    qsort(want, 8, sizeof *want, ascending);
    for (int i = 0; i < 8; i++) {
        near_abs(re[i], want[i], 1e-9);
        assert_true(re[i] < 0);
    }
    gos__plant_free(ctx, &controller);
    gos__plant_free(ctx, &closed);
    gos__plant_free(ctx, &p);
}

/* permittivity condensed: an open electrode stiffens, k + g^2 / eps (theory 2.7), a driven one
   pushes; a response of the plant is that of the model */
static void test_potentials(void **state) {
    GOS_UNUSED(state);
    const double m = 2, k = 50, g = 3, eps = 0.4, b = 1.5;
    gos_linear *l = NULL;
    const int one[] = {0, 1}, zero[] = {0};
#define ENTRY(value)                                                                               \
    {                                                                                              \
        1, 1, 1, one, zero, (double[]) {                                                           \
            value                                                                                  \
        }                                                                                          \
    }
    const gos_matrix_view M = ENTRY(m), K = ENTRY(k), G = ENTRY(g), H = ENTRY(g), E = ENTRY(-eps),
                          B = ENTRY(b), F = ENTRY(0.7), Y = ENTRY(1), Z = ENTRY(5);
    // m q'' + k q + g phi = b u, -eps phi + g q = 0.7 u, y = q + 5 phi
    gos_linear_blocks blocks = {.coordinates = 1, .potentials = 1, .inputs = 1, .outputs = 1};
    blocks.block[GOS_BLOCK_M] = &M;
    blocks.block[GOS_BLOCK_K] = &K;
    blocks.block[GOS_BLOCK_G_phi] = &G;
    blocks.block[GOS_BLOCK_H_phi] = &H;
    blocks.block[GOS_BLOCK_K_phi] = &E;
    blocks.block[GOS_BLOCK_B] = &B;
    blocks.block[GOS_BLOCK_B_phi] = &F;
    blocks.block[GOS_BLOCK_Y_q] = &Y;
    blocks.block[GOS_BLOCK_Y_phi] = &Z;
    need(gos_linear_from_blocks(ctx, &blocks, &l));
    gos_plant p;
    need(gos__plant_make(ctx, l, &p));
    assert_int_equal(p.n, 2);
    near_abs(p.A[1], -(k + g * g / eps) / m, 1e-13);
    near_abs(p.B[1], (b + g * 0.7 / eps) / m, 1e-14);
    near_abs(p.C[0], 1 + 5 * g / eps, 1e-13);
    near_abs(p.D[0], -5 * 0.7 / eps, 1e-14);
    double H1[2], H2[2];
    const double omega = 3.3;
    need(gos__plant_response(ctx, &p, omega, H1));
    need(gos_linear_response(ctx, l, 1, &omega, H2));
    near_abs(H1[0], H2[0], 1e-12);
    near_abs(H1[1], H2[1], 1e-12);
    gos__plant_free(ctx, &p);
    gos_linear_destroy(l);
}

static int suite(void) {
#define T(test) cmocka_unit_test_setup(test, context_clear)
    const struct CMUnitTest tests[] = {
        T(test_double_integrator),
        T(test_oscillator),
        T(test_cross_term),
        T(test_filter),
        T(test_random),
        T(test_lyapunov),
        T(test_refused),
        T(test_norm),
        T(test_margins),
        T(test_separation),
        T(test_potentials),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
