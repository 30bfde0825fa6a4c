/* Softening by stress; see softening.h. Stiffness and stress matrices are projected on the body's
   lowest modes under joint rows, plus its own modes; the inverse of the least relative eigenvalue
   is the buckling load factor. */
#include "statics/softening.h"

#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear/linear.h"
#include "constraints/row_rank.h"

#define OWN 10      // number of modes under joint rows
#define MORE 40     // ... for a body with few coordinates
#define FEW 300     // ... maximum of those
#define RIGID 6     // rigid-body modes of a free body
#define FRAME 12    // frame coordinates before the amplitudes
#define SAME 1e-8   // relative to the largest entry of a row
#define SETS 2      // number of boundary conditions
#define LOWEST 1e-8 // relative to the highest frequency found: modes below are rigid
#define MOST 32     // maximum modes of a set, including the body's own

struct gos_softening {
    gos_ctx *ctx;
    const gos_body *body;
    int nset;
    gos_stress_work set[SETS];
};

typedef struct making {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_body *body;
    int first, n;          // its coordinates
    gos_sparse M, K, rows; // rows: (3 nv, nc), transposed
} making;

static gos_status assemble(making *k, const gos_state *x) {
    const gos_system *s = k->sys;
    gos_work *w = NULL;
    gos_sparse C = {0};
    const int at = s->at.q + k->first;
    double *none = gos__zalloc(k->ctx, (size_t)s->nc + s->nh + 1, sizeof *none);
    gos_status status = none ? gos__work_create(k->ctx, s, &w) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const gos_point_of p = {.t = x->t,
                                .scale = 1,
                                .q = x->q,
                                .th = x->th,
                                .lam = none,
                                .lamT = none + s->nc,
                                .mem = x->mem};
        gos__work_hold(w, x);
        gos__jacobian(w, &p, &(gos_newton_factors){.m = 1});
        status = gos__sparse_block(k->ctx, &s->pattern, w->values, at, k->n, at, k->n, &k->M);
        gos__jacobian(w, &p, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1});
    }
    status = status == GOS_OK
                 ? gos__sparse_block(k->ctx, &s->pattern, w->values, at, k->n, at, k->n, &k->K)
                 : status;
    status = status == GOS_OK ? gos__sparse_block(k->ctx, &s->pattern, w->values, s->at.lam, s->nc,
                                                  s->at.q, s->nq, &C)
                              : status;
    status = status == GOS_OK ? gos__sparse_transpose(k->ctx, &C, &k->rows) : status;
    gos__sparse_free(k->ctx, &C);
    gos__work_destroy(k->ctx, w);
    gos__free(k->ctx, none);
    return status;
}

/* acts: on the body, its frame, others */
static void row_acts(const making *k, int row, bool acts[3]) {
    acts[0] = acts[1] = acts[2] = false;
    for (int e = k->rows.p[row]; e < k->rows.p[row + 1]; e++) {
        const int at = k->rows.i[e] - k->first;
        const bool own = at >= 0 && at < k->n;
        acts[0] = acts[0] || own;
        acts[1] = acts[1] || (own && at < FRAME);
        acts[2] = acts[2] || !own;
    }
}

/* Rows of the body from coordinate `from` on, without those on earlier ones. */
static gos_status take_rows(const making *k, int from, gos_sparse *C) {
    gos_row_rank *rank = NULL;
    const size_t most = (size_t)k->rows.nnz + 1;
    int *i = gos__alloc(k->ctx, 2 * most, sizeof *i), n = 0, count = 0;
    double *x = gos__alloc(k->ctx, most, sizeof *x);
    gos_status status = i && x ? gos__row_rank_create(k->ctx, k->n, &rank) : GOS_E_MEMORY;
    for (int r = 0; r < k->rows.n && status == GOS_OK; r++) {
        bool acts[3], independent = false;
        const int begin = count;
        row_acts(k, r, acts);
        if (!acts[0] || (from > 0 && (acts[1] || acts[2]))) {
            continue;
        }
        for (int e = k->rows.p[r]; e < k->rows.p[r + 1]; e++) {
            const int at = k->rows.i[e] - k->first;
            if (at >= from && at < k->n) {
                gos__row_rank_put(rank, at, k->rows.x[e]);
                i[count] = n;
                i[most + count] = at - from;
                x[count++] = k->rows.x[e];
            }
        }
        status = gos__row_rank_take(rank, SAME, &independent);
        count = independent ? count : begin;
        n += independent;
    }
    status = status == GOS_OK
                 ? gos__sparse_from_triplets(k->ctx, n, k->n - from, count, i, i + most, x, C)
                 : status;
    gos__row_rank_destroy(rank);
    gos__free(k->ctx, i);
    gos__free(k->ctx, x);
    return status;
}

/* submatrix from row and column `from` */
static gos_status cut(gos_ctx *ctx, const gos_sparse *A, int from, gos_sparse *to) {
    const gos_pattern pattern = {.n = A->n, .nnz = A->nnz, .p = A->p, .i = A->i};
    return gos__sparse_block(ctx, &pattern, A->x, from, A->n - from, from, A->n - from, to);
}

static gos_status make_model(const making *k, int from, gos_linear **linear) {
    gos_linear *l = NULL;
    gos_sparse block[3] = {{0}};
    static const gos_block which[3] = {GOS_BLOCK_M, GOS_BLOCK_K, GOS_BLOCK_C};
    gos_status status = cut(k->ctx, &k->M, from, &block[0]);
    status = status == GOS_OK ? cut(k->ctx, &k->K, from, &block[1]) : status;
    status = status == GOS_OK ? take_rows(k, from, &block[2]) : status;
    const gos_linear_size size = {.nq = k->n - from, .nc = block[2].m};
    status = status == GOS_OK ? gos__linear_create(k->ctx, &size, &l) : status;
    for (int i = 0; i < 3; i++) {
        status = status == GOS_OK ? gos__linear_put(l, which[i], &block[i]) : status;
        gos__sparse_free(k->ctx, &block[i]);
    }
    status = status == GOS_OK ? gos__linear_close(l) : status;
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

/* number of modes to compute */
static int wanted(const making *k) {
    return k->n <= FEW ? MORE : OWN;
}

/* lowest modes, for rows from `from`, in all coordinates: X (k->n, *n); square: 0 for rigid ones */
static void take_modes(const making *k, int from, int found, const gos_mode *mode,
                       const double *shape, int *n, double *square, double *X) {
    const size_t size = (size_t)(k->n - from);
    *n = 0;
    for (int i = 0; i < found; i++) {
        const bool rigid = mode[i].rigid || !(mode[i].omega > LOWEST * mode[found - 1].omega);
        square[*n] = rigid ? 0 : mode[i].omega * mode[i].omega;
        memset(X, 0, (size_t)k->n * sizeof *X);
        memcpy(X + from, shape + (size_t)i * size, size * sizeof *X);
        X += k->n;
        (*n)++;
    }
}

static gos_status find_modes(const making *k, int from, int *n, double *square, double *X) {
    gos_mode mode[MORE + RIGID];
    gos_linear *l = NULL;
    const int asked = wanted(k) + RIGID;
    int found = 0;
    double *shape = gos__alloc(k->ctx, (size_t)k->n * asked, sizeof *shape);
    *n = 0;
    gos_status status = shape ? make_model(k, from, &l) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const int left = l->nq - l->nc, most = left < asked ? left : asked;
        status = most > 0 ? gos_linear_shapes(k->ctx, l, most, mode, shape, &found) : GOS_OK;
    }
    if (status == GOS_OK) {
        take_modes(k, from, found, mode, shape, n, square, X);
    }
    gos_linear_destroy(l);
    gos__free(k->ctx, shape);
    return status;
}

static gos_status make_set(gos_softening *to, const making *k, int from, const gos_state *x) {
    double square[MORE + RIGID];
    int n;
    double *X = gos__alloc(k->ctx, (size_t)k->n * (MORE + RIGID), sizeof *X);
    gos_stress_work *work = &to->set[to->nset];
    gos_status status = X ? find_modes(k, from, &n, square, X) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        to->nset++;
        status = k->body->ops->stress_work(k->ctx, k->body, x->q + k->first, n, square, X, work);
        status = status == GOS_OK && work->n > MOST ? GOS_E_LIMIT : status;
    }
    gos__free(k->ctx, X);
    return status;
}

gos_status gos__softening_create(gos_ctx *ctx, const gos_system *sys, const gos_body *body,
                                 size_t q, const gos_state *state, gos_softening **softening) {
    making k = {.ctx = ctx, .sys = sys, .body = body, .first = (int)q, .n = 3 * body->nv};
    gos_softening *to = gos__zalloc(ctx, 1, sizeof *to);
    bool joined = false;
    gos_status status = to ? assemble(&k, state) : GOS_E_MEMORY;
    for (int r = 0; r < k.rows.n && status == GOS_OK; r++) {
        bool acts[3];
        row_acts(&k, r, acts);
        joined = joined || (acts[0] && acts[2]);
    }
    if (status == GOS_OK) {
        *to = (gos_softening){.ctx = ctx, .body = body};
        status = make_set(to, &k, 0, state);
        status = status == GOS_OK && joined ? make_set(to, &k, FRAME, state) : status;
    }
    gos__sparse_free(ctx, &k.M);
    gos__sparse_free(ctx, &k.K);
    gos__sparse_free(ctx, &k.rows);
    if (status != GOS_OK) {
        gos__softening_destroy(to);
        return status;
    }
    *softening = to;
    return GOS_OK;
}

void gos__softening_destroy(gos_softening *s) {
    for (int i = 0; s && i < s->nset; i++) {
        gos__free(s->ctx, s->set[i].stiffness);
        gos__free(s->ctx, s->set[i].by_e);
        gos__free(s->ctx, s->set[i].by_th);
    }
    if (s) {
        gos__free(s->ctx, s);
    }
}

void gos__softening_check(const gos_softening *s, const double *e, const double *th, double *taken,
                          double *added) {
    const int ne = 3 * s->body->nv, nt = s->body->nt;
    *taken = *added = 0;
    for (int i = 0; i < s->nset; i++) {
        const gos_stress_work *work = &s->set[i];
        const int n = work->n;
        double G[MOST * MOST], K[MOST * MOST], w[MOST];
        for (int a = 0, pair = 0; a < n; a++) {
            for (int b = 0; b <= a; b++, pair++) {
                G[a * n + b] = G[b * n + a] =
                    gos__dense_dot(ne, work->by_e + (size_t)pair * ne, e) +
                    (nt > 0 ? gos__dense_dot(nt, work->by_th + (size_t)pair * nt, th) : 0);
            }
        }
        memcpy(K, work->stiffness, (size_t)n * n * sizeof *K);
        if (n > 0 && LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', n, G, n, K, n, w) == 0) {
            *taken = fmax(*taken, -w[0]);
            *added = fmax(*added, w[n - 1]);
        }
    }
}
