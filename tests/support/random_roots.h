/* Random coupled models of matrices, and all their roots by LAPACK. Include after cmocka. */
#ifndef GOS_TEST_RANDOM_ROOTS_H
#define GOS_TEST_RANDOM_ROOTS_H

#include <complex.h>
#include <lapacke.h>
#include <stdint.h>

#include "linear/state_space.h"
#include "support/modes.h"
#include "support/random.h"

typedef double _Complex root;
#define IMAG ((double _Complex)I)

typedef struct draws {
    uint64_t state;
} draws;

/* [0, 1) */
static inline double draw(draws *d) {
    return (random_uniform(&d->state) + 1) / 2;
}
static inline int draw_count(draws *d, int below) {
    return (int)(draw(d) * below);
}
static inline double draw_log(draws *d, double low, double high) {
    return low * pow(high / low, draw(d));
}

/* a dense matrix that becomes a block */
typedef struct full {
    int m, n;
    double *x;
} full;

static inline full full_of(int m, int n) {
    return (full){m, n, test_calloc((size_t)m * n + 1, sizeof(double))};
}
static inline void put(full *A, int i, int j, double x) {
    A->x[(size_t)j * A->m + i] += x;
}
/* s between a and b, b < 0: to the ground; antisymmetric: +s, -s */
static inline void put_between(full *A, int a, int b, double s) {
    put(A, a, a, s);
    if (b >= 0 && b != a) {
        put(A, b, b, s);
        put(A, a, b, -s);
        put(A, b, a, -s);
    }
}

typedef struct random_model {
    gos_ctx *ctx;
    gos_linear *linear;
    int nq, nt, nc;
    bool free, gyroscopic, follower, heat, controller, damped;
} random_model;

static inline void put_block(gos_linear *l, gos_block which, full *A, gos_ctx *ctx) {
    gos_sparse S;
    need(ctx, gos__sparse_from_dense(ctx, A->m, A->n, A->x, &S));
    need(ctx, gos__linear_put(l, which, &S));
    gos__sparse_free(ctx, &S);
    test_free(A->x);
}

/* springs in a chain and across it, dashpots up to 100 times critical */
static inline void draw_motion(draws *d, random_model *r, gos_linear *l) {
    const int n = r->nq;
    full M = full_of(n, n), K = full_of(n, n), D = full_of(n, n);
    for (int i = 0; i < n; i++) {
        put(&M, i, i, draw_log(d, 0.1, 10));
        const int next = i + 1 < n ? i + 1 : r->free ? i : -1;
        if (next != i) {
            put_between(&K, i, next, draw_log(d, 1, 1e4));
        }
        if (draw(d) < 0.3 && n > 1) {
            const int far = draw_count(d, n);
            if (far != i) {
                put_between(&K, i, far, draw_log(d, 1, 1e4));
            }
        }
        if (r->damped && draw(d) < 0.4) {
            const int to = n > 1 && (r->free || draw(d) < 0.5) ? (i + 1) % n : -1;
            if (to != i) {
                put_between(&D, i, to, draw_log(d, 1e-3, 2e3));
            }
        }
    }
    for (int i = 0; i + 1 < n && r->gyroscopic; i += 2) {
        const double g = draw_log(d, 0.1, 30);
        put(&D, i, i + 1, g);
        put(&D, i + 1, i, -g);
    }
    for (int k = 0; k < 2 && n > 1 && r->follower; k++) {
        const int i = draw_count(d, n), j = draw_count(d, n);
        const double f = i != j ? draw_log(d, 0.01, 2) : 0;
        put(&K, i, j, f);
        put(&K, j, i, -f);
    }
    put_block(l, GOS_BLOCK_M, &M, r->ctx);
    put_block(l, GOS_BLOCK_K, &K, r->ctx);
    put_block(l, GOS_BLOCK_D, &D, r->ctx);
    full C = full_of(r->nc, n);
    for (int i = 0; i < r->nc; i++) {
        put(&C, i, 2 * i, 1);
        put(&C, i, 2 * i + 1, -draw_log(d, 0.3, 3));
    }
    put_block(l, GOS_BLOCK_C, &C, r->ctx);
}

/* temperatures of rates 1e-4 to 1e2 in a chain, states of controllers with their own equations */
static inline void draw_heat(draws *d, random_model *r, gos_linear *l) {
    const int n = r->nq, nt = r->nt;
    full C = full_of(nt, nt), K = full_of(nt, nt), G = full_of(n, nt), Hq = full_of(nt, n),
         Hv = full_of(nt, n);
    for (int i = 0; i < nt; i++) {
        put(&C, i, i, r->controller ? 1 : draw_log(d, 1, 1e3));
        put_between(&K, i, i + 1 < nt ? i + 1 : -1, draw_log(d, 0.05, 50));
        const int a = draw_count(d, n), b = draw_count(d, n);
        const double g = draw_log(d, 1e-3, 1);
        put(&G, a, i, g);
        put(&Hv, i, a, g * (r->controller ? 1 : 20));
        if (a != b) { // inner forces alone
            put(&G, b, i, -g);
            put(&Hv, i, b, -g * (r->controller ? 1 : 20));
        }
        if (draw(d) < 0.3) { // what turns to the sun, what a controller measures
            const int c = draw_count(d, n);
            const double h = draw_log(d, 1e-3, 1);
            put(&Hq, i, c, h);
            if (n > 1) {
                put(&Hq, i, (c + 1) % n, -h);
            }
        }
        if (r->controller && i + 1 < nt) {
            const double w = draw_log(d, 0.1, 20);
            put(&K, i, i + 1, w);
            put(&K, i + 1, i, -w);
        }
    }
    put_block(l, GOS_BLOCK_C_T, &C, r->ctx);
    put_block(l, GOS_BLOCK_K_T, &K, r->ctx);
    put_block(l, GOS_BLOCK_G, &G, r->ctx);
    put_block(l, GOS_BLOCK_H_q, &Hq, r->ctx);
    put_block(l, GOS_BLOCK_H_v, &Hv, r->ctx);
}

/* at most `most` unknowns of first order */
static inline random_model draw_model(draws *d, int most) {
    random_model r = {.ctx = gos_ctx_create()};
    r.nq = 1 + draw_count(d, most / 3);
    r.free = r.nq > 1 && draw(d) < 0.3;
    r.gyroscopic = draw(d) < 0.3;
    r.follower = draw(d) < 0.2;
    r.heat = draw(d) < 0.6;
    r.controller = r.heat && draw(d) < 0.3;
    r.damped = draw(d) < 0.8;
    r.nt = r.heat ? 1 + draw_count(d, most / 3) : 0;
    r.nc = r.nq > 4 && draw(d) < 0.4 ? 1 + draw_count(d, r.nq / 4) : 0;
    const gos_linear_size size = {.nq = r.nq, .nt = r.nt, .nc = r.nc};
    need(r.ctx, gos__linear_create(r.ctx, &size, &r.linear));
    draw_motion(d, &r, r.linear);
    if (r.heat) {
        draw_heat(d, &r, r.linear);
    }
    need(r.ctx, gos__linear_close(r.linear));
    return r;
}

static inline void model_done(random_model *r) {
    gos_linear_destroy(r->linear);
    gos_ctx_destroy(r->ctx);
}

/* all roots of E x' = A x by LAPACK; *fastest: the largest */
static inline int dense_roots(gos_ctx *ctx, const gos_linear *l, root **all, double *fastest) {
    gos_state_space s;
    need(ctx, gos__state_space_make(ctx, l, &s));
    const int n = s.n;
    double *re = test_calloc(2 * (size_t)n + 1, sizeof *re), *im = re + n;
    int *pivot = test_calloc((size_t)n + 1, sizeof *pivot);
    *all = test_calloc((size_t)n + 1, sizeof **all);
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, s.E, n, pivot, s.A, n), 0);
    assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, s.A, n, re, im, NULL, 1, NULL, 1),
                     0);
    *fastest = 0;
    for (int i = 0; i < n; i++) {
        (*all)[i] = re[i] + im[i] * IMAG;
        *fastest = fmax(*fastest, cabs((*all)[i]));
    }
    test_free(pivot);
    test_free(re);
    gos__state_space_free(ctx, &s);
    return n;
}

/* all that modes and roots stand for: pairs twice, motions without force twice */
static inline int expand_roots(int nmodes, const gos_mode *mode, int nroots, const gos_root *slow,
                               root *all) {
    int n = 0;
    for (int i = 0; i < nmodes; i++) {
        const bool slowed = mode[i].rigid && mode[i].re == 0 && i + 1 < nmodes &&
                            mode[i + 1].rigid && mode[i + 1].re != 0;
        all[n++] = mode[i].re + mode[i].im * IMAG;
        if (mode[i].im > 0 || (mode[i].rigid && mode[i].re == 0 && !slowed)) {
            all[n++] = mode[i].re - mode[i].im * IMAG;
        }
    }
    for (int i = 0; i < nroots; i++) {
        all[n++] = slow[i].re + slow[i].im * IMAG;
        if (slow[i].im > 0) {
            all[n++] = slow[i].re - slow[i].im * IMAG;
        }
    }
    return n;
}

#endif
