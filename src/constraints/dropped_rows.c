/* Redundant joint rows. For gradients C of rank r < m the reaction C^T lambda is unique, but
 * lambda is undetermined by the left null space N, N C = 0, one vector per dependent row.
 * Dependent rows leave the equations but are still evaluated. A reaction component y = L lambda is
 * determined if and only if L a = 0 for all a in N, decided at t = 0 and checked along the
 * motion. */
#include "constraints/dropped_rows.h"

#include <math.h>

#include "base/base.h"
#include "system/derived.h"
#include "probes/probe.h"
#include "constraints/row_rank.h"

#define TOLERANCE 1e-10 // relative to the largest term of the row, as in redundant.c
/* ... for reduced systems: the remainder of a dependent row is rounding of states that satisfy the
 * joint, which fields of small norm amplify (4e-5 in welded trusses; at least 0.01 for independent
 * rows). Kept, it would make multipliers as much too large. */
#define TOLERANCE_REDUCED 1e-4
#define CLOSED 1e-8 // relative to the extent: assembly tolerance
// ... along a motion, satisfied to the Newton tolerance
#define MOVING_TOLERANCE 1e-6
#define MOVING_TOLERANCE_REDUCED 1e-3
#define OPEN_FRACTION 1e-7 // relevant fraction of a reaction
#define CHECK_INTERVAL 16  // steps between rank checks

static double tolerance_of(const gos_system *s) {
    return s->reduced ? TOLERANCE_REDUCED : TOLERANCE;
}

static double moving_tolerance_of(const gos_system *s) {
    return s->reduced ? MOVING_TOLERANCE_REDUCED : MOVING_TOLERANCE;
}

typedef struct kept {
    gos_item whole;
    int row[GOS_ITEM_ROWS]; // row of the whole item for each remaining row
} kept;

static void reduced_eval(const gos_item *it, const gos_item_io *io) {
    const kept *k = it->par;
    const int n = 3 * it->nm;
    double lam[GOS_ITEM_ROWS] = {0}, c[GOS_ITEM_ROWS] = {0}, ct[GOS_ITEM_ROWS] = {0};
    double ctt[GOS_ITEM_ROWS] = {0}, cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    gos_item_io all = *io;
    for (int r = 0; r < it->nc && io->lam; r++) {
        lam[k->row[r]] = io->lam[r];
    }
    if (io->cx) {
        memset(cx, 0, (size_t)(k->whole.nc * n) * sizeof *cx);
    }
    all.lam = io->lam ? lam : NULL;
    all.c = io->c ? c : NULL;
    all.ct = io->ct ? ct : NULL;
    all.ctt = io->ctt ? ctt : NULL;
    all.cx = io->cx ? cx : NULL;
    k->whole.type->eval(&k->whole, &all);
    for (int r = 0; r < it->nc; r++) {
        const int from = k->row[r];
        if (io->c) {
            io->c[r] = c[from];
        }
        if (io->ct) {
            io->ct[r] = ct[from];
        }
        if (io->ctt) {
            io->ctt[r] = ctt[from];
        }
        if (io->cx) {
            memcpy(io->cx + r * n, cx + from * n, (size_t)n * sizeof *cx);
        }
    }
}

static const gos_item_type reduced_type = {.name = "joint without dependent rows",
                                           .eval = reduced_eval};

static gos_item whole_of(const gos_item *it) {
    gos_item w = *it;
    if (it->type == &reduced_type) {
        const kept *k = it->par;
        w.type = k->whole.type;
        w.par = k->whole.par;
        w.nc = k->whole.nc;
    }
    return w;
}

/* Only joint rows without time functions and history: prescribed motion must not be dropped. */
static bool may_drop_rows(const gos_item *it) {
    return it->sides && it->nfn == 0 && it->nmem == 0 && it->ninput == 0 && !it->type->observe &&
           !it->type->accept;
}

static gos_status replace_joint(gos_system *s, gos_item *it, const bool *drop) {
    kept *k = GOS_NEW(s->arena, kept, 1);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->whole = *it;
    it->nc = 0;
    for (int r = 0; r < k->whole.nc; r++) {
        if (!drop[r]) {
            k->row[it->nc++] = r;
        }
    }
    it->type = &reduced_type;
    it->par = k;
    it->isotropic = false;
    it->iso_w = NULL;
    it->nvec = 0;
    it->structure = NULL;
    return GOS_OK;
}

static bool is_motionless(const gos_item *it) {
    int n = 0;
    for (int m = 0; m < it->nm; m++) {
        n += it->m[m].n;
    }
    return n == 0;
}

static void put_entry(gos_entry_sink *sink, int row, int col, double v) {
    GOS_UNUSED(row);
    gos__row_rank_put(sink->user, col, v);
}

/* Gradient of an item's row into the current row of `rank`; `made` must be up to date. */
static void put_row(gos_row_rank *rank, const gos_system *s, const gos_derived_work *derived,
                    const gos_item *it, const double *cx, int r) {
    gos_columns at[GOS_ITEM_MARKERS];
    gos_entry_sink sink = {.add = put_entry, .user = rank};
    gos__columns_at(s, derived, it, at);
    gos__columns_row(at, it->nm, cx + 3 * r * it->nm, false, r, &sink);
}

/* Left null space at a state: relation (*n, nrow), freed by the caller; GOS_RETRY: too many
 * rows. */
static gos_status null_space(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                             double tolerance, int max_relations, double **relation, int *n) {
    const gos_dropped *d = s->dropped;
    const size_t nrow = (size_t)d->nrow;
    double at[3 * GOS_ITEM_MARKERS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    gos_row_rank *rank = NULL;
    gos_derived_work *derived = NULL;
    *n = 0;
    *relation = gos__zalloc(ctx, ((size_t)max_relations + 1) * nrow + 1, sizeof **relation);
    gos_status status = *relation ? GOS_OK : GOS_E_MEMORY;
    status =
        status == GOS_OK ? gos__row_rank_create_traced(ctx, 3 * s->nv, d->nrow, &rank) : status;
    status = status == GOS_OK ? gos__derived_work_create(ctx, s, &derived) : status;
    gos__derived_put(s, derived, x->q, x->v, NULL);
    for (int i = 0; i < s->nitem && status == GOS_OK; i++) {
        const gos_item *it = d->item[i];
        if (it->nc > 0) {
            gos__item_gradients(s, x, it, at, cx);
        }
        for (int r = 0; r < it->nc && status == GOS_OK; r++) {
            bool independent = true;
            put_row(rank, s, derived, it, cx, r);
            gos__row_rank_put(rank, 3 * s->nv + it->c0 + r, 1);
            status = gos__row_rank_add_traced(rank, tolerance, &independent,
                                              *relation + (size_t)*n * nrow);
            *n += !independent && *n < max_relations;
        }
    }
    gos__derived_work_destroy(ctx, derived);
    gos__row_rank_destroy(rank);
    return status;
}

static gos_status must_hold(gos_ctx *ctx, const gos_system *s, const gos_item *it,
                            const gos_state *x, const bool *drop) {
    double c[GOS_ITEM_ROWS] = {0}, open = 0;
    gos__item_rows(x, it, c);
    for (int r = 0; r < it->nc; r++) {
        open = !drop[r] || fabs(c[r]) <= open ? open : fabs(c[r]); // keeps NaN
    }
    return open <= CLOSED * fmax(1, s->extent)
               ? GOS_OK
               : gos__fail_at(ctx, GOS_E_INPUT, it->loc, it->name,
                              "is violated at t = 0 by %g; move the bodies together or correct the "
                              "joint's attachment points",
                              open);
}

static gos_status drop_of(gos_ctx *ctx, gos_system *s, gos_row_rank *rank,
                          const gos_derived_work *derived, gos_item *it) {
    double at[3 * GOS_ITEM_MARKERS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    // as gos_state_create, which cannot be called before history variables are numbered
    const gos_state start = {
        .sys = s, .load = 1, .q = s->e0, .v = s->v0, .th = s->th0, .mem = (double *)it->memory};
    bool drop[GOS_ITEM_ROWS] = {false}, any = false;
    gos__item_gradients(s, &start, it, at, cx);
    for (int r = 0; r < it->nc; r++) {
        bool independent = true;
        put_row(rank, s, derived, it, cx, r);
        const gos_status status = gos__row_rank_add(rank, tolerance_of(s), &independent);
        if (status != GOS_OK && status != GOS_RETRY) {
            return status;
        }
        drop[r] = !independent && may_drop_rows(it);
        any = any || drop[r];
    }
    GOS_TRY(any ? must_hold(ctx, s, it, &start, drop) : GOS_OK);
    return any ? replace_joint(s, it, drop) : GOS_OK;
}

gos_status gos__dependent_rows_drop(gos_ctx *ctx, gos_system *s, bool all) {
    gos_row_rank *rank = NULL;
    gos_derived_work *derived = NULL;
    GOS_TRY(gos__row_rank_create(ctx, 3 * s->nv, &rank));
    gos_status status = gos__derived_work_create(ctx, s, &derived);
    gos__derived_put(s, derived, s->e0, s->v0, NULL);
    s->nc = 0;
    for (int i = 0; i < s->nitem && status == GOS_OK; i++) {
        gos_item *it = s->item[i];
        status =
            it->nc > 0 && (all || is_motionless(it)) ? drop_of(ctx, s, rank, derived, it) : GOS_OK;
        it->c0 = s->nc;
        s->nc += it->nc;
    }
    gos__derived_work_destroy(ctx, derived);
    gos__row_rank_destroy(rank);
    return status;
}

static gos_status collect(gos_system *s) {
    gos_dropped *d = GOS_NEW(s->arena, gos_dropped, 1);
    gos_item **item = GOS_NEW(s->arena, gos_item *, s->nitem + 1);
    if (!d || !item) {
        return GOS_E_MEMORY;
    }
    *d = (gos_dropped){.item = item, .nrow = s->nc};
    for (int i = 0; i < s->nitem; i++) {
        item[i] = s->item[i];
        if (item[i]->type == &reduced_type) {
            item[i] = GOS_NEW(s->arena, gos_item, 1);
            if (!item[i]) {
                return GOS_E_MEMORY;
            }
            *item[i] = whole_of(s->item[i]);
            item[i]->c0 = d->nrow;
            d->nrow += item[i]->nc;
            d->ndropped += item[i]->nc - s->item[i]->nc;
        }
    }
    s->dropped = d->ndropped > 0 ? d : NULL;
    return GOS_OK;
}

/* Components of a reaction that a null space vector changes. */
static unsigned open_components(const gos_system *s, const gos_state *x, const gos_probe *p,
                                const double *a) {
    double y[GOS_PROBE_MAX] = {0}, max_relations = 0;
    gos_system whole = *s;
    gos_state with = *x;
    unsigned open = 0;
    whole.item = s->dropped->item;
    with.lam = (double *)a;
    gos__probe_evaluate(&whole, &with, p, y);
    for (int r = 0; r < s->dropped->nrow; r++) {
        max_relations = fmax(max_relations, fabs(a[r]));
    }
    const double arm = gos__probe_is_moment(p) ? fmax(1, s->extent) : 1;
    for (int c = 0; c < p->ncomp; c++) {
        open |= fabs(y[c]) > OPEN_FRACTION * arm * max_relations ? 1u << c : 0;
    }
    return open;
}

static unsigned open_reaction(const gos_system *s, const gos_state *x, const gos_probe *p,
                              const double *relation, int n) {
    unsigned open = 0;
    for (int k = 0; k < n && gos__probe_is_reaction(p); k++) {
        open |= open_components(s, x, p, relation + (size_t)k * (size_t)s->dropped->nrow);
    }
    return open;
}

static bool is_open(const gos_system *s, const gos_item *it, const double *relation, int n) {
    for (int k = 0; k < n; k++) {
        const double *a = relation + (size_t)k * (size_t)s->dropped->nrow;
        for (int r = 0; r < it->nc; r++) {
            if (fabs(a[it->c0 + r]) > OPEN_FRACTION) { // the entry of the dropped row is 1
                return true;
            }
        }
    }
    return false;
}

static void names_of(const gos_system *s, const double *relation, int n, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->dropped->item[i];
        const bool again = i > 0 && strcmp(s->dropped->item[i - 1]->name, it->name) == 0;
        if (it->sides && !again && is_open(s, it, relation, n)) {
            const size_t have = strlen(text);
            gos__format(text + have, size - have, "%s%s", have ? ", " : "", it->name);
        }
    }
}

static void report(gos_ctx *ctx, const gos_system *s, const double *relation, int n) {
    char names[500], text[800];
    names_of(s, relation, n, names, sizeof names);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i], *whole = s->dropped->item[i];
        if (whole != it && is_motionless(it)) {
            gos__note(ctx, it->name,
                      "is omitted: both ends are on bodies without motion or on the ground");
        } else if (whole != it) {
            gos__format(text, sizeof text,
                        "%d of its %d constraints are redundant and dropped: they depend on "
                        "constraints of other joints. The distribution of reactions is "
                        "undetermined among: %s",
                        whole->nc - it->nc, whole->nc, names);
            gos__note(ctx, it->name, text);
        }
    }
}

gos_status gos__dropped_finish(gos_ctx *ctx, gos_system *s) {
    double *relation = NULL;
    gos_state *x = NULL;
    int n = 0;
    GOS_TRY(collect(s));
    if (!s->dropped) {
        return GOS_OK;
    }
    gos_status status = gos_state_create(ctx, s, &x);
    status = status == GOS_OK
                 ? null_space(ctx, s, x, tolerance_of(s), s->dropped->ndropped, &relation, &n)
                 : status;
    const bool known = status == GOS_OK;
    status = status == GOS_RETRY ? GOS_OK : status;
    for (int i = 0; i < s->nprobe && status == GOS_OK; i++) {
        gos_probe *p = s->probe[i];
        // too many rows: all reactions are undetermined
        p->undetermined = known                       ? open_reaction(s, x, p, relation, n)
                          : gos__probe_is_reaction(p) ? ~0u
                                                      : 0;
    }
    if (status == GOS_OK && !s->reduced) {
        report(ctx, s, relation, n);
    }
    gos__free(ctx, relation);
    gos_state_destroy(x);
    return status;
}

static void check_violation(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                            gos_dropped_reported *reported) {
    for (int i = 0; i < s->nitem && !reported->violated; i++) {
        const gos_item *whole = s->dropped->item[i];
        const double off = whole != s->item[i] ? gos__item_violation(x, whole) : 0;
        if (!(off <= MOVING_TOLERANCE * fmax(1, s->extent))) {
            gos__warn(ctx, whole->loc, whole->name,
                      "its dropped constraints are no longer redundant: at t = %g s they are "
                      "violated by %.3g, and from this time the results do not satisfy the model. "
                      "Use a joint with only the required constraints, or remove another joint",
                      x->t, off);
            reported->violated = true;
        }
    }
}

static void check_rank(gos_ctx *ctx, const gos_system *s, const gos_state *x, int n,
                       gos_dropped_reported *reported) {
    if (n == s->dropped->ndropped || reported->rank) {
        return;
    }
    reported->rank = true;
    gos__warn(
        ctx, (gos_loc){0}, "joints",
        n < s->dropped->ndropped
            ? "at t = %g s, %d constraints that were dropped at t = 0 are no longer redundant: "
              "motion that they should prevent is now possible"
            : "at t = %g s, %d more constraints of joints are dependent than at t = 0, a singular "
              "position: reactions are undetermined there, and the motion may branch",
        x->t, n < s->dropped->ndropped ? s->dropped->ndropped - n : n - s->dropped->ndropped);
}

static void check_sharing(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                          const double *relation, int n, gos_dropped_reported *reported) {
    for (int i = 0; i < s->nprobe && !reported->shared; i++) {
        const gos_probe *p = s->probe[i];
        if (open_reaction(s, x, p, relation, n) & ~p->undetermined) {
            gos__warn(ctx, (gos_loc){0}, p->name,
                      "no later than t = %g s, more components become undetermined than at t = 0: "
                      "the value shown is not unique; request it in the `frame` of a body",
                      x->t);
            reported->shared = true;
        }
    }
}

gos_status gos__dropped_check(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                              gos_dropped_reported *reported) {
    if (!s->dropped) {
        return GOS_OK;
    }
    check_violation(ctx, s, x, reported);
    if (reported->steps++ % CHECK_INTERVAL != 0 || reported->violated) {
        return GOS_OK;
    }
    double *relation = NULL;
    int n = 0;
    const gos_status status = null_space(ctx, s, x, moving_tolerance_of(s),
                                         s->dropped->ndropped + GOS_ITEM_ROWS, &relation, &n);
    if (status == GOS_OK) {
        check_rank(ctx, s, x, n, reported);
        check_sharing(ctx, s, x, relation, n, reported);
    }
    gos__free(ctx, relation);
    return status == GOS_RETRY ? GOS_OK : status;
}
