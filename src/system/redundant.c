/* Constraints are checked once at t = 0: they must hold, their gradients must be independent, and what
   bodies need to be held must be held.
   Rows are taken in the order of the model (rigidity of bodies, then joints), so the joint that is
   named is the one that adds nothing new. */
#include "system/redundant.h"

#include <math.h>

#include "system/row_rank.h"

#define RANK_TOLERANCE 1e-10 // relative to the row's own length (theory 3.2)
#define CLOSED 1e-8          // of the extent: what counts as assembled

typedef struct rows {
    const gos_system *s;
    gos_work *w;
    gos_row_rank *rank; // of the gradients so far, on the scalar unknowns [q | theta]
    int width;
    bool full; // too much to go on
} rows;

/* columns that constraints touch, compressed: map (nq + nt) -> 0 .. width-1 */
static int touched(const gos_system *s, int *map) {
    int n = 0;
    for (int i = 0; i < s->nq + s->nt; i++) {
        map[i] = -1;
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int m = 0; m < it->nm && it->nc; m++) {
            for (int j = 0; j < it->m[m].n; j++) {
                for (int c = 0; c < 3; c++) {
                    int *at = &map[3 * it->m[m].idx[j] + c];
                    *at = *at < 0 ? n++ : *at;
                }
            }
        }
        for (int m = 0; m < it->ntm && it->nh; m++) {
            for (int j = 0; j < it->tm[m].n; j++) {
                int *at = &map[s->nq + it->tm[m].idx[j]];
                *at = *at < 0 ? n++ : *at;
            }
        }
    }
    return n;
}

typedef struct gradients {
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double c[GOS_ITEM_ROWS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    double h[GOS_ITEM_TMARKERS], hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
} gradients;

static void evaluate(const rows *k, const gos_item *it, gradients *g) {
    const gos_system *s = k->s;
    memset(g, 0, sizeof *g);
    for (int m = 0; m < it->nm; m++) {
        gos__marker_value(&it->m[m], s->e0, g->x + 3 * m);
        gos__marker_rate(&it->m[m], s->v0, g->xd + 3 * m);
    }
    for (int m = 0; m < it->ntm; m++) {
        g->th[m] = gos__tmarker_value(&it->tm[m], s->th0);
    }
    gos__work_time(k->w, 0);
    const gos_item_io io = {.fn = k->w->fn + it->fn0,
                            .fnd = k->w->fnd + it->fn0,
                            .fndd = k->w->fndd + it->fn0,
                            .scale = 1,
                            .x = g->x,
                            .xd = g->xd,
                            .th = g->th,
                            .mem = it->memory,
                            .c = it->nc ? g->c : NULL,
                            .cx = it->nc ? g->cx : NULL,
                            .h = it->nh ? g->h : NULL,
                            .hth = it->nh ? g->hth : NULL};
    it->type->eval(it, &io);
}

/* the row that has been put: one more that is redundant, if it is */
static gos_status take(rows *k, int *redundant) {
    bool independent = true;
    const gos_status status = gos__row_rank_take(k->rank, RANK_TOLERANCE, &independent);
    k->full |= status == GOS_RETRY;
    *redundant += !independent;
    return status == GOS_RETRY ? GOS_OK : status;
}

static gos_status count_redundant(rows *k, const int *map, const gos_item *it, const gradients *g,
                                  int *redundant) {
    const int nx = 3 * it->nm;
    for (int r = 0; r < it->nc; r++) {
        for (int m = 0; m < it->nm; m++) {
            for (int j = 0; j < 3 * it->m[m].n; j++) {
                gos__row_rank_put(k->rank, map[3 * it->m[m].idx[j / 3] + j % 3],
                                  it->m[m].w[j / 3] * g->cx[r * nx + 3 * m + j % 3]);
            }
        }
        GOS_TRY(take(k, redundant));
    }
    for (int r = 0; r < it->nh; r++) {
        for (int m = 0; m < it->ntm; m++) {
            for (int j = 0; j < it->tm[m].n; j++) {
                gos__row_rank_put(k->rank, map[k->s->nq + it->tm[m].idx[j]],
                                  it->tm[m].w[j] * g->hth[r * it->ntm + m]);
            }
        }
        GOS_TRY(take(k, redundant));
    }
    return GOS_OK;
}

static gos_status check_item(gos_ctx *ctx, rows *k, const int *map, const gos_item *it) {
    gradients g;
    evaluate(k, it, &g);
    double open = 0;
    for (int r = 0; r < it->nc; r++) {
        open = fabs(g.c[r]) <= open ? open : fabs(g.c[r]); // NaN stays
    }
    if (!(open <= CLOSED * fmax(1, k->s->extent))) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, it->loc, it->name,
            "does not hold at t = 0: off by %g; move the bodies together or correct "
            "the joint's places",
            open);
    }
    int redundant = 0;
    GOS_TRY(count_redundant(k, map, it, &g, &redundant));
    if (redundant) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, it->loc, it->name,
            "%d of its %d equations are redundant: %s already say the same; remove it%s", redundant,
            it->nc + it->nh, it->nc ? "other joints" : "prescribed temperatures or ties",
            it->nc ? " or use a joint that holds less" : "");
    }
    return GOS_OK;
}

/* a motion without energy must meet some constraint */
static gos_status check_idle(gos_ctx *ctx, rows *k, const gos_body *body) {
    const gos_system *s = k->s;
    const gos_point_of x = {.scale = 1, .q = s->e0, .th = s->th0};
    double *u = gos__zalloc(ctx, (size_t)(s->nq + s->nc) + 1, sizeof *u), *y = u ? u + s->nq : NULL;
    double held = 0;
    if (!u) {
        return GOS_E_MEMORY;
    }
    memcpy(u + 3 * (size_t)body->v0, body->idle, 3 * (size_t)body->nv * sizeof *u);
    gos__constraint_apply(k->w, &x, u, y);
    for (int i = 0; i < s->nc; i++) {
        held = fmax(held, fabs(y[i]));
    }
    gos__free(ctx, u);
    if (held > 1e-6) {
        return GOS_OK;
    }
    char object[GOS_LIMIT_NAME + 16];
    snprintf(object, sizeof object, "body '%s'", body->name);
    return gos__fail_at(
        ctx, GOS_E_INPUT, body->loc, object,
        "reduced quadrature leaves one pattern of stretch without stiffness (all slopes "
        "longer, no node moved), and no joint holds it: clamp one end rigidly "
        "(clamp with `rigid: true`), or use `quadrature: full`");
}

gos_status gos__redundant_check(gos_ctx *ctx, gos_system *s) {
    gos_status status = GOS_E_MEMORY;
    rows k = {.s = s};
    int *map = gos__alloc(ctx, (size_t)(s->nq + s->nt) + 1, sizeof *map);
    if (!map) {
        return GOS_E_MEMORY;
    }
    k.width = touched(s, map);
    if (gos__row_rank_create(ctx, k.width, &k.rank) == GOS_OK &&
        gos__work_create(ctx, s, &k.w) == GOS_OK) {
        status = GOS_OK;
        for (int i = 0; i < s->nitem; i++) {
            const gos_status one = check_item(ctx, &k, map, s->item[i]);
            status = status == GOS_OK ? one : status;
        }
        /* bodies of a reduced system have the coordinates of the full one, which was checked */
        for (int i = 0; i < s->nbody && !s->reduced; i++) {
            const gos_status one = s->body[i]->idle ? check_idle(ctx, &k, s->body[i]) : GOS_OK;
            status = status == GOS_OK ? one : status;
        }
    }
    gos__work_destroy(ctx, k.w);
    if (k.full) {
        gos__warn(ctx, (gos_loc){0}, "joints", "are too many to be checked for redundancy in full");
    }
    gos__free(ctx, map);
    gos__row_rank_destroy(k.rank);
    return status;
}
