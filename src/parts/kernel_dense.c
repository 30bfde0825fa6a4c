/* Tangent of a dense (reduced) point block: every point touches all fields, so the sums over points
   are matrix products. Points are taken in chunks; for each component c of the force

       J[(i, c), :] += sum_(p, q) b_qi(p) T_c[(p, q), :],   T_c = w [Kz b | G N] at point p, row 3q + c

   and for each temperature family f   J[(k, f), :] -= sum_p N_k(p) V_f[p, :],  V_f = w [Hz b | Ht N]. */
#include <cblas.h>

#include "base/kernel.h"
#include "parts/gram.h"

typedef gos_v8 vd;
#define L GOS_LANES
#define CHUNK 8 // batches at a time: the products stay in cache

typedef struct dense_scratch {
    double *z, *zd, *t, *Kz, *G, *Hz, *Ht; // one batch
    double *B;                             // (CHUNK L nz, m)
    double *T;                             // (3)(CHUNK L nz, ncol)
    double *N;                             // (CHUNK L, nt)
    double *V;                             // (nfam)(CHUNK L, ncol)
    double *C;                             // (m, ncol) or (nt, ncol)
    double *lane;                          // (3 nz)(ncol)(L): one batch before transposing
} dense_scratch;

static size_t carve(const gos_points *p, double *work, dense_scratch *s) {
    const size_t nz = p->law->nz, m = p->nv, nf = p->nfam;
    const size_t nt = p->nt, ncol = 3 * m + nt * nf, rows = CHUNK * L;
    const size_t big = m > nt ? m : nt;
    struct {
        double **where;
        size_t n;
    } list[] = {{&s->z, 3 * nz * L},       {&s->zd, 3 * nz * L},      {&s->t, nf * L},
                {&s->Kz, 9 * nz * nz * L}, {&s->G, 3 * nz * nf * L},  {&s->Hz, 3 * nz * nf * L},
                {&s->Ht, nf * nf * L},     {&s->B, rows * nz * m},    {&s->T, 3 * rows * nz * ncol},
                {&s->N, rows * nt},        {&s->V, nf * rows * ncol}, {&s->C, big * ncol},
                {&s->lane, ncol * L}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (work) {
            *list[i].where = work + at;
        }
        at += (list[i].n + 7) / 8 * 8; // keep every array on a 64-byte boundary
    }
    return at;
}

size_t gos__points_dense_work(const gos_points *p) {
    dense_scratch s;
    const size_t a = carve(p, NULL, &s), b = gos__points_work(p);
    return a > b ? a : b;
}

/* values at the points of a batch with tables b, N and z0 (NULL: 0) */
GOS_INLINE void values_at(const gos_points *p, const double *b, const double *N, const double *z0,
                          const gos_points_sum *s, int rates, dense_scratch *k) {
    const int nz = p->law->nz, m = p->nv, nf = p->nfam;
    const double *e = s->e + 3L * p->v[0], *v = rates ? s->v + 3L * p->v[0] : NULL;
    for (int q = 0; q < nz; q++) {
        for (int c = 0; c < 3; c++) {
            vd x = {0}, xd = {0};
            if (z0) {
                x = GOS_CV8(z0, 3 * q + c);
            }
            for (int j = 0; j < m; j++) {
                x += GOS_CV8(b, q * m + j) * e[3 * j + c];
            }
            GOS_V8(k->z, 3 * q + c) = x;
            for (int j = 0; j < m && rates; j++) {
                xd += GOS_CV8(b, q * m + j) * v[3 * j + c];
            }
            GOS_V8(k->zd, 3 * q + c) = xd;
        }
    }
    for (int f = 0; f < nf && p->nt; f++) {
        vd x = {0};
        for (int i = 0; i < p->nt; i++) {
            x += GOS_CV8(N, i) * s->th[p->th[(i * nf + f) * L]];
        }
        GOS_V8(k->t, f) = x;
    }
}

GOS_INLINE void laws_at(const gos_points *p, const double *ref, const double *mem,
                        const gos_points_sum *s, const gos_points_factors *factors, int rates,
                        const dense_scratch *k) {
    const int nz = p->law->nz, nf = p->nfam, thermal = p->nt > 0;
    const gos_batch b = {.z = k->z,
                         .zd = rates ? k->zd : NULL,
                         .th = thermal ? k->t : NULL,
                         .ref = ref,
                         .mem = mem,
                         .ck = factors->k,
                         .cd = factors->d,
                         .hk = factors->hk,
                         .hd = factors->hd,
                         .Kz = k->Kz,
                         .G = thermal ? k->G : NULL,
                         .Hz = thermal ? k->Hz : NULL,
                         .Ht = thermal ? k->Ht : NULL};
    if (thermal) {
        memset(k->G, 0, sizeof(vd) * (3 * nz * nf));
        memset(k->Hz, 0, sizeof(vd) * (3 * nz * nf));
        memset(k->Ht, 0, sizeof(vd) * (nf * nf));
    }
    p->law->tangent(p->par, nf, &b);
    for (int i = 0; thermal && i < p->nsurf; i++) {
        const gos_surface *f = &p->surf[i];
        f->type->tangent(f->par, p->law, p->par, nf, s->fn + f->fn0, s->scale, &b);
    }
}

/* row[lane][ncol] = [w rowK b | wg rowG N] with rowK (3 nz)(L) and rowG (nf)(L) */
GOS_INLINE void half_row(const gos_points *p, const double *b, const double *N, const vd *w,
                         const vd *wg, const double *rowK, const double *rowG, double *lane,
                         double *out, size_t stride) {
    const int nz = p->law->nz, m = p->nv, nf = p->nfam, ncol = 3 * m + p->nt * nf;
    for (int j = 0; j < m; j++) {
        for (int d = 0; d < 3; d++) {
            vd x = {0};
            for (int r = 0; r < nz; r++) {
                x += GOS_CV8(b, r * m + j) * GOS_CV8(rowK, 3 * r + d);
            }
            GOS_V8(lane, 3 * j + d) = *w * x;
        }
    }
    for (int i = 0; i < p->nt; i++) {
        for (int f = 0; f < nf; f++) {
            GOS_V8(lane, 3 * m + i * nf + f) = *wg * GOS_CV8(N, i) * GOS_CV8(rowG, f);
        }
    }
    for (long l = 0; l < L; l++) {
        for (long j = 0; j < ncol; j++) {
            out[l * stride + j] = lane[j * L + l];
        }
    }
}

GOS_INLINE void fill_batch(const gos_points *p, int ib, int at, const gos_points_sum *s,
                           const gos_points_factors *factors, int rates, dense_scratch *k) {
    const long nz = p->law->nz, m = p->nv, nf = p->nfam, nt = p->nt;
    const size_t ncol = 3 * m + nt * nf, rows = CHUNK * L;
    const size_t tab = p->tab[ib];
    const double *b = p->b + tab * (nz * m) * L;
    const double *N = nt ? p->N + tab * nt * L : NULL;
    const double *ref = p->ref + tab * p->law->nref * L;
    const double *z0 = p->z0 ? p->z0 + tab * 3 * nz * L : NULL;
    const vd w = GOS_CV8(p->w + tab * L, 0), wk = factors->k * w, wh = factors->hk * w;
    values_at(p, b, N, z0, s, rates, k);
    const size_t nmem = (size_t)p->law->nmem * L;
    laws_at(p, ref, nmem ? s->mem + p->m0 + ib * nmem : NULL, s, factors, rates, k);
    for (long q = 0; q < nz; q++) {
        for (int l = 0; l < L; l++) {
            double *row = k->B + ((at * L + l) * nz + q) * m;
            for (int j = 0; j < m; j++) {
                row[j] = b[(q * m + j) * L + l];
            }
        }
        for (long c = 0; c < 3; c++) {
            double *out = k->T + (c * rows * nz + at * L * nz + q) * ncol;
            half_row(p, b, N, &w, &wk, k->Kz + (3 * q + c) * 3 * nz * L,
                     k->G + (3 * q + c) * nf * L, k->lane, out, nz * ncol);
        }
    }
    for (int l = 0; l < L; l++) {
        for (long i = 0; i < nt; i++) {
            k->N[(at * L + l) * nt + i] = N[i * L + l];
        }
    }
    for (long f = 0; f < nf && nt; f++) {
        double *out = k->V + (f * rows + at * L) * ncol;
        half_row(p, b, N, &w, &wh, k->Hz + f * 3 * nz * L, k->Ht + f * nf * L, k->lane, out, ncol);
    }
}

/* unknown of column j of a half-projected row */
static int column_of(const gos_points *p, int nq, int j) {
    return j < 3 * p->nv ? 3 * p->v[0] + j : nq + p->th[(j - 3 * p->nv) * L];
}

/* heat rows begin at column `from` */
static void add_products(const gos_points *p, int nb, int from, int n, int nq, double *values,
                         const dense_scratch *k) {
    const int nz = p->law->nz, m = p->nv, nf = p->nfam, nt = p->nt, ncol = 3 * m + nt * nf;
    const size_t rows = CHUNK * L;
    for (long c = 0; c < 3; c++) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, ncol, nb * L * nz, 1, k->B, m,
                    k->T + c * rows * (nz * ncol), ncol, 0, k->C, ncol);
        for (int j = 0; j < ncol; j++) {
            double *column = values + (size_t)column_of(p, nq, j) * n + 3 * p->v[0];
            for (int i = 0; i < m; i++) {
                column[3 * i + c] += k->C[i * ncol + j];
            }
        }
    }
    for (long f = 0; f < nf && nt; f++) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nt, ncol - from, nb * L, -1, k->N, nt,
                    k->V + f * rows * ncol + from, ncol, 0, k->C + from, ncol);
        for (int j = from; j < ncol; j++) {
            double *column = values + (size_t)column_of(p, nq, j) * n;
            for (int i = 0; i < nt; i++) {
                column[nq + p->th[(i * nf + f) * L]] += k->C[i * ncol + j];
            }
        }
    }
}

GOS_KERNEL void gos__points_tangent_dense(const gos_points *p, const gos_points_sum *s,
                                          const gos_points_factors *f, int n, int nq,
                                          double *values, double *work) {
    dense_scratch k;
    if (p->gram) {
        gos__gram_tangent(p, s, f, n, nq, values, work);
        return;
    }
    carve(p, work, &k);
    const int rates = s->v != NULL && p->rates;
    for (int from = 0; from < p->nb; from += CHUNK) {
        const int nb = p->nb - from < CHUNK ? p->nb - from : CHUNK;
        for (int i = 0; i < nb; i++) {
            fill_batch(p, from + i, i, s, f, rates, &k);
        }
        add_products(p, nb, f->triangular ? 3 * p->nv : 0, n, nq, values, &k);
    }
}
