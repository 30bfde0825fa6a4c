/* The hub-beam: a floating beam clamped to a hub that turns about a fixed axis, under a force that
   turns with the hub, both coupling levels, against an independent solver in minimal coordinates
   (hub angle and nodal deflections in hub axes). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* ---- the independent solver ------------------------------------------------------------------ */

#define NE 4
#define N (2 * NE) // deflections and slopes of all nodes but the clamped one
static const double rho_A = 2767 * 2.5e-4, EI = 6.895e10 * 1.302e-10, L = 1.8, r0 = 0.1, J_H = 0.25;
static const double F_end[2] = {4, 0.2};

/* The force grows smoothly for so long [s], as no mode then rings that steps cannot follow; 0: it
   is there at once. J + p^T Q p and b of the moment of inertia, M, K, what F1 does (B) and what
   rotation does (Q: M, less K_omega at first order) */
typedef struct arm {
    bool first;
    double ramp;
    double J, b[N], M[N * N], K[N * N], B[N * N], Q[N * N];
} arm;

/* int f(x) g g^T over the element e by its matrix for f = 1, textbook entries, or by Simpson's rule
   on 40 pieces for slopes with an axial force */
static void add(double *A, int e, double S[4][4]) {
    for (int k = 0; k < 16; k++) {
        const int i = 2 * (e - 1) + k / 4, j = 2 * (e - 1) + k % 4;
        if (i >= 0 && j >= 0) {
            A[N * i + j] += S[k / 4][k % 4];
        }
    }
}

static void centrifugal(int e, double h, double S[4][4]) {
    memset(S, 0, 16 * sizeof(double));
    for (int g = 0; g <= 40; g++) {
        const double xi = g / 40.0, x = r0 + h * (e + xi);
        const double weight = h / 120 * (g == 0 || g == 40 ? 1 : g % 2 ? 4 : 2);
        const double d[4] = {6 * (xi * xi - xi) / h, 1 - 4 * xi + 3 * xi * xi,
                             6 * (xi - xi * xi) / h, 3 * xi * xi - 2 * xi};
        for (int k = 0; k < 16; k++) {
            S[k / 4][k % 4] +=
                weight * rho_A / 2 * ((r0 + L) * (r0 + L) - x * x) * d[k / 4] * d[k % 4];
        }
    }
}

static void make_arm(arm *a, bool first) {
    const double h = L / NE, m = rho_A * h / 420, k = EI / (h * h * h), f = 1 / (30 * h);
    double M[4][4] = {{156 * m, 22 * h * m, 54 * m, -13 * h * m},
                      {22 * h * m, 4 * h * h * m, 13 * h * m, -3 * h * h * m},
                      {54 * m, 13 * h * m, 156 * m, -22 * h * m},
                      {-13 * h * m, -3 * h * h * m, -22 * h * m, 4 * h * h * m}};
    double K[4][4] = {{12 * k, 6 * h * k, -12 * k, 6 * h * k},
                      {6 * h * k, 4 * h * h * k, -6 * h * k, 2 * h * h * k},
                      {-12 * k, -6 * h * k, 12 * k, -6 * h * k},
                      {6 * h * k, 2 * h * h * k, -6 * h * k, 4 * h * h * k}};
    double B[4][4] = {{36 * f, 3 * h * f, -36 * f, 3 * h * f},
                      {3 * h * f, 4 * h * h * f, -3 * h * f, -h * h * f},
                      {-36 * f, -3 * h * f, 36 * f, -3 * h * f},
                      {3 * h * f, -h * h * f, -3 * h * f, 4 * h * h * f}};
    double W[4][4], Q[N * N] = {0};
    *a = (arm){.first = first, .J = J_H + rho_A * (pow(r0 + L, 3) - pow(r0, 3)) / 3};
    for (int e = 0; e < NE; e++) {
        centrifugal(e, h, W);
        add(a->M, e, M);
        add(a->K, e, K);
        add(a->B, e, B);
        add(Q, e, W);
        for (int i = 0; i < 4; i++) { // int rho A (r0 + x) N_i
            const double own[4] = {3 * h * h / 20, h * h * h / 30, 7 * h * h / 20, -h * h * h / 20};
            const double one[4] = {h / 2, h * h / 12, h / 2, -h * h / 12};
            const int at = 2 * (e - 1) + i;
            if (at >= 0) {
                a->b[at] += rho_A * (own[i] + (r0 + h * e) * one[i]);
            }
        }
    }
    for (int i = 0; i < N * N; i++) {
        a->Q[i] = a->M[i] - (first ? Q[i] : 0);
        a->B[i] = first ? a->B[i] : 0;
    }
}

static double square(const double *A, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < N * N; i++) {
        sum += x[i / N] * A[i] * y[i % N];
    }
    return sum;
}

/* y = (theta, p), then rates */
static void rates(const arm *a, double t, const double *y, double *yd) {
    const int n = N + 1;
    const double *p = y + 1, *pd = y + n + 1, w = y[n];
    const double grown = t < a->ramp ? 0.5 * (1 - cos(M_PI * t / a->ramp)) : 1;
    const double F[2] = {grown * F_end[0], grown * F_end[1]};
    double A[(N + 1) * (N + 1)], x[N + 1];
    const double u1 = -0.5 * square(a->B, p, p), u2 = p[N - 2];
    A[0] = a->J + square(a->Q, p, p);
    x[0] = (r0 + L + u1) * F[1] - u2 * F[0] - 2 * w * square(a->Q, p, pd);
    for (int i = 0; i < N; i++) {
        x[1 + i] = i == N - 2 ? F[1] : 0;
        A[1 + i] = A[n * (1 + i)] = a->b[i];
        for (int j = 0; j < N; j++) {
            A[n * (1 + i) + 1 + j] = a->M[N * i + j];
            x[1 + i] +=
                (-a->K[N * i + j] + w * w * a->Q[N * i + j] - F[0] * a->B[N * i + j]) * p[j];
        }
    }
    for (int k = 0; k < n; k++) { // elimination, positive definite
        for (int i = k + 1; i < n; i++) {
            const double f = A[n * i + k] / A[n * k + k];
            x[i] -= f * x[k];
            for (int j = k; j < n; j++) {
                A[n * i + j] -= f * A[n * k + j];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= A[n * i + j] * x[j];
        }
        x[i] /= A[n * i + i];
    }
    memcpy(yd, y + n, (size_t)n * sizeof *yd);
    memcpy(yd + n, x, (size_t)n * sizeof *yd);
}

static void runge_kutta(const arm *a, double t, double h, double *y) {
    enum { n = 2 * (N + 1) };
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[n] = {0}, sum[n] = {0}, z[n];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) {
            z[i] = y[i] + h * at[s] * k[i];
        }
        rates(a, t + h * at[s], z, k);
        for (int i = 0; i < n; i++) {
            sum[i] += h / 6 * weight[s] * k[i];
        }
    }
    for (int i = 0; i < n; i++) {
        y[i] += sum[i];
    }
}

/* ---- the model ------------------------------------------------------------------------------- */

static const char model[] =
    "parameters: {w0: 1, axial: 0}\n"
    "materials: {alu: {density: 2767, young: 6.895e10, poisson: 0.3}}\n"
    "sections: {bar: {type: general, area: 2.5e-4, Iy: 1.0e-9, Iz: 1.302e-10, J: 1.0e-9}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.25, 0.25, 0.25], angular_velocity: [0, 0, w0],\n"
    "        points: {rim: [0.1, 0, 0]}}\n"
    "  arm: {type: floating_beam, material: alu, section: bar, from: [0.1, 0, 0], to: [1.9, 0, 0], "
    "elements: 4,\n"
    "        axial: rigid, torsion: rigid, bending: y, coupling: %s, velocity: [0, 0.1*w0, 0],\n"
    "        angular_velocity: [0, 0, w0]}\n"
    "joints:\n"
    "  axle: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  root: {type: clamp, between: [hub.rim, arm.start]}\n"
    "loads:\n"
    "  tip: {type: force, on: arm.end, frame: hub, value: [%s, %s, 0]}\n"
    "probes:\n"
    "  theta: {at: hub.node, quantity: rotation_vector}\n"
    "  tip: {at: arm.end, quantity: displacement, frame: hub}\n"
    "analysis: {type: dynamic, end: 5, step: %g}\n";

/* with a force that grows for `ramp` (0: at once): largest errors of angle [rad] and deflection [m]
 * over 5 s with steps of h; *peak: the largest deflection */
static void run(const char *coupling, double w0, double ramp, double h, double error[2],
                double *peak) {
    enum { every = 50 }; // of 10^4 steps of the solver a second
    char text[sizeof model + 200], set[40];
    arm a;
    verify v;
    double y[2 * (N + 1)] = {0};
    const char *const at_once[] = {"4", "0.2"};
    const char *const grows[] = {"'4*(t < 0.5 ? (1-cos(2*pi*t))/2 : 1)'",
                                 "'0.2*(t < 0.5 ? (1-cos(2*pi*t))/2 : 1)'"};
    const char *const *force = ramp > 0 ? grows : at_once;
    snprintf(text, sizeof text, model, coupling, force[0], force[1], h);
    snprintf(set, sizeof set, "w0=%g", w0);
    make_arm(&a, coupling[0] == 'f');
    a.ramp = ramp;
    y[N + 1] = w0;
    verify_text(&v, text, set);
    verify_start(&v);
    error[0] = error[1] = *peak = 0;
    for (int i = 1; i <= 1000; i++) {
        const double t = 5e-3 * i;
        for (int k = 0; k < every; k++) {
            runge_kutta(&a, 5e-3 * (i - 1) + 1e-4 * k, 1e-4, y);
        }
        const gos_state *x = verify_at(&v, t);
        const double turn = verify_value(&v, x, "theta.z") - y[0]; // but for whole turns
        error[0] = fmax(error[0], fabs(remainder(turn, 2 * M_PI)));
        error[1] = fmax(error[1], fabs(verify_value(&v, x, "tip.y") - y[N - 1]));
        *peak = fmax(*peak, fabs(y[N - 1]));
    }
    verify_close(&v);
}

/* Peaks of floating-frame theory 5.1: 0.0205 and 0.0195 m, and by the zeroth order 0.069 and 0.184
   m (over 10 s). The error of generalised-alpha is of second order. */
static void test_levels(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        const char *coupling = i < 2 ? "first" : "zeroth";
        double coarse[2], fine[2], peak;
        print_message("%s order, %d rad/s\n", coupling, 1 + i % 2);
        run(coupling, 1 + i % 2, 0, 1e-3, fine, &peak);
        verify_near("largest deflection [m]", peak, i == 0 ? 0.0205 : i == 1 ? 0.0195 : peak, 2e-4);
        verify_below("error of the angle [rad]", fine[0], 1e-4);
        verify_below("error of the deflection [m]", fine[1], 1e-2 * peak);
        run(coupling, 1 + i % 2, 0.5, 2e-3, coarse, &peak);
        run(coupling, 1 + i % 2, 0.5, 1e-3, fine, &peak);
        verify_within("order of the angle", verify_order(coarse[0], fine[0], 2), 1.8, 2.2);
        verify_within("order of the deflection", verify_order(coarse[1], fine[1], 2), 1.8, 2.2);
        verify_below("error of the angle [rad]", fine[0], 1e-4);
        verify_below("error of the deflection [m]", fine[1], 5e-4 * peak);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
