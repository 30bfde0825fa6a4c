/* Flexible bodies in the axes of a frame: stress stiffness, displacements of second order and
   integrals over the mass, against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linalg/dense.h"
#include "support/flex_beam.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- stress stiffness ------------------------------------------------------------------------ */

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

/* Clamped, w = x^2: the end comes back by int w'^2 = 4 L^3 / 3 (twice the displacement), the middle
   by L^3 / 6; int rho A (L - x) w'^2 = rho A L^4 / 3, int rho A (L^2 - x^2) / 2 w'^2 = 4 rho A L^5
   / 15. */
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
            near_abs(second_of(&b, 8, c, 0, 1), -4 * L * L * L / 3 * axis[0][c], 1e-8);
            near_abs(second_of(&b, 4, c, 0, 1), -L * L * L / 6 * axis[0][c], 1e-8);
            near_abs(form_of(&b, &b.flex->moment[4 * c], 0, 1), -pow(L, 4) / 3 * axis[0][c], 1e-8);
            for (int d = 0; d < 3; d++) { // X_d e_c: along the beam by both
                const double want = -4 * pow(L, 5) / 15 * axis[0][c] * axis[0][d];
                near_abs(form_of(&b, &b.flex->moment[4 * c + 1 + d], 0, 1), want, 1e-8);
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
   int (L - x) w'^2 = L^4 / 6. Mean axes: inertia takes up a uniform load, and of one that grows
   along the beam N = rho A (L x - x^2) / 2 stays: int N w'^2 of w = x^2 is rho A L^5 / 10. */
static void test_other_forms(void **state) {
    (void)state;
    const double L = 2;
    beam b;
    make(&b, &unit, L, 8, along_x, false);
    hold(&b, GOS_FLEX_CHORD);
    near_abs(second_of(&b, 8, 0, L, -1), -L * L * L / 3, 1e-10);
    near_abs(form_of(&b, &b.flex->moment[0], L, -1), -pow(L, 4) / 6, 1e-9);
    end(&b);
    make(&b, &unit, L, 8, along_x, false);
    hold(&b, GOS_FLEX_MEAN_AXIS);
    near_abs(form_of(&b, &b.flex->moment[0], 0, 1), 0, 1e-9);
    near_abs(form_of(&b, &b.flex->moment[1], 0, 1), -pow(L, 5) / 10, 1e-9);
    // a force at the end is taken up along the beam, N = x / L: int N w'^2 = L^3, to the order of
    // the elements
    near_abs(second_of(&b, 8, 0, 0, 1), -L * L * L, 0.01 * L * L * L);
    end(&b);
}

/* Spinning cantilever, flap: omega^2 of K + Omega^2 int N w'^2 with N = rho A (L^2 - x^2) / 2.
   Values for Omega = 1, 2, 6, 12 in units of sqrt(EI / (rho A L^4)): Wright et al., J. Appl. Mech.
   49 (1982) 197, to the digits of their table. */
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
        near_abs(sqrt(lambda), want[i], 6e-5);
    }
    free(K);
    free(M);
    gos_linear_destroy(l);
    end(&b);
}

/* The mean point: of w = x^2 it moves by L^2 / 3, and back, with N = 1 - x / L, by int N w'^2 = L^3
 * / 3 (twice that). */
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
                u += at(&b.flex->move, 6 * i + k, 3 * mean + c) * x * x * skew[1][k];
                u += at(&b.flex->move, 6 * i + 3 + k, 3 * mean + c) * 2 * x * skew[2][k];
            }
        }
        near_abs(u, L * L / 3 * skew[1][c], 1e-12);
        near_abs(b.flex->x[mean][c], L / 2 * skew[0][c], 1e-12);
        near_abs(second_of(&b, mean, c, 0, 1), -L * L * L / 3 * skew[0][c], 1e-8);
    }
    end(&b);
}

/* A rigid mass at the end: with rates of the axes a_c' = w x e_c and of the end, u' and theta', it
   has the energy m |w x X + u'|^2 / 2 + (w + theta') . I (w + theta') / 2; and its centrifugal
   force stretches the beam. */
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
    near_abs(T[1] - T[0], want, 1e-12);
    beam b;
    make(&b, &unit, 2, 8, along_x, false);
    gos__flex_destroy(b.flex);
    b.frame.mass = &mass;
    b.frame.nmass = 1;
    assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
    hold(&b, GOS_FLEX_CLAMPED);
    // N = m L + rho A (L^2 - x^2) / 2: of w = x^2; the mass turns by 2 L, and what lies off along x
    // comes nearer
    const double along =
        0.5 * (mass.inertia[0] + mass.inertia[1] + mass.inertia[2]) - mass.inertia[0];
    near_abs(form_of(&b, &b.flex->moment[1], 0, 1),
             -4 * pow(2, 5) / 15 - 3 * 2 * 4 * 8 / 3.0 - 16 * along, 1e-8);
    end(&b);
}

/* ---- integrals over the mass ----------------------------------------------------------------- */

/* mass, int X dm, int X X^T dm; for w = x^2 along y: int w dm = L^3 / 3, int x w dm = L^4 / 4, int
   w^2 dm = L^5 / 5; against the stretch u = x: int u w dm = L^4 / 4 (rho A = 1) */
static void test_gram(void **state) {
    (void)state;
    const double L = 2;
    beam b;
    make(&b, &unit, L, 8, along_x, true);
    const gos_sparse *G = &b.flex->gram;
    near_abs(at(G, 0, 0), L, 1e-13);
    near_abs(at(G, 0, 1), L * L / 2, 1e-13);
    near_abs(at(G, 1, 1), L * L * L / 3, 1e-13);
    near_abs(at(G, 2, 2), unit.inertia[0] * L, 1e-15); // of the section alone
    near_abs(at(G, 3, 3), unit.inertia[1] * L, 1e-15);
    double sum[4] = {0};
    for (int i = 0; i <= 8; i++) {
        const double x = b.x[i][0];
        for (int t = 0; t < 2; t++) { // value and slope of w at node i
            const int p = gos__flex_at(6 * i + (t ? 5 : 1), 1);
            const double z = t ? 2 * x : x * x;
            sum[0] += z * at(G, 0, p);
            sum[1] += z * at(G, 1, p);
            for (int j = 0; j <= 8; j++) {
                const double y = b.x[j][0];
                sum[3] += z * y * at(G, gos__flex_at(6 * j, 0), p);
                for (int s = 0; s < 2; s++) {
                    const int q = gos__flex_at(6 * j + (s ? 5 : 1), 1);
                    sum[2] += z * (s ? 2 * y : y * y) * at(G, q, p);
                }
            }
        }
    }
    near_abs(sum[0], pow(L, 3) / 3, 1e-12);
    near_abs(sum[1], pow(L, 4) / 4, 1e-12);
    near_abs(sum[2], pow(L, 5) / 5, 1e-11);
    near_abs(sum[3], pow(L, 4) / 4, 1e-12);
    end(&b);
    // inertia of sections about the axis alone: nothing about the others
    make(&b, &unit, L, 8, along_x, false);
    G = &b.flex->gram;
    near_abs(at(G, 1, 1) + at(G, 2, 2), L * L * L / 3, 1e-13);
    near_abs(at(G, 1, 1) + at(G, 3, 3), L * L * L / 3, 1e-13);
    near_abs(at(G, 2, 2) + at(G, 3, 3), (unit.inertia[0] + unit.inertia[1]) * L, 1e-15);
    end(&b);
}

/* At the nodes of an element its section turns by the freedoms that are rotations, and moves by the
 * others. */
static void test_section(void **state) {
    (void)state;
    gos_fe_section s;
    gos_fe_beam b = unit;
    memcpy(b.axis, skew, sizeof b.axis);
    for (int node = 0; node < 2; node++) {
        gos__fe_beam_section(&b, 0.7, node, &s);
        for (int k = 0; k < 12; k++) {
            for (int c = 0; c < 3; c++) {
                near_abs(s.u[k][c], k == 6 * node + c, 1e-14);
                near_abs(s.turn[k][c], k == 6 * node + 3 + c, 1e-14);
            }
        }
    }
}

/* The Gram matrix of a skew beam with section inertia: T = e'^T G e' / 2 of any rates of the fields
   is the kinetic energy of particles, x' = r' + sum a_c' (X_c + u_c) + a_c u_c', integrated by 40
   points in each element and two across each direction of the section. */
static void test_energy(void **state) {
    (void)state;
    beam b;
    const int ne = 3, points = 40;
    make(&b, &unit, 1.5, ne, skew, true);
    const int n = b.flex->n, order = GOS_FLEX_RIGID + 3 * n;
    double rate[GOS_FLEX_RIGID + 3 * 6 * 4][3], axis[3][3], zd[24], z[24], sum = 0, want = 0;
    uint64_t seed = 3;
    for (int c = 0; c < 9; c++) {
        axis[c / 3][c % 3] = 0.5 * random_uniform(&seed);
    }
    for (int k = 0; k < n; k++) {
        z[k] = 0.5 * random_uniform(&seed);
        zd[k] = 0.5 * random_uniform(&seed);
    }
    for (int i = 0; i < order; i++) { // rates of r, a_c and a_c z_k
        for (int l = 0; l < 3; l++) {
            const int k = (i - GOS_FLEX_RIGID) / 3, c = (i - GOS_FLEX_RIGID) % 3;
            rate[i][l] = i < GOS_FLEX_RIGID ? 0.5 * random_uniform(&seed)
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
        // the middle of small pieces: Simpson would do as well; two points across each direction
        // have the section's moments
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
    near_abs(sum, want, 2e-3 * want); // of the middle points; h^2
    end(&b);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clamped_forms), cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_spinning),      cmocka_unit_test(test_gram),
        cmocka_unit_test(test_energy),        cmocka_unit_test(test_section),
        cmocka_unit_test(test_mean_point),    cmocka_unit_test(test_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
