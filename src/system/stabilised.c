/* See stabilised.h. Gradients of all constraints here depend on time through the coordinates alone, so that nothing
   of C_qt is missing. */
#include "system/stabilised.h"

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
    for (int k = 0; k < nx; k++) {
        const gos_marker *m = &it->m[k / 3];
        double sum = 0;
        for (int r = 0; r < it->nc; r++) {
            sum += cx[r * nx + k] * mu[it->c0 + r];
        }
        for (int l = 0; l < m->n; l++) {
            force[3 * m->idx[l] + k % 3] += m->w[l] * sum;
        }
    }
}

void gos__stabilised_rows(gos_work *w, const gos_point_of *x, const double *mu, double *cv,
                          double *force) {
    const gos_system *s = w->sys;
    gos__work_time(w, x->t);
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0) {
            item_rows(w, s->item[i], x, mu, cv, force);
        }
    }
}

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

void gos__stabilised_entries(gos_work *w, const gos_point_of *x, gos_entry_sink *k) {
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
