#include "system/marks.h"

#include <math.h>

#include "math/vec3.h"
#include "signals/feedback.h"
#include "system/derived.h"

#define SAME_LOCATION 1e-9 // coincident points, relative to the extent

bool gos__marker_is_location(const gos_system *s, const gos_marker *m) {
    double moves = 0;
    for (int i = 0; i < m->n; i++) {
        moves += m->w[i] * s->trans[m->idx[i]];
    }
    return fabs(moves - 1) < 1e-9;
}

static void add_location(const gos_system *s, const double x[3], gos_mark *mark) {
    for (int i = 0; i < mark->nlocation; i++) {
        double d[3];
        gos__sub3(x, mark->location[i], d);
        if (gos__norm3(d) <= SAME_LOCATION * s->extent) {
            return;
        }
    }
    if (mark->nlocation < GOS_MARK_LOCATIONS) {
        memcpy(mark->location[mark->nlocation++], x, 3 * sizeof *x);
    }
}

static void add_node(const gos_system *s, const gos_marker *m, gos_mark *mark) {
    for (int i = 0; i < s->nbody && m->n > 0; i++) {
        const gos_body *b = s->body[i];
        int node = -1;
        for (int j = 0; j < b->nnode && m->idx[0] >= b->v0 && m->idx[0] < b->v0 + b->nv; j++) {
            node = b->node_v[j] <= m->idx[0] ? b->node_v[j] : node;
        }
        if (node >= 0) {
            add_location(s, s->e0 + 3 * node, mark);
        }
    }
}

static void add_force(gos_work *w, const gos_item *it, const gos_point_of *at, gos_mark *mark) {
    double f[3 * GOS_ITEM_MARKERS] = {0};
    gos_item_io io = gos__item_inputs(w, it, at);
    io.f = f;
    it->type->eval(it, &io);
    for (int m = 0; m < it->nm; m++) {
        double x[3], d[3];
        gos__marker_value(&it->m[m], w->sys->e0, x);
        gos__sub3(x, mark->location[0], d);
        if (gos__marker_is_location(w->sys, &it->m[m]) &&
            gos__norm3(d) <= SAME_LOCATION * w->sys->extent) {
            for (int c = 0; c < 3; c++) {
                mark->force[c] += f[3 * m + c];
            }
        }
    }
    for (int c = 0; c < 3; c++) { // errors are reported by the run
        mark->force[c] = isfinite(mark->force[c]) ? mark->force[c] : 0;
    }
}

static int only_node(const gos_system *s, const gos_body *b) {
    for (int i = 0; b && i < s->nbody && !s->reduced; i++) {
        if (s->body[i] == b && b->nnode == 1) {
            return s->body_first_node[i];
        }
    }
    return -1;
}

/* false: nothing to show */
static bool find_mark(gos_work *w, const gos_item *it, const gos_point_of *at, gos_mark *mark) {
    const gos_system *s = w->sys;
    *mark = (gos_mark){
        .name = it->name, .joint = strncmp(it->name, "joint ", 6) == 0, .node = {-1, -1}};
    if (it->watches || (!mark->joint && strncmp(it->name, "load ", 5) != 0)) {
        return false;
    }
    const bool reads = gos__item_feeds_back(it); // probe markers follow its own
    for (int m = 0; m < it->nm && !(reads && mark->nlocation > 0); m++) {
        double x[3];
        if (gos__marker_is_location(s, &it->m[m])) {
            gos__marker_value(&it->m[m], s->e0, x);
            add_location(s, x, mark);
        }
    }
    for (int m = 0; m < it->nm && mark->nlocation == 0 && !s->reduced; m++) {
        add_node(s, &it->m[m], mark);
    }
    for (int i = 0; it->sides && i < 2; i++) {
        mark->ground |= !it->sides->location[i].body;
        mark->node[i] = only_node(s, it->sides->location[i].body);
    }
    if (!mark->joint && mark->nlocation > 0) {
        add_force(w, it, at, mark);
    }
    return mark->nlocation > 0;
}

gos_status gos__marks_find(gos_ctx *ctx, const gos_system *s, gos_arena *arena, gos_mark **marks,
                           int *n) {
    gos_work *w = NULL;
    gos_state *x = NULL;
    *n = 0;
    *marks = GOS_NEW(arena, gos_mark, s->nitem + 1);
    gos_status status = *marks ? gos__work_create(ctx, s, &w) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos_state_create(ctx, s, &x) : status;
    if (status == GOS_OK) {
        const gos_point_of given = {.q = x->q, .v = x->v, .th = x->th, .mem = x->mem, .scale = 1};
        const gos_point_of at = gos__derived_enter(w, &given);
        gos__work_time(w, 0);
        for (int i = 0; i < s->nitem; i++) {
            *n += find_mark(w, s->item[i], &at, *marks + *n);
        }
    }
    gos_state_destroy(x);
    gos__work_destroy(ctx, w);
    return status;
}
