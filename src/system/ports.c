/* Inputs and outputs of the linear model of a system. Inputs are functions of time of loads and heat: what
   forces and heat gain with each is found by evaluating the items and surfaces that use it. Outputs are
   components of probes. */
#include "system/ports.h"

#include <math.h>

#include "loads/load.h"
#include "system/assemble.h"
#include "system/probe.h"

/* ---- the list of inputs ---------------------------------------------------------------------- */

/* "load 'push': value" is an entry `push` of kind `load` */
typedef struct entry {
    const char *name;
    int length;
} entry;

static bool entry_of(const gos_timefn *fn, const char *kind, entry *e) {
    const char *object = NULL;
    (void)gos__timefn_place(fn, &object);
    const size_t n = strlen(kind);
    if (!object || strncmp(object, kind, n) != 0 || strncmp(object + n, " '", 2) != 0) {
        return false;
    }
    e->name = object + n + 2;
    const char *end = strchr(e->name, '\'');
    e->length = end ? (int)(end - e->name) : 0;
    return end != NULL;
}

static bool same_entry(const entry *a, const entry *b) {
    return a->length == b->length && strncmp(a->name, b->name, (size_t)a->length) == 0;
}

static bool is_zero(const gos_timefn *fn) {
    return gos__timefn_constant(fn) && gos__timefn_eval(fn, 0, NULL, NULL) == 0;
}

/* is fn of a load whose three components are fn0 .. fn0 + 2? */
static bool wanted_component(const gos_system *s, int fn0, int k) {
    bool none = true;
    for (int i = 0; i < 3; i++) {
        none = none && is_zero(s->fn[fn0 + i]);
    }
    return none || !is_zero(s->fn[fn0 + k]);
}

/* functions that say how much heat comes: not directions, coefficients, shades */
static bool is_amount(const gos_timefn *fn) {
    static const char *const units[] = {"W", "W/m^2", "W/m^3", "K"};
    for (int i = 0; i < GOS_COUNT(units); i++) {
        if (strcmp(gos__timefn_unit(fn), units[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* does a constraint take it, so that it moves instead of driving? */
static bool prescribes(const gos_system *s, int fn) {
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (it->nc + it->nh > 0 && fn >= it->fn0 && fn < it->fn0 + it->nfn) {
            return true;
        }
    }
    return false;
}

/* is it the amount of a load that drives an input? */
static bool drives_input(const gos_system *s, int fn) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->fn0 == fn && strcmp(s->item[i]->type->name, GOS_INPUT_ITEM) == 0) {
            return true;
        }
    }
    return false;
}

static gos_status add_input(const gos_system *s, int fn, const char *name, gos_input *list,
                            int *n) {
    list[(*n)++] = (gos_input){.fn = fn, .name = name, .unit = gos__timefn_unit(s->fn[fn])};
    return name ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__inputs_list(const gos_system *s, gos_arena *a, gos_input **list, int *n) {
    entry e, last = {"", 0};
    int among = 0; // functions of this heat entry so far
    *n = 0;
    *list = GOS_NEW(a, gos_input, s->nfn + 1);
    GOS_TRY(*list ? GOS_OK : GOS_E_MEMORY);
    for (int fn = 0; fn < s->nfn; fn++) {
        if (entry_of(s->fn[fn], "load", &e) && drives_input(s, fn)) {
            const char *name = gos__arena_printf(a, "%.*s", e.length, e.name);
            GOS_TRY(add_input(s, fn, name, *list, n));
        } else if (entry_of(s->fn[fn], "load", &e) && fn + 2 < s->nfn) {
            for (int k = 0; k < 3; k++) {
                if (wanted_component(s, fn, k)) {
                    const char *name = gos__arena_printf(a, "%.*s.%c", e.length, e.name, 'x' + k);
                    GOS_TRY(add_input(s, fn + k, name, *list, n));
                }
            }
            fn += 2;
        } else if (entry_of(s->fn[fn], "heat", &e) && is_amount(s->fn[fn]) && !prescribes(s, fn)) {
            among = same_entry(&e, &last) ? among + 1 : 1;
            last = e;
            const char *name = among == 1
                                   ? gos__arena_printf(a, "%.*s", e.length, e.name)
                                   : gos__arena_printf(a, "%.*s.%d", e.length, e.name, among);
            GOS_TRY(add_input(s, fn, name, *list, n));
        }
    }
    return GOS_OK;
}

/* ---- columns of inputs ----------------------------------------------------------------------- */

/* exact derivative of polynomials of degree <= 4 from values at -2h, -h, h, 2h */
static const double at_points[] = {-2, -1, 1, 2},
                    weights[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
#define STENCIL 4

typedef struct columns {
    gos_work *w;
    const gos_point_of *x;
    double *force, *heat; // of one input (nq), (nt)
    double *values;       // heat at the points of the stencil (STENCIL, nt)
    double *rest;         // forces that nobody wants (nq)
} columns;

static double stencil(const double v[STENCIL], double h) {
    // differences first: what does not change cancels exactly
    return ((v[0] - v[3]) * weights[0] + (v[2] - v[1]) * weights[2]) / h;
}

static void add_item(const columns *c, const gos_item *it, int fn, double h) {
    double f[STENCIL][3 * GOS_ITEM_MARKERS] = {{0}}, heat[STENCIL][GOS_ITEM_TMARKERS] = {{0}};
    const double base = c->w->fn[fn];
    for (int k = 0; k < STENCIL; k++) {
        gos_item_io io = gos__item_inputs(c->w, it, c->x);
        c->w->fn[fn] = base + h * at_points[k];
        io.f = f[k];
        io.heat = it->ntm ? heat[k] : NULL;
        it->type->eval(it, &io);
    }
    c->w->fn[fn] = base;
    for (int m = 0; m < it->nm; m++) {
        for (int i = 0; i < 3; i++) {
            const double v[] = {f[0][3 * m + i], f[1][3 * m + i], f[2][3 * m + i], f[3][3 * m + i]};
            for (int j = 0; j < it->m[m].n; j++) {
                c->force[3 * (size_t)it->m[m].idx[j] + (size_t)i] += it->m[m].w[j] * stencil(v, h);
            }
        }
    }
    for (int m = 0; m < it->ntm; m++) {
        const double v[] = {heat[0][m], heat[1][m], heat[2][m], heat[3][m]};
        for (int j = 0; j < it->tm[m].n; j++) {
            c->heat[it->tm[m].idx[j]] += it->tm[m].w[j] * stencil(v, h);
        }
    }
}

static bool uses(const gos_points *p, int fn) {
    for (int i = 0; i < p->nsurf; i++) {
        if (fn >= p->surf[i].fn0 && fn < p->surf[i].fn0 + p->surf[i].nfn) {
            return true;
        }
    }
    return false;
}

static void add_points(const columns *c, const gos_points *p, int fn, double h) {
    const size_t nt = (size_t)c->w->sys->nt;
    const double base = c->w->fn[fn];
    for (int k = 0; k < STENCIL; k++) {
        double *R = c->values + (size_t)k * nt;
        memset(R, 0, nt * sizeof *R);
        c->w->fn[fn] = base + h * at_points[k];
        const gos_points_sum sum = {.e = c->x->q,
                                    .v = c->x->v,
                                    .th = c->x->th,
                                    .fn = c->w->fn,
                                    .mem = gos__memory_of(c->w->sys, c->x),
                                    .scale = 1,
                                    .Q = c->rest,
                                    .R = R};
        gos__points_residual(p, &sum, c->w->points);
    }
    c->w->fn[fn] = base;
    for (size_t i = 0; i < nt; i++) {
        const double v[] = {c->values[i], c->values[nt + i], c->values[2 * nt + i],
                            c->values[3 * nt + i]};
        c->heat[i] += stencil(v, h);
    }
}

static void one_input(const columns *c, int fn) {
    const gos_system *s = c->w->sys;
    memset(c->force, 0, (size_t)s->nq * sizeof *c->force);
    memset(c->heat, 0, (size_t)s->nt * sizeof *c->heat);
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (fn >= it->fn0 && fn < it->fn0 + it->nfn) {
            double h = 1; // of the size of the load itself, so that rounding stays relative
            for (int k = 0; k < it->nfn; k++) {
                h = fmax(h, fabs(c->w->fn[it->fn0 + k]) / 4);
            }
            add_item(c, it, fn, h);
        }
    }
    for (int i = 0; i < s->npoints; i++) {
        if (uses(s->points[i], fn)) {
            add_points(c, s->points[i], fn, fmax(1, fabs(c->w->fn[fn]) / 4));
        }
    }
}

/* column j of a matrix that is being built; its arrays grow */
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

gos_status gos__inputs_columns(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                               const gos_input *list, int n, gos_sparse *B, gos_sparse *B_T) {
    const gos_system *s = w->sys;
    const size_t nq = (size_t)s->nq, nt = (size_t)s->nt;
    int cap[4] = {1, 1, 1, 1};
    *B = *B_T = (gos_sparse){0};
    double *room = gos__alloc(ctx, 2 * nq + (1 + STENCIL) * nt + 1, sizeof *room);
    gos_status status = room ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sparse_alloc(ctx, s->nq, n, 0, B) : status;
    status = status == GOS_OK ? gos__sparse_alloc(ctx, s->nt, n, 0, B_T) : status;
    if (status == GOS_OK) {
        const columns c = {.w = w,
                           .x = x,
                           .force = room,
                           .rest = room + nq,
                           .heat = room + 2 * nq,
                           .values = room + 2 * nq + nt};
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

/* ---- outputs --------------------------------------------------------------------------------- */

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
    gos_state *x;                 // changed and restored
    gos_triplets t[GOS_NOUTPUTS]; // of Y_q, Y_v, Y_T, Y_u
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

/* quantities that are their markers' values, or their rates */
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

/* an output of matrices: component c of markers c and, of rates, 3 + c */
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
    for (int k = 0; k < p->nfeed; k++) {
        for (int i = 0; i < r->ninput; i++) {
            if (r->input[i].fn == p->feed_fn[k]) {
                GOS_TRY(put(r, 3, row, i, p->feed[k]));
            }
        }
    }
    return GOS_OK;
}

static gos_status heat_rows(rows *r, const gos_probe *p, int row) {
    for (int k = 0; k < p->ntm; k++) {
        for (int j = 0; j < p->tm[k].n; j++) {
            GOS_TRY(put(r, 2, row + k, p->tm[k].idx[j], p->tm[k].w[j]));
        }
    }
    return GOS_OK;
}

/* derivative with respect to one number of the state */
static gos_status difference(rows *r, const gos_probe *p, int block, int row, double *number,
                             int column, double h) {
    double y[STENCIL][GOS_PROBE_MAX], base = *number;
    double now[GOS_PROBE_MAX];
    gos__probe_evaluate(r->s, r->x, p, now);
    for (int k = 0; k < STENCIL; k++) {
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

/* has an earlier marker of the probe the same coordinate? */
static bool seen(const gos_probe *p, int marker, int j) {
    for (int m = 0; m < marker; m++) {
        for (int k = 0; k < p->m[m].n; k++) {
            if (p->m[m].idx[k] == p->m[marker].idx[j]) {
                return true;
            }
        }
    }
    return false;
}

static bool seen_heat(const gos_probe *p, int marker, int j) {
    for (int m = 0; m < marker; m++) {
        for (int k = 0; k < p->tm[m].n; k++) {
            if (p->tm[m].idx[k] == p->tm[marker].idx[j]) {
                return true;
            }
        }
    }
    return false;
}

#define STEP 0x1p-10 // of unit vectors and of the extent: errors of fourth order are below 1e-12

static gos_status difference_rows(rows *r, const gos_probe *p, int row) {
    for (int m = 0; m < p->nm; m++) {
        for (int j = 0; j < p->m[m].n; j++) {
            const int e = p->m[m].idx[j];
            const double h = STEP * (r->s->trans[e] != 0 && r->s->extent > 0 ? r->s->extent : 1);
            for (int c = 0; c < 3 && !seen(p, m, j); c++) {
                const int i = 3 * e + c;
                GOS_TRY(difference(r, p, 0, row, &r->x->q[i], i, h));
                GOS_TRY(difference(r, p, 1, row, &r->x->v[i], i, h));
            }
        }
    }
    for (int m = 0; m < p->ntm; m++) {
        for (int j = 0; j < p->tm[m].n; j++) {
            const int i = p->tm[m].idx[j];
            if (!seen_heat(p, m, j)) {
                GOS_TRY(difference(r, p, 2, row, &r->x->th[i], i, 1));
            }
        }
    }
    return GOS_OK;
}

static gos_status probe_rows(rows *r, const gos_probe *p, int row) {
    const char *q = gos__probe_quantity(p);
    const bool position = strcmp(q, "position") == 0 || strcmp(q, "displacement") == 0;
    if (strcmp(q, "temperature") == 0) {
        return heat_rows(r, p, row);
    }
    if (strcmp(q, "output") == 0) {
        return port_rows(r, p, row);
    }
    if (!p->framed && (position || strcmp(q, "velocity") == 0)) {
        return marker_rows(r, p, position ? 0 : 1, row);
    }
    return difference_rows(r, p, row);
}

static gos_status compress(const rows *r, int m, int n, int block, gos_sparse *Y) {
    const gos_triplets *t = &r->t[block];
    return gos__sparse_from_triplets(r->ctx, m, n, t->n, t->i, t->j, t->v, Y);
}

gos_status gos__outputs_rows(gos_ctx *ctx, const gos_system *s, const gos_state *x,
                             const gos_input *input, int ninput, gos_linear *linear,
                             gos_sparse Y[GOS_NOUTPUTS]) {
    rows r = {.ctx = ctx, .s = s, .input = input, .ninput = ninput};
    const int width[GOS_NOUTPUTS] = {s->nq, s->nq, s->nt, ninput};
    int row = 0;
    memset(Y, 0, GOS_NOUTPUTS * sizeof *Y);
    gos_status status = gos_state_create(ctx, s, &r.x);
    status = status == GOS_OK ? gos_state_copy(r.x, x) : status;
    for (int i = 0; i < s->nprobe && status == GOS_OK; i++) {
        const gos_probe *p = s->probe[i];
        if (!gos__probe_of_state(p)) {
            continue;
        }
        status = probe_rows(&r, p, row);
        for (int c = 0; c < p->ncomp && status == GOS_OK; c++, row++) {
            char name[2 * GOS_LIMIT_NAME];
            gos__format(name, sizeof name, "%s.%s", p->name, p->components[c]);
            status = gos__linear_name_output(linear, row, name, p->unit);
        }
    }
    for (int b = 0; b < GOS_NOUTPUTS && status == GOS_OK; b++) {
        status = compress(&r, row, width[b], b, &Y[b]);
    }
    for (int b = 0; b < GOS_NOUTPUTS; b++) {
        gos__free(ctx, r.t[b].i);
        gos__free(ctx, r.t[b].j);
        gos__free(ctx, r.t[b].v);
    }
    gos_state_destroy(r.x);
    return status;
}
