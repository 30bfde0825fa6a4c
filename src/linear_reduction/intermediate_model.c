/* Intermediate models for dense methods: null space of the constraints, or projection on many
   modes. */
#include "linalg/dense.h"
#include "linear_reduction/gramian.h"
#include "linear_reduction/modal.h"

static gos_status null_space(gos_reduce_task *t, gos_block constraints, int field,
                             gos_linear_reduction *stage) {
    double *Z;
    int nz;
    const long n = t->full->block[constraints].n;
    GOS_TRY(gos__null_space(t->ctx, &t->full->block[constraints], &Z, &nz));
    gos_status status = GOS_OK;
    for (int j = 0; j < nz && status == GOS_OK; j++) {
        status = gos__space_put(&stage->V, field, Z + j * n);
    }
    gos__free(t->ctx, Z);
    return status;
}

/* unconstrained fields get an identity basis, since all is dense here */
static gos_status eliminate(gos_reduce_task *t, gos_linear_reduction *stage) {
    if (t->full->nq > 0) {
        GOS_TRY(null_space(t, GOS_BLOCK_C, GOS_FIELD_Q, stage));
    }
    return t->full->nt > 0 ? null_space(t, GOS_BLOCK_H, GOS_FIELD_T, stage) : GOS_OK;
}

gos_status gos__reduce_stage(gos_reduce_task *t, gos_linear_reduction **stage) {
    const gos_linear *l = t->full;
    const int states = 2 * l->nq + l->nt;
    const bool modal = t->opt->candidates > 0 && l->nq > 0;
    const bool constrained = l->nc + l->nh > 0 && states <= 2 * GOS_GRAMIAN_DENSE;
    *stage = NULL;
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
    gos__space_begin(t->ctx, start, NULL, &s->V);
    gos_linear_reduction_options opt = *t->opt;
    opt.ranking = NULL;
    gos_reduce_task inner = {.ctx = t->ctx, .full = l, .opt = &opt, .out = s};
    gos_status status = modal ? gos__add_modes(&inner, opt.candidates) : eliminate(&inner, s);
    status = status == GOS_OK ? gos__reduce_project(t->ctx, l, s) : status;
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(s);
        return status;
    }
    *stage = s;
    return GOS_OK;
}

/* V of a field times x */
static void lift_part(const gos_space *stage, int field, const double *x, double *to) {
    const int n = gos__space_rows(stage, field), k = stage->count[field];
    gos__dense_combine(n, 1, k, stage->v[field], x, to);
}

static gos_status lift(gos_reduce_task *t, const gos_space *stage, bool first_order, gos_space *s) {
    const int *n = stage->start;
    const int nq = n[1], nt = n[2] - n[1], mq = stage->count[GOS_FIELD_Q];
    const int first[GOS_NFIELDS + 1] = {0, 0, 2 * nq + nt, 2 * nq + nt};
    gos_space lifted;
    gos__space_begin(t->ctx, first_order ? first : n, NULL, &lifted);
    double *y = gos__zalloc(t->ctx, (2 * nq + nt) + 1L, sizeof *y);
    gos_status status = y ? GOS_OK : GOS_E_MEMORY;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; f++) {
        const long rows = gos__space_rows(s, f);
        for (int j = 0; j < s->count[f] && status == GOS_OK; j++) {
            const double *x = s->v[f] + j * rows;
            if (first_order) {
                lift_part(stage, GOS_FIELD_Q, x, y);
                lift_part(stage, GOS_FIELD_Q, x + mq, y + nq);
                lift_part(stage, GOS_FIELD_T, x + 2 * mq, y + 2 * nq);
            } else {
                lift_part(stage, f, x, y);
            }
            status = gos__space_put(&lifted, f, y);
        }
    }
    gos__free(t->ctx, y);
    lifted.dropped = s->dropped;
    gos__space_free(s);
    *s = lifted;
    return status;
}

gos_status gos__reduce_unstage(gos_reduce_task *t, const gos_linear_reduction *stage,
                               bool first_order) {
    GOS_TRY(lift(t, &stage->V, first_order, &t->out->V));
    return t->out->W.ctx ? lift(t, &stage->V, first_order, &t->out->W) : GOS_OK;
}
