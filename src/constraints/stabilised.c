/* See stabilised.h. Constraint gradients depend on time through the coordinates only, so C_qt is
 * zero. */
#include "constraints/stabilised.h"

#include "system/made.h"

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
        gos__marker_give(&it->m[m], f, force, w->made ? w->made->f : NULL);
    }
}

void gos__stabilised_rows(gos_work *w, const gos_point_of *given, const double *mu, double *cv,
                          double *force) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__made_enter(w, given), *x = &entered;
    gos__work_time(w, x->t);
    gos__made_clear(s, w->made);
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0) {
            item_rows(w, s->item[i], x, mu, cv, force);
        }
    }
    gos__made_fold(s, w->made, s->made ? w->made->f : NULL, force);
}
