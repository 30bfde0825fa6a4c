/* Time derivatives of constraint gradients, d/dt C_q = C_qq v, by rows. Gradients depend on time
 * through the coordinates only. */
#include "system/derived.h"
#include "system/assemble.h"

/* Additional terms of the stabilised index-2 form (Gear, Gupta and Leimkuhler 1985): velocity
 * constraints, with multipliers mu in the kinematic equations. Constraint gradients depend on time
 * through the coordinates only, so C_qt is zero. */

static void item_rows(gos_work *w, const gos_item *it, const gos_point_of *x, const double *mu,
                      double *cv, double *force) {
    const int nx = 3 * it->nm;
    double cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS], ct[GOS_ITEM_ROWS] = {0};
    gos_item_io io = gos__item_inputs(w, it, x);
    memset(cx, 0, (size_t)(it->nc * nx) * sizeof *cx);
    io.cx = cx;
    io.ct = ct;
    it->type->eval(it, &io);
    for (int r = 0; r < it->nc; r++) {
        double sum = ct[r];
        for (int k = 0; k < nx; k++) {
            sum += cx[r * nx + k] * io.xd[k];
        }
        cv[it->c0 + r] = sum;
    }
    for (int m = 0; m < it->nm; m++) {
        double f[3] = {0, 0, 0};
        for (int r = 0; r < it->nc; r++) {
            for (int c = 0; c < 3; c++) {
                f[c] += cx[r * nx + 3 * m + c] * mu[it->c0 + r];
            }
        }
        gos__marker_give(&it->m[m], f, force, w->derived ? w->derived->f : NULL);
    }
}

void gos__stabilised_rows(gos_work *w, const gos_point_of *given, const double *mu, double *cv,
                          double *force) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    gos__work_time(w, x->t);
    gos__derived_clear(s, w->derived);
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0) {
            item_rows(w, s->item[i], x, mu, cv, force);
        }
    }
    gos__derived_fold(s, w->derived, s->derived ? w->derived->f : NULL, force);
}

/* Structure: all coordinates of a row with value 0, in the order of row_values. */
static void row_list(const gos_item *it, int row, gos_entry_sink *k) {
    gos_columns at[GOS_ITEM_MARKERS];
    gos__columns_list(it, at);
    for (int i = 0; i < (it->pulled ? 2 : 1) * it->nm; i++) {
        const int m = i % it->nm;
        for (int l = 0; l < 3 * at[m].n; l++) {
            k->add(k, row, 3 * at[m].v[l / 3] + l % 3, 0);
        }
        for (int l = 0; l < at[m].nz; l++) {
            k->add(k, row, at[m].z[l], 0);
        }
    }
}

/* Row r of an item: H (3 nm)^2 times the rates of markers, and the effect of rates of derived
 * vectors on its gradient. */
static void row_values(gos_work *w, const gos_item *it, int r, const gos_point_of *x,
                       const gos_columns *at, gos_entry_sink *k) {
    const int nx = 3 * it->nm;
    double H[9 * GOS_ITEM_MARKERS * GOS_ITEM_MARKERS], lam[GOS_ITEM_ROWS] = {0};
    double cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS], turned[3 * GOS_ITEM_MARKERS] = {0};
    gos_item_io io = gos__item_inputs(w, it, x);
    memset(H, 0, (size_t)(nx * nx) * sizeof *H);
    memset(cx, 0, (size_t)(it->nc * nx) * sizeof *cx);
    lam[r] = 1;
    io.lam = lam;
    io.H = H;
    io.cx = cx;
    it->type->eval(it, &io);
    for (int i = 0; i < nx * nx; i++) {
        turned[i / nx] += H[i] * io.xd[i % nx];
    }
    gos__columns_row(at, it->nm, turned, false, it->c0 + r, k);
    if (it->pulled) {
        gos__columns_row(at, it->nm, cx + r * nx, true, it->c0 + r, k);
    }
}

void gos__row_rate_entries(gos_work *w, const gos_point_of *given, gos_entry_sink *k) {
    const gos_system *s = w->sys;
    gos_point_of x = {0};
    if (given) {
        x = gos__derived_enter(w, given);
        gos__work_time(w, x.t);
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        gos_columns at[GOS_ITEM_MARKERS];
        if (it->linear && !it->pulled) {
            continue;
        }
        if (given) {
            gos__columns_at(s, w->derived, it, at);
        }
        for (int r = 0; r < it->nc; r++) {
            if (given) {
                row_values(w, it, r, &x, at, k);
            } else {
                row_list(it, it->c0 + r, k);
            }
        }
    }
}

typedef struct triplets {
    int *i, *j; // one for each entry
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
        return gos__fail(ctx, GOS_E_LIMIT, "constraints have too many varying gradients (%zu)", n);
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
