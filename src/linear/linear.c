#include "linear/linear.h"

#include <math.h>

static void block_size(const gos_linear *l, int block, int *m, int *n) {
    const int nq = l->nq, nt = l->nt, np = l->nphi, nu = l->nu, ny = l->ny;
    const int size[GOS_NBLOCKS][2] = {
        [GOS_BLOCK_M] = {nq, nq},     [GOS_BLOCK_D] = {nq, nq},     [GOS_BLOCK_K] = {nq, nq},
        [GOS_BLOCK_G] = {nq, nt},     [GOS_BLOCK_C_T] = {nt, nt},   [GOS_BLOCK_K_T] = {nt, nt},
        [GOS_BLOCK_H_q] = {nt, nq},   [GOS_BLOCK_H_v] = {nt, nq},   [GOS_BLOCK_C] = {l->nc, nq},
        [GOS_BLOCK_H] = {l->nh, nt},  [GOS_BLOCK_K_phi] = {np, np}, [GOS_BLOCK_G_phi] = {nq, np},
        [GOS_BLOCK_H_phi] = {np, nq}, [GOS_BLOCK_T_phi] = {np, nt}, [GOS_BLOCK_P] = {nt, np},
        [GOS_BLOCK_B] = {nq, nu},     [GOS_BLOCK_B_T] = {nt, nu},   [GOS_BLOCK_B_phi] = {np, nu},
        [GOS_BLOCK_Y_q] = {ny, nq},   [GOS_BLOCK_Y_v] = {ny, nq},   [GOS_BLOCK_Y_T] = {ny, nt},
        [GOS_BLOCK_Y_phi] = {ny, np}, [GOS_BLOCK_Y_u] = {ny, nu}};
    *m = size[block][0];
    *n = size[block][1];
}

gos_status gos__linear_check_size(gos_ctx *ctx, const char *path, const gos_linear_size *size,
                                  size_t bytes) {
    const int all[] = {size->nq, size->nt, size->nphi, size->nc, size->nh, size->nu, size->ny};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        if (all[i] > GOS_LIMIT_FREE_ORDER && (size_t)all[i] > bytes) {
            return gos__fail(ctx, GOS_E_FILE,
                             "%s: %d unknowns, inputs or outputs are declared, but there are %zu "
                             "bytes; the file is cut off, or its sizes are wrong: create it again",
                             path, all[i], bytes);
        }
    }
    return GOS_OK;
}

gos_status gos__linear_create(gos_ctx *ctx, const gos_linear_size *n, gos_linear **linear) {
    gos_linear *l = gos__zalloc(ctx, 1, sizeof *l);
    if (!l) {
        return GOS_E_MEMORY;
    }
    *l = (gos_linear){.ctx = ctx,
                      .nq = n->nq,
                      .nt = n->nt,
                      .nphi = n->nphi,
                      .nc = n->nc,
                      .nh = n->nh,
                      .nu = n->nu,
                      .ny = n->ny,
                      .ncomp = 1,
                      .units = "SI"};
    l->arena = gos__arena_create(ctx);
    gos_status status = l->arena ? GOS_OK : GOS_E_MEMORY;
    for (int b = 0; b < GOS_NBLOCKS && status == GOS_OK; b++) {
        int rows, columns;
        block_size(l, b, &rows, &columns);
        status = gos__sparse_alloc(ctx, rows, columns, 0, &l->block[b]);
    }
    if (status == GOS_OK) {
        l->rigid = GOS_NEW(l->arena, double, 6L * n->nq + 1);
        l->coordinate = GOS_NEW(l->arena, const char *, n->nq + 1);
        l->temperature = GOS_NEW(l->arena, const char *, n->nt + 1);
        l->input = GOS_NEW(l->arena, gos_port, n->nu + 1);
        l->output = GOS_NEW(l->arena, gos_port, n->ny + 1);
        const bool all = l->rigid && l->coordinate && l->temperature && l->input && l->output;
        status = all ? GOS_OK : GOS_E_MEMORY;
    }
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

/* a symmetric part is owned unless it is the block itself */
static void drop_part(gos_linear *l, gos_sparse *part, bool *shared) {
    if (*shared) {
        *part = (gos_sparse){0};
    } else {
        gos__sparse_free(l->ctx, part);
    }
    *shared = false;
}

gos_status gos__linear_close(gos_linear *l) {
    const gos_block square[GOS_LINEAR_SQUARE] = {GOS_BLOCK_M, GOS_BLOCK_K, GOS_BLOCK_K_T,
                                                 GOS_BLOCK_D, GOS_BLOCK_C_T};
    gos_sparse *const keep[GOS_LINEAR_SQUARE] = {&l->M, &l->K, &l->K_T};
    l->symmetric = true;
    for (int i = 0; i < GOS_LINEAR_SQUARE; i++) {
        const gos_sparse *A = &l->block[square[i]];
        gos_sparse part = {0};
        double asymmetry = 0;
        bool exact;
        GOS_TRY(gos__sparse_is_symmetric(l->ctx, A, &exact));
        if (!exact) {
            GOS_TRY(gos__sparse_symmetric_part(l->ctx, A, &part, &asymmetry));
        }
        const bool good = asymmetry <= GOS_SYMMETRIC;
        l->symmetric = l->symmetric && good;
        l->symmetric_K = square[i] == GOS_BLOCK_K ? good : l->symmetric_K;
        l->gyroscopic = square[i] == GOS_BLOCK_D ? !good : l->gyroscopic;
        if (keep[i]) {
            drop_part(l, keep[i], &l->shared[i]); // blocks may have changed
            *keep[i] = exact ? *A : part;
            l->shared[i] = exact;
        } else {
            gos__sparse_free(l->ctx, &part);
        }
    }
    return GOS_OK;
}

void gos_linear_destroy(gos_linear *l) {
    if (l) {
        gos_sparse *const parts[] = {&l->M, &l->K, &l->K_T};
        for (int i = 0; i < GOS_COUNT(parts); i++) {
            drop_part(l, parts[i], &l->shared[i]);
        }
        for (int b = 0; b < GOS_NBLOCKS; b++) {
            gos__sparse_free(l->ctx, &l->block[b]);
        }
        gos__sparse_free(l->ctx, &l->whirl);
        gos__arena_destroy(l->arena);
        gos__free(l->ctx, l);
    }
}

/* x^T M x */
static double energy_of(const gos_linear *l, const double *x) {
    double sum = 0;
    for (int j = 0; j < l->nq; j++) {
        for (int k = l->M.p[j]; k < l->M.p[j + 1]; k++) {
            sum += x[l->M.i[k]] * l->M.x[k] * x[j];
        }
    }
    return sum;
}

void gos_linear_info_get(const gos_linear *l, gos_linear_info *info) {
    *info = (gos_linear_info){.coordinates = l->nq,
                              .temperatures = l->nt,
                              .constraints = l->nc,
                              .temperature_constraints = l->nh,
                              .potentials = l->nphi,
                              .inputs = l->nu,
                              .outputs = l->ny,
                              .symmetric = l->symmetric,
                              .gyroscopic = l->gyroscopic};
    info->mass = energy_of(l, l->rigid); // along x, equal for other directions
    for (long c = 0; c < 3; c++) {
        info->inertia[c] = energy_of(l, l->rigid + (3 + c) * l->nq);
    }
}

const double *gos_linear_rigid(const gos_linear *l) {
    return l->rigid;
}

void gos_linear_block(const gos_linear *l, gos_block block, gos_matrix_view *view) {
    const gos_sparse *A = &l->block[block];
    *view = (gos_matrix_view){.rows = A->m,
                              .columns = A->n,
                              .entries = A->nnz,
                              .start = A->p,
                              .row = A->i,
                              .value = A->x};
}

gos_status gos__linear_put(gos_linear *l, gos_block block, const gos_sparse *A) {
    gos_sparse *to = &l->block[block];
    if (A->m != to->m || A->n != to->n) {
        return gos__fail(l->ctx, GOS_E_INPUT,
                         "a block of %d x %d does not match the required %d x %d", A->m, A->n,
                         to->m, to->n);
    }
    gos__sparse_free(l->ctx, to);
    return gos__sparse_copy(l->ctx, A, to);
}

static gos_status name_port(gos_linear *l, gos_port *port, const char *name, const char *unit) {
    port->name = gos__arena_strdup(l->arena, name);
    port->unit = gos__arena_strdup(l->arena, unit ? unit : "");
    return port->name && port->unit ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__linear_name_input(gos_linear *l, int i, const char *name, const char *unit) {
    return name_port(l, &l->input[i], name, unit);
}

gos_status gos__linear_name_output(gos_linear *l, int i, const char *name, const char *unit) {
    return name_port(l, &l->output[i], name, unit);
}

gos_status gos__linear_set_units(gos_linear *l, const char *units) {
    l->units = gos__arena_strdup(l->arena, units);
    return l->units ? GOS_OK : GOS_E_MEMORY;
}

const char *gos_linear_units(const gos_linear *linear) {
    return linear->units;
}

gos_status gos__linear_name_ports(const gos_linear *from, gos_linear *to) {
    GOS_TRY(gos__linear_set_units(to, from->units));
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

gos_status gos__linear_copy_names(const gos_linear *from, gos_linear *to) {
    memcpy(to->rigid, from->rigid, 6L * from->nq * sizeof *to->rigid);
    to->ncomp = from->ncomp;
    for (int i = 0; i < from->nq / from->ncomp; i++) {
        if (from->coordinate[i]) {
            to->coordinate[i] = gos__arena_strdup(to->arena, from->coordinate[i]);
            GOS_TRY(to->coordinate[i] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    for (int i = 0; i < from->nt; i++) {
        if (from->temperature[i]) {
            to->temperature[i] = gos__arena_strdup(to->arena, from->temperature[i]);
            GOS_TRY(to->temperature[i] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    return gos__linear_name_ports(from, to);
}

gos_status gos__linear_copy(gos_ctx *ctx, const gos_linear *from, gos_linear **linear) {
    gos_linear *l;
    GOS_TRY(gos__linear_create(ctx,
                               &(gos_linear_size){.nq = from->nq,
                                                  .nt = from->nt,
                                                  .nphi = from->nphi,
                                                  .nc = from->nc,
                                                  .nh = from->nh,
                                                  .nu = from->nu,
                                                  .ny = from->ny},
                               &l));
    gos_status status = gos__linear_copy_names(from, l);
    for (int b = 0; b < GOS_NBLOCKS && status == GOS_OK; b++) {
        status = gos__linear_put(l, (gos_block)b, &from->block[b]);
    }
    l->spin = from->spin;
    if (status == GOS_OK && from->whirl.nnz > 0) {
        status = gos__sparse_copy(ctx, &from->whirl, &l->whirl);
    }
    status = status == GOS_OK ? gos__linear_close(l) : status;
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

void gos_linear_coordinate(const gos_linear *l, int i, char *buf, size_t size) {
    static const char *const axis[] = {".x", ".y", ".z"};
    const bool there = i >= 0 && i < l->nq;
    const char *name = there ? l->coordinate[i / l->ncomp] : NULL;
    if (there && !name) {
        gos__format(buf, size, "q(%d)", i);
    } else {
        gos__format(buf, size, "%s%s", name ? name : "", name && l->ncomp == 3 ? axis[i % 3] : "");
    }
}

void gos_linear_temperature(const gos_linear *l, int i, char *buf, size_t size) {
    const bool there = i >= 0 && i < l->nt;
    const char *name = there ? l->temperature[i] : NULL;
    if (there && !name) {
        gos__format(buf, size, "x(%d)", i);
    } else {
        gos__format(buf, size, "%s", name ? name : "");
    }
}

static gos_port port(const gos_port *list, int n, int i) {
    const gos_port p = i >= 0 && i < n ? list[i] : (gos_port){0};
    return (gos_port){p.name ? p.name : "", p.unit ? p.unit : ""};
}

gos_port gos_linear_input(const gos_linear *l, int i) {
    return port(l->input, l->nu, i);
}

gos_port gos_linear_output(const gos_linear *l, int i) {
    return port(l->output, l->ny, i);
}
