/* Evaluation scratch of one thread; no allocation after creation. */
#include <math.h>

#include "math/orbit.h"
#include "signals/loops.h"
#include "system/made.h"
#include "system/shadows.h"
#include "system/thread_shares.h"
#include "system/gravity_gradient.h"

/* Marks functions whose derivatives are needed, i.e. in rows: expressions require costly
   differences. */
static void find_rated(gos_work *w) {
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
    gos_work *w = gos__zalloc(ctx, 1, sizeof *w);
    if (!w) {
        return GOS_E_MEMORY;
    }
    w->sys = sys;
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
            ? gos__shares_create(ctx, sys, &w->shares)
            : GOS_E_MEMORY;
    for (int i = 0; i < sys->nfn && status == GOS_OK; i++) {
        status = gos__timefn_evaluator(ctx, sys->fn[i], &w->evaluator[i]);
    }
    status = status == GOS_OK ? gos__made_work_create(ctx, sys, &w->made) : status;
    status = status == GOS_OK ? gos__loops_work_create(ctx, sys, &w->loops) : status;
    status = status == GOS_OK ? gos__shadows_work_create(ctx, sys, &w->shadows) : status;
    if (status != GOS_OK) {
        gos__work_destroy(ctx, w);
        return status;
    }
    w->points = w->shares->share->points;
    w->fnd = w->fn + nfn;
    w->fndd = w->fnd + nfn;
    find_rated(w);
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
        gos__shares_destroy(w->shares);
        gos__made_work_destroy(ctx, w->made);
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
        gos__orbit_gradient(w->sys->orbit, t, w->tide);
    }
    w->t = t;
}

void gos__work_hold(gos_work *w, const gos_state *x) {
    if (w->sets != x->sets) {
        memcpy(w->held, x->held, (size_t)w->sys->nfn * sizeof *w->held);
        w->sets = x->sets;
        w->t = (double)NAN;
    }
}

bool gos__item_loads(const gos_item *it) {
    for (int k = 0; k < it->namount; k++) {
        if (it->amount[k].kind == GOS_AMOUNT_FORCE) {
            return true;
        }
    }
    return false;
}

/* marker values to the buffers; outputs stay NULL */
gos_item_io gos__item_inputs(gos_work *w, const gos_item *it, const gos_point_of *given) {
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    const gos_point_of entered = it->pulled ? gos__made_enter(w, given) : *given, *x = &entered;
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
