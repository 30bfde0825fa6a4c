/* Linear models from user-supplied blocks, and conversion to first order. */
#include "linear/state_space.h"

static const char *const names[] = {
#define X(name, doc) #name,
    GOS_BLOCK_LIST(X)
#undef X
};

/* ---- user-supplied blocks -------------------------------------------------------------------- */

/* borrowed without writing */
static gos_sparse sparse_of(const gos_matrix_view *v) {
    return (gos_sparse){.m = v->rows,
                        .n = v->columns,
                        .nnz = v->entries,
                        .p = (int *)(uintptr_t)v->start,
                        .i = (int *)(uintptr_t)v->row,
                        .x = (double *)(uintptr_t)v->value};
}

static gos_status put_block(gos_linear *l, gos_block b, const gos_matrix_view *v) {
    const gos_sparse *to = &l->block[b];
    if (!v) {
        return GOS_OK;
    }
    GOS_TRY(gos__linear_check_view(l->ctx, names[b], v));
    if (v->rows != to->m || v->columns != to->n) {
        return gos__fail(l->ctx, GOS_E_INPUT, "matrix %s is %d x %d, where %d x %d is needed",
                         names[b], v->rows, v->columns, to->m, to->n);
    }
    const gos_sparse A = sparse_of(v);
    return gos__linear_put(l, b, &A);
}

static gos_status put_rigid(gos_linear *l, const gos_matrix_view *v) {
    if (!v) {
        return GOS_OK;
    }
    GOS_TRY(gos__linear_check_view(l->ctx, "rigid", v));
    const gos_sparse A = sparse_of(v);
    return gos__linear_put_rigid(l, &A);
}

static gos_status name_ports(gos_linear *l, const gos_linear_blocks *blocks) {
    for (int i = 0; i < l->nu + l->ny; i++) {
        const bool in = i < l->nu;
        const int k = in ? i : i - l->nu;
        const gos_port *list = in ? blocks->input : blocks->output;
        char name[16];
        gos__format(name, sizeof name, "%c%d", in ? 'u' : 'y', k + 1);
        const char *chosen = list && list[k].name && *list[k].name ? list[k].name : name;
        GOS_TRY((in ? gos__linear_name_input : gos__linear_name_output)(l, k, chosen,
                                                                        list ? list[k].unit : ""));
    }
    return GOS_OK;
}

static gos_status put_all(gos_linear *l, const gos_linear_blocks *blocks) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        GOS_TRY(put_block(l, (gos_block)b, blocks->block[b]));
    }
    GOS_TRY(put_rigid(l, blocks->rigid));
    GOS_TRY(name_ports(l, blocks));
    return gos__linear_close(l);
}

gos_status gos_linear_from_blocks(gos_ctx *ctx, const gos_linear_blocks *n, gos_linear **linear) {
    const gos_linear_size size = {.nq = n->coordinates,
                                  .nt = n->temperatures,
                                  .nphi = n->potentials,
                                  .nc = n->constraints,
                                  .nh = n->temperature_constraints,
                                  .nu = n->inputs,
                                  .ny = n->outputs};
    const int all[] = {size.nq, size.nt, size.nphi, size.nc, size.nh, size.nu, size.ny};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        if (all[i] < 0 || all[i] > GOS_LIMIT_MATRIX_ORDER) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "%d unknowns, inputs or outputs; the number must be from 0 to %d",
                             all[i], GOS_LIMIT_MATRIX_ORDER);
        }
    }
    gos_linear *l;
    GOS_TRY(gos__linear_create(ctx, &size, &l));
    const gos_status status = put_all(l, n);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

/* ---- first order ----------------------------------------------------------------------------- */

static gos_status sparse(gos_ctx *ctx, int m, int n, double factor, const double *A,
                         gos_sparse *S) {
    size_t nnz = 0;
    for (size_t k = 0; k < (size_t)m * n; k++) {
        nnz += A[k] != 0;
    }
    GOS_TRY(gos__sparse_alloc(ctx, m, n, nnz, S));
    int count = 0;
    for (long j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            const double x = A[j * m + i];
            if (x != 0) {
                S->i[count] = i;
                S->x[count++] = factor * x;
            }
        }
        S->p[j + 1] = count;
    }
    return GOS_OK;
}

static gos_status fill(gos_ctx *ctx, const gos_linear *from, const gos_state_space *s,
                       gos_linear *l) {
    const struct {
        gos_block block;
        int m, n;
        double factor;
        const double *A;
    } list[] = {{GOS_BLOCK_C_T, s->n, s->n, 1, s->E},
                {GOS_BLOCK_K_T, s->n, s->n, -1, s->A},
                {GOS_BLOCK_B_T, s->n, s->nu, 1, s->B},
                {GOS_BLOCK_Y_T, s->ny, s->n, 1, s->C},
                {GOS_BLOCK_Y_u, s->ny, s->nu, 1, s->D}};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos_sparse *to = &l->block[list[i].block];
        gos__sparse_free(ctx, to);
        GOS_TRY(sparse(ctx, list[i].m, list[i].n, list[i].factor, list[i].A, to));
    }
    GOS_TRY(gos__linear_name_ports(from, l));
    return gos__linear_close(l);
}

gos_status gos_linear_first_order(gos_ctx *ctx, const gos_linear *linear, gos_linear **first) {
    gos_state_space s;
    gos_linear *l = NULL;
    gos_status status = gos__state_space_make(ctx, linear, &s);
    if (status == GOS_OK) {
        status = gos__linear_create(ctx, &(gos_linear_size){.nt = s.n, .nu = s.nu, .ny = s.ny}, &l);
    }
    status = status == GOS_OK ? fill(ctx, linear, &s, l) : status;
    gos__state_space_free(ctx, &s);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *first = l;
    return GOS_OK;
}
