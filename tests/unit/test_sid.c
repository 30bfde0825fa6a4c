/* Standard input data of flexible bodies: every block against closed forms and against forces on
   particles, the way back, files that are read to the last bit, and what is refused. */
#define _GNU_SOURCE // open_memstream
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flex/sid.h"
#include "support/flex_beam.h"
#include "support/random.h"
#include "support/suite.h"

/* M0 and M1 of a block, (nrow, ncol) each */
static double *all_of(const gos_sid *s, int which) {
    const gos_sid_block *b = &s->block[which];
    double *A = calloc((size_t)(b->nrow * b->ncol) * (size_t)(s->n + 1), sizeof *A);
    gos__sid_all(b, s->n, A);
    return A;
}

/* entry from 0; q = -1: of M0 */
static double entry(const gos_sid_block *b, int i, int q, int j) {
    for (int e = 0; e < b->n; e++) {
        const gos_sid_entry *x = &b->entry[e];
        if (x->i == i && x->q == q && x->j == j) {
            return x->x;
        }
    }
    return 0;
}

static double of(const gos_sid *s, int which, int i, int q, int j) {
    return entry(&s->block[which], i, q, j);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

#define L 2.0
/* int x^p of a beam of unit mass a metre */
static double moment(int p) {
    return pow(L, p + 1) / (p + 1);
}

/* a clamped beam with the shapes x^2 along y, x^3 along z and x along the axis, which its elements
 * know exactly */
static void polynomial_beam(beam *b) {
    make(b, &unit, L, 4, along_x, false);
    hold(b, GOS_FLEX_CLAMPED);
    keep(b, "012 45");
    gos_flex *whole = b->flex;
    double *V = calloc(3 * (size_t)whole->n, sizeof *V);
    for (int k = 0; k < whole->n; k++) {
        const int node = 1 + k / 5, c = k % 5; // ux uy uz ry rz of each but the first
        const double x = L * node / 4;
        V[k] = c == 1 ? x * x : c == 4 ? 2 * x : 0;
        V[whole->n + k] = c == 2 ? x * x * x : c == 3 ? -3 * x * x : 0;
        V[2 * whole->n + k] = c == 0 ? x : 0;
    }
    assert_int_equal(gos__flex_project(whole, &(gos_flex_space){.r = 3, .V = V}, &b->flex), GOS_OK);
    gos__flex_destroy(whole);
    free(V);
}

typedef struct known {
    int block, i, q, j; // from 1; q = 0: of M0
    double x;
} known;

/* What is not named is 0. With E = int X phi^T: C4 = E^T - tr(E) 1, J' = -C4 - C4^T, Gr = -2 C4;
   displacements of second order are -int phi_k' phi_l' along the axis: -4/3 x^3 and -9/5 x^5. */
static void test_beam(void **state) {
    (void)state;
    const double I1 = moment(1), I2 = moment(2), I3 = moment(3), I4 = moment(4), I5 = moment(5),
                 I6 = moment(6), inertia = (1e-3 + 2e-3) * L; // of sections about the axis
    const known want[] = {
        {GOS_SID_MDCM, 1, 0, 1, I1},
        {GOS_SID_MDCM, 2, 1, 1, I2},
        {GOS_SID_MDCM, 3, 2, 1, I3},
        {GOS_SID_MDCM, 1, 3, 1, I1},
        {GOS_SID_J, 1, 0, 1, inertia},
        {GOS_SID_J, 2, 0, 1, I2},
        {GOS_SID_J, 3, 0, 1, I2},
        {GOS_SID_J, 4, 1, 1, -I3}, // 12
        {GOS_SID_J, 5, 2, 1, -I4}, // 13
        {GOS_SID_J, 2, 3, 1, 2 * I2},
        {GOS_SID_J, 3, 3, 1, 2 * I2},
        {GOS_SID_CT, 1, 0, 2, I2},
        {GOS_SID_CT, 2, 0, 3, I3},
        {GOS_SID_CT, 3, 0, 1, I1},
        {GOS_SID_CT, 1, 1, 1, -4.0 / 3 * I3},
        {GOS_SID_CT, 2, 2, 1, -9.0 / 5 * I5},
        {GOS_SID_CR, 1, 0, 3, I3},
        {GOS_SID_CR, 2, 0, 2, -I4},
        {GOS_SID_CR, 1, 2, 1, -I5}, // phi_2 x phi_1
        {GOS_SID_CR, 2, 1, 1, I5},
        {GOS_SID_CR, 1, 3, 3, I3},
        {GOS_SID_CR, 3, 1, 3, -I3},
        {GOS_SID_CR, 2, 3, 2, -I4},
        {GOS_SID_CR, 3, 2, 2, I4},
        {GOS_SID_ME, 1, 0, 1, I4},
        {GOS_SID_ME, 2, 0, 2, I6},
        {GOS_SID_ME, 3, 0, 3, I2},
        {GOS_SID_GR, 2, 0, 1, -2 * I3}, // column: axis 1, amplitude 1
        {GOS_SID_GR, 3, 0, 2, -2 * I4},
        {GOS_SID_GR, 2, 0, 3 + 3, 2 * I2}, // axis 2, amplitude 3
        {GOS_SID_GR, 3, 0, 6 + 3, 2 * I2},
        {GOS_SID_GE, 1, 0, 2, -2 * I5}, // axis 1, rate 2
        {GOS_SID_GE, 2, 0, 1, 2 * I5},
        {GOS_SID_GE, 1, 0, 6 + 3, 2 * I3},
        {GOS_SID_GE, 3, 0, 6 + 1, -2 * I3},
        {GOS_SID_GE, 2, 0, 3 + 3, -2 * I4},
        {GOS_SID_GE, 3, 0, 3 + 2, 2 * I4},
        {GOS_SID_OE, 1, 0, 4, I3}, // 12
        {GOS_SID_OE, 2, 0, 6, I4}, // 13
        {GOS_SID_OE, 3, 0, 2, -I2},
        {GOS_SID_OE, 3, 0, 3, -I2},
        {GOS_SID_OE, 1, 1, 1, -I4},
        {GOS_SID_OE, 1, 1, 2, 4.0 / 3 * I4},
        {GOS_SID_OE, 1, 1, 3, (4.0 / 3 - 1) * I4},
        {GOS_SID_OE, 2, 2, 1, -I6},
        {GOS_SID_OE, 2, 2, 2, (9.0 / 5 - 1) * I6},
        {GOS_SID_OE, 2, 2, 3, 9.0 / 5 * I6},
        {GOS_SID_OE, 3, 3, 2, -I2},
        {GOS_SID_OE, 3, 3, 3, -I2},
        {GOS_SID_OE, 1, 2, 5, I5}, // 23
        {GOS_SID_OE, 2, 1, 5, I5},
        {GOS_SID_OE, 1, 3, 4, I3},
        {GOS_SID_OE, 3, 1, 4, I3},
        {GOS_SID_OE, 2, 3, 6, I4},
        {GOS_SID_OE, 3, 2, 6, I4},
        {GOS_SID_KE, 1, 0, 1, 4 * L},              // EI_y int (x^2)''^2
        {GOS_SID_KE, 2, 0, 2, 4 * 36 * moment(2)}, // EI_z int (6 x)^2
        {GOS_SID_KE, 3, 0, 3, 1e4 * L},
    };
    beam b;
    gos_sid *s;
    const int place[1] = {4}, number[1] = {7};
    polynomial_beam(&b);
    assert_int_equal(gos__sid_of_flex(b.flex, 1, place, number, &s), GOS_OK);
    near_abs(s->mass, L, 1e-13);
    for (int which = 0; which < GOS_SID_NBLOCK; which++) {
        const gos_sid_block *block = &s->block[which];
        double *got = all_of(s, which);
        const size_t size = (size_t)(block->nrow * block->ncol);
        for (int w = 0; w < GOS_COUNT(want); w++) {
            if (want[w].block == which) {
                double *x = &got[(size_t)want[w].q * size +
                                 (size_t)(want[w].i - 1 + (want[w].j - 1) * block->nrow)];
                near_abs(*x, want[w].x, 1e-12 * fabs(want[w].x));
                *x = 0;
            }
        }
        for (size_t k = 0; k < size * (which == GOS_SID_GR ? 1 : 4); k++) {
            if (which != GOS_SID_CR || k < size) { // 0 beside numbers of the size of 10
                near_abs(got[k], 0, 1e-11);
            }
        }
        free(got);
    }
    const gos_sid_block *node = s->node[0].block;
    assert_int_equal(s->node[0].number, 7);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_ORIGIN)], 0, -1, 0), L, 1e-15);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_ORIGIN)], 1, 0, 0), L * L, 1e-14);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_PHI)], 2, -1, 1), L * L * L, 1e-14);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_PHI)], 0, 0, 0), -4.0 / 3 * pow(L, 3), 1e-11);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_PHI)], 0, 1, 1), -9.0 / 5 * pow(L, 5), 1e-10);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_PSI)], 2, -1, 0), 2 * L, 1e-14); // slope about z
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_AP)], 1, 0, 0), 2 * L, 1e-14);   // e1 turns to e2
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_AP)], 0, 0, 1), -2 * L, 1e-14);
    near_abs(entry(&node[GOS_SID_OF_NODE(GOS_SID_AP)], 2, -1, 2), 1, 0);
    gos__sid_destroy(s);
    end(&b);
}

/* ---- particles ------------------------------------------------------------------------------- */

enum { N = 6, A = 3 }; // particles, amplitudes

typedef struct cloud {
    gos_ctx *ctx;
    double m[N], X[N][3], phi[N][A][3], phi2[N][A][A][3]; // phi2 symmetric
    gos_flex *flex;
} cloud;

/* fields 1, X, phi of a particle */
static double field(const cloud *c, int p, int k) {
    return k == 0               ? 1
           : k < GOS_FLEX_RIGID ? c->X[p][k - 1]
                                : c->phi[p][(k - GOS_FLEX_RIGID) / 3][(k - GOS_FLEX_RIGID) % 3];
}

static void make_cloud(cloud *c, bool second) {
    enum { SIZE = GOS_FLEX_RIGID + 3 * A };
    uint64_t seed = 7;
    double gram[SIZE * SIZE] = {0}, M[GOS_FLEX_MOMENTS][A * A] = {{0}}, K[A * A] = {0},
                       D[A * A] = {0};
    *c = (cloud){.ctx = gos_ctx_create()};
    for (int p = 0; p < N; p++) {
        c->m[p] = 1.5 + random_uniform(&seed);
        for (int i = 0; i < 3; i++) {
            c->X[p][i] = random_uniform(&seed);
            for (int k = 0; k < A; k++) {
                c->phi[p][k][i] = random_uniform(&seed);
                for (int l = 0; l <= k; l++) {
                    c->phi2[p][k][l][i] = c->phi2[p][l][k][i] = second ? random_uniform(&seed) : 0;
                }
            }
        }
        for (int e = 0; e < SIZE * SIZE; e++) {
            gram[e] += c->m[p] * field(c, p, e % SIZE) * field(c, p, e / SIZE);
        }
        for (int e = 0; e < GOS_FLEX_MOMENTS * A * A; e++) {
            const int i = e / (A * A), k = e % A, l = e / A % A;
            M[i][k + A * l] += c->m[p] * field(c, p, i % 4) * c->phi2[p][k][l][i / 4];
        }
    }
    for (int k = 0; k < A; k++) {
        K[k * (A + 1)] = 10 + k;
        D[k * (A + 1)] = 1;
    }
    assert_int_equal(gos__flex_create(c->ctx, A, N, &c->flex), GOS_OK);
    gos_flex *f = c->flex;
    memcpy(f->x, c->X, sizeof c->X);
    double move[A * 3 * N], turn[A * 3 * N];
    for (int e = 0; e < A * 3 * N; e++) {
        move[e] = c->phi[e / A / 3][e % A][e / A % 3];
        turn[e] = random_uniform(&seed);
    }
    assert_int_equal(gos__sparse_from_dense(c->ctx, A, 3 * N, move, &f->move), GOS_OK);
    assert_int_equal(gos__sparse_from_dense(c->ctx, A, 3 * N, turn, &f->turn), GOS_OK);
    assert_int_equal(gos__sparse_from_dense(c->ctx, SIZE, SIZE, gram, &f->gram), GOS_OK);
    assert_int_equal(gos__sparse_from_dense(c->ctx, A, A, K, &f->K), GOS_OK);
    assert_int_equal(gos__sparse_from_dense(c->ctx, A, A, D, &f->D), GOS_OK);
    for (int i = 0; i < GOS_FLEX_MOMENTS && second; i++) {
        assert_int_equal(gos__sparse_from_dense(c->ctx, A, A, M[i], &f->moment[i]), GOS_OK);
    }
}

static void end_cloud(cloud *c) {
    gos__flex_destroy(c->flex);
    gos_ctx_destroy(c->ctx);
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

/* motion: acceleration of the frame, angular velocity and acceleration, amplitudes and their
   rates */
typedef struct motion {
    double a[3], w[3], wd[3], z[A], zd[A], zdd[A];
} motion;

static void move_of(double size, motion *m) {
    uint64_t seed = 99;
    double *const all[] = {m->a, m->w, m->wd, m->z, m->zd, m->zdd};
    for (int i = 0; i < 18; i++) {
        all[i / 3][i % 3] = random_uniform(&seed) * (i < 9 ? 1 : size);
    }
}

/* sums over particles: forces [3], moments [3] and forces on amplitudes that accelerate them so */
static void forces_of_particles(const cloud *c, const motion *m, double f[6 + A]) {
    memset(f, 0, (6 + A) * sizeof *f);
    for (int p = 0; p < N; p++) {
        double x[3], v[3], u[3], phi[A][3], t[3], a[3];
        for (int i = 0; i < 3; i++) {
            x[i] = c->X[p][i];
            v[i] = u[i] = 0;
            for (int k = 0; k < A; k++) {
                phi[k][i] = c->phi[p][k][i];
                x[i] += c->phi[p][k][i] * m->z[k];
                for (int l = 0; l < A; l++) {
                    phi[k][i] += c->phi2[p][k][l][i] * m->z[l];
                    x[i] += 0.5 * c->phi2[p][k][l][i] * m->z[k] * m->z[l];
                    u[i] += c->phi2[p][k][l][i] * m->zd[k] * m->zd[l];
                }
                v[i] += phi[k][i] * m->zd[k];
                u[i] += phi[k][i] * m->zdd[k];
            }
        }
        for (int i = 0; i < 3; i++) {
            a[i] = m->a[i] + u[i];
        }
        cross(m->wd, x, t);
        for (int i = 0; i < 3; i++) {
            a[i] += t[i];
        }
        double wx[3];
        cross(m->w, x, wx);
        cross(m->w, wx, t);
        for (int i = 0; i < 3; i++) {
            a[i] += t[i];
        }
        cross(m->w, v, t);
        for (int i = 0; i < 3; i++) {
            a[i] += 2 * t[i];
            f[i] += c->m[p] * a[i];
        }
        cross(x, a, t);
        for (int i = 0; i < 3; i++) {
            f[3 + i] += c->m[p] * t[i];
            for (int k = 0; k < A; k++) {
                f[6 + k] += c->m[p] * phi[k][i] * a[i];
            }
        }
    }
}

/* M(z) of a block, entry (i, j) */
static double taylor(const gos_sid *s, int which, const double *z, int i, int j) {
    double x = of(s, which, i, -1, j);
    for (int k = 0; k < A; k++) {
        x += of(s, which, i, k, j) * z[k];
    }
    return x;
}

/* The same by the equations of the file: what another program does with it, which is the definition
   of the blocks (docs/sid.md). */
static void forces_of_data(const gos_sid *s, const motion *m, double f[6 + A]) {
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const double *w = m->w, W[6] = {w[0] * w[0], w[1] * w[1], w[2] * w[2],
                                    w[0] * w[1], w[1] * w[2], w[0] * w[2]};
    double c[3], Jw[3] = {0}, Gw[3] = {0}, flow[3] = {0}, t[3], u[3];
    memset(f, 0, (6 + A) * sizeof *f);
    for (int i = 0; i < 3; i++) {
        c[i] = taylor(s, GOS_SID_MDCM, m->z, i, 0);
        f[i] += s->mass * m->a[i];
        for (int k = 0; k < A; k++) {
            f[i] += taylor(s, GOS_SID_CT, m->z, k, i) * m->zdd[k];
            f[3 + i] += taylor(s, GOS_SID_CR, m->z, k, i) * m->zdd[k];
            flow[i] += taylor(s, GOS_SID_CT, m->z, k, i) * m->zd[k];
            for (int j = 0; j < 3; j++) {
                Gw[i] += taylor(s, GOS_SID_GR, m->z, i, j * A + k) * m->zd[k] * w[j];
            }
        }
        for (int j = 0; j < 3; j++) {
            const double J = taylor(s, GOS_SID_J, m->z, at[i][j], 0);
            f[3 + i] += J * m->wd[j];
            Jw[i] += J * w[j];
        }
    }
    cross(m->wd, c, t);
    cross(w, c, u);
    double v[3], g[3], h[3], e[3];
    cross(w, u, v);
    cross(w, flow, g);
    cross(c, m->a, h);
    cross(w, Jw, e);
    for (int i = 0; i < 3; i++) {
        f[i] += t[i] + v[i] + 2 * g[i];
        f[3 + i] += h[i] + e[i] + Gw[i];
    }
    for (int k = 0; k < A; k++) {
        for (int j = 0; j < 6; j++) {
            f[6 + k] += taylor(s, GOS_SID_OE, m->z, k, j) * W[j];
        }
        for (int j = 0; j < 3; j++) {
            f[6 + k] += taylor(s, GOS_SID_CT, m->z, k, j) * m->a[j] +
                        taylor(s, GOS_SID_CR, m->z, k, j) * m->wd[j];
        }
        for (int l = 0; l < A; l++) {
            f[6 + k] +=
                (k >= l ? of(s, GOS_SID_ME, k, -1, l) : of(s, GOS_SID_ME, l, -1, k)) * m->zdd[l];
            for (int j = 0; j < 3; j++) {
                f[6 + k] += of(s, GOS_SID_GE, k, -1, j * A + l) * m->zd[l] * w[j];
            }
        }
    }
}

static gos_sid *data_of(const cloud *c) {
    int place[N], number[N];
    gos_sid *s;
    for (int p = 0; p < N; p++) {
        place[p] = p;
        number[p] = 10 * p + 1;
    }
    assert_int_equal(gos__sid_of_flex(c->flex, N, place, number, &s), GOS_OK);
    return s;
}

/* What the data say is right to first order in amplitudes, rates and accelerations together: what
   is left falls with the square of their size. */
static void test_forces(void **state) {
    (void)state;
    for (int second = 0; second < 2; second++) {
        cloud c;
        double left[2][3] = {{0}};
        make_cloud(&c, second);
        gos_sid *s = data_of(&c);
        for (int i = 0; i < 2; i++) {
            motion m;
            double want[6 + A], got[6 + A];
            move_of(i ? 1e-4 : 2e-4, &m);
            forces_of_particles(&c, &m, want);
            forces_of_data(s, &m, got);
            for (int r = 0; r < 6 + A; r++) {
                const int group = r / 3 < 2 ? r / 3 : 2;
                left[i][group] = fmax(left[i][group], fabs(got[r] - want[r]));
            }
        }
        for (int group = 0; group < 3; group++) { // translation, rotation, amplitudes
            assert_true(left[0][group] < 200 * 4e-8);
            if (second || group == 1) {
                near_abs(left[0][group] / left[1][group], 4, 0.1);
            }
        }
        gos__sid_destroy(s);
        end_cloud(&c);
    }
}

/* -2 sum m c~ phi_l~ at z: row i, axis j */
static double gyroscopic(const cloud *c, const double *z, int l, int i, int j) {
    double sum = 0;
    for (int p = 0; p < N; p++) {
        double x[3], phi[3], e[3] = {0}, t[3], u[3];
        for (int a = 0; a < 3; a++) {
            x[a] = c->X[p][a];
            phi[a] = c->phi[p][l][a];
            for (int k = 0; k < A; k++) {
                x[a] += c->phi[p][k][a] * z[k];
                phi[a] += c->phi2[p][l][k][a] * z[k];
            }
        }
        e[j] = 1;
        cross(phi, e, t);
        cross(x, t, u);
        sum -= 2 * c->m[p] * u[i];
    }
    return sum;
}

/* Gr grows by m1: against differences */
static void test_gyroscopic(void **state) {
    (void)state;
    cloud c;
    make_cloud(&c, true);
    gos_sid *s = data_of(&c);
    for (int e = 0; e < A * A * 9; e++) {
        const int l = e % A, k = e / A % A, i = e / A / A % 3, j = e / A / A / 3;
        double z[A] = {0};
        z[k] = 1e-4;
        const double up = gyroscopic(&c, z, l, i, j);
        z[k] = -1e-4;
        const double down = gyroscopic(&c, z, l, i, j);
        near_abs(of(s, GOS_SID_GR, i, k, j * A + l), (up - down) / 2e-4, 1e-9);
    }
    gos__sid_destroy(s);
    end_cloud(&c);
}

/* ---- the way back ---------------------------------------------------------------------------- */

static void expect_alike(const gos_sid *a, const gos_sid *b, double tol) {
    near_abs(b->mass, a->mass, tol);
    for (int which = 0; which < GOS_SID_NBLOCK; which++) {
        double *x = all_of(a, which), *y = all_of(b, which);
        const gos_sid_block *block = &a->block[which];
        for (int i = 0; i < block->nrow * block->ncol * (a->n + 1); i++) {
            near_abs(y[i], x[i], tol);
        }
        free(x);
        free(y);
    }
    for (int i = 0; i < a->nnode; i++) {
        for (int k = 0; k < GOS_SID_NODE_NBLOCK; k++) {
            const gos_sid_block *x = &a->node[i].block[k], *y = &b->node[i].block[k];
            assert_int_equal(x->n, y->n);
            for (int e = 0; e < x->n; e++) {
                near_abs(entry(y, x->entry[e].i, x->entry[e].q, x->entry[e].j), x->entry[e].x, tol);
            }
        }
    }
}

/* A body made of the data has the same data. */
static void test_back(void **state) {
    (void)state;
    for (int second = 0; second < 2; second++) {
        cloud c;
        bool found;
        gos_flex *back;
        make_cloud(&c, second);
        gos_sid *s = data_of(&c), *again;
        assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &back, &found), GOS_OK);
        assert_int_equal(found, second);
        assert_int_equal(gos_ctx_ndiag(c.ctx), 0);
        const int place[N] = {0, 1, 2, 3, 4, 5};
        assert_int_equal(gos__sid_of_flex(back, N, place, place, &again), GOS_OK);
        expect_alike(s, again, 1e-13);
        gos__flex_destroy(back);
        gos__sid_destroy(again);
        gos__sid_destroy(s);
        end_cloud(&c);
    }
}

/* Oe with products of amplitudes in one triangle, the upper or the lower: the same body, with a
   warning. */
static void test_one_sided(void **state) {
    (void)state;
    for (int lower = 0; lower < 2; lower++) {
        cloud c;
        bool found;
        gos_flex *back;
        make_cloud(&c, true);
        gos_sid *s = data_of(&c), *half = data_of(&c), *again;
        gos_sid_block *oe = &half->block[GOS_SID_OE];
        for (int e = 0; e < oe->n; e++) {
            gos_sid_entry *x = &oe->entry[e];
            const bool keeps = lower ? x->i > x->q : x->i < x->q;
            x->x *= x->q < 0 || x->i == x->q ? 1 : keeps ? 2 : 0;
        }
        assert_int_equal(gos__sid_to_flex(half, (gos_loc){0}, "body", &back, &found), GOS_OK);
        assert_int_equal(gos_ctx_ndiag(c.ctx), 1);
        assert_non_null(strstr(gos_ctx_diag(c.ctx, 0)->text, "symmetric part"));
        const int place[N] = {0, 1, 2, 3, 4, 5};
        assert_int_equal(gos__sid_of_flex(back, N, place, place, &again), GOS_OK);
        expect_alike(s, again, 1e-13);
        gos__flex_destroy(back);
        gos__sid_destroy(again);
        gos__sid_destroy(half);
        gos__sid_destroy(s);
        end_cloud(&c);
    }
}

/* ---- files
 * ------------------------------------------------------------------------------------------------
 */

static char *text_of(const gos_sid *s, size_t *n) {
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    gos__sid_write(s, f);
    assert_int_equal(fclose(f), 0);
    return text;
}

static gos_sid *beam_data(beam *b) {
    gos_sid *s;
    const int place[2] = {0, 4}, number[2] = {1, 5};
    polynomial_beam(b);
    assert_int_equal(gos__sid_of_flex(b->flex, 2, place, number, &s), GOS_OK);
    assert_int_equal(gos__sid_remark(s, ":No. nodes", 10), GOS_OK);
    return s;
}

/* written, read and written again: the same bytes; with lines that end in CR and exponents E,
   too */
static void test_bytes(void **state) {
    (void)state;
    beam b;
    size_t n, m;
    gos_sid *s = beam_data(&b), *read;
    char *first = text_of(s, &n), *other = calloc(2 * n, 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const bool exponent =
            i > 0 && first[i] == 'D' && first[i - 1] >= '0' && first[i - 1] <= '9';
        if (first[i] == '\n') {
            other[k++] = '\r';
        }
        other[k++] = (char)(exponent ? 'e' : first[i]);
    }
    for (int way = 0; way < 2; way++) {
        assert_int_equal(gos__sid_parse(b.ctx, way ? other : first, way ? k : n, "f", &read),
                         GOS_OK);
        char *second = text_of(read, &m);
        assert_int_equal(m, n);
        assert_memory_equal(first, second, n);
        free(second);
        gos__sid_destroy(read);
    }
    free(first);
    free(other);
    gos__sid_destroy(s);
    end(&b);
}

/* J as a matrix of which one triangle is written, and Gr and Ge with the three columns of an
   amplitude side by side, as other programs write them, are the same body. */
static void test_dialects(void **state) {
    (void)state;
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}, {2, 1}};
    cloud c;
    bool second;
    make_cloud(&c, true);
    gos_sid *s = data_of(&c), *other = data_of(&c), *again;
    gos_sid_block *J = &other->block[GOS_SID_J];
    J->nrow = J->ncol = 3;
    J->structure = GOS_SID_SYMMETRIC;
    for (int e = 0; e < J->n; e++) {
        const int *to = at[J->entry[e].i];
        J->entry[e].i = to[0];
        J->entry[e].j = to[1];
    }
    for (int which = GOS_SID_GR; which <= GOS_SID_GE; which++) {
        gos_sid_block *G = &other->block[which];
        for (int e = 0; e < G->n; e++) {
            G->entry[e].j = 3 * (G->entry[e].j % A) + G->entry[e].j / A;
        }
    }
    gos_flex *back;
    size_t n;
    char *text = text_of(other, &n);
    gos__sid_destroy(other);
    assert_int_equal(gos__sid_parse(c.ctx, text, n, "f", &other), GOS_OK);
    assert_int_equal(gos__sid_to_flex(other, (gos_loc){0}, "body", &back, &second), GOS_OK);
    assert_int_equal(gos_ctx_ndiag(c.ctx), 0);
    const int place[N] = {0, 1, 2, 3, 4, 5};
    assert_int_equal(gos__sid_of_flex(back, N, place, place, &again), GOS_OK);
    expect_alike(s, again, 1e-13);
    free(text);
    gos__flex_destroy(back);
    gos__sid_destroy(s);
    gos__sid_destroy(other);
    gos__sid_destroy(again);
    end_cloud(&c);
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* `from` once, behind `after`, becomes `to`; the whole text from there on is cut where `to` is
   NULL */
static char *edited(const char *text, const char *after, const char *from, const char *to) {
    const char *at = strstr(text, after);
    assert_non_null(at);
    at = strstr(at, from);
    assert_non_null(at);
    const size_t head = (size_t)(at - text);
    char *out = calloc(strlen(text) + (to ? strlen(to) : 0) + 1, 1);
    memcpy(out, text, head);
    if (to) {
        (void)strcpy(out + head, to);
        (void)strcat(out, at + strlen(from));
    }
    return out;
}

static void expect_message(gos_ctx *ctx, const char *want) {
    char text[1000];
    gos_ctx_format(ctx, 0, text, sizeof text);
    if (!strstr(text, want)) {
        fail_msg("'%s' is not in '%s'", want, text);
    }
    gos_ctx_clear(ctx);
}

typedef struct wrong {
    const char *after, *from, *to, *message;
} wrong;

/* the text is refused, with the line */
static void test_texts(void **state) {
    (void)state;
    static const wrong list[] = {
        {"part", "part", "party", "there is no line `part`"},
        {"new modal", "modal", "rigid", "3:1: expected 'new modal' here"},
        {"mass", "= 2.0", "=-2.0", "5:1: the mass must be positive"},
        {"mass", "= 2.0", "= two", "5:1: expected a number"},
        {"mass", "D+00", "D+99", "5:1: the number is too large"},
        {"nelastq", "3", "0", "6:1: 'nelastq"},
        {"nelastq", "3", "2.5", "6:1: 'nelastq"},
        {"nelastq", "3", "5000", "6:1: at most 500"},
        {"nelastq", "3", "2", "9:1: expected ielastq(number) = name"},
        {"ielastq", "(   1)", "(   4)", "7:1: expected ielastq(number) = name"},
        {"new node", "new node", "node", "`new node` or `end frame`"},
        {"new node", "1", "-1", ">= 0"},
        {"end node", "=        5", "=        1", "two nodes have the number 1"},
        {"origin", "origin", "orgin", "rframe, origin, phi"},
        {"origin", "order  ", "oder   ", "expected 'order'"},
        {"origin", "1", "2", "orders above 1"},
        {"origin", "nq   ", "nq  n", "expected 'nq'"},
        {"nqn", "0", "1", "orders above 1"},
        {"structure", "3", "9", "structure must be 0 (zero)"},
        {"end mdCM", "structure                       =        3", "structure = 0",
         "this entry is not part"},
        {"structure", "3", "2", "is not square"},
        {"mdCM", "3", "2", "mdCM is 2 x 1; with 3 amplitudes it must be 3 x 1"},
        {"mdCM", "m0(   1", "m0(   4", "expected m0(row, column)"},
        {"mdCM", "m1(   2,   1", "m1(   2,   9", "expected m0(row, column)"},
        {"mdCM", "m1(   2,   1", "m2(   2,   1", "expected m0(row, column)"},
        {"mdCM", "m1(   3,   2", "m1(   2,   1", "entry m1 of 2, 1 of mdCM is given twice"},
        {"end mdCM", "J ", "mdCM ", "mdCM is given twice"},
        {"end frame", "end frame", "frame", "`new node` or `end frame`"},
        {"end part", "end part", "end part\n more", "text after `end part`"},
        {"end modal", "end modal", "end model", "frame (once), mdCM"},
        {"end part", "end part", NULL, "expected 'end part'"},
        {"Ke", "m0", NULL, "the file ends within a matrix"},
        {"end frame", "mdCM", NULL, "before `end modal`"},
        {"end node", "new node", NULL, "the file ends within frame"},
        {"phi", "phi", NULL, "the file ends within a node"},
        {"ielastq", "ielastq", NULL, "the file ends within refmod"},
        {"mass", "mass", NULL, "expected 'mass'"},
    };
    beam b;
    size_t n;
    gos_sid *s = beam_data(&b), *read;
    char *text = text_of(s, &n);
    for (int i = 0; i < GOS_COUNT(list); i++) {
        char *bad = edited(text, list[i].after, list[i].from, list[i].to);
        if (gos__sid_parse(b.ctx, bad, strlen(bad), "f", &read) == GOS_OK) {
            fail_msg("not refused: %s", list[i].message);
        }
        expect_message(b.ctx, list[i].message);
        free(bad);
    }
    free(text);
    gos__sid_destroy(s);
    end(&b);
}

/* data that are read, and are those of no body */
static void test_bodies(void **state) {
    (void)state;
    static const wrong list[] = {
        {"end mdCM", "m0(   1,   1)                   = ", "m0(   1,   1)                   = 999",
         "impossible moments of inertia"},
        {"mdCM", "m1(   2,   1", "m1(   2,   2", "m1 of mdCM and m0 of Ct"},
        {" Ke ", "structure                       =        2",
         "structure                       =        3\n m0(1,2) = 9", "Ke must be symmetric"},
        {" Oe ", "order                           =        1",
         "order                           =        0", "expected m0(row, column)"},
        {" Ct ", "m1(   1,   1,   1)", "m1(   1,   2,   1)", "m1(k, l, j) and m1(l, k, j)"},
        {" Oe ", "m1(   1,   2,   5)", "m1(   1,   2,   4)", "m1(k, l, j) and m1(l, k, j)"},
        {"ksigma", "structure                       =        0",
         "structure                       =        3\n m0(1,1) = 1", "m0 of ksigma is a force"},
        {"end node", "new node                        =        5\n",
         "new node = 3\n end node\n new node = 5\n", "the node has no origin"},
    };
    beam b;
    size_t n;
    gos_sid *s = beam_data(&b), *read = NULL;
    char *text = text_of(s, &n);
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos_flex *f;
        bool second;
        char *bad = edited(text, list[i].after, list[i].from, list[i].to);
        gos_status status = gos__sid_parse(b.ctx, bad, strlen(bad), "f", &read);
        if (status == GOS_OK) {
            status = gos__sid_to_flex(read, (gos_loc){0}, "body", &f, &second);
            gos__sid_destroy(read);
        }
        if (status == GOS_OK) {
            fail_msg("not refused: %s", list[i].message);
        }
        expect_message(b.ctx, list[i].message);
        free(bad);
    }
    free(text);
    gos__sid_destroy(s);
    end(&b);
}

/* blocks that must be there, and those that may not grow with the amplitudes */
static void test_missing(void **state) {
    (void)state;
    static const int needed[] = {GOS_SID_MDCM, GOS_SID_J,  GOS_SID_CT, GOS_SID_CR,
                                 GOS_SID_ME,   GOS_SID_OE, GOS_SID_KE};
    static const int constant[] = {GOS_SID_ME, GOS_SID_KE, GOS_SID_DE, GOS_SID_GE};
    cloud c;
    gos_flex *f;
    bool second;
    char want[100];
    make_cloud(&c, true);
    for (int i = 0; i < GOS_COUNT(needed); i++) {
        gos_sid *s = data_of(&c);
        s->block[needed[i]].line = 0;
        (void)snprintf(want, sizeof want, "the file has no %s", gos__sid_name(needed[i]));
        assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second), GOS_E_INPUT);
        expect_message(c.ctx, want);
        gos__sid_destroy(s);
    }
    for (int i = 0; i < GOS_COUNT(constant); i++) {
        gos_sid *s = data_of(&c);
        s->block[constant[i]].entry[0].q = 0;
        (void)snprintf(want, sizeof want, "%s depends on the amplitudes",
                       gos__sid_name(constant[i]));
        assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second), GOS_E_INPUT);
        expect_message(c.ctx, want);
        gos__sid_destroy(s);
    }
    gos_sid *s = data_of(&c);
    s->nnode = 0;
    assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second), GOS_E_INPUT);
    expect_message(c.ctx, "the file has no node");
    s->nnode = N;
    s->block[GOS_SID_OE].order = 0;
    assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second), GOS_E_INPUT);
    expect_message(c.ctx, "Oe of order 0");
    gos__sid_destroy(s);
    end_cloud(&c);
}

/* what forces of stress at rest gain with the amplitudes is stiffness: m1 of ksigma */
static void test_stiffness(void **state) {
    (void)state;
    cloud c;
    gos_flex *f;
    bool second;
    make_cloud(&c, true);
    gos_sid *s = data_of(&c);
    gos_sid_block *b = &s->block[GOS_SID_KSIGMA];
    b->order = 1;
    assert_int_equal(gos__sid_add(c.ctx, b, 0, 1, 0, -0.5), GOS_OK);
    assert_int_equal(gos__sid_add(c.ctx, b, 1, 0, 0, -0.5), GOS_OK);
    assert_int_equal(gos__sid_add(c.ctx, b, 2, 2, 0, 3), GOS_OK);
    assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second), GOS_OK);
    const double want[A][A] = {{10, -0.5, 0}, {-0.5, 11, 0}, {0, 0, 15}};
    for (int e = 0; e < A * A; e++) {
        near_abs(at(&f->K, e / A, e % A), want[e / A][e % A], 0);
        near_abs(at(&f->D, e / A, e % A), e / A == e % A, 0);
    }
    gos__flex_destroy(f);
    gos__sid_destroy(s);
    end_cloud(&c);
}

/* Gr and Ge are not used; that they say something else is reported */
static void test_told(void **state) {
    (void)state;
    static const struct {
        int block;
        const char *message;
    } list[] = {{GOS_SID_GR, "Gr differs"}, {GOS_SID_GE, "Ge differs"}, {GOS_SID_OE, "m0 of Oe"}};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        cloud c;
        gos_flex *f;
        bool second;
        make_cloud(&c, true);
        gos_sid *s = data_of(&c);
        gos_sid_entry *largest = NULL; // of order 0
        for (int e = 0; e < s->block[list[i].block].n; e++) {
            gos_sid_entry *one = &s->block[list[i].block].entry[e];
            if (one->q < 0 && (!largest || fabs(one->x) > fabs(largest->x))) {
                largest = one;
            }
        }
        assert_non_null(largest);
        largest->x *= 1.01;
        assert_int_equal(gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second), GOS_OK);
        assert_int_equal(gos_ctx_ndiag(c.ctx), 1);
        expect_message(c.ctx, list[i].message);
        gos__flex_destroy(f);
        gos__sid_destroy(s);
        end_cloud(&c);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beam),       cmocka_unit_test(test_forces),
        cmocka_unit_test(test_gyroscopic), cmocka_unit_test(test_back),
        cmocka_unit_test(test_bytes),      cmocka_unit_test(test_dialects),
        cmocka_unit_test(test_texts),      cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_missing),    cmocka_unit_test(test_stiffness),
        cmocka_unit_test(test_told),       cmocka_unit_test(test_one_sided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
