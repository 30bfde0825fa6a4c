/* Inputs and outputs of matrices by name. */
#include "bodies/matrices_body.h"

static gos_status unknown(gos_ctx *ctx, const gos_body *b, bool output, const char *name,
                          gos_loc loc, const char *object) {
    const gos_matrices_body *m = b->par;
    const char *what = output ? "output" : "input";
    const int n = output ? m->linear->ny : m->linear->nu;
    const char *near = gos__suggest(name, m->port[output], n);
    if (n == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no %ss; give the matrix %s", b->name, what,
                            output ? "C" : "B");
    }
    if (near) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no %s '%s' (did you mean '%s'?)", b->name, what, name,
                            near);
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "body '%s' has no %s '%s'; it has %d, from '%s' to '%s'", b->name, what,
                        name, n, m->port[output][0], m->port[output][n - 1]);
}

/* Borrows column j of A as index and weight lists. */
static int column(const gos_sparse *A, int j, const int **i, const double **x) {
    *i = A->i + A->p[j];
    *x = A->x + A->p[j];
    return A->p[j + 1] - A->p[j];
}

static gos_status input_signal(gos_arena *a, const gos_matrices_body *m, int j, gos_signal *s) {
    const int *i;
    const double *x;
    const int n = column(&m->linear->block[m->first ? GOS_BLOCK_B_T : GOS_BLOCK_B], j, &i, &x);
    return gos__matrices_signal(a, m, n, i, x, s->m, &s->tm);
}

static gos_status row_signal(gos_ctx *ctx, gos_arena *a, const gos_matrices_body *m,
                             gos_block block, int r, gos_marker to[3], gos_tmarker *heat) {
    gos_sparse T;
    const int *i;
    const double *x;
    GOS_TRY(gos__sparse_transpose(ctx, &m->linear->block[block], &T));
    const int n = column(&T, r, &i, &x);
    const gos_status status = gos__matrices_signal(a, m, n, i, x, to, heat);
    gos__sparse_free(ctx, &T);
    return status;
}

static gos_status direct_part(gos_arena *a, const gos_sparse *F, int r, gos_signal *s) {
    int *input = GOS_NEW(a, int, F->n + 1);
    double *factor = GOS_NEW(a, double, F->n + 1);
    if (!input || !factor) {
        return GOS_E_MEMORY;
    }
    s->input = input;
    s->factor = factor;
    for (int j = 0; j < F->n; j++) {
        for (int k = F->p[j]; k < F->p[j + 1]; k++) {
            if (F->i[k] == r) {
                input[s->n] = j;
                factor[s->n++] = F->x[k];
            }
        }
    }
    return GOS_OK;
}

static gos_status output_signal(gos_ctx *ctx, gos_arena *a, const gos_matrices_body *m, int r,
                                gos_signal *s) {
    const gos_sparse *F = &m->linear->block[GOS_BLOCK_Y_u];
    GOS_TRY(direct_part(a, F, r, s));
    if (m->first) {
        return row_signal(ctx, a, m, GOS_BLOCK_Y_T, r, NULL, &s->tm);
    }
    GOS_TRY(row_signal(ctx, a, m, GOS_BLOCK_Y_q, r, s->m, NULL));
    return row_signal(ctx, a, m, GOS_BLOCK_Y_v, r, s->md, NULL);
}

gos_status gos__matrices_port(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output,
                              const char *name, gos_loc loc, const char *object, int *number,
                              gos_signal *s) {
    const gos_matrices_body *m = b->par;
    const int n = output ? m->linear->ny : m->linear->nu;
    *s = (gos_signal){.unit = ""};
    for (int i = 0; i < n; i++) {
        if (strcmp(m->port[output][i], name) == 0) {
            *number = i;
            return output ? output_signal(ctx, a, m, i, s) : input_signal(a, m, i, s);
        }
    }
    return unknown(ctx, b, output, name, loc, object);
}
