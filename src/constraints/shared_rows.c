/* Redundant rows at corners of plates, where joints along several edges meet at one node, are
 * dropped in two passes. Vector rows act equally on x, y and z with constant weights, so their
 * dependence is permanent. Single rows are compared at t = 0 with the gradients of all other
 * constraints. A completely redundant joint is an error, see redundant.c. */
#include "constraints/redundant.h"

#include "joints/joint.h"
#include "parts/derived.h"
#include "constraints/row_rank.h"

#define TOLERANCE 1e-10 // relative to the length of the row, as in redundant.c

typedef struct shared {
    gos_builder *b;
    gos_row_rank *rank;
    bool (*drop)[GOS_ITEM_ROWS]; // for every item (nitem)
} shared;

static bool at_corner(const gos_item *it) {
    return it->sides && it->sides->corner && it->nc > 0;
}

/* Derived vectors count as separate coordinates before the others: rows dependent in them are
 * dependent. */
static int made_of(const gos_builder *b) {
    return b->derived ? b->derived->n : 0;
}

static gos_status take(shared *k, bool *independent) {
    const gos_status status = gos__row_rank_add(k->rank, TOLERANCE, independent);
    return status == GOS_RETRY ? GOS_OK : status; // too dense: keep the row
}

static gos_status vector_row(shared *k, int i, int row) {
    const gos_item *it = k->b->item[i];
    bool independent = true;
    for (int m = 0; m < it->nm; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            gos__row_rank_put(k->rank, made_of(k->b) + it->m[m].idx[j],
                              it->iso_w[row * it->nm + m] * it->m[m].w[j]);
        }
    }
    GOS_TRY(take(k, &independent));
    for (int c = 0; c < 3 && at_corner(it); c++) {
        k->drop[i][3 * row + c] = !independent;
    }
    return GOS_OK;
}

static gos_status vector_rows(shared *k) {
    const gos_builder *b = k->b;
    GOS_TRY(gos__row_rank_create(b->ctx, made_of(b) + b->nv, &k->rank));
    gos_status status = GOS_OK;
    for (int pass = 0; pass < 2; pass++) { // corners last: other rows never depend on them
        for (int i = 0; i < b->nitem; i++) {
            const gos_item *it = b->item[i];
            const bool now = it->isotropic && it->iso_w && at_corner(it) == (pass == 1);
            for (int row = 0; row < it->nc / 3 && now && status == GOS_OK; row++) {
                status = vector_row(k, i, row);
            }
        }
    }
    gos__row_rank_destroy(k->rank);
    return status;
}

typedef struct gradients {
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double fn[3][GOS_ITEM_FUNCTIONS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
} gradients;

static void evaluate(const gos_builder *b, const gos_item *it, gradients *g) {
    memset(g, 0, sizeof *g);
    for (int m = 0; m < it->nm; m++) {
        gos__marker_initial(b, &it->m[m], g->x + 3 * m);
    }
    for (int f = 0; f < it->nfn && f < GOS_ITEM_FUNCTIONS; f++) {
        g->fn[0][f] = gos__timefn_eval(b->fn[it->fn0 + f], 0, &g->fn[1][f], &g->fn[2][f]);
    }
    const gos_item_io io = {.fn = g->fn[0],
                            .fnd = g->fn[1],
                            .fndd = g->fn[2],
                            .scale = 1,
                            .x = g->x,
                            .xd = g->xd,
                            .th = g->th,
                            .mem = it->memory,
                            .cx = g->cx};
    it->type->eval(it, &io);
}

static gos_status single_rows(shared *k, int i) {
    const gos_item *it = k->b->item[i];
    gradients g;
    evaluate(k->b, it, &g);
    for (int r = 0; r < it->nc; r++) {
        bool independent = true;
        for (int m = 0; m < it->nm && !k->drop[i][r]; m++) {
            for (int j = 0; j < 3 * it->m[m].n; j++) {
                gos__row_rank_put(k->rank, 3 * (made_of(k->b) + it->m[m].idx[j / 3]) + j % 3,
                                  it->m[m].w[j / 3] * g.cx[3 * r * it->nm + 3 * m + j % 3]);
            }
        }
        if (!k->drop[i][r]) {
            GOS_TRY(take(k, &independent));
            k->drop[i][r] = !independent && at_corner(it) && !it->isotropic;
        }
    }
    return GOS_OK;
}

static gos_status all_single_rows(shared *k) {
    const gos_builder *b = k->b;
    GOS_TRY(gos__row_rank_create(b->ctx, 3 * (made_of(b) + b->nv), &k->rank));
    gos_status status = GOS_OK;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < b->nitem && status == GOS_OK; i++) {
            const gos_item *it = b->item[i];
            const bool last = at_corner(it) && !it->isotropic;
            status = it->nc > 0 && last == (pass == 1) ? single_rows(k, i) : status;
        }
    }
    gos__row_rank_destroy(k->rank);
    return status;
}

static bool has_no_other_rows(const shared *k, const gos_item *of) {
    for (int i = 0; i < k->b->nitem; i++) {
        const gos_item *it = k->b->item[i];
        for (int r = 0; r < it->nc && strcmp(it->name, of->name) == 0; r++) {
            if (!k->drop[i][r]) {
                return false;
            }
        }
    }
    return true;
}

static bool drops_any(const shared *k, int i) {
    bool any = false;
    for (int r = 0; r < k->b->item[i]->nc; r++) {
        any = any || k->drop[i][r];
    }
    return any;
}

static gos_status apply(shared *k) {
    gos_builder *b = k->b;
    bool *replaced = gos__zalloc(b->ctx, (size_t)b->nitem, sizeof *replaced);
    gos_status status = replaced ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < b->nitem && replaced;
         i++) { // decide for all before the first one loses rows
        replaced[i] = drops_any(k, i) && !has_no_other_rows(k, b->item[i]);
    }
    for (int i = 0; i < b->nitem && status == GOS_OK; i++) {
        status = replaced[i] ? gos__joint_drop(b, b->item[i], k->drop[i]) : GOS_OK;
    }
    gos__free(b->ctx, replaced);
    GOS_TRY(status);
    b->nc = 0;
    for (int i = 0; i < b->nitem; i++) {
        b->item[i]->c0 = b->nc;
        b->nc += b->item[i]->nc;
    }
    return GOS_OK;
}

gos_status gos__shared_rows_drop(gos_builder *b) {
    int corners = 0;
    for (int i = 0; i < b->nitem; i++) {
        corners += at_corner(b->item[i]);
    }
    if (corners < 2) {
        return GOS_OK;
    }
    shared k = {.b = b};
    k.drop = gos__zalloc(b->ctx, (size_t)b->nitem, sizeof *k.drop);
    if (!k.drop) {
        return GOS_E_MEMORY;
    }
    gos_status status = vector_rows(&k);
    status = status == GOS_OK ? all_single_rows(&k) : status;
    status = status == GOS_OK ? apply(&k) : status;
    gos__free(b->ctx, k.drop);
    return status;
}
