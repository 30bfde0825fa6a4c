/* How the gradients of constraints turn as a system moves: d/dt C_q = C_qq v, row by row. Gradients of all
   constraints here depend on time through the coordinates alone. */
#include "system/assemble.h"

/* of one row: H (3 nm)^2 times the rates of the markers */
static void row_entries(const gos_item *it, int row, const double *H, const double *xd,
                        gos_entry_sink *k) {
    const int nx = 3 * it->nm;
    for (int m = 0; m < it->nm; m++) {
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int i = 0; i < nx && H; i++) {
                sum += H[(3 * m + c) * nx + i] * xd[i];
            }
            for (int l = 0; l < it->m[m].n; l++) {
                k->add(k, row, 3 * it->m[m].idx[l] + c, it->m[m].w[l] * sum);
            }
        }
    }
}

void gos__row_rate_entries(gos_work *w, const gos_point_of *x, gos_entry_sink *k) {
    const gos_system *s = w->sys;
    double H[9 * GOS_ITEM_MARKERS * GOS_ITEM_MARKERS], lam[GOS_ITEM_ROWS];
    if (x) {
        gos__work_time(w, x->t);
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int r = 0; r < it->nc && !it->linear; r++) {
            if (!x) {
                row_entries(it, it->c0 + r, NULL, NULL, k);
                continue;
            }
            gos_item_io io = gos__item_inputs(w, it, x);
            memset(H, 0, 9 * (size_t)(it->nm * it->nm) * sizeof *H);
            memset(lam, 0, sizeof lam);
            lam[r] = 1;
            io.lam = lam;
            io.H = H;
            it->type->eval(it, &io);
            row_entries(it, it->c0 + r, H, io.xd, k);
        }
    }
}

typedef struct triplets {
    int *i, *j; // as many as there are entries
    double *x;
} triplets;

static void count_entry(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(row);
    GOS_UNUSED(col);
    k->n += v != 0;
}

static void keep_entry(gos_entry_sink *k, int row, int col, double v) {
    const triplets *e = k->user;
    if (v != 0) {
        e->i[k->n] = row;
        e->j[k->n] = col;
        e->x[k->n++] = v;
    }
}

gos_status gos__constraint_row_rates(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                     gos_sparse *rates) {
    const gos_system *s = w->sys;
    gos_entry_sink count = {.add = count_entry};
    gos__row_rate_entries(w, x, &count);
    const size_t n = count.n;
    if (n > INT32_MAX / 2) {
        return gos__fail(ctx, GOS_E_LIMIT, "constraints have %zu gradients that turn", n);
    }
    triplets e = {gos__alloc(ctx, n + 1, sizeof *e.i), gos__alloc(ctx, n + 1, sizeof *e.j),
                  gos__alloc(ctx, n + 1, sizeof *e.x)};
    gos_status status = e.i && e.j && e.x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos_entry_sink keep = {.add = keep_entry, .user = &e};
        gos__row_rate_entries(w, x, &keep);
        status = gos__sparse_from_triplets(ctx, s->nc, s->nq, (int)n, e.i, e.j, e.x, rates);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(rates);
    }
    gos__free(ctx, e.i);
    gos__free(ctx, e.j);
    gos__free(ctx, e.x);
    return status;
}
