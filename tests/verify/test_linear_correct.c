/* Reduced models with truncated modes beside them: the oscillators as theory writes them, what is
   exact, what remains, that the reduced motion does not feel them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linear_models.h"
#include "support/suite.h"

enum { N = 40, LINES = 25 };

static gos_linear_reduction *reduce(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *opt) {
    gos_linear_reduction *r = NULL;
    linear_good(ctx, gos_linear_reduce(ctx, l, opt, &r));
    return r;
}

/* A (m, n), dense by columns */
static double *dense(const gos_linear *l, gos_block block) {
    const gos_sparse *S = &l->block[block];
    double *A = test_calloc((size_t)S->m * (size_t)S->n + 1, sizeof *A);
    for (int j = 0; j < S->n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            A[j * S->m + S->i[k]] = S->x[k];
        }
    }
    return A;
}

/* C (m, n) = A^T B, both of `rows` rows */
static double *product(int m, int n, int rows, const double *A, const double *B) {
    double *C = test_calloc((size_t)m * (size_t)n + 1, sizeof *C);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            for (int k = 0; k < rows; k++) {
                C[j * m + i] += A[i * rows + k] * B[j * rows + k];
            }
        }
    }
    return C;
}

/* A (n, n) X (n, c), A symmetric */
static double *times(int n, int c, const double *A, const double *X) {
    return product(n, c, n, A, X);
}

/* H (2 outputs inputs) at LINES frequencies from 0.3 to 70 rad/s, above the highest mode (63) */
static double *response(gos_ctx *ctx, const gos_linear *l) {
    double omega[LINES];
    double *H = test_calloc((size_t)(2 * LINES * l->ny * l->nu), sizeof *H);
    for (int k = 0; k < LINES; k++) {
        omega[k] = 0.3 * pow(70 / 0.3, k / (LINES - 1.0));
    }
    linear_good(ctx, gos_linear_response(ctx, l, LINES, omega, H));
    return H;
}

/* largest |H - G| over largest |H| */
static double difference(gos_ctx *ctx, const gos_linear *a, const gos_linear *b) {
    double *H = response(ctx, a), *G = response(ctx, b), worst = 0, largest = 0;
    for (int k = 0; k < 2 * LINES * a->ny * a->nu; k++) {
        worst = fmax(worst, fabs(H[k] - G[k]));
        largest = fmax(largest, fabs(H[k]));
    }
    test_free(H);
    test_free(G);
    return worst / largest;
}

/* every displacement and every velocity is an output */
static gos_linear *all_states(gos_ctx *ctx, const chain *c) {
    gos_linear *part = chain_model(ctx, c), *l;
    linear_good(ctx,
                gos__linear_create(ctx, &(gos_linear_size){.nq = N, .nu = c->nu, .ny = 2 * N}, &l));
    const gos_block same[] = {GOS_BLOCK_M, GOS_BLOCK_D, GOS_BLOCK_K, GOS_BLOCK_B};
    for (int k = 0; k < GOS_COUNT(same); k++) {
        linear_good(ctx, gos__linear_put(l, same[k], &part->block[same[k]]));
    }
    double *Y = test_calloc(4 * N * N, sizeof *Y);
    for (int i = 0; i < N; i++) {
        Y[i * 2 * N + i] = 1;
        Y[2 * N * N + i * 2 * N + N + i] = 1;
    }
    linear_put(ctx, l, GOS_BLOCK_Y_q, Y);
    linear_put(ctx, l, GOS_BLOCK_Y_v, Y + 2 * N * N);
    for (int i = 0; i < N; i++) {
        l->coordinate[i] = gos__arena_printf(l->arena, "mass(%d)", i + 1);
    }
    linear_good(ctx, gos__linear_close(l));
    test_free(Y);
    gos_linear_destroy(part);
    return l;
}

static const chain plain = {.n = N, .beta = 1e-3, .nu = 2, .in = {N - 1, 12}};
static const chain dashed = {.n = N, .beta = 1e-3, .dashpot = 5, .nu = 2, .in = {N - 1, 12}};
static const gos_point point = {0.1, 12};
static const char *const ends[] = {"mass(1)", "mass(40)"};
static const gos_linear_reduction_options bases[] = {
    {.method = "krylov", .order = 10},
    {.method = "krylov", .order = 10, .npoints = 1, .points = &point},
    {.method = "modes_static", .order = 8},
    {.method = "craig_bampton", .order = 8, .ninterface = 2, .interface = ends}};

/* the modes of the full model that stand behind the nr coordinates of a corrected one: shapes (N,
   n), to be freed, and their number */
static double *modes_of(gos_ctx *ctx, const gos_linear *l, const gos_linear *corrected, int nr,
                        int *n) {
    double *X = test_calloc(N * N, sizeof *X);
    int found, number;
    char name[40];
    linear_good(ctx, gos_linear_shapes(ctx, l, N, NULL, X, &found));
    *n = corrected->nq - nr;
    for (int k = 0, last = 0; k < *n; k++, last = number) {
        gos_linear_coordinate(corrected, nr + k, name, sizeof name);
        assert_int_equal(sscanf(name, "mode(%d)", &number), 1);
        assert_true(number > last && number <= found);
        memmove(X + N * k, X + N * (number - 1), N * 8);
    }
    return X;
}

/* block (rows, columns) of a matrix of order m at (i, j) */
static void put(double *A, int m, int i, int j, int rows, int columns, const double *block) {
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < rows; r++) {
            A[(j + c) * m + i + r] = block[c * rows + r];
        }
    }
}

/* The model as theory 4 has it, unknowns p and eta:
   [M_r 0; Phi^T M V 1], the same of D and K, [B_r; Phi^T B], y = Y_q (V p + Phi eta) + Y_v
   (...)' */
static gos_linear *as_written(gos_ctx *ctx, const gos_linear *l, const gos_linear_reduction *r,
                              const gos_linear *corrected) {
    const gos_linear *small = gos_linear_reduction_model(r);
    const int nr = small->nq, m = corrected->nq;
    int rows, columns, n;
    double *V = test_calloc((size_t)N * (size_t)m, sizeof *V);
    memcpy(V, gos_linear_reduction_basis(r, GOS_DISPLACEMENT, false, &rows, &columns),
           (size_t)(N * nr) * 8);
    double *X = modes_of(ctx, l, corrected, nr, &n);
    memcpy(V + (size_t)N * (size_t)nr, X, (size_t)(N * n) * 8);
    gos_linear *to;
    linear_good(
        ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = m, .nu = l->nu, .ny = l->ny}, &to));
    const gos_block blocks[] = {GOS_BLOCK_M, GOS_BLOCK_D, GOS_BLOCK_K};
    for (int b = 0; b < 3; b++) {
        double *A = dense(l, blocks[b]), *own = dense(small, blocks[b]), *AV = times(N, m, A, V);
        double *below = product(n, m, N, X, AV);
        double *whole = test_calloc((size_t)(m * m), 8);
        put(whole, m, 0, 0, nr, nr, own);
        put(whole, m, nr, 0, n, m, below);
        linear_put(ctx, to, blocks[b], whole);
        double *const used[] = {A, own, AV, below, whole};
        for (int k = 0; k < GOS_COUNT(used); k++) {
            test_free(used[k]);
        }
    }
    double *B = dense(l, GOS_BLOCK_B), *own = dense(small, GOS_BLOCK_B);
    double *below = product(n, l->nu, N, X, B), *whole = test_calloc((size_t)(m * l->nu), 8);
    put(whole, m, 0, 0, nr, l->nu, own);
    put(whole, m, nr, 0, n, l->nu, below);
    linear_put(ctx, to, GOS_BLOCK_B, whole);
    for (int k = 0; k < 2;
         k++) { // all states are outputs: Y V is V, in the upper or the lower half
        double *Y = test_calloc((size_t)(l->ny * m), 8);
        put(Y, l->ny, k * N, 0, N, m, V);
        linear_put(ctx, to, k ? GOS_BLOCK_Y_v : GOS_BLOCK_Y_q, Y);
        test_free(Y);
    }
    linear_good(ctx, gos__linear_close(to));
    double *const used[] = {V, X, B, own, below, whole};
    for (int k = 0; k < GOS_COUNT(used); k++) {
        test_free(used[k]);
    }
    return to;
}

/* the library's model, in unknowns of its own, responds as the one that theory writes, for any
   basis and the damping; 1e-10: rounding times 4000 of K over the lowest w^2 = 5.6, and a few */
static void test_as_written(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    for (int k = 0; k < 2 * GOS_COUNT(bases); k++) {
        gos_linear *l = all_states(ctx, k % 2 ? &dashed : &plain), *corrected;
        gos_linear_reduction *r = reduce(ctx, l, &bases[k / 2]);
        linear_good(ctx, gos_linear_correct(ctx, l, r, 12, &corrected));
        gos_linear *written = as_written(ctx, l, r, corrected);
        const double d = difference(ctx, written, corrected);
        print_message("%-13s%s: %.1e off\n", bases[k / 2].method, k % 2 ? " with dashpot" : "", d);
        assert_true(d < 1e-10);
        // what does not couple is dropped: symmetric where the reduced model is, and D modal
        assert_true(corrected->symmetric == (k % 2 == 0));
        gos_linear_destroy(written);
        gos_linear_destroy(corrected);
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* What remains: H_c - H = (1 - Phi Phi^T M) (H_r - H), the reduced motion's error across the modes,
   when damping does not couple them. Never more than before in the norm of M, at any frequency. */
static void test_remaining(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    for (int k = 0; k < GOS_COUNT(bases); k++) {
        gos_linear *l = all_states(ctx, &plain), *corrected;
        gos_linear_reduction *r = reduce(ctx, l, &bases[k]);
        const gos_linear *small = gos_linear_reduction_model(r);
        linear_good(ctx, gos_linear_correct(ctx, l, r, 12, &corrected));
        int n;
        double *X = modes_of(ctx, l, corrected, small->nq, &n), *M = dense(l, GOS_BLOCK_M);
        double *MX = times(N, n, M, X);
        double *H = response(ctx, l), *R = response(ctx, small), *C = response(ctx, corrected);
        double worst = 0, largest = 0, least = 1e300, most = 0;
        for (int at = 0; at < LINES * 2 * 2; at++) { // frequency, input, real or imaginary part
            const int line = at / 4, input = at / 2 % 2, part = at % 2;
            double e[N], before = 0, after = 0;
            for (int i = 0; i < N; i++) {
                const int here = 2 * ((line * 2 * N + i) * 2 + input) + part;
                e[i] = R[here] - H[here];
                before += M[i * N + i] * e[i] * e[i];
                after += M[i * N + i] * (C[here] - H[here]) * (C[here] - H[here]);
                largest = fmax(largest, fabs(H[here]));
            }
            double share[N];
            for (int j = 0; j < n; j++) {
                share[j] = 0;
                for (int i = 0; i < N; i++) {
                    share[j] += MX[j * N + i] * e[i];
                }
            }
            for (int i = 0; i < N; i++) {
                const int here = 2 * ((line * 2 * N + i) * 2 + input) + part;
                for (int j = 0; j < n; j++) {
                    e[i] -= share[j] * X[j * N + i];
                }
                worst = fmax(worst, fabs(C[here] - H[here] - e[i]));
            }
            assert_true(after <= before * (1 + 1e-6) + 1e-24 * largest * largest);
            least = fmin(least, before > 0 ? after / before : 1);
            most = fmax(most, sqrt(after));
        }
        print_message("%-13s identity to %.1e, best share of the error that remains %.1e\n",
                      bases[k].method, worst / largest, sqrt(least));
        assert_true(worst < 1e-10 * largest && most > 1e-8 * largest);
        double *const used[] = {X, M, MX, H, R, C};
        for (int i = 0; i < GOS_COUNT(used); i++) {
            test_free(used[i]);
        }
        gos_linear_destroy(corrected);
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* With every mode the outputs are the full model's: of a modal basis those beyond it (that is the
   model of more modes), of others all; then for any damping is */
static void test_exact(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = all_states(ctx, &plain), *with = all_states(ctx, &dashed), *corrected;
    gos_linear_reduction *r =
        reduce(ctx, l, &(gos_linear_reduction_options){.method = "modes", .order = 8});
    gos_linear_reduction *more =
        reduce(ctx, l, &(gos_linear_reduction_options){.method = "modes", .order = 14});
    linear_good(ctx, gos_linear_correct(ctx, l, r, 6, &corrected));
    assert_int_equal(corrected->nq, 14);
    const double kept = difference(ctx, gos_linear_reduction_model(more), corrected);
    gos_linear_destroy(corrected);
    linear_good(ctx, gos_linear_correct(ctx, l, r, N - 8, &corrected));
    const double all = difference(ctx, l, corrected);
    gos_linear_destroy(corrected);
    print_message("8 modes and 6: %.1e from 14; and 32: %.1e from the full model\n", kept, all);
    assert_true(kept < 1e-11 && all < 1e-11);
    for (int k = 0; k < 2; k++) { // krylov bases
        gos_linear_reduction *other = reduce(ctx, with, &bases[k]);
        linear_good(ctx, gos_linear_correct(ctx, with, other, N, &corrected));
        const double before = difference(ctx, with, gos_linear_reduction_model(other));
        const double d = difference(ctx, with, corrected);
        print_message("krylov, dashpot, all modes: %.1e, %.1e before\n", d, before);
        assert_true(d < 1e-10 && before > 1e-3);
        gos_linear_destroy(corrected);
        gos_linear_reduction_destroy(other);
    }
    chain few = dashed; // left vectors of their own
    few.ny = 2;
    few.out[0] = 17;
    few.out[1] = 30;
    few.velocity = true;
    gos_linear *ports = chain_model(ctx, &few);
    gos_linear_reduction *two = reduce(
        ctx, ports,
        &(gos_linear_reduction_options){
            .method = "krylov", .order = 10, .two_sided = true, .npoints = 1, .points = &point});
    linear_good(ctx, gos_linear_correct(ctx, ports, two, N, &corrected));
    const double before = difference(ctx, ports, gos_linear_reduction_model(two));
    const double d = difference(ctx, ports, corrected);
    print_message("two-sided: %.1e, %.1e before\n", d, before);
    assert_true(d < 1e-10 && before > 1e-3);
    gos_linear_destroy(corrected);
    gos_linear_destroy(ports);
    gos_linear_reduction_destroy(two);
    gos_linear_reduction_destroy(r);
    gos_linear_reduction_destroy(more);
    gos_linear_destroy(l);
    gos_linear_destroy(with);
    gos_ctx_destroy(ctx);
}

/* The first rows are the reduced model's equations, bit by bit, and have nothing of the
   oscillators; the basis gives the full displacements, which are outputs here */
static void test_one_way(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = all_states(ctx, &dashed);
    gos_linear_reduction_options opt = bases[0];
    gos_linear_reduction *alone = reduce(ctx, l, &opt);
    opt.correction = 7;
    gos_linear_reduction *r = reduce(ctx, l, &opt);
    const gos_linear *a = gos_linear_reduction_model(alone), *b = gos_linear_reduction_model(r);
    gos_linear_reduction_report report;
    gos_linear_reduction_get(r, &report);
    assert_true(report.coordinates == 17 && report.corrections == 7 && b->nq == 17);
    const gos_block blocks[] = {GOS_BLOCK_M, GOS_BLOCK_D, GOS_BLOCK_K, GOS_BLOCK_B};
    for (int k = 0; k < GOS_COUNT(blocks); k++) {
        double *A = dense(a, blocks[k]), *C = dense(b, blocks[k]);
        const int columns = k < 3 ? 17 : 2;
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < 10; i++) {
                assert_true(C[j * 17 + i] == (k == 3 || j < 10 ? A[j * 10 + i] : 0));
            }
        }
        test_free(A);
        test_free(C);
    }
    int rows, count;
    const double *V = gos_linear_reduction_basis(r, GOS_DISPLACEMENT, false, &rows, &count);
    double *Y = dense(b, GOS_BLOCK_Y_q);
    assert_true(rows == N && count == 17);
    for (int j = 0; j < 17; j++) {
        assert_memory_equal(V + N * j, Y + 2 * N * j, N * 8);
    }
    test_free(Y);
    gos_linear_reduction_destroy(alone);
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* A free chain: what is corrected before the free motion is put back is what is corrected after */
static void test_free_motion(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    chain c = plain;
    c.free = true;
    gos_linear *l = all_states(ctx, &c), *after;
    gos_linear_reduction_options opt = {.method = "krylov", .order = 10};
    gos_linear_reduction *alone = reduce(ctx, l, &opt);
    opt.correction = 9;
    gos_linear_reduction *before = reduce(ctx, l, &opt);
    linear_good(ctx, gos_linear_correct(ctx, l, alone, 9, &after));
    const double d = difference(ctx, after, gos_linear_reduction_model(before));
    print_message("free chain: %.1e\n", d);
    assert_true(after->nq == 19 && d < 1e-10);
    gos_linear_destroy(after);
    gos_linear_reduction_destroy(alone);
    gos_linear_reduction_destroy(before);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* Sudden force, no damping: errors over 20 s of the position of two masses, at the load and inside,
   fall with the number of modes, to rounding with all of them */
static void test_time(void **unused) {
    GOS_UNUSED(unused);
    enum { STEPS = 2001 };
    static const char *const methods[] = {"krylov", "modes_static", "modes"};
    static const int numbers[][5] = {{0, 10, 20, 30, 39}, {0, 10, 20, 30, 33}, {0, 10, 20, 30, 32}};
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .nu = 1, .in = {N - 1}, .ny = 2, .out = {N - 1, 17}};
    gos_linear *l = chain_model(ctx, &c);
    double *u = test_malloc(STEPS * sizeof *u);
    for (int k = 0; k < STEPS; k++) {
        u[k] = 1;
    }
    for (int k = 0; k < GOS_COUNT(methods); k++) {
        double last[2] = {1e300, 1e300};
        for (int n = 0; n < 5; n++) {
            gos_linear_reduction *r =
                reduce(ctx, l,
                       &(gos_linear_reduction_options){
                           .method = methods[k], .order = 8, .correction = numbers[k][n]});
            gos_time_error e[2];
            linear_good(ctx, gos_linear_time_error(ctx, l, gos_linear_reduction_model(r),
                                                   GOS_TRANSIENT_EXACT, 0.01, STEPS, u, e));
            print_message("%-13s and %2d modes: RMS error at the load %.1e, inside %.1e\n",
                          methods[k], numbers[k][n], e[0].relative_rms, e[1].relative_rms);
            for (int y = 0; y < 2; y++) {
                // 2001 steps of rounding
                assert_true(e[y].relative_rms < (n < 4 ? last[y] : 1e-11));
                last[y] = e[y].relative_rms;
            }
            gos_linear_reduction_destroy(r);
        }
    }
    gos_linear_destroy(l);
    test_free(u);
    gos_ctx_destroy(ctx);
}

/* Errors are said of the corrected model: on a band that has 14 of the 40 modes */
static void test_predicted(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .beta = 1e-3, .nu = 1, .in = {N - 1}, .ny = 2, .out = {N - 1, 17}};
    gos_linear *l = chain_model(ctx, &c);
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n <= 24; n += 8) {
            gos_linear_reduction *r =
                reduce(ctx, l,
                       &(gos_linear_reduction_options){.method = k ? "modes_static" : "krylov",
                                                       .order = 8,
                                                       .correction = n,
                                                       .band = {1, 30}});
            gos_linear_reduction_report report;
            gos_band_error e;
            gos_linear_reduction_get(r, &report);
            linear_good(ctx,
                        gos_linear_band_error(ctx, l, gos_linear_reduction_model(r), 1, 30, &e));
            print_message("%s and %2d: error %.2e, predicted %.2e, proved %.2e\n",
                          k ? "modes_static" : "krylov", n, e.relative, report.predicted,
                          report.band_bound);
            // the estimate is within a tenth of the error
            assert_true(fabs(report.predicted / e.relative - 1) < 0.11);
            assert_true(report.band_bound > 0.99 * e.relative);
            gos_linear_reduction_destroy(r);
        }
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* the call fails with a message that has these words */
static void refused(const gos_linear *l, const gos_linear_reduction_options *opt,
                    const char *words) {
    gos_ctx *ctx = gos_ctx_create();
    gos_linear_reduction *r = NULL;
    assert_int_equal(gos_linear_reduce(ctx, l, opt, &r), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(ctx), words)) {
        fail_msg("%s: not \"%s\"", words, gos_ctx_message(ctx));
    }
    assert_null(r);
    gos_ctx_destroy(ctx);
}

static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain c = {.n = N, .beta = 1e-3, .nu = 1, .in = {N - 1}, .ny = 1, .out = {17}};
    gos_linear *l = chain_model(ctx, &c), *heat = random_first_order(ctx, 9, 1, 1, 3), *out = NULL;
    gos_linear_reduction_options opt = {.method = "modes", .order = 8, .correction = -1};
    refused(l, &opt, "correction by -1 modes: this model has 40 coordinates; give 0 to 40");
    opt.correction = N + 1;
    refused(l, &opt, "give 0 to 40");
    opt.correction = 33;
    refused(l, &opt, "only 32 modes are not contained in the reduced model; give 32 at most");
    opt.method = "balanced";
    refused(l, &opt, "method balanced yields a first-order model");
    opt.method = "krylov";
    opt.correction = 2;
    opt.order = 4;
    refused(heat, &opt, "has temperatures or states of first order");
    opt.correction = 0;
    gos_linear_reduction *r = reduce(ctx, l, &opt);
    assert_int_equal(gos_linear_correct(ctx, l, r, 0, &out), GOS_E_INPUT);
    assert_int_equal(gos_linear_correct(ctx, heat, r, 1, &out), GOS_E_INPUT);
    gos_linear_reduction *first =
        reduce(ctx, l, &(gos_linear_reduction_options){.method = "balanced", .order = 8});
    assert_int_equal(gos_linear_correct(ctx, l, first, 1, &out), GOS_E_INPUT);
    double *K = dense(l, GOS_BLOCK_K); // follower load
    K[5 * N + 7] += 100;
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_good(ctx, gos__linear_close(l));
    opt.correction = 2;
    refused(l, &opt, "has M, D or K without symmetry");
    assert_null(out);
    test_free(K);
    gos_linear_reduction_destroy(first);
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(heat);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_written),  cmocka_unit_test(test_remaining),
        cmocka_unit_test(test_exact),       cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_free_motion), cmocka_unit_test(test_time),
        cmocka_unit_test(test_predicted),   cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
