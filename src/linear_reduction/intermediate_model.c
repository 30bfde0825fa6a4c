/* Intermediate models for dense methods: null space of the constraints, or projection on many
   modes. */
#include "linalg/dense.h"
#include "linear_reduction/gramian.h"
#include "linear_reduction/modal.h"

static gos_status null_space(gos_reduce_task *t, gos_block constraints, int field,
                             gos_linear_reduction *intermediate) {
    double *Z;
    int nz;
    const long n = t->full->block[constraints].n;
    GOS_TRY(gos__null_space(t->ctx, &t->full->block[constraints], &Z, &nz));
    gos_status status = GOS_OK;
    for (int j = 0; j < nz && status == GOS_OK; j++) {
        status = gos__space_put(&intermediate->V, field, Z + j * n);
    }
    gos__free(t->ctx, Z);
    return status;
}

/* unconstrained fields get an identity basis, since all is dense here */
static gos_status eliminate(gos_reduce_task *t, gos_linear_reduction *intermediate) {
    if (t->full->nq > 0) {
        GOS_TRY(null_space(t, GOS_BLOCK_C, GOS_FIELD_Q, intermediate));
    }
    return t->full->nt > 0 ? null_space(t, GOS_BLOCK_H, GOS_FIELD_T, intermediate) : GOS_OK;
}

gos_status gos__reduce_stage(gos_reduce_task *t, gos_linear_reduction **intermediate) {
    const gos_linear *l = t->full;
    const int states = 2 * l->nq + l->nt;
    const bool modal = t->opt->candidates > 0 && l->nq > 0;
    const bool constrained = l->nc + l->nh > 0 && states <= 2 * GOS_GRAMIAN_DENSE;
    *intermediate = NULL;
    if (!modal && !constrained) {
        return GOS_OK;
    }
    gos_linear_reduction *s = gos__zalloc(t->ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    const int start[] = {0, l->nq, l->nq + l->nt, l->nq + l->nt + l->nphi};
    s->ctx = t->ctx;
    s->physical = !modal;
    gos__space_init(t->ctx, start, NULL, &s->V);
    gos_linear_reduction_options opt = *t->opt;
    opt.ranking = NULL;
    gos_reduce_task inner = {.ctx = t->ctx, .full = l, .opt = &opt, .out = s};
    gos_status status = modal ? gos__add_modes(&inner, opt.candidates) : eliminate(&inner, s);
    status = status == GOS_OK ? gos__reduce_project(t->ctx, l, s) : status;
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(s);
        return status;
    }
    *intermediate = s;
    return GOS_OK;
}

/* V of a field times x */
static void reconstruct_part(const gos_space *intermediate, int field, const double *x,
                             double *to) {
    const int n = gos__space_rows(intermediate, field), k = intermediate->count[field];
    gos__dense_combine(n, 1, k, intermediate->v[field], x, to);
}

static gos_status reconstruct_basis(gos_reduce_task *t, const gos_space *intermediate,
                                    bool first_order, gos_space *s) {
    const int *n = intermediate->start;
    const int nq = n[1], nt = n[2] - n[1], mq = intermediate->count[GOS_FIELD_Q];
    const int first[GOS_NFIELDS + 1] = {0, 0, 2 * nq + nt, 2 * nq + nt};
    gos_space reconstructed;
    gos__space_init(t->ctx, first_order ? first : n, NULL, &reconstructed);
    double *y = gos__zalloc(t->ctx, (2 * nq + nt) + 1L, sizeof *y);
    gos_status status = y ? GOS_OK : GOS_E_MEMORY;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; f++) {
        const long rows = gos__space_rows(s, f);
        for (int j = 0; j < s->count[f] && status == GOS_OK; j++) {
            const double *x = s->v[f] + j * rows;
            if (first_order) {
                reconstruct_part(intermediate, GOS_FIELD_Q, x, y);
                reconstruct_part(intermediate, GOS_FIELD_Q, x + mq, y + nq);
                reconstruct_part(intermediate, GOS_FIELD_T, x + 2 * mq, y + 2 * nq);
            } else {
                reconstruct_part(intermediate, f, x, y);
            }
            status = gos__space_put(&reconstructed, f, y);
        }
    }
    gos__free(t->ctx, y);
    reconstructed.dropped = s->dropped;
    gos__space_free(s);
    *s = reconstructed;
    return status;
}

gos_status gos__reduce_unstage(gos_reduce_task *t, const gos_linear_reduction *intermediate,
                               bool first_order) {
    GOS_TRY(reconstruct_basis(t, &intermediate->V, first_order, &t->out->V));
    return t->out->W.ctx ? reconstruct_basis(t, &intermediate->V, first_order, &t->out->W) : GOS_OK;
}
