/* Draws a shapeless rigid body as lines from its node to its joints, e.g. both ends of a clamped
   plate edge. */
#include "parts/marker.h"
#include "parts/vec3.h"
#include "system/system.h"

#define SAME 1e-9 // relative to arm length

/* the other side at t = 0; false if no point is fixed on body A */
static bool held_place(const gos_system *s, const gos_item *it, const gos_body *A, double x[3]) {
    const gos_sides *sides = it->sides;
    if (!sides || sides->ncoord > 0 || it->nm < 1 || !sides->point[0]) {
        return false;
    }
    const int own = sides->place[0].body == A ? 1 : sides->place[1].body == A ? 2 : 0;
    for (int m = 0; m < it->nm && own > 0; m++) {
        if (sides->point[m] && sides->of[m] == 3 - own) {
            gos__marker_value(&it->m[m], s->e0, x);
            return true;
        }
    }
    return false;
}

static bool is_there(const gos_system *s, int n, const gos_marker *mark, const double x[3],
                     double size) {
    for (int i = 0; i < n; i++) {
        double y[3], d[3];
        gos__marker_value(&mark[i], s->e0, y);
        gos__sub3(x, y, d);
        if (gos__norm3(d) <= SAME * size) {
            return true;
        }
    }
    return false;
}

static gos_status add_arm(gos_system *s, gos_body *A, gos_marker *mark, const double x[3]) {
    const int idx[4] = {A->v0, A->v0 + 1, A->v0 + 2, A->v0 + 3};
    double w[4] = {1}, d[3];
    gos__sub3(x, s->e0 + 3L * A->v0, d);
    for (int j = 0; j < 3; j++) {
        w[1 + j] = gos__dot3(d, s->e0 + 3L * idx[1 + j]);
    }
    const double size = gos__norm3(d);
    if (!(size > SAME * gos__norm3(x)) || is_there(s, A->nmark, mark, x, size)) {
        return GOS_OK;
    }
    return gos__marker_make(s->arena, 4, idx, w, NULL, &mark[A->nmark++]);
}

/* for items of one name (an edge), first and last points */
static gos_status find_arms(gos_system *s, gos_body *A, gos_marker *mark) {
    double x[3], last[3];
    const char *before = NULL;
    for (int i = 0; i < s->nitem; i++) {
        if (!held_place(s, s->item[i], A, x)) {
            continue;
        }
        if (!before || strcmp(before, s->item[i]->name) != 0) {
            GOS_TRY(before ? add_arm(s, A, mark, last) : GOS_OK);
            GOS_TRY(add_arm(s, A, mark, x));
            before = s->item[i]->name;
        }
        memcpy(last, x, sizeof last);
    }
    return before ? add_arm(s, A, mark, last) : GOS_OK;
}

static gos_status give_arms(gos_system *s, gos_body *A) {
    int most = A->nmark;
    double x[3];
    for (int i = 0; i < s->nitem; i++) {
        most += 2 * held_place(s, s->item[i], A, x);
    }
    gos_marker *mark = GOS_NEW(s->arena, gos_marker, most + 1);
    int *cell = GOS_NEW(s->arena, int, 2 * most + 1);
    GOS_TRY(mark && cell ? GOS_OK : GOS_E_MEMORY);
    memcpy(mark, A->mark, (size_t)A->nmark * sizeof *mark);
    GOS_TRY(find_arms(s, A, mark));
    for (int i = 0; i < A->nmark; i++) {
        cell[2 * i + 1] = A->nnode + i;
    }
    A->mark = mark;
    A->ncell = A->nmark;
    A->cell_size = 2;
    A->cell = cell;
    return GOS_OK;
}

gos_status gos__rigid_outline_make(gos_system *s) {
    for (int i = 0; i < s->nbody; i++) {
        GOS_TRY(s->body[i]->arms ? give_arms(s, s->body[i]) : GOS_OK);
    }
    return GOS_OK;
}
