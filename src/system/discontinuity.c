/* Jumps of forces and heat with time functions: dependent terms just before and after. */
#include "system/discontinuity.h"

#include "signals/loops.h"
#include "system/made.h"

/* time functions and derivatives at t */
typedef struct functions {
    double t;
    const double *fn, *fnd, *fndd; // (nfn)
} functions;

typedef struct sides {
    gos_work *w;
    const gos_point_of *x;
    functions before, after;
    gos_discontinuity *jump;
} sides;

static bool changes(const sides *k, int fn0, int n) {
    const char *const *variable;
    for (int i = fn0; i < fn0 + n; i++) {
        if (k->before.fn[i] != k->after.fn[i] ||
            gos__timefn_variables(k->w->sys->fn[i], &variable) > 0) {
            return true;
        }
    }
    return false;
}

typedef struct item_side {
    double f[3 * GOS_ITEM_MARKERS], heat[GOS_ITEM_TMARKERS];
    double work, dissipated;
} item_side;

static void evaluate(const sides *k, const gos_item *it, const functions *at, item_side *y) {
    double stored = 0, power = 0, work = 0;
    gos_item_io io = gos__item_inputs(k->w, it, k->x);
    *y = (item_side){0};
    io.t = at->t;
    io.fn = at->fn + it->fn0;
    io.fnd = at->fnd + it->fn0;
    io.fndd = at->fndd + it->fn0;
    io.f = y->f;
    io.heat = it->ntm > 0 ? y->heat : NULL;
    if (it->stores) {
        io.energy = &stored;
        io.power = &power;
        io.work = &work;
    }
    it->type->eval(it, &io);
    for (int i = 0; i < 3 * it->nm && !it->stores; i++) {
        work += y->f[i] * io.xd[i];
    }
    y->work = work;
    y->dissipated = power;
}

static void add_item(const sides *k, const gos_item *it) {
    gos_discontinuity *jump = k->jump;
    item_side before, after;
    evaluate(k, it, &k->before, &before);
    evaluate(k, it, &k->after, &after);
    gos_made_work *made = k->w->made;
    for (int m = 0; m < it->nm; m++) {
        double f[3];
        for (int c = 0; c < 3; c++) {
            f[c] = after.f[3 * m + c] - before.f[3 * m + c];
            jump->forces |= f[c] != 0;
        }
        gos__marker_give(&it->m[m], f, jump->q, made ? made->f : NULL);
    }
    for (int i = 0; i < it->ntm; i++) {
        const gos_tmarker *m = &it->tm[i];
        const double heat = after.heat[i] - before.heat[i];
        jump->heats |= heat != 0;
        for (int j = 0; j < m->n; j++) {
            jump->th[m->idx[j]] += m->w[j] * heat;
        }
    }
    jump->work += after.work - before.work;
    jump->dissipated += after.dissipated - before.dissipated;
}

static void surface_heat(const sides *k, const gos_points *p, const gos_surface *f,
                         const functions *at, double *heat) {
    const gos_system *s = k->w->sys;
    gos_surface alone = *f;
    gos_points block = *p;
    block.surf = &alone;
    block.nsurf = 1;
    memset(heat, 0, (size_t)s->nt * sizeof *heat);
    const gos_points_sum sum = {.e = k->x->q, // without rates the law has no heat
                                .th = k->x->th,
                                .fn = at->fn,
                                .mem = gos__memory_of(s, k->x),
                                .t = k->x->t,
                                .scale = k->x->scale,
                                .Q = k->w->wv, // unused
                                .R = heat};
    gos__points_residual(&block, &sum, k->w->points);
}

static void add_surface(const sides *k, const gos_points *p, const gos_surface *f) {
    const gos_system *s = k->w->sys;
    double *before = k->w->wv + s->nq, *after = before + s->nt;
    memset(k->w->wv, 0, (size_t)s->nq * sizeof(double));
    surface_heat(k, p, f, &k->before, before);
    surface_heat(k, p, f, &k->after, after);
    for (int i = 0; i < s->nt; i++) {
        k->jump->th[i] += after[i] - before[i];
    }
    k->jump->heats = true;
}

/* time functions including controllers; th: change of controller states */
static void evaluate_at(gos_work *w, const gos_point_of *x, double t, double *th) {
    gos_point_of at = *x;
    at.t = t;
    gos__work_time(w, t);
    gos__loops_enter(w, &at);
    gos__loops_residual(w, th);
    for (int i = 0; i < w->sys->nt; i++) {
        th[i] = -th[i];
    }
}

void gos__discontinuity_find(gos_work *w, const gos_point_of *given, double before, double after,
                             double *room, gos_discontinuity *jump) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__made_enter(w, given), *x = &entered;
    gos__made_clear(s, w->made);
    const size_t n = (size_t)s->nfn;
    memset(jump->q, 0, (size_t)s->nq * sizeof *jump->q);
    memset(jump->th, 0, (size_t)s->nt * sizeof *jump->th);
    jump->forces = jump->heats = false;
    jump->work = jump->dissipated = 0;
    evaluate_at(w, x, before, jump->th);
    memcpy(room, w->fn, n * sizeof *room);
    memcpy(room + n, w->fnd, n * sizeof *room);
    memcpy(room + 2 * n, w->fndd, n * sizeof *room);
    gos__loops_leave(w);
    evaluate_at(w, x, after, jump->th);
    for (int i = 0; i < s->nt; i++) {
        jump->heats |= jump->th[i] != 0;
    }
    const sides k = {.w = w,
                     .x = x,
                     .before = {before, room, room + n, room + 2 * n},
                     .after = {after, w->fn, w->fnd, w->fndd},
                     .jump = jump};
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (it->nfn > 0 && changes(&k, it->fn0, it->nfn)) {
            add_item(&k, it);
        }
    }
    gos__made_fold(s, w->made, s->made ? w->made->f : NULL, jump->q);
    for (int i = 0; i < s->npoints; i++) {
        for (int j = 0; j < s->points[i]->nsurf; j++) {
            const gos_surface *f = &s->points[i]->surf[j];
            if (f->nfn > 0 && changes(&k, f->fn0, f->nfn)) {
                add_surface(&k, s->points[i], f);
            }
        }
    }
    gos__loops_leave(w);
}
