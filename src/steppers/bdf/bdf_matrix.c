/* See bdf_matrix.h. Filled from two assemblies of the system's matrix: derivatives by positions
 * and temperatures go to columns q and th, those by velocities and accelerations to columns v.
 * Positions of entries are computed once. */
#include "steppers/bdf/bdf_matrix.h"

#include "system/constants.h"
#include "constraints/sparse_rows.h"

static gos_bdf_blocks blocks_of(const gos_system *s) {
    gos_bdf_blocks b = {.v = s->nq, .th = 2 * s->nq};
    b.lam = b.th + s->nt;
    b.mu = b.lam + s->nc;
    b.lamT = b.mu + s->nc;
    b.n = b.lamT + s->nh;
    return b;
}

typedef struct place {
    int row, col; // -1: none
} place;

static place first_place(const gos_bdf_matrix *m, int row, int col) {
    const gos_system *s = m->sys;
    const gos_bdf_blocks *b = &m->at;
    const bool constraint = row >= s->at.lam && row < s->at.lamT;
    place p = {row < s->at.th    ? b->v + row
               : row < s->at.lam ? b->th + row - s->at.th
               : constraint      ? b->mu + row - s->at.lam
                                 : b->lamT + row - s->at.lamT,
               col < s->at.th     ? b->q + col
               : col < s->at.lam  ? b->th + col - s->at.th
               : col < s->at.lamT ? b->lam + col - s->at.lam
                                  : b->lamT + col - s->at.lamT};
    return p;
}

/* Derivatives by rates in columns v; constraints in the velocity equations, and with mu in the
 * kinematic ones. */
static place second_place(const gos_bdf_matrix *m, int row, int col) {
    const gos_system *s = m->sys;
    const gos_bdf_blocks *b = &m->at;
    if (col < s->at.th && row < s->at.lam) {
        return (place){first_place(m, row, col).row, b->v + col};
    }
    if (col < s->at.th && row < s->at.lamT) {
        return (place){b->lam + row - s->at.lam, b->v + col};
    }
    if (row < s->at.th && col >= s->at.lam && col < s->at.lamT) {
        return (place){b->q + row, b->mu + col - s->at.lam};
    }
    return (place){-1, -1};
}

/* Visits the system's matrix by columns; a dense one completely. */
static void each_entry(const gos_bdf_matrix *m, void (*see)(void *, int e, int row, int col),
                       void *user) {
    const gos_pattern *p = &m->sys->pattern;
    for (int col = 0; col < p->n; col++) {
        for (int e = p->dense ? col * p->n : p->p[col];
             e < (p->dense ? (col + 1) * p->n : p->p[col + 1]); e++) {
            see(user, e, p->dense ? e - col * p->n : p->i[e], col);
        }
    }
}

typedef struct listing {
    const gos_bdf_matrix *m;
    int *start, *row; // row NULL: counting
    size_t n;
} listing;

static void list(listing *l, place p) {
    if (p.row < 0) {
        return;
    }
    l->n++;
    if (l->row) {
        l->row[l->start[p.col]++] = p.row;
    } else {
        l->start[p.col + 1]++;
    }
}

static void list_entry(void *user, int e, int row, int col) {
    listing *l = user;
    GOS_UNUSED(e);
    list(l, first_place(l->m, row, col));
    list(l, second_place(l->m, row, col));
}

static void list_turning(gos_entry_sink *k, int row, int col, double v) {
    listing *l = k->user;
    GOS_UNUSED(v);
    k->n++;
    list(l, (place){l->m->at.lam + row, l->m->at.q + col});
}

static void list_all(listing *l, gos_work *w) {
    const gos_bdf_blocks *b = &l->m->at;
    gos_entry_sink k = {.add = list_turning, .user = l};
    l->n = 0;
    each_entry(l->m, list_entry, l);
    gos__row_rate_entries(w, NULL, &k);
    for (int i = 0; i < l->m->sys->nq; i++) {
        list(l, (place){b->q + i, b->q + i});
        list(l, (place){b->q + i, b->v + i});
    }
}

static gos_status make_sparse(gos_bdf_matrix *m, gos_work *w) {
    gos_pattern *p = &m->pattern;
    p->p = gos__zalloc(m->ctx, (size_t)p->n + 2, sizeof *p->p);
    if (!p->p) {
        return GOS_E_MEMORY;
    }
    listing l = {.m = m, .start = p->p};
    list_all(&l, w);
    if (l.n > INT32_MAX) {
        return gos__fail(m->ctx, GOS_E_LIMIT,
                         "the Newton matrix of BDF has more than 2^31 entries");
    }
    for (int i = 0; i < p->n; i++) {
        p->p[i + 1] += p->p[i];
    }
    p->i = l.row = gos__alloc(m->ctx, l.n + 1, sizeof *p->i);
    if (!p->i) {
        return GOS_E_MEMORY;
    }
    list_all(&l, w);
    for (int i = p->n; i > 0; i--) {
        p->p[i] = p->p[i - 1];
    }
    p->p[0] = 0;
    p->nnz = gos__buckets_unique(p->n, p->p, p->i);
    return GOS_OK;
}

static int position(const gos_bdf_matrix *m, place at) {
    const gos_pattern *p = &m->pattern;
    return at.row < 0 ? -1
           : p->dense ? at.col * p->n + at.row
                      : gos__sorted_find(p->i, p->p[at.col], p->p[at.col + 1], at.row);
}

static void position_entry(void *user, int e, int row, int col) {
    gos_bdf_matrix *m = user;
    m->first[e] = position(m, first_place(m, row, col));
    m->second[e] = position(m, second_place(m, row, col));
}

static void position_turning(gos_entry_sink *k, int row, int col, double v) {
    gos_bdf_matrix *m = k->user;
    GOS_UNUSED(v);
    if (m->turning) {
        m->turning[k->n] = position(m, (place){m->at.lam + row, m->at.q + col});
    }
    k->n++;
}

static gos_status make_positions(gos_bdf_matrix *m, gos_work *w) {
    const gos_system *s = m->sys;
    gos_entry_sink k = {.add = position_turning, .user = m};
    gos__row_rate_entries(w, NULL, &k);
    const size_t nturning = k.n, nnz = (size_t)s->pattern.nnz;
    m->first = gos__alloc(m->ctx, nnz + 1, sizeof *m->first);
    m->second = gos__alloc(m->ctx, nnz + 1, sizeof *m->second);
    m->turning = gos__alloc(m->ctx, nturning + 1, sizeof *m->turning);
    m->kinematic = gos__alloc(m->ctx, 2 * (size_t)s->nq + 1, sizeof *m->kinematic);
    m->values = gos__alloc(m->ctx, (size_t)m->pattern.nnz + 1, sizeof *m->values);
    m->weight = gos__alloc(m->ctx, (size_t)s->nq + 1, sizeof *m->weight);
    if (!m->first || !m->second || !m->turning || !m->kinematic || !m->values || !m->weight) {
        return GOS_E_MEMORY;
    }
    each_entry(m, position_entry, m);
    k.n = 0;
    gos__row_rate_entries(w, NULL, &k);
    for (int i = 0; i < s->nq; i++) {
        m->kinematic[2 * i] = position(m, (place){m->at.q + i, m->at.q + i});
        m->kinematic[2 * i + 1] = position(m, (place){m->at.q + i, m->at.v + i});
    }
    return GOS_OK;
}

/* Weights W: any positive values have the same exact solution. Masses assign the drift to light
 * parts and allow elimination of velocities without fill. */
static void make_weights(gos_bdf_matrix *m) {
    const gos_system *s = m->sys;
    for (int i = 0; i < s->nv; i++) {
        double own = s->light ? s->light[i] : 0;
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            own += s->mass.j[k] == i ? s->mass.v[k] : 0;
        }
        for (int c = 0; c < 3; c++) {
            const double w = own + (s->constants ? s->constants->weight[3 * i + c] : 0);
            m->weight[3 * i + c] = w > 0 ? w : 1;
        }
    }
}

gos_status gos__bdf_matrix_make(gos_ctx *ctx, gos_work *w, gos_bdf_matrix *m) {
    const gos_system *s = w->sys;
    *m = (gos_bdf_matrix){.ctx = ctx, .sys = s, .at = blocks_of(s)};
    m->pattern.n = m->at.n;
    m->pattern.vectors = 2 * s->nv; // positions and velocities
    if (s->pattern.dense) {
        m->pattern.dense = true;
        m->pattern.nnz = m->at.n * m->at.n;
    } else {
        GOS_TRY(make_sparse(m, w));
    }
    GOS_TRY(make_positions(m, w));
    make_weights(m);
    return GOS_OK;
}

void gos__bdf_matrix_free(gos_bdf_matrix *m) {
    gos__free(m->ctx, m->pattern.p);
    gos__free(m->ctx, m->pattern.i);
    gos__free(m->ctx, m->values);
    gos__free(m->ctx, m->weight);
    gos__free(m->ctx, m->first);
    gos__free(m->ctx, m->second);
    gos__free(m->ctx, m->turning);
    gos__free(m->ctx, m->kinematic);
}

gos_point_of gos__bdf_point(const gos_bdf_matrix *m, double t, const double *y, const double *yd,
                            const double *mem) {
    return (gos_point_of){.t = t,
                          .scale = 1,
                          .q = y + m->at.q,
                          .v = y + m->at.v,
                          .a = yd + m->at.v,
                          .th = y + m->at.th,
                          .thd = yd + m->at.th,
                          .lam = y + m->at.lam,
                          .lamT = y + m->at.lamT,
                          .mem = mem};
}

gos_status gos__bdf_residual(const gos_bdf_matrix *m, gos_work *w, const gos_point_of *x,
                             const double *y, const double *yd, double *r) {
    const gos_bdf_blocks *b = &m->at;
    const gos_residual out = {.q = r + b->v, .th = r + b->th, .c = r + b->mu, .h = r + b->lamT};
    GOS_TRY(gos__residual(w, x, &out, NULL));
    for (int i = 0; i < m->sys->nq; i++) {
        r[b->q + i] = m->weight[i] * (yd[b->q + i] - y[b->v + i]);
    }
    gos__stabilised_rows(w, x, y + b->mu, r + b->lam, r + b->q);
    return GOS_OK;
}

/* Adds the matrix in w: derivatives by positions or, `rates`, by velocities and accelerations. */
static void scatter(gos_bdf_matrix *m, const gos_work *w, bool rates) {
    const gos_system *s = m->sys;
    const gos_pattern *p = &s->pattern;
    for (int col = 0; col < (rates ? s->at.th : p->n); col++) {
        const int from = p->dense ? col * p->n : p->p[col];
        const int to = p->dense ? from + p->n : p->p[col + 1];
        for (int e = from; e < to; e++) {
            const int row = p->dense ? e - from : p->i[e];
            const bool of_rates = col < s->at.th && row < s->at.lam;
            if (!rates && m->first[e] >= 0) {
                m->values[m->first[e]] += w->values[e];
            }
            if (rates == of_rates && m->second[e] >= 0) {
                m->values[m->second[e]] += w->values[e];
            }
        }
    }
}

static void add_turning(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(row);
    GOS_UNUSED(col);
    k->values[k->pos[k->n++]] += v;
}

void gos__bdf_matrix_fill(gos_bdf_matrix *m, gos_work *w, const gos_point_of *x, double by_rate) {
    const gos_newton_factors places = {.k = 1, .cm = by_rate, .ck = 1, .lam = 1, .lamT = 1};
    const gos_newton_factors rates = {.m = by_rate, .d = 1, .cd = 1};
    gos_entry_sink k = {.add = add_turning, .values = m->values, .pos = m->turning};
    memset(m->values, 0, (size_t)m->pattern.nnz * sizeof *m->values);
    gos__jacobian(w, x, &places);
    scatter(m, w, false);
    gos__jacobian(w, x, &rates);
    scatter(m, w, true);
    for (int i = 0; i < m->sys->nq; i++) {
        m->values[m->kinematic[2 * i]] += by_rate * m->weight[i];
        m->values[m->kinematic[2 * i + 1]] -= m->weight[i];
    }
    gos__row_rate_entries(w, x, &k);
}
