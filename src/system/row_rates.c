/* How the gradients of constraints turn as a system moves: d/dt C_q = C_qq v, row by row. Gradients of all
   constraints here depend on time through the coordinates alone. */
#include "system/assemble.h"

/* entries of a row; written to the triplets when they are there */
typedef struct entries {
    size_t n;
    int *i, *j;
    double *x;
} entries;

static void add_row(const gos_item *it, int row, const double *H, const double *xd, entries *e) {
    const int n = 3 * it->nm;
    for (int m = 0; m < it->nm; m++) {
        for (int d = 0; d < 3; d++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += H[(3 * m + d) * n + k] * xd[k];
            }
            for (int l = 0; l < it->m[m].n && sum != 0; l++, e->n++) {
                if (e->x) {
                    e->i[e->n] = row;
                    e->j[e->n] = 3 * it->m[m].idx[l] + d;
                    e->x[e->n] = it->m[m].w[l] * sum;
                }
            }
        }
    }
}

static void walk(gos_work *w, const gos_point_of *x, entries *e) {
    const gos_system *s = w->sys;
    double H[9 * GOS_ITEM_MARKERS * GOS_ITEM_MARKERS], lam[GOS_ITEM_ROWS];
    e->n = 0;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int r = 0; r < it->nc && !it->linear; r++) {
            gos_item_io io = gos__item_inputs(w, it, x);
            memset(H, 0, sizeof H);
            memset(lam, 0, sizeof lam);
            lam[r] = 1;
            io.lam = lam;
            io.H = H;
            it->type->eval(it, &io);
            add_row(it, it->c0 + r, H, io.xd, e);
        }
    }
}

gos_status gos__constraint_row_rates(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                     gos_sparse *rates) {
    const gos_system *s = w->sys;
    entries e = {0};
    gos__work_time(w, x->t);
    walk(w, x, &e);
    if (e.n > INT32_MAX / 2) {
        return gos__fail(ctx, GOS_E_LIMIT, "constraints have %zu gradients that turn", e.n);
    }
    e.i = gos__alloc(ctx, e.n + 1, sizeof *e.i);
    e.j = gos__alloc(ctx, e.n + 1, sizeof *e.j);
    e.x = gos__alloc(ctx, e.n + 1, sizeof *e.x);
    gos_status status = e.i && e.j && e.x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        walk(w, x, &e);
        status = gos__sparse_from_triplets(ctx, s->nc, s->nq, (int)e.n, e.i, e.j, e.x, rates);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(rates);
    }
    gos__free(ctx, e.i);
    gos__free(ctx, e.j);
    gos__free(ctx, e.x);
    return status;
}
