/* Modes of large models: block Lanczos on MUMPS against closed forms, LAPACK and ARPACK; clusters,
   free motions, constraints, restarts, the same bits in every run, and memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "gossamer/blas.h"
#include "linalg/block_lanczos.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "support/arpack.h"
#include "support/faults.h"
#include "support/modes.h"
#include "support/plate_matrix.h"
#include "support/suite.h"

static double *room(int n, int order) {
    return test_calloc((size_t)n * (size_t)order, sizeof(double));
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The residuals that are reported, from the recurrence and random sums, are those that solves give:
   not less, and not much more than rounding makes. */
static void check_residuals(gos_ctx *ctx, const gos_pencil *p, const gos_eigen_info *info,
                            int count, const double *lambda, const double *X,
                            const double *residual) {
    const int n = p->K->n;
    double *r = room(3, n), *Mx = r + n, *z = Mx + n;
    gos_saddle *saddle;
    int below, open = 0;
    need(ctx, gos__saddle_create(ctx, p, &saddle));
    need(ctx, gos__saddle_shift(saddle, info->shift, &below));
    for (int k = 0; k < count; k++) {
        gos__sparse_apply(p->K, 1, X + k * n, r);
        gos__sparse_apply(p->M, 1, X + k * n, Mx);
        for (int i = 0; i < n; i++) {
            r[i] -= lambda[k] * Mx[i];
        }
        need(ctx, gos__saddle_solve(saddle, 1, r, z));
        gos__sparse_apply(p->M, 1, z, Mx);
        const double is = sqrt(gos__dense_dot(n, z, Mx));
        // four sums for rounding: their mean is less than a ninth of the truth in one case of 1000
        assert_true(is <= 3 * residual[k] && residual[k] <= 1.1 * is + 1e-9);
        open += is > 1e-10;
    }
    // some must be more than rounding, 1e-11 here, or nothing has been compared with 3 times the
    // residual
    assert_true(open > 0);
    gos__saddle_destroy(saddle);
    test_free(r);
}

/* Simply supported, lambda = pi^4 (i^2 + j^2)^2, twice when i and j differ: exactly those, none
 * missing, none too many. Cubic elements err by (pi k h)^4 / 720. */
static void test_supported_plate(void **unused) {
    GOS_UNUSED(unused);
    enum { SIDE = 40, N = 32, MOST = 12 };
    gos_ctx *ctx = gos_ctx_create();
    plate_matrix m;
    gos_eigen_info info;
    double lambda[N], residual[N], exact[MOST * MOST];
    int found;
    need(ctx, plate_matrix_make(ctx, SIDE, true, 0.3, &m));
    double *X = room(N, m.K.n);
    need(ctx, gos__eigen_find(ctx, &m.pencil, N, lambda, X, &found, &info, residual));
    assert_int_equal(found, N);
    assert_string_equal(info.factors.way, "MUMPS");
    for (int i = 0; i < MOST * MOST; i++) {
        const int a = i % MOST + 1, b = i / MOST + 1;
        exact[i] = pow(M_PI, 4) * pow(a * a + b * b, 2);
    }
    qsort(exact, MOST * MOST, sizeof *exact, by_size);
    for (int k = 0; k < N; k++) {
        near_rel_named("plate", lambda[k], exact[k], 2e-4); // (7 pi / 40)^4 / 720 = 1.3e-4
        assert_true(lambda[k] >= exact[k] * (1 - 1e-8));
        assert_true(residual[k] < 1e-7);
    }
    check_residuals(ctx, &m.pencil, &info, N, lambda, X, residual);
    // eight sums with random signs estimate the sum of squares within a factor 4 for sure (chi^2
    // of eight), and the bound is four times its root
    const double all = sqrt(gos__dense_dot(N, residual, residual));
    assert_true(info.error > 2 * all && info.error < 8 * all);
    // number 32 is one of (1, 7), (7, 1); number 31 is (5, 5), which errs less. The twin is
    // reported.
    assert_int_equal(info.cluster, 1);
    assert_int_equal(info.counted, info.below);
    assert_true(info.below >= N && info.proof > lambda[N - 1]);
    test_free(X);
    plate_matrix_free(ctx, &m);
    gos_ctx_destroy(ctx);
}

/* Free: three rigid motions, exactly 0 although K is singular. Block Lanczos, LAPACK and ARPACK
   agree; the vectors are orthonormal; a second run gives the same bits. */
static void test_free_plate(void **unused) {
    GOS_UNUSED(unused);
    enum { SIDE = 28, N = 20 };
    gos_ctx *ctx = gos_ctx_create();
    plate_matrix m;
    gos_eigen_info info;
    gos_saddle *saddle;
    double lambda[N], again[N], other[N], residual[N];
    int found, below;
    need(ctx, plate_matrix_make(ctx, SIDE, false, 0.3, &m));
    const int n = m.K.n;
    double *X = room(N, n), *Y = room(N, n), *MX = room(N, n);
    need(ctx, gos__eigen_find(ctx, &m.pencil, N, lambda, X, &found, &info, residual));
    assert_true(found == N && n > GOS_SYMMETRIC_LARGE);
    need(ctx, gos__eigen_lowest(ctx, &m.pencil, N, again, Y, &found));
    assert_memory_equal(lambda, again, sizeof lambda);
    assert_memory_equal(X, Y, N * (size_t)n * sizeof *X);
    for (int k = 0; k < N; k++) {
        assert_int_equal(lambda[k] == 0, k < 3);
    }
    gos__sparse_apply(&m.M, N, X, MX);
    for (int i = 0; i < N * N; i++) {
        const double dot = gos__dense_dot(n, X + (i / N) * n, MX + (i % N) * n);
        near_abs_named("x . M x", dot, i / N == i % N, 1e-10);
    }
    // the largest rounding of K, 1e-16 of its largest eigenvalue, is 1e-9 of the first elastic ones
    need(ctx, gos__saddle_create(ctx, &m.pencil, &saddle));
    need(ctx, gos__saddle_shift(saddle, info.shift, &below));
    assert_int_equal(below, 0);
    assert_int_equal(arpack_lowest(&m.pencil, saddle, info.shift, N, 1e-12, other, Y), N);
    for (int k = 3; k < N; k++) {
        near_rel_named("ARPACK", other[k], lambda[k], 1e-7);
    }
    // square plate, nu = 0.3: 13.468, 19.596, 24.270, then twice 34.801 (Leissa, NASA SP-160, 1969)
    const double table[] = {13.468, 19.596, 24.270, 34.801, 34.801};
    for (int k = 0; k < 5; k++) {
        near_rel_named("Leissa", sqrt(lambda[3 + k]), table[k], 1e-3);
    }
    assert_true(fabs(lambda[7] / lambda[6] - 1) < 1e-7);
    gos__saddle_destroy(saddle);
    test_free(X);
    test_free(Y);
    test_free(MX);
    plate_matrix_free(ctx, &m);
    gos_ctx_destroy(ctx);
}

/* The same small plate by every way: LAPACK, KLU, MUMPS; and a basis so small that it must
   restart */
static void test_ways(void **unused) {
    GOS_UNUSED(unused);
    enum { SIDE = 9, N = 12 };
    gos_ctx *ctx = gos_ctx_create();
    const gos_symmetric_way *const way[] = {&gos__symmetric_klu, &gos__symmetric_mumps};
    for (int run = 0; run < 4; run++) {
        plate_matrix m;
        double dense[N];
        int found, below;
        need(ctx, plate_matrix_make(ctx, SIDE, run % 2, 0.3, &m));
        double *X = room(N, m.K.n);
        need(ctx, gos__eigen_dense(ctx, &m.pencil, N, dense, X, &found));
        gos_saddle *saddle;
        gos_lanczos l;
        const double shift = -100;
        const gos_lanczos_def def = {.pencil = &m.pencil, .free = m.K.n - m.C.m, .max_vectors = N};
        need(ctx, gos__saddle_create_by(ctx, &m.pencil, way[run / 2], &saddle));
        // between the third and the fourth
        need(ctx, gos__saddle_count(saddle, 0.5 * (dense[2] + dense[3]), &below));
        assert_int_equal(below, 3);
        need(ctx, gos__saddle_shift(saddle, shift, &below));
        assert_int_equal(below, 0);
        gos_lanczos_def full = def;
        full.saddle = saddle;
        need(ctx, gos__lanczos_create(ctx, &full, &l));
        need(ctx, gos__lanczos_run(&l, shift, N, N, true));
        assert_true(l.got == N && l.restarts > 0);
        for (int k = 0; k < N; k++) {
            near_abs_named("way", l.lambda[k], dense[k], 1e-9 * dense[N - 1]);
        }
        gos__lanczos_destroy(&l);
        gos__saddle_destroy(saddle);
        test_free(X);
        plate_matrix_free(ctx, &m);
    }
    gos_ctx_destroy(ctx);
}

/* Many equal strings of masses: every eigenvalue 2 - 2 cos(k pi / (LENGTH + 1)) comes COPIES times,
   and no arithmetic need help to find them all. The last ones requested are the end of a set, or
   cut one. */
static void test_copies(void **unused) {
    GOS_UNUSED(unused);
    enum { COPIES = 60, LENGTH = 30, N = COPIES * LENGTH, MOST = 2 * COPIES + 1 };
    const int want[] = {5, COPIES, COPIES + 1, 2 * COPIES, MOST};
    gos_ctx *ctx = gos_ctx_create();
    gos_sparse K, M, C;
    need(ctx, gos__sparse_alloc(ctx, N, N, 3 * N, &K));
    need(ctx, gos__sparse_alloc(ctx, N, N, N, &M));
    need(ctx, gos__sparse_alloc(ctx, 0, N, 1, &C));
    int at = 0;
    for (int j = 0; j < N; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i == j || (i >= 0 && i < N && i / LENGTH == j / LENGTH)) {
                K.i[at] = i;
                K.x[at++] = i == j ? 2 : -1;
            }
        }
        K.p[j + 1] = at;
        M.i[j] = j;
        M.x[j] = 1;
        M.p[j + 1] = j + 1;
    }
    K.nnz = at;
    M.nnz = N;
    C.nnz = 0;
    const gos_pencil pencil = {.K = &K, .M = &M, .C = &C, .ncomp = 1};
    double *X = room(MOST, N), *MX = room(MOST, N), lambda[MOST];
    for (int i = 0; i < GOS_COUNT(want); i++) {
        gos_eigen_info info;
        int found;
        need(ctx, gos__eigen_find(ctx, &pencil, want[i], lambda, X, &found, &info, NULL));
        assert_int_equal(found, want[i]);
        assert_true(info.below == info.counted && info.below >= want[i]);
        assert_int_equal(info.below % COPIES, 0);
        for (int k = 0; k < found; k++) {
            const double a = (k / COPIES + 1) * M_PI / (LENGTH + 1);
            near_rel_named("copy", lambda[k], 2 - 2 * cos(a), 1e-10);
        }
        gos__sparse_apply(&M, found, X, MX);
        for (int k = 0; k < found * found; k++) {
            const double dot = gos__dense_dot(N, X + k / found * N, MX + k % found * N);
            near_abs_named("x . M x", dot, k / found == k % found, 1e-10);
        }
        assert_true((info.cluster > 0) == (want[i] % COPIES != 0));
    }
    test_free(X);
    test_free(MX);
    gos__sparse_free(ctx, &K);
    gos__sparse_free(ctx, &M);
    gos__sparse_free(ctx, &C);
    gos_ctx_destroy(ctx);
}

/* numbers that are none are reported */
static void test_refusals(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    plate_matrix m;
    double lambda[4];
    int found;
    need(ctx, plate_matrix_make(ctx, 28, true, 0.3, &m));
    double *X = room(4, m.K.n);
    m.K.x[500] = nan("");
    assert_int_equal(gos__eigen_lowest(ctx, &m.pencil, 4, lambda, X, &found), GOS_E_NONFINITE);
    assert_int_equal(found, 0);
    test_free(X);
    plate_matrix_free(ctx, &m);
    gos_ctx_destroy(ctx);
}

/* every allocation fails in turn: told, nothing leaks, and the next call works */
static void test_memory(void **unused) {
    GOS_UNUSED(unused);
    faults f;
    gos_ctx *ctx = faults_context(&f);
    plate_matrix m;
    double lambda[4];
    int found = 0;
    need(ctx, plate_matrix_make(ctx, 28, true, 0.3, &m));
    double *X = room(4, m.K.n);
    const long live = f.live;
    bool failed = true;
    for (long n = 1; failed; n++) {
        faults_arm(&f, n, 0);
        const gos_status status = gos__eigen_lowest(ctx, &m.pencil, 4, lambda, X, &found);
        failed = f.calls >= n;
        faults_arm(&f, 0, 0);
        assert_int_equal(status, failed ? GOS_E_MEMORY : GOS_OK);
        assert_int_equal(found, failed ? 0 : 4);
        gos_ctx_clear(ctx);
        assert_int_equal(f.live, live);
    }
    near_rel_named("after failures", lambda[0], 4 * pow(M_PI, 4), 1e-5);
    test_free(X);
    plate_matrix_free(ctx, &m);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    gos_blas_select(suite_command);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supported_plate),
        cmocka_unit_test(test_free_plate),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
