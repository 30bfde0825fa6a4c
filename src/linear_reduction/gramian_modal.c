/* Gramians from poles. With well-conditioned eigenvectors the Gramian in modal coordinates is a
   Cauchy matrix, P_jk = -b_j b_k^* / (p_j + conj p_k), and so is its Schur complement, with rows
   b_j - P_jk P_kk^-1 b_k. Pivoted Cholesky costs O(n) per column, with high relative accuracy
   (Gohberg, Kailath, Olshevsky, Math. of Computation 64 (1995); Demmel, SIAM J. Matrix Anal. 21
   (1999)). Pairs are eliminated together in real form, scaled by sqrt 2. */
#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "base/duration.h"
#include "linalg/dense.h"
#include "linear_reduction/dense_cost.h"
#include "linear_reduction/gramian.h"

#define MAX_CONDITION 1e5 // largest 1-norm condition estimate of eigenvectors
#define MIN_DECAY 1e-12   // smallest significant -Re p relative to the largest |p|
#define NEGLIGIBLE 1e-32  // relative squared norm of a negligible column

/* coupled states [first, first + n) in the order of `state` */
typedef struct group {
    int first, n;
    double *X;  // real modal coordinates to states (n, n)
    double *LX; // the same for L: E^-T X^-T (n, n)
} group;

typedef struct modal {
    gos_ctx *ctx;
    const gos_reduce_pencil *p;
    int n, nparts;
    int *state;      // states grouped by part (n)
    int *at;         // position of each state in `state` (n)
    double *re, *im; // poles; of a pair im > 0 comes first (n)
    double *B, *C;   // inputs and outputs in modal coordinates by rows (nu, n), (ny, n)
    group *parts;    // (nparts)
} modal;

/* ---- parts ----------------------------------------------------------------------------------- */

static int root(int *up, int i) {
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* union-find: coupled states share a root */
static gos_status find_parts(modal *m) {
    int *up = gos__alloc(m->ctx, 2L * m->n + 1, sizeof *up);
    if (!up) {
        return GOS_E_MEMORY;
    }
    int *size = up + m->n;
    for (int j = 0; j < m->n; j++) {
        up[j] = j;
        size[j] = 0;
    }
    for (int power = 0; power < 2; power++) {
        const gos_sparse *S = &m->p->A[power];
        for (int j = 0; j < S->n; j++) {
            for (int k = S->p[j]; k < S->p[j + 1]; k++) {
                up[root(up, S->i[k])] = root(up, j);
            }
        }
    }
    for (int j = 0; j < m->n; j++) {
        size[root(up, j)]++;
    }
    int next = 0; // size becomes the next position
    for (int j = 0; j < m->n; j++) {
        if (up[j] == j) {
            m->parts[m->nparts++] = (group){.first = next, .n = size[j]};
            next += size[j];
            size[j] = next - size[j];
        }
    }
    for (int j = 0; j < m->n; j++) {
        const int to = size[root(up, j)]++;
        m->state[to] = j;
        m->at[j] = to;
    }
    gos__free(m->ctx, up);
    return GOS_OK;
}

/* D (n, n) = factor times S on the states of a part */
static void cut(const modal *m, const group *part, const gos_sparse *S, double factor, double *D) {
    memset(D, 0, (size_t)part->n * part->n * sizeof *D);
    for (int c = 0; c < part->n; c++) {
        const int j = m->state[part->first + c];
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            gos__dense_column(D, part->n, c)[m->at[S->i[k]] - part->first] = factor * S->x[k];
        }
    }
}

/* ---- eigenvectors of a part ------------------------------------------------------------------ */

/* work (3 n n). Symmetric E and A with E positive definite: real poles, X^T E X = 1. */
static gos_status symmetric_part(modal *m, group *part, double *work, bool *good) {
    const int n = part->n;
    const size_t nn = (size_t)n * n;
    double *E = work, *A = work + nn;
    cut(m, part, &m->p->A[1], 1, E);
    *good = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, E, n) == 0;
    if (!*good) {
        return GOS_OK;
    }
    cut(m, part, &m->p->A[1], 1, E);
    cut(m, part, &m->p->A[0], 1, A);
    GOS_TRY(gos__dense_pencil(m->ctx, n, A, E, n, m->re + part->first, part->X));
    for (int j = 0; j < n; j++) {
        m->re[part->first + j] *= -1;
        m->im[part->first + j] = 0;
    }
    memcpy(part->LX, part->X, nn * sizeof *part->LX);
    return GOS_OK;
}

/* LAPACK's (v, conj v) as sqrt 2 (Re v, -Im v): |x| = |z| for orthonormal v */
static void real_coordinates(int n, const double *im, double *X) {
    for (int j = 0; j < n; j++) {
        if (im[j] > 0) {
            cblas_dscal(n, M_SQRT2, gos__dense_column(X, n, j), 1);
            cblas_dscal(n, -M_SQRT2, gos__dense_column(X, n, j + 1), 1);
        }
    }
}

/* work (3 n n) */
static gos_status general_part(modal *m, group *part, double *work, lapack_int *pivot, bool *good) {
    const int n = part->n;
    const size_t nn = (size_t)n * n;
    double *E = work, *A = work + nn, *LU = A + nn, rcond = 0;
    cut(m, part, &m->p->A[1], 1, E);
    cut(m, part, &m->p->A[0], -1, A);
    *good = LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, E, n, pivot) == 0;
    if (!*good) {
        return GOS_OK;
    }
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, E, n, pivot, A, n);
    GOS_TRY(gos__dense_general(m->ctx, n, A, m->re + part->first, m->im + part->first, part->X));
    real_coordinates(n, m->im + part->first, part->X);
    cut(m, part, &m->p->A[1], 1, E);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, E, n, part->X, n, 0, LU, n);
    memcpy(A, part->X, nn * sizeof *A);
    const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, A, n);
    *good = LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, A, n, pivot) == 0 &&
            LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, A, n, norm, &rcond) == 0 &&
            rcond * MAX_CONDITION > 1 && LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, LU, n, pivot) == 0;
    if (*good) {
        memset(part->LX, 0, nn * sizeof *part->LX);
        for (size_t j = 0; j < (size_t)n; j++) {
            part->LX[j * n + j] = 1;
        }
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'T', n, n, LU, n, pivot, part->LX, n);
    }
    return GOS_OK;
}

static void ports(const modal *m, const group *part) {
    const double *const from[2] = {m->p->B, m->p->Y[0]}, *const by[2] = {part->LX, part->X};
    double *const to[2] = {m->B, m->C};
    const int count[2] = {m->p->nu, m->p->ny};
    for (int side = 0; side < 2; side++) {
        for (long c = 0; c < count[side]; c++) {
            const double *x = from[side] + c * m->n;
            for (long j = 0; j < part->n; j++) {
                const double *v = by[side] + j * part->n;
                double sum = 0;
                for (int i = 0; i < part->n; i++) {
                    sum += v[i] * x[m->state[part->first + i]];
                }
                to[side][(size_t)(part->first + j) * count[side] + c] = sum;
            }
        }
    }
}

static gos_status foretell(const modal *m) {
    double all = 0;
    char text[64];
    for (int k = 0; k < m->nparts; k++) {
        all += pow(m->parts[k].n, 3);
    }
    gos__format(text, sizeof text, "balancing %d states by their eigenvectors", m->n);
    return gos__announce_duration(m->ctx, gos__forecast_eigen(m->ctx, (int)cbrt(all)), text);
}

static gos_status solve_parts(modal *m, bool *good) {
    GOS_TRY(foretell(m));
    for (int k = 0; k < m->nparts && *good; k++) {
        group *part = &m->parts[k];
        const size_t nn = (size_t)part->n * part->n;
        part->X = gos__alloc(m->ctx, 2 * nn + 1, sizeof *part->X);
        double *work = gos__alloc(m->ctx, 3 * nn + 1, sizeof *work);
        lapack_int *pivot = gos__alloc(m->ctx, part->n + 1L, sizeof *pivot);
        gos_status status = part->X && work && pivot ? GOS_OK : GOS_E_MEMORY;
        part->LX = part->X ? part->X + nn : NULL;
        bool done = false;
        if (status == GOS_OK && m->p->symmetric) {
            status = symmetric_part(m, part, work, &done);
        }
        if (status == GOS_OK && !done) {
            status = general_part(m, part, work, pivot, good);
        }
        gos__free(m->ctx, work);
        gos__free(m->ctx, pivot);
        GOS_TRY(status);
        if (*good) {
            ports(m, part);
        }
    }
    return GOS_OK;
}

/* remove ports of poles that do not decay (drop), or reject them */
static void decaying(modal *m, bool drop, bool *good) {
    double fastest = 0;
    for (int j = 0; j < m->n; j++) {
        fastest = fmax(fastest, hypot(m->re[j], m->im[j]));
    }
    for (long j = 0; j < m->n; j++) {
        if (-m->re[j] > MIN_DECAY * fastest) {
            continue;
        }
        *good = *good && drop && fastest > 0;
        memset(m->B + j * m->p->nu, 0, m->p->nu * sizeof *m->B);
        memset(m->C + j * m->p->ny, 0, m->p->ny * sizeof *m->C);
        m->re[j] = -fastest; // arbitrary
    }
}

/* ---- Cauchy matrix and its factor ------------------------------------------------------------ */

/* P P^T = G in modal coordinates; sign -1: conjugate poles */
typedef struct cauchy {
    int n, columns; // modal coordinates, columns of b
    double sign;
    const double *re, *im;
    double *b;    // rows (columns, n)
    double *left; // remaining diagonal of the Gramian (n)
    int count, cap;
    double *Z; // (n, count)
} cauchy;

/* complex b_j = (r + i s) / sqrt 2 of a pair, or a real one */
static gos_complex entry(const cauchy *c, long j, int column) {
    const double *b = c->b + j * c->columns + column;
    return c->im[j] > 0 ? gos__complex(b[0] * M_SQRT1_2, b[c->columns] * M_SQRT1_2)
                        : gos__complex(b[0], 0);
}

static gos_complex pole(const cauchy *c, int j) {
    return gos__complex(c->re[j], c->sign * c->im[j]);
}

/* to: coordinates j (and j + 1 of a pair) by k (and k + 1) */
static void block(const cauchy *c, int j, int k, double to[2][2]) {
    gos_complex with = 0, plain = 0; // b_j b_k^*, b_j b_k^T
    for (int i = 0; i < c->columns; i++) {
        const gos_complex bj = entry(c, j, i), bk = entry(c, k, i);
        with += bj * conj(bk);
        plain += bj * bk;
    }
    const gos_complex first = -with / (pole(c, j) + conj(pole(c, k)));
    const gos_complex second = -plain / (pole(c, j) + pole(c, k));
    const bool pj = c->im[j] > 0, pk = c->im[k] > 0;
    // from z_j conj z_k and z_j z_k to sqrt 2 (Re z, Im z); single z are real
    const double size = pj && pk ? 1 : pj || pk ? M_SQRT1_2 : 0.5;
    to[0][0] = size * creal(first + second);
    to[0][1] = size * cimag(second - first);
    to[1][0] = size * cimag(first + second);
    to[1][1] = size * creal(first - second);
}

static int width(const cauchy *c, int j) {
    return c->im[j] > 0 ? 2 : 1;
}

static int pivot_of(const cauchy *c, double *max) {
    int best = -1;
    *max = 0;
    for (int j = 0; j < c->n; j += width(c, j)) {
        const double size = c->left[j] + (width(c, j) == 2 ? c->left[j + 1] : 0);
        if (size > *max) {
            *max = size;
            best = j;
        }
    }
    return best;
}

/* rows b := b - P_jk P_kk^-1 b_k; columns P_jk L^-T of the factor, P_kk = L L^T; false: nothing
   remains */
static bool eliminate(cauchy *c, int k) {
    double pivot[2][2] = {{0}}, at[2][2];
    const int w = width(c, k);
    double *z = c->Z + (size_t)c->count * c->n;
    block(c, k, k, pivot);
    const double a = sqrt(pivot[0][0]), b = w == 2 ? pivot[1][0] / a : 0;
    const double rest = w == 2 ? pivot[1][1] - b * b : 0, d = rest > 0 ? sqrt(rest) : 0;
    if (!(a > 0)) {
        return false;
    }
    for (int j = 0; j < c->n; j += width(c, j)) {
        block(c, j, k, at);
        for (int i = 0; i < width(c, j); i++) {
            const double first = at[i][0] / a;
            z[j + i] = first;
            if (w == 2) {
                z[c->n + j + i] = d > 0 ? (at[i][1] - first * b) / d : 0;
            }
        }
    }
    // L^-1 b_k, so that pivot rows become zero
    double *bk = c->b + (size_t)k * c->columns;
    for (int i = 0; i < c->columns; i++) {
        const double u = bk[i] / a;
        const double v = d > 0 ? (bk[c->columns + i] - b * u) / d : 0;
        for (long j = 0; j < c->n; j++) {
            c->b[j * c->columns + i] -=
                j >= k && j < k + w ? 0 : z[j] * u + (w == 2 ? z[c->n + j] * v : 0);
        }
    }
    memset(bk, 0, (size_t)w * c->columns * sizeof *bk);
    for (int j = 0; j < c->n; j += width(c, j)) {
        block(c, j, j, at);
        for (int i = 0; i < width(c, j); i++) {
            c->left[j + i] = at[i][i];
        }
    }
    c->count += w;
    return true;
}

static gos_status factor(gos_ctx *ctx, cauchy *c) {
    double at[2][2], first;
    const size_t n = c->n;
    c->left = gos__zalloc(ctx, n + 1, sizeof *c->left);
    if (!c->left) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < c->n; j += width(c, j)) {
        block(c, j, j, at);
        for (int i = 0; i < width(c, j); i++) {
            c->left[j + i] = at[i][i];
        }
    }
    gos_status status = GOS_OK;
    int k = pivot_of(c, &first);
    for (double max = first; k >= 0 && c->count < c->n; k = pivot_of(c, &max)) {
        if (!(max > NEGLIGIBLE * first)) {
            break;
        }
        void *Z = c->Z;
        status = gos__grow(ctx, &Z, &c->cap, c->count + 2, n * sizeof *c->Z);
        c->Z = Z;
        if (status != GOS_OK || !eliminate(c, k)) {
            break;
        }
    }
    gos__free(ctx, c->left);
    return status;
}

/* *F (n, count) = X Z or LX Z of all parts, in state order */
static gos_status spread(const modal *m, const cauchy *c, bool left, double **F) {
    const size_t n = m->n;
    double *to = gos__zalloc(m->ctx, 2 * n * c->count + 1, sizeof *to);
    if (!to) {
        return GOS_E_MEMORY;
    }
    double *rows = to + n * c->count; // part by part
    for (int k = 0; k < m->nparts && c->count > 0; k++) {
        const group *part = &m->parts[k];
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, part->n, c->count, part->n, 1,
                    left ? part->LX : part->X, part->n, c->Z + part->first, m->n, 0,
                    rows + part->first, m->n);
    }
    for (int j = 0; j < c->count; j++) {
        for (int i = 0; i < m->n; i++) {
            to[j * n + m->state[i]] = rows[j * n + i];
        }
    }
    *F = to;
    return GOS_OK;
}

static gos_status factors(const modal *m, gos_gramians *g) {
    for (int left = 0; left < 2; left++) {
        cauchy c = {.n = m->n,
                    .columns = left ? m->p->ny : m->p->nu,
                    .sign = left ? -1 : 1,
                    .re = m->re,
                    .im = m->im,
                    .b = left ? m->C : m->B};
        gos_status status = factor(m->ctx, &c);
        status = status == GOS_OK ? spread(m, &c, left, left ? &g->L : &g->R) : status;
        *(left ? &g->nl : &g->nr) = c.count;
        gos__free(m->ctx, c.Z);
        GOS_TRY(status);
    }
    return GOS_OK;
}

gos_status gos__gramians_modal(gos_reduce_pencil *p, bool drop, gos_gramians *g, bool *done) {
    const size_t n = p->n;
    *g = (gos_gramians){.n = p->n};
    *done = p->nc == 0;
    if (!*done) {
        return GOS_OK;
    }
    modal m = {.ctx = p->ctx, .p = p, .n = p->n};
    m.state = gos__alloc(p->ctx, 2 * n + 1, sizeof *m.state);
    m.parts = gos__zalloc(p->ctx, n + 1, sizeof *m.parts);
    m.re = gos__zalloc(p->ctx, n * (2 + p->nu + p->ny) + 1, sizeof *m.re);
    gos_status status = m.state && m.parts && m.re ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        m.at = m.state + n;
        m.im = m.re + n;
        m.B = m.im + n;
        m.C = m.B + n * p->nu;
        status = find_parts(&m);
    }
    status = status == GOS_OK ? solve_parts(&m, done) : status;
    if (status == GOS_OK && *done) {
        decaying(&m, drop, done);
    }
    status = status == GOS_OK && *done ? factors(&m, g) : status;
    for (int k = 0; k < m.nparts; k++) {
        gos__free(p->ctx, m.parts[k].X);
    }
    gos__free(p->ctx, m.state);
    gos__free(p->ctx, m.parts);
    gos__free(p->ctx, m.re);
    if (status != GOS_OK) {
        gos__gramians_free(p->ctx, g);
    }
    return status;
}
