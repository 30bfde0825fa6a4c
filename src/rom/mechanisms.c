/* Mechanisms: null space of the constraint rows on the rigid motions of single bodies, in the
   current configuration. */
#include "rom/mechanisms.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "parts/first_order_states.h"

#define RIGID 6          // rigid motions of a body
#define MAX_PARTS 40     // bodies that move separately; more are one rigid part
#define MAX_NUMBERS 4e6  // in a matrix of the workspace; larger systems are one rigid part
#define INDEPENDENT 1e-8 // least squared norm of an independent motion, relative
// largest squared constraint violation of a mechanism, relative to that of rigid motions: states
// fulfil constraints to about 1e-9
#define MAX_VIOLATION 1e-10

/* component c of vector v in motion k of its part; column 6 i + k is motion k of part i */
static double component(const gos_mechanisms *m, const double *q, int v, int c, int k) {
    const double trans = m->s->trans[v];
    const int axis = k % 3, d = (axis + 1) % 3, e = (axis + 2) % 3;
    const double *o = m->origin + 3L * m->of[v], *x = q + 3L * v;
    if (k < 3) {
        return c == axis ? trans : 0;
    }
    return c == e ? x[d] - trans * o[d] : c == d ? trans * o[e] - x[e] : 0;
}

/* x (nq) += factor times column j */
static void add_column(const gos_mechanisms *m, const double *q, int j, double factor, double *x) {
    for (int i = 0; i < m->s->nq; i++) {
        if (m->of[i / 3] == j / RIGID) {
            x[i] += factor * m->scale[j] * component(m, q, i / 3, i % 3, j % RIGID);
        }
    }
}

static void split(gos_mechanisms *m) {
    const gos_system *s = m->s;
    int bodies = 0;
    for (int i = 0; i < s->nbody; i++) {
        bodies += s->body[i]->nv > 0 && !gos__body_is_states(s->body[i]);
    }
    const bool separate =
        bodies <= MAX_PARTS && (double)RIGID * bodies * fmax(s->nc, s->nq) <= MAX_NUMBERS;
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        const bool moves = b->nv > 0 && !gos__body_is_states(b);
        for (int v = b->v0; v < b->v0 + b->nv; v++) {
            m->of[v] = moves ? (separate ? m->parts : 0) : -1;
        }
        m->parts += moves && (separate || m->parts == 0);
    }
    m->columns = RIGID * m->parts;
}

gos_status gos__mechanisms_create(gos_arena *a, const gos_system *s, gos_mechanisms *m) {
    *m = (gos_mechanisms){.s = s};
    if (s->derived) {
        return GOS_OK;
    }
    m->of = GOS_NEW(a, int, s->nv + 1);
    if (!m->of) {
        return GOS_E_MEMORY;
    }
    split(m);
    const size_t n = m->columns, nq = s->nq;
    m->origin = GOS_NEW(a, double, 3L * m->parts + 1);
    m->scale = GOS_NEW(a, double, n + 1);
    m->B = GOS_NEW(a, double, s->nc *n + 1);
    m->G = GOS_NEW(a, double, n *n + 1);
    m->w = GOS_NEW(a, double, n + 1);
    m->work = GOS_NEW(a, double, 3 * n + 2 * nq + 1);
    m->x = GOS_NEW(a, double, n *nq + 1);
    m->Mx = GOS_NEW(a, double, n *nq + 1);
    return m->origin && m->scale && m->B && m->G && m->w && m->work && m->x && m->Mx ? GOS_OK
                                                                                     : GOS_E_MEMORY;
}

static void find_origins(gos_mechanisms *m, const double *q) {
    for (int v = m->s->nv - 1; v >= 0; v--) {
        if (m->of[v] >= 0 && m->s->trans[v] > 0) {
            memcpy(m->origin + 3L * m->of[v], q + 3L * v, 3 * sizeof *m->origin);
        }
    }
}

static void scale_columns(gos_mechanisms *m, const double *q) {
    const gos_system *s = m->s;
    double *x = m->work, *Mx = m->work + s->nq;
    for (int j = 0; j < m->columns; j++) {
        m->scale[j] = 1;
        memset(x, 0, (size_t)s->nq * sizeof *x);
        add_column(m, q, j, 1, x);
        gos__rows_apply(&s->mass, 3, x, Mx);
        const double size = cblas_ddot(s->nq, x, 1, Mx, 1);
        const double extent = j % RIGID < 3 ? 1 : s->extent * s->extent;
        m->scale[j] = size > INDEPENDENT * extent * s->mass_total / m->parts ? 1 / sqrt(size) : 0;
    }
}

/* G (columns, columns): squared constraint violation of the motions */
static void violation(gos_mechanisms *m, const double *q, const double *values) {
    const gos_system *s = m->s;
    const gos_pattern *of = &s->pattern;
    const size_t columns = m->columns;
    memset(m->B, 0, s->nc * columns * sizeof *m->B);
    memset(m->G, 0, columns * columns * sizeof *m->G);
    for (int i = 0; i < s->nq; i++) {
        const int part = m->of[i / 3];
        const size_t stride = of->n, column = i;
        const size_t from = of->dense ? column * stride : (size_t)of->p[i];
        const size_t to = of->dense ? from + stride : (size_t)of->p[i + 1];
        for (size_t e = from; e < to && part >= 0; e++) {
            const int row = (of->dense ? (int)(e - from) : of->i[e]) - s->at.lam;
            for (int k = 0; k < RIGID && row >= 0 && row < s->nc; k++) {
                const size_t j = (size_t)RIGID * (size_t)part + k;
                m->B[row * columns + j] +=
                    values[e] * m->scale[j] * component(m, q, i / 3, i % 3, k);
            }
        }
    }
    if (s->nc > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m->columns, m->columns, s->nc, 1, m->B,
                    m->columns, m->B, m->columns, 0, m->G, m->columns);
    }
}

/* append eigenvector i of G */
static void append(gos_mechanisms *m, const double *q, int i) {
    const gos_system *s = m->s;
    const size_t nq = s->nq;
    const double *V = m->G + (size_t)i * (size_t)m->columns;
    double *x = m->x + m->n * nq, *Mx = m->Mx + m->n * nq;
    memset(x, 0, nq * sizeof *x);
    for (int j = 0; j < m->columns; j++) {
        add_column(m, q, j, V[j], x);
    }
    for (int pass = 0; pass < 2; pass++) {
        gos__mechanisms_remove(m, s->nq, x);
    }
    gos__rows_apply(&s->mass, 3, x, Mx);
    const double size = cblas_ddot(s->nq, x, 1, Mx, 1);
    if (size > INDEPENDENT) {
        cblas_dscal(s->nq, 1 / sqrt(size), x, 1);
        cblas_dscal(s->nq, 1 / sqrt(size), Mx, 1);
        m->n++;
    }
}

gos_status gos__mechanisms_find(gos_mechanisms *m, const double *q, const double *values) {
    m->n = 0;
    if (m->columns == 0) {
        return GOS_OK;
    }
    find_origins(m, q);
    scale_columns(m, q);
    violation(m, q, values);
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', m->columns, m->G, m->columns, m->w, m->work,
                           3 * m->columns) != 0) {
        return GOS_E_SINGULAR;
    }
    for (int i = 0; i < m->columns && m->w[i] <= MAX_VIOLATION * m->w[m->columns - 1]; i++) {
        append(m, q, i);
    }
    return GOS_OK;
}

void gos__mechanisms_remove(const gos_mechanisms *m, int nq, double *x) {
    for (long k = 0; k < m->n; k++) {
        const double part = cblas_ddot(nq, m->Mx + k * nq, 1, x, 1);
        cblas_daxpy(nq, -part, m->x + k * nq, 1, x, 1);
    }
}
