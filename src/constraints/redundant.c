/* Constraints at t = 0 must be satisfied, independent, and sufficient to hold each body. Rows are
 * processed in model order (rigidity of bodies, then joints), so the reported joint is the one
 * that adds nothing. */
#include "constraints/redundant.h"

#include <math.h>

#include "joints/joint.h"
#include "system/derived.h"
#include "constraints/row_rank.h"

#define RANK_TOLERANCE 1e-10 // relative to the length of the row (theory 3.2)
/* ... for reduced systems, whose dependent joint rows are dropped before (dropped_rows.c): those of
 * drives and temperatures, which are exact */
#define RANK_REDUCED 1e-8
#define CLOSED 1e-6  // relative to the extent: assembly tolerance
#define MAX_GAP 5e-3 // relative to the extent: largest violation that is corrected

typedef struct rows {
    gos_ctx *ctx;
    const gos_system *s;
    gos_work *w;
    gos_row_rank *rank; // of the gradients so far, on the scalar unknowns [q | theta]
    int width;
    bool full; // too many rows to continue
} rows;

/* Numbers the unknowns of an item from n on, those without a number; returns the next number. */
static int touch(const gos_system *s, const gos_item *it, int n, int *map) {
    gos_columns columns[GOS_ITEM_MARKERS];
    gos__columns_list(it, columns);
    for (int m = 0; m < it->nm && it->nc; m++) {
        for (int j = 0; j < 3 * columns[m].n; j++) {
            int *at = &map[3 * columns[m].v[j / 3] + j % 3];
            *at = *at < 0 ? n++ : *at;
        }
        for (int j = 0; j < columns[m].nz; j++) {
            int *at = &map[columns[m].z[j]];
            *at = *at < 0 ? n++ : *at;
        }
    }
    for (int m = 0; m < it->ntm && it->nh; m++) {
        for (int j = 0; j < it->tm[m].n; j++) {
            int *at = &map[s->at.th + it->tm[m].idx[j]];
            *at = *at < 0 ? n++ : *at;
        }
    }
    return n;
}

/* Unknowns that constraints depend on, compressed: map (nq + nt) -> 0 .. width-1. In the order of
 * joints: along a chain rows then remain short, because pivots are early columns. */
static int touched(const gos_system *s, int *map) {
    int n = 0;
    for (int i = 0; i < s->nstate; i++) {
        map[i] = -1;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->nitem; i++) {
            n = (s->item[i]->sides != NULL) == (pass == 0) ? touch(s, s->item[i], n, map) : n;
        }
    }
    return n;
}

typedef struct gradients {
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double c[GOS_ITEM_ROWS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    double h[GOS_ITEM_TMARKERS], hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
} gradients;

/* Evaluates an item at t = 0. Load factor 0 before an equilibrium, because drives depend on it. */
static void evaluate(const rows *k, const gos_item *it, gradients *g) {
    const gos_system *s = k->s;
    const bool loads = s->options.analysis == GOS_STATIC || s->options.start_equilibrium;
    memset(g, 0, sizeof *g);
    gos__derived_put(s, k->w->derived, s->e0, s->v0, NULL);
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
                            .scale = loads ? 0 : 1,
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

static gos_status take(rows *k, int *redundant) {
    bool independent = true;
    const double tolerance = k->s->reduced ? RANK_REDUCED : RANK_TOLERANCE;
    const gos_status status = gos__row_rank_add(k->rank, tolerance, &independent);
    k->full |= status == GOS_RETRY;
    *redundant += !independent;
    return status == GOS_RETRY ? GOS_OK : status;
}

typedef struct putting {
    gos_row_rank *rank;
    const int *map;
    double factor;
} putting;

static void put_entry(gos_entry_sink *sink, int row, int col, double v) {
    const putting *p = sink->user;
    GOS_UNUSED(row);
    gos__row_rank_put(p->rank, p->map[col], p->factor * v);
}

/* Adds factor times row r of the last evaluated item to the current row. */
static void put_row(const rows *k, gos_row_rank *rank, const int *map, const gos_item *it,
                    const double *cx, int r, double factor) {
    gos_columns at[GOS_ITEM_MARKERS];
    putting p = {rank, map, factor};
    gos_entry_sink sink = {.add = put_entry, .user = &p};
    gos__columns_at(k->s, k->w->derived, it, at);
    gos__columns_row(at, it->nm, cx + 3 * r * it->nm, false, r, &sink);
}

static gos_status count_redundant(rows *k, const int *map, const gos_item *it, const gradients *g,
                                  int *redundant) {
    for (int r = 0; r < it->nc; r++) {
        put_row(k, k->rank, map, it, g->cx, r, 1);
        GOS_TRY(take(k, redundant));
    }
    for (int r = 0; r < it->nh; r++) {
        for (int m = 0; m < it->ntm; m++) {
            for (int j = 0; j < it->tm[m].n; j++) {
                gos__row_rank_put(k->rank, map[k->s->at.th + it->tm[m].idx[j]],
                                  it->tm[m].w[j] * g->hth[r * it->ntm + m]);
            }
        }
        GOS_TRY(take(k, redundant));
    }
    return GOS_OK;
}

#define MAX_REPLACEMENTS 8

/* Rows of a weaker joint at the same points, as combinations of the joint's rows. */
typedef struct less {
    const char *type, *key; // and the key of its axis; NULL: none
    double axis[3];
    int n;                       // its rows
    double of[5][GOS_ITEM_ROWS]; // combination coefficients (n, nc)
} less;

static less *one_more(less all[MAX_REPLACEMENTS], int *n, const char *type, const char *key,
                      const double *axis) {
    less *l = &all[(*n)++];
    *l = (less){.type = type, .key = key};
    if (axis) {
        memcpy(l->axis, axis, sizeof l->axis);
    }
    return l;
}

/* Uses rows `first` and on of the joint. */
static void keep_rows(less *l, int first, int count) {
    for (int i = 0; i < count; i++) {
        l->of[l->n++][first + i] = 1;
    }
}

/* Component along d of the three rows of coincident points. */
static void along(less *l, const double d[3]) {
    memcpy(l->of[l->n++], d, 3 * sizeof *d);
}

/* For joints with coincident points. */
static int meeting_replacements(const gos_item *it, const gos_rows *own,
                                less all[MAX_REPLACEMENTS]) {
    static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double *w = it->sides->axis;
    const bool has_axis = gos__norm3(w) > 0, hinge = has_axis && it->nc == 5 && own->nvec == 1;
    double n[2][3];
    int count = 0;
    if (hinge) {
        less *l = one_more(all, &count, "cylindrical", "axis", w);
        gos__normals3(w, n[0], n[1]);
        along(l, n[0]);
        along(l, n[1]);
        keep_rows(l, 3, 2);
    }
    if (it->nc > 3) {
        keep_rows(one_more(all, &count, "spherical", NULL, NULL), 0, 3);
    }
    for (int i = 0; i < (has_axis ? 1 : 3); i++) {
        const double *d = has_axis ? w : e[i];
        less *line = one_more(all, &count, "point_on_line", "direction", d);
        gos__normals3(d, n[0], n[1]);
        along(line, n[0]);
        along(line, n[1]);
        along(one_more(all, &count, "point_on_plane", "normal", d), d);
    }
    return count;
}

static int less_than(const gos_item *it, less all[MAX_REPLACEMENTS]) {
    const gos_rows *own = it->par;
    int count = 0;
    if (it->type != &gos__joint_rows || !it->sides || it->more) {
        return 0;
    }
    if (own->nvec > 0 && own->w[0][0] == 1 && own->w[0][1] == -1) {
        return meeting_replacements(it, own, all);
    }
    if (own->nvec == 0 && own->ndot >= 4) { // sliding along an axis: two line rows, then directions
        if (it->nc > 4) {
            keep_rows(one_more(all, &count, "cylindrical", "axis", it->sides->axis), 0, 4);
        }
        keep_rows(one_more(all, &count, "point_on_line", "direction", it->sides->axis), 0, 2);
    }
    return count;
}

/* Are all rows of l independent of each other and of items before number `i`? */
static gos_status are_independent(rows *k, const int *map, int i, const less *l, bool *yes) {
    gos_row_rank *rank = NULL;
    gos_status status = gos__row_rank_create(k->ctx, k->width, &rank);
    gradients g;
    for (int j = 0; j <= i && status == GOS_OK; j++) {
        const gos_item *it = k->s->item[j];
        evaluate(k, it, &g);
        *yes = true;
        for (int r = 0; r < (j < i ? it->nc : l->n) && status == GOS_OK; r++) {
            bool independent = true;
            for (int c = 0; c < (j < i ? 0 : it->nc); c++) {
                put_row(k, rank, map, it, g.cx, c, l->of[r][c]);
            }
            if (j < i) {
                put_row(k, rank, map, it, g.cx, r, 1);
            }
            status = gos__row_rank_add(rank, RANK_TOLERANCE, &independent);
            *yes = *yes && independent;
        }
    }
    gos__row_rank_destroy(rank);
    if (status == GOS_RETRY) { // too many rows: unknown
        *yes = false;
        return GOS_OK;
    }
    return status;
}

/* Clause naming the joint that provides what item i adds to earlier ones. */
static gos_status name_less(rows *k, const int *map, int i, int needed, char *text, size_t size) {
    less all[MAX_REPLACEMENTS];
    const int n = less_than(k->s->item[i], all);
    text[0] = '\0';
    for (int l = 0; l < n && text[0] == '\0'; l++) {
        const double *w = all[l].axis;
        bool yes = false;
        if (all[l].n == needed) {
            GOS_TRY(are_independent(k, map, i, &all[l], &yes));
        }
        if (yes && all[l].key) {
            gos__format(text, size, ": %s with `%s: [%g, %g, %g]`", all[l].type, all[l].key, w[0],
                        w[1], w[2]);
        } else if (yes) {
            gos__format(text, size, ": %s", all[l].type);
        }
    }
    return GOS_OK;
}

static gos_status check_item(gos_ctx *ctx, rows *k, const int *map, int i) {
    const gos_item *it = k->s->item[i];
    gradients g;
    evaluate(k, it, &g);
    double open = 0;
    for (int r = 0; r < it->nc; r++) {
        open = fabs(g.c[r]) <= open ? open : fabs(g.c[r]); // keeps NaN
    }
    const double size = fmax(1, k->s->extent);
    if (!(open <= MAX_GAP * size)) {
        return gos__fail_at(ctx, GOS_E_INPUT, it->loc, it->name,
                            "is violated at t = 0 by %g; move the bodies together or correct the "
                            "joint's attachment points",
                            open);
    }
    if (open > CLOSED * size) {
        gos__warn(ctx, it->loc, it->name,
                  "is slightly violated at t = 0, by %g; dynamic and static runs correct the "
                  "positions; modes and linear models use them unchanged",
                  open);
    }
    int redundant = 0;
    GOS_TRY(count_redundant(k, map, it, &g, &redundant));
    if (redundant && (k->s->reduced || k->s->reduced_bodies)) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, it->loc, it->name,
            "%d of its %d constraints are redundant in the reduced model: its fields "
            "lack the motion that they would prevent; use more fields (%s), or run "
            "the full model",
            redundant, it->nc + it->nh,
            k->s->reduced ? "`number`" : "`order`, or `static: [joints]`");
    }
    if (redundant) {
        char instead[160];
        GOS_TRY(name_less(k, map, i, it->nc - redundant, instead, sizeof instead));
        return gos__fail_at(
            ctx, GOS_E_INPUT, it->loc, it->name,
            "%d of its %d constraints are redundant: they depend on %s; remove it%s%s", redundant,
            it->nc + it->nh, it->nc ? "those of other joints" : "prescribed temperatures or ties",
            it->nc ? " or use a joint with fewer constraints" : "", instead);
    }
    return GOS_OK;
}

/* A motion without strain energy must be constrained. */
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
        "reduced quadrature leaves one zero-energy stretching mode (all slope vectors change "
        "length, no node moves) that no joint constrains: clamp one end rigidly (clamp with "
        "`rigid: true`), or use `quadrature: full`");
}

gos_status gos__redundant_check(gos_ctx *ctx, gos_system *s) {
    gos_status status = GOS_E_MEMORY;
    rows k = {.ctx = ctx, .s = s};
    int *map = gos__alloc(ctx, (size_t)s->nstate + 1, sizeof *map);
    if (!map) {
        return GOS_E_MEMORY;
    }
    k.width = touched(s, map);
    if (gos__row_rank_create(ctx, k.width, &k.rank) == GOS_OK &&
        gos__work_create(ctx, s, &k.w) == GOS_OK) {
        status = GOS_OK;
        for (int i = 0; i < s->nitem; i++) {
            const gos_status one = check_item(ctx, &k, map, i);
            status = status == GOS_OK ? one : status;
        }
        /* bodies of a reduced system were checked in the full one */
        for (int i = 0; i < s->nbody && !s->reduced; i++) {
            const gos_status one = s->body[i]->idle ? check_idle(ctx, &k, s->body[i]) : GOS_OK;
            status = status == GOS_OK ? one : status;
        }
    }
    s->least_row = k.rank ? gos__row_rank_min_remainder(k.rank) : 0;
    gos__work_destroy(ctx, k.w);
    if (k.full) {
        gos__warn(ctx, (gos_loc){0}, "joints", "are too many for a complete redundancy check");
    }
    gos__free(ctx, map);
    gos__row_rank_destroy(k.rank);
    return status;
}
