/* Temperatures in the damped problem: (s C_T + K_T) theta + (H_q + s H_v) q = 0 with (s^2 M + s
   D + K) q + G theta = 0, projected on the slowest fields, then residuals times (tau C_T +
   K_T)^-1, tau near |s|. For s = i tau this rational Krylov space with one pole converges by at
   least a factor 1 + sqrt(2) per direction. */
#include <float.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linear/quadratic.h"

#define EXTRA_FIELDS 8 // additional fields in the initial basis
#define EACH 24        // directions available per mode
#define SLOW 1e-12     // smallest tau relative to the fastest rate
#define ROUNDED (30 * DBL_EPSILON)
#define ZERO 1e-13 // relative rate of a conserved field

static gos_pencil pencil_of(const gos_quadratic *q) {
    return (gos_pencil){.K = &q->l->K_T,
                        .M = &q->l->block[GOS_BLOCK_C_T],
                        .C = &q->l->block[GOS_BLOCK_H],
                        .ncomp = 1};
}

static double capacity_norm(const gos_quadratic *q, const double *x, double *Cx) {
    gos__sparse_apply(&q->l->block[GOS_BLOCK_C_T], 1, x, Cx);
    return sqrt(fabs(gos__dense_dot(q->heat->n, x, Cx)));
}

double gos__thermal_norm(gos_quadratic *q, const double *theta) {
    return capacity_norm(q, theta, q->heat->work);
}

gos_status gos__thermal_begin(gos_quadratic *q) {
    gos_quadratic_heat *h = q->heat;
    const gos_pencil p = pencil_of(q);
    h->n = q->l->nt;
    h->nz = h->n - q->l->nh;
    const int some = h->wanted + EXTRA_FIELDS, modes = q->m0 + h->wanted;
    const int want = q->whole || some > h->nz ? h->nz : some;
    h->cap = want + EACH * modes < h->nz ? want + EACH * modes : h->nz;
    const size_t n = h->n;
    h->V = gos__alloc(q->ctx, n * (h->cap + want) + 1, sizeof *h->V);
    h->work = gos__alloc(q->ctx, GOS_HEAT_WORK * n + want + 1, sizeof *h->work);
    if (!h->V || !h->work) {
        return GOS_E_MEMORY;
    }
    h->scale = 1;
    h->least = fmax(SLOW * gos__pencil_scale(&p), DBL_MIN);
    h->fastest = gos__pencil_scale(&p);
    h->rounding = ROUNDED * gos__pencil_scale(&p);
    GOS_TRY(gos__eigen_lowest(q->ctx, &p, want, h->work + GOS_HEAT_WORK * n, h->V, &h->m));
    if (h->m < want) {
        h->nz = h->m; // all fields
    }
    return h->m < h->nz ? gos__saddle_create(q->ctx, &p, &h->saddle) : GOS_OK;
}

void gos__thermal_free(gos_quadratic *q) {
    gos_quadratic_heat *h = q->heat;
    if (h) {
        gos__saddle_destroy(h->saddle);
        gos__free(q->ctx, h->V);
        gos__free(q->ctx, h->work);
        gos__free(q->ctx, h->root);
        gos__free(q->ctx, h->column);
    }
}

/* ---- projection ------------------------------------------------------------------------------ */

static double size_of(size_t n, const double *A) {
    double most = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(A[i]));
    }
    for (size_t i = 0; i < n && most > 0; i++) {
        sum += A[i] / most * (A[i] / most);
    }
    return most * sqrt(sum);
}

/* Coupling blocks in undamped modes of the projection. */
typedef struct coupling {
    double *G;   // force by temperature (m, mt)
    double *H_q; // heat due to displacement, over its frequency w (mt, m)
    double *H_v; // heat by velocity (mt, m)
    double *K_T; // (mt, mt)
    double *VW;  // undamped modes (n, m)
    double *T;   // scratch (n or nt, m or mt)
} coupling;

static void gather(const gos_quadratic *q, const coupling *c) {
    const gos_quadratic_heat *h = q->heat;
    const gos_sparse *block = q->l->block;
    gos__dense_combine(q->n, q->m, q->m, gos__dense_column(q->V, q->n, q->nidle), q->W, c->VW);
    gos__sparse_apply(&block[GOS_BLOCK_G], h->m, h->V, c->T);
    gos__dense_product(q->m, h->m, q->n, c->VW, c->T, c->G);
    gos__sparse_apply(&block[GOS_BLOCK_H_q], q->m, c->VW, c->T);
    gos__dense_product(h->m, q->m, h->n, h->V, c->T, c->H_q);
    gos__sparse_apply(&block[GOS_BLOCK_H_v], q->m, c->VW, c->T);
    gos__dense_product(h->m, q->m, h->n, h->V, c->T, c->H_v);
    gos__sparse_apply(&block[GOS_BLOCK_K_T], h->m, h->V, c->T);
    gos__dense_product(h->m, h->m, h->n, h->V, c->T, c->K_T);
    for (int j = 0; j < q->m; j++) {
        for (int k = 0; k < h->m; k++) {
            gos__dense_column(c->H_q, h->m, j)[k] /= q->w[j];
        }
    }
}

/* thermal rows and columns after the pairs (y, v) of the modes, stiffest first */
static void place(const gos_quadratic *q, const coupling *c, double *A) {
    const gos_quadratic_heat *h = q->heat;
    const int m = q->m, N = q->nroots;
    for (int k = 0; k < h->m; k++) {
        double *column = gos__dense_column(A, N, 2 * m + k);
        for (int i = 0; i < m; i++) {
            column[2 * (m - 1 - i) + 1] = -h->scale * gos__dense_column(c->G, m, k)[i];
        }
        for (int i = 0; i < h->m; i++) {
            column[2 * m + i] = -gos__dense_column(c->K_T, h->m, k)[i];
        }
    }
    for (int j = 0; j < m; j++) {
        double *y = gos__dense_column(A, N, 2 * (m - 1 - j)) + 2 * m;
        for (int k = 0; k < h->m; k++) {
            y[k] = -gos__dense_column(c->H_q, h->m, j)[k] / h->scale;
            y[N + k] = -gos__dense_column(c->H_v, h->m, j)[k] / h->scale;
        }
    }
}

gos_status gos__thermal_project(gos_quadratic *q, double *A) {
    gos_quadratic_heat *h = q->heat;
    const size_t m = q->m, mt = h->m, n = q->n > h->n ? q->n : h->n;
    double *room = gos__alloc(q->ctx, 3 * m * mt + mt * mt + q->n * m + n * (m > mt ? m : mt) + 1,
                              sizeof *room);
    if (!room) {
        return GOS_E_MEMORY;
    }
    coupling c = {.G = room};
    c.H_q = c.G + m * mt;
    c.H_v = c.H_q + m * mt;
    c.K_T = c.H_v + m * mt;
    c.VW = c.K_T + mt * mt;
    c.T = c.VW + q->n * m;
    gather(q, &c);
    // for H_v = -T0 G^T this is sqrt(T0), T0 absolute
    const double force = size_of(m * mt, c.G), heat = size_of(2 * m * mt, c.H_q);
    h->scale = force > 0 && heat > 0 ? sqrt(heat / force) : 1;
    place(q, &c, A);
    gos__free(q->ctx, room);
    return GOS_OK;
}

void gos__thermal_expand(const gos_quadratic *q, int column, double *theta) {
    const gos_quadratic_heat *h = q->heat;
    const double *c = gos__dense_column(q->Y, q->nroots, column) + 2 * q->solved;
    memset(theta, 0, h->n * sizeof *theta);
    for (int k = 0; k < h->solved; k++) {
        const double *v = gos__dense_column(h->V, h->n, k);
        for (int i = 0; i < h->n; i++) {
            theta[i] += h->scale * c[k] * v[i];
        }
    }
}

/* ---- additional directions ------------------------------------------------------------------- */

double gos__thermal_orthogonalise(const gos_quadratic *q, double *z, double *Cz) {
    const gos_quadratic_heat *h = q->heat;
    capacity_norm(q, z, Cz);
    for (int k = 0; k < h->m; k++) {
        const double *v = gos__dense_column(h->V, h->n, k);
        const double along = gos__dense_dot(h->n, v, Cz);
        for (int i = 0; i < h->n; i++) {
            z[i] -= along * v[i];
        }
    }
    return capacity_norm(q, z, Cz);
}

gos_status gos__thermal_add(gos_quadratic *q, double *z, double *scratch, int *added) {
    gos_quadratic_heat *h = q->heat;
    const double before = capacity_norm(q, z, scratch);
    if (h->m >= h->cap || h->m >= h->nz || !(before > 0) ||
        !(gos__thermal_orthogonalise(q, z, scratch) > GOS_DEPENDENT * before)) {
        return GOS_OK;
    }
    GOS_TRY(gos__saddle_project(h->saddle, z));
    gos__thermal_orthogonalise(q, z, scratch);
    const double after = gos__thermal_orthogonalise(q, z, scratch);
    double *v = gos__dense_column(h->V, h->n, h->m++);
    for (int i = 0; i < h->n; i++) {
        v[i] = z[i] / after;
    }
    ++*added;
    return GOS_OK;
}

gos_status gos__thermal_improve(gos_quadratic *q, double re, double im, double size, double *x[2],
                                double *theta[2], double *worst, int *added) {
    enum { TERMS = 4, PARTS = 2 };
    gos_quadratic_heat *h = q->heat;
    if (h->m >= h->nz) {
        return GOS_OK; // complete space
    }
    const size_t n = h->n;
    const double p_re[TERMS] = {1, re, 1, re}, p_im[TERMS] = {0, im, 0, im};
    static const gos_block block[TERMS] = {GOS_BLOCK_K_T, GOS_BLOCK_C_T, GOS_BLOCK_H_q,
                                           GOS_BLOCK_H_v};
    double *Y = h->work, *z[PARTS] = {Y + TERMS * PARTS * n, Y + (TERMS * PARTS + 1) * n};
    double *t = z[1] + n, sum = 0;
    for (int k = 0; k < TERMS * PARTS; k++) {
        double *const *from = k / PARTS < 2 ? theta : x;
        gos__sparse_apply(&q->l->block[block[k / PARTS]], 1, from[k % PARTS], Y + k * n);
    }
    GOS_TRY(gos__saddle_solve(h->saddle, TERMS * PARTS, Y, Y));
    memset(z[0], 0, PARTS * n * sizeof *z[0]);
    for (int k = 0; k < TERMS * PARTS; k++) {
        const double *y = Y + k * n, pr = p_re[k / PARTS], pi = p_im[k / PARTS];
        const double r = k % PARTS ? -pi : pr, i = k % PARTS ? pr : pi;
        sum += hypot(pr, pi) * capacity_norm(q, y, t);
        for (size_t e = 0; e < n; e++) {
            z[0][e] += r * y[e];
            z[1][e] += i * y[e];
        }
    }
    // parts in the basis are round-off: the residual is orthogonal to it
    const double left =
        hypot(gos__thermal_orthogonalise(q, z[0], t), gos__thermal_orthogonalise(q, z[1], t));
    const double error = left > 0 ? left / fmax(sum, GOS_WEAK * h->scale * size) : 0;
    *worst = fmax(*worst, error);
    for (int part = 0; part < (im > 0 ? 2 : 1) && error > GOS_ACCURATE; part++) {
        GOS_TRY(gos__thermal_add(q, z[part], t, added));
    }
    return GOS_OK;
}

/* ---- thermal roots --------------------------------------------------------------------------- */

gos_status gos__thermal_roots(gos_quadratic *q) {
    gos_quadratic_heat *h = q->heat;
    double fastest = 0;
    gos__free(q->ctx, h->root);
    gos__free(q->ctx, h->column);
    h->root = gos__zalloc(q->ctx, q->nroots + 1L, sizeof *h->root);
    h->column = gos__zalloc(q->ctx, q->nroots + 1L, sizeof *h->column);
    if (!h->root || !h->column) {
        return GOS_E_MEMORY;
    }
    h->nroot = 0;
    for (int i = 0; i < q->nroots; i++) {
        fastest = q->thermal[i] ? fmax(fastest, hypot(q->re[i], q->im[i])) : fastest;
    }
    for (int i = 0; i < q->nroots; i++) {
        const double size = hypot(q->re[i], q->im[i]);
        if (!q->thermal[i] || q->im[i] < 0) {
            continue;
        }
        int at = h->nroot++;
        for (; at > 0 && hypot(h->root[at - 1].re, h->root[at - 1].im) > size; at--) {
            h->root[at] = h->root[at - 1];
            h->column[at] = h->column[at - 1];
        }
        const bool kept = size <= ZERO * fastest;
        h->root[at] = (gos_root){.re = kept ? 0 : q->re[i], .im = kept ? 0 : q->im[i]};
        h->column[at] = i;
    }
    return GOS_OK;
}
