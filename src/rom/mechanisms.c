/* Mechanisms: null space of the constraint rows on the rigid motions of single bodies, in the
   current configuration. */
#include "rom/mechanisms.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/sparse.h"
#include "parts/first_order_states.h"

#define RIGID 6          // rigid motions of a body
#define MAX_PARTS 40     // bodies that move separately; more are one rigid part
#define INDEPENDENT 1e-8 // least squared norm of an independent motion, relative
// largest squared constraint violation of a mechanism, relative to that of rigid motions: states
// fulfil constraints to about 1e-9
#define MAX_VIOLATION 1e-10

/* Rigid motions of parts; column 6 i + k is motion k of part i. */
typedef struct parts {
    const gos_system *s;
    const double *q;
    int n, columns;
    int *of;        // part of each vector (nv)
    double *origin; // a point of each part (n, 3)
    double *scale;  // of each column to unit mass norm, 0: no motion (columns)
} parts;

/* component c of vector v in motion k of its part */
static double component(const parts *p, int v, int c, int k) {
    const double trans = p->s->trans[v];
    const int axis = k % 3, d = (axis + 1) % 3, e = (axis + 2) % 3;
    const double *o = p->origin + 3L * p->of[v], *q = p->q + 3L * v;
    if (k < 3) {
        return c == axis ? trans : 0;
    }
    return c == e ? q[d] - trans * o[d] : c == d ? trans * o[e] - q[e] : 0;
}

/* x (nq) += factor times column j */
static void add_column(const parts *p, int j, double factor, double *x) {
    for (int i = 0; i < p->s->nq; i++) {
        if (p->of[i / 3] == j / RIGID) {
            x[i] += factor * p->scale[j] * component(p, i / 3, i % 3, j % RIGID);
        }
    }
}

static void split(parts *p) {
    const gos_system *s = p->s;
    int bodies = 0;
    for (int i = 0; i < s->nbody; i++) {
        bodies += s->body[i]->nv > 0 && !gos__body_is_states(s->body[i]);
    }
    const bool separate = bodies <= MAX_PARTS;
    p->n = 0;
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        const bool moves = b->nv > 0 && !gos__body_is_states(b);
        for (int v = b->v0; v < b->v0 + b->nv; v++) {
            p->of[v] = moves ? (separate ? p->n : 0) : -1;
        }
        p->n += moves && (separate || p->n == 0);
    }
    p->columns = RIGID * p->n;
}

static void find_origins(parts *p) {
    for (int v = p->s->nv - 1; v >= 0; v--) {
        if (p->of[v] >= 0 && p->s->trans[v] > 0) {
            memcpy(p->origin + 3L * p->of[v], p->q + 3L * v, 3 * sizeof *p->origin);
        }
    }
}

/* x, Mx: scratch (nq) */
static void scale_columns(parts *p, double *x, double *Mx) {
    const gos_system *s = p->s;
    for (int j = 0; j < p->columns; j++) {
        p->scale[j] = 1;
        memset(x, 0, (size_t)s->nq * sizeof *x);
        add_column(p, j, 1, x);
        gos__rows_apply(&s->mass, 3, x, Mx);
        const double size = cblas_ddot(s->nq, x, 1, Mx, 1);
        const double extent = j % RIGID < 3 ? 1 : s->extent * s->extent;
        p->scale[j] = size > INDEPENDENT * extent * s->mass_total / p->n ? 1 / sqrt(size) : 0;
    }
}

/* G (columns, columns): squared constraint violation of the motions; B: scratch (nc, columns) */
static gos_status violation(gos_ctx *ctx, const parts *p, const double *values, double *B,
                            double *G) {
    const gos_system *s = p->s;
    const size_t columns = p->columns;
    gos_sparse C;
    const gos_status status =
        gos__sparse_block(ctx, &s->pattern, values, s->at.lam, s->nc, 0, s->nq, &C);
    for (int i = 0; i < s->nq && status == GOS_OK; i++) {
        const int part = p->of[i / 3];
        for (int e = C.p[i]; e < C.p[i + 1] && part >= 0; e++) {
            for (int k = 0; k < RIGID; k++) {
                const size_t j = (size_t)RIGID * (size_t)part + k;
                B[C.i[e] * columns + j] += C.x[e] * p->scale[j] * component(p, i / 3, i % 3, k);
            }
        }
    }
    gos__sparse_free(ctx, &C);
    if (status == GOS_OK && s->nc > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, p->columns, p->columns, s->nc, 1, B,
                    p->columns, B, p->columns, 0, G, p->columns);
    }
    return status;
}

/* append column i of the eigenvectors V */
static void append(const parts *p, const double *V, int i, gos_mechanisms *m) {
    const gos_system *s = p->s;
    const size_t nq = s->nq;
    double *x = m->x + m->n * nq, *Mx = m->Mx + m->n * nq;
    memset(x, 0, nq * sizeof *x);
    for (long j = 0; j < p->columns; j++) {
        add_column(p, (int)j, V[j * p->columns + i], x);
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

static gos_status find(gos_ctx *ctx, gos_arena *a, parts *p, const double *values,
                       gos_mechanisms *m) {
    const gos_system *s = p->s;
    const size_t nq = s->nq, nc = s->nc;
    p->of = GOS_NEW(a, int, s->nv + 1);
    if (!p->of) {
        return GOS_E_MEMORY;
    }
    split(p);
    const size_t n = p->columns;
    double *B = GOS_NEW(a, double, nc *n + 1), *G = GOS_NEW(a, double, n *n + 1);
    double *w = GOS_NEW(a, double, n + 1), *x = GOS_NEW(a, double, 2 * nq + 1);
    p->origin = GOS_NEW(a, double, 3L * p->n + 1);
    p->scale = GOS_NEW(a, double, n + 1);
    if (!B || !G || !w || !x || !p->origin || !p->scale) {
        return GOS_E_MEMORY;
    }
    find_origins(p);
    scale_columns(p, x, x + nq);
    GOS_TRY(violation(ctx, p, values, B, G));
    if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', p->columns, G, p->columns, w) != 0) {
        return GOS_E_SINGULAR;
    }
    int count = 0;
    while (count < p->columns && w[count] <= MAX_VIOLATION * w[p->columns - 1]) {
        count++;
    }
    m->x = gos__alloc(ctx, count * nq + 1, sizeof *m->x);
    m->Mx = gos__alloc(ctx, count * nq + 1, sizeof *m->Mx);
    if (!m->x || !m->Mx) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        append(p, G, i, m);
    }
    return GOS_OK;
}

gos_status gos__mechanisms_create(gos_ctx *ctx, const gos_system *s, const double *q,
                                  const double *values, gos_mechanisms *mechanisms) {
    parts p = {.s = s, .q = q};
    *mechanisms = (gos_mechanisms){0};
    if (s->derived) {
        return GOS_OK;
    }
    gos_arena *a = gos__arena_create(ctx);
    const gos_status status = a ? find(ctx, a, &p, values, mechanisms) : GOS_E_MEMORY;
    gos__arena_destroy(a);
    return status;
}

void gos__mechanisms_free(gos_ctx *ctx, gos_mechanisms *m) {
    gos__free(ctx, m->x);
    gos__free(ctx, m->Mx);
    *m = (gos_mechanisms){0};
}

void gos__mechanisms_remove(const gos_mechanisms *m, int nq, double *x) {
    for (long k = 0; k < m->n; k++) {
        const double part = cblas_ddot(nq, m->Mx + k * nq, 1, x, 1);
        cblas_daxpy(nq, -part, m->x + k * nq, 1, x, 1);
    }
}
