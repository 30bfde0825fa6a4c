/* Inputs and outputs of a system and its linear model, with declared derivatives. */
#include "signals/ports.h"

#include "base/units.h"
#include "system/constants.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "probes/probe.h"

static bool is_zero(const gos_timefn *fn) {
    return gos__timefn_constant(fn) && gos__timefn_eval(fn, 0, NULL, NULL) == 0;
}

/* earlier declarations remain */
static gos_status declare(const gos_system *s, gos_arena *a, const char *entry, int fn0, int n,
                          const gos_input_def *input, gos_input *of) {
    bool none = true; // zero components of a vector are idle, unless all are zero
    for (int k = 0; k < n; k++) {
        none = none && is_zero(s->fn[fn0 + input[k].fn]);
    }
    for (int k = 0; k < n; k++) {
        const int fn = fn0 + input[k].fn;
        gos_input *in = &of[fn];
        if (in->name) {
            continue;
        }
        const char *part = input[k].component;
        *in = (gos_input){.fn = fn,
                          .kind = input[k].kind,
                          .idle = !none && is_zero(s->fn[fn]),
                          .name = part ? gos__arena_printf(a, "%s.%s", entry, part)
                                       : gos__arena_printf(a, "%s", entry)};
        GOS_TRY(in->name ? GOS_OK : GOS_E_MEMORY);
        GOS_TRY(gos__unit_kept(s->units, input[k].unit, a, &in->unit));
    }
    return GOS_OK;
}

gos_status gos__input_defs_list(const gos_system *s, gos_arena *a, gos_input **list, int *n) {
    *n = 0;
    *list = GOS_NEW(a, gos_input, s->nfn + 1);
    GOS_TRY(*list ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        GOS_TRY(declare(s, a, it->entry, it->fn0, it->ninput, it->input, *list));
    }
    for (int i = 0; i < s->npoints; i++) {
        for (int k = 0; k < s->points[i]->nsurf; k++) {
            const gos_surface *f = &s->points[i]->surf[k];
            GOS_TRY(declare(s, a, f->name, f->fn0, f->ninput, f->input, *list));
        }
    }
    for (int fn = 0; fn < s->nfn; fn++) {
        if ((*list)[fn].name) {
            (*list)[(*n)++] = (*list)[fn];
        }
    }
    return GOS_OK;
}

gos_status gos__inputs_list(const gos_system *s, gos_arena *a, gos_input **list, int *n) {
    int all;
    GOS_TRY(gos__input_defs_list(s, a, list, &all));
    *n = 0;
    for (int i = 0; i < all; i++) {
        const gos_input *in = &(*list)[i];
        if (!in->idle && (in->kind == GOS_INPUT_FORCE || in->kind == GOS_INPUT_HEAT)) {
            (*list)[(*n)++] = *in;
        }
    }
    return GOS_OK;
}

typedef struct columns {
    gos_work *w;
    const gos_point_of *x;
    double *force, *heat; // of one input (nq), (nt)
    double *rest;         // scratch (nq)
} columns;

static void add_item(const columns *c, const gos_item *it, const gos_input_def *k) {
    double f[3 * GOS_ITEM_MARKERS] = {0}, heat[GOS_ITEM_TMARKERS] = {0};
    gos_item_io io = gos__item_inputs(c->w, it, c->x);
    io.f = f;
    io.heat = it->ntm ? heat : NULL;
    it->type->by_input(it, &io, k);
    for (int m = 0; m < it->nm; m++) {
        gos__marker_give(&it->m[m], f + 3 * m, c->force, c->w->derived ? c->w->derived->f : NULL);
    }
    for (int m = 0; m < it->ntm; m++) {
        for (int j = 0; j < it->tm[m].n; j++) {
            c->heat[it->tm[m].idx[j]] += it->tm[m].w[j] * heat[m];
        }
    }
}

/* surface evaluating the derivative of another */
typedef struct derived {
    const gos_surface *of;
    const gos_input_def *by;
} derived;

static void derived_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double scale, const gos_batch *b) {
    const derived *d = par;
    d->of->type->by_input(d->of->par, law, law_par, nfam, fn, scale, d->by, b);
}

static const gos_surface_type derived_type = {.name = "derived", .eval = derived_eval};

static void add_surface(const columns *c, const gos_points *p, const gos_surface *f,
                        const gos_input_def *k) {
    const derived d = {f, k};
    gos_surface alone = *f;
    gos_points block = *p;
    alone.type = &derived_type;
    alone.par = &d;
    block.surf = &alone;
    block.nsurf = 1;
    const gos_points_sum sum = {.e = c->x->q, // without rates the law dissipates no heat
                                .th = c->x->th,
                                .fn = c->w->fn,
                                .mem = gos__memory_of(c->w->sys, c->x),
                                .t = c->x->t,
                                .scale = 1,
                                .Q = c->rest,
                                .R = c->heat};
    gos__points_residual(&block, &sum, c->w->points);
}

static void one_input(const columns *c, int fn) {
    const gos_system *s = c->w->sys;
    memset(c->force, 0, (size_t)s->nq * sizeof *c->force);
    memset(c->heat, 0, (size_t)s->nt * sizeof *c->heat);
    gos__derived_clear(s, c->w->derived);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int k = 0; k < it->ninput; k++) {
            if (it->fn0 + it->input[k].fn == fn) {
                add_item(c, it, &it->input[k]);
            }
        }
    }
    gos__derived_fold(s, c->w->derived, s->derived ? c->w->derived->f : NULL, c->force);
    for (int i = 0; i < s->npoints; i++) {
        for (int j = 0; j < s->points[i]->nsurf; j++) {
            const gos_surface *f = &s->points[i]->surf[j];
            for (int k = 0; k < f->ninput; k++) {
                if (f->fn0 + f->input[k].fn == fn) {
                    add_surface(c, s->points[i], f, &f->input[k]);
                }
            }
        }
    }
}

void gos__input_column(gos_work *w, const gos_point_of *x, int fn, double *force, double *heat,
                       double *rest) {
    one_input(&(columns){.w = w, .x = x, .force = force, .heat = heat, .rest = rest}, fn);
}

static gos_status append(gos_ctx *ctx, gos_sparse *A, int cap[2], int j, const double *column) {
    int count = 0;
    for (int i = 0; i < A->m; i++) {
        count += column[i] != 0;
    }
    GOS_TRY(gos__grow(ctx, (void **)&A->i, &cap[0], A->nnz + count + 1, sizeof *A->i));
    GOS_TRY(gos__grow(ctx, (void **)&A->x, &cap[1], A->nnz + count + 1, sizeof *A->x));
    for (int i = 0; i < A->m; i++) {
        if (column[i] != 0) {
            A->i[A->nnz] = i;
            A->x[A->nnz++] = column[i];
        }
    }
    A->p[j + 1] = A->nnz;
    return GOS_OK;
}

gos_status gos__inputs_columns(gos_ctx *ctx, gos_work *w, const gos_point_of *given,
                               const gos_input *list, int n, gos_sparse *B, gos_sparse *B_T) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    const size_t nq = (size_t)s->nq, nt = (size_t)s->nt;
    int cap[4] = {1, 1, 1, 1};
    *B = *B_T = (gos_sparse){0};
    double *room = gos__alloc(ctx, 2 * nq + nt + 1, sizeof *room);
    gos_status status = room ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sparse_alloc(ctx, s->nq, n, 0, B) : status;
    status = status == GOS_OK ? gos__sparse_alloc(ctx, s->nt, n, 0, B_T) : status;
    if (status == GOS_OK) {
        const columns c = {.w = w, .x = x, .force = room, .rest = room + nq, .heat = room + 2 * nq};
        gos__work_time(w, x->t);
        memset(c.rest, 0, nq * sizeof *c.rest);
        for (int j = 0; j < n && status == GOS_OK; j++) {
            one_input(&c, list[j].fn);
            status = append(ctx, B, cap, j, c.force);
            status = status == GOS_OK ? append(ctx, B_T, cap + 2, j, c.heat) : status;
        }
    }
    gos__free(ctx, room);
    if (status != GOS_OK) {
        gos__sparse_free(ctx, B);
        gos__sparse_free(ctx, B_T);
    }
    return status;
}

/* exact derivative for polynomials of degree <= 4, from values at -2h, -h, h, 2h */
static const double at_points[] = {-2, -1, 1, 2},
                    weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STENCIL_POINTS 4

static double stencil(const double v[STENCIL_POINTS], double h) {
    // differences first, so constant parts cancel exactly
    return ((v[0] - v[3]) * weights[0] + (v[2] - v[1]) * weights[2]) / h;
}

int gos__outputs_count(const gos_system *s) {
    int n = 0;
    for (int i = 0; i < s->nprobe; i++) {
        n += gos__probe_of_state(s->probe[i]) ? s->probe[i]->ncomp : 0;
    }
    return n;
}

typedef struct rows {
    gos_ctx *ctx;
    const gos_system *s;
    gos_state *x;                     // perturbed and restored
    int *last_probe;                  // last probe depending on each coordinate (nq)
    int *coordinate, ncoordinate;     // coordinates of the current probe (nq)
    int probe;                        // its number, from 1
    const gos_tmarker **dependent_on; // (nq), NULL entries: not dependent on temperatures
    bool *warm;                       // temperatures already processed (nt)
    const gos_probe *rate;            // a probe depending on the rate of such a coordinate
    gos_triplets t[GOS_NOUTPUTS];     // of Y_q, Y_v, Y_T, Y_u
    const gos_input *input;
    int ninput;
} rows;

static gos_status put(rows *r, int block, int row, int column, double v) {
    gos_triplets *t = &r->t[block];
    if (v == 0) {
        return GOS_OK;
    }
    int cap[3] = {t->cap, t->cap, t->cap};
    GOS_TRY(gos__grow(r->ctx, (void **)&t->i, &cap[0], t->n + 1, sizeof *t->i));
    GOS_TRY(gos__grow(r->ctx, (void **)&t->j, &cap[1], t->n + 1, sizeof *t->j));
    GOS_TRY(gos__grow(r->ctx, (void **)&t->v, &cap[2], t->n + 1, sizeof *t->v));
    t->cap = cap[0];
    t->i[t->n] = row;
    t->j[t->n] = column;
    t->v[t->n++] = v;
    return GOS_OK;
}

/* quantities equal to marker values or rates */
static gos_status marker_rows(rows *r, const gos_probe *p, int block, int row) {
    const gos_marker *m = &p->m[0];
    for (int j = 0; j < m->n; j++) {
        for (int c = 0; c < 3; c++) {
            const double along = p->scalar ? p->direction[c] : 1;
            GOS_TRY(put(r, block, p->scalar ? row : row + c, 3 * m->idx[j] + c, along * m->w[j]));
        }
    }
    return GOS_OK;
}

/* scale of a coordinate */
static double size_of(const gos_system *s, int i) {
    const double single = s->constants ? s->constants->scale[i] : 0;
    return single > 0 ? single : s->trans[i / 3] != 0 && s->extent > 0 ? s->extent : 1;
}

// relative to unit vectors and the extent: fourth-order errors are below 1e-12
#define DIFFERENCE_STEP 0x1p-10

static double command_change(const rows *r, int loop, int i, double *number, double h) {
    double u[GOS_LIMIT_CONTROLLER], v[GOS_LIMIT_CONTROLLER], y[STENCIL_POINTS], base = *number;
    for (int k = 0; k < STENCIL_POINTS; k++) {
        *number = base + h * at_points[k];
        gos__loop_observe(r->s, r->x, loop, u, v);
        y[k] = u[i];
    }
    *number = base;
    return stencil(y, h);
}

/* `factor` times the output of a continuous controller; constant at its limit */
static gos_status governed_rows(rows *r, int loop, int i, double factor, int row) {
    const gos_system *s = r->s;
    const gos_control_loop *l = &s->loops->loop[loop];
    double u[GOS_LIMIT_CONTROLLER], v[GOS_LIMIT_CONTROLLER];
    gos__loop_observe(s, r->x, loop, u, v);
    for (int j = 0; j < l->ncol && u[i] == v[i]; j++) {
        const int at = l->col[j], th = at - s->at.th;
        if (j >= l->nq) {
            GOS_TRY(put(r, 2, row, th, factor * command_change(r, loop, i, &r->x->th[th], 1)));
            continue;
        }
        const double h = DIFFERENCE_STEP * size_of(s, at);
        GOS_TRY(put(r, 0, row, at, factor * command_change(r, loop, i, &r->x->q[at], h)));
        GOS_TRY(put(r, 1, row, at, factor * command_change(r, loop, i, &r->x->v[at], h)));
    }
    return GOS_OK;
}

/* `factor` times a function of time: an input, or a command of a controller */
static gos_status feed_row(rows *r, int fn, double factor, int row) {
    for (int i = 0; i < r->ninput; i++) {
        if (r->input[i].fn == fn) {
            GOS_TRY(put(r, 3, row, i, factor));
        }
    }
    const int loop = r->s->loops ? r->s->loops->governor[fn] : -1;
    const gos_control_loop *l = loop >= 0 ? &r->s->loops->loop[loop] : NULL;
    for (int i = 0; l && l->law->period == 0 && i < l->law->nu; i++) {
        GOS_TRY(l->fn[i] == fn ? governed_rows(r, loop, i, factor, row) : GOS_OK);
    }
    return GOS_OK;
}

static gos_status feed_rows(rows *r, const gos_probe *p, int row) {
    for (int k = 0; k < p->nfeed; k++) {
        GOS_TRY(feed_row(r, p->feed_fn[k], p->feed[k], row));
    }
    return GOS_OK;
}

/* output of a matrix body: component c of markers c and, for rates, 3 + c */
static gos_status port_rows(rows *r, const gos_probe *p, int row) {
    for (int m = 0; m < p->nm; m++) {
        for (int j = 0; j < p->m[m].n; j++) {
            GOS_TRY(put(r, m / 3, row, 3 * p->m[m].idx[j] + m % 3, p->m[m].w[j]));
        }
    }
    for (int k = 0; k < p->ntm; k++) {
        for (int j = 0; j < p->tm[k].n; j++) {
            GOS_TRY(put(r, 2, row, p->tm[k].idx[j], p->tm[k].w[j]));
        }
    }
    return feed_rows(r, p, row);
}

static gos_status heat_rows(rows *r, const gos_probe *p, int row) {
    for (int k = 0; k < p->ntm; k++) {
        for (int j = 0; j < p->tm[k].n; j++) {
            GOS_TRY(put(r, 2, row + k, p->tm[k].idx[j], p->tm[k].w[j]));
        }
    }
    return GOS_OK;
}

static gos_status recovered_rows(rows *r, const gos_probe *p, int row) {
    double d[6][6];
    gos__stress_gradient(r->x, p, d);
    for (int k = 0; k < 6 * p->ncomp; k++) {
        const int c = k / 6, a = k % 6;
        const gos_tmarker *q = &p->recovered->q[a], *th = &p->recovered->th[a];
        for (int j = 0; j < q->n; j++) {
            const gos_tmarker *to = r->dependent_on[q->idx[j]];
            for (int t = 0; to && t < to->n; t++) {
                GOS_TRY(put(r, 2, row + c, to->idx[t], d[c][a] * q->w[j] * to->w[t]));
            }
            GOS_TRY(to ? GOS_OK : put(r, 0, row + c, q->idx[j], d[c][a] * q->w[j]));
        }
        for (int j = 0; j < th->n; j++) {
            GOS_TRY(put(r, 2, row + c, th->idx[j], d[c][a] * th->w[j]));
        }
    }
    return GOS_OK;
}

/* derivative with respect to *number */
static gos_status difference(rows *r, const gos_probe *p, int block, int row, double *number,
                             int column, double h) {
    double y[STENCIL_POINTS][GOS_PROBE_MAX], base = *number;
    double now[GOS_PROBE_MAX];
    gos__probe_evaluate(r->s, r->x, p, now);
    for (int k = 0; k < STENCIL_POINTS; k++) {
        *number = base + h * at_points[k];
        gos__probe_evaluate(r->s, r->x, p, y[k]);
        gos__probe_unwrap(p, now, y[k]);
    }
    *number = base;
    for (int c = 0; c < p->ncomp; c++) {
        const double v[] = {y[0][c], y[1][c], y[2][c], y[3][c]};
        GOS_TRY(put(r, block, row + c, column, stencil(v, h)));
    }
    return GOS_OK;
}

static void see(gos_entry_sink *k, int row, int i, double v) {
    rows *r = k->user;
    GOS_UNUSED(row);
    GOS_UNUSED(v);
    if (r->last_probe[i] != r->probe) {
        r->last_probe[i] = r->probe;
        r->coordinate[r->ncoordinate++] = i;
    }
}

static void see_all(rows *r, int nm, const gos_marker *marker) {
    gos_entry_sink k = {.add = see, .user = r};
    r->probe++;
    r->ncoordinate = 0;
    for (int m = 0; m < nm; m++) {
        for (int j = 0; j < marker[m].n; j++) {
            const int e = marker[m].idx[j];
            if (e < 0) {
                gos__derived_parts(r->s, e, &k);
            }
            for (int c = 0; c < 3 && e >= 0; c++) {
                see(&k, 0, 3 * e + c, 0);
            }
        }
    }
}

static bool weighs_derived(const gos_probe *p) {
    for (int m = 0; m < p->nm; m++) {
        for (int j = 0; j < p->m[m].n; j++) {
            if (p->m[m].idx[j] < 0) {
                return true;
            }
        }
    }
    return false;
}

/* skips temperatures already processed */
static gos_status heat_difference(rows *r, const gos_probe *p, int row, const gos_tmarker *tm) {
    for (int j = 0; j < tm->n; j++) {
        const int i = tm->idx[j];
        if (!r->warm[i]) {
            r->warm[i] = true;
            GOS_TRY(difference(r, p, 2, row, &r->x->th[i], i, 1));
        }
    }
    return GOS_OK;
}

/* detects dependence on the rate of temperature-dependent coordinates */
static void put_rates(rows *r, const gos_probe *p, const gos_tmarker *to) {
    double y[2][GOS_PROBE_MAX];
    for (int j = 0; j < to->n && !r->rate; j++) {
        double *rate = &r->x->thd[to->idx[j]], base = *rate;
        gos__probe_evaluate(r->s, r->x, p, y[0]);
        *rate = base + 1;
        gos__probe_evaluate(r->s, r->x, p, y[1]);
        *rate = base;
        for (int c = 0; c < p->ncomp; c++) {
            r->rate = y[0][c] != y[1][c] ? p : r->rate;
        }
    }
}

static gos_status differences(rows *r, const gos_probe *p, int row, int nm, const gos_marker *m,
                              int ntm, const gos_tmarker *tm) {
    see_all(r, nm, m);
    memset(r->warm, 0, (size_t)r->s->nt * sizeof *r->warm);
    for (int k = 0; k < r->ncoordinate; k++) {
        const int i = r->coordinate[k];
        const double h = DIFFERENCE_STEP * size_of(r->s, i);
        if (r->dependent_on[i]) {
            put_rates(r, p, r->dependent_on[i]);
            GOS_TRY(heat_difference(r, p, row, r->dependent_on[i]));
            continue;
        }
        GOS_TRY(difference(r, p, 0, row, &r->x->q[i], i, h));
        GOS_TRY(difference(r, p, 1, row, &r->x->v[i], i, h));
    }
    for (int k = 0; k < ntm; k++) {
        GOS_TRY(heat_difference(r, p, row, &tm[k]));
    }
    return GOS_OK;
}

/* values that a load shows: functions of its markers and of its inputs, in which they are linear */
static gos_status item_rows(rows *r, const gos_probe *p, int row) {
    const gos_item *it = p->item;
    GOS_TRY(differences(r, p, row, it->nm, it->m, it->ntm, it->tm));
    for (int k = 0; k < it->ninput; k++) {
        double y[2][GOS_ITEM_OBSERVED];
        gos__item_observe(r->s, r->x, it, 0, 0, y[0]);
        gos__item_observe(r->s, r->x, it, it->input[k].fn, 1, y[1]);
        for (int c = 0; c < p->ncomp; c++) {
            const double change = y[1][c] - y[0][c];
            GOS_TRY(change != 0 ? feed_row(r, it->fn0 + it->input[k].fn, change, row + c) : GOS_OK);
        }
    }
    return GOS_OK;
}

static gos_status difference_rows(rows *r, const gos_probe *p, int row) {
    if (p->quantity->needs & GOS_NEEDS_HINGE) {
        return item_rows(r, p, row);
    }
    GOS_TRY(differences(r, p, row, p->nm, p->m, p->ntm, p->tm));
    return feed_rows(r, p, row);
}

static gos_status probe_rows(rows *r, const gos_probe *p, int row) {
    if (p->nrecovered > 0) {
        return recovered_rows(r, p, row);
    }
    switch (p->framed || weighs_derived(p) ? GOS_OUTPUT_DIFFERENCES : p->quantity->output) {
    case GOS_OUTPUT_POSITION:
        return marker_rows(r, p, 0, row);
    case GOS_OUTPUT_VELOCITY:
        return marker_rows(r, p, 1, row);
    case GOS_OUTPUT_TEMPERATURE:
        return heat_rows(r, p, row);
    case GOS_OUTPUT_SIGNAL:
        return port_rows(r, p, row);
    default:
        return difference_rows(r, p, row);
    }
}

static gos_status compress(const rows *r, int m, int n, int block, gos_sparse *Y) {
    const gos_triplets *t = &r->t[block];
    return gos__sparse_from_triplets(r->ctx, m, n, t->n, t->i, t->j, t->v, Y);
}

/* coordinates that outputs express by temperatures */
static void find_dependent(rows *r) {
    for (int i = 0; i < r->s->nshowing; i++) {
        const gos_item *it = r->s->showing[i];
        for (int k = 0; k < it->ndependent; k++) {
            r->dependent_on[it->dependent[k]] = &it->dependent_on[k];
        }
    }
}

/* allocates scratch shared by all rows */
static gos_status begin_rows(rows *r, const gos_state *x) {
    const size_t nq = (size_t)r->s->nq, nt = (size_t)r->s->nt;
    GOS_TRY(gos_state_create(r->ctx, r->s, &r->x));
    GOS_TRY(gos_state_copy(r->x, x));
    r->last_probe = gos__zalloc(r->ctx, 2 * nq + 1, sizeof *r->last_probe);
    r->dependent_on = (const gos_tmarker **)gos__zalloc(r->ctx, nq + 1, sizeof *r->dependent_on);
    r->warm = gos__zalloc(r->ctx, nt + 1, sizeof *r->warm);
    GOS_TRY(r->last_probe && r->dependent_on && r->warm ? GOS_OK : GOS_E_MEMORY);
    r->coordinate = r->last_probe + nq;
    find_dependent(r);
    return GOS_OK;
}

static void end_rows(rows *r) {
    for (int b = 0; b < GOS_NOUTPUTS; b++) {
        gos__free(r->ctx, r->t[b].i);
        gos__free(r->ctx, r->t[b].j);
        gos__free(r->ctx, r->t[b].v);
    }
    gos__free(r->ctx, r->last_probe);
    gos__free(r->ctx, r->dependent_on);
    gos__free(r->ctx, r->warm);
    gos_state_destroy(r->x);
}

gos_status gos__outputs_rows(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                             const gos_input *input, int ninput, gos_linear *linear,
                             gos_sparse Y[GOS_NOUTPUTS]) {
    rows r = {.ctx = ctx, .s = s, .input = input, .ninput = ninput};
    const int width[GOS_NOUTPUTS] = {s->nq, s->nq, s->nt, ninput};
    int row = 0;
    memset(Y, 0, GOS_NOUTPUTS * sizeof *Y);
    gos_status status = begin_rows(&r, x);
    for (int i = 0; i < s->nprobe && status == GOS_OK; i++) {
        const gos_probe *p = s->probe[i];
        if (!gos__probe_of_state(p)) {
            continue;
        }
        status = probe_rows(&r, p, row);
        for (int c = 0; c < p->ncomp && status == GOS_OK; c++, row++) {
            char name[2 * GOS_LIMIT_NAME], unit[GOS_UNIT_MAX];
            gos__format(name, sizeof name, "%s.%s", p->name, p->components[c]);
            status = gos__linear_name_output(linear, row, name, gos__unit_at(p->unit, c, unit));
        }
    }
    for (int b = 0; b < GOS_NOUTPUTS && status == GOS_OK; b++) {
        status = compress(&r, row, width[b], b, &Y[b]);
    }
    if (status == GOS_OK && r.rate) {
        gos__warn(ctx, (gos_loc){0}, r.rate->name,
                  "its linear model omits the rate of the deformation that follows the "
                  "temperatures quasi-statically; use a body with `response: dynamic`");
    }
    end_rows(&r);
    return status;
}
