/* One orientation for neighbouring shells: Nastran permits opposite normals, directors do not. Only
   homogeneous shells are turned over, as layers and offsets refer to the normal. */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

#define PARALLEL 0.5 // cosine between neighbours above which they need one orientation

typedef struct edge {
    int a, b; // nodes, a < b
    int cell; // index in r->cell
} edge;

typedef struct turning {
    gos_nastran *r;
    int n; // edges
    edge *edge;
    double (*normal)[3]; // (ncell)
    signed char *sense;  // 0: not reached, -1: turned over (ncell)
    int *first, *queue;  // first edge of a cell in `own` (ncell + 1)
    int *own;            // edges by cell
} turning;

static bool is_shell(const gos_nastran_cell *c) {
    return gos__cell_kind[c->shape].dim == 2;
}

static bool is_layered(const gos_nastran *r, int cell) {
    return r->deck->section[r->cell[cell].section].nlayer > 0;
}

static void find_normal(const gos_nastran *r, const gos_nastran_cell *c, double n[3]) {
    const int corners = gos__cell_kind[c->shape].corners, *node = r->node + c->node;
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        n[k] = (x[node[corners - 2]][p] - x[node[0]][p]) *
                   (x[node[corners - 1]][q] - x[node[corners - 3]][q]) -
               (x[node[corners - 2]][q] - x[node[0]][q]) *
                   (x[node[corners - 1]][p] - x[node[corners - 3]][p]);
        size += n[k] * n[k];
    }
    for (int k = 0; k < 3 && size > 0; k++) {
        n[k] /= sqrt(size);
    }
}

static int by_nodes(const void *a, const void *b) {
    const edge *x = a, *y = b;
    const int first = (x->a > y->a) - (x->a < y->a), second = (x->b > y->b) - (x->b < y->b);
    return first != 0 ? first : second != 0 ? second : (x->cell > y->cell) - (x->cell < y->cell);
}

static void list_edges(turning *t) {
    gos_nastran *r = t->r;
    for (int i = 0; i < r->ncell; i++) {
        const gos_nastran_cell *c = &r->cell[i];
        const int corners = is_shell(c) ? gos__cell_kind[c->shape].corners : 0;
        const int *node = r->node + c->node;
        for (int k = 0; k < corners; k++) {
            const int p = node[k], q = node[(k + 1) % corners];
            t->edge[t->n++] = (edge){p < q ? p : q, p < q ? q : p, i};
        }
        if (corners > 0) {
            find_normal(r, c, t->normal[i]);
        }
    }
    if (t->n > 0) {
        qsort(t->edge, (size_t)t->n, sizeof *t->edge, by_nodes);
    }
    for (int e = 0; e < t->n; e++) {
        t->first[t->edge[e].cell + 1]++;
    }
    for (int i = 0; i < r->ncell; i++) {
        t->first[i + 1] += t->first[i];
    }
    for (int e = t->n - 1; e >= 0; e--) { // filled from the end of each cell
        t->own[--t->first[t->edge[e].cell + 1]] = e;
    }
}

/* neighbours across edge e get the sense of the cell, and join the queue */
static void reach(turning *t, int cell, int e, int *end) {
    int from = e, to = e + 1;
    while (from > 0 && t->edge[from - 1].a == t->edge[e].a && t->edge[from - 1].b == t->edge[e].b) {
        from--;
    }
    while (to < t->n && t->edge[to].a == t->edge[e].a && t->edge[to].b == t->edge[e].b) {
        to++;
    }
    for (int k = from; k < to; k++) {
        const int other = t->edge[k].cell;
        const double *p = t->normal[cell], *q = t->normal[other];
        const double cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        if (t->sense[other] == 0 && fabs(cosine) > PARALLEL) {
            t->sense[other] = (signed char)(cosine > 0 ? t->sense[cell] : -t->sense[cell]);
            t->queue[(*end)++] = other;
        }
    }
}

static void spread(turning *t, int seed) {
    int end = 1;
    t->sense[seed] = 1;
    t->queue[0] = seed;
    for (int at = 0; at < end; at++) {
        const int cell = t->queue[at];
        for (int k = t->first[cell + 1]; k < t->n && t->edge[t->own[k]].cell == cell; k++) {
            reach(t, cell, t->own[k], &end);
        }
    }
}

static void turn_over(turning *t) {
    gos_nastran *r = t->r;
    for (int layered = 1; layered >= 0; layered--) { // their normals count
        for (int i = 0; i < r->ncell; i++) {
            if (is_shell(&r->cell[i]) && t->sense[i] == 0 && is_layered(r, i) == (layered == 1)) {
                spread(t, i);
            }
        }
    }
    for (int i = 0; i < r->ncell; i++) {
        if (t->sense[i] < 0 && !is_layered(r, i)) {
            int *node = r->node + r->cell[i].node;
            const int last = gos__cell_kind[r->cell[i].shape].corners - 1, kept = node[1];
            node[1] = node[last];
            node[last] = kept;
            r->cell[i].turned = true;
        }
    }
}

gos_status gos__nastran_orient(gos_nastran *r) {
    turning t = {.r = r};
    const size_t n = (size_t)r->ncell + 2;
    t.edge = gos__alloc(r->ctx, 4 * n, sizeof *t.edge);
    t.normal = gos__zalloc(r->ctx, n, sizeof *t.normal);
    t.sense = gos__zalloc(r->ctx, n, sizeof *t.sense);
    t.first = gos__zalloc(r->ctx, n, sizeof *t.first);
    t.queue = gos__alloc(r->ctx, n, sizeof *t.queue);
    t.own = gos__alloc(r->ctx, 4 * n, sizeof *t.own);
    const bool room = t.edge && t.normal && t.sense && t.first && t.queue && t.own;
    if (room) {
        list_edges(&t);
        turn_over(&t);
    }
    gos__free(r->ctx, t.edge);
    gos__free(r->ctx, t.normal);
    gos__free(r->ctx, t.sense);
    gos__free(r->ctx, t.first);
    gos__free(r->ctx, t.queue);
    gos__free(r->ctx, t.own);
    return room ? GOS_OK : GOS_E_MEMORY;
}
