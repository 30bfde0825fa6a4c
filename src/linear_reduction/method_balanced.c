/* Balanced truncation: first order with error bound, second order with structure (theory 3.3). */
#include <cblas.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear_reduction/first_order.h"
#include "linear_reduction/gramian.h"
#include "linear_reduction/reduce.h"

/* smallest order with 2 (sigma_(r+1) + ...) <= tolerance * sigma_1, sigma_1 <= |H| */
static int choose_order(const gos_reduce_task *t, const gos_balance *b) {
    const double tolerance = t->opt->tolerance > 0 ? t->opt->tolerance : 1e-3;
    double tail = 0;
    int r = b->n;
    while (r > 1 && 2 * (tail + b->sigma[r - 1]) <= tolerance * b->sigma[0]) {
        tail += b->sigma[--r];
    }
    return r;
}

static int useful(const gos_balance *b) {
    int n = 0;
    while (n < b->n && b->sigma[n] > 1e-15 * b->sigma[0]) {
        n++;
    }
    return n;
}

static gos_status keep_hankel(gos_linear_reduction *out, const gos_balance *b, int order,
                              bool bounded) {
    out->hankel = gos__alloc(out->ctx, b->n + 1L, sizeof *out->hankel);
    if (!out->hankel) {
        return GOS_E_MEMORY;
    }
    memcpy(out->hankel, b->sigma, b->n * sizeof *b->sigma);
    out->nhankel = b->n;
    for (int i = order; i < b->n && bounded; i++) {
        out->report.bound += 2 * b->sigma[i];
    }
    return GOS_OK;
}

/* rows [r0, r0 + n) of F (rows, k) times column j of T (k, .), scaled by sigma_j^-1/2 */
static gos_status directions(gos_ctx *ctx, const double *F, int rows, int k, int r0, int n,
                             const double *T, const gos_balance *b, int order, gos_space *s,
                             int field, bool orthonormal) {
    double *x = gos__alloc(ctx, n + 1L, sizeof *x);
    gos_status status = x ? GOS_OK : GOS_E_MEMORY;
    for (long j = 0; j < order && status == GOS_OK; j++) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, k, 1 / sqrt(b->sigma[j]), F + r0, rows,
                    T + j * k, 1, 0, x, 1);
        status = orthonormal ? gos__space_add(s, field, x, cblas_dnrm2(n, x, 1))
                             : gos__space_put(s, field, x);
    }
    gos__free(ctx, x);
    return status;
}

static gos_status need_ports(gos_ctx *ctx, const gos_linear *l) {
    return l->nu > 0 && l->ny > 0
               ? GOS_OK
               : gos__fail(ctx, GOS_E_INPUT,
                           "balancing requires inputs and outputs; the model has %d and %d", l->nu,
                           l->ny);
}

static gos_status nothing_to_balance(gos_ctx *ctx) {
    return gos__fail(ctx, GOS_E_INPUT, "no input affects an output: nothing to balance");
}

static gos_status balanced(gos_reduce_task *t) {
    gos_reduce_pencil *p = t->pencil;
    gos_linear_reduction *out = t->out;
    gos_gramians g;
    gos_balance b = {0};
    GOS_TRY(need_ports(t->ctx, t->full));
    GOS_TRY(gos__gramians(p, &g));
    gos_status status = gos__balance(t->ctx, &g, &p->A[1], 0, 0, &b);
    status = status == GOS_OK && useful(&b) == 0 ? nothing_to_balance(t->ctx) : status;
    if (status == GOS_OK) {
        int order = t->order > 0 ? t->order : choose_order(t, &b);
        order = order < useful(&b) ? order : useful(&b);
        gos__space_init(t->ctx, p->start, p->max, &out->W);
        status = keep_hankel(out, &b, order, true);
        status = status == GOS_OK ? directions(t->ctx, g.R, g.n, g.nr, 0, g.n, b.V, &b, order,
                                               &out->V, GOS_FIELD_T, false)
                                  : status;
        status = status == GOS_OK ? directions(t->ctx, g.L, g.n, g.nl, 0, g.n, b.U, &b, order,
                                               &out->W, GOS_FIELD_T, false)
                                  : status;
        out->report.iterations = g.iterations;
    }
    gos__balance_free(t->ctx, &b);
    gos__gramians_free(t->ctx, &g);
    return status;
}

static const gos_param balanced_params[] = {
    GOS_ROW_ORDER(0, 0),
    GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),
    GOS_ROW_COUNT(0, 0, candidates, "modes of the intermediate model; 0: the whole model"),
    {0}};

static const gos_reduce_method balanced_method = {
    .first_order = true,
    .eliminate = true,
    .decays = true,
    .own_order = true,
    .reduce = balanced,
};

const gos_type gos__reduction_balanced =
    GOS_LINEAR_METHOD("balanced", "balanced truncation of first order, with an error bound",
                      ", order: 4", balanced_params, &balanced_method);

/* V from positions of the controllability factor, W from velocities of the observability factor:
   W^T M V = 1. One-sided: V only, which keeps symmetry. */
static gos_status second_factors(gos_reduce_task *t, const gos_gramians *g, bool velocity) {
    gos_linear_reduction *out = t->out;
    const int nq = t->full->nq, r0 = velocity ? nq : 0;
    gos_balance b = {0};
    gos_status status = gos__balance(t->ctx, g, &t->full->block[GOS_BLOCK_M], nq, r0, &b);
    status = status == GOS_OK && useful(&b) == 0 ? nothing_to_balance(t->ctx) : status;
    if (status == GOS_OK) {
        int order = t->order > 0 ? t->order : choose_order(t, &b);
        order = order < useful(&b) ? order : useful(&b);
        status = keep_hankel(out, &b, order, false);
        status = status == GOS_OK ? directions(t->ctx, g->R, g->n, g->nr, r0, nq, b.V, &b, order,
                                               &out->V, GOS_FIELD_Q, !t->opt->two_sided)
                                  : status;
        if (status == GOS_OK && t->opt->two_sided) {
            gos__space_init(t->ctx, t->pencil->start, t->pencil->max, &out->W);
            status = directions(t->ctx, g->L, g->n, g->nl, nq, nq, b.U, &b, order, &out->W,
                                GOS_FIELD_Q, false);
        }
    }
    gos__balance_free(t->ctx, &b);
    return status;
}

static gos_status balanced_second(gos_reduce_task *t) {
    const gos_linear *l = t->full;
    const char *variant = t->opt->ranking ? t->opt->ranking : "position";
    const bool velocity = strcmp(variant, "velocity") == 0;
    if (l->nq == 0 || l->nt > 0) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "balanced_second is for models of displacements only; use balanced");
    }
    if (!velocity && strcmp(variant, "position") != 0) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "balanced_second ranks by 'position' or 'velocity', not by '%s'", variant);
    }
    GOS_TRY(need_ports(t->ctx, l));
    gos_linear *first = NULL;
    gos_reduce_pencil *p = NULL;
    gos_gramians g = {0};
    gos_status status = gos__first_order(t->ctx, l, gos__first_order_weight(l), &first);
    status = status == GOS_OK ? gos__reduce_pencil_create(t->ctx, first, NULL, &p) : status;
    status = status == GOS_OK ? gos__gramians(p, &g) : status;
    status = status == GOS_OK ? second_factors(t, &g, velocity) : status;
    t->out->report.iterations = g.iterations;
    gos__gramians_free(t->ctx, &g);
    gos__reduce_pencil_destroy(p);
    gos_linear_destroy(first);
    return status;
}

static const gos_param balanced_second_params[] = {
    GOS_ROW_ORDER(0, 0),
    GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),
    GOS_ROW_COUNT(0, 0, candidates, "modes of the intermediate model; 0: the whole model"),
    GOS_ROW_FLAG(0, 0, two_sided,
                 "velocities of the observability factor as left basis; else the right basis only"),
    GOS_ROW_RANKING("position|velocity", "position", "balanced part of the Gramians"),
    GOS_ROW_CORRECTION(0, 0),
    {0}};

static const gos_reduce_method balanced_second_method = {
    .eliminate = true,
    .decays = true,
    .own_order = true,
    .reduce = balanced_second,
};

const gos_type gos__reduction_balanced_second = GOS_LINEAR_METHOD(
    "balanced_second", "balanced truncation that keeps the second-order form",
    ", order: 4, ranking: velocity", balanced_second_params, &balanced_second_method);
