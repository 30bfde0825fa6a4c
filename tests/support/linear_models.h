/* Small linear models made by hand, for tests of reductions: chains of masses, beams, random
   systems of first order. Matrices are dense while they are made. Include after cmocka. */
#ifndef GOS_TEST_LINEAR_MODELS_H
#define GOS_TEST_LINEAR_MODELS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gossamer/linearise.h"
#include "linear/linear.h"
#include "linear_reduction/reduce.h"
#include "support/random.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

static inline void linear_good(const gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        print_error("%s: %s\n", gos_status_text(status), gos_ctx_message(ctx));
    }
    assert_int_equal(status, GOS_OK);
}

static inline void linear_put(gos_ctx *ctx, gos_linear *l, gos_block block, const double *A) {
    gos_sparse *S = &l->block[block];
    const int m = S->m, n = S->n;
    gos__sparse_free(ctx, S);
    linear_good(ctx, gos__sparse_from_dense(ctx, m, n, A, S));
}

/* A chain of n masses 1..1.5 kg between two walls, springs 1000 N/m, n + 1 of them: D = beta K plus
   a dashpot of `dashpot` to the ground at mass 2; input: force on the masses in[nu], output:
   position (or velocity) of masses out[ny]; a rigid chain has no walls. */
typedef struct chain {
    int n;
    double beta, dashpot;
    bool free, velocity;
    int nu, in[4], ny, out[4];
} chain;

static inline gos_linear *chain_model(gos_ctx *ctx, const chain *c) {
    const int n = c->n;
    const size_t nn = (size_t)n * (size_t)n;
    gos_linear *l;
    linear_good(ctx,
                gos__linear_create(ctx, &(gos_linear_size){.nq = n, .nu = c->nu, .ny = c->ny}, &l));
    double *M = test_calloc(nn, sizeof *M), *K = test_calloc(nn, sizeof *K);
    double *D = test_calloc(nn, sizeof *D), *B = test_calloc(4 * (size_t)n, sizeof *B);
    double *Y = test_calloc(4 * (size_t)n, sizeof *Y);
    for (int i = 0; i < n; i++) {
        M[i * n + i] = 1 + 0.5 * i / n;
        K[i * n + i] = 2000 - (c->free && (i == 0 || i == n - 1) ? 1000 : 0);
        if (i > 0) {
            K[i * n + i - 1] = K[(i - 1) * n + i] = -1000;
        }
        l->coordinate[i] = gos__arena_printf(l->arena, "mass(%d)", i + 1);
    }
    for (size_t k = 0; k < nn; k++) {
        D[k] = c->beta * K[k];
    }
    D[n + 1] += c->dashpot;
    for (int u = 0; u < c->nu; u++) {
        B[u * n + c->in[u]] = 1;
        l->input[u] = (gos_port){"force", "N"};
    }
    for (int y = 0; y < c->ny; y++) {
        Y[c->out[y] * c->ny + y] = 1;
        l->output[y] = (gos_port){"position", "m"};
    }
    linear_put(ctx, l, GOS_BLOCK_M, M);
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_put(ctx, l, GOS_BLOCK_D, D);
    linear_put(ctx, l, GOS_BLOCK_B, B);
    linear_put(ctx, l, c->velocity ? GOS_BLOCK_Y_v : GOS_BLOCK_Y_q, Y);
    linear_good(ctx, gos__linear_close(l));
    double *const used[] = {M, K, D, B, Y};
    for (int i = 0; i < GOS_COUNT(used); i++) {
        test_free(used[i]);
    }
    return l;
}

/* E x' = A x + B u, y = C x, dense and not symmetric, stable */
static inline gos_linear *random_first_order(gos_ctx *ctx, int n, int nu, int ny, uint64_t seed) {
    gos_linear *l;
    linear_good(ctx, gos__linear_create(ctx, &(gos_linear_size){.nt = n, .nu = nu, .ny = ny}, &l));
    const size_t nn = (size_t)n * (size_t)n;
    double *E = test_calloc(nn, sizeof *E), *A = test_calloc(nn, sizeof *A);
    double *B = test_calloc((size_t)n * (size_t)nu, sizeof *B);
    double *C = test_calloc((size_t)n * (size_t)ny, sizeof *C);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            E[j * n + i] = 0.2 * random_uniform(&seed) / n;
            A[j * n + i] = random_uniform(&seed) / sqrt((double)n); // -A
        }
        E[j * n + j] += 1;
        A[j * n + j] += 1.5 + 3.0 * j / n;
    }
    for (int k = 0; k < n * nu; k++) {
        B[k] = random_uniform(&seed);
    }
    for (int k = 0; k < n * ny; k++) {
        C[k] = random_uniform(&seed);
    }
    linear_put(ctx, l, GOS_BLOCK_C_T, E);
    linear_put(ctx, l, GOS_BLOCK_K_T, A);
    linear_put(ctx, l, GOS_BLOCK_B_T, B);
    linear_put(ctx, l, GOS_BLOCK_Y_T, C);
    linear_good(ctx, gos__linear_close(l));
    double *const used[] = {E, A, B, C};
    for (int i = 0; i < GOS_COUNT(used); i++) {
        test_free(used[i]);
    }
    return l;
}

/* largest |H - H_r| / |H| (Frobenius) at imaginary frequencies, spaced evenly in the logarithm */
static inline double response_difference(gos_ctx *ctx, const gos_linear *full,
                                         const gos_linear *reduced, double lo, double hi, int n) {
    gos_reduce_pencil *p[2];
    linear_good(ctx, gos__reduce_pencil_create(ctx, full, NULL, &p[0]));
    linear_good(ctx, gos__reduce_pencil_create(ctx, reduced, NULL, &p[1]));
    const int size = full->nu * full->ny;
    gos_complex *H = test_calloc(2 * (size_t)size, sizeof *H);
    double worst = 0;
    for (int k = 0; k < n; k++) {
        gos_complex s;
        ((double *)&s)[0] = 0;
        ((double *)&s)[1] = lo * pow(hi / lo, n > 1 ? (double)k / (n - 1) : 0);
        linear_good(ctx, gos__reduce_pencil_response(p[0], s, H));
        linear_good(ctx, gos__reduce_pencil_response(p[1], s, H + size));
        const double *h = (const double *)H;
        double difference = 0, total = 0;
        for (int i = 0; i < 2 * size; i++) {
            difference += (h[i] - h[2 * size + i]) * (h[i] - h[2 * size + i]);
            total += h[i] * h[i];
        }
        worst = fmax(worst, sqrt(difference / total));
    }
    test_free(H);
    gos__reduce_pencil_destroy(p[0]);
    gos__reduce_pencil_destroy(p[1]);
    return worst;
}

/* as the theorem has it: also a model that comes out unstable, which gos_linear_reduce refuses */
static inline gos_linear_reduction *linear_reduce_plainly(gos_ctx *ctx, const gos_linear *l,
                                                          const gos_linear_reduction_options *opt,
                                                          int *unstable) {
    gos_linear_reduction *r = NULL;
    if (gos_linear_reduce(ctx, l, opt, &r) != GOS_OK) {
        assert_true(opt->two_sided && strstr(gos_ctx_message(ctx), "unstable"));
        ++*unstable;
        linear_good(ctx, gos__reduce_at_order(ctx, l, opt, &r));
    }
    return r;
}

#endif
