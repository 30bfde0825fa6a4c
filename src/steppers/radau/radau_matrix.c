/* See radau_matrix.h. */
#include "steppers/radau/radau_matrix.h"

#include <lapacke.h>
#include <math.h>

#include "system/assemble.h"
#include "constraints/sparse_rows.h"

/* Rows of a sparse matrix by columns; row NULL: count only. */
typedef struct listing {
    const gos_system *s;
    int *start, *row;
    size_t n;
} listing;

static void list(listing *l, int row, int col) {
    l->n++;
    if (l->row) {
        l->row[l->start[col]++] = row;
    } else {
        l->start[col + 1]++;
    }
}

static void list_turning(gos_entry_sink *k, int row, int col, double v) {
    listing *l = k->user;
    GOS_UNUSED(v);
    list(l, l->s->at.lam + row, col);
}

static void list_all(listing *l, gos_work *w) {
    const gos_pattern *p = &l->s->pattern;
    gos_entry_sink k = {.add = list_turning, .user = l};
    l->n = 0;
    for (int col = 0; col < p->n; col++) {
        for (int e = p->p[col]; e < p->p[col + 1]; e++) {
            list(l, p->i[e], col);
        }
    }
    gos__row_rate_entries(w, NULL, &k);
}

static gos_status make_sparse(gos_radau_matrix *m, gos_work *w) {
    gos_pattern *p = &m->pattern;
    p->p = gos__zalloc(m->ctx, (size_t)p->n + 2, sizeof *p->p);
    if (!p->p) {
        return GOS_E_MEMORY;
    }
    listing l = {.s = m->sys, .start = p->p};
    list_all(&l, w);
    if (l.n > INT32_MAX) {
        return gos__fail(m->ctx, GOS_E_LIMIT,
                         "the Newton matrix of radau has more than 2^31 entries");
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

static int position(const gos_radau_matrix *m, int row, int col) {
    const gos_pattern *p = &m->pattern;
    return p->dense ? col * p->n + row : gos__sorted_find(p->i, p->p[col], p->p[col + 1], row);
}

static void position_turning(gos_entry_sink *k, int row, int col, double v) {
    gos_radau_matrix *m = k->user;
    GOS_UNUSED(v);
    if (m->turning) {
        m->turning[k->n] = position(m, m->sys->at.lam + row, col);
    }
    k->n++;
}

static gos_status make_positions(gos_radau_matrix *m, gos_work *w) {
    const gos_pattern *p = &m->sys->pattern;
    gos_entry_sink k = {.add = position_turning, .user = m};
    gos__row_rate_entries(w, NULL, &k);
    m->turning = gos__alloc(m->ctx, k.n + 1, sizeof *m->turning);
    m->at = p->dense ? NULL : gos__alloc(m->ctx, (size_t)p->nnz + 1, sizeof *m->at);
    if (!m->turning || (!p->dense && !m->at)) {
        return GOS_E_MEMORY;
    }
    k.n = 0;
    gos__row_rate_entries(w, NULL, &k);
    for (int col = 0; col < p->n && !p->dense; col++) {
        for (int e = p->p[col]; e < p->p[col + 1]; e++) {
            m->at[e] = position(m, p->i[e], col);
        }
    }
    return GOS_OK;
}

static gos_status make_solvers(gos_radau_matrix *m) {
    const gos_complex_def def = {
        .pattern = &m->pattern, .ncomp = 3, .nlast = m->sys->nc + m->sys->nh, .saddle = true};
    GOS_TRY(gos__solver_create(m->ctx, &m->pattern, &m->solver));
    if (!m->pattern.dense) {
        return gos__complex_solver_create(m->ctx, &def, NULL, &m->pair_solver);
    }
    m->pivot = gos__alloc(m->ctx, (size_t)m->pattern.n + 1, sizeof *m->pivot);
    return m->pivot ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__radau_matrix_make(gos_ctx *ctx, gos_work *w, gos_radau_matrix *m) {
    const gos_system *s = w->sys;
    *m = (gos_radau_matrix){.ctx = ctx, .sys = s};
    m->pattern.n = s->n;
    m->pattern.vectors = s->nv;
    m->pattern.dense = s->pattern.dense;
    m->pattern.nnz = s->pattern.nnz;
    if (!s->pattern.dense) {
        GOS_TRY(make_sparse(m, w));
    }
    GOS_TRY(make_positions(m, w));
    const size_t nnz = (size_t)m->pattern.nnz + 1;
    m->places = gos__zalloc(ctx, nnz, sizeof *m->places);
    m->rates = gos__zalloc(ctx, nnz, sizeof *m->rates);
    m->inertia = gos__zalloc(ctx, nnz, sizeof *m->inertia);
    m->real = gos__zalloc(ctx, nnz, sizeof *m->real);
    m->pair = gos__zalloc(ctx, nnz, sizeof *m->pair);
    if (!m->places || !m->rates || !m->inertia || !m->real || !m->pair) {
        return GOS_E_MEMORY;
    }
    return make_solvers(m);
}

void gos__radau_matrix_free(gos_radau_matrix *m) {
    gos__solver_destroy(m->solver);
    gos__complex_solver_destroy(m->pair_solver);
    gos__free(m->ctx, m->pattern.p);
    gos__free(m->ctx, m->pattern.i);
    gos__free(m->ctx, m->at);
    gos__free(m->ctx, m->turning);
    gos__free(m->ctx, m->places);
    gos__free(m->ctx, m->rates);
    gos__free(m->ctx, m->inertia);
    gos__free(m->ctx, m->real);
    gos__free(m->ctx, m->pair);
    gos__free(m->ctx, m->pivot);
}

typedef enum rows_of { FORCES_AND_HEAT, CONSTRAINTS, TEMPERATURES } rows_of;

static void scatter(const gos_radau_matrix *m, const gos_work *w, rows_of rows, double *to) {
    const gos_system *s = m->sys;
    const gos_pattern *p = &s->pattern;
    const int first = rows == FORCES_AND_HEAT ? 0 : rows == CONSTRAINTS ? s->at.lam : s->at.lamT;
    const int end = rows == FORCES_AND_HEAT ? s->at.lam : rows == CONSTRAINTS ? s->at.lamT : s->n;
    for (int col = 0; col < p->n && first < end; col++) {
        if (p->dense) {
            for (int e = col * p->n + first; e < col * p->n + end; e++) {
                to[e] += w->values[e];
            }
            continue;
        }
        for (int e = p->p[col]; e < p->p[col + 1]; e++) {
            if (p->i[e] >= first && p->i[e] < end) {
                to[m->at[e]] += w->values[e];
            }
        }
    }
}

static void clear(const gos_radau_matrix *m, double *values) {
    memset(values, 0, (size_t)m->pattern.nnz * sizeof *values);
}

static void add_turning(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(row);
    GOS_UNUSED(col);
    k->values[k->pos[k->n++]] += v;
}

void gos__radau_matrix_assemble(gos_radau_matrix *m, gos_work *w, const gos_point_of *x) {
    const gos_newton_factors places = {.k = 1, .ck = 1, .lam = 1, .lamT = 1};
    const gos_newton_factors rates = {.d = 1, .cd = 1, .cm = 1};
    const gos_newton_factors inertia = {.m = 1};
    gos_entry_sink k = {.add = add_turning, .values = m->places, .pos = m->turning};
    clear(m, m->places);
    clear(m, m->rates);
    gos__jacobian(w, x, &places);
    scatter(m, w, FORCES_AND_HEAT, m->places);
    scatter(m, w, TEMPERATURES, m->places);
    scatter(m, w, CONSTRAINTS, m->massless ? m->places : m->rates);
    if (!m->massless) {
        gos__row_rate_entries(w, x, &k);
    }
    gos__jacobian(w, x, &rates);
    scatter(m, w, FORCES_AND_HEAT, m->rates);
    if (!m->has_inertia && !m->massless) {
        clear(m, m->inertia);
        gos__jacobian(w, x, &inertia);
        scatter(m, w, FORCES_AND_HEAT, m->inertia);
        m->has_inertia = m->sys->derived == NULL;
    }
}

/* Multipliers in units of the largest inertia entry: pivots of constraints are C (s^2 M)^-1 C^T,
 * which for very short steps are below any test of singularity. */
static void scale_multipliers(gos_radau_matrix *m) {
    const gos_pattern *p = &m->pattern;
    double largest = 0;
    for (int e = 0; e < p->p[m->sys->at.th]; e++) {
        largest = fmax(largest, cabs(m->pair[e]));
    }
    m->unit = largest > 0 ? exp2(rint(log2(largest))) : 1;
    for (int e = p->p[m->sys->at.lam]; e < p->p[m->sys->at.lamT]; e++) {
        m->pair[e] *= m->unit;
    }
}

static gos_status factor_pair(gos_radau_matrix *m) {
    const int n = m->pattern.n;
    m->unit = 1;
    if (m->pattern.dense) {
        return LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, m->pair, n, m->pivot) == 0 ? GOS_OK
                                                                                 : GOS_E_SINGULAR;
    }
    const gos_status status = gos__complex_solver_factor(m->pair_solver, m->pair);
    if (status != GOS_E_SINGULAR || m->sys->nc == 0) {
        return status;
    }
    scale_multipliers(m);
    gos__complex_solver_repivot(m->pair_solver);
    return gos__complex_solver_factor(m->pair_solver, m->pair);
}

static gos_status factor_both(gos_radau_matrix *m, bool *kept) {
    int column;
    const gos_status status = gos__solver_factor(m->solver, m->real, &column);
    const bool one = gos__solver_kept_pivots(m->solver);
    GOS_TRY(status);
    GOS_TRY(factor_pair(m));
    const bool keeps = m->pair_solver && gos__complex_solver_keeps(m->pair_solver);
    *kept = one;
    return !keeps || one == gos__complex_solver_kept_pivots(m->pair_solver) ? GOS_OK : GOS_RETRY;
}

static void repivot(gos_radau_matrix *m) {
    gos__solver_repivot(m->solver);
    if (m->pair_solver) {
        gos__complex_solver_repivot(m->pair_solver);
    }
}

gos_status gos__radau_matrix_factor(gos_radau_matrix *m, const gos_radau_tableau *k, double h,
                                    bool anew, bool *kept) {
    const double s = k->gamma / h, re = k->alpha / h, im = k->beta / h;
    const double re2 = re * re - im * im, im2 = 2 * re * im;
    for (int e = 0; e < m->pattern.nnz; e++) {
        const double p = m->places[e], r = m->rates[e], i = m->inertia[e];
        m->real[e] = p + s * (r + s * i);
        m->pair[e] = gos__complex(p + re * r + re2 * i, im * r + im2 * i);
    }
    *kept = false;
    if (m->pattern.n == 0) {
        return GOS_OK;
    }
    if (anew) {
        repivot(m);
    }
    gos_status status = factor_both(m, kept);
    if (status == GOS_RETRY) { // only one of them chose new pivots
        repivot(m);
        status = factor_both(m, kept);
    }
    return status == GOS_E_SINGULAR ? GOS_RETRY : status;
}

void gos__radau_matrix_rates(const gos_radau_matrix *m, double s, const double *dq, double *out) {
    const gos_pattern *p = &m->pattern;
    for (int col = 0; col < m->sys->nq; col++) {
        const int from = p->dense ? col * p->n : p->p[col];
        const int to = p->dense ? from + p->n : p->p[col + 1];
        for (int e = from; e < to; e++) {
            out[p->dense ? e - from : p->i[e]] += (m->rates[e] + s * m->inertia[e]) * dq[col];
        }
    }
}

gos_status gos__radau_matrix_solve_pair(gos_radau_matrix *m, gos_complex *x) {
    const int n = m->pattern.n;
    if (n == 0) {
        return GOS_OK;
    }
    if (m->pattern.dense) {
        (void)LAPACKE_zgetrs(LAPACK_COL_MAJOR, 'N', n, 1, m->pair, n, m->pivot, x, n);
        return GOS_OK;
    }
    GOS_TRY(gos__complex_solver_solve(m->pair_solver, false, 1, x));
    for (int i = m->sys->at.lam; i < m->sys->at.lamT; i++) {
        x[i] *= m->unit;
    }
    return GOS_OK;
}
