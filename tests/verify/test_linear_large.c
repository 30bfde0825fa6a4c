/* Moments of models above the size from which symmetric ones are factorised by MUMPS, in real
   numbers at real points: as many agree as theory 3.2 says, to 1e-10, where one solution of the
   equations is good to 1e-8 only. References are a recursion in long double on the tridiagonal
   matrices of a chain, and of a free plate its rigid motions beside the plate held by
   constraints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cblas.h>

#include "gossamer/gossamer.h"
#include "linalg/symmetric.h"
#include "support/linear_models.h"
#include "support/suite.h"

enum { N = 3200, MOST = 40 };
_Static_assert(N > GOS_SYMMETRIC_LARGE, "the way of large models");

/* masses 1..1.5 kg, springs 1000 N/m (walls at both ends unless free), D = beta K + dashpots of
   `dashpot` to the ground at every 7th mass */
typedef struct big_chain {
    bool free;
    double beta, dashpot;
    int nu, in[4], ny, out[4];
    bool dependent, velocity; // a further input, the sum of the first two; outputs are velocities
} big_chain;

static double mass_of(int i) {
    return 1 + 0.5 * i / N;
}

static double stiffness(const big_chain *c, int i) {
    return 2000 - (c->free && (i == 0 || i == N - 1) ? 1000 : 0);
}

static double dashpot(const big_chain *c, int i) {
    return i % 7 == 0 ? c->dashpot : 0;
}

static void tridiagonal(gos_ctx *ctx, gos_linear *l, gos_block block, const double *diagonal,
                        double beside) {
    gos_sparse *A = &l->block[block];
    gos__sparse_free(ctx, A);
    linear_good(ctx, gos__sparse_alloc(ctx, N, N, beside != 0 ? 3 * N - 2 : N, A));
    int at = 0;
    for (int j = 0; j < N; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i >= 0 && i < N && (i == j || beside != 0)) {
                A->i[at] = i;
                A->x[at++] = i == j ? diagonal[j] : beside;
            }
        }
        A->p[j + 1] = at;
    }
}

static void units(gos_ctx *ctx, gos_linear *l, gos_block block, bool columns, int count,
                  const int *where, bool dependent) {
    int i[8], j[8], n = 0;
    double x[8];
    for (int k = 0; k < count + 2 * dependent; k++, n++) {
        const int place = where[k < count ? k : k - count], port = k < count ? k : count;
        i[n] = columns ? place : port;
        j[n] = columns ? port : place;
        x[n] = 1;
    }
    gos_sparse *A = &l->block[block];
    const int rows = A->m, width = A->n;
    gos__sparse_free(ctx, A);
    linear_good(ctx, gos__sparse_from_triplets(ctx, rows, width, n, i, j, x, A));
}

static gos_linear *big_model(gos_ctx *ctx, const big_chain *c, int nc) {
    static double d[N];
    const gos_linear_size size = {.nq = N, .nc = nc, .nu = c->nu + c->dependent, .ny = c->ny};
    gos_linear *l;
    linear_good(ctx, gos__linear_create(ctx, &size, &l));
    for (int i = 0; i < N; i++) {
        d[i] = mass_of(i);
    }
    tridiagonal(ctx, l, GOS_BLOCK_M, d, 0);
    for (int i = 0; i < N; i++) {
        d[i] = stiffness(c, i);
    }
    tridiagonal(ctx, l, GOS_BLOCK_K, d, -1000);
    if (c->beta > 0) {
        for (int i = 0; i < N; i++) {
            d[i] = c->beta * stiffness(c, i) + dashpot(c, i);
        }
        tridiagonal(ctx, l, GOS_BLOCK_D, d, -1000 * c->beta);
    }
    units(ctx, l, GOS_BLOCK_B, true, c->nu, c->in, c->dependent);
    units(ctx, l, c->velocity ? GOS_BLOCK_Y_v : GOS_BLOCK_Y_q, false, c->ny, c->out, false);
    return l;
}

/* x := P(s)^-1 x, complex in long double, by elimination down and up */
static void solve_chain(const big_chain *c, const long double s[2], long double (*x)[2]) {
    static long double low[N][2]; // pivots
    const long double beta = (long double)c->beta;
    for (int i = 0; i < N; i++) {
        const long double k = (long double)stiffness(c, i), m = (long double)mass_of(i);
        const long double dd = beta * (long double)stiffness(c, i) + (long double)dashpot(c, i);
        long double re = k + s[0] * dd + (s[0] * s[0] - s[1] * s[1]) * m;
        long double im = s[1] * dd + 2 * s[0] * s[1] * m;
        const long double e[2] = {-1000 * (1 + s[0] * beta), -1000 * s[1] * beta};
        if (i > 0) { // f = e / pivot; pivot' = a - f e; x' = x - f x_last
            const long double *p = low[i - 1], norm = p[0] * p[0] + p[1] * p[1];
            const long double f[2] = {(e[0] * p[0] + e[1] * p[1]) / norm,
                                      (e[1] * p[0] - e[0] * p[1]) / norm};
            re -= f[0] * e[0] - f[1] * e[1];
            im -= f[0] * e[1] + f[1] * e[0];
            x[i][0] -= f[0] * x[i - 1][0] - f[1] * x[i - 1][1];
            x[i][1] -= f[0] * x[i - 1][1] + f[1] * x[i - 1][0];
        }
        low[i][0] = re;
        low[i][1] = im;
    }
    for (int i = N - 1; i >= 0; i--) {
        const long double e[2] = {-1000 * (1 + s[0] * beta), -1000 * s[1] * beta};
        if (i < N - 1) {
            const long double re = e[0] * x[i + 1][0] - e[1] * x[i + 1][1];
            x[i][1] -= e[0] * x[i + 1][1] + e[1] * x[i + 1][0];
            x[i][0] -= re;
        }
        const long double *p = low[i], norm = p[0] * p[0] + p[1] * p[1], re = x[i][0];
        x[i][0] = (re * p[0] + x[i][1] * p[1]) / norm;
        x[i][1] = (x[i][1] * p[0] - re * p[1]) / norm;
    }
}

/* b := -((D + 2 s M) x1 + M x2) */
static void next_chain(const big_chain *c, const long double s[2], long double (*x1)[2],
                       long double (*x2)[2], long double (*b)[2]) {
    const long double beta = (long double)c->beta;
    for (int i = 0; i < N; i++) {
        const long double m = (long double)mass_of(i);
        const long double dd = beta * (long double)stiffness(c, i) + (long double)dashpot(c, i);
        for (int h = 0; h < 2; h++) {
            long double D = dd * x1[i][h];
            D -= i > 0 ? 1000 * beta * x1[i - 1][h] : 0;
            D -= i < N - 1 ? 1000 * beta * x1[i + 1][h] : 0;
            b[i][h] = -(D + m * x2[i][h]);
        }
        b[i][0] -= 2 * m * (s[0] * x1[i][0] - s[1] * x1[i][1]);
        b[i][1] -= 2 * m * (s[0] * x1[i][1] + s[1] * x1[i][0]);
    }
}

/* m (k, nu, ny) */
static void exact_moments(const big_chain *c, gos_point at, int k, gos_complex *m) {
    static long double space[3][N][2];
    const long double s[2] = {(long double)at.re, (long double)at.im};
    const int nu = c->nu + c->dependent;
    for (int u = 0; u < nu; u++) {
        long double(*x)[2] = space[0], (*x1)[2] = space[1], (*x2)[2] = space[2];
        memset(space, 0, sizeof space);
        for (int i = 0; i < k; i++) {
            if (i == 0) {
                x[c->in[u < c->nu ? u : 0]][0] = 1;
                if (u == c->nu) {
                    x[c->in[1]][0] = 1;
                }
            } else {
                next_chain(c, s, x1, x2, x);
            }
            solve_chain(c, s, x);
            for (int o = 0; o < c->ny; o++) {
                const long double *z = x[c->out[o]], *z1 = x1[c->out[o]];
                const long double re = c->velocity ? s[0] * z[0] - s[1] * z[1] + z1[0] : z[0];
                const long double im = c->velocity ? s[0] * z[1] + s[1] * z[0] + z1[1] : z[1];
                m[(i * nu + u) * c->ny + o] = gos__complex((double)re, (double)im);
            }
            long double(*last)[2] = x2;
            x2 = x1;
            x1 = x;
            x = last;
        }
    }
}

static double apart(const gos_complex *a, const gos_complex *b, int size) {
    const double *x = (const double *)a, *y = (const double *)b;
    double d = 0, all = 0;
    for (int i = 0; i < 2 * size; i++) {
        d += (x[i] - y[i]) * (x[i] - y[i]);
        all += x[i] * x[i];
    }
    return all > 0 ? sqrt(d / all) : 0;
}

typedef struct large_case {
    const char *what;
    big_chain model;
    gos_point at;
    int order;
    bool two_sided;
    int moments, deflated; // by the theorem
    bool rigid;            // beside the pole of rigid motions: all coefficients are theirs
} large_case;

#define ONE .nu = 1, .in = {N - 1}, .ny = 1, .out = {N - 40}
#define NEAR .nu = 1, .in = {N - 1}, .ny = 1, .out = {N - 8}
#define DAMPED .beta = 1e-3, .dashpot = 0.2
static const large_case large_cases[] = {
    {"at 0, undamped", {ONE}, {0, 0}, 4, false, 8, 0, false},
    {"at 0, undamped, two-sided", {ONE}, {0, 0}, 2, true, 8, 0, false},
    {"at 0, damped", {ONE, DAMPED}, {0, 0}, 4, false, 4, 0, false},
    {"real point", {ONE, DAMPED}, {2, 0}, 6, true, 12, 0, false},
    {"free, near 0", {ONE, .free = true}, {1e-2, 0}, 4, false, 4, 0, false},
    {"free, damped, two-sided", {ONE, .free = true, .beta = 1e-3}, {1e-2, 0}, 3, true, 6, 0, false},
    {"velocity out", {ONE, DAMPED, .velocity = true}, {2, 0}, 6, true, 12, 0, false},
    // P loses 1e10 between stretching and rigid motion; the next coefficients agree to 1e-10 as
    // well
    {"free, nearest 0", {ONE, .free = true, .beta = 1e-3}, {1e-3, 0}, 4, false, 4, 0, true},
    {"complex point", {NEAR, DAMPED}, {2, 2}, 6, true, 6, 0, false},
    {"complex, one-sided", {NEAR, DAMPED}, {1, 3}, 8, false, 4, 0, false},
    // the third input is the sum of the others: blocks of two
    {"block",
     {.nu = 2, .in = {N - 1, N - 60}, .ny = 2, .out = {N - 30, N - 100}, .dependent = true, DAMPED},
     {0.5, 0},
     8,
     false,
     4,
     1,
     false},
    {"block, free, undamped",
     {.nu = 2,
      .in = {N - 1, N - 60},
      .ny = 2,
      .out = {N - 30, N - 100},
      .dependent = true,
      .free = true},
     {1e-2, 0},
     6,
     false,
     3,
     1,
     false},
};

static void test_moments(void **unused) {
    GOS_UNUSED(unused);
    static gos_complex exact[MOST * 12], own[MOST * 12], plain[MOST * 12];
    gos_ctx *ctx = gos_ctx_create();
    for (int i = 0; i < GOS_COUNT(large_cases); i++) {
        const large_case *c = &large_cases[i];
        gos_linear *l = big_model(ctx, &c->model, 0);
        const gos_linear_reduction_options opt = {.method = "krylov",
                                                  .order = c->order,
                                                  .npoints = 1,
                                                  .points = &c->at,
                                                  .two_sided = c->two_sided};
        int unstable = 0;
        gos_linear_reduction *r = linear_reduce_plainly(ctx, l, &opt, &unstable);
        gos_linear_reduction_report report;
        gos_linear_reduction_get(r, &report);
        const int block = l->nu * l->ny, k = c->moments;
        const gos_complex s0 = gos__complex(c->at.re, c->at.im);
        exact_moments(&c->model, c->at, k + 2, exact);
        gos_reduce_pencil *p;
        linear_good(ctx, gos__reduce_pencil_create(ctx, gos_linear_reduction_model(r), NULL, &p));
        linear_good(ctx, gos__reduce_pencil_moments(p, s0, k + 2, own));
        gos__reduce_pencil_destroy(p);
        linear_good(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
        linear_good(ctx, gos__reduce_pencil_moments(p, s0, k, plain));
        assert_true(p->real == (c->at.im == 0)); // the way that is meant
        gos__reduce_pencil_destroy(p);
        double worst = 0, beyond = 0, full = 0;
        for (int q = 0; q < k; q++) {
            worst = fmax(worst, apart(exact + q * block, own + q * block, block));
            full = fmax(full, apart(exact + q * block, plain + q * block, block));
        }
        for (int q = k; q < k + 2; q++) {
            beyond = fmax(beyond, apart(exact + q * block, own + q * block, block));
        }
        print_message("%-26s order %2d: %2d moments, error %.1e (reported %.1e, of the full model "
                      "%.1e), next %.1e\n",
                      c->what, report.coordinates, report.moments, worst, report.moment_error, full,
                      beyond);
        assert_int_equal(report.coordinates, c->order);
        assert_int_equal(report.moments, k);
        assert_int_equal(report.deflated, c->deflated);
        assert_true(worst < 1e-10);
        assert_true(report.moment_error < 1e-10);
        assert_true(c->rigid || beyond > 1e-9); // the count is the theorem's
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* Constraints between neighbours, many vectors: violations must not grow from vector to vector */
static void test_constraints(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    enum { NC = 200 };
    const big_chain c = {ONE};
    static int i[2 * NC], j[2 * NC];
    static double x[2 * NC], violation[NC];
    for (int k = 0; k < NC; k++) { // levers between masses seven apart
        i[2 * k] = i[2 * k + 1] = k;
        j[2 * k] = N - 2 - 15 * k;
        j[2 * k + 1] = N - 9 - 15 * k;
        x[2 * k] = 1;
        x[2 * k + 1] = -0.7;
    }
    const gos_point points[] = {{1, 0}, {2, 2}};
    for (int k = 0; k < 2; k++) {
        gos_linear *l = big_model(ctx, &c, NC);
        gos__sparse_free(ctx, &l->block[GOS_BLOCK_C]);
        linear_good(ctx,
                    gos__sparse_from_triplets(ctx, NC, N, 2 * NC, i, j, x, &l->block[GOS_BLOCK_C]));
        gos_linear_reduction *r;
        const gos_linear_reduction_options opt = {
            .method = "krylov", .order = 24, .npoints = 1, .points = &points[k]};
        linear_good(ctx, gos_linear_reduce(ctx, l, &opt, &r));
        gos_linear_reduction_report report;
        gos_linear_reduction_get(r, &report);
        int rows, columns;
        const double *V = gos_linear_reduction_basis(r, GOS_DISPLACEMENT, false, &rows, &columns);
        double worst = 0;
        for (int v = 0; v < columns; v++) {
            gos__sparse_apply(&l->block[GOS_BLOCK_C], 1, V + (size_t)v * (size_t)rows, violation);
            for (int q = 0; q < NC; q++) {
                worst = fmax(worst, fabs(violation[q]));
            }
        }
        print_message("constraints, point %g%+gi: %d moments, error %.1e, violation %.1e\n",
                      points[k].re, points[k].im, report.moments, report.moment_error, worst);
        assert_int_equal(report.moments, k == 0 ? 24 : 12);
        assert_true(report.moment_error < 1e-10);
        assert_true(worst < 1e-13); // masses are of order 1, vectors of length 1
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

enum { SIDE = 20, PLATE_Q = 9 * SIDE * SIDE, PLATE = 25, PORTS = 6 };

/* Unit motions R (nq, 6) of the plate, a metre wide in z = 0 with (r, r_x, r_y) at each node, made
   orthonormal in M; MR = M R */
static void plate_motions(const gos_linear *l, double *R, double *MR) {
    const size_t nq = PLATE_Q;
    memset(R, 0, 6 * nq * sizeof *R);
    for (int k = 0; k < SIDE * SIDE; k++) {
        const double at[3][3] = {
            {(k % SIDE) / (SIDE - 1.0), (k / SIDE) / (SIDE - 1.0), 0}, {1, 0, 0}, {0, 1, 0}};
        for (int c = 0; c < 3; c++) {
            const int c1 = (c + 1) % 3, c2 = (c + 2) % 3; // e_c x at = at[c1] e_c2 - at[c2] e_c1
            R[(size_t)c * nq + (size_t)(9 * k + c)] = 1;
            for (int v = 0; v < 3; v++) {
                double *turn = R + (size_t)(3 + c) * nq + (size_t)(9 * k + 3 * v);
                turn[c2] = at[v][c1];
                turn[c1] = -at[v][c2];
            }
        }
    }
    for (int j = 0; j < 6; j++) {
        double *r = R + (size_t)j * nq, *Mr = MR + (size_t)j * nq;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < j; k++) {
                cblas_daxpy(PLATE_Q, -cblas_ddot(PLATE_Q, MR + (size_t)k * nq, 1, r, 1),
                            R + (size_t)k * nq, 1, r, 1);
            }
            gos__sparse_apply(&l->M, 1, r, Mr);
            const double size = sqrt(cblas_ddot(PLATE_Q, r, 1, Mr, 1));
            cblas_dscal(PLATE_Q, 1 / size, r, 1);
            cblas_dscal(PLATE_Q, 1 / size, Mr, 1);
        }
    }
}

/* largest |R^T K R|, 1/s^2: what round-off in the entries of K resists rigid motions with */
static double resistance(const gos_linear *l, const double *R) {
    static double KR[6 * PLATE_Q];
    static _Alignas(64) double panel[8 * PLATE_Q];
    double most = 0;
    gos__sparse_apply_exact(&l->K, 6, R, KR, panel);
    for (int k = 0; k < 36; k++) {
        most = fmax(most, fabs(cblas_ddot(PLATE_Q, R + (size_t)(k / 6) * PLATE_Q, 1,
                                          KR + (size_t)(k % 6) * PLATE_Q, 1)));
    }
    return most;
}

/* m (PLATE, 2, 3): Y R R^T B / s^2, a power series about s0, and what the plate does held by (M
 * R)^T q = 0 */
static void split_moments(gos_ctx *ctx, const gos_linear *l, const double *R, const double *MR,
                          double s0, gos_complex *m) {
    static double rows[6 * PLATE_Q];
    for (int k = 0; k < 6; k++) {
        cblas_dcopy(PLATE_Q, MR + (size_t)k * PLATE_Q, 1, rows + k, 6);
    }
    gos_sparse hold = {0};
    gos_reduce_pencil *p;
    linear_good(ctx, gos__sparse_from_dense(ctx, 6, PLATE_Q, rows, &hold));
    linear_good(ctx, gos__reduce_pencil_create(ctx, l, &hold, &p));
    linear_good(ctx, gos__reduce_pencil_moments(p, s0, PLATE, m));
    double power = 1 / (s0 * s0);
    for (int i = 0; i < PLATE; i++, power /= -s0) {
        for (int k = 0; k < 6 * PORTS; k++) {
            const double *r = R + (size_t)(k / PORTS) * PLATE_Q;
            const int port = k % PORTS, u = port / 3, y = port % 3;
            m[i * PORTS + port] += (i + 1) * power *
                                   cblas_ddot(PLATE_Q, r, 1, p->Y[0] + (size_t)y * PLATE_Q, 1) *
                                   cblas_ddot(PLATE_Q, r, 1, p->B + (size_t)u * PLATE_Q, 1);
        }
    }
    gos__reduce_pencil_destroy(p);
    gos__sparse_free(ctx, &hold);
}

static void moments_of(gos_ctx *ctx, const gos_linear *l, double s0, gos_complex *m) {
    gos_reduce_pencil *p;
    linear_good(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
    linear_good(ctx, gos__reduce_pencil_moments(p, s0, PLATE, m));
    gos__reduce_pencil_destroy(p);
}

static void check_plate(gos_ctx *ctx, const gos_linear *l, double s0) {
    static double R[6 * PLATE_Q], MR[6 * PLATE_Q];
    static gos_complex exact[PLATE * PORTS], own[PLATE * PORTS], stored[PLATE * PORTS];
    const gos_point point = {s0, 0};
    const gos_linear_reduction_options opt = {
        .method = "krylov", .order = 2 * PLATE + 6, .npoints = 1, .points = &point};
    gos_linear_reduction *r;
    linear_good(ctx, gos_linear_reduce(ctx, l, &opt, &r));
    gos_linear_reduction_report report;
    gos_linear_reduction_get(r, &report);
    plate_motions(l, R, MR);
    split_moments(ctx, l, R, MR, s0, exact);
    moments_of(ctx, gos_linear_reduction_model(r), s0, own);
    moments_of(ctx, l, s0, stored);
    const double lambda = resistance(l, R);
    double worst = 0, beside = 0, could = 0;
    for (int k = 0; k < PLATE;
         k++) { // 1 / (s^2 + lambda): coefficients of lambda / s^4 beside 1 / s^2
        worst = fmax(worst, apart(exact + k * PORTS, own + k * PORTS, PORTS));
        beside = fmax(beside, apart(exact + k * PORTS, stored + k * PORTS, PORTS));
        could = fmax(could, (k + 2) * (k + 3) / 6.0 * lambda / (s0 * s0));
    }
    print_message(
        "plate at %g: %d moments, error %.1e (reported %.1e); round-off of K: %.1e 1/s^2, "
        "%.1e of a moment (%.1e at most)\n",
        s0, report.moments, worst, report.moment_error, lambda, beside, could);
    assert_int_equal(report.moments, PLATE);
    assert_int_equal(report.coordinates, opt.order);
    assert_true(worst < 1e-10);
    assert_true(report.moment_error < 1e-10);
    assert_true(beside < could); // what the matrices say of rigid motions is no better
    gos_linear_reduction_destroy(r);
}

/* A free damped plate beside the pole of its rigid motions: eigenvalues from 0 to 1e13 1/s^2 */
static void test_plate(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const char text[] =
        "materials: {m: {density: 2700, young: 7.0e10, damping: {normal: 1.0e-5, shear: 1.0e-5}}}\n"
        "bodies:\n"
        "  p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, 0, 0],"
        " y: [0, 1, 0], elements: [19, 19], quadrature: reduced}\n"
        "loads:\n"
        "  f: {type: force, on: 'p.node(0,0)', value: [0, 0, 1]}\n"
        "  g: {type: force, on: 'p.node(9,6)', value: [0, 0, 1]}\n"
        "probes:\n"
        "  a: {at: 'p.node(19,19)', quantity: displacement}\n";
    gos_model *model;
    gos_system *sys;
    gos_state *state;
    gos_linear *l;
    linear_good(ctx, gos_model_parse(ctx, text, sizeof text - 1, "plate", NULL, &model));
    linear_good(ctx, gos_system_create(ctx, model, &sys));
    linear_good(ctx, gos_state_create(ctx, sys, &state));
    linear_good(ctx, gos_linearise(ctx, sys, state, &l));
    assert_int_equal(l->nq, PLATE_Q);
    assert_true(l->nq > GOS_SYMMETRIC_LARGE);
    check_plate(ctx, l, 60);
    check_plate(ctx, l, 5);
    gos_linear_destroy(l);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
