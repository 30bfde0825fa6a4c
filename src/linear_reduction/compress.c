/* Final compression of method auto: the Krylov model is balanced, or its modes ranked, and
   truncated to the lowest order within the remaining tolerance. Second order and symmetry are
   kept: symmetric first-order models are balanced with all ports as inputs and outputs, or with
   both sides in one basis. */
#include <cblas.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear_reduction/gramian.h"
#include "linear_reduction/reduce.h"
#include "linear_reduction/frequency_response.h"
#include "linear_reduction/stability.h"

#define NEGLIGIBLE 1e-14 // smallest Hankel singular value, relative to the largest
#define ERROR_FLOOR 0.05 // error floor relative to `room`
#define STOP_RATIO 30    // multiple of `room` at which the search stops

typedef struct compression {
    gos_reduce_task *t;
    gos_ctx *ctx;             // for trials, quiet
    const gos_linear *model;  // of the uncompressed bases
    gos_responder *responses; // of `model`
    double room;              // allowed difference
    int order;                // largest number of vectors per field; 0: none
    gos_space *right,
        *left;                    // nested bases of all orders (left NULL: same as right), or ...
    double last;                  // difference of the last order tried
    const char *method, *ranking; // ... right NULL: method that computes a basis per order
    gos_linear_reduction *best;
    double difference; // of the best
} compression;

static int vectors(const gos_linear_reduction *r) {
    return gos__space_largest(&r->V);
}

/* A failed trial only excludes its basis. */
static gos_status tolerate(gos_status status) {
    return status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

static gos_status copy_space(const gos_space *from, int count, gos_space *to) {
    gos__space_init(from->ctx, from->start, NULL, to);
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const size_t rows = gos__space_rows(from, f);
        for (int j = 0; j < count && j < from->count[f]; j++) {
            GOS_TRY(gos__space_put(to, f, from->v[f] + j * rows));
        }
    }
    return GOS_OK;
}

static gos_status first_of(const compression *c, int order, gos_linear_reduction *r) {
    r->physical = true;
    GOS_TRY(copy_space(c->right, order, &r->V));
    if (c->left) {
        GOS_TRY(copy_space(c->left, order, &r->W));
    }
    return gos__reduce_project(c->ctx, c->model, r);
}

static gos_status make(const compression *c, int order, gos_linear_reduction **r) {
    if (!c->right) {
        const gos_linear_reduction_options opt = {.method = c->method,
                                                  .ranking = c->ranking,
                                                  .order = order,
                                                  .candidates = c->ranking ? c->model->nq : 0};
        return gos__reduce_at_order(c->ctx, c->model, &opt, r);
    }
    *r = gos__zalloc(c->ctx, 1, sizeof **r);
    if (!*r) {
        return GOS_E_MEMORY;
    }
    (*r)->ctx = c->ctx;
    const gos_status status = first_of(c, order, *r);
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(*r);
        *r = NULL;
    }
    return status;
}

static bool better(const compression *c, const gos_linear_reduction *r, double difference) {
    if (c->order > 0 && (c->difference > c->room || difference > c->room)) {
        return difference < c->difference;
    }
    return vectors(r) < vectors(c->best);
}

/* include the additional error after step inputs */
static gos_status add_step_error(const compression *c, const gos_linear *model,
                                 double *difference) {
    double error = 0;
    if (c->t->steps) {
        GOS_TRY(gos__step_check_error(c->t->steps, model, &error));
        *difference = fmax(*difference, error - c->t->out->report.predicted);
    }
    return GOS_OK;
}

/* *good: the order becomes the best */
static gos_status try_order(compression *c, int order, bool *good) {
    gos_linear_reduction *r = NULL;
    gos_band_error e = {.relative = HUGE_VAL};
    *good = false;
    gos_status status = make(c, order, &r);
    if (status == GOS_OK) {
        int none = 0;
        status = gos__band_responses(c->ctx, c->responses, r->model, c->t->opt->band,
                                     ERROR_FLOOR * fmax(c->room, 0), NULL, &e, &none, NULL);
        status = status == GOS_OK ? add_step_error(c, r->model, &e.relative) : status;
        *good = status == GOS_OK && e.relative <= c->room;
        c->t->out->report.compared += e.evaluations;
        c->last = status == GOS_OK ? e.relative : HUGE_VAL;
        const bool fits = c->order > 0 && vectors(r) <= c->order;
        if (status == GOS_OK && fits && !*good) {
            *good = !c->best || e.relative < c->difference;
        }
        if (*good && !c->t->pencil->symmetric) {
            gos_growth growth;
            status = gos__reduced_stable(c->ctx, c->t->full, r->model, good, &growth);
        }
    }
    if (*good && (!c->best || better(c, r, e.relative))) {
        gos_linear_reduction *const old = c->best;
        c->best = r;
        c->difference = e.relative;
        r = old;
    }
    gos_linear_reduction_destroy(r);
    return tolerate(status);
}

/* Search below the best order, or `most`: one less, steps of an eighth (errors are not
   monotonic), then bisection. */
static gos_status search(compression *c, int max) {
    int failed = 0, order = c->best ? vectors(c->best) : max;
    bool good = false;
    if (c->order > 0 && order >= c->order) {
        // largest allowed order, then smaller ones of equal accuracy
        GOS_TRY(try_order(c, c->order < max ? c->order : max, &good));
        if (!good || c->difference > c->room) {
            return GOS_OK;
        }
        order = c->order;
        good = false;
    }
    c->last = 0;
    for (int eighth = 8; eighth >= 4 && !good && c->last <= STOP_RATIO * c->room; eighth--) {
        const int next = eighth == 8 ? order - 1 : order * eighth / 8;
        if (next > 0 && next < order) {
            GOS_TRY(try_order(c, next, &good));
            order = good ? next : order;
        }
    }
    while (good && order - failed > 1) {
        const int next = (failed + order) / 2;
        bool enough;
        GOS_TRY(try_order(c, next, &enough));
        *(enough ? &order : &failed) = next;
    }
    return GOS_OK;
}

/* ---- criteria of truncation ------------------------------------------------------------------ */

static gos_status second_order(compression *c) {
    static const char *const by[][2] = {
        {"modes", "peak"}, {"modes", "cost"}, {"modes", "balanced"}, {"balanced_second", NULL}};
    for (int k = 0; k < GOS_COUNT(by); k++) {
        c->method = by[k][0];
        c->ranking = by[k][1];
        GOS_TRY(search(c, c->model->nq));
    }
    return GOS_OK;
}

static gos_status beside(gos_ctx *ctx, const gos_sparse *A, const gos_sparse *BT, gos_sparse *to) {
    gos_sparse B;
    GOS_TRY(gos__sparse_transpose(ctx, BT, &B));
    gos__sparse_free(ctx, to);
    gos_status status = gos__sparse_alloc(ctx, A->m, A->n + B.n, (size_t)A->nnz + B.nnz, to);
    int at = 0;
    for (int j = 0; j < A->n + B.n && status == GOS_OK; j++) {
        const gos_sparse *S = j < A->n ? A : &B;
        const int column = j < A->n ? j : j - A->n;
        for (int k = S->p[column]; k < S->p[column + 1]; k++) {
            to->i[at] = S->i[k];
            to->x[at++] = S->x[k];
        }
        to->p[j + 1] = at;
    }
    gos__sparse_free(ctx, &B);
    return status;
}

/* model with all ports of l as inputs and outputs */
static gos_status both_ways(gos_ctx *ctx, const gos_linear *l, gos_linear **both) {
    const int ports = l->nu + l->ny;
    gos_linear *b;
    GOS_TRY(gos__linear_create(ctx, &(gos_linear_size){.nt = l->nt, .nu = ports, .ny = ports}, &b));
    gos_sparse *B = &b->block[GOS_BLOCK_B_T], *Y = &b->block[GOS_BLOCK_Y_T];
    const gos_block same[] = {GOS_BLOCK_C_T, GOS_BLOCK_K_T};
    gos_status status = GOS_OK;
    for (int k = 0; k < 2 && status == GOS_OK; k++) {
        gos__sparse_free(ctx, &b->block[same[k]]);
        status = gos__sparse_copy(ctx, &l->block[same[k]], &b->block[same[k]]);
    }
    status = status == GOS_OK ? beside(ctx, &l->block[GOS_BLOCK_B_T], &l->block[GOS_BLOCK_Y_T], B)
                              : status;
    gos__sparse_free(ctx, Y);
    status = status == GOS_OK ? gos__sparse_transpose(ctx, B, Y) : status;
    status = status == GOS_OK ? gos__linear_close(b) : status;
    if (status != GOS_OK) {
        gos_linear_destroy(b);
        return status;
    }
    *both = b;
    return GOS_OK;
}

/* vector j of a balanced system: F T_j / sqrt(sigma_j); F (n, k) */
static gos_status direction(const double *F, int n, int k, const double *T, double sigma, double *x,
                            gos_space *to, bool orthonormal) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, k, 1 / sqrt(sigma), F, n, T, 1, 0, x, 1);
    return orthonormal ? gos__space_add(to, GOS_FIELD_T, x, cblas_dnrm2(n, x, 1))
                       : gos__space_put(to, GOS_FIELD_T, x);
}

/* balanced vectors of l: right and (left not NULL) left; both: alternating in one basis */
static gos_status balanced_vectors(gos_ctx *ctx, const gos_linear *l, bool both, gos_space *right,
                                   gos_space *left) {
    gos_reduce_pencil *p;
    gos_gramians g = {0};
    gos_balance b = {0};
    bool done = false;
    GOS_TRY(gos__reduce_pencil_create(ctx, l, NULL, &p));
    gos__space_init(ctx, p->start, NULL, right);
    if (left) {
        gos__space_init(ctx, p->start, NULL, left);
    }
    double *x = gos__alloc(ctx, p->n + 1L, sizeof *x);
    gos_status status = x ? gos__gramians_modal(p, true, &g, &done) : GOS_E_MEMORY;
    status = status == GOS_OK && !done ? gos__gramians(p, &g) : status;
    status = status == GOS_OK ? gos__balance(ctx, &g, &p->A[1], 0, 0, &b) : status;
    for (long j = 0; j < b.n && b.sigma[j] > NEGLIGIBLE * b.sigma[0] && status == GOS_OK; j++) {
        const double *V = b.V + j * g.nr, *U = b.U + j * g.nl;
        status = direction(g.R, p->n, g.nr, V, b.sigma[j], x, right, !left);
        if (status == GOS_OK && (left || both)) {
            status = direction(g.L, p->n, g.nl, U, b.sigma[j], x, left ? left : right, !left);
        }
    }
    gos__free(ctx, x);
    gos__balance_free(ctx, &b);
    gos__gramians_free(ctx, &g);
    gos__reduce_pencil_destroy(p);
    return status;
}

static gos_status search_balanced(compression *c, const gos_linear *l, bool two_sided, bool both) {
    gos_space right = {0}, left = {0};
    gos_status status = balanced_vectors(c->ctx, l, both, &right, two_sided ? &left : NULL);
    if (status == GOS_OK) {
        const int max = gos__space_largest(&right) + 1;
        c->right = &right;
        c->left = two_sided ? &left : NULL;
        status = search(c, c->best || max < c->model->nt ? max : c->model->nt);
        c->right = c->left = NULL;
    }
    if (right.ctx) {
        gos__space_free(&right);
    }
    if (left.ctx) {
        gos__space_free(&left);
    }
    return tolerate(status);
}

static gos_status first_order(compression *c) {
    gos_linear *all;
    if (c->t->out->W.ctx) {
        return search_balanced(c, c->model, true, false);
    }
    GOS_TRY(both_ways(c->ctx, c->model, &all));
    gos_status status = search_balanced(c, all, false, false);
    gos_linear_destroy(all);
    return status == GOS_OK ? search_balanced(c, c->model, false, true) : status;
}

static gos_status all_fields(compression *c) {
    gos_space right = {0};
    gos_status status = gos__reduce_field_vectors(c->ctx, c->model, c->t->opt->band, &right);
    if (status == GOS_OK) {
        c->right = &right;
        status = search(c, gos__space_largest(&right) + 1);
        c->right = NULL;
    }
    if (right.ctx) {
        gos__space_free(&right);
    }
    return tolerate(status);
}

/* ---- bases ----------------------------------------------------------------------------------- */

/* s := s times the vectors of `small` */
static gos_status multiply(gos_space *s, const gos_space *small) {
    gos_space product;
    gos__space_init(s->ctx, s->start, s->max, &product);
    gos_status status = GOS_OK;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; f++) {
        const int n = gos__space_rows(s, f), k = s->count[f];
        double *x = gos__alloc(s->ctx, n + 1L, sizeof *x);
        status = x ? GOS_OK : GOS_E_MEMORY;
        for (long j = 0; j < small->count[f] && status == GOS_OK; j++) {
            gos__dense_combine(n, 1, k, s->v[f], small->v[f] + j * k, x);
            status = gos__space_put(&product, f, x);
        }
        gos__free(s->ctx, x);
    }
    if (status != GOS_OK) {
        gos__space_free(&product);
        return status;
    }
    product.dropped = s->dropped;
    gos__space_free(s);
    *s = product;
    return GOS_OK;
}

static gos_status shorten(gos_ctx *ctx, const gos_linear_reduction *out, int order) {
    return gos__fail(ctx, GOS_E_DIVERGED,
                     "the bases of %d vectors could not be truncated to order %d; use a method "
                     "with its own order, such as krylov or modes_static",
                     vectors(out), order);
}

gos_status gos__reduce_compress(gos_reduce_task *t, const gos_linear *model, double room, int order,
                                double *difference) {
    gos_linear_reduction *out = t->out;
    const bool second = model->nq > 0 && model->nt == 0 && !out->W.ctx && model->symmetric;
    const bool first = model->nq == 0 && model->nt > 0;
    *difference = 0;
    if (order > 0 && vectors(out) <= order) {
        order = 0; // already small enough
    }
    if (model->nphi > 0 || (!(second || first) && out->W.ctx) || (!(room > 0) && order == 0)) {
        return order == 0 ? GOS_OK : shorten(t->ctx, out, order);
    }
    gos_ctx *quiet = gos__ctx_quiet(t->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_responder responses;
    compression c = {.t = t,
                     .ctx = quiet,
                     .model = model,
                     .responses = &responses,
                     .room = room,
                     .order = order};
    gos_status status = tolerate(gos__responder_begin(quiet, model, &responses));
    if (status == GOS_OK && responses.pencil) {
        status = second ? second_order(&c) : first ? first_order(&c) : all_fields(&c);
    }
    const bool shorter = status == GOS_OK && order > 0 && !c.best;
    if (status == GOS_OK && c.best) {
        status = multiply(&out->V, &c.best->V);
        status = status == GOS_OK && out->W.ctx ? multiply(&out->W, &c.best->W) : status;
        *difference = c.difference;
    }
    gos_linear_reduction_destroy(c.best);
    gos__responder_end(quiet, &responses);
    gos_ctx_destroy(quiet);
    if (shorter) {
        return shorten(t->ctx, out, order);
    }
    return status == GOS_E_MEMORY
               ? gos__fail(t->ctx, status, "no memory to search for a lower order")
               : status;
}
