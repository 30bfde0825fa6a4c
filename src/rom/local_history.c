/* Serialised history, which depends on past states: open interval, transported basis, reused
   modes. */
#include <limits.h>

#include "rom/local.h"
#include "rom/pod.h"
#include "solve/consistent.h"

static void walk_report(gos_walk *w, gos_local_report *p) {
#define WALK_long(x) gos__walk_long(w, x)
#define WALK_int(x) gos__walk_int(w, x, INT_MAX)
#define WALK_double(x) gos__walk(w, x, 1)
#define X(type, name, doc) WALK_##type(&p->name);
    GOS_LOCAL_REPORT_FIELDS(X)
#undef X
}

static void walk_modes(gos_walk *w, gos_local_modes *k) {
    gos__walk_int(w, &k->m, k->cap);
    gos__walk_int(w, &k->nmodal, k->cap);
    gos__walk_int(w, &k->pairs, INT_MAX);
    gos__walk_int(w, &k->overdamped, INT_MAX);
    gos__walk(w, k->V, (size_t)k->cap * k->n);
}

static void walk_interval(gos_walk *w, gos_local *g) {
    const gos_system *s = g->sys;
    gos__interval_walk(g->lin, w);
    w->bad = w->bad || g->lin->m != g->modes->m;
    const size_t m = w->bad ? 0 : g->lin->m, mt = g->lin->mt;
    gos__walk(w, g->origin->q, s->nq);
    gos__walk(w, g->origin->th, s->nt);
    gos__walk(w, g->W, s->nq * m);
    gos__walk(w, g->Psi, s->nt * mt);
    if (g->frame.on) {
        gos__walk(w, g->frame.omega, 3);
        gos__walk(w, g->OW, s->nq * m);
    }
}

/* set after the first interval */
static void walk_cluster(gos_walk *w, gos_local *g) {
    int cluster = g->cluster + 1;
    if (g->def.kind == GOS_LOCAL_OF_RUN) {
        gos__walk_int(w, &cluster, g->sys->pod->n);
        g->cluster = cluster - 1;
    }
}

static void walk_numbers(gos_walk *w, gos_local *g) {
    const gos_system *s = g->sys;
    gos__walk(w, &g->interval, 1);
    walk_report(w, &g->report);
    walk_cluster(w, g);
    gos__walk_long(w, &g->lin->factorisations);
    gos__walk(w, g->Psi0, (size_t)s->nt * g->rt);
    gos__walk(w, g->v, g->n);
    gos__walk(w, g->r, s->n);
    gos__walk(w, g->thd, s->nt);
    walk_modes(w, g->modes);
    gos__walk_bool(w, &g->active);
    if (g->active && !w->bad) {
        walk_interval(w, g);
    }
    w->bad = w->bad || !(g->interval > 0);
}

void gos__local_sizes(void *method, gos_walk *w) {
    gos_local *g = method;
    gos__nullspace_walk(g->space, w);
}

gos_status gos__local_save(void *method, gos_walk *w) {
    gos_local *g = method;
    w->bad = w->bad || g->failed;
    walk_numbers(w, g);
    if (!w->takes || w->bad) {
        return GOS_OK; // the integrator reports it
    }
    const gos_point_of at = gos__state_point(g->x, g->x->t);
    return gos__nullspace_refactor(g->space, g->w, &at);
}
