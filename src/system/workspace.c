/* Evaluation scratch of one thread; no allocation after creation. */
#include <math.h>

#include "math/orbit.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "system/shadows.h"
#include "system/thread_shares.h"
#include "system/gravity_gradient.h"

/* Divides a mesh among threads into batch ranges of equal cost. */

#define L GOS_LANES
#define MIN_BATCHES 16 // minimum batches per share, comparable to the cost of waking a thread
#define NO_OWNER (-1)
#define SEVERAL (-2)

static int unknowns_of(const gos_points *p) {
    return 3 * p->nv + p->nt * p->nfam;
}

/* relative cost of a batch */
static double cost_of(const gos_points *p) {
    const double n = unknowns_of(p);
    return p->ng * n * n;
}

static int number_of(const gos_ctx *ctx, const gos_system *s) {
    const int threads = gos__pool_threads(gos__ctx_pool(ctx));
    int batches = 0;
    for (int i = 0; i < s->npoints; i++) {
        if (s->points[i]->dense) {
            return 1;
        }
        batches += s->points[i]->nb;
    }
    const int max = batches / MIN_BATCHES;
    return max < 1 ? 1 : threads < max ? threads : max;
}

/* Blocks of a body are cut at the same elements, so shares have few common coordinates. */
static gos_status divide(gos_shares *k, const gos_system *s) {
    double *of_body = GOS_NEW(k->arena, double, s->nbody + 1), all = 0;
    if (!of_body) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->npoints; i++) {
        of_body[s->points[i]->body + 1] += cost_of(s->points[i]) * s->points[i]->nb;
        all += cost_of(s->points[i]) * s->points[i]->nb;
    }
    for (int b = 0; b < s->nbody; b++) {
        of_body[b + 1] += of_body[b]; // cost of preceding bodies
    }
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        const double begin = of_body[p->body], cost = of_body[p->body + 1] - begin;
        for (int ib = 0; ib < p->nb; ib++) {
            const double at = begin + cost * (ib + 0.5) / p->nb;
            int r = (int)(k->n * at / all);
            r = r < k->n ? r : k->n - 1;
            gos_points_part *part = &k->share[r].part[i];
            part->from = part->to > part->from ? part->from : ib;
            part->to = ib + 1;
        }
    }
    return GOS_OK;
}

static size_t part_of(size_t list, int r, int n) {
    return list * (size_t)r / (size_t)n;
}

static gos_status make_scratch(gos_shares *k, const gos_system *s) {
    size_t points = 0, tangent = 0;
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        const size_t n = (size_t)unknowns_of(p);
        const size_t a = p->dense ? 0 : n * n * L;
        const size_t w = p->dense ? gos__points_dense_work(p) : gos__points_work(p);
        tangent = a > tangent ? a : tangent;
        points = w > points ? w : points;
    }
    for (int r = 0; r < k->n; r++) {
        gos_share *one = &k->share[r];
        one->points = GOS_NEW(k->arena, double, points + L);
        one->A = GOS_NEW(k->arena, double, tangent + L);
        one->part = GOS_NEW(k->arena, gos_points_part, s->npoints + 1);
        one->v_from = (int)part_of((size_t)s->nv, r, k->n);
        one->v_to = (int)part_of((size_t)s->nv, r + 1, k->n);
        one->t_from = (int)part_of((size_t)s->nt, r, k->n);
        one->t_to = (int)part_of((size_t)s->nt, r + 1, k->n);
        one->value_from = part_of((size_t)s->pattern.nnz, r, k->n);
        one->value_to = part_of((size_t)s->pattern.nnz, r + 1, k->n);
        if (!one->points || !one->A || !one->part) {
            return GOS_E_MEMORY;
        }
    }
    return GOS_OK;
}

/* coordinate of unknown u of a lane: vector v, or nv + temperature t */
static int coordinate(const gos_system *s, const gos_points *p, int ib, int u, int l) {
    const int nt = p->nt * p->nfam;
    return u < 3 * p->nv ? p->v[(ib * p->nv + u / 3) * L + l]
                         : s->nv + p->th[(ib * nt + u - 3 * p->nv) * L + l];
}

/* owner (nv + nt): share using a coordinate, or SEVERAL */
static void find_owners(const gos_shares *k, const gos_system *s, int *owner) {
    for (int i = 0; i < s->nv + s->nt; i++) {
        owner[i] = NO_OWNER;
    }
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        for (int r = 0; r < k->n; r++) {
            const gos_points_part *part = &k->share[r].part[i];
            for (int e = part->from * L; e < part->to * L; e++) {
                for (int u = 0; u < unknowns_of(p); u++) {
                    int *of = &owner[coordinate(s, p, e / L, u, e % L)];
                    *of = *of == NO_OWNER || *of == r ? r : SEVERAL;
                }
            }
        }
    }
}

/* held parts of batch ib: whole elements in residuals, masked columns in tangents */
static gos_status hold_batch(gos_shares *k, const gos_system *s, const gos_points *p, int ib,
                             const int *owner, gos_points_held *held) {
    const int n = unknowns_of(p);
    size_t columns = 0;
    unsigned char *mask = NULL;
    for (int u = 0; u < n; u++) {
        unsigned lanes = 0;
        for (int l = 0; l < L; l++) {
            lanes |= (owner[coordinate(s, p, ib, u, l)] == SEVERAL ? 1u : 0u) << l;
        }
        if (lanes != 0 && !mask) {
            mask = GOS_NEW(k->arena, unsigned char, n);
            if (!mask) {
                return GOS_E_MEMORY;
            }
        }
        if (lanes != 0) {
            mask[u] = (unsigned char)lanes;
            columns++;
        }
    }
    if (mask) {
        const size_t tangent = columns * (size_t)n, residual = 2 * (size_t)n;
        held->mask = mask;
        held->kept = GOS_NEW(k->arena, double, (tangent > residual ? tangent : residual) * L);
    }
    return mask && !held->kept ? GOS_E_MEMORY : GOS_OK;
}

static gos_status hold(gos_shares *k, const gos_system *s, const int *owner) {
    k->held = GOS_NEW(k->arena, gos_points_held *, s->npoints + 1);
    if (!k->held) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        double *energy = GOS_NEW(k->arena, double, 2 * p->nb + 1);
        k->held[i] = GOS_NEW(k->arena, gos_points_held, p->nb + 1);
        if (!energy || !k->held[i]) {
            return GOS_E_MEMORY;
        }
        for (int ib = 0; ib < p->nb; ib++) {
            GOS_TRY(hold_batch(k, s, p, ib, owner, &k->held[i][ib]));
        }
        for (int r = 0; r < k->n; r++) {
            gos_points_part *part = &k->share[r].part[i];
            part->held = k->held[i];
            part->energy = energy;
            part->power = energy + p->nb;
        }
    }
    return GOS_OK;
}

static gos_status share_out(gos_shares *k, const gos_system *s) {
    if (k->n == 1) {
        for (int i = 0; i < s->npoints; i++) {
            k->share->part[i].to = s->points[i]->nb;
        }
        return GOS_OK;
    }
    int *owner = gos__alloc(k->ctx, (size_t)(s->nv + s->nt) + 1, sizeof *owner);
    gos_status status = owner ? divide(k, s) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        find_owners(k, s, owner);
        status = hold(k, s, owner);
    }
    gos__free(k->ctx, owner);
    return status;
}

static void shares_destroy(gos_shares *shares) {
    if (shares) {
        gos__arena_destroy(shares->arena);
    }
}

static gos_status shares_create(gos_ctx *ctx, const gos_system *s, gos_shares **shares) {
    gos_arena *arena = gos__arena_create(ctx);
    gos_shares *k = arena ? GOS_NEW(arena, gos_shares, 1) : NULL;
    if (!k) {
        gos__arena_destroy(arena);
        return GOS_E_MEMORY;
    }
    k->ctx = ctx;
    k->arena = arena;
    k->n = number_of(ctx, s);
    k->share = GOS_NEW(arena, gos_share, k->n);
    gos_status status = k->share ? make_scratch(k, s) : GOS_E_MEMORY;
    status = status == GOS_OK ? share_out(k, s) : status;
    if (status != GOS_OK) {
        shares_destroy(k);
        return status;
    }
    *shares = k;
    return GOS_OK;
}

/* Marks functions whose derivatives are needed, i.e. in rows: expressions require costly
   differences. */
static void find_rate_items(gos_work *w) {
    const gos_system *s = w->sys;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int k = it->fn0; k < it->fn0 + it->nfn; k++) {
            w->rated[k] |= it->nc > 0 || it->nh > 0;
        }
    }
    for (int k = 0; k < s->nfn; k++) {
        w->fnd[k] = w->fndd[k] = (double)NAN;
    }
}

gos_status gos__work_create(gos_ctx *ctx, const gos_system *sys, gos_work **work) {
    *work = NULL;
    gos_work *w = gos__zalloc(ctx, 1, sizeof *w);
    if (!w) {
        return GOS_E_MEMORY;
    }
    w->sys = sys;
    w->weight = 1;
    w->t = (double)NAN;
    const size_t nfn = (size_t)sys->nfn + 1;
    w->evaluator = gos__zalloc(ctx, nfn, sizeof *w->evaluator);
    w->fn = gos__zalloc(ctx, 3 * nfn, sizeof(double));
    w->rated = gos__zalloc(ctx, nfn, sizeof *w->rated);
    w->held = gos__zalloc(ctx, nfn, sizeof *w->held);
    w->item = gos__zalloc(ctx, 1, sizeof(gos_item_buffers));
    w->wv = gos__zalloc(ctx, (size_t)sys->nq + 2 * (size_t)sys->nt + 1, sizeof(double));
    w->values = gos__zalloc(ctx, (size_t)sys->pattern.nnz + 1, sizeof(double));
    gos_status status =
        w->evaluator && w->fn && w->rated && w->held && w->item && w->wv && w->values
            ? shares_create(ctx, sys, &w->shares)
            : GOS_E_MEMORY;
    for (int i = 0; i < sys->nfn && status == GOS_OK; i++) {
        status = gos__timefn_evaluator(ctx, sys->fn[i], &w->evaluator[i]);
    }
    status = status == GOS_OK ? gos__derived_work_create(ctx, sys, &w->derived) : status;
    status = status == GOS_OK ? gos__loops_work_create(ctx, sys, &w->loops) : status;
    status = status == GOS_OK ? gos__shadows_work_create(ctx, sys, &w->shadows) : status;
    if (status != GOS_OK) {
        gos__work_destroy(ctx, w);
        return status;
    }
    w->points = w->shares->share->points;
    w->fnd = w->fn + nfn;
    w->fndd = w->fnd + nfn;
    find_rate_items(w);
    *work = w;
    return GOS_OK;
}

void gos__work_destroy(gos_ctx *ctx, gos_work *w) {
    if (w) {
        for (int i = 0; i < w->sys->nfn && w->evaluator; i++) {
            gos__evaluator_destroy(w->evaluator[i]);
        }
        gos__free(ctx, w->evaluator);
        gos__free(ctx, w->fn);
        gos__free(ctx, w->rated);
        gos__free(ctx, w->held);
        shares_destroy(w->shares);
        gos__derived_work_destroy(ctx, w->derived);
        gos__loops_work_destroy(ctx, w->loops);
        gos__shadows_work_destroy(ctx, w->shadows);
        gos__free(ctx, w->item);
        gos__free(ctx, w->wv);
        gos__free(ctx, w->values);
        gos__free(ctx, w);
    }
}

void gos__work_time(gos_work *w, double t) {
    if (t == w->t) {
        return;
    }
    for (int i = 0; i < w->sys->nfn; i++) {
        w->fn[i] =
            gos__timefn_eval_by(w->sys->fn[i], w->evaluator[i], t, w->rated[i] ? &w->fnd[i] : NULL,
                                w->rated[i] ? &w->fndd[i] : NULL);
    }
    for (int i = 0; i < w->sys->nfn && w->sets > 0; i++) {
        gos__held_apply(&w->held[i], t, &w->fn[i], &w->fnd[i], &w->fndd[i]);
    }
    if (gos__gravity_gradient_acts(w->sys)) {
        gos__orbit_gradient(w->sys->orbit, t, w->gravity_gradient);
    }
    w->t = t;
}

void gos__work_hold(gos_work *w, const gos_state *x) {
    w->weight = x->weight;
    if (w->sets != x->sets) {
        memcpy(w->held, x->held, (size_t)w->sys->nfn * sizeof *w->held);
        w->sets = x->sets;
        w->t = (double)NAN;
    }
}

bool gos__item_loads(const gos_item *it) {
    for (int k = 0; k < it->ninput; k++) {
        if (it->input[k].kind == GOS_INPUT_FORCE) {
            return true;
        }
    }
    return false;
}

/* marker values to the buffers; outputs stay NULL */
gos_item_io gos__item_inputs(gos_work *w, const gos_item *it, const gos_point_of *given) {
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    const gos_point_of entered = it->pulled ? gos__derived_enter(w, given) : *given, *x = &entered;
    for (int m = 0; m < it->nm; m++) {
        gos__marker_value(&it->m[m], x->q, b->x + 3 * m);
        if (x->v) {
            gos__marker_rate(&it->m[m], x->v, b->xd + 3 * m);
        } else {
            memset(b->xd + 3 * m, 0, 3 * sizeof(double));
        }
    }
    for (int m = 0; m < it->ntm; m++) {
        b->th[m] = gos__tmarker_value(&it->tm[m], x->th);
    }
    const bool warms = it->stores_heat && x->thd && !w->sys->steady_heat;
    for (int m = 0; m < it->ntm && warms; m++) {
        b->thd[m] = gos__tmarker_value(&it->tm[m], x->thd);
    }
    const bool off = w->unloaded && gos__item_loads(it);
    return (gos_item_io){.t = x->t,
                         .fn = w->fn + it->fn0,
                         .fnd = w->fnd + it->fn0,
                         .fndd = w->fndd + it->fn0,
                         .scale = off ? 0 : x->scale,
                         .x = b->x,
                         .xd = b->xd,
                         .th = b->th,
                         .thd = warms ? b->thd : NULL,
                         .lam = x->lam ? x->lam + it->c0 : NULL,
                         .mem = gos__memory_of(w->sys, x) + it->m0};
}
