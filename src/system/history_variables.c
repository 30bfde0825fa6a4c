/* History variables of items and points, e.g. closed latches and carried section frames. Part of
   the state, frozen during a step, updated on acceptance. */
#include "signals/loops.h"
#include "system/shadows.h"

#define L GOS_LANES

static size_t points_size(const gos_points *p) {
    return (size_t)p->nb * (size_t)p->ng * (size_t)p->law->nmem * L;
}

/* cache-line alignment for kernels */
static size_t padded(size_t n) {
    return (n + 7) / 8 * 8;
}

void gos__memory_points(gos_system *s, const gos_points *p) {
    const size_t nmem = (size_t)p->law->nmem * L, nref = (size_t)p->law->nref * L;
    double *to = s->mem0 + p->m0;
    for (int ib = 0; ib < p->nb && nmem > 0; ib++) {
        for (int g = 0; g < p->ng; g++, to += nmem) {
            const size_t at = (size_t)p->tab[ib] * (size_t)p->ng + (size_t)g;
            memcpy(to, p->ref + at * nref, nmem * sizeof *to);
        }
    }
}

gos_status gos__memory_finish(gos_system *s) {
    s->nmem = 0;
    s->nshowing = 0;
    for (int i = 0; i < s->nitem; i++) {
        s->item[i]->m0 = s->nmem;
        s->nmem += padded((size_t)s->item[i]->nmem);
    }
    for (int i = 0; i < s->npoints; i++) {
        s->points[i]->m0 = s->nmem;
        s->nmem += points_size(s->points[i]);
    }
    gos__loops_number(s);
    gos__shadows_number(s);
    s->mem0 = GOS_NEW(s->arena, double, s->nmem + 1);
    s->showing = GOS_NEW(s->arena, const gos_item *, s->nitem + 1);
    if (!s->mem0 || !s->showing) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        s->showing[s->nshowing] = it;
        s->nshowing += it->type->shows != NULL || it->ndependent > 0;
        for (int k = 0; k < it->nmem; k++) {
            s->mem0[it->m0 + (size_t)k] = it->memory[k];
        }
    }
    for (int i = 0; i < s->npoints; i++) {
        gos__memory_points(s, s->points[i]);
    }
    gos__loops_begin_memory(s);
    return GOS_OK;
}

void gos__memory_begin(gos_work *w, const gos_point_of *x, double *mem) {
    const gos_system *s = w->sys;
    gos__work_time(w, x->t);
    for (int i = 0; i < s->nitem && s->nmem > 0; i++) {
        const gos_item *it = s->item[i];
        if (it->type->begin) {
            const gos_item_io io = gos__item_inputs(w, it, x);
            it->type->begin(it, &io, mem + it->m0);
        }
    }
    gos__shadows_update(w, x, true, mem);
}

bool gos__accept(gos_work *w, const gos_point_of *x, double *mem) {
    const gos_system *s = w->sys;
    bool jump = false;
    if (s->nmem == 0) {
        return false;
    }
    gos__work_time(w, x->t);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (it->nmem > 0 && it->type->accept) {
            const gos_item_io io = gos__item_inputs(w, it, x);
            jump |= it->type->accept(it, &io, mem + it->m0);
        }
    }
    const double *v = x->v;
    if (!v) { // at rest
        memset(w->wv, 0, (size_t)s->nq * sizeof *w->wv);
        v = w->wv;
    }
    const gos_points_sum sum = {.e = x->q,
                                .v = v,
                                .th = x->th,
                                .mem = gos__memory_of(s, x),
                                .fn = w->fn,
                                .scale = x->scale};
    for (int i = 0; i < s->npoints; i++) {
        if (s->points[i]->law->nmem > 0) {
            gos__points_accept(s->points[i], &sum, mem, w->points);
        }
    }
    gos__shadows_update(w, x, false, mem);
    return jump;
}
