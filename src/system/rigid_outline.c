/* Draws a shapeless rigid body as lines from its node to its joints, e.g. both ends of a clamped
   plate edge. */
#include "parts/marker.h"
#include "parts/vec3.h"
#include "system/system.h"

#define SAME 1e-9 // relative to arm length

/* Items by body, in order: those of body b are of[start[b]] ... */
typedef struct held_items {
    int *start, *of; // (nbody + 1), (2 nitem)
} held_items;

static bool has_places(const gos_item *it) {
    return it->sides && it->sides->ncoord == 0 && it->nm > 0 && it->sides->point[0];
}

/* body of side k; NULL: none, or that of side 0 again */
static const gos_body *body_of(const gos_item *it, int k) {
    const gos_body *A = it->sides->place[k].body;
    return k == 1 && A == it->sides->place[0].body ? NULL : A;
}

static gos_status find_items(gos_ctx *ctx, const gos_system *s, held_items *h) {
    h->start = gos__zalloc(ctx, s->nbody + 2L, sizeof *h->start);
    h->of = gos__zalloc(ctx, 2L * s->nitem + 1, sizeof *h->of);
    GOS_TRY(h->start && h->of ? GOS_OK : GOS_E_MEMORY);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->nitem; i++) {
            for (int k = 0; k < 2 && has_places(s->item[i]); k++) {
                const gos_body *A = body_of(s->item[i], k);
                if (A && pass == 0) {
                    h->start[A->index + 2]++;
                } else if (A) {
                    h->of[h->start[A->index + 1]++] = i;
                }
            }
        }
        for (int b = 0; b < s->nbody && pass == 0; b++) {
            h->start[b + 2] += h->start[b + 1];
        }
    }
    return GOS_OK;
}

/* the other side at t = 0; false if no point is fixed on body A */
static bool held_place(const gos_system *s, const gos_item *it, const gos_body *A, double x[3]) {
    const gos_sides *sides = it->sides;
    const int own = sides->place[0].body == A ? 1 : 2;
    for (int m = 0; m < it->nm; m++) {
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
static gos_status find_arms(gos_system *s, const held_items *h, gos_body *A, gos_marker *mark) {
    double x[3], last[3];
    const char *before = NULL;
    for (int k = h->start[A->index]; k < h->start[A->index + 1]; k++) {
        const gos_item *it = s->item[h->of[k]];
        if (!held_place(s, it, A, x)) {
            continue;
        }
        if (!before || strcmp(before, it->name) != 0) {
            GOS_TRY(before ? add_arm(s, A, mark, last) : GOS_OK);
            GOS_TRY(add_arm(s, A, mark, x));
            before = it->name;
        }
        memcpy(last, x, sizeof last);
    }
    return before ? add_arm(s, A, mark, last) : GOS_OK;
}

static gos_status give_arms(gos_system *s, const held_items *h, gos_body *A) {
    const int most = A->nmark + 2 * (h->start[A->index + 1] - h->start[A->index]);
    gos_marker *mark = GOS_NEW(s->arena, gos_marker, most + 1);
    int *cell = GOS_NEW(s->arena, int, 2 * most + 1);
    GOS_TRY(mark && cell ? GOS_OK : GOS_E_MEMORY);
    memcpy(mark, A->mark, (size_t)A->nmark * sizeof *mark);
    GOS_TRY(find_arms(s, h, A, mark));
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
    held_items h = {0};
    gos_status status = find_items(s->ctx, s, &h);
    for (int i = 0; i < s->nbody && status == GOS_OK; i++) {
        status = s->body[i]->arms ? give_arms(s, &h, s->body[i]) : GOS_OK;
    }
    gos__free(s->ctx, h.start);
    gos__free(s->ctx, h.of);
    return status;
}
