/* Splitting off what moves freely, and putting it back. */
#include "reduce/floating.h"

#include <cblas.h>
#include <math.h>

#include "reduce/first_order.h"

#define FIRST 8      // modes that are looked at first
#define MOST 128     // free motions
#define LARGE 3000   // coordinates
#define NOTHING 1e-8 // resistance over what its entries could give

void gos__floating_free(gos_floating *f) {
    if (f->ctx) {
        gos_linear_destroy(f->held);
        gos__free(f->ctx, f->R);
        gos__free(f->ctx, f->MR);
    }
    *f = (gos_floating){0};
}

/* ---- finding --------------------------------------------------------------------------------- */

/* is A x (or A^T x) nothing but round-off? */
static bool vanishes(const gos_sparse *A, bool transposed, const double *x, double *y,
                     double *size) {
    const int m = transposed ? A->n : A->m;
    double largest = 0, could = 0;
    memset(y, 0, (size_t)m * sizeof *y);
    memset(size, 0, (size_t)m * sizeof *size);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const double a = A->x[k] * x[transposed ? A->i[k] : j];
            y[transposed ? j : A->i[k]] += a;
            size[transposed ? j : A->i[k]] += fabs(a);
        }
    }
    for (int i = 0; i < m; i++) {
        largest = fmax(largest, fabs(y[i]));
        could = fmax(could, size[i]);
    }
    return largest <= NOTHING * could;
}

static bool meets_nothing(const gos_linear *l, const double *x, double *work) {
    static const gos_block column[] = {GOS_BLOCK_K,   GOS_BLOCK_D,   GOS_BLOCK_C,
                                       GOS_BLOCK_H_q, GOS_BLOCK_H_v, GOS_BLOCK_H_phi};
    static const gos_block row[] = {GOS_BLOCK_K, GOS_BLOCK_D, GOS_BLOCK_G, GOS_BLOCK_G_phi};
    double *size = work + l->nq + l->nt + l->nphi + l->nc;
    bool nothing = true;
    for (int b = 0; b < GOS_COUNT(column) && nothing; b++) {
        nothing = vanishes(&l->block[column[b]], false, x, work, size);
    }
    for (int b = 0; b < GOS_COUNT(row) && nothing; b++) {
        nothing = vanishes(&l->block[row[b]], true, x, work, size);
    }
    return nothing;
}

static bool worth_looking(const gos_linear *l, double *work) {
    bool worth = l->nq <= LARGE;
    for (int c = 0; c < 6 && !worth; c++) {
        const double *t = l->rigid + (size_t)c * (size_t)l->nq;
        worth = cblas_dasum(l->nq, t, 1) > 0 && meets_nothing(l, t, work);
    }
    return worth;
}

/* *n modes of frequency 0 and their shapes, to be freed */
static gos_status find_zeros(gos_ctx *ctx, const gos_linear *l, double **shapes, int *n) {
    int found = 0;
    *n = 0;
    *shapes = NULL;
    for (int want = FIRST; *n == found && want <= MOST; want *= 2) {
        gos__free(ctx, *shapes);
        *n = 0;
        gos_mode *modes = gos__zalloc(ctx, (size_t)want, sizeof *modes);
        *shapes = gos__alloc(ctx, (size_t)want * (size_t)l->nq, sizeof **shapes);
        gos_status status = modes && *shapes ? GOS_OK : GOS_E_MEMORY;
        status =
            status == GOS_OK ? gos_linear_shapes(ctx, l, want, modes, *shapes, &found) : status;
        const size_t bytes = (size_t)l->nq * sizeof **shapes;
        for (int k = 0; k < found && status == GOS_OK; k++) { // unstable modes come first
            if (modes[k].rigid && (*n)++ < k) {
                memcpy(*shapes + (size_t)(*n - 1) * (size_t)l->nq,
                       *shapes + (size_t)k * (size_t)l->nq, bytes);
            }
        }
        gos__free(ctx, modes);
        if (status != GOS_OK || found < want) {
            return status;
        }
    }
    *n = *n == found ? 0 : *n; // no end of them
    return GOS_OK;
}

/* ---- the held model -------------------------------------------------------------------------- */

/* rows (M R)^T below C, the largest entry of each is 1 as those of joints are */
static gos_status add_rows(const gos_linear *l, const gos_floating *f, gos_sparse *C) {
    const gos_sparse *from = &l->block[GOS_BLOCK_C];
    const size_t nq = (size_t)l->nq;
    int at = 0;
    double largest[MOST];
    for (int k = 0; k < f->n; k++) {
        const double *row = f->MR + (size_t)k * nq;
        largest[k] = fabs(row[cblas_idamax(l->nq, row, 1)]);
    }
    gos__sparse_free(f->ctx, C);
    GOS_TRY(
        gos__sparse_alloc(f->ctx, l->nc + f->n, l->nq, (size_t)from->nnz + (size_t)f->n * nq, C));
    for (int j = 0; j < l->nq; j++) {
        for (int k = from->p[j]; k < from->p[j + 1]; k++) {
            C->i[at] = from->i[k];
            C->x[at++] = from->x[k];
        }
        for (int k = 0; k < f->n; k++) {
            const double x = f->MR[(size_t)k * nq + (size_t)j];
            if (x != 0) {
                C->i[at] = l->nc + k;
                C->x[at++] = x / largest[k];
            }
        }
        C->p[j + 1] = at;
    }
    C->nnz = at;
    return GOS_OK;
}

/* dense (nq, count) := A - MR (R^T A), of inputs; columns of outputs are rows of Y */
static void project(const gos_floating *f, int nq, int count, double *A, double *share) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, f->n, count, nq, 1, f->R, nq, A, nq, 0,
                share, f->n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, nq, count, f->n, -1, f->MR, nq, share,
                f->n, 1, A, nq);
}

/* entry (i, j) of A goes to place [j n + i], transposed: [i n + j] */
static void make_dense(const gos_sparse *A, bool transposed, double *to) {
    memset(to, 0, (size_t)A->m * (size_t)A->n * sizeof *to);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            to[transposed ? (size_t)A->i[k] * (size_t)A->n + (size_t)j
                          : (size_t)j * (size_t)A->m + (size_t)A->i[k]] = A->x[k];
        }
    }
}

/* a block of inputs (nq, nu) or of outputs (ny, nq) as the held model has it */
static gos_status put_ports(const gos_floating *f, const gos_sparse *A, bool outputs,
                            gos_sparse *to) {
    const int nq = outputs ? A->n : A->m, count = outputs ? A->m : A->n;
    const size_t size = (size_t)nq * (size_t)count;
    double *dense = gos__alloc(f->ctx, size + (size_t)f->n * (size_t)count + 1, sizeof *dense);
    if (!dense) {
        return GOS_E_MEMORY;
    }
    gos_sparse S = {0};
    make_dense(A, outputs, dense);
    project(f, nq, count, dense, dense + size);
    gos_status status = gos__reduce_sparse(f->ctx, nq, count, dense, &S);
    gos__free(f->ctx, dense);
    if (status == GOS_OK) {
        gos__sparse_free(f->ctx, to);
        if (outputs) {
            status = gos__sparse_transpose(f->ctx, &S, to);
            gos__sparse_free(f->ctx, &S);
        } else {
            *to = S;
        }
    } else {
        gos__sparse_free(f->ctx, &S);
    }
    return status;
}

static gos_status name_ports(const gos_linear *from, gos_linear *to) {
    for (int i = 0; i < from->nu; i++) {
        const gos_port p = gos_linear_input(from, i);
        GOS_TRY(gos__linear_name_input(to, i, p.name, p.unit));
    }
    for (int i = 0; i < from->ny; i++) {
        const gos_port p = gos_linear_output(from, i);
        GOS_TRY(gos__linear_name_output(to, i, p.name, p.unit));
    }
    return GOS_OK;
}

static gos_status fill_held(const gos_linear *l, const gos_floating *f, gos_linear *held) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        const bool outputs = b == GOS_BLOCK_Y_q || b == GOS_BLOCK_Y_v;
        if (b == GOS_BLOCK_C) {
            GOS_TRY(add_rows(l, f, &held->block[b]));
        } else if (outputs || b == GOS_BLOCK_B) {
            GOS_TRY(put_ports(f, &l->block[b], outputs, &held->block[b]));
        } else {
            GOS_TRY(gos__linear_put(held, (gos_block)b, &l->block[b]));
        }
    }
    held->ncomp = l->ncomp;
    memcpy(held->rigid, l->rigid, 6 * (size_t)l->nq * sizeof *held->rigid);
    GOS_TRY(name_ports(l, held));
    return gos__linear_close(held);
}

gos_status gos__floating_split(gos_ctx *ctx, const gos_linear *l, gos_floating *f) {
    *f = (gos_floating){.ctx = ctx};
    if (l->nq == 0 || !l->symmetric_K) {
        return GOS_OK;
    }
    const size_t room = (size_t)l->nq + (size_t)l->nt + (size_t)l->nphi + (size_t)l->nc;
    double *work = gos__alloc(ctx, 2 * room + 1, sizeof *work);
    gos_status status = work ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && worth_looking(l, work)) {
        status = find_zeros(ctx, l, &f->R, &f->n);
    }
    bool all = status == GOS_OK;
    for (int k = 0; k < f->n && all; k++) {
        all = meets_nothing(l, f->R + (size_t)k * (size_t)l->nq, work);
    }
    gos__free(ctx, work);
    if (status != GOS_OK || !all || f->n == 0) {
        gos__floating_free(f);
        return status;
    }
    f->MR = gos__alloc(ctx, (size_t)l->nq * (size_t)f->n, sizeof *f->MR);
    status = f->MR ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_apply(&l->M, f->n, f->R, f->MR);
        const gos_linear_size size = {.nq = l->nq,
                                      .nt = l->nt,
                                      .nphi = l->nphi,
                                      .nc = l->nc + f->n,
                                      .nh = l->nh,
                                      .nu = l->nu,
                                      .ny = l->ny};
        status = gos__linear_create(ctx, &size, &f->held);
    }
    status = status == GOS_OK ? fill_held(l, f, f->held) : status;
    if (status != GOS_OK) {
        gos__floating_free(f);
    }
    return status;
}

/* ---- putting back ---------------------------------------------------------------------------- */

/* R^T B (n, nu) and Y R (ny, n) */
static gos_status port_block(const gos_floating *f, const gos_sparse *A, bool outputs,
                             gos_sparse *S) {
    const int nq = outputs ? A->n : A->m, count = outputs ? A->m : A->n;
    const size_t size = (size_t)nq * (size_t)count;
    double *dense = gos__alloc(f->ctx, size + (size_t)f->n * (size_t)count + 1, sizeof *dense);
    if (!dense) {
        return GOS_E_MEMORY;
    }
    double *small = dense + size;
    make_dense(A, outputs, dense);
    if (outputs) { // (nq, ny)^T R
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, f->n, nq, 1, dense, nq, f->R,
                    nq, 0, small, count);
    } else {
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, f->n, count, nq, 1, f->R, nq, dense,
                    nq, 0, small, f->n);
    }
    const gos_status status =
        gos__reduce_sparse(f->ctx, outputs ? count : f->n, outputs ? f->n : count, small, S);
    gos__free(f->ctx, dense);
    return status;
}

typedef struct rigid {
    gos_sparse B, Y_q, Y_v;
} rigid;

static gos_status join_second(const gos_floating *f, const rigid *r, const gos_linear *from,
                              gos_linear *to) {
    const int n = f->n;
    // rows and columns that displacements of `from` have in each block come behind the free motions
    static const bool by_row[GOS_NBLOCKS] = {
        [GOS_BLOCK_M] = true, [GOS_BLOCK_D] = true,     [GOS_BLOCK_K] = true,
        [GOS_BLOCK_G] = true, [GOS_BLOCK_G_phi] = true, [GOS_BLOCK_B] = true};
    static const bool by_column[GOS_NBLOCKS] = {
        [GOS_BLOCK_M] = true,   [GOS_BLOCK_D] = true,   [GOS_BLOCK_K] = true,
        [GOS_BLOCK_H_q] = true, [GOS_BLOCK_H_v] = true, [GOS_BLOCK_H_phi] = true,
        [GOS_BLOCK_C] = true,   [GOS_BLOCK_Y_q] = true, [GOS_BLOCK_Y_v] = true};
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        const gos_block_part parts[] = {
            b == GOS_BLOCK_M     ? (gos_block_part){NULL, 1, 0, 0, n}
            : b == GOS_BLOCK_B   ? (gos_block_part){&r->B, 1, 0, 0, 0}
            : b == GOS_BLOCK_Y_q ? (gos_block_part){&r->Y_q, 1, 0, 0, 0}
            : b == GOS_BLOCK_Y_v ? (gos_block_part){&r->Y_v, 1, 0, 0, 0}
                                 : (gos_block_part){NULL, 1, 0, 0, 0},
            {&from->block[b], 1, by_row[b] ? n : 0, by_column[b] ? n : 0, 0}};
        GOS_TRY(gos__compose(f->ctx, to->block[b].m, to->block[b].n, GOS_COUNT(parts), parts,
                             &to->block[b]));
    }
    return GOS_OK;
}

/* q' = v, v' = R^T B u before the other states */
static gos_status join_first(const gos_floating *f, const rigid *r, const gos_linear *from,
                             gos_linear *to) {
    const int n = f->n;
    const gos_sparse *b = from->block;
    const gos_block_part E[] = {{NULL, 1, 0, 0, 2 * n}, {&b[GOS_BLOCK_C_T], 1, 2 * n, 2 * n, 0}};
    const gos_block_part A[] = {{NULL, -1, 0, n, n}, {&b[GOS_BLOCK_K_T], 1, 2 * n, 2 * n, 0}};
    const gos_block_part B[] = {{&r->B, 1, n, 0, 0}, {&b[GOS_BLOCK_B_T], 1, 2 * n, 0, 0}};
    const gos_block_part Y[] = {
        {&r->Y_q, 1, 0, 0, 0}, {&r->Y_v, 1, 0, n, 0}, {&b[GOS_BLOCK_Y_T], 1, 0, 2 * n, 0}};
    const gos_block_part U[] = {{&b[GOS_BLOCK_Y_u], 1, 0, 0, 0}};
    const struct {
        gos_block block;
        int count;
        const gos_block_part *parts;
    } all[] = {{GOS_BLOCK_C_T, GOS_COUNT(E), E},
               {GOS_BLOCK_K_T, GOS_COUNT(A), A},
               {GOS_BLOCK_B_T, GOS_COUNT(B), B},
               {GOS_BLOCK_Y_T, GOS_COUNT(Y), Y},
               {GOS_BLOCK_Y_u, GOS_COUNT(U), U}};
    for (int k = 0; k < GOS_COUNT(all); k++) {
        gos_sparse *S = &to->block[all[k].block];
        GOS_TRY(gos__compose(f->ctx, S->m, S->n, all[k].count, all[k].parts, S));
    }
    return GOS_OK;
}

static gos_status name_all(const gos_floating *f, const gos_linear *from, gos_linear *to) {
    char text[200];
    const int n = from->nq > 0 ? f->n : 0, states = to->nt - from->nt;
    for (int i = 0; i < to->nq; i++) {
        if (i >= n) {
            gos_linear_coordinate(from, i - n, text, sizeof text);
        }
        to->coordinate[i] = i < n ? gos__arena_printf(to->arena, "free(%d)", i + 1)
                                  : gos__arena_strdup(to->arena, text);
        GOS_TRY(to->coordinate[i] ? GOS_OK : GOS_E_MEMORY);
    }
    for (int i = 0; i < to->nt; i++) {
        if (i >= states) {
            gos_linear_temperature(from, i - states, text, sizeof text);
        }
        to->temperature[i] =
            i >= states ? gos__arena_strdup(to->arena, text)
                        : gos__arena_printf(to->arena, i < f->n ? "free(%d)" : "free_rate(%d)",
                                            i % f->n + 1);
        GOS_TRY(to->temperature[i] ? GOS_OK : GOS_E_MEMORY);
    }
    return name_ports(from, to);
}

/* unit motions of the whole: what they have of the free motions, R^T M t, and of the others */
static void join_rigid(const gos_linear *l, const gos_floating *f, const gos_linear *from,
                       gos_linear *to) {
    for (int c = 0; c < 6; c++) {
        double *t = to->rigid + (size_t)c * (size_t)to->nq;
        cblas_dgemv(CblasColMajor, CblasTrans, l->nq, f->n, 1, f->MR, l->nq,
                    l->rigid + (size_t)c * (size_t)l->nq, 1, 0, t, 1);
        memcpy(t + f->n, from->rigid + (size_t)c * (size_t)from->nq, (size_t)from->nq * sizeof *t);
    }
}

static gos_status join_models(const gos_linear *l, const gos_floating *f, const gos_linear *from,
                              gos_linear **model) {
    const bool first = from->nq == 0;
    rigid r = {0};
    gos_linear *to = NULL;
    const gos_linear_size size = {.nq = from->nq + (first ? 0 : f->n),
                                  .nt = from->nt + (first ? 2 * f->n : 0),
                                  .nphi = from->nphi,
                                  .nu = from->nu,
                                  .ny = from->ny};
    gos_status status = gos__linear_create(f->ctx, &size, &to);
    status = status == GOS_OK ? port_block(f, &l->block[GOS_BLOCK_B], false, &r.B) : status;
    status = status == GOS_OK ? port_block(f, &l->block[GOS_BLOCK_Y_q], true, &r.Y_q) : status;
    status = status == GOS_OK ? port_block(f, &l->block[GOS_BLOCK_Y_v], true, &r.Y_v) : status;
    if (status == GOS_OK) {
        status = first ? join_first(f, &r, from, to) : join_second(f, &r, from, to);
    }
    status = status == GOS_OK ? name_all(f, from, to) : status;
    if (status == GOS_OK && !first) {
        join_rigid(l, f, from, to);
    }
    status = status == GOS_OK ? gos__linear_close(to) : status;
    gos__sparse_free(f->ctx, &r.B);
    gos__sparse_free(f->ctx, &r.Y_q);
    gos__sparse_free(f->ctx, &r.Y_v);
    if (status != GOS_OK) {
        gos_linear_destroy(to);
        return status;
    }
    *model = to;
    return GOS_OK;
}

/* vectors of the free motions before those of s */
static gos_status join_space(const gos_linear *l, const gos_floating *f, bool first, gos_space *s) {
    const int field = first ? GOS_FIELD_T : GOS_FIELD_Q, rows = gos__space_rows(s, field);
    gos_space joined;
    gos__space_begin(f->ctx, s->start, NULL, &joined);
    double *x = gos__zalloc(f->ctx, (size_t)rows + 1, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < (first ? 2 * f->n : f->n) && status == GOS_OK; k++) {
        double *to = x + (k < f->n ? 0 : l->nq);
        memset(x, 0, (size_t)rows * sizeof *x);
        memcpy(to, f->R + (size_t)(k % f->n) * (size_t)l->nq, (size_t)l->nq * sizeof *to);
        status = gos__space_put(&joined, field, x);
    }
    for (int g = 0; g < GOS_NFIELDS; g++) {
        const size_t n = (size_t)gos__space_rows(s, g);
        for (int j = 0; j < s->count[g] && status == GOS_OK; j++) {
            status = gos__space_put(&joined, g, s->v[g] + (size_t)j * n);
        }
    }
    gos__free(f->ctx, x);
    joined.dropped = s->dropped;
    gos__space_free(s);
    *s = joined;
    return status;
}

gos_status gos__floating_join(const gos_linear *l, const gos_floating *f,
                              gos_linear_reduction *out) {
    const bool first = out->model->nq == 0;
    gos_linear *model = NULL;
    GOS_TRY(join_models(l, f, out->model, &model));
    gos_linear_destroy(out->model);
    out->model = model;
    out->report.coordinates = model->nq;
    out->report.temperatures = model->nt;
    GOS_TRY(join_space(l, f, first, &out->V));
    return out->W.ctx ? join_space(l, f, first, &out->W) : GOS_OK;
}
