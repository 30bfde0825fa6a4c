/* Frames of beams and flexible bodies in the axes of a frame: frequencies, stress stiffness and integrals over the mass
   against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "fe/beam_frame.h"
#include "gossamer/reduce_linear.h"
#include "linalg/dense.h"

#define MOST 64

/* a straight beam of ne elements from the origin along a unit vector, with axes that need not be the body's */
typedef struct beam {
    gos_ctx *ctx;
    double x[MOST + 1][3];
    gos_fe_beam element[MOST];
    gos_fe_frame frame;
    gos_flex *flex;
} beam;

/* the hub-beam's data: L = 1.8 m, E = 68.95 GPa */
static const gos_fe_beam arm = {.line_mass = 2767 * 2.5e-4,
                                .inertia = {2767 * 1.302e-10, 2767 * 2e-10},
                                .EA = 6.895e10 * 2.5e-4,
                                .EI = {6.895e10 * 1.302e-10, 6.895e10 * 2e-10},
                                .GJ = 3.1};
/* unit data */
static const gos_fe_beam unit = {
    .line_mass = 1, .inertia = {1e-3, 2e-3}, .EA = 1e4, .EI = {1, 4}, .GJ = 2};

static const double along_x[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
/* rows of a rotation: unit vectors across each other */
static const double skew[3][3] = {
    {2.0 / 3, 2.0 / 3, 1.0 / 3}, {-2.0 / 3, 1.0 / 3, 2.0 / 3}, {1.0 / 3, -2.0 / 3, 2.0 / 3}};

static void make(beam *b, const gos_fe_beam *data, double length, int ne, const double axis[3][3],
                 bool rotary) {
    *b = (beam){.ctx = gos_ctx_create()};
    for (int i = 0; i <= ne; i++) {
        for (int c = 0; c < 3; c++) {
            b->x[i][c] = length * i / ne * axis[0][c];
        }
    }
    for (int e = 0; e < ne; e++) {
        b->element[e] = *data;
        b->element[e].node[0] = e;
        b->element[e].node[1] = e + 1;
        memcpy(b->element[e].axis, axis, sizeof b->element[e].axis);
    }
    b->frame = (gos_fe_frame){
        .nnode = ne + 1, .nbeam = ne, .x = b->x, .beam = b->element, .rotary = rotary};
    assert_int_equal(gos__fe_frame_make(b->ctx, &b->frame, &b->flex), GOS_OK);
}

static void hold(beam *b, gos_flex_condition condition) {
    assert_int_equal(gos__flex_hold(b->flex, condition, 0, b->frame.nnode - 1), GOS_OK);
    assert_int_equal(gos__fe_frame_stiffen(&b->frame, condition, b->flex), GOS_OK);
}

/* leave out all freedoms but those in `kept`, "01234 5" by number */
static void keep(beam *b, const char *kept) {
    bool dropped[6 * (MOST + 1)] = {false};
    for (int k = 0; k < b->flex->n; k++) {
        dropped[k] = !strchr(kept, '0' + k % 6);
    }
    assert_int_equal(gos__flex_drop(b->flex, dropped), GOS_OK);
}

static void end(beam *b) {
    gos__flex_destroy(b->flex);
    gos_ctx_destroy(b->ctx);
}

/* the lowest frequencies [rad/s] */
static void lowest(const beam *b, int n, double *omega) {
    gos_linear *l;
    gos_mode mode[16];
    int found;
    assert_int_equal(gos__flex_linear(b->flex, 0, NULL, 0, NULL, &l), GOS_OK);
    assert_int_equal(gos_linear_modes(b->ctx, l, n, false, mode, &found), GOS_OK);
    assert_int_equal(found, n);
    for (int i = 0; i < n; i++) {
        omega[i] = mode[i].omega;
    }
    gos_linear_destroy(l);
}

/* the body with loads as inputs, and with the outputs conjugate to loads */
static gos_linear *linear_of(const gos_flex *f, int nu, const gos_flex_input *in, int ny,
                             const gos_flex_input *out) {
    gos_linear *l;
    gos_flex_port port[8];
    double *load = calloc((size_t)(f->n * 8), sizeof *load);
    for (int i = 0; i < nu + ny; i++) {
        port[i] = (gos_flex_port){"a", "", load + i * f->n};
        gos__flex_load(f, i < nu ? &in[i] : &out[i - nu], 1, load + i * f->n);
    }
    assert_int_equal(gos__flex_linear(f, nu, port, ny, port + nu, &l), GOS_OK);
    free(load);
    return l;
}

static void near(double got, double want, double tol) {
    if (!(fabs(got - want) <= tol)) {
        print_error("%.12g, not %.12g: %.3g off, %.3g allowed\n", got, want, fabs(got - want), tol);
    }
    assert_true(fabs(got - want) <= tol);
}

/* ---- frequencies ----------------------------------------------------------------------------------- */

/* floating-frame theory 5.1: 20 elements of the clamped hub-beam, to all digits given there */
static void test_clamped(void **state) {
    (void)state;
    static const double bending[3] = {3.90934329, 24.49948629, 68.60025001};
    double omega[3];
    beam b;
    make(&b, &arm, 1.8, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "15");
    assert_int_equal(b.flex->n, 40);
    assert_int_equal(b.flex->C.m, 0);
    lowest(&b, 3, omega);
    for (int i = 0; i < 3; i++) {
        near(omega[i], bending[i], 1e-8 * bending[i]);
    }
    end(&b);
    make(&b, &arm, 1.8, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "0");
    lowest(&b, 1, omega);
    near(omega[0], 4357.34096, 1e-5);
    end(&b);
}

/* chord: pinned at both ends, (j pi / L)^2 sqrt(EI / rho A); free: roots of cos cosh = 1; the error of cubic elements is
   (k h)^4 / 720 of the frequency */
static void test_conditions(void **state) {
    (void)state;
    static const double free_free[2] = {22.3732854478, 61.6728228676}, L = 2;
    double omega[4];
    beam b;
    make(&b, &unit, L, 20, along_x, false);
    hold(&b, GOS_FLEX_CHORD);
    keep(&b, "15");
    lowest(&b, 2, omega);
    for (int j = 1; j <= 2; j++) {
        const double k = j * M_PI / L, h = L / 20;
        near(omega[j - 1], k * k * (1 + pow(k * h, 4) / 1440), 1e-7 * k * k);
    }
    end(&b);
    make(&b, &unit, L, 20, along_x, false);
    hold(&b, GOS_FLEX_MEAN_AXIS);
    keep(&b, "15");
    assert_int_equal(b.flex->C.m, 2); // translation along y, rotation about z
    lowest(&b, 2, omega);
    for (int j = 0; j < 2; j++) {
        near(omega[j], free_free[j] / (L * L), 2e-5 * omega[j]);
    }
    end(&b);
}

/* with rotary inertia (Rayleigh), pinned: omega^2 = EI k^4 / (rho A (1 + k^2 I / A)); twist, clamped and free:
   pi / (2 L) sqrt(GJ / rho J) of linear elements: lambda + lambda^2 h^2 / 12 */
static void test_rotary(void **state) {
    (void)state;
    const double L = 2, k = M_PI / L, h = L / 20;
    double omega[1];
    beam b;
    make(&b, &unit, L, 20, along_x, true);
    hold(&b, GOS_FLEX_CHORD);
    keep(&b, "15");
    lowest(&b, 1, omega);
    near(omega[0], k * k / sqrt(1 + k * k * unit.inertia[0]), 1e-6 * k * k);
    end(&b);
    for (int rotary = 0; rotary < 2; rotary++) { // that about the axis is there always
        make(&b, &unit, L, 20, along_x, rotary);
        hold(&b, GOS_FLEX_CLAMPED);
        keep(&b, "3");
        lowest(&b, 1, omega);
        const double lambda = pow(k / 2, 2), c2 = 2 / 3e-3;
        near(omega[0] * omega[0], c2 * (lambda + lambda * lambda * h * h / 12), 1e-6 * c2 * lambda);
        end(&b);
    }
}

/* axes of the body do not matter */
static void test_turned(void **state) {
    (void)state;
    double omega[2][8];
    beam b;
    for (int turned = 0; turned < 2; turned++) {
        make(&b, &unit, 2, 8, turned ? skew : along_x, true);
        hold(&b, GOS_FLEX_CLAMPED);
        keep(&b, "012345");
        lowest(&b, 8, omega[turned]);
        end(&b);
    }
    for (int i = 0; i < 8; i++) {
        near(omega[1][i], omega[0][i], 1e-9 * omega[0][i]);
    }
}

/* ---- stress stiffness ------------------------------------------------------------------------------ */

/* entry of a sparse matrix */
static double entry(const gos_sparse *A, int i, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* z^T S z of the deflection w = c1 x + c2 x^2 along local y, which cubic elements hold exactly */
static double form_of(const beam *b, const gos_sparse *S, double c1, double c2) {
    double z[6 * (MOST + 1)] = {0}, sum = 0;
    for (int i = 0; i < b->frame.nnode; i++) {
        const gos_fe_beam *e = &b->element[0];
        const double *p = b->x[i];
        const double x = p[0] * e->axis[0][0] + p[1] * e->axis[0][1] + p[2] * e->axis[0][2];
        for (int c = 0; c < 3; c++) {
            z[6 * i + c] = (c1 * x + c2 * x * x) * e->axis[1][c];
            z[6 * i + 3 + c] = (c1 + 2 * c2 * x) * e->axis[2][c];
        }
    }
    for (int j = 0; j < S->n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            sum += z[S->i[k]] * S->x[k] * z[j];
        }
    }
    return sum;
}

/* sum of the weights of a node's displacement of second order along c, times its forms */
static double second_of(const beam *b, int node, int c, double c1, double c2) {
    const gos_sparse *W = &b->flex->second;
    double sum = 0;
    for (int k = W->p[3 * node + c]; k < W->p[3 * node + c + 1]; k++) {
        sum += W->x[k] * form_of(b, &b->flex->form[W->i[k]], c1, c2);
    }
    return sum;
}

/* Clamped, w = x^2: the end comes back by int w'^2 = 4 L^3 / 3 (twice the displacement), the middle by L^3 / 6;
   int rho A (L - x) w'^2 = rho A L^4 / 3, int rho A (L^2 - x^2) / 2 w'^2 = 4 rho A L^5 / 15. */
static void test_clamped_forms(void **state) {
    (void)state;
    const double L = 2;
    beam b;
    for (int turned = 0; turned < 2; turned++) {
        const double(*axis)[3] = turned ? skew : along_x;
        make(&b, &unit, L, 8, axis, false);
        hold(&b, GOS_FLEX_CLAMPED);
        double moment = 0;
        for (int c = 0; c < 3; c++) {
            near(second_of(&b, 8, c, 0, 1), -4 * L * L * L / 3 * axis[0][c], 1e-8);
            near(second_of(&b, 4, c, 0, 1), -L * L * L / 6 * axis[0][c], 1e-8);
            near(form_of(&b, &b.flex->moment[4 * c], 0, 1), -pow(L, 4) / 3 * axis[0][c], 1e-8);
            for (int d = 0; d < 3; d++) { // X_d e_c: along the beam by both
                const double want = -4 * pow(L, 5) / 15 * axis[0][c] * axis[0][d];
                near(form_of(&b, &b.flex->moment[4 * c + 1 + d], 0, 1), want, 1e-8);
                moment += form_of(&b, &b.flex->moment[4 * c + 1 + d], 0, 1);
            }
        }
        assert_true(fabs(moment) > 1);
        assert_int_equal(turned ? 0 : b.flex->moment[4].nnz,
                         0); // loads across it make no axial force
        end(&b);
    }
}

/* The chord's start is held: N = rho A (L - x) as before, and w = x (L - x): int w'^2 = L^3 / 3,
   int (L - x) w'^2 = L^4 / 6. Mean axes: inertia takes up a uniform load, and of one that grows along the beam
   N = rho A (L x - x^2) / 2 stays: int N w'^2 of w = x^2 is rho A L^5 / 10. */
static void test_other_forms(void **state) {
    (void)state;
    const double L = 2;
    beam b;
    make(&b, &unit, L, 8, along_x, false);
    hold(&b, GOS_FLEX_CHORD);
    near(second_of(&b, 8, 0, L, -1), -L * L * L / 3, 1e-10);
    near(form_of(&b, &b.flex->moment[0], L, -1), -pow(L, 4) / 6, 1e-9);
    end(&b);
    make(&b, &unit, L, 8, along_x, false);
    hold(&b, GOS_FLEX_MEAN_AXIS);
    near(form_of(&b, &b.flex->moment[0], 0, 1), 0, 1e-9);
    near(form_of(&b, &b.flex->moment[1], 0, 1), -pow(L, 5) / 10, 1e-9);
    // a force at the end is taken up along the beam, N = x / L: int N w'^2 = L^3, to the order of the elements
    near(second_of(&b, 8, 0, 0, 1), -L * L * L, 0.01 * L * L * L);
    end(&b);
}

/* Spinning cantilever, flap: omega^2 of K + Omega^2 int N w'^2 with N = rho A (L^2 - x^2) / 2. Values for Omega = 1, 2, 6, 12 in
   units of sqrt(EI / (rho A L^4)): Wright et al., J. Appl. Mech. 49 (1982) 197, to the digits of their table. */
static void test_spinning(void **state) {
    (void)state;
    static const double rate[4] = {1, 2, 6, 12}, want[4] = {3.6816, 4.1373, 7.3604, 13.1702};
    beam b;
    make(&b, &unit, 1, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "15");
    gos_linear *l;
    assert_int_equal(gos__flex_linear(b.flex, 0, NULL, 0, NULL, &l), GOS_OK);
    const int n = b.flex->n;
    double *K = calloc((size_t)n * (size_t)n, sizeof *K),
           *M = calloc((size_t)n * (size_t)n, sizeof *M);
    for (int i = 0; i < 4; i++) {
        double lambda, x[2 * MOST];
        memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
        memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
        const gos_sparse *A[3] = {&l->K, &b.flex->moment[1], &l->M};
        for (int m = 0; m < 3; m++) {
            for (int j = 0; j < n; j++) {
                for (int k = A[m]->p[j]; k < A[m]->p[j + 1]; k++) {
                    (m < 2 ? K : M)[A[m]->i[k] + j * n] +=
                        (m == 1 ? -rate[i] * rate[i] : 1) * A[m]->x[k];
                }
            }
        }
        assert_int_equal(gos__dense_pencil(b.ctx, n, K, M, 1, &lambda, x), GOS_OK);
        near(sqrt(lambda), want[i], 6e-5);
    }
    free(K);
    free(M);
    gos_linear_destroy(l);
    end(&b);
}

/* The mean point: of w = x^2 it moves by L^2 / 3, and back, with N = 1 - x / L, by int N w'^2 = L^3 / 3 (twice that). */
static void test_mean_point(void **state) {
    (void)state;
    const double L = 2;
    beam b;
    make(&b, &unit, L, 8, skew, false);
    hold(&b, GOS_FLEX_CLAMPED);
    const int mean = gos__fe_mean(&b.frame);
    for (int c = 0; c < 3; c++) {
        double u = 0;
        for (int i = 0; i <= 8; i++) {
            const double x = L * i / 8;
            for (int k = 0; k < 3; k++) {
                u += entry(&b.flex->move, 6 * i + k, 3 * mean + c) * x * x * skew[1][k];
                u += entry(&b.flex->move, 6 * i + 3 + k, 3 * mean + c) * 2 * x * skew[2][k];
            }
        }
        near(u, L * L / 3 * skew[1][c], 1e-12);
        near(b.flex->x[mean][c], L / 2 * skew[0][c], 1e-12);
        near(second_of(&b, mean, c, 0, 1), -L * L * L / 3 * skew[0][c], 1e-8);
    }
    end(&b);
}

/* A rigid mass at the end: with rates of the axes a_c' = w x e_c and of the end, u' and theta', it has the energy
   m |w x X + u'|^2 / 2 + (w + theta') . I (w + theta') / 2; and its centrifugal force stretches the beam. */
static void test_mass(void **state) {
    (void)state;
    const gos_fe_mass mass = {.node = 8, .mass = 3, .inertia = {0.4, 0.5, 0.7}};
    const double w[3] = {0.3, -0.5, 0.7}, ud[3] = {0.2, 0.1, -0.4}, td[3] = {-0.6, 0.3, 0.5};
    double T[2], end_x[3] = {0};
    for (int with = 0; with < 2; with++) {
        beam b;
        make(&b, &unit, 2, 8, skew, false);
        gos__flex_destroy(b.flex);
        b.frame.mass = &mass;
        b.frame.nmass = with;
        assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
        const gos_sparse *G = &b.flex->gram;
        double rate[GOS_FLEX_RIGID + 3 * 54][3] = {{0}};
        memcpy(end_x, b.x[8], sizeof end_x);
        for (int c = 0; c < 3; c++) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            rate[1 + c][p] = w[q]; // w x e_c
            rate[1 + c][q] = -w[p];
            rate[gos__flex_at(48 + c, c)][c] =
                ud[c]; // along its own axis: the axes are those of space
            for (int d = 0; d < 3; d++) {
                rate[gos__flex_at(51 + c, d)][d] = td[c];
            }
        }
        T[with] = 0;
        for (int j = 0; j < G->n; j++) {
            for (int k = G->p[j]; k < G->p[j + 1]; k++) {
                for (int l = 0; l < 3; l++) {
                    T[with] += 0.5 * G->x[k] * rate[G->i[k]][l] * rate[j][l];
                }
            }
        }
        end(&b);
    }
    double want = 0;
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        const double v = w[p] * end_x[q] - w[q] * end_x[p] + ud[c];
        want += 0.5 * mass.mass * v * v + 0.5 * mass.inertia[c] * pow(w[c] + td[c], 2);
    }
    near(T[1] - T[0], want, 1e-12);
    beam b;
    make(&b, &unit, 2, 8, along_x, false);
    gos__flex_destroy(b.flex);
    b.frame.mass = &mass;
    b.frame.nmass = 1;
    assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
    hold(&b, GOS_FLEX_CLAMPED);
    // N = m L + rho A (L^2 - x^2) / 2: of w = x^2
    near(form_of(&b, &b.flex->moment[1], 0, 1), -4 * pow(2, 5) / 15 - 3 * 2 * 4 * 8 / 3.0, 1e-8);
    end(&b);
}

/* ---- integrals over the mass ------------------------------------------------------------------------ */

/* mass, int X dm, int X X^T dm; for w = x^2 along y: int w dm = L^3 / 3, int x w dm = L^4 / 4, int w^2 dm = L^5 / 5;
   against the stretch u = x: int u w dm = L^4 / 4 (rho A = 1) */
static void test_gram(void **state) {
    (void)state;
    const double L = 2;
    beam b;
    make(&b, &unit, L, 8, along_x, true);
    const gos_sparse *G = &b.flex->gram;
    near(entry(G, 0, 0), L, 1e-13);
    near(entry(G, 0, 1), L * L / 2, 1e-13);
    near(entry(G, 1, 1), L * L * L / 3, 1e-13);
    near(entry(G, 2, 2), unit.inertia[0] * L, 1e-15); // of the section alone
    near(entry(G, 3, 3), unit.inertia[1] * L, 1e-15);
    double sum[4] = {0};
    for (int i = 0; i <= 8; i++) {
        const double x = b.x[i][0];
        for (int t = 0; t < 2; t++) { // value and slope of w at node i
            const int p = gos__flex_at(6 * i + (t ? 5 : 1), 1);
            const double z = t ? 2 * x : x * x;
            sum[0] += z * entry(G, 0, p);
            sum[1] += z * entry(G, 1, p);
            for (int j = 0; j <= 8; j++) {
                const double y = b.x[j][0];
                sum[3] += z * y * entry(G, gos__flex_at(6 * j, 0), p);
                for (int s = 0; s < 2; s++) {
                    const int q = gos__flex_at(6 * j + (s ? 5 : 1), 1);
                    sum[2] += z * (s ? 2 * y : y * y) * entry(G, q, p);
                }
            }
        }
    }
    near(sum[0], pow(L, 3) / 3, 1e-12);
    near(sum[1], pow(L, 4) / 4, 1e-12);
    near(sum[2], pow(L, 5) / 5, 1e-11);
    near(sum[3], pow(L, 4) / 4, 1e-12);
    end(&b);
    // inertia of sections about the axis alone: nothing about the others
    make(&b, &unit, L, 8, along_x, false);
    G = &b.flex->gram;
    near(entry(G, 1, 1) + entry(G, 2, 2), L * L * L / 3, 1e-13);
    near(entry(G, 1, 1) + entry(G, 3, 3), L * L * L / 3, 1e-13);
    near(entry(G, 2, 2) + entry(G, 3, 3), (unit.inertia[0] + unit.inertia[1]) * L, 1e-15);
    end(&b);
}

/* At the nodes of an element its section turns by the freedoms that are rotations, and moves by the others. */
static void test_section(void **state) {
    (void)state;
    gos_fe_section s;
    gos_fe_beam b = unit;
    memcpy(b.axis, skew, sizeof b.axis);
    for (int node = 0; node < 2; node++) {
        gos__fe_beam_section(&b, 0.7, node, &s);
        for (int k = 0; k < 12; k++) {
            for (int c = 0; c < 3; c++) {
                near(s.u[k][c], k == 6 * node + c, 1e-14);
                near(s.turn[k][c], k == 6 * node + 3 + c, 1e-14);
            }
        }
    }
}

/* The Gram matrix of a skew beam with section inertia: T = e'^T G e' / 2 of any rates of the fields is the kinetic energy of
   particles, x' = r' + sum a_c' (X_c + u_c) + a_c u_c', integrated by 40 points in each element and two across each direction
   of the section. */
static void test_energy(void **state) {
    (void)state;
    beam b;
    const int ne = 3, points = 40;
    make(&b, &unit, 1.5, ne, skew, true);
    const int n = b.flex->n, order = GOS_FLEX_RIGID + 3 * n;
    double rate[GOS_FLEX_RIGID + 3 * 6 * 4][3], axis[3][3], zd[24], z[24], sum = 0, want = 0;
    srand(3);
    for (int c = 0; c < 9; c++) {
        axis[c / 3][c % 3] = rand() / (double)RAND_MAX - 0.5;
    }
    for (int k = 0; k < n; k++) {
        z[k] = rand() / (double)RAND_MAX - 0.5;
        zd[k] = rand() / (double)RAND_MAX - 0.5;
    }
    for (int i = 0; i < order; i++) { // rates of r, a_c and a_c z_k
        for (int l = 0; l < 3; l++) {
            const int k = (i - GOS_FLEX_RIGID) / 3, c = (i - GOS_FLEX_RIGID) % 3;
            rate[i][l] = i < GOS_FLEX_RIGID ? rand() / (double)RAND_MAX - 0.5
                                            : rate[1 + c][l] * z[k] + axis[c][l] * zd[k];
        }
    }
    for (int j = 0; j < order; j++) {
        for (int p = b.flex->gram.p[j]; p < b.flex->gram.p[j + 1]; p++) {
            for (int l = 0; l < 3; l++) {
                sum += b.flex->gram.x[p] * rate[b.flex->gram.i[p]][l] * rate[j][l];
            }
        }
    }
    for (int g = 0; g < ne * points * 4; g++) {
        // the middle of small pieces: Simpson would do as well; two points across each direction have the section's moments
        const int e = g / (4 * points), at = g / 4 % points, dir = g % 4 / 2;
        const double h = 0.5, xi = (at + 0.5) / points;
        const double off = (g % 2 ? 1 : -1) * sqrt(2 * unit.inertia[dir]);
        gos_fe_section s;
        gos__fe_beam_section(&b.element[e], h, xi, &s);
        double v[3] = {rate[0][0], rate[0][1], rate[0][2]};
        for (int c = 0; c < 3; c++) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            const double *d = b.element[e].axis[1 + dir];
            double u = (1 - xi) * b.x[e][c] + xi * b.x[e + 1][c] + off * d[c], ud = 0;
            for (int k = 0; k < 12; k++) {
                const double f = s.u[k][c] + off * (s.turn[k][p] * d[q] - s.turn[k][q] * d[p]);
                u += f * z[6 * (e + k / 6) + k % 6];
                ud += f * zd[6 * (e + k / 6) + k % 6];
            }
            for (int l = 0; l < 3; l++) {
                v[l] += rate[1 + c][l] * u + axis[c][l] * ud;
            }
        }
        want += h / points / 4 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    near(sum, want, 2e-3 * want); // of the middle points; h^2
    end(&b);
}

/* ---- smaller spaces, damping, what is refused ------------------------------------------------------- */

static void test_project(void **state) {
    (void)state;
    beam b;
    make(&b, &arm, 1.8, 10, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "0123 45");
    const int n = b.flex->n;
    gos_linear *l;
    gos_mode mode[4];
    double *V = calloc(4 * (size_t)n, sizeof *V), omega[4];
    int found;
    assert_int_equal(gos__flex_linear(b.flex, 0, NULL, 0, NULL, &l), GOS_OK);
    assert_int_equal(gos_linear_shapes(b.ctx, l, 4, mode, V, &found), GOS_OK);
    gos_flex *whole = b.flex;
    assert_int_equal(gos__flex_project(whole, 4, V, &b.flex), GOS_OK);
    lowest(&b, 4, omega);
    for (int i = 0; i < 4; i++) {
        near(omega[i], mode[i].omega, 1e-9 * omega[i]);
    }
    // of the displacement of the end by the second mode, and of the field X_1 with it
    double u = 0, x = 0;
    for (int k = 0; k < n; k++) {
        u += entry(&whole->move, k, 3 * 10 + 1) * V[n + k];
        x += entry(&whole->gram, 1, gos__flex_at(k, 1)) * V[n + k];
    }
    near(entry(&b.flex->move, 1, 3 * 10 + 1), u, 1e-12);
    near(entry(&b.flex->gram, 1, gos__flex_at(1, 1)), x, 1e-12);
    near(entry(&b.flex->gram, 0, 0), 2767 * 2.5e-4 * 1.8, 1e-12);
    near(entry(&b.flex->second, 4, 3 * 10), -1, 1e-10); // forms of elements stay, each projected
    double s = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            s += V[n + i] * entry(&whole->moment[1], i, j) * V[j];
        }
    }
    near(entry(&b.flex->moment[1], 1, 0), s, 1e-9 * fabs(s));
    gos__flex_destroy(whole);
    gos_linear_destroy(l);
    free(V);
    end(&b);
}

/* every mode of a beam decays with the ratio that was given; Rayleigh: (a / omega + b omega) / 2; Kelvin-Voigt: gamma omega / 2
   with the factor of normal strains, or that of twist */
static void test_damping(void **state) {
    (void)state;
    static const char *const freedoms[] = {"012345", "012345", "01245", "3"};
    gos_fe_beam data = unit;
    data.gamma[0] = 0.004;
    data.gamma[1] = 0.001;
    for (int kind = 0; kind < 4; kind++) {
        beam b;
        make(&b, kind < 2 ? &unit : &data, 2, 6, along_x, false);
        gos__flex_destroy(b.flex);
        b.frame.damping[0] = kind == 0 ? 0.2 : 0;
        b.frame.damping[1] = kind == 0 ? 0.003 : 0;
        assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
        hold(&b, GOS_FLEX_CLAMPED);
        keep(&b, freedoms[kind]);
        gos_linear *l;
        gos_mode mode[5];
        int found;
        assert_int_equal(kind == 1 ? gos__flex_damp(b.flex, 0.02) : GOS_OK, GOS_OK);
        assert_int_equal(gos__flex_linear(b.flex, 0, NULL, 0, NULL, &l), GOS_OK);
        assert_int_equal(gos_linear_modes(b.ctx, l, 5, true, mode, &found), GOS_OK);
        for (int i = 0; i < 5; i++) {
            const double w = mode[i].omega;
            const double want[4] = {(0.2 / w + 0.003 * w) / 2, 0.02, 0.004 * w / 2, 0.001 * w / 2};
            near(mode[i].damping, want[kind], 1e-8);
        }
        gos_linear_destroy(l);
        end(&b);
    }
}

/* motions without deformation that nobody holds, by their names */
static void test_refused(void **state) {
    (void)state;
    static const char *const what[] = {"translation along x", "translation along y",
                                       "rotation about x", "rotation about z"};
    static const char *const freedom[] = {"0", "1", "3", "15"};
    for (int i = 0; i < 4; i++) {
        double omega;
        beam b;
        make(&b, &unit, 2, 4, along_x, false);
        bool dropped[30] = {false};
        for (int k = 0; k < 30; k++) { // pinned in the middle where it may turn
            dropped[k] = !strchr(freedom[i], '0' + k % 6) || (i == 3 && k == 2 * 6 + 1);
        }
        assert_int_equal(gos__flex_drop(b.flex, dropped), GOS_OK);
        assert_int_equal(gos__flex_check(b.flex, (gos_loc){0}, "body 'arm'", &omega), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(b.ctx), what[i]));
        end(&b);
    }
}

/* ---- loads ------------------------------------------------------------------------------------------- */

/* Statics of a cantilever, closed forms at its end, to which finite elements are exact at nodes: L = 2, EA = 1e4, EI_y = 1 and
   EI_z = 4, GJ = 2, rho A = 1. Triangular line load q at the end: 11 q L^4 / (120 EI); the twist of sections, whose inertia about
   the axis is 3e-3: theta = J L^2 / (2 GJ). */
static void test_loads(void **state) {
    (void)state;
    const double L = 2, EA = 1e4, J = 3e-3;
    const struct {
        gos_flex_input input, at; // what acts, and where the answer is read
        double want;
    } cases[] = {
        {{.load = GOS_FLEX_FORCE, .axis = 1, .node = 8}, {0}, L * L * L / 3},
        {{.load = GOS_FLEX_FORCE, .axis = 2, .node = 8}, {0}, L * L * L / 12},
        {{.load = GOS_FLEX_MOMENT, .axis = 2, .node = 8}, {.axis = 1}, L * L / 2},
        {{.load = GOS_FLEX_MOMENT, .axis = 1, .node = 8}, {.axis = 2}, -L * L / 8},
        {{.load = GOS_FLEX_ACCELERATION, .axis = 0}, {.axis = 0}, -L * L / (2 * EA)},
        {{.load = GOS_FLEX_ACCELERATION, .axis = 1}, {.axis = 1}, -pow(L, 4) / 8},
        {{.load = GOS_FLEX_EULER, .axis = 2}, {.axis = 1}, -11 * pow(L, 5) / 120},
        {{.load = GOS_FLEX_EULER, .axis = 1}, {.axis = 2}, 11 * pow(L, 5) / 480},
        {{.load = GOS_FLEX_EULER, .axis = 0}, {.load = GOS_FLEX_MOMENT, .axis = 0}, -J * L * L / 4},
        {{.load = GOS_FLEX_CENTRIFUGAL, .axis = 2, .other = 2}, {.axis = 0}, L * L * L / (3 * EA)},
        {{.load = GOS_FLEX_CENTRIFUGAL, .axis = 0, .other = 0}, {.axis = 0}, 0},
        {{.load = GOS_FLEX_CENTRIFUGAL, .axis = 0, .other = 1}, {.axis = 1}, -11 * pow(L, 5) / 120},
    };
    beam b;
    make(&b, &unit, L, 8, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "012345");
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        gos_flex_input at = i < 2 ? cases[i].input : cases[i].at;
        double H[2], omega = 0;
        at.node = 8;
        at.load = at.load == GOS_FLEX_MOMENT ? GOS_FLEX_MOMENT : GOS_FLEX_FORCE;
        gos_linear *l = linear_of(b.flex, 1, &cases[i].input, 1, &at);
        assert_int_equal(gos_linear_response(b.ctx, l, 1, &omega, H), GOS_OK);
        near(H[0], cases[i].want, 1e-9);
        gos_linear_destroy(l);
    }
    end(&b);
}

/* A skew beam that is free, at the angular velocity w: the sum of the loads along each axis is S w^2 - w (w . S) with
   S = int X dm = rho A L^2 / 2 along the beam. */
static void test_centrifugal(void **state) {
    (void)state;
    const double L = 2, w[3] = {0.3, -0.5, 0.7};
    double S[3], sum[3] = {0}, ww = 0, wS = 0, load[6 * 9];
    beam b;
    make(&b, &unit, L, 8, skew, false);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const gos_flex_input in = {.load = GOS_FLEX_CENTRIFUGAL, .axis = i, .other = j};
            memset(load, 0, sizeof load);
            gos__flex_load(b.flex, &in, 1, load);
            for (int k = 0; k < 54; k++) {
                sum[k % 3] += k % 6 < 3 ? w[i] * w[j] * load[k] : 0;
            }
        }
        S[i] = L * L / 2 * skew[0][i];
        ww += w[i] * w[i];
        wS += w[i] * S[i];
    }
    for (int c = 0; c < 3; c++) {
        near(sum[c], S[c] * ww - w[c] * wS, 1e-12);
    }
    end(&b);
}

/* A column of 1.5 m along y and an arm of 0.5 m along x on it, rigidly joined, by closed forms of beam statics at the end; the
   column's local y is -x. An axial force 1 pulls the column along y, and the arm along x: there alone bending draws the end back. */
static void test_corner(void **state) {
    (void)state;
    const double a = 1.5, b_ = 0.5, EI[2] = {1, 4}, GJ = 2, EA = 1e4;
    const double column[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    const gos_flex_input port[3] = {
        {GOS_FLEX_FORCE, 0, 0, 4}, {GOS_FLEX_FORCE, 1, 0, 4}, {GOS_FLEX_FORCE, 2, 0, 4}};
    const double want[3] = {a * a * a / (3 * EI[0]) + b_ / EA,
                            b_ * b_ * b_ / (3 * EI[0]) + b_ * b_ * a / EI[0] + a / EA,
                            (a * a * a + b_ * b_ * b_) / (3 * EI[1]) + b_ * b_ * a / GJ};
    double H[18], zero = 0;
    beam b;
    make(&b, &unit, 1, 4, along_x, false);
    gos__flex_destroy(b.flex);
    for (int i = 0; i <= 4; i++) { // three elements in the column
        b.x[i][0] = i == 4 ? b_ : 0;
        b.x[i][1] = i < 4 ? a * i / 3 : a;
        memcpy(b.element[i < 3 ? i : 3].axis, i < 3 ? column : along_x, sizeof column);
    }
    assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
    near(entry(&b.flex->gram, 0, 0), a + b_, 1e-13);
    near(entry(&b.flex->gram, 0, 2), a * a / 2 + a * b_, 1e-13);
    hold(&b, GOS_FLEX_CLAMPED);
    for (int e = 0; e < 4; e++) {
        near(entry(&b.flex->second, e, 3 * 4), e == 3 ? -1 : 0, 1e-10);
        near(entry(&b.flex->second, e, 3 * 4 + 1), e < 3 ? -1 : 0, 1e-10);
        near(entry(&b.flex->second, e, 3 * 4 + 2), 0, 1e-10);
    }
    keep(&b, "012345");
    gos_linear *l = linear_of(b.flex, 3, port, 3, port);
    assert_int_equal(gos_linear_response(b.ctx, l, 1, &zero, H), GOS_OK);
    for (int i = 0; i < 3; i++) {
        near(H[2 * (3 * i + i)], want[i], 1e-9);
    }
    near(H[2 * 1], -b_ * a * a / (2 * EI[0]), 1e-9); // along x by a force along y
    near(H[2 * 2], 0, 1e-12);
    gos_linear_destroy(l);
    end(&b);
}

/* Five second-order Krylov vectors of the force across the end and of the Euler load, on the hub-beam: the projected body
   has the first frequency to 1e-9, and answers both loads statically as the whole one does. */
static void test_krylov(void **state) {
    (void)state;
    const gos_flex_input port[2] = {{GOS_FLEX_FORCE, 1, 0, 20}, {GOS_FLEX_EULER, 2, 0, 0}};
    const gos_linear_reduction_options options = {.method = "krylov", .order = 5};
    gos_linear_reduction *reduction;
    double omega[1], zero = 0, H[2][8];
    int n, r;
    beam b;
    make(&b, &arm, 1.8, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "15");
    gos_linear *l = linear_of(b.flex, 2, port, 2, port);
    assert_int_equal(gos_linear_reduce(b.ctx, l, &options, &reduction), GOS_OK);
    const double *V = gos_linear_reduction_basis(reduction, GOS_DISPLACEMENT, false, &n, &r);
    assert_int_equal(n, 40);
    assert_int_equal(r, 5);
    gos_flex *whole = b.flex;
    assert_int_equal(gos__flex_project(whole, r, V, &b.flex), GOS_OK);
    lowest(&b, 1, omega);
    near(omega[0], 3.90934329, 1e-8);
    gos_linear *small = linear_of(b.flex, 2, port, 2, port);
    assert_int_equal(gos_linear_response(b.ctx, l, 1, &zero, H[0]), GOS_OK);
    assert_int_equal(gos_linear_response(b.ctx, small, 1, &zero, H[1]), GOS_OK);
    for (int i = 0; i < 8; i += 2) {
        assert_true(fabs(H[0][i]) > 1e-3);
        near(H[1][i], H[0][i], 1e-9 * fabs(H[0][i]));
    }
    gos_linear_destroy(small);
    gos_linear_reduction_destroy(reduction);
    gos_linear_destroy(l);
    gos__flex_destroy(whole);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clamped),       cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_rotary),        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_clamped_forms), cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_spinning),      cmocka_unit_test(test_gram),
        cmocka_unit_test(test_energy),        cmocka_unit_test(test_project),
        cmocka_unit_test(test_damping),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_loads),         cmocka_unit_test(test_krylov),
        cmocka_unit_test(test_corner),        cmocka_unit_test(test_section),
        cmocka_unit_test(test_centrifugal),   cmocka_unit_test(test_mean_point),
        cmocka_unit_test(test_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
