#include <math.h>

#include "linear/linear.h"

/* borrowed matrices */
typedef struct given {
    gos_ctx *ctx;
    const gos_matrices *m;
    int n;    // order of M or A
    int half; // n / 2 for a second-order model in first-order form, else 0
    gos_linear *l;
} given;

/* ---- checks ---------------------------------------------------------------------------------- */

static gos_sparse borrow(const gos_matrix_view *v) {
    // borrowed without writing
    return (gos_sparse){.m = v->rows,
                        .n = v->columns,
                        .nnz = v->entries,
                        .p = (int *)(uintptr_t)v->start,
                        .i = (int *)(uintptr_t)v->row,
                        .x = (double *)(uintptr_t)v->value};
}

gos_status gos__linear_check_view(gos_ctx *ctx, const char *name, const gos_matrix_view *v) {
    bool good = v->rows >= 0 && v->columns >= 0 && v->start && v->start[0] == 0 &&
                v->start[v->columns] == v->entries;
    for (int j = 0; j < v->columns && good; j++) {
        good = v->start[j] <= v->start[j + 1];
        for (int k = v->start[j]; k < v->start[j + 1] && good; k++) {
            good = v->row[k] >= (k > v->start[j] ? v->row[k - 1] + 1 : 0) && v->row[k] < v->rows;
        }
    }
    if (!good) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "matrix %s is not a sparse matrix by columns with ascending rows", name);
    }
    for (int k = 0; k < v->entries; k++) {
        if (!isfinite(v->value[k])) {
            return gos__fail(ctx, GOS_E_INPUT, "matrix %s has an entry that is not finite (%g)",
                             name, v->value[k]);
        }
    }
    return GOS_OK;
}

/* optional matrix; rows or columns < 0: any */
static gos_status check(const given *g, const char *name, const gos_matrix_view *v, int rows,
                        int columns) {
    if (!v) {
        return GOS_OK;
    }
    GOS_TRY(gos__linear_check_view(g->ctx, name, v));
    if ((rows >= 0 && v->rows != rows) || (columns >= 0 && v->columns != columns)) {
        char r[16] = "any", c[16] = "any";
        if (rows >= 0) {
            gos__format(r, sizeof r, "%d", rows);
        }
        if (columns >= 0) {
            gos__format(c, sizeof c, "%d", columns);
        }
        return gos__fail(g->ctx, GOS_E_INPUT,
                         "matrix %s is %d x %d, where %s x %s is needed; correct its file", name,
                         v->rows, v->columns, r, c);
    }
    return GOS_OK;
}

static gos_status check_symmetric(const given *g, const char *name, const gos_matrix_view *v) {
    if (!v || !g->m->symmetric) {
        return GOS_OK;
    }
    const gos_sparse A = borrow(v);
    gos_sparse S;
    double asymmetry;
    GOS_TRY(gos__sparse_symmetric_part(g->ctx, &A, &S, &asymmetry));
    gos__sparse_free(g->ctx, &S);
    if (!(asymmetry <= GOS_SYMMETRIC)) {
        return gos__fail(
            g->ctx, GOS_E_INPUT,
            "matrix %s is declared symmetric, but is not: the largest difference from its "
            "transpose is %.3g of its largest entry; correct it, or do not declare it symmetric",
            name, asymmetry);
    }
    return GOS_OK;
}

static gos_status check_ports(const given *g, int n) {
    const gos_matrices *m = g->m;
    GOS_TRY(check(g, "B", m->B, n, -1));
    GOS_TRY(check(g, "C", m->C, -1, n));
    GOS_TRY(check(g, "C_v", m->C_v, m->C ? m->C->rows : -1, n));
    const int ny = m->C ? m->C->rows : m->C_v ? m->C_v->rows : 0;
    return check(g, "F", m->F, ny, m->B ? m->B->columns : 0);
}

static gos_status check_second(given *g) {
    const gos_matrices *m = g->m;
    if (!m->K || m->E || m->A) {
        return gos__fail(g->ctx, GOS_E_INPUT,
                         m->K ? "M and K belong to a second-order model, E and A to a first-order "
                                "model; specify only one pair"
                              : "M is given without K; a model of second order requires both");
    }
    GOS_TRY(check(g, "M", m->M, m->M->rows, m->M->rows));
    g->n = m->M->rows;
    GOS_TRY(check(g, "D", m->D, g->n, g->n));
    GOS_TRY(check(g, "K", m->K, g->n, g->n));
    GOS_TRY(check(g, "G", m->G, -1, g->n));
    GOS_TRY(check_ports(g, g->n));
    GOS_TRY(check_symmetric(g, "M", m->M));
    GOS_TRY(check_symmetric(g, "D", m->D));
    return check_symmetric(g, "K", m->K);
}

static gos_status check_first(given *g) {
    const gos_matrices *m = g->m;
    if (!m->A || m->D || m->K || m->G || m->C_v) {
        return gos__fail(g->ctx, GOS_E_INPUT,
                         m->A ? "D, K, G and C_v belong to a second-order model, A to a "
                                "first-order model; specify only one kind"
                              : "neither M nor A is given; a linear model requires M and K, or A");
    }
    GOS_TRY(check(g, "A", m->A, m->A->rows, m->A->rows));
    g->n = m->A->rows;
    GOS_TRY(check(g, "E", m->E, g->n, g->n));
    GOS_TRY(check_ports(g, g->n));
    GOS_TRY(check_symmetric(g, "E", m->E));
    return check_symmetric(g, "A", m->A);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* block := scale * v from row r0 and column c0; v may be NULL */
static gos_status put_part(const given *g, gos_block block, double scale, const gos_matrix_view *v,
                           int r0, int c0) {
    gos_sparse *to = &g->l->block[block];
    const int m = to->m, n = to->n;
    if (!v) {
        return GOS_OK;
    }
    gos__sparse_free(g->ctx, to);
    int count = 0;
    for (int k = v->start[c0]; k < v->start[c0 + n]; k++) {
        count += v->row[k] >= r0 && v->row[k] < r0 + m;
    }
    GOS_TRY(gos__sparse_alloc(g->ctx, m, n, count, to));
    count = 0;
    for (int j = 0; j < n; j++) {
        for (int k = v->start[c0 + j]; k < v->start[c0 + j + 1]; k++) {
            if (v->row[k] >= r0 && v->row[k] < r0 + m) {
                to->i[count] = v->row[k] - r0;
                to->x[count++] = scale * v->value[k];
            }
        }
        to->p[j + 1] = count;
    }
    return GOS_OK;
}

static gos_status put_identity(const given *g, gos_block block) {
    gos_sparse *to = &g->l->block[block];
    const int n = to->n;
    gos__sparse_free(g->ctx, to);
    GOS_TRY(gos__sparse_alloc(g->ctx, n, n, n, to));
    for (int j = 0; j < n; j++) {
        to->p[j + 1] = j + 1;
        to->i[j] = j;
        to->x[j] = 1;
    }
    return GOS_OK;
}

static gos_status put_second(const given *g) {
    const gos_matrices *m = g->m;
    GOS_TRY(put_part(g, GOS_BLOCK_M, 1, m->M, 0, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_D, 1, m->D, 0, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_K, 1, m->K, 0, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_C, 1, m->G, 0, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_B, 1, m->B, 0, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_Y_q, 1, m->C, 0, 0));
    return put_part(g, GOS_BLOCK_Y_v, 1, m->C_v, 0, 0);
}

static gos_status put_first(const given *g) {
    const gos_matrices *m = g->m;
    GOS_TRY(m->E ? put_part(g, GOS_BLOCK_C_T, 1, m->E, 0, 0) : put_identity(g, GOS_BLOCK_C_T));
    GOS_TRY(put_part(g, GOS_BLOCK_K_T, -1, m->A, 0, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_B_T, 1, m->B, 0, 0));
    return put_part(g, GOS_BLOCK_Y_T, 1, m->C, 0, 0);
}

static gos_status put_hidden(const given *g) {
    const gos_matrices *m = g->m;
    const int h = g->half;
    GOS_TRY(m->E ? put_part(g, GOS_BLOCK_M, 1, m->E, h, h) : put_identity(g, GOS_BLOCK_M));
    GOS_TRY(put_part(g, GOS_BLOCK_K, -1, m->A, h, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_D, -1, m->A, h, h));
    GOS_TRY(put_part(g, GOS_BLOCK_B, 1, m->B, h, 0));
    GOS_TRY(put_part(g, GOS_BLOCK_Y_q, 1, m->C, 0, 0));
    return put_part(g, GOS_BLOCK_Y_v, 1, m->C, 0, h);
}

/* ---- second order in first-order form -------------------------------------------------------- */

/* true if the part of v is the identity (one) or zero */
static bool is_unit(const gos_matrix_view *v, int r0, int c0, int columns, int rows, bool one) {
    for (int j = 0; j < columns; j++) {
        bool diagonal = false;
        for (int k = v->start[c0 + j]; k < v->start[c0 + j + 1]; k++) {
            const int i = v->row[k] - r0;
            if (i < 0 || i >= rows || v->value[k] == 0) {
                continue;
            }
            if (!one || i != j || v->value[k] != 1) {
                return false;
            }
            diagonal = true;
        }
        if (one && !diagonal) {
            return false;
        }
    }
    return true;
}

static gos_status find_hidden(given *g) {
    const gos_matrices *m = g->m;
    const int h = g->n / 2;
    const bool A =
        g->n % 2 == 0 && is_unit(m->A, 0, 0, h, h, false) && is_unit(m->A, 0, h, h, h, true);
    const bool E = !m->E || (A && is_unit(m->E, 0, 0, h, h, true) &&
                             is_unit(m->E, 0, h, h, h, false) && is_unit(m->E, h, 0, h, h, false));
    const bool B = !m->B || (A && is_unit(m->B, 0, 0, m->B->columns, h, false));
    if (!A || !E || !B) {
        return gos__fail(g->ctx, GOS_E_INPUT,
                         "%s is not a second-order model in first-order form: %s is required; use "
                         "it as a first-order model",
                         !A   ? "A"
                         : !E ? "E"
                              : "B",
                         !A   ? "A = [0 I; -K -D] of even order"
                         : !E ? "E = [I 0; 0 M]"
                              : "B = [0; B_2]");
    }
    g->half = h;
    return GOS_OK;
}

/* ---- model ----------------------------------------------------------------------------------- */

static gos_status put_all(const given *g, bool second) {
    const gos_matrices *m = g->m;
    GOS_TRY(g->half ? put_hidden(g) : second ? put_second(g) : put_first(g));
    GOS_TRY(put_part(g, GOS_BLOCK_Y_u, 1, m->F, 0, 0));
    for (int i = 0; i < g->l->nu + g->l->ny; i++) {
        const bool in = i < g->l->nu;
        const int k = in ? i : i - g->l->nu;
        const gos_port *list = in ? m->inputs : m->outputs;
        char name[16];
        gos__format(name, sizeof name, "%c%d", in ? 'u' : 'y', k + 1);
        const char *chosen = list && list[k].name && *list[k].name ? list[k].name : name;
        GOS_TRY((in ? gos__linear_name_input : gos__linear_name_output)(g->l, k, chosen,
                                                                        list ? list[k].unit : ""));
    }
    return gos__linear_close(g->l);
}

gos_status gos_linear_from_matrices(gos_ctx *ctx, const gos_matrices *m, gos_linear **linear) {
    given g = {.ctx = ctx, .m = m};
    const bool second = m->M != NULL;
    GOS_TRY(second ? check_second(&g) : check_first(&g));
    if (m->second_order && !second) {
        GOS_TRY(find_hidden(&g));
    }
    const int nq = g.half ? g.half : second ? g.n : 0;
    const gos_linear_size size = {.nq = nq,
                                  .nt = nq ? 0 : g.n,
                                  .nc = m->G ? m->G->rows : 0,
                                  .nu = m->B ? m->B->columns : 0,
                                  .ny = m->C     ? m->C->rows
                                        : m->C_v ? m->C_v->rows
                                                 : 0};
    GOS_TRY(gos__linear_create(ctx, &size, &g.l));
    const gos_status status = put_all(&g, second);
    if (status != GOS_OK) {
        gos_linear_destroy(g.l);
        return status;
    }
    *linear = g.l;
    return GOS_OK;
}
