/* Arguments of an assembled matrix, stored as an array of doubles so that it can be reassembled
 * exactly. */
#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"

size_t gos__location_size(const gos_system *s) {
    return 2 + 3 * (size_t)s->nq + 2L * s->nt + s->nc + s->nh + s->nmem + 3L * s->nfn;
}

static double *put(double *to, const double *from, int n) {
    memcpy(to, from, n * sizeof *to);
    return to + n;
}

void gos__location_write(const gos_work *w, const gos_point_of *at, double h, double *place) {
    const gos_system *s = w->sys;
    *place++ = at->t;
    *place++ = h;
    place = put(place, at->q, s->nq);
    place = put(place, at->v, s->nq);
    place = put(place, at->a, s->nq);
    place = put(place, at->th, s->nt);
    place = put(place, at->thd, s->nt);
    place = put(place, at->lam, s->nc);
    place = put(place, at->lamT, s->nh);
    memcpy(place, gos__memory_of(s, at), s->nmem * sizeof *place);
    place += s->nmem;
    place = put(place, w->fn, s->nfn);
    place = put(place, w->fnd, s->nfn);
    (void)put(place, w->fndd, s->nfn);
}

static const double *get(double *to, const double *from, int n) {
    memcpy(to, from, n * sizeof *to);
    return from + n;
}

gos_point_of gos__location_read(const double *place, gos_work *w, gos_state *x) {
    const gos_system *s = x->sys;
    const double t = place[0];
    place = get(x->q, place + 2, s->nq);
    place = get(x->v, place, s->nq);
    place = get(x->a, place, s->nq);
    place = get(x->th, place, s->nt);
    place = get(x->thd, place, s->nt);
    place = get(x->lam, place, s->nc);
    place = get(x->lamT, place, s->nh);
    memcpy(x->mem, place, s->nmem * sizeof *place);
    place = get(w->fn, place + s->nmem, s->nfn);
    place = get(w->fnd, place, s->nfn);
    (void)get(w->fndd, place, s->nfn);
    w->t = t;
    return gos__state_point(x, t);
}

void gos__location_note(gos_alpha *g, const gos_point_of *at, double h) {
    if (!gos__newton_solver_kept_pivots(g->solver)) {
        g->own_pivots = true;
    } else if (g->own_pivots) { // pivots now stem from an older matrix: keep its arguments
        double *place = g->pivots_at;
        g->pivots_at = g->made_at;
        g->made_at = place;
        g->own_pivots = false;
    }
    gos__location_write(g->w, at, h, g->made_at);
}
