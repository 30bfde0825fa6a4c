/* Free motions are prepended to the reduced model of the remaining motions. */
#include <cblas.h>

#include "linear_reduction/first_order.h"
#include "linear_reduction/reduce.h"

typedef struct rigid {
    gos_sparse B, Y_q, Y_v;
} rigid;

static gos_status join_second(const gos_floating *f, const rigid *r, const gos_linear *from,
                              gos_linear *to) {
    const int n = f->n;
    // blocks of `from` whose displacement rows and columns follow the free motions
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
    return gos__linear_name_ports(from, to);
}

/* rigid-body motions: free part R^T M t, then the others */
static void join_rigid(const gos_linear *l, const gos_floating *f, const gos_linear *from,
                       gos_linear *to) {
    for (long c = 0; c < 6; c++) {
        double *t = to->rigid + c * to->nq;
        cblas_dgemv(CblasColMajor, CblasTrans, l->nq, f->n, 1, f->MR, l->nq, l->rigid + c * l->nq,
                    1, 0, t, 1);
        memcpy(t + f->n, from->rigid + c * from->nq, from->nq * sizeof *t);
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
    status =
        status == GOS_OK ? gos__floating_ports(f, &l->block[GOS_BLOCK_B], false, &r.B) : status;
    status =
        status == GOS_OK ? gos__floating_ports(f, &l->block[GOS_BLOCK_Y_q], true, &r.Y_q) : status;
    status =
        status == GOS_OK ? gos__floating_ports(f, &l->block[GOS_BLOCK_Y_v], true, &r.Y_v) : status;
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

static gos_status join_space(const gos_linear *l, const gos_floating *f, bool first, gos_space *s) {
    const int field = first ? GOS_FIELD_T : GOS_FIELD_Q, rows = gos__space_rows(s, field);
    gos_space joined;
    gos__space_init(f->ctx, s->start, NULL, &joined);
    double *x = gos__zalloc(f->ctx, rows + 1L, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < (first ? 2 * f->n : f->n) && status == GOS_OK; k++) {
        double *to = x + (k < f->n ? 0 : l->nq);
        memset(x, 0, rows * sizeof *x);
        memcpy(to, f->R + (size_t)(k % f->n) * l->nq, l->nq * sizeof *to);
        status = gos__space_put(&joined, field, x);
    }
    for (int g = 0; g < GOS_NFIELDS; g++) {
        const size_t n = gos__space_rows(s, g);
        for (int j = 0; j < s->count[g] && status == GOS_OK; j++) {
            status = gos__space_put(&joined, g, s->v[g] + j * n);
        }
    }
    gos__free(f->ctx, x);
    joined.dropped = s->dropped;
    gos__space_free(s);
    *s = joined;
    return status;
}

gos_status gos__reduce_join(const gos_linear *l, const gos_floating *f, gos_linear_reduction *out) {
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
