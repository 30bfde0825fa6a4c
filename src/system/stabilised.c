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
