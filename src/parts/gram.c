#include "parts/gram.h"

#include <cblas.h>

#include "math/vec3.h"

typedef struct scratch {
    double *c, *v;      // (all, 3)
    double *g, *gd;     // (pairs) products minus initial ones, rates
    double *tau;        // (pairs) dW/dg plus viscous part
    double *s, *sd, *x; // elastic form and its rate (rank), viscous form (vrank)
    double *D, *Dd;     // (rank, 3 m) ds/dc, and its rate
    double *X, *Xd;     // (vrank, 3 m) viscous form
    double *K;          // (3 m, 3 m), or (3 m, nt)
} scratch;

static size_t carve(const gos_gram *k, double *work, scratch *s) {
    const size_t all = k->all, pairs = k->pairs, n = 3L * k->m;
    const size_t wide = n > (size_t)k->nt ? n : (size_t)k->nt;
    struct {
        double **where;
        size_t n;
    } list[] = {{&s->c, 3 * all},      {&s->v, 3 * all},      {&s->g, pairs},
                {&s->gd, pairs},       {&s->tau, pairs},      {&s->s, k->rank},
                {&s->sd, k->rank},     {&s->x, k->vrank},     {&s->D, k->rank * n},
                {&s->Dd, k->rank * n}, {&s->X, k->vrank * n}, {&s->Xd, k->vrank * n},
                {&s->K, n * wide}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (work) {
            *list[i].where = work + at;
        }
        at += (list[i].n + 7) / 8 * 8;
    }
    return at;
}

size_t gos__gram_work(const gos_gram *k) {
    scratch s;
    return carve(k, NULL, &s);
}

/* y (rows) += A (rows, n) x */
static void multiply(int rows, int n, const double *A, const double *x, double *y) {
    if (rows > 0 && n > 0) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, rows, n, 1, A, n, x, 1, 1, y, 1);
    }
}

/* y (n) += f A^T (rows, n) x */
static void multiply_back(int rows, int n, double f, const double *A, const double *x, double *y) {
    if (rows > 0 && n > 0) {
        cblas_dgemv(CblasRowMajor, CblasTrans, rows, n, f, A, n, x, 1, 1, y, 1);
    }
}

static double square(int n, const double *x) {
    return n > 0 ? cblas_ddot(n, x, 1, x, 1) : 0;
}

static void load(const gos_gram *k, const double *from, bool fixed, double *c) {
    memcpy(c, from, 3L * k->m * sizeof *c);
    for (int i = 3 * k->m; i < 3 * k->all; i++) {
        c[i] = fixed && (i - 3 * k->m) % 4 == 0;
    }
}

/* Computes products and s. @return whether there is a viscous part */
static bool strains(const gos_points *p, const gos_points_sum *s, scratch *w) {
    const gos_gram *k = p->gram;
    const bool rates = s->v && p->rates;
    load(k, s->e + 3L * p->v[0], true, w->c);
    if (rates) {
        load(k, s->v + 3L * p->v[0], false, w->v);
    }
    for (int i = 0, at = 0; i < k->all; i++) {
        for (int j = i; j < k->all; j++, at++) {
            w->g[at] = gos__dot3(w->c + 3 * i, w->c + 3 * j) - k->g0[at];
            if (rates) {
                w->gd[at] =
                    gos__dot3(w->v + 3 * i, w->c + 3 * j) + gos__dot3(w->c + 3 * i, w->v + 3 * j);
            }
        }
    }
    memcpy(w->s, k->e, k->rank * sizeof *w->s);
    multiply(k->rank, k->pairs, k->U, w->g, w->s);
    for (int i = 0; i < k->nt; i++) {
        cblas_daxpy(k->rank, s->th[p->th[i * GOS_LANES]], k->T + i, k->nt, w->s, 1);
    }
    memset(w->x, 0, k->vrank * sizeof *w->x);
    if (rates) {
        multiply(k->vrank, k->pairs, k->V, w->gd, w->x);
    }
    memset(w->tau, 0, k->pairs * sizeof *w->tau);
    multiply_back(k->rank, k->pairs, 1, k->U, w->s, w->tau);
    multiply_back(rates ? k->vrank : 0, k->pairs, 1, k->V, w->x, w->tau);
    return rates;
}

void gos__gram_residual(const gos_points *p, const gos_points_sum *s, double *energy, double *power,
                        double *work) {
    const gos_gram *k = p->gram;
    scratch w;
    carve(k, work, &w);
    const bool rates = strains(p, s, &w);
    double *Q = s->Q ? s->Q + 3L * p->v[0] : NULL;
    // f_i = sum_j tau_ij c_j; pair (i, i) counts twice
    for (int i = 0, at = 0; i < k->all && Q; i++) {
        for (int j = i; j < k->all; j++, at++) {
            for (int d = 0; d < 3; d++) {
                if (i < k->m) {
                    Q[3 * i + d] += w.tau[at] * w.c[3 * j + d];
                }
                if (j < k->m) {
                    Q[3 * j + d] += w.tau[at] * w.c[3 * i + d];
                }
            }
        }
    }
    if (s->R && k->nt > 0 && rates && k->T0 > 0) {
        memset(w.sd, 0, k->rank * sizeof *w.sd);
        multiply(k->rank, k->pairs, k->U, w.gd, w.sd);
        for (int i = 0; i < k->nt; i++) {
            s->R[p->th[i * GOS_LANES]] += k->T0 * cblas_ddot(k->rank, k->T + i, k->nt, w.sd, 1);
        }
    }
    if (energy) {
        *energy += 0.5 * square(k->rank, w.s);
        *power += square(k->vrank, w.x);
        for (int i = 0; i < k->nt && s->dwdth; i++) {
            s->dwdth[p->th[i * GOS_LANES]] += cblas_ddot(k->rank, k->T + i, k->nt, w.s, 1);
        }
    }
}

/* D (rank, 3 m) = sum_j d_ij c_j */
static void derive(const gos_gram *k, int rank, const double *d, const double *c, double *D) {
    if (rank > 0) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rank * k->m, 3, k->all, 1, d, k->all,
                    c, 3, 0, D, 3);
    }
}

/* K += f A^T B, (3 m, columns) */
static void product(int rank, int n, int columns, double f, const double *A, const double *B,
                    double *K) {
    if (rank > 0 && columns > 0 && f != 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, columns, rank, f, A, n, B, columns,
                    1, K, columns);
    }
}

static void forces_by_motion(const gos_gram *k, const gos_points_factors *f, bool rates,
                             const scratch *w) {
    const int n = 3 * k->m;
    memset(w->K, 0, (size_t)n * (size_t)n * sizeof *w->K);
    product(k->rank, n, n, f->k, w->D, w->D, w->K);
    product(k->vrank, n, n, f->d, w->X, w->X, w->K);
    product(rates ? k->vrank : 0, n, n, f->k, w->X, w->Xd, w->K);
    for (int i = 0; i < k->m; i++) {
        for (int j = 0; j < k->m; j++) {
            const double t = f->k * (i == j ? 2 : 1) * w->tau[gos__gram_pair(k->all, i, j)];
            for (int d = 0; d < 3; d++) {
                w->K[(3L * i + d) * n + 3 * j + d] += t;
            }
        }
    }
}

void gos__gram_tangent(const gos_points *p, const gos_points_sum *s, const gos_points_factors *f,
                       int n, int nq, double *values, double *work) {
    const gos_gram *k = p->gram;
    const int m = 3 * k->m;
    scratch w;
    carve(k, work, &w);
    const bool rates = strains(p, s, &w);
    derive(k, k->rank, k->dU, w.c, w.D);
    derive(k, k->vrank, k->dV, w.c, w.X);
    if (rates) {
        derive(k, k->vrank, k->dV, w.v, w.Xd);
    }
    forces_by_motion(k, f, rates, &w);
    double *at = values + 3L * p->v[0] * (n + 1L);
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < m; i++) {
            at[(size_t)j * (size_t)n + i] += w.K[(size_t)i * (size_t)m + j];
        }
    }
    if (k->nt == 0) {
        return;
    }
    memset(w.K, 0, (size_t)m * (size_t)k->nt * sizeof *w.K);
    product(k->rank, m, k->nt, 1, w.D, k->T, w.K); // dQ/dth; T0 times it is heat by rates
    double *by = w.K;
    for (int t = 0; t < k->nt; t++) {
        const size_t th = (size_t)nq + (size_t)p->th[t * GOS_LANES];
        for (int i = 0; i < m; i++) {
            const size_t q = 3 * (size_t)p->v[0] + (size_t)i;
            values[th * (size_t)n + q] += f->k * by[i * k->nt + t];
            if (rates && !f->triangular) {
                values[q * (size_t)n + th] -= f->hd * k->T0 * by[i * k->nt + t];
            }
        }
    }
    if (!rates || f->triangular || !(k->T0 > 0)) {
        return;
    }
    derive(k, k->rank, k->dU, w.v, w.Dd);
    memset(w.K, 0, (size_t)m * (size_t)k->nt * sizeof *w.K);
    product(k->rank, m, k->nt, 1, w.Dd, k->T, w.K);
    for (int t = 0; t < k->nt; t++) {
        const size_t th = (size_t)nq + (size_t)p->th[t * GOS_LANES];
        for (int i = 0; i < m; i++) {
            const size_t q = 3 * (size_t)p->v[0] + (size_t)i;
            values[q * (size_t)n + th] -= f->hk * k->T0 * by[i * k->nt + t];
        }
    }
}
