/* Flexible bodies in a floating frame: construction, dropping amplitudes, projection. */
#include "flex/flex.h"

#include <lapacke.h>

#include "linalg/dense.h"

gos_status gos__flex_create(gos_ctx *ctx, int n, int nnode, gos_flex **flex) {
    gos_flex *f = gos__zalloc(ctx, 1, sizeof *f);
    if (!f) {
        return GOS_E_MEMORY;
    }
    *f = (gos_flex){.ctx = ctx, .n = n, .nnode = nnode};
    f->x = gos__zalloc(ctx, (size_t)nnode + 1, sizeof *f->x);
    if (!f->x) {
        gos__flex_destroy(f);
        return GOS_E_MEMORY;
    }
    *flex = f;
    return GOS_OK;
}

/* all matrices except the forms */
#define MATRICES(X)                                                                                \
    X(move) X(turn) X(gram) X(K) X(D) X(C) X(second) X(second_turn) X(drawn) X(drawn_twice) X(force)

void gos__flex_destroy(gos_flex *f) {
    if (!f) {
        return;
    }
#define X(name) gos__sparse_free(f->ctx, &f->name);
    MATRICES(X)
#undef X
    gos__sparse_free(f->ctx, &f->bare_K);
    gos__sparse_free(f->ctx, &f->bare_gram);
    for (int p = 0; p < f->nform && f->form; p++) {
        gos__sparse_free(f->ctx, &f->form[p]);
    }
    for (int p = 0; p < GOS_FLEX_MOMENTS; p++) {
        gos__sparse_free(f->ctx, &f->moment[p]);
        gos__sparse_free(f->ctx, &f->left[p]);
    }
    gos__sparse_free(f->ctx, &f->heat.C);
    gos__sparse_free(f->ctx, &f->heat.S);
    gos__sparse_free(f->ctx, &f->heat.G);
    gos__sparse_free(f->ctx, &f->heat.at);
    gos__sparse_free(f->ctx, &f->heat.across);
    gos__free(f->ctx, f->heat.half);
    for (int t = 0; t < f->heat.n && f->heat.stiff; t++) {
        gos__sparse_free(f->ctx, &f->heat.stiff[t]);
    }
    gos__free(f->ctx, f->heat.stiff);
    gos__free(f->ctx, f->heat.mean);
    gos__sparse_free(f->ctx, &f->piezo.force);
    gos__sparse_free(f->ctx, &f->piezo.charge);
    gos__free(f->ctx, f->piezo.capacitance);
    gos__free(f->ctx, f->missed.mode);
    gos__free(f->ctx, f->form);
    gos__free(f->ctx, f->x);
    gos__free(f->ctx, f);
}

void gos__flex_first_order(gos_flex *f) {
    gos__sparse_free(f->ctx, &f->second);
    f->second = (gos_sparse){0};
    gos__sparse_free(f->ctx, &f->second_turn);
    f->second_turn = (gos_sparse){0};
    gos__sparse_free(f->ctx, &f->drawn);
    f->drawn = (gos_sparse){0};
    gos__sparse_free(f->ctx, &f->drawn_twice);
    f->drawn_twice = (gos_sparse){0};
    for (int p = 0; p < GOS_FLEX_MOMENTS; p++) {
        gos__sparse_free(f->ctx, &f->moment[p]);
        f->moment[p] = (gos_sparse){0};
    }
}

/* ---- dropping amplitudes --------------------------------------------------------------------- */

/* Keeps the rows and columns with a new number (ascending; -1: dropped); NULL: all. */
static gos_status pick(gos_ctx *ctx, gos_sparse *A, const int *row, int rows, const int *column,
                       int columns) {
    gos_sparse B;
    if (!A->p) { // not set
        return GOS_OK;
    }
    gos_status status = gos__sparse_alloc(ctx, rows, columns, (size_t)A->nnz, &B);
    int nnz = 0;
    for (int j = 0; j < A->n && status == GOS_OK; j++) {
        const int to = column ? column[j] : j;
        if (to < 0) {
            continue;
        }
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const int i = row ? row[A->i[k]] : A->i[k];
            if (i >= 0) {
                B.i[nnz] = i;
                B.x[nnz++] = A->x[k];
            }
        }
        B.p[to + 1] = nnz;
    }
    if (status != GOS_OK) {
        gos__sparse_free(ctx, &B);
        return status;
    }
    B.nnz = nnz;
    gos__sparse_free(ctx, A);
    *A = B;
    return GOS_OK;
}

static gos_status pick_all(gos_flex *f, const int *to, int n, const int *gram, const int *rows,
                           int nrows) {
    gos_ctx *ctx = f->ctx;
    GOS_TRY(pick(ctx, &f->move, to, n, NULL, f->move.n));
    GOS_TRY(pick(ctx, &f->turn, to, n, NULL, f->turn.n));
    GOS_TRY(pick(ctx, &f->force, to, n, NULL, f->force.n));
    GOS_TRY(pick(ctx, &f->drawn, gram, GOS_FLEX_RIGID + 3 * n, NULL, f->drawn.n));
    GOS_TRY(pick(ctx, &f->gram, gram, GOS_FLEX_RIGID + 3 * n, gram, GOS_FLEX_RIGID + 3 * n));
    GOS_TRY(pick(ctx, &f->K, to, n, to, n));
    GOS_TRY(pick(ctx, &f->bare_K, to, n, to, n));
    GOS_TRY(pick(ctx, &f->bare_gram, gram, GOS_FLEX_RIGID + 3 * n, gram, GOS_FLEX_RIGID + 3 * n));
    GOS_TRY(pick(ctx, &f->D, to, n, to, n));
    GOS_TRY(pick(ctx, &f->C, rows, nrows, to, n));
    GOS_TRY(pick(ctx, &f->heat.G, to, n, NULL, f->heat.G.n));
    GOS_TRY(pick(ctx, &f->piezo.force, to, n, NULL, f->piezo.n));
    for (int p = 0; p < f->nform; p++) {
        GOS_TRY(pick(ctx, &f->form[p], to, n, to, n));
    }
    for (int p = 0; p < GOS_FLEX_MOMENTS; p++) {
        GOS_TRY(pick(ctx, &f->moment[p], to, n, to, n));
        GOS_TRY(pick(ctx, &f->left[p], to, n, to, n));
    }
    f->n = n;
    return GOS_OK;
}

static void number(const gos_flex *f, const bool *dropped, const int *entries, int *to, int *gram,
                   int *rows, int *n, int *nrows) {
    *n = *nrows = 0;
    for (int d = 0; d < GOS_FLEX_RIGID; d++) {
        gram[d] = d;
    }
    for (int k = 0; k < f->n; k++) {
        to[k] = dropped[k] ? -1 : (*n)++;
        for (int c = 0; c < 3; c++) {
            gram[gos__flex_at(k, c)] = dropped[k] ? -1 : gos__flex_at(to[k], c);
        }
    }
    for (int r = 0; r < f->C.m; r++) {
        rows[r] = entries[r] > 0 ? (*nrows)++ : -1;
    }
}

/* Drops amplitudes locked by single-entry conditions, repeatedly; entries (rows): remaining
 * ones. */
static void drop_held(const gos_flex *f, bool *dropped, int *entries, int *last) {
    for (bool again = true; again;) {
        again = false;
        memset(entries, 0, (size_t)f->C.m * sizeof *entries);
        for (int k = 0; k < f->n && f->C.p; k++) {
            for (int j = f->C.p[k]; j < f->C.p[k + 1] && !dropped[k]; j++) {
                entries[f->C.i[j]] += f->C.x[j] != 0;
                last[f->C.i[j]] = f->C.x[j] != 0 ? k : last[f->C.i[j]];
            }
        }
        for (int r = 0; r < f->C.m; r++) {
            if (entries[r] == 1) {
                again = true;
                dropped[last[r]] = true;
            }
        }
    }
}

gos_status gos__flex_drop(gos_flex *f, const bool *dropped) {
    const size_t n = (size_t)f->n, m = (size_t)f->C.m;
    int *work = gos__zalloc(f->ctx, GOS_FLEX_RIGID + 4 * n + 3 * m + 1, sizeof *work);
    bool *out = gos__zalloc(f->ctx, n + 1, sizeof *out);
    gos_status status = work && out ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        int *to = work, *gram = to + n, *rows = gram + GOS_FLEX_RIGID + 3 * n, *entries = rows + m;
        int left, nrows;
        memcpy(out, dropped, n * sizeof *out);
        drop_held(f, out, entries, entries + m);
        number(f, out, entries, to, gram, rows, &left, &nrows);
        status = pick_all(f, to, left, gram, rows, nrows);
    }
    gos__free(f->ctx, work);
    gos__free(f->ctx, out);
    return status;
}

/* ---- projection ------------------------------------------------------------------------------ */

gos_status gos__flex_congruence(gos_ctx *ctx, const gos_sparse *A, int r, const double *V,
                                gos_sparse *B) {
    if (!A->p || A->nnz == 0) {
        return gos__sparse_alloc(ctx, r, r, 0, B);
    }
    double *AV = gos__zalloc(ctx, (size_t)(A->n + r) * (size_t)r + 1, sizeof *AV);
    if (!AV) {
        return GOS_E_MEMORY;
    }
    double *S = AV + (size_t)A->n * (size_t)r;
    gos__sparse_apply(A, r, V, AV);
    gos__dense_product(r, r, A->n, V, AV, S);
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < i; j++) { // exactly symmetric
            S[i + j * r] = S[j + i * r] = 0.5 * (S[i + j * r] + S[j + i * r]);
        }
    }
    const gos_status status = gos__sparse_from_dense(ctx, r, r, S, B);
    gos__free(ctx, AV);
    return status;
}

/* B (r, columns) = V^T A, A (n, columns) */
static gos_status from_left(gos_ctx *ctx, const gos_sparse *A, int r, const double *V,
                            gos_sparse *B) {
    double *S = gos__zalloc(ctx, (size_t)r * (size_t)A->n + 1, sizeof *S);
    if (!S) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            for (int i = 0; i < r; i++) {
                S[i + (size_t)j * (size_t)r] += A->x[k] * V[A->i[k] + (size_t)i * (size_t)A->m];
            }
        }
    }
    const gos_status status = gos__sparse_from_dense(ctx, r, A->n, S, B);
    gos__free(ctx, S);
    return status;
}

/* Uniform 1 K in the subspace: C_s m = W^T C 1. */
static gos_status project_mean(const gos_flex *f, const gos_flex_space *space, gos_flex_heat *to) {
    const int n = f->heat.n, s = space->s;
    double *work = gos__zalloc(f->ctx, (size_t)n + (size_t)s * (size_t)s + 1, sizeof *work);
    GOS_TRY(work ? GOS_OK : GOS_E_MEMORY);
    double *C = work + n;
    gos__sparse_apply(&f->heat.C, 1, f->heat.mean, work);
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < n; k++) {
            to->mean[i] += space->W[k + (size_t)i * (size_t)n] * work[k];
        }
        for (int p = to->C.p[i]; p < to->C.p[i + 1]; p++) {
            C[to->C.i[p] + (size_t)i * (size_t)s] = to->C.x[p];
        }
    }
    const int info = LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', s, 1, C, s, to->mean, s);
    gos__free(f->ctx, work);
    return info == 0 ? GOS_OK
                     : gos__fail(f->ctx, GOS_E_SINGULAR,
                                 "temperature vectors of a reduced body are linearly dependent");
}

static gos_status project_heat(const gos_flex *f, const gos_flex_space *space, gos_flex_heat *to) {
    gos_ctx *ctx = f->ctx;
    gos_sparse part = {0}, turned = {0}, half = {0};
    to->n = space->s;
    to->T_ref = f->heat.T_ref;
    to->mean = gos__zalloc(ctx, (size_t)to->n + 1, sizeof *to->mean);
    GOS_TRY(to->mean ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__flex_congruence(ctx, &f->heat.C, space->s, space->W, &to->C));
    GOS_TRY(gos__flex_congruence(ctx, &f->heat.S, space->s, space->W, &to->S));
    GOS_TRY(from_left(ctx, &f->heat.at, space->s, space->W, &to->at));
    if (f->heat.half) {
        GOS_TRY(from_left(ctx, &f->heat.across, space->s, space->W, &to->across));
        to->half = gos__zalloc(ctx, (size_t)f->nnode + 1, sizeof *to->half);
        GOS_TRY(to->half ? GOS_OK : GOS_E_MEMORY);
        memcpy(to->half, f->heat.half, (size_t)f->nnode * sizeof *to->half);
    }
    GOS_TRY(project_mean(f, space, to));
    gos_status status = from_left(ctx, &f->heat.G, space->r, space->V, &part);
    status = status == GOS_OK ? gos__sparse_transpose(ctx, &part, &turned) : status;
    status = status == GOS_OK ? from_left(ctx, &turned, space->s, space->W, &half) : status;
    status = status == GOS_OK ? gos__sparse_transpose(ctx, &half, &to->G) : status;
    gos__sparse_free(ctx, &part);
    gos__sparse_free(ctx, &turned);
    gos__sparse_free(ctx, &half);
    return status;
}

/* Basis of the Gram fields: rigid fields unchanged, shapes by component. */
static double *gram_basis(const gos_flex *f, int r, const double *V) {
    const size_t n = GOS_FLEX_RIGID + 3 * (size_t)f->n;
    double *T = gos__zalloc(f->ctx, n * (GOS_FLEX_RIGID + 3 * (size_t)r), sizeof *T);
    for (size_t d = 0; d < GOS_FLEX_RIGID && T; d++) {
        T[d + n * d] = 1;
    }
    for (int i = 0; i < r && T; i++) {
        for (int k = 0; k < f->n; k++) {
            for (int c = 0; c < 3; c++) {
                T[(size_t)gos__flex_at(k, c) + n * (size_t)gos__flex_at(i, c)] =
                    V[k + (size_t)i * (size_t)f->n];
            }
        }
    }
    return T;
}

static gos_status project_piezo(const gos_flex *f, const gos_flex_space *space,
                                gos_flex_piezo *to) {
    const gos_flex_piezo *from = &f->piezo;
    to->n = from->n;
    to->capacitance = gos__zalloc(f->ctx, (size_t)to->n + 1, sizeof *to->capacitance);
    GOS_TRY(to->capacitance ? GOS_OK : GOS_E_MEMORY);
    memcpy(to->capacitance, from->capacitance, (size_t)to->n * sizeof *to->capacitance);
    GOS_TRY(from_left(f->ctx, &from->force, space->r, space->V, &to->force));
    return from->charge.p && f->heat.n > 0
               ? from_left(f->ctx, &from->charge, space->s, space->W, &to->charge)
               : GOS_OK;
}

static gos_status project(const gos_flex *f, const gos_flex_space *space, gos_flex *to) {
    gos_ctx *ctx = f->ctx;
    const int r = space->r;
    const double *V = space->V;
    memcpy(to->x, f->x, (size_t)f->nnode * sizeof *f->x);
    GOS_TRY(from_left(ctx, &f->move, r, V, &to->move));
    GOS_TRY(from_left(ctx, &f->turn, r, V, &to->turn));
    GOS_TRY(f->force.p ? from_left(ctx, &f->force, r, V, &to->force) : GOS_OK);
    GOS_TRY(gos__flex_congruence(ctx, &f->K, r, V, &to->K));
    GOS_TRY(gos__flex_congruence(ctx, &f->D, r, V, &to->D));
    GOS_TRY(gos__sparse_alloc(ctx, 0, r, 0, &to->C));
    double *T = gram_basis(f, r, V);
    GOS_TRY(T ? GOS_OK : GOS_E_MEMORY);
    const gos_status status =
        gos__flex_congruence(ctx, &f->gram, GOS_FLEX_RIGID + 3 * r, T, &to->gram);
    gos__free(ctx, T);
    GOS_TRY(status);
    to->form = gos__zalloc(ctx, (size_t)f->nform + 1, sizeof *to->form);
    GOS_TRY(to->form ? GOS_OK : GOS_E_MEMORY);
    to->nform = f->nform;
    for (int p = 0; p < f->nform; p++) {
        GOS_TRY(gos__flex_congruence(ctx, &f->form[p], r, V, &to->form[p]));
    }
    for (int p = 0; p < GOS_FLEX_MOMENTS; p++) {
        GOS_TRY(gos__flex_congruence(ctx, &f->moment[p], r, V, &to->moment[p]));
        GOS_TRY(f->left[p].p ? gos__flex_congruence(ctx, &f->left[p], r, V, &to->left[p]) : GOS_OK);
    }
    GOS_TRY(f->second.p ? gos__sparse_copy(ctx, &f->second, &to->second) : GOS_OK);
    GOS_TRY(f->second_turn.p ? gos__sparse_copy(ctx, &f->second_turn, &to->second_turn) : GOS_OK);
    GOS_TRY(f->piezo.n > 0 ? project_piezo(f, space, &to->piezo) : GOS_OK);
    return f->heat.n > 0 && space->s > 0 ? project_heat(f, space, &to->heat) : GOS_OK;
}

gos_status gos__flex_project(const gos_flex *f, const gos_flex_space *space, gos_flex **reduced) {
    gos_flex *to;
    GOS_TRY(gos__flex_create(f->ctx, space->r, f->nnode, &to));
    const gos_status status = project(f, space, to);
    if (status != GOS_OK) {
        gos__flex_destroy(to);
        return status;
    }
    *reduced = to;
    return GOS_OK;
}

/* ---- linear model with fixed frame ----------------------------------------------------------- */

/* M_kl = int phi_k . phi_l dm from the Gram matrix */
static gos_status mass_of(const gos_flex *f, gos_sparse *M) {
    const gos_sparse *G = &f->gram;
    const size_t room = (size_t)G->nnz + 1;
    int *i = gos__alloc(f->ctx, 2 * room, sizeof *i), *j = i ? i + room : NULL, count = 0;
    double *x = gos__alloc(f->ctx, room, sizeof *x);
    for (int q = GOS_FLEX_RIGID; q < G->n && i && x; q++) {
        for (int at = G->p[q]; at < G->p[q + 1]; at++) {
            const int p = G->i[at];
            if (p >= GOS_FLEX_RIGID && (p - q) % 3 == 0) { // same component
                i[count] = (p - GOS_FLEX_RIGID) / 3;
                j[count] = (q - GOS_FLEX_RIGID) / 3;
                x[count++] = G->x[at];
            }
        }
    }
    const gos_status status =
        i && x ? gos__sparse_from_triplets(f->ctx, f->n, f->n, count, i, j, x, M) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_merge(M);
    }
    gos__free(f->ctx, i);
    gos__free(f->ctx, x);
    return status;
}

/* Adds thermal forces, and the heat -T_ref G^T z'. */
static gos_status fill_heat(const gos_flex *f, gos_linear *l) {
    gos_sparse H = {0};
    GOS_TRY(gos__linear_put(l, GOS_BLOCK_C_T, &f->heat.C));
    GOS_TRY(gos__linear_put(l, GOS_BLOCK_K_T, &f->heat.S));
    GOS_TRY(gos__linear_put(l, GOS_BLOCK_G, &f->heat.G));
    if (!(f->heat.T_ref > 0)) {
        return GOS_OK;
    }
    GOS_TRY(gos__sparse_transpose(f->ctx, &f->heat.G, &H));
    for (int k = 0; k < H.nnz; k++) {
        H.x[k] *= -f->heat.T_ref;
    }
    const gos_status status = gos__linear_put(l, GOS_BLOCK_H_v, &H);
    gos__sparse_free(f->ctx, &H);
    return status;
}

static gos_status fill(const gos_flex *f, const gos_sparse *M, gos_linear *l) {
    GOS_TRY(gos__linear_put(l, GOS_BLOCK_M, M));
    GOS_TRY(gos__linear_put(l, GOS_BLOCK_K, &f->K));
    if (f->D.p) {
        GOS_TRY(gos__linear_put(l, GOS_BLOCK_D, &f->D));
    }
    if (f->C.p && f->C.m > 0) {
        GOS_TRY(gos__linear_put(l, GOS_BLOCK_C, &f->C));
    }
    GOS_TRY(f->heat.n > 0 ? fill_heat(f, l) : GOS_OK);
    return gos__linear_close(l);
}

static gos_status columns_of(const gos_flex *f, int n, const gos_flex_port *ports, bool heat,
                             gos_sparse *B) {
    const int rows = heat ? f->heat.n : f->n;
    double *columns = gos__zalloc(f->ctx, (size_t)rows * (size_t)n + 1, sizeof *columns);
    for (int i = 0; i < n && columns; i++) {
        const double *from = heat ? ports[i].heat : ports[i].load;
        if (from) {
            memcpy(gos__dense_column(columns, rows, i), from, (size_t)rows * sizeof *columns);
        }
    }
    const gos_status status =
        columns ? gos__sparse_from_dense(f->ctx, rows, n, columns, B) : GOS_E_MEMORY;
    gos__free(f->ctx, columns);
    return status;
}

static gos_status fill_inputs(const gos_flex *f, int n, const gos_flex_port *inputs,
                              gos_linear *l) {
    gos_status status = GOS_OK;
    for (int i = 0; i < n && status == GOS_OK; i++) {
        status = gos__linear_name_input(l, i, inputs[i].name, inputs[i].unit);
    }
    for (int heat = 0; heat <= (f->heat.n > 0) && status == GOS_OK; heat++) {
        gos_sparse B = {0};
        status = columns_of(f, n, inputs, heat, &B);
        status =
            status == GOS_OK ? gos__linear_put(l, heat ? GOS_BLOCK_B_T : GOS_BLOCK_B, &B) : status;
        gos__sparse_free(f->ctx, &B);
    }
    return status;
}

static gos_status fill_outputs(const gos_flex *f, int n, const gos_flex_port *outputs,
                               gos_linear *l) {
    gos_status status = GOS_OK;
    for (int i = 0; i < n && status == GOS_OK; i++) {
        status = gos__linear_name_output(l, i, outputs[i].name, outputs[i].unit);
    }
    for (int heat = 0; heat <= (f->heat.n > 0) && status == GOS_OK; heat++) {
        gos_sparse B = {0}, Y = {0};
        status = columns_of(f, n, outputs, heat, &B);
        status = status == GOS_OK ? gos__sparse_transpose(f->ctx, &B, &Y) : status;
        status = status == GOS_OK ? gos__linear_put(l, heat ? GOS_BLOCK_Y_T : GOS_BLOCK_Y_q, &Y)
                                  : status;
        gos__sparse_free(f->ctx, &B);
        gos__sparse_free(f->ctx, &Y);
    }
    return status;
}

gos_status gos__flex_linear(const gos_flex *f, int nu, const gos_flex_port *inputs, int ny,
                            const gos_flex_port *outputs, gos_linear **linear) {
    const gos_linear_size size = {
        .nq = f->n, .nt = f->heat.n, .nc = f->C.p ? f->C.m : 0, .nu = nu, .ny = ny};
    gos_linear *l = NULL;
    gos_sparse M = {0};
    gos_status status = mass_of(f, &M);
    status = status == GOS_OK ? gos__linear_create(f->ctx, &size, &l) : status;
    status = status == GOS_OK && nu > 0 ? fill_inputs(f, nu, inputs, l) : status;
    status = status == GOS_OK && ny > 0 ? fill_outputs(f, ny, outputs, l) : status;
    status = status == GOS_OK ? fill(f, &M, l) : status;
    gos__sparse_free(f->ctx, &M);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

/* ---- modal damping --------------------------------------------------------------------------- */

/* D += Y diag(2 zeta omega) Y^T with Y = M X (n, found); scratch (found, n) */
static gos_status add_modal(gos_flex *f, double zeta, int found, const gos_mode *modes,
                            const double *Y, double *scratch) {
    const size_t n = (size_t)f->n;
    double *D = gos__zalloc(f->ctx, n * n + 1, sizeof *D);
    gos_sparse modal = {0}, sum = {0};
    if (D && found > 0) {
        for (long j = 0; j < f->n; j++) {
            for (long m = 0; m < found; m++) {
                scratch[m + j * found] = 2 * zeta * modes[m].omega * Y[j + m * f->n];
            }
        }
        gos__dense_combine(f->n, f->n, found, Y, scratch, D);
    }
    gos_status status = D ? gos__sparse_from_dense(f->ctx, f->n, f->n, D, &modal) : GOS_E_MEMORY;
    if (status == GOS_OK && f->D.p) {
        status = gos__sparse_sum(f->ctx, 1, &f->D, 1, &modal, &sum);
        gos__sparse_free(f->ctx, &modal);
        modal = status == GOS_OK ? sum : modal;
    }
    if (status == GOS_OK) {
        gos__sparse_free(f->ctx, &f->D);
        f->D = modal;
    }
    gos__free(f->ctx, D);
    return status;
}

gos_status gos__flex_damp(gos_flex *f, double zeta) {
    const size_t n = (size_t)f->n;
    gos_linear *l = NULL;
    int found = 0;
    double *X = gos__alloc(f->ctx, 2 * n * n + 1, sizeof *X);
    gos_mode *modes = gos__alloc(f->ctx, n + 1, sizeof *modes);
    gos_status status = X && modes ? gos__flex_linear(f, 0, NULL, 0, NULL, &l) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__linear_shapes_all(f->ctx, l, modes, X, &found) : status;
    if (status == GOS_OK) {
        gos__sparse_apply(&l->M, found, X, X + n * n);
        status = add_modal(f, zeta, found, modes, X + n * n, X);
    }
    gos_linear_destroy(l);
    gos__free(f->ctx, X);
    gos__free(f->ctx, modes);
    return status;
}
