/* Convergence, unlike accuracy, has no estimate that predicts the next step. Without a memory the
 * step would grow after each failure until the next one, which costs several factorisations. */
#include "solve/step_limit.h"

#include <math.h>

#define SHORTER 0.8125  // longest step relative to one without a solution; exact in few bits
#define MIN_GROWTH 1.25 // smallest increase of the step that justifies a factorisation
#define FIRST_WAIT                                                                                 \
    8 // accepted steps; least total work of five plates on hubs, tolerances 1e-4..3e-3
#define MAX_WAIT 64 // ... after failures that repeat

void gos__step_limit_begin(gos_step_limit *l, const gos_system *sys) {
    for (int i = 0; i < sys->nbody && !sys->reduced; i++) {
        l->applies |= strcmp(sys->body[i]->type, "ancf_plate") == 0;
    }
}

void gos__step_limit_set(gos_step_limit *l, double h) {
    if (!l->applies) {
        return;
    }
    l->longest = SHORTER * h;
    l->left = l->next < FIRST_WAIT ? FIRST_WAIT : l->next;
    l->next = 2 * l->left < MAX_WAIT ? 2 * l->left : MAX_WAIT;
}

double gos__step_limit_apply(gos_step_limit *l, double h, double next) {
    if (l->left == 0) {
        l->next = h > l->longest ? 0 : l->next;
        return next;
    }
    l->left--;
    return next <= l->longest            ? next
           : l->longest > MIN_GROWTH * h ? l->longest
                                         : fmin(h, l->longest);
}

void gos__step_limit_walk(gos_step_limit *l, gos_walk *w) {
    gos__walk(w, &l->longest, 1);
    gos__walk_int(w, &l->left, MAX_WAIT);
    gos__walk_int(w, &l->next, MAX_WAIT);
    w->bad = w->bad || !(l->longest >= 0 && isfinite(l->longest));
}
