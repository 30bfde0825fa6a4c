/* Near a singular position constraint gradients are nearly dependent: the remainder of a row is
 * proportional to the distance from that position. */
#include "constraints/singular_rows.h"

#include "system/made.h"
#include "constraints/row_rank.h"

// relative to the largest entry of a row: smaller remainders indicate a singular position
#define NEAR 1e-2

typedef struct putting {
    gos_row_rank *rank;
    const gos_system *s;
} putting;

/* Slopes and axes are scaled by the extent, so that rows are independent of the unit of length. */
static void put_entry(gos_entry_sink *sink, int row, int col, double v) {
    const putting *p = sink->user;
    GOS_UNUSED(row);
    gos__row_rank_put(p->rank, col, p->s->trans[col / 3] != 0 ? v : v / p->s->extent);
}

/* Index of the first item with a dependent row; nitem: none. */
static gos_status first_dependent(const gos_system *s, const gos_state *x, gos_made_work *made,
                                  gos_row_rank *rank, int *first) {
    double at[3 * GOS_ITEM_MARKERS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    gos_columns columns[GOS_ITEM_MARKERS];
    putting p = {rank, s};
    gos_entry_sink sink = {.add = put_entry, .user = &p};
    gos__made_put(s, made, x->q, x->v, NULL);
    for (*first = 0; *first < s->nitem; ++*first) {
        const gos_item *it = s->item[*first];
        bool independent = true;
        if (it->nc > 0) {
            gos__item_gradients(s, x, it, at, cx);
            gos__columns_at(s, made, it, columns);
        }
        for (int r = 0; r < it->nc && independent; r++) {
            gos__columns_row(columns, it->nm, cx + 3 * r * it->nm, false, r, &sink);
            GOS_TRY(gos__row_rank_take(rank, NEAR, &independent));
        }
        if (!independent) {
            return GOS_OK;
        }
    }
    return GOS_OK;
}

static int dependent_at(gos_ctx *ctx, const gos_system *s, const gos_state *x) {
    gos_row_rank *rank = NULL;
    gos_made_work *made = NULL;
    int first = s->nitem;
    gos_status status = gos__row_rank_create(ctx, 3 * s->nv, &rank);
    status = status == GOS_OK ? gos__made_work_create(ctx, s, &made) : status;
    status = status == GOS_OK ? first_dependent(s, x, made, rank, &first) : status;
    gos__made_work_destroy(ctx, made);
    gos__row_rank_destroy(rank);
    return status == GOS_OK ? first : s->nitem;
}

const gos_item *gos__singular_joint(gos_ctx *ctx, const gos_system *s, const gos_point_of *x) {
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_state *state = NULL;
    const gos_item *joint = NULL;
    if (quiet && gos_state_create(quiet, s, &state) == GOS_OK) {
        const int start = dependent_at(quiet, s, state);
        memcpy(state->q, x->q, s->nq * sizeof *state->q);
        memcpy(state->th, x->th, s->nt * sizeof *state->th);
        if (x->mem) {
            memcpy(state->mem, x->mem, s->nmem * sizeof *state->mem);
        }
        const int now = dependent_at(quiet, s, state);
        joint = now < s->nitem && now != start ? s->item[now] : NULL;
    }
    gos_state_destroy(state);
    gos_ctx_destroy(quiet);
    return joint;
}
